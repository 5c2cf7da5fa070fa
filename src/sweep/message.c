/* The messages between ranks: their bytes, made and read. */
#include "sweep/message.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "sweep/hash.h"
#include "sweep/packed.h"

/* What stands before the bytes of a field or note. */
typedef struct chunk_head {
    uint64_t size;
    uint64_t sum;
} chunk_head;

uint64_t message_fingerprint(const costab_plan *plan, const char *identity) {
    uint64_t h = hash_plan(plan);
    hash_text(&h, identity);
    hash_text(&h, costab_build_info());
    return h;
}

costab_status message_failed(const costab_team *team, costab_status status, const costab_error *why,
                             costab_error *error) {
    costab_error sent = *why;
    sent.status = status;
    size_t unused = sizeof sent.message - 1 - strlen(sent.message);
    return team->send(team->context, 0, MESSAGE_FAILED, &sent, sizeof sent - unused, error);
}

costab_status message_read_failed(const costab_message *message, costab_error *error) {
    costab_error said = {.status = COSTAB_OK};
    memcpy(&said, message->bytes, message->size < sizeof said ? message->size : sizeof said - 1);
    if (!said.status || (unsigned)said.status >= COSTAB_STATUS_COUNT) said.status = COSTAB_IO;
    if (error != NULL) *error = said;
    return said.status;
}

void message_over(const costab_team *team, costab_status status) {
    uint8_t well = !status;
    for (int to = 1; to < team->size; to++)
        (void)team->send(team->context, to, MESSAGE_OVER, &well, sizeof well, NULL);
}

bool message_read_over(const costab_message *message) {
    return message->size == 1 && *(const uint8_t *)message->bytes != 0;
}

static size_t chunk_size(const costab_packed *packed) {
    return sizeof(chunk_head) + packed->size;
}

static unsigned char *put_chunk(unsigned char *next, const costab_packed *packed) {
    chunk_head p = {.size = packed->size, .sum = packed->sum};
    memcpy(next, &p, sizeof p);
    if (p.size > 0) memcpy(next + sizeof p, packed->bytes, packed->size);
    return next + chunk_size(packed);
}

costab_status message_result(const costab_team *team, const costab_plan *plan, const costab_tile *tile,
                             const costab_packed *packed, const costab_packed *note, costab_error *error) {
    uint64_t number = tile->index;
    size_t size = sizeof number + chunk_size(note);
    for (int f = 0; f < plan->field_count; f++)
        if (costab_tile_values(plan, f, tile) > 0) size += chunk_size(&packed[f]);
    memory_local_array(unsigned char, bytes, size, error);
    memcpy(bytes, &number, sizeof number);
    unsigned char *next = put_chunk(bytes + sizeof number, note);
    for (int f = 0; f < plan->field_count; f++)
        if (costab_tile_values(plan, f, tile) > 0) next = put_chunk(next, &packed[f]);
    return team->send(team->context, 0, MESSAGE_RESULT, bytes, size, error);
}

bool message_read_tile(const costab_message *message, uint64_t *number) {
    if (message->size < sizeof *number) return false;
    memcpy(number, message->bytes, sizeof *number);
    return true;
}

/* Reads the next chunk of a message, of which *left bytes are left. */
static costab_status get_chunk(const costab_message *message, size_t *left, costab_packed *packed,
                               costab_error *error) {
    const unsigned char *next = (const unsigned char *)message->bytes + message->size - *left;
    chunk_head p = {.size = SIZE_MAX};
    if (*left >= sizeof p) memcpy(&p, next, sizeof p);
    if (*left < sizeof p || p.size > *left - sizeof p)
        return error_set(error, COSTAB_IO, "a message from rank %d is damaged", message->from);
    TRY(packed_set(packed, next + sizeof p, p.size, error));
    packed->sum = (uint32_t)p.sum;
    *left -= chunk_size(packed);
    return COSTAB_OK;
}

costab_status message_read_result(const costab_message *message, const costab_plan *plan,
                                  const costab_tile *tile, costab_packed *packed, costab_packed *note,
                                  costab_error *error) {
    size_t left = message->size - sizeof(uint64_t);
    TRY(get_chunk(message, &left, note, error));
    for (int f = 0; f < plan->field_count; f++)
        if (costab_tile_values(plan, f, tile) > 0) TRY(get_chunk(message, &left, &packed[f], error));
    return COSTAB_OK;
}
