/* Two results files side by side: the points at which a field of codes differs. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/store.h"

/* The field's number, which is one of codes over the swept axes. */
static costab_status codes_of(const costab_results *results, const char *name, const char *which, int *field,
                              costab_error *error) {
    const costab_plan *plan = costab_results_plan(results);
    *field = costab_plan_field(plan, name);
    if (*field >= 0 && plan->fields[*field].type == COSTAB_U8) return COSTAB_OK;
    return error_set(error, COSTAB_INVALID, "the %s file has no field '%s' of codes", which, name);
}

static costab_status compare_axis(const costab_axis *a, const costab_axis *b, costab_error *error) {
    if (strcmp(a->name, b->name) != 0)
        return error_set(error, COSTAB_INVALID, "the axes differ: '%s' in the first file, '%s' in the second",
                         a->name, b->name);
    if (a->count != b->count)
        return error_set(error, COSTAB_INVALID,
                         "the axes differ: '%s' has %zu points in the first file, %zu in the second", a->name,
                         a->count, b->count);
    if ((a->values == NULL) != (b->values == NULL) || (a->labels == NULL) != (b->labels == NULL))
        return error_set(error, COSTAB_INVALID,
                         "the axes differ: '%s' has numbers in one file, names in the other", a->name);
    for (size_t i = 0; i < a->count; i++) {
        if (a->labels != NULL && strcmp(a->labels[i], b->labels[i]) != 0)
            return error_set(
                error, COSTAB_INVALID,
                "the axes differ: number %zu of '%s' is '%s' in the first file, '%s' in the second", i + 1,
                a->name, a->labels[i], b->labels[i]);
        if (a->values != NULL && a->values[i] != b->values[i])
            return error_set(
                error, COSTAB_INVALID,
                "the axes differ: number %zu of '%s' is %.17g in the first file, %.17g in the second", i + 1,
                a->name, a->values[i], b->values[i]);
    }
    return COSTAB_OK;
}

static costab_status compare_axes(const costab_plan *a, int field_a, const costab_plan *b, int field_b,
                                  costab_error *error) {
    const costab_field *of_a = &a->fields[field_a], *of_b = &b->fields[field_b];
    if (of_a->rank != of_b->rank)
        return error_set(error, COSTAB_INVALID, "the axes differ: %d in the first file, %d in the second",
                         of_a->rank, of_b->rank);
    costab_status status = COSTAB_OK;
    for (int r = 0; r < of_a->rank && !status; r++)
        status = compare_axis(&a->axes[of_a->axes[r]], &b->axes[of_b->axes[r]], error);
    return status;
}

/* Hands over the points that differ in a box: `values` holds those of the first file, then those of the
 * second. */
static bool hand_over(const costab_differences *wanted, int rank, const size_t *start, const size_t *count,
                      const uint8_t *values, size_t points) {
    for (size_t p = 0; p < points; p++) {
        size_t index[COSTAB_AXES_MAX], rest = p;
        if (values[p] == values[points + p]) continue;
        for (int r = rank - 1; r >= 0; r--) {
            index[r] = start[r] + rest % count[r];
            rest /= count[r];
        }
        if (!wanted->take(wanted->context, index, values[p], values[points + p])) return false;
    }
    return true;
}

/* The field's numbers in both files, which can be compared. */
static costab_status match(const costab_results *a, const costab_results *b, const char *field, int *field_a,
                           int *field_b, costab_error *error) {
    costab_status status = codes_of(a, field, "first", field_a, error);
    if (!status) status = codes_of(b, field, "second", field_b, error);
    if (!status)
        status = compare_axes(costab_results_plan(a), *field_a, costab_results_plan(b), *field_b, error);
    return status;
}

costab_status costab_results_comparable(const costab_results *a, const costab_results *b, const char *field,
                                        costab_error *error) {
    int field_a, field_b;
    return match(a, b, field, &field_a, &field_b, error);
}

costab_status costab_results_compare(const costab_results *a, const costab_results *b,
                                     const costab_differences *wanted, size_t *points, costab_error *error) {
    int field_a, field_b;
    costab_status status = match(a, b, wanted->field, &field_a, &field_b, error);
    *points = 0;
    if (status) return status;
    costab_plan plan = *costab_results_plan(a);
    const costab_field *field = &plan.fields[field_a];
    size_t tiles, all, most = 2;
    status = costab_plan_size(&plan, &tiles, &all, error);
    for (int r = 0; r < field->rank; r++) most *= plan.tile_shape[field->axes[r]];
    uint8_t *values = memory_alloc(most, sizeof *values);
    if (!status && values == NULL) status = error_memory(error);
    for (size_t t = 0; t < tiles && !status; t++) {
        costab_tile tile;
        size_t start[COSTAB_AXES_MAX], count[COSTAB_AXES_MAX];
        costab_plan_tile(&plan, t, &tile);
        size_t size = costab_tile_values(&plan, field_a, &tile);
        for (int r = 0; r < field->rank; r++) {
            start[r] = tile.start[field->axes[r]];
            count[r] = tile.count[field->axes[r]];
        }
        if (size == 0) continue;
        status = costab_results_read(a, field_a, start, count, values, error);
        if (!status) status = costab_results_read(b, field_b, start, count, values + size, error);
        if (!status && !hand_over(wanted, field->rank, start, count, values, size))
            status = error_set(error, COSTAB_CANCELLED, "the comparison was stopped");
        *points += size;
    }
    memory_free(values);
    return status;
}
