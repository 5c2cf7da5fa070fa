/* spec/formula_scan.h - the pieces of an expression. */
#ifndef SPEC_FORMULA_SCAN_H
#define SPEC_FORMULA_SCAN_H

#include "spec/formula.h"

typedef enum formula_kind {
    FORMULA_END,
    FORMULA_NUMBER,
    FORMULA_VARIABLE,
    FORMULA_FUNCTION,
    FORMULA_SIGN /* one character */
} formula_kind;

typedef enum formula_function {
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
    FORMULA_LOG,
    FORMULA_LN,
    FORMULA_EXP,
    FORMULA_SQRT,
    FORMULA_SIGN_OF,
    FORMULA_RINT,
    FORMULA_ABS,
    FORMULA_ATAN2,
    FORMULA_MIN,
    FORMULA_MAX,
    FORMULA_SUM,
    FORMULA_AVG, /* any number of arguments */
    FORMULA_FUNCTION_COUNT
} formula_function;

typedef struct formula_token {
    formula_kind kind;
    const char *text;
    size_t size;
    double number; /* pi too */
    int index;     /* variable or function */
} formula_token;

/* The token at *at, which moves behind it (and behind blanks). A name is a function where a parenthesis
 * follows at once. False with the reason where the name is unknown or there is none. */
bool formula_next(const char **at, const formula_scope *scope, formula_token *token, char *reason,
                  size_t reason_size);

#endif
