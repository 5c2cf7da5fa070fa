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

/* A key of a mapping: `example` shows how it is written, for the message where a required one is missing.
 * read gets the value and the reader's own target. */
typedef struct spec_key {
    const char *name;
    bool required;
    const char *example;
    bool (*read)(spec_file *file, const spec_node *value, void *target);
} spec_key;

/* Reads a mapping by its table, in the order of the file; complains of unknown, repeated and missing keys.
 * True if everything, the values too, was fine. */
bool spec_read_mapping(spec_file *file, const spec_node *node, const char *what, const spec_key *keys,
                       size_t count, void *target);

/* The value of a key, NULL if absent. */
const spec_node *spec_find(const spec_file *file, const spec_node *mapping, const char *key);

/* A node in words, for messages: "a list", "nothing", "'0,5'", ... Returns `shown`. */
const char *spec_show(const spec_file *file, const spec_node *node, char shown[SPEC_SHOW_MAX]);

bool spec_is(const spec_file *file, const spec_node *node, const char *word);

/* A plain finite number; the whole text must be one. */
bool spec_number(spec_file *file, const spec_node *node, const char *what, double *value);

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

/* A list, of exactly `size` items unless that is 0, of at least one in any case. */
bool spec_list(spec_file *file, const spec_node *node, const char *what, size_t size);

/* One name or a list of them, none twice: [out] indices (count places) in the order of the file, and their
 * number. */
bool spec_choices(spec_file *file, const spec_node *node, const char *what, const char *const *names,
                  size_t count, size_t *indices, size_t *found);

/* One line of text as a copy to be freed with memory_free. */
bool spec_line(spec_file *file, const spec_node *node, const char *what, char **copy);

#endif
