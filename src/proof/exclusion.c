/* Shows that an eigenvalue is beyond the limit throughout a cell (docs/algorithms.md, Complete limits, Lemma
 * 4). The limit is the unit circle for maps of order n, the imaginary axis for the continuous system.
 *
 * 1. At every sample at least one eigenvalue has to be beyond the limit.
 * 2. |trace M^k| > n at all samples for a k: as |trace M^k| <= n rho^k, so is it throughout where the
 *    interpolant exceeds its error and n. Where M has a pole, d^k trace M^k is looked at, d = det(I - J)
 *    det(I - D L), which has none, against the largest n |d^k| of the samples.
 * 3. Eigenvalues are ranked, furthest beyond the limit first, which leaves gaps between one and the next. A
 *    radius (for the axis: an abscissa) that is a smooth function of the parameters, close to a share of a
 *    gap, is tried for the widest gaps: where no crossing function has a zero at it, the eigenvalues outside
 *    stay outside.
 *
 * Cost: up to 8 circles, each as much as the functions at the limit itself, without another eigenvalue. Not
 * guaranteed: errors of interpolants are estimates (proof/chebyshev.h). */
#include "proof/exclusion.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { GAPS = 4, SHARES = 2, TERMS = 3 };

_Static_assert((int)EXCLUSION_SAMPLES >= (int)INTERPOLANT_SAMPLES, "all samples of a cell have room");

static const int powers[] = {1, 2, 3, 4, 6, 8, 12, 16};
/* Not the middle of a gap, where the product of both its ends is the radius squared: a zero of f3. */
static const double shares[SHARES] = {0.2, 0.75};

/* A gap behind a rank, and how near its radius comes to the ranks on both sides. */
typedef struct gap {
    int rank;
    double room;
} gap;

static const crossing_spectrum *spectrum_at(const exclusion_domain *d, int i) {
    return &d->samples[i]->spectra[d->which];
}

/* ---- Traces ---- */

/* What takes the poles away; 1 where there are none. */
static double poles_of(const sample *at) {
    double d = 1;
    for (int p = 0; p < SAMPLE_MAP; p++)
        if (at->spectra[p].n > 0) d *= ldexp(at->functions[p][0].mantissa, (int)at->functions[p][0].exponent);
    return d;
}

/* Step 2 for k = power, on values scaled to 1. */
static bool trace_exceeds(const exclusion_domain *d, int power) {
    double values[EXCLUSION_SAMPLES], most = 0, noise = 0, weight = 0;
    int n = spectrum_at(d, 0)->n;
    for (int i = 0; i < d->count; i++) {
        const crossing_spectrum *s = spectrum_at(d, i);
        double trace = crossing_trace(s, power), pole = d->poles ? pow(poles_of(d->samples[i]), power) : 1;
        values[i] = trace * pole;
        if (!(fabs(trace) > n) || !isfinite(trace) || !isfinite(values[i])) return false;
        most = fmax(most, fabs(values[i]));
        weight = fmax(weight, fabs(pole));
        noise = fmax(noise, n * power * s->backward * pow(1 + fmax(s->furthest, 0), power - 1) * fabs(pole));
    }
    if (!(most > 0) || !isfinite(noise)) return false;
    for (int i = 0; i < d->count; i++) values[i] /= most;
    return d->exceeds(d->cell, values, 16 * DBL_EPSILON * n + (noise + n * weight) / most);
}

/* ---- Radii ---- */

/* A distance beyond the limit as what is interpolated: for a circle the logarithm of the radius. */
static double line_of(const exclusion_domain *d, double beyond) {
    return d->line ? beyond : log1p(beyond);
}

/* A rank and the one below it at a sample, not below the limit. */
static void gap_at(const exclusion_domain *d, int rank, int i, double *low, double *high) {
    const crossing_spectrum *s = spectrum_at(d, i);
    *high = line_of(d, s->ranks[rank]);
    *low = rank + 1 < s->n ? line_of(d, fmax(0, s->ranks[rank + 1])) : 0;
}

/* The radius at a share of the gap behind a rank, as its logarithm; false where it passes a rank or the
 * limit. */
static bool radius_between(const exclusion_domain *d, int rank, double share, double *radius, double *room) {
    double low, high, least;
    for (int i = 0; i < d->count; i++) {
        gap_at(d, rank, i, &low, &high);
        if (!(high > low)) return false;
        radius[i] = low + share * (high - low);
    }
    d->smooth(d->cell, radius, &least);
    *room = (double)INFINITY;
    for (int i = 0; i < d->count; i++) {
        gap_at(d, rank, i, &low, &high);
        *room = fmin(*room, fmin(radius[i] - low, high - radius[i]));
    }
    return *room > 0 && least >= 0;
}

/* The gaps with most room, widest first: up to GAPS of them; their number. */
static int widest_gaps(const exclusion_domain *d, double share, gap *best) {
    double radius[EXCLUSION_SAMPLES], room, low, high;
    int count = 0;
    for (int rank = 0; rank < spectrum_at(d, 0)->n; rank++) {
        gap_at(d, rank, 0, &low, &high);
        if (!(high > 0)) break;
        if (!radius_between(d, rank, share, radius, &room)) continue;
        int at = count < GAPS ? count++ : GAPS;
        for (; at > 0 && room > best[at - 1].room; at--)
            if (at < GAPS) best[at] = best[at - 1];
        if (at < GAPS) best[at] = (gap){rank, room};
    }
    return count;
}

static bool radius_is_clear(const exclusion_domain *d, int rank, double share) {
    double radius[EXCLUSION_SAMPLES], room;
    if (!radius_between(d, rank, share, radius, &room)) return false;
    for (int i = 0; i < d->count && !d->line; i++) radius[i] = expm1(radius[i]);
    return d->is_clear(d->cell, d->which, radius);
}

static bool beyond_a_radius(const exclusion_domain *d) {
    gap gaps[SHARES][GAPS];
    int counts[SHARES];
    for (int t = 0; t < SHARES; t++) counts[t] = widest_gaps(d, shares[t], gaps[t]);
    for (int g = 0; g < GAPS; g++)
        for (int t = 0; t < SHARES; t++)
            if (g < counts[t] && radius_is_clear(d, gaps[t][g].rank, shares[t])) return true;
    return false;
}

bool exclusion_find(const exclusion_domain *d, costab_reason *reason) {
    for (int i = 0; i < d->count; i++)
        if (crossing_beyond(spectrum_at(d, i), 0) == 0) return false;
    for (size_t p = 0; p < sizeof powers / sizeof *powers && !d->line; p++)
        if (trace_exceeds(d, powers[p])) {
            *reason = COSTAB_REASON_TRACE;
            return true;
        }
    if (!beyond_a_radius(d)) return false;
    *reason = COSTAB_REASON_RADIUS;
    return true;
}

/* ---- Cells in one parameter ---- */

static double x_of(const cell *c, int i) {
    return chebyshev_coordinate(c->nodes[i]->at[0], c->from, c->to);
}

static bool exceeds(const void *of, const double *values, double error) {
    const cell *c = of;
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

/* A parabola: the first terms of the interpolant. */
static void smooth(const void *of, double *values, double *least) {
    const cell *c = of;
    double coefficients[CHEBYSHEV_MOST + 1], slope;
    chebyshev_coefficients(&c->s->table, c->k, values, coefficients);
    for (int i = 0; i < cell_samples(c); i++)
        values[i] = chebyshev_value(TERMS - 1, coefficients, x_of(c, i), &slope);
    *least = fmin(chebyshev_value(TERMS - 1, coefficients, -1, &slope),
                  chebyshev_value(TERMS - 1, coefficients, 1, &slope));
    double bend = coefficients[2], at = bend != 0 ? -coefficients[1] / (4 * bend) : 2;
    if (fabs(at) < 1) *least = fmin(*least, chebyshev_value(TERMS - 1, coefficients, at, &slope));
}

static bool is_clear(const void *of, int which, const double *beyond) {
    cell_functions f;
    unresolved_list list;
    cell_values(of, which, beyond, &f);
    cell_look(of, &f, &list);
    return cell_is_clear(&list);
}

bool exclusion_of_cell(const cell *c, int which, costab_reason *reason) {
    const exclusion_domain domain = {.cell = c,
                                     .samples = c->nodes,
                                     .count = cell_samples(c),
                                     .which = which,
                                     .line = c->s->continuous,
                                     .poles = which == SAMPLE_MAP,
                                     .exceeds = exceeds,
                                     .smooth = smooth,
                                     .is_clear = is_clear};
    return exclusion_find(&domain, reason);
}
