/* Stiff networks, whose class is known: chains of masses with springs and dampers over ten decades, and one
 * between a mass and the ground.
 *
 * If that spring has positive stiffness, all eigenvalues are stable; where it is negative exactly one is not,
 * a real one, however slow (Kelvin, Tait, Chetaev: dampers do not change the number of unstable ones). No
 * coupling changes that: the determinant of I less its map keeps its sign as stiffnesses and steps vary, as 1
 * is an eigenvalue at equilibria alone, of methods whose R(z) is 1 at 0 alone. (Where the loop of new values
 * is solved the map has poles, and may have any radius after a pole.) Without ground springs a
 * common displacement is an equilibrium, without ground dampers either a motion begins there. The class
 * leaves open what rounding hides; it is never false. All numbers are exact, in any units, and the ground's
 * stiffness is beyond rounding of the others. */
#include <math.h>
#include <stdio.h>

#include "costab/planar.h"
#include "support/network_model.h"

enum { MASSES = 4, BITS = 20, GROUND = MASSES - 1 };

/* Where an iteration's radius is so near to 1 its map is next to a pole: an equilibrium may not be a fixed
 * point to rounding, and is not set aside. (Two masses and a spring whose motion has died away in a macro
 * step differ by 1e-13 from one that has none.) */
#define POLE 1e-9

/* 2^from to 2^to, with 6 bits after the first. */
static double short_number(rng *r, double from, double to) {
    double number = exp2(rng_uniform(r, from, to)), unit = exp2(floor(log2(number)) - 6);
    return round(number / unit) * unit;
}

/* Springs and dampers between masses i and i + 1; the last ones: of one mass to the ground. */
typedef struct chain {
    int count, grounded;
    double k[MASSES], d[MASSES];
} chain;

static chain random_chain(rng *r) {
    chain c = {.count = rng_int(r, 2, MASSES)};
    c.grounded = rng_int(r, 0, c.count - 1);
    for (int i = 0; i + 1 < c.count; i++) {
        c.k[i] = short_number(r, -4, rng_int(r, 0, 2) == 0 ? 4 : 30);
        c.d[i] = short_number(r, -6, 10);
    }
    c.k[GROUND] = rng_int(r, -1, 1) * short_number(r, -10, -5);
    c.d[GROUND] = rng_int(r, 0, 2) > 0 ? short_number(r, -6, 4) : 0;
    return c;
}

/* Each mass takes positions and speeds of its neighbours, all in units of their own. */
static void make_model(rng *r, const chain *c, model *m) {
    static const char *const methods[] = {"exact", "backward-euler", "trapezoidal", "radau2"};
    model_start(m);
    for (int i = 0; i < c->count; i++) {
        double x = ldexp(1, rng_int(r, -BITS, BITS)), v = ldexp(1, rng_int(r, -BITS, BITS));
        bool grounded = i == c->grounded;
        double stiffness = grounded ? c->k[GROUND] : 0, damping = grounded ? c->d[GROUND] : 0;
        int s = model_add(m, 2, 4, 2, methods[rng_int(r, 0, 3)], rng_int(r, 1, 3), 0);
        for (int side = 0; side < 2; side++) {
            int other = i - 1 + 2 * side, spring = i - 1 + side;
            if (other < 0 || other == c->count) continue;
            stiffness += c->k[spring];
            damping += c->d[spring];
            m->B[s][4 + 2 * side] = c->k[spring] / v;
            m->B[s][4 + 2 * side + 1] = c->d[spring] / v;
        }
        m->A[s][1] = v / x;
        m->A[s][2] = -stiffness * (x / v);
        m->A[s][3] = -damping;
        m->C[s][0] = x;
        m->C[s][3] = v;
    }
    for (int i = 0; i + 1 < c->count; i++)
        for (int port = 0; port < 2; port++) {
            model_connect(m, i + 1, port, i, 2 + port, 1, 0);
            model_connect(m, i, port, i + 1, port, 1, 0);
        }
}

typedef struct tally {
    size_t points, open, slow;
} tally;

static void judge(const chain *c, const costab_network_point *point, bool poles, const char *where,
                  tally *t) {
    uint8_t code = point->class_code;
    bool free = c->k[GROUND] == 0, drifts = free && c->d[GROUND] == 0;
    bool hidden = fabs(point->iteration_radius - 1) < POLE && point->neutral == 0 && point->motions == 0;
    check_true(hidden || point->neutral == free, "%s: %d equilibria", where, point->neutral);
    check_true(hidden || point->motions == drifts, "%s: %d motions", where, point->motions);
    if (c->k[GROUND] < 0)
        check_true((code & (COSTAB_CONTINUOUS_STABLE | (poles ? 0 : COSTAB_DISCRETE_STABLE))) == 0, "%s: %s",
                   where, costab_class_name(code));
    if (drifts && point->kept == 0)
        check_true((code & COSTAB_CONTINUOUS_STABLE) == 0, "%s: %s", where, costab_class_name(code));
    if (c->k[GROUND] > 0 || (free && point->kept == drifts))
        check_true((code & (COSTAB_CONTINUOUS_STABLE | COSTAB_CONTINUOUS_NEUTRAL)) != 0, "%s: %s", where,
                   costab_class_name(code));
    t->points++;
    t->open += (code & COSTAB_CONTINUOUS_NEUTRAL) != 0 && !drifts;
    t->slow += c->k[GROUND] < 0;
}

TEST(test_classes) {
    rng r = rng_start("stiff networks");
    costab_network_work *work = work_open();
    tally t = {0};
    for (size_t i = 0; i < effort(70); i++) {
        static model m;
        chain c = random_chain(&r);
        make_model(&r, &c, &m);
        for (int k = 0; k < costab_coupling_count(); k++) {
            costab_coupling coupling = {.macro_step = pow(10, rng_uniform(&r, -7, -1))};
            char where[160];
            check_ok(costab_coupling_find(costab_coupling_name(k), &coupling, &why));
            costab_network_point point;
            if (costab_network_analyse(work, &m.network, &coupling, &point, &why)) continue;
            snprintf(where, sizeof where, "chain %zu of %d, ground %g and %g, %s, H %g", i, c.count,
                     c.k[GROUND], c.d[GROUND], costab_coupling_name(k), coupling.macro_step);
            judge(&c, &point, coupling.iterations == COSTAB_NEWTON, where, &t);
        }
    }
    costab_network_work_destroy(&work);
    print_message("# %zu points, the continuous system open at %zu; %zu with an unstable ground\n", t.points,
                  t.open, t.slow);
    assert_true(t.points > 15 * effort(70));
    if (effort(70) >= 70) assert_true(t.open < t.points / 3 && t.slow > t.points / 5); /* of many chains */
}
