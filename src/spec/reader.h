/* spec/reader.h - strict values from the tree: mappings by tables of keys, numbers, names.
 *
 * Each getter returns false after complaining. `what` names the value in the message: "axis 'gamma'". A node
 * that was complained of before (SPEC_SKIPPED) is refused without another word. */
#ifndef SPEC_READER_H
#define SPEC_READER_H

#include "spec/yaml.h"

#define SPEC_KEYS_MAX 32
#define SPEC_WORD_MAX 64
#define SPEC_SHOW_MAX 64

/* What the value of a key is, and so what its place in the target is made of. */
typedef enum spec_type {
    SPEC_OWN,      /* whatever the key's own `read` makes of it */
    SPEC_NODE,     /* const spec_node *: the value itself, to be read later */
    SPEC_NUMBER,   /* double: a plain finite number */
    SPEC_POSITIVE, /* double: the same, greater than 0 */
    SPEC_NUMBERS,  /* double[most]: a list of so many numbers */
    SPEC_WHOLE,    /* int from `least` to `most` */
    SPEC_FLAG,     /* bool: true or false */
    SPEC_ANSWER,   /* costab_answer: the same, told apart from a key that is absent */
    SPEC_CHOICE,   /* int: the index of one of `most` names */
    SPEC_LINE,     /* char *: one line of text; a line that was there before is freed */
} spec_type;

/* A key of a mapping: a row of its table. `example` shows how the key is written, for the message where a
 * required one is missing. */
typedef struct spec_key {
    const char *name;
    bool required;
    const char *example;
    bool (*read)(spec_file *file, const spec_node *value, void *target);
    spec_type type;
    size_t offset;      /* of the value's place in the target */
    size_t most, least; /* of a whole number; `least` 0: 1 */
    const char *const *names;
} spec_key;

/* The end of a row: the value's type, and the member of the target that it goes to. */
#define SPEC_VALUE(kind, target, member) .type = kind, .offset = offsetof(target, member)
/* A table and the number of its rows. */
#define SPEC_TABLE(keys) keys, sizeof(keys) / sizeof *(keys)

/* Reads a mapping by its table, in the order of the file; complains of unknown, repeated and missing keys.
 * True if everything, the values too, was fine. */
bool spec_read_mapping(spec_file *file, const spec_node *node, const char *what, const spec_key *keys,
                       size_t count, void *target);

/* The value of a key, NULL if absent. */
const spec_node *spec_find(const spec_file *file, const spec_node *mapping, const char *key);

/* A node in words, for messages: "a list", "nothing", "'0,5'", ... Returns `shown`. */
const char *spec_show(const spec_file *file, const spec_node *node, char shown[SPEC_SHOW_MAX]);

/* Complains that something else stands here than was expected. False, for the caller to return. */
bool spec_expected(spec_file *file, const spec_node *node, const char *what, const char *expected);

/* A mapping whose keys are free names. */
bool spec_pairs(spec_file *file, const spec_node *node, const char *what, const char *example);

bool spec_is(const spec_file *file, const spec_node *node, const char *word);

/* A plain finite number; the whole text must be one. */
bool spec_number(spec_file *file, const spec_node *node, const char *what, double *value);
bool spec_positive(spec_file *file, const spec_node *node, const char *what, double *value);

/* A number or a constant expression. */
bool spec_constant(spec_file *file, const spec_node *node, const char *what, double *value);

/* A whole number from min to max. */
bool spec_whole(spec_file *file, const spec_node *node, const char *what, size_t min, size_t max,
                size_t *value);

/* A short name without control characters. */
bool spec_word(spec_file *file, const spec_node *node, const char *what, char word[SPEC_WORD_MAX]);

/* One of several names; [out] its index. */
bool spec_choice(spec_file *file, const spec_node *node, const char *what, const char *const *names,
                 size_t count, size_t *index);

/* true or false. */
bool spec_flag(spec_file *file, const spec_node *node, const char *what, bool *value);

/* A list, of exactly `size` items unless that is 0, of at least one in any case. */
bool spec_list(spec_file *file, const spec_node *node, const char *what, size_t size);

/* One name or a list of them, none twice: [out] indices (count places) in the order of the file, and their
 * number. */
bool spec_choices(spec_file *file, const spec_node *node, const char *what, const char *const *names,
                  size_t count, size_t *indices, size_t *found);

/* One line of text as a copy to be freed with memory_free. */
bool spec_line(spec_file *file, const spec_node *node, const char *what, char **copy);

#endif
