/* Strict values from the tree.
 * 1. Mappings are read by their table of keys. Each entry is stored in the member named by its row, in file
 *    order. Unknown keys (with a suggestion), repeated and missing keys are errors.
 * 2. Numbers, names, flags and lists: the whole text must match. An error gives the value found, the expected
 *    form and, for a number, the likely mistake (a decimal comma, quotes, text after the number).
 * Cost: a comparison with each key of a table. */
#include "model/yaml_values.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/removed.h"
#include "base/spelling.h"
#include "formula/formula.h"

/* Copies a scalar's bytes for a message: one line without control characters, long text cut at a complete
 * character. */
static void show_bytes(const char *bytes, size_t size, char shown[SPEC_SHOW_MAX]) {
    size_t most = SPEC_SHOW_MAX - 24, n = size <= most ? size : most;
    if (n < size)
        while (n > 0 && ((unsigned char)bytes[n] & 0xc0) == 0x80) n--;
    for (size_t i = 0; i < n; i++) {
        bool control = (unsigned char)bytes[i] < 0x20 || bytes[i] == 0x7f;
        shown[i] = control ? '?' : bytes[i];
    }
    memcpy(shown + n, n < size ? "..." : "", n < size ? 4 : 1);
}

const char *spec_show(const spec_file *file, const spec_node *node, char shown[SPEC_SHOW_MAX]) {
    switch ((spec_kind)node->kind) {
    case SPEC_LIST:
        return node->size == 0 ? "an empty list" : "a list";
    case SPEC_MAPPING:
        return "a mapping";
    case SPEC_SKIPPED:
        return "an alias";
    case SPEC_SCALAR:
        break;
    }
    if (node->size == 0) return node->quoted ? "an empty text" : "nothing";
    char bytes[SPEC_SHOW_MAX];
    show_bytes(spec_text(file, node), node->size, bytes);
    snprintf(shown, SPEC_SHOW_MAX, node->quoted ? "the quoted text '%s'" : "'%s'", bytes);
    return shown;
}

bool spec_is(const spec_file *file, const spec_node *node, const char *word) {
    return node->kind == SPEC_SCALAR && node->size == strlen(word) &&
           memcmp(spec_text(file, node), word, node->size) == 0;
}

bool spec_expected(spec_file *file, const spec_node *node, const char *what, const char *expected) {
    char shown[SPEC_SHOW_MAX];
    if (node->kind != SPEC_SKIPPED)
        spec_complain(file, node, "%s: expected %s, found %s", what, expected, spec_show(file, node, shown));
    return false;
}

bool spec_pairs(spec_file *file, const spec_node *node, const char *what, const char *example) {
    char expected[200];
    snprintf(expected, sizeof expected, "a mapping such as %s", example);
    return node->kind == SPEC_MAPPING || spec_expected(file, node, what, expected);
}

/* ---- Mappings ---- */

static bool is_number(const char *bytes, size_t size) {
    double value;
    return number_parse_double(bytes, size, &value);
}

static bool complain_unknown_key(spec_file *file, const spec_node *key, const char *what,
                                 const spec_key *keys, size_t count) {
    char shown[SPEC_SHOW_MAX], word[SPEC_WORD_MAX] = "", list[400], words[sizeof list + 40];
    spec_node plain = *key;
    plain.quoted = key->size == 0;
    spec_show(file, &plain, shown);
    if (is_number(spec_text(file, key), key->size))
        return spec_complain(file, key, "%s: unknown key %s; decimals are written with a point", what, shown);
    if (key->size < sizeof word) memcpy(word, spec_text(file, key), key->size);
    const char *removed = removed_hint(REMOVED_KEY, word);
    if (removed != NULL && file->stored) return true;
    if (removed != NULL) return spec_complain(file, key, "%s: unknown key %s%s", what, shown, removed);
    const char *nearest = spelling_nearest(word, &keys[0].name, count, sizeof keys[0]);
    spelling_list(&keys[0].name, count, sizeof keys[0], " and ", list, sizeof list);
    return spec_complain(file, key, "%s: unknown key %s%s", what, shown,
                         spelling_meant(nearest, "; the keys here are ", list, words, sizeof words));
}

static size_t find_key(const spec_file *file, const spec_node *key, const spec_key *keys, size_t count) {
    size_t k = 0;
    while (k < count && !spec_is(file, key, keys[k].name)) k++;
    return k;
}

static bool read_numbers(spec_file *file, const spec_node *node, const char *what, size_t count,
                         double *numbers) {
    if (!spec_list(file, node, what, count)) return false;
    bool fine = true;
    SPEC_EACH(item, file, node) fine = spec_number(file, item, what, numbers++) && fine;
    return fine;
}

/* Stores a value according to the key's type. */
static bool read_typed(spec_file *file, const spec_node *value, const char *of, const spec_key *key,
                       void *place) {
    char what[400];
    size_t whole = 0;
    bool flag = false, fine;
    snprintf(what, sizeof what, "%s, %s", of, key->name);
    switch (key->type) {
    case SPEC_NODE:
        *(const spec_node **)place = value;
        return true;
    case SPEC_NUMBER:
        return spec_number(file, value, what, place);
    case SPEC_POSITIVE:
        return spec_positive(file, value, what, place);
    case SPEC_NUMBERS:
        return read_numbers(file, value, what, key->most, place);
    case SPEC_FLAG:
        return spec_flag(file, value, what, place);
    case SPEC_ANSWER:
        fine = spec_flag(file, value, what, &flag);
        if (fine) *(costab_answer *)place = flag ? COSTAB_YES : COSTAB_NO;
        return fine;
    case SPEC_LINE:
        return spec_line(file, value, what, place);
    case SPEC_PLACED:
        return spec_placed_word(file, value, what, place);
    case SPEC_WHOLE:
    case SPEC_CHOICE:
        fine = key->type == SPEC_WHOLE ? spec_whole(file, value, what, key->least, key->most, &whole)
                                       : spec_choice(file, value, what, key->names, key->most, &whole);
        if (fine) *(int *)place = (int)whole;
        return fine;
    case SPEC_OWN:
        break;
    }
    return false;
}

/* Reads a key and its value; `seen`: the keys so far, by table index. */
static bool read_entry(spec_file *file, const spec_node *key, const char *what, const spec_key *keys,
                       size_t count, const spec_node **seen, void *target) {
    if (key->kind == SPEC_SKIPPED) return false;
    if (key->kind != SPEC_SCALAR || key->size == 0) {
        char shown[SPEC_SHOW_MAX];
        return spec_complain(file, key, "%s: expected a key, found %s", what, spec_show(file, key, shown));
    }
    size_t k = find_key(file, key, keys, count);
    if (k == count) return complain_unknown_key(file, key, what, keys, count);
    if (seen[k] != NULL)
        return spec_complain(file, key, "%s: the key '%s' is repeated; line %u has it already", what,
                             keys[k].name, (unsigned)seen[k]->line);
    seen[k] = key;
    const spec_node *value = spec_next(file, key);
    return keys[k].read != NULL ? keys[k].read(file, value, target)
                                : read_typed(file, value, what, &keys[k], (char *)target + keys[k].offset);
}

bool spec_read_mapping(spec_file *file, const spec_node *node, const char *what, const spec_key *keys,
                       size_t count, void *target) {
    if (node->kind != SPEC_MAPPING) {
        char list[400], expected[500];
        spelling_list(&keys[0].name, count, sizeof keys[0], " and ", list, sizeof list);
        snprintf(expected, sizeof expected, "a mapping with the keys %s", list);
        return spec_expected(file, node, what, expected);
    }
    const spec_node *seen[SPEC_KEYS_MAX] = {NULL};
    bool fine = true;
    SPEC_EACH_KEY(key, file, node)
    if (!read_entry(file, key, what, keys, count, seen, target)) fine = false;
    for (size_t k = 0; k < count; k++)
        if (keys[k].required && seen[k] == NULL) fine = spec_missing(file, node, what, &keys[k]);
    return fine;
}

bool spec_missing(spec_file *file, const spec_node *mapping, const char *what, const spec_key *key) {
    return spec_complain(file, mapping, "%s: the key '%s' is missing; write for instance '%s'", what,
                         key->name, key->example);
}

const spec_node *spec_find(const spec_file *file, const spec_node *mapping, const char *key) {
    if (mapping->kind != SPEC_MAPPING) return NULL;
    SPEC_EACH_KEY(k, file, mapping)
    if (spec_is(file, k, key)) return spec_next(file, k);
    return NULL;
}

bool spec_passes_over(const spec_file *file, const spec_node *node) {
    char word[SPEC_WORD_MAX] = "";
    if (file->stored && node->kind == SPEC_SCALAR && node->size < sizeof word)
        memcpy(word, spec_text(file, node), node->size);
    return removed_hint(REMOVED_FIELD, word) != NULL;
}

/* ---- Numbers ---- */

bool spec_is_not_finite(const char *bytes, size_t size) {
    static const char *const names[] = {"nan", "inf", "infinity"};
    size_t start = size > 0 && (bytes[0] == '+' || bytes[0] == '-');
    start += start < size && bytes[start] == '.';
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        size_t length = strlen(names[k]), i = 0;
        if (size - start != length) continue;
        while (i < length && (bytes[start + i] | 0x20) == names[k][i]) i++;
        if (i == length) return true;
    }
    return false;
}

/* Longest text examined for a likely mistake. */
#define TOKEN_MAX 60

/* Replaces the comma of "0,5" by a point, if the result is a number. */
static bool has_decimal_comma(const char *bytes, size_t size, char mended[TOKEN_MAX + 1]) {
    const char *comma = size <= TOKEN_MAX ? memchr(bytes, ',', size) : NULL;
    if (comma == NULL) return false;
    memcpy(mended, bytes, size);
    mended[size] = '\0';
    mended[comma - bytes] = '.';
    return is_number(mended, size);
}

/* Returns the length of the longest proper prefix that is a number: "1e-9" of "1e-9x". */
static size_t number_prefix(const char *bytes, size_t size) {
    size_t n = size <= TOKEN_MAX && size > 0 ? size - 1 : 0;
    while (n > 0 && !is_number(bytes, n)) n--;
    return n;
}

const char *spec_divided(const spec_file *file, const spec_node *list) {
    SPEC_EACH(entry, file, list) {
        int open = 0;
        const char *bytes = spec_text(file, entry);
        for (size_t i = 0; entry->kind == SPEC_SCALAR && i < entry->size; i++)
            open += (bytes[i] == '(') - (bytes[i] == ')');
        if (open > 0) return " (in a list a comma ends the entry: quote an expression that has commas)";
    }
    return "";
}

static bool complain_number(spec_file *file, const spec_node *node, const char *what) {
    if (node->kind != SPEC_SCALAR || node->size == 0) return spec_expected(file, node, what, "a number");
    char shown[SPEC_SHOW_MAX], mended[TOKEN_MAX + 1];
    spec_show(file, node, shown);
    const char *bytes = spec_text(file, node);
    size_t size = node->size, prefix = number_prefix(bytes, size);
    if (node->quoted && is_number(bytes, size))
        return spec_complain(file, node, "%s: expected a number, found %s; write it without quotes", what,
                             shown);
    if (spec_is_not_finite(bytes, size))
        return spec_complain(file, node, "%s: expected a finite number, found %s", what, shown);
    if (has_decimal_comma(bytes, size, mended))
        return spec_complain(file, node, "%s: expected a number, found %s; write %s with a point", what,
                             shown, mended);
    const char *range = number_out_of_range(bytes, size);
    if (range != NULL)
        return spec_complain(file, node, "%s: %s is %s a number in double precision", what, shown, range);
    double denominator;
    if (prefix > 0 && prefix < size && bytes[prefix] == '/' &&
        number_parse_double(bytes + prefix + 1, size - prefix - 1, &denominator) && denominator == 0)
        return spec_complain(file, node, "%s: expected a number, found %s; its denominator is 0", what,
                             shown);
    if (prefix > 0 && prefix < size && bytes[prefix] == '/')
        return spec_complain(
            file, node, "%s: expected a number, found %s; a fraction has two whole numbers, the second not 0",
            what, shown);
    if (prefix > 0)
        return spec_complain(file, node, "%s: expected a number, found %s; '%.*s' follows the number", what,
                             shown, (int)(size - prefix), bytes + prefix);
    return spec_complain(file, node, "%s: expected a number, found %s", what, shown);
}

static bool is_plain_number(const spec_file *file, const spec_node *node, double *value) {
    return node->kind == SPEC_SCALAR && !node->quoted &&
           number_parse(spec_text(file, node), node->size, value);
}

bool spec_number(spec_file *file, const spec_node *node, const char *what, double *value) {
    return is_plain_number(file, node, value) || complain_number(file, node, what);
}

bool spec_positive(spec_file *file, const spec_node *node, const char *what, double *value) {
    return spec_number(file, node, what, value) &&
           (*value > 0 || spec_complain(file, node, "%s: expected a positive number", what));
}

bool spec_constant(spec_file *file, const spec_node *node, const char *what, double *value) {
    if (is_plain_number(file, node, value)) return true;
    const char *bytes = spec_text(file, node);
    bool no_expression = node->kind != SPEC_SCALAR || node->size == 0 || is_number(bytes, node->size) ||
                         spec_is_not_finite(bytes, node->size);
    if (no_expression) return complain_number(file, node, what);
    char reason[200], shown[SPEC_SHOW_MAX];
    costab_status status = formula_constant(bytes, node->size, value, reason, sizeof reason);
    if (status == COSTAB_MEMORY) file->memory_failed = true;
    if (!status) return true;
    return spec_complain(file, node, "%s: expected a number or an expression, found %s: %s", what,
                         spec_show(file, node, shown), reason);
}

bool spec_whole(spec_file *file, const spec_node *node, const char *what, size_t min, size_t max,
                size_t *value) {
    double number;
    char shown[SPEC_SHOW_MAX];
    if (!is_plain_number(file, node, &number)) return complain_number(file, node, what);
    spec_show(file, node, shown);
    bool whole = number_parse_size(spec_text(file, node), node->size, value);
    if (number < (double)min)
        return spec_complain(file, node, "%s: expected a whole number of at least %zu, found %s", what, min,
                             shown);
    if (number > (double)max)
        return spec_complain(file, node, "%s: expected a whole number of at most %zu, found %s", what, max,
                             shown);
    return whole ||
           spec_complain(file, node, "%s: expected a whole number in plain digits, found %s", what, shown);
}

/* ---- Names and lists ---- */

bool spec_word(spec_file *file, const spec_node *node, const char *what, char word[SPEC_WORD_MAX]) {
    if (node->kind != SPEC_SCALAR || node->size == 0 || node->size >= SPEC_WORD_MAX)
        return spec_expected(file, node, what, "a name");
    const char *bytes = spec_text(file, node);
    for (size_t i = 0; i < node->size; i++)
        if ((unsigned char)bytes[i] < 0x20) return spec_expected(file, node, what, "a name");
    memcpy(word, bytes, node->size);
    word[node->size] = '\0';
    return true;
}

costab_place spec_place(const spec_file *file, const spec_node *node) {
    return file->path != NULL ? (costab_place){node->line, node->column} : (costab_place){0, 0};
}

bool spec_placed_word(spec_file *file, const spec_node *node, const char *what, costab_figure_word *word) {
    word->place = spec_place(file, node);
    return spec_word(file, node, what, word->word);
}

bool spec_choice(spec_file *file, const spec_node *node, const char *what, const char *const *names,
                 size_t count, size_t *index) {
    char word[SPEC_WORD_MAX], list[300], expected[400];
    spelling_list(names, count, sizeof *names, " or ", list, sizeof list);
    if (node->kind != SPEC_SCALAR || node->size == 0) {
        snprintf(expected, sizeof expected, "%s%s", count > 1 ? "one of " : "", list);
        return spec_expected(file, node, what, expected);
    }
    if (!spec_word(file, node, what, word)) return false;
    for (*index = 0; *index < count; ++*index)
        if (strcmp(word, names[*index]) == 0) return true;
    const char *removed = removed_hint(REMOVED_FIELD, word);
    if (removed != NULL) return spec_complain(file, node, "%s: unknown name '%s'%s", what, word, removed);
    const char *nearest = spelling_nearest(word, names, count, sizeof *names);
    return spec_complain(file, node, "%s: unknown name '%s'%s", what, word,
                         spelling_meant(nearest, "; expected ", list, expected, sizeof expected));
}

bool spec_flag(spec_file *file, const spec_node *node, const char *what, bool *value) {
    static const char *const answers[] = {"false", "true"};
    size_t index = 0;
    bool fine = spec_choice(file, node, what, answers, 2, &index);
    if (fine) *value = index == 1;
    return fine;
}

bool spec_list(spec_file *file, const spec_node *node, const char *what, size_t size) {
    char expected[60];
    if (node->kind == SPEC_LIST && node->size > 0 && (size == 0 || node->size == size)) return true;
    if (node->kind == SPEC_LIST && node->size > 0)
        return spec_complain(file, node, "%s: expected a list of %zu, found %u", what, size,
                             (unsigned)node->size);
    snprintf(expected, sizeof expected, size > 0 ? "a list of %zu" : "a list of at least one", size);
    return spec_expected(file, node, what, expected);
}

bool spec_some(spec_file *file, const spec_node *node, const char *what) {
    return node->kind != SPEC_LIST || spec_list(file, node, what, 0);
}

bool spec_line(spec_file *file, const spec_node *node, const char *what, char **copy) {
    if (node->kind != SPEC_SCALAR || (node->size == 0 && !node->quoted))
        return spec_expected(file, node, what, "a line of text");
    const char *bytes = spec_text(file, node);
    size_t size = node->size;
    while (size > 0 && (bytes[size - 1] == '\n' || bytes[size - 1] == ' ')) size--;
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)bytes[i] < 0x20)
            return spec_complain(file, node, "%s: expected one line of text without control characters",
                                 what);
    memory_free(*copy);
    *copy = memory_copy_n(bytes, size);
    if (*copy == NULL) file->memory_failed = true;
    return *copy != NULL;
}
