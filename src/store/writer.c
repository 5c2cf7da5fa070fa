/* Writing a results file: a temporary HDF5 file beside the target that takes compressed chunks, tile by tile.
 */
#include "store/writer.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

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

static void create_file(store_job *job, costab_store *store) {
    if (job->status) return;
    hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
    unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    if (creation < 0 || access < 0 || H5Pset_link_creation_order(creation, order) < 0 ||
        H5Pset_attr_creation_order(creation, order) < 0 || H5Pset_obj_track_times(creation, false) < 0 ||
        H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18) < 0 ||
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0 || !store_disk_use(&store->disk, access) ||
        (store->file = H5Fcreate(store->temporary, H5F_ACC_TRUNC, creation, access)) < 0)
        store_fail(job, "the file");
    store_close(job, &access);
    store_close(job, &creation);
}

static costab_store *allocate(const char *path, const costab_plan *plan) {
    costab_store *s = memory_alloc(1, sizeof *s);
    if (!s) return NULL;
    s->plan = plan;
    s->file = -1;
    s->disk = STORE_DISK_NONE;
    for (int i = 0; i < COSTAB_FIELDS_MAX; i++) s->fields[i] = -1;
    s->path = memory_copy(path);
    if (s->path) return s;
    memory_free(s);
    return NULL;
}

costab_status costab_store_create(const char *path, const costab_plan *plan, const costab_store_info *info,
                                  costab_store **store, costab_error *error) {
    *store = NULL;
    costab_status status = check_plan(plan, error);
    if (status) return status;
    costab_store *s = allocate(path, plan);
    if (!s) return error_memory(error);
    for (int i = 0; i < plan->field_count && !status; i++)
        status = store_chunk_create(plan, i, &s->chunks[i], error);
    if (!status) status = file_create_beside(path, &s->temporary, &s->disk.descriptor, error);
    if (!status) {
        store_job job = store_begin("write", s->path, error);
        create_file(&job, s);
        store_write_layout(&job, s, info);
        status = store_disk_status(&s->disk, s->path, store_end(&job), error);
    }
    if (status) costab_store_discard(&s);
    *store = s;
    return status;
}

static costab_status pack(void *context, const costab_tile *tile, int field, const void *block,
                          costab_packed *packed, costab_error *error) {
    const costab_store *store = context;
    size_t shape[COSTAB_AXES_MAX];
    costab_tile_shape(store->plan, field, tile, shape);
    return store_chunk_pack(store->chunks[field], shape, block, packed, error);
}

static costab_status commit(void *context, const costab_tile *tile, int field, const costab_packed *packed,
                            costab_error *error) {
    costab_store *store = context;
    const costab_field *f = &store->plan->fields[field];
    hsize_t offset[COSTAB_AXES_MAX];
    size_t size;
    const void *bytes = store_chunk_bytes(store->chunks[field], packed, &size);
    for (int i = 0; i < f->rank; i++) offset[i] = tile->start[f->axes[i]];
    store_job job = store_begin("write", store->path, error);
    if (!job.status && H5Dwrite_chunk(store->fields[field], H5P_DEFAULT, 0, offset, size, bytes) < 0)
        store_fail(&job, f->name);
    return store_disk_status(&store->disk, store->path, store_end(&job), error);
}

costab_sink costab_store_sink(costab_store *store) {
    return (costab_sink){.context = store, .pack = pack, .commit = commit};
}
