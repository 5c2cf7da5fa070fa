/* Models from texts: what they say, linearisations. */
#include <math.h>

#include "model_file.h"

/* ---- The regulated mass-spring-damper of [SP] example 5 ---- */

TEST(what_a_file_says) {
    fixture f;
    fixture_start(&f, regulated);
    assert_string_equal(f.spec->title, "Mass-spring-damper with a speed regulator");
    assert_string_equal(f.spec->warnings, "");
    assert_string_equal(f.spec->text, regulated);
    assert_int_equal(f.model->parameter_count, 6);
    assert_string_equal(f.model->parameters[3].name, "KI");
    assert_true(f.model->parameters[3].value == -0.1 && !f.model->parameters[3].derived);
    assert_int_equal(f.model->coupling_count, 1);
    assert_string_equal(f.model->coupling_names[0], "jacobi");
    assert_int_equal(costab_model_coupling(f.model, "jacobi"), 0);
    assert_int_equal(costab_model_coupling(f.model, "iterated"), -1);
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
    assert_true(coupling->macro_step == 1 && coupling->iterations == 0);
    assert_null(costab_model_instance_coupling(f.instance, 1));
    fixture_end(&f);
}

/* The derivatives of f and g of a nonlinear subsystem, by hand. */
TEST(derivatives_of_equations) {
    fixture f;
    fixture_start(
        &f, "system: network\nparameters: {k: 3}\n"
            "subsystems:\n"
            "  - {name: s, states: [q, v], f: [v, 'u - k*q^3'], g: ['q*v + t*u^2', 'v^2'], x0: [1, 0],\n"
            "     inputs: [u], outputs: [y, w], method: rk4}\n"
            "connections: [{from: s.w, to: s.u}]\n"
            "coupling: {macro_step: 1}\n");
    const costab_dynamics *d = f.network->subsystems[0].dynamics;
    const double x[2] = {2, 5}, u[1] = {7};
    double A[4], B[2], C[4], D[2], rate[2];
    check_ok(d->jacobian(d->context, 11, x, u, A, B, &why));
    assert_true(A[0] == 0 && A[1] == 1 && A[2] == -3 * 3 * 4 && A[3] == 0 && B[0] == 0 && B[1] == 1);
    check_ok(d->output_jacobian(d->context, 11, x, u, C, D, rate, &why));
    assert_true(C[0] == 5 && C[1] == 2 && C[2] == 0 && C[3] == 2 * 5);
    assert_true(D[0] == 2 * 7 * 11 && D[1] == 0 && rate[0] == 7 * 7 && rate[1] == 0);
    fixture_end(&f);
}

/* ---- Nonlinear subsystems ---- */

TEST(cubic_spring) {
    fixture f;
    fixture_start(&f, cubic);
    const costab_subsystem *plant = &f.network->subsystems[0];
    const double points[] = {5, 4.9, 0.2, 0, -3};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        double x = points[i];
        fixture_set(&f, "x01", x);
        assert_true(plant->A[0] == 0 && plant->A[1] == 1 && plant->A[3] == -0.5);
        /* -3 k x^2 / m: a handful of rounded operations. */
        check_near(plant->A[2], -15.0L * x * x, 8 * 2.3e-16L * 15 * x * x, "A(2,1) at x = %g", x);
        assert_true(plant->B[0] == 0 && plant->B[1] == 0.5 && plant->C[0] == 0 && plant->C[1] == 1);
        assert_null(plant->D);
    }
    fixture_end(&f);
}

TEST(pendulum_linearised) {
    fixture f;
    fixture_start(&f, pendulum);
    const costab_subsystem *s = &f.network->subsystems[0];
    for (int i = 0; i < 4; i++) {
        double q = 0.7 + 0.4 * i, l = 2 + i, p = 1.3, w = 9.81 / l;
        fixture_set(&f, "q0", q);
        fixture_set(&f, "l", l);
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
        check_ok(s->dynamics->f(s->dynamics->context, 0.5, x, u, dx, &why));
        check_ok(s->dynamics->g(s->dynamics->context, 0.5, x, u, y, &why));
        assert_true(dx[0] == -2);
        check_near(dx[1], -w * sin(0.1) + 0.3 * 3 * cos(0.1) - 4 * 4 + sin(0.5), 1e-14, "f(2)");
        check_near(y[0], l * (1 - cos(0.1)), 1e-15, "g(1)");
        check_near(y[1], 12 + atan2(-2, l), 1e-14, "g(2)");
    }
    fixture_end(&f);
}
