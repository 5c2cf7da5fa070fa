/* All arrays of a workspace in one block of memory.
 *   1. The function that lays out the arrays runs on an arena without a block, which adds up their sizes.
 *   2. A block is allocated, a quarter larger than that, unless the one at hand is large enough.
 *   3. The function runs again and gets the places. */
#include "network/arena.h"

#include <stdint.h>

#include "base/error.h"
#include "base/lanes.h"
#include "base/memory.h"

void *arena_take(network_arena *arena, size_t count, size_t size) {
    size_t at = (arena->used + 15) & ~(size_t)15;
    /* On overflow `used` becomes so large that the allocation fails, and stays so. */
    if (at > SIZE_MAX / 4 || (size > 0 && count > (SIZE_MAX / 4 - at) / size)) {
        arena->used = SIZE_MAX / 2;
        return NULL;
    }
    arena->used = at + count * size;
    return arena->base != NULL ? arena->base + at : NULL;
}

/* Lays out twice: once to measure, once in place. */
costab_status arena_fill(network_arena *arena, void (*lay)(void *owner, network_arena *arena), void *owner,
                         costab_error *error) {
    network_arena measure = {0};
    lay(owner, &measure);
    if (measure.used > arena->capacity || arena->base == NULL) {
        size_t capacity = measure.used + measure.used / 4 + 64;
        memory_free(arena->base);
        *arena = (network_arena){.base = memory_alloc(capacity, 1)};
        if (arena->base == NULL) return error_memory(error);
        arena->capacity = capacity;
    }
    arena->used = 0;
    lay(owner, arena);
    return COSTAB_OK;
}

/* Takes one line of the cache more than asked for, to have room for moving the begin to a line of the cache.
 */
double *arena_lanes(network_arena *arena, int width, int count) {
    unsigned char *taken = arena_take(arena, (size_t)count * (size_t)width + LANES_MOST, sizeof(double));
    if (taken == NULL) return NULL;
    size_t line = LANES_MOST * sizeof(double);
    return (double *)(void *)(taken + (line - (uintptr_t)taken % line) % line);
}
