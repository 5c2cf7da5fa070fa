/* Names of signals and connections, and the search for a signal by name.
 *
 * 1. A state, input or output has its name in the model, otherwise x, u or y with its index. An input with
 *    the name of an output or a state of its subsystem gets the suffix " (input)".
 * 2. Quantities of power bonds: bond1.power and so on.
 * 3. Order of a search: per subsystem states, outputs, inputs; then bonds.
 *
 * Cost: a search compares names one by one. Limitation: a name before a suffix is cut to 80 bytes. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "costab/modes.h"

/* Returns the name without suffix: the model's or the usual one, written into `usual`; NULL outside the
 * range.
 */
static const char *plain_name(const costab_subsystem *of, costab_signal_kind kind, int index,
                              char usual[COSTAB_SIGNAL_NAME_MAX]) {
    const struct {
        int count;
        const char *const *names;
        char letter;
    } kinds[] = {[COSTAB_SIGNAL_STATE] = {of->states, of->state_names, 'x'},
                 [COSTAB_SIGNAL_INPUT] = {of->inputs, of->input_names, 'u'},
                 [COSTAB_SIGNAL_OUTPUT] = {of->outputs, of->output_names, 'y'}};
    if (index >= kinds[kind].count) return NULL;
    if (kinds[kind].names != NULL) return kinds[kind].names[index];
    (void)snprintf(usual, COSTAB_SIGNAL_NAME_MAX, "%c%d", kinds[kind].letter, index + 1);
    return usual;
}

/* Returns true if the subsystem has a signal of this kind and name. */
static bool has_name(const costab_subsystem *of, costab_signal_kind kind, const char *name) {
    char usual[COSTAB_SIGNAL_NAME_MAX];
    const char *other;
    for (int i = 0; (other = plain_name(of, kind, i, usual)) != NULL; i++)
        if (strcmp(name, other) == 0) return true;
    return false;
}

const char *costab_signal_name(const costab_network *network, int subsystem, costab_signal_kind kind,
                               int index, char name[COSTAB_SIGNAL_NAME_MAX]) {
    static const char *const of_bonds[] = {[COSTAB_SIGNAL_POWER] = "power",
                                           [COSTAB_SIGNAL_ENERGY] = "energy",
                                           [COSTAB_SIGNAL_ENERGY_MADE] = "spurious_energy"};
    if (index < 0 || (unsigned)kind > COSTAB_SIGNAL_ENERGY_MADE) return "";
    if (kind >= COSTAB_SIGNAL_POWER) {
        if (index >= network->bond_count) return "";
        (void)snprintf(name, COSTAB_SIGNAL_NAME_MAX, "bond%d.%s", index + 1, of_bonds[kind]);
        return name;
    }
    if (subsystem < 0 || subsystem >= network->subsystem_count) return "";
    const costab_subsystem *of = &network->subsystems[subsystem];
    const char *own = plain_name(of, kind, index, name);
    if (own == NULL) return "";
    if (kind == COSTAB_SIGNAL_INPUT &&
        (has_name(of, COSTAB_SIGNAL_OUTPUT, own) || has_name(of, COSTAB_SIGNAL_STATE, own))) {
        if (own != name) (void)snprintf(name, COSTAB_SIGNAL_NAME_MAX, "%.80s", own);
        return strcat(name, " (input)");
    }
    return own;
}

void costab_connection_label(const costab_network *network, int c, char *text, size_t size) {
    char output[COSTAB_SIGNAL_NAME_MAX], input[COSTAB_SIGNAL_NAME_MAX];
    const costab_connection *connection = &network->connections[c];
    const costab_subsystem *from = &network->subsystems[connection->from],
                           *to = &network->subsystems[connection->to];
    (void)snprintf(text, size, "%s.%s->%s.%s", from->name,
                   plain_name(from, COSTAB_SIGNAL_OUTPUT, connection->output, output), to->name,
                   plain_name(to, COSTAB_SIGNAL_INPUT, connection->input, input));
}

/* Finds the signal of a kind with this name in its subsystem; returns false if there is none. */
static bool find_in_subsystem(const costab_network *network, const char *name, costab_signal *signal) {
    char made[COSTAB_SIGNAL_NAME_MAX];
    for (signal->index = 0;; signal->index++) {
        const char *own = costab_signal_name(network, signal->subsystem, signal->kind, signal->index, made);
        if (own[0] == '\0') return false;
        if (strcmp(own, name) == 0) return true;
    }
}

costab_status costab_signal_find(const costab_network *network, const char *name, costab_signal *signal,
                                 costab_error *error) {
    static const costab_signal_kind kinds[] = {COSTAB_SIGNAL_STATE, COSTAB_SIGNAL_OUTPUT,
                                               COSTAB_SIGNAL_INPUT};
    for (int i = 0; i < 3 * network->subsystem_count; i++) {
        const char *of = network->subsystems[i / 3].name;
        size_t length = strlen(of);
        *signal = (costab_signal){.subsystem = i / 3, .kind = kinds[i % 3]};
        if (strncmp(name, of, length) == 0 && name[length] == '.' &&
            find_in_subsystem(network, name + length + 1, signal))
            return COSTAB_OK;
    }
    for (int i = 0; i < 3 * network->bond_count; i++) {
        char made[COSTAB_SIGNAL_NAME_MAX];
        *signal = (costab_signal){-1, i / 3, (costab_signal_kind)(COSTAB_SIGNAL_POWER + i % 3)};
        if (strcmp(name, costab_signal_name(network, -1, signal->kind, signal->index, made)) == 0)
            return COSTAB_OK;
        /* The name in results files of version 0.1.0. */
        char *spurious = strstr(made, ".spurious_energy");
        if (spurious != NULL) (void)strcpy(spurious, ".energy_made");
        if (strcmp(name, made) == 0) return COSTAB_OK;
    }
    return error_invalid(error,
                         "'%s' is not a signal of the model: SUBSYSTEM.NAME of a state, an output or "
                         "an input is expected%s (costab info lists them)",
                         name, network->bond_count > 0 ? ", or a bond's quantity, such as bond1.power" : "");
}
