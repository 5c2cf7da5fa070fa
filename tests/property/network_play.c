/* The macro-step map against the co-simulation played through in time (support/play.h), on random networks
 * with random choices of everything that a master and its solvers can do: orders mixed, slopes, smoothing,
 * sweeps, relaxation, predictors, strides, delays in steps and in seconds, feedthrough, area correction, own
 * clocks, methods with structure and memory, subsystems without states. From a random past the play goes on
 * for one period; then all that the map's state names must agree with the map, to 1e-11 of the largest number
 * met. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/balls.h"
#include "support/play.h"
#include "support/play_setting.h"
#include "support/random_network.h"

/* A random state through the simulation's own micro steps, against the map. */
static void compare_steps(rng *r, costab_network_work *work, const model *m, const costab_coupling *c,
                          const costab_network_point *point, real condition, const char *where) {
    enum { LARGEST = 400 };
    double begin[LARGEST], state[LARGEST];
    const double *map, *imaginary;
    costab_error error = {0};
    costab_network_matrix(work, &map, &imaginary);
    for (int i = 0; i < point->size; i++) begin[i] = state[i] = rng_uniform(r, -1, 1);
    for (long n = 0; n < point->period; n++) {
        costab_status status = costab_network_macro_step(&m->network, c, n, state, &error);
        if (status) fail_msg("%s: %s", where, error.message);
    }
    for (int i = 0; i < point->size; i++) {
        real sum = 0, magnitude = 1;
        for (int j = 0; j < point->size; j++) {
            sum += (real)map[i * point->size + j] * begin[j];
            magnitude += fabsl((real)map[i * point->size + j]);
        }
        /* Other entries on the way may be larger; the map's roundings are theirs. */
        check_near(state[i], sum, 1e-9L * magnitude * condition, "%s: simulated, entry %d", where, i);
    }
}

typedef struct tally {
    size_t compared, balls, strided, structured, seconds, hermite, smoothed, newton, area, clocks;
    real worst;
} tally;

static void count(const model *m, const costab_coupling *c, tally *t) {
    bool strided = false, structured = false, seconds = false;
    for (int s = 0; s < m->network.subsystem_count; s++) {
        strided = strided || m->subsystems[s].stride > 1;
        structured = structured || m->subsystems[s].method.kind > COSTAB_EXACT;
    }
    for (int k = 0; k < m->network.connection_count; k++)
        seconds = seconds || m->connections[k].delay_time > 0;
    t->compared++;
    t->strided += strided;
    t->structured += structured;
    t->seconds += seconds;
    t->hermite += c->extrapolation == COSTAB_HERMITE || c->interpolation == COSTAB_HERMITE;
    t->smoothed += c->smoothed;
    t->newton += c->scheme == COSTAB_ITERATED && c->iterations == COSTAB_NEWTON;
    t->area += c->area_correction != 0;
    t->clocks += c->micro_steps == COSTAB_CLOCKS;
}

/* The second implementation of the map, in balls. */
static void compare_balls(const costab_network_work *work, int size, const model *m, const costab_coupling *c,
                          real condition, const char *where) {
    const double *imaginary;
    balls_map map = {.size = size};
    costab_network_matrix(work, &map.entries, &imaginary);
    balls_compare(&m->network, c, &map, 1e-12L * condition, where);
}

/* The iteration radius, where new values are solved for; else 0. Near 1 the solution loses digits. */
static real solved_radius(const setting *s) {
    bool solved = s->c.scheme == COSTAB_ITERATED && s->c.iterations <= 0;
    return solved ? (real)s->point.iteration_radius : 0;
}

static void compare(rng *r, costab_network_work *work, tally *t) {
    static setting s;
    static play p;
    random_setting(r, work, 1.2, false, &s);
    real radius = solved_radius(&s);
    if (radius > 0.9L || s.point.period > PLAY_FUTURE - 1) return;
    play_start(&p, &s.m, &s.c);
    play_past(&p, r);
    real condition = 1 / (1 - radius);
    play_bound bound = {.relative = 1e-11L * condition, .worst = t->worst};
    if (!play_compare(&p, work, &s.point, &bound, s.where)) return;
    t->worst = bound.worst;
    bool in_balls = s.point.size <= BALLS_MOST;
    t->balls += in_balls;
    if (in_balls) compare_balls(work, s.point.size, &s.m, &s.c, condition, s.where);
    compare_steps(r, work, &s.m, &s.c, &s.point, condition, s.where);
    if (in_balls && s.m.subsystems[0].pairs == 0) {
        /* Its first state moves nothing any more, but is seen. */
        for (int i = 0; i < s.m.subsystems[0].states; i++) s.m.A[0][i * s.m.subsystems[0].states] = 0;
        memset(s.m.B, 0, sizeof s.m.B);
        int modes = balls_equilibria(&s.m.network, &s.c, s.where);
        check_true(modes >= 1, "%s: %d equilibria", s.where, modes);
    }
    count(&s.m, &s.c, t);
}

/* ---- Nonlinear subsystems and sources ---- */

typedef struct curved {
    play_curve curves[MODEL_PARTS];
    costab_dynamics dynamics[MODEL_PARTS];
    play_wave waves[2];
    costab_source sources[2];
    bool differences; /* some derivatives are left to the library */
} curved;

/* Sines in some subsystems, sources at some inputs. */
static void bend(rng *r, model *m, double weight, curved *c) {
    memset(c, 0, sizeof *c);
    c->differences = rng_int(r, 0, 7) == 0;
    for (int s = 0; s < m->network.subsystem_count; s++) {
        const costab_subsystem *of = &m->subsystems[s];
        if (of->states == 0 || of->method.kind == COSTAB_EXACT || rng_int(r, 0, 3) == 0) continue;
        c->curves[s] = (play_curve){&m->subsystems[s], rng_uniform(r, -weight, weight)};
        c->dynamics[s] =
            (costab_dynamics){.context = &c->curves[s],
                              .f = play_curve_f,
                              .g = play_curve_g,
                              .jacobian = c->differences ? NULL : play_curve_jacobian,
                              .output_jacobian = c->differences ? NULL : play_curve_output_jacobian};
        m->subsystems[s].dynamics = &c->dynamics[s];
    }
    m->network.source_count = rng_int(r, 0, 2);
    m->network.sources = c->sources;
    for (int i = 0; i < m->network.source_count; i++) {
        int s = rng_int(r, 0, m->network.subsystem_count - 1);
        c->waves[i] = (play_wave){rng_uniform(r, 0.5, 3), rng_uniform(r, -3, 3)};
        c->sources[i] = (costab_source){.subsystem = s,
                                        .input = rng_int(r, 0, m->subsystems[s].inputs - 1),
                                        .context = &c->waves[i],
                                        .value = play_wave_value,
                                        .slope = c->differences ? NULL : play_wave_slope};
    }
}

/* From a random past through some periods: the simulation's state against the play's signals. In the middle
 * of a period of strides the labels, which count publications, name others. */
static void compare_simulation(costab_network_work *work, play *p, const setting *s, real bound) {
    enum { LARGEST = 400, STEPS = 4 };
    double state[LARGEST];
    char label[128];
    costab_error error = {0};
    real largest = 1;
    assert_true(s->point.size <= LARGEST);
    for (int i = 0; i < s->point.size; i++) {
        costab_network_label(work, i, label, sizeof label);
        state[i] = (double)*play_signal(p, label, 0);
        *play_signal(p, label, 0) = (real)state[i];
    }
    int period = (int)s->point.period, steps = (STEPS + period - 1) / period * period;
    for (int n = 0; n < steps; n++) {
        costab_status status = costab_network_macro_step(&s->m.network, &s->c, n, state, &error);
        if (status) fail_msg("%s: %s", s->where, error.message);
        play_step(p, n);
        for (int i = 0; i < s->point.size && (n + 1) % period == 0; i++) {
            costab_network_label(work, i, label, sizeof label);
            real found = *play_signal(p, label, n + 1);
            largest = fmaxl(largest, fabsl(found));
            check_near(state[i], found, bound * largest, "%s: step %d, %s", s->where, n, label);
        }
    }
}

typedef struct curved_tally {
    tally all;
    size_t nonlinear, sourced, structured, hermite, area, newton, swept;
} curved_tally;

static void count_curved(const setting *s, curved_tally *t) {
    bool nonlinear = false, structured = false;
    for (int i = 0; i < s->m.network.subsystem_count; i++) {
        const costab_subsystem *subsystem = &s->m.subsystems[i];
        nonlinear = nonlinear || subsystem->dynamics != NULL;
        structured = structured || (subsystem->dynamics != NULL && subsystem->method.kind > COSTAB_EXACT);
    }
    count(&s->m, &s->c, &t->all);
    bool iterated = s->c.scheme == COSTAB_ITERATED;
    t->nonlinear += nonlinear;
    t->structured += structured;
    t->sourced += s->m.network.source_count > 0;
    t->hermite += nonlinear && (s->c.extrapolation == COSTAB_HERMITE || s->c.interpolation == COSTAB_HERMITE);
    t->area += nonlinear && s->c.area_correction != 0;
    t->newton += nonlinear && iterated && s->c.iterations == COSTAB_NEWTON;
    t->swept += nonlinear && iterated && s->c.iterations == 0;
}

static void simulate(rng *r, costab_network_work *work, curved_tally *t) {
    static setting s;
    static play p;
    static curved c;
    random_setting(r, work, 0.1, false, &s);
    real radius = solved_radius(&s);
    /* Short steps and loops that are far from singular: nonlinear equations have one solution there. The
     * sines change the radius of the iteration. */
    const double *map, *imaginary;
    double most = 0;
    costab_network_matrix(work, &map, &imaginary);
    for (int i = 0; i < s.point.size * s.point.size; i++) most = fmax(most, fabs(map[i]));
    if (radius > 0.5L || most > 12 || s.point.period > PLAY_FUTURE - 1) return;
    bend(r, &s.m, radius > 0 ? 0.05 : 0.2, &c);
    play_start(&p, &s.m, &s.c);
    play_past(&p, r);
    compare_simulation(work, &p, &s, c.differences ? 1e-8L : 1e-11L);
    count_curved(&s, t);
}

TEST(test_simulation) {
    rng r = rng_start("network play, nonlinear");
    costab_network_work *work = work_open();
    curved_tally t = {.nonlinear = 0};
    for (size_t i = 0; t.all.compared < effort(250) && i < 5 * effort(250); i++) simulate(&r, work, &t);
    costab_network_work_destroy(&work);
    print_message("# %zu networks: %zu nonlinear, %zu of them with structure or memory, %zu with slopes, %zu "
                  "with area correction, %zu by newton, %zu by sweeps to convergence; %zu with sources\n",
                  t.all.compared, t.nonlinear, t.structured, t.hermite, t.area, t.newton, t.swept, t.sourced);
    assert_true(t.all.compared >= effort(250));
    assert_true(t.structured > 0 && t.hermite > 0 && t.area > 0 && t.newton > 0 && t.swept > 0 &&
                t.sourced > 0);
}

TEST(test_play) {
    rng r = rng_start("network play");
    costab_network_work *work = work_open();
    tally t = {0};
    for (size_t i = 0; t.compared < effort(500) && i < 3 * effort(500); i++) compare(&r, work, &t);
    costab_network_work_destroy(&work);
    print_message(
        "# %zu networks (%zu in balls): %zu strides, %zu structure or memory, %zu delays in seconds, %zu slopes, %zu "
        "smoothed, %zu newton, %zu area, %zu clocks; worst difference %.1Le of its bound\n",
        t.compared, t.balls, t.strided, t.structured, t.seconds, t.hermite, t.smoothed, t.newton, t.area,
        t.clocks, t.worst);
    assert_true(t.compared >= effort(500));
    assert_true(t.strided > 0 && t.structured > 0 && t.seconds > 0 && t.hermite > 0 && t.smoothed > 0);
    assert_true(t.balls > t.compared / 4);
    assert_true(t.newton > 0 && t.area > 0 && t.clocks > 0);
}

/* A slope that only the loop of feedthrough asks for: the target sees new values at all of its own exchanges,
 * but not where the loop is solved between two of its source. */
TEST(test_slope_in_the_loop) {
    static setting s = {.where = "a slope in the loop"};
    static play p;
    costab_network_work *work;
    rng r = rng_start("network play, loop");
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
    play_start(&p, &s.m, &s.c);
    play_past(&p, &r);
    play_bound bound = {.relative = 1e-12L};
    assert_true(play_compare(&p, work, &s.point, &bound, s.where));
    compare_balls(work, s.point.size, &s.m, &s.c, 1, s.where);
    costab_network_work_destroy(&work);
}
