/* Areas of schemes, methods, micro steps and a, most of them random, against an independent program with 160
 * digits (tests/reference/planar_areas.py): which are 0 and which infinite, the others to 30 digits within
 * their own error. a is a decimal or a fraction; every fourth one also as a double, which is the decimal that
 * it is. With EFFORT below 10 some rows of the table alone; tests/long/areas.py takes all of them to 35
 * digits. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/flint.h"
#include "costab/area.h"
#include "support/planar.h"

enum { DIGITS = 30, PRECISION = 200, STRIDE = 4 };

typedef struct table_row {
    costab_planar planar;
    char a[64], ss[64], us[64];
} table_row;

static void for_rows(int stride, void (*each)(const table_row *)) {
    FILE *file = fopen("tests/reference/planar_areas.csv", "r");
    check_true(file != NULL, "planar_areas.csv cannot be read: run the tests in the project's folder");
    char line[400];
    int rows = 0;
    check_true(fgets(line, sizeof line, file) != NULL, "the table has no header");
    while (fgets(line, sizeof line, file) != NULL) {
        char scheme[32], method[32];
        int m0, m1;
        table_row row;
        if (sscanf(line, "%31[^,],%31[^,],%d,%d,%63[^,],%63[^,],%63[^,\n]", scheme, method, &m0, &m1, row.a,
                   row.ss, row.us) != 7)
            fail_msg("not a row: %s", line);
        if (rows++ % stride != 0) continue;
        costab_scheme found;
        check_ok(costab_scheme_find(scheme, &found, &why));
        row.planar = planar_named(found, method, m0, m1);
        each(&row);
    }
    (void)fclose(file);
    check_true(rows == 537, "%d rows", rows);
}

static costab_area_digits digits_at(const costab_planar *planar, const char *a) {
    costab_area_digits areas;
    check_ok(costab_planar_area_digits(planar, a, DIGITS, &areas, &why));
    return areas;
}

/* Whether a finite area is that of 45 digits, to its own error and to its last digit but one. */
static bool agrees(const char *area, double error, const char *expected) {
    arb_t found, wanted;
    mag_t off;
    arb_init(found);
    arb_init(wanted);
    mag_init(off);
    assert_int_equal(arb_set_str(found, area, PRECISION) | arb_set_str(wanted, expected, PRECISION), 0);
    arb_sub(found, found, wanted, PRECISION);
    arb_get_mag(off, found);
    const double value = strtod(expected, NULL), distance = mag_get_d(off);
    arb_clear(found);
    arb_clear(wanted);
    mag_clear(off);
    return distance <= error + 1e-43 * value && error <= 1e-29 * value;
}

static void check_text(const table_row *row, const char *what, const char *area, double error,
                       const char *text) {
    const bool decided = strcmp(text, "0") == 0 || strcmp(text, "inf") == 0;
    check_true(decided ? strcmp(area, text) == 0 && error == 0 : agrees(area, error, text),
               "%s of %s with %s at a = %s: %s with error %g, not %s", what,
               costab_scheme_name(row->planar.scheme), row->planar.method.name, row->a, area, error, text);
}

static void check_written(const table_row *row) {
    costab_area_digits areas = digits_at(&row->planar, row->a);
    check_text(row, "SS", areas.ss, areas.error_ss, row->ss);
    check_text(row, "US", areas.us, areas.error_us, row->us);
    costab_area_digits_free(&areas);
}

TEST(decimals_and_fractions) {
    for_rows((int)effort_stride(8), check_written);
}

static void check_number(const table_row *row, const char *what, double area, double error,
                         const char *text) {
    const real expected = strtold(text, NULL);
    if (expected == 0 || isinf(expected)) {
        check_true((real)area == expected && error == 0, "%s of %s with %s at a = %s: %.17g, not %s", what,
                   costab_scheme_name(row->planar.scheme), row->planar.method.name, row->a, area, text);
        return;
    }
    check_near(area, expected, fmin(error, DBL_EPSILON * (double)expected) + LDBL_EPSILON * expected,
               "%s of %s with %s at a = %s", what, costab_scheme_name(row->planar.scheme),
               row->planar.method.name, row->a);
}

static void check_double(const table_row *row) {
    const char *bar = strchr(row->a, '/');
    const double a = strtod(row->a, NULL) / (bar != NULL ? strtod(bar + 1, NULL) : 1);
    char decimal[300];
    (void)snprintf(decimal, sizeof decimal, "%.200g", a);
    costab_areas areas;
    check_ok(costab_planar_areas(&row->planar, a, &areas, &why));
    costab_area_digits expected = digits_at(&row->planar, decimal);
    check_number(row, "SS", areas.ss, areas.error_ss, expected.ss);
    check_number(row, "US", areas.us, areas.error_us, expected.us);
    costab_area_digits_free(&expected);
}

TEST(doubles) {
    for_rows(STRIDE * (int)effort_stride(8), check_double);
}
