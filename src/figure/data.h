/* figure/data.h - the data file of a figure. */
#pragma once

#include "figure/layout.h"

/* The blocks of a panel: for each kind of layer their words, with blanks between them. */
typedef struct data_words {
    text of[SCENE_LAYER_KINDS];
} data_words;

/* Writes the blocks of all panels and of the legend. [out] words: of each panel, and behind them of the
 * legend; end each with data_words_free. */
void data_write(scene *s, const figure_layout *l, text *data, data_words *words);

void data_words_free(data_words *words);
