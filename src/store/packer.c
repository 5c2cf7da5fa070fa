/* Makes compressed chunks of blocks. The plan is enough for that: another process may write the file. */
#include "store/packer.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "store/hdf5.h"
#include "store/writer.h"

static bool fits_file(const char *name) {
    return strchr(name, '/') == NULL && strcmp(name, ".") != 0 && strcmp(name, STORE_SPEC) != 0;
}

static costab_status check_plan(const costab_plan *plan, costab_error *error) {
    size_t tiles, points;
    costab_status status = costab_plan_size(plan, &tiles, &points, error);
    for (int i = 0; !status && i < plan->axis_count + plan->field_count; i++) {
        const char *name =
            i < plan->axis_count ? plan->axes[i].name : plan->fields[i - plan->axis_count].name;
        if (!fits_file(name))
            status = error_set(error, COSTAB_INVALID, "'%s' cannot be the name of an axis or field in a file",
                               name);
    }
    return status;
}

costab_status store_info_check(const char *path, const costab_store_info *info, costab_error *error) {
    if (path && info && info->title && info->spec_path && info->spec_text) return store_time_check(error);
    return error_set(error, COSTAB_INVALID,
                     "a results file needs a path, a title, and the name and text of its spec; \"\" will do");
}

costab_status costab_packer_create(const costab_plan *plan, costab_packer **packer, costab_error *error) {
    if (!packer) return error_missing(error, "room for the packer");
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
    if (!p || !block || !packed) return error_missing(error, "a packer, a block or room for it");
    if (field < 0 || field >= p->plan->field_count)
        return error_set(error, COSTAB_INVALID, "the plan has no field number %d", field);
    costab_tile_shape(p->plan, field, tile, shape);
    return store_chunk_pack(p->chunks[field], shape, block, packed, error);
}
