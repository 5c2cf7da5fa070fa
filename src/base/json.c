/* Writes JSON piece by piece, into a text or by a function that prints. */
#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"

static void put(json *out, const char *string) {
    if (out->to != NULL)
        text_append(out->to, string);
    else if (!out->failed) /* earlier output stays valid */
        out->print(string);
}

static void put_character(json *out, char c) {
    put(out, (char[]){c, '\0'});
}

static void put_text(json *out, const char *value) {
    text_local escaped = {0};
    if (escape_keeps(ESCAPE_JSON, value)) {
        put(out, "\"");
        put(out, value);
        put(out, "\"");
        return;
    }
    escape(&escaped, ESCAPE_JSON, value);
    if (escaped.failed)
        out->failed = true;
    else
        put(out, escaped.data);
}

/* Writes the separator before an element (a comma, and a line break in the outermost object or array) and its
 * key. */
static void begin(json *out, const char *key) {
    if (out->depth > 0) {
        bool *filled = &out->filled[out->depth - 1];
        put(out, out->depth == 1 ? (*filled ? ",\n " : "\n ") : *filled ? ", " : "");
        *filled = true;
    }
    if (key == NULL) return;
    put_text(out, key);
    put(out, ": ");
}

static void open_up(json *out, const char *key, char bracket) {
    begin(out, key);
    put_character(out, bracket);
    out->filled[out->depth++] = false;
}

static void close_up(json *out, char bracket) {
    out->depth--;
    if (out->depth == 0) put_character(out, '\n');
    put_character(out, bracket);
    if (out->depth == 0) put_character(out, '\n');
}

void json_object(json *out, const char *key) {
    open_up(out, key, '{');
}

void json_array(json *out, const char *key) {
    open_up(out, key, '[');
}

void json_end_object(json *out) {
    close_up(out, '}');
}

void json_end_array(json *out) {
    close_up(out, ']');
}

void json_digits(json *out, const char *key, const char *digits) {
    char other[80];
    bool finite = strchr("0123456789", digits[digits[0] == '-']) != NULL;
    begin(out, key);
    put(out, finite ? digits : "null");
    if (finite || key == NULL) return;
    (void)snprintf(other, sizeof other, "%s_nonfinite", key);
    json_text(out, other, digits);
}

void json_number(json *out, const char *key, double value) {
    char shown[NUMBER_SHOWN_MAX];
    json_digits(out, key, number_shortest(value, shown));
}

void json_maybe(json *out, const char *key, double value) {
    if (isnan(value))
        json_null(out, key);
    else
        json_number(out, key, value);
}

void json_text(json *out, const char *key, const char *value) {
    begin(out, key);
    put_text(out, value);
}

void json_bool(json *out, const char *key, bool value) {
    begin(out, key);
    put(out, value ? "true" : "false");
}

void json_null(json *out, const char *key) {
    begin(out, key);
    put(out, "null");
}

void json_numbers(json *out, const char *key, const double *values, size_t count) {
    json_array(out, key);
    for (size_t i = 0; i < count; i++) json_number(out, NULL, values[i]);
    json_end_array(out);
}
