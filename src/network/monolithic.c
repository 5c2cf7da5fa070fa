/* The monolithic system x' = A_mono x, A_mono = A + B K. The inputs u = K x solve (I - L D) K = L C with the
 * gains L; delays and dead times are ignored.
 *
 * 1. L C from the connections, row by row of the inputs.
 * 2. With feedthrough: K = (I - L D)^-1 L C (loop.h). In a closed loop K is refined twice by the residual L C
 *    + L D K - K, which makes zero entries exact.
 * 3. The blocks of A, plus B K.
 * 4. Error bounds of the entries to first order: the relative error of the numbers times the moduli
 *
 *        |A| + |B| |T| (|L| |C| + (I + |L D|) |K|),   T = (I - L D)^-1.
 *
 * Cost: n^3 of the inputs, n^2 of the states per input. Limitation: digits are lost if I - L D is nearly
 * singular; a matrix singular within rounding is an error. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "network/work.h"

bool monolithic_unknown(const costab_network *network) {
    for (int s = 0; s < network->subsystem_count; s++)
        if (network->subsystems[s].method.kind == COSTAB_SAMPLED) return true;
    return false;
}

/* Replaces work->mono.rows, L C, by K. */
static costab_status solve_inputs(costab_network_work *work, costab_error *error) {
    int nx = work->states, nu = work->inputs;
    size_t length = cells(nu, nx) * sizeof(double);
    double *rows = work->mono.rows, *loop = work->mono.loop.matrix;
    double *given = work->mono.rest, *rest = given + cells(nu, nx);
    enum { TURNS = 2 };
    work->mono.feedthrough = loop_gain(work->network, nu, false, work->mono.gain);
    if (!work->mono.feedthrough) return COSTAB_OK;
    for (int e = 0; e < nu * nu; e++) loop[e] = (e % (nu + 1) == 0) - work->mono.gain[e];
    bool closed = loop_closed(nu, loop, 1, work->loop_space.iwork);
    if (!loop_factor(nu, &work->mono.loop, &work->loop_space))
        return error_invalid(error,
                             "the network is not well posed: I - L D is singular, a loop of feedthrough "
                             "subsystems has no solution; change a gain or an entry of D in that loop");
    memcpy(given, rows, length);
    loop_solve(nu, &work->mono.loop, nx, rows);
    for (int turn = 0; turn < TURNS && closed; turn++) {
        memcpy(rest, given, length);
        matrix_multiply_add(nu, nu, nx, work->mono.gain, rows, rest);
        for (size_t e = 0; e < cells(nu, nx); e++) rest[e] -= rows[e];
        loop_solve(nu, &work->mono.loop, nx, rest);
        for (size_t e = 0; e < cells(nu, nx); e++) rows[e] += rest[e];
    }
    return COSTAB_OK;
}

costab_status monolithic_make(costab_network_work *work, costab_error *error) {
    const costab_network *network = work->network;
    int nx = work->states, nu = work->inputs;
    double *rows = work->mono.rows;
    memset(rows, 0, (size_t)nu * (size_t)nx * sizeof *rows);
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *connection = &network->connections[c];
        const costab_subsystem *from = &network->subsystems[connection->from];
        const network_subsystem *source = &work->subs[connection->from];
        int row = work->subs[connection->to].u + connection->input;
        for (int j = 0; j < source->n; j++)
            rows[row * nx + source->x + j] += connection->gain * from->C[connection->output * source->n + j];
    }
    TRY(solve_inputs(work, error));
    memset(work->mono.matrix, 0, (size_t)nx * (size_t)nx * sizeof *work->mono.matrix);
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        const costab_subsystem *subsystem = &network->subsystems[s];
        for (int i = 0; i < sub->n; i++)
            for (int j = 0; j < sub->n; j++)
                work->mono.matrix[(sub->x + i) * nx + sub->x + j] = subsystem->A[i * sub->n + j];
        matrix_multiply_add(sub->n, sub->m, nx, subsystem->B, rows + sub->u * nx,
                            work->mono.matrix + sub->x * nx);
    }
    return COSTAB_OK;
}

static const costab_method exact = {.name = "exact", .kind = COSTAB_EXACT};

size_t monolithic_exponential_work(int n) {
    return matrix_step_work(&exact, &(matrix_system){.n = n});
}

void monolithic_exponential(int n, const double *F, double dt, double *exponential, double *work) {
    const matrix_system system = {.n = n, .A = F};
    const matrix_block block = {.phi = exponential};
    (void)matrix_steps(&exact, &system, dt, 1, 1, &block, work, NULL);
}

/* ---- Error bounds ---- */

/* Roundings of a number of the model and of a product of some of them, in addition to those of sums of n
 * numbers. */
enum { NUMBER_ROUNDINGS = 16 };

/* Computes |L| |C|, plus (I + |L D|) |K| with feedthrough; also T in work->mono.inverse. */
static void sum_inputs(costab_network_work *work, double *sums) {
    const costab_network *network = work->network;
    int n = work->states, inputs = work->inputs;
    memset(sums, 0, cells(inputs, n) * sizeof *sums);
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *connection = &network->connections[c];
        const network_subsystem *source = &work->subs[connection->from];
        const double *row = network->subsystems[connection->from].C + connection->output * source->n;
        double *to = sums + cells(work->subs[connection->to].u + connection->input, n) + source->x;
        for (int j = 0; j < source->n; j++) to[j] += fabs(connection->gain * row[j]);
    }
    if (!work->mono.feedthrough) return;
    for (int i = 0; i < inputs; i++)
        for (int k = 0; k < inputs; k++) {
            double share = (i == k) + fabs(work->mono.gain[i * inputs + k]);
            for (int j = 0; j < n && share > 0; j++)
                sums[cells(i, n) + (size_t)j] += share * fabs(work->mono.rows[cells(k, n) + (size_t)j]);
        }
    for (int e = 0; e < inputs * inputs; e++) work->mono.inverse[e] = e % (inputs + 1) == 0;
    loop_solve(inputs, &work->mono.loop, inputs, work->mono.inverse);
}

/* Multiplies these sums by |T|. */
static const double *solve_sums(const costab_network_work *work, const double *sums, double *solved) {
    int n = work->states, inputs = work->inputs;
    if (!work->mono.feedthrough) return sums;
    memset(solved, 0, cells(inputs, n) * sizeof *solved);
    for (int i = 0; i < inputs; i++)
        for (int k = 0; k < inputs; k++)
            add_row(solved + cells(i, n), fabs(work->mono.inverse[i * inputs + k]), sums + cells(k, n), n);
    return solved;
}

bool monolithic_inexact(costab_network_work *work, const double *matrix, const double *moduli) {
    int n = work->states;
    double *balanced = work->mono.balanced, *scale = work->mono.scale, *rows = scale + n, *columns = rows + n;
    bool cancelled = false;
    for (size_t e = 0; e < cells(n, n) && !cancelled; e++)
        cancelled = moduli[e] > MONOLITHIC_CANCELLED * fabs(matrix[e]);
    if (!cancelled || !matrix_finite(cells(n, n), matrix)) return false;
    memcpy(balanced, matrix, cells(n, n) * sizeof *balanced);
    loop_balance(n, balanced, scale);
    memset(rows, 0, 2 * (size_t)n * sizeof *rows);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            rows[i] = fmax(rows[i], fabs(balanced[i * n + j]));
            columns[j] = fmax(columns[j], fabs(balanced[i * n + j]));
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (matrix_scaled(moduli[i * n + j], scale[i], scale[j]) >
                MONOLITHIC_CANCELLED * sqrt(rows[i]) * sqrt(columns[j]))
                return true;
    return false;
}

bool monolithic_errors(costab_network_work *work) {
    int n = work->states;
    double *sums = work->mono.rest, trusted = (n + NUMBER_ROUNDINGS) * DBL_EPSILON + spectrum_doubt(work);
    sum_inputs(work, sums);
    const double *inputs = solve_sums(work, sums, sums + cells(work->inputs, n));
    memset(work->mono.errors, 0, cells(n, n) * sizeof *work->mono.errors);
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        const costab_subsystem *from = &work->network->subsystems[s];
        for (int i = 0; i < sub->n; i++) {
            double *row = work->mono.errors + cells(sub->x + i, n);
            for (int j = 0; j < sub->n; j++) row[sub->x + j] = fabs(from->A[i * sub->n + j]);
            for (int j = 0; j < sub->m; j++)
                add_row(row, fabs(from->B[i * sub->m + j]), inputs + cells(sub->u + j, n), n);
        }
    }
    bool inexact = monolithic_inexact(work, work->mono.matrix, work->mono.errors);
    for (size_t e = 0; e < cells(n, n); e++) work->mono.errors[e] *= trusted;
    return inexact;
}
