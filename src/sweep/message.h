/* sweep/message.h - what the ranks of a team say to each other. All ranks are processes of one program on
 * machines of one kind: numbers travel as they stand in memory. */
#pragma once

#include "costab/sweep.h"

typedef enum message_kind {
    MESSAGE_HELLO,  /* to rank 0: ready for the run */
    MESSAGE_FAILED, /* to rank 0: what went wrong */
    MESSAGE_ORDER,  /* from rank 0: numbers of tiles to compute */
    MESSAGE_RESULT, /* to rank 0: a packed tile */
    MESSAGE_OVER    /* from rank 0: no more orders in this run; whether it went well */
} message_kind;

typedef struct message_hello {
    uint64_t fingerprint, threads;
} message_hello;

/* A number for the plan, the identity (may be NULL) and the program: equal where ranks would compute the
 * same. */
uint64_t message_fingerprint(const costab_plan *plan, const char *identity);

/* Tells rank 0 of a failure. */
costab_status message_failed(const costab_team *team, costab_status status, const costab_error *why,
                             costab_error *error);

/* Reads MESSAGE_FAILED into *error and returns its status. */
costab_status message_read_failed(const costab_message *message, costab_error *error);

/* Tells all other ranks that the run is over. A rank that cannot be reached has ended. */
void message_over(const costab_team *team, costab_status status);
bool message_read_over(const costab_message *message);

/* Sends the fields that a tile carries, and the note on it. */
costab_status message_result(const costab_team *team, const costab_plan *plan, const costab_tile *tile,
                             const costab_packed *packed, const costab_packed *note, costab_error *error);

/* The tile's number in a MESSAGE_RESULT; false where the message is too short. */
bool message_read_tile(const costab_message *message, uint64_t *number);

/* Reads the fields that `tile` carries into packed, and the note. */
costab_status message_read_result(const costab_message *message, const costab_plan *plan,
                                  const costab_tile *tile, costab_packed *packed, costab_packed *note,
                                  costab_error *error);
