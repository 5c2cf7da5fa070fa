/* Newton's method for the stages of implicit methods: at rest, where slopes are small differences of large
 * terms, and in units in which states are of very different sizes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "costab/spec.h"
#include "network/newton.h"
#include "support/model_file.h"

static const char *const methods[] = {"backward-euler", "trapezoidal", "gauss2", "radau2", "sdirk2"};
enum { METHODS = sizeof methods / sizeof *methods };

typedef struct track {
    double first[2000]; /* of state 1 of subsystem 1, at communication points */
    int count;
} track;

static bool keep(void *context, const costab_row *row) {
    track *t = context;
    bool wanted =
        row->subsystem == 0 && row->kind == COSTAB_SIGNAL_STATE && row->index == 0 && row->communication;
    if (wanted) t->first[t->count++] = row->value;
    return true;
}

/* Simulates a model at U = unit; without `exact` the derivatives come from differences. */
static void simulate(const char *yaml, double unit, bool exact, double until, track *t) {
    costab_error error = {.message = ""};
    costab_spec *spec = spec_of(yaml);
    costab_model_instance *instance;
    costab_simulate_outcome outcome;
    costab_simulate_options options = {.until = until};
    check_ok(costab_model_instance_create(spec->model, &instance, &why));
    costab_model_instance_set(instance, costab_model_parameter(spec->model, "U"), unit);
    check_ok(costab_model_instance_update(instance, &why));
    const costab_network *network = costab_model_instance_network(instance);
    costab_subsystem subsystems[2] = {network->subsystems[0], network->subsystems[1]};
    costab_dynamics dynamics = *subsystems[0].dynamics;
    costab_network changed = *network;
    assert_non_null(dynamics.jacobian);
    if (!exact) dynamics.jacobian = NULL;
    subsystems[0].dynamics = &dynamics;
    changed.subsystems = subsystems;
    t->count = 0;
    check_true(costab_network_simulate(&changed, costab_model_instance_coupling(instance, 0), &options, keep,
                                       t, &outcome, &error) == COSTAB_OK,
               "%s\n%s", error.message, yaml);
    costab_model_instance_destroy(&instance);
    costab_spec_destroy(&spec);
}

/* The beginning of a nonlinear subsystem, with a linear subsystem that gives it the input 0. */
#define MODEL                                                                                                \
    "system: network\nparameters: {U: 1}\ncoupling: {macro_step: %s}\n"                                      \
    "connections: [{from: lag.w, to: s.u}, {from: s.y, to: lag.v}]\nsubsystems:\n"                           \
    "  - {name: s, inputs: [u], outputs: [y], method: %s, "
#define LAG "}\n  - {name: lag, A: [[-1]], B: [[0]], C: [[0]], inputs: [v], outputs: [w]}\n"

/* h' = 1 - sqrt(h): at h = 1 every method stays where it is, and from there the slope is rounding alone.
 * Linearised h - 1 shrinks by the factor |R(-0.05)| a step of 0.1, which after 1000 steps is below 1e-20. */
TEST(at_rest) {
    static const char *const starts[] = {"1", "4", "0.25"};
    for (int m = 0; m < METHODS; m++)
        for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
            for (int exact = 0; exact < 2; exact++) {
                char yaml[1000];
                track t;
                snprintf(yaml, sizeof yaml,
                         MODEL
                         "states: [h], f: [1 - sqrt(h) + u], g: [h], operating_point: {h: 1}, x0: [%s]" LAG,
                         "0.1", methods[m], starts[k]);
                simulate(yaml, 1, exact, 150, &t);
                check_near(t.first[t.count - 1], 1, 1e-12L, "%s from %s", methods[m], starts[k]);
            }
}

/* A volume whose pressure, in units of U pascal, flows off through an orifice, with a flow of some 1e-4:
 * the same numbers whatever U is. The bound: updates below 1e-13 of a state end an iteration, and 500 steps
 * that shrink errors add up to no more than 500 of them. */
TEST(units) {
    for (int m = 0; m < METHODS; m++) {
        char yaml[1000];
        track pascal, bar;
        snprintf(
            yaml, sizeof yaml,
            MODEL
            "states: [P, q], f: ['1e12/U*(1e-3 + q - 1e-3*sqrt(P*U/1e5) + u)', '1e3*(1e-4*(1 - P*U/1e5) - "
            "q)'], g: [P], operating_point: {P: 1e5/U}, x0: [4e5/U, 0]" LAG,
            "1e-4", methods[m]);
        simulate(yaml, 1, true, 0.05, &pascal);
        simulate(yaml, 1e5, true, 0.05, &bar);
        assert_int_equal(pascal.count, bar.count);
        assert_int_equal(pascal.count, 501);
        for (int i = 0; i < pascal.count; i++)
            check_near(pascal.first[i], 1e5L * bar.first[i], 5e-11L * pascal.first[i], "%s, row %d",
                       methods[m], i);
        check_near(pascal.first[500], 1e5L, 1e-5L, "%s: at rest", methods[m]);
    }
}

/* r = y^2 - 2: of the two roots that on the side of the guess. Without a root the method reports that. */
static costab_status square(void *context, const double *y, double *r, costab_error *error) {
    (void)error;
    r[0] = y[0] * y[0] - *(const double *)context;
    return COSTAB_OK;
}

TEST(by_differences) {
    double two = 2, minus = -2, y = 1, work[16];
    int iwork[4];
    bool found;
    newton_space space = {.n = 1, .work = work, .iwork = iwork};
    assert_true(newton_work(1) <= 16);
    check_ok(newton_solve(&space, square, &two, &y, &found, &why));
    assert_true(found && space.factored);
    check_near(y, sqrtl(2), 4e-16L, "the root");
    y = 1;
    space.factored = false;
    check_ok(newton_solve(&space, square, &minus, &y, &found, &why));
    assert_false(found || space.factored);
}

/* r_i = y_i + y_(i + 1)^3 / 10 - target_i, of a ring of three unknowns, with the number of evaluations. */
typedef struct ring {
    double target[3];
    int evaluations;
} ring;

static costab_status ring_residual(void *context, const double *y, double *r, costab_error *error) {
    ring *of = context;
    (void)error;
    of->evaluations++;
    for (int i = 0; i < 3; i++) r[i] = y[i] + pow(y[(i + 1) % 3], 3) / 10 - of->target[i];
    return COSTAB_OK;
}

/* Factors of the call before serve roots nearby, without a Jacobian; they give way to new ones where they
 * do not converge fast. Targets are those of known roots. */
TEST(factors_of_the_call_before) {
    double work[40], y[3] = {0, 0, 0};
    int iwork[4];
    bool found;
    newton_space space = {.n = 3, .work = work, .iwork = iwork};
    assert_true(newton_work(3) <= 40);
    for (int k = 0; k < 60; k++) {
        const double jump = k % 20 == 19 ? 2 : 0, root[3] = {0.5 + 1e-3 * k + jump, -0.4 + jump, 0.3 - jump};
        ring of = {.evaluations = 0};
        for (int i = 0; i < 3; i++) of.target[i] = root[i] + pow(root[(i + 1) % 3], 3) / 10;
        check_ok(newton_solve(&space, ring_residual, &of, y, &found, &why));
        assert_true(found && space.factored);
        for (int i = 0; i < 3; i++) check_near(y[i], (long double)root[i], 2e-14L, "root %d of %d", i, k);
        if (k > 0 && k < 19) check_true(of.evaluations <= 9, "%d evaluations of %d", of.evaluations, k);
    }
}
