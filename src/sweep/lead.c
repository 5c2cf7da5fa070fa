/* Rank 0 of a team.
 *
 *   1. Each rank says hello: the same build, the same input, how many threads.
 *   2. The messenger hands out numbers of tiles, from the sequence from which rank 0's own threads take
 *      theirs: a faster rank computes more. Each has TILES_PER_THREAD tiles for every thread, so that none
 *      waits for a message.
 *   3. Results that come back go into the ring, from which they are delivered in order. */
#include <string.h>

#include "base/error.h"
#include "sweep/message.h"
#include "sweep/runner.h"

#define TILES_PER_THREAD 2
#define WINDOW_MAX       1024

static costab_status take_hello(runner *r, const costab_message *m, size_t *threads, costab_error *error) {
    message_hello hello;
    if (m->size != sizeof hello) return error_set(error, COSTAB_IO, "rank %d runs another program", m->from);
    memcpy(&hello, m->bytes, sizeof hello);
    if (hello.fingerprint != message_fingerprint(r->plan, r->options->identity))
        return error_invalid(
            error, "rank %d has read another input than rank 0, or runs another build of costab", m->from);
    size_t window = TILES_PER_THREAD * (size_t)hello.threads;
    r->peers[m->from] = (runner_peer){.window = window < WINDOW_MAX ? window : WINDOW_MAX};
    *threads += (size_t)hello.threads;
    return COSTAB_OK;
}

costab_status runner_gather(runner *r, size_t *threads, costab_error *error) {
    const costab_team *team = r->options->team;
    unsigned idle = 0;
    *threads = (size_t)r->threads;
    for (int here = 1; here < team->size;) {
        costab_message m;
        TRY(team->receive(team->context, &m, error));
        if (m.from >= 0 && m.kind == MESSAGE_FAILED) return message_read_failed(&m, error);
        if (m.from >= 0 && m.kind == MESSAGE_HELLO) {
            TRY(take_hello(r, &m, threads, error));
            here++;
        }
        if (m.from >= 0) continue;
        runner_ask(r);
        if (runner_failed(r)) {
            if (error != NULL) *error = r->error;
            return (costab_status)atomic_load(&r->status);
        }
        runner_nap(&idle);
    }
    return COSTAB_OK;
}

static costab_status take_result(runner *r, const costab_message *m, costab_error *error) {
    uint64_t number;
    if (!message_read_tile(m, &number) || number < atomic_load(&r->delivered) ||
        number >= atomic_load(&r->next))
        return error_set(error, COSTAB_IO, "a message from rank %d is damaged", m->from);
    const costab_notes *notes = r->options->notes;
    slot *s = &r->slots[number % r->ring];
    costab_plan_tile(r->plan, (size_t)number, &s->tile);
    s->tile.note = &s->note;
    r->peers[m->from].outstanding--;
    TRY(message_read_result(m, r->plan, &s->tile, s->packed, &s->note, error));
    if (s->note.size > 0 && notes != NULL && notes->give != NULL)
        TRY(notes->give(notes->context, &s->tile, s->note.bytes, s->note.size, error));
    atomic_store(&s->ready, true);
    return COSTAB_OK;
}

static bool receive(runner *r) {
    const costab_team *team = r->options->team;
    costab_error error = {.status = COSTAB_OK};
    costab_message m;
    costab_status status = team->receive(team->context, &m, &error);
    if (!status && m.from < 0) return false;
    if (!status && m.kind == MESSAGE_RESULT) status = take_result(r, &m, &error);
    if (!status && m.kind == MESSAGE_FAILED) status = message_read_failed(&m, &error);
    runner_check(r, status, &error);
    return true;
}

static bool hand_out(runner *r) {
    const costab_team *team = r->options->team;
    bool any = false;
    for (int to = 1; to < team->size; to++) {
        costab_error error = {.status = COSTAB_OK};
        uint64_t numbers[WINDOW_MAX];
        size_t count = 0;
        runner_peer *peer = &r->peers[to];
        for (size_t k; peer->outstanding < peer->window && runner_take(r, &k); peer->outstanding++)
            numbers[count++] = k;
        if (count == 0) continue;
        size_t size = count * sizeof numbers[0];
        runner_check(r, team->send(team->context, to, MESSAGE_ORDER, numbers, size, &error), &error);
        any = true;
    }
    return any;
}

/* After the last result the other ranks send nothing more in this run; but one of them may already report for
 * the next run. */
void runner_lead(runner *r, const runner_blocks *blocks) {
    unsigned idle = 0;
    while (!runner_failed(r) && atomic_load(&r->delivered) < r->last) {
        bool busy = receive(r);
        busy |= hand_out(r);
        busy |= runner_deliver(r); /* one: it listens between two, however slow the disk is */
        if (blocks != NULL) busy |= runner_step(r, blocks);
        if (busy) {
            idle = 0;
            continue;
        }
        runner_ask(r);
        runner_nap(&idle);
    }
    message_over(r->options->team, (costab_status)atomic_load(&r->status));
}
