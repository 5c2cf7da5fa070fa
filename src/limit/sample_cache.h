/* limit/sample_cache.h - evaluates a family at values of its parameter, and keeps the samples for all cells
 * of a search. */
#pragma once

#include "limit/sample.h"

/* All samples of one search. */
typedef struct sample_cache sample_cache;

typedef struct sample_options {
    const costab_family *family;
    const costab_crew *crew; /* makes several samples at once; NULL: one after the other */
    bool continuous;         /* look at A_mono, not at the map */
    /* Asked before evaluations, with how many there were: an error ends the search. NULL: not. */
    costab_status (*ask)(void *context, size_t evaluations, costab_error *error);
    void *ask_context;
} sample_options;

costab_status sample_cache_create(const sample_options *options, sample_cache **cache, costab_error *error);
void sample_cache_destroy(sample_cache *cache);

/* The sample at a value, evaluated if it is new. It stays until the cache is destroyed. */
costab_status sample_find(sample_cache *cache, double value, const sample **found, costab_error *error);

/* `count` samples, at most SAMPLE_AT_ONCE. The same as one after the other; new ones are made by the crew. */
enum { SAMPLE_AT_ONCE = 40 };
costab_status sample_find_all(sample_cache *cache, int count, const double *values, const sample **found,
                              costab_error *error);

/* Moves two values between which the number of stored delayed values changes to where it does, without
 * evaluations. */
void sample_narrow_jump(const sample_cache *cache, double *before, double *after);

/* From now on samples are evaluated with their turn, or without. */
void sample_ask_turn(sample_cache *cache, bool asked);

size_t sample_evaluations(const sample_cache *cache);

/* The sample at which the map or the guesses (the continuous system) go least beyond the limit; NULL: none
 * has eigenvalues. [out] *radius: how far there, *guesses: it is the guesses that do. */
const sample *sample_nearest(const sample_cache *cache, double *radius, bool *guesses);

/* What the family said where it was ill-posed first; COSTAB_OK where it never was. */
const costab_error *sample_first_failure(const sample_cache *cache);
bool sample_any_posed(const sample_cache *cache);
