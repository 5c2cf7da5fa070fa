/* Reading what is drawn as a curve. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "plot/curves.h"

costab_status curve_read(const costab_results *results, const char *field, const curve_place *place,
                         double **values, size_t *count, costab_error *error) {
    const costab_plan *plan = costab_results_plan(results);
    *values = NULL;
    for (int i = 0; i < plan->field_count; i++) {
        const costab_field *found = &plan->fields[i];
        if (strcmp(found->name, field) != 0 || found->type != COSTAB_F64 || found->rank != place->rank)
            continue;
        int along = found->rank - 1 - place->components;
        size_t extent[COSTAB_AXES_MAX];
        for (int r = 0; r < found->rank; r++) extent[r] = 1;
        *count = extent[along] = plan->axes[found->axes[along]].count;
        *values = memory_alloc(*count, sizeof **values);
        if (!*values) return error_memory(error);
        return costab_results_read(results, i, place->at, extent, *values, error);
    }
    return error_set(error, COSTAB_INVALID, "%s: the results have no field '%s', which the figure draws",
                     costab_results_spec_path(results), field);
}
