#include "study/row_cache.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum {
    ROWS_MAX = 1 << 18, /* 32 MiB */
    PIECES = 2,         /* rows with more are not kept */
    CHECKS = 8
};

struct row_cache_entry {
    int count, check_count; /* count -1: not kept */
    costab_interval pieces[PIECES];
    double checks[CHECKS];
};

costab_status row_cache_make(row_cache *cache, const costab_planar *simulation, const costab_axis *gamma,
                             costab_error *error) {
    if (gamma->count > ROWS_MAX) return COSTAB_OK;
    cache->entries = memory_alloc(gamma->count, sizeof *cache->entries);
    if (cache->entries == NULL) return error_memory(error);
    cache->count = gamma->count;
    costab_planar_slice slice = costab_planar_at(simulation, 0);
    for (size_t g = 0; g < gamma->count; g++) {
        struct row_cache_entry *entry = &cache->entries[g];
        costab_interval pieces[COSTAB_ROW_PIECES_MAX];
        double checks[PLANAR_CHECKS_MAX];
        entry->count = planar_row_pieces(&slice, gamma->values[g], pieces, checks, &entry->check_count);
        if (entry->count > PIECES || entry->check_count > CHECKS) {
            entry->count = -1;
            continue;
        }
        memcpy(entry->pieces, pieces, (size_t)entry->count * sizeof pieces[0]);
        memcpy(entry->checks, checks, (size_t)entry->check_count * sizeof checks[0]);
    }
    return COSTAB_OK;
}

void row_cache_free(row_cache *cache) {
    memory_free(cache->entries);
    *cache = (row_cache){0};
}

void row_cache_fill(const row_cache *cache, const costab_planar_slice *slice, size_t index, double gamma,
                    size_t n, const double *delta, uint8_t *class_code) {
    bool kept = slice->planar->scheme == COSTAB_SIMULATION && index < cache->count &&
                cache->entries[index].count >= 0;
    if (!kept) {
        costab_planar_class_row(slice, gamma, n, delta, class_code);
        return;
    }
    const struct row_cache_entry *entry = &cache->entries[index];
    planar_fill_row(slice, gamma, entry->count, entry->pieces, entry->check_count, entry->checks, n, delta,
                    class_code);
}
