/* Islands on wide edges: a sweep's level_one_NAME is the first crossing, not the crossing that is easily
 * seen. */
#include <math.h>
#include <stdio.h>

#include "network_sweep.h"

/* The edge number `number` of an axis. */
typedef struct axis_edge {
    const char *axis;
    int number;
    double begin, length;
} axis_edge;

/* How eigenvalues come out of the circle: as pairs that turn, or each by itself through +1, where an
 * equilibrium is passed. */
typedef enum passing { TURNING, STILL } passing;

static const char *const two_systems[] = {
    [TURNING] = "  - {name: s, A: [[a, 1], [-1, a]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], "
                "method: exact}\n"
                "  - {name: t, A: [[b, 2], [-2, b]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], "
                "method: exact}\n",
    [STILL] = "  - {name: s, A: [[a]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}\n"
              "  - {name: t, A: [[b]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}\n"};

/* Two of them: one is beyond the limit on an island from middle - half to middle + half, where its modulus is
 * exp((half^2 - (p - middle)^2) / wide^2), the other radius after 0.9 of the edge. middle and wide are shares
 * of it. */
static void check_island(const axis_edge *edge, passing how, double middle, double wide) {
    char text[2048];
    sweep s;
    const double width = wide * edge->length, half = 0.3 * width, at = edge->begin + middle * edge->length;
    snprintf(text, sizeof text,
             "system: network\n"
             "parameters: {p: 0, a: 2*(p - %.17g), b: (%.17g^2 - (p - %.17g)^2)/%.17g^2}\n"
             "subsystems:\n%s"
             "coupling: {macro_step: 1}\naxes: {p: %s}\nfields: [spectral_radius]\n",
             edge->begin + 0.9 * edge->length, half, at, width, two_systems[how], edge->axis);
    sweep_run(&s, text, 1);
    /* The slope at the island's begin is 2 half / width^2, and some ten roundings move the logarithm. */
    double bound = 1e-12 * at + 1e-15 * width * width / half;
    check_near(sweep_numbers(&s, "level_one_p")[edge->number], (real)at - (real)half, (real)bound,
               "%s: the island %g wide at %g of edge %d, %s", edge->axis, wide, middle, edge->number,
               how == TURNING ? "turning" : "still");
    sweep_end(&s);
}

/* Such as are narrower than the distance of nine nodes. The fewer edges an axis has, the narrower ones are
 * seen. */
TEST(islands_on_wide_edges) {
    for (int i = 0; i < 120; i += (int)effort_stride(3)) {
        double middle = 0.1 + 0.006 * i;
        for (passing how = TURNING; how <= STILL; how++) {
            check_island(&(axis_edge){"[0, 1]", 0, 0, 1}, how, middle, 0.04);
            check_island(&(axis_edge){"{from: 0, to: 8, points: 9}", i % 8, i % 8, 1}, how, middle, 0.04);
            check_island(&(axis_edge){"{from: 0, to: 16, points: 17}", i % 16, i % 16, 1}, how, middle, 0.08);
        }
    }
}

/* An axis with many edges has a long one, too. */
TEST(islands_on_a_long_edge) {
    for (int i = 0; i < 120; i += (int)effort_stride(3))
        for (int begin = 0; begin < 2; begin++) { /* 0: numbers have no logarithm */
            char axis[1024];
            int size = snprintf(axis, sizeof axis, "[");
            for (int k = 0; k <= 40; k++)
                size += snprintf(axis + size, sizeof axis - (size_t)size, "%d, ", begin + k);
            snprintf(axis + size, sizeof axis - (size_t)size, "1040]");
            check_island(&(axis_edge){axis, 40, begin + 40, 1000 - begin}, i % 2 == 0 ? TURNING : STILL,
                         0.1 + 0.006 * i, 0.04);
        }
}

/* x' = a x, y' = b y on the edges from 0 to 0.3 and from there to 1: where a is 0 at an end, that end is on
 * the limit, which is not inside it. The place is where both first enter or leave the inside. */
TEST(limits_at_ends) {
    const double none = (double)NAN;
    const struct {
        const char *a, *b;
        double places[2];
    } cases[] = {{"p - 0.3", "-1", {0.3, none}},
                 {"0.3 - p", "-1", {none, 0.3}},
                 {"p - 0.3", "p - 0.1", {0.1, none}},
                 {"0.3 - p", "0.7 - p", {none, 0.7}},
                 {"0.3 - p", "(p - 0.1)*(p - 0.2)*(p - 0.4)", {none, none}},
                 {"p*(p - 0.3)", "p - 0.1", {none, none}}}; /* at both */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        sweep s;
        snprintf(text, sizeof text,
                 "system: network\nparameters: {p: 0, a: %s, b: %s}\nsubsystems:\n%s"
                 "coupling: {macro_step: 1}\naxes: {p: [0, 0.3, 1]}\nfields: [spectral_radius]\n",
                 cases[i].a, cases[i].b, two_systems[STILL]);
        sweep_run(&s, text, 1);
        for (int edge = 0; edge < 2; edge++) {
            double found = sweep_numbers(&s, "level_one_p")[edge], place = cases[i].places[edge];
            if (isnan(place))
                check_true(isnan(found), "a = %s, b = %s: %.17g on edge %d", cases[i].a, cases[i].b, found,
                           edge);
            else
                check_near(found, (real)place, 1e-12L * (real)place, "a = %s, b = %s: edge %d", cases[i].a,
                           cases[i].b, edge);
        }
        sweep_end(&s);
    }
}
