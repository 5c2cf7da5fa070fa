/* proof/sample_cache.h - evaluates a family at places of one parameter or two, and keeps the samples for all
 * cells of a search. */
#pragma once

#include "method/eigen.h"
#include "proof/sample.h"

/* All samples of one search. */
typedef struct sample_cache sample_cache;

typedef struct sample_options {
    const costab_family *family;
    const costab_crew *crew; /* makes several samples at once; NULL: one after the other */
    bool continuous;         /* look at A_mono, not at the map */
    int dimensions;          /* numbers of a place, all of the family's: 1 or 2 */
    /* Asked before evaluations, with how many there were: an error ends the search. NULL: not. */
    costab_status (*ask)(void *context, size_t evaluations, costab_error *error);
    void *ask_context;
} sample_options;

costab_status sample_cache_create(const sample_options *options, sample_cache **cache, costab_error *error);
void sample_cache_destroy(sample_cache *cache);

/* The sample `at` (`dimensions` numbers), evaluated if it is new. It stays until the cache is destroyed. */
costab_status sample_find(sample_cache *cache, const double *at, const sample **found, costab_error *error);

/* `count` samples, at most SAMPLE_AT_ONCE, at `count` x `dimensions` numbers. The same as one after the
 * other; new ones are made by the crew. */
enum { SAMPLE_AT_ONCE = 40 };
costab_status sample_find_all(sample_cache *cache, int count, const double *numbers, const sample **found,
                              costab_error *error);

/* One eigenvalue of map or guesses, at the last place to which it was followed. */
typedef struct tracked_eigenvalue {
    double at;            /* of a search in one parameter */
    bool found;           /* there is one, followed to here */
    sample_matrix matrix; /* whose it is */
    int number;           /* its number in that spectrum where the following began */
    int size;             /* of that matrix */
    uint32_t waits;       /* as in a sample */
    eigen_tracked pair;   /* with room for vectors of all of the spectrum */
    double beyond;        /* how far it is beyond the limit */
} tracked_eigenvalue;

/* The furthest eigenvalue of a sample, without vectors: the first step of following it leads to the same
 * place, and finds them. */
void tracked_begin(const sample *at, tracked_eigenvalue *tracked);

typedef struct tracking_step {
    const tracked_eigenvalue *from;
    tracked_eigenvalue *to; /* [in] at, and the room of its vectors */
} tracking_step;

/* Follows eigenvalues to other places. Each counts as an evaluation, but is much cheaper than a sample, and
 * is not kept. By the crew, like sample_find_all. */
costab_status sample_track(sample_cache *cache, int count, const tracking_step *steps, costab_error *error);

/* From now on samples are evaluated with their turn, or without. */
void sample_ask_turn(sample_cache *cache, bool asked);

size_t sample_evaluations(const sample_cache *cache);

/* The least nullity of any sample; INT_MAX: none is known. */
int sample_least_nullity(const sample_cache *cache);

/* The sample at which the map or the guesses (the continuous system) go least beyond the limit; NULL: none
 * has eigenvalues. [out] *radius: how far there, *guesses: it is the guesses that do. */
const sample *sample_nearest(const sample_cache *cache, double *radius, bool *guesses);

/* What the family said where it was ill-posed first; COSTAB_OK where it never was. */
const costab_error *sample_first_failure(const sample_cache *cache);
bool sample_any_posed(const sample_cache *cache);
