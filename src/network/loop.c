/* Linear systems (I - G) w = b of algebraic loops, with G = L D or an iteration matrix J.
 *
 * 1. Search for a loop: signals without dependence on remaining signals are removed repeatedly; a nonempty
 *    rest is a loop. Without a loop I - G is a permuted triangular matrix with unit pivots: it is regular and
 *    is factored without row exchanges.
 * 2. Otherwise the matrix is balanced by powers of 2, so that units of signals do not matter, and factored
 *    with pivoting. It is regular if its condition number is below 1/(n eps).
 *
 * Cost: n^3/3. Limitation: above 24 rows the condition number is LAPACK's estimate. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "method/matrix.h"
#include "network/loop.h"

/* Index of a subsystem's first input among all inputs. */
static int first_input(const costab_network *network, int subsystem) {
    int first = 0;
    for (int s = 0; s < subsystem; s++) first += network->subsystems[s].inputs;
    return first;
}

bool loop_gain(const costab_network *network, int inputs, bool undelayed, double *gain) {
    bool any = false;
    memset(gain, 0, (size_t)inputs * (size_t)inputs * sizeof *gain);
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *k = &network->connections[c];
        const costab_subsystem *from = &network->subsystems[k->from];
        if (from->D == NULL || (undelayed && (k->delay > 0 || k->delay_time > 0 || k->dead_time > 0)))
            continue;
        double *row = gain + (size_t)(first_input(network, k->to) + k->input) * (size_t)inputs;
        row += first_input(network, k->from);
        for (int j = 0; j < from->inputs; j++) row[j] += k->gain * from->D[k->output * from->inputs + j];
        any = true;
    }
    return any;
}

bool loop_closed(int n, const double *matrix, double unit, int *open) {
    int left = n;
    for (int i = 0; i < n; i++) open[i] = 1;
    for (bool struck = true; struck;) {
        struck = false;
        for (int i = 0; i < n; i++) {
            bool depends = open[i] == 0;
            for (int j = 0; j < n && !depends; j++)
                depends = open[j] != 0 && matrix[i * n + j] != (i == j ? unit : 0);
            if (depends) continue;
            open[i] = 0;
            left--;
            struck = true;
        }
    }
    return left > 0;
}

/* ---- Units ---- */

/* NO_EXPONENT: less than any exponent, of which sums and shifts are a few thousand at most. */
enum { SCALING_TURNS = 16, SHIFT_MOST = 1000, PRODUCT_MOST = 960, NO_EXPONENT = -(1 << 20) };

/* Exponent of a nonzero number, from its bits for speed. */
static int exponent_of(double entry) {
    uint64_t bits;
    memcpy(&bits, &entry, sizeof bits);
    return (int)(bits >> 52 & 2047) - 1023;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

/* Exponent of the matrix size independent of units: of the diagonal, and of products of entries (i, j) and
 * (j, i). NO_EXPONENT if all are 0. */
static int exponent_without_units(int n, const double *a) {
    int most = 2 * NO_EXPONENT;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double entry = a[i * n + j], opposite = a[j * n + i];
            if (entry != 0 && opposite != 0) most = larger(most, exponent_of(entry) + exponent_of(opposite));
        }
    return most / 2;
}

/* Change of shifts[i] after which row and column i of D a D^-1, D = 2^shifts, have equal largest entries off
 * the diagonal. If one of them is 0, the other becomes about 2^size. 0: no change. */
static int shift_wanted(int n, const double *a, const double *shifts, int i, int size) {
    int row = NO_EXPONENT, column = NO_EXPONENT;
    for (int j = 0; j < n; j++) {
        double entry = a[i * n + j], opposite = a[j * n + i];
        if (j == i || (entry == 0 && opposite == 0)) continue;
        int apart = (int)shifts[i] - (int)shifts[j];
        if (entry != 0) row = larger(row, exponent_of(entry) + apart);
        if (opposite != 0) column = larger(column, exponent_of(opposite) - apart);
    }
    bool takes = row > NO_EXPONENT, gives = column > NO_EXPONENT;
    if (takes && gives) return (column - row) / 2;
    if (takes == gives || size == NO_EXPONENT) return 0;
    return takes ? size - row - 1 : column - size + 1;
}

void loop_limit_shifts(int n, double *shifts) {
    double least = 0, most = 0;
    for (int i = 0; i < n; i++) {
        least = fmin(least, shifts[i]);
        most = fmax(most, shifts[i]);
    }
    if (most <= SHIFT_MOST && least >= -SHIFT_MOST) return;
    double middle = trunc((least + most) / 2);
    for (int i = 0; i < n; i++) shifts[i] = fmax(-SHIFT_MOST, fmin(SHIFT_MOST, shifts[i] - middle));
}

/* Sweeps over all signals until no shift changes. Returns false if all shifts are 0. */
static bool find_shifts(int n, const double *a, double *shifts) {
    int size = exponent_without_units(n, a);
    bool moved = true, any = false;
    for (int i = 0; i < n; i++) shifts[i] = 0;
    for (int turn = 0; turn < SCALING_TURNS && moved; turn++) {
        moved = false;
        for (int i = 0; i < n; i++) {
            int shift = shift_wanted(n, a, shifts, i, size);
            shifts[i] += shift;
            moved = moved || shift != 0;
        }
        any = any || moved;
    }
    if (any) loop_limit_shifts(n, shifts);
    return any;
}

void loop_balance(int n, double *a, double *scale) {
    bool any = find_shifts(n, a, scale);
    for (int i = 0; i < n && any; i++)
        for (int j = 0; j < n; j++)
            if (scale[i] != scale[j]) a[i * n + j] = ldexp(a[i * n + j], (int)(scale[i] - scale[j]));
    for (int i = 0; i < n; i++) scale[i] = any ? ldexp(1, (int)scale[i]) : 1;
}

/* ---- Solving ---- */

loop_factors loop_lay(network_arena *arena, size_t n) {
    return (loop_factors){.matrix = arena_take(arena, n * n, sizeof(double)),
                          .scale = arena_take(arena, n, sizeof(double)),
                          .pivots = arena_take(arena, n, sizeof(int))};
}

bool loop_factor_any(int n, const loop_factors *f) {
    loop_balance(n, f->matrix, f->scale);
    return matrix_factor(n, f->matrix, f->pivots);
}

static bool factor_regular(int n, const loop_factors *f, const loop_space *space) {
    loop_balance(n, f->matrix, f->scale);
    double norm = matrix_norm_rows(n, f->matrix);
    return matrix_factor(n, f->matrix, f->pivots) &&
           matrix_reciprocal_condition(n, f->matrix, norm, space->work, space->iwork) > n * DBL_EPSILON;
}

bool loop_regular(int n, double *matrix, const loop_space *space) {
    const loop_factors made = {.matrix = matrix, .scale = space->work, .pivots = space->iwork + n};
    return !loop_closed(n, matrix, 1, space->iwork) || factor_regular(n, &made, space);
}

/* Factors without row exchanges; all pivots are 1. */
static void factor_open(int n, double *matrix, int *pivots) {
    for (int k = 0; k < n; k++) {
        pivots[k] = k + 1;
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n && matrix[i * n + k] != 0; j++)
                matrix[i * n + j] -= matrix[i * n + k] * matrix[k * n + j];
    }
}

bool loop_factor(int n, const loop_factors *f, const loop_space *space) {
    if (loop_closed(n, f->matrix, 1, space->iwork)) return factor_regular(n, f, space);
    for (int i = 0; i < n; i++) f->scale[i] = 1;
    factor_open(n, f->matrix, f->pivots);
    return true;
}

/* Binary orders of magnitude by which the largest entry of D b exceeds the bound for products. */
static int excess_of(int n, const loop_factors *f, int columns, const double *b) {
    int most = NO_EXPONENT;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < columns && f->scale[i] > 1; j++) {
            double entry = b[(size_t)i * (size_t)columns + (size_t)j];
            if (entry != 0) most = larger(most, exponent_of(entry) + exponent_of(f->scale[i]));
        }
    return most > PRODUCT_MOST ? most - PRODUCT_MOST : 0;
}

void loop_solve(int n, const loop_factors *f, int columns, double *b) {
    int excess = excess_of(n, f, columns, b);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < columns && (f->scale[i] != 1 || excess > 0); j++) {
            double *at = b + (size_t)i * (size_t)columns + (size_t)j;
            *at = excess > 0 ? ldexp(*at, exponent_of(f->scale[i]) - excess) : *at * f->scale[i];
        }
    matrix_solve(n, f->matrix, f->pivots, columns, b);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < columns && (f->scale[i] != 1 || excess > 0); j++) {
            double *at = b + (size_t)i * (size_t)columns + (size_t)j;
            *at = excess > 0 ? ldexp(*at, excess - exponent_of(f->scale[i])) : *at / f->scale[i];
        }
}
