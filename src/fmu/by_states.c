/* Markov parameters G_k of an FMU with settable states, from its first step alone: the answer of the outputs
 * k steps after a change of a column. They give the map of an FMU for co-simulation (fmu/measure.h). A column
 * is a changed number of the inputs: an input's value or one of its slopes.
 * 1. Runs of one step: without changes, with a change of each state, and with a change of each column
 *    (FMU_FROM_STATES). Difference quotients are F and C, of states and outputs after the step by the states
 *    before it, and E and D, by the columns.
 * 2. G_0 = D, G_k = C F^(k-1) E.
 * A map needs 1 + n + m steps instead of 48 to several thousand per column. Limitation: an FMU may have
 * hidden memory, or respond differently to other inputs; the long run (checks.c) detects this. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "fmu/measure.h"
#include "method/matrix.h"

/* The matrices, stored consecutively. */
typedef struct blocks {
    int n, q, m;
    double *F, *C, *E, *D; /* n x n, q x n, n x m, q x m */
} blocks;

static blocks blocks_of(const measure *m) {
    const int n = m->s->part->own_states.count, q = m->output_count;
    double *F = m->by_states, *C = F + n * n, *E = C + q * n;
    return (blocks){n, q, m->columns, F, C, E, E + n * m->columns};
}

/* Writes the changes of all columns, then of all states, after the inputs of a request. */
static void put_changes(const measure *m, double *changes) {
    const fmu_ports *states = &m->s->part->own_states;
    for (int j = 0; j < m->columns; j++) changes[j] = measure_nominal(m, j);
    for (int j = 0; j < states->count; j++)
        changes[m->columns + j] = m->s->part->fmu->variables[states->variables[j]].nominal;
}

static bool is_left_out(const measure *m, int output) {
    const fmu_part *part = m->s->part;
    return part->outputs.held[output] || (m->loops_only && m->numbers->idle[part->inputs.count + output]);
}

/* Computes the difference quotients row by row (states, then outputs). */
static void take_differences(const measure *m, const double *changes, const double *answer) {
    const blocks b = blocks_of(m);
    const int rows = b.n + b.q;
    for (int r = 0; r < b.n + b.m; r++) {
        const double *changed = answer + (r + 1) * rows, change = changes[r < b.n ? b.m + r : r - b.n];
        for (int i = 0; i < rows; i++) {
            double *row = r < b.n ? (i < b.n ? b.F + i * b.n : b.C + (i - b.n) * b.n) + r
                                  : (i < b.n ? b.E + i * b.m : b.D + (i - b.n) * b.m) + r - b.n;
            bool none = change == 0 || (i >= b.n && is_left_out(m, i - b.n));
            *row = none ? 0 : measure_output_difference(changed[i], answer[i], 1) / change;
        }
    }
}

costab_status measure_by_states(measure *m, costab_error *error) {
    const fmu_part *part = m->s->part;
    const fmu_request request = {.operation = FMU_RESPONSE,
                                 .t = m->s->start_time,
                                 .length = m->numbers->length,
                                 .count = 1,
                                 .manner = FMU_FROM_STATES};
    const size_t rows = (size_t)(part->own_states.count + m->output_count),
                 columns = (size_t)(part->own_states.count + m->columns);
    if (m->by_states == NULL) TRY(memory_make(&m->by_states, rows * columns + 1, error));
    memory_local_array(double, answer, child_answer_size(part, &request) + 1, error);
    double *asked = m->s->asked;
    double *inputs = asked + part->starts.count, *changes = inputs + part->inputs.count;
    measure_copy_starts(part, m->numbers, asked);
    memcpy(inputs, m->numbers->point, (size_t)part->inputs.count * sizeof *inputs);
    put_changes(m, changes);
    TRY(fmu_run_ask(m->s->run, &request, asked, answer, error));
    take_differences(m, changes, answer);
    return COSTAB_OK;
}

costab_status measure_markov_by_states(const measure *m, int steps, double *G, costab_error *error) {
    const blocks b = blocks_of(m);
    memory_local_array(double, workspace, 2 * (size_t)(b.n * b.m) + 1, error);
    double *x = workspace, *next = workspace + b.n * b.m;
    memcpy(G, b.D, (size_t)(b.q * b.m) * sizeof *G);
    memcpy(x, b.E, (size_t)(b.n * b.m) * sizeof *x);
    for (int k = 1; k < steps; k++) {
        double *swap = next;
        matrix_multiply(b.q, b.n, b.m, b.C, x, G + k * b.q * b.m);
        matrix_multiply(b.n, b.n, b.m, b.F, x, next);
        next = x;
        x = swap;
    }
    return COSTAB_OK;
}
