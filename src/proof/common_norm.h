/* proof/common_norm.h - coordinates in which all matrices of a set have small 2-norms at once. */
#pragma once

#include "costab/base.h"

/* `count` matrices n x n, row-major, one after the other, each with a weight: 1, or the length of its step.
 * Where a matrix may follow some others only, each leads from one vertex of a graph to another. */
typedef struct matrix_set {
    int count, n;
    const double *matrices, *weights;
    int vertices;         /* 0: one, where any matrix follows any other */
    const int *from, *to; /* one vertex per matrix */
} matrix_set;

/* Coordinates z = T x of each vertex. */
typedef struct common_norm {
    int n, vertices;
    double *T, *inverse; /* n x n, one after the other */
    double rate;         /* the largest ln ||T_to M T_from^-1|| / weight */
} common_norm;

/* Looks for the T with the least rate: no T is wrong, and the rate is that of the T found. End with
 * common_norm_free, also after an error. */
costab_status common_norm_find(const matrix_set *set, common_norm *norm, costab_error *error);
void common_norm_free(common_norm *norm);

/* out = T_to M T_from^-1; 0 and 0 where there is one vertex. `work`: n x n doubles. */
void common_norm_turn(const common_norm *norm, int from, int to, const double *M, double *out, double *work);

/* ||M||, the 2-norm; infinite where M is not finite. */
static inline size_t norm_work(int n) {
    return (size_t)(n * n) + 12 * (size_t)n + 1;
}
double norm_of(int n, const double *M, double *work);
