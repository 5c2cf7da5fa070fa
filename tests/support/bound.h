/* bound.h - rounding bounds: the formulas of the modules method and planar evaluated by running error
 * analysis. The value is long double's; the error bounds what a straightforward evaluation in double
 * precision may lose. */
#pragma once

#include "approx.h"
#include "costab/planar.h"

/* Coefficients of phi and P1 = numerator / denominator, from the tableau: values, and the sums of the
 * magnitudes of the products that make them up, which scale their rounding. */
typedef struct weight_polynomials {
    int stages;
    real phi[COSTAB_STAGES_MAX], phi_size[COSTAB_STAGES_MAX];
    real p1[COSTAB_STAGES_MAX], p1_size[COSTAB_STAGES_MAX];
    real denominator[COSTAB_STAGES_MAX + 1], denominator_size[COSTAB_STAGES_MAX + 1];
} weight_polynomials;

weight_polynomials bound_polynomials(const costab_method *method);

typedef struct approx_weights {
    approx R, phi, p0, p1;
} approx_weights;

/* Of one macro step of `substeps` micro steps; z itself may be wrong by a relative rounding. */
approx_weights bound_weights(const costab_method *method, int substeps, complex_real z);

/* Trace, determinant and the values whose signs decide: fold = 1 - Tr + Det in its product form where there
 * is one, flip = 1 + Tr + Det, det = 1 - Det, iteration = 1 - (iteration radius)^2 (1 except for strong). */
typedef struct approx_point {
    approx trace, determinant, fold, flip, det, iteration, iteration_radius;
} approx_point;

approx_point bound_point(const costab_planar *planar, double a, double gamma, double delta);

/* How far the spectral radius may be off: the roots of x^2 - Tr x + Det move by at most sqrt(eta) where the
 * polynomial moves by eta, and by 2 eta / |difference of the roots| where that is larger than 4 sqrt(eta). */
real bound_spectral_radius(const approx_point *point);

/* The cause flags of a point; [out] sure: none of the deciding values is within its error of 0. */
uint8_t bound_cause(const costab_planar *planar, const approx_point *point, bool *sure);

/* The deciding value of one cause flag. */
approx bound_condition(const approx_point *point, uint8_t cause);
