/* Rows: the stable interval of a co-simulation scheme in closed form, and class rows filled from intervals.
 */
#include "planar/row.h"

#include <float.h>
#include <math.h>
#include <string.h>

planar_row planar_row_make(const costab_planar_slice *slice, double gamma) {
    const costab_planar *planar = slice->planar;
    double a = slice->a, d = gamma - a;
    costab_weights A = slice->weights_a;
    costab_weights D = costab_method_weights(&planar->method, planar->substeps[1], d);

    planar_row row = {.iterated = planar->scheme == COSTAB_STRONG, .product = a * d};
    double s = a * A.phi + d * D.phi, g = 0, q = 0;
    row.fold1 = A.phi * D.phi;
    switch (planar->scheme) {
    case COSTAB_ZIGZAG:
        g = A.phi * D.p1;
        row.det1 = -(A.phi * D.p0);
        row.flip1 = A.phi * (D.p0 - D.p1);
        break;
    case COSTAB_STRONG:
        g = A.p1 * D.phi + A.phi * D.p1;
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
    row.finite = isfinite(row.trace0) && isfinite(row.trace1) && isfinite(row.fold1) && isfinite(row.det1) &&
                 isfinite(row.flip0) && isfinite(row.flip1) && isfinite(q);
    return row;
}

typedef struct bounds {
    costab_interval interval;
    bool empty;
} bounds;

/* Keeps the part of the interval where x0 + x1 Delta > 0. */
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

static int cosimulation_row(const costab_planar_slice *slice, double gamma, costab_interval *piece) {
    planar_row row = planar_row_make(slice, gamma);
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
    if (b.empty || !(b.interval.lower < b.interval.upper)) return 0;
    *piece = b.interval;
    return 1;
}

int costab_planar_row(const costab_planar_slice *slice, double gamma, costab_interval *pieces) {
    if (slice->planar->scheme != COSTAB_SIMULATION) return cosimulation_row(slice, gamma, pieces);
    double checks[PLANAR_CHECKS_MAX];
    int count;
    return planar_simulation_row(slice->planar, gamma, pieces, checks, &count);
}

/* First index with delta[i] >= value: a guess as if the values were equally spaced, then steps that double.
 */
static size_t first_at_least(const double *delta, size_t n, double value) {
    if (n == 0 || !(delta[0] < value)) return 0;
    if (delta[n - 1] < value) return n;
    double place = (value - delta[0]) / (delta[n - 1] - delta[0]) * (double)(n - 1);
    size_t guess = place >= 0 && place < (double)(n - 1) ? (size_t)place : n - 1;
    size_t low = 0, high = n - 1; /* delta[low] < value <= delta[high] */
    if (delta[guess] < value) {
        low = guess;
        for (size_t step = 1; low + step < high; step *= 2) {
            if (delta[low + step] >= value) {
                high = low + step;
                break;
            }
            low += step;
        }
    } else {
        high = guess;
        for (size_t step = 1; low + step < high; step *= 2) {
            if (delta[high - step] < value) {
                low = high - step;
                break;
            }
            high -= step;
        }
    }
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        if (delta[mid] < value)
            low = mid;
        else
            high = mid;
    }
    return high;
}

/* Where rounding may decide between a row's ends and the point kernel. */
typedef struct recheck {
    const costab_planar_slice *slice;
    double gamma;
    size_t n;
    const double *delta;
    uint8_t *class_code;
} recheck;

static void recheck_near(const recheck *r, double value, double tolerance) {
    if (!isfinite(value)) return;
    for (size_t i = first_at_least(r->delta, r->n, value - tolerance);
         i < r->n && r->delta[i] <= value + tolerance; i++) {
        costab_planar_point point;
        costab_planar_points(r->slice->planar, 1, &r->slice->a, &r->gamma, &r->delta[i], &point);
        r->class_code[i] = point.class_code;
    }
}

void costab_planar_class_row(const costab_planar_slice *slice, double gamma, size_t n, const double *delta,
                             uint8_t *class_code) {
    bool simulation = slice->planar->scheme == COSTAB_SIMULATION;
    costab_interval pieces[COSTAB_ROW_PIECES_MAX];
    double checks[PLANAR_CHECKS_MAX];
    int check_count = 0;
    int count = simulation ? planar_simulation_row(slice->planar, gamma, pieces, checks, &check_count)
                           : cosimulation_row(slice, gamma, pieces);

    /* [0, positive) lies at Delta <= 0; each part is filled once */
    size_t positive = gamma < 0 ? first_at_least(delta, n, DBL_TRUE_MIN) : n;
    size_t at = 0;
    for (int p = 0; p <= count; p++) {
        size_t begin = p < count ? first_at_least(delta, n, nextafter(pieces[p].lower, INFINITY)) : n;
        size_t end = p < count ? first_at_least(delta, n, pieces[p].upper) : n;
        const struct {
            size_t to;
            int stable;
        } parts[2] = {{begin, 0}, {end, 1}};
        for (int k = 0; k < 2; k++) {
            size_t low = parts[k].to < positive ? parts[k].to : positive;
            if (low > at) {
                memset(class_code + at, parts[k].stable, low - at);
                at = low;
            }
            if (parts[k].to > at) {
                memset(class_code + at, 2 + parts[k].stable, parts[k].to - at);
                at = parts[k].to;
            }
        }
    }

    /* A co-simulation end and the point kernel's comparison share their coefficients and differ by two
     * roundings; a simulation end is a root, whose error grows to the square root of epsilon where two roots
     * meet. */
    recheck r = {slice, gamma, n, delta, class_code};
    double share = simulation ? 1e-7 : 4 * DBL_EPSILON;
    double scale = simulation ? gamma * gamma : fabs(slice->a * (gamma - slice->a));
    for (int p = 0; p < count; p++) {
        recheck_near(&r, pieces[p].lower, share * (fabs(pieces[p].lower) + scale));
        recheck_near(&r, pieces[p].upper, share * (fabs(pieces[p].upper) + scale));
    }
    for (int k = 0; k < check_count; k++) recheck_near(&r, checks[k], share * (fabs(checks[k]) + scale));
}
