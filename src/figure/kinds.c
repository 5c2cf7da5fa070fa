/* The kinds of figures as a table, and whether a figure goes with the results. */
#include "figure/kinds.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/spelling.h"
#include "costab/figure.h"
#include "figure/read.h"
#include "figure/rich.h"

/* ---- What the results have */

size_t figure_values(const figure_request *r, const char *name) {
    int number = read_axis_number(r->plan, name);
    return number >= 0 ? r->plan->axes[number].count : 0;
}

bool figure_has_field(const figure_request *r, const char *name) {
    for (int i = 0; i < r->plan->field_count; i++)
        if (strcmp(r->plan->fields[i].name, name) == 0) return true;
    return false;
}

int figure_wide_axes(const figure_request *r) {
    int count = 0;
    for (int i = 0; i < r->plan->swept; i++) {
        const costab_axis *axis = &r->plan->axes[i];
        count += axis->values != NULL && axis->count > 1;
    }
    return count;
}

/* ---- The kinds */

static const figure_kind *const kinds[] = {
    &kind_jury,       &kind_regions,     &kind_planar_classes, &kind_planar_comparison,
    &kind_areas,      &kind_planar_time, &kind_classes,        &kind_contour,
    &kind_comparison, &kind_curve,       &kind_time,
};
enum { KINDS = sizeof kinds / sizeof *kinds };

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
static bool complain_name(const figure_request *r, const costab_figure_word *word, const char *key,
                          const char *const *names, size_t count, costab_error *error) {
    const char *nearest = spelling_nearest(word->word, names, count, sizeof *names);
    char list[400];
    if (nearest != NULL)
        complain(r, word->place, error, ", %s: unknown name '%s'; did you mean '%s'?", key, word->word,
                 nearest);
    else
        complain(r, word->place, error, ", %s: unknown name '%s'; expected %s", key, word->word,
                 spelling_list(names, count, sizeof *names, " or ", list, sizeof list));
    return false;
}

/* ---- Kinds, fields */

static bool find_kind(figure_request *r, const costab_figure_word *word, costab_error *error) {
    const char *names[KINDS];
    size_t count = 0;
    for (int k = 0; k < KINDS; k++) {
        if (strcmp(kinds[k]->over, r->plan->axes[0].name) != 0) continue;
        names[count++] = kinds[k]->name;
        if (strcmp(kinds[k]->name, word->word) != 0) continue;
        r->kinds[r->kind_count++] = kinds[k];
        return true;
    }
    return complain_name(r, word, "kind", names, count, error);
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
        if (fault == NULL && kind->of && !figure_has_field(r, r->of))
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
            drawn |= kinds[k]->of && strcmp(kinds[k]->over, r->plan->axes[0].name) == 0 &&
                     strcmp(kinds[k]->name, r->figure->kinds[i].word) == 0;
    if (!drawn) {
        complain(r, of->place, error, ", of: only 'curve' and 'contour' draw a field of one's choice");
        return false;
    }
    for (int i = 1; i < COSTAB_NETWORK_FIELD_COUNT; i++) {
        names[count++] = costab_network_field_name(i);
        if (strcmp(of->word, names[count - 1]) == 0) return true;
    }
    return complain_name(r, of, "of", names, count, error);
}

/* ---- Axes and panels */

/* The axes along which charts are drawn: Gamma and Delta, or the first of several values; a curve goes along
 * the longest. */
static void choose_axes(figure_request *r) {
    int along = 0;
    r->x = read_axis_number(r->plan, "gamma");
    r->y = read_axis_number(r->plan, "delta");
    for (int k = 0; k < r->kind_count; k++) along = r->kinds[k]->along > along ? r->kinds[k]->along : along;
    for (int i = 0; i < r->plan->swept && along > 0 && r->plan->axes[0].labels && r->y < 0; i++) {
        const costab_axis *axis = &r->plan->axes[i];
        if (axis->values == NULL || axis->count < 2) continue;
        if (r->x < 0 || (along == 1 && axis->count > r->plan->axes[r->x].count))
            r->x = i;
        else if (along == 2)
            r->y = i;
    }
}

unsigned figure_sliced(const figure_request *r, const figure_kind *kind) {
    unsigned sliced = 0;
    int curves = -1; /* the axis whose values make curves */
    for (int i = 0; i < r->plan->swept && kind->along > 0; i++) {
        const costab_axis *axis = &r->plan->axes[i];
        bool drawn = (kind->overlaid && i == 0) || i == r->x || (kind->along == 2 && i == r->y);
        if (drawn) continue;
        if (kind->along == 1 && curves < 0 && axis->count > 1 && axis->count <= CURVES_PER_COUPLING)
            curves = i;
        else
            sliced |= 1U << i;
    }
    return sliced;
}

/* The panels that are asked for have to be those that there are: one for each value of every axis that is not
 * drawn in a panel. */
static bool check_panels(const figure_request *r, const figure_kind *kind, costab_error *error) {
    const char *names[COSTAB_AXES_MAX + 2] = {"none", "all"}, *several[COSTAB_AXES_MAX];
    const costab_figure_word *word = &r->figure->panels;
    unsigned sliced = figure_sliced(r, kind);
    size_t count = 2, found = 0;
    bool known = strcmp(word->word, "none") == 0 || strcmp(word->word, "all") == 0, named = false,
         wide = false;
    for (int i = 0; i < r->plan->swept; i++) {
        const char *name = names[count++] = r->plan->axes[i].name;
        bool this_one = strcmp(name, word->word) == 0;
        known |= this_one;
        if ((sliced >> i & 1U) == 0) continue;
        named |= this_one;
        wide |= this_one && r->plan->axes[i].count > 1;
        if (r->plan->axes[i].count > 1 && !this_one) several[found++] = name;
    }
    if (!known) return complain_name(r, word, "panels", names, count, error);
    char list[400];
    if (strcmp(word->word, "all") == 0) return true;
    if (found > 0)
        complain(r, word->place, error,
                 ", panels: there are several values of %s; write 'panels: %s' or give one value",
                 spelling_list(several, found, sizeof *several, " and ", list, sizeof list),
                 found > 1 || wide ? "all" : several[0]);
    else if (strcmp(word->word, "none") != 0 && !named)
        complain(r, word->place, error, ", panels: '%s' has all values of '%s' in one panel", kind->name,
                 word->word);
    else
        return true;
    return false;
}

/* What is shown of an axis: what was asked for, or all of it. */
static bool check_range(figure_request *r, const costab_figure_range *given, int number, double *range,
                        costab_error *error) {
    const costab_axis *axis = &r->plan->axes[number];
    double first = axis->values[0], last = axis->values[axis->count - 1];
    bool shown = given->from < given->to;
    range[0] = shown ? given->from : first;
    range[1] = shown ? given->to : last;
    if (shown && given->axis[0] && strcmp(given->axis, axis->name) != 0)
        complain(r, given->place, error, ", %s: the figure has no axis of this name", given->axis);
    else if (!shown && axis->count == 1)
        complain(r, r->figure->place, error,
                 ": the axis '%s' has a single value; give the figure a window such as '%s: [-2, 2]', or the "
                 "axis more values",
                 axis->name, axis->name);
    else if (range[0] > last || range[1] < first)
        complain(r, given->place, error,
                 ", %s: the window lies outside the axis, which goes from %.15g to %.15g", axis->name, first,
                 last);
    else
        return true;
    return false;
}

static bool check_axes(figure_request *r, costab_error *error) {
    int along = 0;
    bool fine = true;
    choose_axes(r);
    for (int k = 0; k < r->kind_count; k++) {
        along = r->kinds[k]->along > along ? r->kinds[k]->along : along;
        if (r->figure->panels.word[0] != '\0' && r->kinds[k]->along > 0)
            fine = check_panels(r, r->kinds[k], error) && fine;
    }
    if (along > 0) fine = check_range(r, &r->figure->x, r->x, r->x_range, error) && fine;
    if (along > 1) fine = check_range(r, &r->figure->y, r->y, r->y_range, error) && fine;
    return fine;
}

bool figure_next_panel(const figure_request *r, unsigned sliced, size_t *at) {
    for (int i = r->plan->swept - 1; i >= 0; i--) {
        if ((sliced >> i & 1U) == 0) continue;
        if (++at[i] < r->plan->axes[i].count) return true;
        at[i] = 0;
    }
    return false;
}

static bool is_independent(const figure_request *r, const costab_axis *axis) {
    return axis->count == 1 && strcmp(axis->name, "a") == 0 && r->spec->planar.scheme_count == 1 &&
           r->spec->planar.schemes[0] == COSTAB_SIMULATION;
}

void figure_caption(const figure_request *r, unsigned sliced, const size_t *at, const char *kind,
                    text *caption) {
    text_append(caption, "");
    for (int i = 0; i < r->plan->swept; i++) {
        const costab_axis *axis = &r->plan->axes[i];
        char number[RICH_NUMBER_MAX];
        bool said = axis->count > 1 || (strcmp(axis->name, "a") == 0 && !is_independent(r, axis));
        if ((sliced >> i & 1U) == 0 || !said) continue;
        if (caption->size > 0) text_append(caption, ", ");
        if (axis->labels) {
            rich_plain(caption, axis->labels[at[i]]);
        } else {
            rich_name(caption, axis->name);
            text_append(caption, " = ");
            text_append(caption, rich_number(axis->values[at[i]], number));
        }
    }
    if (r->kind_count > 1) text_printf(caption, "%s%s", caption->size > 0 ? ", " : "", kind);
}

/* ---- The request */

costab_status figure_request_make(const costab_figure *figure, const costab_plan *plan, const char *path,
                                  figure_request *r, costab_error *error) {
    costab_error own;
    if (error == NULL) error = &own;
    *r = (figure_request){.figure = figure, .plan = plan, .path = path};
    error->message[0] = '\0';
    r->fit = figure->fit == COSTAB_YES;
    r->us = figure->us == COSTAB_UNSAID ? figure_values(r, "scheme") == 1 : figure->us == COSTAB_YES;
    bool fine = check_of(r, error) && check_kinds(r, error) && check_axes(r, error);
    return fine ? COSTAB_OK : COSTAB_INVALID;
}

costab_status costab_figure_check(const costab_figure *figure, const costab_plan *plan, const char *path,
                                  costab_error *error) {
    figure_request request;
    return figure_request_make(figure, plan, path, &request, error);
}
