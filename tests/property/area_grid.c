/* Areas of the four classes inside windows against counting the points of a fine grid. A square of the grid
 * that no boundary crosses counts right, so that the count is off by at most the squares on the boundary. */
#include <math.h>
#include <stdlib.h>

#include "costab/area.h"
#include "support/planar.h"

enum { SIDE = 320 };

typedef struct counted {
    real area[4], doubt[4];
} counted;

/* Counts cell centres by class; a cell whose neighbour to the right or above has another class may be cut by
 * a boundary. */
static counted count_classes(const costab_planar *planar, double a, const double *gamma,
                             const double *delta) {
    static double as[SIDE], gammas[SIDE], deltas[SIDE];
    static costab_planar_point points[2][SIDE];
    double dg = (gamma[1] - gamma[0]) / SIDE, dd = (delta[1] - delta[0]) / SIDE;
    counted c = {{0}, {0}};
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            as[j] = a;
            gammas[j] = gamma[0] + dg * (i + 0.5);
            deltas[j] = delta[0] + dd * (j + 0.5);
        }
        costab_planar_point *row = points[i % 2], *last = points[1 - i % 2];
        costab_planar_points(planar, SIDE, as, gammas, deltas, row);
        for (int j = 0; j < SIDE; j++) {
            int class_code = row[j].class_code;
            c.area[class_code] += (real)dg * dd;
            const int neighbours[2] = {j > 0 ? row[j - 1].class_code : class_code,
                                       i > 0 ? last[j].class_code : class_code};
            for (int k = 0; k < 2; k++) {
                if (neighbours[k] == class_code) continue;
                c.doubt[class_code] += (real)dg * dd;
                c.doubt[neighbours[k]] += (real)dg * dd;
            }
        }
    }
    /* parts thinner than a cell may lie between the centres: some as long as the window */
    for (int k = 0; k < 4; k++)
        c.doubt[k] += 3 * ((real)dg * (delta[1] - delta[0]) + (real)dd * (gamma[1] - gamma[0]));
    return c;
}

static void check_window(const costab_planar *planar, double a, const double *gamma, const double *delta) {
    costab_window_areas window;
    check_ok(window_areas(planar, a, gamma, delta, &window, &why));
    counted c = count_classes(planar, a, gamma, delta);
    real sum = 0;
    for (int k = 0; k < 4; k++) {
        sum += window.area[k];
        check_near(window.area[k], c.area[k], c.doubt[k] + window.error[k],
                   "%s of %s %s %d,%d at a = %g in %g:%g x %g:%g", costab_class_name(k),
                   costab_scheme_name(planar->scheme), planar->method.name, planar->substeps[0],
                   planar->substeps[1], a, gamma[0], gamma[1], delta[0], delta[1]);
    }
    real whole = ((real)gamma[1] - gamma[0]) * ((real)delta[1] - delta[0]);
    check_near((double)sum, whole, 1e-9L * whole, "the four classes fill the window");
}

static const struct {
    const char *method;
    int m0, m1;
} methods[] = {
    {"euler", 1, 1},          {"heun", 1, 1},        {"kutta3", 1, 1}, {"rk38", 1, 1},   {"dopri5", 1, 1},
    {"backward-euler", 1, 1}, {"trapezoidal", 1, 1}, {"exact", 1, 1},  {"gauss2", 1, 1}, {"rk4", 2, 2},
    {"heun", 1, 3},           {"kutta3", 3, 2},      {"dopri5", 4, 1}, {"sdirk2", 2, 3}, {"euler", 3, 3},
    {"radau2", 1, 1}};

enum { METHODS = sizeof methods / sizeof methods[0] };

TEST(windows) {
    rng r = rng_start("windows against counting");
    size_t number = 0;
    for (int i = 0; i < METHODS; i++)
        for (int s = COSTAB_SIMULATION; s < COSTAB_SCHEME_COUNT; s++) {
            /* the simulation's windows take seconds for methods of order 4 and more */
            if (s == COSTAB_SIMULATION && method_named(methods[i].method).stages > 3) continue;
            if (number++ % effort_stride(9) != 0) continue;
            int m1 = s == COSTAB_SIMULATION ? methods[i].m0 : methods[i].m1;
            costab_planar planar = planar_named((costab_scheme)s, methods[i].method, methods[i].m0, m1);
            for (int k = 0; k < (s == COSTAB_SIMULATION ? 1 : (int)effort(1)) && k < 2; k++) {
                double a = rng_uniform(&r, -3, 2), m = fmax(methods[i].m0, m1);
                const double gamma[2] = {m * rng_uniform(&r, -8, -1), m * rng_uniform(&r, -0.5, 4)};
                const double delta[2] = {m * m * rng_uniform(&r, -9, 1), m * m * rng_uniform(&r, 1.5, 12)};
                check_window(&planar, a, gamma, delta);
            }
        }
}

/* Where the area in the whole plane is finite and windows that grow hold ever less more, it is their limit;
 * where it is infinite they do not stop growing. */
TEST(whole_plane) {
    rng r = rng_start("the whole plane against windows");
    size_t finite = 0, infinite = 0, number = 0;
    for (int i = 0; i < METHODS; i++)
        for (int s = COSTAB_CROSS; s < COSTAB_SCHEME_COUNT; s++) {
            if (number++ % effort_stride(6) != 0) continue;
            costab_planar planar =
                planar_named((costab_scheme)s, methods[i].method, methods[i].m0, methods[i].m1);
            /* windows of the method `exact` take longer, the longer the larger they are */
            const bool exponential = planar.method.kind == COSTAB_EXACT;
            for (int k = 0; k < (exponential ? 1 : (int)effort(1)) && k < 3; k++) {
                double a = rng_uniform(&r, -4, 3);
                costab_areas areas;
                check_ok(costab_planar_areas(&planar, a, &areas, &why));
                real inside[3][2];
                for (int w = 0; w < 3; w++) {
                    double reach = (exponential ? 1e2 : 1e5) * pow(100, w);
                    costab_window_areas window;
                    const double range[2] = {-reach, reach};
                    check_ok(window_areas(&planar, a, range, range, &window, &why));
                    inside[w][0] = window.area[COSTAB_US];
                    inside[w][1] = window.area[COSTAB_SS];
                }
                for (int ss = 0; ss < 2; ss++) {
                    real area = ss ? areas.ss : areas.us, first = inside[1][ss] - inside[0][ss];
                    real second = inside[2][ss] - inside[1][ss], rounding = 1e-12L * (inside[2][ss] + 1e-3L);
                    if (isinf(area)) {
                        infinite++;
                        check_true(first > rounding && second > 0.5L * first,
                                   "%s of %s %s %d,%d at a = %.17g is called infinite: windows hold %Lg, "
                                   "then %Lg, %Lg more",
                                   ss ? "SS" : "US", costab_scheme_name(planar.scheme), planar.method.name,
                                   planar.substeps[0], planar.substeps[1], a, inside[0][ss], first, second);
                    } else {
                        finite++;
                        check_true(second <= 0.1L * first + rounding, "a finite area's windows converge");
                        check_near((double)area, inside[2][ss], second + rounding, "%s of %s %s at a = %.17g",
                                   ss ? "SS" : "US", costab_scheme_name(planar.scheme), planar.method.name,
                                   a);
                    }
                }
            }
        }
    check_true(finite >= effort_least(4) && infinite >= effort_least(4),
               "both kinds were met: %zu finite, %zu infinite", finite, infinite);
}
