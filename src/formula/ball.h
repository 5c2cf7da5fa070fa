/* formula/ball.h - values and derivatives of formulas (formula/formula.h) in balls, with proved errors.
 */
#pragma once

#include "base/flint.h"
#include "formula/formula.h"

/* The real cell that arguments off the real axis belong to: where on it the argument of abs, min, max, sign,
 * rint or atan2 has one side, that side is continued to the complex plane. */
typedef struct formula_cell {
    acb_srcptr values, local; /* real balls of the parameters and local variables */
    acb_ptr value;            /* [out] the expression on the cell; at an open kink the hull of both sides */
    bool undefined;           /* [out] a root, logarithm or quotient has no real value anywhere on the cell */
} formula_cell;

/* [out] value: a ball that holds the expression's value for all parameters and local variables in the balls
 * given, and derivative (NULL: not wanted) one that holds its derivative by the local variable `by`. A
 * decimal in the expression counts as the double that it rounds to, as everywhere else in costab. Where an
 * argument is not real, finite results also say that the expression is analytic on the balls: at a kink or a
 * branch cut (abs, min, max, sign, rint, sqrt, log, ... there) they are not finite. cell: decides the sides
 * of kinks; NULL: the balls themselves do. false: memory is out. */
bool formula_ball(const formula_tape *tape, acb_srcptr values, acb_srcptr local, formula_cell *cell, int by,
                  slong precision, acb_t value, acb_ptr derivative);
