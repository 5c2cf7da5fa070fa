/* Loops of feedthrough: what depends on itself, whether I - L D is regular in whatever units, and the bound
 * of roots through connections with dead time. */
#include <math.h>

#include "method/matrix.h"
#include "network/dead_time.h"
#include "network/loop.h"
#include "network/work.h"
#include "support/network_model.h"

enum { MOST = 4 };

static bool regular(int n, const double *gain) {
    double matrix[MOST * MOST], work[4 * MOST];
    int iwork[2 * MOST];
    for (int e = 0; e < n * n; e++) matrix[e] = (e % (n + 1) == 0) - gain[e];
    return loop_regular(n, matrix, &(loop_space){work, iwork});
}

/* A ring of gains whose product is p: I - G has the determinant 1 - p, in every unit of the signals. */
TEST(ring_in_any_units) {
    rng r = rng_start("rings of gains");
    for (size_t round = 0; round < effort(300); round++) {
        int n = rng_int(&r, 1, MOST), open[MOST], shift[MOST];
        double gain[MOST * MOST] = {0};
        bool singular = rng_int(&r, 0, 1) == 1;
        for (int i = 0; i < n; i++) shift[i] = n > 1 ? rng_int(&r, -60, 60) : 0;
        /* powers of 2 alone, so that the product 1 is exact */
        for (int i = 0; i < n; i++) gain[i * n + (i + 1) % n] = ldexp(1, shift[i] - shift[(i + 1) % n]);
        if (!singular) gain[(n - 1) * n] *= rng_int(&r, 0, 1) == 0 ? 0.75 : -1;
        assert_true(loop_closed(n, gain, 0, open));
        check_true(regular(n, gain) == !singular, "ring of %d", n);
    }
}

/* Signals in a chain, however large their gains: nothing depends on itself. */
TEST(chain_is_regular) {
    rng r = rng_start("chains of gains");
    for (size_t round = 0; round < effort(300); round++) {
        int n = rng_int(&r, 1, MOST), open[MOST], at[MOST] = {0, 1, 2, 3};
        double gain[MOST * MOST] = {0};
        for (int i = n - 1; i > 0; i--) {
            int j = rng_int(&r, 0, i), kept = at[i];
            at[i] = at[j];
            at[j] = kept;
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) gain[at[i] * n + at[j]] = rng_magnitude(&r, -9, 9);
        assert_false(loop_closed(n, gain, 0, open));
        check_true(regular(n, gain), "chain of %d", n);
    }
}

/* L D of two subsystems with feedthrough, one of the connections delayed. */
TEST(gain_of_a_network) {
    model m;
    model_start(&m);
    model_add(&m, 1, 2, 1, "rk4", 1, 0);
    model_add(&m, 1, 1, 2, "rk4", 1, 0);
    const double D0[2] = {2, 3}, D1[2] = {5, 7};
    memcpy(m.D[0], D0, sizeof D0);
    memcpy(m.D[1], D1, sizeof D1);
    double gain[9];
    model_connect(&m, 0, 0, 1, 0, 10, 0);
    model_connect(&m, 1, 0, 0, 0, 1, 0);
    model_connect(&m, 1, 1, 0, 1, -1, 1);
    assert_false(loop_gain(&m.network, 3, false, gain)); /* D is not there yet */
    model_feedthrough(&m, 0);
    model_feedthrough(&m, 1);
    assert_true(loop_gain(&m.network, 3, false, gain));
    static const double all[9] = {0, 0, 5, 0, 0, -7, 20, 30, 0}, undelayed[9] = {0, 0, 5, 0, 0, 0, 20, 30, 0};
    for (int e = 0; e < 9; e++) assert_true(gain[e] == all[e]);
    assert_true(loop_gain(&m.network, 3, true, gain));
    for (int e = 0; e < 9; e++) assert_true(gain[e] == undelayed[e]);
}

/* In units in which the right hand side would pass what doubles hold. */
TEST(solution_in_large_units) {
    double matrix[4] = {1, -0.5, -0.5, 1}, scale[2] = {0x1p900, 0x1p890},
           b[4] = {0x1p200, 3, 0x1p210, 0x3p10};
    int pivots[2];
    assert_true(matrix_factor(2, matrix, pivots));
    loop_solve(2, &(loop_factors){matrix, scale, pivots}, 2, b);
    const double found[4] = {0x1p201, 6, 0x1p211, 0x6p10};
    for (int e = 0; e < 4; e++) check_near(b[e], found[e], 4e-16L * (real)found[e], "entry %d", e);
}

/* An entry is inexact if more than its row and its column have cancels in it: sqrt(1) sqrt(4) here. The zero
 * before the copy shows if another entry is taken for one of them. */
TEST(cancelled_entry) {
    for (int over = 0; over < 2; over++)
        for (int e = 1; e < 3; e++) {
            double balanced[5] = {0}, scale[6], moduli[4] = {1, 0, 0, 4};
            const double matrix[4] = {1, 0, 0, 4};
            costab_network_work work = {.states = 2, .mono = {.balanced = balanced + 1, .scale = scale}};
            moduli[e] = 2 * MONOLITHIC_CANCELLED * (over ? 1.01 : 0.99);
            assert_int_equal(monolithic_inexact(&work, matrix, moduli), over);
        }
}

/* x1' = -x1 + v2, q1 = 2 x1; x2' = -4 x2 + 2 v1, q2 = -2 x2 - v1 / 2: |A| + |B| (1 - |D|)^-1 |C| = [2 2; 4 4]
 * has the largest eigenvalue 6. Dead times near 0 become 1e-6 / 6, and the error is 36 times that. */
TEST(bound_of_roots_with_dead_time) {
    model m;
    model_start(&m);
    model_scalar(&m, -1, 1, 2, "exact", 1, 0);
    model_scalar(&m, -4, 2, -2, "exact", 1, 0);
    model_feedthrough(&m, 1);
    m.D[1][0] = -0.5;
    model_connect(&m, 0, 0, 1, 0, 1, 0);
    model_connect(&m, 1, 0, 0, 0, 1, 0);
    m.connections[0].dead_time = m.connections[1].dead_time = 1e-30;
    const costab_coupling coupling = {.scheme = COSTAB_JACOBI, .macro_step = 1};
    costab_network_work *work = work_open();
    const double *matrix;
    int size;
    double noise;
    check_ok(work_prepare(work, &m.network, &coupling, NULL, &why));
    check_ok(dead_time_matrix(work, &matrix, &size, &noise, &why));
    check_near(noise, 6e-6L, 1e-14L, "36 times the longer dead time");
    costab_network_work_destroy(&work);
}
