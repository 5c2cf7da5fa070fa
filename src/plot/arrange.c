/* What the panels of a figure are, and how large everything is on paper. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "plot/curves.h"
#include "plot/markup.h"
#include "plot/paper.h"
#include "plot/words.h"

/* ---- Panels */

static costab_status add_panel(figure *f, panel_kind kind, int scheme, size_t a, costab_error *error) {
    if (f->panel_count == FIGURE_PANELS_MAX)
        return error_set(
            error, COSTAB_INVALID,
            "the figure would have more than %d panels; give fewer values of a, schemes or kinds",
            FIGURE_PANELS_MAX);
    f->panels[f->panel_count++] = (figure_panel){.kind = kind, .scheme = scheme, .a = a};
    return COSTAB_OK;
}

static costab_status add_kind(figure *f, const char *kind, costab_error *error) {
    if (strcmp(kind, "jury") == 0) {
        costab_status status = add_panel(f, PANEL_QUADRANT, -1, 0, error);
        return status ? status : add_panel(f, PANEL_TRIANGLE, -1, 0, error);
    }
    if (strcmp(kind, "areas") == 0) {
        costab_status status = area_figure_gather(f, error);
        for (int i = 0; i < 1 + (!status && area_figure_has_small(f)) && !status; i++) {
            status = add_panel(f, PANEL_AREAS, -1, 0, error);
            if (!status) f->panels[f->panel_count - 1].magnified = i == 1;
        }
        return status;
    }
    if (strcmp(kind, "time") == 0) {
        costab_status status = time_figure_gather(f, error);
        for (int i = 0; i < f->spec->planar.case_count && !status; i++) {
            status = add_panel(f, PANEL_TIME, -1, 0, error);
            if (!status) f->panels[f->panel_count - 1].history = (size_t)i;
        }
        return status;
    }
    bool comparison = strcmp(kind, "comparison") == 0;
    costab_status status = COSTAB_OK;
    panel_kind drawn = comparison                     ? PANEL_COMPARISON
                       : strcmp(kind, "classes") == 0 ? PANEL_CLASSES
                                                      : PANEL_REGIONS;
    for (int s = 0; s < (comparison ? 1 : f->spec->planar.scheme_count) && !status; s++)
        for (size_t a = 0; a < f->spec->axes[COSTAB_AXIS_A].count && !status; a++)
            status = add_panel(f, drawn, comparison ? -1 : s, a, error);
    return status;
}

/* ---- Captions */

/* A number as %g writes it, its minus signs replaced. */
static void write_number(text *target, double value, const char *minus) {
    char plain[40];
    snprintf(plain, sizeof plain, "%.6g", value);
    for (const char *c = plain; *c; c++) {
        if (*c == '-')
            text_append(target, minus);
        else
            text_append_n(target, c, 1);
    }
}

/* Between the parts of a caption; none after its letter. */
static void separate(text *caption) {
    if (caption->size > 0 && caption->data[caption->size - 1] != ' ') text_append(caption, ", ");
}

static void write_caption(const figure *f, int i, bool tex, text *caption) {
    const figure_panel *p = &f->panels[i];
    bool many_schemes = p->scheme >= 0 && f->spec->planar.scheme_count > 1;
    bool independent = p->scheme >= 0 && f->spec->planar.schemes[p->scheme] == COSTAB_SIMULATION;
    text_append(caption, "");
    if (f->panel_count > 1) text_printf(caption, i < 26 ? "(%c) " : "(a%c) ", 'a' + i % 26);
    if (p->kind == PANEL_QUADRANT || p->kind == PANEL_TRIANGLE) {
        text_append(caption, p->kind == PANEL_QUADRANT ? "continuous system" : "discretised system");
        return;
    }
    if (p->kind == PANEL_AREAS) {
        if (p->magnified) text_append(caption, "magnified");
        return;
    }
    if (p->kind == PANEL_TIME) {
        (tex ? markup_tex : markup_enhanced)(caption, f->spec->planar.cases[p->history].title);
        return;
    }
    if (many_schemes) text_append(caption, costab_scheme_name(f->spec->planar.schemes[p->scheme]));
    if (!independent || f->spec->axes[COSTAB_AXIS_A].count > 1) {
        separate(caption);
        text_append(caption, tex ? "$a = " : "{/:Italic a} = ");
        write_number(caption, f->spec->axes[COSTAB_AXIS_A].values[p->a], tex ? "-" : "−");
        if (tex) text_append(caption, "$");
    }
    if (f->wanted.kind_count > 1) {
        separate(caption);
        text_append(caption, p->kind == PANEL_CLASSES ? "classes" : "stability chart");
    }
}

costab_status figure_arrange(figure *f, costab_error *error) {
    const figure_request *wanted = &f->wanted;
    if (wanted->kind_count == 0)
        return error_set(error, COSTAB_INVALID,
                         "%s: the sweep asks for no figure; add a `figure` key to the spec and run it again",
                         f->spec->path);
    f->panels = memory_alloc(FIGURE_PANELS_MAX, sizeof *f->panels);
    if (!f->panels) return error_memory(error);
    for (int k = 0; k < wanted->kind_count; k++) {
        costab_status status = add_kind(f, wanted->kinds[k]->name, error);
        if (status) return status;
    }
    for (int i = 0; i < f->panel_count; i++) {
        write_caption(f, i, false, &f->panels[i].caption);
        write_caption(f, i, true, &f->panels[i].caption_tex);
        if (f->panels[i].caption.failed || f->panels[i].caption_tex.failed) return error_memory(error);
    }
    return COSTAB_OK;
}

void figure_free(figure *f) {
    for (int i = 0; i < f->panel_count; i++) {
        text_free(&f->panels[i].caption);
        text_free(&f->panels[i].caption_tex);
    }
    memory_free(f->panels);
    text_free(&f->data);
    area_figure_free(&f->areas);
    time_figure_free(&f->history);
    *f = (figure){0};
}

/* ---- Layout */

#define TICK_ROOM_X 0.8 /* cm, for a number on an axis */
#define TICK_ROOM_Y 0.6

static bool is_chart(panel_kind kind) {
    return kind == PANEL_REGIONS || kind == PANEL_CLASSES || kind == PANEL_COMPARISON;
}

static bool is_curves(panel_kind kind) {
    return kind == PANEL_AREAS || kind == PANEL_TIME;
}

static const outline_box quadrant_window = {{-3, 3}, {-3, 3}};
static const outline_box triangle_window = {{-2.9, 2.9}, {-1.7, 1.7}};

static void panel_window(const figure *f, const figure_panel *p, outline_box *box) {
    const figure_request *wanted = &f->wanted;
    if (p->kind == PANEL_QUADRANT)
        *box = quadrant_window;
    else if (p->kind == PANEL_TRIANGLE)
        *box = triangle_window;
    else if (p->kind == PANEL_AREAS)
        area_figure_window(f, p, box);
    else if (p->kind == PANEL_TIME)
        time_figure_window(f, p, box);
    else
        *box = (outline_box){{wanted->x[0], wanted->x[1]}, {wanted->y[0], wanted->y[1]}};
}

/* Narrows a window to what is seen and the origin, with some room around, to halves of a tick. */
static void narrow(double *window, const double *seen, double length_cm, double room_cm) {
    double low = fmin(seen[0], 0), high = fmax(seen[1], 0), room = 0.08 * (high - low);
    const double needed[2] = {low - room, high + room};
    double half = 0.5 * paper_tick_step(needed, length_cm, room_cm);
    window[0] = fmax(window[0], half * floor(needed[0] / half));
    window[1] = fmin(window[1], half * ceil(needed[1] / half));
}

static costab_status fit_panel(const figure *f, figure_panel *p, costab_error *error) {
    outline_box *box = &p->frame.box;
    outline seen = {0};
    costab_status status = figure_stable_sets(f->spec, p, box, &seen, error);
    if (!status && seen.point_count > 0) {
        outline_box extent = {{HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}};
        for (size_t i = 0; i < seen.point_count; i++) {
            extent.gamma[0] = fmin(extent.gamma[0], seen.points[i].gamma);
            extent.gamma[1] = fmax(extent.gamma[1], seen.points[i].gamma);
            extent.delta[0] = fmin(extent.delta[0], seen.points[i].delta);
            extent.delta[1] = fmax(extent.delta[1], seen.points[i].delta);
        }
        narrow(box->gamma, extent.gamma, p->frame.width_cm, TICK_ROOM_X);
        narrow(box->delta, extent.delta, p->frame.height_cm, TICK_ROOM_Y);
    }
    outline_free(&seen);
    return status;
}

static costab_status frame_panel(const figure *f, figure_panel *p, double width, double height,
                                 costab_error *error) {
    p->frame = (hatch_frame){.width_cm = width, .height_cm = height};
    panel_window(f, p, &p->frame.box);
    costab_status status = f->wanted.fit && is_chart(p->kind) ? fit_panel(f, p, error) : COSTAB_OK;
    p->gamma_step = paper_tick_step(p->frame.box.gamma, width,
                                    p->kind == PANEL_TIME    ? 1.1
                                    : p->kind == PANEL_AREAS ? 0.85
                                                             : TICK_ROOM_X);
    p->delta_step = paper_tick_step(p->frame.box.delta, height, TICK_ROOM_Y);
    return status;
}

/* Characters that a text of the legend shows: no mark-up, no continuation bytes. */
static int shown_length(const char *legend) {
    int length = 0;
    for (const char *c = legend; *c; c++) {
        if (strncmp(c, "{/:", 3) == 0)
            c = strchr(c, ' ');
        else if (*c != '{' && *c != '}' && *c != '_' && ((unsigned char)*c & 0xC0) != 0x80)
            length++;
    }
    return length;
}

#define LEGEND_EDGE  0.2 /* cm, free beside it */
#define LEGEND_SPACE 0.38

/* Letters of the 8 pt type are 0.13 cm wide on average. */
static void lay_out_legend(figure *f) {
    figure_layout *l = &f->layout;
    int count = 0, longest = 0;
    for (int k = 0; k < KEY_COUNT; k++) {
        if (!f->used[k] || !figure_keys[k].sample) continue;
        int length = shown_length(figure_legend(f, (figure_key)k, false));
        if (length > longest) longest = length;
        count++;
    }
    l->legend_step = LEGEND_SWATCH_WIDTH + 0.12 + 0.13 * longest + LEGEND_SPACE;
    int fit = (int)((l->width - 2 * LEGEND_EDGE + LEGEND_SPACE) / l->legend_step);
    fit = fit < 1 ? 1 : fit;
    int rows = (count + fit - 1) / fit;
    l->legend_columns = rows > 0 ? (count + rows - 1) / rows : 1;
    l->legend_height = count > 0 ? rows * LEGEND_LINE + 0.15 : 0;
    /* Under the panels' left side; farther to the left if it is too wide for that. */
    double width = l->legend_columns * l->legend_step - LEGEND_SPACE;
    l->legend_left = fmax(LEGEND_EDGE, fmin(l->left, l->width - LEGEND_EDGE - width));
}

void figure_legend_place(const figure_layout *l, int i, double *x, double *y) {
    int row = i / l->legend_columns, column = i % l->legend_columns;
    *x = l->legend_left + column * l->legend_step;
    *y = l->legend_height - (row + 1) * LEGEND_LINE;
}

static int default_columns(const figure *f) {
    int panels = f->panel_count;
    if (f->wanted.panels == PANELS_ALL && f->spec->axes[COSTAB_AXIS_A].count <= 4)
        return (int)f->spec->axes[COSTAB_AXIS_A].count;
    return panels <= 3 ? panels : panels == 4 ? 2 : 3;
}

/* Width of the widest number along an axis. In Helvetica a digit is 0.556 of the type's height wide, a point
 * half as much; the type is 8 pt. */
static double numbers_width(const double *range, double step) {
    double widest = 0, first = ceil(range[0] / step), steps = floor(range[1] / step) - first;
    for (int i = 0; i <= steps; i++) {
        char number[40];
        double width = 0;
        snprintf(number, sizeof number, "%g", (first + i) * step);
        for (const char *c = number; *c; c++) width += (*c == '.' ? 0.278 : 0.57) * 8 * 2.54 / 72;
        widest = fmax(widest, width);
    }
    return widest;
}

/* Room left of a panel for the axis' numbers and its name, and right of it for the last number along it. */
static costab_status axis_room(const figure *f, double *left, double *right, costab_error *error) {
    *left = 0;
    *right = 0.25;
    for (int i = 0; i < f->panel_count; i++) {
        figure_panel panel = f->panels[i];
        costab_status status = frame_panel(f, &panel, 5, 5, error);
        if (status) return status;
        double name = panel.kind == PANEL_AREAS ? 0.95 : 0.78;
        if (is_curves(panel.kind))
            *right = fmax(*right, 0.1 + 0.5 * numbers_width(panel.frame.box.gamma, panel.gamma_step));
        *left = fmax(*left, name + numbers_width(panel.frame.box.delta, panel.delta_step));
    }
    return COSTAB_OK;
}

costab_status figure_lay_out(figure *f, costab_error *error) {
    const costab_figure *wanted = &f->spec->figure;
    figure_layout *l = &f->layout;
    double unit = paper_unit(&wanted->style);
    int n = f->panel_count;
    bool jury = f->panels[0].kind == PANEL_QUADRANT;
    l->columns = wanted->style.columns > 0 ? wanted->style.columns : default_columns(f);
    if (l->columns > n) l->columns = n;
    l->rows = (n + l->columns - 1) / l->columns;
    l->shared = !f->wanted.fit;
    for (int i = 0; i < n; i++)
        if (!is_chart(f->panels[i].kind)) l->shared = false;
    l->width = paper_width(&wanted->style, l->columns);
    costab_status status = axis_room(f, &l->left, &l->right, error);
    if (status) return status;
    l->top = (n > 1 || f->panels[0].caption.size > 0 ? 0.5 : 0.2) +
             (script_title(&wanted->style, f->spec->title)[0] ? 0.5 : 0);
    l->gap_x = l->shared ? 0.5 : l->left + 0.3;
    l->gap_y = (l->shared ? 0.15 : 0.95) + (n > 1 ? 0.5 : 0);
    lay_out_legend(f);
    l->bottom = 1.0 + l->legend_height;
    double panel_width = (l->width - l->left - l->right - (l->columns - 1) * l->gap_x) / l->columns;
    double panel_height = fmin(jury ? 0.8 * panel_width : panel_width, 5.4);
    double frame = l->top + l->bottom + (l->rows - 1) * l->gap_y;
    l->height = wanted->style.height_cm > 0 ? wanted->style.height_cm / unit : frame + l->rows * panel_height;
    panel_height = (l->height - frame) / l->rows;
    status =
        paper_check(&wanted->style, f->spec->path, l->width, l->height, panel_width, panel_height, error);
    if (status) return status;
    for (int i = 0; i < n; i++) {
        status = frame_panel(f, &f->panels[i], panel_width, panel_height, error);
        if (status) return status;
    }
    return COSTAB_OK;
}
