/* Evaluates formulas in ball arithmetic, to divide ranges of parameters (model/resolve.c). A formula is a
 * tape, a list of operations on earlier results (formula/formula.h).
 *
 * 1. Each step has a power series of one term (its value), or two if a derivative is requested.
 * 2. Operations, and functions for which Arb has series, are Arb's. tanh and powers are expressed by exp.
 * 3. Inverse functions are expressed by square roots, logarithms and arctangents. These three check branch
 *    cuts: the result is not finite if an argument may be on a cut.
 * 4. abs, sign, min, max, rint and atan2 are analytic on each side of their kinks. The side is that of the
 *    balls, or of a real box, for which all steps are evaluated first. On an undecided side the result is not
 *    finite; on the real box it is the hull of both sides, from which a later min or max may select.
 * 5. Balls with midpoint and radius lose the lower end of an interval over many orders of magnitude, such as
 *    of 1 + exp(x). Therefore a lower bound of each step's modulus is kept for quotients.
 *
 * Enclosures are proved, except that min and max on a cell ignore an overlap of the two that may be the
 * rounding of a radius, 2^-26 of it (sign_of_difference). Cost: Arb's functions at the given precision. */
#include "formula/ball.h"

#include "base/memory.h"

/* Integer powers up to this are products; larger powers require a positive base. */
enum { POWER_MAX = 1000 };

typedef struct ball_walk {
    acb_poly_struct *steps;
    mag_struct *least; /* lower bounds of the moduli of steps */
    /* Steps that decide sides: those of this evaluation, or of the real box. */
    const acb_poly_struct *sides;
    bool on_cell;   /* `sides` belong to a real box */
    bool hulls;     /* this is the evaluation on the real box: undecided results are hulls */
    bool undefined; /* some step is undefined on the whole box */
    slong length, precision;
} ball_walk;

static void set_indeterminate(acb_poly_t result) {
    flint_local(acb, nothing);
    acb_indeterminate(nothing);
    acb_poly_set_acb(result, nothing);
}

/* ---- Branch cuts ---- */

/* Returns true if a complex argument may be on the negative real axis, or a real argument may be negative. */
static bool meets_negative(ball_walk *w, const acb_poly_t x) {
    flint_local(acb, z);
    acb_poly_get_coeff_acb(z, x, 0);
    w->undefined = w->undefined || (w->hulls && arb_is_negative(acb_realref(z)));
    return arb_contains_zero(acb_imagref(z)) && !arb_is_positive(acb_realref(z)) &&
           !(arb_is_zero(acb_imagref(z)) && arb_is_nonnegative(acb_realref(z)));
}

static void square_root(ball_walk *w, const acb_poly_t x, acb_poly_t result) {
    if (meets_negative(w, x))
        set_indeterminate(result);
    else
        acb_poly_sqrt_series(result, x, w->length, w->precision);
}

static void logarithm(ball_walk *w, const acb_poly_t x, acb_poly_t result) {
    if (meets_negative(w, x))
        set_indeterminate(result);
    else
        acb_poly_log_series(result, x, w->length, w->precision);
}

static void arcus_tangent(ball_walk *w, const acb_poly_t x, acb_poly_t result) {
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

/* Sets the result of a step with undecided side: the hull of both sides on a real box, otherwise not
 * finite. */
static void set_undecided(const ball_walk *w, const acb_t hull, acb_poly_t result) {
    if (w->hulls)
        acb_poly_set_acb(result, hull);
    else
        set_indeterminate(result);
}

/* Sign of the real part, 0 if it is unknown. */
static int sign_of(const acb_poly_t x) {
    flint_local(acb, z);
    acb_poly_get_coeff_acb(z, x, 0);
    return arb_is_positive(acb_realref(z)) ? 1 : arb_is_negative(acb_realref(z)) ? -1 : 0;
}

/* ---- Functions ---- */

/* 1 + sign x^2 */
static void one_and_square(ball_walk *w, const acb_poly_t x, int sign, acb_poly_t result) {
    acb_poly_mullow(result, x, x, w->length, w->precision);
    if (sign < 0) acb_poly_neg(result, result);
    acb_poly_add_si(result, result, 1, w->precision);
}

/* sign pi/2 */
static void quarter_turn(ball_walk *w, int sign, acb_poly_t result) {
    flint_local(acb, turn);
    acb_const_pi(turn, w->precision);
    acb_mul_2exp_si(turn, turn, -1);
    if (sign < 0) acb_neg(turn, turn);
    acb_poly_set_acb(result, turn);
}

static void arcus_sine(ball_walk *w, const acb_poly_t x, bool cosine, acb_poly_t result) {
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
static void area_function(ball_walk *w, formula_operation operation, const acb_poly_t x, acb_poly_t result) {
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

static void quotient(ball_walk *w, const acb_poly_t x, const acb_poly_t y, acb_poly_t result) {
    w->undefined = w->undefined || (w->hulls && acb_poly_is_zero(y));
    acb_poly_div_series(result, x, y, w->length, w->precision);
}

static bool is_finite(const acb_poly_t x) {
    for (slong i = 0; i < acb_poly_length(x); i++)
        if (!acb_is_finite(acb_poly_get_coeff_ptr(x, i))) return false;
    return true;
}

/* x/y if the ball of y contains 0 but its modulus has a lower bound: |x/y| <= |x|/least. For constant y
 * only. */
static void quotient_by_least(const acb_poly_t x, const mag_t least, acb_poly_t result) {
    flint_local(acb, z);
    flint_local(mag, size);
    acb_poly_zero(result);
    for (slong i = 0; i < acb_poly_length(x); i++) {
        acb_get_mag(size, acb_poly_get_coeff_ptr(x, i));
        mag_div(size, size, least);
        acb_zero(z);
        acb_add_error_mag(z, size);
        acb_poly_set_coeff_acb(result, i, z);
    }
}

static void logarithm_to(ball_walk *w, const acb_poly_t x, int base, acb_poly_t result) {
    flint_local(acb, number);
    acb_set_si(number, base);
    acb_log(number, number, w->precision);
    logarithm(w, x, result);
    acb_poly_scalar_div(result, result, number, w->precision);
}

/* (1 - e)/(1 + e), e = exp(-2 x), right of 0, and the negative of its value at -x left of 0, so that e is
 * small. */
static void hyperbolic_tangent(ball_walk *w, const acb_poly_t x, acb_poly_t result) {
    flint_local(acb_poly, power, above);
    bool left = acb_poly_length(x) > 0 && arf_sgn(arb_midref(acb_realref(acb_poly_get_coeff_ptr(x, 0)))) < 0;
    acb_poly_scalar_mul_2exp_si(power, x, 1);
    if (!left) acb_poly_neg(power, power);
    acb_poly_exp_series(power, power, w->length, w->precision);
    acb_poly_add_si(above, power, -1, w->precision);
    if (!left) acb_poly_neg(above, above);
    acb_poly_add_si(power, power, 1, w->precision);
    quotient(w, above, power, result);
}

/* The integer to which all numbers in the ball of the side are rounded; an exact half is rounded to even. */
static void round_whole(const ball_walk *w, const acb_poly_t side, acb_poly_t result) {
    flint_local(acb, z);
    flint_local(arb, half, up, down);
    flint_local(fmpz, whole, other);
    acb_poly_get_coeff_acb(z, side, 0);
    arb_set_d(half, 0.5);
    arb_add(up, acb_realref(z), half, w->precision);
    arb_floor(up, up, w->precision);
    arb_sub(down, acb_realref(z), half, w->precision);
    arb_ceil(down, down, w->precision);
    bool unique = arb_get_unique_fmpz(whole, up) && arb_get_unique_fmpz(other, down);
    if (unique && !fmpz_equal(whole, other) && fmpz_is_odd(whole)) fmpz_set(whole, other);
    if (unique && (arb_is_exact(acb_realref(z)) || arb_equal(up, down))) {
        acb_set_fmpz(z, whole);
        acb_poly_set_acb(result, z);
    } else {
        arb_union(acb_realref(z), down, up, w->precision);
        arb_zero(acb_imagref(z));
        set_undecided(w, z, result);
    }
}

static void power(ball_walk *w, const acb_poly_t x, const acb_poly_t y, acb_poly_t result) {
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

/* The angle of the point (x, y): atan2(y, x). */
static void angle(ball_walk *w, const formula_step *step, acb_poly_t result) {
    flint_local(acb_poly, other);
    flint_local(acb, turns);
    flint_local(arb, pi);
    const acb_poly_struct *y = &w->steps[step->a], *x = &w->steps[step->b];
    int right = sign_of(&w->sides[step->b]), up = sign_of(&w->sides[step->a]);
    if (right > 0) {
        quotient(w, y, x, other);
        arcus_tangent(w, other, result);
    } else if (up != 0) { /* +-pi/2 - atan(x/y) */
        quotient(w, x, y, other);
        arcus_tangent(w, other, result);
        quarter_turn(w, up, other);
        acb_poly_sub(result, other, result, w->precision);
    } else {
        arb_const_pi(pi, w->precision);
        arb_add_error(acb_realref(turns), pi);
        set_undecided(w, turns, result);
    }
}

/* Sign of x - y for min and max, which may select either if both are equal. Radii have 30 bits, so on a real
 * box an overlap of 2^-26 of the radius counts as equality. */
static int sign_of_difference(const ball_walk *w, const acb_poly_t difference) {
    flint_local(acb, z);
    flint_local(arb, margin);
    if (acb_poly_is_zero(difference)) return 1;
    int sign = sign_of(difference);
    if (sign != 0 || !w->on_cell) return sign;
    acb_poly_get_coeff_acb(z, difference, 0);
    arb_get_rad_arb(margin, acb_realref(z));
    arb_mul_2exp_si(margin, margin, -26);
    arb_add(acb_realref(z), acb_realref(z), margin, w->precision);
    if (arb_is_nonnegative(acb_realref(z))) return 1;
    arb_mul_2exp_si(margin, margin, 1);
    arb_sub(acb_realref(z), acb_realref(z), margin, w->precision);
    return arb_is_nonpositive(acb_realref(z)) ? -1 : 0;
}

static void choose(const ball_walk *w, const formula_step *step, acb_poly_t result) {
    flint_local(acb_poly, difference);
    flint_local(acb, p, q);
    const acb_poly_struct *x = &w->sides[step->a], *y = &w->sides[step->b];
    bool smaller = step->operation == FORMULA_MIN;
    acb_poly_sub(difference, x, y, w->precision);
    int sign = sign_of_difference(w, difference);
    if (sign == 0) {
        acb_poly_get_coeff_acb(p, x, 0);
        acb_poly_get_coeff_acb(q, y, 0);
        acb_union(p, p, q, w->precision);
        set_undecided(w, p, result);
    } else {
        acb_poly_set(result, &w->steps[(sign < 0) == smaller ? step->a : step->b]);
    }
}

/* sign and abs: constant or linear on either side of 0. */
static void apply_sided(const ball_walk *w, const formula_step *step, acb_poly_t result) {
    const acb_poly_struct *x = &w->steps[step->a], *side = &w->sides[step->a];
    formula_operation operation = step->operation;
    int sign = sign_of(side);
    bool zero = acb_poly_is_zero(side);
    if (zero && acb_poly_is_zero(x)) {
        acb_poly_zero(result);
    } else if (sign == 0 && !(zero && operation == FORMULA_SIGN)) {
        flint_local(acb, z);
        acb_poly_get_coeff_acb(z, side, 0);
        if (operation == FORMULA_SIGN) {
            acb_zero(z);
            arb_add_error_2exp_si(acb_realref(z), 0);
        } else {
            arb_abs(acb_realref(z), acb_realref(z));
        }
        set_undecided(w, z, result);
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

/* Functions of one argument with FLINT series, evaluated without checks of cuts. */
static const series_function without_cuts[] = {
    [FORMULA_SIN] = acb_poly_sin_series,   [FORMULA_COS] = acb_poly_cos_series,
    [FORMULA_TAN] = acb_poly_tan_series,   [FORMULA_SINH] = acb_poly_sinh_series,
    [FORMULA_COSH] = acb_poly_cosh_series, [FORMULA_EXP] = acb_poly_exp_series};

/* Applies a function of one argument. */
static void apply(ball_walk *w, const formula_step *step, acb_poly_t result) {
    formula_operation operation = step->operation;
    const acb_poly_struct *x = &w->steps[step->a];
    if ((size_t)operation < sizeof without_cuts / sizeof *without_cuts && without_cuts[operation] != NULL) {
        without_cuts[operation](result, x, w->length, w->precision);
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
        round_whole(w, &w->sides[step->a], result);
        break;
    case FORMULA_NEGATE:
        acb_poly_neg(result, x);
        break;
    default:
        apply_sided(w, step, result);
        break;
    }
}

static void apply_two(ball_walk *w, const formula_step *step, acb_poly_t result) {
    const acb_poly_struct *x = &w->steps[step->a], *y = &w->steps[step->b];
    switch (step->operation) {
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
        if (!is_finite(result) && acb_poly_length(y) <= 1 && !mag_is_zero(&w->least[step->b]))
            quotient_by_least(x, &w->least[step->b], result);
        break;
    case FORMULA_POWER:
        power(w, x, y, result);
        break;
    case FORMULA_ATAN2:
        angle(w, step, result);
        break;
    case FORMULA_MIN:
    case FORMULA_MAX:
        choose(w, step, result);
        break;
    default:
        set_indeterminate(result);
        break;
    }
}

/* ---- Lower bounds of moduli ---- */

/* Lower bounds of |exp x|, |cosh x| and |sinh x|: exp(a), and sinh |a|, a the real part. */
static void least_of_exponential(formula_operation operation, const acb_poly_t x, slong precision,
                                 mag_t least) {
    flint_local(acb, z);
    flint_local(arb, end);
    acb_poly_get_coeff_acb(z, x, 0);
    if (operation != FORMULA_EXP) arb_abs(acb_realref(z), acb_realref(z));
    arb_get_lbound_arf(arb_midref(end), acb_realref(z), precision);
    if (operation == FORMULA_EXP)
        arb_exp(end, end, precision);
    else if (arb_is_positive(end))
        arb_sinh(end, end, precision);
    else
        arb_zero(end);
    arb_get_mag_lower(least, end);
}

/* Lower bound of the modulus of step i, from those of its operands. */
static void find_least(const ball_walk *w, const formula_step *step, mag_t least) {
    flint_local(mag, left, right);
    const mag_struct *a = step->a >= 0 ? &w->least[step->a] : NULL;
    const mag_struct *b = step->b >= 0 ? &w->least[step->b] : NULL;
    flint_local(acb, x, y);
    if (step->a >= 0) acb_poly_get_coeff_acb(x, &w->steps[step->a], 0);
    if (step->b >= 0) acb_poly_get_coeff_acb(y, &w->steps[step->b], 0);
    switch (step->operation) {
    case FORMULA_EXP:
    case FORMULA_COSH:
    case FORMULA_SINH:
        least_of_exponential(step->operation, &w->steps[step->a], w->precision, least);
        break;
    case FORMULA_ADD:
    case FORMULA_SUBTRACT:
        acb_get_mag(left, x);
        acb_get_mag(right, y);
        mag_sub_lower(right, a, right);
        mag_sub_lower(left, b, left);
        mag_max(least, left, right);
        break;
    case FORMULA_MULTIPLY:
        mag_mul_lower(least, a, b);
        break;
    case FORMULA_DIVIDE:
        acb_get_mag(right, y);
        mag_inv_lower(right, right);
        mag_mul_lower(least, a, right);
        break;
    case FORMULA_NEGATE:
        mag_set(least, a);
        break;
    case FORMULA_POWER:
        if (acb_equal_si(y, 2)) mag_mul_lower(least, a, a);
        break;
    default:
        break;
    }
}

/* ---- Evaluation ---- */

/* Evaluates all steps into w->steps. */
static void walk(ball_walk *w, const formula_tape *tape, acb_srcptr values, acb_srcptr local, int by) {
    flint_local(acb, number);
    flint_local(mag, least);
    for (int i = 0; i < tape->count; i++) {
        const formula_step *step = &tape->steps[i];
        acb_poly_struct *result = &w->steps[i];
        acb_poly_init(result);
        mag_init(&w->least[i]);
        if (step->operation == FORMULA_NUMBER) {
            acb_set_d(number, step->number);
            acb_poly_set_acb(result, number);
        } else if (step->operation == FORMULA_PI) {
            acb_const_pi(number, w->precision);
            acb_poly_set_acb(result, number);
        } else if (step->operation == FORMULA_PARAMETER) {
            acb_poly_set_acb(result, values + step->index);
        } else if (step->operation == FORMULA_LOCAL) {
            acb_poly_set_acb(result, local + step->index);
            if (w->length > 1 && step->index == by) acb_poly_set_coeff_si(result, 1, 1);
        } else if (step->b < 0) {
            apply(w, step, result);
        } else {
            apply_two(w, step, result);
        }
        acb_poly_get_coeff_acb(number, result, 0);
        find_least(w, step, &w->least[i]);
        acb_get_mag_lower(least, number);
        if (acb_is_finite(number)) mag_max(&w->least[i], &w->least[i], least);
    }
}

static bool make_steps(ball_walk *w, int count) {
    w->steps = memory_alloc((size_t)count, sizeof *w->steps);
    w->least = memory_alloc((size_t)count, sizeof *w->least);
    w->sides = w->steps;
    return w->steps != NULL && w->least != NULL;
}

static void free_steps(ball_walk *w, int count, bool walked) {
    for (int i = 0; i < count && walked; i++) {
        acb_poly_clear(&w->steps[i]);
        mag_clear(&w->least[i]);
    }
    memory_free_all(w->steps, w->least);
}

bool formula_ball(const formula_tape *tape, acb_srcptr values, acb_srcptr local, formula_cell *cell, int by,
                  slong precision, acb_t value, acb_ptr derivative) {
    ball_walk w = {.length = derivative != NULL ? 2 : 1, .precision = precision, .on_cell = cell != NULL};
    ball_walk real = {.length = 1, .precision = precision, .on_cell = true, .hulls = true};
    bool made = make_steps(&w, tape->count) && (cell == NULL || make_steps(&real, tape->count));
    if (made && cell != NULL) {
        walk(&real, tape, cell->values, cell->local, -1);
        w.sides = real.steps;
        acb_poly_get_coeff_acb(cell->value, &real.steps[tape->count - 1], 0);
        cell->undefined = real.undefined && !acb_is_finite(cell->value);
    }
    if (made) {
        walk(&w, tape, values, local, by);
        acb_poly_get_coeff_acb(value, &w.steps[tape->count - 1], 0);
        if (derivative != NULL) acb_poly_get_coeff_acb(derivative, &w.steps[tape->count - 1], 1);
        if (derivative != NULL && !acb_is_finite(value)) acb_indeterminate(derivative);
    }
    free_steps(&w, tape->count, made);
    free_steps(&real, tape->count, made && cell != NULL);
    return made;
}
