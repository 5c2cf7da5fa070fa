/* Equilibria and rigid motions on random mechanical networks: masses tied to each other by
 * springs and dampers, each a subsystem, exchanging displacements and speeds or a force; hidden integrators
 * that nothing feeds back. Without springs to the ground any common displacement is an equilibrium, without
 * dampers to the ground either a common drift is a motion. The class must be that of the theorem, for random
 * choices of all that a master can do: how many equilibria, whether a motion is kept, and the radius of what
 * remains, which is that of the map without its eigenvalues at 1. */
#include <math.h>
#include <stdio.h>

#include "method/eigen.h"
#include "network/words.h"
#include "support/network_model.h"
#include "support/random_setting.h"

/* A number with 20 bits after the binary point. Those of the masses are such, so that what follows is exact:
 * entries that are small by cancellation would be off by more than rounding, and an equilibrium that the
 * rounded ones do not have is none. */
static double short_number(rng *r, double from, double to) {
    return ldexp(round(ldexp(rng_uniform(r, from, to), 20)), -20);
}

/* A state that integrates the speed and feeds no input, mixed with the others. */
static void hide_integrator(rng *r, model *m, int s, int states) {
    double T[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, inverse[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, A[9] = {0}, next[9];
    const int n = 3;
    assert_int_equal(states, 2);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) A[i * n + j] = m->A[s][i * 2 + j];
    A[2 * n + 1] = short_number(r, 0.5, 2);
    T[2] = rng_dyadic(r, 1, 3); /* x1 + t x3 and x2 + t' x3: the inverse is exact */
    T[5] = rng_dyadic(r, 1, 3);
    inverse[2] = -T[2];
    inverse[5] = -T[5];
    memset(next, 0, sizeof next);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++)
                    next[i * n + j] += T[i * n + k] * A[k * n + l] * inverse[l * n + j];
    m->subsystems[s].pairs = 0;
    if (m->subsystems[s].method.kind > COSTAB_EXACT && m->subsystems[s].method.kind != COSTAB_BDF)
        m->subsystems[s].method = method_named("rk4");
    int inputs = m->subsystems[s].inputs, outputs = m->subsystems[s].outputs;
    double B[12] = {0}, C[12] = {0};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < inputs; j++) B[i * inputs + j] = m->B[s][i * inputs + j];
    for (int i = 0; i < outputs; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < 2; k++) C[i * n + j] += m->C[s][i * 2 + k] * inverse[k * n + j];
    memcpy(m->A[s], next, sizeof next);
    memcpy(m->B[s], B, sizeof B);
    memcpy(m->C[s], C, sizeof C);
    m->subsystems[s].states = n;
}

typedef struct planted {
    bool grounded, damped; /* springs, dampers to the ground */
    int hidden;            /* integrators */
} planted;

static const char *const methods[] = {"heun",  "rk4",   "trapezoidal",         "gauss2",  "radau2",
                                      "exact", "exact", "semi-implicit-euler", "newmark", "generalized-alpha",
                                      "bdf2"};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* A mass is one position and its velocity. */
static const int position[] = {0}, velocity[] = {1};

/* A chain of masses; neighbours exchange displacements and speeds, or one of two gives the force. */
static planted random_chain(rng *r, model *m) {
    enum { MOST = 4 };
    int count = rng_int(r, 2, MOST);
    planted p = {.grounded = rng_int(r, 0, 3) == 0, .damped = rng_int(r, 0, 2) == 0};
    double k[MOST] = {0}, c[MOST] = {0}; /* between i and i + 1 */
    bool force[MOST] = {false};          /* i computes the force on i + 1 */
    model_start(m);
    for (int i = 0; i + 1 < count; i++) {
        k[i] = short_number(r, 0.5, 3);
        c[i] = short_number(r, 0.1, 0.6);
        force[i] = rng_int(r, 0, 1) == 0;
    }
    for (int i = 0; i < count; i++) {
        /* Inputs: from the left displacement and speed, or a force; from the right displacement and speed. */
        bool left = i > 0, right = i + 1 < count, pulled = left && force[i - 1], pulls = right && force[i];
        int inputs = (pulled ? 1 : 2 * left) + 2 * right, outputs = 2 + pulls, at = 0;
        int s = model_add(m, 2, inputs, outputs, methods[rng_int(r, 0, METHODS - 1)], rng_int(r, 1, 3), 0);
        m->subsystems[s].pairs = 1;
        m->subsystems[s].positions = position;
        m->subsystems[s].velocities = velocity;
        double stiffness = (p.grounded ? 1 : 0) + (right ? k[i] : 0) + (left && !pulled ? k[i - 1] : 0);
        double damping = (p.damped ? 0.3125 : 0) + (right ? c[i] : 0) + (left && !pulled ? c[i - 1] : 0);
        double *A = m->A[s], *B = m->B[s], *C = m->C[s], *D = m->D[s];
        A[1] = 1;
        A[2] = -stiffness;
        A[3] = -damping;
        if (pulled) B[inputs + at++] = 1;
        if (left && !pulled) {
            B[inputs + at++] = k[i - 1];
            B[inputs + at++] = c[i - 1];
        }
        if (right) {
            B[inputs + at] = k[i];
            B[inputs + at + 1] = c[i];
        }
        C[0] = C[3] = 1;
        if (!pulls) continue;
        C[4] = k[i];
        C[5] = c[i];
        D[2 * inputs + at] = -k[i];
        D[2 * inputs + at + 1] = -c[i];
        model_feedthrough(m, s);
    }
    for (int i = 0; i + 1 < count; i++) {
        int into = i > 0 ? (force[i - 1] ? 1 : 2) : 0;
        model_connect(m, i + 1, 0, i, into, 1, 0);
        model_connect(m, i + 1, 1, i, into + 1, 1, 0);
        if (force[i]) {
            model_connect(m, i, 2, i + 1, 0, 1, 0);
        } else {
            model_connect(m, i, 0, i + 1, 0, 1, 0);
            model_connect(m, i, 1, i + 1, 1, 1, 0);
        }
    }
    for (int s = 0; s < count; s++)
        if (rng_int(r, 0, 4) == 0) {
            hide_integrator(r, m, s, 2);
            p.hidden++;
        }
    return p;
}

static costab_coupling random_coupling(rng *r, model *m) {
    bool strides = rng_int(r, 0, 3) == 0;
    costab_coupling c = random_polynomials(r, strides);
    c.macro_step = rng_uniform(r, 0.02, 0.2);
    c.relaxation = rng_int(r, 0, 1) == 0 ? 0 : rng_uniform(r, 0.3, 1.3);
    for (int s = 0; s < m->network.subsystem_count && strides; s++)
        m->subsystems[s].stride = rng_int(r, 1, 3);
    for (int k = 0; k < m->network.connection_count; k++)
        if (rng_int(r, 0, 7) == 0) {
            costab_connection *late = &m->connections[k];
            late->delay = rng_int(r, 0, 2);
            if (late->delay == 0) late->delay_time = c.macro_step * rng_uniform(r, 0.1, 2.9);
        }
    if (!strides && c.scheme == COSTAB_JACOBI && rng_int(r, 0, 5) == 0) {
        c.area_correction = rng_uniform(r, -0.8, 0.8);
        c.extrapolation = COSTAB_CONSTANT;
        c.smoothed = false;
        for (int k = 0; k < m->network.connection_count; k++)
            m->connections[k].delay = 0, m->connections[k].delay_time = 0;
        for (int s = 0; s < m->network.subsystem_count; s++) /* no other method integrates the outputs */
            if (m->subsystems[s].method.kind > COSTAB_EXACT) m->subsystems[s].method = method_named("gauss2");
    }
    return c;
}

/* Does every connection reproduce straight lines on time? Then a motion is kept; otherwise hardly ever
 * (sweeps may reach it in the end). */
static bool keeps_motions(const model *m, const costab_coupling *c) {
    bool extrapolated = c->scheme != COSTAB_ITERATED, interpolated = c->scheme != COSTAB_JACOBI;
    for (int k = 0; k < m->network.connection_count; k++)
        if (m->connections[k].delay > 0 || m->connections[k].delay_time > 0) return false;
    if (c->area_correction != 0) return false;
    if (extrapolated && c->extrapolation == COSTAB_CONSTANT) return false;
    if (interpolated && c->interpolation == COSTAB_CONSTANT) return false;
    return !(c->scheme == COSTAB_ITERATED && c->iterations > 0 && c->predictor == COSTAB_CONSTANT);
}

/* The largest modulus of the map's eigenvalues without the `count` nearest to 1, to the power 1/period. */
static double radius_beside(const costab_network_work *work, const costab_network_point *point, int count) {
    enum { LARGEST = 300 };
    static double re[LARGEST], im[LARGEST], inner[LARGEST * (LARGEST + 40)];
    static int iwork[4 * LARGEST];
    const double *map, *imaginary;
    int n = point->size;
    assert_true(n <= LARGEST && eigen_work(n) <= sizeof inner / sizeof *inner &&
                eigen_iwork(n) <= sizeof iwork / sizeof *iwork);
    costab_network_matrix(work, &map, &imaginary);
    assert_true(eigen_values(n, map, re, im, inner, iwork));
    for (int k = 0; k < count; k++) {
        int nearest = 0;
        for (int i = 1; i < n; i++)
            if (hypot(re[i] - 1, im[i]) < hypot(re[nearest] - 1, im[nearest])) nearest = i;
        check_true(hypot(re[nearest] - 1, im[nearest]) < 1e-5, "an eigenvalue at 1");
        re[nearest] = im[nearest] = 0;
    }
    double radius = 0;
    for (int i = 0; i < n; i++) radius = fmax(radius, hypot(re[i], im[i]));
    return pow(radius, 1 / (double)point->period);
}

typedef struct tally {
    size_t judged, neutral, motions, kept, beyond, hidden, structured, late;
} tally;

static void judge(rng *r, costab_network_work *work, tally *t) {
    static model m;
    planted p = random_chain(r, &m);
    costab_coupling c = random_coupling(r, &m);
    costab_network_point point = model_analyse(work, &m, &c);
    if (!(point.spectral_radius < 1e6)) return;
    /* A hidden integrator follows the common displacement, so that its own equilibrium has no motion of its
     * own: with a rigid motion it drifts along. */
    bool free_body = !p.grounded, drifts = free_body && !p.damped;
    int expected = p.hidden + free_body;
    char where[200];
    snprintf(where, sizeof where,
             "%s i %s e %s%s %s, iterations %d, grounded %d damped %d hidden %d, %d parts",
             network_scheme_words[c.scheme], network_hold_words[c.interpolation],
             network_hold_words[c.extrapolation], c.smoothed ? " smoothed" : "",
             network_feedthrough_words[c.feedthrough], c.iterations, p.grounded, p.damped, p.hidden,
             m.network.subsystem_count);
    check_true(point.neutral == expected, "%s: %d equilibria instead of %d", where, point.neutral, expected);
    check_true(point.motions == drifts, "%s: %d motions", where, point.motions);
    bool kept = drifts && (keeps_motions(&m, &c) || point.kept > 0);
    check_true(point.kept == kept, "%s: motion kept %d instead of %d", where, point.kept, kept);
    t->beyond += kept && !keeps_motions(&m, &c);
    /* A double eigenvalue at 1 comes out with the root of a rounding, and moves nothing else. */
    double beside = radius_beside(work, &point, expected + kept);
    check_near(point.spectral_radius, (real)beside, 1e-7L, "%s: radius of what remains", where);
    bool converging = c.scheme == COSTAB_ITERATED && c.iterations == 0;
    bool stable = beside < 1 && !(converging && !(point.iteration_radius < 1));
    if (fabs(beside - 1) > 1e-6)
        check_true(((point.class_code & COSTAB_DISCRETE_STABLE) != 0) == stable,
                   "%s: class %d at radius %.9g", where, point.class_code, beside);
    bool structured = false, late = false;
    for (int i = 0; i < m.network.subsystem_count; i++)
        structured = structured || m.subsystems[i].method.kind > COSTAB_EXACT;
    for (int k = 0; k < m.network.connection_count; k++) late = late || m.connections[k].delay_time > 0;
    t->structured += structured;
    t->late += late;
    t->judged++;
    t->neutral += expected > 0;
    t->motions += drifts;
    t->kept += kept;
    t->hidden += p.hidden > 0;
}

TEST(test_planted) {
    rng r = rng_start("network neutral modes");
    costab_network_work *work = work_open();
    tally t = {0};
    for (size_t i = 0; t.judged < effort(1000) && i < 2 * effort(1000); i++) judge(&r, work, &t);
    costab_network_work_destroy(&work);
    print_message("# %zu networks: %zu with equilibria, %zu with motions, of which %zu kept (%zu by sweeps "
                  "alone), %zu with hidden integrators, %zu with structure or memory, %zu with delays in "
                  "seconds\n",
                  t.judged, t.neutral, t.motions, t.kept, t.beyond, t.hidden, t.structured, t.late);
    assert_true(t.judged >= effort(1000));
    assert_true(t.kept > 0 && t.motions > t.kept && t.hidden > 0 && t.judged > t.neutral);
    assert_true(t.structured > 0 && t.late > 0);
}

/* Two masses that a stiff spring ties, 2^stiffness, with a damper and a soft spring (of negative stiffness
 * `push`) between one and the ground. All entries are exact. */
static void make_stiff(model *m, int stiffness, double push, double damping) {
    double K = ldexp(1, stiffness), A[16] = {0, 1, 0, 0, push - K, -damping, K, 0, 0, 0, 0, 1, K, 0, -K, 0};
    model_start(m);
    int one = model_add(m, 4, 1, 1, "exact", 1, 0), other = model_scalar(m, -1, 1, 1, "exact", 1, 0);
    memcpy(m->A[one], A, sizeof A);
    m->B[one][1] = m->C[one][0] = 1;
    model_connect(m, one, 0, other, 0, 1, 0);
}

/* Its eigenvalue next to 0: det(A - z I) / K = 0. */
static double slow_eigenvalue(int stiffness, double push, double damping) {
    long double K = ldexpl(1, stiffness), k = push, c = damping, z = k / c;
    for (int turn = 0; turn < 40; turn++) {
        long double value = 2 * z * z + c * z - k + z * z * (z * z + c * z - k) / K;
        z -= value / (4 * z + c + (4 * z * z * z + 3 * c * z * z - 2 * k * z) / K);
    }
    return (double)z;
}

/* The least singular value is some epsilon of the largest one, but the entries have enough digits for the
 * eigenvalue: it is none of an equilibrium, and not stable. A relative change of entries by epsilon moves it
 * by K epsilon / c, of which the iteration makes some. */
TEST(test_stiff) {
    for (int sign = -1; sign <= 1; sign++)
        for (int stiffness = 38; stiffness <= 44; stiffness++)
            for (double damping = 16; damping <= 4096; damping *= 2) {
                model m;
                double push = sign;
                make_stiff(&m, stiffness, push, damping);
                costab_network_point point = model_point(&m, &(costab_coupling){.macro_step = 0x1p-12});
                int stable = COSTAB_CONTINUOUS_STABLE | COSTAB_DISCRETE_STABLE;
                check_true(point.neutral == (sign == 0), "2^%d, push %g, damping %g: %d equilibria",
                           stiffness, push, damping, point.neutral);
                if (sign > 0)
                    check_true((point.class_code & stable) == 0, "2^%d, damping %g: class %d", stiffness,
                               damping, point.class_code);
                if (sign == 0)
                    assert_true((point.class_code & stable) == stable);
                else
                    check_near(point.spectral_abscissa, (real)slow_eigenvalue(stiffness, push, damping),
                               16 * ldexpl(1, stiffness - 52) / (real)damping,
                               "2^%d, push %g, damping %g: abscissa", stiffness, push, damping);
            }
}
