/* planar/quick_roots.h - the real roots of several polynomials with integer coefficients, as
 * planar/real_roots.h finds them, but isolated in doubles whose rounding is bounded. Roots that doubles do
 * not tell apart are left in doubt. */
#ifndef PLANAR_QUICK_ROOTS_H
#define PLANAR_QUICK_ROOTS_H

#include "planar/quick_form.h"
#include "planar/range.h"

/* A root lies strictly between low and high. */
typedef struct quick_root {
    double low, high;
    int factor; /* which has no other root there */
} quick_root;

enum { QUICK_FACTORS_MAX = 48, QUICK_ROOTS_MAX = 160 };

typedef struct quick_roots {
    int factor_count, count;
    integer_poly factor[QUICK_FACTORS_MAX]; /* different; those with roots here have no multiple ones there */
    quick_form form[QUICK_FACTORS_MAX];
    planar_range range[QUICK_FACTORS_MAX]; /* roots of a factor outside of it may be missing */
    quick_root root[QUICK_ROOTS_MAX];      /* after quick_roots_find: ascending, with room between any two */
    double low, high; /* roots outside may be missing: neither is a root of any; all, at first */
    int budget;       /* of intervals still to be looked at */
    bool doubt;       /* something could not be decided: nothing here holds */
} quick_roots;

void quick_roots_init(quick_roots *roots);
void quick_roots_clear(quick_roots *roots);

/* Adds a polynomial, all of whose roots are to be found. */
void quick_roots_add(quick_roots *roots, const integer_poly *f);

/* Adds a polynomial whose roots in the range are to be found; others may be, too. [in, out] f: not 0; it is
 * divided by factors that are known and may have roots there. */
void quick_roots_add_between(quick_roots *roots, integer_poly *f, const planar_range *range);

/* Finds the roots of all that was added. */
void quick_roots_find(quick_roots *roots);

/* A number between the roots i and i + 1; -1 and count stand for infinity. */
double quick_roots_between(const quick_roots *roots, int i);

/* Whether f vanishes at root i. */
bool quick_roots_vanishes(const quick_roots *roots, int i, const integer_poly *f);

/* The double that is next to root i. False, with anything in *value, where that is not seen. */
bool quick_roots_round(const quick_roots *roots, int i, double *value);

/* Root i to 2^-shift: it lies between (num - 1) / 2^shift and (num + 1) / 2^shift. */
void quick_roots_place(quick_roots *roots, int i, unsigned long shift, mpz_t num);

#endif
