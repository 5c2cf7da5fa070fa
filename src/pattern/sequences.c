/* Bounds the joint spectral radius of a set of matrices: ln ||product|| / length over long products
 * (docs/explanation/algorithms.md, Sequences of steps).
 * A word is a sequence of matrices, its letters. Its length is the sum of its letters' lengths.
 * 1. Transformation: all matrices are expressed in the coordinates of a common quadratic norm (common_norm.h)
 *    and divided by e^(rate length), so products stay near 1.
 * 2. Lower bound: ln of the spectral radius of the product / length, of cyclic words: all short words but
 * rotations, as long as they are few, and all words of the search below.
 * 3. Upper bound by branch and bound (G. Gripenberg 1996): each word stores the least ln ||prefix|| / length
 *    over its prefixes. The word with the largest value is extended by every possible letter. A word ends if
 *    its value is at most the lower bound plus the requested gap.
 * 4. Result: if no word is left, the bounds differ by at most the gap. If the number of products is
 * exhausted, the upper bound is the largest stored value. Cost: n^3 per product, at most 200,000 products
 * unless the options say otherwise. Limitation: rounding is not bounded. */
#include "pattern/sequences.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/eigen.h"
#include "method/matrix.h"

enum { PRODUCTS = 200000, WORDS = 30000, LETTERS_MAX = 64 };
#define GAP 1e-4 /* default of the requested gap, times the mean length */

/* A word open for extension, and its product. */
typedef struct node {
    double least;           /* least ln ||prefix|| / length over its prefixes */
    double length, longest; /* sums of the letters' lengths and of sequence_spread.longest */
    double norm, radius;    /* norm of the product; radius around it for all matrices represented */
    int letters, last;
    uint16_t word[LETTERS_MAX]; /* longer words are not tried as cycles */
    double product[];
} node;

/* The open words: a heap with the largest `least` on top. */
typedef struct front {
    size_t count, capacity;
    node **nodes;
} front;

typedef struct bounding {
    const costab_sequence_set *set;
    costab_sequences *found;
    int n, count;
    double *maps;                      /* transformed matrices */
    double *lengths, *longest, *radii; /* one per map */
    double *norms;                     /* of the transformed matrices */
    double rate;                       /* rate of the common norm */
    double lower, gap;
    size_t budget;
    bool spread; /* maps represent others (sequence_spread): no cycles */
    int tried;   /* all cycles of up to this number of letters are in `lower` */
    const costab_sequences_options *options;
    double *work, *product;
    int *iwork;
    uint16_t word[LETTERS_MAX];
} bounding;

double ln_radius(int n, const double *M, double *work, int *iwork) {
    double *re = work + eigen_work(n), *im = re + n, radius = 0;
    for (int e = 0; e < n * n; e++)
        if (!isfinite(M[e])) return (double)INFINITY;
    if (!eigen_values(n, M, re, im, work, iwork)) return (double)NAN;
    for (int i = 0; i < n; i++) radius = fmax(radius, hypot(re[i], im[i]));
    return log(radius);
}

/* ---- Lower bound ---- */

static costab_status keep_cycle(bounding *b, const uint16_t *word, int letters, costab_error *error) {
    int *cycle = memory_resize(b->found->cycle, (size_t)letters, sizeof *cycle);
    if (cycle == NULL) return error_memory(error);
    for (int k = 0; k < letters; k++) cycle[k] = word[k];
    b->found->cycle = cycle;
    b->found->length = (size_t)letters;
    return COSTAB_OK;
}

/* Returns true if `next` may follow `last` (-1: start). */
static bool follows(const bounding *b, int last, int next) {
    return last < 0 || vertex_to(b->set, last) == vertex_from(b->set, next);
}

/* Updates the lower bound by one word; `norm` is the logarithm of its product's norm. Ignores gains at the
 * level of rounding. */
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

/* Tries the cyclic words of `letters` letters with the first `depth` letters of b->word, each in its first
 * rotation in lexicographic order (a Lyndon word): rotations have one spectral radius, and a repeated word
 * has the rate of the shorter word. period: of the first `depth` letters; continuing it or exceeding it keeps
 * the word a beginning of Lyndon words (H. Fredricksen, J. Maiorana 1978). */
static costab_status try_words(bounding *b, double *products, int letters, int depth, int period,
                               double length, costab_error *error) {
    size_t cells = (size_t)(b->n * b->n);
    int least = depth > 0 ? b->word[depth - period] : 0;
    for (int i = least; i < b->count; i++) {
        double *product = products + (size_t)depth * cells, total = length + b->lengths[i];
        const double *map = b->maps + (size_t)i * cells;
        if (!follows(b, depth > 0 ? b->word[depth - 1] : -1, i)) continue;
        int next = depth == 0 || i > least ? depth + 1 : period;
        b->word[depth] = (uint16_t)i;
        if (depth + 1 == letters && next < letters) continue;
        if (depth == 0)
            memcpy(product, map, cells * sizeof *product);
        else
            matrix_multiply(b->n, b->n, b->n, map, product - cells, product);
        TRY(depth + 1 < letters ? try_words(b, products, letters, depth + 1, next, total, error)
                                : try_cycle(b, product, b->word, letters, total,
                                            log(norm_of(b->n, product, b->work)), error));
    }
    return COSTAB_OK;
}

/* Tries all words up to the largest length with fewer than WORDS words. */
static costab_status short_cycles(bounding *b, costab_error *error) {
    int most = 1;
    double next = (double)b->count / (b->set->vertices > 1 ? b->set->vertices : 1); /* on average */
    for (double words = b->count;
         words * next <= fmin(WORDS, (double)b->budget / 4) && most < 16 && b->count > 1; words *= next)
        most++;
    memory_local_array(double, products, (size_t)most *(size_t)(b->n * b->n) + 1, error);
    for (int letters = 1; letters <= most; b->tried = letters++)
        TRY(try_words(b, products, letters, 0, 0, 0, error));
    return COSTAB_OK;
}

/* ---- Upper bound ---- */

static void exchange(front *f, size_t a, size_t b) {
    node *swap = f->nodes[a];
    f->nodes[a] = f->nodes[b];
    f->nodes[b] = swap;
}

/* Adds a copy of an open word and of its product to the heap. */
static costab_status push(front *f, size_t cells, const node *now, const double *product,
                          costab_error *error) {
    TRY(memory_reserve(&f->nodes, &f->capacity, f->count + 1, error));
    node *copy = memory_alloc(1, sizeof *copy + cells * sizeof *product);
    if (copy == NULL) return error_memory(error);
    *copy = *now;
    memcpy(copy->product, product, cells * sizeof *product);
    size_t at = f->count++;
    f->nodes[at] = copy;
    for (; at > 0 && f->nodes[(at - 1) / 2]->least < f->nodes[at]->least; at = (at - 1) / 2)
        exchange(f, (at - 1) / 2, at);
    return COSTAB_OK;
}

/* Removes the top and passes its ownership to the caller. */
static node *pop(front *f) {
    node *top = f->nodes[0];
    f->nodes[0] = f->nodes[--f->count];
    for (size_t at = 0;;) {
        size_t largest = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < f->count; child++)
            if (f->nodes[child]->least > f->nodes[largest]->least) largest = child;
        if (largest == at) return top;
        exchange(f, at, largest);
        at = largest;
    }
}

/* Extends the word `before` (NULL: empty) by map i; the result joins the heap or ends. */
static costab_status follow(bounding *b, front *f, const node *before, int i, costab_error *error) {
    size_t cells = (size_t)(b->n * b->n);
    node now = {.least = (double)INFINITY,
                .length = b->lengths[i],
                .longest = b->longest[i],
                .radius = b->radii[i],
                .letters = 1};
    const double *product = b->maps + (size_t)i * cells;
    if (b->options != NULL && b->options->stop != NULL && b->options->stop(b->options->stop_context))
        return error_set(error, COSTAB_CANCELLED, "the search was stopped");
    if (before != NULL) {
        matrix_multiply(b->n, b->n, b->n, product, before->product, b->product);
        product = b->product;
        now.length += before->length;
        now.longest += before->longest;
        now.least = before->least;
        now.radius = b->norms[i] * before->radius + b->radii[i] * (before->norm + before->radius);
        now.letters += before->letters;
        memcpy(now.word, before->word, sizeof now.word);
    }
    now.last = i;
    if (now.letters <= LETTERS_MAX) now.word[now.letters - 1] = (uint16_t)i;
    b->found->products++;
    now.norm = norm_of(b->n, product, b->work);
    if (now.letters > b->tried)
        TRY(try_cycle(b, product, now.word, now.letters, now.length, log(now.norm), error));
    double bound = log(now.norm + now.radius);
    now.least = fmin(now.least, bound / (bound > 0 ? now.length : now.longest));
    return now.least > b->lower + b->gap ? push(f, cells, &now, product, error) : COSTAB_OK;
}

/* Runs the branch and bound. *upper: largest `least` of the remaining words; -infinity without any. */
static costab_status branch(bounding *b, double *upper, costab_error *error) {
    front f = {.count = 0};
    costab_status status = COSTAB_OK;
    for (int i = 0; i < b->count && !status; i++) status = follow(b, &f, NULL, i, error);
    while (!status && f.count > 0 && f.nodes[0]->least > b->lower + b->gap &&
           b->found->products + (size_t)b->count <= b->budget) {
        node *before = pop(&f);
        for (int i = 0; i < b->count && !status; i++)
            if (follows(b, before->last, i)) status = follow(b, &f, before, i, error);
        memory_free(before);
    }
    *upper = !status && f.count > 0 ? f.nodes[0]->least : -(double)INFINITY;
    b->found->closed = !(*upper > b->lower + b->gap);
    for (size_t i = 0; i < f.count; i++) memory_free(f.nodes[i]);
    memory_free(f.nodes);
    return status;
}

/* ---- Both bounds ---- */

static costab_status allocate(bounding *b, costab_error *error) {
    size_t cells = (size_t)(b->n * b->n), count = (size_t)b->count;
    size_t work = eigen_work(b->n) + 2 * (size_t)b->n, norm = norm_work(b->n);
    TRY(memory_make(&b->maps, count * cells + 1, error));
    TRY(memory_make(&b->lengths, 4 * count, error));
    TRY(memory_make(&b->product, cells + 1, error));
    TRY(memory_make(&b->work, (work > norm ? work : norm) + cells + 1, error));
    TRY(memory_make(&b->iwork, eigen_iwork(b->n) + 1, error));
    b->longest = b->lengths + count;
    b->radii = b->longest + count;
    b->norms = b->radii + count;
    return COSTAB_OK;
}

/* Transforms the matrices. A map that represents steps of several lengths is divided by the least growth of
 * them. */
static void transform(bounding *b, const common_norm *norm, const sequence_spread *spread) {
    size_t cells = (size_t)(b->n * b->n);
    b->rate = isfinite(norm->rate) ? norm->rate : 0;
    for (int i = 0; i < b->count; i++) {
        double *map = b->maps + (size_t)i * cells;
        b->lengths[i] = length_of(b->set, i);
        b->longest[i] = spread != NULL && b->set->lengths != NULL ? spread->longest[i] : b->lengths[i];
        double scale = exp(-b->rate * (b->rate > 0 ? b->lengths[i] : b->longest[i]));
        common_norm_transform(norm, vertex_from(b->set, i), vertex_to(b->set, i),
                              b->set->matrices + (size_t)i * cells, map, b->work);
        for (size_t e = 0; e < cells; e++) map[e] *= scale;
        b->norms[i] = norm_of(b->n, map, b->work);
        b->radii[i] = spread != NULL ? scale * spread->radii[i] : 0;
    }
}

costab_status sequences_bound_in(const costab_sequence_set *set, const sequence_spread *spread, double known,
                                 const common_norm *norm, const costab_sequences_options *options,
                                 costab_sequences *found, costab_error *error) {
    bounding b = {.set = set,
                  .found = found,
                  .n = set->size,
                  .count = set->count,
                  .spread = spread != NULL,
                  .options = options};
    double upper = -(double)INFINITY, mean = 0;
    *found = (costab_sequences){.norm = norm->rate};
    costab_status status = allocate(&b, error);
    if (!status) transform(&b, norm, spread);
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
        return error_invalid(error, "there must be 1 to %d matrices, not %d", COSTAB_SEQUENCES_MAX,
                             set->count);
    for (int i = 0; i < set->count && set->vertices > 0; i++)
        if (set->from[i] < 0 || set->from[i] >= set->vertices || set->to[i] < 0 ||
            set->to[i] >= set->vertices)
            return error_invalid(error, "matrix %d leads from vertex %d to %d of %d", i, set->from[i],
                                 set->to[i], set->vertices);
    for (size_t e = 0; e < (size_t)set->count * (size_t)(set->size * set->size); e++)
        if (!isfinite(set->matrices[e])) return error_invalid(error, "a matrix is not finite");
    for (int i = 0; i < set->count; i++)
        if (!(length_of(set, i) > 0) || !isfinite(length_of(set, i)))
            return error_invalid(error, "the length %g is not positive and finite", length_of(set, i));
    ends_by(common_norm_free) common_norm norm = {.n = 0};
    TRY(common_norm_find(set, &norm, error));
    return sequences_bound_in(set, NULL, -(double)INFINITY, &norm, options, found, error);
}

void costab_sequences_free(costab_sequences *found) {
    memory_free(found->cycle);
    found->cycle = NULL;
    found->length = 0;
}
