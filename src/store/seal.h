/* store/seal.h - the last line of a results file, behind the HDF5 data: its size and checksum.
 *
 * HDF5 itself can crash on a damaged file. A file is therefore looked at by HDF5 only when its seal is whole;
 * HDF5 and netCDF readers do not see it. */
#ifndef STORE_SEAL_H
#define STORE_SEAL_H

#include "costab/base.h"

/* Appends the seal to the finished HDF5 file of `size` bytes that is open on the descriptor. `path` is its
 * later name, for messages. */
costab_status store_seal(int fd, const char *path, size_t size, costab_error *error);

/* COSTAB_OK if the file is as it was sealed; *size (if not NULL): without the seal. COSTAB_IO where it cannot
 * be read, COSTAB_INVALID where it is anything else. */
costab_status store_check_seal(const char *path, size_t *size, costab_error *error);

#endif
