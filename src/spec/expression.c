/* A constant is a formula without variables. */
#include "spec/expression.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "spec/formula.h"

bool expression_constant(const char *text, size_t size, double *value, char *reason, size_t reason_size) {
    static const formula_scope none = {NULL, NULL, 0, 0};
    char copy[FORMULA_SIZE_MAX + 1];
    if (!formula_check(text, size, &none, NULL, reason, reason_size)) return false;
    memcpy(copy, text, size);
    copy[size] = '\0';
    formula_code *code = formula_compile(copy, &none, NULL, NULL);
    if (code == NULL) {
        snprintf(reason, reason_size, "out of memory");
        return false;
    }
    *value = formula_value(code);
    formula_free(code);
    if (isfinite(*value)) return true;
    snprintf(reason, reason_size, "its value is not finite");
    return false;
}
