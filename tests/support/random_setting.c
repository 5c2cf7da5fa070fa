#include "random_setting.h"

#include <stdio.h>

#include "network/words.h"
#include "random_network.h"

/* Positions and velocities in random places: q' = v. */
static void random_pairs(rng *r, model *m, int s, int states) {
    static int places[MODEL_PARTS][MODEL_STATES];
    int pairs = states / 2, *at = places[s];
    for (int i = 0; i < states; i++) at[i] = i;
    for (int i = states - 1; i > 0; i--) {
        int j = rng_int(r, 0, i), kept = at[i];
        at[i] = at[j];
        at[j] = kept;
    }
    for (int p = 0; p < pairs; p++) {
        for (int j = 0; j < states; j++) m->A[s][at[p] * states + j] = j == at[pairs + p];
        for (int j = 0; j < m->subsystems[s].inputs; j++) m->B[s][at[p] * m->subsystems[s].inputs + j] = 0;
    }
    m->subsystems[s].pairs = pairs;
    m->subsystems[s].positions = at;
    m->subsystems[s].velocities = at + pairs;
}

static costab_method random_solver(rng *r) {
    costab_method method;
    double A_bar[4], A[4], b_bar[2], b[2], c[2];
    switch (rng_int(r, 0, 5)) {
    case 0:
        check_ok(costab_solver_find("semi-implicit-euler", &method, &why));
        break;
    case 1:
        check_ok(costab_method_newmark(rng_uniform(r, 0, 0.5), rng_uniform(r, 0.3, 0.9), &method, &why));
        break;
    case 2:
        check_ok(costab_method_generalized_alpha_rho(rng_uniform(r, 0, 1), &method, &why));
        break;
    case 3:
        check_ok(costab_method_generalized_alpha(rng_uniform(r, -0.5, 0.5), rng_uniform(r, 0, 0.6),
                                                 rng_uniform(r, 0.1, 0.5), rng_uniform(r, 0.3, 0.9), &method,
                                                 &why));
        break;
    case 4: {
        random_numbers(r, A_bar, 4, 0.5);
        random_numbers(r, A, 4, 0.5);
        random_numbers(r, b_bar, 2, 0.5);
        c[0] = rng_uniform(r, 0, 1);
        c[1] = rng_uniform(r, 0, 1);
        b[0] = rng_dyadic(r, 1, 10);
        b[1] = 1 - b[0];
        costab_nystrom tableau = {2, A_bar, A, b_bar, b, c};
        check_ok(costab_method_nystrom(&tableau, &method, &why));
        break;
    }
    default:
        check_ok(costab_solver_find("bdf2", &method, &why));
        break;
    }
    return method;
}

static const char *const methods[] = {"euler",  "heun",   "midpoint",       "kutta3",      "rk4",
                                      "bs3",    "rk38",   "backward-euler", "trapezoidal", "gauss2",
                                      "radau2", "sdirk2", "exact"};

static void add_subsystem(rng *r, model *m, const costab_coupling *c, bool one_step, int stride) {
    random_sizes z = {.states =
                          rng_int(r, 0, 15) == 0 && m->network.subsystem_count > 0 ? 0 : rng_int(r, 1, 4),
                      .inputs = rng_int(r, 1, 2),
                      .outputs = rng_int(r, 1, 2),
                      .feedthrough = 0.4};
    int micro = rng_int(r, 1, 3);
    bool clocks = c->micro_steps == COSTAB_CLOCKS, structured = !one_step && rng_int(r, 0, 2) == 0;
    int q = clocks ? rng_int(r, 1, 2) : 1;
    z.substeps = clocks ? 0 : micro;
    z.step = clocks ? c->macro_step * stride * q / micro : 0;
    int s = random_subsystem(r, m, &z, methods[rng_int(r, 0, (int)(sizeof methods / sizeof *methods) - 1)]);
    m->subsystems[s].stride = stride;
    if (!structured) return;
    costab_method method = random_solver(r);
    if (method.kind != COSTAB_BDF && z.states % 2 != 0) return;
    if (method.kind != COSTAB_BDF) random_pairs(r, m, s, z.states);
    m->subsystems[s].method = method;
}

/* Some of the delays in seconds. */
static void delay_in_seconds(rng *r, model *m, const costab_coupling *c) {
    for (int k = 0; k < m->network.connection_count; k++) {
        costab_connection *late = &m->connections[k];
        if (late->delay == 0 || rng_int(r, 0, 1) == 0) continue;
        double part = rng_int(r, 0, 1) == 0 ? 0 : rng_uniform(r, 0.01, 0.9);
        late->delay_time = c->macro_step * (late->delay - part);
        late->delay = 0;
    }
}

costab_coupling random_polynomials(rng *r, bool strides) {
    costab_coupling c = {.macro_step = 1};
    c.scheme = (costab_coupling_scheme)rng_int(r, 0, strides ? 1 : 2);
    c.interpolation = (costab_hold)rng_int(r, 0, COSTAB_HERMITE);
    c.extrapolation = (costab_hold)rng_int(r, 0, COSTAB_HERMITE);
    c.feedthrough = (costab_feedthrough)rng_int(r, 0, 1);
    c.smoothed = rng_int(r, 0, 3) == 0 && !(strides && c.scheme == COSTAB_GAUSS_SEIDEL);
    c.predictor = (costab_hold)rng_int(r, 0, COSTAB_CUBIC);
    c.iterations = rng_int(r, -1, 3);
    return c;
}

static costab_coupling random_coupling(rng *r, bool strides, double longest) {
    costab_coupling c = random_polynomials(r, strides);
    c.macro_step = rng_uniform(r, longest / 6, longest);
    c.relaxation = rng_int(r, 0, 1) == 0 ? 0 : rng_uniform(r, 0.1, 1.9);
    c.micro_steps = rng_int(r, 0, 3) == 0 ? COSTAB_CLOCKS : COSTAB_WHOLE;
    if (!strides && c.scheme == COSTAB_JACOBI && rng_int(r, 0, 3) == 0) {
        c.area_correction = rng_uniform(r, -0.9, 0.9);
        c.extrapolation = COSTAB_CONSTANT;
        c.smoothed = false;
        c.micro_steps = COSTAB_WHOLE;
    }
    return c;
}

static costab_extrapolation random_weights(rng *r) {
    return (costab_extrapolation){(costab_hold)rng_int(r, COSTAB_SPECTRAL, COSTAB_TUNED_2),
                                  rng_uniform(r, -2, 2), rng_uniform(r, -2, 2), rng_uniform(r, -1, 1),
                                  rng_uniform(r, -1, 1)};
}

/* Weights of differences, and ways of their own of some connections. */
static void weigh(rng *r, model *m, costab_coupling *c, bool strides) {
    if (c->area_correction != 0) return;
    if (!strides && !c->smoothed && rng_int(r, 0, 2) == 0) {
        const costab_extrapolation by = random_weights(r);
        c->extrapolation = by.hold;
        c->a0 = by.a0, c->a1 = by.a1, c->b0 = by.b0, c->b1 = by.b1;
    }
    for (int k = 0; k < m->network.connection_count; k++) {
        if (rng_int(r, 0, 4) > 0) continue;
        m->connections[k].extrapolates = true;
        m->connections[k].extrapolation = random_weights(r);
        if (strides || c->smoothed || rng_int(r, 0, 1) == 0)
            m->connections[k].extrapolation.hold = (costab_hold)rng_int(r, 0, COSTAB_HERMITE);
    }
}

static void describe(const model *m, const costab_coupling *c, char *text, size_t size) {
    int n = snprintf(text, size, "%s i %s e %s%s, %s, iterations %d w %g p %s, area %g, clocks %d, strides",
                     network_scheme_words[c->scheme], network_hold_words[c->interpolation],
                     network_hold_words[c->extrapolation], c->smoothed ? " smoothed" : "",
                     network_feedthrough_words[c->feedthrough], c->iterations, c->relaxation,
                     network_hold_words[c->predictor], c->area_correction, c->micro_steps == COSTAB_CLOCKS);
    for (int k = 0; k < m->network.connection_count && n > 0 && (size_t)n < size; k++)
        if (m->connections[k].extrapolates)
            n += snprintf(text + n, size - (size_t)n, ", connection %d: %s", k + 1,
                          network_hold_words[m->connections[k].extrapolation.hold]);
    for (int s = 0; s < m->network.subsystem_count && n > 0 && (size_t)n < size; s++)
        n += snprintf(text + n, size - (size_t)n, " %d:%s", m->subsystems[s].stride,
                      m->subsystems[s].method.name);
}

void random_setting(rng *r, costab_network_work *work, double longest, bool unlike, setting *s) {
    bool strides = !unlike && rng_int(r, 0, 2) == 0;
    int parts = rng_int(r, 2, 3), stride[MODEL_PARTS];
    s->c = random_coupling(r, strides, longest);
    if (unlike) s->c.micro_steps = COSTAB_WHOLE;
    for (int i = 0; i < parts; i++) stride[i] = strides ? rng_int(r, 1, 4) : 1;
    random_order(r, parts, s->order);
    if (rng_int(r, 0, 1) == 0) s->c.order = s->order;
    model_start(&s->m);
    for (int i = 0; i < parts; i++) add_subsystem(r, &s->m, &s->c, s->c.area_correction != 0, stride[i]);
    random_connections(r, &s->m, rng_int(r, parts, 2 * parts + 1), s->c.area_correction == 0 ? 4 : 0);
    delay_in_seconds(r, &s->m, &s->c);
    weigh(r, &s->m, &s->c, strides);
    describe(&s->m, &s->c, s->where, sizeof s->where);
    costab_error error = {0};
    check_ok(costab_network_check(&s->m.network, &why));
    costab_status status = costab_network_analyse(work, &s->m.network, &s->c, &s->point, &error);
    if (status) fail_msg("%s: %s", s->where, error.message);
}
