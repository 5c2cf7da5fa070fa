/* method/matrix.h - what micro steps do to a linear subsystem x' = A x + B u.
 *
 * The input is linear over a macro step H: u(t) = u0 + (t - t0)/H d. With the augmented matrix
 * G = [A B 0; 0 0 I/H; 0 0 0] acting on (x, u, d), c micro steps h are R(hG)^c, whose first row of blocks is
 *
 *     x+ = Phi x + U u + V d,      u+ = u + c h/H d,
 *
 * u the input where the steps begin. Nothing is inverted but the stage equations of an implicit method.
 * Matrices are dense and row-major; the caller brings the workspace. */
#ifndef METHOD_MATRIX_H
#define METHOD_MATRIX_H

#include "costab/method.h"

/* c += a b; a: rows x inner, b: inner x columns. */
void matrix_multiply_add(int rows, int inner, int columns, const double *a, const double *b, double *c);
/* c = a b. */
void matrix_multiply(int rows, int inner, int columns, const double *a, const double *b, double *c);

/* LU factors of the n x n matrix a, in place, pivots: n places. False where it is exactly singular. */
bool matrix_factor(int n, double *a, int *pivots);
/* Solves a X = b in place with these factors; b: n x columns. */
void matrix_solve(int n, const double *factors, const int *pivots, int columns, double *b);
/* The reciprocal condition number (1-norm of the transpose) from the factors and the norm of a that
 * matrix_norm_rows gives. work: 4 n doubles, iwork: n ints. */
double matrix_condition(int n, const double *factors, double norm, double *work, int *iwork);
double matrix_norm_rows(int n, const double *a);
/* Square root of the sum of squares; infinite or NaN where an entry is. */
double matrix_norm(size_t count, const double *a);

/* One linear subsystem: A n x n, B n x m. */
typedef struct matrix_system {
    int n, m;
    const double *A, *B;
} matrix_system;

/* Phi n x n, U and V n x m, all real, or with imaginary parts (NULL for a real block). */
typedef struct matrix_block {
    double *phi, *u, *v;
    double *phi_im, *u_im, *v_im;
} matrix_block;

/* Workspace of the two functions below: doubles and ints. */
size_t matrix_step_work(const costab_method *method, int n, int m);
size_t matrix_step_iwork(const costab_method *method, int n, int m);

/* `count` >= 0 micro steps h, slope h/H = `ratio` of the input a micro step. [out] block (real parts). False
 * where the stage equations are singular: z = h lambda is a pole of R. What overflows comes out as inf or
 * nan. */
bool matrix_steps(const costab_method *method, const matrix_system *system, double h, double ratio,
                  long count, const matrix_block *block, double *work, int *iwork);

/* The same for a real number of micro steps, by the principal power of R(hG) [SP]: complex in general. All
 * six parts of the block are filled. iwork as for matrix_steps; work: matrix_real_power_work doubles, aligned
 * as complex numbers are. COSTAB_NUMERIC where the Schur form fails or z is a pole of R. */
size_t matrix_real_power_work(const costab_method *method, int n, int m);
costab_status matrix_real_power(const costab_method *method, const matrix_system *system, double h,
                                double ratio, double count, const matrix_block *block, double *work,
                                int *iwork, costab_error *error);

#endif
