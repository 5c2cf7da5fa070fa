/* The map of a run: made from unit states by the code that makes the map of a point, applied row by row. */
#include "network/history_map.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/rows.h"

/* A map is worth making for so many macro steps per row of it; above so many rows its workspace is large
 * beside that of a run. */
enum { STEPS_PER_ROW = 4, ROWS_MOST = 1000 };
/* Below this share of entries that are not 0, 1 in FEW, the others are left out. */
enum { FEW = 4 };

static bool has_map(const simulator *sim, int64_t points) {
    const costab_network *network = sim->network;
    const costab_network_work *work = sim->work;
    bool linear = network->source_count == 0 && network->bond_count == 0;
    for (int s = 0; s < network->subsystem_count; s++)
        linear = linear && network->subsystems[s].dynamics == NULL && network->subsystems[s].stepper == NULL;
    return linear && !sim->local && work->period == 1 && !work->strided && work->size <= ROWS_MOST &&
           points > (int64_t)STEPS_PER_ROW * work->size;
}

/* What a macro step makes of the unit states: in work->next, work->end and work->y1. */
static costab_status step_units(costab_network_work *work, costab_error *error) {
    const network_hooks *hooks = work->hooks;
    memset(work->map, 0, cells(work->size, work->size) * sizeof *work->map);
    for (int i = 0; i < work->size; i++) work->map[cells(i, work->size) + (size_t)i] = 1;
    work->hooks = NULL;
    work->wants_outputs = true;
    costab_status status = work_step(work, 0, work->size, work->map, work->next, error);
    work->wants_outputs = false;
    work->hooks = hooks;
    return status;
}

static const double *row_of(const costab_network_work *work, int r) {
    if (r < work->size) return work->next + cells(r, work->size);
    r -= work->size;
    return r < work->inputs ? work->end + cells(r, work->size)
                            : work->y1 + cells(r - work->inputs, work->size);
}

static costab_status make_room(history_map *map, size_t count, costab_error *error) {
    size_t all = cells(map->rows, map->size);
    bool dense = count * FEW > all;
    map->made = memory_alloc((size_t)map->rows, sizeof *map->made);
    if (dense)
        map->dense = memory_alloc(all, sizeof *map->dense);
    else {
        map->starts = memory_alloc((size_t)map->rows + 1, sizeof *map->starts);
        map->columns = memory_alloc(count, sizeof *map->columns);
        map->factors = memory_alloc(count, sizeof *map->factors);
    }
    bool room = dense ? map->dense != NULL : map->starts && map->columns && map->factors;
    return room && map->made ? COSTAB_OK : error_memory(error);
}

static void take_rows(history_map *map, const costab_network_work *work) {
    int count = 0;
    for (int r = 0; r < map->rows; r++) {
        const double *row = row_of(work, r);
        if (map->dense != NULL) {
            memcpy(map->dense + cells(r, map->size), row, (size_t)map->size * sizeof *row);
            continue;
        }
        map->starts[r] = count;
        for (int j = 0; j < map->size; j++) {
            if (row[j] == 0) continue;
            map->columns[count] = j;
            map->factors[count++] = row[j];
        }
    }
    if (map->dense == NULL) map->starts[map->rows] = count;
}

costab_status history_map_make(history_map *map, simulator *sim, int64_t points, costab_error *error) {
    costab_network_work *work = sim->work;
    history_map_free(map);
    if (!has_map(sim, points)) return COSTAB_OK;
    map->size = work->size;
    map->rows = work->size + work->inputs + work->outputs;
    map->most = sqrt(sim->blow_up);
    costab_status status = step_units(work, error);
    size_t count = 0;
    for (int r = 0; r < map->rows && !status; r++)
        for (int j = 0; j < map->size; j++) count += row_of(work, r)[j] != 0;
    if (!status) status = make_room(map, count, error);
    if (!status) take_rows(map, work);
    map->known = !status;
    return status;
}

static bool is_small(const history_map *map, const double *state) {
    bool small = true;
    for (int i = 0; i < map->size; i++) small &= fabs(state[i]) <= map->most;
    return small;
}

static void multiply(const history_map *map, const double *restrict x, double *restrict out) {
    const double *restrict factors = map->factors;
    const int *restrict columns = map->columns;
    for (int r = 0; r < map->rows; r++) {
        double sum = 0;
        for (int k = map->starts[r]; k < map->starts[r + 1]; k++) sum += factors[k] * x[columns[k]];
        out[r] = sum;
    }
}

bool history_map_step(const history_map *map, const simulator *sim, const double *state, double *next) {
    const costab_network_work *work = sim->work;
    size_t size = (size_t)map->size, inputs = (size_t)work->inputs, outputs = (size_t)work->outputs;
    if (!map->known || !is_small(map, state)) return false;
    if (map->dense != NULL)
        reference_apply(map->rows, map->size, map->dense, state, map->made);
    else
        multiply(map, state, map->made);
    if (!is_small(map, map->made)) return false;
    memcpy(next, map->made, size * sizeof *next);
    memcpy(work->end, map->made + size, inputs * sizeof *next);
    memcpy(work->y1, map->made + size + inputs, outputs * sizeof *next);
    return true;
}

void history_map_free(history_map *map) {
    memory_free_all(map->dense, map->starts, map->columns, map->factors, map->made);
    *map = (history_map){.known = false};
}
