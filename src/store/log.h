/* store/log.h - checkpoints: files that log the finished tiles of a sweep. A stopped sweep continues from its
 * log, a complete log is copied into the results file, and the logs of all slices form one sweep.
 *
 * The header of a log identifies its sweep. The packed chunks (the values of one field in one tile, chunk.c)
 * of all tiles, or of every N-th tile, follow in the order of the tiles, each with a checksum. The log grows
 * by complete tiles. After damage all earlier tiles remain usable. The log is synchronised with the disk
 * every 10 s: a loss of power costs at most the tiles of that time and the last tile. */
#pragma once

#include "costab/store.h"
#include "costab/sweep.h"

typedef struct costab_checkpoint costab_checkpoint;

/* The sweep of a log. Two sweeps are equal if they agree in the title, references, file name and complete
 * text of the spec, the plan, the choice of tiles, the version and revision of the program, and the version
 * of the compression library. */
typedef struct costab_checkpoint_key {
    const costab_plan *plan;       /* borrowed until close */
    const costab_store_info *info; /* borrowed for the call */
    size_t first, step;            /* the tiles first, first + step and so on, first < step; 0, 0: all */
} costab_checkpoint_key;

typedef enum costab_checkpoint_mode {
    COSTAB_CHECKPOINT_NEW,    /* replaces an existing log */
    COSTAB_CHECKPOINT_RESUME, /* continues an existing log, or begins a new one */
} costab_checkpoint_mode;

/* Starts or continues the log of a results file, "OUTPUT.checkpoint", where a symbolic link OUTPUT leads to;
 * a log that is a link itself is refused. The log is locked, if the file system can lock files: a second
 * process gets COSTAB_IO. COSTAB_INVALID for an inconsistent plan, unless first < step, and for a file that
 * is not a log; with COSTAB_CHECKPOINT_RESUME also for a log of another sweep, version or byte order, and for
 * a damaged header. [out] *checkpoint: end it with costab_checkpoint_close. */
costab_status costab_checkpoint_open(const char *output, const costab_checkpoint_key *key,
                                     costab_checkpoint_mode mode, costab_checkpoint **checkpoint,
                                     costab_error *error);

/* Opens a log for reading, without writing or locking anything. Call costab_checkpoint_plan next, then
 * costab_checkpoint_replay. */
costab_status costab_checkpoint_read(const char *path, costab_checkpoint **checkpoint, costab_error *error);

/* Description of the sweep in a log; borrowed until close. */
const costab_store_info *costab_checkpoint_info(const costab_checkpoint *checkpoint);

/* Sets the plan of a log that is open for reading. The plan is borrowed until close. COSTAB_INVALID if the
 * log has another plan or was written by another version of costab. */
costab_status costab_checkpoint_plan(costab_checkpoint *checkpoint, const costab_plan *plan,
                                     costab_error *error);

/* The state of a log. */
typedef struct costab_checkpoint_state {
    size_t first, step; /* the tiles first, first + step and so on */
    size_t count;       /* number of these tiles */
    /* Number of complete tiles in the log, from the first on. Before costab_checkpoint_replay it follows from
     * the headers of the records, without the checksums of their bytes. */
    size_t done;
    /* costab_checkpoint_replay stopped early, at bytes that are not a complete record or contradict their
     * checksum. */
    bool damaged;
    uint64_t bytes;   /* after replay: size of the file up to the last complete tile */
    size_t replaced;  /* number of tiles in a log of the same sweep replaced by COSTAB_CHECKPOINT_NEW */
    const char *path; /* the file of the log; borrowed until close */
} costab_checkpoint_state;
costab_checkpoint_state costab_checkpoint_at(const costab_checkpoint *checkpoint);

/* Commits all complete tiles of the log, in their order, to a sink of a store or of another log. Stops at the
 * end or at damage, where costab_checkpoint_sink cuts a log open for writing. Call it once, before
 * costab_checkpoint_sink, which otherwise empties the log. sink and notes may be NULL. */
costab_status costab_checkpoint_replay(costab_checkpoint *checkpoint, const costab_sink *sink,
                                       const costab_notes *notes, costab_error *error);

/* Like costab_checkpoint_replay, for `count` logs at once: the k-th has the tiles k, k + count, k + 2 * count
 * and so on. Stops at the first incomplete tile. */
costab_status costab_checkpoint_replay_all(costab_checkpoint *const *logs, size_t count,
                                           const costab_sink *sink, const costab_notes *notes,
                                           costab_error *error);

/* Makes a sink that appends committed tiles to the log. Tiles must come in order, from the first missing tile
 * on. Tiles are written when they are complete. If they take less than 1 ms on average, they wait in memory
 * together, up to 20 ms or 256 KiB. Their notes are stored in the log too. */
costab_status costab_checkpoint_sink(costab_checkpoint *checkpoint, costab_sink *sink, costab_error *error);

/* Writes the waiting complete tiles of the sink to the file. */
costab_status costab_checkpoint_flush(costab_checkpoint *checkpoint, costab_error *error);

/* Copies a log with all tiles of its plan into the results file `path` (costab_store_create), and removes the
 * log. Equal logs give equal bytes. COSTAB_INVALID if tiles are missing, or if costab did not write the
 * existing file `path`, unless the info of the log has `force`. Sets *checkpoint to NULL; after a failure the
 * log stays open with all its tiles. */
costab_status costab_checkpoint_finish(costab_checkpoint **checkpoint, const char *path, costab_error *error);

/* Renames a complete log to `path`, for costab_study_merge, and closes it. The file is on the disk before it
 * gets its new name. Failures as for costab_checkpoint_finish. */
costab_status costab_checkpoint_publish(costab_checkpoint **checkpoint, const char *path,
                                        costab_error *error);

/* Closes the log. Removes a log open for writing unless `keep` is true and it has a tile. Drops tiles that
 * can no longer be written, such as on a full disk. Sets *checkpoint to NULL; NULL is allowed. */
void costab_checkpoint_close(costab_checkpoint **checkpoint, bool keep);
