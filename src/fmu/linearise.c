/* The Jacobian of an FMU for model exchange at a point, in the child:
 *   1. By its own directional derivatives, where it gives them; the first and the last column by differences
 *      as well: where these are further apart than APART times the accuracy asked for, differences are taken.
 *   2. Else column by column by central differences with the step eps^(1/3) of a value, where rounding and
 *      the third derivative weigh alike, and once more with half of it: the difference of the two is what
 *      the Jacobian may be off by.
 *   3. Slopes to both sides that stay apart with smaller steps are a kink; an event indicator that changes
 *      its sign on the way is noted.
 * Cost: one call per column with derivatives, else four evaluations. Not guaranteed: a kink further away
 * than the step is not seen. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "fmu/child.h"

/* The step of a difference beside a value: eps^(1/3), where rounding and the third derivative weigh alike. */
#define STEP 6e-6
/* Slopes to both sides that differ by this share, and do not come together with smaller steps, are a kink. */
#define KINK 1e-4
/* Given derivatives may be this many times the accuracy asked for off: they may be differences themselves. */
#define APART 10

typedef struct shape {
    int n, m, rows, columns;
} shape;

static shape shape_of(const fmu_program *p) {
    int n = p->part->states.count, m = p->part->inputs.count;
    return (shape){n, m, n + p->part->outputs.count, n + m};
}

int child_slopes(fmu_program *p, double t, const double *point, double *answer) {
    int n = p->part->states.count;
    int status = program_set_time(p, t);
    if (status == FMI_OK) status = program_set_states(p, point);
    if (status == FMI_OK) status = program_set(p, &p->part->inputs, point + n);
    if (status == FMI_OK) status = program_get_slopes(p, answer);
    return status == FMI_OK ? program_get(p, &p->part->outputs, answer + n) : status;
}

/* Scratch of a Jacobian: a point; nominals; values at the point, above and below it by a step; a column;
 * seeds; signs of the event indicators at the point, and indicators elsewhere. */
typedef struct scratch {
    double *point, *base, *above, *below, *seed, *column, *here, *there;
} scratch;

size_t child_jacobian_work(const fmu_program *p) {
    shape s = shape_of(p);
    return 2 * (size_t)s.columns + 4 * (size_t)s.rows + 2 * FMU_INDICATORS_MAX;
}

static scratch lay(const fmu_program *p, double *work) {
    shape s = shape_of(p);
    scratch r;
    r.point = work;
    r.seed = r.point + s.columns;
    r.base = r.seed + s.columns;
    r.above = r.base + s.rows;
    r.below = r.above + s.rows;
    r.column = r.below + s.rows;
    r.here = r.column + s.rows;
    r.there = r.here + p->indicators;
    return r;
}

/* Whether an indicator has another sign than at the point, or none there. */
static int look_for_events(fmu_program *p, const scratch *r, double *doubts) {
    int status = program_get_indicators(p, r->there);
    for (size_t i = 0; i < p->indicators && status == FMI_OK; i++)
        if (!(r->here[i] * r->there[i] > 0)) doubts[FMU_DOUBT_EVENT] = 1;
    return status;
}

static double largest(const double *values, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++) most = fmax(most, fabs(values[i]));
    return most;
}

/* The same for analyses: held outputs are 0. */
static int slopes_at(fmu_program *p, double t, const double *point, double *answer) {
    const fmu_part *part = p->part;
    int status = child_slopes(p, t, point, answer);
    for (int i = 0; i < part->outputs.count; i++)
        if (part->outputs.held[i]) answer[part->states.count + i] = 0;
    return status;
}

/* The slopes of column j by a step h into r->column; [out] *bend: how far those to both sides are apart. */
static int slope(fmu_program *p, double t, const scratch *r, int j, double h, double *bend, double *doubts) {
    int rows = shape_of(p).rows;
    double kept = r->point[j], up = kept + h, down = kept - h;
    r->point[j] = up;
    int status = slopes_at(p, t, r->point, r->above);
    if (status == FMI_OK) status = look_for_events(p, r, doubts);
    r->point[j] = down;
    if (status == FMI_OK) status = slopes_at(p, t, r->point, r->below);
    if (status == FMI_OK) status = look_for_events(p, r, doubts);
    r->point[j] = kept;
    *bend = 0;
    for (int i = 0; i < rows && status == FMI_OK; i++) {
        double forward = (r->above[i] - r->base[i]) / (up - kept),
               backward = (r->base[i] - r->below[i]) / (kept - down);
        r->column[i] = (r->above[i] - r->below[i]) / (up - down);
        *bend = fmax(*bend, fabs(forward - backward));
    }
    return status;
}

/* Column j by central differences with two steps into J (`columns` apart). [in, out] *worst: the largest
 * difference between the two. */
static int difference(fmu_program *p, double t, const scratch *r, int j, double scale, double *J,
                      double *worst, double *doubts) {
    shape s = shape_of(p);
    double h = STEP * fmax(fabs(r->point[j]), scale), bend[2];
    int status = slope(p, t, r, j, h, &bend[0], doubts);
    for (int i = 0; i < s.rows && status == FMI_OK; i++) J[i * s.columns + j] = r->column[i];
    double most = largest(r->column, (size_t)s.rows);
    if (status == FMI_OK) status = slope(p, t, r, j, h / 2, &bend[1], doubts);
    if (status != FMI_OK) return status;
    for (int i = 0; i < s.rows; i++)
        *worst = fmax(*worst, 4.0 / 3 * fabs(J[i * s.columns + j] - r->column[i]));
    double rounding = 8 * DBL_EPSILON * largest(r->base, (size_t)s.rows) / h;
    bool kink = bend[1] > KINK * fmax(most, bend[1]) + rounding && bend[1] > 0.75 * bend[0];
    if (kink && doubts[FMU_DOUBT_KINK] == 0) doubts[FMU_DOUBT_KINK] = 1 + j;
    return FMI_OK;
}

/* A column that the FMU gives: derivatives, and outputs but those that are states. */
static int given_column(fmu_program *p, const scratch *r, uint32_t known, size_t size, int column,
                        double *J) {
    const fmu_part *part = p->part;
    shape s = shape_of(p);
    int status = program_directional(p, &part->derivatives, known, r->seed, size, r->column);
    if (status == FMI_OK)
        status = program_directional(p, &part->derived, known, r->seed, size, r->column + s.n);
    for (int i = 0; i < s.n && status == FMI_OK; i++) J[i * s.columns + column] = r->column[i];
    for (int i = 0; i < part->derived.count && status == FMI_OK; i++)
        J[(s.n + part->derived_rows[i]) * s.columns + column] = r->column[s.n + i];
    return status;
}

/* The columns that belong to some variables, given by the FMU. */
static int given(fmu_program *p, const scratch *r, const fmu_ports *known, int first, double *J) {
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

/* Rows of outputs that are states. */
static void mark_states(const fmu_program *p, double *J) {
    const fmu_part *part = p->part;
    shape s = shape_of(p);
    for (int i = 0; i < part->outputs.count; i++)
        for (int j = 0; j < s.n; j++)
            if (strcmp(part->outputs.names[i], part->states.names[j]) == 0) J[(s.n + i) * s.columns + j] = 1;
}

/* The first and the last column, by differences, beside those given. */
static int compare(fmu_program *p, double t, const scratch *r, const double *nominals, double *J,
                   double *doubts) {
    shape s = shape_of(p);
    double most = largest(J, (size_t)s.rows * (size_t)s.columns), apart = 0, bend;
    int status = FMI_OK;
    for (int k = 0; k < 2 && status == FMI_OK && s.columns > 0; k++) {
        int j = k == 0 ? 0 : s.columns - 1;
        double h = STEP * fmax(fabs(r->point[j]), j < s.n && nominals[j] > 0 ? nominals[j] : 1);
        status = slope(p, t, r, j, h, &bend, doubts);
        for (int i = 0; i < s.rows && status == FMI_OK; i++)
            apart = fmax(apart, fabs(J[i * s.columns + j] - r->column[i]));
    }
    doubts[FMU_DOUBT_APART] = most > 0 ? apart / most : apart;
    return status;
}

static int by_differences(fmu_program *p, double t, const scratch *r, const double *nominals, double *J,
                          double *doubts) {
    shape s = shape_of(p);
    double worst = 0;
    int status = FMI_OK, column = s.n;
    for (int j = 0; j < s.n && status == FMI_OK; j++)
        status = difference(p, t, r, j, nominals[j] > 0 ? nominals[j] : 1, J, &worst, doubts);
    for (int k = 0; k < p->part->inputs.variable_count; k++) {
        const fmu_variable *v = &p->part->fmu->variables[p->part->inputs.variables[k]];
        for (size_t e = 0; e < v->size && status == FMI_OK; e++, column++)
            if (!p->part->inputs.held[column - s.n])
                status = difference(p, t, r, column, v->nominal, J, &worst, doubts);
    }
    double most = largest(J, (size_t)s.rows * (size_t)s.columns);
    /* Values are rounded themselves, also where two differences happen to agree. */
    doubts[FMU_DOUBT_ERROR] = most > 0 ? fmax(worst / most, 4 * DBL_EPSILON) : worst;
    return status;
}

int child_jacobian(fmu_program *p, double t, const double *asked, double *answer, double *work) {
    shape s = shape_of(p);
    scratch r = lay(p, work);
    const double *nominals = asked + s.columns;
    double *J = answer, *slopes = J + s.rows * s.columns, *doubts = slopes + s.n;
    bool derivatives = p->part->fmu->interfaces[p->part->kind].derivatives &&
                       (p->f.two.directional != NULL || p->f.three.directional != NULL);
    memset(doubts, 0, FMU_DOUBTS * sizeof *doubts);
    memset(J, 0, (size_t)s.rows * (size_t)s.columns * sizeof *J);
    memcpy(r.point, asked, (size_t)s.columns * sizeof *r.point);
    int status = slopes_at(p, t + 1, r.point, r.column);
    if (status == FMI_OK) status = slopes_at(p, t, r.point, r.base);
    if (status == FMI_OK) status = program_get_indicators(p, r.here);
    if (status != FMI_OK) return status;
    for (int i = 0; i < s.rows; i++)
        if (fabs(r.column[i] - r.base[i]) > 1e-9 * (fabs(r.column[i]) + fabs(r.base[i])))
            doubts[FMU_DOUBT_TIME] = 1;
    memcpy(slopes, r.base, (size_t)s.n * sizeof *slopes);
    for (size_t i = 0; i < p->indicators; i++)
        if (r.here[i] == 0) doubts[FMU_DOUBT_EVENT] = 1;
    if (derivatives) {
        mark_states(p, J);
        status = given(p, &r, &p->part->states, 0, J);
        if (status == FMI_OK) status = given(p, &r, &p->part->inputs, s.n, J);
        if (status == FMI_OK) status = compare(p, t, &r, nominals, J, doubts);
    }
    bool right = derivatives && doubts[FMU_DOUBT_APART] <= APART * fmu_accuracy();
    doubts[FMU_DOUBT_GIVEN] = right;
    if (status == FMI_OK && !right) memset(J, 0, (size_t)s.rows * (size_t)s.columns * sizeof *J);
    if (status == FMI_OK && !right) status = by_differences(p, t, &r, nominals, J, doubts);
    /* Left as it was found. */
    return status == FMI_OK ? slopes_at(p, t, r.point, r.column) : status;
}
