/* Reads the methods of a spec: a name, a tableau, or a solver with its numbers.
 * 1. Entries are numbers or constant expressions, such as 1/6 or sqrt(2).
 * 2. A tableau stores the text of its entries next to the doubles, for exact arithmetic.
 * 3. {KEY: {..}} is a solver of the table at the end (newmark, generalized_alpha, nystrom). */
#include <stdio.h>
#include <string.h>

#include "model/body.h"

typedef struct tableau {
    const spec_node *A, *b, *c;
} tableau;

static const spec_key tableau_keys[] = {
    {"A", true, "A: [[0, 0], [1, 0]]",
     "of a Runge-Kutta method: its matrix, in constant expressions such as 1/6 and sqrt(2)",
     SPEC_VALUE(SPEC_NODE, tableau, A)},
    {"b", true, "b: [1/2, 1/2]", "its weights", SPEC_VALUE(SPEC_NODE, tableau, b)},
    {"c", false, "c: [0, 1]", "its nodes, where the system depends on time",
     SPEC_VALUE(SPEC_NODE, tableau, c)},
};
const spec_keys spec_tableau_keys = {SPEC_TABLE(tableau_keys)};

static bool read_row(spec_file *file, const spec_node *node, const char *what, size_t stages, double *row) {
    if (!spec_list(file, node, what, stages)) return false;
    bool fine = true;
    SPEC_EACH(item, file, node) fine = spec_constant(file, item, what, row++) && fine;
    return fine;
}

static bool read_A(spec_file *file, const spec_node *node, size_t stages, double *A) {
    if (!spec_list(file, node, "method, A", stages)) return false;
    bool fine = true;
    size_t i = 0;
    SPEC_EACH(row, file, node) {
        char what[40];
        snprintf(what, sizeof what, "method, row %zu of A", ++i);
        fine = read_row(file, row, what, stages, A + (i - 1) * stages) && fine;
    }
    return fine;
}

/* The weights b determine the number of stages. */
static bool count_stages(spec_file *file, const spec_node *b, size_t *stages) {
    if (!spec_list(file, b, "method, b", 0)) return false;
    *stages = b->size;
    return *stages <= COSTAB_STAGES_MAX ||
           spec_complain(file, b, "method, b: %zu stages; at most %d are possible", *stages,
                         COSTAB_STAGES_MAX);
}

/* Returns true if the method was created; otherwise reports the error. */
static bool made(spec_file *file, const spec_node *node, const char *what, costab_status status,
                 const costab_error *error) {
    if (status == COSTAB_MEMORY) file->memory_failed = true;
    return !status || spec_complain(file, node, "%s%s", what, error->message);
}

/* Combines the texts of a list's items with their values; nested lists are taken row by row. Returns the end
 * of the entries. */
static costab_entry *with_sources(spec_file *file, const spec_node *list, const double **values,
                                  costab_entry *entry) {
    SPEC_EACH(item, file, list) {
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
    size_t stages;
    if (!count_stages(file, t.b, &stages)) return false;
    bool fine = read_row(file, t.b, "method, b", stages, b);
    fine = read_A(file, t.A, stages, A) && fine;
    fine = (t.c == NULL || read_row(file, t.c, "method, c", stages, c)) && fine;
    costab_error error;
    return fine && made(file, node, "method: ", make_exact(file, &t, A, b, c, method, &error), &error);
}

bool spec_read_method(spec_file *file, const spec_node *node, costab_method *method) {
    if (node->kind == SPEC_MAPPING) return read_tableau(file, node, method);
    char name[SPEC_WORD_MAX];
    costab_error error;
    return spec_word(file, node, "method", name) &&
           made(file, node, "", costab_method_find(name, method, &error), &error);
}

/* ---- Solvers of subsystems ---- */

typedef struct newmark_numbers {
    const spec_node *beta, *gamma;
} newmark_numbers;

static const spec_key newmark_keys[] = {
    {"beta", true, "beta: 1/4", "of Newmark's method", SPEC_VALUE(SPEC_NODE, newmark_numbers, beta)},
    {"gamma", true, "gamma: 1/2", "of Newmark's method", SPEC_VALUE(SPEC_NODE, newmark_numbers, gamma)},
};
const spec_keys spec_newmark_keys = {SPEC_TABLE(newmark_keys)};

static bool read_newmark(spec_file *file, const spec_node *node, costab_method *method) {
    newmark_numbers n = {.beta = NULL};
    double beta, gamma;
    costab_error error;
    return spec_read_mapping(file, node, "method, newmark", SPEC_TABLE(newmark_keys), &n) &&
           spec_constant(file, n.beta, "method, newmark, beta", &beta) &&
           spec_constant(file, n.gamma, "method, newmark, gamma", &gamma) &&
           made(file, node, "", costab_method_newmark(beta, gamma, method, &error), &error);
}

typedef struct alpha_numbers {
    const spec_node *rho, *given[4];
} alpha_numbers;

static const spec_key alpha_keys[] = {
    {"rho", false, "rho: 0.8",
     "the spectral radius at infinite frequency, from which the other numbers follow",
     SPEC_VALUE(SPEC_NODE, alpha_numbers, rho)},
    {"alpha_m", false, "alpha_m: 1/3", "instead of rho", SPEC_VALUE(SPEC_NODE, alpha_numbers, given[0])},
    {"alpha_f", false, "alpha_f: 4/9", "instead of rho", SPEC_VALUE(SPEC_NODE, alpha_numbers, given[1])},
    {"beta", false, "beta: 25/81", "instead of rho", SPEC_VALUE(SPEC_NODE, alpha_numbers, given[2])},
    {"gamma", false, "gamma: 11/18", "instead of rho", SPEC_VALUE(SPEC_NODE, alpha_numbers, given[3])},
};
const spec_keys spec_alpha_keys = {SPEC_TABLE(alpha_keys)};

static bool read_alpha(spec_file *file, const spec_node *node, costab_method *method) {
    static const char what[] = "method, generalized_alpha";
    alpha_numbers n = {.rho = NULL};
    double rho, v[4];
    int given = 0;
    costab_error error;
    if (!spec_read_mapping(file, node, what, SPEC_TABLE(alpha_keys), &n)) return false;
    for (int i = 0; i < 4; i++) given += n.given[i] != NULL;
    if (n.rho != NULL ? given != 0 : given != 4)
        return spec_expected(file, node, what, "rho, or alpha_m, alpha_f, beta and gamma");
    if (n.rho != NULL)
        return spec_constant(file, n.rho, "method, generalized_alpha, rho", &rho) &&
               made(file, node, "", costab_method_generalized_alpha_rho(rho, method, &error), &error);
    bool fine = true;
    for (int i = 0; i < 4; i++) fine = spec_constant(file, n.given[i], what, &v[i]) && fine;
    return fine && made(file, node, "",
                        costab_method_generalized_alpha(v[0], v[1], v[2], v[3], method, &error), &error);
}

typedef struct nystrom_nodes {
    const spec_node *A_bar, *A, *b_bar, *b, *c;
} nystrom_nodes;

static const spec_key nystrom_keys[] = {
    {"abar", true, "abar: [[0]]", "of a Runge-Kutta-Nystrom method: the matrix for positions",
     SPEC_VALUE(SPEC_NODE, nystrom_nodes, A_bar)},
    {"a", true, "a: [[0]]", "the matrix for velocities", SPEC_VALUE(SPEC_NODE, nystrom_nodes, A)},
    {"bbar", true, "bbar: [1/2]", "the weights for positions", SPEC_VALUE(SPEC_NODE, nystrom_nodes, b_bar)},
    {"b", true, "b: [1]", "the weights for velocities", SPEC_VALUE(SPEC_NODE, nystrom_nodes, b)},
    {"c", true, "c: [0]", "the nodes", SPEC_VALUE(SPEC_NODE, nystrom_nodes, c)},
};
const spec_keys spec_nystrom_keys = {SPEC_TABLE(nystrom_keys)};

static bool read_nystrom(spec_file *file, const spec_node *node, costab_method *method) {
    nystrom_nodes n = {.A_bar = NULL};
    double A_bar[COSTAB_STAGES_MAX * COSTAB_STAGES_MAX], A[COSTAB_STAGES_MAX * COSTAB_STAGES_MAX];
    double b_bar[COSTAB_STAGES_MAX], b[COSTAB_STAGES_MAX], c[COSTAB_STAGES_MAX];
    size_t stages;
    costab_error error;
    if (!spec_read_mapping(file, node, "method, nystrom", SPEC_TABLE(nystrom_keys), &n) ||
        !count_stages(file, n.b, &stages))
        return false;
    bool fine = read_row(file, n.b, "method, b", stages, b);
    fine = read_row(file, n.b_bar, "method, bbar", stages, b_bar) && fine;
    fine = read_row(file, n.c, "method, c", stages, c) && fine;
    fine = read_A(file, n.A, stages, A) && fine;
    fine = read_A(file, n.A_bar, stages, A_bar) && fine;
    costab_nystrom found = {(int)stages, A_bar, A, b_bar, b, c};
    return fine && made(file, node, "", costab_method_nystrom(&found, method, &error), &error);
}

/* {KEY: {..}}: one row per solver with numbers. */
static const struct {
    const char *key;
    bool (*read)(spec_file *file, const spec_node *node, costab_method *method);
} solvers[] = {{"newmark", read_newmark}, {"generalized_alpha", read_alpha}, {"nystrom", read_nystrom}};

bool spec_read_solver(spec_file *file, const spec_node *node, costab_method *method) {
    costab_error error;
    char name[SPEC_WORD_MAX];
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers && node->kind == SPEC_MAPPING; i++) {
        const spec_node *numbers = spec_find(file, node, solvers[i].key);
        if (numbers == NULL) continue;
        if (node->size != 1) return spec_expected(file, node, "method", "one solver with its numbers");
        return solvers[i].read(file, numbers, method);
    }
    if (node->kind == SPEC_MAPPING) return read_tableau(file, node, method);
    return spec_word(file, node, "method", name) &&
           made(file, node, "", costab_solver_find(name, method, &error), &error);
}
