/* exact/multiple_roots.h - where roots of R(z) = e^(i theta) meet at theta = 0 or pi, as those of 1 + z + z^2
 * / 8 do at z = -4.
 *
 * Let L = e^(i theta), L0 = 1 or -1 its value at that end, and delta the distance of theta from there. The
 * level polynomial N - (L - L0) Q, N = P + (1 - L0) Q, has at L0 a root `place` as often as N has it, count
 * times. Nearby these roots are analytic in the count-th root of delta: with delta = s^order, t = s^(order /
 * count) and z = place + t v it is t^count times
 *
 *     v^count above(t v) - kappa below(t v),    kappa = (L - L0) / delta,
 *
 * which has simple roots v, s = 0 included. */
#pragma once

#include "exact/area_curves.h"

/* Roots that meet, in balls. */
typedef struct multiple_root {
    acb_t place;
    int count, power;        /* power: order / count */
    acb_poly_t above, below; /* N / (z - place)^count and Q, expanded at the place */
} multiple_root;

/* All of them at one end. */
typedef struct multiple_roots {
    int order, count;
    multiple_root each[COSTAB_STAGES_MAX];
} multiple_roots;

/* N at one end, as below. */
void area_end_level(const area_curves *curves, int end, surd_poly *N);

/* Those of curves without square roots in their coefficients. end: 0 at theta = 0, 1 at pi. Clear them. */
void multiple_roots_init(multiple_roots *roots, const area_curves *curves, int end, slong precision);
void multiple_roots_clear(multiple_roots *roots);

/* P(v) = v^count above(t v), and Q(v) = below(t v). */
void multiple_root_polynomials(const multiple_root *root, const acb_t t, slong precision, acb_poly_t P,
                               acb_poly_t Q);

/* Multiple roots at other angles, or with square roots in the coefficients, are not resolved.
 * Whether there is one, as far as 256 bits tell: |R(z)| = 1 and R'(z) = 0 at [out] place. */
bool multiple_roots_elsewhere(const area_curves *curves, double place[2]);
