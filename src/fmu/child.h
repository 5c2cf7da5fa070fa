/* fmu/child.h - what parent and child say to each other. The parent sends a request and the numbers that
 * belong to it; the child sends an answer and the numbers that belong to that. Both know from the part how
 * many there are. */
#pragma once

#include "fmu/calls.h"

typedef enum fmu_operation {
    /* Instantiates anew and initialises. Numbers: starts; inputs, of which those that are no numbers keep the
     * FMU's own values. Answer: states, inputs, nominals of the states, outputs. */
    FMU_START,
    /* Model exchange. Numbers: states, inputs. Answer: their derivatives, outputs. */
    FMU_SLOPES,
    /* Model exchange, the end of a step of the solver. Numbers: states, inputs. Answer: the states, and 1
     * where it was an event, else 0. */
    FMU_ACCEPT,
    /* Numbers: states, inputs, nominals of the states. Answer: the Jacobian of (derivatives, outputs) by
     * (states, inputs), row-major; derivatives; and what fmu_doubts says. */
    FMU_JACOBIAN,
    /* Co-simulation. Instantiates anew, initialises, takes one step, then `count` steps, adding a change to
     * the inputs during step number `at` (from 0), or as the manner says. Numbers: starts, inputs, the change
     * of all columns. Answer: the outputs behind each of the `count` steps. */
    FMU_RESPONSE,
    /* A step from t, as costab_stepper has it. Numbers: inputs and, where they can rise, by how much per
     * second. Answer: outputs. */
    FMU_STEP
} fmu_operation;

/* How an FMU is led to a response. */
typedef enum fmu_manner {
    FMU_PLAIN,
    FMU_SHAKEN,      /* the change is added or taken away in every step, as child_sign says */
    FMU_ROLLED,      /* takes the steps once with the change reversed, is set back, and takes them again */
    FMU_MAY_GO_BACK, /* is told with every step that it may be set back (noSetFMUStatePriorToCurrentPoint) */
    FMU_EACH, /* a run for the change of each column alone and one for its opposite: all their answers */
    FMU_UP    /* a run without changes, and one for the change of each column alone: all their answers */
} fmu_manner;

/* How far a Jacobian can be trusted. */
enum fmu_doubts {
    FMU_DOUBT_ERROR, /* estimate of the largest error, relative to the largest entry */
    FMU_DOUBT_KINK,  /* 1 + the column in which slopes to both sides differ; 0: none */
    FMU_DOUBT_EVENT, /* 1: an event lies at the point, or so near that differences cross it */
    FMU_DOUBT_TIME,  /* 1: derivatives or outputs depend on time */
    FMU_DOUBT_GIVEN, /* 1: the FMU's own directional derivatives; 0: central differences */
    FMU_DOUBT_APART, /* of given derivatives: how far differences are from them, relative */
    FMU_DOUBTS
};

/* Without gaps between its members: its bytes are sent. */
typedef struct fmu_request {
    fmu_operation operation;
    fmu_manner manner;
    double t, length; /* of a step */
    int count, at;
} fmu_request;

typedef struct fmu_answer {
    int status;                /* of fmi.h */
    bool memory;               /* the child has found none */
    bool spent;                /* this process has made instances, and makes no more */
    char words[FMU_WORDS_MAX]; /* what is wrong; "": only the status tells */
} fmu_answer;

/* What the child needs, as it was when the child was made. */
typedef struct fmu_child {
    const fmu_part *part;
    fmu_board *board;
    const char *folder; /* where the FMU is unpacked; removed when the parent has gone */
    unsigned seconds;   /* for one request */
    size_t memory;      /* bytes beside what its process begins with */
} fmu_child;

/* How many runs a request takes; the time that it has is meant for one. */
int child_runs(const fmu_part *part, const fmu_request *request);

/* How many numbers a request of a part has, and its answer. */
size_t child_asked(const fmu_part *part, const fmu_request *request);
size_t child_answered(const fmu_part *part, const fmu_request *request);

/* The change in a run of FMU_EACH or FMU_UP. [out] *column: of which column; -1: of none. */
double child_change(const fmu_request *request, int run, const double *change, int *column);

/* 1 or -1, without a pattern: what a change is multiplied by in a step of a shaken FMU. */
double child_sign(int step, int input);

/* The child's life: a guard_work whose context is a fmu_child. It answers with a status once the program is
 * loaded, and then to every request. */
void child_live(int channel, void *context);

/* ---- linearise.c, in the child ---- */

/* The answer to FMU_JACOBIAN. `work`: child_jacobian_work values. */
int child_jacobian(fmu_program *p, double t, const double *asked, double *answer, double *work);
size_t child_jacobian_work(const fmu_program *p);

/* Derivatives and outputs at a point of states and inputs, with costab's own time. */
int child_slopes(fmu_program *p, double t, const double *point, double *answer);
