/* Sizes of a figure's panels, margins and key on paper, for the gnuplot script, hatching and placed texts.
 *   1. The columns of panels and the figure's width, unless the user gives them.
 *   2. The space for numbers and names at the left, estimated from the numbers' digits, and for the key below
 * or beside the panels.
 *   3. The panels share the remaining width; their height follows from it, or from the figure's height.
 * gnuplot places the margins and key of a single panel: the sizes are then estimates for its hatching and the
 * figure's height. */
#include "figure/paper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/names.h"

#define LINE        0.4   /* cm, of a line of text */
#define SAMPLE      1.25  /* cm, of a sample in the key and the gap to the next entry */
#define CHARACTER   0.157 /* cm: gnuplot's estimate of the width of any character in the key */
#define BAR_HEIGHT  1.2   /* cm, of the bar of colours with its numbers */
#define BAR_WIDTH   1.6   /* cm, of the bar beside a single panel */
#define GAP         0.25  /* cm, between numbers side by side */
#define PANEL_LEAST 1.0   /* cm, smallest width and height of a panel */
#define LOG_NARROW  2.0   /* decades of a logarithmic axis in which powers of ten alone are too few */
#define LOG_WIDE    3.0   /* decades in which they are enough */

/* ---- Numbers of axes */

double paper_round(double least) {
    static const double steps[] = {1, 2, 5};
    double decade = pow(10, floor(log10(least)));
    for (int i = 0; i < 3; i++)
        if (decade * steps[i] >= least * (1 - 1e-9)) return decade * steps[i];
    return 10 * decade;
}

/* Returns gnuplot's own step: fewer than ten in a range (its function quantize_normal_tics). */
static double own_step(double range) {
    return paper_round(1.0001 * range / 10);
}

/* Returns the width of the widest number at these steps. */
static double widest_number(const double *range, double step) {
    double widest = 0;
    for (double k = ceil(range[0] / step); k * step <= range[1] * (1 + 1e-9) && k < range[0] / step + 40;
         k++) {
        char number[NAMES_NUMBER_MAX];
        widest = fmax(widest, names_width(names_number(k * step, number)));
    }
    return widest;
}

/* Returns the number of multiples of a step in a range. */
static double multiples(const double *range, double step) {
    return floor(range[1] / step + 1e-9) - ceil(range[0] / step - 1e-9) + 1;
}

double paper_step(const scene_axis *axis, double length, bool across) {
    const double size = axis->range[1] - axis->range[0], own = own_step(size);
    double step = own;
    if (axis->log) return 0;
    for (int i = 0; i < 6; i++) {
        const double space = across ? widest_number(axis->range, step) + GAP : LINE,
                     next = paper_round(1.01 * step);
        if (step / size * length >= space || multiples(axis->range, next) < 2) break;
        step = next;
    }
    return step > own * 1.001 ? step : 0;
}

bool paper_has_digits(const scene_axis *axis, double length, bool across) {
    const double from = axis->range[0], to = axis->range[1], decades = to - from;
    char low[NAMES_NUMBER_MAX], high[NAMES_NUMBER_MAX];
    if (!axis->log || decades <= LOG_NARROW) return axis->log;
    if (!across || decades > LOG_WIDE || from < -3 || to > 4) return false;
    const double widest = fmax(names_width(names_rounded(pow(10, from), 1, low)),
                               names_width(names_rounded(pow(10, to), 1, high)));
    return log10(2) * length / decades >= widest + 0.15;
}

/* Returns the width of the numbers and the name of the vertical axis. */
static double axis_space(const scene_panel *p) {
    const scene_axis *y = &p->y;
    double widest = y->bare ? 0 : 0.75; /* a power of ten */
    for (int k = 0; k < p->row_count; k++) widest = fmax(widest, names_width(p->rows[k].name));
    if (p->row_count == 0 && !y->log && !y->bare)
        widest = widest_number(y->range, own_step(y->range[1] - y->range[0]));
    return 0.35 + widest + (y->label ? 0.55 : 0);
}

/* ---- Panels */

static bool same_axis(const scene_axis *a, const scene_axis *b) {
    const char *x = a->label ? a->label : "", *y = b->label ? b->label : "";
    return a->log == b->log && a->range[0] == b->range[0] && a->range[1] == b->range[1] && strcmp(x, y) == 0;
}

static bool same_rows(const scene_panel *a, const scene_panel *b) {
    if (a->row_count != b->row_count) return false;
    for (int k = 0; k < a->row_count; k++)
        if (strcmp(a->rows[k].name, b->rows[k].name) != 0) return false;
    return true;
}

static void compare_axes(const scene *s, paper *p) {
    p->same_x = p->same_y = true;
    for (int i = 1; i < s->panel_count; i++) {
        const scene_panel *panel = s->panels[i], *first = s->panels[0];
        p->same_x = p->same_x && same_axis(&panel->x, &first->x);
        p->same_y = p->same_y && same_axis(&panel->y, &first->y) && same_rows(panel, first);
    }
}

/* Returns the number of columns of panels. If the width is given and the height is free, it is at most the
 * number that fits. */
static int choose_columns(const scene *s, const costab_style *style, double width) {
    const int n = s->panel_count;
    int columns = style->columns > 0 ? style->columns
                  : s->columns > 0   ? s->columns
                  : n <= 3           ? n
                  : n == 4           ? 2
                                     : 3;
    const bool is_free = style->columns == 0 && style->width_cm > 0 && style->height_cm == 0;
    while (is_free && columns > 1 && width < s->panels[0]->narrowest * columns) columns--;
    return columns < n ? columns : n;
}

/* ---- Key */

/* Returns true if the key has a single curve, which the axes name. */
static bool is_one_curve(const scene *s, const paper *p) {
    const unsigned line = 1U << SCENE_CURVE | 1U << SCENE_POINTS;
    const scene_style *style = p->key_count == 1 ? &s->styles[p->key[0]] : NULL;
    return style && (style->seen & ~line) == 0 && (style->seen >> SCENE_CURVE & 1U) && !style->remarked;
}

/* Returns the number of characters of a shown text. */
static int characters(scene *s, const char *shown) {
    text_local plain = {0};
    int count = 0;
    names_strip(&plain, shown);
    s->failed |= plain.failed;
    for (const char *c = plain.failed ? "" : plain.data; *c; c++) count += ((unsigned char)*c & 0xC0) != 0x80;
    return count;
}

/* Collects the styles of the key in their order. Returns the width of the widest entry. */
static double gather_key(scene *s, const costab_style *style, paper *p) {
    double widest = 0;
    int longest = 0;
    for (int k = 0; k < s->style_count && style->legend != COSTAB_LEGEND_NONE; k++) {
        if (!s->styles[k].seen || !s->styles[k].legend) continue;
        int at = p->key_count++;
        for (; at > 0 && s->styles[k].order < s->styles[p->key[at - 1]].order; at--)
            p->key[at] = p->key[at - 1];
        p->key[at] = k;
        widest = fmax(widest, names_width(s->styles[k].legend) + SAMPLE);
        longest = (int)fmax(longest, characters(s, s->styles[k].legend));
    }
    /* Another font than Helvetica, as a browser may have, is wider than names_width says. */
    p->key_excess = (int)fmax(0, 0.6 * (longest - (widest - SAMPLE) / CHARACTER));
    if (style->legend == COSTAB_LEGEND_CHOSEN && is_one_curve(s, p)) p->key_count = 0;
    return p->key_count > 0 ? widest : 0;
}

/* Chooses the quarter of the first panel with the fewest visible points of curves. */
static void choose_corner(const scene_panel *first, paper *p) {
    size_t counts[4] = {0};
    int best = 0;
    for (int k = 0; k < first->layer_count; k++) {
        const scene_layer *layer = &first->layers[k];
        for (size_t i = 0; layer->kind != SCENE_FILL && i < layer->runs.point_count; i++) {
            const outline_point *at = &layer->runs.points[i];
            if (!scene_shows(first, at->x, at->y)) continue;
            const bool left = at->x < 0.5 * (first->x.range[0] + first->x.range[1]),
                       low = at->y < 0.5 * (first->y.range[0] + first->y.range[1]);
            counts[left + 2 * low]++;
        }
    }
    for (int k = 1; k < 4; k++)
        if (counts[k] < counts[best]) best = k;
    p->corner_left = best % 2 == 1;
    p->corner_low = best / 2 == 1;
}

/* ---- Texts */

/* Breaks a kept text into lines. Returns their number. */
static int wrap(scene *s, const char **shown, double width) {
    int lines = 0;
    text copy = {0};
    text_append(&copy, *shown ? *shown : "");
    if (!copy.failed) names_wrap(copy.data, width);
    for (const char *c = copy.failed ? "" : copy.data; *c; c++) lines += *c == '\n' || lines == 0;
    *shown = scene_keep_text(s, &copy);
    return lines;
}

/* Adds the letters of several panels to their captions. Returns the largest number of lines. */
static int wrap_captions(scene *s, const paper *p) {
    int largest = 0;
    for (int i = 0; i < s->panel_count; i++) {
        text caption = {0};
        if (s->panel_count > 1) scene_panel_letter(i, &caption);
        if (s->panel_count > 1 && s->panels[i]->caption) text_append(&caption, " ");
        text_append(&caption, s->panels[i]->caption ? s->panels[i]->caption : "");
        s->panels[i]->caption = scene_keep_text(s, &caption);
        const int lines = wrap(s, &s->panels[i]->caption, p->panel_width + 0.7 * p->gap_x);
        largest = lines > largest ? lines : largest;
    }
    return largest;
}

/* ---- All together */

/* Returns the gap between panels of which only the leftmost have numbers at the vertical axis, so that
 * numbers of the horizontal axes do not meet. */
static double gap_of(const scene *s) {
    double widest = 0;
    for (int i = 0; i < s->panel_count; i++) {
        const scene_axis *x = &s->panels[i]->x;
        const double size = x->range[1] - x->range[0];
        widest = fmax(widest, x->log ? 0.6 : widest_number(x->range, own_step(size)));
    }
    return fmax(0.5, widest + 0.12);
}

/* Sets left, right, gap_x and the panels' width. */
static void set_widths(const scene *s, const costab_style *style, double entry, paper *p) {
    const bool beside = style->legend == COSTAB_LEGEND_RIGHT && p->key_count > 0;
    double space = 0;
    for (int i = 0; i < s->panel_count; i++) space = fmax(space, axis_space(s->panels[i]));
    p->left = space + 0.1;
    p->right = 0.45 + (beside ? entry : 0) + (p->plain && s->bar.level_count > 0 ? BAR_WIDTH : 0);
    p->gap_x = p->same_y ? gap_of(s) : space + 0.3;
    p->panel_width = (p->width - p->left - p->right - (p->columns - 1) * p->gap_x) / p->columns;
}

/* Sets the strip below the panels. */
static void set_key(const scene *s, const costab_style *style, double entry, paper *p) {
    const bool below = style->legend == COSTAB_LEGEND_BELOW || style->legend == COSTAB_LEGEND_CHOSEN;
    const double space = p->plain ? p->panel_width : p->width - 0.4;
    p->inside = style->legend == COSTAB_LEGEND_INSIDE;
    p->key_columns = entry > 0 ? (int)fmin(fmax(1, floor(space / entry)), p->key_count) : 1;
    const int rows = (p->key_count + p->key_columns - 1) / p->key_columns;
    p->key_height = below && p->key_count > 0 ? rows * LINE + 0.15 : 0;
    if (style->legend == COSTAB_LEGEND_RIGHT) p->key_columns = 1;
    if (!p->plain && s->bar.level_count > 0) p->key_height += BAR_HEIGHT;
}

static costab_status set_heights(scene *s, const costab_style *style, const char *path, paper *p,
                                 costab_error *error) {
    const scene_panel *first = s->panels[0];
    const int title = wrap(s, &s->title, p->width - 0.4), captions = wrap_captions(s, p),
              notes = s->caption ? wrap(s, &s->caption, p->width - 0.4) : 0;
    p->top = 0.3 + LINE * captions + (title > 0 ? 0.1 + LINE * title : 0);
    p->gap_y = 0.25 + LINE * captions + (p->same_x ? 0 : 0.9);
    p->bottom = 1.15 + p->key_height + LINE * notes;
    const double frame = p->top + p->bottom + (p->rows - 1) * p->gap_y;
    double height = fmin(first->proportion * p->panel_width, first->tallest);
    for (int i = 0; i < s->panel_count; i++)
        if (s->panels[i]->y.label) height = fmax(height, names_width(s->panels[i]->y.label));
    p->height = style->height_cm > 0 ? style->height_cm / p->unit : frame + p->rows * height;
    p->panel_height = (p->height - frame) / p->rows;
    if (s->failed) return error_memory(error);
    if (p->panel_width >= PANEL_LEAST && p->panel_height >= PANEL_LEAST) return COSTAB_OK;
    return error_invalid(error,
                         "%s: the figure's size of %g cm x %g cm leaves %.2f cm x %.2f cm for a "
                         "panel; make it larger or give other `columns`",
                         path, p->unit * p->width, p->unit * p->height, p->unit * fmax(p->panel_width, 0),
                         p->unit * fmax(p->panel_height, 0));
}

costab_status paper_make(scene *s, const costab_style *style, const char *path, paper *p,
                         costab_error *error) {
    static const double usual[] = {8.9, 14.0, 18.0};
    *p = (paper){.unit = style->font_size > 0 ? style->font_size / 8 : 1};
    TRY(memory_make(&p->key, (size_t)s->style_count + 1, error));
    p->columns = choose_columns(s, style, style->width_cm / p->unit);
    p->rows = (s->panel_count + p->columns - 1) / p->columns;
    p->width = (style->width_cm > 0 ? style->width_cm : usual[p->columns < 3 ? p->columns - 1 : 2]) / p->unit;
    p->plain = s->panel_count == 1 && s->caption == NULL;
    compare_axes(s, p);
    const double entry = gather_key(s, style, p);
    set_widths(s, style, entry, p);
    set_key(s, style, entry, p);
    choose_corner(s->panels[0], p);
    return set_heights(s, style, path, p, error);
}

void paper_free(paper *p) {
    memory_free(p->key);
}

hatch_frame paper_frame(const paper *p, const scene_panel *panel) {
    return (hatch_frame){
        .box = scene_window(panel), .width_cm = p->panel_width, .height_cm = p->panel_height};
}
