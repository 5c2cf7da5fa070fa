/* Shortens delays that do not affect stability, in a copy of the network: the map stores a value for each
 * macro step of a delay, and long delays make it large. For searches of limits (limit/network_family.c).
 *
 * If no chain of connections leads from a connection's target back to its source, the connection is not part
 * of a loop. With subsystems ordered accordingly the map is block triangular. Such a connection is off the
 * diagonal, and the values stored by its delay form a shift register with eigenvalues 0. Its delay can thus
 * be one macro step, which makes the map small.
 *
 * 1. Search forwards from the target of each delayed connection for its source.
 * 2. A connection outside loops gets a delay of one macro step. The delay is not zero because couplings treat
 *    values without delay differently (iterations).
 * 3. If only the continuous system is requested, the delays in loops are shortened as well: they belong to
 * the coupling. Dead times in loops stay, since the continuous system depends on them.
 *
 * Cost: delayed connections times connections. Limitation: loops of subsystems, not of single signals. */
#include "network/network.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/exchange.h"
#include "network/work.h"

/* Delay of a connection in whole macro steps: the number of its stored values. */
static double whole_delay(const costab_connection *connection, double macro_step) {
    double dead = connection->dead_time > 0 ? exchange_dead_steps(connection->dead_time / macro_step) + 1 : 0;
    return dead + (connection->delay_time > 0 ? exchange_whole_delay(connection->delay_time, macro_step)
                                              : connection->delay);
}

/* Connections by source, and the reached subsystems. */
typedef struct graph {
    int *first, *next; /* per subsystem, per connection: the next connection from it; -1: last */
    int *open;         /* subsystems whose connections are still to be followed */
    bool *reached;     /* per subsystem */
} graph;

static void link_connections(const costab_network *network, const graph *g) {
    for (int s = 0; s < network->subsystem_count; s++) g->first[s] = -1;
    for (int c = network->connection_count - 1; c >= 0; c--) {
        g->next[c] = g->first[network->connections[c].from];
        g->first[network->connections[c].from] = c;
    }
}

/* Returns true if a chain of connections leads from one subsystem to another. */
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
    TRY(memory_reserve(&work->short_connections, &work->short_capacity, count, error));
    memcpy(work->short_connections, network->connections, count * sizeof *network->connections);
    link_connections(network, &g);
    /* The copy needs a version of its own. Callers count from 1, so large numbers are free. */
    uint64_t version =
        network->structure_version != 0 ? ~(2 * network->structure_version + (all ? 1 : 0)) : 0;
    for (size_t c = 0; c < count; c++) {
        costab_connection *connection = &work->short_connections[c];
        if (!(whole_delay(connection, macro_step) > 1)) continue;
        if ((!all || connection->dead_time > 0) && reaches(network, &g, connection->to, connection->from))
            continue;
        if (connection->delay_time > 0 || connection->dead_time > 0)
            version = 0; /* the set of shortened delays depends on the macro
                          * step */
        connection->delay_time = connection->dead_time = 0;
        connection->delay = 1;
        shortened->structure_version = version;
    }
    shortened->connections = work->short_connections;
    return COSTAB_OK;
}

/* Connections from the same output share the stored values: the longest delay counts. The sum is taken at the
 * first delayed connection of each output. */
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
