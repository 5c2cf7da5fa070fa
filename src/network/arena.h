/* network/arena.h - memory of a workspace in one block. */
#pragma once

#include <stdint.h>

#include "costab/network.h"

/* Zero-initialise; free `base` in the end. */
typedef struct network_arena {
    unsigned char *base;   /* the block, owned; NULL: the arena only measures */
    size_t used, capacity; /* bytes */
} network_arena;

/* The place of `count` items of `size` bytes, aligned to 16 bytes, valid until the next arena_fill; NULL
 * while the arena only measures. */
void *arena_take(network_arena *arena, size_t count, size_t size);

/* Calls `lay`, which takes all arrays that `owner` needs from the arena it is given, twice: to measure, and
 * in place; it has to take the same both times. The block of the last time serves again where it is large
 * enough. Contents are undefined afterwards. COSTAB_MEMORY. */
costab_status arena_fill(network_arena *arena, void (*lay)(void *owner, network_arena *arena), void *owner,
                         costab_error *error);

/* `count` numbers of a batch of that width (base/lanes.h), from the begin of a line of the cache on. */
double *arena_lanes(network_arena *arena, int width, int count);
