/* analysis/delays.h - warnings of delays in seconds that are rounded up to whole macro steps. */
#pragma once

#include "costab/analysis.h"
#include "costab/spec.h"

/* Values that a parameter takes while all others stay as they are. */
typedef struct study_values {
    int parameter;
    const double *values;
    size_t count;
} study_values;

/* Appends to spec->warnings one line for each connection whose delay in seconds is no multiple of the macro
 * step of a coupling, at the parameters of `asked`. If a parameter of `lists` moves the ratio of the two, the
 * line names that value of it at which the delay grows by the largest factor, and there is none if the
 * delay is a multiple at all values. asked->model is the spec's model. COSTAB_MEMORY. */
costab_status study_warn_of_delays(costab_spec *spec, const costab_variant *asked, const study_values *lists,
                                   int count, costab_error *error);
