/* Checks a network. Each mistake is one line of the message and gives names.
 *
 * 1. Subsystems: name, sizes, finite matrices, signal names, the method and its requirements, multirate
 *    factor, substeps and step. States paired as positions q and velocities v must satisfy q' = v.
 * 2. If the subsystems are correct: connections, power bonds and sources. Ports must exist, numbers must be
 *    finite and in range, and a connection may appear once.
 *
 * work_sound makes the checks of array bounds alone, without messages, because it runs at every point. Cost:
 * linear in the numbers, quadratic in the names. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "method/method.h"
#include "network/network.h"
#include "network/work.h"

/* ---- Subsystems ---- */

static void check_matrix(const costab_subsystem *subsystem, const char *what, const double *values, int rows,
                         int columns, bool optional, costab_error *error) {
    if (rows == 0 || columns == 0) return;
    if (values == NULL) {
        if (!optional)
            error_append(error, "subsystem '%s': %s is missing; %d x %d values are needed", subsystem->name,
                         what, rows, columns);
        return;
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            if (!isfinite(values[i * columns + j]))
                error_append(error, "subsystem '%s': %s(%d,%d) is %g; it must be finite", subsystem->name,
                             what, i + 1, j + 1, values[i * columns + j]);
}

static void check_names(const costab_subsystem *subsystem, const char *what, const char *const *names,
                        int count, costab_error *error) {
    if (names == NULL) return;
    for (int i = 0; i < count; i++) {
        if (names[i] == NULL || names[i][0] == '\0') {
            error_append(error, "subsystem '%s': %s %d has no name", subsystem->name, what, i + 1);
            return;
        }
        for (int j = 0; j < i; j++)
            if (strcmp(names[i], names[j]) == 0)
                error_append(error, "subsystem '%s': the %s name '%s' appears twice", subsystem->name, what,
                             names[i]);
    }
}

/* A stride or a number of substeps of 0 means that none is given. */
static void check_method_and_steps(const costab_subsystem *subsystem, costab_error *error) {
    const costab_method *method = &subsystem->method;
    bool tableau = method->kind == COSTAB_RUNGE_KUTTA || method->kind == COSTAB_NYSTROM;
    if ((unsigned)method->kind > COSTAB_DISCRETE ||
        (tableau && (method->stages < 1 || method->stages > COSTAB_STAGES_MAX)))
        error_append(error, "subsystem '%s': it has no method", subsystem->name);
    if (subsystem->stride < 0 || subsystem->stride > COSTAB_STRIDE_MAX)
        error_append(error, "subsystem '%s': its stride is %d macro steps; 1 to %d are allowed",
                     subsystem->name, subsystem->stride, COSTAB_STRIDE_MAX);
    if (subsystem->substeps < 0 || subsystem->substeps > COSTAB_SUBSTEPS_MAX)
        error_append(error, "subsystem '%s': %d substeps; 1 to %d are allowed", subsystem->name,
                     subsystem->substeps, COSTAB_SUBSTEPS_MAX);
    if (subsystem->substeps == 0 && !(subsystem->step > 0 && isfinite(subsystem->step)))
        error_append(error, "subsystem '%s': its step is %g; give a positive step, or substeps",
                     subsystem->name, subsystem->step);
    if (method->kind == COSTAB_SAMPLED && (subsystem->D != NULL || subsystem->substeps > 0))
        error_append(error, "subsystem '%s': a map of whole steps has neither D nor substeps",
                     subsystem->name);
    if (method->kind == COSTAB_DISCRETE && (subsystem->D != NULL || subsystem->substeps > 0 ||
                                            subsystem->dynamics != NULL || subsystem->pairs > 0))
        error_append(error,
                     "subsystem '%s': a discrete-time system has a sample time, and neither D, substeps, "
                     "dynamics nor positions and velocities",
                     subsystem->name);
    if (method->kind != COSTAB_SAMPLED && (subsystem->stepper != NULL || subsystem->rise != NULL))
        error_append(error,
                     "subsystem '%s': a stepper or rise requires the method sampled, a map of its steps",
                     subsystem->name);
    if (subsystem->dynamics == NULL) return;
    if (method->kind == COSTAB_EXACT)
        error_append(error,
                     "subsystem '%s': a nonlinear subsystem has no exact solver; take rk4 or another method",
                     subsystem->name);
    if (subsystem->dynamics->f == NULL || subsystem->dynamics->g == NULL)
        error_append(error, "subsystem '%s': its dynamics need both f and g", subsystem->name);
}

/* Returns the name of state i. */
static const char *state_name(const costab_subsystem *subsystem, int i, char name[COSTAB_SIGNAL_NAME_MAX]) {
    costab_network alone = {.subsystem_count = 1, .subsystems = subsystem};
    return costab_signal_name(&alone, 0, COSTAB_SIGNAL_STATE, i, name);
}

/* Returns true if q' = v: the row of A is a unit vector, the row of B zero. */
static bool is_derivative(const costab_subsystem *subsystem, int position, int velocity) {
    for (int j = 0; j < subsystem->states; j++)
        if (subsystem->A[position * subsystem->states + j] != (j == velocity)) return false;
    for (int j = 0; j < subsystem->inputs; j++)
        if (subsystem->B[position * subsystem->inputs + j] != 0) return false;
    return true;
}

/* Positions and velocities must be distinct states. */
static bool check_pairs(const costab_subsystem *subsystem, costab_error *error) {
    char name[COSTAB_SIGNAL_NAME_MAX];
    for (int i = 0; i < 2 * subsystem->pairs; i++) {
        const int *at = i % 2 == 0 ? subsystem->positions : subsystem->velocities;
        int state = at[i / 2];
        if (state < 0 || state >= subsystem->states) {
            error_append(error, "subsystem '%s': no state %d for a position or velocity, it has %d states",
                         subsystem->name, state + 1, subsystem->states);
            return false;
        }
        for (int j = 0; j < i; j++)
            if ((j % 2 == 0 ? subsystem->positions : subsystem->velocities)[j / 2] == state) {
                error_append(error,
                             "subsystem '%s': the state '%s' appears twice among positions and velocities",
                             subsystem->name, state_name(subsystem, state, name));
                return false;
            }
    }
    return true;
}

costab_status network_check_pairs(const costab_subsystem *subsystem, costab_error *error) {
    char q[COSTAB_SIGNAL_NAME_MAX], v[COSTAB_SIGNAL_NAME_MAX];
    for (int p = 0; p < subsystem->pairs; p++)
        if (!is_derivative(subsystem, subsystem->positions[p], subsystem->velocities[p]))
            return error_invalid(
                error, "subsystem '%s': the derivative of position '%s' is not the velocity '%s' alone",
                subsystem->name, state_name(subsystem, subsystem->positions[p], q),
                state_name(subsystem, subsystem->velocities[p], v));
    return COSTAB_OK;
}

static void check_paired_states(const costab_subsystem *subsystem, costab_error *error) {
    if (subsystem->pairs < 0 || subsystem->pairs > subsystem->states ||
        (subsystem->pairs > 0 && (subsystem->positions == NULL || subsystem->velocities == NULL))) {
        error_append(error, "subsystem '%s': positions and velocities are missing or too many",
                     subsystem->name);
        return;
    }
    if (!check_pairs(subsystem, error)) return;
    costab_error derivatives = {.status = COSTAB_OK};
    if (costab_method_paired(&subsystem->method) && 2 * subsystem->pairs != subsystem->states)
        error_append(error,
                     "subsystem '%s': %s needs every state among positions and velocities; %d of %d are",
                     subsystem->name, subsystem->method.name, 2 * subsystem->pairs, subsystem->states);
    if (network_check_pairs(subsystem, &derivatives)) error_append(error, "%s", derivatives.message);
}

static void check_subsystem(const costab_network *network, int s, costab_error *error) {
    const costab_subsystem *subsystem = &network->subsystems[s];
    if (subsystem->name == NULL || subsystem->name[0] == '\0') {
        error_append(error, "subsystem %d has no name", s + 1);
        return;
    }
    for (int other = 0; other < s; other++)
        if (network->subsystems[other].name != NULL &&
            strcmp(subsystem->name, network->subsystems[other].name) == 0)
            error_append(error, "two subsystems have the name '%s'", subsystem->name);
    int n = subsystem->states, m = subsystem->inputs, q = subsystem->outputs;
    if (n < 0 || m < 0 || q < 0) {
        error_append(error, "subsystem '%s': %d states, %d inputs, %d outputs; none may be negative",
                     subsystem->name, n, m, q);
        return;
    }
    check_matrix(subsystem, "A", subsystem->A, n, n, false, error);
    check_matrix(subsystem, "B", subsystem->B, n, m, false, error);
    check_matrix(subsystem, "C", subsystem->C, q, n, false, error);
    check_matrix(subsystem, "D", subsystem->D, q, m, true, error);
    check_matrix(subsystem, "rise", subsystem->rise, n, m, true, error);
    check_matrix(subsystem, "x0", subsystem->x0, n, 1, true, error);
    check_names(subsystem, "state", subsystem->state_names, n, error);
    check_names(subsystem, "input", subsystem->input_names, m, error);
    check_names(subsystem, "output", subsystem->output_names, q, error);
    check_method_and_steps(subsystem, error);
    if (!error->status && (n == 0 || subsystem->A != NULL)) check_paired_states(subsystem, error);
}

/* ---- Connections ---- */

/* Returns true if subsystem s has this input, or output. */
static bool has_port(const costab_network *network, int s, int port, bool input) {
    if (s < 0 || s >= network->subsystem_count) return false;
    int count = input ? network->subsystems[s].inputs : network->subsystems[s].outputs;
    return port >= 0 && port < count;
}

static void check_connection(const costab_network *network, int c, costab_error *error) {
    const costab_connection *connection = &network->connections[c];
    if (!has_port(network, connection->from, connection->output, false)) {
        error_append(error, "connection %d: no output %d of subsystem %d", c + 1, connection->output + 1,
                     connection->from + 1);
        return;
    }
    if (!has_port(network, connection->to, connection->input, true)) {
        error_append(error, "connection %d: no input %d of subsystem %d", c + 1, connection->input + 1,
                     connection->to + 1);
        return;
    }
    const costab_subsystem *from = &network->subsystems[connection->from],
                           *to = &network->subsystems[connection->to];
    char out[COSTAB_SIGNAL_NAME_MAX], in[COSTAB_SIGNAL_NAME_MAX];
    const char *output =
        costab_signal_name(network, connection->from, COSTAB_SIGNAL_OUTPUT, connection->output, out);
    const char *input =
        costab_signal_name(network, connection->to, COSTAB_SIGNAL_INPUT, connection->input, in);
    if (!isfinite(connection->gain))
        error_append(error, "connection %s.%s -> %s.%s: its gain is %g; it must be finite", from->name,
                     output, to->name, input, connection->gain);
    const costab_extrapolation *own = &connection->extrapolation;
    if (connection->extrapolates && ((unsigned)own->hold >= COSTAB_HOLD_COUNT || !isfinite(own->a0) ||
                                     !isfinite(own->a1) || !isfinite(own->b0) || !isfinite(own->b1)))
        error_append(error,
                     "connection %s.%s -> %s.%s: its extrapolation is unknown, or a weight is not finite",
                     from->name, output, to->name, input);
    if (!(connection->delay_time >= 0) || !isfinite(connection->delay_time) ||
        (connection->delay_time > 0 && connection->delay != 0))
        error_append(error,
                     "connection %s.%s -> %s.%s: its delay is %g seconds and %d macro steps; one of the "
                     "two, finite and not negative, is allowed",
                     from->name, output, to->name, input, connection->delay_time, connection->delay);
    if (!(connection->dead_time >= 0) || !isfinite(connection->dead_time))
        error_append(error,
                     "connection %s.%s -> %s.%s: its dead time is %g s; it must be finite and not negative",
                     from->name, output, to->name, input, connection->dead_time);
    if (connection->delay < 0 || connection->delay > COSTAB_DELAY_MAX)
        error_append(error, "connection %s.%s -> %s.%s: its delay is %d macro steps; 0 to %d are allowed",
                     from->name, output, to->name, input, connection->delay, COSTAB_DELAY_MAX);
    for (int other = 0; other < c; other++) {
        const costab_connection *twin = &network->connections[other];
        if (twin->from == connection->from && twin->output == connection->output &&
            twin->to == connection->to && twin->input == connection->input)
            error_append(error, "%s.%s is connected to %s.%s twice; add the gains in one connection",
                         from->name, output, to->name, input);
    }
}

static void check_bond(const costab_network *network, int b, costab_error *error) {
    const costab_bond *bond = &network->bonds[b];
    if (!has_port(network, bond->subsystem1, bond->input1, true) ||
        !has_port(network, bond->subsystem1, bond->output1, false) ||
        !has_port(network, bond->subsystem2, bond->input2, true) ||
        !has_port(network, bond->subsystem2, bond->output2, false)) {
        error_append(error, "power bond %d: one of its ports does not exist", b + 1);
        return;
    }
    bool forth = false, back = false;
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *connection = &network->connections[c];
        if (connection->gain == 0) continue;
        forth = forth || (connection->from == bond->subsystem2 && connection->output == bond->output2 &&
                          connection->to == bond->subsystem1 && connection->input == bond->input1);
        back = back || (connection->from == bond->subsystem1 && connection->output == bond->output1 &&
                        connection->to == bond->subsystem2 && connection->input == bond->input2);
    }
    if (!forth || !back)
        error_append(
            error,
            "power bond %d: connect its second output to its first input and its first output to its second "
            "input, each with a gain other than 0",
            b + 1);
}

/* Returns true if the list exists or is empty. */
static bool has_list(const void *list, int count) {
    return count == 0 || (count > 0 && list != NULL);
}

static bool has_lists(const costab_network *network) {
    return network != NULL && network->subsystem_count > 0 && network->subsystems != NULL &&
           has_list(network->connections, network->connection_count) &&
           has_list(network->bonds, network->bond_count) && has_list(network->sources, network->source_count);
}

/* Positions and velocities must be states; methods for pairs require all states. */
static bool has_pairs(const costab_subsystem *of) {
    bool sound = of->pairs >= 0 && of->pairs <= of->states &&
                 (!costab_method_paired(&of->method) || 2 * of->pairs == of->states) &&
                 (of->pairs == 0 || (of->positions != NULL && of->velocities != NULL));
    for (int p = 0; sound && p < of->pairs; p++)
        sound = of->positions[p] >= 0 && of->positions[p] < of->states && of->velocities[p] >= 0 &&
                of->velocities[p] < of->states;
    return sound;
}

/* Protects the workspace from networks that the caller did not check; fast, without messages. */
bool work_sound(const costab_network *network) {
    bool sound = has_lists(network);
    for (int s = 0; sound && s < network->subsystem_count; s++) {
        const costab_subsystem *of = &network->subsystems[s];
        bool states = of->states > 0, inputs = of->inputs > 0, outputs = of->outputs > 0;
        sound = of->states >= 0 && of->inputs >= 0 && of->outputs >= 0 && (!states || of->A != NULL) &&
                (!(states && inputs) || of->B != NULL) && (!(states && outputs) || of->C != NULL) &&
                has_pairs(of);
    }
    for (int c = 0; sound && c < network->connection_count; c++) {
        const costab_connection *k = &network->connections[c];
        sound = has_port(network, k->from, k->output, false) && has_port(network, k->to, k->input, true) &&
                (!k->extrapolates || (unsigned)k->extrapolation.hold < COSTAB_HOLD_COUNT);
    }
    return sound;
}

costab_status costab_network_check(const costab_network *network, costab_error *error) {
    costab_error local = {.status = COSTAB_OK};
    if (error == NULL) error = &local;
    error->status = COSTAB_OK;
    error->message[0] = '\0';
    if (!has_lists(network))
        return error_invalid(
            error, "a network requires at least one subsystem, and each list with entries must not be NULL");
    for (int s = 0; s < network->subsystem_count; s++) check_subsystem(network, s, error);
    /* Messages about ports use the names of subsystems and signals. */
    if (error->status) return error->status;
    for (int c = 0; c < network->connection_count; c++) check_connection(network, c, error);
    for (int b = 0; b < network->bond_count; b++) check_bond(network, b, error);
    for (int i = 0; i < network->source_count; i++)
        if (!has_port(network, network->sources[i].subsystem, network->sources[i].input, true) ||
            network->sources[i].value == NULL)
            error_append(error, "source %d: its input does not exist, or it has no value", i + 1);
    return error->status;
}
