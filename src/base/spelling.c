/* Finds the known name nearest to a misspelt word, for messages. The distance of two words is the least
 * number of edits: characters inserted, deleted or replaced, and neighbours exchanged (optimal string
 * alignment), from a table of the distances of all their prefixes. A name is near if its distance is at most
 * 2, or 1 for a word of fewer than four letters. If no name is near: the only name with the word as a part
 * between underscores. Cost: the product of both lengths for each name. Limitation: names of more than
 * LENGTH_MAX bytes are not found. */
#include "base/spelling.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LENGTH_MAX 40

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Returns the distance of a word of m and a name of n characters. */
static size_t edits(const char *a, size_t m, const char *b, size_t n) {
    size_t d[LENGTH_MAX + 1][LENGTH_MAX + 1];
    for (size_t i = 0; i <= m; i++) d[i][0] = i;
    for (size_t j = 0; j <= n; j++) d[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        for (size_t j = 1; j <= n; j++) {
            size_t replaced = d[i - 1][j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
            d[i][j] = smaller(replaced, smaller(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                d[i][j] = smaller(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[m][n];
}

/* Returns the only name with the word as one of its parts, such as computation_delay for delay; NULL for no
 * or several such names, and for words of fewer than four letters. */
static const char *only_name_with(const char *word, size_t m, const char *const *names, size_t count,
                                  size_t stride) {
    const char *only = NULL;
    for (size_t i = 0; i < count && m >= 4; i++) {
        const char *name = *(const char *const *)((const char *)names + i * stride), *at = strstr(name, word);
        if (at == NULL || (at > name && at[-1] != '_') || (at[m] != '_' && at[m] != '\0')) continue;
        if (only != NULL) return NULL;
        only = name;
    }
    return only;
}

const char *spelling_nearest(const char *word, const char *const *names, size_t count, size_t stride) {
    size_t m = strlen(word);
    if (m > LENGTH_MAX) return NULL;
    const char *nearest = NULL;
    size_t least = m >= 4 ? 3 : 2;
    for (size_t i = 0; i < count; i++) {
        const char *name = *(const char *const *)((const char *)names + i * stride);
        size_t n = strlen(name);
        if (n > LENGTH_MAX) continue;
        size_t distance = edits(word, m, name, n);
        if (distance < least && distance < n) {
            least = distance;
            nearest = name;
        }
    }
    return nearest != NULL ? nearest : only_name_with(word, m, names, count, stride);
}

#define MEANT "did you mean '%s'?"

const char *spelling_guess(const char *word, const char *const *names, size_t count, size_t stride,
                           char words[SPELLING_GUESS_MAX]) {
    const char *near = spelling_nearest(word, names, count, stride);
    (void)snprintf(words, SPELLING_GUESS_MAX, near != NULL ? " (" MEANT ")" : "%s", near != NULL ? near : "");
    return words;
}

const char *spelling_meant(const char *near, const char *others, const char *list, char *words, size_t size) {
    (void)(near != NULL ? snprintf(words, size, "; " MEANT, near)
                        : snprintf(words, size, "%s%s", others, list));
    return words;
}

const char *spelling_list(const char *const *names, size_t count, size_t stride, const char *last, char *list,
                          size_t size) {
    size_t used = 0;
    list[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++) {
        const char *name = *(const char *const *)((const char *)names + i * stride);
        const char *separator = i == 0 ? "" : i + 1 == count ? last : ", ";
        int n = snprintf(list + used, size - used, "%s%s", separator, name);
        used += n > 0 ? (size_t)n : 0;
    }
    return list;
}

const char *spelling_few(const char *const *names, size_t count, size_t stride, char *list, size_t size) {
    bool few = count <= SPELLING_FEW + 1;
    (void)spelling_list(names, few ? count : SPELLING_FEW, stride, ", ", list, size);
    size_t used = strlen(list);
    if (!few) (void)snprintf(list + used, size - used, ", ..");
    return list;
}
