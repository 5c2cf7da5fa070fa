/* costab/checkpoint.h - a log of finished tiles, from which a stopped sweep goes on, and of which several
 * make one sweep.
 *
 * A log holds the packed chunks of a range of tiles in their order, each with a checksum, behind a head that
 * says which sweep they are of. It grows by whole tiles. A log that was cut short or damaged is good up to
 * there. */
#ifndef COSTAB_CHECKPOINT_H
#define COSTAB_CHECKPOINT_H

#include "costab/store.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct costab_checkpoint costab_checkpoint;

/* The sweep that a log belongs to. Two are the same where the whole text of the spec, the plan, the range of
 * tiles, the program's version and revision and the compression library are. */
typedef struct costab_checkpoint_key {
    const costab_plan *plan;       /* borrowed until close */
    const costab_store_info *info; /* borrowed for the call */
    size_t first, last;            /* tiles, first <= i < last; last 0: to the end */
} costab_checkpoint_key;

typedef enum costab_checkpoint_mode {
    COSTAB_CHECKPOINT_NEW,    /* a log that is there is replaced */
    COSTAB_CHECKPOINT_RESUME, /* a log that is there is gone on with; without one a new one begins */
} costab_checkpoint_mode;

/* Begins the log of a results file, "OUTPUT.checkpoint" (behind symbolic links), or goes on with the one that
 * is there. It is locked: a second process is refused with COSTAB_IO. COSTAB_INVALID for a range beyond the
 * plan's tiles; where the log is of another sweep, version or word order, where its head is damaged, and
 * where the file is no log at all. [out] *checkpoint: to be closed. */
COSTAB_API costab_status costab_checkpoint_open(const char *output, const costab_checkpoint_key *key,
                                                costab_checkpoint_mode mode, costab_checkpoint **checkpoint,
                                                costab_error *error);

/* Opens any log for reading: costab_checkpoint_plan next, then replay. Nothing is written or locked. */
COSTAB_API costab_status costab_checkpoint_read(const char *path, costab_checkpoint **checkpoint,
                                                costab_error *error);

/* What a log says of its sweep; borrowed until close. */
COSTAB_API const costab_store_info *costab_checkpoint_info(const costab_checkpoint *checkpoint);

/* Gives a log opened for reading the plan (borrowed) that its spec makes. COSTAB_INVALID where it is not the
 * one that the log was written with, or this is another version of costab. */
COSTAB_API costab_status costab_checkpoint_plan(costab_checkpoint *checkpoint, const costab_plan *plan,
                                                costab_error *error);

/* Where a log stands. `next` is the first tile that is not in it, up to replay only by what the sizes of its
 * records say. `damaged`: replay stopped before the end of the file, at bytes that are no record or do not
 * fit their checksum. `replaced`: tiles of the log that COSTAB_CHECKPOINT_NEW replaced. */
typedef struct costab_checkpoint_state {
    size_t first, next, last;
    bool damaged;
    bool locked; /* false where the file system cannot lock */
    size_t replaced;
    const char *path; /* of the log; borrowed until close */
} costab_checkpoint_state;
COSTAB_API costab_checkpoint_state costab_checkpoint_at(const costab_checkpoint *checkpoint);

/* Commits the whole tiles of the log to a sink (of a store, or of another log) in their order, and returns at
 * its end or where it is damaged; a log that is gone on with is cut there. To be called once, before the sink
 * below is used. sink and notes may be NULL. */
COSTAB_API costab_status costab_checkpoint_replay(costab_checkpoint *checkpoint, const costab_sink *sink,
                                                  const costab_notes *notes, costab_error *error);

/* A sink that passes blocks and chunks on to another one and keeps what is committed. Tiles must come in
 * order, from `next` on. What is kept reaches the file when it takes long to compute again, at the latest at
 * the next tile after 20 ms. inner: NULL where a log is all that is wanted (then a packer of the plan packs).
 * notes may be NULL. */
COSTAB_API costab_status costab_checkpoint_sink(costab_checkpoint *checkpoint, const costab_sink *inner,
                                                const costab_notes *notes, costab_sink *sink,
                                                costab_error *error);

/* Writes what the sink has not written yet. */
COSTAB_API costab_status costab_checkpoint_flush(costab_checkpoint *checkpoint, costab_error *error);

/* Closes a whole log and gives it the name `path`, as a part for others to merge: it appears there at once,
 * and synchronised. COSTAB_INVALID where tiles are missing. Sets *checkpoint to NULL. */
COSTAB_API costab_status costab_checkpoint_publish(costab_checkpoint **checkpoint, const char *path,
                                                   costab_error *error);

/* Closes the log; it stays if `keep` and a tile is in it, and is removed otherwise (never one opened for
 * reading). What cannot be written any more is left out. Sets *checkpoint to NULL; NULL is allowed. */
COSTAB_API void costab_checkpoint_close(costab_checkpoint **checkpoint, bool keep);

#ifdef __cplusplus
}
#endif
#endif
