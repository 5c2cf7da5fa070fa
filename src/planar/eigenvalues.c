/* Trace, determinant and spectral radius of the simulation along a row, from the eigenvalues R(z)^m of D.
 *
 * 1. Eigenvalues of A: z = Gamma/2 +- sqrt(Gamma^2/4 - Delta), a real pair, whose smaller value is Delta
 *    divided by the larger value, or a complex pair. The discriminant is rounded once, so close eigenvalues
 *    keep their digits.
 * 2. One micro step: e = R(z/m) - 1, a quotient of polynomials by Horner's rule.
 * 3. m micro steps: the power by repeated squaring, of 1 + e or, close to 1, of e, to avoid cancellation for
 *    short steps.
 * 4. A result is NaN if cancellation costs digits or a number overflows (row.h).
 *
 * Plain loops over blocks allow vectorisation. Results for a point are equal to the last bit in a row and
 * alone. Cost: some operations per point and coefficient. */
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "planar/row.h"

enum { BLOCK = 128 };

/* Numbers of a block, real (im unused) or complex. */
typedef struct numbers {
    _Alignas(64) double re[BLOCK];
    _Alignas(64) double im[BLOCK];
} numbers;

/* sum := the polynomial at each real z. */
BASE_CLONES
static void horner_real(const double *c, int degree, size_t n, const double *restrict z,
                        double *restrict sum) {
    for (size_t i = 0; i < n; i++) sum[i] = c[degree];
    for (int k = degree - 1; k >= 0; k--)
        for (size_t i = 0; i < n; i++) sum[i] = sum[i] * z[i] + c[k];
}

/* sum := the sum of the magnitudes of its terms at |z|. */
BASE_CLONES
static void horner_size(const double *c, int degree, size_t n, const double *restrict modulus,
                        double *restrict sum) {
    for (size_t i = 0; i < n; i++) sum[i] = fabs(c[degree]);
    for (int k = degree - 1; k >= 0; k--)
        for (size_t i = 0; i < n; i++) sum[i] = sum[i] * modulus[i] + fabs(c[k]);
}

/* sum := the polynomial at each x + i y. */
BASE_CLONES
static void horner_complex(const double *c, int degree, size_t n, double x, const double *restrict y,
                           numbers *restrict sum) {
    for (size_t i = 0; i < n; i++) sum->re[i] = c[degree], sum->im[i] = 0;
    for (int k = degree - 1; k >= 0; k--)
        for (size_t i = 0; i < n; i++) {
            double re = sum->re[i], im = sum->im[i];
            sum->re[i] = re * x - im * y[i] + c[k];
            sum->im[i] = re * y[i] + im * x;
        }
}

/* Returns value, or NaN after cancellation (row.h) or if its square could overflow. modulus: of the result,
 * which is complex if `value` is its real part; size: sum of the magnitudes of its terms. */
static inline double checked(double value, double modulus, double size) {
    return modulus >= 0x1p-10 * size && modulus < 1e150 ? value : (double)NAN;
}

/* e = z top / bottom of one micro step. [out] one: 1 + e. */
BASE_CLONES
static void quotient_real(size_t n, const double *restrict z, const double *restrict top,
                          const double *restrict bottom, const double *restrict top_size,
                          const double *restrict bottom_size, double *restrict e, double *restrict one) {
    for (size_t i = 0; i < n; i++) {
        double over = 1 / fabs(bottom[i]);
        e[i] = z[i] * top[i] / bottom[i];
        double size = over * (fabs(z[i]) * top_size[i] + (1 + fabs(e[i])) * bottom_size[i]);
        one[i] = checked(1 + e[i], fabs(1 + e[i]), size);
    }
}

BASE_CLONES
static void quotient_complex(size_t n, double x, const double *restrict y, const double *restrict modulus,
                             const numbers *restrict top, const numbers *restrict bottom,
                             const double *restrict top_size, const double *restrict bottom_size,
                             numbers *restrict e, numbers *restrict one) {
    for (size_t i = 0; i < n; i++) {
        double square = bottom->re[i] * bottom->re[i] + bottom->im[i] * bottom->im[i];
        double re = x * top->re[i] - y[i] * top->im[i], im = x * top->im[i] + y[i] * top->re[i];
        e->re[i] = (re * bottom->re[i] + im * bottom->im[i]) / square;
        e->im[i] = (im * bottom->re[i] - re * bottom->im[i]) / square;
        double length = sqrt(e->re[i] * e->re[i] + e->im[i] * e->im[i]), over = 1 / sqrt(square);
        double size = over * (modulus[i] * top_size[i] + (1 + length) * bottom_size[i]);
        double mu = sqrt((1 + e->re[i]) * (1 + e->re[i]) + e->im[i] * e->im[i]);
        one->re[i] = checked(1 + e->re[i], mu, size);
        one->im[i] = e->im[i];
    }
}

/* Multiplies 1 + p by 1 + q: p := p + q + pq; one_p := 1 + p or, far from 1, one_p one_q. */
BASE_CLONES
static void multiply_real(size_t n, double *restrict p, double *restrict one_p, const double *restrict q,
                          const double *restrict one_q) {
    for (size_t i = 0; i < n; i++) {
        double e = p[i] + q[i] + p[i] * q[i], product = one_p[i] * one_q[i];
        one_p[i] = fabs(product - 1) < 0.5 ? 1 + e : product;
        p[i] = e;
    }
}

BASE_CLONES
static void multiply_complex(size_t n, numbers *restrict p, numbers *restrict one_p,
                             const numbers *restrict q, const numbers *restrict one_q) {
    for (size_t i = 0; i < n; i++) {
        double re = p->re[i] + q->re[i] + (p->re[i] * q->re[i] - p->im[i] * q->im[i]);
        double im = p->im[i] + q->im[i] + (p->re[i] * q->im[i] + p->im[i] * q->re[i]);
        double one_re = one_p->re[i] * one_q->re[i] - one_p->im[i] * one_q->im[i];
        double one_im = one_p->re[i] * one_q->im[i] + one_p->im[i] * one_q->re[i];
        bool close = fabs(one_re - 1) + fabs(one_im) < 0.5;
        one_p->re[i] = close ? 1 + re : one_re;
        one_p->im[i] = close ? im : one_im;
        p->re[i] = re;
        p->im[i] = im;
    }
}

/* mu := (1 + e)^m from e and one = 1 + e, which are overwritten. */
static void raise_real(int m, size_t n, double *e, double *one, double *mu) {
    numbers power = {.re = {0}}, copy;
    for (size_t i = 0; i < n; i++) mu[i] = 1;
    for (int bits = m; bits > 0; bits >>= 1) {
        if (bits & 1) multiply_real(n, power.re, mu, e, one);
        memcpy(copy.re, e, n * sizeof *e);
        memcpy(copy.im, one, n * sizeof *e);
        if (bits > 1) multiply_real(n, e, one, copy.re, copy.im);
    }
}

static void raise_complex(int m, size_t n, numbers *e, numbers *one, numbers *mu) {
    numbers power = {.re = {0}, .im = {0}}, e_copy, one_copy;
    for (size_t i = 0; i < n; i++) mu->re[i] = 1, mu->im[i] = 0;
    for (int bits = m; bits > 0; bits >>= 1) {
        if (bits & 1) multiply_complex(n, &power, mu, e, one);
        e_copy = *e, one_copy = *one;
        if (bits > 1) multiply_complex(n, e, one, &e_copy, &one_copy);
    }
}

/* mu := R(z/m)^m at real z. */
static void factors_real(const costab_planar *planar, size_t n, const double *z, double *mu) {
    const costab_method *method = &planar->method;
    numbers micro = {.re = {0}, .im = {0}}, top, bottom, size, one;
    if (method->kind == COSTAB_EXACT) {
        for (size_t i = 0; i < n; i++) mu[i] = exp(z[i]);
        return;
    }
    for (size_t i = 0; i < n; i++) micro.re[i] = z[i] / planar->substeps[0], micro.im[i] = fabs(micro.re[i]);
    horner_real(method->phi, method->phi_degree, n, micro.re, top.re);
    horner_size(method->phi, method->phi_degree, n, micro.im, size.re);
    horner_real(method->denominator, method->denominator_degree, n, micro.re, bottom.re);
    horner_size(method->denominator, method->denominator_degree, n, micro.im, size.im);
    quotient_real(n, micro.re, top.re, bottom.re, size.re, size.im, one.re, one.im);
    raise_real(planar->substeps[0], n, one.re, one.im, mu);
}

/* mu := R(z/m)^m at z = x + iy, of modulus `modulus`. */
static void factors_complex(const costab_planar *planar, size_t n, double x, const double *y,
                            const double *modulus, numbers *mu) {
    const costab_method *method = &planar->method;
    double m = planar->substeps[0];
    numbers micro = {.re = {0}, .im = {0}}, top, bottom, size, e, one;
    if (method->kind == COSTAB_EXACT) {
        for (size_t i = 0; i < n; i++) {
            double growth = exp(x);
            mu->re[i] = growth * planar_trusted(cos(y[i]), fmax(1, y[i]));
            mu->im[i] = growth * sin(y[i]);
        }
        return;
    }
    for (size_t i = 0; i < n; i++) micro.re[i] = y[i] / m, micro.im[i] = modulus[i] / m;
    horner_complex(method->phi, method->phi_degree, n, x / m, micro.re, &top);
    horner_size(method->phi, method->phi_degree, n, micro.im, size.re);
    horner_complex(method->denominator, method->denominator_degree, n, x / m, micro.re, &bottom);
    horner_size(method->denominator, method->denominator_degree, n, micro.im, size.im);
    quotient_complex(n, x / m, micro.re, micro.im, &top, &bottom, size.re, size.im, &e, &one);
    raise_complex(planar->substeps[0], n, &e, &one, mu);
}

/* Returns value, or NaN after overflow or close to underflow. */
static inline double in_range(double value) {
    return fabs(value) < (double)INFINITY && fabs(value) > 1e-290 ? value : (double)NAN;
}

static void put(double *to, size_t i, double value) {
    if (to != NULL) to[i] = value;
}

/* Values at Delta <= x^2, x = Gamma/2. */
static void real_block(const costab_planar *planar, double x, size_t n, const double *delta, double *trace,
                       double *determinant, double *radius) {
    numbers z = {.re = {0}, .im = {0}}, mu;
    for (size_t i = 0; i < n; i++) {
        double square = fma(x, x, -delta[i]);
        double root = square < (double)INFINITY ? sqrt(square) : fabs(x) * sqrt(1 - delta[i] / x / x);
        z.re[i] = x < 0 ? x - root : x + root;
        z.im[i] = z.re[i] != 0 ? delta[i] / z.re[i] : 0;
    }
    factors_real(planar, n, z.re, mu.re);
    factors_real(planar, n, z.im, mu.im);
    for (size_t i = 0; i < n; i++) {
        double large = fabs(mu.re[i]), small = fabs(mu.im[i]);
        put(trace, i, in_range(planar_trusted(mu.re[i] + mu.im[i], large + small)));
        put(determinant, i, in_range(mu.re[i] * mu.im[i]));
        put(radius, i, in_range(large + small) > 0 ? (large > small ? large : small) : (double)NAN);
    }
}

/* Values at Delta > x^2. */
static void complex_block(const costab_planar *planar, double x, size_t n, const double *delta, double *trace,
                          double *determinant, double *radius) {
    numbers z = {.re = {0}, .im = {0}}, mu;
    for (size_t i = 0; i < n; i++) z.re[i] = sqrt(-fma(x, x, -delta[i])), z.im[i] = sqrt(delta[i]);
    factors_complex(planar, n, x, z.re, z.im, &mu);
    for (size_t i = 0; i < n; i++) {
        double square = in_range(mu.re[i] * mu.re[i] + mu.im[i] * mu.im[i]), modulus = sqrt(square);
        put(trace, i, planar_trusted(2 * mu.re[i], modulus));
        put(determinant, i, square);
        put(radius, i, modulus);
    }
}

static double *from(double *values, size_t i) {
    return values != NULL ? values + i : NULL;
}

void planar_eigenvalue_fields(const costab_planar *planar, double gamma, size_t n, const double *delta,
                              double *trace, double *determinant, double *radius) {
    double x = 0.5 * gamma;
    for (size_t i = 0, size; i < n; i += size) {
        bool real = !(fma(x, x, -delta[i]) < 0);
        for (size = 0; i + size < n && size < BLOCK && real == !(fma(x, x, -delta[i + size]) < 0);) size++;
        (real ? real_block : complex_block)(planar, x, size, delta + i, from(trace, i), from(determinant, i),
                                            from(radius, i));
    }
}
