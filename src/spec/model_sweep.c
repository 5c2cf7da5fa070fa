/* What a sweep asks of a network: axes, fields, time histories. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/spelling.h"
#include "spec/model_parts.h"
#include "spec/parts.h"

/* ---- Axes
 * --------------------------------------------------------------------------------------------------- */

static const char *const field_names[COSTAB_NETWORK_FIELD_COUNT] = {
    "class", "spectral_radius", "spectral_abscissa", "iteration_radius",
    "error", "error_bound",     "energy_residual"};

const char *costab_network_field_name(int i) {
    return i >= 0 && i < COSTAB_NETWORK_FIELD_COUNT ? field_names[i] : NULL;
}

static bool is_taken(const char *name) {
    static const char *const taken[] = {"coupling", "level_one", "spec", "computed"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(name, taken[i]) == 0) return true;
    for (int i = 0; i < COSTAB_NETWORK_FIELD_COUNT; i++)
        if (strcmp(name, field_names[i]) == 0) return true;
    return false;
}

/* The parameter of an axis; -1 after complaining. */
static int find_axis(model_reader *r, const spec_node *key, const char *name) {
    costab_model *model = r->model;
    int parameter = costab_model_parameter(model, name);
    const char *near = spelling_nearest(name, r->parts->parameter_names, (size_t)model->parameter_count,
                                        sizeof *r->parts->parameter_names);
    if (parameter < 0 && near != NULL)
        spec_complain(r->file, key, "axes: '%s' is no parameter; did you mean '%s'?", name, near);
    else if (parameter < 0)
        spec_complain(r->file, key, "axes: '%s' is no parameter; an axis has the name of one", name);
    if (parameter < 0) return -1;
    if (is_taken(name)) {
        spec_complain(r->file, key, "axes: '%s' is a name of the results file; rename the parameter", name);
        return -1;
    }
    for (int i = 0; i < model->axis_count; i++) {
        if (model->axis_parameters[i] != parameter) continue;
        spec_complain(r->file, key, "axes: the axis '%s' is repeated", name);
        return -1;
    }
    return parameter;
}

void model_read_axes(model_reader *r, const spec_node *node) {
    costab_model *model = r->model;
    char shown[SPEC_SHOW_MAX], name[SPEC_WORD_MAX];
    if (node->kind != SPEC_MAPPING || node->size == 0) {
        if (node->kind != SPEC_SKIPPED)
            spec_complain(r->file, node,
                          "axes: expected a mapping such as {H: {from: 0.1, to: 5, points: 50}}, found %s",
                          spec_show(r->file, node, shown));
        return;
    }
    for (const spec_node *key = spec_first(r->file, node); key != NULL;
         key = spec_next(r->file, spec_next(r->file, key))) {
        if (key->kind == SPEC_SKIPPED || !spec_word(r->file, key, "axes", name)) continue;
        int parameter = find_axis(r, key, name);
        if (parameter < 0) continue;
        if (model->axis_count == COSTAB_NETWORK_AXES_MAX) {
            spec_complain(r->file, key, "axes: at most %d are possible", COSTAB_NETWORK_AXES_MAX);
            return;
        }
        costab_axis *axis = &model->axes[model->axis_count];
        memcpy(axis->name, name, strlen(name) + 1);
        if (spec_read_axis(r->file, spec_next(r->file, key), name, axis))
            model->axis_parameters[model->axis_count++] = parameter;
    }
}

/* ---- Fields, histories
 * -------------------------------------------------------------------------------------- */

void model_read_fields(model_reader *r, const spec_node *node) {
    size_t indices[COSTAB_NETWORK_FIELD_COUNT], count;
    if (!spec_choices(r->file, node, "fields", field_names, COSTAB_NETWORK_FIELD_COUNT, indices, &count))
        return;
    r->model->fields = 0;
    for (size_t i = 0; i < count; i++) r->model->fields |= 1U << indices[i];
}

void model_check_fields(model_reader *r, const spec_node *node, const spec_node *history) {
    const costab_model *model = r->model;
    for (int i = 0; i < COSTAB_NETWORK_FIELD_COUNT; i++) {
        unsigned flag = 1U << i;
        bool run = flag >= COSTAB_NETWORK_ERROR;
        if ((model->fields & flag) == 0) continue;
        if (run && history == NULL)
            spec_complain(r->file, node,
                          "fields: '%s' needs the end of the run; write for instance 'history: "
                          "{until: 20}'",
                          field_names[i]);
        if (flag == COSTAB_NETWORK_ENERGY_RESIDUAL && r->parts->bond_count == 0)
            spec_complain(r->file, node,
                          "fields: '%s' is the energy of power bonds, and the model has none; add the key "
                          "'power_bonds'",
                          field_names[i]);
        if (flag == COSTAB_NETWORK_ERROR_BOUND && r->parts->subsystem_count != 2)
            spec_complain(r->file, node, "fields: '%s' is for two subsystems; this network has %d",
                          field_names[i], r->parts->subsystem_count);
    }
}

static const spec_key refine_keys[] = {
    {"cell", true, "cell: 16", model_keep},
};

void model_read_refine(model_reader *r, const spec_node *node) {
    static const char *const answers[] = {"false", "true"};
    costab_model *model = r->model;
    size_t answer = 0, cell = COSTAB_REFINE_CELL;
    if (node->kind != SPEC_MAPPING && !spec_choice(r->file, node, "refine", answers, 2, &answer)) return;
    if (node->kind == SPEC_MAPPING) {
        answer = 1;
        if (!spec_read_mapping(r->file, node, "refine", refine_keys, sizeof refine_keys / sizeof *refine_keys,
                               NULL) ||
            !spec_whole(r->file, spec_find(r->file, node, "cell"), "refine, cell", 2, COSTAB_REFINE_CELL_MAX,
                        &cell))
            return;
    }
    if (answer == 0) return;
    if (model->axis_count == 0)
        spec_complain(r->file, node, "refine: there is no grid to refine; give 'axes' or leave the key out");
    else if ((model->fields & COSTAB_NETWORK_CLASS) == 0)
        spec_complain(r->file, node, "refine: it fills the field 'class', which is not among 'fields'");
    else if (model->fields >= COSTAB_NETWORK_ERROR)
        spec_complain(
            r->file, node,
            "refine: 'fields' has one of a run, which is for every point; leave one of the two out");
    else
        model->refine_cell = cell;
}

static const spec_key history_keys[] = {
    {"until", true, "until: 20", model_keep},
    {"local", false, "local: true", model_keep},
    {"signals", false, "signals: [plant.speed]", model_keep},
};

static int index_of(char *const *names, int count, const char *name) {
    for (int i = 0; names != NULL && i < count; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

/* States without names are x1, x2, ... */
static int state_of(const model_subsystem *s, const char *name) {
    if (s->state_names != NULL) return index_of(s->state_names, s->states, name);
    for (int i = 0; i < s->states; i++) {
        char usual[24];
        snprintf(usual, sizeof usual, "x%d", i + 1);
        if (strcmp(usual, name) == 0) return i;
    }
    return -1;
}

/* `subsystem.name`: an output of that name, else a state, else an input. */
static void read_signal(model_reader *r, const spec_node *node) {
    char word[2 * SPEC_WORD_MAX], shown[SPEC_SHOW_MAX];
    costab_network_history *history = &r->model->history;
    const char *dot = node->kind == SPEC_SCALAR ? memchr(spec_text(r->file, node), '.', node->size) : NULL;
    if (dot == NULL || node->size >= sizeof word) {
        if (node->kind != SPEC_SKIPPED)
            spec_complain(r->file, node,
                          "history, signals: expected subsystem.signal, such as plant.speed, found %s",
                          spec_show(r->file, node, shown));
        return;
    }
    memcpy(word, spec_text(r->file, node), node->size);
    word[node->size] = '\0';
    char *name = strchr(word, '.');
    *name++ = '\0';
    int s = model_find_subsystem(r, node, "history, signals", word);
    if (s < 0 || r->parts->subsystems[s].broken) return;
    const model_subsystem *part = &r->parts->subsystems[s];
    costab_signal_kind kind = COSTAB_SIGNAL_OUTPUT;
    int index = index_of(part->output_names, part->outputs, name);
    if (index < 0) {
        kind = COSTAB_SIGNAL_STATE;
        index = state_of(part, name);
    }
    if (index < 0) {
        kind = COSTAB_SIGNAL_INPUT;
        index = index_of(part->input_names, part->inputs, name);
    }
    if (index < 0) {
        spec_complain(r->file, node, "history, signals: subsystem '%s' has no output, state or input '%s'",
                      word, name);
        return;
    }
    history->signals[history->signal_count].kind = kind;
    history->signals[history->signal_count].subsystem = s;
    history->signals[history->signal_count++].index = index;
}

void model_read_history(model_reader *r, const spec_node *node) {
    static const char *const answers[] = {"false", "true"};
    costab_network_history *history = &r->model->history;
    if (!spec_read_mapping(r->file, node, "history", history_keys, sizeof history_keys / sizeof *history_keys,
                           NULL))
        return;
    const spec_node *until = spec_find(r->file, node, "until"), *local = spec_find(r->file, node, "local");
    const spec_node *signals = spec_find(r->file, node, "signals");
    size_t index = 0;
    if (spec_number(r->file, until, "history, until", &history->until) && !(history->until > 0))
        spec_complain(r->file, until, "history, until: expected a positive number");
    if (local != NULL && spec_choice(r->file, local, "history, local", answers, 2, &index))
        history->local = index == 1;
    if (signals == NULL || !spec_list(r->file, signals, "history, signals", 0)) return;
    history->signals = model_alloc(r, signals->size, sizeof *history->signals);
    for (const spec_node *item = spec_first(r->file, signals); item != NULL && history->signals != NULL;
         item = spec_next(r->file, item))
        read_signal(r, item);
}
