/* sweep/runner.h - the inside of a run: slots in a ring; tiles are taken, computed and packed by all threads,
 * and delivered in order by one at a time. */
#pragma once

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

#include "costab/sweep.h"

/* A tile on its way from the thread that computed it to where it is delivered. */
typedef struct slot {
    atomic_bool ready;
    costab_tile tile;
    costab_packed packed[COSTAB_FIELDS_MAX];
    costab_packed note; /* the tile's; size 0: none */
} slot;

/* What rank 0 knows of another rank. */
typedef struct runner_peer {
    size_t window;      /* how many tiles it may have at once */
    size_t outstanding; /* how many tiles it has */
} runner_peer;

typedef struct runner runner;
struct runner {
    const costab_plan *plan;
    const costab_evaluator *evaluator;
    const costab_sink *sink;
    const costab_run_options *options;
    size_t tiles;       /* how many the plan has */
    size_t first, last; /* the tiles first <= i < last are run; unused where rank 0 orders the tiles */
    int threads;        /* how many threads of this rank compute */
    atomic_int workers; /* how many have begun */
    size_t ring;
    slot *slots;        /* tile k uses slots[k % ring] */
    runner_peer *peers; /* on rank 0 of a team: one per rank */
    /* Positions in the sequence of this rank's tiles. Alone and on rank 0 they are numbers of the plan's
     * tiles; on other ranks they count the orders of rank 0. */
    atomic_size_t known;     /* tiles before this one may begin */
    atomic_size_t end;       /* the sequence ends before this one */
    atomic_size_t next;      /* the next tile to begin */
    atomic_size_t delivered; /* the next tile to be delivered */
    /* Delivers a tile: alone and on rank 0 any thread does, to the sink; on other ranks the messenger, to
     * rank 0. */
    costab_status (*deliver)(runner *r, slot *s, costab_error *error);
    bool any_thread_delivers;
    omp_lock_t delivering;
    pthread_mutex_t ending;
    pthread_cond_t over; /* the last tile is delivered, or the run has failed */
    atomic_llong asked;  /* when an evaluator's question last led to progress, in nanoseconds */
    atomic_flag claimed; /* by the first failure */
    atomic_int status;   /* its status, once `error` is written */
    costab_error error;
};

/* Room for one tile's values: one block per field. */
typedef struct runner_blocks {
    void *of[COSTAB_FIELDS_MAX];
    int worker; /* costab_tile.worker */
} runner_blocks;

bool runner_failed(const runner *r);

/* Ends the run where a call failed; the first failure is kept. */
void runner_check(runner *r, costab_status status, const costab_error *error);

/* Takes the next of this rank's tiles if it is known and has room in the ring. */
bool runner_take(runner *r, size_t *k);

/* How many values of a field a full tile has. */
size_t runner_block_values(const costab_plan *plan, int field);

costab_status runner_blocks_make(runner *r, runner_blocks *blocks, costab_error *error);
void runner_blocks_free(runner_blocks *blocks);

/* Takes a tile, computes and packs it; false where there is none at present. */
bool runner_step(runner *r, const runner_blocks *blocks);

/* What a thread does that only computes: tiles until there will be no more. */
void runner_work(runner *r);

/* Delivers the next tile if it is ready and no other thread is at it; false where it is not. */
bool runner_deliver(runner *r);

/* A delivery to the sink; tells of the progress. */
costab_status runner_commit(runner *r, slot *s, costab_error *error);

/* Gives progress a chance to cancel between deliveries. */
void runner_ask(runner *r);

/* Waits a little, longer from turn to turn: *idle counts those in which nothing happened. */
void runner_nap(unsigned *idle);

/* The messenger of a team: the thread that exchanges messages while others compute. `blocks`: where it is the
 * only thread and computes as well, else NULL. */
void runner_lead(runner *r, const runner_blocks *blocks);
void runner_follow(runner *r, const runner_blocks *blocks);

/* Rank 0, at the start: waits until every other rank is there with the same plan. [out] *threads: of all
 * ranks. */
costab_status runner_gather(runner *r, size_t *threads, costab_error *error);

/* The other ranks report to rank 0. */
costab_status runner_join(runner *r, costab_error *error);
