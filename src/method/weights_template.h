/* Stability functions R, phi, P0, P1 of m micro steps at one z, for real and complex z. The including file
 * defines NUMBER (the type), NAME(x) (its names), MAGNITUDE(z) and EXPONENTIAL(z).
 *
 * 1. One micro step at z/m: polynomials divided by the method's denominator, by Horner's rule; for large |z|
 *    in powers of 1/z, to avoid overflow. The method exact: e^z, by series near 0.
 * 2. m micro steps by repeated squaring; the input, linear over the macro step, is split at the joint.
 *
 * Cost: some operations per coefficient, and log2 m joints. */

typedef struct NAME(block) {
    NUMBER R, phi, p0, p1;
} NAME(block);

static NUMBER NAME(horner)(const double *coefficients, int degree, NUMBER z) {
    NUMBER sum = coefficients[degree];
    for (int k = degree - 1; k >= 0; k--) sum = sum * z + coefficients[k];
    return sum;
}

/* Polynomial divided by z^degree, from w = 1/z. */
static NUMBER NAME(horner_reversed)(const double *coefficients, int degree, NUMBER w) {
    NUMBER sum = coefficients[0];
    for (int k = 1; k <= degree; k++) sum = sum * w + coefficients[k];
    return sum;
}

/* numerator(z) / denominator(z); for large |z| in powers of 1/z, to avoid overflow. */
static NUMBER NAME(ratio)(const double *numerator, int top, const double *denominator, int bottom, NUMBER z) {
    if (MAGNITUDE(z) <= 1) return NAME(horner)(numerator, top, z) / NAME(horner)(denominator, bottom, z);
    NUMBER w = 1 / z;
    NUMBER value = NAME(horner_reversed)(numerator, top, w) / NAME(horner_reversed)(denominator, bottom, w);
    for (int k = top; k < bottom; k++) value *= w;
    for (int k = bottom; k < top; k++) value *= z;
    return value;
}

/* phi and P1 of the exact solver are phi_1 = (e^z - 1) / z and phi_2 = (e^z - 1 - z) / z^2. For |z| < 1
 * series are used; their terms after the 20th are below 1e-19. */
static NAME(block) NAME(exact)(NUMBER z) {
    NAME(block) e;
    if (MAGNITUDE(z) < 1) {
        NUMBER sum1 = 0, sum2 = 0;
        double factorial = 1;
        double inverse[22];
        for (int k = 0; k < 22; k++) {
            factorial *= k > 0 ? k : 1;
            inverse[k] = 1 / factorial;
        }
        for (int k = 19; k >= 0; k--) {
            sum1 = sum1 * z + inverse[k + 1];
            sum2 = sum2 * z + inverse[k + 2];
        }
        e.phi = sum1;
        e.p1 = sum2;
        e.p0 = e.phi - e.p1;
        e.R = 1 + z * e.phi;
        return e;
    }
    e.R = EXPONENTIAL(z);
    e.phi = (e.R - 1) / z;
    e.p1 = (e.phi - 1) / z;
    e.p0 = e.phi - e.p1;
    return e;
}

/* Joins `first` over k micro steps and `second` over l. The input at the joint is on the line between the
 * ends. */
static NAME(block) NAME(joined)(const NAME(block) * first, double k, const NAME(block) * second, double l) {
    NUMBER joint = second->R * first->p1 + second->p0;
    return (NAME(block)){
        .R = second->R * first->R,
        .phi = second->R * first->phi + second->phi,
        .p0 = second->R * first->p0 + joint * (l / (k + l)),
        .p1 = joint * (k / (k + l)) + second->p1,
    };
}

/* phi, P0 and P1 of an explicit method together. */
static inline void NAME(horner_three)(const costab_method *method, NUMBER z, NAME(block) * out) {
    int top = method->phi_degree;
    if (method->p0_degree > top) top = method->p0_degree;
    if (method->p1_degree > top) top = method->p1_degree;
    NUMBER phi = method->phi[top], p0 = method->p0[top], p1 = method->p1[top];
    for (int k = top - 1; k >= 0; k--) {
        phi = phi * z + method->phi[k];
        p0 = p0 * z + method->p0[k];
        p1 = p1 * z + method->p1[k];
    }
    out->phi = phi;
    out->p0 = p0;
    out->p1 = p1;
}

static NAME(block) NAME(weights)(const costab_method *method, int substeps, NUMBER z) {
    /* for linear inputs the exact solution does not depend on the number of steps */
    if (method->kind == COSTAB_EXACT) return NAME(exact)(z);
    int bottom = method->denominator_degree;
    NUMBER zeta = substeps == 1 ? z : z / (double)substeps;
    NAME(block) power;
    if (bottom == 0) {
        NAME(horner_three)(method, zeta, &power);
    } else {
        power.phi = NAME(ratio)(method->phi, method->phi_degree, method->denominator, bottom, zeta);
        power.p0 = NAME(ratio)(method->p0, method->p0_degree, method->denominator, bottom, zeta);
        power.p1 = NAME(ratio)(method->p1, method->p1_degree, method->denominator, bottom, zeta);
    }
    power.R = 1 + zeta * power.phi;
    if (substeps == 1) return power;

    NAME(block) sum = power;
    double length = 0, power_length = 1;
    for (int bits = substeps; bits > 0; bits >>= 1) {
        if (bits & 1) {
            sum = length > 0 ? NAME(joined)(&sum, length, &power, power_length) : power;
            length += power_length;
        }
        if (bits > 1) power = NAME(joined)(&power, power_length, &power, power_length);
        power_length *= 2;
    }
    sum.phi /= (double)substeps;
    sum.p0 /= (double)substeps;
    sum.p1 /= (double)substeps;
    return sum;
}
