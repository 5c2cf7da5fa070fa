/* network/monolithic.h - the continuous system of all subsystems: x' = A_mono x with feedthrough loops
 * solved. */
#pragma once

#include <stdint.h>

#include "network/loop.h"
#include "network/spectrum.h"

/* Results for a monolithic matrix. */
typedef struct monolithic_found {
    spectrum_reach reach; /* of all eigenvalues, including equilibria */
    double least, most;   /* smallest and largest modulus of an eigenvalue */
    double norm;          /* Frobenius */
    bool regular;         /* structural modes are absent */
    bool inexact;         /* errors of entries may exceed their own rounding by far */
    double noise;         /* norm of these errors, balanced like `balanced`; 0: not inexact */
} monolithic_found;

typedef struct monolithic_space {
    bool known;       /* `matrix` and `found` belong to the present numbers */
    bool units_known; /* units and vectors of neutral.c belong to the present numbers */
    monolithic_found found;
    double *matrix,    /* states^2 */
        *rows,         /* inputs x states: inputs as linear forms of the states */
        *rest;         /* workspace of twice this size */
    loop_factors loop; /* inputs: I - L D */
    double *gain;      /* inputs^2: L D */
    bool feedthrough;  /* `loop` contains factors of I - L D */
    double *inverse;   /* inputs^2: (I - L D)^-1 */
    double *errors;    /* states^2: error bounds of the entries of `matrix`, if it is inexact */
    double *balanced;  /* states^2: D A_mono D^-1, if it is inexact */
    double *scale;     /* 3 x states: D, largest entries of rows, of columns */
    /* For the sampled-data system (monodromy.h); `matrix` is then its map over the span: */
    double span, grain; /* in seconds: period of all samples, and the common divisor of all sample times; span
                           0: no discrete-time subsystems */
    int64_t instants;   /* span in grains */
    double *flow,       /* states^2: F of z' = F z between samples */
        *step,          /* states^2: exp(F dt) */
        *sampled,       /* states^2: workspace */
        *sampled_inputs, *step_work; /* workspace: 2 inputs x states; of an exponential */
    loop_factors direct;             /* inputs: links between subsystems that sample together */
} monolithic_space;

/* Returns true if a subsystem is known only by the map of its steps. The continuous system is then unknown.
 */
bool monolithic_unknown(const costab_network *network);

/* Computes A_mono in work->mono.matrix, and in work->mono.rows the inputs as linear forms of the states.
 * Delays and dead times are left out. COSTAB_INVALID if I - L D is singular. */
costab_status monolithic_make(costab_network_work *work, costab_error *error);

/* exp(F dt) of an n x n matrix. work: monolithic_exponential_work doubles. */
size_t monolithic_exponential_work(int n);
void monolithic_exponential(int n, const double *F, double dt, double *exponential, double *work);

/* An entry is inexact if the sum of the moduli of its terms exceeds this multiple of the entry and of the
 * balanced matrix in its row and column. */
#define MONOLITHIC_CANCELLED 16

/* Returns true if an entry of A_mono is inexact; moduli: per entry the sum of the moduli of its terms. The
 * balanced matrix and its scaling are then in work->mono.balanced and scale. */
bool monolithic_inexact(costab_network_work *work, const double *matrix, const double *moduli);

/* Computes work->mono.errors after monolithic_make: error bounds of the entries from errors of the model's
 * numbers (16 epsilon each, and the largest doubt of a subsystem) and rounding. Returns true if an entry is
 * inexact: sums cancel, or a feedthrough loop is nearly singular. */
bool monolithic_errors(costab_network_work *work);
