/* Fields of a results file as arrays along some axes, at one index of the others. */
#include "figure/read.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* Exchanges the axes of nx * ny values with x fastest, so that y is the fastest. */
static costab_status transpose(char *values, size_t size, size_t nx, size_t ny, costab_error *error) {
    memory_local_array(char, from, nx *ny *size, error);
    memcpy(from, values, nx * ny * size);
    for (size_t i = 0; i < nx; i++)
        for (size_t j = 0; j < ny; j++)
            memcpy(values + (i * ny + j) * size, from + (j * nx + i) * size, size);
    return COSTAB_OK;
}

static costab_status read_field(const costab_results *results, const read_item *item, const size_t *at,
                                const int *along, int rank, void **values, costab_error *error) {
    const costab_plan *plan = costab_results_plan(results);
    const costab_type type = item->codes ? COSTAB_U8 : COSTAB_F64;
    const int number = costab_plan_field(plan, item->field);
    *values = NULL;
    if (number < 0 || plan->fields[number].type != type) return COSTAB_OK;
    const costab_field *field = &plan->fields[number];
    size_t start[COSTAB_AXES_MAX] = {0}, count[COSTAB_AXES_MAX], total = 1;
    int found = 0;
    for (int r = 0; r < field->rank; r++) {
        bool whole = false;
        for (int k = 0; k < rank; k++) whole |= along[k] == field->axes[r];
        found += whole;
        count[r] = whole ? plan->axes[field->axes[r]].count : 1;
        start[r] = whole ? 0 : at[field->axes[r]];
        total *= count[r];
    }
    if (found < rank) return COSTAB_OK;
    const size_t size = type == COSTAB_U8 ? sizeof(unsigned char) : sizeof(double);
    *values = memory_alloc(total, size);
    if (!*values) return error_memory(error);
    TRY(costab_results_read(results, number, start, count, *values, error));
    if (rank != 2 || along[0] < along[1]) return COSTAB_OK;
    return transpose(*values, size, plan->axes[along[0]].count, plan->axes[along[1]].count, error);
}

costab_status read_items(const costab_results *results, const size_t *at, const int *along, int rank,
                         const read_item *items, size_t count, costab_error *error) {
    costab_status status = COSTAB_OK;
    for (const read_item *i = items; i < items + count && !status; i++) {
        void *values;
        status = read_field(results, i, at, along, rank, &values, error);
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
    return read_items(results, at, along, rank, &(read_item){field, .numbers = values}, 1, error);
}

costab_status read_missing(const costab_results *results, const char *field, costab_error *error) {
    return error_invalid(error, "%s: the results have no field '%s', which the figure draws",
                         costab_results_spec_path(results), field);
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
