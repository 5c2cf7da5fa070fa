/* costab/study.h - binds a spec to the evaluator that computes it, and runs it into a results file.
 *
 *     costab_study_read("fig09.yaml", &study, &error);
 *     costab_study_run(study, "fig09.h5", &(costab_study_run_options){.checkpoint = true}, NULL, &error);
 *     costab_study_destroy(&study);
 *
 * A plan, an evaluator and a sink of one's own: costab_study_plan, costab_study_evaluator, costab_run. */
#ifndef COSTAB_STUDY_H
#define COSTAB_STUDY_H

#include "costab/spec.h"
#include "costab/store.h"
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
 * every point of the grid the value of that axis at which the spectral radius passes 1 on the edge to the
 * next point along it, true to 1e-12 relative; NaN where it is on the same side at both ends, where it jumps
 * over 1, and where it cannot be followed because not every point between can be analysed (such as macro
 * steps that are no whole number of micro steps). */
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

/* Makes one study of the slices of a sweep, which costab_study_run wrote: nothing is computed in its run, the
 * tiles are taken from them. The spec is that of the slices. COSTAB_INVALID where one is missing, damaged,
 * not finished or of another sweep, and where two overlap; COSTAB_IO where one cannot be read. */
COSTAB_API costab_status costab_study_merge(const char *const *paths, int count, costab_study **study,
                                            costab_error *error);

/* ---- The run
 * ------------------------------------------------------------------------------------------------ */

/* How a run with a checkpoint begins. */
typedef struct costab_study_start {
    bool finished;   /* the slice is there and whole: nothing is to be done */
    bool resumed;    /* tiles that were kept are taken up */
    bool damaged;    /* what was kept is cut short or damaged behind them */
    size_t next;     /* the first tile to be computed */
    size_t last;     /* the tile behind the last one */
    size_t replaced; /* tiles of a checkpoint that is not gone on with, but replaced; else 0 */
} costab_study_start;

typedef struct costab_study_run_options {
    int threads;     /* 0: as many as OpenMP chooses */
    bool checkpoint; /* keeps finished tiles in OUTPUT.checkpoint until the file is whole */
    bool resume;     /* goes on from what is kept there, if there is something */
    bool force;      /* replaces a file `output` that costab did not write, too */
    /* slices > 0: only slice number `slice` (from 1) of so many, as a log that costab_study_merge takes, in
     * place of a results file. Finished tiles are kept as with `checkpoint`. */
    size_t slice, slices;
    const costab_team *team; /* the ranks that share the run, all of which make this call; NULL: alone */
    /* Called now and then, by one thread at a time, with the tiles that are done and their total; on another
     * rank than 0 with that rank's own. Returning true cancels, a long tile too. May be NULL. */
    bool (*progress)(void *context, size_t done, size_t total);
    /* Called once before the first tile, where there is a checkpoint. May be NULL. */
    void (*started)(void *context, const costab_study_start *start);
    void *context;                 /* of both */
    const costab_store_info *info; /* what the file says of itself; NULL: the study's origin */
} costab_study_run_options;

/* Runs a study into the file `output`, which appears whole or not at all. [out] *kept (may be NULL): after a
 * failure, the tiles that are kept for a run with `resume`; the message says where. COSTAB_CANCELLED where
 * progress asked for it, COSTAB_INVALID for a slice that there is not and for a checkpoint of another sweep,
 * COSTAB_IO where the file cannot be written, COSTAB_INVALID where one is there that costab did not write
 * (but for options->force), and what evaluating returns. The disk must have room for the results twice while
 * there is a checkpoint. */
COSTAB_API costab_status costab_study_run(costab_study *study, const char *output,
                                          const costab_study_run_options *options, size_t *kept,
                                          costab_error *error);

/* ---- What a run leaves to say
 * ------------------------------------------------------------------------------- */

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
