/* Curves: polylines cut at a box, and the limits of areas at the critical values of a. */
#include <float.h>
#include <math.h>

#include "area/limits.h"
#include "costab/area.h"
#include "figure/clip.h"
#include "support/memory.h"
#include "support/support.h"

#define P (-2.785293563405281624)

/* ---- Cutting */

static outline clipped(const double *x, const double *y, size_t count, outline_box box) {
    outline o = {0};
    clip_polyline(x, y, count, &box, &o);
    return o;
}

TEST(lines_end_at_the_box) {
    const double x[] = {0, 1, 2, 3}, y[] = {0, 2, 2, -2};
    outline o = clipped(x, y, 4, (outline_box){{0, 4}, {-1, 1}});
    assert_int_equal(o.loop_count, 2);
    const double known[][2] = {{0, 0}, {0.5, 1}, {2.25, 1}, {2.75, -1}};
    assert_int_equal(o.point_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_true(o.points[i].x == known[i][0]);
        assert_true(o.points[i].y == known[i][1]);
    }
    assert_false(o.loops[0].closed || o.loops[1].closed);
    outline_free(&o);
}

TEST(infinite_and_huge_values_leave_upright) {
    const double ends[] = {HUGE_VAL, DBL_MAX, 1e300};
    for (size_t i = 0; i < 3; i++) {
        const double x[] = {0.25, 0.5, 0.75}, y[] = {-ends[i], ends[i], 0.5};
        outline o = clipped(x, y, 3, (outline_box){{0, 1}, {0, 1}});
        assert_int_equal(o.loop_count, 2);
        assert_int_equal(o.point_count, 4);
        /* From one extreme to the other: through the middle. Back: down at the end. */
        for (size_t k = 0; k < 2; k++) check_near(o.points[k].x, 0.375, 1e-15, "crossing, end %zu", i);
        for (size_t k = 2; k < 4; k++) check_near(o.points[k].x, 0.75, 1e-15, "return, end %zu", i);
        assert_true(o.points[0].y == 0 && o.points[1].y == 1);
        assert_true(o.points[2].y == 1 && o.points[3].y == 0.5);
        outline_free(&o);
    }
}

TEST(lines_break_where_there_is_no_value) {
    const double x[] = {0, 1, 2, 3, 4, NAN}, y[] = {0, 0, NAN, 0, 0, 0};
    outline o = clipped(x, y, 6, (outline_box){{0, 9}, {-1, 1}});
    assert_int_equal(o.loop_count, 2);
    assert_int_equal(o.loops[0].count, 2);
    assert_int_equal(o.loops[1].count, 2);
    assert_true(o.points[2].x == 3 && o.points[3].x == 4);
    outline_free(&o);
}

/* How much of a polyline lies in a box, in parts of a unit of the number of its segments. */
static double part_inside(const double *x, const double *y, size_t count, const outline_box *box, int steps) {
    double sum = 0;
    for (size_t i = 0; i + 1 < count; i++)
        for (int k = 0; k < steps; k++) {
            double t = (k + 0.5) / steps, at = x[i] + t * (x[i + 1] - x[i]),
                   value = y[i] + t * (y[i + 1] - y[i]);
            if (at >= box->x[0] && at <= box->x[1] && value >= box->y[0] && value <= box->y[1])
                sum += hypot(x[i + 1] - x[i], y[i + 1] - y[i]) / steps;
        }
    return sum;
}

TEST(what_is_kept_is_what_is_inside) {
    rng r = rng_start("what_is_kept_is_what_is_inside");
    enum { POINTS = 12, STEPS = 4000 };
    for (size_t round = 0; round < effort(60); round++) {
        double x[POINTS], y[POINTS], length = 0;
        for (int i = 0; i < POINTS; i++) {
            x[i] = i + rng_uniform(&r, 0, 0.9);
            y[i] = rng_uniform(&r, -3, 3);
        }
        outline_box box = {{rng_uniform(&r, -1, 4), rng_uniform(&r, 5, 13)},
                           {rng_uniform(&r, -2, 0), rng_uniform(&r, 0, 2)}};
        outline o = clipped(x, y, POINTS, box);
        for (size_t l = 0; l < o.loop_count; l++)
            for (size_t i = 0; i < o.loops[l].count; i++) {
                const outline_point *p = &o.points[o.loops[l].first + i];
                assert_true(p->x >= box.x[0] && p->x <= box.x[1]);
                assert_true(p->y >= box.y[0] && p->y <= box.y[1]);
                if (i > 0) length += hypot(p->x - p[-1].x, p->y - p[-1].y);
            }
        /* Each segment's count is off by at most two steps of at most 7 / STEPS. */
        check_near(length, (real)part_inside(x, y, POINTS, &box, STEPS), 2 * POINTS * 7.0 / STEPS,
                   "round %zu", round);
        outline_free(&o);
    }
}

/* ---- Limits of areas */

/* What is known of the areas ([KNS] section 5): beside each critical value, of SS from the left and the
 * right, then of US, 0, f (finite), i (infinite or without a limit) or ? */
static const struct {
    costab_scheme scheme;
    double from, to;
    size_t count;
    struct {
        double a;
        const char *sides;
    } at[4];
} known[] = {
    {COSTAB_CROSS,
     -3.5,
     1,
     4,
     {{-3.160499628997008828, "000?"}, {P, "0iii"}, {0, "ifi0"}, {0.548155220383393130, "?000"}}},
    {COSTAB_ZIGZAG,
     -4.2,
     3.5,
     4,
     {{-3.761771255137544306, "?0ff"}, {P, "0ii0"}, {1.343330053556043494, "ff0?"}, {-P, "?0ff"}}},
    {COSTAB_STRONG,
     -3,
     2,
     4,
     {{P, "0?00"}, {-1.789487605132586641, "ff0?"}, {0, "ff??"}, {1.789487605132586641, "?0?0"}}},
    {COSTAB_SIMULATION, -3, 2, 0, {{0, ""}}},
};

static void limits_of(costab_scheme scheme, double from, double to, area_limits *limits) {
    costab_planar planar;
    costab_method rk4 = method_named("rk4");
    check_ok(costab_planar_init(&planar, scheme, &rk4, 1, 1, &why));
    check_ok(area_limits_find(&planar, from, to, limits, &why));
}

TEST(areas_change_at_critical_values) {
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        area_limits limits;
        limits_of(known[k].scheme, known[k].from, known[k].to, &limits);
        check_true(limits.count == known[k].count, "scheme %zu: %zu values", k, limits.count);
        for (size_t i = 0; i < limits.count; i++) {
            check_near(limits.a[i], (real)known[k].at[i].a, 1e-10, "scheme %zu, value %zu", k, i);
            for (int side = 0; side < AREA_SIDES; side++) {
                const double limit = limits.limit[i][side];
                const char is = isinf(limit)   ? 'i'
                                : limit < 1e-3 ? '0'
                                               : 'f',
                           wanted = known[k].at[i].sides[side];
                check_true(wanted == '?' || is == wanted, "scheme %zu, value %zu, side %d: %g", k, i, side,
                           limit);
            }
        }
        area_limits_free(&limits);
    }
}

/* p^2 / 2 of cross coupling at 0; zero where a curve ends. */
TEST(limits_are_those_of_closed_forms) {
    area_limits limits;
    limits_of(COSTAB_CROSS, -3.5, 1, &limits);
    check_near(limits.limit[2][AREA_SS_RIGHT], 0.5L * (real)P * (real)P, 1e-6, "cross at 0");
    check_near(limits.limit[3][AREA_SS_LEFT], 0, 1e-6, "cross at its end");
    area_limits_free(&limits);
    limits_of(COSTAB_ZIGZAG, -4.2, 3.5, &limits);
    check_near(limits.limit[3][AREA_SS_LEFT], 0, 1e-6, "zigzag at its end");
    area_limits_free(&limits);
}

TEST(failed_allocations_are_reported) {
    costab_method rk4 = method_named("rk4");
    costab_planar planar;
    check_ok(costab_planar_init(&planar, COSTAB_CROSS, &rk4, 1, 1, &why));
    const double x[] = {0, 1, 2}, y[] = {0, 1, 0};
    costab_status status = COSTAB_MEMORY;
    long k = 0;
    while (status) {
        area_limits limits = {0};
        outline o = {0};
        k += 1 + k / 16; /* each of the first ones, and then ever fewer of the thousands that areas take */
        memory_fail_at(k);
        status = area_limits_find(&planar, -0.1, 0.1, &limits, NULL);
        clip_polyline(x, y, 3, &(outline_box){{0, 2}, {0, 0.5}}, &o);
        if (!status && o.failed) status = COSTAB_MEMORY;
        assert_true(!status || status == COSTAB_MEMORY);
        area_limits_free(&limits);
        outline_free(&o);
    }
    memory_fail_at(0);
    assert_true(k > 4);
}
