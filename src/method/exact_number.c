/* Another arithmetic on formula's tape: the value of every step is u + v sqrt(root), u and v fractions in
 * lowest terms. Where an integer does not fit into 128 bits, the number is not exact. */
#include "method/exact_number.h"

#include <math.h>
#include <stdlib.h>

__extension__ typedef __int128 wide;

typedef struct fraction {
    wide num, den; /* without a common factor, den > 0 */
} fraction;

typedef struct surd {
    fraction u, v;
} surd;

enum { STEPS_MAX = 200, EXPONENT_MAX = 60 };

/* ---- fractions ---- */

static bool make_fraction(wide num, wide den, fraction *x) {
    const wide largest = ((((wide)1 << 126) - 1) << 1) + 1;
    if (den == 0 || num < -largest || den < -largest) return false;
    wide a = num < 0 ? -num : num, b = den < 0 ? -den : den;
    while (b != 0) {
        wide rest = a % b;
        a = b;
        b = rest;
    }
    if (den < 0) a = -a;
    *x = (fraction){num / a, den / a};
    return true;
}

static bool add(fraction x, fraction y, fraction *sum) {
    wide left, right, num, den;
    return !__builtin_mul_overflow(x.num, y.den, &left) && !__builtin_mul_overflow(y.num, x.den, &right) &&
           !__builtin_add_overflow(left, right, &num) && !__builtin_mul_overflow(x.den, y.den, &den) &&
           make_fraction(num, den, sum);
}

static bool multiply(fraction x, fraction y, fraction *product) {
    wide num, den;
    return !__builtin_mul_overflow(x.num, y.num, &num) && !__builtin_mul_overflow(x.den, y.den, &den) &&
           make_fraction(num, den, product);
}

static fraction minus(fraction x) {
    return (fraction){-x.num, x.den};
}

/* x y + factor z w */
static bool two_products(fraction x, fraction y, int factor, fraction z, fraction w, fraction *sum) {
    fraction first, second;
    return multiply(x, y, &first) && multiply(z, w, &second) &&
           multiply(second, (fraction){factor, 1}, &second) && add(first, second, sum);
}

/* ---- with square roots ---- */

static bool surd_add(const surd *x, const surd *y, surd *sum) {
    return add(x->u, y->u, &sum->u) && add(x->v, y->v, &sum->v);
}

static surd surd_minus(const surd *x) {
    return (surd){minus(x->u), minus(x->v)};
}

static bool surd_multiply(const surd *x, const surd *y, int root, surd *product) {
    return two_products(x->u, y->u, root, x->v, y->v, &product->u) &&
           two_products(x->u, y->v, 1, x->v, y->u, &product->v);
}

/* x / y = x (u - v sqrt root) / (u^2 - root v^2) */
static bool surd_divide(const surd *x, const surd *y, int root, surd *quotient) {
    fraction norm;
    surd conjugate = {y->u, minus(y->v)};
    if (!two_products(y->u, y->u, -root, y->v, y->v, &norm) || norm.num == 0) return false;
    fraction inverse = norm.num > 0 ? (fraction){norm.den, norm.num} : (fraction){-norm.den, -norm.num};
    return surd_multiply(x, &conjugate, root, quotient) && multiply(quotient->u, inverse, &quotient->u) &&
           multiply(quotient->v, inverse, &quotient->v);
}

/* The largest integer whose square is at most n, 0 <= n < 2^126. */
static wide square_root_below(wide n) {
    wide r = (wide)sqrtl((long double)n);
    while (r * r > n) r--;
    while ((r + 1) * (r + 1) <= n) r++;
    return r;
}

/* The square root of a rational number p/q = pq / q^2, where pq is a square, or twice or three times one:
 * sqrt(pq) = sqrt(k pq) / k sqrt(k). */
static bool surd_root(const surd *x, int *root, surd *result) {
    const wide most = (wide)1 << 124;
    wide product;
    if (x->v.num != 0 || x->u.num < 0 || __builtin_mul_overflow(x->u.num, x->u.den, &product) ||
        product > most)
        return false;
    for (int k = 1; k <= 3; k++) {
        wide part = square_root_below(k * product);
        if (part * part != k * product) continue;
        fraction found;
        *result = (surd){{0, 1}, {0, 1}};
        if (!make_fraction(part, k * x->u.den, &found)) return false;
        *(k == 1 ? &result->u : &result->v) = found;
        if (k > 1 && *root != 0 && *root != k) return false;
        if (k > 1) *root = k;
        return true;
    }
    return false;
}

/* ---- the walk ---- */

static bool append_digit(wide *n, int digit) {
    return !__builtin_mul_overflow(*n, 10, n) && !__builtin_add_overflow(*n, digit, n);
}

/* A decimal: digits, a point, an exponent of ten. */
static bool read_decimal(const char *text, int size, surd *x) {
    wide digits = 0, power = 1;
    int i = 0, behind_point = 0;
    bool point = false, fine = true;
    for (; i < size && text[i] != 'e' && text[i] != 'E' && fine; i++) {
        if (text[i] != '.') fine = append_digit(&digits, text[i] - '0');
        if (point) behind_point++;
        point = point || text[i] == '.';
    }
    long exponent = i < size ? strtol(text + i + 1, NULL, 10) : 0;
    if (exponent < -EXPONENT_MAX || exponent > EXPONENT_MAX) return false;
    exponent -= behind_point;
    for (long k = labs(exponent); k > 0 && fine; k--) fine = append_digit(exponent > 0 ? &digits : &power, 0);
    x->v = (fraction){0, 1};
    return fine && make_fraction(digits, power, &x->u);
}

static bool walk_step(const formula_tape *tape, const formula_step *step, const surd *values, int *root,
                      surd *result) {
    const surd *x = step->a >= 0 ? &values[step->a] : NULL, *y = step->b >= 0 ? &values[step->b] : NULL;
    surd negative;
    switch (step->operation) {
    case FORMULA_NUMBER:
        return step->size > 0 && read_decimal(tape->text + step->at, step->size, result);
    case FORMULA_ADD:
        return surd_add(x, y, result);
    case FORMULA_SUBTRACT:
        negative = surd_minus(y);
        return surd_add(x, &negative, result);
    case FORMULA_MULTIPLY:
        return surd_multiply(x, y, *root, result);
    case FORMULA_DIVIDE:
        return surd_divide(x, y, *root, result);
    case FORMULA_NEGATE:
        *result = surd_minus(x);
        return true;
    case FORMULA_SQRT:
        return surd_root(x, root, result);
    default:
        return false;
    }
}

static bool keep(fraction x, int64_t *num, int64_t *den) {
    if (x.num > INT64_MAX || x.num < -INT64_MAX || x.den > INT64_MAX) return false;
    *num = (int64_t)x.num;
    *den = (int64_t)x.den;
    return true;
}

static bool keep_both(const surd *x, costab_exact *number) {
    return keep(x->u, &number->num, &number->den) && keep(x->v, &number->root_num, &number->root_den);
}

bool exact_number_walk(const formula_tape *tape, costab_exact *number, int *root) {
    surd values[STEPS_MAX];
    costab_exact found;
    int met = *root;
    if (tape->count > STEPS_MAX) return false;
    for (int i = 0; i < tape->count; i++)
        if (!walk_step(tape, &tape->steps[i], values, &met, &values[i])) return false;
    if (!keep_both(&values[tape->count - 1], &found)) return false;
    *number = found;
    *root = met;
    return true;
}

bool exact_number_sum(const costab_exact *numbers, int n, costab_exact *sum) {
    surd total = {{0, 1}, {0, 1}};
    for (int k = 0; k < n; k++) {
        const costab_exact *x = &numbers[k];
        const surd term = {{x->num, x->den}, {x->root_num, x->root_den}};
        if (!surd_add(&total, &term, &total)) return false;
    }
    return keep_both(&total, sum);
}

double exact_number_double(const costab_exact *number, int root) {
    long double u = (long double)number->num / (long double)number->den;
    return (double)(u + (long double)number->root_num / (long double)number->root_den * sqrtl(root));
}
