/* proof/ball_map.h - the map of one macro step in ball arithmetic, made from the definition of the couplings.
 *
 * This is a second way to the matrices of room network, on purpose: rows of linear forms in the map's state
 * instead of its workspace, tableaux evaluated stage by stage instead of polynomials of a matrix. Every entry
 * is a complex ball that holds the true value for all parameters in the balls that went in. */
#pragma once

#include "base/flint.h"
#include "costab/network.h"
#include "exact/tableau.h"
#include "network/words.h"
#include "proof/ball_rule.h"

typedef struct ball_subsystem {
    int states, inputs, outputs;
    acb_mat_t A, B, C, D;
    bool feedthrough;            /* D may have an entry that is not 0 */
    const costab_method *method; /* borrowed */
    exact_tableau tableau;       /* its A, b and c */
    long substeps;               /* per step of its own */
    double step; /* not 0: the length of each, from which ball_network_fit finds how many, but for clocks */
    long stride;
    int pairs; /* positions and velocities: borrowed lists of states */
    const int *positions, *velocities;
    /* What it was last advanced with, and to what: the next ball may differ in other numbers only. */
    struct ball_advanced {
        bool known;
        int degree;
        slong precision;
        acb_ptr length;
        acb_mat_t A, B, C, D, advance;
    } last;
} ball_subsystem;

typedef struct ball_connection {
    int from, output, to, input, delay;
    acb_t gain, delay_time;
    bool seconds;      /* it has a delay_time, from which ball_network_fit makes the delay */
    bool extrapolates; /* in its own way */
    costab_hold hold;
    acb_ptr weights; /* a0, a1, b0, b1 */
} ball_connection;

/* A network with its coupling at one ball of parameters. */
typedef struct ball_network {
    int subsystem_count, connection_count;
    ball_subsystem *subsystems;
    ball_connection *connections;
    costab_coupling coupling; /* its choices, without the numbers below; `order` is borrowed */
    bool corrects_area;       /* area_correction may be other than 0 */
    acb_t macro_step, relaxation, area_correction;
    acb_ptr weights; /* a0, a1, b0, b1 */
    int modes;       /* equilibria, and rigid motions that are kept, which are set aside: ball_neutral_find */
    int *free_rows;  /* the states that tell them apart */
    /* All inputs, outputs and states in each, and how these change per second; initialised where modes is not
     * 0. */
    acb_mat_t null_space, velocity;
} ball_network;

/* How a connection of it extrapolates. */
static inline ball_extrapolation ball_extrapolation_of(const ball_network *network,
                                                       const ball_connection *connection) {
    if (connection->extrapolates) return (ball_extrapolation){connection->hold, connection->weights};
    return (ball_extrapolation){network->coupling.extrapolation, network->weights};
}

/* Is a coupling with this choice built in balls? Choices that are not listed are only where they are 0, which
 * is the default. */
bool ball_knows(const coupling_choice *choice);

/* Makes room for a network of the sizes, connections and choices of `like`, all numbers 0. Free with
 * ball_network_free, after a failure as well. COSTAB_INVALID where the coupling or a subsystem has something
 * that has no ball arithmetic. */
costab_status ball_network_make(const costab_network *like, const costab_coupling *coupling,
                                ball_network *network, costab_error *error);
void ball_network_free(ball_network *network);

/* Takes the numbers of `from`, which has the sizes of `like`: each double as the number it is. */
void ball_network_set(const costab_network *from, const costab_coupling *coupling, ball_network *network);

/* The whole numbers that follow from times: the delays, in macro steps, of connections that have them in
 * seconds, and how many micro steps of a given length there are. `choose` sets them as they are at the middle
 * of the real balls at hand. Are they so, and the macro step and the relaxation in their ranges, on all of
 * the balls? The maps are then those of these numbers, on complex balls as well. */
bool ball_network_fit(ball_network *network, bool choose, slong precision);

/* Matrices whose eigenvalues decide. BALL_ITERATION: from guesses to guesses, of couplings that iterate to
 * convergence. BALL_SYSTEM: (t - A_mono)^-1 (t + A_mono), whose eigenvalues lie inside the unit circle
 * exactly where those of A_mono lie left of the imaginary axis, for every t > 0. */
typedef enum ball_part { BALL_ITERATION, BALL_STEP, BALL_SYSTEM, BALL_PART_COUNT } ball_part;

/* [out] matrix: initialised here, cleared by the caller whatever comes back. false: the balls are too wide
 * for the matrix to be shown to exist, or memory is out. `shift` is t of BALL_SYSTEM. A matrix without
 * entries comes back for BALL_ITERATION where the coupling does not iterate to convergence. */
bool ball_network_matrix(const ball_network *network, ball_part part, const arb_t shift, slong precision,
                         acb_mat_t matrix);
