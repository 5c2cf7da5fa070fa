/* Rows against points: the stable intervals of a row, the class rows filled from them and the field rows,
 * against the point kernel; and the intervals against the deciding values of support/bound.h, which know
 * neither.
 *
 * A probe counts where no deciding value is within twice its rounding error of 0. Around every end the probes
 * keep the distance at which the condition's rounding no longer matters (its error over its slope, 16 times),
 * at least 1e-9 of the end itself. Class rows must equal the point kernel at every double, however near to an
 * end. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "support/bound.h"
#include "support/planar.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* A row with its pieces, and words for messages. */
typedef struct row {
    const costab_planar *planar;
    costab_planar_slice slice;
    double a, gamma;
    int count;
    costab_interval pieces[COSTAB_ROW_PIECES_MAX];
    char where[160];
} row;

typedef struct tally {
    size_t rows, pieces, probes, unsure, ends, narrow, causes[4];
} tally;

static row make_row(const costab_planar *planar, double a, double gamma) {
    row r = {.planar = planar, .slice = costab_planar_at(planar, a), .a = a, .gamma = gamma};
    r.count = costab_planar_row(&r.slice, gamma, r.pieces);
    snprintf(r.where, sizeof r.where, "%s %s %d,%d a %.17g gamma %.17g", costab_scheme_name(planar->scheme),
             planar->method.name, planar->substeps[0], planar->substeps[1], a, gamma);
    return r;
}

static bool inside(const row *r, double delta) {
    for (int i = 0; i < r->count; i++)
        if (delta > r->pieces[i].lower && delta < r->pieces[i].upper) return true;
    return false;
}

static void check_cause(const row *r, double end, uint8_t cause) {
    bool single = cause == COSTAB_CAUSE_DET || cause == COSTAB_CAUSE_FOLD || cause == COSTAB_CAUSE_FLIP ||
                  (cause == COSTAB_CAUSE_ITERATION && r->planar->scheme == COSTAB_STRONG);
    check_true(isinf(end) ? cause == 0 : single, "%s: cause %d at the end %.17g", r->where, cause, end);
}

static void check_form(const row *r) {
    check_true(r->count >= 0 && r->count <= COSTAB_ROW_PIECES_MAX, "%s: %d pieces", r->where, r->count);
    if (r->planar->scheme != COSTAB_SIMULATION) check_true(r->count <= 1, "%s: one piece at most", r->where);
    for (int i = 0; i < r->count; i++) {
        const costab_interval *p = &r->pieces[i];
        check_true(p->lower < p->upper, "%s: piece %d from %.17g to %.17g", r->where, i, p->lower, p->upper);
        if (i > 0)
            check_true(r->pieces[i - 1].upper <= p->lower, "%s: piece %d is out of order", r->where, i);
        check_cause(r, p->lower, p->lower_cause);
        check_cause(r, p->upper, p->upper_cause);
    }
}

/* One point: in the intervals iff its deciding values say stable iff the point kernel says so. */
static void probe(const row *r, double delta, tally *t) {
    if (!isfinite(delta)) return;
    approx_point b = bound_point(r->planar, r->a, r->gamma, delta);
    approx *const deciding[] = {&b.det, &b.fold, &b.flip, &b.iteration};
    for (int i = 0; i < 4; i++) deciding[i]->error *= 2.0L;
    bool sure, stable = bound_cause(r->planar, &b, &sure) == 0;
    t->probes++;
    if (!sure) {
        t->unsure++;
        return;
    }
    bool kernel = point_at(r->planar, r->a, r->gamma, delta).cause == 0;
    check_true(inside(r, delta) == stable, "%s delta %.17g: %s by its conditions, not by the row", r->where,
               delta, stable ? "stable" : "unstable");
    check_true(kernel == stable, "%s delta %.17g: %s by its conditions, not by the kernel", r->where, delta,
               stable ? "stable" : "unstable");
}

static real condition(const row *r, double delta, uint8_t cause, real *error) {
    approx_point b = bound_point(r->planar, r->a, r->gamma, delta);
    approx value = bound_condition(&b, cause);
    *error = value.error;
    return approx_value(value);
}

/* How far from an end a condition's rounding reaches; infinite where the condition is flat. */
static real width(const row *r, double end, uint8_t cause) {
    real error, ignored, step = 1e-7L * fmaxl(fabsl((real)end), 1e-3L);
    real value = condition(r, end, cause, &error);
    double left = (double)((real)end - step), right = (double)((real)end + step);
    real slope = fabsl(condition(r, right, cause, &ignored) - condition(r, left, cause, &ignored)) /
                 ((real)right - (real)left);
    if (!(slope > 0.0L)) return (real)INFINITY;
    /* At the end the condition is 0 up to its rounding and the rounding of the end. A flat crossing is left
     * out: there the end's own error is more than a rounding. */
    real off = 4.0L * error + slope * 64.0L * (real)DBL_EPSILON * fabsl((real)end);
    if (error < 1e-4L * slope * fmaxl(fabsl((real)end), 1e-3L))
        check_true(fabsl(value) <= off, "%s: the condition of cause %d is %Lg at the end %.17g, bound %Lg",
                   r->where, cause, value, end, off);
    return 16.0L * error / slope;
}

/* Whether Delta = 0 bounds a row by the fold alone, no other condition being near 0 there. */
static bool fold_alone(const row *r) {
    approx_point b = bound_point(r->planar, r->a, r->gamma, 0.0);
    bool sure;
    b.fold = approx_of(1.0L);
    bound_cause(r->planar, &b, &sure);
    return sure;
}

/* One end: stable just inside, unstable just outside, and for the cause that the row gives. */
static void check_end(const row *r, int piece, bool upper, tally *t) {
    const costab_interval *p = &r->pieces[piece];
    double end = upper ? p->upper : p->lower, sign = upper ? 1.0 : -1.0, next = sign * (double)INFINITY;
    uint8_t cause = upper ? p->upper_cause : p->lower_cause;
    if (isinf(end)) return;
    t->ends++;
    if (upper && piece + 1 < r->count) next = r->pieces[piece + 1].lower;
    if (!upper && piece > 0) next = r->pieces[piece - 1].upper;
    double offset = 1e-200; /* next to Delta = 0 the product form leaves no rounding */
    bool zero = end == 0.0 && cause == COSTAB_CAUSE_FOLD;
    if (!zero) offset = (double)fmaxl(1e-9L * fabsl((real)end), width(r, end, cause));
    real error = 0.0L, beyond = condition(r, end + sign * offset, cause, &error);
    bool room =
        (beyond < -error || zero) && 4.0 * offset < p->upper - p->lower && 4.0 * offset < fabs(next - end);
    if (!room || (zero && !fold_alone(r))) {
        t->narrow++;
        return;
    }
    costab_planar_point in = point_at(r->planar, r->a, r->gamma, end - sign * offset);
    costab_planar_point out = point_at(r->planar, r->a, r->gamma, end + sign * offset);
    check_true(in.cause == 0, "%s: cause %d at %g inside the end %.17g", r->where, in.cause, offset, end);
    check_true(out.cause & cause, "%s: cause %d, expected %d, at %g outside the end %.17g", r->where,
               out.cause, cause, offset, end);
    for (int i = 0; i < 4; i++) t->causes[i] += cause >> i & 1;
}

static void check_intervals(const row *r, rng *random, tally *t) {
    check_form(r);
    t->rows++;
    t->pieces += (size_t)r->count;
    for (int i = 0; i < r->count; i++) {
        double lower = fmax(r->pieces[i].lower, -1e3), upper = fmin(r->pieces[i].upper, 1e3);
        check_end(r, i, false, t);
        check_end(r, i, true, t);
        probe(r, lower + (upper - lower) / 2, t);
        probe(r, rng_uniform(random, lower, upper), t);
        probe(r, lower + (upper - lower) * 1e-3, t);
        probe(r, upper - (upper - lower) * 1e-3, t);
        probe(r, lower - (upper - lower) * 1e-3, t);
        probe(r, upper + (upper - lower) * 1e-3, t);
        if (i > 0) probe(r, r->pieces[i - 1].upper + (r->pieces[i].lower - r->pieces[i - 1].upper) / 2, t);
    }
    for (int i = 0; i < 3; i++) probe(r, rng_uniform(random, -4.0, 14.0), t);
    probe(r, rng_magnitude(random, -6.0, 6.0), t);
}

/* A random row: anywhere, or where something special happens. */
static row random_row(const costab_planar *planar, rng *r) {
    const double p = -2.785293563405282;
    double a = rng_uniform(r, -4.0, 3.0), gamma = rng_uniform(r, -6.0, 1.0);
    switch (rng_int(r, 0, 15)) {
    case 0:
        gamma = a;
        break;
    case 1:
        gamma = 0.0;
        break;
    case 2:
        a = 0.0;
        break;
    case 3:
        a = p;
        break;
    case 4:
        gamma = a + p;
        break;
    case 5:
        gamma = 2 * p + rng_magnitude(r, -9.0, -2.0);
        break;
    case 6:
        gamma = rng_magnitude(r, -9.0, 0.0);
        break;
    case 7:
        gamma = rng_magnitude(r, 0.0, 6.0);
        break;
    case 8:
        a = rng_uniform(r, -1.0, 1.0), gamma = rng_uniform(r, 0.0, 0.6);
        break;
    case 9:
        a = rng_dyadic(r, 4, 1), gamma = rng_dyadic(r, 6, 1);
        break;
    default:
        break;
    }
    return make_row(planar, a, gamma);
}

typedef void (*row_check)(const row *r, rng *random, tally *t);

/* Every scheme and method, pairs of substeps in turn, and own tableaux. */
static void everywhere(const char *name, size_t cases, row_check check, tally *t) {
    static const int micro[] = {1, 2, 3, 5};
    rng r = rng_start(name);
    for (int i = 0; i < costab_method_count() + 6; i++) {
        costab_method method = i < costab_method_count() ? method_named(costab_method_name(i))
                                                         : method_random(&r, rng_int(&r, 1, 5), i % 3 == 0);
        for (costab_scheme scheme = 0; scheme < COSTAB_SCHEME_COUNT; scheme++)
            for (size_t n = 0; n < cases; n++) {
                int na = micro[n % 4], nd = scheme == COSTAB_SIMULATION ? na : micro[n / 4 % 4];
                costab_planar planar = planar_of(scheme, &method, na, nd);
                row one = random_row(&planar, &r);
                check(&one, &r, t);
            }
    }
}

TEST(test_intervals) {
    tally t = {0};
    everywhere("intervals", effort(2), check_intervals, &t);
    print_message("# %zu rows, %zu pieces, %zu probes (%zu too near a boundary), %zu ends (%zu narrow), det "
                  "fold flip iteration %zu %zu %zu %zu\n",
                  t.rows, t.pieces, t.probes, t.unsure, t.ends, t.narrow, t.causes[0], t.causes[1],
                  t.causes[2], t.causes[3]);
    assert_true(t.unsure * 20 <= t.probes);
    assert_true(t.narrow * 20 <= t.ends);
    for (int i = 0; i < 4; i++) assert_true(t.causes[i] >= effort_least(8));
}

/* ---- class rows ---- */

#define GRID_MAX 1024

static int compare(const void *left, const void *right) {
    double x = *(const double *)left, y = *(const double *)right;
    return (x > y) - (x < y);
}

static void check_grid(const row *r, size_t n, const double *delta, const char *what) {
    static double a[GRID_MAX], gamma[GRID_MAX];
    uint8_t alone[GRID_MAX], class_code[GRID_MAX + 1];
    memset(class_code, 0xee, sizeof class_code);
    for (size_t i = 0; i < n; i++) a[i] = r->a, gamma[i] = r->gamma;
    const costab_planar_columns classes = {.class_code = alone};
    check_ok(costab_planar_fill(r->planar, n, a, gamma, delta, &classes, &why));
    costab_planar_class_row(&r->slice, r->gamma, n, delta, class_code);
    for (size_t i = 0; i < n; i++) {
        check_true(class_code[i] == alone[i], "%s, %s: class row %s, point %s at %.17g (%zu of %zu)",
                   r->where, what, costab_class_name(class_code[i]), costab_class_name(alone[i]), delta[i], i,
                   n);
    }
    assert_int_equal(class_code[n], 0xee); /* nothing is written beyond */
}

static void linear_grid(const row *r, double from, double to, size_t n, const char *what) {
    double delta[GRID_MAX];
    if (!isfinite(from) || !isfinite(to) || !(from < to)) return;
    for (size_t i = 0; i < n; i++) delta[i] = number_linspace(from, to, n, i);
    check_grid(r, n, delta, what);
}

/* The doubles next to an end, `stride` units in the last place apart. */
static void fine_grid(const row *r, double end, int64_t stride) {
    double delta[401];
    double unit = nextafter(fabs(end), (double)INFINITY) - fabs(end);
    for (int i = 0; i <= 400; i++) delta[i] = end + (double)((i - 200) * stride) * unit;
    qsort(delta, 401, sizeof delta[0], compare);
    check_grid(r, 401, delta, "around an end");
}

static void random_grid(const row *r, rng *random) {
    double delta[200];
    size_t n = (size_t)rng_int(random, 1, 200);
    for (size_t i = 0; i < n; i++) {
        delta[i] = rng_uniform(random, -4.0, 14.0);
        if (i % 4 == 0) delta[i] = rng_magnitude(random, -12.0, 3.0);
        if (i % 11 == 0 && i > 0) delta[i] = delta[i - 1];
        if (i % 7 == 0 && r->count > 0) {
            const costab_interval *p = &r->pieces[rng_int(random, 0, r->count - 1)];
            double end = rng_int(random, 0, 1) ? p->upper : p->lower;
            if (isfinite(end)) delta[i] = end * (1.0 + rng_magnitude(random, -17.0, -6.0));
        }
    }
    qsort(delta, n, sizeof delta[0], compare);
    check_grid(r, n, delta, "random");
}

static void check_class_rows(const row *r, rng *random, tally *t) {
    static const double extreme[] = {-1.7e308, -1e300, -1e155, -1e150, -1e20, -1e3,  -1e-300, -5e-324, -0.0,
                                     0.0,      5e-324, 1e-300, 1e-20,  1e-9,  1e3,   1e6,     1e12,    1e16,
                                     1e20,     1e75,   1e150,  1e155,  1e200, 1e300, 1e307,   1.7e308};
    t->rows++;
    check_grid(r, 0, extreme, "nothing");
    check_grid(r, COUNT(extreme), extreme, "extremes");
    random_grid(r, random);
    linear_grid(r, -2.0, 14.0, 161, "a figure's grid");
    linear_grid(r, rng_uniform(random, -4.0, 2.0), rng_uniform(random, 2.0, 14.0), 97, "linspace");
    for (int i = 0; i < r->count; i++) {
        double lower = r->pieces[i].lower, upper = r->pieces[i].upper;
        t->pieces++;
        linear_grid(r, lower, upper, 65, "end to end");
        for (int k = 0; k < 2; k++) {
            double end = k ? upper : lower;
            if (!isfinite(end)) continue;
            t->ends++;
            fine_grid(r, end, 1);
            fine_grid(r, end, 64);
            fine_grid(r, end, 1 << 14);
            linear_grid(r, end - 1.0, end + 1.0, 33, "an end in the middle");
            linear_grid(r, end - 1e-12, end + 1e-12, 101, "1e-12 beside an end");
            check_grid(r, 1, &end, "an end alone");
        }
    }
}

TEST(test_class_rows_are_the_points) {
    tally t = {0};
    everywhere("class rows", effort(2), check_class_rows, &t);
    print_message("# %zu rows, %zu pieces, %zu ends\n", t.rows, t.pieces, t.ends);
    assert_true(t.ends > t.rows / 2);
}

/* The tip of a region: where a row's interval shrinks to nothing, rounding decides whether the row has one.
 * On both sides of the last gamma that has, found by bisection, the class row is still the point kernel's. */
static void check_tip(const costab_planar *planar, double a, double with, double without) {
    row last = make_row(planar, a, with);
    for (int i = 0; i < 100; i++) {
        double middle = with + (without - with) / 2;
        row r = make_row(planar, a, middle);
        if (r.count > 0)
            with = middle, last = r;
        else
            without = middle;
    }
    for (int i = -20; i <= 20; i++) {
        row r = make_row(planar, a, without + i * 0x1p-52 * fmax(fabs(without), 0x1p-20));
        for (int k = 0; k < last.count; k++)
            for (int side = 0; side < 2; side++) {
                double end = side ? last.pieces[k].upper : last.pieces[k].lower;
                if (!isfinite(end)) continue;
                fine_grid(&r, end, 1);
                fine_grid(&r, end, 1 << 20);
            }
    }
}

TEST(test_class_rows_at_tips) {
    rng r = rng_start("tips");
    size_t tips = 0;
    for (int i = 0; i < costab_method_count(); i++) {
        costab_method method = method_named(costab_method_name(i));
        for (costab_scheme scheme = 0; scheme < COSTAB_SCHEME_COUNT; scheme++)
            for (size_t n = 0; n < effort(1); n++) {
                costab_planar planar = planar_of(scheme, &method, 1 + (int)n % 2, 1 + (int)n % 2);
                double a = rng_uniform(&r, -2.0, 1.0);
                double with = rng_uniform(&r, -4.0, 0.3), without = rng_uniform(&r, n % 4 ? -14.0 : 0.0, 2.0);
                if (make_row(&planar, a, with).count == 0 || make_row(&planar, a, without).count > 0)
                    continue;
                check_tip(&planar, a, with, without);
                tips++;
            }
    }
    print_message("# %zu tips\n", tips);
    assert_true(tips >= effort_least(25));
}

/* ---- field rows ---- */

/* Are both the same double, a zero's sign included? a nan has no sign that counts. */
static bool same_bits(double x, double y) {
    return memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y));
}

static void check_field_row(const row *r, rng *random, tally *t) {
    enum { N = 61 };
    double delta[N], a[N], gamma[N], trace[N], determinant[N], radius[N], alone[N];
    uint8_t cause[N];
    costab_planar_point points[N];
    t->rows++;
    for (int i = 0; i < N; i++) {
        delta[i] = i % 9 ? rng_uniform(random, -4.0, 14.0) : rng_magnitude(random, -300.0, 300.0);
        if (r->count > 0 && i % 13 == 0 && isfinite(r->pieces[0].upper)) delta[i] = r->pieces[0].upper;
        a[i] = r->a, gamma[i] = r->gamma;
    }
    qsort(delta, N, sizeof delta[0], compare);
    costab_planar_points(r->planar, N, a, gamma, delta, points);
    costab_planar_fields all = {trace, determinant, radius, cause}, some = {NULL, alone, NULL, NULL};
    costab_planar_field_row(&r->slice, r->gamma, N, delta, &all);
    costab_planar_field_row(&r->slice, r->gamma, N, delta, &some);
    for (int i = 0; i < N; i++) {
        bool equal =
            same_bits(trace[i], points[i].trace) && same_bits(determinant[i], points[i].determinant) &&
            same_bits(alone[i], points[i].determinant) && same_bits(radius[i], points[i].spectral_radius);
        check_true(equal, "%s: fields at %.17g", r->where, delta[i]);
        check_true(cause[i] == points[i].cause, "%s: cause at %.17g", r->where, delta[i]);
    }
}

TEST(test_field_rows_are_the_points) {
    tally t = {0};
    everywhere("field rows", effort(2), check_field_row, &t);
}

/* ---- the simulation ---- */

static void check_without_a(const row *r, rng *random, tally *t) {
    if (r->planar->scheme != COSTAB_SIMULATION) return;
    t->rows++;
    row other = make_row(r->planar, rng_magnitude(random, -3.0, 6.0), r->gamma);
    assert_int_equal(other.count, r->count);
    for (int i = 0; i < r->count; i++) {
        assert_memory_equal(&other.pieces[i].lower, &r->pieces[i].lower, sizeof(double));
        assert_memory_equal(&other.pieces[i].upper, &r->pieces[i].upper, sizeof(double));
        assert_int_equal(other.pieces[i].lower_cause, r->pieces[i].lower_cause);
        assert_int_equal(other.pieces[i].upper_cause, r->pieces[i].upper_cause);
    }
}

TEST(test_simulation_rows_ignore_a) {
    tally t = {0};
    everywhere("simulation rows", effort(2), check_without_a, &t);
    assert_true(t.rows > 0);
}

static bool scaled(double small, double large) {
    return large == 16.0 * small || fabs(large - 16.0 * small) <= 64.0 * DBL_EPSILON * fabs(small);
}

/* m micro steps are stable exactly where one is, at Gamma/m and Delta/m^2. */
TEST(test_simulation_rows_scale) {
    rng r = rng_start("scaled rows");
    for (int i = 0; i < costab_method_count(); i++) {
        costab_method method = method_named(costab_method_name(i));
        costab_planar one = planar_of(COSTAB_SIMULATION, &method, 1, 1);
        costab_planar four = planar_of(COSTAB_SIMULATION, &method, 4, 4);
        for (size_t n = 0; n < effort(50); n++) {
            row small = random_row(&one, &r), large = make_row(&four, small.a, 4 * small.gamma);
            assert_int_equal(small.count, large.count);
            for (int k = 0; k < small.count; k++) {
                const costab_interval *p = &small.pieces[k], *q = &large.pieces[k];
                check_true(scaled(p->lower, q->lower), "%s: lower end %.17g", large.where, q->lower);
                check_true(scaled(p->upper, q->upper), "%s: upper end %.17g", large.where, q->upper);
            }
        }
    }
}

/* Far out nothing is stable for an explicit method, and nothing breaks. */
TEST(test_far_rows) {
    static const double huge[] = {1e20, 1e75, 1e150, 1e300};
    tally t = {0};
    rng r = rng_start("far rows");
    const size_t stride = effort_stride(3);
    for (int i = 0; i < costab_method_count(); i++) {
        costab_method method = method_named(costab_method_name(i));
        for (costab_scheme scheme = 0; scheme < COSTAB_SCHEME_COUNT; scheme++) {
            costab_planar planar = planar_of(scheme, &method, 2, 2);
            for (size_t k = (size_t)i % stride; k < COUNT(huge) * 8; k += stride) {
                double big = huge[k / 8] * (k & 1 ? -1.0 : 1.0);
                row one = make_row(&planar, k & 2 ? big : -0.5, k & 4 || !(k & 2) ? big : -1.5);
                check_form(&one);
                check_class_rows(&one, &r, &t);
                bool counts = scheme != COSTAB_SIMULATION || one.gamma != -1.5;
                if (counts && !method.implicit && method.kind != COSTAB_EXACT)
                    check_true(one.count == 0, "%s: stable from %g to %g", one.where, one.pieces[0].lower,
                               one.pieces[0].upper);
            }
        }
    }
}

/* What is exactly on the limit is unstable: Det D = 1 at Gamma = 0 for symmetric methods, and for euler at
 * Delta = -Gamma, by points and by rows. */
TEST(test_equality_is_unstable) {
    static const char *const symmetric[] = {"trapezoidal", "gauss2", "exact"};
    rng r = rng_start("equality");
    const double least = DBL_MIN;
    for (size_t i = 0; i < effort(400); i++) {
        bool euler = i % 2 == 0;
        costab_method method = method_named(euler ? "euler" : symmetric[i / 2 % COUNT(symmetric)]);
        costab_scheme scheme = euler ? (costab_scheme)(i / 2 % COSTAB_SCHEME_COUNT) : COSTAB_STRONG;
        double a = rng_uniform(&r, -2, 2), delta = rng_uniform(&r, 0, 3) + least, gamma = euler ? -delta : 0;
        costab_planar planar = planar_of(scheme, &method, 1, 1);
        costab_planar_slice slice = costab_planar_at(&planar, a);
        uint8_t code;
        costab_planar_class_row(&slice, gamma, 1, &delta, &code);
        check_true((code & 1) == 0 && point_at(&planar, a, gamma, delta).class_code == code,
                   "%s %s, a %.17g, gamma %.17g, delta %.17g: %d", costab_scheme_name(scheme), method.name, a,
                   gamma, delta, code);
    }
}
