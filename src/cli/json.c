#include "cli/json.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static void put_text(const char *value) {
    putchar('"');
    for (const char *s = value; *s != '\0'; s++) {
        if (*s == '"' || *s == '\\') putchar('\\');
        if ((unsigned char)*s < ' ')
            printf("\\u%04x", (unsigned)*s);
        else
            putchar(*s);
    }
    putchar('"');
}

/* Writes what stands before an element: a comma, and a new line in the outermost array. */
static void begin(json *out, const char *key) {
    if (out->depth > 0) {
        bool *filled = &out->filled[out->depth - 1];
        fputs(out->depth == 1 ? (*filled ? ",\n " : "\n ") : *filled ? ", " : "", stdout);
        *filled = true;
    }
    if (key == NULL) return;
    put_text(key);
    fputs(": ", stdout);
}

static void open_up(json *out, const char *key, char bracket) {
    begin(out, key);
    putchar(bracket);
    out->filled[out->depth++] = false;
}

static void close_up(json *out, char bracket) {
    out->depth--;
    if (out->depth == 0) putchar('\n');
    putchar(bracket);
    if (out->depth == 0) putchar('\n');
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
    fputs(finite ? digits : "null", stdout);
    if (finite || key == NULL) return;
    snprintf(other, sizeof other, "%s_nonfinite", key);
    json_text(out, other, digits);
}

void json_number(json *out, const char *key, double value) {
    char shown[NUMBER_SHOWN_MAX];
    json_digits(out, key, number_shortest(value, shown));
}

void json_text(json *out, const char *key, const char *value) {
    begin(out, key);
    put_text(value);
}

void json_null(json *out, const char *key) {
    begin(out, key);
    fputs("null", stdout);
}

void json_numbers(json *out, const char *key, const double *values, size_t count) {
    json_array(out, key);
    for (size_t i = 0; i < count; i++) json_number(out, NULL, values[i]);
    json_end_array(out);
}
