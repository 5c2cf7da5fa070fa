/* fmu/child.h - the protocol between the parent (run.c) and the child process of an FMU (process.c, child.c).
 *
 * The parent sends an fmu_request and its numbers; the child sends an fmu_answer and its numbers. The request
 * and the FMU's ports determine the number of numbers (child_request_size, child_answer_size). */
#pragma once

#include "base/text.h"
#include "fmu/calls.h"

typedef enum fmu_operation {
    /* Creates and initialises an instance. Numbers: starts, inputs (NaN keeps the FMU's own value). Answer:
     * states, inputs, nominals of the states, outputs. */
    FMU_START,
    /* Model exchange. Numbers: states, inputs. Answer: derivatives, outputs. */
    FMU_DERIVATIVES,
    /* Model exchange, end of a solver step. Numbers: states, inputs. Answer: states, and 1 for an event,
     * otherwise 0. */
    FMU_ACCEPT,
    /* Numbers: states, inputs, nominals of the states. Answer: the Jacobian of (derivatives, outputs) by
     * (states, inputs), row-major; derivatives; fmu_jacobian_quality. The Jacobian is compared with those at
     * `count` other times, up to `length` later. */
    FMU_JACOBIAN,
    /* Co-simulation. Each run of the manner creates and initialises an instance, makes one step, then `count`
     * steps with changing inputs. Numbers: starts, inputs, changes of all columns. Answer: for each run the
     * outputs after each of the `count` steps. */
    FMU_RESPONSE,
    /* A step from t, as in costab_stepper. Numbers: inputs and, if supported, their slopes per second.
     * Answer: outputs. */
    FMU_STEP
} fmu_operation;

/* Runs of an FMU_RESPONSE. A column is the value of an input, or its slope within a step. */
typedef enum fmu_manner {
    FMU_ONE_IMPULSE,      /* one run; all columns change during step `at` */
    FMU_RANDOM_SIGNS,     /* one run; all columns change in every step, with child_random_sign */
    FMU_ROLLBACK,         /* FMU_ONE_IMPULSE after undoing the same steps with the opposite change */
    FMU_ROLLBACK_ALLOWED, /* FMU_ONE_IMPULSE with noSetFMUStatePriorToCurrentPoint false */
    FMU_IMPULSE_PAIRS,    /* two runs per column: its change, and the opposite */
    FMU_IMPULSES_UP,      /* a run without changes, then one per column */
    /* Runs of one step, the first after the initialisation: without changes, with a change of each state, and
     * with a change of each column. Additional numbers: changes of the states. Answer: for each run the
     * states and outputs after the step. */
    FMU_FROM_STATES
} fmu_manner;

/* Quality of a Jacobian. */
enum fmu_jacobian_quality {
    FMU_DOUBT_ERROR,  /* estimated largest error, relative to the largest entry */
    FMU_DOUBT_KINK,   /* 1 + the column with different one-sided differences; 0: none */
    FMU_DOUBT_EVENT,  /* 1: an event at the point, or within the differences */
    FMU_DOUBT_TIME,   /* 1: derivatives or outputs depend on time */
    FMU_DOUBT_LATER,  /* 1: a failure at another time, so time dependence may be hidden */
    FMU_DOUBT_VARIES, /* 1 + index of a time-dependent entry; 0: none found */
    FMU_DOUBT_THEN,   /* a time with another value of that entry */
    FMU_DOUBT_VALUE,  /* its value at that time */
    FMU_DOUBT_GIVEN,  /* 1: directional derivatives of the FMU; 0: central differences */
    FMU_DOUBT_APART,  /* relative deviation of given derivatives from differences */
    FMU_DOUBTS
};

/* Without padding: its bytes are sent. */
typedef struct fmu_request {
    fmu_operation operation;
    fmu_manner manner;
    double t, length; /* in seconds: start and length of a step; FMU_JACOBIAN: of the span of other times */
    int count, at;    /* FMU_RESPONSE: number of steps, and index of the step with changed inputs;
                         FMU_JACOBIAN: number of other times */
} fmu_request;

/* The FMU may control these bytes: any nonzero flag is true. */
typedef struct fmu_answer {
    int status;                /* an fmi_status */
    unsigned char memory;      /* an allocation failed */
    unsigned char used_up;     /* the FMU refuses further instances in this process */
    char words[FMU_WORDS_MAX]; /* the error; "": only the status is known */
} fmu_answer;

/* Input of the child, fixed at its creation. */
typedef struct fmu_child {
    const fmu_part *part;
    int board;       /* descriptor of the fmu_board */
    char *folder;    /* folder of the unpacked FMU */
    char *own;       /* this process's private folder in it */
    char *resources; /* a URI (2.0) or a path (3.0), for the program */
    size_t memory;   /* bytes in addition to the initial memory */
    double accuracy; /* fmu_accuracy() */
} fmu_child;

/* The program, in the folder of the unpacked FMU, and its terms in the private folder. */
#define CHILD_PROGRAM "costab-fmu"
#define CHILD_TERMS   "costab-fmu.terms"
extern const char child_program[];
extern const size_t child_program_size;

/* child_put serialises all members except the board. child_take restores them, with the members of the part
 * the program uses; it returns false without memory. The restored data live as long as the process. */
void child_put(const fmu_child *child, text *bytes);
bool child_take(const text *bytes, fmu_child *child);

/* Returns the number of runs of a request; its time limit applies to each run. */
int child_runs(const fmu_part *part, const fmu_request *request);

/* Return the number of numbers of a request of a part, and of its answer. */
size_t child_request_size(const fmu_part *part, const fmu_request *request);
size_t child_answer_size(const fmu_part *part, const fmu_request *request);

/* Returns the change in a run of FMU_IMPULSE_PAIRS or FMU_IMPULSES_UP. [out] *column: its column; -1:
 * none. */
double child_impulse(const fmu_request *request, int run, const double *change, int *column);

/* Returns 1 or -1, pseudo-random: the sign of a column's change in a step of FMU_RANDOM_SIGNS. */
double child_random_sign(int step, int column);

/* The child: a guard_work (base/guard.h) with an fmu_child as context, which becomes the program. It sends an
 * fmu_answer after loading the FMU's library, and then one per request. */
void child_main(int channel, void *context);

/* Forks: the child continues, and the parent becomes its guardian and never returns (guardian.c). */
void child_get_guardian(int channel);

/* ---- linearise.c, in the child ---- */

/* Answers FMU_JACOBIAN. `work`: child_jacobian_work values. */
fmi_status child_jacobian(fmu_program *p, const fmu_request *request, const double *asked, double *answer,
                          double *work);
size_t child_jacobian_work(const fmu_program *p);

/* Computes derivatives and outputs at time t, at a point of states and inputs. */
fmi_status child_derivatives(fmu_program *p, double t, const double *point, double *answer);
