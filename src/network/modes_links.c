/* Shares of connections in modes: w* (g dM/dg) v, by differences.
 *
 * 1. Which subsystems' rows does a gain move in one macro step? Gains that do not meet are moved together.
 * 2. Where gains meet nothing on their way M is of the first degree in them: one central difference is
 *    exact.
 * 3. Else Richardson's extrapolation of two central differences, off by the fourth power of 2^-10.
 * 4. A converged iteration: its fixed point is kept while gains move, its change enters by (I - J)' p = S'
 *    w.
 * 5. What rounding alone may make is 0.
 *
 * Cost: 2 to 4 macro steps of the vectors for each group of gains. */
#include "network/modes_links.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/lapack.h"
#include "network/rows.h"
#include "network/spectrum.h"
#include "network/step.h"

/* g f'(g) is the sum of weight f(g (1 + share)). */
typedef struct move {
    double share, weight;
} move;

enum { MOVES = 4 };

/* Where a gain meets nothing on its way, M is of the first degree in it. */
static const move straight[MOVES] = {{1, 0.5}, {-1, -0.5}};

/* Otherwise it is rational: Richardson's extrapolation of central differences, which is off by the fourth
 * power of the share. */
#define SHARE 0x1p-10
static const move curved[MOVES] = {{SHARE / 2, 4 / (3 * SHARE)},
                                   {-SHARE / 2, -4 / (3 * SHARE)},
                                   {SHARE, -1 / (6 * SHARE)},
                                   {-SHARE, 1 / (6 * SHARE)}};

/* A sum that this times epsilon of its terms may make is 0. */
#define ROUNDING 16

/* Groups that a connection is tried in before it begins one of its own. */
enum { OPEN_GROUPS = 512 };

typedef struct mover {
    modes_asked asked; /* of `network` */
    costab_network network;
    costab_connection *connections; /* of `network`: gains are moved */
    const modes_columns *columns;
    int *maker; /* per row of the matrix: the subsystem whose step makes it */
    int *group; /* per connection */
    unsigned char
        *touched; /* open groups x subsystems: does a gain of the group move the subsystem's rows? */
    unsigned char *reached; /* per subsystem, of the connection at hand */
    int *cause;             /* per subsystem: the connection of the group at hand that moves it; -1: none */
    int rows;               /* of what gains move: those of the matrix, and guesses */
    int guesses;            /* of a converged iteration whose fixed point is kept while gains move; else 0 */
    double *fixed;          /* the fixed point of v, guesses x width */
    double *left;           /* w, and what a change of the guesses does to w* M v; rows x width */
    double *moved, *change; /* M v with moved gains; g dM/dg v */
    double *size;           /* of what `change` is the sum of */
    double *re, *im;        /* count x connections: w* dM v */
    double *noise;          /* likewise: how large it may be by rounding alone */
    int groups;
} mover;

bool modes_converges(const costab_coupling *coupling) {
    return coupling->scheme == COSTAB_ITERATED && coupling->iterations <= 0;
}

/* ---- Which gains meet ---- */

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
            m->reached[s] = work->known[k] && m->reached[m->connections[k].from];
    }
}

static unsigned char *touched_by(const mover *m, int group) {
    return m->touched + cells(group % OPEN_GROUPS, m->asked.work->count);
}

static bool meets(const mover *m, int group) {
    const unsigned char *touched = touched_by(m, group);
    for (int s = 0; s < m->asked.work->count; s++)
        if (touched[s] && m->reached[s]) return true;
    return false;
}

static void form_groups(mover *m) {
    size_t count = (size_t)m->asked.work->count;
    for (int c = 0; c < m->network.connection_count; c++) {
        int g = m->groups > OPEN_GROUPS ? m->groups - OPEN_GROUPS : 0;
        find_reached(m, c);
        while (g < m->groups && meets(m, g)) g++;
        if (g == m->groups) memset(touched_by(m, m->groups++), 0, count);
        m->group[c] = g;
        for (size_t s = 0; s < count; s++) touched_by(m, g)[s] |= m->reached[s];
    }
}

/* ---- Whose step makes which row ---- */

static void find_makers(const mover *m) {
    const costab_network_work *work = m->asked.work;
    if (m->asked.of == COSTAB_MODES_ITERATION) return; /* one connection at a time moves all rows */
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

static void move_gains(const mover *m, const costab_network *network, int group, double factor) {
    for (int c = 0; c < m->network.connection_count; c++)
        if (m->group[c] == group) m->connections[c].gain = network->connections[c].gain * factor;
}

/* Connections of the group by the subsystems that they move. */
static void find_causes(const mover *m, int group) {
    int count = m->asked.work->count;
    for (int s = 0; s < count; s++) m->cause[s] = -1;
    for (int c = 0; c < m->network.connection_count; c++) {
        if (m->group[c] != group) continue;
        find_reached(m, c);
        for (int s = 0; s < count; s++)
            if (m->reached[s]) m->cause[s] = c;
    }
}

static void add_changes(const mover *m, int i) {
    const modes_columns *v = m->columns;
    const double *left = m->left;
    size_t row = cells(i, m->network.connection_count);
    double *re = m->re + row, *im = m->im + row, *noise = m->noise + row;
    for (int r = 0; r < m->rows; r++) {
        int c = m->cause[m->maker[r]];
        size_t at = cells(r, v->width) + (size_t)v->first[i];
        if (c < 0) continue;
        double w = left[at], x = m->change[at];
        re[c] += w * x;
        noise[c] += ROUNDING * DBL_EPSILON * fabs(w) * m->size[at];
        if (!v->pair[i]) continue;
        double wi = left[at + 1], y = m->change[at + 1];
        re[c] -= wi * y;
        im[c] += w * y + wi * x;
        noise[c] += ROUNDING * DBL_EPSILON * (fabs(wi) * m->size[at] + hypot(w, wi) * m->size[at + 1]);
    }
}

static costab_status move_group(const mover *m, int group, costab_error *error) {
    const costab_network *network = m->asked.network;
    const move *moves = goes_forward(m) ? straight : curved;
    size_t count = cells(m->rows, m->columns->width);
    costab_status status = COSTAB_OK;
    memset(m->change, 0, count * sizeof *m->change);
    memset(m->size, 0, count * sizeof *m->size);
    for (int k = 0; k < MOVES && moves[k].share != 0 && !status; k++) {
        move_gains(m, network, group, 1 + moves[k].share);
        status = multiply(m, error);
        for (size_t e = 0; e < count; e++) {
            m->change[e] += moves[k].weight * m->moved[e];
            m->size[e] += fabs(moves[k].weight * m->moved[e]);
        }
    }
    move_gains(m, network, group, 1);
    find_causes(m, group);
    for (int i = 0; i < m->columns->count && !status; i++) add_changes(m, i);
    return status;
}

static void set_shares(const mover *m, double *links) {
    int count = m->network.connection_count;
    for (int i = 0; i < m->columns->count; i++) {
        double sum = 0, *row = links + cells(i, count);
        for (int c = 0; c < count; c++) {
            size_t at = cells(i, count) + (size_t)c;
            row[c] = hypot(m->re[at], m->im[at]);
            if (row[c] <= m->noise[at]) row[c] = 0;
            sum += row[c];
        }
        for (int c = 0; c < count; c++) row[c] = sum > 0 ? row[c] / sum : 0;
    }
}

static costab_status make_room(mover *m, costab_error *error) {
    const modes_columns *v = m->columns;
    size_t connections = (size_t)m->network.connection_count, subsystems = (size_t)m->network.subsystem_count,
           sums = (size_t)v->count * connections;
    double **const blocks[] = {&m->moved, &m->change, &m->size}, **const rows[] = {&m->re, &m->im, &m->noise};
    m->connections = memory_alloc(connections, sizeof *m->connections);
    m->maker = memory_alloc((size_t)m->rows, sizeof *m->maker);
    m->group = memory_alloc(connections, sizeof *m->group);
    m->touched = memory_alloc(OPEN_GROUPS * subsystems, 1);
    m->reached = memory_alloc(subsystems, 1);
    m->cause = memory_alloc(subsystems, sizeof *m->cause);
    m->fixed = memory_alloc(cells(m->guesses, v->width), sizeof *m->fixed);
    m->left = memory_alloc(cells(m->rows, v->width), sizeof *m->left);
    bool all =
        m->connections && m->maker && m->group && m->touched && m->reached && m->cause && m->fixed && m->left;
    for (int k = 0; k < 3; k++) {
        *blocks[k] = memory_alloc(cells(m->rows, v->width), sizeof(double));
        *rows[k] = memory_alloc(sums, sizeof(double));
        all = all && *blocks[k] != NULL && *rows[k] != NULL;
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
    if (!status) form_groups(&m);
    for (int g = 0; g < m.groups && !status; g++) status = move_group(&m, g, error);
    if (!status) status = work_prepare(asked->work, asked->network, asked->coupling, NULL, error);
    if (!status) set_shares(&m, links);
    memory_free_all(m.connections, m.maker, m.group, m.touched, m.reached, m.cause, m.fixed, m.left, m.moved,
                    m.change, m.size, m.re, m.im, m.noise);
    return status;
}
