/* Cycles of steps that grow: short words over some steps of a range, whose steps are then moved inside it.
 *
 * The growth ln rho(product), per step or per second, is a lower bound whatever the steps are; that no cycle
 * is better is not claimed. */
#include "proof/pattern_range.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/eigen.h"
#include "method/matrix.h"

enum { LETTERS = 9, WORD_MAX = 12, SHORT = 5, BEST = 5, SWEEPS = 40, SECTIONS = 24 };

typedef struct word {
    int length;
    double steps[WORD_MAX], growth;
} word;

typedef struct hunt {
    pattern_range *range;
    bool timed;
    int n, count;
    double letters[LETTERS]; /* some steps */
    double *maps;            /* of each of them, after each of them where that matters */
    word best[BEST];         /* the largest first */
    double *products, *map, *work;
    int *iwork;
} hunt;

/* ---- Words ---- */

/* Keeps a word among the best, unless one of the same steps is there. */
static void keep(hunt *h, const word *w) {
    int at = BEST;
    double sum = 0;
    for (int k = 0; k < w->length; k++) sum += w->steps[k];
    for (int i = 0; i < BEST; i++) {
        double other = 0;
        for (int k = 0; k < h->best[i].length; k++) other += h->best[i].steps[k];
        bool same = h->best[i].length == w->length && fabs(other - sum) <= 1e-12 * sum;
        if (same && fabs(h->best[i].growth - w->growth) <= 1e-12 * fabs(w->growth)) return;
    }
    while (at > 0 && h->best[at - 1].growth < w->growth) at--;
    if (at == BEST) return;
    memmove(h->best + at + 1, h->best + at, (size_t)(BEST - 1 - at) * sizeof *h->best);
    h->best[at] = *w;
}

/* ln rho of the product of a word's maps, divided by what it counts. */
static double growth_of(hunt *h, const double *product, const word *w) {
    double length = 0;
    for (int k = 0; k < w->length; k++) length += h->timed ? w->steps[k] : 1;
    double radius = ln_radius(h->n, product, h->work, h->iwork);
    return isnan(radius) ? -(double)INFINITY : radius / length;
}

/* The product so far, times the k-th map of a word. */
static void take_map(hunt *h, int k, const double *map) {
    size_t cells = (size_t)(h->n * h->n);
    double *product = h->products, *swap = product + cells;
    if (k == 0) {
        memcpy(product, map, cells * sizeof *product);
        return;
    }
    matrix_multiply(h->n, h->n, h->n, map, product, swap);
    memcpy(product, swap, cells * sizeof *product);
}

/* Tries a word of letters. A map stands where its own letter and those before it say, the word being taken
 * again and again. */
static void try_letters(hunt *h, const int *letters, int length) {
    size_t cells = (size_t)(h->n * h->n);
    word w = {.length = length};
    for (int k = 0; k < length; k++) {
        size_t place = 0;
        for (int before = h->range->steps - 1; before >= 0; before--)
            place = place * (size_t)h->count + (size_t)letters[(k + before * (length - 1)) % length];
        w.steps[k] = h->letters[letters[k]];
        take_map(h, k, h->maps + place * cells);
    }
    w.growth = growth_of(h, h->products, &w);
    keep(h, &w);
}

/* All words of up to SHORT letters, the first letter the largest: a cycle may begin anywhere. */
static void short_words(hunt *h, int *letters, int length) {
    for (int i = 0; i <= (length == 0 ? h->count - 1 : letters[0]); i++) {
        letters[length] = i;
        try_letters(h, letters, length + 1);
        if (length + 1 < SHORT) short_words(h, letters, length + 1);
    }
}

/* One letter some times, then another one some times. */
static void two_letters(hunt *h, int i, int j) {
    int letters[WORD_MAX];
    for (int p = 1; p <= WORD_MAX - 1; p++)
        for (int q = 1; q <= WORD_MAX - p; q++) {
            for (int k = 0; k < p + q; k++) letters[k] = k < p ? i : j;
            if (p + q > SHORT) try_letters(h, letters, p + q);
        }
}

/* ---- Steps that move ---- */

/* The growth of a word with any steps. */
static costab_status evaluate(hunt *h, word *w, costab_error *error) {
    double steps[RANGE_STEPS_MAX];
    for (int k = 0; k < w->length; k++) {
        for (int before = 0; before < h->range->steps; before++)
            steps[before] = w->steps[(k + before * (w->length - 1)) % w->length];
        costab_status status = step_map_at(h->range->maps, steps, h->range->steps, h->map, error);
        if (status) return status;
        take_map(h, k, h->map);
    }
    w->growth = growth_of(h, h->products, w);
    return COSTAB_OK;
}

/* Tries a word with another step at one place, and takes it if it grows more. */
static costab_status try_step(hunt *h, word *w, int place, double step, double *growth, costab_error *error) {
    word tried = *w;
    tried.steps[place] = fmin(fmax(step, h->range->from), h->range->to);
    costab_status status = evaluate(h, &tried, error);
    *growth = tried.growth;
    if (!status && tried.growth > w->growth) *w = tried;
    return status;
}

/* Golden section around one step of a word. */
static costab_status move_step(hunt *h, word *w, int place, double span, costab_error *error) {
    const double ratio = 0.5 * (sqrt(5) - 1);
    double low = fmax(w->steps[place] - span, h->range->from),
           high = fmin(w->steps[place] + span, h->range->to), growth;
    costab_status status = try_step(h, w, place, low, &growth, error);
    if (!status) status = try_step(h, w, place, high, &growth, error);
    for (int i = 0; i < SECTIONS && !status; i++) {
        double left = high - ratio * (high - low), right = low + ratio * (high - low), at_left, at_right = 0;
        status = try_step(h, w, place, left, &at_left, error);
        if (!status) status = try_step(h, w, place, right, &at_right, error);
        if (at_left > at_right)
            high = right;
        else
            low = left;
    }
    return status;
}

static costab_status improve(hunt *h, word *w, costab_error *error) {
    double span = (h->range->to - h->range->from) / (LETTERS - 1);
    costab_status status = COSTAB_OK;
    for (int sweep = 0; sweep < SWEEPS && !status; sweep++) {
        double before = w->growth;
        for (int k = 0; k < w->length && !status; k++) status = move_step(h, w, k, span, error);
        if (!(w->growth - before > 1e-13 * fabs(before)) && sweep > 2) break;
        span *= 0.6;
    }
    return status;
}

/* The part that a word repeats, or all of it. */
static int period_of(const word *w) {
    for (int period = 1; period < w->length; period++) {
        bool repeats = w->length % period == 0;
        for (int k = period; k < w->length && repeats; k++) repeats = w->steps[k] == w->steps[k % period];
        if (repeats) return period;
    }
    return w->length;
}

/* ---- Both ---- */

/* How many maps the letters have. */
static size_t map_count(const hunt *h) {
    size_t count = 1;
    for (int k = 0; k < h->range->steps; k++) count *= (size_t)h->count;
    return count;
}

static costab_status allocate(hunt *h, costab_error *error) {
    size_t cells = (size_t)(h->n * h->n);
    h->maps = memory_alloc(map_count(h) * cells + 1, sizeof(double));
    h->products = memory_alloc(2 * cells + 1, sizeof(double));
    h->map = memory_alloc(cells + 1, sizeof(double));
    h->work = memory_alloc(eigen_work(h->n) + 2 * (size_t)h->n + 1, sizeof(double));
    h->iwork = memory_alloc(eigen_iwork(h->n) + 1, sizeof(int));
    return h->maps && h->products && h->map && h->work && h->iwork ? COSTAB_OK : error_memory(error);
}

/* The letters: both ends, and steps between them, the short ones closer. */
static costab_status choose_letters(hunt *h, costab_error *error) {
    size_t cells = (size_t)(h->n * h->n), count = map_count(h);
    const pattern_range *r = h->range;
    costab_status status = COSTAB_OK;
    for (int i = 0; i < h->count; i++) {
        double t = h->count > 1 ? (double)i / (h->count - 1) : 1;
        h->letters[i] = i + 1 == h->count ? r->to : r->from + pow(t, 1.5) * (r->to - r->from);
    }
    for (size_t i = 0; i < count && !status; i++) {
        double steps[RANGE_STEPS_MAX];
        size_t place = i;
        for (int k = 0; k < r->steps; k++, place /= (size_t)h->count)
            steps[k] = h->letters[place % (size_t)h->count];
        status = step_map_at(r->maps, steps, r->steps, h->maps + i * cells, error);
    }
    return status;
}

costab_status pattern_range_cycle(pattern_range *range, bool timed, double *lower, size_t *length,
                                  double **steps, costab_error *error) {
    hunt h = {.range = range, .timed = timed, .n = step_map_size(range->maps)};
    int letters[SHORT];
    h.count = range->to > range->from ? LETTERS : 1;
    for (int i = 0; i < BEST; i++) h.best[i].growth = -(double)INFINITY;
    costab_status status = allocate(&h, error);
    if (!status) status = choose_letters(&h, error);
    if (!status) short_words(&h, letters, 0);
    for (int i = 0; i < h.count && !status; i++)
        for (int j = 0; j < h.count; j++)
            if (i != j) two_letters(&h, i, j);
    for (int i = 0; i < BEST && !status; i++)
        if (h.best[i].length > 0) status = improve(&h, &h.best[i], error);
    const word *most = &h.best[0];
    for (int i = 1; i < BEST; i++)
        if (h.best[i].growth > most->growth) most = &h.best[i];
    *lower = most->growth;
    *length = (size_t)period_of(most);
    *steps = !status ? memory_alloc(*length + 1, sizeof **steps) : NULL;
    if (!status && *steps == NULL) status = error_memory(error);
    if (!status) memcpy(*steps, most->steps, *length * sizeof **steps);
    memory_free_all(h.maps, h.products, h.map, h.work, h.iwork);
    return status;
}
