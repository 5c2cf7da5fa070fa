/* Complete limits: known boundaries, narrow gaps, classes, ill-posed values, whole multiples, the planar
 * system. Many oscillators, and workers: limit_oscillators.c. */
#include <math.h>
#include <string.h>

#include "costab/limit.h"
#include "find_limit.h"
#include "limit/limit.h"
#include "network/network.h"
#include "network_model.h"

/* A made-up family: a 1 x 1 map and a 1 x 1 continuous system. */
typedef struct curve {
    double (*map)(double);
    double (*continuous)(double);
    double ill; /* no map below this */
    double numbers[2];
    size_t calls;
} curve;

static costab_status on_curve(void *context, double value, unsigned wanted, costab_family_point *point,
                              costab_error *error) {
    curve *c = context;
    (void)wanted;
    (void)error;
    c->calls++;
    if (value < c->ill) return COSTAB_INVALID;
    c->numbers[0] = c->map(value);
    c->numbers[1] = c->continuous(value);
    *point = (costab_family_point){.map = {.size = 1, .entries = &c->numbers[0]},
                                   .continuous = {.size = 1, .entries = &c->numbers[1]}};
    return COSTAB_OK;
}

static double parabola(double x) {
    return 1 + (x - 1) * (x - 2);
}

static double always(double x) {
    (void)x;
    return -1;
}

static double until_three_halves(double x) {
    return x - 1.5;
}

/* Rises above 1 on a gap of 2e-6 around sqrt(1/2). */
static double bump(double x) {
    double d = x - sqrt(0.5);
    return 1 + 1e-12 - d * d;
}

/* A kink at 1/2, where it is 1 - 1e-3. */
static double kink(double x) {
    return 1 - 1e-3 + fabs(x - 0.5);
}

/* 1 everywhere, up to the last bits. */
static double one(double x) {
    return 1 + 1e-16 * sin(1e5 * x);
}

static double pole(double x) {
    return 0.5 / (x - 0.25);
}

static costab_limit of_curve(curve *c, double lower, double upper) {
    costab_family family = {.at = on_curve, .context = c};
    if (c->continuous == NULL) c->continuous = always;
    return find_limit(&family, lower, upper);
}

/* Cells: ascending, without gaps, over the whole range. */
static void check_cells(const costab_cells *cells, double lower, double upper) {
    assert_true(cells->count > 0 && cells->items[0].from == lower &&
                cells->items[cells->count - 1].to == upper);
    for (size_t i = 0; i + 1 < cells->count; i++)
        assert_true(cells->items[i].from < cells->items[i].to &&
                    cells->items[i].to == cells->items[i + 1].from);
}

TEST(test_interval) {
    curve c = {.map = parabola};
    costab_limit limit = of_curve(&c, 0, 5);
    assert_int_equal(limit.count, 1);
    check_piece(&limit, 0, 1, 2, COSTAB_END_LIMIT, COSTAB_END_LIMIT, COSTAB_SS);
    check_cells(&limit.discrete, 0, 5);
    check_cells(&limit.continuous, 0, 5);
    costab_limit_free(&limit);
    limit = of_curve(&c, 1.25, 1.75);
    assert_int_equal(limit.count, 1);
    check_piece(&limit, 0, 1.25, 1.75, COSTAB_END_RANGE, COSTAB_END_RANGE, COSTAB_SS);
    costab_limit_free(&limit);
    limit = of_curve(&c, 3, 4);
    assert_int_equal(limit.count, 0);
    costab_limit_free(&limit);
}

TEST(test_split_by_class) {
    curve c = {.map = parabola, .continuous = until_three_halves};
    costab_limit limit = of_curve(&c, 0, 5);
    assert_int_equal(limit.count, 2);
    check_piece(&limit, 0, 1, 1.5, COSTAB_END_LIMIT, COSTAB_END_LIMIT, COSTAB_SS);
    check_piece(&limit, 1, 1.5, 2, COSTAB_END_LIMIT, COSTAB_END_LIMIT, COSTAB_US);
    costab_limit_free(&limit);
}

static double apart = 0;

static double passes_one(double x) {
    return 0.5 + x;
}

/* Passes 0 so far below 1/2, where the map passes 1; sines stand for rounding. */
static double passes_zero(double x) {
    return x - (0.5 - apart) + 1e-16 * sin(1e9 * x);
}

/* Ends of both systems that differ by rounding are one end; those that do not stay, 5e-11 apart. */
TEST(test_common_end) {
    const double apart_by[] = {0, 1e-16, -1e-16, 4e-16, 5e-11, -5e-11, 5e-10, 5e-8};
    for (size_t i = 0; i < sizeof apart_by / sizeof *apart_by; i++) {
        apart = apart_by[i];
        curve c = {.map = passes_one, .continuous = passes_zero};
        costab_limit limit = of_curve(&c, 0, 1);
        bool differ = fabs(apart) > 1e-12;
        assert_int_equal(limit.count, differ && apart > 0 ? 2 : 1);
        const costab_piece *last = &limit.pieces[limit.count - 1];
        if (differ && apart > 0) check_near(last->to - last->from, apart, 1e-14L, "a sliver of %g", apart);
        check_near(last->to, 0.5, 1e-14L, "the map's end");
        costab_limit_free(&limit);
    }
}

/* Gaps that no sampling distance sees; kinks, which are certain. */
TEST(test_narrow) {
    curve c = {.map = bump};
    costab_limit limit = of_curve(&c, 0, 1);
    assert_int_equal(limit.count, 2);
    check_near(limit.pieces[0].to, sqrtl(0.5L) - 1e-6L, 2e-9L, "the gap begins");
    check_near(limit.pieces[1].from, sqrtl(0.5L) + 1e-6L, 2e-9L, "the gap ends");
    assert_true(limit.evaluations < 500);
    costab_limit_free(&limit);
    c = (curve){.map = kink};
    limit = of_curve(&c, 0, 1);
    assert_int_equal(limit.count, 1);
    check_piece(&limit, 0, 0.499, 0.501, COSTAB_END_LIMIT, COSTAB_END_LIMIT, COSTAB_SS);
    costab_limit_free(&limit);
}

/* On the limit everywhere: neutral, not undecided, and few evaluations. */
TEST(test_neutral) {
    curve c = {.map = one};
    costab_limit limit = of_curve(&c, 0, 1);
    assert_int_equal(limit.count, 1);
    check_piece(&limit, 0, 0, 1, COSTAB_END_RANGE, COSTAB_END_RANGE, COSTAB_SN);
    assert_true(limit.evaluations < 100);
    costab_limit_free(&limit);
}

TEST(test_ill_posed) {
    curve c = {.map = parabola, .ill = 1.25};
    costab_limit limit = of_curve(&c, 0, 5);
    assert_int_equal(limit.count, 1);
    check_piece(&limit, 0, 1.25, 2, COSTAB_END_ILL_POSED, COSTAB_END_LIMIT, COSTAB_SS);
    costab_limit_free(&limit);
    /* Nowhere posed: the family's own status. */
    c = (curve){.map = parabola, .continuous = always, .ill = 9};
    costab_family family = {.at = on_curve, .context = &c};
    costab_limit_options options = {.lower = 0, .upper = 5};
    assert_int_equal(limit_find(&family, &options, &limit, NULL), COSTAB_INVALID);
    costab_limit_free(&limit);
    /* Beyond a pole the map is stable again: |0.5/(x - 0.25)| < 1 from 0.75 on. */
    c = (curve){.map = pole};
    limit = of_curve(&c, 0.1, 2);
    assert_true(limit.count >= 1);
    check_piece(&limit, limit.count - 1, 0.75, 2, COSTAB_END_LIMIT, COSTAB_END_RANGE, COSTAB_SS);
    costab_limit_free(&limit);
}

TEST(test_cap) {
    curve c = {.map = bump, .continuous = always};
    costab_family family = {.at = on_curve, .context = &c};
    costab_limit_options options = {.lower = 0, .upper = 1, .evaluations = 20};
    costab_limit limit;
    check_ok(limit_find(&family, &options, &limit, &why));
    assert_true(limit.undecided[COSTAB_REASON_CAP] > 0 && limit.evaluations < 60);
    bool undecided = false;
    for (size_t i = 0; i < limit.count; i++)
        undecided |= limit.pieces[i].class_code == COSTAB_CLASS_UNDECIDED;
    assert_true(undecided);
    costab_limit_free(&limit);
    options = (costab_limit_options){.lower = 1, .upper = 1};
    assert_int_equal(limit_find(&family, &options, &limit, NULL), COSTAB_INVALID);
}

/* ---- Networks over the macro step ---- */

static costab_limit over_step(const model *m, costab_coupling coupling, double lower, double upper) {
    costab_limit limit;
    costab_limit_options options = {.lower = lower, .upper = upper};
    coupling.macro_step = 1e9; /* does not matter */
    check_ok(costab_limit_macro_step(&m->network, &coupling, &options, &limit, &why));
    return limit;
}

/* [SP] example 4. */
static void example_4(model *m, const char *method, int substeps) {
    model_start(m);
    model_scalar(m, -1, 1, 1, method, substeps, 0.01);
    model_scalar(m, 0.1, -1, 1, method, substeps, 0.01);
    model_connect(m, 0, 0, 1, 0, 1, 0);
    model_connect(m, 1, 0, 0, 0, 1, 0);
}

TEST(test_example_4) {
    costab_coupling coupling = {.scheme = COSTAB_JACOBI};
    model m;
    example_4(&m, "rk4", 2);
    costab_limit limit = over_step(&m, coupling, 0.01, 3);
    assert_int_equal(limit.count, 1);
    check_near(limit.pieces[0].to, 0.894046816726L, 1e-12L, "two micro steps");
    assert_int_equal(limit.pieces[0].from_is, COSTAB_END_RANGE);
    costab_limit_free(&limit);

    /* Whole multiples of 0.01: 0.89 is the last. */
    example_4(&m, "euler", 0);
    limit = over_step(&m, coupling, 0.005, 3);
    assert_int_equal(limit.count, 1);
    check_piece(&limit, 0, 0.01, 0.89, COSTAB_END_RANGE, COSTAB_END_LIMIT, COSTAB_SS);
    assert_int_equal(limit.evaluations, 300);
    costab_limit_free(&limit);

    coupling.micro_steps = COSTAB_REAL_POWER;
    limit = over_step(&m, coupling, 0.05, 2);
    assert_int_equal(limit.count, 1);
    check_near(limit.pieces[0].to, 0.895047186481L, 1e-12L, "real n");
    costab_limit_free(&limit);
}

/* x' = -x by Euler's method: the factor of a macro step is 1 - H, or (1 - h)^(H/h) where the micro step h is
 * fixed. */
TEST(test_macro_step) {
    costab_coupling jacobi = {.scheme = COSTAB_JACOBI};
    model m;
    model_start(&m);
    model_scalar(&m, -1, 1, 1, "euler", 1, 0);
    costab_limit limit = over_step(&m, jacobi, 0.5, 5);
    assert_int_equal(limit.count, 1);
    check_piece(&limit, 0, 0.5, 2, COSTAB_END_RANGE, COSTAB_END_LIMIT, COSTAB_SS);
    costab_limit_free(&limit);
    m.subsystems[0].substeps = 0;
    m.subsystems[0].step = 0.25;
    limit = over_step(&m, jacobi, 0.3, 1.9);
    assert_int_equal(limit.count, 1);
    check_piece(&limit, 0, 0.5, 1.75, COSTAB_END_RANGE, COSTAB_END_RANGE, COSTAB_SS);
    costab_limit_free(&limit);
    /* All of 60,000 values are evaluated; 2,000,000 are refused. */
    m.subsystems[0].step = 1e-5;
    limit = over_step(&m, jacobi, 1e-5, 0.6);
    assert_int_equal(limit.count, 1);
    check_piece(&limit, 0, 1e-5, 0.6, COSTAB_END_RANGE, COSTAB_END_RANGE, COSTAB_SS);
    costab_limit_free(&limit);
    const costab_limit_options many = {.lower = 1e-5, .upper = 20};
    assert_int_equal(costab_limit_macro_step(&m.network, &jacobi, &many, &limit, &why), COSTAB_INVALID);
    assert_non_null(strstr(why.message, "2000000 single values"));
    m.subsystems[0].step = 0.25;
    /* Own clocks: at H = 0.25 p/q the map of q macro steps is 0.75^p; H < 0.25 too. */
    jacobi.micro_steps = COSTAB_CLOCKS;
    limit = over_step(&m, jacobi, 0.1, 1.9);
    assert_int_equal(limit.count, 1);
    assert_true(limit.pieces[0].class_code == COSTAB_SS && limit.evaluations > 1000);
    costab_limit_free(&limit);

    costab_error error = {0};
    costab_limit_options none = {.lower = 0, .upper = 1};
    assert_int_equal(costab_limit_macro_step(&m.network, &jacobi, &none, &limit, &error), COSTAB_INVALID);
}

/* x' = -x + g y, y' = -y - g x, backward Euler, iterated to convergence with the new values: a half sweep
 * gives x+ = (x + g H y+) / (1 + H), so that the iteration contracts iff g H < 1 + H; its limit is stable for
 * all H. */
TEST(test_macro_step_iterated) {
    const double g = 4;
    costab_coupling iterated = {.scheme = COSTAB_ITERATED, .interpolation = COSTAB_LINEAR};
    model m;
    model_start(&m);
    model_scalar(&m, -1, g, 1, "backward-euler", 1, 0);
    model_scalar(&m, -1, -g, 1, "backward-euler", 1, 0);
    model_connect(&m, 0, 0, 1, 0, 1, 0);
    model_connect(&m, 1, 0, 0, 0, 1, 0);
    costab_limit limit = over_step(&m, iterated, 0.01, 3);
    assert_int_equal(limit.count, 1);
    check_piece(&limit, 0, 0.01, 1 / (g - 1), COSTAB_END_RANGE, COSTAB_END_LIMIT, COSTAB_SS);
    costab_limit_free(&limit);
}

TEST(test_macro_unit) {
    model m;
    double unit;
    model_start(&m);
    model_scalar(&m, -1, 1, 1, "euler", 0, 0.04);
    model_scalar(&m, -1, 1, 1, "euler", 0, 0.06);
    model_scalar(&m, -1, 1, 1, "euler", 7, 0);
    check_ok(costab_network_macro_unit(&m.network, &unit, &why));
    check_near(unit, 0.12, 1e-16L, "of 0.04 and 0.06");
    m.subsystems[1].stride = 3; /* 0.02 */
    check_ok(costab_network_macro_unit(&m.network, &unit, &why));
    check_near(unit, 0.04, 1e-16L, "of 0.04 and 0.06 / 3");
    m.subsystems[1].stride = 1;
    for (int k = 0; k < 2; k++) { /* in either order */
        m.subsystems[k].step = 0.5;
        m.subsystems[1 - k].step = 1e-5;
        check_ok(costab_network_macro_unit(&m.network, &unit, &why));
        check_near(unit, 0.5, 1e-15L, "of 0.5 and 1e-5");
    }
    m.subsystems[0].step = 0.04;
    m.subsystems[1].step = 0.04 * sqrt(2);
    assert_int_equal(costab_network_macro_unit(&m.network, &unit, &why), COSTAB_INVALID);
    m.subsystems[0].substeps = m.subsystems[1].substeps = 1;
    check_ok(costab_network_macro_unit(&m.network, &unit, &why));
    check_near(unit, 0, 0, "substeps only");
}

/* ---- A static limit ---- */

typedef struct gained {
    model *of;
    costab_network_work *work;
} gained;

static costab_status on_gain(void *context, double value, unsigned wanted, costab_family_point *point,
                             costab_error *error) {
    const gained *g = context;
    static const costab_coupling jacobi = {.scheme = COSTAB_JACOBI, .macro_step = 0.1};
    g->of->connections[0].gain = value;
    return network_family_point(g->work, &g->of->network, &jacobi, wanted, point, error);
}

/* x' = a (y - x), y' = k x - y by exact solvers: an eigenvalue passes 0, and one of the map 1, at k = 1. Near
 * it rounding makes A_mono singular, the more the larger a is; nothing is stable there that is not below 1.
 */
TEST(test_singular) {
    static const double stiff[] = {1e3, 1e8, 1e11};
    (void)state;
    for (size_t i = 0; i < sizeof stiff / sizeof *stiff; i++) {
        model m;
        model_start(&m);
        model_scalar(&m, -stiff[i], stiff[i], 1, "exact", 1, 0);
        model_scalar(&m, -1, 1, 1, "exact", 1, 0);
        model_connect(&m, 0, 0, 1, 0, 1, 0);
        model_connect(&m, 1, 0, 0, 0, 1, 0);
        gained g = {.of = &m};
        check_ok(costab_network_work_create(&g.work, &why));
        costab_family family = {.at = on_gain, .context = &g};
        costab_limit limit = find_limit(&family, 0.5, 1.6);
        double end = 0, widest = 0;
        for (size_t p = 0; p < limit.count; p++) {
            const costab_piece *piece = &limit.pieces[p];
            bool undecided = piece->class_code == COSTAB_CLASS_UNDECIDED;
            if (undecided)
                widest = fmax(widest, piece->to - piece->from);
            else
                end = fmax(end, piece->to);
        }
        /* Below 2e-8, what is singular is the end itself. */
        assert_true(end <= 1 + 2e-8 && end >= 1 - 1e-14 * stiff[i] - 1e-10);
        assert_true(widest <= 1e-14 * stiff[i] + 1e-10);
        costab_limit_free(&limit);
        costab_network_work_destroy(&g.work);
    }
}

/* ---- The planar system ---- */

/* The planar system along Delta at one a and Gamma. */
typedef struct planar_row {
    const costab_planar *planar;
    double a, gamma;
    double map[4], guesses[4], continuous[4];
} planar_row;

/* A = [a, 1; bc, d]: b and c matter by their product only. */
static costab_status planar_at(void *context, double value, unsigned wanted, costab_family_point *point,
                               costab_error *error) {
    planar_row *r = context;
    const costab_planar *planar = r->planar;
    double d = r->gamma - r->a, product = r->a * d - value;
    const double continuous[4] = {r->a, 1, product, d};
    (void)wanted, (void)error;
    memcpy(r->continuous, continuous, sizeof continuous);
    costab_planar_map(planar, continuous, r->map);
    *point = (costab_family_point){.map = {.size = 2, .entries = r->map},
                                   .continuous = {.size = 2, .entries = r->continuous}};
    if (planar->scheme != COSTAB_STRONG) return COSTAB_OK;
    costab_weights one = costab_method_weights(&planar->method, planar->substeps[0], r->a);
    costab_weights two = costab_method_weights(&planar->method, planar->substeps[1], d);
    const double guesses[4] = {0, one.p1, product * two.p1, 0};
    memcpy(r->guesses, guesses, sizeof guesses);
    point->guesses = (costab_matrix){.size = 2, .entries = r->guesses};
    return COSTAB_OK;
}

/* Along Delta the ends are those of the row, in closed form. */
TEST(test_planar) {
    for (int scheme = COSTAB_CROSS; scheme < COSTAB_SCHEME_COUNT; scheme++) {
        costab_planar planar;
        costab_method euler = method_named("heun");
        check_ok(costab_planar_init(&planar, (costab_scheme)scheme, &euler, 1, 1, &why));
        costab_interval row[COSTAB_ROW_PIECES_MAX];
        costab_planar_slice slice = costab_planar_at(&planar, -0.3);
        int count = costab_planar_row(&slice, -0.8, row);
        planar_row system = {.planar = &planar, .a = -0.3, .gamma = -0.8};
        costab_family family = {.at = planar_at, .context = &system};
        costab_limit limit = find_limit(&family, -3, 5);
        /* The continuous system changes at Delta = 0. */
        double from = -3, to = 5;
        assert_int_equal(count, 1);
        if (row[0].lower > from) from = row[0].lower;
        if (row[0].upper < to) to = row[0].upper;
        assert_true(limit.count >= 1);
        check_near(limit.pieces[0].from, from, 1e-11L, "scheme %d from", scheme);
        check_near(limit.pieces[limit.count - 1].to, to, 1e-11L, "scheme %d to", scheme);
        assert_int_equal(limit.pieces[limit.count - 1].class_code, COSTAB_SS);
        costab_limit_free(&limit);
    }
}
