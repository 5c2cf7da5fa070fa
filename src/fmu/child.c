/* The child process of an FMU: the only place where its program runs. */
#include "fmu/child.h"

#include <fenv.h>
#include <ftw.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/guard.h"
#include "base/memory.h"
#include "base/text.h"
#include "fmu/archive.h"

size_t child_asked(const fmu_part *part, fmu_operation operation) {
    size_t n = (size_t)part->states.count, m = (size_t)part->inputs.count;
    switch (operation) {
    case FMU_START:
        return (size_t)part->starts.count + m;
    case FMU_SLOPES:
        return n + m;
    case FMU_JACOBIAN:
        return 2 * n + m;
    }
    return 0;
}

size_t child_answered(const fmu_part *part, fmu_operation operation) {
    size_t n = (size_t)part->states.count, m = (size_t)part->inputs.count, q = (size_t)part->outputs.count;
    switch (operation) {
    case FMU_START:
        return 2 * n + m;
    case FMU_SLOPES:
        return n + q;
    case FMU_JACOBIAN:
        return (n + q) * (n + m) + n + FMU_DOUBTS;
    }
    return 0;
}

/* ---- The folder ---- */

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place) {
    (void)about;
    (void)kind;
    (void)place;
    (void)remove(path);
    return 0;
}

void child_remove(const char *folder) {
    enum { DESCRIPTORS = 16 };
    (void)nftw(folder, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}

static const char *unpack(const fmu_child *child, char words[FMU_WORDS_MAX]) {
    costab_error error = {.status = COSTAB_OK};
    archive *a = NULL;
    costab_status status = archive_open(child->part->fmu->path, &a, &error);
    const char *binaries = description_folder(child->part->fmu->version);
    if (!status) status = archive_unpack(a, binaries, child->folder, &error);
    if (!status) status = archive_unpack(a, "resources/", child->folder, &error);
    archive_close(&a);
    if (!status && chdir(child->folder) == 0) return NULL;
    (void)snprintf(words, FMU_WORDS_MAX, "%.*s", FMU_WORDS_MAX - 1, error.message);
    return words;
}

/* ---- Requests ---- */

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

static int start(fmu_program *p, double t, const double *asked, double *answer) {
    size_t n = (size_t)p->part->states.count, m = (size_t)p->part->inputs.count;
    bool ended = false, values;
    program_free(p);
    p->board->said[0] = '\0';
    p->board->t = t;
    p->board->timed = true;
    int status = program_instantiate(p);
    if (status == FMI_OK) status = initialise(p, t, asked, answer + n);
    if (status != FMI_OK || !exchange(p)) return status;
    status = program_events(p, &ended, &values);
    if (ended) p->fault = "asks for the end of the simulation at its start";
    if (status == FMI_OK && !ended) status = program_get_states(p, answer);
    if (status == FMI_OK && !ended) status = program_get_nominals(p, answer + n + m);
    for (size_t i = 0; i < n; i++) answer[n + m + i] = fabs(answer[n + m + i]);
    return ended ? FMI_ERROR : status;
}

static int serve(fmu_program *p, const fmu_request *request, const double *asked, double *answer,
                 double *work) {
    switch (request->operation) {
    case FMU_START:
        return start(p, request->t, asked, answer);
    case FMU_SLOPES:
        return child_slopes(p, request->t, asked, answer);
    case FMU_JACOBIAN:
        return child_jacobian(p, request->t, asked, answer, work);
    }
    return FMI_ERROR;
}

/* Room for the largest request and its answer. */
typedef struct room {
    double *asked, *answer, *work;
} room;

static bool make_room(const fmu_program *p, room *r) {
    size_t asked = 1, answer = 1;
    for (int o = FMU_START; o <= FMU_JACOBIAN; o++) {
        size_t a = child_asked(p->part, o), b = child_answered(p->part, o);
        if (a > asked) asked = a;
        if (b > answer) answer = b;
    }
    r->asked = memory_alloc(asked, sizeof *r->asked);
    r->answer = memory_alloc(answer, sizeof *r->answer);
    r->work = memory_alloc(child_jacobian_work(p) + 1, sizeof *r->work);
    return r->asked != NULL && r->answer != NULL && r->work != NULL;
}

/* False where the parent has gone, or nothing may be called any more. */
static bool answer_one(fmu_program *p, int channel, const room *r) {
    fmu_request request;
    fmu_answer answer = {.status = FMI_OK};
    if (!guard_get(channel, &request, sizeof request)) return false;
    if (!guard_get(channel, r->asked, child_asked(p->part, request.operation) * sizeof *r->asked))
        return false;
    p->fault = NULL;
    if (p->component == NULL && request.operation != FMU_START)
        answer.status = FMI_ERROR;
    else
        answer.status = serve(p, &request, r->asked, r->answer, r->work);
    if (p->fault != NULL) (void)snprintf(answer.words, sizeof answer.words, "%s", p->fault);
    if (!guard_put(channel, &answer, sizeof answer)) return false;
    size_t size = child_answered(p->part, request.operation) * sizeof *r->answer;
    if (answer.status == FMI_OK && !guard_put(channel, r->answer, size)) return false;
    return answer.status != FMI_FATAL;
}

void child_live(int channel, void *context) {
    const fmu_child *child = context;
    fmu_program p = {.part = child->part, .board = child->board, .seconds = child->seconds + 5};
    fmu_answer answer = {.status = FMI_OK};
    room r = {NULL, NULL, NULL};
    (void)fesetenv(FE_DFL_ENV);
    (void)setlocale(LC_ALL, "C");
    const char *fault = unpack(child, answer.words);
    if (fault == NULL) fault = program_open(&p, child->folder, answer.words);
    if (fault == NULL && !make_room(&p, &r)) fault = "memory is out";
    if (fault != NULL) {
        answer.status = FMI_ERROR;
        if (fault != answer.words) (void)snprintf(answer.words, sizeof answer.words, "%s", fault);
    }
    bool go = guard_put(channel, &answer, sizeof answer) && answer.status == FMI_OK;
    while (go) go = answer_one(&p, channel, &r);
    child_remove(child->folder);
}
