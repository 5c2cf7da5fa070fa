/* A cache of measured maps. The key contains the step length, start values and inputs, compared bit by bit. A
 * brief measurement only serves brief requests. The list is searched linearly, since measurements take far
 * longer. It holds at most MAPS_MOST maps or DOUBLES_MOST numbers; later maps are not stored. */
#include <string.h>

#include "base/memory.h"
#include "fmu/measure.h"

enum { MAPS_MOST = 2048, MATRICES = 5 };
#define DOUBLES_MOST ((size_t)1 << 22)

/* A map: its key followed by its matrices, and further results. */
typedef struct map {
    double *values;
    bool loops_only, brief;
    costab_foreign_found found;
} map;

struct fmu_map_cache {
    map maps[MAPS_MOST];
    size_t count, doubles;
};

/* Writes the key of a map: length, start values, inputs. Returns its size. */
static size_t write_key(const fmu_subsystem *s, const costab_foreign_numbers *x, double *key) {
    const size_t starts = (size_t)s->part->starts.count, inputs = (size_t)s->part->inputs.count;
    key[0] = x->length;
    measure_copy_starts(s->part, x, key + 1);
    memcpy(key + 1 + starts, x->point, inputs * sizeof *key);
    return 1 + starts + inputs;
}

/* Lists A, B, C, x0 and rise; the last two may be NULL. */
static size_t list_matrices(const fmu_subsystem *s, const costab_foreign_numbers *x, double *list[MATRICES],
                            size_t sizes[MATRICES]) {
    const size_t n = (size_t)x->found.states, m = (size_t)s->part->inputs.count;
    const size_t q = (size_t)s->part->outputs.count, all[] = {n * n, n * m, n * q, n, n * m};
    double *const matrices[] = {x->A, x->B, x->C, x->x0, x->rise};
    size_t sum = 0;
    for (int k = 0; k < MATRICES; k++) {
        list[k] = matrices[k];
        sizes[k] = matrices[k] != NULL ? all[k] : 0;
        sum += sizes[k];
    }
    return sum;
}

bool map_cache_find(fmu_subsystem *s, costab_foreign_numbers *numbers) {
    const map *known = NULL;
    const size_t key = write_key(s, numbers, s->asked);
    for (size_t i = 0; s->cache != NULL && i < s->cache->count && known == NULL; i++)
        if (memcmp(s->cache->maps[i].values, s->asked, key * sizeof *s->asked) == 0 &&
            (numbers->brief || !s->cache->maps[i].brief))
            known = &s->cache->maps[i];
    if (known == NULL) return false;
    double *list[MATRICES], *from = known->values + key;
    size_t sizes[MATRICES];
    numbers->found = known->found;
    s->loops_only = known->loops_only;
    (void)list_matrices(s, numbers, list, sizes);
    for (int k = 0; k < MATRICES; from += sizes[k++])
        if (sizes[k] > 0) memcpy(list[k], from, sizes[k] * sizeof *from);
    return true;
}

void map_cache_store(fmu_subsystem *s, const costab_foreign_numbers *numbers) {
    double *list[MATRICES], *to;
    size_t sizes[MATRICES], key = write_key(s, numbers, s->asked);
    size_t size = key + list_matrices(s, numbers, list, sizes);
    if (s->cache == NULL) s->cache = memory_alloc(1, sizeof *s->cache);
    if (s->cache == NULL || s->cache->count == MAPS_MOST || s->cache->doubles + size > DOUBLES_MOST) return;
    map *kept = &s->cache->maps[s->cache->count];
    *kept = (map){memory_alloc(size, sizeof *to), s->loops_only, numbers->brief, numbers->found};
    if (kept->values == NULL) return;
    to = kept->values + write_key(s, numbers, kept->values);
    for (int k = 0; k < MATRICES; to += sizes[k++])
        if (sizes[k] > 0) memcpy(to, list[k], sizes[k] * sizeof *to);
    s->cache->count++;
    s->cache->doubles += size;
}

void map_cache_free(fmu_map_cache **cache) {
    if (*cache == NULL) return;
    for (size_t i = 0; i < (*cache)->count; i++) memory_free((*cache)->maps[i].values);
    memory_free(*cache);
    *cache = NULL;
}
