/* Maps of single steps, with slopes for memory.
 *
 * The network is split so that every connection has an output of its own. If a connection of delay d
 * extrapolates along a line, the master remembers y_(n-1), ..., y_(n-d-1) of it. With S(H), which replaces
 * the oldest of them by the slope (y_(n-d) - y_(n-d-1))/H between the last two arrivals, S(H) M(H) S(H)^-1
 * does not depend on the step before: so M may be that of equal steps. A linear predictor is the same with d
 * = 0. */
#include "proof/step_map.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/analyse.h"
#include "network/by_connection.h"
#include "proof/common_norm.h"

/* Singular values of M - I below this share of its norm are 0. */
#define NEUTRAL 1e-11

struct step_map {
    const costab_network *network;
    costab_coupling coupling;
    by_connection *split; /* NULL: it remembers no lines */
    costab_network_work *work;
    int whole, size; /* of the map, and of what remains of it */
    int *read;       /* which of the map's states somebody reads; `kept` of them */
    int kept, neutral;
    bool exact;
    double *basis; /* kept x size: orthonormal, across what is neutral; kept == size: none */
    double *room;  /* four matrices whole x whole */
};

/* ---- What the choices allow ---- */

static costab_status refuse(costab_error *error, const char *why) {
    return error_set(error, COSTAB_INVALID, "sequences of steps: %s", why);
}

static bool extrapolates(const costab_network *network, const costab_coupling *coupling) {
    bool any = coupling->scheme != COSTAB_ITERATED;
    for (int c = 0; c < network->connection_count; c++) any = any || network->connections[c].delay > 0;
    return any;
}

static bool interpolates(const costab_coupling *coupling) {
    return coupling->scheme != COSTAB_JACOBI;
}

static bool predicts(const costab_coupling *coupling) {
    return coupling->scheme == COSTAB_ITERATED && coupling->iterations > 0;
}

static bool is_curved(costab_hold hold) {
    return hold == COSTAB_QUADRATIC || hold == COSTAB_CUBIC;
}

static costab_status check_coupling(const costab_network *network, const costab_coupling *coupling,
                                    costab_error *error) {
    if (coupling->micro_steps != COSTAB_WHOLE)
        return refuse(error, "micro steps must fit each macro step; take `micro_steps: whole`");
    if (extrapolates(network, coupling) && is_curved(coupling->extrapolation))
        return refuse(
            error, "extrapolation of order 2 and more remembers the lengths of several steps; take linear");
    if (interpolates(coupling) && is_curved(coupling->interpolation))
        return refuse(error,
                      "interpolation of order 2 and more remembers the length of the last step; take linear");
    if (predicts(coupling) && is_curved(coupling->predictor))
        return refuse(error,
                      "a predictor of order 2 and more remembers the lengths of several steps; take linear");
    if (extrapolates(network, coupling) && coupling->smoothed && coupling->extrapolation != COSTAB_CONSTANT)
        return refuse(error,
                      "smoothed extrapolation of order 1 and more remembers the lengths of several steps");
    return COSTAB_OK;
}

static costab_status check(const costab_network *network, const costab_coupling *coupling,
                           costab_error *error) {
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *part = &network->subsystems[s];
        if (part->stride > 1) return refuse(error, "subsystems with strides have no map of one macro step");
        if (part->method.kind == COSTAB_BDF2)
            return refuse(error, "bdf2 remembers a micro step of one length");
    }
    for (int c = 0; c < network->connection_count; c++)
        if (network->connections[c].delay_time > 0)
            return refuse(
                error, "a delay in seconds is another number of macro steps for each step; give it in steps");
    return check_coupling(network, coupling, error);
}

static bool has_lines(const costab_network *network, const costab_coupling *coupling) {
    return (extrapolates(network, coupling) && coupling->extrapolation == COSTAB_LINEAR) ||
           (predicts(coupling) && coupling->predictor == COSTAB_LINEAR);
}

static bool is_exact(const costab_network *network, const costab_coupling *coupling) {
    bool exact = coupling->scheme == COSTAB_JACOBI && coupling->extrapolation == COSTAB_CONSTANT &&
                 !coupling->smoothed && coupling->area_correction == 0;
    for (int s = 0; s < network->subsystem_count; s++)
        exact = exact && network->subsystems[s].method.kind == COSTAB_EXACT;
    return exact;
}

/* ---- The whole map ---- */

/* Replaces the oldest value of each line by its slope, on the left and on the right. y0: the outputs at the
 * step's begin from the state. */
static void take_slopes(const step_map *m, double H, double *map) {
    const costab_network_work *work = m->work;
    int n = m->whole;
    for (int c = 0; c < m->split->network.connection_count; c++) {
        const costab_connection *connection = &m->split->network.connections[c];
        int signal = work->subs[connection->from].y + connection->output, depth = work->depth[signal];
        bool line = work->known[c] ? predicts(&m->coupling) && m->coupling.predictor == COSTAB_LINEAR
                                   : m->coupling.extrapolation == COSTAB_LINEAR;
        if (!line || depth == 0) continue;
        int old = work->history[signal] + depth - 1;
        const double *y = work->y0 + (size_t)signal * (size_t)n;
        /* From the left: row old becomes (row of the value before - row old)/H. */
        for (int j = 0; j < n; j++) {
            double newer = 0;
            if (depth > 1)
                newer = map[(old - 1) * n + j];
            else
                for (int k = 0; k < n; k++) newer += y[k] * map[k * n + j];
            map[old * n + j] = (newer - map[old * n + j]) / H;
        }
        /* From the right: the value is the one before less H times the slope. */
        for (int i = 0; i < n; i++) {
            double by = map[i * n + old];
            if (depth > 1)
                map[i * n + old - 1] += by;
            else
                for (int k = 0; k < n; k++)
                    if (k != old) map[i * n + k] += by * y[k];
            map[i * n + old] = -H * by;
        }
    }
}

/* The map with slopes into `map`, whole x whole; infinite where the iteration diverges. */
static costab_status whole_map(step_map *m, double H, double *map, costab_error *error) {
    double radius;
    long exponent;
    m->coupling.macro_step = H;
    const costab_network *network = m->split != NULL ? &m->split->network : m->network;
    costab_status status = costab_coupling_check(network, &m->coupling, error);
    if (!status) status = work_prepare(m->work, network, &m->coupling, NULL, error);
    if (!status) status = analyse_make(m->work, &radius, &exponent, error);
    if (status) return status;
    size_t cells = (size_t)m->whole * (size_t)m->whole;
    if (map == NULL) {
        m->whole = m->work->size;
        return COSTAB_OK;
    }
    memcpy(map, m->work->map, cells * sizeof *map);
    if (m->split != NULL) take_slopes(m, H, map);
    bool converges = m->coupling.scheme != COSTAB_ITERATED || m->coupling.iterations != 0 || radius < 1;
    for (size_t e = 0; e < cells && !converges; e++) map[e] = (double)INFINITY;
    return COSTAB_OK;
}

/* ---- What is taken out ---- */

/* Strikes states that no state read by somebody reads. */
static void strike_unread(step_map *m, const double *maps, int count) {
    int n = m->whole;
    bool struck = true;
    m->kept = n;
    for (int i = 0; i < n; i++) m->read[i] = i;
    while (struck) {
        struck = false;
        for (int k = 0; k < m->kept && !struck; k++) {
            bool used = false;
            for (int i = 0; i < m->kept * count && !used; i++) {
                const double *map = maps + (size_t)(i / m->kept) * (size_t)(n * n);
                used = map[m->read[i % m->kept] * n + m->read[k]] != 0;
            }
            if (used) continue;
            memmove(m->read + k, m->read + k + 1, (size_t)(m->kept - k - 1) * sizeof *m->read);
            m->kept--;
            struck = true;
        }
    }
}

/* What remains of a whole map. `room`: two matrices. */
static void reduce(const step_map *m, const double *whole, double *out, double *room) {
    int n = m->kept, size = m->size;
    double *kept = m->basis != NULL ? room : out, *product = room + n * n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) kept[i * n + j] = whole[m->read[i] * m->whole + m->read[j]];
    if (m->basis == NULL) return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < size; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += kept[i * n + k] * m->basis[k * size + j];
            product[i * size + j] = sum;
        }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += m->basis[k * size + i] * product[k * size + j];
            out[i * size + j] = sum;
        }
}

/* The directions that all maps leave as they are, by singular values of all M - I above each other; the basis
 * becomes what is across. *found: how many. */
static costab_status find_fixed(step_map *m, const double *maps, int count, int *found, costab_error *error) {
    int n = m->size, rows = n * count;
    size_t cells = (size_t)(n * n);
    double *stacked = memory_alloc(cells * (size_t)count + 1, sizeof(double));
    double *right = memory_alloc(cells + (size_t)(2 * n) + 2 * (size_t)(m->whole * m->whole), sizeof(double));
    double *basis = memory_alloc((size_t)(m->kept * n) + 1, sizeof(double));
    double *values = right != NULL ? right + cells : NULL, *rest = right != NULL ? values + n : NULL,
           *room = rest + n;
    costab_status status = stacked && right && basis ? COSTAB_OK : error_memory(error);
    *found = 0;
    for (int i = 0; i < count && !status; i++) {
        double *at = stacked + (size_t)i * cells;
        reduce(m, maps + (size_t)i * (size_t)(m->whole * m->whole), at, room);
        for (int k = 0; k < n; k++) at[k * n + k] -= 1;
    }
    if (!status &&
        LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'A', rows, n, stacked, n, values, NULL, 1, right, n, rest) != 0)
        status = error_set(error, COSTAB_NUMERIC, "LAPACK finds no singular values");
    for (int k = 0; k < n && !status; k++) *found += values[k] <= NEUTRAL * fmax(values[0], 1);
    int size = n - *found;
    if (!status && *found > 0) {
        /* The rows of `right` before those of the fixed directions, seen from all kept states. */
        for (int i = 0; i < m->kept; i++)
            for (int j = 0; j < size; j++) {
                double sum = m->basis == NULL ? right[j * n + i] : 0;
                for (int k = 0; k < n && m->basis != NULL; k++) sum += m->basis[i * n + k] * right[j * n + k];
                basis[i * size + j] = sum;
            }
        memory_free(m->basis);
        m->basis = basis;
        basis = NULL;
        m->size = size;
    }
    memory_free(stacked);
    memory_free(right);
    memory_free(basis);
    return status;
}

/* Takes out fixed directions, and then those that are fixed but for them, as long as the model has
 * equilibria. */
static costab_status take_out(step_map *m, const double *maps, int count, int equilibria,
                              costab_error *error) {
    int found = equilibria > 0;
    costab_status status = COSTAB_OK;
    m->size = m->kept;
    while (found > 0 && m->size > 0 && !status) {
        status = find_fixed(m, maps, count, &found, error);
        m->neutral += found;
    }
    return status;
}

/* ---- Life ---- */

static costab_status allocate(step_map *m, int count, double **maps, costab_error *error) {
    size_t cells = (size_t)(m->whole * m->whole);
    m->read = memory_alloc((size_t)m->whole + 1, sizeof *m->read);
    m->room = memory_alloc(4 * cells + 1, sizeof *m->room);
    *maps = memory_alloc((size_t)count * cells + 1, sizeof **maps);
    return m->read && m->room && *maps ? COSTAB_OK : error_memory(error);
}

costab_status step_map_create(const costab_network *network, const costab_coupling *coupling,
                              const double *steps, int count, step_map **made, costab_error *error) {
    double *maps = NULL;
    costab_network_point point = {.neutral = 0};
    costab_status status = check(network, coupling, error);
    *made = NULL;
    if (status) return status;
    step_map *m = *made = memory_alloc(1, sizeof *m);
    if (m == NULL) return error_memory(error);
    m->network = network;
    m->coupling = *coupling;
    m->exact = is_exact(network, coupling);
    status = costab_network_work_create(&m->work, error);
    m->coupling.macro_step = steps[0];
    if (!status) status = costab_coupling_check(network, &m->coupling, error);
    if (!status) status = costab_network_analyse(m->work, network, &m->coupling, &point, error);
    if (!status && has_lines(network, coupling)) status = by_connection_create(network, &m->split, error);
    if (!status) status = whole_map(m, steps[0], NULL, error);
    if (!status) status = allocate(m, count, &maps, error);
    int finite = 0;
    for (int i = 0; i < count && !status; i++) {
        double *map = maps + (size_t)finite * (size_t)(m->whole * m->whole);
        status = whole_map(m, steps[i], map, error);
        finite += !status && isfinite(matrix_norm((size_t)(m->whole * m->whole), map));
    }
    if (!status && finite == 0)
        status = error_set(error, COSTAB_NUMERIC,
                           "the coupling's iteration diverges, or the map overflows, at every step");
    if (!status) {
        strike_unread(m, maps, finite);
        status = take_out(m, maps, finite, point.neutral, error);
    }
    memory_free(maps);
    if (status) step_map_destroy(made);
    return status;
}

void step_map_destroy(step_map **made) {
    step_map *m = *made;
    if (m == NULL) return;
    by_connection_destroy(&m->split);
    costab_network_work_destroy(&m->work);
    memory_free(m->read);
    memory_free(m->basis);
    memory_free(m->room);
    memory_free(m);
    *made = NULL;
}

int step_map_size(const step_map *m) {
    return m->size;
}

int step_map_neutral(const step_map *m) {
    return m->neutral;
}

bool step_map_exact(const step_map *m) {
    return m->exact;
}

costab_status step_map_at(step_map *m, double step, double *map, costab_error *error) {
    double *whole = m->room;
    costab_status status = whole_map(m, step, whole, error);
    if (!status) reduce(m, whole, map, m->room + m->whole * m->whole);
    return status;
}

/* ---- The second derivative ---- */

/* out = A in (or B in) of all subsystems, rows of `width`. */
static void apply(const step_map *m, bool inputs, const double *in, int width, double *out) {
    const costab_network_work *work = m->work;
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        const costab_subsystem *subsystem = &m->network->subsystems[s];
        const double *from = in + (size_t)(inputs ? sub->u : sub->x) * (size_t)width;
        double *to = out + (size_t)sub->x * (size_t)width;
        if (inputs)
            matrix_multiply_add(sub->n, sub->m, width, subsystem->B, from, to);
        else
            matrix_multiply(sub->n, sub->n, width, subsystem->A, from, to);
    }
}

/* Powers of 2 that balance the rows and columns of A; the norm of A in them. A: states x states. */
static double balance_states(int states, double *A, double *scales) {
    for (int i = 0; i < states; i++) scales[i] = 1;
    for (int round = 0; round < 30; round++) {
        bool moved = false;
        for (int i = 0; i < states; i++) {
            double row = 0, column = 0;
            for (int j = 0; j < states; j++) {
                if (j == i) continue;
                row += fabs(A[i * states + j]);
                column += fabs(A[j * states + i]);
            }
            int shift = row > 0 && column > 0 ? (int)lround(0.5 * log2(column / row)) : 0;
            if (shift == 0) continue;
            moved = true;
            scales[i] = ldexp(scales[i], shift);
            for (int j = 0; j < states; j++) {
                A[i * states + j] = ldexp(A[i * states + j], shift);
                A[j * states + i] = ldexp(A[j * states + i], -shift);
            }
        }
        if (!moved) break;
    }
    return matrix_norm((size_t)(states * states), A);
}

/* ||L S^-1|| ||S D R||, L the way from the states to turned coordinates and R that from these to the whole
 * state: a bound of ||L e^(A t) D R||, but for the growth of e^(A t) in the scales S; in Frobenius' norm. */
static double third_bound(const step_map *m, const double *D, const double *scales, const double *T,
                          const double *inverse, double *room) {
    int n = m->whole, size = m->size, states = m->work->states;
    double *back = room, left = 0, right = 0; /* back: kept x size, the basis times T^-1 */
    for (int i = 0; i < m->kept; i++)
        for (int j = 0; j < size; j++) {
            double sum = m->basis == NULL ? inverse[i * size + j] : 0;
            for (int k = 0; k < size && m->basis != NULL; k++)
                sum += m->basis[i * size + k] * inverse[k * size + j];
            back[i * size + j] = sum;
        }
    for (int i = 0; i < states; i++)
        for (int j = 0; j < size; j++) {
            double sum = 0;
            for (int k = 0; k < m->kept; k++) sum += D[i * n + m->read[k]] * back[k * size + j];
            right += scales[i] * sum * (scales[i] * sum);
        }
    for (int k = 0; k < m->kept; k++) {
        if (m->read[k] >= states) continue;
        for (int i = 0; i < size; i++) {
            double sum = m->basis == NULL ? T[i * size + k] : 0;
            for (int l = 0; l < size && m->basis != NULL; l++)
                sum += T[i * size + l] * m->basis[k * size + l];
            left += sum / scales[m->read[k]] * (sum / scales[m->read[k]]);
        }
    }
    return sqrt(left * right);
}

/* x of the state at h follows x' = A x + B u with constant u. So M'' = A (A X + B U) in the rows of the
 * states, X those of M itself and U the inputs from the state, and 0 in the others; M''(h + r) differs from
 * it by r exp(A r') A M''. */
costab_status step_map_bend(step_map *m, double step, double radius, const double *T, const double *inverse,
                            double *bend, costab_error *error) {
    int n = m->whole, size = m->size, states = m->work->states;
    size_t cells = (size_t)(n * n), turned = (size_t)(size * size);
    double *whole = m->room;
    double *derivative = memory_alloc(
        8 * cells + 2 * turned + norm_work(n) + (size_t)(states * (states + 1)) + 1, sizeof *derivative);
    if (derivative == NULL) return error_memory(error);
    double *next = derivative + cells;
    double *out = next + cells, *room = out + cells, *work = room + 4 * cells;
    double *A = work + norm_work(n), *scales = A + states * states, *product = scales + states;
    common_norm norm = {.n = size, .T = (double *)(uintptr_t)T, .inverse = (double *)(uintptr_t)inverse};
    costab_status status = whole_map(m, step, whole, error);
    if (!status) {
        apply(m, false, whole, n, derivative);
        apply(m, true, m->work->u[0], n, derivative);
        apply(m, false, derivative, n, next);
        reduce(m, next, out, room);
        common_norm_turn(&norm, out, product, room);
        *bend = norm_of(size, product, work);
        memset(derivative, 0, cells * sizeof *derivative);
        apply(m, false, next, n, derivative);
        memset(A, 0, (size_t)(states * states) * sizeof *A);
        for (int s = 0; s < m->work->count; s++) {
            const network_subsystem *sub = &m->work->subs[s];
            for (int i = 0; i < sub->n; i++)
                memcpy(A + (sub->x + i) * states + sub->x, m->network->subsystems[s].A + i * sub->n,
                       (size_t)sub->n * sizeof *A);
        }
        double rate = balance_states(states, A, scales);
        *bend += radius * exp(radius * rate) * third_bound(m, derivative, scales, T, inverse, room);
    }
    memory_free(derivative);
    return status;
}
