/* Writes a results file with HDF5's default driver.
 *   1. Creates a draft under a hidden name in the target's folder (base/file.h), if the disk has enough
 *      space.
 *   2. A child process (base/guard.h) writes the structure into the draft with HDF5, then each packed chunk
 *      from the sink unchanged. HDF5 1.10 crashes when it closes a file after a failed write: the child then
 *      reports the failure and ends without closing.
 *   3. The file is published: synchronised and renamed.
 *
 * Cost: the bytes of the file, copied to the child and written once. */
#include "store/writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/store.h"
#include "store/chunk.h"
#include "store/hdf5.h"
#include "store/served.h"
#include "store/store.h"
#include "sweep/packed.h"
#include "sweep/run.h"

/* ---- Layout ---- */

/* The functions of this section write the structure of a results file. Axes are HDF5 dimension scales, fields
 * are chunked datasets that refer to them, and all have the attributes that readers of netCDF expect. The
 * attributes of dimension scales are written here, because HDF5's high-level library leaves uninitialised
 * bytes in the file. */

typedef struct store_layout {
    const costab_plan *plan;                                            /* borrowed */
    hid_t file, axes[COSTAB_AXES_MAX], fields[COSTAB_FIELDS_MAX], spec; /* the datasets */
} store_layout;

/* Entry of a scale's REFERENCE_LIST: a field and a dimension; zero-filled before use. */
typedef struct scale_use {
    hobj_ref_t field;
    int dimension;
} scale_use;

/* Number of values in a chunk of an axis. */
enum { AXIS_CHUNK = 4096 };

/* Makes properties that track the order of creation, but not the times of objects, so that the same results
 * give the same bytes. */
static hid_t dataset_properties(void) {
    const unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    return store_made(properties, properties >= 0 && H5Pset_obj_track_times(properties, false) >= 0 &&
                                      H5Pset_attr_creation_order(properties, order) >= 0);
}

static void put_spec(store_job *job, store_layout *layout, const costab_store_info *info) {
    if (job->status) return;
    hid_t type = store_string_type(), space = H5Screate(H5S_SCALAR), properties = dataset_properties();
    if (type < 0 || space < 0 || properties < 0 ||
        (layout->spec =
             H5Dcreate2(layout->file, STORE_SPEC, type, space, H5P_DEFAULT, properties, H5P_DEFAULT)) < 0 ||
        !store_write_all(layout->spec, type, &info->spec_text))
        store_fail(job, STORE_SPEC);
    store_put_text(job, layout->spec, "long_name", "the sweep's spec, as it was read");
    store_put_text(job, layout->spec, STORE_SPEC_PATH, info->spec_path);
    store_close_all(job, &properties, &space, &type);
}

static void put_about(store_job *job, const store_layout *layout, const costab_store_info *info) {
    store_put_text(job, layout->file, "Conventions", "CF-1.10");
    store_put_text(job, layout->file, "title", info->title);
    store_put_text(job, layout->file, "source", "costab " COSTAB_VERSION);
    store_put_text(job, layout->file, "revision", costab_revision());
    if (info->references) store_put_text(job, layout->file, "references", info->references);
    if (info->figure) store_put_text(job, layout->file, STORE_FIGURE, info->figure);
}

/* Writes the values of an axis of numbers chunk by chunk, because it may be long; without values the axis
 * counts from 0. */
static void put_numbers(store_job *job, hid_t dataset, const costab_axis *axis) {
    hsize_t extent = axis->count;
    if (job->status) return;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    bool good = space >= 0;
    for (size_t done = 0; done < axis->count && good; done += AXIS_CHUNK) {
        double numbers[AXIS_CHUNK];
        hsize_t at = done, size = axis->count - done < AXIS_CHUNK ? axis->count - done : AXIS_CHUNK;
        for (size_t i = 0; i < size; i++) numbers[i] = axis->values ? axis->values[at + i] : (double)(at + i);
        hid_t memory = H5Screate_simple(1, &size, NULL);
        good = memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, NULL, &size, NULL) >= 0 &&
               H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers) >= 0;
        store_close(job, &memory);
    }
    if (!good) store_fail(job, axis->name);
    store_close(job, &space);
}

/* Writes an axis: numbers with a unit, or labels. */
static hid_t put_axis(store_job *job, const store_layout *layout, int number) {
    const costab_axis *axis = &layout->plan->axes[number];
    if (job->status) return -1;
    hsize_t extent = axis->count;
    hid_t type = axis->labels ? store_string_type() : H5Tcopy(H5T_NATIVE_DOUBLE);
    hid_t space = H5Screate_simple(1, &extent, NULL), properties = dataset_properties(), dataset = -1;
    const hsize_t chunk = axis->count < AXIS_CHUNK ? axis->count : AXIS_CHUNK;
    if (type < 0 || space < 0 || properties < 0 ||
        (!axis->labels && (H5Pset_chunk(properties, 1, &chunk) < 0 || H5Pset_fletcher32(properties) < 0)) ||
        (dataset = H5Dcreate2(layout->file, axis->name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT)) <
            0 ||
        (axis->labels && !store_write_all(dataset, type, axis->labels)))
        store_fail(job, axis->name);
    if (!axis->labels) put_numbers(job, dataset, axis);
    store_close_all(job, &properties, &space, &type);
    if (axis->long_name) store_put_text(job, dataset, "long_name", axis->long_name);
    if (!axis->labels) store_put_text(job, dataset, "units", axis->unit ? axis->unit : "1");
    return dataset;
}

/* Sets the value of points that are never written: NaN, or the code of a point that was not computed. */
static bool set_fill(hid_t properties, const costab_field *field) {
    double nothing = (double)NAN;
    if (field->type == COSTAB_F64) return H5Pset_fill_value(properties, H5T_NATIVE_DOUBLE, &nothing) >= 0;
    return H5Pset_fill_value(properties, H5T_NATIVE_UINT8, &field->fill) >= 0;
}

/* Creates the dataset of a field without values. Its filters are those of chunk.c. */
static hid_t create_field(store_job *job, const store_layout *layout, int index) {
    if (job->status) return -1;
    const costab_field *field = &layout->plan->fields[index];
    size_t shape[COSTAB_AXES_MAX];
    hsize_t extent[COSTAB_AXES_MAX], chunk[COSTAB_AXES_MAX];
    costab_tile_shape(layout->plan, index, NULL, shape);
    for (int i = 0; i < field->rank; i++) {
        extent[i] = layout->plan->axes[field->axes[i]].count;
        chunk[i] = shape[i];
    }
    bool doubles = field->type == COSTAB_F64, packed = store_is_compressed(layout->plan, index);
    hid_t type = doubles ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT8, properties = dataset_properties();
    hid_t space = H5Screate_simple(field->rank, extent, NULL), dataset = -1;
    if (space < 0 || properties < 0 || H5Pset_chunk(properties, field->rank, chunk) < 0 ||
        (doubles && packed && H5Pset_shuffle(properties) < 0) ||
        (packed && H5Pset_deflate(properties, STORE_DEFLATE_LEVEL) < 0) ||
        H5Pset_fletcher32(properties) < 0 || !set_fill(properties, field) ||
        (dataset = H5Dcreate2(layout->file, field->name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT)) <
            0)
        store_fail(job, field->name);
    store_close_all(job, &space, &properties);
    return dataset;
}

/* Writes DIMENSION_LIST: one scale for every dimension. */
static void put_dimension_list(store_job *job, const store_layout *layout, int index) {
    if (job->status) return;
    const costab_field *field = &layout->plan->fields[index];
    hobj_ref_t scales[COSTAB_AXES_MAX];
    hvl_t lists[COSTAB_AXES_MAX];
    bool good = true;
    for (int i = 0; i < field->rank; i++) {
        const char *axis = layout->plan->axes[field->axes[i]].name;
        good = good && H5Rcreate(&scales[i], layout->file, axis, H5R_OBJECT, -1) >= 0;
        lists[i] = (hvl_t){.len = 1, .p = &scales[i]};
    }
    hid_t type = good ? H5Tvlen_create(H5T_STD_REF_OBJ) : -1;
    store_put(job, layout->fields[index], "DIMENSION_LIST", type, (size_t)field->rank, lists);
    store_close(job, &type);
}

static void put_dimension_labels(store_job *job, const store_layout *layout, int index) {
    if (job->status) return;
    const costab_field *field = &layout->plan->fields[index];
    const char *labels[COSTAB_AXES_MAX];
    for (int i = 0; i < field->rank; i++) labels[i] = layout->plan->axes[field->axes[i]].name;
    hid_t type = store_string_type();
    store_put(job, layout->fields[index], "DIMENSION_LABELS", type, (size_t)field->rank, labels);
    store_close(job, &type);
}

static void put_field_attributes(store_job *job, const store_layout *layout, int index) {
    const costab_field *field = &layout->plan->fields[index];
    hid_t dataset = layout->fields[index];
    put_dimension_list(job, layout, index);
    put_dimension_labels(job, layout, index);
    if (field->long_name) store_put_text(job, dataset, "long_name", field->long_name);
    store_put_text(job, dataset, "units", field->unit != NULL ? field->unit : "1");
    if (field->codes == COSTAB_CODES_NONE) return;
    store_put(job, dataset, field->codes == COSTAB_CODES_MASKS ? "flag_masks" : "flag_values", H5T_STD_U8LE,
              (size_t)field->code_count, field->code_values);
    store_put_text(job, dataset, "flag_meanings", field->code_meanings);
}

static hid_t scale_use_type(void) {
    hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(scale_use));
    return store_made(
        type, type >= 0 && H5Tinsert(type, "dataset", HOFFSET(scale_use, field), H5T_STD_REF_OBJ) >= 0 &&
                  H5Tinsert(type, "dimension", HOFFSET(scale_use, dimension), H5T_NATIVE_INT) >= 0);
}

/* Finds the fields that use an axis. Returns their number, or -1 after a failure. */
static int find_uses(const store_layout *layout, int axis, scale_use *uses) {
    int count = 0;
    for (int f = 0; f < layout->plan->field_count; f++) {
        const costab_field *field = &layout->plan->fields[f];
        for (int i = 0; i < field->rank; i++) {
            if (field->axes[i] != axis) continue;
            if (H5Rcreate(&uses[count].field, layout->file, field->name, H5R_OBJECT, -1) < 0) return -1;
            uses[count++].dimension = i;
        }
    }
    return count;
}

/* Makes a dataset a dimension scale with references to its fields. */
static void put_scale(store_job *job, const store_layout *layout, int axis) {
    static const char kind[] = "DIMENSION_SCALE";
    if (job->status) return;
    scale_use uses[COSTAB_FIELDS_MAX];
    memset(uses, 0, sizeof uses);
    int count = find_uses(layout, axis, uses);
    hid_t word = H5Tcopy(H5T_C_S1), type = scale_use_type();
    if (count < 0 || word < 0 || H5Tset_size(word, sizeof kind) < 0)
        store_fail(job, layout->plan->axes[axis].name);
    store_put(job, layout->axes[axis], "CLASS", word, 0, kind);
    store_put_text(job, layout->axes[axis], "NAME", layout->plan->axes[axis].name);
    if (count > 0) store_put(job, layout->axes[axis], "REFERENCE_LIST", type, (size_t)count, uses);
    store_close_all(job, &type, &word);
}

/* Writes the names of all objects, so that objects added by users are recognised. */
static void put_list(store_job *job, const store_layout *layout) {
    const costab_plan *plan = layout->plan;
    const char *names[COSTAB_AXES_MAX + COSTAB_FIELDS_MAX + 1];
    size_t count = 0;
    for (int i = 0; i < plan->axis_count; i++) names[count++] = plan->axes[i].name;
    for (int i = 0; i < plan->field_count; i++) names[count++] = plan->fields[i].name;
    names[count++] = STORE_SPEC;
    hid_t type = store_string_type();
    store_put(job, layout->file, STORE_DATASETS, type, count, names);
    store_close(job, &type);
}

/* Writes everything but the values of the fields into the new file: attributes, axes, the spec, and empty
 * fields with their axes. Leaves all datasets open. */
static void store_write_layout(store_job *job, store_layout *layout, const costab_store_info *info) {
    const costab_plan *plan = layout->plan;
    put_about(job, layout, info);
    put_list(job, layout);
    for (int i = 0; i < plan->axis_count; i++) layout->axes[i] = put_axis(job, layout, i);
    for (int i = 0; i < plan->field_count; i++) layout->fields[i] = create_field(job, layout, i);
    for (int i = 0; i < plan->field_count; i++) put_field_attributes(job, layout, i);
    for (int i = 0; i < plan->axis_count; i++) put_scale(job, layout, i);
    put_spec(job, layout, info);
}

/* Closes the datasets and the file. */
static void store_close_layout(store_job *job, store_layout *layout) {
    for (int i = 0; i < layout->plan->axis_count; i++) store_close(job, &layout->axes[i]);
    for (int i = 0; i < layout->plan->field_count; i++) store_close(job, &layout->fields[i]);
    store_close_all(job, &layout->spec, &layout->file);
}

/* ---- Writing ---- */

/* Largest number of bytes in addition to the chunks: of the structure without spec and axes, and per chunk of
 * HDF5's index of chunks with its nodes half full. */
#define STRUCTURE_BYTES ((uint64_t)1 << 16)
#define INDEX_BYTES     ((uint64_t)384)

/* Writes a number of bytes like "1.5 GB". */
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
    return store_plan_check(plan, error);
}

/* Checks that the disk has space for `bytes` bytes of chunks and the rest of the file. */
static costab_status check_space(const costab_store *store, const costab_store_info *info, uint64_t bytes,
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
    double space = (double)disk.f_bavail * (double)disk.f_frsize;
    if (wanted <= space) return COSTAB_OK;
    put_size(needed, sizeof needed, wanted);
    put_size(there, sizeof there, space);
    return error_set(
        error, COSTAB_IO,
        "cannot write '%s': it needs %s, and %s are free on its disk: free space there, or choose "
        "another output",
        store->path, needed, there);
}

/* ---- In the child */

/* Header before the bytes of a chunk on the channel to the child; size 0: no more chunks follow. */
typedef struct chunk_header {
    size_t size;
    int field;
    hsize_t offset[COSTAB_AXES_MAX]; /* start of the chunk along the axes of the field */
} chunk_header;

/* The draft that the child writes with HDF5. */
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

static costab_status write_chunk(written *w, const chunk_header *next, const void *bytes,
                                 costab_error *error) {
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

/* Work of the child (guard_work). If the parent has ended, the file is not finished. */
static void write_all(int channel, void *context) {
    written *w = context;
    costab_error error = {.status = COSTAB_OK};
    costab_packed bytes = {.size = 0};
    chunk_header next = {.size = 0};
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
    if (!status) status = check_space(store, info, bytes, error);
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
    if (!store) return error_missing(error, "space for the store");
    TRY(store_check(path, plan, info, error));
    return store_create(path, plan, info, bytes, false, store, error);
}

/* Reads the child's answer: its failure, or success. */
static costab_status get_answer(costab_store *store, costab_error *error) {
    size_t nothing;
    costab_status status = store_get_answer(store->writer, &nothing, error);
    if (status != COSTAB_INVALID) return status;
    return error_set(error, COSTAB_IO, "cannot write '%s': HDF5 crashed, in a process of its own",
                     store->path);
}

/* Sends a header and the bytes of a chunk to the child. If that fails, returns the failure of the child. */
static costab_status send(costab_store *store, const chunk_header *next, const void *bytes,
                          costab_error *error) {
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
    chunk_header next = {.size = packed->size, .field = field};
    for (int i = 0; i < f->rank; i++) next.offset[i] = tile->start[f->axes[i]];
    return send(store, &next, packed->bytes, error);
}

costab_sink costab_store_sink(costab_store *store) {
    return (costab_sink){.context = store, .pack = pack, .commit = commit};
}

costab_status costab_store_publish(costab_store **published, costab_error *error) {
    costab_store *store = published ? *published : NULL;
    if (!store) return error_missing(error, "a store");
    costab_status status = send(store, &(chunk_header){.size = 0}, NULL, error);
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
