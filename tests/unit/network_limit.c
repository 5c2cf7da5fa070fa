/* Stable intervals of a parameter: known boundaries, narrow gaps, classes, whole multiples. */
#include <math.h>

#include "network_model.h"

enum { MOST = 32 };

/* A made-up radius and abscissa. */
typedef struct curve {
    double (*radius)(double);
    double (*abscissa)(double);
    size_t calls;
} curve;

static costab_status on_curve(void *context, double value, costab_network_point *point, costab_error *error) {
    curve *c = (curve *)context;
    (void)error;
    c->calls++;
    *point = (costab_network_point){.size = 1, .period = 1, .iteration_radius = (double)NAN};
    point->spectral_radius = c->radius(value);
    point->spectral_abscissa = c->abscissa(value);
    unsigned bits = 0;
    if (point->spectral_radius < 1) bits |= COSTAB_DISCRETE_STABLE;
    if (point->spectral_abscissa < 0) bits |= COSTAB_CONTINUOUS_STABLE;
    point->class_code = (uint8_t)bits;
    return COSTAB_OK;
}

static double parabola(double x) {
    return 1 + (x - 1) * (x - 2);
}

static double stable(double x) {
    (void)x;
    return -1;
}

static double until_three_halves(double x) {
    return x - 1.5;
}

/* Dips below 1 on (0.70045, 0.70055), a tenth of the sampling distance. */
static double dip(double x) {
    return 1 + fabs(x - 0.7005) * 2 - 1e-4;
}

/* Rises above 1 on a gap of 2e-6 around sqrt(1/2), smoothly. */
static double bump(double x) {
    double d = x - sqrt(0.5);
    return 1 + 1e-12 - d * d;
}

static size_t limits(costab_limit_options options, costab_limit_function f, void *context,
                     costab_stable_interval *found) {
    costab_error error = {0};
    size_t count;
    check_status(costab_network_limit(&options, f, context, found, MOST, &count, &error), &error);
    assert_true(count <= MOST);
    return count;
}

static void test_interval(void **state) {
    (void)state;
    costab_stable_interval found[MOST];
    curve c = {parabola, stable, 0};
    assert_int_equal(limits((costab_limit_options){.lower = 0, .upper = 5}, on_curve, &c, found), 1);
    check_near(found[0].from, 1, 1e-10L, "from");
    check_near(found[0].to, 2, 2e-10L, "to");
    assert_true(found[0].from_open && found[0].to_open);
    assert_int_equal(found[0].class_code, 3);
    /* The range's own ends. */
    assert_int_equal(limits((costab_limit_options){.lower = 1.25, .upper = 1.75}, on_curve, &c, found), 1);
    check_near(found[0].from, 1.25, 0, "from");
    check_near(found[0].to, 1.75, 0, "to");
    assert_false(found[0].from_open || found[0].to_open);
    assert_int_equal(limits((costab_limit_options){.lower = 3, .upper = 4}, on_curve, &c, found), 0);
}

static void test_split_by_class(void **state) {
    (void)state;
    costab_stable_interval found[MOST];
    curve c = {parabola, until_three_halves, 0};
    assert_int_equal(limits((costab_limit_options){.lower = 0, .upper = 5}, on_curve, &c, found), 2);
    assert_int_equal(found[0].class_code, 3);
    assert_int_equal(found[1].class_code, 1);
    check_near(found[0].to, 1.5, 2e-10L, "the class changes");
    check_near(found[1].from, 1.5, 2e-10L, "the class changes");
    check_near(found[1].to, 2, 2e-10L, "to");
    /* All of it between two samples: the first is an extremum that a closer look starts from. */
    assert_int_equal(
        limits((costab_limit_options){.lower = 0, .upper = 30, .samples = 4}, on_curve, &c, found), 2);
    check_near(found[0].from, 1, 2e-10L, "from");
    check_near(found[1].to, 2, 2e-10L, "to");
    assert_int_equal(
        limits((costab_limit_options){.lower = 1.1, .upper = 2.9, .samples = 3}, on_curve, &c, found), 2);
    check_near(found[0].to, 1.5, 2e-10L, "the class changes");
    check_near(found[1].to, 2, 2e-10L, "to");
}

static void test_narrow(void **state) {
    (void)state;
    costab_stable_interval found[MOST];
    curve c = {dip, stable, 0};
    assert_int_equal(
        limits((costab_limit_options){.lower = 0, .upper = 1, .samples = 1001}, on_curve, &c, found), 1);
    check_near(found[0].from, 0.70045L, 1e-10L, "from");
    check_near(found[0].to, 0.70055L, 1e-10L, "to");
    c.radius = bump;
    c.calls = 0;
    assert_int_equal(limits((costab_limit_options){.lower = 0, .upper = 1}, on_curve, &c, found), 2);
    check_near(found[0].to, sqrtl(0.5L) - 1e-6L, 2e-9L, "the gap begins");
    check_near(found[1].from, sqrtl(0.5L) + 1e-6L, 2e-9L, "the gap ends");
    assert_true(c.calls < 1500);
}

/* ---- A network: [SP] example 4 over its macro step
 * ------------------------------------------------------------ */

typedef struct over_step {
    model *m;
    costab_coupling coupling;
    costab_network_work *work;
} over_step;

static costab_status at_step(void *context, double value, costab_network_point *point, costab_error *error) {
    over_step *o = (over_step *)context;
    o->coupling.macro_step = value;
    return costab_network_analyse(o->work, &o->m->network, &o->coupling, point, error);
}

static void example_4(model *m, const char *method, int substeps) {
    model_start(m);
    model_scalar(m, -1, 1, 1, method, substeps, 0.01);
    model_scalar(m, 0.1, -1, 1, method, substeps, 0.01);
    model_connect(m, 0, 0, 1, 0, 1, 0);
    model_connect(m, 1, 0, 0, 0, 1, 0);
}

static void test_example_4(void **state) {
    (void)state;
    model m;
    costab_error error = {0};
    over_step o = {.m = &m};
    costab_stable_interval found[MOST];
    check_status(costab_network_work_create(&o.work, &error), &error);

    example_4(&m, "rk4", 2);
    assert_int_equal(limits((costab_limit_options){.lower = 0.01, .upper = 3}, at_step, &o, found), 1);
    check_near(found[0].to, 0.894046816726L, 1e-11L, "two micro steps");
    assert_false(found[0].from_open);

    /* Whole multiples of 0.01: 0.89 is the last. */
    example_4(&m, "euler", 0);
    double unit;
    check_status(costab_network_macro_unit(&m.network, &unit, &error), &error);
    check_near(unit, 0.01, 1e-17L, "unit");
    assert_int_equal(
        limits((costab_limit_options){.lower = 0.005, .upper = 3, .unit = unit}, at_step, &o, found), 1);
    check_near(found[0].from, 0.01, 1e-15L, "first");
    check_near(found[0].to, 0.89, 1e-15L, "last");

    o.coupling.micro_steps = COSTAB_REAL_POWER;
    assert_int_equal(
        limits((costab_limit_options){.lower = 0.05, .upper = 2, .samples = 60}, at_step, &o, found), 1);
    check_near(found[0].to, 0.895047186481L, 1e-11L, "real n");
    costab_network_work_destroy(&o.work);
}

static void test_macro_unit(void **state) {
    (void)state;
    model m;
    double unit;
    costab_error error = {0};
    model_start(&m);
    model_scalar(&m, -1, 1, 1, "euler", 0, 0.04);
    model_scalar(&m, -1, 1, 1, "euler", 0, 0.06);
    model_scalar(&m, -1, 1, 1, "euler", 7, 0);
    check_status(costab_network_macro_unit(&m.network, &unit, &error), &error);
    check_near(unit, 0.12, 1e-16L, "of 0.04 and 0.06");
    m.subsystems[1].step = 0.04 * sqrt(2);
    assert_int_equal(costab_network_macro_unit(&m.network, &unit, &error), COSTAB_INVALID);
    m.subsystems[0].substeps = m.subsystems[1].substeps = 1;
    check_status(costab_network_macro_unit(&m.network, &unit, &error), &error);
    check_near(unit, 0, 0, "substeps only");
}

/* The macro step itself, from a network and a coupling. */
static size_t macro_limits(const model *m, costab_coupling coupling, double lower, double upper,
                           costab_stable_interval *found) {
    costab_error error = {0};
    size_t count;
    costab_limit_options range = {.lower = lower, .upper = upper};
    coupling.macro_step = 1e9; /* does not matter */
    check_status(costab_network_limit_macro_step(&m->network, &coupling, &range, found, MOST, &count, &error),
                 &error);
    return count;
}

/* x' = -x by Euler's method: the factor of a macro step is 1 - H, or (1 - h)^(H/h) where the micro step h is
 * fixed. */
static void test_macro_step(void **state) {
    (void)state;
    costab_stable_interval found[MOST];
    costab_coupling jacobi = {.scheme = COSTAB_JACOBI};
    model m;
    model_start(&m);
    model_scalar(&m, -1, 1, 1, "euler", 1, 0);
    assert_int_equal(macro_limits(&m, jacobi, 0.5, 5, found), 1);
    check_near(found[0].from, 0.5, 0, "from");
    check_near(found[0].to, 2, 4e-10L, "to");
    m.subsystems[0].substeps = 0;
    m.subsystems[0].step = 0.25;
    assert_int_equal(macro_limits(&m, jacobi, 0.3, 1.9, found), 1);
    check_near(found[0].from, 0.5, 0, "first multiple of 0.25");
    check_near(found[0].to, 1.75, 0, "last multiple of 0.25");

    costab_error error = {0};
    costab_limit_options none = {.lower = 0, .upper = 1};
    size_t count;
    assert_int_equal(costab_network_limit_macro_step(&m.network, &jacobi, &none, found, MOST, &count, &error),
                     COSTAB_INVALID);
}

/* x' = -x + g y, y' = -y - g x, backward Euler, iterated to convergence with the new values: a half sweep
 * gives x+ = (x + g H y+) / (1 + H), so that the iteration contracts iff g H < 1 + H; its limit is stable for
 * all H. */
static void test_macro_step_iterated(void **state) {
    (void)state;
    const double g = 4;
    costab_stable_interval found[MOST];
    costab_coupling iterated = {.scheme = COSTAB_ITERATED, .interpolation = COSTAB_LINEAR};
    model m;
    model_start(&m);
    model_scalar(&m, -1, g, 1, "backward-euler", 1, 0);
    model_scalar(&m, -1, -g, 1, "backward-euler", 1, 0);
    model_connect(&m, 0, 0, 1, 0, 1, 0);
    model_connect(&m, 1, 0, 0, 0, 1, 0);
    assert_int_equal(macro_limits(&m, iterated, 0.01, 3, found), 1);
    check_near(found[0].to, 1 / (g - 1), 1e-10L, "to");
}

static void test_refused(void **state) {
    (void)state;
    curve c = {parabola, stable, 0};
    costab_stable_interval found[MOST];
    costab_error error = {0};
    size_t count;
    costab_limit_options empty = {.lower = 1, .upper = 1}, few = {.lower = 0, .upper = 1, .samples = 1};
    assert_int_equal(costab_network_limit(&empty, on_curve, &c, found, MOST, &count, &error), COSTAB_INVALID);
    assert_int_equal(costab_network_limit(&few, on_curve, &c, found, MOST, &count, &error), COSTAB_INVALID);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interval),   cmocka_unit_test(test_split_by_class),
        cmocka_unit_test(test_narrow),     cmocka_unit_test(test_example_4),
        cmocka_unit_test(test_macro_unit), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_macro_step), cmocka_unit_test(test_macro_step_iterated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
