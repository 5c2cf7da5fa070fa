/* The numbers that [SP] and [GTL] publish for networks, and the true ones. A printed number is met to its
 * digits. */
#include <math.h>

#include "support/network_model.h"

/* Half a unit of the last digit given. */
#define DIGITS(n) (0.5000001 * pow(10, -(n)))

/* The moduli of the map's eigenvalues, largest first. */
static int moduli(const costab_network_work *work, int size, double *out) {
    const double *re = costab_network_eigenvalues_real(work),
                 *im = costab_network_eigenvalues_imaginary(work);
    for (int i = 0; i < size; i++) {
        double value = hypot(re[i], im[i]);
        int at = i;
        for (; at > 0 && out[at - 1] < value; at--) out[at] = out[at - 1];
        out[at] = value;
    }
    return size;
}

static void expect_moduli(const model *m, const costab_coupling *coupling, int count, const double *expected,
                          const char *what) {
    costab_error error = {0};
    costab_network_work *work;
    double found[16];
    check_status(costab_network_work_create(&work, &error), &error);
    costab_network_point point = model_analyse(work, m, coupling);
    assert_int_equal(point.size, count);
    moduli(work, count, found);
    for (int i = 0; i < count; i++)
        check_near(found[i], expected[i], DIGITS(9), "%s: modulus %d", what, i + 1);
    check_near(point.spectral_radius, found[0], 0, "%s: the radius is the largest modulus", what);
    costab_network_work_destroy(&work);
}

/* [SP] examples 1 to 3: x1' = -2 x1 + x2, x2' = x1/2 - 3/2 x2, Euler. */
static void example_1(model *m, double step1, double step2) {
    model_start(m);
    model_scalar(m, -2, 1, 1, "euler", 0, step1);
    model_scalar(m, -1.5, 0.5, 1, "euler", 0, step2);
    model_connect(m, 0, 0, 1, 0, 1, 0);
    model_connect(m, 1, 0, 0, 0, 1, 0);
}

TEST(test_example_1) {
    model m;
    example_1(&m, 0.1, 0.1);
    costab_coupling coupling = {.macro_step = 0.1};
    costab_error error = {0};
    costab_network_work *work;
    check_status(costab_network_work_create(&work, &error), &error);
    costab_network_point point = model_analyse(work, &m, &coupling);
    check_near(point.spectral_abscissa, -1, 1e-14L, "abscissa");
    int n;
    const double *A = costab_network_monolithic(work, &n);
    assert_int_equal(n, 2);
    double expected[4] = {-2, 1, 0.5, -1.5};
    for (int i = 0; i < 4; i++) check_near(A[i], expected[i], 0, "A_mono entry %d", i);
    costab_network_work_destroy(&work);
}

TEST(test_example_2_power) {
    model m;
    example_1(&m, 1, 4. / 3);
    costab_coupling coupling = {.macro_step = 2, .micro_steps = COSTAB_REAL_POWER};
    expect_moduli(&m, &coupling, 2, (double[]){1, 1}, "T_d = 2");
    coupling.macro_step = 2.1;
    expect_moduli(&m, &coupling, 2, (double[]){0.987672450, 0.955979296}, "T_d = 2.1");
}

/* Algorithm 1 exactly: period 40, eigenvalues 1 and -1/3. */
TEST(test_example_2_clocks) {
    model m;
    example_1(&m, 1, 4. / 3);
    costab_coupling coupling = {.macro_step = 2.1, .micro_steps = COSTAB_CLOCKS};
    costab_error error = {0};
    costab_network_work *work;
    check_status(costab_network_work_create(&work, &error), &error);
    costab_network_point point = model_analyse(work, &m, &coupling);
    assert_int_equal(point.period, 40);
    const double *re = costab_network_eigenvalues_real(work),
                 *im = costab_network_eigenvalues_imaginary(work);
    int one = re[0] > re[1] ? 0 : 1;
    check_near(re[one], 1, 1e-13L, "first eigenvalue");
    check_near(re[1 - one], -1.0L / 3, 1e-13L, "second eigenvalue");
    check_near(hypot(im[0], im[1]), 0, 0, "both real");
    check_near(point.spectral_radius, 1, 1e-13L, "radius");
    assert_int_equal(point.class_code & COSTAB_DISCRETE_STABLE, 0);
    costab_network_work_destroy(&work);
}

TEST(test_example_3) {
    model m;
    example_1(&m, 0.9, 0.9);
    costab_coupling coupling = {.macro_step = 1.8};
    expect_moduli(&m, &coupling, 2, (double[]){0.727084588, 0.035415412}, "example 3");
}

/* [SP] example 4: x1' = -x1 + u1, x2' = x2/10 - u2. */
static void example_4(model *m, const char *method, int substeps, double step) {
    model_start(m);
    model_scalar(m, -1, 1, 1, method, substeps, step);
    model_scalar(m, 0.1, -1, 1, method, substeps, step);
    model_connect(m, 0, 0, 1, 0, 1, 0);
    model_connect(m, 1, 0, 0, 0, 1, 0);
}

TEST(test_example_4) {
    model m;
    example_4(&m, "euler", 0, 0.01);
    costab_coupling coupling = {.macro_step = 0.89};
    expect_moduli(&m, &coupling, 2, (double[]){0.998418875, 0.998418875}, "example 4");
    coupling.macro_step = 0.90;
    assert_true(model_point(&m, &coupling).spectral_radius > 1);
}

/* Bisects for the macro step at which the radius passes 1. */
static double critical(const model *m, costab_coupling coupling, double stable, double unstable) {
    costab_error error = {0};
    costab_network_work *work;
    check_status(costab_network_work_create(&work, &error), &error);
    for (int i = 0; i < 60; i++) {
        coupling.macro_step = (stable + unstable) / 2;
        costab_network_point point;
        check_status(costab_network_analyse(work, &m->network, &coupling, &point, &error), &error);
        if (point.spectral_radius < 1)
            stable = coupling.macro_step;
        else
            unstable = coupling.macro_step;
    }
    costab_network_work_destroy(&work);
    return stable;
}

TEST(test_example_4_limits) {
    static const struct {
        const char *method;
        int substeps;
        double limit;
    } rows[] = {
        {"euler", 0, 0.895047186481}, {"heun", 0, 0.894090126095},  {"rk4", 0, 0.894091513302},
        {"exact", 0, 0.894091513310}, {"euler", 2, 0.940331698495}, {"heun", 2, 0.889958468999},
        {"rk4", 2, 0.894046816726},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        model m;
        example_4(&m, rows[i].method, rows[i].substeps, 0.01);
        costab_coupling coupling = {.micro_steps = rows[i].substeps > 0 ? COSTAB_WHOLE : COSTAB_REAL_POWER};
        double found = critical(&m, coupling, 0.8, 1);
        check_near(found, rows[i].limit, 1e-12L, "%s with %d micro steps", rows[i].method, rows[i].substeps);
    }
}

/* [SP] examples 5 and 6: mass, spring, damper, speed regulator; stiffness k, or 3 k x01^2 at an operating
 * point. */
static void example_5(model *m, double stiffness, double KP, double step1, double step2) {
    model_start(m);
    model_add(m, 2, 1, 1, "euler", 0, step1);
    double A[4] = {0, 1, -stiffness / 2, -0.5};
    memcpy(m->A[0], A, sizeof A);
    m->B[0][1] = 0.5;
    m->C[0][1] = 1;
    model_scalar(m, -0.1, KP, 1, "heun", 0, step2);
    model_connect(m, 0, 0, 1, 0, 1, 0);
    model_connect(m, 1, 0, 0, 0, 1, 0);
}

TEST(test_example_5) {
    model m;
    example_5(&m, 10, -0.5, 0.01, 0.1);
    costab_coupling coupling = {.macro_step = 1};
    expect_moduli(&m, &coupling, 3, (double[]){0.907509147, 0.842434111, 0.842434111}, "example 5");
}

TEST(test_example_6) {
    model m;
    costab_coupling coupling = {.macro_step = 0.078};
    example_5(&m, 30 * 25, -0.5, 0.0013, 0.026);
    expect_moduli(&m, &coupling, 3, (double[]){1.000014966, 1.000014966, 0.992234519}, "example 6");
    /* The criterion holds up to x01 = 4.998006944. */
    double low = 4.9, high = 5.1;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        example_5(&m, 30 * middle * middle, -0.5, 0.0013, 0.026);
        if (model_point(&m, &coupling).spectral_radius < 1)
            low = middle;
        else
            high = middle;
    }
    check_near(low, 4.998006944L, DIGITS(9), "the largest operating point");
}

/* Corollary 1 is false: Euler stable does not make RK4 stable. */
TEST(test_corollary_1) {
    static const struct {
        const char *method;
        double radius;
    } rows[] = {{"euler", 0.9147}, {"rk4", 2.0304}};
    for (int i = 0; i < 2; i++) {
        model m;
        model_start(&m);
        model_scalar(&m, -1, 1, 1, rows[i].method, 2, 0);
        model_scalar(&m, -1, -5, 1, rows[i].method, 2, 0);
        model_connect(&m, 0, 0, 1, 0, 1, 0);
        model_connect(&m, 1, 0, 0, 0, 1, 0);
        costab_coupling coupling = {.macro_step = 3.8};
        check_near(model_point(&m, &coupling).spectral_radius, rows[i].radius, DIGITS(4), "%s",
                   rows[i].method);
    }
}

/* Corollary 2 is false: stable at both ends of the operating range, unstable between. */
TEST(test_corollary_2) {
    model m;
    costab_coupling coupling = {.macro_step = 0.026};
    example_5(&m, 30 * 25, 5, 0.0013, 0.026);
    check_near(model_point(&m, &coupling).spectral_radius, 0.99903L, DIGITS(5), "x01 = 5");
    example_5(&m, 30 * 0.04, 5, 0.0013, 0.026);
    check_near(model_point(&m, &coupling).spectral_radius, 1.02762L, DIGITS(5), "x01 = 0.2");
}

/* [GTL] figure 1: a single mass, Euler. */
TEST(test_gomes_figure_1) {
    model m;
    model_start(&m);
    model_add(&m, 2, 0, 0, "euler", 1, 0);
    double A[4] = {0, 1, -1, -1e-4};
    memcpy(m.A[0], A, sizeof A);
    costab_coupling coupling = {.macro_step = 0.1};
    check_near(model_point(&m, &coupling).spectral_radius, 1.004982587L, DIGITS(9), "h = 0.1");
    coupling.macro_step = 0.99e-4;
    assert_int_equal(model_point(&m, &coupling).class_code, 3);
    coupling.macro_step = 1.01e-4;
    assert_int_equal(model_point(&m, &coupling).class_code, 2);
}

/* [GTL] case study: two masses; the second subsystem computes the force K (x2 - x1) of the spring between
 * them. */
static void two_masses(model *m) {
    model_start(m);
    const double K = 200;
    model_add(m, 2, 1, 1, "rk4", 1, 0); /* x1, v1; input f; output x1 */
    double A1[4] = {0, 1, -1, -1};
    memcpy(m->A[0], A1, sizeof A1);
    m->B[0][1] = 1;
    m->C[0][0] = 1;
    model_add(m, 2, 1, 1, "rk4", 1, 0); /* x2, v2; input x1; output f = K (x2 - x1) */
    double A2[4] = {0, 1, -(1 + K), -2};
    memcpy(m->A[1], A2, sizeof A2);
    m->B[1][1] = K;
    m->C[1][0] = K;
    m->D[1][0] = -K;
    model_feedthrough(m, 1);
    model_connect(m, 0, 0, 1, 0, 1, 0);
    model_connect(m, 1, 0, 0, 0, 1, 0);
}

TEST(test_gomes_case_study) {
    model m;
    two_masses(&m);
    costab_coupling jacobi = {.macro_step = 0.01}, iterated = {.scheme = COSTAB_ITERATED, .macro_step = 0.01};
    check_near(model_point(&m, &jacobi).spectral_radius, 1.004629327L, DIGITS(9), "(14), H = 0.01");
    /* 0.99500419488814 by 30 digits; the digits given are cut off. */
    check_near(model_point(&m, &iterated).spectral_radius, 0.99500419488814L, DIGITS(14), "(18), H = 0.01");
    jacobi.macro_step = iterated.macro_step = 0.001;
    check_near(model_point(&m, &jacobi).spectral_radius, 0.999376L, DIGITS(6), "(14), H = 0.001");
    check_near(model_point(&m, &iterated).spectral_radius, 0.999275L, DIGITS(6), "(18), H = 0.001");
    check_near(critical(&m, jacobi, 0.001, 0.01), 0.00604874153518L, DIGITS(14), "(14), critical H");
    check_near(critical(&m, iterated, 0.01, 0.05), 0.0300123518297L, DIGITS(13), "(18), critical H");
}
