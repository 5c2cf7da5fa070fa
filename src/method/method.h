/* method/method.h - functions of methods for other modules. */
#pragma once

#include "costab/method.h"

/* Returns true if the method advances pairs of positions and velocities (Nystrom, generalized alpha).
 * Subsystems must list both. */
bool costab_method_paired(const costab_method *method);
