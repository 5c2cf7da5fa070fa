/* network/exchange.h - the polynomials of connections. */
#pragma once

#include "network/work.h"

/* Converts a delay in seconds to macro steps of equal length, rounded up except for the rounding of its
 * input. */
double exchange_whole_delay(double seconds, double macro_step);

/* Whole macro steps of a dead time given in macro steps; a value within rounding of a multiple is that
 * multiple. */
int exchange_dead_steps(double dead);

/* Sets work->delays and work->dead in macro steps, and work->uneven_times. COSTAB_INVALID if a delay or a
 * dead time has too many macro steps, or if a dead time is shorter than a macro step and feedthrough is
 * solved. */
costab_status exchange_delays(costab_network_work *work, costab_error *error);

/* Returns true if the target of connection c uses its source's new value at macro step n, at which it
 * exchanges. */
bool exchange_known(const costab_network_work *work, int c, int64_t n);

/* Returns true if solved outputs at the start of macro step n take the signal of connection c as given: it is
 * late, or its source does not exchange. */
bool exchange_given(const costab_network_work *work, int c, int64_t n);

/* Polynomial of the initial iterate of an iteration. */
void exchange_guess(const costab_network_work *work, polynomial_rule *rule);

/* Polynomial of connection c at macro step n, at which its target exchanges. [out] *shift: to be added to the
 * nodes' `back`, 0 or more; `reach` excludes the history that a delay in seconds adds after unequal steps.
 * held: gives the input at the start of the step (s = 0). The polynomial then extrapolates even if a new
 * value will be known, is not smoothed, and takes the newest value instead of weights. */
void exchange_rule(const costab_network_work *work, int c, int64_t n, bool held, polynomial_rule *rule,
                   int *shift);
