/* Macro steps that tend to 0: the map tends to I, and what decides tends to 0 like the step. The class and
 * the decay rate stay what they are.
 *
 * Two oscillators of frequencies^2 1 and 4, joined by a spring of stiffness k by their positions, have modes
 * of shape (p, q), p^2 + q^2 = 1. Exchanged by jacobi, held constant, and with exact solvers, the coupling
 * adds -H k p q / 2 to the growth of a mode, up to terms in H^2 (the leading term of [D]); lines add terms
 * in H^2 alone. */
#include <float.h>
#include <math.h>

#include "costab/limit.h"
#include "network_model.h"

#define STIFFNESS 0.5
#define DAMPING   1e-10

/* `drifting`: in addition a free body, an equilibrium and a rigid motion. */
static void oscillators(model *m, double damping, const char *method, int substeps, bool drifting) {
    model_start(m);
    for (int s = 0; s < 2; s++) {
        double square = s == 0 ? 1 : 4;
        model_add(m, 2, 1, 1, method, substeps, 0);
        double A[4] = {0, 1, -square, -2 * damping};
        memcpy(m->A[s], A, sizeof A);
        m->B[s][1] = 1;
        m->C[s][0] = 1;
    }
    model_connect(m, 0, 0, 1, 0, STIFFNESS, 0);
    model_connect(m, 1, 0, 0, 0, STIFFNESS, 0);
    if (drifting) m->A[model_add(m, 2, 0, 0, method, substeps, 0)][1] = 1;
}

/* k p |q| / 2 per H of the mode that grows: tan of the shape's double angle is 2k over the difference. */
static double growth_per_step(void) {
    return STIFFNESS / 4 * sin(atan2(2 * STIFFNESS, 3));
}

static costab_network_point point_of(const model *m, const char *name, double H) {
    costab_coupling coupling = {.macro_step = H};
    check_ok(costab_coupling_find(name, &coupling, &why));
    coupling.macro_step = H;
    return model_point(m, &coupling);
}

/* Whatever H, the decay is damping less what the coupling adds, and the class is that. */
TEST(test_held) {
    double slope = growth_per_step();
    for (int drifting = 0; drifting < 2; drifting++)
        for (double H = 1e-5; H > 1e-15; H *= 0.7) {
            model m;
            oscillators(&m, DAMPING, "exact", 1 + drifting, drifting != 0);
            costab_network_point point = point_of(&m, "jacobi", H);
            /* terms in H^2, and rounding: of H, as the map itself is off by epsilon */
            double decay = slope * H - DAMPING, error = H * H + 1e-13;
            if (point.rounding > DBL_EPSILON) error += point.rounding / H;
            check_near(point.decay, decay, (real)error, "H = %g", H);
            assert_int_equal(point.kept, drifting);
            check_true(fabs(decay) < 4 * error ||
                           (point.class_code & 63) == (COSTAB_CONTINUOUS_STABLE |
                                                       (decay < 0 ? (unsigned)COSTAB_DISCRETE_STABLE : 0u)),
                       "H = %g: %s with decay %g", H, costab_class_name(point.class_code), decay);
        }
}

/* All couplings but those of order 0, all methods of order 2 and more: what they add is less than H^2, far
 * below the damping. Their memory does not matter. */
TEST(test_orders) {
    static const char *const methods[] = {"exact", "rk4", "trapezoidal", "generalized-alpha", "newmark"};
    size_t stable = 0;
    for (int c = 0; c < costab_coupling_count(); c++) {
        costab_coupling coupling;
        check_ok(costab_coupling_find(costab_coupling_name(c), &coupling, &why));
        bool jacobi = coupling.scheme == COSTAB_JACOBI, iterated = coupling.scheme == COSTAB_ITERATED;
        if ((!iterated && coupling.extrapolation == COSTAB_CONSTANT) ||
            (!jacobi && coupling.interpolation == COSTAB_CONSTANT))
            continue;
        bool spectral = coupling.extrapolation == COSTAB_SPECTRAL;
        for (int k = 0; k < 5; k++)
            for (int strides = 1; strides < 3; strides++) {
                if (strides > 1 && (iterated || spectral)) continue;
                if (spectral && k == 3) continue; /* remembers accelerations over inputs that jump */
                model m;
                oscillators(&m, DAMPING, methods[k], 3, false);
                for (int s = 0; s < 2 && k > 2; s++) {
                    static const int positions[] = {0}, velocities[] = {1};
                    m.subsystems[s].pairs = 1;
                    m.subsystems[s].positions = positions;
                    m.subsystems[s].velocities = velocities;
                }
                m.subsystems[1].stride = strides;
                for (double H = 1e-7; H > 1e-14; H *= 1e-3) {
                    costab_network_point point = point_of(&m, costab_coupling_name(c), H);
                    check_near(point.decay, -DAMPING, (real)(10 * H * H + 1e-12), "%s, %s, stride %d, H = %g",
                               costab_coupling_name(c), methods[k], strides, H);
                    check_true(point.class_code == COSTAB_SS, "%s, %s, stride %d, H = %g: %s",
                               costab_coupling_name(c), methods[k], strides, H,
                               costab_class_name(point.class_code));
                    stable++;
                }
            }
    }
    assert_true(stable > 100);
}

/* Without damping nothing is decided, however short the step. */
TEST(test_undamped) {
    for (double H = 1e-6; H > 1e-14; H *= 0.01) {
        model m;
        oscillators(&m, 0, "exact", 1, false);
        costab_network_point point = point_of(&m, "newton-linear", H);
        check_true(point.class_code == (COSTAB_CONTINUOUS_NEUTRAL | COSTAB_DISCRETE_NEUTRAL),
                   "H = %g: %s, decay %g", H, costab_class_name(point.class_code), point.decay);
    }
}

/* Two integrators in a loop, an undamped oscillator, with cubic Hermite polynomials: the macro step is
 * symmetric in time, so that its eigenvalues are on the circle. The bound of rounding covers the rounding, in
 * units 2^-480 .. 2^480 of states, inputs and outputs too. */
TEST(test_units) {
    rng r = rng_start("units");
    for (int k = 0; k < 300; k++) {
        model m;
        int unit[2][2][2]; /* of a subsystem's state and second input, of its outputs: exponents */
        model_start(&m);
        for (int s = 0; s < 2; s++) {
            int own = rng_int(&r, -480, 480);
            model_add(&m, 1, 2, 2, "rk4", 3 + s, 0);
            for (int q = 0; q < 2; q++) {
                unit[s][0][q] = rng_int(&r, -480, 480);
                unit[s][1][q] = rng_int(&r, -480, 480);
                m.B[s][q] = ldexp(rng_uniform(&r, -0.3, 0.3), own - unit[s][0][q]);
                m.C[s][q] = ldexp(rng_uniform(&r, -0.3, 0.3), unit[s][1][q] - own);
            }
        }
        double there = rng_uniform(&r, 0.1, 1), back = rng_uniform(&r, 0.1, 1);
        bool turns = (m.B[0][1] < 0) == (m.C[0][1] < 0);
        turns = turns == ((m.B[1][0] < 0) == (m.C[1][1] < 0));
        model_connect(&m, 0, 1, 1, 0, ldexp(there, unit[1][0][0] - unit[0][1][1]), 0);
        model_connect(&m, 1, 1, 0, 1, ldexp(turns ? -back : back, unit[0][0][1] - unit[1][1][1]), 0);
        model_connect(&m, 0, 0, 1, 0, 0, 0);
        costab_network_point point = point_of(&m, "newton-hermite", rng_uniform(&r, 0.1, 2));
        check_true(fabs(point.beyond) <= point.rounding, "network %d: radius 1%+g, rounding %g", k,
                   point.beyond, point.rounding);
        check_true((point.class_code & (COSTAB_DISCRETE_STABLE | COSTAB_DISCRETE_NEUTRAL)) ==
                       COSTAB_DISCRETE_NEUTRAL,
                   "network %d: %s", k, costab_class_name(point.class_code));
    }
}

/* The limit of a step of 1e-9 is found like one of 1. */
TEST(test_limit) {
    for (double damping = 1e-2; damping > 1e-13; damping *= 0.01) {
        model m;
        oscillators(&m, damping, "exact", 1, false);
        double end = damping / growth_per_step();
        costab_coupling coupling = {.macro_step = 1};
        check_ok(costab_coupling_find("jacobi", &coupling, &why));
        costab_limit_options options = {
            .lower = 1e-15, .upper = fmin(1, 100 * end), .spacing = COSTAB_SPACING_LOG};
        costab_limit limit;
        check_ok(costab_limit_macro_step(&m.network, &coupling, &options, &limit, &why));
        check_true(limit.count > 0 && limit.pieces[0].from == options.lower &&
                       limit.pieces[0].class_code == COSTAB_SS,
                   "damping %g: not stable from %g on", damping, options.lower);
        /* terms in H compared with 1; rounding ((4 + 32) eps ||A|| H, ||A|| = 3.3) beside the damping */
        check_near(limit.pieces[0].to, end, (real)(end * (4 * end + 240 * DBL_EPSILON / damping + 1e-10)),
                   "damping %g", damping);
        costab_limit_free(&limit);
    }
}
