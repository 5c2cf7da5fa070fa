/* With s = sum |c_k| of a polynomial of degree n, Horner's rule in pairs of doubles (area_pair.h) on [-1, 1]
 * errs by less than (n + 1) s 2^-100.
 *
 * A rule of n points for f that is analytic, and at most M, in the ellipse with foci -1 and 1 whose half axes
 * have the sum r errs by at most 64/15 M r^(-2n) / (1 - r^-2) (Trefethen, Approximation Theory and
 * Approximation Practice, theorem 19.3). M comes from discs that cover the ellipse: in one around c of
 * radius q a polynomial differs from its value at c by less than the e that Horner's rule gathers with e := e
 * (|c| + q) + |value| q. */
#include "planar/area_rule.h"

#include <float.h>
#include <math.h>

#include "base/clones.h"

enum { HALF_MAX = 32, DISCS = 12 };

static const double unit = 0x1p-100;

typedef area_pair pair;

/* ---- polynomials ---- */

/* The nearest double below 2^-900 in magnitude is taken for 0. */
static double taken_out(arf_t rest, const arf_t from) {
    arf_t part;
    double x = arf_get_d(from, ARF_RND_NEAR);
    if (fabs(x) < 0x1p-900) x = 0;
    arf_init(part);
    arf_set_d(part, x);
    arf_sub(rest, from, part, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_clear(part);
    return x;
}

static bool load(area_rule_form *f, const arb_poly_t from) {
    f->length = (int)arb_poly_length(from);
    f->error = f->size = 0;
    if (f->length < 1 || f->length > AREA_RULE_LENGTH_MAX || !arb_is_finite(arb_poly_get_coeff_ptr(from, 0)))
        return false;
    f->exponent = -ARF_PREC_EXACT;
    for (int k = 0; k < f->length; k++) {
        arb_srcptr c = arb_poly_get_coeff_ptr(from, k);
        if (!arb_is_finite(c)) return false;
        slong bits = arf_abs_bound_lt_2exp_si(arb_midref(c));
        if (bits > f->exponent) f->exponent = bits;
    }
    arf_t rest;
    mag_t radius, off;
    arf_init(rest);
    mag_init(radius);
    mag_init(off);
    for (int k = 0; k < f->length; k++) {
        arb_srcptr c = arb_poly_get_coeff_ptr(from, k);
        arf_mul_2exp_si(rest, arb_midref(c), -f->exponent);
        f->c[k].hi = taken_out(rest, rest);
        f->c[k].lo = taken_out(rest, rest);
        mag_mul_2exp_si(radius, arb_radref(c), -f->exponent);
        arf_get_mag(off, rest);
        mag_add(radius, radius, off);
        f->error = fmax(f->error, mag_get_d(radius) * (1 + 4 * DBL_EPSILON) + 0x1p-900);
        f->size += fabs(f->c[k].hi) * (1 + 4 * DBL_EPSILON);
    }
    arf_clear(rest);
    mag_clear(radius);
    mag_clear(off);
    f->size *= 1 + AREA_RULE_LENGTH_MAX * DBL_EPSILON;
    return f->size > 0;
}

area_pair area_rule_number(const mpz_t x, int exponent, bool *exact) {
    mpz_t rest, part;
    mpz_init(rest);
    mpz_init(part);
    const double hi = mpz_get_d(x);
    mpz_set_d(part, hi);
    mpz_sub(rest, x, part);
    const double lo = mpz_get_d(rest);
    mpz_set_d(part, lo);
    *exact = mpz_cmp(rest, part) == 0;
    mpz_clear(rest);
    mpz_clear(part);
    return pair_fast_sum(ldexp(hi, exponent), ldexp(lo, exponent));
}

/* Coefficients without all but their leading 200 bits or so. */
bool area_rule_load(area_rule_form *form, const integer_poly *f) {
    enum { BITS = 200 };
    *form = (area_rule_form){.length = f->length};
    if (f->length < 1 || f->length > AREA_RULE_LENGTH_MAX) return false;
    for (int k = 0; k < f->length; k++) {
        const long bits = (long)mpz_sizeinbase(f->c[k], 2);
        if (bits > form->exponent) form->exponent = bits;
    }
    const long shift = form->exponent - BITS;
    bool exact; /* what does not fit counts as an error in any case */
    mpz_t leading;
    mpz_init(leading);
    for (int k = 0; k < f->length; k++) {
        if (shift >= 0)
            mpz_tdiv_q_2exp(leading, f->c[k], (unsigned long)shift);
        else
            mpz_mul_2exp(leading, f->c[k], (unsigned long)-shift);
        form->c[k] = area_rule_number(leading, -BITS, &exact);
        form->error = fmax(form->error, fabs(form->c[k].hi) * 0x1p-103);
        form->size += fabs(form->c[k].hi) * (1 + 4 * DBL_EPSILON);
    }
    mpz_clear(leading);
    form->error += 0x1p-199; /* what was cut off */
    form->size *= 1 + AREA_RULE_LENGTH_MAX * DBL_EPSILON;
    return true;
}

/* How far the values found on [-1, 1] can be off. */
static double value_error(const area_rule_form *f) {
    return f->length * (f->size * unit + f->error) * (1 + 8 * DBL_EPSILON);
}

/* Values at the points u and -u. */
BASE_CLONES static void values_at(const area_rule_form *f, int half, const double (*points)[4],
                                  pair *values) {
    double hi[2 * HALF_MAX], lo[2 * HALF_MAX], u_hi[2 * HALF_MAX], u_lo[2 * HALF_MAX];
    for (int j = 0; j < half; j++)
        for (int side = 0; side < 2; side++) {
            u_hi[side * half + j] = side == 0 ? points[j][0] : -points[j][0];
            u_lo[side * half + j] = side == 0 ? points[j][1] : -points[j][1];
            hi[side * half + j] = f->c[f->length - 1].hi;
            lo[side * half + j] = f->c[f->length - 1].lo;
        }
    for (int k = f->length - 2; k >= 0; k--) {
        const pair c = f->c[k];
        for (int j = 0; j < 2 * half; j++) {
            pair next = pair_add(pair_multiply((pair){hi[j], lo[j]}, (pair){u_hi[j], u_lo[j]}), c);
            hi[j] = next.hi;
            lo[j] = next.lo;
        }
    }
    for (int j = 0; j < 2 * half; j++) values[j] = (pair){hi[j], lo[j]};
}

/* ---- on an ellipse ---- */

/* The value at c, and how far others in the disc differ from it at most. */
static double disc_value(const area_rule_form *f, double c, double radius, double *differs) {
    double value = 0, off = 0, size = 0, reach = fabs(c) + radius;
    for (int k = f->length - 1; k >= 0; k--) {
        off = off * reach + fabs(value) * radius;
        size = size * reach + fabs(f->c[k].hi) + f->error;
        value = value * c + f->c[k].hi;
    }
    /* rounding, also of what is gathered; c[k].lo; the coefficients' errors */
    *differs = (off + size * 0x1p-38 + f->error * (pow(reach, f->length) + 1) * f->length) * (1 + 0x1p-38);
    return value;
}

/* A bound of |top / bottom| in the ellipse of r; infinite where there may be a pole. */
static double bound_in(const area_rule_form *top, const area_rule_form *bottom, double r) {
    double a = (r + 1 / r) / 2, b = (r - 1 / r) / 2, step = a / DISCS, most = 0;
    double radius = sqrt(step * step + b * b) * (1 + 0x1p-40);
    for (int i = 0; i < DISCS; i++) {
        double c = -a + (2 * i + 1) * step, top_off, bottom_off;
        double above = fabs(disc_value(top, c, radius, &top_off)) + top_off;
        double below = fabs(disc_value(bottom, c, radius, &bottom_off)) - bottom_off;
        if (!(below > 0)) return (double)INFINITY;
        most = fmax(most, above / below * (1 + 8 * DBL_EPSILON));
    }
    return most;
}

/* ---- rules ---- */

typedef struct rule {
    int half;                  /* of the points */
    const double (*points)[4]; /* and weights */
} rule;

static rule rule_at(int which) {
    int half = 8 << which;
    return (rule){half, &area_rule_points[half - 8]};
}

enum { RADII = 7 };

static const double radii[RADII] = {1.25, 1.45, 1.7, 2.1, 2.7, 3.8, 6};

/* M for each radius. */
static void bounds_in(const area_rule_form *top, const area_rule_form *bottom, double most[RADII]) {
    for (int i = 0; i < RADII; i++) /* a larger ellipse holds the same poles */
        most[i] = i > 0 && isinf(most[i - 1]) ? most[i - 1] : bound_in(top, bottom, radii[i]);
}

double area_rule_error(double r, double most, int half, double off) {
    const double error = 64.0 / 15 * most * pow(r, -4.0 * half) / (1 - 1 / (r * r));
    const double moved = 2 * most / ((r + 1 / r) / 2 - 1) * 0x1p-106 + 4 * half * most * 0x1p-106;
    return (error + moved + most * off) * (1 + 0x1p-40);
}

/* The least of all radii. */
static double rule_error(const double bounds[RADII], int half, double off) {
    double least = (double)INFINITY;
    for (int i = 0; i < RADII && !isinf(bounds[i]); i++)
        least = fmin(least, area_rule_error(radii[i], bounds[i], half, off));
    return least;
}

/* The sum, and how far rounding may have moved it. */
static pair rule_sum(const area_rule_form *top, const area_rule_form *bottom, const rule *by, double *error) {
    pair above[2 * HALF_MAX], below[2 * HALF_MAX], sum = {0, 0};
    double top_error = value_error(top), bottom_error = value_error(bottom), size = 0;
    values_at(top, by->half, by->points, above);
    values_at(bottom, by->half, by->points, below);
    *error = 0;
    for (int j = 0; j < 2 * by->half; j++) {
        const double *point = by->points[j % by->half];
        double least = fabs(below[j].hi) * (1 - DBL_EPSILON) - bottom_error;
        if (!(least > 0)) {
            *error = (double)INFINITY;
            break;
        }
        pair q = pair_divide(above[j], below[j]);
        *error += point[2] * (top_error + fabs(q.hi) * bottom_error) / least;
        size += point[2] * fabs(q.hi);
        sum = pair_add(sum, pair_multiply(q, (pair){point[2], point[3]}));
    }
    *error = (*error + size * 2 * HALF_MAX * unit) * (1 + 0x1p-40);
    return sum;
}

static void set_ball(arb_t integral, pair sum, double error, slong exponent) {
    arf_t low;
    mag_t radius;
    arf_init(low);
    mag_init(radius);
    arb_set_d(integral, sum.hi);
    arf_set_d(low, sum.lo);
    arf_add(arb_midref(integral), arb_midref(integral), low, ARF_PREC_EXACT, ARF_RND_NEAR);
    mag_set_d(radius, error);
    arb_add_error_mag(integral, radius);
    arb_mul_2exp_si(integral, integral, exponent);
    arf_clear(low);
    mag_clear(radius);
}

bool area_rule_pairs(const area_rule_form *top, const area_rule_form *bottom, double off, long bits,
                     area_pair *integral, double *error) {
    double bounds[RADII], rounding;
    bounds_in(top, bottom, bounds);
    for (int k = 0; k < RULE_COUNT; k++) {
        const rule taken = rule_at(k);
        double own = rule_error(bounds, taken.half, off);
        if (isinf(own)) return false;
        *integral = rule_sum(top, bottom, &taken, &rounding);
        *error = (own + rounding) * (1 + 4 * DBL_EPSILON);
        if (*error <= ldexp(fabs(integral->hi), -(int)bits)) return true;
    }
    return false;
}

bool area_rule_integral(const arb_poly_t top, const arb_poly_t bottom, slong bits, arb_t integral) {
    area_rule_form above, below;
    pair sum;
    double error;
    if (bits > AREA_RULE_BITS_MAX || !load(&above, top) || !load(&below, bottom)) return false;
    if (!area_rule_pairs(&above, &below, 0, bits, &sum, &error)) return false;
    set_ball(integral, sum, error, above.exponent - below.exponent);
    return true;
}
