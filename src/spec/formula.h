/* spec/formula.h - expressions in named variables: checked, compiled, evaluated, differentiated.
 *
 * muParser evaluates. It does not differentiate, so that a formula whose derivatives are needed is written to
 * a tape as well: the operations one after the other, which a backward walk differentiates exactly. */
#ifndef SPEC_FORMULA_H
#define SPEC_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "costab/base.h"

#define FORMULA_SIZE_MAX 1000

/* The variables by their numbers, in two runs: those of the model, then those of a place in it. */
typedef struct formula_scope {
    const char *const *names, *const *local_names;
    int count, local_count;
} formula_scope;

/* Can it be a variable's name? A letter, then letters, digits, underscores; not pi or a function. */
bool formula_is_name(const char *name);
bool formula_is_function(const char *name);

/* Is the text an expression in the scope's variables? [out] used[i]: the variable i stands in it (count +
 * local_count entries; may be NULL). False with the reason in words. -x^2 is -(x^2); the constant pi. Not for
 * several threads at once. */
bool formula_check(const char *text, size_t size, const formula_scope *scope, bool *used, char *reason,
                   size_t reason_size);

/* A checked formula made ready for one thread: variable i is read from values[i], variable count + i from
 * local[i], at each evaluation. NULL where memory is out. Not for several threads at once. */
typedef struct formula_code formula_code;
formula_code *formula_compile(const char *text, const formula_scope *scope, double *values, double *local);
double formula_value(formula_code *code);
void formula_free(formula_code *code);

/* ---- Derivatives (formula_tape.c) ---- */

typedef struct formula_step formula_step;
typedef struct formula_tape {
    formula_step *steps;
    int count;
} formula_tape;

/* Writes a checked formula to a tape. COSTAB_MEMORY, or COSTAB_INVALID with the reason. */
costab_status formula_tape_make(const char *text, const formula_scope *scope, formula_tape *tape,
                                char *reason, size_t reason_size);
void formula_tape_free(formula_tape *tape);

/* Does the local variable stand in it? */
bool formula_tape_uses(const formula_tape *tape, int local);

/* Doubles of scratch for a tape. */
size_t formula_tape_work(const formula_tape *tape);

/* The value, and the derivatives by the local variables (gradient: local_count entries). At a kink (abs, min,
 * max, sign, rint) the derivative of one of the sides, 0 for sign and rint. */
double formula_tape_gradient(const formula_tape *tape, const double *values, const double *local,
                             int local_count, double *gradient, double *scratch);

#endif
