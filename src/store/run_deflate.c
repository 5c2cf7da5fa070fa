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

bool run_deflate_find(const uint8_t *bytes, size_t size, uint32_t *ends, size_t most, size_t *count) {
    size_t n = 0, at = 0;
    while (at < size) {
        if (n == most) return false;
        at += run_length(bytes + at, size - at);
        ends[n++] = (uint32_t)at;
    }
    *count = n;
    return true;
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

static void count_symbols(const uint8_t *bytes, const uint32_t *ends, size_t count, uint32_t *counts) {
    size_t start = 0;
    unsigned extra;
    int extra_bits;
    for (size_t i = 0; i < count; start = ends[i++]) {
        parts p = split(ends[i] - start);
        counts[bytes[start]] += (uint32_t)p.literals;
        counts[deflate_length_symbol(DEFLATE_MATCH_MAX, &extra, &extra_bits)] += (uint32_t)p.whole;
        if (p.rest > 0) counts[deflate_length_symbol(p.rest, &extra, &extra_bits)]++;
    }
    counts[DEFLATE_END_OF_BLOCK] = 1;
}

/* A match is followed by its distance, one bit 0. */
static void put_match(deflate_bits *w, const deflate_code *c, size_t length) {
    unsigned extra;
    int extra_bits, symbol = deflate_length_symbol(length, &extra, &extra_bits);
    deflate_put(w, c->bits[symbol], c->lengths[symbol]);
    deflate_put(w, extra, extra_bits + 1);
}

static void put_run(deflate_bits *w, const deflate_code *c, uint8_t value, size_t length) {
    parts p = split(length);
    for (size_t i = 0; i < p.literals; i++) deflate_put(w, c->bits[value], c->lengths[value]);
    for (size_t i = 0; i < p.whole; i++) put_match(w, c, DEFLATE_MATCH_MAX);
    if (p.rest > 0) put_match(w, c, p.rest);
}

/* Adler-32: the sum a of all bytes, from 1, and the sum b of all sums; over a run both are polynomials in its
 * length. */
static uint32_t checksum(const uint8_t *bytes, const uint32_t *ends, size_t count) {
    const uint64_t prime = 65521;
    uint64_t a = 1, b = 0;
    size_t start = 0;
    for (size_t i = 0; i < count; start = ends[i++]) {
        uint64_t n = ends[i] - start, value = bytes[start];
        uint64_t triangle = (n % 2 == 0 ? n / 2 * (n + 1) : (n + 1) / 2 * n) % prime;
        b = (b + n * a + value * triangle) % prime;
        a = (a + value * n) % prime;
    }
    return (uint32_t)(b << 16 | a);
}

size_t run_deflate(const uint8_t *bytes, const uint32_t *ends, size_t count, uint8_t *stream) {
    static const uint8_t one_distance = 1; /* a code of one bit, 0 */
    uint32_t counts[DEFLATE_SYMBOLS] = {0}, sum = checksum(bytes, ends, count);
    deflate_code c = {.bits = {0}};
    deflate_bits w = {.next = stream};
    count_symbols(bytes, ends, count, counts);
    deflate_make_code(counts, DEFLATE_SYMBOLS, &c);
    deflate_begin(&w);
    deflate_put_head(&w, true, c.lengths, &one_distance, 1);
    size_t start = 0;
    for (size_t i = 0; i < count; start = ends[i++]) put_run(&w, &c, bytes[start], ends[i] - start);
    deflate_put(&w, c.bits[DEFLATE_END_OF_BLOCK], c.lengths[DEFLATE_END_OF_BLOCK]);
    deflate_end(&w, sum);
    return (size_t)(w.next - stream);
}
