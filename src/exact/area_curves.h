/* exact/area_curves.h - the curves |R(z)| = 1 of a stability function, and what they enclose. */
#pragma once

#include "exact/real_roots.h"
#include "exact/stability.h"

/* R - 1 = P / Q of one micro step. */
typedef struct area_curves {
    int root, degree; /* of the larger one of P and Q */
    surd_poly P, Q;
    surd_poly growth; /* |P + Q|^2 - |Q|^2 on the imaginary axis, in v = y^2 */
    bool axis;        /* it vanishes: the imaginary axis is one of the curves */
    real_roots crossings;
} area_curves;

/* [out] curves: clear them in any case. False where memory is out. */
bool area_curves_init(area_curves *curves, const costab_method *method);
void area_curves_clear(area_curves *curves);

/* An open interval of the real axis where |R| < 1; an end is the number of a root, or -1 or the number of
 * roots. */
typedef struct area_interval {
    int from, to;
    bool positive;
} area_interval;

enum { AREA_INTERVALS_MAX = 6 * COSTAB_STAGES_MAX + 2 };

/* All of them: those where -2 < P / Q < 0. [in, out] roots: initialised, their ends then. Returns their
 * number, -1 where memory is out. */
int area_curves_intervals(const area_curves *curves, real_roots *roots, area_interval *intervals);

/* The integrals of area_simulation.c over the curves with x > 0 (US) and x < 0 (SS), those that are wanted:
 * both in one pass, to about `bits` bits of the larger one where the precision is enough for that: the balls
 * say how well they are known. One is 0 exactly where no curve runs there. False where the curves could not
 * be told apart. [out] areas: 2, initialised. */
bool area_curves_integrals(area_curves *curves, const bool wanted[2], slong bits, slong precision,
                           arb_ptr areas);
