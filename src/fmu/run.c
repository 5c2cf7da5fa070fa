/* The parent of an FMU's process: remote procedure calls over a pair of sockets.
 * 1. The first request starts the child (process.c, child.c) with limits on memory and time (base/guard.c),
 *    in a private folder inside that of the unpacked FMU (unpacked.c).
 * 2. Each request is sent with its numbers. The timeout for the answer restarts with each run of a request.
 * 3. If the child crashes or hangs, the message contains the signal, the current call and the FMU's last
 *    message, stored by the child in shared memory (fmu_board).
 * 4. If a process refuses further instances, a new process repeats the request.
 * The parent neither runs code of the FMU nor loads its libraries. */
#define _GNU_SOURCE 1 /* memfd_create */
#include "fmu/run.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/guard.h"
#include "base/memory.h"
#include "base/remains.h"
#include "base/text.h"
#include "fmu/unpacked.h"

#define TIMEOUT_USUAL 10.0
#define TIMEOUT_MAX   1e6

/* Per request, or per run of FMU_RESPONSE, in seconds. */
static double timeout = TIMEOUT_USUAL;

costab_status costab_fmu_set_timeout(double seconds, costab_error *error) {
    if (!(seconds > 0 && seconds <= TIMEOUT_MAX))
        return error_invalid(error, "a timeout of %g s is not above 0 and at most %g s", seconds,
                             TIMEOUT_MAX);
    timeout = seconds;
    return COSTAB_OK;
}

/* Per process, in bytes. */
static size_t memory = (size_t)4 << 30;

costab_status costab_fmu_set_memory(size_t bytes, costab_error *error) {
    const size_t least = (size_t)1 << 20;
    if (bytes < least)
        return error_invalid(error, "%zu bytes of memory are too few for an FMU: at least %zu", bytes, least);
    memory = bytes;
    return COSTAB_OK;
}

/* Models read from now on are run. */
static atomic_bool on = true;

void costab_fmu_set_running(bool running) {
    atomic_store(&on, running);
}

bool fmu_run_is_on(void) {
    return atomic_load(&on);
}

costab_status fmu_run_allowed(const char *name, costab_error *error) {
    const char *word = getenv("COSTAB_NO_FMU");
    if (word == NULL || word[0] == '\0' || strcmp(word, "0") == 0) return COSTAB_OK;
    return error_invalid(
        error,
        "its program in '%s' must run, but --no-fmu or the variable COSTAB_NO_FMU forbids it; remove that "
        "if you trust the FMU. costab info and costab import run no program",
        name);
}

/* Progress: called twice a second with the current call and its FMU. */
static void (*listener)(void *context, const char *words);
static void *listener_context;

void costab_fmu_set_listener(void (*hear)(void *context, const char *words), void *context) {
    listener = hear;
    listener_context = context;
}

/* A fixed-size file in memory shared by parent and child: the fmu_board, or the FMU's standard output
 * streams, cut when the file is full. */
#define PAGE      ((size_t)4096)
#define HEARD_MAX 300

typedef struct shared {
    int descriptor; /* -1: there is none */
    size_t size;
    void *bytes;
} shared;

struct fmu_run {
    const fmu_part *part;
    guard *guard;
    char *folder; /* of its process */
    shared noted;
    fmu_board *board;      /* in `noted` */
    bool timed_out;        /* its process was ended for lack of an answer */
    bool started;          /* FMU_START was requested in this process */
    bool limits_instances; /* a process creates a limited number of instances */
    shared written;        /* PAGE - 1 bytes, NUL-terminated by the zero rest of the page */
    char heard[HEARD_MAX]; /* its first lines */
};

static void close_shared(shared *s) {
    if (s->bytes != NULL) (void)munmap(s->bytes, s->size);
    if (s->descriptor >= 0) (void)close(s->descriptor);
    *s = (shared){.descriptor = -1};
}

static shared open_shared(size_t size) {
    shared s = {.descriptor = -1, .size = size};
#ifdef __linux__
    int made = memfd_create("costab", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    s.descriptor = made >= 0 ? fcntl(made, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    if (made >= 0) (void)close(made);
    bool fixed = s.descriptor >= 0 && ftruncate(s.descriptor, (off_t)size) == 0 &&
                 fcntl(s.descriptor, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) == 0;
    void *mapped = fixed ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, s.descriptor, 0) : MAP_FAILED;
    if (mapped != MAP_FAILED) s.bytes = mapped;
    if (s.bytes == NULL) close_shared(&s);
#endif
    return s;
}

static void clear_stream(const shared *s) {
    if (s->bytes == NULL) return;
    memset(s->bytes, 0, s->size);
    (void)lseek(s->descriptor, 0, SEEK_SET);
}

costab_status fmu_run_make(const fmu_part *part, fmu_run **run, costab_error *error) {
    TRY(memory_make(run, 1, error));
    **run =
        (fmu_run){.part = part, .noted = open_shared(sizeof(fmu_board)), .written = open_shared(PAGE - 1)};
    (*run)->board = (*run)->noted.bytes;
    if ((*run)->board != NULL) return COSTAB_OK;
    fmu_run_end(run);
    return error_memory(error);
}

static void close_child(fmu_run *run) {
    guard_end(&run->guard);
    if (run->folder != NULL) remains_remove(run->folder);
    memory_free(run->folder);
    run->folder = NULL;
    run->started = false;
}

void fmu_run_end(fmu_run **run) {
    if (run == NULL || *run == NULL) return;
    close_child(*run);
    close_shared(&(*run)->written);
    close_shared(&(*run)->noted);
    memory_free(*run);
    *run = NULL;
}

/* ---- Errors ---- */

static const char *signal_name(int number) {
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGSEGV, "SIGSEGV"}, {SIGFPE, "SIGFPE"},   {SIGABRT, "SIGABRT"}, {SIGILL, "SIGILL"},
                 {SIGBUS, "SIGBUS"},   {SIGKILL, "SIGKILL"}, {SIGALRM, "SIGALRM"}, {SIGTERM, "SIGTERM"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == number) return names[i].name;
    return "a signal";
}

/* Writes " in fmi2DoStep at t = 0.1". The child may write anything on the board. */
static void describe_call(const fmu_run *run, char *words, size_t size) {
    fmu_board board = *run->board;
    board.call[sizeof board.call - 1] = '\0';
    text_make_plain(board.call, sizeof board.call);
    int n = snprintf(words, size, " in %s", board.call);
    if (board.timed != 0 && n > 0 && (size_t)n < size)
        (void)snprintf(words + n, size - (size_t)n, " at t = %.9g", board.t);
}

/* Returns the first lines of the FMU's output, joined to one line. */
const char *fmu_run_output(fmu_run *run) {
    const char *page = run->written.bytes;
    char *words = run->heard;
    size_t used = 0;
    for (; page != NULL && used < HEARD_MAX - 1 && page[used] != '\0'; used++) {
        char c = page[used];
        words[used] = c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
    }
    while (used > 0 && words[used - 1] == ' ') used--;
    words[used] = '\0';
    text_make_plain(words, HEARD_MAX);
    return words;
}

/* Writes "; its last message: '...'", or the FMU's output instead. */
static void last_words(fmu_run *run, char *words, size_t size) {
    fmu_board board = *run->board;
    board.said[sizeof board.said - 1] = '\0';
    text_make_plain(board.said, sizeof board.said);
    words[0] = '\0';
    if (board.said[0] != '\0')
        (void)snprintf(words, size, "; its last message: '%s'", board.said);
    else if (fmu_run_output(run)[0] != '\0')
        (void)snprintf(words, size, "; it wrote: '%s'", run->heard);
}

#define PLACE_MAX (FMU_CALL_MAX + 64)
#define SAID_MAX  (FMU_WORDS_MAX + 32)

/* Reports a child that timed out, crashed or exited. */
static costab_status tell_end(fmu_run *run, guard_outcome outcome, int number, costab_error *error) {
    char place[PLACE_MAX], said[SAID_MAX];
    const char *name = run->part->name;
    describe_call(run, place, sizeof place);
    last_words(run, said, sizeof said);
    close_child(run);
    run->timed_out = outcome == GUARD_SILENT;
    if (run->timed_out)
        return error_set(error, COSTAB_NUMERIC, "%s: no answer within %g s%s (--fmu-timeout)%s", name,
                         timeout, place, said);
    if (outcome == GUARD_CRASHED)
        return error_set(error, COSTAB_NUMERIC, "%s: crashed (%s)%s%s", name, signal_name(number), place,
                         said);
    return error_set(error, COSTAB_NUMERIC, "%s: ended its process (exit status %d)%s%s", name, number, place,
                     said);
}

/* Reports an answer with a status other than OK. */
static costab_status tell_status(fmu_run *run, const fmu_answer *answer, costab_error *error) {
    static const char *const names[] = {"OK", "warning", "discard", "error", "fatal", "pending"};
    char place[PLACE_MAX], said[SAID_MAX], words[FMU_WORDS_MAX];
    describe_call(run, place, sizeof place);
    last_words(run, said, sizeof said);
    memcpy(words, answer->words, sizeof words);
    words[sizeof words - 1] = '\0';
    text_make_plain(words, sizeof words);
    if (words[0] != '\0')
        return error_set(error, COSTAB_NUMERIC, "%s:%s it %s%s", run->part->name, place, words, said);
    return error_set(error, COSTAB_NUMERIC, "%s: failed%s (%s)%s", run->part->name, place,
                     (unsigned)answer->status <= FMI_PENDING ? names[answer->status] : "?", said);
}

/* ---- The process ---- */

/* Sends (`from`) or receives (`to`) bytes, without a pause longer than `seconds`. */
static costab_status transfer(fmu_run *run, double seconds, void *to, const void *from, size_t size,
                              costab_error *error) {
    int number;
    if (size == 0) return COSTAB_OK;
    guard_outcome outcome = guard_move(run->guard, to, from, size, seconds, &number);
    return outcome == GUARD_DONE ? COSTAB_OK : tell_end(run, outcome, number, error);
}

/* Reports the current run or call to the listener. */
static void report_progress(const fmu_run *run, const fmu_request *request) {
    char place[PLACE_MAX], words[PLACE_MAX + FMU_WORDS_MAX];
    fmu_board board = *run->board;
    describe_call(run, place, sizeof place);
    if (request->operation == FMU_RESPONSE)
        (void)snprintf(
            words, sizeof words, "%.200s, H = %.9g: run %ld of %d, t = %.4g of %.4g", run->part->name,
            request->length, board.run + 1L, child_runs(run->part, request), board.t,
            request->t + (request->count + (request->manner != FMU_FROM_STATES)) * request->length);
    else
        (void)snprintf(words, sizeof words, "%.200s:%s", run->part->name, place);
    listener(listener_context, words);
}

/* Waits for an answer as long as each run stays within the timeout. Returns the time limit in seconds for its
 * transfer. */
static double await_answer(const fmu_run *run, const fmu_request *request) {
    const double slice = 0.5, least = 0.001;
    int runs = child_runs(run->part, request), at = run->board->run, changes = 0;
    if (listener != NULL && request->operation == FMU_RESPONSE) report_progress(run, request);
    for (double waited = 0; waited < timeout; waited += slice) {
        if (guard_ready(run->guard, fmin(slice, timeout - waited))) return timeout;
        if (run->board->run != at && changes++ < runs) waited = 0;
        at = run->board->run;
        if (listener != NULL) report_progress(run, request);
    }
    return least;
}

/* Starts the child, which answers after loading the FMU. */
static costab_status open_child(fmu_run *run, costab_error *error) {
    char said[SAID_MAX];
    fmu_answer answer;
    char *folder = NULL;
    *run->board = (fmu_board){.call = "(its process begins)"};
    TRY(fmu_run_allowed(run->part->name, error));
    TRY(unpacked_folder(run->part->unpacked, &folder, error));
    costab_status status = unpacked_make_folder(folder, "process", &run->folder, error);
    fmu_child child = {.part = run->part,
                       .board = run->noted.descriptor,
                       .accuracy = fmu_accuracy(run->part),
                       .folder = folder,
                       .own = run->folder,
                       .memory = memory};
    const guard_terms terms = {.writes = true,
                               .alone = true,
                               .group = true,
                               .guardian = true,
                               .output = run->written.descriptor,
                               .errors = run->written.descriptor,
                               .kept = run->noted.descriptor};
    clear_stream(&run->written);
    if (!status)
        status = guard_start(&terms, run->part->name, "costab", child_main, &child, &run->guard, error);
    if (!status) status = transfer(run, timeout, &answer, NULL, sizeof answer, error);
    if (status || answer.status == FMI_OK) {
        if (status) close_child(run);
        return status;
    }
    last_words(run, said, sizeof said);
    close_child(run);
    answer.words[sizeof answer.words - 1] = '\0';
    text_make_plain(answer.words, sizeof answer.words);
    if (answer.memory != 0) return error_memory(error);
    return error_set(error, answer.status == FMI_FATAL ? COSTAB_NUMERIC : COSTAB_INVALID, "%s: %s%s",
                     run->part->name, answer.words, said);
}

bool fmu_run_timed_out(const fmu_run *run) {
    return run->timed_out;
}

/* Makes one request. [out] *used_up: the process refuses further instances; a new process may help. */
static costab_status send_and_receive(fmu_run *run, const fmu_request *request, const double *asked,
                                      double *answered, bool *used_up, costab_error *error) {
    fmu_answer answer;
    run->board->run = 0;
    TRY(transfer(run, timeout, NULL, request, sizeof *request, error));
    size_t count = child_request_size(run->part, request);
    TRY(transfer(run, timeout, NULL, asked, count * sizeof *asked, error));
    TRY(transfer(run, await_answer(run, request), &answer, NULL, sizeof answer, error));
    if (answer.status != FMI_OK) {
        *used_up = answer.used_up != 0;
        costab_status status = tell_status(run, &answer, error);
        if (answer.status == FMI_FATAL) close_child(run);
        return status;
    }
    count = child_answer_size(run->part, request);
    return transfer(run, timeout, answered, NULL, count * sizeof *answered, error);
}

bool fmu_run_limits_instances(const fmu_run *run) {
    return run->limits_instances;
}

costab_status fmu_run_ask(fmu_run *run, const fmu_request *request, const double *asked, double *answered,
                          costab_error *error) {
    bool start = request->operation == FMU_START || request->operation == FMU_RESPONSE, used_up = false;
    run->timed_out = false;
    if (start && run->started && run->part->fmu->interfaces[run->part->kind].single_instance)
        close_child(run);
    if (run->guard == NULL && start) TRY(open_child(run, error));
    if (run->guard == NULL)
        return error_set(error, COSTAB_NUMERIC, "%s: it has failed before", run->part->name);
    if (start) run->started = true;
    costab_status status = send_and_receive(run, request, asked, answered, &used_up, error);
    if (!status || !used_up) return status;
    run->limits_instances = true; /* 50 with FMUs of Dymola 2020 */
    close_child(run);
    status = open_child(run, error);
    run->started = true;
    return status ? status : send_and_receive(run, request, asked, answered, &used_up, error);
}
