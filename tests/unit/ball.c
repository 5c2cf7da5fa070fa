/* ball.c - proofs in ball arithmetic on families whose eigenvalues are known: what is true and not near is
 * shown, what is false never is. */
#include <math.h>

#include "proof/ball_advance.h"
#include "proof/ball_cell.h"
#include "proof/ball_map.h"
#include "proof/ball_stein.h"
#include "proof/confirm.h"
#include "support/support.h"

enum { PRECISION = 128 };

/* The rotation by `turn` times the scale radius(p) = p, or of a pole: 0.5 + 0.1/(p - pole) on the diagonal;
 * and a number far outside in a third place where `outer` is not 0. */
typedef struct spiral {
    double turn, pole, outer;
} spiral;

static bool make(void *context, acb_srcptr at, slong precision, acb_mat_t matrix) {
    const spiral *s = context;
    acb_mat_init(matrix, s->outer != 0 ? 3 : 2, s->outer != 0 ? 3 : 2);
    acb_t number;
    acb_init(number);
    if (s->pole != 0) {
        acb_set_d(number, s->pole);
        acb_sub(number, at, number, precision);
        acb_inv(number, number, precision);
        acb_div_si(acb_mat_entry(matrix, 0, 0), number, 10, precision);
        acb_set_d(number, 0.5);
        acb_add(acb_mat_entry(matrix, 0, 0), acb_mat_entry(matrix, 0, 0), number, precision);
    } else {
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) {
                acb_set_d(number, i == j ? cos(s->turn) : i < j ? -sin(s->turn) : sin(s->turn));
                acb_mul(acb_mat_entry(matrix, i, j), number, at, precision);
            }
    }
    if (s->outer != 0) acb_set_d(acb_mat_entry(matrix, 2, 2), s->outer);
    acb_clear(number);
    return true;
}

static ball_verdict verdict_of(const spiral *s, double from, double to, double radius) {
    spiral copy = *s;
    ball_family family = {&copy, make};
    ball_region region = {.dimensions = 1, .from = {from}, .to = {to}};
    long evaluations = 0;
    ball_verdict verdict = ball_cell(&family, &region, radius, PRECISION, &evaluations);
    assert_true(evaluations > 0);
    return verdict;
}

TEST(cells) {
    for (double turn = 0; turn < 3.2; turn += 0.4) {
        spiral s = {.turn = turn};
        assert_int_equal(verdict_of(&s, 0.5, 0.9, 1), BALL_INSIDE);
        assert_int_equal(verdict_of(&s, 0.9, 1 - 1e-12, 1) == BALL_OUTSIDE, 0);
        assert_int_equal(verdict_of(&s, 1.1, 1.5, 1), BALL_OUTSIDE);
        assert_int_equal(verdict_of(&s, 0.9, 1.1, 1), BALL_UNDECIDED);
        assert_int_equal(verdict_of(&s, 1 - 1e-9, 1 + 1e-9, 1), BALL_UNDECIDED);
        assert_int_equal(verdict_of(&s, 1 + 1e-9, 1 + 2e-9, 1), BALL_OUTSIDE);
        assert_int_equal(verdict_of(&s, 1 - 2e-9, 1 - 1e-9, 1), BALL_INSIDE);
        assert_int_equal(verdict_of(&s, 1.1, 1.5, 2), BALL_INSIDE);
    }
    /* a pair that crosses the unit circle beside an eigenvalue at 5: stable for no p */
    spiral outer = {.turn = 1, .outer = 5};
    assert_int_equal(verdict_of(&outer, 0.9, 1.1, 1), BALL_UNDECIDED);
    assert_int_equal(verdict_of(&outer, 0.9, 1.1, 3), BALL_OUTSIDE);
    /* 0.5 + 0.1/(p - 2) is inside on [2.5, 3]; the ellipse around [2.1, 3] holds the pole, where nothing is
     * analytic */
    spiral pole = {.pole = 2};
    assert_int_equal(verdict_of(&pole, 2.9, 3, 1), BALL_INSIDE);
    assert_int_equal(verdict_of(&pole, 2.25, 3.25, 1), BALL_UNDECIDED);
}

/* The shift of order n has n eigenvalues 0 in one Jordan block; with a corner c its eigenvalues are the n-th
 * roots of c. */
TEST(points) {
    arb_t one;
    arb_init(one);
    arb_one(one);
    for (int n = 1; n <= 12; n++)
        for (int k = -3; k <= 3; k++) {
            acb_mat_t matrix;
            acb_mat_init(matrix, n, n);
            for (int i = 0; i + 1 < n; i++) acb_one(acb_mat_entry(matrix, i, i + 1));
            double corner = (k < 0 ? -1 : 1) * pow(2, 1e-9 * k);
            acb_set_d(acb_mat_entry(matrix, n - 1, 0), corner);
            ball_verdict expected = k == 0 ? BALL_UNDECIDED : fabs(corner) > 1 ? BALL_OUTSIDE : BALL_INSIDE;
            assert_int_equal(ball_point(matrix, one, PRECISION), expected);
            acb_mat_clear(matrix);
        }
    arb_clear(one);
}

/* The rotation by 1 times the product of two numbers. */
static bool make_product(void *context, acb_srcptr at, slong precision, acb_mat_t matrix) {
    acb_t product;
    acb_init(product);
    acb_mul(product, at, at + 1, precision);
    bool made = make(context, product, precision, matrix);
    acb_clear(product);
    return made;
}

/* Rectangles: |l| = p q. */
TEST(rectangles) {
    const struct {
        double from[2], to[2];
        ball_verdict verdict;
    } rows[] = {
        {{0.5, 0.5}, {0.9, 1.05}, BALL_INSIDE},           {{1.1, 1}, {1.3, 1.5}, BALL_OUTSIDE},
        {{0.9, 0.9}, {1.2, 1.2}, BALL_UNDECIDED},         {{0.5, 1.9}, {0.52, 2.2}, BALL_UNDECIDED},
        {{1e-3, 900}, {1.1e-3, 905}, BALL_INSIDE},        {{1e-3, 1001}, {1.1e-3, 1100}, BALL_OUTSIDE},
        {{1e-3, 999.999}, {1.1e-3, 1001}, BALL_UNDECIDED}};
    spiral s = {.turn = 1};
    ball_family family = {&s, make_product};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ball_region region = {2, {rows[i].from[0], rows[i].from[1]}, {rows[i].to[0], rows[i].to[1]}};
        long evaluations = 0;
        assert_int_equal(ball_cell(&family, &region, 1, PRECISION, &evaluations), rows[i].verdict);
    }
}

/* Verdicts over ranges with the circle's crossing at p = 1. */
TEST(ranges) {
    spiral s = {.turn = 0.7};
    confirmer c = {.families = {[BALL_STEP] = {&s, make}}, .precision = PRECISION};
    const struct {
        double from, to;
        costab_outcome verdict;
        bool shown;
    } rows[] = {
        {0.1, 1 - 1e-10, COSTAB_OUTCOME_STABLE, true},  {0.1, 1 + 1e-10, COSTAB_OUTCOME_STABLE, false},
        {1 + 1e-10, 50, COSTAB_OUTCOME_UNSTABLE, true}, {1 - 1e-10, 2, COSTAB_OUTCOME_UNSTABLE, false},
        {0.1, 0.2, COSTAB_OUTCOME_UNSTABLE, false},     {1.1, 1.2, COSTAB_OUTCOME_STABLE, false},
        {0.1, 0.2, COSTAB_OUTCOME_NEUTRAL, false},      {0.5, 0.5, COSTAB_OUTCOME_STABLE, true},
        {1.5, 1.5, COSTAB_OUTCOME_UNSTABLE, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        costab_cell cell = {.from = rows[i].from, .to = rows[i].to, .verdict = rows[i].verdict};
        check_true(confirm_cell(&c, &cell, false, 0) == rows[i].shown, "[%.12g, %.12g]", cell.from, cell.to);
        double middle[] = {(cell.from + cell.to) / 2, 0};
        assert_int_equal(confirm_point(&c, middle, false), middle[0] < 1 ? BALL_INSIDE : BALL_OUTSIDE);
    }
    /* an iteration that diverges from p = 1 on makes a step without eigenvalues outside unstable */
    spiral inside = {.pole = 100};
    confirmer iterated = {.families = {[BALL_ITERATION] = {&s, make}, [BALL_STEP] = {&inside, make}},
                          .precision = PRECISION};
    costab_cell cell = {.from = 1.01, .to = 2, .verdict = COSTAB_OUTCOME_UNSTABLE};
    assert_true(confirm_cell(&iterated, &cell, false, 0));
    cell = (costab_cell){.from = 0.5, .to = 0.99, .verdict = COSTAB_OUTCOME_STABLE};
    assert_true(confirm_cell(&iterated, &cell, false, 0));
    cell.to = 1.01;
    assert_false(confirm_cell(&iterated, &cell, false, 0));
}

static bool stein(const ball_family *family, double from, double to, double radius, ball_verdict wanted) {
    ball_region region = {.dimensions = 1, .from = {from}, .to = {to}};
    long evaluations = 0;
    return ball_stein(family, &region, radius, wanted, PRECISION, 200, &evaluations);
}

/* What is true by some margin is shown, what is not true anywhere never is. */
TEST(stein_circles) {
    for (double turn = 0; turn < 3.2; turn += 0.4) {
        spiral s = {.turn = turn};
        ball_family family = {&s, make};
        assert_true(stein(&family, 0.5, 1 - 1e-9, 1, BALL_INSIDE));
        assert_true(stein(&family, 1 + 1e-9, 1.5, 1, BALL_OUTSIDE));
        assert_true(stein(&family, 1.1, 1.5, 2, BALL_INSIDE));
        assert_true(stein(&family, 0.7, 0.7, 1, BALL_INSIDE));
        assert_false(stein(&family, 0.5, 0.9, 1, BALL_OUTSIDE));
        assert_false(stein(&family, 1.1, 1.5, 1, BALL_INSIDE));
        assert_false(stein(&family, 0.9, 1 + 1e-12, 1, BALL_INSIDE));
        assert_false(stein(&family, 1 - 1e-12, 1.1, 1, BALL_OUTSIDE));
    }
    spiral outer = {.turn = 1, .outer = 5}, pole = {.pole = 2};
    ball_family beside = {&outer, make}, singular = {&pole, make};
    assert_true(stein(&beside, 0.9, 1.1, 2.2, BALL_OUTSIDE));
    assert_false(stein(&beside, 0.9, 1.1, 1, BALL_OUTSIDE));
    assert_true(stein(&singular, 2.9, 3, 1, BALL_INSIDE));
    assert_false(stein(&singular, 2.25, 3.25, 1, BALL_INSIDE));
}

enum { OSCILLATORS = 5 };

/* Exact steps of oscillators of frequency 1 to 10^4 whose damping is 10^-3 of it (of the last: minus that, if
 * `growing`), beside memory: a Jordan block of three rows with the eigenvalue 0, fed by the first. */
static bool make_oscillators(void *context, acb_srcptr at, slong precision, acb_mat_t matrix) {
    const bool *growing = context;
    int n = 2 * OSCILLATORS + 3;
    acb_mat_init(matrix, n, n);
    acb_t angle, damping, sine, cosine;
    flint_each(acb_init, angle, damping, sine, cosine);
    for (int k = 0; k < OSCILLATORS; k++) {
        acb_set_d(angle, pow(10, k));
        acb_mul(angle, angle, at, precision);
        acb_div_si(damping, angle, *growing && k + 1 == OSCILLATORS ? 1000 : -1000, precision);
        acb_exp(damping, damping, precision);
        acb_sin_cos(sine, cosine, angle, precision);
        acb_mul(sine, sine, damping, precision);
        acb_mul(cosine, cosine, damping, precision);
        acb_set(acb_mat_entry(matrix, 2 * k, 2 * k), cosine);
        acb_set(acb_mat_entry(matrix, 2 * k + 1, 2 * k + 1), cosine);
        acb_neg(acb_mat_entry(matrix, 2 * k, 2 * k + 1), sine);
        acb_set(acb_mat_entry(matrix, 2 * k + 1, 2 * k), sine);
    }
    acb_one(acb_mat_entry(matrix, 2 * OSCILLATORS, 0));
    acb_one(acb_mat_entry(matrix, 2 * OSCILLATORS + 1, 2 * OSCILLATORS));
    acb_one(acb_mat_entry(matrix, 2 * OSCILLATORS + 2, 2 * OSCILLATORS + 1));
    flint_each(acb_clear, angle, damping, sine, cosine);
    return true;
}

/* Short steps: all eigenvalues near 1, where products of crossing functions are 10^-100 and less. */
TEST(stein_short_steps) {
    bool growing = false;
    ball_family family = {&growing, make_oscillators};
    assert_true(stein(&family, 1e-6, 2e-6, 1, BALL_INSIDE));
    assert_true(stein(&family, 1e-5, 1.5e-5, 1, BALL_INSIDE));
    assert_false(stein(&family, 1e-5, 1.5e-5, 1, BALL_OUTSIDE));
    growing = true;
    assert_true(stein(&family, 1e-5, 1.5e-5, 1, BALL_OUTSIDE));
    assert_false(stein(&family, 1e-5, 1.5e-5, 1, BALL_INSIDE));
}

/* Tableaux are the numbers that their methods have, not the doubles next to them: R(-3) is 1/13 for gauss2,
 * whose entries hold sqrt(3), and 11/8 for rk4. */
TEST(tableaux) {
    const struct {
        const char *name;
        slong num;
        ulong den;
    } rows[] = {{"gauss2", 1, 13}, {"rk4", 11, 8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        costab_method method;
        check_ok(costab_method_find(rows[i].name, &method, &why));
        ball_subsystem s = {.states = 1, .inputs = 1, .method = &method, .substeps = 1, .stride = 1};
        assert_true(exact_tableau_init(&s.tableau, &method) && s.tableau.exact);
        acb_mat_init(s.A, 1, 1);
        acb_mat_init(s.B, 1, 1);
        acb_set_si(acb_mat_entry(s.A, 0, 0), -3);
        acb_mat_t advance;
        acb_mat_init(advance, 1, 2);
        acb_t h;
        acb_init(h);
        acb_one(h);
        fmpq_t R;
        fmpq_init(R);
        fmpq_set_si(R, rows[i].num, rows[i].den);
        assert_true(ball_advance(&s, 0, h, PRECISION, advance));
        arb_ptr found = acb_realref(acb_mat_entry(advance, 0, 0));
        assert_true(arb_contains_fmpq(found, R) != 0);
        assert_true(mag_get_d(arb_radref(found)) < 1e-30);
        fmpq_clear(R);
        acb_clear(h);
        acb_mat_clear(advance);
        acb_mat_clear(s.A);
        acb_mat_clear(s.B);
        exact_tableau_clear(&s.tableau);
    }
}

/* Whole numbers of micro steps of a given length, and numbers of a coupling in their ranges, hold on all of a
 * ball or are not shown. */
TEST(whole_numbers_and_ranges) {
    costab_subsystem euler = {.name = "one", .states = 1, .step = 0.1, .method = {.kind = COSTAB_EXACT}};
    costab_network like = {.subsystem_count = 1, .subsystems = &euler};
    costab_coupling coupling = {.macro_step = 0.2};
    ball_network network;
    check_ok(ball_network_make(&like, &coupling, &network, &why));
    ball_network_set(&like, &coupling, &network);
    assert_true(ball_network_fit(&network, true, PRECISION));
    assert_int_equal(network.subsystems[0].substeps, 2);
    mag_ptr width = arb_radref(acb_realref(network.macro_step));
    const double widths[] = {1e-14, 1e-11, 1e-3, 0.1, 0.3};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        mag_set_d(width, widths[i]);
        assert_int_equal(ball_network_fit(&network, false, PRECISION), i == 0);
    }
    mag_zero(width);
    const double relaxations[] = {0.1, 1, 1.9, -0.1, 0, 2};
    for (size_t i = 0; i < sizeof relaxations / sizeof *relaxations; i++) {
        acb_set_d(network.relaxation, relaxations[i]);
        assert_int_equal(ball_network_fit(&network, false, PRECISION), i < 3);
    }
    network.subsystems[0].step = 0;
    acb_one(network.relaxation);
    acb_set_si(network.macro_step, -1);
    assert_false(ball_network_fit(&network, false, PRECISION));
    ball_network_free(&network);
}

/* What balls say of a coupling. */
static costab_status told(const costab_coupling *coupling, costab_method_kind kind, costab_error *error) {
    costab_subsystem subsystem = {.name = "one", .method = {.name = "new", .kind = kind}};
    costab_network like = {.subsystem_count = 1, .subsystems = &subsystem};
    ball_network network;
    costab_status status = ball_network_make(&like, coupling, &network, error);
    ball_network_free(&network);
    return status;
}

/* Every word of today is known but real powers of micro steps, a predictor of slopes, and weights for what is
 * known; a word behind them,
 * and a choice behind those of today, is refused by its name: a new one has no proof until balls build it. */
TEST(unknown_choices) {
    costab_error error;
    costab_coupling coupling = {.macro_step = 1};
    costab_hold *holds[] = {&coupling.interpolation, &coupling.extrapolation, &coupling.predictor};
    const char *names[] = {"interpolation", "extrapolation", "predictor"};
    for (int i = 0; i < 3; i++)
        for (int word = 0; word <= COSTAB_HOLD_COUNT; word++) {
            coupling = (costab_coupling){.macro_step = 1};
            *holds[i] = (costab_hold)word;
            bool known = word < (i == 0 ? COSTAB_SPECTRAL : i == 1 ? COSTAB_HOLD_COUNT : COSTAB_HERMITE);
            assert_int_equal(told(&coupling, COSTAB_EXACT, &error), known ? COSTAB_OK : COSTAB_INVALID);
            if (!known) assert_non_null(strstr(error.message, names[i]));
        }
    coupling = (costab_coupling){.macro_step = 1, .micro_steps = COSTAB_REAL_POWER};
    assert_int_equal(told(&coupling, COSTAB_EXACT, &error), COSTAB_INVALID);
    assert_non_null(strstr(error.message, "micro_steps: real-power"));
    coupling = (costab_coupling){.macro_step = 1, .scheme = COSTAB_COUPLING_SCHEME_COUNT};
    assert_int_equal(told(&coupling, COSTAB_EXACT, &error), COSTAB_INVALID);
    coupling = (costab_coupling){.macro_step = 1, .feedthrough = COSTAB_FEEDTHROUGH_COUNT};
    assert_int_equal(told(&coupling, COSTAB_EXACT, &error), COSTAB_INVALID);
    coupling = (costab_coupling){.macro_step = 1, .iterations = COSTAB_NEWTON - 1};
    assert_int_equal(told(&coupling, COSTAB_EXACT, &error), COSTAB_INVALID);
    coupling = (costab_coupling){.macro_step = 1, .iterations = COSTAB_NEWTON};
    for (int kind = COSTAB_RUNGE_KUTTA; kind <= COSTAB_SAMPLED + 1; kind++)
        assert_int_equal(told(&coupling, (costab_method_kind)kind, &error),
                         kind < COSTAB_SAMPLED ? COSTAB_OK : COSTAB_INVALID);
    costab_subsystem one = {.name = "one", .inputs = 1, .outputs = 1, .method = {.kind = COSTAB_EXACT}};
    costab_connection own = {.extrapolates = true, .extrapolation = {.hold = COSTAB_HOLD_COUNT}};
    costab_network like = {
        .subsystem_count = 1, .connection_count = 1, .subsystems = &one, .connections = &own};
    ball_network network;
    assert_int_equal(ball_network_make(&like, &coupling, &network, &error), COSTAB_INVALID);
    assert_non_null(strstr(error.message, "extrapolation"));
    ball_network_free(&network);
    assert_false(ball_knows(&(coupling_choice){.name = "new", .value = 1}));
    assert_true(ball_knows(&(coupling_choice){.name = "new", .value = 0}));
}

static int clean_up(void **state) {
    (void)state;
    flint_cleanup();
    return 0;
}
TESTS_AROUND(NULL, clean_up)
