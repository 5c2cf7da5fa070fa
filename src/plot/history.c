/* Figures of kind `time`: the continuous system's solution as a line, the discretised system's states as
 * points. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "plot/clip.h"
#include "plot/curves.h"
#include "plot/series.h"

typedef struct time_case {
    series exact, steps[COSTAB_SCHEME_COUNT];
    double until, range[2];
} time_case;

struct time_figure {
    int cases, schemes;
    time_case *of;
};

/* ---- Reading */

static costab_status read_signal(const figure *f, bool exact, size_t scheme, size_t number, series *s,
                                 costab_error *error) {
    const curve_place time = {.rank = 2, .at = {number}};
    const curve_place exact_state = {.rank = 3, .components = true, .at = {number}};
    const curve_place state = {.rank = 4, .components = true, .at = {scheme, number}};
    size_t count = 0;
    costab_status status =
        curve_read(f->results, exact ? "exact_time" : "time", &time, &s->t, &s->count, error);
    if (!status)
        status = curve_read(f->results, exact ? "exact_state" : "state", exact ? &exact_state : &state, &s->x,
                            &count, error);
    if (!status && count != s->count)
        status = error_set(error, COSTAB_INVALID, "%s: states and times do not fit", f->spec->path);
    if (status) return status;
    series_trim(s);
    series_thin(s);
    return COSTAB_OK;
}

static void choose_range(time_case *c, int schemes, const double *start) {
    const series *all[1 + COSTAB_SCHEME_COUNT] = {&c->exact};
    for (int s = 0; s < schemes; s++) all[1 + s] = &c->steps[s];
    series_choose_range(all, 1 + schemes, c->until, fmax(fabs(start[0]), fabs(start[1])), c->range);
}

costab_status time_figure_gather(figure *f, costab_error *error) {
    const costab_spec *spec = f->spec;
    f->history = memory_alloc(1, sizeof *f->history);
    if (!f->history) return error_memory(error);
    f->history->schemes = spec->planar.scheme_count;
    f->history->of = memory_alloc((size_t)spec->planar.case_count, sizeof *f->history->of);
    if (!f->history->of) return error_memory(error);
    f->history->cases = spec->planar.case_count;
    for (int k = 0; k < spec->planar.case_count; k++) {
        time_case *c = &f->history->of[k];
        costab_status status = read_signal(f, true, 0, (size_t)k, &c->exact, error);
        for (int s = 0; s < spec->planar.scheme_count && !status; s++)
            status = read_signal(f, false, (size_t)s, (size_t)k, &c->steps[s], error);
        if (status) return status;
        c->until = spec->planar.cases[k].until;
        choose_range(c, spec->planar.scheme_count, spec->planar.cases[k].start);
        series_cut(&c->exact, c->range);
        for (int s = 0; s < spec->planar.scheme_count; s++) series_cut(&c->steps[s], c->range);
    }
    return COSTAB_OK;
}

void time_figure_free(struct time_figure **history) {
    if (!*history) return;
    for (int k = 0; k < (*history)->cases; k++) {
        series_free(&(*history)->of[k].exact);
        for (int s = 0; s < COSTAB_SCHEME_COUNT; s++) series_free(&(*history)->of[k].steps[s]);
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

static costab_status draw_line(const pen *p, figure_key key, const series *s, costab_error *error) {
    outline line = {0};
    costab_status status = clip_polyline(s->t, s->x, s->count, &p->panel->frame.box, &line, error);
    if (!status) pen_curve(p, key, &line);
    outline_free(&line);
    return status;
}

static costab_status draw_dots(const pen *p, figure_key key, const series *s, costab_error *error) {
    const outline_box *box = &p->panel->frame.box;
    outline dots = {0};
    costab_status status = COSTAB_OK;
    for (size_t i = 0; i < s->count && s->count <= SERIES_DOTS && !status; i++)
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
        figure_key key = (figure_key)(KEY_STEPS_SIMULATION + (int)p->f->spec->planar.schemes[s]);
        status = draw_line(p, key, &c->steps[s], error);
        if (!status) status = draw_dots(p, key, &c->steps[s], error);
    }
    return status;
}
