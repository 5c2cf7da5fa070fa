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
    planar_trail trail = planar_trail_start();
    for (size_t g = 0; g < gamma->count; g++) {
        struct row_cache_entry *entry = &cache->entries[g];
        planar_pieces found;
        planar_row_find(&slice, gamma->values[g], &trail, &found);
        if (found.count > PIECES || found.check_count > CHECKS) {
            entry->count = -1;
            continue;
        }
        entry->count = found.count;
        entry->check_count = found.check_count;
        memcpy(entry->pieces, found.piece, (size_t)found.count * sizeof found.piece[0]);
        memcpy(entry->checks, found.checks, (size_t)found.check_count * sizeof found.checks[0]);
    }
    return COSTAB_OK;
}

void row_cache_free(row_cache *cache) {
    memory_free(cache->entries);
    *cache = (row_cache){0};
}

void row_cache_fill(const row_cache *cache, const costab_planar_slice *slice, size_t index, double gamma,
                    const planar_grid *grid, planar_trail *trail, uint8_t *class_code) {
    planar_pieces pieces;
    bool kept = slice->planar->scheme == COSTAB_SIMULATION && index < cache->count &&
                cache->entries[index].count >= 0;
    if (kept) {
        const struct row_cache_entry *entry = &cache->entries[index];
        pieces.count = entry->count;
        pieces.check_count = entry->check_count;
        memcpy(pieces.piece, entry->pieces, sizeof entry->pieces);
        memcpy(pieces.checks, entry->checks, sizeof entry->checks);
    } else {
        planar_row_find(slice, gamma, trail, &pieces);
    }
    planar_fill_row(slice, gamma, &pieces, grid, class_code);
}
