/* proof/ball_step.h - one macro step in balls: signals as rows of coefficients, linear forms in the columns.
 *
 * The columns are the map's state and, under an iteration to convergence, the guesses behind it. The map's
 * state is all x, then what is remembered: inputs that subsystems ended with and their slopes, what methods
 * carry, inputs sent, former signals, new signals of a longer step under way. Signals are all outputs and,
 * where slopes are exchanged, the outputs again for their slopes per macro step. */
#pragma once

#include "proof/ball_map.h"
#include "proof/ball_rule.h"

/* A row of the map's state: what a macro step makes it, and what it is where signals stand still or change
 * evenly. */
typedef struct ball_row {
    int subsystem;              /* which makes it anew where it exchanges */
    const acb_mat_struct *from; /* row `source` of this; NULL: it becomes what the row before was */
    int source;
    bool mean;  /* over the length of the macro step */
    int signal; /* row of all inputs, outputs and states that it remembers; -1: one that is 0 then, */
    bool slope; /* its change per macro step, not its value, */
    long back;  /* from so many macro steps ago, */
    bool micro; /* or micro steps of the subsystem */
} ball_row;

typedef struct ball_stepper {
    const ball_network *network;
    slong precision;
    long macro_step; /* the number of the one at hand */
    long period;     /* macro steps after which all repeats */
    int states, inputs, outputs;
    int signals;       /* outputs, or twice as many with slopes */
    int advanced_rows; /* of x1: states and what methods carry */
    int degree;        /* of the inputs' polynomials */
    bool slopes;       /* are exchanged */
    bool area;         /* area correction: outputs are integrated */
    int size;          /* columns of the map's state */
    int guesses;       /* columns of guesses behind them */
    int width;         /* size + guesses */

    /* Per subsystem: */
    int *x, *u, *y;         /* first row among all states, inputs, outputs */
    int *advanced_row;      /* first row of x1 */
    int *held_column;       /* first column of held inputs, */
    int *held_slope_column; /* and of their slopes; -1: none */
    int *carried_column;    /* first column of what the method carries, */
    int *carried_count;     /* and how many */
    int *sent_column;       /* first column of the inputs sent before (area correction); -1: none */
    int *position;          /* its place in the order */
    int *ticks, *turns; /* a clock of its own: `ticks` micro steps in `turns` of its macro steps, in lowest
                           terms; turns 0: a whole number of micro steps in each */
    acb_mat_t *advance; /* ball_advance, of the fewest micro steps on a clock, */
    acb_mat_t *longer;  /* and of one more */
    acb_mat_t *slope_x, *slope_u; /* outputs' slopes from states and inputs: H C A, H C B */

    /* Per signal: */
    int *newest_column; /* column of its newest former value; -1: none */
    int *remembered;    /* how many former values are kept */
    int *guess_number;  /* its number among the guesses; -1: not guessed */
    int *ahead_column;  /* column of the new value of a longer step; -1: none */

    ball_row *rows; /* per column of the state: what it is */
    size_t row_capacity;
    acb_mat_t now, next;      /* signals x width: at t_n, and the newest ones at t_{n+1} */
    acb_mat_t input;          /* (degree + 1) inputs x width: the coefficients of the input polynomials */
    acb_mat_t end, end_slope; /* inputs x width: at the subsystems' ends */
    acb_mat_t x1;             /* advanced_rows x width: states and what methods carry, at the ends */
} ball_stepper;

/* Free with ball_stepper_free whatever comes back; `advances`: the subsystems' own steps are needed. false:
 * memory is out, or a method's stages cannot be solved for. */
bool ball_stepper_make(const ball_network *network, bool advances, slong precision, ball_stepper *stepper);
void ball_stepper_free(ball_stepper *stepper);

/* The macro step st->macro_step. [out] iteration: guesses x guesses, where the coupling converges;
 * `only_iteration` asks for no more. false: a loop cannot be solved. */
bool ball_stepper_take(ball_stepper *st, bool only_iteration, acb_mat_t iteration);
/* What the state becomes by it: size x size. */
void ball_stepper_map(const ball_stepper *st, acb_mat_t map);

/* How long before the macro step a row is from: 0 or negative seconds. */
void ball_row_time(const ball_stepper *st, const ball_row *row, acb_t time);

/* The micro steps that a subsystem with a clock takes in the macro step at hand: `count` of them, from
 * `start` to `end`, 0 being the begin of its macro step and 1 its end. */
typedef struct ball_clock_step {
    long count;
    fmpq_t start, end;
} ball_clock_step;

/* Initialised here; clear them with ball_clock_step_clear. */
void ball_clock_step_find(const ball_stepper *st, int s, ball_clock_step *taken);
void ball_clock_step_clear(ball_clock_step *taken);

/* ball_layout.c */
void ball_forget_advance(ball_subsystem *subsystem); /* frees what it was last advanced to */
bool ball_converges(const ball_network *network);
static inline bool ball_is_active(const ball_stepper *st, int s) {
    return st->macro_step % st->network->subsystems[s].stride == 0;
}
/* The polynomial of a connection at macro step n; `held`: the plain extrapolation. To be cleared. */
void ball_stepper_rule(const ball_stepper *st, const ball_connection *c, long n, bool held, ball_rule *rule);
