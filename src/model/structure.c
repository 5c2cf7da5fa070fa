/* Finds the structural modes of a model: equilibria and rigid motions that exist for all values of its
 * parameters (docs/explanation/algorithms.md, Structural modes).
 * 1. Present values: if the equations at rest are clearly regular, there are none.
 * 2. Two draws of all relevant parameters, from a fixed seed: (a) the present values times 2^-1 to 2^1; (b)
 *    2^-1 to 2^1 with the sign of the present value, so that different magnitudes cannot hide a small number.
 *    A 0 becomes a number of either sign. If the model cannot be evaluated there, values within 10 %, then 1
 *    % of the present ones are drawn.
 * 3. Result: the smaller numbers of equilibria and motions of both draws. The rank of the equations is
 *    largest at almost all values, so accidental zeros of the present values do not count.
 * Measured maps (FMUs for co-simulation): only the macro step is drawn, first as its double and triple, which
 * suits solvers with their own steps. A mode 1 at all macro steps is structural. Each single subsystem is
 * treated alike. If nothing is left to analyse at the present values, the same draws show if this holds for
 * all values. Nameless numbers (literals, files, FMUs) keep their values.
 * Cost: two updates and singular values, only if the present values do not decide. Limitation: formulas with
 * branches of different rank; FMU modes caused by present parameter values. */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/instance.h"
#include "network/network.h"

enum { DRAWS = 2, ATTEMPTS = 3 };

/* SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, 2014): uniform in [-1, 1). */
static double uniform(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-52 - 1;
}

/* Returns a replacement for `value`, depending on the draw and the attempt. */
static double drawn(double value, int draw, int attempt, uint64_t *state) {
    static const double shares[ATTEMPTS] = {0, 0.1, 0.01};
    double factor = exp2(uniform(state)), share = shares[attempt] * uniform(state);
    double sign = value < 0 || (value == 0 && uniform(state) < 0) ? -1 : 1;
    if (attempt > 0) return value == 0 ? share : value * (1 + share);
    return draw == 0 && value != 0 ? value * factor : sign * factor;
}

bool model_ignore(void *context, const model_set *uses, const model_place *place, const char *what,
                  const char *reason) {
    (void)context, (void)uses, (void)place, (void)what, (void)reason;
    return false;
}

bool costab_model_instance_measures(const costab_model_instance *instance, int parameter) {
    const model_body *body = instance->model->body;
    model_set moving = model_moving(instance, &parameter, 1);
    for (int s = 0; s < body->subsystem_count; s++)
        if (body->subsystems[s].sampled && model_set_meets(&body->subsystems[s].uses, &moving)) return true;
    return false;
}

/* Draws all independent parameters that affect the network. Counts stay integers. */
static void draw_parameters(costab_model_instance *instance, const double *present, int draw, int attempt,
                            uint64_t *state) {
    const costab_model *model = instance->model;
    for (int i = 0; i < model->parameter_count; i++) {
        bool free = !model->parameters[i].derived || instance->fixed[i];
        bool measured = free && costab_model_instance_measures(instance, i),
             step = model_instance_is_step(instance, i);
        if (!free || (measured ? !step : !costab_model_instance_shapes(instance, i))) continue;
        bool counts = costab_model_instance_counts(instance, i);
        instance->values[i] = measured && attempt == 0 ? (2 + draw) * present[i]
                              : counts                 ? present[i] + round(2 + uniform(state))
                                                       : drawn(present[i], draw, attempt, state);
        model_set_add(&instance->changed, i);
    }
}

static costab_network alone(const costab_network *network, int subsystem) {
    return (costab_network){.subsystem_count = 1, .subsystems = &network->subsystems[subsystem]};
}

/* Lowers all structures to those of the present numbers. */
static costab_status lower(const costab_network *network, costab_structure *structures, costab_error *error) {
    for (int k = 0; k <= network->subsystem_count; k++) {
        costab_structure found;
        if (structures[k].equilibria == 0) continue;
        const costab_network of = k == 0 ? *network : alone(network, k - 1);
        costab_status status = costab_network_structure(&of, &found, error);
        if (status == COSTAB_MEMORY) return status;
        if (found.equilibria > structures[k].equilibria) continue;
        bool fewer = found.equilibria < structures[k].equilibria;
        if (fewer || found.motions < structures[k].motions) structures[k] = found;
    }
    return COSTAB_OK;
}

/* Evaluates the model at a draw. Returns false if all attempts fail. */
static bool evaluate(costab_model_instance *instance, const double *present, int draw, uint64_t *state) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        draw_parameters(instance, present, draw, attempt, state);
        if (model_instance_evaluate(instance, model_ignore, NULL)) return true;
    }
    return false;
}

/* Restores the present values; the next update applies them. */
static void restore(costab_model_instance *instance, const double *present) {
    for (int i = 0; i < instance->model->parameter_count; i++) {
        if (memcmp(&instance->values[i], &present[i], sizeof *present) == 0) continue;
        instance->values[i] = present[i];
        model_set_add(&instance->changed, i);
    }
}

costab_status model_structure_find(costab_model_instance *instance, costab_error *error) {
    const costab_network *network = &instance->network;
    costab_structure *structures = instance->structures;
    size_t count = (size_t)instance->model->parameter_count;
    costab_status failure = instance->failure, status;
    uint64_t state = 1;
    memory_local_array(double, present, count + 1, error);
    memcpy(present, instance->values, count * sizeof *present);
    for (int k = 0; k <= network->subsystem_count; k++) structures[k] = (costab_structure){INT_MAX, INT_MAX};
    TRY(lower(network, structures, error));
    bool any = false, evaluated = true;
    for (int k = 0; k <= network->subsystem_count; k++) any = any || structures[k].equilibria > 0;
    for (int draw = 0; draw < DRAWS && any && evaluated; draw++) {
        evaluated = evaluate(instance, present, draw, &state);
        status = evaluated ? lower(network, structures, error) : COSTAB_OK;
        if (status) return status;
    }
    for (int k = 0; k <= network->subsystem_count && !evaluated; k++) structures[k] = (costab_structure){0};
    restore(instance, present);
    instance->failure = failure;
    instance->network.structure = structures;
    return COSTAB_OK;
}

costab_status costab_model_instance_update(costab_model_instance *instance, costab_error *error) {
    TRY(model_instance_update(instance, error));
    if (!instance->structure_outdated) return COSTAB_OK;
    instance->structure_outdated = false;
    /* The model had no numbers when it was read. */
    if (instance->model->body->structures == NULL) TRY(costab_network_check(&instance->network, error));
    TRY(model_structure_find(instance, error));
    return model_instance_update(instance, error);
}

costab_status costab_model_instance_create(const costab_model *model, costab_model_instance **instance,
                                           costab_error *error) {
    costab_status status = model_instance_make(model, instance, error);
    if (*instance == NULL) return status;
    status = costab_model_instance_update(*instance, error);
    if (status) costab_model_instance_destroy(instance);
    return status;
}

/* ---- Nothing to analyse ---- */

/* Determines if nothing is left to analyse at a draw. */
static costab_status vacuous_at(costab_model_instance *instance, costab_network_work *work,
                                const costab_coupling *choices, bool *vacuous, costab_error *error) {
    costab_network_point point;
    costab_status status = costab_network_analyse(work, &instance->network, choices, &point, NULL);
    *vacuous = false;
    return status == COSTAB_MEMORY ? error_memory(error)
           : status                ? COSTAB_OK
                                   : costab_network_vacuous(work, vacuous, error);
}

static costab_status refuse_vacuous(int removed, costab_error *error) {
    if (removed == 0)
        return error_invalid(error,
                             "nothing to analyse: all eigenvalues of the macro step's map are 0, because "
                             "nothing at its end depends on its start; connect a loop, or a subsystem "
                             "with states");
    return error_invalid(error,
                         "nothing to analyse: after %d structural mode%s (equilibria and rigid motions) no "
                         "mode is left, because nothing feeds back to a state; connect a loop",
                         removed, removed == 1 ? "" : "s");
}

costab_status costab_model_instance_check_modes(costab_model_instance *instance, costab_network_work *work,
                                                const costab_coupling *choices, bool *moved,
                                                costab_error *error) {
    size_t count = (size_t)instance->model->parameter_count;
    int removed = costab_network_removed(work);
    costab_status failure = instance->failure, status = COSTAB_OK;
    uint64_t state = 1;
    bool vacuous;
    *moved = false;
    TRY(costab_network_vacuous(work, &vacuous, error));
    if (!vacuous) return COSTAB_OK;
    memory_local_array(double, present, count + 1, error);
    memcpy(present, instance->values, count * sizeof *present);
    *moved = true;
    for (int draw = 0; draw < DRAWS && vacuous && !status; draw++) {
        bool evaluated = evaluate(instance, present, draw, &state);
        vacuous = false;
        if (evaluated) status = vacuous_at(instance, work, choices, &vacuous, error);
    }
    restore(instance, present);
    instance->failure = failure;
    if (!status) status = model_instance_update(instance, error);
    return status || !vacuous ? status : refuse_vacuous(removed, error);
}
