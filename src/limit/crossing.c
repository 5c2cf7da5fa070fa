/* Computes the crossing functions as products over eigenvalues (docs/explanation/algorithms.md, Complete
 * limits).
 * 1. Factors use k = l - 1 (crossing.h), which is accurate for short steps. The factors of a conjugate pair
 *    are combined into one real number.
 * 2. Products have a mantissa and an exponent, since they span hundreds of decades.
 * 3. The relative error of a product is the largest error bound of a factor relative to its size.
 * Cost: n for f1 and f2, n^2/2 for f3. Limitation: the error is of first order and uses the worst factor
 * alone. */
#include "limit/crossing.h"

#include <math.h>

/* A function is hidden by rounding if its relative error reaches this value at every node. */
#define NEUTRAL_SHARE 0.7

typedef struct product {
    double re, im, worst; /* worst: largest relative error bound of a factor */
    long exponent;
} product;

static void multiply(product *p, double re, double im, double slack) {
    double size = fabs(re) + fabs(im), r = p->re * re - p->im * im, i = p->re * im + p->im * re;
    if (!(slack <= p->worst * size)) p->worst = size > 0 ? slack / size : (double)INFINITY;
    p->re = r;
    p->im = i;
    double now = fabs(r) + fabs(i);
    if (now > 0x1p300 || (now < 0x1p-300 && now > 0)) {
        int shift = ilogb(now);
        p->re = ldexp(r, -shift);
        p->im = ldexp(i, -shift);
        p->exponent += shift;
    }
}

/* Drops the imaginary part: factors in conjugate pairs have a real product. */
static crossing_value real_value(const product *p) {
    return (crossing_value){.mantissa = p->re, .exponent = p->exponent, .noise = p->worst};
}

int crossing_count(crossing_kind kind) {
    static const int counts[] = {3, 1, 2, 1};
    return counts[kind];
}

/* Returns the product of all origin + factor (re + i im), as for f1 and f2. */
static crossing_value product_of_all(const crossing_spectrum *s, double origin, double factor) {
    product p = {.re = 1};
    for (int i = 0; i < s->n; i++)
        multiply(&p, origin + factor * s->re[i], factor * s->im[i], fabs(factor) * s->slack[i]);
    return real_value(&p);
}

static double modulus(const crossing_spectrum *s, int i) {
    return hypot(1 + s->re[i], s->im[i]);
}

/* Multiplies by a factor and its conjugate. */
static void multiply_both(product *p, double re, double im, double slack) {
    double square = re * re + im * im;
    if (square > 0x1p-600 && square < 0x1p600) {
        multiply(p, square, 0, slack * (square / (fabs(re) + fabs(im))));
        return;
    }
    multiply(p, re, im, slack);
    multiply(p, re, -im, slack);
}

/* An eigenvalue, or one of a conjugate pair. */
typedef struct one_of {
    double re, im, slack;
    bool paired;
} one_of;

static one_of take_one(const crossing_spectrum *s, int i) {
    bool paired = s->im[i] != 0 && i + 1 < s->n;
    return (one_of){s->re[i], s->im[i], paired ? fmax(s->slack[i], s->slack[i + 1]) : s->slack[i], paired};
}

/* f3 = prod_{i<j} (1 - l_i l_j/r^2), r = 1 + beyond. Conjugate pairs have conjugate factors with real
 * products. */
static crossing_value circle_pairs(const crossing_spectrum *s, double beyond) {
    product p = {.re = 1};
    double scale = 1 / ((1 + beyond) * (1 + beyond)), more = beyond * (2 + beyond);
    for (int i = 0; i < s->n; i++) {
        const one_of a = take_one(s, i);
        double size = modulus(s, i);
        if (a.paired)
            multiply(&p, scale * (more - (2 * a.re + (a.re * a.re + a.im * a.im))), 0,
                     2 * scale * size * a.slack);
        i += a.paired;
        for (int j = i + 1; j < s->n; j++) {
            const one_of b = take_one(s, j);
            double slack = scale * (size * b.slack + a.slack * (fabs(1 + b.re) + fabs(b.im)));
            double re = scale * (more - (a.re + b.re + (a.re * b.re - a.im * b.im))),
                   im = -scale * (a.im + b.im + (a.re * b.im + a.im * b.re));
            if (!a.paired && !b.paired) {
                multiply(&p, re, im, slack);
                continue;
            }
            multiply_both(&p, re, im, slack);
            if (a.paired && b.paired)
                multiply_both(&p, scale * (more - (a.re + b.re + (a.re * b.re + a.im * b.im))),
                              -scale * (a.im - b.im + (a.im * b.re - a.re * b.im)), slack);
            j += b.paired;
        }
    }
    return real_value(&p);
}

/* Complex matrices: prod_{i,j} (1 - l_i conj(l_j)/r^2). */
static crossing_value conjugate_pairs(const crossing_spectrum *s, double beyond) {
    product p = {.re = 1};
    double scale = 1 / ((1 + beyond) * (1 + beyond)), more = beyond * (2 + beyond);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) {
            double re = s->re[i] + s->re[j] + (s->re[i] * s->re[j] + s->im[i] * s->im[j]);
            double im = s->im[i] - s->im[j] + (s->im[i] * s->re[j] - s->re[i] * s->im[j]);
            double slack = modulus(s, i) * s->slack[j] + modulus(s, j) * s->slack[i];
            multiply(&p, scale * (more - re), -scale * im, scale * slack);
        }
    return real_value(&p);
}

/* Line: prod_{i<j} (l_i + l_j - 2 r). */
static crossing_value line_pairs(const crossing_spectrum *s, double r) {
    product p = {.re = 1};
    for (int i = 0; i < s->n; i++)
        for (int j = i + 1; j < s->n; j++)
            multiply(&p, s->re[i] + s->re[j] - 2 * r, s->im[i] + s->im[j], s->slack[i] + s->slack[j]);
    return real_value(&p);
}

void crossing_values(crossing_kind kind, const crossing_spectrum *s, double beyond,
                     crossing_value values[CROSSING_FUNCTIONS]) {
    double r = 1 + beyond;
    switch (kind) {
    case CROSSING_CIRCLE:
        values[0] = product_of_all(s, beyond / r, -1 / r);
        values[1] = product_of_all(s, (2 + beyond) / r, 1 / r);
        values[2] = circle_pairs(s, beyond);
        break;
    case CROSSING_CIRCLE_COMPLEX:
        values[0] = conjugate_pairs(s, beyond);
        break;
    case CROSSING_LINE:
        values[0] = product_of_all(s, -beyond, 1);
        values[1] = line_pairs(s, beyond);
        break;
    case CROSSING_ONE:
        values[0] = product_of_all(s, 0, -1);
        break;
    }
}

bool crossing_scale(const crossing_value *first, int stride, int count, double *scaled, double *noise) {
    long most = 0;
    bool any = false, hidden = true;
    for (int i = 0; i < count; i++) {
        const crossing_value *v = &first[i * stride];
        if (v->mantissa == 0) continue;
        long exponent = v->exponent + ilogb(v->mantissa);
        if (!any || exponent > most) most = exponent;
        any = true;
    }
    *noise = 0;
    for (int i = 0; i < count && any; i++) {
        const crossing_value *v = &first[i * stride];
        long shift = v->exponent - most;
        scaled[i] = shift < -4000 ? 0 : ldexp(v->mantissa, (int)shift);
        *noise = fmax(*noise, fmin(v->noise, 1) * fabs(scaled[i]));
        hidden = hidden && fmin(v->noise, 1) >= NEUTRAL_SHARE;
    }
    return any && !hidden;
}

crossing_value crossing_without_pole(crossing_value f, crossing_value d, int k) {
    product p = {.re = f.mantissa, .exponent = f.exponent};
    for (int i = 0; i < k; i++) {
        multiply(&p, d.mantissa, 0, 0);
        p.exponent += d.exponent;
    }
    return (crossing_value){.mantissa = p.re, .exponent = p.exponent, .noise = f.noise + d.noise};
}

int crossing_beyond(const crossing_spectrum *s, double beyond) {
    int count = 0;
    while (count < s->n && s->ranks[count] > beyond) count++;
    return count;
}

double crossing_trace(const crossing_spectrum *s, int k) {
    double sum = 0;
    for (int i = 0; i < s->n; i++) {
        double re = 1, im = 0, base_re = 1 + s->re[i], base_im = s->im[i];
        for (int rest = k; rest > 0; rest >>= 1) {
            if ((rest & 1) != 0) {
                double kept = re * base_re - im * base_im;
                im = re * base_im + im * base_re;
                re = kept;
            }
            double kept = base_re * base_re - base_im * base_im;
            base_im = 2 * base_re * base_im;
            base_re = kept;
        }
        sum += re;
    }
    return isfinite(sum) ? sum : (double)INFINITY;
}
