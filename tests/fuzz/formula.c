/* Expressions: of constants, and in the variables of a model. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "support/promises.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"k", "mass_1"}, *const locals[] = {"x", "v_2"};
    static const formula_scope scope = {names, locals, 2, 2};
    double values[2] = {1.25, -0.75}, local[2] = {1.75, 0.625}, constant;
    char reason[300] = "";
    if (formula_constant((const char *)data, size, &constant, reason, sizeof reason) == COSTAB_OK)
        assert_true(isfinite(constant));
    else
        assert_true(reason[0] != '\0');
    (void)promise_formula((const char *)data, size, &scope, values, local);
    return 0;
}
