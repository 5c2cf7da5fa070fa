/* The words of the master's choices, and the couplings one compares. */
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "costab/network.h"

static const char *const exchanges[COSTAB_EXCHANGE_COUNT] = {"jacobi", "gauss-seidel", "iterated"};
static const char *const holds[COSTAB_HOLD_COUNT] = {"constant", "linear", "quadratic", "cubic", "hermite"};
static const char *const feedthroughs[COSTAB_FEEDTHROUGH_COUNT] = {"delayed", "solved"};
static const char *const micro_step_words[COSTAB_MICRO_STEPS_COUNT] = {"whole", "clocks", "real-power"};

const char *costab_exchange_name(costab_exchange scheme) {
    return (unsigned)scheme < COSTAB_EXCHANGE_COUNT ? exchanges[scheme] : NULL;
}

const char *costab_hold_name(costab_hold hold) {
    return (unsigned)hold < COSTAB_HOLD_COUNT ? holds[hold] : NULL;
}

const char *costab_feedthrough_name(costab_feedthrough feedthrough) {
    return (unsigned)feedthrough < COSTAB_FEEDTHROUGH_COUNT ? feedthroughs[feedthrough] : NULL;
}

const char *costab_micro_steps_name(costab_micro_steps micro_steps) {
    return (unsigned)micro_steps < COSTAB_MICRO_STEPS_COUNT ? micro_step_words[micro_steps] : NULL;
}

static const struct {
    const char *name;
    costab_exchange scheme;
    costab_hold interpolation, extrapolation;
} known[] = {
    {"jacobi", COSTAB_JACOBI, COSTAB_CONSTANT, COSTAB_CONSTANT},
    {"jacobi-extrapolated", COSTAB_JACOBI, COSTAB_CONSTANT, COSTAB_LINEAR},
    {"gauss-seidel", COSTAB_GAUSS_SEIDEL, COSTAB_CONSTANT, COSTAB_CONSTANT},
    {"gauss-seidel-linear", COSTAB_GAUSS_SEIDEL, COSTAB_LINEAR, COSTAB_CONSTANT},
    {"iterated", COSTAB_ITERATED, COSTAB_CONSTANT, COSTAB_CONSTANT},
    {"iterated-linear", COSTAB_ITERATED, COSTAB_LINEAR, COSTAB_CONSTANT},
};

int costab_coupling_count(void) {
    return (int)(sizeof known / sizeof known[0]);
}

const char *costab_coupling_name(int i) {
    return i >= 0 && i < costab_coupling_count() ? known[i].name : NULL;
}

costab_status costab_coupling_find(const char *name, costab_coupling *coupling, costab_error *error) {
    for (int i = 0; i < costab_coupling_count(); i++) {
        if (strcmp(name, known[i].name) != 0) continue;
        coupling->scheme = known[i].scheme;
        coupling->interpolation = known[i].interpolation;
        coupling->extrapolation = known[i].extrapolation;
        coupling->iterations = 0;
        return COSTAB_OK;
    }
    text names = {0};
    for (int i = 0; i < costab_coupling_count(); i++)
        text_printf(&names, "%s%s", i > 0 ? ", " : "", known[i].name);
    error_set(error, COSTAB_INVALID, "unknown coupling '%s'; expected one of: %s", name,
              names.failed ? "see --help" : names.data);
    text_free(&names);
    return COSTAB_INVALID;
}
