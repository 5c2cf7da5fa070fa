/* network/modes_vectors.h - eigenvalues and eigenvectors of a network's matrix, and conversion of the map's
 * vectors to the network split by connections. */
#pragma once

#include "network/by_connection.h"
#include "network/work.h"

/* Eigenvalues l of M with vectors v and w of length 1, M v = l v, w* M = l w*. Complex pairs are adjacent,
 * positive imaginary part first. Vectors are stored by columns: v in `right`, conj(w) in `left`. A real
 * eigenvalue has one column; a pair has two, real and imaginary part of the first vector. */
typedef struct modes_vectors {
    int n, count; /* rows of the vectors; number of eigenvalues */
    double *re, *im;
    int *column; /* per eigenvalue: its first column, equal for both of a pair; -1: dropped */
    double *right, *left;
} modes_vectors;

/* Computes the eigenvalues and vectors of an n x n matrix, row-major. Free v with modes_vectors_free, also
 * after an error. COSTAB_NUMERIC if LAPACK fails, COSTAB_MEMORY. */
costab_status modes_vectors_find(modes_vectors *v, int n, const double *matrix, costab_error *error);
/* Drops the vectors of the other eigenvalues. chosen: always both of a pair. */
void modes_vectors_choose(modes_vectors *v, const bool *chosen);
void modes_vectors_free(modes_vectors *v);

/* Entry k of the vector of eigenvalue i in `columns`. */
static inline void modes_entry(const modes_vectors *v, const double *columns, int i, int k, double *re,
                               double *im) {
    size_t n = (size_t)v->n, at = (size_t)v->column[i] * n + (size_t)k;
    *re = columns[at];
    *im = v->im[i] > 0 ? columns[at + n] : v->im[i] < 0 ? -columns[at + n] : 0;
}

/* Converts the vectors of a network's map to those of the split network's map, in which every connection has
 * its own history values. Both workspaces must be prepared; the split network's map is computed in
 * split_work. */
costab_status modes_vectors_split(modes_vectors *v, const costab_network_work *work,
                                  const by_connection *split, costab_network_work *split_work,
                                  costab_error *error);
