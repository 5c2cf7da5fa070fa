/* Reads numbers from text and writes numbers as text; also SI prefixes, ranges, sorting and the clock.
 *   1. The grammar is checked by hand, to refuse the extras of strtod (hexadecimal, inf, leading blanks);
 *      strtod converts, in the C locale. Numbers that overflow, or underflow to 0, are refused.
 *   2. A fraction p/q of integers is divided once: the double nearest to it, if both are doubles.
 *   3. A number is written as the shortest decimal that reads back, by Grisu3 (Loitsch 2010, Printing
 *      floating-point numbers quickly and accurately with integers). The double and the midpoints to its two
 *      neighbours, times a cached power of ten, become 64-bit integers with a known error. Digits are
 *      generated until the rest is within the interval of the midpoints for certain; the last digit is
 *      rounded to the nearest.
 *   4. If that error could change a digit (1 of 200 numbers), for powers of two and for subnormal numbers, 15
 *      (for subnormal numbers 1) to 17 digits are tried.
 *
 * The k-th value of a range equals that of numpy.linspace, to the last bit. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/locale.h"
#include "base/number.h"
#include "base/text.h"

/* ---- Shortest decimals (Grisu3) ---- */
enum { SHORTEST_MAX = 20 };

/* f 2^e */
typedef struct floating {
    uint64_t f;
    int e;
} floating;

enum { FIRST_POWER = -348, POWER_STEP = 8, LEAST_EXPONENT = -60, MANTISSA_BITS = 52, BIAS = 1075 };

/* 10^(-348 + 8 i), rounded to 64 bits. */
static const uint64_t powers[] = {
    UINT64_C(0xfa8fd5a0081c0288), UINT64_C(0xbaaee17fa23ebf76), UINT64_C(0x8b16fb203055ac76),
    UINT64_C(0xcf42894a5dce35ea), UINT64_C(0x9a6bb0aa55653b2d), UINT64_C(0xe61acf033d1a45df),
    UINT64_C(0xab70fe17c79ac6ca), UINT64_C(0xff77b1fcbebcdc4f), UINT64_C(0xbe5691ef416bd60c),
    UINT64_C(0x8dd01fad907ffc3c), UINT64_C(0xd3515c2831559a83), UINT64_C(0x9d71ac8fada6c9b5),
    UINT64_C(0xea9c227723ee8bcb), UINT64_C(0xaecc49914078536d), UINT64_C(0x823c12795db6ce57),
    UINT64_C(0xc21094364dfb5637), UINT64_C(0x9096ea6f3848984f), UINT64_C(0xd77485cb25823ac7),
    UINT64_C(0xa086cfcd97bf97f4), UINT64_C(0xef340a98172aace5), UINT64_C(0xb23867fb2a35b28e),
    UINT64_C(0x84c8d4dfd2c63f3b), UINT64_C(0xc5dd44271ad3cdba), UINT64_C(0x936b9fcebb25c996),
    UINT64_C(0xdbac6c247d62a584), UINT64_C(0xa3ab66580d5fdaf6), UINT64_C(0xf3e2f893dec3f126),
    UINT64_C(0xb5b5ada8aaff80b8), UINT64_C(0x87625f056c7c4a8b), UINT64_C(0xc9bcff6034c13053),
    UINT64_C(0x964e858c91ba2655), UINT64_C(0xdff9772470297ebd), UINT64_C(0xa6dfbd9fb8e5b88f),
    UINT64_C(0xf8a95fcf88747d94), UINT64_C(0xb94470938fa89bcf), UINT64_C(0x8a08f0f8bf0f156b),
    UINT64_C(0xcdb02555653131b6), UINT64_C(0x993fe2c6d07b7fac), UINT64_C(0xe45c10c42a2b3b06),
    UINT64_C(0xaa242499697392d3), UINT64_C(0xfd87b5f28300ca0e), UINT64_C(0xbce5086492111aeb),
    UINT64_C(0x8cbccc096f5088cc), UINT64_C(0xd1b71758e219652c), UINT64_C(0x9c40000000000000),
    UINT64_C(0xe8d4a51000000000), UINT64_C(0xad78ebc5ac620000), UINT64_C(0x813f3978f8940984),
    UINT64_C(0xc097ce7bc90715b3), UINT64_C(0x8f7e32ce7bea5c70), UINT64_C(0xd5d238a4abe98068),
    UINT64_C(0x9f4f2726179a2245), UINT64_C(0xed63a231d4c4fb27), UINT64_C(0xb0de65388cc8ada8),
    UINT64_C(0x83c7088e1aab65db), UINT64_C(0xc45d1df942711d9a), UINT64_C(0x924d692ca61be758),
    UINT64_C(0xda01ee641a708dea), UINT64_C(0xa26da3999aef774a), UINT64_C(0xf209787bb47d6b85),
    UINT64_C(0xb454e4a179dd1877), UINT64_C(0x865b86925b9bc5c2), UINT64_C(0xc83553c5c8965d3d),
    UINT64_C(0x952ab45cfa97a0b3), UINT64_C(0xde469fbd99a05fe3), UINT64_C(0xa59bc234db398c25),
    UINT64_C(0xf6c69a72a3989f5c), UINT64_C(0xb7dcbf5354e9bece), UINT64_C(0x88fcf317f22241e2),
    UINT64_C(0xcc20ce9bd35c78a5), UINT64_C(0x98165af37b2153df), UINT64_C(0xe2a0b5dc971f303a),
    UINT64_C(0xa8d9d1535ce3b396), UINT64_C(0xfb9b7cd9a4a7443c), UINT64_C(0xbb764c4ca7a44410),
    UINT64_C(0x8bab8eefb6409c1a), UINT64_C(0xd01fef10a657842c), UINT64_C(0x9b10a4e5e9913129),
    UINT64_C(0xe7109bfba19c0c9d), UINT64_C(0xac2820d9623bf429), UINT64_C(0x80444b5e7aa7cf85),
    UINT64_C(0xbf21e44003acdd2d), UINT64_C(0x8e679c2f5e44ff8f), UINT64_C(0xd433179d9c8cb841),
    UINT64_C(0x9e19db92b4e31ba9), UINT64_C(0xeb96bf6ebadf77d9), UINT64_C(0xaf87023b9bf0ee6b)};

static floating power_of_ten(int k, uint64_t f) {
    return (floating){f, (k * 217706 >> 16) - 63}; /* floor(k log2 10) for these k */
}

/* Returns the first power that brings a number of 64 bits and exponent e to an exponent of -60 or above; the
 * exponent is then below -32. */
static floating scale_for(int e, int *k) {
    const double log10_2 = 0.30102999566398114; /* rounded down */
    double least = (double)(LEAST_EXPONENT - e - 1) * log10_2;
    int wanted = (int)least + (least > (double)(int)least ? 1 : 0);
    int index = (wanted - FIRST_POWER - 1) / POWER_STEP + 1;
    *k = FIRST_POWER + POWER_STEP * index;
    return power_of_ten(*k, powers[index]);
}

/* Returns the upper half of the product, rounded; its error is below one unit. */
static floating product(floating x, floating y) {
    const uint64_t low = 0xffffffff;
    uint64_t a = x.f >> 32, b = x.f & low, c = y.f >> 32, d = y.f & low;
    uint64_t middle = (b * d >> 32) + (a * d & low) + (b * c & low) + (UINT64_C(1) << 31);
    return (floating){a * c + (a * d >> 32) + (b * c >> 32) + (middle >> 32), x.e + y.e + 64};
}

static floating normalised(floating x) {
    int shift = __builtin_clzll(x.f);
    return (floating){x.f << shift, x.e - shift};
}

/* Digits so far, and the rest of the upper end after these digits, in units of 2^e. */
typedef struct generation {
    char *digits;
    int length, kappa;
    uint64_t distance, unsafe, rest, ten_kappa, unit;
} generation;

/* Brings the last digit as near to the number as possible. Returns false if the error of the numbers leaves
 * it open. */
static bool round_last(generation *g) {
    uint64_t small = g->distance - g->unit, big = g->distance + g->unit;
    while (g->rest < small && g->unsafe - g->rest >= g->ten_kappa &&
           (g->rest + g->ten_kappa < small || small - g->rest >= g->rest + g->ten_kappa - small)) {
        g->digits[g->length - 1]--;
        g->rest += g->ten_kappa;
    }
    if (g->rest < big && g->unsafe - g->rest >= g->ten_kappa &&
        (g->rest + g->ten_kappa < big || big - g->rest > g->rest + g->ten_kappa - big))
        return false;
    return 2 * g->unit <= g->rest && g->rest <= g->unsafe - 4 * g->unit;
}

/* Generates digits of `high` until the rest is between the two ends; low, number and high have one exponent
 * e. */
static bool generate(floating low, floating number, floating high, generation *g) {
    int shift = -number.e;
    uint64_t one = UINT64_C(1) << shift;
    g->unit = 1;
    high.f++;
    g->unsafe = high.f - (low.f - 1);
    g->distance = high.f - number.f;
    uint32_t whole = (uint32_t)(high.f >> shift), divisor = 1;
    uint64_t part = high.f & (one - 1);
    for (g->kappa = 1; whole / divisor >= 10; g->kappa++) divisor *= 10;
    for (; g->kappa > 0; divisor /= 10) {
        g->digits[g->length++] = (char)('0' + whole / divisor);
        whole %= divisor;
        g->kappa--;
        g->rest = ((uint64_t)whole << shift) + part;
        g->ten_kappa = (uint64_t)divisor << shift;
        if (g->rest < g->unsafe) return round_last(g);
    }
    for (;;) {
        part *= 10;
        g->unit *= 10;
        g->unsafe *= 10;
        g->digits[g->length++] = (char)('0' + (part >> shift));
        part &= one - 1;
        g->kappa--;
        g->rest = part;
        g->ten_kappa = one;
        if (part >= g->unsafe) continue;
        g->distance *= g->unit;
        return round_last(g);
    }
}

/* Finds the digits of a positive number: d.ddd times 10^exponent, without zeros at the end; of all shortest
 * decimals that read back, the nearest. Returns false if this method does not find them, always for subnormal
 * numbers and powers of two. */
static bool shortest_digits(double value, char digits[SHORTEST_MAX], int *length, int *exponent) {
    uint64_t bits, hidden = UINT64_C(1) << MANTISSA_BITS;
    memcpy(&bits, &value, sizeof bits);
    int biased = (int)(bits >> MANTISSA_BITS), k;
    uint64_t mantissa = bits & (hidden - 1);
    if (biased == 0 || biased >= 2047 || mantissa == 0)
        return false; /* subnormal, negative, not finite; a power of two has midpoints at unequal distances */
    floating number = {mantissa | hidden, biased - BIAS}, high = {2 * number.f + 1, number.e - 1};
    floating low = {2 * number.f - 1, number.e - 1};
    number = normalised(number);
    high = normalised(high);
    low = (floating){low.f << (low.e - high.e), high.e};
    floating scale = scale_for(number.e, &k);
    generation g = {.digits = digits};
    if (!generate(product(low, scale), product(number, scale), product(high, scale), &g)) return false;
    while (g.length > 1 && digits[g.length - 1] == '0') {
        g.length--;
        g.kappa++;
    }
    *length = g.length;
    *exponent = g.kappa - k + g.length - 1;
    return true;
}

/* ---- Numbers and text ---- */

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

/* Returns true if every digit before the exponent is 0. */
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

/* Writes digits as printf's %.*g does for a given number of places: with an exponent below 10^-4, and if
 * there are fewer places than digits before the point. */
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

/* Writes the shortest decimal that reads back, by trying numbers of digits. */
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

size_t number_si_prefix(const char *given, size_t size, int *power) {
    static const struct {
        const char *prefix;
        int power;
    } prefixes[] = {{"p", -12}, {"n", -9}, {"u", -6}, {"\u00b5", -6},
                    {"m", -3},  {"k", 3},  {"M", 6},  {"G", 9}};
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++) {
        const size_t length = strlen(prefixes[k].prefix);
        if (size < length || memcmp(given + size - length, prefixes[k].prefix, length) != 0) continue;
        *power = prefixes[k].power;
        return length;
    }
    *power = 0;
    return 0;
}

bool number_si_unit(const char *prefixed, const char *unit, int *power) {
    const size_t size = strlen(prefixed), unit_size = strlen(unit);
    if (size < unit_size || strcmp(prefixed + size - unit_size, unit) != 0) return false;
    return number_si_prefix(prefixed, size - unit_size, power) == size - unit_size;
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
