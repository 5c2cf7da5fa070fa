/* The macro-step map against the simulation's own micro steps, on random networks with random choices of
 * everything that a master and its solvers can do: orders mixed, slopes, smoothing, sweeps, relaxation,
 * predictors, strides, delays in steps and in seconds, feedthrough, area correction, own clocks, methods with
 * structure and memory, subsystems without states. The map advances a macro step by blocks of matrices. The
 * simulation takes micro steps with the inputs' polynomials; in a second run it evaluates f and g of linear
 * subsystems that are given as functions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/macro_step.h"
#include "support/random_setting.h"

typedef struct tally {
    size_t compared, by_function, strided, structured, seconds, hermite, smoothed, newton, area, clocks;
} tally;

static void count(const setting *s, tally *t) {
    bool strided = false, structured = false, seconds = false;
    for (int i = 0; i < s->m.network.subsystem_count; i++) {
        strided = strided || s->m.subsystems[i].stride > 1;
        structured = structured || s->m.subsystems[i].method.kind > COSTAB_EXACT;
    }
    for (int k = 0; k < s->m.network.connection_count; k++)
        seconds = seconds || s->m.connections[k].delay_time > 0;
    t->compared++;
    t->strided += strided;
    t->structured += structured;
    t->seconds += seconds;
    t->hermite += s->c.extrapolation == COSTAB_HERMITE || s->c.interpolation == COSTAB_HERMITE;
    t->smoothed += s->c.smoothed;
    t->newton += s->c.scheme == COSTAB_ITERATED && s->c.iterations == COSTAB_NEWTON;
    t->area += s->c.area_correction != 0;
    t->clocks += s->c.micro_steps == COSTAB_CLOCKS;
}

/* ---- A linear subsystem by functions; the context is the subsystem ---- */

/* y += M x, M: rows x columns, or NULL. */
static void add_product(int rows, int columns, const double *M, const double *x, double *y) {
    for (int i = 0; i < rows && M != NULL; i++)
        for (int j = 0; j < columns; j++) y[i] += M[i * columns + j] * x[j];
}

static costab_status slope(void *context, double t, const double *x, const double *u, double *dx,
                           costab_error *error) {
    const costab_subsystem *s = context;
    (void)t;
    (void)error;
    memset(dx, 0, (size_t)s->states * sizeof *dx);
    add_product(s->states, s->states, s->A, x, dx);
    add_product(s->states, s->inputs, s->B, u, dx);
    return COSTAB_OK;
}

static costab_status output(void *context, double t, const double *x, const double *u, double *y,
                            costab_error *error) {
    const costab_subsystem *s = context;
    (void)t;
    (void)error;
    memset(y, 0, (size_t)s->outputs * sizeof *y);
    add_product(s->outputs, s->states, s->C, x, y);
    add_product(s->outputs, s->inputs, s->D, u, y);
    return COSTAB_OK;
}

static costab_status jacobian(void *context, double t, const double *x, const double *u, double *A, double *B,
                              costab_error *error) {
    const costab_subsystem *s = context;
    (void)t, (void)x, (void)u, (void)error;
    memcpy(A, s->A, (size_t)(s->states * s->states) * sizeof *A);
    memcpy(B, s->B, (size_t)(s->states * s->inputs) * sizeof *B);
    return COSTAB_OK;
}

static costab_status output_jacobian(void *context, double t, const double *x, const double *u, double *C,
                                     double *D, double *rate, costab_error *error) {
    const costab_subsystem *s = context;
    (void)t, (void)x, (void)u, (void)error;
    memcpy(C, s->C, (size_t)(s->outputs * s->states) * sizeof *C);
    memset(D, 0, (size_t)(s->outputs * s->inputs) * sizeof *D);
    if (s->D != NULL) memcpy(D, s->D, (size_t)(s->outputs * s->inputs) * sizeof *D);
    memset(rate, 0, (size_t)s->outputs * sizeof *rate);
    return COSTAB_OK;
}

/* Gives some subsystems by their functions; false if none may be. */
static bool give_functions(rng *r, setting *s, costab_dynamics *dynamics) {
    bool any = false;
    for (int i = 0; i < s->m.network.subsystem_count; i++) {
        costab_subsystem *subsystem = &s->m.subsystems[i];
        if (subsystem->states == 0 || subsystem->method.kind == COSTAB_EXACT || rng_int(r, 0, 3) == 0)
            continue;
        dynamics[i] = (costab_dynamics){.context = subsystem,
                                        .f = slope,
                                        .g = output,
                                        .jacobian = jacobian,
                                        .output_jacobian = output_jacobian};
        subsystem->dynamics = &dynamics[i];
        any = true;
    }
    return any;
}

/* ---- The comparison ---- */

/* A random state through the micro steps of a period, against the map; condition: how much larger the
 * solution of the coupling's loop may be. */
static void compare_steps(rng *r, const costab_network_work *work, const setting *s, real condition) {
    enum { LARGEST = 400 };
    double begin[LARGEST], state[LARGEST];
    const double *map, *imaginary;
    costab_error error = {0};
    const int size = s->point.size;
    assert_true(size <= LARGEST);
    costab_network_matrix(work, &map, &imaginary);
    for (int i = 0; i < size; i++) begin[i] = state[i] = rng_uniform(r, -1, 1);
    for (long n = 0; n < s->point.period; n++) {
        costab_status status = macro_step(&s->m.network, &s->c, n, state, &error);
        if (status) fail_msg("%s: %s", s->where, error.message);
    }
    for (int i = 0; i < size; i++) {
        real sum = 0, magnitude = 1;
        for (int j = 0; j < size; j++) {
            sum += (real)map[i * size + j] * begin[j];
            magnitude += fabsl((real)map[i * size + j]);
        }
        /* Other entries on the way may be larger; the map's roundings are theirs. */
        check_near(state[i], sum, 1e-9L * magnitude * condition, "%s: entry %d", s->where, i);
    }
}

/* Does the map say something of rounding only: entries so large, near a singular loop of feedthrough? */
static bool is_extreme(const costab_network_work *work, const setting *s) {
    const double *map, *imaginary;
    double most = 0;
    costab_network_matrix(work, &map, &imaginary);
    for (int e = 0; e < s->point.size * s->point.size; e++) most = fmax(most, fabs(map[e]));
    return !(most < 1e3);
}

static void compare(rng *r, costab_network_work *work, tally *t) {
    static setting s;
    costab_dynamics dynamics[MODEL_PARTS];
    random_setting(r, work, 1.2, false, &s);
    bool solved = s.c.scheme == COSTAB_ITERATED && s.c.iterations <= 0;
    real radius = solved ? (real)s.point.iteration_radius : 0;
    if (radius > 0.9L || s.point.period > 64 || is_extreme(work, &s)) return;
    compare_steps(r, work, &s, 1 / (1 - radius));
    count(&s, t);
    if (radius > 0.5L || !give_functions(r, &s, dynamics)) return;
    compare_steps(r, work, &s, 1 / (1 - radius));
    t->by_function++;
}

TEST(test_map) {
    rng r = rng_start("network map");
    costab_network_work *work = work_open();
    tally t = {0};
    for (size_t i = 0; t.compared < effort(500) && i < 3 * effort(500); i++) compare(&r, work, &t);
    costab_network_work_destroy(&work);
    print_message(
        "# %zu networks: %zu by functions, %zu strides, %zu structure or memory, %zu delays in seconds, %zu "
        "slopes, %zu smoothed, %zu newton, %zu area, %zu clocks\n",
        t.compared, t.by_function, t.strided, t.structured, t.seconds, t.hermite, t.smoothed, t.newton,
        t.area, t.clocks);
    assert_true(t.compared >= effort(500) && t.by_function > t.compared / 4);
    assert_true(t.strided > 0 && t.structured > 0 && t.seconds > 0 && t.hermite > 0 && t.smoothed > 0);
    assert_true(t.newton > 0 && t.area > 0 && t.clocks > 0);
}

/* A slope that only the loop of feedthrough asks for: the target sees new values at all of its own exchanges,
 * but not where the loop is solved between two of its source. */
TEST(test_slope_in_the_loop) {
    static setting s = {.where = "a slope in the loop"};
    costab_network_work *work;
    rng r = rng_start("network map, loop");
    s.c = (costab_coupling){.macro_step = 0.3, .scheme = COSTAB_GAUSS_SEIDEL, .feedthrough = COSTAB_SOLVED};
    model_start(&s.m);
    for (int i = 0; i < 2; i++) {
        model_scalar(&s.m, -1, 1, 1, "rk4", 1, 0);
        s.m.D[i][0] = 0.3;
        model_feedthrough(&s.m, i);
        s.m.subsystems[i].stride = 3 + i;
        model_connect(&s.m, i, 0, 1 - i, 0, 0.7, 0);
    }
    s.m.connections[0].extrapolates = true;
    s.m.connections[0].extrapolation.hold = COSTAB_HERMITE;
    check_ok(costab_network_work_create(&work, &why));
    s.point = model_analyse(work, &s.m, &s.c);
    compare_steps(&r, work, &s, 1);
    costab_network_work_destroy(&work);
}
