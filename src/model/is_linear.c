/* Whether equations written as formulas are linear in states and inputs, without a constant term: each
 * step of a formula's tape is constant, linear or neither, by the kinds of its operands and its operation.
 * Not guaranteed: a formula that is linear only after simplification, such as x*x/x, counts as neither. */
#include "base/error.h"
#include "base/memory.h"
#include "costab/model.h"
#include "model/instance.h"

typedef enum form { CONSTANT, LINEAR, OTHER } form;

/* The kind of a step. Time, the last local variable, is neither. */
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
