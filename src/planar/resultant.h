/* planar/resultant.h - resultants of polynomials in a and d, with respect to d. */
#ifndef PLANAR_RESULTANT_H
#define PLANAR_RESULTANT_H

#include "planar/resultant_image.h"
#include "planar/watch.h"

typedef enum resultant_outcome {
    RESULTANT_FOUND,
    RESULTANT_STOPPED, /* the watch says so */
    RESULTANT_MEMORY,
    RESULTANT_TOO_LARGE /* for the primes that there are: hundreds of thousands of bits */
} resultant_outcome;

/* Zero, with room for so many coefficients. False where memory is out; clear it in any case. */
bool resultant_poly_init(resultant_poly *f, size_t room);
void resultant_poly_clear(resultant_poly *f);

/* The resultant of the pair, with coefficients that are polynomials in a: a polynomial in a that vanishes
 * where f and g have a common root, or both lose their leading term. The leading coefficients are not the
 * zero polynomial. [out] resultant: clear it in any case. */
resultant_outcome resultant_in_d(resultant_poly *resultant, const resultant_pair *pair, planar_watch *watch);

/* What it costs, about, in operations: of polynomials of these degrees in d, and in a at most. */
double resultant_cost(const long degree[2], const long degree_in_a[2]);

#endif
