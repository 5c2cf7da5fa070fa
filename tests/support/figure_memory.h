/* figure_memory.h - figures of results that a test makes, with and without enough memory. */
#pragma once

#include "figure/figure.h"
#include "support.h"

/* Writes a results file, opens it, and leaves nothing of it on disk. */
costab_results *figure_results(const costab_plan *plan, const costab_evaluator *evaluator,
                               const char *spec_text);

/* Makes the figure that the spec of the results asks for. */
costab_status figure_of(const costab_results *results, text *script, text *data, costab_error *error);

/* Does this for results that can be drawn, and closes them. */
void figure_draw(costab_results *results, text *script, text *data);

/* Makes the figure with one in five of its allocations failing in turn, with EFFORT=10 each; whatever is not
 * reported fails the test. */
void figure_fail_allocations(costab_results *results);
