/* planar/area_quick_curves.h - the curves R(z) = L, |L| = 1, of an explicit method in pairs of doubles, and
 * the integral of area_simulation.c over them. */
#ifndef PLANAR_AREA_QUICK_CURVES_H
#define PLANAR_AREA_QUICK_CURVES_H

#include <complex.h>
#include <stdbool.h>

#include "costab/method.h"
#include "planar/area_pair.h"

#undef I /* FLINT has parameters of that name */

/* f = f[0] R, and R's roots at the level computed last: at first, numbers of their magnitude. */
typedef struct quick_curves {
    int degree;
    area_pair f[COSTAB_STAGES_MAX + 1];
    double complex z[COSTAB_STAGES_MAX];
} quick_curves;

typedef struct pair_complex {
    area_pair re, im;
} pair_complex;

/* f(z) and f'(z), each known to its size[]. */
void quick_curves_evaluate(const quick_curves *curves, pair_complex z, pair_complex value[2], double size[2]);

/* Areas of US and SS. */
typedef struct quick_halves {
    area_pair value[2];
    double error[2];
    bool some[2];
} quick_halves;

/* Part of [0, 1], over which no curve crosses the imaginary axis; how far each end may be off. side: 1, or -1
 * for the other half of the angles. */
typedef struct quick_panel {
    int side;
    area_pair from, to;
    double off[2];
} quick_panel;

/* Adds the integral over a panel, to `tolerance` and rounding; false where it is left in doubt. [in, out]
 * curves: their roots. */
bool quick_curves_add(quick_curves *curves, const quick_panel *panel, double tolerance, quick_halves *area);

#endif
