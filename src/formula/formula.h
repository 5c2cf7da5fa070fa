/* formula/formula.h - expressions in named variables: parsing to a tape, evaluation, derivatives.
 *
 * A tape is the expression in postfix order: a list of steps, each an operation on values of earlier steps;
 * the last step is the result. Tapes are immutable after parsing and may be shared by threads; each thread
 * provides its own scratch. The table FORMULA_RULES (evaluate.c) defines the operations in double precision.
 * Balls (ball.c) and exact numbers (area/number.c) have operations of their own. Decimals are available
 * as written in `text`, and pi is an operation, so that these are independent of double precision. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "costab/base.h"

#define FORMULA_SIZE_MAX 1000 /* bytes of an expression */

/* Names of the variables of an expression: `count` parameters of the model, and `local_count` local
 * variables, such as the states and inputs of a subsystem. */
typedef struct formula_scope {
    const char *const *names, *const *local_names;
    int count, local_count;
} formula_scope;

/* Operation of a step on its operands x and y. Functions come first, in the order of their names in
 * token.c. */
typedef enum formula_operation {
    FORMULA_SIN,
    FORMULA_COS,
    FORMULA_TAN,
    FORMULA_ASIN,
    FORMULA_ACOS,
    FORMULA_ATAN,
    FORMULA_SINH,
    FORMULA_COSH,
    FORMULA_TANH,
    FORMULA_ASINH,
    FORMULA_ACOSH,
    FORMULA_ATANH,
    FORMULA_LOG2,
    FORMULA_LOG10,
    FORMULA_LOG, /* natural */
    FORMULA_LN,  /* natural */
    FORMULA_EXP,
    FORMULA_SQRT,
    FORMULA_SIGN, /* -1, 0 or 1 */
    FORMULA_RINT, /* nearest integer, halves to even */
    FORMULA_ABS,
    FORMULA_ATAN2, /* the angle of the point with ordinate x and abscissa y */
    FORMULA_MIN,
    FORMULA_MAX,
    FORMULA_SUM, /* not in tapes, which contain additions instead */
    FORMULA_AVG, /* not in tapes, which contain additions and a division instead */
    FORMULA_FUNCTION_COUNT,
    FORMULA_NUMBER = FORMULA_FUNCTION_COUNT,
    FORMULA_PI,
    FORMULA_PARAMETER, /* index into the scope's names */
    FORMULA_LOCAL,     /* index into the scope's local names */
    FORMULA_ADD,
    FORMULA_SUBTRACT,
    FORMULA_MULTIPLY,
    FORMULA_DIVIDE,
    FORMULA_POWER,
    FORMULA_NEGATE
} formula_operation;

typedef struct formula_step {
    formula_operation operation;
    int a, b;              /* steps of the operands x and y; -1: none */
    int index;             /* of a parameter or local variable */
    double number;         /* of FORMULA_NUMBER: the nearest double */
    int at;                /* of a number, pi or a variable: its position in the tape's text */
    int size;              /* of FORMULA_NUMBER: length of its decimal there; 0: `number` is exact */
    bool depends_on_local; /* its value depends on a local variable */
} formula_step;

typedef struct formula_tape {
    formula_step *steps;
    int count;
    char *text; /* the expression */
} formula_tape;

/* Returns true if a variable may have this name: a letter or underscore, then letters, digits and
 * underscores, 63 characters at most, except pi, nan, inf, infinity and names of functions. */
bool formula_is_name(const char *name);

/* Parses an expression of `size` bytes. -x^2 means -(x^2). [out] *tape: free with formula_free.
 * COSTAB_INVALID with the reason (positions count from 1), COSTAB_MEMORY. */
costab_status formula_read(const char *text, size_t size, const formula_scope *scope, formula_tape *tape,
                           char *reason, size_t reason_size);
void formula_free(formula_tape *tape);

/* Returns true if a parameter (FORMULA_PARAMETER) or local variable (FORMULA_LOCAL) occurs in the
 * expression. */
bool formula_uses(const formula_tape *tape, formula_operation kind, int index);

/* Returns the number of doubles of scratch. */
size_t formula_work(const formula_tape *tape);

/* Returns the value at the parameters `values` and the local variables `local`. Sums of numbers and
 * parameters that cancel up to rounding are 0. */
double formula_value(const formula_tape *tape, const double *values, const double *local, double *scratch);

/* Values at a batch of `width` points (base/lanes.h), for expressions without local variables: `width`
 * numbers per parameter and per double of scratch. Returns `width` numbers in the scratch, equal to
 * formula_value to the last bit. */
const double *formula_lanes(const formula_tape *tape, int width, const double *values, double *scratch);

/* Returns the largest modulus of the product of a step's value and the derivative by it. The rounding error
 * of the result is at most about eps times this product times the number of steps. scratch: from an
 * immediately preceding call of formula_gradient. */
double formula_terms(const formula_tape *tape, const double *scratch);

/* Writes that a value is not finite, and names a denominator that is 0, if any. scratch: from an immediately
 * preceding call of formula_value. */
void formula_not_finite(const formula_tape *tape, const double *scratch, char *reason, size_t size);

/* Returns the value. [out] gradient: derivatives by the local_count local variables, one-sided at corners of
 * abs, min, max, sign or rint. */
double formula_gradient(const formula_tape *tape, const double *values, const double *local, int local_count,
                        double *gradient, double *scratch);

/* Returns true if the expression is differentiable by its first `count` local variables. At corners of abs,
 * min, max, sign or rint, one-sided derivatives along some directions are compared: x*abs(x) is smooth at 0.
 * Otherwise [out] *kink: the function at its corner. space: 2 count doubles. */
bool formula_is_smooth(const formula_tape *tape, const double *values, const double *local, int count,
                       double *space, double *scratch, const char **kink);

/* Determines whether the derivative by one of the local variables before number `time`, the time t, depends
 * on t at this point: it does for time*x, but not for x + sin(time). Returns the index of the first such
 * variable, or -1. time: an index of a local variable. */
int formula_time_varying(const formula_tape *tape, const double *values, const double *local, int time,
                         double *scratch);

/* Evaluates an expression without variables, such as 1 - 1/sqrt(2). COSTAB_INVALID if it is malformed or not
 * finite. */
costab_status formula_constant(const char *text, size_t size, double *value, char *reason,
                               size_t reason_size);
