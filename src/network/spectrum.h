/* network/spectrum.h - eigenvalues, and the monolithic system. */
#ifndef NETWORK_SPECTRUM_H
#define NETWORK_SPECTRUM_H

#include "network/work.h"

/* The spectral radius and abscissa of a real n x n matrix; both infinite where an entry is not finite. The
 * eigenvalues stay in work->eigen_real and work->eigen_imaginary until the next call. */
costab_status spectrum_radius(costab_network_work *work, int n, const double *matrix, double *radius,
                              double *abscissa, costab_error *error);

/* The spectral radius of the complex n x n map. */
costab_status spectrum_complex(costab_network_work *work, int n, const double *re, const double *im,
                               double *radius, costab_error *error);

/* The monolithic matrix into work->mono. Leaves in work->mono_rows the inputs as they follow from the states.
 */
costab_status monolithic_make(costab_network_work *work, costab_error *error);

#endif
