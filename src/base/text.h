/* base/text.h - a growing text buffer; UTF-8 and safe display of untrusted text; numbers from text and as
 * text.
 */
#pragma once

#include <stdarg.h>
#include <stdint.h>

#include "base/memory.h"
#include "costab/base.h"

/* A growing buffer. Zero-initialise it, free it with text_free. `data` is NUL-terminated, and NULL while
 * nothing was appended. After a failed allocation `failed` stays true and appending does nothing, so that one
 * check at the end is enough. */
typedef struct text {
    char *data;
    size_t size, capacity;
    bool failed;
} text;

void text_append(text *t, const char *string);
void text_append_n(text *t, const char *bytes, size_t n);
/* Appends the text of another buffer; a failure of the other buffer carries over. */
void text_append_text(text *t, const text *other);
void text_printf(text *t, const char *format, ...) COSTAB_PRINTF(2, 3);
/* Appends `before` and the shortest form of a number. */
void text_append_number(text *t, const char *before, double value);
void text_vprintf(text *t, const char *format, va_list arguments) COSTAB_PRINTF(2, 0);
void text_free(text *t);
/* A local text, such as text_local name = {0}, freed when its block is left, in any way. */
#define text_local ends_by(text_free) text

/* snprintf with a decimal point, whatever the locale. All functions of this header are independent of it. */
int text_format(char *to, size_t size, const char *format, ...) COSTAB_PRINTF(3, 4);

/* Returns the length and the code of the UTF-8 character at the start of n bytes; 0 if there is none. The
 * bytes before a NUL count as an array of any length. */
#define TEXT_CHARACTER_MAX 4
size_t text_character(const char *string, size_t n, uint32_t *code);

/* Returns the length of the character at the start of a non-empty string if it is safe to print; otherwise 0,
 * and *harmful is the number of bytes to print as \xNN. */
size_t text_plain(const char *string, size_t *harmful);

/* Appends an untrusted string for display: control characters except line ends and tabs, C1 codes, marks for
 * the direction of writing and invalid UTF-8 become \xNN, byte by byte. */
void text_append_plain(text *t, const char *string);

/* Like text_append_plain, in a fixed buffer; cuts what does not fit. */
void text_make_plain(char *string, size_t size);

/* Reads a complete file into a zero-initialised buffer; "-" is the standard input. COSTAB_UNREADABLE if it
 * cannot be read, COSTAB_INVALID if it is longer than `limit` bytes. */
costab_status text_read_file(const char *path, size_t limit, text *t, costab_error *error);

/* Reads a number from exactly n bytes: a decimal with or without a point and an exponent, without blanks.
 * Returns false and leaves *value untouched for anything else, and for a decimal that is too large or that is
 * not 0 and would become 0. */
bool number_parse_double(const char *string, size_t n, double *value);
/* Like number_parse_double, and reads fractions of two integers up to 10^15, such as -1/3. [out] *value: the
 * nearest double. */
bool number_parse(const char *string, size_t n, double *value);
/* Returns the reason why number_parse_double refuses a decimal: "too large for" or "too close to 0 for" a
 * number in double precision. Returns NULL for other bytes and for accepted decimals. */
const char *number_out_of_range(const char *string, size_t n);
/* Reads a number from exactly n digits, at most 19. */
bool number_parse_size(const char *string, size_t n, size_t *value);

/* Writes the shortest decimal that reads back as the same number, such as 0.1; or nan, inf, -inf. Returns
 * `shown`. */
#define NUMBER_SHOWN_MAX 40
const char *number_shortest(double value, char shown[NUMBER_SHOWN_MAX]);

/* Writes the decimal with `digits` significant digits, up to 15, as %.*g does, nearest to a value and not
 * above it (side -1), not below it (side 1), or on either side (side 0). Returns `shown`. */
#define NUMBER_LIMIT_DIGITS 6 /* of limits for people, rounded into their interval */
const char *number_rounded(double value, int digits, int side, char shown[NUMBER_SHOWN_MAX]);

/* Returns the length of the SI prefix at the end of a text, p to G; 0 if there is none. [out] *power: the
 * power of 10 that it means. */
size_t number_si_prefix(const char *given, size_t size, int *power);
/* Returns true if `prefixed` is the unit, or the unit with an SI prefix: ms for s. [out] *power: the power of
 * 10 of the prefix. */
bool number_si_unit(const char *prefixed, const char *unit, int *power);

/* Returns the greatest common divisor of two non-negative numbers; for 0 and a number the number. */
int64_t number_gcd(int64_t a, int64_t b);

/* Returns the i-th of `count` equally spaced values from `from` to `to`, both included, like numpy.linspace,
 * bit for bit. */
double number_linspace(double from, double to, size_t count, size_t i);

/* Appends the exact value of number i of a list as an expression (formula/formula.h): for 0.5,-1,1/3 the
 * number as written, for FROM:TO:COUNT the fraction FROM + (TO - FROM) i/(COUNT - 1). The list was read
 * before, and i is below its number of values. */
void number_list_exact(const char *list, size_t i, text *expression);
