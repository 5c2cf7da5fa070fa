/* Figures of the time histories of a network: a panel for each signal with all couplings in it or, where
 * there are values at micro steps too, a panel for each signal and coupling. */
#include "plot/network_time.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "plot/clip.h"
#include "plot/curves.h"
#include "plot/markup.h"
#include "plot/network_layout.h"
#include "plot/paper.h"
#include "plot/words.h"

#define PANELS_MAX  64
#define DOTS        100   /* more points a panel run together: lines alone */
#define NEGLIGIBLE  1e-9  /* of the co-simulation: a monolithic signal that is zero but for rounding */
#define LETTER      0.135 /* cm: the average width of one, in 8 pt type */
#define LEGEND_EDGE 0.2
#define LEGEND_LINE 0.42

/* ---- Reading */

/* Joins times and values; a bond's energy, for one, has no value at the start. Takes the arrays. */
static void join(series *s, double *t, double *x, size_t count) {
    *s = (series){t, x, 0};
    for (size_t i = 0; i < count; i++) {
        if (isnan(t[i]) || isnan(x[i])) continue;
        s->t[s->count] = t[i];
        s->x[s->count++] = x[i];
    }
    series_thin(s);
}

static costab_status read_series(const time_figure_network *f, const char *field, bool local, int coupling,
                                 int signal, series *s, costab_error *error) {
    size_t c = (size_t)coupling, k = (size_t)signal, times = 0, values = 0;
    const curve_place time = {.rank = local ? 3 : 2, .at = {c, local ? k : 0}};
    const curve_place value = {.rank = 3, .components = !local, .at = {c, local ? k : 0, local ? 0 : k}};
    double *t = NULL, *x = NULL;
    costab_status status = curve_read(f->results, local ? "local_time" : "time", &time, &t, &times, error);
    if (!status) status = curve_read(f->results, field, &value, &x, &values, error);
    if (!status && times != values)
        status = error_set(error, COSTAB_INVALID, "%s: values and times do not fit", f->spec->path);
    if (status) {
        memory_free(t);
        memory_free(x);
        return status;
    }
    join(s, t, x, times);
    return COSTAB_OK;
}

/* Micro steps are known by their ends: the start is that of the communication points. */
static costab_status read_local(const time_figure_network *f, const char *field, int coupling, int signal,
                                const char *start_field, series *s, costab_error *error) {
    series start = {0};
    costab_status status = read_series(f, field, true, coupling, signal, s, error);
    if (!status) status = read_series(f, start_field, false, coupling, signal, &start, error);
    if (!status && s->count > 0 && start.count > 0 && start.t[0] < s->t[0]) {
        double *t = memory_resize(s->t, s->count + 1, sizeof *t);
        if (t) s->t = t;
        double *x = t ? memory_resize(s->x, s->count + 1, sizeof *x) : NULL;
        if (x) s->x = x;
        if (x) {
            memmove(t + 1, t, s->count * sizeof *t);
            memmove(x + 1, x, s->count++ * sizeof *x);
            t[0] = start.t[0];
            x[0] = start.x[0];
        } else {
            status = error_memory(error);
        }
    }
    series_free(&start);
    return status;
}

/* The monolithic solution as finely as it is known: at micro steps if there are any, else under the coupling
 * with most communication points. */
static costab_status read_monolithic(const time_figure_network *f, time_panel *p, costab_error *error) {
    int finest = 0;
    bool local = p->tracks[0].local.count > 0;
    for (int c = 1; c < p->count; c++)
        if (p->tracks[c].points.count > p->tracks[finest].points.count) finest = c;
    return local ? read_local(f, "local_monolithic", p->first, p->signal, "monolithic", &p->monolithic, error)
                 : read_series(f, "monolithic", false, p->first + finest, p->signal, &p->monolithic, error);
}

static costab_status read_panel(const time_figure_network *f, time_panel *p, costab_error *error) {
    costab_status status = COSTAB_OK;
    for (int c = 0; c < p->count && !status; c++) {
        status = read_series(f, "value", false, p->first + c, p->signal, &p->tracks[c].points, error);
        if (!status && f->local)
            status =
                read_local(f, "local_value", p->first + c, p->signal, "value", &p->tracks[c].local, error);
    }
    return status ? status : read_monolithic(f, p, error);
}

/* ---- Panels */

static double largest(const series *s) {
    double size = 0;
    for (size_t i = 0; i < s->count; i++) size = fmax(size, fabs(s->x[i]));
    return size;
}

/* Both what is at communication points and what is at micro steps is seen. */
static costab_status choose_window(const time_figure_network *f, time_panel *p, costab_error *error) {
    const series **all = memory_alloc(2 * (size_t)p->count + 1, sizeof(const series *));
    if (!all) return error_memory(error);
    int count = 0;
    double size = 0, start = 0;
    for (int c = 0; c < p->count; c++) {
        const series *pair[2] = {&p->tracks[c].points, &p->tracks[c].local};
        for (int k = 0; k < 2; k++) {
            if (pair[k]->count == 0) continue;
            all[count++] = pair[k];
            size = fmax(size, largest(pair[k]));
            start = fmax(start, fabs(pair[k]->x[0]));
        }
    }
    double solution = largest(&p->monolithic);
    if (solution < NEGLIGIBLE * fmin(size, 1)) p->monolithic.count = 0;
    if (p->monolithic.count > 0) {
        all[count++] = &p->monolithic;
        start = fmax(start, solution);
    }
    p->box.gamma[0] = 0;
    p->box.gamma[1] = f->until;
    series_choose_range(all, count, f->until, start, p->box.delta);
    memory_free(all);
    series_cut(&p->monolithic, p->box.delta);
    for (int c = 0; c < p->count; c++) {
        series_cut(&p->tracks[c].points, p->box.delta);
        series_cut(&p->tracks[c].local, p->box.delta);
    }
    return COSTAB_OK;
}

static void write_caption(const time_figure_network *f, int i, bool tex, text *caption) {
    const time_panel *p = &f->panels[i];
    void (*write)(text *, const char *) = tex ? markup_tex : markup_enhanced;
    text_append(caption, "");
    if (f->panel_count > 1) text_printf(caption, i < 26 ? "(%c) " : "(a%c) ", 'a' + i % 26);
    write(caption, f->signals[p->signal]);
    if (f->coupling_count == 1 || f->shared) return;
    text_append(caption, ", ");
    write(caption, f->couplings[p->first]);
}

static costab_status make_panels(time_figure_network *f, costab_error *error) {
    int each = f->shared ? 1 : f->coupling_count;
    costab_status status = COSTAB_OK;
    if (f->signal_count > PANELS_MAX / each)
        return error_set(error, COSTAB_INVALID,
                         "%s: the figure would have more than %d panels; name fewer signals in `history`",
                         f->spec->path, PANELS_MAX);
    f->panels = memory_alloc((size_t)f->signal_count * (size_t)each, sizeof *f->panels);
    if (!f->panels) return error_memory(error);
    f->panel_count = f->signal_count * each;
    for (int i = 0; i < f->panel_count && !status; i++) {
        time_panel *p = &f->panels[i];
        p->signal = i / each;
        p->first = i % each;
        p->count = f->shared ? f->coupling_count : 1;
        p->tracks = memory_alloc((size_t)p->count, sizeof *p->tracks);
        if (!p->tracks) return error_memory(error);
        status = read_panel(f, p, error);
        if (!status) status = choose_window(f, p, error);
        write_caption(f, i, false, &p->caption);
        write_caption(f, i, true, &p->caption_tex);
        if (!status && (p->caption.failed || p->caption_tex.failed)) status = error_memory(error);
    }
    return status;
}

/* ---- Legend */

static costab_status add_entry(time_figure_network *f, const char *key, bool line, bool dot,
                               const char *plain, costab_error *error) {
    time_entry *e = &f->entries[f->entry_count++];
    snprintf(e->key, sizeof e->key, "%s", key);
    e->line = line;
    e->dot = dot;
    text_append(&e->shown, "");
    text_append(&e->shown_tex, "");
    markup_enhanced(&e->shown, plain);
    markup_tex(&e->shown_tex, plain);
    return e->shown.failed || e->shown_tex.failed ? error_memory(error) : COSTAB_OK;
}

static bool has_dots(const series *s) {
    return s->count > 0 && s->count <= DOTS;
}

static costab_status explain(time_figure_network *f, costab_error *error) {
    bool monolithic = false, local = false, dots = false, lines = false;
    f->entries = memory_alloc((size_t)f->coupling_count + 4, sizeof *f->entries);
    if (!f->entries) return error_memory(error);
    for (int i = 0; i < f->panel_count; i++) {
        const time_track *track = &f->panels[i].tracks[0];
        if (f->panels[i].monolithic.count > 0) monolithic = true;
        if (track->local.count > 0) local = true;
        if (has_dots(&track->points)) dots = true;
        if (track->local.count == 0 && track->points.count > 0) lines = true;
    }
    costab_status status = COSTAB_OK;
    if (monolithic) status = add_entry(f, "exact", true, false, "monolithic solution", error);
    if (!status && !f->shared && local) status = add_entry(f, "local", true, false, "micro steps", error);
    if (!status && !f->shared && (dots || lines))
        status = add_entry(f, "points", lines, dots, "communication points", error);
    for (int c = 0; f->shared && c < f->coupling_count && !status; c++) {
        char key[16];
        snprintf(key, sizeof key, "c%d", c + 1);
        dots = false;
        for (int i = 0; i < f->panel_count; i++)
            if (has_dots(&f->panels[i].tracks[c].points)) dots = true;
        status = add_entry(f, key, true, dots, f->couplings[c], error);
    }
    return status;
}

/* ---- Layout, in cm */

static int legend_rows(const time_figure_network *f) {
    return (f->entry_count + f->legend_columns - 1) / f->legend_columns;
}

void network_time_place(const time_figure_network *f, int i, double *x, double *y) {
    double room = f->width - f->left - f->legend_columns * f->legend_step;
    *x = fmax(LEGEND_EDGE, fmin(f->left, LEGEND_EDGE + fmax(room + f->left, 0)));
    int row = i / f->legend_columns, column = i % f->legend_columns;
    *x += column * f->legend_step;
    *y = 0.15 + (legend_rows(f) - row - 1) * LEGEND_LINE;
}

static void lay_out_legend(time_figure_network *f) {
    size_t longest = 0;
    for (int i = 0; i < f->entry_count; i++)
        if (f->entries[i].shown.size > longest) longest = f->entries[i].shown.size;
    f->legend_step = TIME_SAMPLE_WIDTH + 0.12 + LETTER * (double)longest + 0.3;
    int fit = (int)((f->width - 2 * LEGEND_EDGE) / f->legend_step);
    fit = fit < 1 ? 1 : fit;
    int rows = (f->entry_count + fit - 1) / fit;
    f->legend_columns = rows > 0 ? (f->entry_count + rows - 1) / rows : 1;
}

/* Panels under one coupling are below each other, as far as that leaves them wide. */
static int choose_columns(const time_figure_network *f) {
    int n = f->panel_count > 0 ? f->panel_count : 1;
    if (f->spec->figure.style.columns > 0)
        return f->spec->figure.style.columns < n ? f->spec->figure.style.columns : n;
    if (!f->shared && f->coupling_count > 1 && f->coupling_count <= 3) return f->coupling_count;
    return n <= 2 ? n : n == 4 ? 2 : 3;
}

/* The numbers along a vertical axis, at most. */
static double widest_number(const time_panel *p, double tick) {
    double widest = 0, first = ceil(p->box.delta[0] / tick), steps = floor(p->box.delta[1] / tick) - first;
    for (int i = 0; i <= steps; i++) {
        char number[40];
        int length = snprintf(number, sizeof number, "%g", (first + i) * tick);
        widest = fmax(widest, 0.15 * length);
    }
    return widest;
}

static costab_status lay_out(time_figure_network *f, costab_error *error) {
    const costab_figure *wanted = &f->spec->figure;
    double unit = paper_unit(&wanted->style), numbers = 0;
    f->columns = choose_columns(f);
    f->rows = (f->panel_count + f->columns - 1) / f->columns;
    f->width = paper_width(&wanted->style, f->columns);
    for (int i = 0; i < f->panel_count; i++)
        numbers =
            fmax(numbers, widest_number(&f->panels[i], paper_tick_step(f->panels[i].box.delta, 4, 0.6)));
    lay_out_legend(f);
    f->left = 0.35 + numbers;
    f->right = 0.35;
    f->top = 0.5 + (script_title(&wanted->style, f->spec->title)[0] ? 0.5 : 0);
    f->bottom = 0.95 + (f->entry_count > 0 ? legend_rows(f) * LEGEND_LINE + 0.15 : 0);
    f->gap_x = 0.35 + numbers;
    f->gap_y = 1.35;
    double width = (f->width - f->left - f->right - (f->columns - 1) * f->gap_x) / f->columns;
    double frame = f->top + f->bottom + (f->rows - 1) * f->gap_y;
    f->height = wanted->style.height_cm > 0 ? wanted->style.height_cm / unit
                                            : frame + f->rows * fmin(0.7 * width, 4.2);
    double height = (f->height - frame) / f->rows;
    costab_status status =
        paper_check(&wanted->style, f->spec->path, f->width, f->height, width, height, error);
    if (status) return status;
    for (int i = 0; i < f->panel_count; i++) {
        f->panels[i].tick_x = paper_tick_step(f->panels[i].box.gamma, width, 0.85);
        f->panels[i].tick_y = paper_tick_step(f->panels[i].box.delta, height, 0.6);
    }
    return COSTAB_OK;
}

/* ---- Data */

static void put_head(time_figure_network *f, int number, const char *layer, const char *key,
                     const char *what) {
    text_printf(&f->data, "# %d.%s.%s: %s\n", number, layer, key, what);
}

static void add_word(text *words, const char *word) {
    text_printf(words, words->size > 0 ? " %s" : "%s", word);
}

/* Nothing but zero within rounding of the window shows as zero. */
static double clean(double value, const double *range) {
    return fabs(value) < 1e-11 * (range[1] - range[0]) ? 0 : value;
}

static costab_status draw_line(time_figure_network *f, int i, const char *key, const char *what,
                               const series *s, costab_error *error) {
    time_panel *p = &f->panels[i];
    outline line = {0};
    costab_status status = clip_polyline(s->t, s->x, s->count, &p->box, &line, error);
    if (!status && line.loop_count > 0) {
        put_head(f, i + 1, "curve", key, what);
        add_word(&p->curves, key);
        for (size_t l = 0; l < line.loop_count; l++) {
            if (l > 0) text_append(&f->data, "\n");
            const outline_run *run = &line.loops[l];
            for (size_t k = run->first; k < run->first + run->count; k++)
                text_printf(&f->data, "%.10g %.10g\n", clean(line.points[k].gamma, p->box.gamma),
                            clean(line.points[k].delta, p->box.delta));
        }
        text_append(&f->data, "\n\n");
    }
    outline_free(&line);
    return status;
}

static void draw_dots(time_figure_network *f, int i, const char *key, const char *what, const series *s) {
    time_panel *p = &f->panels[i];
    bool any = false;
    for (size_t k = 0; k < s->count && has_dots(s); k++) {
        if (s->t[k] > p->box.gamma[1] || s->x[k] < p->box.delta[0] || s->x[k] > p->box.delta[1]) continue;
        if (!any) {
            put_head(f, i + 1, "point", key, what);
            add_word(&p->points, key);
        }
        any = true;
        text_printf(&f->data, "%.10g %.10g\n", clean(s->t[k], p->box.gamma), clean(s->x[k], p->box.delta));
    }
    if (any) text_append(&f->data, "\n\n");
}

static costab_status draw_panel(time_figure_network *f, int i, costab_error *error) {
    time_panel *p = &f->panels[i];
    const outline_box *box = &p->box;
    double t[2] = {box->gamma[0], box->gamma[1]}, zero[2] = {0, 0};
    const series axis = {t, zero, 2};
    costab_status status = draw_line(f, i, "axes", "zero", &axis, error);
    if (!status) status = draw_line(f, i, "exact", "monolithic solution", &p->monolithic, error);
    for (int c = 0; c < p->count && !status; c++) {
        const time_track *track = &p->tracks[c];
        char key[16] = "points";
        if (f->shared) snprintf(key, sizeof key, "c%d", c + 1);
        if (track->local.count > 0)
            status =
                draw_line(f, i, f->shared ? key : "local", "values at micro steps", &track->local, error);
        else
            status = draw_line(f, i, key, "from communication point to communication point", &track->points,
                               error);
        draw_dots(f, i, key, "values at communication points", &track->points);
    }
    return status;
}

static void draw_sample(time_figure_network *f, int i) {
    const time_entry *e = &f->entries[i];
    double x, y, middle;
    network_time_place(f, i, &x, &y);
    middle = y + TIME_SAMPLE_HEIGHT / 2;
    if (e->line) {
        put_head(f, f->panel_count + 1, "curve", e->key, "a sample");
        text_printf(&f->data, "%.5g %.5g\n%.5g %.5g\n\n\n", x, middle, x + TIME_SAMPLE_WIDTH, middle);
        add_word(&f->legend_curves, e->key);
    }
    if (e->dot) {
        put_head(f, f->panel_count + 1, "point", e->key, "a sample");
        text_printf(&f->data, "%.5g %.5g\n\n\n", x + TIME_SAMPLE_WIDTH / 2, middle);
        add_word(&f->legend_points, e->key);
    }
}

static costab_status draw(time_figure_network *f, costab_error *error) {
    costab_status status = COSTAB_OK;
    text_append(&f->data,
                "# The data of a figure; the script of the same name draws it.\n"
                "# Blocks are named PANEL.LAYER.KEY; the panel after the last is the legend, in cm from the "
                "lower left corner.\n"
                "# All other coordinates are time and signal.\n\n\n"
                "# nothing: a block for lists of none\n0 0 0 0\n\n\n");
    for (int i = 0; i < f->panel_count && !status; i++) status = draw_panel(f, i, error);
    for (int i = 0; i < f->entry_count && !status; i++) draw_sample(f, i);
    bool failed = f->data.failed || f->legend_curves.failed || f->legend_points.failed;
    for (int i = 0; i < f->panel_count; i++)
        failed = failed || f->panels[i].curves.failed || f->panels[i].points.failed;
    return status ? status : failed ? error_memory(error) : COSTAB_OK;
}

/* ---- The figure */

static costab_status begin(time_figure_network *f, costab_error *error) {
    const costab_plan *plan = costab_results_plan(f->results);
    for (int a = 0; a < plan->axis_count; a++) {
        const costab_axis *axis = &plan->axes[a];
        if (strcmp(axis->name, "local") == 0) f->local = true;
        if (strcmp(axis->name, "coupling") == 0) {
            f->couplings = axis->labels;
            f->coupling_count = (int)axis->count;
        } else if (strcmp(axis->name, "signal") == 0) {
            f->signals = axis->labels;
            f->signal_count = (int)axis->count;
        }
    }
    if (!f->couplings || !f->signals)
        return error_set(error, COSTAB_INVALID,
                         "%s: the results hold no time histories; add the key `history` to the model and run "
                         "the sweep again",
                         f->spec->path);
    f->until = f->spec->model->history.until;
    f->shared = !f->local && f->coupling_count > 1;
    return COSTAB_OK;
}

static void end(time_figure_network *f) {
    for (int i = 0; i < f->panel_count; i++) {
        time_panel *p = &f->panels[i];
        for (int c = 0; c < p->count && p->tracks; c++) {
            series_free(&p->tracks[c].points);
            series_free(&p->tracks[c].local);
        }
        memory_free(p->tracks);
        series_free(&p->monolithic);
        text *texts[] = {&p->caption, &p->caption_tex, &p->curves, &p->points};
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) text_free(texts[k]);
    }
    for (int i = 0; i < f->entry_count; i++) {
        text_free(&f->entries[i].shown);
        text_free(&f->entries[i].shown_tex);
    }
    memory_free(f->panels);
    memory_free(f->entries);
    text_free(&f->legend_curves);
    text_free(&f->legend_points);
    text_free(&f->data);
}

costab_status network_time_make(const costab_results *results, const costab_spec *spec, const char *name,
                                text *script, text *data, costab_error *error) {
    time_figure_network f = {.results = results, .spec = spec, .name = name};
    costab_status status = begin(&f, error);
    if (!status) status = make_panels(&f, error);
    if (!status) status = explain(&f, error);
    if (!status) status = lay_out(&f, error);
    if (!status) status = draw(&f, error);
    if (!status) {
        network_time_script(&f, script);
        *data = f.data;
        f.data = (text){0};
        if (script->failed) status = error_memory(error);
    }
    end(&f);
    return status;
}
