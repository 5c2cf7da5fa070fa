/* store/checkpoint.h - a log of finished tiles: what its writer, its reader and its head share.
 *
 * In the file, in the machine's word order: the head, then one record per chunk, tile by tile, in the order
 * of fields. A note stands before the last chunk of its tile, so that a tile is whole with its last chunk. */
#pragma once

#include <stdint.h>

#include "base/file.h"
#include "base/text.h"
#include "store/log.h"

/* The first 8 bytes of a log. */
#define CHECKPOINT_MARK "\211costab "

/* What stands before the bytes of a chunk or note. The sums are CRC-32, of the bytes and of this record
 * before `sum`. */
typedef struct checkpoint_record {
    uint64_t tile, size;
    uint32_t field; /* CHECKPOINT_NOTE: a note */
    uint32_t zero;
    uint32_t bytes_sum, sum;
} checkpoint_record;

#define CHECKPOINT_NOTE UINT32_MAX

typedef struct checkpoint_head {
    char *bytes;   /* as they stand in the file; the rest points into them */
    size_t size;   /* of them: where the records begin */
    uint64_t plan; /* hash_plan */
    size_t first, step;
    const char *version;
    costab_store_info info;
} checkpoint_head;

struct costab_checkpoint {
    char *path;       /* for messages */
    file_draft draft; /* without a name while it is read; terms.alone: it is locked */
    bool reading;     /* it is read alone, and nothing of it is changed or removed */
    bool is_new;      /* it was begun here, and no older tiles are kept */
    bool damaged;     /* something in it was cut short or damaged */
    bool force;       /* a file that costab did not write is replaced, too */
    bool named;       /* its name has been synchronised */
    bool is_replayed; /* it is known what the file holds, as it is new or was replayed */
    checkpoint_head head;
    const costab_plan *plan; /* borrowed */
    size_t tiles;            /* how many the plan has */
    size_t next_tile;        /* the first tile that is not committed */
    size_t first_unsafe;     /* the first tile that is not in the file */
    size_t replaced_tiles;   /* how many tiles of an older log a new one replaces */
    uint64_t end;            /* of the whole tiles in the file, or of the head */
    text waiting;            /* records that were not written to the file yet */
    size_t whole_size;       /* of these, bytes of whole tiles */
    /* Seconds (number_seconds) at which the sink was made, and of the last write and synchronisation. */
    double begin_time, write_time, sync_time;
    size_t committed; /* tiles, through the sink */
};

/* Makes the head of a key's log. */
costab_status checkpoint_head_make(const costab_checkpoint_key *key, checkpoint_head *head,
                                   costab_error *error);

/* Reads the head of the file: COSTAB_INVALID where it is none of ours or damaged. *foreign: the file is no
 * log at all. A head that was cut short by the end of the file, or that a loss of power left empty in a log
 * that is written, leaves head->bytes NULL. */
costab_status checkpoint_head_read(int descriptor, const char *path, bool writing, checkpoint_head *head,
                                   bool *foreign, costab_error *error);

/* Whether two logs are of the same sweep; else COSTAB_INVALID, saying what differs. */
costab_status checkpoint_head_same(const checkpoint_head *found, const checkpoint_head *wanted,
                                   const char *path, costab_error *error);
void checkpoint_head_free(checkpoint_head *head);

/* The program and library that logs must share. */
void checkpoint_version(text *version);

/* Moves checkpoint->next_tile on over tiles that carry no field. */
void checkpoint_skip(costab_checkpoint *checkpoint);

/* The first field behind `after` (-1: of all) that the tile carries; plan->field_count: there is none. */
int checkpoint_next_field(const costab_plan *plan, const costab_tile *tile, int after);

uint32_t checkpoint_record_sum(const checkpoint_record *record);

/* How many tiles from the first on are whole, by the sizes of the records only. [out] *next: the first tile
 * that is not. */
costab_status checkpoint_count(const costab_checkpoint *checkpoint, size_t *next, costab_error *error);
