/* sweep/packed.h - bytes on their way to the sink. */
#pragma once

#include "costab/sweep.h"

/* Gives packed->bytes space for `size` bytes, and the size. Old bytes stay until they are overwritten. */
costab_status packed_size(costab_packed *packed, size_t size, costab_error *error);

/* Fills the buffer with a copy of `bytes`. */
costab_status packed_set(costab_packed *packed, const void *bytes, size_t size, costab_error *error);
