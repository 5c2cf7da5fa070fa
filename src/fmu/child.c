/* The program of an FMU's process, the only process with code of the FMU. It is linked with the C library
 * alone, so other libraries' symbols cannot replace the FMU's. process.c starts it in the FMU's folder, and
 * it serves the requests of fmu/child.h.
 * 1. Start: loads the FMU's library for this platform.
 * 2. Loop: reads a request with its numbers, calls the FMU, and writes a status and the requested numbers.
 *  - FMU_START, and each run of FMU_RESPONSE, first create and initialise a new instance.
 *  - FMU_DERIVATIVES, FMU_JACOBIAN and FMU_ACCEPT use the instance of FMU_START (model exchange). If events
 *    changed it, a restarted simulation gets a new instance.
 *  - FMU_STEP saves the FMU's state before the step. A repeated step from the same time, as in iterations,
 *    restores that state. A step from an earlier time creates a new instance.
 * 3. Events are handled at the end of the solver step: an indicator changes sign, a time event is passed, a
 *    held input changes, or the FMU requests one.
 * After the status `fatal` the FMU is not called any more. The guardian (guardian.c) ends the process
 * together with the parent. Limitation: the exact time of an event is not located. */
#include "fmu/child.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/guard.h"
#include "base/memory.h"
#include "base/remains.h"
#include "base/text.h"

/* ---- Requests ---- */

/* State of the child between requests. */
typedef struct server {
    fmu_program p; /* the FMU's program and its single instance */
    /* The current request: its numbers, the answer, and workspace, with their capacities. */
    double *asked, *answer, *work;
    size_t asked_capacity, answer_capacity, work_capacity;
    /* Model exchange: current event indicators, and their last nonzero values, with their capacities. */
    double *indicators, *old_indicators;
    size_t indicator_capacity, old_capacity;
    bool old_known;        /* old_indicators belong to the current instance */
    bool had_events;       /* since FMU_START */
    double *start_numbers; /* of the last FMU_START */
    double start_t;        /* its time */
    double *held_inputs;   /* held inputs: their values since the last event */
    double step_t;         /* FMU_STEP: start of the last step; -infinity: none */
    void *state_before;    /* the FMU's state before that step; NULL: not saved */
} server;

static bool is_model_exchange(const fmu_program *p) {
    return p->part->kind == COSTAB_FMU_MODEL_EXCHANGE;
}

/* Sets the given inputs (not NaN). [out] inputs: all inputs, with the FMU's own values if not given. */
static fmi_status set_start_inputs(fmu_program *p, const double *given, double *inputs) {
    size_t m = (size_t)p->part->inputs.count;
    bool some = false;
    fmi_status status = program_get(p, &p->part->inputs, inputs);
    for (size_t i = 0; i < m; i++) {
        some = some || !isnan(given[i]);
        if (!isnan(given[i])) inputs[i] = given[i];
    }
    return status == FMI_OK && some ? program_set(p, &p->part->inputs, inputs) : status;
}

static fmi_status begin_initialisation(fmu_program *p, double t, const double *asked, double *inputs) {
    TRY(program_setup_experiment(p, t));
    for (int i = 0; i < p->part->starts.count; i++) TRY(program_set_start(p, i, asked[i]));
    TRY(program_enter_initialization(p, t));
    return set_start_inputs(p, asked + p->part->starts.count, inputs);
}

/* Creates an instance in initialisation at t with the start values and inputs of `asked`. [out] inputs: m
 * values. */
static fmi_status begin_instance(fmu_program *p, double t, const double *asked, double *inputs) {
    program_free(p);
    p->board->said[0] = '\0';
    p->board->t = t;
    p->board->timed = true;
    fmi_status status = program_instantiate(p);
    return status == FMI_OK ? begin_initialisation(p, t, asked, inputs) : status;
}

/* Creates an instance like begin_instance() and completes its initialisation. */
static fmi_status instantiate_at(fmu_program *p, double t, const double *asked, double *inputs) {
    TRY(begin_instance(p, t, asked, inputs));
    return program_exit_initialization(p);
}

/* Answers FMU_START: states, inputs, nominals, outputs of a new instance. */
static fmi_status instantiate_and_report(fmu_program *p, double t, const double *asked, double *answer) {
    size_t n = (size_t)p->part->states.count, m = (size_t)p->part->inputs.count;
    bool ended = false;
    fmi_status status = instantiate_at(p, t, asked, answer + n);
    if (status == FMI_OK && is_model_exchange(p)) status = program_iterate_events(p, &ended);
    if (ended) p->fault = "requests the end of the simulation at its start";
    if (ended) return FMI_ERROR;
    if (status == FMI_OK && is_model_exchange(p)) status = program_get_states(p, answer);
    if (status == FMI_OK && is_model_exchange(p)) status = program_get_nominals(p, answer + n + m);
    for (size_t i = 0; i < n; i++) answer[n + m + i] = fabs(answer[n + m + i]);
    return status == FMI_OK ? program_get(p, &p->part->outputs, answer + 2 * n + m) : status;
}

/* Makes a co-simulation step and reads the outputs. If the FMU ends a step early, requests the remaining
 * part. */
static fmi_status do_step(fmu_program *p, double t, double length, bool goes_back, double *outputs) {
    enum { PARTS_MAX = 1000 };
    bool ended = false, going = true;
    double end = t + length;
    fmi_status status = FMI_OK;
    for (int i = 0; going && !ended && status == FMI_OK; i++) {
        double last = end;
        status = program_step(p, t, i == 0 ? length : end - t, !goes_back, &ended, &last);
        going = status == FMI_OK && last < end - 1e-12 * length;
        if (going && (!(last >= t) || i == PARTS_MAX)) p->fault = "ends its steps early again and again";
        if (p->fault != NULL) return FMI_ERROR;
        t = last;
    }
    if (ended) p->fault = "requests the end of the simulation";
    if (ended) return FMI_ERROR;
    return status == FMI_OK ? program_get(p, &p->part->outputs, outputs) : status;
}

/* A run of several steps with changing inputs. */
typedef struct response {
    const fmu_request *request;
    const double *base, *change; /* unchanged inputs; change of each column */
    double *inputs, *slopes;     /* in the current step */
} response;

/* Sets the inputs of step k: base + sign * change in step `at` (FMU_RANDOM_SIGNS: in all, with random signs),
 * otherwise base. Makes no call if the inputs are unchanged. */
static fmi_status set_step_inputs(fmu_program *p, const response *r, int k, double sign) {
    const fmu_ports *in = &p->part->inputs;
    int at = r->request->at, m = in->count;
    bool shaken = r->request->manner == FMU_RANDOM_SIGNS, now = shaken || k == at,
         lines = fmu_part_inputs_can_rise(p->part);
    if (!now && k != at + 1) return FMI_OK;
    for (int i = 0; i < fmu_part_columns(p->part); i++) {
        double change = now ? sign * r->change[i] * (shaken ? child_random_sign(k, i) : 1) : 0;
        if (i < m)
            r->inputs[i] = r->base[i] + change;
        else
            r->slopes[i - m] = change / r->request->length;
    }
    fmi_status status = program_set(p, in, r->inputs);
    return status == FMI_OK && lines ? program_set_input_derivatives(p, r->slopes) : status;
}

/* Computes the outputs after each step of the request. */
static fmi_status do_steps(fmu_program *p, const response *r, double sign, double *answer) {
    const fmu_request *asked = r->request;
    size_t q = (size_t)p->part->outputs.count;
    for (int k = 0; k < asked->count; k++) {
        TRY(set_step_inputs(p, r, k, sign));
        TRY(do_step(p, asked->t + (k + 1) * asked->length, asked->length,
                    asked->manner == FMU_ROLLBACK_ALLOWED, answer + q * (size_t)k));
    }
    return FMI_OK;
}

/* Makes one run of a new instance: a first step with unchanged inputs, ignored because FMUs may keep initial
 * values until then, and the requested steps. FMU_ROLLBACK makes these twice from the same saved state, first
 * with the opposite change. `work`: three times the inputs. */
static fmi_status run_once(fmu_program *p, const fmu_request *asked, const double *numbers,
                           const double *change, double *answer, double *work) {
    int m = p->part->inputs.count;
    const response r = {asked, work + m, change, work, work + 2 * m};
    bool rolled = asked->manner == FMU_ROLLBACK;
    void *kept = NULL;
    TRY(instantiate_at(p, asked->t, numbers, work + m));
    TRY(do_step(p, asked->t, asked->length, asked->manner == FMU_ROLLBACK_ALLOWED, answer));
    if (rolled) TRY(program_save_state(p, &kept));
    if (rolled) TRY(do_steps(p, &r, -1, answer));
    if (rolled) TRY(program_restore_state(p, kept));
    TRY(do_steps(p, &r, 1, answer));
    return rolled ? program_free_state(p, &kept) : FMI_OK;
}

/* Makes one run of FMU_FROM_STATES: without change, with a change of a state, or of a column if run > states.
 * `work`: three times the inputs, the states, and the columns. */
static fmi_status run_from_state(fmu_program *p, const fmu_request *asked, const double *numbers, int run,
                                 double *answer, double *work) {
    const int n = p->part->own_states.count, m = p->part->inputs.count, columns = fmu_part_columns(p->part);
    const double *changes = numbers + p->part->starts.count + m;
    double *x = work + 3 * m, *one = x + n;
    const response r = {asked, work + m, one, work, work + 2 * m};
    TRY(begin_instance(p, asked->t, numbers, work + m));
    memset(one, 0, (size_t)columns * sizeof *one);
    if (run > n) one[run - n - 1] = changes[run - n - 1];
    if (run > 0 && run <= n) {
        TRY(program_get(p, &p->part->own_states, x));
        x[run - 1] += changes[columns + run - 1];
        TRY(program_set(p, &p->part->own_states, x));
    }
    TRY(program_exit_initialization(p));
    TRY(set_step_inputs(p, &r, 0, 1));
    TRY(do_step(p, asked->t, asked->length, false, answer + n));
    return program_get(p, &p->part->own_states, answer);
}

/* Makes all runs of FMU_RESPONSE. A run for a held input, with change 0, returns 0. */
static fmi_status serve_response(server *s, const fmu_request *asked) {
    fmu_program *p = &s->p;
    int columns = fmu_part_columns(p->part), m = p->part->inputs.count, status = FMI_OK, column;
    size_t size = (size_t)asked->count * (size_t)p->part->outputs.count;
    const double *change = s->asked + p->part->starts.count + m;
    double *one = s->work + 3 * m;
    p->board->run = 0;
    for (int r = 0; r < child_runs(p->part, asked) && asked->manner == FMU_FROM_STATES; r++) {
        const size_t each = (size_t)(p->part->own_states.count + p->part->outputs.count);
        p->board->run = r;
        TRY(run_from_state(p, asked, s->asked, r, s->answer + (size_t)r * each, s->work));
    }
    if (asked->manner == FMU_FROM_STATES) return FMI_OK;
    if (asked->manner != FMU_IMPULSE_PAIRS && asked->manner != FMU_IMPULSES_UP)
        return run_once(p, asked, s->asked, change, s->answer, s->work);
    for (int r = 0; r < child_runs(p->part, asked) && status == FMI_OK; r++) {
        memset(one, 0, (size_t)columns * sizeof *one);
        p->board->run = r;
        double now = child_impulse(asked, r, change, &column);
        if (column >= 0) one[column] = now;
        memset(s->answer + (size_t)r * size, 0, size * sizeof *s->answer);
        if (column < 0 || now != 0)
            status = run_once(p, asked, s->asked, one, s->answer + (size_t)r * size, s->work);
    }
    return status;
}

/* Answers FMU_STEP, a macro step of a simulation. A step from the time of the previous one replaces it; from
 * an earlier time it starts a new run. */
static fmi_status serve_step(server *s, const fmu_request *r) {
    fmu_program *p = &s->p;
    bool keeps = program_can_save_state(p), again = r->t == s->step_t;
    fmi_status status = FMI_OK;
    if (r->t < s->step_t) {
        if (s->state_before != NULL) status = program_free_state(p, &s->state_before);
        s->state_before = NULL;
        if (status == FMI_OK) status = instantiate_at(p, s->start_t, s->start_numbers, s->work);
    }
    if (again && !keeps) {
        p->fault = "cannot be set back, which an iteration needs (canGetAndSetFMUstate is false)";
        return FMI_ERROR;
    }
    if (status == FMI_OK && keeps)
        status = again && s->state_before != NULL ? program_restore_state(p, s->state_before)
                                                  : program_save_state(p, &s->state_before);
    s->step_t = r->t;
    TRY(status);
    TRY(program_set(p, &p->part->inputs, s->asked));
    if (fmu_part_inputs_can_rise(p->part))
        TRY(program_set_input_derivatives(p, s->asked + p->part->inputs.count));
    return do_step(p, r->t, r->length, false, s->answer);
}

/* Sets *event if an event indicator changed sign since the last call. */
static fmi_status detect_events(server *s, bool *event) {
    fmu_program *p = &s->p;
    if (p->indicators == 0) return FMI_OK;
    if (!memory_grows(&s->old_indicators, &s->old_capacity, 1 + p->indicators) ||
        !memory_grows(&s->indicators, &s->indicator_capacity, 1 + p->indicators))
        return FMI_ERROR;
    fmi_status status = program_get_indicators(p, s->indicators);
    for (size_t i = 0; i < p->indicators && status == FMI_OK; i++) {
        if (s->old_known && s->old_indicators[i] * s->indicators[i] < 0) *event = true;
        if (!s->old_known || s->indicators[i] != 0) s->old_indicators[i] = s->indicators[i];
    }
    s->old_known = true;
    return status;
}

/* Creates an instance with the numbers of the last FMU_START. */
static fmi_status instantiate_at_start(server *s) {
    const fmu_part *part = s->p.part;
    fmi_status status = instantiate_and_report(&s->p, s->start_t, s->start_numbers, s->answer);
    memcpy(s->held_inputs, s->answer + part->states.count,
           (size_t)part->inputs.count * sizeof *s->held_inputs);
    return status;
}

/* Gives a restarted simulation a new instance if events changed the old one. */
static fmi_status renew_after_events(server *s, double t) {
    if (!s->had_events || t != s->start_t) return FMI_OK;
    s->had_events = s->old_known = false;
    return instantiate_at_start(s);
}

static fmi_status serve_derivatives(server *s, double t) {
    bool event = false;
    TRY(renew_after_events(s, t));
    TRY(child_derivatives(&s->p, t, s->asked, s->answer));
    return s->old_known ? FMI_OK : detect_events(s, &event);
}

/* Answers FMU_ACCEPT, the end of a solver step: an event within the step is handled here, as in masters with
 * fixed steps. */
static fmi_status serve_accept(server *s, double t) {
    fmu_program *p = &s->p;
    const int n = p->part->states.count, m = p->part->inputs.count;
    const double *u = s->asked + n;
    bool event = t >= p->next, ended = false;
    fmi_status status = program_set_time(p, t);
    if (status == FMI_OK) status = program_set_states(p, s->asked);
    if (status == FMI_OK) status = program_set(p, &p->part->inputs, u);
    if (status == FMI_OK) status = program_completed_step(p, &event, &ended);
    if (status == FMI_OK) status = detect_events(s, &event);
    for (int i = 0; i < m; i++) {
        if (!p->part->inputs.held[i]) continue;
        event = event || u[i] != s->held_inputs[i];
        s->held_inputs[i] = u[i];
    }
    memcpy(s->answer, s->asked, (size_t)n * sizeof *s->answer);
    s->answer[n] = event;
    if (status == FMI_OK && event && !ended) status = program_enter_event_mode(p);
    if (status == FMI_OK && event && !ended) status = program_set(p, &p->part->inputs, u);
    if (status == FMI_OK && event && !ended) status = program_iterate_events(p, &ended);
    if (ended) p->fault = "requests the end of the simulation";
    if (ended) return FMI_ERROR;
    if (status == FMI_OK && event) status = program_get_states(p, s->answer);
    s->had_events = s->had_events || event;
    s->old_known = s->old_known && !event;
    bool quiet = false;
    return status == FMI_OK && event ? detect_events(s, &quiet) : status;
}

static fmi_status serve_request(server *s, const fmu_request *r) {
    fmu_program *p = &s->p;
    if (r->operation == FMU_START || r->operation == FMU_RESPONSE) {
        s->old_known = false;
        s->state_before = NULL; /* freed with its instance */
        s->step_t = -(double)INFINITY;
    }
    switch (r->operation) {
    case FMU_START:
        memcpy(s->start_numbers, s->asked, child_request_size(p->part, r) * sizeof *s->start_numbers);
        s->start_t = r->t;
        s->had_events = false;
        return instantiate_at_start(s);
    case FMU_DERIVATIVES:
        return serve_derivatives(s, r->t);
    case FMU_ACCEPT:
        return serve_accept(s, r->t);
    case FMU_JACOBIAN:
        return child_jacobian(p, r, s->asked, s->answer, s->work);
    case FMU_RESPONSE:
        return serve_response(s, r);
    case FMU_STEP:
        return serve_step(s, r);
    }
    return FMI_ERROR;
}

static bool grow_buffers(server *s, const fmu_request *r) {
    size_t inputs = (size_t)s->p.part->inputs.count,
           work = child_jacobian_work(&s->p) + 5 * inputs + (size_t)s->p.part->own_states.count;
    const fmu_request first = {.operation = FMU_START};
    size_t most = child_answer_size(s->p.part, &first), answer = child_answer_size(s->p.part, r);
    return memory_grows(&s->asked, &s->asked_capacity, 1 + child_request_size(s->p.part, r)) &&
           memory_grows(&s->answer, &s->answer_capacity, 1 + (answer > most ? answer : most)) &&
           memory_grows(&s->work, &s->work_capacity, 1 + work);
}

static const char no_memory[] = "has no memory left (--fmu-memory)";

/* Returns true if the memory limit may be the cause of a failure: another 64 MiB are unavailable. */
static bool memory_is_out(void) {
    void *volatile some = malloc((size_t)1 << 26); /* volatile prevents compilers from removing the call */
    bool out = some == NULL;
    free(some);
    return out;
}

/* Reads a request, serves it and answers. Returns false if the parent is gone, or if the FMU must not be
 * called again. */
static bool answer_request(server *s, int channel) {
    fmu_request request;
    fmu_answer answer = {.status = FMI_ERROR, .words = ""};
    if (!guard_get(channel, &request, sizeof request)) return false;
    if (!grow_buffers(s, &request)) {
        (void)snprintf(answer.words, sizeof answer.words, "%s", no_memory);
        (void)guard_put(channel, &answer, sizeof answer);
        return false;
    }
    if (!guard_get(channel, s->asked, child_request_size(s->p.part, &request) * sizeof *s->asked))
        return false;
    bool anew = request.operation == FMU_START || request.operation == FMU_RESPONSE;
    s->p.fault = NULL;
    if (s->p.component != NULL || anew) answer.status = serve_request(s, &request);
    if (s->p.fault == NULL && answer.status != FMI_OK && memory_is_out()) s->p.fault = no_memory;
    if (s->p.fault != NULL) (void)snprintf(answer.words, sizeof answer.words, "%s", s->p.fault);
    answer.used_up = anew && answer.status != FMI_OK && s->p.component == NULL && s->p.instances > 0;
    if (!guard_put(channel, &answer, sizeof answer)) return false;
    size_t size = child_answer_size(s->p.part, &request) * sizeof *s->answer;
    if (answer.status == FMI_OK && !guard_put(channel, s->answer, size)) return false;
    return answer.status != FMI_FATAL;
}

/* ---- The program ---- */

/* Moves the parent's terms out of the folder and maps the shared memory. Returns false on failure. */
static bool take_terms(int board, fmu_child *child, fmu_board **shared) {
    text_local bytes = {0};
    const size_t most = (size_t)1 << 30;
    void *mapped = mmap(NULL, sizeof **shared, PROT_READ | PROT_WRITE, MAP_SHARED, board, 0);
    (void)close(board);
    *shared = mapped;
    return mapped != MAP_FAILED && text_read_file(CHILD_TERMS, most, &bytes, NULL) == COSTAB_OK &&
           unlink(CHILD_TERMS) == 0 && child_take(&bytes, child);
}

/* Loads the FMU's program; the answer reports errors. */
static void open_program(server *s, const fmu_child *child, fmu_answer *answer) {
    const size_t starts = (size_t)child->part->starts.count, inputs = (size_t)child->part->inputs.count;
    s->start_numbers = memory_alloc(starts + 2 * inputs + 1, sizeof *s->start_numbers);
    answer->memory = s->start_numbers == NULL;
    if (answer->memory) return;
    s->held_inputs = s->start_numbers + starts + inputs;
    const char *fault = program_open(&s->p, child->folder, answer->words);
    if (fault != NULL && fault != answer->words)
        (void)snprintf(answer->words, sizeof answer->words, "%s", fault);
    answer->status = fault != NULL ? FMI_ERROR : FMI_OK;
    if (fault != NULL || s->p.fault == NULL) return;
    answer->status = FMI_FATAL;
    (void)snprintf(answer->words, sizeof answer->words, "when its program was loaded it %s", s->p.fault);
}

/* Keeper of an FMU's folder (unpacked.c): removes the folder after the end of the parent, repeatedly while
 * dying processes of the FMU still write there. */
static int keep_folder(int channel, char *folder) {
    const struct timespec pause = {.tv_nsec = 20000000};
    enum { TIMES = 500 };
    char byte;
    while (guard_get(channel, &byte, sizeof byte)) continue;
    for (int i = 0; i < TIMES && access(folder, F_OK) == 0; i++) {
        remains_remove(folder);
        (void)nanosleep(&pause, NULL);
    }
    return EXIT_SUCCESS;
}

/* main CHANNEL BOARD, or main CHANNEL keep FOLDER: descriptors. Unbuffered stdout preserves the FMU's output
 * in a crash. */
int main(int count, char **arguments) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    fmu_child child = {.part = NULL};
    server s = {.work = NULL};
    fmu_answer answer = {.status = FMI_ERROR, .memory = true};
    if (count != 3 && count != 4) return EXIT_FAILURE;
    const int channel = atoi(arguments[1]);
    if (count == 4) return keep_folder(channel, arguments[3]);
    (void)fcntl(channel, F_SETFD, FD_CLOEXEC);
    (void)setvbuf(stdout, NULL, _IONBF, 0);
    /* A crash of the FMU ends the process immediately, even with a sanitizer's handlers. */
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) (void)signal(crashes[i], SIG_DFL);
    guard_restart();
    if (take_terms(atoi(arguments[2]), &child, &s.p.board)) {
        child_get_guardian(channel);
        guard_memory(child.memory);
        s.p.part = child.part;
        s.p.accuracy = child.accuracy;
        s.p.resources = child.resources;
        open_program(&s, &child, &answer);
    }
    bool go = guard_put(channel, &answer, sizeof answer) && answer.status == FMI_OK;
    while (go) go = answer_request(&s, channel);
    _exit(EXIT_SUCCESS);
}
