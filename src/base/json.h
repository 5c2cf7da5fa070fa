/* base/json.h - writes JSON piece by piece: objects and arrays are opened and closed, commas and line breaks
 * follow. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum { JSON_DEPTH_MAX = 12 };

/* Zero-initialise. */
typedef struct json {
    text *to;                          /* destination; NULL: it is printed */
    void (*print)(const char *string); /* by this */
    int depth;                         /* how many objects and arrays are open */
    bool filled[JSON_DEPTH_MAX];       /* whether each of these has an element */
    bool failed;                       /* a text is missing, as memory was out */
} json;

/* Every element of an object has a key; `key` is NULL in an array. */
void json_object(json *out, const char *key);
void json_array(json *out, const char *key);
/* Close the object or array opened last. */
void json_end_object(json *out);
void json_end_array(json *out);

/* A number in its shortest form. Numbers that are not finite are null in JSON; in an object the key
 * KEY_nonfinite follows with "inf", "-inf" or "nan". */
void json_number(json *out, const char *key, double value);
/* A number; null for NaN. */
void json_maybe(json *out, const char *key, double value);
/* A number with more digits than a double, as text; inf and nan as above. */
void json_digits(json *out, const char *key, const char *digits);
/* A text in UTF-8. `<` is written as \u003c, so that a text cannot end a script element of HTML. */
void json_text(json *out, const char *key, const char *value);
void json_bool(json *out, const char *key, bool value);
void json_null(json *out, const char *key);
/* An array of numbers. */
void json_numbers(json *out, const char *key, const double *values, size_t count);
