/* The script of a figure of time histories: what is special to it, then the template of the planar figures.
 */
#include <math.h>
#include <stdio.h>

#include "plot/markup.h"
#include "plot/network_time.h"
#include "plot/paper.h"
#include "plot/words.h"
#include "plots.h"

/* Okabe and Ito's colours; points, where there are few, and dashes tell the lines apart without them. */
static const char *const colours[] = {"#d55e00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"};
static const int points[] = {7, 5, 9, 13, 6, 4, 8, 12};
static const char *const dashes[] = {"-", "-.", "_", ".", "-..", "_.", "-_", "__."};

enum {
    COLOURS = sizeof colours / sizeof *colours,
    POINTS = sizeof points / sizeof *points,
    DASHES = sizeof dashes / sizeof *dashes
};

static void put_texts(text *script, const time_figure_network *f) {
    script_texts(script, script_title(&f->spec->figure.style, f->spec->title));
    script_twice(script, "TIME", "{/:Italic t}", "$t$");
    text_append(script, "STATE = ''                     # the captions name the signals\n");
}

static void put_words(text *script, int i, const text *curves, const text *dots) {
    text_printf(script, "FILLS[%d] = ''\nHATCHES[%d] = ''\nLABELS[%d] = ''\n", i, i, i);
    text_printf(script, "CURVES[%d] = '%s'\n", i, curves->size > 0 ? curves->data : "");
    text_printf(script, "POINTS[%d] = '%s'\n", i, dots->size > 0 ? dots->data : "");
}

static void put_panel(text *script, int i, const time_panel *p) {
    char name[24];
    snprintf(name, sizeof name, "CAPTION[%d]", i);
    text_printf(script, "\nKIND[%d] = 'time'\n", i);
    script_twice(script, name, p->caption.data, p->caption_tex.data);
    text_printf(script, "XMIN[%d] = %.10g; XMAX[%d] = %.10g; XSTEP[%d] = %g\n", i, p->box.gamma[0], i,
                p->box.gamma[1], i, p->tick_x);
    text_printf(script, "YMIN[%d] = %.10g; YMAX[%d] = %.10g; YSTEP[%d] = %g\n", i, p->box.delta[0], i,
                p->box.delta[1], i, p->tick_y);
    text_printf(script, "YSTART[%d] = %.10g; YEND[%d] = %.10g\n", i,
                p->tick_y * ceil(p->box.delta[0] / p->tick_y), i, p->box.delta[1]);
    put_words(script, i, &p->curves, &p->points);
}

static void put_panels(text *script, const time_figure_network *f) {
    static const char *const arrays[] = {"KIND", "CAPTION", "XMIN",  "XMAX",   "XSTEP",
                                         "YMIN", "YMAX",    "YSTEP", "YSTART", "YEND"};
    text_printf(
        script,
        "\n# ---- Panels: what is drawn in each, in this order; the words name blocks of the data.\n\n"
        "PANELS = %d\n",
        f->panel_count);
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        text_printf(script, "array %s[PANELS]\n", arrays[k]);
    text_append(script, "array FILLS[PANELS + 1]\narray HATCHES[PANELS + 1]\narray CURVES[PANELS + 1]\n"
                        "array LABELS[PANELS + 1]\narray POINTS[PANELS + 1]\n");
    for (int i = 0; i < f->panel_count; i++) put_panel(script, i + 1, &f->panels[i]);
    text_append(script, "\n# The legend's samples.\n");
    put_words(script, f->panel_count + 1, &f->legend_curves, &f->legend_points);
}

static void put_legend(text *script, const time_figure_network *f) {
    text_printf(script,
                "\nNOTES = 0\n\n# ---- Legend: texts, and where they begin, in cm from the lower left "
                "corner.\n\nLEGEND = %d\n",
                f->entry_count);
    if (f->entry_count == 0) return;
    text_append(script, "array LEGEND_TEXT[LEGEND]\narray LEGEND_X[LEGEND]\narray LEGEND_Y[LEGEND]\n");
    for (int i = 0; i < f->entry_count; i++) {
        double x, y;
        char name[32];
        network_time_place(f, i, &x, &y);
        snprintf(name, sizeof name, "LEGEND_TEXT[%d]", i + 1);
        text_printf(script, "LEGEND_X[%d] = %.4g; LEGEND_Y[%d] = %.4g\n", i + 1, x + TIME_SAMPLE_WIDTH + 0.12,
                    i + 1, y + TIME_SAMPLE_HEIGHT / 2);
        script_twice(script, name, f->entries[i].shown.data, f->entries[i].shown_tex.data);
    }
}

/* A line is whole in colours, for it has points or turns on it; the solution beside it always is. */
static void put_look(text *script, const char *key, const char *colour, const char *dash, int point,
                     double width, double size) {
    text_printf(script,
                "LINE_%s = '%s'; WIDTH_%s = %g; DASH_%s = COLOURS eq 'colour' ? 1 : '%s'; POINT_%s = %d; "
                "SIZE_%s = %g\n",
                key, colour, key, width, key, dash, key, point, key, size);
}

void network_time_script(const time_figure_network *f, text *script) {
    script_head(script, script_title(&f->spec->figure.style, f->spec->title),
                costab_results_source(f->results), f->name);
    script_layout(script,
                  &(script_sizes){paper_unit(&f->spec->figure.style), f->width, f->height, f->left, f->right,
                                  f->top, f->bottom, f->gap_x, f->gap_y, f->columns, f->rows, ""});
    text_append(script, "SHARED        = 0           # 1: numbers on the outer axes only\n");
    put_texts(script, f);
    put_panels(script, f);
    put_legend(script, f);
    script_look(script, &f->spec->figure.style);
    text_append(script,
                "\n# ---- Lines and points: colour, width in pt, dashes, the point's type and size.\n\n");
    put_look(script, "local", "#0072b2", ".", 7, 0.6, 0.3);
    put_look(script, "points", "#d55e00", "-", 7, 0.4, 0.35);
    for (int c = 0; f->shared && c < f->coupling_count; c++) {
        char key[16];
        snprintf(key, sizeof key, "c%d", c + 1);
        put_look(script, key, colours[c % COLOURS], dashes[c % DASHES], points[c % POINTS], 0.6, 0.3);
        script_comment(script, "  # ", f->couplings[c]);
    }
    text_append(script, plot_template_figure);
    script_finish(script);
}
