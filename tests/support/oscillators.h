/* oscillators.h - a made-up family of macro steps H: damped oscillations, of which limits are known. */
#pragma once

#include "costab/limit.h"

enum { OSCILLATORS_MAX = 60 };

/* The map of H turns oscillation number k by (1 + stiffer k) H and shrinks it by exp(-r H). */
typedef struct oscillators {
    int count;
    double stiffer;
    double rate[OSCILLATORS_MAX], slope[OSCILLATORS_MAX]; /* r is rate + slope H, except on an island */
    /* Where depth is not 0, r of the first is depth ((H - at)^2 - half^2): it grows where |H - at| < half. */
    double at, half, depth;
    double noise; /* of the map: costab_matrix.noise */
} oscillators;

/* A costab_family's `at`; context: an oscillators. All share one map: not for threads. */
costab_status on_oscillators(void *context, double value, unsigned wanted, costab_family_point *point,
                             costab_error *error);
