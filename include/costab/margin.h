/* costab/margin.h - how close a network is to another class: the nearest values of its parameters, of its
 * connections' gains and delays at which the class changes, with the cause and the subsystem that dominates.
 *
 *     costab_margins margins;
 *     costab_margins_find(&variant, &(costab_margin_options){.connections = true}, &margins, &error);
 *     ... margins.rows[i].factor ...
 *     costab_margins_free(&margins);
 *
 * The search goes outwards from the nominal value, with the completeness and the limitations of
 * costab/limit.h. */
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
    COSTAB_MARGIN_RADIUS,     /* the stability radius of the map, unscaled and scaled, or of a connection's
                                 factor (costab_loop.radius) */
    COSTAB_MARGIN_DISK,       /* the disk margin alpha of a connection, and the corresponding gains */
    COSTAB_MARGIN_KIND_COUNT
} costab_margin_kind;

/* "parameter", "connection", ...; NULL outside the range. */
COSTAB_API const char *costab_margin_kind_name(costab_margin_kind kind);

/* The quantity that passes its limit when the class changes. */
typedef enum costab_passes {
    COSTAB_PASSES_NOTHING,     /* or unknown, because the map is complex */
    COSTAB_PASSES_FOLD,        /* a real eigenvalue of the map passes 1 */
    COSTAB_PASSES_FLIP,        /* a real eigenvalue of the map passes -1 */
    COSTAB_PASSES_OSCILLATION, /* a pair of the map passes the unit circle */
    COSTAB_PASSES_ITERATION,   /* the iteration of the coupling no longer converges */
    COSTAB_PASSES_CONTINUOUS,  /* an eigenvalue of the monolithic system passes the imaginary axis */
    COSTAB_PASSES_OWN,         /* a subsystem's own macro step, with inputs 0, becomes unstable */
    COSTAB_PASSES_ILL_POSED,   /* the network has no solution there */
    COSTAB_PASSES_COUNT
} costab_passes;

/* "", "fold", "flip", "oscillation", "iteration", "continuous", "own", "ill-posed"; NULL outside the range.
 */
COSTAB_API const char *costab_passes_name(costab_passes cause);

#define COSTAB_MARGIN_NAME_MAX 320

/* The margin of one quantity on one side of its nominal value. Numbers that do not apply are NaN. */
typedef struct costab_margin {
    costab_margin_kind kind;
    int coupling;                      /* of the variant */
    char name[COSTAB_MARGIN_NAME_MAX]; /* of the parameter; "gain a.y->b.u", "delay a.y->b.u" */
    double nominal;
    int side;           /* -1 lower, 1 upper, 0 neither */
    double value;       /* the nearest value at which the class changes; NaN: none in the searched range. For
                           radii and disk margins, the radius or margin itself */
    double factor;      /* value / nominal; NaN if the nominal value is 0. For a disk margin: the gain on this
                           side up to which the loop stays stable */
    uint8_t class_code; /* the class beyond `value` (COSTAB_CLASS_FAILED: the network is ill-posed there); the
                           nominal class if nothing changes */
    costab_passes cause;
    double frequency; /* Hz, of the mode that passes its limit, or at which a radius is attained. Of the map:
                         at most 1/(2 macro step) */
    double growth;    /* 1/s, of that mode at `value`; 0 up to rounding unless the class jumps there */
    int blame;        /* index of the subsystem with the largest participation in that mode; -1: none */
    double share;     /* its participation factor (costab/modes.h) */
    double *shares;   /* participation factors of all subsystems in that mode; NULL: no mode was found */
    double undecided[2]; /* the first undecided interval before the change; NaN: none */
    costab_reason why;   /* main reason of `undecided`; COSTAB_REASON_DELAYS if that is one of the reasons */
} costab_margin;

typedef struct costab_margins {
    size_t count, capacity;
    costab_margin *rows; /* coupling by coupling, in the order of parameters and connections, lower first */
    char *notes; /* skipped parameters with the reason, parameters of which single values were tried, the last
                    of them, and undecided intervals with their reason: one line each; NULL: none */
} costab_margins;

typedef struct costab_margin_options {
    int parameter_count;           /* 0: all */
    const char *const *parameters; /* names */
    bool connections;              /* also gains and extra delays of all connections */
    int threads;                   /* for networks of 32 states or more; 0: the default of costab/sweep.h */
    /* Called often with the number of finished searches and of all; returning true ends the work with
     * COSTAB_CANCELLED. May be NULL. */
    bool (*progress)(void *context, size_t done, size_t total);
    void *progress_context;
} costab_margin_options;

/* Finds the margins of all couplings of a variant. A parameter p is searched from p/1000 to 1000 p, a
 * parameter 0 from -1e6 to 1e6; the factor of a gain from -1000 to 1000, where 0 is the cut connection; extra
 * delays are 1 to 50 macro steps. If the model is defined at single values of a parameter only, these are
 * tried: of a count (micro steps, strides, iterations) up to 1000 from its value, of delays in macro steps up
 * to 50 beyond it, and with sample times up to a factor of 100, but fewer than 10,000 values. `notes` names
 * the last value. If all parameters or connections are requested, the stability radius of the map, and radius
 * and disk margin of every connection follow. Parameters that change a delay in seconds, from which a
 * whole number is computed, or next to which the model cannot be analysed, are skipped; `notes` names them.
 * [out] margins: free with costab_margins_free, also after an error. COSTAB_INVALID for an unknown parameter,
 * if the nominal model cannot be analysed, and for an FMU for co-simulation. */
COSTAB_API costab_status costab_margins_find(const costab_variant *variant,
                                             const costab_margin_options *options, costab_margins *margins,
                                             costab_error *error);
COSTAB_API void costab_margins_free(costab_margins *margins);

/* ---- Uncertain parameters ---- */

/* A number estimated from samples, and its standard error. */
typedef struct costab_sampled {
    double value, error;
} costab_sampled;

/* The probability that the co-simulation is stable if parameters are uncertain, and the share of the variance
 * of "stable or not" due to each parameter alone (Sobol's first-order index); NaN if all samples agree. */
typedef struct costab_uncertainty {
    costab_sampled probability;
    costab_sampled alone[COSTAB_UNCERTAIN_MAX]; /* one per uncertain parameter */
} costab_uncertainty;

typedef struct costab_uncertainty_options {
    int uncertain_count; /* 1 to COSTAB_UNCERTAIN_MAX */
    const costab_uncertain *uncertain;
    int samples; /* a multiple of COSTAB_SCRAMBLINGS; each costs uncertain_count + 2 classifications */
    /* Called before each sample, as in costab_margin_options. */
    bool (*progress)(void *context, size_t done, size_t total);
    void *progress_context;
} costab_uncertainty_options;

/* Samples the coupling with index `coupling` of the variant. The probability equals the field `probability`
 * of a sweep. A sample with a map that overflows counts as unstable. COSTAB_INVALID if the model is undefined
 * at a sample, and for indices and numbers out of range. */
COSTAB_API costab_status costab_uncertainty_find(const costab_variant *variant, int coupling,
                                                 const costab_uncertainty_options *options,
                                                 costab_uncertainty *found, costab_error *error);

/* ---- Ends of limits ---- */

/* The cause of an end of an interval of a limit, as in costab_margin. */
typedef struct costab_limit_cause {
    costab_passes cause; /* COSTAB_PASSES_NOTHING: the end is not a crossing, or the cause is unknown */
    double frequency;    /* Hz, of the mode that passes; NaN: there is none */
    int blame;           /* index of the subsystem with the largest participation in that mode; -1: none */
    double share;        /* its participation factor; NaN: none */
} costab_limit_cause;

/* Finds the causes of the ends of all intervals of a limit that costab_model_limit found with these
 * arguments. [out] causes: two entries per interval, for its start and its end. Ends of the range, ends
 * without an operating point beyond, undecided ends and ends of undecided intervals have no cause. For single
 * values the next value determines the cause. */
COSTAB_API costab_status costab_model_limit_causes(const costab_variant *variant, int c,
                                                   const char *parameter,
                                                   const costab_analysis_limit_options *options,
                                                   const costab_analysis_limit *limit,
                                                   costab_limit_cause *causes, costab_error *error);

#ifdef __cplusplus
}
#endif
#endif
