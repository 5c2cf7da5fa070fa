/* Reads an axis of a spec: a number, a list, or a range. In all functions `what` names the axis in messages.
 *   1. A linear range has the doubles nearest to exact fractions (area/number.h). `step` determines the
 *      number of values and must divide the range up to STEP_SLACK. A logarithmic range has exact ends and
 *      equal steps of the decimal logarithm between them, in doubles.
 *   2. The values of lists must ascend.
 *   3. The text of the values is stored for exact arithmetic (areas), except of logarithmic ranges.
 *
 * Errors are reported at their positions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "area/number.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/body.h"
#include "spec/sections.h"

/* Largest number of values of an axis, which take 800 MB. */
#define AXIS_VALUES_MAX ((size_t)100000000)

enum { LINEAR, LOG, SPACINGS };
static const char *const spacings[SPACINGS] = {"linear", "log"};

/* Values of a mapping; 0 and NULL for missing keys. */
typedef struct range {
    double from, to, step;
    int points, spacing;
    const spec_node *values;
    costab_axis_words words;
} range;

static const spec_key range_keys[] = {
    {"from", false, "from: -6", "the first value of a range, exactly", SPEC_VALUE(SPEC_NUMBER, range, from)},
    {"to", false, "to: 2", "the last value of a range, exactly", SPEC_VALUE(SPEC_NUMBER, range, to)},
    {"points", false, "points: 801",
     "how many values the range has; with linear spacing each is the double nearest to its exact fraction",
     SPEC_VALUE(SPEC_WHOLE, range, points), .most = AXIS_VALUES_MAX, .least = 2},
    {"step", false, "step: 0.01", "instead of points: the distance of two values; it must divide the range",
     SPEC_VALUE(SPEC_POSITIVE, range, step)},
    {"spacing", false, "spacing: log",
     "linear (the default), or log: equal ratios instead of equal distances, with points and positive ends",
     SPEC_VALUE(SPEC_CHOICE, range, spacing), .most = SPACINGS, .names = spacings},
    {"values", false, "values: [1, 2, 5]", "instead of a range: a number, or a list in increasing order",
     SPEC_VALUE(SPEC_NODE, range, values)},
    {"label", false, "label: macro step", "a name for readers: stored as long_name, and drawn",
     SPEC_VALUE(SPEC_LINE, range, words.label)},
    {"unit", false, "unit: s", "a unit for readers: stored as units, and drawn",
     SPEC_VALUE(SPEC_LINE, range, words.unit)},
    {"display", false, "display: ms", MODEL_DISPLAY_HELP, SPEC_VALUE(SPEC_LINE, range, words.display)},
};
const spec_keys spec_range_keys = {SPEC_TABLE(range_keys)};
enum { FROM, TO, POINTS, VALUES = 5 }; /* rows of the table; those before `values` are for ranges only */

static bool allocate(spec_file *file, costab_axis *axis, size_t count) {
    axis->values = memory_alloc(count, sizeof *axis->values);
    axis->count = axis->values != NULL ? count : 0;
    if (axis->values == NULL) file->memory_failed = true;
    return axis->values != NULL;
}

/* Stores the text of the values. */
static bool keep_written(spec_file *file, text *written, costab_axis_words *words) {
    words->written = written->data;
    if (!written->failed) return true;
    file->memory_failed = true;
    return false;
}

/* Stores the numbers of a list as written, with commas between them. */
static bool keep_list(spec_file *file, const spec_node *list, costab_axis_words *words) {
    text written = {0};
    SPEC_EACH(item, file, list) {
        if (written.size > 0) text_append(&written, ",");
        text_append_n(&written, spec_text(file, item), item->size);
    }
    return keep_written(file, &written, words);
}

/* Stores a range as FROM:TO:COUNT, with the ends as written. */
static bool keep_range(spec_file *file, const spec_node *mapping, size_t count, costab_axis_words *words) {
    text written = {0};
    const spec_node *from = spec_find(file, mapping, "from"), *to = spec_find(file, mapping, "to");
    text_append_n(&written, spec_text(file, from), from->size);
    text_append(&written, ":");
    text_append_n(&written, spec_text(file, to), to->size);
    text_printf(&written, ":%zu", count);
    return keep_written(file, &written, words);
}

static void complain_order(spec_file *file, const spec_node *before, const spec_node *item, const char *what,
                           bool repeated) {
    char first[SPEC_SHOW_MAX], second[SPEC_SHOW_MAX];
    spec_show(file, before, first);
    spec_show(file, item, second);
    if (repeated)
        spec_complain(file, item, "%s: the value %s is repeated; values must ascend", what, second);
    else
        spec_complain(file, item, "%s: %s comes after %s; values must ascend", what, second, first);
}

static bool read_list(spec_file *file, const spec_node *node, const char *what, costab_axis_words *words,
                      costab_axis *axis) {
    if (node->size == 0)
        return spec_complain(file, node, "%s: the axis is empty; give at least one value", what);
    if (node->size > AXIS_VALUES_MAX)
        return spec_complain(file, node, "%s: more than %zu values", what, AXIS_VALUES_MAX);
    if (!allocate(file, axis, node->size)) return false;
    size_t known = 0;
    const spec_node *previous = NULL;
    SPEC_EACH(item, file, node) {
        double value;
        if (!spec_number(file, item, what, &value)) continue;
        if (previous != NULL && value <= axis->values[known - 1]) {
            complain_order(file, previous, item, what, value == axis->values[known - 1]);
            continue;
        }
        axis->values[known++] = value;
        previous = item;
    }
    return known == node->size && keep_list(file, node, words);
}

/* Returns true if the keys form a range. */
static bool check_range(spec_file *file, const spec_node *node, const char *what, const range *r) {
    bool whole = true;
    for (int k = FROM; k <= (r->step == 0 ? POINTS : TO); k++)
        if (spec_find(file, node, range_keys[k].name) == NULL)
            whole = spec_missing(file, node, what, &range_keys[k]);
    if (!whole) return false;
    const spec_node *from = spec_find(file, node, "from"), *to = spec_find(file, node, "to");
    const spec_node *step = spec_find(file, node, "step");
    char low[SPEC_SHOW_MAX], high[SPEC_SHOW_MAX];
    spec_show(file, from, low);
    spec_show(file, to, high);
    if (r->from > r->to)
        return spec_complain(file, to, "%s: the range is reversed: to is %s, less than from, %s", what, high,
                             low);
    if (r->from == r->to)
        return spec_complain(file, to, "%s: from and to are equal; for a single value write the value alone",
                             what);
    if (!isfinite(r->to - r->from))
        return spec_complain(file, to, "%s: the range is too wide for double precision", what);
    if (r->step > 0 && r->points > 0)
        return spec_complain(file, step, "%s: points and step say the same thing; give one of them", what);
    if (r->step > 0 && r->spacing == LOG)
        return spec_complain(file, step, "%s: a logarithmic range has a number of points and no step", what);
    if (r->spacing == LOG && r->from <= 0)
        return spec_complain(file, from, "%s: a logarithmic range begins above 0, not at %s", what, low);
    return true;
}

/* Largest difference of a range from a multiple of its step, relative to the range; decimals such as 0.1 are
 * rounded. */
#define STEP_SLACK 1e-9

/* Computes the number of points from the step. Returns false if the step does not divide the range. */
static bool count_steps(spec_file *file, const spec_node *step, const char *what, range *r) {
    double steps = (r->to - r->from) / r->step, whole = round(steps);
    if (!(steps < (double)AXIS_VALUES_MAX))
        return spec_complain(file, step, "%s: more than %zu values", what, AXIS_VALUES_MAX);
    if (whole < 1 || fabs(steps - whole) > STEP_SLACK * whole)
        return spec_complain(
            file, step,
            "%s: the step must divide the range: from %.15g in steps of %.15g one comes to %.15g, not to "
            "%.15g",
            what, r->from, r->step, r->from + floor(steps) * r->step, r->to);
    r->points = (int)whole + 1;
    return true;
}

/* Returns value i of equal steps of the decimal logarithm. The ends are exact. */
static double logspace(const range *r, size_t i) {
    double t = (double)i / (double)(r->points - 1);
    if (i == 0 || i == (size_t)r->points - 1) return i == 0 ? r->from : r->to;
    return pow(10, (1 - t) * log10(r->from) + t * log10(r->to));
}

static bool read_range(spec_file *file, const spec_node *node, const char *what, range *r,
                       costab_axis_words *words, costab_axis *axis) {
    const spec_node *step = spec_find(file, node, "step");
    if (!check_range(file, node, what, r) || (step != NULL && !count_steps(file, step, what, r)) ||
        !allocate(file, axis, (size_t)r->points) ||
        (r->spacing != LOG && !keep_range(file, node, axis->count, words)))
        return false;
    for (size_t i = 0; i < axis->count && r->spacing == LOG; i++) axis->values[i] = logspace(r, i);
    if (r->spacing != LOG && !range_values(words->written, axis->count, axis->values))
        file->memory_failed = true;
    for (size_t i = 1; i < axis->count && !file->memory_failed; i++)
        if (axis->values[i] <= axis->values[i - 1])
            return spec_complain(file, step != NULL ? step : spec_find(file, node, "points"),
                                 "%s, %s: between 'from' and 'to' are fewer different doubles", what,
                                 step != NULL ? "step: too small" : "points: too many");
    return !file->memory_failed;
}

/* Reads an axis without a mapping: a number or a list. */
static bool read_values(spec_file *file, const spec_node *node, const char *what, costab_axis_words *words,
                        costab_axis *axis) {
    double value;
    text written = {0};
    if (node->kind == SPEC_LIST) return read_list(file, node, what, words, axis);
    if (node->kind == SPEC_SCALAR &&
        (node->size > 0 ? memchr(spec_text(file, node), ':', node->size) != NULL : !node->quoted))
        return spec_expected(file, node, what, "a number, a list or {from: -6, to: 2, points: 801}");
    if (!spec_number(file, node, what, &value) || !allocate(file, axis, 1)) return false;
    axis->values[0] = value;
    text_append_n(&written, spec_text(file, node), node->size);
    return keep_written(file, &written, words);
}

static bool read_mapping(spec_file *file, const spec_node *node, const char *what, costab_axis_words *words,
                         costab_axis *axis) {
    range r = {.points = 0};
    bool fine = spec_read_mapping(file, node, what, SPEC_TABLE(range_keys), &r);
    *words = r.words;
    if (words->label != NULL && words->label[0] != '\0') axis->long_name = words->label;
    if (words->unit != NULL && words->unit[0] != '\0') axis->unit = words->unit;
    if (!fine || !model_check_display(file, node, what, words->unit, words->display)) return false;
    if (r.values == NULL) return read_range(file, node, what, &r, words, axis);
    for (int k = FROM; k < VALUES; k++) {
        const spec_node *other = spec_find(file, node, range_keys[k].name);
        if (other != NULL)
            return spec_complain(file, other,
                                 "%s: '%s' belongs to a range; it cannot be combined with 'values'", what,
                                 range_keys[k].name);
    }
    return read_values(file, r.values, what, words, axis);
}

bool spec_read_axis(spec_file *file, const spec_node *node, const char *name, costab_axis_words *words,
                    costab_axis *axis) {
    char what[COSTAB_NAME_MAX + 12];
    snprintf(what, sizeof what, "axis '%.60s'", name);
    bool fine = node->kind == SPEC_MAPPING ? read_mapping(file, node, what, words, axis)
                                           : read_values(file, node, what, words, axis);
    if (fine) return true;
    memory_free_all(axis->values, words->label, words->unit, words->display, words->written);
    axis->values = NULL;
    axis->count = 0;
    *words = (costab_axis_words){.label = NULL};
    return false;
}
