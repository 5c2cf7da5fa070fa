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
    bool continuous;     /* eigenvalues of the continuous system, and where they pass the imaginary axis */
    size_t points; /* values at least, 2 to 10000; 0: 129. By equal ratios where upper >= 30 lower > 0 */
    /* Called before evaluations with the share of the range that is done; true ends the search with
     * COSTAB_CANCELLED. NULL: not. */
    bool (*progress)(void *context, double share);
    void *progress_context;
} costab_locus_options;

/* Change of stability at a crossing, for a rising parameter. */
typedef enum costab_locus_stability {
    COSTAB_LOCUS_UNSTABLE, /* it is unstable on both sides */
    COSTAB_LOCUS_ENDS,
    COSTAB_LOCUS_BEGINS,
    COSTAB_LOCUS_STABILITY_COUNT
} costab_locus_stability;

/* A value of the parameter at which an eigenvalue passes the unit circle (or the imaginary axis). */
typedef struct costab_locus_crossing {
    double value;
    double re, im;    /* the eigenvalue there, im >= 0 */
    double frequency; /* Hz, of the mode that passes; NaN: not known */
    costab_locus_stability stability;
} costab_locus_crossing;

/* `curves` rows of `count` values: eigenvalues at the parameter at[i], NaN without a map of this size.
 * joined[..]: the eigenvalue continues the curve from the value before; otherwise a curve starts there. */
typedef struct costab_locus {
    size_t count, capacity;
    size_t curves;
    double *at; /* ascending */
    double *re, *im;
    bool *joined;
    size_t broken; /* how often eigenvalues came so near to each other that they could not be told apart */
    size_t crossing_count, crossing_capacity;
    costab_locus_crossing *crossings; /* by their values, ascending */
    bool undecided; /* some ends of stability are not known: they may be missing among the crossings */
} costab_locus;

/* The curves of the c-th coupling of the variant and the parameter of this name; among the crossings of a map
 * are all ends that costab_model_limit has. [out] locus: free with costab_locus_free, also after an
 * error. COSTAB_INVALID for an unknown parameter or coupling, a bad range, a matrix of more than 128 rows or
 * none anywhere, as where the continuous system is not known. */
COSTAB_API costab_status costab_model_locus(const costab_variant *variant, int c, const char *parameter,
                                            const costab_locus_options *options, costab_locus *locus,
                                            costab_error *error);
COSTAB_API void costab_locus_free(costab_locus *locus);

#ifdef __cplusplus
}
#endif
#endif
