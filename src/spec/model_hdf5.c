/* Matrices in HDF5 files, which may come from anywhere.
 *   1. A child process (base/guard.h) with little memory and time opens the file and answers with the extent
 *      and the numbers, or with what is wrong.
 *   2. The parent checks the answer, as a forged file may have made it.
 *   3. A matrix of a MATLAB v7.3 file (attribute MATLAB_class) is stored by columns, and is transposed. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/guard.h"
#include "base/memory.h"
#include "spec/model_body.h"

/* What the child may take: memory in bytes, seconds of computing. */
#define FILE_MEMORY  ((size_t)1 << 28)
#define FILE_SECONDS 20

/* NULL if the dataset can be a matrix; [out] its extent, a scalar being 1 x 1 and a vector a column. */
static const char *matrix_fault(hid_t dataset, hsize_t extent[2]) {
    hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    extent[0] = extent[1] = 1;
    if (class != H5T_FLOAT && class != H5T_INTEGER) return "it does not hold real numbers";
    if (rank < 0 || rank > 2) return "it is no matrix: it has more than two dimensions";
    if (rank > 0 && H5Sget_simple_extent_dims(space, extent, NULL) < 0) return "its extent cannot be read";
    if (extent[0] < 1 || extent[1] < 1) return "it is empty";
    if (extent[0] > MODEL_PORTS_MAX || extent[1] > MODEL_PORTS_MAX) return "it is too large";
    return NULL;
}

/* What the child answers: a fault, or an extent, behind which the numbers follow by rows. */
typedef struct answer {
    bool opened; /* the file is one of HDF5 */
    char fault[100];
    int rows, columns;
} answer;

/* What the child is asked for. */
typedef struct request {
    const char *path, *name;
} request;

/* Reads the numbers as they stand in the file; NULL if that went well. */
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
    if (dataset < 0 || H5Iget_type(dataset) != H5I_DATASET) return "there is no dataset of this name";
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

/* The child's work. The process ends with it: nothing is closed or freed. */
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

/* Takes the child's answer, which a forged file may have made. */
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

/* Asks a child, where `path` is a regular file: a named pipe would be waited for. */
static costab_status ask(const char *path, const char *name, answer *a, double **values,
                         costab_error *error) {
    request wanted = {.path = path, .name = name};
    ends_by(guard_end) guard *child = NULL;
    struct stat about;
    *a = (answer){.opened = false};
    if (stat(path, &about) != 0) return COSTAB_OK;
    if (!S_ISREG(about.st_mode))
        return error_invalid(error, "cannot read '%.300s': it is not a regular file", path);
    if (H5open() < 0) /* here: what the child has at its start does not count as its memory */
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
