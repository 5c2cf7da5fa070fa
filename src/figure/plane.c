/* Panels over two axes: a piecewise smooth function on a grid becomes regions and lines.
 *
 *   1. Per cut (a level of the radius, or a bit of the class) each grid point is inside or outside, or
 *      missing.
 *   2. On an edge with one end inside the cut crosses where the sweep stored level 1, or the class's change;
 *      else by linear interpolation of the logarithm of the radius (of the value where that is asked for).
 *   3. cells.c joins the crossings of each cell (marching squares) to pieces of the cell, and these to closed
 *      loops with labels; loops are painted by area, the largest first.
 *   4. Contours are cut on a finer grid (refined.c), whose values are 0 where the sweep stored level 1.
 *
 * Cost: linear in points; sorting of loops. Not guaranteed: what is smaller than a cell is not seen, and
 * curves inside of a cell are chords. */
#include "figure/plane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/read.h"

#define LOG_MOST 700.0 /* of radii, for interpolation: infinite ones, and zero */

/* ---- Cuts */

static double log_radius(double radius) {
    return fmin(fmax(log(fmax(radius, 0)), -LOG_MOST), LOG_MOST);
}

/* Where, between two places with these values, a value is that lies between theirs. */
static double place_of(double wanted, double p, double q, double at_p, double at_q) {
    double t = (wanted - at_p) / (at_q - at_p);
    return isfinite(t) ? p + fmin(fmax(t, 0), 1) * (q - p) : 0.5 * (p + q);
}

/* The crossing of a level: between 1 and the ends where that is known. */
static double radius_crossing(double level, double one, double p, double q, double at_p, double at_q) {
    if (isnan(one) || !((at_p < 0) != (at_q < 0))) return place_of(level, p, q, at_p, at_q);
    if (level == 0) return one;
    return (level < at_p) != (level < 0) ? place_of(level, p, one, at_p, 0)
                                         : place_of(level, one, q, 0, at_q);
}

/* The arrays of a cut lie in one block behind each other. */
static grid_cut *cut_make(plane *w) {
    size_t points = w->cells.nx * w->cells.ny;
    grid_cut *cut = &w->cuts[w->cells.cut_count];
    if (w->failed) return NULL;
    cut->inside = memory_alloc(points, sizeof *cut->inside);
    cut->value = memory_alloc(3 * points, sizeof *cut->value);
    w->failed |= !cut->inside || !cut->value;
    if (w->failed) return NULL;
    cut->cross_x = cut->value + points;
    cut->cross_y = cut->cross_x + points;
    w->cells.cut_count++;
    return cut;
}

/* A point's edges: to the next along x (0) and along y (1). */
typedef struct edge {
    const grid_axis *axis;
    const double *one, *iteration_one; /* crossings of 1 */
    size_t i, at, next;                /* its first point along the axis, and both in the grid */
    double p, q;
    double *cross;
} edge;

static int edges_of(const plane *w, const grid_cut *cut, size_t i, size_t j, edge *edges) {
    const grid *g = &w->grid;
    size_t at = i * g->y.count + j;
    int count = 0;
    if (i + 1 < g->x.count)
        edges[count++] =
            (edge){&g->x,          w->drawn->one_x,    g->iteration.one_x, i, at, at + g->y.count,
                   g->x.places[i], g->x.places[i + 1], &cut->cross_x[at]};
    if (j + 1 < g->y.count)
        edges[count++] = (edge){&g->y,          w->drawn->one_y,    g->iteration.one_y, j, at, at + 1,
                                g->y.places[j], g->y.places[j + 1], &cut->cross_y[at]};
    return count;
}

/* A bit of the class. Where it changes: at the level 1 that was found there, else where one of the values
 * that decide about it passes, else in the middle. */
static double bit_crossing(const plane *w, const edge *e, int bit) {
    bool discrete = bit == PLANE_DISCRETE;
    const grid *g = &w->grid;
    const double *radius = g->radius.values, *iteration = g->iteration.values, *abscissa = g->abscissa;
    size_t p = e->at, q = e->next;
    if (bit == PLANE_CONTINUOUS && abscissa && (abscissa[p] < 0) != (abscissa[q] < 0))
        return place_of(0, e->p, e->q, abscissa[p], abscissa[q]);
    if (discrete) {
        double one = grid_crossing(e->axis, e->i, e->one, p);
        double iteration_one = grid_crossing(e->axis, e->i, e->iteration_one, p);
        /* Of two that which is met first from the stable end; fmin and fmax leave out a NaN. */
        one = g->codes[p] & 1 ? fmin(one, iteration_one) : fmax(one, iteration_one);
        if (!isnan(one)) return one;
    }
    const double *sources[2] = {radius, iteration};
    for (int k = 0; k < 2 && discrete; k++)
        if (sources[k] && (sources[k][p] < 1) != (sources[k][q] < 1) && !isnan(sources[k][p] + sources[k][q]))
            return place_of(0, e->p, e->q, log_radius(sources[k][p]), log_radius(sources[k][q]));
    return 0.5 * (e->p + e->q);
}

/* Adds a cut: at a level of the logarithm of the radius or, with a bit, where that bit of the class changes.
 */
static void add_cut(plane *w, double level, int bit) {
    const grid_cut *cut = cut_make(w);
    const grid *g = &w->grid;
    for (size_t i = 0; cut && i < w->cells.nx; i++)
        for (size_t j = 0; j < w->cells.ny; j++) {
            edge edges[2];
            size_t at = i * w->cells.ny + j;
            cut->inside[at] = bit ? (g->codes[at] & bit) != 0 : w->cut.values[at] < level;
            cut->value[at] = !bit ? w->cut.values[at] - level : cut->inside[at] ? -1 : 1;
            if (bit == 1 && g->radius.values && !isnan(w->cut.values[at])) cut->value[at] = w->cut.values[at];
            for (int e = 0, count = edges_of(w, cut, i, j, edges); e < count; e++) {
                const edge *to = &edges[e];
                *to->cross = bit ? bit_crossing(w, to, bit)
                                 : radius_crossing(level, grid_crossing(to->axis, to->i, to->one, at), to->p,
                                                   to->q, w->cut.values[at], w->cut.values[to->next]);
            }
        }
}

void plane_cut_level(plane *w, double level) {
    add_cut(w, w->plain ? level : log(level), 0);
}

void plane_cut_class(plane *w, int bit) {
    add_cut(w, 0, bit);
}

/* ---- Panels */

static void plane_free(plane *w) {
    for (int c = 0; c < CELL_CUTS_MAX; c++) memory_free_all(w->cuts[c].inside, w->cuts[c].value);
    grid_free(&w->grid);
    outline_free(&w->regions);
    refined_free(&w->cut);
}

/* What is drawn is cut on a finer grid: lines without corners. */
static costab_status use_finer_grid(plane *w, costab_error *error) {
    refined coarse = w->cut;
    coarse.x = w->grid.x;
    coarse.y = w->grid.y;
    coarse.one_x = w->drawn->one_x;
    coarse.one_y = w->drawn->one_y;
    for (size_t i = 0; i < coarse.x.count * coarse.y.count; i++)
        if (!isfinite(coarse.values[i])) return COSTAB_OK;
    costab_status status = refined_make(&coarse, &w->cut, error);
    memory_free_all(coarse.missing, coarse.values);
    if (status) return status;
    w->grid.x = w->cut.x;
    w->grid.y = w->cut.y;
    w->other = (grid_radius){w->cut.values, w->cut.one_x, w->cut.one_y};
    w->drawn = &w->other;
    return COSTAB_OK;
}

static costab_status plane_make(plane *w, bool classes, costab_error *error) {
    const grid *g = &w->grid;
    size_t points = g->x.count * g->y.count;
    const double *values = w->drawn->values;
    TRY(memory_make(&w->cut.missing, points, error));
    TRY(memory_make(&w->cut.values, points, error));
    for (size_t i = 0; i < points; i++) {
        bool none = !values || isnan(values[i]) || (w->finite && !isfinite(values[i]));
        w->cut.values[i] = none ? 0 : w->plain ? values[i] : log_radius(values[i]);
        w->cut.missing[i] = classes ? (g->codes[i] & PLANE_NO_CLASS) != 0 : none;
    }
    if (w->s && !classes) TRY(use_finer_grid(w, error));
    w->cells = (cell_grid){.nx = g->x.count,
                           .ny = g->y.count,
                           .x = g->x.places,
                           .y = g->y.places,
                           .missing = w->cut.missing,
                           .cuts = w->cuts,
                           .context = w};
    return COSTAB_OK;
}

/* Draws one grid, into a new panel unless it has one. */
static costab_status draw_grid(plane *w, bool classes, const grid_frame *frame, const size_t *at,
                               void (*draw)(plane *w), costab_error *error) {
    const figure_request *r = w->request;
    size_t points = w->grid.x.count * w->grid.y.count;
    /* Where the radius passes 1 the decay passes 0. */
    bool decay = strcmp(r->of, "decay") == 0;
    w->other = (grid_radius){w->grid.drawn, decay ? w->grid.radius.one_x : NULL,
                             decay ? w->grid.radius.one_y : NULL};
    w->drawn = classes ? &w->grid.radius : w->grid.ones != NULL ? w->grid.ones : &w->other;
    if (classes ? !w->grid.codes : !w->drawn->values)
        return read_missing(r->results, classes ? "class" : r->of, error);
    /* Couplings that do not iterate have no iteration radius. */
    if (!classes && w->drawn == &w->grid.iteration && !grid_has_numbers(w->drawn->values, points)) {
        text_local note = {0};
        text_printf(&note, "%s has no %s, as it does not iterate.", r->plan->axes[0].labels[w->coupling],
                    r->of);
        if (w->s && !note.failed) scene_note(w->s, note.data);
        return COSTAB_OK;
    }
    TRY(plane_make(w, classes, error));
    w->at = at;
    if (w->s && !w->panel) w->panel = grid_panel(w->request, w->s, w->kind, frame, at);
    draw(w);
    return w->failed ? error_memory(error) : COSTAB_OK;
}

costab_status planes_draw(plane *w, bool classes, const grid_frame *frame, void (*draw)(plane *w),
                          costab_error *error) {
    unsigned sliced = figure_sliced(w->request, w->kind);
    size_t at[COSTAB_AXES_MAX], here[COSTAB_AXES_MAX];
    costab_status status = COSTAB_OK;
    figure_first_panel(w->request, at);
    do {
        scene_panel *panel = NULL;
        memcpy(here, at, sizeof here);
        do {
            memory_local_array(plane, next, 1, error);
            *next = *w;
            next->panel = panel;
            next->coupling = (int)here[0];
            status = grid_read(w->request, frame, here, &next->grid, error);
            if (!status) status = draw_grid(next, classes, frame, here, draw, error);
            panel = next->panel;
            plane_free(next);
        } while (!status && w->kind->overlaid && figure_next_panel(w->request, 1U, here));
    } while (!status && figure_next_panel(w->request, sliced, at));
    return status;
}

costab_status planes_of_classes(const figure_request *r, scene *s, const figure_kind *kind,
                                costab_error *error) {
    plane w = {.request = r, .s = s, .kind = kind};
    ends_by(grid_frame_free) grid_frame frame = {.of = NULL};
    TRY(grid_frame_make(r, true, &frame, error));
    return planes_draw(&w, true, &frame, kind->plane, error);
}

/* ---- Regions */

typedef struct painted {
    size_t loop;
    double area;
} painted;

static int by_area(const void *p, const void *q) {
    const painted *a = p, *b = q;
    if (a->area != b->area) return a->area > b->area ? -1 : 1;
    return (a->loop > b->loop) - (a->loop < b->loop);
}

/* Loops of one label that follow each other make one layer. */
static void put_loops(plane *w, const painted *order, size_t count,
                      void (*style_of)(int label, char style[SCENE_WORD_MAX])) {
    for (size_t k = 0; k < count;) {
        uint8_t label = w->regions.loops[order[k].loop].edge;
        outline area = {0};
        char style[SCENE_WORD_MAX] = "failed";
        for (; k < count && w->regions.loops[order[k].loop].edge == label; k++) {
            outline one = w->regions;
            one.loops += order[k].loop;
            one.loop_count = 1;
            outline_append(&area, &one);
        }
        if (label != CELL_MISSING) style_of(label, style);
        scene_put(w->panel, SCENE_FILL, style, &area);
    }
}

void plane_paint(plane *w, void (*style_of)(int label, char style[SCENE_WORD_MAX])) {
    cell_regions(&w->cells, &w->regions);
    memory_local painted *order = memory_alloc(w->regions.loop_count + 1, sizeof *order);
    size_t count = 0;
    w->failed |= w->regions.failed || !order;
    for (size_t l = 0; l < w->regions.loop_count && order; l++) {
        double area = outline_loop_area(&w->regions, l);
        if (area > 0) order[count++] = (painted){l, area};
    }
    if (order) qsort(order, count, sizeof *order, by_area);
    put_loops(w, order, count, style_of);
}

void plane_line(plane *w, int cut, const char *style, outline *kept, uint8_t number) {
    outline line = {0};
    if (cut < w->cells.cut_count) cell_line(&w->cells, cut, &line);
    for (size_t l = 0; l < line.loop_count; l++) line.loops[l].edge = number;
    if (kept) outline_append(kept, &line);
    scene_put(w->panel, SCENE_CURVE, style, &line);
}
