/* network/dead_history.h - the solution of a linear continuous system with dead time. */
#pragma once

#include "network/dead_time.h"

typedef struct dead_history dead_history;

/* Starts at t = 0 with the states z. Before, all outputs have the constant values that they have at t = 0
 * with dead times left out. `work` is prepared for the network and stays so. [in] *made: NULL; [out] free
 * with dead_history_free, also after an error. Errors as dead_time_make; COSTAB_NUMERIC also if the initial
 * outputs have no solution. */
costab_status dead_history_make(dead_history **made, costab_network_work *work, const double *z,
                                costab_error *error);
void dead_history_free(dead_history *history);

/* Computes states and inputs at time t, at or after the previous t. COSTAB_NUMERIC if the solution overflows
 * or changes too fast, COSTAB_MEMORY. */
costab_status dead_history_to(dead_history *history, double t, double *z, double *u, costab_error *error);
