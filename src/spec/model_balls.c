/* Slots of a model in balls, as an instance has them in doubles.
 *   1. Parameters that vary are balls, all others exact doubles; derived parameters follow in the order of
 *      their dependence.
 *   2. Formulas of slots are evaluated by their tapes in ball arithmetic (exact/formula_ball.c), and
 *      equations are differentiated at the operating point.
 *   3. An update computes only what depends on what has moved, or all anew for another precision.
 * Each slot contains its value for all parameters in the balls. Refused: counts, micro steps and FMUs that
 * would depend on them, and operating points that are solved for. */
#include "spec/model_balls.h"

#include "base/error.h"
#include "base/memory.h"
#include "exact/formula_ball.h"
#include "spec/model_body.h"

struct model_balls {
    const costab_model_instance *instance;
    const costab_model *model;
    const int *parameters;
    int count;
    model_set moving; /* what varies, and the parameters derived from it */
    slong precision;  /* at which the rest was computed; 0: not yet */
    acb_ptr values, slots, local;
};

/* Is a slot a number of a coupling that balls do not read? */
static bool is_unread(const model_body *body, int coupling_count, int slot) {
    for (int i = 0; i < coupling_count; i++) {
        const model_coupling *c = &body->couplings[i];
        if (slot >= c->slots && slot < c->slots_end && slot != c->macro_step &&
            slot != c->slot[COUPLING_OF_relaxation] && slot != c->slot[COUPLING_OF_area_correction] &&
            !(slot >= c->weights && slot < c->weights + MODEL_WEIGHTS))
            return true;
    }
    return false;
}

static costab_status check(const model_balls *balls, costab_error *error) {
    const model_body *body = balls->model->body;
    char place[SPEC_PLACE_MAX];
    for (int i = 0; i < body->formula_count; i++) {
        const model_formula *formula = &body->formulas[i];
        bool fixed =
            model_is_count(formula->range) || is_unread(body, balls->model->coupling_count, formula->slot);
        for (int s = 0; s < body->subsystem_count; s++)
            fixed = fixed || body->subsystems[s].step == formula->slot;
        if (fixed && model_set_meets(&formula->uses, &balls->moving))
            return error_invalid(
                error, "%s: error: %s: it depends on the parameter that varies, which cannot be proved",
                spec_show_place(formula->place.path, formula->place.line, formula->place.column, place),
                formula->what);
    }
    for (int s = 0; s < body->subsystem_count; s++)
        if (body->subsystems[s].foreign)
            return error_invalid(
                error,
                "subsystem '%.200s': it is an FMU, whose numbers are those of another program: "
                "nothing can be proved of them",
                body->subsystems[s].name);
    for (int s = 0; s < body->subsystem_count; s++)
        if (body->subsystems[s].solve)
            return error_invalid(
                error,
                "subsystem '%.200s': its operating point is solved for, which cannot be proved; give its "
                "values instead",
                body->subsystems[s].name);
    return COSTAB_OK;
}

costab_status model_balls_create(const costab_model_instance *instance, const int *parameters, int count,
                                 model_balls **created, costab_error *error) {
    model_balls *balls = *created = memory_alloc(1, sizeof *balls);
    if (balls == NULL) return error_memory(error);
    const costab_model *model = model_instance_model(instance);
    *balls = (model_balls){.instance = instance, .model = model, .parameters = parameters, .count = count};
    balls->values = _acb_vec_init(model->parameter_count);
    balls->slots = _acb_vec_init(model->body->slot_count);
    balls->local = _acb_vec_init((slong)model->body->longest_row);
    balls->moving = model_moving(instance, parameters, count);
    costab_status status = check(balls, error);
    if (status) model_balls_destroy(created);
    return status;
}

void model_balls_destroy(model_balls **destroyed) {
    if (*destroyed == NULL) return;
    model_balls *balls = *destroyed;
    _acb_vec_clear(balls->values, balls->model->parameter_count);
    _acb_vec_clear(balls->slots, balls->model->body->slot_count);
    _acb_vec_clear(balls->local, (slong)balls->model->body->longest_row);
    memory_free(balls);
    *destroyed = NULL;
}

/* One row of [A B] or [C D]: the derivatives of an equation at the operating point. */
static bool linearise_row(model_balls *balls, const model_subsystem *from, int equation, slong precision) {
    flint_local(acb, value);
    bool first = equation < from->states, fine = true;
    int row = first ? equation : equation - from->states;
    int by_states = first ? from->A : from->C, by_inputs = first ? from->B : from->D;
    for (int j = 0; j < from->states + from->inputs && fine; j++) {
        bool state = j < from->states;
        int slot =
            state ? by_states + row * from->states + j : by_inputs + row * from->inputs + j - from->states;
        if (state || by_inputs >= 0)
            fine = formula_ball(&from->equations[equation].tape, balls->values, balls->local, j, precision,
                                value, balls->slots + slot);
    }
    return fine;
}

/* Does a number depend on what varies, or was it not computed yet? */
static bool concerns(const model_balls *balls, const model_set *uses, slong precision) {
    return balls->precision != precision || model_set_meets(uses, &balls->moving);
}

/* Parameters, and those derived from them. */
static bool update_values(model_balls *balls, acb_srcptr at, slong precision) {
    const model_body *body = balls->model->body;
    bool fine = true;
    for (int i = 0; i < balls->model->parameter_count && balls->precision != precision; i++)
        acb_set_d(balls->values + i, costab_model_instance_value(balls->instance, i));
    for (int i = 0; i < balls->count; i++) acb_set(balls->values + balls->parameters[i], at + i);
    for (int k = 0; k < body->derived_count && fine; k++) {
        int i = body->derived_order[k];
        bool varies = false;
        for (int j = 0; j < balls->count; j++) varies = varies || balls->parameters[j] == i;
        if (!varies && !model_instance_is_set(balls->instance, i) &&
            concerns(balls, &body->derived[i].uses, precision))
            fine = formula_ball(&body->derived[i].tape, balls->values, NULL, -1, precision, balls->values + i,
                                NULL);
    }
    return fine;
}

bool model_balls_update(model_balls *balls, acb_srcptr at, slong precision) {
    const model_body *body = balls->model->body;
    bool fine = update_values(balls, at, precision);
    for (int i = 0; i < body->slot_count && balls->precision != precision; i++)
        acb_set_d(balls->slots + i, body->slots[i]);
    for (int i = 0; i < body->formula_count && fine; i++)
        if (concerns(balls, &body->formulas[i].uses, precision))
            fine = formula_ball(&body->formulas[i].tape, balls->values, NULL, -1, precision,
                                balls->slots + body->formulas[i].slot, NULL);
    for (int s = 0; s < body->subsystem_count && fine; s++) {
        const model_subsystem *from = &body->subsystems[s];
        if (from->equations == NULL || !concerns(balls, &from->uses, precision)) continue;
        int variables = from->states + from->inputs;
        for (int i = 0; i < variables; i++) acb_set(balls->local + i, balls->slots + from->point + i);
        acb_zero(balls->local + variables);
        for (int i = 0; i < from->states + from->outputs && fine; i++)
            fine = linearise_row(balls, from, i, precision);
    }
    balls->precision = fine ? precision : 0;
    return fine;
}

acb_srcptr model_balls_slots(const model_balls *balls, int slot) {
    return slot >= 0 ? balls->slots + slot : NULL;
}
