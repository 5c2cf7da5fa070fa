/* area/multiple_roots.h - multiple roots of the level polynomial at theta = 0 or pi, such as z = -4 of R = 1
 * + z + z^2 / 8, and the simple roots into which they split next to this angle.
 *
 * The curves R(z) = L, L = e^(i theta), of the stability function R = 1 + P/Q are the roots of the level
 * polynomial P + (1 - L) Q. Let L0 = 1 or -1 be the value of L at theta = 0 or pi, delta the distance of
 * theta from this end, and N = P + (1 - L0) Q. The level polynomial is N - (L - L0) Q. A root of N of
 * multiplicity `count` splits into `count` roots, analytic in the count-th root of delta, not in delta
 * (Puiseux). Therefore delta = s^order with order a common multiple of all counts. With power = order /
 * count, t = s^power and z = root + t v the level polynomial is t^count times
 *
 *     v^count quotient(t v) - kappa Q(t v),    kappa = (L - L0) / delta,
 *
 * with simple roots v, also at s = 0. */
#pragma once

#include "area/level_curves.h"

/* One multiple root of N, in balls. */
typedef struct multiple_root {
    acb_t root;
    int count, power;       /* multiplicity; order / count */
    acb_poly_t quotient, Q; /* N / (z - root)^count and Q, both expanded at the root */
} multiple_root;

/* All multiple roots at theta = 0, or at pi. */
typedef struct multiple_roots {
    int order, count;
    multiple_root each[COSTAB_STAGES_MAX];
} multiple_roots;

/* Finds the multiple roots of curves with rational coefficients; coefficients with square roots are not
 * searched. end: 0 at theta = 0, 1 at pi. [out] roots: to be cleared. */
void multiple_roots_init(multiple_roots *roots, const level_curves *curves, int end, slong precision);
void multiple_roots_clear(multiple_roots *roots);

/* Returns the polynomials v^count quotient(t v) and Q(t v) of v in P and Q. */
void multiple_root_polynomials(const multiple_root *root, const acb_t t, slong precision, acb_poly_t P,
                               acb_poly_t Q);

/* Returns true if there may be a multiple root that multiple_roots_init() does not find, at another angle or
 * with square roots in the coefficients, within 256 bits. [out] z: this root, with |R(z)| = 1 and R'(z) =
 * 0. */
bool multiple_roots_elsewhere(const level_curves *curves, double z[2]);
