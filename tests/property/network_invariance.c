/* Changes that keep the spectral radius: the order and names of subsystems (jacobi), the scale of states,
 * an input split in two. And the limit H -> 0: with exact solvers a macro step tends to the monolithic
 * exponential. */
#include <float.h>
#include <math.h>

#include "costab/planar.h"
#include "macro_step.h"
#include "network_model.h"

static void random_network(rng *r, model *m, int parts, int states, bool feedthrough) {
    model_start(m);
    for (int s = 0; s < parts; s++) {
        model_add(m, states, 2, 2, rng_int(r, 0, 1) ? "rk4" : "trapezoidal", rng_int(r, 1, 3), 0);
        for (int i = 0; i < states * states; i++) m->A[s][i] = rng_uniform(r, -1, 1);
        for (int i = 0; i < 2 * states; i++) {
            m->B[s][i] = rng_uniform(r, -1, 1);
            m->C[s][i] = rng_uniform(r, -1, 1);
        }
        for (int i = 0; i < 4; i++) m->D[s][i] = rng_uniform(r, -0.4, 0.4);
        if (feedthrough && rng_int(r, 0, 1)) model_feedthrough(m, s);
    }
    for (int from = 0; from < parts; from++)
        for (int to = 0; to < parts; to++)
            for (int port = 0; port < 2; port++)
                if (from != to && rng_int(r, 0, 1))
                    model_connect(m, from, port, to, rng_int(r, 0, 1), rng_uniform(r, -1, 1),
                                  rng_int(r, 0, 1));
}

static costab_coupling random_coupling(rng *r) {
    return (costab_coupling){.macro_step = rng_uniform(r, 0.2, 1),
                             .extrapolation = (costab_hold)rng_int(r, 0, 1),
                             .feedthrough = (costab_feedthrough)rng_int(r, 0, 1)};
}

/* A radius is good to the rounding of the map times the condition of its eigenvalue; defective ones (of
 * memory at 0) are below. */
static void same_radius(const model *a, const model *b, const costab_coupling *coupling, const char *what) {
    costab_network_point p = model_point(a, coupling), q = model_point(b, coupling);
    check_near(p.spectral_radius, q.spectral_radius, 1e4L * (real)(p.rounding + q.rounding) + 1e-12L,
               "%s: radius", what);
    check_near(p.spectral_abscissa, q.spectral_abscissa,
               1e4L * (real)(p.abscissa_rounding + q.abscissa_rounding), "%s: abscissa", what);
}

TEST(test_permutation) {
    rng r = rng_start("permuted subsystems");
    for (size_t i = 0; i < effort(70); i++) {
        static model a, b;
        int parts = rng_int(&r, 2, 5), states = rng_int(&r, 1, 4), order[MODEL_PARTS];
        random_network(&r, &a, parts, states, true);
        costab_coupling coupling = random_coupling(&r);
        for (int s = 0; s < parts; s++) order[s] = (s + 1) % parts;
        model_start(&b);
        b.network.subsystem_count = parts;
        for (int s = 0; s < parts; s++) {
            b.subsystems[order[s]] = a.subsystems[s];
            b.subsystems[order[s]].name = model_names[order[s]];
        }
        for (int c = a.network.connection_count - 1; c >= 0; c--) {
            const costab_connection *k = &a.connections[c];
            model_connect(&b, order[k->from], k->output, order[k->to], k->input, k->gain, k->delay);
        }
        same_radius(&a, &b, &coupling, "permuted");
        /* Gauss-seidel in the order that goes with the subsystems. */
        int first[MODEL_PARTS], second[MODEL_PARTS];
        for (int s = 0; s < parts; s++) {
            first[s] = parts - 1 - s;
            second[s] = order[first[s]];
        }
        coupling.scheme = COSTAB_GAUSS_SEIDEL;
        coupling.order = first;
        costab_network_point p = model_point(&a, &coupling);
        coupling.order = second;
        costab_network_point q = model_point(&b, &coupling);
        check_near(p.spectral_radius, q.spectral_radius, 1e4L * (real)(p.rounding + q.rounding) + 1e-12L,
                   "gauss-seidel");
    }
}

/* States times powers of 2: A to S A S^-1, B to S B, C to C S^-1. */
TEST(test_scaling) {
    rng r = rng_start("scaled states");
    for (size_t i = 0; i < effort(70); i++) {
        static model a, b;
        int parts = rng_int(&r, 2, 4), states = rng_int(&r, 1, 5);
        random_network(&r, &a, parts, states, true);
        model_start(&b);
        b.network.subsystem_count = parts;
        b.network.connection_count = a.network.connection_count;
        memcpy(b.connections, a.connections, sizeof a.connections);
        for (int s = 0; s < parts; s++) {
            double scale[MODEL_STATES];
            for (int k = 0; k < states; k++) scale[k] = ldexp(1, rng_int(&r, -6, 6));
            b.subsystems[s] = a.subsystems[s];
            b.subsystems[s].A = b.A[s];
            b.subsystems[s].B = b.B[s];
            b.subsystems[s].C = b.C[s];
            for (int p = 0; p < states; p++) {
                for (int q = 0; q < states; q++)
                    b.A[s][p * states + q] = scale[p] * a.A[s][p * states + q] / scale[q];
                for (int q = 0; q < 2; q++) {
                    b.B[s][p * 2 + q] = scale[p] * a.B[s][p * 2 + q];
                    b.C[s][q * states + p] = a.C[s][q * states + p] / scale[p];
                }
            }
        }
        costab_coupling coupling = random_coupling(&r);
        coupling.scheme = (costab_coupling_scheme)rng_int(&r, 0, 2);
        costab_network_point p = model_point(&a, &coupling), q = model_point(&b, &coupling);
        check_near(p.spectral_radius, q.spectral_radius,
                   1e4L * (real)p.rounding + 1e-3L * (real)q.rounding + 1e-11L, "scaled");
    }
}

/* One input fed by two connections against two inputs with the same column of B and one connection each. */
TEST(test_split_input) {
    rng r = rng_start("split inputs");
    for (size_t i = 0; i < effort(70); i++) {
        model one, two;
        double a = rng_uniform(&r, -2, 0.5), b = rng_uniform(&r, -1, 1), d = rng_uniform(&r, -0.5, 0.5),
               other[2], gain[2];
        for (int k = 0; k < 2; k++) {
            other[k] = rng_uniform(&r, -2, 0.5);
            gain[k] = rng_uniform(&r, -1, 1);
        }
        model_start(&one);
        model_start(&two);
        model_scalar(&one, a, b, 1, "rk4", 2, 0);
        one.D[0][0] = d;
        model_feedthrough(&one, 0);
        model_add(&two, 1, 2, 1, "rk4", 2, 0);
        two.A[0][0] = a;
        two.B[0][0] = two.B[0][1] = b;
        two.C[0][0] = 1;
        two.D[0][0] = two.D[0][1] = d;
        model_feedthrough(&two, 0);
        for (int k = 0; k < 2; k++) {
            model_scalar(&one, other[k], 1, 1, "heun", 1, 0);
            model_scalar(&two, other[k], 1, 1, "heun", 1, 0);
            model_connect(&one, k + 1, 0, 0, 0, gain[k], k);
            model_connect(&two, k + 1, 0, 0, k, gain[k], k);
            model_connect(&one, 0, 0, k + 1, 0, 1, 0);
            model_connect(&two, 0, 0, k + 1, 0, 1, 0);
        }
        costab_coupling coupling = random_coupling(&r);
        same_radius(&one, &two, &coupling, "split");
    }
}

/* Without delays and with exact solvers the macro step differs from e^(H A_mono) by O(H^2): halving H divides
 * the difference by 4 (by 8 with linear extrapolation or interpolation where every input has it). */
static real distance(const model *m, costab_coupling coupling, double H) {
    costab_network_work *work = work_open();
    coupling.macro_step = H;
    costab_network_point point = model_analyse(work, m, &coupling);
    const double *map, *imaginary;
    int n;
    costab_network_matrix(work, &map, &imaginary);
    const double *A = costab_network_monolithic(work, &n);
    assert_int_equal(point.size, n);
    /* The Taylor series of e^(HA), row-wise from the identity. */
    real sum[400], term[400], next[400], most = 0;
    for (int i = 0; i < n * n; i++) sum[i] = term[i] = i % (n + 1) == 0;
    for (int k = 1; k < 40; k++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                next[i * n + j] = 0;
                for (int l = 0; l < n; l++) next[i * n + j] += (real)A[i * n + l] * term[l * n + j] * H / k;
            }
        for (int i = 0; i < n * n; i++) sum[i] += term[i] = next[i];
    }
    for (int i = 0; i < n * n; i++) most = fmaxl(most, fabsl(sum[i] - map[i]));
    costab_network_work_destroy(&work);
    return most;
}

TEST(test_small_steps) {
    rng r = rng_start("small macro steps");
    for (size_t i = 0; i < effort(60); i++) {
        model m;
        random_network(&r, &m, rng_int(&r, 2, 4), rng_int(&r, 1, 4), false);
        for (int s = 0; s < m.network.subsystem_count; s++) m.subsystems[s].method = method_named("exact");
        for (int c = 0; c < m.network.connection_count; c++) m.connections[c].delay = 0;
        if (m.network.connection_count == 0) continue;
        for (int c = 0; c < costab_coupling_count(); c++) {
            costab_coupling coupling = {.macro_step = 1};
            check_ok(costab_coupling_find(costab_coupling_name(c), &coupling, &why));
            /* These maps remember former outputs or inputs. */
            if (coupling.extrapolation != COSTAB_CONSTANT || coupling.interpolation > COSTAB_LINEAR) continue;
            bool third = coupling.scheme == COSTAB_ITERATED && coupling.interpolation == COSTAB_LINEAR;
            /* In this order every input may be interpolated: a network that is a chain. */
            bool chain = coupling.scheme == COSTAB_GAUSS_SEIDEL && coupling.interpolation == COSTAB_LINEAR;
            for (int k = 0; k < m.network.connection_count; k++)
                if (m.connections[k].from > m.connections[k].to) chain = false;
            real coarse = distance(&m, coupling, 1e-3), fine = distance(&m, coupling, 0.5e-3);
            if (fine < 1e-12L) continue; /* a network without a loop, or almost */
            real expected = third || chain ? 8 : 4;
            check_near((double)(coarse / fine), expected, expected / 20, "%s", costab_coupling_name(c));
        }
    }
}

/* Long runs grow or decay as the radius says: |x_n|^(1/n) tends to it, from a random state. */
TEST(test_long_runs) {
    rng r = rng_start("long runs");
    for (size_t i = 0; i < effort(20); i++) {
        model m;
        random_network(&r, &m, 2, 2, true);
        costab_coupling coupling = random_coupling(&r);
        coupling.scheme = (costab_coupling_scheme)rng_int(&r, 0, 1);
        costab_network_point point = model_point(&m, &coupling);
        if (point.spectral_radius < 0.05) continue;
        double x[64];
        assert_true(point.size <= 64);
        for (int k = 0; k < point.size; k++) x[k] = rng_uniform(&r, -1, 1);
        enum { WARM = 400, COUNT = 400 };
        real logarithm = 0;
        for (int n = 0; n < WARM + COUNT; n++) {
            check_ok(macro_step(&m.network, &coupling, n, x, &why));
            real norm = 0;
            for (int k = 0; k < point.size; k++) norm += (real)x[k] * x[k];
            norm = sqrtl(norm);
            if (n >= WARM) logarithm += logl(norm);
            for (int k = 0; k < point.size; k++) x[k] = (double)(x[k] / norm);
        }
        /* A complex pair turns: its norm swings by a factor that the average of COUNT steps divides by COUNT.
         */
        check_near((double)expl(logarithm / COUNT), point.spectral_radius,
                   0.02L * (real)point.spectral_radius, "growth a step");
    }
}

/* Kinds of change that a point of a sweep may bring: 1 to 10 of subsystems, but the first, ... */
static void change_subsystems(model *m, costab_coupling *coupling, int kind) {
    costab_subsystem *first = &m->subsystems[0], *second = &m->subsystems[1];
    switch (kind) {
    case 1:
        coupling->macro_step *= 1.25;
        break;
    case 2:
        m->A[0][0] += 0.125;
        break;
    case 3:
        m->B[1][1] -= 0.25;
        break;
    case 4:
        m->C[1][0] += 0.25;
        break;
    case 5:
        m->D[0][0] -= 0.125;
        break;
    case 6:
        first->D = first->D == NULL ? m->D[0] : NULL;
        break;
    case 7:
        first->method = method_named("bs3");
        break;
    case 8:
        first->substeps++;
        break;
    case 9: /* the two become alike, and differ again */
        memcpy(m->A[1], m->A[0], sizeof m->A[0]);
        memcpy(m->B[1], m->B[0], sizeof m->B[0]);
        second->method = first->method;
        second->substeps = first->substeps;
        break;
    case 10:
        m->B[1][0] += 0.5;
        break;
    default:
        break;
    }
}

/* ... 11 to 16 of connections, ... */
static void change_connections(model *m, const costab_coupling *coupling, int kind) {
    costab_connection *c = m->connections;
    if (m->network.connection_count == 0) return;
    switch (kind) {
    case 11:
        c->gain += 0.25;
        break;
    case 12:
        c->input ^= 1;
        break;
    case 13:
        m->network.connection_count--;
        break;
    case 14:
        c->delay++;
        break;
    case 15: /* seconds: as many macro steps as the next one makes of them */
        c->delay = 0;
        c->delay_time = 2.5 * coupling->macro_step;
        break;
    case 16:
        c->delay_time = 1.25 * coupling->macro_step;
        break;
    default:
        break;
    }
}

/* ... and the later ones of the coupling and of solvers. */
static void change_coupling(model *m, costab_coupling *coupling, int kind) {
    costab_subsystem *second = &m->subsystems[1];
    switch (kind) {
    case 17:
        coupling->macro_step *= 0.375;
        break;
    case 18:
        coupling->extrapolation = COSTAB_QUADRATIC;
        break;
    case 19:
        coupling->interpolation = COSTAB_CUBIC;
        break;
    case 20:
        coupling->extrapolation = coupling->interpolation = COSTAB_HERMITE;
        if (m->network.connection_count > 0) m->connections[0].delay_time = 0;
        break;
    case 21: /* slopes depend on the macro step */
        coupling->macro_step *= 1.5;
        break;
    case 22:
        second->substeps = 0;
        second->step = coupling->macro_step / 3;
        break;
    case 23:
        second->step = coupling->macro_step / 4;
        break;
    case 24:
        coupling->feedthrough = coupling->feedthrough == COSTAB_SOLVED ? COSTAB_DELAYED : COSTAB_SOLVED;
        break;
    case 25:
        second->stride = coupling->scheme == COSTAB_ITERATED ? 1 : 2;
        break;
    case 26:
        second->method = method_named("bdf2");
        break;
    default:
        break;
    }
}

enum { CHANGES = 26 };

static void change(model *m, costab_coupling *coupling, int kind) {
    change_subsystems(m, coupling, kind);
    change_connections(m, coupling, kind);
    change_coupling(m, coupling, kind);
}

/* A workspace remembers nothing that matters: used for many networks it gives the bits of a fresh one. */
TEST(test_workspace) {
    rng r = rng_start("one workspace");
    costab_network_work *work = work_open();
    for (size_t i = 0; i < effort(70); i++) {
        static model m;
        random_network(&r, &m, rng_int(&r, 2, 3), rng_int(&r, 1, 2), true);
        costab_coupling coupling = random_coupling(&r);
        coupling.scheme = (costab_coupling_scheme)rng_int(&r, 0, 2);
        for (int kind = 0; kind <= CHANGES; kind++) {
            change(&m, &coupling, kind);
            costab_network_point a = model_analyse(work, &m, &coupling), b = model_point(&m, &coupling);
            assert_memory_equal(&a.spectral_radius, &b.spectral_radius, sizeof a.spectral_radius);
            assert_memory_equal(&a.spectral_abscissa, &b.spectral_abscissa, sizeof a.spectral_abscissa);
            assert_memory_equal(&a.rounding, &b.rounding, sizeof a.rounding);
            assert_memory_equal(&a.abscissa_rounding, &b.abscissa_rounding, sizeof a.rounding);
            assert_true(a.iteration_radius == b.iteration_radius || isnan(a.iteration_radius));
            assert_int_equal(a.class_code, b.class_code);
        }
    }
    costab_network_work_destroy(&work);
}

/* The class alone is the class of the whole analysis, near the limit too: gains are set so that the radius is
 * 1 within some digits. */
TEST(test_class_alone) {
    rng r = rng_start("class alone");
    costab_network_work *work = work_open();
    size_t counts[256] = {0}; /* by class code */
    for (size_t i = 0; i < effort(130); i++) {
        static model m;
        random_network(&r, &m, rng_int(&r, 2, 4), rng_int(&r, 1, 3), rng_int(&r, 0, 1));
        costab_coupling coupling = random_coupling(&r);
        coupling.scheme = (costab_coupling_scheme)rng_int(&r, 0, 2);
        double damping = rng_uniform(&r, 0, 3), low = 0, high = 4;
        for (int s = 0; s < m.network.subsystem_count; s++)
            for (int k = 0; k < m.subsystems[s].states; k++)
                m.A[s][k * m.subsystems[s].states + k] -= damping;
        double before[MODEL_CONNECTIONS];
        for (int c = 0; c < m.network.connection_count; c++) before[c] = m.connections[c].gain;
        for (int turn = 0; turn < 54; turn++) {
            double middle = 0.5 * (low + high);
            uint8_t alone = 255;
            for (int c = 0; c < m.network.connection_count; c++) m.connections[c].gain = before[c] * middle;
            costab_status status = costab_network_classify(work, &m.network, &coupling, &alone, &why);
            costab_network_point point;
            assert_int_equal(costab_network_analyse(work, &m.network, &coupling, &point, &why), status);
            if (status) break; /* a singular loop */
            check_true(alone == point.class_code, "class %d alone, %d with radius 1%+g", alone,
                       point.class_code, point.spectral_radius - 1);
            counts[point.class_code]++;
            *(point.spectral_radius < 1 ? &low : &high) = middle;
        }
    }
    /* US is rare: half of the seeds give none. */
    assert_true(counts[COSTAB_SS] > 0 && counts[COSTAB_SU] > 0 && counts[COSTAB_UU] > 0);
    costab_network_work_destroy(&work);
}
