/* The kinds of figures as a table, and whether a figure goes with the results. */
#include "figure/kinds.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/spelling.h"
#include "costab/figure.h"
#include "figure/own.h"
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
        count += axis->values != NULL && axis->count > 1 && r->fixed[i] == SIZE_MAX;
    }
    return count;
}

/* ---- The kinds */

/* Results without a kind get the first one that suits them. */
static const figure_kind *const kinds[] = {
    &kind_planar_time,       &kind_regions, &kind_areas, &kind_planar_classes,
    &kind_planar_comparison, &kind_jury,    &kind_time,  &kind_map,
    &kind_classes,           &kind_contour, &kind_curve, &kind_comparison,
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Kinds of both systems that share a name stand once. */
const char *costab_figure_kind_name(int number) {
    for (int k = 0, found = 0; k < KINDS; k++) {
        int before = 0;
        while (strcmp(kinds[before]->name, kinds[k]->name) != 0) before++;
        if (before == k && found++ == number) return kinds[k]->name;
    }
    return NULL;
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

/* The field that curves and contours draw: any of numbers over all swept axes; the first one that is stored.
 */
static bool check_of(figure_request *r, costab_error *error) {
    const costab_figure_word *of = &r->figure->of;
    const char *names[COSTAB_NETWORK_FIELD_COUNT];
    size_t count = 0;
    bool drawn = false, known = false;
    for (int i = COSTAB_NETWORK_FIELD_COUNT - 1; i >= 1; i--) {
        names[COSTAB_NETWORK_FIELD_COUNT - 1 - i] = costab_network_field_name(i);
        count++;
        if (figure_has_field(r, costab_network_field_name(i))) r->of = costab_network_field_name(i);
        known |= strcmp(of->word, costab_network_field_name(i)) == 0;
    }
    if (r->of == NULL) r->of = "spectral_radius";
    if (of->word[0] == '\0') return true;
    r->of = of->word;
    for (int i = 0; i < r->figure->kind_count; i++)
        for (int k = 0; k < KINDS; k++)
            drawn |= kinds[k]->of && strcmp(kinds[k]->over, r->plan->axes[0].name) == 0 &&
                     strcmp(kinds[k]->name, r->figure->kinds[i].word) == 0;
    if (r->figure->kind_count == 0) drawn = true;
    if (!drawn)
        complain(r, of->place, error, ", of: only 'curve' and 'contour' draw a field of one's choice");
    else if (!known)
        complain_name(r, of, "of", names, count, error);
    return drawn && known;
}

/* ---- What is selected */

/* The value of an axis that is nearest to the one asked for has to be it. */
static bool check_pick(figure_request *r, const costab_figure_pick *pick, costab_error *error) {
    const char *names[COSTAB_AXES_MAX];
    size_t count = 0, nearest = 0;
    int number = read_axis_number(r->plan, pick->axis.word);
    for (int i = 0; i < r->plan->swept; i++)
        if (r->plan->axes[i].values) names[count++] = r->plan->axes[i].name;
    if (number < 0 || number >= r->plan->swept || !r->plan->axes[number].values)
        return complain_name(r, &pick->axis, "select", names, count, error);
    const costab_axis *axis = &r->plan->axes[number];
    for (size_t i = 0; i < axis->count; i++)
        if (fabs(axis->values[i] - pick->value) < fabs(axis->values[nearest] - pick->value)) nearest = i;
    r->fixed[number] = nearest;
    if (fabs(axis->values[nearest] - pick->value) <=
        1e-5 * fmax(fabs(pick->value), fabs(axis->values[nearest])))
        return true;
    complain(r, pick->axis.place, error, ", select: '%s' has no value %.6g; the nearest is %.6g", axis->name,
             pick->value, axis->values[nearest]);
    return false;
}

static bool check_selection(figure_request *r, costab_error *error) {
    const costab_axis *couplings = &r->plan->axes[0];
    bool fine = true;
    for (int i = 0; i < COSTAB_AXES_MAX; i++) r->fixed[i] = SIZE_MAX;
    for (int k = 0; k < r->figure->pick_count; k++) fine = check_pick(r, &r->figure->picks[k], error) && fine;
    if (r->figure->coupling_count == 0 || !couplings->labels) return fine;
    r->left_out = UINT64_MAX;
    for (int k = 0; k < r->figure->coupling_count; k++) {
        const costab_figure_word *word = &r->figure->couplings[k];
        size_t i = 0;
        while (i < couplings->count && strcmp(couplings->labels[i], word->word) != 0) i++;
        if (i < couplings->count && i < 64)
            r->left_out &= ~(UINT64_C(1) << i);
        else
            fine = complain_name(r, word, "couplings", (const char *const *)couplings->labels,
                                 couplings->count, error);
    }
    return fine;
}

static bool is_left_out(const figure_request *r, size_t i) {
    return i < 64 && (r->left_out >> i & 1U) != 0;
}

/* The kind that suits results for which none was asked. */
static void choose_kind(figure_request *r) {
    for (int k = 0; k < KINDS && r->kind_count == 0; k++)
        if (strcmp(kinds[k]->over, r->plan->axes[0].name) == 0 && kinds[k]->fault(r) == NULL &&
            (!kinds[k]->of || figure_has_field(r, r->of)))
            r->kinds[r->kind_count++] = kinds[k];
}

/* ---- Axes and panels */

/* The axes along which charts are drawn: Gamma and Delta, or the first of several values; a curve goes along
 * the longest. */
static void choose_axes(figure_request *r) {
    int along = 0;
    r->x = read_axis_number(r->plan, "gamma");
    r->y = read_axis_number(r->plan, "delta");
    if (r->x < 0 && r->figure->x_axis.word[0]) r->x = read_axis_number(r->plan, r->figure->x_axis.word);
    bool chosen = r->x >= 0;
    if (r->y < 0 && r->figure->y_axis.word[0]) r->y = read_axis_number(r->plan, r->figure->y_axis.word);
    for (int k = 0; k < r->kind_count; k++) along = r->kinds[k]->along > along ? r->kinds[k]->along : along;
    for (int i = 0; i < r->plan->swept && along > 0 && r->plan->axes[0].labels; i++) {
        const costab_axis *axis = &r->plan->axes[i];
        if (axis->values == NULL || axis->count < 2 || r->fixed[i] != SIZE_MAX || i == r->x || i == r->y)
            continue;
        if (r->x < 0 || (along == 1 && !chosen && axis->count > r->plan->axes[r->x].count))
            r->x = i;
        else if (along == 2 && r->y < 0)
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
        if (kind->along == 1 && curves < 0 && axis->values && axis->count > 1 &&
            axis->count <= CURVES_PER_COUPLING && r->fixed[i] == SIZE_MAX)
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
        bool one = r->fixed[i] != SIZE_MAX || (i == 0 && r->figure->coupling_count == 1);
        if (r->plan->axes[i].count > 1 && !this_one && !one) several[found++] = name;
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
    const costab_axis *axis = number >= 0 ? &r->plan->axes[number] : NULL;
    if (!axis || !axis->values || axis->count == 0) {
        complain(r, given->place, error, ": the results have no axis along which it could be drawn");
        return false;
    }
    double first = axis->values[0], last = axis->values[axis->count - 1];
    bool shown = given->from < given->to;
    range[0] = shown ? given->from : first;
    range[1] = shown ? given->to : last;
    if (shown && given->axis[0] && strcmp(given->axis, axis->name) != 0)
        complain(r, given->place, error, ", %s: the figure has no axis of this name", given->axis);
    else if (!shown && axis->count == 1)
        complain(r, r->figure->place, error,
                 ": the axis '%s' has a single value; give the figure a window such as '%s: [-2, 2]', or "
                 "the axis more values",
                 axis->name, axis->name);
    else if (range[0] > last || range[1] < first)
        complain(r, given->place, error,
                 ", %s: the window lies outside the axis, which goes from %.15g to %.15g", axis->name, first,
                 last);
    else
        return true;
    return false;
}

/* An axis that was named has to be one of several numbers, and another one than that across. */
static bool check_name(const figure_request *r, const costab_figure_word *word, const char *key, int number,
                       int across, costab_error *error) {
    if (word->word[0] == '\0') return true;
    const costab_axis *axis = number >= 0 ? &r->plan->axes[number] : NULL;
    if (axis && number < r->plan->swept && axis->values && axis->count > 1 && r->fixed[number] == SIZE_MAX &&
        strcmp(axis->name, word->word) == 0 && number != across)
        return true;
    complain(r, word->place, error, ", %s: '%s' is no axis of several values along which can be drawn", key,
             word->word);
    return false;
}

static bool check_axes(figure_request *r, costab_error *error) {
    int along = 0;
    bool fine = true;
    choose_axes(r);
    if (!check_name(r, &r->figure->x_axis, "x", r->x, -1, error) ||
        !check_name(r, &r->figure->y_axis, "y", r->y, r->x, error))
        return false;
    for (int k = 0; k < r->kind_count; k++) {
        along = r->kinds[k]->along > along ? r->kinds[k]->along : along;
        if (r->figure->panels.word[0] != '\0' && r->kinds[k]->along > 0)
            fine = check_panels(r, r->kinds[k], error) && fine;
    }
    if (along > 0) fine = check_range(r, &r->figure->x, r->x, r->x_range, error) && fine;
    if (along > 1) fine = check_range(r, &r->figure->y, r->y, r->y_range, error) && fine;
    return fine;
}

static size_t first_index(const figure_request *r, int axis) {
    size_t i = r->fixed[axis] != SIZE_MAX ? r->fixed[axis] : 0;
    while (axis == 0 && i + 1 < r->plan->axes[0].count && is_left_out(r, i)) i++;
    return i;
}

void figure_first_panel(const figure_request *r, size_t *at) {
    for (int i = 0; i < r->plan->axis_count; i++) at[i] = first_index(r, i);
}

bool figure_next_panel(const figure_request *r, unsigned sliced, size_t *at) {
    for (int i = r->plan->swept - 1; i >= 0; i--) {
        if ((sliced >> i & 1U) == 0 || r->fixed[i] != SIZE_MAX) continue;
        do at[i]++;
        while (i == 0 && is_left_out(r, at[i]) && at[i] < r->plan->axes[0].count);
        if (at[i] < r->plan->axes[i].count) return true;
        at[i] = first_index(r, i);
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
            text_append(caption, rich_number(axis->values ? axis->values[at[i]] : (double)at[i], number));
        }
    }
    if (r->kind_count > 1) text_printf(caption, "%s%s", caption->size > 0 ? ", " : "", kind);
}

/* ---- The request */

/* A user's own files have to be readable. */
static bool check_files(const figure_request *r, costab_error *error) {
    const costab_figure_file *files[] = {&r->figure->points, &r->figure->lines};
    bool fine = true;
    for (size_t k = 0; k < 2 && fine; k++) fine = !files[k]->text || own_check(files[k], error) == COSTAB_OK;
    return fine;
}

costab_status figure_request_make(const costab_figure *figure, const costab_plan *plan, const char *path,
                                  figure_request *r, costab_error *error) {
    costab_error own;
    if (error == NULL) error = &own;
    *r = (figure_request){.figure = figure, .plan = plan, .path = path};
    error->message[0] = '\0';
    r->fit = figure->fit == COSTAB_YES;
    r->us = figure->us == COSTAB_UNSAID ? figure_values(r, "scheme") == 1 : figure->us == COSTAB_YES;
    if (plan->axis_count == 0 || !plan->axes[0].labels || plan->swept < 1)
        return error_set(error, COSTAB_INVALID, "%s: the results are none that a figure could be drawn of",
                         path);
    bool fine = check_selection(r, error) && check_of(r, error) && check_kinds(r, error);
    if (fine && r->kind_count == 0) choose_kind(r);
    fine = fine && check_axes(r, error) && check_files(r, error);
    return fine ? COSTAB_OK : COSTAB_INVALID;
}

bool figure_kinds_fit(const costab_figure *figure, const costab_plan *plan) {
    figure_request r = {.figure = figure, .plan = plan, .path = ""};
    costab_error unsaid = {.message = ""};
    return check_selection(&r, &unsaid) && check_of(&r, &unsaid) && check_kinds(&r, &unsaid);
}

const char *figure_axis_label(const figure_request *r, scene *s, int number, const char *name) {
    const char *axis = r->plan->axes[number].name, *words = NULL, *unit = NULL;
    text label = {0};
    for (int i = 0; i < r->spec->axis_count; i++) {
        if (strcmp(r->spec->axes[i].name, axis) != 0) continue;
        words = r->spec->words[i].label;
        unit = r->spec->words[i].unit;
    }
    rich_plain(&label, words ? words : "");
    if (label.size > 0) text_append(&label, " ");
    if (name)
        text_append(&label, name);
    else
        rich_name(&label, axis);
    if (unit && unit[0]) {
        text_append(&label, " (");
        rich_plain(&label, unit);
        text_append(&label, ")");
    }
    return scene_keep_text(s, &label);
}

costab_status costab_figure_check(const costab_figure *figure, const costab_plan *plan, const char *path,
                                  costab_error *error) {
    figure_request request;
    if (figure->place.line == 0) return COSTAB_OK; /* none was asked for */
    return figure_request_make(figure, plan, path, &request, error);
}
