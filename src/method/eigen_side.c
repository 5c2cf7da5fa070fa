/* On which side of a circle all eigenvalues lie, or one of them, from norms and traces of powers: certain or
 * not known.
 *
 * X = (M + E)^p for every perturbation E that the computation of eigenvalues may stand for: X is known as a
 * computed matrix and a bound of what is missing, which a squaring carries on with its own rounding. ||X|| <
 * r^p puts all eigenvalues inside the radius r, which leaves room for rounding; |trace X| > n puts one
 * outside 1. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "method/eigen.h"
#include "method/eigen_parts.h"
#include "method/matrix.h"

/* Sums of a norm that are added up at a time, and rows of a product. */
enum { LANES = 4, TALL = 4 };
/* Above this many rows BLAS squares. */
enum { SMALL_MOST = 32 };

/* Columns next to each other. */
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
typedef double eight __attribute__((vector_size(64), aligned(8), may_alias));

/* Rows i.. and columns j.. of out = x x, as many as the vector has; compiled for each height, so that the
 * sums stay in registers and do not wait for each other. */
#define SQUARE_BLOCK(name, vector)                                                                           \
    static inline __attribute__((always_inline)) void name(int n, int stride, int i, int j,                  \
                                                           const int height, const double *x, double *out) { \
        vector sum[TALL] = {{0}};                                                                            \
        for (int k = 0; k < n; k++) {                                                                        \
            const vector row = *(const vector *)(const void *)(x + k * stride + j);                          \
            for (int p = 0; p < height; p++) sum[p] += x[(i + p) * stride + k] * row;                        \
        }                                                                                                    \
        for (int p = 0; p < height; p++) *(vector *)(void *)(out + (i + p) * stride + j) = sum[p];           \
    }

SQUARE_BLOCK(square_four, four)
SQUARE_BLOCK(square_eight, eight)

/* out = x x. Rows of `stride`, a multiple of LANES, with zeros beyond n. */
BASE_CLONES
static void square(int n, int stride, const double *restrict x, double *restrict out) {
    int i = 0;
    for (; i + TALL <= n; i += TALL) {
        int j = 0;
        for (; j + 2 * LANES <= stride; j += 2 * LANES) square_eight(n, stride, i, j, TALL, x, out);
        if (j < stride) square_four(n, stride, i, j, TALL, x, out);
    }
    for (; i < n; i++)
        for (int j = 0; j < stride; j += LANES) square_four(n, stride, i, j, 1, x, out);
}

static double norm_of(int n, int stride, const double *x) {
    double sum[LANES] = {0};
    int count = n * stride, e = 0;
    for (; e + LANES <= count; e += LANES)
        for (int l = 0; l < LANES; l++) sum[l] += x[e + l] * x[e + l];
    for (; e < count; e++) sum[0] += x[e] * x[e];
    return sqrt((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

static double trace_of(int n, int stride, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i * stride + i];
    return fabs(sum);
}

static eigen_where side_of_part(int n, const double *part, double *work) {
    bool small = n <= SMALL_MOST;
    int stride = small ? (n + LANES - 1) / LANES * LANES : n;
    double *x = work, *next = work + n * stride;
    memset(x, 0, (size_t)(n * stride) * sizeof *x);
    for (int i = 0; i < n; i++) memcpy(x + i * stride, part + i * n, (size_t)n * sizeof *x);
    /* What adding up rounds in a norm or a trace of n^2 terms. */
    double slack = 1 + 2 * (double)n * n * DBL_EPSILON;
    double norm = norm_of(n, stride, x) * slack, missing = EIGEN_BACKWARD * n * DBL_EPSILON * norm;
    /* 0: nothing is shown to be inside. (Its square must not be that of a negative number.) */
    double radius = fmax(0, 1 - 1.01 * eigen_vicinity(n) * norm);
    for (int k = 0;; k++) {
        if (!(norm < 0x1p400)) return EIGEN_UNKNOWN;
        /* Below that size squares vanish, and a norm looks smaller than it is. */
        if (radius > EIGEN_SCALE_LEAST && (norm + missing) * slack < radius) return EIGEN_INSIDE;
        if (trace_of(n, stride, x) > n * (slack + missing) + 2.0 * n * n * DBL_EPSILON * norm)
            return EIGEN_OUTSIDE;
        if (k == EIGEN_SQUARINGS) return EIGEN_UNKNOWN;
        missing = (2 * norm * missing + missing * missing + (n + 2) * DBL_EPSILON * norm * norm) * slack;
        radius *= radius * (1 - 4 * DBL_EPSILON);
        if (small)
            square(n, stride, x, next);
        else
            matrix_multiply(n, n, n, x, x, next);
        double *swap = x;
        x = next;
        next = swap;
        norm = norm_of(n, stride, x) * slack;
    }
}

eigen_where eigen_side(int n, const double *a, double *work, int *iwork) {
    double *part = work, *inner = work + (size_t)n * (size_t)n;
    eigen_where all = EIGEN_INSIDE;
    int first = 0, size;
    eigen_parts_start(n, iwork);
    while ((size = eigen_parts_gather(n, a, &first, part, inner, iwork)) > 0) {
        eigen_where where = side_of_part(size, part, inner);
        if (where == EIGEN_OUTSIDE) return where;
        if (where == EIGEN_UNKNOWN) all = where;
    }
    return all;
}
