/* Reads parameters: names with numbers or with expressions in other parameters. Depth-first search sorts them
 * by dependence; an error marks the closing parameter of a cycle. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/body.h"

/* A name, its value, and the file of its last definition. */
typedef struct entry {
    const spec_node *key, *value;
    spec_file *file;
} entry;

static bool check_name(model_reader *r, const spec_node *key, char name[SPEC_WORD_MAX]) {
    char shown[SPEC_SHOW_MAX];
    if (!spec_word(r->file, key, "parameters", name)) return false;
    if (strlen(name) == key->size && formula_is_name(name) && strcmp(name, "t") != 0) return true;
    double number;
    bool decimal = number_parse_double(name, strlen(name), &number);
    return spec_complain(
        r->file, key,
        decimal ? "parameters: %s cannot be a parameter's name; decimals are written with a point"
                : "parameters: %s cannot be a parameter's name: a name is a letter, then letters, digits and "
                  "underscores, and none of pi, t, nan, inf and the functions' names",
        spec_show(r->file, key, shown));
}

/* Adds the parameters of one file. replace: its values override those of earlier files. */
static void gather(model_reader *r, const spec_node *node, entry *entries, bool replace) {
    costab_model *model = r->model;
    if (!spec_pairs(r->file, node, "parameters", "{m: 2, k: 10}")) return;
    SPEC_EACH_KEY(key, r->file, node) {
        char name[SPEC_WORD_MAX];
        if (!check_name(r, key, name)) continue;
        int i = costab_model_parameter(model, name);
        if (i >= 0 && (!replace || entries[i].file == r->file)) {
            spec_complain(r->file, key, "parameters: '%s' is repeated; line %u has it already", name,
                          (unsigned)entries[i].key->line);
            continue;
        }
        if (i < 0 && r->file == r->set) {
            spec_complain(r->file, key, "parameters: the model has no parameter '%s' to set", name);
            continue;
        }
        if (i < 0 && model->parameter_count == COSTAB_PARAMETERS_MAX) {
            spec_complain(r->file, key, "parameters: at most %d are possible", COSTAB_PARAMETERS_MAX);
            return;
        }
        if (i < 0) {
            i = model->parameter_count;
            model->parameters[i].name = model_copy(r, name);
            if (model->parameters[i].name == NULL) return;
            r->body->parameter_names[i] = model->parameters[i].name;
            model->parameter_count++;
        }
        const spec_node *given = spec_next(r->file, key), *value;
        model_words words;
        value = model_worded(r, given, &spec_parameter_keys, "parameters", &words);
        const costab_model_words *before = costab_model_find_words(model, name);
        if (words.unit != NULL && before != NULL && before->unit != NULL &&
            !model_same_unit(words.unit, before->unit))
            spec_complain(r->file, given, "parameters: '%s' is in %.80s in the model, not in %.80s", name,
                          before->unit, words.unit);
        entries[i] = (entry){key, value != NULL ? value : given, r->file};
        model_keep_words(r, "", name, &words, replace);
    }
}

static void read_value(model_reader *r, const spec_node *node, int i) {
    costab_parameter *parameter = &r->model->parameters[i];
    char what[MODEL_WHAT_MAX];
    snprintf(what, sizeof what, "parameter '%s'", parameter->name);
    bool plain = node->kind == SPEC_SCALAR && !node->quoted &&
                 number_parse_double(spec_text(r->file, node), node->size, &parameter->value);
    if (plain || node->kind == SPEC_SKIPPED || node->kind == SPEC_MAPPING) return;
    model_formula *formula = &r->body->derived[i];
    formula_scope scope = model_scope(r->model);
    parameter->derived = model_expression(r, node, what, &scope, formula);
}

static bool uses(const model_body *body, int i, int other) {
    return (body->derived[i].uses.words[other / 64] >> (other % 64) & 1) != 0;
}

enum { UNSEEN, OPEN, DONE };

/* Depth-first search with an explicit stack: each parameter follows the parameters it uses. */
static void order_from(model_reader *r, const entry *entries, int start, int *state, int *stack) {
    model_body *body = r->body;
    int depth = 0;
    stack[depth++] = start;
    state[start] = OPEN;
    while (depth > 0) {
        int i = stack[depth - 1], next = -1;
        for (int k = 0; k < r->model->parameter_count && next < 0; k++) {
            if (!uses(body, i, k)) continue;
            if (state[k] == OPEN) {
                spec_file *file = entries[i].file;
                spec_complain(file, entries[i].value,
                              k == i ? "parameter '%s': it depends on itself"
                                     : "parameter '%s': it depends on '%s', which depends on it in turn",
                              r->model->parameters[i].name, r->model->parameters[k].name);
                memset(&body->derived[i].uses, 0, sizeof body->derived[i].uses);
                break;
            }
            if (state[k] == UNSEEN) next = k;
        }
        if (next >= 0) {
            state[next] = OPEN;
            stack[depth++] = next;
            continue;
        }
        state[i] = DONE;
        depth--;
        if (body->derived[i].tape.count > 0) body->derived_order[body->derived_count++] = i;
    }
}

static void order(model_reader *r, const entry *entries) {
    int state[COSTAB_PARAMETERS_MAX] = {UNSEEN}, stack[COSTAB_PARAMETERS_MAX];
    for (int i = 0; i < r->model->parameter_count; i++)
        if (state[i] == UNSEEN) order_from(r, entries, i, state, stack);
}

void model_read_parameters(model_reader *r, const spec_node *node, const spec_node *overrides) {
    model_body *body = r->body;
    r->model->parameters = model_alloc(r, COSTAB_PARAMETERS_MAX, sizeof *r->model->parameters);
    body->parameter_names = model_alloc(r, COSTAB_PARAMETERS_MAX, sizeof *body->parameter_names);
    body->derived = model_alloc(r, COSTAB_PARAMETERS_MAX, sizeof *body->derived);
    body->derived_order = model_alloc(r, COSTAB_PARAMETERS_MAX, sizeof *body->derived_order);
    memory_local entry *entries = model_alloc(r, COSTAB_PARAMETERS_MAX, sizeof *entries);
    spec_file *file = r->file;
    if (!r->memory_failed) {
        if (node != NULL) gather(r, node, entries, false);
        model_turn_to(r, r->first);
        if (overrides != NULL) gather(r, overrides, entries, true);
        model_turn_to(r, r->set);
        const spec_node *set = spec_root(r->set);
        if (set != NULL) gather(r, set, entries, true);
        for (int i = 0; i < r->model->parameter_count && !r->memory_failed; i++) {
            model_turn_to(r, entries[i].file);
            read_value(r, entries[i].value, i);
        }
        if (!r->memory_failed) order(r, entries);
    }
    model_turn_to(r, file);
}
