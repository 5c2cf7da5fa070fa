/* Reads a results file from an untrusted source.
 *   1. It must be a regular file with the signature of HDF5.
 *   2. HDF5 opens it only in a child process, with little memory and time and without the right to open other
 *      files (served.c).
 *   3. Axes, fields and texts come from there as bytes, and all of them are checked (contents.c); values come
 *      box by box.
 *
 * If the child crashes or hangs, the file is reported as invalid. Also checks whether an existing file may be
 * replaced by a results file (costab_store_may_replace). */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/guard.h"
#include "base/memory.h"
#include "costab/store.h"
#include "store/checkpoint.h"
#include "store/hdf5.h"
#include "store/served.h"
#include "store/store.h"
#include "sweep/run.h"

/* The first 8 bytes of an HDF5 file. */
#define HDF5_MARK "\211HDF\r\n\032\n"

struct costab_results {
    char *path;
    guard *reader;
    store_contents contents;
};

static costab_status get_contents(costab_results *r, size_t file_size, costab_error *error) {
    size_t size = 0;
    TRY(store_get_answer(r->reader, &size, error));
    if (size > store_contents_most(file_size))
        return error_invalid(error, "'%s' is not a results file: it holds too much text", r->path);
    memory_local char *bytes = memory_alloc(size, 1);
    TRY(bytes ? guard_receive(r->reader, bytes, size, error) : error_memory(error));
    return store_contents_take(&r->contents, bytes, size, r->path, error);
}

static costab_status refuse(costab_error *error, const char *path, const char *what) {
    return error_invalid(error, "'%s': %s; give a file that costab sweep wrote", path, what);
}

/* Checks that an open file is a regular file with the signature of HDF5. [out] *size: its size. */
static costab_status check_kind(int descriptor, const char *path, size_t *size, costab_error *error) {
    char head[sizeof HDF5_MARK - 1];
    struct stat info;
    if (fstat(descriptor, &info) != 0) return file_read_error(error, path, errno);
    if (S_ISDIR(info.st_mode)) return refuse(error, path, "a folder, not a results file");
    if (!S_ISREG(info.st_mode)) return refuse(error, path, "not a regular file");
    if (info.st_size == 0) return refuse(error, path, "an empty file, not a results file");
    int number = file_read_at(descriptor, head, sizeof head, 0);
    if (number > 0) return file_read_error(error, path, number);
    if (number == 0 && memcmp(head, CHECKPOINT_MARK, sizeof head) == 0)
        return refuse(
            error, path,
            "not a results file, but tiles of a sweep that is not finished (continue with costab sweep "
            "--resume), or a slice of one (for costab merge)");
    if (number < 0 || memcmp(head, HDF5_MARK, sizeof head) != 0)
        return refuse(error, path, "not an HDF5 file, or damaged at its beginning");
    *size = (size_t)info.st_size;
    return COSTAB_OK;
}

static costab_status check_file(const char *path, size_t *size, costab_error *error) {
    /* Non-blocking, so that a named pipe is refused instead of waited for. */
    int descriptor = file_open(path, O_RDONLY | O_NONBLOCK);
    if (descriptor < 0) return file_read_error(error, path, errno);
    costab_status status = check_kind(descriptor, path, size, error);
    (void)close(descriptor);
    return status;
}

costab_status costab_results_open(const char *path, costab_results **results, costab_error *error) {
    store_serving serving = {.size = 0};
    if (results) *results = NULL;
    if (!path || !results) return error_missing(error, "a path, or space for the results,");
    costab_results *r = *results = memory_alloc(1, sizeof *r);
    if (!r) return error_memory(error);
    serving.path = r->path = memory_copy(path);
    costab_status status = r->path ? check_file(path, &serving.size, error) : error_memory(error);
    if (!status && H5open() < 0) /* here, because the child's initial memory does not count */
        status = error_set(error, COSTAB_IO, "cannot read '%s': HDF5 does not start", path);
    if (!status)
        status = guard_start(&(guard_terms){.writes = false}, r->path, "HDF5", store_serve, &serving,
                             &r->reader, error);
    if (!status) status = get_contents(r, serving.size, error);
    if (status) costab_results_close(results);
    return status;
}

void costab_results_close(costab_results **results) {
    costab_results *r = results ? *results : NULL;
    if (!r) return;
    *results = NULL;
    guard_end(&r->reader);
    store_contents_free(&r->contents);
    memory_free_all(r->path, r);
}

const char *costab_results_title(const costab_results *results) {
    return results ? results->contents.title : "";
}
const char *costab_results_spec_text(const costab_results *results) {
    return results ? results->contents.spec_text : "";
}
const char *costab_results_spec_path(const costab_results *results) {
    return results ? results->contents.spec_path : "";
}
const char *costab_results_figure(const costab_results *results) {
    return results && results->contents.figure ? results->contents.figure : "";
}
const char *costab_results_source(const costab_results *results) {
    return results ? results->contents.source : "";
}
const costab_plan *costab_results_plan(const costab_results *results) {
    return results ? &results->contents.plan : NULL;
}

costab_status costab_results_read(const costab_results *results, int field, const size_t *start,
                                  const size_t *count, void *values, costab_error *error) {
    if (!results || !start || !count || !values)
        return error_missing(error, "a file, a box or space for values");
    const costab_plan *plan = &results->contents.plan;
    store_box box = {.field = field};
    if (field < 0 || field >= plan->field_count)
        return error_invalid(error, "'%s' has no field number %d", results->path, field);
    const costab_field *f = &plan->fields[field];
    size_t wanted = costab_type_size(f->type), size = 0;
    for (int i = 0; i < f->rank; i++) {
        size_t all = plan->axes[f->axes[i]].count;
        if (start[i] >= all || count[i] < 1 || count[i] > all - start[i] || wanted > SIZE_MAX / count[i])
            return error_invalid(error, "field '%s' of '%s' has no such values", f->name, results->path);
        box.start[i] = start[i];
        box.count[i] = count[i];
        wanted *= count[i];
    }
    TRY(guard_send(results->reader, &box, sizeof box, error));
    TRY(store_get_answer(results->reader, &size, error));
    if (size != wanted)
        return error_invalid(error, "'%s' does not hold the values of '%s'", results->path, f->name);
    return guard_receive(results->reader, values, size, error);
}

/* Determines whether costab wrote a file. [out] *reason: why it must not be replaced; NULL if it may be. */
static costab_status find_reason(const char *path, const char **reason, costab_error *error) {
    char head[sizeof HDF5_MARK - 1] = "";
    costab_results *results;
    costab_error why;
    int descriptor = file_open(path, O_RDONLY | O_NONBLOCK);
    ssize_t size = descriptor < 0 ? -1 : pread(descriptor, head, sizeof head, 0);
    int number = size < 0 ? errno : 0;
    if (descriptor >= 0) (void)close(descriptor);
    *reason = NULL;
    if (number) return number == ENOENT ? COSTAB_OK : file_read_error(error, path, number);
    if (size == 0 || memcmp(head, CHECKPOINT_MARK, sizeof head) == 0) return COSTAB_OK;
    *reason = "costab did not write it";
    if (memcmp(head, HDF5_MARK, sizeof head) != 0) return COSTAB_OK;
    costab_status status = costab_results_open(path, &results, &why);
    if (status == COSTAB_MEMORY || status == COSTAB_IO) {
        if (error) *error = why;
        return status;
    }
    *reason = status ? "was changed since costab wrote it, or is from elsewhere"
              : results->contents.listed
                  ? NULL
                  : "its datasets are not those that it lists (files of 0.1.0 list none)";
    costab_results_close(&results);
    return COSTAB_OK;
}

costab_status costab_store_may_replace(const char *path, bool force, costab_error *error) {
    const char *reason = NULL;
    TRY(file_may_replace(path, &(file_terms){.force = true}, error));
    if (!force) TRY(find_reason(path, &reason, error));
    if (!reason) return COSTAB_OK;
    return error_invalid(error,
                         "'%s' is there already, and %s: choose another name, or replace it with --force",
                         path, reason);
}
