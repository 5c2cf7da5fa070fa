/* The numbers of a model at a batch of sets of parameters are, to the last bit, those of an instance at
 * one set after the other; counts and choices are common to the lanes. */
#include "model/lanes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "costab/spec.h"
#include "model/instance.h"
#include "support/model_file.h"

/* Every operation and function, a derived parameter of a derived one, gains, macro steps, and start values.
 */
static const char every[] =
    "system: network\n"
    "parameters: {p: 1, q: 2, r: 3, d: p*q - r, e: d^2 + sqrt(abs(p))}\n"
    "subsystems:\n"
    "  - {name: a, A: [[p + q, -p], [q/p, p^q]], B: [[sin(p)], [cos(q)]], C: [[tan(p), atan(q)]], x0: [p, 1],\n"
    "     inputs: [u], outputs: [y], method: rk4, substeps: 1}\n"
    "  - {name: b, A: [[asin(p/9), acos(p/9), sinh(p)], [cosh(p), tanh(q), asinh(p)],\n"
    "                  [acosh(9 + p), atanh(p/9), log2(abs(p) + 1)]],\n"
    "     B: [[log10(abs(q) + 1)], [log(abs(p) + 1)], [ln(abs(p) + 1)]],\n"
    "     C: [[exp(p), sign(q), rint(q)], ['atan2(p, q)', 'min(p, q)', 'max(p, q, r)']], inputs: [u], outputs: [y, z],\n"
    "     method: rk4, substeps: 2}\n"
    "  - {name: c, A: [[e]], B: [[pi*r]], C: [['sum(p, q, r) + avg(p, q)']], inputs: [u], outputs: [y],\n"
    "     method: rk4, substeps: 2}\n"
    "connections: [{from: a.y, to: b.u, gain: d}, {from: b.z, to: a.u, gain: -e^3}, {from: b.y, to: c.u}]\n"
    "coupling: {scheme: jacobi, macro_step: 0.1 + p*p}\n"
    "axes: {p: [1, 2], q: [1, 2]}\n"
    "fields: [class]\n";

static void find(const costab_model *model, const char *name, int *parameter) {
    check_ok(costab_model_find_parameter(model, name, parameter, &why));
}

static void check_lanes(const double *lanes, int lane, const double *alone, int count) {
    for (int e = 0; e < count; e++)
        check_true(memcmp(&lanes[e * LANES_MOST + lane], &alone[e], sizeof *alone) == 0,
                   "%a in lane %d, %a alone", lanes[e * LANES_MOST + lane], lane, alone[e]);
}

static void compare_point(const network_numbers *numbers, int lane, const costab_model_instance *instance) {
    const costab_network *network = costab_model_instance_network(instance);
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *q = &network->subsystems[s];
        check_lanes(numbers->matrices[s].A, lane, q->A, q->states * q->states);
        check_lanes(numbers->matrices[s].B, lane, q->B, q->states * q->inputs);
        check_lanes(numbers->matrices[s].C, lane, q->C, q->outputs * q->states);
        assert_true((numbers->matrices[s].D == NULL) == (q->D == NULL));
        if (q->D != NULL) check_lanes(numbers->matrices[s].D, lane, q->D, q->outputs * q->inputs);
    }
    for (int c = 0; c < network->connection_count; c++)
        check_lanes(numbers->gains[c], lane, &network->connections[c].gain, 1);
    check_lanes(numbers->steps, lane, &costab_model_instance_coupling(instance, 0)->macro_step, 1);
}

/* `moved`: which parameters get other values. Some values are out of range: then both refuse. */
static void compare_all(const char *const *moved, int count) {
    costab_spec *spec = spec_of(every);
    costab_model_instance *instance = NULL;
    model_lanes *lanes = NULL;
    rng r = rng_start("model in lanes");
    int parameters[4];
    double values[4][LANES_MOST];
    size_t good = 0, bad = 0;
    check_ok(costab_model_instance_create(spec->model, &instance, &why));
    for (int k = 0; k < count; k++) {
        find(spec->model, moved[k], &parameters[k]);
        costab_model_instance_set(instance, parameters[k], 1.5);
    }
    check_ok(model_lanes_create(instance, parameters, count, LANES_MOST, &lanes, &why));
    assert_non_null(lanes);
    for (size_t i = 0; i < effort(3000); i++) {
        int same = rng_int(&r, 0, count); /* that parameter stays */
        for (int k = 0; k < count; k++)
            for (int l = 0; l < LANES_MOST; l++) {
                if (k != same || i == 0) values[k][l] = rng_uniform(&r, 0.1, 3);
                if (rng_int(&r, 0, 200) == 0) values[k][l] = rng_int(&r, 0, 1) == 0 ? -2.5 : 0;
                model_lanes_values(lanes)[k * LANES_MOST + l] = values[k][l];
            }
        bool fine = model_lanes_update(lanes), all = true;
        for (int l = 0; l < LANES_MOST; l++) {
            for (int k = 0; k < count; k++) costab_model_instance_set(instance, parameters[k], values[k][l]);
            bool alone = costab_model_instance_update(instance, &why) == COSTAB_OK;
            all = all && alone;
            if (fine) assert_true(alone);
            if (fine) compare_point(model_lanes_numbers(lanes, 0), l, instance);
        }
        assert_true(fine == all);
        good += fine;
        bad += !fine;
    }
    assert_true(good > 0 && bad > 0);
    model_lanes_destroy(&lanes);
    costab_model_instance_destroy(&instance);
    costab_spec_destroy(&spec);
}

TEST(test_numbers) {
    compare_all((const char *[]){"p"}, 1);
    compare_all((const char *[]){"q", "p"}, 2);
    compare_all((const char *[]){"p", "d"}, 2); /* a derived one that is set itself */
}

/* 0 p is 0 or -0, and atan2 tells which: whatever the point before, in lanes and alone. */
TEST(test_signs_of_zeros) {
    static const char zeros[] =
        "system: network\n"
        "parameters: {p: 1, z: 0*p}\n"
        "subsystems:\n"
        "  - {name: a, A: [['atan2(z, -1)']], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: rk4, substeps: 1}\n"
        "connections: [{from: a.y, to: a.u}]\n"
        "coupling: {scheme: jacobi, macro_step: 0.1}\n"
        "axes: {p: [1, 2]}\n"
        "fields: [class]\n";
    const double pi = 3.14159265358979323846;
    costab_spec *spec = spec_of(zeros);
    costab_model_instance *instance = NULL;
    model_lanes *lanes = NULL;
    int p;
    find(spec->model, "p", &p);
    check_ok(costab_model_instance_create(spec->model, &instance, &why));
    check_ok(model_lanes_create(instance, &p, 1, LANES_MOST, &lanes, &why));
    for (int l = 0; l < LANES_MOST; l++) model_lanes_values(lanes)[l] = l % 3 == 1 ? -1 : 1;
    assert_true(model_lanes_update(lanes));
    for (int l = 0; l < LANES_MOST; l++) {
        const double value = model_lanes_values(lanes)[l];
        costab_model_instance_set(instance, p, value);
        check_ok(costab_model_instance_update(instance, &why));
        compare_point(model_lanes_numbers(lanes, 0), l, instance);
        check_near(costab_model_instance_network(instance)->subsystems[0].A[0], value < 0 ? -pi : pi, 1e-15L,
                   "lane %d", l);
    }
    model_lanes_destroy(&lanes);
    costab_model_instance_destroy(&instance);
    costab_spec_destroy(&spec);
}

/* The values that an instance's versions stand for, at one point. */
typedef struct contents {
    uint64_t structure, gains, numbers[2];
    double gain[2], matrix[2], counts[3];
} contents;

static contents contents_of(const costab_model_instance *instance) {
    const costab_network *network = costab_model_instance_network(instance);
    const costab_subsystem *s = network->subsystems;
    const costab_connection *c = network->connections;
    return (contents){network->structure_version,   network->gains_version,
                      {s[0].version, s[1].version}, {c[0].gain, c[1].gain},
                      {s[0].A[0], s[1].A[0]},       {s[0].substeps, c[0].delay, s[1].stride}};
}

#define SAME(a, b) (memcmp((a), (b), sizeof(a)) == 0)

/* Whatever parameters change, gains among them: equal versions promise equal contents, and a workspace that
 * takes over what they promise finds the bits of a new one. */
TEST(test_versions) {
    static const char varied[] =
        "system: network\n"
        "parameters: {k: 1, g: 0.5, f: 1, h: 0.1, n: 1, v: 0, p: 1}\n"
        "subsystems:\n"
        "  - {name: a, A: [[-k]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: rk4, substeps: n}\n"
        "  - {name: b, states: [x], inputs: [u], outputs: [y], f: [-f*x + u - x^3], g: [x],\n"
        "     operating_point: {x: p, u: 1}, method: rk4, substeps: 1}\n"
        "connections: [{from: a.y, to: b.u, delay: v, gain: g}, {from: b.y, to: a.u, gain: -g*g}]\n"
        "coupling: {scheme: jacobi, macro_step: h}\n"
        "axes: {k: [1, 2]}\n"
        "fields: [class]\n";
    static const char *const names[] = {"k", "g", "f", "h", "n", "v", "p"};
    rng r = rng_start("versions");
    costab_spec *spec = spec_of(varied);
    costab_model_instance *instance = NULL;
    costab_network_work *kept = NULL;
    size_t stayed = 0;
    check_ok(costab_model_instance_create(spec->model, &instance, &why));
    check_ok(costab_network_work_create(&kept, &why));
    contents before = contents_of(instance);
    for (size_t i = 0; i < effort(1000); i++) {
        int which = rng_int(&r, 0, 6), parameter;
        find(spec->model, names[which], &parameter);
        double value = which >= 4 && which < 6 ? rng_int(&r, 1, 2) : 0.25 * rng_int(&r, 1, 3);
        costab_model_instance_set(instance, parameter, value);
        check_ok(costab_model_instance_update(instance, &why));
        const contents now = contents_of(instance);
        assert_true(now.structure != before.structure || SAME(now.counts, before.counts));
        assert_true(now.gains != before.gains || SAME(now.gain, before.gain));
        for (int s = 0; s < 2; s++)
            assert_true(now.numbers[s] != before.numbers[s] || now.matrix[s] == before.matrix[s]);
        stayed += now.structure == before.structure && now.gains == before.gains;
        before = now;
        costab_network_work *fresh = NULL;
        costab_network_point a, b;
        const costab_network *network = costab_model_instance_network(instance);
        const costab_coupling *coupling = costab_model_instance_coupling(instance, 0);
        const double *map_a, *map_b, *none;
        check_ok(costab_network_work_create(&fresh, &why));
        check_ok(costab_network_analyse(kept, network, coupling, &a, &why));
        check_ok(costab_network_analyse(fresh, network, coupling, &b, &why));
        costab_network_matrix(kept, &map_a, &none);
        costab_network_matrix(fresh, &map_b, &none);
        assert_true(a.size == b.size && a.class_code == b.class_code &&
                    a.spectral_radius == b.spectral_radius && a.spectral_abscissa == b.spectral_abscissa);
        assert_int_equal(memcmp(map_a, map_b, (size_t)(a.size * a.size) * sizeof *map_a), 0);
        costab_network_work_destroy(&fresh);
    }
    assert_true(stayed > 0);
    costab_network_work_destroy(&kept);
    costab_model_instance_destroy(&instance);
    costab_spec_destroy(&spec);
}

/* Points that differ in macro steps alone have a number for what they share, which changes with it. */
TEST(test_shared) {
    static const char steps[] =
        "system: network\n"
        "parameters: {k: 1, h: 0.1, d: 2*h}\n"
        "subsystems: [{name: a, A: [[-k]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: rk4, substeps: 1}]\n"
        "connections: [{from: a.y, to: a.u}]\n"
        "coupling: {scheme: jacobi, macro_step: d}\n"
        "axes: {k: [1, 2]}\n"
        "fields: [class]\n";
    costab_spec *spec = spec_of(steps);
    costab_model_instance *instance = NULL;
    model_lanes *lanes = NULL;
    int moved[2];
    uint64_t numbers[4];
    find(spec->model, "h", &moved[0]);
    find(spec->model, "k", &moved[1]);
    check_ok(costab_model_instance_create(spec->model, &instance, &why));
    check_ok(model_lanes_create(instance, moved, 2, LANES_MOST, &lanes, &why));
    for (int i = 0; i < 4; i++) {
        for (int l = 0; l < LANES_MOST; l++) {
            model_lanes_values(lanes)[l] = 0.1 * (l + i + 1);
            model_lanes_values(lanes)[LANES_MOST + l] = i < 2 ? 1 : i == 2 && l == LANES_MOST - 1 ? 3 : 2;
        }
        assert_true(model_lanes_update(lanes));
        numbers[i] = model_lanes_numbers(lanes, 0)->shared;
    }
    assert_true(numbers[0] != 0 && numbers[1] == numbers[0] && numbers[2] == 0 && numbers[3] != 0 &&
                numbers[3] != numbers[0]);
    model_lanes_destroy(&lanes);
    costab_model_instance_destroy(&instance);
    costab_spec_destroy(&spec);
}

/* How often numbers of eight points were had together, of lanes in which `moved` has the values given twice
 * and in turn; those are the instance's at each. */
static int compare_moved(const char *from, const char *moved, const double values[2]) {
    costab_spec *spec = spec_of(from);
    costab_model_instance *instance = NULL;
    model_lanes *lanes = NULL;
    int parameter, together = 0;
    find(spec->model, moved, &parameter);
    check_ok(costab_model_instance_create(spec->model, &instance, &why));
    check_ok(model_lanes_create(instance, &parameter, 1, LANES_MOST, &lanes, &why));
    assert_non_null(lanes);
    for (int turn = 0; turn < 3; turn++) {
        double given[LANES_MOST];
        for (int l = 0; l < LANES_MOST; l++)
            given[l] = model_lanes_values(lanes)[l] = values[turn < 2 ? turn : l % 2];
        if (!model_lanes_update(lanes)) continue;
        together++;
        for (int l = 0; l < LANES_MOST; l++) {
            costab_model_instance_set(instance, parameter, given[l]);
            check_ok(costab_model_instance_update(instance, &why));
            compare_point(model_lanes_numbers(lanes, 0), l, instance);
        }
    }
    model_lanes_destroy(&lanes);
    costab_model_instance_destroy(&instance);
    costab_spec_destroy(&spec);
    return together;
}

/* Numbers of steps, delays and choices of the coupling are common to the lanes; what is linearised is not. */
TEST(test_others) {
    static const char others[] =
        "system: network\n"
        "parameters: {k: 1, s: 2, w: 1, v: 0, f: 1, h: 2*s}\n"
        "subsystems:\n"
        "  - {name: a, A: [[-k]], B: [[1]], C: [[1]], D: [[k/9]], inputs: [u], outputs: [y], method: rk4, substeps: h}\n"
        "  - {name: b, states: [x], inputs: [u], outputs: [y], f: [-f*x + u - x^3], g: [x], operating_point: {x: f, u: 1},\n"
        "     method: rk4, substeps: 1}\n"
        "connections: [{from: a.y, to: b.u, delay: v}, {from: b.y, to: a.u}]\n"
        "coupling: {scheme: iterated, iterations: w, macro_step: 0.1}\n"
        "axes: {k: [1, 2]}\n"
        "fields: [class]\n";
    const double values[2] = {1, 2};
    assert_int_equal(compare_moved(others, "k", values), 3);
    assert_int_equal(compare_moved(others, "f", values), 3);
    for (const char *name = "swvh"; *name != '\0'; name++)
        assert_int_equal(compare_moved(others, (const char[]){*name, '\0'}, values), 2);
}
