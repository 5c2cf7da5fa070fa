/* network/check.h - what values may break in a network that was good at others. */
#pragma once

#include "costab/network.h"

/* Whether the derivative of every position is its velocity, for states that are paired. COSTAB_INVALID. */
costab_status network_check_pairs(const costab_subsystem *subsystem, costab_error *error);
