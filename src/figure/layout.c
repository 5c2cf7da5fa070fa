/* How large everything is on paper. The panels' size depends on ticks and legend, and these on that size: so
 * ROUNDS rounds of steps 1 to 4, from panels of 5 cm x 5 cm.
 *   1. Of each panel the window and its ticks, at its size so far (ticks.c). Only outer panels have numbers
 *      where all share an axis.
 *   2. The room that the numbers need beside the panels; the legend's entries in a strip of as few rows as
 *      fit the width; titles and captions in lines.
 *   3. The legend stays in the strip below, or goes beside the panels, or to the curves' ends (ends.c):
 *      where it takes least, unless the user says.
 *   4. The panels' size: what is left of the width and, where that is given, of the height.
 *   5. At last the places of entries and bar; a legend inside a panel goes to the corner where it hides
 *      least.
 * Not guaranteed: that ROUNDS rounds have settled; numbers may then be some tenths of a mm off. */
#include "figure/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/ends.h"
#include "figure/rich.h"

#define ROUNDS      3
#define PANEL_LEAST 1.0
#define LINE        0.42 /* cm, height of a row of the legend */
#define TEXT_LINE   0.36 /* cm, height of a line of the title and captions */
#define EDGE        0.2  /* cm, free on both sides of the legend */
#define SPACE       0.3  /* cm, between entries side by side */
#define BAR_HEIGHT  0.95
#define BAND_LEAST  0.45 /* cm, of a band of the bar whose name stands beside it */
#define INSIDE      0.12 /* cm, around the legend in a panel */
#define UPRIGHT     0.6  /* cm: the name of a vertical axis that is wider than this is turned */

/* ---- What the axes need */

static bool same_axis(const scene_axis *a, const scene_axis *b) {
    const char *x = a->label ? a->label : "", *y = b->label ? b->label : "";
    return a->log == b->log && a->range[0] == b->range[0] && a->range[1] == b->range[1] && strcmp(x, y) == 0;
}

/* Whether all panels have the same axis, so that only the outer ones need numbers. */
static bool is_shared(const scene *s, bool x) {
    for (int i = 0; i < s->panel_count; i++) {
        const scene_panel *p = s->panels[i], *first = s->panels[0];
        if (p->fit || !same_axis(x ? &p->x : &p->y, x ? &first->x : &first->y)) return false;
    }
    return true;
}

/* Narrows a window to what is needed and the origin, with some room around, to halves of a tick. */
static void narrow_window(double *window, const double *needed, double length, double room) {
    double low = fmin(needed[0], 0), high = fmax(needed[1], 0), margin = 0.08 * (high - low);
    const double wanted[2] = {low - margin, high + margin};
    if (!(wanted[0] < wanted[1])) return;
    double half = 0.5 * ticks_step(wanted, length, room);
    window[0] = fmax(window[0], half * floor(wanted[0] / half));
    window[1] = fmin(window[1], half * ceil(wanted[1] / half));
}

/* Widens the range that has more room than it needs, about its middle. */
static void equalise_scales(hatch_frame *f) {
    double x = (f->box.x[1] - f->box.x[0]) / f->width_cm, y = (f->box.y[1] - f->box.y[0]) / f->height_cm;
    double *range = x < y ? f->box.x : f->box.y, size = (x < y ? y * f->width_cm : x * f->height_cm);
    double middle = 0.5 * (range[0] + range[1]);
    range[0] = middle - 0.5 * size;
    range[1] = middle + 0.5 * size;
}

/* Step 1, of a panel of this size. */
static void set_window_and_ticks(const scene_panel *p, double width, double height, layout_panel *l) {
    l->frame = (hatch_frame){.width_cm = width, .height_cm = height};
    memcpy(l->frame.box.x, p->x.range, sizeof p->x.range);
    memcpy(l->frame.box.y, p->y.range, sizeof p->y.range);
    if (p->fit && p->needed.x[0] <= p->needed.x[1]) {
        narrow_window(l->frame.box.x, p->needed.x, width, 0.8);
        narrow_window(l->frame.box.y, p->needed.y, height, 0.6);
    }
    if (p->equal) equalise_scales(&l->frame);
    ticks_choose(&p->x, l->frame.box.x, width, true, &l->x);
    ticks_choose(&p->y, l->frame.box.y, height, false, &l->y);
}

/* From a panel to the end of its vertical axis' name. */
static double axis_room(const scene_panel *p, const layout_panel *l) {
    double name = p->y.label ? rich_width(p->y.label) : 0;
    if (l->y.power != 0 || l->y.offset != 0) name += 1;
    return 0.25 + l->y.widest + (name == 0 ? 0 : name > UPRIGHT ? 0.6 : 0.15 + name);
}

/* left, right, gap_x: from what the numbers of each column need. */
static void set_side_room(const scene *s, figure_layout *l) {
    l->left = l->gap_x = 0.3;
    l->right = 0.25;
    for (int i = 0; i < s->panel_count; i++) {
        const layout_panel *p = &l->panels[i];
        double room = p->y_shown ? axis_room(s->panels[i], p) : 0.15;
        bool numbers = p->x_shown, last = (i + 1) % l->columns == 0 || i + 1 == s->panel_count;
        if (i % l->columns == 0)
            l->left = fmax(l->left, fmax(room + 0.1, numbers ? p->x.first + 0.1 : 0));
        else
            l->gap_x = fmax(l->gap_x, room + 0.2);
        if (last && (i + 1) % l->columns == 0) l->right = fmax(l->right, numbers ? p->x.last + 0.1 : 0);
        if (!last && numbers) l->gap_x = fmax(l->gap_x, p->x.last + l->panels[i + 1].x.first + 0.25);
    }
}

/* ---- Legend */

static int by_order(const scene *s, const layout_entry *a, const layout_entry *b) {
    return s->styles[a->style].order < s->styles[b->style].order;
}

/* Whether the styles that are seen are one curve alone, which the axes name. */
static bool is_one_curve(const scene *s) {
    const unsigned line = 1U << SCENE_CURVE | 1U << SCENE_POINTS;
    int entries = 0;
    bool curve = false;
    for (int k = 0; k < s->style_count; k++) {
        const scene_style *style = &s->styles[k];
        if (!style->seen || !style->legend) continue;
        entries++;
        curve = (style->seen & ~line) == 0 && (style->seen >> SCENE_CURVE & 1U) && !style->remarked;
    }
    return entries == 1 && curve;
}

/* The styles that are seen and have words, in their order. Returns the width of the widest entry. */
static double gather_entries(const scene *s, const costab_style *look, figure_layout *l) {
    double widest = 0;
    l->entry_count = 0;
    if (look->legend == COSTAB_LEGEND_NONE || (look->legend == COSTAB_LEGEND_CHOSEN && is_one_curve(s)))
        return 0;
    for (int k = 0; k < s->style_count; k++) {
        const scene_style *style = &s->styles[k];
        if (!style->seen || !style->legend) continue;
        layout_entry entry = {.style = k};
        entry.width = LAYOUT_SAMPLE + rich_width(style->legend);
        int at = l->entry_count++;
        for (; at > 0 && by_order(s, &entry, &l->entries[at - 1]); at--) l->entries[at] = l->entries[at - 1];
        l->entries[at] = entry;
        widest = fmax(widest, entry.width);
    }
    return widest;
}

/* Where the columns begin if the entries stand row by row in so many of them. Returns their width. */
static double set_columns(const figure_layout *l, int columns, double *begins) {
    double x = 0;
    for (int c = 0; c < columns; c++) {
        double widest = 0;
        for (int i = c; i < l->entry_count; i += columns) widest = fmax(widest, l->entries[i].width);
        begins[c] = x;
        x += widest + SPACE;
    }
    return x - SPACE;
}

/* What is left of the width for the bands of the bar, its name beside them. */
static double bar_room(const scene *s, const figure_layout *l) {
    double name = rich_width(s->bar.label ? s->bar.label : "") + 0.3;
    return l->width - l->left - 0.3 - (l->bar_below ? 0 : name);
}

static double bar_height(const scene *s, figure_layout *l) {
    if (s->bar.level_count == 0) return 0;
    l->bar_below = false;
    l->bar_below = bar_room(s, l) < BAND_LEAST * (s->bar.level_count + 1);
    return BAR_HEIGHT + (l->bar_below ? LINE : 0);
}

/* Entries in a strip below the panels, in as few rows as there is room for, and these about equally long. */
static void lay_strip(const scene *s, figure_layout *l) {
    int count = l->entry_count, columns = count < LAYOUT_COLUMNS ? count : LAYOUT_COLUMNS;
    double begins[LAYOUT_COLUMNS], room = l->width - 2 * EDGE;
    while (columns > 1 && set_columns(l, columns, begins) > room) columns--;
    int rows = columns > 0 ? (count + columns - 1) / columns : 0;
    while (columns > 1 && (count + columns - 2) / (columns - 1) == rows &&
           set_columns(l, columns - 1, begins) <= room)
        columns--;
    l->entry_columns = columns > 0 ? columns : 1;
    l->legend_height = count > 0 ? rows * LINE + 0.15 : 0;
    l->legend_width = count > 0 ? set_columns(l, columns, l->column_begins) : 0;
    l->legend_height += bar_height(s, l);
}

/* The lower left corners of the legend's entries, from the figure's. */
static void place_entries(figure_layout *l) {
    double x = fmax(EDGE, fmin(l->left, l->width - EDGE - l->legend_width));
    double y = (l->caption ? TEXT_LINE * l->caption_lines + 0.1 : 0) + 0.1;
    int rows = (l->entry_count + l->entry_columns - 1) / l->entry_columns;
    if (l->beside) {
        x = l->width - EDGE - l->entry_width;
        y = l->height - l->top - rows * LINE;
    }
    if (l->inside) {
        x = l->left + l->box_x + INSIDE;
        y = l->height - l->top - l->panel_height + l->box_y + 0.5 * INSIDE;
    }
    for (int i = 0; i < l->entry_count && l->at_ends; i++) {
        l->entries[i].x = x;
        l->entries[i].y += l->bottom;
        l->entries[i].width -= LAYOUT_SAMPLE;
    }
    for (int i = 0; i < l->entry_count && !l->at_ends; i++) {
        l->entries[i].x = x + l->column_begins[i % l->entry_columns];
        l->entries[i].y = y + (rows - 1 - i / l->entry_columns) * LINE;
    }
    l->bar_bottom = y + (l->beside || l->inside ? 0 : rows * LINE) + 0.45;
}

/* The bar of colours, right of its name or below it. */
static void place_bar(const scene *s, figure_layout *l) {
    int bands = s->bar.level_count + 1;
    double room = bar_room(s, l), spare;
    l->bar_step = fmin(1.1, room / bands);
    spare = fmax(0, room - bands * l->bar_step);
    l->bar_left = l->bar_below ? l->left : l->width - 0.3 - room + 0.5 * spare;
}

bool layout_bar_number(const scene_bar *bar, const figure_layout *l, int k) {
    char number[RICH_NUMBER_MAX];
    double widest = 0;
    for (int i = 0; i < bar->level_count; i++)
        widest = fmax(widest, rich_width(rich_number(bar->levels[i], number)));
    int every = (int)ceil((widest + 0.1) / l->bar_step),
        from = bar->limit_level < bar->level_count ? bar->limit_level : 0;
    return every <= 1 || abs(k - from) % every == 0;
}

/* How many points of the panel's curves and marks a box of it hides, in cm from its lower left corner. */
static size_t count_hidden(const scene_panel *p, const hatch_frame *f, double x, double y, double width,
                           double height) {
    size_t hidden = 0;
    double sx = f->width_cm / (f->box.x[1] - f->box.x[0]), sy = f->height_cm / (f->box.y[1] - f->box.y[0]);
    for (int k = 0; k < p->layer_count; k++) {
        const outline *runs = &p->layers[k].runs;
        if (p->layers[k].kind != SCENE_CURVE && p->layers[k].kind != SCENE_POINTS) continue;
        for (size_t i = 0; i < runs->point_count; i++) {
            double px = (runs->points[i].x - f->box.x[0]) * sx - x;
            double py = (runs->points[i].y - f->box.y[0]) * sy - y;
            hidden += px >= 0 && px <= width && py >= 0 && py <= height;
        }
    }
    return hidden;
}

/* Inside the first panel: the corner where the box hides least; of equals the upper right one. */
static void choose_corner(const scene *s, figure_layout *l) {
    size_t least = SIZE_MAX;
    l->box_width = l->entry_width + 2 * INSIDE;
    l->box_height = l->entry_count * LINE + INSIDE;
    for (int k = 0; k < 4; k++) {
        double x = k % 2 == 0 ? l->panel_width - l->box_width - INSIDE : INSIDE;
        double y = k < 2 ? l->panel_height - l->box_height - INSIDE : INSIDE;
        size_t hidden = count_hidden(s->panels[0], &l->panels[0].frame, x, y, l->box_width, l->box_height);
        if (hidden >= least) continue;
        least = hidden;
        l->box_x = x;
        l->box_y = y;
    }
}

/* ---- Sizes */

/* Where a width is given and the height is free, no more than there is room for. */
static int choose_columns(const scene *s, const costab_style *style, double width) {
    int n = s->panel_count;
    int columns = style->columns > 0 ? style->columns
                  : s->columns > 0   ? s->columns
                  : n <= 3           ? n
                  : n == 4           ? 2
                                     : 3;
    bool free = style->columns == 0 && style->width_cm > 0 && style->height_cm == 0;
    while (free && columns > 1 && width < s->panels[0]->narrowest * columns) columns--;
    return columns < n ? columns : n;
}

/* Names along vertical axes end at the panel where its height is free. */
static double longest_name(const scene *s, const figure_layout *l) {
    double longest = 0;
    for (int i = 0; i < s->panel_count; i++) {
        const char *name = s->panels[i]->y.label;
        const layout_panel *p = &l->panels[i];
        if (p->y_shown && name)
            longest = fmax(longest, rich_width(name) + (p->y.power != 0 || p->y.offset != 0));
    }
    return longest;
}

/* The panels' size with the legend below or beside; the figure's height where it is not given. */
static void set_panel_size(const scene *s, const costab_style *style, figure_layout *l) {
    const scene_panel *first = s->panels[0];
    double right = l->right + (l->beside ? l->entry_width + EDGE + 0.1 : 0),
           legend = (l->beside || l->inside) && s->bar.level_count == 0 ? 0 : l->legend_height;
    double caption = l->caption ? TEXT_LINE * l->caption_lines + 0.1 : 0;
    double width = (l->width - l->left - right - (l->columns - 1) * l->gap_x) / l->columns;
    double height = fmin(fmax(first->proportion * width, longest_name(s, l)), first->tallest);
    double frame = l->top + 1.05 + legend + caption + (l->rows - 1) * l->gap_y;
    l->height = style->height_cm > 0 ? style->height_cm / l->unit : frame + l->rows * height;
    l->panel_width = width;
    l->panel_height = (l->height - frame) / l->rows;
    l->bottom = 1.05 + legend + caption;
}

/* Whether a legend to the right takes less than the other one: from the panels, or of the page where the
 * height is free. */
static bool takes_less(const costab_style *style, const figure_layout *right, const figure_layout *other) {
    double strip =
        other->beside ? (other->entry_width + EDGE) * other->height : other->width * other->legend_height;
    return style->height_cm > 0
               ? right->panel_width * right->panel_height > 1.05 * other->panel_width * other->panel_height
               : right->columns == 1 && (right->entry_width + EDGE) * right->height < 0.8 * strip;
}

/* The legend goes where it was asked to, or below, beside the panels, or to the curves' ends, where it takes
 * least. */
static void choose_side(const scene *s, const costab_style *style, figure_layout *l) {
    l->at_ends = false;
    l->beside = style->legend == COSTAB_LEGEND_RIGHT && l->entry_count > 0;
    l->inside = style->legend == COSTAB_LEGEND_INSIDE && l->entry_count > 0;
    set_panel_size(s, style, l);
    if (l->entry_count == 0 || s->bar.level_count > 0 || style->legend != COSTAB_LEGEND_CHOSEN) return;
    figure_layout right = *l;
    right.beside = true;
    set_panel_size(s, style, &right);
    bool wide = right.panel_width > right.panel_height * 0.8;
    if (wide && right.entry_count * LINE < right.height - right.top && takes_less(style, &right, l))
        *l = right;
    right.beside = right.at_ends = true;
    right.entry_width -= LAYOUT_SAMPLE;
    set_panel_size(s, style, &right);
    wide = right.panel_width > right.panel_height * 0.8;
    if (wide && takes_less(style, &right, l) && ends_place(s, &right)) *l = right;
}

static costab_status check_room(const figure_layout *l, const char *path, costab_error *error) {
    if (l->panel_width >= PANEL_LEAST && l->panel_height >= PANEL_LEAST) return COSTAB_OK;
    return error_invalid(error,
                         "%s: the figure's size of %g cm x %g cm leaves %.2f cm x %.2f cm for a "
                         "panel; make it larger or give other `columns`",
                         path, l->unit * l->width, l->unit * l->height, l->unit * fmax(l->panel_width, 0),
                         l->unit * fmax(l->panel_height, 0));
}

/* ---- Texts */

/* A copy in lines, with a letter in front where there are several panels. */
static char *wrapped_copy(scene *s, const char *rich, int letter, double width, int *lines) {
    text copy = {0};
    text_append(&copy, "");
    if (letter >= 0) scene_panel_letter(letter, &copy);
    if (letter >= 0) text_append(&copy, " ");
    if (rich) text_append(&copy, rich);
    if (copy.failed) {
        s->failed = true;
        return NULL;
    }
    int count = copy.size > 0 ? rich_wrap(copy.data, width) : 0;
    if (count > *lines) *lines = count;
    return copy.data;
}

/* Title, caption and the panels' captions, and the room that they need above and between panels. */
static void wrap_texts(scene *s, figure_layout *l) {
    int lines = 0;
    memory_free_all(l->title, l->caption);
    l->title_lines = l->caption_lines = 0;
    l->title = wrapped_copy(s, s->title, -1, l->width - 0.4, &l->title_lines);
    l->caption = s->caption ? wrapped_copy(s, s->caption, -1, l->width - 0.4, &l->caption_lines) : NULL;
    for (int i = 0; i < s->panel_count; i++) {
        memory_free(l->panels[i].caption);
        l->panels[i].caption = wrapped_copy(s, s->panels[i]->caption, s->panel_count > 1 ? i : -1,
                                            l->panel_width + 0.7 * l->gap_x, &lines);
    }
    l->top = 0.2 + TEXT_LINE * lines + (l->title_lines > 0 ? 0.14 + TEXT_LINE * l->title_lines : 0);
    l->gap_y = 0.25 + TEXT_LINE * lines + (is_shared(s, true) ? 0 : 0.8);
}

/* ---- The layout */

/* Which panels have numbers and names at their axes. */
static void choose_shown_axes(const scene *s, figure_layout *l) {
    bool x = is_shared(s, true), y = is_shared(s, false);
    for (int i = 0; i < s->panel_count; i++) {
        l->panels[i].x_shown = !x || i + l->columns >= s->panel_count;
        l->panels[i].y_shown = !y || i % l->columns == 0;
    }
}

/* Areas that are hatched are seen where a line of the hatching is. */
static void mark_seen_hatches(scene *s, const figure_layout *l) {
    for (int i = 0; i < s->panel_count; i++)
        for (int k = 0; k < s->panels[i]->layer_count; k++) {
            const scene_layer *layer = &s->panels[i]->layers[k];
            scene_style *style = &s->styles[layer->style];
            ends_by(outline_free) outline lines = {0};
            if (layer->kind != SCENE_HATCH || (style->seen >> SCENE_HATCH & 1U)) continue;
            hatch_lines(&layer->runs, &l->panels[i].frame, &style->patterns[0], &lines);
            s->failed |= lines.failed;
            if (lines.loop_count > 0) style->seen |= 1U << SCENE_HATCH;
        }
}

/* All steps of the head. */
static costab_status find_sizes(scene *s, const costab_style *style, const char *path, figure_layout *l,
                                costab_error *error) {
    l->panel_width = l->panel_height = 5;
    choose_shown_axes(s, l);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < s->panel_count; i++)
            set_window_and_ticks(s->panels[i], l->panel_width, l->panel_height, &l->panels[i]);
        mark_seen_hatches(s, l);
        l->entry_width = gather_entries(s, style, l);
        set_side_room(s, l);
        lay_strip(s, l);
        wrap_texts(s, l);
        if (s->failed) return error_memory(error);
        choose_side(s, style, l);
        if (l->beside || l->inside) {
            l->entry_columns = 1;
            l->column_begins[0] = 0;
            l->legend_height = bar_height(s, l);
        }
        set_panel_size(s, style, l);
        TRY(check_room(l, path, error));
    }
    for (int i = 0; i < s->panel_count; i++)
        set_window_and_ticks(s->panels[i], l->panel_width, l->panel_height, &l->panels[i]);
    if (l->inside) choose_corner(s, l);
    place_entries(l);
    place_bar(s, l);
    if (l->beside) l->right += l->entry_width + EDGE + 0.1;
    return COSTAB_OK;
}

costab_status layout_make(scene *s, const costab_style *style, const char *path, figure_layout *l,
                          costab_error *error) {
    static const double usual[] = {8.9, 14.0, 18.0};
    *l = (figure_layout){.unit = style->font_size > 0 ? style->font_size / 8 : 1};
    l->columns = choose_columns(s, style, style->width_cm / l->unit);
    l->rows = (s->panel_count + l->columns - 1) / l->columns;
    l->width = (style->width_cm > 0 ? style->width_cm : usual[l->columns < 3 ? l->columns - 1 : 2]) / l->unit;
    TRY(memory_make(&l->panels, (size_t)s->panel_count, error));
    TRY(memory_make(&l->entries, (size_t)s->style_count + 1, error));
    return find_sizes(s, style, path, l, error);
}

void layout_free(figure_layout *l, int panels) {
    for (int i = 0; i < panels && l->panels; i++) memory_free(l->panels[i].caption);
    memory_free_all(l->panels, l->entries, l->title, l->caption);
    *l = (figure_layout){0};
}
