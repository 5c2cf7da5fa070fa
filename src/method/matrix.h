/* method/matrix.h - dense matrices, and micro steps of a linear subsystem x' = A x + B u as matrices.
 *
 * The input over a macro step H is a polynomial u(s) = sum U_l s^l, s = (t - t0)/H, t0 the time where the
 * steps begin. Micro steps h are then
 *
 *     x+ = Phi x + sum input_l U_l,
 *
 * one micro step taking the polynomial at its stage times: Phi = R(hA), input_l = h (h/H)^l P_l(hA) B.
 * (Powers of [A B 0; 0 0 I/H; 0 0 0], which has u and its slope for states, give the same up to degree 1 and
 * not beyond, where they need more of a tableau than consistency.) Nothing is inverted but the stage
 * equations of an implicit method. Matrices are dense and row-major; the caller brings the workspace. */
#pragma once

#include <math.h>

#include "costab/method.h"

/* c += a b, where the rows of a lie `step` doubles apart. */
void matrix_multiply_add_rows(int rows, int inner, int columns, const double *a, int step, const double *b,
                              double *c);
/* c += a b; a: rows x inner, b: inner x columns. */
void matrix_multiply_add(int rows, int inner, int columns, const double *a, const double *b, double *c);
/* c = a b. */
void matrix_multiply(int rows, int inner, int columns, const double *a, const double *b, double *c);

/* Factors the n x n matrix a into L U, in place. [out] pivots: n entries. False where a is exactly singular.
 */
bool matrix_factor(int n, double *a, int *pivots);
/* Solves a X = b in place with the factors of matrix_factor; b: n x columns. */
void matrix_solve(int n, const double *factors, const int *pivots, int columns, double *b);
/* The reciprocal condition number (1-norm of the transpose) from the factors and the norm of a that
 * matrix_norm_rows gives; of more than 24 rows that of LAPACK's estimate, which may be too large. work: 4 n
 * doubles, iwork: n ints. */
double matrix_condition(int n, const double *factors, double norm, double *work, int *iwork);
double matrix_norm_rows(int n, const double *a);
/* entry * by / over. Both are powers of 2, and so is their quotient, which may be beyond the doubles. */
static inline double matrix_scaled(double entry, double by, double over) {
    double quotient = by / over;
    if (isnormal(quotient)) return entry * quotient;
    return entry == 0 ? 0 : ldexp(entry, ilogb(by) - ilogb(over));
}

/* Are all numbers finite? */
bool matrix_finite(size_t count, const double *a);

/* The square root of the sum of squares; infinite or NaN if an entry is. */
double matrix_norm(size_t count, const double *a);

/* One linear subsystem: A n x n, B n x m, its input a polynomial of the given degree. Positions and
 * velocities are rows of A, `pairs` of each: a method with structure reads them, others do not. */
enum { MATRIX_DEGREE_MAX = 3, MATRIX_POWERS = MATRIX_DEGREE_MAX + 1 };

typedef struct matrix_system {
    int n, m, degree;
    const double *A, *B;
    int pairs;
    const int *positions, *velocities;
    const double *rise; /* of COSTAB_SAMPLED: what an input does that rises by 1; NULL: they do not rise */
} matrix_system;

/* What a method carries from one step to the next beside the n states, behind which it stands: values or
 * slopes of states, `back` micro steps ago. block_structured.c says which: accelerations of generalized
 * alpha, the former states of BDF2. */
typedef struct matrix_kept {
    int state, back;
    bool slope;
} matrix_kept;

/* How many there are, and the k-th. */
int matrix_memory(const costab_method *method, const matrix_system *system);
matrix_kept matrix_kept_at(const costab_method *method, const matrix_system *system, int k);

/* With N = n + memory: Phi N x N and the inputs' matrices N x m, one per power 0..degree, all real, or with
 * imaginary parts (NULL for a real block). */
typedef struct matrix_block {
    double *phi, *input[MATRIX_POWERS];
    double *phi_im, *input_im[MATRIX_POWERS];
    double *diagonal; /* N numbers or NULL: of Phi - I before it is rounded to Phi; of a real block */
} matrix_block;

/* The workspace of the two functions below, in doubles and ints. It depends on the system's sizes only. */
size_t matrix_step_work(const costab_method *method, const matrix_system *system);
size_t matrix_step_iwork(const costab_method *method, const matrix_system *system);

/* `count` >= 0 micro steps h, each of them h/H = `ratio` macro steps. [out] block (real parts). False
 * where the stage equations are singular: z = h lambda is a pole of R. What overflows comes out as inf or
 * nan. */
bool matrix_steps(const costab_method *method, const matrix_system *system, double h, double ratio,
                  long count, const matrix_block *block, double *work, int *iwork);

/* The same for a real number of micro steps, by the principal power of one step [SP], which is complex in
 * general. Fills real and imaginary matrices of the block. iwork as for matrix_steps; work:
 * matrix_real_power_work doubles, aligned as complex numbers are. COSTAB_NUMERIC where the Schur form fails
 * or z is a pole of R. */
size_t matrix_real_power_work(const costab_method *method, const matrix_system *system);
costab_status matrix_real_power(const costab_method *method, const matrix_system *system, double h,
                                double ratio, double count, const matrix_block *block, double *work,
                                int *iwork, costab_error *error);
