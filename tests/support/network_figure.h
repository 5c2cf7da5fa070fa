/* network_figure.h - figures of networks, for tests. */
#ifndef TEST_NETWORK_FIGURE_H
#define TEST_NETWORK_FIGURE_H

#include "plot/network.h"
#include "support.h"

/* Makes the figure that the spec of the results asks for. */
costab_status figure_make(const costab_results *results, text *script, text *data, costab_error *error);

/* Makes the figure with each of its allocations failing in turn; whatever is not reported fails the test. */
void figure_fail_allocations(costab_results *results);

#endif
