/* The child process of an FMU: the only place where its program runs.
 *   1. The archive is unpacked into the folder, and the library of the platform loaded and instantiated.
 *   2. Requests are answered one after the other: starts, slopes, Jacobians, responses of its own steps.
 *   3. Between responses its state is set back, or it begins anew where it cannot be.
 * After a call that failed for good nothing more is called; the process ends with its parent. */
#define _GNU_SOURCE 1 /* RTLD_DEFAULT */
#include "fmu/child.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/guard.h"
#include "base/memory.h"
#include "base/remains.h"
#include "fmu/archive.h"

int child_runs(const fmu_part *part, const fmu_request *request) {
    if (request->operation != FMU_RESPONSE) return 1;
    if (request->manner == FMU_UP) return 1 + fmu_part_columns(part);
    return request->manner == FMU_EACH ? 2 * fmu_part_columns(part) : 1;
}

size_t child_asked(const fmu_part *part, const fmu_request *request) {
    size_t n = (size_t)part->states.count, m = (size_t)part->inputs.count, p = (size_t)part->starts.count;
    size_t columns = (size_t)fmu_part_columns(part);
    switch (request->operation) {
    case FMU_START:
        return p + m;
    case FMU_SLOPES:
    case FMU_ACCEPT:
        return n + m;
    case FMU_JACOBIAN:
        return 2 * n + m;
    case FMU_RESPONSE:
        return p + m + columns;
    case FMU_STEP:
        return columns;
    }
    return 0;
}

size_t child_answered(const fmu_part *part, const fmu_request *request) {
    size_t n = (size_t)part->states.count, m = (size_t)part->inputs.count, q = (size_t)part->outputs.count;
    switch (request->operation) {
    case FMU_START:
        return 2 * n + m + q;
    case FMU_SLOPES:
        return n + q;
    case FMU_ACCEPT:
        return n + 1;
    case FMU_JACOBIAN:
        return (n + q) * (n + m) + n + FMU_DOUBTS;
    case FMU_RESPONSE:
        return (size_t)child_runs(part, request) * (size_t)request->count * q;
    case FMU_STEP:
        return q;
    }
    return 0;
}

/* ---- The folder ---- */

static const char *unpack(const fmu_child *child, char words[FMU_WORDS_MAX], bool *memory) {
    costab_error error = {.status = COSTAB_OK};
    archive *a = NULL;
    costab_status status = archive_open(child->part->fmu->path, &a, &error);
    const char *binaries = description_folder(child->part->fmu->version);
    if (!status) status = archive_unpack(a, binaries, child->folder, &error);
    if (!status) status = archive_unpack(a, "resources/", child->folder, &error);
    archive_close(&a);
    if (!status && chdir(child->folder) == 0) return NULL;
    if (!status)
        status = error_set(&error, COSTAB_IO, "its folder '%s' cannot be entered: %s", child->folder,
                           strerror(errno));
    *memory = status == COSTAB_MEMORY;
    (void)snprintf(words, FMU_WORDS_MAX, "%.*s", FMU_WORDS_MAX - 1, error.message);
    return words;
}

/* ---- Requests ---- */

/* What the child has between requests. */
typedef struct server {
    fmu_program p;
    double *asked, *answer, *work; /* of the request at hand */
    size_t asked_room, answer_room, work_room;
    unsigned seconds;           /* a request that takes longer ends the process */
    double *signs, *indicators; /* event indicators where a simulation began, and now */
    size_t sign_room, indicator_room;
    bool signs_known, events; /* events: there were some since the start */
    double *first;            /* the numbers of the last FMU_START */
    double *held;             /* the inputs, as far as they are held, at the last event */
    double start_t;           /* and its time */
    double now;               /* FMU_STEP: the time of the last step; below the start: none */
    void *kept;               /* its state before that step; NULL: none */
} server;

static bool exchange(const fmu_program *p) {
    return p->part->kind == COSTAB_FMU_MODEL_EXCHANGE;
}

/* The inputs: the FMU's own where none are given. */
static int start_inputs(fmu_program *p, const double *given, double *inputs) {
    size_t m = (size_t)p->part->inputs.count;
    bool some = false;
    int status = program_get(p, &p->part->inputs, inputs);
    for (size_t i = 0; i < m; i++) {
        some = some || !isnan(given[i]);
        if (!isnan(given[i])) inputs[i] = given[i];
    }
    return status == FMI_OK && some ? program_set(p, &p->part->inputs, inputs) : status;
}

static int initialise(fmu_program *p, double t, const double *asked, double *inputs) {
    int status = program_enter(p, t);
    for (int i = 0; i < p->part->starts.count && status == FMI_OK; i++)
        status = program_set_start(p, i, asked[i]);
    if (status == FMI_OK) status = program_begin(p, t);
    if (status == FMI_OK) status = start_inputs(p, asked + p->part->starts.count, inputs);
    return status == FMI_OK ? program_begun(p) : status;
}

/* [out] inputs: m values; the rest of the answer to FMU_START where it is asked for. */
static int begin(fmu_program *p, double t, const double *asked, double *inputs) {
    program_free(p);
    p->board->said[0] = '\0';
    p->board->t = t;
    p->board->timed = true;
    int status = program_instantiate(p);
    return status == FMI_OK ? initialise(p, t, asked, inputs) : status;
}

static int start(fmu_program *p, double t, const double *asked, double *answer) {
    size_t n = (size_t)p->part->states.count, m = (size_t)p->part->inputs.count;
    bool ended = false, values;
    int status = begin(p, t, asked, answer + n);
    if (status == FMI_OK && exchange(p)) status = program_events(p, &ended, &values);
    if (ended) p->fault = "asks for the end of the simulation at its start";
    if (ended) return FMI_ERROR;
    if (status == FMI_OK && exchange(p)) status = program_get_states(p, answer);
    if (status == FMI_OK && exchange(p)) status = program_get_nominals(p, answer + n + m);
    for (size_t i = 0; i < n; i++) answer[n + m + i] = fabs(answer[n + m + i]);
    return status == FMI_OK ? program_get(p, &p->part->outputs, answer + 2 * n + m) : status;
}

/* A step that ends early, at `last`, goes on from there. */
static int take_step(fmu_program *p, double t, double length, bool goes_back, double *outputs) {
    enum { PARTS_MAX = 1000 };
    bool ended = false, going = true;
    double end = t + length;
    int status = FMI_OK;
    for (int i = 0; going && !ended && status == FMI_OK; i++) {
        double last = end;
        status = program_step(p, t, i == 0 ? length : end - t, !goes_back, &ended, &last);
        going = status == FMI_OK && last < end - 1e-12 * length;
        if (going && (!(last >= t) || i == PARTS_MAX)) p->fault = "ends its steps early without end";
        if (p->fault != NULL) return FMI_ERROR;
        t = last;
    }
    if (ended) p->fault = "asks for the end of the simulation";
    if (ended) return FMI_ERROR;
    return status == FMI_OK ? program_get(p, &p->part->outputs, outputs) : status;
}

double child_sign(int step, int input) {
    uint64_t x = ((uint64_t)(unsigned)step << 32 | (unsigned)input) + 1; /* SplitMix64 */
    x *= 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (x >> 63) != 0 ? 1 : -1;
}

/* A response under way. */
typedef struct response {
    const fmu_request *request;
    const double *base, *change; /* of the inputs; of all columns */
    double *inputs, *slopes;     /* now */
} response;

/* Sets the inputs of step k, where they are not those of the step before. */
static int lead(fmu_program *p, const response *r, int k, double sign) {
    const fmu_ports *in = &p->part->inputs;
    int at = r->request->at, m = in->count;
    bool shaken = r->request->manner == FMU_SHAKEN, now = shaken || k == at,
         lines = fmu_part_has_lines(p->part);
    if (!now && k != at + 1) return FMI_OK;
    for (int i = 0; i < fmu_part_columns(p->part); i++) {
        double change = now ? sign * r->change[i] * (shaken ? child_sign(k, i) : 1) : 0;
        if (i < m)
            r->inputs[i] = r->base[i] + change;
        else
            r->slopes[i - m] = change / r->request->length;
    }
    int status = program_set(p, in, r->inputs);
    return status == FMI_OK && lines ? program_set_slopes(p, r->slopes) : status;
}

static int take_steps(fmu_program *p, const response *r, double sign, double *answer) {
    const fmu_request *asked = r->request;
    size_t q = (size_t)p->part->outputs.count;
    int status = FMI_OK;
    for (int k = 0; k < asked->count && status == FMI_OK; k++) {
        status = lead(p, r, k, sign);
        if (status == FMI_OK)
            status = take_step(p, asked->t + (k + 1) * asked->length, asked->length,
                               asked->manner == FMU_MAY_GO_BACK, answer + q * (size_t)k);
    }
    return status;
}

/* The outputs behind each step; the first step, which settles what was cached, does not count. `work` has
 * room for the inputs three times. */
static int respond(fmu_program *p, const fmu_request *asked, const double *numbers, const double *change,
                   double *answer, double *work) {
    int m = p->part->inputs.count;
    const response r = {asked, work + m, change, work, work + 2 * m};
    bool rolled = asked->manner == FMU_ROLLED;
    void *kept = NULL;
    int status = begin(p, asked->t, numbers, work + m);
    if (status == FMI_OK)
        status = take_step(p, asked->t, asked->length, asked->manner == FMU_MAY_GO_BACK, answer);
    if (status == FMI_OK && rolled) status = program_keep(p, &kept);
    if (status == FMI_OK && rolled) status = take_steps(p, &r, -1, answer);
    if (status == FMI_OK && rolled) status = program_restore(p, kept);
    if (status == FMI_OK) status = take_steps(p, &r, 1, answer);
    return status == FMI_OK && rolled ? program_forget(p, &kept) : status;
}

double child_change(const fmu_request *request, int run, const double *change, int *column) {
    bool up = request->manner == FMU_UP;
    *column = up ? run - 1 : run / 2;
    if (*column < 0) return 0;
    return up || run % 2 == 0 ? change[*column] : -change[*column];
}

/* One run, or those of FMU_EACH and FMU_UP. */
static int serve_response(server *s, const fmu_request *asked) {
    fmu_program *p = &s->p;
    int columns = fmu_part_columns(p->part), m = p->part->inputs.count, status = FMI_OK, column;
    size_t size = (size_t)asked->count * (size_t)p->part->outputs.count;
    const double *change = s->asked + p->part->starts.count + m;
    double *one = s->work + 3 * m;
    p->board->run = 0;
    if (asked->manner != FMU_EACH && asked->manner != FMU_UP)
        return respond(p, asked, s->asked, change, s->answer, s->work);
    for (int r = 0; r < child_runs(p->part, asked) && status == FMI_OK; r++) {
        memset(one, 0, (size_t)columns * sizeof *one);
        p->board->run = r;
        double now = child_change(asked, r, change, &column);
        if (column >= 0) one[column] = now;
        memset(s->answer + (size_t)r * size, 0, size * sizeof *s->answer);
        if (column < 0 || now != 0) /* a held input has none */
            status = respond(p, asked, s->asked, one, s->answer + (size_t)r * size, s->work);
    }
    return status;
}

/* A step of a master: one from the same time takes back the one before. */
static int master_step(server *s, const fmu_request *r) {
    fmu_program *p = &s->p;
    bool keeps = program_keeps(p), again = r->t == s->now;
    int status = FMI_OK;
    if (r->t < s->now) { /* a new run */
        if (s->kept != NULL) status = program_forget(p, &s->kept);
        s->kept = NULL;
        if (status == FMI_OK) status = begin(p, s->start_t, s->first, s->work);
    }
    if (again && !keeps) {
        p->fault = "cannot be set back, which an iteration needs (canGetAndSetFMUstate is false)";
        return FMI_ERROR;
    }
    if (status == FMI_OK && keeps)
        status = again && s->kept != NULL ? program_restore(p, s->kept) : program_keep(p, &s->kept);
    s->now = r->t;
    if (status == FMI_OK) status = program_set(p, &p->part->inputs, s->asked);
    if (status == FMI_OK && fmu_part_has_lines(p->part))
        status = program_set_slopes(p, s->asked + p->part->inputs.count);
    return status == FMI_OK ? take_step(p, r->t, r->length, false, s->answer) : status;
}

static bool grow(double **block, size_t *room, size_t needed) {
    double *grown = memory_grow(*block, room, needed + 1, sizeof **block);
    if (grown != NULL) *block = grown;
    return grown != NULL;
}

/* Whether an event indicator has another sign than at the step before. */
static int watch_events(server *s, bool *event) {
    fmu_program *p = &s->p;
    if (p->indicators == 0) return FMI_OK;
    if (!grow(&s->signs, &s->sign_room, p->indicators) ||
        !grow(&s->indicators, &s->indicator_room, p->indicators))
        return FMI_ERROR;
    int status = program_get_indicators(p, s->indicators);
    for (size_t i = 0; i < p->indicators && status == FMI_OK; i++) {
        if (s->signs_known && s->signs[i] * s->indicators[i] < 0) *event = true;
        if (!s->signs_known || s->indicators[i] != 0) s->signs[i] = s->indicators[i];
    }
    s->signs_known = true;
    return status;
}

static int begin_at(server *s) {
    const fmu_part *part = s->p.part;
    int status = start(&s->p, s->start_t, s->first, s->answer);
    memcpy(s->held, s->answer + part->states.count, (size_t)part->inputs.count * sizeof *s->held);
    return status;
}

/* A run that begins anew behind events has an instance of its own. */
static int restart(server *s, double t) {
    if (!s->events || t != s->start_t) return FMI_OK;
    s->events = s->signs_known = false;
    return begin_at(s);
}

static int serve_slopes(server *s, double t) {
    int status = restart(s, t);
    bool event = false;
    if (status == FMI_OK) status = child_slopes(&s->p, t, s->asked, s->answer);
    return status == FMI_OK && !s->signs_known ? watch_events(s, &event) : status;
}

/* Events are taken at the end of the step in which they happen, as masters with fixed steps do. */
static int serve_accept(server *s, double t) {
    fmu_program *p = &s->p;
    const int n = p->part->states.count, m = p->part->inputs.count;
    const double *u = s->asked + n;
    bool event = t >= p->next, ended = false, values = false;
    int status = program_set_time(p, t);
    if (status == FMI_OK) status = program_set_states(p, s->asked);
    if (status == FMI_OK) status = program_set(p, &p->part->inputs, u);
    if (status == FMI_OK) status = program_completed(p, &event, &ended);
    if (status == FMI_OK) status = watch_events(s, &event);
    for (int i = 0; i < m; i++) {
        if (!p->part->inputs.held[i]) continue;
        event = event || u[i] != s->held[i];
        s->held[i] = u[i];
    }
    memcpy(s->answer, s->asked, (size_t)n * sizeof *s->answer);
    s->answer[n] = event;
    if (status == FMI_OK && event && !ended) status = program_enter_event(p);
    if (status == FMI_OK && event && !ended) status = program_set(p, &p->part->inputs, u);
    if (status == FMI_OK && event && !ended) status = program_events(p, &ended, &values);
    if (ended) p->fault = "asks for the end of the simulation";
    if (ended) return FMI_ERROR;
    if (status == FMI_OK && event) status = program_get_states(p, s->answer);
    s->events = s->events || event;
    s->signs_known = s->signs_known && !event;
    bool quiet = false;
    return status == FMI_OK && event ? watch_events(s, &quiet) : status;
}

static int serve(server *s, const fmu_request *r) {
    fmu_program *p = &s->p;
    if (r->operation == FMU_START || r->operation == FMU_RESPONSE) {
        s->signs_known = false;
        s->kept = NULL; /* gone with its instance */
        s->now = -(double)INFINITY;
    }
    switch (r->operation) {
    case FMU_START:
        memcpy(s->first, s->asked, child_asked(p->part, r) * sizeof *s->first);
        s->start_t = r->t;
        s->events = false;
        return begin_at(s);
    case FMU_SLOPES:
        return serve_slopes(s, r->t);
    case FMU_ACCEPT:
        return serve_accept(s, r->t);
    case FMU_JACOBIAN:
        return child_jacobian(p, r->t, s->asked, s->answer, s->work);
    case FMU_RESPONSE:
        return serve_response(s, r);
    case FMU_STEP:
        return master_step(s, r);
    }
    return FMI_ERROR;
}

static bool make_room(server *s, const fmu_request *r) {
    size_t inputs = (size_t)s->p.part->inputs.count, work = child_jacobian_work(&s->p) + 5 * inputs;
    const fmu_request first = {.operation = FMU_START};
    size_t most = child_answered(s->p.part, &first), answer = child_answered(s->p.part, r);
    return grow(&s->asked, &s->asked_room, child_asked(s->p.part, r)) &&
           grow(&s->answer, &s->answer_room, answer > most ? answer : most) &&
           grow(&s->work, &s->work_room, work);
}

static const char no_memory[] = "has no memory left (--fmu-memory)";

/* Whether a failure may be owed to the limit. */
static bool memory_is_out(void) {
    void *volatile some = malloc((size_t)1 << 26); /* else compilers leave it out, and take it as had */
    bool out = some == NULL;
    free(some);
    return out;
}

/* False where the parent has gone, or nothing may be called any more. */
static bool answer_one(server *s, int channel) {
    fmu_request request;
    fmu_answer answer = {.status = FMI_ERROR, .words = ""};
    if (!guard_get(channel, &request, sizeof request)) return false;
    if (!make_room(s, &request)) {
        (void)snprintf(answer.words, sizeof answer.words, "%s", no_memory);
        (void)guard_put(channel, &answer, sizeof answer);
        return false;
    }
    if (!guard_get(channel, s->asked, child_asked(s->p.part, &request) * sizeof *s->asked)) return false;
    bool start = request.operation == FMU_START || request.operation == FMU_RESPONSE;
    s->p.fault = NULL;
    (void)alarm(s->seconds *
                (unsigned)child_runs(s->p.part, &request)); /* should the parent be gone by then */
    if (s->p.component != NULL || start) answer.status = serve(s, &request);
    (void)alarm(0);
    if (s->p.fault == NULL && answer.status != FMI_OK && memory_is_out()) s->p.fault = no_memory;
    if (s->p.fault != NULL) (void)snprintf(answer.words, sizeof answer.words, "%s", s->p.fault);
    answer.spent = start && answer.status != FMI_OK && s->p.component == NULL && s->p.instances > 0;
    if (!guard_put(channel, &answer, sizeof answer)) return false;
    size_t size = child_answered(s->p.part, &request) * sizeof *s->answer;
    if (answer.status == FMI_OK && !guard_put(channel, s->answer, size)) return false;
    return answer.status != FMI_FATAL;
}

/* What the parent has not written yet leads nowhere; what the FMU prints is seen at once. The C library's
 * stream is asked for by its name: this library writes to none. */
static void open_output(void) {
    FILE **stream = dlsym(RTLD_DEFAULT, "stdout");
    int seen = dup(STDOUT_FILENO), nothing = file_open("/dev/null", O_WRONLY);
    if (stream != NULL && seen >= 0 && nothing >= 0) {
        (void)dup2(nothing, STDOUT_FILENO);
        (void)fflush(*stream);
        (void)setvbuf(*stream, NULL, _IONBF, 0);
        (void)dup2(seen, STDOUT_FILENO);
    }
    if (seen >= 0) (void)close(seen);
    if (nothing >= 0) (void)close(nothing);
}

void child_live(int channel, void *context) {
    const fmu_child *child = context;
    server s = {.p = {.part = child->part, .board = child->board}, .seconds = child->seconds + 5};
    fmu_answer answer = {.status = FMI_OK};
    (void)fesetenv(FE_DFL_ENV);
    (void)uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)); /* it ends with this process */
    open_output();
    guard_memory(child->memory);
    const char *fault = unpack(child, answer.words, &answer.memory);
    if (fault == NULL) fault = program_open(&s.p, child->folder, answer.words);
    const size_t starts = (size_t)child->part->starts.count, inputs = (size_t)child->part->inputs.count;
    s.first = memory_alloc(starts + 2 * inputs + 1, sizeof *s.first);
    if (s.first != NULL) s.held = s.first + starts + inputs;
    if (fault == NULL && (s.first == NULL || s.p.resources == NULL)) fault = "memory is out";
    if (s.first == NULL || (s.p.resources == NULL && !answer.memory && answer.words[0] == '\0'))
        answer.memory = true;
    if (fault != NULL) {
        answer.status = FMI_ERROR;
        if (fault != answer.words) (void)snprintf(answer.words, sizeof answer.words, "%s", fault);
    } else if (s.p.fault != NULL) {
        answer.status = FMI_FATAL;
        (void)snprintf(answer.words, sizeof answer.words, "when its program was loaded it %s", s.p.fault);
    }
    bool go = guard_put(channel, &answer, sizeof answer) && answer.status == FMI_OK;
    while (go) go = answer_one(&s, channel);
    remains_remove(child->folder);
}
