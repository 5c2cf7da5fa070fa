/* Models at any parameters; their names, ports, warnings, couplings and equilibria. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model_file.h"
#include "support/complaints.h"

/* ---- Parameters ---- */

TEST(derived_parameters) {
    fixture f;
    fixture_start(&f, "system: network\nparameters: {c: a*b, b: 2*a, a: 3, d: -c^2}\n"
                      "subsystems: [{name: s, A: [[d, c], [b, a]]}]\ncoupling: {macro_step: 0.1}\n");
    const double *A = f.network->subsystems[0].A;
    assert_true(f.model->parameters[0].derived && f.model->parameters[0].value == 18);
    assert_true(f.model->parameters[3].value == -324);
    assert_true(A[0] == -324 && A[1] == 18 && A[2] == 6 && A[3] == 3);
    fixture_set(&f, "a", 1);
    assert_true(A[0] == -4 && A[1] == 2 && A[2] == 2 && A[3] == 1);
    fixture_set(&f, "b", 5); /* follows a no longer */
    assert_true(A[0] == -25 && A[1] == 5 && A[2] == 5);
    fixture_set(&f, "a", 2);
    assert_true(A[0] == -100 && A[1] == 10 && A[2] == 5 && A[3] == 2);
    assert_true(costab_model_instance_value(f.instance, 0) == 10);
    costab_model_instance_reset(f.instance);
    fixture_set(&f, "a", 4);
    assert_true(A[1] == 32 && A[2] == 8);
    fixture_end(&f);
}

/* Halves go to the even number, as C's rint and NumPy's do. */
TEST(halves_are_rounded_to_even) {
    static const double given[] = {0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 2.4999999999999996, 1e15 + 0.5};
    static const double rounded[] = {0, 2, 2, 0, -2, -2, 2, 1e15};
    fixture f;
    fixture_start(&f, "system: network\nparameters: {a: 1}\nsubsystems: [{name: s, A: [[rint(a)]]}]\n"
                      "coupling: {macro_step: 0.1}\n");
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        fixture_set(&f, "a", given[i]);
        assert_true(f.network->subsystems[0].A[0] == rounded[i]);
    }
    fixture_end(&f);
}

/* A delay of 0 s is none; one below is refused. */
TEST(no_delay_in_seconds) {
    fixture f;
    fixture_start(&f, "system: network\nparameters: {d: 0.3}\nsubsystems:\n"
                      "  - {name: a, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: rk4}\n"
                      "  - {name: b, A: [[-2]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: rk4}\n"
                      "connections: [{from: a.y, to: b.u, delay: d s}, {from: b.y, to: a.u}]\n"
                      "coupling: {scheme: jacobi, macro_step: 0.1}\n");
    const costab_coupling *coupling = costab_model_instance_coupling(f.instance, 0);
    costab_network_work *work = NULL;
    costab_network_point late, none;
    costab_error error = {0};
    check_ok(costab_network_work_create(&work, &why));
    check_ok(costab_network_analyse(work, f.network, coupling, &late, &why));
    fixture_set(&f, "d", 0);
    check_ok(costab_network_analyse(work, f.network, coupling, &none, &why));
    assert_int_equal(none.size, 2);
    assert_int_equal(late.size, 5);
    costab_model_instance_set(f.instance, 0, -1e-3);
    assert_int_equal(costab_model_instance_update(f.instance, &error), COSTAB_INVALID);
    assert_non_null(strstr(error.message, "expected a positive number or 0, found -0.001"));
    costab_network_work_destroy(&work);
    fixture_end(&f);
}

static void compare(const fixture *f, const fixture *g) {
    for (int s = 0; s < f->network->subsystem_count; s++) {
        const costab_subsystem *a = &f->network->subsystems[s], *b = &g->network->subsystems[s];
        size_t n = (size_t)a->states, m = (size_t)a->inputs, q = (size_t)a->outputs;
        assert_memory_equal(a->A, b->A, n * n * sizeof(double));
        assert_memory_equal(a->B, b->B, n * m * sizeof(double));
        assert_memory_equal(a->C, b->C, q * n * sizeof(double));
        if (a->D != NULL) assert_memory_equal(a->D, b->D, q * m * sizeof(double));
        assert_true(a->step == b->step && a->substeps == b->substeps);
    }
    for (int c = 0; c < f->network->connection_count; c++)
        assert_true(f->network->connections[c].gain == g->network->connections[c].gain &&
                    f->network->connections[c].delay == g->network->connections[c].delay);
}

/* Updating what depends on the changes gives the same bits as computing everything. */
TEST(updates_equal_fresh_instances) {
    rng r = rng_start("model updates");
    const char *const texts[] = {regulated, two_masses, cubic, pendulum};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        fixture f, g;
        fixture_start(&f, texts[t]);
        double values[16];
        bool known[16] = {false};
        for (size_t i = 0; i < effort(50); i++) {
            int p = rng_int(&r, 0, f.model->parameter_count - 1);
            values[p] = rng_uniform(&r, 0.5, 3);
            known[p] = true;
            fixture_set(&f, f.model->parameters[p].name, values[p]);
            fixture_start(&g, texts[t]);
            for (int k = 0; k < f.model->parameter_count; k++)
                if (known[k]) costab_model_instance_set(g.instance, k, values[k]);
            check_ok(costab_model_instance_update(g.instance, &why));
            compare(&f, &g);
            fixture_end(&g);
        }
        fixture_end(&f);
    }
}

/* An update that fails says where; the next good one makes everything good. */
TEST(failing_updates) {
    static const struct {
        const char *name;
        double value;
        const char *words;
    } bad[] = {
        {"m", 0,
         "t.yaml:6:18: error: subsystem 'plant', A(2,1): its value is not finite: the denominator m is 0"},
        {"H", 0, "t.yaml:30:15: error: coupling, macro_step: expected a positive number, found 0"},
        {"k", (double)NAN, "t.yaml:6:18: error: subsystem 'plant', A(2,1): its value is not finite"}};
    fixture f;
    fixture_start(&f, regulated);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        costab_error error = {0};
        int p = costab_model_parameter(f.model, bad[i].name);
        costab_model_instance_set(f.instance, p, bad[i].value);
        assert_int_equal(costab_model_instance_update(f.instance, &error), COSTAB_INVALID);
        assert_string_equal(error.message, bad[i].words);
        assert_int_equal(costab_model_instance_update(f.instance, NULL), COSTAB_INVALID);
        fixture_set(&f, bad[i].name, f.model->parameters[p].value);
        assert_true(f.network->subsystems[0].A[2] == -5 && f.network->subsystems[0].B[1] == 0.5);
    }
    check_near(fixture_analyse(&f, 0).spectral_radius, 0.907509147L, DIGITS(9), "afterwards");
    fixture_end(&f);
}

/* A count may be an expression whose value is whole up to rounding. */
TEST(whole_numbers) {
    fixture f;
    fixture_start(
        &f, "system: network\nparameters: {n: 3, H: 0.3}\n"
            "subsystems: [{name: s, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], substeps: "
            "H/0.1}]\nconnections: [{from: s.y, to: s.u, delay: n - 1}]\n"
            "coupling: {scheme: iterated, macro_step: H, iterations: 2*n}\n");
    assert_int_equal(f.network->subsystems[0].substeps, 3);
    assert_int_equal(f.network->connections[0].delay, 2);
    assert_int_equal(costab_model_instance_coupling(f.instance, 0)->iterations, 6);
    fixture_set(&f, "n", 5);
    assert_int_equal(f.network->connections[0].delay, 4);
    fixture_end(&f);
}

TEST(lookups) {
    fixture f;
    costab_error error = {0};
    int index;
    fixture_start(&f, regulated);
    check_ok(costab_model_find_parameter(f.model, "KP", &index, &why));
    assert_int_equal(index, 4);
    assert_int_equal(costab_model_find_parameter(f.model, "Kp2", &index, &error), COSTAB_INVALID);
    assert_string_equal(error.message, "t.yaml has no parameter 'Kp2'; did you mean 'KP'?");
    assert_int_equal(costab_model_find_parameter(f.model, "stiffness", &index, NULL), COSTAB_INVALID);
    assert_int_equal(costab_model_find_parameter(f.model, "stiffness", &index, &error), COSTAB_INVALID);
    assert_string_equal(error.message,
                        "t.yaml has no parameter 'stiffness'; its parameters are: m, k, b, KI, KP, H");
    fixture_end(&f);
}

TEST(warnings) {
    fixture f;
    fixture_start(&f,
                  "system: network\nparameters:\n  a: 1\n  b: 2\nsubsystems:\n  - name: s\n    A: [[-1]]\n"
                  "    B: [[1, a]]\n    inputs: [u, w]\n"
                  "coupling: {macro_step: 0.3}\nsources: {s.u: 1}\n");
    assert_string_equal(
        f.spec->warnings,
        "t.yaml:9:13: warning: nothing feeds the input s.w: it stays zero, or at its operating point\n"
        "t.yaml:4:6: warning: the parameter 'b' is used nowhere");
    fixture_end(&f);
}

/* A chain of feedthrough is reported at its first subsystem, once for two couplings. */
TEST(warning_of_a_chain) {
    fixture f;
    fixture_start(
        &f, "system: network\nsubsystems:\n- {name: s, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: "
            "[y]}\n- {name: gain, D: [[0.5]], inputs: [u], outputs: [y]}\n"
            "- {name: filter, A: [[-1]], B: [[1]], C: [[1]], D: [[1]], inputs: [u], outputs: [y]}\n"
            "connections: [{from: s.y, to: gain.u}, {from: gain.y, to: filter.u}, {from: filter.y, to: "
            "s.u}]\ncoupling: [{name: a, macro_step: 1}, {name: b, macro_step: 2}]\n");
    static const char words[] = "t.yaml:4:36: warning: feedthrough chain gain -> filter: ";
    assert_int_equal(strncmp(f.spec->warnings, words, strlen(words)), 0);
    assert_null(strchr(f.spec->warnings, '\n'));
    fixture_end(&f);
}

/* The usual name of choices that have none. */
TEST(names_of_couplings) {
    static const char *const choices[][2] = {
        {"", "jacobi"},
        {", extrapolation: linear", "jacobi-linear"},
        {", scheme: gauss-seidel, interpolation: linear", "gauss-seidel-linear"},
        {", feedthrough: solved, extrapolation: cubic", "jacobi-cubic-solved"},
        {", smoothed: true", "model"},
        {", scheme: gauss-seidel, order: [s]", "gauss-seidel"},
        {", scheme: gauss-seidel, extrapolation: linear", "model"},
        {", scheme: cross", "jacobi"},
        {", scheme: zigzag", "gauss-seidel-linear"},
        {", scheme: strong, feedthrough: solved", "iterated-linear-solved"},
        {", scheme: iterated, iterations: newton", "newton"},
        {", scheme: iterated, iterations: converged", "iterated"},
        {", scheme: iterated, iterations: 2", "model"},
        {", scheme: iterated, relaxation: 0.5", "model"},
        {", scheme: iterated, interpolation: linear, extrapolation: linear", "model"},
        {", scheme: iterated, name: mine", "mine"},
    };
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        char text[400];
        fixture f;
        snprintf(text, sizeof text,
                 "system: network\nsubsystems: [{name: s, A: [[-1]]}]\ncoupling: {macro_step: 1%s}\n",
                 choices[i][0]);
        fixture_start(&f, text);
        assert_string_equal(f.model->coupling_names[0], choices[i][1]);
        fixture_end(&f);
    }
}

/* An input and an output of one name: the signals have two names, and both work. */
TEST(ports_of_one_name) {
    fixture f;
    char name[COSTAB_SIGNAL_NAME_MAX];
    fixture_start(&f,
                  "system: network\ncoupling: {macro_step: 1}\n"
                  "subsystems: [{name: s, A: [[-1]], B: [[1, 1]], C: [[1]], inputs: [x, u], outputs: [x]}]\n"
                  "connections: [{from: s.x, to: s.x}]\nsources: {s.u: 1}\n"
                  "history: {until: 3, signals: [s.x, s.x (input), s.u, s.u (input), s.x1]}\n");
    assert_string_equal(costab_signal_name(f.network, 0, COSTAB_SIGNAL_INPUT, 0, name), "x (input)");
    assert_string_equal(costab_signal_name(f.network, 0, COSTAB_SIGNAL_INPUT, 1, name), "u");
    assert_string_equal(costab_signal_name(f.network, 0, COSTAB_SIGNAL_OUTPUT, 0, name), "x");
    static const struct costab_network_signal expected[] = {{COSTAB_SIGNAL_OUTPUT, 0, 0},
                                                            {COSTAB_SIGNAL_INPUT, 0, 0},
                                                            {COSTAB_SIGNAL_INPUT, 0, 1},
                                                            {COSTAB_SIGNAL_INPUT, 0, 1},
                                                            {COSTAB_SIGNAL_STATE, 0, 0}};
    assert_int_equal(f.model->history.signal_count, 5);
    for (int i = 0; i < 5; i++) {
        const struct costab_network_signal *s = &f.model->history.signals[i];
        assert_true(s->kind == expected[i].kind && s->subsystem == 0 && s->index == expected[i].index);
    }
    fixture_end(&f);
}

#define TANK(f, point)                                                                                       \
    "system: network\nparameters: {q: 2, H: 0.1}\nsources: {s.u: 0*q}\ncoupling: {macro_step: H}\n"          \
    "subsystems: [{name: s, states: [h, T], inputs: [u], outputs: [y], f: " f ", g: [h],\n"                  \
    "  operating_point: " point "}]\n"
#define OUTFLOW "[q - sqrt(h) + u, exp(T) - 3]"

static void check_warned(const char *text, const char *words) {
    fixture f;
    fixture_start(&f, text);
    if (words == NULL) assert_string_equal(f.spec->warnings, "");
    if (words != NULL) check_true(strstr(f.spec->warnings, words) != NULL, "%s", f.spec->warnings);
    fixture_end(&f);
}

/* `words`: of the refusal; NULL: there is none. */
static void check_read(const char *text, const char *words) {
    costab_error error = {0};
    costab_status status = complaint_read("t.yaml", text, strlen(text), &error);
    assert_int_equal(status, words == NULL ? COSTAB_OK : COSTAB_INVALID);
    if (words != NULL) check_true(strstr(error.message, words) != NULL, "'%s' in: %s", words, error.message);
}

/* h' = q - sqrt(h) and T' = e^T - 3 rest at h = q^2, T = ln 3: given, warned of, found, or refused. Found,
 * the derivatives are -1/(2 q) and 3 to rounding, for every q. */
TEST(equilibria) {
    check_warned(TANK(OUTFLOW, "{h: 4, T: ln(3)}"), NULL);
    check_warned(TANK(OUTFLOW, "{h: q^2, T: ln(3), u: 0}"), NULL);
    check_warned(TANK(OUTFLOW, "{h: 9, T: ln(3), u: 1}"), "the input u is 1 there, but receives 0");
    check_warned(
        TANK(OUTFLOW, "{h: 1, T: ln(3)}"),
        "6:20: warning: subsystem 's': the operating point is not an equilibrium: |h'| = 1 there (misfit");
    check_warned(TANK(OUTFLOW, "{h: 4, T: 0}"), "|T'| = 2 there");
    static const char *const points[] = {"{solve: true, h: 1}", "{solve: true, h: 30, T: -2}",
                                         "{h: 0.01, solve: true, T: 4}"};
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        char text[600];
        fixture f;
        snprintf(text, sizeof text, TANK(OUTFLOW, "%s"), points[k]);
        check_warned(text, NULL);
        fixture_start(&f, text);
        for (double q = 1; q < 4; q += 0.5) {
            fixture_set(&f, "q", q);
            const double *A = f.network->subsystems[0].A;
            check_near(A[0], -0.5L / q, 1e-14L, "%s, q = %g", points[k], q);
            check_near(A[3], 3, 1e-14L, "%s, q = %g", points[k], q);
        }
        fixture_end(&f);
    }
    static const char *const bad[][2] = {
        {TANK("[h - h, -T]", "{solve: false}"), NULL},
        {TANK("[-h, -T]", "{solve: maybe}"),
         "operating_point, solve: unknown name 'maybe'; expected false or true"},
        {TANK("[abs(h) - 2*h, -T]", "{h: 0}"), "t.yaml:5:71: error: subsystem 's', f(1): 'abs(h) - 2*h' "
                                               "has no derivatives at the operating point: a corner of abs "
                                               "is there"},
        {TANK("[-h*abs(h), -T]", "{h: 0}"), NULL},
        {TANK("[-h, 'max(T, u) - T'] ", "{T: 1, u: 1}"), "a corner of max is there"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) check_read(bad[k][0], bad[k][1]);
}

static void check_refused(costab_spec **spec, const char *name, double value, const char *words) {
    costab_error error = {0};
    const costab_spec *before = *spec;
    assert_int_equal(costab_spec_set(spec, &(costab_setting){name, value}, 1, &error), COSTAB_INVALID);
    check_true(strstr(error.message, words) != NULL, "%s", error.message);
    assert_true(*spec == before);
}

/* A parameter that is set acts as if the file had it: what depends on it follows, the whole text brings it
 * along, the last value of a name stands, and a derived parameter follows no longer. */
TEST(parameters_set) {
    static const char text[] =
        "system: network\nparameters: {k: 2, m: 4, w: k/m, H: 0.1}\n"
        "subsystems: [{name: s, A: [[-w]], B: [[1]], C: [[1]], inputs: [u], outputs: [y]}]\n"
        "coupling: {macro_step: H}\naxes: {H: [0.1, 1]}\n";
    static const costab_setting first[] = {{"k", 1}, {"m", 8}, {"k", 0.1}}, second[] = {{"m", 2}},
                                third[] = {{"w", 7}};
    costab_spec *spec, *again;
    char *whole;
    spec = spec_of(text);
    check_ok(costab_spec_set(&spec, first, 3, &why));
    assert_true(fixture_value(spec, "k") == 0.1 && fixture_value(spec, "m") == 8 &&
                fixture_value(spec, "w") == 0.1 / 8);
    check_ok(costab_spec_set(&spec, second, 1, &why));
    assert_true(fixture_value(spec, "k") == 0.1 && fixture_value(spec, "m") == 2 &&
                fixture_value(spec, "w") == 0.05);
    assert_string_equal(spec->text, text);
    check_ok(costab_spec_whole(spec, &whole, &why));
    assert_string_equal(whole + strlen(text), COSTAB_JOINT_SET "k: 0.1\nm: 2\n");
    again = spec_of(whole);
    assert_true(fixture_value(again, "w") == 0.05);
    costab_spec_free_text(&whole);
    costab_spec_destroy(&again);
    check_ok(costab_spec_set(&spec, third, 1, &why));
    assert_true(fixture_value(spec, "w") == 7 && !spec->model->parameters[2].derived);
    check_refused(&spec, "H", 1, "is an axis of the sweep");
    check_refused(&spec, "kk", 1, "has no parameter 'kk'");
    check_refused(&spec, "k", (double)INFINITY, "must be finite");
    costab_spec_destroy(&spec);
    /* A value that the model cannot take is reported where it is used; one of a parameter that depends on it
     * mends it. */
    costab_error error = {0};
    spec = spec_of(text);
    check_ok(costab_spec_set(&spec, &(costab_setting){"m", 0}, 1, &why));
    assert_int_equal(complaint_use(spec->model, &error), COSTAB_INVALID);
    assert_non_null(strstr(error.message, "error: parameter 'w': its value is not finite"));
    check_ok(costab_spec_set(&spec, third, 1, &why));
    assert_int_equal(complaint_use(spec->model, &error), COSTAB_OK);
    costab_spec_destroy(&spec);
    static const char planar[] = "system: planar\nschemes: [cross]\naxes: {a: 1, gamma: 1, delta: 1}\n";
    spec = spec_of(planar);
    check_refused(&spec, "k", 1, "planar system has no parameters");
    costab_spec_destroy(&spec);
}

/* Keys of couplings of higher order, of strides and of solvers with structure. */
#define TWO_MASSES                                                                                           \
    "system: network\nparameters: {H: 0.1, w: 0.5, S: 2}\nsubsystems:\n"                                     \
    "  - {name: a, states: [v, x], A: [[0, -2], [1, 0]], B: [[1], [0]], C: [[0, 1]], inputs: [u], "          \
    "outputs: [y], positions: [x], velocities: [v], stride: S, method: {newmark: {beta: 1/6, gamma: "        \
    "1/2}}}\n"                                                                                               \
    "  - {name: b, A: [[0, 1], [-2, 0]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], positions: " \
    "[x1], velocities: [x2], method: {generalized_alpha: {rho: 0.5}}}\n"                                     \
    "connections:\n  - {from: a.y, to: b.u, delay: 3*H/2 s}\n  - {from: b.y, to: a.u, delay: 2}\n"

TEST(couplings_of_higher_order) {
    fixture f;
    fixture_start(&f, TWO_MASSES "coupling:\n"
                                 "  - {name: one, macro_step: H, extrapolation: cubic, smoothed: true}\n"
                                 "  - {name: two, macro_step: H, extrapolation: hermite}\n");
    const costab_subsystem *a = &f.network->subsystems[0], *b = &f.network->subsystems[1];
    assert_true(a->pairs == 1 && a->positions[0] == 1 && a->velocities[0] == 0 && a->stride == 2);
    assert_true(b->pairs == 1 && b->positions[0] == 0 && b->velocities[0] == 1 && b->stride == 1);
    assert_int_equal(a->method.kind, COSTAB_NYSTROM);
    check_near(a->method.b_bar[1], 1.0L / 6, 1e-16L, "beta");
    assert_int_equal(b->method.kind, COSTAB_GENERALIZED_ALPHA);
    check_near(b->method.alpha_f, 1.0L / 3, 1e-16L, "alpha_f of rho 1/2");
    check_near(f.network->connections[0].delay_time, 0.15L, 1e-16L, "seconds");
    assert_true(f.network->connections[0].delay == 0 && f.network->connections[1].delay == 2);
    const costab_coupling *one = costab_model_instance_coupling(f.instance, 0);
    assert_true(one->extrapolation == COSTAB_CUBIC && one->smoothed);
    assert_int_equal(costab_model_instance_coupling(f.instance, 1)->extrapolation, COSTAB_HERMITE);
    fixture_set(&f, "S", 3);
    fixture_set(&f, "H", 0.2);
    assert_int_equal(a->stride, 3);
    check_near(f.network->connections[0].delay_time, 0.3L, 1e-16L, "seconds follow the parameter");
    fixture_end(&f);

    fixture_start(&f,
                  "system: network\nparameters: {H: 0.1, w: 0.5}\nsubsystems:\n"
                  "  - {name: s, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: bdf2}\n"
                  "connections: [{from: s.y, to: s.u, gain: -1}]\ncoupling:\n"
                  "  - {name: solved, macro_step: H, scheme: iterated, iterations: newton, relaxation: w}\n"
                  "  - {name: swept, macro_step: H, scheme: iterated, iterations: 2, predictor: quadratic}\n"
                  "  - {name: mean, macro_step: H, scheme: jacobi}\n");
    const costab_coupling *solved = costab_model_instance_coupling(f.instance, 0);
    assert_true(solved->iterations == COSTAB_NEWTON && f.network->subsystems[0].method.kind == COSTAB_BDF);
    check_near(solved->relaxation, 0.5L, 0, "relaxation");
    const costab_coupling *swept = costab_model_instance_coupling(f.instance, 1);
    assert_true(swept->iterations == 2 && swept->predictor == COSTAB_QUADRATIC);
    fixture_end(&f);

    fixture_start(&f, "system: network\nparameters: {alpha: 0.25}\nsubsystems:\n"
                      "  - {name: s, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y]}\n"
                      "connections: [{from: s.y, to: s.u, gain: -1}]\n"
                      "coupling: {macro_step: 0.1, area_correction: alpha}\n");
    check_near(costab_model_instance_coupling(f.instance, 0)->area_correction, 0.25L, 0, "area correction");
    assert_string_equal(f.model->coupling_names[0], "model");
    fixture_end(&f);
}

/* Misfits are reported at their places. */
TEST(couplings_that_do_not_fit) {
    static const char *const texts[][2] = {
        {TWO_MASSES "coupling: {macro_step: H, scheme: iterated}\n",
         "an iteration is not possible with strides"},
        {TWO_MASSES "coupling: {macro_step: H, scheme: iterated, predictor: hermite}\n",
         "predictor: unknown name 'hermite'"},
        {TWO_MASSES "coupling: {macro_step: H, area_correction: 0.5}\n", "leave out delays and strides"},
        {"system: network\nsubsystems:\n  - {name: s, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: "
         "[y], method: newmark}\ncoupling: {macro_step: 0.1}\n",
         "newmark needs positions and velocities"},
        {"system: network\nsubsystems:\n  - {name: s, A: [[0, 2], [-1, 0]], B: [[0], [1]], C: [[1, 0]], "
         "inputs: "
         "[u], outputs: [y], positions: [x1], velocities: [x2], method: newmark}\n"
         "coupling: {macro_step: 0.1}\n",
         "the derivative of position 'x1' is not the velocity 'x2' alone"},
        {"system: network\nsubsystems:\n  - {name: s, A: [[0, 1], [-1, 0]], B: [[0], [1]], C: [[1, 0]], "
         "inputs: "
         "[u], outputs: [y], positions: [x3], velocities: [x2], method: newmark}\n"
         "coupling: {macro_step: 0.1}\n",
         "has no state 'x3'"},
        {"system: network\nsubsystems:\n  - {name: s, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: "
         "[y]}\nconnections: [{from: s.y, to: s.u}]\n"
         "coupling: {macro_step: 0.1, scheme: iterated, relaxation: 2}\n",
         "relaxation: it must be above 0 and below 2"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check_read(texts[i][0], texts[i][1]);
}
