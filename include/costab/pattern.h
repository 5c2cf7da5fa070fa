/* costab/pattern.h - sequences of macro steps: a sequence can be unstable although every constant step is
 * stable.
 *
 * The joint spectral radius of maps M_1..M_q is lim sup ||M_ik ... M_i1||^(1/k) over all sequences; per unit
 * of time it is the supremum of ln rho(product)/(sum of steps) over all cycles. All sequences of these steps
 * are stable iff the first is below 1, iff the second is below 0. Both are bounded: from below by a cycle,
 * whose eigenvalues are computed; from above by norms of products, dropping each product with a sufficiently
 * small initial part (G. Gripenberg, Computing the joint spectral radius, 1996), in coordinates in which all
 * maps have small norms.
 *
 * Limitation: the bounds are computed in floating point, without a bound of its rounding. */
#ifndef COSTAB_PATTERN_H
#define COSTAB_PATTERN_H

#include "costab/network.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Matrices ---- */

typedef struct costab_sequences_options {
    double gap;      /* in ln: how far apart the bounds may be; 0: 1e-4 times the mean weight's inverse */
    size_t products; /* products that are looked at, at most; 0: 200000 */
    /* Called for each product; true ends the search with COSTAB_CANCELLED. NULL: not. */
    bool (*stop)(void *context);
    void *stop_context;
} costab_sequences_options;

/* Square matrices of one size, row-major, one after the other, each with the length of its step. */
typedef struct costab_sequence_set {
    int count, size;
    const double *matrices;
    const double *lengths; /* NULL: 1 each, and all is per step */
    /* Which may follow which: matrix i leads from vertex from[i] to vertex to[i] of a graph, 0 <= vertex <
     * vertices, and is followed by those that lead from there. vertices 0: any matrix follows any other, from
     * and to are NULL */
    int vertices;
    const int *from, *to;
} costab_sequence_set;

typedef struct costab_sequences {
    double lower, upper; /* of ln ||product|| / (sum of lengths), the largest over all sequences; -infinite
                            where all long products are 0 */
    double norm;         /* the largest ln ||T M T^-1|| / length in the common quadratic norm */
    size_t length;       /* of the cycle that attains `lower` */
    int *cycle;      /* numbers of matrices, the first to be applied first, which may be followed by the first
                        again; 0 of them where lower is -infinite */
    size_t products; /* that were looked at */
    bool closed;     /* the bounds are within the requested distance */
} costab_sequences;

/* Matrices of a set, at most. */
enum { COSTAB_SEQUENCES_MAX = 2000 };

/* Bounds the growth of all products that may be. [out] found: free with costab_sequences_free, also after an
 * error. COSTAB_INVALID for an empty set or more than COSTAB_SEQUENCES_MAX matrices, for vertices that do not
 * exist and numbers that are not finite. */
COSTAB_API costab_status costab_sequences_bound(const costab_sequence_set *set,
                                                const costab_sequences_options *options,
                                                costab_sequences *found, costab_error *error);
COSTAB_API void costab_sequences_free(costab_sequences *found);

/* ---- Steps of a network ---- */

typedef struct costab_pattern_options {
    double gap;      /* in ln per step: how far apart the bounds of a list of steps may be; 0: 1e-4 */
    size_t products; /* that are looked at for each bound, at most; 0: 200000 */
    bool per_step;   /* the bounds per second are left out: NaN */
    /* Called for each product, and for each box of a range; true ends the search with COSTAB_CANCELLED. NULL:
     * not. */
    bool (*stop)(void *context);
    void *stop_context;
} costab_pattern_options;

typedef struct costab_pattern {
    double lower, upper; /* of the joint spectral radius, per step; infinite where the coupling's iteration
                            diverges at a step, or a map overflows; 0 where all dies out at once */
    double rate_lower, rate_upper; /* of the growth per unit of time, in 1/s */
    size_t length;                 /* of the cycle that attains `lower` */
    double *steps;                 /* its steps, the first to be taken first */
    double safe_from,
        safe_to; /* of a range: all sequences of steps between them are stable; NaN: none found */
    bool proved; /* the bounds hold up to rounding: a list of steps, and a range where all subsystems
                    are exact and jacobi holds inputs; else a range rests on second differences */
    int neutral; /* equilibria that were taken out */
} costab_pattern;

/* Sequences of `count` steps (1 to 255 of them). The polynomials of a coupling run through the true times at
 * which values arrived. So the map of a step may depend on the steps before: on none with constant values,
 * slopes and lines, for which the slope is remembered; on the last step with quadratic polynomials, on the
 * last two with cubic ones, smoothed or not; and with a delay in seconds, by which a message is taken over
 * at the next exchange, on as many as take so long. All sequences that can follow each other are then those
 * along a graph, whose vertices are the steps before. [out] pattern: free with costab_pattern_free, also
 * after an error. COSTAB_INVALID for steps that are not positive; for more than COSTAB_SEQUENCES_MAX maps of
 * steps after steps; for strides, whose subsystems would have to know steps to come; for own clocks, whose
 * phase depends on all earlier steps; for real powers of micro steps; for a method that keeps former states
 * (bdf2) with `substeps`, a formula for micro steps of one length; errors of costab_coupling_check at each
 * step. */
COSTAB_API costab_status costab_pattern_steps(const costab_network *network, const costab_coupling *coupling,
                                              const double *steps, int count,
                                              const costab_pattern_options *options, costab_pattern *pattern,
                                              costab_error *error);

/* Sequences of any steps range[0] <= H <= range[1]. The lower bounds are those of cycles whose steps were
 * improved inside the range; the upper ones those of one quadratic norm. The range from safe_from to safe_to
 * is the largest found that begins with the smallest stable steps, to a thousandth; there may be larger ones
 * with another norm. Where a map depends on steps before its own, the norm is one for all of them, and the
 * bounds are wider. Errors as costab_pattern_steps, and COSTAB_INVALID for micro steps of fixed length and
 * delays in seconds. */
COSTAB_API costab_status costab_pattern_over(const costab_network *network, const costab_coupling *coupling,
                                             const double range[2], const costab_pattern_options *options,
                                             costab_pattern *pattern, costab_error *error);
COSTAB_API void costab_pattern_free(costab_pattern *pattern);

#ifdef __cplusplus
}
#endif
#endif
