/* Proves in balls the verdict of a cell that a search found in doubles (docs/algorithms.md, Ball proofs).
 *
 * 1. Whole numbers on which the map depends, such as a delay in macro steps, are shown to be the same, and
 *    other numbers of the coupling to be in their ranges, on all of the cell.
 * 2. Stable: no eigenvalue crosses the unit circle in the cell, and the matrix at its middle has all of them
 *    inside. By crossing functions (ball_cell.h); where these are too wide in balls, as for short steps, by
 *    Stein's inequality (ball_stein.h). Of the iteration's matrix, where there is one, and of the map.
 * 3. Unstable: no eigenvalue of one of them crosses a circle of radius 1 or more, and one is outside at the
 *    middle. Tried: the unit circle, and two circles in the widest gap between the moduli at the middle.
 * 4. Where that fails each half of the cell is proved, as long as evaluations last.
 *
 * Cost: 0.02 to 20 s for all cells of a limit. Not guaranteed: that all that is true is shown. */
#include "proof/confirm.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "proof/ball_stein.h"

enum { EVALUATIONS_MOST = 40000, CIRCLES = 2, PRECISION_TIMES = 8, FIT_HALVINGS = 24, SUBINTERVALS = 200 };

/* Cells are not divided below this, relative. */
#define NARROWEST 1e-12

/* Where in the gap of step 3, logarithmically, a circle is tried. Not in the middle: the product of both
 * moduli is the radius squared there, a zero of f3. */
static const double shares[CIRCLES] = {0.2, 0.75};

static int compare_falling(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* The matrix at one place. */
static bool make_at(confirmer *c, const ball_family *family, const double *at, slong precision,
                    acb_mat_t matrix) {
    flint_local_vector(acb, place, BALL_DIMENSIONS);
    for (int d = 0; d < BALL_DIMENSIONS; d++) acb_set_d(place + d, at[d]);
    c->evaluations++;
    return family->make(family->context, place, precision, matrix);
}

/* The moduli of the eigenvalues, about, falling; NULL where there is no matrix. Free with memory_free. */
static double *moduli_at(confirmer *c, const ball_family *family, const double *at, slong *count) {
    ends_by(acb_mat_clear) acb_mat_struct matrix = {0};
    bool made = make_at(c, family, at, c->precision, &matrix);
    slong n = *count = acb_mat_nrows(&matrix);
    double *moduli = made ? memory_alloc((size_t)n + 1, sizeof *moduli) : NULL;
    if (moduli != NULL && n > 0) {
        flint_local_vector(acb, values, n);
        flint_local(arb, modulus);
        acb_mat_approx_eig_qr(values, NULL, NULL, &matrix, NULL, 0, c->precision);
        for (slong i = 0; i < n; i++) {
            acb_abs(modulus, values + i, c->precision);
            moduli[i] = arf_get_d(arb_midref(modulus), ARF_RND_NEAR);
        }
        qsort(moduli, (size_t)n, sizeof *moduli, compare_falling);
    }
    return moduli;
}

/* The middle of an interval, of a wide one of positive numbers the logarithmic one. */
static double middle_of(double from, double to) {
    return from > 0 && to > 4 * from ? sqrt(from) * sqrt(to) : from + (to - from) / 2;
}

/* Is the verdict wanted shown over the region, for the circle of this radius? By crossing functions, */
static bool shows_by_functions(confirmer *c, const ball_family *family, const ball_region *region,
                               double radius, ball_verdict wanted) {
    return ball_cell(family, region, radius, c->precision, &c->evaluations) == wanted;
}

/* or by Stein's inequality. */
static bool shows_by_stein(confirmer *c, const ball_family *family, const ball_region *region, double radius,
                           ball_verdict wanted) {
    return ball_stein(family, region, radius, wanted, c->precision, SUBINTERVALS, &c->evaluations);
}

/* Step 2 for one matrix. */
static bool shows_inside(confirmer *c, const ball_family *family, const ball_region *region) {
    return shows_by_functions(c, family, region, 1, BALL_INSIDE) ||
           shows_by_stein(c, family, region, 1, BALL_INSIDE);
}

/* Step 3 for one matrix. */
static bool shows_outside(confirmer *c, const ball_family *family, const ball_region *region) {
    slong n;
    double middle[BALL_DIMENSIONS];
    for (int d = 0; d < BALL_DIMENSIONS; d++)
        middle[d] = region->from[d] + (region->to[d] - region->from[d]) / 2;
    memory_local double *moduli = moduli_at(c, family, middle, &n);
    bool shown = false;
    if (moduli != NULL && n > 0 && moduli[0] > 1) {
        double best = 1, radii[CIRCLES] = {0}, between = 1;
        for (slong i = 0; i < n && moduli[i] > 1; i++) {
            double next = i + 1 < n ? fmax(1, moduli[i + 1]) : 1;
            if (!(moduli[i] / next > best)) continue;
            best = moduli[i] / next;
            for (int k = 0; k < CIRCLES; k++) radii[k] = next * pow(best, shares[k]);
            between = next * sqrt(best);
        }
        shown = shows_by_functions(c, family, region, 1, BALL_OUTSIDE);
        for (int k = 0; k < CIRCLES && !shown && isfinite(radii[k]) && radii[k] > 1; k++)
            shown = shows_by_functions(c, family, region, radii[k], BALL_OUTSIDE);
        shown = shown || (isfinite(between) && shows_by_stein(c, family, region, between, BALL_OUTSIDE));
    }
    return shown;
}

/* Step 1. choose: sets the whole numbers by the region's middle; else: are they the same on all of it? Where
 * wide balls do not tell, its halves are asked. */
static bool keeps_whole_numbers(confirmer *c, const ball_region *region, bool choose, int halvings) {
    flint_local_vector(acb, places, BALL_DIMENSIONS);
    int widest = 0;
    flint_local(arb, end);
    for (int d = 0; d < region->dimensions; d++) {
        arb_set_d(acb_realref(places + d), region->from[d]);
        arb_set_d(end, region->to[d]);
        arb_union(acb_realref(places + d), acb_realref(places + d), end, c->precision);
        if (choose) mag_zero(arb_radref(acb_realref(places + d))); /* the middle */
        double width = (region->to[d] - region->from[d]) / (fabs(region->to[d]) + fabs(region->from[d]));
        double most = (region->to[widest] - region->from[widest]) /
                      (fabs(region->to[widest]) + fabs(region->from[widest]));
        if (width > most) widest = d;
    }
    bool shown = c->fit(c->fit_context, places, choose, c->precision);
    if (shown || choose || halvings == 0) return shown;
    ball_region half = *region;
    double middle = region->from[widest] + (region->to[widest] - region->from[widest]) / 2;
    half.to[widest] = middle;
    if (!keeps_whole_numbers(c, &half, false, halvings - 1)) return false;
    half.to[widest] = region->to[widest];
    half.from[widest] = middle;
    return keeps_whole_numbers(c, &half, false, halvings - 1);
}

/* Step 1: chooses the whole numbers by the middle, and shows that they hold on all of the region. */
static bool has_fixed_whole_numbers(confirmer *c, const ball_region *region) {
    return c->fit == NULL ||
           (keeps_whole_numbers(c, region, true, 0) && keeps_whole_numbers(c, region, false, FIT_HALVINGS));
}

bool confirm_region(confirmer *c, const ball_region *region, bool stable, bool continuous) {
    if (!continuous && !has_fixed_whole_numbers(c, region)) return false;
    const ball_family *iteration = &c->families[BALL_ITERATION];
    const ball_family *map = &c->families[continuous ? BALL_SYSTEM : BALL_STEP];
    bool iterates = !continuous && iteration->make != NULL;
    if (stable) return (!iterates || shows_inside(c, iteration, region)) && shows_inside(c, map, region);
    return (iterates && shows_outside(c, iteration, region)) || shows_outside(c, map, region);
}

/* The verdict of one matrix at one place: with 1, 2, 4 or 8 times the precision, until it is decided. The
 * next place begins with as many bits. */
static ball_verdict side_at(confirmer *c, ball_part part, const double *at) {
    ball_verdict verdict = BALL_UNDECIDED;
    flint_local(arb, one);
    arb_one(one);
    for (slong times = c->times[part] > 0 ? c->times[part] : 1;
         times <= PRECISION_TIMES && verdict == BALL_UNDECIDED; times *= 2) {
        ends_by(acb_mat_clear) acb_mat_struct matrix = {0};
        if (make_at(c, &c->families[part], at, times * c->precision, &matrix))
            verdict = ball_point(&matrix, one, times * c->precision);
        if (verdict != BALL_UNDECIDED) c->times[part] = times;
    }
    return verdict;
}

ball_verdict confirm_point(confirmer *c, const double *at, bool continuous) {
    ball_verdict iteration = BALL_INSIDE;
    ball_region place = {2, {at[0], at[1]}, {at[0], at[1]}};
    if (!continuous && !has_fixed_whole_numbers(c, &place)) return BALL_UNDECIDED;
    if (!continuous && c->families[BALL_ITERATION].make != NULL) iteration = side_at(c, BALL_ITERATION, at);
    if (iteration == BALL_OUTSIDE) return iteration;
    ball_verdict map = side_at(c, continuous ? BALL_SYSTEM : BALL_STEP, at);
    return map == BALL_INSIDE ? iteration : map;
}

/* The verdict over [from, to], as a whole or in halves. */
static bool confirm_range(confirmer *c, double from, double to, bool stable, bool continuous, long most) {
    ball_region region = {.dimensions = 1, .from = {from}, .to = {to}};
    if (c->evaluations > most) return false;
    if (confirm_region(c, &region, stable, continuous)) return true;
    double middle = middle_of(from, to);
    if (!(to - from > NARROWEST * fmax(fabs(from), fabs(to))) || !(middle > from && middle < to))
        return false;
    return confirm_range(c, from, middle, stable, continuous, most) &&
           confirm_range(c, middle, to, stable, continuous, most);
}

bool confirm_cell(confirmer *c, const costab_cell *cell, bool continuous, long evaluations) {
    bool stable = cell->verdict == COSTAB_OUTCOME_STABLE;
    if (!stable && cell->verdict != COSTAB_OUTCOME_UNSTABLE) return false;
    long most = c->evaluations + (evaluations > 0 ? evaluations : EVALUATIONS_MOST);
    return confirm_range(c, cell->from, cell->to, stable, continuous, most);
}
