/* store/writer.h - a results file during its creation, for writer.c; and two functions of it for
 * checkpoint.c, which copies a complete checkpoint into a results file. */
#pragma once

#include "base/file.h"
#include "base/guard.h"
#include "costab/store.h"

struct costab_store {
    char *path;
    const costab_plan *plan; /* borrowed */
    bool force;
    file_draft draft; /* the file until it is published */
    guard *writer;    /* child process that writes with HDF5 */
};

/* Returns COSTAB_INVALID if these cannot form a results file: an inconsistent plan, or missing texts. */
costab_status store_check(const char *path, const costab_plan *plan, const costab_store_info *info,
                          costab_error *error);

/* Like costab_store_create, without checks of the arguments. alone: the caller holds a lock, so that no other
 * process writes the same file. */
costab_status store_create(const char *path, const costab_plan *plan, const costab_store_info *info,
                           uint64_t bytes, bool alone, costab_store **store, costab_error *error);
