#include "store/deflate_code.h"

#include <string.h>

enum {
    LENGTHS = 19, /* symbols of the code that the codes' own lengths are written in */
    LENGTH_BITS_MAX = 7
};

int deflate_length_symbol(size_t length, unsigned *extra, int *extra_bits) {
    unsigned l = (unsigned)(length - DEFLATE_MATCH_MIN), top = deflate_top_bit(l | 1u);
    *extra = 0;
    *extra_bits = 0;
    if (length == DEFLATE_MATCH_MAX) return 285;
    if (l < 8) return 257 + (int)l;
    *extra_bits = (int)top - 2;
    *extra = l & ((1u << *extra_bits) - 1);
    return 265 + 4 * ((int)top - 3) + (int)((l >> *extra_bits) & 3u);
}

/* Depths of a Huffman tree over the n symbols, by the two-queue method: leaves in order of weight, inner
 * nodes in the order in which they are made. Returns the greatest. */
static int tree_depths(const uint32_t *weights, const int *order, int n, uint8_t *depths) {
    uint64_t weight[2 * DEFLATE_SYMBOLS];
    int parent[2 * DEFLATE_SYMBOLS], leaf = 0, inner = n, deepest = 0;
    uint8_t depth[2 * DEFLATE_SYMBOLS];
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

/* The symbols that occur, in order of weight, symbols of one weight in their own order: parts that are in
 * order are merged to longer ones. Returns their number. */
static int sort_symbols(const uint32_t *weights, int symbols, int *order) {
    int other[DEFLATE_SYMBOLS], n = 0;
    for (int s = 0; s < symbols; s++)
        if (weights[s] > 0) order[n++] = s;
    for (int width = 1; width < n; width *= 2) {
        for (int from = 0; from < n; from += 2 * width) {
            int a = from, middle = from + width < n ? from + width : n, b = middle;
            int end = from + 2 * width < n ? from + 2 * width : n;
            for (int to = from; to < end; to++) {
                bool first = a < middle && (b >= end || weights[order[a]] <= weights[order[b]]);
                other[to] = first ? order[a++] : order[b++];
            }
        }
        memcpy(order, other, (size_t)n * sizeof *order);
    }
    return n;
}

/* Lengths of the codes of all symbols that occur, none above `limit`: weights are brought closer to each
 * other until that holds. */
static void code_lengths(const uint32_t *counts, int symbols, int limit, uint8_t *lengths) {
    uint32_t weights[DEFLATE_SYMBOLS];
    int order[DEFLATE_SYMBOLS];
    memcpy(weights, counts, (size_t)symbols * sizeof *weights);
    memset(lengths, 0, (size_t)symbols);
    int n = sort_symbols(weights, symbols, order);
    if (n < 2) {
        lengths[n == 1 ? order[0] : 0] = 1;
        return;
    }
    while (tree_depths(weights, order, n, lengths) > limit)
        for (int i = 0; i < n; i++) weights[order[i]] = weights[order[i]] / 2 + 1;
}

static unsigned reversed(unsigned code, unsigned bits) {
    unsigned back = 0;
    for (unsigned i = 0; i < bits; i++) back |= ((code >> i) & 1u) << (bits - 1 - i);
    return back;
}

/* The codes of these lengths, as they are written: the first bit lowest. */
static void make_codes(const uint8_t *lengths, int symbols, uint16_t *codes) {
    unsigned counts[DEFLATE_BITS_MAX + 1] = {0}, next[DEFLATE_BITS_MAX + 1] = {0};
    for (int s = 0; s < symbols; s++) counts[lengths[s]]++;
    counts[0] = 0;
    for (int bits = 1; bits <= DEFLATE_BITS_MAX; bits++)
        next[bits] = (next[bits - 1] + counts[bits - 1]) << 1;
    for (int s = 0; s < symbols; s++)
        if (lengths[s] > 0) codes[s] = (uint16_t)reversed(next[lengths[s]]++, lengths[s]);
}

void deflate_make_code(const uint32_t *counts, int symbols, deflate_code *code) {
    code_lengths(counts, symbols, DEFLATE_BITS_MAX, code->lengths);
    make_codes(code->lengths, symbols, code->bits);
}

void deflate_align(deflate_bits *w) {
    for (; w->count > 0; w->count -= 8, w->bits >>= 8) *w->next++ = (uint8_t)w->bits;
    w->bits = 0;
    w->count = 0;
}

void deflate_begin(deflate_bits *w) {
    deflate_put(w, 0x78, 8); /* deflate, a window of 32 KiB */
    deflate_put(w, 0x01, 8); /* the fastest level */
}

void deflate_end(deflate_bits *w, uint32_t sum) {
    deflate_align(w);
    for (int shift = 24; shift >= 0; shift -= 8) *w->next++ = (uint8_t)(sum >> shift);
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

void deflate_put_head(deflate_bits *w, bool last, const uint8_t *lengths, const uint8_t *distances,
                      int distance_count) {
    static const uint8_t sequence[LENGTHS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                              11, 4,  12, 3, 13, 2, 14, 1, 15};
    enum { ALL = DEFLATE_SYMBOLS + DEFLATE_DISTANCES };
    uint8_t all[ALL], bits[LENGTHS];
    uint32_t counts[LENGTHS] = {0};
    uint16_t codes[LENGTHS] = {0};
    length_code packed[ALL];
    memcpy(all, lengths, DEFLATE_SYMBOLS);
    memcpy(all + DEFLATE_SYMBOLS, distances, (size_t)distance_count);
    int n = pack_lengths(all, DEFLATE_SYMBOLS + distance_count, packed), used = LENGTHS;
    for (int i = 0; i < n; i++) counts[packed[i].symbol]++;
    code_lengths(counts, LENGTHS, LENGTH_BITS_MAX, bits);
    make_codes(bits, LENGTHS, codes);
    while (used > 4 && bits[sequence[used - 1]] == 0) used--;
    deflate_put(w, last, 1);
    deflate_put(w, 2, 2); /* dynamic codes */
    deflate_put(w, DEFLATE_SYMBOLS - 257, 5);
    deflate_put(w, (uint32_t)distance_count - 1, 5);
    deflate_put(w, (uint32_t)used - 4, 4);
    for (int i = 0; i < used; i++) deflate_put(w, bits[sequence[i]], 3);
    for (int i = 0; i < n; i++) {
        deflate_put(w, codes[packed[i].symbol], bits[packed[i].symbol]);
        deflate_put(w, packed[i].extra, packed[i].extra_bits);
    }
}
