#include "study/moves.h"

#include "base/error.h"

static bool any(const double *values, int count) {
    for (int i = 0; i < count && values != NULL; i++)
        if (values[i] != 0) return true;
    return false;
}

costab_status study_check_moves(const costab_model_instance *instance, costab_error *error) {
    const costab_network *network = costab_model_instance_network(instance);
    bool moves = network->source_count > 0;
    for (int s = 0; s < network->subsystem_count && !moves; s++) {
        const costab_subsystem *subsystem = &network->subsystems[s];
        bool linear;
        costab_status status = costab_model_instance_linear(instance, s, &linear, error);
        if (status) return status;
        moves = !linear || subsystem->stepper != NULL || any(subsystem->x0, subsystem->states);
    }
    if (moves) return COSTAB_OK;
    return error_set(error, COSTAB_INVALID,
                     "nothing moves: all initial values are 0 and there is no source, so that every value "
                     "stays 0, and every error; give a subsystem x0, or the model sources");
}
