/* fmu/archive.h - untrusted zip archives: .fmu and .ssp files. */
#pragma once

#include <stdint.h>

#include "costab/base.h"

#define ARCHIVE_ENTRIES_MAX 100000

typedef struct archive archive;

/* Opens an archive and checks the names of all its entries. SYSTEM.ssp/ENTRY is an archive inside an
 * archive. `path` is borrowed until archive_close. Returns COSTAB_INVALID if the file is not an archive, has
 * more than ARCHIVE_ENTRIES_MAX entries, or if an entry is repeated with other contents, a symbolic link, or
 * leaves the target folder; COSTAB_UNREADABLE if the file cannot be read. [out] *opened: free with
 * archive_close. */
costab_status archive_open(const char *path, archive **opened, costab_error *error);

/* Like archive_open() for an archive in memory, borrowed until archive_close; `path` is used in messages. */
costab_status archive_open_bytes(const char *path, const void *bytes, size_t size, archive **opened,
                                 costab_error *error);
void archive_close(archive **opened);

/* Names of the entries in the archive's order, with / between folders even if the archive has \; borrowed
 * until archive_close. */
size_t archive_count(const archive *a);
const char *archive_name(const archive *a, size_t i);

/* Writes a name made of a hash of the names, sizes and checksums of all entries. */
enum { ARCHIVE_MARK_SIZE = 20 };
void archive_mark(const archive *a, char mark[ARCHIVE_MARK_SIZE]);

/* Returns true if an entry's name starts with `prefix`. */
bool archive_has(const archive *a, const char *prefix);

/* Returns the total size in bytes of all entries with this prefix according to their headers, an upper limit
 * of the unpacked size. */
uint64_t archive_size(const archive *a, const char *prefix);

/* Reads a complete entry of at most `limit` bytes. [out] *bytes: NUL-terminated after *size bytes; free with
 * memory_free. Returns COSTAB_INVALID if the entry is missing, longer or damaged. */
costab_status archive_read(archive *a, const char *name, size_t limit, char **bytes, size_t *size,
                           costab_error *error);

/* Unpacks all entries with this prefix into an existing folder without files of these names; identical copies
 * of an entry once. Returns COSTAB_INVALID for a damaged entry, COSTAB_IO if a file cannot be written. */
costab_status archive_unpack(archive *a, const char *prefix, const char *folder, costab_error *error);
