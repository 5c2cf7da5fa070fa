/* pattern/common_norm.h - coordinates in which all matrices of a set have small 2-norms. The largest norm is
 * an upper bound of the growth of products; sequences.c and pattern_range.c improve it. */
#pragma once

#include "costab/pattern.h"

/* Return the start and end vertex of matrix i, an edge of the graph of successions (costab/pattern.h); 0 if
 * any matrix may follow any other. */
static inline int vertex_from(const costab_sequence_set *set, int i) {
    return set->vertices > 1 ? set->from[i] : 0;
}

static inline int vertex_to(const costab_sequence_set *set, int i) {
    return set->vertices > 1 ? set->to[i] : 0;
}

/* Returns the length (weight) of matrix i: the duration of its step, or 1. */
static inline double length_of(const costab_sequence_set *set, int i) {
    return set->lengths != NULL ? set->lengths[i] : 1;
}

/* Coordinates z = T x, per vertex or common to all. */
typedef struct common_norm {
    int n, vertices;     /* 1: common to all */
    double *T, *inverse; /* T and T^-1, n x n per vertex */
    double rate;         /* largest ln ||T_to M T_from^-1|| / length */
} common_norm;

/* Searches a T with a small rate; `rate` belongs to the result. Free with common_norm_free, also after an
 * error. */
costab_status common_norm_find(const costab_sequence_set *set, common_norm *norm, costab_error *error);
void common_norm_free(common_norm *norm);

/* Computes out = T_to M T_from^-1. `work`: n x n doubles. */
void common_norm_transform(const common_norm *norm, int from, int to, const double *M, double *out,
                           double *work);

/* norm_of returns the 2-norm ||M||; infinite if M is not finite. `work`: norm_work(n) doubles. */
static inline size_t norm_work(int n) {
    return (size_t)(n * n) + 12 * (size_t)n + 1;
}
double norm_of(int n, const double *M, double *work);
