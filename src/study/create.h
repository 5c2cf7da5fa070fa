/* study/create.h - functions of studies for other modules. */
#pragma once

#include "costab/study.h"
#include "store/log.h"

/* Makes the plan and the evaluator of a spec, which is borrowed and must outlive the study: a sweep over its
 * axes, or, where a network has none but a history, the time histories of all its couplings. [out] *study:
 * free with costab_study_destroy. COSTAB_INVALID for a network with neither axes nor history.
 *
 * The axes of a network's grid are `coupling` and those of the spec. Where the field spectral_radius is asked
 * for and one or two axes have several values, there is a field level_one_NAME for each of these axes: for
 * every point of the grid the first value of that axis at which the spectral radius passes 1 on the edge to
 * the next point along it, true to 1e-12 relative where rounding leaves it that; costab_limit_find
 * (costab/limit.h) finds none before, up to 1e-9 relative, with its guarantee; NaN where it is on the same
 * side at both ends (there may be pairs of crossings between), where it jumps over 1, and where it cannot be
 * followed because not every point between can be analysed (such as macro steps that are no whole number of
 * micro steps). Where a coupling iterates until it converges, there are fields iteration_one_NAME in the same
 * way: the first value at which its iteration radius passes 1, NaN for the other couplings. Where the field
 * iteration_radius is asked for they are there for all couplings that iterate. */
costab_status costab_study_create(const costab_spec *spec, costab_study **study, costab_error *error);

/* Plans the histories; they are simulated when the study is run. The model is borrowed and must outlive the
 * study, all else is copied. A run that diverges keeps what it has, and is NaN from there on. COSTAB_INVALID
 * for an unknown parameter or coupling, a coupling that does not fit, and where values at micro steps would
 * need too much memory. */
costab_status costab_study_create_history(const costab_study_history *history, costab_study **study,
                                          costab_error *error);

/* The origin of a study that was read or parsed; NULL for another. Borrowed from the study. */
const costab_study_origin *costab_study_origin_of(const costab_study *study);

/* Number of time histories that the study simulates; 0 for a sweep. */
size_t costab_study_histories(const costab_study *study);

costab_evaluator costab_study_evaluator(const costab_study *study);

/* How much of its tiles an unfinished sweep or a slice has: a checkpoint or a slice's file, read beside a run
 * that writes it. `done` counts records by their sizes alone; `path` is NULL. COSTAB_INVALID for another
 * file. */
costab_status costab_study_kept(const char *path, costab_checkpoint_state *kept, costab_error *error);

/* Returns true if a file is up to date: a results file, slice or checkpoint of the same spec by the same
 * version and revision of costab. Of the spec and of the files that it reads all contents are compared, which
 * its whole text has (of FMUs their hash). False if the file cannot be read. */
bool costab_study_is_current(const costab_study *study, const char *path);

/* Who takes the notes of tiles back, for costab_checkpoint_replay. */
costab_notes costab_study_notes(const costab_study *study);
