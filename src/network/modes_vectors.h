/* network/modes_vectors.h - eigenvalues of a network's matrix with their vectors, and what the vectors of its
 * map are in the network that is split by connections. */
#pragma once

#include "network/by_connection.h"
#include "network/work.h"

/* Eigenvalues l of M with their vectors v and w, M v = l v, w* M = l w*, all of length 1. Complex pairs stand
 * next to each other, the positive imaginary part first. Vectors lie by columns: v in `right`, conj(w) in
 * `left`. A real eigenvalue has one column; a pair has two, the real and the imaginary part of its first
 * one's vector. */
typedef struct modes_vectors {
    int n, count; /* rows of the vectors; eigenvalues */
    double *re, *im;
    int width;   /* columns */
    int *column; /* per eigenvalue: the first of its columns, of both of a pair the same; -1: not asked for */
    double *right, *left;
} modes_vectors;

/* The eigenvalues of an n x n matrix, row-major. work: its map was analysed last, and the matrix is that map;
 * else NULL. */
costab_status modes_vectors_begin(modes_vectors *v, const costab_network_work *work, int n,
                                  const double *matrix, costab_error *error);
/* The vectors of those chosen, both of a pair. The arguments are those of modes_vectors_begin. */
costab_status modes_vectors_choose(modes_vectors *v, const costab_network_work *work, const bool *chosen,
                                   costab_error *error);
void modes_vectors_free(modes_vectors *v);

/* Entry k of the vector of eigenvalue i among columns. */
static inline void modes_entry(const modes_vectors *v, const double *columns, int i, int k, double *re,
                               double *im) {
    size_t n = (size_t)v->n, at = (size_t)v->column[i] * n + (size_t)k;
    *re = columns[at];
    *im = v->im[i] > 0 ? columns[at + n] : v->im[i] < 0 ? -columns[at + n] : 0;
}

/* Makes the vectors of a network's map those of the split network's: there every connection remembers its own
 * outputs, and every input what it ended with. Either workspace is ready for its network. */
costab_status modes_vectors_split(modes_vectors *v, const costab_network_work *work,
                                  const by_connection *split, costab_network_work *split_work,
                                  costab_error *error);
