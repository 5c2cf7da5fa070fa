/* Splits text into tokens: numbers, names, operators and parentheses.
 *
 * 1. Blanks are skipped.
 * 2. A digit or point starts a number, the longest possible.
 * 3. A letter or underscore starts a name of letters, digits and underscores. Followed directly by a
 *    parenthesis it is a function, otherwise a parameter, a local variable or pi. Other names are errors; the
 *    message gives the nearest known name or a list.
 * 4. Any other character is a token.
 *
 * Cost: linear in the text, plus a comparison with each known name. */
#include "formula/token.h"

#include <stdio.h>
#include <string.h>

#include "base/spelling.h"
#include "base/text.h"

#define NAME_MAX_SIZE 64

static const char *const functions[FORMULA_FUNCTION_COUNT] = {
    [FORMULA_SIN] = "sin",   [FORMULA_COS] = "cos",     [FORMULA_TAN] = "tan",     [FORMULA_ASIN] = "asin",
    [FORMULA_ACOS] = "acos", [FORMULA_ATAN] = "atan",   [FORMULA_SINH] = "sinh",   [FORMULA_COSH] = "cosh",
    [FORMULA_TANH] = "tanh", [FORMULA_ASINH] = "asinh", [FORMULA_ACOSH] = "acosh", [FORMULA_ATANH] = "atanh",
    [FORMULA_LOG2] = "log2", [FORMULA_LOG10] = "log10", [FORMULA_LOG] = "log",     [FORMULA_LN] = "ln",
    [FORMULA_EXP] = "exp",   [FORMULA_SQRT] = "sqrt",   [FORMULA_SIGN] = "sign",   [FORMULA_RINT] = "rint",
    [FORMULA_ABS] = "abs",   [FORMULA_ATAN2] = "atan2", [FORMULA_MIN] = "min",     [FORMULA_MAX] = "max",
    [FORMULA_SUM] = "sum",   [FORMULA_AVG] = "avg",
};

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static size_t name_size(const char *begin) {
    size_t n = 0;
    while (is_letter(begin[n]) || is_digit(begin[n])) n++;
    return n;
}

static int find(const char *name, const char *const *names, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

static bool is_function(const char *name) {
    return find(name, functions, FORMULA_FUNCTION_COUNT) >= 0;
}

const char *formula_function_name(formula_operation function) {
    return functions[function];
}

bool formula_is_name(const char *name) {
    static const char *const taken[] = {"pi", "nan", "inf", "infinity"};
    size_t size = strlen(name);
    if (size == 0 || size >= NAME_MAX_SIZE || !is_letter(name[0]) || name_size(name) != size) return false;
    return !is_function(name) && find(name, taken, sizeof taken / sizeof *taken) < 0;
}

/* Length of the longest decimal at the start, or 0. */
static size_t decimal_size(const char *begin) {
    size_t n = 0, end;
    while (is_digit(begin[n])) n++;
    if (begin[n] == '.') n++;
    while (is_digit(begin[n])) n++;
    end = n;
    if (begin[n] == 'e' || begin[n] == 'E') {
        n += begin[n + 1] == '+' || begin[n + 1] == '-' ? 2 : 1;
        if (is_digit(begin[n])) {
            while (is_digit(begin[n])) n++;
            end = n;
        }
    }
    return end;
}

/* Length of the longest number at the start, or 0. */
static size_t number_size(const char *begin, double *value) {
    size_t size = decimal_size(begin);
    return number_parse_double(begin, size, value) ? size : 0;
}

/* Writes the reason why `begin` does not start with a number. */
static void refuse_number(const char *begin, char *reason, size_t size) {
    const char *range = number_out_of_range(begin, decimal_size(begin));
    snprintf(reason, size, "'%.20s' does not begin with a number of double precision%s%s%s", begin,
             range != NULL ? ": it is " : "", range != NULL ? range : "", range != NULL ? " one" : "");
}

/* Writes the reason why a name is rejected. Returns false. */
static bool refuse_name(const char *name, bool call, const formula_scope *scope, char *reason, size_t size) {
    const char *near = NULL;
    if (call) near = spelling_nearest(name, functions, FORMULA_FUNCTION_COUNT, sizeof *functions);
    if (!call && near == NULL)
        near = spelling_nearest(name, scope->local_names, (size_t)scope->local_count, sizeof(char *));
    if (!call && near == NULL)
        near = spelling_nearest(name, scope->names, (size_t)scope->count, sizeof(char *));
    char words[SPELLING_GUESS_MAX];
    int used = snprintf(reason, size, "unknown %s '%s'%s", call ? "function" : "name", name,
                        spelling_meant(near, "", "", words, sizeof words));
    if (near != NULL) return false;
    int total = call ? FORMULA_FUNCTION_COUNT : scope->local_count + scope->count;
    if (!call && total == 0)
        snprintf(reason + used, size - (size_t)used, "; parameters are listed under the key 'parameters'");
    for (int i = 0; i < total && used >= 0 && (size_t)used + NAME_MAX_SIZE < size; i++) {
        if (i == SPELLING_FEW && total > SPELLING_FEW + 1) {
            (void)snprintf(reason + used, size - (size_t)used, ", ..");
            break;
        }
        const char *one = call                     ? functions[i]
                          : i < scope->local_count ? scope->local_names[i]
                                                   : scope->names[i - scope->local_count];
        used += snprintf(reason + used, size - (size_t)used, "%s%s", i == 0 ? "; known are " : ", ", one);
    }
    return false;
}

/* Resolves a name without a parenthesis. */
static bool find_value(const char *name, const formula_scope *scope, formula_step *step) {
    step->operation = FORMULA_PARAMETER;
    if ((step->index = find(name, scope->names, scope->count)) >= 0) return true;
    step->operation = FORMULA_LOCAL;
    if ((step->index = find(name, scope->local_names, scope->local_count)) >= 0) return true;
    step->operation = FORMULA_PI;
    return strcmp(name, "pi") == 0;
}

static bool read_name(const char *begin, size_t n, const formula_scope *scope, formula_token *token,
                      char *reason, size_t reason_size) {
    char name[NAME_MAX_SIZE];
    if (n >= sizeof name) {
        snprintf(reason, reason_size, "the name '%.20s...' is too long", begin);
        return false;
    }
    memcpy(name, begin, n);
    name[n] = '\0';
    int function = find(name, functions, FORMULA_FUNCTION_COUNT);
    bool call = begin[n] == '(';
    token->kind = call ? TOKEN_FUNCTION : TOKEN_VALUE;
    if (!call && find_value(name, scope, &token->step)) return true;
    if (call && function >= 0) token->step.operation = (formula_operation)function;
    if (function < 0) return refuse_name(name, call, scope, reason, reason_size);
    if (!call)
        snprintf(reason, reason_size, "the function '%s' needs a parenthesis directly after its name", name);
    return call;
}

bool formula_next(const char **at, const formula_scope *scope, formula_token *token, char *reason,
                  size_t reason_size) {
    const char *begin = *at;
    while (*begin == ' ') begin++;
    *token = (formula_token){.kind = TOKEN_END, .text = begin, .step = {.a = -1, .b = -1}};
    *at = begin;
    if (*begin == '\0') return true;
    if (is_letter(*begin)) {
        token->size = name_size(begin);
        if (!read_name(begin, token->size, scope, token, reason, reason_size)) return false;
    } else if (is_digit(*begin) || *begin == '.') {
        token->kind = TOKEN_VALUE;
        token->step.operation = FORMULA_NUMBER;
        token->size = number_size(begin, &token->step.number);
        token->step.size = (int)token->size;
        if (token->size == 0) {
            refuse_number(begin, reason, reason_size);
            return false;
        }
    } else {
        token->kind = TOKEN_SIGN;
        token->size = 1;
    }
    *at = begin + token->size;
    return true;
}
