/* Norm of the resolvent (z I - H)^-1 of a Hessenberg matrix H: eigen_slack.c derives error bounds of
 * eigenvalues from it.
 *
 * 1. Factor z I - H by Gaussian elimination with row exchanges: n^2 operations.
 * 2. Six steps of the power method on the resolvent times its adjoint, each with one solution by the factors
 *    and one by their conjugate transpose. The start vector has no symmetry, so it is not orthogonal to a
 *    singular vector of a symmetric model.
 * 3. For two rows a closed form replaces the iteration.
 *
 * Complex numbers are stored in two arrays. Limitation: the power method gives a lower bound. */
#include <float.h>
#include <math.h>

#include "base/clones.h"
#include "method/eigen.h"

enum { TURNS = 6 };

/* Squares of lengths in this range, and of their terms, require no scaling. */
#define SQUARE_LEAST 0x1p-400
#define SQUARE_MOST  0x1p400

/* Factors of z I - H: U by rows (re, im); per elimination a flag of row exchange, and the multiplier (times);
 * reciprocal pivots (over). */
typedef struct factors {
    int n, *exchanged;
    double *re, *im, *times_re, *times_im, *over_re, *over_im;
} factors;

/* Number of independent partial sums, which hides the latency of floating-point addition. */
enum { SUMS = 4 };

/* Inlined in resolvent_by_powers, which is compiled for several instruction sets. */
#define INNER static inline __attribute__((always_inline))

INNER double sum_of(const double sums[SUMS]) {
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

INNER void multiply(double a, double b, double c, double d, double *re, double *im) {
    *re = a * c - b * d;
    *im = a * d + b * c;
}

/* Sets row i of z I - H. */
INNER void set_row(const eigen_component *component, const factors *f, int i, double re, double im) {
    int n = component->n;
    for (int j = 0; j < n; j++) {
        f->re[i * n + j] = -component->hessenberg[i * n + j];
        f->im[i * n + j] = 0;
    }
    f->re[i * n + i] += re;
    f->im[i * n + i] = im;
}

INNER void exchange(int count, double *a, double *b) {
    for (int j = 0; j < count; j++) {
        double swap = a[j];
        a[j] = b[j];
        b[j] = swap;
    }
}

/* Replaces pivots near 0 by a value small compared with the matrix; the norm is then large enough to
 * matter. */
INNER void factor(const eigen_component *component, const factors *f, double re, double im) {
    int n = component->n;
    double least = DBL_EPSILON * DBL_EPSILON * (component->norm + fabs(re) + fabs(im));
    set_row(component, f, 0, re, im);
    for (int i = 0; i < n; i++) {
        double *restrict re0 = f->re + i * n, *restrict im0 = f->im + i * n, *restrict re1 = re0 + n,
                         *restrict im1 = im0 + n;
        if (i + 1 < n) {
            set_row(component, f, i + 1, re, im);
            f->exchanged[i] = fabs(re1[i]) + fabs(im1[i]) > fabs(re0[i]) + fabs(im0[i]);
            if (f->exchanged[i]) {
                exchange(n, re0, re1);
                exchange(n, im0, im1);
            }
        }
        if (fabs(re0[i]) + fabs(im0[i]) < least) re0[i] = least;
        const double under = re0[i] * re0[i] + im0[i] * im0[i];
        f->over_re[i] = re0[i] / under;
        f->over_im[i] = -im0[i] / under;
        if (i + 1 == n) break;
        double tr, ti;
        multiply(re1[i], im1[i], f->over_re[i], f->over_im[i], &tr, &ti);
        f->times_re[i] = tr;
        f->times_im[i] = ti;
        for (int j = i + 1; j < n; j++) {
            re1[j] -= tr * re0[j] - ti * im0[j];
            im1[j] -= tr * im0[j] + ti * re0[j];
        }
    }
}

/* x = (z I - H)^-1 x. */
INNER void solve(const factors *f, double *restrict xr, double *restrict xi) {
    int n = f->n;
    for (int i = 0; i + 1 < n; i++) {
        if (f->exchanged[i]) {
            exchange(1, xr + i, xr + i + 1);
            exchange(1, xi + i, xi + i + 1);
        }
        xr[i + 1] -= f->times_re[i] * xr[i] - f->times_im[i] * xi[i];
        xi[i + 1] -= f->times_re[i] * xi[i] + f->times_im[i] * xr[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *re = f->re + i * n, *im = f->im + i * n;
        double sr[SUMS] = {0}, si[SUMS] = {0};
        int j = i + 1;
        for (; j + SUMS <= n; j += SUMS)
            for (int k = 0; k < SUMS; k++) {
                sr[k] += re[j + k] * xr[j + k] - im[j + k] * xi[j + k];
                si[k] += re[j + k] * xi[j + k] + im[j + k] * xr[j + k];
            }
        for (; j < n; j++) {
            sr[0] += re[j] * xr[j] - im[j] * xi[j];
            si[0] += re[j] * xi[j] + im[j] * xr[j];
        }
        multiply(xr[i] - sum_of(sr), xi[i] - sum_of(si), f->over_re[i], f->over_im[i], &xr[i], &xi[i]);
    }
}

/* x = (z I - H)^-* x, with the conjugate transpose. */
INNER void solve_adjoint(const factors *f, double *restrict xr, double *restrict xi) {
    int n = f->n;
    for (int i = 0; i < n; i++) {
        const double *restrict re = f->re + i * n, *restrict im = f->im + i * n;
        multiply(xr[i], xi[i], f->over_re[i], -f->over_im[i], &xr[i], &xi[i]);
        const double r = xr[i], m = xi[i];
        for (int j = i + 1; j < n; j++) {
            xr[j] -= re[j] * r + im[j] * m;
            xi[j] -= re[j] * m - im[j] * r;
        }
    }
    for (int i = n - 2; i >= 0; i--) {
        xr[i] -= f->times_re[i] * xr[i + 1] + f->times_im[i] * xi[i + 1];
        xi[i] -= f->times_re[i] * xi[i + 1] - f->times_im[i] * xr[i + 1];
        if (f->exchanged[i]) {
            exchange(1, xr + i, xr + i + 1);
            exchange(1, xi + i, xi + i + 1);
        }
    }
}

/* Divides x by a real number. */
INNER void divide_all(int n, double by, double *restrict xr, double *restrict xi) {
    const double factor = 1 / by;
    for (int i = 0; i < n; i++) {
        xr[i] *= factor;
        xi[i] *= factor;
    }
}

INNER double square_of(int n, const double *xr, const double *xi) {
    double sums[SUMS] = {0};
    int whole = n / SUMS * SUMS;
    for (int i = 0; i < whole; i += SUMS)
        for (int k = 0; k < SUMS; k++) sums[k] += xr[i + k] * xr[i + k] + xi[i + k] * xi[i + k];
    for (int i = whole; i < n; i++) sums[0] += xr[i] * xr[i] + xi[i] * xi[i];
    return sum_of(sums);
}

/* Scales x to length 1; returns its previous length. */
INNER double normalise(int n, double *xr, double *xi) {
    double largest = 1, square = square_of(n, xr, xi);
    if (!(square > SQUARE_LEAST && square < SQUARE_MOST)) {
        largest = 0;
        for (int i = 0; i < n; i++) largest = fmax(largest, fmax(fabs(xr[i]), fabs(xi[i])));
        if (!(largest > 0) || !isfinite(largest)) return largest;
        divide_all(n, largest, xr, xi);
        square = square_of(n, xr, xi);
    }
    double length = sqrt(square);
    divide_all(n, length, xr, xi);
    return largest * length;
}

/* Two rows: with B = z I - H, the norm of B^-1 is that of B divided by |det B|. The larger singular value of
 * B follows from det B and the sum of squares. Returns 0 if numbers are too large or too small. */
static double resolvent_of_two(const double *h, double re, double im) {
    const double a = re - h[0], d = re - h[3];
    const double square = a * a + d * d + 2 * im * im + h[1] * h[1] + h[2] * h[2];
    if (!(square > SQUARE_LEAST && square < SQUARE_MOST)) return 0;
    double det = hypot(a * d - im * im - h[1] * h[2], im * (a + d));
    det = fmax(det, DBL_EPSILON * DBL_EPSILON * square);
    return sqrt((square + sqrt(fmax(0, (square - 2 * det) * (square + 2 * det)))) / 2) / det;
}

/* Norm by the power method. */
BASE_CLONES
static double resolvent_by_powers(const eigen_component *component, double re, double im, double *work,
                                  int *iwork) {
    int n = component->n;
    size_t square = (size_t)n * (size_t)n;
    double *rest = work + square, *vectors = rest + 2 * square;
    factors f = {n, iwork, rest, rest + square, vectors, vectors + n, vectors + 2 * n, vectors + 3 * n};
    double *xr = vectors + 4 * n, *xi = xr + n, norm = 0;
    factor(component, &f, re, im);
    for (int i = 0; i < n; i++) {
        double turn = 0.61803398874989484820 * (i + 1);
        xr[i] = 1 + (turn - floor(turn));
        xi[i] = turn * turn - floor(turn * turn);
    }
    (void)normalise(n, xr, xi);
    for (int k = 0; k < TURNS; k++) {
        solve(&f, xr, xi);
        double length = normalise(n, xr, xi);
        if (!isfinite(length)) return (double)INFINITY;
        norm = fmax(norm, length);
        solve_adjoint(&f, xr, xi);
        length = normalise(n, xr, xi);
        if (!isfinite(length)) return (double)INFINITY;
        norm = fmax(norm, length);
    }
    return norm;
}

double eigen_resolvent(const eigen_component *component, double re, double im, double *work, int *iwork) {
    double of_two = component->n == 2 ? resolvent_of_two(component->hessenberg, re, im) : 0;
    return of_two > 0 ? of_two : resolvent_by_powers(component, re, im, work, iwork);
}
