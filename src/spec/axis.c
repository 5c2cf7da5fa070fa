/* Axes: a number, a list, or a range. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "spec/parts.h"

#define AXIS_VALUES_MAX ((size_t)100000000)

typedef struct range {
    const char *what;
    double from, to;
    const spec_node *from_node, *to_node, *points_node;
    size_t points;
} range;

/* "axis 'gamma', from", for messages. */
typedef struct part_name {
    char words[40];
} part_name;

static part_name part(const range *r, const char *key) {
    part_name name;
    snprintf(name.words, sizeof name.words, "%s, %s", r->what, key);
    return name;
}

static bool read_from(spec_file *file, const spec_node *value, void *target) {
    range *r = target;
    r->from_node = value;
    return spec_number(file, value, part(r, "from").words, &r->from);
}

static bool read_to(spec_file *file, const spec_node *value, void *target) {
    range *r = target;
    r->to_node = value;
    return spec_number(file, value, part(r, "to").words, &r->to);
}

static bool read_points(spec_file *file, const spec_node *value, void *target) {
    range *r = target;
    r->points_node = value;
    return spec_whole(file, value, part(r, "points").words, 2, AXIS_VALUES_MAX, &r->points);
}

static const spec_key range_keys[] = {
    {"from", true, "from: -6", read_from},
    {"to", true, "to: 2", read_to},
    {"points", true, "points: 801", read_points},
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
    range r = {.what = what};
    if (!spec_read_mapping(file, node, what, range_keys, sizeof range_keys / sizeof range_keys[0], &r))
        return false;
    if (r.from >= r.to) {
        char from[SPEC_SHOW_MAX], to[SPEC_SHOW_MAX];
        spec_show(file, r.from_node, from);
        spec_show(file, r.to_node, to);
        if (r.from > r.to)
            spec_complain(file, r.to_node, "%s: the range is reversed: to is %s, less than from, %s", what,
                          to, from);
        else
            spec_complain(file, r.to_node,
                          "%s: from and to are equal; for a single value write the value alone", what);
        return false;
    }
    if (!isfinite(r.to - r.from)) {
        spec_complain(file, r.to_node, "%s: the range is too wide for double precision", what);
        return false;
    }
    if (!allocate(file, axis, r.points)) return false;
    for (size_t i = 0; i < r.points; i++) {
        axis->values[i] = number_linspace(r.from, r.to, r.points, i);
        if (i == 0 || axis->values[i] > axis->values[i - 1]) continue;
        spec_complain(file, r.points_node,
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
    for (const spec_node *item = spec_first(file, node); item != NULL; item = spec_next(file, item)) {
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
    char shown[SPEC_SHOW_MAX];
    if (node->kind == SPEC_LIST) return read_list(file, node, what, axis);
    if (node->kind == SPEC_MAPPING) return read_range(file, node, what, axis);
    if (node->kind == SPEC_SCALAR && node->size == 0 && !node->quoted) {
        spec_complain(file, node, "%s: expected a number, a list or {from: -6, to: 2, points: 801}, found %s",
                      what, spec_show(file, node, shown));
        return false;
    }
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
