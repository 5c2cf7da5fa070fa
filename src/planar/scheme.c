/* Names of planar schemes and classes, and setup of a planar system. For the simulation the setup also
 * computes the real stability set (simulation.c). */
#include <string.h>

#include "base/error.h"
#include "costab/planar.h"
#include "planar/row.h"

static const struct {
    const char *name, *alias;
} schemes[COSTAB_SCHEME_COUNT] = {
    [COSTAB_SIMULATION] = {"simulation", "monolithic"},
    [COSTAB_CROSS] = {"cross", "jacobi"},
    [COSTAB_ZIGZAG] = {"zigzag", "gauss-seidel-linear"},
    [COSTAB_STRONG] = {"strong", "iterated-linear"},
};

const char *costab_scheme_name(costab_scheme scheme) {
    return (unsigned)scheme < COSTAB_SCHEME_COUNT ? schemes[scheme].name : NULL;
}

costab_status costab_scheme_find(const char *name, costab_scheme *scheme, costab_error *error) {
    for (unsigned i = 0; i < COSTAB_SCHEME_COUNT; i++) {
        if (strcmp(name, schemes[i].name) != 0 && strcmp(name, schemes[i].alias) != 0) continue;
        *scheme = (costab_scheme)i;
        return COSTAB_OK;
    }
    for (unsigned i = COSTAB_ZIGZAG; i < COSTAB_SCHEME_COUNT; i++) {
        const size_t base = strlen(schemes[i].alias) - strlen("-linear");
        if (strlen(name) == base && strncmp(name, schemes[i].alias, base) == 0)
            return error_invalid(error,
                                 "'%s' holds its inputs, as in networks, and is not a scheme of the planar "
                                 "system; write %s or %s",
                                 name, schemes[i].name, schemes[i].alias);
    }
    return error_invalid(
        error,
        "unknown scheme '%s'; expected simulation, cross, zigzag or strong (or monolithic, jacobi, "
        "gauss-seidel-linear, iterated-linear)",
        name);
}

const char *costab_class_name(int class_code) {
    static const struct {
        int code;
        const char *name;
    } names[] = {{COSTAB_UU, "UU"},
                 {COSTAB_US, "US"},
                 {COSTAB_SU, "SU"},
                 {COSTAB_SS, "SS"},
                 {COSTAB_NU, "NU"},
                 {COSTAB_NS, "NS"},
                 {COSTAB_SN, "SN"},
                 {COSTAB_UN, "UN"},
                 {COSTAB_NN, "NN"},
                 {COSTAB_XU, "XU"},
                 {COSTAB_XS, "XS"},
                 {COSTAB_XN, "XN"},
                 {COSTAB_NOT_COMPUTED, "not_computed"},
                 {COSTAB_CLASS_FAILED, "failed"},
                 {COSTAB_CLASS_UNDECIDED, "undecided"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].code == class_code) return names[i].name;
    return NULL;
}

costab_status costab_planar_init(costab_planar *planar, costab_scheme scheme, const costab_method *method,
                                 int substeps_a, int substeps_d, costab_error *error) {
    if ((unsigned)scheme >= COSTAB_SCHEME_COUNT)
        return error_invalid(error, "unknown scheme number %d", (int)scheme);
    if (substeps_a < 1 || substeps_d < 1 || substeps_a > COSTAB_SUBSTEPS_MAX ||
        substeps_d > COSTAB_SUBSTEPS_MAX)
        return error_invalid(error, "the number of micro steps must be 1 to %d", COSTAB_SUBSTEPS_MAX);
    if (scheme == COSTAB_SIMULATION && substeps_a != substeps_d)
        return error_invalid(error,
                             "the simulation has one solver: give one number of micro steps, not %d and %d",
                             substeps_a, substeps_d);
    *planar = (costab_planar){.scheme = scheme, .method = *method, .substeps = {substeps_a, substeps_d}};
    if (scheme == COSTAB_SIMULATION) planar_simulation_init(planar);
    return COSTAB_OK;
}

costab_planar_slice costab_planar_at(const costab_planar *planar, double a) {
    costab_planar_slice slice = {.planar = planar, .a = a};
    if (planar->scheme != COSTAB_SIMULATION)
        slice.weights_a = costab_method_weights(&planar->method, planar->substeps[0], a);
    return slice;
}
