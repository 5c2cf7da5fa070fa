/* figure/label.h - places of texts in a panel. */
#pragma once

#include "figure/hatch.h"
#include "figure/scene.h"

/* Sets x and y of every text of a panel. A text without space gets the words "". */
void labels_place(scene_panel *panel, const hatch_frame *frame);
