/* Another arithmetic on formula's tape: the value of every step is a fraction. */
#include "exact/rational.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/formula.h"

enum { EXPONENT_MAX = 400 };

/* A decimal, as formula has found it: digits, a point, an exponent of ten. False where that is out of the
 * range of doubles. */
static bool read_decimal(const char *text, int size, fmpq_t x) {
    int i = 0, behind_point = 0;
    bool point = false;
    fmpq_zero(x);
    for (; i < size && text[i] != 'e' && text[i] != 'E'; i++) {
        if (point) behind_point++;
        point = point || text[i] == '.';
        if (text[i] == '.') continue;
        fmpz_mul_ui(fmpq_numref(x), fmpq_numref(x), 10);
        fmpz_add_ui(fmpq_numref(x), fmpq_numref(x), (ulong)(text[i] - '0'));
    }
    long exponent = i < size ? strtol(text + i + 1, NULL, 10) : 0;
    if (exponent < -EXPONENT_MAX || exponent > EXPONENT_MAX) return false;
    exponent -= behind_point;
    fmpz_t power;
    fmpz_init_set_ui(power, 10);
    fmpz_pow_ui(power, power, (ulong)labs(exponent));
    if (exponent >= 0)
        fmpq_mul_fmpz(x, x, power);
    else
        fmpq_div_fmpz(x, x, power);
    fmpz_clear(power);
    return true;
}

/* False where the step is none of rational numbers. */
static bool walk_step(const formula_tape *tape, const formula_step *step, fmpq *values, fmpq_t result) {
    const fmpq *x = step->a >= 0 ? &values[step->a] : NULL, *y = step->b >= 0 ? &values[step->b] : NULL;
    switch (step->operation) {
    case FORMULA_NUMBER:
        return step->size > 0 && read_decimal(tape->text + step->at, step->size, result);
    case FORMULA_ADD:
        fmpq_add(result, x, y);
        return true;
    case FORMULA_SUBTRACT:
        fmpq_sub(result, x, y);
        return true;
    case FORMULA_MULTIPLY:
        fmpq_mul(result, x, y);
        return true;
    case FORMULA_DIVIDE:
        if (!fmpq_is_zero(y)) fmpq_div(result, x, y);
        return !fmpq_is_zero(y);
    case FORMULA_NEGATE:
        fmpq_neg(result, x);
        return true;
    default:
        return false;
    }
}

costab_status rational_read(const char *text, fmpq_t number, costab_error *error) {
    static const formula_scope none = {NULL, NULL, 0, 0};
    formula_tape tape;
    char reason[200];
    costab_status status = formula_read(text, strlen(text), &none, &tape, reason, sizeof reason);
    if (status == COSTAB_INVALID)
        return error_set(error, COSTAB_INVALID, "'%s' is no decimal and no fraction: %s", text, reason);
    fmpq *values = status ? NULL : memory_alloc((size_t)tape.count, sizeof *values);
    if (values == NULL) {
        formula_free(&tape);
        return error_memory(error);
    }
    bool fine = true;
    for (int i = 0; i < tape.count; i++) fmpq_init(&values[i]);
    for (int i = 0; i < tape.count && fine; i++) fine = walk_step(&tape, &tape.steps[i], values, &values[i]);
    if (fine) fmpq_set(number, &values[tape.count - 1]);
    for (int i = 0; i < tape.count; i++) fmpq_clear(&values[i]);
    memory_free(values);
    formula_free(&tape);
    if (fine) return COSTAB_OK;
    return error_set(error, COSTAB_INVALID, "'%s' is no rational number; write a decimal or a fraction",
                     text);
}
