/* network/program.h - one macro step as a program of row operations.
 *
 * A program depends on the sizes, connections and options only. It contains the weights of polynomials;
 * gains, matrices and the macro step are read when it runs. All values are linear forms of the state, so one
 * program computes the map (from unit states), a simulated step (from one state, with hooks) and the maps of
 * several points in SIMD lanes (lanes_map.h).
 *
 * A macro step runs the part `begin`, then `sweep`, then `keep`. Iterated schemes run `sweep` several times;
 * `guess` computes the initial iterate. */
#pragma once

#include "network/work.h"

typedef enum step_kind {
    STEP_CLEAR,    /* rows = 0 */
    STEP_COPY,     /* rows = rows */
    STEP_ADD,      /* rows += weight * gain * H^power * (local time)^power * rows */
    STEP_MULTIPLY, /* rows += matrix * rows */
    STEP_GAIN,     /* rows += rows if blocks hold Phi - I: the increment of the states */
    STEP_SOLVE,    /* solve the feedthrough loop at the start of the step */
    STEP_CALL      /* a simulation's hook replaces the next `skip` instructions */
} step_kind;

/* Arrays of rows. */
typedef enum step_bank {
    BANK_STATE,
    BANK_NEXT,
    BANK_BEGIN, /* signals at the start of the macro step */
    BANK_END,   /* signals at the end */
    BANK_INPUT, /* coefficients of the inputs' polynomials, one power after the other */
    BANK_INPUT_END = BANK_INPUT + MATRIX_POWERS, /* inputs at the local ends */
    BANK_SLOPE_END,                              /* slopes of inputs at the local ends */
    BANK_ADVANCED, /* states and additional rows at the local ends, of subsystems with additional rows */
    BANK_RATE,     /* time derivatives of the states of one subsystem */
    STEP_BANKS
} step_bank;

typedef struct step_row {
    step_bank bank;
    int row;
} step_row;

typedef enum step_matrix { STEP_A, STEP_B, STEP_C, STEP_D, STEP_PHI, STEP_INPUT } step_matrix;

typedef enum step_call {
    CALL_OUTPUT, /* at the start */
    CALL_SLOPE,
    CALL_SOLVE,
    CALL_ADVANCE,
    CALL_END_OUTPUT,
    CALL_END_SLOPE
} step_call;

typedef struct step_instruction {
    step_kind kind;
    bool fresh; /* overwrite the rows instead of adding to them */
    step_row to, from;
    int rows;
    int subsystem;
    /* STEP_ADD: */
    double weight;
    int connection;           /* whose gain; -1: 1 */
    int per_step;             /* power of the macro step: -1, 0, 1 */
    int per_begin, per_local; /* powers of the start and end times of the subsystem's micro steps */
    /* STEP_MULTIPLY: */
    step_matrix matrix;
    int power;  /* of STEP_INPUT */
    int column; /* first column used */
    int columns;
    /* STEP_CALL: */
    step_call call;
    int skip;
} step_instruction;

/* End of each part. */
typedef struct step_parts {
    int begin, guess, sweep, keep;
} step_parts;

/* Programs stored per workspace; in a longer cycle later programs replace earlier ones. */
enum { PROGRAMS = 64 };

struct step_program {
    int64_t of; /* macro step of the cycle; -1: not built */
    step_instruction *code;
    size_t capacity;
    int count, closed; /* closed: instructions before this index are final */
    step_parts parts;
    step_instruction lost; /* target of writes after memory is exhausted */
    bool failed;
};

/* Starts a new structure without programs. */
costab_status programs_begin(costab_network_work *work, costab_error *error);
void programs_free(step_program *programs);
/* Selects macro step `index`: active subsystems, their micro steps, and the program, which is built if
 * missing. COSTAB_MEMORY. */
costab_status program_select(costab_network_work *work, int64_t index, costab_error *error);

/* Factor of an instruction from the start and end times of the subsystem's micro steps. */
static inline double program_clock_factor(const costab_network_work *work, const step_instruction *at) {
    const network_clock_step *micro_steps = &work->subs[at->subsystem].micro_steps;
    double factor = 1;
    for (int n = at->per_begin; n > 0; n--) factor *= micro_steps->start;
    for (int n = at->per_local; n > 0; n--) factor *= micro_steps->end;
    return factor;
}

/* Row of a signal at the current macro step. back: index of the publication, 0 the latest, -1 the new
 * value. */
step_row program_signal(const costab_network_work *work, int from, int signal, int back);

/* First row of the new states of a subsystem; its additional rows follow. */
step_row program_advanced(const costab_network_work *work, int s);
