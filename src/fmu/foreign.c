/* FMUs as subsystems of a model: implements costab_foreign.
 * 1. Model exchange: an update computes the Jacobian at the point (linearise.c), which gives A, B, C and D. f
 *    and g call the FMU itself.
 * 2. Co-simulation: an update measures the map of the FMU's own steps of the macro step's length, which gives
 *    A, B and C (measure.c; docs/explanation/algorithms.md, FMU measurement).
 * Cost: one process per FMU. Limitation: the matrices are as accurate as the checks show. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "costab/fmu.h"
#include "fmu/measure.h"
#include "fmu/run.h"
#include "fmu/ssp.h"
#include "fmu/unpacked.h"

/* Relative tolerance for x' = A x + B u at the point. */
#define APART 1e-6

/* Span in seconds of the search for time dependence if the default experiment has no end, and the number of
 * times in addition to the start. */
#define SPAN_USUAL 100.0
#define TIMES      8

static costab_status find_ports(const costab_foreign_wish *wish, void **found, costab_foreign_ports *ports,
                                costab_error *error) {
    fmu_part *part = NULL;
    costab_status status = fmu_part_make(wish, &part, error);
    *found = part;
    if (status) return status;
    const bool sampled = part->kind == COSTAB_FMU_CO_SIMULATION;
    *ports = (costab_foreign_ports){
        .states = sampled ? measure_states_most(part) : part->states.count,
        .inputs = part->inputs.count,
        .outputs = part->outputs.count,
        .state_names = sampled ? NULL : (const char *const *)part->states.names,
        .input_names = (const char *const *)part->inputs.names,
        .output_names = (const char *const *)part->outputs.names,
        .state_units = sampled ? NULL : part->states.units,
        .input_units = part->inputs.units,
        .output_units = part->outputs.units,
        .mark = part->fmu->contents_mark,
        .lines = sampled && fmu_part_inputs_can_rise(part),
        .own_step = sampled ? part->fmu->interfaces[part->kind].own_step : 0,
        .sampled = sampled,
        .feedthrough = !sampled && fmu_part_feeds_through(part),
    };
    return COSTAB_OK;
}

/* Like find_ports() for an FMU to be run. */
static costab_status find_to_run(const costab_foreign_wish *wish, void **found, costab_foreign_ports *ports,
                                 costab_error *error) {
    fmu_part *part;
    *found = NULL;
    TRY(fmu_run_allowed(file_name(wish->path), error));
    TRY(find_ports(wish, found, ports, error));
    part = *found;
    costab_status status = unpacked_take(part->fmu, &part->unpacked, error);
    if (status) fmu_part_free(&part);
    if (status) *found = NULL;
    return status;
}

static void free_part(void *left) {
    fmu_part *part = left;
    unpacked_leave(&part->unpacked);
    fmu_part_free(&part);
}

/* ---- Instances ---- */

static void close_one(void *closed) {
    fmu_subsystem *s = closed;
    fmu_run_end(&s->run);
    map_cache_free(&s->cache);
    memory_free_all(s->asked, s->answer, s->nominals, s->own, s);
}

static costab_status open_one(void *found, void **opened, costab_error *error) {
    const fmu_part *part = found;
    size_t n = (size_t)part->states.count, m = (size_t)part->inputs.count;
    fmu_subsystem *s = *opened = memory_alloc(1, sizeof *s);
    if (s == NULL) return error_memory(error);
    *s = (fmu_subsystem){.part = part, .start_time = part->fmu->start_time, .order = -1};
    const fmu_request first = {.operation = FMU_START}, second = {.operation = FMU_JACOBIAN};
    size_t asked = child_request_size(part, &first) + child_request_size(part, &second) + m +
                   (size_t)part->own_states.count + 1;
    size_t answer = child_answer_size(part, &first) + child_answer_size(part, &second);
    costab_status status = memory_make(&s->asked, asked, error);
    if (!status) status = memory_make(&s->answer, answer, error);
    if (!status) status = memory_make(&s->nominals, n + 1, error);
    if (!status) status = memory_make(&s->own, n + m + 1, error);
    if (!status) status = fmu_run_make(part, &s->run, error);
    if (!status) return COSTAB_OK;
    close_one(s);
    *opened = NULL;
    return status;
}

static costab_status open_for_runs(void *found, void **opened, costab_error *error) {
    TRY(open_one(found, opened, error));
    fmu_subsystem *s = *opened;
    s->runs_only = true;
    return COSTAB_OK;
}

/* ---- Linearising ---- */

/* Creates an instance with the start values and the inputs of the point. */
static costab_status instantiate(fmu_subsystem *s, const costab_foreign_numbers *numbers,
                                 costab_error *error) {
    const fmu_part *part = s->part;
    int n = part->states.count, m = part->inputs.count;
    measure_copy_starts(part, numbers, s->asked);
    memcpy(s->asked + part->starts.count, numbers->point + n, (size_t)m * sizeof *s->asked);
    TRY(fmu_run_ask(s->run, &(fmu_request){.operation = FMU_START, .t = s->start_time}, s->asked, s->answer,
                    error));
    memcpy(s->own, s->answer, (size_t)(n + m) * sizeof *s->own);
    memcpy(s->nominals, s->answer + n + m, (size_t)n * sizeof *s->nominals);
    for (int i = 0; i < n + m; i++)
        if (isnan(numbers->point[i])) numbers->point[i] = s->own[i];
    bool sampled = part->kind == COSTAB_FMU_CO_SIMULATION;
    const double *first = sampled ? s->answer + 2 * n + m : s->own;
    if (numbers->x0 != NULL)
        memcpy(numbers->x0, first, (size_t)(sampled ? part->outputs.count : n) * sizeof *first);
    return COSTAB_OK;
}

/* Computes the Jacobian at a point, compared with TIMES other times up to the end of the default experiment.
 * The result is in s->answer. */
static costab_status ask_jacobian(fmu_subsystem *s, const double *point, costab_error *error) {
    int n = s->part->states.count, m = s->part->inputs.count;
    const double span = s->part->fmu->stop_time - s->start_time;
    const fmu_request request = {.operation = FMU_JACOBIAN,
                                 .t = s->start_time,
                                 .length = span > 0 ? span : SPAN_USUAL,
                                 .count = TIMES};
    memcpy(s->asked, point, (size_t)(n + m) * sizeof *s->asked);
    memcpy(s->asked + n + m, s->nominals, (size_t)n * sizeof *s->asked);
    return fmu_run_ask(s->run, &request, s->asked, s->answer, error);
}

static const double *derivatives_of(const fmu_subsystem *s) {
    size_t n = (size_t)s->part->states.count, m = (size_t)s->part->inputs.count;
    return s->answer + (n + (size_t)s->part->outputs.count) * (n + m);
}

static const char *port_name(const fmu_part *part, int column) {
    int n = part->states.count;
    return column < n ? part->states.names[column] : part->inputs.names[column - n];
}

/* Decodes an index + 1 from an answer. The FMU may write any number there. */
static int index_of(double successor, int count) {
    return successor >= 1 && successor <= count ? (int)successor - 1 : 0;
}

/* Returns true if x' at the point equals A x + B u to the relative tolerance APART: the linearisation is then
 * the FMU itself. */
static bool is_linear_around_0(const fmu_subsystem *s, const costab_foreign_numbers *numbers) {
    int n = s->part->states.count, columns = n + s->part->inputs.count;
    const double *derivatives = derivatives_of(s);
    for (int i = 0; i < n; i++) {
        double sum = -derivatives[i], size = fabs(derivatives[i]);
        for (int j = 0; j < columns; j++) {
            sum += s->answer[i * columns + j] * numbers->point[j];
            size += fabs(s->answer[i * columns + j] * numbers->point[j]);
        }
        if (fabs(sum) > APART * size) return false;
    }
    return true;
}

/* Refuses a time-dependent Jacobian: it is valid at one instant, so its eigenvalues do not decide stability.
 */
static costab_status refuse_time(const fmu_subsystem *s, const double *doubts, costab_error *error) {
    const fmu_part *part = s->part;
    int n = part->states.count, columns = n + part->inputs.count;
    int entry = index_of(doubts[FMU_DOUBT_VARIES], (n + part->outputs.count) * columns);
    int row = entry / columns;
    return error_set(error, COSTAB_UNSUPPORTED,
                     "%s: the derivative of '%.100s' by '%.100s' depends on time: it is %.6g at t = %.6g and "
                     "%.6g at t = %.6g: coefficients vary in time, so that eigenvalues say nothing of "
                     "stability; costab simulate runs this model",
                     part->name, row < n ? part->derivatives.names[row] : part->outputs.names[row - n],
                     port_name(part, entry % columns), s->answer[entry], s->start_time,
                     doubts[FMU_DOUBT_VALUE], doubts[FMU_DOUBT_THEN]);
}

static void warn_of_time(costab_foreign_numbers *numbers, const char *name, const double *doubts) {
    const bool varies = doubts[FMU_DOUBT_VARIES] > 0;
    if (varies && numbers->linear)
        measure_warn(
            numbers,
            "%.80s depends on time: with 'method: exact' a simulation shows its linearisation at its "
            "start, not the FMU; take another method",
            name);
    else if (!varies && doubts[FMU_DOUBT_TIME] > 0)
        measure_warn(numbers,
                     "%.80s depends on time; its derivatives by states and inputs are the same at all %d "
                     "times that were tried",
                     name, 1 + TIMES);
    if (!varies && doubts[FMU_DOUBT_LATER] > 0)
        measure_warn(numbers,
                     "%.80s fails at times after its start: whether its derivatives depend on time is not "
                     "known",
                     name);
}

/* Reports errors and warnings from the quality of the Jacobian. */
static costab_status check_jacobian(const fmu_subsystem *s, costab_foreign_numbers *numbers,
                                    costab_error *error) {
    const double *doubts = derivatives_of(s) + s->part->states.count;
    const char *name = s->part->name;
    numbers->found.doubt = doubts[FMU_DOUBT_ERROR];
    if (doubts[FMU_DOUBT_VARIES] > 0 && !numbers->time_varying) return refuse_time(s, doubts, error);
    if (doubts[FMU_DOUBT_KINK] > 0)
        return error_invalid(error,
                             "%s has no derivatives at the operating point: its slopes by '%s' to "
                             "both sides differ; choose another point",
                             name,
                             port_name(s->part, index_of(doubts[FMU_DOUBT_KINK],
                                                         s->part->states.count + s->part->inputs.count)));
    if (doubts[FMU_DOUBT_ERROR] > fmu_accuracy(s->part))
        return error_invalid(error,
                             "%s cannot be linearised at the operating point: differences with two "
                             "steps agree only to %.2g: its values are noisy, or strongly curved",
                             name, doubts[FMU_DOUBT_ERROR]);
    if (doubts[FMU_DOUBT_GIVEN] == 0 && doubts[FMU_DOUBT_APART] > 0)
        measure_warn(numbers,
                     "%.80s: the directional derivatives that it gives are %.2g apart, relative to the "
                     "largest, from differences of its values, which are taken",
                     name, doubts[FMU_DOUBT_APART]);
    if (doubts[FMU_DOUBT_EVENT] > 0)
        measure_warn(numbers,
                     "%.80s has an event at the operating point: the derivatives are those of one side",
                     name);
    warn_of_time(numbers, name, doubts);
    if (numbers->linear && doubts[FMU_DOUBT_VARIES] == 0 && !is_linear_around_0(s, numbers))
        measure_warn(
            numbers,
            "%.80s is not linear around 0: with 'method: exact' a simulation shows its linearisation "
            "there, not the FMU",
            name);
    if (doubts[FMU_DOUBT_GIVEN] > 0)
        measure_note(numbers, "derivatives_apart", doubts[FMU_DOUBT_APART]);
    else
        measure_note(numbers, "derivative_error", doubts[FMU_DOUBT_ERROR]);
    return COSTAB_OK;
}

static void store_matrices(const fmu_subsystem *s, costab_foreign_numbers *numbers) {
    int n = s->part->states.count, m = s->part->inputs.count, q = s->part->outputs.count;
    for (int i = 0; i < n + q; i++) {
        const double *row = s->answer + i * (n + m);
        double *by_states = i < n ? numbers->A + i * n : numbers->C + (i - n) * n;
        memcpy(by_states, row, (size_t)n * sizeof *row);
        if (i < n)
            memcpy(numbers->B + i * m, row + n, (size_t)m * sizeof *row);
        else if (numbers->D != NULL)
            memcpy(numbers->D + (i - n) * m, row + n, (size_t)m * sizeof *row);
    }
}

/* Refuses an FMU whose description denies all feedthrough, so that D is NULL, but whose outputs depend on
 * inputs. */
static costab_status check_feedthrough(const fmu_subsystem *s, const costab_foreign_numbers *numbers,
                                       costab_error *error) {
    const fmu_part *part = s->part;
    int n = part->states.count, columns = n + part->inputs.count;
    for (int i = 0; i < part->outputs.count && numbers->D == NULL; i++) {
        const double *row = s->answer + (n + i) * columns;
        double largest = 0;
        for (int j = 0; j < columns; j++) largest = fmax(largest, fabs(row[j]));
        for (int j = n; j < columns; j++)
            if (fabs(row[j]) > fmu_accuracy(part) * largest)
                return error_invalid(
                    error,
                    "%s: '%.100s' depends on the input '%.100s', but its 'dependencies' in the "
                    "description deny this",
                    part->name, part->outputs.names[i], port_name(part, j));
    }
    return COSTAB_OK;
}

static costab_status linearise(fmu_subsystem *s, costab_foreign_numbers *numbers, costab_error *error) {
    TRY(ask_jacobian(s, numbers->point, error));
    TRY(check_jacobian(s, numbers, error));
    TRY(check_feedthrough(s, numbers, error));
    store_matrices(s, numbers);
    return COSTAB_OK;
}

/* Warns of ports held at their start values by analyses; without inputs or outputs, co-simulation FMUs are
 * held completely. */
static void warn_of_held(const fmu_part *part, costab_foreign_numbers *numbers) {
    const fmu_ports *lists[] = {&part->inputs, &part->outputs};
    const char *first = NULL;
    int more = -1;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < lists[k]->count; i++) {
            if (!lists[k]->held[i]) continue;
            if (more++ < 0) first = lists[k]->names[i];
        }
    bool sampled = part->kind == COSTAB_FMU_CO_SIMULATION;
    if (sampled && (part->inputs.count == 0 || part->outputs.count == 0))
        measure_warn(numbers, "%.80s has no %s: the analysis holds it at its start, a simulation steps it",
                     part->name, part->inputs.count == 0 ? "inputs" : "outputs");
    else if (more == 0)
        measure_warn(numbers, "%.80s: '%.60s' is not a continuous number: the analysis holds it at its start",
                     part->name, first);
    else if (more > 0)
        measure_warn(
            numbers,
            "%.80s: '%.60s' and %d more ports are not continuous numbers: the analysis holds them at "
            "their start",
            part->name, first, more);
}

static costab_status update(void *updated, costab_foreign_numbers *numbers, costab_error *error) {
    fmu_subsystem *s = updated;
    s->last_step_t = (double)NAN;
    numbers->found.warning[0] = '\0';
    numbers->found.check_count = 0;
    costab_status status = instantiate(s, numbers, error);
    if (!status)
        status = s->part->kind == COSTAB_FMU_CO_SIMULATION ? measure_update(s, numbers, error)
                                                           : linearise(s, numbers, error);
    if (!status) warn_of_held(s->part, numbers);
    const char *heard = status ? "" : fmu_run_output(s->run);
    if (heard[0] != '\0')
        measure_warn(numbers, "%.80s wrote to its standard output or error: '%s'", s->part->name, heard);
    return status;
}

/* ---- f and g ---- */

static costab_status derivatives(fmu_subsystem *s, double t, const double *x, const double *u,
                                 costab_error *error) {
    size_t n = (size_t)s->part->states.count, m = (size_t)s->part->inputs.count;
    for (size_t i = 0; i < n; i++) s->asked[i] = x[i];
    for (size_t i = 0; i < m; i++) s->asked[n + i] = u[i];
    return fmu_run_ask(s->run, &(fmu_request){.operation = FMU_DERIVATIVES, .t = s->start_time + t}, s->asked,
                       s->answer, error);
}

static costab_status call_f(void *context, double t, const double *x, const double *u, double *dx,
                            costab_error *error) {
    fmu_subsystem *s = context;
    TRY(derivatives(s, t, x, u, error));
    memcpy(dx, s->answer, (size_t)s->part->states.count * sizeof *dx);
    return COSTAB_OK;
}

static costab_status call_g(void *context, double t, const double *x, const double *u, double *y,
                            costab_error *error) {
    fmu_subsystem *s = context;
    TRY(derivatives(s, t, x, u, error));
    memcpy(y, s->answer + s->part->states.count, (size_t)s->part->outputs.count * sizeof *y);
    return COSTAB_OK;
}

static costab_status call_accept(void *context, double t, double *x, const double *u, bool *event,
                                 costab_error *error) {
    fmu_subsystem *s = context;
    size_t n = (size_t)s->part->states.count, m = (size_t)s->part->inputs.count;
    for (size_t i = 0; i < n; i++) s->asked[i] = x[i];
    for (size_t i = 0; i < m; i++) s->asked[n + i] = u[i];
    const fmu_request request = {.operation = FMU_ACCEPT, .t = s->start_time + t};
    costab_status status = fmu_run_ask(s->run, &request, s->asked, s->answer, error);
    for (size_t i = 0; i < n && !status; i++) x[i] = s->answer[i];
    *event = !status && s->answer[n] != 0;
    return status;
}

/* ---- Co-simulation steps ---- */

static costab_status call_step(void *context, double t, double length, const double *u, const double *rise,
                               double *y, costab_error *error) {
    fmu_subsystem *s = context;
    int m = s->part->inputs.count, columns = fmu_part_columns(s->part);
    if (t == s->last_step_t && s->first_checks[s->loops_only].rollback > fmu_accuracy(s->part))
        return error_invalid(error,
                             "%s cannot be iterated: where its state is set back its answers are "
                             "%.2g apart from those of a new instance, relative",
                             s->part->name, s->first_checks[s->loops_only].rollback);
    s->last_step_t = t;
    for (int i = 0; i < m; i++) s->asked[i] = u[i];
    for (int i = m; i < columns; i++) s->asked[i] = rise != NULL ? rise[i - m] / length : 0;
    const fmu_request request = {.operation = FMU_STEP, .t = s->start_time + t, .length = length};
    return fmu_run_ask(s->run, &request, s->asked, y, error);
}

/* For models read but not run: only find_ports uses the FMU. */
static const costab_foreign described = {
    .find = find_ports, .leave = free_part, .is_system = costab_ssp_is, .read_system = ssp_model};

#define FUNCTIONS(open)                                                                                      \
    {                                                                                                        \
        find_to_run, free_part, open, close_one, update, call_f, call_g, call_accept, call_step,             \
            costab_ssp_is, ssp_model                                                                         \
    }

const costab_foreign *costab_fmu_foreign(void) {
    static const costab_foreign foreign = FUNCTIONS(open_one);
    return fmu_run_is_on() ? &foreign : &described;
}

const costab_foreign *costab_fmu_foreign_for_runs(void) {
    static const costab_foreign foreign = FUNCTIONS(open_for_runs);
    return fmu_run_is_on() ? &foreign : &described;
}
