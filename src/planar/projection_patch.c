#include "planar/projection_patch.h"

#include <math.h>
#include <stdint.h>

#include "base/clones.h"

enum { N = PATCH_LENGTH };

void patch_tables_set(patch_tables *tables) {
    for (int k = 0; k < N; k++) /* choose(j, k) / choose(N - 1, k) */
        for (int j = N - 1; j >= 0; j--) {
            const double share = j == N - 1 ? 1 : tables->share.of[j + 1][k] * (j + 1 - k) / (j + 1);
            tables->share.of[j][k] = tables->column.of[k][j] = share;
        }
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) { /* choose(i, k) / 2^i */
            const double before = k == 0 || k > i ? 0 : tables->weight[0].of[k - 1][i] * (i + 1 - k) / k;
            const double mean = k == 0 ? ldexp(1, -i) : before;
            tables->weight[0].of[k][i] = tables->weight[1].of[N - 1 - k][N - 1 - i] = mean;
        }
}

BASE_CLONES static void set_patch_of(patch *restrict to, const patch_tables *restrict tables,
                                     const patch *restrict c) {
    patch half;
    for (int j = 0; j < N; j++) {
        patch_row sum = c->of[j][0] * tables->column.of[0];
        for (int k = 1; k < N; k++) sum += c->of[j][k] * tables->column.of[k];
        half.of[j] = sum;
    }
    for (int j = 0; j < N; j++) {
        patch_row sum = half.of[0];
        for (int k = 1; k <= j; k++) sum += tables->share.of[j][k] * half.of[k];
        to->of[j] = sum;
    }
}

BASE_CLONES static void halve_patch_e(patch *restrict f, patch *restrict left) {
    patch g = *f;
    left->of[0] = g.of[0];
    for (int level = 1; level < N; level++) {
        for (int j = 0; j < N - level; j++) g.of[j] = (g.of[j] + g.of[j + 1]) * 0.5;
        left->of[level] = g.of[0];
        f->of[N - 1 - level] = g.of[N - 1 - level];
    }
}

BASE_CLONES static void halve_patch_a(patch *restrict f, patch *restrict left,
                                      const patch_tables *restrict tables) {
    const patch *low = &tables->weight[0], *high = &tables->weight[1];
    for (int j = 0; j < N; j++) {
        const patch_row g = f->of[j];
        patch_row to_left = g[0] * low->of[0], to_right = g[0] * high->of[0];
        for (int k = 1; k < N; k++) {
            to_left += g[k] * low->of[k];
            to_right += g[k] * high->of[k];
        }
        left->of[j] = to_left;
        f->of[j] = to_right;
    }
}

void patch_set(patch *to, const patch_tables *tables, const patch *c) {
    set_patch_of(to, tables, c);
}

void patch_halve_e(patch *f, patch *left) {
    halve_patch_e(f, left);
}

void patch_halve_a(patch *f, patch *left, const patch_tables *tables) {
    halve_patch_a(f, left, tables);
}

static int corner_sign(const double corner[4], double error) {
    const int sign = corner[0] > error ? 1 : corner[0] < -error ? -1 : 0;
    for (int k = 1; k < 4; k++)
        if (!(sign * corner[k] > error)) return 0;
    return sign;
}

/* -1 where something is so, else 0. */
typedef int64_t mask __attribute__((vector_size(N * sizeof(int64_t))));

static bool holds_in_all(const mask *is) {
    bool all = true;
    for (int i = 0; i < N; i++) all = all && (*is)[i] != 0;
    return all;
}

BASE_CLONES static bool all_values_above(const patch *f, double sign, double error) {
    mask above = f->of[0] * sign > error;
    for (int j = 1; j < N; j++) above &= f->of[j] * sign > error;
    return holds_in_all(&above);
}

BASE_CLONES static bool all_rises_above(const patch *f, double sign, double error) {
    mask above = (f->of[1] - f->of[0]) * sign > error;
    for (int j = 2; j < N; j++) above &= (f->of[j] - f->of[j - 1]) * sign > error;
    return holds_in_all(&above);
}

int patch_sign(const patch *f, double error) {
    const patch_row *low = &f->of[0], *high = &f->of[N - 1];
    const double corner[4] = {(*low)[0], (*low)[N - 1], (*high)[0], (*high)[N - 1]};
    const int sign = corner_sign(corner, error);
    return sign != 0 && all_values_above(f, sign, error) ? sign : 0;
}

int patch_rise(const patch *f, double error) {
    const patch_row *of = f->of;
    const double corner[4] = {of[1][0] - of[0][0], of[1][N - 1] - of[0][N - 1], of[N - 1][0] - of[N - 2][0],
                              of[N - 1][N - 1] - of[N - 2][N - 1]};
    const int sign = corner_sign(corner, error);
    return sign != 0 && all_rises_above(f, sign, error) ? sign : 0;
}
