/* The norm of a resolvent: z I - H is factored with row exchanges, which for a Hessenberg matrix is work of
 * order n^2, and the power method runs on its inverse. Complex numbers are kept as two arrays. */
#include <float.h>
#include <math.h>

#include "method/eigen.h"

enum { TURNS = 6 };

/* z I - H: U row by row, and of each elimination whether the rows were exchanged and the multiplier. */
typedef struct factors {
    int n, *exchanged;
    double *re, *im, *times_re, *times_im;
} factors;

static void divide(double a, double b, double c, double d, double *re, double *im) {
    double under = c * c + d * d;
    *re = (a * c + b * d) / under;
    *im = (b * c - a * d) / under;
}

/* Row i of z I - H. */
static void set_row(const eigen_part *part, const factors *f, int i, double re, double im) {
    int n = part->n;
    for (int j = 0; j < n; j++) {
        f->re[i * n + j] = -part->hessenberg[i * n + j];
        f->im[i * n + j] = 0;
    }
    f->re[i * n + i] += re;
    f->im[i * n + i] = im;
}

static void exchange(int count, double *a, double *b) {
    for (int j = 0; j < count; j++) {
        double kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
}

/* A pivot of 0 becomes one that is small beside the matrix: the norm comes out as large as it matters. */
static void factor(const eigen_part *part, const factors *f, double re, double im) {
    int n = part->n;
    double least = DBL_EPSILON * DBL_EPSILON * (part->norm + fabs(re) + fabs(im));
    set_row(part, f, 0, re, im);
    for (int i = 0; i < n; i++) {
        double *re0 = f->re + i * n, *im0 = f->im + i * n, *re1 = re0 + n, *im1 = im0 + n;
        if (i + 1 < n) {
            set_row(part, f, i + 1, re, im);
            f->exchanged[i] = fabs(re1[i]) + fabs(im1[i]) > fabs(re0[i]) + fabs(im0[i]);
            if (f->exchanged[i]) {
                exchange(n, re0, re1);
                exchange(n, im0, im1);
            }
        }
        if (fabs(re0[i]) + fabs(im0[i]) < least) re0[i] = least;
        if (i + 1 == n) break;
        double tr, ti;
        divide(re1[i], im1[i], re0[i], im0[i], &tr, &ti);
        f->times_re[i] = tr;
        f->times_im[i] = ti;
        for (int j = i + 1; j < n; j++) {
            re1[j] -= tr * re0[j] - ti * im0[j];
            im1[j] -= tr * im0[j] + ti * re0[j];
        }
    }
}

/* x = (z I - H)^-1 x. */
static void solve(const factors *f, double *xr, double *xi) {
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
        double sr = xr[i], si = xi[i];
        for (int j = i + 1; j < n; j++) {
            sr -= re[j] * xr[j] - im[j] * xi[j];
            si -= re[j] * xi[j] + im[j] * xr[j];
        }
        divide(sr, si, re[i], im[i], &xr[i], &xi[i]);
    }
}

/* The same with the conjugate transpose. */
static void solve_adjoint(const factors *f, double *xr, double *xi) {
    int n = f->n;
    for (int i = 0; i < n; i++) {
        const double *re = f->re + i * n, *im = f->im + i * n;
        divide(xr[i], xi[i], re[i], -im[i], &xr[i], &xi[i]);
        for (int j = i + 1; j < n; j++) {
            xr[j] -= re[j] * xr[i] + im[j] * xi[i];
            xi[j] -= re[j] * xi[i] - im[j] * xr[i];
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

/* Scales x to length 1; returns the length it had. */
static double normalise(int n, double *xr, double *xi) {
    double largest = 0, sum = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fmax(fabs(xr[i]), fabs(xi[i])));
    if (!(largest > 0) || !isfinite(largest)) return largest;
    for (int i = 0; i < n; i++) {
        xr[i] /= largest;
        xi[i] /= largest;
        sum += xr[i] * xr[i] + xi[i] * xi[i];
    }
    double length = sqrt(sum);
    for (int i = 0; i < n; i++) {
        xr[i] /= length;
        xi[i] /= length;
    }
    return largest * length;
}

double eigen_resolvent(const eigen_part *part, double re, double im, double *work, int *iwork) {
    int n = part->n;
    size_t square = (size_t)n * (size_t)n;
    double *rest = work + square, *vectors = rest + 2 * square;
    factors f = {n, iwork, rest, rest + square, vectors, vectors + n};
    double *xr = vectors + 2 * n, *xi = xr + n, norm = 0;
    factor(part, &f, re, im);
    /* A start without any symmetry, so that no singular vector of a symmetric model is orthogonal to it. */
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
