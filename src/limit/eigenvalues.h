/* limit/eigenvalues.h - the eigenvalues of a family's matrices, and how far rounding may move them. */
#pragma once

#include "limit/crossing.h"
#include "method/eigen.h"

/* Of one worker; all 0 at first. */
typedef struct eigenvalues_room {
    int size; /* largest matrix that the workspace is made for */
    double *work;
    int *iwork;
    eigen_schur schur;
    double *last;               /* a copy of the last A_mono, which is often the same at all places, */
    crossing_spectrum last_has; /* and its eigenvalues, in a sample of the cache; n = 0: none yet */
    double last_noise;
} eigenvalues_room;

void eigenvalues_room_free(eigenvalues_room *room);

/* Fills a spectrum whose arrays have m->size entries. Eigenvalues that LAPACK does not find count as
 * overflow: cells around them are divided. `increment`: as in costab_family_point, or NULL. line: the limit
 * is the axis, not the circle; then the spectrum's arrays have to stay as long as the room is used. */
costab_status eigenvalues_find(eigenvalues_room *room, const costab_matrix *m,
                               const costab_matrix increment[2], bool line, crossing_spectrum *s,
                               costab_error *error);

/* How far eigenvalue i is beyond the limit. */
static inline double eigenvalues_beyond(const crossing_spectrum *s, bool line, int i) {
    return eigen_beyond(line ? EIGEN_AXIS : EIGEN_INCREMENT, s->re[i], s->im[i]);
}
