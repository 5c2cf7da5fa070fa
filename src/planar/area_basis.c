#include "planar/area_basis.h"

#include <math.h>
#include <string.h>

enum { S = COSTAB_STAGES_MAX };

/* ---- one d, in extended precision ---- */

static wide larger(wide x, wide y) {
    return x > y ? x : y;
}

static area_value sum_of(area_value x, area_value y) {
    return (area_value){x.value + y.value, x.size + y.size};
}

static area_value product_of(area_value x, area_value y) {
    return (area_value){x.value * y.value, larger(fabsl(x.value) * y.size, x.size * fabsl(y.value))};
}

static area_value multiple_of(area_value x, wide factor) {
    return (area_value){x.value * factor, x.size * fabsl(factor)};
}

/* An explicit method's numerator. */
static area_value polynomial_at(const double *numerator, int degree, wide z) {
    wide value = numerator[degree], size = fabs(numerator[degree]), length = fabsl(z);
    for (int k = degree - 1; k >= 0; k--) {
        value = value * z + numerator[k];
        size = size * length + fabs(numerator[k]);
    }
    return (area_value){value, size};
}

/* numerator / denominator, beyond 1 in powers of 1/z, so that nothing overflows which the ratio does not. */
static area_value ratio_at(const double *numerator, const double *denominator, int stages, wide z) {
    area_value top = {0, 0}, bottom = {0, 0};
    if (fabsl(z) <= 1) {
        for (int k = stages; k >= 0; k--) {
            wide n = k < stages ? numerator[k] : 0;
            top = (area_value){top.value * z + n, top.size * fabsl(z) + fabsl(n)};
            bottom = (area_value){bottom.value * z + denominator[k],
                                  bottom.size * fabsl(z) + fabs(denominator[k])};
        }
        wide scale = fabsl(bottom.value);
        return (area_value){top.value / bottom.value,
                            larger(top.size / scale, fabsl(top.value) * bottom.size / (scale * scale))};
    }
    int high = stages - 1, low = stages;
    while (high > 0 && numerator[high] == 0) high--;
    while (low > 0 && denominator[low] == 0) low--;
    wide w = 1 / z;
    for (int k = 0; k <= high; k++)
        top = (area_value){top.value * w + numerator[k], top.size * fabsl(w) + fabs(numerator[k])};
    for (int k = 0; k <= low; k++)
        bottom =
            (area_value){bottom.value * w + denominator[k], bottom.size * fabsl(w) + fabs(denominator[k])};
    wide scale = fabsl(bottom.value), power = 1;
    for (int k = low; k < high; k++) power *= z;
    for (int k = high; k < low; k++) power *= w;
    area_value ratio = {top.value / bottom.value,
                        larger(top.size / scale, fabsl(top.value) * bottom.size / (scale * scale))};
    return multiple_of(ratio, power);
}

/* The exact solver: phi = (e^z - 1) / z, P1 = (phi - 1) / z; for |z| < 1 the series, whose terms after the
 * 24th are below 1e-25. */
static area_weights exact_at(wide z) {
    area_weights w;
    if (fabsl(z) < 1) {
        wide phi = 0, p1 = 0, factorial = 620448401733239439360000.0L; /* 24! */
        for (int k = 23; k >= 0; k--) {
            phi = phi * z + 1 / factorial; /* 1 / (k + 1)! */
            if (k > 0) p1 = p1 * z + 1 / factorial;
            factorial /= k + 1;
        }
        w.phi = (area_value){phi, fabsl(phi)};
        w.p1 = (area_value){p1, fabsl(p1)};
    } else {
        wide growth = expl(z);
        w.phi = (area_value){(growth - 1) / z, (growth + 1) / fabsl(z)};
        w.p1 = (area_value){(w.phi.value - 1) / z, (w.phi.size + 1) / fabsl(z)};
    }
    w.p0 = (area_value){w.phi.value - w.p1.value, w.phi.size + w.p1.size};
    return w;
}

/* Micro steps put together, as the method room does it, with sizes. */
typedef struct wide_block {
    area_value R, phi, p0, p1;
} wide_block;

static wide_block wide_joined(const wide_block *first, wide k, const wide_block *second, wide l) {
    area_value joint = sum_of(product_of(second->R, first->p1), second->p0);
    return (wide_block){
        .R = product_of(second->R, first->R),
        .phi = sum_of(product_of(second->R, first->phi), second->phi),
        .p0 = sum_of(product_of(second->R, first->p0), multiple_of(joint, l / (k + l))),
        .p1 = sum_of(multiple_of(joint, k / (k + l)), second->p1),
    };
}

area_weights area_weights_at(const costab_method *method, int substeps, wide z) {
    if (method->kind == COSTAB_EXACT) return exact_at(z);
    wide zeta = z / substeps;
    wide_block power;
    if (method->denominator_degree == 0) {
        power.phi = polynomial_at(method->phi, method->phi_degree, zeta);
        power.p0 = polynomial_at(method->p0, method->p0_degree, zeta);
        power.p1 = polynomial_at(method->p1, method->p1_degree, zeta);
    } else {
        power.phi = ratio_at(method->phi, method->denominator, method->stages, zeta);
        power.p0 = ratio_at(method->p0, method->denominator, method->stages, zeta);
        power.p1 = ratio_at(method->p1, method->denominator, method->stages, zeta);
    }
    if (substeps == 1) return (area_weights){power.phi, power.p0, power.p1};
    power.R = sum_of((area_value){1, 0}, multiple_of(power.phi, zeta));
    wide_block sum = power;
    wide length = 0, power_length = 1;
    for (int bits = substeps; bits > 0; bits >>= 1) {
        if (bits & 1) {
            sum = length > 0 ? wide_joined(&sum, length, &power, power_length) : power;
            length += power_length;
        }
        if (bits > 1) power = wide_joined(&power, power_length, &power, power_length);
        power_length *= 2;
    }
    wide share = 1 / (wide)substeps;
    return (area_weights){multiple_of(sum.phi, share), multiple_of(sum.p0, share),
                          multiple_of(sum.p1, share)};
}

void area_weight_values(const costab_method *method, int substeps, wide z, wide *phi, wide *p0, wide *p1) {
    if (method->kind == COSTAB_EXACT || method->denominator_degree > 0 || substeps > 1) {
        area_weights w = area_weights_at(method, substeps, z);
        *phi = w.phi.value;
        *p0 = w.p0.value;
        *p1 = w.p1.value;
        return;
    }
    int top = method->stages - 1;
    wide sum = method->phi[top], sum0 = method->p0[top], sum1 = method->p1[top];
    for (int k = top - 1; k >= 0; k--) {
        sum = sum * z + method->phi[k];
        sum0 = sum0 * z + method->p0[k];
        sum1 = sum1 * z + method->p1[k];
    }
    *phi = sum;
    *p0 = sum0;
    *p1 = sum1;
}

/* ---- boxes ---- */

double area_basis_joint(const costab_method *method) {
    return method->kind == COSTAB_EXACT ? 44 : 4;
}

double area_basis_scale(const costab_method *method, int substeps) {
    return method->kind == COSTAB_EXACT ? 1 : substeps;
}

/* Numerators over the common denominator q, on a box; increment is that of R - 1 = zeta phi. About infinity
 * all are multiplied by t^n, n the largest degree. */
typedef struct numerators {
    series q, phi, p0, p1, increment, zeta_p1;
} numerators;

static int top_degree(const double *coefficients, int degree) {
    while (degree > 0 && coefficients[degree] == 0) degree--;
    return degree;
}

/* Ascending coefficients of zeta^lift p(zeta) in the chart's variable. */
static series in_chart(const double *p, int degree, int lift, int n, const area_box *box) {
    double powers[S + 2] = {0};
    for (int k = 0; k <= degree; k++) powers[box->inverse ? n - k - lift : k + lift] = p[k];
    return series_polynomial(powers, n, box->centre, box->radius);
}

static void make_numerators(const costab_method *method, const area_box *box, numerators *out) {
    int q = top_degree(method->denominator, method->stages),
        phi = top_degree(method->phi, method->stages - 1);
    int p0 = top_degree(method->p0, method->stages - 1), p1 = top_degree(method->p1, method->stages - 1);
    int n = phi + 1;
    if (q > n) n = q;
    if (p0 + 1 > n) n = p0 + 1;
    if (p1 + 1 > n) n = p1 + 1;
    out->q = in_chart(method->denominator, q, 0, n, box);
    out->phi = in_chart(method->phi, phi, 0, n, box);
    out->p0 = in_chart(method->p0, p0, 0, n, box);
    out->p1 = in_chart(method->p1, p1, 0, n, box);
    out->increment = in_chart(method->phi, phi, 1, n, box);
    out->zeta_p1 = in_chart(method->p1, p1, 1, n, box);
}

/* One or more micro steps. growth: R, or 1/R where all others are divided by R. */
typedef struct series_block {
    series growth, phi, p0, p1;
} series_block;

static series multiply_add(const series *f, const series *g, const series *h) {
    series product = series_multiply(f, g);
    return series_add(&product, h);
}

/* The joint of the method room's weights, and the same divided by R. */
static series_block joined(const series_block *first, double k, const series_block *second, double l,
                           bool divided) {
    series_block out;
    out.growth = series_multiply(&second->growth, &first->growth);
    series joint, part;
    if (divided) {
        out.phi = multiply_add(&second->phi, &first->growth, &first->phi);
        joint = multiply_add(&second->p0, &first->growth, &first->p1);
        part = series_scale(&joint, l / (k + l));
        out.p0 = series_add(&first->p0, &part);
        part = series_scale(&joint, k / (k + l));
        out.p1 = multiply_add(&second->p1, &first->growth, &part);
    } else {
        out.phi = multiply_add(&second->growth, &first->phi, &second->phi);
        joint = multiply_add(&second->growth, &first->p1, &second->p0);
        part = series_scale(&joint, l / (k + l));
        out.p0 = multiply_add(&second->growth, &first->p0, &part);
        part = series_scale(&joint, k / (k + l));
        out.p1 = series_add(&part, &second->p1);
    }
    return out;
}

static bool micro_steps(const numerators *n, int substeps, series_block *out, bool *divided) {
    series growth = series_add(&n->q, &n->increment), inverse;
    *divided = fabs(growth.coefficient[0]) > fabs(n->q.coefficient[0]);
    if (!series_invert(*divided ? &growth : &n->q, &inverse)) return false;
    series_block power, sum;
    power.growth = series_multiply(*divided ? &n->q : &growth, &inverse);
    power.phi = series_multiply(&n->phi, &inverse);
    power.p0 = series_multiply(&n->p0, &inverse);
    power.p1 = series_multiply(&n->p1, &inverse);
    double length = 0, power_length = 1;
    sum = power;
    for (int bits = substeps; bits > 0; bits >>= 1) {
        if (bits & 1) {
            sum = length > 0 ? joined(&sum, length, &power, power_length, *divided) : power;
            length += power_length;
        }
        if (bits > 1) power = joined(&power, power_length, &power, power_length, *divided);
        power_length *= 2;
    }
    out->growth = sum.growth;
    out->phi = series_scale(&sum.phi, 1.0 / substeps);
    out->p0 = series_scale(&sum.p0, 1.0 / substeps);
    out->p1 = series_scale(&sum.p1, 1.0 / substeps);
    return true;
}

static bool tableau_basis(const costab_method *method, int substeps, const area_box *box, area_basis *basis) {
    numerators n;
    make_numerators(method, box, &n);
    if (substeps == 1) {
        *basis = (area_basis){{n.q, n.phi, n.p0, n.p1, n.increment, n.zeta_p1}};
        return true;
    }
    series_block b;
    bool divided;
    if (!micro_steps(&n, substeps, &b, &divided)) return false;
    series one = divided ? b.growth : series_constant(1);
    series line = series_line(box->centre, box->radius);
    if (box->inverse) {
        basis->of[BASIS_ONE] = series_multiply(&one, &line);
        basis->of[BASIS_PHI] = series_multiply(&b.phi, &line);
        basis->of[BASIS_P0] = series_multiply(&b.p0, &line);
        basis->of[BASIS_P1] = series_multiply(&b.p1, &line);
        basis->of[BASIS_DPHI] = series_scale(&b.phi, substeps);
        basis->of[BASIS_DP1] = series_scale(&b.p1, substeps);
        return true;
    }
    line = series_scale(&line, substeps);
    *basis =
        (area_basis){{one, b.phi, b.p0, b.p1, series_multiply(&b.phi, &line), series_multiply(&b.p1, &line)}};
    return true;
}

/* phi and P1 of the exact solver are the integrals of e^(sz) and (1 - s) e^(sz) over 0 <= s <= 1: their
 * Taylor coefficients about c are the sums over j of (j + k choose k) c^j / (j + k + 1)!, and / (j + k + 2)!.
 */
static void exact_near_zero(double c, double r, series *phi, series *p1) {
    double top = exp(fmax(0, c + r)), power = 1, factorial = 1; /* r^k, k! */
    for (int k = 0; k <= SERIES_ORDER + 1; k++) {
        if (k > 0) factorial *= k;
        if (k == SERIES_ORDER + 1) break;
        double sum1 = 0, sum2 = 0, term = 1; /* c^j / j! */
        for (int j = 0; j <= 24; j++) {
            if (j > 0) term *= c / j;
            sum1 += term / (j + k + 1);
            sum2 += term / ((j + k + 1.0) * (j + k + 2));
        }
        phi->coefficient[k] = sum1 * power / factorial;
        p1->coefficient[k] = sum2 * power / factorial;
        power *= r;
    }
    phi->rest = p1->rest = power / factorial * top / (SERIES_ORDER + 2);
}

/* e^(c + r u), e^(c + r) <= a few. */
static series exponential(double c, double r) {
    series e = {.rest = 0};
    double term = exp(c);
    for (int k = 0; k <= SERIES_ORDER; k++) {
        e.coefficient[k] = term;
        term *= r / (k + 1);
    }
    e.rest = fabs(term) * exp(fabs(r));
    return e;
}

static bool exact_basis(const area_box *box, area_basis *basis) {
    double c = box->centre, r = box->radius;
    series line = series_line(c, r), phi = {.rest = 0}, p1 = {.rest = 0};
    if (!box->inverse && fabs(c) < 1) {
        exact_near_zero(c, r, &phi, &p1);
        series minus = series_scale(&p1, -1);
        *basis = (area_basis){{series_constant(1), phi, series_add(&phi, &minus), p1,
                               series_multiply(&phi, &line), series_multiply(&p1, &line)}};
        return true;
    }
    /* e^-|d|; for d > 0 all functions are divided by e^d */
    bool divided = c > 0;
    series small = {.rest = 0}, reciprocal = line;
    if (box->inverse) {
        if (c == 0) return false;
        double end = fabs(c) + r;
        small.rest = exp(-1 / end);
    } else {
        if (fabs(c) <= r) return false;
        small = exponential(divided ? -c : c, divided ? -r : r);
        if (!series_invert(&line, &reciprocal)) return false;
    }
    series unit = series_constant(1), one = divided ? small : unit, growth = divided ? unit : small;
    series minus = series_scale(&one, -1);
    series increment = series_add(&growth, &minus); /* R - 1 = d phi */
    phi = series_multiply(&increment, &reciprocal);
    series dp1 = series_add(&phi, &minus);
    p1 = series_multiply(&dp1, &reciprocal);
    minus = series_scale(&p1, -1);
    *basis = (area_basis){{one, phi, series_add(&phi, &minus), p1, increment, dp1}};
    return true;
}

bool area_basis_make(const costab_method *method, int substeps, const area_box *box, area_basis *basis) {
    bool made =
        method->kind == COSTAB_EXACT ? exact_basis(box, basis) : tableau_basis(method, substeps, box, basis);
    if (!made) return false;
    double norm[BASIS_COUNT], largest = 0;
    for (int k = 0; k < BASIS_COUNT; k++) {
        norm[k] = series_norm(&basis->of[k]);
        if (!isfinite(norm[k])) return false;
        largest = fmax(largest, norm[k]);
    }
    for (int k = 0; k < BASIS_COUNT; k++)
        if (basis->of[k].rest > 1e-15 * norm[k] && basis->of[k].rest > 1e-19 * largest) return false;
    return true;
}
