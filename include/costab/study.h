/* costab/study.h - binds a spec to the evaluator that computes it, and runs it into a results file.
 *
 *     costab_study_read("fig09.yaml", &study, &error);
 *     costab_study_run(study, "fig09.h5", &(costab_study_run_options){.checkpoint = true}, NULL, &error);
 *     costab_study_destroy(&study);
 *
 * A plan with your own evaluator and sink: costab_study_plan, costab_study_evaluator, costab_run. */
#ifndef COSTAB_STUDY_H
#define COSTAB_STUDY_H

#include "costab/analysis.h"
#include "costab/spec.h"
#include "costab/store.h"
#include "costab/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct costab_study costab_study;

/* Reads a spec and makes its study, which owns all that was read. One thread at a time. COSTAB_INVALID with
 * all mistakes of the spec, COSTAB_UNREADABLE where a file cannot be read. [out] *study: free with
 * costab_study_destroy. */
COSTAB_API costab_status costab_study_read(const char *path, costab_study **study, costab_error *error);

/* Changes of the spec of a network: other values of some parameters (costab_spec_set), other
 * couplings by name (costab_spec_couple). Zero: nothing. */
typedef struct costab_changes {
    const costab_setting *settings;
    int setting_count;
    const char *const *couplings;
    int coupling_count;
} costab_changes;

/* Like costab_study_read, with changes. They become part of the spec in the results file, which a run from a
 * checkpoint must match. */
COSTAB_API costab_status costab_study_read_set(const char *path, const costab_changes *changes,
                                               costab_study **study, costab_error *error);

/* Like costab_study_read, with a text in memory. `path` is used in messages, and to find the files that the
 * text names.
 */
COSTAB_API costab_status costab_study_parse(const char *path, const char *text, size_t size,
                                            costab_study **study, costab_error *error);

/* Like costab_study_parse, with changes. */
COSTAB_API costab_status costab_study_parse_set(const char *path, const char *text, size_t size,
                                                const costab_changes *changes, costab_study **study,
                                                costab_error *error);

/* An axis of a chart: `points` values of a parameter, with both ends, or the listed values. */
typedef struct costab_chart_axis {
    const char *parameter;
    double from, to;
    size_t points;
    bool log;             /* equal ratios instead of equal distances; without `values` */
    const double *values; /* so many, ascending; NULL: from `from` to `to` */
    const char *written;  /* these numbers as they are written, 0.5,1/3 or FROM:TO:COUNT; NULL: the doubles */
} costab_chart_axis;

/* Makes the study of a chart of a model file: class and spectral radius of all its couplings over these axes,
 * the first the slowest, with changes. It is that of a spec with the key `model`,
 * which its results store. COSTAB_INVALID for a planar spec, a file that takes its model from another file,
 * an unknown parameter, no axis, and what a spec with these axes is refused for. */
COSTAB_API costab_status costab_study_chart(const char *path, const costab_chart_axis *axes, int axis_count,
                                            const costab_changes *changes, costab_study **study,
                                            costab_error *error);

/* Time histories of a network under one or several couplings: what to simulate, and what to store. */
typedef struct costab_study_history {
    costab_variant variant;
    const costab_network_history *wanted; /* NULL: what the model asks for */
} costab_study_history;

COSTAB_API void costab_study_destroy(costab_study **study);

/* The origin of a study. All texts are borrowed from the study. */
typedef struct costab_study_origin {
    const char *title;      /* "" if absent */
    const char *references; /* NULL if absent */
    const char *spec_path;  /* the file's name */
    const char *spec_text;  /* stands for itself, with all files that it names */
    const char *figure;     /* as costab_store_info.figure */
    const char
        *warnings; /* what is allowed but probably not meant: one `FILE:LINE:COLUMN: warning: ...` per line */
    size_t refine_cell; /* side of the coarse cells of a refined sweep, in points; 0: not refined */
} costab_study_origin;

/* Borrowed from the study. */
COSTAB_API const costab_plan *costab_study_plan(const costab_study *study);

/* Makes one study of the slices of a sweep that costab_study_run wrote. Its run takes all tiles from the
 * slices. The slices hold the spec. COSTAB_INVALID where a slice is missing, damaged, unfinished or of
 * another sweep, and where two overlap; COSTAB_UNREADABLE where one cannot be read. [out] *study: free with
 * costab_study_destroy. */
COSTAB_API costab_status costab_study_merge(const char *const *paths, int count, costab_study **study,
                                            costab_error *error);

/* ---- The run ---- */

/* State at the start of a run with a checkpoint. */
typedef struct costab_study_start {
    bool finished;   /* the file is whole and up to date: nothing is computed */
    bool resumed;    /* the run uses tiles that were kept */
    bool damaged;    /* the checkpoint is cut short or damaged after these tiles */
    size_t done;     /* how many tiles were kept: the run computes the others */
    size_t count;    /* how many there are */
    size_t replaced; /* how many tiles had a checkpoint that the run replaces; else 0 */
} costab_study_start;

typedef struct costab_study_run_options {
    int threads;     /* 0: as costab_run_options says */
    bool checkpoint; /* keeps finished tiles in OUTPUT.checkpoint until the file is complete */
    bool resume;     /* continues from the tiles kept there, if there are any */
    bool force;      /* replaces also a file that is up to date, or that costab did not write */
    /* slices > 0: the run computes only slice number `slice`, 1 <= slice <= slices: the tiles of these
     * numbers, counted from 1: slice, slice + slices, slice + 2 * slices and so on; none of a grid that has
     * fewer tiles. It writes a log for costab_study_merge instead of a results file. It keeps finished tiles
     * as with `checkpoint`. */
    size_t slice, slices;
    /* One thread at a time calls this from time to time, with the number of finished tiles and their total.
     * Returning true cancels the run, also within a long tile. May be NULL. */
    bool (*progress)(void *context, size_t done, size_t total);
    /* With a checkpoint: called once, before the first tile. May be NULL. */
    void (*started)(void *context, const costab_study_start *start);
    void *context;                 /* for progress and started */
    const costab_store_info *info; /* what the file says about itself; NULL: the study's origin */
} costab_study_run_options;

/* Runs a study into the file `output`, which appears whole or not at all. A checkpoint is
 * copied into the file and removed. [out] *kept (may be NULL): after a failure, how many tiles are kept for a
 * run with `resume`; the message says where. COSTAB_CANCELLED where progress returned true; COSTAB_INVALID
 * for a slice out of range, for a checkpoint of another sweep, and where `output` is an existing file that
 * costab did not write, unless options->force; COSTAB_IO where the file cannot be written; else what
 * evaluating returns. */
COSTAB_API costab_status costab_study_run(costab_study *study, const char *output,
                                          const costab_study_run_options *options, size_t *kept,
                                          costab_error *error);

/* ---- Report of a run ---- */

/* How many points could not be analysed so far: their class is `failed`, their numbers are NaN. [out] *first
 * (may be NULL): the message about the first of them in the order of the grid; untouched if there is none. Do
 * not call it during a run. */
COSTAB_API size_t costab_study_failures(const costab_study *study, costab_error *first);

/* How many points of the last run have the class SS, with those that its checkpoint or its slices had. False
 * if the study stores no classes of all points. Do not call it during a run. */
COSTAB_API bool costab_study_stable(const costab_study *study, size_t *points);

/* Why the run of the c-th coupling of a time history ended before its time, such as "'x' of subsystem 'a'
 * passed 1e+100 at t = 2"; NULL if it did not, or for an unknown run. Do not call it during a run. */
COSTAB_API const char *costab_study_ending(const costab_study *study, int c);

/* How many points a refined sweep has analysed so far, not counting tiles from a checkpoint; 0 for any other
 * study. Do not call it during a run. */
COSTAB_API size_t costab_study_analysed(const costab_study *study);

#ifdef __cplusplus
}
#endif
#endif
