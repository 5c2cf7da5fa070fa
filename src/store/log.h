/* store/log.h - checkpoints: each is a file that logs the finished tiles of a sweep, here called its
 * log. A stopped sweep continues from its log, a whole log is copied into the results file, and the logs of
 * all slices make one sweep.
 *
 * A log begins with a head that says which sweep it belongs to. Then come the packed chunks of all tiles, or
 * of every N-th, in the order of the tiles, each with a checksum. The log grows by whole tiles. Where it was
 * cut short or damaged, all tiles before that place can still be used. It is synchronised with the disk every
 * 10 s: a loss of power costs at most the tiles of that time. */
#pragma once

#include "costab/store.h"
#include "costab/sweep.h"

typedef struct costab_checkpoint costab_checkpoint;

/* The sweep that a log belongs to. Two sweeps are the same if they agree in the whole text of the spec, the
 * plan, which tiles they have, the program's version and revision, and the compression library. */
typedef struct costab_checkpoint_key {
    const costab_plan *plan;       /* borrowed until close */
    const costab_store_info *info; /* borrowed for the call */
    size_t first, step;            /* the tiles first, first + step and so on, first < step; 0, 0: all */
} costab_checkpoint_key;

typedef enum costab_checkpoint_mode {
    COSTAB_CHECKPOINT_NEW,    /* replaces an existing log */
    COSTAB_CHECKPOINT_RESUME, /* continues an existing log, or begins a new one */
} costab_checkpoint_mode;

/* Begins or continues the log of a results file, "OUTPUT.checkpoint"; symbolic links are followed. The log is
 * locked: a second process gets COSTAB_IO. COSTAB_INVALID for a plan that contradicts itself, for `first`
 * beyond `step`, for a log of another sweep, version or byte order,
 * for a damaged head, and for a file that is no log. [out] *checkpoint: end it with costab_checkpoint_close.
 */
costab_status costab_checkpoint_open(const char *output, const costab_checkpoint_key *key,
                                     costab_checkpoint_mode mode, costab_checkpoint **checkpoint,
                                     costab_error *error);

/* Opens a log for reading, without writing or locking anything. Call costab_checkpoint_plan next, then
 * costab_checkpoint_replay. */
costab_status costab_checkpoint_read(const char *path, costab_checkpoint **checkpoint, costab_error *error);

/* What a log says of its sweep; borrowed until close. */
const costab_store_info *costab_checkpoint_info(const costab_checkpoint *checkpoint);

/* Gives the plan of its spec to a log that is open for reading. The plan is borrowed until close.
 * COSTAB_INVALID where the log was written with another plan or by another version of costab. */
costab_status costab_checkpoint_plan(costab_checkpoint *checkpoint, const costab_plan *plan,
                                     costab_error *error);

/* The state of a log. */
typedef struct costab_checkpoint_state {
    size_t first, step; /* the tiles first, first + step and so on */
    size_t count;       /* how many these are */
    /* How many of them, from the first on, are in the log. Before costab_checkpoint_replay the sizes of the
     * records tell it, and no checksum has been compared. */
    size_t done;
    /* Replay stopped before the end, at bytes that are no record or do not fit their checksum. */
    bool damaged;
    uint64_t bytes;   /* of the file up to the tile `next` */
    size_t replaced;  /* tiles of the log that COSTAB_CHECKPOINT_NEW replaced */
    const char *path; /* the file of the log; borrowed until close */
} costab_checkpoint_state;
costab_checkpoint_state costab_checkpoint_at(const costab_checkpoint *checkpoint);

/* Commits all whole tiles of the log to a sink, of a store or of another log, in their order. Stops at the
 * end or where the log is damaged; what stands behind that place in a log that is open for writing is
 * cut off. Call it once, before
 * costab_checkpoint_sink. sink and notes may be NULL. */
costab_status costab_checkpoint_replay(costab_checkpoint *checkpoint, const costab_sink *sink,
                                       const costab_notes *notes, costab_error *error);

/* The same of `count` logs at once, the k-th of which has the tiles k, k + count, k + 2 * count and so on:
 * their tiles alternate. Stops at the first tile that is not whole. */
costab_status costab_checkpoint_replay_all(costab_checkpoint *const *logs, size_t count,
                                           const costab_sink *sink, const costab_notes *notes,
                                           costab_error *error);

/* Makes a sink that appends to the log what is committed. Tiles must come in order, the first one missing in
 * the log first. Tiles
 * wait in memory, and are written with the first one that ends 20 ms or more after the last write. Their
 * notes are kept in the log too. */
costab_status costab_checkpoint_sink(costab_checkpoint *checkpoint, costab_sink *sink, costab_error *error);

/* Writes to the file what the sink still keeps in memory. */
costab_status costab_checkpoint_flush(costab_checkpoint *checkpoint, costab_error *error);

/* Copies a log of all tiles of its plan into the results file `path` (costab_store_create), and removes it.
 * The same log gives the same bytes. COSTAB_INVALID where tiles are missing or `path` is a file that costab
 * did not write, unless info->force. Sets *checkpoint to NULL; after a failure the log is open still and has
 * all its tiles. */
costab_status costab_checkpoint_finish(costab_checkpoint **checkpoint, const char *path, costab_error *error);

/* Renames a log that has all its tiles to `path`, for costab_study_merge, and closes it. The
 * file is on the disk before it has its new name. Failures as above. */
costab_status costab_checkpoint_publish(costab_checkpoint **checkpoint, const char *path,
                                        costab_error *error);

/* Closes the log. A log open for writing is removed unless `keep` is true and it has a tile.
 * Tiles that can no longer be written are dropped. Sets *checkpoint to NULL; NULL is allowed. */
void costab_checkpoint_close(costab_checkpoint **checkpoint, bool keep);
