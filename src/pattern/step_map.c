/* The map of one macro step after steps of other lengths, in coordinates with few dependencies on these
 * lengths.
 * At the exchange t_n a connection delivers a value v_n (with a delay of d steps, v_n = y_(n-d)). Its
 * polynomial passes through v_n, v_(n-1), ... at their actual times. So a map M(H_n | H_(n-1), ..) depends on
 * its own step length and on previous ones.
 * 1. Split: the network is rewritten with a separate output, hence a separate history, for every connection
 *    (network/by_connection.h). M is the map of the split network with the given lengths.
 * 2. Coordinates: S(H_(n-1), ..) transforms the state. For extrapolation through v_n .. v_(n-k), the highest
 *    divided difference replaces the oldest value. Smoothing stores one value more; the end value of the
 *    previous polynomial replaces it.
 * 3. Dependencies: S(H_n, ..) M(H_n | H_(n-1), ..) S(H_(n-1), ..)^-1 depends on the last k - 1 lengths before
 *    its own. Lines have none, because their divided difference is the slope. Earlier lengths have no effect
 *    and get arbitrary values.
 * 4. Reduction, from maps at some lengths: removes states without effect on other states. Then removes the
 *    fixed directions common to all maps: as many as the model has equilibria, by the singular values of all
 *    M - I stacked, and then as many as it has rigid motions, fixed up to the directions already removed.
 * Cost: one map; the reduction once, by singular values of count n x n. Limitation: the reduction decides
 * zero by a rounding tolerance, so it may remove a motion that is not fixed. */
#include "pattern/step_map.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/analyse.h"
#include "network/by_connection.h"
#include "network/exchange.h"
#include "network/loop.h"
#include "network/turns.h"
#include "network/words.h"
#include "network/work.h"
#include "pattern/common_norm.h"

struct step_map {
    const costab_network *network;
    costab_coupling coupling;
    by_connection *split; /* NULL: every polynomial has a single node */
    costab_network_work *work;
    network_past past;
    int lengths;     /* previous steps with an effect on a map, without delays in seconds */
    int whole, size; /* rows of the full and of the reduced map */
    int *read;       /* states with an effect on others; `kept` of them */
    int kept, neutral;
    bool exact, plain; /* plain: history values are stored untransformed */
    double *basis;     /* kept x size, orthonormal complement of removed directions; NULL: none removed */
    double *workspace; /* four matrices whole x whole */
};

/* ---- Polynomials of a connection ---- */

/* Returns the order of the highest difference of history values in an extrapolation. */
static int order_of(costab_hold hold) {
    return polynomial_values(hold) - 1;
}

/* Returns true if history values predict the iteration variable of a fixed number of sweeps. */
static bool predicts(const costab_coupling *coupling) {
    return coupling->scheme == COSTAB_ITERATED && coupling->iterations > 0;
}

/* Coordinates for the history of a connection. */
typedef struct history_coordinates {
    int nodes;     /* order of the divided difference; 0: the values themselves */
    bool smoothed; /* store the end value of the previous polynomial */
    int lengths;   /* number of previous lengths with an effect on the map */
} history_coordinates;

static history_coordinates coordinates_of(const step_map *m, int c) {
    const costab_coupling *coupling = &m->coupling;
    const costab_hold hold = coupling_extrapolation(m->network, coupling, c).hold;
    int order = order_of(hold), through = order_of(coupling->interpolation) - 1;
    bool known = exchange_known(m->work, c, 0);
    if (known) order = predicts(coupling) ? order_of(coupling->predictor) : 0;
    if (!known || through < 0) through = 0;
    bool smoothed = !known && coupling->smoothed && hold != COSTAB_CONSTANT;
    if (m->plain) return (history_coordinates){0, false, (order > through ? order : through) + smoothed};
    /* Interpolation reads the oldest value itself. */
    if (order <= through) return (history_coordinates){0, smoothed, through};
    return (history_coordinates){order, smoothed, order - 1};
}

static bool has_delay_time(const step_map *m, int c) {
    return m->network->connections[c].delay_time > 0;
}

bool step_map_has_delay_time(const step_map *m) {
    bool late = false;
    for (int c = 0; c < m->network->connection_count; c++) late = late || has_delay_time(m, c);
    return late;
}

static bool is_exact(const costab_network *network, const costab_coupling *coupling) {
    bool exact = coupling->scheme == COSTAB_JACOBI && !coupling->smoothed && coupling->area_correction == 0 &&
                 !coupling_extrapolates(network, coupling, ~HOLD_BIT(COSTAB_CONSTANT));
    for (int s = 0; s < network->subsystem_count; s++)
        exact = exact && network->subsystems[s].method.kind == COSTAB_EXACT;
    return exact;
}

/* ---- The full map ---- */

enum { TERMS_MAX = 6 };

/* A row of S: the linear form that replaces row `own` of the state. It is a weighted sum of rows, including
 * `own`, and one output at the start of the step. */
typedef struct form {
    int own, count;
    int row[TERMS_MAX]; /* -1: the output */
    double weight[TERMS_MAX], own_weight;
    const double *output; /* as a form of the state */
} form;

static void add_term(form *f, int row, double weight) {
    if (row == f->own)
        f->own_weight += weight;
    else {
        f->row[f->count] = row;
        f->weight[f->count++] = weight;
    }
}

/* Multiplies the map by one row of S from the left, which transforms the new state. */
static void multiply_left(const step_map *m, const form *f, double *map) {
    int n = m->whole;
    for (int j = 0; j < n; j++) {
        double sum = f->own_weight * map[f->own * n + j];
        for (int t = 0; t < f->count; t++)
            if (f->row[t] >= 0)
                sum += f->weight[t] * map[f->row[t] * n + j];
            else
                for (int k = 0; k < n; k++) sum += f->weight[t] * f->output[k] * map[k * n + j];
        map[f->own * n + j] = sum;
    }
}

/* Multiplies the map by the inverse of one row of S from the right, which transforms the old state. */
static void multiply_right_by_inverse(const step_map *m, const form *f, double *map) {
    int n = m->whole;
    for (int i = 0; i < n; i++) {
        double by = map[i * n + f->own] / f->own_weight;
        map[i * n + f->own] = by;
        for (int t = 0; t < f->count; t++)
            if (f->row[t] >= 0)
                map[i * n + f->row[t]] -= by * f->weight[t];
            else
                for (int k = 0; k < n; k++) map[i * n + k] -= by * f->weight[t] * f->output[k];
    }
}

/* Returns the row of the j-th last value received over connection c; -1 for the output itself. */
static int value_row(const step_map *m, int c, int j, int *signal) {
    const costab_connection *connection = &m->split->network.connections[c];
    *signal = m->work->subs[connection->from].y + connection->output;
    int back = m->work->delays[c] + j;
    return back > 0 ? m->work->newest_row[*signal] + back - 1 : -1;
}

/* Returns the divided difference of the last values over connection c, at the end of steps of these lengths,
 * latest first. */
static form difference(const step_map *m, int c, int order, const double *lengths) {
    int signal;
    form f = {.own = value_row(m, c, order, &signal)};
    double times[MATRIX_POWERS] = {0};
    f.output = m->work->y0 + (size_t)signal * (size_t)m->whole;
    for (int j = 1; j <= order; j++) times[j] = times[j - 1] - lengths[j - 1];
    for (int j = 0; j <= order; j++) {
        double divisor = 1;
        for (int i = 0; i <= order; i++) divisor *= i != j ? times[j] - times[i] : 1;
        add_term(&f, value_row(m, c, j, &signal), 1 / divisor);
    }
    return f;
}

/* Returns the end value of the last extrapolation over connection c. */
static form ending(const step_map *m, int c, int order, const double *lengths) {
    int signal;
    form f = {.own = value_row(m, c, order + 1, &signal)};
    polynomial_times times = {.at = {0}};
    polynomial_rule rule;
    for (int j = 1; j <= order; j++) times.at[j] = times.at[j - 1] - lengths[j] / lengths[0];
    const costab_extrapolation by = coupling_extrapolation(m->network, &m->coupling, c);
    polynomial_extrapolate(&by, times, &rule);
    for (int i = 0; i < rule.count; i++) {
        const polynomial_node *node = &rule.nodes[i];
        int row = value_row(m, c, node->back + 1, &signal);
        /* Slopes have a separate history, stored like values. */
        if (node->slope) row += m->work->newest_row[m->work->outputs + signal] - m->work->newest_row[signal];
        add_term(&f, row, polynomial_end(node) * (node->slope ? lengths[0] : 1));
    }
    return f;
}

/* Transforms the map, connection by connection. lengths: of the step, then of the previous ones. */
static void change_coordinates(const step_map *m, const double *lengths, double *map) {
    for (int c = 0; c < m->split->network.connection_count; c++) {
        history_coordinates history = coordinates_of(m, c);
        if (has_delay_time(m, c)) continue;
        for (int what = 0; what < 2; what++) {
            if (what == 0 ? !history.smoothed : history.nodes == 0) continue;
            for (int side = 0; side < 2; side++) {
                form f = what == 0 ? ending(m, c, history.nodes, lengths + side)
                                   : difference(m, c, history.nodes, lengths + side);
                if (side == 0)
                    multiply_left(m, &f, map);
                else
                    multiply_right_by_inverse(m, &f, map);
            }
        }
    }
}

/* Computes the full map, before the reduction, in the coordinates above; see step_map_at. map NULL:
 * determines its size, m->whole, only. */
static costab_status step_map_whole(step_map *m, const double *steps, int count, double *map,
                                    costab_error *error) {
    double radius, lengths[2 * MATRIX_POWERS];
    long exponent;
    m->coupling.macro_step = steps[0];
    m->past.lengths = count > 1 ? steps + 1 : steps;
    m->past.count = count > 1 ? count - 1 : 1;
    m->work->past = &m->past;
    const costab_network *network = m->split != NULL ? &m->split->network : m->network;
    TRY(costab_coupling_check(network, &m->coupling, error));
    TRY(work_prepare(m->work, network, &m->coupling, NULL, error));
    TRY(map_make(m->work, &radius, &exponent, error));
    size_t cells = (size_t)m->whole * (size_t)m->whole;
    if (map == NULL) {
        m->whole = m->work->size;
        return COSTAB_OK;
    }
    memcpy(map, m->work->map, cells * sizeof *map);
    for (int i = 0; i < 2 * MATRIX_POWERS; i++) lengths[i] = steps[i < count ? i : count - 1];
    if (m->split != NULL) change_coordinates(m, lengths, map);
    bool converges = m->coupling.scheme != COSTAB_ITERATED || m->coupling.iterations != 0 || radius < 1;
    for (size_t e = 0; e < cells && !converges; e++) map[e] = (double)INFINITY;
    return COSTAB_OK;
}

/* ---- Reduction ---- */

/* Removes states without effect on others, repeatedly. */
static void remove_unread(step_map *m, const double *maps, int count) {
    int n = m->whole;
    bool removed = true;
    m->kept = n;
    for (int i = 0; i < n; i++) m->read[i] = i;
    while (removed) {
        removed = false;
        for (int k = 0; k < m->kept && !removed; k++) {
            bool used = false;
            for (int i = 0; i < m->kept * count && !used; i++) {
                const double *map = maps + (size_t)(i / m->kept) * (size_t)(n * n);
                used = map[m->read[i % m->kept] * n + m->read[k]] != 0;
            }
            if (used) continue;
            memmove(m->read + k, m->read + k + 1, (size_t)(m->kept - k - 1) * sizeof *m->read);
            m->kept--;
            removed = true;
        }
    }
}

/* Reduces a full map to the states read and the basis. */
static void step_map_reduce(const step_map *m, const double *whole, double *out, double *workspace) {
    int n = m->kept, size = m->size;
    double *kept = m->basis != NULL ? workspace : out, *product = workspace + n * n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) kept[i * n + j] = whole[m->read[i] * m->whole + m->read[j]];
    if (m->basis == NULL) return;
    matrix_multiply(n, n, size, kept, m->basis, product);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += m->basis[k * size + i] * product[k * size + j];
            out[i * size + j] = sum;
        }
}

/* Returns the tolerance for the motion of an equilibrium under maps of this size and norm. Solver rounding
 * may be large if units differ widely. */
static double equilibrium_tolerance(const costab_network_work *work, int size, double norm) {
    const double times_rounding = 1e4;
    return times_rounding * (size + SPECTRUM_ENTRY_ERROR) * spectrum_roundings(work) * DBL_EPSILON * norm;
}

/* Removes up to `most` directions fixed by all maps: the basis then spans their orthogonal complement. */
static costab_status remove_fixed(step_map *m, const double *maps, int count, int most, costab_error *error) {
    int n = m->size, rows = n * count;
    size_t cells = (size_t)(n * n);
    memory_local_array(double, stacked, cells *(size_t)count + 1, error);
    memory_local_array(double, right, cells + (size_t)(2 * n) + 2 * (size_t)(m->whole * m->whole), error);
    memory_local_array(double, basis, (size_t)(m->kept * n) + 1, error);
    double *values = right + cells, *rest = values + n, *workspace = rest + n;
    int found = 0;
    for (int i = 0; i < count; i++) {
        double *at = stacked + (size_t)i * cells;
        step_map_reduce(m, maps + (size_t)i * (size_t)(m->whole * m->whole), at, workspace);
        for (int k = 0; k < n; k++) at[k * n + k] -= 1;
    }
    if (LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'A', rows, n, stacked, n, values, NULL, 1, right, n, rest) != 0)
        return error_set(error, COSTAB_NUMERIC, "LAPACK finds no singular values");
    while (found < n && found < most &&
           values[n - 1 - found] <= equilibrium_tolerance(m->work, n, fmax(values[0], 1)))
        found++;
    int size = n - found;
    m->neutral += found;
    if (found > 0) {
        /* The rows of `right` before the fixed directions, in terms of all kept states. */
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
    return COSTAB_OK;
}

/* Removes the directions of equilibria, then of rigid motions. */
static costab_status remove_neutral(step_map *m, const double *maps, int count,
                                    const costab_network_point *point, costab_error *error) {
    m->size = m->kept;
    if (point->neutral > 0) TRY(remove_fixed(m, maps, count, point->neutral, error));
    if (point->motions > 0 && m->size > 0) TRY(remove_fixed(m, maps, count, point->motions, error));
    return COSTAB_OK;
}

/* ---- Creation ---- */

static costab_status allocate(step_map *m, int count, double **maps, costab_error *error) {
    size_t cells = (size_t)(m->whole * m->whole);
    TRY(memory_make(&m->read, (size_t)m->whole + 1, error));
    TRY(memory_make(&m->workspace, 4 * cells + 1, error));
    return memory_make(maps, (size_t)count * cells + 1, error);
}

/* Chooses the coordinates of each connection, and splits the network unless all are the values themselves.
 * Requires an analysed network in the workspace. */
static costab_status choose_coordinates(step_map *m, costab_error *error) {
    bool split = false;
    /* A loop is solved at the end of a step, from the values received until then. */
    m->plain = step_map_has_delay_time(m) && m->work->has_loop;
    for (int c = 0; c < m->network->connection_count; c++) {
        history_coordinates history = coordinates_of(m, c);
        if (has_delay_time(m, c)) continue;
        split = split || history.nodes > 0 || history.smoothed;
        if (history.lengths > m->lengths) m->lengths = history.lengths;
    }
    return split ? by_connection_create(m->network, &m->split, error) : COSTAB_OK;
}

/* Computes the maps for the reduction: each step after its successors in the list. With delays in seconds
 * each step follows itself, since the shortest step then reads the oldest values. *finite: number of finite
 * maps; the others are skipped. */
static costab_status make_samples(step_map *m, const double *steps, int count, double *maps, int *finite,
                                  costab_error *error) {
    size_t cells = (size_t)(m->whole * m->whole);
    *finite = 0;
    for (int i = 0; i < count; i++) {
        double *map = maps + (size_t)*finite * cells, lengths[2 * MATRIX_POWERS];
        for (int k = 0; k < 2 * MATRIX_POWERS; k++)
            lengths[k] = steps[step_map_has_delay_time(m) ? i : (i + k) % count];
        TRY(step_map_whole(m, lengths, 2 * MATRIX_POWERS, map, error));
        *finite += isfinite(matrix_norm(cells, map));
    }
    return COSTAB_OK;
}

costab_status step_map_create(const costab_network *network, const costab_coupling *coupling,
                              const double *steps, int count, step_map **made, costab_error *error) {
    memory_local double *maps = NULL;
    costab_network_point point = {.neutral = 0};
    *made = NULL;
    TRY(turns_check(network, coupling, error));
    ends_by(step_map_destroy) step_map *m = memory_alloc(1, sizeof *m);
    if (m == NULL) return error_memory(error);
    m->network = network;
    m->coupling = *coupling;
    m->exact = is_exact(network, coupling);
    m->past.shortest = steps[0];
    for (int i = 1; i < count; i++) m->past.shortest = fmin(m->past.shortest, steps[i]);
    TRY(costab_network_work_create(&m->work, error));
    m->coupling.macro_step = steps[0];
    TRY(costab_coupling_check(network, &m->coupling, error));
    TRY(costab_network_analyse(m->work, network, &m->coupling, &point, error));
    TRY(choose_coordinates(m, error));
    TRY(step_map_whole(m, steps, 1, NULL, error));
    TRY(allocate(m, count, &maps, error));
    int finite = 0;
    TRY(make_samples(m, steps, count, maps, &finite, error));
    if (finite == 0)
        return error_set(error, COSTAB_NUMERIC,
                         "the coupling's iteration diverges, or the map overflows, at every step");
    remove_unread(m, maps, finite);
    TRY(remove_neutral(m, maps, finite, &point, error));
    *made = m;
    m = NULL;
    return COSTAB_OK;
}

void step_map_destroy(step_map **made) {
    step_map *m = *made;
    if (m == NULL) return;
    by_connection_destroy(&m->split);
    costab_network_work_destroy(&m->work);
    memory_free_all(m->read, m->basis, m->workspace, m);
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

int step_map_former_steps(const step_map *m) {
    return m->lengths;
}

int step_map_reach(const step_map *m, const double *before, int count) {
    int reach = m->lengths;
    for (int c = 0; c < m->network->connection_count; c++) {
        double passed = 0, seconds = m->network->connections[c].delay_time;
        int at = order_of(coupling_extrapolation(m->network, &m->coupling, c).hold) + m->coupling.smoothed;
        for (; has_delay_time(m, c) && at < count && !(passed >= seconds * (1 - 1e-12)); at++)
            passed += before[at];
        if (has_delay_time(m, c) && at > reach) reach = at;
    }
    return reach < count ? reach : count;
}

costab_status step_map_at(step_map *m, const double *steps, int count, double *map, costab_error *error) {
    double *whole = m->workspace;
    TRY(step_map_whole(m, steps, count, whole, error));
    step_map_reduce(m, whole, map, m->workspace + m->whole * m->whole);
    return COSTAB_OK;
}

/* ---- Second derivatives ----
 * Bounds the second derivative M'' of a map with respect to the step length h, for all lengths within a
 * radius (docs/explanation/algorithms.md, Sequences of steps). For exact solvers and constant inputs
 * only.
 * 1. Within a step x' = A x + B u with constant u. So the state rows of M' are A X + B U, with X the state
 *    rows of M and U the inputs as linear forms of the state. M'' = A (A X + B U). All other rows of both are
 *    0.
 * 2. Computes ||T M'' T^-1|| at the middle length.
 * 3. M''(h + r) differs from M''(h) by at most r ||exp(A r') A M''||, 0 <= r' <= r, bounded by r e^(r ||A||)
 *    and Frobenius norms with balanced A.
 * Cost: some products of n^3. Limitation: rounding is not bounded. */

/* Computes out = A in, or out += B in (`inputs`), for all subsystems; rows of `width`. */
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

/* Returns ||L S^-1|| ||S D R|| in Frobenius norms. L maps states to the coordinates of T, R maps these to the
 * full state, S holds the scales that balance A. ||L e^(A t) D R|| is at most this times the norm of e^(A t)
 * in these scales. */
static double third_derivative_bound(const step_map *m, const double *D, const double *scales,
                                     const double *T, const double *inverse, double *workspace) {
    int n = m->whole, size = m->size, states = m->work->states;
    double *back = workspace, left = 0, right = 0; /* back: kept x size, the basis times T^-1 */
    if (m->basis != NULL)
        matrix_multiply(m->kept, size, size, m->basis, inverse, back);
    else
        memcpy(back, inverse, (size_t)(size * size) * sizeof *back);
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

costab_status step_map_second_derivative(step_map *m, double step, double radius, const double *T,
                                         const double *inverse, double *bound, costab_error *error) {
    int n = m->whole, size = m->size, states = m->work->states;
    size_t cells = (size_t)(n * n), turned = (size_t)(size * size);
    double *whole = m->workspace;
    memory_local_array(double, derivative,
                       8 * cells + 2 * turned + norm_work(n) + (size_t)(states * (states + 1)) + 1, error);
    double *next = derivative + cells;
    double *out = next + cells, *workspace = out + cells, *work = workspace + 4 * cells;
    double *A = work + norm_work(n), *scales = A + states * states, *product = scales + states;
    common_norm norm = {.n = size, .T = (double *)(uintptr_t)T, .inverse = (double *)(uintptr_t)inverse};
    TRY(step_map_whole(m, &step, 1, whole, error));
    apply(m, false, whole, n, derivative);
    apply(m, true, m->work->u[0], n, derivative);
    apply(m, false, derivative, n, next);
    step_map_reduce(m, next, out, workspace);
    common_norm_transform(&norm, 0, 0, out, product, workspace);
    *bound = norm_of(size, product, work);
    memset(derivative, 0, cells * sizeof *derivative);
    apply(m, false, next, n, derivative);
    memset(A, 0, (size_t)(states * states) * sizeof *A);
    for (int s = 0; s < m->work->count; s++) {
        const network_subsystem *sub = &m->work->subs[s];
        for (int i = 0; i < sub->n; i++)
            memcpy(A + (sub->x + i) * states + sub->x, m->network->subsystems[s].A + i * sub->n,
                   (size_t)sub->n * sizeof *A);
    }
    loop_balance(states, A, scales);
    double rate = matrix_norm((size_t)(states * states), A);
    *bound +=
        radius * exp(radius * rate) * third_derivative_bound(m, derivative, scales, T, inverse, workspace);
    return COSTAB_OK;
}
