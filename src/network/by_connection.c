/* Splits the outputs of a network so that every connection has its own, to attribute history values to
 * connections.
 *
 * 1. C and D of each subsystem are replaced by matrices with one row per connection from it, copied from the
 *    row of the connection's output (0 without D). Sampled and discrete-time subsystems have no D.
 * 2. Connections are renumbered to their own outputs; of_output has the connection of each output.
 *
 * Cost: the copied rows. */
#include "network/by_connection.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* Number of entries in the new rows of C and D. */
static size_t rows_size(const costab_network *network) {
    size_t size = 1;
    for (int c = 0; c < network->connection_count; c++) {
        const costab_subsystem *from = &network->subsystems[network->connections[c].from];
        size += (size_t)from->states + (size_t)from->inputs;
    }
    return size;
}

/* Builds a matrix with one row per connection from subsystem s; zero if `matrix` is NULL. */
static const double *take_rows(const costab_network *network, int s, const double *matrix, int columns,
                               double **space) {
    double *first = *space;
    for (int c = 0; c < network->connection_count; c++) {
        if (network->connections[c].from != s) continue;
        if (matrix != NULL)
            memcpy(*space, matrix + network->connections[c].output * columns,
                   (size_t)columns * sizeof **space);
        *space += columns;
    }
    return first;
}

static void split_subsystem(by_connection *split, const costab_network *network, int s, int *output,
                            double **space) {
    costab_subsystem *made = &split->subsystems[s];
    *made = network->subsystems[s];
    made->C = take_rows(network, s, made->C, made->states, space);
    if (made->method.kind != COSTAB_SAMPLED && made->method.kind != COSTAB_DISCRETE)
        made->D = take_rows(network, s, made->D, made->inputs, space);
    made->output_names = NULL;
    made->outputs = 0;
    for (int c = 0; c < network->connection_count; c++) {
        if (network->connections[c].from != s) continue;
        split->connections[c].output = made->outputs++;
        split->of_output[(*output)++] = c;
    }
}

costab_status by_connection_create(const costab_network *network, by_connection **split,
                                   costab_error *error) {
    size_t subsystems = (size_t)network->subsystem_count, count = (size_t)network->connection_count;
    by_connection *made = memory_alloc(1, sizeof *made);
    *split = made;
    if (made == NULL) return error_memory(error);
    TRY(memory_make(&made->subsystems, subsystems + 1, error));
    TRY(memory_make(&made->connections, count + 1, error));
    TRY(memory_make(&made->of_output, count + 1, error));
    TRY(memory_make(&made->rows, rows_size(network), error));
    if (count > 0) memcpy(made->connections, network->connections, count * sizeof *made->connections);
    double *space = made->rows;
    int output = 0;
    for (int s = 0; s < network->subsystem_count; s++) split_subsystem(made, network, s, &output, &space);
    made->network = (costab_network){.subsystem_count = network->subsystem_count,
                                     .connection_count = network->connection_count,
                                     .subsystems = made->subsystems,
                                     .connections = made->connections};
    return COSTAB_OK;
}

void by_connection_destroy(by_connection **split) {
    if (*split == NULL) return;
    memory_free_all((*split)->subsystems, (*split)->connections, (*split)->of_output, (*split)->rows, *split);
    *split = NULL;
}
