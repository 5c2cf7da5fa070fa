/* Searches a cycle of macro steps from a range with fast growth: a lower bound for sequences of steps
 * (docs/explanation/algorithms.md, Sequences of steps).
 * A word is a cycle of steps, with the growth ln rho(product of its maps), per step or per second. A letter
 * is one of 9 steps from the range. The growth shows how close the upper bounds of pattern_range.h are.
 * 1. Candidates: evaluates the words of up to 5 letters that start with their largest letter, since a cycle
 * may start anywhere, and all words of 6 to 12 letters of the form a..a b..b. Keeps the best 5.
 * 2. Refinement: optimises the steps of each candidate within the range, one after the other by golden
 *    section, until the growth stops rising.
 * 3. Result: the best word, reduced to one period.
 * Cost: n^3 per word, about 22,000 words; n^3 per evaluation of a golden section. Limitation: another cycle
 * may grow faster. */
#include "pattern/pattern_range.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/eigen.h"
#include "method/golden.h"
#include "method/matrix.h"

enum { LETTERS = 9, WORD_MAX = 12, SHORT = 5, BEST = 5, SWEEPS = 40, SECTIONS = 24 };

typedef struct word {
    int length;
    double steps[WORD_MAX], growth;
} word;

typedef struct cycle_search {
    pattern_range *range;
    bool timed;
    int n, count;
    double letters[LETTERS]; /* the steps, `count` of them */
    double
        *maps; /* of each letter after each combination of the previous letters with an effect on its map */
    word best[BEST]; /* sorted, most growth first */
    double *products, *map, *work;
    int *iwork;
} cycle_search;

/* ---- Words ---- */

/* Keeps a word among the best, unless a word of equal length, duration and growth is there: a rotation of it
 * has these. */
static void keep(cycle_search *h, const word *w) {
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

/* Returns ln rho of the product of a word's maps, per step or per second. */
static double growth_of(cycle_search *h, const double *product, const word *w) {
    double length = 0;
    for (int k = 0; k < w->length; k++) length += h->timed ? w->steps[k] : 1;
    double radius = ln_radius(h->n, product, h->work, h->iwork);
    return isnan(radius) ? -(double)INFINITY : radius / length;
}

/* Multiplies the product by the k-th map of a word. */
static void multiply_map(cycle_search *h, int k, const double *map) {
    size_t cells = (size_t)(h->n * h->n);
    double *product = h->products, *swap = product + cells;
    if (k == 0) {
        memcpy(product, map, cells * sizeof *product);
        return;
    }
    matrix_multiply(h->n, h->n, h->n, map, product, swap);
    memcpy(product, swap, cells * sizeof *product);
}

/* Evaluates one word. A letter's map depends on the letter and its predecessors; the word is periodic, so the
 * last letters precede the first. */
static void try_letters(cycle_search *h, const int *letters, int length) {
    size_t cells = (size_t)(h->n * h->n);
    word w = {.length = length};
    for (int k = 0; k < length; k++) {
        size_t place = 0;
        for (int before = h->range->steps - 1; before >= 0; before--)
            place = place * (size_t)h->count + (size_t)letters[(k + before * (length - 1)) % length];
        w.steps[k] = h->letters[letters[k]];
        multiply_map(h, k, h->maps + place * cells);
    }
    w.growth = growth_of(h, h->products, &w);
    keep(h, &w);
}

/* Enumerates all words of up to SHORT letters with the largest letter first, since a cycle may start
 * anywhere. */
static void short_words(cycle_search *h, int *letters, int length) {
    for (int i = 0; i <= (length == 0 ? h->count - 1 : letters[0]); i++) {
        letters[length] = i;
        try_letters(h, letters, length + 1);
        if (length + 1 < SHORT) short_words(h, letters, length + 1);
    }
}

/* Enumerates all words of SHORT + 1 to WORD_MAX letters of the form i..i j..j. */
static void two_letters(cycle_search *h, int i, int j) {
    int letters[WORD_MAX];
    for (int p = 1; p <= WORD_MAX - 1; p++)
        for (int q = 1; q <= WORD_MAX - p; q++) {
            for (int k = 0; k < p + q; k++) letters[k] = k < p ? i : j;
            if (p + q > SHORT) try_letters(h, letters, p + q);
        }
}

/* ---- Refinement ---- */

/* Computes the growth of a word with arbitrary steps. */
static costab_status evaluate(cycle_search *h, word *w, costab_error *error) {
    double steps[RANGE_STEPS_MAX];
    for (int k = 0; k < w->length; k++) {
        for (int before = 0; before < h->range->steps; before++)
            steps[before] = w->steps[(k + before * (w->length - 1)) % w->length];
        TRY(step_map_at(h->range->maps, steps, h->range->steps, h->map, error));
        multiply_map(h, k, h->map);
    }
    w->growth = growth_of(h, h->products, w);
    return COSTAB_OK;
}

/* Replaces one step of a word and keeps the change if the growth rises. */
static costab_status try_step(cycle_search *h, word *w, int place, double step, double *growth,
                              costab_error *error) {
    word tried = *w;
    tried.steps[place] = fmin(fmax(step, h->range->from), h->range->to);
    TRY(evaluate(h, &tried, error));
    *growth = tried.growth;
    if (tried.growth > w->growth) *w = tried;
    return COSTAB_OK;
}

/* Optimises one step of a word by golden section, within `span` on either side. */
static costab_status move_step(cycle_search *h, word *w, int place, double span, costab_error *error) {
    double low = fmax(w->steps[place] - span, h->range->from),
           high = fmin(w->steps[place] + span, h->range->to), growth, step;
    TRY(try_step(h, w, place, low, &growth, error));
    TRY(try_step(h, w, place, high, &growth, error));
    golden section = golden_start(low, high);
    for (int i = 0; i <= SECTIONS && golden_next(&section, &step); i++) {
        TRY(try_step(h, w, place, step, &growth, error));
        golden_set_value(&section, growth);
    }
    return COSTAB_OK;
}

/* Refines one word: sweeps over its steps with a decreasing span. */
static costab_status improve(cycle_search *h, word *w, costab_error *error) {
    double span = (h->range->to - h->range->from) / (LETTERS - 1);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double before = w->growth;
        for (int k = 0; k < w->length; k++) TRY(move_step(h, w, k, span, error));
        if (!(w->growth - before > 1e-13 * fabs(before)) && sweep > 2) break;
        span *= 0.6;
    }
    return COSTAB_OK;
}

/* Returns the period of a word. */
static int period_of(const word *w) {
    for (int period = 1; period < w->length; period++) {
        bool repeats = w->length % period == 0;
        for (int k = period; k < w->length && repeats; k++) repeats = w->steps[k] == w->steps[k % period];
        if (repeats) return period;
    }
    return w->length;
}

/* ---- The search ---- */

/* Returns the number of maps of all letters. */
static size_t map_count(const cycle_search *h) {
    size_t count = 1;
    for (int k = 0; k < h->range->steps; k++) count *= (size_t)h->count;
    return count;
}

static costab_status allocate(cycle_search *h, costab_error *error) {
    size_t cells = (size_t)(h->n * h->n);
    TRY(memory_make(&h->maps, map_count(h) * cells + 1, error));
    TRY(memory_make(&h->products, 2 * cells + 1, error));
    TRY(memory_make(&h->map, cells + 1, error));
    TRY(memory_make(&h->work, eigen_work(h->n) + 2 * (size_t)h->n + 1, error));
    return memory_make(&h->iwork, eigen_iwork(h->n) + 1, error);
}

/* Chooses the letters, including both ends of the range and denser at short steps, and computes their
 * maps. */
static costab_status choose_letters(cycle_search *h, costab_error *error) {
    size_t cells = (size_t)(h->n * h->n), count = map_count(h);
    const pattern_range *r = h->range;
    for (int i = 0; i < h->count; i++) {
        double t = h->count > 1 ? (double)i / (h->count - 1) : 1;
        h->letters[i] = i + 1 == h->count ? r->to : r->from + pow(t, 1.5) * (r->to - r->from);
    }
    for (size_t i = 0; i < count; i++) {
        double steps[RANGE_STEPS_MAX];
        size_t place = i;
        for (int k = 0; k < r->steps; k++, place /= (size_t)h->count)
            steps[k] = h->letters[place % (size_t)h->count];
        TRY(step_map_at(r->maps, steps, r->steps, h->maps + i * cells, error));
    }
    return COSTAB_OK;
}

costab_status pattern_range_cycle(pattern_range *range, bool timed, double *lower, size_t *length,
                                  double **steps, costab_error *error) {
    cycle_search h = {.range = range, .timed = timed, .n = step_map_size(range->maps)};
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
    const word *fastest = &h.best[0];
    for (int i = 1; i < BEST; i++)
        if (h.best[i].growth > fastest->growth) fastest = &h.best[i];
    *lower = fastest->growth;
    *length = (size_t)period_of(fastest);
    *steps = NULL;
    if (!status) status = memory_make(steps, *length + 1, error);
    if (!status) memcpy(*steps, fastest->steps, *length * sizeof **steps);
    memory_free_all(h.maps, h.products, h.map, h.work, h.iwork);
    return status;
}
