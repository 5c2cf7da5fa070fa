/* Expressions through muParser's C interface. Its error text stands in one static buffer, so it is copied at
 * once, and its own constant _pi has 13 digits only, so its constants are cleared. */
#include "spec/expression.h"

#include <math.h>
#include <muParserDLL.h>
#include <stdio.h>
#include <string.h>

/* Arithmetic and calls of functions; no strings, assignments or conditions. */
static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ .,+-*/^()";

static const double pi = 3.14159265358979323846;

static bool evaluate(muParserHandle_t parser, const char *expression, double *value, char *reason,
                     size_t reason_size) {
    mupClearConst(parser);
    mupDefineConst(parser, "pi", pi);
    mupSetExpr(parser, expression);
    int count = 0;
    const double *values = mupError(parser) ? NULL : mupEvalMulti(parser, &count);
    if (mupError(parser) || values == NULL) {
        snprintf(reason, reason_size, "%s", mupGetErrorMsg(parser));
        size_t length = strlen(reason);
        if (length > 0 && reason[length - 1] == '.') reason[length - 1] = '\0';
        return false;
    }
    if (count != 1) {
        snprintf(reason, reason_size, "a comma makes it a list of %d numbers; write decimals with a point",
                 count);
        return false;
    }
    *value = values[0];
    if (isfinite(*value)) return true;
    snprintf(reason, reason_size, "its value is not finite");
    return false;
}

bool expression_constant(const char *text, size_t size, double *value, char *reason, size_t reason_size) {
    if (size > SPEC_EXPRESSION_MAX) {
        snprintf(reason, reason_size, "it is longer than %d characters", SPEC_EXPRESSION_MAX);
        return false;
    }
    char expression[SPEC_EXPRESSION_MAX + 1];
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\0' || strchr(allowed, text[i]) == NULL) {
            snprintf(reason, reason_size, "expressions are made of numbers, names, blanks and + - * / ^ ( )");
            return false;
        }
    }
    memcpy(expression, text, size);
    expression[size] = '\0';

    muParserHandle_t parser = mupCreate(muBASETYPE_FLOAT);
    if (parser == NULL) {
        snprintf(reason, reason_size, "out of memory");
        return false;
    }
    bool fine = evaluate(parser, expression, value, reason, reason_size);
    mupRelease(parser);
    return fine;
}
