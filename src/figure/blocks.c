/* The data file of a figure: blocks of points with the heading `# PANEL.LAYER.STYLE: what it shows`,
 * or PANEL.LAYER.STYLE.N for the N-th layer of one kind and style in a panel.
 * A filled area is one closed path for each outer loop. The path visits its holes, which run the other way,
 * from its first point and returns there. */
#include "figure/blocks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"

#define FAR                                                                                                  \
    1e3 /* ranges: points farther outside are moved to here, so that gnuplot's own numbers stay small */
#define FAR_LOG 10 /* ranges of a logarithmic axis */

static const char *const layer_names[SCENE_LAYER_KINDS] = {"fill", "hatch", "curve", "curve", "point"};

/* The second and later layers of one kind and style in a panel get a number. */
void blocks_name(const scene *s, int panel, int layer, char name[BLOCKS_NAME_MAX]) {
    const scene_layer *layers = s->panels[panel]->layers;
    char repeated[16] = "";
    int before = 0;
    for (int k = 0; k < layer; k++)
        before += layers[k].kind == layers[layer].kind && layers[k].style == layers[layer].style;
    if (before > 0) snprintf(repeated, sizeof repeated, ".%d", before + 1);
    snprintf(name, BLOCKS_NAME_MAX, "%d.%s.%s%s:", panel + 1, layer_names[layers[layer].kind],
             s->styles[layers[layer].style].name, repeated);
}

/* ---- Points */

/* Returns the value of an axis at a place; 0 if it is within rounding of 0. */
static double value_at(const scene_axis *axis, double place) {
    const double *range = axis->range, width = range[1] - range[0];
    const double most = (axis->log ? FAR_LOG : FAR) * width;
    place = fmin(fmax(place, range[0] - most), range[1] + most);
    return !axis->log && fabs(place) < 1e-11 * width ? 0 : scene_value(axis, place);
}

static void put_point(const scene_panel *panel, const outline_point *at, text *data) {
    text_printf(data, "%.*g %.*g\n", scene_digits(&panel->x), value_at(&panel->x, at->x),
                scene_digits(&panel->y), value_at(&panel->y, at->y));
}

/* Writes the points of a run; closed: ends with the first point. */
static void put_run(const scene_panel *panel, const outline *runs, size_t number, bool closed, text *data) {
    const outline_run *run = &runs->loops[number];
    for (size_t i = 0; i < run->count + closed; i++)
        put_point(panel, &runs->points[run->first + i % run->count], data);
}

static void put_lines(const scene_panel *panel, const scene_layer *layer, text *data) {
    for (size_t l = 0; l < layer->runs.loop_count; l++) {
        if (l > 0) text_append(data, "\n");
        put_run(panel, &layer->runs, l, layer->kind == SCENE_CURVE && layer->runs.loops[l].closed, data);
    }
}

/* Returns the smallest outer loop around a hole; the hole itself if there is none. */
static size_t loop_around(const outline *area, size_t hole) {
    const outline_point *at = &area->points[area->loops[hole].first];
    double least = HUGE_VAL;
    size_t found = hole;
    for (size_t l = 0; l < area->loop_count; l++) {
        const double size = outline_loop_area(area, l);
        outline one = *area;
        one.loops += l;
        one.loop_count = 1;
        if (!(size > 0) || size >= least || !outline_contains(&one, at->x, at->y)) continue;
        least = size;
        found = l;
    }
    return found;
}

static void put_area(const scene_panel *panel, const outline *area, text *data) {
    const char *gap = "";
    for (size_t l = 0; l < area->loop_count; l++) {
        const outline_point *first = &area->points[area->loops[l].first];
        if (outline_loop_area(area, l) < 0 && loop_around(area, l) != l) continue;
        text_append(data, gap);
        put_run(panel, area, l, false, data);
        for (size_t hole = 0; hole < area->loop_count; hole++) {
            if (!(outline_loop_area(area, hole) < 0) || loop_around(area, hole) != l || hole == l) continue;
            put_point(panel, first, data);
            put_run(panel, area, hole, true, data);
        }
        put_point(panel, first, data);
        gap = "\n";
    }
}

/* Writes strokes as x, y, dx, dy. */
static void put_strokes(const scene_panel *panel, const outline *lines, text *data) {
    const scene_axis *x = &panel->x, *y = &panel->y;
    for (size_t l = 0; l < lines->loop_count; l++) {
        const outline_point *p = &lines->points[lines->loops[l].first], *q = p + 1;
        const double x0 = scene_value(x, p->x), y0 = scene_value(y, p->y);
        text_printf(data, "%.8g %.8g %.8g %.8g\n", x0, y0, scene_value(x, q->x) - x0,
                    scene_value(y, q->y) - y0);
    }
}

/* ---- Layers */

/* Replaces an area by the strokes of its hatching, or by its ticks. */
static void draw_strokes(const scene_style *style, const hatch_frame *frame, bool plain, scene_layer *layer) {
    outline lines = {0};
    for (int k = 0; layer->kind == SCENE_HATCH && !plain && k < style->pattern_count; k++)
        hatch_lines(&layer->runs, frame, &style->patterns[k], &lines);
    if (layer->kind == SCENE_TICKS) hatch_ticks(&layer->runs, frame, &lines);
    outline_free(&layer->runs);
    layer->runs = lines;
}

static void put_layer(const scene *s, int panel, int number, text *data) {
    const scene_layer *layer = &s->panels[panel]->layers[number];
    char name[BLOCKS_NAME_MAX];
    blocks_name(s, panel, number, name);
    text_printf(data, "# %s ", name);
    escape(data, ESCAPE_COMMENT, s->styles[layer->style].words);
    text_append(data, "\n");
    if (layer->kind == SCENE_HATCH)
        put_strokes(s->panels[panel], &layer->runs, data);
    else if (layer->kind == SCENE_FILL)
        put_area(s->panels[panel], &layer->runs, data);
    else
        put_lines(s->panels[panel], layer, data);
    text_append(data, "\n\n");
}

void blocks_write(scene *s, const paper *p, bool plain, text *data) {
    text_append(data, "# The data of a figure; the script of the same name draws it. Blocks are named "
                      "PANEL.LAYER.STYLE.\n\n\n");
    int layers = 0;
    for (int i = 0; i < s->panel_count; i++) {
        scene_panel *panel = s->panels[i];
        const hatch_frame frame = paper_frame(p, panel);
        int kept = 0;
        for (int k = 0; k < panel->layer_count; k++) {
            scene_layer layer = panel->layers[k];
            if (layer.kind == SCENE_HATCH || layer.kind == SCENE_TICKS)
                draw_strokes(&s->styles[layer.style], &frame, plain, &layer);
            data->failed |= layer.runs.failed;
            if (layer.runs.loop_count > 0)
                panel->layers[kept++] = layer;
            else
                outline_free(&layer.runs);
        }
        panel->layer_count = kept;
        layers += kept;
        for (int k = 0; k < kept; k++) put_layer(s, i, k, data);
    }
    if (layers == 0) text_append(data, "# nothing to draw: gnuplot refuses a file without points\n0 0\n");
}
