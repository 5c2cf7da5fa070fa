/* The growth that couplings with exact subsystems add to oscillations: the leading term, with its constants,
 * and undamped ones mode by mode: the linear oscillator of [LIM], case 0, at H = 0.001, and that of [PRE] at
 * H = 0.004.
 *
 * The expected values come from a program of its own with 40 digits (mpmath), which builds each map from the
 * exponential series and the weights of the polynomials. They are compared to ten digits and the rounding of
 * the map's eigenvalues: growths of 1e-11 per second are 1e-14 of an eigenvalue, below what doubles show. */
#include <math.h>
#include <stdio.h>

#include "support/approx.h"
#include "support/network_model.h"

enum { MODES = 2, MOST = 40 };

typedef struct oscillator {
    const char *name;
    double H, frequency[MODES]; /* rad/s, slow and fast */
} oscillator;

typedef struct growth {
    const char *coupling;
    double expected[MODES]; /* 1/s */
} growth;

/* Two masses of 1; each subsystem takes the other's displacement (and speed, with a damper between them that
 * is 0 here). */
static void masses(model *m, const double stiffness[2], double between, int ports) {
    model_start(m);
    for (int s = 0; s < 2; s++) {
        model_add(m, 2, ports, ports, "exact", 1, 0);
        m->A[s][1] = 1;
        m->A[s][2] = -(stiffness[s] + between);
        m->B[s][ports] = between;
        for (int i = 0; i < ports; i++) m->C[s][i * 2 + i] = 1;
    }
    for (int port = 0; port < ports; port++) {
        model_connect(m, 0, port, 1, port, 1, 0);
        model_connect(m, 1, port, 0, port, 1, 0);
    }
}

/* ln|mu|/H of the eigenvalue nearest to exp(i omega H). */
static double nearest_growth(const costab_complex *values, int count, double omega, double H) {
    double best = HUGE_VAL;
    double found = (double)NAN;
    for (int i = 0; i < count; i++) {
        double distance = hypot(values[i].re - cos(omega * H), values[i].im - sin(omega * H));
        if (distance >= best) continue;
        best = distance;
        found = log(hypot(values[i].re, values[i].im)) / H;
    }
    return found;
}

/* An eigenvalue of modulus 1 is known to some roundings of the map. */
static void check_modes(costab_network_work *work, const model *m, const costab_coupling *c,
                        const oscillator *o, const growth *expected) {
    costab_network_point point = model_analyse(work, m, c);
    costab_complex values[MOST];
    real most = -HUGE_VALL, noise = 2e-13L / (real)o->H;
    assert_in_range(point.size, 1, MOST);
    costab_network_spectrum(work, values, NULL);
    for (int k = 0; k < MODES; k++) {
        real value = (real)expected->expected[k];
        most = fmaxl(most, value);
        check_near(nearest_growth(values, point.size, o->frequency[k], o->H), value,
                   1e-9L * fabsl(value) + noise, "%s, %s, mode %d", o->name, expected->coupling, k + 1);
    }
    check_near(point.growth, most, 1e-9L * fabsl(most) + noise, "%s, %s: growth", o->name,
               expected->coupling);
}

static void check(const model *m, const oscillator *o, const growth *rows, int count) {
    costab_network_work *work = work_open();
    for (int i = 0; i < count; i++) {
        costab_coupling c = {.macro_step = o->H};
        check_ok(costab_coupling_find(rows[i].coupling, &c, &why));
        check_modes(work, m, &c, o, &rows[i]);
    }
    costab_network_work_destroy(&work);
}

TEST(linear_oscillator) {
    static const growth rows[] = {
        {"jacobi", {-0.004950404966, 0.004949155092}},
        {"jacobi-linear", {-3.300319402e-7, 3.664338985e-6}},
        {"jacobi-quadratic", {3.712508166e-7, -4.116956369e-6}},
        {"jacobi-cubic", {6.160142195e-11, -7.584673077e-9}},
        {"newton-linear", {0, 0}},
        {"newton-quadratic", {-4.125385384e-8, 4.578406898e-7}},
    };
    /* omega^2 of x'' = -[110 -100; -100 1100] x */
    double middle = (110. + 1100) / 2, apart = hypot((1100. - 110) / 2, 100);
    oscillator o = {"[LIM], case 0", 0.001, {sqrt(middle - apart), sqrt(middle + apart)}};
    model m;
    masses(&m, (const double[]){10, 1000}, 100, 2);
    check(&m, &o, rows, sizeof rows / sizeof *rows);
}

TEST(precice_oscillator) {
    static const growth rows[] = {
        {"jacobi", {-0.157971892, 0.157772503}},
        {"jacobi-linear", {-6.634772996e-5, 0.000599139161}},
        {"jacobi-quadratic", {7.476407653e-5, -0.0006696834235}},
        {"jacobi-cubic", {7.836979839e-8, -6.325930081e-6}},
        {"newton-linear", {0, 0}},
        {"newton-quadratic", {-8.311805643e-6, 7.474320714e-5}},
    };
    const double pi = acos(-1);
    oscillator o = {"[PRE], undamped", 0.004, {2 * pi, 6 * pi}};
    model m;
    masses(&m, (const double[]){4 * pi * pi, 4 * pi * pi}, 16 * pi * pi, 1);
    check(&m, &o, rows, sizeof rows / sizeof *rows);
}

/* ---- The leading term
 *
 * Two scalar subsystems x' = a x + u, y = x + d u in a ring of gains, whose eigenvalues are a complex pair.
 * With left and right vectors w, v of lambda, U = (I - L D)^-1 L v and exact subsystems a coupling moves
 * lambda by delta = -(lambda H)^p w [c + F] U / (w v), F = L (I - D L)^-1 D for jacobi with delayed
 * feedthrough, else 0; c are the constants of the methods of Adams. Values held for order 0 have an age each,
 * in steps: delta = -lambda H sum age kappa, kappa the term of one connection. */

typedef struct ring {
    real a[2], d[2], gain[2]; /* gain[i]: of the other's output into subsystem i */
} ring;

static ring random_ring(rng *r, bool direct) {
    ring g;
    for (int i = 0; i < 2; i++) {
        g.a[i] = (real)rng_uniform(r, -0.8, 0.2);
        g.d[i] = direct ? (real)rng_uniform(r, -0.3, 0.3) : 0;
        g.gain[i] = (real)rng_uniform(r, 0.7, 1.3) * (i == 0 ? 1 : -1);
    }
    return g;
}

typedef struct terms {
    complex_real lambda, kappa[2]; /* kappa[i] = w_i U_i / (w v) */
    complex_real feedthrough;      /* w F U / (w v) */
} terms;

/* A = diag(a) + (I - L D)^-1 L, by hand. */
static terms terms_of(const ring *g) {
    const real *d = g->d, b = g->gain[0], c = g->gain[1], loop = 1 - b * c * d[0] * d[1];
    real A[2][2] = {{g->a[0] + b * c * d[1] / loop, b / loop}, {c / loop, g->a[1] + b * c * d[0] / loop}};
    real middle = (A[0][0] + A[1][1]) / 2, half = (A[0][0] - A[1][1]) / 2;
    assert_true(half * half + A[0][1] * A[1][0] < 0);
    complex_real lambda = complex_of(middle, sqrtl(-(half * half + A[0][1] * A[1][0])));
    complex_real v[2] = {complex_of(A[0][1], 0), lambda - A[0][0]};
    complex_real w[2] = {complex_of(A[1][0], 0), lambda - A[0][0]};
    complex_real wv = w[0] * v[0] + w[1] * v[1];
    complex_real U[2] = {(b * d[1] * c * v[0] + b * v[1]) / loop, (c * v[0] + c * d[0] * b * v[1]) / loop};
    /* F = L (I - D L)^-1 D; (I - D L)^-1 = [1, d0 b; d1 c, 1] / loop */
    complex_real z[2] = {(d[0] * U[0] + d[0] * b * d[1] * U[1]) / loop,
                         (d[1] * c * d[0] * U[0] + d[1] * U[1]) / loop};
    return (terms){lambda, {w[0] * U[0] / wv, w[1] * U[1] / wv}, (w[0] * b * z[1] + w[1] * c * z[0]) / wv};
}

/* ln(mu)/(period H) - lambda of the eigenvalue mu that belongs to lambda. */
static complex_real moved(const ring *g, const costab_coupling *choices, const int *strides,
                          const int *delays, double H, complex_real lambda) {
    model m;
    model_start(&m);
    for (int s = 0; s < 2; s++) {
        model_scalar(&m, (double)g->a[s], 1, 1, "exact", 1, 0);
        m.D[s][0] = (double)g->d[s];
        if (g->d[s] != 0) model_feedthrough(&m, s);
        m.subsystems[s].stride = strides[s];
    }
    for (int s = 0; s < 2; s++) model_connect(&m, 1 - s, 0, s, 0, (double)g->gain[s], delays[s]);
    costab_coupling c = *choices;
    c.macro_step = H;
    costab_network_work *work = work_open();
    costab_network_point point = model_analyse(work, &m, &c);
    costab_complex values[64];
    assert_in_range(point.size, 1, 64);
    costab_network_spectrum(work, values, NULL);
    real length = (real)H * point.period, best = HUGE_VALL;
    complex_real found = complex_of(NAN, NAN), wanted = cexpl(lambda * length);
    for (int i = 0; i < point.size; i++) {
        complex_real mu = complex_of(values[i].re, values[i].im);
        if (cabsl(mu - wanted) >= best) continue;
        best = cabsl(mu - wanted);
        found = clogl(mu) / length - lambda;
    }
    costab_network_work_destroy(&work);
    return found;
}

/* The quotient of what happens and what the leading term says, from two macro steps: 1 + O(H^2). */
static void check_leading(const ring *g, const costab_coupling *c, const int *strides, const int *delays,
                          int power, complex_real factor, const char *what) {
    const double H = power < 3 ? 0.004 : 0.02; /* an eigenvalue is known to some roundings */
    terms t = terms_of(g);
    complex_real quotient[2];
    for (int k = 0; k < 2; k++) {
        double step = k == 0 ? H : H / 2;
        complex_real expected = -cpowl(t.lambda * (real)step, power) * factor;
        quotient[k] = moved(g, c, strides, delays, step, t.lambda) / expected;
    }
    real off = cabsl(2 * quotient[1] - quotient[0] - 1);
    check_true(off < 1e-2L, "%s: off by %.2Lg", what, off);
}

TEST(leading_terms) {
    static const struct {
        const char *coupling;
        bool direct;
        int power;
        double constant;
    } rows[] = {
        {"jacobi", true, 1, 1. / 2},
        {"jacobi-linear", true, 2, 5. / 12},
        {"jacobi-quadratic", true, 3, 3. / 8},
        {"jacobi-cubic", true, 4, 251. / 720},
        {"jacobi-solved", true, 1, 1. / 2},
        {"jacobi-linear-solved", true, 2, 5. / 12},
        {"newton", true, 1, -1. / 2},
        {"newton-linear", true, 2, -1. / 12},
        {"newton-quadratic", true, 3, -1. / 24},
        {"newton-cubic", true, 4, -19. / 720},
        {"iterated-linear", false, 2, -1. / 12},
        {"jacobi-smoothed", false, 1, 1},
        {"jacobi-linear-smoothed", false, 2, 11. / 12},
        {"jacobi-hermite", false, 2, 1. / 6},
    };
    static const int none[2] = {0, 0}, one[2] = {1, 1};
    rng r = rng_start("leading terms");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < effort(5); k++) {
            ring g = random_ring(&r, rows[i].direct);
            terms t = terms_of(&g);
            costab_coupling c = {.macro_step = 1};
            check_ok(costab_coupling_find(rows[i].coupling, &c, &why));
            bool late = c.scheme == COSTAB_JACOBI && c.feedthrough == COSTAB_DELAYED;
            complex_real factor = (real)rows[i].constant * (t.kappa[0] + t.kappa[1]);
            if (late) factor += t.feedthrough;
            check_leading(&g, &c, one, none, rows[i].power, factor, rows[i].coupling);
        }
}

/* Order 0: the mean age of the value that each connection delivers, over a period. */
TEST(ages_of_values) {
    static const struct {
        const char *coupling;
        int strides[2], delays[2]; /* delays[i]: into subsystem i */
        double ages[2];
    } rows[] = {
        {"gauss-seidel", {1, 1}, {1, 0}, {1.5, -0.5}}, {"jacobi", {1, 1}, {1, 0}, {1.5, 0.5}},
        {"jacobi", {1, 1}, {1, 1}, {1.5, 1.5}},     /* delay 1 triples it */
        {"jacobi", {1, 2}, {0, 0}, {0.5 + 0.5, 1}}, /* strides 1 and 2 double it */
        {"jacobi", {1, 5}, {0, 0}, {0.5 + 2, 2.5}},    {"jacobi", {2, 3}, {0, 0}, {1 + 1, 1.5 + 0.5}},
        {"jacobi-smoothed", {1, 1}, {0, 2}, {1, 3}},
    };
    rng r = rng_start("ages of values");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < effort(5); k++) {
            ring g = random_ring(&r, false);
            terms t = terms_of(&g);
            costab_coupling c = {.macro_step = 1};
            char what[80];
            check_ok(costab_coupling_find(rows[i].coupling, &c, &why));
            snprintf(what, sizeof what, "row %zu, %s", i, rows[i].coupling);
            complex_real factor = (real)rows[i].ages[0] * t.kappa[0] + (real)rows[i].ages[1] * t.kappa[1];
            check_leading(&g, &c, rows[i].strides, rows[i].delays, 1, factor, what);
        }
}
