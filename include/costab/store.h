/* costab/store.h - results files: HDF5 grids that xarray, h5py and ncdump open with named axes.
 *
 * A file appears under its final name whole or not at all: it is written in the target's folder without a
 * name (or under a hidden one, where files must have names), flushed, closed, synchronised and renamed. The
 * same plan, spec text and results give the same bytes.
 *
 * HDF5 keeps state of its own: unless it was built thread-safe, one thread at a time in all that follows (the
 * sink's pack may be called by several).
 */
#ifndef COSTAB_STORE_H
#define COSTAB_STORE_H

#include "costab/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct costab_store costab_store;

/* What a file says about itself. Strings are borrowed for the call of costab_store_create only. */
typedef struct costab_store_info {
    const char *title;
    const char *references; /* may be NULL */
    const char *spec_path;  /* the spec's file name */
    const char *spec_text;  /* the whole spec */
    bool alone;             /* the caller holds a lock on the target, such as its checkpoint's */
    bool force;             /* a file that costab did not write is replaced, too */
} costab_store_info;

/* Begins a file in the folder of `path`, with all axes and empty fields. `plan` is borrowed and must outlive
 * the store. COSTAB_IO where the folder cannot be written, or a file of this name has no permission to be
 * written; COSTAB_INVALID where one is there that costab did not write, unless info->force. A file that is
 * replaced leaves its mode to the new one. [out] *store: end it with publish or discard. */
COSTAB_API costab_status costab_store_create(const char *path, const costab_plan *plan,
                                             const costab_store_info *info, costab_store **store,
                                             costab_error *error);

/* The sink that writes into the store; pack compresses, commit writes. Valid until publish or discard. */
COSTAB_API costab_sink costab_store_sink(costab_store *store);

/* Closes the file and gives it its final name. On failure nothing is left behind. Sets *store to NULL either
 * way. */
COSTAB_API costab_status costab_store_publish(costab_store **store, costab_error *error);

/* Closes and removes the unfinished file. Sets *store to NULL; NULL is allowed. */
COSTAB_API void costab_store_discard(costab_store **store);

/* Packs blocks as the sink of a store does, without a file: for processes that share the work. What is packed
 * may be committed to any store of an equal plan. The plan is borrowed. */
typedef struct costab_packer costab_packer;
COSTAB_API costab_status costab_packer_create(const costab_plan *plan, costab_packer **packer,
                                              costab_error *error);
COSTAB_API void costab_packer_destroy(costab_packer **packer);

/* As costab_sink.pack, the context being the packer; by any number of threads at once. */
COSTAB_API costab_status costab_packer_pack(void *packer, const costab_tile *tile, int field,
                                            const void *block, costab_packed *packed, costab_error *error);

/* A results file, open for reading. */
typedef struct costab_results costab_results;

/* Opens a results file as costab_store_publish left it: a checksum behind the HDF5 data, which other readers
 * do not see, tells whether it was changed, cut or damaged since. COSTAB_INVALID where it is not one of ours
 * or damaged, COSTAB_IO where it cannot be read. */
COSTAB_API costab_status costab_results_open(const char *path, costab_results **results, costab_error *error);
COSTAB_API void costab_results_close(costab_results **results);

/* Borrowed until close; never NULL. */
COSTAB_API const char *costab_results_title(const costab_results *results);
COSTAB_API const char *costab_results_spec_text(const costab_results *results);
COSTAB_API const char *costab_results_spec_path(const costab_results *results);
COSTAB_API const char *costab_results_source(const costab_results *results); /* program, version, revision */

/* Axes and fields as the plan had them (tile_shape: the chunks); `swept` is axis_count. Borrowed until close.
 */
COSTAB_API const costab_plan *costab_results_plan(const costab_results *results);

/* Reads a box of a field: start and count have one entry an axis of the field. [out] values: C order, of the
 * field's type. */
COSTAB_API costab_status costab_results_read(const costab_results *results, int field, const size_t *start,
                                             const size_t *count, void *values, costab_error *error);

#ifdef __cplusplus
}
#endif
#endif
