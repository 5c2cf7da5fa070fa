/* Finds the crossing of the limit between two samples on different sides (docs/explanation/algorithms.md,
 * Complete limits).
 * 1. Margin: Brent's method finds the zero of the furthest eigenvalue's distance beyond the limit.
 * 2. Two check points around it, at a relative distance of 1e-6 or less, must be on different sides of the
 *    limit beyond rounding. Exactly one crossing function must change its sign between them.
 * 3. Error: from the line through both margins and their rounding. Without check points it is the rounding
 *    over the slope between the two enclosing samples, at least the width of refinement and at most
 *    SEARCH_TOLERANCE.
 * Cost: about ten eigenvalue problems. Limitation: misses a double zero, and coinciding zeros of two
 * functions. */
#include "limit/zero.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/root.h"

/* Zeros are refined to this relative width, or until the margin is this share of the matrix's backward
 * error. */
#define ZERO_TOLERANCE 1e-14
#define RESIDUE        (1.0 / 64)

/* Relative distance of check points from a zero, limited to this share of the cell's width. */
#define OFFSET       1e-6
#define OFFSET_SHARE 1e-4
/* The undecided interval around a zero has a half width of HALF_ERRORS times the zero's error, at least a
 * quarter of SEARCH_TOLERANCE and at most HALF_MOST (relative), so pieces.c takes it for one end. A zero is
 * dropped if this is less than HALF_LEAST errors. */
#define HALF_ERRORS 4
#define HALF_MOST   9e-9
#define HALF_LEAST  2
/* Largest error relative to the distance of the check points. */
#define ERROR_MOST 1e-2

costab_status zero_refine(search *s, double from, double to, double *at, double *uncertainty,
                          costab_error *error) {
    const sample *samples[2], *now;
    sample_margin margins[2];
    const double ends[2] = {from, to}, most = SEARCH_TOLERANCE * search_scale(s, from, to);
    *at = from + (to - from) / 2;
    *uncertainty = fmin((to - from) / 2, most);
    TRY(sample_find_all(s->cache, 2, ends, samples, error));
    for (int i = 0; i < 2; i++) margins[i] = sample_margin_of(samples[i]);
    if (!isfinite(margins[0].beyond) || !isfinite(margins[1].beyond) ||
        (margins[0].beyond < 0) == (margins[1].beyond < 0))
        return COSTAB_OK;
    double slope = fabs(margins[1].beyond - margins[0].beyond) / (to - from);
    double rounding = fmax(margins[0].slack, margins[1].slack) / slope;
    *uncertainty = fmin(fmax(rounding, ZERO_TOLERANCE * search_scale(s, from, to)), most);
    root r = root_start(ends, (const double[]){margins[0].beyond, margins[1].beyond});
    r.tolerance = ZERO_TOLERANCE / 2;
    for (double next; root_next(&r, &next);) {
        TRY(sample_find(s->cache, next, &now, error));
        sample_margin found = sample_margin_of(now);
        if (!isfinite(found.beyond)) break;
        *at = next;
        if (fabs(found.beyond) <= RESIDUE * found.backward) break;
        root_set_value(&r, found.beyond);
    }
    return COSTAB_OK;
}

/* ---- Known zeros ---- */

/* Computes the functions of a matrix with their poles cancelled. */
static void functions_of(const cell *c, const sample *p, sample_matrix matrix, crossing_value *f) {
    memcpy(f, p->functions[matrix], sizeof p->functions[matrix]);
    if (matrix == SAMPLE_MAP) sample_take_poles(p, c->kind, f);
}

/* Finds the only function with a change of sign between the check points; false if there is none or more than
 * one. */
static bool sole_change(const cell *c, const sample *const points[2], known_zero *zero) {
    int changes = 0;
    for (sample_matrix matrix = SAMPLE_GUESSES; matrix <= SAMPLE_MAP; matrix++) {
        crossing_value f[2][CROSSING_FUNCTIONS];
        crossing_kind kind = matrix == SAMPLE_MAP ? c->kind : CROSSING_CIRCLE;
        if (points[0]->spectra[matrix].n == 0) continue;
        for (int side = 0; side < 2; side++) functions_of(c, points[side], matrix, f[side]);
        for (int k = 0; k < crossing_count(kind); k++) {
            if ((f[0][k].mantissa < 0) == (f[1][k].mantissa < 0)) continue;
            zero->matrix = matrix;
            zero->function = k;
            changes++;
        }
    }
    return changes == 1;
}

/* Returns true if the check points are comparable with the nodes and on different sides of the limit beyond
 * rounding. */
static bool are_sides(const cell *c, const sample *const points[2]) {
    costab_outcome sides[2];
    for (int i = 0; i < 2; i++) {
        const sample *p = points[i], *node = c->nodes[0];
        if (!sample_is_comparable(p, node) || p->kind != c->kind) return false;
        sides[i] = sample_outcome(p);
        if (sides[i] != COSTAB_OUTCOME_STABLE && sides[i] != COSTAB_OUTCOME_UNSTABLE) return false;
    }
    return sides[0] != sides[1];
}

/* Computes the error of a zero from its check points. */
static double error_of(const known_zero *zero, const sample *const points[2]) {
    sample_margin low = sample_margin_of(points[0]), high = sample_margin_of(points[1]);
    double steep = fabs(high.beyond - low.beyond) / (2 * zero->offset);
    double along = zero->offset * fabs(high.beyond + low.beyond) / fabs(high.beyond - low.beyond);
    return along + fmax(low.slack, high.slack) / steep + 4 * DBL_EPSILON * fabs(zero->at);
}

static costab_status keep(search *s, const known_zero *zero, costab_error *error) {
    TRY(memory_reserve(&s->zeros, &s->zero_capacity, s->zero_count + 1, error));
    s->zeros[s->zero_count++] = *zero;
    return COSTAB_OK;
}

costab_status zero_find(const cell *c, int index, bool *found, costab_error *error) {
    const double nodes[2] = {c->nodes[index - 1]->at, c->nodes[index]->at};
    search *s = c->s;
    known_zero zero;
    const sample *points[2];
    *found = false;
    TRY(zero_refine(s, nodes[0], nodes[1], &zero.at, &zero.error, error));
    if (search_zero_at(s, zero.at) != NULL) return COSTAB_OK;
    double scale = search_scale(s, zero.at, zero.at);
    zero.offset = fmin(OFFSET * scale, OFFSET_SHARE * (c->to - c->from));
    const double sides[2] = {zero.at - zero.offset, zero.at + zero.offset};
    if (!(sides[0] > nodes[0] && sides[1] < nodes[1])) return COSTAB_OK;
    TRY(sample_find_all(s->cache, 2, sides, points, error));
    if (!are_sides(c, points) || !sole_change(c, points, &zero)) return COSTAB_OK;
    zero.error = error_of(&zero, points);
    zero.half = fmin(fmax(SEARCH_TOLERANCE / 4 * scale, HALF_ERRORS * zero.error), HALF_MOST * scale);
    *found = zero.error <= ERROR_MOST * zero.offset && zero.half >= HALF_LEAST * zero.error;
    return *found ? keep(s, &zero, error) : COSTAB_OK;
}
