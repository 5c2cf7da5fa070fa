/* One macro step, and what its state becomes. */
#include <string.h>

#include "network/rows.h"
#include "network/work.h"

/* What the method and the area correction carry on. */
static void new_extra(const costab_network_work *work, int s, int width, double *next) {
    const network_subsystem *sub = &work->subs[s];
    const double *extra = work->x1 + cells(sub->full + sub->n, width);
    double *to = next + cells(sub->extra_row, width), share = sub->means ? 1 / work_length(work, sub) : 1;
    for (size_t e = 0; e < cells(sub->extra, width); e++) to[e] = share * extra[e];
    if (sub->sent >= 0)
        memcpy(next + cells(sub->sent, width), work->u[0] + cells(sub->u, width),
               cells(sub->m, width) * sizeof *next);
}

/* The rows of a subsystem that has been advanced. */
static void new_rows(const costab_network_work *work, int s, int width, double *next) {
    const network_subsystem *sub = &work->subs[s];
    size_t inputs = cells(sub->m, width) * sizeof *next, at = cells(sub->u, width);
    memcpy(next + cells(sub->x, width), work->x1 + cells(sub->full, width),
           cells(sub->n, width) * sizeof *next);
    if (sub->held >= 0) memcpy(next + cells(sub->held, width), work->end + at, inputs);
    if (sub->bend >= 0) memcpy(next + cells(sub->bend, width), work->end_slope + at, inputs);
    if (sub->extra > 0 || sub->sent >= 0) new_extra(work, s, width, next);
}

/* A signal that has been published moves to its former values. */
static void new_signal(const costab_network_work *work, int signal, int width, const double *state,
                       double *next) {
    size_t row = (size_t)width * sizeof *next;
    if (work->ahead[signal] >= 0)
        memcpy(next + cells(work->ahead[signal], width), work->y1 + cells(signal, width), row);
    if (work->depth[signal] == 0) return;
    int first = work->history[signal];
    memcpy(next + cells(first, width), work->y0 + cells(signal, width), row);
    memcpy(next + cells(first + 1, width), state + cells(first, width),
           (size_t)(work->depth[signal] - 1) * row);
}

static void new_state(const costab_network_work *work, int width, const double *state, double *next) {
    if (work->strided) memcpy(next, state, cells(work->size, width) * sizeof *next);
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        if (!sub->active) continue;
        new_rows(work, s, width, next);
        for (int first = sub->y; first < work->signals; first += work->outputs)
            for (int o = first; o < first + sub->q; o++) new_signal(work, o, width, state, next);
    }
}

costab_status work_step(costab_network_work *work, int64_t index, int width, const double *state,
                        double *next, costab_error *error) {
    costab_status status = COSTAB_OK;
    bool iterated = work->coupling.scheme == COSTAB_ITERATED;
    if (work->period > 1) work_select(work, index); /* else all macro steps are like the first */
    work->final_sweep = !iterated;
    /* A simulation needs the map of guesses only to solve for their fixed point. */
    bool guessed = work->hooks == NULL || (work->coupling.iterations <= 0 && !work->hooks->iterate);
    if (iterated && !work->guess_known && guessed) {
        double *zero = work->next;
        memset(zero, 0, cells(work->size, work->guesses * work->lanes) * sizeof *zero);
        status = iterate_map(work, zero, error);
    }
    if (!status) status = sweep_begin(work, width, state, error);
    if (!status)
        status = iterated
                     ? iterate_step(work, width, state, error)
                     : sweep_once(work, width, state, work->coupling.scheme == COSTAB_GAUSS_SEIDEL, error);
    if (!status) new_state(work, width, state, next);
    work->final_sweep = false;
    return status;
}

costab_status work_sweep(costab_network_work *work, int width, const double *state, double *guesses,
                         double *next, costab_error *error) {
    work->final_sweep = true;
    costab_status status = sweep_begin(work, width, state, error);
    if (!status) iterate_put(work, width, guesses, work->y1);
    if (!status) status = sweep_once(work, width, state, false, error);
    if (!status) {
        new_state(work, width, state, next);
        iterate_take(work, width, work->y1, guesses);
    }
    work->final_sweep = false;
    return status;
}

void work_delivered_polynomial(const costab_network_work *work, int c, const double *state,
                               double u[MATRIX_POWERS]) {
    const costab_connection *connection = &work->network->connections[c];
    polynomial_rule local;
    int shift, o = work->subs[connection->from].y + connection->output;
    const polynomial_rule *rule = memory_rule(work, c, &local, &shift);
    for (int l = 0; l < MATRIX_POWERS; l++) u[l] = 0;
    for (int i = 0; i < rule->count; i++) {
        const polynomial_node *node = &rule->nodes[i];
        int signal = node->slope ? work->outputs + o : o;
        bool guessed = node->back < 0 && work->guess[signal] >= 0;
        double value = guessed ? work->guess_rows[work->guess[signal]]
                               : *sweep_signal(work, state, connection->from, signal,
                                               node->back < 0 ? -1 : node->back + shift, 1);
        for (int l = 0; l <= work->degree; l++) u[l] += connection->gain * node->weight[l] * value;
    }
    if (work->degree > 0) u[1] -= u[0];
}

double work_delivered(const costab_network_work *work, int c, const double *state) {
    double u[MATRIX_POWERS], end = work->subs[work->network->connections[c].to].beat.end;
    work_delivered_polynomial(work, c, state, u);
    double delivered = u[work->degree];
    for (int l = work->degree - 1; l >= 0; l--) delivered = u[l] + end * delivered;
    return delivered;
}
