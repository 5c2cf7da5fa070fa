/* Kind `time`: time histories.
 *   1. Panels: of the planar system one for each case; of a network one for each signal, or with values at
 *      micro steps one for each signal and coupling. If the signals were not named, signals of equal values
 * are drawn once (the one with a label or unit), states that hold outputs of discrete-time subsystems not at
 * all, and PANELS_MOST panels at most.
 *   2. The continuous (monolithic) solution is a line. The co-simulation has dots if they are few, otherwise
 * lines. Signals that change at samples only are lines with steps.
 *   3. The vertical range is that of the bounded signals (series.c). The figure says which signals it cuts.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "figure/kinds.h"
#include "figure/names.h"
#include "figure/read.h"
#include "figure/series.h"

#define PANELS_MOST 9
#define NEGLIGIBLE  1e-9 /* of the co-simulation: a monolithic signal that is zero but for rounding */

/* A signal in a panel. */
typedef struct track {
    series s;
    char style[SCENE_WORD_MAX];
    int coupling; /* of a network: its number */
    bool line, dots;
} track;

typedef struct time_panel {
    const figure_request *request;
    scene_panel *panel;
    double until; /* the end of the axis */
    double start; /* the size of the initial values */
    bool held;    /* the signal changes at samples only */
    int count;    /* of tracks */
    track *tracks;
} time_panel;

static const char *fault(const figure_request *r) {
    if (figure_has_field(r, "state")) return NULL;
    if (figure_has_field(r, "monolithic") && figure_has_words(r, "signal")) return NULL;
    return "'time' draws the key 'history' of a spec without axes";
}

/* ---- Reading */

/* Reads a signal along one axis without the values that are NaN, such as a bond's energy at the start. */
static costab_status read_series(time_panel *p, const char *time, const char *value, const char *along,
                                 const size_t *at, series *s, costab_error *error) {
    const figure_request *r = p->request;
    const int axis = costab_plan_axis(r->plan, along);
    if (axis < 0) return read_missing(r->results, value, error);
    TRY(read_numbers(r->results, time, at, &axis, 1, &s->t, error));
    TRY(read_numbers(r->results, value, at, &axis, 1, &s->x, error));
    const size_t count = r->plan->axes[axis].count;
    s->ends = count > 0 && isnan(s->t[count - 1]);
    for (size_t i = 0; i < count; i++) {
        if (isnan(s->t[i]) || isnan(s->x[i])) continue;
        s->t[s->count] = s->t[i];
        s->x[s->count++] = s->x[i];
    }
    series_thin(s);
    return COSTAB_OK;
}

/* Adds the first communication point as the start of values at micro steps, which are stored at the steps'
 * ends. */
static costab_status begin_at(series *s, const series *points, costab_error *error) {
    if (s->count == 0 || points->count == 0 || !(points->t[0] < s->t[0])) return COSTAB_OK;
    double **lists[2] = {&s->t, &s->x};
    for (int k = 0; k < 2; k++) {
        double *list = memory_resize(*lists[k], s->count + 1, sizeof *list);
        if (!list) return error_memory(error);
        memmove(list + 1, list, s->count * sizeof *list);
        list[0] = k == 0 ? points->t[0] : points->x[0];
        *lists[k] = list;
    }
    s->count++;
    return COSTAB_OK;
}

static track *add_track(time_panel *p, const char *style, bool line, bool dots) {
    track *t = &p->tracks[p->count++];
    snprintf(t->style, sizeof t->style, "%s", style);
    t->line = line;
    t->dots = dots;
    return t;
}

/* ---- Drawing */

/* Returns the latest time at which a run's next value would follow its last. */
static double next_time(const series *s) {
    double longest = 0;
    for (size_t i = 1; i < s->count; i++) longest = fmax(longest, s->t[i] - s->t[i - 1]);
    return s->count > 0 ? s->t[s->count - 1] + 1.001 * longest : -HUGE_VAL;
}

/* Adds a remark on a run that ended early. One of several runs in a file ends at least one interval before
 * the others; a single run has no times at the end. */
static void remark_on_end(time_panel *p, const track *t) {
    const series *s = &t->s;
    const costab_axis *couplings = &p->request->plan->axes[0];
    const bool ended = strcmp(couplings->name, "coupling") == 0 && couplings->count == 1 &&
                       strcmp(t->style, "points") == 0 && s->ends;
    char words[60], number[NAMES_NUMBER_MAX];
    if (strcmp(t->style, "exact") == 0 || s->count == 0) return;
    if (!ended && (s->count == 1 || next_time(s) > p->until)) return;
    (void)text_format(words, sizeof words, "ends at %s", names_rounded(s->t[s->count - 1], 4, number));
    scene_remark_on(p->panel, t->style, words);
}

static costab_status choose_range(time_panel *p, costab_error *error) {
    double *range = p->panel->y.range;
    const bool chosen = p->request->figure->y.from < p->request->figure->y.to; /* by the user */
    int count = 0;
    memory_local_array(const series *, all, (size_t)p->count + 1, error);
    for (int k = 0; k < p->count; k++)
        if (p->tracks[k].s.count > 0) all[count++] = &p->tracks[k].s;
    series_choose_range(all, count, fmin(p->until, p->panel->x.range[1]), p->start, range);
    figure_apply_range(&p->request->figure->y, range);
    for (int k = 0; k < p->count; k++) {
        track *t = &p->tracks[k];
        remark_on_end(p, t);
        const bool shown = t->line || t->s.count <= SERIES_DOTS;
        if (!chosen && shown && series_largest(&t->s) > fmax(-range[0], range[1])) {
            scene_remark_on(p->panel, t->style, "cut");
            scene_note(p->panel->scene, SERIES_CUT_WORDS);
        }
        series_cut(&t->s, range);
    }
    return COSTAB_OK;
}

static costab_status draw_track(time_panel *p, const track *t, costab_error *error) {
    const series *s = &t->s;
    outline line = {0}, dots = {0};
    ends_by(series_free) series steps = {.count = 0};
    if (p->held && t->line) TRY(series_hold(s, &steps, error));
    const series *drawn = p->held ? &steps : s;
    if (t->line) scene_polyline(&line, drawn->t, drawn->x, drawn->count);
    for (size_t i = 0; i < s->count && t->dots && s->count <= SERIES_DOTS; i++)
        if (scene_shows(p->panel, s->t[i], s->x[i])) outline_add_point(&dots, s->t[i], s->x[i], OUTLINE_CUT);
    if (t->line && s->count > 0 && dots.point_count == 0 && !scene_crosses(p->panel, s->t, s->x, s->count))
        scene_remark_on(p->panel, t->style, "outside the range shown");
    scene_put(p->panel, SCENE_CURVE, t->style, &line);
    scene_put_points(p->panel, t->style, &dots);
    return COSTAB_OK;
}

/* Draws the tracks that were read. */
static costab_status end_panel(time_panel *p, costab_error *error) {
    scene_panel *panel = p->panel;
    outline axis = {0};
    panel->x.range[1] = p->until;
    figure_apply_range(&p->request->figure->x, panel->x.range);
    panel->proportion = 0.7;
    panel->tallest = 4.2;
    /* The time of networks is in seconds. */
    panel->x.label = strcmp(p->request->plan->axes[0].name, "coupling") == 0
                         ? "time " NAMES_ITALIC("t") " (s)"
                         : "time " NAMES_ITALIC("t");
    TRY(choose_range(p, error));
    if (panel->y.range[0] < 0 && panel->y.range[1] > 0)
        scene_line(&axis, panel->x.range[0], 0, panel->x.range[1], 0);
    scene_put(panel, SCENE_CURVE, "axes", &axis);
    for (int k = 0; k < p->count; k++) TRY(draw_track(p, &p->tracks[k], error));
    return COSTAB_OK;
}

static void time_panel_free(time_panel *p) {
    for (int k = 0; k < p->count; k++) series_free(&p->tracks[k].s);
    memory_free(p->tracks);
}

static costab_status begin_panel(time_panel *p, size_t tracks, const char *signal, const char *caption,
                                 costab_error *error) {
    text words = {0};
    figure_choice(p->request, caption, &words);
    p->panel->y.label = figure_label(p->request, p->panel->scene, signal);
    p->panel->caption = scene_keep_text(p->panel->scene, &words);
    return memory_make(&p->tracks, tracks, error);
}

/* Defines the style of the k-th line. Few dots distinguish the lines, too. */
static void define_style(const figure_request *r, scene *s, const char *name, int k, const char *words,
                         const char *legend) {
    static const char *const colours[] = {"#d55e00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"};
    static const int points[] = {7, 5, 9, 13, 6, 4, 8, 12};
    scene_style style = {
        .name = name, .words = words, .line = colours[k % 6], .point = points[k % 8], .size = 0.3};
    text plain = {0};
    scene_tell_apart(&style, k, 0.6, true);
    figure_choice(r, legend, &plain);
    style.legend = scene_keep_text(s, &plain);
    scene_define(s, &style);
}

/* ---- The planar system */

/* Reads the size of a case's initial state. */
static costab_status read_start(time_panel *p, const size_t *at, costab_error *error) {
    const int along = costab_plan_axis(p->request->plan, "component");
    memory_local double *start = NULL;
    TRY(read_numbers(p->request->results, "exact_state", at, &along, 1, &start, error));
    for (size_t k = 0; k < figure_value_count(p->request, "component"); k++)
        p->start = fmax(p->start, fabs(start[k]));
    return COSTAB_OK;
}

/* Reads a case. A case without a title has its number as one. */
static costab_status add_case(time_panel *p, int cases, int number, costab_error *error) {
    const costab_axis *schemes = &p->request->plan->axes[0];
    const char *title = p->request->plan->axes[cases].labels[number];
    size_t at[COSTAB_AXES_MAX] = {0};
    at[cases] = (size_t)number;
    TRY(read_start(p, at, error));
    TRY(begin_panel(p, schemes->count + 1, "x", strspn(title, "0123456789") < strlen(title) ? title : "",
                    error));
    track *exact = add_track(p, "exact", true, false);
    TRY(read_series(p, "exact_time", "exact_state", "sample", at, &exact->s, error));
    if (exact->s.count > 0) p->until = exact->s.t[exact->s.count - 1];
    for (size_t s = 0; s < schemes->count; s++) {
        char style[SCENE_WORD_MAX];
        if (figure_leaves_out(p->request, 0, s)) continue;
        at[0] = s;
        snprintf(style, sizeof style, "steps_%s", schemes->labels[s]);
        TRY(read_series(p, "time", "state", "step", at, &add_track(p, style, true, true)->s, error));
    }
    return COSTAB_OK;
}

static unsigned panel_axes_planar(const figure_request *r) {
    const int cases = costab_plan_axis(r->plan, "case");
    return cases > 0 ? 1U << cases : 0;
}

static costab_status build_planar(const figure_request *r, scene *s, costab_error *error) {
    static const char *const order[] = {"cross", "simulation", "zigzag", "strong"};
    const int cases = costab_plan_axis(r->plan, "case");
    if (cases < 0 || !figure_has_words(r, "case")) return read_missing(r->results, "state", error);
    for (size_t i = 0; i < r->plan->axes[0].count; i++) {
        char style[SCENE_WORD_MAX];
        const char *scheme = r->plan->axes[0].labels[i];
        int number = 0;
        while (number < 3 && strcmp(order[number], scheme) != 0) number++;
        snprintf(style, sizeof style, "steps_%s", scheme);
        define_style(r, s, style, number, "states of the scheme", scheme);
    }
    for (int k = 0; k < (int)r->plan->axes[cases].count; k++) {
        if (figure_leaves_out(r, cases, (size_t)k)) continue;
        ends_by(time_panel_free) time_panel p = {.request = r, .panel = scene_add_panel(s)};
        TRY(add_case(&p, cases, k, error));
        TRY(end_panel(&p, error));
    }
    return COSTAB_OK;
}

/* ---- Networks */

typedef struct signals {
    const costab_axis *couplings, *names;
    int coupling_axis, signal_axis;
    bool local, shared; /* values at micro steps; several couplings in one panel */
} signals;

/* Returns true if a run ended before another, by one interval or more. */
static bool ends_before(const series *s, const series *other) {
    return other->count > 0 && next_time(s) <= other->t[other->count - 1];
}

/* Reads the monolithic solution at the finest times: at micro steps, or under the coupling with most
 * communication points of those that end last. It becomes the first track. */
static costab_status read_monolithic(time_panel *p, const signals *g, size_t *at, costab_error *error) {
    const bool local = g->local && p->tracks[1].s.count > 0;
    int finest = 0;
    double size = 0;
    for (int k = 1; k < p->count && g->shared; k++) {
        const series *s = &p->tracks[k].s, *best = &p->tracks[finest].s;
        if (ends_before(best, s) || (s->count > best->count && !ends_before(s, best))) finest = k;
    }
    for (int k = 0; k < p->count; k++) size = fmax(size, series_largest(&p->tracks[k].s));
    at[g->coupling_axis] = (size_t)p->tracks[finest].coupling;
    track *added = add_track(p, "exact", true, false);
    TRY(read_series(p, local ? "local_time" : "time", local ? "local_monolithic" : "monolithic",
                    local ? "local" : "step", at, &added->s, error));
    if (local) {
        ends_by(series_free) series points = {.count = 0};
        TRY(read_series(p, "time", "monolithic", "step", at, &points, error));
        TRY(begin_at(&added->s, &points, error));
    }
    if (series_largest(&added->s) < NEGLIGIBLE * fmin(size, 1)) added->s.count = 0;
    p->start = fmax(p->start, series_largest(&added->s));
    const track first = p->tracks[0];
    p->tracks[0] = *added;
    *added = first;
    return COSTAB_OK;
}

static costab_status read_coupling(time_panel *p, const signals *g, size_t *at, int c, costab_error *error) {
    char style[SCENE_WORD_MAX] = "points";
    if (g->shared) snprintf(style, sizeof style, "c%d", c + 1);
    at[g->coupling_axis] = (size_t)c;
    track *points = add_track(p, style, true, true);
    points->coupling = c;
    TRY(read_series(p, "time", "value", "step", at, &points->s, error));
    if (!g->local) return COSTAB_OK;
    track *local = add_track(p, "local", true, false);
    TRY(read_series(p, "local_time", "local_value", "local", at, &local->s, error));
    points->line = local->s.count == 0;
    return begin_at(&local->s, &points->s, error);
}

static bool is_held(const figure_request *r, const char *signal) {
    for (size_t k = 0; k < r->stored->held_count; k++)
        if (strcmp(r->stored->held[k], signal) == 0) return true;
    return false;
}

static costab_status add_signal(time_panel *p, const signals *g, int signal, int first, int count,
                                costab_error *error) {
    const bool named = g->couplings->count > 1 && !g->shared, timed = p->request->stored->until > 0;
    size_t at[COSTAB_AXES_MAX] = {0};
    at[g->signal_axis] = (size_t)signal;
    p->until = p->request->stored->until;
    p->held = is_held(p->request, g->names->labels[signal]);
    TRY(begin_panel(p, 2 * (size_t)count + 1, g->names->labels[signal],
                    named ? g->couplings->labels[first] : "", error));
    for (int c = first; c < first + count; c++)
        if (!figure_leaves_out(p->request, g->coupling_axis, (size_t)c))
            TRY(read_coupling(p, g, at, c, error));
    for (int k = 0; k < p->count; k++) {
        const series *s = &p->tracks[k].s;
        if (s->count == 0) continue;
        p->start = fmax(p->start, fabs(s->x[0]));
        if (!timed) p->until = fmax(p->until, s->t[s->count - 1]);
    }
    return read_monolithic(p, g, at, error);
}

static bool is_shared(const figure_request *r) {
    return !figure_has_field(r, "local_value") && r->plan->axes[0].count > 1;
}

static unsigned panel_axes_network(const figure_request *r) {
    const int names = costab_plan_axis(r->plan, "signal");
    return (names > 0 ? 1U << names : 0) | !is_shared(r);
}

static void define_styles(const figure_request *r, const signals *g, scene *s) {
    scene_style *solution = scene_style_named(s, "exact");
    if (solution) solution->legend = "monolithic solution";
    if (!g->shared) define_style(r, s, "local", 1, "values at micro steps", "micro steps");
    if (!g->shared) define_style(r, s, "points", 0, "values at communication points", "communication points");
    for (int c = 0; c < (int)g->couplings->count && g->shared; c++) {
        char style[SCENE_WORD_MAX];
        snprintf(style, sizeof style, "c%d", c + 1);
        define_style(r, s, style, c, "values at communication points", g->couplings->labels[c]);
    }
}

/* ---- The signals that are drawn */

/* Adds the values of a field of a signal, under all couplings, to a hash. */
static costab_status add_values(const figure_request *r, const signals *g, size_t signal, const char *field,
                                const char *axis, uint64_t *number, costab_error *error) {
    const int along[2] = {g->coupling_axis, costab_plan_axis(r->plan, axis)};
    size_t at[COSTAB_AXES_MAX] = {0};
    memory_local double *values = NULL;
    if (along[1] < 0) return read_missing(r->results, field, error);
    at[g->signal_axis] = signal;
    TRY(read_numbers(r->results, field, at, along, 2, &values, error));
    *number =
        hash_bytes(*number, values, g->couplings->count * r->plan->axes[along[1]].count * sizeof *values);
    return COSTAB_OK;
}

/* Hashes a signal's values: equal signals have equal numbers. Inputs equal outputs at communication points,
 * but not at micro steps. */
static costab_status fingerprint(const figure_request *r, const signals *g, size_t signal, uint64_t *number,
                                 costab_error *error) {
    *number = HASH_START;
    TRY(add_values(r, g, signal, "value", "step", number, error));
    return g->local ? add_values(r, g, signal, "local_value", "local", number, error) : COSTAB_OK;
}

/* Returns true if a signal is a state S.y_held or S.y_next, which a discrete-time subsystem S has for its
 * output y. */
static bool holds_output(const figure_request *r, const signals *g, size_t i) {
    const char *name = g->names->labels[i];
    const size_t length = strlen(name), ending = strlen("_held");
    if (length <= ending || !is_held(r, name)) return false;
    const char *end = name + length - ending;
    if (strcmp(end, "_held") != 0 && strcmp(end, "_next") != 0) return false;
    for (size_t k = 0; k < g->names->count; k++)
        if (strncmp(g->names->labels[k], name, length - ending) == 0 &&
            g->names->labels[k][length - ending] == '\0')
            return true;
    return false;
}

/* Chooses among signals that the user did not name: of equal signals the first with a label or unit,
 * otherwise the first; no states that hold outputs; `most` at most. */
static costab_status choose_signals(const figure_request *r, const signals *g, scene *s, size_t most,
                                    bool *drawn, costab_error *error) {
    const size_t count = g->names->count;
    size_t kept = 0, repeats = 0, holding = 0, shown = 0;
    char words[120];
    memory_local_array(uint64_t, numbers, count, error);
    memory_local_array(bool, repeated, count, error);
    memory_local_array(bool, holds, count, error);
    for (size_t i = 0; i < count; i++) {
        TRY(fingerprint(r, g, i, &numbers[i], error));
        holds[i] = holds_output(r, g, i);
        for (size_t k = 0; k < i && !holds[i]; k++) {
            if (holds[k] || repeated[k] || numbers[k] != numbers[i]) continue;
            const bool better = figure_has_label_or_unit(r, g->names->labels[i]) &&
                                !figure_has_label_or_unit(r, g->names->labels[k]);
            repeated[better ? k : i] = true;
        }
    }
    for (size_t i = 0; i < count; i++) {
        repeats += repeated[i];
        holding += holds[i];
        kept += !repeated[i] && !holds[i];
        drawn[i] = !repeated[i] && !holds[i] && shown < most;
        shown += drawn[i];
    }
    if (repeats > 0) {
        (void)text_format(words, sizeof words,
                          "%zu signal%s not drawn, repeating %s; --panels all draws all.", repeats,
                          repeats > 1 ? "s are" : " is", repeats > 1 ? "others" : "another");
        scene_note(s, words);
    }
    if (holding > 0) {
        (void)text_format(
            words, sizeof words,
            "%zu state%s that hold%s outputs of discrete-time subsystems %s not drawn; --panels "
            "all draws all.",
            holding, holding > 1 ? "s" : "", holding > 1 ? "" : "s", holding > 1 ? "are" : "is");
        scene_note(s, words);
    }
    if (kept > most) {
        (void)text_format(words, sizeof words,
                          "%zu of %zu signals are drawn; --select signal=NAME draws another, --panels all "
                          "all of them.",
                          most, kept);
        scene_note(s, words);
    }
    return COSTAB_OK;
}

static costab_status build_network(const figure_request *r, scene *s, costab_error *error) {
    signals g = {.coupling_axis = costab_plan_axis(r->plan, "coupling"),
                 .signal_axis = costab_plan_axis(r->plan, "signal"),
                 .local = figure_has_field(r, "local_value"),
                 .shared = is_shared(r)};
    if (g.coupling_axis < 0 || g.signal_axis < 0) return read_missing(r->results, "value", error);
    g.couplings = &r->plan->axes[g.coupling_axis];
    g.names = &r->plan->axes[g.signal_axis];
    const int couplings = (int)g.couplings->count, drawn = (int)figure_drawn(r, g.coupling_axis);
    const bool named = r->stored->signals_named || r->picked_count[g.signal_axis] > 0 ||
                       strcmp(r->figure->panels.word, "all") == 0;
    define_styles(r, &g, s);
    s->columns = !g.shared && drawn > 1 && drawn <= 3 ? drawn : g.names->count == 2 ? 2 : 0;
    memory_local_array(bool, chosen, g.names->count, error);
    for (size_t i = 0; i < g.names->count; i++) chosen[i] = !figure_leaves_out(r, g.signal_axis, i);
    if (!named)
        TRY(choose_signals(r, &g, s, (size_t)fmax(1, PANELS_MOST / (g.shared ? 1 : drawn)), chosen, error));
    for (int i = 0; i < (int)g.names->count; i++)
        for (int c = 0; c < (g.shared ? 1 : couplings); c++) {
            if (!chosen[i]) continue;
            if (!g.shared && figure_leaves_out(r, g.coupling_axis, (size_t)c)) continue;
            ends_by(time_panel_free) time_panel p = {.request = r, .panel = scene_add_panel(s)};
            TRY(add_signal(&p, &g, i, c, g.shared ? couplings : 1, error));
            TRY(end_panel(&p, error));
        }
    return COSTAB_OK;
}

const figure_kind kind_planar_time = {.name = "time",
                                      .systems = FIGURE_PLANAR,
                                      .overlaid = true,
                                      .alone = true,
                                      .window = true,
                                      .panel_axes = panel_axes_planar,
                                      .fault = fault,
                                      .build = build_planar};
const figure_kind kind_time = {.name = "time",
                               .systems = FIGURE_NETWORK,
                               .overlaid = true,
                               .alone = true,
                               .window = true,
                               .panel_axes = panel_axes_network,
                               .fault = fault,
                               .build = build_network};
