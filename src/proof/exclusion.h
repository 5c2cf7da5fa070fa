/* proof/exclusion.h - shows that a cell is unstable as a whole: at every parameter in it at least one
 * eigenvalue is beyond the limit (Lemma 4 of docs/algorithms.md, Complete limits).
 *
 * Which one that is may change, and other eigenvalues may pass the limit inside the cell. Two tests: |trace
 * M^k| > n for a power k; or a circle beyond the limit with an eigenvalue outside that no eigenvalue passes.
 */
#pragma once

#include "proof/cell.h"

/* A cell in one parameter or two: its samples, and three questions to interpolants through them. Arrays of
 * values have one number per sample. */
typedef struct exclusion_domain {
    const void *cell;             /* what the functions below are called with */
    const sample *const *samples; /* the nodes, then the check points (interpolant.h) */
    int count;                    /* of all samples */
    sample_matrix matrix;         /* the matrix: SAMPLE_GUESSES or SAMPLE_MAP */
    bool axis;                    /* the limit is the imaginary axis, else the unit circle */
    bool has_poles;               /* the matrix may have poles in the cell */
    /* Values of a function, of modulus 1 at most: is the modulus of their interpolant above `error` plus the
     * interpolation's own error on all of the cell, and is it right within both at the check points? */
    bool (*exceeds)(const void *cell, const double *values, double error);
    /* Replaces the values by those of a polynomial of low degree fitted to them; [out] *least: its least
     * value on the cell. */
    void (*smooth)(const void *cell, double *values, double *least);
    /* A distance beyond the limit as a function of the parameters, given at the samples: is it shown that
     * nowhere in the cell an eigenvalue is exactly as far beyond the limit? */
    bool (*has_no_crossing)(const void *cell, sample_matrix matrix, const double *beyond);
} exclusion_domain;

/* Samples that a domain may have. */
enum { EXCLUSION_SAMPLES = 160 };

/* Is an eigenvalue shown to be beyond the limit throughout the domain? False: not shown. [out] *reason: by
 * which test, set where it is shown. */
bool exclusion_find(const exclusion_domain *domain, costab_reason *reason);

/* The same for a cell in one parameter and one of its matrices. */
bool exclusion_of_cell(const cell *c, sample_matrix matrix, costab_reason *reason);
