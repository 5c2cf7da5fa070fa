/* Micro steps of a linear subsystem as blocks (Phi, U, V).
 *
 * One Runge-Kutta step solves its stage equations k_i = Z (x + sum a_ij k_j) + hB (u + c_i ratio d), Z = hA,
 * for the columns of (x, u, d) at once: in turn for an explicit tableau, as one linear system of s n
 * equations for an implicit one. The exact step sums the Taylor series of exp(hG), scaled to ||Z|| <= 1/2; B
 * enters linearly, so that it needs no scaling. Many steps are composed by repeated squaring: the block of c1
 * steps followed by c2 steps is Phi2 Phi1,   Phi2 U1 + U2,   Phi2 V1 + c1 ratio U2 + V2. Here Phi is kept as
 * I + P, with P alone in memory: what a short step does is rounded relative to its own size, and m steps lose
 * log2(m) roundings of that size rather than m roundings of 1. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "method/matrix.h"
#include <cblas.h>

/* Below this many products a plain loop is faster than a call of BLAS. */
#define BLAS_WORTHWHILE 16384.0

/* Below this many rows a plain loop is faster than LAPACK and BLAS. */
enum { SMALL_MOST = 24 };

/* c += a b, the rows of a `step` apart. */
static void multiply_add(int rows, int inner, int columns, const double *a, int step, const double *b,
                         double *c) {
    if (rows == 0 || inner == 0 || columns == 0) return;
    if ((double)rows * inner * columns > BLAS_WORTHWHILE) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, inner, 1, a, step, b, columns,
                    1, c, columns);
        return;
    }
    for (int i = 0; i < rows; i++) {
        double *restrict row = c + (size_t)i * (size_t)columns;
        for (int k = 0; k < inner; k++) {
            const double factor = a[(size_t)i * (size_t)step + (size_t)k];
            const double *restrict from = b + (size_t)k * (size_t)columns;
            if (factor == 0) continue; /* of inf and nan nothing is left either: they are seen elsewhere */
            for (int j = 0; j < columns; j++) row[j] += factor * from[j];
        }
    }
}

void matrix_multiply_add(int rows, int inner, int columns, const double *a, const double *b, double *c) {
    multiply_add(rows, inner, columns, a, inner, b, c);
}

void matrix_multiply(int rows, int inner, int columns, const double *a, const double *b, double *c) {
    memset(c, 0, (size_t)rows * (size_t)columns * sizeof *c);
    matrix_multiply_add(rows, inner, columns, a, b, c);
}

/* LAPACK works by columns, so it sees the transpose: a' = P' L U, and a = U' L' P. Small matrices are
 * factored here, into the same places. */
static bool factor_small(int n, double *a, int *pivots) {
    bool regular = true;
    for (int k = 0; k < n; k++) {
        double *column = a + k * n;
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(column[i]) > fabs(column[pivot])) pivot = i;
        pivots[k] = pivot + 1;
        if (column[pivot] == 0) {
            regular = false;
            continue;
        }
        for (int j = 0; j < n && pivot != k; j++) {
            double kept = a[j * n + k];
            a[j * n + k] = a[j * n + pivot];
            a[j * n + pivot] = kept;
        }
        for (int i = k + 1; i < n; i++) column[i] /= column[k];
        for (int j = k + 1; j < n; j++) {
            const double factor = a[j * n + k];
            if (factor == 0) continue;
            for (int i = k + 1; i < n; i++) a[j * n + i] -= factor * column[i];
        }
    }
    return regular;
}

bool matrix_factor(int n, double *a, int *pivots) {
    if (n <= SMALL_MOST) return factor_small(n, a, pivots);
    return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, a, n, pivots) == 0;
}

static void subtract_row(int columns, double factor, const double *restrict from, double *restrict to) {
    if (factor == 0) return;
    for (int j = 0; j < columns; j++) to[j] -= factor * from[j];
}

static void solve_small(int n, const double *factors, int columns, double *b) {
    size_t width = (size_t)columns;
    for (int i = 0; i < n; i++) {
        double *row = b + (size_t)i * width;
        const double *column = factors + i * n;
        for (int k = 0; k < i; k++) subtract_row(columns, column[k], b + (size_t)k * width, row);
        for (int j = 0; j < columns; j++) row[j] /= column[i];
    }
    for (int i = n - 1; i >= 0; i--)
        for (int k = i + 1; k < n; k++)
            subtract_row(columns, factors[i * n + k], b + (size_t)k * width, b + (size_t)i * width);
}

static void solve_large(int n, const double *factors, int columns, double *b) {
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, columns, 1, factors, n,
                b, columns);
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasUnit, n, columns, 1, factors, n, b,
                columns);
}

void matrix_solve(int n, const double *factors, const int *pivots, int columns, double *b) {
    if (n == 0 || columns == 0) return;
    if (n <= SMALL_MOST)
        solve_small(n, factors, columns, b);
    else
        solve_large(n, factors, columns, b);
    for (int i = n - 1; i >= 0; i--) {
        double *row = b + (size_t)i * (size_t)columns, *other = b + (size_t)(pivots[i] - 1) * (size_t)columns;
        for (int j = 0; j < columns && other != row; j++) {
            double kept = row[j];
            row[j] = other[j];
            other[j] = kept;
        }
    }
}

double matrix_norm_rows(int n, const double *a) {
    double norm = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += fabs(a[(size_t)i * (size_t)n + (size_t)j]);
        if (!(sum <= norm)) norm = sum;
    }
    return norm;
}

double matrix_condition(int n, const double *factors, double norm, double *work, int *iwork) {
    double reciprocal = 0;
    if (n == 0) return 1;
    if (LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', n, factors, n, norm, &reciprocal, work, iwork) != 0)
        return 0;
    return reciprocal;
}

/* Between these a sum of squares has neither overflowed nor lost what matters. */
#define SQUARES_LEAST 0x1p-900
#define SQUARES_MOST  0x1p1000

double matrix_norm(size_t count, const double *a) {
    double largest = 0, sum = 0;
    for (size_t i = 0; i < count; i++) sum += a[i] * a[i];
    if (sum > SQUARES_LEAST && sum < SQUARES_MOST) return sqrt(sum);
    sum = 0;
    for (size_t i = 0; i < count; i++)
        if (!(fabs(a[i]) <= largest)) largest = fabs(a[i]);
    if (largest == 0 || !isfinite(largest)) return largest;
    for (size_t i = 0; i < count; i++) sum += (a[i] / largest) * (a[i] / largest);
    return largest * sqrt(sum);
}

/* ---- Blocks: rows of n x (n + 2m), [P U V]
 * ---------------------------------------------------------------- */

typedef struct block_shape {
    int n, m, width;
    size_t size; /* of a block */
} block_shape;

static block_shape shape_of(int n, int m) {
    int width = n + 2 * m;
    return (block_shape){n, m, width, (size_t)n * (size_t)width};
}

/* out = the steps of `first` (`count` of them, the input moving by `ratio` a step), then those of `second`.
 */
static void compose(block_shape s, const double *second, const double *first, double count, double ratio,
                    double *out) {
    for (int i = 0; i < s.n; i++) {
        const double *row = second + i * s.width;
        double *to = out + i * s.width;
        const double *before = first + i * s.width;
        for (int j = 0; j < s.width; j++) to[j] = row[j] + before[j];
        for (int j = s.n + s.m; j < s.width; j++) to[j] += count * ratio * row[j - s.m];
    }
    multiply_add(s.n, s.n, s.width, second, s.width, first, out);
}

/* The right-hand side of one stage: [Z  hB  c ratio hB] + Z times the stages so far, row i. */
static void stage_rows(const matrix_system *system, block_shape s, double h, double ratio, double c,
                       double *k) {
    for (int i = 0; i < s.n; i++) {
        double *row = k + i * s.width;
        for (int j = 0; j < s.n; j++) row[j] = h * system->A[i * s.n + j];
        for (int j = 0; j < s.m; j++) {
            row[s.n + j] = h * system->B[i * s.m + j];
            row[s.n + s.m + j] = c * ratio * row[s.n + j];
        }
    }
}

/* An explicit method is a polynomial: P = Z phi(Z), U = phi(Z) hB, V = ratio P1(Z) hB by Horner's scheme, for
 * the columns of [Z  hB  ratio hB] at once. */
static void explicit_step(const costab_method *method, const matrix_system *system, block_shape s, double h,
                          double ratio, double *step, double *work) {
    double *columns = work, *next = work + s.size;
    stage_rows(system, s, h, ratio, 1, columns);
    memset(step, 0, s.size * sizeof *step);
    for (int k = method->stages - 1; k >= 0; k--) {
        double phi = k <= method->phi_degree ? method->phi[k] : 0;
        double p1 = k <= method->p1_degree ? method->p1[k] : 0;
        for (int i = 0; i < s.n; i++) {
            const double *from = columns + i * s.width;
            double *to = next + i * s.width;
            for (int j = 0; j < s.n + s.m; j++) to[j] = phi * from[j];
            for (int j = s.n + s.m; j < s.width; j++) to[j] = p1 * from[j];
        }
        if (k < method->stages - 1) multiply_add(s.n, s.n, s.width, columns, s.width, step, next);
        memcpy(step, next, s.size * sizeof *step);
    }
}

static bool implicit_step(const costab_method *method, const matrix_system *system, block_shape s, double h,
                          double ratio, double *step, double *work, int *pivots) {
    int stages = method->stages, total = stages * s.n;
    double *matrix = work, *k = work + (size_t)total * (size_t)total;
    for (int i = 0; i < stages; i++) {
        stage_rows(system, s, h, ratio, method->c[i], k + (size_t)i * s.size);
        for (int r = 0; r < s.n; r++) {
            double *row = matrix + (size_t)(i * s.n + r) * (size_t)total;
            for (int j = 0; j < stages; j++)
                for (int c = 0; c < s.n; c++)
                    row[j * s.n + c] = (i == j && r == c) - h * method->A[i][j] * system->A[r * s.n + c];
        }
    }
    if (!matrix_factor(total, matrix, pivots)) return false;
    matrix_solve(total, matrix, pivots, s.width, k);
    memset(step, 0, s.size * sizeof *step);
    for (int i = 0; i < stages; i++)
        for (size_t e = 0; e < s.size; e++) step[e] += method->b[i] * k[(size_t)i * s.size + e];
    return true;
}

/* With ||Z|| <= 1/2 the terms fall below 2^-60 of the first before the twentieth. */
enum { TAYLOR_TERMS = 20 };

/* exp over a length h; scaled by 2^-squarings and composed with itself. */
static void exact_step(const matrix_system *system, block_shape s, double h, double ratio, double *step,
                       double *work) {
    double norm = h * matrix_norm_rows(s.n, system->A);
    int squarings = 0;
    if (norm > 0.5 && isfinite(norm)) squarings = (int)ceil(log2(norm)) + 1;
    double part = ldexp(h, -squarings), slope = ldexp(ratio, -squarings);
    double *term = work, *next = work + s.size;

    memset(term, 0, s.size * sizeof *term);
    for (int i = 0; i < s.n; i++) {
        term[i * s.width + i] = 1;
        for (int j = 0; j < s.m; j++) {
            term[i * s.width + s.n + j] = part * system->B[i * s.m + j];
            term[i * s.width + s.n + s.m + j] = slope * part * system->B[i * s.m + j] / 2;
        }
    }
    memcpy(step, term, s.size * sizeof *step);
    for (int i = 0; i < s.n; i++) step[i * s.width + i] = 0;
    for (int k = 1; k < TAYLOR_TERMS; k++) {
        matrix_multiply(s.n, s.n, s.width, system->A, term, next);
        for (int i = 0; i < s.n; i++) {
            double *row = next + i * s.width;
            for (int j = 0; j < s.width; j++) {
                row[j] *= part / (j < s.n ? k : j < s.n + s.m ? k + 1 : k + 2);
                step[i * s.width + j] += row[j];
            }
        }
        double *swap = term;
        term = next;
        next = swap;
    }
    double count = 1;
    for (int k = 0; k < squarings; k++, count *= 2) {
        compose(s, step, step, count, slope, work);
        memcpy(step, work, s.size * sizeof *step);
    }
}

/* result = step^count by repeated squaring; `step` is destroyed. */
static void power(block_shape s, double *step, long count, double ratio, double *result, double *work) {
    memset(result, 0, s.size * sizeof *result);
    double length = 1;
    bool started = false;
    for (; count > 0; count >>= 1) {
        if ((count & 1) != 0) {
            if (started) {
                compose(s, result, step, length, ratio, work);
                memcpy(result, work, s.size * sizeof *result);
            } else {
                memcpy(result, step, s.size * sizeof *result);
            }
            started = true;
        }
        if (count > 1) {
            compose(s, step, step, length, ratio, work);
            memcpy(step, work, s.size * sizeof *step);
            length *= 2;
        }
    }
}

size_t matrix_step_work(const costab_method *method, int n, int m) {
    size_t block = shape_of(n, m).size, stages = (size_t)method->stages;
    size_t inner = method->kind == COSTAB_EXACT ? 2 * block : (stages + 1) * block;
    if (method->implicit) inner += stages * (size_t)n * stages * (size_t)n;
    return 2 * block + inner;
}

size_t matrix_step_iwork(const costab_method *method, int n, int m) {
    (void)m;
    return method->implicit ? (size_t)method->stages * (size_t)n : 0;
}

bool matrix_steps(const costab_method *method, const matrix_system *system, double h, double ratio,
                  long count, const matrix_block *block, double *work, int *iwork) {
    block_shape s = shape_of(system->n, system->m);
    double *step = work, *result = work + s.size, *inner = work + 2 * s.size;
    if (method->kind == COSTAB_EXACT) {
        exact_step(system, s, h * (double)count, ratio * (double)count, result, inner);
    } else {
        if (!method->implicit)
            explicit_step(method, system, s, h, ratio, step, inner);
        else if (!implicit_step(method, system, s, h, ratio, step, inner, iwork))
            return false;
        power(s, step, count, ratio, result, inner);
    }
    for (int i = 0; i < s.n; i++) {
        const double *row = result + i * s.width;
        memcpy(block->phi + i * s.n, row, (size_t)s.n * sizeof *row);
        block->phi[i * s.n + i] += 1;
        if (s.m == 0) continue;
        memcpy(block->u + i * s.m, row + s.n, (size_t)s.m * sizeof *row);
        memcpy(block->v + i * s.m, row + s.n + s.m, (size_t)s.m * sizeof *row);
    }
    return true;
}
