/* A log becomes a results file, without writing a value twice:
 *
 *  1. HDF5 writes its structure (layout.c) behind the log, into the same file, through a driver of our own
 *     (disk.c).
 *  2. Each chunk of the log is adopted: HDF5 is told that it lies there already.
 *  3. HDF5's first bytes take the place of the log's front; the file is opened again as a check.
 *
 * Cost: the structure only. */
#include "store/writer.h"

#include "base/error.h"
#include "base/file.h"

static void create_file(store_job *job, store_file *store) {
    if (job->status) return;
    hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = store_access(&store->disk);
    unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    if (creation < 0 || access < 0 || H5Pset_link_creation_order(creation, order) < 0 ||
        H5Pset_attr_creation_order(creation, order) < 0 || H5Pset_obj_track_times(creation, false) < 0 ||
        (store->file = H5Fcreate(store->path, H5F_ACC_TRUNC, creation, access)) < 0)
        store_fail(job, "the file");
    store_close_all(job, &access, &creation);
}

static void close_file(store_job *job, store_file *store) {
    for (int i = 0; i < COSTAB_FIELDS_MAX; i++) store_close(job, &store->fields[i]);
    store_close(job, &store->file);
}

/* Makes a chunk of the log one of the field. */
static costab_status adopt(void *context, const costab_tile *tile, int field, uint64_t at, uint64_t size,
                           costab_error *error) {
    store_file *store = context;
    const costab_field *f = &store->plan->fields[field];
    hsize_t offset[COSTAB_AXES_MAX];
    for (int i = 0; i < f->rank; i++) offset[i] = tile->start[f->axes[i]];
    store_job job = store_begin(true, store->path, error);
    const void *bytes = store_disk_adopt(&store->disk, at, (size_t)size);
    if (!job.status && H5Dwrite_chunk(store->fields[field], H5P_DEFAULT, 0, offset, (size_t)size, bytes) < 0)
        store_fail(&job, f->name);
    TRY(store_disk_status(&store->disk, store->path, store_end(&job), error));
    if (!store_disk_adopted(&store->disk))
        return error_set(error, COSTAB_IO, "cannot write '%s': HDF5 does not take a chunk where it lies",
                         store->path);
    return COSTAB_OK;
}

/* HDF5 can report success although a write failed. The file is therefore opened again, which fails where it
 * is shorter than its own header says. *size: what that header says, or the file's if that is larger. */
static void reopen(store_job *job, store_file *store, size_t *size) {
    hsize_t found = 0;
    if (job->status) return;
    hid_t access = store_access(&store->disk), file = -1, field = -1;
    if (access < 0 || (file = H5Fopen(store->path, H5F_ACC_RDONLY, access)) < 0 ||
        H5Fget_filesize(file, &found) < 0)
        store_fail(job, "the file");
    for (int i = 0; i < store->plan->field_count && !job->status; i++) {
        if ((field = H5Dopen2(file, store->plan->fields[i].name, H5P_DEFAULT)) < 0)
            store_fail(job, store->plan->fields[i].name);
        store_close(job, &field);
    }
    store_close_all(job, &file, &access);
    *size = (size_t)found;
}

costab_status store_write_around(const costab_checkpoint *log, size_t *size, costab_error *error) {
    store_file store = {.path = log->path, .plan = log->plan, .disk = STORE_DISK_NONE, .file = -1};
    const checkpoint_visitor visitor = {.context = &store, .chunk = adopt};
    size_t next;
    for (int i = 0; i < COSTAB_FIELDS_MAX; i++) store.fields[i] = -1;
    store.disk.descriptor = log->draft.descriptor;
    store.disk.taken = log->end;
    store_job job = store_begin(true, store.path, error);
    create_file(&job, &store);
    store_write_layout(&job, &store, &log->head.info);
    costab_status status = store_disk_status(&store.disk, store.path, store_end(&job), error);
    if (!status) status = checkpoint_visit(log, &visitor, &next, error);
    if (!status && next < log->tiles)
        status = error_set(error, COSTAB_IO, "cannot write '%s': another program changed it", store.path);
    job = store_begin(true, store.path, error);
    if (!status && !job.status && H5Fflush(store.file, H5F_SCOPE_LOCAL) < 0) store_fail(&job, "the file");
    close_file(&job, &store);
    if (!status && !store.disk.number) reopen(&job, &store, size);
    costab_status closed = store_end(&job);
    if (!status) status = store_disk_status(&store.disk, store.path, closed, error);
    store_disk_close(&store.disk);
    return status;
}
