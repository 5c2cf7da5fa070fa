/* store/layout.h - the objects of a results file that HDF5 writes. */
#pragma once

#include "costab/store.h"
#include "store/hdf5.h"

typedef struct store_layout {
    const costab_plan *plan; /* borrowed */
    hid_t file, axes[COSTAB_AXES_MAX], fields[COSTAB_FIELDS_MAX], spec;
} store_layout;

/* Writes everything but the values of the fields into the new file: attributes, axes, the spec, and empty
 * fields with their axes. Leaves all datasets open. */
void store_write_layout(store_job *job, store_layout *layout, const costab_store_info *info);

/* Closes the datasets and the file. */
void store_close_layout(store_job *job, store_layout *layout);

/* COSTAB_INVALID where the environment fixes the time (SOURCE_DATE_EPOCH) as one that there is not. */
costab_status store_time_check(costab_error *error);
