/* A basis V of a real matrix M, in doubles, in which Stein's form S - N* S N, N = V^-1 M V, is positive
 * definite by a wide margin (ball_stein.c): mostly eigenvectors.
 *
 * 1. Eigenvalues of modulus up to 0.5, such as those that the coupling's memory puts at 0, may have too few
 *    eigenvectors. Schur vectors Q with the block T span their subspace. P = I + T' P T, by doubling (P += T'
 *    P T, T becomes T^2), and P = L L': the columns are Q L'^-1, in which T has a norm below 1.
 * 2. Of the others: eigenvectors of M with 1e-10 of its size added at random, so that a multiple eigenvalue
 *    with one vector becomes several with one each.
 *
 * Cost: some 25 n^3. Nothing is claimed of the basis: what it is used for is shown in balls. */
#include "proof/ball_basis.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include <complex.h>
#define lapack_complex_double double complex
#define lapack_complex_float  float complex
#include <lapacke.h>

#include "base/memory.h"
#include "network/loop.h"

/* Eigenvalues up to this modulus are small: step 1. */
#define SMALL 0.5
/* Step 2. */
#define PERTURBATION 1e-10
enum { DOUBLINGS = 8, MATRICES = 5 };

typedef struct room {
    int n, small;
    double *scale, *wr, *wi, *copy, *vectors, *product, *gram, *power;
} room;

static lapack_logical is_small(const double *re, const double *im) {
    return hypot(*re, *im) <= SMALL;
}

/* to = a b or, with `transposed`, a' b; k x k blocks of rows of length n. */
static void multiply(const room *r, bool transposed, const double *a, const double *b, double *to) {
    for (int i = 0; i < r->small; i++)
        for (int j = 0; j < r->small; j++) {
            double sum = 0;
            for (int l = 0; l < r->small; l++)
                sum += (transposed ? a[l * r->n + i] : a[i * r->n + l]) * b[l * r->n + j];
            to[i * r->n + j] = sum;
        }
}

/* P = I + T' P T by doubling; T is overwritten. */
static void solve_stein(const room *r, double *T) {
    int n = r->n, k = r->small;
    double *P = r->gram;
    memset(P, 0, (size_t)n * (size_t)n * sizeof *P);
    for (int i = 0; i < k; i++) P[i * n + i] = 1;
    for (int d = 0; d < DOUBLINGS; d++) {
        multiply(r, false, P, T, r->product);
        multiply(r, true, T, r->product, r->power);
        for (int i = 0; i < k; i++)
            for (int j = 0; j < k; j++) P[i * n + j] += r->power[i * n + j];
        multiply(r, false, T, T, r->power);
        memcpy(T, r->power, (size_t)k * (size_t)n * sizeof *T);
    }
}

/* Step 1: columns 0 .. small - 1. */
static bool small_columns(room *r, const double *matrix, double *re) {
    int n = r->n;
    memcpy(r->copy, matrix, (size_t)n * (size_t)n * sizeof *matrix);
    lapack_int found = 0;
    if (LAPACKE_dgees(LAPACK_ROW_MAJOR, 'V', 'S', is_small, n, r->copy, n, &found, r->wr, r->wi, r->vectors,
                      n) != 0)
        return false;
    r->small = (int)found;
    solve_stein(r, r->copy);
    if (r->small > 0 && LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', r->small, r->gram, n) != 0) return false;
    /* X L' = Q, a column after the other. */
    for (int j = 0; j < r->small; j++)
        for (int i = 0; i < n; i++) {
            double sum = r->vectors[i * n + j];
            for (int l = 0; l < j; l++) sum -= re[i * n + l] * r->gram[j * n + l];
            re[i * n + j] = sum / r->gram[j * n + j];
        }
    return true;
}

/* Adds PERTURBATION times the largest entry, times numbers at random from -1 to 1. */
static void perturb(int n, double *matrix) {
    double norm = 0;
    uint64_t state = 1;
    for (int e = 0; e < n * n; e++) norm = fmax(norm, fabs(matrix[e]));
    for (int e = 0; e < n * n; e++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        matrix[e] += PERTURBATION * norm * ((double)(state >> 40) * 0x1p-23 - 1);
    }
}

/* Step 2: the other columns; those of a conjugate pair are conjugates. */
static bool other_columns(room *r, double *matrix, double *re, double *im, int *sign) {
    int n = r->n, at = r->small;
    perturb(n, matrix);
    if (LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'V', n, matrix, n, r->wr, r->wi, NULL, n, r->vectors, n) != 0)
        return false;
    for (int j = 0; j < n; j++) {
        double modulus = hypot(r->wr[j], r->wi[j]);
        if (modulus <= SMALL) continue;
        if (at == n) return false;
        bool pair = r->wi[j] != 0, first = r->wi[j] > 0;
        int column = pair && !first ? j - 1 : j;
        for (int i = 0; i < n; i++) {
            re[i * n + at] = r->vectors[i * n + column];
            im[i * n + at] = pair ? (first ? 1 : -1) * r->vectors[i * n + column + 1] : 0;
        }
        sign[at++] = modulus > 1 ? -1 : 1;
    }
    return at == n;
}

bool ball_basis(int n, double *matrix, double *re, double *im, int *sign) {
    size_t cells = (size_t)n * (size_t)n;
    room r = {.n = n};
    r.scale = memory_alloc(3 * (size_t)n + MATRICES * cells, sizeof *r.scale);
    if (r.scale == NULL) return false;
    r.wr = r.scale + n, r.wi = r.wr + n, r.copy = r.wi + n;
    r.vectors = r.copy + cells, r.product = r.vectors + cells, r.gram = r.product + cells;
    r.power = r.gram + cells;
    memset(im, 0, cells * sizeof *im);
    for (int i = 0; i < n; i++) sign[i] = 1;
    loop_balance(n, matrix, r.scale); /* D M D^-1 */
    bool found = small_columns(&r, matrix, re) && other_columns(&r, matrix, re, im, sign);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            re[i * n + j] /= r.scale[i];
            im[i * n + j] /= r.scale[i];
        }
    memory_free(r.scale);
    return found;
}
