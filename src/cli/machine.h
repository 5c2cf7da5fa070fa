/* cli/machine.h - what the program wants of the machine before it begins. */
#pragma once

#include "costab/base.h"

/* First thing in main: COSTAB_MEMORY where a limit of the stack or of memory is too low for one thread, as
 * machine_room says. Else descriptors 0 to 2 are valid, a pipe without a reader and a file beyond its limit
 * are errors of the calls and no signals, and OpenBLAS computes on the thread that calls it: every call to it
 * is small. */
costab_status machine_prepare(costab_error *error);

/* Whether the limits of the stack (ulimit -s), of the address space (-v) and of data (-d) are high enough for
 * so many threads that call OpenBLAS at once; COSTAB_MEMORY and how much is needed if not. */
costab_status machine_room(int threads, costab_error *error);
