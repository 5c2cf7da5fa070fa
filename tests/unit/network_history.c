/* Time histories of networks as studies: the same numbers as the simulation's own rows, at their own times.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "costab/study.h"
#include "support.h"

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

static void rows_of(const costab_model *model, int c, expected *e) {
    costab_model_instance *instance = NULL;
    costab_simulate_options options = {.until = 3, .local = true, .monolithic = true};
    costab_simulate_outcome outcome;
    e->count = 0;
    assert_int_equal(costab_model_instance_create(model, &instance, NULL), COSTAB_OK);
    assert_int_equal(costab_network_simulate(costab_model_instance_network(instance),
                                             costab_model_instance_coupling(instance, c), &options, take, e,
                                             &outcome, NULL),
                     COSTAB_OK);
    costab_model_instance_destroy(&instance);
}

static void same(double a, double b) {
    assert_true(a == b || (isnan(a) && isnan(b)));
}

static void histories_are_the_simulations_rows(void **state) {
    (void)state;
    costab_model *model = NULL;
    costab_study *study = NULL;
    costab_error error = {.message = ""};
    if (costab_model_parse("m.yaml", model_text, strlen(model_text), &model, &error) != COSTAB_OK ||
        costab_study_create_network(model, &study, &error) != COSTAB_OK)
        fail_msg("%s", error.message);
    const costab_plan *plan = costab_study_plan(study);
    costab_evaluator evaluator = costab_study_evaluator(study);
    assert_int_equal(plan->axis_count, 4);
    size_t steps = plan->axes[1].count, signals = plan->axes[2].count, points = plan->axes[3].count;
    assert_int_equal(steps, 7); /* t = 0, 0.5, ..., 3 under the first coupling */
    assert_int_equal(signals, 4);
    static const char *const labels[] = {"regulator.force", "plant.x1", "bond1.power", "bond1.energy"};
    for (int k = 0; k < 4; k++) assert_string_equal(plan->axes[2].labels[k], labels[k]);

    expected *e = malloc(sizeof *e);
    void *blocks[6];
    assert_non_null(e);
    for (int f = 0; f < 6; f++) {
        blocks[f] = calloc(steps * signals + points * signals, sizeof(double));
        assert_non_null(blocks[f]);
    }
    for (int c = 0; c < 2; c++) {
        costab_tile tile;
        costab_plan_tile(plan, (size_t)c, &tile);
        assert_int_equal(evaluator.evaluate(evaluator.context, &tile, blocks, NULL), COSTAB_OK);
        const double *time = blocks[0], *value = blocks[1], *monolithic = blocks[2];
        const double *local_time = blocks[3], *local_value = blocks[4], *local_monolithic = blocks[5];
        static const struct {
            int subsystem, index;
            costab_signal_kind kind;
        } known[] = {{1, 0, COSTAB_SIGNAL_OUTPUT},
                     {0, 0, COSTAB_SIGNAL_STATE},
                     {-1, 0, COSTAB_SIGNAL_POWER},
                     {-1, 0, COSTAB_SIGNAL_ENERGY}};
        for (size_t k = 0; k < signals; k++) {
            *e = (expected){.subsystem = known[k].subsystem,
                            .index = known[k].index,
                            .kind = known[k].kind,
                            .communication = true};
            rows_of(model, c, e);
            assert_true(e->count > 0);
            size_t next = 0;
            for (size_t i = 0; i < steps; i++) {
                bool there = next < e->count && e->t[next] == time[i];
                same(value[i * signals + k], there ? e->value[next] : (double)NAN);
                same(monolithic[i * signals + k], there ? e->monolithic[next] : (double)NAN);
                next += there;
            }
            assert_int_equal(next, e->count); /* none is lost */
            e->communication = false;
            rows_of(model, c, e);
            for (size_t i = 0; i < points; i++) {
                same(local_time[k * points + i], i < e->count ? e->t[i] : (double)NAN);
                same(local_value[k * points + i], i < e->count ? e->value[i] : (double)NAN);
                same(local_monolithic[k * points + i], i < e->count ? e->monolithic[i] : (double)NAN);
            }
        }
        assert_true(time[0] == 0 && time[3] == (c == 0 ? 1.5 : 3));
    }
    for (int f = 0; f < 6; f++) free(blocks[f]);
    free(e);
    costab_study_destroy(&study);
    costab_model_destroy(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(histories_are_the_simulations_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
