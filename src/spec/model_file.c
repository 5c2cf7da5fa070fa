/* Matrices from HDF5 files: {file: plant.mat, name: A}. MATLAB's v7.3 files are HDF5; MATLAB keeps a matrix
 * by columns, so that its dataset is the transpose, and marks it with the attribute MATLAB_class. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "spec/model_body.h"

typedef struct matrix_source {
    char *file, *name;
} matrix_source;

static const spec_key file_keys[] = {
    {"file", true, "file: plant.mat", SPEC_VALUE(SPEC_LINE, matrix_source, file)},
    {"name", true, "name: A", SPEC_VALUE(SPEC_LINE, matrix_source, name)},
};

/* NULL if the dataset can be a matrix; [out] its extent, a scalar being 1 x 1 and a vector a column. */
static const char *matrix_fault(hid_t dataset, hsize_t extent[2]) {
    hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    const char *fault = NULL;
    int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    extent[0] = extent[1] = 1;
    if (class != H5T_FLOAT && class != H5T_INTEGER)
        fault = "it does not hold real numbers";
    else if (rank < 0 || rank > 2)
        fault = "it is no matrix: it has more than two dimensions";
    else if (rank > 0 && H5Sget_simple_extent_dims(space, extent, NULL) < 0)
        fault = "its extent cannot be read";
    else if (extent[0] < 1 || extent[1] < 1)
        fault = "it is empty";
    else if (extent[0] > MODEL_PORTS_MAX || extent[1] > MODEL_PORTS_MAX)
        fault = "it is too large";
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    return fault;
}

static void transpose(const double *from, double *to, int rows, int columns) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) to[i * columns + j] = from[j * rows + i];
}

/* Reads the numbers; NULL if that went well. */
static const char *read_numbers(model_reader *r, hid_t dataset, const hsize_t extent[2],
                                model_matrix *matrix) {
    bool transposed = H5Aexists(dataset, "MATLAB_class") > 0;
    int rows = (int)extent[transposed ? 1 : 0], columns = (int)extent[transposed ? 0 : 1];
    size_t count = (size_t)rows * (size_t)columns;
    double *values = model_alloc(r, count, sizeof *values), *stored = model_alloc(r, count, sizeof *stored);
    const char *fault = NULL;
    if (values == NULL || stored == NULL)
        fault = "out of memory";
    else if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, stored) < 0)
        fault = "its numbers cannot be read";
    for (size_t i = 0; fault == NULL && i < count; i++)
        if (!isfinite(stored[i])) fault = "it holds a number that is not finite";
    if (fault == NULL && transposed)
        transpose(stored, values, rows, columns);
    else if (fault == NULL)
        memcpy(values, stored, count * sizeof *values);
    memory_free(stored);
    if (fault != NULL) memory_free(values);
    if (fault == NULL) *matrix = (model_matrix){matrix->node, rows, columns, values};
    return fault;
}

static bool load(model_reader *r, const spec_node *node, const char *what, const char *path, const char *name,
                 model_matrix *matrix) {
    const char *fault = NULL;
    hsize_t extent[2];
    hid_t dataset = -1, file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) {
        spec_complain(r->file, spec_find(r->file, node, "file"),
                      "%s: cannot read '%.300s'; it must be an HDF5 file, such as MATLAB's save with '-v7.3'",
                      what, path);
        return false;
    }
    H5O_info_t info;
    bool found = H5Oget_info_by_name(file, name, &info, H5P_DEFAULT) >= 0 && info.type == H5O_TYPE_DATASET;
    dataset = found ? H5Dopen2(file, name, H5P_DEFAULT) : -1;
    fault = dataset < 0 ? "there is no dataset of this name" : matrix_fault(dataset, extent);
    if (fault == NULL) fault = read_numbers(r, dataset, extent, matrix);
    if (fault != NULL)
        spec_complain(r->file, spec_find(r->file, node, "name"), "%s: '%.100s' of '%.300s': %s", what, name,
                      path, fault);
    if (dataset >= 0) H5Dclose(dataset);
    H5Fclose(file);
    return fault == NULL;
}

/* HDF5 is silent meanwhile. */
static bool load_silently(model_reader *r, const spec_node *node, const char *what,
                          const matrix_source *source, model_matrix *matrix) {
    text path = {0};
    H5E_auto2_t printer = NULL;
    void *printer_data = NULL;
    H5Eget_auto2(H5E_DEFAULT, &printer, &printer_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    bool fine =
        model_path(r, r->path, source->file, &path) && load(r, node, what, path.data, source->name, matrix);
    H5Eset_auto2(H5E_DEFAULT, printer, printer_data);
    text_free(&path);
    if (fine) model_attach(r, source->file, source->name, matrix);
    return fine;
}

bool model_matrix_load(model_reader *r, const spec_node *node, const char *what, model_matrix *matrix) {
    matrix_source source = {NULL, NULL};
    bool fine = spec_read_mapping(r->file, node, what, SPEC_TABLE(file_keys), &source);
    if (fine && (source.file[0] == '\0' || source.name[0] == '\0')) {
        spec_complain(r->file, node, "%s: file and name cannot be empty", what);
        fine = false;
    }
    fine = fine && (model_attached(r, source.file, source.name, what, matrix) ||
                    load_silently(r, node, what, &source, matrix));
    memory_free(source.file);
    memory_free(source.name);
    return fine;
}
