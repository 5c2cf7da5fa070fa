/* The search in one parameter: divides a range into cells with verdicts (docs/explanation/algorithms.md,
 * Complete limits).
 * 1. First cells: the range is divided into the family's first cells (costab_family.divide). For the map each
 *    is cut further, into at most 4096 cells of equal width, so that the phase per macro step of the fastest
 *    subsystem changes by at most 4 rad over a cell, as estimated from the ends and the middle of the range.
 *    With logarithmic spacing the ends of a cell also differ by at most a factor of 4.
 * 2. Decisions: the leftmost open cell is decided (decision.c), by a verdict or by new open cells, until no
 *    cell is open. When the evaluations are exhausted, open cells become undecided.
 * 3. First cells on which the family could not bound its numbers (`open`): stable and neutral verdicts become
 *    undecided.
 * Cost: the decisions. Limitation: misses an oscillation of the phase that its three values do not show. */
#include "limit/search.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

/* Largest ratio of a first cell's ends with logarithmic spacing. */
#define FACTOR_MOST 4.0
enum { FIRST_CELLS_MAX = 4096 };

double search_scale(const search *s, double from, double to) {
    return fmax(fmax(fabs(from), fabs(to)), 1e-8 * (s->upper - s->lower));
}

costab_status search_emit(costab_cells *cells, costab_cell cell, costab_error *error) {
    TRY(memory_reserve(&cells->items, &cells->capacity, cells->count + 1, error));
    cells->items[cells->count++] = cell;
    return COSTAB_OK;
}

costab_status search_open_cell(search *s, double from, double to, costab_error *error) {
    TRY(memory_reserve(&s->open, &s->open_capacity, s->open_count + 1, error));
    s->open[s->open_count++] = (open_cell){from, to, false};
    return COSTAB_OK;
}

/* Tolerance for recomputed borders, relative to a zero's half width. */
#define BORDER 1e-4

const known_zero *search_zero_at(const search *s, double at) {
    for (size_t i = 0; i < s->zero_count; i++)
        if (fabs(at - s->zeros[i].at) <= s->zeros[i].half * (1 + BORDER)) return &s->zeros[i];
    return NULL;
}

/* Computes the largest width of first cells. */
static costab_status find_first_width(search *s, double *width, costab_error *error) {
    double least = (double)INFINITY, most = 0;
    *width = s->upper - s->lower;
    if (s->continuous) return COSTAB_OK;
    sample_ask_turn(s->cache, true);
    const double at[] = {s->lower, s->lower + (s->upper - s->lower) / 2, s->upper};
    const sample *found[3];
    costab_status status = sample_find_all(s->cache, 3, at, found, error);
    sample_ask_turn(s->cache, false);
    if (status) return status;
    for (int i = 0; i < 3; i++) {
        if (!found[i]->posed) continue;
        least = fmin(least, found[i]->turn);
        most = fmax(most, found[i]->turn);
    }
    if (most - least > CROSSING_TURN_MOST) *width *= CROSSING_TURN_MOST / (most - least);
    return COSTAB_OK;
}

static int compare_cells(const void *left, const void *right) {
    const costab_cell *a = left, *b = right;
    return a->from < b->from ? -1 : a->from > b->from;
}

/* Emits an open cell as undecided: the evaluations are exhausted. */
static costab_status emit_undecided(search *s, const open_cell *open, costab_error *error) {
    costab_cell cell = {
        .from = open->from, .to = open->to, .verdict = COSTAB_OUTCOME_UNDECIDED, .reason = COSTAB_REASON_CAP};
    return search_emit(s->cells, cell, error);
}

/* Returns the index of the first cell that contains a value. */
static size_t first_at(const search *s, double value) {
    size_t low = 0, high = s->first->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(s->first->of[middle].from <= value ? &low : &high) = middle;
    }
    return low;
}

double search_first_width(const search *s, double from, double to) {
    const first_cell *cell = &s->first->of[first_at(s, from + (to - from) / 2)];
    return s->first->count > 1 ? cell->to - cell->from : (double)INFINITY;
}

/* Makes stable and neutral verdicts on open first cells undecided. */
static void doubt_unbounded(search *s) {
    for (size_t i = 0; i < s->cells->count && s->first->open_entry != NULL; i++) {
        costab_cell *cell = &s->cells->items[i];
        bool decided = cell->verdict == COSTAB_OUTCOME_STABLE || cell->verdict == COSTAB_OUTCOME_NEUTRAL;
        if (!decided || !s->first->of[first_at(s, cell->from + (cell->to - cell->from) / 2)].open) continue;
        cell->verdict = COSTAB_OUTCOME_UNDECIDED;
        cell->reason = COSTAB_REASON_UNBOUNDED;
    }
}

/* Opens [from, to] as cells of equal width, at most `most`, rightmost first. */
static costab_status open_equal_cells(search *s, double from, double to, double most, costab_error *error) {
    int count = (int)fmin(FIRST_CELLS_MAX, fmax(1, ceil((to - from) / most)));
    for (int i = count; i >= 1; i--) {
        double width = (to - from) / count;
        TRY(search_open_cell(s, i == 1 ? from : from + (i - 1) * width, i == count ? to : from + i * width,
                             error));
        s->open[s->open_count - 1].first = true;
    }
    return COSTAB_OK;
}

/* Opens one of the family's first cells in parts at most `most` wide; with logarithmic spacing their ends
 * differ by at most FACTOR_MOST. */
static costab_status open_first_cell(search *s, const first_cell *cell, double most, costab_error *error) {
    int factors = s->logarithmic ? (int)ceil(log(cell->to / cell->from) / log(FACTOR_MOST)) : 1;
    if (factors < 1) factors = 1;
    double factor = pow(cell->to / cell->from, 1.0 / factors), to = cell->to;
    for (int i = factors; i >= 1; i--) {
        double from = i == 1 ? cell->from : to / factor;
        TRY(open_equal_cells(s, from, to, most, error));
        to = from;
    }
    return COSTAB_OK;
}

costab_status search_tell(void *context, size_t evaluations, costab_error *error) {
    const search *s = context;
    size_t all = s->evaluations_before + evaluations;
    double share = s->evaluations_before > 0 ? 1 : s->share;
    if (s->progress == NULL || !s->progress(s->progress_context, share, all)) return COSTAB_OK;
    return error_set(error, COSTAB_CANCELLED, "the search was stopped");
}

/* Returns true if a search for the first end has an unstable cell and has decided all cells before it. */
static bool has_found_end(const search *s) {
    for (size_t i = s->first_end ? 0 : s->cells->count; i < s->cells->count; i++)
        if (s->cells->items[i].verdict == COSTAB_OUTCOME_UNSTABLE &&
            s->cells->items[i].from <= s->open[s->open_count - 1].from)
            return true;
    return false;
}

costab_status search_run(search *s, search_decide decide, costab_error *error) {
    double most;
    chebyshev_table_make(&s->table);
    costab_status status = find_first_width(s, &most, error);
    for (size_t i = s->first->count; i > 0 && !status; i--) {
        const first_cell cell = {.from = fmax(s->first->of[i - 1].from, s->lower),
                                 .to = fmin(s->first->of[i - 1].to, s->upper)};
        if (cell.from < cell.to) status = open_first_cell(s, &cell, most, error);
    }
    while (s->open_count > 0 && !status && !has_found_end(s)) {
        open_cell next = s->open[--s->open_count];
        s->share = (next.from - s->lower) / (s->upper - s->lower);
        if (sample_evaluations(s->cache) >= s->evaluations)
            status = emit_undecided(s, &next, error);
        else
            status = decide(s, next.from, next.to, next.first, error);
    }
    doubt_unbounded(s);
    if (s->cells->count > 0) qsort(s->cells->items, s->cells->count, sizeof *s->cells->items, compare_cells);
    return status;
}

void search_free(search *s) {
    memory_free_all(s->open, s->zeros);
    s->open = NULL;
    s->zeros = NULL;
    sample_cache_destroy(s->cache);
    s->cache = NULL;
}
