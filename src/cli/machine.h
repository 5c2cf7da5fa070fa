/* cli/machine.h - what the program wants of the machine before it begins. */
#ifndef CLI_MACHINE_H
#define CLI_MACHINE_H

#include "costab/base.h"

/* First thing in main: descriptors 0 to 2 are valid, a pipe without a reader and a file beyond its limit are
 * errors of the calls and no signals, and OpenBLAS computes on the thread that calls it. */
void machine_prepare(void);

/* Where the address space is limited: takes the memory that OpenBLAS needs for calls on so many threads at
 * once, as it would wait for it for ever later on. COSTAB_MEMORY where it is not there. */
costab_status machine_room(int threads, costab_error *error);

#endif
