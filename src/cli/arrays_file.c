#include "cli/arrays_file.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/path.h"

typedef struct arrays {
    const costab_plan *plan;
    const void *const *of;
} arrays;

void arrays_file_free_labels(char **labels, size_t count) {
    for (size_t c = 0; c < count && labels != NULL; c++) memory_free(labels[c]);
    memory_free(labels);
}

char **arrays_file_couplings(const cli_network *network) {
    size_t count = (size_t)network->coupling_count;
    char **labels = memory_alloc(count, sizeof *labels);
    for (size_t c = 0; c < count && labels != NULL; c++) {
        labels[c] = memory_copy(network->couplings[c].name);
        if (labels[c] != NULL) continue;
        arrays_file_free_labels(labels, count);
        return NULL;
    }
    return labels;
}

static costab_status evaluate(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    const arrays *all = context;
    (void)error;
    for (int f = 0; f < all->plan->field_count; f++) {
        const costab_field *field = &all->plan->fields[f];
        size_t each = costab_type_size(field->type);
        for (int k = 1; k < field->rank; k++) each *= all->plan->axes[field->axes[k]].count;
        if (blocks[f])
            memcpy(blocks[f], (const char *)all->of[f] + tile->start[0] * each, tile->count[0] * each);
    }
    return COSTAB_OK;
}

static costab_status store(const arrays *all, const char *path, const costab_store_info *info,
                           costab_error *error) {
    costab_store *file = NULL;
    costab_status status = costab_store_create(path, all->plan, info, &file, error);
    if (status) return status;
    costab_sink sink = costab_store_sink(file);
    costab_evaluator evaluator = {all, evaluate};
    costab_run_options options = {.threads = 1};
    status = costab_run(all->plan, &evaluator, &sink, &options, error);
    if (!status) return costab_store_publish(&file, error);
    costab_store_discard(&file);
    return status;
}

costab_status arrays_file_write(const costab_plan *plan, const void *const *of, const cli_network *network,
                                const cli_arguments *arguments, costab_error *error) {
    const arrays all = {plan, of};
    text content = {0}, target = {0};
    path_output(&target, arguments->values[OPTION_OUTPUT_HISTORY], arguments->operands[0], ".h5");
    costab_status status = target.failed ? error_memory(error) : COSTAB_OK;
    if (!status) status = cli_network_text(network, arguments, &content, error);
    const costab_store_info info = {.title = network->spec->title,
                                    .spec_path = file_name(arguments->operands[0]),
                                    .spec_text = content.data,
                                    .force = arguments->values[OPTION_FORCE] != NULL};
    if (!status) status = store(&all, target.data, &info, error);
    text_free(&content);
    text_free(&target);
    return status;
}
