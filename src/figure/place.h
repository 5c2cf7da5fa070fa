/* figure/place.h - where the texts of a panel stand. */
#pragma once

#include "figure/scene.h"

typedef struct placed_text {
    const scene_text *item;
    const char *shown; /* the whole text, or its brief form */
    double x, y;       /* places */
    int side;          /* as the item's */
    bool boxed;        /* with a white box behind it */
} placed_text;

/* Finds places for the texts of a panel that lies on paper like this; those without room are left out. [out]
 * placed: one place for each text of the panel. Returns their number. */
int place_texts(const scene_panel *panel, const hatch_frame *frame, placed_text *placed);
