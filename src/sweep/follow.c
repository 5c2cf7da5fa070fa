/* The ranks of a team other than 0:
 *
 *  1. A rank reports to rank 0, and waits for orders: numbers of tiles.
 *  2. Its threads compute these tiles like those of a run alone (runner.c), in the order of the orders.
 *  3. Finished tiles are sent to rank 0. A failure is reported to it, which ends all ranks. */
#include <string.h>

#include "base/error.h"
#include "sweep/message.h"
#include "sweep/runner.h"

static costab_status deliver(runner *r, slot *s, costab_error *error) {
    return message_result(r->options->team, r->plan, &s->tile, s->packed, &s->note, error);
}

costab_status runner_join(runner *r, costab_error *error) {
    const costab_team *team = r->options->team;
    message_hello hello = {.fingerprint = message_fingerprint(r->plan, r->options->identity),
                           .threads = (uint64_t)r->threads};
    r->first = 0;
    atomic_store(&r->end, SIZE_MAX); /* until rank 0 says that there is no more */
    r->deliver = deliver;
    return team->send(team->context, 0, MESSAGE_HELLO, &hello, sizeof hello, error);
}

static costab_status take_order(runner *r, const costab_message *m, costab_error *error) {
    for (size_t at = 0; at + sizeof(uint64_t) <= m->size; at += sizeof(uint64_t)) {
        uint64_t number;
        size_t known = atomic_load(&r->known);
        memcpy(&number, (const unsigned char *)m->bytes + at, sizeof number);
        if (number >= r->tiles || known >= atomic_load(&r->delivered) + r->ring)
            return error_set(error, COSTAB_IO, "an order from rank 0 is damaged");
        costab_plan_tile(r->plan, (size_t)number, &r->slots[known % r->ring].tile);
        atomic_store(&r->known, known + 1);
    }
    return COSTAB_OK;
}

/* Takes one message, if there is one. *over: the run has ended. */
static bool receive(runner *r, bool *over) {
    const costab_team *team = r->options->team;
    costab_error error = {.status = COSTAB_OK};
    costab_message m;
    costab_status status = team->receive(team->context, &m, &error);
    if (status) *over = true; /* rank 0 cannot be reached */
    if (!status && m.from < 0) return false;
    if (!status && m.kind == MESSAGE_ORDER) status = take_order(r, &m, &error);
    if (!status && m.kind == MESSAGE_OVER) {
        *over = true;
        if (message_read_over(&m))
            atomic_store(&r->end, atomic_load(&r->known));
        else
            status = error_set(&error, COSTAB_CANCELLED, "stopped by rank 0");
    }
    runner_check(r, status, &error);
    return true;
}

/* Reports the failure to rank 0, which tells the user once for all ranks. */
static void tell_failure(const runner *r) {
    const costab_team *team = r->options->team;
    costab_error said = {.status = COSTAB_OK};
    error_set(&said, (costab_status)atomic_load(&r->status), "rank %d: %.4000s", team->rank,
              r->error.message);
    (void)message_failed(team, said.status, &said, NULL);
}

void runner_follow(runner *r, const runner_blocks *blocks) {
    unsigned idle = 0;
    bool over = false, told = false;
    while (!over) {
        bool busy = receive(r, &over);
        busy |= runner_deliver(r);
        if (blocks != NULL) busy |= runner_step(r, blocks);
        if (runner_failed(r) && !told && !over) {
            tell_failure(r);
            told = true;
        }
        if (busy) {
            idle = 0;
            continue;
        }
        runner_ask(r);
        runner_nap(&idle);
    }
}
