/* Matrices of a model: lists of rows in the file (matrix.c), or {file: plant.mat, name: A} from an HDF5
 * file (matrix_hdf5.c) or, of a stored text, from the copy that it brings along (attached.c). */
#include "base/memory.h"
#include "model/body.h"

typedef struct matrix_source {
    char *file, *name;
} matrix_source;

static const spec_key file_keys[] = {
    {"file", true, "file: plant.mat",
     "an HDF5 or MATLAB v7.3 file, relative to this one; it holds all numbers itself: virtual datasets, external "
     "files and datasets that were not written in full are refused",
     SPEC_VALUE(SPEC_LINE, matrix_source, file)},
    {"name", true, "name: A", "the dataset or variable", SPEC_VALUE(SPEC_LINE, matrix_source, name)},
};
const spec_keys spec_file_keys = {SPEC_TABLE(file_keys)};

static bool load_beside(model_reader *r, const spec_node *node, const char *what, const matrix_source *source,
                        model_matrix *matrix) {
    text_local path = {0};
    if (r->file->stored)
        return spec_complain(r->file, node,
                             "%s: '%.300s' does not come with the stored text, and is not opened", what,
                             source->file);
    bool fine = model_path(r, r->path, source->file, &path) &&
                model_matrix_load(r, node, what, path.data, source->name, matrix);
    if (fine) model_attach(r, source->file, source->name, matrix);
    return fine;
}

static bool load_named(model_reader *r, const spec_node *node, const char *what, model_matrix *matrix) {
    matrix_source source = {NULL, NULL};
    bool fine = spec_read_mapping(r->file, node, what, SPEC_TABLE(file_keys), &source);
    if (fine && (source.file[0] == '\0' || source.name[0] == '\0'))
        fine = spec_complain(r->file, node, "%s: file and name cannot be empty", what);
    fine = fine && (model_attached(r, source.file, source.name, what, matrix) ||
                    load_beside(r, node, what, &source, matrix));
    memory_free_all(source.file, source.name);
    return fine;
}

bool model_matrix_measure(model_reader *r, const spec_node *node, const char *what, model_matrix *matrix) {
    if (node->kind != SPEC_MAPPING) return model_matrix_rows(r, node, what, matrix);
    *matrix = (model_matrix){.node = node};
    return load_named(r, node, what, matrix);
}
