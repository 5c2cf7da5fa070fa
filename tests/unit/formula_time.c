/* formula_time_varying: whether a derivative of an expression by a state or input depends on t. The answers
 * follow from the derivatives written out by hand for each expression. */
#include <stdlib.h>
#include <string.h>

#include "formula/formula.h"
#include "support/support.h"

enum { X, V, U, T, LOCALS };

static const char *const parameters[] = {"k", "z"};
static const char *const locals[] = {"x", "v", "u", "t"};
static const formula_scope scope = {parameters, locals, 2, LOCALS};

/* The first variable by which the derivative varies, at x = v = u = t = 0, k = 2, z = 0. */
static int varying_at(const char *expression, double x) {
    static const double values[] = {2, 0};
    double local[LOCALS] = {x, 0, 0, 0};
    char reason[200];
    formula_tape tape;
    check_ok(formula_read(expression, strlen(expression), &scope, &tape, reason, sizeof reason));
    double *scratch = calloc(formula_work(&tape), sizeof *scratch);
    assert_non_null(scratch);
    int found = formula_time_varying(&tape, values, local, T, scratch);
    free(scratch);
    formula_free(&tape);
    return found;
}

TEST(additive_forcing_and_constant_coefficients_do_not_vary) {
    static const char *const texts[] = {
        "-k*x - v + sin(20*t)", /* by x: -k */
        "x + sin(t)^2",
        "k*x^3 + u*v", /* t does not occur */
        "-(1 + 0*cos(t))*x",
        "-(1 + z*cos(t))*x", /* z is 0 */
        "x^2*t",             /* 2 x t, 0 at x = 0 for all t */
        "(x^3)*cos(t)",
        "exp(-t)*(0*v)",
        "x + t^2/k",
        "sign(t)*k + x",
        "k*x + rint(t*x)", /* rint is flat between its jumps */
        "x*(t^0)",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (varying_at(texts[i], 0) != -1) fail_msg("%s varies", texts[i]);
}

TEST(coefficients_with_t_vary) {
    static const struct {
        const char *text;
        int through;
    } cases[] = {
        {"-(k + 0.5*cos(t))*x", X},                         /* -(k + cos(t)/2) */
        {"u*sin(2*t)", U},                                  /* 0 at t = 0, and not after */
        {"(x - 1)^2*t", X},                                 /* 2 (x - 1) t */
        {"sin(x + t)", X},                                  /* cos(x + t) */
        {"-k*x*sign(5 - t)", X},                            /* a switch at t = 5 */
        {"x/(1 + t)", X},           {"(1 + t)/(1 + v)", V}, /* -(1 + t)/(1 + v)^2 */
        {"abs(v - t)", V},          {"max(u, t)", U},       {"exp(-t)*v", V}, {"v + t*u", U},
        {"2^(t + v)", V},           {"atan2(v, 1 + t)", V},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (varying_at(cases[i].text, 0) != cases[i].through) fail_msg("%s", cases[i].text);
}

TEST(the_point_decides) {
    assert_int_equal(varying_at("x^2*t", 0), -1);
    assert_int_equal(varying_at("x^2*t", 1), X);
    assert_int_equal(varying_at("z*x*t + x", 1), -1);
}
