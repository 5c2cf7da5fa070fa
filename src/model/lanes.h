/* model/lanes.h - the numbers of a model at a batch of sets of parameters (base/lanes.h).
 *
 * Some parameters move, as the axes of a sweep do, all others stand as in the instance. The numbers go
 * straight into the matrices that the network's kernels read. */
#pragma once

#include "model/body.h"
#include "network/batch.h"

/* Number of parameters that may move. */
enum { MODEL_LANES_PARAMETERS = 64 };

typedef struct model_lanes model_lanes;

/* For an instance that has its numbers and outlives the lanes, and whose other parameters stay. count: up to
 * MODEL_LANES_PARAMETERS. width: of the batches. [out] *lanes: NULL if the model has subsystems of other
 * programs, whose numbers take long to measure; free with model_lanes_destroy. COSTAB_MEMORY. */
costab_status model_lanes_create(costab_model_instance *instance, const int *parameters, int count, int width,
                                 model_lanes **lanes, costab_error *error);
void model_lanes_destroy(model_lanes **lanes);

/* Places for the values of the parameters: `width` for each, one after the other. */
double *model_lanes_values(model_lanes *lanes);

/* Computes what the values move; the instance may afterwards stand at any of them. Returns false if a number
 * is not finite or out of its range, or if counts, delays or choices of couplings differ between the lanes:
 * such points are to be evaluated one by one. */
bool model_lanes_update(model_lanes *lanes);

/* The numbers, with the macro steps of coupling c. */
const network_numbers *model_lanes_numbers(model_lanes *lanes, int c);
