/* Loci: the eigenvalues of a map, or of the continuous system, along one parameter as curves.
 * 1. Spectra at values of the parameter. Eigenvalues at neighbouring values are matched with the least total
 *    movement (Hungarian method; H. W. Kuhn, Naval Research Logistics 2, 1955).
 * 2. Ambiguity: a match is ambiguous if another eigenvalue is closer than 3 times the movement. The interval
 *    is then halved, up to DEPTH times; if it stays ambiguous, the curve ends and a new one starts.
 * 3. Crossings: if a curve is certainly on different sides of the unit circle (imaginary axis) at
 *    neighbouring values, Brent's method finds the crossing. Eigenvalues removed as equilibria count as on
 *    the limit.
 * 4. Where the number of eigenvalues changes, as with a delay in macro steps, the value is enclosed by
 * halving; curves end there and start anew.
 * 5. Ends of a map's stability come from the complete limit, with the eigenvalue nearest to the circle there.
 * Cost: a spectrum per value, n^3 for a match of n, about 10 spectra per crossing; for a map also a limit.
 * Limitation: misses curves that meet and part between two values, and double crossings between them (except
 * at ends of a map's stability). Eigenvalues within 1e-4 of 0 (continuous system: of the largest modulus) are
 * not distinguished; curves may be exchanged there. */
#include "costab/locus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/variant.h"
#include "base/error.h"
#include "base/memory.h"
#include "costab/margin.h"
#include "method/eigen.h"
#include "method/root.h"
#include "network/network.h"

enum { POINTS = 129, POINTS_MOST = 10000, DEPTH = 14, HALVINGS_MOST = 20000, ROWS_MOST = 128 };

#define RATIO  30.0 /* ratio of a range's ends for logarithmic spacing */
#define CLEAR  3.0  /* ambiguity: distance of another eigenvalue in movements */
#define SAME   1e-7 /* relative distance of equal eigenvalues */
#define ORIGIN 1e-4 /* distance from 0 of indistinguishable eigenvalues */
#define ON     1e-6 /* distance of a crossing eigenvalue from the circle at a limit */
#define SURE   1e-9 /* least distance from the circle for a certain side, whatever the rounding */
#define NEAR   1e-5 /* relative distance in value and eigenvalue of equal crossings */

/* Eigenvalues at a value, in the order of the curves. */
typedef struct spectrum {
    double at;
    bool known;
    size_t n;        /* number of eigenvalues */
    double unit;     /* 1, or the largest modulus of the continuous system */
    double rounding; /* rounding error of an eigenvalue near the limit */
    double span;     /* duration of a step of the map in seconds */
    costab_complex values[ROWS_MOST];
} spectrum;

/* The last certain side of a curve. */
typedef struct last_side {
    double at, beyond; /* beyond: 0: none yet */
    costab_complex value;
} last_side;

/* A curve at one value. */
typedef struct locus_row {
    costab_complex z;
    bool joined; /* to the previous value */
} locus_row;

typedef struct tracer {
    analysis_family family;
    const costab_locus_options *options;
    costab_locus *locus;
    size_t n, halvings, row_capacity; /* n: largest number of eigenvalues, of curves */
    locus_row *rows;                  /* curve by curve for each value */
    bool logarithmic;
    size_t match[ROWS_MOST];
    bool ambiguous[ROWS_MOST];
    last_side last[ROWS_MOST];
    spectrum probe; /* at intermediate values */
    double *work;   /* workspace for the eigenvalues of `order` rows */
    int *iwork;
    int order;
    long period;        /* of the map at the previous value; 0: none */
    costab_error first; /* reason for the first value without a map */
} tracer;

/* ---- Spectra */

/* Returns COSTAB_CANCELLED if options->progress ends the search. */
static costab_status ask_progress(const tracer *t, double at, costab_error *error) {
    const costab_locus_options *o = t->options;
    double share = (at - o->lower) / (o->upper - o->lower);
    if (o->progress == NULL || !o->progress(o->progress_context, share)) return COSTAB_OK;
    return error_set(error, COSTAB_CANCELLED, "the search was stopped");
}

static double modulus(costab_complex z) {
    return hypot(z.re, z.im);
}

static int by_modulus(const void *left, const void *right) {
    double a = modulus(*(const costab_complex *)left), b = modulus(*(const costab_complex *)right);
    return (a < b) - (a > b);
}

/* Allocates space for the eigenvalues of a matrix of n rows and the workspace. */
static bool make_workspace(tracer *t, int n) {
    if (n <= t->order) return true;
    memory_free_all(t->work, t->iwork);
    t->work = memory_alloc(2 * (size_t)n + eigen_work(n), sizeof *t->work);
    t->iwork = memory_alloc(eigen_iwork(n), sizeof *t->iwork);
    t->order = t->work && t->iwork ? n : 0;
    return t->order > 0;
}

/* Computes the eigenvalues of the continuous system, largest modulus first; removed modes are 0. */
static costab_status continuous_spectrum(tracer *t, const costab_network_point *point, spectrum *s,
                                         costab_error *error) {
    int n;
    const double *matrix = costab_network_monolithic(t->family.work, &n);
    if (isnan(point->spectral_abscissa))
        return error_invalid(error,
                             "the continuous system is not known: an FMU is measured by its steps alone");
    if (!make_workspace(t, n)) return error_memory(error);
    const costab_network network = analysis_family_network(&t->family);
    TRY(network_refuse_sampled_data(&network, "--continuous",
                                    "the sampled-data system has a map, not a matrix A of x' = A x", error));
    TRY(network_refuse_dead_time(&network, "--continuous",
                                 "a system with dead time has infinitely many eigenvalues", error));
    double *re = t->work, *im = t->work + n;
    if (!eigen_values(n, matrix, re, im, t->work + 2 * n, t->iwork)) return COSTAB_OK;
    for (int i = 0; i < n; i++) s->values[i] = (costab_complex){re[i], im[i]};
    qsort(s->values, (size_t)n, sizeof *s->values, by_modulus);
    for (int i = n - point->neutral - point->motions; i < n; i++)
        if (i >= 0) s->values[i] = (costab_complex){0, 0};
    s->unit = n > 0 ? modulus(s->values[0]) : 0;
    s->rounding = point->abscissa_rounding;
    s->known = true;
    return COSTAB_OK;
}

/* Computes the eigenvalues of the map; removed modes are 1. */
static void map_spectrum(const tracer *t, const costab_network_point *point, const costab_coupling *coupling,
                         spectrum *s) {
    bool neutral[ROWS_MOST];
    if (!isfinite(point->spectral_radius)) return;
    costab_network_spectrum(t->family.work, s->values, neutral);
    for (int i = 0; i < point->size; i++)
        if (neutral[i]) s->values[i] = (costab_complex){1, 0};
    s->span = coupling->macro_step * (double)point->period;
    s->unit = 1;
    s->rounding = point->rounding;
    s->known = true;
}

static int order_of(const tracer *t, const costab_network_point *point) {
    int n = point->size;
    if (t->options->continuous) (void)costab_network_monolithic(t->family.work, &n);
    return n;
}

static costab_status find_spectrum(tracer *t, double at, spectrum *s, costab_error *error) {
    costab_coupling coupling;
    costab_network_point point;
    costab_error why;
    TRY(ask_progress(t, at, error));
    *s = (spectrum){.at = at};
    costab_status status = analysis_family_set(&t->family, at, &coupling, &why);
    costab_network network = analysis_family_network(&t->family);
    if (!status) status = costab_network_analyse(t->family.work, &network, &coupling, &point, &why);
    if (status == COSTAB_MEMORY) return error_memory(error);
    if (status && t->first.status == COSTAB_OK) t->first = why;
    if (status) return COSTAB_OK;
    if (t->period > 0 && t->period != point.period && network_is_sampled_data(&network))
        return error_invalid(error,
                             "curves over this parameter: the map jumps where the ratio of macro step and "
                             "sample time changes; vary the sample time with the macro step");
    t->period = point.period;
    int n = order_of(t, &point);
    if (n > ROWS_MOST)
        return error_invalid(error, "the %s has %d rows; curves are limited to %d eigenvalues",
                             t->options->continuous ? "continuous system" : "map", n, ROWS_MOST);
    if (!t->options->continuous)
        map_spectrum(t, &point, &coupling, s);
    else if ((status = continuous_spectrum(t, &point, s, error)) != COSTAB_OK)
        return status;
    s->n = s->known ? (size_t)n : 0;
    return COSTAB_OK;
}

/* Returns the distance of an eigenvalue beyond the limit. */
static double beyond_of(const tracer *t, costab_complex z) {
    return eigen_beyond(t->options->continuous ? EIGEN_AXIS : EIGEN_CIRCLE, z.re, z.im);
}

/* ---- Matching */

static double distance(costab_complex a, costab_complex b) {
    return hypot(a.re - b.re, a.im - b.im);
}

/* Computes one augmenting path of the Hungarian method from row `row`; rows and columns start at 1. */
static void augment(const spectrum *a, const spectrum *b, size_t n, size_t row, double *u, double *v,
                    size_t *column_row) {
    double least[ROWS_MOST + 1];
    size_t way[ROWS_MOST + 1], column = 0;
    bool used[ROWS_MOST + 1] = {false};
    for (size_t j = 0; j <= n; j++) least[j] = (double)INFINITY;
    column_row[0] = row;
    do {
        size_t i = column_row[column], next = 0;
        double delta = (double)INFINITY;
        used[column] = true;
        for (size_t j = 1; j <= n; j++) {
            if (used[j]) continue;
            double rest = distance(a->values[i - 1], b->values[j - 1]) - u[i] - v[j];
            if (rest < least[j]) {
                least[j] = rest;
                way[j] = column;
            }
            if (least[j] < delta) {
                delta = least[j];
                next = j;
            }
        }
        for (size_t j = 0; j <= n; j++) {
            if (used[j]) {
                u[column_row[j]] += delta;
                v[j] -= delta;
            } else {
                least[j] -= delta;
            }
        }
        column = next;
    } while (column_row[column] != 0);
    for (; column != 0; column = way[column]) column_row[column] = column_row[way[column]];
}

/* Returns true if another eigenvalue may be the continuation of the r-th one, or vice versa. Equal
 * eigenvalues and those near 0 do not count. */
static bool is_ambiguous(const spectrum *a, const spectrum *b, size_t n, size_t r, const size_t *match) {
    costab_complex from = a->values[r], to = b->values[match[r]];
    double moved = distance(from, to), origin = ORIGIN * a->unit;
    if (modulus(from) < origin && modulus(to) < origin) return false;
    if (moved <= SAME * fmax(a->unit, modulus(from))) return false;
    for (size_t q = 0; q < n; q++) {
        double same = SAME * fmax(b->unit, modulus(to));
        bool twins = distance(from, a->values[q]) <= same && distance(to, b->values[match[q]]) <= same;
        if (q == r || twins) continue;
        if (distance(from, b->values[match[q]]) < CLEAR * moved || distance(a->values[q], to) < CLEAR * moved)
            return true;
    }
    return false;
}

/* Matches b's eigenvalues with a's in t->match and fills t->ambiguous. Returns true if any match is
 * ambiguous. */
static bool match_spectra(tracer *t, const spectrum *a, const spectrum *b) {
    double u[ROWS_MOST + 1] = {0}, v[ROWS_MOST + 1] = {0};
    size_t column_row[ROWS_MOST + 1] = {0};
    bool any = false;
    for (size_t row = 1; row <= a->n; row++) augment(a, b, a->n, row, u, v, column_row);
    for (size_t j = 1; j <= a->n; j++) t->match[column_row[j] - 1] = j - 1;
    for (size_t r = 0; r < a->n; r++) {
        t->ambiguous[r] = is_ambiguous(a, b, a->n, r, t->match);
        any = any || t->ambiguous[r];
    }
    return any;
}

/* ---- Crossings */

/* Returns true if crossings are equal but for rounding. unit: size of the eigenvalues. */
static bool same_crossing(const tracer *t, const costab_locus_crossing *a, const costab_locus_crossing *b,
                          double unit) {
    const double range = t->options->upper - t->options->lower;
    return fabs(a->value - b->value) <= NEAR * fabs(b->value) + SURE * range &&
           hypot(a->re - b->re, a->im - b->im) <= NEAR * hypot(b->re, b->im) + SURE * unit;
}

/* Adds a crossing. If an equal one exists, the new one replaces it if `known`; otherwise they become one.
 * unit: see same_crossing. */
static costab_status add_crossing(const tracer *t, const costab_locus_crossing *new, bool known, double unit,
                                  costab_error *error) {
    costab_locus *l = t->locus;
    for (size_t i = 0; i < l->crossing_count; i++) {
        costab_locus_crossing *old = &l->crossings[i];
        if (!same_crossing(t, old, new, unit)) continue;
        if (known || old->stability == COSTAB_LOCUS_UNSTABLE)
            *old = *new;
        else if (new->stability != COSTAB_LOCUS_UNSTABLE &&new->stability != old->stability)
            old->stability = COSTAB_LOCUS_UNSTABLE; /* one eigenvalue leaves, another one enters */
        return COSTAB_OK;
    }
    TRY(memory_reserve(&l->crossings, &l->crossing_capacity, l->crossing_count + 1, error));
    l->crossings[l->crossing_count++] = *new;
    return COSTAB_OK;
}

/* Returns true if an eigenvalue is further from its limit than rounding can move it. */
static bool is_sure(const spectrum *s, costab_complex z, double beyond) {
    return fabs(beyond) > fmax(s->rounding, SURE * modulus(z));
}

/* Distance of eigenvalues, or of one and the other's conjugate. */
static double distance_of_pairs(costab_complex a, costab_complex b) {
    return hypot(a.re - b.re, fabs(a.im) - fabs(b.im));
}

/* For the continuous system: determines if all other eigenvalues are stable at the crossing of z, so
 * stability ends or starts there. s: the spectrum there, or next to it. The eigenvalue nearest to z is z. */
static costab_locus_stability stability_at(const tracer *t, const spectrum *s, costab_complex z,
                                           bool outwards) {
    double nearest = (double)INFINITY;
    for (size_t q = 0; q < s->n; q++) nearest = fmin(nearest, distance_of_pairs(s->values[q], z));
    const double same = fmax(nearest, NEAR * modulus(z) + SURE * s->unit);
    for (size_t q = 0; q < s->n; q++) {
        costab_complex other = s->values[q];
        double beyond = beyond_of(t, other);
        if (beyond > 0 && is_sure(s, other, beyond) && distance_of_pairs(other, z) > same)
            return COSTAB_LOCUS_UNSTABLE;
    }
    return outwards ? COSTAB_LOCUS_ENDS : COSTAB_LOCUS_BEGINS;
}

/* Finds a crossing by Brent's method between two values with one eigenvalue on different sides. In between,
 * it is identified as the eigenvalue closest to the linear interpolation. */
static costab_status find_crossing(tracer *t, last_side from, last_side to, costab_error *error) {
    bool outwards = to.beyond > 0;
    spectrum *s = &t->probe;
    root r = root_start((const double[]){from.at, to.at}, (const double[]){from.beyond, to.beyond});
    double place;
    while (root_next(&r, &place)) {
        double share = (place - from.at) / (to.at - from.at);
        costab_complex expected = {from.value.re + share * (to.value.re - from.value.re),
                                   from.value.im + share * (to.value.im - from.value.im)};
        costab_status status = find_spectrum(t, place, s, error);
        if (status || s->n == 0) return status;
        costab_complex z = s->values[0];
        for (size_t q = 1; q < s->n; q++)
            if (distance(s->values[q], expected) < distance(z, expected)) z = s->values[q];
        double beyond = beyond_of(t, z);
        root_set_value(&r, beyond);
        *((beyond > 0) == outwards ? &to : &from) = (last_side){place, beyond, z};
    }
    costab_complex z = fabs(to.beyond) < fabs(from.beyond) ? to.value : from.value;
    double turn = t->options->continuous ? z.im : atan2(z.im, z.re) / s->span;
    const costab_locus_crossing new = {.value = root_line_zero(&r) + 0.0, /* not -0 */
                                       .re = z.re,
                                       .im = fabs(z.im),
                                       .frequency = fabs(turn) / (2 * acos(-1)),
                                       .stability = t->options->continuous ? stability_at(t, s, z, outwards)
                                                                           : COSTAB_LOCUS_UNSTABLE};
    return add_crossing(t, &new, false, s->unit, error);
}

/* Updates the last certain side of each curve, and finds a crossing if it changed. */
static costab_status detect_crossings(tracer *t, const spectrum *s, const bool *ambiguous,
                                      costab_error *error) {
    for (size_t r = 0; r < t->n; r++) {
        last_side *last = &t->last[r];
        const bool has = r < s->n;
        if (!has || ambiguous == NULL || ambiguous[r]) last->beyond = 0;
        if (!has) continue;
        const last_side now = {s->at, beyond_of(t, s->values[r]), s->values[r]};
        if (!is_sure(s, now.value, now.beyond)) continue;
        if (last->beyond * now.beyond < 0 && now.value.im >= 0) TRY(find_crossing(t, *last, now, error));
        *last = now;
    }
    return COSTAB_OK;
}

/* ---- Curves */

/* Adds curves, which have no eigenvalues at the values so far. */
static costab_status add_curves(tracer *t, size_t n, costab_error *error) {
    static const locus_row none = {{(double)NAN, (double)NAN}, false};
    TRY(memory_reserve(&t->rows, &t->row_capacity, t->locus->count * n + 1, error));
    for (size_t i = t->locus->count; i > 0; i--)
        for (size_t r = n; r > 0; r--)
            t->rows[(i - 1) * n + r - 1] = r <= t->n ? t->rows[(i - 1) * t->n + r - 1] : none;
    t->n = n;
    return COSTAB_OK;
}

/* Appends a spectrum; its r-th eigenvalue is on curve r. `ambiguous`: broken curves; NULL: all. */
static costab_status append_spectrum(tracer *t, const spectrum *s, const bool *ambiguous,
                                     costab_error *error) {
    static const costab_complex none = {(double)NAN, (double)NAN};
    costab_locus *l = t->locus;
    if (s->n > t->n) TRY(add_curves(t, s->n, error));
    size_t n = t->n, first = l->count * n;
    TRY(memory_reserve(&l->at, &l->capacity, l->count + 1, error));
    TRY(memory_reserve(&t->rows, &t->row_capacity, first + n, error));
    l->at[l->count++] = s->at;
    for (size_t r = 0; r < n; r++)
        t->rows[first + r] =
            (locus_row){r < s->n ? s->values[r] : none, r < s->n && ambiguous != NULL && !ambiguous[r]};
    return detect_crossings(t, s, ambiguous, error);
}

/* Reorders the eigenvalues of b by t->match into the order of the curves, and appends them. */
static costab_status append_matched(tracer *t, spectrum *b, costab_error *error) {
    costab_complex values[ROWS_MOST];
    bool ambiguous[ROWS_MOST];
    for (size_t r = 0; r < b->n; r++) {
        values[r] = b->values[t->match[r]];
        ambiguous[r] = t->ambiguous[r];
        t->locus->broken += ambiguous[r];
    }
    memcpy(b->values, values, b->n * sizeof *values);
    return append_spectrum(t, b, ambiguous, error);
}

static double between(const tracer *t, double a, double b) {
    return t->logarithmic ? sqrt(a) * sqrt(b) : a + (b - a) / 2;
}

/* Appends b after spectrum a, with intermediate spectra as long as matches are ambiguous or the numbers of
 * eigenvalues differ. */
static costab_status refine_between(tracer *t, const spectrum *a, spectrum *b, int depth,
                                    costab_error *error) {
    if (!a->known || !b->known) return append_spectrum(t, b, NULL, error);
    const bool same = a->n == b->n, clear = same && !match_spectra(t, a, b);
    if (clear || depth >= DEPTH || t->halvings >= HALVINGS_MOST)
        return same ? append_matched(t, b, error) : append_spectrum(t, b, NULL, error);
    memory_local_array(spectrum, middle, 1, error);
    t->halvings++;
    TRY(find_spectrum(t, between(t, a->at, b->at), middle, error));
    TRY(refine_between(t, a, middle, depth + 1, error));
    return refine_between(t, middle, b, depth + 1, error);
}

/* Computes all spectra of the range. */
static costab_status trace_range(tracer *t, spectrum pair[2], costab_error *error) {
    const costab_locus_options *o = t->options;
    size_t points = o->points > 0 ? o->points : POINTS;
    for (size_t i = 0; i < points; i++) {
        double share = (double)i / (double)(points - 1);
        double at = t->logarithmic ? o->lower * pow(o->upper / o->lower, share)
                                   : o->lower + share * (o->upper - o->lower);
        spectrum *now = &pair[i % 2];
        TRY(find_spectrum(t, i + 1 == points ? o->upper : at, now, error));
        if (t->n == 0 && now->n == 0) continue; /* skips values before the first map */
        TRY(t->locus->count == 0 ? append_spectrum(t, now, NULL, error)
                                 : refine_between(t, &pair[1 - i % 2], now, 0, error));
    }
    if (t->n == 0)
        return error_set(error, t->first.status ? t->first.status : COSTAB_INVALID, "%s",
                         t->first.status          ? t->first.message
                         : t->options->continuous ? "the continuous system has no states"
                                                  : "the map has no states, or overflows at all values");
    return COSTAB_OK;
}

/* Converts rows per value to rows per curve. */
static costab_status transpose_curves(const tracer *t, costab_locus *l, costab_error *error) {
    size_t n = l->curves = t->n;
    TRY(memory_make(&l->re, n * l->count, error));
    TRY(memory_make(&l->im, n * l->count, error));
    TRY(memory_make(&l->joined, n * l->count, error));
    for (size_t i = 0; i < l->count * n; i++) {
        size_t to = i % n * l->count + i / n;
        l->re[to] = t->rows[i].z.re;
        l->im[to] = t->rows[i].z.im;
        l->joined[to] = t->rows[i].joined;
    }
    return COSTAB_OK;
}

/* ---- Ends of stability */

/* Adds the crossing at an end of stability, with the eigenvalue nearest to the circle; nothing if none is
 * near, as for a diverging iteration. */
static costab_status add_end(tracer *t, costab_locus_crossing new, costab_error *error) {
    spectrum *s = &t->probe;
    costab_status status = find_spectrum(t, new.value, s, error);
    size_t nearest = 0;
    for (size_t r = 1; r < s->n && !status; r++)
        if (fabs(beyond_of(t, s->values[r])) < fabs(beyond_of(t, s->values[nearest]))) nearest = r;
    if (status || s->n == 0 || fabs(beyond_of(t, s->values[nearest])) > ON) return status;
    new.re = s->values[nearest].re;
    new.im = fabs(s->values[nearest].im);
    return add_crossing(t, &new, true, s->unit, error);
}

static bool report_progress(void *context, double share, size_t evaluations) {
    const tracer *t = context;
    (void)share;
    (void)evaluations;
    return t->options->progress != NULL && t->options->progress(t->options->progress_context, 1);
}

/* Returns how stability changes at an end of a limit, as the parameter increases: above 0 it begins, below 0
 * it ends, 0: it does not change, or the end is no crossing. end: 2 p for the start of piece p, 2 p + 1 for
 * its end. A marginally stable piece is between stable and unstable. */
static int stability_gained(const costab_limit *found, size_t end) {
    const size_t p = end / 2;
    const costab_piece *piece = &found->pieces[p];
    const bool upper = end % 2 == 1;
    if ((upper ? piece->to_is : piece->from_is) != COSTAB_END_LIMIT ||
        piece->class_code == COSTAB_CLASS_UNDECIDED)
        return 0;
    const costab_piece *next = upper && p + 1 < found->count ? piece + 1 : NULL;
    if (!upper && p > 0 && piece[-1].to == piece->from) return 0; /* see the end of the piece before */
    const int here = (piece->class_code & COSTAB_DISCRETE_STABLE) != 0 ? 2 : 1;
    int there = 0;
    if (next != NULL && next->from == piece->to)
        there = (next->class_code & COSTAB_DISCRETE_STABLE) != 0 ? 2 : 1;
    return upper ? there - here : here;
}

/* Computes the complete limit and adds a crossing at each of its ends where stability changes. */
static costab_status mark_ends(tracer *t, costab_error *error) {
    const costab_analysis_limit_options options = {.lower = t->options->lower,
                                                   .upper = t->options->upper,
                                                   .threads = 1,
                                                   .spacing = t->logarithmic ? COSTAB_SPACING_LOG
                                                                             : COSTAB_SPACING_LINEAR,
                                                   .progress = report_progress,
                                                   .progress_context = t};
    ends_by(analysis_limit_free) costab_analysis_limit limit = {.single = false};
    TRY(analysis_limit_find(&t->family, &options, &limit, error));
    if (limit.single)
        return error_invalid(
            error, "curves over this parameter: the map is defined at single values of it only, and "
                   "has no curve between them; costab limit finds which of them are stable");
    size_t ends = 2 * limit.found.count;
    memory_local_array(costab_limit_cause, causes, ends + 1, error);
    TRY(analysis_limit_causes(&t->family, &limit, causes, error));
    for (size_t i = 0; i < ends; i++) {
        const costab_piece *piece = &limit.found.pieces[i / 2];
        const bool end = i % 2 == 1;
        t->locus->undecided = t->locus->undecided || piece->class_code == COSTAB_CLASS_UNDECIDED;
        const int gain = stability_gained(&limit.found, i);
        if (gain != 0)
            TRY(add_end(
                t,
                (costab_locus_crossing){.value = end ? piece->to : piece->from,
                                        .frequency = causes[i].frequency,
                                        .stability = gain < 0 ? COSTAB_LOCUS_ENDS : COSTAB_LOCUS_BEGINS},
                error));
    }
    return COSTAB_OK;
}

static int by_value(const void *left, const void *right) {
    double a = ((const costab_locus_crossing *)left)->value,
           b = ((const costab_locus_crossing *)right)->value;
    return (a > b) - (a < b);
}

costab_status costab_model_locus(const costab_variant *asked, int c, const char *parameter,
                                 const costab_locus_options *options, costab_locus *locus,
                                 costab_error *error) {
    const double range[] = {options->lower, options->upper};
    ends_by(analysis_owned_family_free) analysis_owned_family owned = {.variant = {.model = NULL}};
    *locus = (costab_locus){.count = 0};
    if (!(isfinite(range[0]) && isfinite(range[1]) && range[0] < range[1]))
        return error_invalid(error, "the range %g:%g is empty or not finite; give LO:HI with LO < HI",
                             range[0], range[1]);
    if (options->points == 1 || options->points > POINTS_MOST)
        return error_invalid(error, "a locus has 2 to %d values (0: %d), not %zu", POINTS_MOST, POINTS,
                             options->points);
    memory_local tracer *t = memory_alloc(1, sizeof *t);
    memory_local spectrum *pair = memory_alloc(2, sizeof *pair);
    costab_status status = t && pair ? COSTAB_OK : error_memory(error);
    if (!status) status = analysis_owned_family_make(&owned, asked, c, parameter, range, error);
    if (!status) {
        t->family = owned.family;
        t->options = options;
        t->locus = locus;
        t->logarithmic = range[0] > 0 && range[1] >= RATIO * range[0];
        status = trace_range(t, pair, error);
    }
    if (!status) status = transpose_curves(t, locus, error);
    if (!status && !options->continuous) status = mark_ends(t, error);
    if (locus->crossing_count > 0)
        qsort(locus->crossings, locus->crossing_count, sizeof *locus->crossings, by_value);
    if (t != NULL) memory_free_all(t->work, t->iwork, t->rows);
    return status;
}

void costab_locus_free(costab_locus *locus) {
    memory_free_all(locus->at, locus->re, locus->im, locus->joined, locus->crossings);
    *locus = (costab_locus){.count = 0};
}
