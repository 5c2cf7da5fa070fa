/* The map D of one macro step of the planar system, and time histories (costab/planar.h).
 *
 * The system is z' = A z with A = [a b; c d] in units of the macro step. R, phi, P0 and P1 are the weights of
 * a subsystem's macro step (costab/method.h) at a or d: R multiplies its state, phi a constant input, P0 and
 * P1 the old and the new value of an input that is linear during the step.
 * 1. Monolithic (scheme `simulation`): R(A/m)^m for m micro steps, R by Horner's rule on matrices of order 2
 *    and one quotient; e^A in closed form for the method `exact`.
 * 2. Co-simulation schemes: from R, phi, P0 and P1 of both subsystems ([KNS] eqs. 31, 36, 37).
 * 3. Histories: repeated multiplication by D.
 *
 * Cost: about 2 stages + 2 log2 m products of order 2 per map, 4 multiplications per step. Limitation:
 * overflow and zero denominators give inf and NaN. */
#include <math.h>
#include <string.h>

#include "planar/row.h"

typedef struct matrix2 {
    double xx, xy, yx, yy; /* row-major */
} matrix2;

static matrix2 product(matrix2 p, matrix2 q) {
    return (matrix2){p.xx * q.xx + p.xy * q.yx, p.xx * q.xy + p.xy * q.yy, p.yx * q.xx + p.yy * q.yx,
                     p.yx * q.xy + p.yy * q.yy};
}

/* Sum of coefficients[k] A^k by Horner's rule. */
static matrix2 polynomial_of(const double *coefficients, int degree, matrix2 A) {
    matrix2 sum = {coefficients[degree], 0, 0, coefficients[degree]};
    for (int k = degree - 1; k >= 0; k--) {
        sum = product(sum, A);
        sum.xx += coefficients[k];
        sum.yy += coefficients[k];
    }
    return sum;
}

/* p^-1 q by the adjugate; not finite if p is singular. */
static matrix2 solve(matrix2 p, matrix2 q) {
    double determinant = p.xx * p.yy - p.xy * p.yx;
    matrix2 adjugate = {p.yy / determinant, -p.xy / determinant, -p.yx / determinant, p.xx / determinant};
    return product(adjugate, q);
}

/* e^A = e^x [cosh(r) I + sinh(r)/r (A - xI)] with x half the trace and r^2 = x^2 - det A. */
static matrix2 exponential(matrix2 A) {
    double x = 0.5 * (A.xx + A.yy), half = 0.5 * (A.xx - A.yy), square = fma(half, half, A.xy * A.yx);
    double r = sqrt(fabs(square)), even, odd;
    if (square < 0) {
        even = exp(x) * cos(r);
        odd = exp(x) * (r > 0 ? sin(r) / r : 1);
    } else {
        /* e^(x+r) and e^(x-r) separately: cosh and sinh could overflow */
        double up = exp(x + r), down = exp(x - r);
        even = 0.5 * (up + down);
        odd = r > 1e-4 ? 0.5 * (up - down) / r : exp(x) * (1 + r * r / 6);
    }
    return (matrix2){even + odd * half, odd * A.xy, odd * A.yx, even - odd * half};
}

/* R(A/m)^m by repeated squaring, R(z) = 1 + z phi(z)/denominator(z). */
static matrix2 simulation_map(const costab_planar *planar, matrix2 A) {
    const costab_method *method = &planar->method;
    if (method->kind == COSTAB_EXACT) return exponential(A);
    double m = planar->substeps[0];
    A = (matrix2){A.xx / m, A.xy / m, A.yx / m, A.yy / m};
    matrix2 phi = polynomial_of(method->phi, method->stages - 1, A);
    matrix2 D = solve(polynomial_of(method->denominator, method->stages, A), product(A, phi));
    D.xx += 1;
    D.yy += 1;
    matrix2 power = D, result = {1, 0, 0, 1};
    for (int bits = planar->substeps[0]; bits > 0; bits >>= 1) {
        if (bits & 1) result = product(result, power);
        power = product(power, power);
    }
    return result;
}

void costab_planar_map(const costab_planar *planar, const double matrix[4], double map[4]) {
    matrix2 A = {matrix[0], matrix[1], matrix[2], matrix[3]}, D;
    costab_weights a = costab_method_weights(&planar->method, planar->substeps[0], A.xx);
    costab_weights d = costab_method_weights(&planar->method, planar->substeps[1], A.yy);
    switch (planar->scheme) {
    case COSTAB_CROSS:
        D = (matrix2){a.R, A.xy * a.phi, A.yx * d.phi, d.R};
        break;
    case COSTAB_ZIGZAG:
        D = (matrix2){a.R, A.xy * a.phi, 0, 0};
        D.yx = A.yx * (d.p0 + d.p1 * D.xx);
        D.yy = d.R + A.yx * d.p1 * D.xy;
        break;
    case COSTAB_STRONG:
        D = solve((matrix2){1, -A.xy * a.p1, -A.yx * d.p1, 1}, (matrix2){a.R, A.xy * a.p0, A.yx * d.p0, d.R});
        break;
    default:
        D = simulation_map(planar, A);
        break;
    }
    memcpy(map, &(double[4]){D.xx, D.xy, D.yx, D.yy}, 4 * sizeof(double));
}

void costab_planar_exponential(const double matrix[4], double t, double map[4]) {
    matrix2 E = exponential((matrix2){matrix[0] * t, matrix[1] * t, matrix[2] * t, matrix[3] * t});
    memcpy(map, &(double[4]){E.xx, E.xy, E.yx, E.yy}, 4 * sizeof(double));
}

void costab_planar_history(const costab_planar *planar, const double matrix[4], double h,
                           const double start[2], size_t n, double *x, double *y) {
    const double scaled[4] = {matrix[0] * h, matrix[1] * h, matrix[2] * h, matrix[3] * h};
    double D[4], state[2] = {start[0], start[1]};
    costab_planar_map(planar, scaled, D);
    for (size_t k = 0; k < n; k++) {
        x[k] = state[0];
        y[k] = state[1];
        double next = D[0] * state[0] + D[1] * state[1];
        state[1] = D[2] * state[0] + D[3] * state[1];
        state[0] = next;
    }
}
