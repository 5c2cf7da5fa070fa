/* spec/model_balls.h - the numbers of a model in ball arithmetic.
 *
 * A number written in a file counts as the double that it rounds to, as everywhere in costab; what
 * expressions make of it is enclosed by balls. */
#pragma once

#include "base/flint.h"
#include "costab/model.h"

typedef struct model_balls model_balls;

/* Takes the model and the parameters of an instance as of its last update; the parameters whose numbers are
 * in parameters[0 .. count) will vary. Both are borrowed and must outlive the balls. COSTAB_INVALID where
 * what varies decides a whole number (micro steps, delays, sweeps), the length of a micro step, or an
 * operating point that was solved for. [out] *balls: free with model_balls_destroy. */
costab_status model_balls_create(const costab_model_instance *instance, const int *parameters, int count,
                                 model_balls **balls, costab_error *error);
void model_balls_destroy(model_balls **balls);

/* Computes all numbers with the varying parameters in the balls `at` (count entries), real or complex. Where
 * they are not real, finite numbers are analytic on the balls. false: memory is out. */
bool model_balls_update(model_balls *balls, acb_srcptr at, slong precision);

/* The numbers from a slot on (model_body.h); NULL for -1, a slot that there is not. Borrowed until the next
 * update. */
acb_srcptr model_balls_slots(const model_balls *balls, int slot);
