/* Reads the links between subsystems: connections, power bonds and sources.
 * 1. A port is `subsystem.port`; an error for an unknown port lists the existing ones.
 * 2. A connection leads from an output to an input, with slots for gain, delay and dead time. No two have the
 *    same ends.
 * 3. A power bond has two ports on either side, which must be connected crosswise.
 * 4. A source is an expression in t added to an input. */
#include <stdio.h>
#include <string.h>

#include "base/spelling.h"
#include "model/body.h"

/* ---- Ports ---- */

int model_find_subsystem(model_reader *r, const spec_node *node, const char *what, const char *name) {
    const model_body *body = r->body;
    bool guess = false;
    for (int s = 0; s < body->subsystem_count; s++) {
        if (strcmp(body->subsystems[s].name, name) == 0) return s;
        guess = guess || body->subsystems[s].nameless;
    }
    /* It may be the subsystem with the invalid name. */
    if (body->subsystem_count == 0 || guess) return -1;
    const char *const *names = (const char *const *)&body->subsystems[0].name;
    const char *near = spelling_nearest(name, names, (size_t)body->subsystem_count, sizeof *body->subsystems);
    char list[10 * (SPEC_WORD_MAX + 2)], words[sizeof list + 20];
    (void)spelling_few(names, (size_t)body->subsystem_count, sizeof *body->subsystems, list, sizeof list);
    spec_complain(r->file, node, "%s: unknown subsystem '%s'%s", what, name,
                  spelling_meant(near, "; there are ", list, words, sizeof words));
    return -1;
}

int model_split_port(model_reader *r, const spec_node *node, const char *what, const char *expected,
                     char **name, char word[MODEL_PORT_SIZE]) {
    const char *bytes = node->kind == SPEC_SCALAR ? spec_text(r->file, node) : "";
    const size_t size = node->kind == SPEC_SCALAR ? node->size : 0;
    const char *dot = memchr(bytes, '.', size);
    if (dot == NULL || size >= MODEL_PORT_SIZE || memchr(bytes, '\0', size) != NULL)
        return spec_expected(r->file, node, what, expected) ? 0 : -1;
    memcpy(word, bytes, size);
    word[size] = '\0';
    *name = word + (dot - bytes);
    *(*name)++ = '\0';
    int s = model_find_subsystem(r, node, what, word);
    return s >= 0 && !r->body->subsystems[s].ports_unknown ? s : -1;
}

static bool complain_port(model_reader *r, const spec_node *node, const char *what, bool input,
                          const model_subsystem *s, const char *name) {
    char *const *names = input ? s->input_names : s->output_names;
    int count = input ? s->inputs : s->outputs;
    const char *kind = input ? "input" : "output", *other = input ? "output" : "input";
    const char *near =
        spelling_nearest(name, (const char *const *)names, (size_t)count, sizeof(const char *));
    bool swapped =
        model_index_of(input ? s->output_names : s->input_names, input ? s->outputs : s->inputs, name) >= 0;
    if (swapped)
        return spec_complain(r->file, node, "%s: '%s' is an %s of subsystem '%s'; an %s is needed here", what,
                             name, other, s->name, kind);
    char port[MODEL_PORT_SIZE + 1], words[sizeof port + 20];
    (void)snprintf(port, sizeof port, "%s.%s", s->name, near != NULL ? near : "");
    if (near != NULL)
        return spec_complain(r->file, node, "%s: subsystem '%s' has no %s '%s'%s", what, s->name, kind, name,
                             spelling_meant(port, "", "", words, sizeof words));
    if (count == 0) return spec_complain(r->file, node, "%s: subsystem '%s' has no %ss", what, s->name, kind);
    return spec_complain(r->file, node, "%s: subsystem '%s' has no %s '%s'; the first is '%s.%s'", what,
                         s->name, kind, name, s->name, names[0]);
}

static bool find_port(model_reader *r, const spec_node *node, const char *what, bool input, int *subsystem,
                      int *port) {
    char word[MODEL_PORT_SIZE], *name = NULL;
    *subsystem = model_split_port(
        r, node, what, input ? "a port, written subsystem.input" : "a port, written subsystem.output", &name,
        word);
    if (*subsystem < 0) return false;
    const model_subsystem *s = &r->body->subsystems[*subsystem];
    *port = input ? model_index_of(s->input_names, s->inputs, name)
                  : model_index_of(s->output_names, s->outputs, name);
    return *port >= 0 || complain_port(r, node, what, input, s, name);
}

/* ---- Connections ---- */

typedef struct connection_nodes {
    const spec_node *from, *to, *gain, *delay, *dead_time, *extrapolation;
} connection_nodes;

static const spec_key connection_keys[] = {
    {"from", true, "from: plant.speed", "an output, subsystem.port",
     SPEC_VALUE(SPEC_NODE, connection_nodes, from)},
    {"to", true, "to: regulator.speed",
     "an input; several connections to one input add up, an input without a connection is zero, with a warning",
     SPEC_VALUE(SPEC_NODE, connection_nodes, to)},
    {"gain", false, "gain: 1", "a factor (1)", SPEC_VALUE(SPEC_NODE, connection_nodes, gain)},
    {"delay", false, "delay: 0",
     "latency of the coupling, which the monolithic system does not have: in macro steps (0), or in seconds such as 0.05 s: the next exchange after it, so that a delay that is not a multiple of the macro step is rounded up, with a warning; 0 s means without delay",
     SPEC_VALUE(SPEC_NODE, connection_nodes, delay)},
    {"dead_time", false, "dead_time: 1 s",
     "dead time of the system in seconds (0 s), such as of a pipe: the monolithic system has it, too, and the co-simulation interpolates between communication points. [Dead time](../how-to/own-model.md#dead-time) lists what is possible",
     SPEC_VALUE(SPEC_NODE, connection_nodes, dead_time)},
    {"extrapolation", false, "extrapolation: linear",
     "like the key of a coupling, for this connection; overrides every coupling",
     SPEC_VALUE(SPEC_NODE, connection_nodes, extrapolation)},
};
const spec_keys spec_connection_keys = {SPEC_TABLE(connection_keys)};

static bool is_twin(const model_connection *a, const model_connection *b) {
    return a->from == b->from && a->output == b->output && a->to == b->to && a->input == b->input;
}

/* Removes the suffix " s" of a number. Returns false if there is none. */
static bool strip_seconds(model_reader *r, const spec_node *node, spec_node *number) {
    const char *words = node->kind == SPEC_SCALAR ? spec_text(r->file, node) : "";
    size_t size = node->kind == SPEC_SCALAR ? node->size : 0;
    *number = *node;
    if (size < 3 || words[size - 1] != 's' || words[size - 2] != ' ') return false;
    number->size--;
    while (number->size > 1 && words[number->size - 1] == ' ') number->size--;
    return true;
}

/* Reads a delay in macro steps or, with the suffix " s", in seconds. */
static void read_delay(model_reader *r, const spec_node *node, model_connection *c) {
    spec_node number;
    if (!strip_seconds(r, node, &number)) {
        model_number(r, node, "connection, delay", MODEL_DELAY, c->delay);
        return;
    }
    c->delay_time = model_slots(r, 1);
    model_number(r, &number, "connection, delay", MODEL_NOT_NEGATIVE, c->delay_time);
}

/* Reads a dead time. The unit is required, because a delay without unit is in macro steps. */
static void read_dead_time(model_reader *r, const spec_node *node, model_connection *c) {
    spec_node number;
    if (!strip_seconds(r, node, &number)) {
        spec_expected(r->file, node, "connection, dead_time", "seconds with their unit, such as 1 s");
        return;
    }
    c->dead_time = model_slots(r, 1);
    model_number(r, &number, "connection, dead_time", MODEL_NOT_NEGATIVE, c->dead_time);
}

static void read_connection(model_reader *r, const spec_node *node) {
    connection_nodes nodes = {.from = NULL};
    if (!spec_read_mapping(r->file, node, "connection", SPEC_TABLE(connection_keys), &nodes)) return;
    model_body *body = r->body;
    model_connection c = {.delay_time = -1, .dead_time = -1, .weights = -1, .node = node};
    bool fine = find_port(r, nodes.from, "connection, from", false, &c.from, &c.output);
    fine = find_port(r, nodes.to, "connection, to", true, &c.to, &c.input) && fine;
    c.gain = model_slots(r, 1);
    c.delay = model_slots(r, 1);
    if (c.gain < 0 || c.delay < 0) return;
    body->slots[c.gain] = 1;
    if (nodes.gain != NULL) model_number(r, nodes.gain, "connection, gain", MODEL_ANY, c.gain);
    if (nodes.delay != NULL) read_delay(r, nodes.delay, &c);
    if (nodes.dead_time != NULL) read_dead_time(r, nodes.dead_time, &c);
    c.extrapolates = nodes.extrapolation != NULL;
    if (c.extrapolates) model_read_extrapolation(r, nodes.extrapolation, "connection", &c.hold, &c.weights);
    if (!fine) return;
    for (int i = 0; i < body->connection_count; i++)
        if (is_twin(&body->connections[i], &c)) {
            spec_complain(r->file, node,
                          "connection: the same two ports are connected in line %u already; add the gains in "
                          "one connection",
                          (unsigned)body->connections[i].node->line);
            return;
        }
    body->connections[body->connection_count++] = c;
}

#define CONNECTIONS_MAX 10000

void model_read_connections(model_reader *r, const spec_node *node) {
    if (node->kind == SPEC_LIST && node->size == 0) return;
    if (!spec_list(r->file, node, "connections", 0)) return;
    if (node->size > CONNECTIONS_MAX) {
        spec_complain(r->file, node, "connections: %u; at most %d are possible", (unsigned)node->size,
                      CONNECTIONS_MAX);
        return;
    }
    r->body->connections = model_alloc(r, node->size, sizeof *r->body->connections);
    if (r->body->connections == NULL) return;
    SPEC_EACH(item, r->file, node) read_connection(r, item);
}

/* ---- Power bonds ---- */

static bool connected(const model_body *body, int from, int output, int to, int input) {
    for (int i = 0; i < body->connection_count; i++) {
        model_connection wanted = {.from = from, .output = output, .to = to, .input = input};
        if (is_twin(&body->connections[i], &wanted)) return true;
    }
    return false;
}

static bool complain_link(model_reader *r, const spec_node *node, int from, int output, int to, int input) {
    const model_subsystem *s = r->body->subsystems;
    return connected(r->body, from, output, to, input) ||
           spec_complain(r->file, node, "power_bonds: the bond needs the connection {from: %s.%s, to: %s.%s}",
                         s[from].name, s[from].output_names[output], s[to].name, s[to].input_names[input]);
}

static void read_bond(model_reader *r, const spec_node *node) {
    if (node->kind != SPEC_LIST || node->size != 4) {
        spec_expected(r->file, node, "power_bonds", "the four ports [input 1, output 1, input 2, output 2]");
        return;
    }
    const spec_node *ports[4] = {spec_first(r->file, node)};
    for (int i = 1; i < 4; i++) ports[i] = spec_next(r->file, ports[i - 1]);
    int owner[4] = {0}, port[4] = {0};
    bool fine = true;
    for (int i = 0; i < 4; i++)
        fine = find_port(r, ports[i], "power_bonds", i % 2 == 0, &owner[i], &port[i]) && fine;
    for (int i = 0; i < 4 && fine; i += 2)
        if (owner[i] != owner[i + 1])
            fine = spec_complain(r->file, ports[i + 1],
                                 "power_bonds: port %d belongs to subsystem '%s', port %d to '%s'; an input "
                                 "and an output of the same are needed",
                                 i + 1, r->body->subsystems[owner[i]].name, i + 2,
                                 r->body->subsystems[owner[i + 1]].name);
    fine = fine && complain_link(r, node, owner[3], port[3], owner[0], port[0]);
    fine = fine && complain_link(r, node, owner[1], port[1], owner[2], port[2]);
    if (fine)
        r->body->bonds[r->body->bond_count++] =
            (costab_bond){owner[0], port[0], port[1], owner[2], port[2], port[3]};
}

void model_read_bonds(model_reader *r, const spec_node *node) {
    if (node->kind == SPEC_LIST && node->size == 0) return;
    if (!spec_list(r->file, node, "power_bonds", 0)) return;
    r->body->bonds = model_alloc(r, node->size, sizeof *r->body->bonds);
    if (r->body->bonds == NULL) return;
    SPEC_EACH(item, r->file, node) read_bond(r, item);
}

/* ---- Sources ---- */

static void read_source(model_reader *r, const spec_node *key, const spec_node *value) {
    model_body *body = r->body;
    formula_scope scope = model_time_scope(r->model);
    char what[MODEL_WHAT_MAX];
    model_source source = {.formula = {.slot = -1}};
    if (!find_port(r, key, "sources", true, &source.subsystem, &source.input)) return;
    const model_subsystem *s = &body->subsystems[source.subsystem];
    snprintf(what, sizeof what, "source of %s.%s", s->name, s->input_names[source.input]);
    for (int i = 0; i < body->source_count; i++) {
        if (body->sources[i].subsystem != source.subsystem || body->sources[i].input != source.input)
            continue;
        spec_complain(r->file, key, "%s: this input has a source in line %u already; add the two", what,
                      (unsigned)body->sources[i].formula.place.line);
        return;
    }
    if (model_expression(r, value, what, &scope, &source.formula))
        body->sources[body->source_count++] = source;
    else
        model_formula_free(&source.formula);
}

void model_read_sources(model_reader *r, const spec_node *node) {
    if (!spec_pairs(r->file, node, "sources", "{plant.force: sin(t)}")) return;
    r->body->sources = model_alloc(r, node->size, sizeof *r->body->sources);
    if (r->body->sources == NULL) return;
    SPEC_EACH_KEY(key, r->file, node) read_source(r, key, spec_next(r->file, key));
}
