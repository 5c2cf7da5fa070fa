/* The least common multiple of micro steps of fixed length, of which a macro step is a whole multiple.
 *
 * 1. Each one's ratio to the smallest one as a fraction p/q in lowest terms (clock_fraction).
 * 2. The multiple is the smallest one times the lcm of all p.
 *
 * Refused: ratios without a q up to COSTAB_CLOCK_PARTS, and a lcm above COSTAB_SUBSTEPS_MAX. */
#include <math.h>

#include "base/error.h"
#include "base/text.h"
#include "network/clock.h"
#include "network/network.h"

costab_status costab_network_macro_unit(const costab_network *network, double *unit, costab_error *error) {
    int64_t multiple = 1;
    double smallest = (double)INFINITY;
    *unit = 0;
    TRY(costab_network_check(network, error));
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *subsystem = &network->subsystems[s];
        if (subsystem->substeps == 0) smallest = fmin(smallest, subsystem->step);
    }
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *subsystem = &network->subsystems[s];
        if (subsystem->substeps > 0) continue;
        int64_t p, q;
        bool found = clock_fraction(subsystem->step / smallest, COSTAB_CLOCK_PARTS, &p, &q);
        if (found) multiple = clock_lcm(multiple, p, COSTAB_SUBSTEPS_MAX);
        char shown[2][NUMBER_SHOWN_MAX];
        if (!found || multiple == 0)
            return error_invalid(error,
                                 "the steps %s and %s of the subsystems have no common multiple "
                                 "within %d steps: take micro_steps: clocks or real-power, or substeps",
                                 number_shortest(smallest, shown[0]),
                                 number_shortest(subsystem->step, shown[1]), COSTAB_SUBSTEPS_MAX);
    }
    if (isfinite(smallest)) *unit = smallest * (double)multiple;
    return COSTAB_OK;
}
