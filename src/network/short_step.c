/* Eigenvalues of the map M of a short step without cancellation: those of I + S for the states and of F for
 * the history values (equations in short_step.h).
 *
 * 1. Increments: the map is recomputed with blocks Phi - I, which gives [K L], the increments of the states.
 * 2. Z by the fixed-point iteration (I - N) Z = G - Z S, S = K + L Z, until S is stationary. Each iteration
 *    solves for the residual and adds it to Z, so Z is as accurate as its sums in any units.
 * 3. Error bound of S per entry: from its sums, and from Z, |(I - N)^-1| times the rounding error of the
 *    residual.
 * 4. S, balanced, without equilibria (neutral.h); F = N - Z L.
 *
 * Cost: a map, and n^2 m for each of about 5 iterations. Limitation: rounding is of first order. If Z does
 * not converge slow_size is 0. */
#include "network/short_step.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/error.h"
#include "base/memory.h"
#include "network/step.h"

/* A step is short if the length of a period times the spectral radius of A_mono is below this. */
#define NEAR_MOST 0.0625
/* Iterations at most; each reduces the error by a factor of about ||S||. SETTLED: largest change of S in the
 * last iteration, relative to |K| + |L| |Z|. */
enum { TURNS = 40 };
#define SETTLED 1e-12
/* Roundings of an entry in the sums of S. */
enum { ENTRY_ROUNDINGS = 32 };

/* Matrices of short_step.h, row-major; n states, m history rows. */
struct short_step_space {
    network_arena memory;
    int n, m;
    double *gained;   /* n x (n + m): [K L] */
    double *Z, *next; /* m x n: Z, and its next iterate */
    double *factors;  /* m x m: of I - N */
    double *inverse;  /* m x m: (I - N)^-1 */
    int *pivots;
    double *S, *last; /* n x n: S, and its last iterate */
    double *weight;   /* n x n: |K| + |L| |Z| */
    double *noise;    /* n x n: error bound of S */
    double *doubt;    /* m x n: rounding error of the residual of Z */
    double *spread;   /* m x n: error bound of Z */
    double *slow;     /* n x n: S, balanced, without equilibria */
    double *fast;     /* m x m: F */
    double *kept;     /* 2 n: eigenvalues of `slow` during the computation of those of `fast` */
};

static void lay_space(void *owner, network_arena *arena) {
    short_step_space *space = owner;
    size_t n = (size_t)space->n, m = (size_t)space->m;
    double **const states[] = {&space->S, &space->last, &space->weight, &space->noise, &space->slow};
    double **const mixed[] = {&space->Z, &space->next, &space->doubt, &space->spread};
    double **const memory[] = {&space->factors, &space->inverse, &space->fast};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        *states[i] = arena_take(arena, n * n, sizeof(double));
    for (size_t i = 0; i < sizeof mixed / sizeof *mixed; i++)
        *mixed[i] = arena_take(arena, m * n, sizeof(double));
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        *memory[i] = arena_take(arena, m * m, sizeof(double));
    space->gained = arena_take(arena, n * (n + m), sizeof(double));
    space->kept = arena_take(arena, 2 * n, sizeof(double));
    space->pivots = arena_take(arena, m, sizeof(int));
}

void short_step_free(short_step_space *space) {
    if (space == NULL) return;
    memory_free_all(space->memory.base, space);
}

/* ---- The increments ---- */

/* Sets the blocks to Phi - I, or back to Phi. */
static void set_blocks(const costab_network_work *work, bool increments) {
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        int n = sub->n + sub->extra;
        for (int b = 0; b < sub->block_count; b++)
            for (int i = 0; i < n; i++)
                sub->blocks[b].phi[i * n + i] = sub->blocks[b].diagonal[i] + (increments ? 0 : 1);
    }
}

/* Computes space->gained and work->map. */
static costab_status make_increments(costab_network_work *work, costab_error *error) {
    double radius;
    long exponent;
    memset(work->short_step->gained, 0, (size_t)work->states * (size_t)work->size * sizeof(double));
    work->gained = work->short_step->gained;
    set_blocks(work, true);
    costab_status status = map_make(work, &radius, &exponent, error);
    set_blocks(work, false);
    work->gained = NULL;
    return status;
}

/* ---- States and history ---- */

/* sums += |factor| |row| */
BASE_CLONES
static void add_sizes(int n, double factor, const double *restrict row, double *restrict sums) {
    for (int j = 0; j < n; j++) sums[j] += fabs(factor * row[j]);
}

/* S = K + L Z, and |K| + |L| |Z|. */
static void make_slow(const short_step_space *space, double *S) {
    int n = space->n, size = n + space->m;
    for (int i = 0; i < n; i++) {
        const double *row = space->gained + i * size;
        double *sums = S + i * n, *weights = space->weight + i * n;
        for (int j = 0; j < n; j++) weights[j] = fabs(sums[j] = row[j]);
        for (int k = 0; k < space->m; k++) add_sizes(n, row[n + k], space->Z + k * n, weights);
    }
    matrix_multiply_add_rows(n, space->m, n, space->gained + n, size, space->Z, S);
}

/* Largest change of an entry of S relative to |K| + |L| |Z|. */
static double largest_change(const short_step_space *space) {
    double most = 0;
    for (int e = 0; e < space->n * space->n; e++) {
        double change = fabs(space->S[e] - space->last[e]);
        if (!isfinite(change)) return (double)INFINITY; /* Z overflows */
        if (change > most * space->weight[e]) most = change / space->weight[e];
    }
    return most;
}

/* Factors I - N and starts with Z = (I - N)^-1 G. Returns false if I - N is singular. */
static bool begin(short_step_space *space, const double *map) {
    int n = space->n, m = space->m, size = n + m;
    memset(space->inverse, 0, (size_t)m * (size_t)m * sizeof(double));
    for (int i = 0; i < m; i++) {
        const double *row = map + (n + i) * size;
        for (int j = 0; j < m; j++) space->factors[i * m + j] = (i == j) - row[n + j];
        memcpy(space->Z + i * n, row, (size_t)n * sizeof(double));
        space->inverse[i * m + i] = 1;
    }
    if (!matrix_factor(m, space->factors, space->pivots)) return false;
    matrix_solve(m, space->factors, space->pivots, n, space->Z);
    matrix_solve(m, space->factors, space->pivots, m, space->inverse);
    return true;
}

/* Iterates Z. [out] *change: of S in the last iteration. */
static bool settle(short_step_space *space, const double *map, double *change) {
    int n = space->n, m = space->m, size = n + m;
    *change = 0;
    make_slow(space, space->S);
    for (int turn = 0; turn < TURNS && m > 0; turn++) {
        double before = *change;
        memcpy(space->last, space->S, (size_t)n * (size_t)n * sizeof(double));
        matrix_multiply(m, n, n, space->Z, space->S, space->next);
        for (int i = 0; i < m; i++) {
            const double *row = map + (n + i) * size;
            double *left = space->next + i * n;
            for (int j = 0; j < n; j++) left[j] = row[j] - left[j] - space->Z[i * n + j];
        }
        matrix_multiply_add_rows(m, m, n, map + n * size + n, size, space->Z, space->next);
        matrix_solve(m, space->factors, space->pivots, n, space->next);
        for (int e = 0; e < m * n; e++) space->Z[e] += space->next[e];
        make_slow(space, space->S);
        *change = largest_change(space);
        if (*change <= DBL_EPSILON || (*change <= SETTLED && *change > before / 2)) break;
    }
    return *change <= SETTLED;
}

/* F = N - Z L. */
static void make_fast(const short_step_space *space, const double *map) {
    int n = space->n, m = space->m, size = n + m;
    for (int i = 0; i < m; i++) {
        double *sums = space->fast + i * m;
        memcpy(sums, map + (n + i) * size + n, (size_t)m * sizeof *sums);
        for (int k = 0; k < n; k++) add_row(sums, -space->Z[i * n + k], space->gained + k * size + n, m);
    }
}

/* Computes the error bound of S. */
static void make_noise(short_step_space *space, const double *map, double change) {
    int n = space->n, m = space->m, size = n + m;
    for (int i = 0; i < m; i++) {
        const double *row = map + (n + i) * size, *z = space->Z + i * n;
        double *sums = space->doubt + i * n;
        for (int j = 0; j < n; j++) sums[j] = fabs(row[j]) + fabs(z[j]);
        for (int k = 0; k < m; k++) add_sizes(n, row[n + k], space->Z + k * n, sums);
        for (int k = 0; k < n; k++) add_sizes(n, z[k], space->S + k * n, sums);
    }
    memset(space->spread, 0, (size_t)m * (size_t)n * sizeof(double));
    for (int i = 0; i < m; i++)
        for (int k = 0; k < m; k++)
            add_sizes(n, space->inverse[i * m + k], space->doubt + k * n, space->spread + i * n);
    for (int i = 0; i < n; i++) {
        const double *weights = space->weight + i * n;
        double *sums = space->noise + i * n;
        memcpy(sums, weights, (size_t)n * sizeof *sums);
        for (int k = 0; k < m; k++)
            add_sizes(n, space->gained[i * size + n + k], space->spread + k * n, sums);
        for (int j = 0; j < n; j++) sums[j] = ENTRY_ROUNDINGS * DBL_EPSILON * sums[j] + change * weights[j];
    }
}

/* ---- Results ---- */

/* Returns true if the step is short and the map is real and as accurate as rounding allows. */
static bool worthwhile(const costab_network_work *work) {
    double most = work->mono.found.most * work->coupling.macro_step * (double)work->period;
    return work->halves == 1 && work->mono.known && work->mono.span == 0 && most < NEAR_MOST &&
           spectrum_doubt(work) == 0;
}

/* Computes space->slow. Returns false if numbers of very different magnitude overflow in the error bound. */
static bool take_rest(costab_network_work *work, const neutral_rest *rest, double *noise) {
    short_step_space *space = work->short_step;
    int n = space->n;
    if (rest->equilibria > 0)
        return neutral_reduce(work, rest, space->S, space->noise, space->slow, noise) && isfinite(*noise);
    memcpy(space->slow, space->S, (size_t)n * (size_t)n * sizeof *space->S);
    loop_balance(n, space->slow, space->kept);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            space->noise[i * n + j] = matrix_scaled(space->noise[i * n + j], space->kept[i], space->kept[j]);
    *noise = matrix_norm((size_t)n * (size_t)n, space->noise);
    return isfinite(*noise);
}

static costab_status make_space(costab_network_work *work, costab_error *error) {
    if (work->short_step == NULL) TRY(memory_make(&work->short_step, 1, error));
    work->short_step->n = work->states;
    work->short_step->m = work->size - work->states;
    return arena_fill(&work->short_step->memory, lay_space, work->short_step, error);
}

costab_status short_step_make(costab_network_work *work, const neutral_rest *rest, short_step_parts *parts,
                              costab_error *error) {
    double change;
    *parts = (short_step_parts){.slow_size = 0};
    if (!worthwhile(work)) return COSTAB_OK;
    TRY(make_space(work, error));
    TRY(make_increments(work, error));
    short_step_space *space = work->short_step;
    if (!isfinite(matrix_norm((size_t)work->size * (size_t)work->size, work->map))) return COSTAB_OK;
    if (!begin(space, work->map) || !settle(space, work->map, &change)) return COSTAB_OK;
    make_noise(space, work->map, change);
    make_fast(space, work->map);
    if (!take_rest(work, rest, &parts->noise)) return COSTAB_OK;
    parts->slow_size = rest->equilibria > 0 ? rest->mono_size : space->n;
    parts->slow = space->slow;
    parts->fast_size = space->m;
    parts->fast = space->fast;
    return COSTAB_OK;
}

costab_status short_step_reach(costab_network_work *work, const short_step_parts *parts, double roundings,
                               spectrum_reach *reach, costab_error *error) {
    int n = parts->slow_size, m = parts->fast_size;
    double radius, abscissa, *re = work->short_step->kept, *im = re + n;
    spectrum_asked slow = {n, n, parts->slow, EIGEN_INCREMENT, roundings, parts->noise, false},
                   fast = {m, m, parts->fast, EIGEN_CIRCLE, roundings, 0, false};
    TRY(spectrum_radius(work, n, parts->slow, &radius, &abscissa, error));
    *reach = spectrum_reach_of(work, &slow);
    memcpy(re, work->eigen.real, (size_t)n * sizeof *re);
    memcpy(im, work->eigen.imaginary, (size_t)n * sizeof *im);
    TRY(spectrum_radius(work, m, parts->fast, &radius, &abscissa, error));
    if (m > 0) {
        spectrum_reach other = spectrum_reach_of(work, &fast);
        reach->rounding = fmax(reach->upper, other.upper) - fmax(reach->computed, other.computed);
        reach->computed = fmax(reach->computed, other.computed);
        reach->upper = fmax(reach->upper, other.upper);
        reach->lower = fmax(reach->lower, other.lower);
    }
    for (int i = 0; i < work->size - m; i++) {
        work->eigen.real[m + i] = 1 + (i < n ? re[i] : 0);
        work->eigen.imaginary[m + i] = i < n ? im[i] : 0;
    }
    return COSTAB_OK;
}
