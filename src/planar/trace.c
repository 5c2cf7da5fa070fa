/* The outline of a stable set inside a box, as closed loops, from the stable intervals of its rows:
 *
 *  1. Rows are taken at many Gamma. Two neighbours are of one kind if they have the same number of intervals,
 *     whose ends are bounds of the same conditions. Between two rows one more is taken in the middle, again
 *     and again, until its ends lie on the chords between both, or, where the kind changes, until they are
 *     next to each other.
 *  2. Successive rows of one kind are a strip. It has two curves per interval: the lower ends and the upper
 *     ends.
 *  3. On the vertical line between two strips the ends of their curves are sorted by Delta. The first is
 *     joined to the second, the third to the fourth, and so on: between the two of a pair the stable set lies
 *     on one side of the line only, so that the line bounds it there.
 *  4. The joined curves are closed loops. Points between which a straight segment is good enough are dropped.
 *
 * Cost: a row's interval is a closed form or a polynomial's roots; some thousands of rows. Not guaranteed:
 * what lies within one step of BASE_ROWS rows, unless it is next to a side of the box, where rows come closer
 * and closer. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "planar/outline.h"

enum { BASE_ROWS = 1024, END_DECADES = 9, STRIPS_MAX = 20000 };

#define RESOLUTION 1e-12 /* of Gamma, relative to the width of the box */

typedef struct row {
    double gamma;
    int count;
    costab_interval pieces[COSTAB_ROW_PIECES_MAX];
} row;

/* Step 2. Its rows lie in values[], its curves' conditions in edges[]. */
typedef struct strip {
    int pieces;
    size_t first,
        count;     /* rows, from values[first] on: 1 + 2 pieces numbers each, gamma, then the ends in turn */
    size_t edges;  /* index of its first curve in edges[]: two per interval */
    size_t curves; /* number of its first curve among all */
} strip;

typedef struct tracer {
    const costab_planar_slice *slice;
    outline_box box;
    double width, height, tolerance;
    double *values;
    strip *strips;
    uint8_t *edges;
    size_t value_count, value_capacity, strip_count, strip_capacity, edge_count, edge_capacity;
    size_t *partner; /* the end to which each end of a curve is joined; an end's number is 2 curve + right */
} tracer;

/* Clips an interval to the box. */
static void clip(const tracer *t, costab_interval *piece) {
    double slack = 1e-13 * t->height;
    if (!(piece->lower > t->box.y[0] - slack)) piece->lower_cause = OUTLINE_CUT;
    if (!(piece->upper < t->box.y[1] + slack)) piece->upper_cause = OUTLINE_CUT;
    piece->lower = fmax(piece->lower, t->box.y[0]);
    piece->upper = fmin(piece->upper, t->box.y[1]);
}

/* The row at gamma, clipped to the box. At the box's own sides the limit from inside is meant. */
static void row_at(const tracer *t, double gamma, row *r) {
    double inset = 1e-13 * t->width;
    costab_interval all[COSTAB_ROW_PIECES_MAX];
    double inside = fmin(fmax(gamma, t->box.x[0] + inset), t->box.x[1] - inset);
    int count = costab_planar_row(t->slice, inside, all);
    r->gamma = gamma;
    r->count = 0;
    for (int i = 0; i < count; i++) {
        clip(t, &all[i]);
        if (all[i].lower < all[i].upper) r->pieces[r->count++] = all[i];
    }
}

/* Whether two rows are of one kind (step 1). */
static bool same_kind(const row *p, const row *q) {
    if (p->count != q->count) return false;
    for (int i = 0; i < p->count; i++)
        if (p->pieces[i].lower_cause != q->pieces[i].lower_cause ||
            p->pieces[i].upper_cause != q->pieces[i].upper_cause)
            return false;
    return true;
}

/* Whether the value in the middle lies on the chord, within the tolerance. */
static bool is_on_chord(const tracer *t, double dx, double v0, double vm, double v1) {
    double rise = (v1 - v0) / t->height, off = (vm - 0.5 * (v0 + v1)) / t->height;
    return fabs(off) * dx <= 0.5 * t->tolerance * hypot(dx, rise);
}

/* Whether that holds for all ends of the row in the middle. */
static bool rows_are_straight(const tracer *t, const row *p, const row *middle, const row *q) {
    double dx = (q->gamma - p->gamma) / t->width;
    for (int i = 0; i < p->count; i++)
        if (!is_on_chord(t, dx, p->pieces[i].lower, middle->pieces[i].lower, q->pieces[i].lower) ||
            !is_on_chord(t, dx, p->pieces[i].upper, middle->pieces[i].upper, q->pieces[i].upper))
            return false;
    return true;
}

static costab_status append_row(tracer *t, const row *r, costab_error *error) {
    strip *s = &t->strips[t->strip_count - 1];
    size_t stride = 1 + 2 * (size_t)r->count;
    TRY(memory_room(&t->values, &t->value_capacity, t->value_count + stride, error));
    double *v = t->values + t->value_count;
    v[0] = r->gamma;
    for (int i = 0; i < r->count; i++) {
        v[1 + 2 * i] = r->pieces[i].lower;
        v[2 + 2 * i] = r->pieces[i].upper;
    }
    t->value_count += stride;
    s->count++;
    return COSTAB_OK;
}

static costab_status begin_strip(tracer *t, const row *r, costab_error *error) {
    if (t->strip_count >= STRIPS_MAX)
        return error_set(error, COSTAB_NUMERIC,
                         "the outline of the stable set at a = %.17g breaks into more than %d strips",
                         t->slice->a, STRIPS_MAX);
    size_t needed = t->edge_count + 2 * (size_t)r->count + 1;
    TRY(memory_room(&t->strips, &t->strip_capacity, t->strip_count + 1, error));
    TRY(memory_room(&t->edges, &t->edge_capacity, needed, error));
    t->strips[t->strip_count++] = (strip){r->count, t->value_count, 0, t->edge_count, t->edge_count};
    for (int i = 0; i < r->count; i++) {
        t->edges[t->edge_count++] = r->pieces[i].lower_cause;
        t->edges[t->edge_count++] = r->pieces[i].upper_cause;
    }
    return append_row(t, r, error);
}

/* Adds the rows after p up to q (step 1). */
static costab_status refine(tracer *t, const row *p, const row *q, costab_error *error) {
    bool same = same_kind(p, q);
    double width = q->gamma - p->gamma;
    if (width <= RESOLUTION * t->width) return same ? append_row(t, q, error) : begin_strip(t, q, error);
    row middle;
    row_at(t, 0.5 * (p->gamma + q->gamma), &middle);
    if (same && same_kind(p, &middle) && rows_are_straight(t, p, &middle, q)) return append_row(t, q, error);
    TRY(refine(t, p, &middle, error));
    return refine(t, &middle, q, error);
}

/* Adds all rows: at equal steps, and closer and closer to both sides of the box, where thin regions lie (at
 * Gamma = 0).
 */
static costab_status sample(tracer *t, costab_error *error) {
    row rows[2];
    int now = 0, total = BASE_ROWS + 2 * END_DECADES;
    row_at(t, t->box.x[0], &rows[now]);
    TRY(begin_strip(t, &rows[now], error));
    for (int i = 1; i <= total; i++) {
        double share;
        if (i <= END_DECADES)
            share = pow(10, i - END_DECADES - 1) / BASE_ROWS;
        else if (i < total - END_DECADES)
            share = (double)(i - END_DECADES) / BASE_ROWS;
        else
            share = i == total ? 1 : 1 - pow(10, total - END_DECADES - i - 1) / BASE_ROWS;
        double gamma = i == total ? t->box.x[1] : t->box.x[0] + share * t->width;
        if (gamma <= rows[now].gamma) continue;
        row_at(t, gamma, &rows[!now]);
        TRY(refine(t, &rows[now], &rows[!now], error));
        now = !now;
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

static const double *strip_row(const tracer *t, const strip *s, size_t i) {
    return t->values + s->first + i * (1 + 2 * (size_t)s->pieces);
}

/* The ends of a strip's curves on its right or left side. */
static int collect_ends(const tracer *t, const strip *s, bool right, curve_end *ends) {
    const double *v = strip_row(t, s, right ? s->count - 1 : 0);
    for (int i = 0; i < 2 * s->pieces; i++)
        ends[i] = (curve_end){v[1 + i], 2 * (s->curves + (size_t)i) + right, i % 2 == 1};
    return 2 * s->pieces;
}

/* Joins the ends of curves on every line between strips, and on the box's sides (step 3). */
static void join_ends(tracer *t) {
    curve_end ends[4 * COSTAB_ROW_PIECES_MAX];
    for (size_t line = 0; line <= t->strip_count; line++) {
        int count = 0;
        if (line > 0) count = collect_ends(t, &t->strips[line - 1], true, ends);
        if (line < t->strip_count) count += collect_ends(t, &t->strips[line], false, ends + count);
        qsort(ends, (size_t)count, sizeof *ends, by_value);
        for (int i = 0; i + 1 < count; i += 2) {
            t->partner[ends[i].end] = ends[i + 1].end;
            t->partner[ends[i + 1].end] = ends[i].end;
        }
    }
}

/* The strip that a curve belongs to. */
static const strip *strip_of(const tracer *t, size_t curve) {
    size_t low = 0, high = t->strip_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (t->strips[middle].curves <= curve)
            low = middle;
        else
            high = middle;
    }
    return &t->strips[low];
}

/* The condition that bounds the stable set on the vertical line at an end of a strip, at height delta. */
static uint8_t vertical_edge(const tracer *t, const strip *s, bool right, double delta) {
    const strip *other = right ? s + 1 : s - 1;
    if (right ? other == t->strips + t->strip_count : s == t->strips) return OUTLINE_CUT;
    const double *here = strip_row(t, s, right ? s->count - 1 : 0);
    bool stable_here = false;
    for (int i = 0; i < s->pieces; i++)
        stable_here = stable_here || (here[1 + 2 * i] < delta && delta < here[2 + 2 * i]);
    double away = 1e-9 * t->width * (right == stable_here ? 1 : -1);
    double gamma = here[0] + away;
    costab_planar_point point;
    costab_planar_points(t->slice->planar, 1, &t->slice->a, &gamma, &delta, &point);
    const uint8_t order[] = {COSTAB_CAUSE_FOLD, COSTAB_CAUSE_DET, COSTAB_CAUSE_FLIP, COSTAB_CAUSE_ITERATION};
    for (size_t i = 0; i < sizeof order; i++)
        if (point.cause & order[i]) return order[i];
    return OUTLINE_CUT;
}

/* Appends a curve from its end `enter` to its other end, whose number is returned through *leave. */
static void append_curve(const tracer *t, size_t enter, size_t *leave, outline *result) {
    size_t curve = enter / 2;
    bool from_right = enter % 2 == 1;
    const strip *s = strip_of(t, curve);
    size_t column = 1 + (curve - s->curves);
    for (size_t i = 0; i < s->count; i++) {
        const double *v = strip_row(t, s, from_right ? s->count - 1 - i : i);
        outline_add_point(result, v[0], v[column], t->edges[curve]);
    }
    *leave = 2 * curve + !from_right;
    if (result->failed) return;
    outline_point *last = &result->points[result->point_count - 1];
    size_t next = t->partner[*leave] / 2, next_right = t->partner[*leave] % 2;
    const strip *n = strip_of(t, next);
    const double *v = strip_row(t, n, next_right ? n->count - 1 : 0);
    double goal = v[1 + (next - n->curves)];
    if (fabs(goal - last->y) <= 1e-9 * t->height)
        last->edge = t->edges[next];
    else
        last->edge = vertical_edge(t, s, !from_right, 0.5 * (goal + last->y));
}

/* Appends all loops (step 4). */
static costab_status append_loops(const tracer *t, outline *result, costab_error *error) {
    memory_local_array(bool, done, t->edge_count + 1, error);
    for (size_t curve = 0; curve < t->edge_count && !result->failed; curve++) {
        if (done[curve]) continue;
        /* A lower curve goes to the right, an upper one to the left: the inside is on the left hand. */
        const strip *s = strip_of(t, curve);
        size_t begin = 2 * curve + ((curve - s->curves) % 2), at = begin, first = result->point_count;
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
    memory_free_all(t->values, t->strips, t->edges, t->partner);
}

costab_status outline_trace(const costab_planar_slice *slice, const outline_box *box, double tolerance,
                            outline *result, costab_error *error) {
    ends_by(free_tracer) tracer t = {.slice = slice,
                                     .box = *box,
                                     .width = box->x[1] - box->x[0],
                                     .height = box->y[1] - box->y[0],
                                     .tolerance = tolerance};
    TRY(sample(&t, error));
    TRY(memory_make(&t.partner, 2 * t.edge_count + 1, error));
    join_ends(&t);
    return append_loops(&t, result, error);
}
