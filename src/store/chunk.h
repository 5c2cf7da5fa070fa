/* store/chunk.h - the compressed bytes of a chunk, made outside of HDF5 so that every thread can do it. */
#pragma once

#include "costab/sweep.h"

/* How the chunks of one field are made. Chunks are full tiles; the part beyond the end of an axis is filled
 * up. */
typedef struct store_chunk store_chunk;

/* The level of compression, also in the file's description of its filters. */
#define STORE_DEFLATE_LEVEL 1

costab_status store_chunk_create(const costab_plan *plan, int field, store_chunk **chunk,
                                 costab_error *error);
void store_chunk_free(store_chunk **chunk);

/* Compresses a block of extent `shape` (the field's axes) to what HDF5's filters read: doubles shuffled and
 * deflated, bytes deflated, or all as they are, as the plan wants it. A chunk of one value only is compressed
 * once and then known by its value. By any number of threads at once. */
costab_status store_chunk_pack(store_chunk *chunk, const size_t *shape, const void *block,
                               costab_packed *packed, costab_error *error);

/* Compressed bytes and their CRC-32. */
typedef struct store_bytes {
    const void *bytes;
    size_t size;
    uint32_t sum;
} store_bytes;

/* CRC-32. */
uint32_t store_sum(const void *bytes, size_t size);

/* The compressed bytes of a packed chunk, which this or another process packed with a chunk of the same plan.
 * Borrowed from packed or chunk. */
costab_status store_chunk_bytes(store_chunk *chunk, const costab_packed *packed, store_bytes *found,
                                costab_error *error);
