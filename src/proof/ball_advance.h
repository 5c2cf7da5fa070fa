/* proof/ball_advance.h - one subsystem over one step in ball arithmetic: its state at the end as a matrix
 * times its state at the begin and the coefficients of its input (docs/algorithms.md, Ball proofs).
 *
 * The input over a step is the polynomial u(s) = U_0 + U_1 s + .. + U_degree s^degree, s from 0 at the begin
 * to 1 at the end; each U_l has one number per input. Matrices have a column for each state, then for each
 * value that the method carries, then for each input of U_0, of U_1 and so on. */
#pragma once

#include "proof/ball_map.h"

/* The number of values that a method carries from one micro step to the next beside the states: accelerations
 * of generalized alpha, earlier states of BDF2; 0 for one-step methods. */
int ball_carried(const ball_subsystem *subsystem);

/* A macro step of the real or complex length `length`, in all its micro steps. [out] advance: rows x (rows +
 * inputs (degree + 1)), rows = states + ball_carried, initialised by the caller; its balls hold the true
 * entries for all numbers in the balls of subsystem and length. False: an implicit method's stages cannot be
 * shown to be solvable on these balls, the micro steps are not known, or memory is out. */
bool ball_advance(const ball_subsystem *subsystem, int degree, const acb_t length, slong precision,
                  acb_mat_t advance);
/* The same for a one-step method with the time integrals of the outputs as further states behind the others:
 * rows = states + outputs. */
bool ball_advance_means(const ball_subsystem *subsystem, int degree, const acb_t length, slong precision,
                        acb_mat_t advance);

/* Whether there is ball arithmetic for a method. */
bool ball_solver_knows(const costab_method *method);
/* One micro step of length h of a solver that is not exact; the input's polynomial is that of the micro step.
 * [in, out] block: the unit matrix of order rows + inputs (degree + 1), of which the first `rows` rows are
 * written. False: as for ball_advance. */
bool ball_solver_step(const ball_subsystem *subsystem, int degree, const acb_t h, slong precision,
                      acb_mat_t block);

/* Multiplies rows: row first + r of `to` becomes the sum over i of matrix[r][i] times row begin + i of
 * `from`; with `add` the sum is added to what stands there. `from` and `to` may be one matrix if the rows
 * differ. */
void ball_multiply_rows(const acb_mat_t matrix, const acb_mat_t from, int begin, int first, bool add,
                        slong precision, acb_mat_t to);
