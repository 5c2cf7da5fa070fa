/* network/analyse.h - analysis of a network at one point: matrices, spectra, class.
 *
 * spectrum_reach: signed excess of the largest eigenvalue over the stability limit, with its error bound.
 * neutral_rest: map and monolithic matrix after removal of the structural modes. */
#pragma once

#include "network/neutral.h"
#include "network/short_step.h"
#include "network/step.h"
#include "network/work.h"

/* Returns true if the class depends on the iteration radius: the coupling iterates to convergence. */
static inline bool analyse_converges(const costab_coupling *coupling) {
    return coupling->scheme == COSTAB_ITERATED && coupling->iterations == 0;
}

/* If the iteration radius is larger, the map is close to a pole and less accurate than its own rounding. */
#define ANALYSE_QUICK_RADIUS 0.9

/* Fills work->mono.found from the eigenvalues, moduli and components of A_mono in the workspace. Entries
 * count as exact up to their own rounding. */
void analyse_mono_found(costab_network_work *work);

/* Computes the eigenvalues of work->mono.matrix, set by the caller, and fills work->mono.found likewise. */
costab_status analyse_mono_at_hand(costab_network_work *work, costab_error *error);

/* Sets abscissa, its rounding and the continuous part of the class from the system without removed modes.
 * Errors as spectrum_radius, pencil_refine and dead_time_reach. */
costab_status analyse_take_continuous(costab_network_work *work, const neutral_rest *rest,
                                      costab_network_point *point, costab_error *error);

/* Returns true if the eigenvalues of a real map determine the class: matrices are as accurate as rounding
 * allows. */
bool analyse_is_plain(const costab_network_work *work);
/* For iterations to convergence: the radius exceeds 1 beyond rounding; the radius exceeds
 * ANALYSE_QUICK_RADIUS. */
bool analyse_diverges(const costab_network_work *work, double iteration_radius);
bool analyse_near_pole(const costab_network_work *work, double iteration_radius);

/* Adds the co-simulation's part to the class. where: side of the map's eigenvalues (EIGEN_UNKNOWN: `reach`
 * decides). A divergent iteration counts as unstable. */
void analyse_decide(const costab_network_work *work, eigen_where where, const spectrum_reach *reach,
                    costab_network_point *point);

/* Like costab_network_analyse. [out] *exponent: the analysed map is the product over the period times
 * 2^-exponent. */
costab_status analyse_point(costab_network_work *work, const costab_network *network,
                            const costab_coupling *coupling, costab_network_point *point, long *exponent,
                            costab_error *error);

/* Sets the co-simulation's part of a point, with the numbers of costab_network_analyse, from eigenvalues and
 * components in the workspace. map: NULL if it is not available; the class is then undecided if an eigenvalue
 * is near the limit. Requires analyse_is_plain, no equilibria, and no pole nearby. Returns false, with the
 * point unchanged, if rounding leaves the class undecided. */
bool analyse_found(costab_network_work *work, const double *map, double macro_step,
                   costab_network_point *point);

/* Like analyse_found, from excess and spectral radius. macro_step 0: skip decay and growth. */
bool analyse_reached(const costab_network_work *work, double radius, const spectrum_reach *reach,
                     double macro_step, costab_network_point *point);

/* Multiplies by 2^exponent. */
void analyse_scale(size_t count, double *values, long exponent);

/* The matrices of a point without its structural modes; borrowed until the workspace is used again. */
typedef struct analyse_parts {
    int size;
    const double *map, *map_imaginary; /* product over the period; imaginary part NULL: real */
    double map_noise;                  /* error of an entry beyond its own rounding */
    short_step_parts increment;        /* the map of a short step in parts (short_step.h), if requested */
    int guesses;                       /* size of the iteration matrix, always real; 0: the scheme does not
                                        * iterate to convergence */
    const double *guess;
    bool solved;        /* Newton: the iteration matrix causes poles but need not contract */
    int loop;           /* number of inputs if L D has a loop, otherwise 0 */
    const double *gain; /* L D */
    bool loop_in_map;   /* the map depends on the solution of the loop */
    bool posed;         /* I - L D is regular: the continuous system exists */
    int states;
    const double *mono;
    double mono_noise, span; /* span: as work->mono.span */
    uint32_t waits;          /* hash of the connections' delays and dead times in macro steps */
} analyse_parts;

/* increment: compute parts->increment. continuous: parts->mono is used; otherwise it lacks dead time. An
 * ill-posed continuous system is not an error (parts->posed). COSTAB_INVALID for choices that do not fit, and
 * for equilibria of a system with dead time; errors of dead_time_matrix. */
costab_status analyse_parts_make(costab_network_work *work, const costab_network *network,
                                 const costab_coupling *coupling, bool increment, bool continuous,
                                 analyse_parts *parts, costab_error *error);

/* [out] *turn: phase advance of the fastest subsystem per macro step in radians, H max |Im l(A_i)| over
 * subsystems that are not discrete-time systems. The workspace must be laid out for the network's structure.
 */
costab_status analyse_turn(costab_network_work *work, const costab_network *network, double macro_step,
                           double *turn, costab_error *error);
