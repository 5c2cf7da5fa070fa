/* model/lanes.h - the numbers of a model at eight sets of parameters, in lanes (base/lanes.h).
 *
 * Some parameters move, as the axes of a sweep do, all others stand as in the instance. Formulas are
 * evaluated once for eight points, straight into the matrices that the network's kernels read. */
#pragma once

#include "model/body.h"
#include "network/batch.h"

typedef struct model_lanes model_lanes;

/* For an instance that has its numbers and outlives the lanes, and whose other parameters stay. count: up to
 * COSTAB_SPEC_AXES_MAX. [out] *lanes: NULL where the parameters move more than entries of the matrices of
 * linear subsystems, gains and macro steps; free with model_lanes_destroy. COSTAB_MEMORY. */
costab_status model_lanes_create(const costab_model_instance *instance, const int *parameters, int count,
                                 model_lanes **lanes, costab_error *error);
void model_lanes_destroy(model_lanes **lanes);

/* Places for the values of the parameters: LANES for each, one after the other. */
double *model_lanes_values(model_lanes *lanes);

/* Computes what the values move. False where a number is not finite or out of its range: such points are to
 * be evaluated one by one. */
bool model_lanes_update(model_lanes *lanes);

/* The numbers, with the macro steps of coupling c. */
const network_numbers *model_lanes_numbers(model_lanes *lanes, int c);
