/* A recursive descent over the text; every value is u + v sqrt(root) with rational u and v. Plain fractions,
 * the entries of most tableaux, are read and added in integers of 64 bits before: the program loads FLINT
 * with its first call. */
#include "method/exact_number.h"

#include <ctype.h>
#include <string.h>

typedef struct surd {
    fmpq_t u, v;
} surd;

typedef struct scan {
    const char *at;
    int root;   /* of the numbers read so far; 0: none has a square root */
    bool wrong; /* no such number */
    int depth;  /* of parentheses */
} scan;

enum { DEPTH_MAX = 50, EXPONENT_MAX = 400 };

/* num/den in lowest terms with den > 0; den is not 0. */
static costab_exact lowest(int64_t num, int64_t den) {
    int64_t a = num < 0 ? -num : num, b = den;
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return (costab_exact){num / a, den / a, 0, 1};
}

/* Up to 15 digits; their number. */
static int read_digits(const char **at, int64_t *value) {
    int count = 0;
    for (*value = 0; isdigit((unsigned char)**at) && count < 16; (*at)++, count++)
        *value = 10 * *value + (**at - '0');
    return count;
}

/* [+-]digits[/digits] */
static bool read_plain(const char *text, costab_exact *number) {
    int64_t num, den = 1;
    bool minus = *text == '-';
    if (*text == '-' || *text == '+') text++;
    int count = read_digits(&text, &num);
    if (count == 0 || count > 15) return false;
    if (*text == '/') {
        text++;
        count = read_digits(&text, &den);
    }
    if (count == 0 || count > 15 || *text != '\0' || den == 0) return false;
    *number = lowest(minus ? -num : num, den);
    return true;
}

/* Where no number has a square root and no integer on the way is too long. */
static bool add_plain(const costab_exact *numbers, int n, costab_exact *sum) {
    *sum = (costab_exact){0, 1, 0, 1};
    for (int k = 0; k < n; k++) {
        const costab_exact *x = &numbers[k];
        int64_t left, right, num, den;
        if (x->root_num != 0 || x->num == INT64_MIN || __builtin_mul_overflow(sum->num, x->den, &left) ||
            __builtin_mul_overflow(x->num, sum->den, &right) || __builtin_add_overflow(left, right, &num) ||
            __builtin_mul_overflow(sum->den, x->den, &den) || num == INT64_MIN)
            return false;
        *sum = lowest(num, den);
    }
    return true;
}

static void surd_start(surd *x) {
    fmpq_init(x->u);
    fmpq_init(x->v);
}

static void surd_end(surd *x) {
    fmpq_clear(x->u);
    fmpq_clear(x->v);
}

static char next_of(scan *s) {
    while (*s->at == ' ' || *s->at == '\t') s->at++;
    return *s->at;
}

static bool taken(scan *s, char c) {
    if (next_of(s) != c) return false;
    s->at++;
    return true;
}

static void set_fraction(fmpq_t x, const fmpz_t top, const fmpz_t bottom) {
    fmpz_set(fmpq_numref(x), top);
    fmpz_set(fmpq_denref(x), bottom);
    _fmpq_canonicalise(fmpq_numref(x), fmpq_denref(x));
}

/* x := x y */
static void multiply(scan *s, surd *x, const surd *y) {
    fmpq_t both, cross, other, root;
    fmpq_init(both);
    fmpq_init(cross);
    fmpq_init(other);
    fmpq_init(root);
    fmpq_set_si(root, s->root, 1);
    fmpq_mul(both, x->v, y->v);
    fmpq_mul(both, both, root);
    fmpq_mul(cross, x->u, y->v);
    fmpq_mul(other, x->v, y->u);
    fmpq_mul(x->u, x->u, y->u);
    fmpq_add(x->u, x->u, both);
    fmpq_add(x->v, cross, other);
    fmpq_clear(both);
    fmpq_clear(cross);
    fmpq_clear(other);
    fmpq_clear(root);
}

/* x := x / y = x (u - v sqrt root) / (u^2 - root v^2) */
static void divide(scan *s, surd *x, surd *y) {
    surd conjugate;
    surd_start(&conjugate);
    fmpq_set(conjugate.u, y->u);
    fmpq_neg(conjugate.v, y->v);
    multiply(s, y, &conjugate);
    if (fmpq_is_zero(y->u)) {
        s->wrong = true;
    } else {
        multiply(s, x, &conjugate);
        fmpq_div(x->u, x->u, y->u);
        fmpq_div(x->v, x->v, y->u);
    }
    surd_end(&conjugate);
}

/* A decimal: digits, a point, an exponent of ten. */
static void read_decimal(scan *s, surd *x) {
    fmpz_t digits, power;
    fmpz_init(digits);
    fmpz_init(power);
    long exponent = 0, given = 0;
    bool any = false, point = false;
    for (; isdigit((unsigned char)*s->at) || (*s->at == '.' && !point); s->at++) {
        if (*s->at == '.') {
            point = true;
            continue;
        }
        any = true;
        fmpz_mul_ui(digits, digits, 10);
        fmpz_add_ui(digits, digits, (ulong)(*s->at - '0'));
        if (point) exponent--;
    }
    if (any && (*s->at == 'e' || *s->at == 'E')) {
        s->at++;
        bool minus = *s->at == '-';
        if (*s->at == '-' || *s->at == '+') s->at++;
        any = isdigit((unsigned char)*s->at) != 0;
        for (; isdigit((unsigned char)*s->at) && given < EXPONENT_MAX; s->at++)
            given = 10 * given + (*s->at - '0');
        exponent += minus ? -given : given;
    }
    if (!any || given >= EXPONENT_MAX) s->wrong = true;
    fmpz_ui_pow_ui(power, 10, (ulong)(exponent < 0 ? -exponent : exponent));
    if (exponent >= 0) {
        fmpz_mul(digits, digits, power);
        fmpz_one(power);
    }
    set_fraction(x->u, digits, power);
    fmpq_zero(x->v);
    fmpz_clear(digits);
    fmpz_clear(power);
}

/* The square root of a rational number p/q = pq / q^2, where pq is a square, or twice or three times one. */
static void take_root(scan *s, surd *x) {
    fmpz_t product, part;
    fmpz_init(product);
    fmpz_init(part);
    fmpz_mul(product, fmpq_numref(x->u), fmpq_denref(x->u));
    int root = 0;
    static const int roots[3] = {1, 2, 3};
    for (int k = 0; k < 3 && root == 0 && fmpz_sgn(product) >= 0; k++) {
        fmpz_mul_si(part, product, roots[k]);
        if (fmpz_is_square(part)) root = roots[k];
    }
    bool mixed = root > 1 && s->root != 0 && s->root != root;
    if (root == 0 || mixed || !fmpq_is_zero(x->v)) {
        s->wrong = true;
    } else { /* sqrt(pq) = sqrt(root pq) / root sqrt(root) */
        fmpz_sqrt(part, part);
        fmpz_mul_si(product, fmpq_denref(x->u), root);
        set_fraction(root > 1 ? x->v : x->u, part, product);
        if (root > 1) fmpq_zero(x->u);
        if (root > 1) s->root = root;
    }
    fmpz_clear(product);
    fmpz_clear(part);
}

static void read_sum(scan *s, surd *x);

static void read_factor(scan *s, surd *x) {
    bool minus = false;
    for (char c = next_of(s); c == '-' || c == '+'; c = next_of(s)) {
        if (c == '-') minus = !minus;
        s->at++;
    }
    bool root = strncmp(s->at, "sqrt", 4) == 0;
    if (root) s->at += 4;
    if (taken(s, '(')) {
        if (++s->depth > DEPTH_MAX) s->wrong = true;
        if (!s->wrong) read_sum(s, x);
        s->depth--;
        if (!taken(s, ')')) s->wrong = true;
        if (root && !s->wrong) take_root(s, x);
    } else if (root) {
        s->wrong = true;
    } else {
        read_decimal(s, x);
    }
    if (!minus) return;
    fmpq_neg(x->u, x->u);
    fmpq_neg(x->v, x->v);
}

static void read_product(scan *s, surd *x) {
    surd y;
    surd_start(&y);
    read_factor(s, x);
    for (char c = next_of(s); !s->wrong && (c == '*' || c == '/'); c = next_of(s)) {
        s->at++;
        read_factor(s, &y);
        if (s->wrong) break;
        if (c == '*')
            multiply(s, x, &y);
        else
            divide(s, x, &y);
    }
    surd_end(&y);
}

static void read_sum(scan *s, surd *x) {
    surd y;
    surd_start(&y);
    read_product(s, x);
    for (char c = next_of(s); !s->wrong && (c == '+' || c == '-'); c = next_of(s)) {
        s->at++;
        read_product(s, &y);
        if (s->wrong) break;
        (c == '+' ? fmpq_add : fmpq_sub)(x->u, x->u, y.u);
        (c == '+' ? fmpq_add : fmpq_sub)(x->v, x->v, y.v);
    }
    surd_end(&y);
}

bool exact_number_rational(const char *text, fmpq_t number) {
    scan s = {.at = text};
    surd x;
    surd_start(&x);
    read_sum(&s, &x);
    bool fine = !s.wrong && next_of(&s) == '\0' && fmpq_is_zero(x.v);
    if (fine) fmpq_set(number, x.u);
    surd_end(&x);
    return fine;
}

static bool keep(const fmpq_t x, int64_t *num, int64_t *den) {
    if (!fmpz_fits_si(fmpq_numref(x)) || !fmpz_fits_si(fmpq_denref(x))) return false;
    *num = (int64_t)fmpz_get_si(fmpq_numref(x));
    *den = (int64_t)fmpz_get_si(fmpq_denref(x));
    return true;
}

bool exact_number_read(const char *text, costab_exact *number, int *root) {
    if (read_plain(text, number)) return true;
    scan s = {.at = text, .root = *root};
    costab_exact found = {0, 1, 0, 1};
    surd x;
    surd_start(&x);
    read_sum(&s, &x);
    bool fine = !s.wrong && next_of(&s) == '\0' && keep(x.u, &found.num, &found.den) &&
                keep(x.v, &found.root_num, &found.root_den);
    surd_end(&x);
    if (!fine) return false;
    *number = found;
    *root = s.root;
    return true;
}

bool exact_number_sum(const costab_exact *numbers, int n, costab_exact *sum) {
    costab_exact plain;
    if (add_plain(numbers, n, &plain)) {
        *sum = plain;
        return true;
    }
    surd x;
    fmpq_t term;
    surd_start(&x);
    fmpq_init(term);
    for (int k = 0; k < n; k++) {
        fmpq_set_si(term, (slong)numbers[k].num, (ulong)numbers[k].den);
        fmpq_add(x.u, x.u, term);
        fmpq_set_si(term, (slong)numbers[k].root_num, (ulong)numbers[k].root_den);
        fmpq_add(x.v, x.v, term);
    }
    bool fine = keep(x.u, &sum->num, &sum->den) && keep(x.v, &sum->root_num, &sum->root_den);
    surd_end(&x);
    fmpq_clear(term);
    return fine;
}

double exact_number_double(const costab_exact *number, int root) {
    enum { BITS = 200 };
    const int64_t exact_double = (int64_t)1 << 53;
    if (number->root_num == 0 && number->den <= exact_double && number->num <= exact_double &&
        number->num >= -exact_double)
        return (double)number->num / (double)number->den; /* one rounding */
    arb_t u, v;
    arb_init(u);
    arb_init(v);
    arb_sqrt_ui(v, (ulong)root, BITS);
    arb_mul_si(v, v, number->root_num, BITS);
    arb_div_si(v, v, number->root_den, BITS);
    arb_set_si(u, number->num);
    arb_div_si(u, u, number->den, BITS);
    arb_add(u, u, v, BITS);
    double value = arf_get_d(arb_midref(u), ARF_RND_NEAR);
    arb_clear(u);
    arb_clear(v);
    return value;
}
