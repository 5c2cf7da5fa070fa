/* Matrices that came from HDF5 files, written down as text: a model's text and they together need no file.
 *
 *     - ["plant.mat", "A", [[0, 1], [-10, -1]]]
 *
 * File and dataset stand there as the model names them. */
#include "base/escape.h"
#include "base/memory.h"
#include "model/body.h"

text *model_begin_attached(model_reader *r, const char *file, const char *name) {
    text *t = &r->matrices;
    text_append(t, "- [");
    escape(t, ESCAPE_YAML, file);
    text_append(t, ", ");
    escape(t, ESCAPE_YAML, name);
    text_append(t, ", [");
    return t;
}

void model_attach(model_reader *r, const char *file, const char *name, const model_matrix *matrix) {
    text *t = model_begin_attached(r, file, name);
    for (int i = 0; i < matrix->rows; i++) {
        text_append(t, i == 0 ? "[" : ", [");
        for (int j = 0; j < matrix->columns; j++)
            text_printf(t, j == 0 ? "%.17g" : ", %.17g", matrix->values[i * matrix->columns + j]);
        text_append(t, "]");
    }
    text_append(t, "]]\n");
    if (t->failed) r->memory_failed = true;
}

const spec_node *model_attached_rows(const model_reader *r, const char *file, const char *name) {
    const spec_file *attached = &r->attached;
    const spec_node *root = r->attached_root;
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
    r->file = &r->attached;
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
