/* method/matrix.h - dense matrices, and micro steps of a linear subsystem x' = A x + B u as matrices.
 *
 * The input over a macro step H is a polynomial u(s) = sum U_l s^l, s = (t - t0)/H, with t0 the start of the
 * steps. Micro steps h are
 *
 *     x+ = Phi x + sum input_l U_l.
 *
 * One micro step evaluates the polynomial at its stage times: Phi = R(hA), input_l = h (h/H)^l P_l(hA) B.
 * (Powers of [A B 0; 0 0 I/H; 0 0 0], with u and its slope as states, agree up to degree 1; higher degrees
 * require more of a tableau than consistency.) Only the stage equations of implicit methods are solved;
 * nothing is inverted. Matrices are dense and row-major; the caller provides the workspace. */
#pragma once

#include <math.h>

#include "costab/method.h"

/* c += a b; consecutive rows of a are `step` doubles apart. */
void matrix_multiply_add_rows(int rows, int inner, int columns, const double *a, int step, const double *b,
                              double *c);
/* c += a b; a: rows x inner, b: inner x columns. */
void matrix_multiply_add(int rows, int inner, int columns, const double *a, const double *b, double *c);
/* c = a b. */
void matrix_multiply(int rows, int inner, int columns, const double *a, const double *b, double *c);

/* Factors the n x n matrix a into L U, in place. [out] pivots: n entries. Returns false if a is exactly
 * singular. */
bool matrix_factor(int n, double *a, int *pivots);
/* Solves a X = b in place with the factors of matrix_factor; b: n x columns. */
void matrix_solve(int n, const double *factors, const int *pivots, int columns, double *b);
/* Reciprocal condition number (1-norm of the transpose) from the factors and the norm of a by
 * matrix_norm_rows. Above 24 rows it is LAPACK's estimate, which may be too large. work: 4 n doubles, iwork:
 * n ints. */
double matrix_reciprocal_condition(int n, const double *factors, double norm, double *work, int *iwork);
/* Returns the largest row sum of moduli; NaN or infinite if an entry is. */
double matrix_norm_rows(int n, const double *a);
/* Returns entry * by / over. by and over are powers of 2; their quotient may exceed the range of doubles. */
static inline double matrix_scaled(double entry, double by, double over) {
    double quotient = by / over;
    if (isnormal(quotient)) return entry * quotient;
    return entry == 0 ? 0 : ldexp(entry, ilogb(by) - ilogb(over));
}

/* Returns true if all numbers are finite. */
bool matrix_finite(size_t count, const double *a);

/* Square root of the sum of squares; infinite or NaN if an entry is. */
double matrix_norm(size_t count, const double *a);

/* One linear subsystem: A n x n, B n x m, input a polynomial of the given degree. Methods for pairs also read
 * the indices of positions and velocities, `pairs` of each. */
enum { MATRIX_DEGREE_MAX = 3, MATRIX_POWERS = MATRIX_DEGREE_MAX + 1 };

typedef struct matrix_system {
    int n, m, degree;
    const double *A, *B;
    int pairs;
    const int *positions, *velocities;
    const double *rise; /* COSTAB_SAMPLED: effect of an input that rises by 1 during a step; NULL: inputs are
                         * held */
} matrix_system;

/* History value of a method, stored after the n states: a state, or the slope of a state, `back` micro steps
 * ago. Accelerations of generalized alpha, previous states of BDF (block_structured.c). */
typedef struct matrix_kept {
    int state, back;
    bool slope;
} matrix_kept;

/* Number of history values; the k-th of them. */
int matrix_memory(const costab_method *method, const matrix_system *system);
matrix_kept matrix_kept_at(const costab_method *method, const matrix_system *system, int k);

/* With N = n + history: Phi N x N and the inputs' matrices N x m, one per power 0..degree; real, or with
 * imaginary parts (NULL for a real block). */
typedef struct matrix_block {
    double *phi, *input[MATRIX_POWERS];
    double *phi_im, *input_im[MATRIX_POWERS];
    double *diagonal; /* N numbers or NULL: diagonal of Phi - I before rounding to Phi; real blocks only */
} matrix_block;

/* Workspace of matrix_steps, in doubles and ints; it depends on the system's sizes only. */
size_t matrix_step_work(const costab_method *method, const matrix_system *system);
size_t matrix_step_iwork(const costab_method *method, const matrix_system *system);

/* Computes `count` >= 0 micro steps of length h; ratio: h/H. [out] block: real parts. Returns false if the
 * stage equations are singular, that is if z = h lambda is a pole of R. Overflow gives inf or NaN. */
bool matrix_steps(const costab_method *method, const matrix_system *system, double h, double ratio,
                  long count, const matrix_block *block, double *work, int *iwork);

/* Like matrix_steps, for a real number of micro steps, by the principal power of one step [SP], in general
 * complex. Fills real and imaginary matrices of the block. iwork: as for matrix_steps; work:
 * matrix_real_power_work doubles, aligned for complex numbers. COSTAB_NUMERIC if the Schur form fails or z is
 * a pole of R. */
size_t matrix_real_power_work(const costab_method *method, const matrix_system *system);
costab_status matrix_real_power(const costab_method *method, const matrix_system *system, double h,
                                double ratio, double count, const matrix_block *block, double *work,
                                int *iwork, costab_error *error);
