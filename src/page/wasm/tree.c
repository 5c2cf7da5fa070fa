/* Documents in a page come as trees, which costab has read from their texts when it wrote the page: there is
 * no libyaml. A block of them is a row of 32-bit words for each tree: the bytes of its text, the number of
 * its nodes, the bytes of its strings; then six words for each node (line, column, size, first, next, kind
 * with 256 added where quoted); then the strings, filled up to whole words. */
#include "page/wasm/tree.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "spec/yaml.h"

enum { HEAD_WORDS = 4, NODE_WORDS = 6, QUOTED = 256 };

static const uint32_t *trees;
static size_t tree_words;

void tree_block(const uint32_t *block, size_t words) {
    trees = block;
    tree_words = words;
}

static size_t words_of(const uint32_t *tree) {
    return HEAD_WORDS + NODE_WORDS * (size_t)tree[2] + ((size_t)tree[3] + 3) / 4;
}

/* The tree of a text; NULL where there is none. */
static const uint32_t *find_tree(const char *bytes, size_t size) {
    uint32_t hash = (uint32_t)hash_bytes(HASH_START, bytes, size);
    const uint32_t *tree = trees;
    for (size_t left = tree_words; left > HEAD_WORDS && words_of(tree) <= left; tree += words_of(tree)) {
        if (tree[0] == size && tree[1] == hash && tree[2] > 0) return tree;
        left -= words_of(tree);
    }
    return NULL;
}

const spec_node *spec_load(spec_file *file, const char *path, const char *bytes, size_t size) {
    file->path = path;
    const uint32_t *tree = find_tree(bytes, size);
    if (tree == NULL) {
        spec_complain_at(file, 1, 1, "the page does not hold this file's tree");
        return NULL;
    }
    file->node_count = file->node_capacity = tree[2];
    file->nodes = memory_alloc(file->node_count, sizeof *file->nodes);
    if (file->nodes == NULL) file->memory_failed = true;
    if (file->nodes == NULL) return NULL;
    const uint32_t *at = tree + HEAD_WORDS;
    for (size_t i = 0; i < file->node_count; i++, at += NODE_WORDS)
        file->nodes[i] = (spec_node){.line = at[0],
                                     .column = at[1],
                                     .size = at[2],
                                     .first = at[3],
                                     .next = at[4],
                                     .kind = (uint8_t)(at[5] % QUOTED),
                                     .quoted = at[5] >= QUOTED};
    text_append_n(&file->strings, (const char *)at, tree[3]);
    if (file->strings.failed) file->memory_failed = true;
    return &file->nodes[0];
}
