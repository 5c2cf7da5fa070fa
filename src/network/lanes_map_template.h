/* A macro step's program on the rows of LANE_WIDTH lanes, and the steps of explicit methods; included by
 * lanes_map.c once per instruction set.
 *
 * 1. A block: Horner's scheme in Z = hA for [Phi - I, input parts] at once, then composed for all micro
 *    steps.
 * 2. Instructions in the scalar code's order of operations; unit states are copied instead of multiplied.
 * 3. Monolithic matrices of subsystems without feedthrough: A + B L C. */
#include "base/lanes_template.h"

/* c += a b, or c = a b, where the rows of a lie `step` numbers apart. */
LANE_INLINE void LANE_NAME(add_columns)(int rows, int inner, int width, const int columns, bool fresh,
                                        const double *a, int step, const double *b, double *c) {
    for (int i = 0; i < rows; i++) {
        VECTOR sums[4];
        for (int q = 0; q < columns; q++) sums[q] = ALL(0.0);
        for (int q = 0; q < columns && !fresh; q++) sums[q] = GET(c, i * width + q);
        for (int k = 0; k < inner; k++) {
            const VECTOR factor = GET(a, i * step + k);
            for (int q = 0; q < columns; q++) sums[q] += factor * GET(b, k * width + q);
        }
        for (int q = 0; q < columns; q++) AT(c, i * width + q) = sums[q];
    }
}

LANE_INLINE void LANE_NAME(multiply)(int rows, int inner, int width, bool fresh, const double *a, int step,
                                     const double *b, double *c) {
    int j = 0;
    for (; j + 4 <= width; j += 4)
        LANE_NAME(add_columns)(rows, inner, width, 4, fresh, a, step, b + j * LANES, c + j * LANES);
    for (; j < width; j++)
        LANE_NAME(add_columns)(rows, inner, width, 1, fresh, a, step, b + j * LANES, c + j * LANES);
}

LANE_INLINE void LANE_NAME(clear)(int count, double *x) {
    for (int e = 0; e < count; e++) AT(x, e) = ALL(0.0);
}

/* ---- Micro steps ---- */

/* out = the steps of `first`, over which the input moves by `moved`, then those of `second`. */
LANE_INLINE void LANE_NAME(compose)(const lane_shape *s, const double *second, const double *first,
                                    VECTOR moved, double *out) {
    static const double binomials[MATRIX_POWERS][MATRIX_POWERS] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}};
    for (int e = 0; e < s->n * s->width; e++) AT(out, e) = GET(second, e) + GET(first, e);
    for (int i = 0; i < s->n; i++)
        for (int l = 1; l <= s->degree; l++) {
            VECTOR factor = ALL(1.0);
            for (int r = l - 1; r >= 0; r--) {
                factor *= moved;
                const VECTOR weight = binomials[l][r] * factor;
                int from = i * s->width + s->n + r * s->m, to = i * s->width + s->n + l * s->m;
                for (int j = 0; j < s->m; j++) AT(out, to + j) += weight * GET(second, from + j);
            }
        }
    LANE_NAME(multiply)(s->n, s->n, s->width, false, second, s->width, first, out);
}

/* One step, Phi - I and its input parts, to `step`. */
LANE_INLINE void LANE_NAME(explicit_step)(const lane_shape *s, const double *A, const double *B, VECTOR h,
                                          VECTOR ratio, double *step, double *columns, double *next) {
    const double *const numerators[MATRIX_POWERS] = {s->method->phi, s->method->p1, s->method->p2,
                                                     s->method->p3};
    int size = s->n * s->width, straight = s->n + s->m;
    for (int i = 0; i < s->n; i++) {
        double *row = columns + i * s->width * LANES;
        for (int j = 0; j < s->n; j++) AT(row, j) = h * GET(A, i * s->n + j);
        for (int j = 0; j < s->m; j++) AT(row, s->n + j) = h * GET(B, i * s->m + j);
        for (int j = straight; j < s->width; j++) AT(row, j) = ratio * GET(row, j - s->m);
    }
    LANE_NAME(clear)(size, step);
    for (int k = s->method->stages - 1; k >= 0; k--) {
        for (int i = 0; i < s->n; i++) {
            int j = 0, end = straight;
            for (int l = 0; l <= s->degree; l++, end += s->m)
                for (const double factor = numerators[l][k]; j < end; j++)
                    AT(next, i * s->width + j) = factor * GET(columns, i * s->width + j);
        }
        if (k < s->method->stages - 1)
            LANE_NAME(multiply)(s->n, s->n, s->width, false, columns, s->width, step, next);
        for (int e = 0; e < size; e++) AT(step, e) = GET(next, e);
    }
}

/* block = Phi and the input parts of `substeps` steps. */
LANE_INLINE void LANE_NAME(make_block)(const lane_shape *s, const double *A, const double *B, VECTOR length,
                                       double *block, double *room) {
    int size = s->n * s->width;
    double *step = room, *inner = step + size * LANES, *next = inner + size * LANES;
    const VECTOR h = length / (double)s->substeps, ratio = h / length;
    LANE_NAME(explicit_step)(s, A, B, h, ratio, step, inner, next);
    double steps = 1;
    bool started = false;
    for (int count = s->substeps; count > 0; count >>= 1, steps *= 2) {
        if ((count & 1) != 0) {
            if (started) LANE_NAME(compose)(s, block, step, steps * ratio, inner);
            for (int e = 0; e < size; e++) AT(block, e) = GET(started ? inner : step, e);
            started = true;
        }
        if (count == 1) break;
        LANE_NAME(compose)(s, step, step, steps * ratio, inner);
        for (int e = 0; e < size; e++) AT(step, e) = GET(inner, e);
    }
    for (int i = 0; i < s->n; i++) AT(block, i * s->width + i) += 1.0;
}

/* The blocks of explicit methods. The shape of an oscillator is known where it is compiled. */
static LANE_TARGET void LANE_NAME(blocks)(const costab_network_work *work, size_t group) {
    const lanes_room *room = work->lanes_room;
    for (int p = 0; p < work->count; p++) {
        const lane_part *part = &room->parts[p];
        const lane_shape s = shape_of(work, p);
        const lane_shape oscillator = {2, 1, 0, 3, s.substeps, s.method};
        const VECTOR length = GET(room->steps + group, 0) * (double)work->subs[p].stride;
        double *block = part->block[0] + group, *scratch = room->scratch + group;
        if (!part->explicit) continue;
        if (s.n == 2 && s.m == 1 && s.degree == 0)
            LANE_NAME(make_block)(&oscillator, part->A + group, part->B + group, length, block, scratch);
        else
            LANE_NAME(make_block)(&s, part->A + group, part->B + group, length, block, scratch);
    }
}

/* ---- Instructions ---- */

LANE_FUNCTION VECTOR LANE_NAME(factor)(const lanes_run *run, const step_instruction *at, size_t group) {
    const lanes_room *room = run->work->lanes_room;
    const VECTOR H = GET(room->steps + group, 0);
    VECTOR factor = ALL(at->weight);
    if (at->connection >= 0) factor *= GET(room->gains[at->connection] + group, 0);
    if (at->per_step > 0) factor *= H;
    if (at->per_step < 0) factor /= H;
    return factor * program_clock_factor(run->work, at);
}

LANE_FUNCTION void LANE_NAME(add)(const lanes_run *run, const step_instruction *at, size_t group) {
    double *to = lanes_row(run, at->to) + group;
    int count = at->rows * run->width;
    const VECTOR factor = LANE_NAME(factor)(run, at, group);
    if (is_unit(run, at->from)) {
        if (at->fresh) LANE_NAME(clear)(count, to);
        for (int i = 0; i < at->rows; i++) AT(to, i * run->width + at->from.row + i) += factor;
        return;
    }
    const double *from = lanes_row(run, at->from) + group;
    if (at->fresh)
        for (int e = 0; e < count; e++) AT(to, e) = factor * GET(from, e);
    else
        for (int e = 0; e < count; e++) AT(to, e) += factor * GET(from, e);
}

LANE_FUNCTION void LANE_NAME(copy)(const lanes_run *run, const step_instruction *at, size_t group) {
    double *to = lanes_row(run, at->to) + group;
    int count = at->rows * run->width;
    if (is_unit(run, at->from)) {
        LANE_NAME(clear)(count, to);
        for (int i = 0; i < at->rows; i++) AT(to, i * run->width + at->from.row + i) = ALL(1.0);
        return;
    }
    const double *from = lanes_row(run, at->from) + group;
    for (int e = 0; e < count; e++) AT(to, e) = GET(from, e);
}

LANE_FUNCTION void LANE_NAME(product)(const lanes_run *run, const step_instruction *at, size_t group) {
    double *to = lanes_row(run, at->to) + group;
    int step, width = run->width;
    const double *matrix = lanes_matrix(run->work, at, &step) + group;
    if (is_unit(run, at->from)) {
        if (at->fresh) LANE_NAME(clear)(at->rows * width, to);
        for (int i = 0; i < at->rows; i++)
            for (int k = 0; k < at->columns; k++)
                AT(to, i * width + at->from.row + k) += GET(matrix, i * step + k);
        return;
    }
    LANE_NAME(multiply)
    (at->rows, at->columns, width, at->fresh, matrix, step, lanes_row(run, at->from) + group, to);
}

/* Instructions `first` to `last` - 1. */
static LANE_TARGET void LANE_NAME(run)(const lanes_run *run, int first, int last, size_t group) {
    const step_instruction *code = run->work->program->code;
    for (int i = first; i < last; i++) {
        const step_instruction *at = &code[i];
        if (at->kind == STEP_CALL || at->kind == STEP_GAIN) continue;
        bool zero = run->state == LANES_ZERO && at->from.bank == BANK_STATE;
        if (at->kind == STEP_SOLVE) {
            for (size_t l = group; l < group + LANE_WIDTH; l++) lanes_solve_begin(run, at, l);
        } else if (at->kind == STEP_CLEAR || (zero && (at->fresh || at->kind == STEP_COPY))) {
            LANE_NAME(clear)(at->rows * run->width, lanes_row(run, at->to) + group);
        } else if (zero) {
            continue;
        } else if (at->kind == STEP_COPY) {
            LANE_NAME(copy)(run, at, group);
        } else if (at->kind == STEP_ADD) {
            LANE_NAME(add)(run, at, group);
        } else {
            LANE_NAME(product)(run, at, group);
        }
    }
}

/* ---- The monolithic system ---- */

/* A + B L C, as monolithic_make has it where nothing feeds through. */
static LANE_TARGET void LANE_NAME(mono)(const costab_network_work *work, double *to, size_t group) {
    const lanes_room *room = work->lanes_room;
    const costab_network *network = work->network;
    int n = work->states;
    double *inputs = room->inputs + group, *monos = to + group;
    LANE_NAME(clear)(work->inputs * n, inputs);
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *connection = &network->connections[c];
        const network_subsystem *from = &work->subs[connection->from];
        const double *C = room->parts[connection->from].C + group + connection->output * from->n * LANES;
        const VECTOR gain = GET(room->gains[c] + group, 0);
        double *row = inputs + ((work->subs[connection->to].u + connection->input) * n + from->x) * LANES;
        for (int j = 0; j < from->n; j++) AT(row, j) += gain * GET(C, j);
    }
    LANE_NAME(clear)(n * n, monos);
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        const lane_part *part = &room->parts[s];
        double *rows = monos + sub->x * n * LANES;
        for (int i = 0; i < sub->n; i++)
            for (int j = 0; j < sub->n; j++)
                AT(rows, i * n + sub->x + j) = GET(part->A + group, i * sub->n + j);
        LANE_NAME(multiply)
        (sub->n, sub->m, n, false, part->B + group, sub->m, inputs + sub->u * n * LANES, rows);
    }
}

#include "base/lanes_end.h"
