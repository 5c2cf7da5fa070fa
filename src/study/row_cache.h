/* study/row_cache.h - the simulation's stable intervals along Gamma: they do not depend on a, so that a sweep
 * over several values of a needs the roots once. */
#ifndef STUDY_ROW_CACHE_H
#define STUDY_ROW_CACHE_H

#include <stdatomic.h>

#include "costab/sweep.h"
#include "planar/row.h"

typedef struct row_cache {
    size_t count; /* rows; 0: nothing is kept */
    struct row_cache_entry *entries;
    atomic_uchar *states; /* of each entry */
} row_cache;

/* Room for the rows along gamma; none where there are more of them than are worth the memory. */
costab_status row_cache_make(row_cache *cache, const costab_axis *gamma, costab_error *error);
void row_cache_free(row_cache *cache);

/* costab_planar_class_row on a grid; a simulation's row `index` is found once and kept. Any number of threads
 * at once. [in, out] trail: of the row before. */
void row_cache_fill(row_cache *cache, const costab_planar_slice *slice, size_t index, double gamma,
                    const planar_grid *grid, planar_trail *trail, const planar_target *target);

#endif
