/* Time histories: the map against trace and determinant of the point kernel and against the scheme's
 * definition; the exact solution against its series; [KNS] figure 5. */
#include <math.h>

#include "costab/planar.h"
#include "definition.h"
#include "support.h"

TEST(map_equals_definition) {
    static const char *const methods[] = {"euler", "rk4", "radau2", "exact"};
    rng r = rng_start("history");
    for (size_t n = 0; n < effort(400); n++) {
        costab_method method = method_named(methods[n % 4]);
        costab_scheme scheme = (costab_scheme)rng_int(&r, 0, 3);
        int m = rng_int(&r, 1, 3), k = scheme == COSTAB_SIMULATION ? m : rng_int(&r, 1, 3);
        costab_planar planar;
        check_ok(costab_planar_init(&planar, scheme, &method, m, k, &why));
        double A[4], D[4];
        for (int i = 0; i < 4; i++) A[i] = rng_uniform(&r, -0.9, 0.9);
        costab_planar_map(&planar, A, D);

        double gamma = A[0] + A[3], delta = A[0] * A[3] - A[1] * A[2];
        costab_planar_point p;
        costab_planar_points(&planar, 1, &A[0], &gamma, &delta, &p);
        /* |entries| stay below 4 and strong's determinant of I - M above 1/2: a few dozen roundings */
        check_near(D[0] + D[3], p.trace, 1e-13L, "trace of the map");
        check_near(D[0] * D[3] - D[1] * D[2], p.determinant, 1e-13L, "determinant of the map");
        if (method.kind == COSTAB_EXACT && scheme == COSTAB_SIMULATION) continue;
        definition d = define_planar(&planar, A[0], A[1], A[2], A[3]);
        for (int i = 0; i < 4; i++) check_near(D[i], d.D[i / 2][i % 2], 1e-13L, "entry %d of the map", i);
    }
}

/* e^(At) by its Taylor series in long double after scaling by 2^-20 and squaring. */
static void series_exponential(const double *A, double t, real E[4]) {
    real x[4], term[4] = {1, 0, 0, 1}, next[4];
    for (int i = 0; i < 4; i++) {
        x[i] = (real)A[i] * (real)t * 0x1p-20L;
        E[i] = term[i];
    }
    for (int k = 1; k < 12; k++) {
        for (int i = 0; i < 4; i++) {
            next[i] = (term[i / 2 * 2] * x[i % 2] + term[i / 2 * 2 + 1] * x[2 + i % 2]) / k;
            E[i] += next[i];
        }
        for (int i = 0; i < 4; i++) term[i] = next[i];
    }
    for (int s = 0; s < 20; s++) {
        for (int i = 0; i < 4; i++) next[i] = E[i / 2 * 2] * E[i % 2] + E[i / 2 * 2 + 1] * E[2 + i % 2];
        for (int i = 0; i < 4; i++) E[i] = next[i];
    }
}

TEST(exponential_equals_series) {
    rng r = rng_start("exponential");
    for (size_t n = 0; n < effort(400); n++) {
        double A[4], E[4], t = rng_uniform(&r, 0, 2), size = 0;
        real reference[4];
        for (int i = 0; i < 4; i++) A[i] = rng_uniform(&r, -3, 3);
        if (n % 4 == 0) A[1] = 0;                  /* triangular */
        if (n % 8 == 0) A[3] = A[0];               /* a double eigenvalue */
        if (n % 5 == 0) A[2] = -A[1], A[3] = A[0]; /* a complex pair */
        costab_planar_exponential(A, t, E);
        series_exponential(A, t, reference);
        for (int i = 0; i < 4; i++) size += fabs((double)reference[i]) + exp(2 * t) * 1e-2;
        /* the squarings lose 2^20 roundings of long double, the closed form |At| roundings of double */
        for (int i = 0; i < 4; i++) check_near(E[i], reference[i], 1e-12L * size, "entry %d of e^(At)", i);
    }
}

/* [KNS] figure 5: both cases show at h = 1e-3, the step that the paper does not print. */
TEST(figure_5) {
    static const double su[4] = {10, 3000, -2767, -110}, us[4] = {10, 3000, -2000, 290}, start[2] = {1, 0};
    costab_method method = method_named("rk4");
    costab_planar planar;
    double x[400], y[400], E[4];
    check_ok(costab_planar_init(&planar, COSTAB_SIMULATION, &method, 1, 1, &why));

    costab_planar_history(&planar, su, 1e-3, start, 400, x, y);
    costab_planar_exponential(su, 0.399, E);
    assert_true(x[0] == 1 && y[0] == 0);
    assert_true(hypot(x[399], y[399]) > 1e6); /* radius 1.0519 a step */
    assert_true(hypot(E[0], E[2]) < 1e-6);    /* e^(-50 t) */

    costab_planar_history(&planar, us, 1e-3, start, 400, x, y);
    costab_planar_exponential(us, 0.1, E);
    assert_true(hypot(x[399], y[399]) < 0.1);
    assert_true(hypot(E[0], E[2]) > 1e5); /* e^(150 t) */
}
