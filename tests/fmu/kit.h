/* kit.h - makes an FMU of a few lines: FMI 2.0 or 3.0 (FMI), model exchange and co-simulation in one.
 *
 * A model's file says how many states, inputs, outputs and parameters there are (STATES, INPUTS, OUTPUTS,
 * PARAMETERS), their names and starts, and the functions `slopes` and `outputs`; then it includes kit.c. With
 * DERIVATIVES there is also `jacobian`. The last parameters of every model, which kit.c adds, are
 *   steps  micro steps of the hidden solver (Runge-Kutta of fourth order) per step of co-simulation
 *   fault  what it does wrong when derivatives or steps are requested, a number of enum faults
 * With HIDDEN states cannot be set before the initialisation. Each step of co-simulation appends a byte to
 * the file that the environment variable KIT_STEPS names, so that tests count them. Where the program is
 * loaded it makes the file that KIT_LOADED names. With LINKS there are a
 * flag "on" and a whole number "level" as inputs, a flag "warm" (which the function `warm` decides), a whole
 * number "count" of the steps taken and a text "label" as outputs; inputs of this sort are refused in
 * continuous-time mode. With EVENT the function `event` changes the states at events. All is independent of
 * costab: these files have no header of it. */
#pragma once

#define _GNU_SOURCE

#include <stddef.h>

enum faults {
    FAULT_NONE,
    FAULT_CRASH,    /* writes to address 0 */
    FAULT_HANG,     /* does not come back */
    FAULT_EXIT,     /* ends its process */
    FAULT_PRINT,    /* writes to the standard output */
    FAULT_ROUND,    /* changes the rounding mode */
    FAULT_NAN,      /* returns no number */
    FAULT_ERROR,    /* returns an error, with a message */
    FAULT_ABORT,    /* calls abort */
    FAULT_FATAL,    /* returns a fatal error */
    FAULT_CHILDREN, /* starts a process and crashes */
    FAULT_TRAP,     /* divides by 0 with traps */
    FAULT_GRID,     /* its solver has a grid of its own, of 0.02 s */
    FAULT_FORGETS,  /* setting its state back leaves the states of the model as they are */
    FAULT_FLAG,     /* steps that may be set back begin at its start */
    FAULT_LATE,     /* its clock goes faster by 1e-2 from 12 s on */
    FAULT_MEMORY,   /* takes 1 GiB, or what it gets, and returns an error */
    FAULT_WARN,     /* writes to the standard error */
    FAULT_CLOCK,    /* the same grid, with a clock that sums up its steps until it is at the end */
    FAULT_EARLY,    /* ends its steps at their half */
    FAULT_SOLVER,   /* takes as many micro steps as its tolerance asks for, 1e-4 where none is given */
    FAULT_FEW,      /* its process makes FEW instances, and then no more */
    FAULT_SLOPES,   /* its directional derivatives by its last state are off by 1 % */
    FAULT_SLOW,     /* each call takes 1/800 s of the processor's time */
    FAULT_BYTES,    /* flags of FMI 3 are the byte 2 where they are true */
    FAULT_SCRIBBLE, /* overwrites what the environment of its messages leads to, and returns an error */
    FAULT_SESSION,  /* leaves folders, and a process in a session of its own that makes more of them */
    FAULT_STOP,     /* suspends its parent all the time */
    FAULT_SUSPEND,  /* suspends itself */
};

/* Values of a point. */
typedef struct kit_values {
    double *p, t, *x, *u;
    int on, level;
} kit_values;
