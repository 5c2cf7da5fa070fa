/* limit/sample_cache.h - evaluates a family at values of its parameter and caches the samples for all cells
 * of a search. */
#pragma once

#include "limit/sample.h"

/* All samples of one search. */
typedef struct sample_cache sample_cache;

typedef struct sample_options {
    const costab_family *family;
    const costab_crew *crew; /* makes several samples concurrently; NULL: sequential */
    bool continuous;         /* evaluate A_mono instead of the map */
    /* Called before evaluations, with the number so far; an error ends the search. May be NULL. */
    costab_status (*ask)(void *context, size_t evaluations, costab_error *error);
    void *ask_context;
} sample_options;

costab_status sample_cache_create(const sample_options *options, sample_cache **cache, costab_error *error);
void sample_cache_destroy(sample_cache *cache);

/* Returns the sample at a value, evaluated if it is new. It stays valid until the cache is destroyed. */
costab_status sample_find(sample_cache *cache, double value, const sample **found, costab_error *error);

/* Returns `count` samples, at most SAMPLE_AT_ONCE, with the same result as sample_find() for each; a crew
 * makes new ones concurrently. */
enum { SAMPLE_AT_ONCE = 40 };
costab_status sample_find_all(sample_cache *cache, int count, const double *values, const sample **found,
                              costab_error *error);

/* Narrows an interval to the change of the number of stored delayed values, without evaluations. */
void sample_narrow_jump(const sample_cache *cache, double *before, double *after);

/* Requests the phase advance (turn) for all further samples, or not. */
void sample_ask_turn(sample_cache *cache, bool asked);

size_t sample_evaluations(const sample_cache *cache);

/* Returns the sample with the least distance of map or iteration matrix (or continuous system) beyond the
 * limit; NULL if no sample has eigenvalues. [out] *radius: that distance. *guesses: it belongs to the
 * iteration matrix. */
const sample *sample_nearest(const sample_cache *cache, double *radius, bool *guesses);

/* Returns the family's first error for an ill-posed model, or COSTAB_OK. */
const costab_error *sample_first_failure(const sample_cache *cache);
bool sample_any_posed(const sample_cache *cache);
