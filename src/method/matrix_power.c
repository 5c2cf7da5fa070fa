/* A real number c of micro steps: the principal power R^c of one step's matrix (matrix.h), in general complex
 * ([SP]).
 *
 * The block of a step [Phi, input_0, .. input_d] is augmented to a square matrix by the coefficients U of the
 * input polynomial, which moves by `ratio` during the step:
 *
 *     [x+]   [Phi  input] [x]      S_(r,l) = binomial(l, r) ratio^(l - r),
 *     [U+] = [ 0     S  ] [U],
 *
 * 1. Whole steps: floor(c) by repeated squaring (block.c).
 * 2. Fractional power f in (0, 1): the complex Schur form Phi = Q T Q^H (LAPACK's zgees) makes the augmented
 *    matrix upper triangular. Square roots (recurrence of A. Bjorck, S. Hammarling 1983) are taken until it
 *    is close to I, then the binomial series of (I + E)^f, then as many squarings. Its first rows are rotated
 *    back by Q.
 * 3. Whole steps and fractional power are composed.
 *
 * Cost: about 25 n^3 for the form, (n + (d + 1) m)^3 for each of up to 100 roots and 24 terms. Limitation: an
 * eigenvalue 0 has no principal power and is replaced by the smallest normal number, whose powers vanish;
 * close to a defective eigenvalue digits are lost. */
#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "method/matrix.h"

typedef double complex number;

/* Square roots are taken until the distance from I is at most this; SERIES_TERMS then leave an error below
 * 2^-100. */
#define NEAR_IDENTITY 0.0625
enum { SERIES_TERMS = 24, ROOTS_MAX = 100 };

/* || t - I ||, the largest row sum of moduli; t upper triangular. */
static double distance_from_identity(int n, const number *t) {
    double largest = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = i; j < n; j++) sum += cabs(t[i * n + j] - (i == j ? 1 : 0));
        if (!(sum <= largest)) largest = sum;
    }
    return largest;
}

/* Principal square root of an upper triangular matrix, in place, column by column. */
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

/* c = a b, all upper triangular. */
static void triangular_multiply(int n, const number *a, const number *b, number *c) {
    memset(c, 0, (size_t)n * (size_t)n * sizeof *c);
    for (int i = 0; i < n; i++)
        for (int k = i; k < n; k++)
            for (int j = k; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* t = t^f for upper triangular t; work: 3 n^2. Returns false if roots do not approach I. */
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

/* Workspace of a power. N: rows of the block; width: rows of the augmented matrix. Complex numbers are pairs
 * of doubles. */
typedef struct power_work {
    number *schur;     /* N^2: Phi, then T, column-major; then workspace of zgees, later N x width for the
                        * rotation */
    number *vectors;   /* N^2: Q, column-major */
    number *values;    /* N: eigenvalues */
    number *augmented; /* 4 width^2: the augmented matrix and its power; workspace of triangular_power */
    number *rest;      /* N x width: the fractional power, row-major */
    double *blocks;    /* 2 N width: blocks of one micro step and of the whole steps */
    double *real;      /* N: for zgees */
    double *step_work; /* for matrix_steps */
} power_work;

enum { SCHUR_WORK = 32 };

/* Returns the next `count` numbers of the workspace. */
static number *take_numbers(double **at, size_t count) {
    number *taken = (number *)(void *)*at;
    *at += 2 * count;
    return taken;
}

static size_t schur_size(size_t n, size_t width) {
    size_t inner = SCHUR_WORK * n, turned = n * width;
    return n * n + (inner > turned ? inner : turned);
}

/* Sizes of a block: n rows (including history), m inputs, polynomials of `degree`; width: columns. */
typedef struct power_shape {
    int n, m, degree, width;
} power_shape;

static power_shape shape_of(const costab_method *method, const matrix_system *system) {
    int n = system->n + matrix_memory(method, system);
    return (power_shape){n, system->m, system->degree, n + (system->degree + 1) * system->m};
}

size_t matrix_real_power_work(const costab_method *method, const matrix_system *system) {
    power_shape s = shape_of(method, system);
    size_t N = (size_t)s.n, width = (size_t)s.width;
    size_t complex_numbers = schur_size(N, width) + N * N + N + 4 * width * width + N * width;
    return 2 * N * width + N + 2 * complex_numbers + matrix_step_work(method, system);
}

static power_work power_work_at(double *at, power_shape s) {
    size_t N = (size_t)s.n, width = (size_t)s.width;
    power_work w;
    w.schur = take_numbers(&at, schur_size(N, width));
    w.vectors = take_numbers(&at, N * N);
    w.values = take_numbers(&at, N);
    w.augmented = take_numbers(&at, 4 * width * width);
    w.rest = take_numbers(&at, N * width);
    w.blocks = at;
    w.real = w.blocks + 2 * N * width;
    w.step_work = w.real + N;
    return w;
}

/* A real block with all parts in sequence from `at`. */
static matrix_block block_in(double *at, power_shape s) {
    matrix_block block = {.phi = at};
    for (int l = 0; l <= s.degree; l++) block.input[l] = at + s.n * (s.n + l * s.m);
    return block;
}

/* binomial(l, r) moved^(l - r): contribution of the coefficient of power l to that of power r after a shift
 * of the origin. */
static double moved_power(int l, int r, double moved) {
    double value = 1;
    for (int k = 0; k < l - r; k++) value *= moved * (l - k) / (k + 1);
    return value;
}

/* Computes w->rest, the first rows of the f-th power of the augmented matrix of one step. */
static bool fractional_power(power_shape s, const matrix_block *one, double ratio, double f,
                             const power_work *w) {
    int n = s.n, m = s.m, width = s.width, found = 0;
    number *t = w->schur, *q = w->vectors, *augmented = w->augmented, *rest = w->rest;
    /* Column-major for LAPACK: R = Q T Q^H, with Q in `q`. */
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) t[j * n + i] = one->phi[i * n + j];
    if (n > 0 && LAPACKE_zgees_work(LAPACK_COL_MAJOR, 'V', 'N', NULL, n, t, n, &found, w->values, q, n,
                                    w->schur + n * n, SCHUR_WORK * n, w->real, NULL) != 0)
        return false;
    memset(augmented, 0, (size_t)width * (size_t)width * sizeof *augmented);
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) augmented[i * width + j] = t[j * n + i];
        for (int l = 0; l <= s.degree; l++)
            for (int j = 0; j < m; j++)
                for (int k = 0; k < n; k++)
                    augmented[i * width + n + l * m + j] += conj(q[i * n + k]) * one->input[l][k * m + j];
    }
    for (int l = 0; l <= s.degree; l++)
        for (int r = 0; r <= l; r++)
            for (int j = 0; j < m; j++)
                augmented[(n + r * m + j) * width + n + l * m + j] = moved_power(l, r, ratio);
    if (!triangular_power(width, augmented, f, augmented + (size_t)width * (size_t)width)) return false;

    number *turned = w->schur + n * n; /* T^f Q^H, then Q times this */
    memset(rest, 0, (size_t)n * (size_t)width * sizeof *rest);
    memset(turned, 0, (size_t)n * (size_t)width * sizeof *turned);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            for (int k = i; k < n; k++)
                turned[i * width + j] += augmented[i * width + k] * conj(q[k * n + j]);
        for (int j = n; j < width; j++) turned[i * width + j] = augmented[i * width + j];
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < width; j++) rest[i * width + j] += q[k * n + i] * turned[k * width + j];
    return true;
}

/* out = the fractional power after the whole steps; `moved`: local time of the whole steps. */
static void compose(power_shape s, const number *rest, const matrix_block *whole, double moved,
                    const matrix_block *out) {
    int n = s.n, m = s.m;
    for (int i = 0; i < n; i++) {
        const number *row = rest + i * s.width;
        for (int j = 0; j < n; j++) {
            number sum = 0;
            for (int k = 0; k < n; k++) sum += row[k] * whole->phi[k * n + j];
            out->phi[i * n + j] = creal(sum);
            out->phi_im[i * n + j] = cimag(sum);
        }
        for (int l = 0; l <= s.degree; l++)
            for (int j = 0; j < m; j++) {
                number sum = 0;
                for (int r = 0; r <= l; r++) sum += moved_power(l, r, moved) * row[n + r * m + j];
                for (int k = 0; k < n; k++) sum += row[k] * whole->input[l][k * m + j];
                out->input[l][i * m + j] = creal(sum);
                out->input_im[l][i * m + j] = cimag(sum);
            }
    }
}

costab_status matrix_real_power(const costab_method *method, const matrix_system *system, double h,
                                double ratio, double count, const matrix_block *block, double *work,
                                int *iwork, costab_error *error) {
    power_shape s = shape_of(method, system);
    double steps = floor(count);
    power_work w = power_work_at(work, s);
    matrix_block one = block_in(w.blocks, s), whole = block_in(w.blocks + s.n * s.width, s);
    if (!matrix_steps(method, system, h, ratio, 1, &one, w.step_work, iwork) ||
        !matrix_steps(method, system, h, ratio, (long)steps, &whole, w.step_work, iwork))
        return error_set(error, COSTAB_NUMERIC, "the stage equations are singular at the step %.17g", h);
    if (!fractional_power(s, &one, ratio, count - steps, &w))
        return error_set(error, COSTAB_NUMERIC, "the power %.17g of a micro step's matrix was not found",
                         count);
    compose(s, w.rest, &whole, steps * ratio, block);
    return COSTAB_OK;
}
