/* model/yaml.h - documents: trees of mappings, lists and scalars with the position of each node, and the
 * errors found in them.
 *
 * Models, specs, figures and settings are read from documents. spec_load reads a document from YAML text. A
 * spec_builder creates one from options, systems of FMUs, or matrices in other files. spec_write turns a
 * document into YAML, for results files and `costab import`.
 *
 * The YAML subset is strict: no aliases, anchors, tags or directives, one document, UTF-8. Scalars stay text;
 * model/yaml_values.h converts them to numbers and names. Errors are collected in the file and reported
 * together, sorted by position. */
#pragma once

#include <stdint.h>

#include "base/text.h"
#include "costab/base.h"

#define SPEC_SIZE_MAX  ((size_t)64 << 20) /* bytes of a file; its readers check it */
#define SPEC_DEPTH_MAX 32                 /* nested lists and mappings */

typedef enum spec_kind {
    SPEC_SCALAR,
    SPEC_LIST,
    SPEC_MAPPING,
    SPEC_SKIPPED /* an alias, already reported */
} spec_kind;

typedef struct spec_node {
    uint32_t line, column; /* from 1; columns count characters */
    uint32_t size;         /* bytes of a scalar, items of a list, keys of a mapping */
    uint32_t first;        /* first byte of a scalar, or first child; 0: none */
    uint32_t next;         /* next child of the parent, 0 for the last; a value follows its key */
    uint8_t kind;
    bool quoted;
} spec_node;

typedef struct spec_problem {
    uint32_t line, column, order;
    char *message;
} spec_problem;

/* Zero-initialise; free with spec_file_free. */
typedef struct spec_file {
    const char *path; /* borrowed; NULL: messages have no positions */
    bool made;        /* built from a system of FMUs */
    text notes;       /* warnings of the builder: lines "FILE:LINE: warning: .." */
    bool stored;      /* from a results file, as old as version 0.1.0: removed names are ignored */
    spec_node *nodes;
    size_t node_count, node_capacity;
    text strings;
    spec_problem *problems;
    size_t problem_count;
    uint32_t problem_order;
    text warnings; /* lines "FILE:LINE:COLUMN: warning: .." */
    bool memory_failed;
    costab_status failure; /* failure of an FMU named by the file, or COSTAB_OK */
} spec_file;

/* Reads a document from YAML and collects errors. Returns the root, or NULL without a tree. Nodes keep their
 * addresses from then on; `bytes` may be freed. */
const spec_node *spec_load(spec_file *file, const char *path, const char *bytes, size_t size);
void spec_file_free(spec_file *file);

/* Discards errors and warnings, but not the notes, for reading a document again. */
void spec_forget_problems(spec_file *file);

/* Returns the root of a document, or NULL. */
const spec_node *spec_root(const spec_file *file);

/* ---- Building and writing ---- */

/* Adds nodes to a document in their order. Zero-initialise except for the file, which records memory
 * failures. */
typedef struct spec_builder {
    spec_file *file;
    uint32_t line, column;         /* position of the next nodes; 0: none */
    uint32_t open[SPEC_DEPTH_MAX]; /* open lists and mappings */
    uint32_t last[SPEC_DEPTH_MAX]; /* last child of each, 0: none */
    int depth;
} spec_builder;

/* Open a list or mapping, and close the innermost one. */
void spec_open(spec_builder *b, spec_kind kind);
void spec_close(spec_builder *b);
/* Add a node (NULL without memory), and a scalar with its bytes. quoted: text, never a number. */
spec_node *spec_add_node(spec_builder *b, spec_kind kind);
void spec_add_scalar(spec_builder *b, const char *bytes, size_t size, bool quoted);
/* Add a text, a string without quotes (such as a key or an expression), and a number. */
void spec_add_text(spec_builder *b, const char *string);
void spec_add_word(spec_builder *b, const char *word);
void spec_add_number(spec_builder *b, double number);
/* Add a key with its value, or open a list or mapping as the value of a key. */
void spec_add_pair(spec_builder *b, const char *key, const char *value, bool quoted);
void spec_open_key(spec_builder *b, const char *key, spec_kind kind);
/* Adds a copy of a node of another document, with its positions. */
void spec_add_copy(spec_builder *b, const spec_file *from, const spec_node *node);

/* Replaces the bytes of a scalar. */
void spec_change(spec_file *file, const spec_node *scalar, const char *bytes);

/* Appends a document as YAML; failures are noted in `to`. */
void spec_write(const spec_file *file, text *to);

/* ---- Walking ---- */

/* Returns the bytes of a scalar: node->size of them, possibly with NUL. */
const char *spec_text(const spec_file *file, const spec_node *node);

/* Return the first child of a list or mapping, and the next sibling; NULL at the end. */
const spec_node *spec_first(const spec_file *file, const spec_node *node);
const spec_node *spec_next(const spec_file *file, const spec_node *node);

/* Iterate over the items of a list, and over the keys of a mapping; spec_next of a key is its value. */
#define SPEC_EACH(item, file, list)                                                                          \
    for (const spec_node *item = spec_first(file, list); item != NULL; item = spec_next(file, item))
#define SPEC_EACH_KEY(key, file, mapping)                                                                    \
    for (const spec_node *key = spec_first(file, mapping); key != NULL;                                      \
         key = spec_next(file, spec_next(file, key)))
/* Iterates over the items of a list, or over the single value used instead of a list. */
#define SPEC_EACH_OF(item, file, node)                                                                       \
    for (const spec_node *item = (node)->kind == SPEC_LIST ? spec_first(file, node) : (node); item != NULL;  \
         item = (node)->kind == SPEC_LIST ? spec_next(file, item) : NULL)

/* Record an error at a position. Return false. */
bool spec_complain(spec_file *file, const spec_node *node, const char *format, ...) COSTAB_PRINTF(3, 4);
bool spec_complain_at(spec_file *file, size_t line, size_t column, const char *format, ...)
    COSTAB_PRINTF(4, 5);

/* Records a warning in `to`, once, for a position in `file`. */
void spec_warn(spec_file *to, const spec_file *file, const spec_node *node, const char *words);

/* Writes "FILE:LINE:COLUMN", or the file alone if the line is 0. Returns `shown`. */
#define SPEC_PLACE_MAX 440
const char *spec_show_place(const char *path, uint32_t line, uint32_t column, char shown[SPEC_PLACE_MAX]);

/* Returns COSTAB_OK without errors; COSTAB_INVALID with all errors in `error`; COSTAB_MEMORY if memory was
 * out. */
costab_status spec_finish(spec_file *file, costab_error *error);
