/* Crossing functions and verdicts of one sample (docs/explanation/algorithms.md, Complete limits).
 * 1. The sample stores its crossing functions at the limit; functions beyond the limit are computed on
 *    request.
 * 2. Poles: f1 and f2 are multiplied once by det(I - J) and det(I - D L), f3 n - 1 times (Lemma 3), and the
 *    function of a complex map n times.
 * 3. Verdict: unstable if an eigenvalue of the map or the iteration matrix is beyond the limit by more than
 *    its error bound, or overflows. Stable if all are inside by more than their bounds, otherwise neutral.
 * Limitation: error bounds are of first order. */
#include "limit/sample.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "limit/eigenvalues.h"

/* ---- Functions ---- */

void sample_take_poles(const sample *at, crossing_kind kind, crossing_value values[CROSSING_FUNCTIONS]) {
    int n = at->spectra[SAMPLE_MAP].n;
    for (int p = 0; p < SAMPLE_MAP; p++) {
        if (at->spectra[p].n == 0) continue;
        /* A pole of rank one is simple in det(I - M) and of order n - 1 in the second compound. */
        crossing_value d = at->functions[p][0];
        if (kind == CROSSING_CIRCLE) {
            values[0] = crossing_without_pole(values[0], d, 1);
            values[1] = crossing_without_pole(values[1], d, 1);
            values[2] = crossing_without_pole(values[2], d, n - 1);
        } else if (kind == CROSSING_LINE) {
            values[0] = crossing_without_pole(values[0], d, 1);
            values[1] = crossing_without_pole(values[1], d, n - 1);
        } else {
            values[0] = crossing_without_pole(values[0], d, n);
        }
    }
}

void sample_functions_at(const sample *at, sample_matrix matrix, crossing_kind kind, double beyond,
                         crossing_value values[CROSSING_FUNCTIONS]) {
    if (beyond == 0 && (matrix != SAMPLE_MAP || at->kind == kind))
        memcpy(values, at->functions[matrix], sizeof at->functions[matrix]);
    else
        crossing_values(kind, &at->spectra[matrix], beyond, values);
}

/* Computes the functions at the limit from the eigenvalues. */
static void fill_functions(sample *at) {
    crossing_value *loop = at->functions[SAMPLE_LOOP], *guesses = at->functions[SAMPLE_GUESSES];
    const crossing_spectrum *s = at->spectra;
    if (s[SAMPLE_LOOP].n > 0 && !s[SAMPLE_LOOP].overflow)
        crossing_values(CROSSING_ONE, &s[SAMPLE_LOOP], 0, loop);
    if (s[SAMPLE_GUESSES].n > 0 && !s[SAMPLE_GUESSES].overflow)
        crossing_values(CROSSING_CIRCLE, &s[SAMPLE_GUESSES], 0, guesses);
    bool overflow = s[SAMPLE_MAP].overflow || s[SAMPLE_LOOP].overflow || s[SAMPLE_GUESSES].overflow;
    if (!overflow) crossing_values(at->kind, &s[SAMPLE_MAP], 0, at->functions[SAMPLE_MAP]);
}

/* ---- Verdicts ---- */

bool sample_has_form_of(const sample *at, const sample *other) {
    bool same = at->waits == other->waits;
    for (int s = SAMPLE_GUESSES; s <= SAMPLE_MAP; s++) same = same && at->spectra[s].n == other->spectra[s].n;
    return same;
}

bool sample_is_comparable(const sample *at, const sample *other) {
    bool goes = at->posed && sample_has_form_of(at, other);
    for (int s = 0; s < SAMPLE_SPECTRA; s++)
        goes = goes && at->spectra[s].n == other->spectra[s].n && !at->spectra[s].overflow;
    return goes;
}

/* Returns the matrix with the eigenvalue furthest beyond the limit: SAMPLE_GUESSES or SAMPLE_MAP. */
static sample_matrix furthest_matrix(const sample *at) {
    const crossing_spectrum *map = &at->spectra[SAMPLE_MAP], *guesses = &at->spectra[SAMPLE_GUESSES];
    return guesses->n > 0 && !(guesses->furthest <= map->furthest) ? SAMPLE_GUESSES : SAMPLE_MAP;
}

static costab_outcome spectrum_verdict(const crossing_spectrum *s, bool line) {
    bool certain = true;
    if (s->overflow) return COSTAB_OUTCOME_UNSTABLE;
    for (int i = 0; i < s->n; i++) {
        double margin = eigenvalues_beyond(s, line, i);
        if (margin - s->slack[i] > 0) return COSTAB_OUTCOME_UNSTABLE;
        certain = certain && margin + s->slack[i] < 0;
    }
    return certain ? COSTAB_OUTCOME_STABLE : COSTAB_OUTCOME_NEUTRAL;
}

costab_outcome sample_outcome(const sample *at) {
    if (!at->posed) return COSTAB_OUTCOME_ILL_POSED;
    costab_outcome guesses = spectrum_verdict(&at->spectra[SAMPLE_GUESSES], false);
    costab_outcome map = spectrum_verdict(&at->spectra[SAMPLE_MAP], at->kind == CROSSING_LINE);
    if (guesses == COSTAB_OUTCOME_UNSTABLE) return guesses;
    return map == COSTAB_OUTCOME_STABLE ? guesses : map;
}

sample_margin sample_margin_of(const sample *at) {
    sample_matrix matrix = furthest_matrix(at);
    const crossing_spectrum *s = &at->spectra[matrix];
    sample_margin found = {(double)NAN, s->backward, 0};
    if (!at->posed) return found;
    found.beyond = s->furthest;
    for (int i = 0; i < s->n && !s->overflow; i++)
        if (eigenvalues_beyond(s, matrix == SAMPLE_MAP && at->kind == CROSSING_LINE, i) == s->furthest)
            found.slack = fmax(found.slack, s->slack[i]);
    return found;
}

/* ---- The cache ----
 * A hash table from parameters to samples, and the evaluation of new samples.
 * 1. Keys are the bits of the parameter; collisions go to the next slot (open addressing).
 * 2. New samples: the family provides matrices, eigenvalues.h their eigenvalues and sample.h the crossing
 *    functions at the limit. The workers of a crew share several new samples, a few per worker, between
 *    checks for cancellation.
 * 3. Samples enter the table in the order of the request, so the result is independent of the number of
 *    workers.
 * Cost: one eigenvalue problem for each matrix of a new sample: the map, and J and D L if they exist. */

/* Samples per worker between two checks for cancellation. */
enum { AT_ONCE = 4 };

struct sample_cache {
    sample_options options;
    sample **slots; /* open addressing; a power of 2 */
    size_t slot_count, count;
    int workspace_count; /* one workspace per worker of the crew, at least one */
    eigenvalues_workspace *workspaces;
    costab_error failure;
    bool any_posed, turn;
};

/* A requested sample and the reason for a missing map. The message is allocated, because stacks may be
 * short. */
typedef struct asked_sample {
    double at;
    sample *made;
    costab_error *failure;
} asked_sample;

costab_status sample_cache_create(const sample_options *options, sample_cache **cache, costab_error *error) {
    const costab_crew *crew = options->crew;
    TRY(memory_make(cache, 1, error));
    (*cache)->options = *options;
    (*cache)->workspace_count = crew != NULL && crew->size > 1 ? crew->size : 1;
    TRY(memory_make(&(*cache)->workspaces, (size_t)(*cache)->workspace_count, error));
    return COSTAB_OK;
}

void sample_cache_destroy(sample_cache *cache) {
    if (cache == NULL) return;
    for (size_t i = 0; i < cache->slot_count; i++) memory_free(cache->slots[i]);
    for (int w = 0; w < cache->workspace_count && cache->workspaces != NULL; w++)
        eigenvalues_workspace_free(&cache->workspaces[w]);
    memory_free_all(cache->slots, cache->workspaces, cache);
}

void sample_ask_turn(sample_cache *cache, bool asked) {
    cache->turn = asked;
}

size_t sample_evaluations(const sample_cache *cache) {
    return cache->count;
}

const sample *sample_nearest(const sample_cache *cache, double *beyond, bool *guesses) {
    const sample *best = NULL;
    for (size_t i = 0; i < cache->slot_count; i++) {
        const sample *p = cache->slots[i];
        if (p == NULL || !p->posed) continue;
        sample_matrix matrix = furthest_matrix(p);
        double at = p->spectra[matrix].n > 0 ? p->spectra[matrix].furthest : (double)-INFINITY;
        if (best != NULL && !(at < *beyond)) continue;
        best = p;
        *beyond = at;
        *guesses = matrix == SAMPLE_GUESSES;
    }
    return best;
}

const costab_error *sample_first_failure(const sample_cache *cache) {
    return &cache->failure;
}

bool sample_any_posed(const sample_cache *cache) {
    return cache->any_posed;
}

/* ---- Evaluations ---- */

/* Allocates a sample for the eigenvalues of these matrices, in one block. */
static costab_status allocate_sample(const costab_matrix matrices[SAMPLE_SPECTRA], sample **made,
                                     costab_error *error) {
    size_t sum = 0;
    for (int p = 0; p < SAMPLE_SPECTRA; p++) sum += (size_t)matrices[p].size;
    size_t head = (sizeof **made + sizeof(double) - 1) / sizeof(double);
    double *block = memory_alloc(head + 4 * sum, sizeof *block);
    if (block == NULL) return error_memory(error);
    *made = (sample *)(void *)block;
    block += head;
    for (int p = 0; p < SAMPLE_SPECTRA; p++) {
        size_t n = (size_t)matrices[p].size;
        (*made)->spectra[p] = (crossing_spectrum){
            .n = (int)n, .re = block, .im = block + n, .slack = block + 2 * n, .ranks = block + 3 * n};
        block += 4 * n;
    }
    return COSTAB_OK;
}

/* The result of a worker's family at one value; valid until the next request. */
typedef struct answer {
    costab_family_point point;
    costab_matrix matrices[SAMPLE_SPECTRA];
    bool posed, parted; /* parted: point.increment is available */
} answer;

static const costab_family *family_of(const sample_cache *cache, int worker) {
    return cache->workspace_count > 1 ? &cache->options.crew->families[worker] : cache->options.family;
}

/* Evaluates a family. Also returns COSTAB_OK for an ill-posed model; *failure then has the reason. */
static costab_status ask_family(const sample_cache *cache, int worker, double at, answer *said,
                                costab_error *failure, costab_error *error) {
    const sample_options *o = &cache->options;
    const costab_family *family = family_of(cache, worker);
    unsigned wanted = o->continuous ? COSTAB_FAMILY_CONTINUOUS : COSTAB_FAMILY_MAP | COSTAB_FAMILY_INCREMENT;
    wanted |= COSTAB_FAMILY_SHORT_DELAYS;
    if (cache->turn) wanted |= COSTAB_FAMILY_TURN;
    *said = (answer){.point = {.turn = 0}};
    failure->message[0] = '\0';
    costab_family_point *point = &said->point;
    costab_status status = family->at(family->context, at, wanted, point, failure);
    failure->status = status;
    if (error_ends_search(status) && error != NULL) *error = *failure;
    if (status) return error_ends_search(status) ? status : COSTAB_OK;
    costab_matrix *matrices = said->matrices;
    said->posed = true;
    matrices[SAMPLE_MAP] = o->continuous ? point->continuous : point->map;
    if (o->continuous || point->loop_in_map) matrices[SAMPLE_LOOP] = point->loop;
    if (!o->continuous && !point->solved) matrices[SAMPLE_GUESSES] = point->guesses;
    if (!o->continuous && point->solved && matrices[SAMPLE_LOOP].size == 0)
        matrices[SAMPLE_LOOP] = point->guesses;
    said->parted = !o->continuous && point->increment[0].size > 0 &&
                   point->increment[0].size + point->increment[1].size == point->map.size;
    return COSTAB_OK;
}

/* Makes one sample. Leaves the cache unchanged, because workers run this concurrently. */
static costab_status evaluate(const sample_cache *cache, int worker, asked_sample *asked,
                              costab_error *error) {
    answer said;
    costab_error failure;
    bool continuous = cache->options.continuous;
    TRY(ask_family(cache, worker, asked->at, &said, &failure, error));
    bool line = continuous && said.point.span == 0;
    if (!said.posed) {
        TRY(memory_make(&asked->failure, 1, error));
        *asked->failure = failure;
    }
    const costab_matrix *matrices = said.matrices;
    TRY(allocate_sample(matrices, &asked->made, error));
    for (int p = 0; p < SAMPLE_SPECTRA && said.posed; p++)
        if (matrices[p].size > 0)
            TRY(eigenvalues_find(&cache->workspaces[worker], &matrices[p],
                                 p == SAMPLE_MAP && said.parted ? said.point.increment : NULL,
                                 line && p == SAMPLE_MAP, &asked->made->spectra[p], error));
    sample *made = asked->made;
    made->at = asked->at;
    made->posed = said.posed;
    made->span = continuous ? said.point.span : 0;
    made->turn = said.point.turn;
    made->waits = continuous ? 0 : said.point.waits;
    made->kind = line                                     ? CROSSING_LINE
                 : matrices[SAMPLE_MAP].imaginary != NULL ? CROSSING_CIRCLE_COMPLEX
                                                          : CROSSING_CIRCLE;
    if (said.posed) fill_functions(made);
    return COSTAB_OK;
}

static size_t slot_of(const sample_cache *cache, double at) {
    uint64_t bits;
    memcpy(&bits, &at, sizeof bits);
    bits = (bits ^ bits >> 31) * 0x9E3779B97F4A7C15u;
    size_t slot = (size_t)(bits >> 20) & (cache->slot_count - 1);
    while (cache->slots[slot] != NULL && memcmp(&cache->slots[slot]->at, &at, sizeof at) != 0)
        slot = (slot + 1) & (cache->slot_count - 1);
    return slot;
}

static costab_status grow(sample_cache *cache, costab_error *error) {
    sample_cache old = *cache;
    size_t wanted = old.slot_count > 0 ? 2 * old.slot_count : 256;
    sample **slots = memory_alloc(wanted, sizeof(sample *));
    if (slots == NULL) return error_memory(error);
    cache->slots = slots;
    cache->slot_count = wanted;
    for (size_t i = 0; i < old.slot_count; i++)
        if (old.slots[i] != NULL) cache->slots[slot_of(cache, old.slots[i]->at)] = old.slots[i];
    memory_free(old.slots);
    return COSTAB_OK;
}

/* Adds a finished sample to the cache. */
static void keep(sample_cache *cache, const asked_sample *asked) {
    cache->slots[slot_of(cache, asked->at)] = asked->made;
    cache->count++;
    if (asked->made->posed)
        cache->any_posed = true;
    else if (!cache->failure.status)
        cache->failure = *asked->failure;
}

/* A list of requested samples; `first` of them are done. */
typedef struct crew_task {
    const sample_cache *cache;
    int first;
    asked_sample *asked;
} crew_task;

/* Makes one item of the list. */
static costab_status make_one(void *of, int worker, int item, costab_error *error) {
    const crew_task *task = of;
    return evaluate(task->cache, worker, &task->asked[task->first + item], error);
}

/* Makes `count` samples, by the crew if there is one. */
static costab_status make_all(const sample_cache *cache, int count, asked_sample *asked,
                              costab_error *error) {
    const sample_options *o = &cache->options;
    const costab_crew *crew = cache->workspace_count > 1 && count > 1 ? o->crew : NULL;
    int most = crew != NULL ? AT_ONCE * crew->size : 1;
    crew_task task = {.cache = cache, .asked = asked};
    for (int now; task.first < count; task.first += now) {
        now = count - task.first < most ? count - task.first : most;
        if (o->ask != NULL)
            TRY(o->ask(o->ask_context, sample_evaluations(cache) + (size_t)task.first, error));
        TRY(crew != NULL ? crew->each(crew->context, now, make_one, &task, error)
                         : make_one(&task, 0, 0, error));
    }
    return COSTAB_OK;
}

costab_status sample_find_all(sample_cache *cache, int count, const double *values, const sample **found,
                              costab_error *error) {
    asked_sample asked[SAMPLE_AT_ONCE];
    int open = 0;
    while (2 * (cache->count + (size_t)count) >= cache->slot_count) TRY(grow(cache, error));
    for (int i = 0; i < count; i++) {
        double at = values[i] + 0.0; /* -0 becomes 0 */
        int known = 0;
        while (known < open && asked[known].at != at) known++;
        if (known == open && cache->slots[slot_of(cache, at)] == NULL)
            asked[open++] = (asked_sample){.at = at};
    }
    costab_status status = make_all(cache, open, asked, error);
    for (int i = 0; i < open; i++) {
        if (status) /* the search ends here */
            memory_free(asked[i].made);
        else
            keep(cache, &asked[i]);
        memory_free(asked[i].failure);
    }
    if (status) return status;
    for (int i = 0; i < count; i++) found[i] = cache->slots[slot_of(cache, values[i] + 0.0)];
    return COSTAB_OK;
}

costab_status sample_find(sample_cache *cache, double value, const sample **found, costab_error *error) {
    return sample_find_all(cache, 1, &value, found, error);
}

void sample_narrow_jump(const sample_cache *cache, double *before, double *after) {
    const costab_family *family = cache->options.family;
    if (family->stored == NULL || cache->options.continuous) return;
    double first = family->stored(family->context, *before);
    if (first == family->stored(family->context, *after)) return;
    for (;;) {
        double middle = *before + (*after - *before) / 2;
        if (!(middle > *before && middle < *after)) return;
        *(family->stored(family->context, middle) == first ? before : after) = middle;
    }
}
