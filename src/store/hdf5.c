/* Common functions for writing and reading HDF5: jobs with their first failure, attributes, texts. */
#include "store/hdf5.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

/* Largest text of an attribute: study/plot.c limits the longest, the figure request, to this size. */
#define TEXT_MAX ((size_t)1 << 20)

/* Returns the verb of messages for the job. */
static const char *job_name(const store_job *job) {
    return job->writing ? "write" : "read";
}

store_job store_begin(bool writing, const char *path, costab_error *error) {
    store_job job = {.writing = writing, .path = path, .error = error};
    if (H5Eget_auto2(H5E_DEFAULT, &job.printer, &job.printer_data) < 0 ||
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL) < 0)
        job.status = error_set(error, COSTAB_IO, "cannot %s '%s': HDF5 does not start", job_name(&job), path);
    return job;
}

costab_status store_end(store_job *job) {
    if (H5Eset_auto2(H5E_DEFAULT, job->printer, job->printer_data) < 0) store_fail(job, "the file");
    return job->status;
}

/* First errno and first description in HDF5's list of errors, which starts with the innermost call. */
typedef struct reason {
    int number; /* errno; 0: none */
    char text[256];
} reason;

static herr_t read_entry(unsigned n, const H5E_error2_t *entry, void *data) {
    static const char mark[] = "errno = ";
    reason *r = data;
    (void)n;
    if (!entry->desc) return 0;
    if (r->text[0] == '\0') (void)snprintf(r->text, sizeof r->text, "%s", entry->desc);
    const char *at = strstr(entry->desc, mark);
    if (at && !r->number) r->number = (int)strtol(at + sizeof mark - 1, NULL, 10);
    return 0;
}

void store_fail(store_job *job, const char *part) {
    if (job->status) return;
    reason r = {0};
    if (H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, read_entry, &r) < 0 || r.text[0] == '\0')
        (void)snprintf(r.text, sizeof r.text, "HDF5 gives no reason");
    if (r.number == ENOLCK || r.number == EOPNOTSUPP || r.number == ENOSYS)
        job->status =
            error_set(job->error, COSTAB_IO,
                      "cannot %s '%s': the file system does not lock files (%s); set the environment "
                      "variable HDF5_USE_FILE_LOCKING=FALSE, or use another folder",
                      job_name(job), job->path, strerror(r.number));
    else if (r.number && job->writing)
        job->status = file_error(job->error, "write", job->path, r.number);
    else if (r.number)
        job->status = file_read_error(job->error, job->path, r.number);
    else
        job->status = error_set(job->error, job->writing ? COSTAB_IO : COSTAB_INVALID,
                                "cannot %s %s of '%s': %s", job_name(job), part, job->path, r.text);
}

void store_close(store_job *job, hid_t *id) {
    hid_t closed = *id;
    *id = -1;
    if (closed >= 0 && H5Idec_ref(closed) < 0) store_fail(job, "the file");
}

void store_close_list(store_job *job, hid_t *const *ids, size_t count) {
    for (size_t i = 0; i < count; i++) store_close(job, ids[i]);
}

hid_t store_made(hid_t id, bool good) {
    if (good || id < 0) return id;
    (void)H5Idec_ref(id);
    return -1;
}

hid_t store_string_type(void) {
    hid_t type = H5Tcopy(H5T_C_S1);
    return store_made(type, type >= 0 && H5Tset_size(type, H5T_VARIABLE) >= 0 &&
                                H5Tset_cset(type, H5T_CSET_UTF8) >= 0);
}

/* Makes transfer properties with a small buffer: HDF5 clears the whole buffer before it converts strings, and
 * the default buffer has 1 MiB. */
static hid_t string_transfer(void) {
    enum { BYTES = 4096 };
    hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
    return store_made(transfer, transfer >= 0 && H5Pset_buffer(transfer, BYTES, NULL, NULL) >= 0);
}

bool store_write_all(hid_t dataset, hid_t type, const void *values) {
    hid_t transfer = string_transfer();
    bool good = transfer >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, transfer, values) >= 0;
    return (transfer < 0 || H5Pclose(transfer) >= 0) && good;
}

bool store_read_all(hid_t dataset, hid_t type, void *values) {
    hid_t transfer = string_transfer();
    bool good = transfer >= 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, transfer, values) >= 0;
    return (transfer < 0 || H5Pclose(transfer) >= 0) && good;
}

void store_put(store_job *job, hid_t object, const char *name, hid_t type, size_t count, const void *values) {
    if (job->status) return;
    hsize_t extent = count;
    hid_t space = count > 0 ? H5Screate_simple(1, &extent, NULL) : H5Screate(H5S_SCALAR), attribute = -1;
    if (type < 0 || space < 0 ||
        (attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT)) < 0 ||
        H5Awrite(attribute, type, values) < 0)
        store_fail(job, name);
    store_close_all(job, &attribute, &space);
}

/* Like netCDF, uses a type of the text's length with NUL padding, so that no reader sees a stray NUL. */
void store_put_text(store_job *job, hid_t object, const char *name, const char *value) {
    if (job->status) return;
    size_t length = strlen(value);
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0 || H5Tset_size(type, length > 0 ? length : 1) < 0 ||
        H5Tset_strpad(type, H5T_STR_NULLPAD) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0)
        store_fail(job, name);
    store_put(job, object, name, type, 0, value);
    store_close(job, &type);
}

char *store_get_text(store_job *job, hid_t object, const char *name) {
    if (job->status || H5Aexists(object, name) <= 0) return NULL;
    char *value = NULL;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = -1, space = -1;
    if (attribute >= 0) {
        type = H5Aget_type(attribute);
        space = H5Aget_space(attribute);
    }
    size_t size = type >= 0 ? H5Tget_size(type) : 0;
    if (space >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
        H5Sget_simple_extent_npoints(space) == 1 && size > 0 && size <= TEXT_MAX) {
        value = memory_alloc(size + 1, 1);
        if (!value)
            job->status = error_memory(job->error);
        else if (H5Aread(attribute, type, value) < 0) {
            store_fail(job, name);
            memory_free(value);
            value = NULL;
        }
    }
    store_close_all(job, &space, &type, &attribute);
    return value;
}
