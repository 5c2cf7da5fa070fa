/* figure/label.h - where texts have room in a panel. */
#pragma once

#include "figure/hatch.h"
#include "figure/scene.h"

/* Gives every text of a panel its place: x and y. A text without room is "" then. */
void labels_place(scene_panel *panel, const hatch_frame *frame);
