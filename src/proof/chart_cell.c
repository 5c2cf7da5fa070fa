/* One rectangle of two parameters: the crossing functions on it, and its verdict (docs/algorithms.md,
 * Certified charts).
 *
 * 1. Nodes are products of Chebyshev points. All must be well-posed, without overflow, and of the same sizes.
 * 2. The crossing functions of the iteration's matrix J (`guesses`), of the loop D L, and of the map are
 *    interpolated. Each tells sub-cells on which it has no zero: clear ones.
 * 3. Where the determinants of I - J and I - D L have no zero the map has no poles; else the map's functions
 *    are multiplied by these determinants.
 * 4. All clear, and as many eigenvalues beyond the limit at every node: one verdict. Else one eigenvalue may
 *    be shown to stay beyond it (exclusion.h).
 * 5. A connected set of clear sub-cells at the nodes of which the iteration diverges is unstable, whatever
 *    the map does.
 *
 * Cost: an eigenvalue problem for each new node. Not guaranteed: the interpolation's error is an estimate. */
#include "proof/chart_cell.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "proof/exclusion.h"

_Static_assert((int)CHEBYSHEV_2D_NODES <= (int)EXCLUSION_SAMPLES, "all nodes of a cell have room");

static const double at_limit[CHEBYSHEV_2D_NODES] = {0};

/* ---- Nodes ---- */

/* The parameter of direction d at x of [-1, 1]. */
static double parameter_at(const chart_cell *c, int d, double x) {
    if (c->alike[d]) return c->low[d];
    return x <= -1 ? c->from[d] : x >= 1 ? c->to[d] : c->from[d] + (c->to[d] - c->from[d]) * (x + 1) / 2;
}

costab_status chart_cell_find(const chart_cell *c, double x, double y, const sample **found,
                              costab_error *error) {
    const double at[2] = {parameter_at(c, 0, x), parameter_at(c, 1, y)};
    return sample_find(c->cache, at, found, error);
}

/* The number of node n along direction d. */
static int node_number(const chart_cell *c, int n, int d) {
    int side = chebyshev_2d_degree(c->k[1]) + 1;
    return d == 0 ? n / side : n % side;
}

/* Where node n is along direction d, in [-1, 1]. */
static double node_at(const chart_cell *c, int n, int d) {
    return c->table->points[c->k[d]][node_number(c, n, d)];
}

/* Is node n in one of the sub-cells of a set? */
static bool has_node(const chart_cell *c, const chebyshev_2d_mask *set, int n) {
    return chebyshev_2d_mask_has(set, chebyshev_2d_grid_at(&c->grid, 0, node_at(c, n, 0)),
                                 chebyshev_2d_grid_at(&c->grid, 1, node_at(c, n, 1)));
}

costab_status chart_cell_take(chart_cell *c, bool *ordinary, costab_error *error) {
    c->count = (chebyshev_2d_degree(c->k[0]) + 1) * (chebyshev_2d_degree(c->k[1]) + 1);
    *ordinary = true;
    for (int n = 0; n < c->count && *ordinary; n++) {
        TRY(chart_cell_find(c, node_at(c, n, 0), node_at(c, n, 1), &c->nodes[n], error));
        const sample *p = c->nodes[n];
        *ordinary = sample_is_comparable(p, c->nodes[0]);
        if (n == 0 || p->nullity < c->nullity) c->nullity = p->nullity;
        if (n == 0 || p->kind == CROSSING_CIRCLE_COMPLEX) c->kind = p->kind;
    }
    return COSTAB_OK;
}

/* The fewest and the most eigenvalues beyond the limit at any node. */
static void count_beyond(const chart_cell *c, sample_matrix matrix, int *fewest, int *most) {
    *fewest = *most = 0;
    for (int n = 0; n < c->count; n++) {
        int count = crossing_beyond(&c->nodes[n]->spectra[matrix], 0);
        if (n == 0 || count < *fewest) *fewest = count;
        if (n == 0 || count > *most) *most = count;
    }
}

costab_outcome chart_cell_verdict(const chart_cell *c, const chebyshev_2d_mask *set) {
    costab_outcome verdict = COSTAB_OUTCOME_NEUTRAL;
    for (int n = 0; n < c->count; n++) {
        if (!has_node(c, set, n)) continue;
        costab_outcome now = sample_outcome(c->nodes[n]);
        if (now != COSTAB_OUTCOME_STABLE && now != COSTAB_OUTCOME_UNSTABLE) continue;
        if (verdict != COSTAB_OUTCOME_NEUTRAL && now != verdict) return COSTAB_OUTCOME_UNDECIDED;
        verdict = now;
    }
    return verdict;
}

/* ---- Functions ---- */

/* Interpolates one function: takes from r->clear the sub-cells where it may be 0, and keeps its error where
 * that is the largest. */
static void read_function(const chart_cell *c, const double *values, double noise, chart_reading *r) {
    chebyshev_2d_function f;
    chebyshev_2d_mask clear;
    chebyshev_2d_interpolate(c->table, c->k, values, &f);
    double error = f.error + noise + 16 * DBL_EPSILON;
    chebyshev_2d_mask_fill(&c->grid, &clear);
    chebyshev_2d_clear(&c->grid, &f, error, &clear);
    if (chebyshev_2d_mask_full(&c->grid, &clear)) return;
    chebyshev_2d_mask_meet(&r->clear, &clear, &r->clear);
    if (error < r->error) return;
    r->error = error;
    memcpy(r->tails, f.tails, sizeof f.tails);
}

/* Reads all crossing functions of one matrix, at node n so far as beyond[n] beyond the limit; all but
 * found->diverges. */
static void read_matrix(const chart_cell *c, sample_matrix matrix, const double *beyond,
                        chart_reading *found) {
    double scaled[CHEBYSHEV_2D_NODES], noise;
    crossing_value values[CHEBYSHEV_2D_NODES][CROSSING_FUNCTIONS];
    crossing_kind kind = matrix == SAMPLE_MAP    ? c->kind
                         : matrix == SAMPLE_LOOP ? CROSSING_ONE
                                                 : CROSSING_CIRCLE;
    chebyshev_2d_mask_fill(&c->grid, &found->clear);
    found->error = found->tails[0] = found->tails[1] = 0;
    found->neutral = false;
    for (int n = 0; n < c->count; n++) {
        sample_functions_at(c->nodes[n], matrix, kind, beyond[n], values[n]);
        if (matrix == SAMPLE_MAP && c->has_poles) sample_take_poles(c->nodes[n], kind, values[n]);
    }
    for (int f = 0; f < crossing_count(kind); f++)
        if (crossing_scale(&values[0][f], CROSSING_FUNCTIONS, c->count, scaled, &noise))
            read_function(c, scaled, noise, found);
        else
            found->neutral = true;
}

/* Has no function a zero in the cell? */
static bool is_clear_throughout(const chart_cell *c, const chart_reading *r) {
    return !r->neutral && chebyshev_2d_mask_full(&c->grid, &r->clear);
}

/* ---- Unstable everywhere ---- */

/* The questions of exclusion.h. */
static bool exceeds(const void *of, const double *values, double error) {
    const chart_cell *c = of;
    chebyshev_2d_function f;
    chebyshev_2d_mask clear;
    chebyshev_2d_mask_fill(&c->grid, &clear);
    chebyshev_2d_interpolate(c->table, c->k, values, &f);
    chebyshev_2d_clear(&c->grid, &f, f.error + error, &clear);
    return chebyshev_2d_mask_full(&c->grid, &clear);
}

/* The plane is the first terms of the interpolant. */
static void smooth(const void *of, double *values, double *least) {
    const chart_cell *c = of;
    chebyshev_2d_function f;
    chebyshev_2d_interpolate(c->table, c->k, values, &f);
    double along = f.coefficients[f.side[1]], across = f.coefficients[1];
    for (int n = 0; n < c->count; n++)
        values[n] = f.coefficients[0] + along * node_at(c, n, 0) + across * node_at(c, n, 1);
    *least = f.coefficients[0] - fabs(along) - fabs(across);
}

static bool has_no_crossing(const void *of, sample_matrix matrix, const double *beyond) {
    chart_reading r;
    read_matrix(of, matrix, beyond, &r);
    return is_clear_throughout(of, &r);
}

static bool unstable_everywhere(const chart_cell *c, sample_matrix matrix) {
    costab_reason reason;
    const exclusion_domain domain = {.cell = c,
                                     .samples = c->nodes,
                                     .count = c->count,
                                     .matrix = matrix,
                                     .axis = c->continuous,
                                     .has_poles = matrix == SAMPLE_MAP && c->has_poles,
                                     .exceeds = exceeds,
                                     .smooth = smooth,
                                     .has_no_crossing = has_no_crossing};
    return exclusion_find(&domain, &reason);
}

/* ---- The cell ---- */

/* Step 5: [out] *diverges: the connected sets of sub-cells clear of J's zeros at all nodes of which J has an
 * eigenvalue beyond the circle. */
static void find_divergence(const chart_cell *c, const chart_reading *guesses, chebyshev_2d_mask *diverges) {
    chebyshev_2d_mask left = guesses->clear, component;
    int seed[2];
    *diverges = (chebyshev_2d_mask){{0}};
    while (chebyshev_2d_mask_component(&left, &component, seed)) {
        bool any = false, all = true;
        for (int n = 0; n < c->count; n++) {
            if (!has_node(c, &component, n)) continue;
            any = true;
            all = all && crossing_beyond(&c->nodes[n]->spectra[SAMPLE_GUESSES], 0) > 0;
        }
        for (int i = 0; i < CHEBYSHEV_2D_CELLS && any && all; i++) diverges->rows[i] |= component.rows[i];
    }
}

/* Whether the map may have a pole: where I - J or I - D L may be singular. */
static bool may_have_poles(const chart_cell *c, const chart_reading *guesses) {
    chart_reading loop;
    if (c->nodes[0]->spectra[SAMPLE_GUESSES].n > 0 && !is_clear_throughout(c, guesses)) return true;
    if (c->nodes[0]->spectra[SAMPLE_LOOP].n == 0) return false;
    read_matrix(c, SAMPLE_LOOP, at_limit, &loop);
    return !is_clear_throughout(c, &loop);
}

costab_outcome chart_cell_read(chart_cell *c, chart_reading *r) {
    chart_reading guesses = {.error = 0};
    int fewest, most, diverging = 0;
    chebyshev_2d_mask_fill(&c->grid, &guesses.clear);
    r->diverges = (chebyshev_2d_mask){{0}};
    if (c->nodes[0]->spectra[SAMPLE_GUESSES].n > 0) {
        if (unstable_everywhere(c, SAMPLE_GUESSES)) return COSTAB_OUTCOME_UNSTABLE;
        read_matrix(c, SAMPLE_GUESSES, at_limit, &guesses);
        count_beyond(c, SAMPLE_GUESSES, &fewest, &diverging);
        if (is_clear_throughout(c, &guesses) && fewest == diverging && fewest > 0)
            return COSTAB_OUTCOME_UNSTABLE;
        if (diverging > 0 && !guesses.neutral) find_divergence(c, &guesses, &r->diverges);
    }
    c->has_poles = may_have_poles(c, &guesses);
    if (unstable_everywhere(c, SAMPLE_MAP)) return COSTAB_OUTCOME_UNSTABLE;
    read_matrix(c, SAMPLE_MAP, at_limit, r);
    count_beyond(c, SAMPLE_MAP, &fewest, &most);
    bool clear = is_clear_throughout(c, r) && is_clear_throughout(c, &guesses);
    if (is_clear_throughout(c, r) && fewest == most && most > 0) return COSTAB_OUTCOME_UNSTABLE;
    if (clear && most == 0 && diverging == 0) return COSTAB_OUTCOME_STABLE;
    chebyshev_2d_mask_meet(&r->clear, &guesses.clear, &r->clear);
    for (int i = 0; i < CHEBYSHEV_2D_CELLS; i++) r->clear.rows[i] &= ~r->diverges.rows[i];
    r->neutral = r->neutral || guesses.neutral;
    if (clear || guesses.error > r->error) {
        /* counts that differ although nothing crosses: not resolved */
        r->error = clear ? 2 : guesses.error;
        memcpy(r->tails, guesses.tails, sizeof r->tails);
    }
    return COSTAB_OUTCOME_UNDECIDED;
}
