/* Axes: a number, a list, or a range. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "spec/sections.h"

#define AXIS_VALUES_MAX ((size_t)100000000)

typedef struct range {
    double from, to;
    int points;
} range;

static const spec_key range_keys[] = {
    {"from", true, "from: -6", SPEC_VALUE(SPEC_NUMBER, range, from)},
    {"to", true, "to: 2", SPEC_VALUE(SPEC_NUMBER, range, to)},
    {"points", true, "points: 801", SPEC_VALUE(SPEC_WHOLE, range, points), .most = AXIS_VALUES_MAX,
     .least = 2},
};

static bool allocate(spec_file *file, costab_axis *axis, size_t count) {
    axis->values = memory_alloc(count, sizeof *axis->values);
    if (axis->values == NULL) {
        file->memory_failed = true;
        return false;
    }
    axis->count = count;
    return true;
}

static bool read_range(spec_file *file, const spec_node *node, const char *what, costab_axis *axis) {
    range r = {.points = 0};
    if (!spec_read_mapping(file, node, what, SPEC_TABLE(range_keys), &r)) return false;
    const spec_node *to = spec_find(file, node, "to");
    char low[SPEC_SHOW_MAX], high[SPEC_SHOW_MAX];
    if (r.from > r.to)
        spec_complain(file, to, "%s: the range is reversed: to is %s, less than from, %s", what,
                      spec_show(file, to, high), spec_show(file, spec_find(file, node, "from"), low));
    else if (r.from == r.to)
        spec_complain(file, to, "%s: from and to are equal; for a single value write the value alone", what);
    else if (!isfinite(r.to - r.from))
        spec_complain(file, to, "%s: the range is too wide for double precision", what);
    if (!(r.from < r.to && isfinite(r.to - r.from)) || !allocate(file, axis, (size_t)r.points)) return false;
    for (size_t i = 0; i < axis->count; i++) {
        axis->values[i] = number_linspace(r.from, r.to, axis->count, i);
        if (i == 0 || axis->values[i] > axis->values[i - 1]) continue;
        spec_complain(file, spec_find(file, node, "points"),
                      "%s, points: so many different values do not fit between from and to", what);
        return false;
    }
    return true;
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

static bool read_list(spec_file *file, const spec_node *node, const char *what, costab_axis *axis) {
    if (node->size == 0) {
        spec_complain(file, node, "%s: the axis is empty; give at least one value", what);
        return false;
    }
    if (node->size > AXIS_VALUES_MAX) {
        spec_complain(file, node, "%s: more than %zu values", what, AXIS_VALUES_MAX);
        return false;
    }
    if (!allocate(file, axis, node->size)) return false;
    size_t known = 0;
    const spec_node *previous = NULL;
    SPEC_EACH (item, file, node) {
        double value;
        if (!spec_number(file, item, what, &value)) continue;
        if (previous != NULL && value <= axis->values[known - 1]) {
            complain_order(file, previous, item, what, value == axis->values[known - 1]);
            continue;
        }
        axis->values[known++] = value;
        previous = item;
    }
    return known == node->size;
}

static bool read_values(spec_file *file, const spec_node *node, const char *what, costab_axis *axis) {
    double value;
    if (node->kind == SPEC_LIST) return read_list(file, node, what, axis);
    if (node->kind == SPEC_MAPPING) return read_range(file, node, what, axis);
    if (node->kind == SPEC_SCALAR && node->size == 0 && !node->quoted)
        return spec_expected(file, node, what, "a number, a list or {from: -6, to: 2, points: 801}");
    if (!spec_number(file, node, what, &value) || !allocate(file, axis, 1)) return false;
    axis->values[0] = value;
    return true;
}

bool spec_read_axis(spec_file *file, const spec_node *node, const char *name, costab_axis *axis) {
    char what[24];
    snprintf(what, sizeof what, "axis '%s'", name);
    if (read_values(file, node, what, axis)) return true;
    memory_free(axis->values);
    axis->values = NULL;
    axis->count = 0;
    return false;
}
