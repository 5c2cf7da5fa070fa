/* Areas of random schemes, methods, micro steps and a against an independent program with 160 digits
 * (tests/reference/planar_areas_random.py): which are 0 and which infinite, the others within the library's
 * own error and a rounding. make check takes every tenth row, tests/long/areas.py all of them to 35 digits.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

static void random_rows(void **state) {
    (void)state;
    FILE *file = fopen("tests/reference/planar_areas_random.csv", "r");
    check_true(file != NULL,
               "tests/reference/planar_areas_random.csv cannot be read: run the tests in the project's "
               "folder");
    char line[400];
    int rows = 0, taken = 0;
    check_true(fgets(line, sizeof line, file) != NULL, "the table has no header");
    while (fgets(line, sizeof line, file) != NULL) {
        char scheme[32], method[32], a_text[64], ss[64], us[64];
        int m0, m1;
        if (sscanf(line, "%31[^,],%31[^,],%d,%d,%63[^,],%63[^,],%63[^,\n]", scheme, method, &m0, &m1, a_text,
                   ss, us) != 7)
            fail_msg("not a row: %s", line);
        if (rows++ % STRIDE != 0) continue;
        costab_scheme found;
        costab_areas areas;
        costab_error error = {.message = ""};
        assert_int_equal(costab_scheme_find(scheme, &found, NULL), COSTAB_OK);
        costab_planar planar = planar_named(found, method, m0, m1);
        double a = strtod(a_text, NULL);
        check_true(costab_planar_areas(&planar, a, &areas, &error) == COSTAB_OK, "%s", error.message);
        check_one(&planar, "SS", a, areas.ss, areas.error_ss, ss);
        check_one(&planar, "US", a, areas.us, areas.error_us, us);
        taken++;
    }
    (void)fclose(file);
    check_true(rows >= 500 && taken >= 50, "%d rows, %d taken", rows, taken);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
