/* Reads a log, record by record: counts its complete tiles, or commits them to a sink. Also has the functions
 * on fields and records that the writer of logs shares.
 *   1. Each record's header is compared with its checksum and with the expected next record: the tile, then
 *      its fields in order.
 *   2. The bytes are compared with their checksum.
 *   3. Reading ends at the first error: earlier tiles are valid, and later ones are computed again.
 *
 * Cost: one pass over the file. Limitation: checksums (CRC-32) detect accidents, not forgeries. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "store/checkpoint.h"
#include "store/chunk.h"
#include "store/log.h"
#include "sweep/packed.h"
#include "sweep/run.h"

/* Size of the buffer for headers and small chunks; larger chunks are read without it. */
#define BLOCK ((size_t)1 << 16)

/* Reads a file from front to end. */
typedef struct reader {
    int descriptor;
    uint64_t at, size;    /* position in the file, size of the file */
    unsigned char *block; /* the buffer; it holds block_size bytes of the file from block_at on */
    uint64_t block_at;
    size_t block_size;
    int number; /* errno of a failure */
} reader;

/* Reads `size` bytes. Returns false at the end of the file and after a read error. */
static bool reader_get(reader *r, void *to, size_t size) {
    if (size > r->size - r->at) return false;
    if (size <= BLOCK && (r->at < r->block_at || r->at + size > r->block_at + r->block_size)) {
        r->block_at = r->at;
        r->block_size = r->size - r->at < BLOCK ? (size_t)(r->size - r->at) : BLOCK;
        int number = file_read_at(r->descriptor, r->block, r->block_size, r->at);
        if (number) {
            r->block_size = 0;
            r->number = number > 0 ? number : 0;
            return false;
        }
    }
    if (size <= BLOCK) {
        memcpy(to, r->block + (r->at - r->block_at), size);
    } else {
        int number = file_read_at(r->descriptor, to, size, r->at);
        r->number = number > 0 ? number : 0;
        if (number) return false;
    }
    r->at += size;
    return true;
}

uint32_t checkpoint_record_sum(const checkpoint_record *record) {
    return store_sum(record, offsetof(checkpoint_record, sum));
}

int checkpoint_next_field(const costab_plan *plan, const costab_tile *tile, int after) {
    int field = after + 1;
    while (field < plan->field_count && costab_tile_values(plan, field, tile) == 0) field++;
    return field;
}

void checkpoint_skip(costab_checkpoint *c) {
    for (; c->next_tile < c->tiles; c->next_tile += c->head.step) {
        costab_tile tile;
        costab_plan_tile(c->plan, c->next_tile, &tile);
        if (checkpoint_next_field(c->plan, &tile, -1) < c->plan->field_count) return;
    }
}

/* Reads a record's header. Returns false unless it is valid and of this field of the tile, or of a note. */
static bool get_record(reader *r, const costab_tile *tile, int field, checkpoint_record *record) {
    return reader_get(r, record, sizeof *record) && record->sum == checkpoint_record_sum(record) &&
           record->tile == tile->index && record->zero == 0 && record->size <= r->size - r->at &&
           (record->field == (uint32_t)field || record->field == CHECKPOINT_NOTE);
}

/* Receiver of a walk. take: consumes the bytes after a record's header. [out] *good: false if their checksum
 * is wrong. end: called after a complete tile; may be NULL. */
typedef struct walker {
    void *context;
    costab_status (*take)(void *context, reader *r, const costab_tile *tile, const checkpoint_record *record,
                          bool *good, costab_error *error);
    costab_status (*end)(void *context, costab_tile *tile, costab_error *error);
} walker;

static void reader_end(reader *r) {
    memory_free(r->block);
}

/* Starts reading after the header of the log. */
static costab_status reader_begin(costab_checkpoint *c, reader *r, costab_error *error) {
    struct stat info;
    c->next_tile = c->head.first;
    c->end = c->head.size;
    c->damaged = false;
    if (fstat(c->draft.descriptor, &info) != 0) return file_read_error(error, c->path, errno);
    *r = (reader){.descriptor = c->draft.descriptor, .at = c->end, .size = (uint64_t)info.st_size};
    return memory_make(&r->block, BLOCK, error);
}

/* Walks through the next tile. *good: false at the end of the log, and at the first wrong record. */
static costab_status walk_tile(costab_checkpoint *c, reader *r, const walker *w, bool *good,
                               costab_error *error) {
    costab_tile tile;
    *good = c->next_tile < c->tiles;
    if (!*good) return COSTAB_OK;
    costab_plan_tile(c->plan, c->next_tile, &tile);
    int field = checkpoint_next_field(c->plan, &tile, -1);
    while (*good && field < c->plan->field_count) {
        checkpoint_record record;
        *good = get_record(r, &tile, field, &record);
        if (*good) TRY(w->take(w->context, r, &tile, &record, good, error));
        if (*good && record.field != CHECKPOINT_NOTE) field = checkpoint_next_field(c->plan, &tile, field);
    }
    if (r->number) return file_read_error(error, c->path, r->number);
    if (!*good) return COSTAB_OK;
    if (w->end) TRY(w->end(w->context, &tile, error));
    c->next_tile += c->head.step;
    c->end = r->at;
    return COSTAB_OK;
}

/* Walks through the log up to the first wrong record; sets `next_tile`, `end` and `damaged`. */
static costab_status walk(costab_checkpoint *c, const walker *w, costab_error *error) {
    ends_by(reader_end) reader r = {.block = NULL};
    bool good = true;
    TRY(reader_begin(c, &r, error));
    while (good) TRY(walk_tile(c, &r, w, &good, error));
    c->damaged = c->end < r.size;
    return COSTAB_OK;
}

/* Walks over the bytes of a record without reading them (walker.take). */
static costab_status step_over(void *context, reader *r, const costab_tile *tile,
                               const checkpoint_record *record, bool *good, costab_error *error) {
    (void)context;
    (void)tile;
    (void)good;
    (void)error;
    r->at += record->size;
    return COSTAB_OK;
}

costab_status checkpoint_count(const costab_checkpoint *checkpoint, size_t *next, costab_error *error) {
    costab_checkpoint c = *checkpoint; /* the walk changes only this copy */
    costab_status status = walk(&c, &(walker){.take = step_over}, error);
    *next = c.next_tile;
    return status;
}

/* Destination of the tiles, and the chunks and note of the current tile. */
typedef struct replay {
    costab_checkpoint *checkpoint;
    const costab_sink *sink;
    const costab_notes *notes;
    costab_packed packed[COSTAB_FIELDS_MAX], note;
} replay;

static void replay_end(replay *p) {
    for (int f = 0; f < COSTAB_FIELDS_MAX; f++) memory_free(p->packed[f].bytes);
    memory_free(p->note.bytes);
}

/* Reads the bytes of a record and compares them with their checksum (walker.take). */
static costab_status get_bytes(void *context, reader *r, const costab_tile *tile,
                               const checkpoint_record *record, bool *good, costab_error *error) {
    replay *p = context;
    costab_packed *packed = record->field == CHECKPOINT_NOTE ? &p->note : &p->packed[record->field];
    size_t size = (size_t)record->size;
    (void)tile;
    TRY(packed_size(packed, size, error));
    packed->sum = record->bytes_sum;
    *good = (size == 0 || reader_get(r, packed->bytes, size)) &&
            record->bytes_sum == store_sum(packed->bytes, size);
    return COSTAB_OK;
}

/* Passes the current tile to the sink, and its note to the evaluator (walker.end). */
static costab_status give_tile(void *context, costab_tile *tile, costab_error *error) {
    replay *p = context;
    const costab_plan *plan = p->checkpoint->plan;
    tile->note = &p->note;
    if (p->notes && p->notes->give && p->note.size > 0)
        TRY(p->notes->give(p->notes->context, tile, p->note.bytes, p->note.size, error));
    for (int f = checkpoint_next_field(plan, tile, -1); p->sink && f < plan->field_count;
         f = checkpoint_next_field(plan, tile, f))
        TRY(p->sink->commit(p->sink->context, tile, f, &p->packed[f], error));
    p->note.size = 0;
    return COSTAB_OK;
}

costab_status costab_checkpoint_replay(costab_checkpoint *c, const costab_sink *sink,
                                       const costab_notes *notes, costab_error *error) {
    if (!c || !c->plan) return error_missing(error, "a checkpoint with a plan");
    c->next_tile = c->head.first;
    if (c->is_new) return COSTAB_OK;
    ends_by(replay_end) replay p = {.checkpoint = c, .sink = sink, .notes = notes};
    costab_status status = walk(c, &(walker){.context = &p, .take = get_bytes, .end = give_tile}, error);
    c->is_replayed = !status;
    if (status)
        c->reading = true; /* costab_checkpoint_close neither changes nor removes the file */
    else
        c->first_unsafe = c->next_tile;
    return status;
}

/* One of several logs. */
typedef struct part {
    reader reader;
    replay replay;
} part;

typedef struct part_list {
    part *of;
    size_t count;
} part_list;

static void parts_end(part_list *parts) {
    for (size_t k = 0; k < parts->count && parts->of; k++) {
        reader_end(&parts->of[k].reader);
        replay_end(&parts->of[k].replay);
    }
    memory_free(parts->of);
}

costab_status costab_checkpoint_replay_all(costab_checkpoint *const *logs, size_t count,
                                           const costab_sink *sink, const costab_notes *notes,
                                           costab_error *error) {
    ends_by(parts_end) part_list parts = {.count = count};
    TRY(memory_make(&parts.of, count, error));
    for (size_t k = 0; k < count; k++) {
        if (!logs[k] || !logs[k]->plan) return error_missing(error, "a checkpoint with a plan");
        TRY(reader_begin(logs[k], &parts.of[k].reader, error));
        parts.of[k].replay = (replay){.checkpoint = logs[k], .sink = sink, .notes = notes};
    }
    bool good = count > 0;
    for (size_t k = 0; good; k = (k + 1) % count) {
        part *p = &parts.of[k];
        const walker w = {.context = &p->replay, .take = get_bytes, .end = give_tile};
        TRY(walk_tile(logs[k], &p->reader, &w, &good, error));
        logs[k]->first_unsafe = logs[k]->next_tile;
    }
    return COSTAB_OK;
}
