/* figure/rich.h - texts of a figure, once for every output.
 *
 * A rich text is UTF-8 in which the marks below enclose what is set in italics, bold, as an index or a power;
 * marks may stand in each other. Everything else is shown as it is, whatever characters it has. */
#pragma once

#include "base/text.h"

#define RICH_ITALIC(words) "\001" words "\005"
#define RICH_BOLD(words)   "\002" words "\005"
#define RICH_INDEX(words)  "\003" words "\005"
#define RICH_POWER(words)  "\004" words "\005"
#define RICH_MARKS         "\001\002\003\004\005"

/* A text that is shown as it is: control characters, which could be taken for marks, become blanks. */
void rich_plain(text *target, const char *plain);

/* The name of a quantity as mathematics writes it: H, and T_d or x1 with an index, Greek letters by their
 * names (omega_1), behind the name of its subsystem too; other names as they are. */
void rich_name(text *target, const char *name);

/* Words, each of which may be such a name, with Greek letters as letters only: what an author writes stays; a
 * single letter only where it stands alone. */
void rich_words(text *target, const char *words);

/* A unit: m/s^2 with its power. */
void rich_unit(text *target, const char *unit);

/* The name of a coupling or a method; `T_d=0.1` as mathematics writes it: the name of a quantity and its
 * value. */
void rich_choice(text *target, const char *name);

/* The sign of a number as figures show it: a true minus, or nothing. */
const char *rich_sign(double value);

/* A number with its sign; powers of 10 as such. Returns `shown`. */
#define RICH_NUMBER_MAX 48
const char *rich_number(double value, char shown[RICH_NUMBER_MAX]);
/* The same of a number that is rounded to so many digits first. */
const char *rich_rounded(double value, int digits, char shown[RICH_NUMBER_MAX]);

/* With the mark-up of gnuplot, or of LaTeX. */
void rich_write(text *target, const char *rich, bool tex);

/* As plain characters: an index begins with _, a power with ^. Appended. */
void rich_strip(text *target, const char *rich);

/* How wide it is in 8 pt type, in cm; of several lines the widest. */
double rich_width(const char *rich);

/* Breaks it at blanks into lines of at most `width` cm in 8 pt type, where that is possible. Returns their
 * number. */
int rich_wrap(char *rich, double width);
