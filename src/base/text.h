/* base/text.h - a growing text buffer, and numbers from text. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "costab/base.h"

/* A growing buffer. Zero-initialise; after a failed allocation `failed` stays true and appends do nothing.
 * `data` is NUL-terminated (NULL while nothing was appended). */
typedef struct text {
    char *data;
    size_t size, capacity;
    bool failed;
} text;

void text_append(text *t, const char *string);
void text_append_n(text *t, const char *bytes, size_t n);
/* Another buffer's text; where that one failed, so has this one. */
void text_append_text(text *t, const text *other);
void text_printf(text *t, const char *format, ...) COSTAB_PRINTF(2, 3);
void text_free(text *t);

/* snprintf with a decimal point, whatever the locale; so does all that this header declares. */
int text_format(char *to, size_t size, const char *format, ...) COSTAB_PRINTF(3, 4);

/* Reads a whole file (at most `limit` bytes) into a zero-initialised buffer; "-" is the standard input.
 * COSTAB_IO where it cannot be read, COSTAB_INVALID where it is longer. */
costab_status text_read_file(const char *path, size_t limit, text *t, costab_error *error);

/* Numbers: the whole of the n bytes must be one, in C notation with a point, without blanks, finite, decimal.
 * False otherwise. Independent of the locale. */
bool number_parse_double(const char *string, size_t n, double *value);
bool number_parse_size(const char *string, size_t n, size_t *value);

/* The shortest decimal that reads back as the same number, such as 0.1; or nan, inf, -inf. Returns `shown`.
 */
#define NUMBER_SHOWN_MAX 32
const char *number_shortest(double value, char shown[NUMBER_SHOWN_MAX]);

/* The i-th of `count` equally spaced values with both ends in: the values of numpy.linspace, bit for bit. */
double number_linspace(double from, double to, size_t count, size_t i);

#endif
