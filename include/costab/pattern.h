/* costab/pattern.h - stability of sequences of macro steps. A sequence of different steps can be unstable
 * although each step alone is stable.
 *
 * The joint spectral radius of maps M_1..M_q is lim sup ||M_ik ... M_i1||^(1/k) over all sequences. The
 * growth per unit of time is the supremum of ln rho(product)/(sum of steps) over all cycles. All sequences of
 * these steps are stable if and only if the radius is below 1, or, equivalently, the growth is below 0.
 * - Lower bound: the eigenvalues of the product along a cycle.
 * - Upper bound: norms of products, in coordinates in which all maps have small norms. A product is not
 *   continued once an initial part of it is small enough (G. Gripenberg, Computing the joint spectral radius,
 *   1996).
 *
 * Limitation: the bounds are computed in floating point, and rounding errors are not bounded. */
#ifndef COSTAB_PATTERN_H
#define COSTAB_PATTERN_H

#include "costab/network.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Matrices ---- */

typedef struct costab_sequences_options {
    double gap;      /* allowed distance of the bounds, in ln; 0: 1e-4 over the mean length of a step */
    size_t products; /* maximum number of products; 0: 200000 */
    /* Called for each product; returning true ends the search with COSTAB_CANCELLED. May be NULL. */
    bool (*stop)(void *context);
    void *stop_context;
} costab_sequences_options;

/* Square matrices of one size, row-major, one after the other, each with the length of its step. A graph says
 * which matrix may follow which: matrix i leads from vertex from[i] to vertex to[i], and is followed by
 * matrices that lead from there. */
typedef struct costab_sequence_set {
    int count, size;
    const double *matrices;
    const double *lengths; /* NULL: 1 each; all results are per step */
    int vertices;          /* 0: any matrix may follow any other */
    const int *from, *to;  /* 0 <= vertex < vertices; NULL if vertices is 0 */
} costab_sequence_set;

typedef struct costab_sequences {
    double lower, upper; /* bounds of the largest ln ||product|| / (sum of lengths) over all sequences;
                            -infinite if all long products are 0 */
    double norm;         /* the largest ln ||T M T^-1|| / length in the common quadratic norm */
    size_t length;       /* length of the cycle that attains `lower`; 0 if `lower` is -infinite */
    int *cycle;          /* indices of its matrices, the first applied first */
    size_t products;     /* number of products computed */
    bool closed;         /* the bounds are within the requested distance */
} costab_sequences;

/* Maximum number of matrices in a set. */
enum { COSTAB_SEQUENCES_MAX = 2000 };

/* Bounds the growth of all products that the graph allows. [out] found: free with costab_sequences_free, also
 * after an error. COSTAB_INVALID for an empty set, more than COSTAB_SEQUENCES_MAX matrices, unknown vertices,
 * and numbers that are not finite. */
COSTAB_API costab_status costab_sequences_bound(const costab_sequence_set *set,
                                                const costab_sequences_options *options,
                                                costab_sequences *found, costab_error *error);
COSTAB_API void costab_sequences_free(costab_sequences *found);

/* ---- Steps of a network ---- */

typedef struct costab_pattern_options {
    double gap;      /* allowed distance of the bounds of a list of steps, in ln per step; 0: 1e-4 */
    size_t products; /* maximum number of products for each bound; 0: 200000 */
    bool per_step;   /* leaves out the bounds per second (NaN) */
    /* Called for each product, and for each box of a range; returning true ends the search with
     * COSTAB_CANCELLED. May be NULL. */
    bool (*stop)(void *context);
    void *stop_context;
} costab_pattern_options;

typedef struct costab_pattern {
    double lower, upper; /* bounds of the joint spectral radius, per step; infinite if the coupling's
                            iteration diverges at a step, or a map overflows; 0 if all long products are 0 */
    double rate_lower, rate_upper; /* bounds of the growth per unit of time, in 1/s */
    size_t length;                 /* length of the cycle that attains `lower` */
    double *steps;                 /* its steps, the first taken first */
    double safe_from, safe_to;     /* for a range: all sequences of steps between them are stable; NaN: none
                                      found */
    bool proved; /* the bounds hold up to rounding: for lists of steps, and for ranges if all subsystems are
                    exact and jacobi holds inputs. Other bounds for ranges estimate second differences */
    int neutral; /* number of directions of equilibria and rigid motions, which the bounds leave out */
} costab_pattern;

/* Bounds the growth of all sequences of `count` steps (1 to 255). The polynomials of a coupling use the true
 * times at which values arrived, so the map of a step may depend on previous steps:
 * - constant, slope and linear extrapolation: none (the slope is stored);
 * - quadratic: the last step; cubic: the last two, smoothed or not;
 * - a delay in seconds, after which the next exchange uses the message: all steps within the delay.
 * Sequences are then paths in a graph, whose vertices are the previous steps.
 *
 * [out] pattern: free with costab_pattern_free, also after an error. COSTAB_INVALID for
 * - steps that are not positive;
 * - more than COSTAB_SEQUENCES_MAX maps of a step after its previous steps;
 * - strides, whose subsystems would have to know later steps;
 * - own clocks, whose phase depends on all earlier steps;
 * - real powers of micro steps;
 * - a method that keeps former states (bdf2) with `substeps`, a formula for micro steps of one length.
 * Also returns errors of costab_coupling_check at each step. */
COSTAB_API costab_status costab_pattern_steps(const costab_network *network, const costab_coupling *coupling,
                                              const double *steps, int count,
                                              const costab_pattern_options *options, costab_pattern *pattern,
                                              costab_error *error);

/* Bounds the growth of all sequences of steps range[0] <= H <= range[1]. Lower bounds are those of cycles
 * whose steps are optimised within the range; upper bounds use one quadratic norm. The range from safe_from
 * to safe_to is the largest one found, to a thousandth, that begins at the smallest stable step; another norm
 * may prove a larger one. If a map depends on previous steps, one norm serves all of them, and the bounds are
 * wider. Errors are those of costab_pattern_steps, and COSTAB_INVALID for micro steps of fixed length and
 * delays in seconds. */
COSTAB_API costab_status costab_pattern_over(const costab_network *network, const costab_coupling *coupling,
                                             const double range[2], const costab_pattern_options *options,
                                             costab_pattern *pattern, costab_error *error);
COSTAB_API void costab_pattern_free(costab_pattern *pattern);

#ifdef __cplusplus
}
#endif
#endif
