/* The class of a network is that of what it describes: it does not change when states, inputs or outputs are
 * measured in other units (powers of ten, so that rounding is not the same, and powers of 2 as far apart as
 * doubles go), and whoever asks gets the same one. */
#include <math.h>

#include "costab/planar.h"
#include "network_model.h"

enum { PARTS = 3, STATES = 4 };

/* Masses: positions, then their velocities; some undamped, some with a first mass that nothing holds. */
static void add_masses(rng *r, model *m) {
    static const char *const methods[] = {"semi-implicit-euler", "newmark", "generalized-alpha", "rk4",
                                          "exact"};
    static const int at[STATES] = {0, 1, 2, 3};
    int pairs = rng_int(r, 1, STATES / 2), n = 2 * pairs;
    bool damped = rng_int(r, 0, 2) > 0, held = rng_int(r, 0, 3) > 0;
    int s = model_add(m, n, 2, 2, methods[rng_int(r, 0, 4)], rng_int(r, 1, 4), 0);
    double *A = m->A[s];
    for (int i = 0; i < pairs; i++) {
        double *slope = &A[(pairs + i) * n];
        A[i * n + pairs + i] = 1;
        for (int j = 0; j < pairs; j++) {
            slope[j] = i == j ? -rng_uniform(r, 1, 5) : rng_uniform(r, -0.5, 0.5);
            if (damped) slope[pairs + j] = i == j ? -rng_uniform(r, 0.5, 2) : rng_uniform(r, -0.2, 0.2);
        }
        if (!held) slope[0] = 0;
        for (int q = 0; q < 2; q++) m->B[s][(pairs + i) * 2 + q] = rng_uniform(r, -0.5, 0.5);
    }
    for (int i = 0; i < 2 * n; i++) m->C[s][i] = rng_uniform(r, -0.5, 0.5);
    for (int q = 0; q < 2 && !held; q++) m->C[s][q * n] = 0;
    m->subsystems[s].pairs = pairs;
    m->subsystems[s].positions = at;
    m->subsystems[s].velocities = at + pairs;
}

/* A random network, of which some have eigenvalues on the limit: integrators, undamped oscillators, a chain
 * of two integrators, masses. `oscillator`: an undamped one that nothing reads and whose method keeps its
 * amplitude, and other subsystems that are well damped: most of these networks are NN. */
static void random_network(rng *r, bool oscillator, model *m) {
    int parts = rng_int(r, 2, PARTS);
    static const char *const methods[] = {"exact", "rk4", "trapezoidal", "backward-euler", "bdf2"};
    model_start(m);
    for (int s = 0; s < parts; s++) {
        int n = rng_int(r, 1, STATES), kind = rng_int(r, 0, 7), method = rng_int(r, 0, 4);
        if (oscillator) {
            kind = s == 0 ? 2 : 3;
            n = s == 0 ? 2 : n;
            method = s == 0 ? 0 : method;
        }
        if (kind > 5) {
            add_masses(r, m);
            continue;
        }
        model_add(m, n, 2, 2, methods[method], rng_int(r, 1, 4), 0);
        double *A = m->A[s];
        for (int i = 0; i < n * n; i++) A[i] = rng_uniform(r, -1, 1);
        for (int i = 0; i < n; i++) A[i * n + i] -= oscillator ? 3 : 1.5;
        /* The last state, or the last two, on the limit. */
        for (int i = 0; i < n && kind <= 1; i++) A[i * n + n - 1] = 0;
        if (kind == 0 && n > 1) A[(n - 2) * n + n - 1] = rng_uniform(r, 0.5, 2);
        for (int i = 0; i < n && kind == 1; i++) A[(n - 1) * n + i] = 0;
        if (n == 2 && kind == 2) {
            A[0] = A[3] = 0;
            A[1] = 1;
            A[2] = -rng_uniform(r, 0.5, 50);
        }
        for (int i = 0; i < 2 * n; i++) {
            m->B[s][i] = rng_uniform(r, -0.5, 0.5);
            m->C[s][i] = rng_uniform(r, -0.5, 0.5);
        }
        /* Nothing comes back from a state that is on the limit, in half of them. */
        bool unread = kind <= 2 && (oscillator || rng_int(r, 0, 1));
        for (int q = 0; q < 2 && unread; q++)
            for (int i = kind == 2 ? 0 : n - 1; i < n; i++) m->C[s][q * n + i] = 0;
        for (int i = 0; i < 4; i++) m->D[s][i] = rng_uniform(r, -0.4, 0.4);
        if (rng_int(r, 0, 2) == 0) model_feedthrough(m, s);
    }
    for (int from = 0; from < parts; from++)
        for (int to = 0; to < parts; to++)
            for (int port = 0; port < 2; port++)
                if (from != to && rng_int(r, 0, 1))
                    model_connect(m, from, port, to, rng_int(r, 0, 1), rng_uniform(r, -1, 1), 0);
}

/* base^-most .. base^most. */
typedef struct units {
    double base;
    int most;
} units;

static void random_scales(rng *r, const units *in, int count, double *scales) {
    for (int i = 0; i < count; i++) scales[i] = pow(in->base, rng_int(r, -in->most, in->most));
}

/* Converts a network to other units: x' = T x, u' = S u, y' = R y. */
static void rescale(rng *r, const units *in, const model *a, model *b) {
    double T[PARTS][STATES], S[PARTS][2], R[PARTS][2];
    model_start(b);
    b->network.subsystem_count = a->network.subsystem_count;
    b->network.connection_count = a->network.connection_count;
    for (int s = 0; s < a->network.subsystem_count; s++) {
        int n = a->subsystems[s].states;
        random_scales(r, in, n, T[s]);
        for (int p = 0; p < a->subsystems[s].pairs; p++) /* a velocity is its position's, per unit of time */
            T[s][a->subsystems[s].velocities[p]] = T[s][a->subsystems[s].positions[p]];
        random_scales(r, in, 2, S[s]);
        random_scales(r, in, 2, R[s]);
        b->subsystems[s] = a->subsystems[s];
        b->subsystems[s].A = b->A[s];
        b->subsystems[s].B = b->B[s];
        b->subsystems[s].C = b->C[s];
        if (a->subsystems[s].D != NULL) b->subsystems[s].D = b->D[s];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) b->A[s][i * n + j] = T[s][i] * a->A[s][i * n + j] / T[s][j];
        for (int i = 0; i < n; i++)
            for (int q = 0; q < 2; q++) {
                b->B[s][i * 2 + q] = T[s][i] * a->B[s][i * 2 + q] / S[s][q];
                b->C[s][q * n + i] = R[s][q] * a->C[s][q * n + i] / T[s][i];
            }
        for (int q = 0; q < 2; q++)
            for (int p = 0; p < 2; p++) b->D[s][q * 2 + p] = R[s][q] * a->D[s][q * 2 + p] / S[s][p];
    }
    for (int c = 0; c < a->network.connection_count; c++) {
        costab_connection *k = &b->connections[c];
        *k = a->connections[c];
        k->gain *= S[k->to][k->input] / R[k->from][k->output];
    }
}

static uint8_t class_of(costab_network_work *work, const model *m, const costab_coupling *coupling,
                        int number, int *neutral) {
    costab_network_point point;
    uint8_t quick;
    check_ok(costab_network_analyse(work, &m->network, coupling, &point, &why));
    check_ok(costab_network_classify(work, &m->network, coupling, &quick, &why));
    check_true(quick == point.class_code, "network %d: %s, but classified as %s", number,
               costab_class_name(point.class_code), costab_class_name(quick));
    bool stable = (point.class_code & COSTAB_DISCRETE_STABLE) != 0;
    bool contracts = coupling->scheme != COSTAB_ITERATED || point.iteration_radius < 1;
    check_true(stable == (point.beyond + point.rounding < 0 && contracts),
               "network %d: %s at radius 1%+g, rounding %g", number, costab_class_name(point.class_code),
               point.beyond, point.rounding);
    *neutral = point.neutral + point.kept;
    return point.class_code;
}

/* Are both classes the same, except for an N in one of them? */
static bool at_edge(uint8_t one, uint8_t other) {
    static const uint8_t stable[] = {COSTAB_DISCRETE_STABLE, COSTAB_CONTINUOUS_STABLE},
                         neutral[] = {COSTAB_DISCRETE_NEUTRAL, COSTAB_CONTINUOUS_NEUTRAL};
    for (int k = 0; k < 2; k++) {
        bool either = ((one | other) & neutral[k]) != 0;
        if (!either && ((one ^ other) & stable[k]) != 0) return false;
    }
    return true;
}

/* Compares networks in the units `in` with themselves in their own units. */
static void compare(const char *name, const units *in, int networks) {
    rng r = rng_start(name);
    costab_network_work *work = work_open();
    size_t met[64] = {0}, apart = 0, edges = 0, points = (size_t)networks * (size_t)costab_coupling_count();
    for (int i = 0; i < networks; i++) {
        static model a, b;
        random_network(&r, i % 8 == 0, &a);
        rescale(&r, in, &a, &b);
        for (int c = 0; c < costab_coupling_count(); c++) {
            costab_coupling coupling = {.macro_step = 0.1 * rng_int(&r, 1, 20)};
            check_ok(costab_coupling_find(costab_coupling_name(c), &coupling, &why));
            int neutral, also;
            uint8_t one = class_of(work, &a, &coupling, i, &neutral),
                    other = class_of(work, &b, &coupling, i, &also);
            apart += neutral != also;
            /* A point within rounding of the limit may be N in one set of units; never S in one and
             * U in the other. */
            edges += one != other && neutral == also;
            check_true(one == other || neutral != also || at_edge(one, other),
                       "network %d, %s: %s, in other units %s", i, costab_coupling_name(c),
                       costab_class_name(one), costab_class_name(other));
            met[one]++;
        }
    }
    costab_network_work_destroy(&work);
    print_message("# equilibria found in one set of units alone: %zu of %zu\n", apart, points);
    print_message("# classes with an N in one set of units alone: %zu of %zu\n", edges, points);
    /* Kernels are found in units of the model's own; at the edge of rounding eigenvalues are not. */
    assert_true(apart == 0 && edges <= 1 + points / 20000);
    /* All that can be met was: a test of ordinary points alone would hold whatever rounding is taken for. */
    for (size_t i = 0; i < 4; i++)
        assert_true(met[((const uint8_t[]){COSTAB_SS, COSTAB_UU, COSTAB_NN, COSTAB_SU})[i]] >=
                    effort_least(1));
}

TEST(test_units) {
    compare("units", &(units){10, 8}, (int)effort(30));
}

/* Entries from one end of the doubles to the other, 2^-960 .. 2^960. */
TEST(test_ends) {
    compare("units as far apart as doubles go", &(units){2, 480}, (int)effort(20));
}
