/* base/csv.h - reads texts of comma-separated values, line by line and cell by cell. A line is a row: a
 * quoted cell may hold commas and doubled quotes, but no line break. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A text that is being read; borrowed. Of the current line: where it starts, its next cell (NULL: it has no
 * more), and its end without the line break. */
typedef struct csv {
    const char *rest, *stop; /* what comes after the current line */
    size_t line;             /* its number, from 1 */
    const char *start, *at, *end;
} csv;

/* A cell without the blanks and then the quotes around it. Quotes inside a quoted one are still doubled. */
typedef struct csv_cell {
    const char *start;
    size_t size;
} csv_cell;

/* Begins before the first line, behind a byte order mark. */
csv csv_begin(const char *bytes, size_t size);

/* Goes on to the next line; false at the end of the text. */
bool csv_line(csv *c);

/* Whether nothing but blanks stands in the line. */
bool csv_blank(const csv *c);

/* The next cell of the line; false after its last one. */
bool csv_next(csv *c, csv_cell *cell);

bool csv_is(csv_cell cell, const char *word);

/* Copies a cell, with single quotes for doubled ones, and ends it with NUL; false where it is longer than
 * room - 1 bytes. */
bool csv_copy(csv_cell cell, char *to, size_t room);
