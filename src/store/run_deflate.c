/* RFC 1950 and RFC 1951: a zlib stream with one block of dynamic Huffman codes. */
#include "store/run_deflate.h"

#include <string.h>

#include "base/clones.h"
#include "store/deflate_code.h"

enum { BLOCK = 256 }; /* bytes that are examined together */

/* Bytes behind `from` that are `value`, in whole blocks. */
BASE_CLONES static size_t same_blocks(const uint8_t *from, size_t size, uint8_t value) {
    size_t at = 0;
    for (; at + BLOCK <= size; at += BLOCK) {
        uint8_t other = 0;
        for (size_t i = 0; i < BLOCK; i++) other |= (uint8_t)(from[at + i] ^ value);
        if (other) break;
    }
    return at;
}

/* The end of the run that begins at `from`. */
static size_t run_length(const uint8_t *from, size_t size) {
    uint64_t pattern = UINT64_C(0x0101010101010101) * from[0], word;
    size_t at = 1;
    for (int words = 0; words < 8 && at + sizeof word <= size; words++, at += sizeof word) {
        memcpy(&word, from + at, sizeof word);
        if (word != pattern) goto last;
    }
    at += same_blocks(from + at, size - at, from[0]);
    for (; at + sizeof word <= size; at += sizeof word) {
        memcpy(&word, from + at, sizeof word);
        if (word != pattern) break;
    }
last:
    while (at < size && from[at] == from[0]) at++;
    return at;
}

bool run_deflate_find(const uint8_t *bytes, size_t size, costab_runs *runs) {
    runs_clear(runs);
    for (size_t at = 0; at < size && !runs->full;) {
        uint8_t value = bytes[at];
        at += run_length(bytes + at, size - at);
        runs_put(runs, at, value);
    }
    return !runs->full;
}

/* A literal, two more for what is too short for a match, and the last match of a run take 2 bytes each at the
 * longest codes, and 5 extra bits and one for the distance; all other matches are whole ones. */
size_t run_deflate_bound(size_t size, size_t count) {
    return 512 + 9 * count + 2 * (size / DEFLATE_MATCH_MAX);
}

/* What a run becomes: literals, whole matches, and one match of `rest` bytes (0: none). */
typedef struct parts {
    size_t literals, whole, rest;
} parts;

static parts split(size_t length) {
    parts p = {
        .literals = 1, .whole = (length - 1) / DEFLATE_MATCH_MAX, .rest = (length - 1) % DEFLATE_MATCH_MAX};
    if (p.rest < DEFLATE_MATCH_MIN) {
        p.literals += p.rest;
        p.rest = 0;
    }
    return p;
}

static void count_symbols(const costab_runs *runs, uint32_t *counts) {
    size_t start = 0, whole = 0;
    unsigned extra;
    int extra_bits;
    for (size_t i = 0; i < runs->count; start = runs->ends[i++]) {
        parts p = split(runs->ends[i] - start);
        counts[runs->values[i]] += (uint32_t)p.literals;
        whole += p.whole;
        if (p.rest > 0) counts[deflate_length_symbol(p.rest, &extra, &extra_bits)]++;
    }
    counts[deflate_length_symbol(DEFLATE_MATCH_MAX, &extra, &extra_bits)] += (uint32_t)whole;
    counts[DEFLATE_END_OF_BLOCK] = 1;
}

/* Whole matches, as many at once as fit into 32 bits. A match is followed by its distance, one bit 0. */
typedef struct wholes {
    uint32_t bits; /* of `most` matches */
    int each, most;
} wholes;

static wholes wholes_of(const deflate_code *c) {
    unsigned extra;
    int extra_bits, symbol = deflate_length_symbol(DEFLATE_MATCH_MAX, &extra, &extra_bits);
    wholes w = {.each = c->lengths[symbol] + 1};
    for (; (w.most + 1) * w.each <= 32; w.most++) w.bits |= (uint32_t)c->bits[symbol] << (w.most * w.each);
    return w;
}

static void put_wholes(deflate_bits *w, const wholes *whole, size_t count) {
    for (; count >= (size_t)whole->most; count -= (size_t)whole->most)
        deflate_put(w, whole->bits, whole->most * whole->each);
    int bits = (int)count * whole->each; /* below 32 */
    deflate_put(w, whole->bits & ((1u << bits) - 1), bits);
}

static void put_run(deflate_bits *w, const deflate_code *c, const wholes *whole, uint8_t value,
                    size_t length) {
    parts p = split(length);
    for (size_t i = 0; i < p.literals; i++) deflate_put(w, c->bits[value], c->lengths[value]);
    put_wholes(w, whole, p.whole);
    if (p.rest == 0) return;
    unsigned extra;
    int extra_bits, symbol = deflate_length_symbol(p.rest, &extra, &extra_bits);
    deflate_put(w, c->bits[symbol], c->lengths[symbol]);
    deflate_put(w, extra, extra_bits + 1);
}

/* Adler-32: the sum a of all bytes, from 1, and the sum b of all sums; over a run both are polynomials in its
 * length. */
static uint32_t checksum(const costab_runs *runs) {
    const uint64_t prime = 65521;
    uint64_t a = 1, b = 0;
    size_t start = 0;
    for (size_t i = 0; i < runs->count; start = runs->ends[i++]) {
        uint64_t n = runs->ends[i] - start, value = runs->values[i];
        uint64_t triangle = (n % 2 == 0 ? n / 2 * (n + 1) : (n + 1) / 2 * n) % prime;
        b = (b + n * a + value * triangle) % prime;
        a = (a + value * n) % prime;
    }
    return (uint32_t)(b << 16 | a);
}

size_t run_deflate(const costab_runs *runs, uint8_t *stream) {
    static const uint8_t one_distance = 1; /* a code of one bit, 0 */
    uint32_t counts[DEFLATE_SYMBOLS] = {0}, sum = checksum(runs);
    deflate_code c = {.bits = {0}};
    deflate_bits w = {.next = stream};
    count_symbols(runs, counts);
    deflate_make_code(counts, DEFLATE_SYMBOLS, &c);
    deflate_begin(&w);
    deflate_put_head(&w, true, c.lengths, &one_distance, 1);
    wholes whole = wholes_of(&c);
    size_t start = 0;
    for (size_t i = 0; i < runs->count; start = runs->ends[i++])
        put_run(&w, &c, &whole, runs->values[i], runs->ends[i] - start);
    deflate_put(&w, c.bits[DEFLATE_END_OF_BLOCK], c.lengths[DEFLATE_END_OF_BLOCK]);
    deflate_end(&w, sum);
    return (size_t)(w.next - stream);
}
