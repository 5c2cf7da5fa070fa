/* limit/sample.h - a family at one parameter value: eigenvalues, crossing functions, and the side of the
 * limit. */
#pragma once

#include "limit/crossing.h"

/* Matrices of a sample: the loop D L of signals without delay, the iteration matrix J, and the map (A_mono
 * for the continuous system). The first two may cause poles of the map (costab_family_point). */
typedef enum sample_matrix { SAMPLE_LOOP, SAMPLE_GUESSES, SAMPLE_MAP, SAMPLE_SPECTRA } sample_matrix;

typedef struct sample {
    double at;          /* parameter */
    bool posed;         /* the model is well posed: matrices exist */
    crossing_kind kind; /* kind of the map */
    double span;        /* as in costab_family_point; 0 of a map */
    double turn;        /* phase per macro step (costab_family_point); 0 if not requested */
    uint32_t waits;     /* see costab_family_point; 0 for the continuous system */
    crossing_spectrum spectra[SAMPLE_SPECTRA];
    /* Functions of each matrix at radius 1 (line 0). */
    crossing_value functions[SAMPLE_SPECTRA][CROSSING_FUNCTIONS];
} sample;

/* Computes the functions of one matrix at the distance `beyond` from the limit. The kind may be the complex
 * one for a real map. */
void sample_functions_at(const sample *at, sample_matrix matrix, crossing_kind kind, double beyond,
                         crossing_value values[CROSSING_FUNCTIONS]);

/* Multiplies functions of the map by det(I - J) and det(I - D L), the determinants of its poles. The products
 * are analytic near a pole and only vary more elsewhere. */
void sample_take_poles(const sample *at, crossing_kind kind, crossing_value values[CROSSING_FUNCTIONS]);

/* Returns true if two well-posed samples have matrices of equal size and equal delays: no jump between
 * them. */
bool sample_has_form_of(const sample *at, const sample *other);
/* Returns true if the sample is well posed, without overflow, and of the same form as another such sample. */
bool sample_is_comparable(const sample *at, const sample *other);

/* Returns the verdict at this value alone: neutral if rounding may hide the side of the limit. */
costab_outcome sample_outcome(const sample *at);

/* Distance of the furthest eigenvalue of map or iteration matrix beyond the limit. */
typedef struct sample_margin {
    double beyond;   /* NaN if the model is ill-posed, infinite on overflow, 0 without eigenvalues */
    double backward; /* backward error of its matrix */
    double slack;    /* rounding error bound of the eigenvalue */
} sample_margin;
sample_margin sample_margin_of(const sample *at);

/* ---- The cache ---- */

/* All samples of one search: values of a family, evaluated on request and kept for all cells. */
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

/* Returns the sample at a value, evaluated if it is new. It stays valid until the cache is destroyed. An
 * ill-posed model gives a sample without `posed`; errors are COSTAB_MEMORY and errors of `ask`. */
costab_status sample_find(sample_cache *cache, double value, const sample **found, costab_error *error);

/* Returns `count` samples, at most SAMPLE_AT_ONCE, with the same result as sample_find() for each; a crew
 * makes new ones concurrently. */
enum { SAMPLE_AT_ONCE = 40 };
costab_status sample_find_all(sample_cache *cache, int count, const double *values, const sample **found,
                              costab_error *error);

/* Narrows an interval to neighbouring doubles around a change of the number of stored delayed values, without
 * evaluations. Leaves the interval unchanged if its ends have the same number or the number is unknown. */
void sample_narrow_jump(const sample_cache *cache, double *before, double *after);

/* Sets whether further samples contain the phase per macro step (`turn`); initially not. */
void sample_ask_turn(sample_cache *cache, bool asked);

size_t sample_evaluations(const sample_cache *cache);

/* Returns the sample with the least distance of map or iteration matrix (or continuous system) beyond the
 * limit; NULL if no sample is well posed. [out] *beyond: that distance, -infinity without eigenvalues.
 * *guesses: it belongs to the iteration matrix. Both are unchanged if NULL is returned. */
const sample *sample_nearest(const sample_cache *cache, double *beyond, bool *guesses);

/* Returns the family's first error for an ill-posed model; its status is COSTAB_OK if there was none. */
const costab_error *sample_first_failure(const sample_cache *cache);
bool sample_any_posed(const sample_cache *cache);
