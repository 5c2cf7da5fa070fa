/* Reads a nonlinear subsystem: f, g and the operating point.
 *   1. The names in f and g: states, inputs, parameters and t, no two of them the same.
 *   2. An expression for each state's derivative and each output, as a formula's tape.
 *   3. The operating point (point.c).
 *   4. An output feeds through where its expression has an input in it. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/body.h"

/* Of a nonlinear subsystem's equations: the last local variable is t. */
static formula_scope local_scope(const costab_model *model, const model_subsystem *s) {
    return (formula_scope){model->body->parameter_names, s->local_names, model->parameter_count,
                           s->states + s->inputs + 1};
}

/* The names in f and g: none may mean two things. */
static bool gather_names(model_reader *r, model_subsystem *s, const model_nodes *nodes) {
    int count = 0;
    bool fine = true;
    size_t variables = (size_t)s->states + (size_t)s->inputs + 1;
    if (variables > r->body->longest_row) r->body->longest_row = variables;
    s->local_names = model_alloc(r, variables, sizeof *s->local_names);
    if (s->local_names == NULL) return false;
    for (int i = 0; i < s->states; i++) s->local_names[count++] = s->state_names[i];
    for (int i = 0; i < s->inputs; i++) s->local_names[count++] = s->input_names[i];
    for (int i = 0; i < count; i++) {
        const char *name = s->local_names[i], *twin = NULL;
        for (int k = s->states; i < s->states && k < count && twin == NULL; k++)
            if (strcmp(name, s->local_names[k]) == 0) twin = "an input";
        for (int k = 0; k < r->model->parameter_count && twin == NULL; k++)
            if (strcmp(name, r->model->parameters[k].name) == 0) twin = "a parameter";
        if (twin == NULL) continue;
        spec_complain(r->file, i < s->states ? nodes->states : nodes->inputs,
                      "subsystem '%s': '%s' is %s and %s; names in f and g must differ", s->name, name,
                      i < s->states ? "a state" : "an input", twin);
        fine = false;
    }
    s->local_names[count] = "t";
    return fine;
}

static bool read_function(model_reader *r, model_subsystem *s, const spec_node *node, const char *key,
                          int count, model_formula *equations) {
    char what[MODEL_WHAT_MAX];
    snprintf(what, sizeof what, "subsystem '%s', %s", s->name, key);
    if (node == NULL)
        return count == 0 ||
               spec_complain(r->file, s->node,
                             "subsystem '%s': the key '%s' is missing; it needs %d expression%s", s->name,
                             key, count, count == 1 ? "" : "s");
    if (node->kind == SPEC_LIST && node->size != (uint32_t)count)
        return spec_complain(r->file, node, "%s: expected %d expression%s, one per %s, found %u%s", what,
                             count, count == 1 ? "" : "s", key[0] == 'f' ? "state" : "output",
                             (unsigned)node->size, spec_divided(r->file, node));
    if (node->kind == SPEC_LIST && count == 0) return true;
    if (!spec_list(r->file, node, what, 0)) return false;
    formula_scope scope = local_scope(r->model, s);
    bool fine = true;
    int i = 0;
    SPEC_EACH(item, r->file, node) {
        model_formula *equation = &equations[i++];
        snprintf(what, sizeof what, "subsystem '%s', %s(%d)", s->name, key, i);
        if (!model_expression(r, item, what, &scope, equation)) fine = false;
        model_set_join(&s->uses, &equation->uses);
    }
    return fine;
}

static void refuse_matrices(model_reader *r, const model_subsystem *s, const model_nodes *nodes) {
    for (int k = 0; k < MODEL_MATRICES; k++)
        if (nodes->matrices[k] != NULL)
            spec_complain(r->file, nodes->matrices[k],
                          "subsystem '%s': it has functions f and g; the matrix %c cannot stand beside them",
                          s->name, "ABCD"[k]);
}

/* Does an output see an input at once? */
static bool has_feedthrough(const model_subsystem *s) {
    for (int i = 0; i < s->outputs; i++)
        for (int k = 0; k < s->inputs; k++)
            if (formula_uses(&s->equations[s->states + i].tape, FORMULA_LOCAL, s->states + k)) return true;
    return false;
}

void model_read_equations(model_reader *r, model_subsystem *s, const model_nodes *nodes) {
    const spec_node *point = nodes->operating_point, *place = point != NULL ? point : nodes->node;
    s->point_place = (model_place){r->path, place->line, place->column};
    refuse_matrices(r, s, nodes);
    if (s->ports_unknown) return;
    s->ports_unknown = true;
    s->equations = model_alloc(r, (size_t)s->states + (size_t)s->outputs, sizeof *s->equations);
    if (s->equations == NULL || !gather_names(r, s, nodes)) return;
    s->point = model_slots(r, s->states + s->inputs);
    if (s->point < 0) return;
    bool fine = read_function(r, s, nodes->f, "f", s->states, s->equations);
    fine = read_function(r, s, nodes->g, "g", s->outputs, s->equations + s->states) && fine;
    fine = model_read_point(r, s, point) && fine;
    s->ports_unknown = false; /* its ports are known */
    if (!fine) return;
    s->A = model_slots(r, s->states * s->states);
    s->B = model_slots(r, s->states * s->inputs);
    s->C = model_slots(r, s->outputs * s->states);
    if (has_feedthrough(s)) s->D = model_slots(r, s->outputs * s->inputs);
}
