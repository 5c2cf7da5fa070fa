/* figure/names.h - texts of a figure: in the mark-up of gnuplot's enhanced mode, and from that in LaTeX's.
 *
 * A shown text is what a gnuplot string has: {/:Italic x}, {/:Bold x}, _{index}, ^{power}, and a backslash
 * before a character that would be mark-up. */
#pragma once

#include "base/text.h"

#define NAMES_ITALIC(words) "{/:Italic " words "}"
#define NAMES_BOLD(words)   "{/:Bold " words "}"
#define NAMES_INDEX(words)  "_{" words "}"
#define NAMES_POWER(words)  "^{" words "}"

/* A text that is shown as it is. Appended, as all that follow. */
void names_plain(text *target, const char *plain);

/* The name of a quantity as mathematics writes it: H, and T_d or x1 with an index, Greek letters by their
 * names (omega_1), after the name of its subsystem too; other names as they are. */
void names_name(text *target, const char *name);

/* Words, each of which may be such a name, with Greek letters as letters only: what an author writes stays; a
 * single letter only where it stands alone. */
void names_words(text *target, const char *words);

/* Whether a word is such a name: a letter, perhaps with an index. */
bool names_is_symbol(const char *word);

/* A unit: m/s^2 with its power. */
void names_unit(text *target, const char *unit);

/* The name of a coupling or a method; `T_d=0.1` as mathematics writes it: the name of a quantity and its
 * value. */
void names_choice(text *target, const char *name);

/* The sign of a number as figures show it: a true minus, or nothing. */
const char *names_sign(double value);

/* A number with its sign; powers of 10 as such. Returns `shown`. */
#define NAMES_NUMBER_MAX 48
const char *names_number(double value, char shown[NAMES_NUMBER_MAX]);
/* The same of a number that is rounded to so many digits first. */
const char *names_rounded(double value, int digits, char shown[NAMES_NUMBER_MAX]);

/* A shown text for LaTeX. */
void names_tex(text *target, const char *shown);

/* A shown text as plain characters: an index begins with _, a power with ^. */
void names_strip(text *target, const char *shown);

/* About how wide a shown text is in 8 pt type, in cm; of several lines the widest. */
double names_width(const char *shown);

/* Breaks a shown text at blanks into as few lines of at most `width` cm in 8 pt type as is possible, about
 * equally long. */
void names_wrap(char *shown, double width);
