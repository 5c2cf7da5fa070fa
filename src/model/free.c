/* Frees a model. */
#include "base/memory.h"
#include "model/body.h"

static void free_subsystem(model_subsystem *s) {
    model_free_names(s->state_names, s->states);
    model_free_names(s->input_names, s->inputs);
    model_free_names(s->output_names, s->outputs);
    for (int i = 0; s->equations != NULL && i < s->states + s->outputs; i++)
        model_formula_free(&s->equations[i]);
    model_free_foreign(s);
    memory_free_all(s->positions, s->velocities, s->mark, s->equations, s->local_names, s->idle, s->typed,
                    s->hold, s->name);
}

static void free_body(costab_model *model) {
    model_body *body = model->body;
    if (body == NULL) return;
    for (int i = 0; i < body->formula_count; i++) model_formula_free(&body->formulas[i]);
    for (int i = 0; body->derived != NULL && i < model->parameter_count; i++)
        model_formula_free(&body->derived[i]);
    for (int s = 0; s < body->subsystem_count; s++) free_subsystem(&body->subsystems[s]);
    for (int i = 0; i < body->source_count; i++) model_formula_free(&body->sources[i].formula);
    for (int i = 0; body->couplings != NULL && i < model->coupling_count; i++)
        memory_free(body->couplings[i].order);
    memory_free_all(body->slots, body->formulas, body->parameter_names, body->derived, body->derived_order,
                    body->subsystems, body->connections, body->bonds, body->sources, body->couplings,
                    body->structures, body);
}

void model_free(costab_model *model) {
    if (model == NULL) return;
    free_body(model);
    for (int i = 0; i < model->parameter_count; i++) memory_free(model->parameters[i].name);
    for (int i = 0; i < model->words_count; i++)
        memory_free_all(model->words[i].name, model->words[i].label, model->words[i].unit,
                        model->words[i].display);
    model_free_names(model->coupling_names, model->coupling_count);
    for (int i = 0; i < model->history.turn_count; i++)
        memory_free_all(model->history.turns[i].coupling, model->history.turns[i].steps);
    memory_free_all(model->base_path, model->parameters, model->words, model->history.signals,
                    model->history.turns, model);
}
