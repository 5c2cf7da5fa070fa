/* area/level_curves.h - the level curves |R(z)| = 1 of the stability function of one micro step, the boundary
 * of |R| < 1. With the angle theta of R they are the curves R(z) = e^(i theta), the roots z(theta) of the
 * level polynomial P + (1 - e^(i theta)) Q, R - 1 = P / Q. */
#pragma once

#include "area/exact_method.h"
#include "area/real_roots.h"

typedef struct level_curves {
    int radicand;         /* D of the coefficients' sqrt D (area/surd.h) */
    int degree;           /* the larger degree of P and Q */
    surd_poly P, Q;       /* R - 1 = P / Q */
    surd_poly growth;     /* |P + Q|^2 - |Q|^2 at z = iy, a polynomial in v = y^2 */
    bool axis;            /* growth = 0: the imaginary axis is one of the curves */
    real_roots crossings; /* v at which curves cross the imaginary axis */
} level_curves;

/* [out] curves: to be cleared in any case. Returns false if memory is exhausted. */
bool level_curves_init(level_curves *curves, const costab_method *method);
void level_curves_clear(level_curves *curves);

/* The level polynomial at theta = 0 (end 0) or pi (end 1): P, or P + 2Q. */
void level_polynomial_at_end(const level_curves *curves, int end, surd_poly *N);

/* An open interval of the real axis with |R| < 1. Ends are indices of roots; -1 represents -infinity, the
 * number of roots +infinity. */
typedef struct stable_interval {
    int from, to;
    bool positive; /* it is right of 0 */
} stable_interval;

enum { STABLE_INTERVALS_MAX = 6 * COSTAB_STAGES_MAX + 2 };

/* Finds all intervals. [in, out] roots: initialised; then the ends of the intervals. Returns the number of
 * intervals, -1 if memory is exhausted. */
int level_curves_stable_intervals(const level_curves *curves, real_roots *roots, stable_interval *intervals);

/* Computes the area of complex pairs as integrals over the curves (docs/explanation/algorithms.md, Areas of
 * the simulation), in one pass: areas[0] over curves with x > 0 (US), areas[1] over curves with x < 0 (SS),
 * as far as `wanted`. With sufficient working precision the larger area has about `bits` correct bits; the
 * balls show the actual error. An area is exactly 0 without curves on that side. Returns false if curves
 * could not be separated. [out] areas: 2, initialised. */
bool level_curves_integrals(level_curves *curves, const bool wanted[2], slong bits, slong precision,
                            arb_ptr areas);
