/* area/level_curves.h - the level curves |R(z)| = 1 of the stability function of one micro step, which bound
 * the set where |R| < 1. By the angle theta of R they are the curves R(z) = e^(i theta), the roots z(theta)
 * of the level polynomial P + (1 - e^(i theta)) Q, where R - 1 = P / Q. */
#pragma once

#include "area/real_roots.h"
#include "area/stability.h"

typedef struct level_curves {
    int root;             /* D of the coefficients' sqrt D (area/surd.h) */
    int degree;           /* the larger one of those of P and Q */
    surd_poly P, Q;       /* R - 1 = P / Q */
    surd_poly growth;     /* |P + Q|^2 - |Q|^2 at z = iy, a polynomial in v = y^2 */
    bool axis;            /* growth = 0: the imaginary axis is one of the curves */
    real_roots crossings; /* the v at which curves cross the imaginary axis */
} level_curves;

/* [out] curves: clear them in any case. False where memory is out. */
bool level_curves_init(level_curves *curves, const costab_method *method);
void level_curves_clear(level_curves *curves);

/* The level polynomial at theta = 0 (end 0) or pi (end 1): P, or P + 2Q. */
void level_polynomial_at_end(const level_curves *curves, int end, surd_poly *N);

/* An open interval of the real axis where |R| < 1. An end is the number of a root; -1 stands for -infinity,
 * the number of all roots for +infinity. */
typedef struct stable_interval {
    int from, to;
    bool positive; /* it lies right of 0 */
} stable_interval;

enum { STABLE_INTERVALS_MAX = 6 * COSTAB_STAGES_MAX + 2 };

/* Finds all of them. [in, out] roots: initialised; then the ends of the intervals. Returns the number of
 * intervals, -1 where memory is out. */
int level_curves_stable_intervals(const level_curves *curves, real_roots *roots, stable_interval *intervals);

/* The area of complex pairs as integrals over the curves (docs/explanation/algorithms.md, Areas of the
 * simulation): areas[0] over those with x > 0 (US), areas[1] over those with x < 0 (SS), as far as `wanted`.
 * Both come from one pass. The larger one is known to about `bits` bits if the working precision is enough;
 * the balls tell. An area is exactly 0 where no curve runs on that side. False where the curves could not be
 * told apart. [out] areas: 2, initialised. */
bool level_curves_integrals(level_curves *curves, const bool wanted[2], slong bits, slong precision,
                            arb_ptr areas);
