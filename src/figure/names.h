/* figure/names.h - texts of a figure in the markup of gnuplot's enhanced mode, and their translation to
 * LaTeX.
 *
 * The markup is {/:Italic x}, {/:Bold x}, _{index}, ^{power}, and a backslash before a character that would
 * be markup. A text with markup is called a shown text. Functions with a target append to it. */
#pragma once

#include "base/text.h"

#define NAMES_ITALIC(words) "{/:Italic " words "}"
#define NAMES_BOLD(words)   "{/:Bold " words "}"
#define NAMES_INDEX(words)  "_{" words "}"
#define NAMES_POWER(words)  "^{" words "}"

/* Escapes a text; digits that fonts may lack (², ₂) become powers and indices. */
void names_plain(text *target, const char *plain);

/* Typesets the name of a quantity as in mathematics: a letter in italics (H), with an index (T_d, x1), Greek
 * letters by their names (omega_1), also after a subsystem's name. Other names are escaped. */
void names_name(text *target, const char *name);

/* Typesets a title or label of the user. Words like H_1 or T_d are typeset as names. "omega" stays a word. A
 * single Latin letter is a name only if it is the whole text ("a" is also an article). */
void names_words(text *target, const char *words);

/* Returns true if a word is a letter, perhaps with an index. */
bool names_is_symbol(const char *word);

/* Typesets a unit: m/s^2 with a power. */
void names_unit(text *target, const char *unit);

/* Typesets the name of a coupling or a method; of `T_d=0.1` the quantity and its value. */
void names_choice(text *target, const char *name);

/* A minus sign (U+2212) for a negative value, otherwise "". */
const char *names_sign(double value);

/* Write a number with at most six digits, or `digits` if that is less; with a power of 10 if it is large or
 * small. Return `shown`. */
#define NAMES_NUMBER_MAX 48
const char *names_number(double value, char shown[NAMES_NUMBER_MAX]);
const char *names_rounded(double value, int digits, char shown[NAMES_NUMBER_MAX]);

/* Translates a shown text to LaTeX. */
void names_tex(text *target, const char *shown);

/* Removes the markup of a shown text; an index begins with _, a power with ^. */
void names_strip(text *target, const char *shown);

/* Returns the estimated width of a shown text in 8 pt type, in cm; of several lines the widest. */
double names_width(const char *shown);

/* Breaks a shown text at blanks into the least number of lines of at most `width` cm in 8 pt type, of similar
 * lengths. */
void names_wrap(char *shown, double width);
