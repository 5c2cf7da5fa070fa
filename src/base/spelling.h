/* base/spelling.h - which known name a misspelt word stands for. */
#pragma once

#include <stddef.h>

/* The i-th of `count` names, which lie `stride` bytes apart in memory as `const char *`, that is nearest in
 * spelling to the word (case does not matter); NULL where none is near. */
const char *spelling_nearest(const char *word, const char *const *names, size_t count, size_t stride);

/* " (did you mean 'green'?)" of the nearest name, "" where none is near. Returns `words`. */
#define SPELLING_GUESS_MAX 64
const char *spelling_guess(const char *word, const char *const *names, size_t count, size_t stride,
                           char words[SPELLING_GUESS_MAX]);

/* A message lists as many names, not all of many. */
#define SPELLING_FEW 8

/* "; did you mean 'green'?" where a name is near (spelling_nearest); else `others` and the list of all names,
 * such as "; expected red, green or blue", or what else is to be said. Returns `words`. */
const char *spelling_meant(const char *near, const char *others, const char *list, char *words, size_t size);

/* "red, green or blue": all names, `last` (such as " or ") before the last; as much as there is room for.
 * Returns `list`. */
const char *spelling_list(const char *const *names, size_t count, size_t stride, const char *last, char *list,
                          size_t size);

/* The same of at most SPELLING_FEW names, with ", .." for more than one that is left out. */
const char *spelling_few(const char *const *names, size_t count, size_t stride, char *list, size_t size);
