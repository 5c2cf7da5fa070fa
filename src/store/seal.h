/* store/seal.h - the last line of a results file, behind the HDF5 data: its size and checksum.
 *
 * It guards against accidents, not against people, who can seal what they forged. HDF5 and netCDF readers do
 * not see it. */
#pragma once

#include <stdint.h>

#include "costab/base.h"

/* Bytes of a file whose CRC-32 is known: those from `from` up to `to`. */
typedef struct store_summed {
    size_t from, to;
    uint32_t sum;
} store_summed;

/* Appends the seal to the finished HDF5 file of `size` bytes that is open on the descriptor. `path` is for
 * messages. What is summed already is not read again; NULL: nothing is. */
costab_status store_seal(int fd, const char *path, size_t size, const store_summed *summed,
                         costab_error *error);

/* Opens a file for reading if it is as it was sealed. COSTAB_IO where it cannot be read, COSTAB_INVALID if it
 * was changed or is no results file. [out] *descriptor: to be closed; -1 on failure. [out] *size: without the
 * seal. */
costab_status store_open_sealed(const char *path, int *descriptor, size_t *size, costab_error *error);
