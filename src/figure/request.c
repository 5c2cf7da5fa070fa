/* Compares the choices of a figure (a spec's key `figure`, or options) with the results.
 *   1. The selection: couplings, values of axes and the field must be in the results.
 *   2. The kinds must suit the fields and axes of the results; by default the first suitable kind is drawn.
 *   3. The drawn axes must have several numbers, ranges lie within them, and the panels show the values of
 * the other axes. If the caller requests a kind, choices of the spec that do not suit it are ignored. All
 * other choices that cannot be drawn are mistakes, reported at their place. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/removed.h"
#include "base/spelling.h"
#include "costab/figure.h"
#include "figure/fields.h"
#include "figure/figure.h"
#include "figure/kinds.h"
#include "figure/own.h"

#define KINDS_MAX  32
#define FIELDS_MAX 32
#define FAULT_MAX  160 /* bytes of the reason why a kind does not suit the results */

/* ---- Messages */

/* Appends a mistake to the error's message, with its place in the spec if it has one. Returns false. */
static bool complain(const figure_request *r, costab_place place, costab_error *error, const char *format,
                     ...) COSTAB_PRINTF(4, 5);
static bool complain(const figure_request *r, costab_place place, costab_error *error, const char *format,
                     ...) {
    char words[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    char line[sizeof words + 480];
    if (place.column > 0) /* read from a spec, not from results */
        snprintf(line, sizeof line, "%.400s:%u:%u: error: figure%s", r->path, place.line, place.column,
                 words);
    else
        snprintf(line, sizeof line, "figure%s", words);
    if (strstr(error->message, line) == NULL)
        error_append(error, "%s", line); /* several kinds may have the same mistake */
    return false;
}

/* Reports an unknown name, with the nearest known name or all names. */
static bool complain_name(const figure_request *r, const costab_figure_word *word, const char *key,
                          const char *const *names, size_t count, costab_error *error) {
    const char *removed = removed_hint(REMOVED_FIGURE, word->word);
    if (removed != NULL)
        return complain(r, word->place, error, ", %s: unknown name '%s'%s", key, word->word, removed);
    const char *nearest = spelling_nearest(word->word, names, count, sizeof *names);
    char list[400], words[sizeof list + 40];
    spelling_list(names, count, sizeof *names, " or ", list, sizeof list);
    return complain(r, word->place, error, ", %s: unknown name '%s'%s", key, word->word,
                    spelling_meant(nearest, "; expected ", list, words, sizeof words));
}

/* ---- Kinds, fields */

/* Returns the number of swept axes with several numbers. */
static int wide_axes(const figure_request *r) {
    int count = 0;
    for (int i = 0; i < r->plan->swept; i++) {
        const costab_axis *axis = &r->plan->axes[i];
        count += axis->values != NULL && axis->count > 1 && r->picked_count[i] == 0;
    }
    return count;
}

/* Returns true if a kind suits the results. Otherwise [out] words: the reason. */
static bool suits(const figure_request *r, const figure_kind *kind, char words[FAULT_MAX]) {
    const char *why = kind->fault ? kind->fault(r) : NULL;
    if (figure_has_field(r, "state") && strcmp(kind->name, "time") != 0)
        why = "a time history is drawn as 'time'";
    for (int k = 0; k < 2 && !why; k++)
        if (kind->fields[k] && !figure_has_field(r, kind->fields[k])) {
            (void)text_format(words, FAULT_MAX, "'%s' %s", kind->name, kind->without);
            return false;
        }
    if (!why && wide_axes(r) < kind->wide) {
        (void)text_format(words, FAULT_MAX, "'%s' %s", kind->name,
                          kind->narrow ? kind->narrow : "needs two axes of several values");
        return false;
    }
    if (why) (void)text_format(words, FAULT_MAX, "%s", why);
    return !why;
}

/* Adds the kind of this name that suits the results. If none suits them, adds the first and reports its
 * reason, [out] fault. */
static bool find_kind(figure_request *r, const costab_figure_word *word, char fault[FAULT_MAX],
                      costab_error *error) {
    const char *names[KINDS_MAX];
    size_t count = 0;
    const figure_kind *kind, *found = NULL;
    bool fits = false;
    for (int k = 0; k < KINDS_MAX && (kind = figure_kind_over(r->plan->axes[0].name, k)) != NULL; k++) {
        char why[FAULT_MAX];
        size_t n = 0;
        while (n < count && strcmp(names[n], kind->name) != 0) n++;
        if (n == count) names[count++] = kind->name;
        if (strcmp(kind->name, word->word) != 0 || fits) continue;
        fits = suits(r, kind, found ? why : fault);
        if (fits || !found) found = kind;
    }
    if (!found) return complain_name(r, word, "kind", names, count, error);
    r->kinds[r->kind_count++] = found;
    return fits || complain(r, word->place, error, ", kind: %s", fault);
}

static bool check_kind(figure_request *r, const costab_figure_word *word, costab_error *error) {
    char fault[FAULT_MAX];
    if (!find_kind(r, word, fault, error)) return false;
    const figure_kind *kind = r->kinds[r->kind_count - 1];
    if (kind->of && costab_plan_field(r->plan, r->of) < 0)
        return complain(r, word->place, error, ", kind: '%s' draws the field '%s', which is not there",
                        kind->name, r->of);
    return !kind->alone || r->figure->kind_count == 1 ||
           complain(r, word->place, error, ", kind: '%s' stands alone", kind->name);
}

static bool check_kinds(figure_request *r, costab_error *error) {
    bool fine = true;
    for (int i = 0; i < r->figure->kind_count; i++) fine = check_kind(r, &r->figure->kinds[i], error) && fine;
    return fine;
}

/* Sets the field that curves and contours draw; by default the first one that is stored. */
static bool check_of(figure_request *r, costab_error *error) {
    const costab_figure_word *of = &r->figure->of;
    const int stored = costab_plan_field(r->plan, of->word);
    const char *now = stored >= 0 ? r->plan->fields[stored].name : of->word, *names[FIELDS_MAX];
    size_t count = 0;
    bool drawn = false, known = false;
    const bool is_planar = figure_is_planar(r);
    const figure_field *field;
    for (int i = 0; (field = figure_field_at(is_planar, i)) != NULL && i < FIELDS_MAX; i++) {
        names[count++] = field->name;
        if (r->of == NULL && figure_has_field(r, field->name)) r->of = field->name;
        known |= strcmp(now, field->name) == 0;
    }
    if (r->of == NULL) r->of = "spectral_radius";
    if (of->word[0] == '\0') return true;
    r->of = now;
    const figure_kind *kind;
    for (int i = 0; i < r->figure->kind_count; i++)
        for (int k = 0; (kind = figure_kind_over(r->plan->axes[0].name, k)) != NULL; k++)
            drawn |= kind->of && strcmp(kind->name, r->figure->kinds[i].word) == 0;
    if (r->figure->kind_count == 0) drawn = true;
    if (!drawn)
        return complain(r, of->place, error, ", of: only 'curve' and 'contour' draw a field of one's choice");
    if (strcmp(of->word, "class") == 0 && figure_has_field(r, of->word))
        return complain(r, of->place, error,
                        ", of: 'class' has codes, no numbers: leave it out with kind 'classes'");
    return known || complain_name(r, of, "of", names, count, error);
}

/* ---- Selections */

/* Selects the i-th value of an axis. */
static void add_picked(figure_request *r, int number, size_t i) {
    if (r->picked_count[number] == 0 || figure_leaves_out(r, number, i))
        r->picked[number][r->picked_count[number]++] = i;
}

/* Returns the index of a name among the axis' values; the number of values, after a message, if it is none of
 * them. */
static size_t find_label(const figure_request *r, const costab_axis *axis, const costab_figure_word *name,
                         const char *key, costab_error *error) {
    size_t i = 0;
    while (i < axis->count && strcmp(axis->labels[i], name->word) != 0) i++;
    if (i == axis->count) complain_name(r, name, key, (const char *const *)axis->labels, axis->count, error);
    return i;
}

static bool pick_label(figure_request *r, const costab_figure_pick *pick, int number, costab_error *error) {
    const costab_axis *axis = &r->plan->axes[number];
    size_t i = find_label(r, axis, &pick->name, "select", error);
    if (i < axis->count) add_picked(r, number, i);
    return i < axis->count;
}

/* Selects the value of an axis that equals the requested value up to rounding. */
static bool pick_value(figure_request *r, const costab_figure_pick *pick, int number, costab_error *error) {
    const costab_axis *axis = &r->plan->axes[number];
    size_t nearest = 0;
    if (isnan(pick->value))
        return complain(r, pick->name.place, error, ", select: '%s' has numbers, not '%s'", axis->name,
                        pick->name.word);
    for (size_t i = 0; i < axis->count; i++)
        if (fabs(axis->values[i] - pick->value) < fabs(axis->values[nearest] - pick->value)) nearest = i;
    add_picked(r, number, nearest);
    return fabs(axis->values[nearest] - pick->value) <=
               1e-5 * fmax(fabs(pick->value), fabs(axis->values[nearest])) ||
           complain(r, pick->axis.place, error, ", select: '%s' has no value %.6g; the nearest is %.6g",
                    axis->name, pick->value, axis->values[nearest]);
}

static bool check_pick(figure_request *r, const costab_figure_pick *pick, costab_error *error) {
    const char *names[COSTAB_AXES_MAX];
    size_t count = 0;
    int number = costab_plan_axis(r->plan, pick->axis.word);
    for (int i = 0; i < r->plan->swept; i++)
        if (r->plan->axes[i].values || r->plan->axes[i].labels) names[count++] = r->plan->axes[i].name;
    if (number >= 0 && number < r->plan->swept && r->plan->axes[number].labels)
        return pick_label(r, pick, number, error);
    if (number >= 0 && number < r->plan->swept && r->plan->axes[number].values)
        return pick_value(r, pick, number, error);
    return complain_name(r, &pick->axis, "select", names, count, error);
}

/* Selects the named couplings that `select` does not leave out. */
static bool check_couplings(figure_request *r, costab_error *error) {
    const costab_axis *axis = &r->plan->axes[0];
    const figure_request selected = *r;
    bool fine = true;
    r->picked_count[0] = 0;
    for (int k = 0; k < r->figure->coupling_count; k++) {
        size_t i = find_label(r, axis, &r->figure->couplings[k], "couplings", error);
        fine = fine && i < axis->count;
        if (i < axis->count && !figure_leaves_out(&selected, 0, i)) add_picked(r, 0, i);
    }
    return fine && (r->picked_count[0] > 0 || complain(r, r->figure->couplings[0].place, error,
                                                       ", couplings: 'select' names another %s", axis->name));
}

static bool check_selection(figure_request *r, costab_error *error) {
    bool fine = true;
    for (int k = 0; k < r->figure->pick_count; k++) fine = check_pick(r, &r->figure->picks[k], error) && fine;
    if (r->figure->coupling_count > 0 && r->plan->axes[0].labels) fine = check_couplings(r, error) && fine;
    return fine;
}

/* Chooses the first suitable kind that draws swept values. */
static bool choose_kind(figure_request *r, costab_error *error) {
    const bool of = r->figure->of.word[0] != '\0';
    const figure_kind *kind;
    char fault[FAULT_MAX];
    for (int k = 0; (kind = figure_kind_over(r->plan->axes[0].name, k)) != NULL && r->kind_count == 0; k++)
        if (suits(r, kind, fault) && (kind->along > 0 || kind->window) &&
            (kind->of ? figure_has_field(r, r->of) : !of))
            r->kinds[r->kind_count++] = kind;
    return !of || r->kind_count > 0 ||
           complain(r, r->figure->of.place, error, ", of: no kind of figure draws '%s' of these results",
                    r->of);
}

/* ---- Axes and panels */

/* Chooses the drawn axes: gamma and delta of the planar system, the figure's choice, or the first axes of
 * several values; for a curve the longest. */
static void choose_axes(figure_request *r, int along) {
    const bool is_planar = figure_is_planar(r);
    r->x = is_planar ? costab_plan_axis(r->plan, "gamma") : -1;
    r->y = is_planar ? costab_plan_axis(r->plan, "delta") : -1;
    if (r->x < 0 && r->figure->x_axis.word[0]) r->x = costab_plan_axis(r->plan, r->figure->x_axis.word);
    bool chosen = r->x >= 0;
    if (r->y < 0 && r->figure->y_axis.word[0]) r->y = costab_plan_axis(r->plan, r->figure->y_axis.word);
    for (int i = 0; i < r->plan->swept && along > 0 && r->plan->axes[0].labels; i++) {
        const costab_axis *axis = &r->plan->axes[i];
        if (axis->values == NULL || axis->count < 2 || r->picked_count[i] > 0 || i == r->x || i == r->y)
            continue;
        if (r->x < 0 || (along == 1 && !chosen && axis->count > r->plan->axes[r->x].count))
            r->x = i;
        else if (along == 2 && r->y < 0)
            r->y = i;
    }
}

/* Checks the requested panels: there is one for each value of every axis that is not drawn in a panel. */
static bool check_panels(const figure_request *r, const figure_kind *kind, costab_error *error) {
    const char *names[COSTAB_AXES_MAX + 2] = {"none", "all"}, *several[COSTAB_AXES_MAX];
    const costab_figure_word *word = &r->figure->panels;
    unsigned panel_axes = figure_panel_axes(r, kind);
    size_t count = 2, found = 0;
    bool known = strcmp(word->word, "none") == 0 || strcmp(word->word, "all") == 0, named = false,
         wide = false;
    for (int i = 0; i < r->plan->swept; i++) {
        const char *name = names[count++] = r->plan->axes[i].name;
        bool this_one = strcmp(name, word->word) == 0;
        known |= this_one;
        if ((panel_axes >> i & 1U) == 0) continue;
        named |= this_one;
        wide |= this_one && r->plan->axes[i].count > 1;
        if (figure_drawn(r, i) > 1 && !this_one) several[found++] = name;
    }
    if (!known) return complain_name(r, word, "panels", names, count, error);
    char list[400];
    if (strcmp(word->word, "all") == 0) return true;
    if (found > 0)
        return complain(r, word->place, error,
                        ", panels: there are several values of %s; write 'panels: %s' or give one value",
                        spelling_list(several, found, sizeof *several, " and ", list, sizeof list),
                        found > 1 || wide ? "all" : several[0]);
    return strcmp(word->word, "none") == 0 || named ||
           complain(r, word->place, error, ", panels: '%s' has all values of '%s' in one panel", kind->name,
                    word->word);
}

/* Sets the range of an axis: the requested one, or all values. */
static bool check_range(figure_request *r, const costab_figure_range *given, int number, double *range,
                        costab_error *error) {
    const costab_axis *axis = number >= 0 ? &r->plan->axes[number] : NULL;
    if (!axis || !axis->values || axis->count == 0)
        return complain(r, given->place, error, ": the results have no axis along which it could be drawn");
    double first = axis->values[0], last = axis->values[axis->count - 1];
    bool shown = given->from < given->to;
    range[0] = shown ? given->from : first;
    range[1] = shown ? given->to : last;
    if (shown && given->axis[0] && strcmp(given->axis, axis->name) != 0)
        return complain(r, given->place, error, ", %s: the figure has no axis of this name", given->axis);
    if (!shown && axis->count == 1)
        return complain(
            r, r->figure->place, error,
            ": the axis '%s' has a single value; give the figure a window such as '%s: [-2, 2]', or "
            "the axis more values",
            axis->name, axis->name);
    if (range[0] > last || range[1] < first)
        return complain(r, given->place, error,
                        ", %s: the window lies outside the axis, which goes from %.15g to %.15g", axis->name,
                        first, last);
    return true;
}

/* Checks a named axis: it must have several numbers and differ from the horizontal axis. */
static bool check_name(const figure_request *r, const costab_figure_word *word, const char *key, int number,
                       int across, costab_error *error) {
    if (word->word[0] == '\0') return true;
    const costab_axis *axis = number >= 0 ? &r->plan->axes[number] : NULL;
    if (axis && number < r->plan->swept && axis->values && axis->count > 1 && r->picked_count[number] == 0 &&
        strcmp(axis->name, word->word) == 0 && number != across)
        return true;
    return complain(r, word->place, error, ", %s: '%s' is no axis of several values along which can be drawn",
                    key, word->word);
}

/* Returns true if a choice of the spec was made for another kind than the caller requests. */
static bool is_stale(const figure_request *r, costab_place choice) {
    return choice.line > 0 && r->figure->kind_count > 0 && r->figure->kinds[0].place.line == 0;
}

/* Checks the choices of axes and values for kinds with axes of their own (`along` 0). */
static bool check_own_axes(figure_request *r, const figure_kind *kind, costab_error *error) {
    const costab_figure *f = r->figure;
    const unsigned drawn = figure_panel_axes(r, kind) | kind->overlaid;
    bool fine = true;
    for (int k = 0; k < f->pick_count; k++) {
        int number = costab_plan_axis(r->plan, f->picks[k].axis.word);
        if ((drawn >> number & 1U) != 0) continue;
        r->picked_count[number] = 0;
        if (!is_stale(r, f->picks[k].axis.place))
            fine = complain(r, f->picks[k].axis.place, error,
                            ", select: '%s' does not draw single values of '%s'", kind->name,
                            f->picks[k].axis.word);
    }
    if (f->coupling_count > 0 && (drawn & 1U) == 0 && !is_stale(r, f->couplings[0].place))
        fine = complain(r, f->couplings[0].place, error, ", couplings: '%s' draws none", kind->name);
    for (int k = 0; k < 2; k++) {
        const costab_figure_range *range = k == 0 ? &f->x : &f->y;
        const costab_figure_word *name = k == 0 ? &f->x_axis : &f->y_axis;
        const char *key = range->axis[0] ? range->axis : k == 0 ? "x_range" : "y_range";
        if (range->from < range->to && (!kind->window || range->axis[0]) && !is_stale(r, range->place))
            fine = complain(r, range->place, error, ", %s: '%s' has a window of its own", key, kind->name);
        if (name->word[0] != '\0' && !is_stale(r, name->place))
            fine = complain(r, name->place, error, ", %s: '%s' has axes of its own", k == 0 ? "x" : "y",
                            kind->name);
    }
    return fine;
}

static bool check_levels(const figure_request *r, costab_error *error) {
    bool drawn = r->figure->level_count == 0 || is_stale(r, r->figure->levels_place);
    for (int k = 0; k < r->kind_count; k++) drawn |= r->kinds[k]->levels;
    return drawn || complain(r, r->figure->levels_place, error, ", levels: '%s' draws none; 'contour' does",
                             r->kinds[0]->name);
}

/* Refuses selections along the drawn axes. */
static bool check_drawn_axes(const figure_request *r, int along, costab_error *error) {
    bool fine = true;
    for (int k = 0; k < r->figure->pick_count; k++) {
        const costab_figure_word *axis = &r->figure->picks[k].axis;
        int number = costab_plan_axis(r->plan, axis->word);
        if ((number != r->x && (along < 2 || number != r->y)) || is_stale(r, axis->place)) continue;
        fine =
            complain(r, axis->place, error, ", select: '%s' is an axis of the figure; %s shows a part of it",
                     axis->word, number == r->x ? "x_range" : "y_range");
    }
    return fine;
}

static bool check_axes(figure_request *r, costab_error *error) {
    int along = 0;
    bool fine = true;
    for (int k = 0; k < r->kind_count; k++) along = r->kinds[k]->along > along ? r->kinds[k]->along : along;
    choose_axes(r, along);
    for (int k = 0; k < r->kind_count; k++) {
        if (r->kinds[k]->along == 0 && along == 0) fine = check_own_axes(r, r->kinds[k], error) && fine;
        if (r->figure->panels.word[0] != '\0' && (along == 0 || r->kinds[k]->along > 0) &&
            !is_stale(r, r->figure->panels.place))
            fine = check_panels(r, r->kinds[k], error) && fine;
    }
    if (along == 0) return fine;
    if (!check_name(r, &r->figure->x_axis, "x", r->x, -1, error) ||
        !check_name(r, &r->figure->y_axis, "y", r->y, r->x, error))
        return false;
    if (along == 1 && r->figure->y_axis.word[0] != '\0' && !is_stale(r, r->figure->y_axis.place))
        fine = complain(r, r->figure->y_axis.place, error,
                        ", y: '%s' draws a field upwards; x names its axis", r->kinds[0]->name);
    fine = check_range(r, &r->figure->x, r->x, r->x_range, error) && fine;
    if (along > 1) fine = check_range(r, &r->figure->y, r->y, r->y_range, error) && fine;
    return check_drawn_axes(r, along, error) && fine;
}

/* ---- The request */

/* Checks the user's own files. */
static bool check_files(const figure_request *r, costab_error *error) {
    const costab_figure_file *files[] = {&r->figure->points, &r->figure->lines};
    bool fine = true;
    for (size_t k = 0; k < 2 && fine; k++) fine = !files[k]->text || own_check(files[k], error) == COSTAB_OK;
    return fine;
}

costab_status figure_request_make(const costab_figure *figure, const costab_plan *plan, const char *path,
                                  figure_request *r, costab_error *error) {
    costab_error unused;
    if (error == NULL) error = &unused;
    *r = (figure_request){.figure = figure, .plan = plan, .path = path};
    error->message[0] = '\0';
    r->fit = figure->fit == COSTAB_YES;
    if (plan->axis_count == 0 || !plan->axes[0].labels || plan->swept < 1)
        return error_invalid(error, "%s: the results are none that a figure could be drawn of", path);
    bool fine = check_selection(r, error) && check_of(r, error);
    if (fine && r->kind_count == 0) fine = check_kinds(r, error);
    if (fine && r->kind_count == 0) fine = choose_kind(r, error);
    r->us = figure->us == COSTAB_UNSAID ? figure_drawn(r, 0) == 1 : figure->us == COSTAB_YES;
    fine = fine && check_levels(r, error) && check_axes(r, error) && check_files(r, error);
    return fine ? COSTAB_OK : COSTAB_INVALID;
}

bool figure_kinds_fit(const costab_figure *figure, const costab_plan *plan) {
    figure_request r = {.figure = figure, .plan = plan, .path = ""};
    costab_error unused = {.message = ""};
    return check_selection(&r, &unused) && check_of(&r, &unused) && check_kinds(&r, &unused);
}

costab_status costab_figure_check(const costab_figure *figure, const costab_plan *plan, const char *path,
                                  costab_error *error) {
    figure_request request;
    if (figure->place.line == 0) return COSTAB_OK; /* the spec has no figure */
    return figure_request_make(figure, plan, path, &request, error);
}
