/* formula/formula.h - expressions in named variables: read once to a tape, evaluated, differentiated.
 *
 * A tape is the expression in postfix order: a list of steps, each an operation on the values of earlier
 * steps; the last one is the result. It does not change after it was read, so that threads may share it; each
 * brings scratch of its own. What an operation means in doubles is a row of the table FORMULA_RULES
 * (evaluate.c). Another arithmetic walks the same steps with a table of its own: it finds decimals as they
 * were written in `text`, and pi as an operation, so that it loses nothing to the rounding of doubles. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "costab/base.h"

#define FORMULA_SIZE_MAX 1000

/* The names of the variables of an expression: `count` parameters of the model, and `local_count` local
 * variables, such as the states and inputs of one subsystem. */
typedef struct formula_scope {
    const char *const *names, *const *local_names;
    int count, local_count;
} formula_scope;

/* What a step does with its operands x and y. The functions come first, in the order of their names in
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
    FORMULA_LN,  /* natural, too */
    FORMULA_EXP,
    FORMULA_SQRT,
    FORMULA_SIGN, /* -1, 0 or 1 */
    FORMULA_RINT, /* the nearest whole number; halves go to the even one */
    FORMULA_ABS,
    FORMULA_ATAN2, /* of two arguments: the angle of the point (y, x) */
    FORMULA_MIN,
    FORMULA_MAX,
    FORMULA_SUM, /* never in a tape, which has additions instead */
    FORMULA_AVG, /* likewise, and a division */
    FORMULA_FUNCTION_COUNT,
    FORMULA_NUMBER = FORMULA_FUNCTION_COUNT,
    FORMULA_PI,
    FORMULA_PARAMETER, /* number `index` of the scope's names */
    FORMULA_LOCAL,     /* number `index` of the scope's local names */
    FORMULA_ADD,
    FORMULA_SUBTRACT,
    FORMULA_MULTIPLY,
    FORMULA_DIVIDE,
    FORMULA_POWER,
    FORMULA_NEGATE
} formula_operation;

typedef struct formula_step {
    formula_operation operation;
    int a, b;      /* the steps whose values are the operands x and y; -1: none */
    int index;     /* of a parameter or local variable */
    double number; /* of FORMULA_NUMBER: the nearest double */
    int at,
        size; /* of FORMULA_NUMBER: where its decimal stands in the tape's text; size 0: `number` is exact */
    bool moves; /* its value depends on a local variable */
} formula_step;

typedef struct formula_tape {
    formula_step *steps;
    int count;
    char *text; /* the expression */
} formula_tape;

/* Whether a variable can have this name. Such a name is a letter, then letters, digits and underscores, but
 * not pi or a function's name. */
bool formula_is_name(const char *name);

/* Reads an expression of `size` bytes. -x^2 is -(x^2). [out] *tape: free with formula_free. COSTAB_INVALID
 * with the reason in words (characters are counted from 1), COSTAB_MEMORY. */
costab_status formula_read(const char *text, size_t size, const formula_scope *scope, formula_tape *tape,
                           char *reason, size_t reason_size);
void formula_free(formula_tape *tape);

/* Whether a parameter (FORMULA_PARAMETER) or a local variable (FORMULA_LOCAL) occurs in the expression. */
bool formula_uses(const formula_tape *tape, formula_operation kind, int index);

/* How many doubles of scratch an evaluation needs. */
size_t formula_work(const formula_tape *tape);

/* Returns the value at the parameters `values` and the local variables `local`. */
double formula_value(const formula_tape *tape, const double *values, const double *local, double *scratch);

/* The values at a batch of `width` points (base/lanes.h), of an expression without local variables: `width`
 * numbers per parameter, and per double of scratch. Each is what formula_value gives, to the last bit.
 * Returns `width` numbers in the scratch. */
const double *formula_lanes(const formula_tape *tape, int width, const double *values, double *scratch);

/* Returns the largest term of the value: that of all steps times the derivative by it. The rounding error of
 * the value is eps times the sum of these. `scratch` is that of a call of formula_gradient just before. */
double formula_terms(const formula_tape *tape, const double *scratch);

/* Says that a value is not finite, and which denominator of it is 0, if one is. `scratch` is
 * that of a call of formula_value just before. */
void formula_not_finite(const formula_tape *tape, const double *scratch, char *reason, size_t size);

/* Returns the value. [out] gradient: the derivatives by the local_count local variables. At a corner of abs,
 * min, max, sign or rint they are those of one side. */
double formula_gradient(const formula_tape *tape, const double *values, const double *local, int local_count,
                        double *gradient, double *scratch);

/* Whether the expression is differentiable by its first `count` local variables. Where the point lies at the
 * corner of an abs, min, max, sign or rint, one-sided derivatives along some directions are compared:
 * x*abs(x) is smooth at 0. Else [out] *kink: the function at whose corner the point lies. `room`: 2 count
 * doubles. */
bool formula_is_smooth(const formula_tape *tape, const double *values, const double *local, int count,
                       double *room, double *scratch, const char **kink);

/* Determines whether the derivative by one of the first `time` local variables depends on the local variable
 * number `time`, the time t, at this point: time*x does, x + sin(time) does not. Returns the first such
 * variable, -1 if there is none. */
int formula_time_varying(const formula_tape *tape, const double *values, const double *local, int time,
                         double *scratch);

/* Evaluates an expression without variables, such as 1 - 1/sqrt(2). COSTAB_INVALID where it is none or is not
 * finite. */
costab_status formula_constant(const char *text, size_t size, double *value, char *reason,
                               size_t reason_size);
