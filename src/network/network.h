/* network/network.h - functions of networks and couplings for other modules. */
#pragma once

#include "costab/modes.h"
#include "costab/network.h"

/* ---- Delays without effect on stability ---- */

/* Copies the network's connections to the workspace and shortens longer delays and dead times to a delay of
 * one macro step: those of connections outside loops, or `all` except dead times in loops. The stability of
 * the continuous system does not depend on them. The map keeps its nonzero eigenvalues unless `all` is true.
 * [out] *shortened: the network itself, or with connections borrowed until the next call. COSTAB_MEMORY. */
costab_status short_delays(costab_network_work *work, const costab_network *network, double macro_step,
                           bool all, costab_network *shortened, costab_error *error);

/* Number of values stored by the longest delay of each signal, summed over all signals. */
double short_delays_stored(const costab_network *network, double macro_step);

/* ---- Other functions ---- */

/* COSTAB_INVALID unless the derivative of every paired position is its velocity. */
costab_status network_check_pairs(const costab_subsystem *subsystem, costab_error *error);

/* Writes a name that costab_coupling_find accepts in its present form: -linear for the older suffix
 * -extrapolated; jacobi, gauss-seidel-linear and iterated-linear for cross, zigzag and strong. [out] *plain:
 * free with memory_free. */
costab_status costab_coupling_plain_name(const char *name, char **plain, costab_error *error);

/* Appends options as keys of a file: "scheme: jacobi, smoothed: true". These are the scheme, the options by
 * name that differ from their defaults, `iterations: newton` and `smoothed`. Other numbers and the order are
 * left out. */
struct text;
void costab_coupling_put_keys(const costab_coupling *c, struct text *t);

/* Returns true if the network has a discrete-time subsystem. */
bool network_is_sampled_data(const costab_network *network);

/* Finds the times of samples. [out] grain: greatest common divisor of all sample times, in seconds; span:
 * their least common multiple in grains; both 0 without discrete-time subsystems. COSTAB_INVALID if the
 * sample times have no common multiple. */
costab_status network_sample_times(const costab_network *network, double *grain, int64_t *span,
                                   costab_error *error);

/* Returns COSTAB_INVALID if the network has a discrete-time subsystem. what: the rejected option; why: the
 * reason. */
costab_status network_refuse_sampled_data(const costab_network *network, const char *what, const char *why,
                                          costab_error *error);

/* Returns true if a connection has dead time. */
bool network_has_dead_time(const costab_network *network);

/* Like network_refuse_sampled_data, for a connection with dead time. */
costab_status network_refuse_dead_time(const costab_network *network, const char *what, const char *why,
                                       costab_error *error);

/* Returns true if inputs keep their values between exchanges. */
bool costab_coupling_holds(const costab_network *network, const costab_coupling *coupling);

/* [out] *vacuous: true if the continuous system is unknown or has no state besides the removed modes, and the
 * map of the last point has no nonzero eigenvalue besides those of the removed modes. False if the coupling
 * iterates or the map is complex. COSTAB_MEMORY. */
costab_status costab_network_vacuous(const costab_network_work *work, bool *vacuous, costab_error *error);

/* Returns true if a subsystem has micro steps of fixed length; with `samples`, also if a subsystem is
 * discrete-time. */
bool network_has_steps(const costab_network *network, bool samples);

/* The unit of macro steps under COSTAB_WHOLE, in seconds: the least common multiple of the micro steps of
 * fixed length, each divided by its subsystem's stride. Sample times count only if there are no such micro
 * steps. 0 if every subsystem has `substeps`. COSTAB_INVALID if a common multiple would be too large, and as
 * costab_network_check. */
costab_status costab_network_macro_unit(const costab_network *network, double *unit, costab_error *error);
