/* store/writer.h - a store, shared by the files that write and publish it. */
#ifndef STORE_WRITER_H
#define STORE_WRITER_H

#include "base/file.h"
#include "costab/store.h"
#include "store/disk.h"
#include "store/hdf5.h"
#include "store/packer.h"

struct costab_store {
    char *path;
    file_draft draft;
    const costab_plan *plan; /* borrowed */
    store_disk disk;
    costab_store_info info; /* borrowed */
    hid_t file;             /* -1 until HDF5 has begun it */
    hid_t fields[COSTAB_FIELDS_MAX];
    size_t counted[COSTAB_AXES_MAX]; /* numbers written so far of each swept axis without values */
    costab_packer *packer;
};

/* Has HDF5 create the file and write its layout, unless it has. */
void store_begin_file(store_job *job, costab_store *store);

/* Writes everything but the values of the fields, and of swept axes that count from 0, which may be long:
 * attributes, axes, the spec, and empty fields with their axes. Leaves the fields open in store->fields. */
void store_write_layout(store_job *job, costab_store *store, const costab_store_info *info);

/* Writes `count` numbers, from `start` on, as the values of an axis that counts from 0. */
void store_put_numbers(store_job *job, const costab_store *store, int axis, size_t start, size_t count);

#endif
