/* Curves: polylines cut at a box, and area curves that end at the critical values of a. */
#include <float.h>
#include <math.h>

#include "area/area_curve.h"
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

/* ---- Area curves */

typedef struct subject {
    costab_planar planar;
    area_curve curve;
} subject;

static void trace(subject *s, costab_scheme scheme, bool us, double from, double to) {
    enum { SAMPLES = 201 };
    costab_method rk4 = method_named("rk4");
    double a[SAMPLES], area[SAMPLES];
    check_ok(costab_planar_init(&s->planar, scheme, &rk4, 1, 1, &why));
    costab_areas areas = {0};
    for (int i = 0; i < SAMPLES; i++) {
        a[i] = from + (to - from) * i / (SAMPLES - 1);
        if (i == 0 || scheme != COSTAB_SIMULATION) /* whose areas do not depend on a, and take long */
            check_ok(costab_planar_areas(&s->planar, a[i], &areas, &why));
        area[i] = us ? areas.us : areas.ss;
    }
    check_ok(area_curve_make(&s->planar, us, SAMPLES, a, area, &s->curve, &why));
}

/* What is known of the curves ([KNS] section 5): kinds between critical values, and which ends have no limit.
 */
#define KNOWN_MAX 4
static const struct {
    costab_scheme scheme;
    bool us;
    double from, to;
    size_t count;
    struct {
        area_kind kind;
        double to;
        bool diverges[2];
    } stretches[KNOWN_MAX];
} known[] = {
    {COSTAB_CROSS,
     false,
     -3.5,
     1,
     4,
     {{AREA_ZERO, P, {0}},
      {AREA_INFINITE, 0, {0}},
      {AREA_FINITE, 0.548155220383393130, {0}},
      {AREA_ZERO, 1, {0}}}},
    {COSTAB_CROSS,
     true,
     -3.5,
     1,
     4,
     {{AREA_ZERO, -3.160499628997008828, {0}},
      {AREA_FINITE, P, {false, true}},
      {AREA_INFINITE, 0, {0}},
      {AREA_ZERO, 1, {0}}}},
    {COSTAB_ZIGZAG,
     false,
     -4.2,
     3.5,
     4,
     {{AREA_FINITE, -3.761771255137544306, {0}},
      {AREA_ZERO, P, {0}},
      {AREA_FINITE, -P, {true, false}},
      {AREA_ZERO, 3.5, {0}}}},
    {COSTAB_ZIGZAG,
     true,
     -4.2,
     3.5,
     3,
     {{AREA_FINITE, P, {false, true}}, {AREA_ZERO, 1.343330053556043494, {0}}, {AREA_FINITE, 3.5, {0}}}},
    {COSTAB_STRONG,
     false,
     -3,
     2,
     3,
     {{AREA_ZERO, P, {0}}, {AREA_FINITE, 1.789487605132586641, {0}}, {AREA_ZERO, 2, {0}}}},
    {COSTAB_STRONG,
     true,
     -3,
     2,
     4,
     {{AREA_ZERO, -1.789487605132586641, {0}},
      {AREA_FINITE, 0, {0}},
      {AREA_FINITE, 1.789487605132586641, {0}},
      {AREA_ZERO, 2, {0}}}},
    {COSTAB_SIMULATION, false, -3, 2, 1, {{AREA_FINITE, 2, {0}}}},
};

TEST(curves_change_at_critical_values) {
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        subject s;
        trace(&s, known[k].scheme, known[k].us, known[k].from, known[k].to);
        check_true(s.curve.count == known[k].count, "curve %zu: %zu stretches", k, s.curve.count);
        double from = known[k].from;
        for (size_t i = 0; i < s.curve.count; i++) {
            const area_stretch *t = &s.curve.stretches[i];
            check_true(t->kind == known[k].stretches[i].kind, "curve %zu, stretch %zu: kind %d", k, i,
                       (int)t->kind);
            check_near(t->from, (real)from, 1e-10, "curve %zu, stretch %zu: from", k, i);
            check_near(t->to, (real)known[k].stretches[i].to, 1e-10, "curve %zu, stretch %zu: to", k, i);
            for (int end = 0; end < 2; end++)
                check_true(t->diverges[end] == known[k].stretches[i].diverges[end],
                           "curve %zu, stretch %zu: divergence at end %d", k, i, end);
            from = t->to;
        }
        area_curve_free(&s.curve);
    }
}

/* The limits at the ends: p^2 / 2 of cross coupling at 0, zero where a curve ends, none where zigzag
 * diverges. */
TEST(ends_are_limits) {
    subject s;
    trace(&s, COSTAB_CROSS, false, -3.5, 1);
    const area_stretch *t = &s.curve.stretches[2];
    assert_true(t->a[0] == t->from && t->a[t->count - 1] == t->to);
    check_near(t->area[0], 0.5L * (real)P * (real)P, 1e-6, "cross at 0");
    check_near(t->area[t->count - 1], 0, 1e-6, "cross at its end");
    area_curve_free(&s.curve);
    trace(&s, COSTAB_ZIGZAG, false, -4.2, 3.5);
    t = &s.curve.stretches[2];
    check_near(t->area[t->count - 1], 0, 1e-6, "zigzag at its end");
    assert_true(t->area[0] > 1e6);
    area_curve_free(&s.curve);
}

/* Every sample is the area there, and straight segments between refined samples are as good as asked. */
TEST(refined_curves_are_true) {
    const double top = 60, tolerance = 1e-5;
    subject s;
    trace(&s, COSTAB_ZIGZAG, false, -4.2, 3.5);
    size_t before = s.curve.stretches[2].count;
    check_ok(area_curve_refine(&s.curve, top, tolerance, &why));
    const area_stretch *t = &s.curve.stretches[2];
    assert_true(t->count > before);
    for (size_t i = 0; i + 1 < t->count; i++) {
        costab_areas here, middle;
        double width = t->a[i + 1] - t->a[i];
        assert_true(width > 0);
        if (i > 0) {
            check_ok(costab_planar_areas(&s.planar, t->a[i], &here, &why));
            check_near(t->area[i], (real)here.ss, 0, "sample %zu", i);
        }
        if (t->area[i] > top && t->area[i + 1] > top) continue;
        check_ok(costab_planar_areas(&s.planar, t->a[i] + width / 2, &middle, &why));
        double off = (middle.ss - (t->area[i] + t->area[i + 1]) / 2) / top;
        double dx = width / 7.7, rise = (t->area[i + 1] - t->area[i]) / top;
        check_true(fabs(off) * dx / hypot(dx, rise) < 1.01 * tolerance, "segment %zu at a = %g", i, t->a[i]);
    }
    area_curve_free(&s.curve);
}

TEST(the_largest_area_is_no_part_of_a_divergence) {
    subject s;
    double bounded, diverging;
    trace(&s, COSTAB_STRONG, false, -3, 2);
    area_curve_largest(&s.curve, &bounded, &diverging);
    assert_true(bounded > 35.6 && bounded < 35.62); /* [KNS]: near a = -2.4 */
    assert_true(diverging == 0);
    area_curve_free(&s.curve);
    trace(&s, COSTAB_ZIGZAG, false, -3.2, 3.2);
    area_curve_largest(&s.curve, &bounded, &diverging);
    costab_areas at_reach;
    check_ok(costab_planar_areas(&s.planar, P + 0.32, &at_reach, &why));
    assert_true(bounded == 0 && diverging > 0 && diverging <= at_reach.ss);
    area_curve_free(&s.curve);
}

TEST(failed_allocations_are_reported) {
    costab_method rk4 = method_named("rk4");
    costab_planar planar;
    check_ok(costab_planar_init(&planar, COSTAB_CROSS, &rk4, 1, 1, &why));
    const double a[] = {0.1, 0.2, 0.3}, area[] = {2.7, 1.8, 1.1};
    const double x[] = {0, 1, 2}, y[] = {0, 1, 0};
    costab_status status = COSTAB_MEMORY;
    long k = 0;
    while (status) {
        area_curve curve = {0};
        outline o = {0};
        k += 1 + k / 16; /* each of the first ones, and then ever fewer of the thousands that areas take */
        memory_fail_at(k);
        status = area_curve_make(&planar, false, 3, a, area, &curve, NULL);
        if (!status) status = area_curve_refine(&curve, 3, 1e-4, NULL);
        clip_polyline(x, y, 3, &(outline_box){{0, 2}, {0, 0.5}}, &o);
        if (!status && o.failed) status = COSTAB_MEMORY;
        assert_true(!status || status == COSTAB_MEMORY);
        area_curve_free(&curve);
        outline_free(&o);
    }
    memory_fail_at(0);
    assert_true(k > 4);
}
