/* Eigenvalues of one matrix, and its balanced components one by one (eigen_components.h).
 *
 * 1. Splitting into strongly connected components, by searches forwards and backwards along nonzero entries.
 *    Each component is balanced (eigen_balance.c).
 * 2. Components of up to SMALL_MOST rows use the batch kernel with one lane (values_kernel.c): for a few rows
 *    the overhead of LAPACK is several times the arithmetic.
 * 3. Larger components use LAPACK (dgehrd, dhseqr).
 *
 * Cost: about 10 n^3. Eigenvalues are exact for a matrix within rounding (eigen.h). */
#include "method/eigen.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#define W 1 /* one matrix */
#include "method/eigen_components.h"
#include "method/eigen_kernel.h"

/* Above this many rows LAPACK's blocked code is faster. */
enum { SMALL_MOST = 40 };

size_t eigen_work(int n) {
    size_t k = (size_t)n;
    return 3 * k * k + (6 + EIGEN_PANEL) * k + 64 + eigen_condition_work(n);
}

size_t eigen_iwork(int n) {
    return 4 * (size_t)n + 4;
}

/* ---- Components ---- */

/* Search for components. label: component of each index, -1: not yet assigned; seen: indices reached by one
 * search; list: indices of the last component. */
typedef struct search {
    int n, *label, *seen, *list;
} search;

static search search_at(int n, int *iwork) {
    return (search){n, iwork, iwork + n, iwork + 2 * n};
}

/* Marks with `bit` all unlabelled indices reachable from `from` along entries of a, or of its transpose.
 * open: number of unlabelled indices. */
static void reach(const search *s, const double *a, bool transposed, int from, int bit, int open) {
    size_t n = (size_t)s->n, step = transposed ? n : 1, line = transposed ? 1 : n;
    int count = 1;
    s->list[0] = from;
    s->seen[from] |= bit;
    for (int k = 0; k < count && count < open; k++) {
        const double *entries = a + (size_t)s->list[k] * line;
        for (int j = 0; j < s->n; j++) {
            if (entries[(size_t)j * step] == 0 || s->label[j] >= 0 || (s->seen[j] & bit) != 0) continue;
            s->seen[j] |= bit;
            s->list[count++] = j;
        }
    }
}

/* Finds the component of the first unlabelled index and labels its indices with this index. Returns its size,
 * 0 if there is none; its indices are in list[], ascending. */
static int find_component(const search *s, const double *a, int *first) {
    int open = 0, size = 0;
    while (*first < s->n && s->label[*first] >= 0) ++*first;
    if (*first == s->n) return 0;
    for (int i = 0; i < s->n; i++) {
        s->seen[i] = 0;
        open += s->label[i] < 0;
    }
    reach(s, a, false, *first, 1, open);
    reach(s, a, true, *first, 2, open);
    for (int i = *first; i < s->n; i++) {
        if (s->seen[i] != 3) continue;
        s->label[i] = *first;
        s->list[size++] = i;
    }
    return size;
}

static void gather(int n, const double *a, int size, const int *list, double *component) {
    if (size == n) {
        memcpy(component, a, (size_t)n * (size_t)n * sizeof *component);
        return;
    }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            component[i * size + j] = a[(size_t)list[i] * (size_t)n + (size_t)list[j]];
}

/* ---- Hessenberg form ---- */

/* Divides by a power of 2 if squares could overflow or underflow; returns its exponent. */
static int scale(int n, double *h) {
    double largest = 0;
    for (int e = 0; e < n * n; e++) largest = lane_larger(largest, fabs(h[e]));
    if (largest == 0 || (largest < EIGEN_SCALE_MOST && largest > EIGEN_SCALE_LEAST)) return 0;
    int shift = ilogb(largest);
    for (int e = 0; e < n * n; e++) h[e] = ldexp(h[e], -shift);
    return shift;
}

/* Reduces the transpose to Hessenberg form by LAPACK, with the result in rows again. */
static bool reduce_large(int n, double *h, double *work) {
    double *tau = work, *inner = work + n;
    if (LAPACKE_dgehrd_work(LAPACK_COL_MAJOR, n, 1, n, h, n, tau, inner, EIGEN_PANEL * n) != 0) return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double upper = h[i * n + j], lower = h[j * n + i];
            h[j * n + i] = upper;
            h[i * n + j] = i == j + 1 ? lower : 0;
        }
    return true;
}

/* ---- Results ---- */

/* Frobenius norm of entries whose squares may overflow or underflow. */
static double norm_of(int n, const double *h) {
    double norm = eigen_frobenius_1(n, h), largest = 0, sum = 0;
    if (norm < EIGEN_SCALE_MOST && norm > EIGEN_SCALE_LEAST) return norm;
    for (int e = 0; e < n * n; e++) largest = lane_larger(largest, fabs(h[e]));
    for (int e = 0; e < n * n && largest > 0; e++) sum += (h[e] / largest) * (h[e] / largest);
    return largest * sqrt(sum);
}

/* Computes the eigenvalues of a component, which is overwritten. schur: requested form, or NULL. [out] *norm:
 * of the balanced component. Returns false if the iteration does not converge. */
static bool component_values(int n, double *h, double *re, double *im, double *norm, eigen_schur *schur,
                             double *work) {
    if (n == 1) {
        re[0] = h[0];
        im[0] = 0;
        *norm = fabs(h[0]);
        return true;
    }
    bool wants_schur = eigen_balance_component(n, h, NULL, work) && schur != NULL && n > SMALL_MOST;
    *norm = norm_of(n, h);
    int shift = scale(n, h);
    wants_schur = wants_schur && shift == 0;
    if (n <= SMALL_MOST) {
        if (!eigen_find_values_1(n, h, shift == 0 ? *norm : eigen_frobenius_1(n, h), true, re, im, work))
            return false;
    } else if (wants_schur) {
        if (!eigen_schur_find(n, h, *norm, schur, re, im, work)) return false;
    } else {
        if (LAPACKE_dgehrd_work(LAPACK_COL_MAJOR, n, 1, n, h, n, work, work + n, EIGEN_PANEL * n) != 0 ||
            LAPACKE_dhseqr_work(LAPACK_COL_MAJOR, 'E', 'N', n, 1, n, h, n, re, im, NULL, 1, work,
                                EIGEN_PANEL * n) != 0)
            return false;
    }
    for (int i = 0; i < n && shift != 0; i++) {
        re[i] = ldexp(re[i], shift);
        im[i] = ldexp(im[i], shift);
    }
    return true;
}

void eigen_components_start(int n, int *iwork) {
    for (int i = 0; i < n; i++) search_at(n, iwork).label[i] = -1;
}

int eigen_components_next(int n, const double *a, int *first, const int **list, int *iwork) {
    search s = search_at(n, iwork);
    *list = s.list;
    return find_component(&s, a, first);
}

int eigen_components_gather(int n, const double *a, int *first, double *component, double *work, int *iwork) {
    search s = search_at(n, iwork);
    int size = find_component(&s, a, first);
    gather(n, a, size, s.list, component);
    (void)eigen_balance_component(size, component, NULL, work);
    return size;
}

bool eigen_find(int n, const double *a, const eigen_list *found, double *work, int *iwork) {
    search s = search_at(n, iwork);
    double *component = work, *inner = work + (size_t)n * (size_t)n;
    int first = 0, at = 0, size;
    eigen_components_start(n, iwork);
    if (found->schur != NULL) found->schur->n = 0;
    while ((size = find_component(&s, a, &first)) > 0) {
        gather(n, a, size, s.list, component);
        eigen_component_norm of = {.n = size};
        eigen_schur *schur = size == n ? found->schur : NULL;
        if (!component_values(size, component, found->re + at, found->im + at, &of.norm, schur, inner))
            return false;
        for (int i = at; i < at + size && found->components != NULL; i++) found->components[i] = of;
        at += size;
    }
    return true;
}

bool eigen_values(int n, const double *a, double *re, double *im, double *work, int *iwork) {
    return eigen_find(n, a, &(eigen_list){re, im, NULL, NULL}, work, iwork);
}

bool eigen_component_gather(int n, const double *a, int *first, eigen_component *component, double *work,
                            int *iwork) {
    int size = eigen_components_gather(n, a, first, work, work + (size_t)n * (size_t)n, iwork);
    if (size == 0) return false;
    *component = (eigen_component){.n = size, .norm = norm_of(size, work), .hessenberg = work};
    return true;
}

bool eigen_component_reduce(const eigen_component *component, double *work, double *inner) {
    if (component->n > SMALL_MOST) return reduce_large(component->n, work, inner);
    eigen_reduce_1(component->n, component->n, work, inner);
    return true;
}
