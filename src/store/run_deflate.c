/* RFC 1950 and RFC 1951: a zlib stream with one block of dynamic Huffman codes. */
#include "store/run_deflate.h"

#include <string.h>

#include "base/clones.h"

enum {
    END_OF_BLOCK = 256,
    SYMBOLS = 286, /* literals, the end of the block, lengths */
    LENGTHS = 19,  /* symbols of the code that the codes' own lengths are written in */
    BITS_MAX = 15, /* of a code, and of a code for lengths */
    LENGTH_BITS_MAX = 7,
    MATCH_MIN = 3,
    MATCH_MAX = 258,
    BLOCK = 256 /* bytes that are examined together */
};

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
    return 512 + 9 * count + 2 * (size / MATCH_MAX);
}

/* The symbol of a match's length, its extra bits and their number. */
static int length_symbol(size_t length, unsigned *extra, int *extra_bits) {
    unsigned l = (unsigned)(length - MATCH_MIN), top = 3;
    *extra = 0;
    *extra_bits = 0;
    if (length == MATCH_MAX) return 285;
    if (l < 8) return 257 + (int)l;
    while (l >> (top + 1)) top++;
    *extra_bits = (int)top - 2;
    *extra = l & ((1u << *extra_bits) - 1);
    return 265 + 4 * ((int)top - 3) + (int)((l >> *extra_bits) & 3u);
}

/* What a run becomes: literals, whole matches, and one match of `rest` bytes (0: none). */
typedef struct parts {
    size_t literals, whole, rest;
} parts;

static parts split(size_t length) {
    parts p = {.literals = 1, .whole = (length - 1) / MATCH_MAX, .rest = (length - 1) % MATCH_MAX};
    if (p.rest < MATCH_MIN) {
        p.literals += p.rest;
        p.rest = 0;
    }
    return p;
}

/* Depths of a Huffman tree over the n symbols, by the two-queue method: leaves in order of weight, inner
 * nodes in the order in which they are made. Returns the greatest. */
static int tree_depths(const uint32_t *weights, const int *order, int n, uint8_t *depths) {
    uint64_t weight[2 * SYMBOLS];
    int parent[2 * SYMBOLS], leaf = 0, inner = n, deepest = 0;
    uint8_t depth[2 * SYMBOLS];
    for (int i = 0; i < n; i++) weight[i] = weights[order[i]];
    for (int made = n; made < 2 * n - 1; made++) {
        weight[made] = 0;
        for (int k = 0; k < 2; k++) {
            bool take_leaf = leaf < n && (inner >= made || weight[leaf] <= weight[inner]);
            int child = take_leaf ? leaf++ : inner++;
            weight[made] += weight[child];
            parent[child] = made;
        }
    }
    depth[2 * n - 2] = 0;
    for (int i = 2 * n - 3; i >= 0; i--) depth[i] = (uint8_t)(depth[parent[i]] + 1);
    for (int i = 0; i < n; i++) {
        depths[order[i]] = depth[i];
        if (depth[i] > deepest) deepest = depth[i];
    }
    return deepest;
}

/* Lengths of the codes of all symbols that occur (at least two do), none above `limit`: weights are brought
 * closer to each other until that holds. */
static void code_lengths(const uint32_t *counts, int symbols, int limit, uint8_t *lengths) {
    uint32_t weights[SYMBOLS];
    int order[SYMBOLS], n = 0;
    memcpy(weights, counts, (size_t)symbols * sizeof *weights);
    memset(lengths, 0, (size_t)symbols);
    for (int s = 0; s < symbols; s++) {
        if (counts[s] == 0) continue;
        int at = n++;
        for (; at > 0 && weights[order[at - 1]] > weights[s]; at--) order[at] = order[at - 1];
        order[at] = s;
    }
    while (tree_depths(weights, order, n, lengths) > limit)
        for (int i = 0; i < n; i++) weights[order[i]] = weights[order[i]] / 2 + 1;
}

/* The codes of these lengths, as they are written: the first bit lowest. */
static void make_codes(const uint8_t *lengths, int symbols, uint16_t *codes) {
    unsigned next = 0;
    for (unsigned bits = 1; bits <= BITS_MAX; bits++, next <<= 1)
        for (int s = 0; s < symbols; s++) {
            if (lengths[s] != bits) continue;
            unsigned code = 0;
            for (unsigned i = 0; i < bits; i++) code |= ((next >> i) & 1u) << (bits - 1 - i);
            codes[s] = (uint16_t)code;
            next++;
        }
}

typedef struct writer {
    uint8_t *next;
    uint64_t bits;
    int count; /* of bits, below 8 between calls */
} writer;

/* At most 32 bits. */
static void put(writer *w, uint32_t bits, int count) {
    w->bits |= (uint64_t)bits << w->count;
    for (w->count += count; w->count >= 8; w->count -= 8, w->bits >>= 8) *w->next++ = (uint8_t)w->bits;
}

/* One symbol of the codes' lengths, and the number that may follow it. */
typedef struct length_code {
    uint8_t symbol, extra, extra_bits;
} length_code;

/* The lengths of the codes, runs of zeros put together. */
static int pack_lengths(const uint8_t *lengths, int n, length_code *packed) {
    int count = 0;
    for (int i = 0; i < n;) {
        int zeros = 0;
        while (i + zeros < n && lengths[i + zeros] == 0 && zeros < 138) zeros++;
        if (zeros >= 11)
            packed[count++] = (length_code){18, (uint8_t)(zeros - 11), 7};
        else if (zeros >= 3)
            packed[count++] = (length_code){17, (uint8_t)(zeros - 3), 3};
        else {
            packed[count++] = (length_code){lengths[i], 0, 0};
            zeros = 1;
        }
        i += zeros;
    }
    return count;
}

/* The block's head: how long the code of each symbol is, in a code of its own. The one distance has the
 * one-bit code 0. */
static void put_head(writer *w, const uint8_t *lengths) {
    static const uint8_t sequence[LENGTHS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                              11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t all[SYMBOLS + 1], bits[LENGTHS];
    uint32_t counts[LENGTHS] = {0};
    uint16_t codes[LENGTHS] = {0};
    length_code packed[SYMBOLS + 1];
    memcpy(all, lengths, SYMBOLS);
    all[SYMBOLS] = 1;
    int n = pack_lengths(all, SYMBOLS + 1, packed), used = LENGTHS;
    for (int i = 0; i < n; i++) counts[packed[i].symbol]++;
    code_lengths(counts, LENGTHS, LENGTH_BITS_MAX, bits);
    make_codes(bits, LENGTHS, codes);
    while (used > 4 && bits[sequence[used - 1]] == 0) used--;
    put(w, 1, 1); /* the last block */
    put(w, 2, 2); /* with dynamic codes */
    put(w, SYMBOLS - 257, 5);
    put(w, 0, 5); /* one distance */
    put(w, (uint32_t)used - 4, 4);
    for (int i = 0; i < used; i++) put(w, bits[sequence[i]], 3);
    for (int i = 0; i < n; i++) {
        put(w, codes[packed[i].symbol], bits[packed[i].symbol]);
        put(w, packed[i].extra, packed[i].extra_bits);
    }
}

static void count_symbols(const uint8_t *bytes, const uint32_t *ends, size_t count, uint32_t *counts) {
    size_t start = 0;
    unsigned extra;
    int extra_bits;
    for (size_t i = 0; i < count; start = ends[i++]) {
        parts p = split(ends[i] - start);
        counts[bytes[start]] += (uint32_t)p.literals;
        counts[length_symbol(MATCH_MAX, &extra, &extra_bits)] += (uint32_t)p.whole;
        if (p.rest > 0) counts[length_symbol(p.rest, &extra, &extra_bits)]++;
    }
    counts[END_OF_BLOCK] = 1;
}

typedef struct code {
    uint16_t bits[SYMBOLS];
    uint8_t lengths[SYMBOLS];
} code;

/* A match is followed by its distance, one bit 0. */
static void put_match(writer *w, const code *c, size_t length) {
    unsigned extra;
    int extra_bits, symbol = length_symbol(length, &extra, &extra_bits);
    put(w, c->bits[symbol], c->lengths[symbol]);
    put(w, extra, extra_bits + 1);
}

static void put_run(writer *w, const code *c, uint8_t value, size_t length) {
    parts p = split(length);
    for (size_t i = 0; i < p.literals; i++) put(w, c->bits[value], c->lengths[value]);
    for (size_t i = 0; i < p.whole; i++) put_match(w, c, MATCH_MAX);
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
    uint32_t counts[SYMBOLS] = {0}, sum = checksum(bytes, ends, count);
    code c = {.bits = {0}};
    writer w = {.next = stream};
    count_symbols(bytes, ends, count, counts);
    code_lengths(counts, SYMBOLS, BITS_MAX, c.lengths);
    make_codes(c.lengths, SYMBOLS, c.bits);
    put(&w, 0x78, 8); /* deflate, a window of 32 KiB */
    put(&w, 0x01, 8); /* the fastest level */
    put_head(&w, c.lengths);
    size_t start = 0;
    for (size_t i = 0; i < count; start = ends[i++]) put_run(&w, &c, bytes[start], ends[i] - start);
    put(&w, c.bits[END_OF_BLOCK], c.lengths[END_OF_BLOCK]);
    if (w.count > 0) put(&w, 0, 8 - w.count);
    for (int shift = 24; shift >= 0; shift -= 8) *w.next++ = (uint8_t)(sum >> shift);
    return (size_t)(w.next - stream);
}
