/* exact/formula_ball.h - values and derivatives of formulas (formula/formula.h) in balls, with proved errors.
 */
#pragma once

#include "base/flint.h"
#include "formula/formula.h"

/* [out] value: a ball that holds the expression's value for all parameters and local variables in the balls
 * given, and derivative (NULL: not wanted) one that holds its derivative by the local variable `by`. A
 * decimal in the expression counts as the double that it rounds to, as everywhere else in costab. Where an
 * argument is not real, finite results also say that the expression is analytic on the balls: at a kink or a
 * branch cut (abs, min, max, sign, rint, sqrt, log, ... there) they are not finite. false: memory is out. */
bool formula_ball(const formula_tape *tape, acb_srcptr values, acb_srcptr local, int by, slong precision,
                  acb_t value, acb_ptr derivative);
