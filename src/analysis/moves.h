/* analysis/moves.h - checks that a simulation changes any value, and that macro steps alone can differ. */
#pragma once

#include "costab/model.h"

/* Returns COSTAB_INVALID, with a remedy, for a model without motion: no sources, and either linear subsystems
 * with initial values 0 or an equilibrium of all equations. Its error would be 0. Subsystems with their own
 * steps or events are assumed to move. */
costab_status analysis_check_moves(const costab_model_instance *instance, costab_error *error);

/* Returns COSTAB_INVALID if other numbers depend on the parameter of a macro step: in runs with macro steps
 * other than the model's they would keep their values. */
costab_status analysis_check_steps(const costab_model_instance *instance, costab_error *error);
