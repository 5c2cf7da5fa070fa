/* study/history_runner.h - runs of a network's time histories, cut into tiles.
 *
 * A tile is a piece of one coupling's run, and what a piece begins with is what the one before it ended with.
 * A run that has ended a piece therefore waits, as a runner, for the thread that takes the next one. Its
 * place is also noted with the tile, so that a sweep which continues from kept tiles need not begin at t = 0.
 */
#pragma once

#include "analysis/variant.h"
#include "network/history.h"
#include "study/study.h"

/* Axes of a history's plan. */
enum { HISTORY_COUPLING, HISTORY_STEP, HISTORY_SIGNAL, HISTORY_LOCAL };

/* What continues one coupling's run, from piece to piece. */
typedef struct runner {
    struct runner *next; /* of those that are idle */
    costab_model_instance *instance;
    costab_network_simulator *simulator;
    int64_t at; /* the communication point that it continues from; -1: it cannot continue */
    bool busy;
    const costab_tile *tile; /* at work on it */
    size_t *local;           /* micro steps so far, of each signal */
} runner;

typedef struct runner_pool runner_pool;

typedef struct network_history {
    costab_study base;
    analysis_variant variant;
    double until;
    bool local;
    const costab_history_steps *turns; /* those of model->history, or of who asks; borrowed */
    int turn_count;
    int signal_count;
    struct costab_network_signal *signals; /* bonds have subsystem -1 */
    /* Every signal of the network has a number: first_number[subsystem] and on, those of the bonds last. Of
     * each the first wanted signal that is this one, and of each wanted signal the next; -1: there is none.
     */
    int *first_number, *first_wanted, *next_wanted;
    runner_pool *pool;
} network_history;

/* The macro steps that a coupling takes in turn; NULL: all are its own. */
const costab_history_steps *history_turns(const network_history *h, size_t coupling);

/* [out] *pool: free with history_runners_free, also after an error. */
costab_status history_runners_create(runner_pool **pool, int couplings, costab_error *error);
void history_runners_free(runner_pool *pool);

/* Takes the runner of the tile's run, brought to the tile's first point. COSTAB_CANCELLED where the sweep
 * is stopped. */
costab_status history_runner_take(const network_history *h, const costab_tile *tile, runner **taken,
                                  costab_error *error);

/* Gives a runner back at the end of a tile, or (`status`) where it failed: no other run continues from there.
 * Returns status, or what went wrong here. */
costab_status history_runner_give(const network_history *h, const costab_tile *tile, runner *r,
                                  costab_status status, costab_error *error);

/* Notes why a coupling's run ended early. */
costab_status history_runner_ended(const network_history *h, size_t coupling, const char *reason,
                                   costab_error *error);

/* Who takes the saved_states of tiles back, which are their notes. */
costab_notes history_runner_notes(runner_pool *pool);
