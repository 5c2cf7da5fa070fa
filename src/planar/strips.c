/* Adaptive sampling of rows in strips.
 *
 * 1. The interval between two rows is halved until the values of the middle row are on the chords, or, if the
 *    kind changes, until the rows are adjacent.
 * 2. If requested, a row away from the middle is checked as well: an S-shaped curve crosses its chord at the
 *    middle.
 * 3. Consecutive rows of one kind form a strip.
 *
 * Cost: two or three computed rows per stored row. Limitations: features between two rows that agree with the
 * row between them are missed; curves that require more than ROWS_MAX rows are refused. */
#include "planar/strips.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* Limit of the stored rows. The charts of RK4 need some 1,250. Rounding errors above the tolerance, as in a
 * window of 1e5 by 1, are refined without end. */
#define ROWS_MAX 20000
/* Segments below this fraction of the width are not probed. */
#define PROBED 1e-9

static bool are_connected(const strip_row *p, const strip_row *q) {
    return p->kind == q->kind && p->count == q->count &&
           memcmp(p->edge, q->edge, (size_t)p->count * sizeof *p->edge) == 0;
}

/* Returns true if the values of `between` are on the chords from left to right. */
static bool is_straight(const strips *s, const strip_row *left, const strip_row *between,
                        const strip_row *right) {
    double run = (right->gamma - left->gamma) / s->width;
    double share = (between->gamma - left->gamma) / (right->gamma - left->gamma);
    for (int k = 0; k < between->count; k++) {
        double l = left->value[k], r = right->value[k];
        double off = fabs(between->value[k] - l - share * (r - l)) / s->height;
        if (off * run > s->tolerance * hypot(run, (r - l) / s->height)) return false;
    }
    return true;
}

static costab_status add_row(strips *s, const strip_row *row, costab_error *error) {
    size_t stride = 1 + (size_t)row->count, edges = (size_t)row->count;
    if (s->row_count >= ROWS_MAX)
        return error_set(
            error, COSTAB_NUMERIC,
            "the curves require more than %d rows in this window, as rounding errors are larger than "
            "the accuracy of a curve; take a smaller window",
            ROWS_MAX);
    if (s->count == 0 || !are_connected(&s->last, row)) {
        TRY(memory_reserve(&s->items, &s->capacity, s->count + 1, error));
        TRY(memory_reserve(&s->edges, &s->edge_capacity, s->edge_count + edges + 1, error));
        s->items[s->count++] = (strip){row->kind, row->count, s->value_count, 0, s->edge_count};
        memcpy(s->edges + s->edge_count, row->edge, edges * sizeof *s->edges);
        s->edge_count += edges;
    }
    TRY(memory_reserve(&s->values, &s->value_capacity, s->value_count + stride, error));
    s->values[s->value_count] = row->gamma;
    memcpy(s->values + s->value_count + 1, row->value, edges * sizeof *s->values);
    s->value_count += stride;
    s->items[s->count - 1].rows++;
    s->row_count++;
    s->last = *row;
    return COSTAB_OK;
}

/* Returns true if the segment from left to right is accurate enough. */
static bool is_good(const strips *s, const strip_row *left, const strip_row *middle, const strip_row *right) {
    if (!are_connected(left, middle) || !are_connected(middle, right) || !is_straight(s, left, middle, right))
        return false;
    if (!s->probe || right->gamma - left->gamma <= PROBED * s->width) return true;
    strip_row probe;
    s->row_at(s->source, left->gamma + 0.2764 * (right->gamma - left->gamma), &probe);
    return are_connected(left, &probe) && is_straight(s, left, &probe, right);
}

/* Adds the rows after `left` up to `right`. */
static costab_status refine(strips *s, const strip_row *left, const strip_row *right, costab_error *error) {
    double middle = 0.5 * (left->gamma + right->gamma);
    if (right->gamma - left->gamma <= s->resolution || middle <= left->gamma || middle >= right->gamma)
        return add_row(s, right, error);
    strip_row between;
    s->row_at(s->source, middle, &between);
    if (is_good(s, left, &between, right)) return add_row(s, right, error);
    TRY(refine(s, left, &between, error));
    return refine(s, &between, right, error);
}

costab_status strips_trace(strips *s, double gamma, costab_error *error) {
    strip_row row;
    s->row_at(s->source, gamma, &row);
    if (s->count == 0) return add_row(s, &row, error);
    const strip_row left = s->last;
    return refine(s, &left, &row, error);
}

void strips_free(strips *s) {
    memory_free_all(s->items, s->values, s->edges);
}
