/* study/moves.h - whether anything happens in a simulation. */
#pragma once

#include "costab/model.h"

/* COSTAB_INVALID, with the remedy, where all subsystems are linear, all initial values are 0 and no source
 * feeds an input: such a run is 0 at all times, and its error, too. What is not linear may move by itself. */
costab_status study_check_moves(const costab_model_instance *instance, costab_error *error);
