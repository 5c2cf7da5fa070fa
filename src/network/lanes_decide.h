/* network/lanes_decide.h - from the matrices of points in lanes to their classes, and if requested spectral
 * radius, abscissa and rates.
 *
 * `asked`: bits of batch.h. */
#pragma once

#include "network/batch.h"

/* Decides the points of the batch. [in, out] decided: of each lane, on entry whether it is to be decided;
 * becomes false if the point is left to the scalar code. */
void lanes_decide(costab_network_work *work, unsigned asked, bool decided[LANES_MOST]);

/* The continuous system that all points of the batch share (lane 0 of batch->monos): batch->common and
 * batch->common_regular. */
void lanes_decide_common(costab_network_work *work, unsigned asked);
