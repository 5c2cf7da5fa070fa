/* proof/ball_advance.h - one subsystem over a macro step, in balls. */
#ifndef PROOF_BALL_ADVANCE_H
#define PROOF_BALL_ADVANCE_H

#include "proof/ball_map.h"

/* x at the end of the macro step from x and the coefficients U_0 .. U_degree of its input, a polynomial in
 * the macro step's own time from 0 to 1. [out] advance: states x (states + inputs (degree + 1)), initialised
 * by the caller. false: an implicit method's stages cannot be solved for on these balls. */
bool ball_advance(const ball_subsystem *subsystem, int degree, const acb_t macro_step, slong precision,
                  acb_mat_t advance);

/* Rows of `to` from `first` on: the matrix times the rows of `from` from `begin` on; with `add` added to what
 * stands there. The two may be one matrix if the rows differ. */
void ball_multiply_rows(const acb_mat_t matrix, const acb_mat_t from, int begin, int first, bool add,
                        slong precision, acb_mat_t to);

#endif
