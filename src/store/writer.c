/* Writing a results file, by the HDF5 library's default driver.
 *
 *  1. A draft under a hidden name in the target's folder (base/file.h), once the disk has room for it.
 *  2. A child process (base/guard.h) in which HDF5 writes its structure (layout.c) into the draft, then each
 *     packed chunk as it is, as it comes from the sink. HDF5 1.10 crashes when it closes a file to which it
 *     could not write: then the child reports the failure and ends without closing.
 *  3. The file is published: synchronised and renamed.
 *
 * Cost: the bytes of the file, copied to the child and written once. */
#include "store/writer.h"

#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/error.h"
#include "base/memory.h"
#include "store/chunk.h"
#include "store/layout.h"
#include "store/served.h"
#include "store/store.h"
#include "sweep/packed.h"
#include "sweep/run.h"

/* Bytes of a results file beside its chunks, at most: the structure, and the index of chunks with its nodes
 * half full. */
#define STRUCTURE_BYTES ((uint64_t)1 << 16)
#define INDEX_BYTES     ((uint64_t)384)

/* "1.5 GB" */
static void put_size(char *words, size_t size, double bytes) {
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB"};
    size_t unit = 0;
    for (bytes /= 1e3; bytes >= 999.5 && unit + 1 < sizeof units / sizeof *units; bytes /= 1e3) unit++;
    (void)snprintf(words, size, "%.3g %s", bytes, units[unit]);
}

costab_status store_check(const char *path, const costab_plan *plan, const costab_store_info *info,
                          costab_error *error) {
    if (!path || !info || !info->title || !info->spec_path || !info->spec_text)
        return error_invalid(
            error, "a results file needs a path, a title, and the name and text of its spec; \"\" will do");
    TRY(store_time_check(error));
    return store_plan_check(plan, error);
}

/* Whether the disk has room for so many bytes of chunks and the rest of the file. */
static costab_status check_room(const costab_store *store, const costab_store_info *info, uint64_t bytes,
                                costab_error *error) {
    const costab_plan *plan = store->plan;
    struct statvfs disk;
    size_t tiles, points;
    char needed[32], there[32];
    if (bytes == 0 || fstatvfs(store->draft.descriptor, &disk) != 0) return COSTAB_OK;
    TRY(costab_plan_size(plan, &tiles, &points, error));
    double wanted = (double)bytes + (double)(STRUCTURE_BYTES + strlen(info->spec_text)) +
                    (double)INDEX_BYTES * (double)tiles * plan->field_count;
    for (int i = 0; i < plan->axis_count; i++) wanted += sizeof(double) * (double)plan->axes[i].count;
    double room = (double)disk.f_bavail * (double)disk.f_frsize;
    if (wanted <= room) return COSTAB_OK;
    put_size(needed, sizeof needed, wanted);
    put_size(there, sizeof there, room);
    return error_set(
        error, COSTAB_IO,
        "cannot write '%s': it needs %s, and %s are free on its disk: free space there, or choose "
        "another output",
        store->path, needed, there);
}

/* ---- In the child */

/* Comes before the bytes of a chunk; size 0: all chunks have come. */
typedef struct order {
    size_t size;
    int field;
    hsize_t offset[COSTAB_AXES_MAX];
} order;

/* The draft, as HDF5 has it open. */
typedef struct written {
    const costab_store *store;
    const costab_store_info *info;
    store_layout layout;
} written;

static void create_file(store_job *job, written *w) {
    if (job->status) return;
    hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
    unsigned tracked = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    if (creation < 0 || access < 0 || H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) < 0 ||
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0 ||
        H5Pset_link_creation_order(creation, tracked) < 0 ||
        H5Pset_attr_creation_order(creation, tracked) < 0 || H5Pset_obj_track_times(creation, false) < 0 ||
        (w->layout.file = H5Fcreate(w->store->draft.name, H5F_ACC_TRUNC, creation, access)) < 0)
        store_fail(job, "the file");
    store_close_all(job, &access, &creation);
}

static costab_status write_structure(written *w, costab_error *error) {
    store_job job = store_begin(true, w->store->path, error);
    create_file(&job, w);
    store_write_layout(&job, &w->layout, w->info);
    return store_end(&job);
}

static costab_status write_chunk(written *w, const order *next, const void *bytes, costab_error *error) {
    store_job job = store_begin(true, w->store->path, error);
    if (!job.status &&
        H5Dwrite_chunk(w->layout.fields[next->field], H5P_DEFAULT, 0, next->offset, next->size, bytes) < 0)
        store_fail(&job, w->store->plan->fields[next->field].name);
    return store_end(&job);
}

static costab_status finish(written *w, costab_error *error) {
    store_job job = store_begin(true, w->store->path, error);
    if (!job.status && H5Fflush(w->layout.file, H5F_SCOPE_LOCAL) < 0) store_fail(&job, "the file");
    if (!job.status) store_close_layout(&job, &w->layout);
    return store_end(&job);
}

/* guard_work. Where the parent is gone nothing is finished. */
static void write_all(int channel, void *context) {
    written *w = context;
    costab_error error = {.status = COSTAB_OK};
    costab_packed bytes = {.size = 0};
    order next = {.size = 0};
    costab_status status = write_structure(w, &error);
    while (!status) {
        if (!guard_get(channel, &next, sizeof next)) return;
        if (next.size == 0) break;
        status = packed_size(&bytes, next.size, &error);
        if (!status && !guard_get(channel, bytes.bytes, next.size)) return;
        if (!status) status = write_chunk(w, &next, bytes.bytes, &error);
    }
    if (!status) status = finish(w, &error);
    (void)store_put_answer(channel, status, NULL, 0, &error);
}

/* ---- In the caller's process */

costab_status store_create(const char *path, const costab_plan *plan, const costab_store_info *info,
                           uint64_t bytes, bool alone, costab_store **created, costab_error *error) {
    costab_store *store = *created = memory_alloc(1, sizeof *store);
    if (!store) return error_memory(error);
    *store = (costab_store){
        .path = memory_copy(path), .plan = plan, .force = info->force, .draft = FILE_DRAFT_NONE};
    const file_terms terms = {
        .force = true, .alone = alone, .named = true}; /* costab_store_may_replace decides */
    costab_status status =
        store->path ? file_create(path, &terms, &store->draft, error) : error_memory(error);
    if (!status) status = check_room(store, info, bytes, error);
    if (!status && H5open() < 0)
        status = error_set(error, COSTAB_IO, "cannot write '%s': HDF5 does not start", path);
    written w = {.store = store, .info = info, .layout = {.plan = plan}};
    if (!status)
        status = guard_start(&(guard_terms){.writes = true}, store->path, "HDF5", write_all, &w,
                             &store->writer, error);
    if (status) costab_store_close(created);
    return status;
}

costab_status costab_store_create(const char *path, const costab_plan *plan, const costab_store_info *info,
                                  uint64_t bytes, costab_store **store, costab_error *error) {
    if (store) *store = NULL;
    if (!store) return error_missing(error, "room for the store");
    TRY(store_check(path, plan, info, error));
    return store_create(path, plan, info, bytes, false, store, error);
}

/* The child's answer: its failure, or that all is written. */
static costab_status get_answer(costab_store *store, costab_error *error) {
    size_t nothing;
    costab_status status = store_get_answer(store->writer, &nothing, error);
    if (status != COSTAB_INVALID) return status;
    return error_set(error, COSTAB_IO, "cannot write '%s': HDF5 crashed, in a process of its own",
                     store->path);
}

/* Where the child takes no more it has failed. */
static costab_status send(costab_store *store, const order *next, const void *bytes, costab_error *error) {
    if (!guard_send(store->writer, next, sizeof *next, NULL) &&
        !guard_send(store->writer, bytes, next->size, NULL))
        return COSTAB_OK;
    return get_answer(store, error);
}

static costab_status pack(void *context, const costab_tile *tile, int field, const void *block,
                          costab_packed *packed, costab_error *error) {
    const costab_store *store = context;
    return store_pack(store->plan, tile, field, block, packed, error);
}

static costab_status commit(void *context, const costab_tile *tile, int field, const costab_packed *packed,
                            costab_error *error) {
    costab_store *store = context;
    const costab_field *f = &store->plan->fields[field];
    order next = {.size = packed->size, .field = field};
    for (int i = 0; i < f->rank; i++) next.offset[i] = tile->start[f->axes[i]];
    return send(store, &next, packed->bytes, error);
}

costab_sink costab_store_sink(costab_store *store) {
    return (costab_sink){.context = store, .pack = pack, .commit = commit};
}

costab_status costab_store_publish(costab_store **published, costab_error *error) {
    costab_store *store = published ? *published : NULL;
    if (!store) return error_missing(error, "a store");
    costab_status status = send(store, &(order){.size = 0}, NULL, error);
    if (!status) status = get_answer(store, error);
    if (!status) status = costab_store_may_replace(store->path, store->force, error);
    if (!status) status = file_publish(&store->draft, store->path, error);
    costab_store_close(published);
    return status;
}

void costab_store_close(costab_store **closed) {
    costab_store *store = closed ? *closed : NULL;
    if (!store) return;
    *closed = NULL;
    guard_end(&store->writer);
    file_discard(&store->draft);
    memory_free_all(store->path, store);
}

costab_status costab_store_write(const char *path, const costab_plan *plan, const costab_store_info *info,
                                 const costab_evaluator *evaluator, int threads, costab_error *error) {
    const costab_run_options options = {.threads = threads};
    ends_by(costab_store_close) costab_store *store = NULL;
    TRY(costab_store_create(path, plan, info, 0, &store, error));
    const costab_sink sink = costab_store_sink(store);
    TRY(costab_run(plan, evaluator, &sink, &options, error));
    return costab_store_publish(&store, error);
}
