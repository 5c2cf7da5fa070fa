/* network/exchange.h - the polynomials of connections. */
#pragma once

#include "network/work.h"

/* A delay in seconds as a number of macro steps of one length: rounded up, but for the rounding of its input.
 */
double exchange_whole_delay(double seconds, double macro_step);

/* work->delays: whole macro steps. COSTAB_INVALID where there are too many. */
costab_status exchange_delays(costab_network_work *work, costab_error *error);

/* Does the target of connection c see its source's new value at macro step n, at which it exchanges? */
bool exchange_known(const costab_network_work *work, int c, int64_t n);

/* The first guess of an iteration's sweeps. */
void exchange_guess(const costab_network_work *work, polynomial_rule *rule);

/* The polynomial of connection c at macro step n, at which its target exchanges; *shift is added to the
 * nodes' `back` (0 or more); `reach` is without what a delay in seconds adds after unlike steps. `held` asks
 * for what it brings to the step's begin, whatever is known by then: the extrapolation, not smoothed, of
 * weights the newest value; its value at s = 0 is meant. */
void exchange_rule(const costab_network_work *work, int c, int64_t n, bool held, polynomial_rule *rule,
                   int *shift);
