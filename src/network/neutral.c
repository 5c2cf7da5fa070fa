/* Removes structural modes from the spectra (docs/explanation/algorithms.md, Structural modes; neutral.h). A
 * model without a fixed reference, such as a free shaft, has eigenvalues 1 of the map and 0 of A_mono at all
 * parameter values. They would make every point neutral. Map and A_mono, the matrix of the monolithic
 * continuous system, are therefore reduced to the complement of the vectors of these modes.
 *
 * 1. Vectors: null vectors z = (x, u, y) of the equations and starts of rigid motions, as many as the model
 *    has at all values of its parameters (structure.h). They are computed once per set of numbers. A mode
 *    whose singular value exceeds the error of the numbers remains in the spectrum.
 * 2. Images in the map's state, from the history values of constant and of linear signals (rows.h).
 * 3. Preserved motions: a rigid motion is preserved if the map advances its image along the equilibrium by a
 *    step, within rounding. The connections must also reproduce straight lines, unless the error of a
 * coupling that does not would be visible.
 * 4. Reduction: Householder reflections of the vectors give map and A_mono on the orthogonal complement; the
 *    vectors' residuals give their error bounds.
 *
 * Cost: singular values of the equations, and n^2 per vector. Limitation: error bounds are of first order. */
#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/eigen.h"
#include "network/monolithic.h"
#include "network/network.h"
#include "network/neutral.h"
#include "network/rows.h"
#include "network/spectrum.h"
#include "network/structure.h"
#include "network/units.h"
#include "network/words.h"
#include "network/work.h"

/* ZERO_ROUNDINGS: rounding error of a matrix of n rows, in n epsilon of its norm. RESIDUAL_ROUNDINGS: bound
 * of the residual of a preserved motion, in roundings of the map (rounding_of). */
#define ZERO_ROUNDINGS     8
#define RESIDUAL_ROUNDINGS 4
/* Factor above rounding from which an effect is visible. */
#define CLEARLY 100

/* LAPACK's matrices are column-major: it reads a row-major matrix as its transpose. Vectors are stored in
 * sequence: equilibria, the last `motions` of them directions of rigid motions, then the starts of these
 * motions. */
struct neutral_space {
    int size, states, inputs, outputs; /* rows of the map; signals */

    /* For the present numbers, independent of coupling and macro step: */
    network_arena model_memory;
    structure_space equations;
    double *vectors; /* z of each vector */
    int equilibria, motions;
    int most;            /* capacity in vectors */
    const double *units; /* of states, inputs and outputs: units.h */

    /* For the present point: */
    network_arena memory;
    double *map_units;      /* size */
    double *matrix, *scale; /* size^2, size: the present matrix D M D^-1, and D */
    int *kept;              /* starts of the preserved motions */
    double *z;              /* image of each vector in the map's state */
    double *image;          /* size: a residual */
    double *factors, *tau;  /* size, 1 per vector: the vectors, overwritten by LAPACK's reflections */
    double *work;           /* workspace of LAPACK */
    int work_size;
    double *map, *mono; /* reduced map and A_mono */
};

static void lay_point(void *owner, network_arena *arena) {
    neutral_space *space = owner;
    size_t n = (size_t)space->states, size = (size_t)space->size, longest = size > n ? size : n;
    size_t most = (size_t)space->most;
    space->kept = arena_take(arena, most, sizeof(int));
    space->mono = arena_take(arena, n * n, sizeof(double));
    space->tau = arena_take(arena, most, sizeof(double));
    space->matrix = arena_take(arena, longest * longest, sizeof(double));
    space->map = arena_take(arena, size * size, sizeof(double));
    space->scale = arena_take(arena, longest, sizeof(double));
    space->map_units = arena_take(arena, size, sizeof(double));
    space->image = arena_take(arena, longest, sizeof(double));
    space->z = arena_take(arena, most * longest, sizeof(double));
    space->factors = arena_take(arena, most * longest, sizeof(double));
    space->work_size = (int)(64 * longest + 8 * n);
    space->work = arena_take(arena, (size_t)space->work_size, sizeof(double));
}

static void lay_model(void *owner, network_arena *arena) {
    neutral_space *space = owner;
    structure_lay(&space->equations, space->states, space->inputs, space->outputs, arena);
    space->vectors = arena_take(arena, (size_t)space->most * (size_t)space->equations.n, sizeof(double));
}

/* Computes space->matrix = D M D^-1, row-major, in the given units, and D in space->scale. Balancing this
 * matrix itself would follow the rounding errors of zeros. */
static void scale_matrix(neutral_space *space, int n, const double *units, const double *matrix) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            space->matrix[i * n + j] = matrix_scaled(matrix[i * n + j], units[j], units[i]);
    for (int i = 0; i < n; i++) space->scale[i] = 1 / units[i];
}

/* ---- The vectors ---- */

static double *vector_of(const neutral_space *space, int c) {
    return space->vectors + (size_t)c * (size_t)space->equations.n;
}

/* Computes space->vectors; the states of each equilibrium have length 1 in their units. The structure stores
 * the directions of motions first; here they are last. */
static void find_vectors(neutral_space *space, const costab_network *network) {
    const costab_structure *model = network->structure;
    int n = space->equations.n;
    space->equilibria = space->motions = 0;
    if (!structure_decompose(&space->equations, network)) return;
    int equilibria = space->equations.equilibria, motions = space->equations.motions;
    if (model != NULL && model->equilibria < equilibria) equilibria = model->equilibria;
    if (model != NULL && model->motions < motions) motions = model->motions;
    if (motions > equilibria) motions = equilibria;
    if (equilibria + motions > space->most) motions = 0;
    space->equilibria = equilibria;
    space->motions = motions;
    /* Equilibria that no rigid motion follows come first, then the directions of motions. */
    int later = space->equations.equilibria - (equilibria - motions);
    for (int c = 0; c < equilibria; c++) {
        double length = 0, *z = vector_of(space, c);
        int start = c - (equilibria - motions);
        double *z1 = start < 0 ? NULL : vector_of(space, equilibria + start);
        structure_vector(&space->equations, start < 0 ? later + c : start, z, z1);
        for (int i = 0; i < space->states; i++) length = hypot(length, z[i] / space->units[i]);
        if (length > 0) cblas_dscal(n, 1 / length, z, 1);
        if (length > 0 && z1 != NULL) cblas_dscal(n, 1 / length, z1, 1);
    }
}

/* ---- Images in the map's state ---- */

static row_values values_of(const neutral_space *space, const double *z) {
    return (row_values){z, z + space->states, z + space->states + space->inputs};
}

/* Image of the motion v[c] + t v[along] (along < 0: of an equilibrium), in the coordinates of the scaled
 * map. */
static void find_image(const costab_network_work *work, int c, int along, double *z) {
    const neutral_space *space = work->neutral;
    const row_values values = values_of(space, vector_of(space, c)),
                     slopes = values_of(space, vector_of(space, along < 0 ? c : along));
    for (int i = 0; i < work->size; i++) {
        bool still = along < 0 && row_is_slope(work->rows[i].kind);
        z[i] = still ? 0 : along < 0 ? row_value_of(work, i, &values) : row_at(work, i, &values, &slopes);
        z[i] *= space->scale[i];
    }
}

/* ---- Reduction ---- */

/* Relative residual of (M - factor) z = step z_before, in the coordinates of space->matrix, n x n. */
static double residual_of(const neutral_space *space, int n, const double *z, double factor, double step,
                          const double *before) {
    matrix_multiply(n, n, 1, space->matrix, z, space->image);
    for (int i = 0; i < n; i++) space->image[i] -= factor * z[i] + (before != NULL ? step * before[i] : 0);
    return matrix_norm((size_t)n, space->image) / matrix_norm((size_t)n, z);
}

/* Returns true if connections reproduce without delay, as straight lines, all outputs that move along this
 * equilibrium. */
static bool keeps_lines(const costab_network_work *work, int along) {
    const neutral_space *space = work->neutral;
    const costab_coupling *c = &work->coupling;
    const double *units = space->units + work->states + work->inputs;
    const double *slopes = values_of(space, vector_of(space, along)).y;
    bool extrapolates = c->scheme != COSTAB_ITERATED, interpolates = c->scheme != COSTAB_JACOBI;
    bool lines = !(interpolates && c->interpolation == COSTAB_CONSTANT) && c->area_correction == 0 &&
                 (extrapolates || c->iterations <= 0 || c->predictor != COSTAB_CONSTANT);
    for (int k = 0; k < work->network->connection_count; k++) {
        const costab_connection *connection = &work->network->connections[k];
        int output = work->subs[connection->from].y + connection->output;
        bool moves = fabs(slopes[output]) > CLEARLY * work->states * DBL_EPSILON * units[output];
        const costab_extrapolation by = coupling_extrapolation(work->network, c, k);
        bool kept = lines && (!extrapolates || polynomial_keeps_lines(&by));
        if (moves && (!kept || connection->delay > 0 || connection->delay_time > 0)) return false;
    }
    return true;
}

/* A coupling that does not reproduce straight lines makes an error of order share^2 per step, where share is
 * the relative change of a motion in a step. Returns true if that is far above rounding: a small residual
 * then proves that the motion is preserved, for example by many sweeps. Otherwise it proves nothing. */
static bool would_exceed_rounding(double share, double tolerance) {
    return share * share > CLEARLY * tolerance;
}

/* Rounding error of a fixed point's residual in a map of this size and norm. */
static double rounding_of(const costab_network_work *work, int size, double norm) {
    return (size + SPECTRUM_ENTRY_ERROR) * spectrum_roundings(work) * DBL_EPSILON * norm;
}

/* Computes the images of all vectors; drops motions that the map does not preserve. */
static void find_images(costab_network_work *work, const double *map, neutral_rest *rest) {
    neutral_space *space = work->neutral;
    int size = work->size, equilibria = rest->equilibria;
    double period = (double)work->period, step = period * work->coupling.macro_step;
    units_of_map(work, space->units, space->map_units);
    scale_matrix(space, size, space->map_units, map);
    double norm = period * matrix_norm(cells(size, size), space->matrix),
           tolerance = RESIDUAL_ROUNDINGS * rounding_of(work, size, norm);
    for (int c = 0; c < equilibria; c++) find_image(work, c, -1, space->z + (size_t)c * (size_t)size);
    for (int m = 0; m < rest->motions; m++) {
        int along = equilibria - rest->motions + m, to = equilibria + rest->kept_motions;
        double *z = space->z + (size_t)to * (size_t)size;
        const double *before = space->z + (size_t)along * (size_t)size;
        find_image(work, equilibria + m, along, z);
        double share = step * matrix_norm((size_t)size, before) / matrix_norm((size_t)size, z);
        if (!(residual_of(space, size, z, 1, step, before) <= tolerance) ||
            !(keeps_lines(work, along) || would_exceed_rounding(share, tolerance)))
            continue;
        space->kept[rest->kept_motions++] = equilibria + m;
    }
}

/* Reduces the n x n space->matrix to the complement of the first `columns` of space->factors. [out] left: (n
 * - columns)^2 numbers, row-major. */
static bool reduce_to_complement(neutral_space *space, int n, int columns, double *left) {
    int size = n - columns;
    bool done = LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, n, columns, space->factors, n, space->tau, space->work,
                                    space->work_size) == 0 &&
                LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', n, n, columns, space->factors, n, space->tau,
                                    space->matrix, n, space->work, space->work_size) == 0 &&
                LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'R', 'N', n, n, columns, space->factors, n, space->tau,
                                    space->matrix, n, space->work, space->work_size) == 0;
    for (int i = 0; i < size && done; i++)
        memcpy(left + (size_t)i * (size_t)size, space->matrix + (size_t)(columns + i) * (size_t)n + columns,
               (size_t)size * sizeof *left);
    return done;
}

/* Error bound of space->matrix on the complement of the first columns of space->factors. The first
 * `equilibria` columns have the eigenvalue `factor`. */
static double noise_of(const neutral_space *space, int n, int equilibria, double factor) {
    double noise = 0;
    for (int c = 0; c < equilibria; c++)
        noise = fmax(noise, residual_of(space, n, space->factors + c * n, factor, 0, NULL));
    return noise + ZERO_ROUNDINGS * n * DBL_EPSILON * matrix_norm(cells(n, n), space->matrix);
}

/* Reduces a matrix of the states, whose equilibria have the eigenvalue `factor`. */
static bool reduce_states(neutral_space *space, const double *matrix, double factor, const neutral_rest *rest,
                          double *left, double *noise) {
    int n = space->states, columns = rest->equilibria + rest->kept_motions;
    scale_matrix(space, n, space->units, matrix);
    for (int c = 0; c < columns; c++) {
        const double *x = vector_of(space, c < rest->equilibria ? c : space->kept[c - rest->equilibria]);
        for (int i = 0; i < n; i++) space->factors[c * n + i] = space->scale[i] * x[i];
    }
    *noise = noise_of(space, n, rest->equilibria, factor);
    return reduce_to_complement(space, n, columns, left);
}

/* Adds error bounds of a matrix of the states, in the coordinates of space->matrix, to *noise. */
static void add_errors(neutral_space *space, const double *errors, double *noise) {
    int n = space->states;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            space->matrix[i * n + j] = matrix_scaled(errors[i * n + j], space->scale[i], space->scale[j]);
    *noise += matrix_norm(cells(n, n), space->matrix);
}

/* Reduces A_mono. */
static bool reduce_continuous(costab_network_work *work, neutral_rest *rest) {
    neutral_space *space = work->neutral;
    double factor = work->mono.span > 0 ? 1 : 0; /* of a sampled-data system the matrix is a map */
    if (!reduce_states(space, work->mono.matrix, factor, rest, space->mono, &rest->mono_noise)) return false;
    if (work->mono.found.inexact) add_errors(space, work->mono.errors, &rest->mono_noise);
    rest->mono_size = work->states - rest->equilibria - rest->kept_motions;
    rest->mono = space->mono;
    return true;
}

/* Reduces the map. */
static bool reduce_map(costab_network_work *work, neutral_rest *rest) {
    neutral_space *space = work->neutral;
    int columns = rest->equilibria + rest->kept_motions;
    memcpy(space->factors, space->z, (size_t)columns * (size_t)work->size * sizeof *space->z);
    rest->map_noise = noise_of(space, work->size, rest->equilibria, 1);
    if (!reduce_to_complement(space, work->size, columns, space->map)) return false;
    rest->map_size = work->size - columns;
    rest->map = space->map;
    return true;
}

/* Allocates memory for this point, and computes units and vectors unless they are known for these numbers. */
static costab_status prepare_space(costab_network_work *work, costab_error *error) {
    const costab_structure *model = work->network->structure;
    if (work->neutral == NULL) TRY(memory_make(&work->neutral, 1, error));
    neutral_space *space = work->neutral;
    space->size = work->size;
    space->states = work->states;
    if (!work->mono.units_known) {
        space->inputs = work->inputs;
        space->outputs = work->outputs;
        space->most = model == NULL || model->equilibria + model->motions > work->states
                          ? work->states
                          : model->equilibria + model->motions;
        TRY(arena_fill(&space->model_memory, lay_model, space, error));
        space->units = space->equations.units;
        find_vectors(space, work->network);
        work->mono.units_known = true;
    }
    return arena_fill(&space->memory, lay_point, space, error);
}

bool neutral_none(const costab_network_work *work) {
    const costab_structure *model = work->network->structure;
    if (model != NULL) return model->equilibria == 0;
    return work->mono.found.least > eigen_vicinity(work->states) * work->mono.found.norm;
}

costab_status neutral_set_aside(costab_network_work *work, const double *map, neutral_rest *rest,
                                costab_error *error) {
    const monolithic_found *found = &work->mono.found;
    int size = work->size;
    neutral_rest whole = {.map_size = size,
                          .mono_size = work->states,
                          .map = map,
                          .mono = found->inexact ? work->mono.balanced : work->mono.matrix,
                          .mono_noise = found->noise};
    *rest = whole;
    if (found->regular || !isfinite(found->norm) || !isfinite(matrix_norm(cells(size, size), map)))
        return COSTAB_OK;
    TRY(prepare_space(work, error));
    rest->equilibria = work->neutral->equilibria;
    rest->motions = work->neutral->motions;
    if (rest->equilibria == 0) return COSTAB_OK;
    find_images(work, map, rest);
    bool reduced = !monolithic_unknown(work->network) && !network_has_dead_time(work->network);
    if (!reduce_map(work, rest) || (reduced && !reduce_continuous(work, rest))) *rest = whole;
    return COSTAB_OK;
}

bool neutral_reduce(costab_network_work *work, const neutral_rest *rest, const double *matrix,
                    const double *errors, double *left, double *noise) {
    if (!reduce_states(work->neutral, matrix, 0, rest, left, noise)) return false;
    add_errors(work->neutral, errors, noise);
    return true;
}

void neutral_free(struct neutral_space *space) {
    if (space == NULL) return;
    memory_free_all(space->memory.base, space->model_memory.base, space);
}

/* ---- Points without modes ----
 * A point is vacuous if the continuous system has no states besides the removed modes (an unknown system
 * counts as such), and the map no nonzero eigenvalues besides them. The latter is known from the directed
 * graph with an edge per nonzero entry off the diagonal: without cycles the eigenvalues are the diagonal
 * entries. A map with a cycle counts as not vacuous, even if the entries cancel. */

costab_status costab_network_vacuous(const costab_network_work *work, bool *vacuous, costab_error *error) {
    int size = work->size, own = 0;
    *vacuous = false;
    bool rests = monolithic_unknown(work->network) ||
                 (work->states == work->removed && !network_has_dead_time(work->network));
    if (!rests || work->halves > 1 || work->guesses > 0) return COSTAB_OK;
    memory_local_array(int, open, (size_t)size + 1, error);
    memory_local_array(double, links, cells(size, size) + 1, error);
    memcpy(links, work->map, cells(size, size) * sizeof *links);
    for (int i = 0; i < size; i++) own += links[i * size + i] != 0, links[i * size + i] = 0;
    *vacuous = own <= work->removed && !loop_closed(size, links, 0, open);
    return COSTAB_OK;
}
