/* The data file: blocks headed by `# PANEL.LAYER.WORD: what it is`, by which the script finds them, and ended
 * by two empty lines; polygons and lines of one block are apart by one empty line. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "plot/network.h"
#include "plot/network_layout.h"
#include "plot/pen.h"
#include "plot/words.h"

void network_block(network_figure *f, int number, const char *layer, text *words, const char *word,
                   const char *what) {
    text_printf(&f->data, "# %d.%s.%s: ", number, layer, word);
    script_comment(&f->data, "", what);
    text_printf(words, words->size > 0 ? " %s" : "%s", word);
}

void network_end_block(network_figure *f) {
    text_append(&f->data, "\n\n");
}

/* Nothing but zero within rounding of the window shows as zero. */
static double clean(const network_axis *axis, double place, const double *range) {
    return !axis->log && fabs(place) < 1e-11 * (range[1] - range[0]) ? 0 : network_value(axis, place);
}

void network_put_point(network_figure *f, double x, double y) {
    text_printf(&f->data, "%.10g %.10g\n", clean(&f->x, x, f->frame.box.gamma),
                clean(&f->y, y, f->frame.box.delta));
}

void network_put_runs(network_figure *f, const outline *runs, const char *layer, int number, text *words,
                      const char *word, const char *what) {
    if (runs->loop_count == 0) return;
    network_block(f, number, layer, words, word, what);
    bool polygons = strcmp(layer, "fill") == 0;
    for (size_t l = 0; l < runs->loop_count; l++) {
        const outline_run *run = &runs->loops[l];
        if (l > 0) text_append(&f->data, "\n");
        for (size_t i = 0; i < run->count + (!polygons && run->closed); i++) {
            const outline_point *p = &runs->points[run->first + i % run->count];
            network_put_point(f, p->gamma, p->delta);
        }
    }
    network_end_block(f);
}

/* ---- The legend, in cm */

static void put_box(network_figure *f, double x0, double y0, double x1, double y1, bool closed) {
    text_printf(&f->data, "%.5g %.5g\n%.5g %.5g\n%.5g %.5g\n%.5g %.5g\n", x0, y0, x1, y0, x1, y1, x0, y1);
    if (closed) text_printf(&f->data, "%.5g %.5g\n", x0, y0);
}

static costab_status swatch_hatch(network_figure *f, const network_entry *e, double x, double y,
                                  costab_error *error) {
    int number = f->panel_count + 1;
    bool dense = strcmp(e->key, "us") == 0;
    hatch_frame frame = {{{0, f->width}, {0, f->height}}, f->width, f->height};
    outline area = {0};
    text rows = {0};
    size_t count = 0, total = 0;
    outline_box box = {{x, x + NETWORK_SWATCH_WIDTH}, {y, y + NETWORK_SWATCH_HEIGHT}};
    costab_status status = pen_add_box(&area, &box, error);
    for (int k = 0; k < 1 + dense && !status; k++) {
        const hatch_pattern pattern = {k == 0 ? 45 : -45, dense ? 0.11 : 0.17};
        status = hatch_lines(&area, &frame, &pattern, &rows, &count, error);
        total += count;
    }
    if (!status && total > 0) {
        network_block(f, number, "hatch", &f->panels[number - 1].hatches, e->key, "a sample");
        text_append_n(&f->data, rows.data, rows.size);
        network_end_block(f);
    }
    outline_free(&area);
    text_free(&rows);
    return status;
}

static costab_status draw_entry(network_figure *f, int i, costab_error *error) {
    const network_entry *e = &f->entries[i];
    int number = f->panel_count + 1;
    network_panel *panel = &f->panels[number - 1];
    double x, y, middle;
    network_entry_place(f, i, &x, &y);
    middle = y + NETWORK_SWATCH_HEIGHT / 2;
    if (e->sample == NETWORK_LINE) {
        network_block(f, number, "curve", &panel->curves, e->key, "a sample");
        text_printf(&f->data, "%.5g %.5g\n%.5g %.5g\n", x, middle, x + NETWORK_SWATCH_WIDTH, middle);
        network_end_block(f);
        return COSTAB_OK;
    }
    network_block(f, number, "fill", &panel->fills, e->key, "a sample");
    put_box(f, x, y, x + NETWORK_SWATCH_WIDTH, y + NETWORK_SWATCH_HEIGHT, false);
    network_end_block(f);
    costab_status status = COSTAB_OK;
    if (strcmp(e->key, "ss") == 0 || strcmp(e->key, "us") == 0) status = swatch_hatch(f, e, x, y, error);
    return status;
}

static void draw_frames(network_figure *f) {
    int number = f->panel_count + 1, drawn = 0;
    for (int i = 0; i < f->entry_count; i++) {
        double x, y;
        if (f->entries[i].sample != NETWORK_AREA) continue;
        network_entry_place(f, i, &x, &y);
        if (drawn++ == 0)
            network_block(f, number, "curve", &f->panels[number - 1].curves, "frame", "frames of samples");
        else
            text_append(&f->data, "\n");
        put_box(f, x, y, x + NETWORK_SWATCH_WIDTH, y + NETWORK_SWATCH_HEIGHT, true);
    }
    if (drawn > 0) network_end_block(f);
}

/* The colours between the levels, from the least to the largest. */
static void draw_bar(network_figure *f) {
    int number = f->panel_count + 1, bands = f->level_count + 1;
    network_panel *panel = &f->panels[number - 1];
    double left, step, low = f->bar_bottom, high = low + NETWORK_SWATCH_HEIGHT;
    network_bar_place(f, &left, &step);
    for (int b = 0; b < bands; b++) {
        char word[16];
        snprintf(word, sizeof word, "b%d", b);
        network_block(f, number, "fill", &panel->fills, word, "a sample");
        put_box(f, left + b * step, low, left + (b + 1) * step, high, false);
        network_end_block(f);
    }
    network_block(f, number, "curve", &panel->curves, "frame_bar", "frame of the bar");
    put_box(f, left, low, left + bands * step, high, true);
    network_end_block(f);
    for (int k = 0; k < f->level_count; k++) {
        char word[16];
        double x = left + (k + 1) * step, beyond = k == f->level_one ? 0.06 : 0;
        snprintf(word, sizeof word, k == f->level_one ? "one" : "level.%d", k + 1);
        network_block(f, number, "curve", &panel->curves, word, "a sample");
        text_printf(&f->data, "%.5g %.5g\n%.5g %.5g\n", x, low, x, high + beyond);
        network_end_block(f);
    }
}

static void panel_clear(network_panel *p) {
    text *words[] = {&p->fills, &p->hatches, &p->curves, &p->points, &p->labels};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) text_free(words[k]);
}

costab_status network_draw(network_figure *f, costab_error *error) {
    text_free(&f->data);
    text_append(&f->data,
                "# The data of a figure; the script of the same name draws it.\n"
                "# Blocks are named PANEL.LAYER.KEY; the panel after the last is the legend, in cm from the "
                "lower left corner.\n"
                "# All other coordinates are those of the panel's axes.\n\n\n"
                "# nothing: a block for lists of none\n0 0 0 0\n\n\n");
    costab_status status = COSTAB_OK;
    for (int i = 0; i <= f->panel_count; i++) panel_clear(&f->panels[i]);
    for (int i = 0; i < f->panel_count && !status; i++) {
        network_kind kind = f->panels[i].kind;
        status = kind == NETWORK_CURVE     ? network_draw_curve(f, i + 1, error)
                 : kind == NETWORK_CONTOUR ? network_draw_contour(f, i + 1, error)
                                           : network_draw_classes(f, i + 1, error);
    }
    for (int i = 0; i < f->entry_count && !status; i++) status = draw_entry(f, i, error);
    if (!status) draw_frames(f);
    if (!status && f->bar_bottom > 0) draw_bar(f);
    return status ? status : f->data.failed ? error_memory(error) : COSTAB_OK;
}
