/* Limits of maps of 36 rows whose furthest eigenvalues change places: no stable stretch between is lost, and
 * the statement about a cell holds in all of it. */
#include <math.h>
#include <string.h>

#include "find_limit.h"

enum { ROWS = 36, SAMPLES = 50 };

/* Pairs that turn by one angle, so that they may be taken for each other, with stable modes, in another
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

static costab_status at_large(void *context, double value, unsigned wanted, costab_family_point *point,
                              costab_error *error) {
    large *l = context;
    double x = value, moduli[2];
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

/* Unstable cells are unstable: at samples of each, and none reaches into the stable stretch. */
static void check_cells(const large *l, const costab_limit *limit, double stable_from, double stable_to) {
    for (size_t i = 0; i < limit->discrete.count; i++) {
        const costab_cell *cell = &limit->discrete.items[i];
        if (cell->verdict != COSTAB_OUTCOME_UNSTABLE) continue;
        check_true(cell->to <= stable_from + 1e-9 || cell->from >= stable_to - 1e-9,
                   "unstable from %.17g to %.17g", cell->from, cell->to);
        for (int s = 1; s < SAMPLES; s++) {
            double x = cell->from + (cell->to - cell->from) * s / SAMPLES, moduli[2];
            l->moduli(l, x, moduli);
            check_true(fmax(moduli[0], moduli[1]) > 1, "stable at %.17g", x);
        }
    }
}

/* One falls below the limit before the other rises above it. */
static void hand_over(const large *l, double x, double found[2]) {
    found[0] = 1 - l->rates[0] * (x - l->ends[0]);
    found[1] = 1 + l->rates[1] * (x - l->ends[1]);
}

TEST(test_hand_over) {
    rng r = rng_start("hand over");
    for (int i = 0; i < (int)effort(6); i++) {
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
        check_cells(&l, &limit, l.ends[0], l.ends[1]);
        costab_limit_free(&limit);
    }
}

/* One that is stable between two ends alone, as if by chance. */
static void dip(const large *l, double x, double found[2]) {
    double away = x - l->ends[0];
    found[0] = 1.2 - 0.3 * exp(-l->steep * away * away);
    found[1] = 0.5;
}

TEST(test_dip) {
    rng r = rng_start("dip");
    for (int i = 0; i < (int)effort(4); i++) {
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
        check_cells(&l, &limit, l.ends[0] - half, l.ends[0] + half);
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

static void check_meeting(large *l, double d, double e, int number) {
    const double s = 0.5;
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
    costab_limit_free(&limit);
}

TEST(test_meeting) {
    rng r = rng_start("meeting");
    for (int i = 0; i < (int)effort(6); i++) {
        large l = large_of(&r);
        double d = pow(10, rng_uniform(&r, -5, -2.5)), e = d * rng_uniform(&r, 1.5, 5.5);
        if (i % 2 == 0) l.turn = 0;
        l.ends[0] = rng_uniform(&r, 0.3, 1.5);
        check_meeting(&l, d, e, i);
    }
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
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i += (int)effort_stride(2)) {
        large l = {.ends = {cases[i][2]}};
        for (int k = 0; k < ROWS; k++) {
            l.modes[k] = 0.95 * cos(k);
            l.mirror[k] = 1 / sqrt(ROWS);
        }
        check_meeting(&l, cases[i][0], cases[i][1], i);
    }
}
