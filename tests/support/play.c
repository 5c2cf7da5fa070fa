#include "play.h"

#include <math.h>
#include <stdio.h>

#include "play_micro.h"

enum { S = MODEL_PARTS, N = MODEL_STATES, P = MODEL_PORTS, UNKNOWNS = PLAY_UNKNOWNS };

/* ---- Times ---- */

int play_stride(const play *p, int s) {
    return p->m->subsystems[s].stride > 1 ? p->m->subsystems[s].stride : 1;
}

static bool exchanges(const play *p, int s, int n) {
    return n % play_stride(p, s) == 0;
}

static int last_publication(const play *p, int s, int n) {
    int length = play_stride(p, s), at = n;
    while (at % length != 0) at--;
    return at;
}

static int position(const play *p, int s) {
    for (int i = 0; p->coupling.order != NULL && i < p->m->network.subsystem_count; i++)
        if (p->coupling.order[i] == s) return i;
    return s;
}

static real begin_of(const play *p, int n) {
    assert_true(n >= -PLAY_PAST && n <= PLAY_FUTURE);
    return p->begin[n + PLAY_PAST];
}

/* Seconds of the time t, in macro steps, seen from macro step n, which goes on as it is. */
real play_seconds(const play *p, int n, real t) {
    return begin_of(p, n) + (t - n) * (begin_of(p, n + 1) - begin_of(p, n));
}

/* So many macro steps late is what connection c brings at macro step n. */
static int late(const play *p, int c, int n) {
    const costab_connection *k = &p->m->network.connections[c];
    int steps = k->delay;
    while (begin_of(p, n) - begin_of(p, n - steps) < (real)k->delay_time * (1 - 1e-12L)) steps++;
    return steps;
}

/* ---- What connections deliver; times in macro steps ---- */

/* The value at t of the polynomial through `count` nodes, by Neville's scheme. */
static real neville(int count, const real *times, const real *values, real t) {
    real v[8];
    for (int i = 0; i < count; i++) v[i] = values[i];
    for (int k = 1; k < count; k++)
        for (int i = 0; i + k < count; i++)
            v[i] = ((t - times[i + k]) * v[i] + (times[i] - t) * v[i + 1]) / (times[i] - times[i + k]);
    return v[0];
}

static real stored(const real *history, int n) {
    assert_true(n >= -PLAY_PAST && n < PLAY_FUTURE);
    return history[n + PLAY_PAST];
}

/* Slopes of straight lines between three values, from which weights go on over the step up to `end`. */
static real weighted(const costab_extrapolation *by, const real *times, const real *values, real end,
                     real t) {
    real a0 = 2.5L, a1 = -4, b0 = 0, b1 = 0, L = end - times[0], s = (t - times[0]) / L;
    if (by->hold != COSTAB_SPECTRAL) a0 = (real)by->a0, a1 = (real)by->a1;
    if (by->hold == COSTAB_TUNED_2) b0 = (real)by->b0, b1 = (real)by->b1;
    real late = (values[0] - values[1]) / (times[0] - times[1]);
    real early = (values[1] - values[2]) / (times[1] - times[2]);
    real bend = 2 * (late - early) / (times[0] - times[2]);
    return values[0] + (a0 + a1 * s) * L * late + (b0 + b1 * s) * L * L * bend;
}

/* The extrapolation that a target formed at macro step n, at time t: through what had arrived over connection
 * c at the last exchanges, at those times. held: what it counts for where the loop is solved. */
static real extrapolation(const play *p, int c, int n, real t, bool held) {
    const costab_connection *k = &p->m->network.connections[c];
    real times[4], values[4], now = play_seconds(p, n, t);
    int delay = late(p, c, n), newest = last_publication(p, k->from, n - delay),
        length = play_stride(p, k->from);
    const real *y = p->y[k->from][k->output];
    const costab_coupling *m = &p->coupling;
    costab_extrapolation by = {m->extrapolation, m->a0, m->a1, m->b0, m->b1};
    if (k->extrapolates) by = k->extrapolation;
    if (held && by.hold > COSTAB_HERMITE) by.hold = COSTAB_CONSTANT;
    if (by.hold == COSTAB_HERMITE)
        return stored(y, newest) +
               (now - begin_of(p, newest + delay)) * stored(p->slope[k->from][k->output], newest);
    int count = by.hold < COSTAB_HERMITE ? (int)by.hold + 1 : 3;
    for (int r = 0; r < count; r++) {
        int at = newest + delay - r * length;
        times[r] = begin_of(p, at);
        values[r] = stored(y, at - (k->delay_time > 0 && length == 1 ? late(p, c, at) : delay));
    }
    return by.hold < COSTAB_HERMITE ? neville(count, times, values, now)
                                    : weighted(&by, times, values, begin_of(p, n + 1), now);
}

/* With the new value v (slope w) at time e. */
static real interpolation(const play *p, const costab_connection *k, int n, int e, real v, real w, real t) {
    int length = play_stride(p, k->from), order = (int)p->coupling.interpolation;
    real times[5] = {begin_of(p, e)}, values[5] = {v}, now = play_seconds(p, n, t);
    const real *y = p->y[k->from][k->output];
    if (p->coupling.interpolation == COSTAB_HERMITE) {
        real before = begin_of(p, e - length), L = begin_of(p, e) - before, s = (now - before) / L,
             old = stored(y, e - length), slope = stored(p->slope[k->from][k->output], e - length);
        return (1 + 2 * s) * (1 - s) * (1 - s) * old + s * (1 - s) * (1 - s) * L * slope +
               s * s * (3 - 2 * s) * v + s * s * (s - 1) * L * w;
    }
    for (int r = 1; r <= order; r++) {
        times[r] = begin_of(p, e - r * length);
        values[r] = stored(y, e - r * length);
    }
    return neville(order + 1, times, values, now);
}

/* What connection c delivers at time t in the step that its target begins at macro step n. */
static real delivered(const play *p, int c, int n, const play_guesses *g, real t) {
    const costab_connection *k = &p->m->network.connections[c];
    int d = late(p, c, n), to = play_stride(p, k->to);
    if (d == 0 && p->coupling.scheme == COSTAB_ITERATED)
        return interpolation(p, k, n, n + 1, g->v[k->from][k->output], g->w[k->from][k->output], t);
    if (d == 0 && p->coupling.scheme == COSTAB_GAUSS_SEIDEL) {
        bool now = exchanges(p, k->from, n);
        if (!now || position(p, k->from) < position(p, k->to))
            return interpolation(p, k, n, last_publication(p, k->from, n) + play_stride(p, k->from),
                                 p->fresh[k->from][k->output], p->fresh_slope[k->from][k->output], t);
    }
    if (!p->coupling.smoothed) return extrapolation(p, c, n, t, false);
    real begin = extrapolation(p, c, n - to, n, false), end = extrapolation(p, c, n, n + to, false);
    real share = (t - n) / to;
    return (1 - share) * begin + share * end;
}

void play_input(const play *p, int s, int n, const play_guesses *g, real at, real *u) {
    const costab_network *network = &p->m->network;
    real t = n + at * play_stride(p, s);
    for (int i = 0; i < P; i++) u[i] = 0;
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *k = &network->connections[c];
        if (k->to == s) u[k->input] += (real)k->gain * delivered(p, c, n, g, t);
    }
    real alpha = (real)p->coupling.area_correction;
    if (alpha == 0) return;
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *k = &network->connections[c];
        if (k->to == s) u[k->input] += alpha * (real)k->gain * p->mean[k->from][k->output];
    }
    for (int i = 0; i < p->m->subsystems[s].inputs; i++) u[i] -= alpha * p->sent[s][i];
}

/* ---- One subsystem over its step ---- */

typedef struct ending {
    real x[N], carried[N], held[P], bend[P], y[P], slope[P], mean[P], sent[P];
} ending;

static real tick(const play *p, int s, long k) { /* the first tick at or after step k of its own */
    return (real)((k * p->p[s] + p->q[s] - 1) / p->q[s]);
}

static void advance(const play *p, int s, int n, const play_guesses *g, ending *e) {
    const costab_subsystem *subsystem = &p->m->subsystems[s];
    long own = n / play_stride(p, s);
    real length = begin_of(p, n + play_stride(p, s)) - begin_of(p, n), span = (real)p->q[s] / p->p[s];
    real end = tick(p, s, own) * span - own; /* where its own clock stands */
    memset(e, 0, sizeof *e);
    memcpy(e->x, p->x[s], sizeof e->x);
    memcpy(e->carried, p->carried[s], sizeof e->carried);
    real area[P] = {0};
    for (real k = tick(p, s, own); k < tick(p, s, own + 1); k++) {
        play_micro m = {p, s, n, g, k * span - own, span, span * length, e->x, e->carried, area};
        play_micro_step(&m);
        end = (k + 1) * span - own;
    }
    /* The slope at the end: a cubic is known from its values; central differences of it are exact with two
     * distances. */
    real far[4][P], d = 0.25L;
    play_input(p, s, n, g, end, e->held);
    for (int i = 0; i < 4; i++) play_input(p, s, n, g, end + (i < 2 ? i - 2 : i - 1) * d, far[i]);
    for (int i = 0; i < subsystem->inputs; i++)
        e->bend[i] = (8 * (far[2][i] - far[1][i]) - (far[3][i] - far[0][i])) / (12 * d * length);
    play_input(p, s, n, g, 0, e->sent);
    for (int o = 0; o < P; o++) e->mean[o] = area[o] / length;
    real t = play_seconds(p, n, n + end * play_stride(p, s));
    play_sources(p, s, t, false, e->held);
    play_sources(p, s, t, true, e->bend);
    play_place at = {t, e->x, e->held, e->bend};
    play_g(p, s, t, e->x, e->held, e->y);
    play_g_slope(p, s, &at, e->slope);
}

/* ---- The macro step ---- */

typedef struct loop {
    const play *p;
    int n;
} loop;

/* The value at t_n of what is no part of the loop. */
static bool in_loop(const play *p, int c, int n) {
    return late(p, c, n) == 0 && exchanges(p, p->m->network.connections[c].from, n);
}

static void feedthrough_residual(void *context, const real *y, real *r) {
    const loop *l = context;
    const costab_network *network = &l->p->m->network;
    for (int s = 0; s < network->subsystem_count; s++) {
        real u[P] = {0}, found[P] = {0};
        for (int c = 0; c < network->connection_count; c++) {
            const costab_connection *k = &network->connections[c];
            if (k->to != s) continue;
            real value = in_loop(l->p, c, l->n) ? y[k->from * P + k->output]
                                                : extrapolation(l->p, c, l->n, l->n, true);
            u[k->input] += (real)k->gain * value;
        }
        play_sources(l->p, s, begin_of(l->p, l->n), false, u);
        if (exchanges(l->p, s, l->n)) play_g(l->p, s, begin_of(l->p, l->n), l->p->x[s], u, found);
        for (int o = 0; o < P; o++)
            r[s * P + o] = y[s * P + o] - (o < network->subsystems[s].outputs ? found[o] : 0);
    }
}

static void publish(play *p, int n) {
    int count = p->m->network.subsystem_count;
    real solved[UNKNOWNS] = {0};
    loop l = {p, n};
    bool all = p->coupling.feedthrough == COSTAB_SOLVED;
    if (all) play_solve(count * P, feedthrough_residual, &l, solved);
    for (int s = 0; s < count; s++) {
        const costab_subsystem *subsystem = &p->m->subsystems[s];
        real y[P], slopes[P];
        if (!exchanges(p, s, n)) continue;
        play_place at = {begin_of(p, n), p->x[s], p->held[s], p->bend[s]};
        play_g(p, s, at.t, at.x, at.u, y);
        play_g_slope(p, s, &at, slopes);
        for (int o = 0; o < subsystem->outputs; o++) {
            p->y[s][o][n + PLAY_PAST] = all ? solved[s * P + o] : y[o];
            p->slope[s][o][n + PLAY_PAST] = slopes[o];
        }
    }
}

static void finish(play *p, int s, const ending *e) {
    memcpy(p->x[s], e->x, sizeof p->x[s]);
    memcpy(p->carried[s], e->carried, sizeof p->carried[s]);
    memcpy(p->held[s], e->held, sizeof p->held[s]);
    memcpy(p->bend[s], e->bend, sizeof p->bend[s]);
    memcpy(p->mean[s], e->mean, sizeof p->mean[s]);
    memcpy(p->sent[s], e->sent, sizeof p->sent[s]);
    memcpy(p->fresh[s], e->y, sizeof p->fresh[s]);
    memcpy(p->fresh_slope[s], e->slope, sizeof p->fresh_slope[s]);
}

/* One sweep with guesses g: what all subsystems end with, and the new signals. */
static void sweep(const play *p, int n, const play_guesses *g, ending *ends, play_guesses *fresh) {
    for (int s = 0; s < p->m->network.subsystem_count; s++) {
        advance(p, s, n, g, &ends[s]);
        memcpy(fresh->v[s], ends[s].y, sizeof fresh->v[s]);
        memcpy(fresh->w[s], ends[s].slope, sizeof fresh->w[s]);
    }
}

/* The unknowns of a converged iteration: values, then slopes. */
static void unpack(const real *z, int count, play_guesses *g) {
    memset(g, 0, sizeof *g);
    for (int i = 0; i < count * P; i++) g->v[i / P][i % P] = z[i];
    for (int i = 0; i < count * P; i++) g->w[i / P][i % P] = z[count * P + i];
}

static void sweep_residual(void *context, const real *z, real *r) {
    const loop *l = context;
    ending ends[S];
    int count = l->p->m->network.subsystem_count;
    play_guesses g, fresh;
    unpack(z, count, &g);
    sweep(l->p, l->n, &g, ends, &fresh);
    for (int i = 0; i < count * P; i++) {
        r[i] = z[i] - fresh.v[i / P][i % P];
        r[count * P + i] = z[count * P + i] - fresh.w[i / P][i % P];
    }
}

static void iterate(play *p, int n) {
    static ending ends[S];
    int count = p->m->network.subsystem_count, sweeps = p->coupling.iterations;
    play_guesses g = {{{0}}, {{0}}}, fresh;
    real w = p->coupling.relaxation > 0 ? (real)p->coupling.relaxation : 1;
    if (sweeps <= 0) {
        real z[UNKNOWNS];
        loop l = {p, n};
        play_solve(2 * count * P, sweep_residual, &l, z);
        unpack(z, count, &g);
        sweeps = 1;
    } else {
        int order = (int)p->coupling.predictor;
        for (int s = 0; s < count; s++)
            for (int o = 0; o < p->m->subsystems[s].outputs; o++) {
                real times[4], values[4];
                for (int r = 0; r <= order; r++) {
                    times[r] = begin_of(p, n - r);
                    values[r] = stored(p->y[s][o], n - r);
                }
                g.v[s][o] = neville(order + 1, times, values, begin_of(p, n + 1));
                g.w[s][o] = stored(p->slope[s][o], n);
            }
    }
    for (int k = 0; k < sweeps; k++) {
        sweep(p, n, &g, ends, &fresh);
        for (int i = 0; i < S * P; i++) {
            g.v[i / P][i % P] = (1 - w) * g.v[i / P][i % P] + w * fresh.v[i / P][i % P];
            g.w[i / P][i % P] = (1 - w) * g.w[i / P][i % P] + w * fresh.w[i / P][i % P];
        }
    }
    for (int s = 0; s < count; s++) finish(p, s, &ends[s]);
}

void play_step(play *p, int n) {
    static ending ends[S];
    int count = p->m->network.subsystem_count;
    publish(p, n);
    if (p->coupling.scheme == COSTAB_ITERATED) {
        iterate(p, n);
        return;
    }
    for (int turn = 0; turn < count; turn++)
        for (int s = 0; s < count; s++) {
            if (position(p, s) != turn || !exchanges(p, s, n)) continue;
            advance(p, s, n, NULL, &ends[s]);
            if (p->coupling.scheme == COSTAB_GAUSS_SEIDEL) finish(p, s, &ends[s]);
        }
    for (int s = 0; s < count && p->coupling.scheme == COSTAB_JACOBI; s++)
        if (exchanges(p, s, n)) finish(p, s, &ends[s]);
}

/* ---- Setting up, and reading off ---- */

static void set_clock(play *p, int s) {
    const costab_subsystem *subsystem = &p->m->subsystems[s];
    p->p[s] = subsystem->substeps;
    p->q[s] = 1;
    double ratio = play_stride(p, s) * p->coupling.macro_step / subsystem->step;
    for (int q = 1; subsystem->substeps == 0 && q < 100; q++) {
        double whole = round(ratio * q);
        if (fabs(ratio * q - whole) > 1e-9) continue;
        p->p[s] = (int)whole;
        p->q[s] = q;
        return;
    }
}

void play_start(play *p, const model *m, const costab_coupling *coupling) {
    memset(p, 0, sizeof *p);
    p->m = m;
    p->coupling = *coupling;
    for (int n = 0; n <= PLAY_TIMES; n++) p->begin[n] = (n - PLAY_PAST) * (real)coupling->macro_step;
    for (int s = 0; s < m->network.subsystem_count; s++) set_clock(p, s);
}

void play_length(play *p, int n, real length) {
    real longer = length - (begin_of(p, n + 1) - begin_of(p, n));
    for (int k = n + 1; k <= PLAY_FUTURE; k++) p->begin[k + PLAY_PAST] += longer;
}

static bool follows(const char *text, const char *what) {
    return strcmp(text, what) == 0;
}

real *play_signal(play *p, const char *label, int n) {
    char kind = 0, rest[64] = "";
    int s = 0, number = 0, ago = 0;
    int read = sscanf(label, "s%d.%c%d%63[^\n]", &s, &kind, &number, rest);
    assert_true(read >= 3);
    s--;
    number--;
    bool slope = rest[0] == '\'';
    const char *what = slope ? rest + 1 : rest;
    if (kind == 'u') {
        if (follows(what, " sent")) return &p->sent[s][number];
        return slope ? &p->bend[s][number] : &p->held[s][number];
    }
    if (kind == 'x') {
        const costab_subsystem *subsystem = &p->m->subsystems[s];
        if (follows(what, "")) return &p->x[s][number];
        if (follows(what, " one micro step ago")) return &p->carried[s][number];
        assert_true(follows(what, " of the method"));
        for (int k = 0; k < subsystem->pairs; k++)
            if (subsystem->velocities[k] == number) return &p->carried[s][k];
        fail_msg("%s is no velocity", label);
    }
    if (follows(what, " mean")) return &p->mean[s][number];
    if (follows(what, " ahead")) return slope ? &p->fresh_slope[s][number] : &p->fresh[s][number];
    assert_int_equal(sscanf(what, " %d macro step", &ago), 1);
    return slope ? &p->slope[s][number][n - ago + PLAY_PAST] : &p->y[s][number][n - ago + PLAY_PAST];
}

/* ---- Against the map ---- */

void play_past(play *p, rng *r) {
    for (int s = 0; s < p->m->network.subsystem_count; s++) {
        for (int i = 0; i < MODEL_STATES; i++) {
            p->x[s][i] = rng_uniform(r, -1, 1);
            p->carried[s][i] = rng_uniform(r, -1, 1);
        }
        for (int i = 0; i < MODEL_PORTS; i++) {
            p->held[s][i] = rng_uniform(r, -1, 1);
            p->bend[s][i] = rng_uniform(r, -1, 1);
            p->mean[s][i] = rng_uniform(r, -1, 1);
            p->sent[s][i] = rng_uniform(r, -1, 1);
            for (int n = 0; n < PLAY_PAST; n++) {
                p->y[s][i][n] = rng_uniform(r, -1, 1);
                p->slope[s][i][n] = rng_uniform(r, -1, 1);
            }
        }
        for (int i = p->m->subsystems[s].inputs; i < MODEL_PORTS; i++) p->held[s][i] = p->bend[s][i] = 0;
    }
}

/* Where a loop of feedthrough is nearly singular its solution grows, and roundings with it. */
#define LARGEST_MET 1e6L

bool play_compare(play *p, const costab_network_work *work, const costab_network_point *point,
                  play_bound *bound, const char *where) {
    enum { LARGEST = 400 };
    static real begin[LARGEST];
    const double *map, *imaginary;
    char label[128];
    real largest = 1;
    int size = point->size;
    costab_network_matrix(work, &map, &imaginary);
    assert_null(imaginary);
    assert_true(size <= LARGEST);
    for (int i = 0; i < size; i++) {
        costab_network_label(work, i, label, sizeof label);
        begin[i] = *play_signal(p, label, 0);
    }
    for (int i = 0; i < size * size; i++)
        if (fabs(map[i]) > (double)LARGEST_MET) return false;
    for (int n = 0; n < point->period; n++) play_step(p, n);
    for (int i = 0; i < size; i++) {
        real sum = 0, magnitude = 0;
        for (int j = 0; j < size; j++) {
            sum += (real)map[i * size + j] * begin[j];
            magnitude += fabsl((real)map[i * size + j] * begin[j]);
        }
        largest = fmaxl(largest, magnitude);
        costab_network_label(work, i, label, sizeof label);
        real found = *play_signal(p, label, (int)point->period);
        bound->worst = fmaxl(bound->worst, fabsl(found - sum) / (largest * bound->relative));
        check_near((double)sum, found, bound->relative * largest, "%s: %s", where, label);
    }
    return true;
}
