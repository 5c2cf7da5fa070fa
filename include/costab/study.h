/* costab/study.h - binds a spec to the evaluator that computes it, and runs it into a results file.
 *
 *     costab_study_read("fig09.yaml", &study, &error);
 *     costab_study_run(study, "fig09.h5", &(costab_study_run_options){.checkpoint = true}, NULL, &error);
 *     costab_study_destroy(&study);
 *
 * A plan, an evaluator and a sink of one's own: costab_study_plan, costab_study_evaluator, costab_run. */
#ifndef COSTAB_STUDY_H
#define COSTAB_STUDY_H

#include "costab/checkpoint.h"
#include "costab/proof.h"
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

/* Does the same with other values of some parameters of a network (costab_spec_set). They are part of the
 * spec that the results file stores, and that a run which continues from a checkpoint is compared with. */
COSTAB_API costab_status costab_study_read_set(const char *path, const costab_setting *settings, int count,
                                               costab_study **study, costab_error *error);

/* Does the same with a text in memory. `path` is used in messages, and to find the files that the text names.
 */
COSTAB_API costab_status costab_study_parse(const char *path, const char *text, size_t size,
                                            costab_study **study, costab_error *error);

/* Does that with other values of some parameters. */
COSTAB_API costab_status costab_study_parse_set(const char *path, const char *text, size_t size,
                                                const costab_setting *settings, int count,
                                                costab_study **study, costab_error *error);

/* An axis of a chart: so many values of a parameter, with both ends, or those that are listed. */
typedef struct costab_chart_axis {
    const char *parameter;
    double from, to;
    size_t points;
    const double *values; /* so many, ascending; NULL: from `from` to `to` */
    const char *written;  /* these numbers as they are written, 0.5,1/3 or FROM:TO:COUNT; NULL: the doubles */
} costab_chart_axis;

/* Makes the study of a chart of a model file: class and spectral radius of all its couplings over these axes,
 * the first the slowest, with other values of some parameters. It is that of a spec with the key `model`,
 * which its results store. COSTAB_INVALID for a planar spec, a file that takes its model from another one, an
 * unknown parameter, no axis, and what a spec with these axes is refused for. */
COSTAB_API costab_status costab_study_chart(const char *path, const costab_chart_axis *axes, int axis_count,
                                            const costab_setting *settings, int count, costab_study **study,
                                            costab_error *error);

/* Makes the plan and the evaluator of a spec, which is borrowed and must outlive the study: a sweep over its
 * axes, or, where a network has none but a history, the time histories of all its couplings. [out] *study:
 * free with costab_study_destroy. COSTAB_INVALID for a network with neither axes nor history.
 *
 * The axes of a network's grid are `coupling` and those of the spec. Where the field spectral_radius is asked
 * for and one or two axes have several values, there is a field level_one_NAME for each of these axes: for
 * every point of the grid the first value of that axis at which the spectral radius passes 1 on the edge to
 * the next point along it, true to 1e-12 relative where rounding leaves it that; costab_limit_find
 * (costab/proof.h) finds none before, up to 1e-9 relative, with its guarantee; NaN where it is on the same
 * side at both ends (there may be pairs of crossings between), where it jumps over 1, and where it cannot be
 * followed because not every point between can be analysed (such as macro steps that are no whole number of
 * micro steps). Where a coupling iterates until it converges, there are fields iteration_one_NAME in the same
 * way: the first value at which its iteration radius passes 1, NaN for the other couplings. Where the field
 * iteration_radius is asked for they are there for all couplings that iterate. */
COSTAB_ROOM costab_status costab_study_create(const costab_spec *spec, costab_study **study,
                                              costab_error *error);

/* A model with some parameters set and some couplings chosen. */
typedef struct costab_variant {
    const costab_model *model;
    int setting_count;
    int coupling_count;
    const costab_setting *settings;
    /* Names of couplings: of the model's own, or of those that every model has (costab_coupling_name). NULL:
     * all of the model's own. */
    const char *const *couplings;
    /* For simulations: coefficients may vary in time (costab_model_instance_allow_time_varying). Otherwise
     * such a model is refused. */
    bool time_varying;
} costab_variant;

/* A variant with its names found: the model at these settings, and the choices of its couplings. */
typedef struct costab_setup costab_setup;

/* Finds the names and updates an instance of the model, which is borrowed and must outlive the setup; the
 * names are copied. COSTAB_INVALID for an unknown parameter or coupling; errors of
 * costab_model_instance_update. [out] *setup: free with costab_setup_destroy. */
COSTAB_API costab_status costab_setup_create(const costab_variant *variant, costab_setup **setup,
                                             costab_error *error);
COSTAB_API void costab_setup_destroy(costab_setup **setup);

/* The network, and how many couplings there are; the name of the c-th, NULL outside the range. Borrowed. */
COSTAB_API const costab_network *costab_setup_network(const costab_setup *setup);
COSTAB_API int costab_setup_coupling_count(const costab_setup *setup);
COSTAB_API const char *costab_setup_coupling_name(const costab_setup *setup, int c);

/* The choices of the c-th coupling, which has passed costab_coupling_check. Its order is borrowed. */
COSTAB_API costab_status costab_setup_coupling(const costab_setup *setup, int c, costab_coupling *coupling,
                                               costab_error *error);

/* Time histories of a network under one or several couplings: what to simulate, and what to store. */
typedef struct costab_study_history {
    costab_variant variant;
    const costab_network_history *wanted; /* NULL: what the model asks for */
} costab_study_history;

/* Plans the histories; they are simulated when the study is run. The model is borrowed and must outlive the
 * study, all else is copied. A run that diverges keeps what it has, and is NaN from there on. COSTAB_INVALID
 * for an unknown parameter or coupling, a coupling that does not fit, and where values at micro steps would
 * need too much memory. */
COSTAB_ROOM costab_status costab_study_create_history(const costab_study_history *history,
                                                      costab_study **study, costab_error *error);

COSTAB_API void costab_study_destroy(costab_study **study);

/* The origin of a study. All texts are borrowed from the study. */
typedef struct costab_study_origin {
    const char *title;      /* "" if absent */
    const char *references; /* NULL if absent */
    const char *spec_path;  /* the file's name */
    const char *spec_text;  /* stands for itself, with all files that it names */
    const char
        *warnings; /* what is allowed but probably not meant: one `FILE:LINE:COLUMN: warning: ...` per line */
    size_t refine_cell; /* side of the coarse cells of a refined sweep, in points; 0: not refined */
} costab_study_origin;

/* The origin of a study that was read or parsed; NULL for another. Borrowed from the study. */
COSTAB_ROOM const costab_study_origin *costab_study_origin_of(const costab_study *study);

/* Borrowed from the study. */
COSTAB_API const costab_plan *costab_study_plan(const costab_study *study);
COSTAB_ROOM costab_evaluator costab_study_evaluator(const costab_study *study);

/* How much of its tiles an unfinished sweep or a slice has: a checkpoint or a slice's file, read beside a run
 * that writes it. `done` counts records by their sizes alone; `path` is NULL. COSTAB_INVALID for another
 * file. */
COSTAB_ROOM costab_status costab_study_kept(const char *path, costab_checkpoint_state *kept,
                                            costab_error *error);

/* Whether a file holds results of the study as it is: a results file of the same spec text, or a slice or a
 * checkpoint that costab_study_run would continue. False if the file cannot be read. */
COSTAB_ROOM bool costab_study_is_of(const costab_study *study, const char *path);

/* Makes one study of the slices of a sweep that costab_study_run wrote. Its run computes nothing but takes
 * the tiles from the slices. The slices hold the spec. COSTAB_INVALID where a slice is missing, damaged,
 * unfinished or of another sweep, and where two overlap; COSTAB_UNREADABLE where one cannot be read. [out]
 * *study: free with costab_study_destroy. */
COSTAB_API costab_status costab_study_merge(const char *const *paths, int count, costab_study **study,
                                            costab_error *error);

/* ---- The run ---- */

/* What a run with a checkpoint begins with. */
typedef struct costab_study_start {
    bool finished;   /* the slice exists and is complete: the run has nothing to do */
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
    bool force;      /* also replaces a file that costab did not write */
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

/* ---- What a run leaves to say ---- */

/* How many points could not be analysed so far: their class is `failed`, their numbers are NaN. [out] *first
 * (may be NULL): the message about the first of them in the order of the grid; untouched if there is none. Do
 * not call it during a run. */
COSTAB_API size_t costab_study_failures(const costab_study *study, costab_error *first);

/* How many points of the last run have the class SS, with those that its checkpoint or its slices had. False
 * if the study stores no classes of all points. Do not call it during a run. */
COSTAB_API bool costab_study_stable(const costab_study *study, size_t *points);

/* Why the run of the c-th coupling of a time history ended before its time, such as "'x' of subsystem 'a'
 * passed 1e+100 at t = 2"; NULL if it did not, or there is no such run. Do not call it during a run. */
COSTAB_API const char *costab_study_ending(const costab_study *study, int c);

/* Who takes the notes of tiles back, for costab_checkpoint_replay. */
COSTAB_ROOM costab_notes costab_study_notes(const costab_study *study);

/* How many points a refined sweep has analysed so far, not counting tiles from a checkpoint; 0 for any other
 * study. Do not call it during a run. */
COSTAB_API size_t costab_study_analysed(const costab_study *study);

/* ---- Parameters of a model as a family ---- */

/* What a family of costab/proof.h is over: a parameter of a model, all others as they stand in the instance.
 */
typedef struct costab_study_family {
    costab_model_instance *instance; /* borrowed, its parameters are set */
    costab_network_work *work;       /* borrowed */
    int own;                         /* the model's coupling of that number; -1: */
    const costab_coupling *choices;  /* these choices, with the macro step and micro steps of the model */
    int parameter;                   /* what the family's number sets */
    int alone;                       /* 0: the whole network; s > 0: subsystem s - 1 alone, its inputs 0 */
} costab_study_family;

/* The family of *family, which is borrowed. */
COSTAB_ROOM costab_family costab_study_family_of(costab_study_family *family);

/* Sets the parameter, updates the instance and takes the coupling's choices; those of jacobi where a
 * subsystem is alone. */
COSTAB_ROOM costab_status costab_study_family_set(const costab_study_family *family, double value,
                                                  costab_coupling *coupling, costab_error *error);

/* What the family analyses at the instance's present parameters. */
COSTAB_ROOM costab_network costab_study_family_network(const costab_study_family *family);

/* The values of a parameter at which a model is defined, where these are single ones. */
typedef struct costab_study_values {
    double *at; /* ascending; NULL: every value of the range makes sense */
    size_t count;
    bool whole;      /* the parameter is a count: these are all whole numbers of the range */
    int denominator; /* else macro step over micro step is p/q there, q up to this: 1 where it is to be whole
                      */
} costab_study_values;

/* The values in a range of the family's one parameter that are to be tried one by one: whole numbers where a
 * count depends on it (costab_model_instance_counts); where it moves macro steps or micro steps of fixed
 * length, those at which the macro step is a whole number of micro steps, or with COSTAB_CLOCKS p/q times as
 * long, for as many q as make some 2000 values. At some of them the model may still not be defined. [out]
 * *values: free with costab_study_values_free, also after an error. COSTAB_INVALID for more than 10,000 whole
 * numbers or ratios, and for more multiples of constant micro steps than costab_limit_places lists. */
COSTAB_ROOM costab_status costab_study_values_find(const costab_study_family *family, const double range[2],
                                                   costab_study_values *values, costab_error *error);
COSTAB_ROOM void costab_study_values_free(costab_study_values *values);

/* ---- Limits ---- */

typedef struct costab_study_limit_options {
    double lower, upper; /* finite, lower < upper */
    size_t evaluations;  /* at most; 0: 50000 */
    /* Called before evaluations with the share of the range that is done and how many there were; returning
     * true ends the search with COSTAB_CANCELLED. NULL: not. */
    bool (*progress)(void *context, double share, size_t evaluations);
    void *progress_context;
    /* With measured maps: called with progress_context and the pieces between the first `values`, before
     * their ends are refined. NULL: not. */
    void (*coarse)(void *context, const costab_limit *found, size_t values);
    costab_spacing spacing; /* of the first cells */
    bool first;             /* as in costab_limit_options; single and sampled values are looked at all */
    unsigned stable;        /* as in costab_limit_options; not of single and sampled values */
    int threads; /* of networks of 32 states or more: 0: as costab_run_options says. The answers do not depend
                    on it */
} costab_study_limit_options;

typedef struct costab_study_limit {
    costab_limit found; /* costab_limit_free */
    bool single;        /* values were asked for one by one; else all of the range was covered */
    size_t values;      /* so many */
    bool whole;         /* they are the whole numbers of the range; ends of pieces are COSTAB_END_WHOLE */
    int denominator;    /* else macro step over micro step is p/q at them, q up to this */
    int threads;        /* that worked, at most */
    double own_step;    /* that a solver inside takes, found by trying; 0: none was searched or found */
    /* Where a subsystem is known by measured maps only (an FMU for co-simulation): the answer is that of so
     * many values and of ends between them, and is not complete; else 0. */
    size_t sampled;
    double end_error; /* of these ends: the largest error that follows from the errors of the maps */
    /* Values at which nothing could be measured, which are undecided, or of single values those at which the
     * model is not defined: how many, and why the first of them. */
    size_t refused;
    char refusal[600];
    bool lost[2]; /* below and above these values the network has no operating point, and why */
    double lost_at[2];
    char lost_reason[2][400];
} costab_study_limit;

/* All pieces of one parameter (family->count is 1) in which the co-simulation does not grow:
 * costab_limit_find, at single values where costab_study_values_find has them. Errors as there. */
COSTAB_ROOM costab_status costab_study_limit_find(const costab_study_family *family,
                                                  const costab_study_limit_options *options,
                                                  costab_study_limit *limit, costab_error *error);

/* Does the same for the c-th coupling of the variant and the parameter of this name. */
COSTAB_API costab_status costab_model_limit(const costab_variant *variant, int c, const char *parameter,
                                            const costab_study_limit_options *options,
                                            costab_study_limit *limit, costab_error *error);

/* ---- Own limits ---- */

/* Where a subsystem's own solver stops being stable, its inputs 0, whatever the coupling does. */
typedef struct costab_own_end {
    int subsystem;
    bool upper; /* it is stable below, else above */
    double value;
} costab_own_end;

typedef struct costab_own_limits {
    costab_own_end *ends;
    size_t count;
} costab_own_limits;

/* Whether the subsystem has states whose own matrix is stable at the present parameters, or that are known by
 * measured maps alone. */
COSTAB_ROOM costab_status costab_study_own_asked(const costab_study_family *family, int subsystem,
                                                 bool *asked, costab_error *error);

/* Whether stability ends at an end of a stable piece: by a crossing, or by an undecided piece as narrow as a
 * double eigenvalue leaves it (1e-5 of the place), behind which nothing is stable. */
COSTAB_ROOM bool costab_limit_ends(const costab_limit *found, size_t piece, bool upper);

/* The ends of the intervals in which each of these subsystems alone is stable, by costab_study_limit_find
 * with these options. Where the parameter is a count, or allows single values only, there are
 * none. [out] *limits: free with costab_own_limits_free, also after an error. */
COSTAB_ROOM costab_status costab_study_own_find(const costab_study_family *family,
                                                const costab_study_limit_options *options,
                                                costab_own_limits *limits, costab_error *error);
COSTAB_ROOM void costab_own_limits_free(costab_own_limits *limits);

/* The own limit that a coupling's end lies at: within 10 % of it or beyond, the nearest; NULL: none. */
COSTAB_ROOM const costab_own_end *costab_own_limit_at(const costab_own_limits *limits, double end,
                                                      bool upper);

/* The same, to 1e-6 of it. */
COSTAB_ROOM bool costab_own_limit_equal(const costab_own_end *own, double end);

#define COSTAB_OWN_SENTENCE_MAX 400

/* "heatpump's own solver, rk4 with 1 micro step, ends at H = 334.235: more micro steps lift this". Where a
 * coupling ends there, too, to 1e-6, "; no coupling will" follows (`equal`). */
COSTAB_ROOM void costab_own_sentence(const costab_network *network, const char *parameter,
                                     const costab_own_end *end, bool equal,
                                     char sentence[COSTAB_OWN_SENTENCE_MAX]);

#ifdef __cplusplus
}
#endif
#endif
