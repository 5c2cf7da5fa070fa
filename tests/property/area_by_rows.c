/* A second way to the simulation's areas: the lengths of its rows integrated over Gamma. costab_planar_areas
 * never asks for a row of the simulation; it follows the curves on which |R| = 1. */
#include <math.h>

#include "costab/area.h"
#include "support.h"

typedef struct rows {
    costab_planar planar;
    bool us; /* count the part with Gamma > 0 or Delta < 0, else SS */
} rows;

static double length(const rows *r, double gamma) {
    costab_planar_slice slice = costab_planar_at(&r->planar, 0);
    costab_interval pieces[COSTAB_ROW_PIECES_MAX];
    int count = costab_planar_row(&slice, gamma, pieces);
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double inside = gamma < 0 ? fmax(0, pieces[i].upper) - fmax(0, pieces[i].lower) : 0;
        sum += r->us ? pieces[i].upper - pieces[i].lower - inside : inside;
    }
    return sum;
}

/* The double exponential rule on (left, right): it copes with square roots at both ends. Halved steps until
 * two agree. */
static double integral(const rows *r, double left, double right) {
    double half = 0.5 * (right - left), previous = 0, sum = 0;
    for (int level = 0; level < 9; level++) {
        double h = ldexp(0.5, -level);
        sum = 0;
        for (double t = -3.6; t <= 3.6; t += h) {
            double s = 1.5707963267948966 * sinh(t), c = cosh(s);
            double weight = 1.5707963267948966 * cosh(t) / (c * c);
            /* the distance to the nearer end without cancellation: 1 - tanh(s) = e^-s / cosh(s) */
            double gamma = s < 0 ? left + half * exp(s) / c : right - half * exp(-s) / c;
            if (gamma > left && gamma < right) sum += half * h * weight * length(r, gamma);
        }
        if (level > 2 && fabs(sum - previous) <= 1e-13 * fabs(sum)) break;
        previous = sum;
    }
    return sum;
}

/* What a row is made of: the causes of its ends, and on which side of 0 its lower ends lie. */
static long kind_of(const rows *r, double gamma) {
    costab_planar_slice slice = costab_planar_at(&r->planar, 0);
    costab_interval p[COSTAB_ROW_PIECES_MAX];
    int n = costab_planar_row(&slice, gamma, p);
    long kind = n;
    for (int j = 0; j < n; j++)
        kind = 300 * kind + 100 * ((p[j].lower > 0) - (p[j].lower < 0) + 1) + 10 * p[j].lower_cause +
               p[j].upper_cause;
    return kind;
}

/* The i-th of n + 1 points from left to right, of which one is 0: closer and closer towards it, where thin
 * parts lie. */
static double graded(double left, double right, int i, int n) {
    double share = (double)i / n;
    return left < 0 ? left * pow(1 - share, 4) : right * pow(share, 4);
}

/* Where the row's length has no derivative its kind changes: bisected from a grid. Returns the number of
 * break points, the ends included. */
static int break_points(const rows *r, double left, double right, double *at) {
    enum { GRID = 4000 };
    int count = 0;
    at[count++] = left;
    for (int i = 0; i < GRID; i++) {
        double low = graded(left, right, i, GRID), high = graded(left, right, i + 1, GRID);
        long before = kind_of(r, low);
        if (before == kind_of(r, high)) continue;
        for (int b = 0; b < 60; b++) {
            double mid = 0.5 * (low + high);
            if (kind_of(r, mid) == before)
                low = mid;
            else
                high = mid;
        }
        at[count++] = 0.5 * (low + high);
    }
    at[count++] = right;
    return count;
}

static double area(const rows *r, double left, double right) {
    double at[64], sum = 0;
    int count = break_points(r, left, right, at);
    for (int i = 0; i + 1 < count; i++) sum += integral(r, at[i], at[i + 1]);
    return sum;
}

static void check_method(const costab_method *method, int substeps) {
    rows r = {.us = false};
    costab_areas areas;
    assert_int_equal(costab_planar_init(&r.planar, COSTAB_SIMULATION, method, substeps, substeps, NULL),
                     COSTAB_OK);
    assert_int_equal(costab_planar_areas(&r.planar, 0, &areas, NULL), COSTAB_OK);
    /* these methods are unstable where an eigenvalue lies beyond -6 or 6 micro steps */
    double reach = 12.5 * substeps;
    double ss = area(&r, -reach, 0);
    r.us = true;
    double us = area(&r, 0, reach) + area(&r, -reach, 0);
    /* the double exponential rule to 1e-13; beside a tip of square-root type, bisected to the last bit, rows
     * are off by the root of epsilon over a width of epsilon: nothing; rows themselves carry 1e-12 of their
     * length */
    check_near(areas.ss, (real)ss, 2e-11L * (real)ss, "A_SS of %s, %d micro steps", method->name, substeps);
    check_near(areas.us, (real)us, 2e-11L * (real)(areas.ss + areas.us), "A_US of %s, %d micro steps",
               method->name, substeps);
}

TEST(rows_give_the_areas) {
    static const char *const methods[] = {"euler", "heun", "kutta3", "rk4", "rk38", "dopri5"};
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
        for (int substeps = 1; substeps <= 3; substeps += 2) {
            const costab_method method = method_named(methods[m]);
            check_method(&method, substeps);
        }
}

/* R = 1 + z + w z^2: with parts right of the imaginary axis, and one part left of it. */
TEST(other_tableaux) {
    static const costab_entry A[4] = {{"0", 1, 0}, {"0", 1, 0}, {"1", 1, 1}, {"0", 1, 0}};
    static const costab_entry b[2][2] = {{{"0", 1, 0}, {"1", 1, 1}}, {{"5/8", 3, 0}, {"3/8", 3, 0}}};
    for (size_t k = 0; k < sizeof b / sizeof b[0]; k++) {
        costab_method method;
        assert_int_equal(costab_method_from_entries(2, A, b[k], NULL, &method, NULL), COSTAB_OK);
        check_method(&method, 1);
    }
}
