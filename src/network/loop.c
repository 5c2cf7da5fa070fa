/* Loops of feedthrough. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "method/matrix.h"
#include "network/loop.h"

/* The first input of a subsystem among those of all. */
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
        if (from->D == NULL || (undelayed && (k->delay > 0 || k->delay_time > 0))) continue;
        double *row = gain + (size_t)(first_input(network, k->to) + k->input) * (size_t)inputs;
        row += first_input(network, k->from);
        for (int j = 0; j < from->inputs; j++) row[j] += k->gain * from->D[k->output * from->inputs + j];
        any = true;
    }
    return any;
}

/* Signals that depend on no other signal left are struck out, until none is. */
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

enum { SCALING_TURNS = 16, SHIFT_MOST = 1000 };

/* The exponents of the largest entries in row and column i, without the diagonal, of D a D^-1, D = 2^shifts;
 * minus infinity where all are 0. */
static void largest_exponents(int n, const double *a, const double *shifts, int i, double *row,
                              double *column) {
    *row = *column = -(double)INFINITY;
    for (int j = 0; j < n; j++) {
        double across = a[i * n + j], down = a[j * n + i], apart = shifts[i] - shifts[j];
        if (j == i) continue;
        if (across != 0) *row = fmax(*row, ilogb(across) + apart);
        if (down != 0) *column = fmax(*column, ilogb(down) - apart);
    }
}

/* The exponent of the size of a matrix that no units change: its diagonal, and pairs of entries that go
 * round. */
static double exponent_without_units(int n, const double *a) {
    double most = -(double)INFINITY;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            if (a[i * n + j] != 0 && a[j * n + i] != 0)
                most = fmax(most, ((double)ilogb(a[i * n + j]) + ilogb(a[j * n + i])) / 2);
    return trunc(most);
}

/* How signal i is to be shifted on; 0 where it is well, or nothing says how. */
static double shift_wanted(int n, const double *a, const double *shifts, int i, double size) {
    double row, column, shift;
    largest_exponents(n, a, shifts, i, &row, &column);
    if (isfinite(row) && isfinite(column))
        shift = trunc((column - row) / 2);
    else
        shift = isfinite(row) ? size - row - 1 : column - size + 1;
    return isfinite(shift) ? shift : 0;
}

/* Shifts that doubles can hold. Only their differences count. */
static void limit_shifts(int n, double *shifts) {
    double least = 0, most = 0;
    for (int i = 0; i < n; i++) {
        least = fmin(least, shifts[i]);
        most = fmax(most, shifts[i]);
    }
    if (most <= SHIFT_MOST && least >= -SHIFT_MOST) return;
    double middle = trunc((least + most) / 2);
    for (int i = 0; i < n; i++) shifts[i] = fmax(-SHIFT_MOST, fmin(SHIFT_MOST, shifts[i] - middle));
}

void loop_balance(int n, double *a, double *scale) {
    double size = exponent_without_units(n, a);
    bool moved = true, any = false;
    for (int i = 0; i < n; i++) scale[i] = 0;
    for (int turn = 0; turn < SCALING_TURNS && moved; turn++) {
        moved = false;
        for (int i = 0; i < n; i++) {
            double shift = shift_wanted(n, a, scale, i, size);
            scale[i] += shift;
            moved = moved || shift != 0;
        }
        any = any || moved;
    }
    if (any) limit_shifts(n, scale);
    for (int i = 0; i < n && any; i++)
        for (int j = 0; j < n; j++)
            if (scale[i] != scale[j]) a[i * n + j] = ldexp(a[i * n + j], (int)(scale[i] - scale[j]));
    for (int i = 0; i < n; i++) scale[i] = any ? ldexp(1, (int)scale[i]) : 1;
}

/* ---- Solving ---- */

bool loop_factor_any(int n, const loop_factors *f) {
    loop_balance(n, f->matrix, f->scale);
    return matrix_factor(n, f->matrix, f->pivots);
}

static bool factor_regular(int n, const loop_factors *f, const loop_room *room) {
    loop_balance(n, f->matrix, f->scale);
    double norm = matrix_norm_rows(n, f->matrix);
    return matrix_factor(n, f->matrix, f->pivots) &&
           matrix_condition(n, f->matrix, norm, room->work, room->iwork) > n * DBL_EPSILON;
}

bool loop_regular(int n, double *matrix, const loop_room *room) {
    const loop_factors made = {.matrix = matrix, .scale = room->work, .pivots = room->iwork + n};
    return !loop_closed(n, matrix, 1, room->iwork) || factor_regular(n, &made, room);
}

/* Without exchanges, as all pivots are and stay 1. */
static void factor_open(int n, double *matrix, int *pivots) {
    for (int k = 0; k < n; k++) {
        pivots[k] = k + 1;
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n && matrix[i * n + k] != 0; j++)
                matrix[i * n + j] -= matrix[i * n + k] * matrix[k * n + j];
    }
}

bool loop_factor(int n, const loop_factors *f, const loop_room *room) {
    if (loop_closed(n, f->matrix, 1, room->iwork)) return factor_regular(n, f, room);
    for (int i = 0; i < n; i++) f->scale[i] = 1;
    factor_open(n, f->matrix, f->pivots);
    return true;
}

void loop_solve(int n, const loop_factors *f, int columns, double *b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < columns && f->scale[i] != 1; j++)
            b[(size_t)i * (size_t)columns + (size_t)j] *= f->scale[i];
    matrix_solve(n, f->matrix, f->pivots, columns, b);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < columns && f->scale[i] != 1; j++)
            b[(size_t)i * (size_t)columns + (size_t)j] /= f->scale[i];
}
