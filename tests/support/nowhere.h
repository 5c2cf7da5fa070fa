/* nowhere.h - a sink that throws everything away. */
#pragma once

#include "costab/sweep.h"

static costab_status nowhere_pack(void *context, const costab_tile *tile, int field, const void *block,
                                  costab_packed *packed, costab_error *error) {
    (void)context, (void)tile, (void)field, (void)block, (void)packed, (void)error;
    return COSTAB_OK;
}

static costab_status nowhere_commit(void *context, const costab_tile *tile, int field,
                                    const costab_packed *packed, costab_error *error) {
    (void)context, (void)tile, (void)field, (void)packed, (void)error;
    return COSTAB_OK;
}

static const costab_sink nowhere_sink = {.pack = nowhere_pack, .commit = nowhere_commit};
