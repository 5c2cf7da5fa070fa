/* method/eigen_components.h - balanced strongly connected components of a matrix, one after the other, for
 * all computations with eigenvalues. */
#pragma once

#include "method/eigen.h"

/* SHIFT_FOLLOWED: sums of rows and columns are updated after scalings by up to 2^SHIFT_FOLLOWED, and retain
 * some digits. EIGEN_SQUARINGS: largest power of a matrix is 2^EIGEN_SQUARINGS. EIGEN_BACKWARD: bound of the
 * backward error of eigenvalues in n eps ||M||; about 10 were observed. */
enum { SHIFT_FOLLOWED = 20, EIGEN_SQUARINGS = 14, EIGEN_BACKWARD = 100 };

/* Panel width of LAPACK's workspace. */
enum { EIGEN_PANEL = 32 };

/* Francis iterations without a new eigenvalue: before an exceptional shift; eigen_turns_most: before small
 * entries are judged by the largest entry of the matrix. After twice as many the iteration fails. */
enum { EIGEN_PATIENCE = 10 };
static inline int eigen_turns_most(int n) {
    return 30 * (n > 10 ? n : 10);
}

/* Between these magnitudes sums of squares neither overflow nor lose large terms. */
#define EIGEN_SCALE_MOST  0x1p400
#define EIGEN_SCALE_LEAST 0x1p-400

/* Smaller entries count as 0: their squares would underflow, and the iteration would not terminate. The
 * threshold is far below the rounding of a matrix scaled to these magnitudes. */
#define EIGEN_VANISHES 0x1p-480

/* Balances h = D^-1 h D by exact powers of 2. scale: the diagonal of D, or NULL. work: 2 n doubles. Returns
 * false if entries exceed these magnitudes; h is then first balanced by exponents, and D may exceed the range
 * of doubles. */
bool eigen_balance(int n, double *h, double *scale, double *work);

/* Like eigen_balance, for a strongly connected component; more accurate if it has more rows than lanes allow.
 * work: 6 n doubles. */
bool eigen_balance_component(int n, double *h, double *scale, double *work);

/* Starts the enumeration of components. */
void eigen_components_start(int n, int *iwork);

/* Returns the size of the next component, 0 after the last. [out] *list: its indices, ascending, valid until
 * iwork is used again. */
int eigen_components_next(int n, const double *a, int *first, const int **list, int *iwork);

/* Copies the next component of a, size x size, to `component`, balanced but not scaled; returns its size, 0
 * after the last. *first is 0 at the start. work: 6 n doubles. */
int eigen_components_gather(int n, const double *a, int *first, double *component, double *work, int *iwork);

/* Copies the next component, balanced, with its norm, not in Hessenberg form, to the start of `work`. Returns
 * false after the last. */
bool eigen_component_gather(int n, const double *a, int *first, eigen_component *component, double *work,
                            int *iwork);

/* Computes the Schur form and eigenvalues of a balanced component h, which is overwritten. work: (n
 * + 1) x a panel of LAPACK. Returns false if LAPACK fails. */
bool eigen_schur_find(int n, double *h, double norm, eigen_schur *schur, double *re, double *im,
                      double *work);

/* Reduces the component that eigen_component_gather stored in `work` to Hessenberg form. inner: the workspace
 * after its entries. Returns false if LAPACK fails. */
bool eigen_component_reduce(const eigen_component *component, double *work, double *inner);

/* Eigenvalues of a component with conditions |w| |v| / |w* v|, at least 1, infinite in a Jordan block; n
 * places each in the workspace. */
typedef struct eigen_conditions {
    int n;
    double *re, *im, *condition;
} eigen_conditions;

/* Workspace of eigen_conditions_find in doubles. */
size_t eigen_condition_work(int n);

/* Computes conditions from the component's Hessenberg form. Returns false if the component is small or LAPACK
 * fails. */
bool eigen_conditions_find(const eigen_component *component, eigen_conditions *found, double *work);

/* Computes conditions from a Schur form with known eigenvalues. */
bool eigen_conditions_of_schur(const eigen_schur *schur, const double *re, const double *im,
                               eigen_conditions *found, double *work);

/* Upper bound of || (z I - component)^-1 ||, the sum of the terms of all eigenvalues; [out] most: the largest
 * term. */
double eigen_conditions_resolvent(const eigen_conditions *known, double re, double im, double *most);
