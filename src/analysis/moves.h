/* analysis/moves.h - whether anything happens in a simulation. */
#pragma once

#include "costab/model.h"

/* COSTAB_INVALID, with the remedy, where no source feeds an input and all subsystems are linear with initial
 * values 0, or some are not and the initial values are an equilibrium of all: such a run stays as it is, and
 * its error 0. What steps by itself, or has events, may move. */
costab_status study_check_moves(const costab_model_instance *instance, costab_error *error);
