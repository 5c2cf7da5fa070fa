/* network/program.h - one macro step as a program.
 *
 * Built once for a structure: a network's sizes and connections, and a coupling's choices. It knows no
 * numbers but the weights of polynomials; gains, matrices and the macro step are read when it is run. All
 * values are rows of linear forms, so the same program gives the map (from unit states), a simulated step
 * (from one state, with hooks) and the maps of points in lanes (lanes_map.h).
 *
 * A step runs `begin`; then one `sweep`, or sweeps from guesses of the new signals, of which `guess` gives
 * the first; then `keep`. */
#pragma once

#include "network/work.h"

typedef enum step_kind {
    STEP_CLEAR,    /* rows = 0 */
    STEP_COPY,     /* rows = rows */
    STEP_ADD,      /* rows += weight * gain * H^power * (local time)^power * rows */
    STEP_MULTIPLY, /* rows += matrix * rows */
    STEP_GAIN,     /* rows += rows where blocks stand for Phi - I: what a step adds to the states */
    STEP_SOLVE,    /* the loop of feedthrough at the step's begin */
    STEP_CALL      /* a simulation's hook instead of the next `skip` instructions */
} step_kind;

/* Where rows lie. */
typedef enum step_bank {
    BANK_STATE,
    BANK_NEXT,
    BANK_BEGIN, /* signals at the macro step's begin */
    BANK_END,   /* and at its end */
    BANK_INPUT, /* coefficients of the inputs' polynomials, power after power */
    BANK_INPUT_END = BANK_INPUT + MATRIX_POWERS, /* inputs at the local ends */
    BANK_SLOPE_END,                              /* and their slopes */
    BANK_ADVANCED, /* states and what methods carry at the local ends, of subsystems that carry something */
    BANK_RATE,     /* states' slopes of one subsystem */
    STEP_BANKS
} step_bank;

typedef struct step_row {
    step_bank bank;
    int row;
} step_row;

typedef enum step_matrix { STEP_A, STEP_B, STEP_C, STEP_D, STEP_PHI, STEP_INPUT } step_matrix;

typedef enum step_call {
    CALL_OUTPUT, /* at the begin */
    CALL_SLOPE,
    CALL_SOLVE,
    CALL_ADVANCE,
    CALL_END_OUTPUT,
    CALL_END_SLOPE
} step_call;

typedef struct step_instruction {
    step_kind kind;
    bool fresh; /* the rows written become what else would be added to them */
    step_row to, from;
    int rows;
    int subsystem;
    /* STEP_ADD: */
    double weight;
    int connection;           /* whose gain; -1: none */
    int per_step;             /* power of the macro step: -1, 0, 1 */
    int per_begin, per_local; /* powers of the times at which the subsystem's micro steps begin and end */
    /* STEP_MULTIPLY: */
    step_matrix matrix;
    int power;  /* of STEP_INPUT */
    int column; /* the first that counts */
    int columns;
    /* STEP_CALL: */
    step_call call;
    int skip;
} step_instruction;

/* Where each part ends. */
typedef struct step_parts {
    int begin, guess, sweep, keep;
} step_parts;

/* As many are kept; in a longer cycle of strides later ones take their places. */
enum { PROGRAMS = 64 };

struct step_program {
    int64_t of; /* the macro step of the cycle that it was built for; -1: none */
    step_instruction *code;
    size_t capacity;
    int count, closed; /* closed: instructions that nothing is joined to any more */
    step_parts parts;
    step_instruction lost; /* what there is no memory for */
    bool failed;
};

/* A structure of its own begins: no program is built. */
costab_status programs_begin(costab_network_work *work, costab_error *error);
void programs_free(step_program *programs);
/* Macro step `index`: which subsystems exchange, their micro steps, and the program, built where it is not
 * there. */
costab_status program_select(costab_network_work *work, int64_t index, costab_error *error);

/* The part of an instruction's factor that depends on when the subsystem's micro steps begin and end. */
static inline double program_clock_factor(const costab_network_work *work, const step_instruction *at) {
    const network_clock_step *micro_steps = &work->subs[at->subsystem].micro_steps;
    double factor = 1;
    for (int n = at->per_begin; n > 0; n--) factor *= micro_steps->start;
    for (int n = at->per_local; n > 0; n--) factor *= micro_steps->end;
    return factor;
}

/* A signal's row at the macro step at hand: publication `back` of it counted from the newest one (-1: the new
 * value). */
step_row program_signal(const costab_network_work *work, int from, int signal, int back);

/* Where the states of a subsystem stand when it has been advanced, and behind them what its method carries.
 */
step_row program_advanced(const costab_network_work *work, int s);
