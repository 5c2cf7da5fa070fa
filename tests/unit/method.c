/* The methods: every entry of the table is derived again from its tableau.
 *
 * Sources of the independent data: E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential
 * Equations I, sections II.1, II.2 (order conditions) and II.5 (DOPRI5); E. Hairer, G. Wanner, II, sections
 * IV.2, IV.3, IV.5. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/bound.h"
#include "support/definition.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Properties of each method in the literature: order, stages that carry weight, b and c of those. */
typedef struct known_method {
    const char *name;
    int order, stages;
    double b[7], c[7];
    bool implicit;
} known_method;

static const known_method known[] = {
    {"euler", 1, 1, {1.}, {0.}, false},
    {"heun", 2, 2, {1. / 2, 1. / 2}, {0., 1.}, false},
    {"midpoint", 2, 2, {0., 1.}, {0., 1. / 2}, false},
    {"ralston", 2, 2, {1. / 4, 3. / 4}, {0., 2. / 3}, false},
    {"kutta3", 3, 3, {1. / 6, 2. / 3, 1. / 6}, {0., 1. / 2, 1.}, false},
    {"ssprk3", 3, 3, {1. / 6, 1. / 6, 2. / 3}, {0., 1., 1. / 2}, false},
    {"rk4", 4, 4, {1. / 6, 1. / 3, 1. / 3, 1. / 6}, {0., .5, .5, 1.}, false},
    {"rk38", 4, 4, {1. / 8, 3. / 8, 3. / 8, 1. / 8}, {0., 1. / 3, 2. / 3, 1.}, false},
    {"bs3", 3, 3, {2. / 9, 1. / 3, 4. / 9}, {0., 1. / 2, 3. / 4}, false},
    {"dopri5",
     5,
     6,
     {35. / 384, 0., 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
     {0., 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1.},
     false},
    {"backward-euler", 1, 1, {1.}, {1.}, true},
    {"trapezoidal", 2, 2, {1. / 2, 1. / 2}, {0., 1.}, true},
    {"gauss2", 4, 2, {1. / 2, 1. / 2}, {0.21132486540518712, 0.78867513459481288}, true},
    {"radau2", 3, 2, {3. / 4, 1. / 4}, {1. / 3, 1.}, true},
    {"sdirk2", 2, 2, {0.70710678118654752, 0.29289321881345248}, {0.29289321881345248, 1.}, true},
};

/* ---- rooted trees ---- */

#define ORDER_MAX 6
#define TREES_MAX 40

/* A rooted tree as the list of its root's subtrees; gamma is its density. */
typedef struct tree {
    int nodes, children, child[ORDER_MAX];
    double gamma;
} tree;

static int add_trees(tree *trees, int count, tree partial, int left, int first) {
    if (left == 0) {
        partial.gamma = partial.nodes;
        for (int i = 0; i < partial.children; i++) partial.gamma *= trees[partial.child[i]].gamma;
        trees[count] = partial;
        return count + 1;
    }
    for (int i = first; i < count && trees[i].nodes < partial.nodes; i++) {
        if (trees[i].nodes > left) continue;
        tree longer = partial;
        longer.child[longer.children++] = i;
        count = add_trees(trees, count, longer, left - trees[i].nodes, i);
    }
    return count;
}

/* All rooted trees of at most ORDER_MAX nodes, in the order of their size. */
static int make_trees(tree *trees) {
    int count = 0;
    for (int nodes = 1; nodes <= ORDER_MAX; nodes++)
        count = add_trees(trees, count, (tree){.nodes = nodes}, nodes - 1, 0);
    return count;
}

/* Elementary weight of a tree; size gets the sum of the magnitudes of its terms. */
static real elementary_weight(const costab_method *m, const tree *trees, int count, int which, real *size) {
    real inner[TREES_MAX][COSTAB_STAGES_MAX], inner_size[TREES_MAX][COSTAB_STAGES_MAX];
    for (int t = 0; t < count; t++) {
        for (int i = 0; i < m->stages; i++) {
            inner[t][i] = inner_size[t][i] = 1.0L;
            for (int k = 0; k < trees[t].children; k++) {
                real sum = 0.0L, sum_size = 0.0L;
                for (int j = 0; j < m->stages; j++) {
                    sum += (real)m->A[i][j] * inner[trees[t].child[k]][j];
                    sum_size += fabsl((real)m->A[i][j]) * inner_size[trees[t].child[k]][j];
                }
                inner[t][i] *= sum;
                inner_size[t][i] *= sum_size;
            }
        }
    }
    real weight = 0.0L;
    *size = 0.0L;
    for (int i = 0; i < m->stages; i++) {
        weight += (real)m->b[i] * inner[which][i];
        *size += fabsl((real)m->b[i]) * inner_size[which][i];
    }
    return weight;
}

TEST(test_trees_are_complete) {
    static const int expected[ORDER_MAX] = {1, 1, 2, 4, 9, 20};
    tree trees[TREES_MAX];
    int count = make_trees(trees), found[ORDER_MAX] = {0};
    for (int t = 0; t < count; t++) found[trees[t].nodes - 1]++;
    for (int n = 0; n < ORDER_MAX; n++) assert_int_equal(found[n], expected[n]);
}

/* A tree of n nodes is a sum of products of n entries, each wrong by at most 16 roundings (gauss2's entries
 * are differences of sqrt 3 / 6 and 1/4): n * 16 u times the sum of the magnitudes. A condition that does not
 * hold misses by a number of the order of the coefficients, never by less than 1e-6. */
TEST(test_order_conditions) {
    tree trees[TREES_MAX];
    int count = make_trees(trees);
    for (size_t k = 0; k < COUNT(known); k++) {
        costab_method m = method_named(known[k].name);
        assert_int_equal(m.order, known[k].order);
        bool next_fails = false;
        for (int t = 0; t < count; t++) {
            if (trees[t].nodes > m.order + 1) continue;
            real size, weight = elementary_weight(&m, trees, count, t, &size);
            real miss = fabsl(weight * (real)trees[t].gamma - 1.0L);
            if (trees[t].nodes == m.order + 1)
                next_fails = next_fails || miss > 1e-6L;
            else if (miss > 16.0L * trees[t].nodes * 0x1p-53L * size * (real)trees[t].gamma)
                fail_msg("%s: tree %d of %d nodes misses its condition by %Lg", m.name, t, trees[t].nodes,
                         miss);
        }
        check_true(next_fails, "%s: the conditions of order %d hold too", m.name, m.order + 1);
    }
}

/* ---- the table ---- */

TEST(test_table_is_the_listed_methods) {
    check_true(costab_method_count() == COUNT(known) + 1, "%d methods; known has %zu and exact: add a row",
               costab_method_count(), COUNT(known));
    for (int i = 0; i < costab_method_count(); i++) {
        const char *name = costab_method_name(i);
        bool listed = strcmp(name, "exact") == 0;
        for (size_t k = 0; k < COUNT(known); k++) listed = listed || strcmp(name, known[k].name) == 0;
        check_true(listed, "%s is not one of the named methods", name);
        assert_true(strlen(costab_method_title(i)) > 0);
        costab_method m = method_named(name);
        assert_string_equal(m.name, name);
    }
}

/* b and c as published, up to stages without weight that some tableaux carry at the end (bs3, dopri5). */
TEST(test_published_weights) {
    for (size_t k = 0; k < COUNT(known); k++) {
        costab_method m = method_named(known[k].name);
        assert_int_equal(m.kind, COSTAB_RUNGE_KUTTA);
        assert_in_range(m.stages, known[k].stages, COSTAB_STAGES_MAX);
        for (int i = 0; i < m.stages; i++) {
            if (i < known[k].stages)
                check_near(m.c[i], (real)known[k].c[i], 0x1p-51L, "%s: c[%d]", m.name, i);
            check_near(m.b[i], i < known[k].stages ? (real)known[k].b[i] : 0.0L, 0x1p-51L, "%s: b[%d]",
                       m.name, i);
        }
    }
}

TEST(test_rows_sum_to_c) {
    for (size_t k = 0; k < COUNT(known); k++) {
        costab_method m = method_named(known[k].name);
        bool implicit = false;
        for (int i = 0; i < m.stages; i++) {
            real sum = 0.0L, size = fabsl((real)m.c[i]);
            for (int j = 0; j < m.stages; j++) {
                sum += (real)m.A[i][j];
                size += fabsl((real)m.A[i][j]);
                implicit = implicit || (j >= i && m.A[i][j] != 0.0);
            }
            check_near(m.c[i], sum, 16.0L * m.stages * 0x1p-52L * size, "%s: c[%d] against A 1", m.name, i);
        }
        assert_int_equal(m.implicit, implicit);
        assert_int_equal(implicit, known[k].implicit);
    }
}

/* The stored coefficients against numerator and denominator from the powers of A; bound: 8 (s + 1) roundings
 * of the sums of the magnitudes of the products that make a coefficient. */
static void check_coefficients(const costab_method *m) {
    weight_polynomials p = bound_polynomials(m);
    real rounding = 8.0L * (m->stages + 1) * 0x1p-53L;
    for (int k = 0; k <= m->stages; k++) {
        check_near(m->denominator[k], p.denominator[k], rounding * p.denominator_size[k],
                   "%s: denominator[%d]", m->name, k);
        if (k == m->stages) continue;
        check_near(m->phi[k], p.phi[k], rounding * p.phi_size[k], "%s: phi[%d]", m->name, k);
        check_near(m->p1[k], p.p1[k], rounding * p.p1_size[k], "%s: p1[%d]", m->name, k);
        check_near(m->p0[k], p.phi[k] - p.p1[k], rounding * (p.phi_size[k] + p.p1_size[k]), "%s: p0[%d]",
                   m->name, k);
        if (!m->implicit) check_true(m->denominator[k] == (k == 0 ? 1.0 : 0.0), "%s: explicit", m->name);
    }
}

TEST(test_coefficients) {
    rng r = rng_start("coefficients");
    for (size_t k = 0; k < COUNT(known); k++) {
        costab_method m = method_named(known[k].name);
        check_coefficients(&m);
    }
    for (size_t n = 0; n < effort(200); n++) {
        bool implicit = rng_int(&r, 0, 1);
        costab_method m = method_random(&r, implicit ? rng_int(&r, 1, 5) : rng_int(&r, 1, 16), implicit);
        assert_int_equal(m.order, 0);
        check_coefficients(&m);
    }
}

/* ---- weights ---- */

/* Weights of one macro step by the definition: three unit runs of x' = z x + u. A complex equation is two
 * real ones. */
static void defined_weights(const costab_method *m, int substeps, complex_real z, complex_real *w) {
    if (m->kind == COSTAB_EXACT) {
        exact_weights e = define_exact(z);
        w[0] = e.R, w[1] = e.phi - e.p1, w[2] = e.p1;
        return;
    }
    const real A[4] = {creall(z), -cimagl(z), cimagl(z), creall(z)};
    for (int run = 0; run < 3; run++) {
        real x[2] = {run == 0, 0.0L}, u0[2] = {run == 1, 0.0L}, u1[2] = {run == 2, 0.0L};
        define_advance(m, substeps, 2, A, u0, u1, x);
        w[run] = complex_of(x[0], x[1]);
    }
}

static void near_complex(costab_complex value, complex_real expected, real bound, const char *what,
                         const costab_method *m, int substeps, complex_real z) {
    check_near(value.re, creall(expected), bound, "%s, %d substeps: Re %s at %.17Lg%+.17Lgi", m->name,
               substeps, what, creall(z), cimagl(z));
    check_near(value.im, cimagl(expected), bound, "%s, %d substeps: Im %s at %.17Lg%+.17Lgi", m->name,
               substeps, what, creall(z), cimagl(z));
}

/* Real and complex weights at z against the definition, to twice the running error bound (the definition's
 * own rounding in long double is part of the second half), and the identities among them. Skips z where
 * overflow is near. */
static void check_weights(const costab_method *m, int substeps, double re, double im) {
    complex_real z = complex_of((real)re, (real)im), w[3];
    approx_weights bound = bound_weights(m, substeps, z);
    real size = bound.R.error + bound.p0.error + bound.p1.error;
    if (!(size < 1e200L) || !(cabsl(bound.R.value) < 1e250L)) return;
    defined_weights(m, substeps, z, w);
    costab_weights_complex c = costab_method_weights_complex(m, substeps, (costab_complex){re, im});
    near_complex(c.R, w[0], 2.0L * bound.R.error, "R", m, substeps, z);
    near_complex(c.p0, w[1], 2.0L * bound.p0.error, "P0", m, substeps, z);
    near_complex(c.p1, w[2], 2.0L * bound.p1.error, "P1", m, substeps, z);
    near_complex(c.phi, w[1] + w[2], 2.0L * bound.phi.error, "phi", m, substeps, z);
    /* R = 1 + z phi, phi = P0 + P1, phi = 1 + z P1: the last because x = t solves x' = z x + 1 - z t. */
    complex_real R = complex_of((real)c.R.re, (real)c.R.im), phi = complex_of((real)c.phi.re, (real)c.phi.im);
    complex_real p0 = complex_of((real)c.p0.re, (real)c.p0.im), p1 = complex_of((real)c.p1.re, (real)c.p1.im);
    real off = bound.R.error + cabsl(z) * bound.phi.error;
    check_true(cabsl(1.0L + z * phi - R) <= 2.0L * off, "%s: R = 1 + z phi", m->name);
    off = bound.phi.error + bound.p0.error + bound.p1.error;
    check_true(cabsl(p0 + p1 - phi) <= 2.0L * off, "%s: phi = P0 + P1", m->name);
    off = bound.phi.error + cabsl(z) * bound.p1.error;
    check_true(cabsl(1.0L + z * p1 - phi) <= 2.0L * off, "%s: phi = 1 + z P1", m->name);
    if (im != 0.0) return;
    costab_weights d = costab_method_weights(m, substeps, re);
    check_near(d.R, creall(w[0]), 2.0L * bound.R.error, "%s, %d substeps: R at %.17g", m->name, substeps, re);
    check_near(d.p0, creall(w[1]), 2.0L * bound.p0.error, "%s, %d substeps: P0 at %.17g", m->name, substeps,
               re);
    check_near(d.p1, creall(w[2]), 2.0L * bound.p1.error, "%s, %d substeps: P1 at %.17g", m->name, substeps,
               re);
    check_near(d.phi, creall(w[1] + w[2]), 2.0L * bound.phi.error, "%s, %d substeps: phi at %.17g", m->name,
               substeps, re);
}

static void check_weights_everywhere(const costab_method *m, rng *r, size_t cases) {
    static const int substeps[] = {1, 2, 3, 7, 1000};
    static const double special[] = {0.0,  -0.0,  1e-300, -1e-300, 1e-9, -1e-9,
                                     1e-4, -1e-4, 0.5,    -0.5,    1.0,  -2.0};
    for (size_t i = 0; i < COUNT(substeps); i++) {
        size_t some = substeps[i] == 1000 ? (cases + 7) / 8 : cases;
        double wide = fmin(6.0 * substeps[i], 40.0);
        for (size_t n = 0; n < some; n++) {
            check_weights(m, substeps[i], rng_uniform(r, -wide, wide / 4), 0.0);
            check_weights(m, substeps[i], rng_magnitude(r, -12.0, 1.0), 0.0);
            check_weights(m, substeps[i], rng_uniform(r, -wide, wide / 4), rng_uniform(r, -wide, wide));
            check_weights(m, substeps[i], rng_magnitude(r, -8.0, 0.5), rng_magnitude(r, -8.0, 0.5));
        }
        if (substeps[i] > 7) continue;
        for (size_t n = 0; n < COUNT(special); n++) check_weights(m, substeps[i], special[n], 0.0);
    }
}

TEST(test_weights_against_definition) {
    rng r = rng_start("weights");
    for (int i = 0; i < costab_method_count(); i++) {
        costab_method m = method_named(costab_method_name(i));
        check_weights_everywhere(&m, &r, effort(20));
    }
}

TEST(test_weights_of_own_tableaux) {
    rng r = rng_start("own tableaux");
    for (size_t n = 0; n < effort(12); n++) {
        bool implicit = n % 3 == 0;
        costab_method m = method_random(&r, rng_int(&r, 1, implicit ? 4 : 16), implicit);
        check_weights_everywhere(&m, &r, 4);
    }
}

/* A map repeated: weights of 2 m micro steps follow from those of m on each half, whatever m, up to the
 * largest. */
TEST(test_many_substeps) {
    static const int halves[] = {5000, 65536, COSTAB_SUBSTEPS_MAX / 2};
    for (int i = 0; i < costab_method_count(); i++) {
        costab_method m = method_named(costab_method_name(i));
        for (size_t k = 0; k < COUNT(halves); k++) {
            double z = -3.25;
            /* A half step of z/2 from 0 to 1/2: input u0 to (u0 + u1)/2, weights halved by its length. */
            costab_weights half = costab_method_weights(&m, halves[k], z / 2), all;
            all = costab_method_weights(&m, 2 * halves[k], z);
            double p0 = (half.R * (half.p0 + half.p1 / 2) + half.p0 / 2) / 2;
            double p1 = (half.R * half.p1 / 2 + half.p0 / 2 + half.p1) / 2;
            /* A rounding a micro step, at most, of values below 1. */
            real bound = 8.0L * 2.0L * (real)halves[k] * 0x1p-53L;
            check_near(all.R, (real)half.R * (real)half.R, bound, "%s: R, %d", m.name, 2 * halves[k]);
            check_near(all.p0, (real)p0, bound, "%s: P0, %d", m.name, 2 * halves[k]);
            check_near(all.p1, (real)p1, bound, "%s: P1, %d", m.name, 2 * halves[k]);
            /* And they are the exact solver's up to the method's error, at most order 1: |z|^2/(2 m) and
             * some. */
            exact_weights e = define_exact((real)z);
            check_near(all.R, creall(e.R), 12.0L / (2.0L * (real)halves[k]) + bound, "%s: R to e^z", m.name);
        }
    }
}

TEST(test_rk4_closed_forms) {
    rng r = rng_start("rk4");
    costab_method m = method_named("rk4");
    for (size_t n = 0; n < effort(1000); n++) {
        double x = rng_uniform(&r, -6.0, 3.0);
        real z = (real)x, size = expl(fabsl(z)); /* above every sum of magnitudes here */
        real bound = 32.0L * 0x1p-53L * size;
        costab_weights w = costab_method_weights(&m, 1, x);
        check_near(w.R, 1 + z + z * z / 2 + z * z * z / 6 + z * z * z * z / 24, bound, "R");
        check_near(w.phi, 1 + z / 2 + z * z / 6 + z * z * z / 24, bound, "phi");
        check_near(w.p1, 0.5L + z / 6 + z * z / 24, bound, "P1");
        check_near(w.p0, 0.5L + z / 3 + z * z / 8 + z * z * z / 24, bound, "P0");
    }
}

/* phi = (R - 1)/z and P1 = (phi - 1)/z follow from R alone, so methods of one stability function share all
 * weights. */
TEST(test_equal_stability_functions) {
    static const char *const pairs[][2] = {
        {"heun", "midpoint"}, {"heun", "ralston"}, {"kutta3", "ssprk3"}, {"kutta3", "bs3"}, {"rk4", "rk38"}};
    rng r = rng_start("pairs");
    for (size_t k = 0; k < COUNT(pairs); k++) {
        costab_method a = method_named(pairs[k][0]), b = method_named(pairs[k][1]);
        for (size_t n = 0; n < effort(200); n++) {
            double z = rng_uniform(&r, -6.0, 3.0);
            costab_weights v = costab_method_weights(&a, 1, z), w = costab_method_weights(&b, 1, z);
            real bound = 64.0L * 0x1p-53L * expl(fabsl((real)z));
            check_near(v.R, (real)w.R, bound, "R of %s and %s at %g", a.name, b.name, z);
            check_near(v.p0, (real)w.p0, bound, "P0 of %s and %s at %g", a.name, b.name, z);
            check_near(v.p1, (real)w.p1, bound, "P1 of %s and %s at %g", a.name, b.name, z);
        }
    }
}

/* Rational R of the implicit methods, as published: numerator and denominator in ascending powers. */
TEST(test_implicit_stability_functions) {
    const double g = 1.0 - sqrt(0.5);
    const struct {
        const char *name;
        double top[3], bottom[3];
    } rational[] = {{"backward-euler", {1, 0, 0}, {1, -1, 0}},
                    {"trapezoidal", {1, 0.5, 0}, {1, -0.5, 0}},
                    {"gauss2", {1, 0.5, 1. / 12}, {1, -0.5, 1. / 12}},
                    {"radau2", {1, 1. / 3, 0}, {1, -2. / 3, 1. / 6}},
                    {"sdirk2", {1, 1 - 2 * g, 0}, {1, -2 * g, g * g}}};
    rng r = rng_start("rational");
    for (size_t k = 0; k < COUNT(rational); k++) {
        costab_method m = method_named(rational[k].name);
        const double *p = rational[k].top, *q = rational[k].bottom;
        for (size_t n = 0; n < effort(500); n++) {
            double x = -fabs(rng_magnitude(&r, -3.0, 3.0));
            real z = (real)x, expected = ((real)p[0] + z * ((real)p[1] + z * (real)p[2])) /
                                         ((real)q[0] + z * ((real)q[1] + z * (real)q[2]));
            /* For z < 0 the denominator is a sum of positive terms, the numerator at most that: |R| <= 1. */
            check_near(costab_method_weights(&m, 1, x).R, expected, 32.0L * 0x1p-53L, "%s: R(%.17g)", m.name,
                       x);
        }
    }
}

/* ---- the exact solver ---- */

/* e^z, (e^z - 1)/z and (e^z - 1 - z)/z^2 are well conditioned for z < 0 (relative condition numbers |z|, and
 * below 1), so phi and P1 are due to a few roundings, from 1e-300 to -1e300; R to |z| of them only through z,
 * which is given. */
TEST(test_exact_weights) {
    rng r = rng_start("exact");
    costab_method m = method_named("exact");
    assert_int_equal(m.kind, COSTAB_EXACT);
    for (size_t n = 0; n < effort(4000); n++) {
        double x = n % 2 ? -fabs(rng_magnitude(&r, -300.0, 300.0)) : rng_magnitude(&r, -12.0, 2.0);
        costab_weights w = costab_method_weights(&m, rng_int(&r, 1, 5), x);
        exact_weights e = define_exact((real)x);
        check_near(w.R, creall(e.R), 16.0L * 0x1p-53L * creall(e.R) + 0x1p-1074L, "R(%.17g)", x);
        check_near(w.phi, creall(e.phi), 32.0L * 0x1p-53L * creall(e.phi), "phi(%.17g)", x);
        check_near(w.p1, creall(e.p1), 64.0L * 0x1p-53L * creall(e.p1), "P1(%.17g)", x);
    }
    /* Known values: phi(1) = e - 1, P1(1) = e - 2, P1(0) = 1/2, P1(-1) = 1/e. */
    check_near(costab_method_weights(&m, 1, 1.0).phi, 1.71828182845904523536L, 4e-16L, "phi(1)");
    check_near(costab_method_weights(&m, 1, 1.0).p1, 0.71828182845904523536L, 4e-16L, "P1(1)");
    check_near(costab_method_weights(&m, 1, -1.0).p1, 0.36787944117144232160L, 2e-16L, "P1(-1)");
    check_near(costab_method_weights(&m, 1, 0.0).p1, 0.5L, 0.0L, "P1(0)");
    check_near(costab_method_weights(&m, 1, 0.0).phi, 1.0L, 0.0L, "phi(0)");
}

/* ---- refusals ---- */

static void refuse(int stages, const double *A, const double *b, const double *c, const char *what) {
    costab_method m;
    costab_error error = {COSTAB_OK, ""};
    costab_status status = costab_method_from_tableau(stages, A, b, c, &m, &error);
    check_true(status == COSTAB_INVALID, "%s is refused", what);
    assert_int_equal(error.status, COSTAB_INVALID);
    check_true(strlen(error.message) > 0, "%s: a message", what);
    assert_int_equal(costab_method_from_tableau(stages, A, b, c, &m, NULL), COSTAB_INVALID);
}

TEST(test_bad_tableaux_are_refused) {
    const double A[4] = {0, 0, 1, 0}, b[2] = {0.5, 0.5}, c[2] = {0, 1};
    costab_method m;
    check_ok(costab_method_from_tableau(2, A, b, c, &m, &why));
    refuse(2, A, (const double[]){0.5, 0.5 + 1e-9}, c, "sum b above 1");
    refuse(2, A, (const double[]){0.5, 0.5 - 1e-9}, c, "sum b below 1");
    refuse(2, A, b, (const double[]){0, 1 + 1e-9}, "c other than A 1");
    refuse(2, A, b, (const double[]){1e-9, 1}, "c[0] other than A 1");
    refuse(2, (const double[]){0, 0, (double)NAN, 0}, b, c, "NaN in A");
    refuse(2, A, (const double[]){(double)NAN, 0.5}, c, "NaN in b");
    refuse(2, A, b, (const double[]){0, (double)NAN}, "NaN in c");
    refuse(2, (const double[]){0, 0, (double)INFINITY, 0}, b, (const double[]){0, (double)INFINITY},
           "infinity");
    refuse(2, A, (const double[]){(double)INFINITY, -(double)INFINITY}, c, "infinite b");
    const double big[17 * 17] = {0}, many[17] = {1}, zero[17] = {0};
    refuse(0, big, many, zero, "no stage");
    refuse(-1, big, many, zero, "a negative number of stages");
    refuse(17, big, many, zero, "17 stages");
    check_ok(costab_method_from_tableau(16, big, many, zero, &m, &why));
    /* Within the tolerance: ten times a tenth. */
    double tenth[10], none[100] = {0};
    for (int i = 0; i < 10; i++) tenth[i] = 0.1;
    check_ok(costab_method_from_tableau(10, none, tenth, none, &m, &why));
}

TEST(test_unknown_name_lists_the_names) {
    costab_method m;
    costab_error error;
    static const char *const wrong[] = {"", "RK4", "rk", "rk44", " rk4", "heun "};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        assert_int_equal(costab_method_find(wrong[i], &m, &error), COSTAB_INVALID);
        for (int k = 0; k < costab_method_count(); k++)
            check_true(strstr(error.message, costab_method_name(k)) != NULL, "the message lists %s",
                       costab_method_name(k));
    }
}
