/* Figures of kind `time`: the continuous system's solution as a line, the discretised system's states as
 * points. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "plot/clip.h"
#include "plot/curves.h"

#define ALIKE          5.0  /* signals up to this factor larger than the smallest are shown whole */
#define BEYOND         3.0  /* of the smallest: room in which the others are seen to leave */
#define MARGIN         1.08 /* the axis' end over the largest value */
#define BEYOND_MEASURE 1e3  /* of the start: larger signals have diverged, and their beginnings count */
#define GONE                                                                                                 \
    4.0 /* of the range: what stays beyond has left for good, and is not drawn across the panel any more */
#define COLUMNS 4000 /* that a panel can show: more samples are thinned */
#define DOTS    500  /* more states a panel run together: lines alone */

/* Values of x over time, as many as there are; those after the end are cut off. */
typedef struct signal {
    double *t, *x;
    size_t count;
} signal;

typedef struct time_case {
    signal exact, steps[COSTAB_SCHEME_COUNT];
    double until, range[2];
} time_case;

struct time_figure {
    int cases, schemes;
    time_case *of;
};

/* ---- Reading */

static void trim(signal *s) {
    while (s->count > 0 && isnan(s->t[s->count - 1])) s->count--;
}

/* Keeps the least and the largest of each of COLUMNS stretches, in their order. */
static void thin(signal *s) {
    if (s->count <= 4 * COLUMNS) return;
    size_t kept = 0;
    for (size_t c = 0; c < COLUMNS; c++) {
        size_t first = s->count * c / COLUMNS, end = s->count * (c + 1) / COLUMNS, low = first, high = first;
        for (size_t i = first; i < end; i++) {
            if (s->x[i] < s->x[low]) low = i;
            if (s->x[i] > s->x[high]) high = i;
        }
        const size_t pair[2] = {low < high ? low : high, low < high ? high : low};
        for (int k = 0; k < 1 + (low != high); k++) {
            s->t[kept] = s->t[pair[k]];
            s->x[kept++] = s->x[pair[k]];
        }
    }
    s->count = kept;
}

static costab_status read_signal(const figure *f, bool exact, size_t scheme, size_t number, signal *s,
                                 costab_error *error) {
    const size_t at_time[2] = {number, 0}, at_exact[3] = {number, 0, 0}, at_state[4] = {scheme, number, 0, 0};
    size_t count = 0;
    costab_status status =
        curve_read(f->results, exact ? "exact_time" : "time", at_time, false, &s->t, &s->count, error);
    if (!status)
        status = curve_read(f->results, exact ? "exact_state" : "state", exact ? at_exact : at_state, true,
                            &s->x, &count, error);
    if (!status && count != s->count)
        status = error_set(error, COSTAB_INVALID, "%s: states and times do not fit", f->spec->path);
    if (status) return status;
    trim(s);
    thin(s);
    return COSTAB_OK;
}

/* ---- The vertical range */

/* The least and the largest value up to a time, with 0; infinite where a value is. */
static void extent(const signal *s, double until, double *range) {
    range[0] = range[1] = 0;
    for (size_t i = 0; i < s->count && s->t[i] <= until; i++) {
        range[0] = fmin(range[0], s->x[i]);
        range[1] = fmax(range[1], s->x[i]);
        if (isnan(s->x[i])) range[1] = HUGE_VAL;
    }
}

static double size_of(const double *range) {
    return fmax(-range[0], range[1]);
}

/* Shows the smallest signal and those like it whole; a larger one leaves the panel. */
static void choose_range(time_case *c, int schemes, const double *start) {
    const signal *all[1 + COSTAB_SCHEME_COUNT] = {&c->exact};
    double ranges[1 + COSTAB_SCHEME_COUNT][2] = {{0}}, smallest = HUGE_VAL, until = c->until;
    double size0 = fmax(fabs(start[0]), fabs(start[1])), measure = BEYOND_MEASURE * (size0 > 0 ? size0 : 1);
    for (int s = 0; s < schemes; s++) all[1 + s] = &c->steps[s];
    for (int halving = 0; halving < 40 && !(smallest <= measure); halving++, until *= 0.5) {
        smallest = HUGE_VAL;
        for (int i = 0; i < 1 + schemes; i++) {
            extent(all[i], until, ranges[i]);
            double size = size_of(ranges[i]);
            if (size > 0) smallest = fmin(smallest, size);
        }
    }
    if (!(smallest <= measure)) smallest = size0 > 0 ? size0 : 1;
    c->range[0] = c->range[1] = 0;
    for (int i = 0; i < 1 + schemes; i++) {
        bool whole = size_of(ranges[i]) <= ALIKE * smallest;
        double room = whole ? HUGE_VAL : BEYOND * smallest;
        c->range[0] = fmin(c->range[0], fmax(ranges[i][0], -room));
        c->range[1] = fmax(c->range[1], fmin(ranges[i][1], room));
    }
    if (!(c->range[1] > c->range[0])) memcpy(c->range, (const double[2]){-1, 1}, sizeof c->range);
    double margin = (MARGIN - 1) * (c->range[1] - c->range[0]);
    c->range[0] -= margin;
    c->range[1] += margin;
}

/* Ends a signal where it leaves for good: far outside, and at the end still there. */
static void cut(signal *s, const double *range) {
    double far = GONE * size_of(range), last = 0;
    for (size_t i = s->count - s->count / 10; i < s->count; i++)
        last = isnan(s->x[i]) ? HUGE_VAL : fmax(last, fabs(s->x[i]));
    size_t i = 0;
    while (i < s->count && fabs(s->x[i]) <= far) i++;
    if (last > far && i + 1 < s->count) s->count = i + 1;
}

costab_status time_figure_gather(figure *f, costab_error *error) {
    const costab_sweep_spec *spec = f->spec;
    f->history = memory_alloc(1, sizeof *f->history);
    if (!f->history) return error_memory(error);
    f->history->schemes = spec->scheme_count;
    f->history->of = memory_alloc((size_t)spec->case_count, sizeof *f->history->of);
    if (!f->history->of) return error_memory(error);
    f->history->cases = spec->case_count;
    for (int k = 0; k < spec->case_count; k++) {
        time_case *c = &f->history->of[k];
        costab_status status = read_signal(f, true, 0, (size_t)k, &c->exact, error);
        for (int s = 0; s < spec->scheme_count && !status; s++)
            status = read_signal(f, false, (size_t)s, (size_t)k, &c->steps[s], error);
        if (status) return status;
        c->until = spec->cases[k].until;
        choose_range(c, spec->scheme_count, spec->cases[k].start);
        cut(&c->exact, c->range);
        for (int s = 0; s < spec->scheme_count; s++) cut(&c->steps[s], c->range);
    }
    return COSTAB_OK;
}

static void signal_free(signal *s) {
    memory_free(s->t);
    memory_free(s->x);
}

void time_figure_free(struct time_figure **history) {
    if (!*history) return;
    for (int k = 0; k < (*history)->cases; k++) {
        signal_free(&(*history)->of[k].exact);
        for (int s = 0; s < COSTAB_SCHEME_COUNT; s++) signal_free(&(*history)->of[k].steps[s]);
    }
    memory_free((*history)->of);
    memory_free(*history);
    *history = NULL;
}

/* ---- Drawing */

void time_figure_window(const figure *f, const figure_panel *panel, outline_box *box) {
    const time_case *c = &f->history->of[panel->history];
    *box = (outline_box){{0, c->until}, {c->range[0], c->range[1]}};
}

static costab_status draw_line(const pen *p, figure_key key, const signal *s, costab_error *error) {
    outline line = {0};
    costab_status status = clip_polyline(s->t, s->x, s->count, &p->panel->frame.box, &line, error);
    if (!status) pen_curve(p, key, &line);
    outline_free(&line);
    return status;
}

static costab_status draw_dots(const pen *p, figure_key key, const signal *s, costab_error *error) {
    const outline_box *box = &p->panel->frame.box;
    outline dots = {0};
    costab_status status = COSTAB_OK;
    for (size_t i = 0; i < s->count && s->count <= DOTS && !status; i++)
        if (s->t[i] <= box->gamma[1] && s->x[i] >= box->delta[0] && s->x[i] <= box->delta[1])
            status = outline_add_point(&dots, s->t[i], s->x[i], OUTLINE_CUT, error);
    if (!status) status = outline_add_loop(&dots, 0, OUTLINE_CUT, false, error);
    if (!status) pen_points(p, key, &dots);
    outline_free(&dots);
    return status;
}

costab_status time_figure_draw(const pen *p, costab_error *error) {
    const struct time_figure *history = p->f->history;
    const time_case *c = &history->of[p->panel->history];
    const outline_box *box = &p->panel->frame.box;
    outline axis = {0};
    costab_status status = pen_add_line(&axis, box->gamma[0], 0, box->gamma[1], 0, error);
    if (!status) pen_curve(p, KEY_AXES, &axis);
    outline_free(&axis);
    if (!status) status = draw_line(p, KEY_EXACT, &c->exact, error);
    for (int s = 0; s < history->schemes && !status; s++) {
        figure_key key = (figure_key)(KEY_STEPS_SIMULATION + (int)p->f->spec->schemes[s]);
        status = draw_line(p, key, &c->steps[s], error);
        if (!status) status = draw_dots(p, key, &c->steps[s], error);
    }
    return status;
}
