/* costab/modes.h - the modes of a network: frequency, growth, and the participation of each subsystem and
 * each connection.
 *
 * For an eigenvalue l of a matrix M with vectors M v = l v, w* M = l w*, the product conj(w_k) v_k / (w* v)
 * is how much of it is owed to the k-th entry of the state. The share of a subsystem is the sum of its
 * entries' moduli, over that of all entries: it does not depend on the units of the states, but on which
 * states a subsystem has. `sums` adds up the products before the modulus is taken: it does not depend on
 * that either. Stored values of the master count for their user: an input's last value for its
 * subsystem, former outputs for the target of the connection that uses them. The share of a connection
 * is |g dl/dg|, g its gain, over that of all connections; it is found by a central difference and has
 * eight digits or more if the gain contributes a hundredth of a macro step. Where other eigenvalues are
 * within 1e-6 the products of all of them are added, as one alone means nothing there. */
#ifndef COSTAB_MODES_H
#define COSTAB_MODES_H

#include "costab/network.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum costab_modes_of {
    COSTAB_MODES_MAP,        /* of the macro step's map (with own clocks, of the product over the period) */
    COSTAB_MODES_CONTINUOUS, /* of the monolithic system */
    COSTAB_MODES_ITERATION   /* of the iteration to convergence, guesses to guesses */
} costab_modes_of;

typedef struct costab_mode {
    double re, im;    /* the eigenvalue; im >= 0: a complex pair is one mode */
    double frequency; /* Hz; of the map at most 1/(2 macro step), possibly an alias of a higher frequency;
                         NaN: of an iteration */
    double
        damping; /* -growth over the modulus of the complex rate: 1 where nothing oscillates; NaN likewise */
    double growth; /* ln|l| per unit of time in 1/s, the real part of a continuous eigenvalue; NaN likewise */
    double condition; /* ||w|| ||v|| / |w* v|, of the map in its own units */
} costab_mode;

/* Row-major, one row per mode. Free with costab_modes_free. */
typedef struct costab_modes {
    int count, subsystems, connections;
    costab_mode *modes;
    double *shares; /* count x subsystems; a row's sum is 1 */
    double *sums;   /* the same, products added before the modulus is taken */
    double *links;  /* count x connections; a row's sum is 1, or 0 where no gain moves the mode by more than
                       rounding */
} costab_modes;

/* Up to `most` modes of a checked network, largest modulus first (of the continuous system: largest real
 * part first). Equilibria that costab_network_analyse sets aside are left out, and so are eigenvalues 0 of
 * the map. The list is empty if the map is complex (COSTAB_REAL_POWER) or overflows, and for the continuous
 * system if the network has discrete-time subsystems or dead time; for COSTAB_MODES_ITERATION also without an
 * iteration until convergence, or if micro steps have a period. COSTAB_INVALID if `most` is negative; other
 * errors are those of costab_network_analyse. [out] modes: free it also after an error. */
COSTAB_API costab_status costab_network_modes(const costab_network *network, const costab_coupling *coupling,
                                              costab_modes_of of, int most, costab_modes *modes,
                                              costab_error *error);

/* costab_network_analyse and up to `most` modes of the map. The workspace is left as costab_network_analyse
 * leaves it. [out] modes: free it also after an error. */
COSTAB_API costab_status costab_network_analyse_modes(costab_network_work *work,
                                                      const costab_network *network,
                                                      const costab_coupling *coupling, int most,
                                                      costab_network_point *point, costab_modes *modes,
                                                      costab_error *error);
COSTAB_API void costab_modes_free(costab_modes *modes);

/* "motor.angle->load.angle": the name of connection c, into text (size bytes); cut where it does not fit. */
COSTAB_API void costab_connection_label(const costab_network *network, int c, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
