/* Figures of network sweeps: regions and lines of a grid, and the figure made from a results file that is
 * written here, with radii that are known everywhere. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure/cells.h"
#include "figure/figure.h"
#include "support/figure_memory.h"
#include "sweep/run.h"

/* ---- Outlines */

enum { NX = 7, NY = 6, POINTS = NX * NY };

/* A set of points at random, with crossings at random, some at the very ends of edges. */
typedef struct random_grid {
    double x[NX], y[NY], cross_x[POINTS], cross_y[POINTS];
    bool inside[POINTS], missing[POINTS], joins;
    cell_grid cells;
} random_grid;

static double place_on(rng *r, double p, double q) {
    int kind = rng_int(r, 0, 7);
    return kind == 0 ? p : kind == 1 ? q : p + rng_uniform(r, 0, 1) * (q - p);
}

static void make_grid(rng *r, random_grid *g) {
    memset(g, 0, sizeof *g);
    for (int i = 0; i < NX; i++) g->x[i] = i + rng_uniform(r, 0, 0.8);
    for (int j = 0; j < NY; j++) g->y[j] = 10 * j + rng_uniform(r, 0, 8);
    for (int at = 0; at < POINTS; at++) {
        int i = at / NY, j = at % NY;
        g->inside[at] = rng_int(r, 0, 1) == 1;
        g->cross_x[at] = i + 1 < NX ? place_on(r, g->x[i], g->x[i + 1]) : (double)NAN;
        g->cross_y[at] = j + 1 < NY ? place_on(r, g->y[j], g->y[j + 1]) : (double)NAN;
    }
    g->cells = (cell_grid){NX, NY, g->x, g->y, g->missing};
}

static double crossing(const void *context, size_t at, bool along_y) {
    const random_grid *g = context;
    return along_y ? g->cross_y[at] : g->cross_x[at];
}

static bool joins(const void *context, const size_t corners[4]) {
    const random_grid *g = context;
    return g->joins != g->inside[corners[0]]; /* the same saddles for a set and for the rest */
}

static void outline_of(const random_grid *g, outline *result) {
    cell_outline(&g->cells, &(cell_set){g->inside, crossing, joins, g}, result);
    assert_false(result->failed);
    for (size_t l = 0; l < result->loop_count; l++) assert_true(result->loops[l].closed);
}

/* A set and the rest share the grid. */
TEST(outlines_share_the_grid) {
    rng r = rng_start("outlines_share_the_grid");
    for (size_t round = 0; round < effort(200); round++) {
        random_grid g;
        outline set = {0}, rest = {0};
        make_grid(&r, &g);
        double whole = (g.x[NX - 1] - g.x[0]) * (g.y[NY - 1] - g.y[0]);
        outline_of(&g, &set);
        for (int at = 0; at < POINTS; at++) g.inside[at] = !g.inside[at];
        outline_of(&g, &rest);
        check_near(outline_area(&set) + outline_area(&rest), (real)whole, 1e-9 * whole, "round %zu", round);
        outline_free(&set);
        outline_free(&rest);
    }
}

TEST(cells_without_a_value_are_left_out) {
    rng r = rng_start("cells_without_a_value_are_left_out");
    random_grid g;
    outline all = {0};
    make_grid(&r, &g);
    for (int at = 0; at < POINTS; at++) g.inside[at] = true;
    g.missing[2 * NY + 2] = true;
    outline_of(&g, &all);
    /* The corners of the hole are the four points next to the missing one. */
    double whole = (g.x[NX - 1] - g.x[0]) * (g.y[NY - 1] - g.y[0]),
           hole = (g.x[3] - g.x[1]) * (g.y[3] - g.y[1]);
    double area = outline_area(&all);
    check_true(area < whole && area > whole - hole, "area %g of %g", area, whole);
    assert_int_equal(all.loop_count, 2);
    for (size_t i = 0; i < all.point_count; i++) assert_int_equal(all.points[i].edge, CELL_LIMIT);
    outline_free(&all);
}

/* A disc: the polygon through exact crossings is inside, each of its chords (no longer than a cell's
 * diagonal c) cuts off no more than 2/3 c times its sagitta, c^2 / (8 r). */
enum { DISC = 41 };
static const double disc_radius = 0.8123;
static double disc_x[DISC];

static double disc_crossing(const void *context, size_t at, bool along_y) {
    (void)context;
    size_t i = at / DISC, j = at % DISC, k = along_y ? j : i;
    double other = along_y ? disc_x[i] : disc_x[j], across = sqrt(disc_radius * disc_radius - other * other);
    return disc_x[k] + disc_x[k + 1] > 0 ? across : -across;
}

TEST(a_disc_is_as_large_as_its_crossings_tell) {
    static bool inside[DISC * DISC];
    const double r = disc_radius, pi = acos(-1.0), h = 2.0 / (DISC - 1);
    for (int i = 0; i < DISC; i++) disc_x[i] = -1 + h * i;
    for (int at = 0; at < DISC * DISC; at++) inside[at] = hypot(disc_x[at / DISC], disc_x[at % DISC]) < r;
    const cell_grid cells = {DISC, DISC, disc_x, disc_x, NULL};
    outline disc = {0};
    cell_outline(&cells, &(cell_set){inside, disc_crossing, NULL, NULL}, &disc);
    double area = outline_area(&disc);
    check_true(area <= pi * r * r && area >= pi * r * r - pi * h * h / 3, "area %.15g", area);
    assert_int_equal(disc.loop_count, 1);
    for (size_t i = 0; i < disc.point_count; i++) {
        check_near(hypot(disc.points[i].x, disc.points[i].y), (real)r, 1e-14, "point %zu", i);
        assert_int_equal(disc.points[i].edge, CELL_BORDER);
    }
    outline_free(&disc);
}

/* Lines end at the border of the grid only, and hold every crossing once. */
TEST(lines_hold_every_crossing) {
    rng r = rng_start("lines_hold_every_crossing");
    for (size_t round = 0; round < effort(200); round++) {
        random_grid g;
        outline set = {0}, line = {0};
        size_t crossings = 0, points = 0;
        make_grid(&r, &g);
        for (int at = 0; at < POINTS; at++) { /* not at the ends of edges, which several chords share */
            int i = at / NY, j = at % NY;
            if (i + 1 < NX) g.cross_x[at] = 0.4 * g.x[i] + 0.6 * g.x[i + 1];
            if (j + 1 < NY) g.cross_y[at] = 0.3 * g.y[j] + 0.7 * g.y[j + 1];
            crossings += i + 1 < NX && g.inside[at] != g.inside[at + NY];
            crossings += j + 1 < NY && g.inside[at] != g.inside[at + 1];
        }
        outline_of(&g, &set);
        outline_curves(&set, false, &line);
        for (size_t l = 0; l < line.loop_count; l++) {
            const outline_point *p = &line.points[line.loops[l].first];
            points += line.loops[l].count;
            for (size_t end = 0; end < 2 && !line.loops[l].closed; end++, p += line.loops[l].count - 1)
                assert_true(p->x == g.x[0] || p->x == g.x[NX - 1] || p->y == g.y[0] || p->y == g.y[NY - 1]);
        }
        assert_int_equal(points, crossings);
        outline_free(&set);
        outline_free(&line);
    }
}

/* ---- The figure */

static const char model_text[] =
    "title: A test\nsystem: network\nparameters: {p: 1, q: 1, H: 0.5}\n"
    "subsystems:\n"
    "  - {name: one, A: [[-p]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact, substeps: 1}\n"
    "  - {name: two, A: [[-q]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact, substeps: 1}\n"
    "connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]\n"
    "coupling: [{name: plain, scheme: jacobi, macro_step: H}, {name: other_one, scheme: gauss-seidel, "
    "macro_step: H}]\n";

/* The radius is p * q for the first coupling, p * q / 2 for the second; nothing at one place, infinite at
 * another. Of one axis q is 1. */
enum { COUPLINGS = 2, P = 9, Q = 8 };

static double p_values[P], q_values[Q];
static char *labels[COUPLINGS] = {(char[]){"plain"}, (char[]){"other_one"}};

enum { CLASS, RADIUS, LEVEL_P, LEVEL_Q };

static double radius_at(size_t c, size_t i, size_t j) {
    if (c == 0 && i == 0 && j == Q - 1) return (double)NAN;
    if (c == 1 && i == P - 1 && j == Q - 1) return HUGE_VAL;
    return p_values[i] * q_values[j] / (double)(c + 1);
}

static void fill(const costab_plan *plan, const costab_tile *tile, int field, void *block) {
    size_t at = 0, count_q = plan->axis_count > 2 ? tile->count[2] : 1;
    for (size_t c = tile->start[0]; c < tile->start[0] + tile->count[0]; c++)
        for (size_t i = tile->start[1]; i < tile->start[1] + tile->count[1]; i++)
            for (size_t j = 0; j < count_q; j++, at++) {
                double q = q_values[j], p = p_values[i], one = (double)(c + 1), level = (double)NAN;
                double radius = radius_at(c, i, j);
                if (field == LEVEL_P && i + 1 < P && p < one / q && one / q <= p_values[i + 1])
                    level = one / q;
                if (field == LEVEL_Q && j + 1 < Q && q < one / p && one / p <= q_values[j + 1])
                    level = one / p;
                if (field == CLASS)
                    ((uint8_t *)block)[at] = (uint8_t)(isnan(radius) ? 8 : (p < 1.03 ? 2 : 0) + (radius < 1));
                else
                    ((double *)block)[at] = field == RADIUS ? radius : level;
            }
}

static void set_field(costab_plan *plan, int number, const char *name, costab_type type) {
    costab_field *f = &plan->fields[number];
    snprintf(f->name, sizeof f->name, "%s", name);
    f->type = type;
    f->rank = plan->axis_count;
    for (int i = 0; i < f->rank; i++) f->axes[i] = i;
    f->long_name = "a field";
}

static costab_plan make_plan(bool plane) {
    costab_plan plan = {.axis_count = plane ? 3 : 2, .field_count = plane ? 4 : 3};
    for (size_t i = 0; i < P; i++) p_values[i] = 0.3 + 0.2 * (double)i;
    for (size_t j = 0; j < Q; j++) q_values[j] = plane ? pow(2, (double)j - 4.5) : 1;
    plan.axes[0] = (costab_axis){.name = "coupling", .count = COUPLINGS, .labels = labels};
    plan.axes[1] = (costab_axis){.name = "p", .count = P, .values = p_values};
    plan.axes[2] = (costab_axis){.name = "q", .count = Q, .values = q_values};
    plan.swept = plan.axis_count;
    set_field(&plan, CLASS, "class", COSTAB_U8);
    set_field(&plan, RADIUS, "spectral_radius", COSTAB_F64);
    set_field(&plan, LEVEL_P, "level_one_p", COSTAB_F64);
    set_field(&plan, LEVEL_Q, "level_one_q", COSTAB_F64);
    costab_plan_choose_tiles(&plan, 1000);
    return plan;
}

static costab_status evaluate(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    (void)error;
    const costab_plan *plan = context;
    for (int f = 0; f < plan->field_count; f++)
        if (blocks[f] != NULL) fill(plan, tile, f, blocks[f]);
    return COSTAB_OK;
}

/* Results with a figure. */
static costab_results *results_of(bool plane, const char *figure) {
    char spec[2048];
    snprintf(spec, sizeof spec, "%s%s\nfields: [class, spectral_radius]\n%s\n", model_text,
             plane ? "axes: {p: {from: 0.3, to: 1.9, points: 9}, q: [0.5, 1, 2]}"
                   : "axes: {p: {from: 0.3, to: 1.9, points: 9}}",
             figure);
    costab_plan plan = make_plan(plane);
    costab_evaluator evaluator = {&plan, evaluate};
    return figure_results(&plan, &evaluator, spec);
}

/* Calls `check` with every point of a block; returns their number. */
static size_t points_of(const text *data, const char *block, void (*check)(double x, double y)) {
    char heading[64];
    size_t count = 0;
    snprintf(heading, sizeof heading, "\n# %s: ", block);
    const char *at = strstr(data->data, heading);
    check_true(at != NULL, "no block %s", block);
    at = strchr(at + 1, '\n') + 1;
    while (*at != '\n' || at[1] != '\n') {
        double x, y;
        if (*at != '\n') {
            assert_int_equal(sscanf(at, "%lf %lf", &x, &y), 2);
            if (check) check(x, y);
            count++;
        }
        at = strchr(at, '\n') + 1;
        if (*at == '\0') break;
    }
    return count;
}

static void on_the_hyperbola(double x, double y) {
    check_near(x * y, 1, 1e-9, "at %.10g, %.10g", x, y);
}

static void on_the_other(double x, double y) {
    check_near(x * y, 2, 2e-9, "at %.10g, %.10g", x, y);
}

static void all_numbers_are_finite(const text *data) {
    for (const char *line = data->data; line && *line; line = strchr(line, '\n'), line += line != NULL)
        if (*line != '#' && *line != '\n')
            for (const char *c = line; *c && *c != '\n'; c++)
                assert_true(*c != 'n' && *c != 'N'); /* of inf and nan; classes are S and U */
}

TEST(level_one_goes_through_its_crossings) {
    text script = {0}, data = {0};
    figure_draw(results_of(true, "figure: {kind: contour}"), &script, &data);
    assert_true(points_of(&data, "1.curve.one", on_the_hyperbola) > 8);
    assert_true(points_of(&data, "2.curve.one", on_the_other) > 8);
    assert_non_null(strstr(script.data, "set logscale y; "));
    assert_null(strstr(script.data, "set logscale x; "));
    assert_non_null(strstr(script.data, "no result"));
    all_numbers_are_finite(&data);
    text_free(&script);
    text_free(&data);
}

TEST(classes_have_the_same_boundary) {
    text script = {0}, data = {0};
    figure_draw(results_of(true, "figure: {kind: [classes, contour], columns: 2}"), &script, &data);
    assert_true(points_of(&data, "1.curve.edge", on_the_hyperbola) > 8);
    assert_true(points_of(&data, "2.curve.edge", on_the_other) > 8);
    assert_non_null(strstr(script.data, "(b) other\\_one, classes"));
    assert_non_null(strstr(script.data, "layout 2, 2 "));
    static const char *const legends[] = {"SS: both stable", "US: simulation only", "SU: system only",
                                          "UU: neither"};
    for (size_t k = 0; k < 4; k++) assert_non_null(strstr(script.data, legends[k]));
    all_numbers_are_finite(&data);
    text_free(&script);
    text_free(&data);
}

static void at_one(double x, double y) {
    check_near(x, 1, 1e-12, "crossing");
    check_near(y, 1, 0, "level");
}

static void on_the_line(double x, double y) {
    check_near(x, (real)y, 1e-9, "radius p");
}

TEST(curves_pass_one_where_it_is_stored) {
    text script = {0}, data = {0};
    figure_draw(results_of(false, "figure: {kind: curve}"), &script, &data);
    assert_int_equal(points_of(&data, "1.point.c1", at_one), 1);
    assert_int_equal(points_of(&data, "1.curve.c1", on_the_line), P + 1);
    assert_true(points_of(&data, "1.curve.c2", NULL) >= P);
    assert_null(strstr(data.data, "1.point.c2"));
    all_numbers_are_finite(&data);
    text_free(&script);
    text_free(&data);
}

TEST(what_cannot_be_drawn_is_said) {
    costab_results *results = results_of(true, "figure: {kind: contour, size: [3cm, 3cm], columns: 1}");
    text script = {0}, data = {0};
    costab_error error = {0};
    assert_int_equal(figure_of(results, &script, &data, &error), COSTAB_INVALID);
    check_true(strstr(error.message, "leaves") != NULL, "%s", error.message);
    text_free(&script);
    text_free(&data);
    costab_results_close(&results);
}

/* The model is read again each time. */
TEST(every_failed_allocation_is_reported) {
    /* The second: over two axes too, so that one of them makes curves. */
    static const char *const figures[] = {"figure: {kind: [contour, classes]}", "figure: {kind: curve}"};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        costab_results *results = results_of(true, figures[i]);
        figure_fail_allocations(results);
        costab_results_close(&results);
    }
}
