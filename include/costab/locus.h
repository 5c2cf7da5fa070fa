/* costab/locus.h - the eigenvalues of a co-simulation's map, or of the continuous system, along one parameter
 * as curves.
 *
 *     costab_locus locus;
 *     costab_locus_options options = {.lower = 1e-4, .upper = 0.1};
 *     costab_model_locus(&variant, 0, "H", &options, &locus, &error);
 *     ... locus.re[curve * locus.count + i] at locus.at[i] ...
 *     costab_locus_free(&locus); */
#ifndef COSTAB_LOCUS_H
#define COSTAB_LOCUS_H

#include "costab/analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct costab_locus_options {
    double lower, upper; /* finite, lower < upper */
    bool continuous;     /* eigenvalues of the continuous system, which cross the imaginary axis */
    size_t points; /* least number of values, 2 to 10000; 0: 129. Equally spaced, or in geometric progression
                      if upper >= 30 lower > 0 */
    /* Called before evaluations with the finished share of the range; returning true ends the search with
     * COSTAB_CANCELLED. May be NULL. */
    bool (*progress)(void *context, double share);
    void *progress_context;
} costab_locus_options;

/* Change of stability at a crossing, for a rising parameter. */
typedef enum costab_locus_stability {
    COSTAB_LOCUS_UNSTABLE, /* unstable on both sides */
    COSTAB_LOCUS_ENDS,     /* stable below, unstable above */
    COSTAB_LOCUS_BEGINS,   /* unstable below, stable above */
    COSTAB_LOCUS_STABILITY_COUNT
} costab_locus_stability;

/* A value of the parameter at which an eigenvalue passes the unit circle (or the imaginary axis). */
typedef struct costab_locus_crossing {
    double value;
    double re, im;    /* the eigenvalue there, im >= 0 */
    double frequency; /* of that mode, in Hz; NaN: unknown */
    costab_locus_stability stability;
} costab_locus_crossing;

/* `curves` rows of `count` values: eigenvalues at the parameter at[i], NaN where there are fewer, or no map.
 * joined[..]: the eigenvalue continues the curve from the value before; otherwise a curve starts there. */
typedef struct costab_locus {
    size_t count, capacity;
    size_t curves;
    double *at; /* ascending */
    double *re, *im;
    bool *joined;
    size_t broken; /* number of times that a curve was broken because eigenvalues were too close to be told
                      apart */
    size_t crossing_count, crossing_capacity;
    costab_locus_crossing *crossings; /* ascending by value */
    bool undecided;                   /* the limit has undecided intervals; crossings may be missing there */
} costab_locus;

/* Computes the curves and crossings of the eigenvalues of coupling c of the variant along a parameter. The
 * crossings of a map include every end of kind COSTAB_END_LIMIT that costab_model_limit finds, except ends at
 * which an iteration stops converging, or the map jumps as with a delay in seconds, because no eigenvalue of
 * the map crosses there. [out] locus: free with
 * costab_locus_free, also after an error. COSTAB_INVALID for an unknown parameter or coupling, a bad range or
 * number of points, a matrix of more than 128 rows, a map that is defined at single values only, or no matrix
 * at any value, for example if the continuous system is unknown. */
COSTAB_API costab_status costab_model_locus(const costab_variant *variant, int c, const char *parameter,
                                            const costab_locus_options *options, costab_locus *locus,
                                            costab_error *error);
COSTAB_API void costab_locus_free(costab_locus *locus);

#ifdef __cplusplus
}
#endif
#endif
