/* figure/blocks.h - the data file of a figure: a block of points for each layer, which the gnuplot script
 * reads by the block's name. */
#pragma once

#include "figure/paper.h"

#define BLOCKS_NAME_MAX (SCENE_WORD_MAX + 32)

/* [out] name: of the block of a panel's layer, "PANEL.LAYER.STYLE:" with the panel's number, the kind of
 * layer and the style's name. */
void blocks_name(const scene *s, int panel, int layer, char name[BLOCKS_NAME_MAX]);

/* Writes a block for each layer of each panel: a line of text for each point, in values of the axes; an empty
 * line between polygons or polylines, two after each block. Hatched areas become strokes; layers without any
 * are removed from the scene. plain: no hatching. */
void blocks_write(scene *s, const paper *p, bool plain, text *data);
