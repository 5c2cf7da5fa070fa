/* Reads a document from YAML text.
 * 1. The bytes must be UTF-8 text; a binary file gets one clear message.
 * 2. libyaml's events become nodes (yaml_tree.c). Unlike libyaml's own document, events show aliases and
 *    tags, permit an early stop at deep nesting, and are complete.
 * 3. Unsupported features (aliases, tags, several documents) are errors at their positions; reading
 *    continues.
 * Limit: the depth of nesting. Callers limit the bytes (SPEC_SIZE_MAX). */
#include "model/yaml.h"

#include <string.h>
#include <yaml.h>

#include "base/memory.h"

typedef struct reader {
    spec_builder tree;
    spec_file *file;
    const char *bytes;
    size_t size;
    int documents;
} reader;

/* ---- Encoding ---- */

static bool is_printable(uint32_t c) {
    if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
    if (c >= 0x7f && c <= 0x9f) return c == 0x85;
    return c != 0xfeff && c != 0xfffe && c != 0xffff;
}

static bool is_wide_text(const char *bytes, size_t size) {
    return size >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0);
}

#define NO_BREAK_SPACE 0xa0

/* Returns true if YAML expects a space at this position: in an indentation, after the dash of an entry, or
 * after a colon. */
static bool separates(const char *bytes, size_t at) {
    while (at > 0 && bytes[at - 1] == ' ') at--;
    if (at > 0 && bytes[at - 1] == ':') return true;
    while (at > 0 && (bytes[at - 1] == ' ' || bytes[at - 1] == '-')) at--;
    return at == 0 || bytes[at - 1] == '\n' || bytes[at - 1] == '\r';
}

static bool check_encoding(spec_file *file, const char *bytes, size_t size) {
    if (is_wide_text(bytes, size))
        return spec_complain_at(file, 1, 1, "this is UTF-16 or UTF-32 text; save the file as UTF-8");
    size_t line = 1, column = 1;
    for (size_t i = 0; i < size;) {
        uint32_t c = 0;
        size_t n = text_character(bytes + i, size - i, &c);
        if (n == 0)
            return spec_complain_at(file, line, column,
                                    "expected UTF-8 text, found the byte 0x%02x; is this a binary file?",
                                    (unsigned)(unsigned char)bytes[i]);
        if (!is_printable(c))
            return spec_complain_at(file, line, column,
                                    "expected text, found the character U+%04X; is this a binary file?",
                                    (unsigned)c);
        if (c == '%' && column == 1)
            return spec_complain_at(file, line, column,
                                    "directives such as %%YAML are not read; leave this line out");
        if (c == NO_BREAK_SPACE && separates(bytes, i))
            return spec_complain_at(file, line, column,
                                    "here is a no-break space (U+00A0), which YAML takes for a letter; "
                                    "write an ordinary space");
        bool ends_line = c == '\n' || c == 0x85 || c == 0x2028 || c == 0x2029 ||
                         (c == '\r' && !(i + 1 < size && bytes[i + 1] == '\n'));
        line += ends_line;
        column = ends_line ? 1 : column + 1;
        i += n;
    }
    return true;
}

/* ---- Events ---- */

static void go_to(reader *r, yaml_mark_t mark) {
    r->tree.line = (uint32_t)mark.line + 1;
    r->tree.column = (uint32_t)mark.column + 1;
}

static void refuse_decorations(reader *r, const yaml_event_t *event, const yaml_char_t *anchor,
                               const yaml_char_t *tag) {
    size_t line = event->start_mark.line + 1, column = event->start_mark.column + 1;
    if (anchor != NULL)
        spec_complain_at(r->file, line, column,
                         "anchors (&%.40s) are not read; write the value out where it is needed",
                         (const char *)anchor);
    if (tag != NULL)
        spec_complain_at(r->file, line, column, "tags such as !!str are not read; leave the tag out");
}

static bool add_scalar(reader *r, const yaml_event_t *event) {
    go_to(r, event->start_mark);
    spec_add_scalar(&r->tree, (const char *)event->data.scalar.value, event->data.scalar.length,
                    event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE);
    refuse_decorations(r, event, event->data.scalar.anchor, event->data.scalar.tag);
    return !r->file->memory_failed;
}

static bool add_alias(reader *r, const yaml_event_t *event) {
    go_to(r, event->start_mark);
    const spec_node *node = spec_add_node(&r->tree, SPEC_SKIPPED);
    if (node == NULL) return false;
    spec_complain(r->file, node, "aliases (*%.40s) are not read; write the value out",
                  (const char *)event->data.alias.anchor);
    return true;
}

static bool open_node(reader *r, const yaml_event_t *event, spec_kind kind) {
    if (r->tree.depth == SPEC_DEPTH_MAX)
        return spec_complain_at(r->file, event->start_mark.line + 1, event->start_mark.column + 1,
                                "lists and mappings are nested more than %d deep", SPEC_DEPTH_MAX);
    bool list = kind == SPEC_LIST;
    go_to(r, event->start_mark);
    spec_open(&r->tree, kind);
    refuse_decorations(r, event, list ? event->data.sequence_start.anchor : event->data.mapping_start.anchor,
                       list ? event->data.sequence_start.tag : event->data.mapping_start.tag);
    return !r->file->memory_failed;
}

/* Handles one event. Returns false if reading cannot continue. */
static bool take_event(reader *r, const yaml_event_t *event) {
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (r->documents++ == 0) return true;
        spec_complain_at(r->file, event->start_mark.line + 1, event->start_mark.column + 1,
                         "a second document begins here; a file holds one spec");
        return false;
    case YAML_ALIAS_EVENT:
        return add_alias(r, event);
    case YAML_SCALAR_EVENT:
        return add_scalar(r, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_node(r, event, SPEC_LIST);
    case YAML_MAPPING_START_EVENT:
        return open_node(r, event, SPEC_MAPPING);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        spec_close(&r->tree);
        return true;
    default:
        return true;
    }
}

/* Returns the byte at a mark; libyaml's index counts characters. */
static char byte_at(const reader *r, yaml_mark_t mark) {
    size_t characters = 0;
    for (size_t i = 0; i < r->size; i++) {
        if (((unsigned char)r->bytes[i] & 0xc0) == 0x80) continue;
        if (characters++ == mark.index) return r->bytes[i];
    }
    return '\0';
}

static void complain_syntax(reader *r, const yaml_parser_t *parser) {
    if (parser->error == YAML_MEMORY_ERROR) {
        r->file->memory_failed = true;
        return;
    }
    size_t line = parser->problem_mark.line + 1, column = parser->problem_mark.column + 1;
    const char *problem = parser->problem != NULL ? parser->problem : "it cannot be read";
    if (byte_at(r, parser->problem_mark) == '\t')
        spec_complain_at(r->file, line, column,
                         "not valid YAML: a tab is not allowed here; indent with blanks");
    else if (parser->context != NULL && parser->context_mark.line != parser->problem_mark.line)
        spec_complain_at(r->file, line, column, "not valid YAML: %s (%s that begins in line %zu)", problem,
                         parser->context, parser->context_mark.line + 1);
    else
        spec_complain_at(r->file, line, column, "not valid YAML: %s", problem);
}

static bool read_events(reader *r, yaml_parser_t *parser) {
    for (;;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            complain_syntax(r, parser);
            return false;
        }
        bool ended = event.type == YAML_STREAM_END_EVENT;
        bool go_on = take_event(r, &event);
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
    if (!check_encoding(file, bytes, size)) return NULL;

    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        file->memory_failed = true;
        return NULL;
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, size);
    reader r = {.tree = {.file = file}, .file = file, .bytes = bytes, .size = size};
    bool whole = read_events(&r, &parser);
    yaml_parser_delete(&parser);
    if (!whole) file->node_count = 0;
    if (!whole) return NULL;
    if (file->node_count == 0) {
        spec_complain_at(file, 1, 1, "the file is empty");
        return NULL;
    }
    return spec_root(file);
}
