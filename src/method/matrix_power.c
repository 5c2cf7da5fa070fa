/* A real number of micro steps: the principal power of R(hG).
 *
 * The whole steps go by repeated squaring; the rest, a power f in (0, 1), through the complex Schur form of
 * R(hA), which makes the augmented matrix upper triangular: square roots (Bjorck-Hammarling recurrence) until
 * it is near I, the binomial series of (I + E)^f there, and as many squarings back. An eigenvalue 0 is moved
 * to the smallest normal number, whose powers vanish. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define lapack_complex_double double complex
#define lapack_complex_float  float complex
#include <lapacke.h>

#include "base/error.h"
#include "method/matrix.h"

typedef double complex number;

/* Square roots until no entry is farther than this from I; then the series needs SERIES_TERMS for 2^-60. */
#define NEAR_IDENTITY 0.0625
enum { SERIES_TERMS = 24, ROOTS_MAX = 100 };

static double distance_from_identity(int n, const number *t) {
    double largest = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = i; j < n; j++) sum += cabs(t[i * n + j] - (i == j ? 1 : 0));
        if (!(sum <= largest)) largest = sum;
    }
    return largest;
}

/* The principal square root of an upper triangular matrix, in place, column by column. */
static void triangular_root(int n, number *t) {
    for (int j = 0; j < n; j++) {
        t[j * n + j] = csqrt(t[j * n + j]);
        for (int i = j - 1; i >= 0; i--) {
            number sum = t[i * n + j];
            for (int k = i + 1; k < j; k++) sum -= t[i * n + k] * t[k * n + j];
            t[i * n + j] = sum / (t[i * n + i] + t[j * n + j]);
        }
    }
}

static void triangular_multiply(int n, const number *a, const number *b, number *c) {
    memset(c, 0, (size_t)n * (size_t)n * sizeof *c);
    for (int i = 0; i < n; i++)
        for (int k = i; k < n; k++)
            for (int j = k; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* t = t^f for upper triangular t; work: 2 n n. */
static bool triangular_power(int n, number *t, double f, number *work) {
    size_t size = (size_t)n * (size_t)n;
    number *term = work, *product = work + size;
    for (int i = 0; i < n; i++)
        if (cabs(t[i * n + i]) < DBL_MIN) t[i * n + i] = DBL_MIN;
    int roots = 0;
    while (!(distance_from_identity(n, t) <= NEAR_IDENTITY)) {
        if (++roots > ROOTS_MAX) return false;
        triangular_root(n, t);
    }
    for (int i = 0; i < n; i++) t[i * n + i] -= 1;
    memset(term, 0, size * sizeof *term);
    for (int i = 0; i < n; i++) term[i * n + i] = 1;
    number *sum = work + 2 * size;
    memcpy(sum, term, size * sizeof *sum);
    for (int k = 1; k <= SERIES_TERMS; k++) {
        triangular_multiply(n, term, t, product);
        for (size_t e = 0; e < size; e++) {
            term[e] = product[e] * ((f - (k - 1)) / k);
            sum[e] += term[e];
        }
    }
    for (int k = 0; k < roots; k++) {
        triangular_multiply(n, sum, sum, product);
        memcpy(sum, product, size * sizeof *sum);
    }
    memcpy(t, sum, size * sizeof *t);
    return true;
}

/* What the calculation needs; complex numbers lie in pairs of doubles. */
typedef struct power_work {
    double *step;  /* Phi, U, V of one micro step, then of the whole steps */
    double *inner; /* for matrix_steps */
    number *schur, *vectors, *values, *triangle, *rest;
    double *real;
} power_work;

enum { SCHUR_WORK = 32 };

/* The next `count` numbers of the workspace. */
static number *take(double **at, size_t count) {
    number *taken = (number *)(void *)*at;
    *at += 2 * count;
    return taken;
}

static size_t schur_size(size_t n, size_t width) {
    size_t inner = SCHUR_WORK * n, turned = n * width;
    return n * n + (inner > turned ? inner : turned);
}

size_t matrix_real_power_work(const costab_method *method, int n, int m) {
    size_t N = (size_t)n, width = (size_t)n + 2 * (size_t)m;
    size_t complex_numbers = schur_size(N, width) + N * N + N + 4 * width * width + N * width;
    return 2 * N * width + N + 2 * complex_numbers + matrix_step_work(method, n, m);
}

static power_work power_work_at(double *at, int n, int m) {
    size_t N = (size_t)n, width = (size_t)n + 2 * (size_t)m;
    power_work w;
    w.schur = take(&at, schur_size(N, width));
    w.vectors = take(&at, N * N);
    w.values = take(&at, N);
    w.triangle = take(&at, 4 * width * width);
    w.rest = take(&at, N * width);
    w.step = at;
    w.real = w.step + 2 * N * width;
    w.inner = w.real + N;
    return w;
}

static matrix_block block_in(double *at, int n, int m) {
    return (matrix_block){.phi = at, .u = at + n * n, .v = at + n * n + n * m};
}

/* rest = first rows of the f-th power of the one-step matrix `one`: n x (n + 2m), complex. */
static bool fraction(int n, int m, const matrix_block *one, double ratio, double f, const power_work *w) {
    int width = n + 2 * m, found = 0;
    number *t = w->schur, *q = w->vectors, *big = w->triangle, *rest = w->rest;
    /* By columns, as LAPACK wants it: R = Q T Q^H with Q in `q`, column-major. */
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) t[j * n + i] = one->phi[i * n + j];
    if (n > 0 && LAPACKE_zgees_work(LAPACK_COL_MAJOR, 'V', 'N', NULL, n, t, n, &found, w->values, q, n,
                                    w->schur + n * n, SCHUR_WORK * n, w->real, NULL) != 0)
        return false;
    memset(big, 0, (size_t)width * (size_t)width * sizeof *big);
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) big[i * width + j] = t[j * n + i];
        for (int j = 0; j < m; j++)
            for (int k = 0; k < n; k++) {
                big[i * width + n + j] += conj(q[i * n + k]) * one->u[k * m + j];
                big[i * width + n + m + j] += conj(q[i * n + k]) * one->v[k * m + j];
            }
    }
    for (int j = n; j < width; j++) big[j * width + j] = 1;
    for (int j = 0; j < m; j++) big[(n + j) * width + n + m + j] = ratio;
    if (!triangular_power(width, big, f, big + (size_t)width * (size_t)width)) return false;

    number *turned = w->schur + n * n; /* T^f Q^H, then Q times it */
    memset(rest, 0, (size_t)n * (size_t)width * sizeof *rest);
    memset(turned, 0, (size_t)n * (size_t)width * sizeof *turned);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            for (int k = i; k < n; k++) turned[i * width + j] += big[i * width + k] * conj(q[k * n + j]);
        for (int j = n; j < width; j++) turned[i * width + j] = big[i * width + j];
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < width; j++) rest[i * width + j] += q[k * n + i] * turned[k * width + j];
    return true;
}

/* The whole steps first, then the rest. */
static void join(int n, int m, const number *rest, const matrix_block *whole, double moved,
                 const matrix_block *out) {
    int width = n + 2 * m;
    for (int i = 0; i < n; i++) {
        const number *row = rest + i * width;
        for (int j = 0; j < n; j++) {
            number sum = 0;
            for (int k = 0; k < n; k++) sum += row[k] * whole->phi[k * n + j];
            out->phi[i * n + j] = creal(sum);
            out->phi_im[i * n + j] = cimag(sum);
        }
        for (int j = 0; j < m; j++) {
            number u = row[n + j], v = moved * row[n + j] + row[n + m + j];
            for (int k = 0; k < n; k++) {
                u += row[k] * whole->u[k * m + j];
                v += row[k] * whole->v[k * m + j];
            }
            out->u[i * m + j] = creal(u);
            out->u_im[i * m + j] = cimag(u);
            out->v[i * m + j] = creal(v);
            out->v_im[i * m + j] = cimag(v);
        }
    }
}

costab_status matrix_real_power(const costab_method *method, const matrix_system *system, double h,
                                double ratio, double count, const matrix_block *block, double *work,
                                int *iwork, costab_error *error) {
    int n = system->n, m = system->m;
    double steps = floor(count);
    power_work w = power_work_at(work, n, m);
    matrix_block one = block_in(w.step, n, m), whole = block_in(w.step + n * (n + 2 * m), n, m);
    if (!matrix_steps(method, system, h, ratio, 1, &one, w.inner, iwork) ||
        !matrix_steps(method, system, h, ratio, (long)steps, &whole, w.inner, iwork))
        return error_set(error, COSTAB_NUMERIC, "the stage equations are singular at the step %.17g", h);
    if (!fraction(n, m, &one, ratio, count - steps, &w))
        return error_set(error, COSTAB_NUMERIC, "the power %.17g of a micro step's matrix was not found",
                         count);
    join(n, m, w.rest, &whole, steps * ratio, block);
    return COSTAB_OK;
}
