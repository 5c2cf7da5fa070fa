#include "proof/plane.h"

#include <math.h>
#include <string.h>

#define PI          3.14159265358979323846
#define TAIL_FACTOR 8.0

/* ---- Interpolation ---- */

/* T_k and T_k' at x, by recurrence. */
static void chebyshev_row(plane_table *table, int i) {
    double x = plane_center(i), before = 1, now = x, slope_before = 0, slope = 1;
    table->value[0][i] = 1;
    table->slope[0][i] = 0;
    for (int k = 1; k <= PLANE_MOST; k++) {
        table->value[k][i] = now;
        table->slope[k][i] = slope;
        double next = 2 * x * now - before, slope_next = 2 * now + 2 * x * slope - slope_before;
        before = now, now = next, slope_before = slope, slope = slope_next;
    }
}

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
    for (int i = 0; i < PLANE_CELLS; i++) chebyshev_row(table, i);
}

void plane_coefficients(const plane_table *table, int k, const double *values, double *coefficients) {
    int side = plane_degree(k) + 1;
    const double *transform = table->transform[k];
    double half[PLANE_NODES] = {0};
    memset(coefficients, 0, (size_t)(side * side) * sizeof *coefficients);
    for (int a = 0; a < side; a++)
        for (int j = 0; j < side; j++)
            for (int l = 0; l < side; l++)
                half[a * side + l] += values[a * side + j] * transform[l * side + j];
    for (int m = 0; m < side; m++)
        for (int a = 0; a < side; a++)
            for (int l = 0; l < side; l++)
                coefficients[m * side + l] += transform[m * side + a] * half[a * side + l];
}

double plane_error(int k, const double *coefficients, double tails[2]) {
    int degree = plane_degree(k), side = degree + 1, last = degree - (degree / 4 > 1 ? degree / 4 : 1);
    tails[0] = tails[1] = 0;
    for (int m = 0; m < side; m++)
        for (int l = 0; l < side; l++) {
            double size = fabs(coefficients[m * side + l]);
            if (m > last) tails[0] += size;
            if (l > last) tails[1] += size;
        }
    return TAIL_FACTOR * (tails[0] + tails[1]);
}

/* |T_k''| <= k^2 (k^2 - 1)/3 and |T_k'| <= k^2. */
static double curvature(int side, const double *coefficients) {
    double sum = 0, square = 1.0 / (PLANE_CELLS * PLANE_CELLS);
    for (int m = 0; m < side; m++)
        for (int l = 0; l < side; l++) {
            double m2 = m * m, l2 = l * l;
            sum += fabs(coefficients[m * side + l]) * (m2 * (m2 - 1) / 3 + l2 * (l2 - 1) / 3 + 2 * m2 * l2);
        }
    return sum * square / 2;
}

void plane_clear(const plane_table *table, int k, const double *coefficients, double error,
                 plane_mask *clear) {
    int side = plane_degree(k) + 1;
    double rest = error + curvature(side, coefficients), half = 1.0 / PLANE_CELLS;
    for (int i = 0; i < PLANE_CELLS; i++) {
        double row[PLANE_MOST + 1] = {0}, row_slope[PLANE_MOST + 1] = {0};
        for (int m = 0; m < side; m++)
            for (int l = 0; l < side; l++) {
                row[l] += table->value[m][i] * coefficients[m * side + l];
                row_slope[l] += table->slope[m][i] * coefficients[m * side + l];
            }
        for (int j = 0; j < PLANE_CELLS; j++) {
            double p = 0, px = 0, py = 0;
            for (int l = 0; l < side; l++) {
                p += row[l] * table->value[l][j];
                px += row_slope[l] * table->value[l][j];
                py += row[l] * table->slope[l][j];
            }
            if (!(fabs(p) - half * (fabs(px) + fabs(py)) > rest)) clear->rows[i] &= (uint16_t) ~(1u << j);
        }
    }
}

/* ---- Masks ---- */

void plane_mask_fill(plane_mask *mask) {
    memset(mask->rows, 0xff, sizeof mask->rows);
}

void plane_mask_invert(const plane_mask *mask, plane_mask *inverted) {
    for (int i = 0; i < PLANE_CELLS; i++) inverted->rows[i] = (uint16_t)~mask->rows[i];
}

void plane_mask_meet(const plane_mask *a, const plane_mask *b, plane_mask *both) {
    for (int i = 0; i < PLANE_CELLS; i++) both->rows[i] = a->rows[i] & b->rows[i];
}

int plane_mask_count(const plane_mask *mask) {
    int count = 0;
    for (int i = 0; i < PLANE_CELLS; i++)
        for (unsigned row = mask->rows[i]; row != 0; row &= row - 1) count++;
    return count;
}

static bool first_cell(const plane_mask *mask, int cell[2]) {
    for (cell[0] = 0; cell[0] < PLANE_CELLS; cell[0]++)
        for (cell[1] = 0; cell[1] < PLANE_CELLS; cell[1]++)
            if ((mask->rows[cell[0]] >> cell[1] & 1) != 0) return true;
    return false;
}

bool plane_mask_component(plane_mask *mask, plane_mask *component, int seed[2]) {
    *component = (plane_mask){{0}};
    if (!first_cell(mask, seed)) return false;
    component->rows[seed[0]] = (uint16_t)(1u << seed[1]);
    for (bool grew = true; grew;) {
        grew = false;
        for (int i = 0; i < PLANE_CELLS; i++) {
            unsigned row = component->rows[i];
            unsigned near = row | row << 1 | row >> 1 | (i > 0 ? component->rows[i - 1] : 0u) |
                            (i + 1 < PLANE_CELLS ? component->rows[i + 1] : 0u);
            near &= mask->rows[i];
            grew = grew || near != row;
            component->rows[i] = (uint16_t)near;
        }
    }
    int left = plane_mask_count(component) / 2;
    for (int i = 0; i < PLANE_CELLS; i++) {
        mask->rows[i] &= (uint16_t)~component->rows[i];
        for (int j = 0; j < PLANE_CELLS; j++)
            if ((component->rows[i] >> j & 1) != 0 && left-- == 0) seed[0] = i, seed[1] = j;
    }
    return true;
}

bool plane_mask_rectangle(plane_mask *mask, plane_run *run) {
    int cell[2];
    if (!first_cell(mask, cell)) return false;
    int end = cell[1];
    unsigned row = 0;
    while (end < PLANE_CELLS && (mask->rows[cell[0]] >> end & 1) != 0) row |= 1u << end++;
    *run = (plane_run){.from = {cell[0], cell[1]}, .to = {cell[0], end}};
    while (run->to[0] < PLANE_CELLS && (mask->rows[run->to[0]] & row) == row)
        mask->rows[run->to[0]++] &= (uint16_t)~row;
    return true;
}

void plane_mask_bounds(const plane_mask *mask, plane_run *run) {
    *run = (plane_run){.from = {PLANE_CELLS, PLANE_CELLS}, .to = {0, 0}};
    for (int i = 0; i < PLANE_CELLS; i++)
        for (int j = 0; j < PLANE_CELLS; j++) {
            if ((mask->rows[i] >> j & 1) == 0) continue;
            const int at[2] = {i, j};
            for (int d = 0; d < 2; d++) {
                if (at[d] < run->from[d]) run->from[d] = at[d];
                if (at[d] >= run->to[d]) run->to[d] = at[d] + 1;
            }
        }
}
