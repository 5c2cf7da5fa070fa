/* method/eigen.h - eigenvalues of a dense real matrix, and bounds of their rounding errors.
 *
 * Matrices are row-major with finite entries; the caller provides the workspace. The index set is first split
 * into the strongly connected components of the matrix, which are separate eigenvalue problems, and zero
 * entries remain exact. Each component is balanced by powers of 2. Computed eigenvalues are those of a matrix
 * that differs by `n eps ||component||` in balanced coordinates, independent of the units of the states. */
#pragma once

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Workspace of the functions below: doubles, ints. */
size_t eigen_work(int n);
size_t eigen_iwork(int n);

/* Relative change, by rounding, of an eigenvalue of a Jordan block of four rows. Eigenvalues closer to the
 * limit than this times the norm of their component require a condition. */
static inline double eigen_vicinity(int n) {
    return sqrt(sqrt(n * DBL_EPSILON));
}

/* Upper bound of the error bound (eigen_slack), relative to the norm of a component. */
#define EIGEN_FURTHEST 1e-2

/* Order and norm of an eigenvalue's component. */
typedef struct eigen_component_norm {
    int n;       /* rows of the component */
    double norm; /* its Frobenius norm, balanced */
} eigen_component_norm;

/* Real Schur form of a whole matrix, for conditions at little more than the cost of eigenvalues. The caller
 * provides space: n^2 for each matrix. Columns follow LAPACK, which reads the matrix M as M'. */
typedef struct eigen_schur {
    int n;       /* [out] 0: not available, because the matrix is small, has several components or extreme
                  * entries */
    double norm; /* Frobenius, balanced */
    double *hessenberg; /* of the balanced matrix, row-major, as in eigen_component */
    double *form;       /* T of its transpose Z T Z', Z orthogonal, column-major */
} eigen_schur;

/* Results of eigen_find, n places each. */
typedef struct eigen_list {
    double *re, *im;
    eigen_component_norm *components; /* per eigenvalue; may be NULL */
    eigen_schur *schur; /* requested Schur form, or NULL; with it eigenvalues may have different rounding
                         * errors */
} eigen_list;

/* Like eigen_values, with the component of each eigenvalue. */
bool eigen_find(int n, const double *a, const eigen_list *found, double *work, int *iwork);

/* Computes all n eigenvalues; pairs are adjacent, the order is otherwise arbitrary. Returns false if the
 * iteration does not converge. */
bool eigen_values(int n, const double *a, double *re, double *im, double *work, int *iwork);

/* Like eigen_values, for a complex matrix; work: eigen_complex_work(n) doubles. */
size_t eigen_complex_work(int n);
bool eigen_complex_values(int n, const double *a_re, const double *a_im, double *re, double *im,
                          double *work);

/* Side of the unit circle of the eigenvalues, certain for every matrix within rounding of the given
 * matrix. */
typedef enum eigen_where {
    EIGEN_UNKNOWN,
    EIGEN_INSIDE, /* all moduli are below 1 and none is close to 1 */
    EIGEN_OUTSIDE /* some modulus is above 1 */
} eigen_where;

/* Decides the side by powers, much faster than eigen_values. EIGEN_UNKNOWN if an eigenvalue is near the
 * circle (powers_kernel.c). */
eigen_where eigen_side(int n, const double *a, double *work, int *iwork);

/* One component of a matrix, balanced and in Hessenberg form. */
typedef struct eigen_component {
    int n;
    double norm; /* Frobenius, balanced */
    const double *hessenberg;
} eigen_component;

/* Lower bound of the 2-norm || (z I - component)^-1 ||, within a few per cent if it is large. Its inverse is
 * the distance to the nearest matrix with eigenvalue z. work: the workspace that contains the component;
 * iwork: n separate places. */
double eigen_resolvent(const eigen_component *component, double re, double im, double *work, int *iwork);

/* The stability limit: the unit circle, the imaginary axis, or the unit circle for eigenvalues 1 + k of M
 * given as eigenvalues k of M - I. */
typedef enum eigen_limit { EIGEN_CIRCLE, EIGEN_AXIS, EIGEN_INCREMENT } eigen_limit;

/* Signed excess of an eigenvalue over the limit, negative inside; without cancellation for small k. */
static inline double eigen_beyond(eigen_limit limit, double re, double im) {
    if (limit == EIGEN_AXIS) return re;
    if (limit == EIGEN_CIRCLE) return hypot(re, im) - 1;
    return (2 * re + (re * re + im * im)) / (hypot(1 + re, im) + 1);
}

/* Input of eigen_slack: the eigenvalues from eigen_values, and properties of the matrix. */
typedef struct eigen_found {
    int count; /* number of eigenvalues, length of the arrays below */
    const double *re, *im;
    const eigen_component_norm *components; /* from eigen_find; NULL: unknown */
    const eigen_schur *schur;               /* from eigen_find; NULL or n = 0: unknown */
    double *slack;                          /* [out] error bound of each */
    eigen_limit limit;
    double roundings;   /* at least 1: number of roundings in the formation of the matrix */
    double entry_error; /* error of its entries in eps ||component|| */
    double noise;       /* additional error, in balanced coordinates */
    bool unbalanced;    /* these errors apply in the given units: do not balance the matrix */
    double backward;    /* [out] the largest (n + entry_error) eps ||component|| */
} eigen_found;

/* Computes found->slack, an error bound of each eigenvalue. Let e = (n + entry_error) eps ||component|| +
 * noise, in balanced coordinates.
 *
 * - Away from the limit the bound is e.
 * - Near the limit the bound is e times (1 + roundings (c - 1)) / 2, at least e. c = d ||R|| is a condition:
 *   R is the resolvent at the point half-way between eigenvalue and limit, d its distance from either. A
 *   normal matrix has c = 1.
 * - If this exceeds d, the bound is the distance of the furthest point beyond the limit that is an eigenvalue
 *   of some matrix within rounding.
 *
 * The bounds are independent of units. Without the matrix (a = NULL, components known) bounds are infinite if
 * an eigenvalue is near the limit. If found->count < n the matrix is the real form, of twice the size, of a
 * complex matrix. */
void eigen_slack(int n, const double *a, eigen_found *found, double *work, int *iwork);
