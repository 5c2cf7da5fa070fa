/* model/numbers.h - a model with a parameter for every number of the network. */
#pragma once

#include "costab/model.h"

typedef struct model_with_numbers model_with_numbers;

/* Copies `model` with an additional parameter for each number of the network: entries of matrices, gains,
 * delays in seconds, operating points, start values of FMUs, and decimals in formulas. A formula without
 * variables, such as 1/3, is one number. Constants remain: zeros, counts, integer exponents (2 in v^2), start
 * values of simulations, and numbers of couplings and solvers. `model` is borrowed and must outlive the
 * result. [out] *made: free with model_with_numbers_free, also after an error. COSTAB_INVALID above
 * COSTAB_PARAMETERS_MAX numbers and parameters, COSTAB_MEMORY. */
costab_status model_with_numbers_make(const costab_model *model, model_with_numbers **made,
                                      costab_error *error);
void model_with_numbers_free(model_with_numbers **freed);

/* Returns the model, owned by `made`. */
const costab_model *model_with_numbers_model(const model_with_numbers *made);
