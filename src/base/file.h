/* base/file.h - files that appear whole or not at all. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "costab/base.h"

/* Makes a fresh empty file beside `path`, in its folder, under a hidden temporary name. [out] *temporary: its
 * path, to be freed with memory_free; *descriptor (if not NULL): open for reading and writing, else closed.
 * Symbolic links are followed; a target that exists and is not a regular file is an error. The caller ends it
 * with file_publish or file_discard, also where a handled signal ends the program. */
costab_status file_create_beside(const char *path, char **temporary, int *descriptor, costab_error *error);

/* Synchronises the temporary file, renames it to `path` and synchronises the folder. On failure removes the
 * temporary file. Frees *temporary and sets it to NULL either way. */
costab_status file_publish(char **temporary, const char *path, costab_error *error);

/* Removes the temporary file, frees *temporary and sets it to NULL; NULL is allowed. */
void file_discard(char **temporary);

/* Writes size bytes as the file `path`, whole or not at all. */
costab_status file_write(const char *path, const void *bytes, size_t size, costab_error *error);

/* Fills `error` with COSTAB_IO, "cannot WHAT 'PATH': REASON" and, for the usual reasons (an errno), what to
 * do; error_memory where memory is out. */
costab_status file_error(costab_error *error, const char *what, const char *path, int number);

#endif
