/* plot/words.h - strings, comments and numbers of a script for gnuplot, whatever characters they hold. */
#ifndef PLOT_WORDS_H
#define PLOT_WORDS_H

#include "base/text.h"
#include "costab/style.h"

/* A string in single quotes, in which gnuplot interprets nothing; a quote in it is doubled, or a string of
 * its own where gnuplot 5.4 does not take that: at the beginning and behind another quote. In a script, what
 * a line cannot hold becomes a blank; in a command it stays. */
void script_string(text *script, const char *string);
void script_verbatim(text *command, const char *string);

/* A variable with a text twice: with gnuplot's mark-up, and with LaTeX's. */
void script_twice(text *script, const char *name, const char *shown, const char *tex);

/* A comment: one line, whatever is in it. */
void script_comment(text *script, const char *before, const char *string);

/* A variable with a number; `what` is a comment, or empty. */
void script_number(text *script, const char *name, double value, const char *what);

/* The head of every script: what it draws, where it comes from, how to run it, and the knobs FMT, NAME and
 * DATA. */
void script_head(text *script, const char *title, const char *source, const char *name);

/* The title that a figure shows: its own, or the sweep's; "" if none. */
const char *script_title(const costab_style *style, const char *sweep);

/* What every script has before its own template, font and colours and the terminal, and behind it. */
void script_look(text *script, const costab_style *style);
void script_finish(text *script);

/* The heading of a script's texts, and the first of them: the title. */
void script_texts(text *script, const char *title);

/* Sizes of a figure and its margins, in units of `unit` cm, and the arrangement of its panels. */
typedef struct script_sizes {
    double unit;
    double width, height, left, right, top, bottom, gap_x, gap_y;
    int columns, rows;
    const char *remark; /* behind "in cm", such as what depends on the sizes; "" if none */
} script_sizes;

void script_layout(text *script, const script_sizes *sizes);

#endif
