/* The planar system as a network of two scalar subsystems (and, for the simulation, of one with two states)
 * against the planar module: trace, determinant, radii and class at random points, for every scheme, method
 * and number of micro steps.
 *
 * Bound: both paths round differently by at most the running error of the formulas (support/bound.h); the
 * determinant is taken from the map's entries, which adds their rounding times the size of the products. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "support/bound.h"
#include "support/network_model.h"

static const int micro[] = {1, 2, 3, 7, 40};
enum { MICRO = (int)(sizeof micro / sizeof micro[0]) };

static void as_network(model *m, const costab_planar *planar, double a, double gamma, double delta) {
    double d = gamma - a, w = a * d - delta;
    model_start(m);
    if (planar->scheme == COSTAB_SIMULATION) {
        model_add(m, 2, 0, 0, "exact", planar->substeps[0], 0);
        double b = sqrt(fabs(w) + 1), A[4] = {a, b, w / b, d};
        memcpy(m->A[0], A, sizeof A);
        m->subsystems[0].method = planar->method;
        return;
    }
    model_scalar(m, a, 1, 1, "exact", planar->substeps[0], 0);
    model_scalar(m, d, w, 1, "exact", planar->substeps[1], 0);
    m->subsystems[0].method = m->subsystems[1].method = planar->method;
    model_connect(m, 1, 0, 0, 0, 1, 0);
    model_connect(m, 0, 0, 1, 0, 1, 0);
}

static costab_coupling coupling_of(costab_scheme scheme) {
    costab_coupling coupling = {.macro_step = 1, .interpolation = COSTAB_LINEAR};
    if (scheme == COSTAB_ZIGZAG) coupling.scheme = COSTAB_GAUSS_SEIDEL;
    if (scheme == COSTAB_STRONG) coupling.scheme = COSTAB_ITERATED;
    return coupling;
}

/* How well a subsystem's weights can be had: near a pole of R a rounding of z is a large one of the weights.
 */
static real conditioning(const costab_method *method, int substeps, double z) {
    approx_weights w = bound_weights(method, substeps, z);
    const approx *all[] = {&w.R, &w.phi, &w.p0, &w.p1};
    real error = 0, size = 0;
    for (int i = 0; i < 4; i++) {
        error = fmaxl(error, all[i]->error);
        size = fmaxl(size, fabsl(approx_value(*all[i])));
    }
    return error / size;
}

/* The error of the rows of the strong map: guesses w = (I - M)^-1 b with the rounding of b, then one sweep
 * with them: x' = R x + P0 y + P1 w, term by term. */
static void strong_rows(const costab_planar *planar, double a, double d, double w, const double *map,
                        real relative, real *row) {
    costab_weights A = costab_method_weights(&planar->method, planar->substeps[0], a);
    costab_weights D = costab_method_weights(&planar->method, planar->substeps[1], d);
    real p1a = fabsl((real)A.p1), p1d = fabsl((real)w * D.p1), K = fabsl(1 - (real)w * A.p1 * D.p1);
    real size0 = fmaxl(fabsl((real)map[0]), fabsl((real)map[1]));
    real size1 = fmaxl(fabsl((real)map[2]), fabsl((real)map[3]));
    real e0 = relative * (fabsl((real)A.R) + fabsl((real)A.p0) + p1a * size1);
    real e1 = relative * (fabsl((real)D.R) + fabsl((real)w * D.p0) + p1d * size0);
    row[0] = e0 + p1a * (p1d * e0 + e1) / K;
    row[1] = e1 + p1d * (e0 + p1a * e1) / K;
}

/* A bound of an entry of R(A)^m, with ||A|| in its place and no cancellation; e^||A|| for the exact
 * solver. */
static real majorant(const costab_planar *planar, double a, double d, double w) {
    real norm = fmaxl(fabsl((real)a), fabsl((real)d)) + sqrtl(fabsl((real)w) + 1),
         z = norm / planar->substeps[0];
    if (planar->method.kind == COSTAB_EXACT) return expl(norm);
    real sum = 0;
    for (int k = planar->method.stages - 1; k >= 0; k--) sum = sum * z + fabsl((real)planar->method.phi[k]);
    return powl(1 + z * sum, planar->substeps[0]);
}

typedef struct tally {
    size_t points, sure, class_count[4];
} tally;

static void compare(costab_network_work *work, const costab_planar *planar, double a, double gamma,
                    double delta, tally *t) {
    model m;
    costab_planar_point point;
    costab_planar_points(planar, 1, &a, &gamma, &delta, &point);
    as_network(&m, planar, a, gamma, delta);
    costab_coupling coupling = coupling_of(planar->scheme);
    costab_network_point found = model_analyse(work, &m, &coupling);
    const double *map, *imaginary;
    costab_network_matrix(work, &map, &imaginary);
    assert_int_equal(found.size, 2);

    char where[200];
    snprintf(where, sizeof where, "%s %s %d,%d at a %.17g gamma %.17g delta %.17g",
             costab_scheme_name(planar->scheme), planar->method.name, planar->substeps[0],
             planar->substeps[1], a, gamma, delta);
    approx_point bound = bound_point(planar, a, gamma, delta);
    if (!(bound.trace.error < 1e100L) || !(bound.determinant.error < 1e100L)) return;
    /* Micro steps are squared here and powers there; the running error has one order of them. */
    real micro_steps = (real)(planar->substeps[0] + planar->substeps[1]);
    real relative = 64 * micro_steps * (real)DBL_EPSILON;
    if (planar->scheme != COSTAB_SIMULATION)
        relative += 4 * (conditioning(&planar->method, planar->substeps[0], a) +
                         conditioning(&planar->method, planar->substeps[1], gamma - a));
    real products = fabsl((real)map[0] * map[3]) + fabsl((real)map[1] * map[2]);
    real trace = (real)map[0] + map[3], determinant = (real)map[0] * map[3] - (real)map[1] * map[2];
    real trace_bound = 4 * bound.trace.error + relative * (fabsl((real)map[0]) + fabsl((real)map[3]));
    real determinant_bound = 4 * bound.determinant.error + relative * products;
    if (planar->scheme == COSTAB_STRONG) {
        check_near(found.iteration_radius, point.iteration_radius,
                   relative * (real)point.iteration_radius + 4 * bound.iteration_radius.error,
                   "iteration radius, %s", where);
        real row[2];
        strong_rows(planar, a, gamma - a, a * (gamma - a) - delta, map, relative, row);
        trace_bound += row[0] + row[1];
        determinant_bound += row[0] * (fabsl((real)map[2]) + fabsl((real)map[3])) +
                             row[1] * (fabsl((real)map[0]) + fabsl((real)map[1]));
    }
    if (planar->scheme == COSTAB_SIMULATION) {
        if (planar->method.implicit) return;
        real entry = relative * majorant(planar, a, gamma - a, a * (gamma - a) - delta);
        trace_bound += 2 * entry;
        determinant_bound +=
            entry * (fabsl((real)map[0]) + fabsl((real)map[1]) + fabsl((real)map[2]) + fabsl((real)map[3]));
    }
    check_near((double)trace, point.trace, trace_bound, "trace, %s", where);
    check_near((double)determinant, point.determinant, determinant_bound, "determinant, %s", where);
    t->points++;
    bool sure;
    (void)bound_cause(planar, &bound, &sure);
    bool rounding = fabs(found.spectral_radius - 1) > 4 * found.rounding + 1e-7 &&
                    fabs(found.spectral_abscissa) > found.abscissa_rounding;
    if (!sure || !rounding) return;
    check_true(found.class_code == point.class_code, "class %d, expected %d, %s", found.class_code,
               point.class_code, where);
    t->sure++;
    t->class_count[point.class_code & 3]++;
}

TEST(test_all) {
    rng r = rng_start("planar network");
    costab_network_work *work = work_open();
    tally t = {0};
    size_t cases = effort(150);
    for (size_t i = 0; i < cases; i++) {
        double a = rng_uniform(&r, -4, 4), gamma = rng_uniform(&r, -7, 3), delta = rng_uniform(&r, -4, 18);
        for (int s = 0; s < COSTAB_SCHEME_COUNT; s++)
            for (int k = 0; k < costab_method_count(); k++) {
                costab_method method = method_named(costab_method_name(k));
                costab_planar planar;
                int first = micro[rng_int(&r, 0, MICRO - 1)], second = micro[rng_int(&r, 0, MICRO - 1)];
                if (s == COSTAB_SIMULATION) second = first;
                check_ok(costab_planar_init(&planar, (costab_scheme)s, &method, first, second, &why));
                compare(work, &planar, a, gamma, delta, &t);
            }
    }
    costab_network_work_destroy(&work);
    print_message("# %zu comparisons, %zu with classes: UU %zu, US %zu, SU %zu, SS %zu\n", t.points, t.sure,
                  t.class_count[0], t.class_count[1], t.class_count[2], t.class_count[3]);
    assert_true(t.points > cases * 4 * (size_t)costab_method_count() * 8 / 10);
    assert_true(t.sure > t.points * 9 / 10);
    for (int i = 0; i < 4; i++) assert_true(t.class_count[i] >= effort_least(10));
}
