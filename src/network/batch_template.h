/* The map of a point in lanes: block.c's explicit steps and their powers, and sweep.c's one sweep over all
 * subsystems from unit states, operation by operation. Zeros are added where the scalar code leaves them out,
 * which changes no number. */
#include "base/lanes_template.h"

/* c += a b, where the rows of a lie `step` numbers apart. */
LANE_INLINE void LANE_NAME(add_columns)(int rows, int inner, int width, const int columns, const double *a,
                                        int step, const double *b, double *c) {
    for (int i = 0; i < rows; i++) {
        VECTOR sums[4];
        for (int q = 0; q < columns; q++) sums[q] = GET(c, i * width + q);
        for (int k = 0; k < inner; k++) {
            const VECTOR factor = GET(a, i * step + k);
            for (int q = 0; q < columns; q++) sums[q] += factor * GET(b, k * width + q);
        }
        for (int q = 0; q < columns; q++) AT(c, i * width + q) = sums[q];
    }
}

LANE_INLINE void LANE_NAME(multiply_add)(int rows, int inner, int width, const double *a, int step,
                                         const double *b, double *c) {
    int j = 0;
    for (; j + 4 <= width; j += 4)
        LANE_NAME(add_columns)(rows, inner, width, 4, a, step, b + j * LANES, c + j * LANES);
    for (; j < width; j++)
        LANE_NAME(add_columns)(rows, inner, width, 1, a, step, b + j * LANES, c + j * LANES);
}

LANE_INLINE void LANE_NAME(clear)(int count, double *x) {
    for (int e = 0; e < count; e++) AT(x, e) = ALL(0.0);
}

/* ---- Micro steps ---- */

/* out = the steps of `first`, over which the input moves by `moved`, then those of `second`. */
LANE_INLINE void LANE_NAME(compose)(const lane_shape *s, const double *second, const double *first,
                                    VECTOR moved, double *out) {
    for (int e = 0; e < s->n * s->width; e++) AT(out, e) = GET(second, e) + GET(first, e);
    for (int i = 0; i < s->n && s->degree > 0; i++)
        for (int j = 0; j < s->m; j++) {
            int e = i * s->width + s->n + j;
            AT(out, e + s->m) += moved * GET(second, e);
        }
    LANE_NAME(multiply_add)(s->n, s->n, s->width, second, s->width, first, out);
}

/* One step, Phi - I and its input parts, to `step`. */
LANE_INLINE void LANE_NAME(explicit_step)(const lane_shape *s, const lane_part *part, VECTOR h, VECTOR ratio,
                                          double *step, double *columns, double *next) {
    int size = s->n * s->width, straight = s->n + s->m;
    for (int i = 0; i < s->n; i++) {
        double *row = columns + i * s->width * LANES;
        for (int j = 0; j < s->n; j++) AT(row, j) = h * GET(part->A, i * s->n + j);
        for (int j = 0; j < s->m; j++) AT(row, s->n + j) = h * GET(part->B, i * s->m + j);
        for (int j = straight; j < s->width; j++) AT(row, j) = ratio * GET(row, j - s->m);
    }
    LANE_NAME(clear)(size, step);
    for (int k = s->method->stages - 1; k >= 0; k--) {
        for (int i = 0; i < s->n; i++)
            for (int j = 0; j < s->width; j++)
                AT(next, i * s->width + j) =
                    (j < straight ? s->method->phi[k] : s->method->p1[k]) * GET(columns, i * s->width + j);
        if (k < s->method->stages - 1)
            LANE_NAME(multiply_add)(s->n, s->n, s->width, columns, s->width, step, next);
        for (int e = 0; e < size; e++) AT(step, e) = GET(next, e);
    }
}

/* part->block = Phi and the input parts of `count` steps. */
LANE_INLINE void LANE_NAME(make_block)(const lane_shape *s, const lane_part *part, VECTOR H, double *room) {
    int size = s->n * s->width;
    double *step = room, *inner = step + size * LANES, *next = inner + size * LANES;
    const VECTOR h = H / (double)s->substeps, ratio = h / H;
    LANE_NAME(explicit_step)(s, part, h, ratio, step, inner, next);
    double length = 1;
    bool started = false;
    for (int count = s->substeps; count > 0; count >>= 1, length *= 2) {
        if ((count & 1) != 0) {
            if (started) LANE_NAME(compose)(s, part->block, step, length * ratio, inner);
            for (int e = 0; e < size; e++) AT(part->block, e) = GET(started ? inner : step, e);
            started = true;
        }
        if (count == 1) break;
        LANE_NAME(compose)(s, step, step, length * ratio, inner);
        for (int e = 0; e < size; e++) AT(step, e) = GET(inner, e);
    }
    for (int i = 0; i < s->n; i++) AT(part->block, i * s->width + i) += 1.0;
}

/* The same; the shape of an oscillator is known where it is compiled. */
LANE_FUNCTION void LANE_NAME(make_any_block)(const lane_shape *s, const lane_part *part, VECTOR H,
                                             double *room) {
    const lane_shape oscillator = {2, 1, 0, 3, s->substeps, s->method};
    if (s->n == 2 && s->m == 1 && s->degree == 0)
        LANE_NAME(make_block)(&oscillator, part, H, room);
    else
        LANE_NAME(make_block)(s, part, H, room);
}

/* ---- One sweep ---- */

/* to += factor times the row of a signal `back` publications ago; -1: its new one. */
LANE_FUNCTION void LANE_NAME(add_signal)(const costab_network_work *work, int signal, int back, VECTOR factor,
                                         size_t group, double *to) {
    const network_batch *batch = &work->batch;
    int size = work->size;
    if (back > 0) { /* a row of the state, which is a unit */
        AT(to, work->history[signal] + back - 1) += factor * 1.0;
        return;
    }
    const double *from = (back < 0 ? batch->y1 : batch->y0) + (size_t)(signal * size) * LANES + group;
    for (int j = 0; j < size; j++) AT(to, j) += factor * GET(from, j);
}

/* The straight lines of the inputs of subsystem s: u0, and at the end u1 - u0. */
LANE_FUNCTION void LANE_NAME(make_inputs)(const costab_network_work *work, int s, size_t group) {
    const network_batch *batch = &work->batch;
    const network_subsystem *sub = &work->subs[s];
    int size = work->size, cells = sub->m * size;
    double *const u[2] = {batch->u[0] + group, batch->u[1] + group};
    for (int l = 0; l <= work->degree; l++) LANE_NAME(clear)(cells, u[l]);
    for (int c = work->first_to[s]; c >= 0; c = work->next_to[c]) {
        const costab_connection *connection = &work->network->connections[c];
        polynomial_rule local;
        int shift, signal = work->subs[connection->from].y + connection->output;
        const polynomial_rule *rule = memory_rule(work, c, &local, &shift);
        const VECTOR gain = GET(batch->gains[c] + group, 0);
        for (const polynomial_term *term = rule->terms; term < rule->terms + rule->term_count; term++)
            if (term->power <= work->degree) LANE_NAME(add_signal)
        (work, signal, term->back < 0 ? -1 : term->back + shift, gain * term->weight, group,
         u[term->power] + (size_t)(connection->input * size) * LANES);
    }
    for (int e = 0; e < cells && work->degree > 0; e++) AT(u[1], e) -= GET(u[0], e);
}

/* The new states of subsystem s, into their rows of the map. */
LANE_FUNCTION void LANE_NAME(advance)(const costab_network_work *work, int s, const double *block, int width,
                                      size_t group) {
    const network_batch *batch = &work->batch;
    const network_subsystem *sub = &work->subs[s];
    int size = work->size;
    double *x1 = batch->now.maps + (size_t)(sub->x * size) * LANES + group;
    LANE_NAME(clear)(sub->n * size, x1);
    for (int i = 0; i < sub->n; i++)
        for (int j = 0; j < sub->n; j++) AT(x1, i * size + sub->x + j) = GET(block, i * width + j);
    for (int l = 0; l <= work->degree; l++) LANE_NAME(multiply_add)
    (sub->n, sub->m, size, block + (size_t)(sub->n + l * sub->m) * LANES, width, batch->u[l] + group, x1);
}

/* y of subsystem s from rows of states. */
LANE_FUNCTION void LANE_NAME(outputs)(const costab_network_work *work, int s, bool begin, size_t group) {
    const network_batch *batch = &work->batch;
    const network_subsystem *sub = &work->subs[s];
    const double *C = batch->parts[s].C + group;
    int size = work->size;
    double *y = (begin ? batch->y0 : batch->y1) + (size_t)(sub->y * size) * LANES + group;
    LANE_NAME(clear)(sub->q * size, y);
    for (int i = 0; i < sub->q && begin; i++)
        for (int j = 0; j < sub->n; j++) AT(y, i * size + sub->x + j) = GET(C, i * sub->n + j);
    if (!begin) LANE_NAME(multiply_add)
    (sub->q, sub->n, size, C, sub->n, batch->now.maps + (size_t)(sub->x * size) * LANES + group, y);
}

/* Former values move on; the newest is y0. */
LANE_FUNCTION void LANE_NAME(remember)(const costab_network_work *work, size_t group) {
    const network_batch *batch = &work->batch;
    int size = work->size;
    double *maps = batch->now.maps + group;
    for (int o = 0; o < work->outputs; o++) {
        int first = work->history[o], depth = work->depth[o];
        if (depth == 0) continue;
        LANE_NAME(clear)(depth * size, maps + (size_t)(first * size) * LANES);
        for (int j = 0; j < size; j++) AT(maps, first * size + j) = GET(batch->y0 + group, o * size + j);
        for (int k = 1; k < depth; k++) AT(maps, (first + k) * size + first + k - 1) = ALL(1.0);
    }
}

static LANE_TARGET void LANE_NAME(map)(const costab_network_work *work, size_t group) {
    const network_batch *batch = &work->batch;
    const VECTOR H = GET(batch->now.steps + group, 0);
    for (int s = 0; s < work->count; s++) {
        const lane_part *kept = &batch->parts[s];
        const lane_part part = {
            .A = kept->A + group, .B = kept->B + group, .C = kept->C + group, .block = kept->block + group};
        lane_shape shape = batch_shape(work, s);
        if (kept->twin < 0) LANE_NAME(make_any_block)(&shape, &part, H, batch->scratch + group);
        LANE_NAME(outputs)(work, s, true, group);
    }
    for (int i = 0; i < work->count; i++) {
        int s = work->order[i], twin = batch->parts[s].twin;
        lane_shape shape = batch_shape(work, s);
        LANE_NAME(make_inputs)(work, s, group);
        LANE_NAME(advance)(work, s, batch->parts[twin < 0 ? s : twin].block + group, shape.width, group);
        if (work->coupling.scheme == COSTAB_GAUSS_SEIDEL) LANE_NAME(outputs)(work, s, false, group);
    }
    LANE_NAME(remember)(work, group);
}

/* ---- The monolithic system ---- */

/* A + B L C, as monolithic_make has it where nothing feeds through. */
static LANE_TARGET void LANE_NAME(mono)(const costab_network_work *work, size_t group) {
    const network_batch *batch = &work->batch;
    const costab_network *network = work->network;
    int n = work->states;
    double *inputs = batch->inputs + group, *monos = batch->now.monos + group;
    LANE_NAME(clear)(work->inputs * n, inputs);
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *connection = &network->connections[c];
        const network_subsystem *from = &work->subs[connection->from];
        const double *C = batch->parts[connection->from].C + group + connection->output * from->n * LANES;
        const VECTOR gain = GET(batch->gains[c] + group, 0);
        double *row = inputs + ((work->subs[connection->to].u + connection->input) * n + from->x) * LANES;
        for (int j = 0; j < from->n; j++) AT(row, j) += gain * GET(C, j);
    }
    LANE_NAME(clear)(n * n, monos);
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        const lane_part *part = &batch->parts[s];
        double *rows = monos + sub->x * n * LANES;
        for (int i = 0; i < sub->n; i++)
            for (int j = 0; j < sub->n; j++)
                AT(rows, i * n + sub->x + j) = GET(part->A + group, i * sub->n + j);
        LANE_NAME(multiply_add)
        (sub->n, sub->m, n, part->B + group, sub->m, inputs + sub->u * n * LANES, rows);
    }
}

#include "base/lanes_end.h"
