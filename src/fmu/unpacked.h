/* fmu/unpacked.h - FMUs on disk: an FMU is unpacked once, into a folder that all its processes share. */
#pragma once

#include "fmu/description.h"

/* Bytes of all FMUs that are in use at the same time, unpacked. */
#define UNPACKED_BYTES_MAX ((uint64_t)1 << 32)

typedef struct unpacked unpacked;

/* Takes part in an FMU's folder, which is made when it is needed first. Until all have left it, it is the
 * same for FMUs of one path and one content. COSTAB_INVALID if all FMUs together become larger than the
 * limit. [out] *taken: to be left. */
costab_status unpacked_take(const costab_fmu *fmu, unpacked **taken, costab_error *error);

/* The last one that leaves removes the folder; a pointer to NULL is allowed. */
void unpacked_leave(unpacked **left);

/* The folder, borrowed: its libraries and resources are there, and the program that runs them, CHILD_PROGRAM.
 * The first call unpacks, in a process of its own. COSTAB_INVALID if the archive is damaged; COSTAB_IO. */
costab_status unpacked_folder(unpacked *of, char **folder, costab_error *error);

/* Makes a new folder, "PARENT/NAME-XXXXXX". [out] *folder: free with memory_free, also after a failure. */
costab_status unpacked_make_folder(const char *parent, const char *name, char **folder, costab_error *error);
