/* costab/margin.h - how close a network is to another class: the nearest values of its parameters, of its
 * connections' gains and delays at which the class changes, and what is to blame there.
 *
 *     costab_margins margins;
 *     costab_margins_find(&variant, &(costab_margin_options){.connections = true}, &margins, &error);
 *     ... margins.rows[i].factor ...
 *     costab_margins_free(&margins);
 *
 * The search goes outwards from the nominal value, over costab_limit_find: it is complete, so that no gap
 * between samples is jumped over. What is not guaranteed is what that function does not guarantee either. */
#ifndef COSTAB_MARGIN_H
#define COSTAB_MARGIN_H

#include "costab/analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum costab_margin_kind {
    COSTAB_MARGIN_PARAMETER,  /* the value of a parameter */
    COSTAB_MARGIN_CONNECTION, /* a connection's gain, as a factor */
    COSTAB_MARGIN_DELAY,      /* further whole macro steps of delay on a connection */
    COSTAB_MARGIN_RADIUS,     /* of the map, as it stands and scaled: costab_map_radius; of a connection's
                                 factor: the radius of costab_loop_find */
    COSTAB_MARGIN_DISK,       /* the disk margin alpha of a connection, and the gains it stands for */
    COSTAB_MARGIN_KIND_COUNT
} costab_margin_kind;

/* "parameter", "connection", ...; NULL outside the range. */
COSTAB_API const char *costab_margin_kind_name(costab_margin_kind kind);

/* What passes its limit where the class changes. */
typedef enum costab_passes {
    COSTAB_PASSES_NOTHING,     /* or it is not known: the map is complex */
    COSTAB_PASSES_FOLD,        /* a real eigenvalue of the map passes 1 */
    COSTAB_PASSES_FLIP,        /* a real eigenvalue of the map passes -1 */
    COSTAB_PASSES_OSCILLATION, /* a pair of the map passes the unit circle */
    COSTAB_PASSES_ITERATION,   /* the iteration of the coupling no longer converges */
    COSTAB_PASSES_CONTINUOUS,  /* an eigenvalue of the monolithic system passes the imaginary axis */
    COSTAB_PASSES_OWN,         /* a subsystem's own macro step, its inputs 0, turns unstable: its solver */
    COSTAB_PASSES_ILL_POSED,   /* the network has no solution there */
    COSTAB_PASSES_COUNT
} costab_passes;

/* "", "fold", "flip", "oscillation", "iteration", "continuous", "own", "ill-posed"; NULL outside the range.
 */
COSTAB_API const char *costab_passes_name(costab_passes cause);

#define COSTAB_MARGIN_NAME_MAX 320

/* What was found on one side of one quantity's nominal value. Numbers that do not apply are NaN. */
typedef struct costab_margin {
    costab_margin_kind kind;
    int coupling;                      /* of the variant */
    char name[COSTAB_MARGIN_NAME_MAX]; /* the parameter's; "gain a.y->b.u", "delay a.y->b.u" */
    double nominal;
    int side;      /* -1 lower, 1 upper, 0 neither */
    double value;  /* the nearest at which the class changes; NaN: none up to the search's end. Of a radius
                      or a disk margin that number itself; side is 0 for a radius */
    double factor; /* value / nominal; NaN where the nominal value is 0. Of a disk margin: the gain on this
                      side to which the loop stays stable */
    uint8_t class_code; /* the class beyond `value`; the nominal one where nothing changes */
    costab_passes cause;
    /* Hz, of the mode that passes, or where a radius is attained: at most 1/(2 macro step). */
    double frequency;
    double growth;       /* 1/s, of that mode at `value`; 0 but for rounding, unless the class jumps there */
    int blame;           /* the subsystem with the largest share of that mode; -1: none */
    double share;        /* its share (costab/modes.h) */
    double *shares;      /* of all subsystems in that mode; NULL: there is none */
    double undecided[2]; /* a stretch on the way without an answer; NaN: there is none */
    costab_reason why;   /* of undecided: rounding mostly, or too many delayed values to be searched */
} costab_margin;

typedef struct costab_margins {
    size_t count, capacity;
    costab_margin *rows; /* coupling by coupling, in the order of parameters and connections, lower first */
    char *notes;         /* what was skipped, and why: one line each; NULL: nothing */
} costab_margins;

typedef struct costab_margin_options {
    int parameter_count;           /* 0: all */
    const char *const *parameters; /* names */
    bool connections;              /* gains and extra delays of all connections too */
    int threads;                   /* for large networks; 0: the default of costab/sweep.h */
    /* Called before each quantity, map and loop with the number of those before it and of all; true ends the
     * search with COSTAB_CANCELLED. NULL: not. */
    bool (*progress)(void *context, size_t done, size_t total);
    void *progress_context;
} costab_margin_options;

/* Finds the margins of all couplings of a variant. A parameter p is searched from p/1000 to 1000 p, one that
 * is 0 from -1e6 to 1e6; the factor of a gain from -1000 to 1000, where 0 is the cut connection; extra delays
 * are 1 to 50 macro steps. Where the model is defined at single values only (costab_study_values_find) these
 * are tried, of a count (micro steps, strides, iterations) up to 1000 from its value, of delays in macro
 * steps up to 50 beyond it.
 * Then follow, unless some parameters alone are asked for, the stability radius of the map and radius and
 * disk margin of every connection. Delays in seconds are skipped; `notes` names them. [out] margins: free
 * with costab_margins_free, also after an error. COSTAB_INVALID for an unknown parameter, where the nominal
 * model cannot be analysed, and where a subsystem is known by the measured map of its own steps only. */
COSTAB_API costab_status costab_margins_find(const costab_variant *variant,
                                             const costab_margin_options *options, costab_margins *margins,
                                             costab_error *error);
COSTAB_API void costab_margins_free(costab_margins *margins);

/* ---- What is uncertain ---- */

/* A number found by samples, and its standard error. */
typedef struct costab_sampled {
    double value, error;
} costab_sampled;

/* The probability that the co-simulation is stable where parameters are uncertain, and the share of the
 * variance of "stable or not" that each parameter makes alone (Sobol's first-order index): NaN where all
 * samples are alike. */
typedef struct costab_uncertainty {
    costab_sampled probability;
    costab_sampled alone[COSTAB_UNCERTAIN_MAX]; /* as many as there are uncertain parameters */
} costab_uncertainty;

typedef struct costab_uncertainty_options {
    int uncertain_count; /* 1 to COSTAB_UNCERTAIN_MAX */
    const costab_uncertain *uncertain;
    int samples; /* a multiple of COSTAB_SCRAMBLINGS; `uncertain_count` + 2 times as many classes */
    /* As in costab_margin_options, before each of them. */
    bool (*progress)(void *context, size_t done, size_t total);
    void *progress_context;
} costab_uncertainty_options;

/* Of the variant's coupling of number `coupling`. The probability is the field of that name of a sweep.
 * COSTAB_NUMERIC where a sample cannot be analysed. */
COSTAB_API costab_status costab_uncertainty_find(const costab_variant *variant, int coupling,
                                                 const costab_uncertainty_options *options,
                                                 costab_uncertainty *found, costab_error *error);

/* ---- Ends of limits ---- */

/* What passes its limit where a piece of a limit ends, named as in costab_margin. */
typedef struct costab_limit_cause {
    costab_passes cause; /* COSTAB_PASSES_NOTHING: the end is no crossing, or it is not known */
    double frequency;    /* Hz, of the mode that passes; NaN: there is none */
    int blame;           /* the subsystem with the largest share of that mode; -1: none */
    double share;        /* its share; NaN */
} costab_limit_cause;

/* The causes of the ends of all pieces of a limit that costab_study_limit_find found for this family over
 * this range: [out] causes has room for two of each piece, its begin and its end. An end that is the range's,
 * that is undecided or of an undecided piece has none; of single values it is what the next one shows. The
 * family's parameter is moved. COSTAB_MEMORY; errors of costab_study_values_find. */
COSTAB_MODULE costab_status costab_study_limit_causes(const costab_study_family *family,
                                                      const costab_study_limit_options *options,
                                                      const costab_study_limit *limit,
                                                      costab_limit_cause *causes, costab_error *error);

/* Does the same for a limit of costab_model_limit with these arguments. Subsystems are numbered as in the
 * model. */
COSTAB_API costab_status costab_model_limit_causes(const costab_variant *variant, int c,
                                                   const char *parameter,
                                                   const costab_study_limit_options *options,
                                                   const costab_study_limit *limit,
                                                   costab_limit_cause *causes, costab_error *error);

#ifdef __cplusplus
}
#endif
#endif
