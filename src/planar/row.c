/* Rows: stable intervals of co-simulation schemes in closed form, and classes filled from stable intervals.
 *
 * 1. Each condition x0 + x1 Delta > 0 (row.h) holds on a half line; the stable interval is their
 *    intersection.
 * 2. The ends are located among the grid points by interpolation, doubling steps and bisection; all points
 *    between two ends have the same class.
 * 3. The point kernel (planar_point, which analyses one point) decides points within rounding of an end.
 *
 * Classes are equal to those of the point kernel. Cost: O(1) plus filling the row. */
#include "planar/row.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/clones.h"

planar_row planar_row_make(const costab_planar_slice *slice, double gamma) {
    const costab_planar *planar = slice->planar;
    double a = slice->a, d = gamma - a;
    costab_weights A = slice->weights_a;
    costab_weights D = costab_method_weights(&planar->method, planar->substeps[1], d);

    planar_row row = {.iterated = planar->scheme == COSTAB_STRONG, .product = a * d};
    double s = a * A.phi + d * D.phi, g = 0, g_size = 0, q = 0;
    row.fold1 = A.phi * D.phi;
    switch (planar->scheme) {
    case COSTAB_ZIGZAG:
        g = A.phi * D.p1;
        g_size = fabs(g);
        row.det1 = -(A.phi * D.p0);
        row.flip1 = A.phi * (D.p0 - D.p1);
        break;
    case COSTAB_STRONG:
        g = A.p1 * D.phi + A.phi * D.p1;
        g_size = fabs(A.p1 * D.phi) + fabs(A.phi * D.p1);
        q = A.p1 * D.p1;
        row.det1 = q - A.p0 * D.p0;
        row.flip1 = (A.p1 - A.p0) * (D.p1 - D.p0);
        break;
    default:
        row.det1 = -row.fold1;
        row.flip1 = row.fold1;
        break;
    }
    row.contraction = q;
    row.trace0 = s + row.product * g;
    row.trace1 = -g;
    row.det0 = -row.trace0;
    row.flip0 = 4 * (1 - row.product * q) + 2 * row.trace0;
    row.trace0_size = fabs(a * A.phi) + fabs(d * D.phi) + fabs(row.product) * g_size;
    row.trace1_size = g_size;
    row.det1_size = fabs(row.fold1) + g_size + 2 * fabs(q);
    row.doubtful = fabs(g) < 0x1p-10 * g_size;
    /* 0 times a number that is not finite is NaN */
    row.finite = 0 * row.trace0 + 0 * row.trace1 + 0 * row.fold1 + 0 * row.det1 + 0 * row.flip0 +
                     0 * row.flip1 + 0 * q ==
                 0;
    return row;
}

/* A stable interval during intersection. */
typedef struct bounds {
    costab_interval interval;
    bool empty;
} bounds;

/* Intersects the interval with x0 + x1 Delta > 0. */
static void keep_positive(bounds *b, double x0, double x1, uint8_t cause) {
    if (x1 == 0) {
        b->empty = b->empty || !(x0 > 0);
        return;
    }
    double end = -x0 / x1;
    if (x1 > 0 && end > b->interval.lower) {
        b->interval.lower = end;
        b->interval.lower_cause = cause;
    } else if (x1 < 0 && end < b->interval.upper) {
        b->interval.upper = end;
        b->interval.upper_cause = cause;
    }
}

/* Adds the zones in which x0 + x1 Delta may be 0 within rounding (PLANAR_TIE). */
static void add_ties(double x0, double x1, const double size[2], double *checks, int *check_count) {
    double *zone = checks + *check_count, share = 1.25 * PLANAR_TIE; /* conditions are rounded, too */
    double clear = fabs(x1) - share * size[1], end = -x0 / x1;
    if (clear > 0) {
        double half = share * (size[0] + size[1] * fabs(end)) / clear;
        zone[0] = end - half;
        zone[1] = end + half;
        *check_count += 2;
        return;
    }
    double far = fmax(0, (fabs(x0) - share * size[0]) / (fabs(x1) + share * size[1]));
    memcpy(zone, (const double[]){-INFINITY, -far, far, INFINITY}, 4 * sizeof *zone);
    *check_count += 4;
}

/* Finds the stable interval of a row; returns 0 or 1. [out] checks: zones whose points must be decided one by
 * one, because a condition, or the width of the interval, may be 0 within rounding. */
static int cosimulation_row(const planar_row *source, costab_interval *piece, double *checks,
                            int *check_count) {
    const planar_row row = *source;
    *check_count = 0;
    if (!row.finite) return 0;
    bounds b = {.interval = {-INFINITY, INFINITY, 0, 0}};
    keep_positive(&b, 0, row.fold1, COSTAB_CAUSE_FOLD);
    keep_positive(&b, row.det0, row.det1, COSTAB_CAUSE_DET);
    keep_positive(&b, row.flip0, row.flip1, COSTAB_CAUSE_FLIP);
    if (row.iterated && row.contraction != 0) {
        double reach = 1 / fabs(row.contraction);
        keep_positive(&b, reach - row.product, 1, COSTAB_CAUSE_ITERATION);
        keep_positive(&b, reach + row.product, -1, COSTAB_CAUSE_ITERATION);
    }
    if (b.empty) return 0;
    double lower = b.interval.lower, upper = b.interval.upper;
    if (!(lower < upper)) {
        double off = 8 * DBL_EPSILON * (fabs(lower) + fabs(upper) + fabs(row.product));
        if (!(lower - upper <= off)) return 0;
        checks[0] = upper - off;
        checks[1] = lower + off;
        *check_count = 2;
        return 0;
    }
    double size[2];
    planar_det_size(&row, size);
    add_ties(row.det0, row.det1, size, checks, check_count);
    planar_flip_size(&row, size);
    add_ties(row.flip0, row.flip1, size, checks, check_count);
    *piece = b.interval;
    return 1;
}

/* Adds the zone around an end of an interval in which rounding may decide. share: of the terms of the end,
 * whose largest magnitudes are its own and `scale`. */
static void add_end(double end, double share, double scale, planar_pieces *pieces) {
    const double underflow = DBL_MIN / DBL_EPSILON; /* of a coefficient times Delta */
    double half = share * (fabs(end) + scale) + underflow, *zone = pieces->checks + pieces->check_count;
    if (isinf(end)) return;
    zone[0] = end - half;
    zone[1] = end + half;
    pieces->check_count += 2;
}

/* An end of the simulation is a root, whose error grows to the square root of epsilon near a double root.
 * Those of co-simulation schemes differ from the point kernel by a few roundings; add_ties adds the zones of
 * det and flip, and the end 0 of fold is exact. */
void planar_row_find(const costab_planar_slice *slice, const planar_row *row, double gamma,
                     planar_pieces *pieces) {
    const bool simulation = slice->planar->scheme == COSTAB_SIMULATION;
    if (simulation) {
        pieces->count =
            planar_simulation_row(slice->planar, gamma, pieces->piece, pieces->checks, &pieces->check_count);
    } else {
        pieces->row = *row;
        pieces->count = cosimulation_row(row, pieces->piece, pieces->checks, &pieces->check_count);
    }
    const double share = simulation ? 1e-7 : 4 * DBL_EPSILON,
                 scale = simulation ? gamma * gamma : fabs(row->product);
    for (const costab_interval *p = pieces->piece; p < pieces->piece + pieces->count; p++) {
        if (simulation || p->lower_cause == COSTAB_CAUSE_ITERATION) add_end(p->lower, share, scale, pieces);
        if (simulation || p->upper_cause == COSTAB_CAUSE_ITERATION) add_end(p->upper, share, scale, pieces);
    }
}

/* Returns true if delta is below `value`, or (inclusive) equal to it. */
static bool is_below(double delta, double value, bool inclusive) {
    return inclusive ? delta <= value : delta < value;
}

/* Number of grid points below `value`, or (inclusive) up to it. */
static size_t count_below(const planar_grid *g, double value, bool inclusive) {
    size_t n = g->n;
    const double *delta = g->delta;
    if (n == 0 || !is_below(delta[0], value, inclusive)) return 0;
    if (is_below(delta[n - 1], value, inclusive)) return n;
    double index = (value - delta[0]) * g->per_unit;
    size_t guess = index < (double)(n - 1) ? (size_t)index : n - 1;
    size_t low = 0, high = n - 1; /* delta[low] is below, delta[high] is not */
    size_t step = 1;
    if (is_below(delta[guess], value, inclusive)) {
        for (low = guess; low + step < high && is_below(delta[low + step], value, inclusive); step *= 2)
            low += step;
        high = low + step < high ? low + step : high;
    } else {
        for (high = guess; high - low > step && !is_below(delta[high - step], value, inclusive); step *= 2)
            high -= step;
        low = high - low > step ? high - step : low;
    }
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        if (is_below(delta[mid], value, inclusive))
            low = mid;
        else
            high = mid;
    }
    return high;
}

planar_grid planar_grid_of(size_t n, const double *delta) {
    double range = n > 1 ? delta[n - 1] - delta[0] : 0;
    planar_grid grid = {.n = n, .delta = delta, .per_unit = range > 0 ? (double)(n - 1) / range : 0};
    grid.positive = count_below(&grid, 0, true);
    return grid;
}

/* A row during filling. */
typedef struct filler {
    const costab_planar_slice *slice;
    const planar_row *row; /* co-simulation schemes */
    double gamma;
    const planar_grid *grid;
    uint8_t *class_code;
    size_t positive; /* first point on the stable side of the continuous system */
    size_t at;       /* number of points filled */
} filler;

/* Sets the class code of all points up to index `to`. */
static void put_to(filler *f, size_t to, int class_code) {
    if (to <= f->at) return;
    memset(f->class_code + f->at, class_code, to - f->at);
    f->at = to;
}

/* Sets the class of all points up to index `to` for a stable or unstable co-simulation. */
static void fill_to(filler *f, size_t to, int stable) {
    put_to(f, to < f->positive ? to : f->positive, stable);
    put_to(f, to, 2 + stable);
}

/* Decides one point by the point kernel. At Delta = 0, A and therefore D - I are singular: fold. */
static void recheck(const filler *f, size_t i) {
    double delta = f->grid->delta[i];
    uint8_t cause = COSTAB_CAUSE_FOLD;
    if (delta != 0 && f->row != NULL) {
        cause = planar_cosimulation_point(f->row, f->gamma, delta).cause;
    } else if (delta != 0) {
        planar_simulation_line line = planar_simulation_at(f->slice->planar, f->gamma);
        cause = planar_simulation_cause(&line, delta);
    }
    f->class_code[i] = planar_class(f->gamma, delta, cause);
}

void planar_fill_row(const costab_planar_slice *slice, double gamma, const planar_pieces *pieces,
                     const planar_grid *grid, uint8_t *class_code) {
    bool simulation = slice->planar->scheme == COSTAB_SIMULATION;
    size_t n = grid->n;
    filler f = {.slice = slice, .gamma = gamma, .grid = grid, .class_code = class_code};
    f.row = simulation ? NULL : &pieces->row;
    f.positive = gamma < 0 ? grid->positive : n;
    for (int p = 0; p < pieces->count; p++) {
        double lower = pieces->piece[p].lower;
        fill_to(&f, lower == 0 ? grid->positive : count_below(grid, lower, true), 0);
        fill_to(&f, count_below(grid, pieces->piece[p].upper, false), 1);
    }
    fill_to(&f, n, 0);
    const double *checks = pieces->checks;
    for (int k = 0; k + 1 < pieces->check_count; k += 2)
        for (size_t i = count_below(grid, checks[k], false); i < n && grid->delta[i] <= checks[k + 1]; i++)
            recheck(&f, i);
}

/* ---- Fields along a row ----
 * Trace, determinant and spectral radius along a row, at many Delta.
 *
 * 1. Co-simulation: quotients of linear functions of Delta by K, and the roots of their quadratic (row.h).
 * 2. Simulation: eigenvalues.c.
 *
 * Plain loops allow vectorisation. The point kernel uses the same expressions (row.h), so results are equal
 * to the last bit. Cost: some operations per point. */

BASE_CLONES
static void trace_row(const planar_row *source, size_t n, const double *restrict delta,
                      double *restrict trace) {
    const planar_row row = *source;
    for (size_t i = 0; i < n; i++) trace[i] = planar_trace(&row, delta[i]);
}

BASE_CLONES
static void determinant_row(const planar_row *source, size_t n, const double *restrict delta,
                            double *restrict determinant) {
    const planar_row row = *source;
    for (size_t i = 0; i < n; i++) determinant[i] = planar_determinant(&row, delta[i]);
}

BASE_CLONES
static void radius_row(const planar_row *source, size_t n, const double *restrict delta,
                       double *restrict radius) {
    const planar_row row = *source;
    for (size_t i = 0; i < n; i++) radius[i] = planar_radius(&row, delta[i]);
}

void planar_field_row(const costab_planar_slice *slice, const planar_row *row, double gamma, size_t n,
                      const double *delta, const costab_planar_fields *fields) {
    if (row == NULL) {
        planar_eigenvalue_fields(slice->planar, gamma, n, delta, fields->trace, fields->determinant,
                                 fields->spectral_radius);
        if (fields->cause == NULL) return;
        planar_simulation_line line = planar_simulation_at(slice->planar, gamma);
        for (size_t i = 0; i < n; i++) fields->cause[i] = planar_simulation_cause(&line, delta[i]);
        return;
    }
    if (fields->trace != NULL) trace_row(row, n, delta, fields->trace);
    if (fields->determinant != NULL) determinant_row(row, n, delta, fields->determinant);
    if (fields->spectral_radius != NULL) radius_row(row, n, delta, fields->spectral_radius);
    for (size_t i = 0; fields->cause != NULL && i < n; i++)
        fields->cause[i] = planar_cosimulation_point(row, gamma, delta[i]).cause;
}

/* ---- Points ----
 * The point kernel: all quantities of one point from the conditions of its row (row.h). Tests compare rows
 * with it.
 *
 * 1. The signs of K (1 - Det D), K (1 - Tr D + Det D), K (1 + Tr D + Det D) and K determine the violated
 *    conditions; the first and the third are violated if they are 0 within rounding, too.
 * 2. Scheme strong: the iteration diverges if |w q| >= 1.
 * 3. Trace, determinant and spectral radius. A condition that overflows counts as violated. */

/* Flag of a condition that is violated: its value is not positive, or NaN. */
static unsigned flag_unless(double margin, unsigned flag) {
    return margin > 0 ? 0 : flag;
}

/* Flag of a condition whose value is not above its rounding (PLANAR_TIE). */
static unsigned flag_unless_clear(double margin, const double size[2], double delta, unsigned flag) {
    return margin > PLANAR_TIE * (size[0] + size[1] * fabs(delta)) ? 0 : flag;
}

costab_planar_point planar_cosimulation_point(const planar_row *row, double gamma, double delta) {
    double K = planar_divisor(row, delta);
    double sign = K > 0 ? 1 : K < 0 ? -1 : NAN;
    double det = row->det0 + row->det1 * delta, flip = row->flip0 + row->flip1 * delta;
    double fold = row->fold1 > 0   ? delta
                  : row->fold1 < 0 ? -delta
                                   : 0; /* only its sign, because a product may underflow */

    costab_planar_point point = {.iteration_radius = NAN};
    point.trace = planar_trace(row, delta);
    point.determinant = planar_determinant(row, delta);
    point.spectral_radius = planar_radius(row, delta);
    double det_size[2], flip_size[2];
    planar_det_size(row, det_size);
    planar_flip_size(row, flip_size);
    unsigned cause = flag_unless_clear(det * sign, det_size, delta, COSTAB_CAUSE_DET) |
                     flag_unless(fold * sign, COSTAB_CAUSE_FOLD) |
                     flag_unless_clear(flip * sign, flip_size, delta, COSTAB_CAUSE_FLIP);
    if (row->iterated) {
        point.iteration_radius = planar_iteration_radius(row, delta);
        cause |= flag_unless(1 - fabs((row->product - delta) * row->contraction), COSTAB_CAUSE_ITERATION);
    }
    if (!row->finite && cause == 0) cause = COSTAB_CAUSE_DET;
    point.cause = (uint8_t)cause;
    point.class_code = planar_class(gamma, delta, cause);
    return point;
}

costab_planar_point planar_point(const costab_planar_slice *slice, double gamma, double delta) {
    if (slice->planar->scheme == COSTAB_SIMULATION) {
        planar_simulation_line line = planar_simulation_at(slice->planar, gamma);
        return planar_simulation_point(&line, delta);
    }
    planar_row row = planar_row_make(slice, gamma);
    return planar_cosimulation_point(&row, gamma, delta);
}
