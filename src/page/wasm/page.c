/* What a page's script calls of the WebAssembly module before anything else: room for its arrays, the reading
 * of the page's spec, and the message of the last call that failed. */
#include <stdlib.h>

#include "page/wasm/export.h"
#include "page/wasm/tree.h"

static costab_error error;
static costab_spec *spec;

costab_error *page_error(void) {
    return &error;
}

const costab_spec *page_spec(void) {
    return spec;
}

/* Room for an array, which stays. NULL where there is none. */
EXPORT(page_room) void *page_room(size_t bytes) {
    return malloc(bytes);
}

EXPORT(page_message) const char *page_message(void) {
    return error.message;
}

/* Reads the spec from its whole text and the trees of its documents, which stay where they are. False with a
 * message where it is refused. */
EXPORT(page_read) bool page_read(const char *bytes, size_t size, const uint32_t *trees, size_t words) {
    tree_block(trees, words);
    return costab_spec_parse_stored("the spec", bytes, size, &spec, &error) == COSTAB_OK;
}
