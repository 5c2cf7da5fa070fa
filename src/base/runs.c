/* Run-length coding: the end and the value of each run of equal bytes. A byte that changes inside of a run
 * splits it, at its border the border moves, and alone it joins its neighbours. Changes cost O(runs behind
 * them). */
#include "base/runs.h"

#include <string.h>

#include "base/memory.h"

enum { RUN_BYTES = 16 };
#define RUNS_MAX ((size_t)1 << 20)

size_t runs_most(size_t size) {
    size_t most = size / RUN_BYTES + 1;
    return most < RUNS_MAX ? most : RUNS_MAX;
}

bool runs_make(costab_runs *runs, size_t most) {
    *runs = (costab_runs){.most = most};
    runs->ends = memory_alloc(most, sizeof *runs->ends);
    runs->values = memory_alloc(most, sizeof *runs->values);
    return runs->ends != NULL && runs->values != NULL;
}

void runs_free(costab_runs *runs) {
    memory_free_all(runs->ends, runs->values);
    *runs = (costab_runs){.most = 0};
}

void runs_clear(costab_runs *runs) {
    runs->count = 0;
    runs->full = false;
}

void runs_put(costab_runs *runs, size_t end, uint8_t value) {
    size_t last = runs->count;
    if (last > 0 && runs->values[last - 1] == value) {
        runs->ends[last - 1] = (uint32_t)end;
        return;
    }
    runs->full = runs->full || last == runs->most;
    if (runs->full) return;
    runs->ends[last] = (uint32_t)end;
    runs->values[last] = value;
    runs->count++;
}

/* Puts `more` (below 0: takes away -more) runs before run k. */
static bool shift(costab_runs *runs, size_t k, int more) {
    size_t from = more < 0 ? k + (size_t)-more : k, to = more < 0 ? k : k + (size_t)more;
    size_t rest = runs->count - from;
    runs->full = runs->full || to + rest > runs->most;
    if (runs->full) return false;
    memmove(runs->ends + to, runs->ends + from, rest * sizeof *runs->ends);
    memmove(runs->values + to, runs->values + from, rest * sizeof *runs->values);
    runs->count = to + rest;
    return true;
}

void runs_set(costab_runs *runs, size_t place, uint8_t value) {
    if (runs->full) return;
    size_t k = runs->count - 1; /* the run that holds the place: most often one of the last */
    while (k > 0 && runs->ends[k - 1] > place) k--;
    if (runs->values[k] == value) return;
    const uint8_t old = runs->values[k];
    const size_t start = k > 0 ? runs->ends[k - 1] : 0, end = runs->ends[k];
    bool first = place == start, last = place + 1 == end;
    bool joins_left = first && k > 0 && runs->values[k - 1] == value;
    bool joins_right = last && k + 1 < runs->count && runs->values[k + 1] == value;
    if (joins_left && joins_right) { /* a single byte between equal runs */
        (void)shift(runs, k - 1, -2);
    } else if (joins_left) {
        runs->ends[k - 1]++;
        if (last) (void)shift(runs, k, -1);
    } else if (joins_right) {
        runs->ends[k]--;
        if (first) (void)shift(runs, k, -1);
    } else if (first && last) {
        runs->values[k] = value;
    } else if (shift(runs, k, first || last ? 1 : 2)) {
        if (!first) {
            runs->ends[k] = (uint32_t)place;
            runs->values[k++] = old;
        }
        runs->ends[k] = (uint32_t)(place + 1);
        runs->values[k] = value;
        if (!last) runs->values[k + 1] = old;
    }
}
