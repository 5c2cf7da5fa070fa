/* Reads operating points.
 * 1. Subsystem: numbers or expressions for some states and inputs (others are 0, or the FMU's own values),
 *    and keys that make them start values of a search or keep the inputs fixed.
 * 2. Model: `solve` for all nonlinear subsystems without their own key, and the states to be held
 *    if the equilibrium leaves them free.
 * 3. Dependence: the network's point depends on every parameter, except those of couplings and solvers
 *    only; with an FMU for co-simulation also on its steps, which its outputs depend on. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/spelling.h"
#include "model/body.h"

/* ---- Subsystems ---- */

/* Reads one key of the operating point: a number, `solve` or `inputs`. `seen`: the numbers so far. */
static bool read_coordinate(model_reader *r, model_subsystem *s, const spec_node *key, const char *what,
                            const char *name, const spec_node **seen) {
    const spec_node *value = spec_next(r->file, key);
    int i = model_index_of(s->state_names, s->states, name);
    int input = i < 0 ? model_index_of(s->input_names, s->inputs, name) : -1;
    if (input >= 0) i = s->states + input;
    if (i < 0 && strcmp(name, "solve") == 0) {
        s->solve_given = true;
        return spec_flag(r->file, value, "operating_point, solve", &s->solve);
    }
    if (i < 0 && strcmp(name, "inputs") == 0) {
        size_t word;
        s->inputs_given = true;
        return spec_choice(r->file, value, "operating_point, inputs", (const char *const[]){"given"}, 1,
                           &word);
    }
    if (i < 0) {
        const char *const *names = (const char *const *)s->state_names;
        const char *near = spelling_nearest(name, names, (size_t)s->states, sizeof *names);
        names = (const char *const *)s->input_names;
        if (near == NULL) near = spelling_nearest(name, names, (size_t)s->inputs, sizeof *names);
        char words[SPELLING_GUESS_MAX];
        return spec_complain(r->file, key, "%s: '%.200s' is not a state or input of this subsystem%s", what,
                             name, spelling_meant(near, "", "", words, sizeof words));
    }
    if (seen[i] != NULL)
        return spec_complain(r->file, key, "%s: '%s' is repeated; line %u has it already", what, name,
                             (unsigned)seen[i]->line);
    seen[i] = key;
    s->typed[i] = true;
    char place[MODEL_WHAT_MAX + SPEC_WORD_MAX + 8];
    snprintf(place, sizeof place, "%s, %.*s", what, SPEC_WORD_MAX, name);
    return model_number(r, value, place, MODEL_ANY, s->point + i);
}

bool model_read_point(model_reader *r, model_subsystem *s, const spec_node *node) {
    char what[MODEL_WHAT_MAX], *name = NULL;
    if (node == NULL) return true;
    snprintf(what, sizeof what, "subsystem '%s', operating_point", s->name);
    if (!spec_pairs(r->file, node, what, "{x: 1, v: 0}")) return false;
    int first = r->body->formula_count;
    memory_local const spec_node **seen = model_alloc(r, (size_t)s->states + (size_t)s->inputs, sizeof *seen);
    s->typed = model_alloc(r, (size_t)(s->states + s->inputs) + 1, sizeof *s->typed);
    bool fine = seen != NULL && s->typed != NULL;
    SPEC_EACH_KEY(key, r->file, node)
    fine = seen != NULL && s->typed != NULL && spec_line(r->file, key, what, &name) &&
           read_coordinate(r, s, key, what, name, seen) && fine;
    for (int i = first; i < r->body->formula_count; i++) model_set_join(&s->uses, &r->body->formulas[i].uses);
    memory_free(name);
    return fine;
}

/* ---- Model ---- */

typedef struct rest_values {
    bool solve;
    const spec_node *hold;
} rest_values;

static const spec_key rest_keys[] = {
    {"solve", false, "solve: true", "true: as `operating_point: solve`",
     SPEC_VALUE(SPEC_FLAG, rest_values, solve)},
    {"hold", false, "hold: [motor.a]",
     "states that keep their values if the equilibrium does not determine all states, for example the common angle of coupled shafts; default: states with a value in the file, then the first ones",
     SPEC_VALUE(SPEC_NODE, rest_values, hold)},
};
const spec_keys spec_rest_keys = {SPEC_TABLE(rest_keys)};

static bool is_nonlinear(const model_subsystem *s) {
    return s->equations != NULL || (s->foreign && !s->sampled);
}

static void read_held(model_reader *r, const spec_node *node) {
    char word[MODEL_PORT_SIZE], *name;
    int s =
        model_split_port(r, node, "operating_point, hold", "subsystem.state, such as motor.a", &name, word);
    if (s < 0) return;
    model_subsystem *of = &r->body->subsystems[s];
    int i = model_find_state(of, name);
    if (i < 0) {
        spec_complain(r->file, node, "operating_point, hold: subsystem '%s' has no state '%s'", of->name,
                      name);
        return;
    }
    if (of->hold == NULL) of->hold = model_alloc(r, (size_t)of->states + 1, sizeof *of->hold);
    if (of->hold != NULL) of->hold[i] = true;
}

void model_read_rest(model_reader *r, const spec_node *node) {
    rest_values values = {.solve = false};
    if (node == NULL) return;
    r->body->rest_place = (model_place){r->path, node->line, node->column};
    values.solve = spec_is(r->file, node, "solve");
    if (node->kind == SPEC_SCALAR && !values.solve) {
        spec_expected(r->file, node, "operating_point",
                      "'solve' or a mapping such as {solve: true, hold: [motor.a]}");
        return;
    }
    if (!values.solve && !spec_read_mapping(r->file, node, "operating_point", SPEC_TABLE(rest_keys), &values))
        return;
    for (int s = 0; s < r->body->subsystem_count; s++) {
        model_subsystem *of = &r->body->subsystems[s];
        if (is_nonlinear(of) && !of->solve_given) of->solve = values.solve;
    }
    if (values.hold == NULL || !spec_list(r->file, values.hold, "operating_point, hold", 0)) return;
    SPEC_EACH(item, r->file, values.hold) read_held(r, item);
}

bool model_is_of_solution(const costab_model *model, int slot) {
    bool found = false;
    for (int i = 0; i < model->coupling_count; i++) {
        const model_coupling *c = &model->body->couplings[i];
        found = found || (slot >= c->slots && slot < c->slots_end);
    }
    for (int s = 0; s < model->body->subsystem_count; s++) {
        const model_subsystem *q = &model->body->subsystems[s];
        found = found || slot == q->substeps || slot == q->step || slot == q->stride;
    }
    for (int c = 0; c < model->body->connection_count; c++) { /* a dead time belongs to the system */
        const model_connection *q = &model->body->connections[c];
        found = found || slot == q->delay || slot == q->delay_time ||
                (q->weights >= 0 && slot >= q->weights && slot < q->weights + MODEL_WEIGHTS);
    }
    return found;
}

/* Returns true if a subsystem has no states and no given values, so its connections determine all values. */
static bool is_algebraic(const model_subsystem *s) {
    bool given = s->solve_given;
    for (int i = 0; s->typed != NULL && i < s->inputs; i++) given = given || s->typed[i];
    return s->states == 0 && !given;
}

void model_link_rest(model_reader *r) {
    model_body *body = r->body;
    bool solves = false;
    for (int s = 0; s < body->subsystem_count; s++) solves = solves || body->subsystems[s].solve;
    for (int s = 0; s < body->subsystem_count; s++) {
        model_subsystem *of = &body->subsystems[s];
        of->solve = is_nonlinear(of) && (of->solve || (solves && is_algebraic(of)));
        if (of->inputs_given && !of->solve)
            spec_complain_at(r->file, of->point_place.line, of->point_place.column,
                             "subsystem '%s', operating_point: 'inputs: given' requires a point that is "
                             "solved for; add 'solve: true', or leave it out: all values are kept then",
                             of->name);
        if (of->solve && !body->solves && body->rest_place.path == NULL) body->rest_place = of->point_place;
        body->solves = body->solves || of->solve;
        model_set_join(&body->rest_uses, &of->uses);
    }
    for (int i = 0; i < body->formula_count; i++)
        if (!model_is_of_solution(r->model, body->formulas[i].slot))
            model_set_join(&body->rest_uses, &body->formulas[i].uses);
    for (int i = 0; i < body->source_count; i++)
        model_set_join(&body->rest_uses, &body->sources[i].formula.uses);
}
