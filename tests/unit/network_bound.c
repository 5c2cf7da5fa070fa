/* The error bound of nonlinear and unfit networks; the error of runs that are exact or diverge. */
#include <math.h>

#include "costab/limit.h"
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

TEST(test_nonlinear) {
    model m;
    costab_dynamics dynamics;
    costab_error error = {0};
    costab_bound bound;
    costab_bound_options options = {.error = 0.1};
    one_way(&m, &dynamics);
    check_ok(costab_network_bound(&m.network, &options, &bound, &why));
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

TEST(test_refused) {
    model m;
    costab_dynamics dynamics;
    one_way(&m, &dynamics);
    expect_refused(&m, (costab_bound_options){.error = 0}, "must be positive");
    expect_refused(&m, (costab_bound_options){.error = 1, .horizon = -1}, "horizon -1");
    m.A[1][0] = 0.5;
    expect_refused(&m, (costab_bound_options){.error = 1}, "not stable");
    model_scalar(&m, -1, 1, 1, "rk4", 1, 0);
    expect_refused(&m, (costab_bound_options){.error = 1}, "two subsystems");
    for (int k = 0; k < 2; k++) { /* maps of steps, which are not x' = A x + B u, whatever their length */
        one_way(&m, &dynamics);
        m.subsystems[1].method = (costab_method){.name = "own", .kind = COSTAB_SAMPLED};
        m.subsystems[1].substeps = 0;
        m.subsystems[1].step = k == 0 ? 1e-6 : 0.1;
        expect_refused(&m, (costab_bound_options){.error = 1, .horizon = 1},
                       "bound: not with the subsystem 's2'");
    }
}

/* No connection, exact solver: no error. A run that blows up: an infinite one. */
TEST(test_error) {
    model m;
    double found;
    costab_coupling coupling = {.macro_step = 0.5};
    model_start(&m);
    model_scalar(&m, -1, 1, 1, "exact", 4, 0);
    m.x0[0][0] = 1;
    check_ok(costab_network_error(&m.network, &coupling, 5, &found, &why));
    check_near(found, 0, 1e-14L, "exact");
    m.subsystems[0].method = method_named("euler");
    m.A[0][0] = -100;
    check_ok(costab_network_error(&m.network, &coupling, 500, &found, &why));
    assert_true(isinf(found));
}

static bool take_error(void *context, const costab_row *row) {
    double *largest = context;
    if (row->kind == COSTAB_SIGNAL_STATE && row->communication)
        *largest = fmax(*largest, fabs(row->value - row->monolithic));
    return true;
}

/* The error at communication points, by the map, is that of the run itself. */
TEST(test_exchanges) {
    for (int scheme = 0; scheme < COSTAB_COUPLING_SCHEME_COUNT; scheme++) {
        model m;
        double largest = 0;
        costab_measures measures;
        costab_simulate_outcome outcome;
        costab_network_simulator *simulator = NULL;
        costab_coupling coupling = {.scheme = (costab_coupling_scheme)scheme,
                                    .macro_step = 0.3,
                                    .interpolation = COSTAB_LINEAR,
                                    .extrapolation = COSTAB_LINEAR};
        costab_simulate_options options = {.until = 9.1, .monolithic = true};
        costab_measure_options wanted = {.horizon = 9.1, .error = true, .exchanges = true};
        model_start(&m);
        model_scalar(&m, -1, 1, 1, "rk4", 3, 0);
        model_scalar(&m, -0.5, -1, 1, "heun", 2, 0);
        m.x0[0][0] = 2;
        m.x0[1][0] = -1;
        model_connect(&m, 0, 0, 1, 0, 1, scheme == COSTAB_JACOBI ? 1 : 0);
        model_connect(&m, 1, 0, 0, 0, 1, 0);
        check_ok(
            costab_network_simulate(&m.network, &coupling, &options, take_error, &largest, &outcome, &why));
        check_ok(costab_network_simulator_create(&simulator, &why));
        check_ok(costab_network_measure(simulator, &m.network, &coupling, &wanted, &measures, &why));
        costab_network_simulator_destroy(&simulator);
        assert_true(largest > 1e-3);
        check_near(measures.error, largest, 1e-13L, "scheme %d", scheme);
        assert_true(isnan(measures.energy_residual));
    }
}

/* x1' = growth x1 + strength x2, x2' = growth x2 - strength x1, exact solvers, with micro steps of that
 * length (0: one per macro step): an error of first order in the macro step. */
static costab_made made_of(double growth, double strength, double micro_step, costab_made_options options) {
    model m;
    costab_made made;
    costab_coupling coupling = {.macro_step = 1};
    model_start(&m);
    model_scalar(&m, growth, strength, 1, "exact", micro_step == 0, micro_step);
    model_scalar(&m, growth, -strength, 1, "exact", micro_step == 0, micro_step);
    m.x0[0][0] = 1;
    model_connect(&m, 0, 0, 1, 0, 1, 0);
    model_connect(&m, 1, 0, 0, 0, 1, 0);
    check_ok(costab_bound_made(&m.network, &coupling, &options, &made, &why));
    return made;
}

/* Where the horizon has too many of the smallest macro steps they are left out, and `lowest` says from which
 * step on.
 */
TEST(test_made_long) {
    /* Micro steps of fixed length that leave more macro steps than are tried do not change that. The long
     * runs are few, as no more is stable from T = 2 atanh(1 / 16^2) = 0.0078 on: e^2 + 16^2 (1-e)^2 = 1, e =
     * e^-T. */
    const double horizons[3] = {1, 4000, 4000}, micro_steps[3] = {0, 1e-5, 0};
    for (size_t i = 0; i < 3 && i < effort(1); i++) {
        costab_made_options options = {
            .error = i == 0 ? 1e-3 : 1e6, .macro_step = 0.01, .horizon = horizons[i]};
        costab_made made = made_of(-1, i == 0 ? 0.5 : 16, micro_steps[i], options);
        /* samples that grow by q from T on take horizon / (T (1 - 1/q)) macro steps */
        real q = powl(3000, 1.0L / 1500), steps = (real)(horizons[i] / made.lowest) / (1 - 1 / q);
        if (i == 0)
            check_near(made.lowest, 1e-4L, 1e-18L, "the lowest step of a short horizon");
        else
            check_true(made.lowest > 1e-4 && made.lowest <= 0.01 && steps <= 1.01e8L && steps > 0.99e8L,
                       "from %g on", made.lowest);
        check_true(made.macro_step_made > made.lowest, "made %g", made.macro_step_made);
        if (i > 0) check_near(made.stable_to, 2 * atanhl(1 / 256.0L), 1e-5L, "stable_to");
    }
}

static costab_made made_of_first_order(double allowed, double macro_step, double horizon) {
    costab_made_options options = {.error = allowed, .macro_step = macro_step, .horizon = horizon};
    return made_of(-1, 0.5, 0, options);
}

/* Where the error is not kept at a hundredth of the step given smaller ones are tried, down to a thousandth;
 * smaller steps are not judged. */
TEST(test_made_low) {
    costab_made known = made_of_first_order(1e-4, 0.01, 1), low = made_of_first_order(1e-4, 0.1, 1);
    assert_true(known.macro_step_made > known.lowest && known.macro_step_made < 1e-3);
    assert_true(low.lowest >= 1e-4 && low.lowest < low.macro_step_made);
    check_near(low.macro_step_made, known.macro_step_made, 1e-12L, "made, from other samples");
    costab_made none = made_of_first_order(1e-4, 1, 1);
    check_near(none.lowest, 1e-3L, 1e-18L, "the lowest");
    check_near(none.macro_step_made, 0, 0, "made");
    /* 1e12 macro steps in a run: no error is measured; every macro step is stable, e^2 + (1-e)^2 / 4 < 1 */
    costab_made long_one = made_of_first_order(1e-4, 0.1, 1e11);
    check_near(long_one.stable_to, long_one.highest, 0, "stable_to");
    assert_true(isnan(long_one.error_at_macro_step) && isnan(long_one.macro_step_made));
    assert_true(isnan(long_one.kept_up_to) && long_one.lowest > long_one.highest);
}

/* A run has no macro step beyond its horizon: no error is known there, and no such step is recommended. */
TEST(test_made_beyond_horizon) {
    costab_made made = made_of_first_order(1e6, 0.5, 0.3);
    assert_true(isnan(made.error_at_macro_step));
    check_near(made.macro_step_made, 0.3L, 1e-15L, "made");
    check_near(made.kept_up_to, 0.3L, 1e-15L, "kept");
    assert_true(made_of_first_order(1e6, 0.3, 0.3).error_at_macro_step > 0);
}

/* Micro steps of 0.01 alone: macro steps are whole numbers of them. */
static costab_made made_with_steps(double growth, double horizon, double step) {
    costab_made_options options = {.error = 0.01, .macro_step = step, .horizon = horizon};
    return made_of(growth, 1, 0.01, options);
}

TEST(test_made_whole) {
    costab_made made = made_with_steps(-1, 5, 0.055);
    check_near(made.taken, 0.05L, 1e-15L, "the largest multiple");
    check_near(made.macro_step_made / 0.01, roundl(made.macro_step_made / 0.01), 1e-9L, "a multiple");
    assert_true(made.macro_step_made > 0 && made.macro_step_made < made.stable_to);
    /* the next multiple makes a larger error: measured by a search around it */
    costab_made next = made_with_steps(-1, 5, made.macro_step_made + 0.01);
    assert_true(next.error_at_macro_step > 0.01);
    costab_made same = made_with_steps(-1, 5, made.macro_step_made);
    assert_true(same.error_at_macro_step <= 0.01);
    /* Every step is stable, e^2 + (1-e)^2 / 4 < 1: the last multiple below 30 * 0.0555 is the end of the
     * range. */
    costab_made_options options = {.error = 0.01, .macro_step = 0.0555, .horizon = 1};
    costab_made end = made_of(-1, 0.5, 0.01, options);
    check_near(end.highest, 1.66L, 1e-14L, "the end of the range");
    check_near(end.stable_to, end.highest, 0, "stable up to the end of the range");
    /* 165 multiples are few, and a horizon that leaves out steps of any length leaves none of them out */
    check_near(made_with_steps(-1, 600, 0.055).lowest, 0.00055L, 1e-18L, "the lowest of few multiples");
}

/* Where the continuous system itself grows no step is stable, and the error over a horizon counts alone; else
 * a horizon too short to see the growth recommends no unstable step. */
TEST(test_made_unstable) {
    costab_made grows = made_with_steps(0.1, 0.5, 0.05);
    assert_true(grows.stable_to == 0 && grows.macro_step_made > 0);
    model m;
    costab_made made;
    costab_coupling coupling = {.macro_step = 1};
    costab_made_options options = {.error = 1e6, .macro_step = 0.5, .horizon = 3};
    model_start(&m);
    model_scalar(&m, -1, 3, 1, "exact", 1, 0);
    model_scalar(&m, -1, -3, 1, "exact", 1, 0);
    m.x0[0][0] = 1;
    model_connect(&m, 0, 0, 1, 0, 1, 0);
    model_connect(&m, 1, 0, 0, 0, 1, 0);
    check_ok(costab_bound_made(&m.network, &coupling, &options, &made, &why));
    /* the map [e, 3 i (1-e)] has the radius sqrt(e^2 + 9 (1-e)^2), 1 at e = 0.8 */
    check_near(made.stable_to, -logl(0.8L), 1e-11L, "stable_to");
    check_near(made.macro_step_made, made.stable_to, 0, "made");
    options.error = -1;
    assert_int_equal(costab_bound_made(&m.network, &coupling, &options, &made, &why), COSTAB_INVALID);
}

typedef struct patience {
    size_t calls, least; /* calls so far; calls until the end */
} patience;

static bool run_out(void *context, size_t done, size_t total) {
    patience *p = context;
    assert_true(done <= total);
    return ++p->calls >= p->least;
}

/* Progress ends the search within a single run of 1e8 macro steps, and within the search for the limit. */
TEST(test_made_cancelled) {
    for (int within_limit = 0; within_limit < 2; within_limit++) {
        model m;
        costab_made made;
        costab_error error = {0};
        costab_coupling coupling = {.macro_step = 1};
        patience p = {.least = within_limit ? 1 : 1000};
        costab_made_options options = {
            .error = 1, .macro_step = 0.01, .horizon = 1e6, .progress = run_out, .progress_context = &p};
        model_start(&m);
        model_scalar(&m, -1, 0.5, 1, "exact", 1, 0);
        model_scalar(&m, -1, -0.5, 1, "exact", 1, 0);
        m.x0[0][0] = 1;
        model_connect(&m, 0, 0, 1, 0, 1, 0);
        model_connect(&m, 1, 0, 0, 0, 1, 0);
        assert_int_equal(costab_bound_made(&m.network, &coupling, &options, &made, &error), COSTAB_CANCELLED);
        assert_int_equal(p.calls, p.least);
    }
}
