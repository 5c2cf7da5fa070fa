/* Measured maps, found again by the bytes of what they were measured with. */
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "fmu/measure.h"

enum { SLOTS = 4096 }; /* a power of 2 */
#define DOUBLES_MOST ((size_t)1 << 22)

/* A map: its key, then A, B, C, x0, rise. */
typedef struct entry {
    double *values;
    int states;
    bool held, narrow;
    double doubt;
    char warning[sizeof((costab_foreign_numbers *)0)->warning];
    int check_count;
    costab_check checks[COSTAB_CHECKS_MAX];
} entry;

struct fmu_known {
    entry slots[SLOTS];
    size_t used, doubles;
};

static size_t key_size(const fmu_subsystem *s) {
    return 1 + (size_t)s->part->starts.count + (size_t)s->part->inputs.count;
}

static size_t map_size(const fmu_subsystem *s, int states) {
    size_t n = (size_t)states;
    return n * (n + (size_t)fmu_part_columns(s->part) + (size_t)s->part->outputs.count + 1);
}

/* One part of the key or of the map after the other. */
static void put(double **to, const double *from, size_t count) {
    if (count > 0) memcpy(*to, from, count * sizeof **to);
    *to += count;
}

static void write_key(const fmu_subsystem *s, const costab_foreign_numbers *numbers, double *key) {
    put(&key, &numbers->length, 1);
    put(&key, numbers->starts, (size_t)s->part->starts.count);
    put(&key, numbers->point, (size_t)s->part->inputs.count);
}

static size_t slot_of(const double *key, size_t count) {
    return (size_t)(hash_bytes(HASH_START, key, count * sizeof *key) >> 20) % SLOTS;
}

/* The slot of a key, or the free one where it belongs; NULL where all are taken. The key stands in s->asked.
 */
static entry *find(const fmu_subsystem *s, const costab_foreign_numbers *numbers) {
    size_t count = key_size(s);
    write_key(s, numbers, s->asked);
    size_t first = slot_of(s->asked, count);
    for (size_t i = 0; i < SLOTS; i++) {
        entry *e = &s->known->slots[(first + i) % SLOTS];
        if (e->values == NULL || memcmp(e->values, s->asked, count * sizeof *e->values) == 0) return e;
    }
    return NULL;
}

bool known_find(fmu_subsystem *s, costab_foreign_numbers *numbers) {
    const entry *e = s->known != NULL ? find(s, numbers) : NULL;
    if (e == NULL || e->values == NULL) return false;
    size_t n = (size_t)e->states, m = (size_t)s->part->inputs.count, q = (size_t)s->part->outputs.count;
    const double *from = e->values + key_size(s);
    memcpy(numbers->A, from, n * n * sizeof *from);
    memcpy(numbers->B, from + n * n, n * m * sizeof *from);
    memcpy(numbers->C, from + n * (n + m), n * q * sizeof *from);
    if (numbers->x0 != NULL) memcpy(numbers->x0, from + n * (n + m + q), n * sizeof *from);
    if (numbers->rise != NULL) memcpy(numbers->rise, from + n * (n + m + q + 1), n * m * sizeof *from);
    numbers->states = e->states;
    numbers->doubt = e->doubt;
    numbers->held = e->held;
    s->narrow = e->narrow;
    numbers->drift = 0;
    memcpy(numbers->warning, e->warning, sizeof e->warning);
    numbers->check_count = e->check_count;
    memcpy(numbers->checks, e->checks, sizeof e->checks);
    return true;
}

void known_keep(fmu_subsystem *s, const costab_foreign_numbers *numbers) {
    size_t n = (size_t)numbers->states, m = (size_t)s->part->inputs.count, q = (size_t)s->part->outputs.count;
    size_t size = key_size(s) + map_size(s, numbers->states);
    if (s->known == NULL) s->known = memory_alloc(1, sizeof *s->known);
    if (s->known == NULL || s->known->used >= SLOTS / 2 || s->known->doubles + size > DOUBLES_MOST) return;
    entry *e = find(s, numbers);
    double *values = e != NULL && e->values == NULL ? memory_alloc(size, sizeof *values) : NULL;
    if (values == NULL) return;
    e->values = values;
    e->states = numbers->states;
    e->doubt = numbers->doubt;
    e->held = numbers->held;
    e->narrow = s->narrow;
    memcpy(e->warning, numbers->warning, sizeof e->warning);
    e->check_count = numbers->check_count;
    memcpy(e->checks, numbers->checks, sizeof e->checks);
    write_key(s, numbers, values);
    values += key_size(s);
    put(&values, numbers->A, n * n);
    put(&values, numbers->B, n * m);
    put(&values, numbers->C, n * q);
    if (numbers->x0 != NULL) memcpy(values, numbers->x0, n * sizeof *values);
    if (numbers->rise != NULL) memcpy(values + n, numbers->rise, n * m * sizeof *values);
    s->known->used++;
    s->known->doubles += size;
}

void known_free(fmu_known **known) {
    if (*known == NULL) return;
    for (size_t i = 0; i < SLOTS; i++) memory_free((*known)->slots[i].values);
    memory_free(*known);
    *known = NULL;
}
