/* Panels over two axes: outlines of point sets of the stored grid.
 *   1. A set contains the points of a class, or the points whose value is below a level.
 *   2. Its border crosses an edge of the grid where the sweep stored that the radius passes 1. Elsewhere it
 *      follows linear interpolation: of the logarithm of a radius, of the spectral abscissa, or of values
 *      without a logarithm. A neutral class has no such number: its border is in the middle of the edge.
 *   3. cells.c joins the crossings to closed outlines.
 * Cost: linear in points. Memory: up to about 100 bytes for each point of one panel. Limitation: details
 * smaller than a cell are invisible, and borders are straight inside a cell. */
#include "figure/plane.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define LOG_MOST 700.0 /* of radii: bounds the logarithms of 0 and of infinity */

/* ---- Crossings */

static double log_radius(double radius) {
    return fmin(fmax(log(fmax(radius, 0)), -LOG_MOST), LOG_MOST);
}

/* Returns the place between p and q at which a linear function with these values at p and q has the value
 * `wanted`. */
static double interpolate(double wanted, double p, double q, double at_p, double at_q) {
    const double t = (wanted - at_p) / (at_q - at_p);
    return isfinite(t) ? p + fmin(fmax(t, 0), 1) * (q - p) : 0.5 * (p + q);
}

/* An edge of the grid. */
typedef struct edge {
    size_t p, q; /* the points */
    double from, to;
    const grid_axis *axis;
    size_t i; /* the index of p along the axis */
    bool along_y;
} edge;

static edge edge_at(const plane *w, size_t at, bool along_y) {
    const size_t ny = w->cells.ny, i = along_y ? at % ny : at / ny;
    const grid_axis *axis = along_y ? &w->frame->y : &w->frame->x;
    return (edge){at, at + (along_y ? 1 : ny), axis->places[i], axis->places[i + 1], axis, i, along_y};
}

static double stored_crossing(const edge *e, const grid_field *field) {
    return grid_crossing(e->axis, e->i, e->along_y ? field->one_y : field->one_x, e->p);
}

/* Returns the place at which the map's stability changes. */
static double map_crossing(const plane *w, const edge *e) {
    const grid *g = &w->grid;
    const double one = stored_crossing(e, &g->radius), iteration = stored_crossing(e, &g->iteration);
    /* the crossing nearer to the stable end; fmin and fmax skip a NaN */
    const double first = g->codes[e->p] & PLANE_DISCRETE ? fmin(one, iteration) : fmax(one, iteration);
    if (!isnan(first)) return first;
    const double *sources[2] = {g->radius.values, g->iteration.values};
    for (int k = 0; k < 2; k++) {
        const double *radius = sources[k];
        if (radius && (radius[e->p] < 1) != (radius[e->q] < 1) && !isnan(radius[e->p] + radius[e->q]))
            return interpolate(0, e->from, e->to, log_radius(radius[e->p]), log_radius(radius[e->q]));
    }
    return 0.5 * (e->from + e->to);
}

/* Returns the place at which the continuous system's stability changes. */
static double system_crossing(const plane *w, const edge *e) {
    const double *abscissa = w->grid.abscissa;
    if (abscissa && (abscissa[e->p] < 0) != (abscissa[e->q] < 0))
        return interpolate(0, e->from, e->to, abscissa[e->p], abscissa[e->q]);
    return 0.5 * (e->from + e->to);
}

/* ---- Sets of points */

typedef struct point_set {
    const plane *w;
    unsigned mask; /* of classes */
    double level;  /* of values */
    bool *inside;
} point_set;

static double known_crossing(const void *context, size_t at, bool along_y) {
    const point_set *set = context; /* not called: all points with a value are inside */
    return edge_at(set->w, at, along_y).from;
}

/* Returns the place at which the class changes; if both its letters change, the crossing nearer to the set.
 */
static double class_crossing(const void *context, size_t at, bool along_y) {
    const point_set *set = context;
    const plane *w = set->w;
    const edge e = edge_at(w, at, along_y);
    const unsigned p = w->grid.codes[e.p], q = w->grid.codes[e.q], changed = (p ^ q) & set->mask;
    const double middle = 0.5 * (e.from + e.to);
    double map = middle, system = middle;
    if (changed & PLANE_DISCRETE) map = map_crossing(w, &e);
    if (changed & PLANE_CONTINUOUS) system = system_crossing(w, &e);
    if ((changed & PLANE_MAP) == 0) return system;
    if ((changed & PLANE_SYSTEM) == 0) return map;
    return set->inside[e.p] ? fmin(map, system) : fmax(map, system);
}

static double value_of(const plane *w, size_t at) {
    return w->linear ? w->grid.of.values[at] : log_radius(w->grid.of.values[at]);
}

/* Returns the place of a level. Levels other than the limit are interpolated between the stored crossing of
 * the limit and one end. */
static double level_crossing(const void *context, size_t at, bool along_y) {
    const point_set *set = context;
    const edge e = edge_at(set->w, at, along_y);
    const double p = value_of(set->w, e.p), q = value_of(set->w, e.q), level = set->level;
    const double one = stored_crossing(&e, &set->w->grid.of);
    if (isnan(one) || (p < 0) == (q < 0)) return interpolate(level, e.from, e.to, p, q);
    if (level == 0) return one;
    return (level < p) != (level < 0) ? interpolate(level, e.from, one, p, 0)
                                      : interpolate(level, one, e.to, 0, q);
}

static bool value_joins(const void *context, const size_t corners[4]) {
    const point_set *set = context;
    double sum = 0;
    for (int k = 0; k < 4; k++) sum += value_of(set->w, corners[k]) - set->level;
    return sum < 0;
}

/* Corners with stable maps are joined if the mean logarithm of the radius is negative. */
static bool class_joins(const void *context, const size_t corners[4]) {
    const point_set *set = context;
    const double *radius = set->w->grid.radius.values;
    double sum = 0;
    for (int k = 0; k < 4 && radius; k++) sum += log_radius(radius[corners[k]]);
    return set->mask == PLANE_DISCRETE && sum < 0;
}

static costab_status trace(const point_set *set, double (*crossing)(const void *, size_t, bool),
                           bool (*joins)(const void *, const size_t *), outline *region,
                           costab_error *error) {
    cell_outline(&set->w->cells, &(cell_set){set->inside, crossing, joins, set}, region);
    return region->failed ? error_memory(error) : COSTAB_OK;
}

/* Appends the outline of all points with a value. */
static costab_status known_outline(const plane *w, outline *region, costab_error *error) {
    memory_local_array(bool, inside, w->points, error);
    memset(inside, true, w->points);
    const point_set set = {.w = w, .inside = inside};
    return trace(&set, known_crossing, NULL, region, error);
}

costab_status plane_class(const plane *w, unsigned mask, unsigned code, outline *region,
                          costab_error *error) {
    memory_local_array(bool, inside, w->points, error);
    for (size_t p = 0; p < w->points; p++) inside[p] = (w->grid.codes[p] & mask) == code;
    const point_set set = {.w = w, .mask = mask, .inside = inside};
    return trace(&set, class_crossing, class_joins, region, error);
}

costab_status plane_below(const plane *w, double level, outline *region, costab_error *error) {
    memory_local_array(bool, inside, w->points, error);
    const point_set set = {.w = w, .level = w->linear ? level : log(level), .inside = inside};
    for (size_t p = 0; p < w->points; p++) inside[p] = !w->missing[p] && value_of(w, p) < set.level;
    return trace(&set, level_crossing, value_joins, region, error);
}

/* ---- Layers */

costab_status plane_ground(plane *w, const char *style, costab_error *error) {
    outline known = {0};
    if (w->missing_count > 0) grid_put_missing(w->frame, w->panel);
    const costab_status status = known_outline(w, &known, error);
    scene_put(w->panel, SCENE_FILL, style, &known);
    return status;
}

/* ---- Panels */

static void forget(plane *w) {
    grid_free(&w->grid);
    memory_free(w->missing);
    w->missing = NULL;
}

/* Reads what is stored and determines the missing points. */
static costab_status prepare(plane *w, costab_error *error) {
    const grid_axis *x = &w->frame->x, *y = &w->frame->y;
    w->points = x->count * y->count;
    w->missing_count = 0;
    TRY(grid_read(w->request, w->frame, w->at, w->classes, &w->grid, error));
    TRY(memory_make(&w->missing, w->points, error));
    for (size_t p = 0; p < w->points; p++) {
        w->missing[p] = w->classes  ? (w->grid.codes[p] & PLANE_NO_CLASS) != 0
                        : w->finite ? !isfinite(w->grid.of.values[p])
                                    : isnan(w->grid.of.values[p]);
        w->missing_count += w->missing[p];
    }
    w->cells = (cell_grid){x->count, y->count, x->places, y->places, w->missing};
    return COSTAB_OK;
}

static costab_status draw_one(plane *w, plane_draw *draw, void *context, costab_error *error) {
    const figure_request *r = w->request;
    TRY(prepare(w, error));
    if (w->missing_count == w->points && strcmp(r->of, "iteration_radius") == 0 && !w->classes) {
        text_local note = {0};
        text_printf(&note, "%s has no %s, as it does not iterate.", r->plan->axes[0].labels[w->at[0]], r->of);
        if (w->s && !note.failed) scene_note(w->s, note.data);
        return COSTAB_OK;
    }
    if (w->s && !w->panel) {
        w->panel = figure_panel(r, w->s, w->kind, w->at);
        grid_set_axes(r, w->frame, w->panel);
    }
    return draw(w, context, error);
}

costab_status planes_draw(const plane *like, const grid_frame *frame, plane_draw *draw, void *context,
                          costab_error *error) {
    const figure_request *r = like->request;
    const unsigned panel_axes = figure_panel_axes(r, like->kind);
    size_t at[COSTAB_AXES_MAX], here[COSTAB_AXES_MAX];
    figure_first_panel(r, at);
    do {
        plane w = *like;
        w.frame = frame;
        w.at = here;
        memcpy(here, at, sizeof here);
        do {
            const costab_status status = draw_one(&w, draw, context, error);
            forget(&w);
            TRY(status);
        } while (like->kind->overlaid && figure_next_panel(r, 1U, here));
    } while (figure_next_panel(r, panel_axes, at));
    return COSTAB_OK;
}

costab_status planes_of_classes(const figure_request *r, scene *s, const figure_kind *kind, plane_draw *draw,
                                costab_error *error) {
    ends_by(grid_frame_free) grid_frame frame = {.of = NULL};
    TRY(grid_frame_make(r, true, &frame, error));
    return planes_draw(&(plane){.request = r, .s = s, .kind = kind, .classes = true}, &frame, draw, NULL,
                       error);
}
