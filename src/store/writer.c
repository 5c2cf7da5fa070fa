/* Writing a results file: an HDF5 file without a name yet that takes compressed chunks, tile by tile. HDF5
 * begins with the first of them: loading it takes as long as it takes to compute millions of points, and one
 * thread does it while others compute. */
#include "store/writer.h"

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

static void create_file(store_job *job, costab_store *store) {
    if (job->status) return;
    hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = store_access(&store->disk);
    unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    if (creation < 0 || access < 0 || H5Pset_link_creation_order(creation, order) < 0 ||
        H5Pset_attr_creation_order(creation, order) < 0 || H5Pset_obj_track_times(creation, false) < 0 ||
        (store->file = H5Fcreate(store->path, H5F_ACC_TRUNC, creation, access)) < 0)
        store_fail(job, "the file");
    store_close(job, &access);
    store_close(job, &creation);
}

void store_begin_file(store_job *job, costab_store *store) {
    if (store->file >= 0) return;
    create_file(job, store);
    store_write_layout(job, store, &store->info);
}

static costab_store *allocate(const char *path, const costab_plan *plan, const costab_store_info *info) {
    costab_store *s = memory_alloc(1, sizeof *s);
    if (!s) return NULL;
    s->plan = plan;
    s->info = *info;
    s->file = -1;
    s->disk = STORE_DISK_NONE;
    s->draft = FILE_DRAFT_NONE;
    for (int i = 0; i < COSTAB_FIELDS_MAX; i++) s->fields[i] = -1;
    s->path = memory_copy(path);
    if (s->path) return s;
    memory_free(s);
    return NULL;
}

costab_status costab_store_create(const char *path, const costab_plan *plan, const costab_store_info *info,
                                  costab_store **store, costab_error *error) {
    if (!store) return error_missing(error, "room for the store");
    *store = NULL;
    costab_status status = store_info_check(path, info, error);
    if (status) return status;
    costab_store *s = allocate(path, plan, info);
    if (!s) return error_memory(error);
    status = costab_packer_create(plan, &s->packer, error);
    file_terms terms = {.force = info->force, .alone = info->alone};
    if (!status) status = file_create(path, &terms, &s->draft, error);
    s->disk.descriptor = s->draft.descriptor;
    if (status) costab_store_discard(&s);
    *store = s;
    return status;
}

static costab_status pack(void *context, const costab_tile *tile, int field, const void *block,
                          costab_packed *packed, costab_error *error) {
    const costab_store *store = context;
    return costab_packer_pack(store ? store->packer : NULL, tile, field, block, packed, error);
}

/* The numbers of a long axis come with the first tiles along it. */
static void count_on(store_job *job, costab_store *store, const costab_tile *tile, int axis) {
    const costab_axis *a = &store->plan->axes[axis];
    bool counts = axis < store->plan->swept && !a->values && !a->labels;
    if (!counts || tile->start[axis] != store->counted[axis]) return;
    store_put_numbers(job, store, axis, tile->start[axis], tile->count[axis]);
    store->counted[axis] += tile->count[axis];
}

static costab_status commit(void *context, const costab_tile *tile, int field, const costab_packed *packed,
                            costab_error *error) {
    costab_store *store = context;
    if (!store || !tile || !packed) return error_missing(error, "a store, a tile or a packed block");
    if (field < 0 || field >= store->plan->field_count)
        return error_set(error, COSTAB_INVALID, "the plan has no field number %d", field);
    const costab_field *f = &store->plan->fields[field];
    hsize_t offset[COSTAB_AXES_MAX];
    size_t size;
    const void *bytes;
    costab_status status = store_chunk_bytes(store->packer->chunks[field], packed, &bytes, &size, error);
    if (status) return status;
    for (int i = 0; i < f->rank; i++) offset[i] = tile->start[f->axes[i]];
    store_job job = store_begin("write", store->path, error);
    store_begin_file(&job, store);
    for (int i = 0; i < f->rank; i++) count_on(&job, store, tile, f->axes[i]);
    if (!job.status && H5Dwrite_chunk(store->fields[field], H5P_DEFAULT, 0, offset, size, bytes) < 0)
        store_fail(&job, f->name);
    return store_disk_status(&store->disk, store->path, store_end(&job), error);
}

costab_sink costab_store_sink(costab_store *store) {
    return (costab_sink){.context = store, .pack = pack, .commit = commit};
}
