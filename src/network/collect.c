/* A simulation's rows in one array: costab_network_simulate hands them over one by one, and each is appended.
 * Where memory ends the simulation is stopped. */
#include "base/error.h"
#include "base/memory.h"
#include "costab/network.h"

typedef struct collector {
    costab_rows *rows;
    bool failed;
} collector;

static bool keep(void *context, const costab_row *row) {
    collector *c = context;
    costab_rows *rows = c->rows;
    c->failed = !memory_grows(&rows->items, &rows->capacity, rows->count + 1);
    if (!c->failed) rows->items[rows->count++] = *row;
    return !c->failed;
}

costab_status costab_network_rows(const costab_network *network, const costab_coupling *coupling,
                                  const costab_simulate_options *options, costab_rows *rows,
                                  costab_simulate_outcome *outcome, costab_error *error) {
    collector c = {.rows = rows};
    *rows = (costab_rows){.count = 0};
    costab_status status = costab_network_simulate(network, coupling, options, keep, &c, outcome, error);
    return c.failed ? error_memory(error) : status;
}

void costab_rows_free(costab_rows *rows) {
    memory_free(rows->items);
    *rows = (costab_rows){.count = 0};
}
