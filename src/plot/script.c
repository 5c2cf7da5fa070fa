/* The script: what is special to the figure as knobs on top, then the template, which is the same for all. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "plot/curves.h"
#include "plot/markup.h"
#include "plot/paper.h"
#include "plot/words.h"
#include "plots.h"

static const char *kind_word(panel_kind kind) {
    static const char *const words[] = {"quadrant",   "triangle", "regions", "classes",
                                        "comparison", "areas",    "time"};
    return words[kind];
}

static void put_keys(text *script, const char *array, int i, const bool *present) {
    text_printf(script, "%s[%d] = '", array, i);
    bool first = true;
    for (int k = 0; k < KEY_COUNT; k++) {
        if (!present[k]) continue;
        text_printf(script, "%s%s", first ? "" : " ", figure_keys[k].name);
        first = false;
    }
    text_append(script, "'\n");
}

static void put_panel(text *script, const figure *f, int i, const figure_panel *p) {
    if (p != &f->legend) {
        const outline_box *box = &p->frame.box;
        char name[24];
        snprintf(name, sizeof name, "CAPTION[%d]", i);
        text_printf(script, "\nKIND[%d] = '%s'\n", i, kind_word(p->kind));
        script_twice(script, name, p->caption.data, p->caption_tex.data);
        text_printf(script, "XMIN[%d] = %.10g; XMAX[%d] = %.10g; XSTEP[%d] = %g\n", i, box->gamma[0], i,
                    box->gamma[1], i, p->gamma_step);
        text_printf(script, "YMIN[%d] = %.10g; YMAX[%d] = %.10g; YSTEP[%d] = %g\n", i, box->delta[0], i,
                    box->delta[1], i, p->delta_step);
        double end = p->kind == PANEL_AREAS ? area_figure_shelf(f, p) : box->delta[1];
        text_printf(script, "YSTART[%d] = %.10g; YEND[%d] = %.10g\n", i,
                    p->delta_step * ceil(box->delta[0] / p->delta_step), i, end);
    } else {
        text_append(script, "\n# The legend's samples.\n");
    }
    put_keys(script, "FILLS", i, p->fills);
    put_keys(script, "HATCHES", i, p->hatches);
    put_keys(script, "CURVES", i, p->curves);
    text_printf(script, "LABELS[%d] = '%s'\n", i, p->labels ? "class" : "");
    put_keys(script, "POINTS", i, p->points);
}

static void put_panels(text *script, const figure *f) {
    text_printf(
        script,
        "\n# ---- Panels: what is drawn in each, in this order; the words name blocks of the data.\n\n"
        "PANELS = %d\n",
        f->panel_count);
    static const char *const arrays[] = {"KIND", "CAPTION", "XMIN",  "XMAX",   "XSTEP",
                                         "YMIN", "YMAX",    "YSTEP", "YSTART", "YEND"};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        text_printf(script, "array %s[PANELS]\n", arrays[k]);
    text_append(script, "array FILLS[PANELS + 1]\narray HATCHES[PANELS + 1]\narray CURVES[PANELS + 1]\n"
                        "array LABELS[PANELS + 1]\narray POINTS[PANELS + 1]\n");
    for (int i = 0; i < f->panel_count; i++) put_panel(script, f, i + 1, &f->panels[i]);
    put_panel(script, f, f->panel_count + 1, &f->legend);
}

static void put_legend(text *script, const figure *f) {
    int count = 0;
    for (int k = 0; k < KEY_COUNT; k++) count += f->used[k] && figure_keys[k].sample;
    text_printf(
        script,
        "\n# ---- Legend: texts, and where they begin, in cm from the lower left corner.\n\nLEGEND = %d\n",
        count);
    if (count == 0) return;
    text_append(script, "array LEGEND_TEXT[LEGEND]\narray LEGEND_X[LEGEND]\narray LEGEND_Y[LEGEND]\n");
    for (int o = 0, i = 0; o < FIGURE_LEGEND_KEYS; o++) {
        figure_key k = figure_legend_order[o];
        if (!f->used[k]) continue;
        double x, y;
        figure_legend_place(&f->layout, i++, &x, &y);
        char name[32];
        snprintf(name, sizeof name, "LEGEND_TEXT[%d]", i);
        text_printf(script, "LEGEND_X[%d] = %.4g; LEGEND_Y[%d] = %.4g\n", i, x + LEGEND_SWATCH_WIDTH + 0.12,
                    i, y + LEGEND_SWATCH_HEIGHT / 2);
        script_twice(script, name, figure_legend(f, k, false), figure_legend(f, k, true));
    }
}

static void put_notes(text *script, const figure *f) {
    text_printf(script, "\n# ---- Notes: texts centred on a place of a panel.\n\nNOTES = %d\n",
                f->note_count);
    if (f->note_count == 0) return;
    text_append(script,
                "array NOTE[NOTES]\narray NOTE_PANEL[NOTES]\narray NOTE_X[NOTES]\narray NOTE_Y[NOTES]\n");
    for (int i = 0; i < f->note_count; i++) {
        const figure_note *note = &f->notes[i];
        char name[24];
        snprintf(name, sizeof name, "NOTE[%d]", i + 1);
        text_printf(script, "NOTE_PANEL[%d] = %d; NOTE_X[%d] = %.6g; NOTE_Y[%d] = %.6g\n", i + 1, note->panel,
                    i + 1, note->x, i + 1, note->y);
        script_twice(script, name, note->shown, note->shown_tex);
    }
}

static void put_texts(text *script, const figure *f) {
    script_texts(script, script_title(&f->spec->figure.style, f->spec->title));
    script_twice(script, "GAMMA", "Γ", "$\\Gamma$");
    script_twice(script, "DELTA", "Δ", "$\\Delta$");
    script_twice(script, "TRACE", "Tr {/:Bold D}", "$\\mathrm{Tr}\\,\\mathbf{D}$");
    script_twice(script, "DETERMINANT", "Det {/:Bold D}", "$\\mathrm{Det}\\,\\mathbf{D}$");
    script_twice(script, "STABLE", "stable", "stable");
    script_twice(script, "GAMMA1", "γ_1", "$\\gamma_1$");
    script_twice(script, "GAMMA2", "γ_2", "$\\gamma_2$");
    script_twice(script, "GAMMA3", "γ_3", "$\\gamma_3$");
    script_twice(script, "A", "{/:Italic a}", "$a$");
    bool us = f->wanted.us;
    script_twice(script, "AREA", us ? "area {/:Italic A}_{SS}, {/:Italic A}_{US}" : "area {/:Italic A}_{SS}",
                 us ? "area $A_{\\mathrm{SS}}$, $A_{\\mathrm{US}}$" : "area $A_{\\mathrm{SS}}$");
    script_twice(script, "TIME", "{/:Italic t}", "$t$");
    script_twice(script, "STATE", "{/:Italic x}", "$x$");
}

costab_status figure_script(const figure *f, text *script, costab_error *error) {
    const figure_layout *l = &f->layout;
    script_head(script, script_title(&f->spec->figure.style, f->spec->title), f->source, f->name);
    script_layout(script,
                  &(script_sizes){paper_unit(&f->spec->figure.style), l->width, l->height, l->left, l->right,
                                  l->top, l->bottom, l->gap_x, l->gap_y, l->columns, l->rows,
                                  " Hatching is drawn for these: other proportions turn it."});
    text_printf(script, "SHARED        = %d           # 1: numbers on the outer axes only\n", l->shared);
    put_texts(script, f);
    put_panels(script, f);
    put_notes(script, f);
    put_legend(script, f);
    script_look(script, &f->spec->figure.style);
    text_append(script, plot_template_figure);
    script_finish(script);
    return script->failed ? error_memory(error) : COSTAB_OK;
}
