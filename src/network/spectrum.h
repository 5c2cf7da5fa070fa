/* network/spectrum.h - eigenvalues of maps, and how far they are from the limit. */
#pragma once

#include "costab/network.h"
#include "method/eigen.h"
#include "network/arena.h"

/* The largest distance of an eigenvalue beyond the limit (modulus above 1, real part above 0), as computed,
 * and bounds of it, rounding included: none is further than `upper`, one is as far as `lower`. */
typedef struct spectrum_reach {
    double computed, upper, lower;
    double rounding; /* upper - computed */
} spectrum_reach;

/* The eigenvalues found last, and room to find them; n places each. */
typedef struct spectrum_room {
    double *real, *imaginary, *modulus;
    double *slack; /* how far rounding may have moved each */
    eigen_component_norm
        *components; /* of those that spectrum_radius has found: order and norm of each one's */
    double *work, *complex_work;
    int *iwork;
    bool wants_vectors; /* of the map: its Schur form is kept where it is large */
    eigen_schur schur;  /* that form; n = 0: not known */
    network_arena schur_room;
} spectrum_room;

/* The spectral radius and abscissa of a real n x n matrix; both infinite where an entry is not finite. The
 * eigenvalues stay in work->eigen.real, work->eigen.imaginary and work->eigen.modulus until the next call. */
costab_status spectrum_radius(costab_network_work *work, int n, const double *matrix, double *radius,
                              double *abscissa, costab_error *error);

/* The same of n eigenvalues that lie there already; their moduli follow. */
void spectrum_moduli(costab_network_work *work, int n, double *radius, double *abscissa);

/* The same of the real map, or of what remains of it. Where its vectors are wanted and all of it remains, the
 * Schur form is left in work->eigen.schur until the next call. */
costab_status spectrum_of_map(costab_network_work *work, int n, const double *map, double *radius,
                              costab_error *error);

/* The spectral radius of the complex n x n map. */
costab_status spectrum_complex(costab_network_work *work, int n, const double *re, const double *im,
                               double *radius, costab_error *error);

/* A map of n rows as a real matrix: itself, or where its rows have two halves [re im] the matrix
 * [re -im; im re], 2n x 2n, whose eigenvalues are those of the complex one and their conjugates. */
void spectrum_real_form(int n, int halves, const double *rows, double *matrix);

/* Entries of a map, or of the monolithic matrix, come from products and solved equations: some 20 eps are
 * seen. */
enum { SPECTRUM_ENTRY_ERROR = 32 };

/* By what factor rounding is larger in a map of many micro steps, at least 1. */
double spectrum_roundings(const costab_network_work *work);

/* The largest `doubt` of a subsystem. */
double spectrum_doubt(const costab_network_work *work);

/* What spectrum_reach_of is to know of the `count` eigenvalues just found, of an n x n matrix (n > count: a
 * complex matrix as a real one). */
typedef struct spectrum_asked {
    int count, n;
    const double *matrix; /* NULL: the norms of the components are known, and the matrix is gone */
    eigen_limit limit;
    double roundings; /* of eigen_found */
    double noise;     /* what rounding may have made of the matrix; 0: some roundings of its entries */
    bool unbalanced;  /* of eigen_found */
} spectrum_asked;

/* Their slack (method/eigen.h) into work->eigen.slack, and their distances from the limit with it. */
spectrum_reach spectrum_reach_of(const costab_network_work *work, const spectrum_asked *asked);

/* The same with the slack that is there already. */
spectrum_reach spectrum_reach_of_slack(const costab_network_work *work, int count, eigen_limit limit);

/* The side of the unit circle on which a real map's spectral radius is, by powers of the map; inside only
 * where that is so far from the circle that conditions of eigenvalues do not matter. */
eigen_where spectrum_side(const costab_network_work *work, int n, const double *matrix);
