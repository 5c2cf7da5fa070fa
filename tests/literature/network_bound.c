/* [MS] section 5: the suprema, T_max and the errors that distributed runs really make. */
#include <math.h>

#include "costab/proof.h"
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

static costab_bound bound_of(const model *m, bool printed) {
    costab_bound_options options = {.error = 0.5, .printed = printed};
    costab_bound bound;
    costab_error error = {0};
    check_status(costab_network_check(&m->network, &error), &error);
    check_status(costab_network_bound(&m->network, &options, &bound, &error), &error);
    return bound;
}

TEST(test_true_suprema) {
    model m;
    components(&m, 5, 1);
    costab_bound bound = bound_of(&m, false);
    check_near(bound.f[0], 1, 1e-12L, "R = 5, M_f1");
    check_near(bound.f[1], 10, 1e-12L, "R = 5, M_f2");
    check_near(bound.g[0], 1, 1e-15L, "M_g1");
    check_near(bound.g[1], 1, 1e-15L, "M_g2");
    check_near(bound.macro_step, 0.035093120L, DIGITS(9), "R = 5, T_max");
    components(&m, 2, 1);
    bound = bound_of(&m, false);
    check_near(bound.f[0], 1.384405956L, DIGITS(9), "R = 2, M_f1");
    check_near(bound.f[1], 7, 1e-12L, "R = 2, M_f2");
    check_near(bound.macro_step, 0.049088131L, DIGITS(9), "R = 2, T_max");
}

TEST(test_printed_recipe) {
    model m;
    components(&m, 2, 1);
    costab_bound bound = bound_of(&m, true);
    check_near(bound.f[0], 1.384405956L, DIGITS(9), "R = 2, M_f1");
    check_near(bound.f[1], 1.779648249L, DIGITS(9), "R = 2, M_f2");
    check_near(bound.g[0], bound.f[0], 0, "the recipe takes M_g for M_f");
    check_near(bound.macro_step, 0.1055L, DIGITS(4), "T_max as printed");
    components(&m, 5, 1);
    bound = bound_of(&m, true);
    check_near(bound.f[0], 0.808228358L, DIGITS(9), "R = 5, M_f1");
    check_near(bound.f[1], 0.616181303L, DIGITS(9), "R = 5, M_f2");
}

/* T_max with the printed constants themselves: 0.5 / sqrt(...) = 0.105503764. */
TEST(test_printed_constants) {
    double f1 = 1.3844, f2 = 1.7796;
    double factor = sqrt(f2 * f2 * (1 + f2 * f2) + f1 * f1 * (1 + 2 * f1 * f1));
    check_near(0.5 / factor, 0.105503764L, DIGITS(9), "T_max");
    model m;
    components(&m, 2, 1);
    check_near(bound_of(&m, true).macro_step, 0.105503764L, 1e-5L, "T_max with all digits of the extrema");
}

/* Only T = 0.1 keeps the error below 0.5, of R = 5 and the distributed system taken literally: delay 1. */
TEST(test_errors) {
    static const double T[] = {0.1, 0.15, 0.2}, expected[] = {0.3548, 0.5554, 0.7501};
    model m;
    components(&m, 5, 1);
    for (int i = 0; i < 3; i++) {
        costab_coupling coupling = {.macro_step = T[i]};
        costab_error error = {0};
        double found;
        check_status(costab_network_error(&m.network, &coupling, 6, &found, &error), &error);
        check_near(found, expected[i], DIGITS(4), "T = %g", T[i]);
        check_true((found < 0.5) == (i == 0), "T = %g", T[i]);
    }
}

/* The bound holds where it is meant to: jacobi without delay makes no more than Delta E at T_max. */
TEST(test_bound_holds) {
    static const double R[] = {2, 5};
    for (int i = 0; i < 2; i++) {
        model m;
        components(&m, R[i], 0);
        costab_bound bound = bound_of(&m, false);
        costab_coupling coupling = {.macro_step = bound.macro_step};
        costab_error error = {0};
        double found;
        check_status(costab_network_error(&m.network, &coupling, 10, &found, &error), &error);
        check_true(found < 0.5, "R = %g: error %g at T = %g", R[i], found, bound.macro_step);
    }
}

/* What holds of T_max: values of an independent program, to their digits (the errors to a unit of their last
 * one). */
TEST(test_made) {
    static const struct {
        double R;
        int delay;
        double stable_to, error, error_digit, made;
    } known[] = {
        {0.2, 0, 0.04, 13757.06, 1e-2, 0.0169856591},   {0.2, 1, 0.0133491252, 2.36e26, 1e24, 0.0056648107},
        {0.5, 0, 0.1, 0.782368976, 1e-9, 0.0415707648}, {0.5, 1, 0.0335791835, 971780.73, 1e-2, 0.0139012773},
        {1, 0, 0.2, 0.317571895, 1e-9, 0.0808785043},   {1, 1, 0.0686047464, 1.451318390, 1e-9, 0.0272936067},
        {2, 0, 0.4, 0.122245380, 1e-9, 0.1623416560},   {2, 1, 0.1476158680, 0.410753318, 1e-9, 0.0565089639},
        {5, 0, 1, 0.036065583, 1e-9, 0.3197938925},     {5, 1, 0.4359846404, 0.111076648, 1e-9, 0.1367076691},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        model m;
        components(&m, known[i].R, known[i].delay);
        costab_bound bound = bound_of(&m, false);
        costab_coupling coupling = {.macro_step = 1};
        costab_made_options options = {
            .error = 0.5, .macro_step = bound.macro_step, .horizon = bound.horizon};
        costab_error error = {0};
        costab_made made;
        check_status(costab_bound_made(&m.network, &coupling, &options, &made, &error), &error);
        check_near(made.stable_to, known[i].stable_to, DIGITS(10), "stable_to %zu", i);
        check_near(made.error_at_macro_step, known[i].error, known[i].error_digit, "error %zu", i);
        check_near(made.macro_step_made, known[i].made, DIGITS(10), "made %zu", i);
    }
}
