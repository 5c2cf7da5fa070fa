/* Compares one field of two results files, for costab compare.
 *   1. Both must have the field, in the same type and over the same axes, up to the rounding of ranges.
 *      Otherwise the difference is an error.
 *   2. Both are read tile by tile of the first file.
 *   3. costab_results_compare passes each point with different codes to the caller.
 *      costab_results_compare_numbers counts the differing values, and finds the largest difference relative
 *      to the larger of both amounts and 1; NaN equals NaN.
 *
 * Memory: a tile of each file. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/store.h"
#include "sweep/plan.h"
#include "sweep/run.h"

/* Finds the index of a field in both files, with the same type. */
static costab_status find_field(const costab_results *a, const costab_results *b, const char *name,
                                int found[2], costab_error *error) {
    const costab_plan *plans[2] = {costab_results_plan(a), costab_results_plan(b)};
    for (int k = 0; k < 2; k++) {
        found[k] = costab_plan_field(plans[k], name);
        if (found[k] < 0)
            return error_invalid(error, "the %s file has no field '%s'", k == 0 ? "first" : "second", name);
    }
    if (plans[0]->fields[found[0]].type != plans[1]->fields[found[1]].type)
        return error_invalid(error, "'%s' has codes in one file, numbers in the other", name);
    return COSTAB_OK;
}

static costab_status compare_axis(const costab_axis *a, const costab_axis *b, costab_error *error) {
    if (strcmp(a->name, b->name) != 0)
        return error_invalid(error, "the axes differ: '%s' in the first file, '%s' in the second", a->name,
                             b->name);
    if (a->count != b->count)
        return error_invalid(error,
                             "the axes differ: '%s' has %zu points in the first file, %zu in the second",
                             a->name, a->count, b->count);
    if ((a->values == NULL) != (b->values == NULL) || (a->labels == NULL) != (b->labels == NULL))
        return error_invalid(error, "the axes differ: '%s' has numbers in one file, names in the other",
                             a->name);
    for (size_t i = 0; i < a->count; i++) {
        if (a->labels != NULL && strcmp(a->labels[i], b->labels[i]) != 0)
            return error_invalid(
                error, "the axes differ: number %zu of '%s' is '%s' in the first file, '%s' in the second",
                i + 1, a->name, a->labels[i], b->labels[i]);
        if (a->values != NULL && !plan_has_value(a, i, b->values[i]))
            return error_invalid(
                error, "the axes differ: number %zu of '%s' is %.17g in the first file, %.17g in the second",
                i + 1, a->name, a->values[i], b->values[i]);
    }
    return COSTAB_OK;
}

static costab_status compare_axes(const costab_plan *a, int field_a, const costab_plan *b, int field_b,
                                  costab_error *error) {
    const costab_field *of_a = &a->fields[field_a], *of_b = &b->fields[field_b];
    if (of_a->rank != of_b->rank)
        return error_invalid(error, "the axes differ: %d in the first file, %d in the second", of_a->rank,
                             of_b->rank);
    for (int r = 0; r < of_a->rank; r++)
        TRY(compare_axis(&a->axes[of_a->axes[r]], &b->axes[of_b->axes[r]], error));
    return COSTAB_OK;
}

/* Finds the indices of a field in both files and checks that the grids are comparable. */
static costab_status match(const costab_results *a, const costab_results *b, const char *field, int found[2],
                           costab_error *error) {
    TRY(find_field(a, b, field, found, error));
    return compare_axes(costab_results_plan(a), found[0], costab_results_plan(b), found[1], error);
}

costab_status costab_results_comparable(const costab_results *a, const costab_results *b, const char *field,
                                        costab_error *error) {
    int found[2];
    TRY(match(a, b, field, found, error));
    if (costab_results_plan(a)->fields[found[0]].type != COSTAB_U8)
        return error_invalid(error, "'%s' has numbers, no codes", field);
    return COSTAB_OK;
}

/* ---- Tile by tile of the first file */

/* The part of a field in one tile. values: `size` values of the first file, then `size` values of the second.
 */
typedef struct box {
    const costab_field *field;
    size_t start[COSTAB_AXES_MAX], count[COSTAB_AXES_MAX], size;
    const void *values;
} box;

/* Calls `take` with every box until it returns false. [out] *points: number of values of the boxes. */
static costab_status each_box(const costab_results *a, const costab_results *b, const int found[2],
                              bool (*take)(void *context, const box *at), void *context, size_t *points,
                              costab_error *error) {
    costab_plan plan = *costab_results_plan(a);
    const costab_field *field = &plan.fields[found[0]];
    const size_t width = costab_type_size(field->type);
    size_t tiles, all_points, capacity = 2; /* in values, of both files */
    *points = 0;
    TRY(costab_plan_size(&plan, &tiles, &all_points, error));
    for (int r = 0; r < field->rank; r++) capacity *= plan.tile_shape[field->axes[r]];
    memory_local char *values = memory_alloc(capacity, width);
    if (values == NULL) return error_memory(error);
    for (size_t t = 0; t < tiles; t++) {
        costab_tile tile;
        box at = {.field = field, .values = values};
        costab_plan_tile(&plan, t, &tile);
        at.size = costab_tile_values(&plan, found[0], &tile);
        for (int r = 0; r < field->rank; r++) {
            at.start[r] = tile.start[field->axes[r]];
            at.count[r] = tile.count[field->axes[r]];
        }
        if (at.size == 0) continue;
        TRY(costab_results_read(a, found[0], at.start, at.count, values, error));
        TRY(costab_results_read(b, found[1], at.start, at.count, values + at.size * width, error));
        *points += at.size;
        if (!take(context, &at)) return error_set(error, COSTAB_CANCELLED, "the comparison was stopped");
    }
    return COSTAB_OK;
}

/* Passes the differing points of a box to the caller. */
static bool report_differences(void *context, const box *at) {
    const costab_differences *wanted = context;
    const uint8_t *values = at->values;
    for (size_t p = 0; p < at->size; p++) {
        size_t index[COSTAB_AXES_MAX], rest = p;
        if (values[p] == values[at->size + p]) continue;
        for (int r = at->field->rank - 1; r >= 0; r--) {
            index[r] = at->start[r] + rest % at->count[r];
            rest /= at->count[r];
        }
        if (!wanted->take(wanted->context, index, values[p], values[at->size + p])) return false;
    }
    return true;
}

costab_status costab_results_compare(const costab_results *a, const costab_results *b,
                                     const costab_differences *wanted, size_t *points, costab_error *error) {
    int found[2];
    costab_differences receiver = *wanted;
    *points = 0;
    TRY(costab_results_comparable(a, b, wanted->field, error));
    TRY(match(a, b, wanted->field, found, error));
    return each_box(a, b, found, report_differences, &receiver, points, error);
}

/* Returns the difference of two numbers relative to the larger of both amounts and 1. Returns 0 for two NaN
 * and for equal infinities, infinity for any other pair with NaN or an infinity. */
static double distance(double x, double y) {
    if (x == y || (isnan(x) && isnan(y))) return 0;
    double apart = fabs(x - y) / fmax(1, fmax(fabs(x), fabs(y)));
    return isnan(apart) ? INFINITY : apart;
}

/* Adds the values of a box to a costab_number_differences. Different codes are infinitely far apart. */
static bool count_differences(void *context, const box *at) {
    costab_number_differences *found = context;
    for (size_t p = 0; p < at->size; p++) {
        const double *numbers = at->values;
        const uint8_t *codes = at->values;
        double apart = at->field->type == COSTAB_F64     ? distance(numbers[p], numbers[at->size + p])
                       : codes[p] == codes[at->size + p] ? 0
                                                         : INFINITY;
        if (apart > found->tolerance) found->differ++;
        found->largest = fmax(found->largest, apart);
    }
    return true;
}

costab_status costab_results_compare_numbers(const costab_results *a, const costab_results *b,
                                             costab_number_differences *found, costab_error *error) {
    int field[2];
    found->points = found->differ = 0;
    found->largest = 0;
    TRY(match(a, b, found->field, field, error));
    return each_box(a, b, field, count_differences, found, &found->points, error);
}
