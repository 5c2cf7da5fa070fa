/* store/store.h - writing of results files, for sweeps and for commands with results in HDF5; and the stored
 * request of a file's figure. */
#pragma once

#include "costab/store.h"

/* Evaluates all tiles of the plan on `threads` threads into the file `path`. A replaced file passes its
 * permissions on to the new one. COSTAB_INVALID for an inconsistent plan, and if `path` is an existing file
 * not written by costab, unless info->force; COSTAB_IO if the folder or the existing file is not writable.
 * After a failure no file is left. */
costab_status costab_store_write(const char *path, const costab_plan *plan, const costab_store_info *info,
                                 const costab_evaluator *evaluator, int threads, costab_error *error);

/* Checks that a results file of this name may be written. COSTAB_OK if the file does not exist, is empty, is
 * a log of tiles, or is a results file with exactly the datasets listed in its root. COSTAB_INVALID for any
 * other file unless `force`. Other errors: those of file_may_replace. */
costab_status costab_store_may_replace(const char *path, bool force, costab_error *error);

/* Begins the results file `path`. bytes: size of all packed chunks, 0 if unknown; COSTAB_IO, with the numbers
 * in the message, if the disk lacks space. The plan is borrowed until the end. COSTAB_IO if the folder or the
 * existing file is not writable; COSTAB_INVALID for an inconsistent plan. [out] *store: end it with
 * costab_store_publish or costab_store_close. */
costab_status costab_store_create(const char *path, const costab_plan *plan, const costab_store_info *info,
                                  uint64_t bytes, costab_store **store, costab_error *error);

/* Returns the sink that takes the tiles of the file. Tiles must come in order. Valid until the store ends. */
costab_sink costab_store_sink(costab_store *store);

/* Synchronises the file and gives it its name. COSTAB_INVALID if costab_store_may_replace refuses. Sets
 * *store to NULL; after a failure no file is left. */
costab_status costab_store_publish(costab_store **store, costab_error *error);

/* Abandons the file: nothing of it is left. Sets *store to NULL; NULL is allowed. */
void costab_store_close(costab_store **store);

const char *costab_results_figure(const costab_results *results); /* "" if the file has no figure request */
