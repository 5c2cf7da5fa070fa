/* store/writer.h - a results file that is being made. */
#pragma once

#include "base/file.h"
#include "base/guard.h"
#include "costab/store.h"

struct costab_store {
    char *path;
    const costab_plan *plan; /* borrowed */
    bool force;
    file_draft draft; /* the file until it is published */
    guard *writer;    /* the child in which HDF5 writes it */
};

/* COSTAB_INVALID where a results file cannot be made of these: a plan that contradicts itself, texts that are
 * missing, or a time that the environment fixes (SOURCE_DATE_EPOCH) and that there is not. */
costab_status store_check(const char *path, const costab_plan *plan, const costab_store_info *info,
                          costab_error *error);

/* costab_store_create. alone: the caller holds a lock, so that no other process writes the same file. */
costab_status store_create(const char *path, const costab_plan *plan, const costab_store_info *info,
                           uint64_t bytes, bool alone, costab_store **store, costab_error *error);
