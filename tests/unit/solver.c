/* The solvers with structure or memory: their orders of accuracy by halving the step, and what each is known
 * for. literature/network_couplings holds couplings of them against another program. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "method/matrix.h"
#include "support/support.h"

enum { N = 2, MOST = 4 };

static const int position[] = {0}, velocity[] = {1};

/* What `count` micro steps h make of x'' = -k x - d x', as a matrix of N rows and the method's memory. */
static int steps_of(const costab_method *method, double k, double d, double h, long count, double *phi) {
    double A[4] = {0, 1, -k, -d}, work[400];
    int iwork[8];
    matrix_system system = {.n = N, .A = A, .pairs = 1, .positions = position, .velocities = velocity};
    matrix_block block = {.phi = phi};
    assert_true(matrix_step_work(method, &system) <= 400 && matrix_step_iwork(method, &system) <= 8);
    assert_true(matrix_steps(method, &system, h, 1, count, &block, work, iwork));
    return N + matrix_memory(method, &system);
}

/* Position after time 1 from x = 1, v = 0 and a memory that fits, against the damped cosine. */
static double error_at_one(const costab_method *method, long count) {
    double k = 4, d = 0.4, h = 1 / (double)count, phi[MOST * MOST], start[MOST] = {1, 0};
    int n = steps_of(method, k, d, h, count, phi);
    double rate = d / 2, omega = sqrt(k - rate * rate);
    if (method->kind == COSTAB_GENERALIZED_ALPHA) start[2] = -k;
    if (method->kind == COSTAB_BDF) { /* the true state one step before */
        double t = -h, decay = exp(-rate * t), c = cos(omega * t), s = sin(omega * t);
        start[2] = decay * (c + rate / omega * s);
        start[3] = -decay * k / omega * s;
    }
    double x = 0;
    for (int j = 0; j < n; j++) x += phi[j] * start[j];
    return fabs(x - exp(-rate) * (cos(omega) + rate / omega * sin(omega)));
}

/* Halving a short step divides the error by 2 to the order. */
TEST(test_orders) {
    assert_int_equal(costab_solver_count(), 4);
    assert_null(costab_solver_name(4));
    assert_null(costab_solver_name(-1));
    for (int i = 0; i < costab_solver_count(); i++) {
        costab_method method;
        check_ok(costab_solver_find(costab_solver_name(i), &method, &why));
        assert_string_equal(method.name, costab_solver_name(i));
        assert_true(strlen(costab_solver_title(i)) > 0);
        double ratio = error_at_one(&method, 512) / error_at_one(&method, 1024);
        check_near(log2(ratio), method.order, 0.02L, "%s: order", method.name);
    }
}

static double radius_of(int n, const double *phi) {
    /* ||phi^(2^k)||^(1/2^k) by squaring, kept near 1 */
    double a[MOST * MOST], b[MOST * MOST], logarithm = 0;
    memcpy(a, phi, (size_t)(n * n) * sizeof *a);
    for (int k = 0; k < 50; k++) {
        double norm = matrix_norm((size_t)(n * n), a);
        if (norm == 0) return 0;
        logarithm += log(norm) * ldexp(1, -k);
        for (int i = 0; i < n * n; i++) a[i] /= norm;
        matrix_multiply(n, n, n, a, a, b);
        memcpy(a, b, (size_t)(n * n) * sizeof *a);
    }
    return exp(logarithm);
}

/* Semi-implicit Euler is stable exactly where omega h < 2, and there keeps the area of the phase plane. */
TEST(test_semi_implicit_euler) {
    costab_method method;
    double phi[MOST * MOST];
    check_ok(costab_solver_find("semi-implicit-euler", &method, &why));
    (void)steps_of(&method, 1, 0, 1.9, 1, phi);
    check_near(phi[0] * phi[3] - phi[1] * phi[2], 1, 1e-14L, "determinant");
    check_near(radius_of(N, phi), 1, 1e-10L, "omega h = 1.9");
    (void)steps_of(&method, 1, 0, 2.1, 1, phi);
    check_true(radius_of(N, phi) > 1.5, "omega h = 2.1: %g", radius_of(N, phi));
}

/* Newmark with beta = 1/4, gamma = 1/2 keeps the energy for any step; beta = 0 (central differences) up to
 * omega h = 2. */
TEST(test_newmark) {
    costab_method method;
    double phi[MOST * MOST];
    check_ok(costab_method_newmark(0.25, 0.5, &method, &why));
    for (double h = 0.01; h < 1e4; h *= 7) {
        (void)steps_of(&method, 1, 0, h, 1, phi);
        /* Energy x'x/2 of a unit frequency: phi is orthogonal, up to rounding of h^2. */
        real bound = 16 * (real)DBL_EPSILON * (1 + (real)h * (real)h);
        check_near(phi[0] * phi[0] + phi[2] * phi[2], 1, bound, "h = %g", h);
        check_near(phi[0] * phi[1] + phi[2] * phi[3], 0, bound, "h = %g", h);
    }
    check_ok(costab_method_newmark(0, 0.5, &method, &why));
    (void)steps_of(&method, 1, 0, 1.99, 1, phi);
    check_near(radius_of(N, phi), 1, 1e-10L, "below 2");
    (void)steps_of(&method, 1, 0, 2.01, 1, phi);
    check_true(radius_of(N, phi) > 1.1, "above 2");
    assert_int_equal(costab_method_newmark((double)NAN, 0.5, &method, &why), COSTAB_INVALID);
}

/* Generalized alpha has the radius rho at infinite frequency. */
TEST(test_generalized_alpha) {
    costab_method method;
    double phi[MOST * MOST];
    for (double rho = 0; rho <= 1; rho += 0.25) {
        check_ok(costab_method_generalized_alpha_rho(rho, &method, &why));
        int n = steps_of(&method, 1e14, 0, 1, 1, phi);
        /* a triple eigenvalue at infinity: known to the third root of a rounding and of 1/frequency^2 */
        check_near(radius_of(n, phi), rho, 1e-3L, "rho %g", rho);
        (void)steps_of(&method, 1, 0, 1, 1, phi);
        check_true(radius_of(n, phi) <= 1 + 1e-10, "stable, rho %g", rho);
    }
    assert_int_equal(costab_method_generalized_alpha_rho(1.5, &method, &why), COSTAB_INVALID);
    assert_int_equal(costab_method_generalized_alpha(1, 0.4, 0.3, 0.5, &method, &why), COSTAB_INVALID);
}

/* BDF2 is stable on the whole left half-plane and forgets what is infinitely fast. */
TEST(test_bdf2) {
    costab_method method;
    double phi[MOST * MOST];
    check_ok(costab_solver_find("bdf2", &method, &why));
    for (double h = 0.01; h < 1e6; h *= 7) {
        int n = steps_of(&method, 1, 0, h, 1, phi);
        check_true(radius_of(n, phi) <= 1, "h = %g: %g", h, radius_of(n, phi));
    }
    check_true(radius_of(MOST, phi) < 1e-2, "fast ones vanish");
}

/* A tableau that is not of Nystrom's kind is refused; one-step methods are found by the same question. */
TEST(test_refused) {
    costab_method method;
    costab_error error = {.message = ""};
    double zero[1] = {0}, one[1] = {1}, half[1] = {0.5}, bad[1] = {(double)INFINITY};
    costab_nystrom good = {1, zero, zero, half, one, zero}, weights = {1, zero, zero, half, half, zero},
                   infinite = {1, bad, zero, half, one, zero}, none = {0, zero, zero, half, one, zero};
    assert_int_equal(costab_method_nystrom(&good, &method, &error), COSTAB_OK);
    assert_int_equal(costab_method_nystrom(&weights, &method, &error), COSTAB_INVALID);
    assert_non_null(strstr(error.message, "sum to 0.5"));
    assert_int_equal(costab_method_nystrom(&infinite, &method, &error), COSTAB_INVALID);
    assert_int_equal(costab_method_nystrom(&none, &method, &error), COSTAB_INVALID);
    assert_int_equal(costab_solver_find("rk4", &method, &error), COSTAB_OK);
    assert_int_equal(method.kind, COSTAB_RUNGE_KUTTA);
    assert_int_equal(costab_solver_find("newmrk", &method, &error), COSTAB_INVALID);
    assert_non_null(strstr(error.message, "newmark"));
    assert_int_equal(costab_method_find("newmark", &method, &error), COSTAB_INVALID);
}
