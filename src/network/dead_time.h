/* network/dead_time.h - the continuous system with dead time: x' = A x + B v, q = C x + D v, v_j(t) =
 * q_j(t - T_j). Channel j is a connection with dead time T_j > 0; q_j is its source's output. */
#pragma once

#include "network/work.h"

/* The matrices, row-major, borrowed from the workspace: n states, k channels. */
typedef struct dead_time_system {
    int n, k;
    const double *A, *B, *C, *D; /* n x n, n x k, k x n, k x k */
    const double *times;         /* k, in seconds */
    /* All inputs u = U (x, v): inputs x (n + k). */
    const double *inputs;
} dead_time_system;

/* Computes the matrices of work->network, after work_prepare. COSTAB_INVALID if I - L D is singular without
 * the connections with dead time, or if connections with dead time form a loop of feedthrough: the equation
 * is then neutral. COSTAB_NUMERIC if the matrices overflow, COSTAB_MEMORY. */
costab_status dead_time_make(costab_network_work *work, dead_time_system *system, costab_error *error);

/* Computes the excess of the rightmost eigenvalue over 0 without `removed` eigenvalues 0, those of structural
 * modes. Without states it only checks the equation, and `reach` is unchanged. COSTAB_NUMERIC if it cannot
 * be found; otherwise errors as dead_time_make. */
costab_status dead_time_reach(costab_network_work *work, int removed, spectrum_reach *reach,
                              costab_error *error);

/* Computes a matrix that has the eigenvalues near the limit of stability and to the right of it: the system
 * with every channel replaced by a polynomial in Chebyshev points, a very short one by a longer one. No
 * structural modes are removed. [out] matrix: *size x *size, row-major, borrowed; noise: how far an
 * eigenvalue may move with the longer dead times (costab_matrix). Errors as dead_time_reach. */
costab_status dead_time_matrix(costab_network_work *work, const double **matrix, int *size, double *noise,
                               costab_error *error);

void dead_time_free(dead_time_space *space);
