/* limit/sample.h - what a family is at one place: eigenvalues, the crossing functions made of them, and which
 * side of the limit they show. */
#pragma once

#include "limit/crossing.h"

/* The matrices of a sample: the loop D L of signals without delay, J of an iteration to convergence (its
 * guesses), and the map, or A_mono where the continuous system is searched. The first two may make poles of
 * the last (costab_family_point). */
typedef enum sample_matrix { SAMPLE_LOOP, SAMPLE_GUESSES, SAMPLE_MAP, SAMPLE_SPECTRA } sample_matrix;

typedef struct sample {
    double at;          /* the parameter */
    bool posed;         /* the model is well posed: there are matrices */
    crossing_kind kind; /* of the map */
    double turn;        /* as in costab_family_point; 0 where it was not asked for */
    uint32_t waits;     /* as in costab_family_point; 0 for the continuous system */
    crossing_spectrum spectra[SAMPLE_SPECTRA];
    /* The map's functions at radius 1 (the line 0); those of the guesses; that of the loop. */
    crossing_value functions[SAMPLE_SPECTRA][CROSSING_FUNCTIONS];
} sample;

/* Fills the functions at the limit, once there are eigenvalues. */
void sample_fill_functions(sample *at);

/* The functions of one matrix so far `beyond` the limit. The kind may be that of complex maps though this one
 * is real. */
void sample_functions_at(const sample *at, sample_matrix matrix, crossing_kind kind, double beyond,
                         crossing_value values[CROSSING_FUNCTIONS]);

/* Multiplies functions of the map by its poles' determinants det(I - J) and det(I - D L): near a pole they
 * are then analytic, elsewhere they only vary more. */
void sample_take_poles(const sample *at, crossing_kind kind, crossing_value values[CROSSING_FUNCTIONS]);

/* Have two samples that are well posed matrices of one size, and the same delays: no jump between them? */
bool sample_has_form_of(const sample *at, const sample *other);
/* Is it well posed, without overflow, and in all of the form of another that is? */
bool sample_is_comparable(const sample *at, const sample *other);

/* Whose eigenvalue is the furthest beyond the limit: SAMPLE_GUESSES or SAMPLE_MAP. */
sample_matrix sample_furthest(const sample *at);

/* The verdict of the eigenvalues at this place alone: neutral where rounding may hide the side of the limit.
 */
costab_outcome sample_outcome(const sample *at);

/* How far the furthest eigenvalue of map or guesses is beyond the limit; NaN: there is none. */
typedef struct sample_margin {
    double beyond;
    double backward; /* the backward error of its matrix, */
    double slack;    /* and how far rounding may have moved it */
} sample_margin;
sample_margin sample_margin_of(const sample *at);
