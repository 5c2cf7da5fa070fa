/* proof/ball_neutral.h - equilibria in balls, set aside exactly.
 *
 * Where all numbers of the subsystems and connections are exact and none varies, the null space of A_mono is
 * found over the rationals. Each x* in it is a fixed point z* of every coupling's map (and of BALL_SYSTEM's
 * matrix), with what is remembered there: inputs u*, outputs y*, no slopes. Where the coupling keeps the
 * rigid motions that begin at them (ball_motion.h) their vectors come to these. With the rows p in which the
 * vectors are the unit matrix, and the others r, the other eigenvalues are those of M_rr - Z_r M_pr. */
#pragma once

#include "proof/ball_step.h"

/* Finds the equilibria at the numbers at hand, into the network. None where a number is not exact: whoever
 * calls has what varies in wide balls. */
void ball_neutral_find(ball_network *network);
void ball_neutral_free(ball_network *network);

/* The matrix of a step, or that of BALL_SYSTEM, without the equilibria: the states come first in both. */
void ball_neutral_reduce(const ball_stepper *st, acb_mat_t matrix);
