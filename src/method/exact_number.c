/* Another arithmetic on formula's tape: the value of every step is (u + v sqrt(root)) / den with integers.
 * Where an integer does not fit into 128 bits, the number is not exact. */
#include "method/exact_number.h"

#include <math.h>
#include <stdlib.h>

__extension__ typedef __int128 wide;

typedef struct surd {
    wide u, v, den; /* without a common factor, den > 0 */
} surd;

enum { STEPS_MAX = 200, EXPONENT_MAX = 60 };

static wide common_factor(wide a, wide b) {
    while (b != 0) {
        wide rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static bool make(wide u, wide v, wide den, surd *x) {
    const wide largest = ((((wide)1 << 126) - 1) << 1) + 1;
    if (den == 0 || u < -largest || v < -largest || den < -largest) return false;
    const wide factor = common_factor(u, common_factor(v, den)), divisor = den < 0 ? -factor : factor;
    *x = (surd){u / divisor, v / divisor, den / divisor};
    return true;
}

/* a b + c d */
static bool two_products(wide a, wide b, wide c, wide d, wide *sum) {
    wide first, second;
    return !__builtin_mul_overflow(a, b, &first) && !__builtin_mul_overflow(c, d, &second) &&
           !__builtin_add_overflow(first, second, sum);
}

static bool surd_add(const surd *x, const surd *y, surd *sum) {
    wide u, v, den;
    return two_products(x->u, y->den, y->u, x->den, &u) && two_products(x->v, y->den, y->v, x->den, &v) &&
           !__builtin_mul_overflow(x->den, y->den, &den) && make(u, v, den, sum);
}

static surd surd_minus(const surd *x) {
    return (surd){-x->u, -x->v, x->den};
}

static bool surd_multiply(const surd *x, const surd *y, int root, surd *product) {
    wide u, v, den, turned;
    return !__builtin_mul_overflow(y->v, root, &turned) && two_products(x->u, y->u, x->v, turned, &u) &&
           two_products(x->u, y->v, x->v, y->u, &v) && !__builtin_mul_overflow(x->den, y->den, &den) &&
           make(u, v, den, product);
}

/* x / y = x den (u - v sqrt root) / (u^2 - root v^2) */
static bool surd_divide(const surd *x, const surd *y, int root, surd *quotient) {
    wide u, v, norm, turned;
    surd inverse;
    return !__builtin_mul_overflow(y->v, -root, &turned) && two_products(y->u, y->u, turned, y->v, &norm) &&
           !__builtin_mul_overflow(y->den, y->u, &u) && !__builtin_mul_overflow(-y->den, y->v, &v) &&
           make(u, v, norm, &inverse) && surd_multiply(x, &inverse, root, quotient);
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
    if (x->v != 0 || x->u < 0 || __builtin_mul_overflow(x->u, x->den, &product) || product > most)
        return false;
    for (int k = 1; k <= 3; k++) {
        wide part = square_root_below(k * product);
        if (part * part != k * product) continue;
        if (!make(k == 1 ? part : 0, k == 1 ? 0 : part, k * x->den, result)) return false;
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
    return fine && make(digits, 0, power, x);
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

static bool keep(wide num, wide den, int64_t *kept_num, int64_t *kept_den) {
    const wide factor = common_factor(num, den);
    num /= factor;
    den /= factor;
    *kept_num = (int64_t)num;
    *kept_den = (int64_t)den;
    return num <= INT64_MAX && num >= -INT64_MAX && den <= INT64_MAX;
}

static bool keep_both(const surd *x, costab_exact *number) {
    return keep(x->u, x->den, &number->num, &number->den) &&
           keep(x->v, x->den, &number->root_num, &number->root_den);
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
    surd total = {0, 0, 1}, term;
    for (int k = 0; k < n; k++) {
        const costab_exact *x = &numbers[k];
        const wide u = (wide)x->num * x->root_den, v = (wide)x->root_num * x->den;
        if (!make(u, v, (wide)x->den * x->root_den, &term) || !surd_add(&total, &term, &total)) return false;
    }
    return keep_both(&total, sum);
}

double exact_number_double(const costab_exact *number, int root) {
    long double u = (long double)number->num / (long double)number->den;
    return (double)(u + (long double)number->root_num / (long double)number->root_den * sqrtl(root));
}
