/* [SP] S. Skjong, E. Pedersen, On the numerical stability in dynamical distributed simulations, 2019: every
 * number of its six examples, and its corollaries, computed when asked. */
#include <math.h>
#include <stdio.h>

#include "cli/claims_network.h"

/* Examples 2 and 3. */
static const char pair[] =
    "system: network\n"
    "parameters: {T: 2, step1: 1, step2: 4/3}\n"
    "subsystems:\n"
    "  - {name: one, A: [[-2]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: euler, step: step1}\n"
    "  - {name: two, A: [[-1.5]], B: [[0.5]], C: [[1]], inputs: [u], outputs: [y], method: euler, step: "
    "step2}\n"
    "connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]\n"
    "coupling:\n"
    "  - {name: power, scheme: jacobi, macro_step: T, micro_steps: real-power}\n"
    "  - {name: clocks, scheme: jacobi, macro_step: T, micro_steps: clocks}\n";

/* One equation x' = a x, one Euler step a macro step. */
static const char alone[] = "system: network\n"
                            "parameters: {T: 0.1, a: -2}\n"
                            "subsystems:\n"
                            "  - {name: one, A: [[a]], method: euler, substeps: 1}\n"
                            "coupling: {name: euler, scheme: jacobi, macro_step: T}\n";

/* Two scalar subsystems with feedback, both with `method` and n micro steps. */
static void scalars(network_claims *n, const char *method, int substeps, double a1, double b1, double a2,
                    double b2) {
    static const char part[] =
        "  - {name: s%d, A: [[%.17g]], B: [[%.17g]], C: [[1]], inputs: [u], outputs: [y], method: %s, "
        "substeps: %d}\n";
    char text[1024];
    int at = snprintf(text, sizeof text, "system: network\nparameters: {T: 0.1}\nsubsystems:\n");
    at += snprintf(text + at, sizeof text - (size_t)at, part, 1, a1, b1, method, substeps);
    at += snprintf(text + at, sizeof text - (size_t)at, part, 2, a2, b2, method, substeps);
    snprintf(text + at, sizeof text - (size_t)at,
             "connections: [{from: s1.y, to: s2.u}, {from: s2.y, to: s1.u}]\n"
             "coupling: {name: jacobi, scheme: jacobi, macro_step: T}\n");
    network_claims_model(n, text);
}

static const char unstable_part[] =
    "system: network\n"
    "parameters: {T: 0.89}\n"
    "subsystems:\n"
    "  - {name: one, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: euler, step: 0.01}\n"
    "  - {name: two, A: [[0.1]], B: [[-1]], C: [[1]], inputs: [u], outputs: [y], method: euler, step: 0.01}\n"
    "connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]\n"
    "coupling:\n"
    "  - {name: whole, scheme: jacobi, macro_step: T}\n"
    "  - {name: power, scheme: jacobi, macro_step: T, micro_steps: real-power}\n";

/* Examples 5 and 6: the spring's force is k x (example 5) or k x^3 about x01. */
#define REGULATED(parameters, plant)                                                                         \
    "system: network\n"                                                                                      \
    "parameters: {m: 2, k: 10, b: 1, KI: -0.1, " parameters "}\n"                                            \
    "subsystems:\n"                                                                                          \
    "  - {name: plant, " plant ", inputs: [F], outputs: [v], method: euler, step: step1}\n"                  \
    "  - {name: regulator, A: [[KI]], B: [[KP]], C: [[1]], inputs: [v], outputs: [F], method: heun, "        \
    "step: step2}\n"                                                                                         \
    "connections: [{from: plant.v, to: regulator.v}, {from: regulator.F, to: plant.F}]\n"                    \
    "coupling: {name: jacobi, scheme: jacobi, macro_step: T}\n"

static const char regulated[] = REGULATED("KP: -0.5, T: 1, step1: 0.01, step2: 0.1",
                                          "A: [[0, 1], [-k/m, -b/m]], B: [[0], [1/m]], C: [[0, 1]]");
static const char cubic[] =
    REGULATED("KP: -0.5, T: 0.078, step1: 0.0013, step2: 0.026, x01: 5",
              "states: [x, s], f: [s, (F - b*s - k*x^3)/m], g: [s], operating_point: {x: x01, s: 0}");

static bool near(double x, double y) {
    return fabs(x - y) < 1e-9;
}

static void example_1(network_claims *n) {
    scalars(n, "euler", 1, -2, 1, -1.5, 0.5);
    network_claims_radius(n, "jacobi");
    claim_number(&n->rows, "example 1: first eigenvalue of the whole system", "-1.0",
                 n->point.spectral_abscissa, "");
    claim_number(&n->rows, "example 1: second eigenvalue of the whole system", "-2.5",
                 network_claims_second_eigenvalue(n), "");
    double whole = network_claims_limit(n, "jacobi", "T", 0.1, 2, 0);
    network_claims_model(n, alone);
    double first = network_claims_limit(n, "euler", "T", 0.1, 2, 0);
    network_claims_set(n, "a", -1.5);
    double second = network_claims_limit(n, "euler", "T", 0.1, 2, 0);
    claim_number(&n->rows, "example 1: largest Euler step of subsystem 1", "1.0", first, "");
    claim_statement(&n->rows, "example 1: largest Euler step of subsystem 2", "4/3", second,
                    near(second, 4. / 3), "");
    claim_number(&n->rows, "example 1: largest Euler step of the whole system", "0.8", whole, "");
}

static void example_2(network_claims *n) {
    static const char powers[] =
        "by the principal complex power of (I + hA) with 1.575 micro steps only, which makes real states "
        "complex";
    network_claims_model(n, pair);
    network_claims_radius(n, "power");
    for (int i = 0; i < 2; i++) {
        double value = network_claims_modulus(n, i);
        claim_statement(&n->rows,
                        i == 0 ? "example 2, T_d = 2: first |eig|" : "example 2, T_d = 2: second |eig|", "1",
                        value, near(value, 1), "by the complex power with 1.5 micro steps");
    }
    network_claims_set(n, "T", 2.1);
    network_claims_radius(n, "power");
    claim_number(&n->rows, "example 2, T_d = 2.1: first |eig|", "0.9877", network_claims_modulus(n, 0),
                 powers);
    claim_number(&n->rows, "example 2, T_d = 2.1: second |eig|", "0.9560", network_claims_modulus(n, 1),
                 powers);
    double radius = network_claims_radius(n, "clocks");
    claim_statement(&n->rows, "example 2, T_d = 2.1: the simulation (spectral radius)", "unstable", radius,
                    radius > 1 + n->point.rounding,
                    "Algorithm 1 exactly: its eigenvalues over a period are 1 and -1/3, so all stays "
                    "bounded");
    claim_number(&n->rows, "example 2, T_d = 2.1: macro steps after which the micro steps repeat", "",
                 (double)n->point.period, "");
    claim_number(&n->rows, "example 2, period of T_d = 2.1: first |eig|", "", network_claims_modulus(n, 0),
                 "the eigenvalue 1, a semisimple one");
    claim_number(&n->rows, "example 2, period of T_d = 2.1: second |eig|", "", network_claims_modulus(n, 1),
                 "the eigenvalue -1/3");
}

static void examples_3_and_4(network_claims *n) {
    network_claims_model(n, pair);
    network_claims_set(n, "T", 1.8);
    network_claims_set(n, "step1", 0.9);
    network_claims_set(n, "step2", 0.9);
    network_claims_radius(n, "clocks");
    claim_number(&n->rows, "example 3: first |eig|", "0.7271", network_claims_modulus(n, 0), "");
    claim_number(&n->rows, "example 3: second |eig|", "0.0354", network_claims_modulus(n, 1), "");

    network_claims_model(n, unstable_part);
    network_claims_radius(n, "whole");
    claim_statement(&n->rows, "example 4: real part of the whole system's eigenvalues", "-9/20",
                    n->point.spectral_abscissa, near(n->point.spectral_abscissa, -0.45), "");
    claim_number(&n->rows, "example 4: first |eig|", "0.9984", network_claims_modulus(n, 0), "");
    claim_number(&n->rows, "example 4: second |eig|", "0.9984", network_claims_modulus(n, 1), "");
    claim_number(&n->rows, "example 4: largest stable T_d, whole micro steps", "",
                 network_claims_limit(n, "whole", "T", 0.01, 2, 0.01), "the paper's own choice is 0.89");
    claim_number(&n->rows, "example 4: largest stable T_d, a real number of micro steps", "",
                 network_claims_limit(n, "power", "T", 0.01, 2, 0), "");
}

static void examples_5_and_6(network_claims *n) {
    network_claims_model(n, regulated);
    network_claims_radius(n, "jacobi");
    claim_number(&n->rows, "example 5: first |eig|", "0.8424", network_claims_modulus(n, 1), "");
    claim_number(&n->rows, "example 5: second |eig|", "0.8424", network_claims_modulus(n, 2), "");
    claim_number(&n->rows, "example 5: third |eig|", "0.9075", network_claims_modulus(n, 0), "");

    network_claims_model(n, cubic);
    double radius = network_claims_radius(n, "jacobi");
    claim_number(&n->rows, "example 6: first |eig|", "1.0000", network_claims_modulus(n, 0), "");
    claim_number(&n->rows, "example 6: second |eig|", "1.0000", network_claims_modulus(n, 1), "");
    claim_number(&n->rows, "example 6: third |eig|", "0.9922", network_claims_modulus(n, 2), "");
    claim_statement(&n->rows, "example 6: largest |eig| at most 1 (43)", "holds", radius, radius <= 1,
                    "above 1 by 1.5e-5: the printed digits hide that its own criterion is violated");
    claim_number(&n->rows, "example 6: largest x01 with |eig| at most 1", "",
                 network_claims_limit(n, "jacobi", "x01", 4, 6, 0), "the paper takes 5");
}

static void corollaries(network_claims *n) {
    double radius[2];
    for (int i = 0; i < 2; i++) {
        scalars(n, i == 0 ? "euler" : "rk4", 2, -1, 1, -1, -5);
        network_claims_set(n, "T", 3.8);
        radius[i] = network_claims_radius(n, "jacobi");
    }
    claim_number(&n->rows, "corollary 1, counterexample: spectral radius with Euler", "", radius[0],
                 "a1 = a2 = -1, b1 = 1, b2 = -5, two micro steps of 1.9: stable");
    claim_statement(&n->rows, "corollary 1: stable with Euler, then with RK4 too (spectral radius)", "stable",
                    radius[1], radius[1] < 1, "false: the same system is unstable with RK4");

    network_claims_model(n, cubic);
    network_claims_set(n, "KP", 5);
    network_claims_set(n, "T", 0.026);
    claim_number(&n->rows, "corollary 2, counterexample: spectral radius at x01 = 5", "",
                 network_claims_radius(n, "jacobi"), "example 6 with K_P = 5, T_d = 0.026: stable");
    network_claims_set(n, "x01", 0.2);
    double inside = network_claims_radius(n, "jacobi");
    claim_statement(
        &n->rows, "corollary 2: stable at the ends, then between them (spectral radius, x01 = 0.2)", "stable",
        inside, inside < 1, "false: the ends -5 and 5 are stable, the points around 0.2 are not");
}

costab_status claims_skjong2019(claim_taker *take, void *context, costab_error *error) {
    network_claims n;
    network_claims_begin(&n, take, context, error);
    example_1(&n);
    example_2(&n);
    examples_3_and_4(&n);
    examples_5_and_6(&n);
    corollaries(&n);
    return network_claims_end(&n);
}
