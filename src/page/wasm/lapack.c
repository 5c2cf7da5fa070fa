/* What kernels ask of BLAS and LAPACK, for pages: plain loops, good for matrices of some dozen rows.
 *
 * 1. Products, triangular solutions, Gauss's elimination with row exchanges.
 * 2. Householder's reflections for Q R.
 * 3. The complex Schur form A = Q T Q^H: Householder's reflections to Hessenberg's form, then single shifts
 * of Wilkinson's by Givens' rotations (G. H. Golub, C. F. Van Loan, Matrix Computations, 7.4 and 7.5).
 * Vectors come from T by substitution. The cost is O(n^3) each. Nothing is promised for entries whose squares
 * overflow. */
#include <cblas.h>
#include <complex.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "method/eigen_components.h"

typedef double complex number;

/* ---- Products and triangles ---- */

void cblas_dgemm(int layout, int turn_a, int turn_b, int rows, int columns, int inner, double alpha,
                 const double *a, int step_a, const double *b, int step_b, double beta, double *c,
                 int step_c) {
    if (layout == CblasColMajor) {
        cblas_dgemm(CblasRowMajor, turn_b, turn_a, columns, rows, inner, alpha, b, step_b, a, step_a, beta, c,
                    step_c);
        return;
    }
    for (int i = 0; i < rows; i++) {
        double *row = c + i * step_c;
        for (int j = 0; j < columns; j++) row[j] = beta == 0 ? 0 : beta * row[j];
        for (int k = 0; k < inner; k++) {
            double factor = alpha * (turn_a == CblasTrans ? a[k * step_a + i] : a[i * step_a + k]);
            for (int j = 0; j < columns; j++)
                row[j] += factor * (turn_b == CblasTrans ? b[j * step_b + k] : b[k * step_b + j]);
        }
    }
}

void cblas_dtrsm(int layout, int side, int part, int turn, int diagonal, int rows, int columns, double alpha,
                 const double *a, int step_a, double *b, int step_b) {
    (void)layout, (void)side, (void)turn, (void)alpha;
    for (int k = 0; k < rows; k++) {
        int i = part == CblasLower ? k : rows - 1 - k;
        int from = part == CblasLower ? 0 : i + 1, to = part == CblasLower ? i : rows;
        for (int j = 0; j < columns; j++) {
            double sum = b[i * step_b + j];
            for (int l = from; l < to; l++) sum -= a[i * step_a + l] * b[l * step_b + j];
            b[i * step_b + j] = diagonal == CblasUnit ? sum : sum / a[i * step_a + i];
        }
    }
}

double cblas_dnrm2(int n, const double *x, int step) {
    double largest = 0, sum = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i * step]));
    for (int i = 0; i < n && largest > 0; i++) sum += (x[i * step] / largest) * (x[i * step] / largest);
    return largest * sqrt(sum);
}

/* ---- Elimination, column-major ---- */

static void exchange(int count, double *a, double *b, int step) {
    for (int j = 0; j < count; j++) {
        double kept = a[j * step];
        a[j * step] = b[j * step];
        b[j * step] = kept;
    }
}

int LAPACKE_dgetrf_work(int layout, int m, int n, double *a, int step, int *pivots) {
    int first = 0;
    (void)layout, (void)m;
    for (int k = 0; k < n; k++) {
        double *column = a + k * step;
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(column[i]) > fabs(column[pivot])) pivot = i;
        pivots[k] = pivot + 1;
        if (column[pivot] == 0) {
            first = first > 0 ? first : k + 1;
            continue;
        }
        if (pivot != k) exchange(n, a + k, a + pivot, step);
        for (int i = k + 1; i < n; i++) column[i] /= column[k];
        for (int j = k + 1; j < n; j++)
            for (int i = k + 1; i < n; i++) a[j * step + i] -= a[j * step + k] * column[i];
    }
    return first;
}

int LAPACKE_dgetrs_work(int layout, char turn, int n, int columns, const double *a, int step,
                        const int *pivots, double *b, int step_b) {
    (void)layout, (void)turn;
    for (int j = 0; j < columns; j++) {
        double *x = b + j * step_b;
        for (int k = 0; k < n; k++) exchange(1, x + k, x + pivots[k] - 1, 1);
        for (int k = 0; k < n; k++)
            for (int i = k + 1; i < n; i++) x[i] -= a[k * step + i] * x[k];
        for (int k = n - 1; k >= 0; k--) {
            x[k] /= a[k * step + k];
            for (int i = 0; i < k; i++) x[i] -= a[k * step + i] * x[k];
        }
    }
    return 0;
}

/* The norm of the inverse itself. Exchanged rows of the matrix are columns of the inverse: they count alike.
 */
int LAPACKE_dgecon_work(int layout, char norm, int n, const double *factors, int step, double size,
                        double *reciprocal, double *work, int *iwork) {
    double largest = 0;
    (void)norm;
    for (int k = 0; k < n; k++) iwork[k] = k + 1;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) work[i] = i == j;
        (void)LAPACKE_dgetrs_work(layout, 'N', n, 1, factors, step, iwork, work, n);
        for (int i = 0; i < n; i++) sum += fabs(work[i]);
        largest = fmax(largest, sum);
    }
    *reciprocal = largest > 0 && size > 0 ? 1 / largest / size : 0;
    return 0;
}

/* ---- Reflections, column-major ---- */

/* x (count entries, `step` apart) -= tau v (v' x), v[0] = 1 not stored. */
static void reflect(int count, const double *v, double tau, double *x, int step) {
    double sum = x[0];
    for (int i = 1; i < count; i++) sum += v[i] * x[i * step];
    x[0] -= tau * sum;
    for (int i = 1; i < count; i++) x[i * step] -= tau * sum * v[i];
}

int LAPACKE_dgeqrf_work(int layout, int m, int n, double *a, int step, double *tau, double *work, int room) {
    (void)layout, (void)work, (void)room;
    for (int k = 0; k < n && k < m; k++) {
        double *v = a + k * step + k, length = cblas_dnrm2(m - k, v, 1), first = v[0];
        tau[k] = 0;
        if (cblas_dnrm2(m - k - 1, v + 1, 1) == 0) continue;
        double kept = first > 0 ? -length : length;
        tau[k] = (kept - first) / kept;
        for (int i = 1; i < m - k; i++) v[i] /= first - kept;
        v[0] = kept;
        for (int j = k + 1; j < n; j++) reflect(m - k, v, tau[k], a + j * step + k, 1);
    }
    return 0;
}

int LAPACKE_dormqr_work(int layout, char side, char turn, int m, int n, int k, const double *a, int step,
                        const double *tau, double *c, int step_c, double *work, int room) {
    bool left = side == 'L', forward = left == (turn == 'T');
    (void)layout, (void)work, (void)room;
    for (int q = 0; q < k; q++) {
        int i = forward ? q : k - 1 - q;
        const double *v = a + i * step + i;
        for (int j = 0; j < (left ? n : m); j++)
            reflect((left ? m : n) - i, v, tau[i], left ? c + j * step_c + i : c + i * step_c + j,
                    left ? 1 : step_c);
    }
    return 0;
}

/* ---- The complex Schur form, row-major ---- */

/* Rows (or columns) k and k + 1 turned: (x, y) to (c x + s y, -conj(s) x + c y). */
static void turn_pair(int count, number *x, number *y, int step, double c, number s) {
    for (int i = 0; i < count; i++) {
        number u = x[i * step], v = y[i * step];
        x[i * step] = c * u + s * v;
        y[i * step] = -conj(s) * u + c * v;
    }
}

/* The reflection I - 2 v v^H that takes x to a multiple of its first entry; v in place of x. False for 0. */
static bool make_reflection(int count, number *x) {
    double length = 0;
    for (int i = 0; i < count; i++) length += creal(x[i]) * creal(x[i]) + cimag(x[i]) * cimag(x[i]);
    if (length == 0) return false;
    double size = cabs(x[0]);
    x[0] += (size > 0 ? x[0] / size : 1) * sqrt(length);
    length = 0;
    for (int i = 0; i < count; i++) length += creal(x[i]) * creal(x[i]) + cimag(x[i]) * cimag(x[i]);
    for (int i = 0; i < count; i++) x[i] /= sqrt(length);
    return true;
}

static void reflect_rows(int n, int first, const number *v, number *a) {
    for (int j = 0; j < n; j++) {
        number sum = 0;
        for (int i = first; i < n; i++) sum += conj(v[i - first]) * a[i * n + j];
        for (int i = first; i < n; i++) a[i * n + j] -= 2 * v[i - first] * sum;
    }
}

static void reflect_columns(int n, int first, const number *v, number *a) {
    for (int i = 0; i < n; i++) {
        number sum = 0;
        for (int j = first; j < n; j++) sum += a[i * n + j] * v[j - first];
        for (int j = first; j < n; j++) a[i * n + j] -= 2 * sum * conj(v[j - first]);
    }
}

static void to_hessenberg(int n, number *t, number *q, number *v) {
    for (int k = 0; k + 2 < n; k++) {
        for (int i = k + 1; i < n; i++) v[i - k - 1] = t[i * n + k];
        if (!make_reflection(n - k - 1, v)) continue;
        reflect_rows(n, k + 1, v, t);
        reflect_columns(n, k + 1, v, t);
        reflect_columns(n, k + 1, v, q);
        for (int i = k + 2; i < n; i++) t[i * n + k] = 0;
    }
}

/* The eigenvalue of the last 2 x 2 block of rows up to `last` that is nearer to its corner. */
static number wilkinson(int n, const number *t, int last) {
    number a = t[(last - 1) * n + last - 1], d = t[last * n + last];
    number product = t[(last - 1) * n + last] * t[last * n + last - 1], half = (a - d) / 2;
    number root = csqrt(half * half + product);
    if (creal(half) * creal(root) + cimag(half) * cimag(root) < 0) root = -root;
    return half + root == 0 ? d : d - product / (half + root);
}

/* One step of Q R with a shift on the rows from first to last. */
static void shifted_step(int n, number *t, number *q, int first, int last, number shift) {
    number x = t[first * n + first] - shift, y = t[(first + 1) * n + first];
    for (int k = first; k < last; k++) {
        double length = hypot(cabs(x), cabs(y)), c = 1;
        number s = 0;
        if (length > 0) {
            number phase = cabs(x) > 0 ? x / cabs(x) : 1;
            c = cabs(x) / length;
            s = phase * conj(y) / length;
        }
        turn_pair(n, t + k * n, t + (k + 1) * n, 1, c, s);
        turn_pair(k + 3 <= last + 1 ? k + 3 : last + 1, t + k, t + k + 1, n, c, conj(s));
        turn_pair(n, q + k, q + k + 1, n, c, conj(s));
        if (k + 1 < last) {
            x = t[(k + 1) * n + k];
            y = t[(k + 2) * n + k];
        }
    }
}

/* A = Q T Q^H: t is A at first. False where the shifts do not converge. */
static bool complex_schur(int n, number *t, number *q) {
    enum { STEPS_MOST = 60 };
    number *v = malloc((size_t)n * sizeof *v);
    if (v == NULL) return false;
    for (int e = 0; e < n * n; e++) q[e] = e % (n + 1) == 0;
    to_hessenberg(n, t, q, v);
    free(v);
    for (int last = n - 1, steps = 0; last > 0;) {
        int first = last;
        for (; first > 0; first--) {
            double beside = cabs(t[first * n + first]) + cabs(t[(first - 1) * n + first - 1]);
            if (cabs(t[first * n + first - 1]) > DBL_EPSILON * beside) continue;
            t[first * n + first - 1] = 0;
            break;
        }
        if (first == last) {
            last--;
            steps = 0;
            continue;
        }
        if (++steps > STEPS_MOST) return false;
        number shift =
            steps % 10 == 0 ? t[last * n + last] + cabs(t[last * n + last - 1]) : wilkinson(n, t, last);
        shifted_step(n, t, q, first, last, shift);
    }
    return true;
}

static void transpose(int n, number *a) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            number kept = a[i * n + j];
            a[i * n + j] = a[j * n + i];
            a[j * n + i] = kept;
        }
}

int LAPACKE_zgees_work(int layout, char vectors, char sort, const void *select, int n, number *a, int step,
                       int *count, number *values, number *q, int step_q, number *work, int room,
                       double *real, const void *flags) {
    (void)layout, (void)vectors, (void)sort, (void)select, (void)step, (void)step_q, (void)work;
    (void)room, (void)real, (void)flags;
    transpose(n, a);
    if (!complex_schur(n, a, q)) return 1;
    for (int i = 0; i < n; i++) values[i] = a[i * n + i];
    transpose(n, a);
    transpose(n, q);
    *count = 0;
    return 0;
}

int LAPACKE_zgeev_work(int layout, char left, char right, int n, number *a, int step, number *values,
                       number *vl, int step_l, number *vr, int step_r, number *work, int room, double *real) {
    number *q = malloc((size_t)n * (size_t)n * sizeof *q);
    (void)layout, (void)left, (void)right, (void)step, (void)vl, (void)step_l, (void)vr, (void)step_r;
    (void)work, (void)room, (void)real;
    bool done = q != NULL && complex_schur(n, a, q); /* a transpose has the same eigenvalues */
    for (int i = 0; i < n && done; i++) values[i] = a[i * n + i];
    free(q);
    return !done;
}

/* ---- Vectors of a real matrix ---- */

/* A difference of diagonal entries that vectors are divided by. */
static number apart(number difference, double least) {
    return cabs(difference) > least ? difference : least;
}

/* Of T's k-th eigenvalue: x with T x = t x, or with `left` x^H T = t x^H; then Q x into `of_matrix`. */
static void vector_of(int n, const number *t, const number *q, int k, bool left, double least, number *x,
                      number *of_matrix) {
    for (int i = 0; i < n; i++) x[i] = i == k;
    for (int i = k - 1; i >= 0 && !left; i--) {
        number sum = 0;
        for (int j = i + 1; j <= k; j++) sum += t[i * n + j] * x[j];
        x[i] = -sum / apart(t[i * n + i] - t[k * n + k], least);
    }
    for (int j = k + 1; j < n && left; j++) {
        number sum = 0;
        for (int i = k; i < j; i++) sum += conj(x[i]) * t[i * n + j];
        x[j] = conj(-sum / apart(t[j * n + j] - t[k * n + k], least));
    }
    for (int i = 0; i < n; i++) {
        of_matrix[i] = 0;
        for (int j = 0; j < n; j++) of_matrix[i] += q[i * n + j] * x[j];
    }
}

/* Length 1, the largest entry real. */
static void normalise(int n, number *x) {
    double length = 0;
    int most = 0;
    for (int i = 0; i < n; i++) {
        length = hypot(length, cabs(x[i]));
        if (cabs(x[i]) > cabs(x[most])) most = i;
    }
    if (length == 0) return;
    number factor = conj(x[most]) / cabs(x[most]) / length;
    for (int i = 0; i < n; i++) x[i] *= factor;
}

/* The place of the eigenvalue that is conjugate to the k-th, among those that are not taken; k: it is real.
 */
static int partner_of(int n, const number *t, int k, double least, const bool *taken) {
    number value = t[k * n + k];
    int best = k;
    double nearest = fabs(cimag(value)) <= least ? 0 : 2 * fabs(cimag(value));
    for (int j = 0; j < n; j++) {
        double distance = cabs(conj(value) - t[j * n + j]);
        if (j == k || taken[j] || cimag(value) * cimag(t[j * n + j]) >= 0 || distance >= nearest) continue;
        nearest = distance;
        best = j;
    }
    return best;
}

typedef struct vectors_room {
    number *t, *q, *x, *y;
    double *scale, *work, *balanced;
    bool *taken;
} vectors_room;

/* The vectors of the k-th eigenvalue of T, balanced by `scale`, into columns of a pair or into one. */
static void put_vectors(int n, const vectors_room *room, int k, bool pair, double least, double *vl,
                        double *vr) {
    for (int side = 0; side < 2; side++) {
        double *to = side == 0 ? vr : vl;
        vector_of(n, room->t, room->q, k, side == 1, least, room->x, room->y);
        for (int i = 0; i < n; i++) room->y[i] *= side == 0 ? room->scale[i] : 1 / room->scale[i];
        normalise(n, room->y);
        for (int i = 0; i < n; i++) {
            to[i] = creal(room->y[i]);
            if (pair) to[n + i] = cimag(room->y[i]);
        }
    }
}

static bool find_vectors(int n, const double *a, const vectors_room *room, double *re, double *im, double *vl,
                         double *vr) {
    double norm = 0;
    for (int e = 0; e < n * n; e++) {
        room->balanced[e] = a[e / n + (e % n) * n];
        room->taken[e / n] = false;
    }
    (void)eigen_balance_component(n, room->balanced, room->scale, room->work);
    for (int e = 0; e < n * n; e++) {
        room->t[e] = room->balanced[e];
        norm = hypot(norm, room->balanced[e]);
    }
    if (!complex_schur(n, room->t, room->q)) return false;
    double least = n * DBL_EPSILON * norm + DBL_MIN;
    for (int k = 0, at = 0; k < n; k++) {
        if (room->taken[k]) continue;
        room->taken[k] = true;
        int other = partner_of(n, room->t, k, least, room->taken);
        number value = room->t[k * n + k];
        room->taken[other] = true;
        bool pair = other != k;
        put_vectors(n, room, !pair || cimag(value) > 0 ? k : other, pair, least, vl + at * n, vr + at * n);
        re[at] = re[at + pair] = creal(value);
        im[at] = pair ? fabs(cimag(value)) : 0;
        if (pair) im[at + 1] = -im[at];
        at += 1 + pair;
    }
    return true;
}

int LAPACKE_dgeev(int layout, char left, char right, int n, double *a, int step, double *re, double *im,
                  double *vl, int step_l, double *vr, int step_r) {
    size_t count = (size_t)n, square = count * count;
    (void)layout, (void)left, (void)right, (void)step, (void)step_l, (void)step_r;
    vectors_room room = {.t = malloc((2 * square + 2 * count) * sizeof(number)),
                         .scale = malloc((square + 8 * count) * sizeof(double)),
                         .taken = malloc(count)};
    bool done = room.t != NULL && room.scale != NULL && room.taken != NULL;
    if (done) {
        room.q = room.t + square;
        room.x = room.q + square;
        room.y = room.x + count;
        room.balanced = room.scale + count;
        room.work = room.balanced + square;
        done = find_vectors(n, a, &room, re, im, vl, vr);
    }
    free(room.t);
    free(room.scale);
    free(room.taken);
    return !done;
}

/* ---- Of matrices that no page has: it keeps no real Schur forms ---- */

int LAPACKE_dtrevc_work(int layout, char side, char how, int *select, int n, const double *t, int step,
                        double *vl, int step_l, double *vr, int step_r, int most, int *count, double *work) {
    (void)layout, (void)side, (void)how, (void)select, (void)n, (void)t, (void)step, (void)vl, (void)step_l;
    (void)vr, (void)step_r, (void)most, (void)count, (void)work;
    return -1;
}

int LAPACKE_dhseqr_work(int layout, char job, char vectors, int n, int low, int high, double *h, int step,
                        double *re, double *im, double *z, int step_z, double *work, int room) {
    (void)layout, (void)job, (void)vectors, (void)n, (void)low, (void)high, (void)h, (void)step, (void)re;
    (void)im, (void)z, (void)step_z, (void)work, (void)room;
    return -1;
}
