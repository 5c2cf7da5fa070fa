/* A model's parameter as a family of maps (costab/limit.h), for complete searches: computes the network, its
 * coupling and the matrices at a value of the parameter. For a single subsystem (`alone`) the network is that
 * subsystem without connections, under jacobi. */
#include "analysis/analysis.h"
#include "analysis/variant.h"
#include "base/error.h"
#include "limit/limit.h"
#include "model/instance.h"
#include "model/resolve.h"

/* Number of values at which numbers without a formula are compared with their interpolants (model_resolve).
 */
enum { COMPARED = 1000 };

costab_coupling analysis_coupling_at(const costab_model_instance *instance, int own,
                                     const costab_coupling *choices) {
    const costab_coupling *model = costab_model_instance_coupling(instance, own >= 0 ? own : 0);
    costab_coupling coupling = own >= 0 ? *model : *choices;
    coupling.macro_step = model->macro_step;
    coupling.micro_steps = model->micro_steps;
    return coupling;
}

costab_coupling analysis_family_coupling(const analysis_family *family) {
    costab_coupling coupling = analysis_coupling_at(family->instance, family->own, family->choices);
    if (family->alone == 0) return coupling;
    return (costab_coupling){
        .scheme = COSTAB_JACOBI, .macro_step = coupling.macro_step, .micro_steps = coupling.micro_steps};
}

costab_status analysis_family_set(const analysis_family *family, double value, costab_coupling *coupling,
                                  costab_error *error) {
    costab_model_instance_set(family->instance, family->parameter, value);
    TRY(costab_model_instance_update(family->instance, error));
    *coupling = analysis_family_coupling(family);
    return COSTAB_OK;
}

costab_network analysis_family_network(const analysis_family *family) {
    const costab_network *network = costab_model_instance_network(family->instance);
    if (family->alone == 0) return *network;
    return costab_model_instance_alone(family->instance, family->alone - 1);
}

static costab_status at(void *context, double value, unsigned wanted, costab_family_point *point,
                        costab_error *error) {
    const analysis_family *family = context;
    costab_coupling coupling;
    TRY(analysis_family_set(family, value, &coupling, error));
    costab_network network = analysis_family_network(family);
    return network_family_point(family->work, &network, &coupling, wanted, point, error);
}

static double stored(void *context, double value) {
    const analysis_family *family = context;
    costab_coupling coupling;
    if (analysis_family_set(family, value, &coupling, NULL) != COSTAB_OK) return 0;
    costab_network network = analysis_family_network(family);
    return network_family_stored(family->work, &network, &coupling);
}

static costab_status divide(void *context, const double range[2], first_cells *cells, costab_error *error) {
    const analysis_family *family = context;
    return model_resolve(family->instance, family->parameter, range, COMPARED, cells, error);
}

costab_status analysis_family_divide_formulas(void *context, const double range[2], first_cells *cells,
                                              costab_error *error) {
    const analysis_family *family = context;
    return model_resolve(family->instance, family->parameter, range, 0, cells, error);
}

costab_family analysis_family_of(analysis_family *family) {
    return (costab_family){.at = at, .context = family, .divide = divide, .stored = stored};
}
