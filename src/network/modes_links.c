/* How much a connection's gain g terms an eigenvalue l of a network's matrix M: |w* (g dM/dg) v| for its
 * right and left vectors v and w, by differences of M v.
 *
 * 1. Each gain is changed in turn, and macro steps of a period are taken of the vectors v: this gives M v for
 *    the changed gain.
 * 2. Where a gain's effect passes through no other gain before it leaves the macro step, M is of the first
 *    degree in it: one central difference is exact.
 * 3. Else Richardson's extrapolation of two central differences, whose error is of the fourth power of 2^-10.
 * 4. Of an iteration to convergence not M is differentiated but one sweep, from the fixed point q = J q + b
 *    of the guesses, which is kept while gains change. A gain changes what a sweep makes of q and v: the
 *    guesses by d, the state by e. So M v changes by e + S (I - J)^-1 d, S what a sweep makes of the
 *    guesses in the state, and w* M v by w* e + p d with (I - J)' p = S' w.
 * 5. A sum that rounding alone may make is 0. In the end each eigenvalue's numbers are divided by their sum.
 *
 * Cost: 2 to 4 macro steps of the vectors for each gain. Not guaranteed: derivatives of step 3 are good to
 * some ten digits. */
#include "network/modes_links.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/lapack.h"
#include "network/exchange.h"
#include "network/rows.h"
#include "network/spectrum.h"
#include "network/step.h"

/* A term of a difference: g f'(g) is the sum of weight f(g (1 + share)). */
typedef struct difference_term {
    double share, weight;
} difference_term;

enum { TERMS_MOST = 4 };

/* Step 2. */
static const difference_term central[TERMS_MOST] = {{1, 0.5}, {-1, -0.5}};

/* Step 3. */
#define SHARE 0x1p-10
static const difference_term richardson[TERMS_MOST] = {{SHARE / 2, 4 / (3 * SHARE)},
                                                       {-SHARE / 2, -4 / (3 * SHARE)},
                                                       {SHARE, -1 / (6 * SHARE)},
                                                       {-SHARE, 1 / (6 * SHARE)}};

/* A sum that this times epsilon of its terms may make is 0. */
#define ROUNDING 16

/* The matrix asked for, and how the gain at hand changes it. Rows are the matrix' n, and below them guesses.
 */
typedef struct gain_change {
    modes_matrix of;                /* of `network` */
    costab_network network;         /* the network with gains of its own: */
    costab_connection *connections; /* of `network`; one gain at a time is changed */
    const modes_columns *columns;   /* v and conj(w) */
    int rows, guesses;              /* guesses: of a fixed point that is kept (step 4); else 0 */
    int *row_subsystem;             /* per row: the subsystem whose step makes it */
    bool *affected;                 /* per subsystem: can the gain at hand change its rows? */
    double *fixed_point;            /* guesses x width: q of v */
    double *left;                   /* rows x width: conj(w), and below it p */
    double *product;    /* rows x width: M v, or a sweep's state and guesses, with a changed gain */
    double *derivative; /* rows x width: g times its derivative by g */
    double *magnitude;  /* rows x width: the sum of the moduli of which `derivative` is the sum */
} gain_change;

bool modes_converges(const costab_coupling *coupling) {
    return coupling->scheme == COSTAB_ITERATED && coupling->iterations <= 0;
}

/* ---- Which rows a gain terms ---- */

/* Does a macro step carry what a gain does no further than to subsystems that see new values? */
static bool is_affine(const gain_change *m) {
    const costab_network_work *work = m->of.work;
    if (m->of.kind == COSTAB_MODES_CONTINUOUS) return !work->mono.feedthrough;
    return m->of.kind == COSTAB_MODES_MAP && !work->strided && work->period == 1 && !work->has_loop &&
           (work->coupling.scheme != COSTAB_ITERATED || m->guesses > 0);
}

/* Subsystems whose rows connection c terms. One that sees another's new value advances after it. */
static void find_affected(const gain_change *m, int c) {
    const costab_network_work *work = m->of.work;
    bool affine = is_affine(m);
    for (int s = 0; s < work->count; s++) m->affected[s] = !affine;
    m->affected[m->connections[c].to] = true;
    if (!affine || m->of.kind != COSTAB_MODES_MAP || work->coupling.scheme != COSTAB_GAUSS_SEIDEL) return;
    for (int i = 0; i < work->count; i++) {
        int s = work->order[i];
        for (int k = work->first_to[s]; k >= 0 && !m->affected[s]; k = work->next_to[k])
            m->affected[s] = exchange_known(work, k, 0) && m->affected[m->connections[k].from];
    }
}

static void find_row_subsystems(const gain_change *m) {
    const costab_network_work *work = m->of.work;
    if (m->of.kind == COSTAB_MODES_ITERATION) return; /* all rows may change */
    int count = m->of.kind == COSTAB_MODES_CONTINUOUS ? work->states : work->size;
    for (int i = 0; i < count; i++) m->row_subsystem[i] = work->rows[i].subsystem;
    for (int s = 0; s < work->count && m->guesses > 0; s++)
        for (int first = work->subs[s].y; first < work->signals; first += work->outputs)
            for (int o = first; o < first + work->subs[s].q; o++)
                if (work->guess_number[o] >= 0) m->row_subsystem[m->columns->n + work->guess_number[o]] = s;
}

/* ---- M v ---- */

/* M v by the macro steps of a period, into m->product. */
static costab_status step_columns(const gain_change *m, costab_error *error) {
    costab_network_work *work = m->of.work;
    const modes_columns *v = m->columns;
    double *columns = m->product;
    memcpy(columns, v->right, cells(v->n, v->width) * sizeof *columns);
    for (int64_t k = 0; k < work->period; k++) {
        TRY(work_step(work, k, v->width, columns, work->next, error));
        memcpy(columns, work->next, cells(v->n, v->width) * sizeof *columns);
    }
    return COSTAB_OK;
}

/* One sweep of v from the fixed point: the state, and below it the guesses, into m->product. */
static costab_status sweep_columns(const gain_change *m, costab_error *error) {
    costab_network_work *work = m->of.work;
    const modes_columns *v = m->columns;
    double *guesses = m->product + cells(v->n, v->width);
    memcpy(guesses, m->fixed_point, cells(m->guesses, v->width) * sizeof *guesses);
    TRY(work_sweep(work, v->width, v->right, guesses, work->next, error));
    memcpy(m->product, work->next, cells(v->n, v->width) * sizeof *m->product);
    return COSTAB_OK;
}

static costab_status multiply_vectors(const gain_change *m, costab_error *error) {
    costab_network_work *work = m->of.work;
    const modes_columns *v = m->columns;
    const double *matrix = work->mono.matrix;
    TRY(work_prepare(work, &m->network, m->of.coupling, NULL, error));
    if (m->guesses > 0) return sweep_columns(m, error);
    if (m->of.kind == COSTAB_MODES_MAP) return step_columns(m, error);
    if (m->of.kind == COSTAB_MODES_CONTINUOUS) {
        TRY(monolithic_make(work, error));
    } else {
        double *unit = work->map; /* one column of zeros: the iteration's matrix is made on the way */
        memset(unit, 0, cells(work->size, work->halves) * sizeof *unit);
        TRY(work_step(work, 0, work->halves, unit, work->next, error));
        matrix = work->iteration.matrix;
    }
    matrix_multiply(v->n, v->n, v->width, matrix, v->right, m->product);
    return COSTAB_OK;
}

/* ---- w* dM v ---- */

/* Steps 1 to 3 of connection c: fills m->derivative and m->magnitude. */
static costab_status differentiate(const gain_change *m, int c, costab_error *error) {
    const double gain = m->connections[c].gain;
    const difference_term *terms = is_affine(m) ? central : richardson;
    size_t count = cells(m->rows, m->columns->width);
    costab_status status = COSTAB_OK;
    memset(m->derivative, 0, count * sizeof *m->derivative);
    memset(m->magnitude, 0, count * sizeof *m->magnitude);
    for (int k = 0; k < TERMS_MOST && terms[k].share != 0 && !status; k++) {
        m->connections[c].gain = gain * (1 + terms[k].share);
        status = multiply_vectors(m, error);
        for (size_t e = 0; e < count; e++) {
            m->derivative[e] += terms[k].weight * m->product[e];
            m->magnitude[e] += fabs(terms[k].weight * m->product[e]);
        }
    }
    m->connections[c].gain = gain;
    return status;
}

/* |w* g dM/dg v| of eigenvalue i, by the affected rows; 0 where that may be rounding alone (step 5). */
static double eigenvalue_derivative(const gain_change *m, int i) {
    const modes_columns *v = m->columns;
    double re = 0, im = 0, noise = 0;
    for (int r = 0; r < m->rows; r++) {
        size_t at = cells(r, v->width) + (size_t)v->first[i];
        double w = m->left[at], x = m->derivative[at], wi = 0, y = 0;
        if (!m->affected[m->row_subsystem[r]]) continue;
        if (v->pair[i]) {
            wi = m->left[at + 1];
            y = m->derivative[at + 1];
        }
        re += w * x;
        re -= wi * y;
        im += w * y + wi * x;
        noise += ROUNDING * DBL_EPSILON * (fabs(w) + fabs(wi)) * m->magnitude[at];
        if (v->pair[i]) noise += ROUNDING * DBL_EPSILON * hypot(w, wi) * m->magnitude[at + 1];
    }
    double size = hypot(re, im);
    return size <= noise ? 0 : size;
}

/* Divides the numbers of each eigenvalue by their sum. */
static void divide_by_sums(const gain_change *m, double *links) {
    int count = m->network.connection_count;
    for (int i = 0; i < m->columns->count; i++) {
        double sum = 0, *row = links + cells(i, count);
        for (int c = 0; c < count; c++) sum += row[c];
        for (int c = 0; c < count; c++) row[c] = sum > 0 ? row[c] / sum : 0;
    }
}

static costab_status make_room(gain_change *m, costab_error *error) {
    const modes_columns *v = m->columns;
    double **const blocks[] = {&m->left, &m->product, &m->derivative, &m->magnitude};
    TRY(memory_make(&m->connections, (size_t)m->network.connection_count, error));
    TRY(memory_make(&m->row_subsystem, (size_t)m->rows, error));
    TRY(memory_make(&m->affected, (size_t)m->network.subsystem_count, error));
    TRY(memory_make(&m->fixed_point, cells(m->guesses, v->width), error));
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        TRY(memory_make(blocks[k], cells(m->rows, v->width), error));
    return COSTAB_OK;
}

/* ---- Step 4 ---- */

/* How many guesses are kept: 0 where the map is not made by sweeps alone. */
static int kept_guesses(const modes_matrix *of) {
    const costab_network_work *work = of->work;
    bool sweeps = of->kind == COSTAB_MODES_MAP && modes_converges(of->coupling) && work->period == 1 &&
                  !work->strided && !work->has_loop;
    return sweeps ? work->guesses : 0;
}

/* For g guesses: factors of I - J (those in the workspace are of its own macro step), zeros in place of a
 * state, and p, a row for each column of w. */
typedef struct guess_room {
    loop_factors factors;
    double *zero, *weights;
} guess_room;

static void free_guess_room(const guess_room *room) {
    memory_free_all(room->factors.matrix, room->factors.scale, room->factors.pivots, room->zero,
                    room->weights);
}

/* p, below w in m->left: J and S come from a sweep of unit guesses in the state 0. False in *regular where
 * I - J is singular. */
static costab_status find_guess_weights(const gain_change *m, const guess_room *room, bool *regular,
                                        costab_error *error) {
    costab_network_work *work = m->of.work;
    const modes_columns *v = m->columns;
    int g = m->guesses;
    double *made = room->factors.matrix, *weights = room->weights;
    for (int i = 0; i < g; i++) made[cells(i, g) + (size_t)i] = 1;
    TRY(work_sweep(work, g, room->zero, made, work->next, error));
    for (int e = 0; e < g * g; e++) made[e] = (e % (g + 1) == 0) - made[e];
    /* LAPACK sees both by columns: the transpose of I - J, and a row of weights per column of w. */
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, v->width, g, v->n, 1, v->left, v->width, work->next,
                g, 0, weights, g);
    *regular = loop_factor_any(g, &room->factors);
    if (!*regular) return COSTAB_OK;
    for (int j = 0; j < v->width; j++)
        for (int i = 0; i < g; i++) weights[cells(j, g) + (size_t)i] /= room->factors.scale[i];
    *regular = LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', g, v->width, made, g, room->factors.pivots, weights,
                                   g) == 0;
    for (int i = 0; i < g; i++)
        for (int j = 0; j < v->width; j++)
            m->left[cells(v->n + i, v->width) + (size_t)j] =
                weights[cells(j, g) + (size_t)i] * room->factors.scale[i];
    return COSTAB_OK;
}

/* w into m->left; the fixed point of v, found by a macro step, and p. Where I - J is singular there is none:
 * m->guesses becomes 0, and M itself is differentiated. */
static costab_status keep_fixed_point(gain_change *m, costab_error *error) {
    const modes_columns *v = m->columns;
    size_t g = (size_t)m->guesses;
    bool regular = true;
    memcpy(m->left, v->left, cells(v->n, v->width) * sizeof *m->left);
    if (g == 0) return COSTAB_OK;
    ends_by(free_guess_room)
        guess_room room = {.factors = {.matrix = memory_alloc(g * g, sizeof(double)),
                                       .scale = memory_alloc(g, sizeof(double)),
                                       .pivots = memory_alloc(g, sizeof(int))},
                           .zero = memory_alloc(cells(v->n, m->guesses), sizeof(double)),
                           .weights = memory_alloc(g * (size_t)v->width, sizeof(double))};
    bool fits = room.factors.matrix && room.factors.scale && room.factors.pivots && room.zero && room.weights;
    if (!fits) return error_memory(error);
    TRY(step_columns(m, error));
    memcpy(m->fixed_point, m->of.work->iteration.rows, cells(m->guesses, v->width) * sizeof *m->fixed_point);
    TRY(find_guess_weights(m, &room, &regular, error));
    if (!regular) {
        m->guesses = 0;
        m->rows = v->n;
    }
    return COSTAB_OK;
}

static void free_room(const gain_change *m) {
    memory_free_all(m->connections, m->row_subsystem, m->affected, m->fixed_point, m->left, m->product,
                    m->derivative, m->magnitude);
}

costab_status modes_links(const modes_matrix *of, const modes_columns *columns, double *links,
                          costab_error *error) {
    const int count = of->network->connection_count;
    ends_by(free_room)
        gain_change m = {.of = *of, .network = *of->network, .columns = columns, .guesses = kept_guesses(of)};
    m.rows = columns->n + m.guesses;
    TRY(make_room(&m, error));
    memcpy(m.connections, of->network->connections, (size_t)count * sizeof *m.connections);
    m.network.connections = m.connections;
    TRY(work_prepare(of->work, &m.network, of->coupling, NULL, error));
    TRY(keep_fixed_point(&m, error));
    find_row_subsystems(&m);
    for (int c = 0; c < count; c++) {
        find_affected(&m, c);
        TRY(differentiate(&m, c, error));
        for (int i = 0; i < columns->count; i++)
            links[cells(i, count) + (size_t)c] = eigenvalue_derivative(&m, i);
    }
    TRY(work_prepare(of->work, of->network, of->coupling, NULL, error));
    divide_by_sums(&m, links);
    return COSTAB_OK;
}
