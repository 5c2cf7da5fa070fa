/* planar/critical_quick.h - critical values without FLINT, which takes longer to load than the ordinary ones
 * take to compute.
 *
 * The same places in a, kinds between them and points kept at them as in critical.c: polynomials, their
 * common divisors and multiple roots in GMP's integers, resultants modulo primes, order and signs by doubles
 * whose rounding is bounded. Rows are those of row_kinds.h, and in integers where these leave a doubt. */
#ifndef PLANAR_CRITICAL_QUICK_H
#define PLANAR_CRITICAL_QUICK_H

#include "planar/critical_events.h"

/* All events in the range, where the search is to be complete. [in, out] events: none. [out] *decided: false
 * where something is left in doubt, and where this way does not go: micro steps, tableaux with irrational
 * functions or without exact entries, degrees too high. COSTAB_MEMORY; COSTAB_CANCELLED. */
costab_status critical_quick(const costab_planar *planar, const costab_critical_options *options,
                             critical_events *events, bool *decided, costab_error *error);

#endif
