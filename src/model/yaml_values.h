/* model/yaml_values.h - strict values from the tree: mappings by tables of keys, numbers, names.
 *
 * Each getter returns false after complaining. `what` names the value in the message: "axis 'gamma'". A node
 * that was complained of before (SPEC_SKIPPED) is refused without another word. */
#pragma once

#include "costab/model.h"
#include "model/yaml.h"

#define SPEC_KEYS_MAX 32
#define SPEC_WORD_MAX 64
#define SPEC_SHOW_MAX 64

/* The type of a key's value, which is also that of its place in the target. */
typedef enum spec_type {
    SPEC_OWN,      /* the key has a `read` of its own */
    SPEC_NODE,     /* const spec_node *: the value is kept, to be read later */
    SPEC_NUMBER,   /* double: a plain finite number */
    SPEC_POSITIVE, /* double: the same, greater than 0 */
    SPEC_NUMBERS,  /* double[most]: a list of so many numbers */
    SPEC_WHOLE,    /* int from `least` to `most` */
    SPEC_FLAG,     /* bool: true or false */
    SPEC_ANSWER,   /* costab_answer: true or false, where an absent key is a third answer */
    SPEC_CHOICE,   /* int: the index of one of `most` names */
    SPEC_LINE,     /* char *: one line of text, which replaces and frees the one before */
    SPEC_PLACED,   /* costab_figure_word: a name, whose meaning another module knows */
} spec_type;

/* A key of a mapping is a row of the mapping's table. `example` is shown where a required key is missing;
 * `help` is what docs/reference/keys.md says of it. */
typedef struct spec_key {
    const char *name;
    bool required;
    const char *example, *help;
    bool (*read)(spec_file *file, const spec_node *value, void *target);
    spec_type type;
    size_t offset;      /* of the value's place in the target */
    size_t most, least; /* of a whole number */
    const char *const *names;
} spec_key;

/* A table, for the reference of keys. */
typedef struct spec_keys {
    const spec_key *rows;
    size_t count;
} spec_keys;

/* Ends a row: the value's type, and the member of the target that it goes to. */
#define SPEC_VALUE(kind, target, member) .type = kind, .offset = offsetof(target, member)
/* Stands for a table and the number of its rows. */
#define SPEC_TABLE(keys) keys, sizeof(keys) / sizeof *(keys)

/* Reads a mapping by its table, in the order of the file; complains of unknown, repeated and missing keys.
 * True if everything, the values too, was fine. */
bool spec_read_mapping(spec_file *file, const spec_node *node, const char *what, const spec_key *keys,
                       size_t count, void *target);

/* Returns the value of a key; NULL where the key is absent. */
const spec_node *spec_find(const spec_file *file, const spec_node *mapping, const char *key);

/* Whether a stored text has a word here that was removed since it was written. */
bool spec_passes_over(const spec_file *file, const spec_node *node);

/* Describes a node for messages: "a list", "nothing", "'0,5'", ... Returns `shown` or a constant text. */
const char *spec_show(const spec_file *file, const spec_node *node, char shown[SPEC_SHOW_MAX]);

/* Complains that something else stands here than was expected. Returns false. */
bool spec_expected(spec_file *file, const spec_node *node, const char *what, const char *expected);

/* Complains that a mapping lacks a key. Returns false. */
bool spec_missing(spec_file *file, const spec_node *mapping, const char *what, const spec_key *key);

/* Why a list may have an entry too many: " (..)" where one of its entries leaves a parenthesis open, as the
 * comma of max(a, b) divides a list; else "". */
const char *spec_divided(const spec_file *file, const spec_node *list);

/* Expects a mapping, whose keys the caller reads. */
bool spec_pairs(spec_file *file, const spec_node *node, const char *what, const char *example);

bool spec_is(const spec_file *file, const spec_node *node, const char *word);

/* Whether a text is nan or infinite, in any of YAML's and C's spellings. */
bool spec_is_not_finite(const char *bytes, size_t size);

/* Reads a plain finite number; spec_positive one above 0. The whole text must be a number. */
bool spec_number(spec_file *file, const spec_node *node, const char *what, double *value);
bool spec_positive(spec_file *file, const spec_node *node, const char *what, double *value);

/* Reads a number or a constant expression. */
bool spec_constant(spec_file *file, const spec_node *node, const char *what, double *value);

/* Reads a whole number from min to max. */
bool spec_whole(spec_file *file, const spec_node *node, const char *what, size_t min, size_t max,
                size_t *value);

/* Reads a short name without control characters. */
bool spec_word(spec_file *file, const spec_node *node, const char *what, char word[SPEC_WORD_MAX]);

/* The same with its place. */
bool spec_placed_word(spec_file *file, const spec_node *node, const char *what, costab_figure_word *word);
/* The place of a node; 0, 0 in a file without a name. */
costab_place spec_place(const spec_file *file, const spec_node *node);

/* Reads one of several names. [out] *index: which one. */
bool spec_choice(spec_file *file, const spec_node *node, const char *what, const char *const *names,
                 size_t count, size_t *index);

/* Reads true or false. */
bool spec_flag(spec_file *file, const spec_node *node, const char *what, bool *value);

/* Expects a list of `size` items; 0: of at least one. */
bool spec_list(spec_file *file, const spec_node *node, const char *what, size_t size);

/* Expects any value, or a list of at least one. */
bool spec_some(spec_file *file, const spec_node *node, const char *what);

/* Reads one line of text. [in, out] *copy: the copy before is freed; free this one with memory_free. */
bool spec_line(spec_file *file, const spec_node *node, const char *what, char **copy);
