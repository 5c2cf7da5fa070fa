/* area/real_roots.h - the real roots of several polynomials with integer coefficients, each once, in order
 * and told apart exactly. */
#pragma once

#include <stdbool.h>

#include "area/surd.h"
#include "area/watch.h"
#include "base/flint.h"

/* A root lies strictly between low and high, or is low = high. */
typedef struct real_root {
    arf_t low, high;
    int polynomial; /* number of one that vanishes here and has no other root between low and high */
    int sign;       /* of that polynomial between low and the root */
} real_root;

typedef struct real_polynomial {
    fmpz_poly_t f, slope; /* primitive, without multiple roots; its derivative */
} real_polynomial;

/* {.count = 0} has none. */
typedef struct real_roots {
    size_t polynomial_capacity, capacity;
    int polynomial_count, count;
    real_polynomial *polynomial;
    real_root *root; /* after real_roots_find: ascending, their intervals disjoint */
    const arf_struct *low,
        *high;           /* borrowed: roots outside this range may be missing; NULL: all roots are found */
    search_watch *watch; /* borrowed; NULL: none */
    double share;        /* of the work of isolation that is done, 0 to 1 */
    bool failed;         /* memory is out */
} real_roots;

void real_roots_clear(real_roots *roots);

/* Adds a polynomial, multiple roots of which count once; the norm of one over Z[sqrt root]; and a rational
 * number, as the root of a polynomial of degree 1. */
void real_roots_add(real_roots *roots, const fmpz_poly_t f);
void real_roots_add_surd(real_roots *roots, const surd_poly *f, int root);
void real_roots_add_number(real_roots *roots, const fmpq_t number);

/* For real_roots_find: adds the roots of one polynomial, each with an interval of its own. */
void real_roots_isolate(real_roots *roots, int polynomial);
/* Whether the search is to end: memory is out, or the watch stops it. */
bool real_roots_stopped(const real_roots *roots);

/* Finds the roots of all polynomials added. False where memory is out or the watch stops it. */
bool real_roots_find(real_roots *roots);

/* Narrows a root to `bits` bits, relative. */
void real_roots_refine(real_roots *roots, int i, slong bits);

/* The root as a ball of about `bits` bits. */
void real_roots_ball(real_roots *roots, int i, slong bits, arb_t ball);

/* Whether f, a polynomial over Z[sqrt root] which need not be one of those added, vanishes at root i. */
bool real_roots_vanishes(real_roots *roots, int i, const surd_poly *f, int root);

/* A dyadic number between the roots i and i + 1; -1 and count stand for infinity. */
void real_roots_between(const real_roots *roots, int i, fmpq_t number);
