/* costab info: what a results file holds. */
#include <stdio.h>

#include "cli/command.h"
#include "cli/table.h"
#include "costab/store.h"

static void print_axis(const costab_axis *axis) {
    printf("  %-10s %zu: ", axis->name, axis->count);
    if (axis->labels != NULL) {
        for (size_t i = 0; i < axis->count; i++) printf("%s%s", i > 0 ? ", " : "", axis->labels[i]);
    } else if (axis->count <= 8) {
        for (size_t i = 0; i < axis->count; i++) printf("%s%g", i > 0 ? ", " : "", axis->values[i]);
    } else {
        printf("%g ... %g", axis->values[0], axis->values[axis->count - 1]);
    }
    printf("\n");
}

static void print_field(const costab_plan *plan, const costab_field *field) {
    printf("  %-16s %-7s (", field->name, field->type == COSTAB_U8 ? "uint8" : "float64");
    for (int r = 0; r < field->rank; r++) printf("%s%s", r > 0 ? ", " : "", plan->axes[field->axes[r]].name);
    printf(")\n");
}

costab_status cli_info(const cli_arguments *arguments, costab_error *error) {
    costab_results *results = NULL;
    costab_status status = costab_results_open(arguments->operands[0], &results, error);
    if (status == COSTAB_IO)
        return COSTAB_INVALID; /* an input file that is not there is the caller's mistake */
    if (status != COSTAB_OK) return status;
    const costab_plan *plan = costab_results_plan(results);
    printf("title   %s\nsource  %s\nspec    %s\n\naxes\n", costab_results_title(results),
           costab_results_source(results), costab_results_spec_path(results));
    for (int k = 0; k < plan->axis_count; k++) print_axis(&plan->axes[k]);
    printf("\nfields\n");
    for (int f = 0; f < plan->field_count; f++) print_field(plan, &plan->fields[f]);
    printf("\nspec text\n%s", costab_results_spec_text(results));
    costab_results_close(&results);
    return cli_flush(error);
}
