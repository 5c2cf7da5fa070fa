/* Computes the Jacobian of an FMU's derivatives and outputs by states and inputs at a point, in the child
 * process.
 * 1. Directional derivatives, if the FMU provides them. Central differences check each column; a deviation
 *    above APART times the requested accuracy selects differences instead.
 * 2. Central differences, column by column, with steps h and h/2. h is eps^(1/3) of the value or its nominal
 *    value, the larger of both, which balances rounding and the third derivative. The estimated error is 4/3
 * of the difference of the two (Richardson).
 * 3. Kinks, with differences only: forward and backward differences that do not approach each other from h to
 *    h/2. A change of sign of an event indicator within h is reported.
 * 4. Time dependence: at several other times, the central difference along one direction with changes in all
 *    columns is compared with that at t. It is equal up to rounding if the Jacobian is. Otherwise the whole
 *    Jacobian at that time is computed, and the first entry that differs by more than its error is reported.
 * Cost: two calls per column with directional derivatives, and four evaluations; otherwise four evaluations
 * per column; two evaluations per other time. Limitation: misses kinks further away than h, all kinks with
 * directional derivatives, and time dependence invisible at all sampled times. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "fmu/child.h"

/* h relative to the value: eps^(1/3). */
#define STEP 6e-6
/* Relative difference of forward and backward differences at a kink. */
#define KINK 1e-4
/* Permitted deviation of given derivatives as a multiple of the requested accuracy, because they may be
 * differences themselves. */
#define APART 10
/* Other times: t + frac(k GOLDEN) of the span, k = 1, 2, ..., evenly distributed and never multiples of a
 * period. */
#define GOLDEN 0.61803398874989485

typedef struct shape {
    int n, m, rows, columns;
} shape;

static shape shape_of(const fmu_program *p) {
    int n = p->part->states.count, m = p->part->inputs.count;
    return (shape){n, m, n + p->part->outputs.count, n + m};
}

fmi_status child_derivatives(fmu_program *p, double t, const double *point, double *answer) {
    int n = p->part->states.count;
    TRY(program_set_time(p, t));
    TRY(program_set_states(p, point));
    TRY(program_set(p, &p->part->inputs, point + n));
    TRY(program_get_derivatives(p, answer));
    return program_get(p, &p->part->outputs, answer + n);
}

/* Work arrays: a point; derivatives and outputs at the point, a step above and a step below it; a column of
 * the Jacobian; the direction of a directional derivative; event indicators at the point and elsewhere;
 * derivatives and outputs on both sides of the point, and the Jacobian at another time. */
typedef struct scratch {
    double *point, *base, *above, *below, *seed, *column, *indicators, *indicators_there;
    double *above_first, *below_first, *J_there;
} scratch;

size_t child_jacobian_work(const fmu_program *p) {
    shape s = shape_of(p);
    size_t rows = (size_t)s.rows, columns = (size_t)s.columns;
    return 2 * columns + 6 * rows + 2 * FMU_INDICATORS_MAX + rows * columns;
}

static scratch lay_out(const fmu_program *p, double *work) {
    shape s = shape_of(p);
    scratch r;
    r.point = work;
    r.seed = r.point + s.columns;
    r.base = r.seed + s.columns;
    r.above = r.base + s.rows;
    r.below = r.above + s.rows;
    r.column = r.below + s.rows;
    r.indicators = r.column + s.rows;
    r.indicators_there = r.indicators + p->indicators;
    r.above_first = r.indicators_there + p->indicators;
    r.below_first = r.above_first + s.rows;
    r.J_there = r.below_first + s.rows;
    return r;
}

/* Reports an event if an indicator changes sign between the points, or is 0 at either. */
static fmi_status look_for_events(fmu_program *p, const scratch *r, double *doubts) {
    fmi_status status = program_get_indicators(p, r->indicators_there);
    for (size_t i = 0; i < p->indicators && status == FMI_OK; i++)
        if (!(r->indicators[i] * r->indicators_there[i] > 0)) doubts[FMU_DOUBT_EVENT] = 1;
    return status;
}

static double largest(const double *values, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++) most = fmax(most, fabs(values[i]));
    return most;
}

/* Returns the nominal size of column j's variable, the reference of its steps. */
static double nominal_of(const fmu_program *p, const double *nominals, int j) {
    const fmu_ports *inputs = &p->part->inputs;
    int end = p->part->states.count;
    if (j < end) return nominals[j] > 0 ? nominals[j] : 1;
    for (int k = 0; k < inputs->variable_count; k++) {
        const fmu_variable *v = &p->part->fmu->variables[inputs->variables[k]];
        end += (int)v->size;
        if (j < end) return v->nominal;
    }
    return 1;
}

static bool is_held(const fmu_program *p, int j) {
    int n = p->part->states.count;
    return j >= n && p->part->inputs.held[j - n];
}

/* Like child_derivatives() with 0 for held outputs, which analyses leave out. */
static fmi_status derivatives_at(fmu_program *p, double t, const double *point, double *answer) {
    const fmu_part *part = p->part;
    fmi_status status = child_derivatives(p, t, point, answer);
    for (int i = 0; i < part->outputs.count; i++)
        if (part->outputs.held[i]) answer[part->states.count + i] = 0;
    return status;
}

/* Computes column j in r->column by a central difference with step h. [out] *gap: largest difference between
 * forward and backward difference. */
static fmi_status central_difference(fmu_program *p, double t, const scratch *r, int j, double h, double *gap,
                                     double *doubts) {
    int rows = shape_of(p).rows;
    double kept = r->point[j], up = kept + h, down = kept - h;
    r->point[j] = up;
    TRY(derivatives_at(p, t, r->point, r->above));
    TRY(look_for_events(p, r, doubts));
    r->point[j] = down;
    TRY(derivatives_at(p, t, r->point, r->below));
    TRY(look_for_events(p, r, doubts));
    r->point[j] = kept;
    *gap = 0;
    for (int i = 0; i < rows; i++) {
        double forward = (r->above[i] - r->base[i]) / (up - kept),
               backward = (r->base[i] - r->below[i]) / (kept - down);
        r->column[i] = (r->above[i] - r->below[i]) / (up - down);
        *gap = fmax(*gap, fabs(forward - backward));
    }
    return FMI_OK;
}

/* Computes column j of J by central differences with steps h and h/2. [in, out] *worst: largest estimated
 * error. */
static fmi_status difference_column(fmu_program *p, double t, const scratch *r, int j, double scale,
                                    double *J, double *worst, double *doubts) {
    shape s = shape_of(p);
    double h = STEP * fmax(fabs(r->point[j]), scale), gaps[2];
    TRY(central_difference(p, t, r, j, h, &gaps[0], doubts));
    for (int i = 0; i < s.rows; i++) J[i * s.columns + j] = r->column[i];
    double most = largest(r->column, (size_t)s.rows);
    TRY(central_difference(p, t, r, j, h / 2, &gaps[1], doubts));
    for (int i = 0; i < s.rows; i++)
        *worst = fmax(*worst, 4.0 / 3 * fabs(J[i * s.columns + j] - r->column[i]));
    double rounding = 8 * DBL_EPSILON * largest(r->base, (size_t)s.rows) / h;
    bool kink = gaps[1] > KINK * fmax(most, gaps[1]) + rounding && gaps[1] > 0.75 * gaps[0];
    if (kink && doubts[FMU_DOUBT_KINK] == 0) doubts[FMU_DOUBT_KINK] = 1 + j;
    return FMI_OK;
}

/* Computes a column by directional derivatives of derivatives and of outputs that are not states. */
static fmi_status given_column(fmu_program *p, const scratch *r, uint32_t known, size_t size, int column,
                               double *J) {
    const fmu_part *part = p->part;
    shape s = shape_of(p);
    TRY(program_derivative_along(p, &part->derivatives, known, r->seed, size, r->column));
    TRY(program_derivative_along(p, &part->computed_outputs, known, r->seed, size, r->column + s.n));
    for (int i = 0; i < s.n; i++) J[i * s.columns + column] = r->column[i];
    for (int i = 0; i < part->computed_outputs.count; i++)
        J[(s.n + part->computed_rows[i]) * s.columns + column] = r->column[s.n + i];
    return FMI_OK;
}

/* Computes the columns of several variables by directional derivatives. */
static fmi_status given_columns(fmu_program *p, const scratch *r, const fmu_ports *known, int first,
                                double *J) {
    int column = first, status = FMI_OK;
    for (int k = 0; k < known->variable_count && status == FMI_OK; k++) {
        size_t size = p->part->fmu->variables[known->variables[k]].size;
        if (known->held[column - first]) {
            column += (int)size;
            continue;
        }
        for (size_t e = 0; e < size && status == FMI_OK; e++, column++) {
            memset(r->seed, 0, size * sizeof *r->seed);
            r->seed[e] = 1;
            status = given_column(p, r, known->references[k], size, column, J);
        }
    }
    return status;
}

/* Sets 1 in the rows of outputs that are states. */
static void fill_rows_of_states(const fmu_program *p, double *J) {
    const fmu_part *part = p->part;
    shape s = shape_of(p);
    for (int i = 0; i < part->outputs.count; i++)
        for (int j = 0; j < s.n; j++)
            if (strcmp(part->outputs.names[i], part->states.names[j]) == 0) J[(s.n + i) * s.columns + j] = 1;
}

/* Compares all columns with central differences. */
static fmi_status compare_with_differences(fmu_program *p, double t, const scratch *r, const double *nominals,
                                           double *J, double *doubts) {
    shape s = shape_of(p);
    double most = largest(J, (size_t)s.rows * (size_t)s.columns), apart = 0, gap;
    for (int j = 0; j < s.columns; j++) {
        if (is_held(p, j)) continue;
        double h = STEP * fmax(fabs(r->point[j]), nominal_of(p, nominals, j));
        TRY(central_difference(p, t, r, j, h, &gap, doubts));
        for (int i = 0; i < s.rows; i++) apart = fmax(apart, fabs(J[i * s.columns + j] - r->column[i]));
    }
    doubts[FMU_DOUBT_APART] = most > 0 ? apart / most : apart;
    return FMI_OK;
}

static fmi_status difference_jacobian(fmu_program *p, double t, const scratch *r, const double *nominals,
                                      double *J, double *doubts) {
    shape s = shape_of(p);
    double worst = 0;
    fmi_status status = FMI_OK;
    for (int j = 0; j < s.columns && status == FMI_OK; j++)
        if (!is_held(p, j))
            status = difference_column(p, t, r, j, nominal_of(p, nominals, j), J, &worst, doubts);
    double most = largest(J, (size_t)s.rows * (size_t)s.columns);
    /* The values themselves are rounded, even if both differences agree. */
    doubts[FMU_DOUBT_ERROR] = most > 0 ? fmax(worst / most, 4 * DBL_EPSILON) : worst;
    return status;
}

/* Computes the Jacobian by the FMU's directional derivatives. */
static fmi_status given_jacobian(fmu_program *p, const scratch *r, double *J) {
    fill_rows_of_states(p, J);
    TRY(given_columns(p, r, &p->part->states, 0, J));
    return given_columns(p, r, &p->part->inputs, p->part->states.count, J);
}

/* ---- Time dependence ---- */

/* Computes derivatives and outputs at time t, at the points `asked` + r->seed and `asked` - r->seed. */
static fmi_status evaluate_both_sides(fmu_program *p, double t, const scratch *r, const double *asked,
                                      double *above, double *below) {
    int columns = shape_of(p).columns;
    for (int j = 0; j < columns; j++) r->point[j] = asked[j] + r->seed[j];
    TRY(derivatives_at(p, t, r->point, above));
    for (int j = 0; j < columns; j++) r->point[j] = asked[j] - r->seed[j];
    return derivatives_at(p, t, r->point, below);
}

/* Returns true if the differences of both sides equal the differences at the first time up to rounding.
 * Reports time-dependent values. */
static bool same_difference(int rows, const scratch *r, double *doubts) {
    bool same = true;
    for (int i = 0; i < rows; i++) {
        double up = r->above[i] - r->above_first[i], down = r->below[i] - r->below_first[i];
        double size =
            fabs(r->above[i]) + fabs(r->below[i]) + fabs(r->above_first[i]) + fabs(r->below_first[i]);
        if (fabs(up - down) > 16 * DBL_EPSILON * size) same = false;
        if (fabs(up + down) > 1e-9 * size) doubts[FMU_DOUBT_TIME] = 1;
    }
    return same;
}

/* Compares the Jacobian at time t with J. */
static fmi_status compare_jacobians(fmu_program *p, double t, const scratch *r, const double *asked,
                                    const double *J, double *doubts) {
    shape s = shape_of(p);
    size_t count = (size_t)s.rows * (size_t)s.columns;
    double there[FMU_DOUBTS] = {0};
    memcpy(r->point, asked, (size_t)s.columns * sizeof *r->point);
    memset(r->J_there, 0, count * sizeof *r->J_there);
    TRY(derivatives_at(p, t, r->point, r->base));
    if (doubts[FMU_DOUBT_GIVEN] != 0)
        TRY(given_jacobian(p, r, r->J_there));
    else
        TRY(difference_jacobian(p, t, r, asked + s.columns, r->J_there, there));
    double errors =
        doubts[FMU_DOUBT_ERROR] * largest(J, count) + there[FMU_DOUBT_ERROR] * largest(r->J_there, count);
    for (size_t e = 0; e < count && doubts[FMU_DOUBT_VARIES] == 0; e++) {
        double size = fmax(fabs(J[e]), fabs(r->J_there[e]));
        if (!(fabs(J[e] - r->J_there[e]) > p->accuracy * size + 10 * errors)) continue;
        doubts[FMU_DOUBT_VARIES] = 1 + (double)e;
        doubts[FMU_DOUBT_THEN] = t;
        doubts[FMU_DOUBT_VALUE] = r->J_there[e];
    }
    return FMI_OK;
}

/* Compares `count` other times within the span. */
static fmi_status look_at_times(fmu_program *p, double t, int count, double span, const scratch *r,
                                const double *asked, const double *J, double *doubts) {
    shape s = shape_of(p);
    for (int j = 0; j < s.columns; j++) {
        double h = STEP * fmax(fabs(asked[j]), nominal_of(p, asked + s.columns, j));
        double share =
            0.5 + fmod(GOLDEN * j, 0.5); /* distinct weights prevent cancellation between columns */
        r->seed[j] = is_held(p, j) ? 0 : h * share * child_random_sign(0, j);
    }
    TRY(evaluate_both_sides(p, t, r, asked, r->above_first, r->below_first));
    for (int k = 1; k <= count && doubts[FMU_DOUBT_VARIES] == 0; k++) {
        double then = t + span * fmod(GOLDEN * k, 1);
        TRY(evaluate_both_sides(p, then, r, asked, r->above, r->below));
        bool same = same_difference(s.rows, r, doubts);
        if (!same) TRY(compare_jacobians(p, then, r, asked, J, doubts));
    }
    return FMI_OK;
}

fmi_status child_jacobian(fmu_program *p, const fmu_request *request, const double *asked, double *answer,
                          double *work) {
    shape s = shape_of(p);
    scratch r = lay_out(p, work);
    const double t = request->t, *nominals = asked + s.columns;
    double *J = answer, *slopes = J + s.rows * s.columns, *doubts = slopes + s.n;
    bool derivatives = p->part->fmu->interfaces[p->part->kind].derivatives &&
                       (p->f.two.directional != NULL || p->f.three.directional != NULL);
    memset(doubts, 0, FMU_DOUBTS * sizeof *doubts);
    memset(J, 0, (size_t)s.rows * (size_t)s.columns * sizeof *J);
    memcpy(r.point, asked, (size_t)s.columns * sizeof *r.point);
    TRY(derivatives_at(p, t, r.point, r.base));
    TRY(program_get_indicators(p, r.indicators));
    memcpy(slopes, r.base, (size_t)s.n * sizeof *slopes);
    for (size_t i = 0; i < p->indicators; i++)
        if (r.indicators[i] == 0) doubts[FMU_DOUBT_EVENT] = 1;
    if (derivatives) {
        TRY(given_jacobian(p, &r, J));
        TRY(compare_with_differences(p, t, &r, nominals, J, doubts));
    }
    bool right = derivatives && doubts[FMU_DOUBT_APART] <= APART * p->accuracy;
    doubts[FMU_DOUBT_GIVEN] = right;
    if (!right) memset(J, 0, (size_t)s.rows * (size_t)s.columns * sizeof *J);
    if (!right) TRY(difference_jacobian(p, t, &r, nominals, J, doubts));
    fmi_status status = look_at_times(p, t, request->count, request->length, &r, asked, J, doubts);
    if (status == FMI_FATAL) return status;
    if (status != FMI_OK) {
        p->fault = NULL; /* the FMU need not work at other times */
        doubts[FMU_DOUBT_LATER] = 1;
    }
    /* Leave the FMU at the point. */
    return derivatives_at(p, t, asked, r.column);
}
