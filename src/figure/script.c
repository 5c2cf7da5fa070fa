/* The script of a figure, made to be edited: `set` lines, and one `plot` for each panel.
 *   1. The head: what the figure shows, the source of its numbers, formats and size.
 *   2. The output, plots/figure.gp: the same for all figures.
 *   3. Colours and lines of the styles in use.
 *   4. Title, key (the legend), axes and texts of each panel; settings of the panel before stay in force. The
 *      key of several panels is a last, empty plot as wide as the figure. */
#include "figure/script.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/escape.h"
#include "figure/blocks.h"
#include "figure/files.h"
#include "figure/label.h"
#include "figure/names.h"
#include "plots.h"

#define PT        2   /* gnuplot's line width of 1 pt */
#define LINE_MOST 150 /* bytes of a line with several elements */

const char *costab_colours_name(costab_colours colours) {
    static const char *const names[COSTAB_COLOURS_COUNT] = COSTAB_COLOURS_NAMES;
    return (unsigned)colours < COSTAB_COLOURS_COUNT ? names[colours] : NULL;
}

/* The settings of an axis. */
typedef enum axis_slot { AXIS_SCALE, AXIS_RANGE, AXIS_TICKS, AXIS_FORMAT, AXIS_LABEL, AXIS_SLOTS } axis_slot;

/* A script while it is written. */
typedef struct writer {
    const scene *s;
    const paper *p;
    const costab_style *style;
    text *script;
    text last[2][AXIS_SLOTS]; /* the settings of the axes x and y that are in force */
} writer;

/* ---- Texts */

/* Writes a string for gnuplot, as T('shown', 'for LaTeX') if these differ. */
static void put_string(const writer *w, const char *shown) {
    text_local tex = {0};
    names_tex(&tex, shown);
    w->script->failed |= tex.failed;
    if (tex.failed) return;
    const bool same = strcmp(tex.data, shown) == 0;
    if (!same) text_append(w->script, "T(");
    escape(w->script, ESCAPE_GNUPLOT, shown);
    if (same) return;
    text_append(w->script, ", ");
    escape(w->script, ESCAPE_GNUPLOT, tex.data);
    text_append(w->script, ")");
}

static void put_comment(const writer *w, const char *before, const char *shown) {
    text_local plain = {0};
    names_strip(&plain, shown);
    text_append(w->script, before);
    if (!plain.failed) escape(w->script, ESCAPE_COMMENT, plain.data);
    text_append(w->script, "\n");
    w->script->failed |= plain.failed;
}

/* ---- Head */

static void put_setting(const writer *w, const char *name, const char *value, const char *comment) {
    text_printf(w->script, "if (!exists(\"%s\")) %s = ", name, name);
    escape(w->script, ESCAPE_GNUPLOT, value);
    text_append(w->script, comment);
}

static void put_head(const writer *w, const figure_names *names) {
    const costab_style *style = w->style;
    text *to = w->script;
    put_comment(w, "# ", w->s->title[0] ? w->s->title : "A figure of costab");
    text_append(to, "# Results computed by ");
    escape(to, ESCAPE_COMMENT, names->source);
    text_printf(to, "\n%s%s\n", FILES_KIND, w->s->kinds ? w->s->kinds : "");
    text_append(to,
                "# A script for gnuplot 5.2 or newer, to be edited. It draws the data file beside it; run it "
                "in its own folder:\n#     gnuplot THIS.gp                    the PDF\n"
                "#     gnuplot -e \"FMT='png'\" THIS.gp     pdf, png, svg, eps; or tex, whose .tex a LaTeX "
                "file can \\input\n");
    put_setting(w, "FMT", "pdf", "\n");
    put_setting(w, "NAME", names->name, "\n");
    text_append(to, "if (!exists(\"DATA\")) DATA = './'.NAME.'.dat'\n");
    put_setting(w, "COLOURS", costab_colours_name(style->colours), "     # colour, grey or black\n");
    put_setting(w, "FONT", style->font[0] ? style->font : "Helvetica", "\n");
    text_printf(to, "if (!exists(\"FONTSIZE\")) FONTSIZE = %.6g     # pt, on paper\n",
                style->font_size > 0 ? style->font_size : 8);
    text_printf(to, "if (!exists(\"DPI\")) DPI = %d     # of the PNG\n", style->dpi > 0 ? style->dpi : 300);
    text_printf(to, "W = %.6g; H = %.4g     # width and height in cm\n", w->p->unit * w->p->width,
                w->p->unit * w->p->height);
    text_append(to, plot_template_figure);
}

/* ---- Styles */

static bool is_band(const scene_style *style) {
    return style->tint && style->name[0] == 'b' && strspn(style->name + 1, "0123456789") > 0 &&
           style->name[1 + strspn(style->name + 1, "0123456789")] == '\0';
}

/* Returns the kinds of layers with a style, in panels or in the key, as bits 1 << kind. */
static unsigned uses_of(const writer *w, int number) {
    unsigned uses = w->s->styles[number].legend ? w->s->styles[number].seen : 0;
    for (int i = 0; i < w->s->panel_count; i++)
        for (int k = 0; k < w->s->panels[i]->layer_count; k++)
            if (w->s->panels[i]->layers[k].style == number) uses |= 1U << w->s->panels[i]->layers[k].kind;
    return uses;
}

static void put_style(const writer *w, int number) {
    const scene_style *style = &w->s->styles[number];
    const unsigned uses = uses_of(w, number);
    text *to = w->script;
    const size_t before = to->size;
    if ((uses >> SCENE_FILL & 1U) && style->tint && !is_band(style))
        text_printf(to, "fill_%s = area(0x%s)", style->name, style->tint + 1);
    if ((uses >> SCENE_HATCH & 1U) && style->hatch)
        text_printf(to, "%shatch_%s = line(0x%s)", to->size > before ? "; " : "", style->name,
                    style->hatch + 1);
    if ((uses & ~(1U << SCENE_FILL | 1U << SCENE_HATCH)) && style->line) {
        text_printf(to, "%sset style line %d lc rgb line(0x%s)", to->size > before ? "; " : "", number + 1,
                    style->line + 1);
        if (style->width > 0) text_printf(to, " lw %.3g dt %s", PT * style->width, style->dash);
        if (style->point > 0) text_printf(to, " pt %d ps %g", style->point, style->size);
    }
    if (to->size > before) put_comment(w, "     # ", style->words);
}

/* Writes the colours of the bands between levels, and the numbers of the levels. */
static void put_palette(const writer *w) {
    const scene_bar *bar = &w->s->bar;
    text *to = w->script;
    for (int grey = 0; grey < 2; grey++) {
        text_printf(to, "%sset palette maxcolors %d defined (", grey ? "if (COLOURS ne 'colour') " : "",
                    bar->level_count + 1);
        for (int k = 0, n = 0; k < w->s->style_count; k++) {
            if (!is_band(&w->s->styles[k])) continue;
            unsigned rgb = 0;
            (void)sscanf(w->s->styles[k].tint + 1, "%x", &rgb);
            const int light =
                (int)(0.2126 * (rgb >> 16) + 0.7152 * (rgb >> 8 & 255U) + 0.0722 * (rgb & 255U));
            if (grey) rgb = 0x10101U * (unsigned)light;
            text_printf(to, "%s%d '#%06x', %d '#%06x'", n > 0 ? ", " : "", n, rgb, n + 1, rgb);
            n++;
        }
        text_append(to, ")\n");
    }
    text_printf(to, "set cbrange [0:%d]; set cbtics scale 0 (", bar->level_count + 1);
    for (int k = 0; k < bar->level_count; k++) {
        char number[NAMES_NUMBER_MAX], shown[NAMES_NUMBER_MAX + sizeof NAMES_BOLD("")];
        if (k > 0) text_append(to, ", ");
        names_number(bar->levels[k], number);
        (void)text_format(shown, sizeof shown, k == bar->limit_level ? NAMES_BOLD("%s") : "%s", number);
        put_string(w, shown);
        text_printf(to, " %d", k + 1);
    }
    text_append(to, ")\nset cblabel ");
    put_string(w, bar->label);
    if (names_width(bar->label) < 0.6) text_append(to, " rotate by 0");
    text_append(to, w->p->plain ? "\n" : " offset 0, 0.6\n");
    if (!w->p->plain)
        text_printf(to,
                    "set colorbox horizontal user origin screen 0.2, screen %#.3g/H size screen 0.6, screen "
                    "%#.3g/H\n",
                    w->p->unit * 0.95, w->p->unit * 0.25);
}

static void put_styles(const writer *w) {
    text_append(w->script, "\n# ---- Style: fills, hatch lines, lines and points\n");
    for (int k = 0; k < w->s->style_count; k++) put_style(w, k);
    if (w->s->bar.level_count > 0) put_palette(w);
}

/* ---- Axes */

/* Appends a setting unless it is in force. */
static void put_slot(writer *w, char letter, axis_slot slot, text *setting, text *line) {
    text *last = &w->last[letter - 'x'][slot];
    w->script->failed |= setting->failed;
    if (setting->failed || (last->data && strcmp(last->data, setting->data) == 0)) {
        text_free(setting);
        return;
    }
    if (line->size > 0) text_append(line, "; ");
    text_append_text(line, setting);
    text_free(last);
    *last = *setting;
}

/* Writes numbers within the decades of a short logarithmic axis, for which gnuplot has powers of ten alone.
 */
static void put_log_numbers(const double *range, text *to) {
    static const int factors[] = {1, 2, 5};
    const char *gap = "";
    text_append(to, " (");
    for (int decade = (int)floor(range[0]); decade <= (int)floor(range[1]); decade++)
        for (int k = 0; k < 3; k++) {
            const double place = decade + log10(factors[k]);
            if (place < range[0] - 1e-9 || place > range[1] + 1e-9) continue;
            text_printf(to, "%s%g", gap, pow(10, place));
            gap = ", ";
        }
    text_append(to, ")");
}

/* Writes the names of rows in place of numbers. */
static void put_rows(const writer *w, const scene_panel *panel, text *to) {
    writer names = *w;
    names.script = to;
    text_append(to, "set ytics scale 0 (");
    for (int k = 0; k < panel->row_count; k++) {
        if (k > 0) text_append(to, ", ");
        put_string(&names, panel->rows[k].name);
        text_printf(to, " %g", panel->rows[k].y);
    }
    text_append(to, ")");
}

static double length_of(const writer *w, char letter) {
    return letter == 'x' ? w->p->panel_width : w->p->panel_height;
}

static bool has_digits(const writer *w, char letter, const scene_axis *axis) {
    return paper_has_digits(axis, length_of(w, letter), letter == 'x');
}

static void put_ticks(const writer *w, char letter, const scene_panel *panel, bool shown, text *to) {
    const scene_axis *axis = letter == 'x' ? &panel->x : &panel->y;
    const bool rows = letter == 'y' && panel->row_count > 0;
    const double step = paper_step(axis, length_of(w, letter), letter == 'x');
    text_printf(to, axis->bare || (rows && !shown) ? "unset %ctics" : "set %ctics", letter);
    if (axis->bare || (rows && !shown)) return;
    if (rows) {
        to->size = 0;
        put_rows(w, panel, to);
    } else if (has_digits(w, letter, axis)) {
        put_log_numbers(axis->range, to);
    } else if (step > 0) {
        text_printf(to, " %.6g", step);
    } else {
        text_append(to, " autofreq");
    }
}

/* Writes the format of the numbers: powers of ten, more digits in a narrow range, or gnuplot's own. */
static void put_format(const writer *w, char letter, const scene_axis *axis, bool shown, text *to) {
    const double size = axis->range[1] - axis->range[0],
                 wide = log10(fmax(fabs(axis->range[0]), fabs(axis->range[1])) / size);
    /* A forged file may have a range without a size. */
    const int digits = wide > 0 && wide < 16 ? (int)ceil(wide) + 2 : 2;
    text_printf(to, "set format %c ", letter);
    if (!shown)
        text_append(to, "''");
    else if (axis->log && !has_digits(w, letter, axis) && (axis->range[0] < -3 || axis->range[1] > 4))
        text_append(to, "T('10^{%T}', '$10^{%T}$')");
    else if (!axis->log && digits > 6)
        text_printf(to, "T('%%.%dg', '$%%.%dg$')", digits, digits);
    else
        text_append(to, "NUMBER");
}

static void put_label(const writer *w, char letter, const scene_axis *axis, bool shown, text *to) {
    writer label = *w;
    label.script = to;
    if (!shown || !axis->label || axis->bare) {
        text_printf(to, "unset %clabel", letter);
        return;
    }
    text_printf(to, "set %clabel ", letter);
    put_string(&label, axis->label);
    if (letter == 'x') text_append(to, " offset 0, 0.3");
    if (letter == 'y' && names_width(axis->label) < 0.6) text_append(to, " rotate by 0");
}

/* Writes the settings of an axis that differ from those of the panel before. shown: with numbers and label.
 */
static void put_axis(writer *w, char letter, const scene_panel *panel, bool shown) {
    const scene_axis *axis = letter == 'x' ? &panel->x : &panel->y;
    const int digits = scene_digits(axis);
    text_local line = {0};
    text slots[AXIS_SLOTS] = {{0}};
    text_printf(&slots[AXIS_SCALE], "%sset logscale %c", axis->log ? "" : "un", letter);
    text_printf(&slots[AXIS_RANGE], "set %crange [%.*g:%.*g]", letter, digits,
                scene_value(axis, axis->range[0]), digits, scene_value(axis, axis->range[1]));
    put_ticks(w, letter, panel, shown, &slots[AXIS_TICKS]);
    put_format(w, letter, axis, shown, &slots[AXIS_FORMAT]);
    put_label(w, letter, axis, shown, &slots[AXIS_LABEL]);
    for (int k = 0; k < AXIS_SLOTS; k++) put_slot(w, letter, (axis_slot)k, &slots[k], &line);
    if (line.size > 0) text_append(&line, "\n");
    text_append_text(w->script, &line);
}

/* Writes both axes. Of panels with equal axes only those at the left and at the bottom have numbers and
 * labels. */
static void put_axes(writer *w, int i) {
    const paper *p = w->p;
    put_axis(w, 'x', w->s->panels[i], !(p->same_x && i + p->columns < w->s->panel_count));
    put_axis(w, 'y', w->s->panels[i], !(p->same_y && i % p->columns > 0));
}

/* Stores gnuplot's defaults as the settings in force. */
static void begin_axes(writer *w) {
    for (char letter = 'x'; letter <= 'y'; letter++) {
        text *last = w->last[letter - 'x'];
        text_printf(&last[AXIS_SCALE], "unset logscale %c", letter);
        text_printf(&last[AXIS_TICKS], "set %ctics autofreq", letter);
        text_printf(&last[AXIS_LABEL], "unset %clabel", letter);
        w->script->failed |= last[AXIS_SCALE].failed || last[AXIS_TICKS].failed || last[AXIS_LABEL].failed;
    }
}

/* ---- Panels */

static void put_text(const writer *w, const scene_panel *panel, const scene_text *item) {
    const double size = w->style->font_size > 0 ? w->style->font_size : 8;
    text_append(w->script, "set label ");
    put_string(w, item->shown);
    text_printf(w->script, " at %.6g, %.6g %s front%s", scene_value(&panel->x, item->x),
                scene_value(&panel->y, item->y),
                item->side < 0   ? "right"
                : item->side > 0 ? "left"
                                 : "center",
                item->bare ? "" : " boxed");
    if (item->size > 0 && item->size != 1) text_printf(w->script, " font ',%.3g'", size * item->size);
}

/* Writes the texts of a panel, several per line. */
static void put_texts(const writer *w, const scene_panel *panel) {
    size_t line = 0;
    for (int k = 0; k < panel->text_count; k++) {
        text_local label = {0};
        writer to = *w;
        to.script = &label;
        if (panel->texts[k].shown[0] == '\0') continue;
        put_text(&to, panel, &panel->texts[k]);
        const bool breaks = line + label.size > LINE_MOST;
        if (line > 0) text_append(w->script, breaks ? "\n" : "; ");
        text_append_text(w->script, &label);
        line = (breaks ? 0 : line) + label.size + 2;
    }
    if (line > 0) text_append(w->script, "\n");
}

/* Writes the plot style of a layer, or (`sample`) of an entry of the key. */
static void put_look(const writer *w, int number, scene_layer_kind kind, bool sample) {
    const scene_style *style = &w->s->styles[number];
    text *to = w->script;
    if (kind == SCENE_FILL && is_band(style))
        text_printf(to, "with filledcurves closed fc palette cb %s.5", style->name + 1);
    else if (kind == SCENE_FILL)
        text_printf(to, "with %s fc rgb fill_%s",
                    sample ? "boxes fs border rgb '#404040'" : "filledcurves closed", style->name);
    else if (kind == SCENE_HATCH)
        text_printf(to,
                    sample ? "with boxes fs pattern 5 border rgb '#404040' fc rgb hatch_%s"
                           : "with vectors nohead lw 0.8 lc rgb hatch_%s",
                    style->name);
    else
        text_printf(to, "with %s ls %d", kind == SCENE_POINTS ? "points" : "lines", number + 1);
}

/* Writes an entry of the key without data. */
static void put_entry(const writer *w, int number) {
    const scene_style *style = &w->s->styles[number];
    const bool line = style->seen >> SCENE_CURVE & 1U, point = style->seen >> SCENE_POINTS & 1U;
    text_append(w->script, "NaN ");
    if (style->tint)
        put_look(w, number, SCENE_FILL, true);
    else if ((line && point) || (style->seen >> SCENE_TICKS & 1U))
        text_printf(w->script, "with linespoints ls %d", number + 1);
    else
        put_look(w, number, point ? SCENE_POINTS : !line && style->hatch ? SCENE_HATCH : SCENE_CURVE, true);
    text_append(w->script, " title ");
    put_string(w, style->legend);
}

/* Returns true if this layer's title can be the style's entry of the key: no other layer of the panel has the
 * style. */
static bool is_entry(const writer *w, const scene_panel *panel, int layer) {
    const scene_style *style = &w->s->styles[panel->layers[layer].style];
    int others = 0;
    for (int k = 0; k < panel->layer_count; k++)
        others += k != layer && panel->layers[k].style == panel->layers[layer].style &&
                  panel->layers[k].kind != SCENE_HATCH;
    return style->legend && others == 0 && !style->tint && panel->layers[layer].kind != SCENE_HATCH;
}

/* Returns true if titles of layers make the whole key, in its order. */
static bool layers_make_key(const writer *w, const scene_panel *panel) {
    int next = 0;
    for (int k = 0; k < panel->layer_count; k++) {
        if (!is_entry(w, panel, k)) continue;
        if (next == w->p->key_count || w->p->key[next] != panel->layers[k].style) return false;
        next++;
    }
    return next == w->p->key_count;
}

/* The elements of a plot, several per line. */
typedef struct elements {
    text *script;
    size_t line; /* length of the present line; 0: no element yet */
} elements;

static void add_element(elements *e, text *element) {
    const bool breaks = e->line > 0 && e->line + element->size > LINE_MOST;
    e->script->failed |= element->failed;
    text_append(e->script, e->line == 0 ? "plot " : breaks ? ", \\\n     " : ", ");
    text_append(e->script, element->size > 0 ? element->data : "");
    e->line = (breaks ? 0 : e->line) + element->size + 5;
    text_free(element);
}

static void add_entry(const writer *w, elements *e, int number) {
    text element = {0};
    writer to = *w;
    to.script = &element;
    put_entry(&to, number);
    add_element(e, &element);
}

/* Writes the plot of a panel. keyed: with the entries of the key, which are titles of layers if possible,
 * otherwise elements without data. */
static void put_plot(const writer *w, int i, bool keyed) {
    const scene_panel *panel = w->s->panels[i];
    const bool titled = keyed && layers_make_key(w, panel);
    elements e = {.script = w->script};
    for (int k = 0; k < panel->layer_count; k++) {
        const scene_layer *layer = &panel->layers[k];
        text element = {0};
        writer to = *w;
        char name[BLOCKS_NAME_MAX];
        to.script = &element;
        blocks_name(w->s, i, k, name);
        text_printf(&element, "DATA index '%s' ", name);
        put_look(&to, layer->style, layer->kind, false);
        if (titled && is_entry(w, panel, k)) {
            text_append(&element, " title ");
            put_string(&to, w->s->styles[layer->style].legend);
        }
        add_element(&e, &element);
    }
    if (e.line == 0) text_append(w->script, "plot NaN");
    if (e.line == 0) e.line = strlen("plot NaN");
    for (int k = 0; k < w->p->key_count && keyed && !titled; k++) add_entry(w, &e, w->p->key[k]);
    text_append(w->script, "\n");
}

/* ---- All panels */

/* Appends a setting of the key outside of panels. */
static void put_key_look(const writer *w, const char *place) {
    text_printf(w->script, "%s Left reverse samplen 2.5 spacing 1.2", place);
    if (w->p->key_excess > 0) text_printf(w->script, " width -%d", w->p->key_excess);
    text_append(w->script, " noautotitle\n");
}

/* Writes the key of a single panel, or of a panel with the key inside. */
static void put_key_place(const writer *w) {
    const paper *p = w->p;
    if (p->key_count == 0)
        text_append(w->script, "unset key\n");
    else if (p->inside)
        text_printf(w->script, "set key inside %s %s vertical Left reverse opaque noautotitle\n",
                    p->corner_left ? "left" : "right", p->corner_low ? "bottom" : "top");
    else if (w->style->legend == COSTAB_LEGEND_RIGHT)
        put_key_look(w, "set key outside right top vertical");
    else
        put_key_look(w, "set key bmargin center horizontal height 1");
}

static void put_single(writer *w) {
    const scene_panel *panel = w->s->panels[0];
    const char *title = w->s->title, *caption = panel->caption ? panel->caption : "";
    text_append(w->script, "\n# ---- Title, key and axes\n");
    if (title[0] || caption[0]) {
        text_append(w->script, "set title ");
        put_string(w, title[0] ? title : caption);
        if (title[0] && caption[0]) {
            text_append(w->script, ".\"\\n\".");
            put_string(w, caption);
        }
        text_append(w->script, "\n");
    }
    put_key_place(w);
    if (panel->equal) text_append(w->script, "set size ratio -1\n");
    put_axes(w, 0);
    put_texts(w, panel);
    text_append(w->script, "\n# ---- Plot\n");
    put_plot(w, 0, w->p->key_count > 0);
}

/* Writes the key as a last, empty plot, as wide as the figure. */
static void put_key(const writer *w) {
    const paper *p = w->p;
    const bool right = w->style->legend == COSTAB_LEGEND_RIGHT;
    text_append(w->script, "\n# ---- Key: an empty plot, as wide as the figure\n"
                           "set margins screen 0, screen 1, screen 0, screen 1\n"
                           "unset border; unset tics; unset xlabel; unset ylabel; unset title; unset label\n"
                           "unset logscale; set xrange [0:1]; set yrange [0:1]; set size noratio\n");
    char place[120];
    if (right)
        (void)text_format(place, sizeof place,
                          "set key at screen 1 - %#.3g/W, screen 1 - %#.3g/H right top vertical",
                          p->unit * 0.2, p->unit * p->top);
    else
        (void)text_format(place, sizeof place,
                          "set key at screen 0.5, screen %#.3g/H center bottom horizontal maxcols %d",
                          p->unit * (0.1 + (w->s->bar.level_count > 0 ? 1.2 : 0)), p->key_columns);
    put_key_look(w, place);
    elements e = {.script = w->script};
    for (int k = 0; k < p->key_count; k++) add_entry(w, &e, p->key[k]);
    text_append(w->script, "\n");
}

static bool has_bands(const writer *w, const scene_panel *panel) {
    bool has = false;
    for (int k = 0; k < panel->layer_count; k++) has |= is_band(&w->s->styles[panel->layers[k].style]);
    return has;
}

static void put_several(writer *w) {
    const paper *p = w->p;
    const double cm = p->unit;
    bool barred = false; /* the bar of colours is drawn */
    text_append(w->script, "\n# ---- Panels\nset multiplot");
    text_printf(w->script, " layout %d, %d", p->rows, p->columns);
    if (w->s->title[0]) {
        text_append(w->script, " title ");
        put_string(w, w->s->title);
    }
    text_printf(w->script,
                " \\\n    margins screen %#.3g/W, 1 - %#.3g/W, %#.3g/H, 1 - %#.3g/H spacing screen "
                "%#.3g/W, %#.3g/H\n",
                cm * p->left, cm * p->right, cm * p->bottom, cm * p->top, cm * p->gap_x, cm * p->gap_y);
    if (w->s->caption) {
        text_append(w->script, "set label 99 ");
        put_string(w, w->s->caption);
        text_printf(w->script, " at screen %#.3g/W, screen %#.3g/H left\n", 0.2 * cm, (p->bottom - 1.0) * cm);
    }
    if (p->inside)
        put_key_place(w);
    else
        text_append(w->script, "unset key\n");
    for (int i = 0; i < w->s->panel_count; i++) {
        const scene_panel *panel = w->s->panels[i];
        text_append(w->script, "\n");
        if (i == 1 && p->inside) text_append(w->script, "unset key\n");
        if (i > 0 && (w->s->panels[i - 1]->text_count > 0 || (i == 1 && w->s->caption)))
            text_append(w->script, "unset label\n");
        text_append(w->script, "set title ");
        put_string(w, panel->caption ? panel->caption : "");
        text_append(w->script, " offset 0, -0.5\n");
        if (panel->equal && i == 0) text_append(w->script, "set size ratio -1\n");
        put_axes(w, i);
        put_texts(w, panel);
        put_plot(w, i, p->inside && i == 0 && p->key_count > 0);
        if (!barred && has_bands(w, panel)) text_append(w->script, "unset colorbox\n");
        barred = barred || has_bands(w, panel);
    }
    if (!p->inside && p->key_count > 0) put_key(w);
    text_append(w->script, "unset multiplot\n");
}

costab_status script_write(scene *s, const paper *p, const costab_style *style, const figure_names *names,
                           text *script, text *data, costab_error *error) {
    writer w = {.s = s, .p = p, .style = style, .script = script};
    for (int i = 0; i < s->panel_count; i++) {
        const hatch_frame frame = paper_frame(p, s->panels[i]);
        labels_place(s->panels[i], &frame);
    }
    blocks_write(s, p, style->plain, data);
    put_head(&w, names);
    put_styles(&w);
    begin_axes(&w);
    (p->plain ? put_single : put_several)(&w);
    text_append(script, "unset output\n");
    for (int k = 0; k < 2 * AXIS_SLOTS; k++) {
        text *last = &w.last[k / AXIS_SLOTS][k % AXIS_SLOTS];
        script->failed |= last->failed;
        text_free(last);
    }
    return s->failed || script->failed || data->failed ? error_memory(error) : COSTAB_OK;
}
