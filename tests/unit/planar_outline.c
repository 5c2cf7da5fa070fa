/* Outlines of stable sets: areas against published and closed-form references, polygons that close, insides
 * that agree with the point kernel, edges that are where stability changes, and hatching. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/hatch.h"
#include "planar/beyond.h"
#include "planar/trace.h"
#include "support/memory.h"
#include "support/support.h"

typedef struct subject {
    costab_planar planar;
    costab_planar_slice slice;
} subject;

static void subject_make(subject *s, const char *method, costab_scheme scheme, double a, int substeps) {
    costab_method m = method_named(method);
    check_ok(costab_planar_init(&s->planar, scheme, &m, substeps, substeps, &why));
    s->slice = costab_planar_at(&s->planar, a);
}

static outline trace(const subject *s, outline_box box, double tolerance) {
    outline o = {0};
    costab_error error = {0};
    costab_status status = outline_trace(&s->slice, &box, tolerance, &o, &error);
    check_true(!status, "outline_trace: %s", error.message);
    return o;
}

/* ---- Areas */

/* The areas of [KNS] section 4, and 30-digit integrals of the row lengths. */
static const struct {
    costab_scheme scheme;
    double a;
    outline_box box;
    double area;
} known_areas[] = {
    {COSTAB_SIMULATION, 0, {{-6, 0}, {0, 10}}, 32.57320470108170393},
    {COSTAB_SIMULATION, 0, {{0, 1}, {-1, 10}}, 2.00072449049073598},
    {COSTAB_CROSS, 0, {{-4, 1}, {-1, 4}}, 3.87893011717344578},
    {COSTAB_ZIGZAG, 0, {{-4, 1}, {-1, 11}}, 11.95601905023286402},
    {COSTAB_ZIGZAG, 2, {{-8, 0}, {-2, 0}}, 0.82752661},
    {COSTAB_ZIGZAG, -3, {{-8, 1}, {-90, 1}}, 85.48531628},
    {COSTAB_STRONG, 0, {{-4, 1}, {-1, 7}}, 15.04103723848119821},
    {COSTAB_STRONG, 0.5, {{-4, 0}, {0, 7}}, 8.96187474457060499},
    {COSTAB_STRONG, 0.5, {{0, 0.1}, {-1, 7}}, 0.00489374915245297},
};

TEST(areas_match) {
    for (size_t i = 0; i < sizeof known_areas / sizeof known_areas[0]; i++) {
        const outline_box *box = &known_areas[i].box;
        double tolerance = 1e-6;
        subject s;
        subject_make(&s, "rk4", known_areas[i].scheme, known_areas[i].a, 1);
        outline o = trace(&s, *box, tolerance);
        /* A chord is off by `tolerance` of the box at most, and the outlines here are shorter than 8 of its
         * sides. */
        double bound = 8 * tolerance * (box->x[1] - box->x[0]) * (box->y[1] - box->y[0]) + 1e-8;
        check_near(outline_area(&o), known_areas[i].area, bound, "area %zu, %s a = %g", i,
                   costab_scheme_name(known_areas[i].scheme), known_areas[i].a);
        outline_free(&o);
    }
}

/* ---- Outlines of many kinds */

static const char *const methods[] = {"rk4",    "euler",  "heun",           "kutta3",
                                      "dopri5", "bs3",    "backward-euler", "trapezoidal",
                                      "radau2", "sdirk2", "exact"};

/* A random discretisation and a random box near the origin. */
static void random_case(rng *r, subject *s, outline_box *box) {
    const char *method = methods[rng_int(r, 0, (int)(sizeof methods / sizeof methods[0]) - 1)];
    subject_make(s, method, (costab_scheme)rng_int(r, 0, COSTAB_SCHEME_COUNT - 1),
                 rng_int(r, 0, 3) == 0 ? 0 : rng_uniform(r, -3, 3), rng_int(r, 1, 2));
    box->x[0] = rng_uniform(r, -12, 0);
    box->x[1] = box->x[0] + rng_uniform(r, 1, 14);
    box->y[0] = rng_uniform(r, -10, 5);
    box->y[1] = box->y[0] + rng_uniform(r, 1, 30);
}

static bool stable(const subject *s, double gamma, double delta) {
    costab_planar_point p;
    costab_planar_points(&s->planar, 1, &s->slice.a, &gamma, &delta, &p);
    return (p.class_code & 1) != 0;
}

/* Distance to the nearest edge, in sides of the box. */
static double edge_distance(const outline *o, const outline_box *box, double gamma, double delta) {
    double w = box->x[1] - box->x[0], h = box->y[1] - box->y[0], nearest = HUGE_VAL;
    for (size_t l = 0; l < o->loop_count; l++)
        for (size_t i = 0, n = o->loops[l].count; i < n; i++) {
            const outline_point *p = &o->points[o->loops[l].first + i];
            const outline_point *q = &o->points[o->loops[l].first + (i + 1) % n];
            double ax = (p->x - gamma) / w, ay = (p->y - delta) / h;
            double dx = (q->x - p->x) / w, dy = (q->y - p->y) / h;
            double length2 = dx * dx + dy * dy, t = length2 > 0 ? -(ax * dx + ay * dy) / length2 : 0;
            t = fmin(1, fmax(0, t));
            nearest = fmin(nearest, hypot(ax + t * dx, ay + t * dy));
        }
    return nearest;
}

/* A point is inside iff the point kernel calls it stable, except for points at the outline. Thin parts
 * between two sampled rows may be missed: they are thinner than a thousandth of the box. */
TEST(insides_match_the_point_kernel) {
    rng r = rng_start("plot_outline inside");
    size_t wrong = 0, checked = 0;
    for (size_t k = 0, n = effort(150); k < n; k++) {
        subject s;
        outline_box box;
        random_case(&r, &s, &box);
        outline o = trace(&s, box, 1e-4);
        for (int i = 0; i < 300; i++) {
            double gamma = rng_uniform(&r, box.x[0], box.x[1]);
            double delta = rng_uniform(&r, box.y[0], box.y[1]);
            if (edge_distance(&o, &box, gamma, delta) < 2e-4) continue;
            checked++;
            bool inside = outline_contains(&o, gamma, delta);
            wrong += inside != stable(&s, gamma, delta);
            check_true(inside == stable(&s, gamma, delta),
                       "%s, %s, a = %.17g, substeps %d, at (%.17g, %.17g): inside %d", s.planar.method.name,
                       costab_scheme_name(s.planar.scheme), s.slice.a, s.planar.substeps[0], gamma, delta,
                       inside);
        }
        outline_free(&o);
    }
    assert_int_equal(wrong, 0);
    assert_true(checked > 1000);
}

/* Whether both values are at the same end of the range, to what the bisection resolves. */
static bool on_side(double p, double q, const double *range) {
    double slack = 1e-9 * (range[1] - range[0]);
    return (fabs(p - range[0]) <= slack && fabs(q - range[0]) <= slack) ||
           (fabs(p - range[1]) <= slack && fabs(q - range[1]) <= slack);
}

/* Polygons close: an edge that is not a bound of stability runs along a side of the box. */
TEST(cuts_run_along_the_box) {
    rng r = rng_start("plot_outline cuts");
    size_t cuts = 0;
    for (size_t k = 0, n = effort(150); k < n; k++) {
        subject s;
        outline_box box;
        random_case(&r, &s, &box);
        outline o = trace(&s, box, 1e-4);
        for (size_t l = 0; l < o.loop_count; l++)
            for (size_t i = 0, count = o.loops[l].count; i < count; i++) {
                const outline_point *p = &o.points[o.loops[l].first + i];
                const outline_point *q = &o.points[o.loops[l].first + (i + 1) % count];
                bool short_edge = hypot((q->x - p->x) / (box.x[1] - box.x[0]),
                                        (q->y - p->y) / (box.y[1] - box.y[0])) < 1e-6;
                if (p->edge != OUTLINE_CUT || short_edge) continue;
                cuts++;
                bool along = on_side(p->x, q->x, box.x) || on_side(p->y, q->y, box.y);
                check_true(along, "%s, %s, a = %.17g: a cut from (%.17g, %.17g) to (%.17g, %.17g)",
                           s.planar.method.name, costab_scheme_name(s.planar.scheme), s.slice.a, p->x, p->y,
                           q->x, q->y);
            }
        outline_free(&o);
    }
    assert_true(cuts >= effort_least(100));
}

/* Curves on bounds: of the two points next to the middle of a segment, inside the box, one is stable. */
TEST(curves_separate_stable_from_unstable) {
    static const costab_scheme schemes[] = {COSTAB_SIMULATION, COSTAB_CROSS, COSTAB_ZIGZAG, COSTAB_STRONG};
    for (size_t k = 0; k < 4; k++) {
        subject s;
        outline_box box = {{-6, 1}, {-2, 12}};
        double w = 7, h = 14, beside = 2e-4;
        subject_make(&s, "rk4", schemes[k], 0.3, 1);
        outline o = trace(&s, box, 1e-4), curves = {0};
        outline_curves(&o, true, &curves);
        assert_true(curves.loop_count > 0);
        for (size_t l = 0; l < curves.loop_count; l++)
            for (size_t i = 0; i + 1 < curves.loops[l].count; i++) {
                const outline_point *p = &curves.points[curves.loops[l].first + i], *q = p + 1;
                double dx = (q->x - p->x) / w, dy = (q->y - p->y) / h, length = hypot(dx, dy);
                if (length < 20 * beside) continue;
                double x = 0.5 * (p->x + q->x), y = 0.5 * (p->y + q->y);
                bool left = stable(&s, x - beside * dy / length * w, y + beside * dx / length * h);
                bool right = stable(&s, x + beside * dy / length * w, y - beside * dx / length * h);
                check_true(left && !right, "%s: the inside is not left of (%.17g, %.17g)",
                           costab_scheme_name(schemes[k]), x, y);
            }
        outline_free(&curves);
        outline_free(&o);
    }
}

/* The tip of the simulation's region is where the line Delta = p Gamma - p^2 meets Gamma = 2 p. */
TEST(tips_are_exact) {
    const double p = -2.785293563405281624;
    subject s;
    subject_make(&s, "rk4", COSTAB_SIMULATION, 0, 1);
    outline o = trace(&s, (outline_box){{-6, 1}, {-1, 10}}, 1e-4);
    double leftmost = HUGE_VAL, at = 0;
    for (size_t i = 0; i < o.point_count; i++)
        if (o.points[i].x < leftmost) {
            leftmost = o.points[i].x;
            at = o.points[i].y;
        }
    check_near(leftmost, (real)(2 * p), 1e-10, "leftmost Gamma");
    check_near(at, (real)(p * p), 1e-4, "its Delta");
    outline_free(&o);
}

static double length_of(const outline *curves, const outline_box *box) {
    double total = 0;
    for (size_t l = 0; l < curves->loop_count; l++) {
        const outline_run *run = &curves->loops[l];
        for (size_t i = 0; i + !run->closed < run->count; i++) {
            const outline_point *p = &curves->points[run->first + i];
            const outline_point *q = &curves->points[run->first + (i + 1) % run->count];
            total += hypot((q->x - p->x) / (box->x[1] - box->x[0]), (q->y - p->y) / (box->y[1] - box->y[0]));
        }
    }
    return total;
}

/* A zero set is what bounds the stable set and what bounds nothing: the lengths add up. */
TEST(zero_sets_are_bounds_and_the_rest) {
    for (int k = 0; k < COSTAB_SCHEME_COUNT; k++) {
        subject s;
        outline_box box = {{-6, 1}, {-2, 12}};
        subject_make(&s, "rk4", (costab_scheme)k, 0.3, 1);
        outline o = trace(&s, box, 1e-5), bounds = {0}, whole = {0}, rest = {0};
        costab_boundary boundary = {0};
        outline_curves(&o, false, &bounds);
        check_ok(costab_planar_boundary(&s.planar, 0.3, box.x, box.y, &boundary, &why));
        for (size_t c = 0; c < boundary.count; c++) {
            const costab_curve *curve = &boundary.curves[c];
            size_t first = whole.point_count;
            beyond_curve(&s.slice, &box, curve, &rest);
            for (size_t i = 0; i < curve->count; i++)
                outline_add_point(&whole, curve->gamma[i], curve->delta[i], curve->cause);
            outline_add_loop(&whole, first, curve->cause, false);
        }
        /* Ends are true to a step of 0.003, and there are few. */
        double parts = length_of(&bounds, &box) + length_of(&rest, &box);
        check_near(parts, (real)length_of(&whole, &box), 0.02, "%s: lengths of the parts",
                   costab_scheme_name((costab_scheme)k));
        assert_true(length_of(&rest, &box) > 0.1 && length_of(&bounds, &box) > 0.1);
        outline_free(&o);
        outline_free(&bounds);
        outline_free(&whole);
        outline_free(&rest);
        costab_boundary_free(&boundary);
    }
}

/* ---- Hatching */

/* Sum of the lengths times the distance of the lines is the area; every line is inside, at the wanted angle.
 */
TEST(hatching_covers_the_area) {
    const hatch_frame frame = {{{-6, 1}, {-1, 10}}, 7.5, 5};
    const double cm2 = 7.5 / 7 * 5 / 11;
    subject s;
    subject_make(&s, "rk4", COSTAB_SIMULATION, 0, 1);
    outline o = trace(&s, frame.box, 1e-5);
    static const double angles[] = {0, 45, -45, 90, 30};
    for (size_t k = 0; k < sizeof angles / sizeof angles[0]; k++) {
        hatch_pattern pattern = {angles[k], 0.02};
        double radians = angles[k] * acos(-1.0) / 180, total = 0;
        outline lines = {0};
        hatch_lines(&o, &frame, &pattern, &lines);
        for (size_t i = 0; i < lines.loop_count; i++) {
            const outline_point *from = &lines.points[lines.loops[i].first], *to = from + 1;
            double dx = (to->x - from->x) * 7.5 / 7, dy = (to->y - from->y) * 5 / 11;
            assert_int_equal(lines.loops[i].count, 2);
            total += hypot(dx, dy);
            check_near(dx * sin(radians) - dy * cos(radians), 0, 1e-5, "direction at %g degrees", angles[k]);
            check_true(outline_contains(&o, 0.5 * (from->x + to->x), 0.5 * (from->y + to->y)),
                       "a line at (%g, %g) is outside", from->x, from->y);
        }
        /* Midpoint rule over some 250 lines: exact to a line's length at each end and kink. */
        check_near(total * pattern.spacing_cm, (real)(outline_area(&o) * cm2), 0.05,
                   "hatched area at %g degrees", angles[k]);
        outline_free(&lines);
    }
    outline_free(&o);
}

/* ---- Memory */

TEST(every_failed_allocation_is_reported) {
    subject s;
    subject_make(&s, "rk4", COSTAB_ZIGZAG, 0.3, 1);
    outline_box box = {{-4, 1}, {-1, 10}};
    costab_status status = COSTAB_MEMORY;
    long k = 0;
    while (status) {
        outline o = {0}, curves = {0};
        memory_fail_at(++k);
        status = outline_trace(&s.slice, &box, 1e-4, &o, NULL);
        outline_curves(&o, true, &curves);
        assert_true(!status || status == COSTAB_MEMORY);
        if (curves.failed) status = COSTAB_MEMORY;
        outline_free(&o);
        outline_free(&curves);
    }
    memory_fail_at(0);
    assert_true(k > 5);
}
