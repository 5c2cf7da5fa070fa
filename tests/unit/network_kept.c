/* A workspace that serves one point after another finds of each what a new one finds: what stays from the
 * last point (rows, programs, blocks), by the versions that the network has, belongs to this network, too. */
#include <float.h>
#include <math.h>

#include "support/memory.h"
#include "support/network_model.h"

static void check_same(costab_network_work *kept, const model *m, const costab_coupling *coupling,
                       const char *what) {
    costab_network_work *fresh = work_open();
    const double *a, *b, *imaginary;
    static costab_network given[2]; /* the caller's, that of the last point is gone */
    static int turn;
    turn = 1 - turn;
    given[turn] = m->network;
    memset(&given[1 - turn], 0, sizeof given[0]);
    costab_network_point point;
    check_ok(costab_network_analyse(kept, &given[turn], coupling, &point, &why));
    costab_network_point anew = model_analyse(fresh, m, coupling);
    costab_network_matrix(kept, &a, &imaginary);
    costab_network_matrix(fresh, &b, &imaginary);
    check_true(point.size == anew.size && point.class_code == anew.class_code, "%s: %d rows, not %d", what,
               point.size, anew.size);
    check_true(memcmp(a, b, (size_t)(point.size * point.size) * sizeof *a) == 0, "%s: another map", what);
    costab_network_work_destroy(&fresh);
}

static void set_versions(model *m) {
    m->network.structure_version = m->network.gains_version = 1;
    for (int s = 0; s < m->network.subsystem_count; s++) m->subsystems[s].version = 1;
}

/* x1'' = -x1 - 3 x2, x2'' = -2 x2 of the states (x1, v1, x2, v2), of which the lists name (x1, v1) first or
 * (x2, v2), and so what a method carries on. */
TEST(pairs_change_in_their_places) {
    static const char *const methods[] = {"newmark", "generalized-alpha", "semi-implicit-euler"};
    int positions[] = {0, 2}, velocities[] = {1, 3};
    const costab_coupling coupling = {.macro_step = 0.1};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        costab_network_work *work = work_open();
        model m;
        model_start(&m);
        int s = model_add(&m, 4, 0, 0, methods[k], 1, 0);
        m.network.structure_version = m.network.gains_version = m.subsystems[s].version = 1;
        m.subsystems[s].pairs = 2;
        m.subsystems[s].positions = positions;
        m.subsystems[s].velocities = velocities;
        double *A = m.A[s];
        A[0 * 4 + 1] = A[2 * 4 + 3] = 1;
        A[1 * 4 + 0] = -1;
        A[1 * 4 + 2] = -3;
        A[3 * 4 + 2] = -2;
        check_same(work, &m, &coupling, methods[k]);
        positions[0] = 2;
        positions[1] = 0;
        velocities[0] = 3;
        velocities[1] = 1;
        m.network.structure_version = 2;
        check_same(work, &m, &coupling, methods[k]);
        positions[0] = 0;
        positions[1] = 2;
        velocities[0] = 1;
        velocities[1] = 3;
        costab_network_work_destroy(&work);
    }
}

/* A delay of 0.1 s: macro steps, whose number changes or not as their length does. */
TEST(delays_in_seconds) {
    static const double steps[] = {0.2, 0.1, 0.11, 0.05, 0.07, 0.03, 0.031, 0.1, 0.2};
    costab_network_work *work = work_open();
    model m;
    model_start(&m);
    for (int i = 0; i < 2; i++) {
        model_scalar(&m, -1 - i, 1, 1, "rk4", 1, 0);
        model_connect(&m, i, 0, 1 - i, 0, 0.5, 0);
    }
    m.connections[0].delay_time = 0.1;
    set_versions(&m);
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        const costab_coupling coupling = {.macro_step = steps[k]};
        check_same(work, &m, &coupling, "a delay in seconds");
    }
    costab_network_work_destroy(&work);
}

/* Micro steps of 10 ms in macro steps of 40, 60, 45 and 30 ms: numerators and denominators of the step ratio
 * change, or the numerator alone. */
TEST(step_ratios) {
    static const double steps[] = {0.04, 0.06, 0.045, 0.055, 0.03, 0.04, 0.0425, 0.05};
    static const costab_micro_steps kinds[] = {COSTAB_CLOCKS, COSTAB_REAL_POWER, COSTAB_WHOLE};
    for (int k = 0; k < 3; k++) {
        costab_network_work *work = work_open();
        model m;
        model_start(&m);
        for (int i = 0; i < 2; i++) {
            model_scalar(&m, -1 - i, 1, 1, "rk4", i == 0 ? 0 : 2, i == 0 ? 0.01 : 0);
            model_connect(&m, i, 0, 1 - i, 0, 0.5, 0);
        }
        set_versions(&m);
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            const costab_coupling coupling = {.macro_step = steps[i], .micro_steps = kinds[k]};
            if (kinds[k] == COSTAB_WHOLE && (i == 2 || i == 3 || i == 6)) {
                costab_network_point point;
                assert_int_equal(costab_network_analyse(work, &m.network, &coupling, &point, &why),
                                 COSTAB_INVALID);
                continue;
            }
            check_same(work, &m, &coupling, "a step ratio");
        }
        costab_network_work_destroy(&work);
    }
}

/* Two states, each of which holds the other's newest published value over its own step of 8 or 9 macro steps:
 * a cycle of 72 steps, of which not all programs are kept. */
TEST(a_long_cycle_of_strides) {
    enum { CYCLE = 72 };
    static const int strides[] = {8, 9};
    static const double gain = -3;
    const costab_coupling coupling = {.macro_step = 0.05};
    costab_network_work *work = work_open();
    model m;
    double image[2][2];
    model_start(&m);
    for (int i = 0; i < 2; i++) {
        model_scalar(&m, -1, 1, 1, "exact", 1, 0);
        m.subsystems[i].stride = strides[i];
        model_connect(&m, i, 0, 1 - i, 0, gain, 0);
    }
    set_versions(&m);
    costab_network_point point = model_analyse(work, &m, &coupling);
    for (int unit = 0; unit < 2; unit++) {
        double published[2] = {unit == 0, unit == 1}, next[2] = {unit == 0, unit == 1};
        for (int n = 0; n < CYCLE; n++) {
            for (int i = 0; i < 2; i++)
                if (n % strides[i] == 0) published[i] = next[i];
            for (int i = 0; i < 2; i++)
                if (n % strides[i] == 0) {
                    double decay = exp(-coupling.macro_step * strides[i]);
                    next[i] = decay * published[i] + (1 - decay) * gain * published[1 - i];
                }
        }
        for (int i = 0; i < 2; i++) image[i][unit] = next[i];
    }
    double half = (image[0][0] + image[1][1]) / 2,
           det = image[0][0] * image[1][1] - image[0][1] * image[1][0];
    double radius = half * half < det ? sqrt(det) : fabs(half) + sqrt(half * half - det);
    assert_int_equal(point.period, CYCLE);
    radius = pow(radius, 1.0 / CYCLE);
    /* some ten roundings for each step, of an eigenvalue that is well-conditioned, and its root */
    check_true(fabs(point.spectral_radius - radius) <= 12 * DBL_EPSILON * radius, "radius %.17g, not %.17g",
               point.spectral_radius, radius);
    check_same(work, &m, &coupling, "strides");
    costab_network_work_destroy(&work);
}

/* Step 66 takes the place of the program of step 2, in which no state exchanges and which is shorter.
 * Whichever allocation fails, the next one who asks gets what is right. */
TEST(memory_fails_in_a_long_cycle) {
    enum { PORTS = 4 };
    static const int strides[] = {3, 23};
    const costab_coupling coupling = {.macro_step = 0.05, .extrapolation = COSTAB_CUBIC};
    model m;
    model_start(&m);
    for (int i = 0; i < 2; i++) {
        (void)model_add(&m, 1, PORTS, PORTS, "exact", 1, 0);
        m.subsystems[i].stride = strides[i];
        m.A[i][0] = -1;
        for (int k = 0; k < PORTS; k++) {
            m.B[i][k] = m.C[i][k] = 1;
            model_connect(&m, i, k, 1 - i, k, -0.1, k);
        }
    }
    set_versions(&m);
    costab_status status = COSTAB_MEMORY;
    long k = 0;
    while (status != COSTAB_OK) {
        costab_network_work *work = work_open();
        costab_network_point point;
        memory_fail_at(++k);
        status = costab_network_analyse(work, &m.network, &coupling, &point, &why);
        memory_fail_at(0);
        assert_true(status == COSTAB_OK || status == COSTAB_MEMORY);
        check_same(work, &m, &coupling, "memory");
        costab_network_work_destroy(&work);
    }
    assert_true(k > 64);
}
