/* Formulas in balls. A formula is a tape: a list of steps, each an operation on earlier ones
 * (formula/formula.h).
 *
 *  1. The value of each step is a power series of one term, or of two where a derivative is asked for: the
 *     value and the derivative.
 *  2. Operations, and functions that FLINT has series for, are Arb's.
 *  3. The other functions are written in square roots, logarithms and arcus tangents. So three functions
 *     check all branch cuts: where an argument may lie on one the result is not finite.
 *  4. sign and abs are constant or linear on either side of 0, and not finite on balls that hold 0.
 *
 * The enclosure is proved. Cost: that of Arb's functions at the given precision. */
#include "exact/formula_ball.h"

#include "base/memory.h"

/* Whole powers up to here are products; beyond it the base must be positive. */
enum { POWER_MAX = 1000 };

typedef struct ball_walk {
    acb_poly_struct *steps;
    slong length, precision;
} ball_walk;

static void set_indeterminate(acb_poly_t result) {
    flint_local(acb, nothing);
    acb_indeterminate(nothing);
    acb_poly_set_acb(result, nothing);
}

/* ---- Branch cuts ---- */

/* May an argument that is not real lie on the negative real axis, or one that is real be negative? */
static bool meets_negative(const acb_poly_t x) {
    flint_local(acb, z);
    acb_poly_get_coeff_acb(z, x, 0);
    return arb_contains_zero(acb_imagref(z)) && !arb_is_positive(acb_realref(z)) &&
           !(arb_is_zero(acb_imagref(z)) && arb_is_nonnegative(acb_realref(z)));
}

static void square_root(const ball_walk *w, const acb_poly_t x, acb_poly_t result) {
    if (meets_negative(x))
        set_indeterminate(result);
    else
        acb_poly_sqrt_series(result, x, w->length, w->precision);
}

static void logarithm(const ball_walk *w, const acb_poly_t x, acb_poly_t result) {
    if (meets_negative(x))
        set_indeterminate(result);
    else
        acb_poly_log_series(result, x, w->length, w->precision);
}

static void arcus_tangent(const ball_walk *w, const acb_poly_t x, acb_poly_t result) {
    flint_local(acb, z);
    flint_local(arb, one);
    arb_one(one);
    acb_poly_get_coeff_acb(z, x, 0);
    arb_abs(acb_imagref(z), acb_imagref(z));
    if (arb_contains_zero(acb_realref(z)) && !arb_lt(acb_imagref(z), one))
        set_indeterminate(result);
    else
        acb_poly_atan_series(result, x, w->length, w->precision);
}

/* The sign of the real part; 0 where it is not known. */
static int sign_of(const acb_poly_t x) {
    flint_local(acb, z);
    acb_poly_get_coeff_acb(z, x, 0);
    return arb_is_positive(acb_realref(z)) ? 1 : arb_is_negative(acb_realref(z)) ? -1 : 0;
}

/* ---- Functions ---- */

/* 1 + sign x^2 */
static void one_and_square(const ball_walk *w, const acb_poly_t x, int sign, acb_poly_t result) {
    acb_poly_mullow(result, x, x, w->length, w->precision);
    if (sign < 0) acb_poly_neg(result, result);
    acb_poly_add_si(result, result, 1, w->precision);
}

/* sign pi/2 */
static void quarter_turn(const ball_walk *w, int sign, acb_poly_t result) {
    flint_local(acb, turn);
    acb_const_pi(turn, w->precision);
    acb_mul_2exp_si(turn, turn, -1);
    if (sign < 0) acb_neg(turn, turn);
    acb_poly_set_acb(result, turn);
}

static void arcus_sine(const ball_walk *w, const acb_poly_t x, bool cosine, acb_poly_t result) {
    flint_local(acb_poly, other);
    one_and_square(w, x, -1, other);
    square_root(w, other, other);
    acb_poly_div_series(other, x, other, w->length, w->precision);
    arcus_tangent(w, other, result);
    if (cosine) {
        quarter_turn(w, 1, other);
        acb_poly_sub(result, other, result, w->precision);
    }
}

/* log(x + sqrt(x^2 + 1)), log(x + sqrt(x - 1) sqrt(x + 1)), log((1 + x)/(1 - x))/2 */
static void area_function(const ball_walk *w, formula_operation operation, const acb_poly_t x,
                          acb_poly_t result) {
    flint_local(acb_poly, left, right);
    if (operation == FORMULA_ASINH) {
        one_and_square(w, x, 1, left);
        square_root(w, left, left);
        acb_poly_add(left, left, x, w->precision);
    } else if (operation == FORMULA_ACOSH) {
        acb_poly_add_si(left, x, -1, w->precision);
        acb_poly_add_si(right, x, 1, w->precision);
        square_root(w, left, left);
        square_root(w, right, right);
        acb_poly_mullow(left, left, right, w->length, w->precision);
        acb_poly_add(left, left, x, w->precision);
    } else {
        acb_poly_add_si(left, x, 1, w->precision);
        acb_poly_neg(right, x);
        acb_poly_add_si(right, right, 1, w->precision);
        acb_poly_div_series(left, left, right, w->length, w->precision);
    }
    logarithm(w, left, result);
    if (operation == FORMULA_ATANH) acb_poly_scalar_mul_2exp_si(result, result, -1);
}

static void quotient(const ball_walk *w, const acb_poly_t x, const acb_poly_t y, acb_poly_t result) {
    acb_poly_div_series(result, x, y, w->length, w->precision);
}

static void logarithm_to(const ball_walk *w, const acb_poly_t x, int base, acb_poly_t result) {
    flint_local(acb, number);
    acb_set_si(number, base);
    acb_log(number, number, w->precision);
    logarithm(w, x, result);
    acb_poly_scalar_div(result, result, number, w->precision);
}

static void hyperbolic_tangent(const ball_walk *w, const acb_poly_t x, acb_poly_t result) {
    flint_local(acb_poly, sine, cosine);
    acb_poly_sinh_cosh_series(sine, cosine, x, w->length, w->precision);
    quotient(w, sine, cosine, result);
}

/* The whole number that all of the ball rounds to; a half that is exact goes to the even one. */
static void round_whole(const acb_poly_t x, slong precision, acb_poly_t result) {
    flint_local(acb, z);
    flint_local(arb, half, up, down);
    flint_local(fmpz, whole, other);
    acb_poly_get_coeff_acb(z, x, 0);
    arb_set_d(half, 0.5);
    arb_add(up, acb_realref(z), half, precision);
    arb_floor(up, up, precision);
    arb_sub(down, acb_realref(z), half, precision);
    arb_ceil(down, down, precision);
    bool unique = arb_get_unique_fmpz(whole, up) && arb_get_unique_fmpz(other, down);
    if (unique && !fmpz_equal(whole, other) && fmpz_is_odd(whole)) fmpz_set(whole, other);
    if (unique && (arb_is_exact(acb_realref(z)) || arb_equal(up, down))) {
        acb_set_fmpz(z, whole);
        acb_poly_set_acb(result, z);
    } else {
        set_indeterminate(result);
    }
}

static void power(const ball_walk *w, const acb_poly_t x, const acb_poly_t y, acb_poly_t result) {
    flint_local(acb, exponent);
    flint_local(fmpz, whole, largest);
    fmpz_set_si(largest, POWER_MAX);
    acb_poly_get_coeff_acb(exponent, y, 0);
    bool constant = acb_poly_length(y) <= 1;
    if (constant && acb_is_exact(exponent) && acb_get_unique_fmpz(whole, exponent) &&
        fmpz_cmpabs(whole, largest) <= 0) {
        slong k = fmpz_get_si(whole);
        acb_poly_pow_ui_trunc_binexp(result, x, (ulong)(k < 0 ? -k : k), w->length, w->precision);
        if (k < 0) acb_poly_inv_series(result, result, w->length, w->precision);
    } else {
        flint_local(acb_poly, exponential);
        logarithm(w, x, exponential);
        acb_poly_mullow(exponential, exponential, y, w->length, w->precision);
        acb_poly_exp_series(result, exponential, w->length, w->precision);
    }
}

/* The angle of the point (y, x); the argument that comes first in the expression is y. */
static void angle(const ball_walk *w, const acb_poly_t y, const acb_poly_t x, acb_poly_t result) {
    flint_local(acb_poly, other);
    int right = sign_of(x), up = sign_of(y);
    if (right > 0) {
        quotient(w, y, x, other);
        arcus_tangent(w, other, result);
    } else if (up != 0) { /* +-pi/2 - atan(x/y) */
        quotient(w, x, y, other);
        arcus_tangent(w, other, result);
        quarter_turn(w, up, other);
        acb_poly_sub(result, other, result, w->precision);
    } else {
        set_indeterminate(result);
    }
}

static void choose(const acb_poly_t x, const acb_poly_t y, bool smaller, slong precision, acb_poly_t result) {
    flint_local(acb_poly, difference);
    acb_poly_sub(difference, x, y, precision);
    int sign = sign_of(difference);
    if (acb_poly_is_zero(difference)) sign = 1;
    if (sign == 0)
        set_indeterminate(result);
    else
        acb_poly_set(result, (sign < 0) == smaller ? x : y);
}

/* sign and abs, which are constant or linear on either side of 0. */
static void apply_sided(formula_operation operation, const acb_poly_t x, acb_poly_t result) {
    int sign = sign_of(x);
    bool zero = acb_poly_is_zero(x);
    if (sign == 0 && !(zero && operation == FORMULA_SIGN)) {
        set_indeterminate(result);
    } else if (operation == FORMULA_SIGN) {
        acb_poly_zero(result);
        acb_poly_set_coeff_si(result, 0, sign);
    } else if (sign < 0) {
        acb_poly_neg(result, x);
    } else {
        acb_poly_set(result, x);
    }
}

typedef void (*series_function)(acb_poly_t result, const acb_poly_t x, slong length, slong precision);

/* Functions of one argument that FLINT has series for, whole in the complex plane. */
static const series_function entire[] = {
    [FORMULA_SIN] = acb_poly_sin_series,   [FORMULA_COS] = acb_poly_cos_series,
    [FORMULA_TAN] = acb_poly_tan_series,   [FORMULA_SINH] = acb_poly_sinh_series,
    [FORMULA_COSH] = acb_poly_cosh_series, [FORMULA_EXP] = acb_poly_exp_series};

/* Functions of one argument. */
static void apply(const ball_walk *w, formula_operation operation, const acb_poly_t x, acb_poly_t result) {
    if ((size_t)operation < sizeof entire / sizeof *entire && entire[operation] != NULL) {
        entire[operation](result, x, w->length, w->precision);
        return;
    }
    switch (operation) {
    case FORMULA_ASIN:
    case FORMULA_ACOS:
        arcus_sine(w, x, operation == FORMULA_ACOS, result);
        break;
    case FORMULA_ATAN:
        arcus_tangent(w, x, result);
        break;
    case FORMULA_TANH:
        hyperbolic_tangent(w, x, result);
        break;
    case FORMULA_ASINH:
    case FORMULA_ACOSH:
    case FORMULA_ATANH:
        area_function(w, operation, x, result);
        break;
    case FORMULA_LOG2:
    case FORMULA_LOG10:
        logarithm_to(w, x, operation == FORMULA_LOG2 ? 2 : 10, result);
        break;
    case FORMULA_LOG:
    case FORMULA_LN:
        logarithm(w, x, result);
        break;
    case FORMULA_SQRT:
        square_root(w, x, result);
        break;
    case FORMULA_RINT:
        round_whole(x, w->precision, result);
        break;
    case FORMULA_NEGATE:
        acb_poly_neg(result, x);
        break;
    default:
        apply_sided(operation, x, result);
        break;
    }
}

static void apply_two(const ball_walk *w, formula_operation operation, const acb_poly_t x, const acb_poly_t y,
                      acb_poly_t result) {
    switch (operation) {
    case FORMULA_ADD:
        acb_poly_add(result, x, y, w->precision);
        break;
    case FORMULA_SUBTRACT:
        acb_poly_sub(result, x, y, w->precision);
        break;
    case FORMULA_MULTIPLY:
        acb_poly_mullow(result, x, y, w->length, w->precision);
        break;
    case FORMULA_DIVIDE:
        quotient(w, x, y, result);
        break;
    case FORMULA_POWER:
        power(w, x, y, result);
        break;
    case FORMULA_ATAN2:
        angle(w, x, y, result);
        break;
    case FORMULA_MIN:
        choose(x, y, true, w->precision, result);
        break;
    case FORMULA_MAX:
        choose(x, y, false, w->precision, result);
        break;
    default:
        set_indeterminate(result);
        break;
    }
}

bool formula_ball(const formula_tape *tape, acb_srcptr values, acb_srcptr local, int by, slong precision,
                  acb_t value, acb_ptr derivative) {
    ball_walk w = {.length = derivative != NULL ? 2 : 1, .precision = precision};
    w.steps = memory_alloc((size_t)tape->count, sizeof *w.steps);
    if (w.steps == NULL) return false;
    flint_local(acb, number);
    for (int i = 0; i < tape->count; i++) {
        const formula_step *step = &tape->steps[i];
        acb_poly_struct *result = &w.steps[i];
        acb_poly_init(result);
        if (step->operation == FORMULA_NUMBER) {
            acb_set_d(number, step->number);
            acb_poly_set_acb(result, number);
        } else if (step->operation == FORMULA_PI) {
            acb_const_pi(number, precision);
            acb_poly_set_acb(result, number);
        } else if (step->operation == FORMULA_PARAMETER) {
            acb_poly_set_acb(result, values + step->index);
        } else if (step->operation == FORMULA_LOCAL) {
            acb_poly_set_acb(result, local + step->index);
            if (w.length > 1 && step->index == by) acb_poly_set_coeff_si(result, 1, 1);
        } else if (step->b < 0) {
            apply(&w, step->operation, &w.steps[step->a], result);
        } else {
            apply_two(&w, step->operation, &w.steps[step->a], &w.steps[step->b], result);
        }
    }
    acb_poly_get_coeff_acb(value, &w.steps[tape->count - 1], 0);
    if (derivative != NULL) acb_poly_get_coeff_acb(derivative, &w.steps[tape->count - 1], 1);
    if (derivative != NULL && !acb_is_finite(value)) acb_indeterminate(derivative);
    for (int i = 0; i < tape->count; i++) acb_poly_clear(&w.steps[i]);
    memory_free(w.steps);
    return true;
}
