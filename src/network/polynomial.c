/* Polynomials of connections as weights of previous values and slopes of the source
 * (docs/explanation/algorithms.md, Maps; Extrapolation by weights).
 *
 * 1. Lagrange: a value's weight is the polynomial in local time that is 1 at its node and 0 at the others.
 * 2. Hermite: extrapolation by the line of the last value and slope; interpolation by the cubic of two values
 *    and slopes.
 * 3. Weighted (spectral, tuned): the last value, plus divided differences of the last values times lines of
 *    given weights.
 * 4. Smoothed: a line from the end of the last polynomial to the end of the new polynomial.
 * 5. Dead time: each value becomes a weighted mean of two older values.
 *
 * Exact up to rounding. Cost: about 10 operations per weight. */
#include <string.h>

#include "network/polynomial.h"

/* One row per costab_hold; coupling.c has their names. */
static const struct {
    int values;    /* values that an extrapolation uses */
    bool slopes;   /* Hermite */
    bool weighted; /* weights of differences */
} orders[COSTAB_HOLD_COUNT] = {
    [COSTAB_CONSTANT] = {.values = 1},
    [COSTAB_LINEAR] = {.values = 2},
    [COSTAB_QUADRATIC] = {.values = 3},
    [COSTAB_CUBIC] = {.values = 4},
    [COSTAB_HERMITE] = {.values = 1, .slopes = true},
    [COSTAB_SPECTRAL] = {.values = 2, .weighted = true},
    [COSTAB_TUNED] = {.values = 2, .weighted = true},
    [COSTAB_TUNED_2] = {.values = 3, .weighted = true},
};

static const costab_extrapolation spectral = {.hold = COSTAB_SPECTRAL, .a0 = 2.5, .a1 = -4};

polynomial_times polynomial_even(double newest, double spacing) {
    polynomial_times times;
    for (int i = 0; i < MATRIX_POWERS; i++) times.at[i] = newest - i * spacing;
    return times;
}

int polynomial_degree(costab_hold hold, bool interpolates) {
    if (orders[hold].slopes) return interpolates ? 3 : 1;
    return orders[hold].weighted ? 1 : orders[hold].values - 1;
}

int polynomial_values(costab_hold hold) {
    return orders[hold].values;
}

bool polynomial_keeps_lines(const costab_extrapolation *by) {
    if (orders[by->hold].weighted) return by->hold != COSTAB_SPECTRAL && by->a0 == 0 && by->a1 == 1;
    return by->hold != COSTAB_CONSTANT;
}

static polynomial_node node_of(int back, bool slope, const double c[MATRIX_POWERS]) {
    return (polynomial_node){back, slope, {c[0], c[1], c[2], c[3]}};
}

/* Coefficients of the polynomial that is 1 at times[i] and 0 at the others. */
static void lagrange(int count, const double *times, int i, double c[MATRIX_POWERS]) {
    double divisor = 1;
    memset(c, 0, MATRIX_POWERS * sizeof *c);
    c[0] = 1;
    for (int j = 0, degree = 0; j < count; j++) {
        if (j == i) continue;
        degree++;
        for (int l = degree; l > 0; l--) c[l] = c[l - 1] - times[j] * c[l];
        c[0] *= -times[j];
        divisor *= times[i] - times[j];
    }
    for (int l = 0; l < count; l++) c[l] = c[l] != 0 ? c[l] / divisor : 0;
}

/* Adds the Lagrange weights of all values; first: `back` of the newest value. */
static void add_lagrange(int count, const double *times, int first, polynomial_rule *rule) {
    rule->count = count;
    for (int i = 0; i < count; i++) {
        double c[MATRIX_POWERS];
        lagrange(count, times, i, c);
        rule->nodes[i] = node_of(first + i, false, c);
    }
}

/* Converts coefficients in (s - from)/length to coefficients in s. */
static void substitute(double from, double length, double c[MATRIX_POWERS]) {
    double scale = 1;
    for (int l = 0; l < MATRIX_POWERS; l++, scale /= length) c[l] *= scale;
    for (int first = 0; first < MATRIX_POWERS - 1; first++)
        for (int l = MATRIX_POWERS - 2; l >= first; l--) c[l] -= from * c[l + 1];
}

/* Sets `reach`. */
static void finish(polynomial_rule *rule) {
    rule->reach[0] = rule->reach[1] = 0;
    for (int i = 0; i < rule->count; i++) {
        const polynomial_node *node = &rule->nodes[i];
        if (node->back >= rule->reach[node->slope]) rule->reach[node->slope] = node->back + 1;
    }
}

/* Weighted differences. b0 and b1 multiply the second difference of equidistant values, which is twice the
 * divided difference. */
static void add_weighted(const costab_extrapolation *by, const double *times, polynomial_rule *rule) {
    rule->count = orders[by->hold].values;
    for (int i = 0; i < rule->count; i++) rule->nodes[i] = (polynomial_node){.back = i};
    rule->nodes[0].weight[0] = 1;
    for (int count = 2; count <= rule->count; count++)
        for (int i = 0; i < count; i++) {
            double divisor = count == 2 ? 1 : 0.5;
            for (int j = 0; j < count; j++) divisor *= j == i ? 1 : times[i] - times[j];
            rule->nodes[i].weight[0] += (count == 2 ? by->a0 : by->b0) / divisor;
            rule->nodes[i].weight[1] += (count == 2 ? by->a1 : by->b1) / divisor;
        }
}

void polynomial_extrapolate(const costab_extrapolation *by, polynomial_times t, polynomial_rule *rule) {
    if (orders[by->hold].weighted)
        add_weighted(by->hold == COSTAB_SPECTRAL ? &spectral : by, t.at, rule);
    else
        add_lagrange(orders[by->hold].values, t.at, 0, rule);
    if (orders[by->hold].slopes) {
        double line[MATRIX_POWERS] = {-t.at[0], 1};
        rule->nodes[rule->count++] = node_of(0, true, line);
    }
    finish(rule);
}

/* Hermite interpolation: the new value and slope, then the previous ones. */
static void hermite(polynomial_times t, polynomial_rule *rule) {
    static const double cubics[4][MATRIX_POWERS] = {
        {0, 0, 3, -2}, {0, 0, -1, 1}, {1, 0, -3, 2}, {0, 1, -2, 1}};
    double spacing = t.at[0] - t.at[1];
    rule->count = 4;
    for (int i = 0; i < 4; i++) {
        double c[MATRIX_POWERS];
        bool slope = i % 2 == 1;
        for (int l = 0; l < MATRIX_POWERS; l++) c[l] = slope ? cubics[i][l] * spacing : cubics[i][l];
        substitute(t.at[1], spacing, c);
        rule->nodes[i] = node_of(i / 2 - 1, slope, c);
    }
}

void polynomial_interpolate(costab_hold hold, polynomial_times t, polynomial_rule *rule) {
    if (orders[hold].slopes)
        hermite(t, rule);
    else
        add_lagrange(orders[hold].values, t.at, -1, rule);
    finish(rule);
}

static polynomial_node *find_node(polynomial_rule *rule, int back, bool slope) {
    for (int i = 0; i < rule->count; i++)
        if (rule->nodes[i].back == back && rule->nodes[i].slope == slope) return &rule->nodes[i];
    polynomial_node *added = &rule->nodes[rule->count++];
    *added = (polynomial_node){.back = back, .slope = slope};
    return added;
}

double polynomial_end(const polynomial_node *node) {
    return node->weight[0] + node->weight[1] + node->weight[2] + node->weight[3];
}

void polynomial_smooth(const polynomial_rule *before, const polynomial_rule *now, int shift,
                       polynomial_rule *rule) {
    rule->count = 0;
    for (int i = 0; i < now->count; i++)
        find_node(rule, now->nodes[i].back, now->nodes[i].slope)->weight[1] = polynomial_end(&now->nodes[i]);
    for (int i = 0; i < before->count; i++) {
        double end = polynomial_end(&before->nodes[i]);
        polynomial_node *node = find_node(rule, before->nodes[i].back + shift, before->nodes[i].slope);
        node->weight[0] = end;
        node->weight[1] -= end;
    }
    finish(rule);
}

void polynomial_delay(int whole, double share, polynomial_rule *rule) {
    const polynomial_rule before = *rule;
    rule->count = 0;
    for (int i = 0; i < before.count; i++)
        for (int part = 0; part < 2; part++) {
            const polynomial_node *from = &before.nodes[i];
            polynomial_node *to = find_node(rule, from->back + whole + part, from->slope);
            for (int l = 0; l < MATRIX_POWERS; l++)
                to->weight[l] += (part == 0 ? 1 - share : share) * from->weight[l];
        }
    finish(rule);
}
