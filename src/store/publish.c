/* The end of a store. It is closed, opened again as a check, sealed and renamed; or it is closed and removed.
 */
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "store/seal.h"
#include "store/writer.h"

static void close_file(store_job *job, costab_store *store) {
    for (int i = 0; i < COSTAB_FIELDS_MAX; i++) store_close(job, &store->fields[i]);
    store_close(job, &store->file);
}

static void release(costab_store **store) {
    costab_store *s = *store;
    *store = NULL;
    store_disk_close(&s->disk);
    costab_packer_destroy(&s->packer);
    file_discard(&s->draft);
    memory_free(s->path);
    memory_free(s);
}

/* HDF5 can report success although a write failed. The file is therefore opened again, which fails where it
 * is shorter than its own header says. *size: what that header says, or the file's if that is larger. */
static void reopen(store_job *job, costab_store *store, hsize_t *size) {
    if (job->status) return;
    hid_t access = store_access(&store->disk), file = -1, field = -1;
    if (access < 0 || (file = H5Fopen(store->path, H5F_ACC_RDONLY, access)) < 0 ||
        H5Fget_filesize(file, size) < 0)
        store_fail(job, "the file");
    for (int i = 0; i < store->plan->field_count && !job->status; i++) {
        if ((field = H5Dopen2(file, store->plan->fields[i].name, H5P_DEFAULT)) < 0)
            store_fail(job, store->plan->fields[i].name);
        store_close(job, &field);
    }
    store_close(job, &file);
    store_close(job, &access);
}

costab_status costab_store_publish(costab_store **store, costab_error *error) {
    costab_store *s = store ? *store : NULL;
    hsize_t size = 0;
    if (!s) return error_missing(error, "a store");
    store_job job = store_begin("write", s->path, error);
    store_begin_file(&job, s);
    if (!job.status && H5Fflush(s->file, H5F_SCOPE_LOCAL) < 0) store_fail(&job, "the file");
    close_file(&job, s);
    if (!s->disk.number) reopen(&job, s, &size);
    costab_status status = store_disk_status(&s->disk, s->path, store_end(&job), error);
    if (!status) status = store_seal(s->draft.descriptor, s->path, (size_t)size, error);
    if (!status) status = file_publish(&s->draft, s->path, error);
    release(store);
    return status;
}

void costab_store_discard(costab_store **store) {
    if (!store || !*store) return;
    if ((*store)->file >= 0) { /* else HDF5 has not begun */
        store_job job = store_begin("write", (*store)->path, NULL);
        close_file(&job, *store);
        (void)store_end(&job); /* the file goes away in any case */
    }
    release(store);
}
