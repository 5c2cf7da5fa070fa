/* Arrays in memory as a results file: a plan, codes or numbers for each field, one tile after the other. */
#include "cli/arrays_file.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/path.h"
#include "cli/results.h"
#include "costab/margin.h"
#include "study/study.h"

const study_codes arrays_file_yes = {.kind = COSTAB_CODES_VALUES,
                                     .count = 3,
                                     .values = {0, 1, ARRAYS_FILE_FILL},
                                     .meanings = "no yes not_computed",
                                     .fill = ARRAYS_FILE_FILL};

const study_codes arrays_file_causes = {
    .kind = COSTAB_CODES_VALUES,
    .count = COSTAB_PASSES_COUNT + 1,
    .values = {0, 1, 2, 3, 4, 5, 6, 7, ARRAYS_FILE_FILL},
    .meanings = "nothing fold flip oscillation iteration continuous own ill_posed not_computed",
    .fill = ARRAYS_FILE_FILL};

const study_codes arrays_file_classes = {
    .kind = COSTAB_CODES_VALUES,
    .count = 15,
    .values = {COSTAB_UU, COSTAB_US, COSTAB_SU, COSTAB_SS, COSTAB_NU, COSTAB_NS, COSTAB_SN, COSTAB_UN,
               COSTAB_NN, COSTAB_XU, COSTAB_XS, COSTAB_XN, COSTAB_CLASS_FAILED, COSTAB_CLASS_UNDECIDED,
               COSTAB_NOT_COMPUTED},
    .meanings = "UU US SU SS NU NS SN UN NN XU XS XN failed undecided not_computed",
    .fill = COSTAB_NOT_COMPUTED};

costab_status arrays_file_label(arrays_file *file, int axis, const char *label, costab_error *error) {
    costab_axis *to = &file->plan.axes[axis];
    char **labels = memory_resize(to->labels, to->count + 1, sizeof *labels);
    if (labels == NULL) return error_memory(error);
    to->labels = labels;
    labels[to->count] = memory_copy(label);
    return labels[to->count++] != NULL ? COSTAB_OK : error_memory(error);
}

costab_status arrays_file_begin(arrays_file *file, const costab_axis *axes, int count,
                                const cli_network *network, costab_error *error) {
    *file = (arrays_file){.plan = {.axis_count = count, .swept = 1}};
    memcpy(file->plan.axes, axes, (size_t)count * sizeof *axes);
    for (int c = 0; c < network->coupling_count; c++)
        TRY(arrays_file_label(file, 0, network->couplings[c].name, error));
    return COSTAB_OK;
}

void arrays_file_free(arrays_file *file) {
    for (int k = 0; k < file->plan.axis_count; k++) {
        costab_axis *axis = &file->plan.axes[k];
        for (size_t i = 0; i < axis->count && axis->labels != NULL; i++) memory_free(axis->labels[i]);
        memory_free_all(axis->labels, axis->values);
    }
    for (int f = 0; f < file->plan.field_count; f++) memory_free_all(file->numbers[f], file->codes[f]);
}

/* How many values a field has for one coupling. */
static size_t values_each(const costab_plan *plan, const costab_field *field) {
    size_t each = 1;
    for (int k = 1; k < field->rank; k++) each *= plan->axes[field->axes[k]].count;
    return each;
}

static costab_status number_axes(costab_plan *plan, costab_error *error) {
    for (int k = 0; k < plan->axis_count; k++) {
        costab_axis *axis = &plan->axes[k];
        if (axis->labels != NULL) continue;
        TRY(memory_make(&axis->values, axis->count, error));
        for (size_t i = 0; i < axis->count; i++) axis->values[i] = (double)i + 1;
    }
    return COSTAB_OK;
}

costab_status arrays_file_make(arrays_file *file, const study_field *fields, int count, costab_error *error) {
    costab_plan *plan = &file->plan;
    TRY(number_axes(plan, error));
    for (int f = 0; f < count; f++) {
        const costab_field *field = &plan->fields[study_plan_field(plan, &fields[f], NULL)];
        size_t size = plan->axes[0].count * values_each(plan, field);
        if (field->type == COSTAB_U8) {
            file->codes[f] = memory_alloc(size, sizeof *file->codes[f]);
            if (file->codes[f] != NULL) memset(file->codes[f], field->fill, size);
        } else {
            file->numbers[f] = memory_alloc(size, sizeof *file->numbers[f]);
            for (size_t i = 0; i < size && file->numbers[f] != NULL; i++) file->numbers[f][i] = (double)NAN;
        }
        if (file->codes[f] == NULL && file->numbers[f] == NULL) return error_memory(error);
    }
    costab_plan_choose_tiles(plan, 1 << 16);
    return COSTAB_OK;
}

static costab_status evaluate(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    const arrays_file *file = context;
    (void)error;
    for (int f = 0; f < file->plan.field_count; f++) {
        const costab_field *field = &file->plan.fields[f];
        size_t each = costab_type_size(field->type) * values_each(&file->plan, field);
        const char *values = file->codes[f] ? (const char *)file->codes[f] : (const char *)file->numbers[f];
        if (blocks[f]) memcpy(blocks[f], values + tile->start[0] * each, tile->count[0] * each);
    }
    return COSTAB_OK;
}

costab_status arrays_file_write(const arrays_file *file, const cli_network *network,
                                const cli_arguments *arguments, costab_error *error) {
    text_local content = {0}, target = {0}, figure = {0};
    path_output(&target, arguments->values[OPTION_OUTPUT_HISTORY], arguments->operands[0], ".h5");
    if (target.failed) return error_memory(error);
    TRY(cli_network_text(network, arguments, &content, error));
    TRY(study_figure_text(network->spec, &figure, error));
    const costab_store_info info = {.title = network->spec->title,
                                    .spec_path = file_name(arguments->operands[0]),
                                    .spec_text = content.data,
                                    .figure = figure.data,
                                    .force = arguments->force};
    const costab_evaluator evaluator = {file, evaluate};
    TRY(costab_store_write(target.data, &file->plan, &info, &evaluator, 1, error));
    cli_tell_drawable(target.data, arguments);
    return COSTAB_OK;
}
