/* costab merge: the parts of a sweep, each a whole log of a range of its tiles, into one results file. All
 * are looked at first; nothing is written unless they are all there, whole, and of one sweep. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/path.h"
#include "cli/results.h"
#include "cli/signals.h"
#include "costab/checkpoint.h"

typedef struct part {
    const char *path;
    size_t first, last;
} part;

typedef struct merging {
    costab_study *study;      /* of the first part's spec */
    costab_checkpoint *whole; /* the first part, whose texts are those of all */
    part *parts;
    int count;
    costab_sink sink;
} merging;

static costab_status refuse(costab_error *error, const char *path, const char *why) {
    return error_set(error, COSTAB_INVALID, "'%s' %s", path, why);
}

/* An input file that is not there is the caller's mistake. */
static costab_status open_part(const char *path, costab_checkpoint **log, costab_error *error) {
    costab_status status = costab_checkpoint_read(path, log, error);
    return status == COSTAB_IO ? COSTAB_INVALID : status;
}

static bool same_sweep(const costab_store_info *one, const costab_store_info *other) {
    return strcmp(one->spec_text, other->spec_text) == 0 && strcmp(one->spec_path, other->spec_path) == 0 &&
           strcmp(one->title, other->title) == 0;
}

static costab_status look_at(merging *m, part *p, costab_error *error) {
    costab_checkpoint *log = NULL;
    costab_status status = open_part(p->path, &log, error);
    if (status != COSTAB_OK) return status;
    if (!same_sweep(costab_checkpoint_info(log), costab_checkpoint_info(m->whole)))
        status =
            error_set(error, COSTAB_INVALID, "'%s' is of another sweep than '%s'", p->path, m->parts[0].path);
    if (status == COSTAB_OK) status = costab_checkpoint_plan(log, costab_study_plan(m->study), error);
    if (status == COSTAB_OK) status = costab_checkpoint_replay(log, NULL, NULL, error);
    costab_checkpoint_state state = costab_checkpoint_at(log);
    if (status == COSTAB_OK && state.damaged)
        status =
            error_set(error, COSTAB_INVALID,
                      "'%s' is damaged: of its tiles %zu to %zu the first %zu are good; compute it again",
                      p->path, state.first, state.last - 1, state.next - state.first);
    if (status == COSTAB_OK && state.next < state.last)
        status = error_set(error, COSTAB_INVALID,
                           "'%s' is not finished: it has %zu of %zu tiles; go on with --resume", p->path,
                           state.next - state.first, state.last - state.first);
    p->first = state.first;
    p->last = state.last;
    costab_checkpoint_close(&log, true);
    return status;
}

static int by_first(const void *one, const void *other) {
    size_t a = ((const part *)one)->first, b = ((const part *)other)->first;
    return (a > b) - (a < b);
}

static costab_status check_cover(const merging *m, costab_error *error) {
    size_t tiles, points, next = 0;
    costab_status status = costab_plan_size(costab_study_plan(m->study), &tiles, &points, error);
    for (int k = 0; k < m->count && status == COSTAB_OK; k++) {
        const part *p = &m->parts[k];
        if (p->first > next)
            status = error_set(error, COSTAB_INVALID, "tiles %zu to %zu of %zu are in none of the parts",
                               next, p->first - 1, tiles);
        else if (p->first < next)
            status = error_set(error, COSTAB_INVALID, "'%s' and '%s' overlap: both have tile %zu",
                               m->parts[k - 1].path, p->path, p->first);
        next = p->last;
    }
    if (status == COSTAB_OK && next < tiles)
        status = error_set(error, COSTAB_INVALID, "tiles %zu to %zu of %zu are in none of the parts", next,
                           tiles - 1, tiles);
    return status;
}

static costab_status commit(void *context, const costab_tile *tile, int field, const costab_packed *packed,
                            costab_error *error) {
    const costab_sink *sink = &((const merging *)context)->sink;
    if (signals_caught() != 0) return error_set(error, COSTAB_CANCELLED, "nothing unfinished was kept");
    return sink->commit(sink->context, tile, field, packed, error);
}

static costab_status add(merging *m, const part *p, costab_error *error) {
    costab_checkpoint *log = NULL;
    costab_sink sink = {.context = m, .commit = commit};
    costab_notes notes = costab_study_notes(m->study);
    costab_status status = open_part(p->path, &log, error);
    if (status != COSTAB_OK) return status;
    status = costab_checkpoint_plan(log, costab_study_plan(m->study), error);
    if (status == COSTAB_OK) status = costab_checkpoint_replay(log, &sink, &notes, error);
    if (status == COSTAB_OK && costab_checkpoint_at(log).next < p->last)
        status = refuse(error, p->path, "was changed while it was read");
    costab_checkpoint_close(&log, true);
    return status;
}

static costab_status write_file(merging *m, const char *output, costab_error *error) {
    costab_store *store = NULL;
    costab_status status = costab_store_create(output, costab_study_plan(m->study),
                                               costab_checkpoint_info(m->whole), &store, error);
    if (status != COSTAB_OK) return status;
    signals_install();
    m->sink = costab_store_sink(store);
    for (int k = 0; k < m->count && status == COSTAB_OK; k++) status = add(m, &m->parts[k], error);
    if (status == COSTAB_OK) return costab_store_publish(&store, error);
    costab_store_discard(&store);
    return status;
}

static costab_status look_at_all(merging *m, costab_error *error) {
    costab_status status = open_part(m->parts[0].path, &m->whole, error);
    if (status != COSTAB_OK) return status;
    const costab_store_info *info = costab_checkpoint_info(m->whole);
    status = costab_study_parse(info->spec_path, info->spec_text, strlen(info->spec_text), &m->study, error);
    for (int k = 0; k < m->count && status == COSTAB_OK; k++) status = look_at(m, &m->parts[k], error);
    if (status != COSTAB_OK) return status;
    qsort(m->parts, (size_t)m->count, sizeof *m->parts, by_first);
    return check_cover(m, error);
}

static costab_status merge(merging *m, const char *output, costab_error *error) {
    text target = {0};
    costab_status status = look_at_all(m, error);
    if (status != COSTAB_OK) return status;
    path_output(&target, output, costab_checkpoint_info(m->whole)->spec_path, ".h5");
    if (target.failed) status = error_memory(error);
    for (int k = 0; k < m->count && status == COSTAB_OK; k++)
        if (path_same(m->parts[k].path, target.data))
            status = refuse(error, target.data, "is one of the parts: give --output another name");
    if (status == COSTAB_OK) status = write_file(m, target.data, error);
    if (status == COSTAB_OK) cli_tell_failures(target.data, m->study);
    text_free(&target);
    return status;
}

costab_status cli_merge(const cli_arguments *arguments, costab_error *error) {
    merging m = {.count = arguments->operand_count};
    m.parts = memory_alloc((size_t)m.count, sizeof *m.parts);
    if (m.parts == NULL) return error_memory(error);
    for (int k = 0; k < m.count; k++) m.parts[k].path = arguments->operands[k];
    costab_status status = merge(&m, arguments->values[OPTION_OUTPUT], error);
    costab_checkpoint_close(&m.whole, true);
    costab_study_destroy(&m.study);
    memory_free(m.parts);
    return status;
}
