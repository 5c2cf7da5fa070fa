/* proof/exclusion.h - cells on which an eigenvalue is beyond the limit throughout, whatever others do (Lemma
 * 4 of docs/algorithms.md, Complete limits).
 *
 * Shown by |trace M^k| > n, or by a circle beyond the limit with an eigenvalue outside at one place, which no
 * eigenvalue passes. */
#pragma once

#include "proof/cell.h"

/* A cell of any dimension, as samples and as what their interpolation says. */
typedef struct exclusion_domain {
    const void *cell;
    const sample *const *samples; /* check points, where functions have to be right, behind the nodes */
    int count, which;             /* which: of the spectra */
    bool line, poles;             /* line: the limit is the axis; poles: the matrix may have them */
    /* Does a function exceed `error` throughout, and is it right within that at the check points? Its values
     * are at most 1. */
    bool (*exceeds)(const void *cell, const double *values, double error);
    /* Replaces values at the nodes by those of a smooth function near them, at all samples; [out] *least: the
     * least value of that function on the cell. */
    void (*smooth)(const void *cell, double *values, double *least);
    /* Is no eigenvalue of the matrix so far beyond the limit anywhere, each sample's number taken there? */
    bool (*is_clear)(const void *cell, int which, const double *beyond);
} exclusion_domain;

/* Samples that a domain may have. */
enum { EXCLUSION_SAMPLES = 160 };

/* Is an eigenvalue shown to be beyond the limit throughout the domain? False: not shown. [out] *reason: by
 * what, set where it is shown. */
bool exclusion_find(const exclusion_domain *domain, costab_reason *reason);

/* The same for a cell in one parameter; `which` of its spectra. */
bool exclusion_of_cell(const cell *c, int which, costab_reason *reason);
