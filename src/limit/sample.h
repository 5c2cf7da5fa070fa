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
    double turn;        /* see costab_family_point; 0 if not requested */
    uint32_t waits;     /* see costab_family_point; 0 for the continuous system */
    crossing_spectrum spectra[SAMPLE_SPECTRA];
    /* Functions of each matrix at radius 1 (line 0). */
    crossing_value functions[SAMPLE_SPECTRA][CROSSING_FUNCTIONS];
} sample;

/* Computes the functions at the limit from the eigenvalues. */
void sample_fill_functions(sample *at);

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

/* Returns the matrix with the eigenvalue furthest beyond the limit: SAMPLE_GUESSES or SAMPLE_MAP. */
sample_matrix sample_furthest(const sample *at);

/* Returns the verdict at this value alone: neutral if rounding may hide the side of the limit. */
costab_outcome sample_outcome(const sample *at);

/* Distance of the furthest eigenvalue of map or iteration matrix beyond the limit; NaN without
 * eigenvalues. */
typedef struct sample_margin {
    double beyond;
    double backward; /* backward error of its matrix */
    double slack;    /* rounding error bound of the eigenvalue */
} sample_margin;
sample_margin sample_margin_of(const sample *at);
