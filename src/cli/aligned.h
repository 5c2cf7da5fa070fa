/* cli/aligned.h - a table for people: columns that are aligned, and sentences below.
 *
 * Rows wait until the widths of their columns are known: until the table ends, for ALIGNED_ROWS rows at most,
 * and not longer than WAIT seconds for the next one. The columns' names are printed again where widths have
 * grown. A program has one such table at a time, as it has one standard output. */
#pragma once

#include "base/text.h"

/* Prints what waits, and begins a table of these columns, whose names commas join. Columns that are empty in
 * all rows are not printed. */
void aligned_begin(const char *columns);

/* The next cell: words, or a number to 6 digits (a whole number with all of its own). Of a column of classes
 * the words say what it means: that of the simulation, then of the system where it is another. "SU" is
 * "unstable, system stable". */
void aligned_text(const char *column, const char *words);
void aligned_number(double value);

/* A sentence below the table, in a line of its own. */
void aligned_say(const char *format, va_list arguments) COSTAB_PRINTF(1, 0);

/* Prints what waits. false: memory was out. */
bool aligned_end(void);
