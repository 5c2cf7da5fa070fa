/* method/method.h - functions of methods for other modules. */
#pragma once

#include "costab/method.h"

/* Returns true if the method advances positions and velocities (Nystrom, generalized alpha). A subsystem then
 * lists both. */
bool costab_method_paired(const costab_method *method);
