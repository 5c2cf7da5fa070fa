/* figure/words.h - strings and comments of a script for gnuplot, whatever characters they hold. */
#ifndef FIGURE_WORDS_H
#define FIGURE_WORDS_H

#include "base/text.h"

/* A string in single quotes, in which gnuplot interprets nothing; a quote in it is doubled, or a string of
 * its own where gnuplot 5.4 does not take that: at the beginning and behind another quote. In a script a line
 * end becomes one of gnuplot's, and what a line cannot hold a blank; in a command both stay. */
void words_string(text *script, const char *string);
void words_verbatim(text *command, const char *string);

/* A variable with a text for gnuplot, and another one for LaTeX where that differs. Frees both. */
void words_twice(text *script, const char *name, text *shown, text *tex);

/* The same of a rich text. */
void words_rich(text *script, const char *name, const char *rich);

/* A comment: one line, whatever is in it. */
void words_comment(text *script, const char *before, const char *string);

#endif
