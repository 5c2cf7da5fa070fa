/* network/step.h - one macro step on columns of doubles. */
#pragma once

#include "network/program.h"
#include "network/work.h"

/* ---- Maps ---- */

/* A product over many macro steps is scaled by a power of 2 if its norm leaves 1/MAP_SCALE_LIMIT to
 * MAP_SCALE_LIMIT. */
#define MAP_SCALE_LIMIT 0x1p200

/* Computes work->map: the steps of one period on the unit states, times 2^-exponent. [out] iteration_radius:
 * the largest over the period; NaN unless the scheme is iterated. Errors as work_step. */
costab_status map_make(costab_network_work *work, double *iteration_radius, long *exponent,
                       costab_error *error);

/* Splits a complex work->map into work->map_real and work->map_imaginary. */
void map_split(costab_network_work *work);

/* Takes one macro step of `width` columns (counting both halves of complex rows): next = step(state), `size`
 * rows each. Errors as program_select, iterate_step, step_make_loop and those of hooks. */
costab_status work_step(costab_network_work *work, int64_t index, int width, const double *state,
                        double *next, costab_error *error);

/* Signal delivered by connection c at its target's local end, after a step from `state` with hooks. */
double work_delivered(const costab_network_work *work, int c, const double *state);
/* Coefficients of this signal over the target's step in powers of local time. */
void work_delivered_polynomial(const costab_network_work *work, int c, const double *state,
                               double u[MATRIX_POWERS]);

/* Factors I - D L0, the feedthrough loop of connections without delay and dead time between active
 * subsystems. COSTAB_INVALID if it is singular. */
costab_status step_make_loop(costab_network_work *work, costab_error *error);

/* Parts of a step: up to the signals at its start; the initial iterate; one sweep; the new history values.
 * state: NULL for a zero state. [out] next: the new state. */
typedef enum step_part { PART_BEGIN, PART_GUESS, PART_SWEEP, PART_KEEP } step_part;
costab_status step_run(costab_network_work *work, step_part part, int width, const double *state,
                       double *next, costab_error *error);
