/* Limits of random networks of up to 40 states: what is decided of scaled functions and on moving circles is
 * what single macro steps say. */
#include <math.h>

#include "costab/limit.h"
#include "limit/limit.h"
#include "network_model.h"
#include "oscillators.h"

enum { PARTS = 5, OSCILLATORS = 4, SAMPLES = 40, CASES = 16 };

#define LOWER     1e-3
#define UPPER     1.2
#define END_WIDTH 1e-9

static const char *const couplings[] = {"jacobi", "gauss-seidel-linear", "iterated-linear", "jacobi-linear"};

/* Parts of lightly damped oscillators, the last of each tied to the first of the next. */
static void random_oscillators(rng *r, bool small, model *m) {
    static const char *const methods[] = {"exact", "rk4", "trapezoidal"};
    int parts = rng_int(r, 2, small ? 2 : PARTS);
    model_start(m);
    for (int s = 0; s < parts; s++) {
        int count = rng_int(r, 1, small ? 2 : OSCILLATORS), n = 2 * count;
        model_add(m, n, 2, 2, methods[rng_int(r, 0, 2)], rng_int(r, 1, 2), 0);
        for (int k = 0; k < count; k++) {
            double *A = m->A[s], stiff = rng_uniform(r, 2, 6);
            A[2 * k * n + 2 * k + 1] = 1;
            A[(2 * k + 1) * n + 2 * k] = -stiff;
            A[(2 * k + 1) * n + 2 * k + 1] = -exp(rng_uniform(r, log(0.01), log(0.3)));
            if (k > 0) A[(2 * k + 1) * n + 2 * k - 2] = A[(2 * k - 1) * n + 2 * k] = rng_uniform(r, 0.2, 0.9);
        }
        m->B[s][1 * 2 + 0] = m->B[s][(n - 1) * 2 + 1] = 1;
        m->C[s][0] = m->C[s][n + n - 2] = 1;
    }
    for (int s = 0; s + 1 < parts; s++) {
        double gain = rng_uniform(r, 0.2, 0.9);
        model_connect(m, s, 1, s + 1, 0, gain, 0);
        model_connect(m, s + 1, 0, s, 1, gain, 0);
    }
}

/* The outcome of the co-simulation at H, by its cells. */
static costab_outcome outcome_at(const costab_limit *limit, double H) {
    for (size_t i = 0; i < limit->discrete.count; i++)
        if (H <= limit->discrete.items[i].to) return limit->discrete.items[i].verdict;
    return COSTAB_OUTCOME_UNDECIDED;
}

static bool is_decided(costab_outcome outcome) {
    return outcome == COSTAB_OUTCOME_STABLE || outcome == COSTAB_OUTCOME_UNSTABLE;
}

typedef struct tally {
    size_t stable, ends;
} tally;

static bool is_stable(const model *m, const costab_coupling *choices, double H, double *beyond) {
    costab_coupling coupling = *choices;
    coupling.macro_step = H;
    costab_network_point point = model_point(m, &coupling);
    *beyond = point.beyond;
    return (point.class_code & COSTAB_DISCRETE_STABLE) != 0;
}

/* Every macro step that is looked at says the same. */
static void compare(rng *r, const model *m, const costab_coupling *coupling, const costab_limit *found,
                    tally *t, int number) {
    for (int i = 0; i < SAMPLES; i++) {
        double H = rng_uniform(r, LOWER, UPPER), beyond;
        costab_outcome said = outcome_at(found, H);
        check_true(is_decided(said), "network %d: %.17g is not decided", number, H);
        bool stable = is_stable(m, coupling, H, &beyond);
        check_true(stable == (said == COSTAB_OUTCOME_STABLE), "network %d at H = %.17g: radius 1%+g", number,
                   H, beyond);
        t->stable += stable;
    }
}

/* The class changes at an end. */
static void compare_ends(const model *m, const costab_coupling *coupling, const costab_limit *found, tally *t,
                         int number) {
    for (size_t i = 0; i < found->count; i++) {
        double end = found->pieces[i].to, beyond[2] = {0};
        if (found->pieces[i].to_is != COSTAB_END_LIMIT) continue;
        check_true(is_stable(m, coupling, end * (1 - END_WIDTH), &beyond[0]) &&
                       !is_stable(m, coupling, end * (1 + END_WIDTH), &beyond[1]),
                   "network %d: radius 1%+g before the end %.17g, 1%+g behind", number, beyond[0], end,
                   beyond[1]);
        t->ends++;
    }
}

TEST(test_searches) {
    rng r = rng_start("limit_trend");
    tally t = {0};
    for (int i = 0; i < (int)effort(CASES); i++) {
        static model m;
        random_oscillators(&r, i % 2 == 0, &m);
        costab_coupling coupling = {.macro_step = 0.1};
        costab_limit_options options = {.lower = LOWER, .upper = UPPER};
        costab_limit found;
        check_ok(costab_coupling_find(couplings[i / 2 % 4], &coupling, &why));
        check_ok(costab_limit_macro_step(&m.network, &coupling, &options, &found, &why));
        compare(&r, &m, &coupling, &found, &t, i);
        compare_ends(&m, &coupling, &found, &t, i);
        costab_limit_free(&found);
    }
    print_message("# %zu of %zu places stable, %zu ends\n", t.stable, effort(CASES) * SAMPLES, t.ends);
    size_t all = effort(CASES) * SAMPLES;
    assert_true(t.stable > all / 10 && t.stable < all && t.ends > 0);
}

/* ---- Islands ---- */

enum { MANY = 40, ISLANDS = 8 };

/* Damped oscillations, the first of which grows around a random place, by a rate of at most depth half^2. */
static void random_island(rng *r, oscillators *s) {
    *s = (oscillators){.count = rng_int(r, 2, MANY),
                       .at = rng_uniform(r, 0.05, 0.9),
                       .half = exp(rng_uniform(r, log(1e-4), log(3e-2))),
                       .depth = exp(rng_uniform(r, -2, 3)),
                       .stiffer = rng_uniform(r, 0.01, 0.5)};
    for (int k = 0; k < s->count; k++) {
        s->rate[k] = exp(rng_uniform(r, log(0.003), log(1)));
        s->slope[k] = rng_uniform(r, -0.5, 1) * s->rate[k];
    }
}

/* No island is missed, however many other oscillations there are: trends hide nothing. */
TEST(test_islands) {
    rng r = rng_start("limit_islands");
    for (int i = 0; i < (int)effort(ISLANDS); i++) {
        oscillators s;
        costab_limit limit;
        costab_limit_options options = {.lower = 1e-3, .upper = 1};
        random_island(&r, &s);
        costab_family family = {.at = on_oscillators, .context = &s};
        check_ok(limit_find(&family, &options, &limit, &why));
        check_true(limit.count == 2, "island %d at %.9g, %.3g wide: %zu pieces", i, s.at, 2 * s.half,
                   limit.count);
        /* The modulus passes 1 at a slope of 2 half depth at. */
        double rounding = 40 * 2.2e-16 * s.count / (2 * s.half * s.depth * s.at);
        double from = limit.pieces[0].to - (s.at - s.half), to = limit.pieces[1].from - (s.at + s.half);
        check_true(fabs(from) < 1e-9 + rounding && fabs(to) < 1e-9 + rounding,
                   "island %d at %.9g, %.3g wide: ends off by %.3g and %.3g", i, s.at, 2 * s.half, from, to);
        costab_limit_free(&limit);
    }
}
