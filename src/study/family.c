/* A model's parameters as a family for proof, and the values of a macro step that micro steps of fixed length
 * allow. */
#include "study/variant.h"

costab_coupling study_coupling_at(const costab_model_instance *instance, int own,
                                  const costab_coupling *choices) {
    const costab_coupling *model = costab_model_instance_coupling(instance, own >= 0 ? own : 0);
    costab_coupling coupling = own >= 0 ? *model : *choices;
    coupling.macro_step = model->macro_step;
    coupling.micro_steps = model->micro_steps;
    return coupling;
}

costab_status costab_study_family_set(const costab_study_family *family, const double *values,
                                      costab_coupling *coupling, costab_error *error) {
    for (int i = 0; i < family->count; i++)
        costab_model_instance_set(family->instance, family->parameters[i], values[i]);
    costab_status status = costab_model_instance_update(family->instance, error);
    if (!status) *coupling = study_coupling_at(family->instance, family->own, family->choices);
    return status;
}

static costab_status at(void *context, const double *values, unsigned wanted, costab_family_point *point,
                        costab_error *error) {
    const costab_study_family *family = context;
    costab_coupling coupling;
    costab_status status = costab_study_family_set(family, values, &coupling, error);
    if (status) return status;
    const costab_network *network = costab_model_instance_network(family->instance);
    return costab_network_family_point(family->work, network, &coupling, wanted, point, error);
}

costab_family costab_study_family_of(costab_study_family *family) {
    return (costab_family){.at = at, .context = family};
}

/* ---- Places ---- */

/* The macro step at a value of the parameter, and the sum of all micro steps of fixed length. */
static costab_status steps_at(const costab_study_family *family, double value, costab_coupling *coupling,
                              double *steps, costab_error *error) {
    costab_status status = costab_study_family_set(family, &value, coupling, error);
    if (status) return status;
    const costab_network *network = costab_model_instance_network(family->instance);
    *steps = 0;
    for (int i = 0; i < network->subsystem_count; i++)
        *steps += network->subsystems[i].substeps > 0 ? 0 : network->subsystems[i].step;
    return COSTAB_OK;
}

costab_status costab_study_places(const costab_study_family *family, const double range[2], double **places,
                                  size_t *count, int *denominator, costab_error *error) {
    costab_coupling coupling;
    double steps, later, low = range[0] > 0 ? range[0] : range[1] / 2, first;
    *places = NULL;
    *count = 0;
    *denominator = 1;
    costab_status status = steps_at(family, low, &coupling, &steps, error);
    first = coupling.macro_step;
    if (status) return status;
    status = steps_at(family, range[1], &coupling, &later, error);
    if (status || first != low || coupling.macro_step != range[1] || steps != later) return status;
    return costab_limit_places(costab_model_instance_network(family->instance), &coupling, range, places,
                               count, denominator, error);
}
