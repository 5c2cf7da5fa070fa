/* network/words.h - the master's choices and their words. */
#pragma once

#include "costab/network.h"

/* The schemes; then the planar system's name for each: cross, zigzag and strong, which fix the polynomial as
 * well (coupling_set_planar). */
extern const char *const network_scheme_words[2 * COSTAB_COUPLING_SCHEME_COUNT];
/* Sets scheme and polynomials to those of a planar scheme: cross is jacobi, zigzag gauss-seidel-linear,
 * strong iterated-linear. word: index of network_scheme_words. */
void coupling_set_planar(costab_coupling *coupling, int word);
/* Each by the enum of its name. */
extern const char *const network_hold_words[COSTAB_HOLD_COUNT];
extern const char *const network_feedthrough_words[COSTAB_FEEDTHROUGH_COUNT];
extern const char *const network_micro_step_words[COSTAB_MICRO_STEPS_COUNT];

/* All members of costab_coupling in its order; coupling.c does not compile without a warning where one is
 * missing. WORD(member, its words, their count), NUMBER(member), LIST(member). */
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

/* Their numbers in that order: COUPLING_OF_scheme is 0. */
#define COUPLING_OF_WORD(member, words, count) COUPLING_OF_##member,
#define COUPLING_OF(member)                    COUPLING_OF_##member,
enum { COUPLING_CHOICES(COUPLING_OF_WORD, COUPLING_OF, COUPLING_OF) COUPLING_CHOICE_COUNT };

/* How connection c of the network extrapolates. */
costab_extrapolation coupling_extrapolation(const costab_network *network, const costab_coupling *coupling,
                                            int c);
/* Does any connection extrapolate by one of these (a bit for each costab_hold)? The coupling's own counts
 * where there are no connections, too. */
bool coupling_extrapolates(const costab_network *network, const costab_coupling *coupling, unsigned holds);
#define HOLD_BIT(hold) (1U << (hold))
#define HOLDS_WEIGHTED (HOLD_BIT(COSTAB_SPECTRAL) | HOLD_BIT(COSTAB_TUNED) | HOLD_BIT(COSTAB_TUNED_2))

/* Are all choices the same, an order but for its entries? */
bool coupling_same(const costab_coupling *a, const costab_coupling *b);
