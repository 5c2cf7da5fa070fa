/* Instances: the numbers of a model for one set of parameters. An update recomputes only quantities with
 * changed inputs:
 * 1. Derived parameters in the order of their dependence; an unchanged value stops the propagation.
 * 2. Formulas, each into its slot, with a check of its range.
 * 3. The operating point of the network (rest.c), linearisations there (linearise.c), and measured FMUs
 *    (foreign.c).
 * 4. Scalars are copied into the network's structures; matrices are used in the slots.
 * Cost: one set intersection per unaffected formula. After a failure, the next update completes the remaining
 * work. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/instance.h"
#include "model/rest.h"
#include "network/network.h"

/* ---- Functions of the network ---- */

static double value_of(const costab_model_instance *instance, const formula_tape *tape, const double *local) {
    return formula_value(tape, instance->values, local, instance->scratch);
}

static void set_local(const instance_functions *g, double t, const double *x, const double *u) {
    int n = g->subsystem->states, m = g->subsystem->inputs;
    for (int i = 0; i < n; i++) g->local[i] = x[i];
    for (int i = 0; i < m; i++) g->local[n + i] = u[i];
    g->local[n + m] = t;
}

/* An overflow is not an error here: the simulation detects it and ends. */
static costab_status call_f(void *context, double t, const double *x, const double *u, double *dx,
                            costab_error *error) {
    const instance_functions *g = context;
    (void)error;
    set_local(g, t, x, u);
    for (int i = 0; i < g->subsystem->states; i++)
        dx[i] = value_of(g->instance, &g->subsystem->equations[i].tape, g->local);
    return COSTAB_OK;
}

static costab_status call_g(void *context, double t, const double *x, const double *u, double *y,
                            costab_error *error) {
    const instance_functions *g = context;
    (void)error;
    set_local(g, t, x, u);
    for (int i = 0; i < g->subsystem->outputs; i++)
        y[i] = value_of(g->instance, &g->subsystem->equations[g->subsystem->states + i].tape, g->local);
    return COSTAB_OK;
}

/* Computes the derivatives of an equation with respect to states and inputs, and, in instance->gradient,
 * to t. */
static void take_gradient(const instance_functions *g, int equation, double *by_states, double *by_inputs) {
    int n = g->subsystem->states, m = g->subsystem->inputs;
    const double *gradient = g->instance->gradient;
    (void)formula_gradient(&g->subsystem->equations[equation].tape, g->instance->values, g->local, n + m + 1,
                           g->instance->gradient, g->instance->scratch);
    if (n > 0) memcpy(by_states, gradient, (size_t)n * sizeof *by_states);
    if (m > 0) memcpy(by_inputs, gradient + n, (size_t)m * sizeof *by_inputs);
}

static costab_status call_jacobian(void *context, double t, const double *x, const double *u, double *A,
                                   double *B, costab_error *error) {
    const instance_functions *g = context;
    int n = g->subsystem->states, m = g->subsystem->inputs;
    (void)error;
    set_local(g, t, x, u);
    for (int i = 0; i < n; i++) take_gradient(g, i, A + i * n, B + i * m);
    return COSTAB_OK;
}

static costab_status call_output_jacobian(void *context, double t, const double *x, const double *u,
                                          double *C, double *D, double *rate, costab_error *error) {
    const instance_functions *g = context;
    int n = g->subsystem->states, m = g->subsystem->inputs;
    (void)error;
    set_local(g, t, x, u);
    for (int i = 0; i < g->subsystem->outputs; i++) {
        take_gradient(g, n + i, C + i * n, D + i * m);
        rate[i] = g->instance->gradient[n + m];
    }
    return COSTAB_OK;
}

static double call_source(void *context, double t) {
    const instance_source *source = context;
    return value_of(source->instance, source->tape, &t);
}

static double call_source_slope(void *context, double t) {
    const instance_source *source = context;
    double slope = 0;
    (void)formula_gradient(source->tape, source->instance->values, &t, 1, &slope, source->instance->scratch);
    return slope;
}

/* ---- Making ---- */

static costab_status make_functions(costab_model_instance *instance, costab_error *error) {
    const model_body *body = instance->model->body;
    for (int s = 0; s < body->subsystem_count; s++) {
        const model_subsystem *from = &body->subsystems[s];
        instance_functions *g = &instance->functions[s];
        *g = (instance_functions){.subsystem = from,
                                  .instance = instance,
                                  .dynamics = {g, call_f, call_g, call_jacobian, call_output_jacobian}};
        if (from->equations == NULL && !from->foreign) continue;
        TRY(memory_make(&g->local, (size_t)from->states + (size_t)from->inputs + 1, error));
    }
    for (int i = 0; i < body->source_count; i++)
        instance->sources[i] = (instance_source){instance, &body->sources[i].formula.tape};
    return COSTAB_OK;
}

static costab_status allocate(costab_model_instance *instance, costab_error *error) {
    const costab_model *model = instance->model;
    const model_body *body = model->body;
    TRY(memory_make(&instance->values, (size_t)model->parameter_count + 1, error));
    TRY(memory_make(&instance->fixed, (size_t)model->parameter_count + 1, error));
    TRY(memory_make(&instance->slots, (size_t)body->slot_count + 1, error));
    TRY(memory_make(&instance->owners, (size_t)body->slot_count + 1, error));
    TRY(memory_make(&instance->functions, (size_t)body->subsystem_count + 1, error));
    TRY(memory_make(&instance->sources, (size_t)body->source_count + 1, error));
    TRY(memory_make(&instance->subsystems, (size_t)body->subsystem_count + 1, error));
    TRY(memory_make(&instance->connections, (size_t)body->connection_count + 1, error));
    const size_t sources = (size_t)(body->source_count + model_foreign_inputs(body));
    TRY(memory_make(&instance->source_list, sources + 1, error));
    TRY(memory_make(&instance->couplings, (size_t)model->coupling_count + 1, error));
    TRY(memory_make(&instance->structures, (size_t)body->subsystem_count + 1, error));
    TRY(memory_make(&instance->gradient, 3 * body->longest_row + 1, error));
    return memory_make(&instance->scratch, body->longest_tape + 1, error);
}

static const double *slots_at(const costab_model_instance *instance, int slot) {
    return slot >= 0 ? instance->slots + slot : NULL;
}

/* Returns true if simulations call f and g. The method `exact` replaces an FMU by its linearisation. */
static bool is_nonlinear(const model_subsystem *from) {
    return from->equations != NULL || (from->foreign && !from->sampled && from->method.kind != COSTAB_EXACT);
}

/* Fills the network's structures with pointers to the matrices in the slots. Each update sets the scalars
 * (bind). */
static void fill_network(costab_model_instance *instance) {
    const costab_model *model = instance->model;
    const model_body *body = model->body;
    for (int s = 0; s < body->subsystem_count; s++) {
        const model_subsystem *from = &body->subsystems[s];
        instance->subsystems[s] =
            (costab_subsystem){.name = from->name,
                               .states = from->states,
                               .inputs = from->inputs,
                               .outputs = from->outputs,
                               .state_names = (const char *const *)from->state_names,
                               .input_names = (const char *const *)from->input_names,
                               .output_names = (const char *const *)from->output_names,
                               .A = slots_at(instance, from->A),
                               .B = slots_at(instance, from->B),
                               .C = slots_at(instance, from->C),
                               .D = slots_at(instance, from->D),
                               .rise = slots_at(instance, from->rise),
                               .x0 = slots_at(instance, from->x0),
                               .method = from->method,
                               .pairs = from->pairs,
                               .positions = from->positions,
                               .velocities = from->velocities,
                               .dynamics = is_nonlinear(from) ? &instance->functions[s].dynamics : NULL};
    }
    for (int i = 0; i < body->connection_count; i++) {
        const model_connection *from = &body->connections[i];
        instance->connections[i] = (costab_connection){.from = from->from,
                                                       .output = from->output,
                                                       .to = from->to,
                                                       .input = from->input,
                                                       .gain = 1,
                                                       .extrapolates = from->extrapolates,
                                                       .extrapolation = {.hold = from->hold}};
    }
    for (int i = 0; i < body->source_count; i++)
        instance->source_list[i] = (costab_source){body->sources[i].subsystem, body->sources[i].input,
                                                   &instance->sources[i], call_source, call_source_slope};
    for (int i = 0; i < model->coupling_count; i++) {
        instance->couplings[i] = body->couplings[i].choices;
        instance->couplings[i].order = body->couplings[i].order;
    }
    instance->network = (costab_network){body->subsystem_count,
                                         body->connection_count,
                                         body->bond_count,
                                         body->source_count,
                                         instance->subsystems,
                                         instance->connections,
                                         body->bonds,
                                         instance->source_list,
                                         NULL,
                                         0,
                                         0};
}

static void own(int *owners, int owner, int first, int count) {
    for (int i = 0; i < count && first >= 0; i++) owners[first + i] = owner;
}

static void set_owners(costab_model_instance *instance) {
    const model_body *body = instance->model->body;
    int *owners = instance->owners;
    own(owners, OF_NOTHING, 0, body->slot_count);
    for (int s = 0; s < body->subsystem_count; s++) {
        const model_subsystem *of = &body->subsystems[s];
        int n = of->sampled ? of->states_max : of->states, m = of->inputs, q = of->outputs;
        own(owners, s, of->A, n * n);
        own(owners, s, of->B, n * m);
        own(owners, s, of->C, q * n);
        own(owners, s, of->D, q * m);
        own(owners, s, of->rise, n * m);
        own(owners, OF_STRUCTURE, of->substeps, 1);
        own(owners, OF_STRUCTURE, of->step, 1);
        own(owners, OF_STRUCTURE, of->stride, 1);
    }
    for (int c = 0; c < body->connection_count; c++) {
        own(owners, OF_GAINS, body->connections[c].gain, 1);
        own(owners, OF_STRUCTURE, body->connections[c].delay, 1);
        own(owners, OF_STRUCTURE, body->connections[c].delay_time, 1);
        own(owners, OF_STRUCTURE, body->connections[c].dead_time, 1);
        own(owners, OF_STRUCTURE, body->connections[c].weights, MODEL_WEIGHTS);
    }
    for (int c = 0; c < instance->model->coupling_count; c++) {
        const model_coupling *coupling = &body->couplings[c];
        own(owners, OF_STRUCTURE, coupling->slots, coupling->slots_end - coupling->slots);
        own(owners, OF_NOTHING, coupling->macro_step, 1);
    }
}

/* Returns a version unique among all instances, since a workspace may serve several. A structure has one more
 * version per single subsystem: structure_version + 1 + s. */
static uint64_t new_version(costab_model_instance *instance) {
    uint64_t version = instance->last_version;
    instance->last_version += (uint64_t)instance->model->body->subsystem_count + 1;
    return version;
}

static void change(costab_model_instance *instance, int owner) {
    if (owner == OF_STRUCTURE)
        instance->network.structure_version = new_version(instance);
    else if (owner == OF_GAINS)
        instance->network.gains_version = new_version(instance);
    else if (owner >= 0)
        instance->subsystems[owner].version = new_version(instance);
}

/* Sets the first versions of an instance. */
static void set_versions(costab_model_instance *instance) {
    enum { VERSION_BITS = 44 };
    static _Atomic uint64_t instances;
    instance->last_version = (++instances << VERSION_BITS) + 1;
    for (int owner = OF_STRUCTURE; owner < instance->model->body->subsystem_count; owner++)
        change(instance, owner);
}

costab_status model_instance_make(const costab_model *model, costab_model_instance **instance,
                                  costab_error *error) {
    TRY(memory_make(instance, 1, error));
    costab_model_instance *made = *instance;
    made->model = model;
    costab_status status = allocate(made, error);
    if (!status) status = make_functions(made, error);
    for (int i = 0; i < model->body->slot_count && !status; i++) made->slots[i] = model->body->slots[i];
    if (!status) fill_network(made);
    if (!status) set_owners(made);
    if (!status) set_versions(made);
    if (!status && model->body->solves) status = model_rest_make(made, false, &made->rest, error);
    for (int s = 0; s < model->body->subsystem_count && !status; s++)
        if (model_is_run(model, s)) status = model_open_foreign(made, s, error);
    if (status) costab_model_instance_destroy(instance);
    if (!status) costab_model_instance_reset(made);
    return status;
}

void costab_model_instance_destroy(costab_model_instance **destroyed) {
    if (destroyed == NULL || *destroyed == NULL) return;
    costab_model_instance *instance = *destroyed;
    const model_body *body = instance->model->body;
    for (int s = 0; instance->functions != NULL && s < body->subsystem_count; s++) {
        const instance_functions *g = &instance->functions[s];
        model_close_foreign(instance, s);
        memory_free(g->local);
    }
    model_rest_free(&instance->rest);
    memory_free_all(instance->values, instance->fixed, instance->slots, instance->owners, instance->functions,
                    instance->sources, instance->gradient, instance->scratch, instance->subsystems,
                    instance->connections, instance->source_list, instance->couplings, instance->structures,
                    instance);
    *destroyed = NULL;
}

/* ---- Updating ---- */

/* Returns true if a formula uses a changed parameter. */
static bool is_outdated(const costab_model_instance *instance, const model_set *uses) {
    return instance->fresh || model_set_meets(uses, &instance->changed);
}

/* Compares bits: functions distinguish 0 from -0, and an update must not depend on the previous one. */
static bool same_number(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Checks a new value of a formula against its range. [out] reason: the violated condition. */
static bool check_value(const costab_model_instance *instance, const formula_tape *tape, model_range range,
                        double value, char reason[200]) {
    bool fine = model_in_range(range, value, reason, 200);
    if (!isfinite(value)) formula_not_finite(tape, instance->scratch, reason, 200);
    return fine;
}

static void update_parameters(model_update *u) {
    costab_model_instance *instance = u->instance;
    const model_body *body = instance->model->body;
    for (int k = 0; k < body->derived_count && !u->stopped; k++) {
        int i = body->derived_order[k];
        if (instance->fixed[i] || !is_outdated(instance, &body->derived[i].uses)) continue;
        double value = value_of(instance, &body->derived[i].tape, NULL);
        char reason[200];
        if (!check_value(instance, &body->derived[i].tape, MODEL_ANY, value, reason)) {
            model_set uses = body->derived[i].uses;
            model_set_add(&uses, i);
            model_tell(u, &uses, &body->derived[i].place, body->derived[i].what, reason);
        }
        if (same_number(value, instance->values[i])) continue;
        instance->values[i] = value;
        model_set_add(&instance->changed, i);
    }
}

bool model_is_macro_step(const costab_model *model, int slot) {
    for (int i = 0; i < model->coupling_count; i++)
        if (model->body->couplings[i].macro_step == slot) return true;
    return false;
}

void model_put(costab_model_instance *instance, int slot, double value) {
    bool same = same_number(value, instance->slots[slot]);
    instance->slots[slot] = value;
    if (!same) change(instance, instance->owners[slot]);
}

static void update_slots(model_update *u) {
    costab_model_instance *instance = u->instance;
    const model_body *body = instance->model->body;
    for (int i = 0; i < body->formula_count && !u->stopped; i++) {
        const model_formula *formula = &body->formulas[i];
        if (!is_outdated(instance, &formula->uses)) continue;
        double value = value_of(instance, &formula->tape, NULL);
        model_put(instance, formula->slot, value);
        u->beyond_steps = u->beyond_steps || !model_is_macro_step(instance->model, formula->slot);
        char reason[200];
        if (!check_value(instance, &formula->tape, formula->range, value, reason))
            model_tell(u, &formula->uses, &formula->place, formula->what, reason);
    }
}

static void bind_weights(const costab_model_instance *instance, int slot, double *a0, double *a1, double *b0,
                         double *b1) {
    double *const weights[MODEL_WEIGHTS] = {a0, a1, b0, b1};
    for (int i = 0; i < MODEL_WEIGHTS && slot >= 0; i++) *weights[i] = instance->slots[slot + i];
}

/* Copies scalars into their structures. */
static void bind(costab_model_instance *instance) {
    const costab_model *model = instance->model;
    const model_body *body = model->body;
    instance->version++;
    for (int s = 0; s < body->subsystem_count; s++) {
        const model_subsystem *from = &body->subsystems[s];
        if (from->sampled) {
            instance->subsystems[s].substeps = 0; /* the step is the measured one */
            instance->subsystems[s].stride = model_whole(instance->slots[from->stride]);
            instance->subsystems[s].own_step = from->step >= 0 ? instance->slots[from->step] : 0;
            continue;
        }
        instance->subsystems[s].step = from->step >= 0 ? instance->slots[from->step] : 0;
        instance->subsystems[s].substeps =
            from->substeps >= 0 ? model_whole(instance->slots[from->substeps]) : 0;
        instance->subsystems[s].stride = from->stride >= 0 ? model_whole(instance->slots[from->stride]) : 1;
    }
    model_feed_foreign(instance);
    for (int i = 0; i < body->connection_count; i++) {
        instance->connections[i].gain = instance->slots[body->connections[i].gain];
        instance->connections[i].delay = model_whole(instance->slots[body->connections[i].delay]);
        int seconds = body->connections[i].delay_time;
        instance->connections[i].delay_time = seconds >= 0 ? instance->slots[seconds] : 0;
        int dead = body->connections[i].dead_time;
        instance->connections[i].dead_time = dead >= 0 ? instance->slots[dead] : 0;
        costab_extrapolation *own = &instance->connections[i].extrapolation;
        bind_weights(instance, body->connections[i].weights, &own->a0, &own->a1, &own->b0, &own->b1);
    }
    for (int i = 0; i < model->coupling_count; i++) {
        const model_coupling *from = &body->couplings[i];
        costab_coupling *to = &instance->couplings[i];
        model_coupling_bind(from, instance->slots, to);
        bind_weights(instance, from->weights, &to->a0, &to->a1, &to->b0, &to->b1);
    }
}

static void bind_macro_steps(costab_model_instance *instance) {
    const costab_model *model = instance->model;
    for (int i = 0; i < model->coupling_count; i++)
        instance->couplings[i].macro_step = instance->slots[model->body->couplings[i].macro_step];
}

void costab_model_instance_extrapolate(costab_model_instance *instance, int c,
                                       const costab_extrapolation *by) {
    costab_connection *connection = &instance->connections[c];
    connection->extrapolates = by != NULL;
    connection->extrapolation = by != NULL ? *by : (costab_extrapolation){.hold = COSTAB_CONSTANT};
    instance->version++;
    change(instance, OF_STRUCTURE);
}

/* Linearises subsystems, or measures those with their own steps (`sampled`). */
static void update_subsystems(model_update *u, bool sampled) {
    costab_model_instance *instance = u->instance;
    const model_body *body = instance->model->body;
    for (int s = 0; s < body->subsystem_count && u->succeeded; s++) {
        const model_subsystem *from = &body->subsystems[s];
        if ((from->equations == NULL && !from->foreign) || from->sampled != sampled) continue;
        const bool moved = from->solve && is_outdated(instance, &body->rest_uses);
        if (!moved && !is_outdated(instance, &from->uses)) continue;
        u->beyond_steps = true;
        change(instance, s);
        if (from->foreign)
            change(instance, OF_STRUCTURE); /* the number of states of a measured map may change */
        if (from->foreign)
            model_update_foreign(u, s);
        else
            model_linearise(u, s);
    }
}

/* Checks q' = v for paired states at the present numbers. */
static void check_pairs(model_update *u) {
    const model_body *body = u->instance->model->body;
    for (int s = 0; s < body->subsystem_count && u->beyond_steps && u->succeeded; s++) {
        costab_error error;
        if (body->subsystems[s].foreign && !model_is_run(u->instance->model, s)) continue;
        if (network_check_pairs(&u->instance->subsystems[s], &error) == COSTAB_OK) continue;
        model_set any;
        memset(&any, 0xff, sizeof any);
        model_tell(u, &any, &body->subsystems[s].step_place, "positions, velocities", error.message);
    }
}

bool model_instance_evaluate(costab_model_instance *instance, model_complaint complain, void *context) {
    model_update u = {.instance = instance,
                      .complain = complain,
                      .context = context,
                      .succeeded = true,
                      .beyond_steps = instance->fresh};
    instance->failure = COSTAB_INVALID;
    const model_body *body = instance->model->body;
    update_parameters(&u);
    if (u.succeeded) update_slots(&u);
    /* The outputs of FMUs for co-simulation enter the operating point. */
    update_subsystems(&u, true);
    if (u.succeeded && body->solves && is_outdated(instance, &body->rest_uses)) model_rest_update(&u);
    update_subsystems(&u, false);
    check_pairs(&u);
    if (!u.succeeded) return false;
    if (u.beyond_steps) bind(instance);
    bind_macro_steps(instance);
    memset(&instance->changed, 0, sizeof instance->changed);
    instance->fresh = false;
    return true;
}

const costab_model *model_instance_model(const costab_model_instance *instance) {
    return instance->model;
}

uint64_t model_instance_version(const costab_model_instance *instance) {
    return instance->version;
}

bool model_instance_is_set(const costab_model_instance *instance, int parameter) {
    return instance->fixed[parameter];
}

/* ---- Dependencies ---- */

model_set model_moving(const costab_model_instance *instance, const int *parameters, int count) {
    const model_body *body = instance->model->body;
    model_set moving = {{0}};
    for (int i = 0; i < count; i++) model_set_add(&moving, parameters[i]);
    for (int k = 0; k < body->derived_count; k++) {
        int i = body->derived_order[k];
        if (!instance->fixed[i] && model_set_meets(&body->derived[i].uses, &moving))
            model_set_add(&moving, i);
    }
    return moving;
}

/* Returns true if some parameters affect a slot that is not spared. */
static bool moves_slots(const costab_model *model, const model_set *moving, model_spared *spared) {
    const model_body *body = model->body;
    for (int i = 0; i < body->formula_count; i++)
        if (model_set_meets(&body->formulas[i].uses, moving) && !spared(model, body->formulas[i].slot))
            return true;
    return false;
}

bool model_moves_only(const costab_model *model, const model_set *moving, model_spared *spared) {
    bool others = moves_slots(model, moving, spared) ||
                  (model->body->solves && model_set_meets(&model->body->rest_uses, moving));
    for (int s = 0; s < model->body->subsystem_count; s++) {
        const model_subsystem *from = &model->body->subsystems[s];
        others =
            others || ((from->equations != NULL || from->foreign) && model_set_meets(&from->uses, moving));
    }
    return !others;
}

bool costab_model_instance_shapes(const costab_model_instance *instance, int parameter) {
    model_set moving = model_moving(instance, &parameter, 1);
    return !model_moves_only(instance->model, &moving, model_is_of_solution);
}

bool costab_model_instance_counts(const costab_model_instance *instance, int parameter) {
    const model_body *body = instance->model->body;
    model_set moving = model_moving(instance, &parameter, 1);
    for (int i = 0; i < body->formula_count; i++)
        if (model_is_count(body->formulas[i].range) && model_set_meets(&body->formulas[i].uses, &moving))
            return true;
    return false;
}

/* Returns true if a formula is the parameter itself, or a derived parameter that is. */
static bool is_parameter(const costab_model_instance *instance, const formula_tape *tape, int parameter) {
    if (tape->count != 1 || tape->steps[0].operation != FORMULA_PARAMETER) return false;
    const int index = tape->steps[0].index;
    return index == parameter ||
           (instance->model->parameters[index].derived && !instance->fixed[index] &&
            is_parameter(instance, &instance->model->body->derived[index].tape, parameter));
}

bool costab_model_instance_rounds(const costab_model_instance *instance, int parameter) {
    const model_body *body = instance->model->body;
    for (int i = 0; i < body->formula_count; i++)
        if (model_is_count(body->formulas[i].range) &&
            is_parameter(instance, &body->formulas[i].tape, parameter))
            return false;
    return costab_model_instance_counts(instance, parameter);
}

bool model_instance_is_step(const costab_model_instance *instance, int parameter) {
    model_set moving = model_moving(instance, &parameter, 1);
    return model_moves_only(instance->model, &moving, model_is_macro_step);
}

bool model_instance_step_moves_more(const costab_model_instance *instance, int parameter) {
    const costab_model *model = instance->model;
    const model_set moving = model_moving(instance, &parameter, 1);
    bool step = false;
    for (int i = 0; i < model->body->formula_count && !step; i++)
        step = model_is_macro_step(model, model->body->formulas[i].slot) &&
               model_set_meets(&model->body->formulas[i].uses, &moving);
    return step && !model_moves_only(model, &moving, model_is_macro_step);
}

/* ---- Public functions ---- */

static bool first_mistake(void *context, const model_set *uses, const model_place *place, const char *what,
                          const char *reason) {
    char shown[SPEC_PLACE_MAX];
    (void)uses;
    error_invalid(context, "%s: error: %s: %s",
                  spec_show_place(place->path, place->line, place->column, shown), what, reason);
    return false;
}

costab_status model_instance_update(costab_model_instance *instance, costab_error *error) {
    if (model_instance_evaluate(instance, first_mistake, error)) return COSTAB_OK;
    if (error != NULL) error->status = instance->failure;
    return instance->failure;
}

/* The first error independent of the parameters `moving`. */
typedef struct fixed_mistake {
    model_set moving;
    costab_error error;
} fixed_mistake;

static bool take_fixed(void *context, const model_set *uses, const model_place *place, const char *what,
                       const char *reason) {
    fixed_mistake *found = context;
    return model_set_meets(uses, &found->moving) || first_mistake(&found->error, uses, place, what, reason);
}

costab_status model_instance_check_fixed(costab_model_instance *instance, const int *moved, int count,
                                         costab_error *error) {
    fixed_mistake found = {.moving = model_moving(instance, moved, count)};
    if (model_instance_evaluate(instance, take_fixed, &found) || !found.error.status) return COSTAB_OK;
    found.error.status = instance->failure;
    if (error != NULL) *error = found.error;
    return instance->failure;
}

bool costab_model_instance_set(costab_model_instance *instance, int parameter, double value) {
    if (parameter < 0 || parameter >= instance->model->parameter_count) return false;
    bool derived = instance->model->parameters[parameter].derived;
    if (same_number(value, instance->values[parameter]) && derived == instance->fixed[parameter]) return true;
    instance->values[parameter] = value;
    if (derived && !instance->fixed[parameter]) instance->structure_outdated = true;
    instance->fixed[parameter] = derived;
    model_set_add(&instance->changed, parameter);
    return true;
}

static bool continue_update(void *context, const model_set *uses, const model_place *place, const char *what,
                            const char *reason) {
    (void)context, (void)uses, (void)place, (void)what, (void)reason;
    return true;
}

/* Returns a formula that must be positive, depends on parameters, and is not positive; NULL if there is none.
 */
static const model_formula *find_not_positive(const costab_model_instance *instance,
                                              const model_set *moving) {
    const model_body *body = instance->model->body;
    for (int i = 0; i < body->formula_count; i++) {
        const model_formula *formula = &body->formulas[i];
        if (formula->range == MODEL_POSITIVE && model_set_meets(&formula->uses, moving) &&
            instance->slots[formula->slot] <= 0)
            return formula;
    }
    return NULL;
}

costab_status model_instance_check_range(costab_model_instance *instance, int parameter,
                                         const double range[2], costab_error *error) {
    const double before = instance->values[parameter];
    const bool fixed = instance->fixed[parameter], outdated = instance->structure_outdated;
    const model_set moving = model_moving(instance, &parameter, 1);
    const model_formula *found = NULL;
    int end = 0;
    for (; end < 2 && found == NULL; end++) {
        model_update u = {.instance = instance, .complain = continue_update, .succeeded = true};
        costab_model_instance_set(instance, parameter, range[end]);
        update_parameters(&u);
        update_slots(&u);
        found = find_not_positive(instance, &moving);
    }
    const double value = found != NULL ? instance->slots[found->slot] : 0;
    costab_model_instance_set(instance, parameter, before);
    instance->fixed[parameter] = fixed;
    instance->structure_outdated = outdated;
    if (found == NULL) return COSTAB_OK;
    return error_invalid(error,
                         "the range %.10g:%.10g of %s: %s: expected a positive number, found %.10g at "
                         "%s = %.10g; %s",
                         range[0], range[1], instance->model->parameters[parameter].name, found->what, value,
                         instance->model->parameters[parameter].name, range[end - 1],
                         end == 1 ? "start the range where it is positive"
                                  : "end the range where it is positive");
}

void costab_model_instance_reset(costab_model_instance *instance) {
    for (int i = 0; i < instance->model->parameter_count; i++) {
        instance->values[i] = instance->model->parameters[i].value;
        instance->fixed[i] = false;
    }
    instance->fresh = true;
    const model_body *body = instance->model->body;
    instance->structure_outdated = body->structures == NULL;
    if (body->structures == NULL) return;
    memcpy(instance->structures, body->structures,
           ((size_t)body->subsystem_count + 1) * sizeof *body->structures);
    instance->network.structure = instance->structures;
}

void costab_model_instance_allow_time_varying(costab_model_instance *instance) {
    instance->time_varying = true;
}

void costab_model_instance_measure_briefly(costab_model_instance *instance, bool brief) {
    instance->fresh = instance->fresh || (instance->brief && !brief);
    instance->brief = brief;
}

double costab_model_instance_value(const costab_model_instance *instance, int parameter) {
    bool known = parameter >= 0 && parameter < instance->model->parameter_count;
    return known ? instance->values[parameter] : (double)NAN;
}

const costab_network *costab_model_instance_network(const costab_model_instance *instance) {
    return &instance->network;
}

costab_network costab_model_instance_alone(const costab_model_instance *instance, int subsystem) {
    const costab_network *network = &instance->network;
    uint64_t version = network->structure_version + 1 + (uint64_t)subsystem;
    return (costab_network){.subsystem_count = 1,
                            .subsystems = &network->subsystems[subsystem],
                            .structure =
                                network->structure != NULL ? &instance->structures[subsystem + 1] : NULL,
                            .structure_version = version,
                            .gains_version = version};
}

const costab_coupling *costab_model_instance_coupling(const costab_model_instance *instance, int c) {
    return c >= 0 && c < instance->model->coupling_count ? &instance->couplings[c] : NULL;
}
