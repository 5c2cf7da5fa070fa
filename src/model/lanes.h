/* model/lanes.h - the numbers of a model for a batch of parameter sets (base/lanes.h).
 *
 * Some parameters move, like the axes of a sweep; all others are those of the instance. The numbers are
 * written directly into the matrices of the network's kernels. */
#pragma once

#include "model/body.h"
#include "network/batch.h"

/* Largest number of moving parameters. */
enum { MODEL_LANES_PARAMETERS = 64 };

typedef struct model_lanes model_lanes;

/* Requires an instance with numbers that outlives the lanes and keeps its other parameters. count: at most
 * MODEL_LANES_PARAMETERS. width: of the batches. [out] *lanes: NULL if the model has FMUs, with slow
 * measurements; free with model_lanes_destroy. May return COSTAB_MEMORY. */
costab_status model_lanes_create(costab_model_instance *instance, const int *parameters, int count, int width,
                                 model_lanes **lanes, costab_error *error);
void model_lanes_destroy(model_lanes **lanes);

/* Returns the array for the values of the parameters, `width` for each in turn. */
double *model_lanes_values(model_lanes *lanes);

/* Computes all affected numbers; may leave the instance at any of the values. Returns false if a number is
 * not finite or out of range, or if counts, delays or options of couplings differ between lanes. Such points
 * must be evaluated one by one. */
bool model_lanes_update(model_lanes *lanes);

/* Returns the numbers, with the macro steps of coupling c. */
const network_numbers *model_lanes_numbers(model_lanes *lanes, int c);
