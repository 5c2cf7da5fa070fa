/* Functions common to both sides of the protocol of fmu/child.h: sizes of requests and answers, and the
 * serialisation of a part and its terms for the FMU's process. A single function visits all members in order
 * and either writes or reads each. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "fmu/child.h"

/* ---- Numbers of requests and answers ---- */

bool fmu_part_inputs_can_rise(const fmu_part *part) {
    return part->fmu->version == 2 && part->kind == COSTAB_FMU_CO_SIMULATION &&
           part->fmu->interfaces[part->kind].inputs_can_rise;
}

int fmu_part_columns(const fmu_part *part) {
    return fmu_part_inputs_can_rise(part) ? 2 * part->inputs.count : part->inputs.count;
}

int child_runs(const fmu_part *part, const fmu_request *request) {
    if (request->operation != FMU_RESPONSE) return 1;
    if (request->manner == FMU_IMPULSES_UP) return 1 + fmu_part_columns(part);
    if (request->manner == FMU_FROM_STATES) return 1 + part->own_states.count + fmu_part_columns(part);
    return request->manner == FMU_IMPULSE_PAIRS ? 2 * fmu_part_columns(part) : 1;
}

size_t child_request_size(const fmu_part *part, const fmu_request *request) {
    size_t n = (size_t)part->states.count, m = (size_t)part->inputs.count, p = (size_t)part->starts.count;
    size_t columns = (size_t)fmu_part_columns(part);
    switch (request->operation) {
    case FMU_START:
        return p + m;
    case FMU_DERIVATIVES:
    case FMU_ACCEPT:
        return n + m;
    case FMU_JACOBIAN:
        return 2 * n + m;
    case FMU_RESPONSE:
        return p + m + columns + (request->manner == FMU_FROM_STATES ? (size_t)part->own_states.count : 0);
    case FMU_STEP:
        return columns;
    }
    return 0;
}

size_t child_answer_size(const fmu_part *part, const fmu_request *request) {
    size_t n = (size_t)part->states.count, m = (size_t)part->inputs.count, q = (size_t)part->outputs.count;
    switch (request->operation) {
    case FMU_START:
        return 2 * n + m + q;
    case FMU_DERIVATIVES:
        return n + q;
    case FMU_ACCEPT:
        return n + 1;
    case FMU_JACOBIAN:
        return (n + q) * (n + m) + n + FMU_DOUBTS;
    case FMU_RESPONSE:
        return (size_t)child_runs(part, request) * (request->manner == FMU_FROM_STATES
                                                        ? (size_t)part->own_states.count + q
                                                        : (size_t)request->count * q);
    case FMU_STEP:
        return q;
    }
    return 0;
}

double child_random_sign(int step, int column) {
    uint64_t x = ((uint64_t)(unsigned)step << 32 | (unsigned)column) + 1; /* SplitMix64 */
    x *= 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (x >> 63) != 0 ? 1 : -1;
}

double child_impulse(const fmu_request *request, int run, const double *change, int *column) {
    bool up = request->manner == FMU_IMPULSES_UP;
    *column = up ? run - 1 : run / 2;
    if (*column < 0) return 0;
    return up || run % 2 == 0 ? change[*column] : -change[*column];
}

/* ---- Serialisation of a part ---- */

typedef struct cursor {
    text *out; /* destination; NULL: read from `next` */
    const char *next;
    size_t left;
    bool failed;
} cursor;

static void pass_bytes(cursor *c, void *bytes, size_t size) {
    if (c->out != NULL) {
        text_append_n(c->out, bytes, size);
    } else if (c->failed || size > c->left) {
        c->failed = true;
    } else {
        memcpy(bytes, c->next, size);
        c->next += size;
        c->left -= size;
    }
}

#define PASS(c, value) pass_bytes((c), &(value), sizeof(value))

/* Allocates `count` items to be read, at least one. Returns false without memory. */
static bool make_list(cursor *c, void *list, size_t count, size_t size) {
    if (c->out != NULL) return true;
    void *block = c->failed ? NULL : memory_alloc(count + 1, size);
    memcpy(list, &block, sizeof block);
    c->failed |= block == NULL;
    return block != NULL;
}

/* Transfers a string or NULL. */
static void pass_text(cursor *c, char **string) {
    size_t size = c->out != NULL && *string != NULL ? strlen(*string) + 1 : 0;
    PASS(c, size);
    if (size > 0 && make_list(c, string, size, 1)) pass_bytes(c, *string, size);
}

/* Transfers ports and their variables; the reader appends them to those of the FMU. */
static void pass_ports(cursor *c, costab_fmu *fmu, fmu_ports *p) {
    PASS(c, p->variable_count);
    PASS(c, p->count);
    size_t variables = (size_t)p->variable_count, count = (size_t)p->count, capacity = 0;
    if (!make_list(c, &p->variables, variables, sizeof *p->variables) ||
        !make_list(c, &p->references, variables, sizeof *p->references) ||
        !make_list(c, &p->names, count, sizeof *p->names) || !make_list(c, &p->held, count, sizeof *p->held))
        return;
    if (c->out == NULL) capacity = (size_t)fmu->variable_count;
    if (c->out == NULL && !memory_grows(&fmu->variables, &capacity, capacity + variables + 1))
        c->failed = true;
    for (int i = 0; i < p->variable_count && !c->failed; i++) {
        if (c->out == NULL) p->variables[i] = fmu->variable_count++;
        fmu_variable *v = &fmu->variables[p->variables[i]];
        if (c->out == NULL) *v = (fmu_variable){.name = NULL};
        PASS(c, v->type);
        PASS(c, v->size);
        PASS(c, v->nominal);
        PASS(c, p->references[i]);
    }
    pass_bytes(c, p->held, count * sizeof *p->held);
    for (size_t i = 0; i < count; i++) pass_text(c, &p->names[i]);
}

static void pass_part(cursor *c, fmu_part *part) {
    costab_fmu *fmu = part->fmu;
    PASS(c, part->kind);
    PASS(c, part->tolerance);
    PASS(c, fmu->version);
    PASS(c, fmu->indicators);
    pass_text(c, &fmu->token);
    fmu_interface *interface = &fmu->interfaces[part->kind];
    PASS(c, interface->keeps_state);
    PASS(c, interface->derivatives);
    PASS(c, interface->inputs_can_rise);
    pass_text(c, &interface->library);
    fmu_ports *lists[] = {&part->states, &part->derivatives,      &part->inputs,    &part->outputs,
                          &part->starts, &part->computed_outputs, &part->own_states};
    for (size_t i = 0; i < sizeof lists / sizeof *lists && !c->failed; i++) pass_ports(c, fmu, lists[i]);
    size_t rows = (size_t)part->computed_outputs.count;
    if (make_list(c, &part->computed_rows, rows, sizeof *part->computed_rows))
        pass_bytes(c, part->computed_rows, rows * sizeof *part->computed_rows);
}

static void pass_child(cursor *c, fmu_child *child, fmu_part *part) {
    PASS(c, child->memory);
    PASS(c, child->accuracy);
    pass_text(c, &child->folder);
    pass_text(c, &child->own);
    pass_text(c, &child->resources);
    pass_part(c, part);
}

void child_put(const fmu_child *child, text *bytes) {
    costab_fmu fmu = *child->part->fmu;
    fmu_part part = *child->part;
    fmu_child passed = *child;
    part.fmu = &fmu;
    pass_child(&(cursor){.out = bytes}, &passed, &part);
}

bool child_take(const text *bytes, fmu_child *child) {
    cursor c = {.next = bytes->data, .left = bytes->size};
    fmu_part *part = memory_alloc(1, sizeof *part);
    if (part == NULL || (part->fmu = memory_alloc(1, sizeof *part->fmu)) == NULL) return false;
    *child = (fmu_child){.part = part};
    pass_child(&c, child, part);
    return !c.failed;
}
