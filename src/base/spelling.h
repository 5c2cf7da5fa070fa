/* base/spelling.h - the known name nearest to a misspelt word, and lists of names, for messages about unknown
 * names. */
#pragma once

#include <stddef.h>

/* Returns the name nearest in spelling to the word (case does not matter), or NULL if none is near. The names
 * are `count` pointers `const char *`, `stride` bytes apart in memory. */
const char *spelling_nearest(const char *word, const char *const *names, size_t count, size_t stride);

/* Writes " (did you mean 'green'?)" for the nearest name, "" if none is near. Returns `words`. */
#define SPELLING_GUESS_MAX 64
const char *spelling_guess(const char *word, const char *const *names, size_t count, size_t stride,
                           char words[SPELLING_GUESS_MAX]);

/* Number of names that a message lists if there are many. */
#define SPELLING_FEW 8

/* Writes "; did you mean 'green'?" if a name is near (spelling_nearest); otherwise `others` and the list of
 * all names, such as "; expected red, green or blue". Returns `words`. */
const char *spelling_meant(const char *near, const char *others, const char *list, char *words, size_t size);

/* Writes "red, green or blue": all names, `last` (such as " or ") before the last name. Cuts what does not
 * fit. Returns `list`. */
const char *spelling_list(const char *const *names, size_t count, size_t stride, const char *last, char *list,
                          size_t size);

/* Writes the names as a list: SPELLING_FEW of them and ", .." for the rest, if the rest is more than one
 * name. Returns `list`. */
const char *spelling_few(const char *const *names, size_t count, size_t stride, char *list, size_t size);
