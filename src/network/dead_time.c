/* Stability of the continuous system with dead time (dead_time.h; L. N. Trefethen, Spectral Methods in
 * MATLAB; D. Breda, S. Maset, R. Vermiglio, SIAM J. Sci. Comput. 27, 2005).
 *
 * 1. Channels: the k connections with dead time T_j; x' = A x + B v, q = C x + D v, v_j(t) = q_j(t - T_j).
 * The matrices follow from the subsystems' and from the gains of the other connections. T: the longest T_j.
 * 2. Candidates: each channel is an interpolating polynomial in N + 1 Chebyshev points of -T..0; point 0 is
 *    the channel's input q. This gives a matrix of n + k N rows with the system's rightmost eigenvalues.
 * 3. Polish: Newton's method on det G(s) from the rightmost candidates,
 *
 *        G(s) = [s I - A, -B; -e C, I - e D],  e = diag exp(-s T_j),  s -= 1 / trace(G^-1 G').
 *
 * 4. Count: the line Re s = sigma is to the right of the rightmost root r found, by 1e-13 (|r| + rate) (1/T
 * instead of the rate (find_rate) if it is smaller), or by the next of 1e-11, 1e-9 and 1e-7 that rounding
 * permits. The number of roots beyond the line is the number of eigenvalues of A beyond it, minus 1/pi times
 * the change of the argument of det(I - e F), F = C (s I - A)^-1 B + D, along s = sigma + i w, w = 0 ..
 * infinity. The root is accepted if all roots beyond the line are 0 and belong to structural modes, which are
 * removed. Otherwise N is doubled.
 * 5. Error bound: the sum of |G_ij| |G^-1_ji| at a point next to the root, times its distance from the root
 *    and the relative error of entries; at least the distance of the contour.
 *
 * Steps in w are a fraction of the distance to the nearest eigenvalue of A, and of 1/T where the spectral
 * radius of |e| |F| permits a zero; they are halved until the argument changes by less than 0.3.
 *
 * Cost: (n + k N)^3, and n^3 per step in w. Limitations: the error bound is of first order; the steps in w
 * assume that F varies with the distance to the eigenvalues of A. */
#include "network/dead_time.h"

#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/chebyshev.h"
#include "network/network.h"

typedef double complex number;

static const double pi = 3.14159265358979323846;

/* Chebyshev points per channel; candidates that are polished; Newton steps; steps of a count. */
enum { NODES_LEAST = 16, NODES_MOST = 256, CANDIDATES = 12, TURNS = 60, COUNT_STEPS = 400000 };
/* Initial points per channel of dead_time_matrix. They suffice for most values of a parameter. A search over
 * a parameter thus rarely meets matrices of different sizes. */
enum { NODES_OF_MATRIX = 32 };
/* Roots closer to 0, in units of unit_at, count as structural modes if there are any. */
#define AT_ZERO 1e-6
/* In units of 1/rate: the shortest dead time (exp(-s T) of a shorter one is 1, within rounding), and the
 * shortest one in the candidates and in dead_time_matrix. Entries of their matrices grow as 1/T, and their
 * rounding errors, too. Newton's method moves the candidates to the roots for the given T. */
#define SHORTEST              1e-17
#define SHORTEST_OF_CANDIDATE 1e-4
#define SHORTEST_OF_MATRIX    1e-6

struct dead_time_space {
    network_arena memory;
    int n, k, inputs, nodes;
    double *A, *B, *C, *D, *times, *U;
    int *connections;
    loop_factors loop;
    double *matrix, *copy;                      /* squares of order n + k nodes: candidates; workspace */
    double *real, *imaginary, *work;            /* their eigenvalues; workspace */
    double *poles_real, *poles_imaginary;       /* eigenvalues of A */
    number *full, *inverse, *states, *transfer; /* (n + k)^2 twice, n (n + k), k^2 */
    int *iwork;
    double rate;  /* bound of |s| for roots to the right of the axis; 0: there are none */
    double doubt; /* relative error of an entry */
};

bool network_has_dead_time(const costab_network *network) {
    for (int c = 0; c < network->connection_count; c++)
        if (network->connections[c].dead_time > 0) return true;
    return false;
}

costab_status network_refuse_dead_time(const costab_network *network, const char *what, const char *why,
                                       costab_error *error) {
    if (!network_has_dead_time(network)) return COSTAB_OK;
    return error_invalid(error, "%s: not with a connection with dead_time: %s", what, why);
}

void dead_time_free(dead_time_space *space) {
    if (space == NULL) return;
    memory_free_all(space->memory.base, space);
}

/* ---- The system ---- */

static void lay(void *owner, network_arena *arena) {
    dead_time_space *s = owner;
    size_t n = (size_t)s->n, k = (size_t)s->k, u = (size_t)s->inputs, all = n + k * (size_t)s->nodes;
    s->A = arena_take(arena, n * n, sizeof(double));
    s->B = arena_take(arena, n * k, sizeof(double));
    s->C = arena_take(arena, k * n, sizeof(double));
    s->D = arena_take(arena, k * k, sizeof(double));
    s->times = arena_take(arena, k, sizeof(double));
    s->U = arena_take(arena, u * (n + k), sizeof(double));
    s->connections = arena_take(arena, k, sizeof(int));
    s->loop = loop_lay(arena, u);
    s->matrix = arena_take(arena, all * all, sizeof(double));
    s->copy = arena_take(arena, all * all, sizeof(double));
    s->real = arena_take(arena, all, sizeof(double));
    s->imaginary = arena_take(arena, all, sizeof(double));
    s->work = arena_take(arena, 8 * all, sizeof(double));
    s->poles_real = arena_take(arena, n, sizeof(double));
    s->poles_imaginary = arena_take(arena, n, sizeof(double));
    s->full = arena_take(arena, (n + k) * (n + k), sizeof(number));
    s->inverse = arena_take(arena, (n + k) * (n + k), sizeof(number));
    s->states = arena_take(arena, n * (n + k), sizeof(number));
    s->transfer = arena_take(arena, k * k, sizeof(number));
    s->iwork = arena_take(arena, n + k, sizeof(int));
}

/* Lists the channels. */
static void list_channels(const costab_network *network, dead_time_space *space) {
    for (int c = 0, j = 0; c < network->connection_count; c++) {
        if (!(network->connections[c].dead_time > 0)) continue;
        space->connections[j] = c;
        space->times[j++] = network->connections[c].dead_time;
    }
}

/* row += gain times row `output` of a subsystem's C, at its states. */
static void add_output(const costab_network_work *work, const costab_connection *connection, double gain,
                       double *row) {
    const network_subsystem *source = &work->subs[connection->from];
    const costab_subsystem *from = &work->network->subsystems[connection->from];
    for (int i = 0; i < source->n; i++)
        row[source->x + i] += gain * from->C[connection->output * source->n + i];
}

/* Sets space->U. */
static costab_status find_inputs(costab_network_work *work, dead_time_space *space, costab_error *error) {
    int u = space->inputs, columns = space->n + space->k, channel = 0;
    memset(space->U, 0, cells(u, columns) * sizeof *space->U);
    for (int e = 0; e < u * u; e++) space->loop.matrix[e] = e % (u + 1) == 0;
    for (int c = 0; c < work->network->connection_count; c++) {
        const costab_connection *connection = &work->network->connections[c];
        const costab_subsystem *from = &work->network->subsystems[connection->from];
        int row = work->subs[connection->to].u + connection->input;
        if (connection->dead_time > 0) {
            space->U[cells(row, columns) + (size_t)(space->n + channel++)] += connection->gain;
            continue;
        }
        add_output(work, connection, connection->gain, space->U + cells(row, columns));
        for (int j = 0; j < from->inputs && from->D != NULL; j++)
            space->loop.matrix[row * u + work->subs[connection->from].u + j] -=
                connection->gain * from->D[connection->output * from->inputs + j];
    }
    if (u == 0) return COSTAB_OK;
    if (!loop_factor(u, &space->loop, &work->loop_space))
        return error_invalid(
            error, "the network is not well posed: I - L D is singular without the connections with "
                   "dead time; change a gain or an entry of D in that loop");
    loop_solve(u, &space->loop, columns, space->U);
    return COSTAB_OK;
}

/* Sets A and B, the rows of the states. */
static void find_states(const costab_network_work *work, dead_time_space *space) {
    int n = space->n, k = space->k;
    memset(space->A, 0, cells(n, n) * sizeof *space->A);
    memset(space->B, 0, cells(n, k) * sizeof *space->B);
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        const costab_subsystem *of = &work->network->subsystems[s];
        for (int i = 0; i < sub->n; i++) {
            double *a = space->A + cells(sub->x + i, n), *b = space->B + cells(sub->x + i, k);
            for (int j = 0; j < sub->n; j++) a[sub->x + j] += of->A[i * sub->n + j];
            for (int m = 0; m < sub->m; m++) {
                const double *from = space->U + cells(sub->u + m, n + k);
                for (int j = 0; j < n; j++) a[j] += of->B[i * sub->m + m] * from[j];
                for (int j = 0; j < k; j++) b[j] += of->B[i * sub->m + m] * from[n + j];
            }
        }
    }
}

/* Sets C and D, the rows of the channels' inputs. */
static void find_channels(const costab_network_work *work, dead_time_space *space) {
    int n = space->n, k = space->k;
    memset(space->C, 0, cells(k, n) * sizeof *space->C);
    memset(space->D, 0, cells(k, k) * sizeof *space->D);
    for (int c = 0; c < k; c++) {
        const costab_connection *connection = &work->network->connections[space->connections[c]];
        const network_subsystem *source = &work->subs[connection->from];
        const costab_subsystem *of = &work->network->subsystems[connection->from];
        add_output(work, connection, 1, space->C + cells(c, n));
        for (int m = 0; m < source->m && of->D != NULL; m++) {
            const double *from = space->U + cells(source->u + m, n + k);
            double factor = of->D[connection->output * source->m + m];
            for (int j = 0; j < n; j++) space->C[c * n + j] += factor * from[j];
            for (int j = 0; j < k; j++) space->D[c * k + j] += factor * from[n + j];
        }
    }
}

/* Requires the marks of loop_closed in space->iwork. From any marked channel, the chain of channels on which
 * it depends ends in a loop. */
static costab_status refuse_neutral(const costab_network_work *work, const dead_time_space *space,
                                    costab_error *error) {
    const int k = space->k, *const open = space->iwork;
    int channel = 0;
    while (open[channel] == 0) channel++;
    for (int turn = 0; turn < k; turn++) {
        int source = 0;
        while (open[source] == 0 || space->D[channel * k + source] == 0) source++;
        channel = source;
    }
    const costab_connection *c = &work->network->connections[space->connections[channel]];
    return error_invalid(
        error,
        "dead_time: connections with dead time form a loop of feedthrough subsystems (one "
        "leads from '%s' to '%s'): the equation is neutral, its eigenvalues gather at a line "
        "and no rightmost one may exist; give a subsystem of the loop a lag",
        work->network->subsystems[c->from].name, work->network->subsystems[c->to].name);
}

/* Bounds |s| of all roots with Re s >= 0 by the largest eigenvalue of |A| + |B| (1 - |D|)^-1 |C| (Perron and
 * Frobenius): for any v > 0 it is at most the largest ratio of an entry of the product with v to that of v.
 * v comes from the power method. The channels of D form no loop: k sweeps give the product with the inverse.
 */
static double find_rate(const dead_time_space *space) {
    int n = space->n, k = space->k;
    double *v = space->work, *w = v + n, *q = w + n, least = (double)INFINITY;
    for (int i = 0; i < n; i++) v[i] = 1;
    for (int turn = 0; turn < TURNS; turn++) {
        double most = 0, sum = 0;
        memset(q, 0, (size_t)k * sizeof *q);
        for (int sweep = 0; sweep <= k; sweep++)
            for (int c = 0; c < k; c++) {
                q[c] = 0;
                for (int j = 0; j < n; j++) q[c] += fabs(space->C[c * n + j]) * v[j];
                for (int j = 0; j < k; j++) q[c] += fabs(space->D[c * k + j]) * q[j];
            }
        for (int i = 0; i < n; i++) {
            w[i] = 0;
            for (int j = 0; j < n; j++) w[i] += fabs(space->A[i * n + j]) * v[j];
            for (int c = 0; c < k; c++) w[i] += fabs(space->B[i * k + c]) * q[c];
            most = fmax(most, w[i] / v[i]);
        }
        least = fmin(least, most);
        for (int i = 0; i < n; i++) sum += v[i] = w[i] + most * v[i];
        if (!(sum > 0 && isfinite(sum))) break;
        for (int i = 0; i < n; i++) v[i] /= sum;
    }
    return isfinite(least) ? least : 0;
}

/* Makes the workspace for `nodes` points per channel, and all matrices but space->matrix. */
static costab_status make(costab_network_work *work, int nodes, costab_error *error) {
    if (work->dead_time == NULL) TRY(memory_make(&work->dead_time, 1, error));
    dead_time_space *space = work->dead_time;
    space->n = work->states;
    space->inputs = work->inputs;
    space->nodes = nodes;
    space->k = 0;
    for (int c = 0; c < work->network->connection_count; c++)
        space->k += work->network->connections[c].dead_time > 0;
    TRY(arena_fill(&space->memory, lay, space, error));
    list_channels(work->network, space);
    TRY(find_inputs(work, space, error));
    find_states(work, space);
    find_channels(work, space);
    if (loop_closed(space->k, space->D, 0, space->iwork)) return refuse_neutral(work, space, error);
    size_t n = (size_t)space->n, k = (size_t)space->k;
    if (!matrix_finite(n * n, space->A) || !matrix_finite(n * k, space->B) ||
        !matrix_finite(n * k, space->C) || !matrix_finite(k * k, space->D))
        return error_set(error, COSTAB_NUMERIC, "the matrices of the continuous system overflow");
    space->doubt = 16 * DBL_EPSILON + spectrum_doubt(work);
    return COSTAB_OK;
}

costab_status dead_time_make(costab_network_work *work, dead_time_system *system, costab_error *error) {
    TRY(make(work, 0, error));
    const dead_time_space *s = work->dead_time;
    *system = (dead_time_system){s->n, s->k, s->A, s->B, s->C, s->D, s->times, s->U};
    return COSTAB_OK;
}

/* ---- Candidates ---- */

/* Returns a dead time that is at least a multiple of 1/rate, as a smooth function of the given one, which it
 * equals for more than 40 times the multiple. */
static double at_least(const dead_time_space *space, double dead_time, double multiple) {
    const double shortest = multiple / space->rate;
    return space->rate > 0 ? dead_time + shortest * exp(-dead_time / shortest) : dead_time;
}

/* Sets space->matrix, with dead times of at least `shortest` (at_least). Row n + j nodes + i - 1 is point i
 * of channel j, the last one at -T_j. */
static void fill_matrix(const dead_time_space *space, double shortest) {
    int n = space->n, k = space->k, nodes = space->nodes, all = n + k * nodes;
    memset(space->matrix, 0, cells(all, all) * sizeof *space->matrix);
    for (int i = 0; i < n; i++) {
        double *row = space->matrix + cells(i, all);
        memcpy(row, space->A + cells(i, n), (size_t)n * sizeof *row);
        for (int j = 0; j < k; j++) row[n + (j + 1) * nodes - 1] = space->B[i * k + j];
    }
    for (int i = 1; i <= nodes; i++)
        for (int l = 0; l <= nodes; l++) {
            double entry = -2 * chebyshev_derivative(nodes, i, l); /* point 0 at time 0 */
            for (int c = 0; c < k; c++) {
                double *row = space->matrix + cells(n + c * nodes + i - 1, all),
                       at = entry / at_least(space, space->times[c], shortest);
                if (l > 0) row[n + c * nodes + l - 1] += at;
                for (int j = 0; l == 0 && j < n; j++) row[j] += at * space->C[c * n + j];
                for (int j = 0; l == 0 && j < k; j++)
                    row[n + (j + 1) * nodes - 1] += at * space->D[c * k + j];
            }
        }
}

/* Computes the eigenvalues of an n x n matrix, which is not changed. */
static costab_status find_eigenvalues(const dead_time_space *space, int n, const double *matrix, double *real,
                                      double *imaginary, costab_error *error) {
    if (n == 0) return COSTAB_OK;
    memcpy(space->copy, matrix, cells(n, n) * sizeof *matrix);
    if (LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, space->copy, n, real, imaginary, NULL, 1, NULL, 1,
                           space->work, 8 * n) == 0)
        return COSTAB_OK;
    return error_set(error, COSTAB_NUMERIC, "LAPACK finds no eigenvalues of the system with dead time");
}

/* ---- Roots ---- */

/* Fills space->full with G(s), column-major. */
static void fill_full(const dead_time_space *space, number s) {
    int n = space->n, k = space->k, all = n + k;
    for (int j = 0; j < all; j++)
        for (int i = 0; i < all; i++) {
            number e = i < n ? 0 : cexp(-s * space->times[i - n]), one = i == j ? 1 : 0;
            space->full[j * all + i] = i < n && j < n ? s * one - space->A[i * n + j]
                                       : i < n        ? -space->B[i * k + j - n]
                                       : j < n        ? -e * space->C[(i - n) * n + j]
                                                      : one - e * space->D[(i - n) * k + j - n];
        }
}

/* Computes G(s)^-1 in space->inverse. Returns false if G is singular. */
static bool invert_full(const dead_time_space *space, number s) {
    int all = space->n + space->k;
    fill_full(space, s);
    for (int e = 0; e < all * all; e++) space->inverse[e] = e % (all + 1) == 0;
    return LAPACKE_zgesv_work(LAPACK_COL_MAJOR, all, all, space->full, all, space->iwork, space->inverse,
                              all) == 0;
}

/* trace(G^-1 G') with the inverse in space->inverse. */
static number trace_of(const dead_time_space *space, number s) {
    int n = space->n, k = space->k, all = n + k;
    number sum = 0;
    for (int i = 0; i < n; i++) sum += space->inverse[i * all + i];
    for (int i = 0; i < k; i++) {
        number e = space->times[i] * cexp(-s * space->times[i]);
        for (int j = 0; j < n; j++) sum += e * space->C[i * n + j] * space->inverse[(n + i) * all + j];
        for (int j = 0; j < k; j++) sum += e * space->D[i * k + j] * space->inverse[(n + i) * all + n + j];
    }
    return sum;
}

static double longest(const dead_time_space *space) {
    double most = 0;
    for (int j = 0; j < space->k; j++) most = fmax(most, space->times[j]);
    return most;
}

/* Unit of distances near s. */
static double unit_at(const dead_time_space *space, number s) {
    const double turn = 1 / longest(space);
    return cabs(s) + (space->rate > 0 ? fmin(space->rate, turn) : turn);
}

/* Newton's method. Returns false without convergence. */
static bool polish(const dead_time_space *space, number *s) {
    for (int turn = 0; turn < TURNS; turn++) {
        if (!invert_full(space, *s)) return true;
        number step = 1 / trace_of(space, *s);
        if (!isfinite(creal(step)) || !isfinite(cimag(step))) return false;
        *s -= step;
        if (cabs(step) <= 8 * DBL_EPSILON * unit_at(space, *s)) return true;
        if (turn > TURNS / 2 && cabs(step) <= 1e-12 * unit_at(space, *s)) return true;
    }
    return false;
}

/* Error bound of a root: the sum of |G^-1_ji| |G_ij| at a point next to it, times the distance of this point
 * and the relative error of an entry. */
static double slack_of(const dead_time_space *space, number s) {
    int all = space->n + space->k;
    double away = 1e-6 * unit_at(space, s), sum = 0;
    if (!invert_full(space, s + away)) return (double)INFINITY;
    fill_full(space, s + away);
    for (int i = 0; i < all; i++)
        for (int j = 0; j < all; j++)
            sum += cabs(space->full[j * all + i]) * cabs(space->inverse[i * all + j]);
    return away * sum * (space->doubt + all * DBL_EPSILON);
}

/* ---- The count ---- */

static double distance_to_poles(const dead_time_space *space, number s) {
    double least = (double)INFINITY;
    for (int i = 0; i < space->n; i++)
        least = fmin(least, cabs(s - (space->poles_real[i] + space->poles_imaginary[i] * I)));
    return least;
}

/* Computes det(I - e F) at s. [out] *small: the spectral radius of |e| |F| is below 1/2, so the determinant
 * is not 0. Returns false if s is an eigenvalue of A, or if the determinant is 0. */
static bool find_determinant(const dead_time_space *space, number s, number *determinant, bool *small) {
    int n = space->n, k = space->k;
    number *shifted = space->states, *solved = space->states + n * n, *f = space->transfer;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) shifted[j * n + i] = (i == j ? s : 0) - space->A[i * n + j];
    for (int j = 0; j < k; j++)
        for (int i = 0; i < n; i++) solved[j * n + i] = space->B[i * k + j];
    if (n > 0 && LAPACKE_zgesv_work(LAPACK_COL_MAJOR, n, k, shifted, n, space->iwork, solved, n) != 0)
        return false;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            number sum = space->D[i * k + j];
            for (int l = 0; l < n; l++) sum += space->C[i * n + l] * solved[j * n + l];
            f[j * k + i] = cexp(-s * space->times[i]) * sum;
        }
    /* *small: the k-th power of 2 |e| |F| has row sums below 1. */
    double *v = space->work, *w = space->work + k, most = 1;
    for (int i = 0; i < k; i++) v[i] = 1;
    for (int power = 0; power < k; power++) {
        most = 0;
        for (int i = 0; i < k; i++) {
            w[i] = 0;
            for (int j = 0; j < k; j++) w[i] += 2 * cabs(f[j * k + i]) * v[j];
            most = fmax(most, w[i]);
        }
        memcpy(v, w, (size_t)k * sizeof *v);
    }
    *small = most < 1;
    for (int e = 0; e < k * k; e++) f[e] = (e % (k + 1) == 0) - f[e];
    if (LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, k, k, f, k, space->iwork) < 0) return false;
    *determinant = 1;
    for (int i = 0; i < k; i++) *determinant *= space->iwork[i] != i + 1 ? -f[i * k + i] : f[i * k + i];
    return *determinant != 0;
}

/* Counts the roots with Re s > sigma; -1 if it fails. */
static int count_right(const dead_time_space *space, double sigma) {
    double w = 0, most = 0, turned = 0, step;
    int right = 0;
    number last, middle, next;
    bool small, small_next, unused;
    for (int i = 0; i < space->n; i++) {
        right += space->poles_real[i] > sigma;
        most = fmax(most, hypot(space->poles_real[i] - sigma, space->poles_imaginary[i]));
    }
    if (!find_determinant(space, sigma, &last, &small)) return -1;
    step = 1e-3 / longest(space);
    for (int i = 0; i < COUNT_STEPS; i++) {
        if (small && w > 4 * most) {
            double turns = -(turned + carg(1 / last)) / pi;
            return fabs(turns - round(turns)) < 0.01 ? right + (int)lround(turns) : -1;
        }
        double widest = 0.3 * distance_to_poles(space, sigma + w * I);
        if (!small) widest = fmin(widest, 0.3 / longest(space));
        if (isinf(widest)) widest = 0.3 / longest(space);
        step = fmin(step, widest);
        if (!(step > 0) || w + step == w) return -1;
        if (!find_determinant(space, sigma + (w + step) * I, &next, &small_next) ||
            !find_determinant(space, sigma + (w + step / 2) * I, &middle, &unused))
            return -1;
        double first = carg(middle / last), second = carg(next / middle);
        bool coarse = !(small && small_next) && step > 0.3 / longest(space);
        if (coarse || fabs(first) > 0.3 || fabs(second) > 0.3) {
            step /= 2;
            continue;
        }
        small = small_next;
        turned += first + second;
        w += step;
        last = next;
        step *= 1.5;
    }
    return -1;
}

/* ---- The rightmost root ---- */

/* Finds the rightmost root among the candidates without the `removed` ones nearest to 0. Returns false if
 * there is none. */
static bool find_rightmost(dead_time_space *space, int removed, number *rightmost) {
    int all = space->n + space->k * space->nodes;
    bool found = false;
    for (int i = 0; i < removed; i++) { /* remove the nearest to 0 */
        int least = 0;
        for (int j = 1; j < all; j++)
            if (hypot(space->real[j], space->imaginary[j]) <
                hypot(space->real[least], space->imaginary[least]))
                least = j;
        space->real[least] = -(double)INFINITY;
        space->imaginary[least] = 0;
    }
    for (int i = 0; i < CANDIDATES; i++) {
        int first = -1;
        for (int j = 0; j < all; j++)
            if (space->imaginary[j] >= 0 && isfinite(space->real[j]) &&
                (first < 0 || space->real[j] > space->real[first]))
                first = j;
        if (first < 0) break;
        number s = space->real[first] + space->imaginary[first] * I;
        space->real[first] = -(double)INFINITY;
        if (!polish(space, &s)) continue;
        if (removed > 0 && cabs(s) < AT_ZERO * unit_at(space, 0)) continue;
        if (!found || creal(s) > creal(*rightmost)) *rightmost = s;
        found = true;
    }
    return found;
}

/* Accepts the root if a count agrees, with the contour as close to it as rounding permits. [out] reach. */
static bool take_root(const dead_time_space *space, int removed, number s, spectrum_reach *reach) {
    static const double contours[] = {1e-13, 1e-11, 1e-9, 1e-7};
    double own = slack_of(space, s), zero = AT_ZERO * unit_at(space, 0);
    for (size_t i = 0; i < sizeof contours / sizeof *contours && isfinite(own); i++) {
        double beyond = contours[i] * unit_at(space, s), sigma = creal(s) + beyond, slack = fmax(own, beyond);
        if (removed > 0 && fabs(sigma) < zero) { /* too close to the structural modes: not decided */
            slack = fmax(slack, zero);
            sigma += 2 * zero;
        }
        *reach = (spectrum_reach){creal(s), creal(s) + slack, creal(s) - slack, slack};
        if (count_right(space, sigma) == (sigma < 0 ? removed : 0)) return true;
    }
    return false;
}

/* shortest: of the dead times in space->matrix (at_least). */
static costab_status find_reach(costab_network_work *work, int removed, int least, double shortest,
                                spectrum_reach *reach, costab_error *error) {
    for (int nodes = least; nodes <= NODES_MOST; nodes *= 2) {
        number s = 0;
        TRY(make(work, nodes, error));
        dead_time_space *space = work->dead_time;
        int all = space->n + space->k * nodes;
        space->rate = find_rate(space);
        for (int j = 0; j < space->k && space->rate > 0; j++)
            space->times[j] = fmax(space->times[j], SHORTEST / space->rate);
        fill_matrix(space, shortest);
        TRY(find_eigenvalues(space, space->n, space->A, space->poles_real, space->poles_imaginary, error));
        TRY(find_eigenvalues(space, all, space->matrix, space->real, space->imaginary, error));
        if (find_rightmost(space, removed, &s) && take_root(space, removed, s, reach)) return COSTAB_OK;
    }
    return error_set(
        error, COSTAB_NUMERIC,
        "dead_time: the rightmost eigenvalue of the continuous system is not resolved by %d points "
        "per connection: a dead time is too long for the system's frequencies, or many eigenvalues "
        "are equal",
        (int)NODES_MOST);
}

costab_status dead_time_reach(costab_network_work *work, int removed, spectrum_reach *reach,
                              costab_error *error) {
    if (work->states == 0) return make(work, 0, error);
    return find_reach(work, removed, NODES_LEAST, SHORTEST_OF_CANDIDATE, reach, error);
}

costab_status dead_time_matrix(costab_network_work *work, const double **matrix, int *size, double *noise,
                               costab_error *error) {
    spectrum_reach reach;
    TRY(find_reach(work, 0, NODES_OF_MATRIX, SHORTEST_OF_MATRIX, &reach, error));
    const dead_time_space *space = work->dead_time;
    double longer = 0;
    for (int j = 0; j < space->k; j++)
        longer = fmax(longer, at_least(space, space->times[j], SHORTEST_OF_MATRIX) - space->times[j]);
    *matrix = space->matrix;
    *size = space->n + space->k * space->nodes;
    *noise = longer * space->rate * space->rate;
    return COSTAB_OK;
}
