/* The polynomials that connections deliver, over the rationals: Lagrange's, Hermite's, and weighted
 * differences.
 *
 * 1. The publications that a connection knows at macro step n follow from the source's stride and the delay.
 * 2. Lagrange: each value's weight is the polynomial that is 1 at its time and 0 at the others'.
 * 3. Hermite: extrapolated, a line by the last value and slope; interpolated, the cubic by the values and
 *    slopes of two publications.
 * 4. Weighted (spectral, tuned): the last value, and its first and second differences times given weights.
 * 5. Smoothed: the line from where the last polynomial ended to where this one ends.
 *
 * Exact. Cost: a few products of polynomials. */
#include "proof/ball_rule.h"

/* The last publication of a source with this stride at n or before. */
static slong published(slong n, slong stride) {
    slong rest = n % stride;
    return n - (rest < 0 ? rest + stride : rest);
}

/* How many values a polynomial goes add_lagrange. */
static int values_of(costab_hold hold) {
    return hold == COSTAB_HERMITE ? 1 : (int)hold + 1;
}

static ball_node *add_node(ball_rule *rule, slong age, bool slope) {
    ball_node *node = &rule->nodes[rule->count++];
    node->age = (int)age;
    node->slope = slope;
    node->factor = NULL;
    fmpq_poly_init(node->weight);
    return node;
}

/* a s + b */
static void set_line(fmpq_poly_t line, const fmpq_t a, const fmpq_t b) {
    fmpq_poly_zero(line);
    fmpq_poly_set_coeff_fmpq(line, 1, a);
    fmpq_poly_set_coeff_fmpq(line, 0, b);
}

/* Step 2: values at the times (newest - i spacing - n)/target, i = 0 .. count - 1; the first has this age. */
static void add_lagrange(slong newest, slong spacing, const ball_times *t, int count, slong age,
                         ball_rule *rule) {
    flint_local(fmpq_poly, factor);
    flint_local(fmpq, one, at);
    fmpq_one(one);
    for (int i = 0; i < count; i++) {
        ball_node *node = add_node(rule, age + i, false);
        fmpq_poly_one(node->weight);
        for (int j = 0; j < count; j++) {
            if (j == i) continue;
            fmpq_set_si(at, t->n - (newest - j * spacing), (ulong)t->target);
            set_line(factor, one, at);
            fmpq_poly_mul(node->weight, node->weight, factor);
            fmpq_set_si(at, (j - i) * spacing, (ulong)t->target);
            fmpq_poly_scalar_div_fmpq(node->weight, node->weight, at);
        }
    }
}

/* Adds factor/divisor `by` s^power times the difference of this order. */
static void add_difference(int order, int power, slong factor, ulong divisor, acb_srcptr by, slong age,
                           ball_rule *rule) {
    static const slong differences[3][3] = {{1}, {1, -1}, {1, -2, 1}};
    flint_local(fmpq, weight);
    for (int i = 0; i <= order; i++) {
        ball_node *node = add_node(rule, age + i, false);
        fmpq_set_si(weight, factor * differences[order][i], divisor);
        fmpq_poly_set_coeff_fmpq(node->weight, power, weight);
        node->factor = by;
    }
}

/* Step 4. */
static void add_weighted(const ball_extrapolation *by, slong age, ball_rule *rule) {
    add_difference(0, 0, 1, 1, NULL, age, rule);
    if (by->hold == COSTAB_SPECTRAL) {
        add_difference(1, 0, 5, 2, NULL, age, rule);
        add_difference(1, 1, -4, 1, NULL, age, rule);
        return;
    }
    for (int i = 0; i < (by->hold == COSTAB_TUNED_2 ? 4 : 2); i++)
        add_difference(1 + i / 2, i % 2, 1, 1, by->weights + i, age, rule);
}

/* Steps 1 to 4 of an extrapolation; `last`: the source's last publication. */
static void extrapolate(const ball_extrapolation *by, const ball_times *t, slong last, ball_rule *rule) {
    slong newest = published(t->n - t->delay, t->source), age = (last - newest) / t->source;
    costab_hold hold = by->hold;
    rule->count = 0;
    if (hold > COSTAB_HERMITE) {
        add_weighted(by, age, rule);
        return;
    }
    add_lagrange(newest + t->delay, t->source, t, values_of(hold), age, rule);
    if (hold != COSTAB_HERMITE) return;
    fmpq_t a, b; /* target s - (newest + delay - n) macro steps */
    flint_each(fmpq_init, a, b);
    fmpq_set_si(a, t->target, 1);
    fmpq_set_si(b, t->n - newest - t->delay, 1);
    set_line(add_node(rule, age, true)->weight, a, b);
    flint_each(fmpq_clear, a, b);
}

/* Step 5: adds the value with which an extrapolation ends, times a s + b. */
static void add_end(const ball_rule *from, slong a, slong b, ball_rule *rule) {
    flint_local(fmpq, end, one, slope, origin);
    fmpq_one(one);
    fmpq_set_si(slope, a, 1);
    fmpq_set_si(origin, b, 1);
    for (int i = 0; i < from->count; i++) {
        ball_node *node = add_node(rule, from->nodes[i].age, from->nodes[i].slope);
        fmpq_poly_evaluate_fmpq(end, from->nodes[i].weight, one);
        set_line(node->weight, slope, origin);
        fmpq_poly_scalar_mul_fmpq(node->weight, node->weight, end);
    }
}

void ball_rule_extrapolate(const ball_extrapolation *by, const ball_times *times, bool smoothed,
                           ball_rule *rule) {
    slong last = published(times->n, times->source);
    if (!smoothed) {
        extrapolate(by, times, last, rule);
        return;
    }
    ends_by(ball_rule_clear) ball_rule now = {.count = 0};
    ends_by(ball_rule_clear) ball_rule before = {.count = 0};
    ball_times earlier = *times;
    earlier.n -= times->target;
    extrapolate(by, times, last, &now);
    extrapolate(by, &earlier, last, &before);
    rule->count = 0;
    add_end(&before, -1, 1, rule);
    add_end(&now, 1, 0, rule);
}

/* The cubic through values and slopes at `last` and at the next publication: in r = 0..1 between the two the
 * weights are 2r^3 - 3r^2 + 1, r^3 - 2r^2 + r, -2r^3 + 3r^2, r^3 - r^2. */
static void hermite(const ball_times *t, slong last, ball_rule *rule) {
    static const slong cubics[4][4] = {{0, 0, 3, -2}, {0, 0, -1, 1}, {1, 0, -3, 2}, {0, 1, -2, 1}};
    flint_local(fmpq_poly, r);
    flint_local(fmpq, a, b);
    fmpq_set_si(a, t->target, (ulong)t->source);
    fmpq_set_si(b, t->n - last, (ulong)t->source);
    set_line(r, a, b);
    for (int i = 0; i < 4; i++) {
        ball_node *node = add_node(rule, i / 2 - 1, i % 2 == 1);
        for (int l = 0; l < 4; l++) fmpq_poly_set_coeff_si(node->weight, l, cubics[i][l]);
        fmpq_poly_compose(node->weight, node->weight, r);
        if (node->slope) fmpq_poly_scalar_mul_si(node->weight, node->weight, t->source);
    }
}

void ball_rule_interpolate(costab_hold hold, const ball_times *times, ball_rule *rule) {
    slong last = published(times->n, times->source);
    rule->count = 0;
    if (hold == COSTAB_HERMITE)
        hermite(times, last, rule);
    else
        add_lagrange(last + times->source, times->source, times, values_of(hold), -1, rule);
}

void ball_rule_clear(ball_rule *rule) {
    for (int i = 0; i < rule->count; i++) fmpq_poly_clear(rule->nodes[i].weight);
    rule->count = 0;
}

int ball_rule_degree(const ball_rule *rule) {
    int most = 0;
    for (int i = 0; i < rule->count; i++) {
        slong degree = fmpq_poly_degree(rule->nodes[i].weight);
        if (degree > most) most = (int)degree;
    }
    return most;
}
