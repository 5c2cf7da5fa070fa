/* cli/path.h - names of input and output files of a command. */
#pragma once

#include "base/text.h"

bool path_is_folder(const char *path);

/* Appends to `name` the file name of `path` without its last ending. */
void path_stem(text *name, const char *path);

/* Appends the path of the output to `target`: `output` if it names a file. If `output` names a folder, or is
 * NULL for the current folder, the path is the stem of `input` with `ending`, in that folder. */
void path_output(text *target, const char *output, const char *input, const char *ending);

/* Returns true if both names lead to the same existing file. */
bool path_same(const char *one, const char *other);

/* Returns the first path with the same stem as an earlier path, whose output it would replace; NULL if all
 * stems differ. */
const char *path_clash(char *const *paths, int count);
