/* Traces the outline of a stable set inside a box, as closed loops, from the stable intervals of rows.
 *
 * 1. Rows are sampled over Gamma. Adjacent rows are of one kind if they have equal numbers of intervals
 *    bounded by the same conditions.
 * 2. Rows are refined and collected to strips (strips.c). A strip has two curves per interval: lower and
 *    upper ends.
 * 3. On the vertical line between two strips all ends of curves are sorted by Delta and joined in pairs:
 *    first and second, third and fourth, and so on. Between the ends of a pair the set is stable on one side
 *    of the line only, so the line bounds it there.
 * 4. The joined curves are closed loops, which are simplified within the tolerance.
 *
 * Cost: some thousand rows; a row is a closed form or the roots of a polynomial. Limitation: features within
 * one of the BASE_ROWS steps are missed, except next to the sides of the box, where steps decrease
 * geometrically. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "planar/row.h"
#include "planar/strips.h"
#include "planar/trace.h"

enum { BASE_ROWS = 1024, END_DECADES = 9 };

#define RESOLUTION 1e-12 /* of Gamma, relative to the width of the box */

typedef struct tracer {
    const costab_planar_slice *slice;
    outline_box box;
    double width, height, tolerance;
    strips strips;
    size_t *partner; /* the end joined to each end of a curve; index of an end: 2 curve + right */
} tracer;

/* Clips an interval to the box. */
static void clip(const tracer *t, costab_interval *piece) {
    double slack = 1e-13 * t->height;
    if (!(piece->lower > t->box.y[0] - slack)) piece->lower_cause = OUTLINE_CUT;
    if (!(piece->upper < t->box.y[1] + slack)) piece->upper_cause = OUTLINE_CUT;
    piece->lower = fmax(piece->lower, t->box.y[0]);
    piece->upper = fmin(piece->upper, t->box.y[1]);
}

/* The row at gamma, clipped to the box: lower and upper ends of its intervals alternate. On the box's sides
 * the row is taken just inside. */
static void row_at(const void *tracing, double gamma, strip_row *r) {
    const tracer *t = tracing;
    double inset = 1e-13 * t->width;
    double inside = fmin(fmax(gamma, t->box.x[0] + inset), t->box.x[1] - inset);
    planar_row row = planar_row_make(t->slice, inside);
    planar_pieces found;
    planar_row_find(t->slice, &row, inside, &found);
    r->gamma = gamma;
    r->kind = r->count = 0;
    for (int i = 0; i < found.count; i++) {
        costab_interval piece = found.piece[i];
        clip(t, &piece);
        if (!(piece.lower < piece.upper)) continue;
        r->edge[r->count] = piece.lower_cause;
        r->value[r->count++] = piece.lower;
        r->edge[r->count] = piece.upper_cause;
        r->value[r->count++] = piece.upper;
    }
}

/* Samples rows at equal steps, and at decreasing steps next to both sides of the box, where thin regions
 * occur (at Gamma = 0). */
static costab_status sample(tracer *t, costab_error *error) {
    int total = BASE_ROWS + 2 * END_DECADES;
    TRY(strips_trace(&t->strips, t->box.x[0], error));
    for (int i = 1; i <= total; i++) {
        double share;
        if (i <= END_DECADES)
            share = pow(10, i - END_DECADES - 1) / BASE_ROWS;
        else if (i < total - END_DECADES)
            share = (double)(i - END_DECADES) / BASE_ROWS;
        else
            share = i == total ? 1 : 1 - pow(10, total - END_DECADES - i - 1) / BASE_ROWS;
        double gamma = i == total ? t->box.x[1] : t->box.x[0] + share * t->width;
        if (gamma > t->strips.last.gamma) TRY(strips_trace(&t->strips, gamma, error));
    }
    return COSTAB_OK;
}

/* An end of a curve on the line between two strips. */
typedef struct curve_end {
    double value;
    size_t end;
    bool upper;
} curve_end;

static int by_value(const void *p, const void *q) {
    const curve_end *x = p, *y = q;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    if (x->upper != y->upper) return x->upper ? 1 : -1;
    return (x->end > y->end) - (x->end < y->end);
}

/* Collects the ends of a strip's curves on its right or left side. */
static int collect_ends(const tracer *t, const strip *s, bool right, curve_end *ends) {
    const double *v = strips_row(&t->strips, s, right ? s->rows - 1 : 0);
    for (int i = 0; i < s->count; i++)
        ends[i] = (curve_end){v[1 + i], 2 * (s->edges + (size_t)i) + right, i % 2 == 1};
    return s->count;
}

/* Joins the ends of curves on every line between strips and on the box's sides. */
static void join_ends(tracer *t) {
    curve_end ends[4 * COSTAB_ROW_PIECES_MAX];
    for (size_t line = 0; line <= t->strips.count; line++) {
        int count = 0;
        if (line > 0) count = collect_ends(t, &t->strips.items[line - 1], true, ends);
        if (line < t->strips.count) count += collect_ends(t, &t->strips.items[line], false, ends + count);
        qsort(ends, (size_t)count, sizeof *ends, by_value);
        for (int i = 0; i + 1 < count; i += 2) {
            t->partner[ends[i].end] = ends[i + 1].end;
            t->partner[ends[i + 1].end] = ends[i].end;
        }
    }
}

/* Returns the strip of a curve. */
static const strip *strip_of(const tracer *t, size_t curve) {
    size_t low = 0, high = t->strips.count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (t->strips.items[middle].edges <= curve)
            low = middle;
        else
            high = middle;
    }
    return &t->strips.items[low];
}

/* Returns the condition that bounds the stable set on the vertical line at an end of a strip, at height
 * delta. */
static uint8_t vertical_edge(const tracer *t, const strip *s, bool right, double delta) {
    const strip *other = right ? s + 1 : s - 1;
    if (right ? other == t->strips.items + t->strips.count : s == t->strips.items) return OUTLINE_CUT;
    const double *here = strips_row(&t->strips, s, right ? s->rows - 1 : 0);
    bool stable_here = false;
    for (int i = 0; i < s->count; i += 2)
        stable_here = stable_here || (here[1 + i] < delta && delta < here[2 + i]);
    double away = 1e-9 * t->width * (right == stable_here ? 1 : -1);
    double gamma = here[0] + away;
    const uint8_t cause = planar_point(t->slice, gamma, delta).cause;
    const uint8_t order[] = {COSTAB_CAUSE_FOLD, COSTAB_CAUSE_DET, COSTAB_CAUSE_FLIP, COSTAB_CAUSE_ITERATION};
    for (size_t i = 0; i < sizeof order; i++)
        if (cause & order[i]) return order[i];
    return OUTLINE_CUT;
}

/* Appends a curve from its end `enter` to its other end, *leave. */
static void append_curve(const tracer *t, size_t enter, size_t *leave, outline *result) {
    size_t curve = enter / 2;
    bool from_right = enter % 2 == 1;
    const strip *s = strip_of(t, curve);
    size_t column = 1 + (curve - s->edges);
    for (size_t i = 0; i < s->rows; i++) {
        const double *v = strips_row(&t->strips, s, from_right ? s->rows - 1 - i : i);
        outline_add_point(result, v[0], v[column], t->strips.edges[curve]);
    }
    *leave = 2 * curve + !from_right;
    if (result->failed) return;
    outline_point *last = &result->points[result->point_count - 1];
    size_t next = t->partner[*leave] / 2, next_right = t->partner[*leave] % 2;
    const strip *n = strip_of(t, next);
    const double *v = strips_row(&t->strips, n, next_right ? n->rows - 1 : 0);
    double goal = v[1 + (next - n->edges)];
    if (fabs(goal - last->y) <= 1e-9 * t->height)
        last->edge = t->strips.edges[next];
    else
        last->edge = vertical_edge(t, s, !from_right, 0.5 * (goal + last->y));
}

/* Appends all loops. */
static costab_status append_loops(const tracer *t, outline *result, costab_error *error) {
    memory_local_array(bool, done, t->strips.edge_count + 1, error);
    for (size_t curve = 0; curve < t->strips.edge_count && !result->failed; curve++) {
        if (done[curve]) continue;
        /* Lower curves run to the right, upper curves to the left: the interior is on the left-hand side. */
        const strip *s = strip_of(t, curve);
        size_t begin = 2 * curve + ((curve - s->edges) % 2), at = begin, first = result->point_count;
        do {
            done[at / 2] = true;
            size_t leave = at;
            append_curve(t, at, &leave, result);
            at = t->partner[leave];
        } while (at != begin);
        if (!result->failed) outline_add_loop(result, first, result->points[first].edge, true);
        outline_simplify_last(result, &t->box, 0.5 * t->tolerance);
    }
    return result->failed ? error_memory(error) : COSTAB_OK;
}

static void free_tracer(tracer *t) {
    strips_free(&t->strips);
    memory_free_all(t->partner);
}

costab_status outline_trace(const costab_planar_slice *slice, const outline_box *box, double tolerance,
                            outline *result, costab_error *error) {
    ends_by(free_tracer) tracer t = {.slice = slice,
                                     .box = *box,
                                     .width = box->x[1] - box->x[0],
                                     .height = box->y[1] - box->y[0],
                                     .tolerance = tolerance};
    t.strips = (strips){.row_at = row_at,
                        .source = &t,
                        .width = t.width,
                        .height = t.height,
                        .tolerance = 0.5 * tolerance,
                        .resolution = RESOLUTION * t.width};
    TRY(sample(&t, error));
    TRY(memory_make(&t.partner, 2 * t.strips.edge_count + 1, error));
    join_ends(&t);
    return append_loops(&t, result, error);
}
