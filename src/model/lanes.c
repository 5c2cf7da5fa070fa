/* Evaluates a batch of parameter sets at once: every parameter and every slot has one value per SIMD lane.
 * 1. Creation lists the formulas affected by the moving parameters, each with those parameters.
 * 2. Formulas: each call evaluates the formulas with a changed parameter directly into the matrices of the
 *    kernels.
 * 3. Instance: if the parameters affect more than matrices of linear subsystems, gains and macro steps, the
 *    instance is updated once per lane instead.
 * 4. A number out of range in any lane leaves the whole batch to the scalar code and its messages.
 * The operations and their order match an instance, so results agree to the last bit. */
#include "model/lanes.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/instance.h"

/* A formula and the parameters that affect it: bit k is the k-th. */
typedef struct lane_formula {
    const model_formula *formula;
    uint64_t moved_by;
    double *to;
} lane_formula;

struct model_lanes {
    costab_model_instance *instance;
    int width;
    bool by_instance;       /* the instance is updated once per lane */
    int *parameters, count; /* parameters set by the caller */
    bool fresh;             /* not computed yet */
    double *block;          /* memory of the next four; `slots` is aligned to a cache line */
    double *given, *values, *slots, *scratch;
    lane_formula *formulas; /* affected formulas in the order of evaluation */
    int formula_count;
    network_matrices *matrices; /* one per subsystem */
    const double **gains;       /* one per connection */
    uint64_t beyond_steps;      /* parameters with an effect beyond macro steps */
    uint64_t version;           /* counts changes beyond macro steps */
    network_numbers numbers;
};

/* ---- Scope of the formulas ---- */

static bool within(int slot, int first, int count) {
    return first >= 0 && slot >= first && slot < first + count;
}

/* Returns true if lanes compute the number in a slot: an entry of a matrix, a start value, a gain or a macro
 * step. */
static bool is_number(const costab_model *model, int slot) {
    const model_body *body = model->body;
    for (int s = 0; s < body->subsystem_count; s++) {
        const model_subsystem *q = &body->subsystems[s];
        int n = q->states, m = q->inputs, p = q->outputs;
        for (int i = 0; i < q->pairs; i++) /* rows of q' = v, checked by updates */
            if (within(slot, q->A + q->positions[i] * n, n) || within(slot, q->B + q->positions[i] * m, m))
                return false;
        if (within(slot, q->A, n * n) || within(slot, q->B, n * m) || within(slot, q->C, p * n) ||
            within(slot, q->D, p * m) || within(slot, q->x0, n))
            return true;
    }
    for (int c = 0; c < body->connection_count; c++)
        if (slot == body->connections[c].gain) return true;
    return model_is_macro_step(model, slot);
}

/* ---- Creation ---- */

static const double *slots_at(const model_lanes *lanes, int slot) {
    return slot >= 0 ? lanes->slots + slot * lanes->width : NULL;
}

static void spread(int width, double *to, const double *from, int count) {
    for (int i = 0; i < count; i++)
        for (int l = 0; l < width; l++) to[i * width + l] = from[i];
}

static uint64_t bit_of(int k) {
    return (uint64_t)1 << k;
}

/* Adds a formula if the parameters affect it, and returns which do. moving: all parameters affected by each
 * of them. */
static uint64_t add_formula(model_lanes *lanes, const model_set *moving, const model_formula *formula,
                            double *to) {
    uint64_t moved_by = 0;
    for (int k = 0; k < lanes->count; k++)
        if (model_set_meets(&formula->uses, &moving[k])) moved_by |= bit_of(k);
    if (moved_by != 0) lanes->formulas[lanes->formula_count++] = (lane_formula){formula, moved_by, to};
    return moved_by;
}

/* Copies the numbers of the instance and lists the affected formulas. */
static void fill(model_lanes *lanes) {
    const costab_model_instance *instance = lanes->instance;
    const model_body *body = instance->model->body;
    spread(lanes->width, lanes->values, instance->values, instance->model->parameter_count);
    spread(lanes->width, lanes->slots, instance->slots, body->slot_count);
    model_set moving[MODEL_LANES_PARAMETERS];
    for (int k = 0; k < lanes->count; k++) moving[k] = model_moving(instance, &lanes->parameters[k], 1);
    for (int k = 0; k < body->derived_count; k++) {
        int i = body->derived_order[k];
        if (!instance->fixed[i])
            (void)add_formula(lanes, moving, &body->derived[i], lanes->values + i * lanes->width);
    }
    for (int i = 0; i < body->formula_count; i++) {
        int slot = body->formulas[i].slot;
        uint64_t moved_by =
            add_formula(lanes, moving, &body->formulas[i], lanes->slots + slot * lanes->width);
        if (!model_is_macro_step(instance->model, slot)) lanes->beyond_steps |= moved_by;
    }
    for (int s = 0; s < body->subsystem_count; s++) {
        const model_subsystem *q = &body->subsystems[s];
        lanes->matrices[s] = (network_matrices){slots_at(lanes, q->A), slots_at(lanes, q->B),
                                                slots_at(lanes, q->C), slots_at(lanes, q->D)};
    }
    for (int c = 0; c < body->connection_count; c++)
        lanes->gains[c] = slots_at(lanes, body->connections[c].gain);
    lanes->numbers = (network_numbers){.matrices = lanes->matrices, .gains = lanes->gains};
}

static costab_status allocate(model_lanes *lanes, costab_error *error) {
    const costab_model *model = lanes->instance->model;
    const model_body *body = model->body;
    size_t given = (size_t)lanes->count, values = (size_t)model->parameter_count,
           slots = (size_t)body->slot_count, width = (size_t)lanes->width, line = LANES_MOST * sizeof(double);
    size_t all = given + values + slots + lanes->instance->model->body->longest_tape + 1;
    TRY(memory_make(&lanes->block, all * width + LANES_MOST, error));
    TRY(memory_make(&lanes->parameters, given + 1, error));
    TRY(memory_make(&lanes->formulas, (size_t)(body->derived_count + body->formula_count) + 1, error));
    TRY(memory_make(&lanes->matrices, (size_t)body->subsystem_count + 1, error));
    TRY(memory_make(&lanes->gains, (size_t)body->connection_count + 1, error));
    unsigned char *begin = (unsigned char *)lanes->block;
    lanes->slots = (double *)(void *)(begin + (line - (uintptr_t)begin % line) % line);
    lanes->values = lanes->slots + slots * width;
    lanes->given = lanes->values + values * width;
    lanes->scratch = lanes->given + given * width;
    return COSTAB_OK;
}

static bool has_foreign(const model_body *body) {
    for (int s = 0; s < body->subsystem_count; s++)
        if (body->subsystems[s].foreign) return true;
    return false;
}

costab_status model_lanes_create(costab_model_instance *instance, const int *parameters, int count, int width,
                                 model_lanes **lanes, costab_error *error) {
    model_set moving = model_moving(instance, parameters, count);
    *lanes = NULL;
    if (has_foreign(instance->model->body)) return COSTAB_OK;
    model_lanes *made = *lanes = memory_alloc(1, sizeof *made);
    if (made == NULL) return error_memory(error);
    *made = (model_lanes){.instance = instance, .count = count, .width = width, .fresh = true, .version = 1};
    made->by_instance = !model_moves_only(instance->model, &moving, is_number);
    costab_status status = allocate(made, error);
    for (int k = 0; k < count && !status; k++) made->parameters[k] = parameters[k];
    if (status)
        model_lanes_destroy(lanes);
    else
        fill(made);
    return status;
}

void model_lanes_destroy(model_lanes **destroyed) {
    model_lanes *lanes = *destroyed;
    if (lanes == NULL) return;
    memory_free_all(lanes->block, lanes->parameters, lanes->formulas, lanes->matrices, lanes->gains);
    memory_free(lanes);
    *destroyed = NULL;
}

/* ---- Evaluation ---- */

double *model_lanes_values(model_lanes *lanes) {
    return lanes->given;
}

static bool in_range(model_range range, int width, const double *values) {
    int fine = 1;
    for (int l = 0; l < width; l++) fine &= fabs(values[l]) <= DBL_MAX;
    for (int l = 0; l < width && range == MODEL_POSITIVE; l++) fine &= values[l] > 0;
    for (int l = 0; l < width && range == MODEL_NOT_NEGATIVE; l++) fine &= values[l] >= 0;
    return fine != 0;
}

/* Updates the instance for each lane. */
static bool update_by_instance(model_lanes *lanes) {
    costab_model_instance *instance = lanes->instance;
    uint64_t version = 0, structure = 0;
    lanes->numbers.shared = 0;
    for (int l = 0; l < lanes->width; l++) {
        for (int k = 0; k < lanes->count; k++)
            (void)costab_model_instance_set(instance, lanes->parameters[k],
                                            lanes->given[k * lanes->width + l]);
        if (costab_model_instance_update(instance, NULL)) return false;
        if (l == 0) {
            structure = instance->network.structure_version;
            version = lanes->numbers.shared = instance->version;
        }
        if (instance->network.structure_version != structure) return false;
        if (instance->version != version) lanes->numbers.shared = 0;
        lane_put(lanes->width, lanes->slots, l, (size_t)instance->model->body->slot_count, instance->slots);
    }
    return true;
}

/* Evaluates the affected formulas in all lanes. */
static bool update_by_formulas(model_lanes *lanes) {
    const int width = lanes->width;
    const size_t bytes = (size_t)width * sizeof(double);
    uint64_t changed = lanes->fresh ? UINT64_MAX : 0, apart = 0;
    bool fine = true;
    for (int k = 0; k < lanes->count; k++) {
        double *value = lanes->values + lanes->parameters[k] * width, *given = lanes->given + k * width;
        if (memcmp(given, given + 1, bytes - sizeof *given) != 0) apart |= bit_of(k);
        if (memcmp(value, given, bytes) == 0) continue;
        memcpy(value, given, bytes);
        changed |= bit_of(k);
    }
    for (int k = 0; k < lanes->formula_count && fine; k++) {
        const lane_formula *at = &lanes->formulas[k];
        if ((at->moved_by & changed) == 0) continue;
        memcpy(at->to, formula_lanes(&at->formula->tape, width, lanes->values, lanes->scratch), bytes);
        fine = in_range(at->formula->range, lanes->width, at->to);
    }
    lanes->fresh = !fine;
    lanes->version += (changed & lanes->beyond_steps) != 0;
    lanes->numbers.shared = (apart & lanes->beyond_steps) == 0 ? lanes->version : 0;
    return fine;
}

bool model_lanes_update(model_lanes *lanes) {
    return lanes->by_instance ? update_by_instance(lanes) : update_by_formulas(lanes);
}

const network_numbers *model_lanes_numbers(model_lanes *lanes, int c) {
    lanes->numbers.steps = slots_at(lanes, lanes->instance->model->body->couplings[c].macro_step);
    return &lanes->numbers;
}
