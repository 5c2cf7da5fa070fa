/* fmu/archive.h - a zip archive that a stranger may have packed: .fmu and .ssp files. */
#pragma once

#include <stdint.h>

#include "costab/base.h"

#define ARCHIVE_ENTRIES_MAX 100000

typedef struct archive archive;

/* Opens an archive and looks at the names of all its entries. SYSTEM.ssp/ENTRY is the archive that is an
 * entry of another one. COSTAB_INVALID where the file is no archive, where an entry is too much, stands in it
 * twice, is a symbolic link, or leads out of the folder that it is unpacked into; COSTAB_IO where the file
 * cannot be read. `path` is borrowed. [out] *opened: to be closed. */
costab_status archive_open(const char *path, archive **opened, costab_error *error);

/* The same of an archive in memory, which is borrowed; `path` is used in messages. */
costab_status archive_open_bytes(const char *path, const void *bytes, size_t size, archive **opened,
                                 costab_error *error);
void archive_close(archive **opened);

/* The entries' names, in the archive's order, with / between folders also where the archive has \; borrowed
 * until it is closed. */
size_t archive_count(const archive *a);
const char *archive_name(const archive *a, size_t i);

/* A number that stands for all entries, by their names, sizes and checksums. */
uint64_t archive_hash(const archive *a);

/* Whether there is an entry whose name begins so. */
bool archive_has(const archive *a, const char *prefix);

/* Bytes of all entries whose names begin so, by their headers: none is unpacked beyond what its header says.
 */
uint64_t archive_size(const archive *a, const char *prefix);

/* Reads a whole entry of at most `limit` bytes. [out] *bytes: NUL-terminated behind its *size bytes, free
 * with memory_free. COSTAB_INVALID where there is none of that name, where it is longer or damaged. */
costab_status archive_read(archive *a, const char *name, size_t limit, char **bytes, size_t *size,
                           costab_error *error);

/* Writes all entries whose names begin with `prefix` into a folder, which exists and where nothing of their
 * names is yet. */
costab_status archive_unpack(archive *a, const char *prefix, const char *folder, costab_error *error);
