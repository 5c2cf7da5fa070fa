/* Numbers from text, and as text.
 *
 *   1. The grammar is checked by hand, so that the extras of strtod (hexadecimal, inf, leading blanks) are
 *      refused; strtod converts, in the C locale. Numbers that overflow, or underflow to 0, are refused.
 *   2. A fraction p/q of whole numbers is divided once: the double next to it, where both are doubles.
 *   3. As text: the shortest decimal that reads back (shortest.c), else by trying 15 (of subnormal numbers
 *      1) to 17 digits.
 *
 * A range's k-th value is that of numpy.linspace, to the last bit. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/locale.h"
#include "base/number.h"
#include "base/shortest.h"
#include "base/text.h"

static size_t skip_digits(const char *s, size_t i, size_t n) {
    while (i < n && s[i] >= '0' && s[i] <= '9') i++;
    return i;
}

/* [+-] digits [. digits] [(e|E) [+-] digits], at least one digit in the mantissa, nothing else. */
static bool is_decimal(const char *s, size_t n) {
    size_t i = n > 0 && (s[0] == '+' || s[0] == '-') ? 1 : 0;
    size_t whole = skip_digits(s, i, n), digits = whole - i;
    i = whole;
    if (i < n && s[i] == '.') {
        size_t end = skip_digits(s, i + 1, n);
        digits += end - (i + 1);
        i = end;
    }
    if (digits == 0) return false;
    if (i < n && (s[i] == 'e' || s[i] == 'E')) {
        i++;
        if (i < n && (s[i] == '+' || s[i] == '-')) i++;
        size_t end = skip_digits(s, i, n);
        if (end == i) return false;
        i = end;
    }
    return i == n;
}

/* Converts a decimal, without regard to its size: infinite if it is too large, 0 if it is too small. */
static bool convert(const char *string, size_t n, double *value) {
    char copy[512], *end;
    if (!is_decimal(string, n) || n >= sizeof copy) return false;
    memcpy(copy, string, n);
    copy[n] = '\0';
    locale_t before = locale_enter();
    *value = strtod(copy, &end);
    locale_leave(before);
    return *end == '\0';
}

/* Is every digit before the exponent 0? */
static bool is_zero(const char *decimal, size_t n) {
    size_t i = 0;
    while (i < n && strchr("+-.0", decimal[i]) != NULL) i++;
    return i == n || decimal[i] == 'e' || decimal[i] == 'E';
}

const char *number_out_of_range(const char *string, size_t n) {
    double converted;
    if (!convert(string, n, &converted)) return NULL;
    if (!isfinite(converted)) return "too large for";
    return converted == 0 && !is_zero(string, n) ? "too close to 0 for" : NULL;
}

bool number_parse_double(const char *string, size_t n, double *value) {
    double converted;
    if (!convert(string, n, &converted) || !isfinite(converted)) return false;
    if (converted == 0 && !is_zero(string, n)) return false;
    *value = converted;
    return true;
}

bool number_parse(const char *string, size_t n, double *value) {
    const double most = 1e15; /* both are doubles */
    const char *slash = memchr(string, '/', n);
    if (slash == NULL) return number_parse_double(string, n, value);
    size_t sign = *string == '-' || *string == '+', before = (size_t)(slash - string), top, bottom;
    if (before < sign || !number_parse_size(string + sign, before - sign, &top) ||
        !number_parse_size(slash + 1, n - before - 1, &bottom) || bottom == 0 || (double)top > most ||
        (double)bottom > most)
        return false;
    *value = (*string == '-' ? -1.0 : 1.0) * (double)top / (double)bottom; /* one rounding */
    return true;
}

bool number_parse_size(const char *string, size_t n, size_t *value) {
    if (n == 0 || n > 19 || skip_digits(string, 0, n) != n) return false;
    uint64_t parsed = 0;
    for (size_t i = 0; i < n; i++) parsed = 10 * parsed + (uint64_t)(string[i] - '0');
    if (parsed > SIZE_MAX) return false;
    *value = (size_t)parsed;
    return true;
}

/* As printf's %.*g writes digits at so many places: with an exponent below 10^-4, and where there are fewer
 * places than digits before the point. */
static void lay_out_digits(const char *digits, int length, int exponent, char *shown) {
    int places = length > DBL_DIG ? length : DBL_DIG, point = 1;
    bool plain = exponent >= -4 && exponent < places;
    if (plain && exponent < 0) {
        memcpy(shown, "0.000", (size_t)(1 - exponent));
        shown += 1 - exponent;
        point = length;
    } else if (plain) {
        point = exponent + 1;
    }
    for (int i = 0; i < length || (plain && i < point); i++) {
        if (i == point) *shown++ = '.';
        *shown++ = i < length ? digits[i] : '0';
    }
    if (!plain) {
        int size = abs(exponent); /* below 1000 */
        *shown++ = 'e';
        *shown++ = exponent < 0 ? '-' : '+';
        if (size >= 100) *shown++ = (char)('0' + size / 100);
        *shown++ = (char)('0' + size / 10 % 10);
        *shown++ = (char)('0' + size % 10);
    }
    *shown = '\0';
}

static const char *shortest_by_trial(double value, char shown[NUMBER_SHOWN_MAX]) {
    locale_t before = locale_enter();
    for (int digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
        snprintf(shown, NUMBER_SHOWN_MAX, "%.*g", digits, value);
        if (strtod(shown, NULL) == value) break;
    }
    locale_leave(before);
    return shown;
}

const char *number_shortest(double value, char shown[NUMBER_SHOWN_MAX]) {
    char digits[SHORTEST_MAX];
    int length, exponent;
    if (!isfinite(value)) {
        strcpy(shown, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
        return shown;
    }
    if (value == 0) return strcpy(shown, signbit(value) ? "-0" : "0");
    if (!shortest_digits(fabs(value), digits, &length, &exponent)) return shortest_by_trial(value, shown);
    *shown = '-';
    lay_out_digits(digits, length, exponent, shown + (value < 0));
    return shown;
}

const char *number_rounded(double value, int digits, int side, char shown[NUMBER_SHOWN_MAX]) {
    double nearest = value;
    (void)text_format(shown, NUMBER_SHOWN_MAX, "%.*g", digits, value);
    (void)number_parse_double(shown, strlen(shown), &nearest);
    if (side * nearest < side * value) {
        nearest += side * pow(10, floor(log10(fabs(value))) - digits + 1);
        (void)text_format(shown, NUMBER_SHOWN_MAX, "%.*g", digits, nearest);
    }
    return shown;
}

int64_t number_gcd(int64_t a, int64_t b) {
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

double number_linspace(double from, double to, size_t count, size_t i) {
    if (count < 2) return from;
    if (i == count - 1) return to;
    double intervals = (double)(count - 1), range = to - from, step = range / intervals;
    double offset = step == 0 ? (double)i / intervals * range : (double)i * step;
    return offset + from;
}

void number_list_exact(const char *list, size_t i, text *expression) {
    const char *first = strchr(list, ':'), *second = first != NULL ? strchr(first + 1, ':') : NULL;
    if (second == NULL) {
        for (; i > 0; i--) list = strchr(list, ',') + 1;
        text_append_n(expression, list, strcspn(list, ","));
        return;
    }
    int from = (int)(first - list), to = (int)(second - first) - 1;
    size_t intervals = strtoul(second + 1, NULL, 10) - 1;
    text_printf(expression, "%.*s", from, list);
    if (intervals > 0)
        text_printf(expression, "+(%.*s-(%.*s))*%zu/%zu", to, first + 1, from, list, i, intervals);
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void number_sort(double *values, size_t count) {
    qsort(values, count, sizeof *values, ascending);
}

double number_seconds(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
