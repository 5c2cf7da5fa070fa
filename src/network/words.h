/* network/words.h - names of the coupling's options, and the list of all options. */
#pragma once

#include "costab/network.h"

/* Names of the schemes, followed by the planar system's names cross, zigzag and strong. These three set the
 * polynomials as well (coupling_set_planar). */
extern const char *const network_scheme_words[2 * COSTAB_COUPLING_SCHEME_COUNT];
/* Sets scheme and polynomials to those of a planar scheme: cross is jacobi, zigzag gauss-seidel-linear,
 * strong iterated-linear. word: index into network_scheme_words. */
void coupling_set_planar(costab_coupling *coupling, int word);
/* Names of the enumerators, indexed by the enumerator. */
extern const char *const network_hold_words[COSTAB_HOLD_COUNT];
extern const char *const network_feedthrough_words[COSTAB_FEEDTHROUGH_COUNT];
extern const char *const network_micro_step_words[COSTAB_MICRO_STEPS_COUNT];

/* All members of costab_coupling in their order; coupling.c warns at compile time if a member is missing.
 * WORD(member, its names, their count), NUMBER(member), LIST(member). */
#define COUPLING_CHOICES(WORD, NUMBER, LIST)                                                                 \
    WORD(scheme, network_scheme_words, COSTAB_COUPLING_SCHEME_COUNT)                                         \
    NUMBER(macro_step)                                                                                       \
    WORD(interpolation, network_hold_words, COSTAB_HOLD_COUNT)                                               \
    WORD(extrapolation, network_hold_words, COSTAB_HOLD_COUNT)                                               \
    WORD(feedthrough, network_feedthrough_words, COSTAB_FEEDTHROUGH_COUNT)                                   \
    LIST(order)                                                                                              \
    NUMBER(iterations)                                                                                       \
    WORD(micro_steps, network_micro_step_words, COSTAB_MICRO_STEPS_COUNT)                                    \
    NUMBER(smoothed)                                                                                         \
    WORD(predictor, network_hold_words, COSTAB_HOLD_COUNT)                                                   \
    NUMBER(relaxation)                                                                                       \
    NUMBER(area_correction)                                                                                  \
    NUMBER(a0)                                                                                               \
    NUMBER(a1)                                                                                               \
    NUMBER(b0)                                                                                               \
    NUMBER(b1)

/* Index of each member in that order: COUPLING_OF_scheme is 0. */
#define COUPLING_OF_WORD(member, words, count) COUPLING_OF_##member,
#define COUPLING_OF(member)                    COUPLING_OF_##member,
enum { COUPLING_CHOICES(COUPLING_OF_WORD, COUPLING_OF, COUPLING_OF) COUPLING_CHOICE_COUNT };

/* Returns true if connection c carries an output held between samples. It is delivered as a constant,
 * regardless of the options. */
bool coupling_is_held(const costab_network *network, int c);
/* Returns the interpolation of connection c. */
costab_hold coupling_interpolation(const costab_network *network, const costab_coupling *coupling, int c);
/* Returns the extrapolation of connection c. */
costab_extrapolation coupling_extrapolation(const costab_network *network, const costab_coupling *coupling,
                                            int c);
/* Returns true if the coupling or a connection has one of the extrapolations `holds` (HOLD_BIT of each). */
bool coupling_extrapolates(const costab_network *network, const costab_coupling *coupling, unsigned holds);
#define HOLD_BIT(hold) (1U << (hold))
#define HOLDS_WEIGHTED (HOLD_BIT(COSTAB_SPECTRAL) | HOLD_BIT(COSTAB_TUNED) | HOLD_BIT(COSTAB_TUNED_2))

/* Returns true if all options are equal. Orders are compared by whether they are given, not by entries. */
bool coupling_same(const costab_coupling *a, const costab_coupling *b);
