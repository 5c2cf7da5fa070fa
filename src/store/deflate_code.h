/* store/deflate_code.h - what the encoders of zlib streams share (RFC 1951): Huffman codes, the head of a
 * block, bits. */
#ifndef STORE_DEFLATE_CODE_H
#define STORE_DEFLATE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DEFLATE_END_OF_BLOCK = 256,
    DEFLATE_SYMBOLS = 286, /* literals, the end of the block, lengths */
    DEFLATE_DISTANCES = 30,
    DEFLATE_BITS_MAX = 15, /* of a code */
    DEFLATE_MATCH_MIN = 3,
    DEFLATE_MATCH_MAX = 258
};

/* Where bits go, the first lowest in its byte. */
typedef struct deflate_bits {
    uint8_t *next;
    uint64_t bits;
    int count; /* of bits, below 32 between calls */
} deflate_bits;

/* At most 32 bits. Writes four bytes at a time. */
static inline void deflate_put(deflate_bits *w, uint32_t bits, int count) {
    w->bits |= (uint64_t)bits << w->count;
    w->count += count;
    if (w->count < 32) return;
    for (int i = 0; i < 4; i++) w->next[i] = (uint8_t)(w->bits >> 8 * i);
    w->next += 4;
    w->bits >>= 32;
    w->count -= 32;
}

/* The place of the highest bit of x > 0. */
static inline uint32_t deflate_top_bit(uint32_t x) {
    return 31u - (uint32_t)__builtin_clz(x);
}

/* Fills the last byte up with zeros. */
void deflate_align(deflate_bits *w);

/* The head of a zlib stream, and its end: an Adler-32 behind whole bytes. */
void deflate_begin(deflate_bits *w);
void deflate_end(deflate_bits *w, uint32_t sum);

/* The symbol of a match's length, its extra bits and their number. */
int deflate_length_symbol(size_t length, unsigned *extra, int *extra_bits);

/* A code of a block: for each symbol its bits as they are written, and how many. */
typedef struct deflate_code {
    uint16_t bits[DEFLATE_SYMBOLS];
    uint8_t lengths[DEFLATE_SYMBOLS];
} deflate_code;

/* A code for symbols that occur so often: the best one, or where that has more than 15 bits for any, one that
 * does not. Fewer than two symbols get one bit. */
void deflate_make_code(const uint32_t *counts, int symbols, deflate_code *code);

/* The head of a block with dynamic codes: how long the code of each symbol is, in a code of its own. */
void deflate_put_head(deflate_bits *w, bool last, const uint8_t *lengths, const uint8_t *distances,
                      int distance_count);

#endif
