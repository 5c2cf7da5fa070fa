/* page/wasm/tree.h - the trees of the documents that a page holds. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* spec_load takes the tree of its text from the block, which stays where it is (page/wasm/tree.c says how it
 * is laid). */
void tree_block(const uint32_t *block, size_t words);
