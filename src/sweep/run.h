/* sweep/run.h - tiles of a plan, and the run over all tiles on several threads. Studies evaluate tiles,
 * the module store stores them. */
#pragma once

#include "costab/sweep.h"

/* Returns the size of a value in bytes: 1 or 8. */
size_t costab_type_size(costab_type type);

/* Returns true if the run of a tile has failed or was cancelled. A slow evaluator calls this from time to
 * time and then returns COSTAB_CANCELLED. A call costs as much as reading the clock; it may call the run's
 * progress. */
bool costab_tile_stopped(const costab_tile *tile);

/* Chooses tile_shape so that a full tile has at most `target` points, and at least one. A tile has whole rows
 * along the last swept axis if they fit, then as many rows as fit, and one point along all earlier axes. */
void costab_plan_choose_tiles(costab_plan *plan, size_t target);

/* Checks a plan and counts. [out] *tiles: the number of tiles; *points: of grid points over the swept axes.
 * COSTAB_INVALID for an inconsistent plan (indices out of range, axes without points, missing or repeated
 * names), or if the numbers do not fit size_t. costab_run and the store refuse the same plans. */
costab_status costab_plan_size(const costab_plan *plan, size_t *tiles, size_t *points, costab_error *error);

/* Returns how many of the numbers first, first + step, first + 2 * step and so on are below `tiles`; step 0
 * means 1. */
size_t costab_plan_share(size_t tiles, size_t first, size_t step);

/* [out] *tile: the tile with this number, which must be below the number of tiles. The last axis varies
 * fastest. */
void costab_plan_tile(const costab_plan *plan, size_t index, costab_tile *tile);

/* Returns the number of values of a field in a tile. Among tiles that differ only along axes without the
 * field, the first has the values, and the others have 0. */
size_t costab_tile_values(const costab_plan *plan, int field, const costab_tile *tile);

/* [out] shape: the extent of a field's block in a tile (tile NULL: in a full tile), one entry per axis of the
 * field. */
void costab_tile_shape(const costab_plan *plan, int field, const costab_tile *tile, size_t *shape);

/* Returns the number of threads of a run of `tiles` tiles. asked: the number in the options; 0 or less:
 * OpenMP's number of threads, 1 inside a parallel region without nested threads. At most OpenMP's limit of
 * threads and one per tile; 1 with OpenBLAS' serial build. */
int costab_run_threads(int asked, size_t tiles);

/* Runs the plan (options: NULL for the defaults) and returns the first error: COSTAB_CANCELLED if progress
 * returned true, COSTAB_INVALID for an inconsistent plan, otherwise the status of the evaluator or the sink.
 */
costab_status costab_run(const costab_plan *plan, const costab_evaluator *evaluator, const costab_sink *sink,
                         const costab_run_options *options, costab_error *error);
