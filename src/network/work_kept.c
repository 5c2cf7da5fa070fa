/* Is a point of the form of the last one, so that numbering, memory, program and checks serve again? Numbers
 * may differ (work_seen.c).
 *
 * 1. The coupling's choices, but for the macro step; delays in seconds must be as many macro steps as before.
 * 2. Counts and lists: the same pointers.
 * 3. Of each subsystem sizes, matrices' places, pairs, method and steps (network_form); where maps are made
 *    in lanes also its method's weights.
 * 4. Of each connection its ends, delay and extrapolation.
 *
 * Cost: a comparison for each subsystem and connection. */
#include <math.h>
#include <string.h>

#include "network/exchange.h"
#include "network/lanes_map.h"
#include "network/words.h"
#include "network/work.h"

/* Step 3. */
static network_form form_of(const costab_subsystem *of) {
    return (network_form){.A = of->A,
                          .B = of->B,
                          .C = of->C,
                          .D = of->D,
                          .rise = of->rise,
                          .positions = of->positions,
                          .velocities = of->velocities,
                          .states = of->states,
                          .inputs = of->inputs,
                          .outputs = of->outputs,
                          .pairs = of->pairs,
                          .substeps = of->substeps,
                          .stride = of->stride,
                          .stages = of->method.stages,
                          .kind = of->method.kind,
                          .implicit = of->method.implicit,
                          .former = of->method.former};
}

static bool same_form(const network_form *a, const costab_subsystem *b) {
    return a->A == b->A && a->B == b->B && a->C == b->C && a->D == b->D && a->rise == b->rise &&
           a->positions == b->positions && a->velocities == b->velocities && a->states == b->states &&
           a->inputs == b->inputs && a->outputs == b->outputs && a->pairs == b->pairs &&
           a->substeps == b->substeps && a->stride == b->stride && a->stages == b->method.stages &&
           a->kind == b->method.kind && a->implicit == b->method.implicit && a->former == b->method.former;
}

static size_t pair_bytes(const costab_subsystem *of) {
    return of->pairs > 0 ? (size_t)of->pairs * sizeof *of->positions : 0;
}

/* Positions and velocities may have changed in their places. */
static bool same_pairs(const network_subsystem *sub, const costab_subsystem *of) {
    const size_t bytes = pair_bytes(of);
    return bytes == 0 || (memcmp(sub->seen_positions, of->positions, bytes) == 0 &&
                          memcmp(sub->seen_velocities, of->velocities, bytes) == 0);
}

static void take_pairs(network_subsystem *sub, const costab_subsystem *of) {
    memcpy(sub->seen_positions, of->positions, pair_bytes(of));
    memcpy(sub->seen_velocities, of->velocities, pair_bytes(of));
}

/* Do two methods that differ in no more than their tableaux make the same steps in lanes? (The scalar code
 * looks at the tableaux itself.) */
static bool same_weights(const network_subsystem *sub, const costab_method *b) {
    const costab_method *a = sub->seen_method;
    bool differ = false;
    if (!sub->method_known) return false;
    for (int k = 0; k < b->stages; k++)
        differ |= (a->phi[k] != b->phi[k]) | (a->p1[k] != b->p1[k]) | (a->p2[k] != b->p2[k]) |
                  (a->p3[k] != b->p3[k]);
    return !differ;
}

/* Step 2: counts and pointers, between which nothing lies. */
static bool same_lists(const costab_network *a, const costab_network *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

/* Step 1, but for the macro step, and an order's entries, which may have changed in their place. */
static bool same_choices(const costab_coupling *a, const costab_coupling *b) {
    costab_coupling at = *b;
    at.macro_step = a->macro_step;
    return coupling_same(a, &at);
}

static bool same_order(const costab_network_work *work, const costab_coupling *coupling) {
    if (coupling->order == NULL) return true;
    for (int s = 0; s < work->count; s++)
        if (coupling->order[s] != work->order[s]) return false;
    return true;
}

static bool same_extrapolation(const costab_extrapolation *a, const costab_extrapolation *b) {
    return a->hold == b->hold && a->a0 == b->a0 && a->a1 == b->a1 && a->b0 == b->b0 && a->b1 == b->b1;
}

/* Step 4. */
static bool same_connection_form(const costab_connection *a, const costab_connection *b) {
    return a->from == b->from && a->output == b->output && a->to == b->to && a->input == b->input &&
           a->delay == b->delay && a->delay_time == b->delay_time && a->extrapolates == b->extrapolates &&
           (!b->extrapolates || same_extrapolation(&a->extrapolation, &b->extrapolation));
}

bool work_delays_kept(const costab_network_work *work, double macro_step) {
    for (int c = 0; c < work->seen_count && work->delays_in_seconds; c++) {
        double seconds = work->seen_connections[c].delay_time;
        if (seconds > 0 && exchange_whole_delay(seconds, macro_step) != work->delays[c]) return false;
    }
    return true;
}

static bool choices_kept(const costab_network_work *work, const costab_coupling *coupling) {
    double H = coupling->macro_step;
    return work->layout_kept && work->past == NULL && same_choices(&work->coupling, coupling) &&
           same_order(work, coupling) && H > 0 && isfinite(H) && work_delays_kept(work, H);
}

bool work_is_kept(const costab_network_work *work, const costab_network *network,
                  const costab_coupling *coupling, const network_hooks *hooks) {
    if (hooks != NULL || network == NULL || !choices_kept(work, coupling) ||
        !same_lists(&work->last_network, network))
        return false;
    for (int s = 0; s < work->count; s++)
        if (!same_form(&work->subs[s].form, &network->subsystems[s]) ||
            !same_pairs(&work->subs[s], &network->subsystems[s]) ||
            (work->batch.usable && !same_weights(&work->subs[s], &network->subsystems[s].method)))
            return false;
    for (int c = 0; c < network->connection_count; c++)
        if (!same_connection_form(&work->seen_connections[c], &network->connections[c])) return false;
    return true;
}

void work_keep(costab_network_work *work) {
    const costab_network *network = work->network;
    work->last_network = *network;
    work->layout_kept = work->hooks == NULL && work->past == NULL;
    for (int s = 0; s < work->count; s++) {
        network_form *form = &work->subs[s].form;
        *form = form_of(&network->subsystems[s]);
        if (!same_pairs(&work->subs[s], &network->subsystems[s])) {
            take_pairs(&work->subs[s], &network->subsystems[s]);
            work->subs[s].blocks_known = false;
        }
    }
    work->delays_in_seconds = false;
    for (int c = 0; c < network->connection_count; c++)
        if (network->connections[c].delay_time > 0) work->delays_in_seconds = true;
    work->batch.usable = work->layout_kept && lanes_fit(work);
}
