/* What a point of a sweep takes over from the one before: A_mono with its eigenvalues, and the blocks of
 * subsystems' micro steps.
 *
 * 1. All numbers are compared with copies of the last point's.
 * 2. Where none but the macro step differs A_mono and its eigenvalues stay.
 * 3. A subsystem's blocks are made again where its matrices, method, clock or length of step differ.
 *
 * What is taken over has the bits that it would have again. Cost: a comparison of all numbers. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "network/work.h"

/* Have both the same bits? A call of memcmp takes longer than comparing the few numbers of most matrices. */
static bool same_bits(const double *a, const double *b, size_t count) {
    enum { FEW = 32 };
    if (count > FEW) return memcmp(a, b, count * sizeof *a) == 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t one, two;
        memcpy(&one, a + i, sizeof one);
        memcpy(&two, b + i, sizeof two);
        if (one != two) return false;
    }
    return true;
}

/* Are `count` values those in seen[], the last point's? Afterwards they are. NULL stands for zeros. */
static bool same_as_seen(double *seen, const double *values, size_t count) {
    if (count == 0) return true;
    bool same = true;
    if (values == NULL) {
        for (size_t i = 0; i < count && same; i++) same = seen[i] == 0;
        if (!same) memset(seen, 0, count * sizeof *seen);
    } else {
        same = same_bits(seen, values, count);
        if (!same) memcpy(seen, values, count * sizeof *seen);
    }
    return same;
}

static bool same_connection(const costab_connection *a, const costab_connection *b) {
    return a->from == b->from && a->output == b->output && a->to == b->to && a->input == b->input &&
           same_bits(&a->gain, &b->gain, 1);
}

void work_compare(costab_network_work *work) {
    const costab_network *network = work->network;
    bool same = work->seen_count == network->connection_count;
    for (int s = 0; s < work->count; s++) {
        network_subsystem *sub = &work->subs[s];
        const costab_subsystem *subsystem = &network->subsystems[s];
        size_t n = (size_t)sub->n, m = (size_t)sub->m, q = (size_t)sub->q;
        bool state = same_as_seen(sub->seen[0], subsystem->A, n * n),
             input = same_as_seen(sub->seen[1], subsystem->B, n * m);
        bool output = same_as_seen(sub->seen[2], subsystem->C, q * n),
             direct = same_as_seen(sub->seen[3], subsystem->D, q * m);
        input = same_as_seen(sub->seen[4], subsystem->rise,
                             subsystem->method.kind == COSTAB_SAMPLED ? n * m : 0) &&
                input;
        sub->blocks_known &= state && input && (!sub->integrates_outputs || (output && direct));
        same = same && state && input && output && direct;
    }
    for (int c = 0; c < network->connection_count; c++) {
        same = same && same_connection(&network->connections[c], &work->seen_connections[c]);
        work->seen_connections[c] = network->connections[c];
    }
    work->seen_count = network->connection_count;
    const costab_structure structure =
        network->structure != NULL ? *network->structure : (costab_structure){.equilibria = -1};
    same = same && structure.equilibria == work->seen_structure.equilibria &&
           structure.motions == work->seen_structure.motions;
    work->seen_structure = structure;
    work->mono.known = work->mono.known && same;
}

/* ---- Micro steps ---- */

/* Do two methods make the same micro steps? */
static bool same_method(const costab_method *a, const costab_method *b) {
    if (a->kind != b->kind || a->stages != b->stages || a->implicit != b->implicit) return false;
    size_t stages = (size_t)a->stages, rows = stages * sizeof a->A[0];
    return memcmp(a->A, b->A, rows) == 0 && memcmp(a->A_bar, b->A_bar, rows) == 0 &&
           same_bits(a->b, b->b, stages) && same_bits(a->b_bar, b->b_bar, stages) &&
           same_bits(a->c, b->c, stages) && a->alpha_m == b->alpha_m && a->alpha_f == b->alpha_f &&
           a->beta == b->beta && a->gamma == b->gamma && a->former == b->former && a->slope == b->slope &&
           a->divisor == b->divisor && memcmp(a->weights, b->weights, sizeof a->weights) == 0;
}

static bool same_clock(const network_clock *a, const network_clock *b) {
    return a->h == b->h && a->ratio == b->ratio && a->p == b->p && a->q == b->q && a->real == b->real;
}

/* The integrals of the outputs as further states: [A 0; C 0], [B; D]. */
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
        return (matrix_system){.n = n,
                               .m = sub->m,
                               .degree = work->degree,
                               .A = sub->with_integrals,
                               .B = sub->with_integrals + n * n};
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

/* Do numbers h A overflow when they are multiplied with each other? Then entries of a block that are not
 * finite tell nothing of how fast solutions grow. */
static bool is_step_huge(const matrix_system *system, double h) {
    const double most = 1e150;
    double largest = 0;
    for (size_t e = 0; e < cells(system->n, system->n); e++) largest = fmax(largest, fabs(system->A[e]));
    return !(h * largest < most);
}

/* A block that is real stands among complex ones. */
static void clear_imaginary(const costab_network_work *work, const network_subsystem *sub,
                            const matrix_block *block) {
    size_t n = (size_t)sub->n + (size_t)sub->extra, m = (size_t)sub->m;
    if (block->phi_im == NULL) return;
    memset(block->phi_im, 0, n * n * sizeof(double));
    for (int l = 0; l <= work->degree; l++) memset(block->input_im[l], 0, n * m * sizeof(double));
}

/* The blocks of subsystem s from its linear system. */
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

/* The denominators q and real ratios decide the layout, the numerators p do not. */
bool work_take_clocks(costab_network_work *work, const costab_network *network,
                      const costab_coupling *coupling) {
    for (int s = 0; s < work->count; s++) {
        network_subsystem *sub = &work->subs[s];
        network_clock clock;
        if (network->subsystems[s].substeps > 0) continue;
        if (clock_make(network, coupling, s, &clock, NULL) || clock.q != sub->clock.q ||
            clock.real != sub->clock.real)
            return false;
        subsystem_set_clock(sub, &clock);
    }
    return true;
}

/* The length of micro steps, `substeps` of them in a step, at another macro step. */
static void set_clock(costab_network_work *work, int s) {
    network_subsystem *sub = &work->subs[s];
    int substeps = work->network->subsystems[s].substeps;
    if (substeps > 0) sub->clock.h = work_length(work, sub) / substeps;
}

costab_status work_make_block(costab_network_work *work, int s, costab_error *error) {
    network_subsystem *sub = &work->subs[s];
    const costab_method *method = &work->network->subsystems[s].method;
    set_clock(work, s);
    double length = work_length(work, sub);
    bool same = sub->method_known && same_method(sub->seen_method, method);
    if (same && sub->blocks_known && sub->seen_step == length && same_clock(&sub->seen_clock, &sub->clock))
        return COSTAB_OK;
    if (sub->integrates_outputs) add_integrals(work, s);
    matrix_system system = work_system(work, s);
    costab_status status = make_blocks_of(work, s, &system, error);
    sub->blocks_known = !status;
    sub->seen_clock = sub->clock;
    sub->seen_step = length;
    if (!same) memcpy(sub->seen_method, method, offsetof(costab_method, source));
    sub->method_known = true;
    return status;
}

costab_status work_make_blocks(costab_network_work *work, costab_error *error) {
    for (int s = 0; s < work->count; s++) TRY(work_make_block(work, s, error));
    return COSTAB_OK;
}
