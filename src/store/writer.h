/* store/writer.h - the HDF5 data of a results file. */
#pragma once

#include "costab/store.h"
#include "store/checkpoint.h"
#include "store/disk.h"
#include "store/hdf5.h"

/* An HDF5 file that is being made. */
typedef struct store_file {
    const char *path;        /* for messages, borrowed */
    const costab_plan *plan; /* borrowed */
    store_disk disk;
    hid_t file;
    hid_t fields[COSTAB_FIELDS_MAX];
} store_file;

/* COSTAB_INVALID where the environment fixes the time (SOURCE_DATE_EPOCH) as one that there is not. */
costab_status store_time_check(costab_error *error);

/* Writes everything but the values of the fields: attributes, axes, the spec, and empty fields with their
 * axes. Leaves the fields open in store->fields. */
void store_write_layout(store_job *job, store_file *store, const costab_store_info *info);

/* Writes HDF5's data behind a whole log, which refer to the chunks where they lie, and its first bytes in
 * place of the front. [out] *size: of the file. */
costab_status store_write_around(const costab_checkpoint *log, size_t *size, costab_error *error);
