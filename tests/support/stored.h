/* stored.h - results files with made-up values in a folder of their own, for tests of the store. */
#pragma once

#include "base/text.h"
#include "store/log.h"
#include "support.h"

enum { SCHEME, A, GAMMA, DELTA, PIECE, AXES };
enum { CLASS, CAUSE, TRACE, LOWER, AREA, WEIGHT, FIELDS };

extern char stored_folder[];
extern const costab_store_info stored_info;

/* Make and remove the folder with its file round.h5: for cmocka_run_group_tests. */
int stored_begin(void **state);
int stored_end(void **state);

/* A path in the folder: one of four places, which are used in turn. How many entries the folder has. */
const char *stored_path(const char *name);
int stored_entries(void);

/* All kinds of fields; full tiles of at most `target` points, so that tiles at the ends are smaller. */
costab_plan stored_plan(size_t target);

/* Fills a box of a field, or a tile, with its values. */
void stored_fill(const costab_plan *plan, int field, const size_t *start, const size_t *count, void *to);
costab_status stored_evaluate(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error);

/* Evaluates tiles into a log, on three threads: those from `first` up to `last`, 0: up to the end. */
void stored_run_range(costab_checkpoint *log, const costab_plan *plan, size_t first, size_t last);

/* A whole file, written and opened; its bytes, to be freed. */
void stored_write(const char *path, const costab_plan *plan, int threads);
costab_results *stored_open(const char *path);
void stored_bytes(const char *path, text *bytes);
