/* Squarings of matrices of 4 to 32 rows, one after the other, as classes need them: those that eigen_side
 * does until it gives up (of a rotation of all states, whose powers neither grow nor vanish; balance, norms
 * and traces between them included), a loop of three indices and cblas_dgemm, on one thread. The best of
 * several rounds counts. */
#include <cblas.h>
#include <math.h>
#include <string.h>

#include "bench.h"
#include "method/eigen.h"
#include "method/eigen_components.h"

enum { MOST = 32, ROUNDS = 7, MATRICES = 2000 };

static double rotation[MOST * MOST], x[MOST * MOST], next[MOST * MOST];

/* A product of two Householder reflections. */
static void make_rotation(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) {
                double a = sin(i + 1) * sin(k + 1), b = cos(3 * k + 1) * cos(3 * j + 1), p = 0, q = 0;
                for (int l = 0; l < n; l++) {
                    p += sin(l + 1) * sin(l + 1);
                    q += cos(3 * l + 1) * cos(3 * l + 1);
                }
                sum += ((i == k) - 2 * a / p) * ((k == j) - 2 * b / q);
            }
            rotation[i * n + j] = sum;
        }
}

static void by_side(int n) {
    static double work[16 * MOST * MOST];
    static int iwork[8 * MOST];
    if (eigen_work(n) > sizeof work / sizeof *work || eigen_iwork(n) > sizeof iwork / sizeof *iwork ||
        eigen_side(n, rotation, work, iwork) != EIGEN_UNKNOWN)
        exit(EXIT_FAILURE);
}

static void by_loop(int n) {
    memcpy(x, rotation, (size_t)(n * n) * sizeof *x);
    for (int turn = 0; turn < EIGEN_SQUARINGS; turn++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int k = 0; k < n; k++) sum += x[i * n + k] * x[k * n + j];
                next[i * n + j] = sum;
            }
        memcpy(x, next, (size_t)(n * n) * sizeof *x);
    }
}

static void by_blas(int n) {
    memcpy(x, rotation, (size_t)(n * n) * sizeof *x);
    for (int turn = 0; turn < EIGEN_SQUARINGS; turn++) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, x, n, x, n, 0, next, n);
        memcpy(x, next, (size_t)(n * n) * sizeof *x);
    }
}

/* Nanoseconds per squaring. */
static double best_of(void (*squarings)(int), int n) {
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double begin = now();
        for (int m = 0; m < MATRICES; m++) squarings(n);
        double spent = now() - begin;
        best = spent < best ? spent : best;
    }
    return 1e9 * best / MATRICES / EIGEN_SQUARINGS;
}

int main(void) {
    for (int n = 4; n <= MOST; n *= 2) {
        make_rotation(n);
        double side = best_of(by_side, n), loop = best_of(by_loop, n), blas = best_of(by_blas, n);
        printf("squarings of %d rows for a class: %.3g ns each, norms and traces included; a loop of three "
               "indices %.3g ns, ratio %.1f; cblas_dgemm %.3g ns, ratio %.1f\n",
               n, side, loop, loop / side, blas, blas / side);
    }
    return EXIT_SUCCESS;
}
