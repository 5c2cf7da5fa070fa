/* The functions of an FMU, with a common interface for FMI 2.0 and 3.0.
 * 1. program_open loads the library and looks up the functions of its version by name (`functions`).
 * 2. Each call first writes its name to the board, which the parent reads after a crash. Afterwards it
 *    restores the floating-point environment and returns any failure status.
 * 3. Consecutive real variables are transferred in one call; other and held values one by one. */
#include "fmu/calls.h"

#include <dlfcn.h>
#include <fenv.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- Before and after each call ---- */

/* Writes the function's name, such as "fmi2DoStep", to the board; without printf, because there may be
 * hundreds of thousands of calls per second. */
static void before(fmu_program *p, const char *name) {
    static const char prefix[2][5] = {"fmi2", "fmi3"};
    char *call = p->board->call;
    size_t length = strlen(name), most = sizeof p->board->call - sizeof *prefix;
    if (length > most) length = most;
    memcpy(call, prefix[p->part->fmu->version != 2], sizeof *prefix - 1);
    memcpy(call + sizeof *prefix - 1, name, length);
    call[sizeof *prefix - 1 + length] = '\0';
}

/* Restores the floating-point environment. A changed rounding mode is an error, because it affects the
 * results of this call. */
static fmi_status after(fmu_program *p, int status) {
    if (fegetround() != FE_TONEAREST) p->fault = "changed the rounding mode of floating-point numbers";
    (void)fesetenv(FE_DFL_ENV);
    if (status == FMI_OK || status == FMI_WARNING) return p->fault != NULL ? FMI_ERROR : FMI_OK;
    return status == FMI_DISCARD || status == FMI_FATAL || status == FMI_PENDING ? status : FMI_ERROR;
}

#define IS_TWO(p) ((p)->part->fmu->version == 2)
/* Call a function common to both versions, or the function of the FMU's version. */
#define CALL(p, name, call) (before((p), (name)), after((p), (p)->f.call))
#define CALL_OF(p, name, if_two, if_three)                                                                   \
    (before((p), (name)), after((p), IS_TWO(p) ? (p)->f.two.if_two : (p)->f.three.if_three))

/* ---- Messages of the FMU ---- */

static void keep_message(fmu_board *board, int status, const char *words) {
    if (status == FMI_OK || words == NULL) return;
    (void)snprintf(board->said, sizeof board->said, "%s", words);
    for (char *c = board->said; *c != '\0'; c++)
        if (*c == '\n') *c = ' ';
    text_make_plain(board->said, sizeof board->said);
}

static void logger_2(void *environment, const char *instance, int status, const char *category,
                     const char *message, ...) COSTAB_PRINTF(5, 6);
static void logger_2(void *environment, const char *instance, int status, const char *category,
                     const char *message, ...) {
    char words[FMU_WORDS_MAX];
    va_list arguments;
    (void)instance;
    (void)category;
    if (message == NULL) return;
    va_start(arguments, message);
    (void)vsnprintf(words, sizeof words, message, arguments);
    va_end(arguments);
    keep_message(environment, status, words);
}

static void logger_3(void *environment, int status, const char *category, const char *message) {
    (void)category;
    keep_message(environment, status, message);
}

/* ---- Opening ---- */

enum { LAST_SUCCESSFUL_TIME = 2 }; /* kind of GetRealStatus */
enum { EXCHANGE = 1, SIMULATION = 2, ALWAYS = 3, OPTIONAL = 4 };

/* The functions with their names in 2.0 and in 3.0 (NULL: none). */
static const struct {
    const char *two, *three;
    size_t offset;
    int needed; /* by these kinds */
} functions[] = {
    {"Instantiate", NULL, offsetof(fmi, two.instantiate), ALWAYS},
    {NULL, "InstantiateModelExchange", offsetof(fmi, three.instantiate_exchange), EXCHANGE},
    {NULL, "InstantiateCoSimulation", offsetof(fmi, three.instantiate_simulation), SIMULATION},
    {"FreeInstance", "FreeInstance", offsetof(fmi, free_instance), ALWAYS},
    {"SetupExperiment", NULL, offsetof(fmi, two.setup_experiment), ALWAYS},
    {"EnterInitializationMode", NULL, offsetof(fmi, two.enter_initialization), ALWAYS},
    {NULL, "EnterInitializationMode", offsetof(fmi, three.enter_initialization), ALWAYS},
    {"ExitInitializationMode", "ExitInitializationMode", offsetof(fmi, exit_initialization), ALWAYS},
    {"Terminate", "Terminate", offsetof(fmi, terminate), ALWAYS},
    {"GetReal", NULL, offsetof(fmi, two.get_real), ALWAYS},
    {"SetReal", NULL, offsetof(fmi, two.set_real), ALWAYS},
    {"SetInteger", NULL, offsetof(fmi, two.set_integer), ALWAYS},
    {"GetInteger", NULL, offsetof(fmi, two.get_integer), OPTIONAL},
    {"SetBoolean", NULL, offsetof(fmi, two.set_boolean), ALWAYS},
    {"GetBoolean", NULL, offsetof(fmi, two.get_boolean), OPTIONAL},
    {NULL, "GetFloat64", offsetof(fmi, three.get_real), ALWAYS},
    {NULL, "SetFloat64", offsetof(fmi, three.set_real), ALWAYS},
    {NULL, "SetFloat32", offsetof(fmi, three.set_float), OPTIONAL},
    {NULL, "SetInt32", offsetof(fmi, three.set_int), OPTIONAL},
    {NULL, "GetInt32", offsetof(fmi, three.get_int), OPTIONAL},
    {NULL, "SetInt64", offsetof(fmi, three.set_int64), OPTIONAL},
    {NULL, "GetInt64", offsetof(fmi, three.get_int64), OPTIONAL},
    {NULL, "SetUInt64", offsetof(fmi, three.set_uint64), OPTIONAL},
    {NULL, "GetUInt64", offsetof(fmi, three.get_uint64), OPTIONAL},
    {NULL, "SetBoolean", offsetof(fmi, three.set_boolean), OPTIONAL},
    {NULL, "GetBoolean", offsetof(fmi, three.get_boolean), OPTIONAL},
    {"GetFMUstate", "GetFMUState", offsetof(fmi, get_state), OPTIONAL},
    {"SetFMUstate", "SetFMUState", offsetof(fmi, set_state), OPTIONAL},
    {"FreeFMUstate", "FreeFMUState", offsetof(fmi, free_state), OPTIONAL},
    {"GetDirectionalDerivative", NULL, offsetof(fmi, two.directional), OPTIONAL},
    {"NewDiscreteStates", NULL, offsetof(fmi, two.new_discrete_states), EXCHANGE},
    {NULL, "GetDirectionalDerivative", offsetof(fmi, three.directional), OPTIONAL},
    {NULL, "UpdateDiscreteStates", offsetof(fmi, three.update_discrete_states), EXCHANGE},
    {"EnterEventMode", "EnterEventMode", offsetof(fmi, enter_event), EXCHANGE},
    {"EnterContinuousTimeMode", "EnterContinuousTimeMode", offsetof(fmi, enter_continuous), EXCHANGE},
    {"SetTime", "SetTime", offsetof(fmi, set_time), EXCHANGE},
    {"SetContinuousStates", "SetContinuousStates", offsetof(fmi, set_states), EXCHANGE},
    {"GetContinuousStates", "GetContinuousStates", offsetof(fmi, get_states), EXCHANGE},
    {"GetNominalsOfContinuousStates", "GetNominalsOfContinuousStates", offsetof(fmi, get_nominals), EXCHANGE},
    {"GetDerivatives", "GetContinuousStateDerivatives", offsetof(fmi, get_derivatives), EXCHANGE},
    {"GetEventIndicators", "GetEventIndicators", offsetof(fmi, get_indicators), EXCHANGE},
    {"CompletedIntegratorStep", NULL, offsetof(fmi, two.completed), OPTIONAL},
    {"GetRealStatus", NULL, offsetof(fmi, two.get_status), OPTIONAL},
    {"DoStep", NULL, offsetof(fmi, two.do_step), SIMULATION},
    {"SetRealInputDerivatives", NULL, offsetof(fmi, two.set_input_derivatives), OPTIONAL},
    {NULL, "CompletedIntegratorStep", offsetof(fmi, three.completed), OPTIONAL},
    {NULL, "GetNumberOfEventIndicators", offsetof(fmi, three.count_indicators), EXCHANGE},
    {NULL, "DoStep", offsetof(fmi, three.do_step), SIMULATION},
};

/* Looks up all functions of `functions`. Copies the addresses as bytes, because dlsym returns object
 * pointers. */
static const char *find_functions(fmu_program *p, char words[FMU_WORDS_MAX]) {
    int kind = p->part->kind == COSTAB_FMU_MODEL_EXCHANGE ? EXCHANGE : SIMULATION;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        char name[FMU_CALL_MAX];
        const char *own = IS_TWO(p) ? functions[i].two : functions[i].three;
        if (own == NULL) continue;
        (void)snprintf(name, sizeof name, "fmi%d%s", p->part->fmu->version, own);
        void *found = dlsym(p->library, name);
        memcpy((char *)&p->f + functions[i].offset, &found, sizeof found);
        if (found != NULL || (functions[i].needed & kind) == 0) continue;
        (void)snprintf(words, FMU_WORDS_MAX, "its program has no function %s", name);
        return words;
    }
    return NULL;
}

const char *program_open(fmu_program *p, const char *folder, char words[FMU_WORDS_MAX]) {
    text_local path = {0};
    text_printf(&path, "%s/%s", folder, p->part->fmu->interfaces[p->part->kind].library);
    if (path.failed) return "memory is out";
    before(p, "(its program is loaded)");
    p->library = dlopen(path.data, RTLD_NOW | RTLD_LOCAL);
    (void)after(p, FMI_OK);
    if (p->library == NULL) {
        const char *why = dlerror();
        (void)snprintf(words, FMU_WORDS_MAX, "its program cannot be loaded: %s", why != NULL ? why : "?");
        text_make_plain(words, FMU_WORDS_MAX);
        return words;
    }
    return find_functions(p, words);
}

/* ---- Lifetime of an instance ---- */

fmi_status program_instantiate(fmu_program *p) {
    const costab_fmu *fmu = p->part->fmu;
    bool exchange = p->part->kind == COSTAB_FMU_MODEL_EXCHANGE;
    p->continuous = false;
    p->callbacks = (fmi2_callbacks){logger_2, calloc, free, NULL, p->board};
    if (IS_TWO(p)) {
        before(p, "Instantiate");
        p->component =
            p->f.two.instantiate("costab", exchange ? 0 : 1, fmu->token, p->resources, &p->callbacks, 0, 0);
    } else if (exchange) {
        before(p, "InstantiateModelExchange");
        p->component = p->f.three.instantiate_exchange("costab", fmu->token, p->resources, false, false,
                                                       p->board, logger_3);
    } else {
        before(p, "InstantiateCoSimulation");
        p->component = p->f.three.instantiate_simulation("costab", fmu->token, p->resources, false, false,
                                                         false, false, NULL, 0, p->board, logger_3, NULL);
    }
    p->instances += p->component != NULL;
    return after(p, p->component != NULL ? FMI_OK : FMI_ERROR);
}

void program_free(fmu_program *p) {
    if (p->component == NULL) return;
    (void)CALL(p, "Terminate", terminate(p->component));
    before(p, "FreeInstance");
    p->f.free_instance(p->component);
    (void)after(p, FMI_OK);
    p->component = NULL;
}

fmi_status program_setup_experiment(fmu_program *p, double start) {
    double tolerance = p->part->tolerance;
    if (!IS_TWO(p)) return FMI_OK;
    before(p, "SetupExperiment");
    return after(p, p->f.two.setup_experiment(p->component, tolerance > 0, tolerance, start, 0, start));
}

fmi_status program_enter_initialization(fmu_program *p, double start) {
    double tolerance = p->part->tolerance;
    return CALL_OF(p, "EnterInitializationMode", enter_initialization(p->component),
                   enter_initialization(p->component, tolerance > 0, tolerance, start, false, start));
}

static fmi_status count_indicators(fmu_program *p) {
    p->indicators = 0;
    if (p->part->kind != COSTAB_FMU_MODEL_EXCHANGE) return FMI_OK;
    if (IS_TWO(p)) {
        p->indicators = p->part->fmu->indicators;
        return FMI_OK;
    }
    before(p, "GetNumberOfEventIndicators");
    fmi_status status = after(p, p->f.three.count_indicators(p->component, &p->indicators));
    if (p->indicators > FMU_INDICATORS_MAX) p->fault = "returned an impossible number";
    return p->fault != NULL ? FMI_ERROR : status;
}

fmi_status program_exit_initialization(fmu_program *p) {
    fmi_status status = CALL(p, "ExitInitializationMode", exit_initialization(p->component));
    return status == FMI_OK ? count_indicators(p) : status;
}

/* ---- Values ---- */

/* Sets a value by a function of its type, if the FMU has it. */
#define SET(function, name, type, value)                                                                     \
    ((function) == NULL ? FMI_ERROR : (before(p, (name)), (function)(p->component, &r, 1, &(type){value}, 1)))

static fmi_status set_value_3(fmu_program *p, fmi_reference r, fmu_type type, double value) {
    fmi3 *f = &p->f.three;
    switch (type) {
    case FMU_REAL:
        return SET(f->set_real, "SetFloat64", double, value);
    case FMU_FLOAT32:
        return SET(f->set_float, "SetFloat32", float, (float)value);
    case FMU_INTEGER:
        return SET(f->set_int, "SetInt32", int32_t, (int32_t)value);
    case FMU_INT64:
        return SET(f->set_int64, "SetInt64", int64_t, (int64_t)value);
    case FMU_UINT64:
        return SET(f->set_uint64, "SetUInt64", uint64_t, value > 0 ? (uint64_t)value : 0);
    case FMU_BOOLEAN:
        return SET(f->set_boolean, "SetBoolean", fmi3_boolean, value != 0);
    default:
        return FMI_ERROR;
    }
}

static fmi_status set_value(fmu_program *p, fmi_reference r, fmu_type type, double value) {
    const double most = 2147483647;
    int number = fabs(value) <= most ? (int)value : 0;
    if (type != FMU_REAL && type != FMU_FLOAT32 && (value != floor(value) || fabs(value) > most)) {
        before(p, "Set (an integer)");
        p->fault = "cannot take this value: an integer from -2147483647 to 2147483647 is expected";
        return after(p, FMI_ERROR);
    }
    if (!IS_TWO(p)) return after(p, set_value_3(p, r, type, value));
    if (type == FMU_REAL)
        return before(p, "SetReal"), after(p, p->f.two.set_real(p->component, &r, 1, &value));
    if (type == FMU_BOOLEAN)
        return before(p, "SetBoolean"), after(p, p->f.two.set_boolean(p->component, &r, 1, &number));
    return before(p, "SetInteger"), after(p, p->f.two.set_integer(p->component, &r, 1, &number));
}

fmi_status program_set_start(fmu_program *p, int i, double value) {
    const fmu_ports *starts = &p->part->starts;
    return set_value(p, starts->references[i], p->part->fmu->variables[starts->variables[i]].type, value);
}

static fmi_status get_value_3(fmu_program *p, fmi_reference r, fmu_type type, double *value) {
    fmi3 *f = &p->f.three;
    int32_t word = 0;
    int64_t wide = 0;
    uint64_t positive = 0;
    fmi3_boolean flag = 0;
    fmi_status status = FMI_ERROR;
    if (type == FMU_REAL) return before(p, "GetFloat64"), f->get_real(p->component, &r, 1, value, 1);
    if (type == FMU_INTEGER && f->get_int != NULL)
        status = (before(p, "GetInt32"), f->get_int(p->component, &r, 1, &word, 1));
    if (type == FMU_INT64 && f->get_int64 != NULL)
        status = (before(p, "GetInt64"), f->get_int64(p->component, &r, 1, &wide, 1));
    if (type == FMU_UINT64 && f->get_uint64 != NULL)
        status = (before(p, "GetUInt64"), f->get_uint64(p->component, &r, 1, &positive, 1));
    if (type == FMU_BOOLEAN && f->get_boolean != NULL)
        status = (before(p, "GetBoolean"), f->get_boolean(p->component, &r, 1, &flag, 1));
    *value = (double)word + (double)wide + (double)positive + (flag != 0); /* only one is nonzero */
    return status;
}

static fmi_status get_value(fmu_program *p, fmi_reference r, fmu_type type, double *value) {
    int number = 0, status = FMI_ERROR;
    if (!IS_TWO(p)) return after(p, get_value_3(p, r, type, value));
    if (type == FMU_REAL)
        return before(p, "GetReal"), after(p, p->f.two.get_real(p->component, &r, 1, value));
    if (type == FMU_BOOLEAN && p->f.two.get_boolean != NULL)
        status = (before(p, "GetBoolean"), p->f.two.get_boolean(p->component, &r, 1, &number));
    if (type == FMU_INTEGER && p->f.two.get_integer != NULL)
        status = (before(p, "GetInteger"), p->f.two.get_integer(p->component, &r, 1, &number));
    *value = type == FMU_BOOLEAN ? number != 0 : number;
    return after(p, status);
}

/* Returns FMI_ERROR if a value is infinite or NaN. */
static fmi_status check_finite(fmu_program *p, fmi_status status, const double *values, size_t count) {
    for (size_t i = 0; i < count && status == FMI_OK; i++)
        if (!isfinite(values[i])) {
            p->fault = "returned a value that is not a finite number";
            return FMI_ERROR;
        }
    return status;
}

/* Returns the number of variables for one call, from variable `at` with value index `first` up to the next
 * held one. [out] *values: number of their values. */
static size_t call_length(const fmu_program *p, const fmu_ports *ports, int at, int first, size_t *values) {
    size_t n = 0;
    *values = 0;
    while (at + (int)n < ports->variable_count && !ports->held[(size_t)first + *values])
        *values += p->part->fmu->variables[ports->variables[at + (int)n++]].size;
    return n;
}

static fmu_type type_of(const fmu_program *p, const fmu_ports *ports, int at) {
    return p->part->fmu->variables[ports->variables[at]].type;
}

fmi_status program_get(fmu_program *p, const fmu_ports *ports, double *values) {
    fmi_status status = FMI_OK;
    int first = 0;
    for (int at = 0; at < ports->variable_count && status == FMI_OK;) {
        size_t count, n = call_length(p, ports, at, first, &count);
        const fmi_reference *r = ports->references + at;
        if (n == 0)
            status = get_value(p, *r, type_of(p, ports, at), &values[first]);
        else
            status =
                CALL_OF(p, IS_TWO(p) ? "GetReal" : "GetFloat64", get_real(p->component, r, n, values + first),
                        get_real(p->component, r, n, values + first, count));
        at += n > 0 ? (int)n : 1;
        first += n > 0 ? (int)count : 1;
    }
    return check_finite(p, status, values, (size_t)ports->count);
}

fmi_status program_set(fmu_program *p, const fmu_ports *ports, const double *values) {
    fmi_status status = FMI_OK;
    int first = 0;
    for (int at = 0; at < ports->variable_count && status == FMI_OK;) {
        size_t count, n = call_length(p, ports, at, first, &count);
        const fmi_reference *r = ports->references + at;
        const fmu_type type = type_of(p, ports, at);
        double value = type == FMU_REAL      ? values[first]
                       : type == FMU_BOOLEAN ? fabs(values[first]) >= 0.5
                                             : round(values[first]);
        if (n > 0)
            status =
                CALL_OF(p, IS_TWO(p) ? "SetReal" : "SetFloat64", set_real(p->component, r, n, values + first),
                        set_real(p->component, r, n, values + first, count));
        else if (!p->continuous)
            status = set_value(p, *r, type, value);
        at += n > 0 ? (int)n : 1;
        first += n > 0 ? (int)count : 1;
    }
    return status;
}

fmi_status program_set_input_derivatives(fmu_program *p, const double *slopes) {
    const fmu_ports *inputs = &p->part->inputs;
    const int first = 1;
    fmi_status status = FMI_OK;
    before(p, "SetRealInputDerivatives");
    if (p->f.two.set_input_derivatives == NULL)
        p->fault = "is missing, although canInterpolateInputs is true";
    for (int i = 0; i < inputs->count && p->fault == NULL && status == FMI_OK; i++)
        if (!inputs->held[i])
            status = after(p, p->f.two.set_input_derivatives(p->component, &inputs->references[i], 1, &first,
                                                             &slopes[i]));
    return p->fault != NULL ? FMI_ERROR : status;
}

fmi_status program_derivative_along(fmu_program *p, const fmu_ports *unknown, uint32_t known,
                                    const double *seed, size_t seeds, double *result) {
    size_t n = (size_t)unknown->variable_count, count = (size_t)unknown->count;
    if (n == 0) return FMI_OK;
    fmi_status status =
        CALL_OF(p, "GetDirectionalDerivative",
                directional(p->component, unknown->references, n, &known, 1, seed, result),
                directional(p->component, unknown->references, n, &known, 1, seed, seeds, result, count));
    return check_finite(p, status, result, count);
}

/* ---- Saved state ---- */

bool program_can_save_state(const fmu_program *p) {
    return p->f.get_state != NULL && p->f.set_state != NULL && p->f.free_state != NULL &&
           p->part->fmu->interfaces[p->part->kind].keeps_state;
}

fmi_status program_save_state(fmu_program *p, void **state) {
    return CALL(p, IS_TWO(p) ? "GetFMUstate" : "GetFMUState", get_state(p->component, state));
}

fmi_status program_restore_state(fmu_program *p, void *state) {
    return CALL(p, IS_TWO(p) ? "SetFMUstate" : "SetFMUState", set_state(p->component, state));
}

fmi_status program_free_state(fmu_program *p, void **state) {
    return CALL(p, IS_TWO(p) ? "FreeFMUstate" : "FreeFMUState", free_state(p->component, state));
}

/* ---- Co-simulation ---- */

fmi_status program_step(fmu_program *p, double t, double step, bool no_set_back, bool *ended, double *last) {
    fmi3_boolean event = 0, early = 0, terminate = 0;
    before(p, "DoStep");
    p->board->t = t;
    p->board->timed = 1;
    if (!IS_TWO(p)) {
        double at = *last;
        fmi_status status =
            p->f.three.do_step(p->component, t, step, no_set_back, &event, &terminate, &early, &at);
        *ended = terminate != 0;
        if (early != 0) *last = at;
        return after(p, status);
    }
    fmi_status status = p->f.two.do_step(p->component, t, step, no_set_back);
    const bool discarded = status == FMI_DISCARD && p->f.two.get_status != NULL;
    if (!discarded || p->f.two.get_status(p->component, LAST_SUCCESSFUL_TIME, last) != FMI_OK || !(*last > t))
        return after(p, status);
    return after(p, FMI_OK);
}

/* ---- Model exchange ---- */

fmi_status program_iterate_events(fmu_program *p, bool *ended) {
    enum { ROUNDS_MAX = 100 };
    bool again = true;
    fmi_status status = FMI_OK;
    *ended = false;
    p->next = (double)INFINITY;
    for (int i = 0; again && !*ended && status == FMI_OK; i++) {
        fmi2_events two = {0};
        fmi3_boolean more = 0, terminate = 0, nominals = 0, changed = 0, defined = 0;
        double next = 0;
        if (i == ROUNDS_MAX) p->fault = "requests event iterations without end";
        if (i == ROUNDS_MAX) return FMI_ERROR;
        before(p, IS_TWO(p) ? "NewDiscreteStates" : "UpdateDiscreteStates");
        status = IS_TWO(p) ? p->f.two.new_discrete_states(p->component, &two)
                           : p->f.three.update_discrete_states(p->component, &more, &terminate, &nominals,
                                                               &changed, &defined, &next);
        status = after(p, status);
        again = more != 0 || two.again != 0;
        if (defined != 0 || two.next_defined != 0) p->next = IS_TWO(p) ? two.next : next;
        *ended = terminate != 0 || two.terminate != 0;
    }
    if (status != FMI_OK || *ended) return status;
    p->continuous = true;
    return CALL(p, "EnterContinuousTimeMode", enter_continuous(p->component));
}

fmi_status program_enter_event_mode(fmu_program *p) {
    p->continuous = false;
    return CALL(p, "EnterEventMode", enter_event(p->component));
}

fmi_status program_completed_step(fmu_program *p, bool *event, bool *ended) {
    int enter = 0, terminate = 0;
    fmi3_boolean enters = 0, terminates = 0;
    if (p->f.two.completed == NULL && p->f.three.completed == NULL) return FMI_OK;
    fmi_status status = CALL_OF(p, "CompletedIntegratorStep", completed(p->component, 1, &enter, &terminate),
                                completed(p->component, true, &enters, &terminates));
    *event = *event || enter != 0 || enters != 0;
    *ended = terminate != 0 || terminates != 0;
    return status;
}

fmi_status program_set_time(fmu_program *p, double t) {
    p->board->t = t;
    p->board->timed = 1;
    return CALL(p, "SetTime", set_time(p->component, t));
}

#define STATES(p) ((size_t)(p)->part->states.count)

fmi_status program_set_states(fmu_program *p, const double *x) {
    if (STATES(p) == 0) return FMI_OK;
    return CALL(p, "SetContinuousStates", set_states(p->component, x, STATES(p)));
}

fmi_status program_get_states(fmu_program *p, double *x) {
    if (STATES(p) == 0) return FMI_OK;
    fmi_status status = CALL(p, "GetContinuousStates", get_states(p->component, x, STATES(p)));
    return check_finite(p, status, x, STATES(p));
}

fmi_status program_get_nominals(fmu_program *p, double *x) {
    if (STATES(p) == 0) return FMI_OK;
    fmi_status status = CALL(p, "GetNominalsOfContinuousStates", get_nominals(p->component, x, STATES(p)));
    return check_finite(p, status, x, STATES(p));
}

fmi_status program_get_derivatives(fmu_program *p, double *dx) {
    if (STATES(p) == 0) return FMI_OK;
    fmi_status status = CALL(p, IS_TWO(p) ? "GetDerivatives" : "GetContinuousStateDerivatives",
                             get_derivatives(p->component, dx, STATES(p)));
    return check_finite(p, status, dx, STATES(p));
}

fmi_status program_get_indicators(fmu_program *p, double *z) {
    if (p->indicators == 0) return FMI_OK;
    return CALL(p, "GetEventIndicators", get_indicators(p->component, z, p->indicators));
}
