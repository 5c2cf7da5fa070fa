/* formula/token.h - the tokens of an expression: numbers, names, signs. */
#pragma once

#include "formula/formula.h"

typedef enum formula_token_kind { TOKEN_END, TOKEN_VALUE, TOKEN_FUNCTION, TOKEN_SIGN } formula_token_kind;

typedef struct formula_token {
    formula_token_kind kind;
    const char *text;
    size_t size;
    formula_step
        step; /* of a value: a number, pi, a parameter or a local variable; of a function: its operation */
} formula_token;

const char *formula_function_name(formula_operation function);

/* The token at *at, which moves behind it (and behind blanks before it). A name is a function where a
 * parenthesis follows at once. False with the reason where the name is unknown, or where there is no token.
 */
bool formula_next(const char **at, const formula_scope *scope, formula_token *token, char *reason,
                  size_t reason_size);
