/* Derivatives of formulas. A recursive descent, with muParser's grammar, writes one step an operation; an
 * evaluation walks the steps forward for the values and the partial derivatives of each by its operands, then
 * backward for the derivatives of the result: exact but for rounding, at the price of a few evaluations. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "spec/formula_scan.h"

enum {
    OP_NUMBER = FORMULA_FUNCTION_COUNT,
    OP_VARIABLE,
    OP_LOCAL,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_POWER,
    OP_NEGATE
};

/* a and b: the operands' numbers; -1 where there is none. `moves`: depends on a local variable. */
struct formula_step {
    int operation, a, b, index;
    double number;
    bool moves;
};

typedef struct writer {
    const formula_scope *scope;
    const char *at;
    formula_token token;
    formula_tape *tape;
    int capacity, depth;
    char *reason;
    size_t reason_size;
} writer;

/* Deeper than any formula that a person writes, and far from the end of the stack. */
#define DEPTH_MAX 200

static bool fail(writer *w, const char *why) {
    snprintf(w->reason, w->reason_size, "%s", why);
    return false;
}

static bool advance(writer *w) {
    return formula_next(&w->at, w->scope, &w->token, w->reason, w->reason_size);
}

static bool is_sign(const writer *w, char sign) {
    return w->token.kind == FORMULA_SIGN && w->token.text[0] == sign;
}

/* There are fewer steps than characters, so that the steps were allocated at once. */
static bool emit(writer *w, formula_step step, int *result) {
    formula_step *steps = w->tape->steps;
    if (w->tape->count == w->capacity) return fail(w, "it is too long to be differentiated");
    step.moves = step.operation == OP_LOCAL || (step.a >= 0 && steps[step.a].moves) ||
                 (step.b >= 0 && steps[step.b].moves);
    *result = w->tape->count;
    steps[w->tape->count++] = step;
    return true;
}

static bool emit_operation(writer *w, int operation, int a, int b, int *result) {
    return emit(w, (formula_step){.operation = operation, .a = a, .b = b}, result);
}

static bool write_sum(writer *w, int *result);

/* min, max, sum and avg of several become a chain of steps of two. */
static bool write_call(writer *w, int *result) {
    int function = w->token.index, count = 0, argument, so_far = -1;
    bool chain = function >= FORMULA_MIN;
    if (!advance(w) || !is_sign(w, '(') || !advance(w)) return fail(w, "expected '('");
    for (;;) {
        if (!write_sum(w, &argument)) return false;
        count++;
        if (so_far < 0) {
            so_far = argument;
        } else {
            int operation = function == FORMULA_SUM || function == FORMULA_AVG ? OP_ADD : function;
            if (!emit_operation(w, operation, so_far, argument, &so_far)) return false;
        }
        if (!is_sign(w, ',')) break;
        if (!advance(w)) return false;
    }
    if (!is_sign(w, ')') || !advance(w)) return fail(w, "expected ')'");
    if (!chain && count != (function == FORMULA_ATAN2 ? 2 : 1)) return fail(w, "wrong number of arguments");
    *result = so_far;
    if (function == FORMULA_AVG) {
        int divisor;
        return emit(w, (formula_step){.operation = OP_NUMBER, .a = -1, .b = -1, .number = count}, &divisor) &&
               emit_operation(w, OP_DIVIDE, so_far, divisor, result);
    }
    if (chain || function == FORMULA_ATAN2) return true;
    return emit_operation(w, function, so_far, -1, result);
}

static bool write_primary(writer *w, int *result) {
    formula_token token = w->token;
    if (token.kind == FORMULA_FUNCTION) return write_call(w, result);
    if (is_sign(w, '(')) {
        if (!advance(w) || !write_sum(w, result)) return false;
        return is_sign(w, ')') ? advance(w) : fail(w, "expected ')'");
    }
    formula_step step = {.a = -1, .b = -1, .number = token.number, .index = token.index};
    if (token.kind == FORMULA_NUMBER) {
        step.operation = OP_NUMBER;
    } else if (token.kind == FORMULA_VARIABLE) {
        bool local = token.index >= w->scope->count;
        step.operation = local ? OP_LOCAL : OP_VARIABLE;
        if (local) step.index -= w->scope->count;
    } else {
        return fail(w, "expected a number or a name");
    }
    return advance(w) && emit(w, step, result);
}

/* A sign binds weaker than a power, -x^2 is -(x^2), and may stand in an exponent: 2^-x^2 is 2^(-(x^2)). */
static bool write_factor(writer *w, int *result) {
    if (++w->depth > DEPTH_MAX) return fail(w, "it is nested too deeply");
    int exponent;
    if (is_sign(w, '-') || is_sign(w, '+')) {
        bool minus = is_sign(w, '-');
        if (!advance(w) || !write_factor(w, result)) return false;
        if (minus && !emit_operation(w, OP_NEGATE, *result, -1, result)) return false;
    } else {
        if (!write_primary(w, result)) return false;
        if (is_sign(w, '^') && (!advance(w) || !write_factor(w, &exponent) ||
                                !emit_operation(w, OP_POWER, *result, exponent, result)))
            return false;
    }
    w->depth--;
    return true;
}

static bool write_product(writer *w, int *result) {
    int other;
    if (!write_factor(w, result)) return false;
    while (is_sign(w, '*') || is_sign(w, '/')) {
        int operation = is_sign(w, '*') ? OP_MULTIPLY : OP_DIVIDE;
        if (!advance(w) || !write_factor(w, &other) || !emit_operation(w, operation, *result, other, result))
            return false;
    }
    return true;
}

static bool write_sum(writer *w, int *result) {
    int other;
    if (!write_product(w, result)) return false;
    while (is_sign(w, '+') || is_sign(w, '-')) {
        int operation = is_sign(w, '+') ? OP_ADD : OP_SUBTRACT;
        if (!advance(w) || !write_product(w, &other) || !emit_operation(w, operation, *result, other, result))
            return false;
    }
    return true;
}

costab_status formula_tape_make(const char *text, const formula_scope *scope, formula_tape *tape,
                                char *reason, size_t reason_size) {
    size_t length = 0;
    while (text[length] != '\0') length++;
    writer w = {.scope = scope,
                .at = text,
                .tape = tape,
                .capacity = (int)length + 1,
                .reason = reason,
                .reason_size = reason_size};
    *tape = (formula_tape){.steps = memory_alloc(length + 1, sizeof *tape->steps)};
    if (tape->steps == NULL) return COSTAB_MEMORY;
    int result;
    bool fine = advance(&w) && write_sum(&w, &result);
    if (fine && w.token.kind != FORMULA_END) fine = fail(&w, "it goes on after its end");
    if (!fine) formula_tape_free(tape);
    return fine ? COSTAB_OK : COSTAB_INVALID;
}

void formula_tape_free(formula_tape *tape) {
    memory_free(tape->steps);
    *tape = (formula_tape){NULL, 0};
}

bool formula_tape_uses(const formula_tape *tape, int local) {
    for (int i = 0; i < tape->count; i++)
        if (tape->steps[i].operation == OP_LOCAL && tape->steps[i].index == local) return true;
    return false;
}

/* ---- Evaluation
 * --------------------------------------------------------------------------------------------- */

/* A value and its derivatives by the operands a and b. */
typedef struct partial {
    double value, by_a, by_b;
} partial;

size_t formula_tape_work(const formula_tape *tape) {
    return 4 * (size_t)tape->count;
}

static partial function_of(int function, double x, double y) {
    double v;
    switch (function) {
    case FORMULA_SIN:
        return (partial){sin(x), cos(x), 0};
    case FORMULA_COS:
        return (partial){cos(x), -sin(x), 0};
    case FORMULA_TAN:
        v = tan(x);
        return (partial){v, 1 + v * v, 0};
    case FORMULA_ASIN:
        return (partial){asin(x), 1 / sqrt((1 - x) * (1 + x)), 0};
    case FORMULA_ACOS:
        return (partial){acos(x), -1 / sqrt((1 - x) * (1 + x)), 0};
    case FORMULA_ATAN:
        return (partial){atan(x), 1 / (1 + x * x), 0};
    case FORMULA_SINH:
        return (partial){sinh(x), cosh(x), 0};
    case FORMULA_COSH:
        return (partial){cosh(x), sinh(x), 0};
    case FORMULA_TANH:
        v = cosh(x);
        return (partial){tanh(x), 1 / (v * v), 0};
    case FORMULA_ASINH:
        return (partial){asinh(x), 1 / hypot(1, x), 0};
    case FORMULA_ACOSH:
        return (partial){acosh(x), 1 / sqrt((x - 1) * (x + 1)), 0};
    case FORMULA_ATANH:
        return (partial){atanh(x), 1 / ((1 - x) * (1 + x)), 0};
    case FORMULA_LOG2:
        return (partial){log2(x), 1 / (x * log(2)), 0};
    case FORMULA_LOG10:
        return (partial){log10(x), 1 / (x * log(10)), 0};
    case FORMULA_LOG:
    case FORMULA_LN:
        return (partial){log(x), 1 / x, 0};
    case FORMULA_EXP:
        v = exp(x);
        return (partial){v, v, 0};
    case FORMULA_SQRT:
        v = sqrt(x);
        return (partial){v, 0.5 / v, 0};
    case FORMULA_SIGN_OF:
        return (partial){x < 0 ? -1 : x > 0 ? 1 : 0, 0, 0};
    case FORMULA_RINT:
        return (partial){floor(x + 0.5), 0, 0};
    case FORMULA_ABS:
        return (partial){fabs(x), x < 0 ? -1 : 1, 0};
    case FORMULA_ATAN2:
        v = x * x + y * y;
        return (partial){atan2(x, y), y / v, -x / v};
    case FORMULA_MIN:
        return y < x ? (partial){y, 0, 1} : (partial){x, 1, 0};
    default:
        return y > x ? (partial){y, 0, 1} : (partial){x, 1, 0};
    }
}

/* x^k with a derivative by k only where that is asked for: it has none for a negative x. */
static partial power_of(double x, double k, bool by_exponent) {
    double value = pow(x, k);
    return (partial){value, k == 0 ? 0 : k * pow(x, k - 1), by_exponent ? (x == 0 ? 0 : value * log(x)) : 0};
}

static partial step_value(const formula_step *step, const formula_step *steps, const double *values,
                          const double *local, const double *scratch) {
    double x = step->a >= 0 ? scratch[4 * step->a] : 0, y = step->b >= 0 ? scratch[4 * step->b] : 0;
    switch (step->operation) {
    case OP_NUMBER:
        return (partial){step->number, 0, 0};
    case OP_VARIABLE:
        return (partial){values[step->index], 0, 0};
    case OP_LOCAL:
        return (partial){local[step->index], 0, 0};
    case OP_ADD:
        return (partial){x + y, 1, 1};
    case OP_SUBTRACT:
        return (partial){x - y, 1, -1};
    case OP_MULTIPLY:
        return (partial){x * y, y, x};
    case OP_DIVIDE:
        return (partial){x / y, 1 / y, -(x / y) / y};
    case OP_NEGATE:
        return (partial){-x, -1, 0};
    case OP_POWER:
        return power_of(x, y, steps[step->b].moves);
    default:
        return function_of(step->operation, x, y);
    }
}

/* Scratch: value, derivative by a, by b, and of the result by the step, for each step. */
double formula_tape_gradient(const formula_tape *tape, const double *values, const double *local,
                             int local_count, double *gradient, double *scratch) {
    const formula_step *steps = tape->steps;
    for (int i = 0; i < local_count; i++) gradient[i] = 0;
    for (int i = 0; i < tape->count; i++) {
        partial p = step_value(&steps[i], steps, values, local, scratch);
        double *row = scratch + 4 * i;
        row[0] = p.value;
        row[1] = p.by_a;
        row[2] = p.by_b;
        row[3] = i == tape->count - 1 ? 1 : 0;
    }
    for (int i = tape->count - 1; i >= 0; i--) {
        const double *row = scratch + 4 * i;
        if (steps[i].operation == OP_LOCAL) gradient[steps[i].index] += row[3];
        if (steps[i].a >= 0 && steps[steps[i].a].moves) scratch[4 * steps[i].a + 3] += row[3] * row[1];
        if (steps[i].b >= 0 && steps[steps[i].b].moves) scratch[4 * steps[i].b + 3] += row[3] * row[2];
    }
    return scratch[4 * (tape->count - 1)];
}
