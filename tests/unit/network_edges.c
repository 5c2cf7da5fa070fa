/* Islands on wide edges: a sweep's level_one_NAME is the first crossing, not the one that is easily seen. */
#include <math.h>
#include <stdio.h>

#include "network_sweep.h"

/* Two pairs that turn: one is beyond the limit on an island from middle - half to middle + half, where its
 * modulus is exp((half^2 - (p - middle)^2) / wide^2), the other one from 0.9 on. All on edge number `edge` of
 * an axis of so many points, whose edges have the length 1; middle and wide are shares of it. */
static void check_island(int points, int edge, double middle, double wide) {
    char text[2048];
    sweep s;
    const double half = 0.3 * wide, first = edge + middle - half;
    snprintf(text, sizeof text,
             "system: network\n"
             "parameters: {p: 0, a: 2*(p - %d.9), b: (%.17g^2 - (p - %.17g)^2)/%.17g^2}\n"
             "subsystems:\n"
             "  - {name: s, A: [[a, 1], [-1, a]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], "
             "method: exact}\n"
             "  - {name: t, A: [[b, 2], [-2, b]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], "
             "method: exact}\n"
             "coupling: {macro_step: 1}\naxes: {p: {from: 0, to: %d, points: %d}}\n"
             "fields: [spectral_radius]\n",
             edge, half, edge + middle, wide, points - 1, points);
    sweep_run(&s, text, 1);
    /* The slope at the island's begin is 2 half / wide^2, and some ten roundings move the logarithm. */
    double bound = 1e-12 * first + 1e-15 * wide * wide / half;
    check_near(sweep_numbers(&s, "level_one_p")[edge], (real)first, (real)bound,
               "%d points: the island %g wide at %g of edge %d", points, wide, middle, edge);
    sweep_end(&s);
}

/* Such as are narrower than the distance of nine nodes. The fewer edges an axis has, the narrower ones are
 * seen. */
static void islands_on_wide_edges(void **state) {
    (void)state;
    for (int i = 0; i < 120; i++) {
        double middle = 0.1 + 0.006 * i;
        check_island(2, 0, middle, 0.04);
        check_island(9, i % 8, middle, 0.04);
        check_island(17, i % 16, middle, 0.08);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(islands_on_wide_edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
