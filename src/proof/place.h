/* proof/place.h - what a family is at places of one parameter or two: eigenvalues, kept from cell to cell. */
#ifndef PROOF_PLACE_H
#define PROOF_PLACE_H

#include "method/eigen.h"
#include "proof/crossing.h"

enum { PLACE_LOOP, PLACE_GUESSES, PLACE_MAP, PLACE_SPECTRA };

enum { PLACE_DIMENSIONS = 2 };

/* One place: the map's eigenvalues (those of A_mono, where that is what is looked at) and those of what makes
 * poles. */
typedef struct place {
    double at[PLACE_DIMENSIONS];
    bool posed;
    crossing_kind kind; /* of the map */
    double turn;        /* as in costab_family_point; 0 where it was not asked for */
    int kernel;         /* as in costab_family_point */
    crossing_spectrum spectra[PLACE_SPECTRA];
    /* The map's functions at radius 1 (the line 0); those of the guesses; that of the loop. */
    crossing_value functions[PLACE_SPECTRA][CROSSING_FUNCTIONS];
} place;

/* All places of one search. */
typedef struct place_book place_book;

typedef struct place_options {
    const costab_family *family;
    const costab_crew *crew;    /* makes several places at once; NULL: one after the other */
    bool continuous;            /* look at A_mono, not at the map */
    const double *base;         /* the family's numbers, */
    int count;                  /* how many */
    int dimensions;             /* numbers of a place: 1 or 2, */
    int vary[PLACE_DIMENSIONS]; /* and which of the family's they are */
    /* Asked before evaluations, with how many there were: an error ends the search. NULL: not. */
    costab_status (*ask)(void *context, size_t evaluations, costab_error *error);
    void *ask_context;
} place_options;

costab_status place_book_create(const place_options *options, place_book **book, costab_error *error);
void place_book_destroy(place_book *book);

/* The place `at` (`dimensions` numbers), evaluated if it is new. It stays until the book is destroyed. */
costab_status place_find(place_book *book, const double *at, const place **found, costab_error *error);

/* `count` places, at most PLACE_AT_ONCE, at `count` x `dimensions` numbers. The same as one after the other;
 * new ones are made by the crew. */
enum { PLACE_AT_ONCE = 40 };
costab_status place_find_all(place_book *book, int count, const double *numbers, const place **found,
                             costab_error *error);

/* One eigenvalue of map or guesses, followed from place to place. */
typedef struct place_branch {
    double at;         /* of a search in one parameter */
    bool found;        /* there is one, followed to here */
    int which, number; /* of which spectrum; the number of the eigenvalue in it, or any of the same matrix */
    int size;          /* of that matrix */
    eigen_branch pair; /* with room for vectors of all of the spectrum */
    double beyond;     /* how far it is beyond the limit */
} place_branch;

/* The furthest eigenvalue at a place, without vectors: what following begins with, at the same place. */
void place_branch_begin(const place *at, place_branch *branch);

typedef struct place_step {
    const place_branch *from;
    place_branch *to; /* [in] at, and the room of its vectors */
} place_step;

/* Follows eigenvalues to places where nothing else is asked: each is an evaluation, but much cheaper than a
 * place. By the crew, like place_find_all. */
costab_status place_follow(place_book *book, int count, const place_step *steps, costab_error *error);

/* From now on places are evaluated with their turn, or without. */
void place_ask_turn(place_book *book, bool asked);

size_t place_evaluations(const place_book *book);

/* The least kernel of any place; INT_MAX: none is known. */
int place_least_kernel(const place_book *book);

/* The place at which the map or the guesses (the continuous system) go least beyond the limit; NULL: none has
 * eigenvalues. [out] *radius: how far there, *guesses: it is the guesses that do. */
const place *place_nearest(const place_book *book, double *radius, bool *guesses);

/* What the family said where it was ill-posed first; COSTAB_OK where it never was. */
const costab_error *place_first_failure(const place_book *book);
bool place_any_posed(const place_book *book);
/* What its eigenvalues alone say: stable and unstable only where rounding cannot turn it. */
costab_outcome place_outcome(const place *at);

/* How far the furthest eigenvalue of map or guesses is beyond the limit; NaN: there is none. */
typedef struct place_margin {
    double beyond;
    double backward; /* the backward error of its matrix, */
    double slack;    /* and how far rounding may have moved it */
} place_margin;
place_margin place_margin_of(const place *at);

/* Takes the poles of the map away from its functions, which are of a kind that may be that of a complex map
 * though this one is real: near a pole they are then analytic, elsewhere they only vary more. */
void place_take_poles(const place *at, crossing_kind kind, crossing_value values[CROSSING_FUNCTIONS]);

/* trace M^power at `count` places, where it is beyond the size n at each, scaled by the largest; `poles`:
 * times det(I - J)^power det(I - D L)^power, which has no poles. [out] *error: what rounding, and n as
 * scaled, come to. False where it is not beyond everywhere. */
bool place_traces(const place *const *places, int count, int which, int power, bool poles, double *values,
                  double *error);

#endif
