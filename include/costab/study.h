/* costab/study.h - binds a spec to the evaluator that computes it.
 *
 * From a file to a file:
 *
 *     costab_study_read("fig09.yaml", &study, &error);
 *     costab_store_info info = {.title = costab_study_origin_of(study)->title, ...};
 *     costab_store_create("fig09.h5", costab_study_plan(study), &info, &store, &error);
 *     costab_evaluator evaluator = costab_study_evaluator(study);
 *     costab_sink sink = costab_store_sink(store);
 *     costab_run(costab_study_plan(study), &evaluator, &sink, &options, &error);
 *     costab_store_publish(&store, &error);  (costab_store_discard where the run failed or was cancelled)
 *     costab_study_destroy(&study);
 */
#ifndef COSTAB_STUDY_H
#define COSTAB_STUDY_H

#include "costab/spec.h"
#include "costab/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct costab_study costab_study;

/* Reads a spec and makes its study, which owns what was read. [out]
 * *study: free with costab_study_destroy. COSTAB_INVALID with all mistakes found, COSTAB_IO where a file
 * cannot be read. Not for several threads at once. */
COSTAB_API costab_status costab_study_read(const char *path, costab_study **study, costab_error *error);

/* The same from memory; `path` is used in messages, and to find the files that the text names. */
COSTAB_API costab_status costab_study_parse(const char *path, const char *text, size_t size,
                                            costab_study **study, costab_error *error);

/* Makes the plan and the evaluator of a spec, which is borrowed and must outlive the study: a sweep over its
 * axes, or, where a network has none but a history, the time histories of all its couplings. [out] *study:
 * free with costab_study_destroy. COSTAB_INVALID for a network with neither axes nor history.
 *
 * The axes of a network's grid are `coupling` and those of the spec. Where the field spectral_radius is asked
 * for and one or two axes have several values, there is a field level_one_NAME for each of these axes: for
 * every point of the grid the value of that axis at which the spectral radius passes 1 on the edge to the next
 * point along it, true to 1e-12 relative; NaN where it is on the same side at both ends, where it jumps over
 * 1, and where it cannot be followed because not every point between can be analysed (such as macro steps that
 * are no whole number of micro steps). */
COSTAB_API costab_status costab_study_create(const costab_spec *spec, costab_study **study,
                                             costab_error *error);

/* A parameter that gets another value than the model's. */
typedef struct costab_setting {
    const char *name;
    double value;
} costab_setting;

/* A model with some parameters set and some couplings chosen. */
typedef struct costab_variant {
    const costab_model *model;
    int setting_count, coupling_count;
    const costab_setting *settings;
    /* Names: the model's own couplings first, then those that every model has (costab_coupling_name). NULL:
     * all of the model's own. */
    const char *const *couplings;
} costab_variant;

/* Time histories of a network under one or several couplings: what to simulate, and what to keep of it. */
typedef struct costab_study_history {
    costab_variant variant;
    const costab_network_history *wanted; /* NULL: what the model asks for */
} costab_study_history;

/* Plans the histories; they are simulated when the study is run. The model is borrowed and must outlive the
 * study, all else is copied. A run that diverges keeps what it has, and is NaN from there on. COSTAB_INVALID
 * for an unknown parameter or coupling, a coupling that does not fit, and where values at micro steps would
 * need too much memory. */
COSTAB_API costab_status costab_study_create_history(const costab_study_history *history,
                                                     costab_study **study, costab_error *error);

COSTAB_API void costab_study_destroy(costab_study **study);

/* Where a study comes from. */
typedef struct costab_study_origin {
    const char *title;      /* "" if absent */
    const char *references; /* NULL if absent */
    const char *spec_path;  /* the file's name */
    const char *spec_text;  /* stands for itself, with all files that it names */
    const char
        *warnings; /* what is allowed and probably not meant, one `FILE:LINE:COLUMN: warning: ...` a line */
    size_t refine_cell; /* side of the coarse cells of a refined sweep, in points; 0: it is none */
} costab_study_origin;

/* The origin of a study that was read or parsed; NULL for another. Borrowed from the study. */
COSTAB_API const costab_study_origin *costab_study_origin_of(const costab_study *study);

/* Borrowed from the study. */
COSTAB_API const costab_plan *costab_study_plan(const costab_study *study);
COSTAB_API costab_evaluator costab_study_evaluator(const costab_study *study);

/* How many points could not be analysed until now: their class is `failed`, their numbers are NaN. [out]
 * *first: what was said of the first of them in the order of the grid, unless there is none or `first` is
 * NULL. Not while the study is run. */
COSTAB_API size_t costab_study_failures(const costab_study *study, costab_error *first);

/* The failures of single tiles, to be kept with the tiles; given back they count as if they had been
 * computed. Asked for before the run; not while it lasts. */
COSTAB_API costab_notes costab_study_notes(costab_study *study);

/* How many points of its grid a refined sweep has analysed until now: those of the tiles that were run, not
 * of those that a checkpoint gave back; 0 for any other study. Not while the study is run. */
COSTAB_API size_t costab_study_analysed(const costab_study *study);

#ifdef __cplusplus
}
#endif
#endif
