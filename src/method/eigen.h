/* method/eigen.h - eigenvalues of a dense real matrix, and how far rounding may have moved them.
 *
 * Matrices are row-major, with finite entries; the caller brings the workspace. The index set is first split
 * into the strongly connected components of the matrix: a state that nothing feeds back to is an eigenvalue
 * problem of its own, and entries that are 0 stay 0. Each component is balanced by powers of 2. So computed
 * eigenvalues are those of a matrix that differs by `n eps ||component||` in balanced coordinates, which does
 * not depend on the units of the states. */
#pragma once

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Workspace of the functions below: doubles and ints. */
size_t eigen_work(int n);
size_t eigen_iwork(int n);

/* How far rounding moves an eigenvalue of a Jordan block of four rows, relative to the norm of its component.
 * Where an eigenvalue is nearer to the limit than that, its condition is computed. */
static inline double eigen_vicinity(int n) {
    return sqrt(sqrt(n * DBL_EPSILON));
}

/* Slack (eigen_slack) is at most this times the norm of a component. */
#define EIGEN_FURTHEST 1e-2

/* Order and norm of the component of the matrix that an eigenvalue belongs to. */
typedef struct eigen_component_norm {
    int n;       /* rows of the component */
    double norm; /* its Frobenius norm, balanced */
} eigen_component_norm;

/* The real Schur form of a whole matrix: it gives vectors and conditions without another iteration. The
 * caller brings the room, n^2 places each and n for the scale; without turn and scale, both NULL, it gives
 * conditions alone, for hardly more than eigenvalues cost. Columns are LAPACK's: with the matrix M it
 * sees M'. */
typedef struct eigen_schur {
    int n; /* [out] 0: there is none, as the matrix is small, has several components or extreme entries */
    double norm;        /* Frobenius, balanced */
    double *hessenberg; /* of the balanced matrix, by rows, as eigen_component has it */
    double *form;       /* T of (D^-1 M D)' = Z T Z', by columns */
    double *turn;       /* Z, by columns; or NULL */
    double *scale;      /* the diagonal of D, powers of 2; NULL without Z */
} eigen_schur;

/* Where eigenvalues go: n places each. */
typedef struct eigen_list {
    double *re, *im;
    eigen_component_norm *components; /* per eigenvalue; or NULL: not asked for */
    eigen_schur *schur; /* NULL, or the form is asked for; then eigenvalues may be off by other roundings */
} eigen_list;

/* Vectors of some eigenvalues of the matrix whose form this is, with turn and scale, in columns of length 1:
 * v and conj(w) of M v = l v, w* M = l w*, for a pair the real and the imaginary parts in two columns (v of
 * the one with the positive imaginary part). chosen: of n eigenvalues, in the order of eigen_find, both of a
 * pair; right, left: n places per chosen one. work: as many twice, and 3 n. False where LAPACK fails. */
bool eigen_schur_vectors(const eigen_schur *schur, const bool *chosen, double *right, double *left,
                         double *work, int *iwork);

/* Makes the length of a vector of n entries 1, in one column or in two (real and imaginary part); turn: the
 * imaginary part changes its sign. A vector of zeros stays. */
void eigen_normalise(int n, int columns, bool turn, double *x);

/* As eigen_values, with the component of each. */
bool eigen_find(int n, const double *a, const eigen_list *found, double *work, int *iwork);

/* All n eigenvalues, those of a pair next to each other; in no particular order otherwise. False where the
 * iteration does not converge. */
bool eigen_values(int n, const double *a, double *re, double *im, double *work, int *iwork);

/* The same of a complex matrix; work: eigen_complex_work(n) doubles. */
size_t eigen_complex_work(int n);
bool eigen_complex_values(int n, const double *a_re, const double *a_im, double *re, double *im,
                          double *work);

/* On which side of the unit circle eigenvalues are: certain for the matrix and for every matrix within its
 * rounding. */
typedef enum eigen_where {
    EIGEN_UNKNOWN,
    EIGEN_INSIDE, /* all of modulus below 1, and none in the limit's vicinity */
    EIGEN_OUTSIDE /* one of modulus above 1 */
} eigen_where;

/* Much faster than eigen_values. EIGEN_UNKNOWN where an eigenvalue is within some per cent of the circle. */
eigen_where eigen_side(int n, const double *a, double *work, int *iwork);

/* One component of a matrix, balanced and in Hessenberg form. */
typedef struct eigen_component {
    int n;
    double norm; /* Frobenius, balanced */
    const double *hessenberg;
} eigen_component;

/* A lower bound of || (z I - component)^-1 ||, the 2-norm, within a few per cent where it is large. Its
 * inverse is the distance from the component to the nearest matrix of which z is an eigenvalue. work: that in
 * which the component lies; iwork: n places of its own. */
double eigen_resolvent(const eigen_component *component, double re, double im, double *work, int *iwork);

/* What an eigenvalue must not pass: the unit circle, the imaginary axis, or the unit circle by the eigenvalue
 * k of M - I that belongs to 1 + k. */
typedef enum eigen_limit { EIGEN_CIRCLE, EIGEN_AXIS, EIGEN_INCREMENT } eigen_limit;

/* How far an eigenvalue is beyond the limit; negative inside. Without cancellation where k is small. */
static inline double eigen_beyond(eigen_limit limit, double re, double im) {
    if (limit == EIGEN_AXIS) return re;
    if (limit == EIGEN_CIRCLE) return hypot(re, im) - 1;
    return (2 * re + (re * re + im * im)) / (hypot(1 + re, im) + 1);
}

/* The eigenvalues of a matrix, as eigen_values found them, and what eigen_slack is to know of the matrix. */
typedef struct eigen_found {
    int count; /* of eigenvalues: n places in each array below */
    const double *re, *im;
    const eigen_component_norm *components; /* from eigen_find; NULL: not known */
    const eigen_schur *schur;               /* from eigen_find; NULL, or n = 0: not known */
    double *slack;                          /* [out] how far rounding may have moved each */
    eigen_limit limit;
    double roundings;   /* at least 1: the number of roundings that made the matrix */
    double entry_error; /* the error of its entries, in eps ||component||, */
    double noise;       /* and another one that is added, balanced */
    bool unbalanced;    /* these errors hold in the matrix' own units: it is not to be balanced */
    double backward;    /* [out] the largest (n + entry_error) eps ||component|| */
} eigen_found;

/* Fills found->slack: how far rounding may have moved each eigenvalue. Let e = (n + entry_error) eps
 * ||component|| + noise, in balanced coordinates. Away from the limit the slack is e. Near it the slack is e
 * times (1 + roundings (c - 1)) / 2, at least 1, where c = d ||R|| is a condition: R is the resolvent at the
 * point half-way between the eigenvalue and the limit, d its distance from either; c = 1 for a normal matrix.
 * Where that is more than d, the slack is the distance of the furthest point beyond the limit that is an
 * eigenvalue of some matrix within rounding. None of this depends on the units of the states. Without the
 * matrix (a = NULL, components known) the slack is infinite if an eigenvalue is near the limit. Where
 * found->count is below n the matrix is a complex one written as a real one of twice the size. */
void eigen_slack(int n, const double *a, eigen_found *found, double *work, int *iwork);
