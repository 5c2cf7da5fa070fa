/* Interpolation at products of Chebyshev points, and sets of sub-cells of the square [-1, 1]^2
 * (docs/algorithms.md, Certified charts).
 *
 * 1. Coefficients by the transforms of both directions. The error is taken as eight times the sum of the last
 *    quarter of the coefficients' sizes along either direction.
 * 2. A sub-cell is cut into pieces. |f| > error on a piece with half widths h_x, h_y where |f| - h_x |f_x| -
 *    h_y |f_y| at its middle, less a bound of second order, exceeds the error. It is tried for groups of 4 x
 *    4 pieces first.
 * 3. Sets of sub-cells are rows of bits. Connected components grow by shifts of rows; a set is taken apart
 *    into rectangles row by row.
 *
 * Cost: n m (n + m) for the coefficients of degrees n, m; n m for a row of pieces. Not guaranteed: the error
 * is an estimate. */
#include "proof/chebyshev_2d.h"

#include <math.h>
#include <string.h>

#include "proof/chebyshev.h"

/* Step 1. */
#define TAIL_FACTOR 8.0

/* ---- Interpolation ---- */

/* The matrix that takes values to coefficients (chebyshev_coefficients). */
static void make_transform(int n, double *transform) {
    for (int m = 0; m <= n; m++)
        for (int j = 0; j <= n; j++) {
            double weight = (j == 0 || j == n ? 0.5 : 1) * (m == 0 || m == n ? 0.5 : 1);
            transform[m * (n + 1) + j] = 2.0 / n * weight * chebyshev_cosine(n, m * (n - j) % (2 * n));
        }
}

void chebyshev_2d_table_make(chebyshev_2d_table *table) {
    for (int k = 0; k < CHEBYSHEV_2D_DEGREES; k++) {
        chebyshev_points(chebyshev_2d_degree(k), table->points[k]);
        make_transform(chebyshev_2d_degree(k), table->transform[k]);
    }
}

void chebyshev_2d_interpolate(const chebyshev_2d_table *table, const int k[2], const double *values,
                              chebyshev_2d_function *f) {
    int rows = f->side[0] = chebyshev_2d_degree(k[0]) + 1,
        columns = f->side[1] = chebyshev_2d_degree(k[1]) + 1;
    int last[2];
    double half[CHEBYSHEV_2D_NODES] = {0};
    memset(f->coefficients, 0, (size_t)(rows * columns) * sizeof *f->coefficients);
    for (int a = 0; a < rows; a++)
        for (int l = 0; l < columns; l++)
            for (int j = 0; j < columns; j++)
                half[a * columns + l] += values[a * columns + j] * table->transform[k[1]][l * columns + j];
    for (int m = 0; m < rows; m++)
        for (int a = 0; a < rows; a++)
            for (int l = 0; l < columns; l++)
                f->coefficients[m * columns + l] +=
                    table->transform[k[0]][m * rows + a] * half[a * columns + l];
    for (int d = 0; d < 2; d++) {
        int degree = f->side[d] - 1;
        last[d] = degree - (degree / 4 > 1 ? degree / 4 : 1);
        f->tails[d] = 0;
    }
    for (int m = 0; m < rows; m++)
        for (int l = 0; l < columns; l++) {
            double size = fabs(f->coefficients[m * columns + l]);
            if (m > last[0]) f->tails[0] += size;
            if (l > last[1]) f->tails[1] += size;
        }
    f->error = TAIL_FACTOR * (f->tails[0] + f->tails[1]);
}

/* ---- Sub-cells ---- */

/* An interval with T_k and T_k' at its middle, by recurrence. */
static void make_interval(double from, double to, chebyshev_2d_interval *s) {
    double x = s->middle = (from + to) / 2, before = 1, now = x, slope_before = 0, slope = 1;
    s->half = fmax(to - x, x - from);
    s->value[0] = 1;
    s->slope[0] = 0;
    for (int k = 1; k <= CHEBYSHEV_2D_MOST; k++) {
        s->value[k] = now;
        s->slope[k] = slope;
        double next = 2 * x * now - before, slope_next = 2 * now + 2 * x * slope - slope_before;
        before = now, now = next, slope_before = slope, slope = slope_next;
    }
}

void chebyshev_2d_grid_make(const int count[2], const double *const edges[2], chebyshev_2d_grid *grid) {
    for (int d = 0; d < 2; d++) {
        double cuts[CHEBYSHEV_2D_CELLS + 1];
        int parts = grid->parts[d] = CHEBYSHEV_2D_CELLS / count[d], pieces = count[d] * parts;
        grid->count[d] = count[d];
        for (int i = 0; i < pieces; i++) {
            double from = edges[d][i / parts], to = edges[d][i / parts + 1];
            cuts[i] = from + (to - from) * (i % parts) / parts;
        }
        cuts[pieces] = edges[d][count[d]];
        for (int i = 0; i < count[d]; i++) make_interval(edges[d][i], edges[d][i + 1], &grid->cells[d][i]);
        for (int i = 0; i < pieces; i++) make_interval(cuts[i], cuts[i + 1], &grid->pieces[d][i]);
        for (int i = 0; i < pieces; i += CHEBYSHEV_2D_GROUP) {
            int end = i + CHEBYSHEV_2D_GROUP < pieces ? i + CHEBYSHEV_2D_GROUP : pieces;
            make_interval(cuts[i], cuts[end], &grid->groups[d][i / CHEBYSHEV_2D_GROUP]);
        }
    }
}

int chebyshev_2d_grid_at(const chebyshev_2d_grid *grid, int d, double x) {
    int i = 0;
    while (i + 1 < grid->count[d] && x > grid->cells[d][i].middle + grid->cells[d][i].half) i++;
    return i;
}

/* ---- Zeros ---- */

/* Bounds of |f_xx|, |f_xy|, |f_yy|. */
typedef struct bends {
    double along[3];
} bends;

/* By |T_k''| <= k^2 (k^2 - 1)/3 and |T_k'| <= k^2 (Markov). */
static bends bound_bends(const chebyshev_2d_function *f) {
    bends b = {{0}};
    for (int m = 0; m < f->side[0]; m++)
        for (int l = 0; l < f->side[1]; l++) {
            double m2 = m * m, l2 = l * l, size = fabs(f->coefficients[m * f->side[1] + l]);
            b.along[0] += size * m2 * (m2 - 1) / 3;
            b.along[1] += size * m2 * l2;
            b.along[2] += size * l2 * (l2 - 1) / 3;
        }
    return b;
}

/* f and f_x at the middle x of an interval of the first direction: Chebyshev series in y. */
typedef struct chebyshev_2d_series {
    double value[CHEBYSHEV_2D_SIDE], slope[CHEBYSHEV_2D_SIDE], half;
} chebyshev_2d_series;

static void take_row(const chebyshev_2d_function *f, const chebyshev_2d_interval *at,
                     chebyshev_2d_series *series) {
    *series = (chebyshev_2d_series){.half = at->half};
    for (int m = 0; m < f->side[0]; m++)
        for (int l = 0; l < f->side[1]; l++) {
            series->value[l] += at->value[m] * f->coefficients[m * f->side[1] + l];
            series->slope[l] += at->slope[m] * f->coefficients[m * f->side[1] + l];
        }
}

/* Step 2 for one rectangle: |f| > error throughout? */
static bool is_clear(const chebyshev_2d_function *f, const bends *b, const chebyshev_2d_series *series,
                     const chebyshev_2d_interval *at, double error) {
    double p = 0, px = 0, py = 0, hx = series->half, hy = at->half;
    for (int l = 0; l < f->side[1]; l++) {
        p += series->value[l] * at->value[l];
        px += series->slope[l] * at->value[l];
        py += series->value[l] * at->slope[l];
    }
    double bent = hx * hx * b->along[0] / 2 + hx * hy * b->along[1] + hy * hy * b->along[2] / 2;
    return fabs(p) - hx * fabs(px) - hy * fabs(py) - bent > error;
}

void chebyshev_2d_clear(const chebyshev_2d_grid *grid, const chebyshev_2d_function *f, double error,
                        chebyshev_2d_mask *clear) {
    const uint64_t group = ((uint64_t)1 << CHEBYSHEV_2D_GROUP) - 1;
    const int rows = grid->count[0] * grid->parts[0], columns = grid->count[1] * grid->parts[1];
    bends b = bound_bends(f);
    chebyshev_2d_series series;
    for (int i = 0; i < rows; i += CHEBYSHEV_2D_GROUP) {
        uint64_t open = 0; /* bits: pieces along the second direction whose group is not clear */
        take_row(f, &grid->groups[0][i / CHEBYSHEV_2D_GROUP], &series);
        for (int j = 0; j < columns; j += CHEBYSHEV_2D_GROUP)
            if (!is_clear(f, &b, &series, &grid->groups[1][j / CHEBYSHEV_2D_GROUP], error))
                open |= group << j;
        for (int a = i; a < i + CHEBYSHEV_2D_GROUP && a < rows && open != 0; a++) {
            uint64_t *row = &clear->rows[a / grid->parts[0]];
            take_row(f, &grid->pieces[0][a], &series);
            for (int j = 0; j < columns; j++)
                if ((open >> j & 1) != 0 && (*row >> j / grid->parts[1] & 1) != 0 &&
                    !is_clear(f, &b, &series, &grid->pieces[1][j], error))
                    *row &= ~((uint64_t)1 << j / grid->parts[1]);
        }
    }
}

/* ---- Masks ---- */

/* Row i with all of the grid's sub-cells. */
static uint64_t whole_row(const chebyshev_2d_grid *grid, int i) {
    return i >= grid->count[0] ? 0 : ~(uint64_t)0 >> (CHEBYSHEV_2D_CELLS - grid->count[1]);
}

void chebyshev_2d_mask_fill(const chebyshev_2d_grid *grid, chebyshev_2d_mask *mask) {
    for (int i = 0; i < CHEBYSHEV_2D_CELLS; i++) mask->rows[i] = whole_row(grid, i);
}

void chebyshev_2d_mask_invert(const chebyshev_2d_grid *grid, const chebyshev_2d_mask *mask,
                              chebyshev_2d_mask *inverted) {
    for (int i = 0; i < CHEBYSHEV_2D_CELLS; i++) inverted->rows[i] = whole_row(grid, i) & ~mask->rows[i];
}

bool chebyshev_2d_mask_full(const chebyshev_2d_grid *grid, const chebyshev_2d_mask *mask) {
    for (int i = 0; i < grid->count[0]; i++)
        if (mask->rows[i] != whole_row(grid, i)) return false;
    return true;
}

void chebyshev_2d_mask_meet(const chebyshev_2d_mask *a, const chebyshev_2d_mask *b, chebyshev_2d_mask *both) {
    for (int i = 0; i < CHEBYSHEV_2D_CELLS; i++) both->rows[i] = a->rows[i] & b->rows[i];
}

/* The first sub-cell of a mask; false: it is empty. */
static bool first_cell(const chebyshev_2d_mask *mask, int cell[2]) {
    for (cell[0] = 0; cell[0] < CHEBYSHEV_2D_CELLS; cell[0]++) {
        if (mask->rows[cell[0]] == 0) continue;
        for (cell[1] = 0; !chebyshev_2d_mask_has(mask, cell[0], cell[1]);) cell[1]++;
        return true;
    }
    return false;
}

/* What is connected, within a row of the mask, to bits of `row`, or of the row `beside` it. */
static uint64_t grow_row(uint64_t mask, uint64_t row, uint64_t beside) {
    uint64_t next = (row | beside) & mask;
    do {
        row = next;
        next = (row | row << 1 | row >> 1) & mask;
    } while (next != row);
    return row;
}

bool chebyshev_2d_mask_component(chebyshev_2d_mask *mask, chebyshev_2d_mask *component, int seed[2]) {
    *component = (chebyshev_2d_mask){{0}};
    if (!first_cell(mask, seed)) return false;
    component->rows[seed[0]] = (uint64_t)1 << seed[1];
    for (bool grew = true; grew;) {
        grew = false;
        for (int way = 0; way < 2; way++) /* down, then up again */
            for (int n = 0; n < CHEBYSHEV_2D_CELLS; n++) {
                int i = way == 0 ? n : CHEBYSHEV_2D_CELLS - 1 - n;
                uint64_t beside = (i > 0 ? component->rows[i - 1] : 0) |
                                  (i + 1 < CHEBYSHEV_2D_CELLS ? component->rows[i + 1] : 0);
                uint64_t row = grow_row(mask->rows[i], component->rows[i], beside);
                grew = grew || row != component->rows[i];
                component->rows[i] = row;
            }
    }
    int count = 0;
    for (int i = 0; i < CHEBYSHEV_2D_CELLS; i++)
        for (uint64_t rest = component->rows[i]; rest != 0; rest &= rest - 1) count++;
    int left = count / 2;
    for (int i = 0; i < CHEBYSHEV_2D_CELLS; i++) {
        mask->rows[i] &= ~component->rows[i];
        for (int j = 0; j < CHEBYSHEV_2D_CELLS && left >= 0; j++)
            if (chebyshev_2d_mask_has(component, i, j) && left-- == 0) seed[0] = i, seed[1] = j;
    }
    return true;
}

bool chebyshev_2d_mask_rectangle(chebyshev_2d_mask *mask, chebyshev_2d_rectangle *run) {
    int cell[2];
    if (!first_cell(mask, cell)) return false;
    int end = cell[1];
    uint64_t row = 0;
    while (end < CHEBYSHEV_2D_CELLS && chebyshev_2d_mask_has(mask, cell[0], end)) row |= (uint64_t)1 << end++;
    *run = (chebyshev_2d_rectangle){.from = {cell[0], cell[1]}, .to = {cell[0], end}};
    while (run->to[0] < CHEBYSHEV_2D_CELLS && (mask->rows[run->to[0]] & row) == row)
        mask->rows[run->to[0]++] &= ~row;
    return true;
}

void chebyshev_2d_mask_bounds(const chebyshev_2d_mask *mask, chebyshev_2d_rectangle *run) {
    *run = (chebyshev_2d_rectangle){.from = {CHEBYSHEV_2D_CELLS, CHEBYSHEV_2D_CELLS}, .to = {0, 0}};
    for (int i = 0; i < CHEBYSHEV_2D_CELLS; i++)
        for (int j = 0; j < CHEBYSHEV_2D_CELLS; j++) {
            if (!chebyshev_2d_mask_has(mask, i, j)) continue;
            const int at[2] = {i, j};
            for (int d = 0; d < 2; d++) {
                if (at[d] < run->from[d]) run->from[d] = at[d];
                if (at[d] >= run->to[d]) run->to[d] = at[d] + 1;
            }
        }
}
