/* The tree of a document: building, walking and writing.
 * 1. Nodes are stored in one array in document order, parents before children; the bytes of scalars are in
 *    one text.
 * 2. Written YAML has a line per entry of the root. A value that is a mapping, or a list of lists or
 *    mappings, also has a line per entry; everything below is in brackets. */
#include <string.h>

#include "base/escape.h"
#include "base/memory.h"
#include "model/yaml.h"

/* ---- Building ---- */

spec_node *spec_add_node(spec_builder *b, spec_kind kind) {
    spec_file *file = b->file;
    file->memory_failed |= !memory_grows(&file->nodes, &file->node_capacity, file->node_count + 1);
    if (file->memory_failed) return NULL;
    uint32_t index = (uint32_t)file->node_count++;
    file->nodes[index] = (spec_node){.line = b->line, .column = b->column, .kind = (uint8_t)kind};
    if (b->depth > 0) {
        int top = b->depth - 1;
        spec_node *parent = &file->nodes[b->open[top]];
        if (b->last[top] > 0)
            file->nodes[b->last[top]].next = index;
        else
            parent->first = index;
        b->last[top] = index;
        parent->size++;
    }
    return &file->nodes[index];
}

void spec_open(spec_builder *b, spec_kind kind) {
    const spec_node *node = spec_add_node(b, kind);
    if (node == NULL) return;
    b->open[b->depth] = (uint32_t)(node - b->file->nodes);
    b->last[b->depth++] = 0;
}

void spec_close(spec_builder *b) {
    if (b->file->memory_failed) return; /* it may not be open */
    spec_node *node = &b->file->nodes[b->open[--b->depth]];
    if (node->kind == SPEC_MAPPING) node->size /= 2;
}

static void set_bytes(spec_file *file, spec_node *node, const char *bytes, size_t size) {
    node->first = (uint32_t)file->strings.size;
    node->size = (uint32_t)size;
    text_append_n(&file->strings, bytes, size);
    if (file->strings.failed) file->memory_failed = true;
}

void spec_add_scalar(spec_builder *b, const char *bytes, size_t size, bool quoted) {
    spec_node *node = spec_add_node(b, SPEC_SCALAR);
    if (node == NULL) return;
    node->quoted = quoted;
    set_bytes(b->file, node, bytes, size);
}

void spec_add_text(spec_builder *b, const char *string) {
    spec_add_scalar(b, string, strlen(string), true);
}

void spec_add_word(spec_builder *b, const char *word) {
    spec_add_scalar(b, word, strlen(word), false);
}

void spec_add_number(spec_builder *b, double number) {
    char shown[NUMBER_SHOWN_MAX];
    spec_add_word(b, number_shortest(number, shown));
}

void spec_add_pair(spec_builder *b, const char *key, const char *value, bool quoted) {
    spec_add_word(b, key);
    spec_add_scalar(b, value, strlen(value), quoted);
}

void spec_open_key(spec_builder *b, const char *key, spec_kind kind) {
    spec_add_word(b, key);
    spec_open(b, kind);
}

void spec_add_copy(spec_builder *b, const spec_file *from, const spec_node *node) {
    b->line = node->line;
    b->column = node->column;
    if (node->kind == SPEC_SCALAR) {
        spec_add_scalar(b, spec_text(from, node), node->size, node->quoted);
        return;
    }
    spec_open(b, (spec_kind)node->kind);
    SPEC_EACH(child, from, node) spec_add_copy(b, from, child);
    spec_close(b);
}

void spec_change(spec_file *file, const spec_node *scalar, const char *bytes) {
    set_bytes(file, &file->nodes[scalar - file->nodes], bytes, strlen(bytes));
}

/* ---- Walking ---- */

const spec_node *spec_root(const spec_file *file) {
    return file->node_count > 0 ? &file->nodes[0] : NULL;
}

const char *spec_text(const spec_file *file, const spec_node *node) {
    return file->strings.data != NULL ? file->strings.data + node->first : "";
}

const spec_node *spec_first(const spec_file *file, const spec_node *node) {
    bool has_children = node->kind == SPEC_LIST || node->kind == SPEC_MAPPING;
    return has_children && node->first > 0 ? &file->nodes[node->first] : NULL;
}

const spec_node *spec_next(const spec_file *file, const spec_node *node) {
    return node->next > 0 ? &file->nodes[node->next] : NULL;
}

/* ---- Writing ---- */

static void write_inline(const spec_file *file, const spec_node *node, text *to) {
    const bool mapping = node->kind == SPEC_MAPPING;
    bool key = false;
    if (node->kind == SPEC_SCALAR) {
        if (node->quoted)
            escape_n(to, ESCAPE_YAML, spec_text(file, node), node->size);
        else
            text_append_n(to, spec_text(file, node), node->size);
        return;
    }
    text_append(to, mapping ? "{" : "[");
    SPEC_EACH(child, file, node) {
        if (child != spec_first(file, node)) text_append(to, key ? ": " : ", ");
        write_inline(file, child, to);
        key = mapping && !key;
    }
    text_append(to, mapping ? "}" : "]");
}

/* Returns true if the node is written with a line per entry. */
static bool has_lines(const spec_file *file, const spec_node *node) {
    const spec_node *first = spec_first(file, node);
    return first != NULL && (node->kind == SPEC_MAPPING || first->kind != SPEC_SCALAR);
}

static void write_lines(const spec_file *file, const spec_node *node, bool root, text *to) {
    SPEC_EACH(child, file, node) {
        const spec_node *value = node->kind == SPEC_MAPPING ? spec_next(file, child) : NULL;
        text_append(to, root ? "" : "  ");
        if (value == NULL) text_append(to, "- ");
        write_inline(file, child, to);
        if (value != NULL && root && has_lines(file, value)) {
            text_append(to, ":\n");
            write_lines(file, value, false, to);
        } else {
            if (value != NULL) text_append(to, ": ");
            if (value != NULL) write_inline(file, value, to);
            text_append(to, "\n");
        }
        if (value != NULL) child = value;
    }
}

void spec_write(const spec_file *file, text *to) {
    const spec_node *root = spec_root(file);
    if (root != NULL) write_lines(file, root, true, to);
}

void spec_file_free(spec_file *file) {
    spec_forget_problems(file);
    text_free(&file->strings);
    text_free(&file->notes);
    memory_free(file->nodes);
    *file = (spec_file){0};
}
