/* Fields of a results file: as whole arrays along some axes, at one index of the others; or box by box. */
#include "figure/read.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "sweep/run.h"

static bool is_along(const int *along, int rank, int axis) {
    for (int k = 0; k < rank; k++)
        if (along[k] == axis) return true;
    return false;
}

static costab_status read_field(const costab_results *results, const read_item *item, const size_t *at,
                                void **values, costab_error *error) {
    const costab_plan *plan = costab_results_plan(results);
    const costab_type type = item->codes ? COSTAB_U8 : COSTAB_F64;
    *values = NULL;
    int i = costab_plan_field(plan, item->field), found = 0;
    if (i < 0 || plan->fields[i].type != type) return COSTAB_OK;
    const costab_field *field = &plan->fields[i];
    size_t start[COSTAB_AXES_MAX] = {0}, count[COSTAB_AXES_MAX], total = 1;
    for (int r = 0; r < field->rank; r++) {
        int axis = field->axes[r];
        bool whole = is_along(item->along, item->rank, axis),
             part = item->count > 0 && axis == item->along[0];
        found += whole;
        count[r] = !whole ? 1 : part ? item->count : plan->axes[axis].count;
        start[r] = !whole ? at[axis] : part ? item->first : 0;
        total *= count[r];
    }
    if (found < item->rank) return COSTAB_OK;
    *values = memory_alloc(total, costab_type_size(type));
    return *values ? costab_results_read(results, i, start, count, *values, error) : error_memory(error);
}

costab_status read_items(const costab_results *results, const size_t *at, const read_item *items,
                         size_t count, costab_error *error) {
    costab_status status = COSTAB_OK;
    for (const read_item *i = items; i < items + count && !status; i++) {
        void *values;
        status = read_field(results, i, at, &values, error);
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

#define AT_A_TIME ((size_t)1 << 18) /* values of a box, at most */

/* The box from `start` on: as many indices of the last axes as are at most AT_A_TIME values. */
static size_t box_at(const costab_plan *plan, const costab_field *of, const size_t *start, size_t *count) {
    size_t total = 1;
    bool whole = true; /* the axes behind are */
    for (int i = of->rank - 1; i >= 0; i--) {
        size_t rest = plan->axes[of->axes[i]].count - start[i], room = AT_A_TIME / total;
        count[i] = !whole ? 1 : rest < room ? rest : room > 0 ? room : 1;
        whole = whole && count[i] == plan->axes[of->axes[i]].count;
        total *= count[i];
    }
    return total;
}

/* Moves `start` behind the box; whether anything is left. */
static bool next_box(const costab_plan *plan, const costab_field *of, size_t *start, const size_t *count) {
    for (int i = of->rank - 1; i >= 0; i--) {
        start[i] += count[i];
        if (start[i] < plan->axes[of->axes[i]].count) return true;
        start[i] = 0;
    }
    return false;
}

costab_status read_all(const costab_results *results, const char *field,
                       void (*take)(void *context, const double *values, size_t count), void *context,
                       costab_error *error) {
    const costab_plan *plan = costab_results_plan(results);
    const int number = costab_plan_field(plan, field);
    size_t start[COSTAB_AXES_MAX] = {0}, count[COSTAB_AXES_MAX];
    if (number < 0 || plan->fields[number].type != COSTAB_F64) return read_missing(results, field, error);
    memory_local_array(double, values, AT_A_TIME, error);
    do {
        size_t total = box_at(plan, &plan->fields[number], start, count);
        TRY(costab_results_read(results, number, start, count, values, error));
        take(context, values, total);
    } while (next_box(plan, &plan->fields[number], start, count));
    return COSTAB_OK;
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
