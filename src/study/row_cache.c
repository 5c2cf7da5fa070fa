#include "study/row_cache.h"

#include <stdatomic.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum {
    ROWS_MAX = 1 << 18, /* 32 MiB */
    PIECES = 2,         /* rows with more are not kept */
    CHECKS = 8
};

/* BUSY: a thread writes it; others that want the row at the same time find it themselves. States lie apart
 * from entries, which are written before they are read: pages that are read first are mapped twice, and the
 * second time all other threads are interrupted. */
enum { EMPTY = 1, BUSY, KEPT };

struct row_cache_entry {
    int count, check_count;
    costab_interval pieces[PIECES];
    double checks[CHECKS];
};

costab_status row_cache_make(row_cache *cache, const costab_axis *gamma, costab_error *error) {
    if (gamma->count > ROWS_MAX) return COSTAB_OK;
    cache->entries = memory_alloc(gamma->count, sizeof *cache->entries);
    cache->states = memory_alloc(gamma->count, sizeof *cache->states);
    if (cache->entries == NULL || cache->states == NULL) return error_memory(error);
    for (size_t g = 0; g < gamma->count; g++) atomic_init(&cache->states[g], EMPTY);
    cache->count = gamma->count;
    return COSTAB_OK;
}

void row_cache_free(row_cache *cache) {
    memory_free_all(cache->entries, cache->states);
    *cache = (row_cache){0};
}

static bool take(const row_cache *cache, size_t index, planar_pieces *pieces) {
    if (atomic_load(&cache->states[index]) != KEPT) return false;
    const struct row_cache_entry *entry = &cache->entries[index];
    pieces->count = entry->count;
    pieces->check_count = entry->check_count;
    memcpy(pieces->piece, entry->pieces, sizeof entry->pieces);
    memcpy(pieces->checks, entry->checks, sizeof entry->checks);
    return true;
}

static void keep(row_cache *cache, size_t index, const planar_pieces *pieces) {
    unsigned char empty = EMPTY;
    struct row_cache_entry *entry = &cache->entries[index];
    if (pieces->count > PIECES || pieces->check_count > CHECKS) return;
    if (!atomic_compare_exchange_strong(&cache->states[index], &empty, BUSY)) return;
    entry->count = pieces->count;
    entry->check_count = pieces->check_count;
    memcpy(entry->pieces, pieces->piece, (size_t)pieces->count * sizeof pieces->piece[0]);
    memcpy(entry->checks, pieces->checks, (size_t)pieces->check_count * sizeof pieces->checks[0]);
    atomic_store(&cache->states[index], KEPT);
}

void row_cache_fill(row_cache *cache, const costab_planar_slice *slice, size_t index, double gamma,
                    const planar_grid *grid, planar_trail *trail, const planar_target *target) {
    planar_pieces pieces;
    bool keeps = slice->planar->scheme == COSTAB_SIMULATION && index < cache->count;
    if (!keeps || !take(cache, index, &pieces)) {
        planar_row_find(slice, gamma, trail, &pieces);
        if (keeps) keep(cache, index, &pieces);
    }
    planar_fill_row(slice, gamma, &pieces, grid, target);
}
