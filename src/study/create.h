/* study/create.h - making of studies for other modules: from a spec or a history; the evaluator and the
 * stored notes of a study, and its unfinished and finished files. */
#pragma once

#include "costab/study.h"
#include "store/log.h"

/* Makes the plan and the evaluator of a spec: a sweep over its axes; the time histories of all couplings if a
 * network has a history and no axes; the time histories of a planar spec with cases. The spec is borrowed and
 * must outlive the study. [out] *study: free with costab_study_destroy. COSTAB_INVALID for a network with
 * neither axes nor history.
 *
 * Axes of a network's grid: `coupling`, then the axes of the spec. If the field spectral_radius is requested
 * and one or two axes have several values, each of these axes adds a field level_one_NAME. At every point of
 * the grid it is the first value of that axis at which the spectral radius passes 1 on the edge to the next
 * point, accurate to 1e-12 relative or the rounding of the radius. The search (limit_find, limit/limit.h)
 * misses no earlier crossing up to 1e-9 relative, within its guarantee. The value is NaN
 *   - if the radius is on the same side of 1 at both ends (pairs of crossings may lie between them),
 *   - if the radius jumps over 1,
 *   - if some point between cannot be analysed (such as macro steps that are not multiples of micro steps).
 *
 * For couplings that iterate until convergence, fields iteration_one_NAME hold the first value at which the
 * iteration radius passes 1, NaN for other couplings. If the field iteration_radius is requested, they cover
 * all iterated couplings. */
costab_status costab_study_create(const costab_spec *spec, costab_study **study, costab_error *error);

/* Plans the histories; running the study simulates them. The model is borrowed and must outlive the study;
 * everything else is copied. A diverging run keeps its values and is NaN afterwards. COSTAB_INVALID for an
 * unknown parameter or coupling, a coupling that does not fit, and if values at micro steps would need too
 * much memory. */
costab_status costab_study_create_history(const costab_study_history *history, costab_study **study,
                                          costab_error *error);

/* Returns the number of time histories in the study; 0 for a sweep. */
size_t costab_study_histories(const costab_study *study);

/* Returns the evaluator of the study's tiles, for costab_run. */
costab_evaluator costab_study_evaluator(const costab_study *study);

/* [out] *kept: progress of an unfinished sweep or a slice, from its checkpoint or slice file, even while a
 * run writes it. `done` counts records by their sizes alone; `path` is NULL. COSTAB_INVALID for another file.
 */
costab_status costab_study_kept(const char *path, costab_checkpoint_state *kept, costab_error *error);

/* Returns true if a results file is up to date: of the same spec by the same version and revision of costab.
 * Compares the whole text of the spec, which includes the files that it reads (FMUs as hashes). False if the
 * file cannot be read. */
bool costab_study_is_current(const costab_study *study, const char *path);

/* As costab_study_is_current, for a slice file, or the checkpoint of that slice; slices = 0: of the whole
 * sweep. */
bool costab_study_is_current_part(const costab_study *study, const char *path, size_t slice, size_t slices);

/* Returns the receiver of the stored notes of tiles, for costab_checkpoint_replay. */
costab_notes costab_study_notes(const costab_study *study);
