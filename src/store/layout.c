/* What stands in a results file besides the values: axes are HDF5 dimension scales, fields are chunked
 * datasets that refer to them, and everything carries the attributes that netCDF readers know. The attributes
 * of dimension scales are written here and not by HDF5's high-level library: that one leaves uninitialised
 * bytes in the file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "store/chunk.h"
#include "store/writer.h"

/* One entry of a scale's REFERENCE_LIST: a field and which of its dimensions; zero-filled before use. */
typedef struct scale_use {
    hobj_ref_t field;
    int dimension;
} scale_use;

/* Creation order kept, object times not: the same results give the same bytes. */
static hid_t dataset_properties(void) {
    const unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    return store_made(properties, properties >= 0 && H5Pset_obj_track_times(properties, false) >= 0 &&
                                      H5Pset_attr_creation_order(properties, order) >= 0);
}

static void put_text_scalar(store_job *job, const store_file *store, const costab_store_info *info) {
    if (job->status) return;
    hid_t type = store_string_type(), space = H5Screate(H5S_SCALAR), properties = dataset_properties();
    hid_t dataset = -1;
    if (type < 0 || space < 0 || properties < 0 ||
        (dataset = H5Dcreate2(store->file, STORE_SPEC, type, space, H5P_DEFAULT, properties, H5P_DEFAULT)) <
            0 ||
        !store_write_all(dataset, type, &info->spec_text))
        store_fail(job, STORE_SPEC);
    store_put_text(job, dataset, "long_name", "the sweep's spec, as it was read");
    store_put_text(job, dataset, STORE_SPEC_PATH, info->spec_path);
    store_close_all(job, &dataset, &properties, &space, &type);
}

/* *seconds: -1 where the caller's environment does not fix the time. */
static costab_status get_time(long long *seconds, costab_error *error) {
    const char *setting = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;
    struct tm parts;
    *seconds = -1;
    if (!setting || !*setting) return COSTAB_OK;
    *seconds = strtoll(setting, &end, 10);
    time_t when = (time_t)*seconds;
    if (!*end && *seconds >= 0 && gmtime_r(&when, &parts) && parts.tm_year < 8100) return COSTAB_OK;
    return error_invalid(
        error, "SOURCE_DATE_EPOCH=%.40s is not a time in seconds since 1970; correct or unset it", setting);
}

costab_status store_time_check(costab_error *error) {
    long long seconds;
    return get_time(&seconds, error);
}

/* `history` has a time stamp, so only where the caller's environment fixes the time. */
static void put_history(store_job *job, hid_t file) {
    char stamp[64], written[128];
    struct tm parts;
    long long seconds;
    if (!job->status) job->status = get_time(&seconds, job->error);
    if (job->status || seconds < 0) return;
    time_t when = (time_t)seconds;
    if (!gmtime_r(&when, &parts) || strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0) return;
    (void)snprintf(written, sizeof written, "%s written by costab %s", stamp, COSTAB_VERSION);
    store_put_text(job, file, "history", written);
}

static void put_about(store_job *job, const store_file *store, const costab_store_info *info) {
    store_put_text(job, store->file, "Conventions", "CF-1.10");
    store_put_text(job, store->file, "title", info->title);
    store_put_text(job, store->file, "source", "costab " COSTAB_VERSION);
    store_put_text(job, store->file, "revision", costab_revision());
    if (info->references) store_put_text(job, store->file, "references", info->references);
    put_history(job, store->file);
}

/* The values of an axis that counts from 0, which may be long. */
static void put_numbers(store_job *job, hid_t dataset, const costab_axis *axis) {
    enum { BLOCK = 4096 };
    hsize_t extent = axis->count;
    if (job->status) return;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    bool good = space >= 0;
    for (size_t done = 0; done < axis->count && good; done += BLOCK) {
        double numbers[BLOCK];
        hsize_t at = done, size = axis->count - done < BLOCK ? axis->count - done : BLOCK;
        for (size_t i = 0; i < size; i++) numbers[i] = (double)(at + i);
        hid_t memory = H5Screate_simple(1, &size, NULL);
        good = memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, NULL, &size, NULL) >= 0 &&
               H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers) >= 0;
        store_close(job, &memory);
    }
    if (!good) store_fail(job, axis->name);
    store_close(job, &space);
}

static hid_t put_axis(store_job *job, const store_file *store, int number) {
    const costab_axis *axis = &store->plan->axes[number];
    if (job->status) return -1;
    hsize_t extent = axis->count;
    hid_t type = axis->labels ? store_string_type() : H5Tcopy(H5T_NATIVE_DOUBLE);
    hid_t space = H5Screate_simple(1, &extent, NULL), properties = dataset_properties(), dataset = -1;
    const void *data = axis->labels ? (const void *)axis->labels : axis->values;
    if (type < 0 || space < 0 || properties < 0 ||
        (dataset = H5Dcreate2(store->file, axis->name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT)) <
            0 ||
        (data && !store_write_all(dataset, type, data)))
        store_fail(job, axis->name);
    if (!data) put_numbers(job, dataset, axis);
    store_close_all(job, &properties, &space, &type);
    if (axis->long_name) store_put_text(job, dataset, "long_name", axis->long_name);
    if (!axis->labels) store_put_text(job, dataset, "units", axis->unit ? axis->unit : "1");
    return dataset;
}

static bool set_fill(hid_t properties, const costab_field *field) {
    double nothing = (double)NAN;
    if (field->type == COSTAB_F64) return H5Pset_fill_value(properties, H5T_NATIVE_DOUBLE, &nothing) >= 0;
    return H5Pset_fill_value(properties, H5T_NATIVE_UINT8, &field->fill) >= 0;
}

static hid_t create_field(store_job *job, const store_file *store, int index) {
    if (job->status) return -1;
    const costab_field *field = &store->plan->fields[index];
    size_t shape[COSTAB_AXES_MAX];
    hsize_t extent[COSTAB_AXES_MAX], chunk[COSTAB_AXES_MAX];
    costab_tile_shape(store->plan, index, NULL, shape);
    for (int i = 0; i < field->rank; i++) {
        extent[i] = store->plan->axes[field->axes[i]].count;
        chunk[i] = shape[i];
    }
    bool doubles = field->type == COSTAB_F64, packed = store->plan->compression != COSTAB_COMPRESSION_NONE;
    hid_t type = doubles ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT8, properties = dataset_properties();
    hid_t space = H5Screate_simple(field->rank, extent, NULL), dataset = -1;
    if (space < 0 || properties < 0 || H5Pset_chunk(properties, field->rank, chunk) < 0 ||
        (doubles && packed && H5Pset_shuffle(properties) < 0) ||
        (packed && H5Pset_deflate(properties, STORE_DEFLATE_LEVEL) < 0) || !set_fill(properties, field) ||
        (dataset = H5Dcreate2(store->file, field->name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT)) <
            0)
        store_fail(job, field->name);
    store_close_all(job, &space, &properties);
    return dataset;
}

/* DIMENSION_LIST: for every dimension the scales that belong to it, one each. */
static void put_dimension_list(store_job *job, const store_file *store, int index) {
    if (job->status) return;
    const costab_field *field = &store->plan->fields[index];
    hobj_ref_t scales[COSTAB_AXES_MAX];
    hvl_t lists[COSTAB_AXES_MAX];
    bool good = true;
    for (int i = 0; i < field->rank; i++) {
        const char *axis = store->plan->axes[field->axes[i]].name;
        good = good && H5Rcreate(&scales[i], store->file, axis, H5R_OBJECT, -1) >= 0;
        lists[i] = (hvl_t){.len = 1, .p = &scales[i]};
    }
    hid_t type = good ? H5Tvlen_create(H5T_STD_REF_OBJ) : -1;
    store_put(job, store->fields[index], "DIMENSION_LIST", type, (size_t)field->rank, lists);
    store_close(job, &type);
}

static void put_dimension_labels(store_job *job, const store_file *store, int index) {
    if (job->status) return;
    const costab_field *field = &store->plan->fields[index];
    const char *labels[COSTAB_AXES_MAX];
    for (int i = 0; i < field->rank; i++) labels[i] = store->plan->axes[field->axes[i]].name;
    hid_t type = store_string_type();
    store_put(job, store->fields[index], "DIMENSION_LABELS", type, (size_t)field->rank, labels);
    store_close(job, &type);
}

static void put_field_attributes(store_job *job, const store_file *store, int index) {
    const costab_field *field = &store->plan->fields[index];
    hid_t dataset = store->fields[index];
    put_dimension_list(job, store, index);
    put_dimension_labels(job, store, index);
    if (field->long_name) store_put_text(job, dataset, "long_name", field->long_name);
    store_put_text(job, dataset, "units", "1");
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

/* The fields that use an axis; their number, or -1. */
static int find_uses(const store_file *store, int axis, scale_use *uses) {
    int count = 0;
    for (int f = 0; f < store->plan->field_count; f++) {
        const costab_field *field = &store->plan->fields[f];
        for (int i = 0; i < field->rank; i++) {
            if (field->axes[i] != axis) continue;
            if (H5Rcreate(&uses[count].field, store->file, field->name, H5R_OBJECT, -1) < 0) return -1;
            uses[count++].dimension = i;
        }
    }
    return count;
}

/* Makes a dataset a dimension scale that knows the fields which use it. */
static void put_scale(store_job *job, const store_file *store, int axis, hid_t dataset) {
    static const char kind[] = "DIMENSION_SCALE";
    if (job->status) return;
    scale_use uses[COSTAB_FIELDS_MAX];
    memset(uses, 0, sizeof uses);
    int count = find_uses(store, axis, uses);
    hid_t word = H5Tcopy(H5T_C_S1), type = scale_use_type();
    if (count < 0 || word < 0 || H5Tset_size(word, sizeof kind) < 0)
        store_fail(job, store->plan->axes[axis].name);
    store_put(job, dataset, "CLASS", word, 0, kind);
    store_put_text(job, dataset, "NAME", store->plan->axes[axis].name);
    if (count > 0) store_put(job, dataset, "REFERENCE_LIST", type, (size_t)count, uses);
    store_close_all(job, &type, &word);
}

void store_write_layout(store_job *job, store_file *store, const costab_store_info *info) {
    const costab_plan *plan = store->plan;
    const int axis_count = plan->axis_count;
    hid_t axes[COSTAB_AXES_MAX];
    put_about(job, store, info);
    for (int i = 0; i < axis_count; i++) axes[i] = put_axis(job, store, i);
    for (int i = 0; i < plan->field_count; i++) store->fields[i] = create_field(job, store, i);
    for (int i = 0; i < plan->field_count; i++) put_field_attributes(job, store, i);
    for (int i = 0; i < axis_count; i++) {
        put_scale(job, store, i, axes[i]);
        store_close(job, &axes[i]);
    }
    put_text_scalar(job, store, info);
}
