/* Parser from text to tape (formula.h), by recursive descent through sums, products, factors and primaries.
 *
 * 1. Each operator and each call appends a step after the steps of its operands.
 * 2. A sign binds weaker than a power and stronger than a product: -x^2 is -(x^2), 2^-x^2 is 2^(-(x^2)). Two
 *    consecutive signs, --x, are an error.
 * 3. Errors report the position and what was expected.
 *
 * Cost: linear in the text. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "formula/token.h"

/* Arithmetic and function calls; no strings, assignments or conditions. */
static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ .,+-*/^()";

typedef struct reader {
    const formula_scope *scope;
    const char *at;
    formula_token token;
    formula_tape *tape;
    int depth, open; /* nesting depth of factors; number of open parentheses */
    char *reason;
    size_t reason_size;
} reader;

/* Deeper than any formula written by hand, and far below the limit of the stack. */
#define DEPTH_MAX 200

static bool fail(reader *r, const char *format, ...) COSTAB_PRINTF(2, 3);
static bool fail(reader *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->reason, r->reason_size, format, arguments);
    va_end(arguments);
    return false;
}

static int place(const reader *r) {
    return (int)(r->token.text - r->tape->text) + 1;
}

static bool fail_expected(reader *r, const char *expected) {
    if (r->token.kind != TOKEN_END)
        return fail(r, "character %d: expected %s, found '%.*s'", place(r), expected, (int)r->token.size,
                    r->token.text);
    return fail(r, "it ends where %s is expected%s", expected,
                r->open > 0 ? " (in a list a comma ends the entry: quote an expression that has commas)"
                            : "");
}

static bool advance(reader *r) {
    return formula_next(&r->at, r->scope, &r->token, r->reason, r->reason_size);
}

static bool is_sign(const reader *r, char sign) {
    return r->token.kind == TOKEN_SIGN && r->token.text[0] == sign;
}

/* A tape has at most as many steps as characters, so all are allocated in advance. */
static int emit(reader *r, formula_step step) {
    formula_step *steps = r->tape->steps;
    step.depends_on_local = step.operation == FORMULA_LOCAL ||
                            (step.a >= 0 && steps[step.a].depends_on_local) ||
                            (step.b >= 0 && steps[step.b].depends_on_local);
    steps[r->tape->count] = step;
    return r->tape->count++;
}

static int emit_operation(reader *r, formula_operation operation, int a, int b) {
    return emit(r, (formula_step){.operation = operation, .a = a, .b = b});
}

static bool read_sum(reader *r, int *result);

/* Parses sums separated by commas after an opening parenthesis, and the closing one. [out] results: the first
 * two. chain: operation that combines each further argument with the previous ones. */
static bool read_arguments(reader *r, const formula_operation *chain, int results[2], int *count) {
    int argument;
    r->open++;
    for (*count = 0; *count == 0 || is_sign(r, ','); ++*count) {
        if (!advance(r) || !read_sum(r, &argument)) return false;
        if (*count < 2) results[*count] = argument;
        if (*count > 0 && chain != NULL) results[0] = emit_operation(r, *chain, results[0], argument);
    }
    if (!is_sign(r, ')')) return fail_expected(r, "')'");
    r->open--;
    return advance(r);
}

/* min, max, sum and avg of several arguments become steps with two operands. */
static bool read_call(reader *r, int *result) {
    formula_operation function = r->token.step.operation;
    bool mean = function == FORMULA_AVG, any = function >= FORMULA_MIN;
    formula_operation chain = mean || function == FORMULA_SUM ? FORMULA_ADD : function;
    int count, wanted = function == FORMULA_ATAN2 ? 2 : 1, results[2] = {-1, -1};
    if (!advance(r) || !read_arguments(r, any ? &chain : NULL, results, &count)) return false;
    if (!any && count != wanted)
        return fail(r, "the function '%s' takes %d argument%s, found %d", formula_function_name(function),
                    wanted, wanted == 1 ? "" : "s", count);
    *result = any ? results[0] : emit_operation(r, function, results[0], results[1]);
    if (!mean) return true;
    int divisor = emit(r, (formula_step){.operation = FORMULA_NUMBER, .a = -1, .b = -1, .number = count});
    *result = emit_operation(r, FORMULA_DIVIDE, *result, divisor);
    return true;
}

static bool read_primary(reader *r, int *result) {
    formula_step step = r->token.step;
    if (r->token.kind == TOKEN_FUNCTION) return read_call(r, result);
    if (is_sign(r, '(')) {
        int results[2], count, first = place(r);
        if (!read_arguments(r, NULL, results, &count)) return false;
        *result = results[0];
        return count == 1 ||
               fail(
                   r,
                   "character %d: a comma is allowed only between the arguments of a function; write decimals "
                   "with a point",
                   first);
    }
    if (r->token.kind != TOKEN_VALUE) return fail_expected(r, "a number, a name or '('");
    step.at = place(r) - 1;
    *result = emit(r, step);
    return advance(r);
}

static bool read_factor(reader *r, int *result) {
    bool minus = is_sign(r, '-'), sign = minus || is_sign(r, '+');
    int exponent;
    if (++r->depth > DEPTH_MAX) return fail(r, "it is nested too deeply");
    if (sign && !advance(r)) return false;
    if (sign && (is_sign(r, '-') || is_sign(r, '+')))
        return fail(r, "character %d: two signs in a row; put parentheses around the second", place(r));
    if (!(sign ? read_factor(r, result) : read_primary(r, result))) return false;
    if (minus) *result = emit_operation(r, FORMULA_NEGATE, *result, -1);
    if (!sign && is_sign(r, '^')) {
        if (!advance(r) || !read_factor(r, &exponent)) return false;
        *result = emit_operation(r, FORMULA_POWER, *result, exponent);
    }
    r->depth--;
    return true;
}

static bool read_product(reader *r, int *result) {
    int other;
    if (!read_factor(r, result)) return false;
    while (is_sign(r, '*') || is_sign(r, '/')) {
        formula_operation operation = is_sign(r, '*') ? FORMULA_MULTIPLY : FORMULA_DIVIDE;
        if (!advance(r)) return false;
        if (operation == FORMULA_MULTIPLY && is_sign(r, '*'))
            return fail(r, "character %d: a power is written x^2, not x**2", place(r) - 1);
        if (!read_factor(r, &other)) return false;
        *result = emit_operation(r, operation, *result, other);
    }
    return true;
}

static bool read_sum(reader *r, int *result) {
    int other;
    if (!read_product(r, result)) return false;
    while (is_sign(r, '+') || is_sign(r, '-')) {
        formula_operation operation = is_sign(r, '+') ? FORMULA_ADD : FORMULA_SUBTRACT;
        if (!advance(r) || !read_product(r, &other)) return false;
        *result = emit_operation(r, operation, *result, other);
    }
    return true;
}

/* Parses the whole text. Commas at top level usually come from decimal commas. */
static bool read_text(reader *r) {
    int result, count = 1;
    if (!advance(r) || !read_sum(r, &result)) return false;
    for (; is_sign(r, ','); count++)
        if (!advance(r) || !read_sum(r, &result)) return false;
    if (is_sign(r, ')')) return fail(r, "character %d: ')' closes nothing", place(r));
    if (r->token.kind != TOKEN_END) return fail_expected(r, "an operator");
    return count == 1 || fail(r, "a comma makes it a list of %d numbers; write decimals with a point", count);
}

static bool check_characters(reader *r, const char *text, size_t size) {
    if (size > FORMULA_SIZE_MAX) return fail(r, "it is longer than %d characters", FORMULA_SIZE_MAX);
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\0' || strchr(allowed, text[i]) == NULL)
            return fail(r, "expressions are made of numbers, names, blanks and + - * / ^ ( )");
    return true;
}

costab_status formula_read(const char *text, size_t size, const formula_scope *scope, formula_tape *tape,
                           char *reason, size_t reason_size) {
    reader r = {.scope = scope, .tape = tape, .reason = reason, .reason_size = reason_size};
    *tape = (formula_tape){NULL, 0, NULL};
    if (!check_characters(&r, text, size)) return COSTAB_INVALID;
    tape->steps = memory_alloc(size + 1, sizeof *tape->steps);
    r.at = tape->text = memory_copy_n(text, size);
    bool memory = tape->steps != NULL && tape->text != NULL;
    if (memory && read_text(&r)) return COSTAB_OK;
    formula_free(tape);
    return memory ? COSTAB_INVALID : COSTAB_MEMORY;
}

void formula_free(formula_tape *tape) {
    memory_free_all(tape->steps, tape->text);
    *tape = (formula_tape){NULL, 0, NULL};
}

costab_status formula_constant(const char *text, size_t size, double *value, char *reason,
                               size_t reason_size) {
    static const formula_scope none = {NULL, NULL, 0, 0};
    ends_by(formula_free) formula_tape tape;
    TRY(formula_read(text, size, &none, &tape, reason, reason_size));
    memory_local double *scratch = memory_alloc(formula_work(&tape), sizeof *scratch);
    if (scratch != NULL) *value = formula_value(&tape, NULL, NULL, scratch);
    bool finite = scratch != NULL && isfinite(*value);
    if (scratch != NULL && !finite) formula_not_finite(&tape, scratch, reason, reason_size);
    return finite ? COSTAB_OK : scratch != NULL ? COSTAB_INVALID : COSTAB_MEMORY;
}
