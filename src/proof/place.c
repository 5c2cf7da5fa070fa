/* Evaluating a family and keeping what it was. */
#include "proof/place.h"

#include <complex.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define lapack_complex_double double complex
#define lapack_complex_float  float complex
#include <lapacke.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/eigen.h"
#include "method/matrix.h"

/* Eigenvalues above this are beyond all doubt, and their products beyond all numbers. */
#define HUGE_MODULUS 1e140

/* A crew makes so many places per worker before the next question whether the search is to end. */
enum { AT_ONCE = 4 };

enum { NUMBERS_MAX = 3, COMPLEX_WORK = 34 };

/* Of one worker. */
typedef struct place_room {
    double numbers[NUMBERS_MAX];
    int size; /* largest matrix that the workspace is made for */
    double *work;
    int *iwork;
    eigen_schur schur;
    double *last;               /* a copy of the last A_mono, which is often the same at all places, */
    crossing_spectrum last_has; /* and its eigenvalues, at a place of the book; n = 0: none yet */
    double last_noise;
} place_room;

struct place_book {
    place_options options;
    place **slots; /* open addressing; a power of 2 */
    size_t slot_count, count;
    int room_count; /* one per worker of the crew, at least one */
    place_room *rooms;
    costab_error failure;
    bool any_posed, turn;
    int kernel; /* the least of any place */
};

/* A place that is asked for: what becomes of it, and why there is no map. */
typedef struct asked_place {
    double at[PLACE_DIMENSIONS];
    place *made;
    costab_error failure;
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
        memory_free_all(book->rooms[w].work, book->rooms[w].iwork);
    memory_free_all(book->slots, book->rooms, book);
}

void place_ask_turn(place_book *book, bool asked) {
    book->turn = asked;
}

size_t place_evaluations(const place_book *book) {
    return book->count;
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

/* ---- Eigenvalues ---- */

static bool all_finite(size_t count, const double *values) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += 0 * values[i];
    return sum == 0;
}

static costab_status make_room(place_room *room, int n, costab_error *error) {
    if (n <= room->size) return COSTAB_OK;
    memory_free(room->work);
    memory_free(room->iwork);
    size_t square = (size_t)n * (size_t)n,
           most = eigen_work(n) + 2 * square + (2 + 3 * COMPLEX_WORK) * (size_t)n;
    room->last_has.n = 0;
    room->work = memory_alloc(most + 3 * square, sizeof(double));
    room->iwork = memory_alloc(eigen_iwork(n), sizeof(int));
    room->size = n;
    if (room->work == NULL || room->iwork == NULL) return error_memory(error);
    room->schur = (eigen_schur){.hessenberg = room->work + most, .form = room->work + most + square};
    room->last = room->work + most + 2 * square;
    return COSTAB_OK;
}

/* LAPACK's complex numbers are pairs of doubles. */
static bool complex_values(const costab_matrix *m, double *work, crossing_spectrum *s) {
    int n = m->size;
    size_t count = (size_t)n * (size_t)n;
    double *matrix = work, *values = matrix + 2 * count, *inner = values + 2 * n,
           *real = inner + 2 * COMPLEX_WORK * n;
    for (size_t e = 0; e < count; e++) {
        matrix[2 * e] = m->entries[e];
        matrix[2 * e + 1] = m->imaginary[e];
    }
    if (LAPACKE_zgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, (lapack_complex_double *)matrix, n,
                           (lapack_complex_double *)values, NULL, 1, NULL, 1, (lapack_complex_double *)inner,
                           COMPLEX_WORK * n, real) != 0)
        return false;
    s->backward = n * DBL_EPSILON * hypot(matrix_norm(count, m->entries), matrix_norm(count, m->imaginary));
    for (int i = 0; i < n; i++) {
        s->re[i] = values[2 * i];
        s->im[i] = values[2 * i + 1];
        s->slack[i] = s->backward;
    }
    return true;
}

static int descending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? 1 : a > b ? -1 : 0;
}

/* How far eigenvalue i is beyond the limit. */
static double beyond_limit(const crossing_spectrum *s, bool line, int i) {
    return eigen_beyond(line ? EIGEN_AXIS : EIGEN_INCREMENT, s->re[i], s->im[i]);
}

static void survey(crossing_spectrum *s, bool line) {
    double most = 0;
    for (int i = 0; i < s->n; i++) {
        double size = hypot(s->re[i], s->im[i]);
        s->ranks[i] = beyond_limit(s, line, i);
        if (!(size <= most)) most = size;
    }
    qsort(s->ranks, (size_t)s->n, sizeof *s->ranks, descending);
    s->furthest = s->ranks[0];
    s->overflow = !(most < HUGE_MODULUS);
}

/* The eigenvalues of a real matrix into those of `s` from `at` on; `limit` is theirs. */
static bool real_values(place_room *room, const costab_matrix *m, eigen_limit limit, int at,
                        crossing_spectrum *s) {
    eigen_found all = {.count = m->size,
                       .re = s->re + at,
                       .im = s->im + at,
                       .slack = s->slack + at,
                       .schur = &room->schur,
                       .loss = 1,
                       .limit = limit,
                       .noise = limit == EIGEN_INCREMENT ? m->noise : 0};
    eigen_list list = {.re = s->re + at, .im = s->im + at, .schur = &room->schur};
    if (!eigen_find(m->size, m->entries, &list, room->work, room->iwork)) return false;
    eigen_slack(m->size, m->entries, &all, room->work, room->iwork);
    s->backward = fmax(s->backward, all.backward + m->noise);
    for (int i = at; i < at + m->size; i++) {
        s->slack[i] = fmax(s->slack[i], m->noise);
        if (limit == EIGEN_CIRCLE) s->re[i] -= 1;
    }
    return true;
}

static bool is_finite(const costab_matrix *m) {
    size_t count = (size_t)m->size * (size_t)m->size;
    return all_finite(count, m->entries) && (m->imaginary == NULL || all_finite(count, m->imaginary));
}

/* The eigenvalues of A_mono where it is the last one again. */
static bool recall(const place_room *room, const costab_matrix *m, crossing_spectrum *s) {
    const crossing_spectrum *last = &room->last_has;
    size_t n = (size_t)m->size;
    if (m->size != last->n || m->imaginary != NULL || m->noise != room->last_noise ||
        memcmp(m->entries, room->last, n * n * sizeof *room->last) != 0)
        return false;
    memcpy(s->re, last->re, n * sizeof *s->re);
    memcpy(s->im, last->im, n * sizeof *s->im);
    memcpy(s->slack, last->slack, n * sizeof *s->slack);
    s->backward = last->backward;
    return true;
}

static void remember(place_room *room, const costab_matrix *m, const crossing_spectrum *s) {
    size_t n = (size_t)m->size;
    memcpy(room->last, m->entries, n * n * sizeof *room->last);
    room->last_noise = m->noise;
    room->last_has = *s;
}

/* Eigenvalues that LAPACK does not find count as overflow: cells around them are divided. `near`: the map by
 * what it adds to the states, and its rest; or NULL. */
static costab_status find_spectrum(place_room *room, const costab_matrix *m, const costab_matrix near[2],
                                   bool line, crossing_spectrum *s, costab_error *error) {
    costab_status status = make_room(room, m->size, error);
    if (status) return status;
    bool found = is_finite(m);
    if (found && m->imaginary != NULL) {
        found = complex_values(m, room->work, s);
        for (int i = 0; i < m->size && found; i++) s->re[i] -= 1;
    } else if (found && near != NULL) {
        found = is_finite(&near[0]) && is_finite(&near[1]) &&
                real_values(room, &near[0], EIGEN_INCREMENT, 0, s) &&
                real_values(room, &near[1], EIGEN_CIRCLE, near[0].size, s);
    } else if (found && !(line && recall(room, m, s))) {
        found = real_values(room, m, line ? EIGEN_AXIS : EIGEN_CIRCLE, 0, s);
        if (found && line) remember(room, m, s);
    }
    if (found) survey(s, line);
    if (!found) s->overflow = true, s->furthest = (double)INFINITY;
    return COSTAB_OK;
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

/* For one worker, beside which others may be at it: nothing of the book is changed. */
static costab_status evaluate(const place_book *book, const costab_family *family, place_room *room,
                              asked_place *asked, costab_error *error) {
    costab_family_point point = {.turn = 0};
    costab_matrix matrices[PLACE_SPECTRA] = {{0}};
    const place_options *o = &book->options;
    unsigned wanted = o->continuous ? COSTAB_FAMILY_CONTINUOUS : COSTAB_FAMILY_MAP | COSTAB_FAMILY_NEAR;
    if (book->turn) wanted |= COSTAB_FAMILY_TURN;
    for (int d = 0; d < o->dimensions; d++) room->numbers[o->vary[d]] = asked->at[d];
    asked->failure = (costab_error){.status = COSTAB_OK};
    costab_status status = family->at(family->context, room->numbers, wanted, &point, &asked->failure);
    asked->failure.status = status;
    if (status == COSTAB_MEMORY) {
        if (error != NULL) *error = asked->failure;
        return status;
    }
    bool posed = !status;
    if (posed) {
        matrices[PLACE_MAP] = o->continuous ? point.continuous : point.map;
        if (o->continuous || point.loop_in_map) matrices[PLACE_LOOP] = point.loop;
        if (!o->continuous && !point.solved) matrices[PLACE_GUESSES] = point.guesses;
        if (!o->continuous && point.solved && matrices[PLACE_LOOP].size == 0)
            matrices[PLACE_LOOP] = point.guesses;
    }
    status = place_make(matrices, &asked->made, error);
    for (int p = 0; p < PLACE_SPECTRA && !status && posed; p++) {
        bool near = p == PLACE_MAP && !o->continuous && point.near[0].size > 0 &&
                    point.near[0].size + point.near[1].size == point.map.size;
        if (matrices[p].size > 0)
            status = find_spectrum(room, &matrices[p], near ? point.near : NULL,
                                   o->continuous && p == PLACE_MAP, &asked->made->spectra[p], error);
    }
    if (status) return status;
    place *made = asked->made;
    memcpy(made->at, asked->at, sizeof made->at);
    made->posed = posed;
    made->turn = point.turn;
    made->kernel = point.kernel;
    made->kind = o->continuous                           ? CROSSING_LINE
                 : matrices[PLACE_MAP].imaginary != NULL ? CROSSING_CIRCLE_COMPLEX
                                                         : CROSSING_CIRCLE;
    if (posed) set_functions(made);
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
        book->failure = asked->failure;
    int kernel = asked->made->kernel;
    if (asked->made->posed && kernel >= 0 && kernel < book->kernel) book->kernel = kernel;
}

/* Makes one place, for the crew. */
typedef struct crew_task {
    place_book *book;
    asked_place *asked;
} crew_task;

static costab_status make_one(void *of, int worker, int item, costab_error *error) {
    const crew_task *task = of;
    place_book *book = task->book;
    return evaluate(book, &book->options.crew->families[worker], &book->rooms[worker], &task->asked[item],
                    error);
}

/* Makes all places that are asked for, which are new and all different. */
static costab_status make_all(place_book *book, asked_place *asked, int count, costab_error *error) {
    const place_options *o = &book->options;
    const costab_crew *crew = o->crew != NULL && count > 1 ? o->crew : NULL;
    int most = crew != NULL ? AT_ONCE * crew->size : 1;
    costab_status status = COSTAB_OK;
    for (int i = 0, now; i < count && !status; i += now) {
        crew_task task = {book, asked + i};
        now = count - i < most ? count - i : most;
        if (o->ask != NULL) status = o->ask(o->ask_context, book->count + (size_t)i, error);
        if (!status && crew != NULL)
            status = crew->each(crew->context, now, make_one, &task, error);
        else if (!status)
            status = evaluate(book, o->family, &book->rooms[0], &asked[i], error);
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
    status = make_all(book, asked, open, error);
    for (int i = 0; i < open; i++) {
        if (status) /* nothing more is asked for */
            memory_free(asked[i].made);
        else
            keep(book, &asked[i]);
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
        double margin = beyond_limit(s, line, i);
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
