/* model/yaml_values.h - strict values from the tree: mappings by tables of keys, numbers, names.
 *
 * Each reader returns false after reporting an error. `what` names the value in the message: "axis 'gamma'".
 * SPEC_SKIPPED nodes, already reported, are refused silently. */
#pragma once

#include "costab/model.h"
#include "model/yaml.h"

#define SPEC_KEYS_MAX 32
#define SPEC_WORD_MAX 64
#define SPEC_SHOW_MAX 64

/* Type of a key's value, and of its member in the target. */
typedef enum spec_type {
    SPEC_OWN,      /* the key has its own `read` */
    SPEC_NODE,     /* const spec_node *: the value, for later */
    SPEC_NUMBER,   /* double: a plain finite number */
    SPEC_POSITIVE, /* double: a plain finite number above 0 */
    SPEC_NUMBERS,  /* double[most]: a list of `most` numbers */
    SPEC_WHOLE,    /* int from `least` to `most` */
    SPEC_FLAG,     /* bool: true or false */
    SPEC_ANSWER,   /* costab_answer: true or false; an absent key is a third answer */
    SPEC_CHOICE,   /* int: the index of one of `most` names */
    SPEC_LINE,     /* char *: one line of text, which replaces and frees the previous one */
    SPEC_PLACED,   /* costab_figure_word: a name resolved by another module */
} spec_type;

/* A row in the table of a mapping's keys. `example` is shown for a missing required key; `help` is the text
 * in docs/reference/keys.md. */
typedef struct spec_key {
    const char *name;
    bool required;
    const char *example, *help;
    bool (*read)(spec_file *file, const spec_node *value, void *target);
    spec_type type;
    size_t offset;      /* of the member in the target */
    size_t most, least; /* range of an integer; most: also the number of list items or of names */
    const char *const *names;
} spec_key;

/* A table, for the reference of keys. */
typedef struct spec_keys {
    const spec_key *rows;
    size_t count;
} spec_keys;

/* Ends a row: the value's type, and its member in the target. */
#define SPEC_VALUE(kind, target, member) .type = kind, .offset = offsetof(target, member)
/* Expands to a table and the number of its rows. */
#define SPEC_TABLE(keys) keys, sizeof(keys) / sizeof *(keys)

/* Reads a mapping by its table, in file order; reports unknown, repeated and missing keys. Returns true if
 * all keys and values are valid. */
bool spec_read_mapping(spec_file *file, const spec_node *node, const char *what, const spec_key *keys,
                       size_t count, void *target);

/* Returns the value of a key; NULL if the key is absent. */
const spec_node *spec_find(const spec_file *file, const spec_node *mapping, const char *key);

/* Returns true for a removed name in a stored text, which is then ignored. */
bool spec_passes_over(const spec_file *file, const spec_node *node);

/* Describes a node for messages: "a list", "nothing", "'0,5'", ... Returns `shown` or a constant text. */
const char *spec_show(const spec_file *file, const spec_node *node, char shown[SPEC_SHOW_MAX]);

/* Reports "expected `expected`" with the value found. Returns false. */
bool spec_expected(spec_file *file, const spec_node *node, const char *what, const char *expected);

/* Reports a missing key. Returns false. */
bool spec_missing(spec_file *file, const spec_node *mapping, const char *what, const spec_key *key);

/* Returns a hint for a list with too many entries: " (..)" if an entry leaves a parenthesis open, as the
 * comma of max(a, b) divides a list; otherwise "". */
const char *spec_divided(const spec_file *file, const spec_node *list);

/* Expects a mapping with keys read by the caller. */
bool spec_pairs(spec_file *file, const spec_node *node, const char *what, const char *example);

bool spec_is(const spec_file *file, const spec_node *node, const char *word);

/* Returns true for nan or infinity in any spelling of YAML and C. */
bool spec_is_not_finite(const char *bytes, size_t size);

/* Read a plain finite number; spec_positive requires a value above 0. The whole text must be a number. */
bool spec_number(spec_file *file, const spec_node *node, const char *what, double *value);
bool spec_positive(spec_file *file, const spec_node *node, const char *what, double *value);

/* Reads a number or a constant expression. */
bool spec_constant(spec_file *file, const spec_node *node, const char *what, double *value);

/* Reads an integer from min to max. */
bool spec_whole(spec_file *file, const spec_node *node, const char *what, size_t min, size_t max,
                size_t *value);

/* Reads a short name without control characters. */
bool spec_word(spec_file *file, const spec_node *node, const char *what, char word[SPEC_WORD_MAX]);

/* Like spec_word(), with the position. */
bool spec_placed_word(spec_file *file, const spec_node *node, const char *what, costab_figure_word *word);
/* Returns the position of a node; 0, 0 in a file without a name. */
costab_place spec_place(const spec_file *file, const spec_node *node);

/* Reads one of several names. [out] *index: its index. */
bool spec_choice(spec_file *file, const spec_node *node, const char *what, const char *const *names,
                 size_t count, size_t *index);

/* Reads true or false. */
bool spec_flag(spec_file *file, const spec_node *node, const char *what, bool *value);

/* Expects a list of `size` items; 0: of at least one. */
bool spec_list(spec_file *file, const spec_node *node, const char *what, size_t size);

/* Expects any value, or a list of at least one. */
bool spec_some(spec_file *file, const spec_node *node, const char *what);

/* Reads one line of text. [in, out] *copy: the previous text is freed; free the new one with memory_free. */
bool spec_line(spec_file *file, const spec_node *node, const char *what, char **copy);
