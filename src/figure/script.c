/* The script of a figure.
 *   1. The head: what costab wrote it from, and the mark by which costab knows it.
 *   2. Variables for all that is special to the figure: sizes, panels, ticks, texts, styles. They are made
 *      to be edited by hand.
 *   3. The template plots/figure.gp, which is the same for all figures and draws by these variables. */
#include "figure/script.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/memory.h"
#include "figure/data.h"
#include "figure/files.h"
#include "figure/place.h"
#include "figure/rich.h"
#include "figure/words.h"
#include "plots.h"

const char *costab_colours_name(costab_colours colours) {
    static const char *const names[COSTAB_COLOURS_COUNT] = COSTAB_COLOURS_NAMES;
    return (unsigned)colours < COSTAB_COLOURS_COUNT ? names[colours] : NULL;
}

/* What is being written. */
typedef struct writer {
    const scene *s;
    const figure_layout *l;
    const costab_style *style;
    text *script;
} writer;

static void put_number(const writer *w, const char *name, double value, const char *what) {
    text_printf(w->script, what[0] ? "%-13s = %-10.6g  # %s\n" : "%-13s = %.6g\n", name, value, what);
}

static void put_element(const writer *w, const char *array, int i, const char *rich) {
    char name[40];
    snprintf(name, sizeof name, "%s[%d]", array, i);
    words_rich(w->script, name, rich ? rich : "");
}

/* ---- The head */

static void put_head(const writer *w, const figure_names *names) {
    words_comment(w->script, "# ", w->s->title[0] ? w->s->title : "A figure of costab");
    words_comment(w->script, "# Results computed by ", names->source);
    words_comment(w->script, FILES_KIND, w->s->kinds ? w->s->kinds : "");
    text_append(w->script, plot_template_head);
    text_append(w->script, "if (!exists(\"NAME\")) NAME = ");
    escape(w->script, ESCAPE_GNUPLOT, names->name);
    text_append(w->script, "\nif (!exists(\"DATA\")) DATA = './'.NAME.'.dat'\n");
}

static void put_sizes(const writer *w) {
    const figure_layout *l = w->l;
    double unit = l->unit;
    text_append(w->script, "\n# ---- Size and layout, in cm. Hatching is drawn for these: other "
                           "proportions turn it.\n\n");
    put_number(w, "WIDTH", unit * l->width, "of the whole figure");
    put_number(w, "HEIGHT", unit * l->height, "");
    put_number(w, "LEFT", unit * l->left, "from the figure's edge to the panels");
    put_number(w, "RIGHT", unit * l->right, "");
    put_number(w, "TOP", unit * l->top, "");
    put_number(w, "BOTTOM", unit * l->bottom, "");
    put_number(w, "GAP_X", unit * l->gap_x, "between panels");
    put_number(w, "GAP_Y", unit * l->gap_y, "");
    put_number(w, "UNIT", unit, "of the legend's coordinates");
    text_printf(w->script, "COLUMNS       = %d\nROWS          = %d\n", l->columns, l->rows);
}

/* The title is shown as it is, without mark-up, but for ]]>, which no XML may have in a text: a blank parts
 * it.
 */
static void put_title(const writer *w) {
    text_local shown = {0}, tex = {0};
    const char *rest = w->l->title ? w->l->title : "";
    for (const char *end; (end = strstr(rest, "]]>")) != NULL; rest = end + 2) {
        text_append_n(&shown, rest, (size_t)(end + 2 - rest));
        text_append(&shown, " ");
    }
    text_append(&shown, rest);
    rich_write(&tex, w->l->title ? w->l->title : "", true);
    text_append(w->script,
                "\n# ---- Texts: as they are (the title), with gnuplot's mark-up, or LaTeX's.\n\n");
    words_twice(w->script, "TITLE", &shown, &tex);
}

/* ---- Panels */

/* Arguments of `set xtics`: every tick with its number, or with none where another panel has the numbers. */
static void put_ticks(const writer *w, char letter, int i, const ticks *t, int digits, bool shown) {
    text_local plain = {0}, tex = {0};
    char name[24];
    for (int k = 0; k < 2; k++) {
        text *list = k == 0 ? &plain : &tex;
        text_append(list, "(");
        for (int n = 0; n < t->count; n++) {
            text_append(list, n > 0 ? ", '" : "'");
            rich_write(list, shown ? t->of[n].number : "", k == 1);
            text_printf(list, "' %.*g%s", digits, t->of[n].value, t->of[n].minor ? " 1" : "");
        }
        /* An empty list stands for ticks of gnuplot's choice: one far away for none. */
        text_append(list, t->count > 0 ? ")" : "'' 1e99)");
    }
    snprintf(name, sizeof name, "%cTICS[%d]", letter, i);
    words_twice(w->script, name, &plain, &tex);
}

/* The name of an axis, with what its numbers leave out: an offset, a power of ten. */
static void put_axis_name(const writer *w, char letter, int i, const scene_axis *axis, const ticks *t,
                          bool shown) {
    text_local label = {0};
    char array[8];
    text_append(&label, shown && axis->label ? axis->label : "");
    if (shown) ticks_name(t, &label);
    snprintf(array, sizeof array, "%cLABEL", letter);
    if (label.failed)
        w->script->failed = true;
    else
        put_element(w, array, i, label.data);
    if (letter == 'Y' && !label.failed)
        text_printf(w->script, "YTURN[%d] = %d\n", i, rich_width(label.data) > 0.6 ? 90 : 0);
}

static void put_axis(const writer *w, char letter, int i, const scene_axis *axis, const double *range,
                     const ticks *t, bool shown) {
    int digits = scene_digits(axis, range);
    text_printf(w->script, "%cMIN[%d] = %.*g; %cMAX[%d] = %.*g; %cLOG[%d] = %d\n", letter, i, digits,
                scene_value(axis, range[0]), letter, i, digits, scene_value(axis, range[1]), letter, i,
                axis->log);
    put_ticks(w, letter, i, t, digits, shown);
    put_axis_name(w, letter, i, axis, t, shown);
}

static int lines_of(const char *rich) {
    int lines = 1;
    for (const char *c = rich; *c; c++) lines += *c == '\n';
    return lines;
}

static void put_panel(const writer *w, int i, const data_words *words) {
    static const char *const lists[] = {"FILLS", "HATCHES", "CURVES", "POINTS"};
    if (i <= w->s->panel_count) {
        const scene_panel *panel = w->s->panels[i - 1];
        const layout_panel *on_paper = &w->l->panels[i - 1];
        text_append(w->script, "\n");
        put_element(w, "CAPTION", i, on_paper->caption);
        text_printf(w->script, "CAPTION_LINES[%d] = %d\n", i, lines_of(on_paper->caption));
        put_axis(w, 'X', i, &panel->x, on_paper->frame.box.x, &on_paper->x, on_paper->x_shown);
        put_axis(w, 'Y', i, &panel->y, on_paper->frame.box.y, &on_paper->y, on_paper->y_shown);
    } else {
        text_append(w->script, "\n# The legend's samples.\n");
    }
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        text_printf(w->script, "%s[%d] = '%s'\n", lists[k], i,
                    words->of[k].size > 0 ? words->of[k].data : "");
}

static void put_panels(const writer *w, const data_words *words, int notes) {
    const scene_bar *bar = &w->s->bar;
    int legend =
        w->l->entry_count + (bar->level_count > 0 ? bar->level_count + 1 : 0) + (w->l->caption != NULL);
    text_printf(
        w->script,
        "\n# ---- Panels: what is drawn in each, in this order; the words name blocks of the data, and up "
        "to a point\n# their styles.\n\nPANELS = %d\nNOTES = %d\nLEGEND = %d\n%s",
        w->s->panel_count, notes, legend, plot_template_arrays);
    for (int i = 1; i <= w->s->panel_count + 1; i++) put_panel(w, i, &words[i - 1]);
}

/* ---- Texts in panels, and the legend's */

/* Writes the notes of all panels. Returns their number. */
static int write_notes(const scene *s, const figure_layout *l, text *notes) {
    int n = 0;
    for (int i = 0; i < s->panel_count; i++) {
        const scene_panel *panel = s->panels[i];
        memory_local placed_text *placed = memory_alloc((size_t)panel->text_count + 1, sizeof *placed);
        if (!placed) notes->failed = true;
        for (int k = 0, found = !placed ? 0 : place_texts(panel, &l->panels[i].frame, placed); k < found;
             k++) {
            const scene_text *item = placed[k].item;
            char name[24];
            n++;
            text_printf(notes, "NOTE_PANEL[%d] = %d; NOTE_X[%d] = %.10g; NOTE_Y[%d] = %.10g; ", n, i + 1, n,
                        scene_value(&panel->x, placed[k].x), n, scene_value(&panel->y, placed[k].y));
            text_printf(notes, "NOTE_SIDE[%d] = %d; NOTE_BOX[%d] = %d; NOTE_SIZE[%d] = %.3g\n", n,
                        placed[k].side, n, placed[k].boxed, n, item->size > 0 ? item->size : 1);
            snprintf(name, sizeof name, "NOTE[%d]", n);
            words_rich(notes, name, placed[k].shown);
        }
    }
    return n;
}

static void put_legend_text(const writer *w, int *i, double x, double y, bool centred, const char *rich) {
    ++*i;
    text_printf(w->script, "LEGEND_X[%d] = %.4g; LEGEND_Y[%d] = %.4g; LEGEND_CENTRED[%d] = %d\n", *i, x, *i,
                y, *i, centred);
    put_element(w, "LEGEND_TEXT", *i, rich);
}

static void put_legend(const writer *w) {
    const figure_layout *l = w->l;
    const scene_bar *bar = &w->s->bar;
    double middle = LAYOUT_SWATCH_HEIGHT / 2;
    int i = 0;
    text_append(w->script, "\n# ---- Legend\n\n");
    for (int k = 0; k < l->entry_count; k++)
        put_legend_text(w, &i, l->entries[k].x + (l->at_ends ? 0 : LAYOUT_SAMPLE), l->entries[k].y + middle,
                        false, w->s->styles[l->entries[k].style].legend);
    if (bar->level_count > 0)
        put_legend_text(w, &i, l->bar_left - (l->bar_below ? 0 : 0.2 + rich_width(bar->label)),
                        l->bar_bottom + middle + (l->bar_below ? LAYOUT_NAME_UP : 0), false, bar->label);
    for (int k = 0; k < bar->level_count; k++) {
        char number[RICH_NUMBER_MAX];
        put_legend_text(w, &i, l->bar_left + (k + 1) * l->bar_step, l->bar_bottom - 0.22, true,
                        layout_bar_number(bar, l, k) ? rich_number(bar->levels[k], number) : "");
    }
    if (l->caption) put_legend_text(w, &i, 0.2, 0.2 + 0.36 * (l->caption_lines - 1), false, l->caption);
}

/* ---- Style */

static void put_style_line(const writer *w, const scene_style *style) {
    text *script = w->script;
    const char *name = style->name;
    if (style->tint) text_printf(script, "TINT_%s = '%s'; ", name, style->tint);
    if (style->pattern_count > 0) text_printf(script, "HATCH_%s = '%s'; ", name, style->hatch);
    if (style->line) text_printf(script, "LINE_%s = '%s'; ", name, style->line);
    if (style->width > 0 && style->width_grey > 0)
        text_printf(script, "WIDTH_%s = COLOURS eq 'colour' ? %g : %g; ", name, style->width,
                    style->width_grey);
    else if (style->width > 0)
        text_printf(script, "WIDTH_%s = %g; ", name, style->width);
    if (style->width > 0) text_printf(script, "DASH_%s = %s; ", name, style->dash);
    if (style->point > 0)
        text_printf(script, "POINT_%s = %d; SIZE_%s = %g; ", name, style->point, name, style->size);
    words_comment(script, "  # ", style->words);
}

static void put_style(const writer *w) {
    const costab_style *style = w->style;
    text_append(w->script, "\n# ---- Style\n\n");
    if (style->font[0]) {
        text_append(w->script, "if (!exists(\"FONT\")) FONT = ");
        escape(w->script, ESCAPE_GNUPLOT, style->font);
        text_append(w->script, "\n");
    }
    if (style->font_size > 0)
        text_printf(w->script, "if (!exists(\"FONTSIZE\")) FONTSIZE = %.6g\n", style->font_size);
    if (style->dpi > 0) text_printf(w->script, "if (!exists(\"DPI\")) DPI = %d\n", style->dpi);
    text_printf(w->script, "if (!exists(\"COLOURS\")) COLOURS = '%s'   # colour, grey, black\n",
                costab_colours_name(style->colours));
    text_printf(w->script, "if (!exists(\"HATCHING\")) HATCHING = %d     # 0: without\n", !style->plain);
    text_append(
        w->script,
        "\n# Fills, hatches, lines and points: colour, width in pt, dashes, the point's type and size.\n");
    for (int k = 0; k < w->s->style_count; k++) put_style_line(w, &w->s->styles[k]);
    text_append(w->script, plot_template_figure);
}

costab_status script_write(scene *s, const figure_layout *l, const costab_style *style,
                           const figure_names *names, text *script, text *data, costab_error *error) {
    writer w = {s, l, style, script};
    text_local notes = {0};
    memory_local_array(data_words, words, (size_t)s->panel_count + 1, error);
    data_write(s, l, data, words);
    int count = write_notes(s, l, &notes);
    put_head(&w, names);
    put_sizes(&w);
    put_title(&w);
    put_panels(&w, words, count);
    text_append_text(script, &notes);
    put_legend(&w);
    put_style(&w);
    for (int i = 0; i <= s->panel_count; i++) data_words_free(&words[i]);
    return script->failed || data->failed ? error_memory(error) : COSTAB_OK;
}
