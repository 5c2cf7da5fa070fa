/* network/arena.h - memory of a workspace in one block. */
#pragma once

#include <stdint.h>

#include "costab/network.h"

typedef struct network_arena {
    unsigned char *base;
    size_t used, capacity;
    uint64_t form; /* tells what was taken from what others would take; 0: nothing */
    bool kept;     /* what was taken the last time lies where it lay, as it was */
} network_arena;

/* `count` items of `size` bytes; NULL while the arena only measures (base NULL). */
void *arena_take(network_arena *arena, size_t count, size_t size);

/* Lets `lay` take all that `owner` needs, in memory that is kept from the last time where it is large enough.
 * What stands in it is undefined, unless arena->kept. */
costab_status arena_fill(network_arena *arena, void (*lay)(void *owner, network_arena *arena), void *owner,
                         costab_error *error);

/* `count` numbers of LANES points (base/lanes.h), from the begin of a line of the cache on: a vector that
 * lies in two is read twice. */
double *arena_lanes(network_arena *arena, int count);
