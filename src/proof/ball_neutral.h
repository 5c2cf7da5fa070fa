/* proof/ball_neutral.h - equilibria in balls, set aside exactly.
 *
 * Where all numbers of the subsystems and connections are exact and none varies, the null space of A_mono is
 * found over the rationals. Each x* in it is a fixed point z* of every coupling's map (and of BALL_SYSTEM's
 * matrix), with what is remembered there: inputs u*, outputs y*, no slopes. With the rows p in which the
 * vectors are the unit matrix, and the others r, the other eigenvalues are those of M_rr - Z_r M_pr.
 *
 * Where A_mono x* = 0 and A_mono x1 = x* the continuous system drifts from x1 at the speed x*: a rigid
 * motion. A coupling that reproduces straight lines on time has the drift as well: with the states z1 and z*
 * of its map, M z1 = z1 + P H z*, P macro steps being a period. So M has the eigenvalue 1 twice, whatever H,
 * and z1 comes to the vectors. */
#pragma once

#include "proof/ball_step.h"

/* Finds the equilibria at the numbers at hand, into the network. None where a number is not exact: whoever
 * calls has what varies in wide balls. */
void ball_neutral_find(ball_network *network);
void ball_neutral_free(ball_network *network);

/* The matrix of a step, or that of BALL_SYSTEM, without the equilibria: the states come first in both. false:
 * memory is out. */
bool ball_neutral_reduce(const ball_stepper *st, acb_mat_t matrix);
