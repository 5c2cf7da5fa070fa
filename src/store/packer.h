/* store/packer.h - a packer: how the chunks of all fields of a plan are made. */
#pragma once

#include "costab/store.h"
#include "store/chunk.h"

struct costab_packer {
    const costab_plan *plan; /* borrowed */
    store_chunk *chunks[COSTAB_FIELDS_MAX];
};

/* COSTAB_INVALID where a results file or its log lacks a path or a text. */
costab_status store_info_check(const char *path, const costab_store_info *info, costab_error *error);
