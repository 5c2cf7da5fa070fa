/* base/text.h - a text buffer that grows; numbers from text and as text. */
#pragma once

#include <stdarg.h>
#include <stdint.h>

#include "base/memory.h"
#include "costab/base.h"

/* A buffer that grows. Zero-initialise it, free it with text_free. `data` is NUL-terminated, and NULL while
 * nothing was appended. After a failed allocation `failed` stays true and appending does nothing, so that one
 * check at the end is enough. */
typedef struct text {
    char *data;
    size_t size, capacity;
    bool failed;
} text;

void text_append(text *t, const char *string);
void text_append_n(text *t, const char *bytes, size_t n);
/* Appends the text of another buffer; if that one has failed, so has this one. */
void text_append_text(text *t, const text *other);
void text_printf(text *t, const char *format, ...) COSTAB_PRINTF(2, 3);
/* Appends `before` and the shortest form of a number. */
void text_append_number(text *t, const char *before, double value);
void text_print_list(text *t, const char *format, va_list arguments) COSTAB_PRINTF(2, 0);
void text_free(text *t);
/* A local text, such as text_local name = {0}, that is freed where its block is left, on whatever way. */
#define text_local ends_by(text_free) text

/* snprintf with a decimal point, whatever the locale. All functions of this header are independent of it. */
int text_format(char *to, size_t size, const char *format, ...) COSTAB_PRINTF(3, 4);

/* The length of the UTF-8 character that begins an array of n bytes, and its code; 0 where none does. The
 * bytes before a NUL are an array of any length. */
#define TEXT_CHARACTER_MAX 4
size_t text_character(const char *string, size_t n, uint32_t *code);

/* The length of the character that begins a string (not an empty one) where it can be shown as it is; else 0,
 * and *harmful is the number of bytes to show as \xNN. */
size_t text_plain(const char *string, size_t *harmful);

/* Appends a string of strangers for people to read: control characters but line ends and tabs, C1 codes,
 * marks that turn the direction of writing and bytes that are no UTF-8 become \xNN, byte by byte. */
void text_append_plain(text *t, const char *string);

/* The same in a fixed buffer, which cuts what does not fit. */
void text_make_plain(char *string, size_t size);

/* Reads a whole file into a zero-initialised buffer; "-" is the standard input. COSTAB_UNREADABLE where it
 * cannot be read, COSTAB_INVALID where it is longer than `limit` bytes. */
costab_status text_read_file(const char *path, size_t limit, text *t, costab_error *error);

/* Reads a number from n bytes, all of which must belong to it: decimal, with a point, finite, without blanks.
 * False, and *value untouched, where they do not, and if a number other than 0 would become 0. */
bool number_parse_double(const char *string, size_t n, double *value);
/* The same of a fraction, too: of two whole numbers up to 10^15, such as -1/3. [out] *value: the double
 * nearest to it. */
bool number_parse(const char *string, size_t n, double *value);
/* Why number_parse_double refuses a decimal: "too large for" or "too close to 0 for" a number in double
 * precision. NULL if the bytes are no decimal, or one that it reads. */
const char *number_out_of_range(const char *string, size_t n);
bool number_parse_size(const char *string, size_t n, size_t *value);

/* The shortest decimal that reads back as the same number, such as 0.1; or nan, inf, -inf. Returns `shown`.
 */
#define NUMBER_SHOWN_MAX 40
const char *number_shortest(double value, char shown[NUMBER_SHOWN_MAX]);

/* The decimal of so many significant digits, up to 15, as %.*g writes it, that is next to a value and not
 * above it (side -1) or not below it (side 1). Returns `shown`. */
#define NUMBER_LIMIT_DIGITS 6 /* of limits, for people: rounded into the interval that they end */
const char *number_rounded(double value, int digits, int side, char shown[NUMBER_SHOWN_MAX]);

/* The greatest common divisor of two numbers that are not negative; that of 0 and a number is the number. */
int64_t number_gcd(int64_t a, int64_t b);

/* The i-th of `count` equally spaced values from `from` to `to`, both included: numpy.linspace, bit for bit.
 */
double number_linspace(double from, double to, size_t count, size_t i);

/* Appends the exact value of number i of a list, as an expression (formula/formula.h): of 0.5,-1,1/3 what is
 * written there, of FROM:TO:COUNT the fraction FROM + (TO - FROM) i/(COUNT - 1). The list is one that was
 * read, and i is below its number of values. */
void number_list_exact(const char *list, size_t i, text *expression);
