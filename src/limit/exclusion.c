/* Proves that an eigenvalue is beyond the limit throughout a cell (docs/explanation/algorithms.md, Complete
 * limits, Lemma 4). The limit is the unit circle for the map M of order n and for the iteration matrix J, and
 * the imaginary axis for the continuous system.
 * 1. Samples: every sample must have an eigenvalue beyond the limit.
 * 2. Traces (circle only): |trace M^k| <= n rho^k, so |trace M^k| > n implies rho > 1. For some k from 1 to
 *    16 the trace is computed from the eigenvalues at the samples and interpolated. |interpolant| must exceed
 *    n plus the interpolation error on the whole cell.
 * 3. Poles: M has a pole at d = det(I - J) det(I - D L) = 0, with the loop D L of signals without delay. d^k
 *    trace M^k has none and is interpolated instead of the trace. It must exceed the largest n |d^k| of the
 *    samples.
 * 4. Circles (axis: parallel lines): each sample ranks its eigenvalues by distance beyond the limit. A
 *    parabola in the parameter is fitted to the logarithms of radii (axis: to the distances) at a given share
 *    of the way from rank j + 1 to rank j. It must stay between the two ranks at every sample and beyond the
 * limit on the whole cell. If no crossing function has a zero at this radius, the first j eigenvalues stay
 * outside.
 * 5. Candidates: the 4 ranks with the widest gaps, at two shares each.
 * Cost: up to 8 circles, each as expensive as the functions at the limit, without further eigenvalues.
 * Limitation: errors of interpolants are estimates (method/chebyshev.h). */
#include "limit/cell.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* TERMS: number of terms of the fitted parabola. */
enum { GAPS = 4, SHARES = 2, TERMS = 3 };

/* Powers k of the trace test. */
static const int powers[] = {1, 2, 3, 4, 6, 8, 12, 16};
/* Position of the radius in a gap. The logarithmic middle is unsuitable: the product of both ends is the
 * squared radius, a zero of f3. */
static const double shares[SHARES] = {0.2, 0.75};

/* Gap between a rank and the next, and the least distance of the fitted radius from both at any sample. */
typedef struct gap {
    int rank;
    double distance;
} gap;

/* A cell, one of its matrices, and the number of samples: nodes, then check points. */
typedef struct domain {
    const cell *cell;
    sample_matrix matrix;
    int count;
} domain;

static const crossing_spectrum *spectrum_at(const domain *d, int i) {
    return &d->cell->nodes[i]->spectra[d->matrix];
}

/* ---- Interpolants on a cell ---- */

/* Returns the position of sample i in [-1, 1]. */
static double x_of(const cell *c, int i) {
    return chebyshev_coordinate(c->nodes[i]->at, c->from, c->to);
}

/* Returns true if the interpolant through values of modulus at most 1 exceeds `error` plus its own error on
 * the whole cell, and matches the check points within both. */
static bool exceeds(const cell *c, const double *values, double error) {
    double coefficients[CHEBYSHEV_MOST + 1], slope;
    int degree = c->count - 1;
    chebyshev_coefficients(&c->s->table, degree, values, coefficients);
    error += chebyshev_error(degree, coefficients, error) + cell_offset_noise(c);
    for (int i = c->count; i < cell_samples(c); i++)
        if (!(fabs(chebyshev_value(degree, coefficients, x_of(c, i), &slope) - values[i]) <= error))
            return false;
    chebyshev_interval unresolved[CHEBYSHEV_INTERVALS];
    return error < 1 && chebyshev_unresolved(degree, coefficients, error, unresolved) == 0;
}

/* Replaces values by those of a parabola, the first terms of the interpolant. [out] *least: its minimum, at
 * an end or at its vertex. */
static void smooth(const cell *c, double *values, double *least) {
    double coefficients[CHEBYSHEV_MOST + 1], slope;
    chebyshev_coefficients(&c->s->table, c->count - 1, values, coefficients);
    for (int i = 0; i < cell_samples(c); i++)
        values[i] = chebyshev_value(TERMS - 1, coefficients, x_of(c, i), &slope);
    *least = fmin(chebyshev_value(TERMS - 1, coefficients, -1, &slope),
                  chebyshev_value(TERMS - 1, coefficients, 1, &slope));
    double bend = coefficients[2], at = bend != 0 ? -coefficients[1] / (4 * bend) : 2;
    if (fabs(at) < 1) *least = fmin(*least, chebyshev_value(TERMS - 1, coefficients, at, &slope));
}

/* Returns true if no eigenvalue in the cell is exactly at the distance `beyond` from the limit, a function of
 * the parameter sampled at the nodes. */
static bool has_no_crossing(const cell *c, sample_matrix matrix, const double *beyond) {
    cell_functions f;
    unresolved_list list;
    cell_functions_at(c, matrix, beyond, &f);
    cell_find_unresolved(c, &f, &list);
    return cell_is_clear(&list);
}

/* ---- Traces ---- */

/* Returns d = det(I - J) det(I - D L) at a sample, over the existing matrices; 1 without any. */
static double pole_factor(const sample *at) {
    double d = 1;
    for (int p = 0; p < SAMPLE_MAP; p++)
        if (at->spectra[p].n > 0) d *= ldexp(at->functions[p][0].mantissa, (int)at->functions[p][0].exponent);
    return d;
}

/* Runs the trace test for k = power, with poles cancelled and values scaled to 1. */
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

/* Maps a distance beyond the limit to the fitted quantity: for a circle the logarithm of the radius. */
static double coordinate_of(const domain *d, double beyond) {
    return d->cell->s->continuous ? beyond : log1p(beyond);
}

/* Returns both ends of the gap after a rank at sample i. The lower end is the limit if the next rank is not
 * beyond it. */
static void gap_at(const domain *d, int rank, int i, double *low, double *high) {
    const crossing_spectrum *s = spectrum_at(d, i);
    *high = coordinate_of(d, s->ranks[rank]);
    *low = rank + 1 < s->n ? coordinate_of(d, fmax(0, s->ranks[rank + 1])) : 0;
}

/* [out] radius: fitted radius in the gap after a rank, as logarithms at the samples. *distance: least
 * distance from an end of the gap. Returns false if the radius leaves the gap or the region beyond the
 * limit. */
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

/* Lists up to GAPS gaps by the distance of their radius, largest first. Returns their number. */
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

/* Returns true if no eigenvalue is on the circle fitted in the gap after a rank. */
static bool has_no_crossing_at(const domain *d, int rank, double share) {
    double radius[INTERPOLANT_SAMPLES], distance;
    if (!fit_radius(d, rank, share, radius, &distance)) return false;
    for (int i = 0; i < d->count && !d->cell->s->continuous; i++) radius[i] = expm1(radius[i]);
    return has_no_crossing(d->cell, d->matrix, radius);
}

/* Runs the circle test over the candidates. */
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
