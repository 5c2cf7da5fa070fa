/* Dense matrices: products, factors, norms.
 *
 * 1. Plain loops with a fixed order of operations compute products of up to 16,384 multiplications (of one
 *    column up to 128), and factor matrices of up to 24 rows.
 * 2. Larger matrices use BLAS and LAPACK; column-major routines read row-major matrices as transposes.
 * 3. Reciprocal condition number: from the inverse for small matrices, otherwise LAPACK's estimate. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "method/matrix.h"

/* Up to this number of multiplications a plain loop is faster than a call of BLAS. */
#define BLAS_WORTHWHILE 16384.0
/* The same for a product with one column. */
#define VECTOR_WORTHWHILE 128.0

/* Up to this number of rows plain loops are faster than LAPACK and BLAS. */
enum { SMALL_MOST = 24 };

/* Columns of a product that are accumulated together. */
enum { COLUMNS_MOST = 8 };

/* Accumulates some columns of a product with rows of `width`; compiled for each number of columns so that
 * sums stay in registers. */
static inline __attribute__((always_inline)) void add_columns(int rows, int inner, const int columns,
                                                              const double *a, int step, const double *b,
                                                              double *c, int width) {
    for (int i = 0; i < rows; i++) {
        double *restrict row = c + (size_t)i * (size_t)width;
        double sums[COLUMNS_MOST];
        for (int j = 0; j < columns; j++) sums[j] = row[j];
        for (int k = 0; k < inner; k++) {
            const double factor = a[(size_t)i * (size_t)step + (size_t)k];
            const double *restrict from = b + (size_t)k * (size_t)width;
            if (factor == 0) continue; /* also skips inf and NaN, which other checks detect */
            for (int j = 0; j < columns; j++) sums[j] += factor * from[j];
        }
        for (int j = 0; j < columns; j++) row[j] = sums[j];
    }
}

BASE_CLONES
static void multiply_add_small(int rows, int inner, int columns, const double *a, int step, const double *b,
                               double *c) {
    int width = columns;
    for (; columns >= COLUMNS_MOST; columns -= COLUMNS_MOST, b += COLUMNS_MOST, c += COLUMNS_MOST)
        add_columns(rows, inner, COLUMNS_MOST, a, step, b, c, width);
    if ((columns & 4) != 0) add_columns(rows, inner, 4, a, step, b, c, width), b += 4, c += 4;
    if ((columns & 2) != 0) add_columns(rows, inner, 2, a, step, b, c, width), b += 2, c += 2;
    if ((columns & 1) != 0) add_columns(rows, inner, 1, a, step, b, c, width);
}

void matrix_multiply_add_rows(int rows, int inner, int columns, const double *a, int step, const double *b,
                              double *c) {
    if (rows == 0 || inner == 0 || columns == 0) return;
    if (columns == 1 && (double)rows * inner > VECTOR_WORTHWHILE)
        cblas_dgemv(CblasRowMajor, CblasNoTrans, rows, inner, 1, a, step, b, 1, 1, c, 1);
    else if ((double)rows * inner * columns > BLAS_WORTHWHILE)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, inner, 1, a, step, b, columns,
                    1, c, columns);
    else
        multiply_add_small(rows, inner, columns, a, step, b, c);
}

void matrix_multiply_add(int rows, int inner, int columns, const double *a, const double *b, double *c) {
    matrix_multiply_add_rows(rows, inner, columns, a, inner, b, c);
}

void matrix_multiply(int rows, int inner, int columns, const double *a, const double *b, double *c) {
    memset(c, 0, (size_t)rows * (size_t)columns * sizeof *c);
    matrix_multiply_add(rows, inner, columns, a, b, c);
}

/* LAPACK is column-major and reads the transpose: a' = P' L U, a = U' L' P. This code stores small factors
 * likewise. */
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
            double swap = a[j * n + k];
            a[j * n + k] = a[j * n + pivot];
            a[j * n + pivot] = swap;
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
            double swap = row[j];
            row[j] = other[j];
            other[j] = swap;
        }
    }
}

double matrix_norm_rows(int n, const double *a) {
    double norm = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += fabs(a[(size_t)i * (size_t)n + (size_t)j]);
        if (isnan(sum)) return sum;
        norm = fmax(norm, sum);
    }
    return norm;
}

/* Reciprocal condition number from the norm of the inverse. Row exchanges do not change it. */
static double condition_small(int n, const double *factors, double norm) {
    double inverse[SMALL_MOST * SMALL_MOST];
    for (int e = 0; e < n * n; e++) inverse[e] = e % (n + 1) == 0;
    solve_small(n, factors, n, inverse);
    double whole = norm * matrix_norm_rows(n, inverse);
    return whole > 0 ? 1 / whole : 0;
}

double matrix_reciprocal_condition(int n, const double *factors, double norm, double *work, int *iwork) {
    double reciprocal = 0;
    if (n == 0) return 1;
    if (n <= SMALL_MOST) return condition_small(n, factors, norm);
    if (LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', n, factors, n, norm, &reciprocal, work, iwork) != 0)
        return 0;
    return reciprocal;
}

bool matrix_finite(size_t count, const double *a) {
    double sums[4] = {0}; /* independent sums hide latency */
    size_t whole = count / 4 * 4;
    for (size_t i = 0; i < whole; i += 4)
        for (size_t k = 0; k < 4; k++) sums[k] += 0 * a[i + k];
    for (size_t i = whole; i < count; i++) sums[0] += 0 * a[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]) == 0;
}

/* Between these bounds a sum of squares has neither overflowed nor lost significant terms. */
#define SQUARES_LEAST 0x1p-900
#define SQUARES_MOST  0x1p1000

double matrix_norm(size_t count, const double *a) {
    double largest = 0, sum = 0;
    for (size_t i = 0; i < count; i++) sum += a[i] * a[i];
    if (sum > SQUARES_LEAST && sum < SQUARES_MOST) return sqrt(sum);
    sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(a[i])) return a[i];
        largest = fmax(largest, fabs(a[i]));
    }
    if (largest == 0 || !isfinite(largest)) return largest;
    for (size_t i = 0; i < count; i++) sum += (a[i] / largest) * (a[i] / largest);
    return largest * sqrt(sum);
}
