/* Bernstein's coefficients on each of the four quarters of e: |e| up to 1 and beyond, of both signs. All err
 * by less than 2^-44 of the sum of the magnitudes: 2^-47 of it before they are made, and up to 30 halvings
 * with 2^-50 of the largest one each. Where all have one sign there is no root; where they change sign once,
 * or all their differences have one sign, as many as the ends tell. */
#include "planar/row_roots.h"

#include <math.h>

enum { N = APART_LENGTH, DEPTH = 30 };

/* Whether coefficient j is 0 exactly, and not by underflow. */
static bool is_zero(const apart_form *form, int j, double a) {
    bool zero = form->size[j][0] == 0;
    for (int i = 1; i <= form->degree_a; i++) zero = zero && (a == 0 || form->size[j][i] == 0);
    return zero;
}

void row_line_set(row_line *line, const apart_form *form, double a) {
    const double most = fabs(a);
    line->degree = form->degree_e;
    for (int j = 0; j <= form->degree_e; j++) {
        double value = 0, size = 0;
        for (int i = form->degree_a; i >= 0; i--) {
            value = value * a + form->c[j][i];
            size = size * most + form->size[j][i];
        }
        line->c[j] = value;
        line->size[j] = size > 0 || is_zero(form, j, a) ? size : 0x1p-500;
    }
    while (line->degree > 0 && line->size[line->degree] == 0) line->degree--;
    line->zeros = 0;
    while (line->zeros <= line->degree && line->size[line->zeros] == 0) line->zeros++;
}

double row_line_value(const row_line *line, int degree, double s, double *error) {
    const bool far = fabs(s) > 1, minus = s < 0;
    const double x = far ? (minus ? -(ROW_FAR + s) : ROW_FAR - s) : s, most = fabs(x), floor = 0x1p-500;
    double value = 0, size = 0;
    if (far) { /* e^-1 = x: the coefficients in turn, and t^degree = |x|^degree */
        for (int j = 0; j <= line->degree; j++) {
            value = value * x + line->c[j];
            size = size * most + line->size[j];
        }
        for (int j = line->degree; j < degree; j++) {
            value *= most;
            size *= most;
        }
        if (minus && line->degree % 2 != 0) value = -value;
    } else {
        for (int j = line->degree; j >= 0; j--) {
            value = value * x + line->c[j];
            size = size * most + line->size[j];
        }
    }
    *error = 0x1p-45 * size + floor;
    return value;
}

static int sure_sign(double value, double error) {
    return value > error ? 1 : value < -error ? -1 : 0;
}

int row_line_sign(const row_line *line, double s) {
    double error;
    const double value = row_line_value(line, line->degree, s, &error);
    return sure_sign(value, error);
}

/* ---- isolation ---- */

/* Bernstein's coefficients of a part between two places. */
typedef struct piece {
    int part, degree;
    double c[N], error;
    double from, to; /* places, where c[0] and c[degree] are the values */
} piece;

static void add(row_roots *roots, const piece *p) {
    if (roots->count == ROW_ROOTS_MAX) {
        roots->doubt = true;
        return;
    }
    const bool up = p->from < p->to;
    const double first = up ? p->c[0] : p->c[p->degree];
    roots->root[roots->count++] =
        (row_root){up ? p->from : p->to, up ? p->to : p->from, p->part, first > 0 ? 1 : -1};
}

static bool is_outside(const piece *p, double low, double high) {
    return (p->from < low && p->to < low) || (p->from > high && p->to > high);
}

/* How many roots there are: 0 or 1; 2: not known. */
static int roots_of(const piece *p) {
    const double error = p->error;
    int above = 0, below = 0, up = 0, down = 0, changes = 0; /* coefficients and differences of one sign */
    for (int k = 0; k <= p->degree; k++) {
        above += p->c[k] > error;
        below += p->c[k] < -error;
    }
    if (above > p->degree || below > p->degree) return 0;
    for (int k = 1; k <= p->degree; k++) {
        const double rise = p->c[k] - p->c[k - 1];
        up += rise > 3 * error;
        down += rise < -3 * error;
        changes += (p->c[k] > 0) != (p->c[k - 1] > 0);
    }
    if (above + below > p->degree && changes == 1) return 1;
    const double first = p->c[0], last = p->c[p->degree];
    if ((up < p->degree && down < p->degree) || !(fabs(first) > error) || !(fabs(last) > error)) return 2;
    return (first > 0) != (last > 0);
}

static void isolate(row_roots *roots, const piece *p, double low, double high, int depth) {
    if (roots->doubt || is_outside(p, low, high)) return;
    const int count = roots_of(p);
    if (count == 1) add(roots, p);
    if (count < 2) return;
    if (depth == DEPTH || --roots->work < 0) {
        roots->doubt = true;
        return;
    }
    const double middle = (p->from + p->to) / 2;
    const int n = p->degree;
    piece half[2] = {*p, *p};
    half[0].to = half[1].from = middle;
    for (int level = 1; level <= n; level++) {
        for (int k = 0; k <= n - level; k++) half[1].c[k] = (half[1].c[k] + half[1].c[k + 1]) * 0.5;
        half[0].c[level] = half[1].c[0];
    }
    isolate(roots, &half[0], low, high, depth + 1);
    isolate(roots, &half[1], low, high, depth + 1);
}

_Static_assert(N == 8, "the table");

static const double choose[N][N] = {{1},
                                    {1, 1},
                                    {1, 2, 1},
                                    {1, 3, 3, 1},
                                    {1, 4, 6, 4, 1},
                                    {1, 5, 10, 10, 5, 1},
                                    {1, 6, 15, 20, 15, 6, 1},
                                    {1, 7, 21, 35, 35, 21, 7, 1}};

/* The places from 0 to 1, or from 2 to 1, or those of the other sign. */
static void isolate_quarter(row_roots *roots, int part, bool minus, bool far, double low, double high) {
    const row_line *line = &roots->line[part];
    const int n = line->degree;
    const double side = minus ? -1 : 1;
    piece p = {.part = part, .degree = n, .from = far ? ROW_FAR * side : 0, .to = side};
    double size = 0;
    if (is_outside(&p, low, high)) return;
    for (int j = 0; j <= n; j++) {
        p.c[far ? n - j : j] = minus && j % 2 != 0 ? -line->c[j] : line->c[j];
        size += line->size[j];
    }
    p.error = 0x1p-44 * size + 0x1p-500;
    for (int k = 1; k < n; k++) p.c[k] /= choose[n][k]; /* then sums along the triangle */
    for (int level = 1; level <= n; level++)
        for (int k = n; k >= level; k--) p.c[k] += p.c[k - 1];
    isolate(roots, &p, low, high, 0);
}

static double place_of(double e) {
    return fabs(e) <= 1 ? e : copysign(ROW_FAR - 1 / fabs(e), e);
}

/* The root of a line of degree 1: what is near it and on both sides of it. */
static void add_straight(row_roots *roots, int part, double low, double high) {
    const row_line *line = &roots->line[part];
    const double s = place_of(-line->c[0] / line->c[1]);
    for (double off = 0x1p-40; off < 0x1p-10; off *= 0x1p8) {
        const double from = s - off, to = s + off;
        const int side = row_line_sign(line, from);
        if (side == 0 || row_line_sign(line, to) != -side || from < -ROW_FAR || to > ROW_FAR) continue;
        if (to < low || from > high) return;
        if (roots->count < ROW_ROOTS_MAX) {
            roots->root[roots->count++] = (row_root){from, to, part, side};
            return;
        }
    }
    roots->doubt = true;
}

/* The root 0, and the line without it. */
static void take_zeros(row_roots *roots, int part) {
    row_line *line = &roots->line[part];
    int k = 0;
    line->degree -= line->zeros;
    for (int j = 0; j <= line->degree; j++) {
        line->c[j] = line->c[j + line->zeros];
        line->size[j] = line->size[j + line->zeros];
    }
    line->zeros = 0;
    while (k < roots->count && (roots->root[k].low != 0 || roots->root[k].high != 0)) k++;
    if (k == ROW_ROOTS_MAX)
        roots->doubt = true;
    else if (k < roots->count)
        roots->root[k].part = -1;
    else
        roots->root[roots->count++] = (row_root){0, 0, part, 0};
}

void row_roots_add(row_roots *roots, int part, double low, double high) {
    row_line *line = &roots->line[part];
    if (line->zeros > line->degree)
        roots->doubt = true;
    else if (line->zeros > 0)
        take_zeros(roots, part);
    const int n = line->degree;
    if (roots->doubt || n == 0) return;
    if (sure_sign(line->c[n], 0x1p-45 * line->size[n] + 0x1p-500) == 0) {
        roots->doubt = true;
    } else if (n == 1) {
        add_straight(roots, part, low, high);
    } else {
        for (int k = 0; k < 4; k++) isolate_quarter(roots, part, k % 2 != 0, k / 2 != 0, low, high);
    }
}

/* ---- order ---- */

/* Takes away what is on the other side of a place between the ends; false where that is not known. */
static bool cut(row_roots *roots, row_root *root, double part) {
    const double at = root->low + (root->high - root->low) * part;
    const int side = row_line_sign(&roots->line[root->part], at);
    if (--roots->work < 0 || !(root->low < at && at < root->high) || side == 0) return false;
    *(side == root->side ? &root->low : &root->high) = at;
    return true;
}

static bool halve(row_roots *roots, row_root *root) {
    return cut(roots, root, 0.5) || cut(roots, root, 0.40625);
}

static void sort(row_roots *roots) {
    for (int i = 1; i < roots->count; i++) {
        const row_root next = roots->root[i];
        int k = i;
        for (; k > 0 && roots->root[k - 1].low + roots->root[k - 1].high > next.low + next.high; k--)
            roots->root[k] = roots->root[k - 1];
        roots->root[k] = next;
    }
}

/* The root to be cut for room before root i, or before the end where i is their number; NULL: there is room.
 */
static row_root *crowding(row_roots *roots, int i) {
    row_root *one = i > 0 ? &roots->root[i - 1] : NULL, *next = i < roots->count ? &roots->root[i] : NULL;
    if ((one != NULL ? one->high : -ROW_FAR) < (next != NULL ? next->low : ROW_FAR)) return NULL;
    if (one == NULL || next == NULL) return one == NULL ? next : one;
    return one->high - one->low > next->high - next->low ? one : next;
}

void row_roots_order(row_roots *roots) {
    bool told = roots->count == 0;
    while (!told && !roots->doubt) {
        told = true;
        sort(roots);
        for (int i = 0; i <= roots->count && !roots->doubt; i++) {
            row_root *crowds = crowding(roots, i);
            if (crowds == NULL) continue;
            told = false;
            roots->doubt = !halve(roots, crowds);
        }
    }
}
