/* Eigenvalues: parts, Hessenberg form, Francis' double shift.
 *
 * A part is up to SMALL_MOST rows done here, larger ones by LAPACK: for a matrix of a few rows LAPACK's
 * general machinery (query, norm, workspace, calls of BLAS on vectors of three) takes several times the
 * arithmetic. */
#include "method/eigen.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "method/eigen_parts.h"

/* Above this many rows LAPACK's blocked code is faster. */
enum { SMALL_MOST = 40 };

size_t eigen_work(int n) {
    size_t k = (size_t)n;
    return 3 * k * k + (6 + EIGEN_PANEL) * k + 64 + eigen_condition_work(n);
}

size_t eigen_iwork(int n) {
    return 4 * (size_t)n + 4;
}

/* Of finite numbers; fmax is a call. */
static double larger(double a, double b) {
    return a > b ? a : b;
}

static double lesser(double a, double b) {
    return a < b ? a : b;
}

/* `size` with the sign of `of`. Both zeros are alike: what is 0 in one order of operations may be -0 in
 * another. */
static double like(double size, double of) {
    return of < 0 ? -size : size;
}

/* ---- Parts ---- */

/* What the search of parts writes: labels (the number of each index' part, -1: not yet found), what one
 * search has seen, and the list of its indices. */
typedef struct search {
    int n, *label, *seen, *list;
} search;

static search search_at(int n, int *iwork) {
    return (search){n, iwork, iwork + n, iwork + 2 * n};
}

/* Marks with `bit` what is reached from `from` by entries of a (or of its transpose) through indices without
 * a label. */
static void reach(const search *s, const double *a, bool transposed, int from, int bit, int most) {
    size_t n = (size_t)s->n, step = transposed ? n : 1, line = transposed ? 1 : n;
    int count = 1;
    s->list[0] = from;
    s->seen[from] |= bit;
    for (int k = 0; k < count && count < most; k++) {
        const double *entries = a + (size_t)s->list[k] * line;
        for (int j = 0; j < s->n; j++) {
            if (entries[(size_t)j * step] == 0 || s->label[j] >= 0 || (s->seen[j] & bit) != 0) continue;
            s->seen[j] |= bit;
            s->list[count++] = j;
        }
    }
}

/* The part of the first index without a label: label[] of its indices becomes that index. Returns its size,
 * 0 where there is none; its indices, ascending, in list[]. */
static int find_part(const search *s, const double *a, int *first) {
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

static void gather(int n, const double *a, int size, const int *list, double *part) {
    if (size == n) {
        memcpy(part, a, (size_t)n * (size_t)n * sizeof *part);
        return;
    }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) part[i * size + j] = a[(size_t)list[i] * (size_t)n + (size_t)list[j]];
}

/* ---- Hessenberg form ---- */

/* Divides by a power of 2 if squares might overflow or vanish; returns its exponent. */
static int scale(int n, double *h) {
    double largest = 0;
    for (int e = 0; e < n * n; e++) largest = larger(largest, fabs(h[e]));
    if (largest == 0 || (largest < EIGEN_SCALE_MOST && largest > EIGEN_SCALE_LEAST)) return 0;
    int shift = ilogb(largest);
    for (int e = 0; e < n * n; e++) h[e] = ldexp(h[e], -shift);
    return shift;
}

/* The reflection of columns c + 1 on in some rows, whose sums do not wait for each other. */
static inline __attribute__((always_inline)) void reflect_columns(int n, const int rows, int c, double *h,
                                                                  const double *v, double tau) {
    double sums[4] = {0};
    for (int j = c + 1; j < n; j++)
        for (int p = 0; p < rows; p++) sums[p] += h[p * n + j] * v[j];
    for (int p = 0; p < rows; p++) {
        const double sum = sums[p] * tau;
        for (int j = c + 1; j < n; j++) h[p * n + j] -= sum * v[j];
    }
}

/* Householder's reflections; below the first subdiagonal zeros are left. v: 2 n doubles. */
BASE_CLONES
static void reduce_small(int n, double *restrict h, double *restrict v) {
    double *sums = v + n;
    for (int c = 0; c + 2 < n; c++) {
        double rest = 0, first = h[(c + 1) * n + c];
        for (int i = c + 2; i < n; i++) rest += h[i * n + c] * h[i * n + c];
        if (rest == 0) {
            /* Not even their squares are left. */
            for (int i = c + 2; i < n; i++) h[i * n + c] = 0;
            continue;
        }
        double length = like(sqrt(first * first + rest), first), divisor = 1 / (first + length);
        double tau = (first + length) / length;
        v[c + 1] = 1;
        for (int i = c + 2; i < n; i++) {
            v[i] = h[i * n + c] * divisor;
            h[i * n + c] = 0;
        }
        h[(c + 1) * n + c] = -length;
        for (int j = c + 1; j < n; j++) sums[j] = 0;
        for (int i = c + 1; i < n; i++)
            for (int j = c + 1; j < n; j++) sums[j] += v[i] * h[i * n + j];
        for (int i = c + 1; i < n; i++) {
            double factor = tau * v[i];
            for (int j = c + 1; j < n; j++) h[i * n + j] -= factor * sums[j];
        }
        int i = 0;
        for (; i + 4 <= n; i += 4) reflect_columns(n, 4, c, h + i * n, v, tau);
        for (; i < n; i++) reflect_columns(n, 1, c, h + i * n, v, tau);
    }
}

/* By columns LAPACK sees the transpose, whose eigenvalues are the same; its form is turned back. */
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

/* ---- Francis' iteration on a small Hessenberg matrix ---- */

/* Eigenvalues of [a b; c d]. */
static void pair(double a, double b, double c, double d, double *re, double *im) {
    double half = 0.5 * (a - d), under = half * half + b * c;
    re[0] = re[1] = d + half;
    im[0] = im[1] = 0;
    if (under < 0) {
        im[0] = sqrt(-under);
        im[1] = -im[0];
        return;
    }
    double far = half + like(sqrt(under), half);
    if (far == 0) return;
    re[0] = d + far;
    re[1] = d - b * c / far;
}

/* May h[k][k-1] be taken as 0? Up to EIGEN_VANISHES it may, and where it is small beside its neighbours on
 * the diagonal; by the criterion of Ahues and Tisseur (1997), asked for as long as the iteration gets on,
 * also in what it does to the eigenvalues of graded matrices. Where it has not ended after all turns that
 * matrices need, what is small beside the norm is 0: for the matrix as a whole that is rounding. */
static bool negligible(int n, const double *h, int k, double norm, int turn) {
    double below = fabs(h[k * n + k - 1]), a = h[(k - 1) * n + k - 1], d = h[k * n + k];
    double size = turn < eigen_turns_most(n) ? fabs(a) + fabs(d) : norm;
    if (below <= EIGEN_VANISHES) return true;
    if (below > DBL_EPSILON * (size > 0 ? size : norm)) return false;
    if (turn >= EIGEN_PATIENCE) return true;
    double above = fabs(h[(k - 1) * n + k]), large = larger(fabs(a), fabs(d));
    double apart = fabs(a - d), bigger = larger(large, apart), smaller = lesser(fabs(d), apart);
    double whole = bigger + larger(above, below);
    return lesser(above, below) * (larger(above, below) / whole) <=
           larger(DBL_MIN, DBL_EPSILON * (smaller * (bigger / whole)));
}

/* A double shift: two conjugate numbers, or twice a real one. */
typedef struct shifts {
    double re, im;
} shifts;

/* The eigenvalues of the last two rows; of two real ones the nearer to the corner. */
static shifts choose(int n, const double *h, int last, int turn) {
    double a = h[(last - 1) * n + last - 1], b = h[(last - 1) * n + last];
    double c = h[last * n + last - 1], d = h[last * n + last];
    if (turn % EIGEN_PATIENCE == EIGEN_PATIENCE - 1) { /* stuck: anything else */
        double off = fabs(c) + fabs(h[(last - 1) * n + last - 2]);
        a = d = 0.75 * off + d;
        b = -0.4375 * off;
        c = off;
    }
    double half = 0.5 * (a - d), under = half * half + b * c;
    if (under < 0) return (shifts){d + half, sqrt(-under)};
    double far = half + like(sqrt(under), half);
    return (shifts){far == 0 ? d : d - b * c / far, 0};
}

/* Where the sweep may begin: at two subdiagonal entries in a row whose product is negligible. [out] x: the
 * first column of (H - s1)(H - s2) there, scaled. */
static int begin(int n, const double *h, int first, int last, shifts s, double x[3]) {
    for (int k = last - 2;; k--) {
        const double *r0 = h + k * n + k, *r1 = r0 + n, *r2 = r1 + n;
        double away = r0[0] - s.re;
        x[0] = away * away + s.im * s.im + r0[1] * r1[0];
        x[1] = r1[0] * (away + (r1[1] - s.re));
        x[2] = r1[0] * r2[1];
        double size = fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
        if (size > 0) {
            x[0] /= size;
            x[1] /= size;
            x[2] /= size;
        }
        if (k == first) return k;
        double side = fabs(r0[-1]) * (fabs(x[1]) + fabs(x[2]));
        double along = fabs(x[0]) * (fabs(h[(k - 1) * n + k - 1]) + fabs(r0[0]) + fabs(r1[1]));
        if (side <= DBL_EPSILON * along) return k;
    }
}

/* Chases the bulge of one double step from row `from` to `last`, in rows and columns first..last. */
static void chase(int n, double *h, int first, int from, int last, double x[3]) {
    for (int k = from; k < last; k++) {
        bool three = k + 2 <= last;
        if (k > from) {
            x[0] = h[k * n + k - 1];
            x[1] = h[(k + 1) * n + k - 1];
            x[2] = three ? h[(k + 2) * n + k - 1] : 0;
        }
        double rest = x[1] * x[1] + (three ? x[2] * x[2] : 0);
        if (k > from) {
            h[(k + 1) * n + k - 1] = 0;
            if (three) h[(k + 2) * n + k - 1] = 0;
        }
        if (rest == 0) continue; /* nothing to annihilate (or it underflows) */
        double length = like(sqrt(x[0] * x[0] + rest), x[0]), divisor = 1 / (x[0] + length);
        double tau = (x[0] + length) / length, v1 = x[1] * divisor, v2 = three ? x[2] * divisor : 0;
        double t1 = tau * v1, t2 = tau * v2;
        if (k > from)
            h[k * n + k - 1] = -length;
        else if (k > first)
            h[k * n + k - 1] *= 1 - tau;
        double *restrict r0 = h + k * n, *restrict r1 = r0 + n, *restrict r2 = three ? r1 + n : r1;
        int end = k + 3 < last ? k + 3 : last;
        if (three) {
            for (int j = k; j <= last; j++) {
                double sum = r0[j] + v1 * r1[j] + v2 * r2[j];
                r0[j] -= tau * sum;
                r1[j] -= t1 * sum;
                r2[j] -= t2 * sum;
            }
            for (int i = first; i <= end; i++) {
                double *p = h + i * n + k, sum = p[0] + v1 * p[1] + v2 * p[2];
                p[0] -= tau * sum;
                p[1] -= t1 * sum;
                p[2] -= t2 * sum;
            }
        } else {
            for (int j = k; j <= last; j++) {
                double sum = r0[j] + v1 * r1[j];
                r0[j] -= tau * sum;
                r1[j] -= t1 * sum;
            }
            for (int i = first; i <= end; i++) {
                double *p = h + i * n + k, sum = p[0] + v1 * p[1];
                p[0] -= tau * sum;
                p[1] -= t1 * sum;
            }
        }
    }
}

/* Eigenvalues of a Hessenberg matrix, which is destroyed. */
static bool francis(int n, double *h, double *re, double *im) {
    double norm = 0;
    for (int e = 0; e < n * n; e++) norm = larger(norm, fabs(h[e]));
    int turn = 0, most = 2 * eigen_turns_most(n);
    for (int last = n - 1; last >= 0;) {
        int first = last;
        while (first > 0 && !negligible(n, h, first, norm, turn)) first--;
        if (first > 0) h[first * n + first - 1] = 0;
        if (first == last) {
            re[last] = h[last * n + last];
            im[last] = 0;
            last--;
            turn = 0;
        } else if (first == last - 1) {
            const double *r0 = h + first * n + first, *r1 = r0 + n;
            pair(r0[0], r0[1], r1[0], r1[1], re + first, im + first);
            last -= 2;
            turn = 0;
        } else {
            if (turn == most) return false;
            double x[3];
            shifts s = choose(n, h, last, turn++);
            int from = begin(n, h, first, last, s, x);
            chase(n, h, first, from, last, x);
        }
    }
    return true;
}

/* ---- All together ---- */

static double frobenius(int n, const double *h) {
    double sums[4] = {0}; /* which do not wait for each other */
    int whole = n * n / 4 * 4;
    for (int e = 0; e < whole; e += 4)
        for (int k = 0; k < 4; k++) sums[k] += h[e + k] * h[e + k];
    for (int e = whole; e < n * n; e++) sums[0] += h[e] * h[e];
    return sqrt((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

/* The same of entries whose squares may overflow or vanish. */
static double norm_of(int n, const double *h) {
    double norm = frobenius(n, h), largest = 0, sum = 0;
    if (norm < EIGEN_SCALE_MOST && norm > EIGEN_SCALE_LEAST) return norm;
    for (int e = 0; e < n * n; e++) largest = larger(largest, fabs(h[e]));
    for (int e = 0; e < n * n && largest > 0; e++) sum += (h[e] / largest) * (h[e] / largest);
    return largest * sqrt(sum);
}

/* [out] norm: of the part, balanced. schur: asked for, or NULL. */
static bool part_values(int n, double *h, double *re, double *im, double *norm, eigen_schur *schur,
                        double *work) {
    if (n == 1) {
        re[0] = h[0];
        im[0] = 0;
        *norm = fabs(h[0]);
        return true;
    }
    bool kept = schur != NULL && n > SMALL_MOST;
    kept = eigen_balance(n, h, kept ? schur->scale : NULL, work) && kept;
    *norm = norm_of(n, h);
    int shift = scale(n, h);
    kept = kept && shift == 0;
    if (n == 2) {
        pair(h[0], h[1], h[2], h[3], re, im);
    } else if (n <= SMALL_MOST) {
        reduce_small(n, h, work);
        if (!francis(n, h, re, im)) return false;
    } else if (kept) {
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

void eigen_parts_start(int n, int *iwork) {
    for (int i = 0; i < n; i++) search_at(n, iwork).label[i] = -1;
}

int eigen_parts_next(int n, const double *a, int *first, const int **list, int *iwork) {
    search s = search_at(n, iwork);
    *list = s.list;
    return find_part(&s, a, first);
}

int eigen_parts_gather(int n, const double *a, int *first, double *part, double *work, int *iwork) {
    search s = search_at(n, iwork);
    int size = find_part(&s, a, first);
    gather(n, a, size, s.list, part);
    (void)eigen_balance(size, part, NULL, work);
    return size;
}

bool eigen_find(int n, const double *a, const eigen_list *found, double *work, int *iwork) {
    search s = search_at(n, iwork);
    double *part = work, *inner = work + (size_t)n * (size_t)n;
    int first = 0, at = 0, size;
    eigen_parts_start(n, iwork);
    if (found->schur != NULL) found->schur->n = 0;
    while ((size = find_part(&s, a, &first)) > 0) {
        gather(n, a, size, s.list, part);
        eigen_home home = {.n = size};
        eigen_schur *schur = size == n ? found->schur : NULL;
        if (!part_values(size, part, found->re + at, found->im + at, &home.norm, schur, inner)) return false;
        for (int i = at; i < at + size && found->home != NULL; i++) found->home[i] = home;
        at += size;
    }
    return true;
}

bool eigen_values(int n, const double *a, double *re, double *im, double *work, int *iwork) {
    return eigen_find(n, a, &(eigen_list){re, im, NULL, NULL}, work, iwork);
}

bool eigen_part_gather(int n, const double *a, int *first, eigen_part *part, double *work, int *iwork) {
    int size = eigen_parts_gather(n, a, first, work, work + (size_t)n * (size_t)n, iwork);
    if (size == 0) return false;
    *part = (eigen_part){.n = size, .norm = norm_of(size, work), .hessenberg = work};
    return true;
}

bool eigen_part_reduce(const eigen_part *part, double *work, double *inner) {
    if (part->n > SMALL_MOST) return reduce_large(part->n, work, inner);
    reduce_small(part->n, work, inner);
    return true;
}
