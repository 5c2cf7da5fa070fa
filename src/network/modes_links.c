/* How much a connection's gain g moves eigenvalues of a network's matrix M: |w* (g dM/dg) v| for vectors v,
 * w, by differences of M v.
 *
 * 1. Each gain is changed in turn, and macro steps of a period are taken of the vectors v.
 * 2. Where a gain's effect passes through no other gain before it leaves the macro step, M is of the first
 *    degree in it: one central difference is exact.
 * 3. Else Richardson's extrapolation of two central differences, whose error is of the fourth power of 2^-10.
 * 4. An iteration to convergence: its fixed point is kept while gains change. A sweep from there gives the
 *    changes d of the guesses and e of the state; w* M v changes by w* e + p d, (I - J)' p = S' w, S what a
 *    sweep makes of the guesses in the state.
 * 5. A sum that rounding alone may make is 0.
 *
 * Cost: 2 to 4 macro steps of the vectors for each gain. */
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

/* g f'(g) is the sum of weight f(g (1 + share)). */
typedef struct move {
    double share, weight;
} move;

enum { MOVES = 4 };

/* Step 2. */
static const move straight[MOVES] = {{1, 0.5}, {-1, -0.5}};

/* Step 3. */
#define SHARE 0x1p-10
static const move curved[MOVES] = {{SHARE / 2, 4 / (3 * SHARE)},
                                   {-SHARE / 2, -4 / (3 * SHARE)},
                                   {SHARE, -1 / (6 * SHARE)},
                                   {-SHARE, 1 / (6 * SHARE)}};

/* A sum that this times epsilon of its terms may make is 0. */
#define ROUNDING 16

typedef struct mover {
    modes_asked asked; /* of `network` */
    costab_network network;
    costab_connection *connections; /* of `network`: gains are moved */
    const modes_columns *columns;
    int *maker;             /* per row of the matrix: the subsystem whose step makes it */
    unsigned char *reached; /* per subsystem: can the gain at hand move its rows? */
    int rows;               /* of what gains move: those of the matrix, and guesses */
    int guesses;            /* of a converged iteration whose fixed point is kept while gains move; else 0 */
    double *fixed;          /* the fixed point of v, guesses x width */
    double *left;           /* w, and what a change of the guesses does to w* M v; rows x width */
    double *moved, *change; /* M v with a moved gain; g dM/dg v */
    double *size;           /* of what `change` is the sum of */
} mover;

bool modes_converges(const costab_coupling *coupling) {
    return coupling->scheme == COSTAB_ITERATED && coupling->iterations <= 0;
}

/* ---- Which rows a gain moves ---- */

/* Does a macro step carry what a gain does no further than to subsystems that see new values? */
static bool goes_forward(const mover *m) {
    const costab_network_work *work = m->asked.work;
    if (m->asked.of == COSTAB_MODES_CONTINUOUS) return !work->mono.feedthrough;
    return m->asked.of == COSTAB_MODES_MAP && !work->strided && work->period == 1 && !work->loop &&
           (work->coupling.scheme != COSTAB_ITERATED || m->guesses > 0);
}

/* Subsystems whose rows connection c moves. One that sees another's new value advances after it. */
static void find_reached(const mover *m, int c) {
    const costab_network_work *work = m->asked.work;
    bool forward = goes_forward(m);
    memset(m->reached, !forward, (size_t)work->count);
    m->reached[m->connections[c].to] = 1;
    if (!forward || m->asked.of != COSTAB_MODES_MAP || work->coupling.scheme != COSTAB_GAUSS_SEIDEL) return;
    for (int i = 0; i < work->count; i++) {
        int s = work->order[i];
        for (int k = work->first_to[s]; k >= 0 && !m->reached[s]; k = work->next_to[k])
            m->reached[s] = exchange_known(work, k, 0) && m->reached[m->connections[k].from];
    }
}

static void find_makers(const mover *m) {
    const costab_network_work *work = m->asked.work;
    if (m->asked.of == COSTAB_MODES_ITERATION) return; /* all rows move */
    int count = m->asked.of == COSTAB_MODES_CONTINUOUS ? work->states : work->size;
    for (int i = 0; i < count; i++) m->maker[i] = work->rows[i].subsystem;
    for (int s = 0; s < work->count && m->guesses > 0; s++)
        for (int first = work->subs[s].y; first < work->signals; first += work->outputs)
            for (int o = first; o < first + work->subs[s].q; o++)
                if (work->guess[o] >= 0) m->maker[m->columns->n + work->guess[o]] = s;
}

/* ---- M v ---- */

/* The macro steps of a period. */
static costab_status step_columns(const mover *m, costab_error *error) {
    costab_network_work *work = m->asked.work;
    const modes_columns *v = m->columns;
    double *moved = m->moved;
    memcpy(moved, v->right, cells(v->n, v->width) * sizeof *moved);
    for (int64_t k = 0; k < work->period; k++) {
        costab_status status = work_step(work, k, v->width, moved, work->next, error);
        if (status) return status;
        memcpy(moved, work->next, cells(v->n, v->width) * sizeof *moved);
    }
    return COSTAB_OK;
}

/* A sweep from the fixed point: what it makes of the state and, below it, of the guesses. */
static costab_status sweep_columns(const mover *m, costab_error *error) {
    costab_network_work *work = m->asked.work;
    const modes_columns *v = m->columns;
    double *guesses = m->moved + cells(v->n, v->width);
    memcpy(guesses, m->fixed, cells(m->guesses, v->width) * sizeof *guesses);
    costab_status status = work_sweep(work, v->width, v->right, guesses, work->next, error);
    memcpy(m->moved, work->next, cells(v->n, v->width) * sizeof *m->moved);
    return status;
}

static costab_status multiply(const mover *m, costab_error *error) {
    costab_network_work *work = m->asked.work;
    const modes_columns *v = m->columns;
    const double *matrix = work->mono.matrix;
    costab_status status = work_prepare(work, &m->network, m->asked.coupling, NULL, error);
    if (status) return status;
    if (m->guesses > 0) return sweep_columns(m, error);
    if (m->asked.of == COSTAB_MODES_MAP) return step_columns(m, error);
    if (m->asked.of == COSTAB_MODES_CONTINUOUS) {
        status = monolithic_make(work, error);
    } else {
        double *unit = work->map; /* one column of zeros: the iteration's matrix is made on the way */
        memset(unit, 0, cells(work->size, work->lanes) * sizeof *unit);
        status = work_step(work, 0, work->lanes, unit, work->next, error);
        matrix = work->iteration.matrix;
    }
    if (!status) matrix_multiply(v->n, v->n, v->width, matrix, v->right, m->moved);
    return status;
}

/* ---- w* dM v ---- */

/* g dM/dg v of connection c into m->change. */
static costab_status move_gain(const mover *m, int c, costab_error *error) {
    const double gain = m->connections[c].gain;
    const move *moves = goes_forward(m) ? straight : curved;
    size_t count = cells(m->rows, m->columns->width);
    costab_status status = COSTAB_OK;
    memset(m->change, 0, count * sizeof *m->change);
    memset(m->size, 0, count * sizeof *m->size);
    for (int k = 0; k < MOVES && moves[k].share != 0 && !status; k++) {
        m->connections[c].gain = gain * (1 + moves[k].share);
        status = multiply(m, error);
        for (size_t e = 0; e < count; e++) {
            m->change[e] += moves[k].weight * m->moved[e];
            m->size[e] += fabs(moves[k].weight * m->moved[e]);
        }
    }
    m->connections[c].gain = gain;
    return status;
}

/* |w* g dM/dg v| of eigenvalue i; 0 where that may be rounding alone. */
static double moved_by(const mover *m, int i) {
    const modes_columns *v = m->columns;
    double re = 0, im = 0, noise = 0;
    for (int r = 0; r < m->rows; r++) {
        size_t at = cells(r, v->width) + (size_t)v->first[i];
        double w = m->left[at], x = m->change[at], wi = 0, y = 0;
        if (!m->reached[m->maker[r]]) continue;
        if (v->pair[i]) {
            wi = m->left[at + 1];
            y = m->change[at + 1];
        }
        re += w * x;
        re -= wi * y;
        im += w * y + wi * x;
        noise += ROUNDING * DBL_EPSILON * (fabs(w) + fabs(wi)) * m->size[at];
        if (v->pair[i]) noise += ROUNDING * DBL_EPSILON * hypot(w, wi) * m->size[at + 1];
    }
    double size = hypot(re, im);
    return size <= noise ? 0 : size;
}

/* Each row over its sum. */
static void set_shares(const mover *m, double *links) {
    int count = m->network.connection_count;
    for (int i = 0; i < m->columns->count; i++) {
        double sum = 0, *row = links + cells(i, count);
        for (int c = 0; c < count; c++) sum += row[c];
        for (int c = 0; c < count; c++) row[c] = sum > 0 ? row[c] / sum : 0;
    }
}

static costab_status make_room(mover *m, costab_error *error) {
    const modes_columns *v = m->columns;
    double **const blocks[] = {&m->left, &m->moved, &m->change, &m->size};
    m->connections = memory_alloc((size_t)m->network.connection_count, sizeof *m->connections);
    m->maker = memory_alloc((size_t)m->rows, sizeof *m->maker);
    m->reached = memory_alloc((size_t)m->network.subsystem_count, 1);
    m->fixed = memory_alloc(cells(m->guesses, v->width), sizeof *m->fixed);
    bool all = m->connections && m->maker && m->reached && m->fixed;
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
        *blocks[k] = memory_alloc(cells(m->rows, v->width), sizeof(double));
        all = all && *blocks[k] != NULL;
    }
    return all ? COSTAB_OK : error_memory(error);
}

/* ---- Converged iterations ----
 *
 * With the state v the guesses have the fixed point q = J q + b, and M v is what one more sweep makes of
 * both. A gain changes what a sweep makes of q and v: the guesses by d, the state by e. So M v changes by e +
 * S (I - J)^-1 d, S what a sweep makes of the guesses in the state, and w* M v by w* e + p d with (I - J)' p
 * = S' w. In one sweep from kept guesses a gain moves its target alone. */

/* The guesses of a map that is made by sweeps alone. */
static int guesses_of(const modes_asked *asked) {
    const costab_network_work *work = asked->work;
    bool sweeps = asked->of == COSTAB_MODES_MAP && modes_converges(asked->coupling) && work->period == 1 &&
                  !work->strided && !work->loop;
    return sweeps ? work->guesses : 0;
}

/* Room for the weights of g guesses: factors of I - J, which are not those of the work's own macro step. */
typedef struct guess_room {
    loop_factors factors;
    double *zero, *weights;
} guess_room;

/* J and S from unit guesses in the state 0; p behind w. False in *regular where I - J is singular. */
static costab_status find_weights(const mover *m, const guess_room *room, bool *regular,
                                  costab_error *error) {
    costab_network_work *work = m->asked.work;
    const modes_columns *v = m->columns;
    int g = m->guesses;
    double *made = room->factors.matrix, *weights = room->weights;
    for (int i = 0; i < g; i++) made[cells(i, g) + (size_t)i] = 1;
    costab_status status = work_sweep(work, g, room->zero, made, work->next, error);
    if (status) return status;
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

/* Keeps the fixed point of v, found by a macro step; without guesses where it has none. */
static costab_status keep_guesses(mover *m, costab_error *error) {
    const modes_columns *v = m->columns;
    size_t g = (size_t)m->guesses;
    bool regular = true;
    memcpy(m->left, v->left, cells(v->n, v->width) * sizeof *m->left);
    if (g == 0) return COSTAB_OK;
    guess_room room = {.factors = {.matrix = memory_alloc(g * g, sizeof(double)),
                                   .scale = memory_alloc(g, sizeof(double)),
                                   .pivots = memory_alloc(g, sizeof(int))},
                       .zero = memory_alloc(cells(v->n, m->guesses), sizeof(double)),
                       .weights = memory_alloc(g * (size_t)v->width, sizeof(double))};
    bool fits = room.factors.matrix && room.factors.scale && room.factors.pivots && room.zero && room.weights;
    costab_status status = fits ? step_columns(m, error) : error_memory(error);
    if (!status)
        memcpy(m->fixed, m->asked.work->iteration.rows, cells(m->guesses, v->width) * sizeof *m->fixed);
    if (!status) status = find_weights(m, &room, &regular, error);
    memory_free_all(room.factors.matrix, room.factors.scale, room.zero, room.weights);
    memory_free(room.factors.pivots);
    if (!regular) {
        m->guesses = 0;
        m->rows = v->n;
    }
    return status;
}

costab_status modes_links(const modes_asked *asked, const modes_columns *columns, double *links,
                          costab_error *error) {
    mover m = {.asked = *asked, .network = *asked->network, .columns = columns, .guesses = guesses_of(asked)};
    m.rows = columns->n + m.guesses;
    costab_status status = make_room(&m, error);
    if (!status && m.network.connection_count > 0) {
        memcpy(m.connections, asked->network->connections,
               (size_t)m.network.connection_count * sizeof *m.connections);
        m.network.connections = m.connections;
    }
    if (!status) status = work_prepare(asked->work, &m.network, asked->coupling, NULL, error);
    if (!status) status = keep_guesses(&m, error);
    if (!status) find_makers(&m);
    for (int c = 0; c < m.network.connection_count && !status; c++) {
        find_reached(&m, c);
        status = move_gain(&m, c, error);
        for (int i = 0; i < columns->count && !status; i++)
            links[cells(i, m.network.connection_count) + (size_t)c] = moved_by(&m, i);
    }
    if (!status) status = work_prepare(asked->work, asked->network, asked->coupling, NULL, error);
    if (!status) set_shares(&m, links);
    memory_free_all(m.connections, m.maker, m.reached, m.fixed, m.left, m.moved, m.change, m.size);
    return status;
}
