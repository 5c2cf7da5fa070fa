/* Areas of the monolithic simulation, through the curves |R(z)| = 1.
 *
 * A stable point has both eigenvalues of A in D = {|R| < 1}; micro steps only scale the plane, areas by m^3.
 * With dGamma dDelta = |z1 - z2| dz1 dz2 for real and 4 y dx dy for complex pairs x +- iy, real pairs give
 * polynomials in the ends of D's real intervals. For complex pairs Green's theorem turns the integral over D
 * into one of -2 y |y| dx over the curves R(z) = e^(i theta), which are, for 0 < theta < pi, the roots
 * z_k(theta) of a polynomial: the area is
 *
 *     integral over 0 < theta < pi of the sum over k of -2 y_k |y_k| dx_k/dtheta,
 *
 * those with x_k < 0 belong to SS, those with x_k > 0 to US: the cut x = 0 has dx = 0. The sum does not ask
 * which root is which. It is analytic in theta but where a curve crosses x = 0 and where R' = 0: both give
 * break points. */
#include "planar/area_simulation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "planar/complex_roots.h"
#include "planar/polynomial.h"
#include "planar/quadrature.h"

enum { S = COSTAB_STAGES_MAX, ANGLES_MAX = 4 * S + 8 };

static const wide pi = 3.141592653589793238462643L;

typedef struct curves {
    int degree;
    wide_complex P[S + 1], Q[S + 1]; /* R - 1 = P / Q */
    wide_complex roots[S + 1];
    bool started, failed;
    bool right; /* which half is integrated: x > 0 */
    bool axis;  /* the imaginary axis is one of the curves */
    bool seen;  /* a curve within that half */
} curves;

/* The polynomial whose roots are the points of R = e^(i theta). */
static void level_polynomial(const curves *c, wide theta, wide_complex *f) {
    /* 1 - e^(i theta) without cancellation */
    wide_complex gap = 2 * sinl(theta / 2) * (sinl(theta / 2) - cosl(theta / 2) * (wide_complex)I);
    for (int k = 0; k <= c->degree; k++) f[k] = c->P[k] + gap * c->Q[k];
}

static quadrature_sample density(void *context, wide theta) {
    curves *c = context;
    wide_complex f[S + 1], turn = cosl(theta) + sinl(theta) * (wide_complex)I;
    level_polynomial(c, theta, f);
    int degree = c->degree;
    while (degree > 0 && f[degree] == 0) degree--;
    c->started = complex_roots(f, degree, c->roots, c->started && degree == c->degree);
    if (!c->started && !complex_roots(f, degree, c->roots, false)) c->failed = true;

    quadrature_sample sample = {0, 0};
    for (int k = 0; k < degree; k++) {
        wide_complex z = c->roots[k], slope;
        complex_value(f, degree, z, &slope);
        wide x = creall(z), y = cimagl(z), speed_error;
        wide shift = DBL_EPSILON * complex_size(f, degree, z) / cabsl(slope); /* how far z may be off */
        wide_complex curvature = 0;
        for (int j = degree; j >= 2; j--) curvature = curvature * z + (wide)(j * (j - 1)) * f[j];
        wide_complex speed = (wide_complex)I * turn * complex_value(c->Q, degree, z, NULL) / slope;
        speed_error = cabsl(speed) * (4 * DBL_EPSILON + shift * cabsl(curvature / slope));
        bool on_axis = fabsl(x) <= 4 * shift || (c->axis && fabsl(x) <= 1e-9L * cabsl(z));
        wide noise = 4 * fabsl(y) * shift * cabsl(speed) + 2 * y * y * speed_error;
        if (on_axis || (x > 0) == c->right) sample.noise += c->axis && on_axis ? 0 : noise;
        if (on_axis || (x > 0) != c->right) continue;
        c->seen = true;
        sample.value += -2 * y * fabsl(y) * creall(speed);
    }
    return sample;
}

/* |P + Q|^2 - |Q|^2 on the imaginary axis, a polynomial in v = y^2. */
static void axis_growth(const curves *c, double *G) {
    int n = c->degree;
    for (int power = 0; power <= n; power++) {
        wide sum = 0, size = 0;
        for (int i = 0; i <= n; i++) {
            int j = 2 * power - i;
            if (j < 0 || j > n) continue;
            /* conj(i^i) i^j with i + j even */
            wide sign = ((j - i) / 2) % 2 == 0 ? 1 : -1;
            wide term = sign * creall(c->P[i]) * (creall(c->P[j]) + 2 * creall(c->Q[j]));
            sum += term;
            size += fabsl(term);
        }
        G[power] = fabsl(sum) <= 16 * DBL_EPSILON * size ? 0 : (double)sum;
    }
}

static int ascending(const void *left, const void *right) {
    wide a = *(const wide *)left, b = *(const wide *)right;
    return (a > b) - (a < b);
}

static wide angle_of(const curves *c, wide_complex z) {
    wide_complex increment =
        complex_value(c->P, c->degree, z, NULL) / complex_value(c->Q, c->degree, z, NULL);
    return fabsl(cargl(1 + increment));
}

/* theta at which a curve crosses the imaginary axis or comes near a critical point of R. */
static int break_angles(const curves *c, const double *G, wide *angles) {
    int count = 0, n = c->degree;
    angles[count++] = 0;
    angles[count++] = pi;
    double crossings[S + 1];
    int crossing_count = polynomial_roots(G, n, 0, INFINITY, crossings, NULL, NULL);
    for (int k = 0; k < crossing_count; k++)
        angles[count++] = angle_of(c, sqrtl((wide)crossings[k]) * (wide_complex)I);

    wide_complex W[2 * S + 1] = {0}, critical[2 * S + 1]; /* P' Q - P Q' */
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++)
            if (i + j > 0) W[i + j - 1] += (wide)(i - j) * c->P[i] * c->Q[j];
    int degree = 2 * n - 1;
    while (degree > 0 && cabsl(W[degree]) == 0) degree--;
    if (complex_roots(W, degree, critical, false))
        for (int k = 0; k < degree; k++) angles[count++] = angle_of(c, critical[k]);
    qsort(angles, (size_t)count, sizeof *angles, ascending);
    return count;
}

/* Whether the complex part of D has an infinite area on the left and on the right. */
static void unbounded_parts(const curves *c, const double *G, bool *left, bool *right) {
    *left = *right = false;
    int n = c->degree;
    wide p = creall(c->P[n]), q = creall(c->Q[n]);
    if (q == 0) return; /* R grows */
    wide excess = fabsl(p + q) - fabsl(q);
    if (fabsl(excess) > 8 * DBL_EPSILON * (fabsl(p) + fabsl(q))) {
        *left = *right = excess < 0;
        return;
    }
    /* R -> +-1 (1 + c1 / z + ...): for c1 > 0 the left half of the far plane is stable, for c1 = 0 sectors of
     * both */
    wide sign = fabsl(p) > fabsl(q) ? -1 : 1;
    wide first = sign * (creall(c->P[n - 1]) + creall(c->Q[n - 1])) - creall(c->Q[n - 1]);
    wide second = creall(c->Q[n - 1]);
    bool flat = fabsl(first) <= 16 * DBL_EPSILON * (fabsl(creall(c->P[n - 1])) + fabsl(second));
    *left = flat || first / q > 0;
    *right = flat || first / q < 0;
    /* beside the imaginary axis |R|^2 - 1 = -C y^(2(k - n)) leaves a strip of width y^(2(k - n) + 2) */
    int k = n;
    while (k > 0 && G[k] == 0) k--;
    if (G[k] != 0 && k >= n - 2) {
        *right = *right || G[k] < 0;
        *left = *left || G[k] < 0;
    }
}

/* ---- real pairs ---- */

typedef struct total {
    bool infinite;
    quadrature_sum sum;
} total;

static void add_real_pairs(const costab_planar *planar, total *ss, total *us) {
    for (int i = 0; i < planar->real_count; i++)
        for (int j = i; j < planar->real_count; j++) {
            wide l1 = planar->real_lower[i], u1 = planar->real_upper[i];
            wide l2 = planar->real_lower[j], u2 = planar->real_upper[j];
            total *to = u1 <= 0 && u2 <= 0 ? ss : us;
            if (isinf(l1) || isinf(u1) || isinf(l2) || isinf(u2)) {
                to->infinite = true;
                continue;
            }
            wide first = u1 - l1, second = u2 - l2, apart = 0.5L * (u2 + l2 - u1 - l1);
            wide reach = fmaxl(fmaxl(fabsl(l1), fabsl(u1)), fmaxl(fabsl(l2), fabsl(u2)));
            to->sum.value += i == j ? first * first * first / 6 : first * second * apart;
            to->sum.noise += 16 * DBL_EPSILON * reach * (first * second + (first + second) * apart);
        }
}

static void add_complex_pairs(curves *c, const wide *angles, int count, bool right, total *to) {
    if (to->infinite) return;
    c->right = right;
    c->started = c->seen = false;
    quadrature_sum sum = {.converged = true};
    for (int k = 0; k + 1 < count; k++)
        if (angles[k + 1] - angles[k] > 1e-15L)
            quadrature_add(density, c, angles[k], angles[k + 1], 0x1p-55L, &sum);
    if (!c->seen) return;
    to->sum.value += sum.value;
    to->sum.noise += sum.noise;
    to->sum.truncation += sum.truncation;
    to->sum.converged = to->sum.converged && sum.converged;
}

static void finish(const total *t, wide scale, double *area, double *error) {
    *area = t->infinite ? (double)INFINITY : (double)(scale * t->sum.value);
    *error = t->infinite
                 ? 0
                 : (double)(scale * (t->sum.noise + t->sum.truncation + fabsl(t->sum.value) * DBL_EPSILON));
}

costab_status area_simulation(const costab_planar *planar, costab_areas *areas, costab_error *error) {
    const costab_method *method = &planar->method;
    if (method->kind == COSTAB_EXACT) {
        *areas = (costab_areas){.ss = INFINITY};
        return COSTAB_OK;
    }
    curves c = {.degree = method->stages};
    for (int k = 0; k <= method->stages; k++) {
        c.P[k] = k > 0 ? method->phi[k - 1] : 0;
        c.Q[k] = method->denominator[k];
    }
    while (c.degree > 1 && c.P[c.degree] == 0 && c.Q[c.degree] == 0) c.degree--;

    double G[S + 1] = {0};
    wide angles[ANGLES_MAX];
    axis_growth(&c, G);
    c.axis = true;
    for (int k = 0; k <= c.degree; k++) c.axis = c.axis && G[k] == 0;
    int count = break_angles(&c, G, angles);
    total ss = {.sum = {.converged = true}}, us = {.sum = {.converged = true}};
    unbounded_parts(&c, G, &ss.infinite, &us.infinite);
    add_real_pairs(planar, &ss, &us);
    add_complex_pairs(&c, angles, count, false, &ss);
    add_complex_pairs(&c, angles, count, true, &us);
    if (c.failed || !ss.sum.converged || !us.sum.converged)
        return error_set(error, COSTAB_NUMERIC,
                         "the area of the simulation with %s did not reach its accuracy", method->name);
    wide m = planar->substeps[0], scale = m * m * m;
    finish(&ss, scale, &areas->ss, &areas->error_ss);
    finish(&us, scale, &areas->us, &areas->error_us);
    return COSTAB_OK;
}
