/* Runs a study into a results file, or into a slice of it for costab merge.
 *   1. A log of finished tiles is opened. To resume, it is the log of the stopped run, and its valid tiles
 *      are read again.
 *   2. The missing tiles are computed on several threads (sweep/run.c) and appended in their order.
 *   3. The complete log is copied into the results file. For a slice it is renamed instead.
 *
 * Without a log, and for merged slices, the tiles go directly into the results file. If the results exist and
 * are up to date, nothing is computed, unless `force`. Points of the class SS and failed points are counted
 * during the run, and the counts are stored after the tile's note. If all points fail, no results file is
 * written; slices are written in any case. With a log, an interruption at any moment leaves complete tiles.
 * The same command with `resume` continues with them; the file is then identical byte for byte to that of an
 * uninterrupted run. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "store/log.h"
#include "store/store.h"
#include "study/create.h"
#include "study/study.h"
#include "sweep/packed.h"
#include "sweep/run.h"

/* One run: source and destination of its tiles. */
typedef struct writing {
    costab_study *study;
    const costab_study_run_options *options;
    const char *output;
    const costab_plan *plan;
    const costab_store_info *info;
    costab_evaluator evaluator;    /* the study's evaluator, with counting of classes */
    int class_field;               /* field of classes over all swept axes; -1: none */
    bool refused;                  /* all points failed */
    size_t first, step;            /* runs the tiles first, first + step and so on */
    bool logged;                   /* finished tiles are logged */
    costab_checkpoint *checkpoint; /* NULL: without log */
    costab_store *store;           /* NULL: with log */
    costab_sink sink;              /* of checkpoint or store */
    bool cancelled;                /* by progress */
} writing;

static bool ask_progress(void *context, size_t done, size_t total) {
    writing *w = context;
    if (w->options->progress != NULL && w->options->progress(w->options->context, done, total))
        w->cancelled = true;
    return w->cancelled;
}

static void report_start(const writing *w, costab_study_start start) {
    if (w->options->started != NULL) w->options->started(w->options->context, &start);
}

/* ---- Counting ---- */

/* Number of points of a tile with the class SS, and with the class `failed`; stored after the tile's note. */
typedef struct tally {
    uint64_t stable, failed;
} tally;

static size_t count_code(const uint8_t *codes, size_t count, uint8_t code) {
    size_t sum = 0;
    for (size_t i = 0; i < count; i += 128) { /* counts in bytes, of which many fit into a vector register */
        const size_t end = count - i < 128 ? count : i + 128;
        uint8_t some = 0;
        for (size_t k = i; k < end; k++) some = (uint8_t)(some + (codes[k] == code));
        sum += some;
    }
    return sum;
}

static void add_tally(costab_study *study, tally t) {
    atomic_fetch_add(&study->stable, (size_t)t.stable);
    atomic_fetch_add(&study->failed, (size_t)t.failed);
}

/* Evaluates a tile, counts its classes and appends the tally to its note. */
static costab_status evaluate(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    const writing *w = context;
    const costab_evaluator of_study = costab_study_evaluator(w->study);
    TRY(of_study.evaluate(of_study.context, tile, blocks, error));
    if (w->class_field < 0) return COSTAB_OK;
    const size_t count = costab_tile_values(w->plan, w->class_field, tile);
    const uint8_t *codes = blocks[w->class_field];
    const tally t = {count_code(codes, count, COSTAB_SS), count_code(codes, count, COSTAB_CLASS_FAILED)};
    add_tally(w->study, t);
    const size_t used = tile->note->size;
    TRY(packed_size(tile->note, used + sizeof t, error));
    memcpy((char *)tile->note->bytes + used, &t, sizeof t);
    return COSTAB_OK;
}

/* Adds the tally of a stored tile, and passes the rest of its note to the study (costab_notes.give). */
static costab_status give_note(void *context, const costab_tile *tile, const void *bytes, size_t size,
                               costab_error *error) {
    const writing *w = context;
    const costab_notes notes = costab_study_notes(w->study);
    if (w->class_field >= 0) {
        tally t;
        if (size < sizeof t)
            return error_invalid(error, "tile %zu has a note that is too short", tile->index);
        size -= sizeof t;
        memcpy(&t, (const char *)bytes + size, sizeof t);
        add_tally(w->study, t);
    }
    return size > 0 && notes.give != NULL ? notes.give(notes.context, tile, bytes, size, error) : COSTAB_OK;
}

/* Refuses a grid with failed points only. If classes are not stored, a point also counts as failed if only
 * its runs, samples or comparison failed. The grid is then refused only if it has no other fields or only
 * such. */
static costab_status check_points(writing *w, costab_error *error) {
    const costab_study *study = w->study;
    const unsigned fields = study->spec != NULL ? study->spec->fields : 0,
                   more = COSTAB_NETWORK_OF_RUN | COSTAB_NETWORK_OF_SAMPLES | COSTAB_NETWORK_OF_BEST |
                          COSTAB_NETWORK_PATTERN_RADIUS;
    size_t tiles, points;
    TRY(costab_plan_size(w->plan, &tiles, &points, error));
    if (study->report == NULL || study->report->failures == 0) return COSTAB_OK;
    if (w->class_field >= 0)
        w->refused = atomic_load(&study->failed) == points;
    else
        w->refused = study->report->failures == points && ((fields & more) == 0 || (fields & ~more) == 0);
    if (!w->refused) return COSTAB_OK;
    return error_invalid(error, "none of the %zu points can be analysed; the first one: %s", points,
                         study->report->failure.message);
}

/* ---- Writing ---- */

static costab_run_options run_options(writing *w) {
    return (costab_run_options){.threads = w->options->threads,
                                .first = w->first,
                                .step = w->step,
                                .progress = ask_progress,
                                .progress_context = w};
}

/* Passes a field of a tile in the log, or in a slice, to the file as if it had been computed. */
static costab_status commit_kept(void *context, const costab_tile *tile, int field,
                                 const costab_packed *packed, costab_error *error) {
    writing *w = context;
    if (ask_progress(w, 0, 1)) return error_set(error, COSTAB_CANCELLED, "stopped");
    return w->sink.commit ? w->sink.commit(w->sink.context, tile, field, packed, error) : COSTAB_OK;
}

/* Reads the stored tiles; the missing tiles are computed next. */
static costab_status replay_kept_tiles(writing *w, costab_error *error) {
    const costab_sink again = {.context = w, .commit = commit_kept};
    const costab_notes notes = {w, give_note};
    TRY(costab_checkpoint_replay(w->checkpoint, &again, &notes, error));
    costab_checkpoint_state state = costab_checkpoint_at(w->checkpoint);
    report_start(w, (costab_study_start){.replaced = state.replaced,
                                         .resumed = state.done > 0 || state.damaged,
                                         .done = state.done,
                                         .count = state.count,
                                         .damaged = state.damaged});
    w->first += state.done * w->step;
    return COSTAB_OK;
}

/* Runs a study with a log. */
static costab_status write_by_log(writing *w, costab_error *error) {
    costab_checkpoint_key key = {.plan = w->plan, .info = w->info, .first = w->first, .step = w->step};
    TRY(costab_checkpoint_open(w->output, &key,
                               w->options->resume ? COSTAB_CHECKPOINT_RESUME : COSTAB_CHECKPOINT_NEW,
                               &w->checkpoint, error));
    TRY(replay_kept_tiles(w, error));
    TRY(costab_checkpoint_sink(w->checkpoint, &w->sink, error));
    const costab_run_options options = run_options(w);
    TRY(costab_run(w->plan, &w->evaluator, &w->sink, &options, error));
    TRY(costab_checkpoint_flush(w->checkpoint, error));
    if (w->options->slices == 0) TRY(check_points(w, error));
    return w->options->slices > 0 ? costab_checkpoint_publish(&w->checkpoint, w->output, error)
                                  : costab_checkpoint_finish(&w->checkpoint, w->output, error);
}

/* Runs a study without a log, or copies all slices of a merged study. */
static costab_status write_at_once(writing *w, costab_error *error) {
    const costab_sink merged = {.context = w, .commit = commit_kept};
    const costab_run_options options = run_options(w);
    TRY(costab_store_create(w->output, w->plan, w->info, study_slices_bytes(w->study), &w->store, error));
    w->sink = costab_store_sink(w->store);
    const costab_notes notes = {w, give_note};
    TRY(w->study->slices != NULL ? study_replay_slices(w->study, &merged, &notes, error)
                                 : costab_run(w->plan, &w->evaluator, &w->sink, &options, error));
    TRY(check_points(w, error));
    return costab_store_publish(&w->store, error);
}

/* Returns true if a log has the text and the plan of a spec. Sets the plan of the log. */
static bool has_spec(costab_checkpoint *log, const char *spec_text, const costab_plan *plan) {
    return spec_text != NULL && strcmp(costab_checkpoint_info(log)->spec_text, spec_text) == 0 &&
           !costab_checkpoint_plan(log, plan, NULL);
}

bool costab_study_is_current_part(const costab_study *study, const char *path, size_t slice, size_t slices) {
    costab_checkpoint *log;
    if (costab_checkpoint_read(path, &log, NULL)) return false;
    const costab_checkpoint_state state = costab_checkpoint_at(log);
    const bool same = has_spec(log, study->origin.spec_text, &study->plan) &&
                      state.first == (slices > 0 ? slice - 1 : 0) && state.step == (slices > 0 ? slices : 1);
    costab_checkpoint_close(&log, true);
    return same;
}

bool costab_study_is_current(const costab_study *study, const char *path) {
    const char *spec_text = study->origin.spec_text;
    ends_by(costab_results_close) costab_results *results = NULL;
    text_local program = {0};
    text_printf(&program, "costab %s (%s)", COSTAB_VERSION, costab_revision());
    return spec_text != NULL && !program.failed && access(path, R_OK) == 0 &&
           !costab_results_open(path, &results, NULL) &&
           strcmp(costab_results_spec_text(results), spec_text) == 0 &&
           strcmp(costab_results_source(results), program.data) == 0;
}

/* Returns true if a run to be resumed left its log: it may have been killed after the output was complete,
 * before its last files were removed. */
static bool has_log(const writing *w) {
    text_local path = {0};
    if (!w->options->resume || !w->logged || w->options->slices > 0) return false;
    text_printf(&path, "%s.checkpoint", w->output);
    return !path.failed && costab_study_is_current_part(w->study, path.data, 0, 0);
}

/* Returns true if the output exists, complete and up to date. Reads a slice to its end. */
static bool is_finished(const writing *w) {
    costab_checkpoint *slice;
    if (has_log(w)) return false;
    if (w->options->force || w->options->info != NULL || w->study->slices != NULL) return false;
    if (w->options->slices == 0) return costab_study_is_current(w->study, w->output);
    if (costab_checkpoint_read(w->output, &slice, NULL)) return false;
    bool same =
        has_spec(slice, w->info->spec_text, w->plan) && !costab_checkpoint_replay(slice, NULL, NULL, NULL);
    costab_checkpoint_state state = costab_checkpoint_at(slice);
    costab_checkpoint_close(&slice, true);
    return same && state.first == w->first && state.step == w->step && state.done == state.count &&
           !state.damaged;
}

/* Appends the number of stored tiles to the message of a run that ended early; replaces the message of a run
 * that was stopped. Returns that number. */
static size_t add_what_is_kept(const writing *w, costab_error *error) {
    costab_checkpoint_state state = {.first = 0};
    if (w->checkpoint != NULL) {
        (void)costab_checkpoint_flush(w->checkpoint, NULL); /* the state gives the number of written tiles */
        state = costab_checkpoint_at(w->checkpoint);
    }
    if (error == NULL) return state.done;
    bool stopped = error->status == COSTAB_CANCELLED && w->cancelled;
    size_t used = stopped ? 0 : strlen(error->message), space = sizeof error->message - used;
    char *more = error->message + used;
    if (state.done > 0)
        snprintf(more, space, "%s%zu of %zu tiles are kept in '%s'", stopped ? "" : "; ", state.done,
                 state.count, state.path);
    else if (stopped)
        snprintf(more, space, "nothing unfinished was kept");
    return state.done;
}

/* Returns the field of classes over all swept axes; -1: none. */
static int class_field(const costab_plan *plan) {
    const int field = costab_plan_field(plan, "class");
    return field >= 0 && plan->fields[field].rank == plan->swept ? field : -1;
}

bool costab_study_stable(const costab_study *study, size_t *points) {
    *points = atomic_load(&study->stable);
    return class_field(&study->plan) >= 0;
}

costab_status costab_study_run(costab_study *study, const char *output,
                               const costab_study_run_options *options, size_t *kept, costab_error *error) {
    static const costab_study_run_options defaults = {.threads = 0};
    const costab_study_origin *origin = costab_study_origin_of(study);
    costab_store_info info = {.title = NULL};
    if (options == NULL) options = &defaults;
    if (kept != NULL) *kept = 0;
    if (output == NULL || (origin == NULL && options->info == NULL))
        return error_invalid(error,
                             "a run needs the name of its file, and of a study that was not read an `info`");
    if (origin != NULL)
        info = (costab_store_info){.title = origin->title,
                                   .references = origin->references,
                                   .spec_path = origin->spec_path,
                                   .spec_text = origin->spec_text,
                                   .figure = origin->figure};
    if (options->info != NULL) info = *options->info;
    info.force = info.force || options->force;
    writing w = {.study = study,
                 .options = options,
                 .output = output,
                 .plan = &study->plan,
                 .info = &info,
                 .evaluator = {&w, evaluate},
                 .class_field = class_field(&study->plan)};
    atomic_store(&study->stable, 0);
    atomic_store(&study->failed, 0);
    w.logged = study->slices == NULL && (options->checkpoint || options->slices > 0);
    if (options->slices > 0 && (options->slice < 1 || options->slice > options->slices))
        return error_invalid(error, "slice %zu of %zu: there is none, they count from 1", options->slice,
                             options->slices);
    w.first = options->slices > 0 ? options->slice - 1 : 0;
    w.step = options->slices > 0 ? options->slices : 1;
    TRY(costab_store_may_replace(output, info.force, error));
    if (is_finished(&w)) {
        report_start(&w, (costab_study_start){.finished = true});
        return COSTAB_OK;
    }
    costab_status status = w.logged ? write_by_log(&w, error) : write_at_once(&w, error);
    size_t left = status && !w.refused ? add_what_is_kept(&w, error) : 0;
    if (kept != NULL) *kept = left;
    costab_checkpoint_close(&w.checkpoint, status != COSTAB_OK && !w.refused);
    costab_store_close(&w.store);
    return status;
}
