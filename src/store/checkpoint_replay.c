/* Reading a log, record by record.
 *
 *   1. Each record's head is held against its checksum and against what must come next: the tile, then its
 *      fields in order.
 *   2. The bytes are held against theirs.
 *   3. At the first that is wrong reading ends: the tiles before it are good, and the rest is computed
 *      again.
 *
 * Cost: one pass over the file. Checksums (CRC-32) tell accidents, not forgeries. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "store/checkpoint.h"
#include "store/chunk.h"
#include "sweep/packed.h"

#define BLOCK ((size_t)1 << 16)

/* A file read from front to end; small pieces come out of a block. */
typedef struct reader {
    int descriptor;
    uint64_t at, size; /* of the file */
    unsigned char *block;
    uint64_t block_at;
    size_t block_size;
    int number; /* errno of a failure */
} reader;

static costab_status reader_start(reader *r, const costab_checkpoint *c, costab_error *error) {
    struct stat info;
    if (fstat(c->draft.descriptor, &info) != 0) return file_read_error(error, c->path, errno);
    *r = (reader){.descriptor = c->draft.descriptor, .at = c->head.size, .size = (uint64_t)info.st_size};
    r->block = memory_alloc(BLOCK, 1);
    return r->block ? COSTAB_OK : error_memory(error);
}

/* False at the end of the file and where it cannot be read. */
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

void checkpoint_skip(costab_checkpoint *c) {
    for (; c->next_tile < c->head.last; c->next_tile++) {
        costab_tile tile;
        costab_plan_tile(c->plan, c->next_tile, &tile);
        for (int f = 0; f < c->plan->field_count; f++)
            if (costab_tile_values(c->plan, f, &tile) > 0) return;
    }
}

bool checkpoint_is_last(const costab_plan *plan, const costab_tile *tile, int field) {
    for (int f = field + 1; f < plan->field_count; f++)
        if (costab_tile_values(plan, f, tile) > 0) return false;
    return true;
}

/* A record's head as it must be behind the field `after` of a tile: the next field that the tile carries, or
 * a note. */
static bool get_record(reader *r, const costab_plan *plan, const costab_tile *tile, int after,
                       checkpoint_record *record) {
    if (!reader_get(r, record, sizeof *record) || record->sum != checkpoint_record_sum(record) ||
        record->tile != tile->index || record->zero != 0 || record->size > r->size - r->at)
        return false;
    if (record->field == CHECKPOINT_NOTE) return true;
    int next = after + 1;
    while (next < plan->field_count && costab_tile_values(plan, next, tile) == 0) next++;
    return record->field == (uint32_t)next && next < plan->field_count;
}

/* Follows the records of one tile. *whole: all of them are there. */
static costab_status visit_tile(reader *r, const costab_plan *plan, const costab_tile *tile,
                                const checkpoint_visitor *visitor, bool *whole, costab_error *error) {
    int field = -1;
    *whole = true;
    while (field < 0 || !checkpoint_is_last(plan, tile, field)) {
        checkpoint_record record;
        *whole = get_record(r, plan, tile, field, &record);
        if (!*whole) break;
        uint64_t at = r->at;
        r->at += record.size;
        if (record.field == CHECKPOINT_NOTE) continue;
        field = (int)record.field;
        if (visitor) TRY(visitor->chunk(visitor->context, tile, field, at, record.size, error));
    }
    return COSTAB_OK;
}

costab_status checkpoint_visit(const costab_checkpoint *checkpoint, const checkpoint_visitor *visitor,
                               size_t *next, costab_error *error) {
    costab_checkpoint c = *checkpoint; /* of the copy only `turn` is changed */
    reader r;
    bool whole = true;
    *next = c.next_tile = c.head.first;
    costab_status status = reader_start(&r, &c, error);
    if (status) return status;
    for (checkpoint_skip(&c); c.next_tile < c.head.last; c.next_tile++, checkpoint_skip(&c)) {
        costab_tile tile;
        costab_plan_tile(c.plan, c.next_tile, &tile);
        status = visit_tile(&r, c.plan, &tile, visitor, &whole, error);
        if (status || !whole) break;
    }
    memory_free(r.block);
    *next = c.next_tile;
    return !status && r.number ? file_read_error(error, c.path, r.number) : status;
}

/* The records of one tile. */
typedef struct whole_tile {
    costab_tile tile;
    costab_packed packed[COSTAB_FIELDS_MAX], note;
    uint32_t sum; /* of the log up to its end */
} whole_tile;

static void whole_tile_free(whole_tile *t) {
    if (!t) return;
    for (int f = 0; f < COSTAB_FIELDS_MAX; f++) memory_free(t->packed[f].bytes);
    memory_free_all(t->note.bytes, t);
}

uint32_t checkpoint_sum(uint32_t sum, const checkpoint_record *record) {
    uLong with = crc32_z(sum, (const void *)record, sizeof *record);
    return (uint32_t)crc32_combine(with, record->bytes_sum, (z_off_t)record->size);
}

static costab_status get_bytes(reader *r, const checkpoint_record *record, costab_packed *packed, bool *good,
                               costab_error *error) {
    size_t size = (size_t)record->size;
    TRY(packed_size(packed, size, error));
    packed->sum = record->bytes_sum;
    *good = (size == 0 || reader_get(r, packed->bytes, size)) &&
            record->bytes_sum == store_sum(packed->bytes, size);
    return COSTAB_OK;
}

/* *good: the tile is whole. */
static costab_status get_tile(reader *r, const costab_plan *plan, whole_tile *t, bool *good,
                              costab_error *error) {
    int field = -1;
    t->note.size = 0;
    *good = true;
    while (*good && (field < 0 || !checkpoint_is_last(plan, &t->tile, field))) {
        checkpoint_record record;
        *good = get_record(r, plan, &t->tile, field, &record);
        if (!*good) break;
        bool note = record.field == CHECKPOINT_NOTE;
        if (!note) field = (int)record.field;
        TRY(get_bytes(r, &record, note ? &t->note : &t->packed[field], good, error));
        t->sum = checkpoint_sum(t->sum, &record);
    }
    return COSTAB_OK;
}

static costab_status give_tile(const costab_plan *plan, whole_tile *t, const costab_sink *sink,
                               const costab_notes *notes, costab_error *error) {
    if (notes && notes->give && t->note.size > 0)
        TRY(notes->give(notes->context, &t->tile, t->note.bytes, t->note.size, error));
    for (int f = 0; sink && f < plan->field_count; f++)
        if (costab_tile_values(plan, f, &t->tile) > 0)
            TRY(sink->commit(sink->context, &t->tile, f, &t->packed[f], error));
    return COSTAB_OK;
}

costab_status costab_checkpoint_replay(costab_checkpoint *c, const costab_sink *sink,
                                       const costab_notes *notes, costab_error *error) {
    reader r;
    if (!c || !c->plan) return error_missing(error, "a checkpoint with a plan");
    c->next_tile = c->head.first;
    if (c->is_new) return COSTAB_OK;
    costab_status status = reader_start(&r, c, error);
    if (status) return status;
    whole_tile *t = memory_alloc(1, sizeof *t);
    if (!t) status = error_memory(error);
    bool good = true;
    c->end = c->head.size;
    c->sum = checkpoint_head_sum(&c->head);
    for (checkpoint_skip(c); c->next_tile < c->head.last && !status; c->next_tile++, checkpoint_skip(c)) {
        costab_plan_tile(c->plan, c->next_tile, &t->tile);
        t->tile.note = &t->note;
        t->sum = c->sum;
        status = get_tile(&r, c->plan, t, &good, error);
        if (r.number) status = file_read_error(error, c->path, r.number);
        if (status || !good) break;
        status = give_tile(c->plan, t, sink, notes, error);
        c->end = r.at;
        c->sum = t->sum;
    }
    /* Behind a whole log that is gone on with, a run may have begun to make it a results file. */
    c->damaged = !status && c->end < r.size && (c->reading || c->next_tile < c->head.last);
    c->is_replayed = !status;
    if (status)
        c->reading = true; /* it stays as it is */
    else
        c->first_unsafe = c->next_tile;
    whole_tile_free(t);
    memory_free(r.block);
    return status;
}
