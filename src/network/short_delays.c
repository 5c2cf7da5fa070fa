/* Delays that do not decide about stability.
 *
 * A subsystem that its own outputs do not reach through a connection closes no loop with that connection.
 * Ordered by who reaches whom, the map is block triangular: such a connection is off the diagonal, and the
 * values that its delay stores are shifted from one to the next, eigenvalues 0. So its delay can be one macro
 * step, and a long line of stored values need not be searched.
 *
 * 1. From each delayed connection's target forwards along connections: is its source reached?
 * 2. If not, the delay in the copy is one macro step. One step, not none: a coupling treats delayed values
 *    alike, but iterates values without delay.
 *
 * Cost: delayed connections times connections. Limitation: loops are those of subsystems, not of single
 * signals. */
#include "network/network.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/exchange.h"
#include "network/work.h"

static double whole_delay(const costab_connection *connection, double macro_step) {
    return connection->delay_time > 0 ? exchange_whole_delay(connection->delay_time, macro_step)
                                      : connection->delay;
}

/* Connections by their sources, and the subsystems that are reached. */
typedef struct graph {
    int *first, *next; /* per subsystem, per connection: the next connection from it; -1: none */
    int *open;         /* subsystems whose connections are to be followed */
    bool *reached;     /* per subsystem */
} graph;

static void link_connections(const costab_network *network, const graph *g) {
    for (int s = 0; s < network->subsystem_count; s++) g->first[s] = -1;
    for (int c = network->connection_count - 1; c >= 0; c--) {
        g->next[c] = g->first[network->connections[c].from];
        g->first[network->connections[c].from] = c;
    }
}

/* Step 1. */
static bool reaches(const costab_network *network, const graph *g, int from, int to) {
    int count = 1;
    memset(g->reached, 0, (size_t)network->subsystem_count * sizeof *g->reached);
    g->open[0] = from;
    g->reached[from] = true;
    while (count > 0 && !g->reached[to]) {
        for (int c = g->first[g->open[--count]]; c >= 0; c = g->next[c]) {
            int target = network->connections[c].to;
            if (g->reached[target]) continue;
            g->reached[target] = true;
            g->open[count++] = target;
        }
    }
    return g->reached[to];
}

costab_status short_delays(costab_network_work *work, const costab_network *network, double macro_step,
                           bool all, costab_network *shortened, costab_error *error) {
    const size_t subsystems = (size_t)network->subsystem_count, count = (size_t)network->connection_count;
    *shortened = *network;
    bool any = false;
    for (size_t c = 0; c < count; c++) any = any || whole_delay(&network->connections[c], macro_step) > 1;
    if (!any) return COSTAB_OK;
    memory_local_array(int, numbers, 2 * subsystems + count, error);
    memory_local_array(bool, reached, subsystems, error);
    const graph g = {numbers, numbers + subsystems, numbers + subsystems + count, reached};
    TRY(memory_room(&work->short_connections, &work->short_capacity, count, error));
    memcpy(work->short_connections, network->connections, count * sizeof *network->connections);
    link_connections(network, &g);
    /* Another structure than the network's, whose versions are far below. */
    uint64_t version =
        network->structure_version != 0 ? ~(2 * network->structure_version + (all ? 1 : 0)) : 0;
    for (size_t c = 0; c < count; c++) {
        costab_connection *connection = &work->short_connections[c];
        if (!(whole_delay(connection, macro_step) > 1)) continue;
        if (!all && reaches(network, &g, connection->to, connection->from)) continue;
        if (connection->delay_time > 0) version = 0; /* which are shortened depends on the macro step */
        connection->delay_time = 0;
        connection->delay = 1;
        shortened->structure_version = version;
    }
    shortened->connections = work->short_connections;
    return COSTAB_OK;
}

/* The first connection of each signal counts, with the longest delay of all that carry the signal. */
double short_delays_stored(const costab_network *network, double macro_step) {
    double sum = 0;
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *of = &network->connections[c];
        double most = 0;
        bool first = true;
        if (!(whole_delay(of, macro_step) > 1)) continue;
        for (int d = 0; d < network->connection_count; d++) {
            const costab_connection *other = &network->connections[d];
            if (other->from != of->from || other->output != of->output) continue;
            double steps = whole_delay(other, macro_step);
            first = first && (d >= c || !(steps > 1));
            most = steps > most ? steps : most;
        }
        if (first) sum += most;
    }
    return sum;
}
