/* base/file.h - files that appear whole or not at all. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "costab/base.h"

/* A file being written. Where the system can, it has no name until it is published: nothing of it is left
 * then, however the program ends. */
typedef struct file_draft {
    int descriptor; /* open for reading and writing; -1: none */
    char *name;     /* hidden, in the target's folder; NULL: none yet */
    bool alone;     /* nobody else writes the same target */
} file_draft;

#define FILE_DRAFT_NONE ((file_draft){.descriptor = -1, .name = NULL, .alone = false})

/* Makes a fresh empty file in the folder of `path`. Symbolic links are followed; a target that exists and is
 * not a regular file is an error. alone: the caller knows (by a lock) that nobody else writes `path`;
 * hidden names are then always the same, and what a killed program left under them is removed. The caller
 * ends the draft with file_publish or file_discard, also where a handled signal ends the program. */
costab_status file_create(const char *path, bool alone, file_draft *draft, costab_error *error);

/* Synchronises the draft, closes it, gives it the name `path` and synchronises the folder. On failure nothing
 * of it is left. Resets *draft either way. */
costab_status file_publish(file_draft *draft, const char *path, costab_error *error);

/* Closes and removes the draft and resets it; one that is FILE_DRAFT_NONE is allowed. */
void file_discard(file_draft *draft);

/* The name of `path`, behind symbolic links, with `ending` appended. Fails like file_create. [out] *name:
 * free with memory_free. */
costab_status file_beside(const char *path, const char *ending, char **name, costab_error *error);

/* Writes all bytes at the descriptor's position; 0 or an errno. */
int file_put(int descriptor, const void *bytes, size_t size);

/* The file name in a path: a part of it. */
const char *file_name(const char *path);

/* Writes size bytes as the file `path`, whole or not at all. */
costab_status file_write(const char *path, const void *bytes, size_t size, costab_error *error);

/* Fills `error` with COSTAB_IO, "cannot WHAT 'PATH': REASON" and, for the usual reasons (an errno), what to
 * do; error_memory where memory is out. */
costab_status file_error(costab_error *error, const char *what, const char *path, int number);

/* As in base/error.h. */
#ifdef __clang_analyzer__
#define file_error(error, what, path, number) ((void)file_error(error, what, path, number), COSTAB_IO)
#endif

#endif
