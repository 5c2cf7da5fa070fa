/* Formulas: the tape that is differentiated and muParser, which evaluates, mean the same by every text; and
 * the derivatives are right. Random formulas are written together with their value and derivatives in
 * extended precision, by rules that know nothing of either. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formula/ball.h"
#include "support/oracle.h"
#include "support/promises.h"

enum { LOCALS = 2, TEXT_MAX = 900 };

static const char *const names[] = {"k", "mass_1"};
static const char *const locals[] = {"x", "v_2"};
static const formula_scope scope = {names, locals, 2, LOCALS};

/* A formula under construction: its text, value, derivatives by the locals, and how large the numbers were on
 * the way: what is rounded there shows in the result. */
typedef struct piece {
    char text[TEXT_MAX];
    real value, by[LOCALS], size;
} piece;

typedef struct point {
    double values[2], local[LOCALS];
} point;

/* Every format comes from this file, with one or two %s. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
/* Joins two pieces with the text around and between them; a text that is too long will be left out.
 */
static void join(piece *to, const char *before, const char *a, const char *between, const char *b,
                 const char *after) {
    char text[TEXT_MAX];
    int n = snprintf(text, sizeof text, "%s%s%s%s%s", before, a, between, b, after);
    if (n < 0 || (size_t)n >= sizeof text)
        to->size = (real)INFINITY;
    else
        memcpy(to->text, text, (size_t)n + 1);
}

/* to = f(a), with f's value and slope at a. */
static void apply(piece *to, const piece *a, real value, real slope) {
    to->value = value;
    to->size = fmaxl(fmaxl(a->size, fabsl(value)), fmaxl(1, fabsl(slope)) * a->size);
    for (int i = 0; i < LOCALS; i++) {
        to->by[i] = slope * a->by[i];
        to->size = fmaxl(to->size, fabsl(to->by[i]));
    }
}

/* to = f(a, b). */
static void combine(piece *to, const piece *a, const piece *b, real value, real by_a, real by_b) {
    real larger = fmaxl(a->size, b->size);
    to->value = value;
    to->size = fmaxl(larger, fabsl(value));
    to->size = fmaxl(to->size, fmaxl(fabsl(by_a), fabsl(by_b)) * larger);
    for (int i = 0; i < LOCALS; i++) {
        to->by[i] = by_a * a->by[i] + by_b * b->by[i];
        to->size = fmaxl(to->size, fabsl(by_a * a->by[i]) + fabsl(by_b * b->by[i]));
    }
}

static piece leaf(rng *r, const point *p) {
    piece made = {.size = 1};
    int i = rng_int(r, 0, 1);
    double number = rng_dyadic(r, 4, 6);
    switch (rng_int(r, 0, 3)) {
    case 0:
        snprintf(made.text, sizeof made.text, "(%.6f)", number);
        made.value = (real)number;
        break;
    case 1:
        snprintf(made.text, sizeof made.text, "%s", names[i]);
        made.value = (real)p->values[i];
        break;
    default:
        snprintf(made.text, sizeof made.text, "%s", locals[i]);
        made.value = (real)p->local[i];
        made.by[i] = 1;
    }
    made.size = fmaxl(1, fabsl(made.value));
    return made;
}

typedef real (*function)(real);

static const struct {
    const char *name;
    function value;
} calls[] = {{"sin", sinl},     {"cos", cosl},     {"tan", tanl},   {"asin", asinl},   {"acos", acosl},
             {"atan", atanl},   {"sinh", sinhl},   {"cosh", coshl}, {"tanh", tanhl},   {"asinh", asinhl},
             {"acosh", acoshl}, {"atanh", atanhl}, {"log2", log2l}, {"log10", log10l}, {"log", logl},
             {"ln", logl},      {"exp", expl},     {"sqrt", sqrtl}, {"abs", fabsl}};
enum { CALLS = sizeof calls / sizeof *calls };

static real slope_of(int call, real x) {
    static const real ln2 = 0.693147180559945309417L, ln10 = 2.302585092994045684018L;
    const real slopes[CALLS] = {cosl(x),
                                -sinl(x),
                                1 / (cosl(x) * cosl(x)),
                                1 / sqrtl(1 - x * x),
                                -1 / sqrtl(1 - x * x),
                                1 / (1 + x * x),
                                coshl(x),
                                sinhl(x),
                                1 / (coshl(x) * coshl(x)),
                                1 / sqrtl(1 + x * x),
                                1 / sqrtl(x * x - 1),
                                1 / (1 - x * x),
                                1 / (x * ln2),
                                1 / (x * ln10),
                                1 / x,
                                1 / x,
                                expl(x),
                                0.5L / sqrtl(x),
                                x < 0 ? -1 : 1};
    return slopes[call];
}

static piece grow(rng *r, const point *p, int depth);

static piece grow_call(rng *r, const point *p, int depth) {
    piece a = grow(r, p, depth - 1), made = {.size = 1};
    int call = rng_int(r, 0, CALLS - 1);
    apply(&made, &a, calls[call].value(a.value), slope_of(call, a.value));
    join(&made, calls[call].name, "(", a.text, ")", "");
    if (calls[call].value == fabsl && fabsl(a.value) < 1e-6L) made.size = (real)INFINITY; /* at the kink */
    return made;
}

static piece grow_pair(rng *r, const point *p, int depth) {
    piece a = grow(r, p, depth - 1), b = grow(r, p, depth - 1), made = {.size = 1};
    bool first = rng_int(r, 0, 1) == 0;
    real square = a.value * a.value + b.value * b.value;
    switch (rng_int(r, 0, 8)) {
    case 0:
        combine(&made, &a, &b, a.value + b.value, 1, 1);
        join(&made, "", a.text, " + (", b.text, ")");
        break;
    case 1:
        combine(&made, &a, &b, a.value - b.value, 1, -1);
        join(&made, "(", a.text, ")-(", b.text, ")");
        break;
    case 2:
        combine(&made, &a, &b, a.value * b.value, b.value, a.value);
        join(&made, "(", a.text, ")*(", b.text, ")");
        break;
    case 3:
        combine(&made, &a, &b, a.value / b.value, 1 / b.value, -a.value / (b.value * b.value));
        join(&made, "(", a.text, ")/(", b.text, ")");
        break;
    case 4:
        combine(&made, &a, &b, powl(fabsl(a.value), b.value),
                (a.value < 0 ? -1 : 1) * b.value * powl(fabsl(a.value), b.value - 1),
                powl(fabsl(a.value), b.value) * logl(fabsl(a.value)));
        join(&made, "abs(", a.text, ")^(", b.text, ")");
        break;
    case 5:
        combine(&made, &a, &b, atan2l(a.value, b.value), b.value / square, -a.value / square);
        join(&made, "atan2(", a.text, ", ", b.text, ")");
        if (b.value < 0 && fabsl(a.value) < 1e-6L) made.size = (real)INFINITY; /* at the cut */
        break;
    case 6:
        combine(&made, &a, &b, (a.value + b.value) / 2, 0.5L, 0.5L);
        join(&made, "avg(", a.text, ", ", b.text, ")");
        break;
    case 7:
        combine(&made, &a, &b, a.value + b.value, 1, 1);
        join(&made, "sum(", a.text, ", ", b.text, ")");
        break;
    default:
        combine(&made, &a, &b, first ? fminl(a.value, b.value) : fmaxl(a.value, b.value),
                first == (a.value < b.value), first != (a.value < b.value));
        join(&made, first ? "min(" : "max(", a.text, ", ", b.text, ")");
        if (!(fabsl(a.value - b.value) > 1e-6L)) made.size = (real)INFINITY; /* at a kink, or no number */
    }
    return made;
}

static piece grow(rng *r, const point *p, int depth) {
    if (depth == 0) return leaf(r, p);
    piece made = {.size = 1};
    int power = rng_int(r, 0, 5);
    piece a;
    switch (rng_int(r, 0, 5)) {
    case 0:
        return grow_call(r, p, depth);
    case 1: /* a sign before a power is taken after it */
        a = grow(r, p, depth - 1);
        apply(&made, &a, -powl(a.value, power), power == 0 ? 0 : -power * powl(a.value, power - 1));
        join(&made, "(-(", a.text, ")^", (const char *[]){"0", "1", "2", "3", "4", "5"}[power], ")");
        return made;
    default:
        return grow_pair(r, p, depth);
    }
}

/* Reads a text that must be an expression. */
static void read_good(const char *text, formula_tape *tape) {
    char reason[300];
    check_true(formula_read(text, strlen(text), &scope, tape, reason, sizeof reason) == COSTAB_OK, "%s: %s",
               text, reason);
    assert_true(tape->count <= (int)strlen(text));
}

static void check_formula(const piece *made, point *p) {
    formula_tape tape;
    double scratch[2 * TEXT_MAX], gradient[LOCALS];
    read_good(made->text, &tape);
    assert_true(formula_work(&tape) <= sizeof scratch / sizeof *scratch);
    /* A few dozen operations; each step of at most 2^10 sizes loses what the guard in the caller allows. */
    real bound = 1e-11L * made->size;
    check_near(formula_value(&tape, p->values, p->local, scratch), made->value, bound, "value of %s",
               made->text);
    double value = formula_gradient(&tape, p->values, p->local, LOCALS, gradient, scratch);
    check_near(value, made->value, bound, "value beside the gradient of %s", made->text);
    for (int i = 0; i < LOCALS; i++) {
        check_near(gradient[i], made->by[i], bound, "derivative %d of %s", i, made->text);
        check_true(formula_uses(&tape, FORMULA_LOCAL, i) || gradient[i] == 0, "no derivative without use");
    }
    check_true(formula_uses(&tape, FORMULA_LOCAL, 1) == (strstr(made->text, "v_2") != NULL), "use of v_2");
    check_true(formula_uses(&tape, FORMULA_PARAMETER, 0) == (strstr(made->text, "k") != NULL), "use of k");
    formula_free(&tape);
}

static double distance(const acb_t ball, real value) {
    double low, high;
    arb_t end;
    arb_init(end);
    arb_get_lbound_arf(arb_midref(end), acb_realref(ball), 64);
    low = arf_get_d(arb_midref(end), ARF_RND_DOWN);
    arb_get_ubound_arf(arb_midref(end), acb_realref(ball), 64);
    high = arf_get_d(arb_midref(end), ARF_RND_UP);
    arb_clear(end);
    return (double)fmaxl(0, fmaxl((real)low - value, value - (real)high));
}

/* Balls hold the value and the derivatives at their middle, and the value at any point inside them. At the
 * middle they are at most as wide as rounding at 128 bits; `wide` balls may be endless where a cut or a kink
 * is near. */
static void check_balls(rng *r, const piece *made, const point *p) {
    formula_tape tape;
    read_good(made->text, &tape);
    real bound = 1e-11L * made->size;
    acb_ptr values = _acb_vec_init(2), local = _acb_vec_init(LOCALS);
    acb_t value, derivative;
    acb_init(value);
    acb_init(derivative);
    for (int i = 0; i < 2; i++) {
        acb_set_d(values + i, p->values[i]);
        acb_set_d(local + i, p->local[i]);
    }
    for (int by = 0; by < LOCALS; by++) {
        check_true(formula_ball(&tape, values, local, NULL, by, 128, value, derivative), "memory");
        check_near(distance(value, made->value), 0, bound, "ball of %s", made->text);
        check_near(distance(derivative, made->by[by]), 0, bound, "ball of derivative %d of %s", by,
                   made->text);
        check_true(acb_is_real(value) &&
                       (real)mag_get_d(arb_radref(acb_realref(value))) <= 1e-25L * made->size,
                   "accuracy of %s", made->text);
    }
    point inside = *p;
    double scratch[2 * TEXT_MAX];
    for (int i = 0; i < 2; i++) {
        inside.local[i] += rng_uniform(r, -1, 1) * 0x1p-10;
        mag_set_ui_2exp_si(arb_radref(acb_realref(local + i)), 1, -10);
        mag_set_ui_2exp_si(arb_radref(acb_imagref(local + i)), 1, -10);
    }
    check_true(formula_ball(&tape, values, local, NULL, -1, 128, value, NULL), "memory");
    double there = formula_value(&tape, inside.values, inside.local, scratch);
    if (acb_is_finite(value))
        check_near(distance(value, (real)there), 0, 2 * bound, "wide ball of %s", made->text);
    acb_clear(value);
    acb_clear(derivative);
    _acb_vec_clear(values, 2);
    _acb_vec_clear(local, LOCALS);
    formula_free(&tape);
}

TEST(random_formulas) {
    rng r = rng_start("formulas");
    size_t checked = 0, total = effort(6000);
    for (size_t i = 0; i < total; i++) {
        point p;
        for (int k = 0; k < 2; k++) {
            p.values[k] = rng_uniform(&r, -2, 2);
            p.local[k] = rng_uniform(&r, -2, 2);
        }
        piece made = grow(&r, &p, rng_int(&r, 0, 4));
        /* Larger numbers on the way make the reference's and the formula's rounding differ too much. */
        if (!(made.size < 1e4L) || !isfinite(made.value) || !isfinite(made.by[0]) || !isfinite(made.by[1]))
            continue;
        check_formula(&made, &p);
        check_balls(&r, &made, &p);
        checked++;
    }
    assert_true(checked > total / 3);
}

/* Signs, powers and their order: the tape reads what muParser reads, to the bit. */
TEST(same_grammar) {
    static const char *const texts[] = {
        "-x^2",       "2^-x^2",     "-x^-2*3",  "2^3^x",    "x - v_2 - 1", "x/v_2/2",
        "x*-v_2",     "-x*v_2",     "+x",       "x--v_2",   "x+-v_2^2",    "2*-x^2",
        "-(-x)",      "x^2^-1",     " ( x ) ",  "1e2*x",    ".5*x",        "5.*x",
        "1.5e-3",     "1E+2",       "k*mass_1", "pi*x",     "min(x)",      "max(1,x,v_2)",
        "sum(1,2,x)", "avg(1,x,4)", "rint(x)",  "sign(-x)", "sin( x )",    "x^0",
        "0*x",        "(x)",        "-2^2",     "2*x^-1",   "-x/-v_2",     "log(abs(x))"};
    double values[2] = {1.25, -0.75}, local[LOCALS] = {1.75, 0.625}, scratch[400], expected;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        formula_tape tape;
        read_good(texts[i], &tape);
        double value = formula_value(&tape, values, local, scratch);
        check_true(oracle_value(texts[i], &scope, values, local, &expected), "muParser reads %s", texts[i]);
        check_true(value == expected, "%s: %.17g and %.17g", texts[i], value, expected);
        formula_free(&tape);
    }
}

/* Polynomials have exact derivatives at 0 and at negative arguments, where logarithms have none. */
TEST(corners) {
    static const struct {
        const char *text;
        double x, by_x;
    } rows[] = {{"x^3", 0, 0},       {"x^2", 0, 0},     {"x", 0, 1},    {"x^1", 0, 1},   {"x^3", -2, 12},
                {"x^-1", -2, -0.25}, {"x^0", 0, 0},     {"x^0", -3, 0}, {"2^x", 0, 0},   {"k*x^2", -1, -2},
                {"abs(x)", -2, -1},  {"sign(x)", 3, 0}, {"x*0", 5, 0},  {"x - x", 7, 0}, {"x*x*x", 2, 12}};
    double values[2] = {1, 1}, gradient[LOCALS], scratch[400];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        formula_tape tape;
        double local[LOCALS] = {rows[i].x, 0};
        read_good(rows[i].text, &tape);
        formula_gradient(&tape, values, local, LOCALS, gradient, scratch);
        double expected = strcmp(rows[i].text, "2^x") == 0 ? log(2) : rows[i].by_x;
        check_true(gradient[0] == expected, "%s at %g: %.17g", rows[i].text, rows[i].x, gradient[0]);
        formula_free(&tape);
    }
}

TEST(refused) {
    static const char *const texts[][2] = {
        {"sin (x)", "the function 'sin' needs a parenthesis directly after its name"},
        {"y", "unknown name 'y'; known are x, v_2, k, mass_1"},
        {"mas_1", "unknown name 'mas_1'; did you mean 'mass_1'?"},
        {"cosine(x)", "unknown function 'cosine'; known are sin, "},
        {"sinn(x)", "unknown function 'sinn'; did you mean 'sin'?"},
        {"1,5", "a comma makes it a list of 2 numbers; write decimals with a point"},
        {"x = 1", "expressions are made of numbers, names, blanks and + - * / ^ ( )"},
        {"1e400*x", "'1e400*x' does not begin with a number of double precision"},
        {"x +", "it ends where a number, a name or '(' is expected"},
        {"", "it ends where a number, a name or '(' is expected"},
        {"x * /k", "character 5: expected a number, a name or '(', found '/'"},
        {"--x", "character 2: two signs in a row; put parentheses around the second"},
        {"2(x)", "character 2: expected an operator, found '('"},
        {"2 mass_1", "character 3: expected an operator, found 'mass_1'"},
        {"1.5.2", "character 4: expected an operator, found '.2'"},
        {"(x + 1",
         "it ends where ')' is expected (in a list a comma ends the entry: quote an expression that has "
         "commas)"},
        {"(x k)", "character 4: expected ')', found 'k'"},
        {"x)", "character 2: ')' closes nothing"},
        {"k*(1,5)", "character 3: a comma is allowed only between the arguments of a function; "},
        {"sin(x, k)", "the function 'sin' takes 1 argument, found 2"},
        {"atan2(x)", "the function 'atan2' takes 2 arguments, found 1"},
        {"max()", "character 5: expected a number, a name or '(', found ')'"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char reason[300] = "";
        formula_tape tape;
        check_true(formula_read(texts[i][0], strlen(texts[i][0]), &scope, &tape, reason, sizeof reason) ==
                       COSTAB_INVALID,
                   "'%s' is accepted", texts[i][0]);
        assert_null(tape.steps);
        assert_null(tape.text);
        check_true(strncmp(reason, texts[i][1], strlen(texts[i][1])) == 0, "'%s': %s", texts[i][0], reason);
    }
}

/* Random tokens: what muParser takes the tape takes, with the same value, and nothing else. */
TEST(random_texts) {
    static const char *const tokens[] = {"x", "v_2", "k", "1",    "2.5",  "1e1",  "+", "-", "*",  "/", "^",
                                         "(", ")",   ",", "sin(", "max(", "avg(", "-", " ", "pi", "."};
    rng r = rng_start("formula texts");
    double values[2] = {1.25, 0.5}, local[LOCALS] = {0.75, 1.5};
    size_t good = 0, total = effort(30000);
    for (size_t i = 0; i < total; i++) {
        char text[120] = "";
        for (int k = rng_int(&r, 1, 7); k > 0; k--)
            strcat(text, tokens[rng_int(&r, 0, (int)(sizeof tokens / sizeof *tokens) - 1)]);
        if (promise_formula(text, strlen(text), &scope, values, local)) good++;
    }
    assert_true(good > total / 50);
}

/* Smooth are those functions whose one-sided derivatives agree: by the definition, worked out by hand. */
TEST(kinks) {
    static const struct {
        const char *text;
        double x, v;
        const char *kink; /* NULL: smooth there */
    } rows[] = {{"abs(x)", 0, 0, "abs"},
                {"abs(x)", 1e-300, 0, NULL},
                {"x*abs(x)", 0, 0, NULL},
                {"abs(x)^2", 0, 0, NULL},
                {"abs(x)^1.5", 0, 0, NULL},
                {"sign(x)*x", 0, 0, "sign"},
                {"sign(x)*x^2", 0, 0, NULL},
                {"sign(x)", 0, 0, "sign"},
                {"sign(x)", -2, 0, NULL},
                {"max(x, v_2)", 1, 1, "max"},
                {"max(x, v_2)", 1, 1.5, NULL},
                {"max(x, x)", 1, 0, NULL},
                {"min(x, 2*x)", 0, 0, "min"},
                {"min(x^2, 0)", 0, 0, NULL},
                {"max(x, v_2) + min(x, v_2)", 3, 3, NULL},
                {"abs(x) - abs(x)", 0, 0, NULL},
                {"abs(x) - abs(v_2)", 0, 0, "abs"},
                {"abs(x - v_2) - abs(v_2 - x)", 2, 2, NULL},
                {"min(abs(x), abs(v_2))", 0, 0, "min"},
                {"rint(x)", 0.5, 0, "rint"},
                {"rint(x)", 0.25, 0, NULL},
                {"atan2(x, -1)", 0, 0, "atan2"}, /* jumps by 2 pi */
                {"atan2(x, v_2)", 0, 0, "atan2"},
                {"atan2(x, v_2)", 0, 1, NULL},
                {"atan2(v_2, x)", -1, 0.5, NULL},
                {"x*atan2(x, -1)", 0, 0, "atan2"},
                {"abs(k - 1)*x", 1, 0, NULL}, /* the corner is a parameter's */
                {"min(x, k)", 1, 0, "min"},
                {"sin(x)*abs(v_2)", 0, 0, NULL},
                {"sin(x)*abs(v_2)", 1, 0, "abs"}};
    double values[2] = {1, 1}, scratch[400], room[2 * LOCALS];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        formula_tape tape;
        const char *kink = NULL;
        double local[LOCALS] = {rows[i].x, rows[i].v};
        read_good(rows[i].text, &tape);
        bool smooth = formula_is_smooth(&tape, values, local, LOCALS, room, scratch, &kink);
        check_true(smooth == (rows[i].kink == NULL), "%s at (%g, %g)", rows[i].text, rows[i].x, rows[i].v);
        if (!smooth) assert_string_equal(kink, rows[i].kink);
        formula_free(&tape);
    }
}

/* An arithmetic of its own finds every number as it was written, and pi as itself. */
TEST(decimals_as_written) {
    formula_tape tape;
    read_good("0.1*x + 1e-3/pi - avg(.5, 2., 7)", &tape);
    static const char *const written[] = {"0.1", "1e-3", ".5", "2.", "7", ""};
    int numbers = 0, pis = 0;
    for (int i = 0; i < tape.count; i++) {
        const formula_step *step = &tape.steps[i];
        pis += step->operation == FORMULA_PI;
        if (step->operation != FORMULA_NUMBER) continue;
        assert_int_equal(step->size, strlen(written[numbers]));
        assert_memory_equal(tape.text + step->at, written[numbers], strlen(written[numbers]));
        numbers++;
    }
    assert_int_equal(numbers, 6);
    assert_int_equal(pis, 1);
    formula_free(&tape);
}
