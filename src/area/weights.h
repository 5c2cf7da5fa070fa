/* area/weights.h - weights of a macro step in balls. */
#pragma once

#include "area/stability.h"

/* R, phi, P0 and P1 of some micro steps. */
typedef struct ball_weights {
    arb_t R, phi, p0, p1;
} ball_weights, ball_weights_t[1];

void ball_weights_init(ball_weights *w);
void ball_weights_clear(ball_weights *w);
FLINT_LOCAL(ball_weights)

/* The method in exact numbers, for one micro step; must be cleared with method_exact_clear in any case.
 * Leaves `exact` unchanged for the method `exact`. Returns false if memory is exhausted. */
bool weights_method(const costab_method *method, method_exact *exact);

/* w := the weights at z of a macro step of `substeps` micro steps. */
void weights_at(const costab_method *method, const method_exact *exact, int substeps, const fmpq_t z,
                slong precision, ball_weights *w);

/* The double nearest to a ball known to BALL_ENOUGH bits; 0 within 2^-1000 of 0; infinite beyond the largest
 * double. Returns false if a higher precision may help. */
enum { BALL_ENOUGH = 64 };
bool ball_to_double(const arb_t ball, double *value);
