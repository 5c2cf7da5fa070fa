/* Makes one study of the slices of a sweep (costab merge). A slice is a complete log of every N-th tile.
 *   1. The study is made from the spec in the first slice.
 *   2. Each slice is read to its end and checked: complete, same spec, grid and version of costab, valid
 *      checksums.
 *   3. All slices must have the same number N, and each index must occur once.
 *   4. The run of the study commits the tiles of the files in turn, byte for byte.
 *
 * costab_study_kept reads the progress of one log, without its tiles. Cost: reads all files twice; during the
 * run all of them are open. Limitation: checksums detect accidents, not forgeries. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "store/log.h"
#include "study/create.h"
#include "study/study.h"

/* A slice: its file, and index `first` of `step`, from 0. */
typedef struct slice {
    char *path;
    size_t first, step;
} slice;

struct study_slices {
    costab_checkpoint *reference; /* the first file, with which the texts of all others are compared */
    uint64_t bytes;               /* of all files */
    int count;
    slice of[];
};

static bool same_sweep(const costab_store_info *one, const costab_store_info *other) {
    return strcmp(one->spec_text, other->spec_text) == 0 && strcmp(one->spec_path, other->spec_path) == 0 &&
           strcmp(one->title, other->title) == 0;
}

static costab_status check_complete(const costab_checkpoint *log, costab_error *error) {
    costab_checkpoint_state state = costab_checkpoint_at(log);
    if (state.damaged)
        return error_invalid(error,
                             "'%s' is damaged: of its %zu tiles the first %zu are good; compute it again",
                             state.path, state.count, state.done);
    if (state.done < state.count)
        return error_invalid(error,
                             "'%s' is not finished: it has %zu of %zu tiles; continue its run (--resume)",
                             state.path, state.done, state.count);
    return COSTAB_OK;
}

static void close_log(costab_checkpoint **log) {
    costab_checkpoint_close(log, true);
}

/* Reads a slice to its end, checks it and fills its index. */
static costab_status check_slice(costab_study *study, slice *s, costab_error *error) {
    study_slices *all = study->slices;
    ends_by(close_log) costab_checkpoint *log = NULL;
    TRY(costab_checkpoint_read(s->path, &log, error));
    if (!same_sweep(costab_checkpoint_info(log), costab_checkpoint_info(all->reference)))
        return error_invalid(error, "'%s' is of another sweep than '%s'", s->path,
                             costab_checkpoint_at(all->reference).path);
    TRY(costab_checkpoint_plan(log, &study->plan, error));
    TRY(costab_checkpoint_replay(log, NULL, NULL, error));
    s->first = costab_checkpoint_at(log).first;
    s->step = costab_checkpoint_at(log).step;
    all->bytes += costab_checkpoint_at(log).bytes;
    return check_complete(log, error);
}

costab_status costab_study_kept(const char *path, costab_checkpoint_state *kept, costab_error *error) {
    ends_by(costab_study_destroy) costab_study *study = NULL;
    ends_by(close_log) costab_checkpoint *log = NULL;
    *kept = (costab_checkpoint_state){.first = 0};
    TRY(costab_checkpoint_read(path, &log, error));
    const costab_store_info *info = costab_checkpoint_info(log);
    TRY(study_parse_stored(info->spec_path, info->spec_text, strlen(info->spec_text), &study, error));
    TRY(costab_checkpoint_plan(log, &study->plan, error));
    *kept = costab_checkpoint_at(log);
    kept->path = NULL;
    return COSTAB_OK;
}

static int by_first(const void *one, const void *other) {
    size_t a = ((const slice *)one)->first, b = ((const slice *)other)->first;
    return (a > b) - (a < b);
}

/* Appends the numbers, from 1, of the slices that the sorted list lacks: "2, 5 to 7". */
static void put_missing(const study_slices *all, text *words) {
    size_t next = 0, n = all->of[0].step;
    for (int k = 0; k <= all->count; k++) {
        size_t first = k < all->count ? all->of[k].first : n;
        if (first > next) text_printf(words, "%s%zu", words->size > 0 ? ", " : "", next + 1);
        if (first > next + 1) text_printf(words, " to %zu", first);
        next = first + 1;
    }
}

/* Returns COSTAB_INVALID if the sorted slices differ in their number N, repeat an index or lack one. */
static costab_status check_cover(const study_slices *all, costab_error *error) {
    text_local missing = {0};
    const slice *of = all->of;
    for (int k = 1; k < all->count; k++) {
        if (of[k].step != of[0].step)
            return error_invalid(error, "'%s' is slice %zu of %zu, and '%s' slice %zu of %zu", of[0].path,
                                 of[0].first + 1, of[0].step, of[k].path, of[k].first + 1, of[k].step);
        if (of[k].first == of[k - 1].first)
            return error_invalid(error, "'%s' and '%s' are both slice %zu of %zu", of[k - 1].path, of[k].path,
                                 of[k].first + 1, of[k].step);
    }
    const size_t absent = of[0].step - (size_t)all->count;
    if (absent == 0) return COSTAB_OK;
    put_missing(all, &missing);
    if (missing.failed) return error_memory(error);
    return error_invalid(error, "slice%s %s of %zu %s missing", absent > 1 ? "s" : "", missing.data,
                         of[0].step, absent > 1 ? "are" : "is");
}

typedef struct log_list {
    costab_checkpoint **of;
    int count;
} log_list;

static void close_logs(log_list *logs) {
    for (int k = 0; k < logs->count && logs->of != NULL; k++) costab_checkpoint_close(&logs->of[k], true);
    memory_free(logs->of);
}

uint64_t study_slices_bytes(const costab_study *study) {
    return study->slices != NULL ? study->slices->bytes : 0;
}

costab_status study_replay_slices(costab_study *study, const costab_sink *sink, const costab_notes *notes,
                                  costab_error *error) {
    const study_slices *all = study->slices;
    ends_by(close_logs) log_list logs = {.count = all->count};
    TRY(memory_make(&logs.of, (size_t)all->count, error));
    for (int k = 0; k < all->count; k++) {
        TRY(costab_checkpoint_read(all->of[k].path, &logs.of[k], error));
        TRY(costab_checkpoint_plan(logs.of[k], &study->plan, error));
    }
    TRY(costab_checkpoint_replay_all(logs.of, (size_t)all->count, sink, notes, error));
    for (int k = 0; k < all->count; k++) {
        costab_checkpoint_state state = costab_checkpoint_at(logs.of[k]);
        if (state.first != (size_t)k || state.step != (size_t)all->count || state.done < state.count)
            return error_invalid(error, "'%s' was changed while it was read", state.path);
    }
    return COSTAB_OK;
}

static void free_slices(study_slices *slices) {
    if (slices == NULL) return;
    costab_checkpoint_close(&slices->reference, true);
    for (int k = 0; k < slices->count; k++) memory_free(slices->of[k].path);
    memory_free(slices);
}

static costab_status open_all(const char *const *paths, int count, study_slices **opened,
                              costab_error *error) {
    study_slices *all = *opened = memory_alloc(1, sizeof *all + (size_t)count * sizeof all->of[0]);
    if (all == NULL) return error_memory(error);
    for (; all->count < count; all->count++) {
        all->of[all->count].path = memory_copy(paths[all->count]);
        if (all->of[all->count].path == NULL) return error_memory(error);
    }
    return costab_checkpoint_read(paths[0], &all->reference, error);
}

costab_status costab_study_merge(const char *const *paths, int count, costab_study **study,
                                 costab_error *error) {
    study_slices *all = NULL;
    *study = NULL;
    if (count < 1 || paths == NULL) return error_invalid(error, "no slices to merge");
    costab_status status = open_all(paths, count, &all, error);
    if (!status) {
        const costab_store_info *info = costab_checkpoint_info(all->reference);
        status = study_parse_stored(info->spec_path, info->spec_text, strlen(info->spec_text), study, error);
    }
    if (status) {
        free_slices(all);
        return status;
    }
    (*study)->slices = all;
    (*study)->free_slices = free_slices;
    for (int k = 0; k < count && !status; k++) status = check_slice(*study, &all->of[k], error);
    if (!status) qsort(all->of, (size_t)count, sizeof all->of[0], by_first);
    if (!status) status = check_cover(all, error);
    if (status) costab_study_destroy(study);
    return status;
}
