/* Patches against the values of their polynomials: corners of a box are values, values lie between the least
 * and the greatest coefficient, and signs are told where that shows them. */
#include "planar/projection_patch.h"

#include <math.h>

#include "support/support.h"

enum { N = PATCH_LENGTH };

static long double value(const patch *c, double x, double y) {
    long double sum = 0;
    for (int j = N - 1; j >= 0; j--) {
        long double row = 0;
        for (int i = N - 1; i >= 0; i--) row = row * x + c->of[j][i];
        sum = sum * y + row;
    }
    return sum;
}

/* The polynomial on a box with the corner (x, y). */
static void check(rng *r, const patch *c, const patch *f, double x, double y, double width, double height) {
    double low = HUGE_VAL, high = -HUGE_VAL, size = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            low = fmin(low, f->of[j][i]);
            high = fmax(high, f->of[j][i]);
            size += fabs(c->of[j][i]);
        }
    const double error = 0x1p-45 * size;
    for (int k = 0; k < 4; k++) {
        const double at = (double)value(c, x + (k & 1) * width, y + (k >> 1) * height);
        check_true(fabs(at - f->of[(k >> 1) * (N - 1)][(k & 1) * (N - 1)]) <= error, "corner %d", k);
    }
    for (int k = 0; k < 20; k++) {
        const double u = x + rng_uniform(r, 0, width), v = y + rng_uniform(r, 0, height), step = height / 64;
        const long double at = value(c, u, v), above = value(c, u, fmin(v + step, y + height));
        check_true(low - error <= at && at <= high + error, "a value between %g and %g", low, high);
        check_true(patch_sign(f, error) * at >= 0, "the sign of a value");
        check_true(patch_rise(f, 2.1 * error) * (above - at) >= 0, "the sign of a rise");
    }
    check_true(!(low > error) || patch_sign(f, error) == 1, "all coefficients are above 0");
    check_true(!(high < -error) || patch_sign(f, error) == -1, "all coefficients are below 0");
}

static void halves(void **state) {
    (void)state;
    rng r = rng_start("halves");
    patch_tables tables;
    patch_tables_set(&tables);
    int signs = 0, rises = 0;
    for (int round = 0; round < 200; round++) {
        patch c = {{{0}}}, f, left;
        const int degree_a = rng_int(&r, 0, N - 1), degree_e = rng_int(&r, 0, N - 1);
        for (int j = 0; j <= degree_e; j++)
            for (int i = 0; i <= degree_a; i++) c.of[j][i] = rng_uniform(&r, -9, 9);
        patch_set(&f, &tables, &c);
        double x = 0, y = 0, width = 1, height = 1;
        for (int depth = 0; depth < PATCH_HALVINGS; depth++) {
            check(&r, &c, &f, x, y, width, height);
            const bool along_a = rng_int(&r, 0, 1) == 0, lower = rng_int(&r, 0, 1) == 0;
            if (along_a)
                patch_halve_a(&f, &left, &tables);
            else
                patch_halve_e(&f, &left);
            *(along_a ? &width : &height) /= 2;
            if (lower)
                f = left;
            else
                *(along_a ? &x : &y) += along_a ? width : height;
        }
        signs += patch_sign(&f, 0) != 0;
        rises += patch_rise(&f, 0) != 0;
    }
    check_true(signs > 150 && rises > 100, "%d signs and %d rises of 200 are told", signs, rises);
}

/* Nothing is told of what is not above the error, or is no number. */
static void doubts(void **state) {
    (void)state;
    patch f;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) f.of[j][i] = 1 + j;
    assert_int_equal(patch_sign(&f, 0.5), 1);
    assert_int_equal(patch_rise(&f, 0.5), 1);
    assert_int_equal(patch_sign(&f, 1), 0);
    assert_int_equal(patch_rise(&f, 1), 0);
    f.of[3][5] = -1;
    assert_int_equal(patch_sign(&f, 0.5), 0);
    assert_int_equal(patch_rise(&f, 0.5), 0);
    f.of[3][5] = NAN;
    assert_int_equal(patch_sign(&f, 0.5), 0);
    assert_int_equal(patch_rise(&f, 0.5), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(halves), cmocka_unit_test(doubts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
