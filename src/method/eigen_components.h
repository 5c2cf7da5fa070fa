/* method/eigen_components.h - the strongly connected components of a matrix one after the other, balanced:
 * for all that finds or judges eigenvalues. */
#pragma once

#include "method/eigen.h"

/* SHIFT_FOLLOWED: sums of rows and columns are updated after scalings by up to 2^SHIFT_FOLLOWED, and keep
 * some digits then. EIGEN_SQUARINGS: powers of a matrix go up to 2^EIGEN_SQUARINGS. EIGEN_BACKWARD: the
 * backward error of eigenvalues in n eps ||M||; some 10 eps are seen. */
enum { SHIFT_FOLLOWED = 20, EIGEN_SQUARINGS = 14, EIGEN_BACKWARD = 100 };

/* Columns of LAPACK's workspace. */
enum { EIGEN_PANEL = 32 };

/* Steps of Francis' iteration without a new eigenvalue after which an exceptional shift is taken; and after
 * how many (eigen_turns_most) it is given up. */
enum { EIGEN_PATIENCE = 10 };
static inline int eigen_turns_most(int n) {
    return 30 * (n > 10 ? n : 10);
}

/* Sums of squares of entries between these neither overflow nor lose the large ones. */
#define EIGEN_SCALE_MOST  0x1p400
#define EIGEN_SCALE_LEAST 0x1p-400

/* Entries below this count as 0: their squares would vanish, and the iteration would not end. It is far below
 * the rounding of a matrix that is scaled to those sizes. */
#define EIGEN_VANISHES 0x1p-480

/* Makes rows and columns of h alike in size by powers of 2, which are exact: h = D^-1 h D. scale: the
 * diagonal of D, or NULL. work: 2 n doubles. False where entries are beyond those sizes: then h is balanced
 * by exponents first, so that nothing overflows or vanishes on the way, and D may be beyond the doubles. */
bool eigen_balance(int n, double *h, double *scale, double *work);

/* The same of a strongly connected component, closer where it has more rows than lanes take. work: 6 n
 * doubles. */
bool eigen_balance_component(int n, double *h, double *scale, double *work);

/* Before the first component. */
void eigen_components_start(int n, int *iwork);

/* The indices of the next component, ascending, until iwork is used again; their number, 0 after the last. */
int eigen_components_next(int n, const double *a, int *first, const int **list, int *iwork);

/* The next component of a into `component`, size x size, balanced but not scaled; returns its size, 0 after
 * the last. *first is 0 at first. work: 6 n doubles. */
int eigen_components_gather(int n, const double *a, int *first, double *component, double *work, int *iwork);

/* The next component, balanced, with its norm, not yet in Hessenberg form, at the begin of `work`; false
 * after the last. */
bool eigen_component_gather(int n, const double *a, int *first, eigen_component *component, double *work,
                            int *iwork);

/* Fills the form of a balanced component h, which is destroyed, and the eigenvalues. schur->scale is filled.
 * work: (n + 1) x a panel of LAPACK's. False where LAPACK fails. */
bool eigen_schur_find(int n, double *h, double norm, eigen_schur *schur, double *re, double *im,
                      double *work);

/* Brings the component that eigen_component_gather left in `work` to Hessenberg form. inner: the workspace
 * behind its entries. False where LAPACK fails. */
bool eigen_component_reduce(const eigen_component *component, double *work, double *inner);

/* The eigenvalues of a component, and the condition of each: the product of the lengths of its vectors over
 * their product, at least 1, infinite in a Jordan block. n places each, in the workspace. */
typedef struct eigen_conditions {
    int n;
    double *re, *im, *condition;
} eigen_conditions;

/* What eigen_conditions_find needs: doubles. */
size_t eigen_condition_work(int n);

/* From the component's Hessenberg form. False where the component is small, or LAPACK fails. */
bool eigen_conditions_find(const eigen_component *component, eigen_conditions *found, double *work);

/* The same from the Schur form, whose eigenvalues are known. */
bool eigen_conditions_of_schur(const eigen_schur *schur, const double *re, const double *im,
                               eigen_conditions *found, double *work);

/* A bound of || (z I - component)^-1 ||, the sum of what each eigenvalue adds to it; [out] most: the largest
 * of these. */
double eigen_conditions_resolvent(const eigen_conditions *known, double re, double im, double *most);
