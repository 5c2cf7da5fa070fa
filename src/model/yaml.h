/* model/yaml.h - a document: a tree of mappings, lists and scalars that knows the position of each node, and
 * the mistakes in it.
 *
 * Models, specs, figures and settings are read from documents, whatever these come from: spec_load reads one
 * from YAML text; a spec_builder makes one of options, of systems of FMUs and of matrices in other files.
 * spec_write turns a document into YAML: the text in results files, and what `costab import` writes.
 *
 * The YAML is strict: no aliases, anchors, tags or directives, one document, UTF-8. Scalars stay text;
 * model/yaml_values.h makes numbers and names of them. Mistakes are collected in the file and come out
 * together, sorted by position. */
#pragma once

#include <stdint.h>

#include "base/text.h"
#include "costab/base.h"

#define SPEC_SIZE_MAX  ((size_t)64 << 20)
#define SPEC_DEPTH_MAX 32

typedef enum spec_kind {
    SPEC_SCALAR,
    SPEC_LIST,
    SPEC_MAPPING,
    SPEC_SKIPPED /* an alias, which has been complained of */
} spec_kind;

typedef struct spec_node {
    uint32_t line, column; /* counted from 1; a column is a character */
    uint32_t size;         /* bytes of a scalar, items of a list, keys of a mapping */
    uint32_t first;        /* where a scalar's bytes begin; else the first child, 0 where there is none */
    uint32_t next; /* the next child of the same parent, 0 for the last; a key is followed by its value */
    uint8_t kind;
    bool quoted;
} spec_node;

typedef struct spec_problem {
    uint32_t line, column, order;
    char *message;
} spec_problem;

/* Zero-initialise; end with spec_file_free. */
typedef struct spec_file {
    const char *path; /* borrowed; NULL: messages name no places */
    bool made;        /* a builder made it of a system of other programs */
    text notes;       /* warnings of what made it: lines "FILE:LINE: warning: .." */
    bool stored; /* with results, maybe by version 0.1.0: names that were removed since are passed over */
    spec_node *nodes;
    size_t node_count, node_capacity;
    text strings;
    spec_problem *problems;
    size_t problem_count;
    uint32_t problem_order;
    text warnings; /* lines "FILE:LINE:COLUMN: warning: .." */
    bool memory_failed;
    costab_status failure; /* of another program that the file names: what it failed with; else COSTAB_OK */
} spec_file;

/* Reads a document from YAML; mistakes are complained of. The root, or NULL if there is no tree.
 * Nodes stay where they are from then on. `bytes` is not needed afterwards. */
const spec_node *spec_load(spec_file *file, const char *path, const char *bytes, size_t size);
void spec_file_free(spec_file *file);

/* Forgets the mistakes and warnings of a document, so that it can be read anew. */
void spec_forget_problems(spec_file *file);

/* The root of a document; NULL if it has none. */
const spec_node *spec_root(const spec_file *file);

/* ---- Building and writing */

/* Adds nodes to a document in their order. Zero-initialise with the file; exhausted memory is noted there. */
typedef struct spec_builder {
    spec_file *file;
    uint32_t line, column;         /* of the nodes that follow; 0: they have no position */
    uint32_t open[SPEC_DEPTH_MAX]; /* lists and mappings not yet ended */
    uint32_t last[SPEC_DEPTH_MAX]; /* the last child of each, 0 if none */
    int depth;
} spec_builder;

/* Begin a list or mapping, and end the innermost one. */
void spec_open(spec_builder *b, spec_kind kind);
void spec_close(spec_builder *b);
/* Adds a node, NULL if memory is out; a scalar with its bytes. quoted: it is text, never a number. */
spec_node *spec_add_node(spec_builder *b, spec_kind kind);
void spec_add_scalar(spec_builder *b, const char *bytes, size_t size, bool quoted);
/* Add a text, a word without quotes such as a key or an expression, and a number. */
void spec_add_text(spec_builder *b, const char *string);
void spec_add_word(spec_builder *b, const char *word);
void spec_add_number(spec_builder *b, double number);
/* Adds a key and its value; begins a list or mapping that is the value of a key. */
void spec_add_pair(spec_builder *b, const char *key, const char *value, bool quoted);
void spec_open_key(spec_builder *b, const char *key, spec_kind kind);

/* Gives a scalar other bytes. */
void spec_change(spec_file *file, const spec_node *scalar, const char *bytes);

/* Appends a document as YAML. A failure is noted in `to`. */
void spec_write(const spec_file *file, text *to);

/* ---- Walking */

/* The bytes of a scalar: node->size of them; a NUL may be among them. */
const char *spec_text(const spec_file *file, const spec_node *node);

/* The first child of a list or mapping, the next after one; NULL at the end. */
const spec_node *spec_first(const spec_file *file, const spec_node *node);
const spec_node *spec_next(const spec_file *file, const spec_node *node);

/* Over the items of a list; over the keys of a mapping, whose values are spec_next of them. */
#define SPEC_EACH(item, file, list)                                                                          \
    for (const spec_node *item = spec_first(file, list); item != NULL; item = spec_next(file, item))
#define SPEC_EACH_KEY(key, file, mapping)                                                                    \
    for (const spec_node *key = spec_first(file, mapping); key != NULL;                                      \
         key = spec_next(file, spec_next(file, key)))
/* Over the items of a list, or over the one value that stands there instead of a list. */
#define SPEC_EACH_OF(item, file, node)                                                                       \
    for (const spec_node *item = (node)->kind == SPEC_LIST ? spec_first(file, node) : (node); item != NULL;  \
         item = (node)->kind == SPEC_LIST ? spec_next(file, item) : NULL)

/* Notes a mistake at a place. Returns false. */
bool spec_complain(spec_file *file, const spec_node *node, const char *format, ...) COSTAB_PRINTF(3, 4);
bool spec_complain_at(spec_file *file, size_t line, size_t column, const char *format, ...)
    COSTAB_PRINTF(4, 5);

/* Notes a warning in `to`, once, of a place in `file`. */
void spec_warn(spec_file *to, const spec_file *file, const spec_node *node, const char *words);

/* Writes "FILE:LINE:COLUMN", or the file alone where the line is 0. Returns `shown`. */
#define SPEC_PLACE_MAX 440
const char *spec_show_place(const char *path, uint32_t line, uint32_t column, char shown[SPEC_PLACE_MAX]);

/* COSTAB_OK if there was no mistake, else all of them in `error`. */
costab_status spec_finish(spec_file *file, costab_error *error);
