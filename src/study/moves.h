/* study/moves.h - whether anything happens in a simulation. */
#ifndef STUDY_MOVES_H
#define STUDY_MOVES_H

#include "costab/network.h"

/* COSTAB_INVALID, with the remedy, where all initial values are 0, no source feeds an input, and nothing
 * moves by itself: such a run is 0 at all times, and its error, too. */
costab_status study_check_moves(const costab_network *network, costab_error *error);

#endif
