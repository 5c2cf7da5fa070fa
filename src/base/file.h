/* base/file.h - writing of files that appear complete or not at all; also opening, reading and writing by
 * descriptor, names in paths, and messages for failures. */
#pragma once

#include <stdint.h>

#include "base/remains.h"
#include "base/text.h"
#include "costab/base.h"

/* Conditions for writing a file; NULL instead of the struct: all members are false or NULL. */
typedef struct file_terms {
    bool force; /* replaces a file that costab did not write */
    bool alone; /* the caller holds a lock on the draft: no other process writes the same file */
    bool named; /* the draft has a name from the start, so that a library can open it */
    bool kept;  /* the draft keeps its name if it cannot be published */
    const char
        *script; /* for a figure: the path of its script in the same folder; NULL: another kind of file */
} file_terms;

/* Checks that a file of this name may be written. COSTAB_OK if it does not exist, is empty, or was written by
 * costab and not edited since: a text by the line of file_mark, a figure by its script with the line of
 * file_mark_figure. (Results files: costab_store_may_replace.) COSTAB_INVALID for any other file unless
 * terms->force. COSTAB_IO, forced or not, for a file that is not regular or lacks write permission. */
costab_status file_may_replace(const char *path, const file_terms *terms, costab_error *error);

/* Appends the marker line of costab's own texts, with the CRC-32 of the lines below, then these lines; `what`
 * is the kind of text, such as "script". */
void file_mark(text *t, const char *what, const text *below);

/* Appends the line by which a script marks the figure of this name, in the same folder, as costab's own. */
void file_mark_figure(text *t, const char *name);

/* A file during writing. If the system supports it, and without terms->named, the file has no name until it
 * is published: however the program ends, nothing of it is left. */
typedef struct file_draft {
    int descriptor;   /* open for reading and writing; -1: none */
    char *name;       /* hidden name in the target's folder; NULL: none yet; "": no longer its own */
    remains *left;    /* entry of its name in the list of remains; NULL: not listed */
    file_terms terms; /* `script` is borrowed until the draft ends */
} file_draft;

#define FILE_DRAFT_NONE ((file_draft){.descriptor = -1, .name = NULL})

/* Creates an empty file in the folder of `path`, if `path` may be written (file_may_replace). Follows
 * symbolic links. The caller ends the draft with file_publish or file_discard. If a handled signal ends the
 * program before, remains_clear removes the draft. */
costab_status file_create(const char *path, const file_terms *terms, file_draft *draft, costab_error *error);

/* Synchronises the draft, gives it the mode of the replaced file and the name `path`, closes it and
 * synchronises the folder. Meanwhile an older file has a second, hidden name; with terms->alone this name is
 * constant, and a file left under it by a killed program is removed. On failure the draft is removed, unless
 * terms->kept. (If the folder cannot be synchronised and such a draft cannot get its own name back, it stays
 * under `path`.) Resets *draft in any case. */
costab_status file_publish(file_draft *draft, const char *path, costab_error *error);

/* Closes and removes the draft and resets it; FILE_DRAFT_NONE is allowed. */
void file_discard(file_draft *draft);

/* Publishes the file `made`, written by another program in the same file system, as `path`. Removes it on
 * failure. */
costab_status file_take(const char *made, const char *path, const file_terms *terms, costab_error *error);

/* Writes size bytes as the file `path`, whole or not at all. */
costab_status file_write(const char *path, const file_terms *terms, const void *bytes, size_t size,
                         costab_error *error);

/* Resolves symbolic links in `path`; the file need not exist. [out] *target: free with memory_free. */
costab_status file_target(const char *path, char **target, costab_error *error);

/* Resolves symbolic links in `path` and appends `ending`. Fails like file_target. [out] *name: free with
 * memory_free. */
costab_status file_beside(const char *path, const char *ending, char **name, costab_error *error);

/* open(2) with mode 0666 and O_CLOEXEC. The descriptor is above those of the standard streams, which a caller
 * may have closed. Returns -1 and sets errno on failure. */
int file_open(const char *path, int flags);

/* Synchronises the folder of a file, as far as the file system can. Returns 0 or an errno. */
int file_sync_folder(const char *path);

/* Returns true if the name refers to the open file. */
bool file_is_named(int descriptor, const char *name);

/* Read or write exactly `size` bytes at an offset. Return 0, an errno, or -1 if the file ends before. */
int file_read_at(int descriptor, void *bytes, size_t size, uint64_t offset);
int file_write_at(int descriptor, const void *bytes, size_t size, uint64_t offset);

/* Writes all bytes at the descriptor's position. Returns 0 or an errno. */
int file_put(int descriptor, const void *bytes, size_t size);

/* Returns the file name in a path, which is a part of the path. */
const char *file_name(const char *path);
/* Returns true if the path ends in these letters, such as ".fmu", and is longer. */
bool file_ends_in(const char *path, const char *ending);

/* For files that are created or changed: fills `error` with COSTAB_IO, "cannot WHAT 'PATH': REASON" and, for
 * the usual reasons, a remedy. number: an errno; ENOMEM gives COSTAB_MEMORY. */
costab_status file_error(costab_error *error, const char *what, const char *path, int number);
/* Like file_error, for files that are read: COSTAB_UNREADABLE, "cannot read 'PATH': REASON". */
costab_status file_read_error(costab_error *error, const char *path, int number);

/* As in base/error.h. */
#ifdef __clang_analyzer__
#define file_error(error, what, path, number) ((void)file_error(error, what, path, number), COSTAB_IO)
#define file_read_error(error, path, number)  ((void)file_read_error(error, path, number), COSTAB_UNREADABLE)
#endif
