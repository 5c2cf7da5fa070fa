/* Reads matrices from untrusted HDF5 files.
 * 1. A child process (base/guard.h) with limited memory and time opens the file and returns the extent and
 *    the numbers, or an error.
 * 2. The child refuses incomplete datasets. HDF5 would substitute fill values, usually 0, for unwritten
 *    numbers and for missing sources of a virtual dataset. MATLAB stores the extent of an empty array as its
 *    numbers, and codes of text and object references as integers.
 * 3. The parent checks the answer, since a forged file may control the child.
 * 4. A matrix of a MATLAB v7.3 file (attribute MATLAB_class) is stored by columns and is transposed.
 * Limitation: a dataset allocated at creation (H5D_ALLOC_TIME_EARLY) and never written looks like a dataset
 * written with its fill value. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/guard.h"
#include "base/memory.h"
#include "model/body.h"

/* Limits of the child: memory in bytes, seconds of processor time. */
#define FILE_MEMORY  ((size_t)1 << 28)
#define FILE_SECONDS 20

/* Returns NULL if the dataset can be a matrix, otherwise the reason. [out] extent: a scalar is 1 x 1, a
 * vector a column. */
static const char *extent_fault(hid_t dataset, hsize_t extent[2]) {
    hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    extent[0] = extent[1] = 1;
    if (class != H5T_FLOAT && class != H5T_INTEGER) return "it does not hold real numbers";
    if (rank < 0 || rank > 2) return "it is not a matrix: it has more than two dimensions";
    if (rank > 0 && H5Sget_simple_extent_dims(space, extent, NULL) < 0) return "its extent cannot be read";
    if (H5Sget_simple_extent_type(space) == H5S_NULL || extent[0] < 1 || extent[1] < 1) return "it is empty";
    if (extent[0] > MODEL_PORTS_MAX || extent[1] > MODEL_PORTS_MAX) return "it is too large";
    return NULL;
}

/* Returns true if the dataset has a nonzero attribute MATLAB_empty. */
static bool is_matlab_empty(hid_t dataset) {
    double value = 1;
    if (H5Aexists(dataset, "MATLAB_empty") <= 0) return false;
    hid_t attribute = H5Aopen(dataset, "MATLAB_empty", H5P_DEFAULT), space = H5Aget_space(attribute);
    if (H5Sget_simple_extent_npoints(space) == 1) (void)H5Aread(attribute, H5T_NATIVE_DOUBLE, &value);
    return value != 0;
}

/* Returns true if MATLAB marks the numbers as codes of text or of an object. */
static bool is_matlab_code(hid_t dataset) {
    static const char *const numeric[] = {"double", "single", "logical", "int8",  "uint8", "int16",
                                          "uint16", "int32",  "uint32",  "int64", "uint64"};
    char class[64] = "";
    if (H5Aexists(dataset, "MATLAB_class") <= 0) return false;
    hid_t attribute = H5Aopen(dataset, "MATLAB_class", H5P_DEFAULT), type = H5Aget_type(attribute);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 ||
        H5Tget_size(type) >= sizeof class || H5Sget_simple_extent_npoints(H5Aget_space(attribute)) != 1 ||
        H5Aread(attribute, type, class) < 0)
        return true;
    for (size_t i = 0; i < sizeof numeric / sizeof *numeric; i++)
        if (strcmp(class, numeric[i]) == 0) return false;
    return true;
}

/* Returns true if the file has every chunk of a chunked dataset. */
static bool has_all_chunks(hid_t dataset, hid_t properties, const hsize_t extent[2]) {
    hsize_t chunk[2] = {1, 1}, stored = 0, offset[2];
    if (H5Pget_chunk(properties, 2, chunk) < 1 || chunk[0] < 1 || chunk[1] < 1) return false;
    for (offset[0] = 0; offset[0] < extent[0]; offset[0] += chunk[0])
        for (offset[1] = 0; offset[1] < extent[1]; offset[1] += chunk[1])
            if (H5Dget_chunk_storage_size(dataset, offset, &stored) < 0 || stored == 0) return false;
    return true;
}

/* Returns NULL if the file has all numbers of the dataset, otherwise the reason. */
static const char *storage_fault(hid_t dataset, const hsize_t extent[2]) {
    hid_t properties = H5Dget_create_plist(dataset);
    H5D_layout_t layout = properties >= 0 ? H5Pget_layout(properties) : H5D_LAYOUT_ERROR;
    if (layout == H5D_VIRTUAL)
        return "it is a virtual dataset, whose numbers are in others; store a copy of the numbers";
    if (layout == H5D_CONTIGUOUS && H5Pget_external_count(properties) != 0)
        return "its numbers are in another file; store a copy of them in this file";
    if (H5Dget_storage_size(dataset) == 0) return "its numbers were never written";
    if (layout == H5D_CHUNKED && !has_all_chunks(dataset, properties, extent))
        return "some of its numbers were never written";
    return NULL;
}

static const char *matrix_fault(hid_t dataset, hsize_t extent[2]) {
    if (is_matlab_empty(dataset)) return "it is empty";
    if (is_matlab_code(dataset)) return "it does not hold real numbers";
    const char *fault = extent_fault(dataset, extent);
    return fault != NULL ? fault : storage_fault(dataset, extent);
}

/* Answer of the child: an error, or an extent followed by the numbers by rows. */
typedef struct answer {
    bool opened; /* the file is an HDF5 file */
    char fault[100];
    int rows, columns;
} answer;

/* Task of the child. */
typedef struct request {
    const char *path, *name;
} request;

/* Reads the numbers in the order of the file. Returns NULL on success. */
static const char *read_numbers(hid_t dataset, double *stored, size_t count) {
    if (stored == NULL) return "out of memory";
    if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, stored) < 0)
        return "its numbers cannot be read";
    for (size_t i = 0; i < count; i++)
        if (!isfinite(stored[i])) return "it holds a number that is not finite";
    return NULL;
}

static const char *read_matrix(hid_t file, const char *name, answer *a, double **values) {
    hsize_t extent[2] = {0, 0};
    hid_t dataset = H5Oopen(file, name, H5P_DEFAULT);
    if (dataset >= 0 && H5Iget_type(dataset) == H5I_GROUP)
        return "it is a group, as MATLAB's sparse matrices and structures are; save a full matrix";
    if (dataset < 0 || H5Iget_type(dataset) != H5I_DATASET) return "no dataset has this name";
    const char *fault = matrix_fault(dataset, extent);
    if (fault != NULL) return fault;
    size_t count = (size_t)extent[0] * (size_t)extent[1];
    double *stored = memory_alloc(count, sizeof *stored);
    fault = read_numbers(dataset, stored, count);
    if (fault != NULL) return fault;
    bool transposed = H5Aexists(dataset, "MATLAB_class") > 0;
    a->rows = (int)extent[transposed ? 1 : 0];
    a->columns = (int)extent[transposed ? 0 : 1];
    *values = memory_alloc(count, sizeof **values);
    for (int i = 0; *values != NULL && i < a->rows; i++)
        for (int j = 0; j < a->columns; j++)
            (*values)[i * a->columns + j] = stored[transposed ? j * a->rows + i : i * a->columns + j];
    return *values != NULL ? NULL : "out of memory";
}

/* Work of the child. Ending the process frees everything. */
static void load_in_child(int channel, void *context) {
    const request *r = context;
    answer a = {.opened = false};
    double *values = NULL;
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    guard_memory(FILE_MEMORY);
    guard_seconds(FILE_SECONDS);
    hid_t file = H5Fopen(r->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    guard_no_files();
    a.opened = file >= 0;
    const char *fault = a.opened ? read_matrix(file, r->name, &a, &values) : NULL;
    if (fault != NULL) snprintf(a.fault, sizeof a.fault, "%s", fault);
    if (guard_put(channel, &a, sizeof a) && values != NULL)
        (void)guard_put(channel, values, (size_t)a.rows * (size_t)a.columns * sizeof *values);
}

/* Receives and checks the child's answer, possibly forged. */
static costab_status receive(guard *child, answer *a, double **values, costab_error *error) {
    costab_status status = guard_receive(child, a, sizeof *a, error);
    a->fault[sizeof a->fault - 1] = '\0';
    if (status || !a->opened || a->fault[0] != '\0') return status;
    if (a->rows < 1 || a->rows > MODEL_PORTS_MAX || a->columns < 1 || a->columns > MODEL_PORTS_MAX)
        return error_invalid(error, "the matrix has an impossible size");
    size_t count = (size_t)a->rows * (size_t)a->columns;
    *values = memory_alloc(count, sizeof **values);
    return *values != NULL ? guard_receive(child, *values, count * sizeof **values, error)
                           : error_memory(error);
}

/* Runs a child. `path` must be a regular file: opening a named pipe would block. */
static costab_status ask(const char *path, const char *name, answer *a, double **values,
                         costab_error *error) {
    request wanted = {.path = path, .name = name};
    ends_by(guard_end) guard *child = NULL;
    struct stat about;
    *a = (answer){.opened = false};
    if (stat(path, &about) != 0) return COSTAB_OK;
    if (!S_ISREG(about.st_mode))
        return error_invalid(error, "cannot read '%.300s': it is not a regular file", path);
    if (H5open() < 0) /* before the start, so HDF5's own memory does not count for the child */
        return error_set(error, COSTAB_IO, "cannot read '%s': HDF5 does not start", path);
    TRY(guard_start(&(guard_terms){.writes = false}, path, "HDF5", load_in_child, &wanted, &child, error));
    return receive(child, a, values, error);
}

bool model_matrix_load(model_reader *r, const spec_node *node, const char *what, const char *path,
                       const char *name, model_matrix *matrix) {
    answer a;
    double *values = NULL;
    costab_error error = {.status = COSTAB_OK};
    costab_status status = ask(path, name, &a, &values, &error);
    if (!status && a.opened && a.fault[0] == '\0') {
        *matrix = (model_matrix){matrix->node, a.rows, a.columns, values};
        return true;
    }
    if (status == COSTAB_MEMORY)
        r->memory_failed = true;
    else if (status)
        spec_complain(r->file, spec_find(r->file, node, "file"), "%s: %s", what, error.message);
    else if (!a.opened)
        spec_complain(r->file, spec_find(r->file, node, "file"),
                      "%s: cannot read '%.300s'; it must be an HDF5 file, such as MATLAB's save with '-v7.3'",
                      what, path);
    else
        spec_complain(r->file, spec_find(r->file, node, "name"), "%s: '%.100s' of '%.300s': %s", what, name,
                      path, a.fault);
    memory_free(values);
    return false;
}
