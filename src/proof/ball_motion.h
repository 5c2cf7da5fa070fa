/* proof/ball_motion.h - rigid motions over the rationals, and which couplings keep them.
 *
 * Where A_mono x* = 0 and A_mono x1 = x* the continuous system drifts from x1 at the speed x*. A coupling
 * that reproduces straight lines on time has the drift as well: with the states z1 and z* of its map, M z1 =
 * z1 + P H z*, P macro steps being a period. So M has the eigenvalue 1 twice, whatever H. */
#pragma once

#include "proof/ball_map.h"

/* Does it reproduce straight lines on time for sure? Connections without delay, all polynomials in use of
 * order 1 or more, no area correction, no clocks of their own, methods whose tableaux are exact and have rows
 * that add up to c. */
bool ball_keeps_lines(const ball_network *network);

/* Adds the motions that begin at the columns of `null_space` (all x modes), to be freed and made anew with
 * them. equations: all x all, what it solves; its first `states` rows are x' = 0, its last `states` columns
 * x. [out] velocity: of the same shape as the null_space, 0 where nothing moves; rows: `states` places, of
 * which the first ones are filled with the states in which the columns are the unit matrix. Returns their
 * number; initialises velocity, whatever there is. */
slong ball_motion_add(const fmpq_mat_t equations, slong states, fmpq_mat_t null_space, fmpq_mat_t velocity,
                      int *rows);
