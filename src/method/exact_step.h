/* method/exact_step.h - the functions of one micro step, from a tableau whose entries are exact. */
#ifndef METHOD_EXACT_STEP_H
#define METHOD_EXACT_STEP_H

#include "costab/method.h"
#include "method/integer_poly.h"

enum { STEP_PHI, STEP_P0, STEP_P1, STEP_DEN, STEP_COUNT };

/* phi, P0 and P1 as quotients of polynomials in z: phi / den and so on, with phi = P0 + P1. Each is of[][0] +
 * of[][1] sqrt(method->exact_root). They may have a common factor. */
typedef struct exact_step {
    integer_poly of[STEP_COUNT][2];
} exact_step;

/* [in] method: with exact entries. [out] step: clear it. */
void exact_step_make(const costab_method *method, exact_step *step);
void exact_step_clear(exact_step *step);

#endif
