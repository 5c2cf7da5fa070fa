/* base/spelling.h - the known name nearest to a misspelt word. */
#pragma once

#include <stddef.h>

/* Returns the name nearest in spelling to the word (case does not matter), or NULL if none is near. The names
 * are `count` pointers `const char *`, `stride` bytes apart in memory. */
const char *spelling_nearest(const char *word, const char *const *names, size_t count, size_t stride);

/* Writes " (did you mean 'green'?)" for the nearest name, "" if none is near. Returns `words`. */
#define SPELLING_GUESS_MAX 64
const char *spelling_guess(const char *word, const char *const *names, size_t count, size_t stride,
                           char words[SPELLING_GUESS_MAX]);

/* A message lists as many names, not all of many. */
#define SPELLING_FEW 8

/* Writes "; did you mean 'green'?" if a name is near (spelling_nearest); otherwise `others` and the list of
 * all names, such as "; expected red, green or blue". Returns `words`. */
const char *spelling_meant(const char *near, const char *others, const char *list, char *words, size_t size);

/* "red, green or blue": all names, `last` (such as " or ") before the last; as much as there is space for.
 * Returns `list`. */
const char *spelling_list(const char *const *names, size_t count, size_t stride, const char *last, char *list,
                          size_t size);

/* Writes the names as a list, at most SPELLING_FEW of them, with ", .." for the rest. */
const char *spelling_few(const char *const *names, size_t count, size_t stride, char *list, size_t size);
