/* Several threads analyse one network at different macro steps, each with its own workspace: the bits of one
 * thread. */
#include "network_model.h"

enum { POINTS = 400 };

static void example(model *m) {
    model_start(m);
    for (int s = 0; s < 3; s++) {
        model_add(m, 2, 1, 1, s == 1 ? "radau2" : "rk4", s + 1, 0);
        double A[4] = {-1, 0.5, -0.25 * s, -2}, B[2] = {1, 0.5}, C[2] = {0.75, -1};
        memcpy(m->A[s], A, sizeof A);
        memcpy(m->B[s], B, sizeof B);
        memcpy(m->C[s], C, sizeof C);
        m->D[s][0] = 0.125;
    }
    model_feedthrough(m, 1);
    for (int s = 0; s < 3; s++) model_connect(m, s, 0, (s + 1) % 3, 0, 1, s);
}

static costab_coupling coupling_at(int i) {
    return (costab_coupling){.scheme = (costab_coupling_scheme)(i % 3),
                             .extrapolation = (costab_hold)(i % 2),
                             .macro_step = 0.01 * (i + 1)};
}

TEST(test_threads) {
    static model m;
    static costab_network_point parallel[POINTS];
    example(&m);
    int failures = 0;
#pragma omp parallel num_threads(4) reduction(+ : failures)
    {
        costab_network_work *work = NULL;
        failures += costab_network_work_create(&work, NULL) != COSTAB_OK;
#pragma omp for schedule(dynamic, 7)
        for (int i = 0; i < POINTS; i++) {
            costab_coupling coupling = coupling_at(i);
            failures += costab_network_analyse(work, &m.network, &coupling, &parallel[i], NULL) != COSTAB_OK;
        }
        costab_network_work_destroy(&work);
    }
    assert_int_equal(failures, 0);
    costab_network_work *work = work_open();
    for (int i = 0; i < POINTS; i++) {
        costab_coupling coupling = coupling_at(i);
        costab_network_point point = model_analyse(work, &m, &coupling);
        check_near(parallel[i].spectral_radius, point.spectral_radius, 0, "point %d", i);
        check_near(parallel[i].spectral_abscissa, point.spectral_abscissa, 0, "point %d", i);
        assert_int_equal(parallel[i].class_code, point.class_code);
    }
    costab_network_work_destroy(&work);
}
