/* Fields on a finer grid: what is stored stays, smooth ones are met and have no kinks, signs and jumps are
 * kept, known zeros are passed. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "figure/refined.h"
#include "support/support.h"

#define SIDE 21

typedef struct field {
    double places[SIDE], values[SIDE * SIDE], one_x[SIDE * SIDE], one_y[SIDE * SIDE];
    bool missing[SIDE * SIDE];
    refined grid;
} field;

static void make(field *f, double (*of)(double x, double y)) {
    memset(f, 0, sizeof *f);
    for (int i = 0; i < SIDE; i++) f->places[i] = 0.1 * i;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            f->values[i * SIDE + j] = of(f->places[i], f->places[j]);
            f->one_x[i * SIDE + j] = f->one_y[i * SIDE + j] = (double)NAN;
        }
    grid_axis axis = {.count = SIDE, .values = f->places, .places = f->places};
    f->grid = (refined){axis, axis, f->values, f->missing, f->one_x, f->one_y};
}

static refined finer(const field *f) {
    refined fine;
    size_t k[2];
    refined_factors(SIDE, SIDE, k);
    costab_error error = {0};
    costab_status status = refined_make(&f->grid, k, &fine, &error);
    check_true(!status, "refined_make: %s", error.message);
    assert_int_equal(fine.x.count, 8 * (SIDE - 1) + 1);
    for (size_t i = 0; i < SIDE; i++)
        for (size_t j = 0; j < SIDE; j++)
            assert_true(fine.values[8 * i * fine.y.count + 8 * j] == f->values[i * SIDE + j]);
    return fine;
}

static double circle(double x, double y) {
    return x * x + y * y - 1.37;
}

static double wave(double x, double y) {
    return sin(2 * x + y) + 0.3 * cos(3 * y - x);
}

static double jump(double x, double y) {
    return x + y < 1.93 ? -2 : 1 + 0.1 * x;
}

/* Chords of the grid are off by up to 0.1^2 / 8 times the second derivatives, 2 each and up to 8. */
TEST(smooth_fields_are_met) {
    static const struct {
        double (*of)(double, double);
        double within;
    } cases[] = {{circle, 2e-4}, {wave, 8e-3}};
    static field f;
    for (size_t c = 0; c < 2; c++) {
        make(&f, cases[c].of);
        refined fine = finer(&f);
        for (size_t i = 8; i + 8 < fine.x.count; i++)
            for (size_t j = 8; j + 8 < fine.y.count; j++) {
                double x = fine.x.places[i], y = fine.y.places[j];
                check_near(fine.values[i * fine.y.count + j], cases[c].of(x, y), cases[c].within,
                           "field %zu at %g, %g", c, x, y);
            }
        refined_free(&fine);
    }
}

/* Second differences over lines of the coarse grid are as small as between them: chords would have 0.1 * 2 *
 * 0.0125. */
TEST(lines_have_no_kinks) {
    static field f;
    make(&f, circle);
    refined fine = finer(&f);
    for (size_t i = 9; i + 9 < fine.x.count; i++)
        for (size_t j = 9; j + 9 < fine.y.count; j++) {
            const double *at = &fine.values[i * fine.y.count + j];
            check_near(at[1] - 2 * at[0] + at[-1], 2 * pow(0.0125, 2), 1e-4, "along y at %zu, %zu", i, j);
            check_near(at[fine.y.count] - 2 * at[0] + at[-(ptrdiff_t)fine.y.count], 2 * pow(0.0125, 2), 1e-4,
                       "along x at %zu, %zu", i, j);
        }
    refined_free(&fine);
}

/* A cell with corners of one sign keeps it, and a jump is not overshot. */
TEST(jumps_are_not_overshot) {
    static field f;
    make(&f, jump);
    refined fine = finer(&f);
    for (size_t i = 0; i < fine.x.count; i++)
        for (size_t j = 0; j < fine.y.count; j++) {
            double value = fine.values[i * fine.y.count + j];
            size_t a = i / 8 * SIDE, b = j / 8, right = i % 8 ? SIDE : 0, up = j % 8 ? 1 : 0;
            int below = 0;
            for (int k = 0; k < 4; k++) below += f.values[a + b + (k % 2 ? right : 0) + (k / 2 ? up : 0)] < 0;
            assert_true(value >= -2 - 1e-12 && value <= 1.2 + 1e-12);
            assert_true(below != 4 || value < 0);
            assert_true(below != 0 || value >= 0);
        }
    refined_free(&fine);
}

TEST(known_zeros_are_passed) {
    static field f;
    make(&f, circle);
    /* Not where the circle is: what is known counts. */
    size_t at = 11 * SIDE + 3;
    assert_true(f.values[at] < 0 && f.values[at + SIDE] >= 0);
    f.one_x[at] = 1.1 + 0.1 * 5.5 / 8;
    refined fine = finer(&f);
    const double *along = &fine.values[8 * 11 * fine.y.count + 8 * 3];
    for (size_t k = 0; k <= 8; k++) assert_true((along[k * fine.y.count] < 0) == (k <= 5));
    for (size_t k = 0; k < 8; k++)
        assert_true(fine.one_x[(8 * 11 + k) * fine.y.count + 8 * 3] == f.one_x[at]);
    assert_true(isnan(fine.one_x[(8 * 11 + 2) * fine.y.count + 8 * 3 + 1]));
    refined_free(&fine);
}

TEST(what_is_missing_stays_so) {
    static field f;
    make(&f, wave);
    f.missing[5 * SIDE + 7] = true;
    f.values[5 * SIDE + 7] = 0;
    refined fine = finer(&f);
    for (size_t i = 0; i < fine.x.count; i++)
        for (size_t j = 0; j < fine.y.count; j++) {
            bool near = i > 8 * 4 && i < 8 * 6 && j > 8 * 6 && j < 8 * 8;
            assert_true(fine.missing[i * fine.y.count + j] == near);
            if (!near)
                check_near(fine.values[i * fine.y.count + j], wave(fine.x.places[i], fine.y.places[j]), 0.02,
                           "at %zu, %zu", i, j);
        }
    refined_free(&fine);
}
