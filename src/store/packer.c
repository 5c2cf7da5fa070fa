/* Blocks to compressed chunks, from the plan alone: whoever packs need not be who writes. */
#include "store/packer.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "store/hdf5.h"

static bool name_is_good(const char *name) {
    size_t length = strnlen(name, COSTAB_NAME_MAX);
    return length > 0 && length < COSTAB_NAME_MAX && !strchr(name, '/') && strcmp(name, ".") != 0 &&
           strcmp(name, STORE_SPEC) != 0;
}

static costab_status check_names(const costab_plan *plan, costab_error *error) {
    const char *names[COSTAB_AXES_MAX + COSTAB_FIELDS_MAX];
    int count = 0;
    for (int i = 0; i < plan->axis_count; i++) names[count++] = plan->axes[i].name;
    for (int i = 0; i < plan->field_count; i++) names[count++] = plan->fields[i].name;
    for (int i = 0; i < count; i++) {
        if (!name_is_good(names[i]))
            return error_set(error, COSTAB_INVALID, "'%.*s' cannot be the name of an axis or field in a file",
                             COSTAB_NAME_MAX - 1, names[i]);
        for (int j = 0; j < i; j++)
            if (strcmp(names[i], names[j]) == 0)
                return error_set(error, COSTAB_INVALID, "two axes or fields have the name '%s'", names[i]);
    }
    return COSTAB_OK;
}

static bool field_is_good(const costab_plan *plan, const costab_field *field) {
    if (field->rank < 1 || field->rank > plan->axis_count) return false;
    for (int i = 0; i < field->rank; i++)
        if (field->axes[i] < 0 || field->axes[i] >= plan->axis_count ||
            (i > 0 && field->axes[i] <= field->axes[i - 1]))
            return false;
    if (field->codes == COSTAB_CODES_NONE) return true;
    return field->type == COSTAB_U8 && field->code_meanings && field->code_count > 0 &&
           (size_t)field->code_count <= sizeof field->code_values;
}

static costab_status check_plan(const costab_plan *plan, costab_error *error) {
    if (plan->axis_count < 1 || plan->axis_count > COSTAB_AXES_MAX || plan->field_count < 0 ||
        plan->field_count > COSTAB_FIELDS_MAX)
        return error_set(error, COSTAB_INVALID, "a plan needs 1 to %d axes and at most %d fields",
                         COSTAB_AXES_MAX, COSTAB_FIELDS_MAX);
    costab_status status = check_names(plan, error);
    if (status) return status;
    for (int i = 0; i < plan->axis_count; i++)
        if (plan->axes[i].count < 1 || plan->tile_shape[i] < 1 || plan->tile_shape[i] > plan->axes[i].count)
            return error_set(error, COSTAB_INVALID, "axis '%s' is empty, or its tiles do not fit it",
                             plan->axes[i].name);
    for (int i = 0; i < plan->field_count; i++)
        if (!field_is_good(plan, &plan->fields[i]))
            return error_set(error, COSTAB_INVALID, "field '%s' has impossible axes or codes",
                             plan->fields[i].name);
    return COSTAB_OK;
}

costab_status costab_packer_create(const costab_plan *plan, costab_packer **packer, costab_error *error) {
    *packer = NULL;
    costab_status status = check_plan(plan, error);
    if (status) return status;
    costab_packer *p = *packer = memory_alloc(1, sizeof *p);
    if (!p) return error_memory(error);
    p->plan = plan;
    for (int i = 0; i < plan->field_count && !status; i++)
        status = store_chunk_create(plan, i, &p->chunks[i], error);
    if (status) costab_packer_destroy(packer);
    return status;
}

void costab_packer_destroy(costab_packer **packer) {
    if (!packer || !*packer) return;
    for (int i = 0; i < COSTAB_FIELDS_MAX; i++) store_chunk_free(&(*packer)->chunks[i]);
    memory_free(*packer);
    *packer = NULL;
}

costab_status costab_packer_pack(void *packer, const costab_tile *tile, int field, const void *block,
                                 costab_packed *packed, costab_error *error) {
    const costab_packer *p = packer;
    size_t shape[COSTAB_AXES_MAX];
    costab_tile_shape(p->plan, field, tile, shape);
    return store_chunk_pack(p->chunks[field], shape, block, packed, error);
}
