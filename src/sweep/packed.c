/* Resizes and fills a growing buffer of bytes. */
#include "sweep/packed.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

costab_status packed_size(costab_packed *packed, size_t size, costab_error *error) {
    if (!memory_grow_list(&packed->bytes, &packed->capacity, size, 1)) return error_memory(error);
    packed->size = size;
    return COSTAB_OK;
}

costab_status packed_set(costab_packed *packed, const void *bytes, size_t size, costab_error *error) {
    TRY(packed_size(packed, size, error));
    if (size > 0) memcpy(packed->bytes, bytes, size);
    return COSTAB_OK;
}
