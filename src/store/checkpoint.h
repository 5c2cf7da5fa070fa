/* store/checkpoint.h - a log of finished tiles: what its writer, its reader and its head share.
 *
 * In the file, in the machine's word order: the head, then one record per chunk, tile by tile, in the order
 * of fields. A note stands before the last chunk of its tile, so that a tile is whole with its last chunk. */
#ifndef STORE_CHECKPOINT_H
#define STORE_CHECKPOINT_H

#include <stdint.h>

#include "base/text.h"
#include "costab/checkpoint.h"

/* What stands before the bytes of a chunk or note. The sums are CRC-32, of the bytes and of this record
 * before `sum`. */
typedef struct checkpoint_record {
    uint64_t tile, size;
    uint32_t field; /* CHECKPOINT_NOTE: a note */
    uint32_t flags;
    uint32_t bytes_sum, sum;
} checkpoint_record;

#define CHECKPOINT_NOTE UINT32_MAX

typedef struct checkpoint_head {
    char *bytes; /* the whole head as it stands in the file; the rest points into it */
    size_t size;
    uint64_t plan; /* hash_plan */
    size_t first, last;
    const char *version;
    costab_store_info info;
} checkpoint_head;

struct costab_checkpoint {
    char *path;
    int descriptor;
    bool reading, locked, fresh, damaged;
    bool named; /* its name has been synchronised */
    bool force; /* costab_store_info.force of the file that it becomes */
    bool known; /* it is known what the file holds, as it was begun here or replayed */
    checkpoint_head head;
    const costab_plan *plan;
    size_t turn, safe; /* first tile that is not committed; that is not in the file */
    size_t replaced;
    uint64_t end;                /* of the whole tiles in the file, or of the head */
    text waiting;                /* records that were not written to the file yet */
    size_t whole;                /* of these, bytes of whole tiles */
    double began, wrote, synced; /* seconds */
    size_t committed;            /* tiles, through the sink */
    costab_packer *packer;
    costab_sink inner;
    costab_notes notes;
    costab_packed note;
};

/* Makes the head of a key's log. */
costab_status checkpoint_head_make(const costab_checkpoint_key *key, size_t last, checkpoint_head *head,
                                   costab_error *error);

/* Reads the head of the file: COSTAB_INVALID where it is none of ours or damaged. *foreign: the file is no
 * log at all. A head that was cut short by the end of the file leaves head->bytes NULL. */
costab_status checkpoint_head_read(int descriptor, const char *path, checkpoint_head *head, bool *foreign,
                                   costab_error *error);

/* Whether two logs are of the same sweep; else COSTAB_INVALID, saying what differs. */
costab_status checkpoint_head_same(const checkpoint_head *found, const checkpoint_head *wanted,
                                   const char *path, costab_error *error);
void checkpoint_head_free(checkpoint_head *head);

/* The program and library that logs must share. */
void checkpoint_version(text *version);

/* Moves checkpoint->turn on over tiles that carry no field. */
void checkpoint_skip(costab_checkpoint *checkpoint);

/* Whether `field` is the last one that the tile carries. */
bool checkpoint_is_last(const costab_plan *plan, const costab_tile *tile, int field);

uint32_t checkpoint_record_sum(const checkpoint_record *record);

/* Follows the records by their sizes only: the first tile that is not whole. */
size_t checkpoint_count(const costab_checkpoint *checkpoint);

#endif
