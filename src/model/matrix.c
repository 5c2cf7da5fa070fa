/* Matrices that are lists of rows in the file: measured first (all rows are equally long), then each entry is
 * read into its slot, as a number or a formula. */
#include <stdio.h>

#include "base/memory.h"
#include "model/body.h"

static bool too_large(model_reader *r, const spec_node *node, const char *what, size_t rows, size_t columns) {
    if (rows <= MODEL_PORTS_MAX && columns <= MODEL_PORTS_MAX) return false;
    spec_complain(r->file, node, "%s: %zu x %zu numbers; at most %d x %d are possible", what, rows, columns,
                  MODEL_PORTS_MAX, MODEL_PORTS_MAX);
    return true;
}

bool model_matrix_rows(model_reader *r, const spec_node *node, const char *what, model_matrix *matrix) {
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
            fine = spec_complain(r->file, row, "%s: it has %u entries, row 1 has %u%s", place,
                                 (unsigned)row->size, (unsigned)first->size,
                                 spec_divided(r->file, row->size > first->size ? row : first));
    }
    return fine;
}

bool model_matrix_fill(model_reader *r, const model_matrix *matrix, const char *what, int slot) {
    bool fine = slot >= 0;
    if (matrix->values != NULL) {
        for (int i = 0; fine && i < matrix->rows * matrix->columns; i++)
            r->body->slots[slot + i] = matrix->values[i];
        return fine;
    }
    int i = 0, j;
    SPEC_EACH(row, r->file, matrix->node) {
        j = 0;
        i++;
        SPEC_EACH(item, r->file, row) {
            char place[MODEL_WHAT_MAX + 40];
            snprintf(place, sizeof place, "%s(%d,%d)", what, i, ++j);
            fine = slot >= 0 && model_number(r, item, place, MODEL_ANY, slot++) && fine;
        }
    }
    return fine;
}

void model_matrix_free(model_matrix *matrix) {
    memory_free(matrix->values);
    matrix->values = NULL;
}
