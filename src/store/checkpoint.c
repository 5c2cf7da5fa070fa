/* Writes a log of finished tiles: opens and locks it, appends complete tiles, and keeps or removes it. Also
 * opens a log for reading; checkpoint_replay.c reads its tiles.
 *   1. The file is locked, and its header compared with the header of this run. A tile that was cut short or
 *      damaged, and everything after it, is cut off.
 *   2. Packed chunks wait in memory until their tile is complete; small tiles wait together up to
 *      WAIT_SECONDS.
 *   3. The file is synchronised every SYNC_SECONDS.
 *   4. A complete log is renamed to a slice, or copied into a results file (writer.c) and removed.
 *
 * A loss of power costs at most the tiles of SYNC_SECONDS and the last one. */
#include "store/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "store/chunk.h"
#include "store/log.h"
#include "store/store.h"
#include "store/writer.h"
#include "sweep/hash.h"
#include "sweep/run.h"

#define ENDING ".checkpoint"

/* Tiles that take less than TILE_SECONDS on average are written together, after WAIT_SECONDS or WAIT_BYTES,
 * to save system calls. */
#define TILE_SECONDS 1e-3
#define WAIT_SECONDS 20e-3
#define WAIT_BYTES   ((size_t)1 << 18)

/* Least time between two synchronisations with the disk. */
#define SYNC_SECONDS 10.0

/* Locks a file. Returns 0 if it is locked, -1 if another process has locked it, otherwise an errno, such as
 * that of a file system without locks. */
static int lock(int descriptor) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(descriptor, F_SETLK, &whole) == 0) return 0;
    return errno == EACCES || errno == EAGAIN ? -1 : errno;
}

static costab_status open_locked(costab_checkpoint *c, costab_error *error) {
    for (;;) {
        struct stat info;
        c->draft.descriptor = file_open(c->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
        if (c->draft.descriptor < 0) return file_error(error, "write", c->path, errno);
        if (fstat(c->draft.descriptor, &info) != 0) return file_read_error(error, c->path, errno);
        if (!S_ISREG(info.st_mode))
            return error_set(error, COSTAB_IO, "cannot write '%s': it is not a regular file", c->path);
        int number = lock(c->draft.descriptor);
        if (number < 0)
            return error_set(
                error, COSTAB_IO,
                "cannot write '%s': another process is writing the same results; wait for it, or choose "
                "another output",
                c->path);
        c->draft.terms.alone = number == 0;
        if (file_is_named(c->draft.descriptor, c->path)) return COSTAB_OK;
        (void)close(c->draft.descriptor);
    }
}

/* Compares the header in the file, if there is one, with `wanted`, the header of this run, and counts the
 * complete tiles. Sets is_new if the file has no log to be continued. */
static costab_status take_up(costab_checkpoint *c, const checkpoint_head *wanted, costab_checkpoint_mode mode,
                             costab_error *error) {
    bool foreign = false, anew = mode == COSTAB_CHECKPOINT_NEW;
    costab_status status =
        checkpoint_head_read(c->draft.descriptor, c->path, true, &c->head, &foreign, error);
    if (status == COSTAB_INVALID && anew && !foreign) status = COSTAB_OK;
    if (status) return status;
    bool found = c->head.bytes != NULL;
    if (found) status = checkpoint_head_same(&c->head, wanted, c->path, error);
    if (found && !status) status = checkpoint_count(c, &c->first_unsafe, error);
    if (anew && found && !status)
        c->replaced_tiles = costab_plan_share(c->first_unsafe, c->head.first, c->head.step);
    c->is_new = anew || !found;
    return anew ? COSTAB_OK : status;
}

/* Writes bytes at the end of the complete tiles. */
static costab_status put(costab_checkpoint *c, const void *bytes, size_t size, costab_error *error) {
    int number = file_write_at(c->draft.descriptor, bytes, size, c->end);
    if (number) {
        /* A failure does not matter: a replay ends at half a record. */
        if (ftruncate(c->draft.descriptor, (off_t)c->end) != 0) errno = number;
        return file_error(error, "write", c->path, number);
    }
    c->end += size;
    return COSTAB_OK;
}

/* Empties the file and writes the header, which then belongs to the log. */
static costab_status begin(costab_checkpoint *c, checkpoint_head *wanted, costab_error *error) {
    checkpoint_head_free(&c->head);
    c->head = *wanted;
    *wanted = (checkpoint_head){.bytes = NULL};
    if (ftruncate(c->draft.descriptor, 0) != 0) return file_error(error, "write", c->path, errno);
    return put(c, c->head.bytes, c->head.size, error);
}

/* Opens the file and reads its header. */
static costab_status open_file(costab_checkpoint *c, const char *output, checkpoint_head *wanted,
                               costab_checkpoint_mode mode, costab_error *error) {
    TRY(file_beside(output, ENDING, &c->path, error));
    c->draft.name = memory_copy(c->path);
    c->draft.terms.kept = true;
    TRY(c->draft.name ? open_locked(c, error) : error_memory(error));
    c->reading = false;
    return take_up(c, wanted, mode, error);
}

/* Removes an empty file, such as one that this call created; keeps a file that was refused. */
static void give_up(costab_checkpoint **checkpoint) {
    struct stat info;
    costab_checkpoint *c = *checkpoint;
    c->reading = c->reading || fstat(c->draft.descriptor, &info) != 0 || info.st_size > 0;
    costab_checkpoint_close(checkpoint, false);
}

static costab_status check_key(const char *output, const costab_checkpoint_key *key, size_t *tiles,
                               costab_error *error) {
    size_t points;
    TRY(store_check(output, key->plan, key->info, error));
    TRY(costab_plan_size(key->plan, tiles, &points, error));
    if (key->first >= (key->step > 0 ? key->step : 1) || key->step > SIZE_MAX - *tiles)
        return error_invalid(error, "slice %zu of %zu does not exist: slices count from 0", key->first,
                             key->step);
    return COSTAB_OK;
}

costab_status costab_checkpoint_open(const char *output, const costab_checkpoint_key *key,
                                     costab_checkpoint_mode mode, costab_checkpoint **checkpoint,
                                     costab_error *error) {
    ends_by(checkpoint_head_free) checkpoint_head wanted = {.bytes = NULL};
    size_t tiles;
    if (checkpoint) *checkpoint = NULL;
    if (!key || !checkpoint) return error_missing(error, "a key, or space for the checkpoint,");
    TRY(check_key(output, key, &tiles, error));
    costab_checkpoint *c = *checkpoint = memory_alloc(1, sizeof *c);
    if (!c) return error_memory(error);
    c->draft = FILE_DRAFT_NONE;
    c->draft.terms.force = true; /* costab_store_may_replace decides */
    c->force = key->info->force;
    c->plan = key->plan;
    c->tiles = tiles;
    c->reading = c->is_new = true;
    costab_status status = checkpoint_head_make(key, &wanted, error);
    if (!status) status = open_file(c, output, &wanted, mode, error);
    if (!status && c->is_new) status = begin(c, &wanted, error);
    if (status) give_up(checkpoint);
    TRY(status);
    c->next_tile = c->head.first;
    if (c->is_new) c->first_unsafe = c->next_tile;
    c->is_replayed = c->is_new;
    return COSTAB_OK;
}

costab_status costab_checkpoint_read(const char *path, costab_checkpoint **checkpoint, costab_error *error) {
    if (checkpoint) *checkpoint = NULL;
    if (!path || !checkpoint) return error_missing(error, "a path, or space for the checkpoint,");
    costab_checkpoint *c = *checkpoint = memory_alloc(1, sizeof *c);
    struct stat info;
    bool foreign = false;
    if (!c) return error_memory(error);
    c->reading = true;
    c->draft = FILE_DRAFT_NONE;
    c->path = memory_copy(path);
    c->draft.descriptor = file_open(path, O_RDONLY | O_NONBLOCK);
    costab_status status = COSTAB_OK;
    if (c->draft.descriptor < 0 || fstat(c->draft.descriptor, &info) != 0)
        status = file_read_error(error, path, errno);
    else if (!c->path)
        status = error_memory(error);
    else if (!S_ISREG(info.st_mode))
        status = error_invalid(error, "'%s' is not a regular file", path);
    if (!status)
        status = checkpoint_head_read(c->draft.descriptor, c->path, false, &c->head, &foreign, error);
    if (!status && !c->head.bytes)
        status = error_invalid(error, "'%s' is cut short at its beginning: nothing of it can be used", path);
    if (status) costab_checkpoint_close(checkpoint, true);
    return status;
}

const costab_store_info *costab_checkpoint_info(const costab_checkpoint *checkpoint) {
    return checkpoint ? &checkpoint->head.info : NULL;
}

costab_status costab_checkpoint_plan(costab_checkpoint *c, const costab_plan *plan, costab_error *error) {
    text_local version = {0};
    size_t tiles, points;
    if (!c) return error_missing(error, "a checkpoint");
    TRY(costab_plan_size(plan, &tiles, &points, error));
    checkpoint_version(&version);
    if (version.failed) return error_memory(error);
    if (strcmp(version.data, c->head.version) != 0)
        return error_invalid(error, "'%s' was written by %s, and this is %s: use that version", c->path,
                             c->head.version, version.data);
    if (hash_plan(plan) != c->head.plan || c->head.first >= c->head.step || c->head.step > SIZE_MAX - tiles)
        return error_invalid(error, "'%s' is of another grid", c->path);
    c->plan = plan;
    c->tiles = tiles;
    return checkpoint_count(c, &c->first_unsafe, error);
}

costab_checkpoint_state costab_checkpoint_at(const costab_checkpoint *c) {
    if (!c) return (costab_checkpoint_state){.path = ""};
    return (costab_checkpoint_state){.first = c->head.first,
                                     .step = c->head.step,
                                     .count = costab_plan_share(c->tiles, c->head.first, c->head.step),
                                     .done = costab_plan_share(c->first_unsafe, c->head.first, c->head.step),
                                     .damaged = c->damaged,
                                     .bytes = c->end,
                                     .replaced = c->replaced_tiles,
                                     .path = c->path};
}

/* Synchronises the contents and the name of the file with the disk. */
static costab_status synchronise(costab_checkpoint *c, costab_error *error) {
    int number = fdatasync(c->draft.descriptor) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
    if (!number && !c->named) number = file_sync_folder(c->path);
    if (number) return file_error(error, "synchronise", c->path, number);
    c->named = true;
    c->sync_time = number_seconds();
    return COSTAB_OK;
}

costab_status costab_checkpoint_flush(costab_checkpoint *c, costab_error *error) {
    if (!c) return error_missing(error, "a checkpoint");
    if (c->whole_size == 0) return COSTAB_OK;
    TRY(put(c, c->waiting.data, c->whole_size, error));
    memmove(c->waiting.data, c->waiting.data + c->whole_size, c->waiting.size - c->whole_size);
    c->waiting.size -= c->whole_size;
    c->whole_size = 0;
    c->first_unsafe = c->next_tile;
    c->write_time = number_seconds();
    return c->write_time - c->sync_time > SYNC_SECONDS ? synchronise(c, error) : COSTAB_OK;
}

/* Appends a record to the waiting ones. */
static costab_status add(costab_checkpoint *c, const costab_tile *tile, uint32_t field,
                         const costab_packed *packed, costab_error *error) {
    checkpoint_record record = {
        .tile = tile->index, .size = packed->size, .field = field, .bytes_sum = packed->sum};
    record.sum = checkpoint_record_sum(&record);
    text_append_n(&c->waiting, (const char *)&record, sizeof record);
    text_append_n(&c->waiting, packed->bytes, packed->size);
    return c->waiting.failed ? error_memory(error) : COSTAB_OK;
}

static costab_status add_note(costab_checkpoint *c, const costab_tile *tile, costab_error *error) {
    costab_packed *note = tile->note;
    if (!note || note->size == 0) return COSTAB_OK;
    note->sum = store_sum(note->bytes, note->size);
    return add(c, tile, CHECKPOINT_NOTE, note, error);
}

/* Counts the tile whose last record was added, and writes the waiting tiles if it is time. */
static costab_status finish_tile(costab_checkpoint *c, costab_error *error) {
    c->next_tile += c->head.step;
    checkpoint_skip(c);
    c->whole_size = c->waiting.size;
    c->committed++;
    double now = number_seconds();
    bool slow = now - c->begin_time > TILE_SECONDS * (double)c->committed;
    bool due = slow || c->whole_size >= WAIT_BYTES || now - c->write_time > WAIT_SECONDS;
    return due ? costab_checkpoint_flush(c, error) : COSTAB_OK;
}

static costab_status pack(void *context, const costab_tile *tile, int field, const void *block,
                          costab_packed *packed, costab_error *error) {
    const costab_checkpoint *c = context;
    TRY(store_pack(c->plan, tile, field, block, packed, error));
    packed->sum = store_sum(packed->bytes, packed->size);
    return COSTAB_OK;
}

static costab_status commit(void *context, const costab_tile *tile, int field, const costab_packed *packed,
                            costab_error *error) {
    costab_checkpoint *c = context;
    if (!tile || !packed) return error_missing(error, "a tile or a packed block");
    if (field < 0 || field >= c->plan->field_count)
        return error_invalid(error, "the plan has no field number %d", field);
    if (tile->index != c->next_tile)
        return error_invalid(error, "'%s': tile %zu comes where %zu is expected", c->path, tile->index,
                             c->next_tile);
    bool last = checkpoint_next_field(c->plan, tile, field) == c->plan->field_count;
    if (last) TRY(add_note(c, tile, error));
    TRY(add(c, tile, (uint32_t)field, packed, error));
    return last ? finish_tile(c, error) : COSTAB_OK;
}

costab_status costab_checkpoint_sink(costab_checkpoint *c, costab_sink *sink, costab_error *error) {
    if (!c || !sink || c->reading)
        return error_missing(error, "a checkpoint that is written, or space for the sink,");
    if (!c->is_new && ftruncate(c->draft.descriptor, (off_t)c->end) != 0)
        return file_error(error, "write", c->path, errno);
    checkpoint_skip(c);
    c->begin_time = c->write_time = c->sync_time = number_seconds();
    *sink = (costab_sink){.context = c, .pack = pack, .commit = commit};
    return COSTAB_OK;
}

void costab_checkpoint_close(costab_checkpoint **checkpoint, bool keep) {
    costab_checkpoint *c = checkpoint ? *checkpoint : NULL;
    if (!c) return;
    *checkpoint = NULL;
    keep = c->reading || keep;
    if (!c->reading && keep) (void)costab_checkpoint_flush(c, NULL); /* the next run computes missing tiles */
    bool nothing = !c->reading && c->is_replayed && c->first_unsafe == c->head.first;
    bool ours =
        c->draft.name && c->draft.descriptor >= 0 && file_is_named(c->draft.descriptor, c->draft.name);
    if (c->draft.name && (!ours || (keep && !nothing))) c->draft.name[0] = '\0'; /* the file stays */
    file_discard(&c->draft);
    checkpoint_head_free(&c->head);
    text_free(&c->waiting);
    memory_free_all(c->path, c);
}

/* Writes the waiting records; COSTAB_INVALID if tiles are missing. */
static costab_status complete(costab_checkpoint *c, costab_error *error) {
    TRY(costab_checkpoint_flush(c, error));
    if (c->first_unsafe < c->tiles)
        return error_invalid(error, "'%s' has no tile %zu yet", c->path, c->first_unsafe);
    return COSTAB_OK;
}

costab_status costab_checkpoint_publish(costab_checkpoint **checkpoint, const char *path,
                                        costab_error *error) {
    costab_checkpoint *c = checkpoint ? *checkpoint : NULL;
    struct stat before, now;
    if (!c || !path) return error_missing(error, "a checkpoint or a path");
    TRY(complete(c, error));
    TRY(costab_store_may_replace(path, c->force, error));
    bool known = fstat(c->draft.descriptor, &before) == 0;
    costab_status status = file_publish(&c->draft, path, error);
    if (!status)
        costab_checkpoint_close(checkpoint, true);
    else if (!known || lstat(c->path, &now) != 0 || now.st_dev != before.st_dev ||
             now.st_ino != before.st_ino)
        c->first_unsafe = c->head.first; /* nothing is kept under its own name */
    return status;
}

costab_status costab_checkpoint_finish(costab_checkpoint **checkpoint, const char *path,
                                       costab_error *error) {
    costab_checkpoint *c = checkpoint ? *checkpoint : NULL;
    ends_by(costab_store_close) costab_store *store = NULL;
    if (!c || !path || c->reading) return error_missing(error, "a checkpoint that is written, or a path");
    if (c->head.step > 1) return error_invalid(error, "'%s' has a part of the tiles only", c->path);
    TRY(complete(c, error));
    costab_store_info info = c->head.info;
    info.force = c->force;
    TRY(store_create(path, c->plan, &info, c->end, c->draft.terms.alone, &store, error));
    const costab_sink sink = costab_store_sink(store);
    costab_checkpoint read = *c, *const log = &read; /* the reading changes only this copy */
    TRY(costab_checkpoint_replay_all(&log, 1, &sink, NULL, error));
    if (read.next_tile < c->tiles)
        return error_set(error, COSTAB_IO, "cannot read '%s': another program changed it", c->path);
    TRY(costab_store_publish(&store, error));
    costab_checkpoint_close(checkpoint, false);
    return COSTAB_OK;
}
