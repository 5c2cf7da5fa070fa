/* Panels over two axes: a piecewise smooth function on a grid becomes regions and lines.
 *
 *   1. Per cut (a level of the radius, or a bit of the class) each grid point is inside or outside, or
 *      missing.
 *   2. On an edge with one end inside the cut crosses where the sweep stored level 1, or the class's change;
 *      else by linear interpolation of the logarithm of the radius (of the value where that is asked for).
 *   3. cells.c joins the crossings of each cell (marching squares) to pieces of the cell, and these to closed
 *      loops with labels; loops are painted by area, the largest first.
 *   4. All that is done for one strip of columns after another; kept are the sides and chords that cells.c
 *      makes of it.
 *
 * Cost: linear in points; sorting of sides, chords and loops. Memory: some hundred bytes for each of
 * STRIP_POINTS points, and for each cell that a cut goes through. Not guaranteed: what is smaller than a cell
 * is not seen, and curves inside of a cell are chords. */
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
static bool cut_make(plane *w, grid_cut *cut, size_t points) {
    cut->inside = memory_alloc(points, sizeof *cut->inside);
    cut->value = memory_alloc(3 * points, sizeof *cut->value);
    if (!cut->inside || !cut->value) w->status = error_memory(w->error);
    if (w->status) return false;
    cut->cross_x = cut->value + points;
    cut->cross_y = cut->cross_x + points;
    return true;
}

/* A point's edges: to the next along x (0) and along y (1). */
typedef struct edge {
    const grid_axis *axis;
    const double *one, *iteration_one; /* crossings of 1 */
    size_t i, at, next;                /* its first point along the axis, and both in the grid */
    double p, q;
    double *cross;
} edge;

static int edges_of(const plane_strip *w, const grid_cut *cut, size_t i, size_t j, edge *edges) {
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
static double bit_crossing(const plane_strip *w, const edge *e, int bit) {
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

/* Its level is that of the values, which may be logarithms. */
static void cut_strip(const plane_strip *w, const plane_cut *at, grid_cut *cut) {
    const grid *g = &w->grid;
    const double *values = w->values;
    const size_t points = g->x.count * g->y.count;
    for (size_t p = 0; p < points; p++) {
        cut->inside[p] = at->bit ? (g->codes[p] & at->bit) != 0 : values[p] < at->level;
        cut->value[p] = !at->bit ? values[p] - at->level : cut->inside[p] ? -1 : 1;
        if (at->bit == 1 && g->radius.values && !isnan(values[p])) cut->value[p] = values[p];
    }
    for (size_t p = 0; p < points; p++) {
        edge edges[2];
        for (int e = 0, count = edges_of(w, cut, p / g->y.count, p % g->y.count, edges); e < count; e++) {
            const edge *to = &edges[e];
            if (cut->inside[p] == cut->inside[to->next]) continue;
            *to->cross = at->bit ? bit_crossing(w, to, at->bit)
                                 : radius_crossing(at->level, grid_crossing(to->axis, to->i, to->one, p),
                                                   to->p, to->q, values[p], values[to->next]);
        }
    }
}

static void add_cut(plane *w, plane_cut cut) {
    w->cuts[w->cut_count++] = cut;
}

void plane_cut_level(plane *w, double level) {
    add_cut(w, (plane_cut){.level = w->plain ? level : log(level)});
}

void plane_cut_class(plane *w, int bit) {
    add_cut(w, (plane_cut){.bit = bit});
}

/* ---- Strips */

#define STRIP_POINTS ((size_t)1 << 18)

static void strip_free(plane_strip *t) {
    for (int c = 0; c < CELL_CUTS_MAX; c++) memory_free_all(t->cuts[c].inside, t->cuts[c].value);
    grid_free(&t->grid);
    memory_free_all(t->values, t->missing);
}

/* Reads the columns of cells from `first` on. */
static costab_status strip_read(const plane *w, size_t first, size_t columns, plane_strip *t,
                                costab_error *error) {
    const figure_request *r = w->request;
    t->first = first;
    TRY(grid_read(r, w->frame, w->at, first, columns + 1, &t->grid, error));
    /* Where the radius passes 1 the decay passes 0. */
    bool decay = strcmp(r->of, "decay") == 0;
    t->other = (grid_radius){t->grid.drawn, decay ? t->grid.radius.one_x : NULL,
                             decay ? t->grid.radius.one_y : NULL};
    t->drawn = w->classes ? &t->grid.radius : t->grid.ones != NULL ? t->grid.ones : &t->other;
    if (w->classes ? t->grid.codes != NULL : t->drawn->values != NULL) return COSTAB_OK;
    return read_missing(r->results, w->classes ? "class" : r->of, error);
}

/* Sets what is cut. */
static costab_status strip_make(const plane *w, plane_strip *t, costab_error *error) {
    const grid *g = &t->grid;
    size_t points = g->x.count * g->y.count;
    const double *values = t->drawn->values;
    TRY(memory_make(&t->missing, points, error));
    TRY(memory_make(&t->values, points, error));
    for (size_t i = 0; i < points; i++) {
        bool none = !values || isnan(values[i]) || (w->finite && !isfinite(values[i]));
        t->values[i] = none ? 0 : w->plain ? values[i] : log_radius(values[i]);
        t->missing[i] = w->classes ? (g->codes[i] & PLANE_NO_CLASS) != 0 : none;
    }
    return COSTAB_OK;
}

/* The columns of cells of a strip. */
static size_t strip_columns(const plane *w) {
    size_t columns = STRIP_POINTS / w->frame->y.count;
    return columns > 1 ? columns - 1 : 1;
}

static costab_status trace_strip(plane *w, size_t first, size_t columns, plane_strip *t,
                                 costab_error *error) {
    size_t ny = w->frame->y.count;
    bool last = first + columns + 1 == w->frame->x.count;
    TRY(strip_read(w, first, columns, t, error));
    TRY(strip_make(w, t, error));
    for (size_t i = 0; i < columns + last; i++)
        for (size_t j = 0; j < ny; j++) w->missing += t->missing[i * ny + j];
    const cell_grid cells = {.nx = t->grid.x.count,
                             .ny = t->grid.y.count,
                             .first = first,
                             .from = 0,
                             .to = columns,
                             .x = t->grid.x.places,
                             .y = t->grid.y.places,
                             .missing = t->missing,
                             .cut_count = w->cut_count,
                             .cuts = t->cuts,
                             .label = w->label,
                             .context = w};
    for (int c = 0; c < w->cut_count; c++) {
        if (!cut_make(w, &t->cuts[c], cells.nx * cells.ny)) return w->status;
        cut_strip(t, &w->cuts[c], &t->cuts[c]);
        cell_add_chords(&cells, c, &w->chords[c]);
    }
    cell_add_sides(&cells, &w->sides);
    return COSTAB_OK;
}

static void forget_trace(plane *w) {
    for (int c = 0; c < CELL_CUTS_MAX; c++) {
        memory_free(w->chords[c].of);
        w->chords[c] = (cell_chords){0};
    }
    memory_free(w->sides.of);
    w->sides = (cell_sides){0};
    outline_free(&w->regions);
}

void plane_trace(plane *w) {
    size_t columns = strip_columns(w), cells = w->frame->x.count - 1;
    forget_trace(w);
    w->missing = 0;
    for (size_t first = 0; first < cells && !w->status; first += columns) {
        ends_by(strip_free) plane_strip strip = {.first = 0};
        size_t here = cells - first < columns ? cells - first : columns;
        w->status = trace_strip(w, first, here, &strip, w->error);
    }
    cell_regions(&w->sides, &w->regions);
    if (w->regions.failed && !w->status) w->status = error_memory(w->error);
}

/* ---- Panels */

/* Whether any value is a number. */
static costab_status survey(const plane *w, bool *numbers, costab_error *error) {
    size_t columns = strip_columns(w), count = w->frame->x.count;
    *numbers = false;
    for (size_t first = 0; first + 1 < count && !*numbers; first += columns) {
        ends_by(strip_free) plane_strip strip = {.first = 0};
        TRY(strip_read(w, first, count - 1 - first < columns ? count - 1 - first : columns, &strip, error));
        *numbers = grid_has_numbers(strip.drawn->values, strip.grid.x.count * strip.grid.y.count);
    }
    return COSTAB_OK;
}

/* Draws one grid, into a new panel unless it has one. */
static costab_status draw_grid(plane *w, void (*draw)(plane *w), costab_error *error) {
    const figure_request *r = w->request;
    bool numbers = true;
    if (!w->classes) TRY(survey(w, &numbers, error));
    /* Couplings that do not iterate have no iteration radius. */
    if (!numbers && strcmp(r->of, "iteration_radius") == 0) {
        text_local note = {0};
        text_printf(&note, "%s has no %s, as it does not iterate.", r->plan->axes[0].labels[w->coupling],
                    r->of);
        if (w->s && !note.failed) scene_note(w->s, note.data);
        return COSTAB_OK;
    }
    if (w->s && !w->panel) w->panel = grid_panel(r, w->s, w->kind, w->frame, w->at);
    draw(w);
    return w->status;
}

costab_status planes_draw(plane *w, void (*draw)(plane *w), costab_error *error) {
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
            next->at = here;
            next->coupling = (int)here[0];
            next->error = error;
            status = draw_grid(next, draw, error);
            panel = next->panel;
            forget_trace(next);
        } while (!status && w->kind->overlaid && figure_next_panel(w->request, 1U, here));
    } while (!status && figure_next_panel(w->request, sliced, at));
    return status;
}

costab_status planes_of_classes(const figure_request *r, scene *s, const figure_kind *kind,
                                costab_error *error) {
    ends_by(grid_frame_free) grid_frame frame = {.of = NULL};
    plane w = {.request = r, .s = s, .kind = kind, .frame = &frame, .classes = true};
    TRY(grid_frame_make(r, true, &frame, error));
    return planes_draw(&w, kind->plane, error);
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
    memory_local painted *order = memory_alloc(w->regions.loop_count + 1, sizeof *order);
    size_t count = 0;
    if (!order) w->status = error_memory(w->error);
    for (size_t l = 0; l < w->regions.loop_count && order; l++) {
        double area = outline_loop_area(&w->regions, l);
        if (area > 0) order[count++] = (painted){l, area};
    }
    if (order) qsort(order, count, sizeof *order, by_area);
    put_loops(w, order, count, style_of);
}

void plane_line(plane *w, int cut, const char *style, outline *kept, uint8_t number) {
    outline line = {0};
    cell_line(&w->chords[cut], &line);
    for (size_t l = 0; l < line.loop_count; l++) line.loops[l].edge = number;
    if (kept) outline_append(kept, &line);
    scene_put(w->panel, SCENE_CURVE, style, &line);
}
