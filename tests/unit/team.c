/* team.c - a run shared by several ranks: here the ranks are threads, and their messages go through
 * mailboxes. What rank 0 commits must be, byte for byte and in order, what a run alone commits, whatever the
 * number of ranks and threads; and a failure of any rank must end the run on all of them. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "costab/sweep.h"
#include "support/support.h"
#include "sweep/packed.h"

enum { RANKS_MAX = 4, SIDE_X = 37, SIDE_Y = 50 };

/* ---- A plan, what it computes, and a sink that keeps all that is committed ---- */

static double values_x[SIDE_X], values_y[SIDE_Y]; /* all 0: nothing depends on them */

static const costab_plan plan = {
    .axis_count = 2,
    .swept = 2,
    .axes = {{.name = "x", .count = SIDE_X, .values = values_x},
             {.name = "y", .count = SIDE_Y, .values = values_y}},
    .field_count = 3,
    .fields = {{.name = "codes", .type = COSTAB_U8, .rank = 2, .axes = {0, 1}},
               {.name = "numbers", .type = COSTAB_F64, .rank = 2, .axes = {0, 1}},
               {.name = "rows", .type = COSTAB_F64, .rank = 1, .axes = {0}}},
    .tile_shape = {2, 12},
};

typedef struct rank_state rank_state;

/* What makes a rank fail. */
typedef struct trouble {
    int rank; /* -1: none */
    enum { IN_EVALUATE, IN_PACK, IN_COMMIT, IN_PROGRESS, LATER, IN_KEY } where;
    size_t tile; /* from this one on; LATER, in progress: once rank 0 has committed so many fields, slowly */
} trouble;

static const trouble none = {.rank = -1};

typedef struct log {
    unsigned char *bytes;
    size_t size, commits;
} log;

struct rank_state {
    int rank, size, threads;
    trouble trouble;
    atomic_bool *happened; /* the trouble, on the rank that has it */
    atomic_size_t *kept;   /* commits of rank 0 */
    struct mailbox *boxes; /* one per rank */
    unsigned char *taken;  /* the message that was received last */
    log log;
    atomic_size_t noted; /* tiles with notes that were computed here */
    size_t notes;        /* that came from other ranks */
    int runs;
    bool team;
    costab_status status;
    costab_error error;
};

static bool troubled(const rank_state *r, int where, size_t tile) {
    bool now = r->trouble.rank == r->rank && (int)r->trouble.where == where && tile >= r->trouble.tile;
    if (now) atomic_store(r->happened, true);
    return now;
}

/* Other ranks leave the tiles with the trouble to the rank that has it. */
static void wait_for_trouble(const rank_state *r, size_t tile) {
    if (r->trouble.rank == r->rank || r->trouble.rank < 0 || r->trouble.where > IN_PACK ||
        tile < r->trouble.tile)
        return;
    while (!atomic_load(r->happened)) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static costab_status refuse(costab_error *error, const char *what) {
    error->status = COSTAB_NUMERIC;
    strcpy(error->message, what);
    return COSTAB_NUMERIC;
}

static costab_status evaluate(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    const rank_state *r = context;
    if (troubled(r, IN_EVALUATE, tile->index)) return refuse(error, "evaluate fails");
    wait_for_trouble(r, tile->index);
    /* tiles cost unequally, so that they come in another order than they go */
    nanosleep(&(struct timespec){.tv_nsec = (long)(tile->index * 7919 % 13) * 20000}, NULL);
    for (size_t i = 0; i < tile->count[0]; i++) {
        size_t x = tile->start[0] + i;
        if (blocks[2] != NULL) ((double *)blocks[2])[i] = (double)x / 3;
        for (size_t j = 0; j < tile->count[1]; j++) {
            size_t y = tile->start[1] + j, at = i * tile->count[1] + j;
            ((unsigned char *)blocks[0])[at] = (unsigned char)(x * y);
            ((double *)blocks[1])[at] = (double)x / (double)(y + 1);
        }
    }
    if (tile->index % 3 != 0) return COSTAB_OK;
    unsigned char note[50]; /* every third tile has one, of a length of its own */
    memset(note, (int)(tile->index % 251), sizeof note);
    return packed_set(tile->note, note, 1 + tile->index % 50, error);
}

/* Packed bytes are not as long as the block, and the sum matters. */
static costab_status pack(void *context, const costab_tile *tile, int field, const void *block,
                          costab_packed *packed, costab_error *error) {
    rank_state *r = context;
    if (troubled(r, IN_PACK, tile->index)) return refuse(error, "pack fails");
    if (field == 0 && tile->index % 3 == 0) atomic_fetch_add(&r->noted, 1);
    size_t size = costab_tile_values(&plan, field, tile) * costab_type_size(plan.fields[field].type);
    size = tile->index % 5 == 0 ? 0 : size / 2;
    if (packed->capacity < size) {
        packed->bytes = realloc(packed->bytes, size);
        packed->capacity = size;
    }
    if (size > 0) memcpy(packed->bytes, block, size);
    packed->size = size;
    packed->sum = (uint32_t)(tile->index * 3 + (size_t)field);
    return COSTAB_OK;
}

static void append(log *l, const void *bytes, size_t size) {
    if (size == 0) return;
    l->bytes = realloc(l->bytes, l->size + size);
    memcpy(l->bytes + l->size, bytes, size);
    l->size += size;
}

static costab_status commit(void *context, const costab_tile *tile, int field, const costab_packed *packed,
                            costab_error *error) {
    rank_state *r = context;
    if (troubled(r, IN_COMMIT, tile->index)) return refuse(error, "commit fails");
    append(&r->log, &tile->index, sizeof tile->index);
    append(&r->log, tile->start, sizeof tile->start);
    append(&r->log, tile->count, sizeof tile->count);
    append(&r->log, &field, sizeof field);
    append(&r->log, &packed->sum, sizeof packed->sum);
    append(&r->log, packed->bytes, packed->size);
    r->log.commits++;
    atomic_fetch_add(r->kept, 1);
    if (r->trouble.rank >= 0 && r->trouble.where == LATER)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return COSTAB_OK;
}

static bool progress(void *context, size_t done, size_t total) {
    const rank_state *r = context;
    (void)total;
    return troubled(r, IN_PROGRESS, done) || troubled(r, LATER, atomic_load(r->kept));
}

static costab_status give_note(void *context, const costab_tile *tile, const void *bytes, size_t size,
                               costab_error *error) {
    rank_state *r = context;
    if (r->rank != 0 || tile->index % 3 != 0 || size != 1 + tile->index % 50 ||
        *(const unsigned char *)bytes != tile->index % 251)
        return refuse(error, "a note of another tile");
    r->notes++;
    return COSTAB_OK;
}

/* ---- Mailboxes ---- */

typedef struct letter {
    struct letter *next;
    int from, kind;
    size_t size;
    unsigned char bytes[];
} letter;

typedef struct mailbox {
    pthread_mutex_t lock;
    letter *first, **last;
} mailbox;

static costab_status send(void *context, int to, int kind, const void *bytes, size_t size,
                          costab_error *error) {
    rank_state *r = context;
    (void)error;
    letter *l = malloc(sizeof *l + size);
    l->next = NULL;
    l->from = r->rank;
    l->kind = kind;
    l->size = size;
    if (size > 0) memcpy(l->bytes, bytes, size);
    mailbox *box = &r->boxes[to];
    pthread_mutex_lock(&box->lock);
    *box->last = l;
    box->last = &l->next;
    pthread_mutex_unlock(&box->lock);
    return COSTAB_OK;
}

static costab_status receive(void *context, costab_message *message, costab_error *error) {
    rank_state *r = context;
    mailbox *box = &r->boxes[r->rank];
    (void)error;
    free(r->taken);
    r->taken = NULL;
    message->from = -1;
    pthread_mutex_lock(&box->lock);
    letter *l = box->first;
    if (l != NULL) {
        box->first = l->next;
        if (box->first == NULL) box->last = &box->first;
    }
    pthread_mutex_unlock(&box->lock);
    if (l == NULL) return COSTAB_OK;
    r->taken = (unsigned char *)l;
    *message = (costab_message){.from = l->from, .kind = l->kind, .bytes = l->bytes, .size = l->size};
    return COSTAB_OK;
}

/* ---- Ranks ---- */

static void *rank_main(void *argument) {
    rank_state *r = argument;
    costab_team team = {.context = r, .rank = r->rank, .size = r->size, .send = send, .receive = receive};
    costab_evaluator evaluator = {.context = r, .evaluate = evaluate};
    costab_sink sink = {.context = r, .pack = pack, .commit = commit};
    costab_notes notes = {.context = r, .give = give_note};
    costab_run_options options = {.threads = r->threads,
                                  .progress = progress,
                                  .progress_context = r,
                                  .team = r->team ? &team : NULL,
                                  .identity = troubled(r, IN_KEY, 0) ? "one input" : "another input",
                                  .notes = &notes};
    for (int k = 0; k < r->runs && !r->status; k++)
        r->status = costab_run(&plan, &evaluator, &sink, &options, &r->error);
    return NULL;
}

typedef struct team_result {
    rank_state ranks[RANKS_MAX];
    int size;
} team_result;

static void run_team(team_result *t, int size, int threads, trouble with, int runs) {
    atomic_bool happened = false;
    atomic_size_t kept = 0;
    mailbox boxes[RANKS_MAX];
    pthread_t thread[RANKS_MAX];
    memset(t, 0, sizeof *t);
    t->size = size;
    for (int k = 0; k < size; k++) {
        pthread_mutex_init(&boxes[k].lock, NULL);
        boxes[k].first = NULL;
        boxes[k].last = &boxes[k].first;
        /* ranks need not have equally many threads */
        t->ranks[k] = (rank_state){.rank = k,
                                   .size = size,
                                   .threads = 1 + (threads - 1 + k) % 3,
                                   .trouble = with,
                                   .happened = &happened,
                                   .kept = &kept,
                                   .boxes = boxes,
                                   .runs = runs,
                                   .team = size > 1};
    }
    for (int k = 0; k < size; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, rank_main, &t->ranks[k]), 0);
    for (int k = 0; k < size; k++) assert_int_equal(pthread_join(thread[k], NULL), 0);
    for (int k = 0; k < size; k++) {
        for (letter *l = boxes[k].first, *next; l != NULL; l = next) {
            next = l->next;
            free(l);
        }
        free(t->ranks[k].taken);
        pthread_mutex_destroy(&boxes[k].lock);
    }
}

static void free_team(team_result *t) {
    for (int k = 0; k < t->size; k++) free(t->ranks[k].log.bytes);
}

static size_t tiles(void) {
    size_t count, points;
    check_ok(costab_plan_size(&plan, &count, &points, &why));
    return count;
}

/* ---- Tests ---- */

TEST(all_ranks_commit_what_one_does) {
    team_result alone;
    run_team(&alone, 1, 2, none, 2);
    assert_int_equal(alone.ranks[0].status, COSTAB_OK);
    /* rows: only the first tile along y carries them */
    assert_int_equal(alone.ranks[0].log.commits, 2 * (2 * tiles() + (SIDE_X + 1) / 2));
    for (int size = 2; size <= RANKS_MAX; size++)
        for (int threads = 1; threads <= 3; threads++) {
            team_result t;
            run_team(&t, size, threads, none, 2);
            for (int k = 0; k < size; k++) assert_int_equal(t.ranks[k].status, COSTAB_OK);
            for (int k = 1; k < size; k++) assert_int_equal(t.ranks[k].log.commits, 0);
            size_t computed = t.ranks[0].noted; /* by rank 0 itself: nobody gives those back */
            assert_int_equal(t.ranks[0].notes + computed, 2 * ((tiles() + 2) / 3));
            assert_int_equal(t.ranks[0].log.size, alone.ranks[0].log.size);
            assert_memory_equal(t.ranks[0].log.bytes, alone.ranks[0].log.bytes, alone.ranks[0].log.size);
            free_team(&t);
        }
    free_team(&alone);
}

/* Rank 0 has the message; the others end as well, and what was committed is the beginning of the whole. */
static void check_failure(trouble with, costab_status status, const char *message) {
    team_result alone, t;
    run_team(&alone, 1, 1, none, 1);
    run_team(&t, 3, 2, with, 1);
    assert_int_equal(t.ranks[0].status, status);
    assert_non_null(strstr(t.ranks[0].error.message, message));
    for (int k = 1; k < 3; k++)
        assert_int_equal(t.ranks[k].status,
                         k == with.rank && with.where != IN_KEY ? status : COSTAB_CANCELLED);
    assert_true(t.ranks[0].log.size < alone.ranks[0].log.size);
    if (t.ranks[0].log.size > 0)
        assert_memory_equal(t.ranks[0].log.bytes, alone.ranks[0].log.bytes, t.ranks[0].log.size);
    free_team(&t);
    free_team(&alone);
}

TEST(a_failure_anywhere_ends_all) {
    size_t half = tiles() / 2;
    for (int rank = 0; rank < 3; rank++) {
        check_failure((trouble){rank, IN_EVALUATE, half}, COSTAB_NUMERIC, "evaluate fails");
        check_failure((trouble){rank, IN_PACK, 0}, COSTAB_NUMERIC, "pack fails");
    }
    check_failure((trouble){0, IN_COMMIT, half}, COSTAB_NUMERIC, "commit fails");
}

TEST(a_failure_names_its_rank) {
    check_failure((trouble){2, IN_EVALUATE, 0}, COSTAB_NUMERIC, "rank 2: evaluate fails");
}

TEST(any_rank_can_cancel) {
    for (int rank = 0; rank < 3; rank++)
        check_failure((trouble){rank, IN_PROGRESS, 0}, COSTAB_CANCELLED, "stopped");
}

/* All tiles wait for a slow sink when a rank fails, so that its word overtakes them: rank 0 listens between
 * any two. */
TEST(a_slow_sink_does_not_delay_a_word) {
    for (int round = 0; round < 8; round++)
        for (int rank = 1; rank < 3; rank++)
            check_failure((trouble){rank, LATER, 6}, COSTAB_CANCELLED, "stopped");
}

TEST(ranks_must_agree) {
    check_failure((trouble){1, IN_KEY, 0}, COSTAB_INVALID, "rank 1 has read another input");
}
