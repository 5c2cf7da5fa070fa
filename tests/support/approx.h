/* approx.h - running error analysis: a number with a bound of what an evaluation in double precision may
 * lose.
 *
 * `value` is computed in long double, so it stands for the true one; `error` bounds the distance to it of the
 * same expression evaluated in double, step by step (J. H. Wilkinson's running error analysis): each
 * operation passes its operands' errors on and adds its own rounding. The rounding charged is four units
 * roundoff, which leaves room for another order of the operations and for complex arithmetic. */
#pragma once

#include <complex.h>
#include <string.h>

#include "support.h"

typedef long double complex complex_real;

/* re + i im; CMPLXL is not in every compiler's complex.h. */
static inline complex_real complex_of(real re, real im) {
    real parts[2] = {re, im};
    complex_real z;
    memcpy(&z, parts, sizeof z);
    return z;
}

typedef struct approx {
    complex_real value;
    real error;
} approx;

/* The rounding charged for one operation, relative. */
#define APPROX_ROUNDING (4.0L * 0x1p-53L)

approx approx_of(complex_real value); /* a double: no error */
approx approx_rounded(complex_real value, real magnitude, real operations);
approx approx_add(approx a, approx b);
approx approx_subtract(approx a, approx b);
approx approx_multiply(approx a, approx b);
/* The error is infinite where the denominator may be 0. */
approx approx_divide(approx a, approx b);
real approx_value(approx a); /* the real part */
