/* Warnings about options that are allowed but rarely intended.
 *
 * 1. Inputs without connection and source.
 * 2. Outputs with the name of a state and another value.
 * 3. Extrapolation by weights into an input with delayed feedthrough: outputs are late there, so second order
 *    requires the polynomial to end on a straight line.
 * 4. Predicted samples under gauss-seidel.
 * 5. Extrapolation under an iteration that extrapolates nothing.
 * 6. Chains of feedthrough under jacobi: each link delays the signal by one macro step. A chain starts at an
 *    input without predecessor, or anywhere if all chains are closed.
 *
 * Cost: connections per link of a chain. Limitation: of a branching chain one branch is named. */

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "costab/network.h"
#include "network/words.h"

/* Receiver of warnings. */
typedef struct listener {
    void (*say)(void *context, const char *warning);
    void *context;
} listener;

static void tell(const listener *to, const text *words) {
    if (words->data != NULL && !words->failed) to->say(to->context, words->data);
}

/* Warns of inputs without connection and source. */
static void warn_of_open_inputs(const costab_network *network, const listener *to) {
    for (int s = 0; s < network->subsystem_count; s++)
        for (int i = 0; i < network->subsystems[s].inputs; i++) {
            bool fed = false;
            for (int c = 0; c < network->connection_count && !fed; c++)
                fed = network->connections[c].to == s && network->connections[c].input == i;
            for (int k = 0; k < network->source_count && !fed; k++)
                fed = network->sources[k].subsystem == s && network->sources[k].input == i;
            if (fed) continue;
            text_local words = {0};
            char name[COSTAB_SIGNAL_NAME_MAX];
            text_printf(&words, "nothing feeds the input %s.%s: it stays zero, or at its operating point",
                        network->subsystems[s].name,
                        costab_signal_name(network, s, COSTAB_SIGNAL_INPUT, i, name));
            tell(to, &words);
        }
}

/* Returns true if an output is always equal to a state, up to the errors of an FMU's measured derivatives. */
static bool is_state(const costab_subsystem *of, int output, int state) {
    double largest = 0;
    for (int i = 0; i < of->states; i++)
        largest = fmax(largest, fabs(of->C[output * of->states + i] - (i == state)));
    for (int i = 0; i < of->inputs && of->D != NULL; i++)
        largest = fmax(largest, fabs(of->D[output * of->inputs + i]));
    return largest < 1e-5;
}

/* Warns of outputs with the name of a state and another value. */
static void warn_of_names(const costab_network *network, const listener *to) {
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *of = &network->subsystems[s];
        for (int o = 0; o < of->outputs && of->method.kind != COSTAB_SAMPLED; o++)
            for (int x = 0; x < of->states; x++) {
                char names[2][COSTAB_SIGNAL_NAME_MAX];
                const char *name = costab_signal_name(network, s, COSTAB_SIGNAL_OUTPUT, o, names[0]);
                if (strcmp(name, costab_signal_name(network, s, COSTAB_SIGNAL_STATE, x, names[1])) != 0 ||
                    is_state(of, o, x))
                    continue;
                text_local words = {0};
                text_printf(&words,
                            "the output %s.%s is not the state of that name, which tables print, too: rename "
                            "one of them",
                            of->name, name);
                tell(to, &words);
            }
    }
}

/* Returns true if the output depends directly on the input. */
static bool feeds_through(const costab_subsystem *subsystem, int input, int output) {
    return subsystem->D != NULL && subsystem->D[output * subsystem->inputs + input] != 0;
}

static bool feeds_any(const costab_subsystem *subsystem, int input) {
    for (int o = 0; o < subsystem->outputs; o++)
        if (feeds_through(subsystem, input, o)) return true;
    return false;
}

/* Returns the connection to the next link of a feedthrough chain through `input` of s: without delay, from an
 * output that depends on this input, to an input with feedthrough. -1: the chain ends. */
static int next_link(const costab_network *network, int s, int input) {
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *k = &network->connections[c];
        if (k->from == s && k->delay <= 0 && !(k->delay_time > 0) &&
            feeds_through(&network->subsystems[s], input, k->output) &&
            feeds_any(&network->subsystems[k->to], k->input))
            return c;
    }
    return -1;
}

/* Returns true if a connection without delay continues a feedthrough chain into this input. */
static bool has_predecessor(const costab_network *network, int s, int input) {
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *k = &network->connections[c];
        if (k->to != s || k->input != input || k->delay > 0 || k->delay_time > 0) continue;
        for (int i = 0; i < network->subsystems[k->from].inputs; i++)
            if (feeds_through(&network->subsystems[k->from], i, k->output)) return true;
    }
    return false;
}

/* Warns of the chain that starts with this input of s. */
static void warn_of_chain(const costab_network *network, int s, int input, const listener *to) {
    text_local words = {0};
    int links = 0, at = s, port = input;
    text_printf(&words, "feedthrough chain %s", network->subsystems[s].name);
    for (int c = next_link(network, at, port); c >= 0 && links < network->subsystem_count;
         c = next_link(network, at, port)) {
        at = network->connections[c].to;
        port = network->connections[c].input;
        text_printf(&words, " -> %s", network->subsystems[at].name);
        links++;
    }
    if (links == 0) return;
    text_printf(
        &words,
        ": under jacobi each link delays the signal by one macro step; take gauss-seidel in this order, or "
        "feedthrough: solved");
    tell(to, &words);
}

/* Warns of weighted extrapolation into delayed feedthrough. */
static void warn_of_weights(const costab_network *network, const costab_coupling *coupling,
                            const listener *to) {
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *k = &network->connections[c];
        const costab_extrapolation by = coupling_extrapolation(network, coupling, c);
        if (!feeds_any(&network->subsystems[k->to], k->input)) continue;
        if ((HOLDS_WEIGHTED & HOLD_BIT(by.hold)) == 0) continue;
        if (by.hold != COSTAB_SPECTRAL && by.a0 + by.a1 == 1) continue;
        text_local words = {0};
        char name[COSTAB_SIGNAL_NAME_MAX];
        text_printf(
            &words,
            "the input %s.%s feeds through, delayed: an extrapolation that does not end on a straight "
            "line is of first order there, and may be unstable however short the step is; take "
            "feedthrough: solved, or extrapolation: linear on that connection",
            network->subsystems[k->to].name,
            costab_signal_name(network, k->to, COSTAB_SIGNAL_INPUT, k->input, name));
        tell(to, &words);
        return;
    }
}

/* Warns of a predicted sample: its source advances from extrapolated inputs, and its output acts from the
 * start of the macro step. */
static void warn_of_prediction(const costab_network *network, const costab_coupling *coupling,
                               const listener *to) {
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *k = &network->connections[c];
        bool early = false, predicted = false;
        for (int i = 0; i < network->subsystem_count; i++) {
            int s = coupling->order != NULL ? coupling->order[i] : i;
            if (s == k->to) break;
            early = early || s == k->from;
        }
        if (!coupling_is_held(network, c) || k->delay > 0 || k->delay_time > 0 || !early) continue;
        for (int i = 0; i < network->connection_count; i++)
            predicted = predicted || (network->connections[i].to == k->from &&
                                      coupling_extrapolation(network, coupling, i).hold != COSTAB_CONSTANT);
        if (!predicted) continue;
        text_local words = {0};
        text_printf(
            &words,
            "the discrete-time subsystem %s is advanced before %s from extrapolated inputs: its sample at "
            "the end of a macro step is predicted and acts from its start, which can hide an "
            "instability; put %s after %s in the order, or take extrapolation: constant",
            network->subsystems[k->from].name, network->subsystems[k->to].name,
            network->subsystems[k->from].name, network->subsystems[k->to].name);
        tell(to, &words);
        return;
    }
}

/* Warns of extrapolation under an iteration, which interpolates all inputs but delayed ones. */
static void warn_of_iteration(const costab_network *network, const costab_coupling *coupling,
                              const listener *to) {
    if (coupling->extrapolation == COSTAB_CONSTANT && !coupling->smoothed) return;
    for (int c = 0; c < network->connection_count; c++)
        if (network->connections[c].delay > 0 || network->connections[c].delay_time > 0) return;
    to->say(to->context, "extrapolation and smoothed of iterated are for delayed inputs, and there are none: "
                         "they have no effect; interpolation sets the degree of the others");
}

void costab_network_warnings(const costab_network *network, const costab_coupling *coupling,
                             void (*say)(void *context, const char *warning), void *context) {
    listener to = {say, context};
    warn_of_open_inputs(network, &to);
    warn_of_names(network, &to);
    if (coupling->scheme != COSTAB_ITERATED && coupling->feedthrough == COSTAB_DELAYED)
        warn_of_weights(network, coupling, &to);
    if (coupling->scheme == COSTAB_ITERATED) warn_of_iteration(network, coupling, &to);
    if (coupling->scheme == COSTAB_GAUSS_SEIDEL) warn_of_prediction(network, coupling, &to);
    if (coupling->scheme != COSTAB_JACOBI || coupling->feedthrough != COSTAB_DELAYED) return;
    bool warned = false;
    for (int round = 0; round < 2 && !warned; round++) /* second round: closed chains start anywhere */
        for (int s = 0; s < network->subsystem_count && !(round == 1 && warned); s++)
            for (int i = 0; i < network->subsystems[s].inputs; i++) {
                if (!feeds_any(&network->subsystems[s], i) || next_link(network, s, i) < 0) continue;
                if (round == 0 && has_predecessor(network, s, i)) continue;
                warn_of_chain(network, s, i, &to);
                warned = true;
                if (round == 1) break;
            }
}
