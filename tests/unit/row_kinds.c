/* Kinds of rows in doubles against the same in integers; roots against those that polynomials are made of,
 * and stable points against the kernel of the maps. */
#include "planar/row_kinds.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "planar/area_quick_rows.h"
#include "planar/projection_pairs.h"
#include "planar/projection_quick.h"
#include "support/planar.h"

/* ---- rows ---- */

typedef struct counts {
    int rows, told, points, held;
} counts;

static critical_kinds kinds_in_integers(costab_scheme scheme, const quick_side *side, double a, bool *sure) {
    critical_kinds kinds = {{KIND_NONE, KIND_NONE, KIND_NONE}};
    static quick_rows rows;
    mpz_t num, den;
    mpz_init(num);
    mpz_init(den);
    quick_fraction(num, den, a);
    quick_rows_find(&rows, scheme, side, num, den);
    *sure = !rows.roots.doubt;
    for (int k = 0; k < rows.count; k++)
        critical_add_piece(&kinds, rows.piece[k].ss, rows.piece[k].right, rows.piece[k].infinite);
    quick_rows_clear(&rows);
    mpz_clear(num);
    mpz_clear(den);
    return kinds;
}

/* A point that is proved to be stable from low to high is so there, by its map. */
static void check_holds(const costab_planar *planar, const apart *plane, const row_witness *point, double a,
                        rng *r, counts *n) {
    const double reach = pow(10, rng_uniform(r, -9, 0)), low = a - reach, high = a + reach;
    n->points++;
    if (!row_holds(plane, point, low, high)) return;
    n->held++;
    for (int k = 0; k <= 6; k++) {
        const double at = low + (high - low) * k / 6, gamma = at + plane->unit * point->e;
        const costab_planar_point found = point_at(planar, at, gamma, point->delta);
        const bool stable = found.class_code & 1;
        check_true(stable || (found.spectral_radius < 1 + 1e-7 && !(found.iteration_radius > 1 + 1e-7)),
                   "%s with %s: the point %.17g, %.17g, %.17g", costab_scheme_name(planar->scheme),
                   planar->method.name, at, gamma, point->delta);
        check_true(point->right ? gamma > 0 : gamma < 0, "the side of Gamma = %g", gamma);
    }
}

/* At random a: those of few digits, at which roots may coincide, and others. */
static void compare(const costab_planar *planar, rng *r, int rounds, counts *n) {
    quick_side side;
    quick_roots *roots = memory_alloc(1, sizeof *roots);
    apart *plane = memory_alloc(1, sizeof *plane);
    planar_watch watch = {.from = 0};
    quick_side_init(&side);
    assert_true(roots != NULL && plane != NULL);
    quick_roots_init(roots);
    roots->low = -9;
    roots->high = 9;
    const bool made = quick_side_make(planar, &side);
    if (made) (void)projection_quick(&side, planar->scheme, roots, plane, &watch);
    for (int k = 0; made && k < rounds; k++) {
        const double a = k == 0 ? 0 : k % 4 == 0 ? rng_int(r, -32, 32) / 4.0 : rng_uniform(r, -8.5, 8.5);
        row_kinds row;
        bool sure;
        n->rows++;
        if (!row_kinds_at(plane, a, &row)) continue;
        n->told++;
        const critical_kinds expected = kinds_in_integers(planar->scheme, &side, a, &sure);
        for (int region = 0; region < CRITICAL_REGIONS && sure; region++)
            check_true(row.kinds.of[region] == expected.of[region],
                       "%s with %s at %.17g, region %d: kind %d, not %d", costab_scheme_name(planar->scheme),
                       planar->method.name, a, region, row.kinds.of[region], expected.of[region]);
        for (int i = 0; i < row.count; i++) check_holds(planar, plane, &row.witness[i], a, r, n);
        for (int i = 0; i < 20; i++) {
            const double e = rng_magnitude(r, -2, 1);
            check_holds(planar, plane, &(row_witness){e, rng_magnitude(r, -2, 1), a + plane->unit * e > 0}, a,
                        r, n);
        }
    }
    quick_roots_clear(roots);
    quick_side_clear(&side);
    memory_free(roots);
    memory_free(plane);
}

static void named_methods(void **state) {
    (void)state;
    static const char *const methods[] = {"euler", "heun", "ralston", "ssprk3",         "kutta3",     "rk4",
                                          "rk38",  "bs3",  "radau2",  "backward-euler", "trapezoidal"};
    rng r = rng_start("named_methods");
    counts n = {0};
    for (int m = 0; m < (int)(sizeof methods / sizeof methods[0]); m++)
        for (int s = COSTAB_CROSS; s <= COSTAB_STRONG; s++) {
            const costab_planar planar = planar_named((costab_scheme)s, methods[m], 1, 1);
            compare(&planar, &r, (int)effort(24), &n);
        }
    check_true(n.told * 10 > n.rows * 9, "%d of %d rows are told", n.told, n.rows);
    check_true(n.held * 30 > n.points, "%d of %d points hold", n.held, n.points);
}

/* Tableaux with entries of few digits, of 17, and with stages that take no part. */
static void random_methods(void **state) {
    (void)state;
    enum { WIDTH = 24 };
    rng r = rng_start("random_methods");
    counts n = {0};
    const int rounds = (int)effort(250);
    for (int i = 0; i < rounds; i++) {
        const int stages = rng_int(&r, 1, 3);
        char text[12][WIDTH];
        costab_entry A[9], b[3];
        costab_method method;
        int left = 6;
        for (int k = 0; k < stages * (stages + 1); k++) {
            const int row = k / (stages + 1), column = k % (stages + 1) - 1;
            const bool none = (i % 2 == 0 && column >= row) || rng_int(&r, 0, 5) == 0;
            const int weight = row == stages - 1 ? left : rng_int(&r, -6, 9);
            if (column < 0) left -= weight;
            snprintf(text[k], WIDTH, "%d/%d",
                     column < 0 ? weight
                     : none     ? 0
                                : rng_int(&r, -6, 6),
                     column < 0 ? 6 : rng_int(&r, 1, 5));
            *(column < 0 ? &b[row] : &A[row * stages + column]) = (costab_entry){text[k], strlen(text[k]), 0};
        }
        if (i % 5 == 0)
            method = method_random_exact(&r, stages, i % 2 != 0);
        else
            assert_int_equal(costab_method_from_entries(stages, A, b, NULL, &method, NULL), COSTAB_OK);
        const costab_planar planar =
            planar_of((costab_scheme)rng_int(&r, COSTAB_CROSS, COSTAB_STRONG), &method, 1, 1);
        compare(&planar, &r, 8, &n);
    }
    check_true(n.told * 10 > n.rows * 8, "%d of %d rows are told", n.told, n.rows);
}

/* ---- areas that are infinite, or nearly so ---- */

/* A form with the coefficients c[j] of e^j, and a more for that of e^with_a; with_a < 0: none. */
static void set_form(apart_form *form, int degree, const double *c, int with_a) {
    *form = (apart_form){.degree_e = degree, .degree_a = with_a >= 0};
    for (int j = 0; j <= degree; j++) {
        form->c[j][0] = c[j];
        form->size[j][0] = fabs(c[j]);
    }
    if (with_a >= 0) form->c[with_a][1] = form->size[with_a][1] = 1;
}

static void add_curve(apart *plane, unsigned from, int degree, const double *c, int with_a) {
    plane->from[plane->curves] = from;
    set_form(&plane->form[plane->curves++], degree, c, with_a);
}

static void check_kinds(const apart *plane, double a, critical_kind ss, critical_kind us,
                        critical_kind right) {
    const critical_kind expected[CRITICAL_REGIONS] = {ss, us, right};
    row_kinds row;
    check_true(row_kinds_at(plane, a, &row), "a = %g is told", a);
    for (int region = 0; region < CRITICAL_REGIONS; region++)
        check_true(row.kinds.of[region] == expected[region], "a = %g, region %d: kind %d, not %d", a, region,
                   row.kinds.of[region], expected[region]);
}

/* With the sign of Delta that of e - 5, Delta lies between 0 and (e - 3) / q(e): the lengths are finite where
 * both ends of the bound vanish at 5; they fall off as 1 / e^3, or as 1 / e, whose integral has no end; and
 * they have a pole at 5 where x1 alone vanishes there. */
static void lengths(void **state) {
    (void)state;
    enum { FALL_OFF, FALL_SLOWLY, POLE, WAYS };
    const double one = 1, line[2] = {0, 1}, three[2] = {-3, 1}, five[2] = {-5, 1}, both[3] = {15, -8, 1},
                 square[3] = {1, 0, 1}, other[3] = {4, 0, 1}, slow[4] = {5, -1, 5, -1},
                 fast[6] = {20, -4, 25, -5, 5, -1};
    apart *plane = memory_alloc(1, sizeof *plane);
    assert_true(plane != NULL);
    for (int way = 0; way < WAYS; way++) {
        apart_form *form = &plane->form[APART_CURVES];
        const unsigned zero = PROJECTION_PHI | PROJECTION_X1 | (way == POLE ? 0u : PROJECTION_X0);
        *plane = (apart){.bounds = 1, .unit = 1};
        add_curve(plane, PROJECTION_GAMMA, 1, line, 0);
        add_curve(plane, zero, 1, five, -1);
        add_curve(plane, PROJECTION_X0, 1, three, -1);
        add_curve(plane, PROJECTION_X1, 2, square, -1);
        if (way != FALL_SLOWLY) add_curve(plane, PROJECTION_X1, 2, other, -1);
        set_form(&form[0], 0, &one, -1);
        set_form(&form[1], 1, five, -1);
        set_form(&form[2], way == POLE ? 1 : 2, way == POLE ? three : both, -1);
        set_form(&form[3], way == FALL_SLOWLY ? 3 : 5, way == FALL_SLOWLY ? slow : fast, -1);
        const critical_kind kind = way == FALL_OFF ? KIND_FINITE : KIND_INFINITE;
        check_kinds(plane, 1.25, KIND_NONE, kind, kind);
    }
    memory_free(plane);
}

/* Delta lies between 1 and 2 + a e^2, both over e^2 + 1: the length (1 + a e^2) / (e^2 + 1) goes to a, so
 * that areas are infinite for a > 0 and finite for a < 0, and at 0, where it falls off as 1 / e^2. */
static void lengths_without_a(void **state) {
    (void)state;
    const double one = 1, line[2] = {0, 1}, square[3] = {1, 0, 1}, less[3] = {-1, 0, -1}, low = -1,
                 high[3] = {2, 0, 0}, length[3] = {1, 0, 0};
    apart *plane = memory_alloc(1, sizeof *plane);
    assert_true(plane != NULL);
    *plane = (apart){.bounds = 2, .unit = 1, .meeting_degree = {4}};
    apart_form *form = &plane->form[APART_CURVES];
    add_curve(plane, PROJECTION_GAMMA, 1, line, 0);
    add_curve(plane, PROJECTION_X1 | PROJECTION_X1 << 1 | PROJECTION_MEETING, 2, square, -1);
    add_curve(plane, PROJECTION_X0, 2, high, 2);
    add_curve(plane, PROJECTION_MEETING, 2, length, 2);
    for (int k = 0; k < 2; k++) set_form(&form[k], 0, &one, -1);
    set_form(&form[2], 2, high, 2);
    set_form(&form[3], 2, less, -1);
    set_form(&form[4], 0, &low, -1);
    set_form(&form[5], 2, square, -1);
    check_kinds(plane, 0.5, KIND_INFINITE, KIND_INFINITE, KIND_INFINITE);
    check_kinds(plane, -0.5, KIND_FINITE, KIND_FINITE, KIND_FINITE);
    row_kinds row;
    if (row_kinds_at(plane, 0, &row)) /* it may be left in doubt */
        check_kinds(plane, 0, KIND_FINITE, KIND_FINITE, KIND_FINITE);
    memory_free(plane);
}

/* ---- roots ---- */

static int by_size(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double place_of(double e) {
    return fabs(e) <= 1 ? e : copysign(ROW_FAR - 1 / fabs(e), e);
}

/* A part with up to five new roots, eighths with an odd numerator for part 1 and an even one for part 0. All
 * is exact. */
static void add_known(row_roots *roots, int part, bool with_complex, rng *r, double *root, int *count) {
    row_line *line = &roots->line[part];
    *line = (row_line){0, 0, {1}, {0}};
    for (int k = rng_int(r, 1, 5); k > 0; k--) {
        const double x = (rng_int(r, 0, 60) * 2 + part) / 8.0 * (rng_int(r, 0, 1) ? 1 : -1);
        bool known = x == 0;
        for (int j = 0; j < *count; j++) known = known || root[j] == x;
        if (known) continue;
        root[(*count)++] = x;
        for (int j = ++line->degree; j >= 0; j--)
            line->c[j] = (j > 0 ? 8 * line->c[j - 1] : 0) - 8 * x * line->c[j];
    }
    if (line->degree == 0) return;
    if (with_complex) { /* times e^2 + e + 1 */
        line->degree += 2;
        for (int j = line->degree; j >= 0; j--)
            line->c[j] += (j > 0 ? line->c[j - 1] : 0) + (j > 1 ? line->c[j - 2] : 0);
    }
    for (int j = 0; j <= line->degree; j++) line->size[j] = fabs(line->c[j]);
    row_roots_add(roots, part, -ROW_FAR, ROW_FAR);
}

/* Near and far, some of them beside complex ones. */
static void roots_are_found(void **state) {
    (void)state;
    rng r = rng_start("roots_are_found");
    static row_roots roots;
    const int rounds = (int)effort(400);
    int told = 0;
    for (int i = 0; i < rounds; i++) {
        double root[12];
        int count = 0;
        roots = (row_roots){.work = 4000};
        for (int part = 0; part < 2; part++) add_known(&roots, part, i % 2 == 0, &r, root, &count);
        row_roots_order(&roots);
        if (roots.doubt) continue;
        told++;
        qsort(root, (size_t)count, sizeof root[0], by_size);
        assert_int_equal(roots.count, count);
        for (int k = 0; k < count; k++) {
            const double s = place_of(root[k]);
            check_true(roots.root[k].low <= s && s <= roots.root[k].high, "round %d: %.17g in %.17g, %.17g",
                       i, root[k], roots.root[k].low, roots.root[k].high);
            check_true(k == 0 || roots.root[k - 1].high < roots.root[k].low, "round %d: root %d is told", i,
                       k);
        }
    }
    check_true(told * 10 > rounds * 5, "%d of %d are told", told, rounds);
}

/* Double roots, and two parts with one root, are left in doubt. */
static void roots_in_doubt(void **state) {
    (void)state;
    static row_roots roots;
    roots = (row_roots){.work = 4000};
    roots.line[0] = (row_line){2, 0, {9, -6, 1}, {9, 6, 1}}; /* (e - 3)^2 */
    row_roots_add(&roots, 0, -ROW_FAR, ROW_FAR);
    assert_true(roots.doubt);
    roots = (row_roots){.work = 4000};
    roots.line[0] = (row_line){1, 0, {-3, 1}, {3, 1}};
    roots.line[1] = (row_line){2, 0, {-15, 2, 1}, {15, 2, 1}}; /* (e - 3) (e + 5) */
    for (int part = 0; part < 2; part++) row_roots_add(&roots, part, -ROW_FAR, ROW_FAR);
    assert_false(roots.doubt);
    row_roots_order(&roots);
    assert_true(roots.doubt);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_methods),   cmocka_unit_test(random_methods),
        cmocka_unit_test(lengths),         cmocka_unit_test(lengths_without_a),
        cmocka_unit_test(roots_are_found), cmocka_unit_test(roots_in_doubt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
