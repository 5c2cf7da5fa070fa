/* network/network.h - functions of networks and couplings for other modules. */
#pragma once

#include "costab/modes.h"
#include "costab/network.h"

/* ---- Delays that do not decide about stability ---- */

/* Makes a copy of the network's connections in the workspace in which delays are one macro step: with `all`
 * every delay of one macro step or more, otherwise those of connections that close no loop. The eigenvalues
 * of the map are the same but for zeros; those of the continuous system do not depend on delays. Borrowed:
 * *shortened, until the next call. COSTAB_MEMORY. */
costab_status short_delays(costab_network_work *work, const costab_network *network, double macro_step,
                           bool all, costab_network *shortened, costab_error *error);

/* Returns how many values the longest delay of each signal stores, over all signals. */
double short_delays_stored(const costab_network *network, double macro_step);

/* ---- Numbers that a model sets ---- */

/* Whether the derivative of every position is its velocity, for states that are paired. COSTAB_INVALID. */
costab_status network_check_pairs(const costab_subsystem *subsystem, costab_error *error);

/* Like costab_network_modes, without the links of connections: connections is 0. */
costab_status costab_network_modes_shared(const costab_network *network, const costab_coupling *coupling,
                                          costab_modes_of of, int most, costab_modes *modes,
                                          costab_error *error);

/* Writes a name that costab_coupling_find accepts in its present form: -linear for the older word
 * -extrapolated; jacobi, gauss-seidel-linear and iterated-linear for cross, zigzag and strong. [out] *plain:
 * free with memory_free. */
costab_status costab_coupling_plain_name(const char *name, char **plain, costab_error *error);

/* Returns true if inputs keep their values between exchanges. */
bool costab_coupling_holds(const costab_network *network, const costab_coupling *coupling);

/* [out] *vacuous: true if nothing of the last point is left to analyse, that is if the continuous system has
 * no state besides the removed modes and the map no eigenvalue other than 0. With an iteration in the map it
 * is false. COSTAB_MEMORY. */
costab_status costab_network_vacuous(const costab_network_work *work, bool *vacuous, costab_error *error);

/* The unit of macro steps under COSTAB_WHOLE: the least common multiple of the micro steps; 0 if every
 * subsystem has `substeps`. COSTAB_INVALID if a common multiple would be too large. */
costab_status costab_network_macro_unit(const costab_network *network, double *unit, costab_error *error);
