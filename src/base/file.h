/* base/file.h - files that appear whole or not at all. */
#pragma once

#include <stdint.h>

#include "base/remains.h"
#include "base/text.h"
#include "costab/base.h"

/* On what terms a file is written; NULL stands for all of them false. */
typedef struct file_terms {
    bool force;         /* replaces a file that costab did not write */
    bool alone;         /* the caller holds a lock on the draft: no other process writes the same file */
    bool named;         /* the draft has a name from the beginning, by which a library opens it */
    bool kept;          /* the draft stays under its name where it cannot be published */
    const char *script; /* of a figure: the path of the script beside it; NULL: another kind of file */
} file_terms;

/* Whether a file of this name may be written. COSTAB_OK where there is none, where it is empty, and where it
 * is costab's own and nobody edited it: a text by the line of file_mark, a figure by its script, which has
 * the line of file_mark_figure. (Results files: costab_store_may_replace.) COSTAB_INVALID for any other one
 * unless terms->force. COSTAB_IO, forced or not, for what is no regular file and for a file without write
 * permission. */
costab_status file_may_replace(const char *path, const file_terms *terms, costab_error *error);

/* Appends the line by which a text is known as costab's own, with the CRC-32 of the lines below, and those;
 * `what` it is: "script". */
void file_mark(text *t, const char *what, const text *below);

/* Appends the line by which a script tells that the figure of this file name beside it is costab's own. */
void file_mark_figure(text *t, const char *name);

/* A file being written. Where the system can, it has no name until it is published: nothing of it is left
 * then, however the program ends. */
typedef struct file_draft {
    int descriptor;   /* open for reading and writing; -1: none */
    char *name;       /* hidden, in the target's folder; NULL: none yet */
    remains *left;    /* that name, while a signal that ends the program would leave it; NULL: nothing */
    file_terms terms; /* `script` is borrowed until the draft ends */
} file_draft;

#define FILE_DRAFT_NONE ((file_draft){.descriptor = -1, .name = NULL})

/* Makes a fresh empty file in the folder of `path`, where that may be written (file_may_replace). Symbolic
 * links are followed. The caller ends the draft with file_publish or file_discard, also where a handled
 * signal ends the program. */
costab_status file_create(const char *path, const file_terms *terms, file_draft *draft, costab_error *error);

/* Synchronises the draft, gives it the mode of the file that it replaces and the name `path`, closes it and
 * synchronises the folder. While that lasts an older file has a second, hidden name; with terms->alone it is
 * always the same, and what a killed program left under it is removed. On failure nothing of the draft is
 * left, unless terms->kept. (Where the folder cannot be synchronised and such a draft cannot be given its own
 * name again either, it stays under `path`.) Resets *draft either way. */
costab_status file_publish(file_draft *draft, const char *path, costab_error *error);

/* Closes and removes the draft and resets it; one that is FILE_DRAFT_NONE is allowed. */
void file_discard(file_draft *draft);

/* Publishes the file `made`, which another program wrote in the same file system, as `path`. On failure it is
 * removed. */
costab_status file_take(const char *made, const char *path, const file_terms *terms, costab_error *error);

/* Writes size bytes as the file `path`, whole or not at all. */
costab_status file_write(const char *path, const file_terms *terms, const void *bytes, size_t size,
                         costab_error *error);

/* The path of the file that `path` means, behind symbolic links; the file need not exist. [out] *target: free
 * with memory_free. */
costab_status file_target(const char *path, char **target, costab_error *error);

/* The name of `path`, behind symbolic links, with `ending` appended. Fails like file_create. [out] *name:
 * free with memory_free. */
costab_status file_beside(const char *path, const char *ending, char **name, costab_error *error);

/* open(2) with mode 0666 and O_CLOEXEC, the descriptor above those of the standard streams, which a caller
 * may have closed. -1 and errno where it fails. */
int file_open(const char *path, int flags);

/* Synchronises the folder that a file lies in, as far as the file system can; 0 or an errno. */
int file_sync_folder(const char *path);

/* Whether the name is that of the open file. */
bool file_is_named(int descriptor, const char *name);

/* Reads or writes exactly `size` bytes at an offset. 0, an errno, or -1 where the file ends before. */
int file_read_at(int descriptor, void *bytes, size_t size, uint64_t offset);
int file_write_at(int descriptor, const void *bytes, size_t size, uint64_t offset);

/* Writes all bytes at the descriptor's position; 0 or an errno. */
int file_put(int descriptor, const void *bytes, size_t size);

/* The file name in a path: a part of it. */
const char *file_name(const char *path);
/* Does the file's name end in these letters, such as ".fmu", and have more? */
bool file_ends_in(const char *path, const char *ending);

/* Of files that are made or changed: fills `error` with COSTAB_IO, "cannot WHAT 'PATH': REASON" and, for the
 * usual reasons (an errno), what to do; error_memory where memory is out. */
costab_status file_error(costab_error *error, const char *what, const char *path, int number);
/* Of files that are read: COSTAB_UNREADABLE, "cannot read 'PATH': REASON"; error_memory where memory is out.
 */
costab_status file_read_error(costab_error *error, const char *path, int number);

/* As in base/error.h. */
#ifdef __clang_analyzer__
#define file_error(error, what, path, number) ((void)file_error(error, what, path, number), COSTAB_IO)
#define file_read_error(error, path, number)  ((void)file_read_error(error, path, number), COSTAB_UNREADABLE)
#endif
