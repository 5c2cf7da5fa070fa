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

/* The resultant of the pair, with coefficients that are polynomials in a: a polynomial in a that vanishes
 * where f and g have a common root, or both lose their leading term. The leading coefficients are not the
 * zero polynomial. */
resultant_outcome resultant_in_d(fmpz_poly_t resultant, const resultant_pair *pair, planar_watch *watch);

/* What it costs, about, in operations. */
double resultant_cost(const resultant_pair *pair);

#endif
