/* The data file of a figure: blocks of points, headed by `# PANEL.LAYER.STYLE: what it is`. */
#include "figure/blocks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"

static const char *const layer_names[SCENE_LAYER_KINDS] = {"fill", "hatch", "curve", "point", "curve"};

/* A style that comes again in a panel is numbered. */
void blocks_name(const scene *s, int panel, int layer, char name[BLOCKS_NAME_MAX]) {
    const scene_layer *layers = s->panels[panel]->layers;
    char again[16] = "";
    int before = 0;
    for (int k = 0; k < layer; k++)
        before += layers[k].kind == layers[layer].kind && layers[k].style == layers[layer].style;
    if (before > 0) snprintf(again, sizeof again, ".%d", before + 1);
    snprintf(name, BLOCKS_NAME_MAX, "%d.%s.%s%s:", panel + 1, layer_names[layers[layer].kind],
             s->styles[layers[layer].style].name, again);
}

/* Nothing but zero within rounding of the window shows as zero. */
static double value_at(const scene_axis *axis, double place) {
    const double *range = axis->range;
    return !axis->log && fabs(place) < 1e-11 * (range[1] - range[0]) ? 0 : scene_value(axis, place);
}

static void put_runs(const scene_panel *panel, bool closes, const outline *runs, text *data) {
    const scene_axis *x = &panel->x, *y = &panel->y;
    for (size_t l = 0; l < runs->loop_count; l++) {
        const outline_run *run = &runs->loops[l];
        if (l > 0) text_append(data, "\n");
        for (size_t i = 0; i < run->count + (closes && run->closed); i++) {
            const outline_point *at = &runs->points[run->first + i % run->count];
            text_printf(data, "%.*g %.*g\n", scene_digits(x, x->range), value_at(x, at->x),
                        scene_digits(y, y->range), value_at(y, at->y));
        }
    }
}

/* From x, y by dx, dy. */
static void put_hatches(const scene_panel *panel, const outline *lines, text *data) {
    const scene_axis *x = &panel->x, *y = &panel->y;
    for (size_t l = 0; l < lines->loop_count; l++) {
        const outline_point *p = &lines->points[lines->loops[l].first], *q = p + lines->loops[l].count - 1;
        const double x0 = scene_value(x, p->x), y0 = scene_value(y, p->y);
        text_printf(data, "%.8g %.8g %.8g %.8g\n", x0, y0, scene_value(x, q->x) - x0,
                    scene_value(y, q->y) - y0);
    }
}

/* The lines of an area's hatching, or its ticks, in place of the area. */
static void draw_strokes(const scene_style *style, const hatch_frame *frame, scene_layer *layer) {
    outline lines = {0};
    for (int k = 0; layer->kind == SCENE_HATCH && k < style->pattern_count; k++)
        hatch_lines(&layer->runs, frame, &style->patterns[k], &lines);
    if (layer->kind == SCENE_TICKS) hatch_ticks(&layer->runs, frame, &lines);
    outline_free(&layer->runs);
    layer->runs = lines;
}

static void put_panel(scene *s, int number, const hatch_frame *frame, bool plain, text *data) {
    scene_panel *panel = s->panels[number];
    int kept = 0;
    for (int k = 0; k < panel->layer_count; k++) {
        scene_layer *layer = &panel->layers[k];
        const scene_style *style = &s->styles[layer->style];
        if (plain && layer->kind == SCENE_HATCH) outline_free(&layer->runs);
        if (layer->kind == SCENE_HATCH || layer->kind == SCENE_TICKS) draw_strokes(style, frame, layer);
        data->failed |= layer->runs.failed;
        panel->layers[kept++] = *layer;
        if (layer->runs.loop_count > 0) continue;
        outline_free(&panel->layers[--kept].runs);
    }
    panel->layer_count = kept;
    for (int k = 0; k < panel->layer_count; k++) {
        const scene_layer *layer = &panel->layers[k];
        char name[BLOCKS_NAME_MAX];
        blocks_name(s, number, k, name);
        text_printf(data, "# %s ", name);
        escape(data, ESCAPE_COMMENT, s->styles[layer->style].words);
        text_append(data, "\n");
        if (layer->kind == SCENE_HATCH)
            put_hatches(panel, &layer->runs, data);
        else
            put_runs(panel, layer->kind == SCENE_CURVE, &layer->runs, data);
        text_append(data, "\n\n");
    }
}

void blocks_write(scene *s, const paper *p, bool plain, text *data) {
    text_append(data, "# The data of a figure; the script of the same name draws it. Blocks are named "
                      "PANEL.LAYER.STYLE.\n\n\n");
    for (int i = 0; i < s->panel_count; i++) {
        const hatch_frame frame = paper_frame(p, s->panels[i]);
        put_panel(s, i, &frame, plain, data);
    }
}
