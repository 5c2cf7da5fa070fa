/* A common quadratic norm, by the method of centres.
 *
 * Wanted is a P > 0 with e^(2 g w_i) P - M_i' P M_i > 0 for all i and a small g. For a given g the analytic
 * centre minimises - sum ln det(e^(2 g w_i) P - M_i' P M_i) - ln det P over P of one trace. Newton's steps
 * towards it are made in coordinates in which P is the unit matrix: P = T'T, M_i becomes T M_i T^-1. As the
 * centre lies inside, the largest ln ||T M_i T^-1|| / w_i is below g there, and g moves down to it. (S. Boyd,
 * L. El Ghaoui, Method of centers for minimizing generalized eigenvalues, 1993.) Whatever T comes out, its
 * norms are computed anew in the end. */
#include "proof/common_norm.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum { LEVELS_MAX = 150, NEWTON_MAX = 15, DIMENSION_MAX = 300, BALANCE_MAX = 20, PATIENCE = 6 };

/* The level lies this share of the way back to the last one. */
#define BACK 0.2
/* Newton's decrement that counts as being at the centre. */
#define CENTRED 0.3
/* Levels end where the rate, times the mean weight, falls less than this in some of them. */
#define FALLS 1e-7

typedef struct centre {
    const matrix_set *set;
    int n, d;         /* of the matrices; of symmetric ones */
    double *T, *maps; /* the coordinates, and the matrices in them */
    double *hessian, *gradient, *across, *jacobian;
    double *F, *U, *V, *work, *turned;
} centre;

double norm_of(int n, const double *M, double *work) {
    double *copy = work, *values = copy + n * n, *rest = values + n;
    for (int e = 0; e < n * n; e++)
        if (!isfinite(M[e])) return (double)INFINITY;
    if (n == 0) return 0;
    memcpy(copy, M, (size_t)(n * n) * sizeof *copy);
    lapack_int info = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', n, n, copy, n, values, NULL, 1, NULL, 1,
                                          rest, 11 * n);
    return info == 0 ? values[0] : (double)INFINITY;
}

void common_norm_turn(const common_norm *norm, const double *M, double *out, double *work) {
    square_multiply(norm->n, M, norm->inverse, work);
    square_multiply(norm->n, norm->T, work, out);
}

static double rate_of(const matrix_set *set, const double *maps, double *work) {
    double most = -(double)INFINITY;
    size_t cells = (size_t)(set->n * set->n);
    for (int i = 0; i < set->count; i++)
        most = fmax(most, log(norm_of(set->n, maps + (size_t)i * cells, work)) / set->weights[i]);
    return most;
}

/* ---- Newton's step ---- */

/* The place of entry (a, b), a <= b, among those of a symmetric matrix. */
static int entry(int n, int a, int b) {
    return a * n - a * (a - 1) / 2 + b - a;
}

/* The symmetric part of f (x x' products): K = f (p q' + q p') for a < b, f p p' for a = b, in orthonormal
 * coordinates of symmetric matrices, added to k. p and q are columns of an n x n matrix. */
static void add_product(int n, double f, const double *A, int a, int b, double *k) {
    const double root = sqrt(2);
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            double value = a == b ? A[i * n + a] * A[j * n + a]
                                  : (A[i * n + a] * A[j * n + b] + A[i * n + b] * A[j * n + a]) / root;
            k[entry(n, i, j)] += f * (i == j ? value : root * value);
        }
}

/* Adds the share of one matrix; false where the level is not above its norm. */
static bool add_matrix(centre *c, const double *M, double factor) {
    int n = c->n, d = c->d;
    /* F = factor I - M'M = R'R, U = R'^-1, V = U M' */
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = i == j ? factor : 0;
            for (int k = 0; k < n; k++) sum -= M[k * n + i] * M[k * n + j];
            c->F[i * n + j] = sum;
            c->turned[i * n + j] = M[j * n + i];
        }
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', n, c->F, n) != 0) return false;
    if (LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'U', 'N', n, c->F, n) != 0) return false;
    /* The inverse of the upper R, column-major, is row-major the lower R'^-1. */
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) c->U[i * n + j] = j <= i ? c->F[i * n + j] : 0;
    square_multiply(n, c->U, c->turned, c->V);
    memset(c->jacobian, 0, (size_t)d * (size_t)d * sizeof *c->jacobian);
    for (int a = 0; a < n; a++)
        for (int b = a; b < n; b++) {
            double *k = c->jacobian + (size_t)entry(n, a, b) * (size_t)d;
            add_product(n, factor, c->U, a, b, k);
            add_product(n, -1, c->V, a, b, k);
        }
    for (int p = 0; p < d; p++) {
        const double *at = c->jacobian + (size_t)p * (size_t)d;
        for (int i = 0; i < n; i++) c->gradient[p] -= at[entry(n, i, i)];
        for (int q = p; q < d; q++) {
            const double *other = c->jacobian + (size_t)q * (size_t)d;
            double sum = 0;
            for (int e = 0; e < d; e++) sum += at[e] * other[e];
            c->hessian[(size_t)p * (size_t)d + (size_t)q] += sum;
        }
    }
    return true;
}

/* P = I + t D = L L', T becomes L' T and M becomes L' M L'^-1; false where P is not positive. */
static bool move(centre *c, double t) {
    int n = c->n;
    double *P = c->F, *inverse = c->U;
    for (int a = 0; a < n; a++)
        for (int b = a; b < n; b++) {
            double value = t * c->gradient[entry(n, a, b)] / (a == b ? 1 : sqrt(2)) + (a == b);
            P[a * n + b] = P[b * n + a] = value;
        }
    if (LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'U', n, P, n) != 0) return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) P[i * n + j] = 0;
    memcpy(inverse, P, (size_t)(n * n) * sizeof *inverse);
    if (LAPACKE_dtrtri(LAPACK_ROW_MAJOR, 'U', 'N', n, inverse, n) != 0) return false;
    square_multiply(n, P, c->T, c->turned);
    memcpy(c->T, c->turned, (size_t)(n * n) * sizeof *c->T);
    for (int i = 0; i < c->set->count; i++) {
        double *M = c->maps + (size_t)i * (size_t)(n * n);
        square_multiply(n, P, M, c->turned);
        square_multiply(n, c->turned, inverse, M);
    }
    return true;
}

/* One of Newton's steps towards the centre of the level; *decrement before it. */
static bool newton_step(centre *c, double level, double *decrement) {
    int n = c->n, d = c->d;
    memset(c->hessian, 0, (size_t)d * (size_t)d * sizeof *c->hessian);
    memset(c->gradient, 0, (size_t)d * sizeof *c->gradient);
    for (int p = 0; p < d; p++) c->hessian[(size_t)p * (size_t)(d + 1)] = 1;
    memset(c->across, 0, (size_t)d * sizeof *c->across);
    for (int i = 0; i < n; i++) {
        c->gradient[entry(n, i, i)] -= 1;
        c->across[entry(n, i, i)] = 1;
    }
    for (int i = 0; i < c->set->count; i++)
        if (!add_matrix(c, c->maps + (size_t)i * (size_t)(n * n), exp(2 * level * c->set->weights[i])))
            return false;
    /* The step of no trace: D = - H^-1 (g - m 1). What lies above the diagonal of rows is below that of
     * columns. */
    double *g = c->gradient, *ones = c->across, *kept = c->jacobian, along = 0, whole = 0, slope = 0;
    memcpy(kept, g, (size_t)d * sizeof *g);
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', d, c->hessian, d) != 0 ||
        LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', d, 1, c->hessian, d, g, d) != 0 ||
        LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', d, 1, c->hessian, d, ones, d) != 0)
        return false;
    for (int i = 0; i < n; i++) {
        along += g[entry(n, i, i)];
        whole += ones[entry(n, i, i)];
    }
    for (int p = 0; p < d; p++) {
        g[p] = -(g[p] - along / whole * ones[p]);
        slope += kept[p] * g[p];
    }
    *decrement = sqrt(fmax(-slope, 0));
    return move(c, *decrement > 0.25 ? 1 / (1 + *decrement) : 1);
}

static void descend(centre *c) {
    double rate = rate_of(c->set, c->maps, c->work), mean = 0, kept = rate;
    for (int i = 0; i < c->set->count; i++) mean += c->set->weights[i] / c->set->count;
    double level = rate + 1 / mean;
    if (!isfinite(rate)) return;
    for (int l = 0, idle = 0; l < LEVELS_MAX && idle < PATIENCE; l++) {
        double decrement = 1, before = rate;
        for (int k = 0; k < NEWTON_MAX && decrement > CENTRED; k++)
            if (!newton_step(c, level, &decrement)) return;
        rate = rate_of(c->set, c->maps, c->work);
        if (!(rate < level)) return;
        level = rate + BACK * (level - rate);
        idle =
            (fmin(before, kept) - rate) * mean < FALLS && (level - rate) * mean < 1e3 * FALLS ? idle + 1 : 0;
        kept = fmin(kept, rate);
    }
}

/* ---- The coordinates to begin with, and the end ---- */

/* Powers of 2 that make rows and columns of all matrices together alike. */
static void balance(centre *c) {
    int n = c->n;
    for (int i = 0; i < n; i++) c->T[i * n + i] = 1;
    for (int round = 0; round < BALANCE_MAX; round++) {
        bool moved = false;
        for (int i = 0; i < n; i++) {
            double row = 0, column = 0;
            for (int k = 0; k < c->set->count; k++) {
                const double *M = c->maps + (size_t)k * (size_t)(n * n);
                for (int j = 0; j < n; j++) {
                    if (j == i) continue;
                    row += fabs(M[i * n + j]);
                    column += fabs(M[j * n + i]);
                }
            }
            if (!(row > 0) || !(column > 0) || !isfinite(row + column)) continue;
            int shift = (int)lround(0.5 * log2(column / row));
            if (shift == 0) continue;
            moved = true;
            c->T[i * n + i] = ldexp(c->T[i * n + i], shift);
            for (int k = 0; k < c->set->count; k++) {
                double *M = c->maps + (size_t)k * (size_t)(n * n);
                for (int j = 0; j < n; j++) {
                    M[i * n + j] = ldexp(M[i * n + j], shift);
                    M[j * n + i] = ldexp(M[j * n + i], -shift);
                }
            }
        }
        if (!moved) break;
    }
}

static costab_status allocate(centre *c, common_norm *norm, costab_error *error) {
    size_t n = (size_t)c->n, d = (size_t)c->d, cells = n * n;
    norm->T = memory_alloc(cells + 1, sizeof(double));
    norm->inverse = memory_alloc(cells + 1, sizeof(double));
    c->maps = memory_alloc((size_t)c->set->count * cells + 1, sizeof(double));
    c->hessian = memory_alloc(2 * d * d + 2 * d + 1, sizeof(double));
    c->F = memory_alloc(4 * cells + norm_work(c->n), sizeof(double));
    if (!norm->T || !norm->inverse || !c->maps || !c->hessian || !c->F) return error_memory(error);
    c->T = norm->T;
    c->jacobian = c->hessian + d * d;
    c->gradient = c->jacobian + d * d;
    c->across = c->gradient + d;
    c->U = c->F + cells;
    c->V = c->U + cells;
    c->turned = c->V + cells;
    c->work = c->turned + cells;
    memcpy(c->maps, c->set->matrices, (size_t)c->set->count * cells * sizeof *c->maps);
    return COSTAB_OK;
}

/* The inverse of T, and the norms in these coordinates. */
static costab_status finish(centre *c, common_norm *norm, costab_error *error) {
    int n = c->n;
    lapack_int *pivots = memory_alloc((size_t)n + 1, sizeof *pivots);
    if (pivots == NULL) return error_memory(error);
    memcpy(norm->inverse, c->T, (size_t)(n * n) * sizeof *norm->inverse);
    bool regular = LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, norm->inverse, n, pivots) == 0 &&
                   LAPACKE_dgetri(LAPACK_ROW_MAJOR, n, norm->inverse, n, pivots) == 0;
    memory_free(pivots);
    if (!regular) return error_set(error, COSTAB_NUMERIC, "the coordinates of a common norm are singular");
    for (int i = 0; i < c->set->count; i++) {
        size_t at = (size_t)i * (size_t)(n * n);
        common_norm_turn(norm, c->set->matrices + at, c->maps + at, c->F);
    }
    norm->rate = rate_of(c->set, c->maps, c->work);
    return COSTAB_OK;
}

costab_status common_norm_find(const matrix_set *set, common_norm *norm, costab_error *error) {
    *norm = (common_norm){.n = set->n, .rate = -(double)INFINITY};
    centre c = {.set = set, .n = set->n, .d = set->n * (set->n + 1) / 2};
    bool small = c.d <= DIMENSION_MAX;
    if (!small) c.d = 0;
    costab_status status = allocate(&c, norm, error);
    if (!status) {
        balance(&c);
        if (small && set->n > 0) descend(&c);
        status = finish(&c, norm, error);
    }
    memory_free(c.maps);
    memory_free(c.hessian);
    memory_free(c.F);
    return status;
}

void common_norm_free(common_norm *norm) {
    memory_free(norm->T);
    memory_free(norm->inverse);
    norm->T = norm->inverse = NULL;
}
