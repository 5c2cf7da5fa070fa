/* figure_memory.h - figures without enough memory, for tests. */
#pragma once

#include "figure/figure.h"
#include "support.h"

/* Makes the figure that the spec of the results asks for. */
costab_status figure_of(const costab_results *results, text *script, text *data, costab_error *error);

/* Makes the figure with each of its allocations failing in turn; whatever is not reported fails the test. */
void figure_fail_allocations(costab_results *results);
