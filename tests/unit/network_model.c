/* Checking models and choices: every mistake is named with its place; warnings; clocks in whole numbers. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/text.h"
#include "network/clock.h"
#include "network/network.h"
#include "network_model.h"

/* A sound model to spoil: two scalar subsystems in a loop. */
static void sound(model *m) {
    model_start(m);
    model_scalar(m, -1, 1, 1, "rk4", 2, 0);
    model_scalar(m, -2, 1, 1, "euler", 0, 0.1);
    model_connect(m, 0, 0, 1, 0, 1, 0);
    model_connect(m, 1, 0, 0, 0, -1, 1);
}

static void expect_invalid(const model *m, const char *words) {
    costab_error error = {0};
    assert_int_equal(costab_network_check(&m->network, &error), COSTAB_INVALID);
    check_true(strstr(error.message, words) != NULL, "\"%s\" is in: %s", words, error.message);
    assert_int_equal(costab_network_check(&m->network, NULL), COSTAB_INVALID);
}

TEST(test_sound) {
    model m;
    sound(&m);
    check_ok(costab_network_check(&m.network, &why));
}

/* Names may be left out; the map's entries and messages then use the usual letters. */
TEST(test_usual_names) {
    model m;
    char name[COSTAB_SIGNAL_NAME_MAX], label[80];
    static const char *const own[] = {"force"};
    sound(&m);
    assert_string_equal(costab_signal_name(&m.network, 0, COSTAB_SIGNAL_INPUT, 0, name), "u1");
    m.subsystems[0].input_names = own;
    assert_string_equal(costab_signal_name(&m.network, 0, COSTAB_SIGNAL_INPUT, 0, name), "force");
    for (int s = 0; s < 2; s++) m.subsystems[s].input_names = m.subsystems[s].output_names = NULL;
    check_ok(costab_network_check(&m.network, &why));
    assert_string_equal(costab_signal_name(&m.network, 1, COSTAB_SIGNAL_INPUT, 0, name), "u1");
    assert_string_equal(costab_signal_name(&m.network, 1, COSTAB_SIGNAL_OUTPUT, 0, name), "y1");
    assert_string_equal(costab_signal_name(&m.network, 1, COSTAB_SIGNAL_STATE, 0, name), "x1");
    static const char *const usual[] = {"u1"}; /* also of the input without name */
    costab_signal signal;
    m.subsystems[1].output_names = usual;
    assert_string_equal(costab_signal_name(&m.network, 1, COSTAB_SIGNAL_INPUT, 0, name), "u1 (input)");
    m.subsystems[1].output_names = NULL;
    m.subsystems[1].state_names = usual;
    assert_string_equal(costab_signal_name(&m.network, 1, COSTAB_SIGNAL_INPUT, 0, name), "u1 (input)");
    check_ok(costab_signal_find(&m.network, "s2.u1 (input)", &signal, &why));
    assert_true(signal.kind == COSTAB_SIGNAL_INPUT && signal.subsystem == 1 && signal.index == 0);
    m.subsystems[1].state_names = NULL;
    costab_error unknown = {0};
    assert_int_equal(costab_signal_find(&m.network, "s2.u9", &signal, &unknown), COSTAB_INVALID);
    assert_null(strstr(unknown.message, "bond"));
    static const costab_bond bonds[2];
    m.network.bonds = bonds;
    m.network.bond_count = 2;
    assert_string_equal(costab_signal_name(&m.network, -1, COSTAB_SIGNAL_POWER, 1, name), "bond2.power");
    assert_string_equal(costab_signal_name(&m.network, -1, COSTAB_SIGNAL_ENERGY, 0, name), "bond1.energy");
    assert_string_equal(costab_signal_name(&m.network, -1, COSTAB_SIGNAL_ENERGY_MADE, 0, name),
                        "bond1.spurious_energy");
    assert_int_equal(costab_signal_find(&m.network, "bond3.power", &signal, &unknown), COSTAB_INVALID);
    assert_non_null(strstr(unknown.message, "bond1.power"));
    m.network.bond_count = 0;
    m.connections[0].gain = (double)NAN, expect_invalid(&m, "s1.y1 -> s2.u1: its gain is");

    sound(&m);
    for (int s = 0; s < 2; s++) m.subsystems[s].input_names = m.subsystems[s].output_names = NULL;
    costab_network_work *work = work_open();
    costab_network_point point;
    costab_coupling jacobi = {.scheme = COSTAB_JACOBI, .macro_step = 0.1};
    check_ok(costab_network_analyse(work, &m.network, &jacobi, &point, &why));
    for (int i = 0; i < point.size; i++) {
        costab_network_label(work, i, label, sizeof label);
        assert_true(strncmp(label, "s1.", 3) == 0 || strncmp(label, "s2.", 3) == 0);
    }
    costab_network_work_destroy(&work);
}

TEST(test_mistakes) {
    static const char *const twice[] = {"u", "u"};
    static const char *const nameless[] = {""};
    model m;
    sound(&m), m.network.subsystem_count = 0, expect_invalid(&m, "at least one subsystem");
    sound(&m), m.subsystems[1].name = "s1", expect_invalid(&m, "two subsystems have the name 's1'");
    sound(&m), m.subsystems[1].name = "", expect_invalid(&m, "subsystem 2 has no name");
    sound(&m), m.subsystems[0].inputs = -1, expect_invalid(&m, "none may be negative");
    sound(&m), m.A[0][0] = (double)NAN, expect_invalid(&m, "'s1': A(1,1) is");
    sound(&m), m.x0[1][0] = (double)INFINITY, expect_invalid(&m, "'s2': x0(1,1) is");
    sound(&m), m.subsystems[0].B = NULL, expect_invalid(&m, "'s1': B is missing; 1 x 1 values");
    sound(&m), m.subsystems[0].C = NULL, expect_invalid(&m, "'s1': C is missing");
    sound(&m), m.subsystems[0].output_names = nameless, expect_invalid(&m, "output 1 has no name");
    sound(&m), m.subsystems[0].inputs = 2, m.subsystems[0].input_names = twice,
               expect_invalid(&m, "the input name 'u' appears twice");
    sound(&m), m.subsystems[0].method.stages = 0, expect_invalid(&m, "'s1': it has no method");
    sound(&m), m.subsystems[0].substeps = -3, expect_invalid(&m, "-3 substeps");
    sound(&m), m.subsystems[1].step = 0, expect_invalid(&m, "'s2': its step is 0");
    sound(&m), m.connections[0].from = 7, expect_invalid(&m, "connection 1: no output 1 of subsystem 8");
    sound(&m), m.connections[1].input = 3, expect_invalid(&m, "connection 2: no input 4 of subsystem 1");
    sound(&m), m.connections[0].gain = (double)NAN, expect_invalid(&m, "s1.y1 -> s2.u1: its gain is");
    sound(&m), m.connections[1].delay = -1, expect_invalid(&m, "s2.y1 -> s1.u1: its delay is -1");
    sound(&m), model_connect(&m, 0, 0, 1, 0, 3, 2), expect_invalid(&m, "s1.y1 is connected to s2.u1 twice");
    costab_bond bond = {0, 0, 0, 1, 0, 4};
    sound(&m), m.network.bonds = &bond, m.network.bond_count = 1,
               expect_invalid(&m, "power bond 1: one of its ports");
    bond.output2 = 0;
    m.connections[0].gain = 0;
    expect_invalid(&m, "power bond 1: connect");
    costab_source source = {.subsystem = 0, .input = 1};
    sound(&m), m.network.sources = &source, m.network.source_count = 1, expect_invalid(&m, "source 1");
    costab_dynamics dynamics = {0};
    sound(&m), m.subsystems[0].dynamics = &dynamics, expect_invalid(&m, "both f and g");
    m.subsystems[0].method = method_named("exact");
    expect_invalid(&m, "no exact solver");
}

TEST(test_all_at_once) {
    model m;
    sound(&m);
    m.A[0][0] = (double)NAN;
    m.subsystems[1].step = -1;
    expect_invalid(&m, "A(1,1)");
    expect_invalid(&m, "its step is -1");
}

static bool no_row(void *context, const costab_row *row) {
    (void)context;
    (void)row;
    return false;
}

static void expect_bad_coupling(const model *m, costab_coupling coupling, const char *words) {
    costab_error error = {0};
    assert_int_equal(costab_coupling_check(&m->network, &coupling, &error), COSTAB_INVALID);
    check_true(strstr(error.message, words) != NULL, "\"%s\" is in: %s", words, error.message);
    /* Nor is it analysed or simulated. */
    costab_network_work *work = work_open();
    costab_network_point point;
    costab_simulate_outcome outcome;
    costab_simulate_options options = {.until = 1};
    uint8_t code;
    assert_int_equal(costab_network_analyse(work, &m->network, &coupling, &point, &error), COSTAB_INVALID);
    check_true(strstr(error.message, words) != NULL, "\"%s\" is in: %s", words, error.message);
    assert_int_equal(costab_network_classify(work, &m->network, &coupling, &code, NULL), COSTAB_INVALID);
    assert_int_equal(
        costab_network_simulate(&m->network, &coupling, &options, no_row, NULL, &outcome, &error),
        COSTAB_INVALID);
    costab_network_work_destroy(&work);
}

TEST(test_couplings) {
    model m;
    sound(&m);
    static const int twice[] = {0, 0};
    expect_bad_coupling(&m, (costab_coupling){.macro_step = 0}, "macro_step: 0");
    expect_bad_coupling(&m, (costab_coupling){.macro_step = 1, .iterations = -2}, "iterations: -2");
    expect_bad_coupling(&m, (costab_coupling){.macro_step = 1, .order = twice}, "exactly once");
    expect_bad_coupling(&m, (costab_coupling){.macro_step = 1, .scheme = (costab_coupling_scheme)9},
                        "unknown choice");
    /* Messages name the steps that would divide. */
    expect_bad_coupling(&m, (costab_coupling){.macro_step = 0.25}, "macro step of 0.2 or 0.3");
    expect_bad_coupling(&m, (costab_coupling){.macro_step = 0.05}, "longer than the macro step");
    expect_bad_coupling(&m, (costab_coupling){.macro_step = 0.1 * M_PI, .micro_steps = COSTAB_CLOCKS},
                        "no ratio p/q");
    costab_coupling good = {.macro_step = 0.25, .micro_steps = COSTAB_CLOCKS};
    check_ok(costab_coupling_check(&m.network, &good, &why));
    good.micro_steps = COSTAB_REAL_POWER;
    good.macro_step = 0.05;
    check_ok(costab_coupling_check(&m.network, &good, &why));
}

/* 0.3 / 0.1 is below 3 in double; the tenth tick of 0.1 is at 1. */
TEST(test_rounded_steps) {
    model m;
    sound(&m);
    for (int k = 1; k <= 30; k++) {
        costab_coupling coupling = {.macro_step = k * 0.1};
        network_clock clock;
        check_ok(clock_make(&m.network, &coupling, 1, &clock, &why));
        assert_int_equal(clock.p, k);
        assert_int_equal(clock.q, 1);
    }
}

/* The micro steps of [SP] Algorithm 1: in macro step k the clock goes on while it is less than k H. */
TEST(test_clock_steps) {
    for (int64_t p = 1; p <= 12; p++)
        for (int64_t q = 1; q <= 7; q++) {
            const int64_t divisor = number_gcd(p, q);
            network_clock clock = {.h = 1, .p = p / divisor, .q = q / divisor};
            int64_t ticks = 0; /* of length q/p macro steps */
            for (int64_t k = 0; k < 3 * q; k++) {
                network_clock_step micro_steps = clock_step(&clock, k);
                int64_t taken = 0;
                check_near(micro_steps.start, (real)(ticks * q) / (real)p - (real)k, 1e-14L, "start");
                while (ticks * q < (k + 1) * p) ticks++, taken++;
                assert_int_equal(micro_steps.count, taken);
                check_near(micro_steps.end, (real)(ticks * q) / (real)p - (real)k, 1e-14L, "end");
            }
        }
}

TEST(test_fractions) {
    static const struct {
        double ratio;
        int64_t p, q;
    } cases[] = {{1.575, 63, 40}, {2.1 / (4. / 3), 63, 40}, {1. / 3, 1, 3}};
    int64_t p, q;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_true(clock_fraction(cases[i].ratio, COSTAB_CLOCK_PARTS, &p, &q) && p == cases[i].p &&
                       q == cases[i].q,
                   "%g = %lld/%lld", cases[i].ratio, (long long)p, (long long)q);
    assert_false(clock_fraction(sqrt(2), COSTAB_CLOCK_PARTS, &p, &q));
    assert_int_equal(clock_lcm(6, 4, 100), 12);
    assert_int_equal(clock_lcm(7919, 7907, 1000000), 0);
}

typedef struct heard {
    int count;
    char words[8][400];
} heard;

static void hear(void *context, const char *warning) {
    heard *h = (heard *)context;
    if (h->count < 8) snprintf(h->words[h->count], sizeof h->words[0], "%s", warning);
    h->count++;
}

TEST(test_warnings) {
    model m;
    costab_coupling jacobi = {.macro_step = 1}, serial = {.macro_step = 1, .scheme = COSTAB_GAUSS_SEIDEL};
    heard h = {0};
    sound(&m);
    costab_network_warnings(&m.network, &jacobi, hear, &h);
    assert_int_equal(h.count, 0);
    m.network.connection_count = 1;
    costab_network_warnings(&m.network, &jacobi, hear, &h);
    assert_int_equal(h.count, 1);
    assert_string_equal(h.words[0],
                        "nothing feeds the input s1.u1: it stays zero, or at its operating point");
    costab_coupling iterated = {.macro_step = 1, .scheme = COSTAB_ITERATED, .extrapolation = COSTAB_LINEAR};
    sound(&m);
    h.count = 0;
    costab_network_warnings(&m.network, &iterated, hear, &h);
    assert_int_equal(h.count, 0); /* one connection is delayed */
    for (int c = 0; c < m.network.connection_count; c++) m.connections[c].delay = 0;
    costab_network_warnings(&m.network, &iterated, hear, &h);
    assert_int_equal(h.count, 1);
    assert_non_null(strstr(h.words[0], "they have no effect"));
    static const char *const one[] = {"x1"};
    sound(&m);
    m.subsystems[0].output_names = one;
    h.count = 0;
    costab_network_warnings(&m.network, &jacobi, hear, &h);
    assert_int_equal(h.count, 0);
    m.C[0][0] = 2; /* s1's output x1 is twice its state x1 */
    costab_network_warnings(&m.network, &jacobi, hear, &h);
    assert_int_equal(h.count, 1);
    assert_non_null(strstr(h.words[0], "the output s1.x1 is not the state of that name"));

    /* s1 -> s2 -> s3, all three with feedthrough, fed by s4's state and closed without feedthrough. */
    model_start(&m);
    for (int s = 0; s < 3; s++) {
        model_scalar(&m, -1, 1, 1, "rk4", 1, 0);
        m.D[s][0] = 0.5;
        model_feedthrough(&m, s);
    }
    model_scalar(&m, -1, 1, 1, "rk4", 1, 0);
    model_connect(&m, 0, 0, 1, 0, 1, 0);
    model_connect(&m, 1, 0, 2, 0, 1, 0);
    model_connect(&m, 2, 0, 3, 0, 1, 0);
    model_connect(&m, 3, 0, 0, 0, 1, 0);
    h.count = 0;
    costab_network_warnings(&m.network, &jacobi, hear, &h);
    assert_int_equal(h.count, 1);
    assert_non_null(strstr(h.words[0], "feedthrough chain s1 -> s2 -> s3:"));
    h.count = 0;
    costab_network_warnings(&m.network, &serial, hear, &h);
    assert_int_equal(h.count, 0);
    jacobi.feedthrough = COSTAB_SOLVED;
    costab_network_warnings(&m.network, &jacobi, hear, &h);
    assert_int_equal(h.count, 0);
}

TEST(test_named_couplings) {
    costab_error error = {0};
    costab_coupling coupling = {.macro_step = 3,
                                .feedthrough = COSTAB_SOLVED,
                                .iterations = 7,
                                .relaxation = 0.5,
                                .micro_steps = COSTAB_CLOCKS};
    assert_int_equal(costab_coupling_count(), 42);
    check_ok(costab_coupling_find("gauss-seidel-linear", &coupling, &why));
    assert_int_equal(coupling.scheme, COSTAB_GAUSS_SEIDEL);
    assert_int_equal(coupling.interpolation, COSTAB_LINEAR);
    assert_int_equal(coupling.iterations, 0);
    assert_int_equal(coupling.feedthrough, COSTAB_DELAYED);
    assert_int_equal(coupling.micro_steps, COSTAB_CLOCKS);
    check_near(coupling.relaxation, 0, 0, "what the name does not say is as by default");
    check_near(coupling.macro_step, 3, 0, "macro step stays");
    check_ok(costab_coupling_find("jacobi(5/2,-4)-solved", &coupling, &why));
    assert_int_equal(coupling.extrapolation, COSTAB_TUNED);
    assert_int_equal(coupling.feedthrough, COSTAB_SOLVED);
    check_near(coupling.a0, 2.5, 0, "a weight in brackets");
    check_near(coupling.a1, -4, 0, "the other");
    assert_int_equal(costab_coupling_find("jacobi(5/2)", &coupling, &error), COSTAB_INVALID);
    assert_int_equal(costab_coupling_find("jacoby", &coupling, &error), COSTAB_INVALID);
    assert_string_equal(error.message, "unknown coupling 'jacoby'; did you mean 'jacobi'?");
    assert_int_equal(costab_coupling_find("between", &coupling, &error), COSTAB_INVALID);
    assert_non_null(
        strstr(error.message, "unknown coupling 'between'; a coupling is jacobi, jacobi(phi,theta)"));
    assert_non_null(strstr(error.message, "then perhaps -linear, -quadratic, -cubic or -hermite"));
    assert_null(costab_coupling_name(42));
}

/* Marks come last, in any order; the polynomial is that of the base; -extrapolated is an older word for
 * -linear. */
TEST(test_composed_names) {
    costab_coupling c = {.macro_step = 1};
    check_ok(costab_coupling_find("jacobi-cubic-solved-smoothed", &c, &why));
    assert_true(c.scheme == COSTAB_JACOBI && c.extrapolation == COSTAB_CUBIC && c.smoothed &&
                c.feedthrough == COSTAB_SOLVED && c.interpolation == COSTAB_CONSTANT);
    check_ok(costab_coupling_find("jacobi-linear", &c, &why));
    assert_true(c.extrapolation == COSTAB_LINEAR && !c.smoothed);
    check_ok(costab_coupling_find("jacobi-extrapolated", &c, &why));
    assert_true(c.extrapolation == COSTAB_LINEAR && !c.smoothed);
    check_ok(costab_coupling_find("newton-hermite", &c, &why));
    assert_true(c.scheme == COSTAB_ITERATED && c.iterations == COSTAB_NEWTON &&
                c.interpolation == COSTAB_HERMITE);
    static const char *const wrong[] = {"",
                                        "jacobi-",
                                        "jacobilinear",
                                        "jacobi-constant",
                                        "jacobi-solved-linear",
                                        "jacobi-smoothed-smoothed",
                                        "jacobi(s1,s2)",
                                        "gauss-seidel(s2,s1)",
                                        "cross-linear",
                                        "cross(1,2)",
                                        "zigzag-linear",
                                        "newton-linear "};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_true(costab_coupling_find(wrong[i], &c, &why) == COSTAB_INVALID, "'%s' is refused", wrong[i]);
    model m;
    sound(&m);
    int order[2] = {-1, -1};
    check_ok(costab_coupling_find_ordered("gauss-seidel(s2,s1)-linear-solved", &m.network, order, &c, &why));
    assert_true(c.order == order && order[0] == 1 && order[1] == 0 && c.interpolation == COSTAB_LINEAR &&
                c.feedthrough == COSTAB_SOLVED);
    check_ok(costab_coupling_find_ordered("zigzag(s2,s1)-solved", &m.network, order, &c, &why));
    assert_true(c.order == order && c.scheme == COSTAB_GAUSS_SEIDEL && c.interpolation == COSTAB_LINEAR);
    static const char *const plain[][2] = {
        {"jacobi-extrapolated-solved", "jacobi-linear-solved"},
        {"cross", "jacobi"},
        {"zigzag(a-extrapolated,zigzag)-solved", "gauss-seidel(a-extrapolated,zigzag)-linear-solved"},
        {"strong-smoothed", "iterated-linear-smoothed"},
        {"newton-hermite", "newton-hermite"}};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        char *name;
        check_ok(costab_coupling_plain_name(plain[i][0], &name, &why));
        assert_string_equal(name, plain[i][1]);
        memory_free(name);
    }
    static const char *const astray[] = {"gauss-seidel(s1)",    "gauss-seidel(s1,s1)",
                                         "gauss-seidel(s1,s3)", "gauss-seidel(s1,s2",
                                         "gauss-seidel()",      "gauss-seidel(s1,s2,s1)"};
    for (size_t i = 0; i < sizeof astray / sizeof *astray; i++)
        check_true(costab_coupling_find_ordered(astray[i], &m.network, order, &c, &why) == COSTAB_INVALID,
                   "'%s' is refused", astray[i]);
}

/* Misfits are reported: strides, structure, area correction, delays. */
TEST(test_refused_choices) {
    model m;
    sound(&m);
    expect_bad_coupling(&m, (costab_coupling){.macro_step = 0.2, .predictor = COSTAB_HERMITE}, "predictor");
    expect_bad_coupling(&m, (costab_coupling){.macro_step = 0.2, .relaxation = 2}, "relaxation");
    expect_bad_coupling(
        &m, (costab_coupling){.macro_step = 0.2, .area_correction = 0.5, .extrapolation = COSTAB_LINEAR},
        "constant extrapolation alone");
    m.connections[0].delay = 1;
    expect_bad_coupling(&m, (costab_coupling){.macro_step = 0.2, .area_correction = 0.5}, "leave out delays");
    m.connections[0].delay = 0;
    m.subsystems[0].stride = 2;
    expect_bad_coupling(&m, (costab_coupling){.macro_step = 0.2, .scheme = COSTAB_ITERATED}, "with strides");
    expect_bad_coupling(&m,
                        (costab_coupling){.macro_step = 0.2, .scheme = COSTAB_GAUSS_SEIDEL, .smoothed = true},
                        "cannot be smoothed");
    m.subsystems[0].stride = COSTAB_STRIDE_MAX + 1;
    expect_invalid(&m, "stride");
    sound(&m);
    m.subsystems[0].method = method_named("newmark");
    expect_invalid(&m, "newmark needs every state among positions and velocities");
    sound(&m), m.connections[0].delay_time = -1, expect_invalid(&m, "its delay is -1 seconds");
}

/* A singular I - L D is reported, with what to do. */
TEST(test_ill_posed) {
    model m;
    model_start(&m);
    for (int s = 0; s < 2; s++) {
        model_scalar(&m, -1, 1, 1, "rk4", 1, 0);
        m.D[s][0] = 1;
        model_feedthrough(&m, s);
    }
    model_connect(&m, 0, 0, 1, 0, 0.7, 0);
    model_connect(&m, 1, 0, 0, 0, 1 / 0.7, 0);
    costab_error error = {0};
    costab_network_work *work = work_open();
    costab_network_point point;
    costab_coupling coupling = {.macro_step = 0.1};
    assert_int_equal(costab_network_analyse(work, &m.network, &coupling, &point, &error), COSTAB_INVALID);
    assert_non_null(strstr(error.message, "I - L D is singular"));
    coupling.feedthrough = COSTAB_SOLVED;
    assert_int_equal(costab_network_analyse(work, &m.network, &coupling, &point, &error), COSTAB_INVALID);
    /* The workspace is still good. */
    m.connections[0].gain = 0.3;
    check_ok(costab_network_analyse(work, &m.network, &coupling, &point, &why));
    costab_network_work_destroy(&work);
    costab_network_work_destroy(&work);
}
