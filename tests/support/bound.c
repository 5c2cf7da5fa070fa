#include "bound.h"

#include <math.h>

#include "definition.h"

/* y = A x */
static void apply(const costab_method *m, bool size, const real *x, real *y) {
    for (int i = 0; i < m->stages; i++) {
        y[i] = 0.0L;
        for (int j = 0; j < m->stages; j++)
            y[i] += (size ? fabsl((real)m->A[i][j]) : (real)m->A[i][j]) * x[j];
    }
}

/* Traces of the powers of A, or of its entries' magnitudes: trace[k], k = 1 ... s. */
static void power_traces(const costab_method *m, bool size, real *trace) {
    for (int k = 0; k <= m->stages; k++) trace[k] = 0.0L;
    for (int i = 0; i < m->stages; i++) {
        real x[COSTAB_STAGES_MAX] = {0}, y[COSTAB_STAGES_MAX];
        x[i] = 1.0L;
        for (int k = 1; k <= m->stages; k++) {
            apply(m, size, x, y);
            for (int j = 0; j < m->stages; j++) x[j] = y[j];
            trace[k] += x[i];
        }
    }
}

/* Numerator = denominator * sum_k z^k b' A^k v, cut after z^(s-1): Cayley and Hamilton make the rest vanish.
 */
static void numerator(const costab_method *m, bool size, const real *v, const real *q, real *out) {
    real moment[COSTAB_STAGES_MAX], x[COSTAB_STAGES_MAX], y[COSTAB_STAGES_MAX];
    int s = m->stages;
    for (int i = 0; i < s; i++) x[i] = v[i];
    for (int k = 0; k < s; k++) {
        moment[k] = 0.0L;
        for (int i = 0; i < s; i++) moment[k] += (size ? fabsl((real)m->b[i]) : (real)m->b[i]) * x[i];
        apply(m, size, x, y);
        for (int i = 0; i < s; i++) x[i] = y[i];
    }
    for (int k = 0; k < s; k++) {
        out[k] = 0.0L;
        for (int j = 0; j <= k; j++) out[k] += q[j] * moment[k - j];
    }
}

/* det(I - zA) from the traces t_k of the powers by Newton's identities, k q_k = -sum_j t_j q_(k-j). With
 * magnitudes and a plus sign the sums are the coefficients of 1/det(I - z|A|), which MacMahon's master
 * theorem puts above the sums of the products that determinants are made of. */
weight_polynomials bound_polynomials(const costab_method *m) {
    weight_polynomials p = {.stages = m->stages};
    real trace[COSTAB_STAGES_MAX + 1], size[COSTAB_STAGES_MAX + 1];
    real one[COSTAB_STAGES_MAX] = {0}, c[COSTAB_STAGES_MAX], c_size[COSTAB_STAGES_MAX];
    for (int i = 0; i < m->stages; i++) one[i] = 1.0L;
    apply(m, false, one, c);
    apply(m, true, one, c_size);
    power_traces(m, false, trace);
    power_traces(m, true, size);
    p.denominator[0] = p.denominator_size[0] = 1.0L;
    for (int k = 1; k <= m->stages; k++) {
        for (int j = 1; j <= k; j++) {
            p.denominator[k] -= trace[j] * p.denominator[k - j] / (real)k;
            p.denominator_size[k] += size[j] * p.denominator_size[k - j] / (real)k;
        }
    }
    numerator(m, false, one, p.denominator, p.phi);
    numerator(m, true, one, p.denominator_size, p.phi_size);
    numerator(m, false, c, p.denominator, p.p1);
    numerator(m, true, c_size, p.denominator_size, p.p1_size);
    return p;
}

/* A polynomial whose coefficients carry the rounding of about 2 s operations on their sizes, at a z that
 * carries one relative rounding, which z^k takes k-fold. */
static approx polynomial(int count, const real *coefficient, const real *size, complex_real z) {
    complex_real value = 0.0L;
    real magnitude = 0.0L;
    for (int k = count - 1; k >= 0; k--) {
        value = value * z + coefficient[k];
        magnitude = magnitude * cabsl(z) + size[k];
    }
    return approx_rounded(value, magnitude, (real)(count + 1));
}

static approx_weights exact(int substeps, complex_real z) {
    exact_weights w = define_exact(z);
    /* Beyond 1 the numerators e^z - 1 and e^z - 1 - z may cancel; a relative rounding of z moves e^z by |z|
     * of it. */
    real operations = 8.0L + 2.0L * (real)substeps + cabsl(z), length = cabsl(z);
    real top = cabsl(w.R) + 1.0L;
    approx_weights out;
    out.R = approx_rounded(w.R, cabsl(w.R), operations);
    out.phi = approx_rounded(w.phi, length > 1.0L ? top / length : cabsl(w.phi), operations);
    out.p1 =
        approx_rounded(w.p1, length > 1.0L ? (top + length) / (length * length) : cabsl(w.p1), operations);
    out.p0 = approx_subtract(out.phi, out.p1);
    return out;
}

static approx_weights one_step(const costab_method *method, complex_real z) {
    weight_polynomials p = bound_polynomials(method);
    approx denominator = polynomial(p.stages + 1, p.denominator, p.denominator_size, z);
    approx_weights out;
    out.phi = approx_divide(polynomial(p.stages, p.phi, p.phi_size, z), denominator);
    out.p1 = approx_divide(polynomial(p.stages, p.p1, p.p1_size, z), denominator);
    out.p0 = approx_subtract(out.phi, out.p1);
    approx product = approx_multiply(approx_rounded(z, cabsl(z), 1.0L), out.phi);
    out.R = approx_add(approx_of(1.0L), product);
    return out;
}

approx_weights bound_weights(const costab_method *method, int substeps, complex_real z) {
    if (method->kind == COSTAB_EXACT) return exact(substeps, z);
    approx m = approx_of((real)substeps);
    approx_weights one = one_step(method, z / (real)substeps);
    if (substeps == 1) return one;
    approx_weights out = {approx_of(1.0L), approx_of(0.0L), approx_of(0.0L), approx_of(0.0L)};
    approx p0 = approx_divide(one.p0, m), p1 = approx_divide(one.p1, m);
    for (int j = 0; j < substeps; j++) {
        approx start = approx_rounded((real)j / (real)substeps, (real)j / (real)substeps, 1.0L);
        approx end = approx_rounded((real)(j + 1) / (real)substeps, (real)(j + 1) / (real)substeps, 1.0L);
        approx left = approx_multiply(p0, approx_subtract(approx_of(1.0L), start));
        approx right = approx_multiply(p1, approx_subtract(approx_of(1.0L), end));
        out.p0 = approx_add(approx_multiply(one.R, out.p0), approx_add(left, right));
        left = approx_multiply(p0, start);
        right = approx_multiply(p1, end);
        out.p1 = approx_add(approx_multiply(one.R, out.p1), approx_add(left, right));
        out.R = approx_multiply(one.R, out.R);
    }
    out.phi = approx_add(out.p0, out.p1);
    return out;
}

/* The signs that decide, from trace, determinant and 1 - Tr + Det. */
static void conditions(approx_point *p) {
    approx one = approx_of(1.0L);
    p->flip = approx_add(approx_add(one, p->trace), p->determinant);
    p->det = approx_subtract(one, p->determinant);
}

static approx_point coupled(const costab_planar *planar, double a, double gamma, double delta) {
    real d = (real)gamma - (real)a, product = (real)a * d;
    approx_weights wa = bound_weights(&planar->method, planar->substeps[0], (real)a);
    approx_weights wd = bound_weights(&planar->method, planar->substeps[1], d);
    approx w = approx_rounded(product - (real)delta, fabsl(product) + fabsl((real)delta), 1.0L);
    approx RR = approx_multiply(wa.R, wd.R), sum = approx_add(wa.R, wd.R);
    approx one = approx_of(1.0L);
    approx_point p = {.iteration = one};
    p.fold = approx_multiply(approx_of((real)delta), approx_multiply(wa.phi, wd.phi));
    if (planar->scheme == COSTAB_CROSS) {
        p.trace = sum;
        p.determinant = approx_subtract(RR, approx_multiply(w, approx_multiply(wa.phi, wd.phi)));
    } else if (planar->scheme == COSTAB_ZIGZAG) {
        p.trace = approx_add(sum, approx_multiply(w, approx_multiply(wa.phi, wd.p1)));
        p.determinant = approx_subtract(RR, approx_multiply(w, approx_multiply(wa.phi, wd.p0)));
    } else {
        approx square = approx_multiply(w, approx_multiply(wa.p1, wd.p1));
        approx K = approx_subtract(one, square);
        approx mixed = approx_add(approx_multiply(wa.p1, wd.p0), approx_multiply(wa.p0, wd.p1));
        p.trace = approx_divide(approx_add(sum, approx_multiply(w, mixed)), K);
        approx p00 = approx_multiply(wa.p0, wd.p0);
        p.determinant = approx_divide(approx_subtract(RR, approx_multiply(w, p00)), K);
        p.fold = approx_divide(p.fold, K);
        approx size = {cabsl(square.value), square.error};
        p.iteration = approx_subtract(one, size);
        real radius = sqrtl(cabsl(square.value));
        p.iteration_radius = (approx){radius, radius > 0.0L ? square.error / radius : sqrtl(square.error)};
        p.iteration_radius.error += APPROX_ROUNDING * radius;
    }
    conditions(&p);
    return p;
}

/* A matrix polynomial in A as alpha A + beta I: trace and determinant, by A^k = u_k A + v_k I. */
typedef struct matrix_polynomial {
    approx alpha, beta;
} matrix_polynomial;

static matrix_polynomial cayley(int count, const real *coefficient, const real *size, approx trace,
                                approx determinant) {
    matrix_polynomial p = {approx_of(0.0L), approx_of(0.0L)};
    approx u = approx_of(0.0L), v = approx_of(1.0L);
    for (int k = 0; k < count; k++) {
        approx c = approx_rounded(coefficient[k], size[k], (real)(count + 1));
        p.alpha = approx_add(p.alpha, approx_multiply(c, u));
        p.beta = approx_add(p.beta, approx_multiply(c, v));
        approx next = approx_add(approx_multiply(trace, u), v);
        v = approx_subtract(approx_of(0.0L), approx_multiply(determinant, u));
        u = next;
    }
    return p;
}

static approx trace_of(matrix_polynomial p, approx trace) {
    return approx_add(approx_multiply(p.alpha, trace), approx_multiply(approx_of(2.0L), p.beta));
}

/* det(alpha A + beta I) = alpha^2 Delta + alpha beta Gamma + beta^2 */
static approx determinant_of(matrix_polynomial p, approx trace, approx determinant) {
    approx first = approx_multiply(approx_multiply(p.alpha, p.alpha), determinant);
    approx second = approx_multiply(approx_multiply(p.alpha, p.beta), trace);
    return approx_add(approx_add(first, second), approx_multiply(p.beta, p.beta));
}

/* tr(P Q) */
static approx trace_of_product(matrix_polynomial p, matrix_polynomial q, approx trace, approx determinant) {
    approx square =
        approx_subtract(approx_multiply(trace, trace), approx_multiply(approx_of(2.0L), determinant));
    approx mixed = approx_add(approx_multiply(p.alpha, q.beta), approx_multiply(p.beta, q.alpha));
    approx out = approx_multiply(approx_multiply(p.alpha, q.alpha), square);
    out = approx_add(out, approx_multiply(mixed, trace));
    return approx_add(out, approx_multiply(approx_of(2.0L), approx_multiply(p.beta, q.beta)));
}

/* Trace and determinant of one micro step, and det phi(A), with which 1 - Tr + Det = det(A phi(A)). */
static approx_point rational_step(const costab_method *method, approx trace, approx determinant) {
    weight_polynomials w = bound_polynomials(method);
    int s = w.stages;
    real top[COSTAB_STAGES_MAX + 1], top_size[COSTAB_STAGES_MAX + 1];
    for (int k = 0; k <= s; k++) { /* R = (Q + z N) / Q */
        top[k] = w.denominator[k] + (k > 0 ? w.phi[k - 1] : 0.0L);
        top_size[k] = w.denominator_size[k] + (k > 0 ? w.phi_size[k - 1] : 0.0L);
    }
    matrix_polynomial N = cayley(s + 1, top, top_size, trace, determinant);
    matrix_polynomial Q = cayley(s + 1, w.denominator, w.denominator_size, trace, determinant);
    matrix_polynomial phi = cayley(s, w.phi, w.phi_size, trace, determinant);
    approx det_Q = determinant_of(Q, trace, determinant);
    approx_point p = {.iteration = approx_of(1.0L)};
    p.determinant = approx_divide(determinant_of(N, trace, determinant), det_Q);
    /* N adj(Q) = N (tr Q - Q) */
    approx whole = approx_multiply(trace_of(N, trace), trace_of(Q, trace));
    p.trace = approx_divide(approx_subtract(whole, trace_of_product(N, Q, trace, determinant)), det_Q);
    p.fold = approx_multiply(determinant, approx_divide(determinant_of(phi, trace, determinant), det_Q));
    return p;
}

static approx_point exact_simulation(double gamma, double delta) {
    real half = (real)gamma / 2.0L, discriminant = half * half - (real)delta,
         root = sqrtl(fabsl(discriminant));
    real off = APPROX_ROUNDING * (half * half + fabsl((real)delta));
    real even = discriminant >= 0.0L ? coshl(root) : cosl(root);
    /* d cosh(sqrt x)/dx = sinh(sqrt x) / (2 sqrt x), at most cosh(sqrt x)/2 for x > 0 and 1/2 below */
    real slope = (discriminant > -off ? coshl(sqrtl(fmaxl(discriminant + off, 0.0L))) : 1.0L) / 2.0L;
    real scale = 2.0L * expl(half);
    approx_point p = {.iteration = approx_of(1.0L)};
    p.determinant = approx_rounded(expl((real)gamma), expl((real)gamma), 2.0L + fabsl((real)gamma));
    p.trace =
        approx_rounded(scale * even, scale * fmaxl(fabsl(even), 1.0L), 4.0L + fabsl((real)gamma) + root);
    p.trace.error += scale * slope * off;
    p.fold = approx_add(approx_subtract(approx_of(1.0L), p.trace), p.determinant);
    return p;
}

static approx_point simulation(const costab_planar *planar, double gamma, double delta) {
    if (planar->method.kind == COSTAB_EXACT) {
        approx_point p = exact_simulation(gamma, delta);
        conditions(&p);
        return p;
    }
    real m = (real)planar->substeps[0];
    approx trace = approx_rounded((real)gamma / m, fabsl((real)gamma) / m, 1.0L);
    approx determinant = approx_rounded((real)delta / m / m, fabsl((real)delta) / m / m, 1.0L);
    approx_point one = rational_step(&planar->method, trace, determinant), p = one;
    approx before = approx_of(2.0L);
    for (int k = 1; k < planar->substeps[0]; k++) { /* tr D^(k+1) = tr D tr D^k - det D tr D^(k-1) */
        approx next =
            approx_subtract(approx_multiply(one.trace, p.trace), approx_multiply(one.determinant, before));
        before = p.trace;
        p.trace = next;
        p.determinant = approx_multiply(p.determinant, one.determinant);
    }
    if (planar->substeps[0] > 1)
        p.fold = approx_add(approx_subtract(approx_of(1.0L), p.trace), p.determinant);
    conditions(&p);
    return p;
}

approx_point bound_point(const costab_planar *planar, double a, double gamma, double delta) {
    approx_point p = planar->scheme == COSTAB_SIMULATION ? simulation(planar, gamma, delta)
                                                         : coupled(planar, a, gamma, delta);
    /* Errors of trace and determinant are relative to max(1, |value|): they may be formed as 2 + x and 1 + y,
     * x and y good to a few roundings. */
    p.trace.error += 8.0L * APPROX_ROUNDING;
    p.determinant.error += 4.0L * APPROX_ROUNDING;
    return p;
}

real bound_spectral_radius(const approx_point *point) {
    real trace = approx_value(point->trace), determinant = approx_value(point->determinant);
    real radius = define_spectral_radius(trace, determinant);
    real eta =
        point->trace.error * radius + point->determinant.error + 4.0L * APPROX_ROUNDING * radius * radius;
    real apart = sqrtl(fabsl(trace * trace - 4.0L * determinant));
    real moved = apart > 4.0L * sqrtl(eta) ? 2.0L * eta / apart : 2.0L * sqrtl(eta);
    return moved + APPROX_ROUNDING * radius;
}

approx bound_condition(const approx_point *point, uint8_t cause) {
    if (cause == COSTAB_CAUSE_DET) return point->det;
    if (cause == COSTAB_CAUSE_FOLD) return point->fold;
    return cause == COSTAB_CAUSE_FLIP ? point->flip : point->iteration;
}

uint8_t bound_cause(const costab_planar *planar, const approx_point *point, bool *sure) {
    static const uint8_t flags[] = {COSTAB_CAUSE_DET, COSTAB_CAUSE_FOLD, COSTAB_CAUSE_FLIP,
                                    COSTAB_CAUSE_ITERATION};
    uint8_t cause = 0;
    *sure = true;
    int count = planar->scheme == COSTAB_STRONG ? 4 : 3;
    for (int i = 0; i < count; i++) {
        approx value = bound_condition(point, flags[i]);
        if (!(fabsl(approx_value(value)) > value.error)) *sure = false;
        if (approx_value(value) <= 0.0L) cause |= flags[i];
    }
    return cause;
}
