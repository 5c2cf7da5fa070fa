/* The planar maps against the schemes' own definitions: the stage equations solved on unit states, the
 * coupling played through, strong coupling iterated to convergence.
 *
 * Bounds: twice the running error of the formulas (support/bound.h), once for the library and once for
 * another order of the operations; the definition itself is done in long double. Classes and causes are
 * compared wherever no deciding value is within its error of 0, and the cases left out are counted. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/bound.h"
#include "support/definition.h"
#include "support/planar.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const int micro[] = {1, 2, 3, 5};

typedef struct tally {
    size_t cases, unsure, loose, iterated, class_count[4], cause_count[4];
} tally;

/* Class and cause as section 3 of the mathematics has them, from the deciding values. */
static void check_flags(const costab_planar *planar, const approx_point *bound,
                        const costab_planar_point *point, double gamma, double delta, const char *where,
                        tally *t) {
    bool sure, continuous = gamma < 0.0 && delta > 0.0;
    uint8_t cause = bound_cause(planar, bound, &sure);
    t->cases++;
    check_true(point->class_code <= COSTAB_SS, "%s: a class", where);
    check_true((point->class_code & 1) == (point->cause == 0), "%s: stable iff no cause", where);
    check_true(((point->class_code & 2) != 0) == continuous, "%s: continuous stability", where);
    if (!sure) {
        t->unsure++;
        return;
    }
    check_true(point->cause == cause, "%s: cause %d, expected %d", where, point->cause, cause);
    t->class_count[point->class_code]++;
    for (int i = 0; i < 4; i++) t->cause_count[i] += cause >> i & 1;
}

static void check_map(const costab_planar *planar, const definition *defined, double a, double gamma,
                      double delta, tally *t) {
    approx_point bound = bound_point(planar, a, gamma, delta);
    if (!(bound.trace.error < 1e100L) || !(bound.determinant.error < 1e100L)) return;
    bound.trace.error += defined->trace_rounding;
    bound.determinant.error += defined->determinant_rounding;
    costab_planar_point point = point_at(planar, a, gamma, delta);
    char where[256];
    snprintf(where, sizeof where, "%s %s %d,%d at a %.17g gamma %.17g delta %.17g",
             costab_scheme_name(planar->scheme), planar->method.name, planar->substeps[0],
             planar->substeps[1], a, gamma, delta);
    check_near(point.trace, defined->trace, 2.0L * bound.trace.error, "trace, %s", where);
    check_near(point.determinant, defined->determinant, 2.0L * bound.determinant.error, "determinant, %s",
               where);
    real radius = define_spectral_radius(defined->trace, defined->determinant);
    check_near(point.spectral_radius, radius, 2.0L * bound_spectral_radius(&bound), "spectral radius, %s",
               where);
    if (planar->scheme == COSTAB_STRONG)
        check_near(point.iteration_radius, defined->iteration_radius, 2.0L * bound.iteration_radius.error,
                   "iteration radius, %s", where);
    else
        check_true(isnan(point.iteration_radius), "no iteration radius, %s", where);
    /* The deciding values of the bound are the definition's: the two derivations agree. */
    real fold = 1.0L - defined->trace + defined->determinant;
    if (fabsl(fold - approx_value(bound.fold)) >
        bound.trace.error + bound.determinant.error + bound.fold.error)
        fail_msg("fold, %s", where);
    check_flags(planar, &bound, &point, gamma, delta, where, t);
    t->iterated += defined->iterated;
    t->loose += bound.trace.error > 1e-11L * fmaxl(1.0L, fabsl(defined->trace)) ||
                bound.determinant.error > 1e-11L * fmaxl(1.0L, fabsl(defined->determinant));
}

/* Dyadic a, b, c, d, so that a, Gamma, Delta are exact and w = bc is known twice. */
static void check_random_system(const costab_planar *planar, rng *r, tally *t) {
    double a = rng_dyadic(r, 4, 18), b = rng_dyadic(r, 4, 10), c = rng_dyadic(r, 4, 10),
           d = rng_dyadic(r, 4, 18);
    definition defined = define_planar(planar, (real)a, (real)b, (real)c, (real)d);
    check_map(planar, &defined, a, a + d, a * d - b * c, t);
}

/* A point of the chart; near the stable region most of the time. */
static void check_random_point(const costab_planar *planar, rng *r, tally *t) {
    double a = rng_uniform(r, -4.0, 3.0), gamma = rng_uniform(r, -6.0, 1.0),
           delta = rng_uniform(r, -2.0, 10.0);
    switch (rng_int(r, 0, 9)) {
    case 0:
        gamma = a;
        break; /* d = 0 */
    case 1:
        a = rng_magnitude(r, -9.0, 0.0);
        break;
    case 2:
        delta = rng_magnitude(r, -9.0, 1.0);
        break;
    case 3: /* far out, where the implicit methods are still stable */
        if (!planar->method.implicit) break;
        gamma = -fabs(rng_magnitude(r, -3.0, 4.0));
        delta = fabs(rng_magnitude(r, -3.0, 6.0));
        break;
    default:
        break;
    }
    definition defined = define_point(planar, a, gamma, delta);
    check_map(planar, &defined, a, gamma, delta, t);
}

static void check_method(const costab_method *method, rng *r, size_t cases, tally *t) {
    for (costab_scheme scheme = 0; scheme < COSTAB_SCHEME_COUNT; scheme++) {
        for (size_t i = 0; i < COUNT(micro) * COUNT(micro); i++) {
            int na = micro[i / COUNT(micro)], nd = micro[i % COUNT(micro)];
            if (scheme == COSTAB_SIMULATION && na != nd) continue;
            costab_planar planar = planar_of(scheme, method, na, nd);
            for (size_t n = 0; n < cases; n++) {
                check_random_system(&planar, r, t);
                check_random_point(&planar, r, t);
            }
        }
    }
}

static void report(const char *what, const tally *t) {
    print_message("# %s: %zu cases, %zu too near a boundary, %zu bounds above 1e-11, %zu iterated; UU US SU "
                  "SS %zu %zu %zu %zu; det fold flip iteration %zu %zu %zu %zu\n",
                  what, t->cases, t->unsure, t->loose, t->iterated, t->class_count[0], t->class_count[1],
                  t->class_count[2], t->class_count[3], t->cause_count[0], t->cause_count[1],
                  t->cause_count[2], t->cause_count[3]);
    assert_true(t->unsure * 100 <= t->cases);
    assert_true(t->loose * 20 <= t->cases);
    for (int i = 0; i < 4; i++) assert_true(t->cause_count[i] > 0);
    assert_true(t->class_count[COSTAB_SS] > t->cases / 50 && t->class_count[COSTAB_SU] > t->cases / 50);
}

TEST(test_named_methods) {
    rng r = rng_start("named methods");
    tally t = {0};
    for (int i = 0; i < costab_method_count(); i++) {
        costab_method method = method_named(costab_method_name(i));
        check_method(&method, &r, effort(2), &t);
    }
    report("named methods", &t);
    assert_true(t.class_count[COSTAB_US] > 0 && t.iterated > t.cases / 20);
}

TEST(test_own_tableaux) {
    rng r = rng_start("own tableaux");
    tally t = {0};
    for (size_t n = 0; n < effort(4); n++) {
        bool implicit = n % 4 == 0;
        costab_method method = method_random(&r, rng_int(&r, 1, implicit ? 3 : 7), implicit);
        check_method(&method, &r, 1, &t);
    }
    report("own tableaux", &t);
}

/* ---- the map itself ---- */

static approx times(double factor, approx a) {
    return approx_multiply(approx_of((real)factor), a);
}

/* D of a co-simulation scheme with its running error; [a b; c d] as given. */
static void bound_map(const costab_planar *planar, const double *system, approx D[4]) {
    approx_weights A = bound_weights(&planar->method, planar->substeps[0], (real)system[0]);
    approx_weights E = bound_weights(&planar->method, planar->substeps[1], (real)system[3]);
    approx bp1 = times(system[1], A.p1), cp1 = times(system[2], E.p1);
    D[0] = A.R;
    D[1] = times(system[1], A.phi);
    D[2] = times(system[2], E.phi);
    D[3] = E.R;
    if (planar->scheme == COSTAB_ZIGZAG) {
        D[2] = approx_add(times(system[2], E.p0), approx_multiply(cp1, D[0]));
        D[3] = approx_add(D[3], approx_multiply(cp1, D[1]));
    } else if (planar->scheme == COSTAB_STRONG) { /* (I - M)^-1 N */
        approx K = approx_subtract(approx_of(1.0L), approx_multiply(bp1, cp1));
        approx n01 = times(system[1], A.p0), n10 = times(system[2], E.p0);
        D[0] = approx_divide(approx_add(A.R, approx_multiply(bp1, n10)), K);
        D[1] = approx_divide(approx_add(n01, approx_multiply(bp1, E.R)), K);
        D[2] = approx_divide(approx_add(n10, approx_multiply(cp1, A.R)), K);
        D[3] = approx_divide(approx_add(E.R, approx_multiply(cp1, n01)), K);
    }
}

/* The simulation of an explicit method: D is a polynomial in A, whose rounding is below that of the same
 * polynomial with all signs positive, which the method with the magnitudes of its coefficients makes of the
 * magnitudes of A. */
static void majorant(const costab_planar *planar, const double *system, approx D[4]) {
    costab_planar positive = *planar;
    for (int i = 0; i < positive.method.stages; i++) {
        positive.method.b[i] = fabs(positive.method.b[i]);
        for (int j = 0; j < positive.method.stages; j++)
            positive.method.A[i][j] = fabs(positive.method.A[i][j]);
    }
    definition size = define_planar(&positive, fabsl((real)system[0]), fabsl((real)system[1]),
                                    fabsl((real)system[2]), fabsl((real)system[3]));
    real operations = 4.0L * positive.method.stages * planar->substeps[0];
    for (int k = 0; k < 4; k++) D[k] = approx_rounded(0.0L, size.D[k / 2][k % 2], operations);
}

TEST(test_map_entries) {
    rng r = rng_start("map entries");
    for (int i = 0; i < costab_method_count(); i++) {
        costab_method method = method_named(costab_method_name(i));
        for (costab_scheme scheme = 0; scheme < COSTAB_SCHEME_COUNT; scheme++) {
            bool monolithic = scheme == COSTAB_SIMULATION;
            if (monolithic && (method.implicit || method.kind == COSTAB_EXACT)) continue;
            for (size_t n = 0; n < effort(10); n++) {
                int na = micro[n % 4], nd = monolithic ? na : micro[n / 4 % 4];
                costab_planar planar = planar_of(scheme, &method, na, nd);
                double system[4], map[4];
                for (int k = 0; k < 4; k++) system[k] = n % 9 == (size_t)k ? 0.0 : rng_uniform(&r, -3.0, 2.0);
                definition d = define_planar(&planar, (real)system[0], (real)system[1], (real)system[2],
                                             (real)system[3]);
                approx bound[4];
                if (monolithic)
                    majorant(&planar, system, bound);
                else
                    bound_map(&planar, system, bound);
                costab_planar_map(&planar, system, map);
                for (int k = 0; k < 4; k++)
                    check_near(map[k], d.D[k / 2][k % 2], 2.0L * bound[k].error,
                               "%s %s %d,%d: entry %d of [%.17g %.17g; %.17g %.17g]",
                               costab_scheme_name(scheme), method.name, na, nd, k, system[0], system[1],
                               system[2], system[3]);
            }
        }
    }
}

/* Only bc counts: b and c scaled against each other leave the invariants of D, and a <-> d with the roles of
 * the subsystems swapped leaves those of cross and strong. */
TEST(test_symmetries) {
    rng r = rng_start("symmetries");
    costab_method method = method_named("rk4");
    static const costab_scheme schemes[] = {COSTAB_CROSS, COSTAB_STRONG};
    for (size_t n = 0; n < effort(1000); n++) {
        costab_scheme scheme = schemes[n % 2];
        int na = micro[rng_int(&r, 0, 3)], nd = micro[rng_int(&r, 0, 3)];
        costab_planar one = planar_of(scheme, &method, na, nd), other = planar_of(scheme, &method, nd, na);
        double a = rng_dyadic(&r, 3, 20), d = rng_dyadic(&r, 3, 20), delta = rng_dyadic(&r, 8, 20);
        costab_planar_point p = point_at(&one, a, a + d, delta), q = point_at(&other, d, a + d, delta);
        approx_point bound = bound_point(&one, a, a + d, delta);
        check_near(p.trace, (real)q.trace, 2.0L * bound.trace.error, "trace at a %g d %g", a, d);
        check_near(p.determinant, (real)q.determinant, 2.0L * bound.determinant.error, "det at a %g d %g", a,
                   d);
    }
}

/* The simulation depends on Gamma and Delta alone: not a bit changes with a. */
TEST(test_simulation_ignores_a) {
    rng r = rng_start("simulation and a");
    for (int i = 0; i < costab_method_count(); i++) {
        costab_method method = method_named(costab_method_name(i));
        costab_planar planar = planar_of(COSTAB_SIMULATION, &method, 1 + i % 3, 1 + i % 3);
        for (size_t n = 0; n < effort(50); n++) {
            double gamma = rng_uniform(&r, -6.0, 1.0), delta = rng_uniform(&r, -2.0, 10.0);
            costab_planar_point p = point_at(&planar, 0.0, gamma, delta);
            costab_planar_point q = point_at(&planar, rng_magnitude(&r, -3.0, 9.0), gamma, delta);
            assert_memory_equal(&p.trace, &q.trace, sizeof p.trace);
            assert_memory_equal(&p.determinant, &q.determinant, sizeof p.determinant);
            assert_int_equal(p.class_code, q.class_code);
            assert_int_equal(p.cause, q.cause);
        }
    }
}

/* A batch is its points, one by one, bit for bit. */
TEST(test_batches) {
    rng r = rng_start("batches");
    enum { N = 37 };
    for (int i = 0; i < costab_method_count(); i++) {
        costab_method method = method_named(costab_method_name(i));
        for (costab_scheme scheme = 0; scheme < COSTAB_SCHEME_COUNT; scheme++) {
            costab_planar planar = planar_of(scheme, &method, 2, scheme == COSTAB_SIMULATION ? 2 : 3);
            double a[N], gamma[N], delta[N];
            costab_planar_point batch[N];
            for (int k = 0; k < N; k++) {
                a[k] = k % 5 ? rng_uniform(&r, -3.0, 3.0) : (k ? a[k - 1] : 0.0);
                gamma[k] = rng_uniform(&r, -6.0, 1.0);
                delta[k] = rng_uniform(&r, -2.0, 10.0);
            }
            costab_planar_points(&planar, N, a, gamma, delta, batch);
            for (int k = 0; k < N; k++) {
                costab_planar_point p = point_at(&planar, a[k], gamma[k], delta[k]);
                assert_memory_equal(&p.trace, &batch[k].trace, sizeof p.trace);
                assert_memory_equal(&p.determinant, &batch[k].determinant, sizeof p.determinant);
                assert_memory_equal(&p.spectral_radius, &batch[k].spectral_radius, sizeof p.spectral_radius);
                assert_int_equal(p.class_code, batch[k].class_code);
                assert_int_equal(p.cause, batch[k].cause);
            }
            costab_planar_points(&planar, 0, a, gamma, delta, batch);
        }
    }
}

/* ---- boundaries and extremes ---- */

/* 1 - Tr + Det = Delta phi_a phi_d (over K > 0 where the iteration contracts), and Delta det phi(A) for the
 * simulation: in the product form its sign is the sign of Delta down to the smallest numbers. Near
 * Delta = 0, with a and d in
 * (-1, 0), every phi is positive and every other condition holds for all methods, so that the class is known.
 */
TEST(test_sign_of_delta) {
    rng r = rng_start("sign of delta");
    for (int i = 0; i < costab_method_count(); i++) {
        costab_method method = method_named(costab_method_name(i));
        for (costab_scheme scheme = 0; scheme < COSTAB_SCHEME_COUNT; scheme++) {
            costab_planar planar = planar_of(scheme, &method, 1 + i % 2, 1 + i % 2);
            for (size_t n = 0; n < effort(10); n++) {
                double a = rng_uniform(&r, -0.9, -0.1), gamma = a + rng_uniform(&r, -0.9, -0.1);
                double tiny = fabs(rng_magnitude(&r, -323.0, -9.0));
                costab_planar_point up = point_at(&planar, a, gamma, tiny),
                                    on = point_at(&planar, a, gamma, 0.0);
                costab_planar_point down = point_at(&planar, a, gamma, -tiny);
                const char *name = costab_scheme_name(scheme);
                check_true(up.class_code == COSTAB_SS && up.cause == 0,
                           "%s %s: SS at a %.17g gamma %.17g delta %g", name, method.name, a, gamma, tiny);
                check_true(on.class_code == COSTAB_UU && on.cause == COSTAB_CAUSE_FOLD,
                           "%s %s: UU on Delta = 0", name, method.name);
                check_true(down.class_code == COSTAB_UU && down.cause == COSTAB_CAUSE_FOLD,
                           "%s %s: UU at a %.17g gamma %.17g delta %g", name, method.name, a, gamma, -tiny);
                costab_planar_point minus = point_at(&planar, a, gamma, -0.0);
                assert_int_equal(minus.class_code, on.class_code);
                assert_int_equal(minus.cause, on.cause);
            }
        }
    }
}

/* Delta = 0 and Gamma = 0 are never continuously stable, and Delta = 0 never discretely, whatever else; the
 * sign of a zero does not matter. */
TEST(test_exact_boundaries) {
    rng r = rng_start("boundaries");
    for (int i = 0; i < costab_method_count(); i++) {
        costab_method method = method_named(costab_method_name(i));
        for (costab_scheme scheme = 0; scheme < COSTAB_SCHEME_COUNT; scheme++) {
            costab_planar planar = planar_of(scheme, &method, 1, 1);
            for (size_t n = 0; n < effort(20); n++) {
                double a = rng_uniform(&r, -4.0, 3.0), gamma = rng_uniform(&r, -6.0, 1.0);
                double delta = rng_uniform(&r, 0.0, 8.0);
                costab_planar_point p = point_at(&planar, a, gamma, n % 2 ? 0.0 : -0.0);
                assert_int_equal(p.class_code, COSTAB_UU);
                check_true(p.cause & COSTAB_CAUSE_FOLD, "%s %s: fold on Delta = 0 at a %.17g gamma %.17g",
                           costab_scheme_name(scheme), method.name, a, gamma);
                p = point_at(&planar, a, 0.0, delta);
                assert_int_equal(p.class_code & 2, 0);
                costab_planar_point q = point_at(&planar, a, -0.0, delta);
                assert_int_equal(p.class_code, q.class_code);
                assert_int_equal(p.cause, q.cause);
                p = point_at(&planar, 0.0, gamma, delta);
                q = point_at(&planar, -0.0, gamma, delta);
                assert_int_equal(p.class_code, q.class_code);
                assert_int_equal(p.cause, q.cause);
            }
        }
    }
}

/* Explicit methods are unstable far out: every class there ends in U with a cause, overflow or not. Far out
 * along Gamma or a alone, and along Delta at an a and Gamma at which no pole of the bounds is near. */
TEST(test_huge_values_are_unstable) {
    static const double huge[] = {1e20, 1e75, 1e150, 1e155, 1e300, 1.7e308};
    rng r = rng_start("huge values");
    size_t first = 0;
    for (int i = 0; i < costab_method_count(); i++) {
        costab_method method = method_named(costab_method_name(i));
        for (costab_scheme scheme = 0; scheme < COSTAB_SCHEME_COUNT; scheme++) {
            for (int m = 1; m <= 3; m++) {
                costab_planar planar = planar_of(scheme, &method, m, m);
                for (size_t n = first++ % effort_stride(10); n < COUNT(huge) * 27; n += effort_stride(10)) {
                    double value[3] = {-0.5, -1.25, 1.5};
                    int pick = (int)n % 27, big = 0;
                    for (int k = 0; k < 3; k++, pick /= 3) {
                        if (pick % 3 == 0) continue;
                        value[k] = pick % 3 == 1 ? huge[n / 27] : -huge[n / 27];
                        if (n % 2) value[k] *= rng_uniform(&r, 0.5, 1.0);
                        big |= k > 0 || scheme != COSTAB_SIMULATION;
                    }
                    costab_planar_point p = point_at(&planar, value[0], value[1], value[2]);
                    const char *name = costab_scheme_name(scheme);
                    check_true(p.class_code <= COSTAB_SS && (p.class_code & 1) == (p.cause == 0),
                               "%s %s at %g %g %g: class %d, cause %d", name, method.name, value[0], value[1],
                               value[2], p.class_code, p.cause);
                    check_true(((p.class_code & 2) != 0) == (value[1] < 0 && value[2] > 0), "continuous");
                    if (!big || method.implicit || method.kind == COSTAB_EXACT) continue;
                    check_true(p.cause != 0, "%s %s, %d substeps, at %g %g %g: stable", name, method.name, m,
                               value[0], value[1], value[2]);
                }
            }
        }
    }
}

/* e^z is inside the unit circle exactly where z is in the left half plane: the exact simulation is SS or UU,
 * however far out. */
TEST(test_exact_simulation) {
    rng r = rng_start("exact simulation");
    costab_method method = method_named("exact");
    for (size_t n = 0; n < effort(160); n++) {
        costab_planar planar = planar_of(COSTAB_SIMULATION, &method, 1 + (int)n % 3, 1 + (int)n % 3);
        double span = n % 2 ? 300.0 : 1.5;
        double gamma = rng_magnitude(&r, -span, span), delta = rng_magnitude(&r, -span, span);
        costab_planar_point p = point_at(&planar, 0.0, gamma, delta);
        check_true(p.class_code == (gamma < 0 && delta > 0 ? COSTAB_SS : COSTAB_UU), "at %.17g %.17g", gamma,
                   delta);
    }
}

/* Its determinant is e^Gamma, infinite beyond the largest double, even where the square of the larger
 * eigenvalue has a thousand bits more. */
TEST(test_determinant_of_the_exact_simulation) {
    static const double gamma[] = {-700, 300, 709, 710, 800, 3000}, delta[] = {-1e4, 1, 1e3, 1e6};
    costab_method method = method_named("exact");
    costab_planar planar = planar_of(COSTAB_SIMULATION, &method, 1, 1);
    for (size_t n = 0; n < COUNT(gamma) * COUNT(delta); n++) {
        double g = gamma[n % COUNT(gamma)], d = delta[n / COUNT(gamma)], expected = exp(g);
        double found = point_at(&planar, 0, g, d).determinant;
        check_true(found == expected || fabs(found - expected) <= 5e-12 * expected,
                   "determinant at %g %g: %g, e^Gamma is %g", g, d, found, expected);
    }
}

/* Denormal coordinates: nothing traps, the continuous class is exact, and Delta = 0 stays the boundary. */
TEST(test_denormals) {
    static const double tiny[] = {5e-324, 1e-310, 2.2250738585072014e-308};
    for (int i = 0; i < costab_method_count(); i++) {
        costab_method method = method_named(costab_method_name(i));
        for (costab_scheme scheme = 0; scheme < COSTAB_SCHEME_COUNT; scheme++) {
            costab_planar planar = planar_of(scheme, &method, 2, 2);
            for (size_t k = 0; k < COUNT(tiny); k++) {
                costab_planar_point p = point_at(&planar, tiny[k], -tiny[k], tiny[k]);
                assert_int_equal(p.class_code & 2, 2);
                p = point_at(&planar, -0.5, -1.0, -tiny[k]);
                assert_int_equal(p.class_code, COSTAB_UU);
                p = point_at(&planar, -0.5, -1.0, tiny[k]);
                assert_int_equal(p.class_code & 2, 2);
                p = point_at(&planar, -0.5, tiny[k], 1.0);
                assert_int_equal(p.class_code & 2, 0);
                check_near(p.trace, (real)point_at(&planar, -0.5, 0.0, 1.0).trace, 0x1p-50L,
                           "trace beside 0");
            }
        }
    }
}

TEST(test_bad_settings_are_refused) {
    costab_method method = method_named("rk4");
    costab_planar planar;
    costab_error error;
    static const int bad[][2] = {{0, 1}, {1, 0}, {-1, 1}, {1, COSTAB_SUBSTEPS_MAX + 1}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(costab_planar_init(&planar, COSTAB_CROSS, &method, bad[i][0], bad[i][1], &error),
                         COSTAB_INVALID);
        assert_true(strlen(error.message) > 0);
    }
    assert_int_equal(costab_planar_init(&planar, COSTAB_SIMULATION, &method, 1, 2, &error), COSTAB_INVALID);
    assert_int_equal(costab_planar_init(&planar, COSTAB_SCHEME_COUNT, &method, 1, 1, &error), COSTAB_INVALID);
}

TEST(test_names) {
    static const char *const names[][2] = {{"simulation", "monolithic"},
                                           {"cross", "jacobi"},
                                           {"zigzag", "gauss-seidel-linear"},
                                           {"strong", "iterated-linear"}};
    costab_scheme scheme;
    for (costab_scheme i = 0; i < COSTAB_SCHEME_COUNT; i++) {
        assert_string_equal(costab_scheme_name(i), names[i][0]);
        for (int k = 0; k < 2; k++) {
            check_ok(costab_scheme_find(names[i][k], &scheme, &why));
            assert_int_equal(scheme, i);
        }
    }
    assert_null(costab_scheme_name(COSTAB_SCHEME_COUNT));
    assert_int_equal(costab_scheme_find("Cross", &scheme, &why), COSTAB_INVALID);
    assert_string_equal(costab_class_name(COSTAB_US), "US");
    assert_string_equal(costab_class_name(COSTAB_SU), "SU");
    assert_string_equal(costab_class_name(COSTAB_CLASS_FAILED), "failed");
    assert_null(costab_class_name(5));
}
