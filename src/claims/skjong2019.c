/* [SP]: every number of its six examples, and its corollaries. */
#include <math.h>

#include "claims/claims.h"

static bool near(double x, double y) {
    return fabs(x - y) < 1e-9;
}

static void example_1(claims *c) {
    claims_model(c, "skjong2019/example1");
    claims_radius(c, "jacobi");
    claim_number(c, "example 1: first eigenvalue of the whole system", "-1.0", c->point.spectral_abscissa,
                 "");
    claim_number(c, "example 1: second eigenvalue of the whole system", "-2.5", claims_second_eigenvalue(c),
                 "");
    double whole = claims_limit(c, "jacobi", "T_d", 0.1, 2);
    claims_model(c, "skjong2019/equation");
    double first = claims_limit(c, "jacobi", "T_d", 0.1, 2);
    claims_set(c, "a", -1.5);
    double second = claims_limit(c, "jacobi", "T_d", 0.1, 2);
    claim_number(c, "example 1: largest Euler step of subsystem 1", "1.0", first, "");
    claim_statement(c, "example 1: largest Euler step of subsystem 2", "4/3", second, near(second, 4. / 3),
                    "");
    claim_number(c, "example 1: largest Euler step of the whole system", "0.8", whole, "");
}

static void example_2(claims *c) {
    static const char powers[] =
        "by the principal complex power of (I + hA) with 1.575 micro steps only, which makes real states "
        "complex";
    claims_model(c, "skjong2019/example2");
    claims_set(c, "T_d", 2);
    claims_radius(c, "powers");
    for (int i = 0; i < 2; i++) {
        double value = claims_modulus(c, i);
        claim_statement(c, i == 0 ? "example 2, T_d = 2: first |eig|" : "example 2, T_d = 2: second |eig|",
                        "1", value, near(value, 1), "by the complex power with 1.5 micro steps");
    }
    claims_set(c, "T_d", 2.1);
    claims_radius(c, "powers");
    claim_number(c, "example 2, T_d = 2.1: first |eig|", "0.9877", claims_modulus(c, 0), powers);
    claim_number(c, "example 2, T_d = 2.1: second |eig|", "0.9560", claims_modulus(c, 1), powers);
    double radius = claims_radius(c, "clocks");
    claim_statement(c, "example 2, T_d = 2.1: the simulation (spectral radius)", "unstable", radius,
                    radius > 1 + c->point.rounding,
                    "Algorithm 1 exactly: its eigenvalues over a period are 1 and -1/3, so all stays "
                    "bounded");
    claim_number(c, "example 2, T_d = 2.1: macro steps after which the micro steps repeat", "",
                 (double)c->point.period, "");
    claim_number(c, "example 2, period of T_d = 2.1: first |eig|", "", claims_modulus(c, 0),
                 "the eigenvalue 1, a semisimple one");
    claim_number(c, "example 2, period of T_d = 2.1: second |eig|", "", claims_modulus(c, 1),
                 "the eigenvalue -1/3");
}

static void examples_3_and_4(claims *c) {
    claims_model(c, "skjong2019/example3");
    claims_radius(c, "jacobi");
    claim_number(c, "example 3: first |eig|", "0.7271", claims_modulus(c, 0), "");
    claim_number(c, "example 3: second |eig|", "0.0354", claims_modulus(c, 1), "");

    claims_model(c, "skjong2019/example4");
    claims_radius(c, "whole");
    claim_statement(c, "example 4: real part of the whole system's eigenvalues", "-9/20",
                    c->point.spectral_abscissa, near(c->point.spectral_abscissa, -0.45), "");
    claim_number(c, "example 4: first |eig|", "0.9984", claims_modulus(c, 0), "");
    claim_number(c, "example 4: second |eig|", "0.9984", claims_modulus(c, 1), "");
    claim_number(c, "example 4: largest stable T_d, whole micro steps", "",
                 claims_limit(c, "whole", "T_d", 0.01, 2), "the paper's own choice is 0.89");
    claim_number(c, "example 4: largest stable T_d, a real number of micro steps", "",
                 claims_limit(c, "powers", "T_d", 0.01, 2), "");
}

/* The real part of the oscillation beside the slow mode, which is the abscissa, of example 5's 3 x 3 matrix.
 */
static double oscillation(claims *c) {
    int states = 0;
    const double *A = !c->status ? costab_network_monolithic(c->work, &states) : NULL;
    return states == 3 ? (A[0] + A[4] + A[8] - c->point.spectral_abscissa) / 2 : (double)NAN;
}

/* "much better if K_P > 0": the regulator with the gain as printed, and with the other sign. */
static void other_sign(claims *c) {
    double slow = c->point.spectral_abscissa, fast = oscillation(c), radius = c->point.spectral_radius;
    claims_set(c, "KP", 0.5);
    double other = claims_radius(c, "jacobi");
    claim_statement(c, "example 5, K_P > 0 is much better: slow mode in 1/s at K_P = 0.5", "much better",
                    c->point.spectral_abscissa, c->point.spectral_abscissa < slow,
                    "a gain of 10 %: it is -0.0952 at K_P = -0.5");
    claim_statement(c, "example 5, K_P > 0 is much better: real part of the oscillation in 1/s at K_P = 0.5",
                    "much better", oscillation(c), oscillation(c) < fast,
                    "it damps slower: the real part is -0.2524 at K_P = -0.5");
    claim_statement(c, "example 5, K_P > 0 is much better: spectral radius at K_P = 0.5, T_d = 1",
                    "much better", other, other < radius, "hardly smaller: it is 0.908 at K_P = -0.5");
}

static void examples_5_and_6(claims *c) {
    claims_model(c, "skjong2019/example5");
    claims_radius(c, "jacobi");
    claim_number(c, "example 5: first |eig|", "0.8424", claims_modulus(c, 1), "");
    claim_number(c, "example 5: second |eig|", "0.8424", claims_modulus(c, 2), "");
    claim_number(c, "example 5: third |eig|", "0.9075", claims_modulus(c, 0), "");
    other_sign(c);

    claims_model(c, "skjong2019/example6");
    double radius = claims_radius(c, "jacobi");
    claim_number(c, "example 6: first |eig|", "1.0000", claims_modulus(c, 0), "");
    claim_number(c, "example 6: second |eig|", "1.0000", claims_modulus(c, 1), "");
    claim_number(c, "example 6: third |eig|", "0.9922", claims_modulus(c, 2), "");
    claim_statement(c, "example 6: largest |eig| at most 1 (43)", "holds", radius, radius <= 1,
                    "above 1 by 1.5e-5: the printed digits hide that its own criterion is violated");
    claim_number(c, "example 6: largest x01 with |eig| at most 1", "", claims_limit(c, "jacobi", "x01", 4, 6),
                 "the paper takes 5");
}

static void corollaries(claims *c) {
    double radius[2];
    for (int i = 0; i < 2; i++) {
        claims_model(c, i == 0 ? "skjong2019/corollary1-euler" : "skjong2019/corollary1-rk4");
        radius[i] = claims_radius(c, "jacobi");
    }
    claim_number(c, "corollary 1, counterexample: spectral radius with Euler", "", radius[0],
                 "a1 = a2 = -1, b1 = 1, b2 = -5, two micro steps of 1.9: stable");
    claim_statement(c, "corollary 1: stable with Euler, then with RK4 too (spectral radius)", "stable",
                    radius[1], radius[1] < 1, "false: the same system is unstable with RK4");

    claims_model(c, "skjong2019/example6");
    claims_set(c, "KP", 5);
    claims_set(c, "T_d", 0.026);
    claim_number(c, "corollary 2, counterexample: spectral radius at x01 = 5", "", claims_radius(c, "jacobi"),
                 "example 6 with K_P = 5, T_d = 0.026: stable");
    claims_set(c, "x01", 0.2);
    double inside = claims_radius(c, "jacobi");
    claim_statement(c, "corollary 2: stable at the ends, then between them (spectral radius, x01 = 0.2)",
                    "stable", inside, inside < 1,
                    "false: the ends -5 and 5 are stable, the points around 0.2 are not");
}

/* The state of a map of two states, from (0, 1), after so many steps: its first entry. */
static double after(claims *c, int steps) {
    const double *M = NULL, *imaginary;
    double x = 0, y = 1;
    if (!c->status) costab_network_matrix(c->work, &M, &imaginary);
    for (int i = 0; i < steps && M != NULL; i++) {
        double moved = M[0] * x + M[1] * y;
        y = M[2] * x + M[3] * y;
        x = moved;
    }
    return M != NULL ? x : (double)NAN;
}

static void criterion_and_lemma(claims *c) {
    claims_model(c, "gomes2018/exceptions");
    claims_set(c, "a", 0);
    claims_set(c, "d", 0);
    claims_set(c, "w", 0);
    claims_radius(c, "fmi-jacobi");
    claim_number(c, "(43), counterexample S = [1 1; 0 1]: largest |eig|", "", claims_modulus(c, 0),
                 "two integrators in a row, Euler, T_d = 1: the criterion holds");
    double grown = after(c, 100);
    claim_statement(c, "(43), |eig| at most 1, then stable: x1 of S = [1 1; 0 1] after 100 steps from (0, 1)",
                    "stable", grown, grown <= 1,
                    "false: it grows as the number of steps; eigenvalues of modulus 1 must be semisimple");

    claims_model(c, "skjong2019/lemma1");
    claims_set(c, "T_d", 0.1);
    claim_number(c, "lemma 1, counterexample: spectral radius at T_d = 0.1", "", claims_radius(c, "jacobi"),
                 "two lags with the loop gain -5 at rest: stable");
    claims_set(c, "T_d", 30);
    double slow = claims_radius(c, "jacobi");
    claim_statement(c, "lemma 1: stable for a global step that is large enough (spectral radius at T_d = 30)",
                    "stable", slow, slow < 1,
                    "false: it tends to the root of the loop's gain at rest, which has to be below 1");
}

void claims_skjong2019(claims *c) {
    example_1(c);
    example_2(c);
    examples_3_and_4(c);
    examples_5_and_6(c);
    corollaries(c);
    criterion_and_lemma(c);
}
