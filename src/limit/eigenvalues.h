/* limit/eigenvalues.h - eigenvalues of a family's matrices, with rounding error bounds. */
#pragma once

#include "limit/crossing.h"
#include "method/eigen.h"

/* Workspace of one worker; zero-initialised. */
typedef struct eigenvalues_workspace {
    int size; /* largest matrix the workspace can hold */
    double *work;
    int *iwork;
    eigen_schur schur;
    double *last;               /* copy of the previous A_mono, often equal at all values */
    crossing_spectrum last_has; /* eigenvalues of `last`, in a cached sample; n = 0: none */
    double last_noise;
} eigenvalues_workspace;

void eigenvalues_workspace_free(eigenvalues_workspace *workspace);

/* Fills a spectrum with arrays of m->size > 0 entries. The eigenvalues of a map are stored minus 1. An entry
 * that is not finite, or a failure of LAPACK, counts as overflow. `increment`: see costab_family_point; may
 * be NULL. line: the limit is the axis instead of the circle; the spectrum's arrays must then outlive the
 * workspace, which refers to them. Returns COSTAB_MEMORY, otherwise COSTAB_OK. */
costab_status eigenvalues_find(eigenvalues_workspace *workspace, const costab_matrix *m,
                               const costab_matrix increment[2], bool line, crossing_spectrum *s,
                               costab_error *error);

/* Returns the distance of eigenvalue i beyond the limit. */
static inline double eigenvalues_beyond(const crossing_spectrum *s, bool line, int i) {
    return eigen_beyond(line ? EIGEN_AXIS : EIGEN_INCREMENT, s->re[i], s->im[i]);
}
