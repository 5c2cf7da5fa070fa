/* proof/confirm.h - what a search found in floating point, shown again in balls. */
#pragma once

#include "costab/proof.h"
#include "proof/ball_cell.h"
#include "proof/ball_map.h"

typedef struct confirmer {
    ball_family families[BALL_PART_COUNT]; /* that of BALL_ITERATION has no `make` where nothing iterates to
                                              convergence */
    /* What is a whole number in the families, such as a delay in macro steps. `choose`: sets these numbers to
     * what they are at the middle of the balls `at`; else: are they the same on all of the balls, and other
     * numbers of the coupling in their ranges? NULL: there are none. */
    bool (*fit)(void *context, acb_srcptr at, bool choose, slong precision);
    void *fit_context;
    slong precision;              /* bits */
    slong times[BALL_PART_COUNT]; /* confirm_point: so many times `precision` were needed last; 0: none yet */
    long evaluations;             /* matrices made so far */
} confirmer;

/* Stable (inside), not stable (outside) or undecided at one place: `at` has as many numbers as the families
 * take. `continuous`: of the continuous system instead of the map. */
ball_verdict confirm_point(confirmer *c, const double *at, bool continuous);

/* Is the verdict, stable or not stable, true on all of a region? false: not shown. */
bool confirm_region(confirmer *c, const ball_region *region, bool stable, bool continuous);

/* The same for a cell of a limit, cell->from to cell->to, as a whole or in halves, as long as `evaluations`
 * last; 0: some 40000. Cells that are neither stable nor unstable are not shown. */
bool confirm_cell(confirmer *c, const costab_cell *cell, bool continuous, long evaluations);
