/* The polynomials of connections: weights as they are written down, and what follows from them. */
#include <math.h>

#include "network/polynomial.h"
#include "network/words.h"
#include "support/network_model.h"
#include "support/random_network.h"

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
        polynomial_extrapolate(&(costab_extrapolation){.hold = (costab_hold)k}, times, &rule);
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
            polynomial_extrapolate(&(costab_extrapolation){.hold = hold}, times, &rule);
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
            check_near((double)sum[l], expected[l], 1e-14L * size, "%s, power %d", network_hold_words[hold],
                       l);
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

/* ---- Weights of differences ---- */

/* M(phi, theta) = M(0, 0) + phi (linear - smoothed constant) + theta (linear - M(0, 0)): the map is affine in
 * the weights, and (0, 1) and (-1, 1) are couplings of their own. */
TEST(test_affine) {
    enum { MOST = 60 };
    static const char *const methods[] = {"euler", "rk4", "trapezoidal", "exact", "bdf2"};
    static double maps[4][MOST * MOST];
    rng r = rng_start("affine in the weights");
    costab_network_work *work = work_open();
    for (size_t i = 0; i < effort(300); i++) {
        model m;
        model_start(&m);
        for (int s = 0; s < 3; s++) {
            const random_sizes sizes = {.states = rng_int(&r, 1, 3),
                                        .inputs = rng_int(&r, 1, 2),
                                        .outputs = rng_int(&r, 1, 2),
                                        .substeps = rng_int(&r, 1, 3),
                                        .feedthrough = 0.3};
            (void)random_subsystem(&r, &m, &sizes, methods[rng_int(&r, 0, 4)]);
        }
        random_connections(&r, &m, 4, 2);
        double phi = rng_uniform(&r, -5, 5), theta = rng_uniform(&r, -5, 5);
        const costab_feedthrough feedthrough = (costab_feedthrough)rng_int(&r, 0, 1);
        costab_coupling couplings[4] = {{.extrapolation = COSTAB_TUNED},
                                        {.extrapolation = COSTAB_LINEAR},
                                        {.smoothed = true},
                                        {.extrapolation = COSTAB_TUNED, .a0 = phi, .a1 = theta}};
        double H = rng_uniform(&r, 0.01, 0.5);
        int size = 0;
        for (int k = 0; k < 4; k++) {
            couplings[k].macro_step = H;
            couplings[k].feedthrough = feedthrough;
            const double *map, *imaginary;
            const costab_network_point point = model_analyse(work, &m, &couplings[k]);
            costab_network_matrix(work, &map, &imaginary);
            assert_true(k == 0 || point.size == size);
            size = point.size;
            assert_true(size <= MOST);
            memcpy(maps[k], map, (size_t)(size * size) * sizeof *map);
        }
        double largest = 1;
        for (int e = 0; e < size * size; e++)
            for (int k = 0; k < 4; k++) largest = fmax(largest, fabs(maps[k][e]));
        for (int e = 0; e < size * size; e++) {
            double expected =
                maps[0][e] + phi * (maps[1][e] - maps[2][e]) + theta * (maps[1][e] - maps[0][e]);
            check_near(maps[3][e], expected, 1e-13L * largest, "network %zu, entry %d", i, e);
        }
    }
    costab_network_work_destroy(&work);
}

/* y' = -c y is stable iff h (1 + 2 psi) < 2 and h |psi| < 1, h = cH, psi = phi + theta/2 (Jury); two
 * integrators in a ring iff psi > 1/2 and h^2 < (2 psi - 1)/(psi^2 (1 + 2 psi)) (Schur and Cohn). With two
 * weights of means 5/9, 3/9, 1/9 up to h = 6, except where it touches the circle at 4.5. */
TEST(test_loops) {
    rng r = rng_start("loops of integrators");
    size_t stable[2] = {0};
    for (size_t i = 0; i < effort(2000); i++) {
        double psi = rng_uniform(&r, -1.5, 1.5), theta = rng_uniform(&r, -8, 8), h = rng_uniform(&r, 0.01, 5);
        bool ring = i % 2 == 1;
        if (ring) psi = rng_uniform(&r, 0.3, 2), h = rng_uniform(&r, 0.1, 0.9);
        double most = ring ? (2 * psi - 1) / (psi * psi * (1 + 2 * psi)) : 2 - h * (1 + 2 * psi);
        double distance =
            ring ? fmin(fabs(h * h - most), fabs(psi - 0.5)) : fmin(fabs(most), fabs(1 - h * fabs(psi)));
        bool expected = ring ? psi > 0.5 && h * h < most : most > 0 && h * fabs(psi) < 1;
        if (distance < 1e-6) continue;
        model m;
        model_start(&m);
        for (int s = 0; s <= ring; s++) model_scalar(&m, 0, 1, 1, "exact", 1, 0);
        model_connect(&m, ring, 0, 0, 0, -1, 0);
        if (ring) model_connect(&m, 0, 0, 1, 0, 1, 0);
        costab_coupling coupling = {
            .macro_step = h, .extrapolation = COSTAB_TUNED, .a0 = psi - theta / 2, .a1 = theta};
        costab_network_point point = model_point(&m, &coupling);
        check_true((point.spectral_radius < 1) == expected, "%d integrators, psi %g, h %g: radius %.12g",
                   ring + 1, psi, h, point.spectral_radius);
        stable[ring] += expected;
    }
    assert_true(stable[0] > 0 && stable[1] > 0);
    model m;
    model_start(&m);
    model_scalar(&m, 0, 1, 1, "exact", 1, 0);
    model_connect(&m, 0, 0, 0, 0, -1, 0);
    /* The second difference by b takes b of y, -2 b of y1 and b of y2; the first a of y and -a of y1. */
    costab_coupling three = {.extrapolation = COSTAB_TUNED_2, .a0 = -5. / 9, .b0 = 1. / 9};
    for (double h = 0.05; h < 6.3; h += 0.1) {
        three.macro_step = h;
        costab_network_point point = model_point(&m, &three);
        check_true((point.spectral_radius < 1) == (h < 6), "three values, h %g: radius %.12g", h,
                   point.spectral_radius);
    }
}

/* Refused couplings, and which connection's way counts. */
TEST(test_own_ways) {
    model m;
    costab_error error = {0};
    model_start(&m);
    for (int s = 0; s < 2; s++) model_scalar(&m, -1, 1, 1, "exact", 1, 0);
    model_connect(&m, 0, 0, 1, 0, -1, 0);
    model_connect(&m, 1, 0, 0, 0, 1, 0);
    costab_coupling coupling = {.macro_step = 0.4, .extrapolation = COSTAB_LINEAR};
    double linear = model_point(&m, &coupling).spectral_radius;
    coupling.extrapolation = COSTAB_CUBIC;
    double cubic = model_point(&m, &coupling).spectral_radius;
    for (int c = 0; c < 2; c++) {
        m.connections[c].extrapolates = true;
        m.connections[c].extrapolation = (costab_extrapolation){.hold = COSTAB_TUNED, .a1 = 1};
    }
    check_near(model_point(&m, &coupling).spectral_radius, linear, 1e-15L, "both connections go by lines");
    assert_true(fabs(cubic - linear) > 1e-3);
    coupling.a0 = (double)NAN;
    assert_int_equal(costab_coupling_check(&m.network, &coupling, &error), COSTAB_INVALID);
    coupling.a0 = 0;
    coupling.smoothed = true;
    assert_int_equal(costab_coupling_check(&m.network, &coupling, &error), COSTAB_INVALID);
    assert_non_null(strstr(error.message, "smoothed"));
    coupling.smoothed = false;
    coupling.interpolation = COSTAB_SPECTRAL;
    assert_int_equal(costab_coupling_check(&m.network, &coupling, &error), COSTAB_INVALID);
    coupling.interpolation = COSTAB_CONSTANT;
    m.connections[0].extrapolation.a1 = (double)INFINITY;
    assert_int_equal(costab_network_check(&m.network, &error), COSTAB_INVALID);
    m.connections[0].extrapolation = (costab_extrapolation){.hold = COSTAB_HOLD_COUNT};
    assert_int_equal(costab_network_check(&m.network, &error), COSTAB_INVALID);
}
