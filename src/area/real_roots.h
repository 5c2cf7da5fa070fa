/* area/real_roots.h - distinct real roots of several polynomials with integer coefficients, in order,
 * computed exactly. */
#pragma once

#include <stdbool.h>

#include "area/surd.h"
#include "area/watch.h"
#include "base/flint.h"

/* A root strictly between low and high, or low = high is the root. */
typedef struct real_root {
    arf_t low, high;
    int polynomial; /* index of a polynomial with this root and no other root between low and high */
    int sign;       /* sign of that polynomial between low and the root */
} real_root;

typedef struct real_polynomial {
    fmpz_poly_t f, slope; /* primitive and squarefree; its derivative */
} real_polynomial;

/* {.count = 0}: empty */
typedef struct real_roots {
    size_t polynomial_capacity, capacity;
    int polynomial_count, count;
    real_polynomial *polynomial;
    real_root *root;              /* after real_roots_find: ascending, their intervals disjoint */
    const arf_struct *low, *high; /* borrowed; NULL: all roots. Roots outside this range may be missing */
    search_watch *watch;          /* borrowed; may be NULL */
    double share;                 /* completed fraction of the isolation, 0 to 1 */
    bool failed;                  /* memory is exhausted */
} real_roots;

void real_roots_clear(real_roots *roots);

/* Add the roots of a polynomial (multiple roots count once; a constant has none), of the norm of a polynomial
 * over Z[sqrt root], or a rational number. Set roots->failed if memory is exhausted. */
void real_roots_add(real_roots *roots, const fmpz_poly_t f);
void real_roots_add_surd(real_roots *roots, const surd_poly *f, int radicand);
void real_roots_add_number(real_roots *roots, const fmpq_t number);

/* For real_roots_find: adds the roots of one polynomial with disjoint intervals. */
void real_roots_isolate(real_roots *roots, int polynomial);
/* Returns true if memory is exhausted or the search is stopped. */
bool real_roots_stopped(const real_roots *roots);

/* Finds the roots of all added polynomials. Returns false if memory is exhausted or the search is stopped. */
bool real_roots_find(real_roots *roots);

/* Narrows a root to `bits` bits, relative. */
void real_roots_refine(real_roots *roots, int i, slong bits);

/* The root as a ball of about `bits` bits. */
void real_roots_ball(real_roots *roots, int i, slong bits, arb_t ball);

/* Returns true if f vanishes at root i. f: any polynomial over Z[sqrt radicand]. */
bool real_roots_vanishes(real_roots *roots, int i, const surd_poly *f, int radicand);

/* number := a dyadic number between roots i and i + 1. Root -1 is -infinity, root `count` is infinity. */
void real_roots_between(const real_roots *roots, int i, fmpq_t number);
