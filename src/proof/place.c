/* Evaluating a family and keeping what it was. */
#include "proof/place.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "proof/eigenvalues.h"

/* A crew makes so many places per worker before the next question whether the search is to end. */
enum { AT_ONCE = 4 };

enum { NUMBERS_MAX = 3 };

/* Of one worker. */
typedef struct place_room {
    double numbers[NUMBERS_MAX];
    eigenvalues_room spectra;
} place_room;

struct place_book {
    place_options options;
    place **slots; /* open addressing; a power of 2 */
    size_t slot_count, count, followed;
    int room_count; /* one per worker of the crew, at least one */
    place_room *rooms;
    costab_error failure;
    bool any_posed, turn;
    int kernel; /* the least of any place */
};

/* A place that is asked for: what becomes of it, and, where there is no map, why (messages are long, and
 * stacks may be short). */
typedef struct asked_place {
    double at[PLACE_DIMENSIONS];
    place *made;
    costab_error *failure;
} asked_place;

costab_status place_book_create(const place_options *options, place_book **book, costab_error *error) {
    const costab_crew *crew = options->crew;
    *book = memory_alloc(1, sizeof **book);
    if (*book == NULL) return error_memory(error);
    (*book)->options = *options;
    (*book)->kernel = INT_MAX;
    (*book)->room_count = crew != NULL && crew->size > 1 ? crew->size : 1;
    (*book)->rooms = memory_alloc((size_t)(*book)->room_count, sizeof *(*book)->rooms);
    if ((*book)->rooms == NULL) return error_memory(error);
    for (int w = 0; w < (*book)->room_count; w++)
        for (int i = 0; i < options->count; i++) (*book)->rooms[w].numbers[i] = options->base[i];
    return COSTAB_OK;
}

void place_book_destroy(place_book *book) {
    if (book == NULL) return;
    for (size_t i = 0; i < book->slot_count; i++) memory_free(book->slots[i]);
    for (int w = 0; w < book->room_count && book->rooms != NULL; w++)
        eigenvalues_room_free(&book->rooms[w].spectra);
    memory_free_all(book->slots, book->rooms, book);
}

void place_ask_turn(place_book *book, bool asked) {
    book->turn = asked;
}

size_t place_evaluations(const place_book *book) {
    return book->count + book->followed;
}

int place_least_kernel(const place_book *book) {
    return book->kernel;
}

const place *place_nearest(const place_book *book, double *radius, bool *guesses) {
    const place *best = NULL;
    for (size_t i = 0; i < book->slot_count; i++) {
        const place *p = book->slots[i];
        if (p == NULL || !p->posed) continue;
        const crossing_spectrum *map = &p->spectra[PLACE_MAP], *other = &p->spectra[PLACE_GUESSES];
        bool further = other->n > 0 && !(other->furthest <= map->furthest);
        double at = further ? other->furthest : map->n > 0 ? map->furthest : (double)-INFINITY;
        if (best != NULL && !(at < *radius)) continue;
        best = p;
        *radius = at;
        *guesses = further;
    }
    return best;
}

const costab_error *place_first_failure(const place_book *book) {
    return &book->failure;
}

bool place_any_posed(const place_book *book) {
    return book->any_posed;
}

/* ---- Functions ---- */

void place_take_poles(const place *at, crossing_kind kind, crossing_value values[CROSSING_FUNCTIONS]) {
    int n = at->spectra[PLACE_MAP].n;
    for (int p = 0; p < PLACE_MAP; p++) {
        if (at->spectra[p].n == 0) continue;
        /* A pole of rank one is simple in det(I - M), of order n - 1 in the second compound. */
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

/* What takes the poles away: det(I - J) det(I - D L); 1 where there are none. */
static double poles_of(const place *at) {
    double d = 1;
    for (int p = 0; p < PLACE_MAP; p++)
        if (at->spectra[p].n > 0) d *= ldexp(at->functions[p][0].mantissa, (int)at->functions[p][0].exponent);
    return d;
}

static void set_functions(place *at) {
    crossing_value *loop = at->functions[PLACE_LOOP], *guesses = at->functions[PLACE_GUESSES];
    const crossing_spectrum *s = at->spectra;
    if (s[PLACE_LOOP].n > 0 && !s[PLACE_LOOP].overflow)
        crossing_values(CROSSING_ONE, &s[PLACE_LOOP], 0, loop);
    if (s[PLACE_GUESSES].n > 0 && !s[PLACE_GUESSES].overflow)
        crossing_values(CROSSING_CIRCLE, &s[PLACE_GUESSES], 0, guesses);
    bool overflow = s[PLACE_MAP].overflow || s[PLACE_LOOP].overflow || s[PLACE_GUESSES].overflow;
    if (!overflow) crossing_values(at->kind, &s[PLACE_MAP], 0, at->functions[PLACE_MAP]);
}

/* ---- Places ---- */

static costab_status place_make(const costab_matrix matrices[PLACE_SPECTRA], place **made,
                                costab_error *error) {
    size_t sum = 0;
    for (int p = 0; p < PLACE_SPECTRA; p++) sum += (size_t)matrices[p].size;
    size_t head = (sizeof **made + sizeof(double) - 1) / sizeof(double);
    double *block = memory_alloc(head + 4 * sum, sizeof *block);
    if (block == NULL) return error_memory(error);
    *made = (place *)(void *)block;
    block += head;
    for (int p = 0; p < PLACE_SPECTRA; p++) {
        size_t n = (size_t)matrices[p].size;
        (*made)->spectra[p] = (crossing_spectrum){
            .n = (int)n, .re = block, .im = block + n, .slack = block + 2 * n, .ranks = block + 3 * n};
        block += 4 * n;
    }
    return COSTAB_OK;
}

/* What a family says at a place, by the room of one worker, beside which others may be at it. */
typedef struct answer {
    costab_family_point point;
    costab_matrix matrices[PLACE_SPECTRA];
    bool posed, near; /* the map is known by its parts, too */
} answer;

static const costab_family *family_of(const place_book *book, int worker) {
    return book->room_count > 1 ? &book->options.crew->families[worker] : book->options.family;
}

/* COSTAB_OK where the model is ill-posed, with what the family said. */
static costab_status ask_family(const place_book *book, int worker, const double *at, answer *said,
                                costab_error *failure, costab_error *error) {
    const place_options *o = &book->options;
    const costab_family *family = family_of(book, worker);
    double *numbers = book->rooms[worker].numbers;
    unsigned wanted = o->continuous ? COSTAB_FAMILY_CONTINUOUS : COSTAB_FAMILY_MAP | COSTAB_FAMILY_NEAR;
    if (book->turn) wanted |= COSTAB_FAMILY_TURN;
    *said = (answer){.point = {.turn = 0}};
    *failure = (costab_error){.status = COSTAB_OK};
    for (int d = 0; d < o->dimensions; d++) numbers[o->vary[d]] = at[d];
    costab_family_point *point = &said->point;
    costab_status status = family->at(family->context, numbers, wanted, point, failure);
    failure->status = status;
    if (status == COSTAB_MEMORY && error != NULL) *error = *failure;
    if (status) return status == COSTAB_MEMORY ? status : COSTAB_OK;
    costab_matrix *matrices = said->matrices;
    said->posed = true;
    matrices[PLACE_MAP] = o->continuous ? point->continuous : point->map;
    if (o->continuous || point->loop_in_map) matrices[PLACE_LOOP] = point->loop;
    if (!o->continuous && !point->solved) matrices[PLACE_GUESSES] = point->guesses;
    if (!o->continuous && point->solved && matrices[PLACE_LOOP].size == 0)
        matrices[PLACE_LOOP] = point->guesses;
    said->near = !o->continuous && point->near[0].size > 0 &&
                 point->near[0].size + point->near[1].size == point->map.size;
    return COSTAB_OK;
}

/* Nothing of the book is changed. */
static costab_status evaluate(const place_book *book, int worker, asked_place *asked, costab_error *error) {
    answer said;
    costab_error failure;
    bool continuous = book->options.continuous;
    costab_status status = ask_family(book, worker, asked->at, &said, &failure, error);
    if (status) return status;
    if (!said.posed) {
        asked->failure = memory_alloc(1, sizeof *asked->failure);
        if (asked->failure == NULL) return error_memory(error);
        *asked->failure = failure;
    }
    const costab_matrix *matrices = said.matrices;
    status = place_make(matrices, &asked->made, error);
    for (int p = 0; p < PLACE_SPECTRA && !status && said.posed; p++)
        if (matrices[p].size > 0)
            status = eigenvalues_find(&book->rooms[worker].spectra, &matrices[p],
                                      p == PLACE_MAP && said.near ? said.point.near : NULL,
                                      continuous && p == PLACE_MAP, &asked->made->spectra[p], error);
    if (status) return status;
    place *made = asked->made;
    memcpy(made->at, asked->at, sizeof made->at);
    made->posed = said.posed;
    made->turn = said.point.turn;
    made->kernel = said.point.kernel;
    made->kind = continuous                              ? CROSSING_LINE
                 : matrices[PLACE_MAP].imaginary != NULL ? CROSSING_CIRCLE_COMPLEX
                                                         : CROSSING_CIRCLE;
    if (said.posed) set_functions(made);
    return COSTAB_OK;
}

static size_t slot_of(const place_book *book, const double at[PLACE_DIMENSIONS]) {
    uint64_t bits[PLACE_DIMENSIONS], mixed = 0;
    memcpy(bits, at, sizeof bits);
    for (int d = 0; d < PLACE_DIMENSIONS; d++) {
        mixed ^= bits[d] ^ bits[d] >> 31;
        mixed *= 0x9E3779B97F4A7C15u;
    }
    size_t slot = (size_t)(mixed >> 20) & (book->slot_count - 1);
    while (book->slots[slot] != NULL && memcmp(book->slots[slot]->at, at, sizeof bits) != 0)
        slot = (slot + 1) & (book->slot_count - 1);
    return slot;
}

static costab_status grow(place_book *book, costab_error *error) {
    place_book old = *book;
    size_t wanted = old.slot_count > 0 ? 2 * old.slot_count : 256;
    place **slots = memory_alloc(wanted, sizeof(place *));
    if (slots == NULL) return error_memory(error);
    book->slots = slots;
    book->slot_count = wanted;
    for (size_t i = 0; i < old.slot_count; i++)
        if (old.slots[i] != NULL) book->slots[slot_of(book, old.slots[i]->at)] = old.slots[i];
    memory_free(old.slots);
    return COSTAB_OK;
}

/* Keeps a place that was made. */
static void keep(place_book *book, const asked_place *asked) {
    book->slots[slot_of(book, asked->at)] = asked->made;
    book->count++;
    if (asked->made->posed)
        book->any_posed = true;
    else if (!book->failure.status)
        book->failure = *asked->failure;
    int kernel = asked->made->kernel;
    if (asked->made->posed && kernel >= 0 && kernel < book->kernel) book->kernel = kernel;
}

/* What the crew does for one of several items; `first` of them are done. */
typedef struct crew_task {
    place_book *book;
    int first;
    asked_place *asked;
    const place_step *steps;
} crew_task;

static costab_status make_one(void *of, int worker, int item, costab_error *error) {
    const crew_task *task = of;
    return evaluate(task->book, worker, &task->asked[task->first + item], error);
}

/* Does one thing `count` times, by the crew where there is one. */
static costab_status do_all(crew_task *task, int count,
                            costab_status (*one)(void *of, int worker, int item, costab_error *error),
                            costab_error *error) {
    place_book *book = task->book;
    const place_options *o = &book->options;
    const costab_crew *crew = book->room_count > 1 && count > 1 ? o->crew : NULL;
    int most = crew != NULL ? AT_ONCE * crew->size : 1;
    costab_status status = COSTAB_OK;
    for (int now; task->first < count && !status; task->first += now) {
        now = count - task->first < most ? count - task->first : most;
        if (o->ask != NULL)
            status = o->ask(o->ask_context, place_evaluations(book) + (size_t)task->first, error);
        if (!status && crew != NULL)
            status = crew->each(crew->context, now, one, task, error);
        else if (!status)
            status = one(task, 0, 0, error);
    }
    return status;
}

costab_status place_find_all(place_book *book, int count, const double *numbers, const place **found,
                             costab_error *error) {
    asked_place asked[PLACE_AT_ONCE];
    int dimensions = book->options.dimensions, open = 0;
    costab_status status = COSTAB_OK;
    while (2 * (book->count + (size_t)count) >= book->slot_count && !status) status = grow(book, error);
    if (status) return status;
    for (int i = 0; i < count; i++) {
        asked_place next = {.made = NULL};
        int known = 0;
        for (int d = 0; d < dimensions; d++) next.at[d] = numbers[i * dimensions + d] + 0.0; /* -0 is 0 */
        while (known < open && memcmp(asked[known].at, next.at, sizeof next.at) != 0) known++;
        if (known == open && book->slots[slot_of(book, next.at)] == NULL) asked[open++] = next;
    }
    status = do_all(&(crew_task){.book = book, .asked = asked}, open, make_one, error);
    for (int i = 0; i < open; i++) {
        if (status) /* nothing more is asked for */
            memory_free(asked[i].made);
        else
            keep(book, &asked[i]);
        memory_free(asked[i].failure);
    }
    for (int i = 0; i < count && !status; i++) {
        double at[PLACE_DIMENSIONS] = {0};
        for (int d = 0; d < dimensions; d++) at[d] = numbers[i * dimensions + d] + 0.0;
        found[i] = book->slots[slot_of(book, at)];
    }
    return status;
}

costab_status place_find(place_book *book, const double *numbers, const place **found, costab_error *error) {
    return place_find_all(book, 1, numbers, found, error);
}

/* ---- One eigenvalue ---- */

void place_branch_begin(const place *at, place_branch *branch) {
    const crossing_spectrum *map = &at->spectra[PLACE_MAP], *guesses = &at->spectra[PLACE_GUESSES];
    branch->which = guesses->n > 0 && !(guesses->furthest <= map->furthest) ? PLACE_GUESSES : PLACE_MAP;
    const crossing_spectrum *s = &at->spectra[branch->which];
    bool line = branch->which == PLACE_MAP && at->kind == CROSSING_LINE;
    branch->number = 0;
    for (int i = s->n - 1; i >= 0 && !s->overflow; i--)
        if (eigenvalues_beyond(s, line, i) == s->furthest) branch->number = i;
    branch->pair.known = false;
    branch->beyond = s->furthest;
    if (s->n == 0 || s->overflow) return;
    branch->pair.re = s->re[branch->number];
    branch->pair.im = fabs(s->im[branch->number]);
}

static costab_status follow_one(void *of, int worker, int item, costab_error *error) {
    const crew_task *task = of;
    const place_step *step = &task->steps[task->first + item];
    const place_branch *from = step->from;
    place_branch *to = step->to;
    const bool line = task->book->options.continuous && from->which == PLACE_MAP;
    answer said;
    costab_error failure;
    to->found = false;
    to->which = from->which;
    to->number = from->number;
    costab_status status = ask_family(task->book, worker, &to->at, &said, &failure, error);
    if (status || !said.posed) return status;
    bool near = said.near && from->which == PLACE_MAP, slow = near && from->number < said.point.near[0].size;
    const costab_matrix *m = near ? &said.point.near[slow ? 0 : 1] : &said.matrices[from->which];
    eigen_limit limit = line ? EIGEN_AXIS : slow ? EIGEN_INCREMENT : EIGEN_CIRCLE;
    to->size = m->size;
    if (m->size == 0 || (from->pair.known && from->size != m->size)) return COSTAB_OK;
    eigen_branch pair = from->pair;
    if (!pair.known && limit == EIGEN_CIRCLE) pair.re += 1; /* spectra have them minus 1 */
    status = eigenvalues_follow(&task->book->rooms[worker].spectra, m, &pair, &to->pair, &to->found, error);
    if (to->found) to->beyond = eigen_beyond(limit, to->pair.re, to->pair.im);
    return status;
}

costab_status place_follow(place_book *book, int count, const place_step *steps, costab_error *error) {
    costab_status status = do_all(&(crew_task){.book = book, .steps = steps}, count, follow_one, error);
    book->followed += (size_t)count;
    return status;
}

bool place_traces(const place *const *places, int count, int which, int power, bool poles, double *values,
                  double *error) {
    double most = 0, noise = 0, weight = 0;
    int n = places[0]->spectra[which].n;
    for (int i = 0; i < count; i++) {
        const crossing_spectrum *s = &places[i]->spectra[which];
        double trace = crossing_trace(s, power), d = poles ? pow(poles_of(places[i]), power) : 1;
        values[i] = trace * d;
        if (!(fabs(trace) > n) || !isfinite(trace) || !isfinite(values[i])) return false;
        most = fmax(most, fabs(values[i]));
        weight = fmax(weight, fabs(d));
        noise = fmax(noise, n * power * s->backward * pow(1 + fmax(s->furthest, 0), power - 1) * fabs(d));
    }
    if (!(most > 0) || !isfinite(noise)) return false;
    for (int i = 0; i < count; i++) values[i] /= most;
    *error = 16 * DBL_EPSILON * n + (noise + n * weight) / most;
    return true;
}

/* ---- Verdicts ---- */

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

costab_outcome place_outcome(const place *at) {
    if (!at->posed) return COSTAB_OUTCOME_ILL_POSED;
    costab_outcome guesses = spectrum_verdict(&at->spectra[PLACE_GUESSES], false);
    costab_outcome map = spectrum_verdict(&at->spectra[PLACE_MAP], at->kind == CROSSING_LINE);
    if (guesses == COSTAB_OUTCOME_UNSTABLE) return guesses;
    return map == COSTAB_OUTCOME_STABLE ? guesses : map;
}

place_margin place_margin_of(const place *at) {
    const crossing_spectrum *map = &at->spectra[PLACE_MAP], *guesses = &at->spectra[PLACE_GUESSES];
    bool diverges = guesses->n > 0 && !(guesses->furthest <= map->furthest);
    const crossing_spectrum *s = diverges ? guesses : map;
    place_margin found = {(double)NAN, s->backward, 0};
    if (!at->posed) return found;
    found.beyond = s->furthest;
    for (int i = 0; i < s->n && !s->overflow; i++)
        if (eigenvalues_beyond(s, !diverges && at->kind == CROSSING_LINE, i) == s->furthest)
            found.slack = fmax(found.slack, s->slack[i]);
    return found;
}
