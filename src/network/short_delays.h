/* network/short_delays.h - delays that do not decide about stability, made short. */
#pragma once

#include "costab/network.h"

/* Makes a copy of the network's connections in the workspace in which delays are one macro step: with `all`
 * every delay of one macro step or more, otherwise those of connections that close no loop. The eigenvalues
 * of the map are the same but for zeros; those of the continuous system do not depend on delays. Borrowed:
 * *shortened, until the next call. COSTAB_MEMORY. */
costab_status short_delays(costab_network_work *work, const costab_network *network, double macro_step,
                           bool all, costab_network *shortened, costab_error *error);

/* Returns how many values the longest delay of each signal stores, over all signals. */
double short_delays_stored(const costab_network *network, double macro_step);
