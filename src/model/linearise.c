/* Linearises nonlinear subsystems at their operating points: A, B, C and D are the derivatives of f and g at
 * t = 0. Reports a formula with a kink at the point (such as abs at 0) and, unless the instance allows them,
 * derivatives that depend on t. Cost: n + q gradients.
 *
 * An equation is linear if each step of its tape is constant or linear in states and inputs, and the last is
 * linear. A step is judged by its operation and the kinds of its operands. Limitation: x*x/x, linear only
 * after simplification, and constants such as 0 count as nonlinear. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/model.h"
#include "model/instance.h"
#include "model/rest.h"

void model_tell(model_update *u, const model_set *uses, const model_place *place, const char *what,
                const char *reason) {
    u->succeeded = false;
    if (!u->complain(u->context, uses, place, what, reason)) u->stopped = true;
}

/* Like model_tell() for an equation at the operating point. */
static void tell_equation(model_update *u, const model_subsystem *from, const model_formula *equation,
                          const char *reason) {
    model_set uses = from->uses;
    if (from->solve) model_set_join(&uses, &u->instance->model->body->rest_uses);
    model_tell(u, &uses, &equation->place, equation->what, reason);
}

/* Copies a gradient into a row of [A B] or [C D]. */
static void copy_row(const costab_model_instance *instance, const model_subsystem *from, int row,
                     int by_states, int by_inputs) {
    for (int j = 0; j < from->states; j++)
        instance->slots[by_states + row * from->states + j] = instance->gradient[j];
    for (int j = 0; j < from->inputs && by_inputs >= 0; j++)
        instance->slots[by_inputs + row * from->inputs + j] = instance->gradient[from->states + j];
}

/* Derivatives that depend on t are valid at one instant and imply no stability at any parameters, so the
 * failure ends a search over parameters. */
static void refuse_time(model_update *u, const model_subsystem *from, const model_formula *equation,
                        const double *local) {
    char words[FORMULA_SIZE_MAX + 200];
    int through = formula_time_varying(&equation->tape, u->instance->values, local,
                                       from->states + from->inputs, u->instance->scratch);
    if (through < 0) return;
    snprintf(words, sizeof words,
             "'%.300s' depends on t through %.100s: its coefficients vary in time, so that eigenvalues say "
             "nothing of stability; costab simulate runs this model",
             equation->tape.text, from->local_names[through]);
    tell_equation(u, from, equation, words);
    u->instance->failure = COSTAB_UNSUPPORTED;
}

/* Computes the gradient of an equation in the instance's array; reports an error if it cannot be
 * linearised. */
static void take_gradient(model_update *u, int s, const model_formula *equation) {
    costab_model_instance *instance = u->instance;
    const model_subsystem *from = &instance->model->body->subsystems[s];
    const double *local = instance->functions[s].local;
    int variables = from->states + from->inputs;
    const char *kink;
    char words[FORMULA_SIZE_MAX + 200];
    double value = formula_gradient(&equation->tape, instance->values, local, variables + 1,
                                    instance->gradient, instance->scratch);
    bool finite = isfinite(value);
    for (int j = 0; j < variables; j++) finite = finite && isfinite(instance->gradient[j]);
    if (!finite)
        tell_equation(
            u, from, equation,
            "it has no finite value and derivatives at the operating point; choose another point with the key operating_point");
    if (finite && !instance->time_varying) refuse_time(u, from, equation, local);
    if (!finite || formula_is_smooth(&equation->tape, instance->values, local, variables,
                                     instance->gradient + variables + 1, instance->scratch, &kink))
        return;
    snprintf(words, sizeof words,
             "'%.300s' has no derivatives at the operating point: a corner of %s is there; choose another "
             "point with the key operating_point, or a smooth function",
             equation->tape.text, kink);
    tell_equation(u, from, equation, words);
}

void model_linearise(model_update *u, int s) {
    costab_model_instance *instance = u->instance;
    instance_functions *g = &instance->functions[s];
    const model_subsystem *from = g->subsystem;
    int variables = from->states + from->inputs;
    if (from->solve)
        model_rest_point(instance->rest, s, g->local);
    else
        memcpy(g->local, instance->slots + from->point, (size_t)variables * sizeof *g->local);
    g->local[variables] = 0;
    for (int i = 0; i < from->states + from->outputs && !u->stopped; i++) {
        bool state = i < from->states;
        take_gradient(u, s, &from->equations[i]);
        copy_row(instance, from, state ? i : i - from->states, state ? from->A : from->C,
                 state ? from->B : from->D);
    }
}

/* ---- Linearity of equations ---- */

typedef enum form { CONSTANT, LINEAR, OTHER } form;

/* Returns the kind of a step. Time, the last local variable, is OTHER. */
static form form_of(const formula_step *step, const form *forms, int time) {
    form a = step->a >= 0 ? forms[step->a] : CONSTANT, b = step->b >= 0 ? forms[step->b] : CONSTANT;
    if (step->operation == FORMULA_LOCAL) return step->index == time ? OTHER : LINEAR;
    if (a == OTHER || b == OTHER) return OTHER;
    if (a == CONSTANT && b == CONSTANT) return CONSTANT;
    switch (step->operation) {
    case FORMULA_NEGATE:
        return a;
    case FORMULA_ADD:
    case FORMULA_SUBTRACT:
        return a == b ? a : OTHER;
    case FORMULA_MULTIPLY:
        return a == LINEAR && b == LINEAR ? OTHER : LINEAR;
    case FORMULA_DIVIDE:
        return b == CONSTANT ? LINEAR : OTHER;
    default:
        return OTHER;
    }
}

static costab_status check_tape(const formula_tape *tape, int time, bool *linear, costab_error *error) {
    memory_local_array(form, forms, (size_t)tape->count + 1, error);
    for (int i = 0; i < tape->count; i++) forms[i] = form_of(&tape->steps[i], forms, time);
    *linear = forms[tape->count - 1] == LINEAR;
    return COSTAB_OK;
}

costab_status costab_model_instance_linear(const costab_model_instance *instance, int s, bool *linear,
                                           costab_error *error) {
    const model_subsystem *of = &instance->model->body->subsystems[s];
    *linear = instance->subsystems[s].dynamics == NULL || of->equations != NULL;
    for (int i = 0; of->equations != NULL && i < of->states + of->outputs && *linear; i++)
        TRY(check_tape(&of->equations[i].tape, of->states + of->inputs, linear, error));
    return COSTAB_OK;
}
