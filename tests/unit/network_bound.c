/* The error bound of nonlinear and unfit networks; the error of runs that are exact or diverge. */
#include <math.h>

#include "network_model.h"

static costab_status decay(void *context, double t, const double *x, const double *u, double *dx,
                           costab_error *error) {
    (void)context;
    (void)t;
    (void)error;
    dx[0] = -x[0] + u[0];
    return COSTAB_OK;
}

static costab_status square(void *context, double t, const double *x, const double *u, double *y,
                            costab_error *error) {
    (void)context;
    (void)t;
    (void)u;
    (void)error;
    y[0] = x[0] * x[0];
    return COSTAB_OK;
}

/* x1 = 3 e^-t with y1 = x1^2: M_f = 3, M_g = 6. x2' = -x2 + x1^2 from 0: x2 = 9 (e^-t - e^-2t), so that f2 =
 * 9 (2 e^-2t
 * - e^-t), largest at the start. */
static void one_way(model *m, costab_dynamics *dynamics) {
    *dynamics = (costab_dynamics){.f = decay, .g = square};
    model_start(m);
    model_scalar(m, -1, 1, 1, "rk4", 50, 0);
    model_scalar(m, -1, 1, 2, "rk4", 50, 0);
    m->subsystems[0].dynamics = dynamics;
    m->x0[0][0] = 3;
    model_connect(m, 0, 0, 1, 0, 1, 0);
}

static void test_nonlinear(void **state) {
    (void)state;
    model m;
    costab_dynamics dynamics;
    costab_error error = {0};
    costab_bound bound;
    costab_bound_options options = {.error = 0.1};
    one_way(&m, &dynamics);
    check_status(costab_network_bound(&m.network, &options, &bound, &error), &error);
    check_near(bound.horizon, 20, 1e-12L, "twenty time constants");
    check_near(bound.f[0], 3, 1e-12L, "M_f of the plant");
    check_near(bound.g[0], 6, 1e-9L, "M_g of the plant");
    check_near(bound.f[1], 9, 1e-12L, "M_f of the controller");
    check_near(bound.g[1], 2, 1e-12L, "M_g of the controller");
    real factor = sqrtl(81 * (1 + 4) + 9 * (1 + 2 * 36));
    check_near(bound.factor, factor, 1e-6L, "factor");
    check_near(bound.macro_step, 0.1L / factor, 1e-10L, "T_max");
    /* |f2| falls to 0 at t = ln 2 and rises again to 9/8 at t = ln 4: its later extremum. f1 has none. */
    options.printed = true;
    assert_int_equal(costab_network_bound(&m.network, &options, &bound, &error), COSTAB_INVALID);
    assert_non_null(strstr(error.message, "subsystem 's1' has none"));
}

static void expect_refused(const model *m, costab_bound_options options, const char *words) {
    costab_error error = {0};
    costab_bound bound;
    assert_int_equal(costab_network_bound(&m->network, &options, &bound, &error), COSTAB_INVALID);
    check_true(strstr(error.message, words) != NULL, "\"%s\" is in: %s", words, error.message);
}

static void test_refused(void **state) {
    (void)state;
    model m;
    costab_dynamics dynamics;
    one_way(&m, &dynamics);
    expect_refused(&m, (costab_bound_options){.error = 0}, "must be positive");
    expect_refused(&m, (costab_bound_options){.error = 1, .horizon = -1}, "horizon -1");
    m.A[1][0] = 0.5;
    expect_refused(&m, (costab_bound_options){.error = 1}, "not stable");
    model_scalar(&m, -1, 1, 1, "rk4", 1, 0);
    expect_refused(&m, (costab_bound_options){.error = 1}, "two subsystems");
}

/* No connection, exact solver: no error. A run that blows up: an infinite one. */
static void test_error(void **state) {
    (void)state;
    model m;
    double found;
    costab_error error = {0};
    costab_coupling coupling = {.macro_step = 0.5};
    model_start(&m);
    model_scalar(&m, -1, 1, 1, "exact", 4, 0);
    m.x0[0][0] = 1;
    check_status(costab_network_error(&m.network, &coupling, 5, &found, &error), &error);
    check_near(found, 0, 1e-14L, "exact");
    m.subsystems[0].method = method_named("euler");
    m.A[0][0] = -100;
    check_status(costab_network_error(&m.network, &coupling, 500, &found, &error), &error);
    assert_true(isinf(found));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nonlinear), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
