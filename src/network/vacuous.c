/* Whether anything is left of a point to analyse (docs/explanation/algorithms.md, Structural modes).
 *
 * 1. The continuous system: has it states beside the removed modes? If it is not known, it has none here.
 * 2. The map: its entries other than 0 lead from row to row. If they make no circle but of a row with itself,
 *    the eigenvalues are the entries of the diagonal; as many may be other than 0 as modes were removed.
 *
 * Cost: size^2, where step 1 finds nothing. Limitation: a circle whose entries cancel counts as a mode. */
#include "base/error.h"
#include "base/memory.h"
#include "network/monolithic.h"
#include "network/network.h"
#include "network/work.h"

/* Step 2: rows that read no row that is left are struck, until there are none. */
static bool has_circle(const double *map, int size, bool *struck) {
    bool again = true;
    int left = size;
    while (again) {
        again = false;
        for (int i = 0; i < size; i++) {
            bool reads = false;
            for (int j = 0; j < size && !struck[i] && !reads; j++)
                reads = i != j && !struck[j] && map[i * size + j] != 0;
            if (struck[i] || reads) continue;
            struck[i] = again = true;
            left--;
        }
    }
    return left > 0;
}

costab_status costab_network_vacuous(const costab_network_work *work, bool *vacuous, costab_error *error) {
    int size = work->size, own = 0;
    *vacuous = false;
    bool rests = monolithic_unknown(work->network) || work->states == work->removed;
    if (!rests || work->halves > 1 || work->guesses > 0) return COSTAB_OK;
    memory_local_array(bool, struck, (size_t)size + 1, error);
    for (int i = 0; i < size; i++) own += work->map[i * size + i] != 0;
    *vacuous = own <= work->removed && !has_circle(work->map, size, struck);
    return COSTAB_OK;
}
