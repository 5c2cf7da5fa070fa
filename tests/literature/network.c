/* Limits of [SP] example 4 by methods that it does not take. Its own methods and numbers, and all other
 * published numbers of networks: tests/cli/reproduce.sh. */
#include "support/network_model.h"

/* [SP] example 4: x1' = -x1 + u1, x2' = x2/10 - u2. */
static void example_4(model *m, const char *method, int substeps, double step) {
    model_start(m);
    model_scalar(m, -1, 1, 1, method, substeps, step);
    model_scalar(m, 0.1, -1, 1, method, substeps, step);
    model_connect(m, 0, 0, 1, 0, 1, 0);
    model_connect(m, 1, 0, 0, 0, 1, 0);
}

/* Bisects for the macro step at which the radius passes 1. */
static double critical(const model *m, costab_coupling coupling, double stable, double unstable) {
    costab_network_work *work = work_open();
    for (int i = 0; i < 60; i++) {
        coupling.macro_step = (stable + unstable) / 2;
        costab_network_point point;
        check_ok(costab_network_analyse(work, &m->network, &coupling, &point, &why));
        if (point.spectral_radius < 1)
            stable = coupling.macro_step;
        else
            unstable = coupling.macro_step;
    }
    costab_network_work_destroy(&work);
    return stable;
}

TEST(limits_of_other_methods) {
    static const struct {
        const char *method;
        int substeps;
        double limit;
    } rows[] = {
        {"euler", 0, 0.895047186481}, {"heun", 0, 0.894090126095},  {"rk4", 0, 0.894091513302},
        {"exact", 0, 0.894091513310}, {"euler", 2, 0.940331698495}, {"heun", 2, 0.889958468999},
        {"rk4", 2, 0.894046816726},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        model m;
        example_4(&m, rows[i].method, rows[i].substeps, 0.01);
        costab_coupling coupling = {.micro_steps = rows[i].substeps > 0 ? COSTAB_WHOLE : COSTAB_REAL_POWER};
        double found = critical(&m, coupling, 0.8, 1);
        check_near(found, rows[i].limit, 1e-12L, "%s with %d micro steps", rows[i].method, rows[i].substeps);
    }
}
