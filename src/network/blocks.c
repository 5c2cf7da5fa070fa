/* Computes the matrices (blocks) of the subsystems' micro steps, which the program of a macro step applies.
 *
 * 1. Micro steps: work_take_clocks fits them to a new macro step.
 * 2. A block of the last point is reused if numbers (versions.c), clock and step length are equal.
 * 3. Otherwise method/matrix.h computes it; under area correction the integrals of the outputs are additional
 *    states.
 *
 * Cost: powers of matrices of the subsystems' sizes. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "network/work.h"

static bool same_clock(const network_clock *a, const network_clock *b) {
    return a->h == b->h && a->ratio == b->ratio && a->p == b->p && a->q == b->q && a->real == b->real;
}

/* Appends the integrals of the outputs to the states: [A 0; C 0], [B; D]. */
static void add_integrals(const costab_network_work *work, int s) {
    const network_subsystem *sub = &work->subs[s];
    const costab_subsystem *subsystem = &work->network->subsystems[s];
    int n = sub->n, m = sub->m, all = n + sub->q;
    double *A = sub->with_integrals, *B = A + all * all;
    memset(A, 0, (size_t)all * (size_t)(all + m) * sizeof *A);
    for (int i = 0; i < all; i++) {
        const double *states = i < n ? subsystem->A + i * n : subsystem->C + (i - n) * n;
        const double *inputs = i < n                  ? subsystem->B + i * m
                               : subsystem->D != NULL ? subsystem->D + (i - n) * m
                                                      : NULL;
        for (int j = 0; j < n; j++) A[i * all + j] = states[j];
        for (int j = 0; j < m && inputs != NULL; j++) B[i * m + j] = inputs[j];
    }
}

matrix_system work_system(const costab_network_work *work, int s) {
    const network_subsystem *sub = &work->subs[s];
    const costab_subsystem *subsystem = &work->network->subsystems[s];
    if (sub->integrates_outputs) {
        int n = sub->n + sub->q;
        double *A = sub->with_integrals; /* NULL while sizes are computed */
        return (matrix_system){
            .n = n, .m = sub->m, .degree = work->degree, .A = A, .B = A != NULL ? A + n * n : NULL};
    }
    return (matrix_system){.n = sub->n,
                           .m = sub->m,
                           .degree = work->degree,
                           .A = subsystem->A,
                           .B = subsystem->B,
                           .pairs = subsystem->pairs,
                           .positions = subsystem->positions,
                           .velocities = subsystem->velocities,
                           .rise = subsystem->rise};
}

costab_status work_singular(const costab_subsystem *subsystem, double h, costab_error *error) {
    char shown[NUMBER_SHOWN_MAX];
    return error_set(error, COSTAB_NUMERIC,
                     "subsystem '%s': the stage equations of %s are singular at the step %s", subsystem->name,
                     subsystem->method.name, number_shortest(h, shown));
}

bool work_block_finite(const costab_network_work *work, int s) {
    const network_subsystem *sub = &work->subs[s];
    bool finite = true;
    for (int b = 0; b < sub->block_count; b++) {
        const matrix_block *block = &sub->blocks[b];
        int rows = sub->n + sub->extra;
        finite = finite && matrix_finite(cells(rows, rows), block->phi);
        for (int l = 0; l <= work->degree; l++)
            finite = finite && matrix_finite(cells(rows, sub->m), block->input[l]);
    }
    return finite;
}

costab_status work_overflows(const costab_network_work *work, int s, costab_error *error) {
    const costab_subsystem *subsystem = &work->network->subsystems[s];
    char shown[NUMBER_SHOWN_MAX];
    return error_set(error, COSTAB_NUMERIC,
                     "the map overflows at the macro step %s: a step of subsystem '%s' by %s exceeds double "
                     "precision; take a shorter macro step",
                     number_shortest(work->coupling.macro_step, shown), subsystem->name,
                     subsystem->method.name);
}

/* Returns true if products of entries of h A may overflow. A block that is not finite then is an error of the
 * arithmetic; otherwise it shows solutions that grow beyond all bounds. */
static bool is_step_huge(const matrix_system *system, double h) {
    const double most = 1e150;
    double largest = 0;
    for (size_t e = 0; e < cells(system->n, system->n); e++) largest = fmax(largest, fabs(system->A[e]));
    return !(h * largest < most);
}

/* Clears the imaginary parts of a real block in a complex workspace. */
static void clear_imaginary(const costab_network_work *work, const network_subsystem *sub,
                            const matrix_block *block) {
    size_t n = (size_t)sub->n + (size_t)sub->extra, m = (size_t)sub->m;
    if (block->phi_im == NULL) return;
    memset(block->phi_im, 0, n * n * sizeof(double));
    for (int l = 0; l <= work->degree; l++) memset(block->input_im[l], 0, n * m * sizeof(double));
}

/* Computes the blocks of subsystem s from its linear system. */
static costab_status make_blocks_of(costab_network_work *work, int s, const matrix_system *system,
                                    costab_error *error) {
    network_subsystem *sub = &work->subs[s];
    const costab_subsystem *subsystem = &work->network->subsystems[s];
    double h = sub->clock.h, ratio = h / work_length(work, sub);
    if (sub->clock.real && subsystem->method.kind != COSTAB_EXACT)
        return matrix_real_power(&subsystem->method, system, h, ratio, sub->clock.ratio, &sub->blocks[0],
                                 work->block_work, work->block_iwork, error);
    if (sub->clock.real) h = work_length(work, sub), ratio = 1;
    for (int b = 0; b < sub->block_count; b++) {
        if (!matrix_steps(&subsystem->method, system, h, ratio, sub->counts[b], &sub->blocks[b],
                          work->block_work, work->block_iwork))
            return work_singular(subsystem, h, error);
        clear_imaginary(work, sub, &sub->blocks[b]);
    }
    if (is_step_huge(system, h) && !work_block_finite(work, s)) return work_overflows(work, s, error);
    return COSTAB_OK;
}

/* Denominators q and real ratios determine the layout; numerators p do not. */
bool work_take_clocks(costab_network_work *work, const costab_network *network,
                      const costab_coupling *coupling) {
    for (int s = 0; s < work->count; s++) {
        network_subsystem *sub = &work->subs[s];
        network_clock clock;
        if (clock_make(network, coupling, s, &clock, NULL) || clock.q != sub->clock.q ||
            clock.real != sub->clock.real)
            return false;
        subsystem_set_clock(sub, &clock);
    }
    return true;
}

costab_status work_make_block(costab_network_work *work, int s, costab_error *error) {
    network_subsystem *sub = &work->subs[s];
    double length = work_length(work, sub);
    if (sub->blocks_known && sub->seen_step == length && same_clock(&sub->seen_clock, &sub->clock))
        return COSTAB_OK;
    if (sub->integrates_outputs) add_integrals(work, s);
    matrix_system system = work_system(work, s);
    costab_status status = make_blocks_of(work, s, &system, error);
    sub->blocks_known = !status;
    sub->seen_clock = sub->clock;
    sub->seen_step = length;
    return status;
}
