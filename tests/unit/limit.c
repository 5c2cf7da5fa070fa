/* Complete limits: known boundaries, narrow gaps, classes, ill-posed values, whole multiples, the planar
 * system. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "costab/proof.h"
#include "network_model.h"
#include "oscillators.h"

/* A made-up family: a 1 x 1 map and a 1 x 1 continuous system. */
typedef struct curve {
    double (*map)(double);
    double (*continuous)(double);
    double ill; /* no map below this */
    double numbers[2];
    size_t calls;
} curve;

static costab_status on_curve(void *context, const double *values, unsigned wanted,
                              costab_family_point *point, costab_error *error) {
    curve *c = context;
    (void)wanted;
    (void)error;
    c->calls++;
    if (values[0] < c->ill) return COSTAB_INVALID;
    c->numbers[0] = c->map(values[0]);
    c->numbers[1] = c->continuous(values[0]);
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

/* 1 everywhere, but for the last bits. */
static double one(double x) {
    return 1 + 1e-16 * sin(1e5 * x);
}

static double pole(double x) {
    return 0.5 / (x - 0.25);
}

static costab_limit find(const costab_family *family, double lower, double upper) {
    costab_error error = {0};
    costab_limit limit;
    costab_limit_options options = {.lower = lower, .upper = upper};
    check_status(costab_limit_find(family, &options, &limit, &error), &error);
    return limit;
}

static costab_limit of_curve(curve *c, double lower, double upper) {
    costab_family family = {.at = on_curve, .context = c};
    if (c->continuous == NULL) c->continuous = always;
    return find(&family, lower, upper);
}

static void check_piece(const costab_limit *limit, size_t i, double from, double to, costab_end from_is,
                        costab_end to_is, int code) {
    assert_true(i < limit->count);
    const costab_piece *p = &limit->pieces[i];
    check_near(p->from, from, 1e-12L * (real)fmax(fabs(from), 1e-3), "from of piece %zu", i);
    check_near(p->to, to, 1e-12L * (real)fmax(fabs(to), 1e-3), "to of piece %zu", i);
    assert_int_equal(p->from_is, from_is);
    assert_int_equal(p->to_is, to_is);
    assert_int_equal(p->class_code, code);
}

/* Cells: ascending, without gaps, over the whole range. */
static void check_cells(const costab_cells *cells, double lower, double upper) {
    assert_true(cells->count > 0 && cells->items[0].from == lower &&
                cells->items[cells->count - 1].to == upper);
    for (size_t i = 0; i + 1 < cells->count; i++)
        assert_true(cells->items[i].from < cells->items[i].to &&
                    cells->items[i].to == cells->items[i + 1].from);
}

static void test_interval(void **state) {
    (void)state;
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

static void test_split_by_class(void **state) {
    (void)state;
    curve c = {.map = parabola, .continuous = until_three_halves};
    costab_limit limit = of_curve(&c, 0, 5);
    assert_int_equal(limit.count, 2);
    check_piece(&limit, 0, 1, 1.5, COSTAB_END_LIMIT, COSTAB_END_LIMIT, COSTAB_SS);
    check_piece(&limit, 1, 1.5, 2, COSTAB_END_LIMIT, COSTAB_END_LIMIT, COSTAB_US);
    costab_limit_free(&limit);
}

/* Gaps that no sampling distance sees; kinks, which are no places of doubt. */
static void test_narrow(void **state) {
    (void)state;
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
static void test_neutral(void **state) {
    (void)state;
    curve c = {.map = one};
    costab_limit limit = of_curve(&c, 0, 1);
    assert_int_equal(limit.count, 1);
    check_piece(&limit, 0, 0, 1, COSTAB_END_RANGE, COSTAB_END_RANGE, COSTAB_SN);
    assert_true(limit.evaluations < 100);
    costab_limit_free(&limit);
}

static void test_ill_posed(void **state) {
    (void)state;
    curve c = {.map = parabola, .ill = 1.25};
    costab_limit limit = of_curve(&c, 0, 5);
    assert_int_equal(limit.count, 1);
    check_piece(&limit, 0, 1.25, 2, COSTAB_END_ILL_POSED, COSTAB_END_LIMIT, COSTAB_SS);
    costab_limit_free(&limit);
    /* Nowhere posed: the family's own status. */
    c = (curve){.map = parabola, .continuous = always, .ill = 9};
    costab_family family = {.at = on_curve, .context = &c};
    costab_limit_options options = {.lower = 0, .upper = 5};
    assert_int_equal(costab_limit_find(&family, &options, &limit, NULL), COSTAB_INVALID);
    costab_limit_free(&limit);
    /* Beyond a pole the map is stable again: |0.5/(x - 0.25)| < 1 from 0.75 on. */
    c = (curve){.map = pole};
    limit = of_curve(&c, 0.1, 2);
    assert_true(limit.count >= 1);
    check_piece(&limit, limit.count - 1, 0.75, 2, COSTAB_END_LIMIT, COSTAB_END_RANGE, COSTAB_SS);
    costab_limit_free(&limit);
}

static void test_cap(void **state) {
    (void)state;
    curve c = {.map = bump, .continuous = always};
    costab_family family = {.at = on_curve, .context = &c};
    costab_limit_options options = {.lower = 0, .upper = 1, .evaluations = 20};
    costab_limit limit;
    assert_int_equal(costab_limit_find(&family, &options, &limit, NULL), COSTAB_OK);
    assert_true(limit.undecided[COSTAB_REASON_CAP] > 0 && limit.evaluations < 60);
    bool undecided = false;
    for (size_t i = 0; i < limit.count; i++)
        undecided |= limit.pieces[i].class_code == COSTAB_CLASS_UNDECIDED;
    assert_true(undecided);
    costab_limit_free(&limit);
    options = (costab_limit_options){.lower = 1, .upper = 1};
    assert_int_equal(costab_limit_find(&family, &options, &limit, NULL), COSTAB_INVALID);
}

/* ---- Gaps planted on purpose ---- */

/* A pair of modulus 1 + h - A (1 - cos(2 pi k (x - x0))) that turns, beside stable modes, in another basis: k
 * gaps where the pair is outside, each 2 d wide. */
typedef struct planted {
    int n, k;
    double x0, amplitude, height, turn, modes[8], basis[64], inverse[64], map[64];
    const double
        *ends; /* or NULL: three, and the modulus is 1 + steep (x - ends[0]) (x - ends[1]) (x - ends[2]) */
    double steep;
} planted;

static costab_status at_planted(void *context, const double *values, unsigned wanted,
                                costab_family_point *point, costab_error *error) {
    planted *p = context;
    const double pi = 3.14159265358979323846;
    double plain[64] = {0}, rest[64] = {0}, x = values[0];
    double radius = 1 + p->height - p->amplitude * (1 - cos(2 * pi * p->k * (x - p->x0)));
    (void)wanted;
    (void)error;
    if (p->ends != NULL) radius = 1 + p->steep * (x - p->ends[0]) * (x - p->ends[1]) * (x - p->ends[2]);
    for (int i = 2; i < p->n; i++) plain[i * p->n + i] = p->modes[i] * cos(3 * x + i);
    plain[0] = plain[p->n + 1] = radius * cos(p->turn * x);
    plain[1] = -(plain[p->n] = radius * sin(p->turn * x));
    memset(p->map, 0, sizeof p->map);
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++)
            for (int l = 0; l < p->n; l++)
                rest[i * p->n + j] += plain[i * p->n + l] * p->inverse[l * p->n + j];
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++)
            for (int l = 0; l < p->n; l++)
                p->map[i * p->n + j] += p->basis[i * p->n + l] * rest[l * p->n + j];
    *point = (costab_family_point){.map = {.size = p->n, .entries = p->map}, .turn = p->turn * x};
    return COSTAB_OK;
}

/* A basis of reflections, so that it is its own inverse transposed. */
static void turn_basis(rng *r, planted *p) {
    int n = p->n;
    double v[8], length = 0;
    for (int i = 0; i < n; i++) {
        v[i] = rng_uniform(r, -1, 1);
        length += v[i] * v[i];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            p->basis[i * n + j] = (i == j) - 2 * v[i] * v[j] / length;
            p->inverse[j * n + i] = p->basis[i * n + j];
        }
}

static void test_planted(void **state) {
    (void)state;
    const double pi = 3.14159265358979323846;
    rng r = rng_start("planted");
    for (int i = 0; i < 40; i++) {
        planted p = {.n = rng_int(&r, 2, 8), .k = rng_int(&r, 3, 12), .amplitude = rng_uniform(&r, 0.1, 0.4)};
        p.x0 = rng_uniform(&r, 0.3, 0.7) / p.k;
        p.turn = rng_uniform(&r, 5, 60);
        for (int m = 2; m < p.n; m++) p.modes[m] = rng_uniform(&r, -0.95, 0.95);
        turn_basis(&r, &p);
        /* Half the width of a gap, down to 0.5e-7 of the range. */
        double d = 0.5e-7 * pow(10, rng_uniform(&r, 0, 4));
        p.height = p.amplitude * (1 - cos(2 * pi * p.k * d));
        costab_family family = {.at = at_planted, .context = &p};
        costab_limit limit = find(&family, 0, 1);
        /* No gap is passed over: within every one the answer is not stable, or at least undecided; in the
         * middle between two it is stable. */
        for (int g = 0; g < p.k; g++) {
            double gap = p.x0 + (double)g / p.k, calm = gap + 0.5 / p.k;
            bool in_gap = false, in_calm = false;
            for (size_t q = 0; q < limit.count; q++) {
                bool stable = limit.pieces[q].class_code != COSTAB_CLASS_UNDECIDED;
                in_gap |= stable && limit.pieces[q].from < gap && limit.pieces[q].to > gap;
                in_calm |= stable && limit.pieces[q].from < calm && limit.pieces[q].to > calm;
            }
            check_true(!in_gap, "case %d: the gap at %.17g, %g wide, is missed", i, gap, 2 * d);
            check_true(in_calm || calm > 1, "case %d: %.17g is stable", i, calm);
        }
        check_true(limit.evaluations < 8000, "case %d: %zu evaluations", i, limit.evaluations);
        costab_limit_free(&limit);
    }
}

/* Three ends, two of them so near each other that no node is between: those that a search finds first and
 * takes out of its functions leave the others to be found. */
static void test_near_ends(void **state) {
    (void)state;
    rng r = rng_start("near ends");
    for (int i = 0; i < (int)effort(40); i++) {
        double apart = pow(10, rng_uniform(&r, -2.5, -1)), first = rng_uniform(&r, 0.1, 0.8);
        bool pair_first = rng_int(&r, 0, 1) == 0;
        double ends[3] = {first, first + (pair_first ? apart : 0.1), first + 0.1 + apart};
        planted p = {.n = rng_int(&r, 2, 8), .k = 1, .ends = ends, .steep = rng_uniform(&r, 0.2, 0.5)};
        if (rng_int(&r, 0, 1) == 0) p.steep = -p.steep;
        p.turn = rng_uniform(&r, 5, 60);
        for (int m = 2; m < p.n; m++) p.modes[m] = rng_uniform(&r, -0.9, 0.9);
        turn_basis(&r, &p);
        costab_family family = {.at = at_planted, .context = &p};
        costab_limit limit = find(&family, 0, 1);
        bool grows = p.steep > 0; /* beyond the last end */
        /* Stable before the first and from the second to the third, or the other way round; beside an end
         * rounding may hide a little. */
        costab_piece q[2];
        size_t count = 0;
        for (size_t k = 0; k < limit.count; k++)
            if (limit.pieces[k].class_code != COSTAB_CLASS_UNDECIDED && count < 3)
                q[count < 2 ? count : 1] = limit.pieces[k], count++;
        check_true(count == 2, "case %d: %zu intervals", i, count);
        double found[3] = {grows ? q[0].to : q[0].from, grows ? q[1].from : q[0].to,
                           grows ? q[1].to : q[1].from};
        for (int e = 0; e < 3; e++) {
            /* Some n roundings of the map move the modulus, whose slope at an end is this. */
            double slope = fabs(p.steep);
            for (int other = 0; other < 3; other++) slope *= other == e ? 1 : fabs(ends[e] - ends[other]);
            check_near(found[e], ends[e], 1e-12L + 64 * (real)DBL_EPSILON / (real)slope,
                       "case %d: end %d, %g apart", i, e, apart);
        }
        costab_limit_free(&limit);
    }
}

/* One eigenvalue that falls below 1 at an end, and one that does so on both sides of an island. */
typedef struct bell {
    double end, rate, middle, half, steep, map[4];
} bell;

static costab_status at_bell(void *context, const double *values, unsigned wanted, costab_family_point *point,
                             costab_error *error) {
    bell *b = context;
    double x = values[0];
    (void)wanted;
    (void)error;
    b->map[0] = exp(-b->rate * (x - b->end));
    b->map[3] = exp(-b->steep * ((x - b->middle) * (x - b->middle) - b->half * b->half));
    *point = (costab_family_point){.map = {.size = 2, .entries = b->map}};
    return COSTAB_OK;
}

static void check_bell(bell b, double upper) {
    costab_family family = {.at = at_bell, .context = &b};
    costab_limit limit = find(&family, 0, upper);
    check_true(limit.count == 2, "end at %g, island at %g: %zu pieces", b.end, b.middle, limit.count);
    check_near(limit.pieces[0].from, b.end, 1e-9L, "the end before the island at %g", b.middle);
    check_near(limit.pieces[0].to, b.middle - b.half, 1e-9L, "the island at %g begins", b.middle);
    check_near(limit.pieces[1].from, b.middle + b.half, 1e-9L, "the island at %g ends", b.middle);
    costab_limit_free(&limit);
}

/* Islands that fall between the nodes of the first cells are not lost where an end that these show is taken
 * out: what is left varies more slowly, but the island is in it. */
static void test_island_beyond_end(void **state) {
    (void)state;
    for (int i = 0; i < 600; i++) {
        bell b = {.end = 0.9 + 0.01 * (i % 20),
                  .rate = 0.6,
                  .middle = 1.3 + 0.04 * (i / 20),
                  .half = 1e-3,
                  .steep = i % 2 == 0 ? 20 : 150};
        check_bell(b, 2.8);
    }
}

/* All three ends between two nodes: what is left where the last is taken out is wrong beside it, where it was
 * evaluated. */
static void test_island_at_end(void **state) {
    (void)state;
    for (int i = 0; i < 40; i++) {
        bell b = {.end = 1.55, .rate = 3.63, .middle = 1.58 + 0.0005 * i, .half = 2.4e-3, .steep = 62};
        check_bell(b, 2.54);
    }
}

/* ---- Networks over the macro step ---- */

static costab_limit over_step(const model *m, costab_coupling coupling, double lower, double upper) {
    costab_error error = {0};
    costab_limit limit;
    costab_limit_options options = {.lower = lower, .upper = upper};
    coupling.macro_step = 1e9; /* does not matter */
    check_status(costab_limit_macro_step(&m->network, &coupling, &options, &limit, &error), &error);
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

static void test_example_4(void **state) {
    (void)state;
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
static void test_macro_step(void **state) {
    (void)state;
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
static void test_macro_step_iterated(void **state) {
    (void)state;
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

static void test_macro_unit(void **state) {
    (void)state;
    model m;
    double unit;
    costab_error error = {0};
    model_start(&m);
    model_scalar(&m, -1, 1, 1, "euler", 0, 0.04);
    model_scalar(&m, -1, 1, 1, "euler", 0, 0.06);
    model_scalar(&m, -1, 1, 1, "euler", 7, 0);
    check_status(costab_network_macro_unit(&m.network, &unit, &error), &error);
    check_near(unit, 0.12, 1e-16L, "of 0.04 and 0.06");
    m.subsystems[1].step = 0.04 * sqrt(2);
    assert_int_equal(costab_network_macro_unit(&m.network, &unit, &error), COSTAB_INVALID);
    m.subsystems[0].substeps = m.subsystems[1].substeps = 1;
    check_status(costab_network_macro_unit(&m.network, &unit, &error), &error);
    check_near(unit, 0, 0, "substeps only");
}

/* ---- A static limit ---- */

typedef struct gained {
    model *of;
    costab_network_work *work;
} gained;

static costab_status on_gain(void *context, const double *values, unsigned wanted, costab_family_point *point,
                             costab_error *error) {
    const gained *g = context;
    static const costab_coupling jacobi = {.scheme = COSTAB_JACOBI, .macro_step = 0.1};
    g->of->connections[0].gain = values[0];
    return costab_network_family_point(g->work, &g->of->network, &jacobi, wanted, point, error);
}

/* x' = a (y - x), y' = k x - y by exact solvers: an eigenvalue passes 0, and one of the map 1, at k = 1. Near
 * it rounding makes A_mono singular, the more the larger a is; nothing is stable there that is not below 1.
 */
static void test_singular(void **state) {
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
        costab_error error = {0};
        check_status(costab_network_work_create(&g.work, &error), &error);
        costab_family family = {.at = on_gain, .context = &g};
        costab_limit limit = find(&family, 0.5, 1.6);
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

/* ---- Many oscillators ---- */

/* Damped oscillations as a coupling of first order leaves them: the first grows beyond H = 0.1. Where band is
 * not 0, one after the other grows. */
static oscillators fading(int count, double stiffer, double band) {
    oscillators o = {.count = count, .stiffer = stiffer};
    for (int k = 0; k < count; k++) {
        o.rate[k] = 0.01 + (band > 0 ? band : 0.02) * k;
        o.slope[k] = band > 0 || k == 0 ? -0.1 : -0.01;
    }
    return o;
}

/* f3 is of order H^190 at H = 0, of 60 oscillators H^7140: that decides nothing, and must cost nothing; nor
 * must that more and more of them grow beyond the limit. */
static void test_oscillators(void **state) {
    oscillators of[] = {fading(10, 0.3, 0), fading(OSCILLATORS_MAX, 0.03, 0),
                        fading(OSCILLATORS_MAX, 0.03, 5e-4)};
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        costab_family family = {.at = on_oscillators, .context = &of[i]};
        costab_limit limit = find(&family, 1e-6, 0.5);
        assert_int_equal(limit.count, 1);
        check_piece(&limit, 0, 1e-6, 0.1, COSTAB_END_RANGE, COSTAB_END_LIMIT, COSTAB_SS);
        assert_true(limit.evaluations < 300);
        costab_limit_free(&limit);
    }
}

/* An island where one oscillation of many grows, however small, is found. */
static void test_island(void **state) {
    static const double islands[] = {0.1, 1e-2, 1e-4};
    (void)state;
    for (size_t i = 0; i < sizeof islands / sizeof *islands; i++) {
        oscillators of = fading(OSCILLATORS_MAX, 0.03, 0);
        of.at = 0.2;
        of.half = islands[i];
        of.depth = 1;
        costab_family family = {.at = on_oscillators, .context = &of};
        costab_limit limit = find(&family, 1e-3, 0.5);
        assert_int_equal(limit.count, 2);
        /* The modulus changes by 0.4 islands[i] where H changes by 1, and is known to some eps. */
        real bound = 2e-13L + 8 * (real)DBL_EPSILON / (0.4L * (real)islands[i]);
        check_near(limit.pieces[0].to, 0.2 - islands[i], bound, "begin of island %zu", i);
        check_near(limit.pieces[1].from, 0.2 + islands[i], bound, "end of island %zu", i);
        assert_int_equal(limit.pieces[0].class_code, COSTAB_SS);
        assert_int_equal(limit.pieces[1].class_code, COSTAB_SS);
        assert_true(limit.pieces[0].from_is == COSTAB_END_RANGE && limit.pieces[1].to_is == COSTAB_END_RANGE);
        assert_true(limit.evaluations < 600);
        costab_limit_free(&limit);
    }
}

/* ---- Workers, and an end before the end ---- */

/* The last place first, by one worker after the other. */
static costab_status backwards(void *context, int count,
                               costab_status (*make)(void *of, int worker, int item, costab_error *error),
                               void *of, costab_error *error) {
    costab_status status = COSTAB_OK;
    ++*(int *)context;
    for (int i = count - 1; i >= 0 && !status; i--) status = make(of, i % 3, i, error);
    return status;
}

/* Workers change nothing, to the last bit. */
static void test_crew(void **state) {
    oscillators of = fading(10, 0.3, 5e-4), each[3] = {of, of, of};
    costab_family families[3], family = {.at = on_oscillators, .context = &of};
    int calls = 0;
    costab_crew crew = {.size = 3, .families = families, .each = backwards, .context = &calls};
    costab_limit_options options = {.lower = 1e-3, .upper = 0.5, .crew = &crew};
    costab_error error = {0};
    costab_limit limit;
    (void)state;
    for (int w = 0; w < 3; w++) families[w] = (costab_family){.at = on_oscillators, .context = &each[w]};
    costab_limit alone = find(&family, 1e-3, 0.5);
    check_status(costab_limit_find(&family, &options, &limit, &error), &error);
    assert_true(calls > 0);
    assert_int_equal(limit.evaluations, alone.evaluations);
    assert_int_equal(limit.count, alone.count);
    assert_int_equal(limit.discrete.count, alone.discrete.count);
    for (size_t i = 0; i < limit.discrete.count; i++) {
        const costab_cell *a = &limit.discrete.items[i], *b = &alone.discrete.items[i];
        assert_true(a->from == b->from && a->to == b->to && a->verdict == b->verdict &&
                    a->reason == b->reason);
    }
    for (size_t i = 0; i < limit.count; i++)
        assert_true(limit.pieces[i].from == alone.pieces[i].from && limit.pieces[i].to == alone.pieces[i].to);
    costab_limit_free(&limit);
    costab_limit_free(&alone);
}

typedef struct patience {
    size_t evaluations, last;
} patience;

static bool run_out(void *context, double share, size_t evaluations) {
    patience *p = context;
    assert_true(share >= 0 && share <= 1);
    p->last = evaluations;
    return evaluations >= p->evaluations;
}

/* Progress ends a search between two evaluations. */
static void test_cancelled(void **state) {
    oscillators of = fading(10, 0.3, 0);
    costab_family family = {.at = on_oscillators, .context = &of};
    patience p = {.evaluations = 17};
    costab_limit_options options = {.lower = 1e-3, .upper = 0.5, .progress = run_out, .progress_context = &p};
    costab_error error = {0};
    costab_limit limit;
    (void)state;
    assert_int_equal(costab_limit_find(&family, &options, &limit, &error), COSTAB_CANCELLED);
    assert_int_equal(p.last, 17);
    costab_limit_free(&limit);
}

/* ---- The planar system ---- */

/* Along Delta the ends are those of the row, in closed form. */
static void test_planar(void **state) {
    (void)state;
    costab_error error = {0};
    for (int scheme = COSTAB_CROSS; scheme < COSTAB_SCHEME_COUNT; scheme++) {
        costab_planar planar;
        costab_method euler = method_named("heun");
        check_status(costab_planar_init(&planar, (costab_scheme)scheme, &euler, 1, 1, &error), &error);
        costab_interval row[COSTAB_ROW_PIECES_MAX];
        costab_planar_slice slice = costab_planar_at(&planar, -0.3);
        int count = costab_planar_row(&slice, -0.8, row);
        costab_planar_family system = {.planar = &planar, .at = {-0.3, -0.8, 0}, .vary = {2}, .count = 1};
        costab_family family = costab_planar_family_of(&system);
        costab_limit limit = find(&family, -3, 5);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interval),
        cmocka_unit_test(test_split_by_class),
        cmocka_unit_test(test_narrow),
        cmocka_unit_test(test_neutral),
        cmocka_unit_test(test_ill_posed),
        cmocka_unit_test(test_cap),
        cmocka_unit_test(test_planted),
        cmocka_unit_test(test_near_ends),
        cmocka_unit_test(test_island_beyond_end),
        cmocka_unit_test(test_island_at_end),
        cmocka_unit_test(test_example_4),
        cmocka_unit_test(test_macro_step),
        cmocka_unit_test(test_macro_step_iterated),
        cmocka_unit_test(test_singular),
        cmocka_unit_test(test_oscillators),
        cmocka_unit_test(test_island),
        cmocka_unit_test(test_crew),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_macro_unit),
        cmocka_unit_test(test_planar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
