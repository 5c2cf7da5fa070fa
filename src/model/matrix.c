/* Matrices of a model: all rows are measured first (equal lengths), then each entry is read into its slot as
 * a number or a formula. The file gives lists of rows, or {file: plant.mat, name: A} of an HDF5 file
 * (matrix_hdf5.c). Matrices of other files are attached to the spec as a list of [file, name, rows], with
 * file and name as the model writes them, so the text in a results file is self-contained:
 *
 *     - ["plant.mat", "A", [[0, 1], [-10, -1]]] */
#include <stdio.h>

#include "base/memory.h"
#include "model/body.h"

static bool too_large(model_reader *r, const spec_node *node, const char *what, size_t rows, size_t columns) {
    if (rows <= MODEL_PORTS_MAX && columns <= MODEL_PORTS_MAX) return false;
    spec_complain(r->file, node, "%s: %zu x %zu numbers; at most %d x %d are possible", what, rows, columns,
                  MODEL_PORTS_MAX, MODEL_PORTS_MAX);
    return true;
}

/* Measures a list of rows. */
static bool measure_rows(model_reader *r, const spec_node *node, const char *what, model_matrix *matrix) {
    char place[MODEL_WHAT_MAX + 40];
    *matrix = (model_matrix){.node = node};
    const spec_node *first = spec_first(r->file, node);
    if (node->kind != SPEC_LIST || first == NULL || first->kind != SPEC_LIST)
        return spec_expected(r->file, node, what,
                             "a matrix as a list of rows, each a list, such as [[0, 1], [-k, -b]], or "
                             "{file: plant.mat, name: A}");
    if (too_large(r, node, what, node->size, first->size)) return false;
    matrix->rows = (int)node->size;
    matrix->columns = (int)first->size;
    bool fine = true;
    int i = 1;
    SPEC_EACH(row, r->file, node) {
        snprintf(place, sizeof place, "%s, row %d", what, i++);
        if (row->kind != SPEC_LIST)
            fine = spec_expected(r->file, row, place, "a list");
        else if (row->size != first->size || row->size == 0)
            fine = spec_complain(r->file, row, "%s: expected %u entries, as in row 1, found %u%s", place,
                                 (unsigned)first->size, (unsigned)row->size,
                                 spec_divided(r->file, row->size > first->size ? row : first));
    }
    return fine;
}

bool model_matrix_fill(model_reader *r, const model_matrix *matrix, const char *what, int slot, int stride) {
    bool fine = slot >= 0;
    if (matrix->values != NULL) {
        for (int i = 0; fine && i < matrix->rows * matrix->columns; i++)
            r->body->slots[slot + i / matrix->columns * stride + i % matrix->columns] = matrix->values[i];
        return fine;
    }
    int i = 0, j;
    SPEC_EACH(row, r->file, matrix->node) {
        j = 0;
        i++;
        SPEC_EACH(item, r->file, row) {
            char place[MODEL_WHAT_MAX + 40];
            snprintf(place, sizeof place, "%s(%d,%d)", what, i, ++j);
            fine =
                slot >= 0 && model_number(r, item, place, MODEL_ANY, slot + (i - 1) * stride + j - 1) && fine;
        }
    }
    return fine;
}

void model_matrix_free(model_matrix *matrix) {
    memory_free(matrix->values);
    matrix->values = NULL;
}

typedef struct matrix_source {
    char *file, *name;
} matrix_source;

static const spec_key file_keys[] = {
    {"file", true, "file: plant.mat",
     "an HDF5 or MATLAB v7.3 file, relative to this file; it holds all numbers itself: virtual datasets, external "
     "files and datasets that were not written in full are refused",
     SPEC_VALUE(SPEC_LINE, matrix_source, file)},
    {"name", true, "name: A", "the dataset or variable", SPEC_VALUE(SPEC_LINE, matrix_source, name)},
};
const spec_keys spec_file_keys = {SPEC_TABLE(file_keys)};

/* ---- Attached matrices ---- */

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

/* Attaches a matrix read from a file. */
static void attach(model_reader *r, const char *file, const char *name, const model_matrix *matrix) {
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
    bool fine = measure_rows(r, rows, what, matrix);
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

/* Takes an attached matrix; returns false if there is none. */
static bool take_attached(model_reader *r, const char *file, const char *name, const char *what,
                          model_matrix *matrix) {
    const spec_node *rows = model_attached_rows(r, file, name);
    if (rows == NULL || !take_rows(r, rows, what, matrix)) return false;
    attach(r, file, name, matrix);
    return true;
}

/* ---- Files ---- */

static bool load_file(model_reader *r, const spec_node *node, const char *what, const matrix_source *source,
                      model_matrix *matrix) {
    text_local path = {0};
    if (r->file->stored)
        return spec_complain(r->file, node, "%s: '%.300s' is not stored with the text, and is not opened",
                             what, source->file);
    bool fine = model_path(r, r->path, source->file, &path) &&
                model_matrix_load(r, node, what, path.data, source->name, matrix);
    if (fine) attach(r, source->file, source->name, matrix);
    return fine;
}

static bool load_named(model_reader *r, const spec_node *node, const char *what, model_matrix *matrix) {
    matrix_source source = {NULL, NULL};
    bool fine = spec_read_mapping(r->file, node, what, SPEC_TABLE(file_keys), &source);
    if (fine && (source.file[0] == '\0' || source.name[0] == '\0'))
        fine = spec_complain(r->file, node, "%s: file and name cannot be empty", what);
    fine = fine && (take_attached(r, source.file, source.name, what, matrix) ||
                    load_file(r, node, what, &source, matrix));
    memory_free_all(source.file, source.name);
    return fine;
}

bool model_matrix_measure(model_reader *r, const spec_node *node, const char *what, model_matrix *matrix) {
    if (node->kind != SPEC_MAPPING) return measure_rows(r, node, what, matrix);
    *matrix = (model_matrix){.node = node};
    return load_named(r, node, what, matrix);
}
