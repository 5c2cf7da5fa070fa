/* network_figure.h - figures of networks, for tests. */
#ifndef TEST_NETWORK_FIGURE_H
#define TEST_NETWORK_FIGURE_H

#include "plot/network.h"
#include "support.h"

/* Makes the figure with each of its allocations failing in turn; whatever is not reported fails the test. */
void figure_fail_allocations(costab_results *results);

#endif
