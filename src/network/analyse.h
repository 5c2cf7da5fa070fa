/* network/analyse.h - one point of a network: its matrices, their spectra, its class.
 *
 * A spectrum_reach says how far the eigenvalue that is the furthest beyond the limit is beyond it, and how
 * far rounding may have moved it. A neutral_rest is what remains of map and monolithic matrix where
 * structural modes are removed. */
#pragma once

#include "network/map.h"
#include "network/neutral.h"
#include "network/short_step.h"
#include "network/work.h"

/* Must the coupling's iteration converge, so that its radius decides of the class? */
static inline bool analyse_converges(const costab_coupling *coupling) {
    return coupling->scheme == COSTAB_ITERATED && coupling->iterations == 0;
}

/* An iteration with a larger radius has its map next to a pole, less accurate than its own rounding. */
#define ANALYSE_QUICK_RADIUS 0.9

/* Makes the monolithic matrix A_mono, unless that of the last point is the same (work->mono.known). [out]
 * *wanted: it was made, and its eigenvalues are to be found. */
costab_status analyse_mono(costab_network_work *work, bool *wanted, costab_error *error);

/* Fills work->mono.found from A_mono's eigenvalues, which lie in the workspace with their moduli and
 * components. Entries count as exact but for their own rounding. */
void analyse_mono_found(costab_network_work *work);

/* Finds eigenvalues and work->mono.found of work->mono.matrix, which the caller has put there, in the same
 * way. */
costab_status analyse_mono_at_hand(costab_network_work *work, costab_error *error);

/* All of these: A_mono, its eigenvalues and work->mono.found, unless they are those of the last point. */
costab_status analyse_continuous(costab_network_work *work, costab_error *error);

/* What the continuous system says of a point: abscissa and class, those of the rest. */
costab_status analyse_take_continuous(costab_network_work *work, const neutral_rest *rest,
                                      costab_network_point *point, costab_error *error);

/* Can a point's class follow from eigenvalues of its real map alone? Not where matrices are less accurate
 * than rounding. */
bool analyse_is_plain(const costab_network_work *work);
/* Of an iteration that must converge, with this radius: does it diverge beyond rounding? Is the radius above
 * ANALYSE_QUICK_RADIUS? */
bool analyse_diverges(const costab_network_work *work, double iteration_radius);
bool analyse_near_pole(const costab_network_work *work, double iteration_radius);

/* Adds the co-simulation's part to the class: the map's side of the circle (`where`; EIGEN_UNKNOWN: by
 * `reach`), and whether an iteration converges. */
void analyse_decide(const costab_network_work *work, eigen_where where, const spectrum_reach *reach,
                    costab_network_point *point);

/* As costab_network_analyse; the map as it was analysed is that of the period times 2^-exponent. */
costab_status analyse_point(costab_network_work *work, const costab_network *network,
                            const costab_coupling *coupling, costab_network_point *point, long *exponent,
                            costab_error *error);

/* What the map says of a point, as costab_network_analyse finds it, from eigenvalues and components that lie
 * in the workspace. map: NULL where no eigenvalue is near the limit. For points that analyse_is_plain,
 * without equilibria and away from poles. False, and nothing is said, where rounding leaves the class in
 * doubt. */
bool analyse_found(costab_network_work *work, const double *map, double macro_step,
                   costab_network_point *point);

/* The same from the map's reach and its spectral radius; macro_step 0: decay and growth are not asked for. */
bool analyse_reached(const costab_network_work *work, double radius, const spectrum_reach *reach,
                     double macro_step, costab_network_point *point);

/* Multiplies by 2^exponent. */
void analyse_scale(size_t count, double *values, long exponent);

/* The matrices of a point without its structural modes; borrowed from the workspace until that is used again.
 */
typedef struct analyse_parts {
    int size;
    const double *map, *map_imaginary; /* of the product over the period; NULL: real */
    double map_noise;                  /* what rounding may have made of an entry, beyond its own */
    short_step_parts increment;        /* the map of a short step by parts (short_step.h), where asked for */
    int guesses;                       /* of an iteration to convergence: its matrix, always real; 0: none */
    const double *guess;
    bool solved;        /* the iteration's matrix makes poles, but need not contract */
    int loop;           /* inputs: L D where it has a loop, 0 where it has none */
    const double *gain; /* L D */
    bool loop_in_map;   /* the map depends on the loop's solution */
    bool posed;         /* I - L D is regular: there is a continuous system */
    int states;
    const double *mono;
    double mono_noise;
    uint32_t waits; /* tells the connections' delays in macro steps from others */
} analyse_parts;

/* increment: whether parts->increment is asked for. */
costab_status analyse_parts_make(costab_network_work *work, const costab_network *network,
                                 const costab_coupling *coupling, bool increment, analyse_parts *parts,
                                 costab_error *error);

/* Radians by which the fastest subsystem turns in one macro step: H max |Im l(A_i)|. The network is of the
 * form that the workspace is laid out for. */
costab_status analyse_turn(costab_network_work *work, const costab_network *network, double macro_step,
                           double *turn, costab_error *error);
