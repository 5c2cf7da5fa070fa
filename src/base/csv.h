/* base/csv.h - reads texts of comma-separated values, line by line and cell by cell. A line is a row: a
 * quoted cell may hold commas and doubled quotes, but no line break. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A borrowed text during reading. For the current line: its start, its next cell (NULL after the last), and
 * its end without the line break. */
typedef struct csv {
    const char *rest, *stop; /* text after the current line */
    size_t line;             /* its number, from 1 */
    const char *start, *at, *end;
} csv;

/* A cell without the blanks and then the quotes around it. Quotes inside a quoted cell are still doubled. */
typedef struct csv_cell {
    const char *start;
    size_t size;
} csv_cell;

/* Starts before the first line, after a byte order mark. */
csv csv_begin(const char *bytes, size_t size);

/* Goes on to the next line. Returns false at the end of the text. */
bool csv_line(csv *c);

/* Returns true if the line has only blanks. */
bool csv_blank(const csv *c);

/* [out] *cell: the next cell of the line. Returns false after the last cell. */
bool csv_next(csv *c, csv_cell *cell);

/* Returns true if a cell has exactly these characters. */
bool csv_is(csv_cell cell, const char *word);

/* Copies a cell, with single quotes for doubled ones, and ends it with NUL. Returns false if it is longer
 * than space - 1 bytes. */
bool csv_copy(csv_cell cell, char *to, size_t space);
