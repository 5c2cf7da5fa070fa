/* store/checkpoint.h - a log of finished tiles: data shared by its writer, its reader and its header.
 *
 * The file has the header, then one record per chunk, tile by tile, in the order of fields, all in the byte
 * order of the machine. A note (costab_notes) precedes the last chunk of its tile, so that a tile is complete
 * with its last chunk. */
#pragma once

#include <stdint.h>

#include "base/file.h"
#include "base/text.h"
#include "store/log.h"

/* The first 8 bytes of a log. */
#define CHECKPOINT_MARK "\211costab "

/* Header of a record, before the bytes of a chunk or note. Its checksums are CRC-32: of the bytes, and of
 * this header up to `sum`. */
typedef struct checkpoint_record {
    uint64_t tile, size;
    uint32_t field; /* CHECKPOINT_NOTE: a note */
    uint32_t zero;
    uint32_t bytes_sum, sum;
} checkpoint_record;

#define CHECKPOINT_NOTE UINT32_MAX

/* The header of the file. */
typedef struct checkpoint_head {
    char *bytes;        /* as in the file; `version` and `info` point into them */
    size_t size;        /* number of bytes; the records start there */
    uint64_t plan;      /* hash_plan */
    size_t first, step; /* as in costab_checkpoint_key, but step is at least 1 */
    const char *version;
    costab_store_info info;
} checkpoint_head;

struct costab_checkpoint {
    char *path;       /* for messages */
    file_draft draft; /* without a name while it is read; terms.alone: it is locked */
    bool reading;     /* the file is not changed and not removed */
    bool is_new;      /* this process has begun the log, without older tiles */
    bool damaged;     /* the walk through the records ended before the end of the file */
    bool force;       /* also replaces a file that costab did not write */
    bool named;       /* the folder with its name has been synchronised with the disk */
    bool is_replayed; /* the contents are known, because the file is new or was replayed */
    checkpoint_head head;
    const costab_plan *plan; /* borrowed */
    size_t tiles;            /* number of tiles of the plan */
    size_t next_tile;        /* next tile to be committed or read */
    size_t first_unsafe;     /* first tile not yet in the file */
    size_t replaced_tiles;   /* number of tiles of an older log that this log replaces */
    uint64_t end;            /* end of the complete tiles in the file, or of the header; 0 before a walk */
    text waiting;            /* records not yet written to the file */
    size_t whole_size;       /* number of their bytes that belong to complete tiles */
    /* Times of number_seconds: creation of the sink, last write and last synchronisation. */
    double begin_time, write_time, sync_time;
    size_t committed; /* number of tiles that came through the sink */
};

/* Makes the header of a new log. [out] *head: free it with checkpoint_head_free. */
costab_status checkpoint_head_make(const costab_checkpoint_key *key, checkpoint_head *head,
                                   costab_error *error);

/* Reads the header of the file. COSTAB_INVALID for a foreign or damaged header. [out] *foreign: the file is
 * not a log. [out] *head: free it with checkpoint_head_free; head->bytes stays NULL for a header cut short by
 * the end of the file, or, in a log open for writing, left empty by a loss of power. */
costab_status checkpoint_head_read(int descriptor, const char *path, bool writing, checkpoint_head *head,
                                   bool *foreign, costab_error *error);

/* Returns COSTAB_INVALID, with the difference, unless both logs belong to the same sweep. */
costab_status checkpoint_head_same(const checkpoint_head *found, const checkpoint_head *wanted,
                                   const char *path, costab_error *error);
void checkpoint_head_free(checkpoint_head *head);

/* Appends the versions of program and compression library, which all logs of a sweep must share. */
void checkpoint_version(text *version);

/* Advances checkpoint->next_tile over tiles without values of any field. */
void checkpoint_skip(costab_checkpoint *checkpoint);

/* Returns the first field after `after` (-1: of all fields) with values in the tile, or plan->field_count. */
int checkpoint_next_field(const costab_plan *plan, const costab_tile *tile, int after);

/* Returns the checksum of a record's header. */
uint32_t checkpoint_record_sum(const checkpoint_record *record);

/* Counts the complete tiles from the first on, by the sizes of the records only. [out] *next: the first
 * incomplete tile. */
costab_status checkpoint_count(const costab_checkpoint *checkpoint, size_t *next, costab_error *error);
