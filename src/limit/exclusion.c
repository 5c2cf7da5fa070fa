/* Shows that an eigenvalue is beyond the limit throughout a cell (docs/explanation/algorithms.md, Complete
 * limits, Lemma 4). The limit is the unit circle for the map M of order n and for an iteration's matrix J,
 * the imaginary axis for the continuous system.
 *
 * 1. At every sample at least one eigenvalue has to be beyond the limit; else nothing is shown.
 * 2. Traces (circle only). |trace M^k| <= n rho^k, so rho > 1 wherever |trace M^k| > n. For some k from 1 to
 *    16 the trace is taken from the eigenvalues at the samples and interpolated. |interpolant| has to exceed
 *    n and the interpolation's error on all of the cell.
 * 3. Poles in step 2. M has a pole where d = det(I - J) det(I - D L) is 0, D L being the loop of the signals
 *    without delay. d^k trace M^k has none, and is interpolated in place of the trace; it has to exceed the
 *    largest n |d^k| of the samples.
 * 4. Circles (axis: lines parallel to it). At each sample eigenvalues are ranked by how far they are beyond
 *    the limit, the furthest first. A radius at a given share of the way from rank j + 1 to rank j is taken
 *    at each sample, and a parabola (two parameters: a plane) is fitted to the logarithms of these radii. It
 *    has to stay between the two ranks at every sample, and beyond the limit on all of the cell. Where no
 *    crossing function has a zero at this radius no eigenvalue passes the circle, so the j first ones stay
 *    outside.
 * 5. Step 4 is tried for the 4 ranks with the widest gaps, at two shares each.
 *
 * Cost: up to 8 circles, each as much as the functions at the limit itself, without another eigenvalue. Not
 * guaranteed: errors of interpolants are estimates (limit/chebyshev.h). */
#include "limit/exclusion.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* TERMS: of the parabola in step 4. */
enum { GAPS = 4, SHARES = 2, TERMS = 3 };

/* The k of step 2. */
static const int powers[] = {1, 2, 3, 4, 6, 8, 12, 16};
/* Where in a gap the radius is. Not in the middle of the logarithms: the product of both ends is the radius
 * squared there, which is a zero of f3. */
static const double shares[SHARES] = {0.2, 0.75};

/* The gap between a rank and the next, and how near the fitted radius comes to either at any sample. */
typedef struct gap {
    int rank;
    double distance;
} gap;

/* A cell, one of its matrices, and how many samples there are: nodes, then check points. */
typedef struct domain {
    const cell *cell;
    sample_matrix matrix;
    int count;
} domain;

static const crossing_spectrum *spectrum_at(const domain *d, int i) {
    return &d->cell->nodes[i]->spectra[d->matrix];
}

/* ---- Interpolants on a cell ---- */

/* Where sample i is in [-1, 1]. */
static double x_of(const cell *c, int i) {
    return chebyshev_coordinate(c->nodes[i]->at, c->from, c->to);
}

/* Is the modulus of the interpolant through values of modulus 1 at most above `error` plus the
 * interpolation's own error on all of the cell, and is it right within both at the check points? */
static bool exceeds(const cell *c, const double *values, double error) {
    double coefficients[CHEBYSHEV_MOST + 1], slope;
    int degree = c->count - 1;
    chebyshev_coefficients(&c->s->table, c->k, values, coefficients);
    error += chebyshev_error(degree, coefficients, error) + cell_offset_noise(c);
    for (int i = c->count; i < cell_samples(c); i++)
        if (!(fabs(chebyshev_value(degree, coefficients, x_of(c, i), &slope) - values[i]) <= error))
            return false;
    chebyshev_interval unresolved[CHEBYSHEV_INTERVALS];
    return error < 1 && chebyshev_unresolved(degree, coefficients, error, unresolved) == 0;
}

/* Replaces values by those of a parabola, the first terms of the interpolant. [out] *least: its least value,
 * at an end or at its vertex. */
static void smooth(const cell *c, double *values, double *least) {
    double coefficients[CHEBYSHEV_MOST + 1], slope;
    chebyshev_coefficients(&c->s->table, c->k, values, coefficients);
    for (int i = 0; i < cell_samples(c); i++)
        values[i] = chebyshev_value(TERMS - 1, coefficients, x_of(c, i), &slope);
    *least = fmin(chebyshev_value(TERMS - 1, coefficients, -1, &slope),
                  chebyshev_value(TERMS - 1, coefficients, 1, &slope));
    double bend = coefficients[2], at = bend != 0 ? -coefficients[1] / (4 * bend) : 2;
    if (fabs(at) < 1) *least = fmin(*least, chebyshev_value(TERMS - 1, coefficients, at, &slope));
}

/* Is it shown that nowhere in the cell an eigenvalue is exactly as far beyond the limit as this function of
 * the parameter, given at the samples? */
static bool has_no_crossing(const cell *c, sample_matrix matrix, const double *beyond) {
    cell_functions f;
    unresolved_list list;
    cell_functions_at(c, matrix, beyond, &f);
    cell_find_unresolved(c, &f, &list);
    return cell_is_clear(&list);
}

/* ---- Traces ---- */

/* d = det(I - J) det(I - D L) at a sample, of the matrices that there are; 1: there is none. */
static double pole_factor(const sample *at) {
    double d = 1;
    for (int p = 0; p < SAMPLE_MAP; p++)
        if (at->spectra[p].n > 0) d *= ldexp(at->functions[p][0].mantissa, (int)at->functions[p][0].exponent);
    return d;
}

/* Steps 2 and 3 for k = power, on values scaled to 1. */
static bool trace_exceeds(const domain *d, int power) {
    double values[INTERPOLANT_SAMPLES], most = 0, noise = 0, weight = 0;
    int n = spectrum_at(d, 0)->n;
    for (int i = 0; i < d->count; i++) {
        const crossing_spectrum *s = spectrum_at(d, i);
        double trace = crossing_trace(s, power),
               pole = d->matrix == SAMPLE_MAP ? pow(pole_factor(d->cell->nodes[i]), power) : 1;
        values[i] = trace * pole;
        if (!(fabs(trace) > n) || !isfinite(trace) || !isfinite(values[i])) return false;
        most = fmax(most, fabs(values[i]));
        weight = fmax(weight, fabs(pole));
        noise = fmax(noise, n * power * s->backward * pow(1 + fmax(s->furthest, 0), power - 1) * fabs(pole));
    }
    if (!(most > 0) || !isfinite(noise)) return false;
    for (int i = 0; i < d->count; i++) values[i] /= most;
    return exceeds(d->cell, values, 16 * DBL_EPSILON * n + (noise + n * weight) / most);
}

/* ---- Radii ---- */

/* What is fitted of a distance beyond the limit: for a circle the logarithm of the radius. */
static double coordinate_of(const domain *d, double beyond) {
    return d->cell->s->continuous ? beyond : log1p(beyond);
}

/* The two ends of the gap behind a rank at sample i; the limit where the next rank is not beyond it. */
static void gap_at(const domain *d, int rank, int i, double *low, double *high) {
    const crossing_spectrum *s = spectrum_at(d, i);
    *high = coordinate_of(d, s->ranks[rank]);
    *low = rank + 1 < s->n ? coordinate_of(d, fmax(0, s->ranks[rank + 1])) : 0;
}

/* [out] radius: the fitted radius in the gap behind a rank, as logarithms at the samples; *distance: the
 * least from an end of the gap. False where it leaves the gap, or is not beyond the limit. */
static bool fit_radius(const domain *d, int rank, double share, double *radius, double *distance) {
    double low, high, least;
    for (int i = 0; i < d->count; i++) {
        gap_at(d, rank, i, &low, &high);
        if (!(high > low)) return false;
        radius[i] = low + share * (high - low);
    }
    smooth(d->cell, radius, &least);
    *distance = (double)INFINITY;
    for (int i = 0; i < d->count; i++) {
        gap_at(d, rank, i, &low, &high);
        *distance = fmin(*distance, fmin(radius[i] - low, high - radius[i]));
    }
    return *distance > 0 && least >= 0;
}

/* The gaps whose radius has the largest distance, that one first: up to GAPS of them; their number. */
static int widest_gaps(const domain *d, double share, gap *best) {
    double radius[INTERPOLANT_SAMPLES], distance, low, high;
    int count = 0;
    for (int rank = 0; rank < spectrum_at(d, 0)->n; rank++) {
        gap_at(d, rank, 0, &low, &high);
        if (!(high > 0)) break;
        if (!fit_radius(d, rank, share, radius, &distance)) continue;
        int at = count < GAPS ? count++ : GAPS;
        for (; at > 0 && distance > best[at - 1].distance; at--)
            if (at < GAPS) best[at] = best[at - 1];
        if (at < GAPS) best[at] = (gap){rank, distance};
    }
    return count;
}

/* Is no eigenvalue on the circle that is fitted in the gap behind a rank? */
static bool has_no_crossing_at(const domain *d, int rank, double share) {
    double radius[INTERPOLANT_SAMPLES], distance;
    if (!fit_radius(d, rank, share, radius, &distance)) return false;
    for (int i = 0; i < d->count && !d->cell->s->continuous; i++) radius[i] = expm1(radius[i]);
    return has_no_crossing(d->cell, d->matrix, radius);
}

/* Steps 4 and 5. */
static bool is_outside_a_circle(const domain *d) {
    gap gaps[SHARES][GAPS];
    int counts[SHARES];
    for (int t = 0; t < SHARES; t++) counts[t] = widest_gaps(d, shares[t], gaps[t]);
    for (int g = 0; g < GAPS; g++)
        for (int t = 0; t < SHARES; t++)
            if (g < counts[t] && has_no_crossing_at(d, gaps[t][g].rank, shares[t])) return true;
    return false;
}

bool exclusion_find(const cell *c, sample_matrix matrix, costab_reason *reason) {
    const domain d = {c, matrix, cell_samples(c)};
    for (int i = 0; i < d.count; i++)
        if (crossing_beyond(spectrum_at(&d, i), 0) == 0) return false;
    for (size_t p = 0; p < sizeof powers / sizeof *powers && !c->s->continuous; p++)
        if (trace_exceeds(&d, powers[p])) {
            *reason = COSTAB_REASON_TRACE;
            return true;
        }
    if (!is_outside_a_circle(&d)) return false;
    *reason = COSTAB_REASON_RADIUS;
    return true;
}
