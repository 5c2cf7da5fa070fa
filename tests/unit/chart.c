/* Charts: rectangles on which a made-up map, its iteration and its continuous system are known everywhere. */
#include "proof/chart.h"

#include <math.h>
#include <string.h>

#include "support/support.h"

#define POLE 0.01

/* A pair of eigenvalues of modulus 1 + height(x, y) that turns, and a real one; the map has a pole where the
 * iteration's only eigenvalue is 1. */
typedef struct surface {
    double turn, slope, shift;
    bool iterates, flat; /* flat: nothing depends on y */
    size_t calls;
    double map[9], guess, system[4];
} surface;

static double height(const surface *s, double x, double y) {
    double bend = s->flat ? 0.3 : y - 0.4;
    return 0.15 * (bend - s->slope * sin(7 * x + s->shift) * 0.3);
}

static double guess(const surface *s, double x, double y) {
    return s->iterates ? 0.6 + 0.7 * x * x + 0.1 * y : 0;
}

static costab_outcome truth(const surface *s, const double *at, bool continuous) {
    bool stable = height(s, at[0], at[1]) < 0;
    if (continuous) return stable ? COSTAB_OUTCOME_STABLE : COSTAB_OUTCOME_UNSTABLE;
    double sent = guess(s, at[0], at[1]);
    stable = stable && fabs(sent) < 1 && fabs(POLE / (1 - sent)) < 1;
    return stable ? COSTAB_OUTCOME_STABLE : COSTAB_OUTCOME_UNSTABLE;
}

static costab_status at_surface(void *context, const double *values, unsigned wanted,
                                costab_family_point *point, costab_error *error) {
    surface *s = context;
    double rise = height(s, values[0], values[1]), angle = s->turn * values[0] + values[1];
    (void)wanted;
    (void)error;
    s->calls++;
    s->guess = guess(s, values[0], values[1]);
    memset(s->map, 0, sizeof s->map);
    s->map[0] = s->map[4] = (1 + rise) * cos(angle);
    s->map[1] = -(s->map[3] = (1 + rise) * sin(angle));
    s->map[8] = s->iterates ? POLE / (1 - s->guess) : 0.3;
    s->system[0] = s->system[3] = rise;
    s->system[1] = -(s->system[2] = 5);
    *point = (costab_family_point){.map = {.size = 3, .entries = s->map},
                                   .guesses = {.size = s->iterates ? 1 : 0, .entries = &s->guess},
                                   .continuous = {.size = 2, .entries = s->system},
                                   .turn = s->turn * values[0]};
    return COSTAB_OK;
}

enum { SIDE = 48, FINE = 6 };

/* Covers the unit square; every verdict must be true all over its rectangle. Returns the share of parcels
 * with a verdict. */
static double cover(surface *s, bool continuous, bool alike) {
    double edges[2][SIDE + 1];
    const double ends[2] = {0, 1};
    costab_family family = {.at = at_surface, .context = s};
    chart_options options = {.family = &family, .continuous = continuous, .evaluations = 100000};
    chart found = {.count = 0};
    bool known[SIDE][SIDE] = {{false}};
    size_t covered = 0;
    for (int d = 0; d < 2; d++) {
        for (int i = 0; i <= SIDE; i++) edges[d][i] = i / (double)SIDE;
        options.edges[d] = edges[d];
        options.count[d] = SIDE;
    }
    if (alike) {
        options.alike[1] = true;
        options.edges[1] = ends;
        options.count[1] = 1;
    }
    s->calls = 0;
    check_ok(chart_cover(&options, &found, &why));
    assert_int_equal(found.evaluations, s->calls);
    for (size_t r = 0; r < found.count; r++) {
        const chart_rectangle *q = &found.rectangles[r];
        if (q->verdict == COSTAB_OUTCOME_UNDECIDED) continue;
        for (size_t i = q->first[0]; i < q->end[0]; i++)
            for (size_t j = q->first[1]; j < q->end[1]; j++) {
                covered += !known[i][j];
                known[i][j] = true;
            }
        for (int i = 0; i <= FINE; i++)
            for (int j = 0; j <= FINE; j++) {
                double at[2];
                for (int d = 0; d < 2; d++) {
                    double from = options.edges[d][q->first[d]], to = options.edges[d][q->end[d]];
                    at[d] = from + (to - from) * (d == 0 ? i : j) / FINE;
                }
                assert_int_equal(truth(s, at, continuous), q->verdict);
            }
    }
    chart_free(&found);
    return (double)covered / (SIDE * (alike ? 1 : SIDE));
}

static surface random_surface(rng *r) {
    return (surface){
        .turn = rng_uniform(r, 1, 40), .slope = rng_uniform(r, 0.2, 1), .shift = rng_uniform(r, 0, 6)};
}

TEST(test_map) {
    rng r = rng_start("map");
    for (int k = 0; k < 10; k++) {
        surface s = random_surface(&r);
        double share = cover(&s, false, false);
        check_true(share > 0.55, "map %d: %g of the parcels have a verdict", k, share);
    }
}

TEST(test_iteration) {
    rng r = rng_start("iteration");
    for (int k = 0; k < 10; k++) {
        surface s = random_surface(&r);
        s.iterates = true;
        double share = cover(&s, false, false);
        check_true(share > 0.55, "iteration %d: %g of the parcels have a verdict", k, share);
    }
}

/* What depends on one number alone takes the nodes of a line. */
TEST(test_alike) {
    rng r = rng_start("alike");
    for (int k = 0; k < 10; k++) {
        surface s = random_surface(&r);
        s.flat = true;
        check_true(cover(&s, true, true) > 0.85, "alike %d: most parcels have a verdict", k);
        check_true(s.calls < 400, "alike %d: %zu evaluations", k, s.calls);
    }
}

/* The eigenvalue 0.8 - x of the continuous system and e^(0.8 - x) of the map, beside others that are stable;
 * within `width` of its crossing it counts as an equilibrium, and is set aside. */
typedef struct singular {
    double width, map[4], system[4];
} singular;

static costab_status at_singular(void *context, const double *values, unsigned wanted,
                                 costab_family_point *point, costab_error *error) {
    singular *s = context;
    double rise = 0.8 - values[0];
    int left = fabs(rise) <= s->width ? 1 : 2;
    (void)wanted;
    (void)error;
    memcpy(s->map, (double[]){0.3 + 0.1 * values[1], 0, 0, exp(rise)}, sizeof s->map);
    memcpy(s->system, (double[]){-1, 0, 0, rise}, sizeof s->system);
    if (left == 1) s->map[1] = s->map[3] = s->system[1] = s->system[3] = 0;
    *point = (costab_family_point){.map = {.size = left, .entries = s->map},
                                   .continuous = {.size = left, .entries = s->system},
                                   .nullity = 2 - left};
    return COSTAB_OK;
}

/* What is stable only without an eigenvalue that is none of an equilibrium elsewhere is not told to be. */
TEST(test_singular) {
    for (int continuous = 0; continuous < 2; continuous++) {
        singular s = {.width = 0.15};
        double edges[2][SIDE + 1];
        size_t stable = 0;
        costab_family family = {.at = at_singular, .context = &s};
        chart found = {.count = 0};
        chart_options options = {.family = &family, .continuous = continuous == 1, .evaluations = 100000};
        for (int d = 0; d < 2; d++) {
            for (int i = 0; i <= SIDE; i++) edges[d][i] = (1 + d) * i / (double)SIDE;
            options.edges[d] = edges[d];
            options.count[d] = SIDE;
        }
        for (int i = 0; i <= SIDE; i++) edges[0][i] += 0.3;
        check_ok(chart_cover(&options, &found, &why));
        for (size_t r = 0; r < found.count; r++) {
            const chart_rectangle *q = &found.rectangles[r];
            double from = edges[0][q->first[0]], to = edges[0][q->end[0]];
            if (q->verdict == COSTAB_OUTCOME_STABLE) assert_true(from >= 0.8 + s.width - 1.0 / SIDE);
            if (q->verdict == COSTAB_OUTCOME_UNSTABLE) assert_true(to <= 0.8 - s.width + 1.0 / SIDE);
            stable += q->verdict == COSTAB_OUTCOME_STABLE;
        }
        assert_true(stable > 0);
        chart_free(&found);
    }
}

/* Parcels reach half the way to the next values. */
TEST(test_edges) {
    const double values[] = {1, 2, 4};
    assert_true(chart_edge(values, 3, 0) == 1 && chart_edge(values, 3, 1) == 1.5 &&
                chart_edge(values, 3, 2) == 3 && chart_edge(values, 3, 3) == 4);
}
