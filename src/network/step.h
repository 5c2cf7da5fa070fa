/* network/step.h - one macro step on columns of doubles. */
#pragma once

#include "network/program.h"

/* One macro step of `width` columns (both halves of complex ones): next = step(state). Both `size` rows. */
costab_status work_step(costab_network_work *work, int64_t index, int width, const double *state,
                        double *next, costab_error *error);

/* With hooks, after a step from `state`: what connection c delivered to its target at the target's local end.
 */
double work_delivered(const costab_network_work *work, int c, const double *state);
/* The same over the target's whole step: coefficients of the powers of local time. */
void work_delivered_polynomial(const costab_network_work *work, int c, const double *state,
                               double u[MATRIX_POWERS]);

/* I - D L0 factored: the loop of feedthrough and connections without delay between active subsystems. */
costab_status step_make_loop(costab_network_work *work, costab_error *error);

/* One part of a step: up to the signals at its begin, the guess of the first sweep, one sweep, what is
 * remembered. state NULL: 0. The new states stand in `next`. */
typedef enum step_part { PART_BEGIN, PART_GUESS, PART_SWEEP, PART_KEEP } step_part;
costab_status step_run(costab_network_work *work, step_part part, int width, const double *state,
                       double *next, costab_error *error);
