#include "model_file.h"
#include "study/create.h"

#include <string.h>

costab_spec *spec_of(const char *text) {
    costab_spec *spec;
    check_ok(costab_spec_parse("t.yaml", text, strlen(text), &spec, &why));
    return spec;
}

costab_study *study_of(const costab_spec *spec) {
    costab_study *study;
    check_ok(costab_study_create(spec, &study, &why));
    return study;
}

void fixture_from(fixture *f, costab_spec *spec) {
    f->spec = spec;
    f->model = spec->model;
    check_ok(costab_model_instance_create(f->model, &f->instance, &why));
    check_ok(costab_network_work_create(&f->work, &why));
    f->network = costab_model_instance_network(f->instance);
}

void fixture_start(fixture *f, const char *text) {
    fixture_from(f, spec_of(text));
}

void fixture_end(fixture *f) {
    costab_network_work_destroy(&f->work);
    costab_model_instance_destroy(&f->instance);
    costab_spec_destroy(&f->spec);
    assert_null(f->instance);
    assert_null(f->spec);
}

void fixture_set(fixture *f, const char *name, double value) {
    int parameter = costab_model_parameter(f->model, name);
    assert_in_range(parameter, 0, f->model->parameter_count - 1);
    costab_model_instance_set(f->instance, parameter, value);
    check_ok(costab_model_instance_update(f->instance, &why));
}

costab_network_point fixture_analyse(fixture *f, int coupling) {
    costab_network_point point;
    check_ok(costab_network_analyse(f->work, f->network,
                                    costab_model_instance_coupling(f->instance, coupling), &point, &why));
    return point;
}

double fixture_value(const costab_spec *spec, const char *name) {
    return spec->model->parameters[costab_model_parameter(spec->model, name)].value;
}

const char regulated[] = "title: Mass-spring-damper with a speed regulator\n"
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
                         "  extrapolation: constant\n"
                         "  feedthrough: delayed\n"
                         "  micro_steps: whole\n"
                         "axes:\n"
                         "  H: {from: 0.1, to: 5, points: 50}\n"
                         "fields: [class, spectral_radius]\n";

const char two_masses[] =
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

const char cubic[] =
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

const char pendulum[] =
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
