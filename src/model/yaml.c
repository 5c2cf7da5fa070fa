/* From libyaml's events to a tree of nodes with their places.
 *   1. Events rather than libyaml's own document: only they show aliases and tags, let deep nesting be
 *      stopped in time, and leave out nothing.
 *   2. Nodes lie in one array in the order of the file, a mapping or list before what is in it.
 *   3. What costab does not take (aliases, tags, several documents) is told at its place, and reading goes
 *      on.
 * Limits: depth, nodes and bytes; all mistakes of a file are told, not the first alone. */
#include "model/yaml.h"

#include <string.h>
#include <yaml.h>

#include "base/memory.h"

typedef struct builder {
    spec_file *file;
    const char *bytes;
    size_t size;
    uint32_t open[SPEC_DEPTH_MAX]; /* lists and mappings not yet ended */
    uint32_t last[SPEC_DEPTH_MAX]; /* the last child of each, 0 if none */
    int depth;
    int documents;
} builder;

/* Adds a node under the innermost open list or mapping. */
static bool add_node(builder *b, spec_kind kind, yaml_mark_t place, spec_node **added) {
    spec_file *file = b->file;
    file->memory_failed |= !memory_grows(&file->nodes, &file->node_capacity, file->node_count + 1);
    if (file->memory_failed) return false;
    uint32_t index = (uint32_t)file->node_count++;
    file->nodes[index] = (spec_node){.line = file->made ? 0 : (uint32_t)place.line + 1,
                                     .column = (uint32_t)place.column + 1,
                                     .kind = (uint8_t)kind};
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
    *added = &file->nodes[index];
    return true;
}

static void refuse_decorations(builder *b, const yaml_event_t *event, const yaml_char_t *anchor,
                               const yaml_char_t *tag) {
    size_t line = event->start_mark.line + 1, column = event->start_mark.column + 1;
    if (anchor != NULL)
        spec_complain_at(b->file, line, column,
                         "anchors (&%.40s) are not read; write the value out where it is needed",
                         (const char *)anchor);
    if (tag != NULL)
        spec_complain_at(b->file, line, column, "tags such as !!str are not read; leave the tag out");
}

static bool add_scalar(builder *b, const yaml_event_t *event) {
    spec_node *node;
    if (!add_node(b, SPEC_SCALAR, event->start_mark, &node)) return false;
    refuse_decorations(b, event, event->data.scalar.anchor, event->data.scalar.tag);
    text *strings = &b->file->strings;
    node->first = (uint32_t)strings->size;
    node->size = (uint32_t)event->data.scalar.length;
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    text_append_n(strings, (const char *)event->data.scalar.value, event->data.scalar.length);
    if (strings->failed) b->file->memory_failed = true;
    return !strings->failed;
}

static bool add_alias(builder *b, const yaml_event_t *event) {
    spec_node *node;
    if (!add_node(b, SPEC_SKIPPED, event->start_mark, &node)) return false;
    spec_complain(b->file, node, "aliases (*%.40s) are not read; write the value out",
                  (const char *)event->data.alias.anchor);
    return true;
}

static bool open_node(builder *b, const yaml_event_t *event, spec_kind kind) {
    if (b->depth == SPEC_DEPTH_MAX)
        return spec_complain_at(b->file, event->start_mark.line + 1, event->start_mark.column + 1,
                                "lists and mappings are nested more than %d deep", SPEC_DEPTH_MAX);
    spec_node *node;
    if (!add_node(b, kind, event->start_mark, &node)) return false;
    bool list = kind == SPEC_LIST;
    refuse_decorations(b, event, list ? event->data.sequence_start.anchor : event->data.mapping_start.anchor,
                       list ? event->data.sequence_start.tag : event->data.mapping_start.tag);
    b->open[b->depth] = (uint32_t)(node - b->file->nodes);
    b->last[b->depth++] = 0;
    return true;
}

static void close_node(builder *b) {
    spec_node *node = &b->file->nodes[b->open[--b->depth]];
    if (node->kind == SPEC_MAPPING) node->size /= 2;
}

/* False where reading cannot go on. */
static bool take_event(builder *b, const yaml_event_t *event) {
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (b->documents++ == 0) return true;
        spec_complain_at(b->file, event->start_mark.line + 1, event->start_mark.column + 1,
                         "a second document begins here; a file holds one spec");
        return false;
    case YAML_ALIAS_EVENT:
        return add_alias(b, event);
    case YAML_SCALAR_EVENT:
        return add_scalar(b, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_node(b, event, SPEC_LIST);
    case YAML_MAPPING_START_EVENT:
        return open_node(b, event, SPEC_MAPPING);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        close_node(b);
        return true;
    default:
        return true;
    }
}

/* The byte at a mark; libyaml's index counts characters. */
static char byte_at(const builder *b, yaml_mark_t mark) {
    size_t characters = 0;
    for (size_t i = 0; i < b->size; i++) {
        if (((unsigned char)b->bytes[i] & 0xc0) == 0x80) continue;
        if (characters++ == mark.index) return b->bytes[i];
    }
    return '\0';
}

static void complain_syntax(builder *b, const yaml_parser_t *parser) {
    if (parser->error == YAML_MEMORY_ERROR) {
        b->file->memory_failed = true;
        return;
    }
    size_t line = parser->problem_mark.line + 1, column = parser->problem_mark.column + 1;
    const char *problem = parser->problem != NULL ? parser->problem : "it cannot be read";
    if (byte_at(b, parser->problem_mark) == '\t')
        spec_complain_at(b->file, line, column,
                         "not valid YAML: a tab cannot stand here; indent with blanks");
    else if (parser->context != NULL && parser->context_mark.line != parser->problem_mark.line)
        spec_complain_at(b->file, line, column, "not valid YAML: %s (%s that begins in line %zu)", problem,
                         parser->context, parser->context_mark.line + 1);
    else
        spec_complain_at(b->file, line, column, "not valid YAML: %s", problem);
}

static bool read_events(builder *b, yaml_parser_t *parser) {
    for (;;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            complain_syntax(b, parser);
            return false;
        }
        bool ended = event.type == YAML_STREAM_END_EVENT;
        bool go_on = take_event(b, &event);
        yaml_event_delete(&event);
        if (ended || !go_on) return go_on;
    }
}

const spec_node *spec_load(spec_file *file, const char *path, const char *bytes, size_t size) {
    file->path = path;
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        bytes += 3;
        size -= 3;
    }
    if (!spec_check_encoding(file, bytes, size)) return NULL;

    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        file->memory_failed = true;
        return NULL;
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, size);
    builder b = {.file = file, .bytes = bytes, .size = size};
    bool whole = read_events(&b, &parser);
    yaml_parser_delete(&parser);
    if (!whole) return NULL;
    if (file->node_count == 0) {
        spec_complain_at(file, 1, 1, "the file is empty");
        return NULL;
    }
    return &file->nodes[0];
}
