/* sweep/packed.h - growing buffer for the bytes of a field in a tile, or of a tile's note. */
#pragma once

#include "costab/sweep.h"

/* Sets the size, and enlarges the buffer if needed. Old bytes stay. */
costab_status packed_size(costab_packed *packed, size_t size, costab_error *error);

/* Fills the buffer with a copy of `bytes`. */
costab_status packed_set(costab_packed *packed, const void *bytes, size_t size, costab_error *error);
