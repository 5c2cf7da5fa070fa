/* Makes a parameter of every number of a model. The result copies the model's lists of parameters and
 * formulas and borrows everything else:
 * 1. A constant in a slot gets a formula consisting of its new parameter.
 * 2. A formula without variables, such as 1/3, becomes its new parameter as well.
 * 3. A decimal in another formula becomes the step FORMULA_PARAMETER of its new parameter. Only tapes with
 *    such decimals are copied.
 * 4. Formulas and subsystems record the new parameters as used, so instances update their dependents.
 * Cost: linear in the size of the model. */
#include "model/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/body.h"

struct model_with_numbers {
    costab_model model;
    model_body body;
    int found;    /* parameters and numbers, including those beyond COSTAB_PARAMETERS_MAX */
    void **owned; /* all blocks of the copy */
    size_t owned_count, owned_capacity;
    bool failed; /* out of memory */
};

/* Allocates a zeroed block of the copy with the first `count` items of `from`; NULL without memory. */
static void *own(model_with_numbers *made, const void *from, size_t count, size_t capacity, size_t size) {
    made->failed = made->failed || !memory_grows(&made->owned, &made->owned_capacity, made->owned_count + 1);
    void *block = made->failed ? NULL : memory_alloc(capacity + 1, size);
    made->failed = block == NULL;
    if (made->failed) return NULL;
    made->owned[made->owned_count++] = block;
    if (count > 0) memcpy(block, from, count * size);
    return block;
}

/* Adds a parameter. Returns its index, or -1 if the list is full. */
static int add_parameter(model_with_numbers *made, double value) {
    enum { NAME = 24 };
    costab_model *model = &made->model;
    int p = model->parameter_count;
    if (made->found++ >= COSTAB_PARAMETERS_MAX || made->failed) return -1;
    char *name = own(made, NULL, 0, NAME, 1);
    if (name == NULL) return -1;
    snprintf(name, NAME, "number %d", p + 1);
    model->parameters[p] = (costab_parameter){.name = name, .value = value};
    made->body.parameter_names[p] = name;
    model->parameter_count++;
    return p;
}

static void note_use(model_formula *formula, int p, model_set *users) {
    model_set_add(&formula->uses, p);
    if (users != NULL) model_set_add(users, p);
}

/* Replaces the tape of a formula by parameter p. */
static void become_parameter(model_with_numbers *made, model_formula *formula, int p, model_set *users) {
    formula_step *step = own(made, NULL, 0, 1, sizeof *step);
    if (step == NULL) return;
    *step = (formula_step){.operation = FORMULA_PARAMETER, .a = -1, .b = -1, .index = p};
    formula->tape = (formula_tape){.steps = step, .count = 1, .text = made->model.parameters[p].name};
    note_use(formula, p, users);
}

/* ---- Constants in slots ---- */

static bool has_formula(const model_body *body, int slot) {
    int i = 0;
    while (i < body->formula_count && body->formulas[i].slot != slot) i++;
    return i < body->formula_count;
}

/* Makes a parameter of the constant in a slot. A gain's slot holds 1 before its formula fills it; NaN means a
 * value of an FMU. `users`: parameters used by the slot's subsystem, or NULL. */
static void name_slot(model_with_numbers *made, int slot, model_set *users) {
    model_body *body = &made->body;
    if (slot < 0 || body->slots[slot] == 0 || isnan(body->slots[slot]) || has_formula(body, slot)) return;
    int p = add_parameter(made, body->slots[slot]);
    if (p < 0) return;
    model_formula *formula = &body->formulas[body->formula_count++];
    *formula = (model_formula){
        .what = made->model.parameters[p].name, .place = {made->model.path, 1, 1}, .slot = slot};
    become_parameter(made, formula, p, users);
}

static void name_slots(model_with_numbers *made, int first, int count, model_set *users) {
    for (int i = 0; i < count && first >= 0; i++) name_slot(made, first + i, users);
}

static void name_subsystem_slots(model_with_numbers *made, model_subsystem *s) {
    int n = s->states, m = s->inputs, p = s->outputs;
    if (s->foreign) {
        name_slots(made, s->start, s->starts, &s->uses);
    } else if (s->equations == NULL) {
        name_slots(made, s->A, n * n, NULL);
        name_slots(made, s->B, n * m, NULL);
        name_slots(made, s->C, p * n, NULL);
        name_slots(made, s->D, p * m, NULL);
    }
    name_slots(made, s->point, n + m, &s->uses);
}

/* ---- Numbers in formulas ---- */

/* Returns true if step k is an integer exponent, part of a law rather than a measured number. */
static bool is_whole_exponent(const formula_tape *tape, int k) {
    bool exponent = false;
    for (int i = 0; i < tape->count; i++)
        exponent = exponent || (tape->steps[i].operation == FORMULA_POWER && tape->steps[i].b == k);
    return exponent && tape->steps[k].number == round(tape->steps[k].number);
}

static bool is_decimal(const formula_tape *tape, int k) {
    const formula_step *step = &tape->steps[k];
    return step->operation == FORMULA_NUMBER && step->size > 0 && step->number != 0 &&
           !is_whole_exponent(tape, k);
}

static bool has_variables(const formula_tape *tape) {
    bool found = false;
    for (int k = 0; k < tape->count; k++)
        found = found || tape->steps[k].operation == FORMULA_PARAMETER ||
                tape->steps[k].operation == FORMULA_LOCAL;
    return found;
}

/* Makes a parameter of the value of a formula without variables. */
static void name_value(model_with_numbers *made, model_formula *formula, model_set *users) {
    double *scratch = own(made, NULL, 0, formula_work(&formula->tape), sizeof *scratch);
    double value = scratch != NULL ? formula_value(&formula->tape, NULL, NULL, scratch) : 0;
    int p = value != 0 ? add_parameter(made, value) : -1;
    if (p >= 0) become_parameter(made, formula, p, users);
}

/* Makes parameters of the numbers in a formula. `users`: see name_slot. */
static void name_formula(model_with_numbers *made, model_formula *formula, model_set *users) {
    formula_tape *tape = &formula->tape;
    int decimals = 0;
    if (model_is_count(formula->range) || tape->count == 0) return;
    if (!has_variables(tape)) {
        name_value(made, formula, users);
        return;
    }
    for (int k = 0; k < tape->count; k++) decimals += is_decimal(tape, k);
    if (decimals == 0) return;
    size_t count = (size_t)tape->count;
    formula_step *steps = own(made, tape->steps, count, count, sizeof *steps);
    if (steps == NULL) return;
    for (int k = 0; k < tape->count; k++) {
        int p = is_decimal(tape, k) ? add_parameter(made, steps[k].number) : -1;
        if (p < 0) continue;
        steps[k].operation = FORMULA_PARAMETER;
        steps[k].index = p;
        note_use(formula, p, users);
    }
    tape->steps = steps;
}

/* Makes parameters of the numbers in slot formulas. A formula of an operating point or start value is
 * recorded in its subsystem. */
static void name_slot_formulas(model_with_numbers *made, int formula_count) {
    model_body *body = &made->body;
    for (int i = 0; i < formula_count; i++) {
        model_formula *formula = &body->formulas[i];
        model_set *users = NULL;
        for (int k = 0; k < body->subsystem_count; k++) {
            model_subsystem *s = &body->subsystems[k];
            int point = formula->slot - s->point, start = formula->slot - s->start;
            if ((s->point >= 0 && point >= 0 && point < s->states + s->inputs) ||
                (s->foreign && start >= 0 && start < s->starts))
                users = &s->uses;
        }
        name_formula(made, formula, users);
    }
}

/* ---- The copy ---- */

/* Replaces a list by a copy with space for `more` entries. */
#define COPY(made, list, count, more)                                                                        \
    ((list) = own((made), (list), (size_t)(count), (size_t)(count) + (more), sizeof *(list)))

static int equation_count(const model_subsystem *s) {
    return s->equations != NULL ? s->states + s->outputs : 0;
}

static void copy_lists(model_with_numbers *made) {
    enum { MORE = COSTAB_PARAMETERS_MAX };
    costab_model *model = &made->model;
    model_body *body = &made->body;
    COPY(made, model->parameters, model->parameter_count, MORE);
    COPY(made, body->parameter_names, model->parameter_count, MORE);
    COPY(made, body->derived, model->parameter_count, MORE);
    COPY(made, body->formulas, body->formula_count, MORE);
    COPY(made, body->subsystems, body->subsystem_count, 0);
    for (int s = 0; !made->failed && s < body->subsystem_count; s++) {
        model_subsystem *of = &body->subsystems[s];
        if (of->equations != NULL) COPY(made, of->equations, equation_count(of), 0);
    }
}

static costab_status name_all(model_with_numbers *made, costab_error *error) {
    model_body *body = &made->body;
    const int formulas = body->formula_count, parameters = made->found = made->model.parameter_count;
    for (int s = 0; s < body->subsystem_count; s++) name_subsystem_slots(made, &body->subsystems[s]);
    for (int c = 0; c < body->connection_count; c++) {
        name_slot(made, body->connections[c].gain, NULL);
        name_slot(made, body->connections[c].delay_time, NULL);
        name_slot(made, body->connections[c].dead_time, NULL);
    }
    name_slot_formulas(made, formulas);
    for (int p = 0; p < parameters; p++) name_formula(made, &body->derived[p], NULL);
    for (int s = 0; s < body->subsystem_count; s++)
        for (int i = 0; i < equation_count(&body->subsystems[s]); i++)
            name_formula(made, &body->subsystems[s].equations[i], &body->subsystems[s].uses);
    if (made->failed) return error_memory(error);
    if (made->found > COSTAB_PARAMETERS_MAX)
        return error_invalid(error, "the model has %d numbers, and at most %d can be varied: set --vary 0",
                             made->found, COSTAB_PARAMETERS_MAX);
    return COSTAB_OK;
}

costab_status model_with_numbers_make(const costab_model *model, model_with_numbers **made,
                                      costab_error *error) {
    TRY(memory_make(made, 1, error));
    (*made)->model = *model;
    (*made)->body = *model->body;
    (*made)->model.body = &(*made)->body;
    copy_lists(*made);
    return (*made)->failed ? error_memory(error) : name_all(*made, error);
}

void model_with_numbers_free(model_with_numbers **freed) {
    model_with_numbers *made = *freed;
    if (made == NULL) return;
    for (size_t i = 0; i < made->owned_count; i++) memory_free(made->owned[i]);
    memory_free_all(made->owned, made);
    *freed = NULL;
}

const costab_model *model_with_numbers_model(const model_with_numbers *made) {
    return &made->model;
}
