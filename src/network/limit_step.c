/* The stable intervals of the macro step itself. */
#include "base/error.h"
#include "costab/network.h"

typedef struct scan {
    costab_network_work *work;
    const costab_network *network;
    costab_coupling coupling;
} scan;

static costab_status at_macro_step(void *context, double value, costab_network_point *point,
                                   costab_error *error) {
    scan *s = (scan *)context;
    s->coupling.macro_step = value;
    return costab_network_analyse(s->work, s->network, &s->coupling, point, error);
}

costab_status costab_network_limit_macro_step(const costab_network *network, const costab_coupling *coupling,
                                              const costab_limit_options *options,
                                              costab_stable_interval *intervals, size_t capacity,
                                              size_t *count, costab_error *error) {
    scan s = {.network = network, .coupling = *coupling};
    costab_limit_options chosen = *options;
    *count = 0;
    if (!(options->lower > 0))
        return error_set(error, COSTAB_INVALID, "a macro step is positive: begin above 0, not at %g",
                         options->lower);
    chosen.converged = coupling->scheme == COSTAB_ITERATED && coupling->iterations == 0;
    chosen.unit = 0;
    costab_status status = COSTAB_OK;
    if (coupling->micro_steps == COSTAB_WHOLE)
        status = costab_network_macro_unit(network, &chosen.unit, error);
    if (status == COSTAB_OK) status = costab_network_work_create(&s.work, error);
    if (status == COSTAB_OK)
        status = costab_network_limit(&chosen, at_macro_step, &s, intervals, capacity, count, error);
    costab_network_work_destroy(&s.work);
    return status;
}
