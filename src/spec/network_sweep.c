/* Reads the keys of a network's spec that describe the sweep: axes, samples, best, fields and history.
 * 1. Axes: parameters with values, or with a distribution for `samples`: uniform over a range (`10 %` about
 *    the model's value, or from and to) or normal (mean and deviation).
 * 2. `best`: the range of macro steps, and the error, for the comparison of couplings at each point.
 * 3. Fields: each is checked for its requirements, such as a history for fields of a run.
 * 4. Histories: the end, the stored signals, and sequences of macro steps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "spec/fields.h"
#include "spec/network.h"
#include "spec/sections.h"
#include "spec/spec.h"

/* ---- Comparing couplings */

typedef struct best_values {
    const spec_node *over;
    double range[2], error, until;
} best_values;

static const spec_key best_keys[] = {
    {"over", true, "over: H", "the parameter that is the macro step; it must not be an axis",
     SPEC_VALUE(SPEC_NODE, best_values, over)},
    {"range", true, "range: [0.001, 0.1]",
     "range of the macro step: the coupling must be stable from the first number on",
     SPEC_VALUE(SPEC_NUMBERS, best_values, range), .most = 2},
    {"error", false, "error: 0.001",
     "the best coupling costs least with errors of at most this, as `advise` counts; without this key it has the largest stable macro step",
     SPEC_VALUE(SPEC_POSITIVE, best_values, error)},
    {"until", false, "until: 2", "errors are evaluated up to this time; needed with `error`",
     SPEC_VALUE(SPEC_POSITIVE, best_values, until)},
};
const spec_keys spec_best_keys = {SPEC_TABLE(best_keys)};

/* Returns true if a parameter is an axis or uncertain. */
static bool is_axis(const costab_spec *spec, int parameter) {
    for (int i = 0; i < spec->axis_count; i++)
        if (spec->axis_parameters[i] == parameter) return true;
    for (int i = 0; i < spec->uncertain_count; i++)
        if (spec->uncertain[i].parameter == parameter) return true;
    return false;
}

void network_read_best(model_reader *r, const spec_node *node, costab_spec *spec) {
    costab_best *best = &spec->best;
    best_values values = {.error = (double)NAN, .until = (double)NAN};
    char name[SPEC_WORD_MAX];
    costab_error why;
    if (!spec_read_mapping(r->file, node, "best", SPEC_TABLE(best_keys), &values)) return;
    if (!spec_word(r->file, values.over, "best, over", name)) return;
    if (costab_model_find_parameter(r->model, name, &best->parameter, &why))
        spec_complain(r->file, values.over, "best, over: %s", why.message);
    else if (r->model->parameters[best->parameter].derived)
        spec_complain(r->file, values.over, "best, over: '%s' is computed from others; name one of those",
                      name);
    else if (is_axis(spec, best->parameter))
        spec_complain(r->file, values.over,
                      "best, over: '%s' is also an axis; every point already covers all macro steps", name);
    if (!(values.range[0] > 0 && values.range[0] < values.range[1]))
        spec_complain(r->file, spec_find(r->file, node, "range"),
                      "best, range: expected two numbers above 0, the smaller first");
    if (isnan(values.error) != isnan(values.until))
        spec_complain(r->file, node, "best: 'error' and 'until' go together");
    best->lower = values.range[0];
    best->upper = values.range[1];
    best->error = values.error;
    best->until = values.until;
}

void network_check_best(model_reader *r, const spec_node *node, const spec_node *fields,
                        const costab_spec *spec) {
    unsigned asked = spec->fields & COSTAB_NETWORK_OF_BEST;
    if (asked != 0 && node == NULL)
        spec_complain(r->file, fields,
                      "fields: the best coupling needs a range of macro steps; write for instance 'best: "
                      "{over: H, range: [0.001, 0.1]}'");
    if (asked == 0 && node != NULL)
        spec_complain(r->file, node, "best: no field uses it; write for instance 'fields: [best]'");
    if ((asked & COSTAB_NETWORK_BEST_COST) != 0 && node != NULL && isnan(spec->best.error))
        spec_complain(r->file, fields,
                      "fields: 'best_cost' needs an error limit; give 'best' the keys 'error' and 'until'");
}

/* ---- Uncertain axes */

typedef struct uncertain_axis {
    const spec_node *uncertain;
} uncertain_axis;

typedef struct distribution {
    double from, to, mean, deviation;
} distribution;

static const spec_key axis_keys[] = {
    {"uncertain", true, "uncertain: 10 %",
     "for networks: a distribution of the parameter instead of values, for the fields probability and worst_radius: 10 % around the model's value, or a mapping",
     SPEC_VALUE(SPEC_NODE, uncertain_axis, uncertain)},
};
const spec_keys spec_uncertain_keys = {SPEC_TABLE(axis_keys)};

static const spec_key distribution_keys[] = {
    {"from", false, "from: 1", "all values from here", SPEC_VALUE(SPEC_NUMBER, distribution, from)},
    {"to", false, "to: 2", "up to here are equally likely", SPEC_VALUE(SPEC_NUMBER, distribution, to)},
    {"mean", false, "mean: 1.5", "instead: of a normal distribution",
     SPEC_VALUE(SPEC_NUMBER, distribution, mean)},
    {"deviation", false, "deviation: 0.1", "its standard deviation",
     SPEC_VALUE(SPEC_POSITIVE, distribution, deviation)},
};
const spec_keys spec_distribution_keys = {SPEC_TABLE(distribution_keys)};

static bool is_uncertain(const spec_file *file, const spec_node *node) {
    return node->kind == SPEC_MAPPING && spec_find(file, node, "uncertain") != NULL;
}

/* Reads "10 %": a number above 0 and the sign. */
static bool read_part(spec_file *file, const spec_node *node, const char *what, double *part) {
    const char *written = spec_text(file, node);
    size_t length = node->kind == SPEC_SCALAR ? node->size : 0;
    bool sign = length > 0 && written[length - 1] == '%';
    if (sign) length--;
    while (sign && length > 0 && written[length - 1] == ' ') length--;
    if (!sign || !number_parse(written, length, part) || !(*part > 0))
        return spec_expected(file, node, what, "10 %, {from: 1, to: 2} or {mean: 1, deviation: 0.1}");
    *part /= 100;
    return true;
}

static bool read_distribution(spec_file *file, const spec_node *node, const char *what,
                              costab_uncertain *uncertain) {
    distribution d = {.from = (double)NAN, .to = (double)NAN, .mean = (double)NAN, .deviation = (double)NAN};
    if (!spec_read_mapping(file, node, what, SPEC_TABLE(distribution_keys), &d)) return false;
    bool range = !isnan(d.from) && !isnan(d.to) && isnan(d.mean) && isnan(d.deviation);
    bool normal = isnan(d.from) && isnan(d.to) && !isnan(d.mean) && !isnan(d.deviation);
    if (!range && !normal)
        return spec_complain(file, node, "%s: write {from: 1, to: 2} or {mean: 1, deviation: 0.1}", what);
    if (range && !(d.from < d.to && isfinite(d.to - d.from)))
        return spec_complain(file, spec_find(file, node, "to"), "%s: 'to' must be more than 'from'", what);
    uncertain->distribution = range ? COSTAB_DISTRIBUTION_RANGE : COSTAB_DISTRIBUTION_NORMAL;
    uncertain->first = range ? d.from : d.mean;
    uncertain->second = range ? d.to : d.deviation;
    return true;
}

static bool read_uncertain_values(spec_file *file, const spec_node *node, const char *name,
                                  costab_uncertain *uncertain) {
    char what[COSTAB_NAME_MAX + 24];
    uncertain_axis axis = {NULL};
    (void)snprintf(what, sizeof what, "axis '%.60s', uncertain", name);
    if (!spec_read_mapping(file, node, what, SPEC_TABLE(axis_keys), &axis)) return false;
    if (axis.uncertain->kind == SPEC_MAPPING) return read_distribution(file, axis.uncertain, what, uncertain);
    uncertain->distribution = COSTAB_DISTRIBUTION_PART;
    return read_part(file, axis.uncertain, what, &uncertain->first);
}

void spec_read_samples(spec_file *file, const spec_node *node, costab_spec *spec) {
    size_t samples = COSTAB_SAMPLES;
    if (node != NULL && !spec_whole(file, node, "samples", COSTAB_SCRAMBLINGS, COSTAB_SAMPLES_MAX, &samples))
        return;
    if (samples % COSTAB_SCRAMBLINGS != 0)
        spec_complain(file, node, "samples: a multiple of %d, the number of independent sets",
                      COSTAB_SCRAMBLINGS);
    if (node != NULL && spec->uncertain_count == 0)
        spec_complain(file, node,
                      "samples: no axis is uncertain; write for instance 'axes: {k: {uncertain: 10 "
                      "%%}}'");
    spec->samples = (int)samples;
}

/* ---- Axes */

/* Returns true if a dataset of the results file has this name. */
static bool is_taken(const char *name) {
    static const char *const taken[] = {"coupling", "level_one", "spec", "computed", "removed_modes"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(name, taken[i]) == 0) return true;
    for (int i = 0; i < network_field_count(); i++)
        if (strcmp(name, costab_network_field_name(i)) == 0) return true;
    return false;
}

/* Returns the parameter of an axis; -1 after an error. */
static int find_axis(model_reader *r, const spec_node *key, const char *name, const costab_spec *spec) {
    const costab_model *model = r->model;
    int parameter = costab_model_parameter(model, name);
    char words[MODEL_MEANT_MAX];
    if (parameter < 0) {
        spec_complain(r->file, key, "axes: '%s' is not a parameter of the model%s", name,
                      model_meant(model, name, words));
        return -1;
    }
    if (is_taken(name)) {
        spec_complain(r->file, key, "axes: '%s' is a name of the results file; rename the parameter", name);
        return -1;
    }
    if (!is_axis(spec, parameter)) return parameter;
    spec_complain(r->file, key, "axes: the axis '%s' is repeated", name);
    return -1;
}

/* Reads an axis with a distribution instead of values. */
static void read_uncertain(model_reader *r, const spec_node *key, const spec_node *value, int parameter,
                           const char *name, costab_spec *spec) {
    costab_uncertain *uncertain = &spec->uncertain[spec->uncertain_count];
    if (spec->uncertain_count == COSTAB_UNCERTAIN_MAX) {
        spec_complain(r->file, key, "axes: at most %d can be uncertain", COSTAB_UNCERTAIN_MAX);
        return;
    }
    if (r->model->parameters[parameter].derived) {
        spec_complain(r->file, key, "axes: '%s' is computed from others; let those be uncertain", name);
        return;
    }
    if (!read_uncertain_values(r->file, value, name, uncertain)) return;
    uncertain->parameter = parameter;
    spec->uncertain_count++;
}

void network_read_axes(model_reader *r, const spec_node *node, costab_spec *spec) {
    char name[SPEC_WORD_MAX];
    if (!spec_pairs(r->file, node, "axes", "{H: {from: 0.1, to: 5, points: 50}}")) return;
    SPEC_EACH_KEY(key, r->file, node) {
        if (!spec_word(r->file, key, "axes", name)) continue;
        int parameter = find_axis(r, key, name, spec);
        if (parameter < 0) continue;
        if (spec->axis_count == COSTAB_SPEC_AXES_MAX) {
            spec_complain(r->file, key, "axes: at most %d are possible", COSTAB_SPEC_AXES_MAX);
            return;
        }
        const spec_node *value = spec_next(r->file, key);
        if (is_uncertain(r->file, value)) {
            read_uncertain(r, key, value, parameter, name, spec);
            continue;
        }
        costab_axis *axis = &spec->axes[spec->axis_count];
        memcpy(axis->name, name, strlen(name) + 1);
        if (!spec_read_axis(r->file, value, name, &spec->words[spec->axis_count], axis)) continue;
        spec->axis_parameters[spec->axis_count++] = parameter;
        const char *unit = costab_model_parameter_unit(r->model, parameter);
        if (unit != NULL && axis->unit != NULL && !model_same_unit(unit, axis->unit))
            spec_complain(
                r->file, value,
                "axis '%s': its values are in %.80s, as in the model, not in %.80s; 'display' chooses the unit of figures",
                name, unit, axis->unit);
    }
}

/* ---- Fields, histories */

static bool has_parameter(const model_reader *r, const char *name) {
    int index;
    return costab_model_find_parameter(r->model, name, &index, NULL) == COSTAB_OK;
}

void network_check_fields(model_reader *r, const spec_node *node, const spec_node *history,
                          costab_spec *spec) {
    unsigned *fields = &spec->fields;
    const struct {
        unsigned of;
        bool missing;
        const char *needs;
    } rows[] = {
        {COSTAB_NETWORK_OF_RUN, history == NULL,
         "needs the end of the run; write for instance 'history: {until: 20}'"},
        {COSTAB_NETWORK_ENERGY_RESIDUAL | COSTAB_NETWORK_ENERGY_MADE, r->body->bond_count == 0,
         "is the energy of power bonds, and the model has none; add the key 'power_bonds'"},
        {COSTAB_NETWORK_PATTERN_RADIUS, !has_parameter(r, "H1") || !has_parameter(r, "H2"),
         "is for sequences of two macro steps, the parameters H1 and H2; the model lacks one of them"},
        {COSTAB_NETWORK_OF_SAMPLES, spec->uncertain_count == 0,
         "is over uncertain parameters; write for instance 'axes: {k: {uncertain: 10 %}}'"},
    };
    if ((*fields & COSTAB_NETWORK_PROBABILITY) != 0) *fields |= COSTAB_NETWORK_PROBABILITY_ERROR;
    for (int i = 0; i < network_field_count(); i++) {
        unsigned field = *fields & 1U << i;
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            if ((field & rows[k].of) != 0 && rows[k].missing)
                spec_complain(r->file, node, "fields: '%s' %s", costab_network_field_name(i), rows[k].needs);
        if (field == COSTAB_NETWORK_ERROR_BOUND && r->body->subsystem_count != 2)
            spec_complain(r->file, node, "fields: 'error_bound' is for two subsystems; this network has %d",
                          r->body->subsystem_count);
    }
}

typedef struct history_values {
    double until;
    bool local;
    const spec_node *signals, *steps;
} history_values;

static const spec_key history_keys[] = {
    {"until", true, "until: 20", "the end of a run in seconds",
     SPEC_VALUE(SPEC_POSITIVE, history_values, until)},
    {"local", false, "local: true",
     "true: also stores the micro steps of signals, at most 2^24 values per coupling; without axes",
     SPEC_VALUE(SPEC_FLAG, history_values, local)},
    {"signals", false, "signals: [plant.speed]",
     "stored signals: plant.speed, or plant.speed (input) if an input has the name of an output or a state; without this key a run may have any length; without axes",
     SPEC_VALUE(SPEC_NODE, history_values, signals)},
    {"steps", false, "steps: [0.001, 0.025]",
     "macro steps, repeated in this order, instead of macro_step: for all couplings, or for some, {fast: [0.001, 0.025]}; without axes",
     SPEC_VALUE(SPEC_NODE, history_values, steps)},
};
const spec_keys spec_history_keys = {SPEC_TABLE(history_keys)};

/* Reads `subsystem.name`: an output of that name, otherwise a state, otherwise an input. `subsystem.name
 * (input)`: an input. */
static void read_signal(model_reader *r, const spec_node *node) {
    char word[MODEL_PORT_SIZE], *name;
    costab_network_history *history = &r->model->history;
    int s =
        model_split_port(r, node, "history, signals", "subsystem.signal, such as plant.speed", &name, word);
    if (s < 0) return;
    const model_subsystem *owner = &r->body->subsystems[s];
    char *end = strstr(name, " (input)");
    bool input = end != NULL && strcmp(end, " (input)") == 0;
    if (input) *end = '\0';
    const struct {
        costab_signal_kind kind;
        int index;
    } found[] = {{COSTAB_SIGNAL_OUTPUT, model_index_of(owner->output_names, owner->outputs, name)},
                 {COSTAB_SIGNAL_STATE, model_find_state(owner, name)},
                 {COSTAB_SIGNAL_INPUT, model_index_of(owner->input_names, owner->inputs, name)}};
    for (size_t k = 0; k < sizeof found / sizeof *found; k++) {
        if (found[k].index < 0 || (input && found[k].kind != COSTAB_SIGNAL_INPUT)) continue;
        history->signals[history->signal_count++] =
            (struct costab_network_signal){found[k].kind, s, found[k].index};
        return;
    }
    spec_complain(r->file, node, "history, signals: subsystem '%s' has no output, state or input '%s'", word,
                  name);
}

/* Reads the sequence of macro steps of one coupling or, with name NULL, of all. */
static void read_turn(model_reader *r, char *name, const spec_node *list) {
    costab_history_steps *turn = &r->model->history.turns[r->model->history.turn_count++];
    turn->coupling = name;
    for (int i = 0; name != NULL && i + 1 < r->model->history.turn_count; i++)
        if (strcmp(r->model->history.turns[i].coupling, name) == 0)
            spec_complain(r->file, list, "history, steps: '%.200s' is repeated", name);
    if (!spec_list(r->file, list, "history, steps", 0)) return;
    turn->steps = model_alloc(r, list->size, sizeof *turn->steps);
    if (turn->steps == NULL) return;
    SPEC_EACH(item, r->file, list) {
        double step = 1;
        if (spec_number(r->file, item, "history, steps", &step) && !(step > 0))
            spec_complain(r->file, item, "history, steps: a macro step is above 0, not %g", step);
        turn->steps[turn->count++] = step;
    }
}

static void read_turns(model_reader *r, const spec_node *node) {
    const costab_model *model = r->model;
    bool one = node->kind != SPEC_MAPPING;
    r->model->history.turns = model_alloc(r, one ? 1 : node->size, sizeof *model->history.turns);
    if (model->history.turns == NULL) return;
    if (one) read_turn(r, NULL, node);
    for (const spec_node *key = one ? NULL : spec_first(r->file, node); key != NULL && !r->memory_failed;) {
        const spec_node *list = spec_next(r->file, key);
        char *name = NULL;
        if (spec_line(r->file, key, "history, steps", &name)) {
            if (model_index_of(model->coupling_names, model->coupling_count, name) < 0)
                spec_complain(r->file, key, "history, steps: the model has no coupling '%.200s'", name);
            read_turn(r, name, list);
        }
        key = spec_next(r->file, list);
    }
}

void network_read_history(model_reader *r, const spec_node *node) {
    costab_network_history *history = &r->model->history;
    history_values values = {.until = 0};
    if (!spec_read_mapping(r->file, node, "history", SPEC_TABLE(history_keys), &values)) return;
    history->until = values.until;
    history->local = values.local;
    if (values.steps != NULL && r->axis_count > 0)
        spec_complain(r->file, values.steps,
                      "history, steps: only allowed without axes; a point of a chart has macro steps of "
                      "equal length");
    if (r->axis_count > 0 && (values.signals != NULL || values.local))
        spec_warn(r->first, r->file, node,
                  "history: with axes no signals are stored, only the fields of runs; 'signals' and 'local' "
                  "have no effect");
    if (values.steps != NULL) read_turns(r, values.steps);
    if (values.signals == NULL || !spec_list(r->file, values.signals, "history, signals", 0)) return;
    history->signals = model_alloc(r, values.signals->size, sizeof *history->signals);
    if (history->signals == NULL) return;
    SPEC_EACH(item, r->file, values.signals) read_signal(r, item);
}
