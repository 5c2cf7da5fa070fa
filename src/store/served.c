/* Reads a results file in the child process (base/guard.h), the only place where HDF5 reads an untrusted
 * file.
 *   1. Axes, fields and texts are read, in the order of the objects. Names, types, extents, links, storage
 *      and filters are checked, and sizes are compared with the size of the file before any allocation.
 *   2. They are sent to the parent as bytes (contents.c).
 *   3. Then boxes of values are read and sent on request, with a limit of memory and time. */
#include "store/served.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/guard.h"
#include "base/memory.h"
#include "store/hdf5.h"
#include "sweep/plan.h"
#include "sweep/run.h"

/* Largest length of a label and of a spec in a file. */
#define LABEL_MAX ((size_t)1 << 16)
#define SPEC_MAX  ((size_t)1 << 26)
/* Size of the chunk cache: at least CACHE_BYTES, and at least CACHE_CHUNKS chunks, so that reading a grid row
 * by row rarely inflates a chunk twice. CACHE_SLOTS is HDF5's default number of hash slots. */
#define CACHE_BYTES  ((size_t)1 << 23)
#define CACHE_CHUNKS 4
#define CACHE_SLOTS  521
/* Memory of the child in addition to four times the file, caches and values. The contents have at most
 * CONTENTS_BYTES plus CONTENTS_RATIO times the file. */
#define MEMORY_BYTES   ((size_t)1 << 28)
#define CONTENTS_BYTES ((size_t)1 << 24)
#define CONTENTS_RATIO 4
/* Limit of processor time: SECONDS_LEAST, plus a second per SECOND_BYTES. A slow machine inflates 50 MB in a
 * second. */
#define SECONDS_LEAST 10
#define SECOND_BYTES  ((size_t)1 << 22)

/* Largest number of objects in a results file. */
enum { OBJECTS_MAX = COSTAB_AXES_MAX + COSTAB_FIELDS_MAX + 1 };

/* A results file opened in HDF5. */
typedef struct opened {
    size_t size;   /* of the file */
    size_t memory; /* memory limit of HDF5, without values in transfer */
    hid_t file;
    hid_t fields[COSTAB_FIELDS_MAX];
    char *names[OBJECTS_MAX]; /* of all objects, as the file lists them */
    hsize_t chunks[COSTAB_FIELDS_MAX][COSTAB_AXES_MAX];
    bool *checked[COSTAB_FIELDS_MAX]; /* of a field: for each chunk, whether has_chunk was true */
    store_contents contents;
} opened;

static unsigned seconds_for(size_t bytes) {
    size_t more = bytes / SECOND_BYTES;
    return SECONDS_LEAST + (more < 1000000 ? (unsigned)more : 1000000);
}

static void refuse(store_job *job, const char *name, const char *why) {
    if (!job->status)
        job->status = error_invalid(job->error,
                                    "'%s' is not a results file: '%.*s' %s; give a file that costab sweep "
                                    "wrote",
                                    job->path, COSTAB_NAME_MAX, name, why);
}

static void out_of_memory(store_job *job) {
    if (!job->status) job->status = error_memory(job->error);
}

/* Copies `count` strings. Refuses strings longer than `limit`. */
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

/* Reads all `count` strings of a dataset. (H5Dvlen_get_buf_size would return their length before, but HDF5
 * 1.10 writes beyond its buffer there on scalars.) */
static void read_strings(store_job *job, hid_t dataset, size_t count, size_t limit, const char *name,
                         char **to) {
    if (job->status) return;
    hid_t type = store_string_type(), space = H5Dget_space(dataset), found = H5Dget_type(dataset);
    memory_local char **raw = NULL;
    if (type < 0 || space < 0 || found < 0)
        store_fail(job, name);
    else if (H5Tis_variable_str(found) <= 0)
        refuse(job, name, "does not hold texts");
    else if (!(raw = memory_alloc(count, sizeof *raw)))
        out_of_memory(job);
    else if (!store_read_all(dataset, type, raw))
        store_fail(job, name);
    else {
        copy_strings(job, raw, count, limit, name, to);
        if (H5Dvlen_reclaim(type, space, H5P_DEFAULT, raw) < 0) store_fail(job, name);
    }
    store_close_all(job, &found, &space, &type);
}

/* Reads the extent of a dataset. Returns its rank, or -1 if that is above COSTAB_AXES_MAX, if an extent is 0,
 * and after a failure. */
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

/* Returns true if no chunk is larger than its dataset. */
static bool chunks_fit(store_job *job, hid_t dataset, hid_t properties, const char *name) {
    hsize_t extent[COSTAB_AXES_MAX], chunk[COSTAB_AXES_MAX];
    int rank = get_extent(job, dataset, name, extent);
    if (rank < 1 || H5Pget_chunk(properties, COSTAB_AXES_MAX, chunk) != rank) return false;
    for (int i = 0; i < rank; i++)
        if (chunk[i] < 1 || chunk[i] > extent[i]) return false;
    return true;
}

/* Checks that all bytes of a dataset are in this file, and that it uses only filters of costab. */
static void check_storage(store_job *job, hid_t dataset, const char *name) {
    hid_t properties = H5Dget_create_plist(dataset);
    H5D_layout_t layout = properties < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout(properties);
    int filters = properties < 0 ? -1 : H5Pget_nfilters(properties);
    if (filters < 0)
        store_fail(job, name);
    else if (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED)
        refuse(job, name, "has its values in other files or datasets");
    else if (layout == H5D_CONTIGUOUS && H5Pget_external_count(properties) != 0)
        refuse(job, name, "has its values in another file");
    else if (layout == H5D_CONTIGUOUS && H5Dget_storage_size(dataset) == 0)
        refuse(job, name, "was never written");
    else if (layout == H5D_CHUNKED && !chunks_fit(job, dataset, properties, name))
        refuse(job, name, "has chunks that are larger than itself");
    for (int i = 0; i < filters && !job->status; i++) {
        unsigned flags, config;
        size_t values = 0;
        H5Z_filter_t filter =
            H5Pget_filter2(properties, (unsigned)i, &flags, &values, NULL, 0, NULL, &config);
        if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
            refuse(job, name, "is packed by a filter that costab does not use");
    }
    store_close(job, &properties);
}

static bool is_type(store_job *job, hid_t dataset, hid_t wanted) {
    hid_t type = H5Dget_type(dataset);
    bool same = type >= 0 && H5Tequal(type, wanted) > 0;
    store_close(job, &type);
    return same;
}

/* Returns the unit of a dataset; NULL if it is "1" or absent. */
static char *read_unit(store_job *job, hid_t dataset) {
    char *unit = store_get_text(job, dataset, "units");
    if (unit == NULL || strcmp(unit, "1") != 0) return unit;
    memory_free(unit);
    return NULL;
}

/* Returns true if the filters `skipped` (bits) are deflate alone, which HDF5 leaves out where it would not
 * shorten a chunk, and the chunk has the bytes of its values and the checksum. */
static bool is_not_shortened(hid_t dataset, unsigned skipped, hsize_t stored) {
    hid_t properties = H5Dget_create_plist(dataset), type = H5Dget_type(dataset);
    hsize_t chunk[COSTAB_AXES_MAX], bytes = type < 0 ? 0 : H5Tget_size(type);
    int rank = properties < 0 ? -1 : H5Pget_chunk(properties, COSTAB_AXES_MAX, chunk);
    int filters = rank < 1 || rank > COSTAB_AXES_MAX ? -1 : H5Pget_nfilters(properties);
    bool good = filters > 0 && skipped >> filters == 0;
    for (int i = 0; i < rank && good; i++) bytes *= chunk[i];
    for (int i = 0; i < filters && good; i++) {
        unsigned flags;
        size_t values = 0;
        H5Z_filter_t filter = H5Pget_filter2(properties, (unsigned)i, &flags, &values, NULL, 0, NULL, NULL);
        if (filter == H5Z_FILTER_FLETCHER32) bytes += sizeof(uint32_t);
        good = (skipped >> i & 1) == 0 || filter == H5Z_FILTER_DEFLATE;
    }
    if (type >= 0) (void)H5Tclose(type);
    if (properties >= 0) (void)H5Pclose(properties);
    return good && stored == bytes;
}

/* Returns true if HDF5 finds the chunk at `offset` and passes it through all filters. The index of chunks has
 * no checksum: where an entry is damaged H5Dread would return fill values, or skip the checksum of the
 * values. H5Dread_chunk alone returns the skipped filters in the time of one search. */
static bool has_chunk(store_job *job, const opened *r, hid_t dataset, const hsize_t *offset) {
    uint32_t skipped = 0;
    hsize_t stored = 0;
    if (H5Dget_chunk_storage_size(dataset, offset, &stored) < 0 || stored == 0 || stored > r->size)
        return false;
    memory_local char *bytes = memory_alloc(stored, 1);
    if (bytes == NULL) out_of_memory(job);
    return bytes != NULL && H5Dread_chunk(dataset, H5P_DEFAULT, offset, &skipped, bytes) >= 0 &&
           (skipped == 0 || is_not_shortened(dataset, skipped, stored));
}

/* Returns true if an axis has all its chunks, or no chunks. */
static bool has_axis_chunks(store_job *job, const opened *r, hid_t dataset, hsize_t count) {
    hid_t properties = H5Dget_create_plist(dataset);
    bool chunked = properties >= 0 && H5Pget_layout(properties) == H5D_CHUNKED, good = properties >= 0;
    hsize_t chunk = 0;
    if (chunked) good = H5Pget_chunk(properties, 1, &chunk) == 1 && chunk > 0;
    for (hsize_t at = 0; chunked && at < count && good; at += chunk) good = has_chunk(job, r, dataset, &at);
    if (properties >= 0) (void)H5Pclose(properties);
    return good;
}

static void read_axis(store_job *job, opened *r, hid_t dataset, const char *name) {
    int index = r->contents.plan.axis_count;
    hsize_t extent[COSTAB_AXES_MAX];
    int rank = get_extent(job, dataset, name, extent);
    if (rank != 1)
        refuse(job, name, "is an axis with other than one dimension");
    else if (index == COSTAB_AXES_MAX)
        refuse(job, name, "is an axis too many");
    else if (extent[0] > r->size / sizeof(double))
        refuse(job, name, "is longer than the file");
    if (job->status) return;
    costab_axis *axis = &r->contents.plan.axes[index];
    r->contents.plan.axis_count++;
    (void)snprintf(axis->name, sizeof axis->name, "%s", name);
    axis->count = (size_t)extent[0];
    r->contents.axis_names[index] = store_get_text(job, dataset, "long_name");
    axis->long_name = r->contents.axis_names[index];
    r->contents.axis_units[index] = read_unit(job, dataset);
    if (is_type(job, dataset, H5T_NATIVE_DOUBLE)) {
        axis->values = memory_alloc(axis->count, sizeof *axis->values);
        if (!axis->values)
            out_of_memory(job);
        else if (!has_axis_chunks(job, r, dataset, extent[0]) ||
                 H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, axis->values) < 0)
            store_fail(job, name);
    } else {
        axis->labels = memory_alloc(axis->count, sizeof *axis->labels);
        if (!axis->labels) out_of_memory(job);
        read_strings(job, dataset, axis->count, LABEL_MAX, name, axis->labels);
    }
}

static void read_spec(store_job *job, opened *r, hid_t dataset) {
    hsize_t extent[COSTAB_AXES_MAX];
    if (get_extent(job, dataset, STORE_SPEC, extent) != 0) refuse(job, STORE_SPEC, "is not one text");
    read_strings(job, dataset, 1, r->size < SPEC_MAX ? r->size : SPEC_MAX, STORE_SPEC,
                 &r->contents.spec_text);
    r->contents.spec_path = store_get_text(job, dataset, STORE_SPEC_PATH);
}

/* Returns true if a dataset has more values than fit into the file: deflate expands a byte to at most 1032
 * bytes. */
static bool too_large(const hsize_t *extent, int rank, size_t value_size, size_t file_size) {
    const size_t ratio = 1032;
    size_t most = (file_size < SIZE_MAX / ratio ? file_size * ratio : SIZE_MAX) / value_size;
    for (int i = 0; i < rank; i++) {
        if (extent[i] > most) return true;
        most /= (size_t)extent[i];
    }
    return false;
}

/* Reads an attribute with `count` texts, which live as long as the process. */
static bool get_names(store_job *job, hid_t object, const char *name, size_t count, char **names) {
    hid_t type = store_string_type(), space = -1, found = -1, attribute = -1;
    if (H5Aexists(object, name) > 0) attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute >= 0) {
        space = H5Aget_space(attribute);
        found = H5Aget_type(attribute);
    }
    bool good = type >= 0 && space >= 0 && found >= 0 && H5Tis_variable_str(found) > 0 &&
                H5Sget_simple_extent_npoints(space) == (hssize_t)count &&
                H5Aread(attribute, type, names) >= 0;
    for (size_t i = 0; i < count && good; i++) good = names[i] != NULL;
    store_close_all(job, &attribute, &found, &space, &type);
    return good;
}

/* Finds the axes of a field by their names in DIMENSION_LABELS, and compares them with its extent. */
static void read_field_axes(store_job *job, opened *r, hid_t dataset, costab_field *field) {
    hsize_t extent[COSTAB_AXES_MAX];
    char *labels[COSTAB_AXES_MAX];
    int rank = get_extent(job, dataset, field->name, extent);
    if (rank < 1) refuse(job, field->name, "is a field with impossible dimensions");
    if (job->status) return;
    if (!get_names(job, dataset, "DIMENSION_LABELS", (size_t)rank, labels))
        refuse(job, field->name, "is a field without names of its axes");
    field->rank = rank;
    if (too_large(extent, rank, costab_type_size(field->type), r->size))
        refuse(job, field->name, "is a field larger than the file can hold");
    for (int i = 0; i < rank && !job->status; i++) {
        int axis = costab_plan_axis(&r->contents.plan, labels[i]);
        if (axis < 0 || r->contents.plan.axes[axis].count != extent[i] ||
            (i > 0 && axis <= field->axes[i - 1]))
            refuse(job, field->name, "is a field that does not fit its axes");
        field->axes[i] = axis;
    }
}

/* Reads the chunk size as the plan's tile size, and checks that a chunk can be inflated in memory. */
static void read_chunks(store_job *job, opened *r, hid_t dataset, costab_field *field, hsize_t *chunk) {
    if (job->status) return;
    hid_t properties = H5Dget_create_plist(dataset);
    if (properties < 0 || H5Pget_layout(properties) != H5D_CHUNKED ||
        H5Pget_chunk(properties, COSTAB_AXES_MAX, chunk) != field->rank)
        refuse(job, field->name, "is a field without chunks");
    else if (field->type == COSTAB_U8 && H5Pget_fill_value(properties, H5T_NATIVE_UINT8, &field->fill) < 0)
        store_fail(job, field->name);
    for (int i = 0; i < field->rank && !job->status; i++) {
        int axis = field->axes[i];
        if (chunk[i] > r->contents.plan.axes[axis].count)
            refuse(job, field->name, "is a field with impossible chunks");
        else if (chunk[i] > r->contents.plan.tile_shape[axis])
            r->contents.plan.tile_shape[axis] = (size_t)chunk[i];
    }
    store_close(job, &properties);
}

/* Reads the codes of a field from the attribute `name`. Returns false without an error if it is missing. */
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
    store_close_all(job, &space, &attribute);
    return !job->status;
}

static void read_field(store_job *job, opened *r, hid_t dataset, const char *name) {
    int index = r->contents.plan.field_count;
    if (index == COSTAB_FIELDS_MAX) refuse(job, name, "is a field too many");
    if (job->status) return;
    costab_field *field = &r->contents.plan.fields[index];
    r->contents.plan.field_count++;
    (void)snprintf(field->name, sizeof field->name, "%s", name);
    if (is_type(job, dataset, H5T_NATIVE_UINT8))
        field->type = COSTAB_U8;
    else if (is_type(job, dataset, H5T_NATIVE_DOUBLE))
        field->type = COSTAB_F64;
    else
        refuse(job, name, "is a field of an unknown type");
    read_field_axes(job, r, dataset, field);
    read_chunks(job, r, dataset, field, r->chunks[index]);
    r->contents.field_names[index] = store_get_text(job, dataset, "long_name");
    r->contents.meanings[index] = store_get_text(job, dataset, "flag_meanings");
    field->long_name = r->contents.field_names[index];
    field->unit = r->contents.field_units[index] = read_unit(job, dataset);
    field->code_meanings = r->contents.meanings[index];
    if (read_codes(job, dataset, "flag_values", field))
        field->codes = COSTAB_CODES_VALUES;
    else if (read_codes(job, dataset, "flag_masks", field))
        field->codes = COSTAB_CODES_MASKS;
    if (field->codes != COSTAB_CODES_NONE && !plan_names_codes(field))
        refuse(job, name, "has flags whose meanings are not one plain word each");
}

/* Returns the number of the chunk at `offset` of a field; NULL: the number of its chunks. */
static size_t chunk_number(const opened *r, int index, const hsize_t *offset) {
    const costab_field *field = &r->contents.plan.fields[index];
    size_t number = offset == NULL;
    for (int i = 0; i < field->rank; i++) {
        size_t chunk = (size_t)r->chunks[index][i];
        size_t chunks = (r->contents.plan.axes[field->axes[i]].count + chunk - 1) / chunk;
        number = number * chunks + (offset != NULL ? (size_t)offset[i] / chunk : 0);
    }
    return number;
}

/* Opens a field for reading values, with a cache large enough for its chunks. */
static void open_field(store_job *job, opened *r, int index) {
    if (job->status) return;
    const costab_field *field = &r->contents.plan.fields[index];
    size_t bytes = costab_type_size(field->type) * CACHE_CHUNKS;
    for (int i = 0; i < field->rank; i++) {
        size_t extent = r->contents.plan.tile_shape[field->axes[i]];
        bytes = extent > SIZE_MAX / bytes ? SIZE_MAX : bytes * extent;
    }
    if (bytes > CACHE_CHUNKS * ((size_t)1 << 32)) {
        refuse(job, field->name, "is a field with impossible chunks");
        return;
    }
    if (bytes < CACHE_BYTES) bytes = CACHE_BYTES;
    const size_t count = chunk_number(r, index, NULL);
    r->memory += 2 * bytes + count;
    guard_memory(r->memory);
    if ((r->checked[index] = memory_alloc(count, sizeof(bool))) == NULL) out_of_memory(job);
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    if (access < 0 || H5Pset_chunk_cache(access, CACHE_SLOTS, bytes, H5D_CHUNK_CACHE_W0_DEFAULT) < 0 ||
        (r->fields[index] = H5Dopen2(r->file, field->name, access)) < 0)
        store_fail(job, field->name);
    store_close(job, &access);
}

typedef enum pass { PASS_AXES, PASS_FIELDS } pass;

static void read_object(store_job *job, opened *r, const char *name, pass which) {
    H5L_info_t link;
    if (H5Lget_info(r->file, name, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD) {
        refuse(job, name, "is a link to somewhere else");
        return;
    }
    hid_t dataset = H5Dopen2(r->file, name, H5P_DEFAULT);
    if (dataset < 0) {
        refuse(job, name, "is not a dataset");
        return;
    }
    check_storage(job, dataset, name);
    bool scale = H5Aexists(dataset, "CLASS") > 0, spec = strcmp(name, STORE_SPEC) == 0;
    if (job->status)
        ; /* already reported */
    else if (which == PASS_AXES && spec)
        read_spec(job, r, dataset);
    else if (which == PASS_AXES && scale)
        read_axis(job, r, dataset, name);
    else if (which == PASS_FIELDS && !spec && !scale)
        read_field(job, r, dataset, name);
    store_close(job, &dataset);
}

/* Returns the number of objects at the root. */
static hsize_t count_objects(store_job *job, const opened *r) {
    H5G_info_t group;
    if (!job->status && H5Gget_info(r->file, &group) < 0) store_fail(job, "the file");
    return job->status ? 0 : group.nlinks;
}

/* Reads all objects at the root in the order of their creation. */
static void read_objects(store_job *job, opened *r, pass which) {
    hsize_t count = count_objects(job, r);
    for (hsize_t i = 0; i < count && !job->status; i++) {
        char name[COSTAB_NAME_MAX];
        ssize_t length = H5Lget_name_by_idx(r->file, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, name,
                                            sizeof name, H5P_DEFAULT);
        if (length < 1)
            store_fail(job, "the file");
        else if ((size_t)length >= sizeof name)
            refuse(job, name, "is a name that is too long");
        else
            read_object(job, r, name, which);
        if (r->contents.listed && strcmp(name, r->names[i]) != 0) r->contents.listed = false;
    }
}

/* Reads the attributes of the root that describe the whole file. */
static void read_about(store_job *job, opened *r) {
    memory_local char *program = store_get_text(job, r->file, "source");
    memory_local char *revision = store_get_text(job, r->file, "revision");
    r->contents.title = store_get_text(job, r->file, "title");
    r->contents.figure = store_get_text(job, r->file, STORE_FIGURE);
    if (!program || !revision || !r->contents.title || strncmp(program, "costab ", sizeof "costab " - 1) != 0)
        refuse(job, "/", "lacks costab's attributes");
    else {
        size_t size = strlen(program) + strlen(revision) + sizeof " ()";
        r->contents.source = memory_alloc(size, 1);
        if (r->contents.source)
            (void)snprintf(r->contents.source, size, "%s (%s)", program, revision);
        else
            out_of_memory(job);
    }
}

/* Reads the list of the file's objects; read_objects compares it with them. */
static void read_list(store_job *job, opened *r) {
    hsize_t count = count_objects(job, r);
    r->contents.listed =
        count > 0 && count <= OBJECTS_MAX && get_names(job, r->file, STORE_DATASETS, (size_t)count, r->names);
}

/* Opens the file and reads everything but the values of fields. */
static void read_all(store_job *job, opened *r) {
    if (!job->status && (r->file = H5Fopen(job->path, H5F_ACC_RDONLY, H5P_DEFAULT)) < 0)
        store_fail(job, "the file");
    guard_no_files(); /* a results file refers to no other file */
    if (job->status) return;
    store_contents *c = &r->contents;
    read_about(job, r);
    read_list(job, r);
    read_objects(job, r, PASS_AXES);
    if (!job->status && (c->plan.axis_count == 0 || !c->spec_text || !c->spec_path))
        refuse(job, "/", "lacks axes or the spec");
    c->plan.swept = c->plan.axis_count;
    for (int i = 0; i < c->plan.axis_count; i++) c->plan.tile_shape[i] = 1;
    read_objects(job, r, PASS_FIELDS);
    for (int i = 0; i < c->plan.field_count; i++) open_field(job, r, i);
}

size_t store_contents_most(size_t file_size) {
    return file_size < (SIZE_MAX - CONTENTS_BYTES) / CONTENTS_RATIO
               ? CONTENTS_BYTES + file_size * CONTENTS_RATIO
               : SIZE_MAX;
}

/* Reports that the chunk at these indices cannot be read. */
static void fail_chunk(store_job *job, const opened *r, const costab_field *f, const hsize_t *offset) {
    text_local part = {0};
    text_printf(&part, "the chunk of dataset '%s' that begins at ", f->name);
    for (int i = 0; i < f->rank; i++)
        text_printf(&part, "%s%s[%llu]", i > 0 ? ", " : "", r->contents.plan.axes[f->axes[i]].name,
                    (unsigned long long)offset[i]);
    if (part.failed)
        out_of_memory(job);
    else
        store_fail(job, part.data);
}

/* Copies the part of a box of values in the chunk at `offset` to its position in `values`. */
static void read_part(store_job *job, const opened *r, const store_box *box, const hsize_t *offset,
                      void *values) {
    const costab_field *f = &r->contents.plan.fields[box->field];
    hid_t type = f->type == COSTAB_F64 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT8, file = -1, memory = -1;
    hid_t dataset = r->fields[box->field];
    hsize_t from[COSTAB_AXES_MAX], to[COSTAB_AXES_MAX], count[COSTAB_AXES_MAX], all[COSTAB_AXES_MAX];
    for (int i = 0; i < f->rank; i++) {
        hsize_t end = offset[i] + r->chunks[box->field][i], last = box->start[i] + box->count[i];
        from[i] = offset[i] > box->start[i] ? offset[i] : box->start[i];
        count[i] = (end < last ? end : last) - from[i];
        to[i] = from[i] - box->start[i];
        all[i] = box->count[i];
    }
    bool *checked = &r->checked[box->field][chunk_number(r, box->field, offset)];
    *checked = *checked || has_chunk(job, r, dataset, offset);
    bool good = *checked && (file = H5Dget_space(dataset)) >= 0 &&
                (memory = H5Screate_simple(f->rank, all, NULL)) >= 0 &&
                H5Sselect_hyperslab(file, H5S_SELECT_SET, from, NULL, count, NULL) >= 0 &&
                H5Sselect_hyperslab(memory, H5S_SELECT_SET, to, NULL, count, NULL) >= 0 &&
                H5Dread(dataset, type, memory, file, H5P_DEFAULT, values) >= 0;
    if (!good) fail_chunk(job, r, f, offset);
    store_close_all(job, &memory, &file);
}

/* Reads the values of a box chunk by chunk. [out] *values: free with text_free. */
static costab_status read_box(const opened *r, const char *path, const store_box *box, text *values,
                              costab_error *error) {
    const costab_field *f = &r->contents.plan.fields[box->field];
    const hsize_t *chunk = r->chunks[box->field];
    hsize_t offset[COSTAB_AXES_MAX];
    size_t bytes = costab_type_size(f->type);
    for (int i = 0; i < f->rank; i++) {
        offset[i] = box->start[i] / chunk[i] * chunk[i];
        bytes *= box->count[i];
    }
    guard_seconds(seconds_for(bytes));
    guard_memory(r->memory + bytes);
    values->data = memory_alloc(bytes, 1);
    if (!values->data) return error_memory(error);
    values->size = bytes;
    store_job job = store_begin(false, path, error);
    for (int i = 0; i >= 0 && !job.status;) {
        read_part(&job, r, box, offset, values->data);
        for (i = f->rank - 1; i >= 0; i--) {
            offset[i] += chunk[i];
            if (offset[i] < box->start[i] + box->count[i]) break;
            offset[i] = box->start[i] / chunk[i] * chunk[i];
        }
    }
    return store_end(&job);
}

/* Header of each answer: the status, and the number of bytes of the following data or message. Both have type
 * size_t, because padding would be sent uninitialised. */
typedef struct store_answer {
    size_t status, size;
} store_answer;

bool store_put_answer(int channel, costab_status status, const void *bytes, size_t size,
                      const costab_error *error) {
    store_answer answer = {.status = (size_t)status, .size = status ? strlen(error->message) : size};
    return guard_put(channel, &answer, sizeof answer) &&
           guard_put(channel, status ? error->message : bytes, answer.size);
}

costab_status store_get_answer(guard *child, size_t *size, costab_error *error) {
    store_answer answer;
    char message[COSTAB_MESSAGE_MAX] = "";
    TRY(guard_receive(child, &answer, sizeof answer, error));
    *size = answer.size;
    if (!answer.status) return COSTAB_OK;
    if (answer.size < sizeof message) TRY(guard_receive(child, message, answer.size, error));
    return error_set(error,
                     answer.status < COSTAB_STATUS_COUNT ? (costab_status)answer.status : COSTAB_INVALID,
                     "%s", message);
}

static costab_status open_all(const store_serving *serving, opened *r, text *contents, costab_error *error) {
    r->file = -1;
    r->size = serving->size;
    r->memory = MEMORY_BYTES + (serving->size < SIZE_MAX / 16 ? 4 * serving->size : SIZE_MAX / 4);
    for (int i = 0; i < COSTAB_FIELDS_MAX; i++) r->fields[i] = -1;
    guard_seconds(seconds_for(serving->size));
    guard_memory(r->memory);
    store_job job = store_begin(false, serving->path, error);
    read_all(&job, r);
    costab_status status = store_end(&job);
    if (!status) store_contents_put(&r->contents, contents);
    return !status && contents->failed ? error_memory(error) : status;
}

/* The process ends with this function, so HDF5's objects are not closed. */
void store_serve(int channel, void *context) {
    const store_serving *serving = context;
    costab_error error = {.status = COSTAB_OK};
    text bytes = {0};
    store_box box;
    opened *r = memory_alloc(1, sizeof *r);
    costab_status status = r ? open_all(serving, r, &bytes, &error) : error_memory(&error);
    bool good = store_put_answer(channel, status, bytes.data, bytes.size, &error) && !status;
    text_free(&bytes);
    while (good && guard_get(channel, &box, sizeof box)) {
        status = read_box(r, serving->path, &box, &bytes, &error);
        good = store_put_answer(channel, status, bytes.data, bytes.size, &error);
        text_free(&bytes);
    }
}
