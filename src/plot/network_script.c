/* The script: what is special to the figure as knobs on top, then the template, which is the same for all. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot/markup.h"
#include "plot/network_layout.h"
#include "plot/paper.h"
#include "plot/words.h"
#include "plots.h"

/* Okabe and Ito's colours without the yellow, in an order in which neighbours differ in grey too; dashes tell
 * them apart without colours. */
static const char *const curve_colours[] = {"#000000", "#d55e00", "#0072b2", "#009e73",
                                            "#cc79a7", "#56b4e9", "#e69f00"};
static const char *const curve_dashes[] = {"1", "'-'", "'-.'", "'.'", "'_'", "'-..'", "'_.'", "'-_'"};

enum {
    COLOURS = sizeof curve_colours / sizeof *curve_colours,
    DASHES = sizeof curve_dashes / sizeof *curve_dashes
};

/* From light to dark as the radius grows, so that the order shows in grey: blue below 1, orange above. */
void network_band_colour(const network_figure *f, int band, char colour[8]) {
    static const double ends[2][2][3] = {{{247, 251, 254}, {185, 214, 235}},
                                         {{241, 196, 150}, {181, 78, 20}}};
    int below = f->level_one + 1, above = f->level_count - f->level_one;
    bool stable = band < below;
    int count = stable ? below : above, at = stable ? band : band - below;
    double t = count > 1 ? (double)at / (count - 1) : stable ? 1 : 0;
    int parts[3];
    for (int k = 0; k < 3; k++)
        parts[k] = (int)lround(ends[!stable][0][k] + t * (ends[!stable][1][k] - ends[!stable][0][k])) & 255;
    snprintf(colour, 8, "#%02x%02x%02x", (unsigned)parts[0], (unsigned)parts[1], (unsigned)parts[2]);
}

/* A parameter as mathematics writes it: H, and T_d with an index; other names as they are. */
static void put_name(text *script, const char *variable, const char *name) {
    text shown = {0}, tex = {0};
    bool letter = name[0] && (!name[1] || (name[1] == '_' && name[2] && !strchr(name + 2, '_')));
    text_append(&shown, "");
    text_append(&tex, "");
    if (letter) {
        text_printf(&shown, "{/:Italic %c}", name[0]);
        text_printf(&tex, "$%c", name[0]);
        if (name[1]) {
            text_printf(&shown, "_{%s}", name + 2);
            text_printf(&tex, "_{\\mathrm{%s}}", name + 2);
        }
        text_append(&tex, "$");
    } else {
        markup_enhanced(&shown, name);
        markup_tex(&tex, name);
    }
    if (shown.failed || tex.failed)
        script->failed = true;
    else
        script_twice(script, variable, shown.data, tex.data);
    text_free(&shown);
    text_free(&tex);
}

static void put_texts(text *script, const network_figure *f) {
    const costab_plan *plan = costab_results_plan(f->results);
    script_texts(script, script_title(&f->spec->figure.style, f->spec->title));
    put_name(script, "XNAME", plan->axes[f->x.number].name);
    if (f->y.count > 0)
        put_name(script, "YNAME", plan->axes[f->y.number].name);
    else
        script_twice(script, "YNAME", network_drawn(f)->shown, network_drawn(f)->tex);
}

static void put_axis(text *script, const network_axis *axis, char letter, const double *range,
                     const text *ticks) {
    double low = network_value(axis, range[0]), high = network_value(axis, range[1]);
    bool powers = network_powers(axis, range);
    text_printf(script, "%cMIN = %.10g; %cMAX = %.10g; %cLOG = %d\n", letter, low, letter, high, letter,
                axis->log);
    text_printf(script, "%cTICS = '", letter);
    text_append_text(script, ticks);
    text_append(script, "'\n");
    char variable[16];
    snprintf(variable, sizeof variable, "%cFORMAT", letter);
    script_twice(script, variable, powers ? "10^{%T}" : "%g", powers ? "$10^{%T}$" : "$%g$");
}

static void put_words(text *script, const char *array, int i, const text *words) {
    text_printf(script, "%s[%d] = '", array, i);
    text_append_text(script, words);
    text_append(script, "'\n");
}

static void put_panels(text *script, const network_figure *f) {
    text_append(script, "\n# ---- Axes: of all panels.\n\n");
    put_axis(script, &f->x, 'X', f->frame.box.gamma, &f->ticks[0]);
    put_axis(script, &f->y, 'Y', f->frame.box.delta, &f->ticks[1]);
    text_printf(script,
                "\n# ---- Panels: what is drawn in each, in this order; the words name blocks of the data, "
                "and up to a point\n# their colours.\n\nPANELS = %d\narray CAPTION[PANELS]\n",
                f->panel_count);
    int letters = 0;
    for (int i = 0; i < f->panel_count; i++) letters = (int)fmax(letters, network_caption_length(f, i));
    text_printf(script, "CAPTION_LETTERS = %d\n", letters);
    text_append(script, "array FILLS[PANELS + 1]\narray HATCHES[PANELS + 1]\narray CURVES[PANELS + 1]\n"
                        "array POINTS[PANELS + 1]\narray LABELS[PANELS + 1]\n");
    for (int i = 1; i <= f->panel_count + 1; i++) {
        const network_panel *p = &f->panels[i - 1];
        char name[24];
        snprintf(name, sizeof name, "CAPTION[%d]", i);
        text_append(script, i <= f->panel_count ? "\n" : "\n# The legend's samples.\n");
        if (i <= f->panel_count) script_twice(script, name, p->caption.data, p->caption_tex.data);
        put_words(script, "FILLS", i, &p->fills);
        put_words(script, "HATCHES", i, &p->hatches);
        put_words(script, "CURVES", i, &p->curves);
        put_words(script, "POINTS", i, &p->points);
        put_words(script, "LABELS", i, &p->labels);
    }
}

static void put_text(text *script, int i, double x, double y, bool centred, const char *shown,
                     const char *tex) {
    char name[32];
    snprintf(name, sizeof name, "LEGEND_TEXT[%d]", i);
    text_printf(script, "LEGEND_X[%d] = %.4g; LEGEND_Y[%d] = %.4g; LEGEND_CENTRED[%d] = %d\n", i, x, i, y, i,
                centred);
    script_twice(script, name, shown, tex);
}

static void put_legend(text *script, const network_figure *f) {
    bool bar = f->bar_bottom > 0;
    int count = f->entry_count + (bar ? f->level_count + 1 : 0), i = 0;
    text_printf(
        script,
        "\n# ---- Legend: texts, and where they are, in cm from the lower left corner.\n\nLEGEND = %d\n",
        count);
    if (count == 0) return;
    text_append(script, "array LEGEND_TEXT[LEGEND]\narray LEGEND_X[LEGEND]\narray LEGEND_Y[LEGEND]\n"
                        "array LEGEND_CENTRED[LEGEND]\n");
    for (; i < f->entry_count; i++) {
        double x, y;
        network_entry_place(f, i, &x, &y);
        put_text(script, i + 1, x + NETWORK_SWATCH_WIDTH + 0.12, y + NETWORK_SWATCH_HEIGHT / 2, false,
                 f->entries[i].shown, f->entries[i].shown_tex);
    }
    if (!bar) return;
    double left, step;
    network_bar_place(f, &left, &step);
    put_text(script, ++i, left - 0.35, f->bar_bottom + NETWORK_SWATCH_HEIGHT / 2, false,
             network_drawn(f)->symbol, network_drawn(f)->symbol_tex);
    for (int k = 0; k < f->level_count; k++) {
        char number[40];
        snprintf(number, sizeof number, "%.6g", f->levels[k]);
        put_text(script, ++i, left + (k + 1) * step, f->bar_bottom - 0.22, true, number, number);
    }
}

/* Colours of what only this figure has. */
static void put_look(text *script, const network_figure *f) {
    text_append(script, "\n# ---- Colours, dashes, points: change them here.\n\n");
    for (int b = 0; b <= f->level_count && f->level_count > 0; b++) {
        char colour[8];
        network_band_colour(f, b, colour);
        text_printf(script, "TINT_b%d = '%s'  # %s %.6g\n", b, colour, b < f->level_count ? "below" : "from",
                    f->levels[b < f->level_count ? b : b - 1]);
    }
    for (int c = 0; c < f->coupling_count && f->y.count == 0; c++) {
        text_printf(script, "LINE_c%d = '%s'; WIDTH_c%d = %g; DASH_c%d = %s; POINT_c%d = 7; SIZE_c%d = 0.4",
                    c + 1, curve_colours[c % COLOURS], c + 1, c % DASHES == 3 ? 1.4 : 1.2, c + 1,
                    curve_dashes[c % DASHES], c + 1, c + 1);
        script_comment(script, "  # ", f->couplings[c]);
    }
}

void network_script(const network_figure *f, text *script) {
    script_head(script, script_title(&f->spec->figure.style, f->spec->title),
                costab_results_source(f->results), f->name);
    script_layout(script,
                  &(script_sizes){paper_unit(&f->spec->figure.style), f->width, f->height, f->left, f->right,
                                  f->top, f->bottom, f->gap_x, f->gap_y, f->columns, f->rows,
                                  " Hatching is drawn for these: other proportions turn it."});
    put_texts(script, f);
    put_panels(script, f);
    put_legend(script, f);
    script_look(script, &f->spec->figure.style);
    put_look(script, f);
    text_append(script, plot_template_network);
    script_finish(script);
}
