/* Bounds of the joint spectral radius: known sets, brute force, and what is refused. */
#include <math.h>

#include "costab/pattern.h"
#include "network_model.h"

static costab_sequences bounds(int count, int size, const double *matrices, const double *lengths,
                               double gap) {
    costab_sequence_set set = {count, size, matrices, lengths, 0, NULL, NULL};
    costab_sequences_options options = {.gap = gap};
    costab_sequences found;
    check_ok(costab_sequences_bound(&set, &options, &found, &why));
    assert_true(found.lower <= found.upper);
    return found;
}

/* A pair whose radius is that of A1 A2, and the least of its common quadratic norms, from an independent
 * program. */
TEST(test_known_pair) {
    const double matrices[] = {-1, -1, -4, 0, 3, 3, -2, 1};
    costab_sequences found = bounds(2, 2, matrices, NULL, 0);
    check_near(exp(found.lower), 3.917384715148241L, 1e-12L, "lower");
    assert_true(found.closed);
    check_near(found.upper - found.lower, 1e-4L, 1e-9L, "the gap");
    check_near(exp(found.norm), 3.98049529L, 1e-6L, "the norm");
    assert_int_equal(found.length, 2);
    assert_int_equal(found.cycle[0] + found.cycle[1], 1);
    costab_sequences_free(&found);
}

/* Upper triangular matrices: the largest entry on the diagonal, whatever is above it. */
TEST(test_triangular) {
    const double matrices[] = {0.5, 100, 0, 0.9, -0.95, 3, 0, 0.1};
    costab_sequences found = bounds(2, 2, matrices, NULL, 1e-3);
    check_near(exp(found.lower), 0.95L, 1e-14L, "lower");
    assert_true(exp(found.upper) < 0.96);
    costab_sequences_free(&found);
}

/* All products of two are 0: nothing grows. */
TEST(test_nilpotent) {
    const double matrices[] = {0, 1, 0, 0, 0, -7, 0, 0};
    costab_sequences found = bounds(2, 2, matrices, NULL, 0);
    assert_true(isinf(found.lower) && found.lower < 0 && found.upper < -1);
    costab_sequences_free(&found);
}

/* Maps of a network without states. */
TEST(test_empty) {
    const double none = 0;
    costab_sequences found = bounds(2, 0, &none, NULL, 0);
    assert_true(isinf(found.lower) && found.lower < 0 && isinf(found.upper) && found.upper < 0 &&
                found.length == 0);
    costab_sequences_free(&found);
}

/* Orthogonal matrices under a change of coordinates: 1, by a quadratic norm that closes the bounds at once.
 */
TEST(test_orthogonal) {
    double matrices[3 * 4], c, s;
    for (int i = 0; i < 3; i++) {
        c = cos(1.0 + i), s = sin(1.0 + i);
        const double turned[] = {c, -8 * s, s / 8, c};
        memcpy(matrices + 4 * i, turned, sizeof turned);
    }
    costab_sequences found = bounds(3, 2, matrices, NULL, 0);
    check_near(found.lower, 0, 1e-13L, "lower");
    check_near(found.upper, 0, 1e-6L, "upper");
    costab_sequences_free(&found);
}

/* 2 leads where only 1/4 leads away: in turn they decay by the root of their product, though 2 alone, which
 * may not follow itself, would grow. Per second with their lengths, too. A place that does not exist. */
TEST(test_places) {
    const double matrices[] = {2, 0.25, 0.5}, lengths[] = {1, 3, 1};
    int from[] = {0, 1, 0}, to[] = {1, 0, 0};
    costab_sequence_set set = {3, 1, matrices, NULL, 2, from, to};
    costab_sequences found;
    costab_error error = {0};
    check_ok(costab_sequences_bound(&set, NULL, &found, &why));
    check_near(exp(found.lower), sqrtl(0.5L), 1e-14L, "lower");
    check_near(exp(found.upper), sqrtl(0.5L), 2e-4L, "upper");
    assert_true(found.length == 2 && found.cycle[0] + found.cycle[1] == 1);
    costab_sequences_free(&found);
    set.lengths = lengths;
    check_ok(costab_sequences_bound(&set, NULL, &found, &why));
    check_near(found.lower, logl(0.5L) / 4, 1e-14L, "per second");
    costab_sequences_free(&found);
    to[2] = 2;
    assert_int_equal(costab_sequences_bound(&set, NULL, &found, &error), COSTAB_INVALID);
    assert_non_null(strstr(error.message, "vertex 0 to 2 of 2"));
    costab_sequences_free(&found);
}

/* ---- Brute force ---- */

static void multiply(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i * n + j] = 0;
            for (int k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
}

/* ln of the radius of a 2 x 2 product, from its trace and determinant. */
static double ln_radius(const double *m) {
    double half = (m[0] + m[3]) / 2, det = m[0] * m[3] - m[1] * m[2], d = half * half - det;
    return d < 0 ? 0.5 * log(det) : log(fabs(half) + sqrt(d));
}

static double next_random(uint64_t *seed) {
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

/* Every cycle of up to 10 letters is below the upper bound, and none above the lower bound by more than
 * rounding if the cycle printed is among them; its own growth is the lower bound. Per step and with lengths.
 */
TEST(test_brute_force) {
    uint64_t seed = 20;
    for (int trial = 0; trial < 40; trial++) {
        double matrices[8], lengths[2] = {0.2 + 0.1 * (trial % 7), 1};
        const double *timed = trial % 2 ? lengths : NULL;
        for (int e = 0; e < 8; e++) matrices[e] = next_random(&seed);
        costab_sequences found = bounds(2, 2, matrices, timed, 1e-3);
        double best = -(double)INFINITY;
        for (int letters = 1; letters <= 10; letters++)
            for (int word = 0; word < 1 << letters; word++) {
                double product[4] = {1, 0, 0, 1}, next[4], length = 0;
                for (int k = 0; k < letters; k++) {
                    multiply(2, matrices + 4 * (word >> k & 1), product, next);
                    memcpy(product, next, sizeof product);
                    length += timed ? timed[word >> k & 1] : 1;
                }
                best = fmax(best, ln_radius(product) / length);
            }
        check_true(best <= found.lower + 1e-9, "trial %d: a cycle of up to 10 grows by %g, not %g", trial,
                   best, found.lower);
        double product[4] = {1, 0, 0, 1}, next[4], length = 0;
        for (size_t k = 0; k < found.length; k++) {
            multiply(2, matrices + 4 * found.cycle[k], product, next);
            memcpy(product, next, sizeof product);
            length += timed ? timed[found.cycle[k]] : 1;
        }
        check_near(ln_radius(product) / length, found.lower, 1e-10L, "trial %d: the cycle", trial);
        if (found.closed) check_true(found.upper - found.lower <= 1.001e-3, "trial %d: closed", trial);
        costab_sequences_free(&found);
    }
}

/* ---- Refused input ---- */

static void expect_refused(const model *m, costab_coupling coupling, const double *steps, const char *words) {
    costab_error error = {0};
    costab_pattern pattern;
    costab_status status = costab_pattern_steps(&m->network, &coupling, steps, 2, NULL, &pattern, &error);
    costab_pattern_free(&pattern);
    assert_int_equal(status, COSTAB_INVALID);
    check_true(strstr(error.message, words) != NULL, "\"%s\" is in: %s", words, error.message);
}

static void ring(model *m) {
    model_start(m);
    model_scalar(m, -1, 1, 1, "exact", 1, 0);
    model_scalar(m, -1, -2, 1, "exact", 1, 0);
    model_connect(m, 0, 0, 1, 0, 1, 0);
    model_connect(m, 1, 0, 0, 0, 1, 0);
}

TEST(test_refused) {
    model m;
    const double steps[] = {0.1, 0.2}, bad[] = {0.1, -0.2};
    costab_coupling jacobi = {.macro_step = 1}, powers = jacobi;
    ring(&m);
    expect_refused(&m, jacobi, bad, "-0.2");
    powers.micro_steps = COSTAB_REAL_POWER;
    expect_refused(&m, powers, steps, "real powers");
    powers.micro_steps = COSTAB_CLOCKS;
    expect_refused(&m, powers, steps, "state of the clocks");
    m.subsystems[0].stride = 2;
    expect_refused(&m, jacobi, steps, "stride");
    m.subsystems[0].stride = 1;
    m.subsystems[0].method = method_named("trapezoidal");
    costab_error error = {0};
    check_ok(costab_solver_find("bdf2", &m.subsystems[0].method, &why));
    expect_refused(&m, jacobi, steps, "bdf2");
    m.subsystems[0].method = method_named("exact");
    m.connections[0].delay_time = 20;
    expect_refused(&m, jacobi, steps, "longer steps");
    m.connections[0].delay_time = 2;
    expect_refused(&m, jacobi, steps, "with less memory");
    m.connections[0].delay_time = 0;
    m.subsystems[1].substeps = 0;
    m.subsystems[1].step = 0.07;
    expect_refused(&m, jacobi, steps, "macro step");
    costab_pattern pattern;
    const double range[] = {0.07, 0.7}, empty[] = {0.2, 0.1};
    assert_int_equal(costab_pattern_over(&m.network, &jacobi, range, NULL, &pattern, &error), COSTAB_INVALID);
    assert_non_null(strstr(error.message, "fixed length"));
    assert_int_equal(costab_pattern_over(&m.network, &jacobi, empty, NULL, &pattern, &error), COSTAB_INVALID);
}

static bool stops(void *context) {
    ++*(int *)context;
    return true;
}

/* Both searches end when they are cancelled. */
TEST(test_stopped) {
    model m;
    costab_error error = {0};
    costab_pattern pattern;
    int asked = 0;
    const costab_pattern_options options = {.gap = 1e-9, .stop = stops, .stop_context = &asked};
    const costab_coupling jacobi = {.scheme = COSTAB_JACOBI, .macro_step = 1};
    const double steps[] = {0.1, 0.5}, range[] = {0.1, 0.5};
    ring(&m);
    assert_int_equal(costab_pattern_steps(&m.network, &jacobi, steps, 2, &options, &pattern, &error),
                     COSTAB_CANCELLED);
    costab_pattern_free(&pattern);
    assert_int_equal(asked, 1);
    assert_int_equal(costab_pattern_over(&m.network, &jacobi, range, &options, &pattern, &error),
                     COSTAB_CANCELLED);
    costab_pattern_free(&pattern);
    assert_int_equal(asked, 2);
}

static bool counts(void *context) {
    ++*(int *)context;
    return false;
}

/* Over a range too, `products` limits the products, and fewer leave a larger upper bound. */
TEST(test_few_products) {
    model m;
    costab_pattern pattern;
    int asked[2] = {0, 0};
    double upper[2];
    const costab_coupling choices = {.scheme = COSTAB_GAUSS_SEIDEL, .macro_step = 1};
    const double range[] = {0.2, 1};
    ring(&m);
    for (int k = 0; k < 2; k++) {
        const costab_pattern_options options = {
            .products = k == 0 ? 500 : 10000, .stop = counts, .stop_context = &asked[k]};
        check_ok(costab_pattern_over(&m.network, &choices, range, &options, &pattern, &why));
        upper[k] = pattern.upper;
        assert_true(pattern.lower < upper[k]);
        costab_pattern_free(&pattern);
    }
    assert_true(asked[0] < asked[1] && upper[0] > upper[1]);
}

/* Where the iteration diverges at a step nothing is bounded, and that step is the pattern. */
TEST(test_diverging) {
    model m;
    costab_pattern pattern;
    costab_coupling iterated = {.scheme = COSTAB_ITERATED, .macro_step = 1};
    const double steps[] = {0.1, 3};
    ring(&m);
    check_ok(costab_pattern_steps(&m.network, &iterated, steps, 2, NULL, &pattern, &why));
    assert_true(isinf(pattern.lower) && isinf(pattern.upper) && isinf(pattern.rate_upper));
    assert_true(pattern.length == 1 && pattern.steps[0] == 3);
    costab_pattern_free(&pattern);
}

/* One step alone: its own spectral radius, both bounds. */
TEST(test_constant) {
    model m;
    costab_pattern pattern;
    costab_coupling jacobi = {.macro_step = 0.3};
    const double step = 0.3;
    ring(&m);
    double radius = model_point(&m, &jacobi).spectral_radius;
    check_ok(costab_pattern_steps(&m.network, &jacobi, &step, 1, NULL, &pattern, &why));
    check_near(pattern.lower, radius, 1e-14L, "lower");
    check_near(pattern.upper, radius, 2e-4L, "upper");
    check_near(pattern.rate_lower, logl(radius) / 0.3L, 1e-12L, "rate");
    costab_pattern_free(&pattern);
}
