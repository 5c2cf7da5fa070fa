/* The syntax trees of a spec's texts, for the explorer page, which has no YAML reader: the text that a
 * results file keeps is the spec, its model and its matrices behind each other, with separators between
 * them (COSTAB_JOINT_...). Of each part the tree of the YAML reader is packed, in the order in which a
 * spec's reader asks for them (page/wasm/tree.c). */
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "page/explore.h"
#include "page/pack.h"
#include "spec/sections.h"
#include "spec/yaml.h"

enum { QUOTED = 256 };

/* By bytes, so that the words are little-endian on every machine. */
static void append_word(text *t, size_t word) {
    const unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8),
                                    (unsigned char)(word >> 16), (unsigned char)(word >> 24)};
    text_append_n(t, (const char *)bytes, sizeof bytes);
}

static void append_tree(text *t, const spec_file *file, const char *bytes, size_t size) {
    static const char zeros[4];
    append_word(t, size);
    append_word(t, hash_bytes(HASH_START, bytes, size) & UINT32_MAX);
    append_word(t, file->node_count);
    append_word(t, file->strings.size);
    for (size_t i = 0; i < file->node_count; i++) {
        const spec_node *node = &file->nodes[i];
        append_word(t, node->line);
        append_word(t, node->column);
        append_word(t, node->size);
        append_word(t, node->first);
        append_word(t, node->next);
        append_word(t, (size_t)node->kind + (node->quoted ? QUOTED : 0));
    }
    text_append_n(t, file->strings.data, file->strings.size);
    text_append_n(t, zeros, (4 - file->strings.size % 4) % 4);
}

static costab_status append_text(text *t, const char *bytes, size_t size, costab_error *error) {
    ends_by(spec_file_free) spec_file file = {.path = NULL};
    const spec_node *root = spec_load(&file, NULL, bytes, size);
    if (root != NULL) append_tree(t, &file, bytes, size);
    return spec_finish(&file, error);
}

/* The bytes up to the next separator; [out] *joint: that one, NULL at the end. */
static size_t part_of(const char *bytes, size_t size, const char **joint) {
    static const char *const joints[] = {COSTAB_JOINT_MODEL, COSTAB_JOINT_MATRICES, COSTAB_JOINT_SET,
                                         COSTAB_JOINT_POINTS, COSTAB_JOINT_LINES};
    size_t end = size;
    *joint = NULL;
    for (size_t k = 0; k < sizeof joints / sizeof *joints; k++) {
        size_t found = spec_find_joint(joints[k], bytes, end);
        if (found < end) *joint = joints[k];
        end = found;
    }
    return end;
}

/* What stands behind the last two separators is no YAML. */
static bool is_figure_file(const char *joint) {
    return strcmp(joint, COSTAB_JOINT_POINTS) == 0 || strcmp(joint, COSTAB_JOINT_LINES) == 0;
}

costab_status explore_trees(json *out, const char *whole, costab_error *error) {
    text_local trees = {0};
    const char *at = whole, *joint = "";
    while (joint != NULL && !is_figure_file(joint)) {
        at += strlen(joint);
        size_t size = part_of(at, strlen(at), &joint);
        TRY(append_text(&trees, at, size, error));
        at += size;
    }
    return trees.failed ? error_memory(error) : page_pack(out, "trees", trees.data, trees.size, error);
}
