/* Evaluates the crossing functions at the nodes of a cell and finds the subintervals without zeros.
 * 1. Nodes are Chebyshev points. At a cell end on a known zero the end node moves slightly inwards.
 * 2. Functions are products over eigenvalues (crossing.h), multiplied by the determinants that cancel poles.
 *    Known zeros in or near the cell are divided out (deflation: f / (p - zero) is analytic as well).
 * 3. Each function is interpolated (interpolant.h). The cell is clear of zeros where |interpolant| exceeds
 *    its error.
 * Limitation: the interpolation error is an estimate. */
#include "limit/cell.h"

#include <math.h>

#include "base/error.h"

/* A cell is resolved if each function is unresolved on at most this share of [-1, 1]. */
#define UNRESOLVED_MOST 0.1
/* A function is noisy if its relative rounding error reaches this value at every node. */
#define NOISY_SHARE 0.25
/* Functions of a cell with positive ends are scaled only if the ends differ by at most this factor. */
#define FACTOR_MOST 500.0
/* A cell gets a verdict only if the mean node distance is at most that of 33 nodes over the whole range, or
 * over this share of the range's larger end if that is more. A narrow range alone does not show how fast
 * functions vary. */
#define APART 0.125
/* If the range has several first cells, the mean node distance is also at most 1/16 of the first cell, so a
 * polynomial of degree 16 cannot alias. */
enum { FIRST_INTERVALS = 16 };
/* Largest distance of an end node from a known zero, relative to the cell's width. */
#define OFFSET_MOST 1e-3

/* ---- Nodes ---- */

/* Returns the node at one end of the cell. At the border of a known zero this is the zero's check point,
 * unless the check point is too far inside or within the undecided interval around the zero. */
static double end_node(const cell *c, double at) {
    const known_zero *zero = search_zero_at(c->s, at);
    if (zero == NULL || zero->offset > OFFSET_MOST * (c->to - c->from) || zero->offset < zero->half)
        return at;
    return at == c->from ? zero->at + zero->offset : zero->at - zero->offset;
}

const known_zero *cell_zero(const cell *c) {
    for (size_t i = 0; i < c->s->zero_count; i++) {
        const known_zero *zero = &c->s->zeros[i];
        if (zero->at - zero->half > c->from && zero->at + zero->half < c->to) return zero;
    }
    return NULL;
}

/* The check point was evaluated when the zero was found. */
costab_status cell_gather_zero_check(cell *c, costab_error *error) {
    const known_zero *zero = cell_zero(c);
    c->zero_check = 0;
    if (zero == NULL || !(zero->at - zero->offset > c->from)) return COSTAB_OK;
    double at = zero->at - zero->offset;
    TRY(sample_find(c->s->cache, at, &c->nodes[c->count + c->checks], error));
    c->zero_check = 1;
    return COSTAB_OK;
}

costab_status cell_gather(cell *c, int k, costab_error *error) {
    double at[CHEBYSHEV_MOST + 1];
    int last = chebyshev_degree(k);
    c->k = k;
    c->checks = 0;
    c->count = last + 1;
    at[0] = end_node(c, c->from);
    at[last] = end_node(c, c->to);
    for (int i = 1; i < last; i++) at[i] = cell_parameter(c, c->s->table.points[k][i]);
    c->node_offset = fmax(at[0] - c->from, c->to - at[last]);
    TRY(sample_find_all(c->s->cache, c->count, at, c->nodes, error));
    for (int i = 0; i < c->count; i++)
        if (i == 0 || c->nodes[i]->kind == CROSSING_CIRCLE_COMPLEX) c->kind = c->nodes[i]->kind;
    return cell_gather_zero_check(c, error);
}

costab_status cell_gather_checks(cell *c, costab_error *error) {
    double at[INTERPOLANT_CHECKS];
    bool same = true;
    for (int i = 0; i < INTERPOLANT_CHECKS; i++)
        at[i] = cell_parameter(c, interpolant_check(&c->s->table, c->k, i));
    TRY(sample_find_all(c->s->cache, INTERPOLANT_CHECKS, at, c->nodes + c->count, error));
    for (int i = 0; i < INTERPOLANT_CHECKS; i++) {
        const sample *p = c->nodes[c->count + i];
        same = same && sample_is_comparable(p, c->nodes[0]) &&
               (p->kind == c->kind || c->kind == CROSSING_CIRCLE_COMPLEX);
    }
    c->checks = same ? INTERPOLANT_CHECKS : 0;
    return cell_gather_zero_check(c, error);
}

bool cell_is_near_origin(const cell *c) {
    return c->from > 0 && c->to > FACTOR_MOST * c->from;
}

bool cell_is_dense(const cell *c) {
    static const double loss = 1e-9; /* exceeds the rounding of halved intervals */
    const search *s = c->s;
    double most = fmax(s->upper - s->lower, APART * search_scale(s, s->lower, s->upper)) / CHEBYSHEV_MOST;
    most = fmin(most, search_first_width(s, c->from, c->to) / FIRST_INTERVALS);
    return (c->to - c->from) / (c->count - 1) <= (1 + loss) * most;
}

int cell_change(const cell *c) {
    int changes = 0, at = 0;
    costab_outcome before = sample_outcome(c->nodes[0]);
    for (int i = 0; i < c->count; i++) {
        costab_outcome now = sample_outcome(c->nodes[i]);
        if (now != COSTAB_OUTCOME_STABLE && now != COSTAB_OUTCOME_UNSTABLE) return 0;
        if (now == before) continue;
        changes++;
        at = i;
        before = now;
    }
    return changes == 1 ? at : 0;
}

/* ---- Crossing functions ---- */

double cell_offset_noise(const cell *c) {
    double degree = c->count - 1;
    return 2 * degree * degree * c->node_offset / (c->to - c->from);
}

/* Divides the functions of a matrix by known zeros at most one cell width away. */
static void deflate(const cell *c, sample_matrix matrix, cell_functions *f) {
    double width = c->to - c->from;
    for (size_t e = 0; e < c->s->zero_count; e++) {
        const known_zero *zero = &c->s->zeros[e];
        if (zero->matrix != matrix || zero->at < c->from - width || zero->at > c->to + width) continue;
        f->deflated |= 1U << zero->function;
        for (int i = 0; i < cell_samples(c); i++) {
            crossing_value *v = &f->at[i][zero->function];
            double away = c->nodes[i]->at - zero->at;
            if (fabs(away) > zero->error) v->mantissa *= width / away;
            v->noise += fabs(away) > zero->error ? zero->error / fabs(away) : 1;
        }
    }
}

void cell_functions_at(const cell *c, sample_matrix matrix, const double *beyond, cell_functions *f) {
    bool at_limit = true;
    crossing_kind kind = matrix == SAMPLE_GUESSES ? CROSSING_CIRCLE : c->kind;
    f->deflated = 0;
    f->functions = crossing_count(kind);
    for (int i = 0; i < cell_samples(c); i++) {
        sample_functions_at(c->nodes[i], matrix, kind, beyond[i], f->at[i]);
        if (matrix == SAMPLE_MAP) sample_take_poles(c->nodes[i], kind, f->at[i]);
        at_limit = at_limit && beyond[i] == 0;
    }
    if (at_limit) deflate(c, matrix, f);
    for (int k = 0; k < f->functions; k++) {
        f->at[0][k].noise += cell_offset_noise(c);
        f->at[c->count - 1][k].noise += cell_offset_noise(c);
    }
}

/* Returns true if rounding dominates the function at every node. */
static bool is_noisy(const cell *c, const cell_functions *f, int function) {
    for (int i = 0; i < c->count; i++)
        if (f->at[i][function].noise < NOISY_SHARE) return false;
    return true;
}

/* Interpolates one function and appends its unresolved intervals. */
static void add_unresolved(const cell *c, const interpolant_nodes *nodes, const cell_functions *f,
                           int function, unresolved_list *list) {
    crossing_value at[INTERPOLANT_SAMPLES];
    interpolant_reading r;
    for (int i = 0; i < cell_samples(c); i++) at[i] = f->at[i][function];
    list->noisy = list->noisy || is_noisy(c, f, function);
    interpolant_read(nodes, at, &r);
    list->neutral = list->neutral || r.neutral;
    list->spread = fmax(list->spread, r.spread);
    if (r.neutral) return;
    if (r.width > 2 * UNRESOLVED_MOST && !r.final) list->resolved = false;
    list->throughout = list->throughout || (r.width >= 2 && !r.final);
    for (int i = 0; i < r.count && list->count < CELL_INTERVALS; i++)
        list->items[list->count++] = r.unresolved[i];
}

void cell_find_unresolved(const cell *c, const cell_functions *f, unresolved_list *list) {
    list->count = 0;
    list->resolved = true;
    list->throughout = list->neutral = list->noisy = false;
    list->spread = 0;
    interpolant_nodes nodes = {.table = &c->s->table,
                               .k = c->k,
                               .count = c->count,
                               .checks = c->checks,
                               .zero_check = c->zero_check,
                               .narrow = c->narrow};
    for (int i = 0; i < cell_samples(c); i++) nodes.p[i] = c->nodes[i]->at;
    if (c->zero_check > 0)
        nodes.zero_check_at = chebyshev_coordinate(nodes.p[c->count + c->checks], c->from, c->to);
    for (int function = 0; function < f->functions; function++) {
        nodes.deflated = (f->deflated >> function & 1) != 0;
        add_unresolved(c, &nodes, f, function, list);
    }
    list->count = chebyshev_join(list->items, list->count);
}

bool cell_is_clear(const unresolved_list *list) {
    return list->count == 0 && list->resolved && !list->neutral;
}
