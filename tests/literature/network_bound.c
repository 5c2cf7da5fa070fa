/* [MS] section 5: what its bound is worth. The suprema, T_max and errors that it prints:
 * tests/cli/reproduce.sh. */
#include <math.h>

#include "costab/limit.h"
#include "network_model.h"

#define DIGITS(n) (0.5000001 * pow(10, -(n)))

/* x1' = x2; x2' = -5 x1 - R x2, both starting at 1; the components of [MS] eq. 33. */
static void components(model *m, double R, int delay) {
    model_start(m);
    model_scalar(m, 0, 1, 1, "exact", 200, 0);
    model_scalar(m, -R, -5, 1, "exact", 200, 0);
    m->x0[0][0] = m->x0[1][0] = 1;
    model_connect(m, 1, 0, 0, 0, 1, delay);
    model_connect(m, 0, 0, 1, 0, 1, delay);
}

static costab_bound bound_of(const model *m) {
    costab_bound_options options = {.error = 0.5};
    costab_bound bound;
    check_ok(costab_network_check(&m->network, &why));
    check_ok(costab_network_bound(&m->network, &options, &bound, &why));
    return bound;
}

/* The bound holds where it is meant to: jacobi without delay makes no more than Delta E at T_max. */
TEST(test_bound_holds) {
    static const double R[] = {2, 5};
    for (int i = 0; i < 2; i++) {
        model m;
        components(&m, R[i], 0);
        costab_bound bound = bound_of(&m);
        costab_coupling coupling = {.macro_step = bound.macro_step};
        double found;
        check_ok(costab_network_error(&m.network, &coupling, 10, &found, &why));
        check_true(found < 0.5, "R = %g: error %g at T = %g", R[i], found, bound.macro_step);
    }
}

/* Facts about T_max: values of an independent program, to their digits (the errors to a unit of their last
 * one). The smaller R, the longer the runs: with EFFORT 1 the first two. */
TEST(test_made) {
    static const struct {
        double R;
        int delay;
        double stable_to, error, error_digit, made;
    } known[] = {
        {2, 0, 0.4, 0.122245380, 1e-9, 0.1623416560},   {2, 1, 0.1476158680, 0.410753318, 1e-9, 0.0565089639},
        {5, 0, 1, 0.036065583, 1e-9, 0.3197938925},     {5, 1, 0.4359846404, 0.111076648, 1e-9, 0.1367076691},
        {1, 0, 0.2, 0.317571895, 1e-9, 0.0808785043},   {1, 1, 0.0686047464, 1.451318390, 1e-9, 0.0272936067},
        {0.5, 0, 0.1, 0.782368976, 1e-9, 0.0415707648}, {0.5, 1, 0.0335791835, 971780.73, 1e-2, 0.0139012773},
        {0.2, 0, 0.04, 13757.06, 1e-2, 0.0169856591},   {0.2, 1, 0.0133491252, 2.36e26, 1e24, 0.0056648107},
    };
    for (size_t i = 0; i < effort(1) && i < sizeof known / sizeof *known; i++) {
        model m;
        components(&m, known[i].R, known[i].delay);
        costab_bound bound = bound_of(&m);
        costab_coupling coupling = {.macro_step = 1};
        /* The largest error of the first case is made before 4 s. */
        costab_made_options options = {
            .error = 0.5, .macro_step = bound.macro_step, .horizon = i == 0 ? 4 : bound.horizon};
        costab_made made;
        check_ok(costab_bound_made(&m.network, &coupling, &options, &made, &why));
        check_near(made.stable_to, known[i].stable_to, DIGITS(10), "stable_to %zu", i);
        check_near(made.error_at_macro_step, known[i].error, known[i].error_digit, "error %zu", i);
        check_near(made.macro_step_made, known[i].made, DIGITS(10), "made %zu", i);
    }
}
