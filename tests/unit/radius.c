/* Distances from instability: the radius of a map against dense samples of its least singular value, and the
 * factors of a connection against closed forms of two scalar subsystems. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#define lapack_complex_double double complex
#define lapack_complex_float  float complex
#include <lapacke.h>

#include "costab/limit.h"
#include "limit/limit.h"
#include "network_model.h"

enum { SIZE_MAX_HERE = 7, SAMPLES = 4000 };

/* Of e^(i angle) I - M as a real matrix of twice the size: OpenBLAS 0.3.21 reads beyond complex ones. */
static double least_singular(int n, const double *map, double angle) {
    enum { SIDE = 2 * SIZE_MAX_HERE };
    double shifted[SIDE * SIDE], values[SIDE], rest[SIDE];
    int size = 2 * n;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            bool same = i / n == j / n, diagonal = i % n == j % n;
            double across = i < n ? -sin(angle) : sin(angle);
            shifted[i * size + j] = same       ? (diagonal ? cos(angle) : 0) - map[i % n * n + j % n]
                                    : diagonal ? across
                                               : 0;
        }
    assert_int_equal(
        LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', size, size, shifted, size, values, NULL, 1, NULL, 1, rest),
        0);
    return values[size - 1];
}

static double spectral_radius(int n, const double *map) {
    double copy[SIZE_MAX_HERE * SIZE_MAX_HERE], re[SIZE_MAX_HERE], im[SIZE_MAX_HERE], most = 0;
    memcpy(copy, map, (size_t)(n * n) * sizeof *map);
    assert_int_equal(LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', n, copy, n, re, im, NULL, 1, NULL, 1), 0);
    for (int i = 0; i < n; i++) most = fmax(most, hypot(re[i], im[i]));
    return most;
}

/* The least singular value changes by no more than z does, so that samples are no more than half a distance
 * above the minimum. */
TEST(radius_is_the_least_of_all_samples) {
    rng r = rng_start("radius_is_the_least_of_all_samples");
    (void)state;
    for (size_t k = 0; k < effort(10); k++) {
        double map[SIZE_MAX_HERE * SIZE_MAX_HERE], radius, turn, sampled = (double)INFINITY;
        int n = rng_int(&r, 1, SIZE_MAX_HERE);
        for (int e = 0; e < n * n; e++) map[e] = rng_uniform(&r, -1, 1);
        double scale = rng_uniform(&r, 0.9, 0.9999) / spectral_radius(n, map);
        for (int e = 0; e < n * n; e++) map[e] *= scale;
        check_ok(stability_radius(n, map, false, &radius, &turn, &why));
        for (int i = 0; i <= SAMPLES; i++)
            sampled = fmin(sampled, least_singular(n, map, acos(-1) * i / SAMPLES));
        check_true(radius <= sampled * (1 + 1e-12), "radius %.17g above a sample %.17g", radius, sampled);
        check_true(radius >= sampled - acos(-1) / SAMPLES / 2, "radius %.17g far below %.17g", radius,
                   sampled);
        check_near(least_singular(n, map, turn), radius, 1e-13, "the radius is attained at its angle");
    }
}

TEST(unstable_maps_have_none) {
    const double map[] = {1.5, 0, 3, 0.5}, normal[] = {0.25, 0, 0, -0.5};
    double radius, turn;
    (void)state;
    check_ok(stability_radius(2, map, false, &radius, &turn, &why));
    check_near(radius, 0, 0, "radius of an unstable map");
    check_true(isnan(turn), "it has no angle");
    check_ok(stability_radius(2, normal, true, &radius, &turn, &why));
    check_near(radius, 0.5L, 1e-15L, "a normal map is as far as its spectral radius");
    check_near(turn, acosl(-1), 1e-7L, "at -1");
}

/* ---- Loops ---- */

typedef struct ring {
    model parts;
    costab_network_work *work;
    costab_coupling coupling;
    double gain;
} ring;

static costab_status ring_at(void *context, double value, unsigned wanted, costab_family_point *point,
                             costab_error *error) {
    ring *two = context;
    two->parts.connections[0].gain = two->gain * value;
    return network_family_point(two->work, &two->parts.network, &two->coupling, wanted, point, error);
}

/* With x1' = a x1 + u1, x2' = d x2 + u2 solved exactly and inputs held, E = e^(aH), F = (e^(aH) - 1)/a and so
 * on, g2 the other gain: jacobi has an eigenvalue z at the factor (z - E)(z - G)/(F K g g2), gauss-seidel at
 * that over z, a converged iteration at that over z^2. */
static double complex factor_at(const ring *two, double complex z, double H) {
    double a = two->parts.A[0][0], d = two->parts.A[1][0], g = two->gain * two->parts.connections[1].gain;
    double complex f = (z - exp(a * H)) * (z - exp(d * H)) / (expm1(a * H) / a * expm1(d * H) / d * g);
    if (two->coupling.scheme == COSTAB_GAUSS_SEIDEL) f /= z;
    if (two->coupling.scheme == COSTAB_ITERATED) f /= z * z;
    return f;
}

TEST(loops_follow_their_closed_form) {
    rng r = rng_start("loops_follow_their_closed_form");
    (void)state;
    for (size_t k = 0; k < effort(10); k++) {
        static ring two;
        costab_loop loop;
        model_start(&two.parts);
        model_scalar(&two.parts, -rng_uniform(&r, 0.2, 3), 1, 1, "exact", 1, 0);
        model_scalar(&two.parts, -rng_uniform(&r, 0.2, 3), 1, 1, "exact", 1, 0);
        two.gain = rng_uniform(&r, -0.2, 0.2);
        model_connect(&two.parts, 0, 0, 1, 0, two.gain, 0);
        model_connect(&two.parts, 1, 0, 0, 0, rng_uniform(&r, -0.9, 0.9), 0);
        two.coupling = (costab_coupling){.scheme = (costab_coupling_scheme)rng_int(&r, 0, 2),
                                         .macro_step = rng_uniform(&r, 0.2, 2)};
        check_ok(costab_network_work_create(&two.work, &why));
        const costab_family family = {.at = ring_at, .context = &two};
        check_ok(loop_find(&family, &loop, &why));
        double most = 0, most_disk = 0.5;
        for (int i = 0; i <= 100 * SAMPLES; i++) {
            double complex z = cexp(I * acos(-1) * i / (100 * SAMPLES));
            double complex g = 1 / (factor_at(&two, z, two.coupling.macro_step) - 1);
            most = fmax(most, cabs(g));
            most_disk = fmax(most_disk, cabs(g + 0.5));
        }
        /* Margins of weak loops are above what can be resolved. */
        if (isnan(loop.radius))
            check_true(1 / most > loop.above && loop.above == 1024, "radius %.17g, above %g", 1 / most,
                       loop.above);
        else
            check_near(loop.radius * most, 1, 1e-8L, "radius %.17g, sampled %.17g", loop.radius, 1 / most);
        if (isnan(loop.disk))
            check_true(1 / most_disk > 2 * loop.above / (2 + loop.above) && loop.above == 1024,
                       "disk margin %.17g, above %g", 1 / most_disk, loop.above);
        else
            check_near(loop.disk * most_disk, 1, 1e-8L, "disk margin %.17g", loop.disk);
        costab_network_work_destroy(&two.work);
    }
}

/* A diagonal map of 13 rows 0.8 + b f: det(z I - M) has degree 13 in f, more than the margins cover. At z = 1
 * the last coefficient counts, at z = -1 it is negligible: no margin may follow from the angles near -1. */
static costab_status diagonal_at(void *context, double value, unsigned wanted, costab_family_point *point,
                                 costab_error *error) {
    double *map = context;
    (void)wanted;
    (void)error;
    for (int i = 0; i < 13; i++) map[14 * i] = 0.8 + (0.15 + 0.004 * i) * (value - 1);
    *point = (costab_family_point){.map = {.size = 13, .entries = map}};
    return COSTAB_OK;
}

TEST(loops_of_a_high_degree_have_no_margin) {
    double map[13 * 13] = {0};
    const costab_family family = {.at = diagonal_at, .context = map};
    costab_loop loop;
    (void)state;
    check_ok(loop_find(&family, &loop, &why));
    check_true(isnan(loop.radius) && isnan(loop.radius_turn), "radius %.17g", loop.radius);
    check_true(isnan(loop.disk) && isnan(loop.disk_turn), "disk margin %.17g", loop.disk);
}

/* The map 1/2 + (d/50)^n / 2 at the factor 1 + d: its nearest unstable factor is 51, at z = 1. */
static costab_status power_at(void *context, double value, unsigned wanted, costab_family_point *point,
                              costab_error *error) {
    static double map;
    (void)wanted;
    (void)error;
    map = 0.5 + 0.5 * pow((value - 1) / 50, *(const int *)context);
    *point = (costab_family_point){.map = {.size = 1, .entries = &map}};
    return COSTAB_OK;
}

TEST(loops_count_powers_that_are_negligible_near_the_nominal_factor) {
    (void)state;
    for (int n = 4; n <= 14; n += 5) {
        const costab_family family = {.at = power_at, .context = &n};
        costab_loop loop;
        check_ok(loop_find(&family, &loop, &why));
        if (n > 12) {
            check_true(isnan(loop.radius) && isnan(loop.disk), "radius %.17g, power %d", loop.radius, n);
            check_true(loop.above > 1 && loop.above < 50, "the radius is above %.17g", loop.above);
        } else {
            check_near(loop.radius, 50, 1e-7L, "radius %.17g, power %d", loop.radius, n);
            check_near(loop.disk, 1 / 0.52, 1e-9L, "disk margin %.17g, power %d", loop.disk, n);
        }
    }
}
