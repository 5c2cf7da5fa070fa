/* One eigenvalue l and its vectors, from those of a matrix nearby, by inverse iteration with Rayleigh's
 * quotient as shift:
 *
 *  1. M is split into components, each balanced (eigen_components.h). One after the other is tried.
 *  2. The first shift s is the quotient u' M v / u' v of the vectors v and u of the matrix nearby; without
 *     vectors, its eigenvalue, and any vectors.
 *  3. M - s I is factored. Solving with it and with its transpose brings v and u closer to the vectors of the
 *     eigenvalue nearest to s; l is their quotient. That is repeated with the same factors while the
 *     residuals fall by 4.
 *  4. l is the next shift, SHIFTS of them at most, until both residuals are as small as rounding of M.
 *
 * Cost: a tenth of that of all eigenvalues. Not guaranteed: that the eigenvalue found is the nearest one. (A
 * complex vector is stored as n x 2 real numbers for BLAS; LAPACK sees the transpose of what is stored by
 * rows.) */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "method/eigen.h"
#include "method/eigen_components.h"
#include "method/lapack.h"
#include "method/matrix.h"

/* Matrices that are factored at most, and solutions with each. */
enum { SHIFTS = 4, SOLUTIONS = 4 };
/* Where a solution does not make the residual smaller by this factor another shift is taken. */
#define SLOW 0.25
/* Without vectors: how far from the given eigenvalue the one found may lie, relative to the norm. */
#define AWAY 1e-7

/* A component of the matrix, and the workspace. */
typedef struct room {
    int n; /* of the component */
    const int *list;
    double *component, *scale, norm;
    double complex *factors, *v, *u, *image;
    int *pivots;
} room;

static room room_at(int n, double *work, int *iwork) {
    size_t square = (size_t)n * (size_t)n;
    double complex *factors = (void *)work, *v = factors + square;
    double *scale = (double *)(v + 3 * n);
    return (room){.factors = factors,
                  .v = v,
                  .u = v + n,
                  .image = v + 2 * n,
                  .scale = scale,
                  .component = scale + 7 * n,
                  .pivots = iwork + 3 * n};
}

static double length_of(int n, const double complex *x) {
    return cblas_dnrm2(2 * n, (const double *)x, 1);
}

static bool normalise(int n, double complex *x) {
    double length = length_of(n, x);
    if (!(length > 0) || !isfinite(length)) return false;
    cblas_dscal(2 * n, 1 / length, (double *)x, 1);
    return true;
}

/* u' v, without conjugates. */
static double complex product(int n, const double complex *u, const double complex *v) {
    double complex sum = 0;
    for (int i = 0; i < n; i++) sum += u[i] * v[i];
    return sum;
}

/* || M x - l x ||, or of the transpose. */
static double residual(const room *r, bool transposed, double complex l, const double complex *x) {
    cblas_dgemm(CblasRowMajor, transposed ? CblasTrans : CblasNoTrans, CblasNoTrans, r->n, 2, r->n, 1,
                r->component, r->n, (const double *)x, 2, 0, (double *)r->image, 2);
    for (int i = 0; i < r->n; i++) r->image[i] -= l * x[i];
    return length_of(r->n, r->image);
}

/* Rayleigh's quotient u' M v / u' v. */
static double complex quotient(const room *r) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, r->n, 2, r->n, 1, r->component, r->n,
                (const double *)r->v, 2, 0, (double *)r->image, 2);
    return product(r->n, r->u, r->image) / product(r->n, r->u, r->v);
}

/* Factors M - shift I. A pivot of 0 is replaced by one that is small compared with the matrix. */
static bool factor(const room *r, double complex shift) {
    int n = r->n;
    for (int e = 0; e < n * n; e++) r->factors[e] = r->component[e];
    for (int i = 0; i < n; i++) r->factors[i * n + i] -= shift;
    if (LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, n, n, r->factors, n, r->pivots) < 0) return false;
    for (int i = 0; i < n; i++)
        if (r->factors[i * n + i] == 0) r->factors[i * n + i] = DBL_EPSILON * r->norm;
    return true;
}

/* Solves with M - shift I for v, with its transpose for u; both get length 1. */
static bool solve(const room *r) {
    return LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, 'T', r->n, 1, r->factors, r->n, r->pivots, r->v, r->n) ==
               0 &&
           LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, 'N', r->n, 1, r->factors, r->n, r->pivots, r->u, r->n) ==
               0 &&
           normalise(r->n, r->v) && normalise(r->n, r->u);
}

/* Steps 3 and 4. [in, out] *l: the first shift, then the eigenvalue. [out] *left: the larger residual. False
 * where it does not become as small as rounding. */
static bool iterate(const room *r, double complex *l, double *left) {
    double enough = r->n * DBL_EPSILON * r->norm;
    for (int s = 0; s < SHIFTS; s++) {
        double before = (double)INFINITY;
        if (!isfinite(creal(*l)) || !isfinite(cimag(*l)) || !factor(r, *l)) return false;
        for (int k = 0; k < SOLUTIONS; k++) {
            if (!solve(r)) return false;
            *l = quotient(r);
            *left = fmax(residual(r, false, *l, r->v), residual(r, true, *l, r->u));
            if (*left <= enough) return true;
            if (!(*left < SLOW * before)) break;
            before = *left;
        }
    }
    return false;
}

/* Step 2: the first vectors, in the component's balanced units; false where they are 0 there. */
static bool set_first_vectors(const room *r, const eigen_tracked *from) {
    const double complex *right = (const void *)from->right, *left = (const void *)from->left;
    for (int i = 0; i < r->n; i++) {
        double turn = 0.61803398874989484820 * (i + 1);
        r->v[i] = from->known ? right[r->list[i]] / r->scale[i] : 1 + (turn - floor(turn));
        r->u[i] = from->known ? left[r->list[i]] * r->scale[i] : 1 + (turn * turn - floor(turn * turn));
    }
    return normalise(r->n, r->v) && normalise(r->n, r->u);
}

static bool find_in_component(const room *r, double noise, const eigen_tracked *from, eigen_tracked *to,
                              int n) {
    double complex l = from->re + from->im * I;
    double left;
    if (!set_first_vectors(r, from)) return false;
    if (from->known) l = quotient(r);
    if (!iterate(r, &l, &left)) return false;
    if (!from->known && !(cabs(l - (from->re + from->im * I)) <= AWAY * r->norm)) return false;
    double error = r->n * DBL_EPSILON * r->norm + noise;
    to->known = true;
    to->re = creal(l);
    to->im = cimag(l);
    to->backward = error;
    to->slack = (error + left) / cabs(product(r->n, r->u, r->v));
    double complex *right_out = (void *)to->right, *left_out = (void *)to->left;
    memset(right_out, 0, (size_t)n * sizeof *right_out);
    memset(left_out, 0, (size_t)n * sizeof *left_out);
    for (int i = 0; i < r->n; i++) {
        right_out[r->list[i]] = r->v[i] * r->scale[i];
        left_out[r->list[i]] = r->u[i] / r->scale[i];
    }
    return true;
}

bool eigen_tracked_find(int n, const double *a, double noise, const eigen_tracked *from, eigen_tracked *to,
                        double *work, int *iwork) {
    room r = room_at(n, work, iwork);
    int first = 0;
    eigen_components_start(n, iwork);
    while ((r.n = eigen_components_next(n, a, &first, &r.list, iwork)) > 0) {
        for (int i = 0; i < r.n; i++)
            for (int j = 0; j < r.n; j++)
                r.component[i * r.n + j] = a[(size_t)r.list[i] * (size_t)n + (size_t)r.list[j]];
        if (!eigen_balance_component(r.n, r.component, r.scale, r.scale + n)) continue;
        r.norm = matrix_norm((size_t)r.n * (size_t)r.n, r.component);
        if (find_in_component(&r, noise, from, to, n)) return true;
    }
    return false;
}

double eigen_tracked_overlap(int n, const eigen_tracked *a, const eigen_tracked *b) {
    const double complex *right[2] = {(const void *)a->right, (const void *)b->right},
                         *left[2] = {(const void *)a->left, (const void *)b->left};
    return creal(product(n, left[0], right[1]) / product(n, left[0], right[0]) *
                 (product(n, left[1], right[0]) / product(n, left[1], right[1])));
}
