#include "study/moves.h"

#include "base/error.h"
#include "base/memory.h"

static bool any(const double *values, int count) {
    for (int i = 0; i < count && values != NULL; i++)
        if (values[i] != 0) return true;
    return false;
}

/* Whether f or g of a nonlinear subsystem is other than 0 where all is 0. */
static costab_status drives(const costab_subsystem *s, bool *moves, costab_error *error) {
    size_t most = (size_t)s->states + (size_t)s->inputs + (size_t)s->outputs + 1;
    double *zero = memory_alloc(2 * most, sizeof *zero), *out = zero + most;
    costab_error why;
    if (zero == NULL) return error_memory(error);
    costab_status status = s->dynamics->f(s->dynamics->context, 0, zero, zero, out, &why);
    *moves = status != COSTAB_OK || any(out, s->states); /* what is not defined at 0 is none of ours */
    if (!*moves) status = s->dynamics->g(s->dynamics->context, 0, zero, zero, out, &why);
    *moves = *moves || status != COSTAB_OK || any(out, s->outputs);
    memory_free(zero);
    return COSTAB_OK;
}

costab_status study_check_moves(const costab_network *network, costab_error *error) {
    bool moves = network->source_count > 0;
    for (int s = 0; s < network->subsystem_count && !moves; s++) {
        const costab_subsystem *subsystem = &network->subsystems[s];
        moves = subsystem->stepper != NULL || any(subsystem->x0, subsystem->states);
        if (moves || subsystem->dynamics == NULL) continue;
        costab_status status = drives(subsystem, &moves, error);
        if (status) return status;
    }
    if (moves) return COSTAB_OK;
    return error_set(error, COSTAB_INVALID,
                     "nothing moves: all initial values are 0 and there is no source, so that every value "
                     "stays 0, and every error; give a subsystem x0, or the model sources");
}
