/* sweep/packed.h - functions of costab_packed, a growing buffer for the bytes of a field in a tile, or of a
 * tile's note. Free its `bytes` with memory_free. */
#pragma once

#include "costab/sweep.h"

/* Sets the size, and enlarges the buffer if needed. Old bytes stay. */
costab_status packed_size(costab_packed *packed, size_t size, costab_error *error);

/* Replaces the contents of the buffer by a copy of `bytes`. */
costab_status packed_set(costab_packed *packed, const void *bytes, size_t size, costab_error *error);
