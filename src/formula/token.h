/* formula/token.h - the tokens of an expression: numbers, names, signs. */
#pragma once

#include "formula/formula.h"

typedef enum formula_token_kind { TOKEN_END, TOKEN_VALUE, TOKEN_FUNCTION, TOKEN_SIGN } formula_token_kind;

typedef struct formula_token {
    formula_token_kind kind;
    const char *text;
    size_t size;
    formula_step step; /* of a value: number, pi, parameter or local variable; of a function: its operation */
} formula_token;

/* Returns the name of a function of an expression, such as "sin". */
const char *formula_function_name(formula_operation function);

/* Reads the token at *at, after blanks, and advances *at past it. A name followed directly by a parenthesis
 * is a function. Returns false with the reason if the name is unknown or there is no valid token. */
bool formula_next(const char **at, const formula_scope *scope, formula_token *token, char *reason,
                  size_t reason_size);
