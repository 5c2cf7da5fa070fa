/* Limits of maps of so many rows that one eigenvalue is followed where they are not stable: no stable stretch
 * between is lost, and what is said of a cell is true all over it. */
#include <math.h>
#include <string.h>

#include "find_limit.h"

enum { ROWS = 36, SAMPLES = 50 };

/* Pairs that turn by one angle, so that they may be taken for each other, beside stable modes, in another
 * basis. `mixed`: how much of each goes into the other. */
typedef struct large {
    /* The moduli of two pairs. */
    void (*moduli)(const struct large *l, double x, double found[2]);
    double ends[2], rates[2], steep, turn, mixed;
    double modes[ROWS], mirror[ROWS], map[ROWS * ROWS];
} large;

/* M = Q D Q, Q = I - 2 v v', v the mirror. */
static void reflect(large *l) {
    double *m = l->map, *v = l->mirror, left[ROWS] = {0}, right[ROWS] = {0}, both = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++) {
            left[j] += v[i] * m[i * ROWS + j];
            right[i] += m[i * ROWS + j] * v[j];
        }
    for (int i = 0; i < ROWS; i++) both += v[i] * right[i];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++)
            m[i * ROWS + j] += 4 * both * v[i] * v[j] - 2 * v[i] * left[j] - 2 * right[i] * v[j];
}

static costab_status at_large(void *context, const double *values, unsigned wanted,
                              costab_family_point *point, costab_error *error) {
    large *l = context;
    double x = values[0], moduli[2];
    (void)wanted;
    (void)error;
    l->moduli(l, x, moduli);
    memset(l->map, 0, sizeof l->map);
    for (int i = 4; i < ROWS; i++) l->map[i * (ROWS + 1)] = l->modes[i] * cos(2 * x + i);
    for (int p = 0; p < 2; p++) {
        double *block = &l->map[2 * p * (ROWS + 1)];
        block[0] = block[ROWS + 1] = moduli[p] * cos(l->turn * x);
        block[1] = -(block[ROWS] = moduli[p] * sin(l->turn * x));
        double *other = &l->map[2 * p * ROWS + 2 * (1 - p)], mixed = p == 0 ? l->mixed : -l->mixed;
        other[0] = other[ROWS + 1] = mixed * cos(l->turn * x);
        other[1] = -(other[ROWS] = mixed * sin(l->turn * x));
    }
    reflect(l);
    *point = (costab_family_point){.map = {.size = ROWS, .entries = l->map}, .turn = l->turn * x};
    return COSTAB_OK;
}

static large large_of(rng *r) {
    large l = {.turn = rng_uniform(r, 0.5, 6)};
    double length = 0;
    for (int i = 0; i < ROWS; i++) {
        l.modes[i] = rng_uniform(r, -0.95, 0.95);
        l.mirror[i] = rng_uniform(r, -1, 1);
        length = hypot(length, l.mirror[i]);
    }
    for (int i = 0; i < ROWS; i++) l.mirror[i] /= length;
    return l;
}

/* What cells say of an eigenvalue that is beyond the limit all over them is so; returns their number. */
static int check_cells(const large *l, const costab_limit *limit) {
    int count = 0;
    for (size_t i = 0; i < limit->discrete.count; i++) {
        const costab_cell *cell = &limit->discrete.items[i];
        if (cell->reason != COSTAB_REASON_EIGENVALUE) continue;
        assert_int_equal(cell->verdict, COSTAB_OUTCOME_UNSTABLE);
        count++;
        for (int s = 1; s < SAMPLES; s++) {
            double x = cell->from + (cell->to - cell->from) * s / SAMPLES, moduli[2];
            l->moduli(l, x, moduli);
            check_true(fmax(moduli[0], moduli[1]) > 1, "stable at %.17g", x);
        }
    }
    return count;
}

/* The one falls below the limit before the other rises above it. */
static void hand_over(const large *l, double x, double found[2]) {
    found[0] = 1 - l->rates[0] * (x - l->ends[0]);
    found[1] = 1 + l->rates[1] * (x - l->ends[1]);
}

TEST(test_hand_over) {
    rng r = rng_start("hand over");
    int followed = 0;
    for (int i = 0; i < 12; i++) {
        large l = large_of(&r);
        l.moduli = hand_over;
        l.ends[0] = rng_uniform(&r, 0.2, 0.7);
        l.ends[1] = l.ends[0] + pow(10, rng_uniform(&r, -5, -1));
        for (int p = 0; p < 2; p++) l.rates[p] = pow(10, rng_uniform(&r, -1, 0));
        costab_family family = {.at = at_large, .context = &l};
        costab_limit limit = find_limit(&family, 0, 1);
        check_true(limit.count == 1, "case %d: %zu intervals", i, limit.count);
        /* Some n roundings of the map move a modulus, which changes by a tenth of that at least. */
        check_near(limit.pieces[0].from, l.ends[0], 1e-12L, "case %d: begin", i);
        check_near(limit.pieces[0].to, l.ends[1], 1e-12L, "case %d: end", i);
        followed += check_cells(&l, &limit);
        costab_limit_free(&limit);
    }
    check_true(followed >= 12, "an eigenvalue is followed in %d cells", followed);
}

/* One that is stable between two ends alone, as if by chance. */
static void dip(const large *l, double x, double found[2]) {
    double away = x - l->ends[0];
    found[0] = 1.2 - 0.3 * exp(-l->steep * away * away);
    found[1] = 0.5;
}

TEST(test_dip) {
    rng r = rng_start("dip");
    for (int i = 0; i < 8; i++) {
        large l = large_of(&r);
        l.moduli = dip;
        l.ends[0] = rng_uniform(&r, 0.4, 2.4);
        l.steep = i % 2 == 0 ? 30 : 250;
        double half = sqrt(log(1.5) / l.steep);
        costab_family family = {.at = at_large, .context = &l};
        costab_limit limit = find_limit(&family, 0, 2.8);
        check_true(limit.count == 1, "case %d: %zu intervals", i, limit.count);
        check_near(limit.pieces[0].from, l.ends[0] - half, 1e-12L, "case %d: begin", i);
        check_near(limit.pieces[0].to, l.ends[0] + half, 1e-12L, "case %d: end", i);
        check_true(check_cells(&l, &limit) >= 1, "case %d: no eigenvalue is followed", i);
        costab_limit_free(&limit);
    }
}

/* Stable next to a pole beside the real axis: nodes are further away, and show little. */
static void resonate(const large *l, double x, double found[2]) {
    double away = (x - l->ends[0]) * l->steep;
    found[0] = 1 + l->rates[0] - l->rates[1] / (1 + away * away);
    found[1] = 0.5;
}

TEST(test_pole) {
    static const struct {
        double rates[2], width, at;
    } cases[] = {{{2.10691, 3.00691}, 0.00752203, 0.6502},
                 {{0.431595, 0.54824}, 0.00881225, 1.21728},
                 {{1.58977, 2.13085}, 0.00772687, 1.62806}};
    rng r = rng_start("pole");
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        large l = large_of(&r);
        l.moduli = resonate;
        l.ends[0] = cases[i].at;
        l.steep = 1 / cases[i].width;
        for (int k = 0; k < 2; k++) l.rates[k] = cases[i].rates[k];
        double half = cases[i].width * sqrt(l.rates[1] / l.rates[0] - 1);
        costab_family family = {.at = at_large, .context = &l};
        costab_limit limit = find_limit(&family, 0, 2);
        for (size_t k = 0; k < limit.discrete.count; k++) {
            const costab_cell *cell = &limit.discrete.items[k];
            check_true(cell->reason != COSTAB_REASON_EIGENVALUE || cell->to <= l.ends[0] - half + 1e-9 ||
                           cell->from >= l.ends[0] + half - 1e-9,
                       "case %d: from %.17g to %.17g one is followed", i, cell->from, cell->to);
        }
        check_true(check_cells(&l, &limit) >= 1, "case %d: no eigenvalue is followed", i);
        costab_limit_free(&limit);
    }
}

/* Two that change places, with a stable gap of a thousandth between: away from it all eigenvalues are the
 * same on both sides, and only their vectors tell that none of the two is beyond the limit on both. */
static void exchange(const large *l, double x, double found[2]) {
    found[0] = 1 - 0.2 * tanh(l->steep * (x - l->ends[0]));
    found[1] = 1 + 0.2 * tanh(l->steep * (x - l->ends[1]));
}

TEST(test_exchange) {
    rng r = rng_start("exchange");
    for (int i = 0; i < 6; i++) {
        large l = large_of(&r);
        l.moduli = exchange;
        l.steep = 3000;
        l.ends[0] = rng_uniform(&r, 0.2, 0.7);
        l.ends[1] = l.ends[0] + 1e-3;
        costab_family family = {.at = at_large, .context = &l};
        costab_limit limit = find_limit(&family, 0, 1);
        for (size_t k = 0; k < limit.discrete.count; k++) {
            const costab_cell *cell = &limit.discrete.items[k];
            check_true(cell->reason != COSTAB_REASON_EIGENVALUE || cell->to <= l.ends[0] ||
                           cell->from >= l.ends[1],
                       "case %d: from %.17g to %.17g one is followed over %.17g", i, cell->from, cell->to,
                       l.ends[0]);
        }
        check_true(check_cells(&l, &limit) >= 1, "case %d: no eigenvalue is followed", i);
        costab_limit_free(&limit);
    }
}

/* One that would stay beyond the limit by d meets one that falls: mixed by e they are 1 + d - y/2 +-
 * sqrt(y^2/4 - e^2), where it would have fallen by y. For y from (2 d + d^2 + e^2)/(1 + d), where their
 * product is 1, to (d^2 + e^2)/d, where one of them is 1, both are stable; further away, where nodes are,
 * that only moves them by e^2/y. */
static void meet(const large *l, double x, double found[2]) {
    found[0] = 1 + l->rates[1];
    found[1] = found[0] - l->rates[0] * (x - l->ends[0]);
}

/* Returns the number of cells in which one is followed. */
static size_t check_meeting(large *l, double d, double e, int number) {
    const double s = 0.5;
    size_t followed = 0;
    l->moduli = meet;
    l->rates[0] = s;
    l->rates[1] = d;
    l->mixed = e;
    costab_family family = {.at = at_large, .context = l};
    costab_limit limit = find_limit(&family, 0, 2);
    check_true(limit.count == 1, "case %d, d = %.17g, e = %.17g: %zu intervals", number, d, e, limit.count);
    /* As README has it. */
    check_near(limit.pieces[0].from, l->ends[0] + (2 * d + d * d + e * e) / (s * (1 + d)), 2e-10L,
               "case %d: begin", number);
    check_near(limit.pieces[0].to, l->ends[0] + (d * d + e * e) / (d * s), 2e-10L, "case %d: end", number);
    for (size_t k = 0; k < limit.discrete.count; k++)
        followed += limit.discrete.items[k].reason == COSTAB_REASON_EIGENVALUE;
    costab_limit_free(&limit);
    return followed;
}

TEST(test_meeting) {
    rng r = rng_start("meeting");
    size_t followed = 0;
    for (int i = 0; i < 24; i++) {
        large l = large_of(&r);
        double d = pow(10, rng_uniform(&r, -5, -2.5)), e = d * rng_uniform(&r, 1.5, 5.5);
        if (i % 2 == 0) l.turn = 0;
        l.ends[0] = rng_uniform(&r, 0.3, 1.5);
        followed += check_meeting(&l, d, e, i);
    }
    check_true(followed >= 24, "an eigenvalue is followed in %zu cells", followed);
}

/* Two pairs of real ones: all zeros are double. In the first a scaled interpolant leaves open what the plain
 * one shows to be clear; in the second a node is where a zero was divided out; in the others what is left
 * open is in parts, with less between them than ends are good to. */
TEST(test_doubles) {
    static const double cases[][3] = {{0.00017396622764372983, 0.00071969995736348631, 1.388649745747865},
                                      {0.00066669514829645587, 0.0018563472533861534, 1.3247398703692566},
                                      {0.00011097231284121355, 0.00018559696217177154, 0.3591820409208375},
                                      {0.00094782983058052577, 0.0040423639043225571, 0.30615550396187802},
                                      {0.00044506853039805335, 0.0019829601222500627, 0.51773072273939347}};
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        large l = {.ends = {cases[i][2]}};
        for (int k = 0; k < ROWS; k++) {
            l.modes[k] = 0.95 * cos(k);
            l.mirror[k] = 1 / sqrt(ROWS);
        }
        (void)check_meeting(&l, cases[i][0], cases[i][1], i);
    }
}
