/* A run measured: the same numbers as its rows give, from a workspace that is used again and again. */
#include <math.h>

#include "network_model.h"
#include "support/memory.h"

/* Two masses with a spring between them that belongs to the second; the bond is its force and the first mass'
 * speed. */
static void masses(model *m, int substeps) {
    model_start(m);
    int a = model_add(m, 2, 1, 1, "rk4", substeps, 0), b = model_add(m, 2, 1, 1, "heun", 2 * substeps, 0);
    const double A0[] = {0, 1, -4, -0.5}, B0[] = {0, 1}, C0[] = {0, 1};
    const double A1[] = {0, 1, -40, -0.4}, B1[] = {-1, 0}, C1[] = {20, 0};
    memcpy(m->A[a], A0, sizeof A0);
    memcpy(m->B[a], B0, sizeof B0);
    memcpy(m->C[a], C0, sizeof C0);
    memcpy(m->A[b], A1, sizeof A1);
    memcpy(m->B[b], B1, sizeof B1);
    memcpy(m->C[b], C1, sizeof C1);
    m->x0[a][0] = 1;
    m->x0[b][1] = 0.25;
    model_connect(m, a, 0, b, 0, 1, 0);
    model_connect(m, b, 0, a, 0, 1, 0);
}

static const costab_bond bond = {0, 0, 0, 1, 0, 0};

static void with_bond(model *m) {
    m->network.bonds = &bond;
    m->network.bond_count = 1;
}

typedef struct sums {
    double error, energy;
} sums;

static bool sum(void *context, const costab_row *row) {
    sums *s = context;
    if (row->kind == COSTAB_SIGNAL_ENERGY) s->energy += row->value;
    if (row->kind == COSTAB_SIGNAL_STATE) s->error = fmax(s->error, fabs(row->value - row->monolithic));
    return true;
}

static const costab_measure_options both = {.horizon = 3, .error = true, .energy_residual = true};

static costab_measures measured(costab_network_simulator *simulator, const model *m, costab_coupling coupling,
                                costab_measure_options wanted) {
    costab_measures measures;
    check_ok(costab_network_measure(simulator, &m->network, &coupling, &wanted, &measures, &why));
    return measures;
}

/* Couplings, sizes and delays in turn, in one workspace: each run as in one of its own. */
TEST(test_rows) {
    const costab_coupling couplings[] = {
        {.macro_step = 0.02},
        {.macro_step = 0.05, .extrapolation = COSTAB_LINEAR},
        {.macro_step = 0.01, .scheme = COSTAB_GAUSS_SEIDEL, .interpolation = COSTAB_LINEAR},
        {.macro_step = 0.1, .scheme = COSTAB_ITERATED, .interpolation = COSTAB_LINEAR}};
    costab_network_simulator *simulator = NULL;
    check_ok(costab_network_simulator_create(&simulator, &why));
    for (int k = 0; k < 24; k++) {
        const costab_coupling *coupling = &couplings[k % 4];
        costab_simulate_options options = {.until = 3, .local = true, .monolithic = true};
        costab_simulate_outcome outcome;
        model m;
        sums s = {0, 0};
        masses(&m, 1 + k % 3);
        if (k % 5 != 4) with_bond(&m);
        if (k % 4 != 3) m.connections[1].delay = k % 7;
        check_ok(costab_network_simulate(&m.network, coupling, &options, sum, &s, &outcome, &why));
        costab_measures measures = measured(simulator, &m, *coupling, both);
        assert_true(measures.error == s.error && s.error > 0);
        assert_true(measures.energy_residual == s.energy && (s.energy != 0) == (k % 5 != 4));
        costab_measure_options only = {.horizon = 3, .energy_residual = true};
        measures = measured(simulator, &m, *coupling, only);
        assert_true(isnan(measures.error) && measures.energy_residual == s.energy);
    }
    costab_network_simulator_destroy(&simulator);
}

/* The first allocation fails: there is none once a run as large has been made. */
TEST(test_no_allocation) {
    model m;
    costab_network_simulator *simulator = NULL;
    costab_bound_options options = {.error = 1};
    costab_bound first, second;
    costab_coupling coupling = {.macro_step = 0.01}, other = {.macro_step = 0.02};
    masses(&m, 4);
    with_bond(&m);
    check_ok(costab_network_simulator_create(&simulator, &why));
    costab_measures once = measured(simulator, &m, coupling, both);
    (void)measured(simulator, &m, other, both);
    check_ok(costab_network_simulator_bound(simulator, &m.network, &options, &first, &why));
    memory_fail_at(1);
    costab_measures again = measured(simulator, &m, coupling, both);
    costab_status status = costab_network_simulator_bound(simulator, &m.network, &options, &second, NULL);
    memory_fail_at(0);
    assert_int_equal(status, COSTAB_OK);
    assert_true(again.error == once.error && again.energy_residual == once.energy_residual);
    assert_true(first.factor == second.factor && first.horizon == second.horizon);
    costab_network_simulator_destroy(&simulator);
}

/* A monolithic system makes no energy: the residual falls with the macro step, by halves, as the inputs held
 * are wrong by half of what changes in it. */
TEST(test_order) {
    model m;
    costab_network_simulator *simulator = NULL;
    double energy[4];
    masses(&m, 20);
    with_bond(&m);
    check_ok(costab_network_simulator_create(&simulator, &why));
    for (int k = 0; k < 4; k++)
        energy[k] =
            measured(simulator, &m, (costab_coupling){.macro_step = ldexp(1, -8 - k)}, both).energy_residual;
    for (int k = 0; k < 3; k++)
        check_near(energy[k] / energy[k + 1], 2, 0.3L / (1 << k), "step %d: %g, %g", k, energy[k],
                   energy[k + 1]);
    costab_network_simulator_destroy(&simulator);
}

TEST(test_divergence) {
    model m;
    costab_network_simulator *simulator = NULL;
    costab_error error = {0};
    costab_measures measures;
    costab_coupling coupling = {.macro_step = 0.5};
    costab_measure_options wanted = both;
    masses(&m, 1);
    with_bond(&m);
    wanted.horizon = 2000;
    check_ok(costab_network_simulator_create(&simulator, &why));
    measures = measured(simulator, &m, coupling, wanted);
    assert_true(isinf(measures.error) && measures.error > 0 && isinf(measures.energy_residual));
    coupling.micro_steps = COSTAB_REAL_POWER;
    assert_int_equal(costab_network_measure(simulator, &m.network, &coupling, &wanted, &measures, &error),
                     COSTAB_INVALID);
    assert_non_null(strstr(error.message, "cannot be simulated"));
    assert_true(isnan(measures.error) && isnan(measures.energy_residual));
    costab_network_simulator_destroy(&simulator);
}
