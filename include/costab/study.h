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

/* Reads a spec and makes its study, which owns all data read. One thread at a time may call it.
 * COSTAB_INVALID with all mistakes of the spec; COSTAB_UNREADABLE if the spec cannot be read. [out] *study:
 * free with costab_study_destroy. */
COSTAB_API costab_status costab_study_read(const char *path, costab_study **study, costab_error *error);

/* Changes of the spec of a network: new values of parameters (costab_spec_set), and other couplings by name
 * (costab_spec_couple); and comment lines that the stored spec begins with, for what else decides the
 * results. Zero: no change. */
typedef struct costab_changes {
    const costab_setting *settings;
    int setting_count;
    const char *const *couplings;
    int coupling_count;
    const char *notes; /* each line "# ...\n"; NULL: none */
} costab_changes;

/* Like costab_study_read, with changes. They become part of the stored spec, which a checkpoint must match.
 */
COSTAB_API costab_status costab_study_read_set(const char *path, const costab_changes *changes,
                                               costab_study **study, costab_error *error);

/* Like costab_study_read, with a text in memory. `path` is used in messages and to find the files named by
 * the text. */
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
    const double *values; /* `points` values, ascending; NULL: from `from` to `to` */
    const char *written; /* the numbers as the user wrote them, "0.5,1/3" or "FROM:TO:COUNT"; NULL: unknown */
} costab_chart_axis;

/* Makes the study of a chart of a model file: class and spectral radius of all its couplings over these axes,
 * the first the slowest, with changes. The results store a spec with the key `model`. COSTAB_INVALID for a
 * planar spec, a file that takes its model from another file, an unknown parameter, no axis, and mistakes of
 * a spec with these axes. */
COSTAB_API costab_status costab_study_chart(const char *path, const costab_chart_axis *axes, int axis_count,
                                            const costab_changes *changes, costab_study **study,
                                            costab_error *error);

/* Time histories of a network under one or several couplings. */
typedef struct costab_study_history {
    costab_variant variant;
    const costab_network_history *wanted; /* NULL: the model's key `history` */
} costab_study_history;

COSTAB_API void costab_study_destroy(costab_study **study);

/* The origin of a study. All texts are borrowed from the study. */
typedef struct costab_study_origin {
    const char *title;      /* "" if absent */
    const char *references; /* NULL if absent */
    const char *spec_path;  /* the file's name */
    const char *spec_text;  /* complete: with the contents of all files that it names */
    const char *figure;     /* as costab_store_info.figure */
    const char *warnings;   /* one `FILE:LINE:COLUMN: warning: ...` per line, on probable mistakes */
    size_t refine_cell;     /* side of the coarse cells of a refined sweep, in points; 0: not refined */
} costab_study_origin;

/* Returns the origin of a study that was read or parsed, borrowed from the study; NULL for other studies. */
COSTAB_API const costab_study_origin *costab_study_origin_of(const costab_study *study);

/* Borrowed from the study. */
COSTAB_API const costab_plan *costab_study_plan(const costab_study *study);

/* Makes one study of all slices of a sweep written by costab_study_run; the slices contain the spec. The
 * study's run takes all tiles from them. COSTAB_INVALID if a slice is missing, damaged, unfinished or of
 * another sweep, or if two overlap; COSTAB_UNREADABLE if one cannot be read. [out] *study: free with
 * costab_study_destroy. */
COSTAB_API costab_status costab_study_merge(const char *const *paths, int count, costab_study **study,
                                            costab_error *error);

/* ---- The run ---- */

/* State at the start of a run with a checkpoint. */
typedef struct costab_study_start {
    bool finished;   /* the file is complete and up to date: nothing is computed */
    bool resumed;    /* the run uses tiles of a checkpoint */
    bool damaged;    /* the checkpoint is cut short or damaged after these tiles */
    size_t done;     /* number of tiles from the checkpoint; the run computes the others */
    size_t count;    /* number of all tiles */
    size_t replaced; /* number of tiles in a checkpoint that the run replaces; 0: none */
} costab_study_start;

typedef struct costab_study_run_options {
    int threads;     /* 0: as costab_run_options says */
    bool checkpoint; /* keeps finished tiles in OUTPUT.checkpoint until the file is complete */
    bool resume;     /* continues from tiles in the checkpoint, if there are any */
    bool force;      /* also replaces a file that is up to date, or that costab did not write */
    /* slices > 0: the run computes only the tiles with the numbers slice + k * slices, counted from 1, with
     * 1 <= slice <= slices; none if the grid has fewer tiles. It writes a file for costab_study_merge instead
     * of a results file, and keeps finished tiles as with `checkpoint`. */
    size_t slice, slices;
    /* Called from time to time, by one thread at a time, with the number of finished tiles and their total.
     * Returning true cancels the run, also within a long tile. May be NULL. */
    bool (*progress)(void *context, size_t done, size_t total);
    /* With a checkpoint: called once, before the first tile. May be NULL. */
    void (*started)(void *context, const costab_study_start *start);
    void *context;                 /* for progress and started */
    const costab_store_info *info; /* descriptive texts of the file; NULL: the study's origin */
} costab_study_run_options;

/* Runs a study into the file `output`, which appears complete or not at all. A checkpoint is copied into the
 * file and removed. [out] *kept (may be NULL): after a failure, the number of tiles kept for a run with
 * `resume`; the message names their file. COSTAB_CANCELLED if progress returned true; COSTAB_INVALID for a
 * slice out of range, a checkpoint of another sweep, and (without options->force) an existing `output` that
 * costab did not write; COSTAB_IO if the file cannot be written; also errors of the evaluator. */
COSTAB_API costab_status costab_study_run(costab_study *study, const char *output,
                                          const costab_study_run_options *options, size_t *kept,
                                          costab_error *error);

/* ---- Report of a run ---- */

/* Returns the number of points that could not be analysed so far: their class is `failed`, their numbers are
 * NaN. [out] *first (may be NULL): the message about the first of them in the order of the grid; unchanged
 * if there is none. Do not call it during a run. */
COSTAB_API size_t costab_study_failures(const costab_study *study, costab_error *first);

/* Counts the points of class SS of the last run, including those of its checkpoint or slices. Returns false
 * if the study does not store the classes of all points. Do not call it during a run. */
COSTAB_API bool costab_study_stable(const costab_study *study, size_t *points);

/* Returns the reason for which the run of the c-th coupling of a time history ended early, such as "'x' of
 * subsystem 'a' passed 1e+100 at t = 2"; NULL if it did not, or for an unknown run. Do not call it during a
 * run. */
COSTAB_API const char *costab_study_ending(const costab_study *study, int c);

/* Returns the number of points that a refined sweep has analysed so far, without tiles from a checkpoint; 0
 * for any other study. Do not call it during a run. */
COSTAB_API size_t costab_study_analysed(const costab_study *study);

#ifdef __cplusplus
}
#endif
#endif
