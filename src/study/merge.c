/* Slices of a sweep, each a whole log of a range of its tiles, as one study.
 *   1. Each is read to its end: whole, of the same spec, grid and version of costab, its checksums right.
 *   2. In the order of their tiles they cover all of them, each once.
 *   3. Only then the study is made; its run commits the tiles of the files, one after the other, byte for
 *      byte.
 * What one log holds so far is told by the same reading (costab_study_kept).
 * Cost: all files are read twice. What was computed is believed, as the checksums tell accidents, not
 * forgeries. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "costab/checkpoint.h"
#include "study/study.h"

/* A slice: its file and its tiles. */
typedef struct slice {
    char *path;
    size_t first, last;
} slice;

struct study_slices {
    costab_checkpoint *whole; /* the first one given, whose texts are those of all */
    int count;
    slice of[];
};

static bool same_sweep(const costab_store_info *one, const costab_store_info *other) {
    return strcmp(one->spec_text, other->spec_text) == 0 && strcmp(one->spec_path, other->spec_path) == 0 &&
           strcmp(one->title, other->title) == 0;
}

static costab_status check_whole(const costab_checkpoint *log, costab_error *error) {
    costab_checkpoint_state state = costab_checkpoint_at(log);
    if (state.damaged)
        return error_invalid(
            error, "'%s' is damaged: of its tiles %zu to %zu the first %zu are good; compute it again",
            state.path, state.first, state.last - 1, state.next - state.first);
    if (state.next < state.last)
        return error_invalid(error,
                             "'%s' is not finished: it has %zu of %zu tiles; continue its run (--resume)",
                             state.path, state.next - state.first, state.last - state.first);
    return COSTAB_OK;
}

static void close_log(costab_checkpoint **log) {
    costab_checkpoint_close(log, true);
}

static costab_status check_slice(const costab_study *study, slice *s, costab_error *error) {
    const study_slices *all = study->slices;
    ends_by(close_log) costab_checkpoint *log = NULL;
    TRY(costab_checkpoint_read(s->path, &log, error));
    if (!same_sweep(costab_checkpoint_info(log), costab_checkpoint_info(all->whole)))
        return error_invalid(error, "'%s' is of another sweep than '%s'", s->path,
                             costab_checkpoint_at(all->whole).path);
    TRY(costab_checkpoint_plan(log, &study->plan, error));
    TRY(costab_checkpoint_replay(log, NULL, NULL, error));
    s->first = costab_checkpoint_at(log).first;
    s->last = costab_checkpoint_at(log).last;
    return check_whole(log, error);
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

/* Which of n slices has these tiles, from 1; 0: none. */
static size_t number_of(const costab_study *study, size_t n, size_t tiles, const slice *s) {
    for (size_t k = s->first * n / tiles, end = k + 2; k <= end; k++) {
        size_t first, last;
        if (k >= 1 && k <= n && costab_study_slice(study, k, n, &first, &last, NULL) == COSTAB_OK &&
            first == s->first && last == s->last)
            return k;
    }
    return 0;
}

/* In how few slices at least the sweep was cut; 0: it is not known. */
static size_t slice_count(const costab_study *study, size_t tiles) {
    const study_slices *all = study->slices;
    for (size_t n = (size_t)all->count; n <= tiles; n++) {
        int k = 0;
        while (k < all->count && number_of(study, n, tiles, &all->of[k]) > 0) k++;
        if (k == all->count) return n;
    }
    return 0;
}

/* ": slices 2, 5 of 8 are missing". */
static void put_missing(const costab_study *study, size_t tiles, text *words) {
    const study_slices *all = study->slices;
    size_t n = slice_count(study, tiles), missing = n - (size_t)all->count;
    text_append(words, "");
    if (n > 0) text_append(words, missing > 1 ? ": slices " : ": slice ");
    size_t begun = words->size;
    for (size_t k = 1; k <= n; k++) {
        bool given = false;
        for (int i = 0; i < all->count && !given; i++) given = number_of(study, n, tiles, &all->of[i]) == k;
        if (!given) text_printf(words, "%s%zu", words->size > begun ? ", " : "", k);
    }
    if (n > 0) text_printf(words, " of %zu %s missing", n, missing > 1 ? "are" : "is");
}

static costab_status check_cover(const costab_study *study, costab_error *error) {
    const study_slices *all = study->slices;
    text_local missing = {0};
    size_t tiles, points, next = 0;
    TRY(costab_plan_size(&study->plan, &tiles, &points, error));
    for (int k = 0; k <= all->count; k++) {
        size_t first = k < all->count ? all->of[k].first : tiles;
        if (first > next) {
            put_missing(study, tiles, &missing);
            return error_invalid(error, "tiles %zu to %zu of %zu are in none of the slices%s", next,
                                 first - 1, tiles, missing.failed ? "" : missing.data);
        }
        if (first < next && k < all->count)
            return error_invalid(error, "'%s' and '%s' overlap: both have tile %zu", all->of[k - 1].path,
                                 all->of[k].path, first);
        if (k < all->count) next = all->of[k].last;
    }
    return COSTAB_OK;
}

static costab_status replay_slice(costab_study *study, const slice *s, const costab_sink *sink,
                                  costab_error *error) {
    ends_by(close_log) costab_checkpoint *log = NULL;
    costab_notes notes = costab_study_notes(study);
    TRY(costab_checkpoint_read(s->path, &log, error));
    TRY(costab_checkpoint_plan(log, &study->plan, error));
    TRY(costab_checkpoint_replay(log, sink, &notes, error));
    if (costab_checkpoint_at(log).next < s->last)
        return error_invalid(error, "'%s' was changed while it was read", s->path);
    return COSTAB_OK;
}

costab_status study_replay_slices(costab_study *study, const costab_sink *sink, costab_error *error) {
    for (int k = 0; k < study->slices->count; k++)
        TRY(replay_slice(study, &study->slices->of[k], sink, error));
    return COSTAB_OK;
}

static void free_slices(study_slices *slices) {
    if (slices == NULL) return;
    costab_checkpoint_close(&slices->whole, true);
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
    return costab_checkpoint_read(paths[0], &all->whole, error);
}

costab_status costab_study_merge(const char *const *paths, int count, costab_study **study,
                                 costab_error *error) {
    study_slices *all = NULL;
    *study = NULL;
    if (count < 1 || paths == NULL) return error_invalid(error, "there are no slices to merge");
    costab_status status = open_all(paths, count, &all, error);
    if (!status) {
        const costab_store_info *info = costab_checkpoint_info(all->whole);
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
    if (!status) status = check_cover(*study, error);
    if (status) costab_study_destroy(study);
    return status;
}
