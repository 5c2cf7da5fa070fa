/* method/eigen.h - eigenvalues of a dense real matrix, and how near a place is to being one.
 *
 * Matrices are row-major, with finite entries; the caller brings the workspace. The index set is first split
 * where the zeros of the matrix split it (its strongly connected components: a state that nothing feeds back
 * to is an eigenvalue problem of its own, and exact zeros are kept exact); each component is balanced by
 * powers of 2. So errors are those of a perturbation of `n eps ||component||` in balanced coordinates, which
 * do not depend on the units of the states. */
#pragma once

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Workspace of the functions below: doubles and ints. */
size_t eigen_work(int n);
size_t eigen_iwork(int n);

/* How far rounding moves an eigenvalue of a Jordan block of four rows, beside the norm of its component:
 * those that are nearer to a limit have their condition asked for. */
static inline double eigen_vicinity(int n) {
    return sqrt(sqrt(n * DBL_EPSILON));
}

/* Rounding is not followed further than this times the norm of a component, beyond the limit. */
#define EIGEN_FURTHEST 1e-2

/* The component of the matrix that an eigenvalue belongs to. */
typedef struct eigen_home {
    int n;
    double norm; /* Frobenius, balanced */
} eigen_home;

/* The real Schur form of a whole matrix: it gives vectors and conditions without another iteration. The
 * caller brings the room, n^2 places each and n for the scale; without turn and scale, both NULL, it gives
 * conditions alone, for hardly more than eigenvalues cost. Columns are LAPACK's: with the matrix M it
 * sees M'. */
typedef struct eigen_schur {
    int n;       /* [out] 0: there is none, as the matrix is small, of some components, or of extreme size */
    double norm; /* Frobenius, balanced */
    double *hessenberg; /* of the balanced matrix, by rows, as eigen_component has it */
    double *form;       /* T of (D^-1 M D)' = Z T Z', by columns */
    double *turn;       /* Z, by columns; or NULL */
    double *scale;      /* the diagonal of D, powers of 2; NULL without Z */
} eigen_schur;

/* Where eigenvalues go: n places each; home may be NULL. schur: NULL, or the form is asked for; then the
 * eigenvalues may be off by other roundings. */
typedef struct eigen_list {
    double *re, *im;
    eigen_home *home;
    eigen_schur *schur;
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

/* Where all eigenvalues are, or one: known for sure, for the matrix and whatever eigen_values takes for it.
 */
typedef enum eigen_where {
    EIGEN_UNKNOWN,
    EIGEN_INSIDE, /* all of modulus below 1, and none in the limit's vicinity */
    EIGEN_OUTSIDE /* one of modulus above 1 */
} eigen_where;

/* Much faster than eigen_values where it knows: all but within some per cent of the circle. */
eigen_where eigen_side(int n, const double *a, double *work, int *iwork);

/* One component of a matrix, balanced and in Hessenberg form. */
typedef struct eigen_component {
    int n;
    double norm; /* Frobenius, balanced */
    const double *hessenberg;
} eigen_component;

/* || (z I - component)^-1 ||, the 2-norm, from below and within a few per cent where it is large; the inverse
 * is the distance from the component to the nearest matrix of which z is an eigenvalue. work: that in which
 * the component lies; iwork: n places of its own. */
double eigen_resolvent(const eigen_component *component, double re, double im, double *work, int *iwork);

/* What an eigenvalue must not pass: the unit circle, the imaginary axis, or the unit circle by the eigenvalue
 * k of M - I that belongs to 1 + k. */
typedef enum eigen_limit { EIGEN_CIRCLE, EIGEN_AXIS, EIGEN_INCREMENT } eigen_limit;

/* How far an eigenvalue is beyond the limit: without cancellation where k is small. */
static inline double eigen_beyond(eigen_limit limit, double re, double im) {
    if (limit == EIGEN_AXIS) return re;
    if (limit == EIGEN_CIRCLE) return hypot(re, im) - 1;
    return (2 * re + (re * re + im * im)) / (hypot(1 + re, im) + 1);
}

/* The eigenvalues of a matrix, as eigen_values found them, and how far rounding may have moved each. */
typedef struct eigen_found {
    int count;
    const double *re, *im;
    const eigen_home *home;   /* from eigen_find; NULL: not known */
    const eigen_schur *schur; /* from eigen_find; NULL, or n = 0: not known */
    double *slack;
    eigen_limit limit;
    double loss;     /* at least 1: the number of roundings of the matrix itself */
    double entries;  /* what its entries are off by, in eps ||component||, */
    double noise;    /* and beside that, balanced */
    bool as_it_is;   /* all of that is known of the matrix in its own units, which no balance may change */
    double backward; /* [out] the largest (n + entries) eps ||component|| */
} eigen_found;

/* Fills found->slack: how far rounding may have moved each eigenvalue; without the matrix (a = NULL, homes
 * known), infinite where one of them is near the limit. It is e = (n + entries) eps ||component|| +
 * noise, balanced, times what the condition c of the eigenvalue adds near the limit: (1 + loss (c - 1)) / 2,
 * at least 1. c = d ||R||, R the resolvent half-way between the eigenvalue and the limit and d its distance
 * from either: 1 for a normal matrix. Where that is more than d it is as far as some matrix within rounding
 * has eigenvalues. None of this depends on the units of the states. Where found->count is below n the matrix
 * is a complex one written as a real one of twice the size. */
void eigen_slack(int n, const double *a, eigen_found *found, double *work, int *iwork);

/* One eigenvalue of a matrix with its vectors: M v = l v and u' M = l u', u' the transpose without
 * conjugates. */
typedef struct eigen_branch {
    bool known; /* there are vectors */
    double re, im;
    double *right, *left; /* v and u: n complex numbers each, the real part first */
    double slack;         /* how far rounding may have moved it: the backward error times its condition */
    double backward;
} eigen_branch;

/* Follows an eigenvalue from a matrix nearby: by its vectors, or, where there are none, by where it is in
 * this matrix. noise: as in eigen_found. [out] to: the rest of it, into its vectors' room. Not to be relied
 * on: it may find another one than the nearest; false where it finds none within the rounding of the matrix.
 */
bool eigen_branch_find(int n, const double *a, double noise, const eigen_branch *from, eigen_branch *to,
                       double *work, int *iwork);

/* How much of one matrix' vectors is in those of another: 1 where they are the same; the sum over all
 * eigenvalues of one matrix is 1. */
double eigen_branch_alike(int n, const eigen_branch *a, const eigen_branch *b);
