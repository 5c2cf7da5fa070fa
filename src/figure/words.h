/* figure/words.h - variables and comments of a script for gnuplot, whatever characters they hold. */
#pragma once

#include "base/text.h"

/* A variable with a text for gnuplot, and another one for LaTeX where that differs. */
void words_twice(text *script, const char *name, const text *shown, const text *tex);

/* The same of a rich text. */
void words_rich(text *script, const char *name, const char *rich);

/* A comment: one line, whatever is in it, without the marks of rich texts. */
void words_comment(text *script, const char *before, const char *string);
