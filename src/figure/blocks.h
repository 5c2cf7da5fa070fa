/* figure/blocks.h - the data file of a figure. */
#pragma once

#include "figure/paper.h"

#define BLOCKS_NAME_MAX (SCENE_WORD_MAX + 32)

/* The name of the block of a panel's layer, by which the script finds it: PANEL.LAYER.STYLE: */
void blocks_name(const scene *s, int panel, int layer, char name[BLOCKS_NAME_MAX]);

/* Writes a block for each layer of each panel, ended by two empty lines: a line of text for each point, in
 * values of the axes; polygons and polylines of a block are apart by an empty line. Layers of which nothing
 * is drawn, such as areas too thin for a hatch line, are removed from the scene;
 * `plain`: all hatching is. */
void blocks_write(scene *s, const paper *p, bool plain, text *data);
