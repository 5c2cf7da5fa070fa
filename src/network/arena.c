/* Lays out all arrays of a workspace in one block of memory.
 *
 * 1. The layout function runs on an arena without a block, which adds up the sizes.
 * 2. A block is allocated, a quarter larger than the sum, unless the present block is large enough.
 * 3. The layout function runs a second time and receives addresses. */
#include "network/arena.h"

#include <stdint.h>

#include "base/error.h"
#include "base/lanes.h"
#include "base/memory.h"

void *arena_take(network_arena *arena, size_t count, size_t size) {
    size_t at = (arena->used + 15) & ~(size_t)15;
    /* On overflow `used` becomes so large that the allocation fails. */
    if (at > SIZE_MAX / 4 || (size > 0 && count > (SIZE_MAX / 4 - at) / size)) {
        arena->used = SIZE_MAX / 2;
        return NULL;
    }
    arena->used = at + count * size;
    return arena->base != NULL ? arena->base + at : NULL;
}

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

/* Takes one cache line more than requested, to align the start. */
double *arena_lanes(network_arena *arena, int width, int count) {
    unsigned char *taken = arena_take(arena, (size_t)count * (size_t)width + LANES_MOST, sizeof(double));
    if (taken == NULL) return NULL;
    size_t line = LANES_MOST * sizeof(double);
    return (double *)(void *)(taken + (line - (uintptr_t)taken % line) % line);
}
