/* Edges: maps whose eigenvalues are made up, so that it is known where they first pass the limit. */
#include "proof/edge.h"

#include <math.h>

#include "support/support.h"

enum { PAIRS_MOST = 6, CASES = 400 };

/* Pairs of modulus exp(speed (x - passed) + bend (x - passed)^2) that turn, and what one more pair has done
 * on a stretch before: it has passed the limit, and come back. */
typedef struct spectrum {
    int pairs;
    double passed[PAIRS_MOST], speed[PAIRS_MOST], bend[PAIRS_MOST], angle[PAIRS_MOST], turn[PAIRS_MOST];
    bool island; /* of the last pair: */
    double middle, half, height;
    int hidden; /* 0, or a node at which */
    double by;  /* the last pair is known up to this alone */
} spectrum;

static double growth(const spectrum *s, int pair, double x) {
    double away = x - s->passed[pair];
    if (s->island && pair + 1 == s->pairs) {
        double y = (x - s->middle) / s->half;
        return s->height * (1 - y * y);
    }
    return s->speed[pair] * away + s->bend[pair] * away * away;
}

/* Node by node, known up to some roundings. Where the edge begins beyond the place, all runs backwards. */
static bool is_clear(const spectrum *s, const chebyshev_table *table, double from, double passed) {
    double beside = 1e-9 * passed;
    edge_cell cell = {.table = table,
                      .from = from,
                      .to = passed - copysign(beside, passed - from),
                      .passed = passed,
                      .apart = INFINITY};
    for (int i = 0; i < EDGE_NODES; i++) {
        double re[2 * PAIRS_MOST], im[2 * PAIRS_MOST], slack[2 * PAIRS_MOST];
        double x = from < passed ? edge_place(&cell, i) : 2 * passed - edge_place(&cell, i);
        for (int k = 0; k < s->pairs; k++) {
            double modulus = exp(growth(s, k, x)), angle = s->angle[k] + s->turn[k] * x;
            re[2 * k] = re[2 * k + 1] = modulus * cos(angle);
            im[2 * k] = modulus * sin(angle);
            im[2 * k + 1] = -im[2 * k];
            slack[2 * k] = slack[2 * k + 1] =
                s->hidden > 0 && i == s->hidden && k + 1 == s->pairs ? s->by : 1e-14;
        }
        edge_node_make(2 * s->pairs, re, im, slack, &cell.nodes[i]);
    }
    for (int stage = 0; stage < edge_stages(&cell); stage++)
        if (edge_is_clear(&cell, stage)) return true;
    return false;
}

/* All pairs come up to the limit; the first passes it at 1, the others there or behind. */
static spectrum make(rng *r, int pairs) {
    spectrum s = {.pairs = pairs};
    for (int k = 0; k < pairs; k++) {
        s.passed[k] = k == 0 || rng_uniform(r, 0, 1) < 0.3 ? 1 : 1 + rng_uniform(r, 0, 0.05);
        s.speed[k] = exp(rng_uniform(r, -1, 1));
        s.bend[k] = rng_uniform(r, -1, 1);
        s.angle[k] = rng_uniform(r, 0.3, 2.8);
        s.turn[k] = rng_uniform(r, -0.5, 0.5);
    }
    return s;
}

/* One pair, several, some that pass at the same place, alike ones too: that nothing passes before is told of
 * nearly all, from either side. */
TEST(first_places_are_told) {
    rng r = rng_start("first_places_are_told");
    chebyshev_table table;
    chebyshev_table_make(&table);
    int told = 0;
    for (int i = 0; i < CASES; i++) {
        spectrum s = make(&r, 1 + i % PAIRS_MOST);
        for (int k = 1; k < s.pairs && i % 3 == 0; k += 2) {
            s.passed[k] = s.passed[k - 1];
            s.speed[k] = s.speed[k - 1];
            s.bend[k] = s.bend[k - 1];
            s.angle[k] = s.angle[k - 1];
            s.turn[k] = s.turn[k - 1];
        }
        double length = rng_uniform(&r, 0.01, 0.1);
        told += is_clear(&s, &table, i % 2 == 0 ? 1 - length : 1 + length, 1);
    }
    check_true(told > 0.95 * CASES, "%d of %d", told, CASES);
}

/* What has passed before, and come back, is never overlooked: stretches down to a thousandth of the cell. */
TEST(islands_are_seen) {
    rng r = rng_start("islands_are_seen");
    chebyshev_table table;
    chebyshev_table_make(&table);
    for (int i = 0; i < CASES; i++) {
        spectrum s = make(&r, 1 + i % (PAIRS_MOST - 1));
        double length = rng_uniform(&r, 0.01, 0.1), half = length * exp(rng_uniform(&r, log(1e-3), log(0.3)));
        s.island = true;
        s.middle = 1 - rng_uniform(&r, 0.05, 0.95) * length;
        s.half = half;
        s.height = half / length * half / length * exp(rng_uniform(&r, -3, 1));
        s.angle[s.pairs] = rng_uniform(&r, 0.3, 2.8);
        s.turn[s.pairs] = 0;
        s.pairs++;
        check_true(!is_clear(&s, &table, i % 2 == 0 ? 1 - length : 1 + length, 1),
                   "case %d: an island of half width %g in %g, height %g", i, half, length, s.height);
    }
}

/* A place that is a second one: the same pair has passed before. */
TEST(earlier_places_are_seen) {
    rng r = rng_start("earlier_places_are_seen");
    chebyshev_table table;
    chebyshev_table_make(&table);
    for (int i = 0; i < CASES; i++) {
        spectrum s = make(&r, 1);
        double before = exp(rng_uniform(&r, log(1e-6), log(0.05)));
        s.bend[0] = 1 / before; /* 0 at 1 and at 1 - before speed */
        s.speed[0] = 1;
        check_true(!is_clear(&s, &table, 1 - 1.5 * before, 1), "case %d: passed %g before", i, before);
    }
}

/* An eigenvalue within rounding of the limit leaves everything open. */
TEST(rounding_leaves_it_open) {
    rng r = rng_start("rounding_leaves_it_open");
    chebyshev_table table;
    chebyshev_table_make(&table);
    spectrum s = make(&r, 2);
    s.speed[1] = 1e-14;
    s.bend[1] = 0;
    assert_false(is_clear(&s, &table, 0.9, 1));
}

/* At one node rounding may bring a pair of modulus 0.8 to the limit. That is 8/9 of 1 - |l|^2 there: the
 * crossing functions alone are clear. */
TEST(one_hidden_node_leaves_it_open) {
    chebyshev_table table;
    chebyshev_table_make(&table);
    spectrum s = {.pairs = 2,
                  .passed = {1, 0},
                  .speed = {1, 0},
                  .bend = {0, 0},
                  .angle = {1, 2.2},
                  .island = true,
                  .half = 1e9,
                  .height = log(0.8)};
    for (s.hidden = 4; s.hidden < EDGE_LAST; s.hidden += 4) {
        s.by = 0.199;
        assert_true(is_clear(&s, &table, 0.99, 1));
        s.by = 0.201;
        assert_false(is_clear(&s, &table, 0.99, 1));
    }
}
