#include "play.h"

#include <math.h>
#include <stdio.h>

enum { S = MODEL_PARTS, N = MODEL_STATES, P = MODEL_PORTS, UNKNOWNS = 64 };

/* ---- Affine equations ---- */

typedef void (*affine)(void *context, const real *z, real *r);

/* r(z) = 0 of an affine r, by its values at 0 and at the unit vectors. */
static void solve(int n, affine r, void *context, real *z) {
    real a[UNKNOWNS][UNKNOWNS], b[UNKNOWNS], e[UNKNOWNS] = {0}; /* a residual may itself solve */
    assert_true(n <= UNKNOWNS);
    r(context, e, b);
    for (int j = 0; j < n; j++) {
        real column[UNKNOWNS];
        e[j] = 1;
        r(context, e, column);
        e[j] = 0;
        for (int i = 0; i < n; i++) a[i][j] = column[i] - b[i];
    }
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int i = c + 1; i < n; i++)
            if (fabsl(a[i][c]) > fabsl(a[pivot][c])) pivot = i;
        for (int j = 0; j < n; j++) {
            real kept = a[c][j];
            a[c][j] = a[pivot][j];
            a[pivot][j] = kept;
        }
        real kept = b[c];
        b[c] = b[pivot];
        b[pivot] = kept;
        for (int i = c + 1; i < n; i++) {
            real factor = a[i][c] / a[c][c];
            for (int j = c; j < n; j++) a[i][j] -= factor * a[c][j];
            b[i] -= factor * b[c];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        z[i] = -b[i];
        for (int j = i + 1; j < n; j++) z[i] -= a[i][j] * z[j];
        z[i] /= a[i][i];
    }
}

/* ---- Times ---- */

static int stride(const play *p, int s) {
    return p->m->subsystems[s].stride > 1 ? p->m->subsystems[s].stride : 1;
}

static bool exchanges(const play *p, int s, int n) {
    return n % stride(p, s) == 0;
}

static int last_publication(const play *p, int s, int n) {
    int length = stride(p, s), at = n;
    while (at % length != 0) at--;
    return at;
}

static int position(const play *p, int s) {
    for (int i = 0; p->coupling.order != NULL && i < p->m->network.subsystem_count; i++)
        if (p->coupling.order[i] == s) return i;
    return s;
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

/* The extrapolation that a target formed at macro step n, at time t. */
static real extrapolation(const play *p, const costab_connection *k, int delay, int n, real t) {
    real times[4], values[4], H = (real)p->coupling.macro_step;
    int newest = last_publication(p, k->from, n - delay), length = stride(p, k->from);
    const real *y = p->y[k->from][k->output];
    if (p->coupling.extrapolation == COSTAB_HERMITE)
        return stored(y, newest) + (t - newest - delay) * H * stored(p->slope[k->from][k->output], newest);
    int count = (int)p->coupling.extrapolation + 1;
    for (int r = 0; r < count; r++) {
        times[r] = newest - r * length + delay;
        values[r] = stored(y, newest - r * length);
    }
    return neville(count, times, values, t);
}

/* With the new value v (slope w) at time e. */
static real interpolation(const play *p, const costab_connection *k, int e, real v, real w, real t) {
    real times[5] = {e}, values[5] = {v}, H = (real)p->coupling.macro_step;
    int length = stride(p, k->from), order = (int)p->coupling.interpolation;
    const real *y = p->y[k->from][k->output];
    if (p->coupling.interpolation == COSTAB_HERMITE) {
        real L = length * H, s = (t - (e - length)) / length, old = stored(y, e - length),
             slope = stored(p->slope[k->from][k->output], e - length);
        return (1 + 2 * s) * (1 - s) * (1 - s) * old + s * (1 - s) * (1 - s) * L * slope +
               s * s * (3 - 2 * s) * v + s * s * (s - 1) * L * w;
    }
    for (int r = 1; r <= order; r++) {
        times[r] = e - r * length;
        values[r] = stored(y, e - r * length);
    }
    return neville(order + 1, times, values, t);
}

typedef struct guesses {
    real v[S][P], w[S][P];
} guesses;

/* What connection c delivers at time t in the step that its target begins at macro step n. */
static real delivered(const play *p, int c, int n, const guesses *g, real t) {
    const costab_connection *k = &p->m->network.connections[c];
    int d = p->delay[c], to = stride(p, k->to);
    if (d == 0 && p->coupling.scheme == COSTAB_ITERATED)
        return interpolation(p, k, n + 1, g->v[k->from][k->output], g->w[k->from][k->output], t);
    if (d == 0 && p->coupling.scheme == COSTAB_GAUSS_SEIDEL) {
        bool now = exchanges(p, k->from, n);
        if (!now || position(p, k->from) < position(p, k->to))
            return interpolation(p, k, last_publication(p, k->from, n) + stride(p, k->from),
                                 p->fresh[k->from][k->output], p->fresh_slope[k->from][k->output], t);
    }
    if (!p->coupling.smoothed) return extrapolation(p, k, d, n, t);
    real begin = extrapolation(p, k, d, n - to, n), end = extrapolation(p, k, d, n, n + to);
    real share = (t - n) / to;
    return (1 - share) * begin + share * end;
}

/* The input of subsystem s at local time `at`, in its own steps. */
static void input_at(const play *p, int s, int n, const guesses *g, real at, real *u) {
    const costab_network *network = &p->m->network;
    real t = n + at * stride(p, s);
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

/* ---- Micro steps ---- */

static void slope_of(const costab_subsystem *s, const real *x, const real *u, real *dx) {
    for (int i = 0; i < s->states; i++) {
        dx[i] = 0;
        for (int j = 0; j < s->states; j++) dx[i] += (real)s->A[i * s->states + j] * x[j];
        for (int j = 0; j < s->inputs; j++) dx[i] += (real)s->B[i * s->inputs + j] * u[j];
    }
}

static void output_of(const costab_subsystem *s, const real *x, const real *u, real *y) {
    for (int i = 0; i < s->outputs; i++) {
        y[i] = 0;
        for (int j = 0; j < s->states; j++) y[i] += (real)s->C[i * s->states + j] * x[j];
        for (int j = 0; j < s->inputs && s->D != NULL; j++) y[i] += (real)s->D[i * s->inputs + j] * u[j];
    }
}

/* One micro step: length h (seconds), from local time `begin` over `span` steps of its own. */
typedef struct micro {
    const play *p;
    int s, n;
    const guesses *g;
    real begin, span, h;
    real *x, *carried, *area;
} micro;

static void input_in(const micro *m, real share, real *u) {
    input_at(m->p, m->s, m->n, m->g, m->begin + share * m->span, u);
}

static void runge_kutta_residual(void *context, const real *k, real *r) {
    const micro *m = context;
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    for (int i = 0; i < s->method.stages; i++) {
        real at[N], u[P], f[N];
        for (int j = 0; j < s->states; j++) {
            at[j] = m->x[j];
            for (int l = 0; l < s->method.stages; l++)
                at[j] += m->h * (real)s->method.A[i][l] * k[l * s->states + j];
        }
        input_in(m, (real)s->method.c[i], u);
        slope_of(s, at, u, f);
        for (int j = 0; j < s->states; j++) r[i * s->states + j] = k[i * s->states + j] - f[j];
    }
}

static void runge_kutta(micro *m) {
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    real k[UNKNOWNS] = {0};
    solve(s->method.stages * s->states, runge_kutta_residual, m, k);
    for (int i = 0; i < s->method.stages; i++) { /* the integral of y, by the same weights */
        real at[N], u[P], y[P];
        for (int j = 0; j < s->states; j++) {
            at[j] = m->x[j];
            for (int l = 0; l < s->method.stages; l++)
                at[j] += m->h * (real)s->method.A[i][l] * k[l * s->states + j];
        }
        input_in(m, (real)s->method.c[i], u);
        output_of(s, at, u, y);
        for (int o = 0; o < s->outputs; o++) m->area[o] += m->h * (real)s->method.b[i] * y[o];
    }
    for (int i = 0; i < s->method.stages; i++)
        for (int j = 0; j < s->states; j++) m->x[j] += m->h * (real)s->method.b[i] * k[i * s->states + j];
}

/* The Taylor series of the solution in short pieces; the input's derivatives from its values at four times.
 */
static void taylor(micro *m) {
    enum { PIECES = 32, TERMS = 30 };
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    real h = m->h / PIECES;
    for (int piece = 0; piece < PIECES; piece++) {
        real u[4][P], c[4][P], x[N], y[P], term[N], sum[N], all[N];
        for (int i = 0; i < 4; i++) input_in(m, (piece + (real)i / 3) / PIECES, u[i]);
        for (int i = 0; i < s->inputs; i++) { /* the cubic through values at 0, 1/3, 2/3, 1 of the piece */
            real d1 = u[1][i] - u[0][i], d2 = u[2][i] - 2 * u[1][i] + u[0][i],
                 d3 = u[3][i] - 3 * u[2][i] + 3 * u[1][i] - u[0][i];
            c[0][i] = u[0][i];
            c[1][i] = 3 * (d1 - d2 / 2 + d3 / 3);
            c[2][i] = 9 * (d2 / 2 - d3 / 2);
            c[3][i] = 27 * d3 / 6;
        }
        memcpy(x, m->x, sizeof x);
        for (int i = 0; i < s->states; i++) {
            term[i] = x[i]; /* the coefficient of sigma^k, sigma from 0 to 1 over the piece */
            sum[i] = x[i];
            all[i] = x[i]; /* of the integral: coefficients over k + 1 */
        }
        for (int k = 0; k < TERMS; k++) {
            real next[N];
            slope_of(s, term, k < 4 ? c[k] : (real[P]){0}, next);
            for (int i = 0; i < s->states; i++) {
                term[i] = h * next[i] / (k + 1);
                sum[i] += term[i];
                all[i] += term[i] / (k + 2);
            }
        }
        real mean[P];
        for (int i = 0; i < s->inputs; i++) mean[i] = c[0][i] + c[1][i] / 2 + c[2][i] / 3 + c[3][i] / 4;
        output_of(s, all, mean, y);
        for (int o = 0; o < s->outputs; o++) m->area[o] += h * y[o];
        for (int i = 0; i < s->states; i++) m->x[i] = sum[i];
    }
}

/* Accelerations at positions q and velocities v, one a pair. */
static void accelerations(const micro *m, const real *q, const real *v, real share, real *a) {
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    real x[N] = {0}, u[P], dx[N];
    for (int i = 0; i < s->pairs; i++) {
        x[s->positions[i]] = q[i];
        x[s->velocities[i]] = v[i];
    }
    input_in(m, share, u);
    slope_of(s, x, u, dx);
    for (int i = 0; i < s->pairs; i++) a[i] = dx[s->velocities[i]];
}

static void nystrom_residual(void *context, const real *K, real *r) {
    const micro *m = context;
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    const costab_method *method = &s->method;
    for (int i = 0; i < method->stages; i++) {
        real q[N], v[N], a[N];
        for (int k = 0; k < s->pairs; k++) {
            v[k] = m->x[s->velocities[k]];
            q[k] = m->x[s->positions[k]] + (real)method->c[i] * m->h * v[k];
            for (int j = 0; j < method->stages; j++) {
                q[k] += m->h * m->h * (real)method->A_bar[i][j] * K[j * s->pairs + k];
                v[k] += m->h * (real)method->A[i][j] * K[j * s->pairs + k];
            }
        }
        accelerations(m, q, v, (real)method->c[i], a);
        for (int k = 0; k < s->pairs; k++) r[i * s->pairs + k] = K[i * s->pairs + k] - a[k];
    }
}

static void nystrom(micro *m) {
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    real K[UNKNOWNS];
    solve(s->method.stages * s->pairs, nystrom_residual, m, K);
    for (int k = 0; k < s->pairs; k++) {
        real *q = &m->x[s->positions[k]], *v = &m->x[s->velocities[k]];
        *q += m->h * *v;
        for (int i = 0; i < s->method.stages; i++) {
            *q += m->h * m->h * (real)s->method.b_bar[i] * K[i * s->pairs + k];
            *v += m->h * (real)s->method.b[i] * K[i * s->pairs + k];
        }
    }
}

static void new_pair(const micro *m, int k, real a1, real *q1, real *v1) {
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    real q = m->x[s->positions[k]], v = m->x[s->velocities[k]], a0 = m->carried[k];
    real beta = (real)s->method.beta, gamma = (real)s->method.gamma;
    *q1 = q + m->h * v + m->h * m->h * ((0.5L - beta) * a0 + beta * a1);
    *v1 = v + m->h * ((1 - gamma) * a0 + gamma * a1);
}

static void generalized_alpha_residual(void *context, const real *a1, real *r) {
    const micro *m = context;
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    real q[N], v[N], a[N], af = (real)s->method.alpha_f, am = (real)s->method.alpha_m;
    for (int k = 0; k < s->pairs; k++) {
        real q1, v1;
        new_pair(m, k, a1[k], &q1, &v1);
        q[k] = (1 - af) * q1 + af * m->x[s->positions[k]];
        v[k] = (1 - af) * v1 + af * m->x[s->velocities[k]];
    }
    accelerations(m, q, v, 1 - af, a);
    for (int k = 0; k < s->pairs; k++) r[k] = (1 - am) * a1[k] + am * m->carried[k] - a[k];
}

static void generalized_alpha(micro *m) {
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    real a1[UNKNOWNS];
    solve(s->pairs, generalized_alpha_residual, m, a1);
    for (int k = 0; k < s->pairs; k++) {
        real q1, v1;
        new_pair(m, k, a1[k], &q1, &v1);
        m->x[s->positions[k]] = q1;
        m->x[s->velocities[k]] = v1;
        m->carried[k] = a1[k];
    }
}

static void bdf2_residual(void *context, const real *x1, real *r) {
    const micro *m = context;
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    real u[P], f[N];
    input_in(m, 1, u);
    slope_of(s, x1, u, f);
    for (int i = 0; i < s->states; i++)
        r[i] = x1[i] - (4 * m->x[i] - m->carried[i]) / 3 - 2 * m->h / 3 * f[i];
}

static void bdf2(micro *m) {
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    real x1[UNKNOWNS] = {0};
    solve(s->states, bdf2_residual, m, x1);
    for (int i = 0; i < s->states; i++) {
        m->carried[i] = m->x[i];
        m->x[i] = x1[i];
    }
}

/* ---- One subsystem over its step ---- */

typedef struct ending {
    real x[N], carried[N], held[P], bend[P], y[P], slope[P], mean[P], sent[P];
} ending;

static real tick(const play *p, int s, long k) { /* the first tick at or after step k of its own */
    return (real)((k * p->p[s] + p->q[s] - 1) / p->q[s]);
}

static void slopes_of(const costab_subsystem *s, const real *x, const real *u, const real *bend, real *y) {
    real dx[N], none[P] = {0};
    slope_of(s, x, u, dx);
    output_of(s, dx, none, y);
    for (int o = 0; o < s->outputs && s->D != NULL; o++)
        for (int j = 0; j < s->inputs; j++) y[o] += (real)s->D[o * s->inputs + j] * bend[j];
}

static void advance(const play *p, int s, int n, const guesses *g, ending *e) {
    static void (*const steps[])(micro *) = {[COSTAB_RUNGE_KUTTA] = runge_kutta,
                                             [COSTAB_EXACT] = taylor,
                                             [COSTAB_NYSTROM] = nystrom,
                                             [COSTAB_GENERALIZED_ALPHA] = generalized_alpha,
                                             [COSTAB_BDF2] = bdf2};
    const costab_subsystem *subsystem = &p->m->subsystems[s];
    long own = n / stride(p, s);
    real length = stride(p, s) * (real)p->coupling.macro_step, span = (real)p->q[s] / p->p[s];
    real end = tick(p, s, own) * span - own; /* where its own clock stands */
    memset(e, 0, sizeof *e);
    memcpy(e->x, p->x[s], sizeof e->x);
    memcpy(e->carried, p->carried[s], sizeof e->carried);
    real area[P] = {0};
    for (real k = tick(p, s, own); k < tick(p, s, own + 1); k++) {
        micro m = {p, s, n, g, k * span - own, span, span * length, e->x, e->carried, area};
        steps[subsystem->method.kind](&m);
        end = (k + 1) * span - own;
    }
    /* The slope at the end: a cubic is known from its values; central differences of it are exact with two
     * distances. */
    real far[4][P], d = 0.25L;
    input_at(p, s, n, g, end, e->held);
    for (int i = 0; i < 4; i++) input_at(p, s, n, g, end + (i < 2 ? i - 2 : i - 1) * d, far[i]);
    for (int i = 0; i < subsystem->inputs; i++)
        e->bend[i] = (8 * (far[2][i] - far[1][i]) - (far[3][i] - far[0][i])) / (12 * d * length);
    input_at(p, s, n, g, 0, e->sent);
    for (int o = 0; o < P; o++) e->mean[o] = area[o] / length;
    output_of(subsystem, e->x, e->held, e->y);
    slopes_of(subsystem, e->x, e->held, e->bend, e->slope);
}

/* ---- The macro step ---- */

typedef struct loop {
    const play *p;
    int n;
} loop;

/* The value at t_n of what is no part of the loop. */
static bool in_loop(const play *p, int c, int n) {
    return p->delay[c] == 0 && exchanges(p, p->m->network.connections[c].from, n);
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
                                                : extrapolation(l->p, k, l->p->delay[c], l->n, l->n);
            u[k->input] += (real)k->gain * value;
        }
        if (exchanges(l->p, s, l->n)) output_of(&network->subsystems[s], l->p->x[s], u, found);
        for (int o = 0; o < P; o++)
            r[s * P + o] = y[s * P + o] - (o < network->subsystems[s].outputs ? found[o] : 0);
    }
}

static void publish(play *p, int n) {
    int count = p->m->network.subsystem_count;
    real solved[UNKNOWNS] = {0};
    loop l = {p, n};
    bool all = p->coupling.feedthrough == COSTAB_SOLVED;
    if (all) solve(count * P, feedthrough_residual, &l, solved);
    for (int s = 0; s < count; s++) {
        const costab_subsystem *subsystem = &p->m->subsystems[s];
        real y[P], slopes[P];
        if (!exchanges(p, s, n)) continue;
        output_of(subsystem, p->x[s], p->held[s], y);
        slopes_of(subsystem, p->x[s], p->held[s], p->bend[s], slopes);
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
static void sweep(const play *p, int n, const guesses *g, ending *ends, guesses *fresh) {
    for (int s = 0; s < p->m->network.subsystem_count; s++) {
        advance(p, s, n, g, &ends[s]);
        memcpy(fresh->v[s], ends[s].y, sizeof fresh->v[s]);
        memcpy(fresh->w[s], ends[s].slope, sizeof fresh->w[s]);
    }
}

/* The unknowns of a converged iteration: values, then slopes. */
static void unpack(const real *z, int count, guesses *g) {
    memset(g, 0, sizeof *g);
    for (int i = 0; i < count * P; i++) g->v[i / P][i % P] = z[i];
    for (int i = 0; i < count * P; i++) g->w[i / P][i % P] = z[count * P + i];
}

static void sweep_residual(void *context, const real *z, real *r) {
    const loop *l = context;
    ending ends[S];
    int count = l->p->m->network.subsystem_count;
    guesses g, fresh;
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
    guesses g = {{{0}}, {{0}}}, fresh;
    real w = p->coupling.relaxation > 0 ? (real)p->coupling.relaxation : 1;
    if (sweeps <= 0) {
        real z[UNKNOWNS];
        loop l = {p, n};
        solve(2 * count * P, sweep_residual, &l, z);
        unpack(z, count, &g);
        sweeps = 1;
    } else {
        int order = (int)p->coupling.predictor;
        for (int s = 0; s < count; s++)
            for (int o = 0; o < p->m->subsystems[s].outputs; o++) {
                real times[4], values[4];
                for (int r = 0; r <= order; r++) {
                    times[r] = -r;
                    values[r] = stored(p->y[s][o], n - r);
                }
                g.v[s][o] = neville(order + 1, times, values, 1);
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
    double ratio = stride(p, s) * p->coupling.macro_step / subsystem->step;
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
    for (int s = 0; s < m->network.subsystem_count; s++) set_clock(p, s);
    for (int c = 0; c < m->network.connection_count; c++) {
        const costab_connection *k = &m->connections[c];
        p->delay[c] = k->delay;
        /* The first macro step that begins when the message has arrived. */
        while (p->delay[c] * coupling->macro_step < k->delay_time * (1 - 1e-12)) p->delay[c]++;
    }
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
