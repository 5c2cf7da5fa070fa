/* Evaluates formulas in double precision. A formula is a tape, a list of operations on earlier results
 * (formula.h).
 *
 * 1. Values: from the first step to the last. A sum of numbers and parameters that cancels up to rounding is
 *    set to 0: otherwise 0.3 - 3*c at c = 0.1 would have the sign of its rounding error.
 * 2. Derivatives by all variables: reverse accumulation from the last step to the first (S. Linnainmaa 1970).
 *    Each step adds its derivative, times its partial derivatives, to its operands' derivatives.
 * 3. Smoothness at corners of abs, min, max, sign or rint: forward accumulation along some directions,
 *    compared on both sides.
 * 4. Time dependence of derivatives: values and derivatives carry a flag through a forward accumulation per
 *    variable. Exact except for cancellation: x*t - x*t counts as time-varying.
 *
 * Exact up to rounding. Cost: a value or all derivatives, a few evaluations; smoothness and time dependence,
 * an evaluation or two per variable. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "formula/token.h"

#define PI 3.14159265358979323846

/* RULE(operation, value, derivative by operand x, derivative by operand y); v is the value. */
#define FORMULA_RULES(RULE)                                                                                  \
    RULE(SIN, sin(x), cos(x), 0)                                                                             \
    RULE(COS, cos(x), -sin(x), 0)                                                                            \
    RULE(TAN, tan(x), 1 + v * v, 0)                                                                          \
    RULE(ASIN, asin(x), 1 / sqrt((1 - x) * (1 + x)), 0)                                                      \
    RULE(ACOS, acos(x), -1 / sqrt((1 - x) * (1 + x)), 0)                                                     \
    RULE(ATAN, atan(x), 1 / (1 + x * x), 0)                                                                  \
    RULE(SINH, sinh(x), cosh(x), 0)                                                                          \
    RULE(COSH, cosh(x), sinh(x), 0)                                                                          \
    RULE(TANH, tanh(x), 1 / (cosh(x) * cosh(x)), 0)                                                          \
    RULE(ASINH, asinh(x), 1 / hypot(1, x), 0)                                                                \
    RULE(ACOSH, acosh(x), 1 / sqrt((x - 1) * (x + 1)), 0)                                                    \
    RULE(ATANH, atanh(x), 1 / ((1 - x) * (1 + x)), 0)                                                        \
    RULE(LOG2, log2(x), 1 / (x * log(2)), 0)                                                                 \
    RULE(LOG10, log10(x), 1 / (x * log(10)), 0)                                                              \
    RULE(LOG, log(x), 1 / x, 0)                                                                              \
    RULE(LN, log(x), 1 / x, 0)                                                                               \
    RULE(EXP, exp(x), v, 0)                                                                                  \
    RULE(SQRT, sqrt(x), 0.5 / v, 0)                                                                          \
    RULE(SIGN, (x > 0) - (x < 0), 0, 0)                                                                      \
    RULE(RINT, rint(x), 0, 0)                                                                                \
    RULE(ABS, fabs(x), x < 0 ? -1 : 1, 0)                                                                    \
    RULE(ATAN2, atan2(x, y), y / (x * x + y * y), -x / (x * x + y * y))                                      \
    RULE(MIN, y < x ? y : x, !(y < x), y < x)                                                                \
    RULE(MAX, y > x ? y : x, !(y > x), y > x)                                                                \
    RULE(PI, PI, 0, 0)                                                                                       \
    RULE(ADD, x + y, 1, 1)                                                                                   \
    RULE(SUBTRACT, x - y, 1, -1)                                                                             \
    RULE(MULTIPLY, (x) * (y), y, x)                                                                          \
    RULE(DIVIDE, x / y, 1 / y, -v / y)                                                                       \
    RULE(POWER, power(x, y), y == 0 ? 0 : y * pow(x, y - 1), x == 0 ? 0 : v * log(x))                        \
    RULE(NEGATE, -x, -1, 0)

/* Small powers as products, so that x^2 has one rounding. */
static double power(double x, double y) {
    return y == 2 ? x * x : y == 3 ? x * x * x : y == 4 ? x * x * x * x : pow(x, y);
}

/* Defines a function of an operation, its operands and its value, from one column of the rules. */
#define FROM_RULES(function, column)                                                                         \
    static double function(formula_operation operation, double x, double y, double v) {                      \
        (void)v;                                                                                             \
        switch (operation) {                                                                                 \
            FORMULA_RULES(column)                                                                            \
        default:                                                                                             \
            return NAN;                                                                                      \
        }                                                                                                    \
    }
#define VALUE(name, value, by_x, by_y)                                                                       \
    case FORMULA_##name:                                                                                     \
        return value;
#define BY_X(name, value, by_x, by_y)                                                                        \
    case FORMULA_##name:                                                                                     \
        return by_x;
#define BY_Y(name, value, by_x, by_y)                                                                        \
    case FORMULA_##name:                                                                                     \
        return by_y;
FROM_RULES(value_of, VALUE)
FROM_RULES(slope_by_x, BY_X)
FROM_RULES(slope_by_y, BY_Y)

bool formula_uses(const formula_tape *tape, formula_operation kind, int index) {
    for (int i = 0; i < tape->count; i++)
        if (tape->steps[i].operation == kind && tape->steps[i].index == index) return true;
    return false;
}

size_t formula_work(const formula_tape *tape) {
    return 2 * (size_t)tape->count;
}

/* A sum below this fraction of its largest term is rounding error of 0. */
#define CANCELLED (4 * DBL_EPSILON)

static bool is_sum(formula_operation operation) {
    return operation == FORMULA_ADD || operation == FORMULA_SUBTRACT;
}

/* Sets a step's value, stored at a stride, to 0 if it is a sum that cancels. [out] term: for nested sums
 * their largest term, otherwise the modulus of the value. */
static void settle(const formula_step *step, int stride, double *value, double *term, const double *terms) {
    if (!is_sum(step->operation)) {
        *term = fabs(*value);
        return;
    }
    *term = fmax(terms[step->a * stride], terms[step->b * stride]);
    if (fabs(*value) < CANCELLED * *term) *value = 0;
}

/* Unused operands read the first value, which avoids a branch. */
double formula_value(const formula_tape *tape, const double *values, const double *local, double *scratch) {
#define CASE(name, value, by_x, by_y)                                                                        \
    case FORMULA_##name:                                                                                     \
        scratch[i] = value;                                                                                  \
        break;
    double *terms = scratch + tape->count;
    scratch[0] = 0;
    for (int i = 0; i < tape->count; i++) {
        const formula_step *step = &tape->steps[i];
        double x = scratch[step->a > 0 ? step->a : 0], y = scratch[step->b > 0 ? step->b : 0];
        switch (step->operation) {
        case FORMULA_NUMBER:
            scratch[i] = step->number;
            break;
        case FORMULA_PARAMETER:
            scratch[i] = values[step->index];
            break;
        case FORMULA_LOCAL:
            scratch[i] = local[step->index];
            break;
            FORMULA_RULES(CASE)
        default: /* tapes do not contain sum and avg */
            break;
        }
        if (!step->depends_on_local) settle(step, 1, &scratch[i], &terms[i], terms);
    }
#undef CASE
    return scratch[tape->count - 1];
}

/* Applies one operation at all points; unused operands may have any value. */
BASE_CLONES
static void apply(formula_operation operation, int count, const double *restrict a, const double *restrict b,
                  double *restrict out) {
#define CASE(name, value, by_x, by_y)                                                                        \
    case FORMULA_##name:                                                                                     \
        for (int l = 0; l < count; l++) {                                                                    \
            const double x = a[l], y = b[l];                                                                 \
            (void)x, (void)y;                                                                                \
            out[l] = value;                                                                                  \
        }                                                                                                    \
        return;
    switch (operation) {
        FORMULA_RULES(CASE)
    default: /* tapes do not contain sum and avg */
        return;
    }
#undef CASE
}

const double *formula_lanes(const formula_tape *tape, int width, const double *values, double *scratch) {
    static const double nothing[LANES_MOST] = {0};
    double *terms = scratch + tape->count * width;
    for (int i = 0; i < tape->count; i++) {
        const formula_step *step = &tape->steps[i];
        double *out = scratch + i * width;
        if (step->operation == FORMULA_NUMBER || step->operation == FORMULA_PARAMETER) {
            bool number = step->operation == FORMULA_NUMBER;
            for (int l = 0; l < width; l++) out[l] = number ? step->number : values[step->index * width + l];
        } else {
            apply(step->operation, width, step->a >= 0 ? scratch + step->a * width : nothing,
                  step->b >= 0 ? scratch + step->b * width : nothing, out);
        }
        for (int l = 0; l < width; l++) settle(step, width, &out[l], &terms[i * width + l], terms + l);
    }
    return scratch + (tape->count - 1) * width;
}

/* Scratch: the values of the steps, then the derivatives of the result by each step. */
double formula_gradient(const formula_tape *tape, const double *values, const double *local, int local_count,
                        double *gradient, double *scratch) {
    double result = formula_value(tape, values, local, scratch), *by = scratch + tape->count;
    for (int i = 0; i < local_count; i++) gradient[i] = 0;
    for (int i = 0; i < tape->count; i++) by[i] = 0;
    by[tape->count - 1] = 1;
    for (int i = tape->count - 1; i >= 0; i--) {
        const formula_step *step = &tape->steps[i];
        double x = step->a >= 0 ? scratch[step->a] : 0, y = step->b >= 0 ? scratch[step->b] : 0;
        if (step->operation == FORMULA_LOCAL) gradient[step->index] += by[i];
        if (step->a >= 0 && tape->steps[step->a].depends_on_local)
            by[step->a] += by[i] * slope_by_x(step->operation, x, y, scratch[i]);
        if (step->b >= 0 && tape->steps[step->b].depends_on_local)
            by[step->b] += by[i] * slope_by_y(step->operation, x, y, scratch[i]);
    }
    for (int i = 0; i < tape->count; i++) { /* set derivatives within rounding of 0 to 0 */
        const formula_step *step = &tape->steps[i];
        if (step->operation == FORMULA_LOCAL && fabs(gradient[step->index]) < CANCELLED * fabs(by[i]))
            gradient[step->index] = 0;
    }
    return result;
}

/* Largest modulus of all steps. */
static double largest_step(const formula_tape *tape, const double *scratch) {
    double largest = 0;
    for (int i = 0; i < tape->count; i++) largest = fmax(largest, fabs(scratch[i]));
    return largest;
}

double formula_terms(const formula_tape *tape, const double *scratch) {
    const double *by = scratch + tape->count;
    double largest = 0;
    for (int i = 0; i < tape->count; i++) largest = fmax(largest, fabs(by[i] * scratch[i]));
    return largest;
}

void formula_not_finite(const formula_tape *tape, const double *scratch, char *reason, size_t size) {
    static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    int used = snprintf(reason, size, "its value is not finite");
    for (int i = 0; i < tape->count; i++) {
        const formula_step *step = &tape->steps[i];
        if (step->operation != FORMULA_DIVIDE || scratch[step->b] != 0) continue;
        const formula_step *by = &tape->steps[step->b];
        const char *words = tape->text + by->at;
        bool plain = by->operation == FORMULA_PARAMETER || by->operation == FORMULA_LOCAL;
        (void)snprintf(reason + used, size - (size_t)used,
                       plain ? ": the denominator %.*s is 0" : ": %.*s denominator is 0",
                       plain ? (int)strspn(words, name) : 1, plain ? words : "a");
        return;
    }
}

/* ---- Kinks ---- */

static bool is_corner(formula_operation operation, double x, double y) {
    switch (operation) {
    case FORMULA_ABS:
    case FORMULA_SIGN:
        return x == 0;
    case FORMULA_RINT:
        return x - floor(x) == 0.5;
    case FORMULA_MIN:
    case FORMULA_MAX:
        return fabs(x - y) <= 4 * DBL_EPSILON * fmax(fabs(x), fabs(y));
    case FORMULA_ATAN2: /* its jump from pi to -pi */
        return x == 0 && y <= 0;
    default:
        return false;
    }
}

/* One-sided limit of the value at a point, and the derivative in this direction. */
typedef struct side {
    double value, by;
} side;

/* Result of an operation at its corner for operands that move by dx and dy. */
static side corner_side(formula_operation operation, double x, double y, double dx, double dy) {
    switch (operation) {
    case FORMULA_ABS:
        return (side){0, fabs(dx)};
    case FORMULA_SIGN:
        return (side){(dx > 0) - (dx < 0), 0};
    case FORMULA_RINT:
        return (side){dx == 0 ? rint(x) : floor(x + 0.5) - (dx < 0), 0};
    case FORMULA_MIN:
        return (side){fmin(x, y), fmin(dx, dy)};
    case FORMULA_ATAN2:
        return (side){atan2(dx < 0 ? -0.0 : 0.0, y), dx / y};
    default:
        return (side){fmax(x, y), fmax(dx, dy)};
    }
}

/* Forward accumulation along a direction; one-sided at kinks. [out] *corner: the last step at its corner. */
static side one_sided(const formula_tape *tape, const double *values, const double *local,
                      const double *direction, int count, double *scratch, int *corner) {
    double *by = scratch + tape->count;
    for (int i = 0; i < tape->count; i++) {
        const formula_step *step = &tape->steps[i];
        double x = step->a >= 0 ? scratch[step->a] : 0, dx = step->a >= 0 ? by[step->a] : 0;
        double y = step->b >= 0 ? scratch[step->b] : 0, dy = step->b >= 0 ? by[step->b] : 0;
        side s = {0, 0};
        if (step->operation == FORMULA_NUMBER) {
            s.value = step->number;
        } else if (step->operation == FORMULA_PARAMETER) {
            s.value = values[step->index];
        } else if (step->operation == FORMULA_LOCAL) {
            s = (side){local[step->index], step->index < count ? direction[step->index] : 0};
        } else if (step->depends_on_local && is_corner(step->operation, x, y)) {
            s = corner_side(step->operation, x, y, dx, dy);
            *corner = i;
        } else {
            s.value = value_of(step->operation, x, y, 0);
            if (dx != 0) s.by = slope_by_x(step->operation, x, y, s.value) * dx;
            if (dy != 0) s.by += slope_by_y(step->operation, x, y, s.value) * dy;
        }
        scratch[i] = s.value;
        by[i] = s.by;
    }
    return (side){scratch[tape->count - 1], by[tape->count - 1]};
}

/* Relative tolerance of equal derivatives and values: far above rounding, far below the effect of a kink. */
#define AGREEMENT 1e-9

bool formula_is_smooth(const formula_tape *tape, const double *values, const double *local, int count,
                       double *space, double *scratch, const char **kink) {
    double *slopes = space, *direction = space + count;
    bool corners = false; /* the tape contains operations with corners */
    for (int i = 0; i < tape->count; i++) {
        formula_operation o = tape->steps[i].operation;
        corners = corners || (tape->steps[i].depends_on_local &&
                              (o == FORMULA_ABS || o == FORMULA_SIGN || o == FORMULA_RINT ||
                               o == FORMULA_MIN || o == FORMULA_MAX || o == FORMULA_ATAN2));
    }
    if (!corners) return true;
    double value = formula_value(tape, values, local, scratch), size = largest_step(tape, scratch);
    int corner = -1;
    bool smooth = true;
    for (int j = 0; j < count; j++) direction[j] = 0;
    for (int j = 0; j < count && smooth; j++) {
        direction[j] = -1;
        side minus = one_sided(tape, values, local, direction, count, scratch, &corner);
        direction[j] = 1;
        side plus = one_sided(tape, values, local, direction, count, scratch, &corner);
        direction[j] = 0;
        slopes[j] = plus.by;
        smooth = fabs(plus.by + minus.by) <= AGREEMENT * (fabs(plus.by) + fabs(minus.by)) &&
                 fabs(plus.value - value) <= AGREEMENT * size &&
                 fabs(minus.value - value) <= AGREEMENT * size;
        if (corner < 0) return true;
    }
    for (int k = 0; k < 2 && smooth; k++) { /* two oblique directions */
        double sum = 0, total = 0;
        for (int j = 0; j < count; j++) {
            direction[j] = (k == 1 && j % 2 == 1 ? -1 : 1) * (1 + 0.25 * j);
            sum += slopes[j] * direction[j];
            total += fabs(slopes[j] * direction[j]);
        }
        smooth = fabs(one_sided(tape, values, local, direction, count, scratch, &corner).by - sum) <=
                 AGREEMENT * total;
    }
    if (!smooth) *kink = formula_function_name(tape->steps[corner].operation);
    return smooth;
}

/* ---- Dependence on time ---- */

/* A number with flag. Zero at all times is represented by value 0 without variation; products with it
 * vanish. */
typedef struct term {
    double value; /* at t = 0 */
    bool varies;  /* depends on t */
} term;

static bool is_zero(term a) {
    return a.value == 0 && !a.varies;
}

static term sum(term a, term b) {
    return (term){a.value + b.value, a.varies || b.varies};
}

static term product(term a, term b) {
    if (is_zero(a) || is_zero(b)) return (term){0, false};
    return (term){a.value * b.value, a.varies || b.varies};
}

/* Value of a step with operands x and y. */
static term timed_value(const formula_step *step, double value, term x, term y, int time) {
    switch (step->operation) {
    case FORMULA_NUMBER:
    case FORMULA_PI:
    case FORMULA_PARAMETER:
        return (term){value, false};
    case FORMULA_LOCAL:
        return (term){value, step->index == time};
    case FORMULA_MULTIPLY:
        return product(x, y);
    case FORMULA_DIVIDE:
        return is_zero(x) ? x : (term){value, x.varies || y.varies};
    case FORMULA_POWER:
        return is_zero(y) ? (term){1, false} : (term){value, x.varies || y.varies};
    default:
        return (term){value, x.varies || y.varies};
    }
}

/* Partial derivatives of a step by its operands. */
static void timed_slopes(const formula_step *step, term v, term x, term y, term *by_x, term *by_y) {
    const bool varies = x.varies || y.varies;
    *by_x = (term){slope_by_x(step->operation, x.value, y.value, v.value), varies};
    *by_y = (term){slope_by_y(step->operation, x.value, y.value, v.value), varies};
    switch (step->operation) {
    case FORMULA_ADD:
    case FORMULA_SUBTRACT:
    case FORMULA_NEGATE:
    case FORMULA_SIGN:
    case FORMULA_RINT:
        by_x->varies = by_y->varies = false;
        return;
    case FORMULA_MULTIPLY:
        *by_x = y;
        *by_y = x;
        return;
    case FORMULA_DIVIDE:
        by_x->varies = y.varies;
        by_y->varies = !is_zero(x) && varies;
        return;
    case FORMULA_POWER:
        by_x->varies = !is_zero(y) && varies;
        return;
    default:
        return;
    }
}

int formula_time_varying(const formula_tape *tape, const double *values, const double *local, int time,
                         double *scratch) {
    if (!formula_uses(tape, FORMULA_LOCAL, time)) return -1;
    term of[FORMULA_SIZE_MAX], by[FORMULA_SIZE_MAX]; /* a tape has at most as many steps as characters */
    const term none = {0, false};
    (void)formula_value(tape, values, local, scratch);
    for (int j = 0; j < time; j++) {
        for (int i = 0; i < tape->count; i++) {
            const formula_step *step = &tape->steps[i];
            const term x = step->a >= 0 ? of[step->a] : none, y = step->b >= 0 ? of[step->b] : none;
            term by_x, by_y;
            of[i] = timed_value(step, scratch[i], x, y, time);
            by[i] = none;
            if (step->operation == FORMULA_LOCAL) by[i].value = step->index == j;
            if (step->a < 0) continue;
            timed_slopes(step, of[i], x, y, &by_x, &by_y);
            by[i] = product(by_x, by[step->a]);
            if (step->b >= 0) by[i] = sum(by[i], product(by_y, by[step->b]));
        }
        if (by[tape->count - 1].varies) return j;
    }
    return -1;
}
