/* Matches are found by a table of the last place of each group of six bytes (a shorter match costs about as
 * many bits as its bytes do): one look per byte, and fewer the longer nothing was found. Every part is a
 * block with codes of its own. */
#include "store/plane_deflate.h"

#include <stdbool.h>
#include <string.h>

#include "base/clones.h"
#include "store/deflate_code.h"

enum {
    PLANES = 8,
    PART = 1 << 16, /* bytes of a plane that are stored or packed together */
    SAMPLED = 8,    /* of these, every 8th is looked at to see whether they are noise */
    WINDOW = 1 << 15,
    TABLE_BITS = 13,
    GROUP = 6,    /* the shortest match that is looked for */
    PATIENCE = 3, /* after 2^3 looks without a match every second byte is looked at, and so on */
    BEHIND = 3,   /* so far before its end a match is put into the table once more */
    STORED_MAX = 65535,
    STORED_HEAD = 5,
    MATCH_COST = 20 /* bits, for an estimate */
};

/* A part is worth packing where it shrinks to seven eighths: what is packed takes ten times as long as what
 * is stored. */
enum { WORTH_TOP = 7, WORTH_BOTTOM = 8 };

/* Bytes that stand for themselves, then a match; length 0: none, at the end of a part. */
typedef struct sequence {
    uint32_t literals;
    uint16_t length, distance;
} sequence;

struct plane_work {
    uint32_t table[1 << TABLE_BITS]; /* places behind their first byte; 0: none */
    sequence sequences[PART / GROUP + 2];
};

size_t plane_work_size(void) {
    return sizeof(plane_work);
}

/* ---- Shuffling, 64 values at a time: 8 matrices of 8 x 8 bytes, side by side in lanes, are transposed in three steps,
 * whose blocks have 4, 2 and 1 bytes. ---- */

enum { SIDE = 8, MATRIX = 8, MANY = SIDE * MATRIX };

typedef uint64_t lanes __attribute__((vector_size(8 * SIDE)));

static inline void swap_blocks(lanes *a, lanes *b, int bits, uint64_t low) {
    lanes moved = ((*a >> bits) ^ *b) & low;
    *b ^= moved;
    *a ^= moved << bits;
}

/* The first values, as many as there are in whole blocks of MANY, on a machine whose words begin with their
 * low bytes; returns their number. */
BASE_CLONES static size_t shuffle_many(const uint8_t *from, size_t values, uint8_t *to) {
    size_t done = 0;
    for (; done + MANY <= values; done += MANY) {
        uint64_t words[MANY];
        lanes w[MATRIX];
        memcpy(words, from + 8 * done, sizeof words);
        for (size_t k = 0; k < MATRIX; k++)
            for (size_t l = 0; l < SIDE; l++) w[k][l] = words[MATRIX * l + k];
        for (int i = 0; i < 4; i++) swap_blocks(&w[i], &w[i + 4], 32, UINT64_C(0x00000000ffffffff));
        for (int i = 0; i < 8; i += 4)
            for (int k = i; k < i + 2; k++) swap_blocks(&w[k], &w[k + 2], 16, UINT64_C(0x0000ffff0000ffff));
        for (int i = 0; i < 8; i += 2) swap_blocks(&w[i], &w[i + 1], 8, UINT64_C(0x00ff00ff00ff00ff));
        for (size_t k = 0; k < MATRIX; k++) memcpy(to + k * values + done, &w[k], sizeof w[k]);
    }
    return done;
}

void plane_shuffle(const uint8_t *from, size_t values, uint8_t *to) {
    const uint16_t one = 1;
    size_t i = *(const uint8_t *)&one == 1 ? shuffle_many(from, values, to) : 0;
    for (; i < values; i++)
        for (size_t k = 0; k < 8; k++) to[k * values + i] = from[8 * i + k];
}

/* ---- Adler-32: the sum a of all bytes, from 1, and the sum b of all sums, in lanes: lane l of block j of J blocks counts
 * (J - j) LANES - l times in b. ---- */

enum { LANES = 32, BLOCKS = 4096 }; /* 255 BLOCKS^2 / 2 < 2^32 */

BASE_CLONES static void add_lanes(const uint8_t *bytes, size_t blocks, uint32_t *sums,
                                  uint32_t *sums_of_sums) {
    uint32_t s[LANES] = {0}, t[LANES] = {0};
    for (size_t j = 0; j < blocks; j++)
        for (int l = 0; l < LANES; l++) {
            t[l] += s[l];
            s[l] += bytes[j * LANES + (size_t)l];
        }
    memcpy(sums, s, sizeof s);
    memcpy(sums_of_sums, t, sizeof t);
}

static uint32_t adler(const uint8_t *bytes, size_t size) {
    const uint64_t prime = 65521;
    uint64_t a = 1, b = 0;
    uint32_t s[LANES], t[LANES];
    while (size >= LANES) {
        size_t blocks = size / LANES < BLOCKS ? size / LANES : BLOCKS;
        uint64_t sum = 0, weighted = 0;
        add_lanes(bytes, blocks, s, t);
        for (uint32_t l = 0; l < LANES; l++) {
            sum += s[l];
            weighted += LANES * ((uint64_t)t[l] + s[l]) - (uint64_t)l * s[l];
        }
        b = (b + a * (blocks * LANES) + weighted) % prime;
        a = (a + sum) % prime;
        bytes += blocks * LANES;
        size -= blocks * LANES;
    }
    for (size_t i = 0; i < size; i++) {
        a = (a + bytes[i]) % prime;
        b = (b + a) % prime;
    }
    return (uint32_t)(b << 16 | a);
}

/* ---- Matches ---- */

/* Compilers know this sum as one load. */
static uint64_t word_at(const uint8_t *b) {
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
           (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

static uint64_t group_at(const uint8_t *bytes) {
    return word_at(bytes) << (64 - 8 * GROUP);
}

static uint32_t *place_of(plane_work *work, uint64_t group) {
    const uint64_t factor =
        UINT64_C(0x9e3779b97f4a7c15); /* 2^64 divided by the golden ratio: Knuth's hashing */
    return &work->table[group * factor >> (64 - TABLE_BITS)];
}

static size_t match_length(const uint8_t *a, const uint8_t *b, size_t most) {
    size_t n = 0;
    while (n + 8 <= most && word_at(a + n) == word_at(b + n)) n += 8;
    while (n < most && a[n] == b[n]) n++;
    return n;
}

/* How many bytes before two places are the same, at most `most` and not more than there are before `a`. */
static size_t match_before(const uint8_t *bytes, size_t a, size_t b, size_t most) {
    size_t n = 0;
    if (most > a) most = a;
    while (n < most && bytes[a - n - 1] == bytes[b - n - 1]) n++;
    return n;
}

/* The sequences of a part that begins at *done; behind its last match, where *done is then, are literals. */
static size_t find_matches(const uint8_t *bytes, size_t *done, size_t end, plane_work *work) {
    size_t misses = 0, count = 0, at = *done;
    while (at + 8 <= end) {
        uint64_t group = group_at(bytes + at);
        uint32_t *place = place_of(work, group);
        size_t before = *place, most = end - at < DEFLATE_MATCH_MAX ? end - at : DEFLATE_MATCH_MAX;
        *place = (uint32_t)at + 1;
        if (before == 0 || at + 1 - before > WINDOW || group_at(bytes + before - 1) != group) {
            at += 1 + (misses++ >> PATIENCE);
            continue;
        }
        size_t length = match_length(bytes + at, bytes + before - 1, most), more = DEFLATE_MATCH_MAX - length;
        more = match_before(bytes, before - 1, at, at - *done < more ? at - *done : more);
        work->sequences[count++] =
            (sequence){(uint32_t)(at - more - *done), (uint16_t)(length + more), (uint16_t)(at + 1 - before)};
        at += length;
        *done = at;
        if (at + 8 <= end) *place_of(work, group_at(bytes + at - BEHIND)) = (uint32_t)(at - BEHIND) + 1;
        misses = 0;
    }
    return count;
}

/* 16 log2 x, rounded down, between powers of two as if it were linear; x > 0. */
static uint32_t log_16(uint32_t x) {
    uint32_t top = deflate_top_bit(x);
    return 16 * top + (uint32_t)(((uint64_t)x << 4 >> top) - 16);
}

/* Whether a part is worth packing with these sequences: literals are taken at the entropy of a sample of its
 * bytes. */
static bool worth_packing(const uint8_t *part, size_t size, const sequence *sequences, size_t count) {
    uint32_t counts[256] = {0}, sampled = 0, entropy = 0;
    size_t literals = size;
    for (size_t i = 0; i < size; i += SAMPLED) {
        counts[part[i]]++;
        sampled++;
    }
    for (int s = 0; s < 256; s++)
        if (counts[s] > 0)
            entropy += counts[s] * (log_16(sampled) - log_16(counts[s])); /* 16 bits per byte of it */
    for (size_t i = 0; i < count; i++) literals -= sequences[i].length;
    uint64_t cost = (uint64_t)literals * entropy / (16 * (uint64_t)sampled) + count * MATCH_COST;
    return cost * WORTH_BOTTOM < 8 * (uint64_t)size * WORTH_TOP;
}

/* ---- Blocks ---- */

/* RFC 1951, 3.2.5. */
static int distance_symbol(unsigned distance, unsigned *extra, int *extra_bits) {
    unsigned d = distance - 1, top = deflate_top_bit(d | 1u);
    *extra = 0;
    *extra_bits = 0;
    if (d < 4) return (int)d;
    *extra_bits = (int)top - 1;
    *extra = d & ((1u << *extra_bits) - 1);
    return 2 * (int)top + (int)(d >> *extra_bits & 1u);
}

typedef struct block {
    const uint8_t *bytes; /* of the part */
    const sequence *sequences;
    size_t count;
    deflate_code code, distances;
    uint64_t bits; /* of what is packed, without its head */
} block;

static void make_codes(block *b) {
    uint32_t counts[DEFLATE_SYMBOLS] = {0}, distances[DEFLATE_DISTANCES] = {0};
    const uint8_t *at = b->bytes;
    unsigned extra;
    int extra_bits;
    b->bits = 0;
    for (size_t i = 0; i < b->count; i++) {
        const sequence *s = &b->sequences[i];
        for (size_t k = 0; k < s->literals; k++) counts[at[k]]++;
        at += s->literals + s->length;
        if (s->length == 0) continue;
        counts[deflate_length_symbol(s->length, &extra, &extra_bits)]++;
        b->bits += (uint64_t)extra_bits;
        distances[distance_symbol(s->distance, &extra, &extra_bits)]++;
        b->bits += (uint64_t)extra_bits;
    }
    counts[DEFLATE_END_OF_BLOCK] = 1;
    deflate_make_code(counts, DEFLATE_SYMBOLS, &b->code);
    deflate_make_code(distances, DEFLATE_DISTANCES, &b->distances);
    for (int s = 0; s < DEFLATE_SYMBOLS; s++) b->bits += (uint64_t)counts[s] * b->code.lengths[s];
    for (int s = 0; s < DEFLATE_DISTANCES; s++) b->bits += (uint64_t)distances[s] * b->distances.lengths[s];
}

static void put_literals(deflate_bits *w, const deflate_code *c, const uint8_t *bytes, size_t count) {
    size_t i = 0;
    for (; i + 2 <= count; i += 2) {
        uint32_t first = c->bits[bytes[i]], second = c->bits[bytes[i + 1]];
        int length = c->lengths[bytes[i]];
        deflate_put(w, first | second << length, length + c->lengths[bytes[i + 1]]);
    }
    if (i < count) deflate_put(w, c->bits[bytes[i]], c->lengths[bytes[i]]);
}

static void put_block(deflate_bits *w, const block *b) {
    const uint8_t *at = b->bytes;
    deflate_put_head(w, false, b->code.lengths, b->distances.lengths, DEFLATE_DISTANCES);
    for (size_t i = 0; i < b->count; i++) {
        const sequence *s = &b->sequences[i];
        unsigned extra;
        int extra_bits;
        put_literals(w, &b->code, at, s->literals);
        at += s->literals + s->length;
        if (s->length == 0) continue;
        int symbol = deflate_length_symbol(s->length, &extra, &extra_bits);
        deflate_put(w, b->code.bits[symbol] | extra << b->code.lengths[symbol],
                    b->code.lengths[symbol] + extra_bits);
        symbol = distance_symbol(s->distance, &extra, &extra_bits);
        deflate_put(w, b->distances.bits[symbol] | extra << b->distances.lengths[symbol],
                    b->distances.lengths[symbol] + extra_bits);
    }
    deflate_put(w, b->code.bits[DEFLATE_END_OF_BLOCK], b->code.lengths[DEFLATE_END_OF_BLOCK]);
}

static void put_stored(deflate_bits *w, const uint8_t *bytes, size_t size) {
    while (size > 0) {
        uint32_t n = size < STORED_MAX ? (uint32_t)size : STORED_MAX;
        deflate_put(w, 0, 3); /* not the last block, stored */
        deflate_align(w);
        deflate_put(w, n | (n ^ 0xffffu) << 16, 32);
        memcpy(w->next, bytes, n);
        w->next += n;
        bytes += n;
        size -= n;
    }
}

/* Packs the part if that is worth it. */
static bool pack_part(const uint8_t *bytes, size_t from, size_t end, plane_work *work, deflate_bits *w,
                      const uint8_t **stored) {
    size_t done = from, count = find_matches(bytes, &done, end, work);
    if (!worth_packing(bytes + from, end - from, work->sequences, count)) return false;
    if (done < end) work->sequences[count++] = (sequence){(uint32_t)(end - done), 0, 0};
    block b = {.bytes = bytes + from, .sequences = work->sequences, .count = count};
    const uint64_t head_bits = 8 * 300; /* more than a head ever has */
    make_codes(&b);
    if (b.bits + head_bits >= 8 * (uint64_t)(end - from)) return false;
    put_stored(w, *stored, (size_t)(bytes + from - *stored));
    put_block(w, &b);
    *stored = bytes + end;
    return true;
}

size_t plane_deflate_bound(size_t size) {
    return size + STORED_HEAD * (size / STORED_MAX + PLANES * (size / PLANES / PART + 2)) + 64;
}

size_t plane_deflate(const uint8_t *planes, size_t values, plane_work *work, uint8_t *stream) {
    deflate_bits w = {.next = stream};
    const uint8_t *stored = planes; /* from here on nothing is written yet */
    memset(work->table, 0, sizeof work->table);
    deflate_begin(&w);
    for (size_t plane = 0; plane < PLANES; plane++)
        for (size_t from = 0; from < values; from += PART) {
            size_t end = from + PART < values ? from + PART : values;
            (void)pack_part(planes, plane * values + from, plane * values + end, work, &w, &stored);
        }
    put_stored(&w, stored, (size_t)(planes + PLANES * values - stored));
    deflate_put(&w, 1 | 1 << 1, 3); /* the last block, with fixed codes; it is empty */
    deflate_put(&w, 0, 7);
    deflate_end(&w, adler(planes, PLANES * values));
    return (size_t)(w.next - stream);
}
