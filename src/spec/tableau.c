/* Methods: a name, or a tableau whose entries may be expressions. */
#include <stdio.h>
#include <string.h>

#include "costab/spec.h"
#include "spec/sections.h"

typedef struct tableau {
    const spec_node *A, *b, *c;
} tableau;

static const spec_key tableau_keys[] = {
    {"A", true, "A: [[0, 0], [1, 0]]", SPEC_VALUE(SPEC_NODE, tableau, A)},
    {"b", true, "b: [1/2, 1/2]", SPEC_VALUE(SPEC_NODE, tableau, b)},
    {"c", false, "c: [0, 1]", SPEC_VALUE(SPEC_NODE, tableau, c)},
};

static bool read_row(spec_file *file, const spec_node *node, const char *what, size_t stages, double *row) {
    if (!spec_list(file, node, what, stages)) return false;
    bool fine = true;
    SPEC_EACH (item, file, node)
        if (!spec_constant(file, item, what, row++)) fine = false;
    return fine;
}

static bool read_A(spec_file *file, const spec_node *node, size_t stages, double *A) {
    if (!spec_list(file, node, "method, A", stages)) return false;
    bool fine = true;
    size_t i = 0;
    for (const spec_node *row = spec_first(file, node); row != NULL; row = spec_next(file, row), i++) {
        char what[40];
        snprintf(what, sizeof what, "method, row %zu of A", i + 1);
        if (!read_row(file, row, what, stages, A + i * stages)) fine = false;
    }
    return fine;
}

static void sum_rows(size_t stages, const double *A, double *c) {
    for (size_t i = 0; i < stages; i++) {
        c[i] = 0;
        for (size_t j = 0; j < stages; j++) c[i] += A[i * stages + j];
    }
}

static bool read_tableau(spec_file *file, const spec_node *node, costab_method *method) {
    tableau t = {NULL, NULL, NULL};
    double A[COSTAB_STAGES_MAX * COSTAB_STAGES_MAX] = {0}, b[COSTAB_STAGES_MAX], c[COSTAB_STAGES_MAX];
    if (!spec_read_mapping(file, node, "method", SPEC_TABLE(tableau_keys), &t)) return false;
    if (!spec_list(file, t.b, "method, b", 0)) return false;
    size_t stages = t.b->size;
    if (stages > COSTAB_STAGES_MAX) {
        spec_complain(file, t.b, "method, b: %zu stages; at most %d are possible", stages, COSTAB_STAGES_MAX);
        return false;
    }
    bool fine = read_row(file, t.b, "method, b", stages, b);
    fine = read_A(file, t.A, stages, A) && fine;
    fine = (t.c == NULL || read_row(file, t.c, "method, c", stages, c)) && fine;
    if (!fine) return false;

    if (t.c == NULL) sum_rows(stages, A, c);
    costab_error error;
    if (costab_method_from_tableau((int)stages, A, b, c, method, &error) == COSTAB_OK) return true;
    if (error.status == COSTAB_MEMORY) file->memory_failed = true;
    spec_complain(file, node, "method: %s", error.message);
    return false;
}

bool spec_read_method(spec_file *file, const spec_node *node, costab_method *method) {
    if (node->kind == SPEC_MAPPING) return read_tableau(file, node, method);
    char name[SPEC_WORD_MAX];
    costab_error error;
    if (!spec_word(file, node, "method", name)) return false;
    if (costab_method_find(name, method, &error) == COSTAB_OK) return true;
    if (error.status == COSTAB_MEMORY) file->memory_failed = true;
    spec_complain(file, node, "%s", error.message);
    return false;
}
