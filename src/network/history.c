/* Time histories: macro step after macro step, rows in order of time, the monolithic solution beside them. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/history.h"

/* Times that differ by less than this share of a macro step are the same. */
#define SAME_TIME 1e-9

typedef struct costab_network_simulator history;

/* ---- Rows
 * ---------------------------------------------------------------------------------------------------- */

static costab_status put(const history *h, costab_row row) {
    if (!h->options->monolithic && row.subsystem >= 0) row.monolithic = (double)NAN;
    return h->sink(h->context, &row) ? COSTAB_OK : COSTAB_CANCELLED;
}

static costab_status put_values(const history *h, costab_row row, int count, const double *values,
                                const double *beside) {
    costab_status status = COSTAB_OK;
    for (int i = 0; i < count && status == COSTAB_OK; i++) {
        row.index = i;
        row.value = values[i];
        row.monolithic = beside[i];
        status = put(h, row);
    }
    return status;
}

/* All signals of one subsystem at time t; the reference stands there. */
static costab_status put_part(const history *h, double t, int s, bool communication, const double *x,
                              const double *u, const double *y) {
    const network_part *part = &h->sim.work->parts[s];
    costab_row row = {.t = t, .subsystem = s, .communication = communication, .kind = COSTAB_SIGNAL_STATE};
    costab_status status = put_values(h, row, part->n, x, h->ref.z + part->x);
    row.kind = COSTAB_SIGNAL_INPUT;
    if (status == COSTAB_OK) status = put_values(h, row, part->m, u, h->ref.u + part->u);
    row.kind = COSTAB_SIGNAL_OUTPUT;
    if (status == COSTAB_OK) status = put_values(h, row, part->q, y, h->ref.y + part->y);
    return status;
}

static costab_status follow(history *h, double t, costab_error *error) {
    return h->options->monolithic ? reference_to(&h->ref, t, error) : COSTAB_OK;
}

/* By time, then by subsystem; there are few, and mostly in order. */
static void sort_samples(simulator_sample *samples, size_t count) {
    for (size_t i = 1; i < count; i++) {
        simulator_sample sample = samples[i];
        size_t at = i;
        for (; at > 0 && (samples[at - 1].t > sample.t ||
                          (samples[at - 1].t == sample.t && samples[at - 1].s > sample.s));
             at--)
            samples[at] = samples[at - 1];
        samples[at] = sample;
    }
}

/* Rows of the micro steps up to time t; what lies later stays for the next macro step. */
static costab_status put_samples(history *h, double t, costab_error *error) {
    simulator_buffer *buffer = &h->sim.buffer;
    costab_status status = COSTAB_OK;
    size_t done = 0;
    if (buffer->count > 1) sort_samples(buffer->samples, buffer->count);
    for (; done < buffer->count && status == COSTAB_OK; done++) {
        const simulator_sample *sample = &buffer->samples[done];
        if (!(sample->t <= t)) break;
        const network_part *part = &h->sim.work->parts[sample->s];
        const double *x = buffer->values + sample->at;
        status = follow(h, sample->t, error);
        if (status == COSTAB_OK)
            status = put_part(h, sample->t, sample->s, false, x, x + part->n, x + part->n + part->m);
    }
    buffer->count -= done;
    if (done > 0) memmove(buffer->samples, buffer->samples + done, buffer->count * sizeof *buffer->samples);
    if (buffer->count == 0) buffer->used = 0;
    return status;
}

/* ---- Power bonds
 * --------------------------------------------------------------------------------------------- */

static const costab_connection *find_connection(const costab_network *network, int from, int output_number,
                                                int to, int input) {
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *k = &network->connections[c];
        if (k->from == from && k->output == output_number && k->to == to && k->input == input) return k;
    }
    return NULL;
}

/* Residual power and energy of every bond over the macro step that has just ended. */
static costab_status put_bonds(const history *h, double t) {
    const costab_network *network = h->sim.network;
    costab_status status = COSTAB_OK;
    for (int b = 0; b < network->bond_count && status == COSTAB_OK; b++) {
        const costab_bond *bond = &network->bonds[b];
        const network_part *one = &h->sim.work->parts[bond->subsystem1],
                           *two = &h->sim.work->parts[bond->subsystem2];
        const costab_connection *forth =
            find_connection(network, bond->subsystem2, bond->output2, bond->subsystem1, bond->input1);
        const costab_connection *back =
            find_connection(network, bond->subsystem1, bond->output1, bond->subsystem2, bond->input2);
        if (forth == NULL || back == NULL) continue;
        double sigma = -forth->gain / back->gain;
        double u1 = work_delivered(h->sim.work, forth, h->state),
               u2 = work_delivered(h->sim.work, back, h->state);
        double y1 = h->sim.work->y1[one->y + bond->output1], y2 = h->sim.work->y1[two->y + bond->output2];
        double power = -(u1 * y1 + sigma * u2 * y2);
        costab_row row = {.t = t, .subsystem = -1, .index = b, .communication = true};
        row.kind = COSTAB_SIGNAL_POWER;
        row.value = power;
        status = put(h, row);
        row.kind = COSTAB_SIGNAL_ENERGY;
        row.value = power * h->sim.coupling.macro_step;
        if (status == COSTAB_OK) status = put(h, row);
    }
    return status;
}

/* ---- The run
 * ------------------------------------------------------------------------------------------------- */

/* Rows of a communication point; x the states, u and y as all parts ended. */
static costab_status put_communication(history *h, double t, const double *x, const double *u,
                                       const double *y, costab_error *error) {
    costab_status status = follow(h, t, error);
    for (int s = 0; s < h->sim.work->count && status == COSTAB_OK; s++) {
        const network_part *part = &h->sim.work->parts[s];
        status = put_part(h, t, s, true, x + part->x, u + part->u, y + part->y);
    }
    return status;
}

static costab_status run(history *h, costab_simulate_outcome *outcome, costab_error *error) {
    double H = h->sim.coupling.macro_step, steps = floor(h->options->until / H + SAME_TIME);
    costab_status status = put_communication(h, 0, h->ref.z, h->ref.u, h->ref.y, error);
    for (h->sim.index = 0; (double)h->sim.index < steps && status == COSTAB_OK; h->sim.index++) {
        double t = simulator_time(&h->sim, 1);
        status = simulator_step(&h->sim, h->state, h->next, error);
        if (h->sim.diverged) {
            outcome->diverged = true;
            outcome->subsystem = h->sim.who;
            status = put_samples(h, (double)INFINITY, error);
            break;
        }
        if (status == COSTAB_OK) status = put_samples(h, t + SAME_TIME * H, error);
        if (status == COSTAB_OK)
            status = put_communication(h, t, h->next, h->sim.work->end, h->sim.work->y1, error);
        if (status == COSTAB_OK) status = put_bonds(h, t);
        if (status != COSTAB_OK) break;
        memcpy(h->state, h->next, (size_t)h->sim.work->size * sizeof *h->state);
        outcome->t = t;
        outcome->macro_steps = (long)h->sim.index + 1;
    }
    if (status == COSTAB_OK && !outcome->diverged) status = put_samples(h, (double)INFINITY, error);
    if (status == COSTAB_CANCELLED)
        error_set(error, COSTAB_CANCELLED, "the simulation was stopped at t = %.6g", outcome->t);
    return status;
}

static void lay(void *owner, network_arena *arena) {
    history *h = owner;
    h->state = arena_take(arena, (size_t)h->sim.work->size, sizeof *h->state);
    h->next = arena_take(arena, (size_t)h->sim.work->size, sizeof *h->next);
}

static costab_status history_make(history *h, const costab_network *network, const costab_coupling *coupling,
                                  costab_error *error) {
    double blow_up = h->options->blow_up > 0 ? h->options->blow_up : 1e100;
    costab_status status = simulator_make(&h->sim, network, coupling, blow_up, error);
    if (status == COSTAB_OK) status = work_prepare(h->mono, network, coupling, NULL, error);
    if (status == COSTAB_OK) status = reference_make(&h->ref, network, h->mono, error);
    if (status == COSTAB_OK) status = arena_fill(&h->memory, lay, h, error);
    if (status != COSTAB_OK) return status;
    h->sim.local = h->options->local;
    simulator_initial(&h->sim, &h->ref, h->state);
    return COSTAB_OK;
}

costab_status costab_network_simulator_create(costab_network_simulator **made, costab_error *error) {
    *made = memory_alloc(1, sizeof **made);
    if (*made == NULL) return error_memory(error);
    costab_status status = costab_network_work_create(&(*made)->mono, error);
    if (status != COSTAB_OK) costab_network_simulator_destroy(made);
    return status;
}

void costab_network_simulator_destroy(costab_network_simulator **made) {
    if (made == NULL || *made == NULL) return;
    history *h = *made;
    memory_free(h->memory.base);
    memory_free(h->bound_memory.base);
    reference_free(&h->ref);
    costab_network_work_destroy(&h->mono);
    simulator_free(&h->sim);
    memory_free(h);
    *made = NULL;
}

costab_status costab_network_simulator_run(costab_network_simulator *h, const costab_network *network,
                                           const costab_coupling *coupling,
                                           const costab_simulate_options *options, costab_row_sink sink,
                                           void *context, costab_simulate_outcome *outcome,
                                           costab_error *error) {
    *outcome = (costab_simulate_outcome){.subsystem = -1};
    if (!(options->until >= 0) || !isfinite(options->until))
        return error_set(error, COSTAB_INVALID, "until: %g; it must be finite and not negative",
                         options->until);
    h->options = options;
    h->sink = sink;
    h->context = context;
    costab_status status = history_make(h, network, coupling, error);
    return status == COSTAB_OK ? run(h, outcome, error) : status;
}

costab_status costab_network_simulate(const costab_network *network, const costab_coupling *coupling,
                                      const costab_simulate_options *options, costab_row_sink sink,
                                      void *context, costab_simulate_outcome *outcome, costab_error *error) {
    costab_network_simulator *h = NULL;
    costab_status status = costab_network_simulator_create(&h, error);
    if (status == COSTAB_OK)
        status = costab_network_simulator_run(h, network, coupling, options, sink, context, outcome, error);
    costab_network_simulator_destroy(&h);
    return status;
}

costab_status costab_network_macro_step(const costab_network *network, const costab_coupling *coupling,
                                        long index, double *state, costab_error *error) {
    simulator sim = {.index = 0};
    double *next = NULL;
    costab_status status = simulator_make(&sim, network, coupling, (double)INFINITY, error);
    if (status == COSTAB_OK) {
        next = memory_alloc((size_t)sim.work->size, sizeof *next);
        if (next == NULL) status = error_memory(error);
    }
    if (status == COSTAB_OK) {
        sim.index = index;
        status = simulator_step(&sim, state, next, error);
    }
    if (status == COSTAB_OK) memcpy(state, next, (size_t)sim.work->size * sizeof *state);
    if (status == COSTAB_CANCELLED)
        status = error_set(error, COSTAB_NUMERIC, "subsystem '%s' has overflowed",
                           network->subsystems[sim.who].name);
    memory_free(next);
    simulator_free(&sim);
    return status;
}
