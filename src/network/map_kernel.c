/* SIMD kernels of sweeps: maps of several points at once. The type `lane` is a vector with one number per
 * point. The file is compiled once for each width W of vectors, and lanes_map.c selects the widest that is
 * supported.
 *
 * 1. Blocks: the steps of a subsystem during a macro step by an explicit method, [Phi, input parts]
 * (lanes_map.h). Horner's scheme in Z = hA computes [Phi - I, input parts] of a micro step, then micro steps
 * are composed.
 * 2. Instructions of a macro step (program.h), in the scalar code's order of operations. Unit states are
 * copied instead of multiplied.
 * 3. Monolithic matrices of networks without feedthrough: A + B L C.
 *
 * Cost: that of the scalar code divided by W. */
#include "base/lane.h"
#include "network/lanes_map.h"

LANE_INLINE void clear(int count, lane *x) {
    for (int e = 0; e < count; e++) x[e] = (lane){0};
}

/* Adds a b to `columns` columns of c; consecutive rows of a are `step` entries apart. */
LANE_INLINE void add_columns(int rows, int inner, int width, const int columns, const lane *a, int step,
                             const lane *b, lane *c) {
    for (int i = 0; i < rows; i++) {
        lane sums[4];
        for (int q = 0; q < columns; q++) sums[q] = c[i * width + q];
        for (int k = 0; k < inner; k++) {
            const lane factor = a[i * step + k];
            for (int q = 0; q < columns; q++) sums[q] += factor * b[k * width + q];
        }
        for (int q = 0; q < columns; q++) c[i * width + q] = sums[q];
    }
}

/* c += a b, or c = a b if `fresh`. */
LANE_INLINE void multiply(int rows, int inner, int width, bool fresh, const lane *a, int step, const lane *b,
                          lane *c) {
    int j = 0;
    if (fresh) clear(rows * width, c);
    for (; j + 4 <= width; j += 4) add_columns(rows, inner, width, 4, a, step, b + j, c + j);
    for (; j < width; j++) add_columns(rows, inner, width, 1, a, step, b + j, c + j);
}

/* ---- Micro steps ---- */

/* out = the steps of `second` after those of `first`. moved: duration of `first`, as a part of the block. */
LANE_INLINE void compose(const lane_shape *s, const lane *second, const lane *first, lane moved, lane *out) {
    static const double binomials[MATRIX_POWERS][MATRIX_POWERS] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}};
    for (int e = 0; e < s->n * s->width; e++) out[e] = second[e] + first[e];
    for (int i = 0; i < s->n; i++)
        for (int l = 1; l <= s->degree; l++) {
            lane factor = lane_all(1.0);
            for (int r = l - 1; r >= 0; r--) {
                factor *= moved;
                const lane weight = binomials[l][r] * factor;
                int from = i * s->width + s->n + r * s->m, to = i * s->width + s->n + l * s->m;
                for (int j = 0; j < s->m; j++) out[to + j] += weight * second[from + j];
            }
        }
    multiply(s->n, s->n, s->width, false, second, s->width, first, out);
}

/* Computes one micro step, Phi - I and its input parts. [out] step. */
LANE_INLINE void explicit_step(const lane_shape *s, const lane *A, const lane *B, lane h, lane ratio,
                               lane *step, lane *columns, lane *next) {
    const double *const numerators[MATRIX_POWERS] = {s->method->phi, s->method->p1, s->method->p2,
                                                     s->method->p3};
    int size = s->n * s->width, straight = s->n + s->m;
    for (int i = 0; i < s->n; i++) {
        lane *row = columns + i * s->width;
        for (int j = 0; j < s->n; j++) row[j] = h * A[i * s->n + j];
        for (int j = 0; j < s->m; j++) row[s->n + j] = h * B[i * s->m + j];
        for (int j = straight; j < s->width; j++) row[j] = ratio * row[j - s->m];
    }
    clear(size, step);
    for (int k = s->method->stages - 1; k >= 0; k--) {
        for (int i = 0; i < s->n; i++) {
            int j = 0, end = straight;
            for (int l = 0; l <= s->degree; l++, end += s->m)
                for (const double factor = numerators[l][k]; j < end; j++)
                    next[i * s->width + j] = factor * columns[i * s->width + j];
        }
        if (k < s->method->stages - 1) multiply(s->n, s->n, s->width, false, columns, s->width, step, next);
        for (int e = 0; e < size; e++) step[e] = next[e];
    }
}

/* Computes Phi and the input parts of `substeps` micro steps. [out] block. */
LANE_INLINE void make_block(const lane_shape *s, const lane *A, const lane *B, lane length, lane *block,
                            lane *space) {
    int size = s->n * s->width;
    lane *step = space, *inner = step + size, *next = inner + size;
    const lane h = length / (double)s->substeps, ratio = h / length;
    explicit_step(s, A, B, h, ratio, step, inner, next);
    double steps = 1;
    bool started = false;
    for (int count = s->substeps; count > 0; count >>= 1, steps *= 2) {
        if ((count & 1) != 0) {
            if (started) compose(s, block, step, steps * ratio, inner);
            for (int e = 0; e < size; e++) block[e] = (started ? inner : step)[e];
            started = true;
        }
        if (count == 1) break;
        compose(s, step, step, steps * ratio, inner);
        for (int e = 0; e < size; e++) step[e] = inner[e];
    }
    for (int i = 0; i < s->n; i++) block[i * s->width + i] += 1.0;
}

/* Computes the blocks of explicit methods. The compiler unrolls the loops for the constant sizes of the most
 * frequent subsystem, an oscillator with 2 states and 1 input, which is constant or a straight line. */
static void make_blocks(const costab_network_work *work) {
    const lanes_space *space = work->lanes_space;
    lane *scratch = lane_in(space->scratch);
    for (int p = 0; p < work->count; p++) {
        const lane_part *part = &space->parts[p];
        if (!part->explicit) continue;
        const lane_shape s = lane_shape_of(work, p);
        const lane length = *lane_of(space->steps) * (double)work->subs[p].stride,
                   *A = lane_of(space->matrices[p].A), *B = lane_of(space->matrices[p].B);
        lane *block = lane_in(part->block[0]);
        bool oscillator = s.n == 2 && s.m == 1;
        if (oscillator && s.degree == 0)
            make_block(&(lane_shape){2, 1, 0, 3, s.substeps, s.method}, A, B, length, block, scratch);
        else if (oscillator && s.degree == 1)
            make_block(&(lane_shape){2, 1, 1, 4, s.substeps, s.method}, A, B, length, block, scratch);
        else
            make_block(&s, A, B, length, block, scratch);
    }
}

/* ---- Instructions ---- */

static inline lane *rows_at(const lanes_run *run, step_row row) {
    return lane_in(run->work->lanes_space->banks[row.bank]) + row.row * run->width;
}

/* Returns true for a row of the unit states, which are not stored. */
static inline bool is_unit(const lanes_run *run, step_row row) {
    return row.bank == BANK_STATE && run->state == LANES_UNIT;
}

/* First used entry of an instruction's matrix. [out] *step: entries from row to row. */
static const lane *matrix_of(const costab_network_work *work, const step_instruction *at, int *step) {
    const network_subsystem *sub = &work->subs[at->subsystem];
    const lane_part *part = &work->lanes_space->parts[at->subsystem];
    const network_matrices *of = &work->lanes_space->matrices[at->subsystem];
    const double *const plain[] = {[STEP_A] = of->A, [STEP_B] = of->B, [STEP_C] = of->C, [STEP_D] = of->D};
    *step = at->columns;
    if (at->matrix < STEP_PHI) return lane_of(plain[at->matrix]);
    int rows = sub->n + sub->extra, first = at->matrix == STEP_PHI ? at->column : rows + at->power * sub->m;
    *step = rows + (work->degree + 1) * sub->m;
    return lane_of(part->block[sub->block == &sub->blocks[1]]) + first;
}

static inline lane factor_of(const lanes_run *run, const step_instruction *at) {
    const lanes_space *space = run->work->lanes_space;
    const lane H = *lane_of(space->steps);
    lane factor = lane_all(at->weight);
    if (at->connection >= 0) factor *= *lane_of(space->gains[at->connection]);
    if (at->per_step > 0) factor *= H;
    if (at->per_step < 0) factor /= H;
    return factor * program_clock_factor(run->work, at);
}

static inline void add(const lanes_run *run, const step_instruction *at) {
    lane *to = rows_at(run, at->to);
    int count = at->rows * run->width;
    const lane factor = factor_of(run, at);
    if (is_unit(run, at->from)) {
        if (at->fresh) clear(count, to);
        for (int i = 0; i < at->rows; i++) to[i * run->width + at->from.row + i] += factor;
        return;
    }
    const lane *from = rows_at(run, at->from);
    if (at->fresh)
        for (int e = 0; e < count; e++) to[e] = factor * from[e];
    else
        for (int e = 0; e < count; e++) to[e] += factor * from[e];
}

static inline void copy(const lanes_run *run, const step_instruction *at) {
    lane *to = rows_at(run, at->to);
    int count = at->rows * run->width;
    if (is_unit(run, at->from)) {
        clear(count, to);
        for (int i = 0; i < at->rows; i++) to[i * run->width + at->from.row + i] = lane_all(1);
        return;
    }
    const lane *from = rows_at(run, at->from);
    for (int e = 0; e < count; e++) to[e] = from[e];
}

static inline void add_product(const lanes_run *run, const step_instruction *at) {
    lane *to = rows_at(run, at->to);
    int step, width = run->width;
    const lane *matrix = matrix_of(run->work, at, &step);
    if (is_unit(run, at->from)) {
        if (at->fresh) clear(at->rows * width, to);
        for (int i = 0; i < at->rows; i++)
            for (int k = 0; k < at->columns; k++) to[i * width + at->from.row + k] += matrix[i * step + k];
        return;
    }
    multiply(at->rows, at->columns, width, at->fresh, matrix, step, rows_at(run, at->from), to);
}

static void run_instructions(const lanes_run *run, int first, int last) {
    const step_instruction *code = run->work->program->code;
    for (int i = first; i < last; i++) {
        const step_instruction *at = &code[i];
        if (at->kind == STEP_CALL || at->kind == STEP_GAIN) continue;
        bool zero = run->state == LANES_ZERO && at->from.bank == BANK_STATE;
        if (at->kind == STEP_SOLVE) {
            lanes_solve_begin(run, (double *)rows_at(run, at->to));
        } else if (at->kind == STEP_CLEAR || (zero && (at->fresh || at->kind == STEP_COPY))) {
            clear(at->rows * run->width, rows_at(run, at->to));
        } else if (zero) {
            continue;
        } else if (at->kind == STEP_COPY) {
            copy(run, at);
        } else if (at->kind == STEP_ADD) {
            add(run, at);
        } else {
            add_product(run, at);
        }
    }
}

/* ---- The monolithic system ---- */

/* A + B L C, as in monolithic_make without feedthrough. */
static void make_mono(const costab_network_work *work, double *monos) {
    const lanes_space *space = work->lanes_space;
    const costab_network *network = work->network;
    int n = work->states;
    lane *inputs = lane_in(space->inputs), *to = lane_in(monos);
    clear(work->inputs * n, inputs);
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *connection = &network->connections[c];
        const network_subsystem *from = &work->subs[connection->from];
        const lane *C = lane_of(space->matrices[connection->from].C) + connection->output * from->n;
        const lane gain = *lane_of(space->gains[c]);
        lane *row = inputs + (work->subs[connection->to].u + connection->input) * n + from->x;
        for (int j = 0; j < from->n; j++) row[j] += gain * C[j];
    }
    clear(n * n, to);
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        const lane *A = lane_of(space->matrices[s].A), *B = lane_of(space->matrices[s].B);
        lane *rows = to + sub->x * n;
        for (int i = 0; i < sub->n; i++)
            for (int j = 0; j < sub->n; j++) rows[i * n + sub->x + j] = A[i * sub->n + j];
        multiply(sub->n, sub->m, n, false, B, sub->m, inputs + sub->u * n, rows);
    }
}

const map_kernels OF_WIDTH(map_kernels) = {
    .width = W, .blocks = make_blocks, .run = run_instructions, .mono = make_mono};
