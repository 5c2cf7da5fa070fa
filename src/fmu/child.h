/* fmu/child.h - the protocol between the parent (run.c) and the child process of an FMU (process.c, child.c).
 * The parent sends a fmu_request and its numbers; the child sends a fmu_answer and its numbers. How many
 * numbers there are follows from the request and the FMU's ports (child_request_size, child_answer_size). */
#pragma once

#include "base/text.h"
#include "fmu/calls.h"

typedef enum fmu_operation {
    /* Instantiates anew and initialises. Numbers: starts; inputs, of which those that are no numbers keep the
     * FMU's own values. Answer: states, inputs, nominals of the states, outputs. */
    FMU_START,
    /* Model exchange. Numbers: states, inputs. Answer: their derivatives, outputs. */
    FMU_DERIVATIVES,
    /* Model exchange, the end of a step of the solver. Numbers: states, inputs. Answer: the states, and 1
     * where it was an event, else 0. */
    FMU_ACCEPT,
    /* Numbers: states, inputs, nominals of the states. Answer: the Jacobian of (derivatives, outputs) by
     * (states, inputs), row-major; derivatives; and what fmu_jacobian_quality says. It is compared with those
     * at `count` other times, up to `length` later. */
    FMU_JACOBIAN,
    /* Co-simulation. Each run of its manner: instantiates anew, initialises, takes one step, then `count`
     * steps in which inputs change. Numbers: starts, inputs, the change of all columns. Answer: of each run
     * the outputs behind each of the `count` steps. */
    FMU_RESPONSE,
    /* A step from t, as costab_stepper has it. Numbers: inputs and, where they can rise, by how much per
     * second. Answer: outputs. */
    FMU_STEP
} fmu_operation;

/* Which runs an FMU_RESPONSE consists of. A column is the value of an input, or its rise within a step. */
typedef enum fmu_manner {
    FMU_ONE_IMPULSE,      /* one run; all columns change during step `at` */
    FMU_RANDOM_SIGNS,     /* one run; in every step all columns change, with the sign of child_random_sign */
    FMU_ROLLBACK,         /* as FMU_ONE_IMPULSE, after the same steps with the opposite change were undone */
    FMU_ROLLBACK_ALLOWED, /* as FMU_ONE_IMPULSE, with noSetFMUStatePriorToCurrentPoint false */
    FMU_IMPULSE_PAIRS,    /* two runs for each column alone: its change, and the opposite */
    FMU_IMPULSES_UP,      /* a run without changes, then one for the change of each column alone */
    /* Runs of one step, the first after the initialisation: without changes, after the change of each state
     * alone, and with that of each column alone. Numbers: also the changes of the states. Answer: of each run
     * the states and outputs behind the step. */
    FMU_FROM_STATES
} fmu_manner;

/* How far a Jacobian can be trusted. */
enum fmu_jacobian_quality {
    FMU_DOUBT_ERROR,  /* estimate of the largest error, relative to the largest entry */
    FMU_DOUBT_KINK,   /* 1 + the column in which forward and backward differences differ; 0: none */
    FMU_DOUBT_EVENT,  /* 1: an event lies at the point, or so near that differences cross it */
    FMU_DOUBT_TIME,   /* 1: derivatives or outputs depend on time */
    FMU_DOUBT_LATER,  /* 1: at another time it failed, so that a dependence on time may not have been seen */
    FMU_DOUBT_VARIES, /* 1 + the index of an entry that depends on time; 0: none is known to */
    FMU_DOUBT_THEN,   /* a time at which that entry is another one than at the point */
    FMU_DOUBT_VALUE,  /* its value then */
    FMU_DOUBT_GIVEN,  /* 1: the FMU's own directional derivatives; 0: central differences */
    FMU_DOUBT_APART,  /* of given derivatives: how far differences are from them, relative */
    FMU_DOUBTS
};

/* Without gaps between its members: its bytes are sent. */
typedef struct fmu_request {
    fmu_operation operation;
    fmu_manner manner;
    double t, length; /* of a step; FMU_JACOBIAN: of the span of other times */
    int count, at;    /* FMU_RESPONSE: how many steps; in which of them, from 0, inputs change */
} fmu_request;

/* The parent reads bytes that an FMU may have written: flags are not 0 for true. */
typedef struct fmu_answer {
    int status;                /* a fmi_status */
    unsigned char memory;      /* an allocation failed */
    unsigned char used_up;     /* the FMU made instances in this process before, and now makes no more */
    char words[FMU_WORDS_MAX]; /* what is wrong; "": only the status tells */
} fmu_answer;

/* What the child needs, as it was when the child was made. */
typedef struct fmu_child {
    const fmu_part *part;
    int board;       /* descriptor of the fmu_board */
    char *folder;    /* where the FMU is unpacked */
    char *own;       /* the folder in it that is this process's alone */
    char *resources; /* a URI (2.0), or a path (3.0), for the program */
    size_t memory;   /* bytes beside what its process begins with */
    double accuracy; /* fmu_accuracy() */
} fmu_child;

/* The program, in the folder of the unpacked FMU; its file in the folder of its own. */
#define CHILD_PROGRAM "costab-fmu"
#define CHILD_TERMS   "costab-fmu.terms"
extern const char child_program[];
extern const size_t child_program_size;

/* Appends all but the board as bytes. child_take makes it of them again, with what the program uses of the
 * part; it returns false if memory is out. What it makes ends with the process. */
void child_put(const fmu_child *child, text *bytes);
bool child_take(const text *bytes, fmu_child *child);

/* How many runs a request takes; the time that it has is meant for one. */
int child_runs(const fmu_part *part, const fmu_request *request);

/* How many numbers a request of a part has, and its answer. */
size_t child_request_size(const fmu_part *part, const fmu_request *request);
size_t child_answer_size(const fmu_part *part, const fmu_request *request);

/* The change in a run of FMU_IMPULSE_PAIRS or FMU_IMPULSES_UP. [out] *column: of which column; -1: of none.
 */
double child_impulse(const fmu_request *request, int run, const double *change, int *column);

/* 1 or -1, pseudo-random: the sign of an input's change in a step of FMU_RANDOM_SIGNS. */
double child_random_sign(int step, int input);

/* The child: a guard_work (base/guard.h) whose context is a fmu_child, and which becomes the program. It
 * sends a fmu_answer once the FMU's library is loaded, and then one for every request. */
void child_main(int channel, void *context);

/* Forks: the child goes on, and the parent becomes its guardian, which never returns (guardian.c). */
void child_get_guardian(int channel);

/* ---- linearise.c, in the child ---- */

/* The answer to FMU_JACOBIAN. `work`: child_jacobian_work values. */
fmi_status child_jacobian(fmu_program *p, const fmu_request *request, const double *asked, double *answer,
                          double *work);
size_t child_jacobian_work(const fmu_program *p);

/* Derivatives and outputs at a point of states and inputs, with costab's own time. */
fmi_status child_derivatives(fmu_program *p, double t, const double *point, double *answer);
