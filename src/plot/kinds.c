/* The kinds of figures as a table, and whether a figure goes with the results. */
#include "plot/kinds.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/spelling.h"
#include "costab/model.h"
#include "costab/plot.h"

/* ---- What the results have */

static const costab_axis *axis_of(const figure_request *r, const char *name) {
    for (int i = 0; i < r->plan->axis_count; i++)
        if (strcmp(r->plan->axes[i].name, name) == 0) return &r->plan->axes[i];
    return NULL;
}

static size_t values_of(const figure_request *r, const char *name) {
    const costab_axis *axis = axis_of(r, name);
    return axis != NULL ? axis->count : 0;
}

static bool has_field(const figure_request *r, const char *name) {
    for (int i = 0; i < r->plan->field_count; i++)
        if (strcmp(r->plan->fields[i].name, name) == 0) return true;
    return false;
}

/* Swept axes of several numbers, and how many of them have at most `most` values. */
static int wide_axes(const figure_request *r, size_t most) {
    int count = 0;
    for (int i = 0; i < r->plan->swept; i++) {
        const costab_axis *axis = &r->plan->axes[i];
        count += axis->values != NULL && axis->count > 1 && axis->count <= most;
    }
    return count;
}

/* ---- The kinds */

static const char *jury_fault(const figure_request *r) {
    if (has_field(r, "state")) return "a time history is drawn as 'time'";
    return NULL;
}

static const char *chart_fault(const figure_request *r) {
    if (has_field(r, "state")) return "a time history is drawn as 'time'";
    if (values_of(r, "gamma") == 0) return "without the axes gamma and delta only 'areas' can be drawn";
    return NULL;
}

static const char *areas_fault(const figure_request *r) {
    if (has_field(r, "state")) return "a time history is drawn as 'time'";
    if (!has_field(r, "area_ss")) return "'areas' draws the field 'areas'; write 'fields: [areas]'";
    if (values_of(r, "a") < 2) return "'areas' draws areas against a; give the axis a more values";
    return NULL;
}

static const char *time_fault(const figure_request *r) {
    if (has_field(r, "state") || has_field(r, "monolithic")) return NULL;
    return "'time' draws the key 'history' of a spec without axes";
}

static const char *classes_fault(const figure_request *r) {
    if (!has_field(r, "class")) return "'classes' draws the field 'class'";
    if (wide_axes(r, SIZE_MAX) != 2) return "'classes' needs two axes of several values, and no third";
    return NULL;
}

static const char *contour_fault(const figure_request *r) {
    if (strcmp(r->of, "spectral_radius") != 0 && strcmp(r->of, "iteration_radius") != 0)
        return "'contour' is of the field 'spectral_radius' or 'iteration_radius'";
    if (has_field(r, "computed")) return "'contour' needs the field at every point; leave 'refine' out";
    if (wide_axes(r, SIZE_MAX) != 2) return "'contour' needs two axes of several values, and no third";
    return NULL;
}

static const char *curve_fault(const figure_request *r) {
    if (has_field(r, "computed")) return "'curve' needs the field at every point; leave 'refine' out";
    int wide = wide_axes(r, SIZE_MAX);
    if (wide == 1 || (wide == 2 && wide_axes(r, CURVES_PER_COUPLING) > 0)) return NULL;
    return "'curve' needs one axis of several values; a second one, of at most 8, makes as many curves";
}

static const figure_kind kinds[] = {
    {"jury", "scheme", false, false, jury_fault},         {"regions", "scheme", false, false, chart_fault},
    {"classes", "scheme", false, false, chart_fault},     {"comparison", "scheme", false, false, chart_fault},
    {"areas", "scheme", true, false, areas_fault},        {"time", "scheme", true, false, time_fault},
    {"classes", "coupling", false, false, classes_fault}, {"contour", "coupling", false, true, contour_fault},
    {"curve", "coupling", true, true, curve_fault},       {"time", "coupling", true, false, time_fault},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

bool figure_request_has(const figure_request *r, const char *name) {
    for (int k = 0; k < r->kind_count; k++)
        if (strcmp(r->kinds[k]->name, name) == 0) return true;
    return false;
}

/* ---- Messages */

static void complain(const figure_request *r, costab_place place, costab_error *error, const char *format,
                     ...) COSTAB_PRINTF(4, 5);
static void complain(const figure_request *r, costab_place place, costab_error *error, const char *format,
                     ...) {
    char words[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (place.line > 0)
        error_append(error, "%.400s:%u:%u: error: figure%s", r->path, place.line, place.column, words);
    else
        error_append(error, "figure%s", words);
}

/* An unknown name, with the one that may have been meant, or all. */
static void complain_name(const figure_request *r, const costab_figure_word *word, const char *key,
                          const char *const *names, size_t count, costab_error *error) {
    const char *nearest = spelling_nearest(word->word, names, count, sizeof *names);
    if (nearest != NULL) {
        complain(r, word->place, error, ", %s: unknown name '%s'; did you mean '%s'?", key, word->word,
                 nearest);
        return;
    }
    char list[400] = "";
    for (size_t i = 0, used = 0; i < count && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                 i == 0           ? ""
                                 : i + 1 == count ? " or "
                                                  : ", ",
                                 names[i]);
    complain(r, word->place, error, ", %s: unknown name '%s'; expected %s", key, word->word, list);
}

/* ---- Kinds, fields */

static bool find_kind(figure_request *r, const costab_figure_word *word, costab_error *error) {
    const char *names[KINDS];
    size_t count = 0;
    for (int k = 0; k < KINDS; k++) {
        if (strcmp(kinds[k].over, r->plan->axes[0].name) != 0) continue;
        names[count++] = kinds[k].name;
        if (strcmp(kinds[k].name, word->word) != 0) continue;
        r->kinds[r->kind_count++] = &kinds[k];
        return true;
    }
    complain_name(r, word, "kind", names, count, error);
    return false;
}

static bool check_kinds(figure_request *r, costab_error *error) {
    bool fine = true;
    for (int i = 0; i < r->figure->kind_count; i++) {
        const costab_figure_word *word = &r->figure->kinds[i];
        if (!find_kind(r, word, error)) {
            fine = false;
            continue;
        }
        const figure_kind *kind = r->kinds[r->kind_count - 1];
        const char *fault = kind->fault(r);
        if (fault == NULL && kind->of && !has_field(r, r->of))
            complain(r, word->place, error, ", kind: '%s' draws the field '%s'", kind->name, r->of);
        else if (fault != NULL)
            complain(r, word->place, error, ", kind: %s", fault);
        else if (kind->alone && r->figure->kind_count > 1)
            complain(r, word->place, error, ", kind: '%s' stands alone", kind->name);
        else
            continue;
        fine = false;
    }
    return fine;
}

/* The field that curves and contours draw: any of numbers over all swept axes. */
static bool check_of(figure_request *r, costab_error *error) {
    const costab_figure_word *of = &r->figure->of;
    const char *names[COSTAB_NETWORK_FIELD_COUNT];
    size_t count = 0;
    bool drawn = false;
    r->of = of->word[0] != '\0' ? of->word : "spectral_radius";
    if (of->word[0] == '\0') return true;
    for (int i = 0; i < r->figure->kind_count; i++)
        for (int k = 0; k < KINDS; k++)
            drawn |= kinds[k].of && strcmp(kinds[k].over, r->plan->axes[0].name) == 0 &&
                     strcmp(kinds[k].name, r->figure->kinds[i].word) == 0;
    if (!drawn) {
        complain(r, of->place, error, ", of: only 'curve' and 'contour' draw a field of one's choice");
        return false;
    }
    for (int i = 1; i < COSTAB_NETWORK_FIELD_COUNT; i++) {
        names[count++] = costab_network_field_name(i);
        if (strcmp(of->word, names[count - 1]) == 0) return true;
    }
    complain_name(r, of, "of", names, count, error);
    return false;
}

/* ---- Panels of planar charts: how many of a and of schemes there are decides on them, and whether a panel
 * holds one scheme */

typedef struct layout {
    bool several_a, several_schemes;
    bool overlaid; /* every kind draws all schemes into each panel */
    bool mixed;    /* some do, some do not */
} layout;

static figure_panels choose_panels(const layout *l) {
    bool one_scheme = l->several_schemes && !l->overlaid;
    if (l->several_a) return one_scheme ? PANELS_ALL : PANELS_A;
    return one_scheme ? PANELS_SCHEME : PANELS_NONE;
}

/* Why the panels cannot be drawn, NULL if they can. */
static const char *panels_fault(const layout *l, figure_panels panels) {
    bool one_scheme = l->several_schemes && !l->overlaid;
    if (l->mixed && l->several_schemes)
        return "a comparison has all schemes in one panel, the other kinds one scheme; make two specs of "
               "them";
    if (l->several_schemes && l->overlaid && (panels == PANELS_SCHEME || panels == PANELS_ALL))
        return l->several_a ? "a comparison has all schemes in one panel; write 'panels: a'"
                            : "a comparison has all schemes in one panel; write 'panels: none'";
    if (panels == PANELS_ALL) return NULL;
    if (l->several_a && one_scheme)
        return "there are several values of a and several schemes; write 'panels: all', or give one value of "
               "a "
               "or one scheme";
    if (l->several_a && panels != PANELS_A)
        return "there are several values of a; write 'panels: a' or give one value";
    if (one_scheme && panels != PANELS_SCHEME)
        return "there are several schemes; write 'panels: scheme' or give one scheme";
    return NULL;
}

/* The Jury triangle depends neither on a nor on the scheme, so that it goes with everything. */
static bool check_panels(figure_request *r, costab_error *error) {
    static const char *const names[] = {"none", "a", "scheme", "all"};
    const costab_figure_word *word = &r->figure->panels;
    int juries = 0, comparisons = 0, chosen = 0;
    for (int k = 0; k < r->kind_count; k++) {
        juries += strcmp(r->kinds[k]->name, "jury") == 0;
        comparisons += strcmp(r->kinds[k]->name, "comparison") == 0;
    }
    while (chosen < 4 && strcmp(names[chosen], word->word) != 0) chosen++;
    if (word->word[0] != '\0' && chosen == 4) {
        complain_name(r, word, "panels", names, 4, error);
        return false;
    }
    if (juries == r->kind_count) return true;
    layout l = {.several_a = values_of(r, "a") > 1, .several_schemes = values_of(r, "scheme") > 1};
    l.overlaid = comparisons + juries == r->kind_count;
    l.mixed = comparisons > 0 && !l.overlaid;
    r->panels = chosen < 4 ? (figure_panels)chosen : choose_panels(&l);
    const char *fault = panels_fault(&l, r->panels);
    if (fault != NULL)
        complain(r, word->word[0] != '\0' ? word->place : r->figure->place, error, ", panels: %s", fault);
    return fault == NULL;
}

static bool check_range(figure_request *r, const costab_figure_range *given, const char *name, double *range,
                        costab_error *error) {
    const costab_axis *axis = axis_of(r, name);
    double first = axis->values[0], last = axis->values[axis->count - 1];
    bool shown = given->from < given->to;
    range[0] = shown ? given->from : first;
    range[1] = shown ? given->to : last;
    if (!shown && axis->count == 1)
        complain(r, r->figure->place, error,
                 ": the axis '%s' has a single value; give the figure a window such as '%s: [-2, 2]', or the "
                 "axis more values",
                 name, name);
    else if (range[0] > last || range[1] < first)
        complain(r, given->place, error,
                 ", %s: the window lies outside the axis, which goes from %.15g to %.15g", name, first, last);
    else
        return true;
    return false;
}

static bool is_chart(const figure_request *r) {
    for (int k = 0; k < r->kind_count; k++)
        if (r->kinds[k]->fault == chart_fault) return true;
    return false;
}

/* ---- The request */

costab_status figure_request_make(const costab_figure *figure, const costab_plan *plan, const char *path,
                                  figure_request *r, costab_error *error) {
    costab_error own;
    if (error == NULL) error = &own;
    *r = (figure_request){.figure = figure, .plan = plan, .path = path};
    error->message[0] = '\0';
    if (!check_of(r, error) || !check_kinds(r, error)) return COSTAB_INVALID;
    bool fine = true;
    r->fit = figure->fit == COSTAB_YES;
    r->us = figure->us == COSTAB_UNSAID ? values_of(r, "scheme") == 1 : figure->us == COSTAB_YES;
    if (strcmp(plan->axes[0].name, "scheme") == 0 && !has_field(r, "state")) fine = check_panels(r, error);
    if (is_chart(r)) {
        fine = check_range(r, &figure->x, "gamma", r->x, error) && fine;
        fine = check_range(r, &figure->y, "delta", r->y, error) && fine;
    }
    return fine ? COSTAB_OK : COSTAB_INVALID;
}

costab_status costab_figure_check(const costab_figure *figure, const costab_plan *plan, const char *path,
                                  costab_error *error) {
    figure_request request;
    return figure_request_make(figure, plan, path, &request, error);
}
