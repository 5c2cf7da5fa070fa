/* What couplings with exact subsystems add to undamped oscillations, mode by mode: the linear oscillator of
 * [LIM], case 0, at H = 0.001, and that of [PRE] at H = 0.004.
 *
 * The expected values come from a program of its own with 40 digits (mpmath), which builds each map from the
 * exponential series and the weights of the polynomials. Growths of 1e-11 per second are 1e-14 of an
 * eigenvalue, far below what doubles show of it: ten digits are compared with the map in balls of 256 bits,
 * and the map in doubles to the rounding of its eigenvalues. */
#include <math.h>

#include "proof/ball_map.h"
#include "support/network_model.h"

enum { PRECISION = 256, MODES = 2, MOST = 40 };

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
static double nearest_growth(const acb_ptr values, int count, double omega, double H) {
    double best = HUGE_VAL, found = (double)NAN;
    arb_t modulus;
    arb_init(modulus);
    for (int i = 0; i < count; i++) {
        double re = arf_get_d(arb_midref(acb_realref(&values[i])), ARF_RND_NEAR),
               im = arf_get_d(arb_midref(acb_imagref(&values[i])), ARF_RND_NEAR);
        double distance = hypot(re - cos(omega * H), im - sin(omega * H));
        if (distance >= best) continue;
        best = distance;
        acb_abs(modulus, &values[i], PRECISION);
        arb_log(modulus, modulus, PRECISION);
        found = arf_get_d(arb_midref(modulus), ARF_RND_NEAR) / H;
    }
    arb_clear(modulus);
    return found;
}

static void check_balls(const model *m, const costab_coupling *c, const oscillator *o,
                        const growth *expected) {
    costab_error error = {0};
    ball_network network;
    check_status(ball_network_make(&m->network, c, &network, &error), &error);
    ball_network_set(&m->network, c, &network);
    arb_t shift;
    acb_mat_t map;
    arb_init(shift);
    arb_one(shift);
    check_true(ball_network_matrix(&network, BALL_STEP, shift, PRECISION, map), "%s: balls", o->name);
    int n = (int)acb_mat_nrows(map);
    assert_true(n <= MOST);
    acb_ptr values = _acb_vec_init(n);
    acb_mat_get_mid(map, map);
    (void)acb_mat_approx_eig_qr(values, NULL, NULL, map, NULL, 0, PRECISION);
    for (int k = 0; k < MODES; k++) {
        double found = nearest_growth(values, n, o->frequency[k], o->H);
        real value = (real)expected->expected[k];
        check_near(found, value, value == 0 ? 1e-25L : 1e-9L * fabsl(value), "%s, %s, mode %d", o->name,
                   expected->coupling, k + 1);
    }
    _acb_vec_clear(values, n);
    acb_mat_clear(map);
    arb_clear(shift);
    ball_network_free(&network);
}

/* Doubles: an eigenvalue of modulus 1 is known to some roundings of the map. */
static void check_doubles(costab_network_work *work, const model *m, const costab_coupling *c,
                          const oscillator *o, const growth *expected) {
    costab_network_point point = model_analyse(work, m, c);
    real most = fmaxl((real)expected->expected[0], (real)expected->expected[1]), noise = 2e-13L / (real)o->H;
    check_near(point.growth, most, 1e-9L * fabsl(most) + noise, "%s, %s: growth", o->name,
               expected->coupling);
}

static void check(const model *m, const oscillator *o, const growth *rows, int count) {
    costab_error error = {0};
    costab_network_work *work;
    check_status(costab_network_work_create(&work, &error), &error);
    for (int i = 0; i < count; i++) {
        costab_coupling c = {.macro_step = o->H};
        check_status(costab_coupling_find(rows[i].coupling, &c, &error), &error);
        check_balls(m, &c, o, &rows[i]);
        check_doubles(work, m, &c, o, &rows[i]);
    }
    costab_network_work_destroy(&work);
}

static void linear_oscillator(void **state) {
    (void)state;
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

static void precice_oscillator(void **state) {
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(linear_oscillator),
                                       cmocka_unit_test(precice_oscillator)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
