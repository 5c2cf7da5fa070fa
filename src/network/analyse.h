/* network/analyse.h - the matrices of a point, before anyone asks for their eigenvalues. */
#pragma once

#include "network/map.h"
#include "network/neutral.h"
#include "network/short_step.h"
#include "network/work.h"

/* Must the coupling's iteration converge, so that its radius decides of the class? */
bool analyse_converges(const costab_coupling *coupling);

/* The monolithic matrix, and what is known of it where it was there before: work->mono.known. [out] *wanted:
 * there is a continuous system, and its eigenvalues are to be found. */
costab_status analyse_mono(costab_network_work *work, bool *wanted, costab_error *error);

/* What is to be known of it, from its eigenvalues, their moduli and homes, which lie in the workspace. */
void analyse_mono_found(costab_network_work *work);

/* What is to be known of work->mono.matrix, which the caller has put there. */
costab_status analyse_mono_at_hand(costab_network_work *work, costab_error *error);

/* The monolithic matrix and its abscissa; along an axis such as the macro step they stay the same, and are
 * kept. */
costab_status analyse_continuous(costab_network_work *work, costab_error *error);

/* The continuous system's share of a point: the abscissa is that of the rest. */
costab_status analyse_take_continuous(costab_network_work *work, const neutral_rest *rest,
                                      costab_network_point *point, costab_error *error);

/* Can the point be told from eigenvalues of its map alone, found in lanes? Not where matrices are known less
 * well than rounding. */
bool analyse_is_plain(const costab_network_work *work);
/* Where an iteration that must converge has this radius: does it diverge for sure? Does it hardly converge,
 * so that the map is next to a pole, and off by more than its own rounding? */
bool analyse_diverges(const costab_network_work *work, double iteration_radius);
bool analyse_near_pole(const costab_network_work *work, double iteration_radius);

/* May powers of the map be asked for its side? Over a period the rounding is that of the product, the radius
 * its root, and without equilibria it is that of the whole map: no certain answer is tried; nor where
 * matrices are known less well than rounding. */
bool analyse_is_quick(const costab_network_work *work, const neutral_rest *rest);

/* Adds what the map says to the class, where the iteration does not say otherwise. `where`: what its powers
 * have told; reach: needed where that is EIGEN_UNKNOWN. */
void analyse_decide(const costab_network_work *work, eigen_where where, const spectrum_reach *reach,
                    costab_network_point *point);

/* As costab_network_analyse; the map as it was analysed is that of the period times 2^-exponent. */
costab_status analyse_point(costab_network_work *work, const costab_network *network,
                            const costab_coupling *coupling, costab_network_point *point, long *exponent,
                            costab_error *error);

/* The map's share of a point of that macro step, as costab_network_analyse gives it, from eigenvalues and
 * homes that lie in the workspace; map: NULL where it need not be there, as no eigenvalue is near the limit.
 * For points that analyse_is_quick. False, and nothing is said, where more is needed: in doubt. */
bool analyse_found(costab_network_work *work, const double *map, double macro_step,
                   costab_network_point *point);

/* The same from what is known of the eigenvalue that is the furthest beyond the limit, and from the largest
 * modulus; macro_step 0: the decay and the growth are not asked for. */
bool analyse_reached(const costab_network_work *work, double radius, const spectrum_reach *reach,
                     double macro_step, costab_network_point *point);

/* How far rounding may have moved each of the map's eigenvalues, into the workspace; arguments as above.
 * False where the map is needed: all of them are infinite. */
bool analyse_slack(costab_network_work *work, const double *map);

/* Multiplies by 2^exponent. */
void analyse_scale(size_t count, double *values, long exponent);

/* What a point is made of, without its equilibria; all in the workspace, until it is used again. */
typedef struct analyse_parts {
    int size;
    const double *map, *map_imaginary; /* of the product over the period; NULL: real */
    double map_noise;                  /* what rounding may have made of an entry, beyond its own */
    short_step_parts increment;        /* the same by what a short step adds; asked for */
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
    int nullity;    /* neutral_rest.nullity */
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
