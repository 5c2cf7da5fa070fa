/* Eigenvalues on the limit: integrators (0 of the continuous system, 1 of the map), one, two or three in a
 * row, in every unit and basis. One is an equilibrium, two a rigid motion, which are set aside; a third
 * grows, whatever rounding does to it. And where eigenvalues are well-conditioned, the limit stays where (n +
 * 32) eps ||M|| puts it. */
#include <float.h>
#include <math.h>

#include "costab/limit.h"
#include "costab/pattern.h"
#include "network_model.h"

static const char *const methods[] = {"euler", "heun", "rk4", "trapezoidal", "radau2", "exact"};

/* T of whole numbers and determinant 1, and its inverse: products of steps that add one row to another. */
static void random_basis(rng *r, int n, double *t, double *inverse) {
    for (int e = 0; e < n * n; e++) t[e] = inverse[e] = e % (n + 1) == 0;
    for (int k = 0; k < 2 * n; k++) {
        int i = rng_int(r, 0, n - 1), j = rng_int(r, 0, n - 1);
        double sign = 2 * rng_int(r, 0, 1) - 1;
        if (i == j) continue;
        for (int c = 0; c < n; c++) t[i * n + c] += sign * t[j * n + c];
        for (int c = 0; c < n; c++) inverse[c * n + j] -= sign * inverse[c * n + i];
    }
}

/* A chain of integrators and a stable rest, x' = T (J + rest) T^-1 x rate, exact for a power of 2. */
static void random_chain(rng *r, model *m, int length, double rate) {
    int n = length + rng_int(r, 0, 2);
    double t[25], inverse[25], canon[25] = {0}, half[25] = {0};
    model_start(m);
    int s = model_add(m, n, 0, 0, methods[rng_int(r, 0, 5)], rng_int(r, 1, 64), 0);
    for (int i = 0; i < n; i++) {
        if (i + 1 < length) canon[i * n + i + 1] = 1;
        if (i >= length) canon[i * n + i] = -1 - (double)i;
    }
    random_basis(r, n, t, inverse);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) half[i * n + j] += t[i * n + k] * canon[k * n + j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double entry = 0;
            for (int k = 0; k < n; k++) entry += half[i * n + k] * inverse[k * n + j];
            m->A[s][i * n + j] = entry * rate;
        }
}

TEST(test_chains) {
    rng r = rng_start("chains of integrators");
    for (int turn = 0; turn < (int)effort(3000); turn++) {
        model m;
        int length = 1 + turn % 3;
        double rate = ldexp(1, rng_int(&r, -20, 20));
        random_chain(&r, &m, length, rate);
        costab_coupling coupling = {.macro_step = rng_uniform(&r, 1e-3, 0.2) / rate};
        costab_network_point point = model_point(&m, &coupling);
        uint8_t stable = length < 3 ? 3 : 0;
        check_true(point.neutral == 1 && point.motions == (length > 1) && point.kept == (length > 1),
                   "%d integrators, n %d, rate %g: %d equilibria, %d motions, %d kept", length,
                   m.subsystems[0].states, rate, point.neutral, point.motions, point.kept);
        check_true((point.class_code & 3) == stable,
                   "%d integrators, n %d, rate %g, %s, %d micro steps: class %d", length,
                   m.subsystems[0].states, rate, m.subsystems[0].method.name, m.subsystems[0].substeps,
                   point.class_code);
    }
}

/* A damped rotation is a normal matrix, its exact map too: no doubt beyond (n + 32) eps ||M||. The places of
 * the limit are known to eps, eigenvalues to some eps: a relative error of the distance of 20 eps / distance.
 */
TEST(test_normal) {
    for (double damping = 1e-12; damping < 1; damping *= 3) {
        model m;
        model_start(&m);
        int s = model_add(&m, 2, 0, 0, "exact", 1, 0);
        double A[4] = {-damping, 1, -1, -damping};
        memcpy(m.A[s], A, sizeof A);
        costab_coupling coupling = {.macro_step = 0.5};
        costab_network_point point = model_point(&m, &coupling);
        double a = (2 + 32) * DBL_EPSILON * sqrt(2 * (1 + damping * damping));
        double e = (2 + 32) * DBL_EPSILON * sqrt(2) * exp(-0.5 * damping);
        check_near(point.abscissa_rounding, a, (real)a * (1e-10L + 80 * DBL_EPSILON / (real)damping), "%g",
                   damping);
        check_near(point.rounding, e, (real)e * (1e-10L + 80 * DBL_EPSILON / (real)damping), "%g", damping);
        assert_int_equal(point.class_code, 3);
    }
}

/* From sequences of steps as many directions are removed as the model has equilibria. A direction that a map
 * moves by less than 10^4 (n + 32) eps of its norm in each step may be one: beside an exact equilibrium a
 * state decays, slowly, to either side of that, and a third one at 1 per second. The second one remains. */
TEST(test_still) {
    const double steps[2] = {0.1, 0.2}, limit = 1e4 * (3 + 32) * DBL_EPSILON;
    const double shares[2] = {1. / 3, 3};
    for (int k = 0; k < 2; k++) {
        model m;
        costab_pattern found;
        costab_pattern_options options = {.gap = 1e-6};
        /* Both steps together, the length of the row that the state has in M - I. */
        double rate = shares[k] * limit / hypot(steps[0], steps[1]);
        model_start(&m);
        int s = model_add(&m, 3, 0, 0, "exact", 1, 0);
        const double A[9] = {[4] = -rate, [8] = -1};
        memcpy(m.A[s], A, sizeof A);
        costab_coupling coupling = {.macro_step = 0.1};
        check_ok(costab_pattern_steps(&m.network, &coupling, steps, 2, &options, &found, &why));
        check_near(found.upper, 1, 2e-6L, "%g times what rounding may do", shares[k]);
        costab_pattern_free(&found);
    }
}

/* ---- Two masses joined by a spring and a damper ---- */

/* Each mass takes the other's position and speed; `ground` is the spring that holds the first one. */
static void two_masses(model *m, double ground, const char *method, int substeps) {
    double stiffness = 10, damping = 0.1;
    model_start(m);
    for (int s = 0; s < 2; s++) {
        double mass = s + 1, own = stiffness + (s == 0 ? ground : 0);
        double A[4] = {0, 1, -own / mass, -damping / mass}, B[4] = {0, 0, stiffness / mass, damping / mass};
        double C[4] = {1, 0, 0, 1};
        model_add(m, 2, 2, 2, method, substeps, 0);
        memcpy(m->A[s], A, sizeof A);
        memcpy(m->B[s], B, sizeof B);
        memcpy(m->C[s], C, sizeof C);
    }
    for (int port = 0; port < 2; port++) {
        model_connect(m, 0, port, 1, port, 1, 0);
        model_connect(m, 1, port, 0, port, 1, 0);
    }
}

/* Without a ground the masses drift: 0 is a double eigenvalue, 1 one of every map. Couplings that reproduce
 * straight lines keep the drift, which is set aside: short macro steps are stable. Others have an eigenvalue
 * near 1 that belongs to no eigenvalue of the continuous system but 0. */
TEST(test_no_ground) {
    for (int c = 0; c < costab_coupling_count(); c++)
        for (int k = 1; k < 6; k++) { /* one step of Euler sees no difference between a value and a line */
            model m;
            two_masses(&m, 0, methods[k], 1 + 3 * (k % 2));
            costab_coupling coupling = {.macro_step = 0.003};
            check_ok(costab_coupling_find(costab_coupling_name(c), &coupling, &why));
            bool constant =
                coupling.scheme == COSTAB_JACOBI
                    ? coupling.extrapolation == COSTAB_CONSTANT || coupling.extrapolation == COSTAB_SPECTRAL
                    : coupling.interpolation == COSTAB_CONSTANT || coupling.scheme == COSTAB_GAUSS_SEIDEL;
            costab_network_point point = model_point(&m, &coupling);
            check_true(point.neutral == 1 && point.motions == 1 && point.kept == !constant,
                       "%s, %s: %d equilibria, %d motions, %d kept", costab_coupling_name(c), methods[k],
                       point.neutral, point.motions, point.kept);
            check_true(((point.class_code & COSTAB_CONTINUOUS_STABLE) != 0) == !constant, "%s, %s: class %d",
                       costab_coupling_name(c), methods[k], point.class_code);
            check_true(constant || point.class_code == 3, "%s, %s: class %d", costab_coupling_name(c),
                       methods[k], point.class_code);
        }
}

/* The drift with what is remembered of it: by methods with structure or memory, longer steps, smoothed
 * polynomials. */
TEST(test_remembered) {
    static const char *const remembering[] = {"bdf2", "newmark", "generalized-alpha", "gauss2"};
    static const int positions[] = {0}, velocities[] = {1};
    for (int c = 0; c < costab_coupling_count(); c++)
        for (int k = 0; k < 8; k++) {
            model m;
            two_masses(&m, 0, remembering[k % 4], 2);
            costab_coupling coupling = {.macro_step = 0.003};
            check_ok(costab_coupling_find(costab_coupling_name(c), &coupling, &why));
            for (int s = 0; s < 2 && (k % 4 == 1 || k % 4 == 2); s++) {
                m.subsystems[s].pairs = 1;
                m.subsystems[s].positions = positions;
                m.subsystems[s].velocities = velocities;
            }
            bool jacobi = coupling.scheme == COSTAB_JACOBI, gauss = coupling.scheme == COSTAB_GAUSS_SEIDEL;
            if (gauss && coupling.interpolation != COSTAB_CONSTANT)
                coupling.extrapolation = coupling.interpolation;
            bool spectral = coupling.extrapolation == COSTAB_SPECTRAL;
            if (((!jacobi && !gauss) || spectral) && k >= 4) continue;
            if (k >= 4) m.subsystems[1].stride = 2 + k % 2;
            coupling.smoothed = k >= 6 && jacobi && coupling.extrapolation != COSTAB_HERMITE;
            bool constant = jacobi ? coupling.extrapolation == COSTAB_CONSTANT || spectral
                                   : coupling.interpolation == COSTAB_CONSTANT;
            costab_network_point point = model_point(&m, &coupling);
            check_true(point.neutral == 1 && point.motions == 1 && point.kept == !constant,
                       "%s, %s: %d equilibria, %d motions, %d kept", costab_coupling_name(c),
                       remembering[k % 4], point.neutral, point.motions, point.kept);
        }
}

/* Two integrators and two slow modes, each in units of its own: one equilibrium is set aside, what remains of
 * 1 is known as well as the units of the whole map tell, and no better in others. */
TEST(test_units) {
    static const struct {
        double a, b, c;
        const char *method;
    } parts[] = {{0, 2.106122769929867e+109, 5.045938958753439e-110, "backward-euler"},
                 {0, 1.1525889848848434e-09, 10743363563899.588, "backward-euler"},
                 {-0.010303222125423577, 2.105260366462223e+72, 1.4114919905899582e-72, "backward-euler"},
                 {-27548.29839198436, 6.061981944027527e-93, 2.088078306397951e+94, "trapezoidal"}};
    model m;
    model_start(&m);
    for (int s = 0; s < 4; s++) model_scalar(&m, parts[s].a, parts[s].b, parts[s].c, parts[s].method, 1, 0);
    for (int s = 1; s < 4; s++) model_connect(&m, s - 1, 0, s, 0, 1, 0);
    costab_coupling coupling = {.macro_step = 0.11401636942986104};
    costab_network_point point = model_point(&m, &coupling);
    check_true(fabs(point.spectral_radius - 1) < point.rounding, "radius %.17g, rounding %g",
               point.spectral_radius, point.rounding);
}

/* The class of the piece with which the macro step's range begins. */
static uint8_t first_class(const model *m, const costab_coupling *coupling, double lower, double upper) {
    costab_limit limit;
    costab_limit_options options = {.lower = lower, .upper = upper};
    check_ok(costab_limit_macro_step(&m->network, coupling, &options, &limit, &why));
    uint8_t code = COSTAB_UU;
    if (limit.count > 0 && limit.pieces[0].from_is == COSTAB_END_RANGE) code = limit.pieces[0].class_code;
    check_true(limit.evaluations < 3000, "%zu evaluations", limit.evaluations);
    costab_limit_free(&limit);
    return code;
}

/* Along the macro step as at one: with a ground spring, and without where the coupling keeps the drift. */
TEST(test_limits) {
    for (int ground = 0; ground < 2; ground++)
        for (int c = 0; c < costab_coupling_count(); c++) {
            model m;
            costab_coupling coupling = {.macro_step = 0.003};
            two_masses(&m, ground, "rk4", 2);
            check_ok(costab_coupling_find(costab_coupling_name(c), &coupling, &why));
            costab_network_point point = model_point(&m, &coupling);
            uint8_t found = first_class(&m, &coupling, 0.003, 0.1);
            check_true(found == (point.class_code & COSTAB_DISCRETE_STABLE ? point.class_code : found),
                       "ground %d, %s: %s, the limit says %s", ground, costab_coupling_name(c),
                       costab_class_name(point.class_code), costab_class_name(found));
        }
}
