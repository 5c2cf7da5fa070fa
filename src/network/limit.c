/* The stable intervals of one parameter: samples, a closer look at extrema that come near the limit,
 * bisection.
 *
 * A place is a position on the range; what is known of it are the two bits of its class. Where the radius has
 * an extremum between samples that may pass 1, or the abscissa one that may pass 0, a golden-section search
 * looks for a place of another class there and adds it. Then each pair of neighbours of different class is
 * bisected. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "network/clock.h"

enum { SAMPLES_DEFAULT = 1000, WHOLE_SAMPLES = 20000, SEARCH_MAX = 60, BISECTIONS_MAX = 400 };
#define END_TOLERANCE 1e-12
#define GOLDEN        0.61803398874989484820

/* One place: discrete and continuous margins, below 0 where stable. */
typedef struct place {
    double at; /* the parameter, or the number of the multiple */
    double margin[2];
    unsigned bits;
} place;

typedef struct limit {
    const costab_limit_options *options;
    costab_limit_function evaluate;
    void *context;
    place *places;
    size_t count, capacity;
} limit;

static double value_of(const limit *l, double at) {
    return l->options->unit > 0 ? at * l->options->unit : at;
}

static costab_status look(const limit *l, double at, place *found, costab_error *error) {
    costab_network_point point;
    costab_status status = l->evaluate(l->context, value_of(l, at), &point, error);
    if (status != COSTAB_OK) return status;
    double radius = point.spectral_radius + point.rounding;
    if (l->options->converged && !(point.iteration_radius <= radius)) radius = point.iteration_radius;
    *found = (place){.at = at, .bits = point.class_code};
    found->margin[0] = radius - 1;
    found->margin[1] = point.spectral_abscissa + point.abscissa_rounding;
    return COSTAB_OK;
}

static costab_status add(limit *l, place found, costab_error *error) {
    if (l->count == l->capacity) {
        size_t wanted = 2 * l->capacity + 64;
        place *grown = memory_resize(l->places, wanted, sizeof *grown);
        if (grown == NULL) return error_memory(error);
        l->places = grown;
        l->capacity = wanted;
    }
    l->places[l->count++] = found;
    return COSTAB_OK;
}

static costab_status sample(limit *l, costab_error *error) {
    const costab_limit_options *o = l->options;
    bool whole = o->unit > 0;
    double samples = o->samples > 0 ? o->samples : SAMPLES_DEFAULT;
    double first = o->lower, last = o->upper, stride = (last - first) / (samples - 1);
    if (whole) {
        first = fmax(1, ceil(o->lower / o->unit * (1 - 1e-12)));
        last = floor(o->upper / o->unit * (1 + 1e-12));
        stride = fmax(1, ceil((last - first) / fmax(samples, WHOLE_SAMPLES)));
        samples = floor((last - first) / stride) + 1;
    }
    costab_status status = COSTAB_OK;
    for (double i = 0; i < samples && status == COSTAB_OK; i++) {
        place found;
        status = look(l, i + 1 == samples ? last : first + i * stride, &found, error);
        if (status == COSTAB_OK) status = add(l, found, error);
    }
    if (whole && status == COSTAB_OK && l->count > 0 && l->places[l->count - 1].at < last) {
        place found;
        status = look(l, last, &found, error);
        if (status == COSTAB_OK) status = add(l, found, error);
    }
    return status;
}

/* Whether the extremum near b, between a and c, may pass 0: it is as near as the margins move between
 * samples. */
static bool worth_a_look(const place *a, const place *b, const place *c, int which) {
    double m = b->margin[which], left = a->margin[which] - m, right = c->margin[which] - m;
    bool extremum = m < 0 ? left <= 0 && right <= 0 : left >= 0 && right >= 0;
    return extremum && fabs(m) <= 2 * (fabs(left) + fabs(right));
}

/* Golden-section search for a place where the margin has the other sign than at b. */
static costab_status search(limit *l, double a, double c, int which, bool stable, costab_error *error) {
    double sign = stable ? -1 : 1; /* looks for the largest margin from stable, the smallest from unstable */
    double x1 = c - GOLDEN * (c - a), x2 = a + GOLDEN * (c - a);
    place p1, p2;
    costab_status status = look(l, x1, &p1, error);
    if (status == COSTAB_OK) status = look(l, x2, &p2, error);
    for (int i = 0; i < SEARCH_MAX && status == COSTAB_OK; i++) {
        unsigned bit = which == 0 ? COSTAB_DISCRETE_STABLE : COSTAB_CONTINUOUS_STABLE;
        if (((p1.bits & bit) != 0) != stable) return add(l, p1, error);
        if (((p2.bits & bit) != 0) != stable) return add(l, p2, error);
        if (sign * p1.margin[which] < sign * p2.margin[which]) {
            c = x2;
            x2 = x1;
            p2 = p1;
            x1 = c - GOLDEN * (c - a);
            status = look(l, x1, &p1, error);
        } else {
            a = x1;
            x1 = x2;
            p1 = p2;
            x2 = a + GOLDEN * (c - a);
            status = look(l, x2, &p2, error);
        }
    }
    return status;
}

static void sort_places(limit *l) {
    for (size_t i = 1; i < l->count; i++) {
        place moved = l->places[i];
        size_t at = i;
        for (; at > 0 && l->places[at - 1].at > moved.at; at--) l->places[at] = l->places[at - 1];
        l->places[at] = moved;
    }
}

static costab_status look_closer(limit *l, costab_error *error) {
    size_t sampled = l->count;
    costab_status status = COSTAB_OK;
    for (size_t i = 0; i < sampled && sampled > 1; i++)
        for (int which = 0; which < 2 && status == COSTAB_OK; which++) {
            size_t left = i > 0 ? i - 1 : 0, right = i + 1 < sampled ? i + 1 : i;
            place a = l->places[left], b = l->places[i], c = l->places[right];
            unsigned bit = which == 0 ? COSTAB_DISCRETE_STABLE : COSTAB_CONTINUOUS_STABLE;
            bool stable = (b.bits & bit) != 0;
            if (((a.bits & bit) != 0) != stable || ((c.bits & bit) != 0) != stable) continue;
            if (worth_a_look(&a, &b, &c, which)) status = search(l, a.at, c.at, which, stable, error);
        }
    if (status == COSTAB_OK) sort_places(l);
    return status;
}

/* Narrows [a, b], whose classes differ in `bit`, until its ends are one boundary. */
static costab_status bisect(const limit *l, place *a, place *b, unsigned bit, costab_error *error) {
    bool whole = l->options->unit > 0;
    for (int i = 0; i < BISECTIONS_MAX; i++) {
        double middle = a->at + (b->at - a->at) / 2;
        if (whole) middle = floor(middle);
        if (middle <= a->at || middle >= b->at) break;
        if (!whole && b->at - a->at <= END_TOLERANCE * fmax(fabs(a->at), fabs(b->at))) break;
        place found;
        costab_status status = look(l, middle, &found, error);
        if (status != COSTAB_OK) return status;
        *((found.bits & bit) == (a->bits & bit) ? a : b) = found;
    }
    return COSTAB_OK;
}

/* ---- Intervals
 * ----------------------------------------------------------------------------------------------- */

typedef struct writer {
    costab_stable_interval *intervals, current;
    size_t capacity, count;
    bool open;
} writer;

static void begin_interval(writer *w, double from, bool open_end, unsigned bits) {
    w->current = (costab_stable_interval){.from = from, .from_open = open_end, .class_code = (uint8_t)bits};
    w->open = true;
}

static void end_interval(writer *w, double to, bool open_end) {
    if (!w->open) return;
    w->open = false;
    w->current.to = to;
    w->current.to_open = open_end;
    if (w->count < w->capacity) w->intervals[w->count] = w->current;
    w->count++;
}

/* From place a (a neighbour, or a found boundary's far side) to b, one boundary at a time. */
static costab_status cross(const limit *l, writer *w, place a, place b, costab_error *error) {
    for (int guard = 0; guard < 8 && a.bits != b.bits; guard++) {
        unsigned differing = a.bits ^ b.bits, first = 0;
        place near = b, far = b;
        for (unsigned bit = 1; bit <= 2; bit <<= 1) {
            if ((differing & bit) == 0) continue;
            place left = a, right = b;
            costab_status status = bisect(l, &left, &right, bit, error);
            if (status != COSTAB_OK) return status;
            if (first == 0 || right.at < far.at) near = left, far = right, first = bit;
        }
        /* A bit that changed back and forth inside is seen from the far side again. */
        if ((a.bits & COSTAB_DISCRETE_STABLE) != 0) end_interval(w, value_of(l, near.at), true);
        if ((far.bits & COSTAB_DISCRETE_STABLE) != 0) begin_interval(w, value_of(l, far.at), true, far.bits);
        a = far;
    }
    return COSTAB_OK;
}

static costab_status write_intervals(const limit *l, writer *w, costab_error *error) {
    if (l->count == 0) return COSTAB_OK;
    const place *first = &l->places[0], *last = &l->places[l->count - 1];
    if ((first->bits & COSTAB_DISCRETE_STABLE) != 0)
        begin_interval(w, value_of(l, first->at), false, first->bits);
    costab_status status = COSTAB_OK;
    for (size_t i = 0; i + 1 < l->count && status == COSTAB_OK; i++)
        status = cross(l, w, l->places[i], l->places[i + 1], error);
    end_interval(w, value_of(l, last->at), false);
    return status;
}

costab_status costab_network_limit(const costab_limit_options *options, costab_limit_function evaluate,
                                   void *context, costab_stable_interval *intervals, size_t capacity,
                                   size_t *count, costab_error *error) {
    *count = 0;
    if (!isfinite(options->lower) || !isfinite(options->upper) || !(options->lower < options->upper))
        return error_set(error, COSTAB_INVALID,
                         "the range %g:%g is empty or not finite; give LO:HI with LO < HI", options->lower,
                         options->upper);
    if (options->samples == 1 || options->samples < 0)
        return error_set(error, COSTAB_INVALID, "%d samples; at least 2 are needed", options->samples);
    limit l = {.options = options, .evaluate = evaluate, .context = context};
    writer w = {.intervals = intervals, .capacity = capacity};
    costab_status status = sample(&l, error);
    if (status == COSTAB_OK && !(options->unit > 0)) status = look_closer(&l, error);
    if (status == COSTAB_OK) status = write_intervals(&l, &w, error);
    memory_free(l.places);
    *count = w.count;
    return status;
}

costab_status costab_network_macro_unit(const costab_network *network, double *unit, costab_error *error) {
    int64_t multiple = 1, divisor = 0;
    double base = 0;
    *unit = 0;
    costab_status status = costab_network_check(network, error);
    if (status) return status;
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *subsystem = &network->subsystems[s];
        if (subsystem->substeps > 0) continue;
        if (base == 0) base = subsystem->step;
        int64_t p, q;
        bool found = clock_fraction(subsystem->step / base, COSTAB_CLOCK_PARTS, &p, &q);
        if (found) multiple = clock_lcm(multiple, p, COSTAB_SUBSTEPS_MAX);
        char shown[2][NUMBER_SHOWN_MAX];
        if (!found || multiple == 0)
            return error_set(
                error, COSTAB_INVALID,
                "the steps %s and %s of the subsystems have no common multiple within %d steps: take "
                "micro_steps: clocks or real-power, or substeps",
                number_shortest(base, shown[0]), number_shortest(subsystem->step, shown[1]),
                COSTAB_SUBSTEPS_MAX);
        int64_t a = divisor, b = q;
        while (b != 0) {
            int64_t rest = a % b;
            a = b;
            b = rest;
        }
        divisor = a;
    }
    if (base > 0) *unit = base * (double)multiple / (double)divisor;
    return COSTAB_OK;
}
