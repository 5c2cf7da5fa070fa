/* analysis/delays.h - warnings of delays in seconds that are rounded up to macro steps. */
#pragma once

#include "costab/analysis.h"
#include "costab/spec.h"

/* Values of a parameter; all others stay constant. */
typedef struct parameter_values {
    int parameter;
    const double *values;
    size_t count;
} parameter_values;

/* Appends to spec->warnings one line for each connection with a delay in seconds that is not a multiple of a
 * coupling's macro step at the parameters of `asked`. If a parameter of `lists` changes the ratio of the two,
 * the line names its value with the largest growth of the delay, and is omitted if the delay is a multiple at
 * all values. asked->model is the spec's model. May return COSTAB_MEMORY. */
costab_status analysis_warn_of_delays(costab_spec *spec, const costab_variant *asked,
                                      const parameter_values *lists, int count, costab_error *error);
