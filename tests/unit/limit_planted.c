/* Complete limits of families whose ends are planted: none is lost, none found that is not there. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "find_limit.h"

/* ---- Gaps ---- */

/* A pair of modulus 1 + h - A (1 - cos(2 pi k (x - x0))) that turns, with stable modes, in another basis: k
 * gaps where the pair is outside, each 2 d wide. */
typedef struct planted {
    int n, k;
    double x0, amplitude, height, turn, modes[8], basis[64], inverse[64], map[64];
    const double
        *ends; /* or NULL: three, and the modulus is 1 + steep (x - ends[0]) (x - ends[1]) (x - ends[2]) */
    double steep;
} planted;

static costab_status at_planted(void *context, double value, unsigned wanted, costab_family_point *point,
                                costab_error *error) {
    planted *p = context;
    const double pi = 3.14159265358979323846;
    double plain[64] = {0}, rest[64] = {0}, x = value;
    double radius = 1 + p->height - p->amplitude * (1 - cos(2 * pi * p->k * (x - p->x0)));
    (void)wanted;
    (void)error;
    if (p->ends != NULL) radius = 1 + p->steep * (x - p->ends[0]) * (x - p->ends[1]) * (x - p->ends[2]);
    for (int i = 2; i < p->n; i++) plain[i * p->n + i] = p->modes[i] * cos(3 * x + i);
    plain[0] = plain[p->n + 1] = radius * cos(p->turn * x);
    plain[1] = -(plain[p->n] = radius * sin(p->turn * x));
    memset(p->map, 0, sizeof p->map);
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++)
            for (int l = 0; l < p->n; l++)
                rest[i * p->n + j] += plain[i * p->n + l] * p->inverse[l * p->n + j];
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++)
            for (int l = 0; l < p->n; l++)
                p->map[i * p->n + j] += p->basis[i * p->n + l] * rest[l * p->n + j];
    *point = (costab_family_point){.map = {.size = p->n, .entries = p->map}, .turn = p->turn * x};
    return COSTAB_OK;
}

/* A basis of reflections, so that it is its own inverse transposed. */
static void turn_basis(rng *r, planted *p) {
    int n = p->n;
    double v[8], length = 0;
    for (int i = 0; i < n; i++) {
        v[i] = rng_uniform(r, -1, 1);
        length += v[i] * v[i];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            p->basis[i * n + j] = (i == j) - 2 * v[i] * v[j] / length;
            p->inverse[j * n + i] = p->basis[i * n + j];
        }
}

TEST(test_planted) {
    const double pi = 3.14159265358979323846;
    rng r = rng_start("planted");
    for (int i = 0; i < 40; i++) {
        planted p = {.n = rng_int(&r, 2, 8), .k = rng_int(&r, 3, 12), .amplitude = rng_uniform(&r, 0.1, 0.4)};
        p.x0 = rng_uniform(&r, 0.3, 0.7) / p.k;
        p.turn = rng_uniform(&r, 5, 60);
        for (int m = 2; m < p.n; m++) p.modes[m] = rng_uniform(&r, -0.95, 0.95);
        turn_basis(&r, &p);
        /* Half the width of a gap, down to 0.5e-7 of the range. */
        double d = 0.5e-7 * pow(10, rng_uniform(&r, 0, 4));
        p.height = p.amplitude * (1 - cos(2 * pi * p.k * d));
        costab_family family = {.at = at_planted, .context = &p};
        costab_limit limit = find_limit(&family, 0, 1);
        /* No gap is missed: within every gap the answer is not stable, or at least undecided; in the
         * middle between two it is stable. */
        for (int g = 0; g < p.k; g++) {
            double gap = p.x0 + (double)g / p.k, calm = gap + 0.5 / p.k;
            bool in_gap = false, in_calm = false;
            for (size_t q = 0; q < limit.count; q++) {
                bool stable = limit.pieces[q].class_code != COSTAB_CLASS_UNDECIDED;
                in_gap |= stable && limit.pieces[q].from < gap && limit.pieces[q].to > gap;
                in_calm |= stable && limit.pieces[q].from < calm && limit.pieces[q].to > calm;
            }
            check_true(!in_gap, "case %d: the gap at %.17g, %g wide, is missed", i, gap, 2 * d);
            check_true(in_calm || calm > 1, "case %d: %.17g is stable", i, calm);
        }
        check_true(limit.evaluations < 8000, "case %d: %zu evaluations", i, limit.evaluations);
        costab_limit_free(&limit);
    }
}

/* Three ends, two of them so near each other that no node is between: those that a search finds first and
 * takes out of its functions leave the others to be found. */
TEST(test_near_ends) {
    rng r = rng_start("near ends");
    for (int i = 0; i < (int)effort(40); i++) {
        double apart = pow(10, rng_uniform(&r, -2.5, -1)), first = rng_uniform(&r, 0.1, 0.8);
        bool pair_first = rng_int(&r, 0, 1) == 0;
        double ends[3] = {first, first + (pair_first ? apart : 0.1), first + 0.1 + apart};
        planted p = {.n = rng_int(&r, 2, 8), .k = 1, .ends = ends, .steep = rng_uniform(&r, 0.2, 0.5)};
        if (rng_int(&r, 0, 1) == 0) p.steep = -p.steep;
        p.turn = rng_uniform(&r, 5, 60);
        for (int m = 2; m < p.n; m++) p.modes[m] = rng_uniform(&r, -0.9, 0.9);
        turn_basis(&r, &p);
        costab_family family = {.at = at_planted, .context = &p};
        costab_limit limit = find_limit(&family, 0, 1);
        bool grows = p.steep > 0; /* beyond the last end */
        /* Stable before the first and from the second to the third, or the other way round; next to an end
         * rounding may hide a little. */
        costab_piece q[2];
        size_t count = 0;
        for (size_t k = 0; k < limit.count; k++)
            if (limit.pieces[k].class_code != COSTAB_CLASS_UNDECIDED && count < 3)
                q[count < 2 ? count : 1] = limit.pieces[k], count++;
        check_true(count == 2, "case %d: %zu intervals", i, count);
        double found[3] = {grows ? q[0].to : q[0].from, grows ? q[1].from : q[0].to,
                           grows ? q[1].to : q[1].from};
        for (int e = 0; e < 3; e++) {
            /* Some n roundings of the map move the modulus, whose slope at an end is this. */
            double slope = fabs(p.steep);
            for (int other = 0; other < 3; other++) slope *= other == e ? 1 : fabs(ends[e] - ends[other]);
            check_near(found[e], ends[e], 1e-12L + 64 * (real)DBL_EPSILON / (real)slope,
                       "case %d: end %d, %g apart", i, e, apart);
        }
        costab_limit_free(&limit);
    }
}

/* ---- Islands ---- */

/* One eigenvalue that falls below 1 at an end, and one that does so on both sides of an island. */
typedef struct bell {
    double end, rate, middle, half, steep, map[4];
} bell;

static costab_status at_bell(void *context, double value, unsigned wanted, costab_family_point *point,
                             costab_error *error) {
    bell *b = context;
    double x = value;
    (void)wanted;
    (void)error;
    b->map[0] = exp(-b->rate * (x - b->end));
    b->map[3] = exp(-b->steep * ((x - b->middle) * (x - b->middle) - b->half * b->half));
    *point = (costab_family_point){.map = {.size = 2, .entries = b->map}};
    return COSTAB_OK;
}

static void check_bell(bell b, double upper) {
    costab_family family = {.at = at_bell, .context = &b};
    costab_limit limit = find_limit(&family, 0, upper);
    check_true(limit.count == 2, "end at %g, island at %g: %zu pieces", b.end, b.middle, limit.count);
    check_near(limit.pieces[0].from, b.end, 1e-9L, "the end before the island at %g", b.middle);
    check_near(limit.pieces[0].to, b.middle - b.half, 1e-9L, "the island at %g begins", b.middle);
    check_near(limit.pieces[1].from, b.middle + b.half, 1e-9L, "the island at %g ends", b.middle);
    costab_limit_free(&limit);
}

/* Islands that fall between the nodes of the first cells are not lost where an end that these show is taken
 * out: what is left varies more slowly, but the island is in it. */
TEST(test_island_beyond_end) {
    for (int i = 0; i < 600; i++) {
        bell b = {.end = 0.9 + 0.01 * (i % 20),
                  .rate = 0.6,
                  .middle = 1.3 + 0.04 * (i / 20),
                  .half = 1e-3,
                  .steep = i % 2 == 0 ? 20 : 150};
        check_bell(b, 2.8);
    }
}

/* All three ends between two nodes: what is left where the last is taken out is wrong next to it, where it
 * was evaluated. */
TEST(test_island_at_end) {
    for (int i = 0; i < 40; i++) {
        bell b = {.end = 1.55, .rate = 3.63, .middle = 1.58 + 0.0005 * i, .half = 2.4e-3, .steep = 62};
        check_bell(b, 2.54);
    }
}

/* One mode: radius exp(steep (x - ends[0]) (x - ends[1])), of which ends[1] may be none, or base + 0.02 sin(3
 * x + phase) where base is not 0; two in a pair that turns, or a negative one. */
typedef struct mode {
    double steep, ends[2], base, turn, phase;
    bool pair;
} mode;

enum { MODES = 6, MODE_STATES = 10 };

typedef struct modes {
    const mode *items; /* MODES of them */
    double map[MODE_STATES * MODE_STATES];
} modes;

static costab_status at_modes(void *context, double value, unsigned wanted, costab_family_point *point,
                              costab_error *error) {
    modes *all = context;
    double x = value, turn = 0;
    (void)wanted;
    (void)error;
    memset(all->map, 0, sizeof all->map);
    for (int k = 0, at = 0; k < MODES; k++) {
        const mode *m = &all->items[k];
        double radius = exp(m->steep * (x - m->ends[0]) * (isfinite(m->ends[1]) ? x - m->ends[1] : 1));
        if (m->base != 0) radius = m->base + 0.02 * sin(3 * x + m->phase);
        double *block = &all->map[at * (MODE_STATES + 1)], angle = m->turn * x + m->phase;
        at += m->pair ? 2 : 1;
        if (m->pair) turn = fmax(turn, m->turn);
        block[0] = m->pair ? radius * cos(angle) : -radius;
        if (!m->pair) continue;
        block[MODE_STATES + 1] = block[0];
        block[1] = radius * sin(angle);
        block[MODE_STATES] = -block[1];
    }
    *point = (costab_family_point){.map = {.size = MODE_STATES, .entries = all->map}, .turn = turn * x};
    return COSTAB_OK;
}

/* An island of 4e-5 where a function nearly touches 0 in a smooth cell, in whose interpolant the last two
 * coefficients happen to be small compared with those before them. */
TEST(test_island_where_few_tell) {
    static const mode items[MODES] = {
        {.steep = 0.5898408628043964, .ends = {0.85625758382762185, (double)INFINITY}},
        {.steep = -142.43709245840887, .ends = {0.73509512778973451, 0.74438029284761853}},
        {-76.213061154843487, {0.74438006101820253, 0.74456098629863887}, 0, 6.04578, 2.37967, true},
        {-55.870654174694835, {0.24078043143415248, 0.24081775174679701}, 0, 3.68204, 4.44081, true},
        {.base = 0.125519, .turn = 6.66954, .phase = 3.81396, .pair = true},
        {.base = 0.624682, .turn = 24.5185, .phase = 4.17269, .pair = true}};
    modes all = {.items = items};
    costab_family family = {.at = at_modes, .context = &all};
    costab_limit limit = find_limit(&family, 0, 1.0912729209093881);
    assert_true(limit.count >= 2);
    check_near(limit.pieces[0].to, 0.24078043143415248, 1e-9L, "the island begins");
    check_near(limit.pieces[1].from, 0.24081775174679701, 1e-9L, "the island ends");
    costab_limit_free(&limit);
}
