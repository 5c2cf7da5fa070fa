/* Ranks over MPI, the only file that calls MPI (make MPI=1); without it the program is alone.
 *   1. MPI is begun only where a launcher (mpirun, srun) has started the process.
 *   2. A message is sent without waiting; its bytes are kept until it has arrived. Messages are polled for
 *      with sleeps in between, as MPI's own waiting keeps a processor busy.
 *   3. At the end rank 0 tells the others to finish, and waits PATIENCE_SECONDS for them at most. */
#include "cli/ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "cli/signals.h"

/* The number that a launcher left in the environment; 0 if there is none. */
static int number_in(const char *name) {
    const char *value = getenv(name);
    long number = value != NULL ? strtol(value, NULL, 10) : 0;
    return number > 0 && number < 1 << 24 ? (int)number : 0;
}

const costab_team *ranks_team(const cli_ranks *ranks) {
    return ranks->team.size > 1 ? &ranks->team : NULL;
}

#ifdef COSTAB_MPI

#include <limits.h>
#include <mpi.h>

#include "sweep/message.h"

/* Kinds of messages at the end: rank 0 tells another to finish, which answers that it has. */
enum { FINISH = COSTAB_MESSAGE_FREE, FINISHED };

/* How long rank 0 waits for the others at the end, and how often it asks. */
#define PATIENCE_SECONDS 20
#define ASK_NANOSECONDS  500000

/* How often to ask whether a message has come in whole, and how long to wait for it after a signal:
 * launchers kill after a second. */
#define FETCH_NANOSECONDS 10000
#define DEAD_SECONDS      0.2

/* A message that is on its way; MPI needs its bytes until it has arrived. */
typedef struct sent_message {
    struct sent_message *next;
    MPI_Request request;
    unsigned char bytes[];
} sent_message;

struct ranks_mail {
    sent_message *sent; /* a list of those that may not have arrived yet */
    void *bytes;        /* of the message that was received last */
    size_t room;
};

/* Frees the messages that have arrived. */
static void free_arrived(struct ranks_mail *mail) {
    for (sent_message **at = &mail->sent; *at != NULL;) {
        sent_message *l = *at;
        int arrived = 0;
        MPI_Test(&l->request, &arrived, MPI_STATUS_IGNORE);
        if (!arrived) {
            at = &l->next;
            continue;
        }
        *at = l->next;
        memory_free(l);
    }
}

static costab_status send(void *context, int to, int kind, const void *bytes, size_t size,
                          costab_error *error) {
    struct ranks_mail *mail = context;
    if (size > INT_MAX) return error_invalid(error, "a tile is too large to be sent: over 2 GiB");
    sent_message *l = memory_alloc(1, sizeof *l + size);
    if (l == NULL) return error_memory(error);
    if (size > 0) memcpy(l->bytes, bytes, size);
    l->next = mail->sent;
    mail->sent = l;
    if (MPI_Isend(l->bytes, (int)size, MPI_BYTE, to, kind, MPI_COMM_WORLD, &l->request) != MPI_SUCCESS)
        return error_set(error, COSTAB_IO, "MPI cannot send to rank %d", to);
    return COSTAB_OK;
}

/* Gets a message that was announced. One from a rank that died since never comes: the launcher then ends the
 * job, with a signal first. */
static costab_status fetch(struct ranks_mail *mail, const MPI_Status *about, int size, costab_error *error) {
    MPI_Request request;
    int done = 0;
    double since = 0;
    if (MPI_Irecv(mail->bytes, size, MPI_BYTE, about->MPI_SOURCE, about->MPI_TAG, MPI_COMM_WORLD, &request) !=
        MPI_SUCCESS)
        return error_set(error, COSTAB_IO, "MPI cannot receive from rank %d", about->MPI_SOURCE);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&request, &done, MPI_STATUS_IGNORE)) {
        if (signals_caught() != 0 && since == 0) since = number_seconds();
        if (since > 0 && number_seconds() - since > DEAD_SECONDS)
            return error_set(error, COSTAB_CANCELLED, "rank %d is no more", about->MPI_SOURCE);
        nanosleep(&(struct timespec){.tv_nsec = FETCH_NANOSECONDS}, NULL);
    }
    return COSTAB_OK;
}

static costab_status receive(void *context, costab_message *message, costab_error *error) {
    struct ranks_mail *mail = context;
    MPI_Status about;
    int there = 0, size = 0;
    message->from = -1;
    free_arrived(mail);
    if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &about) != MPI_SUCCESS)
        return error_set(error, COSTAB_IO, "MPI cannot receive");
    if (!there) return COSTAB_OK;
    MPI_Get_count(&about, MPI_BYTE, &size);
    if ((size_t)size > mail->room) {
        void *bytes = memory_resize(mail->bytes, (size_t)size, 1);
        if (bytes == NULL) return error_memory(error);
        mail->bytes = bytes;
        mail->room = (size_t)size;
    }
    TRY(fetch(mail, &about, size, error));
    *message = (costab_message){
        .from = about.MPI_SOURCE, .kind = about.MPI_TAG, .bytes = mail->bytes, .size = (size_t)size};
    return COSTAB_OK;
}

/* Whether a launcher (mpirun, srun) started this process as one of a group that MPI can find. Without a
 * launcher MPI would start helpers of its own, which a program that runs alone does not need. */
static bool has_launcher(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (getenv(names[i]) != NULL) return true;
    return false;
}

costab_status ranks_start(cli_ranks *ranks, costab_error *error) {
    int given = MPI_THREAD_SINGLE, rank = 0, size = 1;
    *ranks = (cli_ranks){.mail = NULL};
    if (has_launcher()) {
        if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS ||
            given < MPI_THREAD_FUNNELED)
            return error_set(error, COSTAB_IO, "MPI cannot be started in a program with threads");
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    } else if (number_in("SLURM_STEP_NUM_TASKS") > 1)
        ranks->strangers = number_in("SLURM_STEP_NUM_TASKS");
    if (size < 2) return COSTAB_OK;
    TRY(memory_make(&ranks->mail, 1, error));
    ranks->team =
        (costab_team){.context = ranks->mail, .rank = rank, .size = size, .send = send, .receive = receive};
    return COSTAB_OK;
}

costab_status ranks_check(const cli_ranks *ranks, costab_error *error) {
    if (ranks->strangers < 2) return COSTAB_OK;
    return error_invalid(error,
                         "srun started %d tasks of this program, but MPI does not know of it, and "
                         "each would do the whole sweep: use `srun --mpi=pmix` or mpirun, or one task",
                         ranks->strangers);
}

void ranks_tell(const cli_ranks *ranks, costab_status status, const costab_error *error) {
    (void)message_failed(&ranks->team, status, error, NULL);
}

/* Takes whatever comes until `count` messages of this kind have come. */
static bool wait_for_messages(const costab_team *team, int kind, int count, double patience) {
    double until = number_seconds() + patience;
    while (count > 0) {
        costab_message m;
        if (team->receive(team->context, &m, NULL) != COSTAB_OK || number_seconds() > until) return false;
        if (m.from < 0) nanosleep(&(struct timespec){.tv_nsec = ASK_NANOSECONDS}, NULL);
        if (m.from >= 0 && m.kind == kind) count--;
    }
    return true;
}

static bool finish_together(const costab_team *team) {
    if (team->rank > 0) {
        (void)wait_for_messages(team, FINISH, 1, (double)INFINITY);
        return team->send(team->context, 0, FINISHED, NULL, 0, NULL) == COSTAB_OK;
    }
    message_over(team, COSTAB_CANCELLED); /* to those that are in a run still */
    for (int to = 1; to < team->size; to++) (void)team->send(team->context, to, FINISH, NULL, 0, NULL);
    return wait_for_messages(team, FINISHED, team->size - 1, PATIENCE_SECONDS);
}

bool ranks_end(cli_ranks *ranks) {
    int running = 0;
    bool all = ranks->mail == NULL || finish_together(&ranks->team);
    if (!all) return false;
    MPI_Initialized(&running);
    if (running) MPI_Finalize();
    for (sent_message *l = ranks->mail != NULL ? ranks->mail->sent : NULL, *next; l != NULL; l = next) {
        next = l->next;
        memory_free(l);
    }
    if (ranks->mail != NULL) memory_free(ranks->mail->bytes);
    memory_free(ranks->mail);
    ranks->mail = NULL;
    return true;
}

void ranks_abort(int status) {
    MPI_Abort(MPI_COMM_WORLD, status);
}

#else /* without MPI: alone, whatever the launcher meant */

costab_status ranks_start(cli_ranks *ranks, costab_error *error) {
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
    (void)error;
    *ranks = (cli_ranks){.mail = NULL};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        int tasks = number_in(names[i]); /* the first that is set decides: one launcher may start another */
        if (tasks == 0) continue;
        if (tasks > 1) ranks->strangers = tasks;
        break;
    }
    return COSTAB_OK;
}

costab_status ranks_check(const cli_ranks *ranks, costab_error *error) {
    if (ranks->strangers < 2) return COSTAB_OK;
    return error_invalid(error,
                         "this costab was built without MPI: each of %d ranks would do the whole "
                         "sweep. `make MPI=1` builds build-mpi/costab, whose ranks share it",
                         ranks->strangers);
}

void ranks_tell(const cli_ranks *ranks, costab_status status, const costab_error *error) {
    (void)ranks;
    (void)status;
    (void)error;
}

bool ranks_end(cli_ranks *ranks) {
    (void)ranks;
    return true;
}

void ranks_abort(int status) {
    exit(status);
}

#endif
