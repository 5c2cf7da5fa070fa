/* network/words.h - the words of a coupling's choices, each array by the enum of its name. */
#ifndef NETWORK_WORDS_H
#define NETWORK_WORDS_H

#include "costab/network.h"

extern const char *const network_scheme_words[COSTAB_COUPLING_SCHEME_COUNT];
extern const char *const network_hold_words[COSTAB_HOLD_COUNT];
extern const char *const network_feedthrough_words[COSTAB_FEEDTHROUGH_COUNT];
extern const char *const network_micro_step_words[COSTAB_MICRO_STEPS_COUNT];

#endif
