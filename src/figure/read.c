/* Fields of a results file as whole arrays along some axes, at one index of the others. */
#include "figure/read.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

static bool is_along(const int *along, int rank, int axis) {
    for (int k = 0; k < rank; k++)
        if (along[k] == axis) return true;
    return false;
}

static costab_status read_field(const costab_results *results, const char *name, costab_type type,
                                const size_t *at, const int *along, int rank, void **values,
                                costab_error *error) {
    const costab_plan *plan = costab_results_plan(results);
    *values = NULL;
    int i = costab_plan_field(plan, name), found = 0;
    if (i < 0 || plan->fields[i].type != type) return COSTAB_OK;
    const costab_field *field = &plan->fields[i];
    size_t start[COSTAB_AXES_MAX] = {0}, count[COSTAB_AXES_MAX], total = 1;
    for (int r = 0; r < field->rank; r++) {
        int axis = field->axes[r];
        bool whole = is_along(along, rank, axis);
        found += whole;
        count[r] = whole ? plan->axes[axis].count : 1;
        start[r] = whole ? 0 : at[axis];
        total *= count[r];
    }
    if (found < rank) return COSTAB_OK;
    *values = memory_alloc(total, costab_type_size(type));
    return *values ? costab_results_read(results, i, start, count, *values, error) : error_memory(error);
}

costab_status read_items(const costab_results *results, const size_t *at, const read_item *items,
                         size_t count, costab_error *error) {
    costab_status status = COSTAB_OK;
    for (const read_item *i = items; i < items + count && !status; i++) {
        void *values;
        status = read_field(results, i->field, i->codes ? COSTAB_U8 : COSTAB_F64, at, i->along, i->rank,
                            &values, error);
        if (i->codes)
            *i->codes = values;
        else
            *i->numbers = values;
        if (!status && !values && !i->optional) status = read_missing(results, i->field, error);
    }
    return status;
}

costab_status read_numbers(const costab_results *results, const char *field, const size_t *at,
                           const int *along, int rank, double **values, costab_error *error) {
    return read_items(results, at, &(read_item){field, along, rank, .numbers = values}, 1, error);
}

costab_status read_whole(const costab_results *results, const char *field, double **values, size_t *count,
                         costab_error *error) {
    const costab_plan *plan = costab_results_plan(results);
    const size_t start[COSTAB_AXES_MAX] = {0};
    const int number = costab_plan_field(plan, field);
    *count = 1;
    *values = NULL;
    if (number < 0) return read_missing(results, field, error);
    const costab_field *of = &plan->fields[number];
    for (int i = 0; i < of->rank; i++) *count *= plan->axes[of->axes[i]].count;
    return read_numbers(results, field, start, of->axes, of->rank, values, error);
}

read_word read_meaning(const costab_field *field, uint8_t code) {
    const char *word = field->code_meanings ? field->code_meanings : "";
    for (int k = 0; k < field->code_count && *word; k++) {
        size_t size = strcspn(word, " ");
        if (field->code_values[k] == code) return (read_word){word, size};
        word += size + (word[size] == ' ');
    }
    return (read_word){"", 0};
}

costab_status read_missing(const costab_results *results, const char *field, costab_error *error) {
    return error_invalid(error, "%s: the results have no field '%s', which the figure draws",
                         costab_results_spec_path(results), field);
}
