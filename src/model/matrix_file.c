/* Matrices of a model: lists of rows in the file (matrix.c), or {file: plant.mat, name: A} from an HDF5
 * file (matrix_hdf5.c). What was read from there stays with the spec as a list of [file, name, rows], file
 * and name as the model has them, so that the text in a results file needs no other file:
 *
 *     - ["plant.mat", "A", [[0, 1], [-10, -1]]] */
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

/* ---- Matrices that come with a spec */

void model_begin_attached(model_reader *r, const char *file, const char *name) {
    if (spec_root(&r->used) == NULL) spec_open(&r->use, SPEC_LIST);
    spec_open(&r->use, SPEC_LIST);
    spec_add_text(&r->use, file);
    spec_add_text(&r->use, name);
    spec_open(&r->use, SPEC_LIST);
}

void model_end_attached(model_reader *r) {
    spec_close(&r->use);
    spec_close(&r->use);
}

void model_attach(model_reader *r, const char *file, const char *name, const model_matrix *matrix) {
    model_begin_attached(r, file, name);
    for (int i = 0; i < matrix->rows; i++) {
        spec_open(&r->use, SPEC_LIST);
        for (int j = 0; j < matrix->columns; j++)
            spec_add_number(&r->use, matrix->values[i * matrix->columns + j]);
        spec_close(&r->use);
    }
    model_end_attached(r);
}

const spec_node *model_attached_rows(const model_reader *r, const char *file, const char *name) {
    const spec_file *attached = r->attached;
    const spec_node *root = spec_root(attached);
    if (root == NULL || root->kind != SPEC_LIST) return NULL;
    SPEC_EACH(item, attached, root) {
        if (item->kind != SPEC_LIST || item->size != 3) continue;
        const spec_node *first = spec_first(attached, item), *second = spec_next(attached, first);
        const spec_node *rows = spec_next(attached, second);
        if (spec_is(attached, first, file) && spec_is(attached, second, name) && rows->kind == SPEC_LIST)
            return rows;
    }
    return NULL;
}

static bool take_rows(model_reader *r, const spec_node *rows, const char *what, model_matrix *matrix) {
    const spec_node *node = matrix->node;
    spec_file *own = r->file;
    r->file = r->attached;
    bool fine = model_matrix_rows(r, rows, what, matrix);
    double *values =
        fine ? model_alloc(r, (size_t)matrix->rows * (size_t)matrix->columns, sizeof *values) : NULL;
    fine = values != NULL;
    int k = 0;
    if (fine) SPEC_EACH(row, r->file, rows)
    SPEC_EACH(item, r->file, row) fine = spec_number(r->file, item, what, &values[k++]) && fine;
    r->file = own;
    matrix->node = node;
    matrix->values = fine ? values : NULL;
    if (!fine) memory_free(values);
    return fine;
}

bool model_attached(model_reader *r, const char *file, const char *name, const char *what,
                    model_matrix *matrix) {
    const spec_node *rows = model_attached_rows(r, file, name);
    if (rows == NULL || !take_rows(r, rows, what, matrix)) return false;
    model_attach(r, file, name, matrix);
    return true;
}

/* ---- Files */

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
