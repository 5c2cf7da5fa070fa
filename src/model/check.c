/* Checks the relations between the sections of a model with the numbers of one point: the defaults, with
 * every axis at its first value.
 * 1. Update: an instance is updated at that point. Errors that depend on parameters are not errors of the
 *    file, because commands and axes replace the values; later updates report them. Without numbers at that
 *    point, other points of the axes are tried.
 * 2. The network's own check.
 * 3. Warnings: of the network (costab_network_warnings) and of FMUs; points that depend on time, connections
 *    between different units, unused parameters, several equilibria, inconsistent operating points.
 * 4. Structural modes (structure.c).
 * Without numbers at all tried points, the rest is skipped; the first successful update of an instance makes
 * up for the network check and the structural modes. Couplings are checked on use (network/choices.c). */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/rest.h"

/* Reports an error in its file if it is independent of all parameters; later updates report the others. */
static bool note(void *context, const model_set *uses, const model_place *place, const char *what,
                 const char *reason) {
    static const model_set none = {{0}};
    model_reader *r = context;
    spec_file *file = place->path == r->path ? r->file : r->first;
    if (memcmp(uses, &none, sizeof none) == 0)
        spec_complain_at(file, place->line, place->column, "%s: %s", what, reason);
    return true;
}

/* Runs the network's own check and reports each line. A gain from a formula may be 0 here without being 0 in
 * use. */
static void check_network(model_reader *r, costab_model_instance *instance, const spec_node *node) {
    const model_body *body = r->body;
    costab_network network = instance->network;
    costab_error error;
    memory_local costab_connection *connections =
        model_alloc(r, (size_t)network.connection_count + 1, sizeof *connections);
    if (connections == NULL) return;
    for (int c = 0; c < network.connection_count; c++) {
        connections[c] = network.connections[c];
        for (int i = 0; i < body->formula_count && connections[c].gain == 0; i++)
            if (body->formulas[i].slot == body->connections[c].gain) connections[c].gain = 1;
    }
    network.connections = connections;
    if (costab_network_check(&network, &error) == COSTAB_OK) return;
    for (char *line = error.message; line != NULL && *line != '\0';) {
        char *end = strchr(line, '\n');
        if (end != NULL) *end++ = '\0';
        spec_complain(r->file, node, "%s", line);
        line = end;
    }
}

/* ---- Warnings ---- */

typedef struct listener {
    model_reader *r;
    const spec_node *node; /* default position of warnings */
} listener;

/* Places a network warning at the first subsystem or port it names. */
static void hear(void *context, const char *warning) {
    const listener *to = context;
    const model_body *body = to->r->body;
    const spec_node *node = to->node;
    for (int s = 0; s < body->subsystem_count; s++) {
        char port[SPEC_WORD_MAX + 2], chain[SPEC_WORD_MAX + 2];
        snprintf(port, sizeof port, " %s.", body->subsystems[s].name);
        snprintf(chain, sizeof chain, " %s ", body->subsystems[s].name);
        if (strstr(warning, port) == NULL && strstr(warning, chain) == NULL) continue;
        const spec_node *inputs = spec_find(to->r->file, body->subsystems[s].node, "inputs");
        node = inputs != NULL ? inputs : body->subsystems[s].node;
        break;
    }
    spec_warn(to->r->first, to->r->file, node, warning);
}

static bool is_used(const model_body *body, int i) {
    model_set one = {{0}};
    model_set_add(&one, i);
    bool used = false;
    for (int k = 0; k < body->formula_count; k++)
        used = used || model_set_meets(&body->formulas[k].uses, &one);
    for (int k = 0; k < body->derived_count; k++)
        used = used || model_set_meets(&body->derived[body->derived_order[k]].uses, &one);
    for (int s = 0; s < body->subsystem_count; s++)
        used = used || model_set_meets(&body->subsystems[s].uses, &one);
    for (int k = 0; k < body->source_count; k++)
        used = used || model_set_meets(&body->sources[k].formula.uses, &one);
    return used;
}

static void warn_unused(const listener *to, const spec_node *parameters) {
    const model_reader *r = to->r;
    for (int i = 0; i < r->model->parameter_count; i++) {
        char words[120];
        const char *name = r->model->parameters[i].name;
        const spec_node *value = parameters != NULL ? spec_find(r->file, parameters, name) : NULL;
        bool step = strcmp(name, "H1") == 0 || strcmp(name, "H2") == 0;
        if (is_used(r->body, i) || (step && r->steps_used)) continue;
        snprintf(words, sizeof words, "the parameter '%s' is used nowhere", name);
        spec_warn(r->first, r->file, value != NULL ? value : to->node, words);
    }
}

/* `where`: prefix that describes the parameter values. Returns true after a warning. */
static bool warn_misfit(const listener *to, costab_model_instance *instance, const char *where) {
    model_reader *r = to->r;
    model_misfit found;
    char words[sizeof found.words + 100];
    if (model_misfit_find(instance, &found, NULL) == COSTAB_MEMORY) r->memory_failed = true;
    if (found.skipped)
        spec_warn(r->first, r->file, to->node,
                  "whether the operating points fit the connections is not checked: there are more than 1000 "
                  "states and inputs");
    if (!(found.misfit > MODEL_MISFIT)) return found.skipped;
    const spec_node *node = r->body->subsystems[found.subsystem].node;
    const spec_node *point = spec_find(r->file, node, "operating_point");
    snprintf(words, sizeof words, "%s%s", where, found.words);
    spec_warn(r->first, r->file, point != NULL ? point : node, words);
    return true;
}

/* Points consistent at the axes' first values may be inconsistent at the last ones. */
static void warn_misfits(const listener *to, costab_model_instance *instance) {
    const model_reader *r = to->r;
    if (warn_misfit(to, instance, "") || r->axis_count == 0) return;
    for (int i = 0; i < r->axis_count; i++)
        costab_model_instance_set(instance, r->axis_parameters[i], r->axes[i].values[r->axes[i].count - 1]);
    if (model_instance_evaluate(instance, model_ignore, NULL))
        (void)warn_misfit(to, instance, "at the last values of the axes: ");
}

/* A network started at x0 may settle at another equilibrium than the analysed one. */
static void warn_settle(const listener *to, costab_model_instance *instance, const spec_node *root) {
    model_reader *r = to->r;
    char name[REST_NAME_MAX], words[REST_NAME_MAX + 300];
    int entry;
    double there;
    if (instance->rest == NULL) return;
    if (rest_settle(instance->rest, &entry, &there, NULL) != COSTAB_OK) r->memory_failed = true;
    if (r->memory_failed || entry < 0) return;
    const spec_node *point = spec_find(r->file, root, "operating_point");
    snprintf(
        words, sizeof words,
        "operating_point: several equilibria exist: the result has %s = %.6g, and from its start values "
        "(x0, or those of operating_point) the system comes to rest at %.6g; give values near the intended "
        "equilibrium",
        rest_name(instance->rest, entry, name), instance->rest->z[entry], there);
    spec_warn(r->first, r->file, point != NULL ? point : to->node, words);
}

/* A time-dependent point was found at t = 0. */
static void warn_time(const listener *to) {
    const model_body *body = to->r->body;
    const char *what = NULL;
    for (int s = 0; s < body->subsystem_count; s++) {
        const model_subsystem *from = &body->subsystems[s];
        const int time = from->states + from->inputs;
        for (int i = 0; from->equations != NULL && i < from->states + from->outputs; i++)
            if (what == NULL && formula_uses(&from->equations[i].tape, FORMULA_LOCAL, time))
                what = from->equations[i].what;
    }
    for (int i = 0; i < body->source_count && what == NULL; i++)
        if (formula_uses(&body->sources[i].formula.tape, FORMULA_LOCAL, 0))
            what = body->sources[i].formula.what;
    if (what == NULL || !body->solves) return;
    char words[MODEL_WHAT_MAX + 200];
    snprintf(
        words, sizeof words,
        "operating_point: %.200s depends on t: the point is that at t = 0, at which the network does not "
        "stay",
        what);
    spec_warn(to->r->first, to->r->file, to->node, words);
}

static void warn_found(const listener *to, const costab_model_instance *instance, int s) {
    const model_subsystem *subsystem = &to->r->body->subsystems[s];
    const costab_foreign_found *found = &instance->functions[s].found;
    char words[sizeof found->warning + 100];
    if (found->warning[0] != '\0') {
        snprintf(words, sizeof words, "subsystem '%.60s': %s", subsystem->name, found->warning);
        spec_warn(to->r->first, to->r->file, subsystem->node, words);
    }
}

static const char *unit_of_port(const costab_model *model, const char *subsystem, const char *port) {
    char name[COSTAB_SIGNAL_NAME_MAX];
    (void)snprintf(name, sizeof name, "%s.%s", subsystem, port);
    const costab_model_words *words = costab_model_find_words(model, name);
    return words != NULL ? words->unit : NULL;
}

/* Warns of a macro step with a unit other than seconds. */
static void warn_step_unit(const listener *to, const spec_node *parameters) {
    const model_reader *r = to->r;
    for (int i = 0; i < r->model->parameter_count; i++) {
        const char *name = r->model->parameters[i].name, *unit = costab_model_parameter_unit(r->model, i);
        const spec_node *value = parameters != NULL ? spec_find(r->file, parameters, name) : NULL;
        text_local words = {0};
        if (unit == NULL || strcmp(unit, "s") == 0 || !model_parameter_is_step(r->model, i)) continue;
        text_printf(
            &words,
            "the parameter '%.80s' has the unit %.80s, but as macro step it is in seconds: write unit: "
            "s, and display: ms for figures",
            name, unit);
        if (!words.failed) spec_warn(r->first, r->file, value != NULL ? value : to->node, words.data);
    }
}

/* Warns of connections between different declared units. Systems of FMUs (SSP) convert units themselves. */
static void warn_units(const listener *to, const costab_network *network) {
    const model_reader *r = to->r;
    for (int c = 0; c < r->body->connection_count && !r->first->made; c++) {
        const model_connection *k = &r->body->connections[c];
        const model_subsystem *from = &r->body->subsystems[k->from], *at = &r->body->subsystems[k->to];
        const char *output = from->output_names[k->output], *input = at->input_names[k->input];
        const char *given = unit_of_port(r->model, from->name, output);
        const char *wanted = unit_of_port(r->model, at->name, input);
        text_local words = {0};
        if (given == NULL || wanted == NULL || model_same_unit(given, wanted)) continue;
        text_printf(
            &words,
            "connection %.200s.%.200s -> %.200s.%.200s: from %.80s to %.80s with the gain %g; check that the "
            "gain converts the unit",
            from->name, output, at->name, input, given, wanted, network->connections[c].gain);
        if (!words.failed) spec_warn(r->first, r->file, k->node, words.data);
    }
}

static void warn(model_reader *r, costab_model_instance *instance, const spec_node *root) {
    listener to = {.r = r, .node = spec_find(r->file, root, "subsystems")};
    for (int c = 0; c < r->model->coupling_count; c++)
        costab_network_warnings(costab_model_instance_network(instance),
                                costab_model_instance_coupling(instance, c), hear, &to);
    for (int s = 0; s < r->body->subsystem_count; s++) warn_found(&to, instance, s);
    warn_time(&to);
    warn_units(&to, costab_model_instance_network(instance));
    warn_step_unit(&to, spec_find(r->file, root, "parameters"));
    /* An explicitly set parameter hides the uses in its expression. */
    if (spec_root(r->set) == NULL) warn_unused(&to, spec_find(r->file, root, "parameters"));
    warn_settle(&to, instance, root);
    warn_misfits(&to, instance);
}

/* ---- All of it ---- */

/* Number of points tried on the axes: first values, last values, then pseudo-random ones. With FMUs, which
 * may be slow, only the first two. */
enum { ATTEMPTS = 64, ATTEMPTS_OF_FMUS = 2 };

static void set_axes(const model_reader *r, costab_model_instance *instance, int attempt, uint32_t *state) {
    for (int i = 0; i < r->axis_count; i++) {
        const costab_axis *axis = &r->axes[i];
        *state = *state * 1664525u + 1013904223u; /* W. H. Press et al., Numerical Recipes, 2007, 7.1 */
        const size_t k = attempt == 0 ? 0 : attempt == 1 ? axis->count - 1 : (*state >> 8) % axis->count;
        costab_model_instance_set(instance, r->axis_parameters[i], axis->values[k]);
    }
}

/* Updates the instance. Returns false if no tried point has numbers. */
static bool evaluate(model_reader *r, costab_model_instance *instance) {
    costab_model *model = r->model;
    uint32_t state = 1;
    bool known = model_instance_evaluate(instance, note, r);
    for (int i = 0; i < model->parameter_count; i++)
        model->parameters[i].value = costab_model_instance_value(instance, i);
    int attempts = ATTEMPTS;
    for (int s = 0; s < r->body->subsystem_count; s++)
        if (r->body->subsystems[s].foreign) attempts = ATTEMPTS_OF_FMUS;
    if (r->axis_count > 0) known = false;
    for (int attempt = 0; attempt < attempts && r->axis_count > 0 && !known; attempt++) {
        set_axes(r, instance, attempt, &state);
        known = model_instance_evaluate(instance, model_ignore, NULL);
    }
    return known;
}

void model_check(model_reader *r, const spec_node *main_node) {
    costab_model_instance *instance;
    const spec_node *subsystems = spec_find(r->file, main_node, "subsystems");
    if (model_instance_make(r->model, &instance, NULL) != COSTAB_OK) {
        r->memory_failed = true;
        return;
    }
    costab_model_instance_allow_time_varying(instance); /* reading makes no statement on stability */
    if (evaluate(r, instance)) {
        check_network(r, instance, subsystems);
        warn(r, instance, main_node);
        if (model_structure_find(instance, NULL) != COSTAB_OK) r->memory_failed = true;
        r->body->structures = instance->structures;
        instance->structures = NULL;
    }
    if (instance->failure != COSTAB_INVALID) r->first->failure = instance->failure;
    costab_model_instance_destroy(&instance);
}
