/* base/json.h - writes JSON piece by piece. The caller opens and closes objects and arrays; commas and line
 * breaks are added. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum { JSON_DEPTH_MAX = 12 };

/* Zero-initialise. */
typedef struct json {
    text *to;                          /* destination; NULL: `print` */
    void (*print)(const char *string); /* destination if `to` is NULL */
    int depth;                         /* number of open objects and arrays, at most JSON_DEPTH_MAX */
    bool filled[JSON_DEPTH_MAX];       /* whether each open object or array has an element */
    bool failed;                       /* a text is missing, because memory was out */
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
/* Like json_number, but null alone for NaN. */
void json_maybe(json *out, const char *key, double value);
/* A number given as text, which may have more digits than a double; inf and nan as in json_number. */
void json_digits(json *out, const char *key, const char *digits);
/* A text in UTF-8. `<` is written as \u003c, so that a text cannot end a script element of HTML. */
void json_text(json *out, const char *key, const char *value);
void json_bool(json *out, const char *key, bool value);
void json_null(json *out, const char *key);
/* An array of numbers. */
void json_numbers(json *out, const char *key, const double *values, size_t count);
