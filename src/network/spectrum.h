/* network/spectrum.h - eigenvalues of maps, and their excess over the stability limit. */
#pragma once

#include "costab/network.h"
#include "method/eigen.h"

/* Excess over the limit (modulus minus 1, or real part) of the eigenvalue with the largest excess: as
 * computed, and bounds that include rounding. All eigenvalues are below `upper`; one is above `lower`. */
typedef struct spectrum_reach {
    double computed, upper, lower;
    double rounding; /* upper - computed */
} spectrum_reach;

/* The last computed eigenvalues, and workspace; arrays of length n. */
typedef struct spectrum_space {
    double *real, *imaginary, *modulus;
    double *slack; /* error bound of each */
    eigen_component_norm
        *components; /* from spectrum_radius: order and norm of each eigenvalue's component */
    double *work, *complex_work;
    int *iwork;
} spectrum_space;

/* Computes spectral radius and abscissa of a real n x n matrix; both infinite if an entry is not finite. The
 * eigenvalues remain in work->eigen.real, imaginary and modulus until the next call. COSTAB_NUMERIC if LAPACK
 * fails. */
costab_status spectrum_radius(costab_network_work *work, int n, const double *matrix, double *radius,
                              double *abscissa, costab_error *error);

/* Computes moduli, radius and abscissa from n eigenvalues in the workspace. */
void spectrum_moduli(costab_network_work *work, int n, double *radius, double *abscissa);

/* The spectral radius of the complex n x n map. */
costab_status spectrum_complex(costab_network_work *work, int n, const double *re, const double *im,
                               double *radius, costab_error *error);

/* Copies a map of n rows to a real matrix. With two halves [re im] this is [re -im; im re], 2n x 2n, whose
 * eigenvalues are those of the complex map and their conjugates. */
void spectrum_real_form(int n, int halves, const double *rows, double *matrix);

/* Relative error of entries of a map or monolithic matrix, in epsilon: they result from products and solved
 * equations; about 20 were observed. */
enum { SPECTRUM_ENTRY_ERROR = 32 };

/* Factor, at least 1, by which many micro steps increase the rounding of a map. */
double spectrum_roundings(const costab_network_work *work);

/* The largest `doubt` of a subsystem. */
double spectrum_doubt(const costab_network_work *work);

/* Input of spectrum_reach_of: the `count` eigenvalues just computed of an n x n matrix (n > count: the real
 * form of a complex matrix). */
typedef struct spectrum_asked {
    int count, n;
    const double *matrix; /* NULL: the norms of the components are known, and the matrix is overwritten */
    eigen_limit limit;
    double roundings; /* of eigen_found */
    double noise;     /* error bound of the matrix; 0: some roundings of its entries */
    bool unbalanced;  /* of eigen_found */
} spectrum_asked;

/* Computes error bounds (method/eigen.h) into work->eigen.slack, and the excess with these bounds. */
spectrum_reach spectrum_reach_of(const costab_network_work *work, const spectrum_asked *asked);

/* Computes the excess with the error bounds in work->eigen.slack. */
spectrum_reach spectrum_reach_of_slack(const costab_network_work *work, int count, eigen_limit limit);

/* Finds by powers of a real map the side of the unit circle of its spectral radius. EIGEN_INSIDE only if the
 * distance makes conditions of eigenvalues irrelevant. */
eigen_where spectrum_side(const costab_network_work *work, int n, const double *matrix);
