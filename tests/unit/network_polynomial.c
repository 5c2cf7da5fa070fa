/* The polynomials of connections: weights as they are written down, and what follows from them. */
#include <math.h>

#include "network/polynomial.h"
#include "support/network_model.h"

static double weight(const polynomial_rule *rule, int back, bool slope, int power) {
    for (int i = 0; i < rule->count; i++)
        if (rule->nodes[i].back == back && rule->nodes[i].slope == slope) return rule->nodes[i].weight[power];
    return 0;
}

static double coefficient(const polynomial_rule *rule, int back, int power) {
    return weight(rule, back, false, power);
}

/* s = 0, 1, 2, 3 of y0, y1, ..: the printed formulas, times their divisors. */
TEST(test_extrapolation) {
    static const int ends[4][4] = {{1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}};
    static const double quadratic[3][3] = {{1, 3. / 2, 1. / 2}, {0, -4. / 2, -2. / 2}, {0, 1. / 2, 1. / 2}};
    static const double cubic[4][4] = {{1, 11. / 6, 2. / 2, 1. / 6},
                                       {0, -18. / 6, -5. / 2, -3. / 6},
                                       {0, 9. / 6, 4. / 2, 3. / 6},
                                       {0, -2. / 6, -1. / 2, -1. / 6}};
    polynomial_times times = polynomial_even(0, 1);
    for (int k = 0; k < 4; k++) {
        polynomial_rule rule;
        polynomial_extrapolate((costab_hold)k, times, &rule);
        assert_int_equal(rule.count, k + 1);
        assert_int_equal(rule.reach[0], k + 1);
        assert_int_equal(polynomial_degree((costab_hold)k, false), k);
        for (int j = 0; j <= k; j++)
            check_near(polynomial_end(&rule.nodes[j]), ends[k][j], 1e-15L, "order %d, value %d at s = 1", k,
                       j);
        for (int j = 0; j <= k; j++)
            for (int l = 0; l <= k && k >= 2; l++)
                check_near(coefficient(&rule, j, l), k == 2 ? quadratic[j][l] : cubic[j][l], 1e-15L,
                           "order %d, value %d, power %d", k, j, l);
    }
}

TEST(test_interpolation) {
    /* v = y_{n+1}, y0, y1, y2 */
    static const double quadratic[3][3] = {{0, 1. / 2, 1. / 2}, {1, 0, -2. / 2}, {0, -1. / 2, 1. / 2}};
    static const double cubic[4][4] = {{0, 2. / 6, 1. / 2, 1. / 6},
                                       {1, 3. / 6, -2. / 2, -3. / 6},
                                       {0, -6. / 6, 1. / 2, 3. / 6},
                                       {0, 1. / 6, 0, -1. / 6}};
    polynomial_times times = polynomial_even(1, 1);
    polynomial_rule rule;
    polynomial_interpolate(COSTAB_CONSTANT, times, &rule);
    assert_true(rule.count == 1 && rule.nodes[0].back == -1 && coefficient(&rule, -1, 0) == 1 &&
                coefficient(&rule, -1, 1) == 0);
    for (int k = 2; k < 4; k++) {
        polynomial_interpolate((costab_hold)k, times, &rule);
        for (int j = 0; j <= k; j++)
            for (int l = 0; l <= k; l++)
                check_near(coefficient(&rule, j - 1, l), k == 2 ? quadratic[j][l] : cubic[j][l], 1e-15L,
                           "order %d, value %d, power %d", k, j, l);
    }
    /* The cubic through values and slopes at both ends. */
    polynomial_interpolate(COSTAB_HERMITE, times, &rule);
    check_near(polynomial_end(&rule.nodes[0]), 1, 1e-15L, "the new value at s = 1");
    for (int i = 1; i < 4; i++) check_near(polynomial_end(&rule.nodes[i]), 0, 1e-15L, "the others there");
    assert_true(weight(&rule, 0, false, 0) == 1 && weight(&rule, 0, true, 0) == 0);
}

/* A line is reproduced whatever lies between, at any times. */
TEST(test_lines) {
    rng r = rng_start("polynomials of lines");
    for (size_t i = 0; i < effort(500); i++) {
        costab_hold hold = (costab_hold)rng_int(&r, COSTAB_LINEAR, COSTAB_HERMITE);
        bool interpolates = rng_int(&r, 0, 1) == 1;
        polynomial_times times;
        times.at[0] = interpolates ? rng_uniform(&r, 0.3, 3) : -rng_uniform(&r, 0, 3);
        for (int k = 1; k < MATRIX_POWERS; k++) times.at[k] = times.at[k - 1] - rng_uniform(&r, 0.2, 3);
        polynomial_rule rule;
        if (interpolates)
            polynomial_interpolate(hold, times, &rule);
        else
            polynomial_extrapolate(hold, times, &rule);
        /* y = 1 + 2 s at local times. */
        real sum[4] = {0}, size = 1;
        for (int n = 0; n < rule.count; n++) {
            const polynomial_node *node = &rule.nodes[n];
            int at = interpolates ? node->back + 1 : node->back;
            real value = node->slope ? 2 : 1 + 2 * (real)times.at[at];
            for (int l = 0; l < 4; l++) sum[l] += (real)node->weight[l] * value;
            for (int l = 0; l < 4; l++) size += fabsl((real)node->weight[l] * value);
        }
        static const real expected[4] = {1, 2, 0, 0};
        for (int l = 0; l < 4; l++)
            check_near((double)sum[l], expected[l], 1e-14L * size, "%s, power %d", costab_hold_name(hold), l);
    }
}

/* Delayed feedthrough is stable for H -> 0 exactly where a negative D L is above -1/(2^(k+1) - 1). */
TEST(test_delayed_feedthrough) {
    for (int k = 0; k < 4; k++) {
        double limit = -1 / (pow(2, k + 1) - 1);
        for (int side = -1; side <= 1; side += 2) {
            model m;
            model_start(&m);
            int s = model_scalar(&m, -1, 1, 1, "exact", 1, 0);
            m.D[s][0] = limit * (1 + side * 1e-3);
            model_feedthrough(&m, s);
            model_connect(&m, 0, 0, 0, 0, 1, 0);
            costab_coupling coupling = {.macro_step = 1e-7, .extrapolation = (costab_hold)k};
            costab_network_point point = model_point(&m, &coupling);
            check_true((point.spectral_radius < 1) == (side < 0), "order %d, D L = %g: radius %.12g", k,
                       m.D[s][0], point.spectral_radius);
        }
    }
}

/* Two values that swap: J has the eigenvalues +-r; the best relaxation is 2/(2 - a - b) = 1, and others have
 * the radius max |1 - w + w mu|. One that only falls: a = b = mu, and w = 1/(1 - mu) ends at once. */
TEST(test_relaxation) {
    model m;
    model_start(&m);
    int s = model_scalar(&m, -1, 1, 1, "exact", 1, 0);
    m.D[s][0] = -0.5;
    model_feedthrough(&m, s);
    model_connect(&m, 0, 0, 0, 0, 1, 0);
    costab_coupling coupling = {.macro_step = 0.1, .scheme = COSTAB_ITERATED, .interpolation = COSTAB_LINEAR};
    costab_network_point plain = model_point(&m, &coupling);
    double mu = -plain.iteration_radius; /* one guess: J is a negative number */
    coupling.relaxation = 1 / (1 - mu);
    costab_network_point best = model_point(&m, &coupling);
    check_near(best.iteration_radius, 0, 1e-15L, "the best share");
    coupling.relaxation = 0.3;
    costab_network_point slow = model_point(&m, &coupling);
    check_near(slow.iteration_radius, fabs(1 - 0.3 + 0.3 * mu), 1e-15L, "radius of (1 - w) I + w J");
    /* The converged solution is that of w = 1, and newton's. */
    check_near(slow.spectral_radius, plain.spectral_radius, 1e-15L, "converged");
    coupling.iterations = COSTAB_NEWTON;
    check_near(model_point(&m, &coupling).spectral_radius, plain.spectral_radius, 1e-15L, "newton");
    /* Newton is solved where sweeps diverge. */
    m.D[s][0] = -3;
    coupling.relaxation = 0;
    costab_network_point newton = model_point(&m, &coupling);
    coupling.iterations = 0;
    costab_network_point swept = model_point(&m, &coupling);
    check_true(swept.iteration_radius > 1 && (swept.class_code & COSTAB_DISCRETE_STABLE) == 0,
               "sweeps diverge");
    check_true((newton.class_code & COSTAB_DISCRETE_STABLE) != 0, "newton is judged by the radius alone: %g",
               newton.spectral_radius);
}

/* One sweep with interpolation k and predictor k - 1 is jacobi with extrapolation k - 1; strides of s are the
 * macro step s H; a delay in seconds is that many whole steps. */
TEST(test_equal_couplings) {
    rng r = rng_start("equal couplings");
    for (size_t i = 0; i < effort(100); i++) {
        model m;
        model_start(&m);
        for (int s = 0; s < 2; s++) {
            model_scalar(&m, rng_uniform(&r, -2, 0), 1, 1, "exact", 1, 0);
            m.D[s][0] = rng_uniform(&r, -0.3, 0.3);
        }
        model_feedthrough(&m, 0);
        model_connect(&m, 0, 0, 1, 0, rng_uniform(&r, -1, 1), 0);
        model_connect(&m, 1, 0, 0, 0, rng_uniform(&r, -1, 1), 0);
        double H = rng_uniform(&r, 0.05, 1);
        for (int k = 1; k <= 3; k++) {
            costab_coupling sweep = {.macro_step = H,
                                     .scheme = COSTAB_ITERATED,
                                     .iterations = 1,
                                     .interpolation = (costab_hold)k,
                                     .predictor = (costab_hold)(k - 1)};
            costab_coupling jacobi = {.macro_step = H, .extrapolation = (costab_hold)(k - 1)};
            check_near(model_point(&m, &sweep).spectral_radius, model_point(&m, &jacobi).spectral_radius,
                       1e-9L, "one sweep, interpolation %d", k);
        }
        int stride = rng_int(&r, 2, 5);
        costab_coupling longer = {.macro_step = H * stride, .extrapolation = COSTAB_QUADRATIC};
        double whole = model_point(&m, &longer).spectral_radius;
        for (int s = 0; s < 2; s++) m.subsystems[s].stride = stride;
        costab_coupling strided = {.macro_step = H, .extrapolation = COSTAB_QUADRATIC};
        costab_network_point point = model_point(&m, &strided);
        assert_int_equal(point.period, stride);
        check_near(pow(point.spectral_radius, stride), whole, 1e-9L, "all strides %d", stride);
        for (int s = 0; s < 2; s++) m.subsystems[s].stride = 1;
        m.connections[0].delay = 2;
        double steps = model_point(&m, &strided).spectral_radius;
        m.connections[0].delay = 0;
        m.connections[0].delay_time = H * rng_uniform(&r, 1.01, 2);
        check_near(model_point(&m, &strided).spectral_radius, steps, 0, "a delay in seconds");
    }
}
