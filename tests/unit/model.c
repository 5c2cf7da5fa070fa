/* Models from files: what they say, their numbers at any parameters, linearisations, files beside them. */
#include <hdf5.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "costab/spec.h"
#include "support/support.h"

/* Half a unit of the last digit given. */
#define DIGITS(n) (0.5000001 * pow(10, -(n)))

static void check_status(costab_status status, const costab_error *error) {
    check_true(!status, "status %d: %s", (int)status, error->message);
}

/* A model and one instance of it. */
typedef struct fixture {
    costab_spec *spec;
    const costab_model *model; /* the spec's */
    costab_model_instance *instance;
    const costab_network *network;
    costab_network_work *work;
} fixture;

static void start_from(fixture *f, costab_spec *spec) {
    costab_error error = {0};
    f->spec = spec;
    f->model = spec->model;
    check_status(costab_model_instance_create(f->model, &f->instance, &error), &error);
    check_status(costab_network_work_create(&f->work, &error), &error);
    f->network = costab_model_instance_network(f->instance);
}

static void start(fixture *f, const char *text) {
    costab_error error = {0};
    costab_spec *spec;
    check_status(costab_spec_parse("t.yaml", text, strlen(text), &spec, &error), &error);
    start_from(f, spec);
}

static void end(fixture *f) {
    costab_network_work_destroy(&f->work);
    costab_model_instance_destroy(&f->instance);
    costab_spec_destroy(&f->spec);
    assert_null(f->instance);
    assert_null(f->spec);
}

static void set(fixture *f, const char *name, double value) {
    costab_error error = {0};
    int parameter = costab_model_parameter(f->model, name);
    assert_in_range(parameter, 0, f->model->parameter_count - 1);
    costab_model_instance_set(f->instance, parameter, value);
    check_status(costab_model_instance_update(f->instance, &error), &error);
}

static costab_network_point analyse(fixture *f, int coupling) {
    costab_error error = {0};
    costab_network_point point;
    check_status(costab_network_analyse(f->work, f->network,
                                        costab_model_instance_coupling(f->instance, coupling), &point,
                                        &error),
                 &error);
    return point;
}

/* ---- The regulated mass-spring-damper of [SP] example 5 ---- */

static const char regulated[] =
    "title: Mass-spring-damper with a speed regulator\n"
    "system: network\n"
    "parameters: {m: 2, k: 10, b: 1, KI: -0.1, KP: -0.5, H: 1}\n"
    "subsystems:\n"
    "  - name: plant\n"
    "    A: [[0, 1], [-k/m, -b/m]]\n"
    "    B: [[0], [1/m]]\n"
    "    C: [[0, 1]]                 # D is zero if absent\n"
    "    x0: [5, 0]\n"
    "    inputs: [force]\n"
    "    outputs: [speed]\n"
    "    method: euler\n"
    "    step: 0.01                  # or substeps: 100\n"
    "  - name: regulator\n"
    "    A: [[KI]]\n"
    "    B: [[KP]]\n"
    "    C: [[1]]\n"
    "    x0: [2]\n"
    "    inputs: [speed]\n"
    "    outputs: [force]\n"
    "    method: heun\n"
    "    step: 0.1\n"
    "connections:\n"
    "  - {from: plant.speed, to: regulator.speed}\n"
    "  - {from: regulator.force, to: plant.force, gain: 1, delay: 0}\n"
    "power_bonds: [[plant.force, plant.speed, regulator.speed, regulator.force]]\n"
    "sources: {plant.force: 3*t + KI}\n"
    "coupling:\n"
    "  scheme: jacobi\n"
    "  macro_step: H\n"
    "  interpolation: constant\n"
    "  extrapolation: constant\n"
    "  feedthrough: delayed\n"
    "  order: [plant, regulator]\n"
    "  iterations: converged\n"
    "  micro_steps: whole\n"
    "axes:\n"
    "  H: {from: 0.1, to: 5, points: 50}\n"
    "fields: [class, spectral_radius]\n";

static void what_a_file_says(void **state) {
    (void)state;
    fixture f;
    start(&f, regulated);
    assert_string_equal(f.spec->title, "Mass-spring-damper with a speed regulator");
    assert_string_equal(f.spec->warnings, "");
    assert_string_equal(f.spec->text, regulated);
    assert_int_equal(f.model->parameter_count, 6);
    assert_string_equal(f.model->parameters[3].name, "KI");
    assert_true(f.model->parameters[3].value == -0.1 && !f.model->parameters[3].derived);
    assert_int_equal(f.model->coupling_count, 1);
    assert_string_equal(f.model->coupling_names[0], "jacobi");
    assert_int_equal(f.spec->axis_count, 1);
    assert_string_equal(f.spec->axes[0].name, "H");
    assert_int_equal(f.spec->axis_parameters[0], 5);
    assert_int_equal(f.spec->axes[0].count, 50);
    assert_int_equal(f.spec->fields, COSTAB_NETWORK_CLASS | COSTAB_NETWORK_SPECTRAL_RADIUS);

    assert_int_equal(f.network->subsystem_count, 2);
    const costab_subsystem *plant = &f.network->subsystems[0], *regulator = &f.network->subsystems[1];
    assert_string_equal(plant->name, "plant");
    assert_string_equal(plant->input_names[0], "force");
    assert_string_equal(regulator->output_names[0], "force");
    assert_true(plant->states == 2 && plant->inputs == 1 && plant->outputs == 1);
    assert_true(plant->A[0] == 0 && plant->A[1] == 1 && plant->A[2] == -5 && plant->A[3] == -0.5);
    assert_true(plant->B[0] == 0 && plant->B[1] == 0.5 && plant->C[0] == 0 && plant->C[1] == 1);
    assert_null(plant->D);
    assert_true(plant->x0[0] == 5 && plant->x0[1] == 0 && regulator->x0[0] == 2);
    assert_true(plant->step == 0.01 && plant->substeps == 0);
    assert_string_equal(regulator->method.name, "heun");
    assert_int_equal(f.network->connection_count, 2);
    assert_true(f.network->connections[1].gain == 1 && f.network->connections[1].delay == 0);
    assert_int_equal(f.network->bond_count, 1);
    assert_int_equal(f.network->source_count, 1);
    const costab_source *source = &f.network->sources[0];
    assert_true(source->value(source->context, 2) == 3 * 2 + -0.1);
    assert_true(source->slope(source->context, 2) == 3);
    const costab_coupling *coupling = costab_model_instance_coupling(f.instance, 0);
    assert_true(coupling->macro_step == 1 && coupling->iterations == 0 && coupling->order[1] == 1);
    assert_null(costab_model_instance_coupling(f.instance, 1));
    end(&f);
}

/* The derivatives of f and g of a nonlinear subsystem, by hand. */
static void derivatives_of_equations(void **state) {
    (void)state;
    fixture f;
    start(&f, "system: network\nparameters: {k: 3}\n"
              "subsystems:\n"
              "  - {name: s, states: [q, v], f: [v, 'u - k*q^3'], g: ['q*v + t*u', 'v^2'], x0: [1, 0],\n"
              "     inputs: [u], outputs: [y, w], method: rk4}\n"
              "connections: [{from: s.w, to: s.u}]\n"
              "coupling: {macro_step: 1}\n");
    const costab_dynamics *d = f.network->subsystems[0].dynamics;
    const double x[2] = {2, 5}, u[1] = {7};
    double A[4], B[2], C[4], D[2], rate[2];
    costab_error error = {0};
    assert_int_equal(d->jacobian(d->context, 11, x, u, A, B, &error), COSTAB_OK);
    assert_true(A[0] == 0 && A[1] == 1 && A[2] == -3 * 3 * 4 && A[3] == 0 && B[0] == 0 && B[1] == 1);
    assert_int_equal(d->output_jacobian(d->context, 11, x, u, C, D, rate, &error), COSTAB_OK);
    assert_true(C[0] == 5 && C[1] == 2 && C[2] == 0 && C[3] == 2 * 5);
    assert_true(D[0] == 11 && D[1] == 0 && rate[0] == 7 && rate[1] == 0);
    end(&f);
}

/* [SP] example 5, H = 1. */
static void published_eigenvalues(void **state) {
    (void)state;
    fixture f;
    start(&f, regulated);
    costab_network_point point = analyse(&f, 0);
    assert_int_equal(point.size, 3);
    check_near(point.spectral_radius, 0.907509147L, DIGITS(9), "spectral radius");
    int pair = 0;
    for (int i = 0; i < 3; i++) {
        double modulus = hypot(costab_network_eigenvalues_real(f.work)[i],
                               costab_network_eigenvalues_imaginary(f.work)[i]);
        pair += fabs(modulus - 0.842434111) < DIGITS(9);
    }
    assert_int_equal(pair, 2);
    end(&f);
}

/* ---- [GTL]'s two masses ---- */

static const char two_masses[] =
    "system: network\n"
    "parameters: {m1: 1, c1: 1, d1: 1, m2: 1, c2: 1, d2: 2, K: 200, H: 0.001}\n"
    "subsystems:\n"
    "- {name: first, A: [[0, 1], [-c1/m1, -d1/m1]], B: [[0], [1/m1]], C: [[1, 0]], inputs: [f], outputs: "
    "[x]}\n"
    "- {name: second, A: [[0, 1], [-(c2 + K)/m2, -d2/m2]], B: [[0], [K/m2]], C: [[K, 0]], D: [[-K]],\n"
    "   inputs: [x], outputs: [f]}\n"
    "connections: [{from: first.x, to: second.x}, {from: second.f, to: first.f}]\n"
    "coupling:\n"
    "- {name: parallel, macro_step: H}\n"
    "- {name: iterated, scheme: iterated, macro_step: H}\n";

static double critical(fixture *f, int coupling, double low, double high) {
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        set(f, "H", middle);
        *(analyse(f, coupling).spectral_radius < 1 ? &low : &high) = middle;
    }
    return low;
}

static void critical_macro_steps(void **state) {
    (void)state;
    fixture f;
    start(&f, two_masses);
    assert_int_equal(f.model->coupling_count, 2);
    assert_int_equal(costab_model_coupling(f.model, "iterated"), 1);
    assert_int_equal(costab_model_coupling(f.model, "jacobi"), -1);
    check_near(critical(&f, 0, 0.001, 0.01), 0.00604874153518L, DIGITS(14), "jacobi");
    check_near(critical(&f, 1, 0.01, 0.05), 0.0300123518297L, DIGITS(13), "iterated");
    end(&f);
}

/* ---- Nonlinear subsystems ---- */

/* [SP] example 6: the spring's force is k x^3. */
static const char cubic[] =
    "system: network\n"
    "parameters: {m: 2, k: 10, b: 1, KI: -0.1, KP: -0.5, x01: 5}\n"
    "subsystems:\n"
    "  - name: plant\n"
    "    states: [x, v]\n"
    "    inputs: [F]\n"
    "    outputs: [speed]\n"
    "    f: [v, (F - b*v - k*x^3)/m]\n"
    "    g: [v]\n"
    "    operating_point: {x: x01}\n"
    "    x0: [x01, 0]\n"
    "    method: euler\n"
    "    step: 0.0013\n"
    "  - {name: regulator, A: [[KI]], B: [[KP]], C: [[1]], inputs: [speed], outputs: [F], method: heun, "
    "step: 0.026}\n"
    "connections: [{from: plant.speed, to: regulator.speed}, {from: regulator.F, to: plant.F}]\n"
    "coupling: {macro_step: 0.078}\n";

static void cubic_spring(void **state) {
    (void)state;
    fixture f;
    start(&f, cubic);
    const costab_subsystem *plant = &f.network->subsystems[0];
    const double points[] = {5, 4.9, 0.2, 0, -3};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        double x = points[i];
        set(&f, "x01", x);
        assert_true(plant->A[0] == 0 && plant->A[1] == 1 && plant->A[3] == -0.5);
        /* -3 k x^2 / m: a handful of rounded operations. */
        check_near(plant->A[2], -15.0L * x * x, 8 * 2.3e-16L * 15 * x * x, "A(2,1) at x = %g", x);
        assert_true(plant->B[0] == 0 && plant->B[1] == 0.5 && plant->C[0] == 0 && plant->C[1] == 1);
        assert_null(plant->D);
    }
    set(&f, "x01", 5);
    check_near(analyse(&f, 0).spectral_radius, 1.000014966L, DIGITS(9), "x01 = 5");
    double low = 4.9, high = 5.1;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        set(&f, "x01", middle);
        *(analyse(&f, 0).spectral_radius < 1 ? &low : &high) = middle;
    }
    check_near(low, 4.998006944L, DIGITS(9), "the largest operating point");
    end(&f);
}

/* A pendulum with everything: two inputs, t, feedthrough, functions of several arguments. */
static const char pendulum[] =
    "system: network\n"
    "parameters: {g: 9.81, l: 2, a: 0.3, w: g/l, q0: 0.7}\n"
    "subsystems:\n"
    "  - name: pendulum\n"
    "    states: [q, p]\n"
    "    inputs: [u, z]\n"
    "    outputs: [height, both]\n"
    "    f: [p, -w*sin(q) + a*u*cos(q) - z*p^2 + sin(t)]\n"
    "    g: [l*(1 - cos(q)), 'u*z + atan2(p, l)']\n"
    "    operating_point: {q: q0, p: 1 + a, u: 0.5, z: -0.25}\n"
    "  - {name: sensor, A: [[-1]], B: [[1]], C: [[1], [2]], inputs: [y], outputs: [u, z]}\n"
    "connections:\n"
    "  - {from: pendulum.height, to: sensor.y}\n"
    "  - {from: sensor.u, to: pendulum.u}\n"
    "  - {from: sensor.z, to: pendulum.z}\n"
    "coupling: {macro_step: 0.01}\n";

static void pendulum_linearised(void **state) {
    (void)state;
    fixture f;
    start(&f, pendulum);
    const costab_subsystem *s = &f.network->subsystems[0];
    for (int i = 0; i < 4; i++) {
        double q = 0.7 + 0.4 * i, l = 2 + i, p = 1.3, w = 9.81 / l;
        set(&f, "q0", q);
        set(&f, "l", l);
        const double A[4] = {0, 1, -w * cos(q) - 0.3 * 0.5 * sin(q), 2 * 0.25 * p};
        const double B[4] = {0, 0, 0.3 * cos(q), -p * p}, C[4] = {l * sin(q), 0, 0, l / (l * l + p * p)};
        const double D[4] = {0, 0, -0.25, 0.5};
        for (int k = 0; k < 4; k++) {
            check_near(s->A[k], A[k], 1e-14, "A %d", k);
            check_near(s->B[k], B[k], 1e-14, "B %d", k);
            check_near(s->C[k], C[k], 1e-14, "C %d", k);
            check_near(s->D[k], D[k], 1e-14, "D %d", k);
        }
        const double x[2] = {0.1, -2}, u[2] = {3, 4};
        double dx[2], y[2];
        costab_error error = {0};
        check_status(s->dynamics->f(s->dynamics->context, 0.5, x, u, dx, &error), &error);
        check_status(s->dynamics->g(s->dynamics->context, 0.5, x, u, y, &error), &error);
        assert_true(dx[0] == -2);
        check_near(dx[1], -w * sin(0.1) + 0.3 * 3 * cos(0.1) - 4 * 4 + sin(0.5), 1e-14, "f(2)");
        check_near(y[0], l * (1 - cos(0.1)), 1e-15, "g(1)");
        check_near(y[1], 12 + atan2(-2, l), 1e-14, "g(2)");
    }
    end(&f);
}

/* ---- Parameters ---- */

static void derived_parameters(void **state) {
    (void)state;
    fixture f;
    start(&f, "system: network\nparameters: {c: a*b, b: 2*a, a: 3, d: -c^2}\n"
              "subsystems: [{name: s, A: [[d, c], [b, a]]}]\ncoupling: {macro_step: 0.1}\n");
    const double *A = f.network->subsystems[0].A;
    assert_true(f.model->parameters[0].derived && f.model->parameters[0].value == 18);
    assert_true(f.model->parameters[3].value == -324);
    assert_true(A[0] == -324 && A[1] == 18 && A[2] == 6 && A[3] == 3);
    set(&f, "a", 1);
    assert_true(A[0] == -4 && A[1] == 2 && A[2] == 2 && A[3] == 1);
    set(&f, "b", 5); /* follows a no longer */
    assert_true(A[0] == -25 && A[1] == 5 && A[2] == 5);
    set(&f, "a", 2);
    assert_true(A[0] == -100 && A[1] == 10 && A[2] == 5 && A[3] == 2);
    assert_true(costab_model_instance_value(f.instance, 0) == 10);
    costab_model_instance_reset(f.instance);
    set(&f, "a", 4);
    assert_true(A[1] == 32 && A[2] == 8);
    end(&f);
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
static void updates_equal_fresh_instances(void **state) {
    (void)state;
    rng r = rng_start("model updates");
    const char *const texts[] = {regulated, two_masses, cubic, pendulum};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        fixture f, g;
        start(&f, texts[t]);
        double values[16];
        bool known[16] = {false};
        for (size_t i = 0; i < effort(50); i++) {
            int p = rng_int(&r, 0, f.model->parameter_count - 1);
            values[p] = rng_uniform(&r, 0.5, 3);
            known[p] = true;
            set(&f, f.model->parameters[p].name, values[p]);
            start(&g, texts[t]);
            for (int k = 0; k < f.model->parameter_count; k++)
                if (known[k]) costab_model_instance_set(g.instance, k, values[k]);
            costab_error error = {0};
            check_status(costab_model_instance_update(g.instance, &error), &error);
            compare(&f, &g);
            end(&g);
        }
        end(&f);
    }
}

/* An update that fails says where; the next good one makes everything good. */
static void failing_updates(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double value;
        const char *words;
    } bad[] = {{"m", 0, "t.yaml:6:18: error: subsystem 'plant', A(2,1): its value is not finite"},
               {"H", 0, "t.yaml:30:15: error: coupling, macro_step: expected a positive number, found 0"},
               {"k", (double)NAN, "t.yaml:6:18: error: subsystem 'plant', A(2,1): its value is not finite"}};
    fixture f;
    start(&f, regulated);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        costab_error error = {0};
        int p = costab_model_parameter(f.model, bad[i].name);
        costab_model_instance_set(f.instance, p, bad[i].value);
        assert_int_equal(costab_model_instance_update(f.instance, &error), COSTAB_INVALID);
        assert_string_equal(error.message, bad[i].words);
        assert_int_equal(costab_model_instance_update(f.instance, NULL), COSTAB_INVALID);
        set(&f, bad[i].name, f.model->parameters[p].value);
        assert_true(f.network->subsystems[0].A[2] == -5 && f.network->subsystems[0].B[1] == 0.5);
    }
    check_near(analyse(&f, 0).spectral_radius, 0.907509147L, DIGITS(9), "afterwards");
    end(&f);
}

/* A count may be an expression whose value is whole but for rounding. */
static void whole_numbers(void **state) {
    (void)state;
    fixture f;
    start(&f, "system: network\nparameters: {n: 3, H: 0.3}\n"
              "subsystems: [{name: s, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], substeps: "
              "H/0.1}]\nconnections: [{from: s.y, to: s.u, delay: n - 1}]\n"
              "coupling: {scheme: iterated, macro_step: H, iterations: 2*n}\n");
    assert_int_equal(f.network->subsystems[0].substeps, 3);
    assert_int_equal(f.network->connections[0].delay, 2);
    assert_int_equal(costab_model_instance_coupling(f.instance, 0)->iterations, 6);
    set(&f, "n", 5);
    assert_int_equal(f.network->connections[0].delay, 4);
    end(&f);
}

static void lookups(void **state) {
    (void)state;
    fixture f;
    costab_error error = {0};
    int index;
    start(&f, regulated);
    check_status(costab_model_find_parameter(f.model, "KP", &index, &error), &error);
    assert_int_equal(index, 4);
    assert_int_equal(costab_model_find_parameter(f.model, "Kp2", &index, &error), COSTAB_INVALID);
    assert_string_equal(error.message, "t.yaml has no parameter 'Kp2'; did you mean 'KP'?");
    assert_int_equal(costab_model_find_parameter(f.model, "stiffness", &index, NULL), COSTAB_INVALID);
    assert_int_equal(costab_model_find_parameter(f.model, "stiffness", &index, &error), COSTAB_INVALID);
    assert_string_equal(error.message,
                        "t.yaml has no parameter 'stiffness'; its parameters are: m, k, b, KI, KP, H");
    end(&f);
}

static void warnings(void **state) {
    (void)state;
    fixture f;
    start(&f, "system: network\nparameters:\n  a: 1\n  b: 2\nsubsystems:\n  - name: s\n    A: [[-1]]\n"
              "    B: [[1, a]]\n    inputs: [u, w]\n"
              "coupling: {macro_step: 0.3}\nsources: {s.u: 1}\n");
    assert_string_equal(f.spec->warnings, "t.yaml:9:13: warning: nothing feeds the input s.w: it is zero\n"
                                          "t.yaml:4:6: warning: the parameter 'b' is used nowhere");
    end(&f);
}

/* A chain of feedthrough stands at its first subsystem; under two couplings it is told once. */
static void warning_of_a_chain(void **state) {
    (void)state;
    fixture f;
    start(&f,
          "system: network\nsubsystems:\n- {name: s, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: "
          "[y]}\n- {name: gain, D: [[0.5]], inputs: [u], outputs: [y]}\n"
          "- {name: filter, A: [[-1]], B: [[1]], C: [[1]], D: [[1]], inputs: [u], outputs: [y]}\n"
          "connections: [{from: s.y, to: gain.u}, {from: gain.y, to: filter.u}, {from: filter.y, to: "
          "s.u}]\ncoupling: [{name: a, macro_step: 1}, {name: b, macro_step: 2}]\n");
    static const char words[] = "t.yaml:4:36: warning: feedthrough chain gain -> filter: ";
    assert_int_equal(strncmp(f.spec->warnings, words, strlen(words)), 0);
    assert_null(strchr(f.spec->warnings, '\n'));
    end(&f);
}

/* The usual name of choices that have none. */
static void names_of_couplings(void **state) {
    (void)state;
    static const char *const choices[][2] = {
        {"", "jacobi"},
        {", extrapolation: linear", "jacobi-extrapolated"},
        {", scheme: gauss-seidel, interpolation: linear", "gauss-seidel-linear"},
        {", interpolation: cubic", "jacobi"},
        {", feedthrough: solved, extrapolation: cubic", "jacobi-cubic-solved"},
        {", smoothed: true", "model"},
        {", scheme: gauss-seidel, order: [s]", "gauss-seidel"},
        {", scheme: gauss-seidel, extrapolation: linear", "model"},
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
        start(&f, text);
        assert_string_equal(f.model->coupling_names[0], choices[i][1]);
        end(&f);
    }
}

/* ---- Files ---- */

static void path_in(const char *folder, const char *name, char path[300]) {
    snprintf(path, 300, "%s/%s", folder, name);
}

static void write_text(const char *folder, const char *name, const char *text) {
    char path[300];
    path_in(folder, name, path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void write_dataset(hid_t file, const char *name, int rank, const hsize_t *extent, const double *values,
                          hid_t type, bool matlab) {
    hid_t space = rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, extent, NULL);
    hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    if (matlab) {
        hid_t string = H5Tcopy(H5T_C_S1), scalar = H5Screate(H5S_SCALAR);
        H5Tset_size(string, 6);
        hid_t attribute = H5Acreate2(dataset, "MATLAB_class", string, scalar, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Awrite(attribute, string, "double") >= 0);
        H5Aclose(attribute);
        H5Sclose(scalar);
        H5Tclose(string);
    }
    H5Dclose(dataset);
    H5Sclose(space);
}

static void write_matrices(const char *folder) {
    char path[300];
    path_in(folder, "plant.mat", path);
    /* MATLAB puts 512 bytes of its own before the HDF5 file. */
    hid_t layout = H5Pcreate(H5P_FILE_CREATE);
    assert_true(H5Pset_userblock(layout, 512) >= 0);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, layout, H5P_DEFAULT);
    H5Pclose(layout);
    assert_true(file >= 0);
    const double A[4] = {0, 1, -5, -0.5}, transposed[4] = {0, -5, 1, -0.5}, B[2] = {0, 2}, bad[1] = {NAN};
    const double C[6] = {1, 2, 3, 4, 5, 6};
    write_dataset(file, "A", 2, (hsize_t[]){2, 2}, A, H5T_IEEE_F64LE, false);
    write_dataset(file, "At", 2, (hsize_t[]){2, 2}, transposed, H5T_IEEE_F64LE, true);
    write_dataset(file, "B", 1, (hsize_t[]){2}, B, H5T_STD_I16BE, false);
    write_dataset(file, "C", 2, (hsize_t[]){3, 2}, C, H5T_IEEE_F32BE, false);
    write_dataset(file, "one", 0, NULL, B + 1, H5T_IEEE_F64LE, false);
    write_dataset(file, "bad", 1, (hsize_t[]){1}, bad, H5T_IEEE_F64LE, false);
    write_dataset(file, "cube", 3, (hsize_t[]){1, 2, 1}, A, H5T_IEEE_F64LE, false);
    hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    write_dataset(group, "A", 2, (hsize_t[]){2, 2}, A, H5T_IEEE_F64LE, false);
    H5Gclose(group);
    assert_true(H5Fclose(file) >= 0);
}

static costab_status read_in(const char *folder, const char *text, costab_spec **spec, costab_error *error) {
    char path[300];
    write_text(folder, "model.yaml", text);
    path_in(folder, "model.yaml", path);
    return costab_spec_read(path, spec, error);
}

#define FROM_FILE(A, B)                                                                                      \
    "system: network\ncoupling: {macro_step: 1}\nsubsystems:\n- {name: s, A: {file: plant.mat, name: " A     \
    "}, B: {file: plant.mat, name: " B "},\n   C: {file: plant.mat, name: C}, inputs: [u], outputs: [x, "    \
    "y, z]}\n"

static void matrices_from_files(void **state) {
    (void)state;
    char folder[] = "/tmp/costab-model-XXXXXX", path[300];
    assert_non_null(mkdtemp(folder));
    write_matrices(folder);
    static const char *const good[] = {FROM_FILE("A", "B"), FROM_FILE("At", "B"), FROM_FILE("group/A", "B")};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        costab_error error = {0};
        costab_spec *spec;
        fixture f;
        check_status(read_in(folder, good[i], &spec, &error), &error);
        start_from(&f, spec);
        const costab_subsystem *s = &f.network->subsystems[0];
        assert_true(s->A[0] == 0 && s->A[1] == 1 && s->A[2] == -5 && s->A[3] == -0.5);
        assert_true(s->B[0] == 0 && s->B[1] == 2 && s->C[1] == 2 && s->C[4] == 5);
        end(&f);
    }
    static const char *const bad[][3] = {
        {FROM_FILE("Q", "B"), "'Q' of '", "/plant.mat': there is no dataset of this name"},
        {FROM_FILE("group", "B"), "'group' of '", "/plant.mat': there is no dataset of this name"},
        {FROM_FILE("cube", "B"), "'cube' of '",
         "/plant.mat': it is no matrix: it has more than two dimensions"},
        {FROM_FILE("bad", "B"), "'bad' of '", "/plant.mat': it holds a number that is not finite"},
        {FROM_FILE("A", "one"), NULL, "B: expected 2 x 1 numbers (states x inputs), found 1 x 1"},
        {FROM_FILE("C", "B"), NULL, "A: expected 3 x 3 numbers (states x states), found 3 x 2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        costab_error error = {0};
        costab_spec *spec;
        char words[400];
        snprintf(words, sizeof words, "%s%s%s", bad[i][1] != NULL ? bad[i][1] : "",
                 bad[i][1] != NULL ? folder : "", bad[i][2]);
        assert_int_equal(read_in(folder, bad[i][0], &spec, &error), COSTAB_INVALID);
        check_true(strstr(error.message, words) != NULL, "\"%s\" is in: %s", words, error.message);
    }
    path_in(folder, "plant.mat", path);
    assert_int_equal(remove(path), 0);
    path_in(folder, "model.yaml", path);
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void models_of_other_files(void **state) {
    (void)state;
    char folder[] = "/tmp/costab-model-XXXXXX", path[300];
    costab_error error = {0};
    costab_spec *spec;
    fixture f;
    assert_non_null(mkdtemp(folder));
    write_text(folder, "base.yaml", two_masses);
    check_status(read_in(folder,
                         "system: network\nmodel: base.yaml\nparameters: {K: 100, H: s/2, s: 0.25}\n"
                         "axes: {K: [1, 2, 3]}\n",
                         &spec, &error),
                 &error);
    start_from(&f, spec);
    assert_int_equal(f.model->coupling_count, 2);
    assert_true(f.network->subsystems[1].B[1] == 100);
    assert_true(costab_model_instance_coupling(f.instance, 1)->macro_step == 0.125);
    assert_string_equal(f.model->base_text, two_masses);
    end(&f);
    check_status(read_in(folder,
                         "system: network\nmodel: base.yaml\ncoupling: {scheme: gauss-seidel, macro_step: "
                         "H, order: [second, first]}\n",
                         &spec, &error),
                 &error);
    start_from(&f, spec);
    assert_int_equal(f.model->coupling_count, 1);
    assert_int_equal(costab_model_instance_coupling(f.instance, 0)->order[0], 1);
    end(&f);

    /* A mistake stands where it is made. */
    char words[400];
    snprintf(words, sizeof words, "%s/model.yaml:3:18: error: parameter 'm1': its value is not finite",
             folder);
    assert_int_equal(
        read_in(folder, "system: network\nmodel: base.yaml\nparameters: {m1: 1/0}\n", &spec, &error),
        COSTAB_INVALID);
    assert_string_equal(error.message, words);
    snprintf(words, sizeof words,
             "%s/base.yaml:4:30: error: subsystem 'first', A(2,1): its value is not finite", folder);
    assert_int_equal(
        read_in(folder, "system: network\nmodel: base.yaml\nparameters: {m1: 0}\n", &spec, &error),
        COSTAB_INVALID);
    assert_int_equal(strncmp(error.message, words, strlen(words)), 0);
    assert_int_equal(read_in(folder, "system: network\nmodel: model.yaml\n", &spec, &error), COSTAB_INVALID);
    assert_non_null(strstr(error.message, "names none itself"));

    path_in(folder, "base.yaml", path);
    assert_int_equal(remove(path), 0);
    path_in(folder, "model.yaml", path);
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* ---- Memory and threads ---- */

/* Whichever allocation fails: out of memory or the usual end, nothing in between, nothing lost. */
static void every_allocation_fails_once(void **state) {
    (void)state;
    static const char bad[] = "system: network\nparameters: {a: b}\nsubsystems: [{name: s, A: [[x]]}]\n"
                              "connections: [{from: s.y, to: q.u}]\ncoupling: {macro_step: 1, order: [q]}\n";
    const char *const texts[] = {regulated, pendulum, two_masses, bad};
    const costab_status ends[] = {COSTAB_OK, COSTAB_OK, COSTAB_OK, COSTAB_INVALID};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        int failures = 0;
        for (long k = 1; k <= 600; k++) {
            costab_spec *spec;
            costab_model_instance *instance = NULL;
            costab_error error = {0};
            memory_fail_at(k);
            costab_status status = costab_spec_parse("t.yaml", texts[t], strlen(texts[t]), &spec, &error);
            check_true((spec != NULL) == (!status), "a model only where all is fine");
            if (!status) status = costab_model_instance_create(spec->model, &instance, &error);
            memory_fail_at(0);
            check_true(status == COSTAB_MEMORY || status == ends[t], "status %d: %s", (int)status,
                       error.message);
            if (status) assert_int_equal(error.status, status);
            failures += status == COSTAB_MEMORY;
            costab_model_instance_destroy(&instance);
            costab_spec_destroy(&spec);
        }
        assert_true(failures > 20);
    }
}

static double value_of(const costab_spec *spec, const char *name) {
    return spec->model->parameters[costab_model_parameter(spec->model, name)].value;
}

/* What else stands behind a text stays there. */
static void files_beside_settings(void **state) {
    (void)state;
    static const char text[] =
        "system: network\nparameters: {k: 2, H: 0.1, d: 1}\n"
        "subsystems: [{name: s, A: [[-k*d]], B: [[1]], C: [[1]], inputs: [u], outputs: [y]}]\n"
        "coupling: {macro_step: H}\naxes: {H: [0.1, 1], k: [1, 2]}\n"
        "figure: {kind: classes, points: p.csv, lines: l.csv}\n" COSTAB_JOINT_POINTS
        "x,y\n0.5,1\n" COSTAB_JOINT_LINES "x,y\n0,1\n1,2\n";
    costab_spec *spec;
    costab_error error = {0};
    char *whole;
    check_status(costab_spec_parse_stored("t.yaml", text, strlen(text), &spec, &error), &error);
    for (int k = 3; k < 5; k++) {
        check_status(costab_spec_set(&spec, &(costab_setting){"d", k}, 1, &error), &error);
        assert_true(value_of(spec, "d") == k && spec->stored);
        assert_string_equal(spec->figure.points.text, "x,y\n0.5,1\n");
        assert_string_equal(spec->figure.lines.text, "x,y\n0,1\n1,2\n");
    }
    check_status(costab_spec_whole(spec, &whole, &error), &error);
    assert_non_null(
        strstr(whole, COSTAB_JOINT_SET "d: 4\n" COSTAB_JOINT_POINTS "x,y\n0.5,1\n" COSTAB_JOINT_LINES));
    costab_spec_free_text(&whole);
    costab_spec_destroy(&spec);
}

/* Setting parameters: where memory runs out the spec is still what it was. */
static void setting_runs_out_of_memory(void **state) {
    (void)state;
    static const costab_setting settings[] = {{"k", 3}, {"m", 5}};
    costab_status status = COSTAB_MEMORY;
    long k = 0;
    while (status == COSTAB_MEMORY) {
        costab_spec *spec;
        costab_error error = {0};
        check_status(costab_spec_parse("t.yaml", regulated, strlen(regulated), &spec, &error), &error);
        memory_fail_at(++k);
        status = costab_spec_set(&spec, settings, 2, &error);
        memory_fail_at(0);
        assert_true(status == COSTAB_OK || status == COSTAB_MEMORY);
        assert_true((spec->settings != NULL) == (status == COSTAB_OK));
        costab_spec_destroy(&spec);
    }
    assert_true(k > 20);
}

/* No allocation in an update: with every one failing it goes through. */
static void updates_do_not_allocate(void **state) {
    (void)state;
    fixture f;
    costab_error error = {0};
    start(&f, pendulum);
    memory_fail_at(1);
    for (int i = 0; i < f.model->parameter_count; i++) costab_model_instance_set(f.instance, i, 1.25 + i);
    check_status(costab_model_instance_update(f.instance, &error), &error);
    assert_null(memory_alloc(1, 1)); /* it was still to fail */
    memory_fail_at(0);
    end(&f);
}

typedef struct job {
    costab_model_instance *instance;
    double sum;
} job;

static void *sweep(void *context) {
    job *j = context;
    const costab_network *network = costab_model_instance_network(j->instance);
    for (int i = 0; i < 2000; i++) {
        costab_model_instance_set(j->instance, 4, 0.001 * i);
        costab_model_instance_set(j->instance, 1, 1 + 0.01 * i);
        if (costab_model_instance_update(j->instance, NULL) != COSTAB_OK) return NULL;
        for (int k = 0; k < 4; k++) j->sum += network->subsystems[0].A[k] + network->subsystems[0].C[k];
    }
    return NULL;
}

static void instances_in_threads(void **state) {
    (void)state;
    costab_error error = {0};
    costab_spec *spec;
    job jobs[4] = {{NULL, 0}};
    pthread_t threads[4];
    check_status(costab_spec_parse("t.yaml", pendulum, strlen(pendulum), &spec, &error), &error);
    for (int i = 0; i < 4; i++)
        check_status(costab_model_instance_create(spec->model, &jobs[i].instance, &error), &error);
    for (int i = 1; i < 4; i++) assert_int_equal(pthread_create(&threads[i], NULL, sweep, &jobs[i]), 0);
    sweep(&jobs[0]);
    for (int i = 1; i < 4; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_true(jobs[0].sum != 0);
    for (int i = 0; i < 4; i++) {
        assert_true(jobs[i].sum == jobs[0].sum);
        costab_model_instance_destroy(&jobs[i].instance);
    }
    costab_spec_destroy(&spec);
}

/* An input and an output of one name: the signals have two names, and each can be asked for. */
static void ports_of_one_name(void **state) {
    (void)state;
    fixture f;
    char name[COSTAB_SIGNAL_NAME_MAX];
    start(&f, "system: network\ncoupling: {macro_step: 1}\n"
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
    end(&f);
}

#define TANK(f, point)                                                                                       \
    "system: network\nparameters: {q: 2, H: 0.1}\nsources: {s.u: 0*q}\ncoupling: {macro_step: H}\n"          \
    "subsystems: [{name: s, states: [h, T], inputs: [u], outputs: [y], f: " f ", g: [h],\n"                  \
    "  operating_point: " point "}]\n"
#define OUTFLOW "[q - sqrt(h) + u, exp(T) - 3]"

static void check_warned(const char *text, const char *words) {
    fixture f;
    start(&f, text);
    if (words == NULL) assert_string_equal(f.spec->warnings, "");
    if (words != NULL) check_true(strstr(f.spec->warnings, words) != NULL, "%s", f.spec->warnings);
    end(&f);
}

/* h' = q - sqrt(h) and T' = e^T - 3 rest at h = q^2, T = ln 3: given, warned of, found, or refused. Found,
 * the derivatives are -1/(2 q) and 3 to rounding, for every q. */
static void equilibria(void **state) {
    (void)state;
    check_warned(TANK(OUTFLOW, "{h: 4, T: ln(3)}"), NULL);
    check_warned(TANK(OUTFLOW, "{h: q^2, T: ln(3), u: 0}"), NULL);
    check_warned(TANK(OUTFLOW, "{h: 9, T: ln(3), u: 1}"), NULL);
    check_warned(TANK(OUTFLOW, "{h: 1, T: ln(3)}"),
                 "6:20: warning: subsystem 's': the operating point is no equilibrium: |h'| = 1 there");
    check_warned(TANK(OUTFLOW, "{h: 4, T: 0}"), "|T'| = 2 there");
    static const char *const points[] = {"{solve: true, h: 1}", "{solve: true, h: 30, T: -2}",
                                         "{h: 0.01, solve: true, T: 4}"};
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        char text[600];
        fixture f;
        snprintf(text, sizeof text, TANK(OUTFLOW, "%s"), points[k]);
        check_warned(text, NULL);
        start(&f, text);
        for (double q = 1; q < 4; q += 0.5) {
            set(&f, "q", q);
            const double *A = f.network->subsystems[0].A;
            check_near(A[0], -0.5L / q, 1e-14L, "%s, q = %g", points[k], q);
            check_near(A[3], 3, 1e-14L, "%s, q = %g", points[k], q);
        }
        end(&f);
    }
    static const char *const bad[][2] = {
        {TANK("[h^2 + 1, -T]", "{solve: true, h: 1}"), "t.yaml:6:20: error: subsystem 's', "
                                                       "operating_point: no equilibrium was found from the "
                                                       "given values: "},
        {TANK("[h - h, -T]", "{solve: false}"), NULL},
        {TANK("[h - T, h - T - 1]", "{solve: true}"), "the derivatives of f are singular"},
        {TANK("[sqrt(h) - 1, -T]", "{solve: true, h: -1}"), "no finite value"},
        {TANK("[-h, -T]", "{solve: maybe}"),
         "operating_point, solve: unknown name 'maybe'; expected false or true"},
        {TANK("[abs(h) - 2*h, -T]", "{h: 0}"), "t.yaml:5:71: error: subsystem 's', f(1): 'abs(h) - 2*h' "
                                               "has no derivatives at the operating point: a corner of abs "
                                               "lies there"},
        {TANK("[-h*abs(h), -T]", "{h: 0}"), NULL},
        {TANK("[-h, 'max(T, u) - T'] ", "{T: 1, u: 1}"), "a corner of max lies there"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        costab_error error = {0};
        costab_spec *spec;
        costab_status status = costab_spec_parse("t.yaml", bad[k][0], strlen(bad[k][0]), &spec, &error);
        assert_int_equal(status, bad[k][1] == NULL ? COSTAB_OK : COSTAB_INVALID);
        if (bad[k][1] != NULL) check_true(strstr(error.message, bad[k][1]) != NULL, "%s", error.message);
        costab_spec_destroy(&spec);
    }
}

static void check_refused(costab_spec **spec, const char *name, double value, const char *words) {
    costab_error error = {0};
    const costab_spec *before = *spec;
    assert_int_equal(costab_spec_set(spec, &(costab_setting){name, value}, 1, &error), COSTAB_INVALID);
    check_true(strstr(error.message, words) != NULL, "%s", error.message);
    assert_true(*spec == before);
}

/* What is set is as if the file said it: what depends on it follows, the whole text brings it along, the last
 * value of a name stands, and a derived parameter follows no longer. */
static void parameters_set(void **state) {
    (void)state;
    static const char text[] =
        "system: network\nparameters: {k: 2, m: 4, w: k/m, H: 0.1}\n"
        "subsystems: [{name: s, A: [[-w]], B: [[1]], C: [[1]], inputs: [u], outputs: [y]}]\n"
        "coupling: {macro_step: H}\naxes: {H: [0.1, 1]}\n";
    static const costab_setting first[] = {{"k", 1}, {"m", 8}, {"k", 0.1}}, second[] = {{"m", 2}},
                                third[] = {{"w", 7}};
    costab_spec *spec, *again;
    costab_error error = {0};
    char *whole;
    check_status(costab_spec_parse("t.yaml", text, strlen(text), &spec, &error), &error);
    check_status(costab_spec_set(&spec, first, 3, &error), &error);
    assert_true(value_of(spec, "k") == 0.1 && value_of(spec, "m") == 8 && value_of(spec, "w") == 0.1 / 8);
    check_status(costab_spec_set(&spec, second, 1, &error), &error);
    assert_true(value_of(spec, "k") == 0.1 && value_of(spec, "m") == 2 && value_of(spec, "w") == 0.05);
    assert_string_equal(spec->text, text);
    assert_string_equal(spec->settings, "k: 0.1\nm: 2\n");
    check_status(costab_spec_whole(spec, &whole, &error), &error);
    check_status(costab_spec_parse("t.yaml", whole, strlen(whole), &again, &error), &error);
    assert_true(value_of(again, "w") == 0.05);
    costab_spec_free_text(&whole);
    costab_spec_destroy(&again);
    check_status(costab_spec_set(&spec, third, 1, &error), &error);
    assert_true(value_of(spec, "w") == 7 && !spec->model->parameters[2].derived);
    check_refused(&spec, "H", 1, "is an axis of the sweep");
    check_refused(&spec, "kk", 1, "has no parameter 'kk'");
    check_refused(&spec, "k", (double)INFINITY, "must be finite");
    costab_spec_destroy(&spec);
    check_status(costab_spec_parse("t.yaml", text, strlen(text), &spec, &error), &error);
    check_refused(&spec, "m", 0, "parameter 'w': its value is not finite");
    costab_spec_destroy(&spec);
    static const char planar[] = "system: planar\nschemes: [cross]\naxes: {a: 1, gamma: 1, delta: 1}\n";
    check_status(costab_spec_parse("t.yaml", planar, strlen(planar), &spec, &error), &error);
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

static void couplings_of_higher_order(void **state) {
    (void)state;
    fixture f;
    start(&f, TWO_MASSES "coupling:\n"
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
    set(&f, "S", 3);
    set(&f, "H", 0.2);
    assert_int_equal(a->stride, 3);
    check_near(f.network->connections[0].delay_time, 0.3L, 1e-16L, "seconds follow the parameter");
    end(&f);

    start(&f, "system: network\nparameters: {H: 0.1, w: 0.5}\nsubsystems:\n"
              "  - {name: s, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: bdf2}\n"
              "connections: [{from: s.y, to: s.u, gain: -1}]\ncoupling:\n"
              "  - {name: solved, macro_step: H, scheme: iterated, iterations: newton, relaxation: w}\n"
              "  - {name: swept, macro_step: H, scheme: iterated, iterations: 2, predictor: quadratic}\n"
              "  - {name: mean, macro_step: H, scheme: jacobi}\n");
    const costab_coupling *solved = costab_model_instance_coupling(f.instance, 0);
    assert_true(solved->iterations == COSTAB_NEWTON && f.network->subsystems[0].method.kind == COSTAB_BDF2);
    check_near(solved->relaxation, 0.5L, 0, "relaxation");
    const costab_coupling *swept = costab_model_instance_coupling(f.instance, 1);
    assert_true(swept->iterations == 2 && swept->predictor == COSTAB_QUADRATIC);
    end(&f);

    start(&f, "system: network\nparameters: {alpha: 0.25}\nsubsystems:\n"
              "  - {name: s, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y]}\n"
              "connections: [{from: s.y, to: s.u, gain: -1}]\n"
              "coupling: {macro_step: 0.1, area_correction: alpha}\n");
    check_near(costab_model_instance_coupling(f.instance, 0)->area_correction, 0.25L, 0, "area correction");
    assert_string_equal(f.model->coupling_names[0], "model");
    end(&f);
}

/* What does not fit is said where it stands. */
static void couplings_that_do_not_fit(void **state) {
    (void)state;
    static const char *const texts[][2] = {
        {TWO_MASSES "coupling: {macro_step: H, scheme: iterated}\n",
         "an iteration is not possible with strides"},
        {TWO_MASSES "coupling: {macro_step: H, predictor: hermite}\n", "predictor: unknown name 'hermite'"},
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
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        costab_error error = {0};
        costab_spec *spec = NULL;
        costab_status status = costab_spec_parse("t.yaml", texts[i][0], strlen(texts[i][0]), &spec, &error);
        check_true(status == COSTAB_INVALID && strstr(error.message, texts[i][1]) != NULL, "'%s' in: %s",
                   texts[i][1], error.message);
        costab_spec_destroy(&spec);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(couplings_of_higher_order),
        cmocka_unit_test(couplings_that_do_not_fit),
        cmocka_unit_test(what_a_file_says),
        cmocka_unit_test(derivatives_of_equations),
        cmocka_unit_test(published_eigenvalues),
        cmocka_unit_test(critical_macro_steps),
        cmocka_unit_test(cubic_spring),
        cmocka_unit_test(pendulum_linearised),
        cmocka_unit_test(derived_parameters),
        cmocka_unit_test(updates_equal_fresh_instances),
        cmocka_unit_test(failing_updates),
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(lookups),
        cmocka_unit_test(warnings),
        cmocka_unit_test(warning_of_a_chain),
        cmocka_unit_test(names_of_couplings),
        cmocka_unit_test(matrices_from_files),
        cmocka_unit_test(models_of_other_files),
        cmocka_unit_test(every_allocation_fails_once),
        cmocka_unit_test(updates_do_not_allocate),
        cmocka_unit_test(instances_in_threads),
        cmocka_unit_test(parameters_set),
        cmocka_unit_test(files_beside_settings),
        cmocka_unit_test(setting_runs_out_of_memory),
        cmocka_unit_test(equilibria),
        cmocka_unit_test(ports_of_one_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
