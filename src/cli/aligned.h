/* cli/aligned.h - a table for people: aligned columns, and sentences below.
 *
 * Rows wait until the widths of their columns are known: to the end of the table, or until 1,000 rows wait,
 * or until a row comes more than a second after the first waiting row. If widths grow later, the names of the
 * columns are printed again. On a terminal, a table that is too wide is split into blocks of columns. The
 * program has one such table at a time, because it has one standard output. */
#pragma once

#include "base/text.h"

/* Prints the waiting rows and starts a table. `columns`: names of its columns, joined by commas. A column
 * that is empty in all rows is not printed. */
void aligned_begin(const char *columns);

/* Add the next cell: a string, or a number with 6 digits (an integer with all its digits). In columns of
 * classes the cell is the meaning of the code: "unstable, system stable" for SU. */
void aligned_text(const char *column, const char *words);
void aligned_number(double value);

/* Adds a sentence below the table, in a line of its own. */
void aligned_say(const char *format, va_list arguments) COSTAB_PRINTF(1, 0);

/* Returns true if the table has a row. */
bool aligned_has_rows(void);

/* Prints the waiting rows and the sentences. Returns false if memory ran out. */
bool aligned_end(void);
