/* proof/sample.h - what a family is at one place: eigenvalues, the crossing functions made of them, and which
 * side of the limit they show. */
#pragma once

#include "proof/crossing.h"

enum { SAMPLE_LOOP, SAMPLE_GUESSES, SAMPLE_MAP, SAMPLE_SPECTRA };

enum { SAMPLE_DIMENSIONS = 2 };

/* The map's eigenvalues (those of A_mono, where that is what is looked at) and those of what makes poles. */
typedef struct sample {
    double at[SAMPLE_DIMENSIONS];
    bool posed;
    crossing_kind kind; /* of the map */
    double turn;        /* as in costab_family_point; 0 where it was not asked for */
    int nullity;        /* as in costab_family_point */
    uint32_t waits;     /* as in costab_family_point; 0 for the continuous system */
    crossing_spectrum spectra[SAMPLE_SPECTRA];
    /* The map's functions at radius 1 (the line 0); those of the guesses; that of the loop. */
    crossing_value functions[SAMPLE_SPECTRA][CROSSING_FUNCTIONS];
} sample;

/* Fills the functions at the limit, once there are eigenvalues. */
void sample_set_functions(sample *at);

/* The functions of a spectrum so far `beyond` the limit, of a kind that may be that of a complex map though
 * this one is real. */
void sample_functions_at(const sample *at, int which, crossing_kind kind, double beyond,
                         crossing_value values[CROSSING_FUNCTIONS]);

/* Takes the poles of the map away from its functions of that kind: near a pole they are then analytic,
 * elsewhere they only vary more. */
void sample_take_poles(const sample *at, crossing_kind kind, crossing_value values[CROSSING_FUNCTIONS]);

/* Have two that are posed matrices of one size, and is no jump known between them? */
bool sample_has_form_of(const sample *at, const sample *other);
/* Is it posed, without overflow, and in all of the form of another that is? */
bool sample_goes_with(const sample *at, const sample *other);

/* Whose eigenvalue is the furthest beyond the limit: SAMPLE_GUESSES or SAMPLE_MAP. */
int sample_furthest(const sample *at);

/* What its eigenvalues alone say: stable and unstable only where rounding cannot turn it. */
costab_outcome sample_outcome(const sample *at);

/* How far the furthest eigenvalue of map or guesses is beyond the limit; NaN: there is none. */
typedef struct sample_margin {
    double beyond;
    double backward; /* the backward error of its matrix, */
    double slack;    /* and how far rounding may have moved it */
} sample_margin;
sample_margin sample_margin_of(const sample *at);
