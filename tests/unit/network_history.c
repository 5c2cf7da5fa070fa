/* Time histories of networks as studies: the same numbers as the simulation's own rows, at their own times.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "costab/study.h"
#include "network/history.h"
#include "study/create.h"
#include "support/model_file.h"
#include "sweep/run.h"

static const char model_text[] =
    "system: network\n"
    "parameters: {H: 0.5}\n"
    "subsystems:\n"
    "  - {name: plant, A: [[0, 1], [-5, -0.5]], B: [[0], [0.5]], C: [[0, 1]], x0: [5, 0],\n"
    "     inputs: [force], outputs: [speed], method: euler, step: 0.01}\n"
    "  - {name: regulator, A: [[-0.1]], B: [[-0.5]], C: [[1]], x0: [2],\n"
    "     inputs: [speed], outputs: [force], method: heun, step: 0.1}\n"
    "connections:\n"
    "  - {from: plant.speed, to: regulator.speed}\n"
    "  - {from: regulator.force, to: plant.force}\n"
    "power_bonds: [[plant.force, plant.speed, regulator.speed, regulator.force]]\n"
    "coupling:\n"
    "  - {name: parallel, scheme: jacobi, macro_step: H}\n"
    "  - {name: in-turn, scheme: gauss-seidel, macro_step: 2*H}\n"
    "history: {until: 3, local: true, signals: [regulator.force, plant.x1]}\n";

/* The rows of one simulation that belong to one signal. */
typedef struct expected {
    int subsystem, index;
    costab_signal_kind kind;
    bool communication;
    size_t count;
    double t[512], value[512], monolithic[512];
} expected;

static bool take(void *context, const costab_row *row) {
    expected *e = context;
    if (row->subsystem != e->subsystem || row->index != e->index || row->kind != e->kind ||
        row->communication != e->communication)
        return true;
    e->t[e->count] = row->t;
    e->value[e->count] = row->value;
    e->monolithic[e->count++] = row->monolithic;
    return e->count < 512;
}

static void rows_of(const costab_spec *spec, int c, expected *e) {
    costab_model_instance *instance = NULL;
    costab_simulate_options options = {.until = 3, .local = true, .monolithic = true, .energy_made = true};
    costab_simulate_outcome outcome;
    e->count = 0;
    check_ok(costab_model_instance_create(spec->model, &instance, &why));
    check_ok(costab_network_simulate(costab_model_instance_network(instance),
                                     costab_model_instance_coupling(instance, c), &options, take, e, &outcome,
                                     &why));
    costab_model_instance_destroy(&instance);
}

static void same(double a, double b) {
    assert_true(a == b || (isnan(a) && isnan(b)));
}

enum { HISTORY_FIELDS = 6 };

/* A coupling's values of one signal, numbers k of the history and of `e`, are the rows of a simulation. */
static void same_rows(const costab_plan *plan, const costab_spec *spec, int coupling, size_t k,
                      void *const *blocks, expected *e) {
    size_t steps = plan->axes[1].count, signals = plan->axes[2].count, points = plan->axes[3].count, next = 0;
    const double *time = blocks[0], *value = blocks[1], *monolithic = blocks[2];
    const double *local_time = blocks[3], *local_value = blocks[4], *local_monolithic = blocks[5];
    rows_of(spec, coupling, e);
    assert_true(e->count > 0);
    for (size_t i = 0; i < steps; i++) {
        bool there = next < e->count && e->t[next] == time[i];
        same(value[i * signals + k], there ? e->value[next] : (double)NAN);
        same(monolithic[i * signals + k], there ? e->monolithic[next] : (double)NAN);
        next += there;
    }
    assert_int_equal(next, e->count); /* none is lost */
    e->communication = false;
    rows_of(spec, coupling, e);
    for (size_t i = 0; i < points; i++) {
        same(local_time[k * points + i], i < e->count ? e->t[i] : (double)NAN);
        same(local_value[k * points + i], i < e->count ? e->value[i] : (double)NAN);
        same(local_monolithic[k * points + i], i < e->count ? e->monolithic[i] : (double)NAN);
    }
}

TEST(histories_are_the_simulations_rows) {
    costab_spec *spec = spec_of(model_text);
    costab_study *study = study_of(spec);
    const costab_plan *plan = costab_study_plan(study);
    costab_evaluator evaluator = costab_study_evaluator(study);
    assert_int_equal(plan->axis_count, 4);
    size_t steps = plan->axes[1].count, signals = plan->axes[2].count, points = plan->axes[3].count;
    assert_int_equal(steps, 7); /* t = 0, 0.5, ..., 3 under the first coupling */
    static const struct {
        const char *label;
        int subsystem, index;
        costab_signal_kind kind;
    } known[] = {{"regulator.force", 1, 0, COSTAB_SIGNAL_OUTPUT},
                 {"plant.x1", 0, 0, COSTAB_SIGNAL_STATE},
                 {"bond1.power", -1, 0, COSTAB_SIGNAL_POWER},
                 {"bond1.energy", -1, 0, COSTAB_SIGNAL_ENERGY},
                 {"bond1.spurious_energy", -1, 0, COSTAB_SIGNAL_ENERGY_MADE}};
    assert_int_equal(signals, sizeof known / sizeof *known);
    for (size_t k = 0; k < signals; k++) assert_string_equal(plan->axes[2].labels[k], known[k].label);

    expected *e = malloc(sizeof *e);
    void *blocks[HISTORY_FIELDS];
    assert_non_null(e);
    for (int f = 0; f < HISTORY_FIELDS; f++) {
        blocks[f] = calloc(steps * signals + points * signals, sizeof(double));
        assert_non_null(blocks[f]);
    }
    for (int c = 0; c < 2; c++) {
        costab_tile tile;
        costab_plan_tile(plan, (size_t)c, &tile);
        assert_int_equal(evaluator.evaluate(evaluator.context, &tile, blocks, NULL), COSTAB_OK);
        for (size_t k = 0; k < signals; k++) {
            *e = (expected){.subsystem = known[k].subsystem,
                            .index = known[k].index,
                            .kind = known[k].kind,
                            .communication = true};
            same_rows(plan, spec, c, k, blocks, e);
        }
        const double *time = blocks[0];
        assert_true(time[0] == 0 && time[3] == (c == 0 ? 1.5 : 3));
    }
    for (int f = 0; f < HISTORY_FIELDS; f++) free(blocks[f]);
    free(e);
    costab_study_destroy(&study);
    costab_spec_destroy(&spec);
}

/* ---- A run in pieces ---- */

typedef struct rows {
    size_t count, capacity;
    costab_row *rows;
} rows;

static bool keep(void *context, const costab_row *row) {
    rows *r = context;
    if (r->count == r->capacity)
        r->rows = realloc(r->rows, (r->capacity = 2 * r->capacity + 64) * sizeof *row);
    assert_non_null(r->rows);
    r->rows[r->count++] = *row;
    return true;
}

/* Nonlinear with a feedthrough loop, linear with a source, and plainly linear: each kind of reference. */
static const char *const kinds[] = {
    "  - {name: one, states: [x], inputs: [u], outputs: [y], f: [-x^3 + u], g: [x + 0.2*u], x0: [0.7], "
    "method: rk4, "
    "substeps: 2}\n"
    "  - {name: two, states: [v], inputs: [u], outputs: [y], f: [-v + sin(u)], g: [v - 0.1*u^3], x0: [0.2], "
    "method: gauss2, substeps: 3}\n",
    "  - {name: one, A: [[-1]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: heun, step: "
    "0.0125}\n"
    "  - {name: two, A: [[-0.3]], B: [[-2]], C: [[1]], x0: [-1], inputs: [u], outputs: [y], method: exact, "
    "step: 0.03}\n"};

static costab_spec *two_of(const char *subsystems, const char *more) {
    char yaml[2048];
    snprintf(yaml, sizeof yaml,
             "system: network\nparameters: {H: 0.05}\nsubsystems:\n%sconnections:\n  - {from: one.y, to: "
             "two.u}\n  - {from: two.y, to: one.u}\n%s",
             subsystems, more);
    return spec_of(yaml);
}

/* The rows from the pieces between the points 1, 1 + step, 1 + 2 step, ..., each by another simulator that
 * continues where the former simulator stopped. */
static void in_pieces(const costab_network *network, const costab_coupling *coupling,
                      const costab_simulate_options *options, int64_t length, rows *r) {
    text place = {0};
    int64_t macro_steps;
    costab_simulate_outcome outcome;
    check_ok(history_count(network, coupling, NULL, options->until, &macro_steps, NULL, &why));
    for (int64_t last = 1; last < macro_steps + 1 + length; last += length) {
        costab_network_simulator *run = NULL;
        check_ok(costab_network_simulator_create(&run, &why));
        check_ok(history_start(run, network, coupling, options, &why));
        if (place.size > 0) check_ok(history_restore(run, place.data, place.size, &why));
        check_ok(history_continue(run, last, keep, r, &outcome, &why));
        place.size = 0;
        history_save(run, &place);
        assert_int_equal(history_restore(run, place.data, place.size - 1, NULL), COSTAB_INVALID);
        costab_network_simulator_destroy(&run);
    }
    text_free(&place);
}

static void pieces_are_the_whole(const costab_network *network, const costab_coupling *coupling) {
    costab_simulate_options options = {.until = 3, .monolithic = true};
    costab_simulate_outcome outcome;
    rows whole = {0}, pieces = {0};
    check_ok(costab_network_simulate(network, coupling, &options, keep, &whole, &outcome, &why));
    in_pieces(network, coupling, &options, 7, &pieces);
    assert_int_equal(pieces.count, whole.count);
    for (size_t i = 0; i < whole.count; i++) {
        same(pieces.rows[i].t, whole.rows[i].t);
        same(pieces.rows[i].value, whole.rows[i].value);
        same(pieces.rows[i].monolithic, whole.rows[i].monolithic);
    }
    free(whole.rows);
    free(pieces.rows);
}

TEST(a_run_in_pieces_is_the_run) {
    static const char *const couplings[] = {
        "coupling: {scheme: jacobi, macro_step: H, micro_steps: clocks}\n",
        "coupling: {scheme: iterated, interpolation: linear, extrapolation: linear, macro_step: H, "
        "micro_steps: clocks}\n"};
    for (int k = 0; k < 4; k++) {
        costab_spec *spec = two_of(kinds[k / 2], couplings[k % 2]);
        costab_model_instance *instance = NULL;
        check_ok(costab_model_instance_create(spec->model, &instance, &why));
        pieces_are_the_whole(costab_model_instance_network(instance),
                             costab_model_instance_coupling(instance, 0));
        costab_model_instance_destroy(&instance);
        costab_spec_destroy(&spec);
    }
}

/* The coupling's memory, in addition to the states, is part of the place. */
TEST(couplings_with_a_memory_in_pieces) {
    static const costab_coupling couplings[] = {
        {.scheme = COSTAB_JACOBI, .extrapolation = COSTAB_CUBIC},
        {.scheme = COSTAB_JACOBI, .extrapolation = COSTAB_QUADRATIC, .smoothed = true},
        {.scheme = COSTAB_JACOBI, .extrapolation = COSTAB_HERMITE},
        {.scheme = COSTAB_JACOBI, .area_correction = 0.5},
        {.scheme = COSTAB_GAUSS_SEIDEL, .interpolation = COSTAB_HERMITE, .extrapolation = COSTAB_LINEAR},
        {.scheme = COSTAB_ITERATED, .interpolation = COSTAB_QUADRATIC, .iterations = 2, .relaxation = 0.7},
        {.scheme = COSTAB_ITERATED,
         .interpolation = COSTAB_CUBIC,
         .predictor = COSTAB_LINEAR,
         .iterations = COSTAB_NEWTON},
    };
    costab_spec *spec =
        two_of("  - {name: one, A: [[-1]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], "
               "method: rk4, substeps: 2}\n"
               "  - {name: two, A: [[-0.3]], B: [[-2]], C: [[1]], x0: [-1], inputs: [u], outputs: "
               "[y], method: heun, substeps: 3}\n",
               "coupling: {scheme: jacobi, macro_step: H}\n");
    costab_model_instance *instance = NULL;
    check_ok(costab_model_instance_create(spec->model, &instance, &why));
    costab_network network = *costab_model_instance_network(instance);
    costab_subsystem subsystems[] = {network.subsystems[0], network.subsystems[1]};
    costab_connection connections[] = {network.connections[0], network.connections[1]};
    network.subsystems = subsystems;
    network.connections = connections;
    for (size_t k = 0; k < 3 * sizeof couplings / sizeof couplings[0]; k++) {
        costab_coupling coupling = couplings[k / 3];
        coupling.macro_step = 0.05;
        bool plain = coupling.area_correction == 0, sweeps = coupling.scheme == COSTAB_ITERATED;
        subsystems[1].stride = k % 3 == 1 && plain && !sweeps ? 2 : 0; /* not every coupling takes them */
        connections[0].delay_time = k % 3 == 2 && plain ? 0.12 : 0;
        pieces_are_the_whole(&network, &coupling);
    }
    costab_model_instance_destroy(&instance);
    costab_spec_destroy(&spec);
}

/* As many communication points and micro steps as the simulation itself takes, own clocks included. */
TEST(rows_are_counted_beforehand) {
    static const double untils[] = {0, 0.05, 0.099, 0.15, 1, 3.01};
    costab_spec *spec = two_of(kinds[1], "coupling: {scheme: jacobi, macro_step: H, micro_steps: clocks}\n");
    costab_model_instance *instance = NULL;
    check_ok(costab_model_instance_create(spec->model, &instance, &why));
    const costab_network *network = costab_model_instance_network(instance);
    const costab_coupling *coupling = costab_model_instance_coupling(instance, 0);
    for (size_t k = 0; k < sizeof untils / sizeof untils[0]; k++) {
        int64_t macro_steps, micro[2], points = 0, ends[2] = {0, 0};
        costab_simulate_options options = {.until = untils[k], .local = true};
        costab_simulate_outcome outcome;
        rows r = {0};
        check_ok(history_count(network, coupling, NULL, untils[k], &macro_steps, micro, &why));
        check_ok(costab_network_simulate(network, coupling, &options, keep, &r, &outcome, &why));
        for (size_t i = 0; i < r.count; i++) {
            if (r.rows[i].kind != COSTAB_SIGNAL_STATE) continue;
            points += r.rows[i].communication && r.rows[i].subsystem == 0;
            if (!r.rows[i].communication) ends[r.rows[i].subsystem]++;
        }
        assert_int_equal(points, macro_steps + 1);
        for (int s = 0; s < 2; s++) assert_int_equal(ends[s], micro[s]);
        free(r.rows);
    }
    costab_model_instance_destroy(&instance);
    costab_spec_destroy(&spec);
}

/* A long history is cut into tiles, which are evaluated in any order. */
TEST(tiles_come_in_any_order) {
    static const size_t order[] = {3, 0, 1, 4, 2, 4};
    enum { TILES = 5 };
    costab_spec *spec =
        two_of(kinds[1], "coupling: {scheme: jacobi, macro_step: H, micro_steps: clocks}\n"
                         "history: {until: 6600, signals: [one.y, two.u, one.y, one.y, one.y, one.y, one.y, "
                         "one.y]}\n");
    costab_study *study = study_of(spec);
    const costab_plan *plan = costab_study_plan(study);
    costab_evaluator evaluator = costab_study_evaluator(study);
    size_t tiles, points;
    check_ok(costab_plan_size(plan, &tiles, &points, &why));
    assert_int_equal(tiles, TILES);
    void *blocks[TILES][3];
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
        costab_tile tile;
        void *again[3], **mine = k + 1 < sizeof order / sizeof order[0] ? blocks[order[k]] : again;
        costab_plan_tile(plan, order[k], &tile);
        for (int f = 0; f < 3; f++) {
            mine[f] = calloc(costab_tile_values(plan, f, &tile), sizeof(double));
            assert_non_null(mine[f]);
        }
        assert_int_equal(evaluator.evaluate(evaluator.context, &tile, mine, NULL), COSTAB_OK);
        for (int f = 0; f < 3 && mine == again; f++) {
            size_t size = costab_tile_values(plan, f, &tile) * sizeof(double);
            assert_memory_equal(again[f], blocks[order[k]][f], size);
            free(again[f]);
        }
    }
    costab_model_instance *instance = NULL;
    costab_simulate_options options = {.until = 6600, .monolithic = true};
    costab_simulate_outcome outcome;
    rows r = {0};
    check_ok(costab_model_instance_create(spec->model, &instance, &why));
    check_ok(costab_network_simulate(costab_model_instance_network(instance),
                                     costab_model_instance_coupling(instance, 0), &options, keep, &r,
                                     &outcome, &why));
    for (size_t i = 0, point = 0; i < r.count; i++) {
        const costab_row *row = &r.rows[i];
        size_t tile = point / plan->tile_shape[1], at = point % plan->tile_shape[1];
        int signal = row->subsystem == 0 ? 0 : 1;
        if (row->kind != (signal == 0 ? COSTAB_SIGNAL_OUTPUT : COSTAB_SIGNAL_INPUT)) continue;
        same(((double *)blocks[tile][0])[at], row->t);
        same(((double *)blocks[tile][1])[8 * at + (size_t)signal], row->value);
        same(((double *)blocks[tile][2])[8 * at + (size_t)signal], row->monolithic);
        point += signal == 1;
    }
    free(r.rows);
    for (int k = 0; k < TILES; k++)
        for (int f = 0; f < 3; f++) free(blocks[k][f]);
    costab_model_instance_destroy(&instance);
    costab_study_destroy(&study);
    costab_spec_destroy(&spec);
}
