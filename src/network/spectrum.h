/* network/spectrum.h - eigenvalues, and the monolithic system. */
#ifndef NETWORK_SPECTRUM_H
#define NETWORK_SPECTRUM_H

#include "method/eigen.h"
#include "network/work.h"

/* The spectral radius and abscissa of a real n x n matrix; both infinite where an entry is not finite. The
 * eigenvalues stay in work->eigen_real and work->eigen_imaginary until the next call. */
costab_status spectrum_radius(costab_network_work *work, int n, const double *matrix, double *radius,
                              double *abscissa, costab_error *error);

/* The spectral radius of the complex n x n map. */
costab_status spectrum_complex(costab_network_work *work, int n, const double *re, const double *im,
                               double *radius, costab_error *error);

/* A map of n rows as a real matrix: itself, or where it has two lanes (rows [re im]) the matrix
 * [re -im; im re], 2n x 2n, whose eigenvalues are those of the complex one and their conjugates. */
void spectrum_real_form(int n, int lanes, const double *rows, double *matrix);

/* What an eigenvalue must not pass: the unit circle, or the imaginary axis. */
typedef enum spectrum_limit { SPECTRUM_CIRCLE, SPECTRUM_AXIS } spectrum_limit;

/* By how much more than e = n eps ||M|| the outermost of the eigenvalues just found may be wrong: 0 where
 * they are well-conditioned or far from the limit; `distance` is that of the outermost one (no doubt where it
 * is not above 0: what lies beyond counts as unstable anyway). With a place z of the limit next to an
 * eigenvalue and the resolvent R = (z I - M)^-1, some M + E with ||E|| = 1/||R|| has the eigenvalue z. c =
 * distance ||R|| is the condition of an eigenvalue, 1 for a normal M. The factor n covers conditions up to 2;
 * beyond, the doubt is (1 + loss (c - 1)) e/2 - e, `loss` the number of roundings of M: a point then counts
 * as stable only if no perturbation by rounding brings an eigenvalue to the limit. M (n x n) is taken part by
 * part, balanced: eigen.h. `values` is the number of eigenvalues just found: fewer than n where M is a
 * complex matrix written as a real one. At most 2 distance. */
double spectrum_doubt(const costab_network_work *work, int values, int n, const double *matrix,
                      spectrum_limit limit, double distance, double loss);

/* Where the radius of a real map is, seen without its eigenvalues: inside only where they are so far from the
 * circle that no doubt is looked for. */
eigen_where spectrum_side(const costab_network_work *work, int n, const double *matrix);

/* The monolithic matrix into work->mono. Leaves in work->mono_rows the inputs as they follow from the states.
 */
costab_status monolithic_make(costab_network_work *work, costab_error *error);

#endif
