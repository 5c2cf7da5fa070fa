/* Expressions through muParser's C interface. Its error text stands in one static buffer, so it is copied at
 * once, and its own constant _pi has 13 digits only, so its constants are cleared. */
#include "spec/formula.h"

#include <muParserDLL.h>
#include <stdio.h>
#include <string.h>

#include "spec/formula_scan.h"

/* Arithmetic and calls of functions; no strings, assignments or conditions. */
static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ .,+-*/^()";

static const double pi = 3.14159265358979323846;

/* Copies the text, with a final NUL, if it can be an expression at all. */
static bool copy_text(const char *text, size_t size, char copy[FORMULA_SIZE_MAX + 1], char *reason,
                      size_t reason_size) {
    if (size > FORMULA_SIZE_MAX) {
        snprintf(reason, reason_size, "it is longer than %d characters", FORMULA_SIZE_MAX);
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\0' || strchr(allowed, text[i]) == NULL) {
            snprintf(reason, reason_size, "expressions are made of numbers, names, blanks and + - * / ^ ( )");
            return false;
        }
    }
    memcpy(copy, text, size);
    copy[size] = '\0';
    return true;
}

/* Are all names known? muParser's own message would not say which are. */
static bool check_names(const char *text, const formula_scope *scope, bool *used, char *reason,
                        size_t reason_size) {
    formula_token token;
    do {
        if (!formula_next(&text, scope, &token, reason, reason_size)) return false;
        if (token.kind == FORMULA_VARIABLE && used != NULL) used[token.index] = true;
    } while (token.kind != FORMULA_END);
    return true;
}

static const char *name_of(const formula_scope *scope, int i) {
    return i < scope->count ? scope->names[i] : scope->local_names[i - scope->count];
}

/* A parser with the variables of the text, all of them `same` unless that is NULL. */
static muParserHandle_t make_parser(const char *text, const formula_scope *scope, double *values,
                                    double *local, double *same) {
    muParserHandle_t parser = mupCreate(muBASETYPE_FLOAT);
    if (parser == NULL) return NULL;
    mupClearConst(parser);
    mupDefineConst(parser, "pi", pi);
    formula_token token = {.kind = FORMULA_SIGN};
    char reason[8];
    for (const char *at = text; formula_next(&at, scope, &token, reason, sizeof reason);) {
        if (token.kind == FORMULA_END) break;
        if (token.kind != FORMULA_VARIABLE) continue;
        int i = token.index;
        double *place = same != NULL ? same : i < scope->count ? &values[i] : &local[i - scope->count];
        mupDefineVar(parser, name_of(scope, i), place);
    }
    mupSetExpr(parser, text);
    return parser;
}

/* muParser's sentence without the full stop, and with a hint where a YAML list has cut an argument list. */
static void copy_message(muParserHandle_t parser, const char *text, char *reason, size_t reason_size) {
    int open = 0;
    for (const char *c = text; *c != '\0'; c++) open += (*c == '(') - (*c == ')');
    snprintf(reason, reason_size, "%s", mupGetErrorMsg(parser));
    size_t length = strlen(reason);
    if (length > 0 && reason[length - 1] == '.') reason[--length] = '\0';
    if (open != 0)
        snprintf(reason + length, reason_size - length,
                 " (in a list a comma ends the entry: quote an expression that has commas)");
}

/* Every variable is 1 here: what matters is the grammar, and that there is one result. */
static bool check_grammar(const char *text, const formula_scope *scope, char *reason, size_t reason_size) {
    double one = 1;
    muParserHandle_t parser = make_parser(text, scope, NULL, NULL, &one);
    if (parser == NULL) {
        snprintf(reason, reason_size, "out of memory");
        return false;
    }
    int count = 0;
    const double *values = mupError(parser) ? NULL : mupEvalMulti(parser, &count);
    bool fine = !mupError(parser) && values != NULL;
    if (!fine) {
        copy_message(parser, text, reason, reason_size);
    } else if (count != 1) {
        snprintf(reason, reason_size, "a comma makes it a list of %d numbers; write decimals with a point",
                 count);
        fine = false;
    }
    mupRelease(parser);
    return fine;
}

bool formula_check(const char *text, size_t size, const formula_scope *scope, bool *used, char *reason,
                   size_t reason_size) {
    char copy[FORMULA_SIZE_MAX + 1];
    return copy_text(text, size, copy, reason, reason_size) &&
           check_names(copy, scope, used, reason, reason_size) &&
           check_grammar(copy, scope, reason, reason_size);
}

/* A muParser handle is the code: formula_code is a name for what it points to. */
formula_code *formula_compile(const char *text, const formula_scope *scope, double *values, double *local) {
    muParserHandle_t parser = make_parser(text, scope, values, local, NULL);
    if (parser == NULL) return NULL;
    (void)mupEval(parser); /* muParser compiles when it first evaluates: not later, in a thread */
    if (!mupError(parser)) return (formula_code *)parser;
    mupRelease(parser);
    return NULL;
}

double formula_value(formula_code *code) {
    return mupEval((muParserHandle_t)code);
}

void formula_free(formula_code *code) {
    if (code != NULL) mupRelease((muParserHandle_t)code);
}
