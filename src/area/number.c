/* Exact numbers from text.
 *
 * 1. formula/read.c parses the expression into a list of steps (formula.h).
 * 2. Each step is evaluated in Q(sqrt D), D = 2 or 3, as a pair of rational numbers: decimals, sums,
 *    differences, products, quotients, and square roots of rational numbers if they are in that field. The
 * first irrational root sets D.
 * 3. The double nearest to a fraction: the quotient is computed to 64 bits, rounded toward 0. For an inexact
 *    quotient 1/4 of the last bit is added, so that it stays on the same side of every midpoint of two
 *    doubles. It is then rounded once.
 *
 * Exact. Other operations, a second D, and decimal exponents beyond EXPONENT_MAX are errors. */
#include "area/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "formula/formula.h"

enum { EXPONENT_MAX = 400 };

void exact_number_init(exact_number *x) {
    flint_each(fmpq_init, x->u, x->v);
}

void exact_number_clear(exact_number *x) {
    flint_each(fmpq_clear, x->u, x->v);
}

/* x := a decimal already checked by the parser: digits, a point, a decimal exponent. Returns false if the
 * exponent exceeds EXPONENT_MAX. */
static bool read_decimal(const char *written, int size, fmpq_t x) {
    int i = 0, decimals = 0;
    bool point = false;
    fmpq_zero(x);
    for (; i < size && written[i] != 'e' && written[i] != 'E'; i++) {
        if (point) decimals++;
        point = point || written[i] == '.';
        if (written[i] == '.') continue;
        fmpz_mul_ui(fmpq_numref(x), fmpq_numref(x), 10);
        fmpz_add_ui(fmpq_numref(x), fmpq_numref(x), (ulong)(written[i] - '0'));
    }
    long exponent = i < size ? strtol(written + i + 1, NULL, 10) : 0;
    if (exponent < -EXPONENT_MAX || exponent > EXPONENT_MAX) return false;
    exponent -= decimals;
    flint_local(fmpz, power);
    fmpz_set_ui(power, 10);
    fmpz_pow_ui(power, power, (ulong)labs(exponent));
    if (exponent >= 0)
        fmpq_mul_fmpz(x, x, power);
    else
        fmpq_div_fmpz(x, x, power);
    return true;
}

/* (x->u y->u + D x->v y->v) + (x->u y->v + x->v y->u) sqrt D. radicand: D. */
static void multiply(const exact_number *x, const exact_number *y, int radicand, exact_number *product) {
    flint_local(fmpq, both);
    fmpq_mul(both, x->v, y->v);
    fmpq_mul_si(both, both, radicand);
    fmpq_mul(product->u, x->u, y->u);
    fmpq_add(product->u, product->u, both);
    fmpq_mul(product->v, x->u, y->v);
    fmpq_addmul(product->v, x->v, y->u);
}

/* x / y = x (u - v sqrt D) / (u^2 - D v^2), y = u + v sqrt D. Returns false if y is 0. radicand: D. */
static bool divide(const exact_number *x, const exact_number *y, int radicand, exact_number *quotient) {
    flint_local(exact_number, conjugate, norm);
    fmpq_set(conjugate->u, y->u);
    fmpq_neg(conjugate->v, y->v);
    multiply(y, conjugate, radicand, norm);
    if (fmpq_is_zero(norm->u)) return false;
    multiply(x, conjugate, radicand, quotient);
    fmpq_div(quotient->u, quotient->u, norm->u);
    fmpq_div(quotient->v, quotient->v, norm->u);
    return true;
}

/* Square root of a rational number p/q = pq / q^2. With k = 1, 2 or 3 and k pq a square: sqrt(pq) = sqrt(k
 * pq) / k sqrt(k). Sets *radicand to k > 1. Returns false if there is no such k, or if *radicand is another
 * one. */
static bool square_root(const exact_number *x, int *radicand, exact_number *result) {
    if (radicand == NULL || !fmpq_is_zero(x->v) || fmpq_sgn(x->u) < 0) return false;
    flint_local(fmpz, product, part);
    for (int k = 1; k <= 3; k++) {
        fmpz_mul(product, fmpq_numref(x->u), fmpq_denref(x->u));
        fmpz_mul_si(product, product, k);
        if (!fmpz_is_square(product) || (k > 1 && *radicand != 0 && *radicand != k)) continue;
        fmpq *to = k == 1 ? result->u : result->v;
        fmpz_sqrt(part, product);
        fmpz_mul_si(product, fmpq_denref(x->u), k);
        fmpq_set_fmpz_frac(to, part, product);
        if (k > 1) *radicand = k;
        return true;
    }
    return false;
}

/* result := one step. radicand: as in exact_number_read. Returns false if the result is not in Q(sqrt D). */
static bool evaluate_step(const formula_tape *tape, const formula_step *step, const exact_number *values,
                          int *radicand, exact_number *result) {
    const exact_number *x = step->a >= 0 ? &values[step->a] : NULL,
                       *y = step->b >= 0 ? &values[step->b] : NULL;
    const int D = radicand != NULL ? *radicand : 0;
    switch (step->operation) {
    case FORMULA_NUMBER:
        return step->size > 0 && read_decimal(tape->text + step->at, step->size, result->u);
    case FORMULA_ADD:
        fmpq_add(result->u, x->u, y->u);
        fmpq_add(result->v, x->v, y->v);
        return true;
    case FORMULA_SUBTRACT:
        fmpq_sub(result->u, x->u, y->u);
        fmpq_sub(result->v, x->v, y->v);
        return true;
    case FORMULA_MULTIPLY:
        multiply(x, y, D, result);
        return true;
    case FORMULA_DIVIDE:
        return divide(x, y, D, result);
    case FORMULA_NEGATE:
        fmpq_neg(result->u, x->u);
        fmpq_neg(result->v, x->v);
        return true;
    case FORMULA_SQRT:
        return square_root(x, radicand, result);
    default:
        return false;
    }
}

costab_status exact_number_read(const char *written, size_t size, exact_number *number, int *radicand,
                                costab_error *error) {
    static const formula_scope none = {NULL, NULL, 0, 0};
    ends_by(formula_free) formula_tape tape;
    char reason[200];
    costab_status status = formula_read(written, size, &none, &tape, reason, sizeof reason);
    if (status == COSTAB_INVALID)
        return error_invalid(error, "'%.*s' is neither a decimal nor a fraction: %s", (int)size, written,
                             reason);
    memory_local exact_number *values = status ? NULL : memory_alloc((size_t)tape.count, sizeof *values);
    if (values == NULL) return error_memory(error);
    bool fine = true;
    for (int i = 0; i < tape.count; i++) exact_number_init(&values[i]);
    for (int i = 0; i < tape.count && fine; i++)
        fine = evaluate_step(&tape, &tape.steps[i], values, radicand, &values[i]);
    if (fine) fmpq_set(number->u, values[tape.count - 1].u);
    if (fine) fmpq_set(number->v, values[tape.count - 1].v);
    for (int i = 0; i < tape.count; i++) exact_number_clear(&values[i]);
    if (fine) return COSTAB_OK;
    return error_invalid(error,
                         "'%.*s' is not a rational number, or has an exponent of ten beyond %d; write "
                         "a decimal or a fraction",
                         (int)size, written, EXPONENT_MAX);
}

costab_status rational_read(const char *written, fmpq_t number, costab_error *error) {
    flint_local(exact_number, read);
    TRY(exact_number_read(written, strlen(written), read, NULL, error));
    fmpq_set(number, read->u);
    return COSTAB_OK;
}

costab_status rational_given(costab_number given, const char *what, fmpq_t number, costab_error *error) {
    if (given.written != NULL) return rational_read(given.written, number, error);
    if (!isfinite(given.value))
        return error_invalid(error, "a finite %s was expected, not %g", what, given.value);
    rational_of(number, given.value);
    return COSTAB_OK;
}

costab_status rational_range(const costab_number range[2], const char *what, fmpq_t low, fmpq_t high,
                             costab_error *error) {
    TRY(rational_given(range[0], what, low, error));
    TRY(rational_given(range[1], what, high, error));
    if (fmpq_cmp(low, high) < 0) return COSTAB_OK;
    return error_invalid(error, "a range of %s was expected whose ends ascend", what);
}

void rational_of(fmpq_t q, double x) {
    flint_local(arf, exact);
    arf_set_d(exact, x);
    arf_get_fmpq(q, exact);
}

double rational_nearest(const fmpz_t top, const fmpz_t bottom) {
    enum { BITS = 64 };
    flint_local(arf, x, rest);
    if (arf_fmpz_div_fmpz(x, top, bottom, BITS, ARF_RND_DOWN) != 0) {
        arf_set_si(rest, arf_sgn(x));
        arf_mul_2exp_fmpz(rest, rest, ARF_EXPREF(x));
        arf_mul_2exp_si(rest, rest, -BITS - 2);
        arf_add(x, x, rest, ARF_PREC_EXACT, ARF_RND_DOWN);
    }
    return arf_get_d(x, ARF_RND_NEAR);
}

/* ---- Values of a range with equal steps ----
 * Both ends are parsed as fractions and brought to one denominator: value k is (N + k D) / M with integers N,
 * D and M. Each quotient is rounded once to the nearest double, in about 0.1 us. */

/* Reads one end from n bytes; a decimal with an exponent beyond EXPONENT_MAX as its double. Returns false if
 * memory is exhausted. */
static bool read_end(const char *written, size_t n, fmpq_t end) {
    flint_local(exact_number, number);
    double near = 0;
    const costab_status status = exact_number_read(written, n, number, NULL, NULL);
    fmpq_set(end, number->u);
    if (status == COSTAB_INVALID && number_parse(written, n, &near)) rational_of(end, near);
    return status != COSTAB_MEMORY;
}

bool range_values(const char *list, size_t count, double *values) {
    const char *to = strchr(list, ':') + 1;
    flint_free_at_thread_end();
    flint_local(fmpq, first, step);
    flint_local(fmpz, top, add, bottom);
    if (!read_end(list, (size_t)(to - list) - 1, first) || !read_end(to, strcspn(to, ":"), step))
        return false;
    fmpq_sub(step, step, first);
    fmpz_set_ui(bottom, count > 1 ? count - 1 : 1);
    fmpq_div_fmpz(step, step, bottom);
    fmpz_mul(top, fmpq_numref(first), fmpq_denref(step));
    fmpz_mul(add, fmpq_numref(step), fmpq_denref(first));
    fmpz_mul(bottom, fmpq_denref(first), fmpq_denref(step));
    for (size_t k = 0; k < count; k++, fmpz_add(top, top, add)) values[k] = rational_nearest(top, bottom);
    return true;
}
