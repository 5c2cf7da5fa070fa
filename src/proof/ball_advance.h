/* proof/ball_advance.h - one subsystem over a macro step, in balls. */
#pragma once

#include "proof/ball_map.h"

/* Rows that a method carries from step to step beside the states: accelerations of generalized alpha, the
 * states before of BDF2. */
int ball_carried(const ball_subsystem *subsystem);

/* States and what the method carries at the end of a step of this length, from both at its begin and the
 * coefficients U_0 .. U_degree of its input, a polynomial in the step's own time from 0 to 1. [out] advance:
 * rows x (rows + inputs (degree + 1)), initialised by the caller. false: an implicit method's stages cannot
 * be solved for on these balls, or the micro steps are not a whole number. */
bool ball_advance(const ball_subsystem *subsystem, int degree, const acb_t length, slong precision,
                  acb_mat_t advance);
/* The same with the outputs' integrals as further states, by a one-step method. */
bool ball_advance_means(const ball_subsystem *subsystem, int degree, const acb_t length, slong precision,
                        acb_mat_t advance);

/* One micro step of a solver that is not exact: the first rows of the block on states, what is carried and
 * V_0
 * .. V_degree, the input's coefficients in the micro step's own time. `block` is the unit matrix before. */
bool ball_solver_step(const ball_subsystem *subsystem, int degree, const acb_t h, slong precision,
                      acb_mat_t block);

/* Rows of `to` from `first` on: the matrix times the rows of `from` from `begin` on; with `add` added to what
 * stands there. The two may be one matrix if the rows differ. */
void ball_multiply_rows(const acb_mat_t matrix, const acb_mat_t from, int begin, int first, bool add,
                        slong precision, acb_mat_t to);
