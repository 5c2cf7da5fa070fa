#include "play_micro.h"

#include <math.h>

enum { N = MODEL_STATES, P = MODEL_PORTS, UNKNOWNS = PLAY_UNKNOWNS };

/* ---- Equations ---- */

void play_solve(int n, play_residual r, void *context, real *z) {
    enum { ROUNDS = 30 };
    real a[UNKNOWNS][UNKNOWNS], b[UNKNOWNS], step = 0x1p-16L;
    assert_true(n <= UNKNOWNS);
    for (int i = 0; i < n; i++) z[i] = 0;
    for (int round = 0; round < ROUNDS; round++) {
        real moved = 0, size = 0;
        r(context, z, b);
        for (int j = 0; j < n; j++) {
            real column[UNKNOWNS], kept = z[j];
            z[j] += step;
            r(context, z, column);
            z[j] = kept;
            for (int i = 0; i < n; i++) a[i][j] = (column[i] - b[i]) / step;
        }
        eliminate(n, UNKNOWNS, a[0], b);
        for (int i = 0; i < n; i++) {
            z[i] -= b[i];
            moved = fmaxl(moved, fabsl(b[i]));
            size = fmaxl(size, fabsl(z[i]));
        }
        if (moved <= 1e-17L * (1 + size)) return;
    }
}

/* ---- Functions ---- */

static void linear_slope(const costab_subsystem *s, const real *x, const real *u, real *dx) {
    for (int i = 0; i < s->states; i++) {
        dx[i] = 0;
        for (int j = 0; j < s->states; j++) dx[i] += (real)s->A[i * s->states + j] * x[j];
        for (int j = 0; j < s->inputs; j++) dx[i] += (real)s->B[i * s->inputs + j] * u[j];
    }
}

static void linear_output(const costab_subsystem *s, const real *x, const real *u, real *y) {
    for (int i = 0; i < s->outputs; i++) {
        y[i] = 0;
        for (int j = 0; j < s->states; j++) y[i] += (real)s->C[i * s->states + j] * x[j];
        for (int j = 0; j < s->inputs && s->D != NULL; j++) y[i] += (real)s->D[i * s->inputs + j] * u[j];
    }
}

static bool is_position(const costab_subsystem *s, int state) {
    for (int p = 0; p < s->pairs; p++)
        if (s->positions[p] == state) return true;
    return false;
}

/* The weight of the curves of a nonlinear subsystem, 0 of a linear one. */
static real curve_of(const costab_subsystem *s) {
    return s->dynamics != NULL ? (real)((const play_curve *)s->dynamics->context)->weight : 0;
}

/* The argument of the sine in f_i, i = state, and in all of g, i = 0. */
static real angle(real t, const real *x, const real *u, int i, bool sees) {
    return t + x[i] + (sees ? u[0] : 0);
}

void play_f(const play *p, int s, real t, const real *x, const real *u, real *dx) {
    const costab_subsystem *subsystem = &p->m->subsystems[s];
    real weight = curve_of(subsystem);
    linear_slope(subsystem, x, u, dx);
    for (int i = 0; i < subsystem->states && weight != 0; i++)
        if (!is_position(subsystem, i)) dx[i] += weight * sinl(angle(t, x, u, i, true));
}

void play_g(const play *p, int s, real t, const real *x, const real *u, real *y) {
    const costab_subsystem *subsystem = &p->m->subsystems[s];
    real weight = curve_of(subsystem);
    linear_output(subsystem, x, u, y);
    for (int o = 0; o < subsystem->outputs && weight != 0; o++)
        y[o] += weight * sinl(angle(t, x, u, 0, subsystem->D != NULL));
}

void play_g_slope(const play *p, int s, const play_place *at, real *dy) {
    const costab_subsystem *subsystem = &p->m->subsystems[s];
    bool sees = subsystem->D != NULL;
    real dx[N], none[P] = {0}, weight = curve_of(subsystem);
    play_f(p, s, at->t, at->x, at->u, dx);
    linear_output(subsystem, dx, sees ? at->bend : none, dy);
    for (int o = 0; o < subsystem->outputs && weight != 0; o++)
        dy[o] += weight * cosl(angle(at->t, at->x, at->u, 0, sees)) * (1 + dx[0] + (sees ? at->bend[0] : 0));
}

/* ---- The same for the library, in doubles ---- */

costab_status play_curve_f(void *context, double t, const double *x, const double *u, double *dx,
                           costab_error *error) {
    const costab_subsystem *s = ((const play_curve *)context)->subsystem;
    double weight = ((const play_curve *)context)->weight;
    (void)error;
    for (int i = 0; i < s->states; i++) {
        dx[i] = is_position(s, i) ? 0 : weight * sin(t + x[i] + u[0]);
        for (int j = 0; j < s->states; j++) dx[i] += s->A[i * s->states + j] * x[j];
        for (int j = 0; j < s->inputs; j++) dx[i] += s->B[i * s->inputs + j] * u[j];
    }
    return COSTAB_OK;
}

costab_status play_curve_jacobian(void *context, double t, const double *x, const double *u, double *A,
                                  double *B, costab_error *error) {
    const costab_subsystem *s = ((const play_curve *)context)->subsystem;
    double weight = ((const play_curve *)context)->weight;
    (void)error;
    memcpy(A, s->A, (size_t)(s->states * s->states) * sizeof *A);
    memcpy(B, s->B, (size_t)(s->states * s->inputs) * sizeof *B);
    for (int i = 0; i < s->states; i++) {
        double bend = is_position(s, i) ? 0 : weight * cos(t + x[i] + u[0]);
        A[i * s->states + i] += bend;
        B[i * s->inputs] += bend;
    }
    return COSTAB_OK;
}

costab_status play_curve_g(void *context, double t, const double *x, const double *u, double *y,
                           costab_error *error) {
    const costab_subsystem *s = ((const play_curve *)context)->subsystem;
    double weight = ((const play_curve *)context)->weight;
    (void)error;
    for (int o = 0; o < s->outputs; o++) {
        y[o] = weight * sin(t + x[0] + (s->D != NULL ? u[0] : 0));
        for (int j = 0; j < s->states; j++) y[o] += s->C[o * s->states + j] * x[j];
        for (int j = 0; j < s->inputs && s->D != NULL; j++) y[o] += s->D[o * s->inputs + j] * u[j];
    }
    return COSTAB_OK;
}

costab_status play_curve_output_jacobian(void *context, double t, const double *x, const double *u, double *C,
                                         double *D, double *rate, costab_error *error) {
    const costab_subsystem *s = ((const play_curve *)context)->subsystem;
    double bend = ((const play_curve *)context)->weight * cos(t + x[0] + (s->D != NULL ? u[0] : 0));
    (void)error;
    memcpy(C, s->C, (size_t)(s->outputs * s->states) * sizeof *C);
    memset(D, 0, (size_t)(s->outputs * s->inputs) * sizeof *D);
    if (s->D != NULL) memcpy(D, s->D, (size_t)(s->outputs * s->inputs) * sizeof *D);
    for (int o = 0; o < s->outputs; o++) {
        C[o * s->states] += bend;
        if (s->D != NULL) D[o * s->inputs] += bend;
        rate[o] = bend;
    }
    return COSTAB_OK;
}

double play_wave_value(void *context, double t) {
    const play_wave *wave = context;
    return sin(wave->rate * t + wave->phase);
}

double play_wave_slope(void *context, double t) {
    const play_wave *wave = context;
    return wave->rate * cos(wave->rate * t + wave->phase);
}

void play_sources(const play *p, int s, real t, bool derivative, real *u) {
    const costab_network *network = &p->m->network;
    for (int i = 0; i < network->source_count; i++) {
        const costab_source *source = &network->sources[i];
        const play_wave *wave = source->context;
        real at = (real)wave->rate * t + (real)wave->phase;
        if (source->subsystem == s) u[source->input] += derivative ? (real)wave->rate * cosl(at) : sinl(at);
    }
}

/* ---- Micro steps ---- */

static real time_in(const play_micro *m, real share) {
    return play_seconds(m->p, m->n, m->n + (m->begin + share * m->span) * play_stride(m->p, m->s));
}

static void input_in(const play_micro *m, real share, real *u) {
    play_input(m->p, m->s, m->n, m->g, m->begin + share * m->span, u);
    play_sources(m->p, m->s, time_in(m, share), false, u);
}

/* The same with the sources as linear over the micro step: exact solutions are of such inputs. */
static void straight_input_in(const play_micro *m, real share, real *u) {
    real first[P] = {0}, last[P] = {0};
    play_input(m->p, m->s, m->n, m->g, m->begin + share * m->span, u);
    play_sources(m->p, m->s, time_in(m, 0), false, first);
    play_sources(m->p, m->s, time_in(m, 1), false, last);
    for (int i = 0; i < P; i++) u[i] += (1 - share) * first[i] + share * last[i];
}

static void runge_kutta_residual(void *context, const real *k, real *r) {
    const play_micro *m = context;
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    for (int i = 0; i < s->method.stages; i++) {
        real at[N], u[P], f[N];
        for (int j = 0; j < s->states; j++) {
            at[j] = m->x[j];
            for (int l = 0; l < s->method.stages; l++)
                at[j] += m->h * (real)s->method.A[i][l] * k[l * s->states + j];
        }
        input_in(m, (real)s->method.c[i], u);
        play_f(m->p, m->s, time_in(m, (real)s->method.c[i]), at, u, f);
        for (int j = 0; j < s->states; j++) r[i * s->states + j] = k[i * s->states + j] - f[j];
    }
}

static void runge_kutta(play_micro *m) {
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    real k[UNKNOWNS] = {0};
    play_solve(s->method.stages * s->states, runge_kutta_residual, m, k);
    for (int i = 0; i < s->method.stages; i++) { /* the integral of y, by the same weights */
        real at[N], u[P], y[P];
        for (int j = 0; j < s->states; j++) {
            at[j] = m->x[j];
            for (int l = 0; l < s->method.stages; l++)
                at[j] += m->h * (real)s->method.A[i][l] * k[l * s->states + j];
        }
        input_in(m, (real)s->method.c[i], u);
        play_g(m->p, m->s, time_in(m, (real)s->method.c[i]), at, u, y);
        for (int o = 0; o < s->outputs; o++) m->area[o] += m->h * (real)s->method.b[i] * y[o];
    }
    for (int i = 0; i < s->method.stages; i++)
        for (int j = 0; j < s->states; j++) m->x[j] += m->h * (real)s->method.b[i] * k[i * s->states + j];
}

/* The Taylor series of the solution in short pieces; the input's derivatives from its values at four times.
 */
static void taylor(play_micro *m) {
    enum { PIECES = 32, TERMS = 30 };
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    real h = m->h / PIECES;
    for (int piece = 0; piece < PIECES; piece++) {
        real u[4][P], c[4][P], x[N], y[P], term[N], sum[N], all[N];
        for (int i = 0; i < 4; i++) straight_input_in(m, (piece + (real)i / 3) / PIECES, u[i]);
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
            linear_slope(s, term, k < 4 ? c[k] : (real[P]){0}, next);
            for (int i = 0; i < s->states; i++) {
                term[i] = h * next[i] / (k + 1);
                sum[i] += term[i];
                all[i] += term[i] / (k + 2);
            }
        }
        real mean[P];
        for (int i = 0; i < s->inputs; i++) mean[i] = c[0][i] + c[1][i] / 2 + c[2][i] / 3 + c[3][i] / 4;
        linear_output(s, all, mean, y);
        for (int o = 0; o < s->outputs; o++) m->area[o] += h * y[o];
        for (int i = 0; i < s->states; i++) m->x[i] = sum[i];
    }
}

/* Accelerations at positions q and velocities v, one a pair. */
static void accelerations(const play_micro *m, const real *q, const real *v, real share, real *a) {
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    real x[N] = {0}, u[P], dx[N];
    for (int i = 0; i < s->pairs; i++) {
        x[s->positions[i]] = q[i];
        x[s->velocities[i]] = v[i];
    }
    input_in(m, share, u);
    play_f(m->p, m->s, time_in(m, share), x, u, dx);
    for (int i = 0; i < s->pairs; i++) a[i] = dx[s->velocities[i]];
}

static void nystrom_residual(void *context, const real *K, real *r) {
    const play_micro *m = context;
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

static void nystrom(play_micro *m) {
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    real K[UNKNOWNS];
    play_solve(s->method.stages * s->pairs, nystrom_residual, m, K);
    for (int k = 0; k < s->pairs; k++) {
        real *q = &m->x[s->positions[k]], *v = &m->x[s->velocities[k]];
        *q += m->h * *v;
        for (int i = 0; i < s->method.stages; i++) {
            *q += m->h * m->h * (real)s->method.b_bar[i] * K[i * s->pairs + k];
            *v += m->h * (real)s->method.b[i] * K[i * s->pairs + k];
        }
    }
}

static void new_pair(const play_micro *m, int k, real a1, real *q1, real *v1) {
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    real q = m->x[s->positions[k]], v = m->x[s->velocities[k]], a0 = m->carried[k];
    real beta = (real)s->method.beta, gamma = (real)s->method.gamma;
    *q1 = q + m->h * v + m->h * m->h * ((0.5L - beta) * a0 + beta * a1);
    *v1 = v + m->h * ((1 - gamma) * a0 + gamma * a1);
}

static void generalized_alpha_residual(void *context, const real *a1, real *r) {
    const play_micro *m = context;
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

static void generalized_alpha(play_micro *m) {
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    real a1[UNKNOWNS];
    play_solve(s->pairs, generalized_alpha_residual, m, a1);
    for (int k = 0; k < s->pairs; k++) {
        real q1, v1;
        new_pair(m, k, a1[k], &q1, &v1);
        m->x[s->positions[k]] = q1;
        m->x[s->velocities[k]] = v1;
        m->carried[k] = a1[k];
    }
}

static void bdf2_residual(void *context, const real *x1, real *r) {
    const play_micro *m = context;
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    real u[P], f[N];
    input_in(m, 1, u);
    play_f(m->p, m->s, time_in(m, 1), x1, u, f);
    for (int i = 0; i < s->states; i++)
        r[i] = x1[i] - (4 * m->x[i] - m->carried[i]) / 3 - 2 * m->h / 3 * f[i];
}

static void bdf2(play_micro *m) {
    const costab_subsystem *s = &m->p->m->subsystems[m->s];
    real x1[UNKNOWNS] = {0};
    play_solve(s->states, bdf2_residual, m, x1);
    for (int i = 0; i < s->states; i++) {
        m->carried[i] = m->x[i];
        m->x[i] = x1[i];
    }
}

void play_micro_step(play_micro *m) {
    static void (*const steps[])(play_micro *) = {[COSTAB_RUNGE_KUTTA] = runge_kutta,
                                                  [COSTAB_EXACT] = taylor,
                                                  [COSTAB_NYSTROM] = nystrom,
                                                  [COSTAB_GENERALIZED_ALPHA] = generalized_alpha,
                                                  [COSTAB_BDF] = bdf2};
    steps[m->p->m->subsystems[m->s].method.kind](m);
}
