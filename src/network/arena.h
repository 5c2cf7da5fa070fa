/* network/arena.h - one memory block for all arrays of a workspace. */
#pragma once

#include <stdint.h>

#include "costab/network.h"

/* Zero-initialise; the owner frees `base`. */
typedef struct network_arena {
    unsigned char *base;   /* the block, owned; NULL: the arena only measures */
    size_t used, capacity; /* bytes */
} network_arena;

/* Returns space for `count` items of `size` bytes, aligned to 16 bytes and valid until the next arena_fill;
 * NULL while the arena only measures. */
void *arena_take(network_arena *arena, size_t count, size_t size);

/* Calls `lay` twice, to measure and to assign. `lay` takes all arrays of `owner` from the arena and must take
 * the same arrays both times. A large enough block is reused. Contents are undefined afterwards.
 * COSTAB_MEMORY. */
costab_status arena_fill(network_arena *arena, void (*lay)(void *owner, network_arena *arena), void *owner,
                         costab_error *error);

/* Like arena_take, for `count` numbers of a batch of `width` lanes (base/lanes.h), aligned to a cache line.
 */
double *arena_lanes(network_arena *arena, int width, int count);
