/* A Newton step for the equations of a network at rest (rest.h).
 * 1. Units: rows and columns are scaled alternately by the square roots of their largest entries, 8 times (D.
 *    Ruiz, A scaling algorithm to equilibrate both rows and columns norms in matrices, 2001), then rounded to
 *    powers of 2. This makes the step independent of the units of the model.
 * 2. Equation: J dz = -F. The unknowns are values neither given nor held, and the speeds of motions.
 * 3. Solution: minimum norm in these units (LAPACK's dgelsd), with singular values below 1e-12 of the largest
 *    as 0. The residual is the share of F that no step removes.
 * Cost: O(N^3) for N unknowns. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "model/rest.h"

enum { SCALINGS = 8 };
#define INPUT_WEIGHT 1e-3

static double power_of_2(double units) {
    return exp2(rint(log2(units)));
}

void rest_equilibrate(int rows, int columns, const double *a, double *row_units, double *column_units) {
    for (int i = 0; i < rows; i++) row_units[i] = 1;
    for (int j = 0; j < columns; j++) column_units[j] = 1;
    for (int k = 0; k < 2 * SCALINGS; k++) {
        const bool by_rows = k % 2 == 0;
        const int count = by_rows ? rows : columns, others = by_rows ? columns : rows;
        double *units = by_rows ? row_units : column_units;
        for (int i = 0; i < count; i++) {
            double largest = 0;
            for (int j = 0; j < others; j++) {
                const int row = by_rows ? i : j, column = by_rows ? j : i;
                const double value = a[(size_t)column * (size_t)rows + (size_t)row];
                largest = fmax(largest, fabs(value) * row_units[row] * column_units[column]);
            }
            if (largest > 0) units[i] /= sqrt(largest);
        }
    }
    for (int i = 0; i < rows; i++) row_units[i] = power_of_2(row_units[i]);
    for (int j = 0; j < columns; j++) column_units[j] = power_of_2(column_units[j]);
}

bool rest_solve(model_rest *r, int rows, int columns, int sides) {
    const size_t height = (size_t)rows, leading = (size_t)r->size;
    rest_equilibrate(rows, columns, r->matrix, r->row_units, r->column_units);
    for (size_t j = 0; j < (size_t)columns; j++)
        for (size_t i = 0; i < height; i++)
            r->copy[j * height + i] = r->matrix[j * height + i] * r->row_units[i] * r->column_units[j];
    for (size_t k = 0; k < (size_t)sides; k++)
        for (size_t i = 0; i < height; i++) r->right[k * leading + i] *= r->row_units[i];
    if (rows == 0 || columns == 0) return true;
    if (LAPACKE_dgelsd(LAPACK_COL_MAJOR, rows, columns, sides, r->copy, rows, r->right, r->size, r->singular,
                       1e-12, &r->rank) != 0)
        return false;
    const int least = (rows < columns ? rows : columns) - 1;
    r->ratio = r->singular[0] > 0 ? r->singular[least] / r->singular[0] : 0;
    for (size_t k = 0; k < (size_t)sides; k++)
        for (size_t j = 0; j < (size_t)columns; j++) r->right[k * leading + j] *= r->column_units[j];
    return true;
}

/* Measures the share of F left by the step. */
static void measure_lost(model_rest *r) {
    double all = 0, left = 0, most = 0;
    r->worst = r->row_count > 0 ? r->rows[0] : 0;
    for (int i = 0; i < r->row_count; i++) {
        double rest = r->F[r->rows[i]];
        all = hypot(all, r->row_units[i] * rest);
        for (int j = 0; j < r->column_count; j++)
            rest += r->matrix[(size_t)j * (size_t)r->row_count + (size_t)i] * r->step[j];
        rest *= r->row_units[i];
        left = hypot(left, rest);
        /* States first: inputs only transmit the cause of a state's acceleration. */
        const double weight = r->rows[i] < r->states ? 1 : INPUT_WEIGHT;
        if (weight * fabs(rest) <= most) continue;
        most = weight * fabs(rest);
        r->worst = r->rows[i];
    }
    r->lost = all > 0 ? left / all : 0;
}

void rest_put_columns(model_rest *r) {
    const size_t height = (size_t)r->row_count;
    for (int j = 0; j < r->column_count; j++)
        for (size_t i = 0; i < height; i++)
            r->matrix[(size_t)j * height + i] =
                r->J[(size_t)r->columns[j] * (size_t)r->size + (size_t)r->rows[i]];
}

bool rest_step(model_rest *r) {
    rest_put_columns(r);
    for (int i = 0; i < r->row_count; i++) r->right[i] = r->F[r->rows[i]];
    if (!rest_solve(r, r->row_count, r->column_count, 1)) return false;
    r->regular = r->regular || r->rank == r->row_count;
    for (int j = 0; j < r->column_count; j++) r->step[j] = -r->right[j];
    measure_lost(r);
    return true;
}
