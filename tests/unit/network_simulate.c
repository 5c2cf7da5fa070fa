/* Simulation: rows and their order, the reference, nonlinear subsystems, sources, power bonds, runs that end
 * early. */
#include <math.h>
#include <stdlib.h>

#include "network_model.h"
#include "support/memory.h"

enum { ROWS = 20000 };

typedef struct rows {
    costab_row *row;
    int count, stop_at;
} rows;

static bool keep(void *context, const costab_row *row) {
    rows *r = (rows *)context;
    if (r->count == r->stop_at) return false;
    if (r->count < ROWS) r->row[r->count] = *row;
    r->count++;
    return true;
}

static rows rows_new(void) {
    rows r = {.row = calloc(ROWS, sizeof(costab_row)), .stop_at = -1};
    assert_non_null(r.row);
    return r;
}

static costab_simulate_outcome simulate(const model *m, costab_coupling coupling,
                                        costab_simulate_options options, rows *r) {
    costab_simulate_outcome outcome;
    check_ok(costab_network_check(&m->network, &why));
    check_ok(costab_coupling_check(&m->network, &coupling, &why));
    check_ok(costab_network_simulate(&m->network, &coupling, &options, keep, r, &outcome, &why));
    assert_true(r->count < ROWS);
    return outcome;
}

/* The row of a signal nearest to t; fails where there is none within 1e-9. */
static const costab_row *row_at(const rows *r, double t, int subsystem, costab_signal_kind kind, int index,
                                bool communication) {
    for (int i = 0; i < r->count; i++) {
        const costab_row *row = &r->row[i];
        if (fabs(row->t - t) < 1e-9 && row->subsystem == subsystem && row->kind == kind &&
            row->index == index && row->communication == communication)
            return row;
    }
    fail_msg("no row at t = %g", t);
    return NULL;
}

/* x1' = -2 x1 + x2, x2' = x1/2 - 3/2 x2 from (5, 2), [SP] example 1. */
static void example(model *m, const char *method, int substeps1, int substeps2) {
    model_start(m);
    model_scalar(m, -2, 1, 1, method, substeps1, 0);
    model_scalar(m, -1.5, 0.5, 1, method, substeps2, 0);
    m->x0[0][0] = 5;
    m->x0[1][0] = 2;
    model_connect(m, 0, 0, 1, 0, 1, 0);
    model_connect(m, 1, 0, 0, 0, 1, 0);
}

/* Its solution: eigenvalues -1 and -5/2 with vectors (1, 1) and (2, -1). */
static void example_solution(double t, real *x) {
    real slow = 3 * expl(-(real)t), fast = expl(-2.5L * (real)t);
    x[0] = slow + 2 * fast;
    x[1] = slow - fast;
}

TEST(test_reference) {
    model m;
    example(&m, "rk4", 4, 3);
    rows r = rows_new();
    costab_simulate_outcome outcome =
        simulate(&m, (costab_coupling){.macro_step = 0.25},
                 (costab_simulate_options){.until = 5, .local = true, .monolithic = true}, &r);
    assert_int_equal(outcome.macro_steps, 20);
    check_near(outcome.t, 5, 1e-15L, "end");
    double last = 0;
    int local = 0, communication = 0;
    for (int i = 0; i < r.count; i++) {
        real x[2];
        const costab_row *row = &r.row[i];
        check_true(row->t >= last, "rows in order of time");
        last = row->t;
        example_solution(row->t, x);
        real expected = row->kind == COSTAB_SIGNAL_INPUT ? x[1 - row->subsystem] : x[row->subsystem];
        check_near(row->monolithic, expected, 1e-13L, "monolithic at t = %g", row->t);
        *(row->communication ? &communication : &local) += 1;
    }
    assert_int_equal(communication, 21 * 2 * 3);
    assert_int_equal(local, 20 * (4 + 3) * 3);
    free(r.row);
}

/* Held inputs: between communication points each subsystem is a scalar equation with constant input. */
TEST(test_held_inputs) {
    model m;
    example(&m, "exact", 5, 5);
    rows r = rows_new();
    (void)simulate(&m, (costab_coupling){.macro_step = 0.5},
                   (costab_simulate_options){.until = 0.5, .local = true}, &r);
    for (int k = 1; k <= 5; k++) {
        double t = 0.1 * k;
        real decay = expl(-2 * (real)t), x = decay * 5 + (1 - decay) / 2 * 2;
        check_near(row_at(&r, t, 0, COSTAB_SIGNAL_STATE, 0, false)->value, x, 1e-14L, "x1 at %g", t);
        check_near(row_at(&r, t, 0, COSTAB_SIGNAL_INPUT, 0, false)->value, 2, 0, "u1 at %g", t);
        assert_true(isnan(row_at(&r, t, 0, COSTAB_SIGNAL_STATE, 0, false)->monolithic));
    }
    free(r.row);
}

/* Own clocks that overshoot: local times are multiples of the step, rows stay in order. */
TEST(test_clocks) {
    model m;
    example(&m, "euler", 0, 0);
    m.subsystems[0].step = 0.1;
    m.subsystems[1].step = 0.4 / 3;
    rows r = rows_new();
    (void)simulate(&m, (costab_coupling){.macro_step = 0.21, .micro_steps = COSTAB_CLOCKS},
                   (costab_simulate_options){.until = 0.21 * 40, .local = true, .monolithic = true}, &r);
    double last = 0;
    int ticks[2] = {0, 0};
    for (int i = 0; i < r.count; i++) {
        const costab_row *row = &r.row[i];
        check_true(row->t >= last, "rows in order of time: %g after %g", row->t, last);
        last = row->t;
        if (row->communication || row->kind != COSTAB_SIGNAL_STATE) continue;
        ticks[row->subsystem]++;
        check_near(row->t, ticks[row->subsystem] * (real)m.subsystems[row->subsystem].step, 1e-12L, "tick");
    }
    assert_int_equal(ticks[0], 84);
    assert_int_equal(ticks[1], 63);
    free(r.row);
}

/* ---- Nonlinear ---- */

static costab_status linear_f(void *context, double t, const double *x, const double *u, double *dx,
                              costab_error *error) {
    const double *ab = (const double *)context;
    (void)t;
    (void)error;
    dx[0] = ab[0] * x[0] + ab[1] * u[0];
    return COSTAB_OK;
}

static costab_status state_g(void *context, double t, const double *x, const double *u, double *y,
                             costab_error *error) {
    (void)context;
    (void)t;
    (void)u;
    (void)error;
    y[0] = x[0];
    return COSTAB_OK;
}

static costab_status state_derivatives(void *context, double t, const double *x, const double *u, double *C,
                                       double *D, double *rate, costab_error *error) {
    (void)context;
    (void)t;
    (void)x;
    (void)u;
    (void)error;
    C[0] = 1;
    D[0] = rate[0] = 0;
    return COSTAB_OK;
}

/* A linear subsystem written as a function moves as the matrices do: every coupling, explicit and implicit
 * methods. */
TEST(test_linear_by_function) {
    static double ab[2][2] = {{-2, 1}, {-1.5, 0.5}};
    costab_dynamics dynamics[2] = {{.context = ab[0], .f = linear_f, .g = state_g},
                                   {.context = ab[1], .f = linear_f, .g = state_g}};
    static const char *const methods[] = {"rk4", "dopri5", "gauss2", "sdirk2", "backward-euler", "bdf2"};
    for (int s = 0; s < 2; s++) dynamics[s].output_jacobian = state_derivatives;
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++)
        for (int c = 0; c < costab_coupling_count(); c++) {
            model linear, function;
            example(&linear, methods[k], 3, 2);
            example(&function, methods[k], 3, 2);
            for (int s = 0; s < 2; s++) function.subsystems[s].dynamics = &dynamics[s];
            costab_coupling coupling = {.macro_step = 0.4};
            check_ok(costab_coupling_find(costab_coupling_name(c), &coupling, &why));
            costab_simulate_options options = {.until = 4, .local = true, .monolithic = true};
            rows a = rows_new(), b = rows_new();
            (void)simulate(&linear, coupling, options, &a);
            (void)simulate(&function, coupling, options, &b);
            assert_int_equal(a.count, b.count);
            for (int i = 0; i < a.count; i++) {
                assert_true(a.row[i].kind == b.row[i].kind && a.row[i].subsystem == b.row[i].subsystem);
                check_near(a.row[i].value, b.row[i].value, 1e-11L, "%s %s at %g", methods[k],
                           costab_coupling_name(c), a.row[i].t);
                /* The function's reference is a Runge-Kutta solution. */
                check_near(a.row[i].monolithic, b.row[i].monolithic, 1e-10L, "reference at %g", a.row[i].t);
            }
            free(a.row);
            free(b.row);
        }
}

static costab_status cubic_f(void *context, double t, const double *x, const double *u, double *dx,
                             costab_error *error) {
    (void)context;
    (void)t;
    (void)error;
    dx[0] = -x[0] * x[0] * x[0] + u[0];
    return COSTAB_OK;
}

/* x' = -x^3 has the solution x0 / sqrt(1 + 2 x0^2 t). */
TEST(test_cubic) {
    model m;
    costab_dynamics dynamics = {.f = cubic_f, .g = state_g};
    model_start(&m);
    model_scalar(&m, 0, 1, 1, "rk4", 20, 0);
    m.subsystems[0].dynamics = &dynamics;
    m.x0[0][0] = 2;
    rows r = rows_new();
    (void)simulate(&m, (costab_coupling){.macro_step = 0.1},
                   (costab_simulate_options){.until = 3, .monolithic = true}, &r);
    const costab_row *row = row_at(&r, 3, 0, COSTAB_SIGNAL_STATE, 0, true);
    check_near(row->monolithic, 2 / sqrtl(25), 1e-11L, "reference");
    check_near(row->value, 2 / sqrtl(25), 1e-8L, "rk4 at h = 0.005: error of order h^4");
    free(r.row);
}

static costab_status failing_f(void *context, double t, const double *x, const double *u, double *dx,
                               costab_error *error) {
    (void)context;
    (void)x;
    (void)u;
    dx[0] = 0;
    if (t < 1) return COSTAB_OK;
    error->status = COSTAB_NUMERIC;
    strcpy(error->message, "no value");
    return COSTAB_NUMERIC;
}

TEST(test_failing_function) {
    model m;
    costab_dynamics dynamics = {.f = failing_f, .g = state_g};
    model_start(&m);
    model_scalar(&m, 0, 1, 1, "rk4", 1, 0);
    m.subsystems[0].dynamics = &dynamics;
    costab_error error = {0};
    costab_simulate_outcome outcome;
    costab_simulate_options options = {.until = 3};
    costab_coupling coupling = {.macro_step = 0.5};
    rows r = rows_new();
    assert_int_equal(costab_network_simulate(&m.network, &coupling, &options, keep, &r, &outcome, &error),
                     COSTAB_NUMERIC);
    assert_string_equal(error.message, "no value");
    free(r.row);
}

/* ---- Sources ---- */

static double cosine(void *context, double t) {
    (void)context;
    return cos(t);
}

/* x' = -x + cos t from 1/2: x = (cos t + sin t)/2, by every method and as the reference. */
TEST(test_sources) {
    static const struct {
        const char *method;
        real bound; /* some h^order at h = 0.01 */
    } rows_of[] = {{"euler", 5e-3L}, {"heun", 5e-5L}, {"rk4", 1e-9L}, {"gauss2", 1e-9L}, {"exact", 5e-5L}};
    for (size_t k = 0; k < sizeof rows_of / sizeof rows_of[0]; k++) {
        model m;
        model_start(&m);
        model_scalar(&m, -1, 1, 1, rows_of[k].method, 10, 0);
        m.x0[0][0] = 0.5;
        costab_source source = {.subsystem = 0, .input = 0, .value = cosine};
        m.network.sources = &source;
        m.network.source_count = 1;
        rows r = rows_new();
        (void)simulate(&m, (costab_coupling){.macro_step = 0.1},
                       (costab_simulate_options){.until = 5, .monolithic = true}, &r);
        const costab_row *row = row_at(&r, 5, 0, COSTAB_SIGNAL_STATE, 0, true);
        real expected = (cosl(5) + sinl(5)) / 2;
        check_near(row->monolithic, expected, 1e-11L, "reference");
        check_near(row->value, expected, rows_of[k].bound, "%s", rows_of[k].method);
        check_near(row_at(&r, 5, 0, COSTAB_SIGNAL_INPUT, 0, true)->value, cosl(5), 1e-15L, "input");
        free(r.row);
    }
}

/* ---- Rest ---- */

/* q' = v, v' = u0 - q^3 - v. */
static costab_status hard_spring(void *context, double t, const double *x, const double *u, double *dx,
                                 costab_error *error) {
    (void)context;
    (void)t;
    (void)error;
    dx[0] = x[1];
    dx[1] = u[0] - x[0] * x[0] * x[0] - x[1];
    return COSTAB_OK;
}

static double seven_and_a_half(void *context, double t) {
    (void)context;
    (void)t;
    return 7.5;
}

/* Two hard springs, each pulled by 1/4 of the other's displacement and by a source of 15/2: at rest where q^3
 * = 15/2 + q/4, at q = 2. */
static void hard_springs(model *m, costab_dynamics *dynamics, costab_source *sources, const char *method) {
    static const int position[] = {0}, velocity[] = {1};
    model_start(m);
    for (int s = 0; s < 2; s++) {
        model_add(m, 2, 1, 1, method, 3, 0);
        const double A[4] = {0, 1, -12, -1}, B[2] = {0, 1}, C[2] = {1, 0}; /* linearised at q = 2 */
        memcpy(m->A[s], A, sizeof A);
        memcpy(m->B[s], B, sizeof B);
        memcpy(m->C[s], C, sizeof C);
        m->x0[s][0] = 2;
        m->subsystems[s].pairs = 1;
        m->subsystems[s].positions = position;
        m->subsystems[s].velocities = velocity;
        m->subsystems[s].dynamics = dynamics;
        model_connect(m, 1 - s, 0, s, 0, 0.25, 0);
        sources[s] = (costab_source){.subsystem = s, .value = seven_and_a_half};
    }
    m->network.sources = sources;
    m->network.source_count = 2;
}

/* A system at rest stays there, by every coupling and every solver: whatever is remembered at the start is
 * that of the rest. */
TEST(test_rest) {
    static const char *const methods[] = {
        "rk4", "gauss2", "semi-implicit-euler", "newmark", "generalized-alpha", "bdf2"};
    costab_dynamics dynamics = {.f = hard_spring, .g = state_g};
    costab_source sources[2];
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++)
        for (int c = -1; c < costab_coupling_count(); c++) {
            model m;
            hard_springs(&m, &dynamics, sources, methods[k]);
            costab_coupling coupling = {.macro_step = 0.03};
            if (c < 0) coupling.area_correction = 0.4;
            if (c < 0 && m.subsystems[0].method.kind != COSTAB_RUNGE_KUTTA) continue;
            if (c >= 0) check_ok(costab_coupling_find(costab_coupling_name(c), &coupling, &why));
            rows r = rows_new();
            (void)simulate(&m, coupling, (costab_simulate_options){.until = 0.6}, &r);
            for (int i = 0; i < r.count; i++) {
                if (r.row[i].kind != COSTAB_SIGNAL_STATE) continue;
                check_near(r.row[i].value, r.row[i].index == 0 ? 2 : 0, 1e-12L, "%s, %s, t = %g", methods[k],
                           c < 0 ? "area correction" : costab_coupling_name(c), r.row[i].t);
            }
            free(r.row);
        }
}

/* q' is v at the point of linearisation alone: seen when the simulation leaves it. */
static costab_status bent_position(void *context, double t, const double *x, const double *u, double *dx,
                                   costab_error *error) {
    costab_status status = hard_spring(context, t, x, u, dx, error);
    dx[0] += x[1] * x[1];
    return status;
}

TEST(test_no_position) {
    costab_dynamics dynamics = {.f = bent_position, .g = state_g};
    costab_source sources[2];
    model m;
    hard_springs(&m, &dynamics, sources, "newmark");
    m.x0[0][1] = 1;
    rows r = rows_new();
    costab_error error = {0};
    costab_simulate_outcome outcome;
    costab_coupling coupling = {.macro_step = 0.03};
    costab_simulate_options options = {.until = 0.6};
    assert_int_equal(costab_network_simulate(&m.network, &coupling, &options, keep, &r, &outcome, &error),
                     COSTAB_INVALID);
    assert_non_null(strstr(error.message, "position 'x1'"));
    free(r.row);
}

/* ---- Power bonds ---- */

/* A mass on a damper: force one way, speed the other; gains 1 and -1. */
static double largest_power(const model *m, double H) {
    rows r = rows_new();
    double most = 0;
    (void)simulate(m, (costab_coupling){.macro_step = H}, (costab_simulate_options){.until = 2}, &r);
    for (int i = 0; i < r.count; i++) {
        if (r.row[i].kind == COSTAB_SIGNAL_POWER) most = fmax(most, fabs(r.row[i].value));
        if (r.row[i].kind == COSTAB_SIGNAL_ENERGY)
            check_near(r.row[i].value, (real)r.row[i - 1].value * H, 1e-16L, "energy is power times H");
    }
    free(r.row);
    return most;
}

TEST(test_power_bond) {
    model m;
    model_start(&m);
    model_scalar(&m, -0.1, 1, 1, "exact", 1, 0); /* v' = -v/10 + F */
    model_scalar(&m, 0, 4, 1, "exact", 1, 0);    /* spring: F' = 4 v */
    m.x0[0][0] = 1;
    model_connect(&m, 1, 0, 0, 0, -1, 0); /* u1 = -F */
    model_connect(&m, 0, 0, 1, 0, 1, 0);  /* u2 = v */
    costab_bond bond = {0, 0, 0, 1, 0, 0};
    m.network.bonds = &bond;
    m.network.bond_count = 1;
    double coarse = largest_power(&m, 0.02), fine = largest_power(&m, 0.01),
           finest = largest_power(&m, 0.005);
    check_true(coarse > 0, "a held input makes a residual");
    check_near(coarse / fine, 2, 0.1L, "it tends to 0 with H");
    check_near(fine / finest, 2, 0.05L, "it tends to 0 with H");
    /* The first step by hand: held u1 = 0, u2 = 1; v = e^(-H/10), F = 4 H; sigma = 1. */
    rows r = rows_new();
    (void)simulate(&m, (costab_coupling){.macro_step = 0.02}, (costab_simulate_options){.until = 0.02}, &r);
    check_near(row_at(&r, 0.02, -1, COSTAB_SIGNAL_POWER, 0, true)->value, -0.08L, 1e-16L,
               "first residual power");
    free(r.row);
}

/* ---- Ends ---- */

TEST(test_blow_up) {
    model m;
    example(&m, "euler", 1, 1);
    rows r = rows_new();
    costab_simulate_outcome outcome = simulate(&m, (costab_coupling){.macro_step = 3},
                                               (costab_simulate_options){.until = 3000, .blow_up = 1e20}, &r);
    assert_true(outcome.diverged);
    assert_true(outcome.subsystem == 0 || outcome.subsystem == 1);
    assert_true(outcome.macro_steps > 10 && outcome.t < 3000);
    assert_true(r.count > 50);
    for (int i = 0; i < r.count; i++) assert_true(fabs(r.row[i].value) <= 1e20 * 10);
    free(r.row);
}

TEST(test_stopped) {
    model m;
    example(&m, "rk4", 1, 1);
    rows r = rows_new();
    r.stop_at = 17;
    costab_error error = {0};
    costab_simulate_outcome outcome;
    costab_simulate_options options = {.until = 3};
    costab_coupling coupling = {.macro_step = 0.1};
    assert_int_equal(costab_network_simulate(&m.network, &coupling, &options, keep, &r, &outcome, &error),
                     COSTAB_CANCELLED);
    assert_int_equal(r.count, 17);
    free(r.row);
}

TEST(test_refused) {
    model m;
    example(&m, "rk4", 0, 1);
    m.subsystems[0].step = 0.03;
    costab_error error = {0};
    costab_simulate_outcome outcome;
    costab_simulate_options options = {.until = 3};
    costab_coupling coupling = {.macro_step = 0.1, .micro_steps = COSTAB_REAL_POWER};
    rows r = rows_new();
    assert_int_equal(costab_network_simulate(&m.network, &coupling, &options, keep, &r, &outcome, &error),
                     COSTAB_INVALID);
    assert_non_null(strstr(error.message, "cannot be simulated"));
    /* An iteration that diverges is an error with its radius. */
    example(&m, "rk4", 1, 1);
    m.connections[0].gain = 100;
    coupling = (costab_coupling){.macro_step = 1, .scheme = COSTAB_ITERATED};
    assert_int_equal(costab_network_simulate(&m.network, &coupling, &options, keep, &r, &outcome, &error),
                     COSTAB_NUMERIC);
    assert_non_null(strstr(error.message, "iteration radius"));
    options.until = (double)NAN;
    assert_int_equal(costab_network_simulate(&m.network, &coupling, &options, keep, &r, &outcome, &error),
                     COSTAB_INVALID);
    free(r.row);
}

/* A run without a macro step has no error: 0 would be a wrong answer. */
TEST(test_until_before_first_step) {
    model m;
    example(&m, "rk4", 1, 1);
    costab_error error = {0};
    costab_simulate_outcome outcome;
    costab_coupling coupling = {.macro_step = 0.1};
    const double lengths[] = {0.3, 0.05}, untils[] = {0, 0.05, 0.099, 0.1};
    for (int k = 0; k < 4; k++) {
        const costab_status expected = k == 1 || k == 2 ? COSTAB_INVALID : COSTAB_OK;
        costab_simulate_options options = {.until = untils[k]};
        double found;
        rows r = rows_new();
        assert_int_equal(costab_network_simulate(&m.network, &coupling, &options, keep, &r, &outcome, &error),
                         expected);
        if (expected) assert_non_null(strstr(error.message, "before the end of the first macro step, 0.1 s"));
        assert_int_equal(costab_network_error(&m.network, &coupling, untils[k], &found, &error), expected);
        assert_true(expected ? isnan(found) : found >= 0);
        free(r.row);
    }
    rows r = rows_new();
    costab_simulate_options options = {.until = 0.2, .steps = lengths, .step_count = 2};
    assert_int_equal(costab_network_simulate(&m.network, &coupling, &options, keep, &r, &outcome, &error),
                     COSTAB_INVALID);
    assert_non_null(strstr(error.message, "0.3 s"));
    options.step_count = -1;
    assert_int_equal(costab_network_simulate(&m.network, &coupling, &options, keep, &r, &outcome, &error),
                     COSTAB_INVALID);
    free(r.row);
}

/* Every allocation that fails is reported, and nothing leaks (the sanitizers see that). */
TEST(test_memory) {
    model m;
    example(&m, "radau2", 2, 3);
    costab_error error = {0};
    costab_simulate_outcome outcome;
    costab_simulate_options options = {.until = 1, .local = true, .monolithic = true};
    costab_coupling coupling = {.macro_step = 0.1, .scheme = COSTAB_ITERATED};
    rows r = rows_new();
    int failed = 0;
    for (long k = 1; k < 200; k++) {
        r.count = 0;
        memory_fail_at(k);
        costab_status status =
            costab_network_simulate(&m.network, &coupling, &options, keep, &r, &outcome, &error);
        memory_fail_at(0);
        if (!status) break;
        assert_int_equal(status, COSTAB_MEMORY);
        failed++;
    }
    assert_true(failed > 10 && failed < 199);
    free(r.row);
}
