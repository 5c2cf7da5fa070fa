/* cli/machine.h - what the program wants of the machine before it begins. */
#ifndef CLI_MACHINE_H
#define CLI_MACHINE_H

#include <stdbool.h>

#include "costab/base.h"

/* First thing in main: descriptors 0 to 2 are valid, a pipe without a reader and a file beyond its limit are
 * errors of the calls and no signals, and OpenBLAS computes on the thread that calls it. */
void machine_prepare(void);

/* OpenBLAS starts a pool of threads when it is loaded, which spin beside ours. Here every call to it is small
 * and comes from one of our own threads: each call is limited to one thread, and the pool is ended. Where
 * OpenBLAS is not loaded yet nothing happens. */
void machine_calm(void);

/* Which HDF5 the program has, for --version. */
const char *machine_hdf5(void);

/* Whether the address space is limited (ulimit -v). The C library reserves 64 MiB of it for each thread. */
bool machine_limited(void);

/* If the address space is limited, reserves the memory that OpenBLAS needs for calls on so many threads at
 * once: later OpenBLAS would wait for it for ever. COSTAB_MEMORY if there is too little. */
costab_status machine_room(int threads, costab_error *error);

/* Last thing in main: ends the program without what its libraries do at exit(). Nothing of theirs is open any
 * more, and to take down HDF5 or FLINT with all that they brought takes up to 1.5 ms. */
_Noreturn void machine_leave(int status);

#endif
