#include "definition.h"

#include <float.h>
#include <math.h>

#define UNKNOWNS_MAX (2 * COSTAB_STAGES_MAX)

exact_weights define_exact(complex_real z) {
    exact_weights w;
    if (cabsl(z) > 2.0L) {
        w.R = cexpl(z);
        w.phi = (w.R - 1.0L) / z;
        w.p1 = (w.phi - 1.0L) / z;
        return w;
    }
    complex_real term = 0.5L; /* z^k / (k + 2)! */
    w.p1 = 0.0L;
    for (int k = 0; k < 40; k++) {
        w.p1 += term;
        term *= z / (real)(k + 3);
    }
    w.phi = 1.0L + z * w.p1;
    w.R = 1.0L + z * w.phi;
    return w;
}

/* e^B of a 2 x 2 matrix without trace, by Taylor's series and squaring. */
static void exponential(const real *B, real *E) {
    real norm = fmaxl(fabsl(B[0]) + fabsl(B[1]), fabsl(B[2]) + fabsl(B[3]));
    int squarings = norm > 0.5L ? (int)ceill(log2l(norm)) + 1 : 0;
    real scale = ldexpl(1.0L, -squarings);
    real term[4] = {1.0L, 0.0L, 0.0L, 1.0L};
    for (int i = 0; i < 4; i++) E[i] = term[i];
    for (int k = 1; k < 30; k++) {
        real next[4];
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                next[2 * i + j] = (term[2 * i] * B[j] + term[2 * i + 1] * B[2 + j]) * scale / (real)k;
        for (int i = 0; i < 4; i++) E[i] += term[i] = next[i];
    }
    for (int k = 0; k < squarings; k++) {
        real square[4];
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) square[2 * i + j] = E[2 * i] * E[j] + E[2 * i + 1] * E[2 + j];
        for (int i = 0; i < 4; i++) E[i] = square[i];
    }
}

static void advance_exact(int n, const real *A, const real *u0, const real *u1, real *x) {
    if (n == 1) {
        exact_weights w = define_exact(A[0]);
        x[0] = creall(w.R) * x[0] + creall(w.phi - w.p1) * u0[0] + creall(w.p1) * u1[0];
        return;
    }
    real half = (A[0] + A[3]) / 2.0L, E[4];
    real B[4] = {(A[0] - A[3]) / 2.0L, A[1], A[2], (A[3] - A[0]) / 2.0L};
    exponential(B, E);
    real first = expl(half) * (E[0] * x[0] + E[1] * x[1]);
    x[1] = expl(half) * (E[2] * x[0] + E[3] * x[1]);
    x[0] = first;
}

/* The stage derivatives of one micro step of length 1: k_i = A (x + sum_j a_ij k_j) + u_i; u and k hold n
 * values a stage. */
static void stages(const costab_method *method, int n, const real *A, const real *u, const real *x, real *k) {
    int s = method->stages;
    bool explicit_ = true;
    for (int i = 0; i < s; i++)
        for (int j = i; j < s; j++) explicit_ = explicit_ && method->A[i][j] == 0.0;
    real M[UNKNOWNS_MAX][UNKNOWNS_MAX];
    for (int i = 0; i < s; i++) {
        for (int p = 0; p < n; p++) {
            int row = i * n + p;
            k[row] = u[row];
            for (int q = 0; q < n; q++) {
                real state = x[q];
                for (int j = 0; j < (explicit_ ? i : 0); j++) state += (real)method->A[i][j] * k[j * n + q];
                k[row] += A[p * n + q] * state;
            }
            if (explicit_) continue;
            for (int j = 0; j < s; j++)
                for (int q = 0; q < n; q++)
                    M[row][j * n + q] =
                        (row == j * n + q ? 1.0L : 0.0L) - A[p * n + q] * (real)method->A[i][j];
        }
    }
    if (!explicit_) eliminate(s * n, UNKNOWNS_MAX, M[0], k);
}

void define_advance(const costab_method *method, int substeps, int n, const real *A, const real *u0,
                    const real *u1, real *x) {
    if (method->kind == COSTAB_EXACT) {
        advance_exact(n, A, u0, u1, x);
        return;
    }
    real m = (real)substeps, micro[4], u[UNKNOWNS_MAX] = {0}, k[UNKNOWNS_MAX];
    for (int i = 0; i < n * n; i++) micro[i] = A[i] / m;
    for (int step = 0; step < substeps; step++) {
        for (int i = 0; i < method->stages; i++) {
            real time = ((real)step + (real)method->c[i]) / m;
            for (int p = 0; p < n; p++) u[i * n + p] = (u0[p] + (u1[p] - u0[p]) * time) / m;
        }
        stages(method, n, micro, u, x, k);
        for (int i = 0; i < method->stages; i++)
            for (int p = 0; p < n; p++) x[p] += (real)method->b[i] * k[i * n + p];
    }
}

/* One subsystem's macro step: own rate, coupling factor times the other's value from first to last. */
static real subsystem(const costab_planar *p, int which, real rate, real factor, real own, real first,
                      real last) {
    real u0 = factor * first, u1 = factor * last;
    define_advance(&p->method, p->substeps[which], 1, &rate, &u0, &u1, &own);
    return own;
}

/* One sweep of strong coupling from the state (x, y) with guesses of the new state, which it renews. */
static void sweep(const costab_planar *p, const real *system, real x, real y, real *guess) {
    real next = subsystem(p, 0, system[0], system[1], x, y, guess[1]);
    guess[1] = subsystem(p, 1, system[3], system[2], y, x, guess[0]);
    guess[0] = next;
}

static bool iterate(const costab_planar *p, const real *system, real x, real y, real *guess) {
    guess[0] = x;
    guess[1] = y;
    for (int i = 0; i < 2000; i++) {
        real before[2] = {guess[0], guess[1]};
        sweep(p, system, x, y, guess);
        real change = fmaxl(fabsl(guess[0] - before[0]), fabsl(guess[1] - before[1]));
        if (change <= 0.5L * LDBL_EPSILON * fmaxl(fabsl(guess[0]), fabsl(guess[1]))) return true;
    }
    return false; /* rounding keeps it moving in the last digit, or it does not contract */
}

static void strong(const costab_planar *p, const real *system, definition *out) {
    /* A sweep maps guesses g to N (x, y) + M g; M has zeros on its diagonal. */
    real first[2] = {1.0L, 0.0L}, second[2] = {0.0L, 1.0L};
    sweep(p, system, 0.0L, 0.0L, first);
    sweep(p, system, 0.0L, 0.0L, second);
    real m01 = second[0], m10 = first[1], K = 1.0L - m01 * m10;
    out->iteration_radius = sqrtl(fabsl(m01 * m10));
    out->iterated = out->iteration_radius < 0.9L;
    for (int j = 0; j < 2; j++) {
        real x = j == 0, y = j == 1, guess[2];
        if (out->iterated) {
            if (!iterate(p, system, x, y, guess)) sweep(p, system, x, y, guess);
        } else {
            real n[2] = {0.0L, 0.0L};
            sweep(p, system, x, y, n);
            guess[0] = (n[0] + m01 * n[1]) / K;
            guess[1] = (n[1] + m10 * n[0]) / K;
        }
        out->D[0][j] = guess[0];
        out->D[1][j] = guess[1];
    }
}

definition define_planar(const costab_planar *planar, real a, real b, real c, real d) {
    definition out = {.iteration_radius = (real)NAN};
    const real system[4] = {a, b, c, d};
    const real none[2] = {0.0L, 0.0L};
    for (int j = 0; j < 2 && planar->scheme != COSTAB_STRONG; j++) {
        real start[2] = {j == 0, j == 1}, end[2] = {j == 0, j == 1};
        if (planar->scheme == COSTAB_SIMULATION) {
            define_advance(&planar->method, planar->substeps[0], 2, system, none, none, end);
        } else {
            end[0] = subsystem(planar, 0, a, b, start[0], start[1], start[1]);
            real seen = planar->scheme == COSTAB_ZIGZAG ? end[0] : start[0];
            end[1] = subsystem(planar, 1, d, c, start[1], start[0], seen);
        }
        out.D[0][j] = end[0];
        out.D[1][j] = end[1];
    }
    if (planar->scheme == COSTAB_STRONG) strong(planar, system, &out);
    out.trace = out.D[0][0] + out.D[1][1];
    real direct = out.D[0][0] * out.D[1][1], crossed = out.D[0][1] * out.D[1][0];
    out.determinant = direct - crossed;
    out.trace_rounding = 1024.0L * LDBL_EPSILON * (fabsl(out.D[0][0]) + fabsl(out.D[1][1]));
    out.determinant_rounding = 1024.0L * LDBL_EPSILON * (fabsl(direct) + fabsl(crossed));
    return out;
}

definition define_point(const costab_planar *planar, double a, double gamma, double delta) {
    real d = (real)gamma - (real)a;
    return define_planar(planar, (real)a, 1.0L, (real)a * d - (real)delta, d);
}

real define_spectral_radius(real trace, real determinant) {
    real discriminant = trace * trace / 4.0L - determinant;
    if (discriminant < 0.0L) return sqrtl(determinant);
    return fabsl(trace) / 2.0L + sqrtl(discriminant);
}
