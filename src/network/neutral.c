/* Equilibria and rigid motions are set aside: map and A_mono on the complement of their vectors
 * (docs/algorithms.md, Maps; neutral.h).
 *
 * 1. The null space of A_mono and its rigid motions (null_space.h), once for a model.
 * 2. Their images z in the map's state, by what each row remembers of signals that are constant, or straight
 *    lines (rows.h).
 * 3. The image of each equilibrium must be a fixed point of the map within rounding. Entries of its vector
 *    that may be rounding of 0 are set to 0 where that is the better one. An iteration whose linear system is
 *    solved has all of them as fixed points; what solving loses counts as noise.
 * 4. A rigid motion is kept where the map moves its image by a step along its equilibrium alone, within
 *    rounding.
 * 5. Householder's reflections of these vectors give map and A_mono on the orthogonal complement, and the
 *    noise of both: what rounding makes of the vectors' residuals.
 *
 * Cost: n^2 for each vector. Not guaranteed: noise is of first order. */
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/eigen.h"
#include "network/neutral.h"
#include "network/null_space.h"
#include "network/rows.h"
#include "network/spectrum.h"
#include "network/units.h"
#include "network/words.h"

/* ZERO_ROUNDINGS: rounding of a whole matrix of n rows, in n epsilon of its norm. RESIDUAL_ROUNDINGS: what a
 * fixed point may be moved, in roundings of the map (rounding_of). */
#define ZERO_ROUNDINGS     8
#define RESIDUAL_ROUNDINGS 4
/* What an equilibrium may be moved and still be set aside: solvers' rounding may be larger where units differ
 * much. It counts as noise. */
#define STILL_RESIDUAL 1e4
/* What is so many times as large as rounding is not hidden by it. */
#define CLEARLY 100
/* Entries of a null vector up to this times n epsilon, beside its largest, are 0. */
#define ZERO_ENTRY 8

/* LAPACK's matrices are by columns: where a row-major matrix is handed over, it sees the transpose.
 *
 * Vectors lie one behind the other: those of the null space (equilibria), the last `motions` of which are the
 * directions of rigid motions, then what rigid motions begin at. */
struct neutral_room {
    const costab_network_work *of;
    int size, states, signals; /* rows of the map; signals: states, inputs and outputs */

    /* What is known of a model, whatever its couplings and steps: */
    network_arena model_memory;
    double *units; /* signals: of units.h */
    bool null_space_known;
    int nullity;        /* dimension of A_mono's null space */
    int motions;        /* rigid motions */
    double *null_space; /* states^2: the vectors */
    double *sparse;     /* states^2: those of the null space, without what rounding left of 0 */
    double *units_room; /* of units_find */
    int *units_iroom;
    size_t units_work, units_iwork;

    /* Of the point at hand: */
    network_arena memory;
    null_space_room search;
    double *map_units;      /* size */
    double *matrix, *scale; /* size^2, size: the matrix at hand D M D^-1, and D */
    double *x, *z;          /* states^2, states x size: the vectors, and their images in the map's state */
    double *image;          /* size: a residual */
    double *factors, *tau; /* size x states, states: the vectors to be reflected, then LAPACK's reflections */
    double *work;          /* of LAPACK */
    int work_size;
    double *map, *mono; /* what is left of both */
};

static void lay_point(void *owner, network_arena *arena) {
    neutral_room *room = owner;
    size_t n = (size_t)room->states, size = (size_t)room->size, most = size > n ? size : n;
    null_space_lay(&room->search, room->of, arena);
    room->x = arena_take(arena, n * n, sizeof(double));
    room->mono = arena_take(arena, n * n, sizeof(double));
    room->tau = arena_take(arena, n, sizeof(double));
    room->matrix = arena_take(arena, most * most, sizeof(double));
    room->map = arena_take(arena, size * size, sizeof(double));
    room->scale = arena_take(arena, most, sizeof(double));
    room->map_units = arena_take(arena, size, sizeof(double));
    room->image = arena_take(arena, most, sizeof(double));
    room->z = arena_take(arena, most * n, sizeof(double));
    room->factors = arena_take(arena, most * n, sizeof(double));
    room->work_size = (int)(64 * most + 8 * n);
    room->work = arena_take(arena, (size_t)room->work_size, sizeof(double));
}

static void lay_model(void *owner, network_arena *arena) {
    neutral_room *room = owner;
    size_t square = (size_t)room->states * (size_t)room->states;
    room->units = arena_take(arena, (size_t)room->signals, sizeof(double));
    room->null_space = arena_take(arena, square, sizeof(double));
    room->sparse = arena_take(arena, square, sizeof(double));
    room->units_room = arena_take(arena, room->units_work, sizeof(double));
    room->units_iroom = arena_take(arena, room->units_iwork, sizeof(int));
}

/* room->matrix = D M D^-1, row-major, in those units; D in room->scale. (Balance of this matrix alone would
 * follow what rounding left of zeros.) */
static void scale_matrix(neutral_room *room, int n, const double *units, const double *matrix) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            room->matrix[i * n + j] = matrix_scaled(matrix[i * n + j], units[j], units[i]);
    for (int i = 0; i < n; i++) room->scale[i] = 1 / units[i];
}

/* ---- The null space ---- */

/* What rounding left of zeros becomes 0: in other units, those of the map, it could be large. So could what
 * is meant to be small: both vectors are kept, until the map tells which is a fixed point. */
static void drop_roundings(int n, double *x) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    for (int i = 0; i < n; i++)
        if (fabs(x[i]) <= ZERO_ENTRY * n * DBL_EPSILON * most) x[i] = 0;
}

/* Step 1: room->nullity, motions, null_space and sparse. */
static void find_null_space(neutral_room *room, const costab_network_work *work) {
    int n = work->states;
    room->nullity = null_space_find(work, room->units, &room->search, room->x, &room->motions);
    memcpy(room->sparse, room->x, (size_t)room->nullity * (size_t)n * sizeof *room->x);
    for (int c = 0; c < room->nullity; c++) drop_roundings(n, room->sparse + c * n);
    for (int c = 0; c < room->nullity + room->motions; c++)
        for (int i = 0; i < n; i++) {
            room->null_space[c * n + i] = room->x[c * n + i] * room->units[i];
            if (c < room->nullity) room->sparse[c * n + i] *= room->units[i];
        }
    room->null_space_known = true;
}

/* ---- What the map's state is there ---- */

/* u = K x, K the rows in work->mono.rows; y = C x + D u. */
static void find_signals(const costab_network_work *work, const double *x, double *u, double *y) {
    matrix_multiply(work->inputs, work->states, 1, work->mono.rows, x, u);
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        const costab_subsystem *subsystem = &work->network->subsystems[s];
        matrix_multiply(sub->q, sub->n, 1, subsystem->C, x + sub->x, y + sub->y);
        if (subsystem->D != NULL)
            matrix_multiply_add(sub->q, sub->m, 1, subsystem->D, u + sub->u, y + sub->y);
    }
}

/* The map's state of the motion x + t v (v = NULL: an equilibrium): signals go straight. */
static void fill_state(costab_network_work *work, const double *x, const double *v, double *z) {
    double *u = work->u[0], *u_slope = work->end, *y = work->y0, *y_slope = work->y1;
    double *still = work->scratch; /* of at least 2 states */
    if (v == NULL) {
        memset(still, 0, (size_t)work->states * sizeof *still);
        v = still;
    }
    find_signals(work, x, u, y);
    find_signals(work, v, u_slope, y_slope);
    const row_values values = {x, u, y}, slopes = {v, u_slope, y_slope};
    for (int i = 0; i < work->size; i++) z[i] = row_at(work, i, &values, &slopes);
}

/* ---- What is left ---- */

static double norm_of(int n, const double *x) {
    return matrix_norm((size_t)n, x);
}

/* How far (M - factor) z is from step z_before, beside z; all in the coordinates of room->matrix, n x n. */
static double residual_of(const neutral_room *room, int n, const double *z, double factor, double step,
                          const double *before) {
    matrix_multiply(n, n, 1, room->matrix, z, room->image);
    for (int i = 0; i < n; i++) room->image[i] -= factor * z[i] + (before != NULL ? step * before[i] : 0);
    return norm_of(n, room->image) / norm_of(n, z);
}

/* Step 2, in the coordinates of the balanced map. */
static void find_image(costab_network_work *work, const double *x, const double *v, double *z) {
    fill_state(work, x, v, z);
    for (int i = 0; i < work->size; i++) z[i] *= work->neutral->scale[i];
}

/* Step 3: [out] z: the image of equilibrium c; of its vector, or of the one with zeros where the first is no
 * fixed point within `tolerance` and the second is nearer to one. Returns how far the map moves z, relative.
 */
static double find_fixed_point(costab_network_work *work, int c, double tolerance, double *z) {
    neutral_room *room = work->neutral;
    int n = work->states, size = work->size;
    double *x = room->x + c * n;
    find_image(work, x, NULL, z);
    double residual = residual_of(room, size, z, 1, 0, NULL);
    if (residual <= tolerance) return residual;
    find_image(work, room->sparse + c * n, NULL, z);
    double other = residual_of(room, size, z, 1, 0, NULL);
    if (other < residual) {
        memcpy(x, room->sparse + c * n, (size_t)n * sizeof *x);
        return other;
    }
    find_image(work, x, NULL, z);
    return residual;
}

/* Step 4: do connections reproduce, as straight lines and without delay, all outputs that a motion moves?
 * Right after fill_state. */
static bool keeps_lines(const costab_network_work *work) {
    const costab_coupling *c = &work->coupling;
    const double *units = work->neutral->units + work->states + work->inputs;
    bool extrapolates = c->scheme != COSTAB_ITERATED, interpolates = c->scheme != COSTAB_JACOBI;
    bool lines = !(interpolates && c->interpolation == COSTAB_CONSTANT) && c->area_correction == 0 &&
                 (extrapolates || c->iterations <= 0 || c->predictor != COSTAB_CONSTANT);
    for (int k = 0; k < work->network->connection_count; k++) {
        const costab_connection *connection = &work->network->connections[k];
        int output = work->subs[connection->from].y + connection->output;
        bool moves = fabs(work->y1[output]) > CLEARLY * work->states * DBL_EPSILON * units[output];
        const costab_extrapolation by = coupling_extrapolation(work->network, c, k);
        bool kept = lines && (!extrapolates || polynomial_keeps_lines(&by));
        if (moves && (!kept || connection->delay > 0 || connection->delay_time > 0)) return false;
    }
    return true;
}

/* A coupling that does not reproduce lines errs by the second order of `share`, how far a motion goes in a
 * step relative to its size. Would that show above rounding? Then a small residual tells that the motion is
 * kept all the same, as by many sweeps. */
static bool would_exceed_rounding(double share, double tolerance) {
    return share * share > CLEARLY * tolerance;
}

/* The rounding of a fixed point's residual, in a map of so many rows and this norm. */
static double rounding_of(const costab_network_work *work, int size, double norm) {
    return (size + SPECTRUM_ENTRY_ERROR) * spectrum_roundings(work) * DBL_EPSILON * norm;
}

double neutral_still(const costab_network_work *work, int size, double norm) {
    return STILL_RESIDUAL * rounding_of(work, size, norm);
}

/* Is the coupling an iteration to convergence whose linear system has a solution? */
static bool is_solved(const costab_network_work *work) {
    return work->coupling.scheme == COSTAB_ITERATED && work->coupling.iterations <= 0 &&
           !work->iteration.singular;
}

/* Steps 2 to 4 for all vectors; motions that the map does not keep are dropped. False where an equilibrium is
 * no fixed point: of an iteration that has none. */
static bool keep_images(costab_network_work *work, const double *map, neutral_rest *rest) {
    neutral_room *room = work->neutral;
    int n = work->states, size = work->size, equilibria = rest->equilibria;
    double period = (double)work->period, step = period * work->coupling.macro_step;
    units_of_map(work, room->units, room->map_units);
    scale_matrix(room, size, room->map_units, map);
    memcpy(room->x, room->null_space, (size_t)(equilibria + rest->motions) * (size_t)n * sizeof *room->x);
    double norm = period * norm_of(size * size, room->matrix), unit = rounding_of(work, size, norm);
    double still = is_solved(work) ? DBL_MAX : neutral_still(work, size, norm);
    for (int c = 0; c < equilibria; c++)
        if (!(find_fixed_point(work, c, RESIDUAL_ROUNDINGS * unit, room->z + (size_t)c * (size_t)size) <=
              still))
            return false;
    for (int c = equilibria; c < equilibria + rest->motions; c++) {
        /* Motions begin at the last equilibria, in turn. */
        int from = equilibria - rest->motions + (c - equilibria), to = equilibria + rest->kept_motions;
        double *z = room->z + (size_t)to * (size_t)size, *x = room->x + c * n;
        const double *before = room->z + (size_t)from * (size_t)size;
        find_image(work, x, room->x + from * n, z);
        bool lines = keeps_lines(work);
        double share = step * norm_of(size, before) / norm_of(size, z);
        if (!(residual_of(room, size, z, 1, step, before) <= RESIDUAL_ROUNDINGS * unit) ||
            !(lines || would_exceed_rounding(share, RESIDUAL_ROUNDINGS * unit)))
            continue;
        memmove(room->x + to * n, x, (size_t)n * sizeof *x);
        rest->kept_motions++;
    }
    return true;
}

/* Step 5: the n x n matrix in room->matrix on the complement of the first `columns` of room->factors: (n -
 * columns)^2 numbers, row-major. */
static bool reduce_to_complement(neutral_room *room, int n, int columns, double *left) {
    int size = n - columns;
    bool done = LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, n, columns, room->factors, n, room->tau, room->work,
                                    room->work_size) == 0 &&
                LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', n, n, columns, room->factors, n, room->tau,
                                    room->matrix, n, room->work, room->work_size) == 0 &&
                LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'R', 'N', n, n, columns, room->factors, n, room->tau,
                                    room->matrix, n, room->work, room->work_size) == 0;
    for (int i = 0; i < size && done; i++)
        memcpy(left + (size_t)i * (size_t)size, room->matrix + (size_t)(columns + i) * (size_t)n + columns,
               (size_t)size * sizeof *left);
    return done;
}

/* Step 5: the noise of room->matrix on the complement of the first columns of room->factors, `equilibria` of
 * which have the eigenvalue `factor`. */
static double noise_of(const neutral_room *room, int n, int equilibria, double factor) {
    double noise = 0;
    for (int c = 0; c < equilibria; c++)
        noise = fmax(noise, residual_of(room, n, room->factors + c * n, factor, 0, NULL));
    return noise + ZERO_ROUNDINGS * n * DBL_EPSILON * norm_of(n * n, room->matrix);
}

/* Step 5 for a matrix of the states. */
static bool reduce_states(neutral_room *room, const double *matrix, const neutral_rest *rest, double *left,
                          double *noise) {
    int n = room->states, columns = rest->equilibria + rest->kept_motions;
    scale_matrix(room, n, room->units, matrix);
    for (int c = 0; c < columns; c++)
        for (int i = 0; i < n; i++) room->factors[c * n + i] = room->scale[i] * room->x[c * n + i];
    *noise = noise_of(room, n, rest->equilibria, 0);
    return reduce_to_complement(room, n, columns, left);
}

/* Step 5 for A_mono. */
static bool reduce_continuous(costab_network_work *work, neutral_rest *rest) {
    neutral_room *room = work->neutral;
    if (!reduce_states(room, work->mono.matrix, rest, room->mono, &rest->mono_noise)) return false;
    rest->mono_equilibria = rest->equilibria;
    rest->mono_size = work->states - rest->equilibria - rest->kept_motions;
    rest->mono = room->mono;
    return true;
}

/* Step 5 for the map. */
static bool reduce_map(costab_network_work *work, neutral_rest *rest) {
    neutral_room *room = work->neutral;
    int columns = rest->equilibria + rest->kept_motions;
    memcpy(room->factors, room->z, (size_t)columns * (size_t)work->size * sizeof *room->z);
    rest->map_noise = noise_of(room, work->size, rest->equilibria, 1);
    if (!reduce_to_complement(room, work->size, columns, room->map)) return false;
    rest->map_size = work->size - columns;
    rest->map = room->map;
    return true;
}

/* Room for this point, and the model's units, where they are not known from the last one. */
static costab_status prepare_room(costab_network_work *work, costab_error *error) {
    if (work->neutral == NULL) TRY(memory_make(&work->neutral, 1, error));
    neutral_room *room = work->neutral;
    room->of = work;
    room->size = work->size;
    room->states = work->states;
    TRY(arena_fill(&room->memory, lay_point, room, error));
    if (work->mono.units_known) return COSTAB_OK;
    room->signals = work->states + work->inputs + work->outputs;
    room->units_work = units_work(work);
    room->units_iwork = units_iwork(work);
    room->null_space_known = false;
    TRY(arena_fill(&room->model_memory, lay_model, room, error));
    (void)units_find(work, room->units, room->units_room, room->units_iroom);
    work->mono.units_known = true;
    return COSTAB_OK;
}

bool neutral_none(const costab_network_work *work) {
    return work->mono.found.least > eigen_vicinity(work->states) * work->mono.found.norm;
}

costab_status neutral_set_aside(costab_network_work *work, const double *map, neutral_rest *rest,
                                costab_error *error) {
    int n = work->states, size = work->size;
    neutral_rest whole = {.nullity = work->mono.found.regular ? 0 : -1,
                          .map_size = size,
                          .mono_size = n,
                          .map = map,
                          .mono = work->mono.matrix};
    *rest = whole;
    double norm = work->mono.found.norm;
    if (work->mono.found.regular || !isfinite(norm) || !isfinite(norm_of(size * size, map))) return COSTAB_OK;
    TRY(prepare_room(work, error));
    neutral_room *room = work->neutral;
    if (!room->null_space_known) find_null_space(room, work);
    rest->nullity = whole.nullity = rest->equilibria = room->nullity;
    rest->motions = room->motions;
    if (rest->equilibria == 0) {
        *rest = whole;
    } else if (!keep_images(work, map, rest) || !reduce_map(work, rest) || !reduce_continuous(work, rest)) {
        /* The continuous system has its equilibria whatever the map makes of them. */
        memcpy(room->x, room->null_space, (size_t)rest->equilibria * (size_t)n * sizeof *room->x);
        rest->kept_motions = 0;
        if (reduce_continuous(work, rest)) {
            whole.mono_equilibria = rest->mono_equilibria;
            whole.mono_size = rest->mono_size;
            whole.mono_noise = rest->mono_noise;
            whole.mono = rest->mono;
        }
        *rest = whole;
    }
    return COSTAB_OK;
}

bool neutral_reduce(costab_network_work *work, const neutral_rest *rest, const neutral_matrix *matrix,
                    double *left, double *noise) {
    neutral_room *room = work->neutral;
    int n = work->states;
    if (!reduce_states(room, matrix->entries, rest, left, noise)) return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            room->matrix[i * n + j] = matrix_scaled(matrix->noise[i * n + j], room->scale[i], room->scale[j]);
    *noise += norm_of(n * n, room->matrix);
    return true;
}

void neutral_free(struct neutral_room *room) {
    if (room == NULL) return;
    memory_free_all(room->memory.base, room->model_memory.base, room);
}
