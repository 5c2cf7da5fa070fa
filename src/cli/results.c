#include "cli/results.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "costab/checkpoint.h"

/* One run: where its tiles go. */
typedef struct writing {
    const cli_write_options *options;
    const char *output;
    const costab_plan *plan;
    costab_checkpoint *checkpoint; /* NULL: none */
    costab_store *store;
    costab_sink sink; /* of the store */
    costab_notes notes;
    const char *identity; /* of the input, for other ranks */
    costab_evaluator evaluator;
} writing;

static bool on_progress(void *context, size_t done, size_t total) {
    progress_update((progress *)context, done, total);
    return signals_caught() != 0;
}

static costab_status open_checkpoint(writing *w, const costab_store_info *info, costab_error *error) {
    costab_checkpoint_key key = {
        .plan = w->plan, .info = info, .first = w->options->first, .last = w->options->last};
    if (!w->options->checkpoint) return COSTAB_OK;
    costab_status status = costab_checkpoint_open(
        w->output, &key, w->options->resume ? COSTAB_CHECKPOINT_RESUME : COSTAB_CHECKPOINT_NEW,
        &w->checkpoint, error);
    if (status) return status;
    costab_checkpoint_state state = costab_checkpoint_at(w->checkpoint);
    if (state.replaced > 0)
        fprintf(stderr, "%s: begins anew; with --resume it would have gone on after tile %zu of %zu\n",
                w->output, state.replaced, state.last);
    return COSTAB_OK;
}

static costab_status commit_again(void *context, const costab_tile *tile, int field,
                                  const costab_packed *packed, costab_error *error) {
    const costab_sink *sink = &((const writing *)context)->sink;
    if (signals_caught() != 0) return error_set(error, COSTAB_CANCELLED, "stopped");
    return sink->commit(sink->context, tile, field, packed, error);
}

/* The tiles that are kept go into the store; from then on both get every tile. */
static costab_status go_on(writing *w, costab_sink *sink, size_t *first, costab_error *error) {
    costab_sink again = {.context = w, .commit = commit_again};
    bool part = w->options->part;
    *sink = w->sink;
    *first = 0;
    if (w->checkpoint == NULL) return COSTAB_OK;
    costab_status status = costab_checkpoint_replay(w->checkpoint, part ? NULL : &again, &w->notes, error);
    if (status) return status;
    costab_checkpoint_state state = costab_checkpoint_at(w->checkpoint);
    *first = state.next;
    if (state.next > state.first || state.damaged)
        fprintf(stderr, "%s: goes on after tile %zu of %zu%s\n", w->output, state.next, state.last,
                state.damaged ? "; its checkpoint is cut short or damaged behind it" : "");
    return costab_checkpoint_sink(w->checkpoint, part ? NULL : &w->sink, &w->notes, sink, error);
}

static costab_status run(writing *w, costab_error *error) {
    costab_sink sink;
    size_t first, tiles, points;
    costab_status status = costab_plan_size(w->plan, &tiles, &points, error);
    if (!status) status = go_on(w, &sink, &first, error);
    if (status) return status;
    progress bar;
    progress_start(&bar, file_name(w->output), "points", (double)points / (double)tiles, w->options->quiet);
    costab_run_options options = {.threads = w->options->threads,
                                  .first = first,
                                  .last = w->options->last,
                                  .progress = on_progress,
                                  .progress_context = &bar,
                                  .team = w->options->team,
                                  .identity = w->identity,
                                  .notes = &w->notes};
    status = costab_run(w->plan, &w->evaluator, &sink, &options, error);
    progress_end(&bar);
    if (!status && w->checkpoint != NULL) status = costab_checkpoint_flush(w->checkpoint, error);
    return status;
}

/* What a run that ended early leaves, behind the message why it did. */
static void tell_kept(const writing *w, costab_error *error) {
    costab_checkpoint_state state = {.first = 0};
    if (w->checkpoint != NULL) {
        (void)costab_checkpoint_flush(w->checkpoint, NULL); /* the state says what is there */
        state = costab_checkpoint_at(w->checkpoint);
    }
    bool stopped = error->status == COSTAB_CANCELLED && signals_caught() != 0;
    size_t used = stopped ? 0 : strlen(error->message), room = sizeof error->message - used;
    char *more = error->message + used;
    if (state.next > state.first)
        snprintf(more, room,
                 "%s%zu of %zu tiles are kept in '%s': the same command with --resume goes on from there",
                 stopped ? "" : "; ", state.next, state.last, state.path);
    else if (stopped)
        snprintf(more, room, "nothing unfinished was kept");
}

static bool is_stopped(void *context, size_t done, size_t total) {
    (void)context;
    (void)done;
    (void)total;
    return signals_caught() != 0;
}

/* Another rank than 0: tiles are computed and packed for rank 0's file. */
static costab_status help(costab_study *study, const costab_store_info *info,
                          const cli_write_options *options, costab_error *error) {
    const costab_plan *plan = costab_study_plan(study);
    costab_packer *packer = NULL;
    costab_status status = costab_packer_create(plan, &packer, error);
    if (status) return status;
    signals_install();
    costab_evaluator evaluator = costab_study_evaluator(study);
    costab_notes notes = costab_study_notes(study);
    costab_sink sink = {.context = packer, .pack = costab_packer_pack};
    costab_run_options run = {.threads = options->threads,
                              .progress = is_stopped,
                              .team = options->team,
                              .identity = info->spec_text,
                              .notes = &notes};
    status = costab_run(plan, &evaluator, &sink, &run, error);
    costab_packer_destroy(&packer);
    return status;
}

/* Whether the part is there and whole. */
static bool is_finished(const writing *w) {
    costab_checkpoint *part;
    costab_error why;
    if (!w->options->part || !w->options->resume ||
        costab_checkpoint_read(w->output, &part, &why) != COSTAB_OK)
        return false;
    bool same = strcmp(costab_checkpoint_info(part)->spec_text, w->identity) == 0 &&
                costab_checkpoint_plan(part, w->plan, &why) == COSTAB_OK &&
                costab_checkpoint_replay(part, NULL, NULL, &why) == COSTAB_OK;
    costab_checkpoint_state state = costab_checkpoint_at(part);
    costab_checkpoint_close(&part, true);
    return same && state.first == w->options->first && state.last == w->options->last &&
           state.next == state.last && !state.damaged;
}

/* Nothing is left to do: the other ranks hear that, too. */
static costab_status leave_it(const writing *w, costab_error *error) {
    costab_run_options options = {.threads = 1,
                                  .first = w->options->last,
                                  .last = w->options->last,
                                  .team = w->options->team,
                                  .identity = w->identity};
    fprintf(stderr, "%s: is finished already\n", w->output);
    return costab_run(w->plan, &w->evaluator, &w->sink, &options, error);
}

static costab_status write_part(writing *w, costab_error *error) {
    costab_status status = run(w, error);
    if (!status) return costab_checkpoint_publish(&w->checkpoint, w->output, error);
    tell_kept(w, error);
    costab_checkpoint_close(&w->checkpoint, true);
    return status;
}

costab_status cli_write_results(costab_study *study, const costab_store_info *info, const char *output,
                                const cli_write_options *options, costab_error *error) {
    if (options->team != NULL && options->team->rank > 0) return help(study, info, options, error);
    costab_store_info about = *info;
    writing w = {.options = options,
                 .output = output,
                 .plan = costab_study_plan(study),
                 .identity = info->spec_text,
                 .evaluator = costab_study_evaluator(study),
                 .notes = options->checkpoint ? costab_study_notes(study) : (costab_notes){.context = NULL}};
    if (is_finished(&w)) return leave_it(&w, error);
    costab_status status = open_checkpoint(&w, info, error);
    if (status) return status;
    signals_install(); /* here they are asked for between tiles */
    if (options->part) return write_part(&w, error);
    about.alone = w.checkpoint != NULL && costab_checkpoint_at(w.checkpoint).locked;
    status = costab_store_create(output, w.plan, &about, &w.store, error);
    if (!status) {
        w.sink = costab_store_sink(w.store);
        status = run(&w, error);
    }
    if (!status)
        status = costab_store_publish(&w.store, error);
    else
        costab_store_discard(&w.store);
    if (status) tell_kept(&w, error);
    costab_checkpoint_close(&w.checkpoint, status);
    return status;
}

void cli_tell_failures(const char *path, const costab_study *study) {
    costab_error first;
    size_t tiles, points, failures = costab_study_failures(study, &first);
    if (failures > 0 && costab_plan_size(costab_study_plan(study), &tiles, &points, NULL) == COSTAB_OK)
        fprintf(stderr,
                "%s: warning: %zu of %zu points cannot be analysed (class failed); the first one: %s\n", path,
                failures, points, first.message);
}
