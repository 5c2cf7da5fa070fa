/* The macro-step map of networks of up to five subsystems, stateless ones among them, by every one-step
 * method and with orders 0 and 1 in every combination of the master's choices: against the play in time
 * (support/play.h), in which nothing of the library's algebra is used, and its spectral radius against powers
 * of the map. property/network_play has the choices beyond these. */
#include <math.h>
#include <stdio.h>

#include "support/play.h"
#include "support/random_network.h"

enum { MAP = 200 };

static const char *const methods[] = {"euler",  "heun",   "midpoint",       "kutta3",      "rk4",
                                      "bs3",    "rk38",   "backward-euler", "trapezoidal", "gauss2",
                                      "radau2", "sdirk2", "exact"};

static void random_model(rng *r, model *m, const costab_coupling *c) {
    bool clocks = c->micro_steps == COSTAB_CLOCKS;
    int count = rng_int(r, 2, 5);
    model_start(m);
    for (int s = 0; s < count; s++) {
        random_sizes z = {.states = rng_int(r, 1, 6),
                          .inputs = rng_int(r, 1, 3),
                          .outputs = rng_int(r, 1, 3),
                          .feedthrough = 0.5};
        if (s > 0 && rng_int(r, 0, 15) == 0) z.states = 0;
        int micro = rng_int(r, 1, 4), per = clocks ? rng_int(r, 1, 3) : 1;
        bool by_step = clocks || rng_int(r, 0, 1) == 0;
        z.substeps = by_step ? 0 : micro;
        z.step = by_step ? c->macro_step * per / micro : 0;
        random_subsystem(r, m, &z, methods[rng_int(r, 0, (int)(sizeof methods / sizeof methods[0]) - 1)]);
    }
    random_connections(r, m, rng_int(r, count, 3 * count), 3);
}

static costab_coupling random_choices(rng *r, bool clocks) {
    return (costab_coupling){
        .macro_step = rng_uniform(r, 0.2, 1.5),
        .scheme = (costab_coupling_scheme)rng_int(r, 0, COSTAB_COUPLING_SCHEME_COUNT - 1),
        .interpolation = (costab_hold)rng_int(r, 0, 1),
        .extrapolation = (costab_hold)rng_int(r, 0, 1),
        .feedthrough = (costab_feedthrough)rng_int(r, 0, 1),
        .iterations = rng_int(r, 0, 3),
        .micro_steps = clocks ? COSTAB_CLOCKS : COSTAB_WHOLE,
    };
}

/* The spectral radius by repeated squaring: ||M^(2^k)||^(1/2^k). */
static double gelfand(int n, const double *map) {
    enum { SQUARINGS = 45 };
    static real a[MAP * MAP], b[MAP * MAP];
    for (int i = 0; i < n * n; i++) a[i] = (real)map[i];
    real logarithm = 0;
    for (int k = 0; k <= SQUARINGS; k++) {
        real norm = 0;
        for (int i = 0; i < n * n; i++) norm = fmaxl(norm, fabsl(a[i]));
        if (norm == 0) return 0;
        logarithm += logl(norm) * powl(0.5L, k);
        memset(b, 0, (size_t)(n * n) * sizeof *b);
        for (int i = 0; i < n; i++)
            for (int l = 0; l < n; l++)
                for (int j = 0; j < n; j++) b[i * n + j] += a[i * n + l] / norm * (a[l * n + j] / norm);
        memcpy(a, b, sizeof a);
    }
    return (double)expl(logarithm);
}

typedef struct tally {
    size_t compared, combination[3][2][2][2], converged, radii;
} tally;

static void compare(rng *r, costab_network_work *work, bool clocks, tally *t) {
    static model m;
    static play p;
    int order[MODEL_PARTS];
    costab_coupling c = random_choices(r, clocks);
    random_model(r, &m, &c);
    random_order(r, m.network.subsystem_count, order);
    if (c.scheme == COSTAB_GAUSS_SEIDEL && rng_int(r, 0, 3) > 0) c.order = order;
    costab_network_point point = model_analyse(work, &m, &c);
    bool converging = c.scheme == COSTAB_ITERATED && c.iterations == 0;
    check_true(isnan(point.iteration_radius) == (c.scheme != COSTAB_ITERATED), "an iteration radius");
    if (converging && point.iteration_radius > 0.98) return;
    char where[256];
    snprintf(where, sizeof where, "%s %s/%s %s iterations %d, %d subsystems",
             costab_coupling_scheme_name(c.scheme), costab_hold_name(c.interpolation),
             costab_hold_name(c.extrapolation), costab_feedthrough_name(c.feedthrough), c.iterations,
             m.network.subsystem_count);
    play_start(&p, &m, &c);
    play_past(&p, r);
    play_bound bound = {.relative = 1e-11L * (converging ? 1 / (1 - (real)point.iteration_radius) : 1)};
    if (!play_compare(&p, work, &point, &bound, where)) return;
    t->compared++;
    t->combination[c.scheme][c.interpolation][c.extrapolation][c.feedthrough]++;
    t->converged += converging;
    if (point.size > 16) return;
    const double *map, *imaginary;
    costab_network_matrix(work, &map, &imaginary);
    double radius = pow(gelfand(point.size, map), 1 / (double)point.period);
    /* Defective eigenvalues move by the root of a rounding; memory adds such at 0. */
    check_near(point.spectral_radius, radius, 1e-6L * fmaxl(radius, 1e-2L), "%s: spectral radius", where);
    t->radii++;
}

static void run(const char *name, bool clocks, size_t cases) {
    rng r = rng_start(name);
    costab_error error = {0};
    costab_network_work *work;
    tally t = {0};
    check_status(costab_network_work_create(&work, &error), &error);
    for (size_t i = 0; i < effort(cases); i++) compare(&r, work, clocks, &t);
    costab_network_work_destroy(&work);
    print_message("# %s: %zu maps, %zu by convergence, %zu radii\n", name, t.compared, t.converged, t.radii);
    for (int i = 0; i < 24; i++)
        check_true(t.combination[i / 8][i / 4 % 2][i / 2 % 2][i % 2] > 0, "combination %d was tried", i);
    assert_true(t.converged > 0 && t.compared > effort(cases) / 2);
}

TEST(test_whole) {
    run("network map, whole micro steps", false, 300);
}

TEST(test_clocks) {
    run("network map, own clocks", true, 150);
}
