/* Eigenvalues and how far they can be trusted near the limit, and the monolithic system.
 *
 * 1. Real matrices by method/eigen.h, complex ones by LAPACK's zgeev; all infinite where an entry is not
 *    finite.
 * 2. Reach: the furthest beyond the limit as computed, at most with its slack, and for sure.
 * 3. A_mono = A + B W, (I - L D) W = L C, refined twice so that rounding leaves zeros at 0.
 *
 * Cost: 10 n^3. Slack is of first order. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "network/loop.h"
#include "network/rows.h"
#include "network/spectrum.h"

static costab_status not_found(costab_error *error) {
    return error_set(error, COSTAB_NUMERIC, "the eigenvalues were not found: the iteration did not converge");
}

void spectrum_moduli(costab_network_work *work, int n, double *radius, double *abscissa) {
    *radius = 0;
    *abscissa = -(double)INFINITY;
    for (int i = 0; i < n; i++) {
        double modulus = work->eigen_modulus[i] = hypot(work->eigen_real[i], work->eigen_imaginary[i]);
        if (modulus > *radius) *radius = modulus;
        if (work->eigen_real[i] > *abscissa) *abscissa = work->eigen_real[i];
    }
}

/* schur: its form is asked for, or NULL. */
static costab_status find(costab_network_work *work, int n, const double *matrix, eigen_schur *schur,
                          double *radius, double *abscissa, costab_error *error) {
    work->schur.n = 0;
    spectrum_moduli(work, 0, radius, abscissa);
    if (n == 0) return COSTAB_OK;
    if (!matrix_finite((size_t)n * (size_t)n, matrix)) {
        *radius = *abscissa = (double)INFINITY;
        for (int i = 0; i < n; i++)
            work->eigen_real[i] = work->eigen_imaginary[i] = work->eigen_modulus[i] = (double)NAN;
        return COSTAB_OK;
    }
    eigen_list found = {work->eigen_real, work->eigen_imaginary, work->eigen_homes, schur};
    if (!eigen_find(n, matrix, &found, work->eigen_work, work->eigen_iwork)) return not_found(error);
    spectrum_moduli(work, n, radius, abscissa);
    return COSTAB_OK;
}

costab_status spectrum_radius(costab_network_work *work, int n, const double *matrix, double *radius,
                              double *abscissa, costab_error *error) {
    return find(work, n, matrix, NULL, radius, abscissa, error);
}

static void lay_schur(void *owner, network_arena *arena) {
    costab_network_work *work = owner;
    size_t n = (size_t)work->size;
    work->schur = (eigen_schur){.hessenberg = arena_take(arena, n * n, sizeof(double)),
                                .form = arena_take(arena, n * n, sizeof(double)),
                                .turn = arena_take(arena, n * n, sizeof(double)),
                                .scale = arena_take(arena, n, sizeof(double))};
}

costab_status spectrum_of_map(costab_network_work *work, int n, const double *map, double *radius,
                              costab_error *error) {
    double abscissa;
    if (!work->wants_vectors || n != work->size) return find(work, n, map, NULL, radius, &abscissa, error);
    costab_status status = arena_fill(&work->schur_room, lay_schur, work, error);
    return status ? status : find(work, n, map, &work->schur, radius, &abscissa, error);
}

costab_status spectrum_complex(costab_network_work *work, int n, const double *re, const double *im,
                               double *radius, costab_error *error) {
    size_t count = (size_t)n * (size_t)n;
    *radius = (double)INFINITY;
    if (!matrix_finite(count, re) || !matrix_finite(count, im)) {
        for (int i = 0; i < n; i++)
            work->eigen_real[i] = work->eigen_imaginary[i] = work->eigen_modulus[i] = (double)NAN;
        return COSTAB_OK;
    }
    if (!eigen_complex_values(n, re, im, work->eigen_real, work->eigen_imaginary, work->eigen_complex))
        return not_found(error);
    double abscissa;
    spectrum_moduli(work, n, radius, &abscissa);
    return COSTAB_OK;
}

void spectrum_real_form(int n, int lanes, const double *rows, double *matrix) {
    int size = lanes * n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double re = rows[i * size + j];
            matrix[i * size + j] = re;
            if (lanes == 1) continue;
            double im = rows[i * size + n + j];
            matrix[(n + i) * size + n + j] = re;
            matrix[i * size + n + j] = -im;
            matrix[(n + i) * size + j] = im;
        }
}

/* ---- Rounding ---- */

double spectrum_doubt(const costab_network_work *work) {
    double most = 0;
    for (int s = 0; s < work->count; s++)
        if (work->network->subsystems[s].doubt > most) most = work->network->subsystems[s].doubt;
    return most;
}

/* Micro steps are composed by squarings, each of which rounds. */
double spectrum_loss(const costab_network_work *work) {
    int64_t most = 1;
    for (int s = 0; s < work->count; s++)
        if (work->subs[s].counts[0] > most) most = work->subs[s].counts[0];
    return most == 1 ? 1 : 1 + ceil(log2((double)most));
}

void spectrum_slack(const costab_network_work *work, const spectrum_asked *asked) {
    bool real = asked->count == asked->n;
    eigen_found found = {.count = asked->count,
                         .re = work->eigen_real,
                         .im = work->eigen_imaginary,
                         .home = real ? work->eigen_homes : NULL,
                         .schur = real ? &work->schur : NULL,
                         .slack = work->eigen_slack,
                         .limit = asked->limit,
                         .loss = asked->loss,
                         .entries = asked->noise > 0 && !asked->as_it_is
                                        ? 0
                                        : SPECTRUM_ENTRIES + spectrum_doubt(work) / DBL_EPSILON,
                         .noise = asked->noise,
                         .as_it_is = asked->as_it_is};
    eigen_slack(asked->n, asked->matrix, &found, work->eigen_work, work->eigen_iwork);
}

spectrum_reach spectrum_reach_of(const costab_network_work *work, const spectrum_asked *asked) {
    const double *slacks = work->eigen_slack;
    double furthest = -(double)INFINITY, slack = 0;
    spectrum_reach reach = {.found = furthest, .most = furthest, .sure = furthest};
    if (asked->count > 0 && isnan(work->eigen_real[0])) /* of a matrix that is not finite */
        return (spectrum_reach){(double)INFINITY, (double)INFINITY, (double)INFINITY, (double)INFINITY};
    spectrum_slack(work, asked);
    for (int i = 0; i < asked->count; i++) {
        double beyond = eigen_beyond(asked->limit, work->eigen_real[i], work->eigen_imaginary[i]);
        if (beyond > reach.found) reach.found = beyond;
        if (beyond - slacks[i] > reach.sure) reach.sure = beyond - slacks[i];
        if (!(beyond + slacks[i] > reach.most)) continue;
        reach.most = beyond + slacks[i];
        furthest = beyond;
        slack = slacks[i];
    }
    reach.rounding = asked->count > 0 ? slack - (reach.found - furthest) : asked->noise;
    return reach;
}

eigen_where spectrum_side(const costab_network_work *work, int n, const double *matrix) {
    if (!matrix_finite((size_t)n * (size_t)n, matrix)) return EIGEN_UNKNOWN;
    return eigen_side(n, matrix, work->eigen_work, work->eigen_iwork);
}

/* ---- The monolithic system ---- */

bool monolithic_unknown(const costab_network *network) {
    for (int s = 0; s < network->subsystem_count; s++)
        if (network->subsystems[s].method.kind == COSTAB_SAMPLED) return true;
    return false;
}

void monolithic_solve(const costab_network_work *work, int columns, double *b) {
    loop_solve(work->inputs, &work->mono_loop, columns, b);
}

/* L C becomes W. What rounding leaves of zeros is taken away by what is left of the equations. */
static costab_status solve_inputs(costab_network_work *work, costab_error *error) {
    int nx = work->states, nu = work->inputs;
    size_t length = cells(nu, nx) * sizeof(double);
    double *rows = work->mono_rows, *loop = work->mono_loop.matrix;
    double *given = work->mono_rest, *rest = given + cells(nu, nx);
    enum { TURNS = 2 };
    work->mono_feedthrough = loop_gain(work->network, nu, false, work->loop_gain);
    if (!work->mono_feedthrough) return COSTAB_OK;
    for (int e = 0; e < nu * nu; e++) loop[e] = (e % (nu + 1) == 0) - work->loop_gain[e];
    bool closed = loop_closed(nu, loop, 1, work->loop_room.iwork);
    if (!loop_factor(nu, &work->mono_loop, &work->loop_room))
        return error_set(error, COSTAB_INVALID,
                         "the network is not well posed: I - L D is singular, a loop of feedthrough "
                         "subsystems has no solution; change a gain or an entry of D in that loop");
    memcpy(given, rows, length);
    monolithic_solve(work, nx, rows);
    for (int turn = 0; turn < TURNS && closed; turn++) {
        memcpy(rest, given, length);
        matrix_multiply_add(nu, nu, nx, work->loop_gain, rows, rest);
        for (size_t e = 0; e < cells(nu, nx); e++) rest[e] -= rows[e];
        monolithic_solve(work, nx, rest);
        for (size_t e = 0; e < cells(nu, nx); e++) rows[e] += rest[e];
    }
    return COSTAB_OK;
}

/* (I - L D) W = L C, then A + B W. The continuous system has no delays. */
costab_status monolithic_make(costab_network_work *work, costab_error *error) {
    const costab_network *network = work->network;
    int nx = work->states, nu = work->inputs;
    double *rows = work->mono_rows;
    memset(rows, 0, (size_t)nu * (size_t)nx * sizeof *rows);
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *connection = &network->connections[c];
        const costab_subsystem *from = &network->subsystems[connection->from];
        const network_subsystem *source = &work->subs[connection->from];
        int row = work->subs[connection->to].u + connection->input;
        for (int j = 0; j < source->n; j++)
            rows[row * nx + source->x + j] += connection->gain * from->C[connection->output * source->n + j];
    }
    costab_status status = solve_inputs(work, error);
    if (status) return status;
    memset(work->mono, 0, (size_t)nx * (size_t)nx * sizeof *work->mono);
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        const costab_subsystem *subsystem = &network->subsystems[s];
        for (int i = 0; i < sub->n; i++)
            for (int j = 0; j < sub->n; j++)
                work->mono[(sub->x + i) * nx + sub->x + j] = subsystem->A[i * sub->n + j];
        matrix_multiply_add(sub->n, sub->m, nx, subsystem->B, rows + sub->u * nx, work->mono + sub->x * nx);
    }
    return COSTAB_OK;
}
