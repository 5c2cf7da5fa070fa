/* What a cell's nodes say: where the crossing functions have no zero, and whether the cell is unstable as a
 * whole. */
#include "proof/chart_cell.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { POWERS = 8, RADII = 2 };
static const int powers[POWERS] = {1, 2, 3, 4, 6, 8, 12, 16};
static const double shares[RADII] = {0.2, 0.75};

/* ---- Nodes ---- */

/* Where a place in [-1, 1] of one direction is. */
static double along(const chart_cell *c, int d, double x) {
    if (c->alike[d]) return c->low[d];
    return x <= -1 ? c->from[d] : x >= 1 ? c->to[d] : c->from[d] + (c->to[d] - c->from[d]) * (x + 1) / 2;
}

costab_status chart_cell_find(const chart_cell *c, double x, double y, const place **found,
                              costab_error *error) {
    const double at[2] = {along(c, 0, x), along(c, 1, y)};
    return place_find(c->book, at, found, error);
}

static int node_number(const chart_cell *c, int n, int d) {
    int side = plane_degree(c->k[1]) + 1;
    return d == 0 ? n / side : n % side;
}

static double node_at(const chart_cell *c, int n, int d) {
    return c->table->points[c->k[d]][node_number(c, n, d)];
}

static bool has_node(const chart_cell *c, const plane_mask *set, int n) {
    return plane_mask_has(set, plane_grid_at(&c->grid, 0, node_at(c, n, 0)),
                          plane_grid_at(&c->grid, 1, node_at(c, n, 1)));
}

costab_status chart_cell_take(chart_cell *c, bool *ordinary, costab_error *error) {
    c->count = (plane_degree(c->k[0]) + 1) * (plane_degree(c->k[1]) + 1);
    *ordinary = true;
    for (int n = 0; n < c->count && *ordinary; n++) {
        costab_status status = chart_cell_find(c, node_at(c, n, 0), node_at(c, n, 1), &c->nodes[n], error);
        if (status) return status;
        const place *p = c->nodes[n];
        *ordinary = p->posed;
        if (n == 0 || p->kernel < c->kernel) c->kernel = p->kernel;
        for (int s = 0; s < PLACE_SPECTRA && *ordinary; s++)
            *ordinary = !p->spectra[s].overflow && p->spectra[s].n == c->nodes[0]->spectra[s].n;
        if (n == 0 || p->kind == CROSSING_CIRCLE_COMPLEX) c->kind = p->kind;
    }
    return COSTAB_OK;
}

/* The fewest and the most eigenvalues beyond the limit at any node. */
static void count_beyond(const chart_cell *c, int which, int *fewest, int *most) {
    *fewest = *most = 0;
    for (int n = 0; n < c->count; n++) {
        int count = crossing_beyond(&c->nodes[n]->spectra[which], 0);
        if (n == 0 || count < *fewest) *fewest = count;
        if (n == 0 || count > *most) *most = count;
    }
}

costab_outcome chart_cell_verdict(const chart_cell *c, const plane_mask *set) {
    costab_outcome verdict = COSTAB_OUTCOME_NEUTRAL;
    for (int n = 0; n < c->count; n++) {
        if (!has_node(c, set, n)) continue;
        costab_outcome now = place_outcome(c->nodes[n]);
        if (now != COSTAB_OUTCOME_STABLE && now != COSTAB_OUTCOME_UNSTABLE) continue;
        if (verdict != COSTAB_OUTCOME_NEUTRAL && now != verdict) return COSTAB_OUTCOME_UNDECIDED;
        verdict = now;
    }
    return verdict;
}

/* ---- Functions ---- */

/* One function at all nodes into the reading. */
static void read_function(const chart_cell *c, const double *values, double noise, chart_reading *r) {
    plane_function f;
    plane_mask clear;
    plane_interpolate(c->table, c->k, values, &f);
    double error = f.error + noise + 16 * DBL_EPSILON;
    plane_mask_fill(&c->grid, &clear);
    plane_clear(&c->grid, &f, error, &clear);
    if (plane_mask_full(&c->grid, &clear)) return;
    plane_mask_meet(&r->clear, &clear, &r->clear);
    if (error < r->error) return;
    r->error = error;
    memcpy(r->tails, f.tails, sizeof f.tails);
}

/* The functions of a spectrum `beyond` the limit. */
static void read_matrix(const chart_cell *c, int which, double beyond, chart_reading *found) {
    double scaled[PLANE_NODES], noise;
    crossing_value values[PLANE_NODES][CROSSING_FUNCTIONS];
    crossing_kind kind = which == PLACE_MAP ? c->kind : which == PLACE_LOOP ? CROSSING_ONE : CROSSING_CIRCLE;
    plane_mask_fill(&c->grid, &found->clear);
    found->error = found->tails[0] = found->tails[1] = 0;
    found->neutral = false;
    for (int n = 0; n < c->count; n++) {
        const place *p = c->nodes[n];
        if (beyond == 0 && (which != PLACE_MAP || p->kind == kind))
            memcpy(values[n], p->functions[which], sizeof values[n]);
        else
            crossing_values(kind, &p->spectra[which], beyond, values[n]);
        if (which == PLACE_MAP && c->poles) place_take_poles(p, kind, values[n]);
    }
    for (int f = 0; f < crossing_count(kind); f++)
        if (crossing_scale(&values[0][f], CROSSING_FUNCTIONS, c->count, scaled, &noise))
            read_function(c, scaled, noise, found);
        else
            found->neutral = true;
}

static bool is_whole(const chart_cell *c, const chart_reading *r) {
    return !r->neutral && plane_mask_full(&c->grid, &r->clear);
}

/* ---- Unstable everywhere ---- */

/* Radii beyond which the same eigenvalues are at all nodes: in the widest gap between moduli (between real
 * parts, for the line). How many: 0 or RADII. */
static int gap_radii(const chart_cell *c, int which, double radii[RADII]) {
    double best = 0, high = 0, low = 0;
    int n = c->nodes[0]->spectra[which].n;
    for (int m = 0; m < n; m++) {
        double hi = (double)INFINITY, lo = 0;
        for (int k = 0; k < c->count; k++) {
            const double *ranks = c->nodes[k]->spectra[which].ranks;
            hi = fmin(hi, ranks[m]);
            if (m + 1 < n) lo = fmax(lo, ranks[m + 1]);
        }
        if (!(hi > 0)) break;
        double gap = c->continuous ? hi - lo : log1p(hi) - log1p(lo);
        if (gap > best) best = gap, high = hi, low = lo;
    }
    if (!(best > 1e-12) || !isfinite(high)) return 0;
    for (int i = 0; i < RADII; i++)
        radii[i] = c->continuous ? low + shares[i] * (high - low) : crossing_between(low, high, shares[i]);
    return RADII;
}

/* |trace M^k| > n throughout? Where M may have a pole, d^k trace M^k is looked at, which has none, against
 * the largest n d^k: near a pole it is far beyond. */
static bool trace_beyond(const chart_cell *c, int which, int power) {
    double values[PLANE_NODES], error;
    if (!place_traces(c->nodes, c->count, which, power, which == PLACE_MAP && c->poles, values, &error))
        return false;
    plane_function f;
    plane_mask clear;
    plane_mask_fill(&c->grid, &clear);
    plane_interpolate(c->table, c->k, values, &f);
    plane_clear(&c->grid, &f, f.error + error, &clear);
    return plane_mask_full(&c->grid, &clear);
}

static bool unstable_everywhere(const chart_cell *c, int which) {
    double radii[RADII];
    int fewest, most;
    count_beyond(c, which, &fewest, &most);
    if (fewest == 0) return false;
    for (int i = 0; i < POWERS && !c->continuous; i++)
        if (trace_beyond(c, which, powers[i])) return true;
    for (int i = 0, count = gap_radii(c, which, radii); i < count; i++) {
        chart_reading r;
        read_matrix(c, which, radii[i], &r);
        if (is_whole(c, &r)) return true;
    }
    return false;
}

/* ---- The cell ---- */

/* Moves the components of the guesses' clear sub-cells in which the iteration diverges to `diverges`. */
static void find_divergence(const chart_cell *c, const chart_reading *guesses, plane_mask *diverges) {
    plane_mask left = guesses->clear, component;
    int seed[2];
    *diverges = (plane_mask){{0}};
    while (plane_mask_component(&left, &component, seed)) {
        bool any = false, all = true;
        for (int n = 0; n < c->count; n++) {
            if (!has_node(c, &component, n)) continue;
            any = true;
            all = all && crossing_beyond(&c->nodes[n]->spectra[PLACE_GUESSES], 0) > 0;
        }
        for (int i = 0; i < PLANE_CELLS && any && all; i++) diverges->rows[i] |= component.rows[i];
    }
}

/* Whether the map may have a pole: where I - J or I - D L may be singular. */
static bool may_have_poles(const chart_cell *c, const chart_reading *guesses) {
    chart_reading loop;
    if (c->nodes[0]->spectra[PLACE_GUESSES].n > 0 && !is_whole(c, guesses)) return true;
    if (c->nodes[0]->spectra[PLACE_LOOP].n == 0) return false;
    read_matrix(c, PLACE_LOOP, 0, &loop);
    return !is_whole(c, &loop);
}

costab_outcome chart_cell_read(chart_cell *c, chart_reading *r) {
    chart_reading guesses = {.error = 0};
    int fewest, most, diverging = 0;
    plane_mask_fill(&c->grid, &guesses.clear);
    r->diverges = (plane_mask){{0}};
    if (c->nodes[0]->spectra[PLACE_GUESSES].n > 0) {
        if (unstable_everywhere(c, PLACE_GUESSES)) return COSTAB_OUTCOME_UNSTABLE;
        read_matrix(c, PLACE_GUESSES, 0, &guesses);
        count_beyond(c, PLACE_GUESSES, &fewest, &diverging);
        if (is_whole(c, &guesses) && fewest == diverging && fewest > 0) return COSTAB_OUTCOME_UNSTABLE;
        if (diverging > 0 && !guesses.neutral) find_divergence(c, &guesses, &r->diverges);
    }
    c->poles = may_have_poles(c, &guesses);
    if (unstable_everywhere(c, PLACE_MAP)) return COSTAB_OUTCOME_UNSTABLE;
    read_matrix(c, PLACE_MAP, 0, r);
    count_beyond(c, PLACE_MAP, &fewest, &most);
    bool clear = is_whole(c, r) && is_whole(c, &guesses);
    if (is_whole(c, r) && fewest == most && most > 0) return COSTAB_OUTCOME_UNSTABLE;
    if (clear && most == 0 && diverging == 0) return COSTAB_OUTCOME_STABLE;
    plane_mask_meet(&r->clear, &guesses.clear, &r->clear);
    for (int i = 0; i < PLANE_CELLS; i++) r->clear.rows[i] &= ~r->diverges.rows[i];
    r->neutral = r->neutral || guesses.neutral;
    if (clear || guesses.error > r->error) {
        /* counts that differ although nothing crosses: not resolved */
        r->error = clear ? 2 : guesses.error;
        memcpy(r->tails, guesses.tails, sizeof r->tails);
    }
    return COSTAB_OUTCOME_UNDECIDED;
}
