/* model/numbers.h - a model in which every number of the network is a parameter. */
#pragma once

#include "costab/model.h"

typedef struct model_with_numbers model_with_numbers;

/* Makes a model equal to `model` in which each number that the file writes into the network is a parameter of
 * its own, behind those of `model`: entries of matrices, gains, delays in seconds, operating points, numbers
 * that FMUs start with, and decimals in formulas; a formula without variables, such as 1/3, is one number.
 * Zeros, counts, whole exponents (2 in v^2), start values of simulations, and numbers of couplings and
 * solvers remain constants. `model` is borrowed and must outlive the result. [out] *made: free with
 * model_with_numbers_free. COSTAB_INVALID if there are more than COSTAB_PARAMETERS_MAX numbers. */
costab_status model_with_numbers_make(const costab_model *model, model_with_numbers **made,
                                      costab_error *error);
void model_with_numbers_free(model_with_numbers **freed);

/* Returns the model, which belongs to `made`. */
const costab_model *model_with_numbers_model(const model_with_numbers *made);
