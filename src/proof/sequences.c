/* Bounds of the joint spectral radius of a set of matrices (docs/algorithms.md, Sequences of steps).
 *
 * In the coordinates of a common quadratic norm. From below: the spectral radii of short cycles, all of them
 * as long as they are few, and of all products met on the way. From above, G. Gripenberg: a product goes on
 * as long as each of its beginnings has ln ||.|| / length above the lower bound plus the gap. Where none goes
 * on the bounds are the gap apart; where there are too many the largest of their least beginnings is the
 * bound.
 *
 * All matrices are divided by the growth of their steps at the norm's rate, so that products stay near 1. */
#include "proof/sequences.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/eigen.h"
#include "method/matrix.h"

enum { PRODUCTS = 200000, WORDS = 30000, LETTERS_MAX = 64 };
#define GAP 1e-4

/* A product that goes on. */
typedef struct node {
    double least;           /* of ln ||beginning|| / length */
    double length, longest; /* in all */
    double norm, radius;    /* of the product, and of what it stands for */
    int letters, last;
} node;

/* The products that go on, the one with the largest least beginning on top: a heap of places. Matrices and
 * letters lie one after the other. */
typedef struct front {
    size_t count, capacity, made; /* in the heap, of room, and places that were ever used */
    size_t *heap;                 /* places; behind the heap those that are free again */
    node *nodes;
    double *matrices;
    uint16_t *words;
} front;

typedef struct bounding {
    const costab_sequence_set *set;
    costab_sequences *found;
    int n, count;
    double *maps;                      /* turned and scaled */
    double *lengths, *longest, *radii; /* one per map */
    double *norms;
    double rate; /* that was divided out */
    double lower, gap;
    size_t budget;
    bool spread; /* maps stand for others, and their cycles are nothing */
    double *work, *product;
    int *iwork;
    uint16_t word[LETTERS_MAX];
} bounding;

double ln_radius(int n, const double *M, double *work, int *iwork) {
    double *re = work + eigen_work(n), *im = re + n, most = 0;
    for (int e = 0; e < n * n; e++)
        if (!isfinite(M[e])) return (double)INFINITY;
    if (!eigen_values(n, M, re, im, work, iwork)) return (double)NAN;
    for (int i = 0; i < n; i++) most = fmax(most, hypot(re[i], im[i]));
    return log(most);
}

/* ---- From below ---- */

static costab_status keep_cycle(bounding *b, const uint16_t *word, int letters, costab_error *error) {
    int *cycle = memory_resize(b->found->cycle, (size_t)letters, sizeof *cycle);
    if (cycle == NULL) return error_memory(error);
    for (int k = 0; k < letters; k++) cycle[k] = word[k];
    b->found->cycle = cycle;
    b->found->length = (size_t)letters;
    return COSTAB_OK;
}

/* May `next` follow `last` (-1: nothing)? */
static bool follows(const bounding *b, int last, int next) {
    return last < 0 || b->set->vertices <= 1 || b->set->to[last] == b->set->from[next];
}

/* A product as a cycle; `norm` is the logarithm of its norm. Small gains by rounding do not count. */
static costab_status try_cycle(bounding *b, const double *product, const uint16_t *word, int letters,
                               double length, double norm, costab_error *error) {
    if (b->spread || letters > LETTERS_MAX || !(norm / length > b->lower)) return COSTAB_OK;
    if (!follows(b, word[letters - 1], word[0])) return COSTAB_OK;
    double radius = ln_radius(b->n, product, b->work, b->iwork) / length;
    if (isnan(radius)) return error_set(error, COSTAB_NUMERIC, "LAPACK finds no eigenvalues of a product");
    if (!(radius > b->lower + 1e-12 / length)) return COSTAB_OK;
    b->lower = radius;
    return keep_cycle(b, word, letters, error);
}

/* All words of so many letters. */
static costab_status try_words(bounding *b, double *products, int letters, int depth, double length,
                               costab_error *error) {
    size_t cells = (size_t)(b->n * b->n);
    for (int i = 0; i < b->count; i++) {
        double *product = products + (size_t)depth * cells, total = length + b->lengths[i];
        const double *map = b->maps + (size_t)i * cells;
        if (!follows(b, depth > 0 ? b->word[depth - 1] : -1, i)) continue;
        b->word[depth] = (uint16_t)i;
        if (depth == 0)
            memcpy(product, map, cells * sizeof *product);
        else
            matrix_multiply(b->n, b->n, b->n, map, product - cells, product);
        costab_status status = depth + 1 < letters ? try_words(b, products, letters, depth + 1, total, error)
                                                   : try_cycle(b, product, b->word, letters, total,
                                                               log(norm_of(b->n, product, b->work)), error);
        if (status) return status;
    }
    return COSTAB_OK;
}

static costab_status short_cycles(bounding *b, costab_error *error) {
    int most = 1;
    double next = (double)b->count / (b->set->vertices > 1 ? b->set->vertices : 1); /* in the mean */
    for (double words = b->count;
         words * next <= fmin(WORDS, (double)b->budget / 4) && most < 16 && b->count > 1; words *= next)
        most++;
    double *products = memory_alloc((size_t)most * (size_t)(b->n * b->n) + 1, sizeof *products);
    costab_status status = products != NULL ? COSTAB_OK : error_memory(error);
    for (int letters = 1; letters <= most && !status; letters++)
        status = try_words(b, products, letters, 0, 0, error);
    memory_free(products);
    return status;
}

/* ---- From above ---- */

static costab_status reserve(front *f, int n, costab_error *error) {
    size_t cells = (size_t)(n * n), wanted = f->capacity + f->capacity / 2 + 256;
    if (f->made < f->capacity || f->count < f->made) return COSTAB_OK;
    size_t *heap = memory_resize(f->heap, wanted, sizeof *heap);
    if (heap != NULL) f->heap = heap;
    node *nodes = memory_resize(f->nodes, wanted, sizeof *nodes);
    if (nodes != NULL) f->nodes = nodes;
    double *matrices = memory_resize(f->matrices, wanted * cells + 1, sizeof *matrices);
    if (matrices != NULL) f->matrices = matrices;
    uint16_t *words = memory_resize(f->words, wanted * LETTERS_MAX, sizeof *words);
    if (words != NULL) f->words = words;
    if (!heap || !nodes || !matrices || !words) return error_memory(error);
    f->capacity = wanted;
    return COSTAB_OK;
}

static void front_free(front *f) {
    memory_free_all(f->heap, f->nodes, f->matrices, f->words);
}

static double least_at(const front *f, size_t at) {
    return f->nodes[f->heap[at]].least;
}

static void exchange(front *f, size_t a, size_t b) {
    size_t kept = f->heap[a];
    f->heap[a] = f->heap[b];
    f->heap[b] = kept;
}

/* Words are kept up to some letters; longer ones are no cycles. */
static size_t kept_letters(const node *now) {
    return now->letters < LETTERS_MAX ? (size_t)now->letters : LETTERS_MAX;
}

/* Adds a product; there is room. */
static void push(front *f, int n, const node *now, const double *product, const uint16_t *word) {
    size_t cells = (size_t)(n * n), at = f->count++;
    if (at == f->made) f->heap[f->made] = f->made, f->made++;
    size_t place = f->heap[at];
    f->nodes[place] = *now;
    memcpy(f->matrices + place * cells, product, cells * sizeof *product);
    memcpy(f->words + place * LETTERS_MAX, word, kept_letters(now) * sizeof *word);
    for (; at > 0 && least_at(f, (at - 1) / 2) < least_at(f, at); at = (at - 1) / 2)
        exchange(f, (at - 1) / 2, at);
}

/* Takes the top away; its place is free. */
static void pop(front *f) {
    exchange(f, 0, --f->count);
    for (size_t at = 0;;) {
        size_t most = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < f->count; child++)
            if (least_at(f, child) > least_at(f, most)) most = child;
        if (most == at) return;
        exchange(f, at, most);
        at = most;
    }
}

/* A product (NULL: none) followed by map i: it goes on, or is dropped. */
static costab_status follow(bounding *b, front *f, const node *before, const double *first, int i,
                            costab_error *error) {
    size_t cells = (size_t)(b->n * b->n);
    node now = {.least = (double)INFINITY,
                .length = b->lengths[i],
                .longest = b->longest[i],
                .radius = b->radii[i],
                .letters = 1};
    const double *product = b->maps + (size_t)i * cells;
    if (before != NULL) {
        matrix_multiply(b->n, b->n, b->n, product, first, b->product);
        product = b->product;
        now.length += before->length;
        now.longest += before->longest;
        now.least = before->least;
        now.radius = b->norms[i] * before->radius + b->radii[i] * (before->norm + before->radius);
        now.letters += before->letters;
    }
    now.last = i;
    if (now.letters <= LETTERS_MAX) b->word[now.letters - 1] = (uint16_t)i;
    b->found->products++;
    now.norm = norm_of(b->n, product, b->work);
    costab_status status = try_cycle(b, product, b->word, now.letters, now.length, log(now.norm), error);
    double bound = log(now.norm + now.radius);
    now.least = fmin(now.least, bound / (bound > 0 ? now.length : now.longest));
    if (!status && now.least > b->lower + b->gap) {
        status = reserve(f, b->n, error);
        if (!status) push(f, b->n, &now, product, b->word);
    }
    return status;
}

/* *upper: no sequence grows faster than the largest least beginning of the products that go on, or the lower
 * bound and the gap. */
static costab_status branch(bounding *b, double *upper, costab_error *error) {
    front f = {.count = 0};
    size_t cells = (size_t)(b->n * b->n);
    double *first = memory_alloc(cells + 1, sizeof *first);
    costab_status status = first != NULL ? COSTAB_OK : error_memory(error);
    for (int i = 0; i < b->count && !status; i++) status = follow(b, &f, NULL, NULL, i, error);
    while (!status && f.count > 0 && least_at(&f, 0) > b->lower + b->gap) {
        size_t place = f.heap[0];
        node before = f.nodes[place];
        if (b->found->products + (size_t)b->count > b->budget) break;
        memcpy(first, f.matrices + place * cells, cells * sizeof *first);
        memcpy(b->word, f.words + place * LETTERS_MAX, kept_letters(&before) * sizeof *b->word);
        pop(&f);
        for (int i = 0; i < b->count && !status; i++)
            if (follows(b, before.last, i)) status = follow(b, &f, &before, first, i, error);
    }
    *upper = !status && f.count > 0 ? least_at(&f, 0) : -(double)INFINITY;
    b->found->closed = !(*upper > b->lower + b->gap);
    memory_free(first);
    front_free(&f);
    return status;
}

/* ---- Both ---- */

static costab_status allocate(bounding *b, costab_error *error) {
    size_t cells = (size_t)(b->n * b->n), count = (size_t)b->count;
    size_t work = eigen_work(b->n) + 2 * (size_t)b->n, norm = norm_work(b->n);
    b->maps = memory_alloc(count * cells + 1, sizeof(double));
    b->lengths = memory_alloc(4 * count, sizeof(double));
    b->product = memory_alloc(cells + 1, sizeof(double));
    b->work = memory_alloc((work > norm ? work : norm) + cells + 1, sizeof(double));
    b->iwork = memory_alloc(eigen_iwork(b->n) + 1, sizeof(int));
    if (!b->maps || !b->lengths || !b->product || !b->work || !b->iwork) return error_memory(error);
    b->longest = b->lengths + count;
    b->radii = b->longest + count;
    b->norms = b->radii + count;
    return COSTAB_OK;
}

/* The maps in the coordinates of the norm, divided by the growth at its rate of what they stand for at least.
 */
static void turn(bounding *b, const common_norm *norm, const sequence_spread *spread) {
    size_t cells = (size_t)(b->n * b->n);
    b->rate = isfinite(norm->rate) ? norm->rate : 0;
    for (int i = 0; i < b->count; i++) {
        double *map = b->maps + (size_t)i * cells;
        b->lengths[i] = b->set->lengths != NULL ? b->set->lengths[i] : 1;
        b->longest[i] = spread != NULL && b->set->lengths != NULL ? spread->longest[i] : b->lengths[i];
        double scale = exp(-b->rate * (b->rate > 0 ? b->lengths[i] : b->longest[i]));
        bool placed = b->set->vertices > 1;
        common_norm_turn(norm, placed ? b->set->from[i] : 0, placed ? b->set->to[i] : 0,
                         b->set->matrices + (size_t)i * cells, map, b->work);
        for (size_t e = 0; e < cells; e++) map[e] *= scale;
        b->norms[i] = norm_of(b->n, map, b->work);
        b->radii[i] = spread != NULL ? scale * spread->radii[i] : 0;
    }
}

costab_status sequences_bound_in(const costab_sequence_set *set, const sequence_spread *spread, double known,
                                 const common_norm *norm, const costab_sequences_options *options,
                                 costab_sequences *found, costab_error *error) {
    bounding b = {.set = set, .found = found, .n = set->size, .count = set->count, .spread = spread != NULL};
    double upper = -(double)INFINITY, mean = 0;
    *found = (costab_sequences){.norm = norm->rate};
    costab_status status = allocate(&b, error);
    if (!status) turn(&b, norm, spread);
    for (int i = 0; i < b.count && !status; i++) mean += b.lengths[i] / b.count;
    b.lower = known - b.rate;
    b.gap = options != NULL && options->gap > 0 ? options->gap : GAP / mean;
    b.budget = options != NULL && options->products > 0 ? options->products : PRODUCTS;
    if (!status && spread == NULL) status = short_cycles(&b, error);
    if (!status) status = branch(&b, &upper, error);
    if (!status) {
        found->lower = b.lower + b.rate;
        found->upper = fmax(b.lower + b.gap, upper) + b.rate;
        if (spread == NULL) found->upper = fmax(found->lower, fmin(found->upper, norm->rate));
        if (isinf(b.lower) && spread == NULL) found->upper = found->closed ? -(double)INFINITY : found->upper;
    }
    memory_free_all(b.maps, b.lengths, b.product, b.work, b.iwork);
    return status;
}

costab_status costab_sequences_bound(const costab_sequence_set *set, const costab_sequences_options *options,
                                     costab_sequences *found, costab_error *error) {
    *found = (costab_sequences){.length = 0};
    if (set->count < 1 || set->count > COSTAB_SEQUENCES_MAX || set->size < 0)
        return error_set(error, COSTAB_INVALID, "there must be 1 to %d matrices, not %d",
                         COSTAB_SEQUENCES_MAX, set->count);
    for (int i = 0; i < set->count && set->vertices > 0; i++)
        if (set->from[i] < 0 || set->from[i] >= set->vertices || set->to[i] < 0 ||
            set->to[i] >= set->vertices)
            return error_set(error, COSTAB_INVALID, "matrix %d leads from place %d to %d of %d", i,
                             set->from[i], set->to[i], set->vertices);
    for (size_t e = 0; e < (size_t)set->count * (size_t)(set->size * set->size); e++)
        if (!isfinite(set->matrices[e])) return error_set(error, COSTAB_INVALID, "a matrix is not finite");
    double *ones = memory_alloc((size_t)set->count, sizeof *ones);
    if (ones == NULL) return error_memory(error);
    for (int i = 0; i < set->count; i++) ones[i] = set->lengths != NULL ? set->lengths[i] : 1;
    matrix_set wanted = {set->count, set->size, set->matrices, ones, set->vertices, set->from, set->to};
    common_norm norm;
    costab_status status = COSTAB_OK;
    for (int i = 0; i < set->count && !status; i++)
        if (!(ones[i] > 0) || !isfinite(ones[i]))
            status = error_set(error, COSTAB_INVALID, "the length %g is not positive and finite", ones[i]);
    if (!status) {
        status = common_norm_find(&wanted, &norm, error);
        if (!status) status = sequences_bound_in(set, NULL, -(double)INFINITY, &norm, options, found, error);
        common_norm_free(&norm);
    }
    memory_free(ones);
    return status;
}

void costab_sequences_free(costab_sequences *found) {
    memory_free(found->cycle);
    found->cycle = NULL;
    found->length = 0;
}
