/* The maps of eight points in lanes, where the coupling is a single sweep and the micro steps are explicit.
 */
#include <stdint.h>
#include <string.h>

#include "network/batch.h"

/* The blocks that a subsystem's steps make: Phi - I beside the parts of the input's powers. */
typedef struct lane_shape {
    int n, m, degree, width, substeps;
    const costab_method *method;
} lane_shape;

static lane_shape batch_shape(const costab_network_work *work, int s) {
    const network_subsystem *sub = &work->subs[s];
    const costab_subsystem *subsystem = &work->network->subsystems[s];
    return (lane_shape){sub->n,
                        sub->m,
                        work->degree,
                        sub->n + (work->degree + 1) * sub->m,
                        subsystem->substeps,
                        &subsystem->method};
}

/* Once per instruction set. */
#include "network/batch_template.h"
#if LANES_X86
#include "network/batch_template.h"
/* and */
#include "network/batch_template.h"
#endif

/* At the begin of a line of the cache: a vector that lies in two is read twice. */
static double *lanes_of(network_arena *arena, int count) {
    unsigned char *taken = arena_take(arena, (size_t)(count + 1) * LANES, sizeof(double));
    if (taken == NULL) return NULL;
    size_t line = LANES * sizeof(double);
    return (double *)(void *)(taken + (line - (uintptr_t)taken % line) % line);
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

void batch_lay(costab_network_work *work, network_arena *arena) {
    int size = work->size, inputs = 0, block = 0;
    network_batch *batch = &work->batch;
    *batch = (network_batch){.now = {.count = 0}};
    if (size > EIGEN_LANES_MOST || work->lanes > 1 || work->hooks != NULL) return;
    batch->own_steps = lanes_of(arena, 1);
    batch->late.steps = batch->late_steps = lanes_of(arena, 1);
    lane_points *const both[] = {&batch->now, &batch->late};
    for (int k = 0; k < 2; k++) {
        both[k]->maps = lanes_of(arena, size * size);
        both[k]->monos = lanes_of(arena, work->states * work->states);
    }
    batch->spare = lanes_of(arena, size * size);
    batch->found = (eigen_lanes_found){.re = lanes_of(arena, size),
                                       .im = lanes_of(arena, size),
                                       .norm = lanes_of(arena, size),
                                       .top = lanes_of(arena, size),
                                       .close = lanes_of(arena, 1)};
    batch->room = lanes_of(arena, (int)eigen_lanes_work(size) / LANES + 1);
    if (work->degree > 1) return;
    batch->inputs = lanes_of(arena, work->inputs * work->states);
    batch->parts = arena_take(arena, (size_t)work->count, sizeof *batch->parts);
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        int cells = sub->n * (sub->n + (work->degree + 1) * sub->m);
        lane_part part = {.own = {lanes_of(arena, sub->n * sub->n), lanes_of(arena, sub->n * sub->m),
                                  lanes_of(arena, sub->q * sub->n)},
                          .block = lanes_of(arena, cells)};
        if (batch->parts != NULL) batch->parts[s] = part;
        inputs = larger(inputs, sub->m);
        block = larger(block, cells);
    }
    batch->own_gains = lanes_of(arena, work->network->connection_count);
    batch->gains = arena_take(arena, (size_t)work->network->connection_count, sizeof *batch->gains);
    batch->scratch = lanes_of(arena, 3 * block);
    for (int l = 0; l < 2; l++) batch->u[l] = lanes_of(arena, inputs * size);
    batch->y0 = lanes_of(arena, work->outputs * size);
    batch->y1 = lanes_of(arena, work->outputs * size);
    batch->twins = arena_take(arena, (size_t)work->count * LANES, sizeof *batch->twins);
}

/* Products beyond are done by BLAS, in an order of its own. */
static bool small(int rows, int inner, int columns) {
    return rows * inner * columns <= 16384;
}

bool batch_maps(const costab_network_work *work) {
    bool maps = work->batch.parts != NULL && work->period == 1 && !work->strided && !work->slopes &&
                !work->area && !work->loop && work->degree <= 1 && work->coupling.scheme != COSTAB_ITERATED;
    for (int s = 0; s < work->count && maps; s++) {
        const network_subsystem *sub = &work->subs[s];
        const costab_subsystem *subsystem = &work->network->subsystems[s];
        lane_shape shape = batch_shape(work, s);
        maps = subsystem->method.kind == COSTAB_RUNGE_KUTTA && !subsystem->method.implicit &&
               subsystem->substeps > 0 && sub->extra == 0 && sub->held < 0 && sub->sent < 0 &&
               (subsystem->D == NULL || sub->m == 0) && small(sub->n, sub->n, shape.width) &&
               small(sub->n, larger(sub->n, sub->m), work->size) && small(sub->q, sub->n, work->size);
    }
    return maps;
}

/* ---- Numbers into lanes ---- */

static void put(double *to, int lane, const double *from, int count) {
    for (int e = 0; e < count; e++) to[(size_t)e * LANES + (size_t)lane] = from[e];
}

/* Have two subsystems matrices of the same size, and the same method? */
static bool same_kind(const costab_network_work *work, int s, int t) {
    const network_subsystem *a = &work->subs[s], *b = &work->subs[t];
    const costab_subsystem *one = &work->network->subsystems[s], *two = &work->network->subsystems[t];
    return a->n == b->n && a->m == b->m && one->substeps == two->substeps &&
           work_same_method(&one->method, &two->method);
}

/* Are the numbers of their micro steps the same: those of the point at hand, those of all lanes? */
static bool same_matrices(const double *const a[2], const double *const b[2], const network_subsystem *sub,
                          size_t lanes) {
    size_t n = (size_t)sub->n * lanes, m = (size_t)sub->m;
    return (n == 0 || memcmp(a[0], b[0], n * (size_t)sub->n * sizeof(double)) == 0) &&
           (n * m == 0 || memcmp(a[1], b[1], n * m * sizeof(double)) == 0);
}

static bool same_seen(const costab_network_work *work, int s, int t) {
    const network_subsystem *a = &work->subs[s], *b = &work->subs[t];
    return same_matrices((const double *[]){a->seen[0], a->seen[1]},
                         (const double *[]){b->seen[0], b->seen[1]}, a, 1);
}

static bool same_lanes(const costab_network_work *work, int s, int t) {
    const lane_part *a = &work->batch.parts[s], *b = &work->batch.parts[t];
    return same_matrices((const double *[]){a->A, a->B}, (const double *[]){b->A, b->B}, &work->subs[s],
                         LANES);
}

/* The nearest subsystem before s that has the same steps; -1: none. */
static int find_twin(const costab_network_work *work, int s,
                     bool (*same)(const costab_network_work *work, int s, int t)) {
    enum { BACK = 4 };
    for (int t = s - 1; t >= 0 && t >= s - BACK; t--)
        if (same_kind(work, s, t) && same(work, s, t)) return t;
    return -1;
}

/* The one of several that are alike that makes the steps itself. */
static int first_twin(int twin, int before) {
    return twin >= 0 && before >= 0 ? before : twin;
}

void batch_put(costab_network_work *work, int lane) {
    network_batch *batch = &work->batch;
    const costab_network *network = work->network;
    batch->own_steps[lane] = work->coupling.macro_step;
    if (batch->versions[lane] == work->version) return; /* the same numbers lie there */
    batch->versions[lane] = work->version;
    bool before = lane > 0 && batch->versions[lane - 1] == work->version;
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        const costab_subsystem *from = &network->subsystems[s];
        put(batch->parts[s].own[0], lane, from->A, sub->n * sub->n);
        put(batch->parts[s].own[1], lane, from->B, sub->n * sub->m);
        put(batch->parts[s].own[2], lane, from->C, sub->q * sub->n);
        int *twins = batch->twins + s * LANES + lane;
        if (before) {
            *twins = twins[-1];
        } else {
            int t = find_twin(work, s, same_seen);
            *twins = first_twin(t, t < 0 ? -1 : batch->twins[t * LANES + lane]);
        }
    }
    for (int c = 0; c < network->connection_count; c++)
        put(batch->own_gains + (size_t)c * LANES, lane, &network->connections[c].gain, 1);
}

static void repeat(double *numbers, int count, int lane) {
    for (int e = 0; e < count; e++) numbers[(size_t)e * LANES + (size_t)lane] = numbers[(size_t)e * LANES];
}

void batch_fill_up(costab_network_work *work) {
    network_batch *batch = &work->batch;
    for (int l = batch->now.count; l < LANES; l++) {
        repeat(batch->own_steps, 1, l);
        if (batch->versions[l] == batch->versions[0]) continue;
        batch->versions[l] = batch->versions[0];
        for (int s = 0; s < work->count; s++) {
            const network_subsystem *sub = &work->subs[s];
            repeat(batch->parts[s].own[0], sub->n * sub->n, l);
            repeat(batch->parts[s].own[1], sub->n * sub->m, l);
            repeat(batch->parts[s].own[2], sub->q * sub->n, l);
            batch->twins[s * LANES + l] = batch->twins[s * LANES];
        }
        repeat(batch->own_gains, work->network->connection_count, l);
    }
}

/* ---- Numbers of all lanes ---- */

void batch_take_own(costab_network_work *work) {
    network_batch *batch = &work->batch;
    batch->now.steps = batch->own_steps;
    for (int c = 0; c < work->network->connection_count; c++)
        batch->gains[c] = batch->own_gains + (size_t)c * LANES;
    for (int s = 0; s < work->count; s++) {
        lane_part *part = &batch->parts[s];
        int twin = batch->twins[s * LANES];
        for (int l = 1; l < LANES; l++)
            if (batch->twins[s * LANES + l] != twin) twin = -1;
        part->A = part->own[0];
        part->B = part->own[1];
        part->C = part->own[2];
        /* Its own twin may differ from lane to lane. */
        part->twin = twin >= 0 && batch->parts[twin].twin < 0 ? twin : -1;
    }
}

void batch_take_numbers(costab_network_work *work, const network_numbers *numbers) {
    network_batch *batch = &work->batch;
    batch->now.steps = numbers->steps;
    for (int c = 0; c < work->network->connection_count; c++) batch->gains[c] = numbers->gains[c];
    for (int s = 0; s < work->count; s++) {
        lane_part *part = &batch->parts[s];
        part->A = numbers->matrices[s].A;
        part->B = numbers->matrices[s].B;
        part->C = numbers->matrices[s].C;
        int t = find_twin(work, s, same_lanes);
        part->twin = first_twin(t, t < 0 ? -1 : batch->parts[t].twin);
    }
}

/* ---- Matrices ---- */

void batch_make_maps(costab_network_work *work) {
    for (size_t group = 0; group < LANES; group += (size_t)2 << work->set)
        LANES_CALL(work->set, map, work, group);
}

void batch_make_monos(costab_network_work *work) {
    for (size_t group = 0; group < LANES; group += (size_t)2 << work->set)
        LANES_CALL(work->set, mono, work, group);
}
