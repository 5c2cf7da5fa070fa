/* fmu/unpacked.h - FMUs on disk: an FMU is unpacked once, into a folder shared by all its processes. */
#pragma once

#include "fmu/description.h"

/* Limit of the unpacked size of all FMUs in use, in bytes. */
#define UNPACKED_BYTES_MAX ((uint64_t)1 << 32)

typedef struct unpacked unpacked;

/* Registers a user of an FMU's folder, which is created on demand. FMUs of equal path and contents share it.
 * Returns COSTAB_INVALID if all FMUs together exceed the limit. [out] *taken: free with unpacked_leave. */
costab_status unpacked_take(const costab_fmu *fmu, unpacked **taken, costab_error *error);

/* Unregisters a user; the last one removes the folder. A pointer to NULL is permitted. */
void unpacked_leave(unpacked **left);

/* Returns the borrowed folder with libraries, resources and the program CHILD_PROGRAM. The first call unpacks
 * in a separate process. Returns COSTAB_INVALID for a damaged archive, or COSTAB_IO. */
costab_status unpacked_folder(unpacked *of, char **folder, costab_error *error);

/* Makes a new folder "PARENT/NAME-XXXXXX". [out] *folder: free with memory_free, also after a failure. */
costab_status unpacked_make_folder(const char *parent, const char *name, char **folder, costab_error *error);
