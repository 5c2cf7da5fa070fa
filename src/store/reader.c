/* Reading a results file. Nothing in it is believed: HDF5 sees it only if its seal is whole, and then names,
 * types, extents and links of axes and fields are checked, and sizes held against the file's own, before any
 * allocation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/store.h"
#include "store/hdf5.h"
#include "store/seal.h"

/* The longest label, and the longest spec, that a file may have. */
#define LABEL_MAX ((size_t)1 << 16)
#define SPEC_MAX  ((size_t)1 << 26)
/* A chunk cache of this size or of a few chunks, so that reading row by row inflates each chunk once. */
#define CACHE_BYTES  ((size_t)1 << 23)
#define CACHE_CHUNKS 4
#define CACHE_SLOTS  521

struct costab_results {
    char *path;
    size_t size; /* of the HDF5 data */
    hid_t file;
    hid_t fields[COSTAB_FIELDS_MAX];
    costab_plan plan;
    char *title, *source, *spec_text, *spec_path;
    char *axis_names[COSTAB_AXES_MAX], *axis_units[COSTAB_AXES_MAX];
    char *field_names[COSTAB_FIELDS_MAX], *meanings[COSTAB_FIELDS_MAX];
};

static void refuse(store_job *job, const char *name, const char *why) {
    if (!job->status)
        job->status = error_set(job->error, COSTAB_INVALID, "'%s' is not a results file: '%.*s' %s",
                                job->path, COSTAB_NAME_MAX, name, why);
}

static void out_of_memory(store_job *job) {
    if (!job->status) job->status = error_memory(job->error);
}

/* Reads `count` strings of a dataset or attribute whose space has that many; the file's own size bounds them.
 */
static void copy_strings(store_job *job, char **from, size_t count, size_t limit, const char *name,
                         char **to) {
    for (size_t i = 0; i < count && !job->status; i++) {
        size_t length = from[i] ? strlen(from[i]) : 0;
        if (length > limit)
            refuse(job, name, "holds a text that is too long");
        else if (!(to[i] = memory_copy(from[i] ? from[i] : "")))
            out_of_memory(job);
    }
}

/* Reads all `count` strings of a dataset. (H5Dvlen_get_buf_size would tell their length before, but HDF5 1.10
 * writes beyond its buffer there on scalars.) */
static void read_strings(store_job *job, hid_t dataset, size_t count, size_t limit, const char *name,
                         char **to) {
    if (job->status) return;
    hid_t type = store_string_type(), space = H5Dget_space(dataset), found = H5Dget_type(dataset);
    char **raw = NULL;
    if (type < 0 || space < 0 || found < 0)
        store_fail(job, name);
    else if (H5Tis_variable_str(found) <= 0)
        refuse(job, name, "does not hold texts");
    else if (!(raw = memory_alloc(count, sizeof *raw)))
        out_of_memory(job);
    else if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw) < 0)
        store_fail(job, name);
    else {
        copy_strings(job, raw, count, limit, name, to);
        if (H5Dvlen_reclaim(type, space, H5P_DEFAULT, raw) < 0) store_fail(job, name);
    }
    memory_free(raw);
    store_close(job, &found);
    store_close(job, &space);
    store_close(job, &type);
}

/* The extent of a dataset: its rank, or -1 where that is above COSTAB_AXES_MAX or an extent is 0. */
static int get_extent(store_job *job, hid_t dataset, const char *name, hsize_t *extent) {
    hid_t space = H5Dget_space(dataset);
    int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    if (rank < 0)
        store_fail(job, name);
    else if (rank > COSTAB_AXES_MAX)
        rank = -1;
    else if (H5Sget_simple_extent_dims(space, extent, NULL) < 0)
        store_fail(job, name);
    for (int i = 0; i < rank; i++)
        if (extent[i] == 0) rank = -1;
    store_close(job, &space);
    return rank;
}

static bool is_type(store_job *job, hid_t dataset, hid_t wanted) {
    hid_t type = H5Dget_type(dataset);
    bool same = type >= 0 && H5Tequal(type, wanted) > 0;
    store_close(job, &type);
    return same;
}

static void read_axis(store_job *job, costab_results *r, hid_t dataset, const char *name) {
    int index = r->plan.axis_count;
    hsize_t extent[COSTAB_AXES_MAX];
    int rank = get_extent(job, dataset, name, extent);
    if (rank != 1)
        refuse(job, name, "is an axis with other than one dimension");
    else if (index == COSTAB_AXES_MAX)
        refuse(job, name, "is an axis too many");
    else if (extent[0] > r->size / sizeof(double))
        refuse(job, name, "is longer than the file");
    if (job->status) return;
    costab_axis *axis = &r->plan.axes[index];
    r->plan.axis_count++;
    (void)snprintf(axis->name, sizeof axis->name, "%s", name);
    axis->count = (size_t)extent[0];
    r->axis_names[index] = store_get_text(job, dataset, "long_name");
    axis->long_name = r->axis_names[index];
    r->axis_units[index] = store_get_text(job, dataset, "units");
    if (r->axis_units[index] && strcmp(r->axis_units[index], "1") != 0) axis->unit = r->axis_units[index];
    if (is_type(job, dataset, H5T_NATIVE_DOUBLE)) {
        axis->values = memory_alloc(axis->count, sizeof *axis->values);
        if (!axis->values)
            out_of_memory(job);
        else if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, axis->values) < 0)
            store_fail(job, name);
    } else {
        axis->labels = memory_alloc(axis->count, sizeof *axis->labels);
        if (!axis->labels) out_of_memory(job);
        read_strings(job, dataset, axis->count, LABEL_MAX, name, axis->labels);
    }
}

static void read_spec(store_job *job, costab_results *r, hid_t dataset) {
    hsize_t extent[COSTAB_AXES_MAX];
    if (get_extent(job, dataset, STORE_SPEC, extent) != 0) refuse(job, STORE_SPEC, "is not one text");
    read_strings(job, dataset, 1, r->size < SPEC_MAX ? r->size : SPEC_MAX, STORE_SPEC, &r->spec_text);
    r->spec_path = store_get_text(job, dataset, STORE_SPEC_PATH);
}

static int find_axis(const costab_plan *plan, const char *name) {
    for (int i = 0; i < plan->axis_count; i++)
        if (strcmp(plan->axes[i].name, name) == 0) return i;
    return -1;
}

/* Which axes a field has: by their names in DIMENSION_LABELS, held against its extent. */
static void read_field_axes(store_job *job, costab_results *r, hid_t dataset, costab_field *field) {
    hsize_t extent[COSTAB_AXES_MAX];
    char *labels[COSTAB_AXES_MAX] = {NULL};
    int rank = get_extent(job, dataset, field->name, extent);
    if (rank < 1) refuse(job, field->name, "is a field with impossible dimensions");
    if (job->status) return;
    hid_t type = store_string_type(), space = -1, found = -1;
    hid_t attribute = H5Aopen(dataset, "DIMENSION_LABELS", H5P_DEFAULT);
    if (attribute >= 0) {
        space = H5Aget_space(attribute);
        found = H5Aget_type(attribute);
    }
    if (type < 0 || space < 0 || found < 0 || H5Tis_variable_str(found) <= 0 ||
        H5Sget_simple_extent_npoints(space) != rank || H5Aread(attribute, type, labels) < 0)
        refuse(job, field->name, "is a field without names of its axes");
    field->rank = rank;
    for (int i = 0; i < rank && !job->status; i++) {
        int axis = labels[i] ? find_axis(&r->plan, labels[i]) : -1;
        if (axis < 0 || r->plan.axes[axis].count != extent[i] || (i > 0 && axis <= field->axes[i - 1]))
            refuse(job, field->name, "is a field that does not fit its axes");
        field->axes[i] = axis;
    }
    if (labels[0] && H5Dvlen_reclaim(type, space, H5P_DEFAULT, labels) < 0) store_fail(job, field->name);
    store_close(job, &attribute);
    store_close(job, &found);
    store_close(job, &space);
    store_close(job, &type);
}

/* The chunks become the plan's tiles, and must be of a size that can be inflated in memory. */
static void read_chunks(store_job *job, costab_results *r, hid_t dataset, costab_field *field) {
    if (job->status) return;
    hsize_t chunk[COSTAB_AXES_MAX] = {0};
    hid_t properties = H5Dget_create_plist(dataset);
    if (properties < 0 || H5Pget_layout(properties) != H5D_CHUNKED ||
        H5Pget_chunk(properties, COSTAB_AXES_MAX, chunk) != field->rank)
        refuse(job, field->name, "is a field without chunks");
    else if (field->type == COSTAB_U8 && H5Pget_fill_value(properties, H5T_NATIVE_UINT8, &field->fill) < 0)
        store_fail(job, field->name);
    for (int i = 0; i < field->rank && !job->status; i++) {
        int axis = field->axes[i];
        if (chunk[i] > r->plan.axes[axis].count)
            refuse(job, field->name, "is a field with impossible chunks");
        else if (chunk[i] > r->plan.tile_shape[axis])
            r->plan.tile_shape[axis] = (size_t)chunk[i];
    }
    store_close(job, &properties);
}

static bool read_codes(store_job *job, hid_t dataset, const char *name, costab_field *field) {
    if (job->status || H5Aexists(dataset, name) <= 0) return false;
    hid_t attribute = H5Aopen(dataset, name, H5P_DEFAULT), space = -1;
    if (attribute >= 0) space = H5Aget_space(attribute);
    hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    if (count < 1 || (size_t)count > sizeof field->code_values)
        refuse(job, field->name, "has impossible flags");
    else if (H5Aread(attribute, H5T_NATIVE_UINT8, field->code_values) < 0)
        store_fail(job, name);
    field->code_count = (int)count;
    store_close(job, &space);
    store_close(job, &attribute);
    return !job->status;
}

static void read_field(store_job *job, costab_results *r, hid_t dataset, const char *name) {
    int index = r->plan.field_count;
    if (index == COSTAB_FIELDS_MAX) refuse(job, name, "is a field too many");
    if (job->status) return;
    costab_field *field = &r->plan.fields[index];
    r->plan.field_count++;
    (void)snprintf(field->name, sizeof field->name, "%s", name);
    if (is_type(job, dataset, H5T_NATIVE_UINT8))
        field->type = COSTAB_U8;
    else if (is_type(job, dataset, H5T_NATIVE_DOUBLE))
        field->type = COSTAB_F64;
    else
        refuse(job, name, "is a field of an unknown type");
    read_field_axes(job, r, dataset, field);
    read_chunks(job, r, dataset, field);
    r->field_names[index] = store_get_text(job, dataset, "long_name");
    r->meanings[index] = store_get_text(job, dataset, "flag_meanings");
    field->long_name = r->field_names[index];
    field->code_meanings = r->meanings[index];
    if (read_codes(job, dataset, "flag_values", field))
        field->codes = COSTAB_CODES_VALUES;
    else if (read_codes(job, dataset, "flag_masks", field))
        field->codes = COSTAB_CODES_MASKS;
    if (field->codes != COSTAB_CODES_NONE && !field->code_meanings)
        refuse(job, name, "has flags without meanings");
}

/* Opened again with a cache that its chunks fit in. */
static void open_field(store_job *job, costab_results *r, int index) {
    if (job->status) return;
    const costab_field *field = &r->plan.fields[index];
    size_t bytes = costab_type_size(field->type) * CACHE_CHUNKS;
    for (int i = 0; i < field->rank; i++) {
        size_t extent = r->plan.tile_shape[field->axes[i]];
        bytes = extent > SIZE_MAX / bytes ? SIZE_MAX : bytes * extent;
    }
    if (bytes > CACHE_CHUNKS * ((size_t)1 << 32))
        refuse(job, field->name, "is a field with impossible chunks");
    if (bytes < CACHE_BYTES) bytes = CACHE_BYTES;
    hid_t access = job->status ? -1 : H5Pcreate(H5P_DATASET_ACCESS);
    if (!job->status &&
        (access < 0 || H5Pset_chunk_cache(access, CACHE_SLOTS, bytes, H5D_CHUNK_CACHE_W0_DEFAULT) < 0 ||
         (r->fields[index] = H5Dopen2(r->file, field->name, access)) < 0))
        store_fail(job, field->name);
    store_close(job, &access);
}

typedef enum pass { PASS_AXES, PASS_FIELDS } pass;

static void read_object(store_job *job, costab_results *r, const char *name, pass which) {
    hid_t dataset = H5Dopen2(r->file, name, H5P_DEFAULT);
    if (dataset < 0) {
        refuse(job, name, "is not a dataset");
        return;
    }
    bool scale = H5Aexists(dataset, "CLASS") > 0, spec = strcmp(name, STORE_SPEC) == 0;
    if (which == PASS_AXES && spec)
        read_spec(job, r, dataset);
    else if (which == PASS_AXES && scale)
        read_axis(job, r, dataset, name);
    else if (which == PASS_FIELDS && !spec && !scale)
        read_field(job, r, dataset, name);
    store_close(job, &dataset);
}

/* All objects at the root, in the order in which they were made. */
static void read_objects(store_job *job, costab_results *r, pass which) {
    H5G_info_t group;
    if (job->status) return;
    if (H5Gget_info(r->file, &group) < 0) {
        store_fail(job, "the file");
        return;
    }
    for (hsize_t i = 0; i < group.nlinks && !job->status; i++) {
        char name[COSTAB_NAME_MAX];
        ssize_t length = H5Lget_name_by_idx(r->file, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, name,
                                            sizeof name, H5P_DEFAULT);
        if (length < 1)
            store_fail(job, "the file");
        else if ((size_t)length >= sizeof name)
            refuse(job, name, "is a name that is too long");
        else
            read_object(job, r, name, which);
    }
}

static void read_about(store_job *job, costab_results *r) {
    char *program = store_get_text(job, r->file, "source");
    char *revision = store_get_text(job, r->file, "revision");
    r->title = store_get_text(job, r->file, "title");
    if (!program || !revision || !r->title || strncmp(program, "costab ", sizeof "costab " - 1) != 0)
        refuse(job, "/", "lacks costab's attributes");
    else {
        size_t size = strlen(program) + strlen(revision) + sizeof " ()";
        r->source = memory_alloc(size, 1);
        if (r->source)
            (void)snprintf(r->source, size, "%s (%s)", program, revision);
        else
            out_of_memory(job);
    }
    memory_free(program);
    memory_free(revision);
}

static void read_all(store_job *job, costab_results *r) {
    if (job->status) return;
    r->file = H5Fopen(r->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (r->file < 0) {
        store_fail(job, "the file");
        return;
    }
    read_about(job, r);
    read_objects(job, r, PASS_AXES);
    if (!job->status && (r->plan.axis_count == 0 || !r->spec_text || !r->spec_path))
        refuse(job, "/", "lacks axes or the spec");
    r->plan.swept = r->plan.axis_count;
    for (int i = 0; i < r->plan.axis_count; i++) r->plan.tile_shape[i] = 1;
    read_objects(job, r, PASS_FIELDS);
    for (int i = 0; i < r->plan.field_count; i++) open_field(job, r, i);
}

costab_status costab_results_open(const char *path, costab_results **results, costab_error *error) {
    costab_results *r = *results = memory_alloc(1, sizeof *r);
    if (!r) return error_memory(error);
    r->file = -1;
    for (int i = 0; i < COSTAB_FIELDS_MAX; i++) r->fields[i] = -1;
    r->path = memory_copy(path);
    costab_status status = r->path ? store_check_seal(path, &r->size, error) : error_memory(error);
    if (!status) {
        store_job job = store_begin("read", r->path, error);
        read_all(&job, r);
        status = store_end(&job);
    }
    if (status) costab_results_close(results);
    return status;
}

static void free_axis(costab_axis *axis) {
    for (size_t i = 0; axis->labels && i < axis->count; i++) memory_free(axis->labels[i]);
    memory_free(axis->labels);
    memory_free(axis->values);
}

void costab_results_close(costab_results **results) {
    costab_results *r = results ? *results : NULL;
    if (!r) return;
    *results = NULL;
    store_job job = store_begin("read", r->path ? r->path : "", NULL);
    for (int i = 0; i < COSTAB_FIELDS_MAX; i++) {
        store_close(&job, &r->fields[i]);
        memory_free(r->field_names[i]);
        memory_free(r->meanings[i]);
    }
    store_close(&job, &r->file);
    (void)store_end(&job); /* nothing was written */
    for (int i = 0; i < COSTAB_AXES_MAX; i++) {
        free_axis(&r->plan.axes[i]);
        memory_free(r->axis_names[i]);
        memory_free(r->axis_units[i]);
    }
    memory_free(r->title);
    memory_free(r->source);
    memory_free(r->spec_text);
    memory_free(r->spec_path);
    memory_free(r->path);
    memory_free(r);
}

const char *costab_results_title(const costab_results *results) {
    return results->title;
}
const char *costab_results_spec_text(const costab_results *results) {
    return results->spec_text;
}
const char *costab_results_spec_path(const costab_results *results) {
    return results->spec_path;
}
const char *costab_results_source(const costab_results *results) {
    return results->source;
}
const costab_plan *costab_results_plan(const costab_results *results) {
    return &results->plan;
}

costab_status costab_results_read(const costab_results *results, int field, const size_t *start,
                                  const size_t *count, void *values, costab_error *error) {
    if (field < 0 || field >= results->plan.field_count)
        return error_set(error, COSTAB_INVALID, "'%s' has no field number %d", results->path, field);
    const costab_field *f = &results->plan.fields[field];
    hsize_t from[COSTAB_AXES_MAX], extent[COSTAB_AXES_MAX];
    for (int i = 0; i < f->rank; i++) {
        size_t all = results->plan.axes[f->axes[i]].count;
        if (start[i] >= all || count[i] < 1 || count[i] > all - start[i])
            return error_set(error, COSTAB_INVALID, "field '%s' of '%s' has no such values", f->name,
                             results->path);
        from[i] = start[i];
        extent[i] = count[i];
    }
    store_job job = store_begin("read", results->path, error);
    hid_t type = f->type == COSTAB_F64 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT8, file = -1, memory = -1;
    if (!job.status && ((file = H5Dget_space(results->fields[field])) < 0 ||
                        (memory = H5Screate_simple(f->rank, extent, NULL)) < 0 ||
                        H5Sselect_hyperslab(file, H5S_SELECT_SET, from, NULL, extent, NULL) < 0 ||
                        H5Dread(results->fields[field], type, memory, file, H5P_DEFAULT, values) < 0))
        store_fail(&job, f->name);
    store_close(&job, &memory);
    store_close(&job, &file);
    return store_end(&job);
}
