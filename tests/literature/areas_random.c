/* Areas of random schemes, methods, micro steps and a against an independent program with 160 digits
 * (tests/reference/planar_areas_random.py): which are 0 and which infinite, the others within the library's
 * own error and a rounding. In one table a is a double, in the other a decimal or a fraction, for which the
 * error holds. make check takes every tenth row of the first table and all of the second, tests/long/areas.py
 * all of them to 35 digits. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "costab/area.h"
#include "support/planar.h"

enum { STRIDE = 10 };

static void check_one(const costab_planar *planar, const char *what, double a, double area, double error,
                      const char *text) {
    real expected = strtold(text, NULL);
    check_true(area >= 0, "an area is never negative");
    if (expected == 0 || isinf(expected)) {
        check_true((real)area == expected && error == 0,
                   "%s of %s with %s at a = %.17g: %.17g with error %g, not %s", what,
                   costab_scheme_name(planar->scheme), planar->method.name, a, area, error, text);
        return;
    }
    check_near(area, expected, error + LDBL_EPSILON * expected, "%s of %s with %s at a = %.17g", what,
               costab_scheme_name(planar->scheme), planar->method.name, a);
    check_near(area, expected, DBL_EPSILON * expected, "rounding of %s of %s with %s at a = %.17g", what,
               costab_scheme_name(planar->scheme), planar->method.name, a);
}

typedef struct table_row {
    costab_planar planar;
    char a[64], ss[64], us[64];
} table_row;

/* Calls `each` for every stride-th row of a table. */
static void for_rows(const char *name, int stride, int rows_least, void (*each)(const table_row *)) {
    FILE *file = fopen(name, "r");
    check_true(file != NULL, "%s cannot be read: run the tests in the project's folder", name);
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
        assert_int_equal(costab_scheme_find(scheme, &found, NULL), COSTAB_OK);
        row.planar = planar_named(found, method, m0, m1);
        each(&row);
    }
    (void)fclose(file);
    check_true(rows >= rows_least, "%d rows", rows);
}

static void check_double(const table_row *row) {
    costab_areas areas;
    costab_error error = {.message = ""};
    const double a = strtod(row->a, NULL);
    check_true(costab_planar_areas(&row->planar, a, &areas, &error) == COSTAB_OK, "%s", error.message);
    check_one(&row->planar, "SS", a, areas.ss, areas.error_ss, row->ss);
    check_one(&row->planar, "US", a, areas.us, areas.error_us, row->us);
}

TEST(doubles) {
    for_rows("tests/reference/planar_areas_random.csv", STRIDE, 500, check_double);
}

static void check_text(const table_row *row, const char *what, const char *area, double error,
                       const char *text) {
    const real expected = strtold(text, NULL);
    const real off = fabsl(strtold(area, NULL) - expected), bound = error + 2 * LDBL_EPSILON * expected;
    const bool decided = expected == 0 || isinf(expected);
    check_true(decided ? strcmp(area, text) == 0 && error == 0 : off <= bound,
               "%s of %s with %s at a = %s: %s with error %g, not %s", what,
               costab_scheme_name(row->planar.scheme), row->planar.method.name, row->a, area, error, text);
}

static void check_written(const table_row *row) {
    enum { DIGITS = 18 };
    costab_area_digits areas;
    costab_error error = {.message = ""};
    check_true(costab_planar_area_digits(&row->planar, row->a, DIGITS, &areas, &error) == COSTAB_OK, "%s",
               error.message);
    check_text(row, "SS", areas.ss, areas.error_ss, row->ss);
    check_text(row, "US", areas.us, areas.error_us, row->us);
    costab_area_digits_free(&areas);
}

TEST(decimals_and_fractions) {
    for_rows("tests/reference/planar_areas_written.csv", 1, 510, check_written);
}
