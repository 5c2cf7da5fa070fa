/* store/chunk.h - chunks: the packed values of one field in one tile, as results files and checkpoints store
 * them. Also checks of plans, and the checksum of checkpoints. */
#pragma once

#include "costab/sweep.h"

/* zlib's level of compression. */
#define STORE_DEFLATE_LEVEL 1

/* Returns true if the field's chunks are deflated; chunks of doubles are then shuffled before. */
bool store_is_compressed(const costab_plan *plan, int field);

/* Returns COSTAB_INVALID for an inconsistent plan, or for names or tiles that are not possible in a results
 * file. */
costab_status store_plan_check(const costab_plan *plan, costab_error *error);

/* Returns the CRC-32 of the bytes. */
uint32_t store_sum(const void *bytes, size_t size);

/* Packs a block, the unpacked values of a field in a tile. [out] packed: the chunk. Any number of threads may
 * call it at once. */
costab_status store_pack(const costab_plan *plan, const costab_tile *tile, int field, const void *block,
                         costab_packed *packed, costab_error *error);
