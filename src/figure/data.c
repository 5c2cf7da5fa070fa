/* The data file of a figure.
 *   1. A block for each layer of each panel, headed by `# PANEL.LAYER.STYLE: what it is`; the script finds
 *      it by that head.
 *   2. In a block a line of text for each point, in values of the axes (not logarithms); loops and polylines
 *      are apart by an empty line.
 *   3. The legend is a panel behind the last one, in cm, with a sample of each entry and the bar of colours.
 */
#include "figure/data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure/words.h"

/* A panel being written. */
typedef struct sheet {
    const scene *s;
    const scene_panel *panel;
    const hatch_frame *frame;
    int number; /* from 1 */
    text *data;
    data_words *words;
} sheet;

static const char *const layer_names[SCENE_LAYER_KINDS] = {"fill", "hatch", "curve", "point", "curve"};

/* Nothing but zero within rounding of the window shows as zero. */
static double value_at(const scene_axis *axis, const double *range, double place) {
    return !axis->log && fabs(place) < 1e-11 * (range[1] - range[0]) ? 0 : scene_value(axis, place);
}

static void put_point(const sheet *t, const outline_point *p) {
    const scene_axis *x = &t->panel->x, *y = &t->panel->y;
    const outline_box *box = &t->frame->box;
    text_printf(t->data, "%.*g %.*g\n", scene_digits(x, box->x), value_at(x, box->x, p->x),
                scene_digits(y, box->y), value_at(y, box->y, p->y));
}

/* The heading; a style that comes again in a panel is numbered. */
static void begin_block(const sheet *t, const scene_layer *layer, int again) {
    const scene_style *style = &t->s->styles[layer->style];
    text *words = &t->words->of[layer->kind == SCENE_TICKS ? SCENE_CURVE : layer->kind];
    char word[SCENE_WORD_MAX + 16];
    snprintf(word, sizeof word, again > 0 ? "%s.%d" : "%s", style->name, again + 1);
    text_printf(t->data, "# %d.%s.%s: ", t->number, layer_names[layer->kind], word);
    words_comment(t->data, "", style->words);
    text_printf(words, words->size > 0 ? " %s" : "%s", word);
}

static void put_runs(const sheet *t, scene_layer_kind kind, const outline *runs) {
    for (size_t l = 0; l < runs->loop_count; l++) {
        const outline_run *run = &runs->loops[l];
        bool closed = kind == SCENE_CURVE && run->closed;
        if (l > 0) text_append(t->data, "\n");
        for (size_t i = 0; i < run->count + closed; i++)
            put_point(t, &runs->points[run->first + i % run->count]);
    }
}

/* From x, y by dx, dy. */
static void put_hatches(const sheet *t, const outline *lines) {
    const scene_axis *x = &t->panel->x, *y = &t->panel->y;
    for (size_t l = 0; l < lines->loop_count; l++) {
        const outline_point *p = &lines->points[lines->loops[l].first], *q = p + lines->loops[l].count - 1;
        double x0 = scene_value(x, p->x), y0 = scene_value(y, p->y);
        text_printf(t->data, "%.8g %.8g %.8g %.8g\n", x0, y0, scene_value(x, q->x) - x0,
                    scene_value(y, q->y) - y0);
    }
}

static void put_layer(const sheet *t, const scene_layer *layer, int again) {
    const scene_style *style = &t->s->styles[layer->style];
    ends_by(outline_free) outline lines = {0};
    for (int k = 0; layer->kind == SCENE_HATCH && k < style->pattern_count; k++)
        hatch_lines(&layer->runs, t->frame, &style->patterns[k], &lines);
    if (layer->kind == SCENE_TICKS) hatch_ticks(&layer->runs, t->frame, &lines);
    bool made = layer->kind == SCENE_HATCH || layer->kind == SCENE_TICKS;
    if (lines.failed) t->data->failed = true;
    if (!made || lines.loop_count > 0) {
        begin_block(t, layer, again);
        if (layer->kind == SCENE_HATCH)
            put_hatches(t, &lines);
        else
            put_runs(t, layer->kind, made ? &lines : &layer->runs);
        text_append(t->data, "\n\n");
    }
}

static void put_panel(const sheet *t) {
    for (int i = 0; i < t->panel->layer_count; i++) {
        const scene_layer *layer = &t->panel->layers[i];
        int again = 0;
        for (int k = 0; k < i; k++)
            again += t->panel->layers[k].kind == layer->kind && t->panel->layers[k].style == layer->style;
        put_layer(t, layer, again);
    }
}

/* ---- The legend: samples as layers of a panel of their own, in cm */

/* A line with its ticks above: the lower side of a box that ends at the frame. */
static void add_ticked(scene_panel *legend, const scene_style *style, double x, double y) {
    outline line = {0}, strokes = {0};
    scene_line(&line, x, y, x + LAYOUT_SWATCH_WIDTH, y);
    for (int k = 0; k < 3; k++) {
        double at = x + LAYOUT_SWATCH_WIDTH * (2 * k + 1) / 6;
        scene_line(&strokes, at, y, at, y + HATCH_TICK_CM);
    }
    scene_put(legend, SCENE_CURVE, style->name, &line);
    scene_put(legend, SCENE_CURVE, style->name, &strokes);
}

static void add_sample(scene_panel *legend, const layout_entry *entry, outline *frames) {
    const scene_style style = legend->scene->styles[entry->style];
    double x = entry->x, y = entry->y, right = x + LAYOUT_SWATCH_WIDTH, top = y + LAYOUT_SWATCH_HEIGHT;
    double middle = 0.5 * (y + top);
    outline area = {0}, hatched = {0}, line = {0}, dot = {0};
    bool tinted = style.tint != NULL, region = !tinted && (style.seen >> SCENE_HATCH & 1U);
    bool ticked = style.seen >> SCENE_TICKS & 1U;
    if (tinted) scene_box(&area, x, y, right, top);
    if (tinted) scene_box(frames, x, y, right, top);
    if ((tinted || region) && style.pattern_count > 0) scene_box(&hatched, x, y, right, top);
    if (ticked) add_ticked(legend, &style, x, middle);
    if (region) scene_box(&line, x, y, right, top);
    bool lined = style.seen >> SCENE_CURVE & 1U, dotted = style.seen >> SCENE_POINTS & 1U;
    if (!tinted && !region && lined) scene_line(&line, x, middle, right, middle);
    if (dotted) outline_add_point(&dot, 0.5 * (x + right), middle, OUTLINE_CUT);
    scene_put(legend, SCENE_FILL, style.name, &area);
    scene_put(legend, SCENE_HATCH, style.name, &hatched);
    scene_put(legend, SCENE_CURVE, style.name, &line);
    scene_put_points(legend, style.name, &dot);
}

static void add_bar(scene_panel *legend, const figure_layout *l, outline *frames) {
    const scene_bar *bar = &legend->scene->bar;
    double low = l->bar_bottom, high = low + LAYOUT_SWATCH_HEIGHT;
    for (int b = 0; b <= bar->level_count; b++) {
        outline area = {0};
        char name[SCENE_WORD_MAX];
        double left = l->bar_left + b * l->bar_step;
        snprintf(name, sizeof name, "b%d", b);
        scene_box(&area, left, low, left + l->bar_step, high);
        scene_put(legend, SCENE_FILL, name, &area);
    }
    for (int k = 0; k < bar->level_count; k++) {
        outline line = {0};
        double x = l->bar_left + (k + 1) * l->bar_step;
        scene_line(&line, x, low, x, high + (k == bar->limit_level ? 0.06 : 0));
        scene_put(legend, SCENE_CURVE, k == bar->limit_level ? "one" : "level", &line);
    }
    scene_box(frames, l->bar_left, low, l->bar_left + (bar->level_count + 1) * l->bar_step, high);
}

/* What is behind a legend inside a panel. */
static void add_ground(scene_panel *legend, const figure_layout *l, outline *frames) {
    outline ground = {0};
    double x = l->left + l->box_x, y = l->height - l->top - l->panel_height + l->box_y;
    scene_box(&ground, x, y, x + l->box_width, y + l->box_height);
    outline_append(frames, &ground);
    scene_put(legend, SCENE_FILL, "ground", &ground);
}

static void put_legend(scene *s, const figure_layout *l, sheet *t) {
    scene_panel legend = {.scene = s};
    hatch_frame frame = {{{0, l->width}, {0, l->height}}, l->width, l->height};
    outline frames = {0};
    if (l->inside) add_ground(&legend, l, &frames);
    for (int i = 0; i < l->entry_count && !l->at_ends; i++) add_sample(&legend, &l->entries[i], &frames);
    if (s->bar.level_count > 0) add_bar(&legend, l, &frames);
    scene_put(&legend, SCENE_CURVE, "frame", &frames);
    (void)scene_style_named(s, "frame"); /* the panels' borders are drawn so, too */
    t->panel = &legend;
    t->frame = &frame;
    put_panel(t);
    scene_free_panel(&legend);
}

void data_write(scene *s, const figure_layout *l, text *data, data_words *words) {
    sheet t = {.s = s, .data = data};
    text_append(
        data, "# The data of a figure; the script of the same name draws it.\n"
              "# Blocks are named PANEL.LAYER.STYLE; the panel after the last is the legend, in cm from the "
              "lower left corner.\n"
              "# All other coordinates are those of the panel's axes.\n\n\n"
              "# nothing: a block for lists of none\n0 0 0 0\n\n\n");
    for (int i = 0; i <= s->panel_count; i++) {
        t.number = i + 1;
        t.words = &words[i];
        if (i < s->panel_count) {
            t.panel = s->panels[i];
            t.frame = &l->panels[i].frame;
            put_panel(&t);
        } else {
            put_legend(s, l, &t);
        }
        for (int k = 0; k < SCENE_LAYER_KINDS; k++)
            if (words[i].of[k].failed) data->failed = true;
    }
    if (s->failed) data->failed = true;
}

void data_words_free(data_words *words) {
    for (int k = 0; k < SCENE_LAYER_KINDS; k++) text_free(&words->of[k]);
}
