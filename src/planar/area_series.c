#include "planar/area_series.h"

#include <math.h>
#include <string.h>

enum { N = SERIES_ORDER };

series series_constant(double value) {
    series s = {.coefficient = {value}};
    return s;
}

series series_line(double centre, double radius) {
    series s = {.coefficient = {centre, radius}};
    return s;
}

series series_polynomial(const double *coefficients, int degree, double centre, double radius) {
    double shifted[32];
    memcpy(shifted, coefficients, (size_t)(degree + 1) * sizeof(double));
    for (int i = 0; i < degree; i++)
        for (int k = degree - 1; k >= i; k--) shifted[k] += centre * shifted[k + 1];
    series s = {.rest = 0};
    double power = 1;
    for (int k = 0; k <= degree; k++, power *= radius) {
        if (k <= N)
            s.coefficient[k] = shifted[k] * power;
        else
            s.rest += fabs(shifted[k] * power);
    }
    return s;
}

series series_add(const series *f, const series *g) {
    series s;
    for (int k = 0; k <= N; k++) s.coefficient[k] = f->coefficient[k] + g->coefficient[k];
    s.rest = f->rest + g->rest;
    return s;
}

series series_scale(const series *f, double factor) {
    series s;
    for (int k = 0; k <= N; k++) s.coefficient[k] = f->coefficient[k] * factor;
    s.rest = f->rest * fabs(factor);
    return s;
}

double series_norm(const series *f) {
    double sum = f->rest;
    for (int k = 0; k <= N; k++) sum += fabs(f->coefficient[k]);
    return sum;
}

series series_multiply(const series *f, const series *g) {
    series s = {.rest = 0};
    double tail[N + 2]; /* tail[k]: magnitudes of g's coefficients from k on */
    tail[N + 1] = 0;
    for (int k = N; k >= 0; k--) tail[k] = tail[k + 1] + fabs(g->coefficient[k]);
    double f_norm = f->rest;
    for (int i = 0; i <= N; i++) {
        double c = f->coefficient[i];
        f_norm += fabs(c);
        if (c == 0) continue;
        for (int j = 0; j <= N - i; j++) s.coefficient[i + j] += c * g->coefficient[j];
        s.rest += fabs(c) * tail[N - i + 1];
    }
    s.rest += f->rest * tail[0] + f_norm * g->rest;
    return s;
}

bool series_invert(const series *f, series *inverse) {
    double first = f->coefficient[0];
    if (!(fabs(first) > 0) || !isfinite(1 / first)) return false;
    series g = {.coefficient = {1 / first}};
    for (int k = 1; k <= N; k++) {
        double sum = 0;
        for (int j = 1; j <= k; j++) sum += f->coefficient[j] * g.coefficient[k - j];
        g.coefficient[k] = -sum / first;
    }
    /* with f g = 1 - h: 1/f = g / (1 - h), off by |g| |h| / (1 - |h|) */
    series product = series_multiply(f, &g);
    if (!(product.rest < 0.5)) return false;
    g.rest = series_norm(&g) * product.rest / (1 - product.rest);
    *inverse = g;
    return true;
}
