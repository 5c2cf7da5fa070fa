/* The macro-step map against the definitions played through: on random networks, for random combinations of
 * all the master's choices, each column of the map is one macro step of a unit state, done here micro step by
 * micro step with the stage equations solved, in long double. Nothing of the library's algebra (powers,
 * blocks, linear forms, the linear solve of an iteration) is used.
 *
 * Bound: matrices have ||A|| H of a few units and a step has few micro steps, so that every path loses no
 * more than some thousand roundings of the largest numbers met; an iteration to convergence multiplies that
 * by 1/(1 - radius). */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "support/balls.h"

enum {
    S = MODEL_PARTS,
    N = MODEL_STATES,
    P = MODEL_PORTS,
    STAGES = 4,
    DEPTH = 6,
    MAP = 200,
    UNKNOWNS = STAGES * N
};

/* What a network remembers, all of it whether needed or not. */
typedef struct memory {
    real x[S][N], held[S][P], former[S][P][DEPTH]; /* former[..][j]: y_{n-1-j} */
} memory;

typedef struct choices {
    const model *m;
    costab_coupling coupling;
    int p[S], q[S]; /* macro step / micro step */
    int position[S];
} choices;

/* ---- One subsystem over some micro steps ---- */

static void solve(int n, real *a, real *b) {
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int i = c + 1; i < n; i++)
            if (fabsl(a[i * n + c]) > fabsl(a[pivot * n + c])) pivot = i;
        for (int j = 0; j < n; j++) {
            real kept = a[c * n + j];
            a[c * n + j] = a[pivot * n + j];
            a[pivot * n + j] = kept;
        }
        real kept = b[c];
        b[c] = b[pivot];
        b[pivot] = kept;
        for (int i = c + 1; i < n; i++) {
            real factor = a[i * n + c] / a[c * n + c];
            for (int j = c; j < n; j++) a[i * n + j] -= factor * a[c * n + j];
            b[i] -= factor * b[c];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= a[i * n + j] * b[j];
        b[i] /= a[i * n + i];
    }
}

static void slope(const costab_subsystem *s, const real *x, const real *u, real *dx) {
    for (int i = 0; i < s->states; i++) {
        dx[i] = 0;
        for (int j = 0; j < s->states; j++) dx[i] += (real)s->A[i * s->states + j] * x[j];
        for (int j = 0; j < s->inputs; j++) dx[i] += (real)s->B[i * s->inputs + j] * u[j];
    }
}

static void line(const costab_subsystem *s, const real *u0, const real *u1, real at, real *u) {
    for (int j = 0; j < s->inputs; j++) u[j] = u0[j] + (u1[j] - u0[j]) * at;
}

/* From local time t over h = t's unit times H: one Runge-Kutta step, its stage equations as one linear
 * system. */
static void runge_kutta(const costab_subsystem *s, real t, real length, real H, const real *u0,
                        const real *u1, real *x) {
    const costab_method *m = &s->method;
    int n = s->states, total = m->stages * n;
    real h = length * H, a[UNKNOWNS * UNKNOWNS], k[UNKNOWNS], u[P];
    for (int i = 0; i < m->stages; i++) {
        line(s, u0, u1, t + (real)m->c[i] * length, u);
        slope(s, x, u, k + i * n);
        for (int j = 0; j < m->stages; j++)
            for (int r = 0; r < n; r++)
                for (int c = 0; c < n; c++)
                    a[(i * n + r) * total + j * n + c] =
                        (i == j && r == c) - h * (real)m->A[i][j] * (real)s->A[r * n + c];
    }
    solve(total, a, k);
    for (int i = 0; i < m->stages; i++)
        for (int r = 0; r < n; r++) x[r] += h * (real)m->b[i] * k[i * n + r];
}

/* The Taylor series of the solution, in short pieces. */
static void taylor(const costab_subsystem *s, real t, real length, real H, const real *u0, const real *u1,
                   real *x) {
    enum { PIECES = 32 };
    real piece = length / PIECES, h = piece * H, u[P], du[P], term[N], next[N];
    real none[P] = {0};
    for (int k = 0; k < PIECES; k++) {
        line(s, u0, u1, t + (real)k * piece, u);
        for (int j = 0; j < s->inputs; j++) du[j] = (u1[j] - u0[j]) / H;
        slope(s, x, u, term);
        for (int order = 1; order < 30; order++) {
            for (int i = 0; i < s->states; i++) {
                term[i] *= h / (real)order;
                x[i] += term[i];
            }
            /* term was x^(order) h^order / order!; the next derivative, before its own factor */
            slope(s, term, none, next);
            for (int i = 0; i < s->states && order == 1; i++)
                for (int j = 0; j < s->inputs; j++) next[i] += h * (real)s->B[i * s->inputs + j] * du[j];
            memcpy(term, next, sizeof term);
        }
    }
}

static long ticks(const choices *c, int s, long k) {
    return (k * c->p[s] + c->q[s] - 1) / c->q[s];
}

static real tick_time(const choices *c, int s, long tick, long k) {
    return (real)tick * (real)c->q[s] / (real)c->p[s] - (real)k;
}

/* Macro step k; end[]: the input at the local end. */
static void advance(const choices *c, int s, long k, const real *u0, const real *u1, real *x, real *end) {
    const costab_subsystem *subsystem = &c->m->subsystems[s];
    real H = (real)c->coupling.macro_step;
    for (long tick = ticks(c, s, k); tick < ticks(c, s, k + 1); tick++) {
        real t = tick_time(c, s, tick, k), length = (real)c->q[s] / (real)c->p[s];
        if (subsystem->method.kind == COSTAB_EXACT)
            taylor(subsystem, t, length, H, u0, u1, x);
        else
            runge_kutta(subsystem, t, length, H, u0, u1, x);
    }
    line(subsystem, u0, u1, tick_time(c, s, ticks(c, s, k + 1), k), end);
}

static void output(const costab_subsystem *s, const real *x, const real *u, real *y) {
    for (int i = 0; i < s->outputs; i++) {
        y[i] = 0;
        for (int j = 0; j < s->states; j++) y[i] += (real)s->C[i * s->states + j] * x[j];
        for (int j = 0; j < s->inputs && s->D != NULL; j++) y[i] += (real)s->D[i * s->inputs + j] * u[j];
    }
}

/* ---- The master ---- */

static bool sees_new(const choices *c, const costab_connection *k) {
    if (k->delay > 0 || c->coupling.scheme == COSTAB_JACOBI) return false;
    return c->coupling.scheme == COSTAB_ITERATED || c->position[k->from] < c->position[k->to];
}

static void inputs_of(const choices *c, int s, const memory *old, const real y0[S][P], const real y1[S][P],
                      real *u0, real *u1) {
    const costab_network *network = &c->m->network;
    for (int i = 0; i < P; i++) u0[i] = u1[i] = 0;
    for (int i = 0; i < network->connection_count; i++) {
        const costab_connection *k = &network->connections[i];
        if (k->to != s) continue;
        real now = k->delay == 0 ? y0[k->from][k->output] : old->former[k->from][k->output][k->delay - 1];
        real before = old->former[k->from][k->output][k->delay], g = (real)k->gain;
        real first = now, last = now;
        if (sees_new(c, k)) {
            last = y1[k->from][k->output];
            if (c->coupling.interpolation == COSTAB_CONSTANT) first = last;
        } else if (c->coupling.extrapolation == COSTAB_LINEAR) {
            last = 2 * now - before;
        }
        u0[k->input] += g * first;
        u1[k->input] += g * last;
    }
}

/* y = C x + D u with u the sum of connections, solved for all outputs at once. */
static void solve_outputs(const choices *c, const memory *old, real y0[S][P]) {
    const costab_network *network = &c->m->network;
    int count = network->subsystem_count * P;
    static real a[S * P * S * P], b[S * P];
    memset(a, 0, sizeof a);
    for (int s = 0; s < network->subsystem_count; s++) {
        real u[P] = {0}, y[P] = {0};
        for (int i = 0; i < network->connection_count; i++) {
            const costab_connection *k = &network->connections[i];
            if (k->to != s || k->delay == 0) continue;
            u[k->input] += (real)k->gain * old->former[k->from][k->output][k->delay - 1];
        }
        output(&network->subsystems[s], old->x[s], u, y);
        for (int i = 0; i < P; i++) {
            a[(s * P + i) * count + s * P + i] = 1;
            b[s * P + i] = y[i];
        }
    }
    for (int i = 0; i < network->connection_count; i++) {
        const costab_connection *k = &network->connections[i];
        const costab_subsystem *to = &network->subsystems[k->to];
        for (int o = 0; o < to->outputs && k->delay == 0 && to->D != NULL; o++)
            a[(k->to * P + o) * count + k->from * P + k->output] -=
                (real)to->D[o * to->inputs + k->input] * (real)k->gain;
    }
    solve(count, a, b);
    for (int i = 0; i < count; i++) y0[i / P][i % P] = b[i];
}

/* All subsystems from x_n with the guesses y1; the new outputs into fresh. */
static void sweep(const choices *c, long k, const memory *old, const real y0[S][P], const real y1[S][P],
                  memory *next, real fresh[S][P]) {
    real u0[P], u1[P];
    for (int s = 0; s < c->m->network.subsystem_count; s++) {
        memcpy(next->x[s], old->x[s], sizeof next->x[s]);
        inputs_of(c, s, old, y0, y1, u0, u1);
        advance(c, s, k, u0, u1, next->x[s], next->held[s]);
        output(&c->m->subsystems[s], next->x[s], next->held[s], fresh[s]);
    }
}

/* One macro step by definition. False where an iteration does not converge. */
static bool macro_step(const choices *c, long k, const memory *old, memory *next) {
    int count = c->m->network.subsystem_count;
    real y0[S][P] = {{0}}, y1[S][P] = {{0}}, fresh[S][P] = {{0}}, u0[P], u1[P];
    for (int s = 0; s < count; s++) output(&c->m->subsystems[s], old->x[s], old->held[s], y0[s]);
    if (c->coupling.feedthrough == COSTAB_SOLVED) solve_outputs(c, old, y0);

    if (c->coupling.scheme != COSTAB_ITERATED) {
        for (int turn = 0; turn < count; turn++)
            for (int s = 0; s < count; s++) {
                if (c->position[s] != turn) continue;
                memcpy(next->x[s], old->x[s], sizeof next->x[s]);
                inputs_of(c, s, old, (const real(*)[P])y0, (const real(*)[P])y1, u0, u1);
                advance(c, s, k, u0, u1, next->x[s], next->held[s]);
                output(&c->m->subsystems[s], next->x[s], next->held[s], y1[s]);
            }
    } else {
        int sweeps = c->coupling.iterations > 0 ? c->coupling.iterations : 4000;
        memcpy(y1, y0, sizeof y1);
        bool settled = c->coupling.iterations > 0;
        for (int i = 0; i < sweeps; i++) {
            real moved = 0, size = 0;
            sweep(c, k, old, (const real(*)[P])y0, (const real(*)[P])y1, next, fresh);
            for (int e = 0; e < count * P; e++) {
                moved = fmaxl(moved, fabsl(fresh[e / P][e % P] - y1[e / P][e % P]));
                size = fmaxl(size, fabsl(fresh[e / P][e % P]));
            }
            memcpy(y1, fresh, sizeof y1);
            if (c->coupling.iterations == 0 && moved <= 1e-17L * (1 + size)) {
                settled = true;
                break;
            }
        }
        if (!settled) return false;
    }
    for (int s = 0; s < count; s++)
        for (int o = 0; o < P; o++) {
            next->former[s][o][0] = y0[s][o];
            for (int j = 1; j < DEPTH; j++) next->former[s][o][j] = old->former[s][o][j - 1];
        }
    return true;
}

/* ---- The map's state, as the header lays it out ---- */

/* Where each entry of the map's state lies in a memory. */
static int layout(const choices *c, memory *at, real **entries) {
    const costab_network *network = &c->m->network;
    int size = 0, depth[S][P] = {{0}};
    for (int i = 0; i < network->connection_count; i++) {
        const costab_connection *k = &network->connections[i];
        if (sees_new(c, k)) continue;
        int need = k->delay + (c->coupling.extrapolation == COSTAB_LINEAR ? 1 : 0);
        if (need > depth[k->from][k->output]) depth[k->from][k->output] = need;
    }
    for (int s = 0; s < network->subsystem_count; s++)
        for (int i = 0; i < network->subsystems[s].states; i++) entries[size++] = &at->x[s][i];
    for (int s = 0; s < network->subsystem_count && c->coupling.feedthrough == COSTAB_DELAYED; s++)
        for (int i = 0; i < network->subsystems[s].inputs && network->subsystems[s].D != NULL; i++)
            entries[size++] = &at->held[s][i];
    for (int s = 0; s < network->subsystem_count; s++)
        for (int o = 0; o < network->subsystems[s].outputs; o++)
            for (int j = 0; j < depth[s][o]; j++) entries[size++] = &at->former[s][o][j];
    return size;
}

/* The map of `period` macro steps, column by column. */
static bool define_map(const choices *c, long period, int *size, real *map, real *largest) {
    memory now, next;
    real *entries[MAP], *later[MAP];
    *size = layout(c, &now, entries);
    assert_true(*size <= MAP);
    (void)layout(c, &next, later);
    *largest = 1;
    for (int column = 0; column < *size; column++) {
        memset(&now, 0, sizeof now);
        *entries[column] = 1;
        for (long k = 0; k < period; k++) {
            memset(&next, 0, sizeof next);
            if (!macro_step(c, k, &now, &next)) return false;
            now = next;
            for (int i = 0; i < *size; i++) *largest = fmaxl(*largest, fabsl(*entries[i]));
        }
        for (int i = 0; i < *size; i++) map[i * *size + column] = *entries[i];
    }
    return true;
}

/* ---- Random networks ---- */

static void random_matrix(rng *r, double *values, int count, double scale) {
    for (int i = 0; i < count; i++) values[i] = rng_uniform(r, -scale, scale);
}

static const char *const methods[] = {"euler",  "heun",   "midpoint",       "kutta3",      "rk4",
                                      "bs3",    "rk38",   "backward-euler", "trapezoidal", "gauss2",
                                      "radau2", "sdirk2", "exact"};

static void random_model(rng *r, model *m, bool clocks, choices *c) {
    model_start(m);
    int parts = rng_int(r, 2, 5);
    for (int s = 0; s < parts; s++) {
        int states = rng_int(r, 1, 6), inputs = rng_int(r, 1, 3), outputs = rng_int(r, 1, 3);
        if (rng_int(r, 0, 15) == 0) states = s > 0 ? 0 : states;
        c->p[s] = rng_int(r, 1, 4);
        c->q[s] = clocks ? rng_int(r, 1, 3) : 1;
        while (c->q[s] > 1 && c->p[s] % c->q[s] == 0) c->q[s]--;
        if (c->p[s] == 4 && c->q[s] == 2) c->q[s] = 1;
        const char *method = methods[rng_int(r, 0, (int)(sizeof methods / sizeof methods[0]) - 1)];
        double step = c->coupling.macro_step * c->q[s] / c->p[s];
        bool by_step = clocks || rng_int(r, 0, 1) == 0;
        model_add(m, states, inputs, outputs, method, by_step ? 0 : c->p[s], by_step ? step : 0);
        random_matrix(r, m->A[s], states * states, 1.5 / sqrt(states > 0 ? states : 1));
        random_matrix(r, m->B[s], states * inputs, 1);
        random_matrix(r, m->C[s], outputs * states, 1);
        random_matrix(r, m->D[s], outputs * inputs, 0.5);
        if (rng_int(r, 0, 1) == 0 || states == 0) model_feedthrough(m, s);
    }
    int wanted = rng_int(r, parts, 3 * parts);
    for (int i = 0; i < wanted; i++) {
        int from = rng_int(r, 0, parts - 1), to = rng_int(r, 0, parts - 1);
        int out = rng_int(r, 0, m->subsystems[from].outputs - 1),
            in = rng_int(r, 0, m->subsystems[to].inputs - 1);
        bool twice = false;
        for (int j = 0; j < m->network.connection_count; j++)
            twice = twice || (m->connections[j].from == from && m->connections[j].output == out &&
                              m->connections[j].to == to && m->connections[j].input == in);
        if (twice) continue;
        model_connect(m, from, out, to, in, rng_uniform(r, -1, 1),
                      rng_int(r, 0, 2) == 0 ? rng_int(r, 1, 3) : 0);
    }
}

static void random_choices(rng *r, choices *c, int *order) {
    c->coupling.scheme = (costab_coupling_scheme)rng_int(r, 0, COSTAB_COUPLING_SCHEME_COUNT - 1);
    c->coupling.interpolation = (costab_hold)rng_int(r, 0, 1);
    c->coupling.extrapolation = (costab_hold)rng_int(r, 0, 1);
    c->coupling.feedthrough = (costab_feedthrough)rng_int(r, 0, 1);
    c->coupling.iterations = rng_int(r, 0, 3);
    int parts = c->m->network.subsystem_count;
    for (int i = 0; i < parts; i++) order[i] = i;
    for (int i = parts - 1; i > 0; i--) {
        int j = rng_int(r, 0, i), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    bool given = c->coupling.scheme == COSTAB_GAUSS_SEIDEL && rng_int(r, 0, 3) > 0;
    c->coupling.order = given ? order : NULL;
    for (int i = 0; i < parts; i++) c->position[given ? order[i] : i] = i;
}

/* The spectral radius by repeated squaring: ||M^(2^k)||^(1/2^k). */
static double gelfand(int n, const real *map) {
    enum { SQUARINGS = 45 };
    static real a[MAP * MAP], b[MAP * MAP];
    memcpy(a, map, (size_t)(n * n) * sizeof *a);
    real logarithm = 0;
    for (int k = 0; k <= SQUARINGS; k++) {
        real norm = 0;
        for (int i = 0; i < n * n; i++) norm = fmaxl(norm, fabsl(a[i]));
        if (norm == 0) return 0;
        logarithm += logl(norm) * powl(0.5L, k);
        memset(b, 0, (size_t)(n * n) * sizeof *b);
        for (int i = 0; i < n; i++)
            for (int l = 0; l < n; l++)
                for (int j = 0; j < n; j++) b[i * n + j] += a[i * n + l] / norm * (a[l * n + j] / norm);
        memcpy(a, b, sizeof a);
    }
    return (double)expl(logarithm);
}

static void describe(const choices *c, char *text, size_t size) {
    snprintf(text, size, "%s %s/%s %s iterations %d, %d parts",
             costab_coupling_scheme_name(c->coupling.scheme), costab_hold_name(c->coupling.interpolation),
             costab_hold_name(c->coupling.extrapolation), costab_feedthrough_name(c->coupling.feedthrough),
             c->coupling.iterations, c->m->network.subsystem_count);
}

/* A random state through the simulation's own micro steps, against the map. */
static void compare_steps(rng *r, const choices *c, const costab_network_point *point, const double *map,
                          real bound, const char *where) {
    double state[MAP], begin[MAP];
    int size = point->size;
    for (int i = 0; i < size; i++) begin[i] = state[i] = rng_uniform(r, -1, 1);
    costab_error error = {0};
    for (long k = 0; k < point->period; k++)
        check_status(costab_network_macro_step(&c->m->network, &c->coupling, k, state, &error), &error);
    for (int i = 0; i < size; i++) {
        real sum = 0;
        for (int j = 0; j < size; j++) sum += (real)map[i * size + j] * begin[j];
        check_near(state[i], sum, bound * size, "%s: simulated step, entry %d", where, i);
    }
}

typedef struct tally {
    size_t compared, combination[3][2][2][2], converged, radii;
} tally;

static void compare(rng *r, costab_network_work *work, bool clocks, tally *t) {
    static model m;
    static real map[MAP * MAP];
    int order[S], size;
    choices c = {.m = &m, .coupling = {.macro_step = rng_uniform(r, 0.2, 1.5)}};
    if (clocks) c.coupling.micro_steps = COSTAB_CLOCKS;
    random_model(r, &m, clocks, &c);
    random_choices(r, &c, order);
    costab_error error = {0};
    costab_network_point point;
    check_status(costab_network_check(&m.network, &error), &error);
    check_status(costab_coupling_check(&m.network, &c.coupling, &error), &error);
    check_status(costab_network_analyse(work, &m.network, &c.coupling, &point, &error), &error);
    bool converging = c.coupling.scheme == COSTAB_ITERATED && c.coupling.iterations == 0;
    check_true(isnan(point.iteration_radius) == (c.coupling.scheme != COSTAB_ITERATED),
               "an iteration radius");
    if (converging && point.iteration_radius > 0.98) return;
    char where[256];
    describe(&c, where, sizeof where);
    real largest;
    check_true(define_map(&c, point.period, &size, map, &largest), "%s: converges at radius %g", where,
               point.iteration_radius);
    assert_int_equal(point.size, size);
    const double *found, *imaginary;
    costab_network_matrix(work, &found, &imaginary);
    assert_null(imaginary);
    real bound = 4000 * DBL_EPSILON * largest * (converging ? 1 / (1 - (real)point.iteration_radius) : 1) *
                 (real)point.period;
    for (int i = 0; i < size * size; i++)
        check_near(found[i], map[i], bound, "%s: entry (%d, %d) of %d", where, i / size, i % size, size);
    compare_steps(r, &c, &point, found, bound, where);
    if (!clocks && size <= 30)
        balls_compare(&c.m->network, &c.coupling, &(balls_map){size, found}, bound, where);
    t->compared++;
    t->combination[c.coupling.scheme][c.coupling.interpolation][c.coupling.extrapolation]
                  [c.coupling.feedthrough]++;
    t->converged += converging;
    if (size > 30) return;
    double radius = pow(gelfand(size, map), 1 / (double)point.period);
    /* Defective eigenvalues move by the root of a rounding; memory adds such at 0. */
    check_near(point.spectral_radius, radius, 1e-6L * fmaxl(radius, 1e-2L), "%s: spectral radius", where);
    t->radii++;
}

static void run(const char *name, bool clocks, size_t cases) {
    rng r = rng_start(name);
    costab_error error = {0};
    costab_network_work *work;
    tally t = {0};
    check_status(costab_network_work_create(&work, &error), &error);
    for (size_t i = 0; i < effort(cases); i++) compare(&r, work, clocks, &t);
    costab_network_work_destroy(&work);
    print_message("# %s: %zu maps, %zu by convergence, %zu radii\n", name, t.compared, t.converged, t.radii);
    for (int i = 0; i < 24; i++)
        check_true(t.combination[i / 8][i / 4 % 2][i / 2 % 2][i % 2] > 0, "combination %d was tried", i);
    assert_true(t.converged > 0);
}

static void test_whole(void **state) {
    (void)state;
    run("network map, whole micro steps", false, 600);
}

static void test_clocks(void **state) {
    (void)state;
    run("network map, own clocks", true, 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole), cmocka_unit_test(test_clocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
