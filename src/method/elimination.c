/* Gauss's elimination with errors carried along (elimination.h):
 *
 *  1. The pivot: among the entries whose size exceeds their error by a factor of at least 1/1000 of the
 *     largest such factor, the largest entry.
 *  2. Rows and columns are exchanged, and multiples of the pivot's row are subtracted from those below.
 *     Errors follow to first order.
 *  3. It ends where every entry that remains is below its error.
 *
 * Cost: n^2 to choose and n^2 to eliminate, for each pivot. Not guaranteed: a sharp rank; carried errors may
 * be much too large. */
#include "method/elimination.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The factor of step 1. The larger the pivot, the smaller the multipliers. */
#define AS_GOOD 1e-3

static double *row_of(double *matrix, int n, int i) {
    return matrix + (size_t)i * (size_t)n;
}

/* An entry over its error; 0 where it does not exceed it. */
static double over_error(double entry, double error) {
    return fabs(entry) > error ? fabs(entry) / error : 0;
}

/* Step 1; false where no entry exceeds its error. */
static bool choose_pivot(const elimination *e, int rank, int *row, int *column) {
    double best = 0, largest = 0;
    for (int i = rank; i < e->n; i++)
        for (int j = rank; j < e->n; j++)
            best = fmax(best, over_error(row_of(e->entries, e->n, i)[j], row_of(e->errors, e->n, i)[j]));
    if (!(best > 0)) return false;
    for (int i = rank; i < e->n; i++)
        for (int j = rank; j < e->n; j++) {
            double entry = row_of(e->entries, e->n, i)[j], error = row_of(e->errors, e->n, i)[j];
            if (!(fabs(entry) > largest) || !(over_error(entry, error) >= AS_GOOD * best)) continue;
            largest = fabs(entry);
            *row = i;
            *column = j;
        }
    return largest > 0;
}

static void exchange(double *one, double *other) {
    double kept = *one;
    *one = *other;
    *other = kept;
}

static void exchange_numbers(int *numbers, int i, int j) {
    int kept = numbers[i];
    numbers[i] = numbers[j];
    numbers[j] = kept;
}

static void exchange_to_pivot(elimination *e, int rank, int row, int column) {
    int n = e->n;
    double *const both[] = {e->entries, e->errors};
    for (int k = 0; k < 2; k++) {
        for (int j = 0; j < n && row != rank; j++)
            exchange(row_of(both[k], n, rank) + j, row_of(both[k], n, row) + j);
        for (int i = 0; i < n && column != rank; i++)
            exchange(row_of(both[k], n, i) + rank, row_of(both[k], n, i) + column);
    }
    exchange_numbers(e->rows, rank, row);
    exchange_numbers(e->columns, rank, column);
}

/* Step 2, the pivot being in row and column `rank`. */
static void eliminate(elimination *e, int rank) {
    int n = e->n;
    const double *pivots = row_of(e->entries, n, rank), *errors = row_of(e->errors, n, rank);
    for (int i = rank + 1; i < n; i++) {
        double *to = row_of(e->entries, n, i), *error = row_of(e->errors, n, i);
        double factor = to[rank] / pivots[rank], size = fabs(factor);
        double turned = (error[rank] + size * errors[rank]) / fabs(pivots[rank]);
        to[rank] = factor;
        if (factor == 0 && turned == 0) continue;
        for (int j = rank + 1; j < n; j++) {
            to[j] -= factor * pivots[j];
            error[j] += size * errors[j] + turned * fabs(pivots[j]);
        }
    }
}

void elimination_begin(elimination *e, int n) {
    e->n = n;
    for (int i = 0; i < e->n; i++) e->rows[i] = e->columns[i] = i;
}

int elimination_run(elimination *e, int rank) {
    int row, column;
    for (; rank < e->n && choose_pivot(e, rank, &row, &column); rank++) {
        exchange_to_pivot(e, rank, row, column);
        eliminate(e, rank);
    }
    return rank;
}

/* x[to[i]] = the i-th of the room's first `rank` numbers, the rest 0. */
static void spread(const elimination *e, int rank, const int *to, double *x) {
    memset(x, 0, (size_t)e->n * sizeof *x);
    for (int i = 0; i < rank; i++) x[to[i]] = e->room[i];
}

void elimination_solve(const elimination *e, int rank, const double *b, double *x) {
    for (int i = 0; i < rank; i++) {
        const double *factors = row_of(e->entries, e->n, i);
        double sum = b[e->rows[i]];
        for (int k = 0; k < i; k++) sum -= factors[k] * e->room[k];
        e->room[i] = sum;
    }
    for (int i = rank - 1; i >= 0; i--) {
        const double *factors = row_of(e->entries, e->n, i);
        for (int k = i + 1; k < rank; k++) e->room[i] -= factors[k] * e->room[k];
        e->room[i] /= factors[i];
    }
    spread(e, rank, e->columns, x);
}

void elimination_solve_left(const elimination *e, int rank, const double *b, double *y) {
    for (int i = 0; i < rank; i++) e->room[i] = b[e->columns[i]];
    for (int i = 0; i < rank; i++) {
        const double *factors = row_of(e->entries, e->n, i);
        e->room[i] /= factors[i];
        for (int k = i + 1; k < rank; k++) e->room[k] -= factors[k] * e->room[i];
    }
    for (int i = rank - 1; i >= 0; i--) {
        const double *factors = row_of(e->entries, e->n, i);
        for (int k = 0; k < i; k++) e->room[k] -= factors[k] * e->room[i];
    }
    spread(e, rank, e->rows, y);
}
