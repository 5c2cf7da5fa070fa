/* Methods: a name, or a tableau whose entries may be expressions. */
#include <stdio.h>
#include <string.h>

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
    SPEC_EACH(item, file, node)
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

/* Lays the sources of a list's items beside their values; the items of a list of lists come row by row.
 * Returns the entry after the last. */
static costab_entry *with_sources(spec_file *file, const spec_node *list, const double **values,
                                  costab_entry *entry) {
    for (const spec_node *item = spec_first(file, list); item != NULL; item = spec_next(file, item)) {
        if (item->kind != SPEC_SCALAR)
            entry = with_sources(file, item, values, entry);
        else
            *entry++ = (costab_entry){spec_text(file, item), item->size, *(*values)++};
    }
    return entry;
}

static costab_status make_exact(spec_file *file, const tableau *t, const double *A, const double *b,
                                const double *c, costab_method *method, costab_error *error) {
    costab_entry entries[COSTAB_STAGES_MAX * (COSTAB_STAGES_MAX + 2)];
    costab_entry *b_entry = with_sources(file, t->A, &A, entries),
                 *c_entry = with_sources(file, t->b, &b, b_entry);
    if (t->c != NULL) (void)with_sources(file, t->c, &c, c_entry);
    return costab_method_from_entries((int)t->b->size, entries, b_entry, t->c != NULL ? c_entry : NULL,
                                      method, error);
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

    costab_error error;
    if (make_exact(file, &t, A, b, c, method, &error) == COSTAB_OK) return true;
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

/* ---- Solvers of subsystems */

typedef struct newmark_numbers {
    const spec_node *beta, *gamma;
} newmark_numbers;

static const spec_key newmark_keys[] = {
    {"beta", true, "beta: 1/4", SPEC_VALUE(SPEC_NODE, newmark_numbers, beta)},
    {"gamma", true, "gamma: 1/2", SPEC_VALUE(SPEC_NODE, newmark_numbers, gamma)},
};

static costab_status make_newmark(spec_file *file, const spec_node *node, bool *read, costab_method *method,
                                  costab_error *error) {
    newmark_numbers n = {.beta = NULL};
    double beta, gamma;
    *read = spec_read_mapping(file, node, "method, newmark", SPEC_TABLE(newmark_keys), &n) &&
            spec_constant(file, n.beta, "method, newmark, beta", &beta) &&
            spec_constant(file, n.gamma, "method, newmark, gamma", &gamma);
    return *read ? costab_method_newmark(beta, gamma, method, error) : COSTAB_OK;
}

typedef struct alpha_numbers {
    const spec_node *rho, *given[4];
} alpha_numbers;

static const spec_key alpha_keys[] = {
    {"rho", false, "rho: 0.8", SPEC_VALUE(SPEC_NODE, alpha_numbers, rho)},
    {"alpha_m", false, "alpha_m: 1/3", SPEC_VALUE(SPEC_NODE, alpha_numbers, given[0])},
    {"alpha_f", false, "alpha_f: 4/9", SPEC_VALUE(SPEC_NODE, alpha_numbers, given[1])},
    {"beta", false, "beta: 25/81", SPEC_VALUE(SPEC_NODE, alpha_numbers, given[2])},
    {"gamma", false, "gamma: 11/18", SPEC_VALUE(SPEC_NODE, alpha_numbers, given[3])},
};

static costab_status make_alpha(spec_file *file, const spec_node *node, bool *read, costab_method *method,
                                costab_error *error) {
    alpha_numbers n = {.rho = NULL};
    double rho, v[4];
    int given = 0;
    *read = spec_read_mapping(file, node, "method, generalized_alpha", SPEC_TABLE(alpha_keys), &n);
    for (int i = 0; i < 4 && *read; i++) given += n.given[i] != NULL;
    if (*read && (n.rho != NULL ? given != 0 : given != 4))
        *read = spec_expected(file, node, "method, generalized_alpha",
                              "rho, or alpha_m, alpha_f, beta and gamma");
    if (!*read) return COSTAB_OK;
    if (n.rho != NULL) {
        *read = spec_constant(file, n.rho, "method, generalized_alpha, rho", &rho);
        return *read ? costab_method_generalized_alpha_rho(rho, method, error) : COSTAB_OK;
    }
    for (int i = 0; i < 4; i++)
        *read = spec_constant(file, n.given[i], "method, generalized_alpha", &v[i]) && *read;
    return *read ? costab_method_generalized_alpha(v[0], v[1], v[2], v[3], method, error) : COSTAB_OK;
}

typedef struct nystrom_nodes {
    const spec_node *A_bar, *A, *b_bar, *b, *c;
} nystrom_nodes;

static const spec_key nystrom_keys[] = {
    {"abar", true, "abar: [[0]]", SPEC_VALUE(SPEC_NODE, nystrom_nodes, A_bar)},
    {"a", true, "a: [[0]]", SPEC_VALUE(SPEC_NODE, nystrom_nodes, A)},
    {"bbar", true, "bbar: [1/2]", SPEC_VALUE(SPEC_NODE, nystrom_nodes, b_bar)},
    {"b", true, "b: [1]", SPEC_VALUE(SPEC_NODE, nystrom_nodes, b)},
    {"c", true, "c: [0]", SPEC_VALUE(SPEC_NODE, nystrom_nodes, c)},
};

static costab_status make_nystrom(spec_file *file, const spec_node *node, bool *read, costab_method *method,
                                  costab_error *error) {
    nystrom_nodes n = {.A_bar = NULL};
    double A_bar[COSTAB_STAGES_MAX * COSTAB_STAGES_MAX], A[COSTAB_STAGES_MAX * COSTAB_STAGES_MAX];
    double b_bar[COSTAB_STAGES_MAX], b[COSTAB_STAGES_MAX], c[COSTAB_STAGES_MAX];
    *read = spec_read_mapping(file, node, "method, nystrom", SPEC_TABLE(nystrom_keys), &n) &&
            spec_list(file, n.b, "method, b", 0);
    if (!*read) return COSTAB_OK;
    size_t stages = n.b->size;
    if (stages > COSTAB_STAGES_MAX) {
        spec_complain(file, n.b, "method, b: %zu stages; at most %d are possible", stages, COSTAB_STAGES_MAX);
        *read = false;
        return COSTAB_OK;
    }
    *read = read_row(file, n.b, "method, b", stages, b);
    *read = read_row(file, n.b_bar, "method, bbar", stages, b_bar) && *read;
    *read = read_row(file, n.c, "method, c", stages, c) && *read;
    *read = read_A(file, n.A, stages, A) && *read;
    *read = read_A(file, n.A_bar, stages, A_bar) && *read;
    costab_nystrom found = {(int)stages, A_bar, A, b_bar, b, c};
    return *read ? costab_method_nystrom(&found, method, error) : COSTAB_OK;
}

/* {KEY: {..}}: one row a solver that takes numbers. */
static const struct {
    const char *key;
    costab_status (*make)(spec_file *file, const spec_node *node, bool *read, costab_method *method,
                          costab_error *error);
} solver_rows[] = {{"newmark", make_newmark}, {"generalized_alpha", make_alpha}, {"nystrom", make_nystrom}};

bool spec_read_solver(spec_file *file, const spec_node *node, costab_method *method) {
    costab_error error = {.status = COSTAB_OK};
    char name[SPEC_WORD_MAX];
    bool read = true;
    for (size_t i = 0; i < sizeof solver_rows / sizeof *solver_rows && node->kind == SPEC_MAPPING; i++) {
        const spec_node *numbers = spec_find(file, node, solver_rows[i].key);
        if (numbers == NULL) continue;
        if (node->size != 1) return spec_expected(file, node, "method", "one solver with its numbers");
        costab_status status = solver_rows[i].make(file, numbers, &read, method, &error);
        if (status) spec_complain(file, numbers, "%s", error.message);
        return read && !status;
    }
    if (node->kind == SPEC_MAPPING) return read_tableau(file, node, method);
    if (!spec_word(file, node, "method", name)) return false;
    if (costab_solver_find(name, method, &error) == COSTAB_OK) return true;
    if (error.status == COSTAB_MEMORY) file->memory_failed = true;
    spec_complain(file, node, "%s", error.message);
    return false;
}
