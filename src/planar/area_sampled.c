/* Areas of the co-simulation schemes in extended precision.
 *
 * A row's stable interval ends at two of a few bounds, each -x0/x1 with x0 and x1 explicit in d = Gamma - a.
 * Between neighbouring break points (area_breaks.c) they are the same two throughout, and the row's length is
 * analytic. Pieces on which they stay the same are joined (area_pieces.c) and integrated, beyond
 * |d| = 4 m in t = m / d. */
#include <float.h>
#include <math.h>

#include "base/error.h"
#include "planar/area_pieces.h"
#include "planar/area_sampled.h"

/* ---- integration ---- */

typedef struct integrand {
    const area_plan *plan;
    const area_piece *piece;
    wide scale; /* of t = scale / d; 0: the variable is d */
} integrand;

static quadrature_sample row_length(void *context, wide x) {
    const integrand *f = context;
    quadrature_sample lower, upper;
    wide d = f->scale != 0 ? f->scale / x : x;
    area_ends_at(f->plan, d, f->piece->lower, f->piece->upper, &lower, &upper);
    wide weight = f->scale != 0 ? f->scale / (x * x) : 1;
    return (quadrature_sample){weight * (upper.value - lower.value), weight * (upper.noise + lower.noise)};
}

static void integrate(const area_plan *plan, const area_piece *p, quadrature_sum *sum) {
    const wide relative = 0x1p-55L;
    integrand f = {plan, p, 0};
    wide from = p->from, to = p->to;
    wide scale = area_basis_scale(&plan->planar->method, plan->planar->substeps[1]);
    wide joint = scale * area_basis_joint(&plan->planar->method);
    if (isinf(from)) {
        wide begin = fminl(to, -joint);
        f.scale = scale;
        quadrature_add(row_length, &f, scale / begin, 0, relative, sum);
        from = begin;
    }
    if (isinf(to)) {
        wide begin = fmaxl(from, joint);
        f.scale = scale;
        quadrature_add(row_length, &f, 0, scale / begin, relative, sum);
        to = begin;
    }
    f.scale = 0;
    if (from < to) quadrature_add(row_length, &f, from, to, relative, sum);
}

/* How far a root at zeta of a polynomial may be off through rounding of its coefficients; 0 where it has no
 * root. */
static double root_shift(const double *coefficients, int degree, double zeta) {
    double value = 0, slope = 0, size = 0;
    for (int k = degree; k >= 0; k--) {
        slope = slope * zeta + value;
        value = value * zeta + coefficients[k];
        size = size * fabs(zeta) + fabs(coefficients[k]);
    }
    return fabs(value) <= 1e-10 * size ? 4 * DBL_EPSILON * size / fabs(slope) : 0;
}

/* Where phi_d vanishes, R_d = -1 or R_d is infinite, rows open or change their class at once, with their
 * whole length. */
static double jump_shift(const area_plan *plan, double d) {
    const costab_method *method = &plan->planar->method;
    double shift = 2 * (double)LDBL_EPSILON * fabs(d);
    if (method->kind == COSTAB_EXACT) return shift;
    double scale = area_basis_scale(method, plan->planar->substeps[1]), zeta = d / scale;
    double flip[COSTAB_STAGES_MAX + 1];
    for (int k = 0; k <= method->stages; k++)
        flip[k] = 2 * method->denominator[k] + (k > 0 ? method->phi[k - 1] : 0);
    return shift + scale * (root_shift(method->phi, method->stages - 1, zeta) +
                            root_shift(flip, method->stages, zeta) +
                            root_shift(method->denominator, method->stages, zeta));
}

/* The noise of the ends of a piece. */
static wide end_noise(const area_plan *plan, const area_piece *p) {
    const wide ends[2] = {p->from, p->to};
    wide sum = 0;
    for (int k = 0; k < 2; k++) {
        if (isinf(ends[k])) continue;
        quadrature_sample lower, upper;
        area_ends_at(plan, ends[k], p->lower, p->upper, &lower, &upper);
        wide length = upper.value - lower.value;
        if (isfinite(length)) sum += fabsl(length) * jump_shift(plan, (double)ends[k]);
    }
    return sum;
}

static double bound_of(const quadrature_sum *sum) {
    return (double)(sum->truncation + sum->noise + fabsl(sum->value) * DBL_EPSILON);
}

static costab_status not_converged(const area_plan *plan, costab_error *error) {
    return error_set(error, COSTAB_NUMERIC, "the area of %s with %s at a = %.17g did not reach its accuracy",
                     costab_scheme_name(plan->planar->scheme), plan->planar->method.name, plan->a);
}

static void integrate_all(const area_pieces *pieces, const bool *infinite, quadrature_sum *sums) {
    for (int k = 0; k < 2; k++) sums[k] = (quadrature_sum){.converged = true};
    for (int i = 0; i < pieces->count; i++) {
        const area_piece *p = &pieces->piece[i];
        if (infinite[p->ss]) continue;
        integrate(pieces->plan, p, &sums[p->ss]);
        sums[p->ss].noise += end_noise(pieces->plan, p);
    }
}

costab_status area_sampled(const costab_planar *planar, double a, costab_areas *areas, costab_error *error) {
    area_plan plan = area_plan_make(planar, a, NULL);
    area_pieces pieces;
    if (!area_pieces_find(&plan, -INFINITY, INFINITY, &pieces)) return not_converged(&plan, error);
    bool infinite[2] = {false, false}; /* US, SS */
    for (int i = 0; i < pieces.count; i++)
        if (area_piece_infinite(&plan, &pieces.piece[i])) infinite[pieces.piece[i].ss] = true;
    quadrature_sum sums[2];
    integrate_all(&pieces, infinite, sums);
    if (!sums[0].converged || !sums[1].converged) return not_converged(&plan, error);
    areas->us = infinite[0] ? (double)INFINITY : (double)fmaxl(0, sums[0].value);
    areas->ss = infinite[1] ? (double)INFINITY : (double)fmaxl(0, sums[1].value);
    areas->error_us = infinite[0] ? 0 : bound_of(&sums[0]);
    areas->error_ss = infinite[1] ? 0 : bound_of(&sums[1]);
    return COSTAB_OK;
}

costab_status area_sampled_window(const costab_planar *planar, double a, const double gamma[2],
                                  const double delta[2], double area[2], double error_bound[2],
                                  costab_error *error) {
    quadrature_sum sums[2]; /* US, SS */
    area_plan plan = area_plan_make(planar, a, delta);
    area_pieces pieces;
    if (!area_pieces_find(&plan, (wide)gamma[0] - a, (wide)gamma[1] - a, &pieces))
        return not_converged(&plan, error);
    const bool infinite[2] = {false, false};
    integrate_all(&pieces, infinite, sums);
    if (!sums[0].converged || !sums[1].converged) return not_converged(&plan, error);
    for (int k = 0; k < 2; k++) {
        area[k] = (double)fmaxl(0, sums[k].value);
        error_bound[k] = bound_of(&sums[k]);
    }
    return COSTAB_OK;
}
