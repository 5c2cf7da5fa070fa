/* Blocks of micro steps of a linear subsystem: against the scalar weights, against each other, against e^A.
 */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "method/matrix.h"
#include "support.h"

enum { N = 5, M = 2, BLOCK = N * N + MATRIX_POWERS * N * M };

typedef struct block {
    double values[2 * BLOCK];
    matrix_block at;
} block;

static void block_make(block *b) {
    double *v = b->values;
    memset(v, 0, sizeof b->values);
    b->at = (matrix_block){.phi = v, .phi_im = v + BLOCK};
    for (int l = 0; l < MATRIX_POWERS; l++) {
        b->at.input[l] = v + N * N + l * N * M;
        b->at.input_im[l] = b->at.input[l] + BLOCK;
    }
}

static void steps(const costab_method *method, const matrix_system *system, double h, double ratio,
                  long count, block *b) {
    size_t size = matrix_step_work(method, system), ints = matrix_step_iwork(method, system);
    double *work = calloc(size + 1, sizeof *work);
    int *iwork = calloc(ints + 1, sizeof *iwork);
    assert_non_null(work);
    assert_non_null(iwork);
    block_make(b);
    assert_true(matrix_steps(method, system, h, ratio, count, &b->at, work, iwork));
    free(work);
    free(iwork);
}

/* A scalar subsystem is the macro step of the scalar module: R, H (P0 + P1), H P1. */
TEST(test_scalar) {
    rng r = rng_start("matrix steps, scalar");
    for (size_t i = 0; i < effort(4000); i++) {
        costab_method method = method_named(costab_method_name(rng_int(&r, 0, costab_method_count() - 1)));
        int count = rng_int(&r, 1, 12);
        double lambda = rng_uniform(&r, -3, 1), H = rng_uniform(&r, 0.1, 2), beta = rng_uniform(&r, -2, 2);
        matrix_system system = {.n = 1, .m = 1, .degree = 1, .A = &lambda, .B = &beta};
        block b;
        steps(&method, &system, H / count, 1.0 / count, count, &b);
        costab_weights w = costab_method_weights(&method, count, lambda * H);
        /* Both take `count` factors, each with a few roundings of numbers below the sum of the magnitudes. */
        real bound = 64 * count * (real)DBL_EPSILON * (1 + fabsl((real)w.R) + expl(6));
        check_near(b.at.phi[0], w.R, bound, "R, %s, %d steps, z %g", method.name, count, lambda * H);
        check_near(b.at.input[0][0], (real)beta * H * (real)w.phi, bound, "U, %s, %d steps", method.name,
                   count);
        check_near(b.at.input[1][0], (real)beta * H * (real)w.p1, bound, "V, %s, %d steps", method.name,
                   count);
    }
}

static void random_system(rng *r, double *A, double *B, double scale) {
    for (int i = 0; i < N * N; i++) A[i] = rng_uniform(r, -scale, scale);
    for (int i = 0; i < N * M; i++) B[i] = rng_uniform(r, -1, 1);
}

/* A singular A is not a special case: A = 0 integrates the input exactly. */
TEST(test_integrator) {
    double A[N * N] = {0}, B[N * M];
    for (int i = 0; i < N * M; i++) B[i] = i - 4.5;
    for (int k = 0; k < costab_method_count(); k++) {
        costab_method method = method_named(costab_method_name(k));
        /* Euler and backward Euler see only one end of the input line. */
        if (method.order == 1) continue;
        matrix_system system = {.n = N, .m = M, .degree = 1, .A = A, .B = B};
        block b;
        steps(&method, &system, 0.25, 0.125, 8, &b);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                check_near(b.at.phi[i * N + j], i == j, 1e-15L, "%s: Phi", method.name);
        for (int i = 0; i < N * M; i++) {
            check_near(b.at.input[0][i], 2 * B[i], 1e-14L, "%s: U", method.name);
            check_near(b.at.input[1][i], B[i], 1e-14L, "%s: V", method.name);
        }
    }
}

/* c1 + c2 steps are c1 steps, then c2 steps with the input moved on. */
TEST(test_composition) {
    rng r = rng_start("matrix steps, composition");
    for (size_t i = 0; i < effort(300); i++) {
        costab_method method = method_named(costab_method_name(rng_int(&r, 0, costab_method_count() - 1)));
        double A[N * N], B[N * M], h = rng_uniform(&r, 0.05, 0.3), ratio = 0.01;
        random_system(&r, A, B, 1);
        int first = rng_int(&r, 0, 20), second = rng_int(&r, 0, 20);
        matrix_system system = {.n = N, .m = M, .degree = 1, .A = A, .B = B};
        block a, b, c;
        steps(&method, &system, h, ratio, first, &a);
        steps(&method, &system, h, ratio, second, &b);
        steps(&method, &system, h, ratio, first + second, &c);
        double size = matrix_norm(N * N, a.at.phi) * matrix_norm(N * N, b.at.phi) + 1;
        real bound = 2000 * (real)DBL_EPSILON * size * size;
        for (int p = 0; p < N; p++) {
            for (int q = 0; q < N; q++) {
                real sum = 0;
                for (int k = 0; k < N; k++) sum += (real)b.at.phi[p * N + k] * a.at.phi[k * N + q];
                check_near(c.at.phi[p * N + q], sum, bound, "%s %d + %d: Phi", method.name, first, second);
            }
            for (int q = 0; q < M; q++) {
                real u = b.at.input[0][p * M + q], v = (real)first * ratio * u + b.at.input[1][p * M + q];
                for (int k = 0; k < N; k++) {
                    u += (real)b.at.phi[p * N + k] * a.at.input[0][k * M + q];
                    v += (real)b.at.phi[p * N + k] * a.at.input[1][k * M + q];
                }
                check_near(c.at.input[0][p * M + q], u, bound, "%s %d + %d: U", method.name, first, second);
                check_near(c.at.input[1][p * M + q], v, bound, "%s %d + %d: V", method.name, first, second);
            }
        }
    }
}

/* e^A of a rotation and of a nilpotent matrix, known in closed form, small and large. */
TEST(test_exponential) {
    costab_method exact = method_named("exact");
    for (double angle = 1e-8; angle < 200; angle *= 3) {
        double A[4] = {0, -1, 1, 0};
        matrix_system system = {.n = 2, .m = 0, .degree = 1, .A = A, .B = NULL};
        block b;
        steps(&exact, &system, angle, 1, 1, &b);
        real bound = 16 * (real)DBL_EPSILON * (1 + (real)angle);
        check_near(b.at.phi[0], cosl((real)angle), bound, "cos %g", angle);
        check_near(b.at.phi[2], sinl((real)angle), bound, "sin %g", angle);
    }
    double A[9] = {0, 7, -3, 0, 0, 5, 0, 0, 0}; /* A^2 = 35 in the corner */
    matrix_system system = {.n = 3, .m = 0, .degree = 1, .A = A, .B = NULL};
    block b;
    steps(&exact, &system, 2, 1, 1, &b);
    double expected[9] = {1, 14, -6 + 2 * 35, 0, 1, 10, 0, 0, 1};
    for (int i = 0; i < 9; i++) check_near(b.at.phi[i], expected[i], 1e-13L, "nilpotent, entry %d", i);
}

static void real_power(const costab_method *method, const matrix_system *system, double h, double ratio,
                       double count, block *b) {
    double *work = calloc(matrix_real_power_work(method, system), sizeof *work);
    int iwork[64];
    assert_non_null(work);
    assert_true(matrix_step_iwork(method, system) <= 64);
    block_make(b);
    costab_status status = matrix_real_power(method, system, h, ratio, count, &b->at, work, iwork, &why);
    free(work);
    check_ok(status);
}

/* A scalar: (1 + h lambda)^n by the principal complex power, and (R^n - 1) / lambda. */
TEST(test_real_power_scalar) {
    rng r = rng_start("real powers, scalar");
    costab_method euler = method_named("euler");
    for (size_t i = 0; i < effort(500); i++) {
        double lambda = rng_uniform(&r, -3, 1), beta = 1, n = rng_uniform(&r, 0.1, 9);
        matrix_system system = {.n = 1, .m = 1, .degree = 1, .A = &lambda, .B = &beta};
        block b;
        real_power(&euler, &system, 1, 1 / n, n, &b);
        double complex R = cpow(1 + lambda, n), U = (R - 1) / lambda;
        double size = 1 + cabs(R) + cabs(U) + cabs(R) / fabs(lambda);
        real bound = 2000 * (real)DBL_EPSILON * size / fminl(1, fabsl((real)lambda));
        check_near(b.at.phi[0], creal(R), bound, "re R, lambda %g n %g", lambda, n);
        check_near(b.at.phi_im[0], cimag(R), bound, "im R, lambda %g n %g", lambda, n);
        check_near(b.at.input[0][0], creal(U), bound, "re U, lambda %g n %g", lambda, n);
        check_near(b.at.input_im[0][0], cimag(U), bound, "im U, lambda %g n %g", lambda, n);
    }
}

static double complex number(double re, double im) {
    return re + (double complex)I * im;
}

/* A fraction p/q to the q-th is the p-th power: matrices, inputs and input lines. */
TEST(test_real_power_roots) {
    rng r = rng_start("real powers, roots");
    for (size_t i = 0; i < effort(200); i++) {
        costab_method method = method_named(rng_int(&r, 0, 1) ? "rk4" : "trapezoidal");
        double A[N * N], B[N * M], h = 0.3;
        random_system(&r, A, B, 1);
        matrix_system system = {.n = N, .m = M, .degree = 1, .A = A, .B = B};
        int whole = rng_int(&r, 1, 6);
        block part, all;
        /* Half of `whole` steps, twice. */
        real_power(&method, &system, h, 0.05, whole / 2.0, &part);
        steps(&method, &system, h, 0.05, whole, &all);
        double size = matrix_norm(BLOCK, part.at.phi) + matrix_norm(BLOCK, part.at.phi_im);
        real bound = 1e5L * (real)DBL_EPSILON * (1 + size * size);
        for (int p = 0; p < N; p++)
            for (int q = 0; q < M; q++) {
                double complex u = number(part.at.input[0][p * M + q], part.at.input_im[0][p * M + q]);
                double complex v = whole / 2.0 * 0.05 * u +
                                   number(part.at.input[1][p * M + q], part.at.input_im[1][p * M + q]);
                for (int k = 0; k < N; k++) {
                    double complex phi = number(part.at.phi[p * N + k], part.at.phi_im[p * N + k]);
                    u += phi * number(part.at.input[0][k * M + q], part.at.input_im[0][k * M + q]);
                    v += phi * number(part.at.input[1][k * M + q], part.at.input_im[1][k * M + q]);
                }
                check_near(creal(u), all.at.input[0][p * M + q], bound, "U of %d/2 twice", whole);
                check_near(cimag(u), 0, bound, "imaginary U of %d/2 twice", whole);
                check_near(creal(v), all.at.input[1][p * M + q], bound, "V of %d/2 twice", whole);
            }
    }
}

/* An eigenvalue 0 of R(hA): powers vanish. */
TEST(test_real_power_zero) {
    costab_method euler = method_named("euler");
    double lambda = -1, beta = 1;
    matrix_system system = {.n = 1, .m = 1, .degree = 1, .A = &lambda, .B = &beta};
    block b;
    real_power(&euler, &system, 1, 1 / 1.5, 1.5, &b);
    check_near(b.at.phi[0], 0, 1e-15L, "R");
    check_near(b.at.input[0][0], 1, 1e-14L, "U");
}

/* Three masses, of which some do next to nothing to others: such a number is a bad pivot, and the largest one
 * of its row in some units. Phi of masses in any units is that of the same in their own: in balanced units,
 * which are up to 1 / sqrt(WEAK) from these, it is the solution of equations that are next to I. */
TEST(test_units) {
    enum { PAIRS = 3, n = 2 * PAIRS, ROWS = 2 * n };
    static const char *const methods[] = {"newmark", "generalized-alpha", "bdf2", "trapezoidal"};
    static const int positions[] = {0, 1, 2}, velocities[] = {3, 4, 5};
    const double WEAK = 1e-12, tolerance = 1000 * DBL_EPSILON / sqrt(WEAK);
    rng r = rng_start("masses in other units");
    for (size_t i = 0; i < effort(1000); i++) {
        double A[2][n * n] = {{0}}, units[ROWS], phi[2][ROWS * ROWS], work[4096];
        int iwork[64];
        costab_method method = method_named(methods[i % 4]);
        for (int p = 0; p < ROWS; p++)
            units[p] = p < PAIRS ? ldexp(1, rng_int(&r, -100, 100)) : units[p - PAIRS];
        for (int p = 0; p < PAIRS; p++) {
            A[0][p * n + PAIRS + p] = 1;
            for (int j = 0; j < n; j++)
                A[0][(PAIRS + p) * n + j] =
                    rng_uniform(&r, -1, 1) * (j % PAIRS == p || rng_int(&r, 0, 1) ? 1 : WEAK);
        }
        for (int e = 0; e < n * n; e++) A[1][e] = A[0][e] * units[e / n] / units[e % n];
        for (int k = 0; k < 2; k++) {
            const matrix_system system = {
                .n = n, .A = A[k], .pairs = PAIRS, .positions = positions, .velocities = velocities};
            const matrix_block made = {.phi = phi[k]};
            assert_true(matrix_step_work(&method, &system) <= sizeof work / sizeof *work &&
                        matrix_step_iwork(&method, &system) <= sizeof iwork / sizeof *iwork);
            assert_true(matrix_steps(&method, &system, 0.1, 1, 1, &made, work, iwork));
        }
        int rows = n + matrix_memory(&method, &(matrix_system){.n = n, .pairs = PAIRS});
        for (int e = 0; e < rows * rows; e++)
            check_near(phi[1][e] * units[e % rows] / units[e / rows], phi[0][e], (real)tolerance, "%s, %d",
                       method.name, e);
    }
}

/* A pole of R is reported, not divided by. */
TEST(test_pole) {
    costab_method method = method_named("backward-euler");
    double lambda = 1, beta = 1, work[64];
    int iwork[8];
    matrix_system system = {.n = 1, .m = 1, .degree = 1, .A = &lambda, .B = &beta};
    assert_true(matrix_step_work(&method, &system) <= 64);
    block b;
    block_make(&b);
    assert_false(matrix_steps(&method, &system, 1, 1, 1, &b.at, work, iwork));
}

TEST(test_solve) {
    rng r = rng_start("linear solve");
    for (size_t i = 0; i < effort(300); i++) {
        double a[N * N], factors[N * N], x[N * M], b[N * M] = {0};
        int pivots[N];
        for (int k = 0; k < N * N; k++) a[k] = rng_uniform(&r, -1, 1);
        for (int k = 0; k < N * M; k++) x[k] = rng_uniform(&r, -1, 1);
        matrix_multiply(N, N, M, a, x, b);
        memcpy(factors, a, sizeof a);
        assert_true(matrix_factor(N, factors, pivots));
        double work[4 * N], condition;
        int iwork[N];
        condition = matrix_reciprocal_condition(N, factors, matrix_norm_rows(N, a), work, iwork);
        matrix_solve(N, factors, pivots, M, b);
        double inverse[N * N];
        for (int k = 0; k < N * N; k++) inverse[k] = k % (N + 1) == 0;
        matrix_solve(N, factors, pivots, N, inverse);
        check_near(condition * matrix_norm_rows(N, a) * matrix_norm_rows(N, inverse), 1,
                   100 * (real)DBL_EPSILON, "condition");
        for (int k = 0; k < N * M; k++)
            check_near(b[k], x[k], 200 * (real)DBL_EPSILON / condition, "solution");
    }
    double singular[4] = {1, 2, 2, 4};
    int pivots[2];
    assert_false(matrix_factor(2, singular, pivots));
}

TEST(test_norms_of_nan) {
    for (int at = 0; at < 4; at++) {
        double a[4] = {0};
        a[at] = (double)NAN;
        assert_true(isnan(matrix_norm_rows(2, a)) && isnan(matrix_norm(4, a)));
        a[3 - at] = (double)INFINITY;
        assert_false(isfinite(matrix_norm_rows(2, a)) || isfinite(matrix_norm(4, a)));
    }
}
