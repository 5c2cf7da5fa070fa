/* Figures of network sweeps: regions and lines of a grid, and the figure made from a results file that is
 * written here, with radii that are known everywhere. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure/cells.h"
#include "figure/figure.h"
#include "support/figure_memory.h"
#include "sweep/run.h"

/* ---- Regions and lines */

enum { NX = 7, NY = 6, POINTS = NX * NY, CUTS = 3 };

/* Cuts at random, crossings too; now and then at the very ends of edges. */
typedef struct random_grid {
    double x[NX], y[NY], cross_x[CUTS][POINTS], cross_y[CUTS][POINTS];
    bool inside[CUTS][POINTS], missing[POINTS];
    grid_cut cuts[CUTS];
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
    for (int c = 0; c < CUTS; c++) {
        for (int i = 0; i < NX; i++)
            for (int j = 0; j < NY; j++) {
                int at = i * NY + j;
                g->inside[c][at] = rng_int(r, 0, 1) == 1;
                g->cross_x[c][at] = i + 1 < NX ? place_on(r, g->x[i], g->x[i + 1]) : (double)NAN;
                g->cross_y[c][at] = j + 1 < NY ? place_on(r, g->y[j], g->y[j + 1]) : (double)NAN;
            }
        g->cuts[c] = (grid_cut){g->inside[c], g->cross_x[c], g->cross_y[c], NULL};
    }
    g->cells = (cell_grid){.nx = NX,
                           .ny = NY,
                           .to = NX - 1,
                           .x = g->x,
                           .y = g->y,
                           .missing = g->missing,
                           .cut_count = CUTS,
                           .cuts = g->cuts};
}

/* The area of each label. */
static void areas_of(const cell_grid *cells, double areas[256]) {
    outline regions = {0};
    cell_sides sides = {0};
    cell_add_sides(cells, &sides);
    cell_regions(&sides, &regions);
    for (int k = 0; k < 256; k++) areas[k] = 0;
    for (size_t l = 0; l < regions.loop_count; l++) {
        assert_true(regions.loops[l].closed);
        areas[regions.loops[l].edge] += outline_loop_area(&regions, l);
    }
    outline_free(&regions);
}

/* All of the grid belongs to one label, and a cut divides it as if it were alone. */
TEST(regions_share_the_grid) {
    rng r = rng_start("regions_share_the_grid");
    for (size_t round = 0; round < effort(200); round++) {
        random_grid g;
        double areas[256], alone[256], sum = 0;
        make_grid(&r, &g);
        double whole = (g.x[NX - 1] - g.x[0]) * (g.y[NY - 1] - g.y[0]), bound = 1e-9 * whole;
        areas_of(&g.cells, areas);
        for (int k = 0; k < 256; k++) {
            check_true(areas[k] > -bound, "round %zu: label %d", round, k);
            sum += areas[k];
        }
        check_near(sum, (real)whole, bound, "round %zu", round);
        for (int c = 0; c < CUTS; c++) {
            cell_grid one = g.cells;
            double inside = 0;
            one.cut_count = 1;
            one.cuts = &g.cuts[c];
            areas_of(&one, alone);
            for (int k = 0; k < 1 << CUTS; k++) inside += (k >> c & 1) != 0 ? areas[k] : 0;
            check_near(inside, (real)alone[1], bound, "round %zu: cut %d", round, c);
        }
    }
}

TEST(cells_without_a_value_are_left_out) {
    rng r = rng_start("cells_without_a_value_are_left_out");
    random_grid g;
    double areas[256], out = 0;
    make_grid(&r, &g);
    g.missing[2 * NY + 2] = true;
    areas_of(&g.cells, areas);
    out = (g.x[3] - g.x[1]) * (g.y[3] - g.y[1]);
    check_near(areas[CELL_MISSING], (real)out, 1e-12 * out, "the four cells around");
}

/* A disc: the polygon through exact crossings lies inside, each of its chords (no longer than a cell's
 * diagonal c) cuts off no more than 2/3 c times its sagitta, c^2 / (8 r). */
TEST(a_disc_is_as_large_as_its_crossings_tell) {
    enum { N = 41 };
    static double x[N], cross_x[N * N], cross_y[N * N];
    static bool inside[N * N];
    double r = 0.8123, pi = acos(-1.0), areas[256];
    for (int i = 0; i < N; i++) x[i] = -1 + 2.0 * i / (N - 1);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int at = i * N + j;
            double across_x = sqrt(fmax(r * r - x[j] * x[j], 0)),
                   across_y = sqrt(fmax(r * r - x[i] * x[i], 0));
            inside[at] = hypot(x[i], x[j]) < r;
            cross_x[at] = i + 1 < N && x[i] + x[i + 1] > 0 ? across_x : -across_x;
            cross_y[at] = j + 1 < N && x[j] + x[j + 1] > 0 ? across_y : -across_y;
        }
    grid_cut cut = {inside, cross_x, cross_y, NULL};
    cell_grid cells = {.nx = N, .ny = N, .to = N - 1, .x = x, .y = x, .cut_count = 1, .cuts = &cut};
    areas_of(&cells, areas);
    double h = 2.0 / (N - 1), most = pi * h * h / 3;
    check_true(areas[1] <= pi * r * r, "area %.15g", areas[1]);
    check_true(areas[1] >= pi * r * r - most, "area %.15g", areas[1]);
    outline line = {0};
    cell_chords chords = {0};
    cell_add_chords(&cells, 0, &chords);
    cell_line(&chords, &line);
    assert_int_equal(line.loop_count, 1);
    assert_true(line.loops[0].closed);
    for (size_t i = 0; i < line.point_count; i++)
        check_near(hypot(line.points[i].x, line.points[i].y), (real)r, 1e-14, "point %zu", i);
    outline_free(&line);
}

/* Lines end at the border only, and hold every crossing once. */
TEST(lines_hold_every_crossing) {
    rng r = rng_start("lines_hold_every_crossing");
    for (size_t round = 0; round < effort(200); round++) {
        random_grid g;
        outline line = {0};
        size_t crossings = 0;
        make_grid(&r, &g);
        for (int i = 0; i < NX; i++)
            for (int j = 0; j < NY; j++) {
                int at = i * NY + j;
                crossings += i + 1 < NX && g.inside[0][at] != g.inside[0][at + NY];
                crossings += j + 1 < NY && g.inside[0][at] != g.inside[0][at + 1];
            }
        cell_chords chords = {0};
        cell_add_chords(&g.cells, 0, &chords);
        cell_line(&chords, &line);
        assert_int_equal(line.point_count, crossings);
        for (size_t l = 0; l < line.loop_count; l++)
            for (size_t end = 0; end < 2 && !line.loops[l].closed; end++) {
                const outline_point *p = &line.points[line.loops[l].first + end * (line.loops[l].count - 1)];
                assert_true(p->x == g.x[0] || p->x == g.x[NX - 1] || p->y == g.y[0] || p->y == g.y[NY - 1]);
            }
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
