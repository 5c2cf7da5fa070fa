/* Cells that are not stable at all (MATH 12.1, Lemma 4): a circle beyond the limit that no eigenvalue passes,
 * with one outside; or a trace that is too large. */
#include <math.h>

#include "proof/cell.h"

/* GAPS: so many circles are tried at each share; they cost little beside evaluations. */
enum { POWERS = 8, TERMS = 3, GAPS = 4 };

/* ln of a radius (an abscissa) that moves along the cell: a polynomial in x from -1 to 1, by Chebyshev's. */
typedef struct moving {
    double terms[TERMS];
} moving;

static bool some_beyond_everywhere(const cell *c, int which) {
    for (int i = 0; i < c->count + c->checks; i++)
        if (crossing_beyond(&c->nodes[i]->spectra[which], 0) == 0) return false;
    return true;
}

static double line_of(const cell *c, double beyond) {
    return c->s->continuous ? beyond : log1p(beyond);
}

static double moved(const moving *m, double x) {
    return m->terms[0] + x * m->terms[1] + (2 * x * x - 1) * m->terms[2];
}

static double least_of(const moving *m) {
    double least = fmin(moved(m, -1), moved(m, 1)), bend = m->terms[2],
           at = bend != 0 ? -m->terms[1] / (4 * bend) : 2;
    return fabs(at) < 1 ? fmin(least, moved(m, at)) : least;
}

static double x_of(const cell *c, int node) {
    return trend_x(c->nodes[node]->at[0], c->from, c->to);
}

/* Lines of rank number m and the one below it at a node, not below the limit. */
static void gap_at(const cell *c, int which, int m, int node, double *low, double *high) {
    const crossing_spectrum *s = &c->nodes[node]->spectra[which];
    *high = line_of(c, s->ranks[m]);
    *low = m + 1 < s->n ? line_of(c, fmax(0, s->ranks[m + 1])) : 0;
}

/* Between rank m and the one below it, at `share` of the gap. [out] *room: how near it comes to either, at
 * nodes and checks; false where it passes one of them, or the limit. */
static bool between_ranks(const cell *c, int which, int m, double share, moving *line, double *room) {
    double at[CHEBYSHEV_MOST + 1], coefficients[CHEBYSHEV_MOST + 1], low, high;
    for (int i = 0; i < c->count; i++) {
        gap_at(c, which, m, i, &low, &high);
        if (!(high > low)) return false;
        at[i] = low + share * (high - low);
    }
    chebyshev_coefficients(&c->s->table, c->k, at, coefficients);
    for (int t = 0; t < TERMS; t++) line->terms[t] = coefficients[t];
    *room = (double)INFINITY;
    for (int i = 0; i < c->count + c->checks; i++) {
        double here = moved(line, x_of(c, i));
        gap_at(c, which, m, i, &low, &high);
        *room = fmin(*room, fmin(here - low, high - here));
    }
    return *room > 0 && least_of(line) >= 0;
}

/* The radii between two ranks that have most room, at `share` of the gaps: up to GAPS of them, widest first;
 * their number. */
static int widest_gaps(const cell *c, int which, double share, moving *best) {
    double rooms[GAPS];
    int count = 0;
    for (int m = 0; m < c->nodes[0]->spectra[which].n; m++) {
        moving line = {{0}};
        double room, low, high;
        gap_at(c, which, m, 0, &low, &high);
        if (!(high > 0)) break;
        if (!between_ranks(c, which, m, share, &line, &room)) continue;
        int at = count < GAPS ? count++ : GAPS;
        for (; at > 0 && room > rooms[at - 1]; at--)
            if (at < GAPS) {
                rooms[at] = rooms[at - 1];
                best[at] = best[at - 1];
            }
        if (at == GAPS) continue;
        rooms[at] = room;
        best[at] = line;
    }
    return count;
}

static bool is_clear_beyond(const cell *c, int which, const moving *line) {
    node_values f;
    grey_list g;
    double beyond[INTERPOLANT_PLACES];
    for (int i = 0; i < cell_places(c); i++) {
        double here = moved(line, x_of(c, i));
        beyond[i] = c->s->continuous ? here : expm1(here);
    }
    cell_values(c, which, beyond, &f);
    cell_look(c, &f, &g);
    return cell_is_clear(&g);
}

/* Not the geometric mean of the gap: there the product of its two ends is r^2. */
static bool beyond_a_radius(const cell *c, int which, double *radius) {
    static const double shares[] = {0.2, 0.75};
    moving lines[2][GAPS];
    int counts[2];
    for (int t = 0; t < 2; t++) counts[t] = widest_gaps(c, which, shares[t], lines[t]);
    for (int g = 0; g < GAPS; g++)
        for (int t = 0; t < 2; t++) {
            if (g >= counts[t] || !is_clear_beyond(c, which, &lines[t][g])) continue;
            *radius = c->s->continuous ? moved(&lines[t][g], 0) : exp(moved(&lines[t][g], 0));
            return true;
        }
    return false;
}

/* |trace M^k| > n throughout? Where M has a pole, d^k trace M^k is looked at, which has none, against the
 * largest n d^k: near a pole it is far beyond. */
static bool trace_beyond(const cell *c, int which, int power) {
    double values[INTERPOLANT_PLACES], coefficients[CHEBYSHEV_MOST + 1], error;
    int degree = c->count - 1;
    if (!place_traces(c->nodes, c->count + c->checks, which, power, which == PLACE_MAP, values, &error))
        return false;
    chebyshev_coefficients(&c->s->table, c->k, values, coefficients);
    error += chebyshev_error(degree, coefficients, error) + cell_aside_noise(c);
    for (int i = 0; i < c->checks; i++) {
        double slope, x = interpolant_check(&c->s->table, c->k, i);
        if (!(fabs(chebyshev_value(degree, coefficients, x, &slope) - values[c->count + i]) <= error))
            return false;
    }
    chebyshev_stretch grey[CHEBYSHEV_STRETCHES];
    return error < 1 && chebyshev_grey(degree, coefficients, error, grey) == 0;
}

bool cell_surely_unstable(const cell *c, int which, costab_cell *found) {
    static const int powers[POWERS] = {1, 2, 3, 4, 6, 8, 12, 16};
    if (!some_beyond_everywhere(c, which)) return false;
    for (int p = 0; p < POWERS && !c->s->continuous; p++)
        if (trace_beyond(c, which, powers[p])) {
            found->reason = COSTAB_REASON_TRACE;
            found->power = powers[p];
            return true;
        }
    found->reason = COSTAB_REASON_RADIUS;
    return beyond_a_radius(c, which, &found->radius);
}
