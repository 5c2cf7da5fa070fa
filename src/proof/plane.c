#include "proof/plane.h"

#include <math.h>
#include <string.h>

#define PI          3.14159265358979323846
#define TAIL_FACTOR 8.0

/* ---- Interpolation ---- */

void plane_table_make(plane_table *table) {
    for (int k = 0; k < PLANE_DEGREES; k++) {
        int degree = plane_degree(k);
        for (int j = 0; j <= degree; j++) table->points[k][j] = -cos(PI * j / degree);
        table->points[k][degree / 2] = 0;
        for (int l = 0; l <= degree; l++)
            for (int j = 0; j <= degree; j++) {
                double weight = (j == 0 || j == degree ? 0.5 : 1) * (l == 0 || l == degree ? 1 : 2) / degree;
                table->transform[k][l * (degree + 1) + j] = weight * cos(PI * l * (degree - j) / degree);
            }
    }
}

void plane_interpolate(const plane_table *table, const int k[2], const double *values, plane_function *f) {
    int rows = f->side[0] = plane_degree(k[0]) + 1, columns = f->side[1] = plane_degree(k[1]) + 1;
    int last[2];
    double half[PLANE_NODES] = {0};
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

/* T_k and T_k' by recurrence. */
static void make_stretch(double from, double to, plane_stretch *s) {
    double x = s->middle = (from + to) / 2, before = 1, now = x, slope_before = 0, slope = 1;
    s->half = fmax(to - x, x - from);
    s->value[0] = 1;
    s->slope[0] = 0;
    for (int k = 1; k <= PLANE_MOST; k++) {
        s->value[k] = now;
        s->slope[k] = slope;
        double next = 2 * x * now - before, slope_next = 2 * now + 2 * x * slope - slope_before;
        before = now, now = next, slope_before = slope, slope = slope_next;
    }
}

void plane_grid_make(const int count[2], const double *const edges[2], plane_grid *grid) {
    for (int d = 0; d < 2; d++) {
        double cuts[PLANE_CELLS + 1];
        int parts = grid->parts[d] = PLANE_CELLS / count[d], pieces = count[d] * parts;
        grid->count[d] = count[d];
        for (int i = 0; i < pieces; i++) {
            double from = edges[d][i / parts], to = edges[d][i / parts + 1];
            cuts[i] = from + (to - from) * (i % parts) / parts;
        }
        cuts[pieces] = edges[d][count[d]];
        for (int i = 0; i < count[d]; i++) make_stretch(edges[d][i], edges[d][i + 1], &grid->cells[d][i]);
        for (int i = 0; i < pieces; i++) make_stretch(cuts[i], cuts[i + 1], &grid->pieces[d][i]);
        for (int i = 0; i < pieces; i += PLANE_GROUP) {
            int end = i + PLANE_GROUP < pieces ? i + PLANE_GROUP : pieces;
            make_stretch(cuts[i], cuts[end], &grid->groups[d][i / PLANE_GROUP]);
        }
    }
}

int plane_grid_at(const plane_grid *grid, int d, double x) {
    int i = 0;
    while (i + 1 < grid->count[d] && x > grid->cells[d][i].middle + grid->cells[d][i].half) i++;
    return i;
}

/* ---- Zeros ---- */

/* Bounds of second derivatives: along the first direction, both, the second. */
typedef struct bends {
    double along[3];
} bends;

/* |T_k''| <= k^2 (k^2 - 1)/3 and |T_k'| <= k^2. */
static bends bound_bends(const plane_function *f) {
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

/* f and its slope along the first direction at the middle of a stretch of it: series in the second. */
typedef struct plane_series {
    double value[PLANE_SIDE], slope[PLANE_SIDE], half;
} plane_series;

static void take_row(const plane_function *f, const plane_stretch *at, plane_series *series) {
    *series = (plane_series){.half = at->half};
    for (int m = 0; m < f->side[0]; m++)
        for (int l = 0; l < f->side[1]; l++) {
            series->value[l] += at->value[m] * f->coefficients[m * f->side[1] + l];
            series->slope[l] += at->slope[m] * f->coefficients[m * f->side[1] + l];
        }
}

/* |f| > error throughout a sub-cell? */
static bool is_clear(const plane_function *f, const bends *b, const plane_series *series,
                     const plane_stretch *at, double error) {
    double p = 0, px = 0, py = 0, hx = series->half, hy = at->half;
    for (int l = 0; l < f->side[1]; l++) {
        p += series->value[l] * at->value[l];
        px += series->slope[l] * at->value[l];
        py += series->value[l] * at->slope[l];
    }
    double bent = hx * hx * b->along[0] / 2 + hx * hy * b->along[1] + hy * hy * b->along[2] / 2;
    return fabs(p) - hx * fabs(px) - hy * fabs(py) - bent > error;
}

void plane_clear(const plane_grid *grid, const plane_function *f, double error, plane_mask *clear) {
    const uint64_t group = ((uint64_t)1 << PLANE_GROUP) - 1;
    const int rows = grid->count[0] * grid->parts[0], columns = grid->count[1] * grid->parts[1];
    bends b = bound_bends(f);
    plane_series series;
    for (int i = 0; i < rows; i += PLANE_GROUP) {
        uint64_t open = 0; /* along the second direction: the groups that are not clear */
        take_row(f, &grid->groups[0][i / PLANE_GROUP], &series);
        for (int j = 0; j < columns; j += PLANE_GROUP)
            if (!is_clear(f, &b, &series, &grid->groups[1][j / PLANE_GROUP], error)) open |= group << j;
        for (int a = i; a < i + PLANE_GROUP && a < rows && open != 0; a++) {
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

static uint64_t whole_row(const plane_grid *grid, int i) {
    return i >= grid->count[0] ? 0 : ~(uint64_t)0 >> (PLANE_CELLS - grid->count[1]);
}

void plane_mask_fill(const plane_grid *grid, plane_mask *mask) {
    for (int i = 0; i < PLANE_CELLS; i++) mask->rows[i] = whole_row(grid, i);
}

void plane_mask_invert(const plane_grid *grid, const plane_mask *mask, plane_mask *inverted) {
    for (int i = 0; i < PLANE_CELLS; i++) inverted->rows[i] = whole_row(grid, i) & ~mask->rows[i];
}

bool plane_mask_full(const plane_grid *grid, const plane_mask *mask) {
    for (int i = 0; i < grid->count[0]; i++)
        if (mask->rows[i] != whole_row(grid, i)) return false;
    return true;
}

void plane_mask_meet(const plane_mask *a, const plane_mask *b, plane_mask *both) {
    for (int i = 0; i < PLANE_CELLS; i++) both->rows[i] = a->rows[i] & b->rows[i];
}

static bool first_cell(const plane_mask *mask, int cell[2]) {
    for (cell[0] = 0; cell[0] < PLANE_CELLS; cell[0]++) {
        if (mask->rows[cell[0]] == 0) continue;
        for (cell[1] = 0; !plane_mask_has(mask, cell[0], cell[1]);) cell[1]++;
        return true;
    }
    return false;
}

/* Grows a row within the mask: from its own cells, and those of a row beside it. */
static uint64_t grow_row(uint64_t mask, uint64_t row, uint64_t beside) {
    uint64_t next = (row | beside) & mask;
    do {
        row = next;
        next = (row | row << 1 | row >> 1) & mask;
    } while (next != row);
    return row;
}

bool plane_mask_component(plane_mask *mask, plane_mask *component, int seed[2]) {
    *component = (plane_mask){{0}};
    if (!first_cell(mask, seed)) return false;
    component->rows[seed[0]] = (uint64_t)1 << seed[1];
    for (bool grew = true; grew;) {
        grew = false;
        for (int way = 0; way < 2; way++) /* down, then up again */
            for (int n = 0; n < PLANE_CELLS; n++) {
                int i = way == 0 ? n : PLANE_CELLS - 1 - n;
                uint64_t beside =
                    (i > 0 ? component->rows[i - 1] : 0) | (i + 1 < PLANE_CELLS ? component->rows[i + 1] : 0);
                uint64_t row = grow_row(mask->rows[i], component->rows[i], beside);
                grew = grew || row != component->rows[i];
                component->rows[i] = row;
            }
    }
    int count = 0;
    for (int i = 0; i < PLANE_CELLS; i++)
        for (uint64_t rest = component->rows[i]; rest != 0; rest &= rest - 1) count++;
    int left = count / 2;
    for (int i = 0; i < PLANE_CELLS; i++) {
        mask->rows[i] &= ~component->rows[i];
        for (int j = 0; j < PLANE_CELLS && left >= 0; j++)
            if (plane_mask_has(component, i, j) && left-- == 0) seed[0] = i, seed[1] = j;
    }
    return true;
}

bool plane_mask_rectangle(plane_mask *mask, plane_run *run) {
    int cell[2];
    if (!first_cell(mask, cell)) return false;
    int end = cell[1];
    uint64_t row = 0;
    while (end < PLANE_CELLS && plane_mask_has(mask, cell[0], end)) row |= (uint64_t)1 << end++;
    *run = (plane_run){.from = {cell[0], cell[1]}, .to = {cell[0], end}};
    while (run->to[0] < PLANE_CELLS && (mask->rows[run->to[0]] & row) == row)
        mask->rows[run->to[0]++] &= ~row;
    return true;
}

void plane_mask_bounds(const plane_mask *mask, plane_run *run) {
    *run = (plane_run){.from = {PLANE_CELLS, PLANE_CELLS}, .to = {0, 0}};
    for (int i = 0; i < PLANE_CELLS; i++)
        for (int j = 0; j < PLANE_CELLS; j++) {
            if (!plane_mask_has(mask, i, j)) continue;
            const int at[2] = {i, j};
            for (int d = 0; d < 2; d++) {
                if (at[d] < run->from[d]) run->from[d] = at[d];
                if (at[d] >= run->to[d]) run->to[d] = at[d] + 1;
            }
        }
}
