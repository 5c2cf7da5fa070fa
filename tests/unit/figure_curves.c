/* Curves: polylines, and the limits of areas at the critical values of a. */
#include <math.h>

#include "area/limits.h"
#include "costab/area.h"
#include "figure/scene.h"
#include "support/memory.h"
#include "support/support.h"

#define P (-2.785293563405281624)

/* ---- Polylines */

TEST(lines_break_where_there_is_no_value) {
    const double x[] = {0, 1, 2, 3, 4, NAN, 6}, y[] = {0, 0, NAN, 0, 0, 0, 1};
    outline o = {0};
    scene_polyline(&o, x, y, 7);
    assert_int_equal(o.loop_count, 2); /* a single point is no line */
    assert_int_equal(o.loops[0].count, 2);
    assert_int_equal(o.loops[1].count, 2);
    assert_true(o.points[2].x == 3 && o.points[3].x == 4);
    outline_free(&o);
}

TEST(a_line_is_visible_if_a_segment_meets_the_panel) {
    const scene_panel panel = {.x = {.range = {0, 1}}, .y = {.range = {0, 1}}};
    const double x[] = {-1, 2, NAN, 0.5, 0.6}, y[] = {0.5, 0.5, 0, 2, HUGE_VAL};
    assert_true(scene_crosses(&panel, x, y, 5));
    assert_true(scene_crosses(&panel, x, y, 2));
    assert_false(scene_crosses(&panel, x + 1, y + 1, 4));
}

TEST(a_single_value_is_a_dot_if_the_panel_shows_it) {
    const scene_panel panel = {.x = {.range = {0, 1}}, .y = {.range = {0, 1}}};
    const double x[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}, y[] = {0.5, NAN, 0.2, NAN, 2, NAN, HUGE_VAL};
    outline dots = {0};
    scene_lone(&panel, x, y, 7, &dots);
    assert_int_equal(dots.point_count, 2);
    assert_true(dots.points[0].x == 0.1 && dots.points[1].x == 0.3);
    assert_true(scene_crosses(&panel, x + 1, y + 1, 6));
    assert_false(scene_crosses(&panel, x + 3, y + 3, 4));
    outline_free(&dots);
}

/* ---- Limits of areas */

/* Known facts about the areas ([KNS] section 5): next to each critical value, of SS from the left and the
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
        scene_polyline(&o, x, y, 3);
        if (!status && o.failed) status = COSTAB_MEMORY;
        assert_true(!status || status == COSTAB_MEMORY);
        area_limits_free(&limits);
        outline_free(&o);
    }
    memory_fail_at(0);
    assert_true(k > 4);
}
