/* network/lanes_decide.h - what the matrices of eight points in lanes tell of the points: classes, and where
 * more is asked for spectral radius, abscissa and rates.
 *
 * `asked`: bits of batch.h. decided: of each lane, on entry whether it is to be decided, becomes false where
 * the point is left to the scalar code. */
#pragma once

#include "network/batch.h"

/* Tells of the current points all that is asked for; of classes alone only what powers tell, or whatever pays
 * at once: what is left open has map_waits or mono_waits set. */
void lanes_decide_current(costab_network_work *work, unsigned asked, bool decided[LANES]);

/* Finds the eigenvalues that points wait for, and tells of the points what these say. */
void lanes_decide_waiting(costab_network_work *work, lane_points *at, unsigned asked, bool decided[LANES]);

/* The continuous system that all current points share (lane 0 of current.monos): batch->common and
 * batch->common_regular. */
void lanes_decide_common(costab_network_work *work, unsigned asked);
