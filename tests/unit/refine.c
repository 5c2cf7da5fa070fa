/* The quadtree of refined sweeps on fields that are known everywhere: what it fills is what the full grid
 * has, and what it evaluates follows the boundary. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "sweep/refine.h"

enum { MOST = 300, PIECES_MAX = 6 };

/* Margins over the unit square. */
typedef struct field {
    int margins;
    double (*margin)(const struct field *f, int k, double x, double y);
    bool (*lone)(size_t i, size_t j);
    bool (*other)(size_t i, size_t j); /* a point of another kind */
    bool lines;                        /* codes on lines are reported */
    int across;                        /* of the line on which the code changes between two points */
    size_t change[2];                  /* the first of these; beyond the grid: nowhere */
    bool merged;                       /* only the sign of the first margin decides the code */
    double a[PIECES_MAX], b[PIECES_MAX], c[PIECES_MAX]; /* parameters of the margins */
    int pieces;
    double sign[REFINE_MARGINS_MAX];
} field;

typedef struct grid {
    const field *field;
    size_t count[2];
    uint8_t *asked, *told;
    size_t evaluated;
    double spent; /* in codes of points */
} grid;

enum { LONE_CODE = 8 };

/* The cost of a point with its margins where codes can be had alone, in these. */
#define WEIGHT 4.0

static refine_point point_of(const grid *g, size_t number) {
    size_t i = number / g->count[1], j = number % g->count[1];
    double x = g->count[0] > 1 ? (double)i / (double)(g->count[0] - 1) : 0.5;
    double y = g->count[1] > 1 ? (double)j / (double)(g->count[1] - 1) : 0.5;
    refine_point p = {.code = 0, .lone = g->field->lone != NULL && g->field->lone(i, j)};
    for (int k = 0; k < g->field->margins; k++) {
        p.margins[k] = p.lone ? (double)NAN : g->field->margin(g->field, k, x, y);
        if (p.margins[k] < 0 && (k == 0 || !g->field->merged)) p.code |= (uint8_t)(1U << k);
    }
    if (p.lone) p.code = LONE_CODE;
    p.kind = g->field->other != NULL && g->field->other(i, j);
    return p;
}

/* In ascending order, and no point twice. */
static costab_status evaluate(void *context, const size_t *numbers, size_t count, refine_point *points,
                              costab_error *error) {
    grid *g = context;
    (void)error;
    for (size_t i = 0; i < count; i++) {
        assert_true(numbers[i] < g->count[0] * g->count[1] && (i == 0 || numbers[i] > numbers[i - 1]));
        assert_int_equal(g->asked[numbers[i]]++, 0);
        points[numbers[i]] = point_of(g, numbers[i]);
    }
    g->evaluated += count;
    g->spent += WEIGHT * (double)count;
    return COSTAB_OK;
}

/* By columns, and no point twice. */
static costab_status tell(void *context, const size_t *numbers, size_t count, refine_point *points,
                          costab_error *error) {
    grid *g = context;
    size_t columns = g->count[1];
    (void)error;
    for (size_t i = 0; i < count; i++) {
        size_t n = numbers[i], before = numbers[i > 0 ? i - 1 : 0];
        assert_true(i == 0 || n % columns > before % columns ||
                    (n % columns == before % columns && n > before));
        assert_false(g->asked[n]);
        assert_int_equal(g->told[n]++, 0);
        points[n].code = point_of(g, n).code;
    }
    g->spent += (double)count;
    return COSTAB_OK;
}

static costab_status evaluate_by_columns(void *context, const size_t *numbers, size_t count,
                                         refine_point *points, costab_error *error) {
    for (size_t i = 0; i < count; i++) (void)evaluate(context, &numbers[i], 1, points, error);
    return COSTAB_OK;
}

static costab_status line(void *context, int across, size_t at, const refine_line *line,
                          costab_error *error) {
    grid *g = context;
    (void)error;
    g->spent += (double)g->count[1 - across];
    assert_true(at < g->count[across]);
    for (size_t i = 0; i < g->count[1 - across]; i++) {
        line->codes[i] = point_of(g, across == 0 ? at * g->count[1] + i : i * g->count[1] + at).code;
        line->changes[i] =
            across == g->field->across && at == g->field->change[across] && i == g->field->change[1 - across];
    }
    return COSTAB_OK;
}

static bool differ(const grid *g, size_t a, size_t b) {
    refine_point p = point_of(g, a), q = point_of(g, b);
    bool different = p.code != q.code || p.kind != q.kind;
    for (int k = 0; k < g->field->margins; k++) different |= (p.margins[k] < 0) != (q.margins[k] < 0);
    return different;
}

/* Both of two neighbours were evaluated where a code, a kind or a sign changes between them.
 */
static void check_neighbours(const grid *g, const refine_work *work) {
    for (size_t i = 0; i < g->count[0]; i++)
        for (size_t j = 0; j < g->count[1]; j++)
            for (int axis = 0; axis < 2; axis++) {
                size_t n = i * g->count[1] + j, next = n + (axis == 0 ? g->count[1] : 1);
                if ((axis == 0 ? i + 1 == g->count[0] : j + 1 == g->count[1]) || !differ(g, n, next))
                    continue;
                check_true(refine_is_found(work, n) && refine_is_found(work, next),
                           "a change between the points %zu and %zu was not evaluated", n, next);
            }
}

static void check_codes(const grid *g, const refine_work *work, const char *what) {
    for (size_t n = 0; n < g->count[0] * g->count[1]; n++) {
        assert_int_equal(refine_is_found(work, n), g->asked[n] || g->told[n]);
        int code = refine_points(work)[n].code, full = point_of(g, n).code;
        check_true(code == full, "%s, %zu x %zu: point %zu, %zu has %d instead of %d", what, g->count[0],
                   g->count[1], n / g->count[1], n % g->count[1], code, full);
    }
}

/* Refines, with margins everywhere or, `codes`, where codes can be had alone, and holds every point against
 * the field, unless `what` is NULL. */
static grid refine_in(const field *f, size_t rows, size_t columns, size_t cell, bool codes,
                      const char *what) {
    grid g = {.field = f, .count = {rows, columns}};
    refine_work *work = NULL;
    assert_non_null(g.asked = calloc(2 * rows * columns, 1));
    g.told = g.asked + rows * columns;
    check_ok(refine_work_create(&work, rows * columns, &why));
    const refine_patch patch = {.count = {rows, columns},
                                .cell = cell,
                                .margins = f->margins,
                                .evaluate = codes ? evaluate_by_columns : evaluate,
                                .classify = codes ? tell : NULL,
                                .by_columns = codes,
                                .lone_code = LONE_CODE,
                                .weight = codes ? WEIGHT : 1,
                                .line_weight = codes ? 1 : 1 / WEIGHT,
                                .line = f->lines ? line : NULL,
                                .line_distance = 2 * cell,
                                .context = &g};
    check_ok(refine_run(work, &patch, &why));
    if (what != NULL) check_codes(&g, work, what);
    if (!codes) check_neighbours(&g, work);
    refine_work_destroy(&work);
    assert_null(work);
    free(g.asked);
    return g;
}

/* Returns the number of evaluations. */
static size_t refine(const field *f, size_t rows, size_t columns, size_t cell, const char *what) {
    size_t points = rows * columns;
    grid g = refine_in(f, rows, columns, cell, true, what);
    check_true(g.spent <= 1.25 * (double)points + 64, "%s, %zu points: %g spent", what, points, g.spent);
    return refine_in(f, rows, columns, cell, false, what).evaluated;
}

/* ---- Fields */

/* Convex: the largest of some affine functions; the sign turns it round. */
static double largest(const field *f, int k, double x, double y) {
    double most = -HUGE_VAL;
    for (int p = k; p < f->pieces; p += f->margins) most = fmax(most, f->a[p] * x + f->b[p] * y + f->c[p]);
    return f->sign[k] * most;
}

/* Distance from a circle around (a, b) of radius c. */
static double disc(const field *f, int k, double x, double y) {
    return f->sign[k] * (hypot(x - f->a[k], y - f->b[k]) - f->c[k]);
}

/* A ring of radius a and half its width b. */
static double ring(const field *f, int k, double x, double y) {
    return fabs(hypot(x - 0.5, y - 0.5) - f->a[k]) - f->b[k];
}

static double waves(const field *f, int k, double x, double y) {
    return sin(f->a[k] * x + f->b[k] * y + f->c[k]);
}

static double nothing(const field *f, int k, double x, double y) {
    (void)f, (void)k, (void)x, (void)y;
    return 1;
}

static field random_pieces(rng *r, int margins) {
    field f = {.margins = margins, .margin = largest, .pieces = rng_int(r, margins, PIECES_MAX)};
    double x = rng_uniform(r, 0, 1), y = rng_uniform(r, 0, 1); /* where all pieces are small */
    for (int p = 0; p < f.pieces; p++) {
        f.a[p] = rng_magnitude(r, -2, 1);
        f.b[p] = rng_magnitude(r, -2, 1);
        f.c[p] = -f.a[p] * x - f.b[p] * y - rng_uniform(r, 0, 1) * pow(10, rng_uniform(r, -4, 0));
    }
    for (int k = 0; k < margins; k++) f.sign[k] = rng_int(r, 0, 1) ? 1 : -1;
    return f;
}

/* ---- Tests */

/* The lattice, and one point more in each of its cells. */
TEST(test_constant) {
    const field f = {.margins = 1, .margin = nothing};
    assert_int_equal(refine(&f, 257, 257, 16, "a constant"), 17 * 17 + 16 * 16);
    assert_int_equal(refine(&f, 129, 65, 8, "a constant"), 17 * 9 + 16 * 8);
    assert_int_equal(refine(&f, 1, 257, 16, "a constant"), 17 + 16);
    assert_int_equal(refine(&f, 1, 1, 16, "a constant"), 1);
    assert_int_equal(refine(&f, 2, 2, 16, "a constant"), 4);
    assert_int_equal(refine(&f, 5, 3, 1, "a constant"), 15);
}

/* Half planes, wedges, corners and polygons, however small or thin: a margin that is convex or concave hides
 * nothing from its lattice. */
TEST(test_convex) {
    rng r = rng_start("refine convex");
    size_t cases = effort(100);
    for (size_t i = 0; i < cases; i++) {
        field f = random_pieces(&r, rng_int(&r, 1, 2));
        f.merged = rng_int(&r, 0, 1);
        refine(&f, (size_t)rng_int(&r, 1, 150), (size_t)rng_int(&r, 1, 150), (size_t)rng_int(&r, 1, 40),
               "a polygon");
    }
}

TEST(test_discs) {
    rng r = rng_start("refine discs");
    size_t cases = effort(60);
    for (size_t i = 0; i < cases; i++) {
        field f = {.margins = 2, .margin = disc};
        for (int k = 0; k < 2; k++) {
            f.a[k] = rng_uniform(&r, 0, 1);
            f.b[k] = rng_uniform(&r, 0, 1);
            f.c[k] = pow(10, rng_uniform(&r, -4, 0));
            f.sign[k] = rng_int(&r, 0, 1) ? 1 : -1;
        }
        refine(&f, (size_t)rng_int(&r, 2, 150), (size_t)rng_int(&r, 2, 150), (size_t)rng_int(&r, 1, 40),
               "two discs");
    }
}

/* A ring as wide as a point or two: neighbours along it keep it in sight. */
TEST(test_rings) {
    for (double radius = 0.1; radius < 0.5; radius += 0.013 * (double)effort_stride(3)) {
        const field f = {.margins = 1, .margin = ring, .a = {radius}, .b = {0.003}};
        refine(&f, 257, 257, 8, "a thin ring");
    }
}

/* Half a wave is at least one and a half cells long. */
TEST(test_stripes) {
    rng r = rng_start("refine stripes");
    size_t cases = effort(15);
    for (size_t i = 0; i < cases; i++) {
        double angle = rng_uniform(&r, 0, 6.28), fast = rng_uniform(&r, 3.0, 10.6) * 2.0 * 1.5;
        const field f = {.margins = 1,
                         .margin = waves,
                         .a = {fast * cos(angle)},
                         .b = {fast * sin(angle)},
                         .c = {rng_uniform(&r, 0, 6.28)}};
        refine(&f, 193, 193, 16, "stripes");
    }
}

static bool every_second_column(size_t i, size_t j) {
    (void)i;
    return j % 2 == 1;
}
static bool a_quarter(size_t i, size_t j) {
    return i > 70 && j > 33;
}
static bool off_the_lattice(size_t i, size_t j) {
    return i % 4 != 0 || j % 8 != 0;
}

/* Nothing is filled next to points without a class, though all of the lattice is well. */
TEST(test_lone) {
    bool (*const lone[])(size_t, size_t) = {every_second_column, a_quarter, off_the_lattice};
    for (int k = 0; k < 3; k++) {
        const field f = {.margins = 1, .margin = nothing, .lone = lone[k]};
        refine(&f, 129, 129, 16, "points that cannot be analysed");
        refine(&f, 100, 77, 16, "points that cannot be analysed");
    }
}

/* Where points of two kinds meet all are evaluated, though their codes and margins are alike. */
TEST(test_kinds) {
    const field f = {.margins = 1, .margin = nothing, .other = a_quarter};
    size_t evaluated = refine(&f, 129, 129, 16, "points of two kinds");
    assert_true(evaluated >= 2 * (58 + 95) && evaluated < 129 * 129 / 4);
}

/* The number of points per point of a straight boundary's length, whatever the grid. */
TEST(test_cost) {
    for (int k = 0; k < 40; k += (int)effort_stride(10)) {
        double angle = 0.157 * k, a = cos(angle), b = sin(angle);
        const field f = {.margins = 1,
                         .margin = largest,
                         .pieces = 1,
                         .a = {a},
                         .b = {b},
                         .c = {-0.5 * (a + b) - 0.01},
                         .sign = {1}};
        size_t coarse = 2 * 33 * 33, length = (size_t)(1.5 * 513);
        size_t count = refine(&f, 513, 513, 16, "a half plane");
        check_true(count <= coarse + 16 * length, "%zu evaluations for the half plane at angle %g", count,
                   angle);
        check_true(count >= 513, "fewer evaluations than the boundary has points");
    }
}

static costab_status refuse(void *context, const size_t *numbers, size_t count, refine_point *points,
                            costab_error *error) {
    (void)context, (void)numbers, (void)count, (void)points, (void)error;
    return COSTAB_NUMERIC;
}

static double round_to(double x, double whole) {
    return whole * round(x / whole);
}

/* -1 in an ellipse, 1 outside of it: nothing tells from afar that it is there. */
static double island(const field *f, int k, double x, double y) {
    (void)k;
    return hypot((x - f->a[0]) / f->b[0], (y - f->a[1]) / f->b[1]) < 1 ? -1 : 1;
}

/* An island that has a point on a line is found, with all of its points; without lines some are missed. */
TEST(test_lines) {
    enum { SIDE = 129, CELL = 8 };
    rng r = rng_start("refined islands");
    for (int round = 0; round < (int)effort(60); round++) {
        field f = {.margins = 1, .margin = island, .lines = true, .change = {SIDE, SIDE}};
        for (int a = 0; a < 2; a++) f.a[a] = rng_uniform(&r, 0.2, 0.8);
        const int across = rng_int(&r, 0, 1);
        f.a[across] = round_to(f.a[across] * (SIDE - 1), 2 * CELL) / (SIDE - 1);
        f.b[across] = rng_uniform(&r, 0.7, 4) / (SIDE - 1);
        f.b[1 - across] = rng_uniform(&r, 0.7, 12) / (SIDE - 1);
        refine(&f, SIDE, SIDE, CELL, "island");
    }
}

/* -1 in a wedge that begins just before a line, and has there no point; 1 outside of it. */
static double wedge(const field *f, int k, double x, double y) {
    (void)k;
    double depth = (f->across == 0 ? x : y) - f->a[0], aside = (f->across == 0 ? y : x) - f->a[1];
    return depth > -0.5 * f->b[0] && depth < 6.5 * f->b[0] && fabs(aside) < 0.2 * f->b[0] + 0.8 * depth ? -1
                                                                                                        : 1;
}

/* A boundary that crosses a line between two of its points is followed from there. */
TEST(test_changes_between_points) {
    enum { SIDE = 129, CELL = 8 };
    rng r = rng_start("refined wedges");
    for (int round = 0; round < 100; round++) {
        field f = {.margins = 1, .margin = wedge, .lines = true, .across = rng_int(&r, 0, 1)};
        f.change[f.across] = (size_t)(2 * CELL * rng_int(&r, 1, 6));
        f.change[1 - f.across] = (size_t)rng_int(&r, 8, 115);
        f.b[0] = 1.0 / (SIDE - 1);
        f.a[0] = (double)f.change[f.across] * f.b[0];
        f.a[1] = ((double)f.change[1 - f.across] + 0.5) * f.b[0];
        refine(&f, SIDE, SIDE, CELL, "wedge");
    }
}

/* For waves of any length the cost is at most that of all points plus 15 %. */
TEST(test_account) {
    rng r = rng_start("refine account");
    double most = 0;
    for (size_t i = 0; i < effort(20); i++) {
        double angle = rng_uniform(&r, 0, 6.28), fast = rng_magnitude(&r, 0, 3);
        const field f = {.margins = 1,
                         .margin = waves,
                         .lines = rng_int(&r, 0, 1) != 0,
                         .change = {MOST, MOST},
                         .a = {fast * cos(angle)},
                         .b = {fast * sin(angle)},
                         .c = {rng_uniform(&r, 0, 6.28)}};
        const size_t side = (size_t)rng_int(&r, 33, 257), cell = (size_t)rng_int(&r, 4, 32);
        const grid g = refine_in(&f, side, side, cell, true, NULL);
        most = fmax(most, g.spent / (double)(side * side));
    }
    print_message("# at most %.3f of all points\n", most);
    check_true(most <= 1.15, "%g of all points", most);
}

TEST(test_errors) {
    refine_work *work = NULL;
    check_ok(refine_work_create(&work, 100, &why));
    refine_patch patch = {.count = {10, 10}, .cell = 4, .margins = 1, .evaluate = refuse, .weight = 1};
    assert_int_equal(refine_run(work, &patch, NULL), COSTAB_NUMERIC);
    patch.count[0] = 11;
    assert_int_equal(refine_run(work, &patch, NULL), COSTAB_INVALID);
    refine_work_destroy(&work);
    refine_work_destroy(&work);
}
