/* What ties the sections of a model together, checked with the numbers of one point: the defaults, with
 * every axis at its first value.
 *   1. An instance is updated there; its mistakes are told in the file that their places belong to.
 *   2. Couplings: that choices and clocks go together, and that loops of feedthrough can be solved (I - L D
 *      is not singular, for up to LOOP_MAX inputs).
 *   3. The structural modes (model_structure.c).
 *   4. Warnings: what is not used, inputs without connections, operating points that do not fit. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "network/clock.h"
#include "network/loop.h"
#include "spec/model_rest.h"

/* Notes a mistake in the file that its place belongs to. */
static bool note(void *context, const model_place *place, const char *what, const char *reason) {
    model_reader *r = context;
    spec_file *file = place->path == r->path ? r->file : r->first;
    spec_complain_at(file, place->line, place->column, "%s: %s", what, reason);
    return true;
}

/* ---- Loops of feedthrough */

/* More inputs than this are left to the analysis. */
#define LOOP_MAX 1000

/* Is I - L D singular, to rounding? */
static bool is_singular(model_reader *r, const costab_network *network, bool delays_break) {
    int n = 0;
    for (int s = 0; s < network->subsystem_count; s++) n += network->subsystems[s].inputs;
    if (n == 0 || n > LOOP_MAX) return false;
    size_t count = (size_t)n;
    memory_local double *loop = model_alloc(r, count * count, sizeof *loop);
    loop_room room = {.work = model_alloc(r, 4 * count, sizeof(double)),
                      .iwork = model_alloc(r, 2 * count, sizeof(int))};
    bool singular = false;
    if (loop != NULL && room.work != NULL && room.iwork != NULL &&
        loop_gain(network, n, delays_break, loop)) {
        for (int e = 0; e < n * n; e++) loop[e] = (e % (n + 1) == 0) - loop[e];
        singular = !loop_regular(n, loop, &room);
    }
    memory_free_all(room.work, room.iwork);
    return singular;
}

static void check_loops(model_reader *r, const costab_network *network, const spec_node *node) {
    if (is_singular(r, network, false)) {
        spec_complain(r->file, node,
                      "connections: I - L D is singular: a loop of subsystems with feedthrough has no "
                      "solution; change a gain or an entry of D in it");
        return;
    }
    for (int c = 0; c < r->model->coupling_count; c++) {
        const model_coupling *coupling = &r->body->couplings[c];
        if (coupling->choices.feedthrough != COSTAB_SOLVED || !is_singular(r, network, true)) continue;
        spec_complain(r->coupling_file, coupling->node,
                      "coupling '%s': feedthrough: solved has no solution: I - D L of the connections "
                      "without delay is singular",
                      r->model->coupling_names[c]);
    }
}

/* ---- Steps */

/* What the check of the coupling itself finds, where its clocks are fine. */
static void check_choices(model_reader *r, const costab_network *network, const costab_coupling *choices,
                          int c) {
    costab_error error;
    if (costab_coupling_check(network, choices, &error) == COSTAB_OK) return;
    spec_complain(r->coupling_file, r->body->couplings[c].node, "coupling '%s': %s",
                  r->model->coupling_names[c], error.message);
}

static void check_clocks(model_reader *r, const costab_model_instance *instance) {
    const costab_network *network = costab_model_instance_network(instance);
    for (int c = 0; c < r->model->coupling_count; c++) {
        const costab_coupling *coupling = costab_model_instance_coupling(instance, c);
        bool fine = true;
        for (int s = 0; s < network->subsystem_count; s++) {
            network_clock clock;
            costab_error error;
            if (clock_make(network, coupling, s, &clock, &error) == COSTAB_OK) continue;
            fine = false;
            const spec_node *step = spec_find(r->file, r->body->subsystems[s].node, "step");
            spec_complain(r->file, step != NULL ? step : r->body->subsystems[s].node, "coupling '%s': %s",
                          r->model->coupling_names[c], error.message);
        }
        if (fine) check_choices(r, network, coupling, c);
    }
}

/* Whatever else the network's own check finds, line by line. */
static void check_network(model_reader *r, const costab_network *network, const spec_node *node) {
    costab_error error;
    if (costab_network_check(network, &error) == COSTAB_OK) return;
    for (char *line = error.message; line != NULL && *line != '\0';) {
        char *end = strchr(line, '\n');
        if (end != NULL) *end++ = '\0';
        spec_complain(r->file, node, "%s", line);
        line = end;
    }
}

/* ---- Warnings */

typedef struct listener {
    model_reader *r;
    const spec_node *node; /* where a warning without a better place goes */
} listener;

/* The network's warnings name ports and subsystems: the place is the first one named. */
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
        if (is_used(r->body, i) || (step && (r->spec->fields & COSTAB_NETWORK_PATTERN_RADIUS) != 0)) continue;
        snprintf(words, sizeof words, "the parameter '%s' is used nowhere", name);
        spec_warn(r->first, r->file, value != NULL ? value : to->node, words);
    }
}

/* `where`: of what the instance's parameters are the values. False if there is no warning. */
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

/* Points that fit at the first values of the axes may not do so at the last ones. */
static bool ignore(void *context, const model_place *place, const char *what, const char *reason) {
    (void)context, (void)place, (void)what, (void)reason;
    return false;
}

static void warn_misfits(const listener *to, costab_model_instance *instance) {
    const costab_spec *spec = to->r->spec;
    if (warn_misfit(to, instance, "") || spec->axis_count == 0) return;
    for (int i = 0; i < spec->axis_count; i++)
        costab_model_instance_set(instance, spec->axis_parameters[i],
                                  spec->axes[i].values[spec->axes[i].count - 1]);
    if (model_instance_evaluate(instance, true, ignore, NULL))
        (void)warn_misfit(to, instance, "at the last values of the axes: ");
}

/* A network that starts at x0 may come to rest at another equilibrium than the one that is analysed. */
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
        "operating_point: there are several equilibria: the one found has %s = %.6g, and from its start values "
        "(x0, or those of operating_point) the system comes to rest at %.6g; give values near the one that is "
        "meant",
        rest_name(instance->rest, entry, name), instance->rest->z[entry], there);
    spec_warn(r->first, r->file, point != NULL ? point : to->node, words);
}

/* A point that moves with t was found at t = 0. */
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

/* Writes a unit without what does not tell it from another: signs of a product are one sign, and m/s^2 and
 * m/s2 are one unit. */
static void plain_unit(const char *unit, char *plain, size_t size) {
    static const char *const signs[][2] = {{" ", "."}, {"*", "."},        {"\xc2\xb7", "."},
                                           {"^", ""},  {"\xc2\xb2", "2"}, {"\xc2\xb3", "3"}};
    size_t used = 0;
    while (*unit != '\0' && used + 1 < size) {
        const char *put = NULL;
        for (size_t k = 0; k < sizeof signs / sizeof *signs && put == NULL; k++)
            if (strncmp(unit, signs[k][0], strlen(signs[k][0])) == 0) {
                put = signs[k][1];
                unit += strlen(signs[k][0]);
            }
        if (put == NULL)
            plain[used++] = *unit++;
        else if (*put != '\0' && !(*put == '.' && used > 0 && plain[used - 1] == '.'))
            plain[used++] = *put;
    }
    plain[used] = '\0';
}

static const char *unit_of_port(const costab_model *model, const char *subsystem, const char *port) {
    char name[COSTAB_SIGNAL_NAME_MAX];
    (void)snprintf(name, sizeof name, "%s.%s", subsystem, port);
    const costab_model_words *words = costab_model_find_words(model, name);
    return words != NULL ? words->unit : NULL;
}

/* Connections whose ends declare different units. A system of other programs has converted its own. */
static void warn_units(const listener *to, const costab_network *network) {
    const model_reader *r = to->r;
    for (int c = 0; c < r->body->connection_count && !r->first->made; c++) {
        const model_connection *k = &r->body->connections[c];
        const model_subsystem *from = &r->body->subsystems[k->from], *at = &r->body->subsystems[k->to];
        const char *output = from->output_names[k->output], *input = at->input_names[k->input];
        const char *given = unit_of_port(r->model, from->name, output);
        const char *wanted = unit_of_port(r->model, at->name, input);
        char plain[2][100];
        text_local words = {0};
        if (given == NULL || wanted == NULL) continue;
        plain_unit(given, plain[0], sizeof plain[0]);
        plain_unit(wanted, plain[1], sizeof plain[1]);
        if (strcmp(plain[0], plain[1]) == 0) continue;
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
    if (r->system_warnings != NULL) text_append(&r->first->warnings, r->system_warnings);
    for (int c = 0; c < r->model->coupling_count; c++)
        costab_network_warnings(costab_model_instance_network(instance),
                                costab_model_instance_coupling(instance, c), hear, &to);
    for (int s = 0; s < r->body->subsystem_count; s++) warn_found(&to, instance, s);
    warn_time(&to);
    warn_units(&to, costab_model_instance_network(instance));
    /* A parameter that was set hides what its expression used. */
    if (r->spec->settings == NULL) warn_unused(&to, spec_find(r->file, root, "parameters"));
    warn_settle(&to, instance, root);
    warn_misfits(&to, instance);
}

/* ---- All of it */

/* The defaults, which derived parameters get here, then the axes' first values. FMUs that cannot be measured
 * at the defaults may be at the values that an axis or a command gives. */
static bool evaluate(model_reader *r, costab_model_instance *instance) {
    costab_model *model = r->model;
    if (!model_instance_evaluate(instance, true, note, r)) return false;
    for (int i = 0; i < model->parameter_count; i++)
        model->parameters[i].value = costab_model_instance_value(instance, i);
    for (int i = 0; i < r->spec->axis_count; i++)
        costab_model_instance_set(instance, r->spec->axis_parameters[i], r->spec->axes[i].values[0]);
    return r->spec->axis_count == 0 || model_instance_evaluate(instance, false, note, r);
}

void model_check(model_reader *r, const spec_node *main_node) {
    costab_model_instance *instance;
    const spec_node *connections = spec_find(r->file, main_node, "connections");
    const spec_node *subsystems = spec_find(r->file, main_node, "subsystems");
    if (model_instance_make(r->model, &instance, NULL) != COSTAB_OK) {
        r->memory_failed = true;
        return;
    }
    costab_model_instance_allow_time_varying(instance); /* reading states no stability */
    instance->reading = true;
    if (evaluate(r, instance)) {
        const costab_network *network = costab_model_instance_network(instance);
        check_network(r, network, subsystems);
        check_clocks(r, instance);
        check_loops(r, network, connections != NULL ? connections : subsystems);
        warn(r, instance, main_node);
        if (model_structure_find(instance, NULL) != COSTAB_OK) r->memory_failed = true;
        r->body->structures = instance->structures;
        instance->structures = NULL;
    }
    if (instance->failure != COSTAB_INVALID) r->first->failure = instance->failure;
    costab_model_instance_destroy(&instance);
}
