/* Reading a results file. Its seal guards against accidents, not against people:
 *
 *   1. The checksum over the whole file is held against the seal behind it (seal.c).
 *   2. HDF5 sees the file in a child process only, with little memory and time and without the right to open
 *      files (served.c).
 *   3. Axes, fields and texts come from there as bytes, all of which are checked (contents.c); values box by
 *      box.
 *
 * A child that crashes or hangs is a file that cannot be read. */
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/guard.h"
#include "base/memory.h"
#include "costab/store.h"
#include "store/hdf5.h"
#include "store/seal.h"
#include "store/served.h"

struct costab_results {
    char *path;
    guard *reader;
    store_contents contents;
};

/* The child's answer: *size where it is one, else its message as our error. */
static costab_status get_answer(const costab_results *r, size_t *size, costab_error *error) {
    store_answer answer;
    char message[COSTAB_MESSAGE_MAX] = "";
    TRY(guard_receive(r->reader, &answer, sizeof answer, error));
    *size = answer.size;
    if (!answer.status) return COSTAB_OK;
    if (answer.size < sizeof message) TRY(guard_receive(r->reader, message, answer.size, error));
    return error_set(error, (unsigned)answer.status < COSTAB_STATUS_COUNT ? answer.status : COSTAB_INVALID,
                     "%s", message);
}

static costab_status get_contents(costab_results *r, size_t file_size, costab_error *error) {
    size_t size = 0;
    TRY(get_answer(r, &size, error));
    if (size > store_contents_most(file_size))
        return error_invalid(error, "'%s' is not a results file: it holds too much text", r->path);
    memory_local char *bytes = memory_alloc(size, 1);
    TRY(bytes ? guard_receive(r->reader, bytes, size, error) : error_memory(error));
    return store_contents_take(&r->contents, bytes, size, r->path, error);
}

costab_status costab_results_open(const char *path, costab_results **results, costab_error *error) {
    store_serving serving = {.descriptor = -1};
    if (results) *results = NULL;
    if (!path || !results) return error_missing(error, "a path, or room for the results,");
    costab_results *r = *results = memory_alloc(1, sizeof *r);
    if (!r) return error_memory(error);
    serving.path = r->path = memory_copy(path);
    costab_status status =
        r->path ? store_open_sealed(path, &serving.descriptor, &serving.size, error) : error_memory(error);
    if (!status && H5open() < 0) /* here: what the child has at its start does not count as its memory */
        status = error_set(error, COSTAB_IO, "cannot read '%s': HDF5 does not start", path);
    if (!status)
        status = guard_start(&(guard_terms){.writes = false}, r->path, "HDF5", store_serve, &serving,
                             &r->reader, error);
    if (serving.descriptor >= 0) (void)close(serving.descriptor); /* the child has it */
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
const char *costab_results_source(const costab_results *results) {
    return results ? results->contents.source : "";
}
const costab_plan *costab_results_plan(const costab_results *results) {
    return results ? &results->contents.plan : NULL;
}

costab_status costab_results_read(const costab_results *results, int field, const size_t *start,
                                  const size_t *count, void *values, costab_error *error) {
    if (!results || !start || !count || !values)
        return error_missing(error, "a file, a box or room for values");
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
    TRY(get_answer(results, &size, error));
    if (size != wanted)
        return error_invalid(error, "'%s' does not hold the values of '%s'", results->path, f->name);
    return guard_receive(results->reader, values, size, error);
}
