/* Panels over two axes: a radius as bands between levels, and the classes as regions. Level 1, and
 * the bound of the co-simulation's stability where it is that, go through the crossings that the sweep found
 * on the grid's edges; all else is interpolated. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "plot/label.h"
#include "plot/network.h"

#define LOG_MOST      700.0 /* of radii, for interpolation: infinite ones, and zero */
#define LABEL_ROOM_CM 0.28
#define LEVEL_ROOM_CM 0.2  /* free around a number of a level */
#define LEAST_SEEN_CM 0.03 /* half the width of what is drawn as a region */
#define LARGE         0.01 /* part of a panel */
#define FRAME_ROOM_CM 0.35 /* from the number to the frame */

/* A cut with arrays of its own. */
typedef struct own_cut {
    bool *inside;
    double *cross_x, *cross_y, *value;
} own_cut;

typedef struct plane {
    network_figure *f;
    const network_grid *grid;
    const network_radius *drawn; /* the contours', and the spectral one of classes */
    int number;
    bool *missing;
    double *radius; /* its logarithms */
    own_cut own[CELL_CUTS_MAX];
    grid_cut cuts[CELL_CUTS_MAX];
    cell_grid cells;
} plane;

/* ---- Cuts */

static double log_radius(double radius) {
    return fmin(fmax(log(fmax(radius, 0)), -LOG_MOST), LOG_MOST);
}

/* Where, between two places with these values, a value is that lies between theirs. */
static double place_of(double wanted, double p, double q, double at_p, double at_q) {
    double t = (wanted - at_p) / (at_q - at_p);
    return isfinite(t) ? p + fmin(fmax(t, 0), 1) * (q - p) : 0.5 * (p + q);
}

/* The crossing of level 1 on the edge from p to q, as a place; NaN where none is stored. */
static double stored_one(const network_axis *axis, const double *level, size_t at, double p, double q) {
    double place = level ? level[at] : (double)NAN;
    if (axis->log) place = place > 0 ? log10(place) : (double)NAN;
    return place >= p && place <= q ? place : (double)NAN;
}

/* The crossing of a level: between 1 and the ends where that is known. */
static double radius_crossing(double level, double one, double p, double q, double at_p, double at_q) {
    if (isnan(one) || !((at_p < 0) != (at_q < 0))) return place_of(level, p, q, at_p, at_q);
    if (level == 0) return one;
    return (level < at_p) != (level < 0) ? place_of(level, p, one, at_p, 0)
                                         : place_of(level, one, q, 0, at_q);
}

static costab_status own_cut_make(plane *w, costab_error *error) {
    size_t points = w->grid->nx * w->grid->ny;
    own_cut *own = &w->own[w->cells.cut_count];
    own->inside = memory_alloc(points, sizeof *own->inside);
    own->cross_x = memory_alloc(points, sizeof *own->cross_x);
    own->cross_y = memory_alloc(points, sizeof *own->cross_y);
    own->value = memory_alloc(points, sizeof *own->value);
    if (!own->inside || !own->cross_x || !own->cross_y || !own->value) return error_memory(error);
    w->cuts[w->cells.cut_count++] = (grid_cut){own->inside, own->cross_x, own->cross_y, own->value};
    return COSTAB_OK;
}

/* A point's edges: to the next along x (0) and along y (1). */
typedef struct edge {
    const network_axis *axis;
    const double *one, *iteration_one; /* crossings of 1 */
    size_t at, next;
    double p, q;
    double *cross;
} edge;

static int edges_of(const plane *w, const own_cut *own, size_t i, size_t j, edge *edges) {
    const network_grid *g = w->grid;
    const network_figure *f = w->f;
    size_t at = i * g->ny + j;
    int count = 0;
    if (i + 1 < g->nx)
        edges[count++] = (edge){&f->x,      w->drawn->one_x, g->iteration.one_x, at,
                                at + g->ny, f->x.places[i],  f->x.places[i + 1], &own->cross_x[at]};
    if (j + 1 < g->ny)
        edges[count++] = (edge){&f->y,  w->drawn->one_y, g->iteration.one_y, at,
                                at + 1, f->y.places[j],  f->y.places[j + 1], &own->cross_y[at]};
    return count;
}

static costab_status add_radius_cut(plane *w, double level, costab_error *error) {
    costab_status status = own_cut_make(w, error);
    if (status) return status;
    const own_cut *own = &w->own[w->cells.cut_count - 1];
    double wanted = log(level);
    for (size_t i = 0; i < w->grid->nx; i++)
        for (size_t j = 0; j < w->grid->ny; j++) {
            edge edges[2];
            size_t at = i * w->grid->ny + j;
            own->value[at] = w->radius[at] - wanted;
            own->inside[at] = w->radius[at] < wanted;
            for (int e = 0, count = edges_of(w, own, i, j, edges); e < count; e++)
                *edges[e].cross = radius_crossing(
                    wanted, stored_one(edges[e].axis, edges[e].one, at, edges[e].p, edges[e].q), edges[e].p,
                    edges[e].q, w->radius[at], w->radius[edges[e].next]);
        }
    return COSTAB_OK;
}

/* A bit of the class. Where it changes: at the level 1 that was found there, else where one of the values
 * that decide about it passes, else in the middle. */
static double bit_crossing(const plane *w, const edge *e, bool discrete) {
    const network_grid *g = w->grid;
    const double *radius = g->radius.values, *iteration = g->iteration.values, *abscissa = g->abscissa;
    size_t p = e->at, q = e->next;
    if (!discrete && abscissa && (abscissa[p] < 0) != (abscissa[q] < 0))
        return place_of(0, e->p, e->q, abscissa[p], abscissa[q]);
    if (discrete) {
        double one = stored_one(e->axis, e->one, p, e->p, e->q);
        double iteration_one = stored_one(e->axis, e->iteration_one, p, e->p, e->q);
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

static costab_status add_bit_cut(plane *w, bool discrete, costab_error *error) {
    costab_status status = own_cut_make(w, error);
    if (status) return status;
    const own_cut *own = &w->own[w->cells.cut_count - 1];
    const network_grid *g = w->grid;
    for (size_t i = 0; i < g->nx; i++)
        for (size_t j = 0; j < g->ny; j++) {
            edge edges[2];
            size_t at = i * g->ny + j;
            own->inside[at] = (g->codes[at] & (discrete ? 1 : 2)) != 0;
            own->value[at] = own->inside[at] ? -1 : 1;
            if (discrete && g->radius.values && !isnan(w->radius[at])) own->value[at] = w->radius[at];
            for (int e = 0, count = edges_of(w, own, i, j, edges); e < count; e++)
                *edges[e].cross = bit_crossing(w, &edges[e], discrete);
        }
    return COSTAB_OK;
}

static costab_status plane_make(plane *w, network_figure *f, int number, costab_error *error) {
    const network_grid *g = &f->grids[f->panels[number - 1].coupling];
    size_t points = g->nx * g->ny;
    bool classes = f->panels[number - 1].kind == NETWORK_CLASSES;
    *w =
        (plane){.f = f, .grid = g, .drawn = classes ? &g->radius : network_contoured(f, g), .number = number};
    const double *values = w->drawn->values;
    w->missing = memory_alloc(points, sizeof *w->missing);
    w->radius = memory_alloc(points, sizeof *w->radius);
    if (!w->missing || !w->radius) return error_memory(error);
    for (size_t i = 0; i < points; i++) {
        bool none = !values || isnan(values[i]);
        w->radius[i] = none ? 0 : log_radius(values[i]);
        w->missing[i] = classes ? g->codes[i] > 3 : none;
    }
    w->cells = (cell_grid){.nx = g->nx,
                           .ny = g->ny,
                           .x = f->x.places,
                           .y = f->y.places,
                           .missing = w->missing,
                           .cuts = w->cuts,
                           .context = w};
    return COSTAB_OK;
}

static void plane_free(plane *w) {
    for (int c = 0; c < CELL_CUTS_MAX; c++) {
        memory_free(w->own[c].inside);
        memory_free(w->own[c].cross_x);
        memory_free(w->own[c].cross_y);
        memory_free(w->own[c].value);
    }
    memory_free(w->missing);
    memory_free(w->radius);
}

/* ---- Regions: from the largest to the smallest, so that what fills a hole is painted over it */

typedef struct painted {
    size_t loop;
    double area;
} painted;

static int by_area(const void *p, const void *q) {
    const painted *a = p, *b = q;
    if (a->area != b->area) return a->area > b->area ? -1 : 1;
    return (a->loop > b->loop) - (a->loop < b->loop);
}

static costab_status paint(plane *w, const outline *regions, void (*word_of)(int label, char *word),
                           costab_error *error) {
    network_panel *panel = &w->f->panels[w->number - 1];
    painted *order = memory_alloc(regions->loop_count + 1, sizeof *order);
    if (!order) return error_memory(error);
    size_t count = 0;
    for (size_t l = 0; l < regions->loop_count; l++) {
        double area = cell_loop_area(regions, l);
        if (area > 0) order[count++] = (painted){l, area};
    }
    qsort(order, count, sizeof *order, by_area);
    int blocks = 0;
    for (size_t k = 0; k < count;) {
        uint8_t label = regions->loops[order[k].loop].edge;
        outline loops = {.points = regions->points, .point_count = regions->point_count};
        loops.loops = memory_alloc(count, sizeof *loops.loops);
        if (!loops.loops) {
            memory_free(order);
            return error_memory(error);
        }
        for (; k < count && regions->loops[order[k].loop].edge == label; k++)
            loops.loops[loops.loop_count++] = regions->loops[order[k].loop];
        char word[16], numbered[32];
        word_of(label, word);
        snprintf(numbered, sizeof numbered, "%s.%d", word, ++blocks);
        network_put_runs(w->f, &loops, "fill", w->number, &panel->fills, numbered,
                         "a region and what is drawn over it, corners of polygons");
        memory_free(loops.loops);
    }
    memory_free(order);
    return COSTAB_OK;
}

/* The loops of one label; their points are borrowed. */
static costab_status loops_of(const outline *regions, int label, outline *loops, costab_error *error) {
    *loops = (outline){.points = regions->points, .point_count = regions->point_count};
    loops->loops = memory_alloc(regions->loop_count + 1, sizeof *loops->loops);
    if (!loops->loops) return error_memory(error);
    for (size_t l = 0; l < regions->loop_count; l++)
        if (regions->loops[l].edge == label) loops->loops[loops->loop_count++] = regions->loops[l];
    return COSTAB_OK;
}

static costab_status put_line(plane *w, int cut, const char *word, const char *what, outline *all,
                              costab_error *error) {
    outline line = {0};
    costab_status status = cell_line(&w->cells, cut, &line, error);
    if (!status)
        network_put_runs(w->f, &line, "curve", w->number, &w->f->panels[w->number - 1].curves, word, what);
    if (!status && all) status = outline_append(all, &line, error);
    outline_free(&line);
    return status;
}

/* ---- Contours */

static uint8_t band_label(const void *context, unsigned inside) {
    const plane *w = context;
    uint8_t band = 0;
    for (int k = 0; k < w->f->level_count; k++) band = (uint8_t)(band + ((inside >> k & 1) == 0));
    return band;
}

static void band_word(int label, char *word) {
    if (label == CELL_MISSING)
        strcpy(word, "failed");
    else
        snprintf(word, 16, "b%d", label % 100);
}

typedef struct spot {
    double x, y; /* cm */
} spot;

static spot on_paper(const hatch_frame *frame, const outline_point *p) {
    const outline_box *b = &frame->box;
    return (spot){(p->gamma - b->gamma[0]) / (b->gamma[1] - b->gamma[0]) * frame->width_cm,
                  (p->delta - b->delta[0]) / (b->delta[1] - b->delta[0]) * frame->height_cm};
}

/* How far a spot is from the lines of other levels, the frame and the numbers already there. */
static double room_at(const network_figure *f, spot at, const outline *lines, int level, const spot *taken,
                      int taken_count) {
    double width = f->frame.width_cm, height = f->frame.height_cm;
    double room = fmin(fmin(at.x, width - at.x), fmin(at.y, height - at.y)) - FRAME_ROOM_CM;
    for (int k = 0; k < taken_count; k++)
        room = fmin(room, hypot(at.x - taken[k].x, at.y - taken[k].y) - 0.6);
    for (int k = 0; k < f->level_count && room > 0; k++) {
        if (k == level) continue;
        for (size_t i = 0; i < lines[k].point_count; i++) {
            spot other = on_paper(&f->frame, &lines[k].points[i]);
            room = fmin(room, hypot(at.x - other.x, at.y - other.y));
        }
    }
    return room;
}

#define CANDIDATES 40 /* places tried along a line */

/* Numbers of the levels, each on the longest of its lines, where there is room. */
static void put_numbers(const plane *w, const outline *lines) {
    network_figure *f = w->f;
    network_panel *panel = &f->panels[w->number - 1];
    spot taken[NETWORK_LEVELS_MAX];
    int taken_count = 0;
    for (int k = 0; k < f->level_count; k++) {
        const outline_run *longest = NULL;
        double best = LEVEL_ROOM_CM;
        const outline_point *chosen = NULL;
        for (size_t l = 0; l < lines[k].loop_count; l++)
            if (!longest || lines[k].loops[l].count > longest->count) longest = &lines[k].loops[l];
        for (size_t i = 0; longest && i < CANDIDATES; i++) {
            const outline_point *at =
                &lines[k].points[longest->first + (longest->count - 1) * i / (CANDIDATES - 1)];
            double room = room_at(f, on_paper(&f->frame, at), lines, k, taken, taken_count);
            if (room > best) {
                best = room;
                chosen = at;
            }
        }
        if (!chosen) continue;
        if (panel->labels.size == 0)
            network_block(f, w->number, "label", &panel->labels, "levels", "levels, at their lines");
        taken[taken_count++] = on_paper(&f->frame, chosen);
        text_printf(&f->data, "%.6g %.6g %.6g\n", network_value(&f->x, chosen->gamma),
                    network_value(&f->y, chosen->delta), f->levels[k]);
    }
    if (panel->labels.size > 0) network_end_block(f);
}

costab_status network_draw_contour(network_figure *f, int number, costab_error *error) {
    plane w;
    outline regions = {0}, lines[NETWORK_LEVELS_MAX] = {{0}};
    costab_status status = plane_make(&w, f, number, error);
    w.cells.label = band_label;
    for (int k = 0; k < f->level_count && !status; k++) status = add_radius_cut(&w, f->levels[k], error);
    if (!status) status = cell_regions(&w.cells, &regions, error);
    if (!status) status = paint(&w, &regions, band_word, error);
    for (int k = 0; k < f->level_count && !status; k++) {
        char word[32], what[64];
        snprintf(word, sizeof word, k == f->level_one ? "one" : "level.%d", k + 1);
        snprintf(what, sizeof what, "radius %.6g", f->levels[k]);
        status = put_line(&w, k, word, what, &lines[k], error);
    }
    if (!status) put_numbers(&w, lines);
    for (int k = 0; k < f->level_count; k++) outline_free(&lines[k]);
    outline_free(&regions);
    plane_free(&w);
    return status;
}

/* ---- Classes */

static uint8_t class_label(const void *context, unsigned inside) {
    (void)context;
    return (uint8_t)inside;
}

static const char *const class_keys[4] = {"uu", "us", "su", "ss"};

static void class_word(int label, char *word) {
    strcpy(word, label == CELL_MISSING ? "failed" : class_keys[label & 3]);
}

/* Rows of hatching come in places; what is written are values. */
static void put_hatch_rows(network_figure *f, const text *rows) {
    double row[4];
    char *at = rows->data, *end = rows->data + rows->size;
    for (int k = 0; at < end; at++) {
        row[k++] = strtod(at, &at);
        if (k < 4) continue;
        k = 0;
        double x = network_value(&f->x, row[0]), y = network_value(&f->y, row[1]);
        text_printf(&f->data, "%.8g %.8g %.8g %.8g\n", x, y, network_value(&f->x, row[0] + row[2]) - x,
                    network_value(&f->y, row[1] + row[3]) - y);
    }
}

static costab_status hatch(plane *w, const outline *loops, int label, costab_error *error) {
    static const hatch_pattern patterns[2] = {{45, 0.17}, {-45, 0.11}};
    network_panel *panel = &w->f->panels[w->number - 1];
    text rows = {0};
    size_t total = 0;
    costab_status status = COSTAB_OK;
    for (int k = 0; k < (label == 1 ? 2 : 1) && !status; k++) {
        hatch_pattern pattern = patterns[k];
        size_t count = 0;
        if (label == 1) pattern.spacing_cm = patterns[1].spacing_cm;
        status = hatch_lines(loops, &w->f->frame, &pattern, &rows, &count, error);
        total += count;
    }
    if (!status && total > 0) {
        network_block(w->f, w->number, "hatch", &panel->hatches, class_keys[label],
                      "hatch lines: from x, y, by dx, dy");
        put_hatch_rows(w->f, &rows);
        network_end_block(w->f);
    }
    text_free(&rows);
    return status;
}

static costab_status put_names(plane *w, const outline *regions, costab_error *error) {
    network_figure *f = w->f;
    network_panel *panel = &f->panels[w->number - 1];
    for (int label = 0; label < 4; label++) {
        outline loops;
        double x = 0, y = 0;
        costab_status status = loops_of(regions, label, &loops, error);
        if (status) return status;
        if (loops.loop_count > 0 && label_place(&loops, regions, &f->frame, &x, &y) >= LABEL_ROOM_CM) {
            if (panel->labels.size == 0)
                network_block(f, w->number, "label", &panel->labels, "class", "names of classes");
            text_printf(&f->data, "%.6g %.6g %s\n", network_value(&f->x, x), network_value(&f->y, y),
                        costab_class_name(label));
        }
        memory_free(loops.loops);
    }
    if (panel->labels.size > 0) network_end_block(f);
    return COSTAB_OK;
}

/* Whether anyone sees the region: not where a little interpolation alone parts two boundaries. */
static bool is_seen(const network_figure *f, const outline *loops, const outline *regions) {
    const outline_box *box = &f->frame.box;
    double area = 0, x, y;
    for (size_t l = 0; l < loops->loop_count; l++) area += cell_loop_area(loops, l);
    area *= 0.5 / ((box->gamma[1] - box->gamma[0]) * (box->delta[1] - box->delta[0]));
    return area > LARGE || (area > 0 && label_place(loops, regions, &f->frame, &x, &y) > LEAST_SEEN_CM);
}

costab_status network_draw_classes(network_figure *f, int number, costab_error *error) {
    plane w;
    outline regions = {0};
    costab_status status = plane_make(&w, f, number, error);
    w.cells.label = class_label;
    for (int bit = 0; bit < 2 && !status; bit++) status = add_bit_cut(&w, bit == 0, error);
    if (!status) status = cell_regions(&w.cells, &regions, error);
    if (!status) status = paint(&w, &regions, class_word, error);
    for (int label = 0; label < 4 && !status; label++) {
        outline loops;
        status = loops_of(&regions, label, &loops, error);
        if (status) break;
        if (is_seen(f, &loops, &regions)) f->classes_used[label] = true;
        if (label % 2 == 1) status = hatch(&w, &loops, label, error);
        memory_free(loops.loops);
    }
    if (!status)
        status = put_line(&w, 1, "continuous", "boundary of the continuous system's stability", NULL, error);
    if (!status) status = put_line(&w, 0, "edge", "boundary of the co-simulation's stability", NULL, error);
    if (!status) status = put_names(&w, &regions, error);
    outline_free(&regions);
    plane_free(&w);
    return status;
}
