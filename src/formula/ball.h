/* formula/ball.h - values and derivatives of formulas (formula/formula.h) in ball arithmetic, with proved
 * error bounds; for min and max on a cell up to an overlap of 2^-26 of a radius (ball.c). */
#pragma once

#include "base/flint.h"
#include "formula/formula.h"

/* A box of real values to which complex arguments belong. If the argument of abs, min, max, sign, rint or
 * atan2 is on one side of its kink on the whole box, that side is continued analytically to the complex
 * plane. */
typedef struct formula_cell {
    acb_srcptr values, local; /* real balls of the parameters and local variables */
    acb_ptr value;            /* [out] the expression on the box; at an undecided kink the hull of both
                               * sides */
    bool undefined;           /* [out] a root, logarithm or quotient is undefined on the whole box; false
                               * does not mean that all are defined */
} formula_cell;

/* Evaluates an expression for all parameters and local variables in given balls. [out] value: a ball that
 * contains all its values; derivative (may be NULL): a ball that contains the derivative by the local
 * variable `by`. precision: in bits. Decimals denote their nearest doubles, as everywhere in costab. For
 * complex arguments, finite results imply that the expression is analytic on the balls; at kinks and branch
 * cuts (abs, min, max, sign, rint, sqrt, log, ...) results are not finite. cell: decides the sides of kinks;
 * NULL: the balls decide. Returns false if memory is exhausted. */
bool formula_ball(const formula_tape *tape, acb_srcptr values, acb_srcptr local, formula_cell *cell, int by,
                  slong precision, acb_t value, acb_ptr derivative);
