/* Determines if any state changes during a simulation.
 * 1. A source, an FMU with its own solver, or a model with events counts as motion.
 * 2. If all subsystems are linear: any nonzero initial value counts as motion.
 * 3. With equations: computes the inputs from the initial values through all connections, in one round more
 *    than there are subsystems, then the derivatives, at four times.
 * 4. A derivative counts as motion if it exceeds 64 roundings of the terms of its linearisation.
 * Cost: at each time N + 1 evaluations of all outputs of N subsystems, and one of the derivatives.
 * Limitation: time-dependent equations with derivative 0 at these four times count as resting, linear systems
 * in a nonzero equilibrium as moving; loops of feedthrough are not solved. */
#include "analysis/moves.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/body.h"
#include "model/instance.h"
#include "network/dynamics.h"
#include "network/network.h"

static bool any(const double *values, int count) {
    for (int i = 0; i < count && values != NULL; i++)
        if (values[i] != 0) return true;
    return false;
}

/* ---- Equations at rest ---- */

/* Initial values of a network: x, u and y are the states, inputs and outputs of all subsystems in sequence,
 * slope is x'. */
typedef struct start {
    const costab_network *network;
    double *x, *u, *y, *slope;
    double t; /* time of evaluation */
} start;

typedef enum vector { STATES, INPUTS, OUTPUTS } vector;

/* Returns the index of subsystem s's first entry in the vector of all states, inputs or outputs. */
static int offset_of(const costab_network *network, int s, vector of) {
    int sum = 0;
    for (int k = 0; k < s; k++) {
        const costab_subsystem *q = &network->subsystems[k];
        sum += of == STATES ? q->states : of == INPUTS ? q->inputs : q->outputs;
    }
    return sum;
}

/* Computes the inputs from the states, also through feedthrough, in enough rounds for the longest possible
 * chain of subsystems. */
static costab_status find_inputs(const start *at, costab_error *error) {
    const costab_network *n = at->network;
    for (int round = 0; round <= n->subsystem_count; round++) {
        for (int s = 0; s < n->subsystem_count; s++)
            TRY(dynamics_output(&n->subsystems[s], at->t, at->x + offset_of(n, s, STATES),
                                at->u + offset_of(n, s, INPUTS), at->y + offset_of(n, s, OUTPUTS), error));
        memset(at->u, 0, (size_t)offset_of(n, n->subsystem_count, INPUTS) * sizeof *at->u);
        for (int c = 0; c < n->connection_count; c++) {
            const costab_connection *to = &n->connections[c];
            at->u[offset_of(n, to->to, INPUTS) + to->input] +=
                to->gain * at->y[offset_of(n, to->from, OUTPUTS) + to->output];
        }
    }
    return COSTAB_OK;
}

/* Returns the sum of the magnitudes of a row's terms. */
static double amount(const double *row, const double *v, int count) {
    double sum = 0;
    for (int i = 0; i < count && row != NULL; i++) sum += fabs(row[i] * v[i]);
    return sum;
}

/* Determines if a derivative exceeds the rounding errors of its terms. */
static costab_status has_slope(const start *at, int s, bool *has, costab_error *error) {
    const costab_subsystem *q = &at->network->subsystems[s];
    const double *x = at->x + offset_of(at->network, s, STATES),
                 *u = at->u + offset_of(at->network, s, INPUTS);
    TRY(dynamics_slope(q, at->t, x, u, at->slope, error));
    for (int i = 0; i < q->states; i++) {
        double size = amount(q->A + i * q->states, x, q->states) +
                      amount(q->B ? q->B + i * q->inputs : NULL, u, q->inputs);
        if (!(fabs(at->slope[i]) <= 64 * DBL_EPSILON * size)) *has = true;
    }
    return COSTAB_OK;
}

/* Determines if a derivative is nonzero at one of several times, for time-dependent equations. */
static costab_status check_slopes(start *at, bool *moves, costab_error *error) {
    static const double times[] = {0, 0.317, 1.93, 17.1};
    for (size_t k = 0; k < sizeof times / sizeof *times && !*moves; k++) {
        at->t = times[k];
        TRY(find_inputs(at, error));
        for (int s = 0; s < at->network->subsystem_count; s++) TRY(has_slope(at, s, moves, error));
    }
    return COSTAB_OK;
}

static costab_status at_rest(const costab_network *network, bool *moves, costab_error *error) {
    int all = network->subsystem_count, states = offset_of(network, all, STATES),
        inputs = offset_of(network, all, INPUTS);
    size_t count = (size_t)(2 * states + inputs + offset_of(network, all, OUTPUTS)) + 1;
    memory_local_array(double, vectors, count, error);
    start at = {.network = network, .x = vectors};
    at.slope = at.x + states;
    at.u = at.slope + states;
    at.y = at.u + inputs;
    for (int s = 0; s < all; s++) {
        const costab_subsystem *q = &network->subsystems[s];
        if (q->x0 != NULL && q->states > 0)
            memcpy(at.x + offset_of(network, s, STATES), q->x0, (size_t)q->states * sizeof *q->x0);
    }
    return check_slopes(&at, moves, error);
}

costab_status analysis_check_moves(const costab_model_instance *instance, costab_error *error) {
    const costab_network *network = costab_model_instance_network(instance);
    bool moves = network->source_count > 0, linear = true, starts = false;
    for (int s = 0; s < network->subsystem_count && !moves; s++) {
        const costab_subsystem *subsystem = &network->subsystems[s];
        bool is_linear;
        TRY(costab_model_instance_linear(instance, s, &is_linear, error));
        linear = linear && is_linear;
        starts = starts || any(subsystem->x0, subsystem->states);
        const bool events = subsystem->dynamics != NULL && subsystem->dynamics->accept != NULL;
        moves = subsystem->stepper != NULL || events;
    }
    if (moves || (linear && starts)) return COSTAB_OK;
    costab_status status = linear ? COSTAB_OK : at_rest(network, &moves, error);
    if (status || moves) return status;
    return error_invalid(
        error,
        "nothing moves: %s and the model has no source, so that every value stays %s, and every "
        "error 0; give a subsystem %sx0, or the model sources",
        linear ? "all initial values are 0" : "the initial values are an equilibrium of the equations",
        linear ? "0" : "as it is", linear ? "" : "another ");
}

costab_status analysis_check_steps(const costab_model_instance *instance, costab_error *error) {
    const costab_model *model = model_instance_model(instance);
    if (network_is_sampled_data(costab_model_instance_network(instance)))
        return COSTAB_OK; /* refused by all */
    for (int i = 0; i < model->parameter_count; i++)
        if (model_instance_step_moves_more(instance, i))
            return error_invalid(
                error,
                "other numbers than the macro step depend on '%s', too, and would keep their values for %s = %g while the macro steps differ; let them depend on a parameter of their own",
                model->parameters[i].name, model->parameters[i].name,
                costab_model_instance_value(instance, i));
    return COSTAB_OK;
}
